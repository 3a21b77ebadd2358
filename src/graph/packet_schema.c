/*-------------------------------------------------------------------------
 *
 * packet_schema.c
 *		The schema of evidence packets, and how a packet can violate it.
 *
 * Pure.  Rule: doc/spec/packet.md §2.
 *
 * The schema is a table of members for each kind of object.  Any other member is a violation,
 * because everything in a packet comes from a graph or is one of the words here.  Members with
 * prose have a message of their own, so that the reader sees what is wrong.
 *
 * Promises: pure; reports all violations as values, in a fixed order; never raises an error,
 * whatever the packet is; linear in the packet.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "base/canonical.h"
#include "base/rfc3339.h"
#include "base/span.h"
#include "graph/packet_schema.h"
#include "ground/decision_receipt.h"
#include "reading/text_score.h"

#define SCORE_DECIMALS	4

/* What a member must be. */
typedef enum FormType
{
	FORM_TEXT,					/* a string */
	FORM_WORD,					/* a string that is not empty */
	FORM_WORDS,					/* an array of such strings */
	FORM_SOME_WORDS,			/* with at least one of them */
	FORM_NEIGHBORS,				/* in code-point order, at most PACKET_NEIGHBORS_MAX */
	FORM_INSTANT,				/* RFC 3339 */
	FORM_DIGEST,				/* "sha256:" and 64 hexadecimal digits */
	FORM_SIMILARITY,			/* a number from 0 to 1 with at most 4 decimals */
	FORM_PERCENT,				/* a whole number from 0 to 100 */
	FORM_COUNT,					/* a whole number of 0 or more */
	FORM_LINE,					/* a whole number of 1 or more */
	FORM_LIMIT,					/* a whole number of entries */
	FORM_LEAST,					/* a number from 0 to 1 in portable form */
	FORM_NUMBERS,				/* an array of at least one number, in portable form */
	FORM_BOOLEAN,
	FORM_ARRAY,
	FORM_OBJECT
} FormType;

static const char *const demands[] = {
	[FORM_TEXT] = "must be a string",
	[FORM_WORD] = "must be a string",
	[FORM_WORDS] = "must be an array of strings",
	[FORM_SOME_WORDS] = "must be an array of strings, at least one",
	[FORM_NEIGHBORS] = "must be an array of at most 50 strings in code-point order",
	[FORM_INSTANT] = "must be an RFC 3339 time",
	[FORM_DIGEST] = "must be \"sha256:\" and 64 hexadecimal digits",
	[FORM_SIMILARITY] = "must be a number from 0 to 1 of at most 4 decimals",
	[FORM_PERCENT] = "must be a whole number from 0 to 100",
	[FORM_COUNT] = "must be a whole number from 0 up",
	[FORM_LINE] = "must be a whole number from 1 up",
	[FORM_LIMIT] = "must be a whole number from 1 to " CppAsString2(PACKET_LIMIT_MAX),
	[FORM_LEAST] = "must be a number from 0 to 1",
	[FORM_NUMBERS] = "must be an array of numbers, at least one",
	[FORM_BOOLEAN] = "must be true or false",
	[FORM_ARRAY] = "must be an array",
	[FORM_OBJECT] = "must be an object"
};

StaticAssertDecl(PACKET_NEIGHBORS_MAX == 50, "the demand for neighbors says how many");

typedef struct FormMember
{
	const char *name;			/* NULL ends a table */
	FormType	type;
	bool		is_optional;
} FormMember;

static const FormMember packet_members[] = {
	{"meta", FORM_OBJECT, false},
	{"context_veracity", FORM_OBJECT, false},
	{"code_truth", FORM_ARRAY, false},
	{"doc_claims", FORM_ARRAY, false},
	{"graph_relationships", FORM_ARRAY, false},
	{"suggested_actions", FORM_WORDS, false},
	{"status", FORM_WORD, false},
	{"content_hash", FORM_DIGEST, false},
	{"signature", FORM_OBJECT, true},
	{NULL}
};

static const FormMember meta_members[] = {
	{"schema_version", FORM_WORD, false},
	{"query_id", FORM_WORD, false},
	{"timestamp", FORM_INSTANT, false},
	{"project", FORM_WORD, false},
	{"question", FORM_WORD, false},
	{"mode", FORM_WORD, false},
	{"options", FORM_OBJECT, false},
	{NULL}
};

static const FormMember veracity_members[] = {
	{"confidence_score", FORM_PERCENT, false},
	{"is_stale", FORM_BOOLEAN, false},
	{"faults", FORM_ARRAY, false},
	{NULL}
};

static const FormMember fault_members[] = {
	{"type", FORM_WORD, false},
	{"message", FORM_WORD, false},
	{"evidence", FORM_OBJECT, false},
	{NULL}
};

static const FormMember code_members[] = {
	{"id", FORM_WORD, false},
	{"name", FORM_WORD, false},
	{"type", FORM_SOME_WORDS, false},
	{"path", FORM_WORD, false},
	{"score", FORM_SIMILARITY, false},
	{"start_line", FORM_LINE, true},
	{"end_line", FORM_LINE, true},
	{"docstring", FORM_TEXT, true},
	{"last_modified", FORM_COUNT, true},
	{"neighbors", FORM_NEIGHBORS, false},
	{"neighbor_count", FORM_COUNT, false},
	{"provenance", FORM_OBJECT, false},
	{NULL}
};

static const FormMember doc_members[] = {
	{"id", FORM_WORD, false},
	{"name", FORM_WORD, false},
	{"type", FORM_SOME_WORDS, false},
	{"path", FORM_WORD, false},
	{"score", FORM_SIMILARITY, false},
	{"last_modified", FORM_COUNT, false},
	{"doc_type", FORM_WORD, false},
	{"neighbors", FORM_NEIGHBORS, false},
	{"neighbor_count", FORM_COUNT, false},
	{"provenance", FORM_OBJECT, false},
	{NULL}
};

static const FormMember provenance_members[] = {
	{"source_path", FORM_WORD, false},
	{"content_hash", FORM_DIGEST, false},
	{"extraction_method", FORM_WORD, false},
	{"indexed_at", FORM_INSTANT, false},
	{NULL}
};

static const FormMember relation_members[] = {
	{"from", FORM_WORD, false},
	{"to", FORM_WORD, false},
	{"type", FORM_WORD, false},
	{"from_id", FORM_WORD, false},
	{"to_id", FORM_WORD, false},
	{NULL}
};

/* Options of a question, without those of a single call. */
static const FormMember option_members[] = {
	{"limit", FORM_LIMIT, true},
	{"labels", FORM_SOME_WORDS, true},
	{"paths", FORM_SOME_WORDS, true},
	{"min_score", FORM_LEAST, true},
	{"embedding", FORM_NUMBERS, true},
	{"extended", FORM_BOOLEAN, true},
	{"log", FORM_BOOLEAN, true},
	{NULL}
};

/* The content hash does not cover the signature, so it must not have other members. */
static const FormMember signature_members[] = {
	{"alg", FORM_WORD, true},
	{"key_id", FORM_WORD, true},
	{"canonicalization", FORM_WORD, true},
	{"sig", FORM_WORD, true},
	{NULL}
};

/* Names of members with prose, which is not from a graph. */
static const char *const prose_names[] = {"technical_brief", "summary", "brief", "explanation", NULL};

/* The member with prose in synthesis mode. */
#define PROSE_OF_SYNTHESIS	"technical_brief"

/* Collects the violations of a packet. */
typedef struct Form
{
	JsonView	violations;
	bool		is_synthesis;
} Form;

/*
 * values
 */

static void
ReportViolation(Form *form, const char *violation)
{
	JsonViewAppend(&form->violations, JsonViewCString(violation));
}

static bool
IsWord(const JsonView *view)
{
	return view->type == JVIEW_STRING && view->len > 0;
}

static bool
AreWords(const JsonView *view)
{
	if (view->type != JVIEW_ARRAY)
		return false;
	for (int i = 0; i < JsonViewCount(view); i++)
	{
		JsonView	element = JsonViewAt(view, i);

		CHECK_FOR_INTERRUPTS();
		if (!IsWord(&element))
			return false;
	}
	return true;
}

static bool
AreNeighbors(const JsonView *view)
{
	Span		before = {"", 0};

	if (!AreWords(view) || JsonViewCount(view) > PACKET_NEIGHBORS_MAX)
		return false;
	for (int i = 0; i < JsonViewCount(view); i++)
	{
		JsonView	element = JsonViewAt(view, i);

		if (SpanOrder(before, SpanOf(element.str, element.len)) > 0)
			return false;
		before = SpanOf(element.str, element.len);
	}
	return true;
}

static bool
AreNumbers(const JsonView *view)
{
	if (view->type != JVIEW_ARRAY || JsonViewCount(view) == 0)
		return false;
	for (int i = 0; i < JsonViewCount(view); i++)
	{
		JsonView	element = JsonViewAt(view, i);

		CHECK_FOR_INTERRUPTS();
		if (NumberOfPortable(&element).type != JVIEW_NUMBER)
			return false;
	}
	return true;
}

bool
PacketScoreOfView(const JsonView *view, int *score)
{
	PlainNumber plain;
	const char *p;

	if (view->type != JVIEW_NUMBER || !NumberPlain(view, &plain) || (*plain.text != '0' && *plain.text != '1') ||
		plain.len > 2 + SCORE_DECIMALS || (plain.len > 1 && plain.text[1] != '.'))
		return false;
	*score = plain.text[0] - '0';
	p = plain.len > 1 ? plain.text + 2 : "";
	for (int i = 0; i < SCORE_DECIMALS; i++)
		*score = *score * 10 + (*p ? *p++ - '0' : 0);
	return *score <= SCORE_WHOLE;
}

bool
PacketLeastOfView(const JsonView *view, int *least)
{
	PlainNumber plain;
	int			unit = SCORE_WHOLE;
	bool		rest = false;

	if (view->type != JVIEW_NUMBER || !NumberPlain(view, &plain) || (*plain.text != '0' && *plain.text != '1') ||
		(plain.len > 1 && plain.text[1] != '.'))
		return false;
	*least = (plain.text[0] - '0') * unit;
	for (int i = 2; i < plain.len; i++)
	{
		unit /= 10;
		*least += (plain.text[i] - '0') * unit;
		rest |= unit == 0 && plain.text[i] != '0';
	}
	*least += rest;
	return *least <= SCORE_WHOLE;
}

static bool
IsOfType(const JsonView *view, FormType type)
{
	int64		number;
	int			score;
	TimestampTz instant;

	switch (type)
	{
		case FORM_TEXT:
			return view->type == JVIEW_STRING;
		case FORM_WORD:
			return IsWord(view);
		case FORM_WORDS:
			return AreWords(view);
		case FORM_SOME_WORDS:
			return AreWords(view) && JsonViewCount(view) > 0;
		case FORM_NEIGHBORS:
			return AreNeighbors(view);
		case FORM_INSTANT:
			return InstantOfView(view, &instant) && InstantIsWritable(instant);
		case FORM_DIGEST:
			return view->type == JVIEW_STRING && IsDigestText(view->str, view->len);
		case FORM_SIMILARITY:
			return PacketScoreOfView(view, &score);
		case FORM_PERCENT:
			return NumberIntegerBetween(view, 0, 100, &number);
		case FORM_COUNT:
			return NumberIntegerBetween(view, 0, PG_INT64_MAX, &number);
		case FORM_LINE:
			return NumberIntegerBetween(view, 1, PG_INT32_MAX, &number);
		case FORM_LIMIT:
			return NumberIntegerBetween(view, 1, PACKET_LIMIT_MAX, &number);
		case FORM_LEAST:
			{
				JsonView	plain = NumberOfPortable(view);

				return PacketLeastOfView(&plain, &score);
			}
		case FORM_NUMBERS:
			return AreNumbers(view);
		case FORM_BOOLEAN:
			return view->type == JVIEW_BOOL;
		case FORM_ARRAY:
			return view->type == JVIEW_ARRAY;
		case FORM_OBJECT:
			return view->type == JVIEW_OBJECT;
	}
	return false;
}

/*
 * objects
 */

/* Returns "place.name", or only the name at the top level. */
static const char *
PlaceOfMember(const char *place, const char *name)
{
	return *place ? psprintf("%s.%s", place, name) : name;
}

/* Is a name in a list? */
static bool
IsListed(Span name, const char *const *names)
{
	for (; *names; names++)
	{
		if (SpanEqualCString(name, *names))
			return true;
	}
	return false;
}

static bool
IsMember(Span name, const FormMember *members)
{
	for (; members->name; members++)
	{
		if (SpanEqualCString(name, members->name))
			return true;
	}
	return false;
}

static void
ReportUnknown(Form *form, const char *place, Span name)
{
	const char *where = *place ? place : "the packet";

	if (IsListed(name, prose_names))
		ReportViolation(form, psprintf("%s has the member %s, which is prose and not of a graph", where, ShownText(name)));
	else
		ReportViolation(form, psprintf("%s has the member %s, which the schema does not know", where, ShownText(name)));
}

/* Reports members that an object must not have. */
static void
CheckStrangers(Form *form, const char *place, const JsonView *object, const FormMember *members)
{
	int			count;
	JsonMember *present = JsonViewSortedMembers(object, &count);

	for (int i = 0; i < count; i++)
	{
		Span		name = present[i].key;

		CHECK_FOR_INTERRUPTS();
		if (!IsMember(name, members) &&
			!(form->is_synthesis && *place == '\0' && SpanEqualCString(name, PROSE_OF_SYNTHESIS)))
			ReportUnknown(form, place, name);
	}
}

static void
CheckMember(Form *form, const char *place, const JsonView *object, const FormMember *member)
{
	const char *name = PlaceOfMember(place, member->name);
	JsonView	view;

	if (!JsonViewGetMember(object, member->name, &view))
	{
		if (!member->is_optional)
			ReportViolation(form, psprintf("%s is missing", name));
	}
	else if (!IsOfType(&view, member->type))
	{
		if (view.type == JVIEW_STRING && view.len == 0)
			ReportViolation(form, psprintf("%s is empty", name));
		else
			ReportViolation(form, psprintf("%s %s, and is %s", name, demands[member->type], ShownValue(&view)));
	}
}

/* Checks that it is an object, and checks its members. */
static bool
CheckObject(Form *form, const char *place, const JsonView *object, const FormMember *members)
{
	if (object->type != JVIEW_OBJECT)
	{
		ReportViolation(form, psprintf("%s must be an object, and is %s", *place ? place : "the packet", ShownValue(object)));
		return false;
	}
	for (const FormMember *member = members; member->name; member++)
		CheckMember(form, place, object, member);
	CheckStrangers(form, place, object, members);
	return true;
}

/* Finds a member, if it exists and has this type. */
static bool
FindTyped(const JsonView *object, const char *name, JsonViewType type, JsonView *view)
{
	return JsonViewGetMember(object, name, view) && view->type == type;
}

/* Checks that a string, unless missing or empty, is one of two words. */
static void
CheckChoice(Form *form, const char *place, const JsonView *object, const char *name,
			const char *one, const char *other)
{
	JsonView	view;

	if (!JsonViewGetMember(object, name, &view) || !IsWord(&view) ||
		JsonViewStringIs(&view, one) || (other && JsonViewStringIs(&view, other)))
		return;
	ReportViolation(form, psprintf("%s must be \"%s\"%s, and is %s", PlaceOfMember(place, name), one,
						  other ? psprintf(" or \"%s\"", other) : "", ShownValue(&view)));
}

/*
 * parts of a packet
 */

static void
CheckMeta(Form *form, const JsonView *packet)
{
	JsonView	meta;
	JsonView	options;

	if (!FindTyped(packet, "meta", JVIEW_OBJECT, &meta))
		return;
	CheckObject(form, "meta", &meta, meta_members);
	CheckChoice(form, "meta", &meta, "schema_version", PACKET_SCHEMA_VERSION, NULL);
	CheckChoice(form, "meta", &meta, "mode", MODE_EVIDENCE_ONLY, MODE_SYNTHESIS);
	if (FindTyped(&meta, "options", JVIEW_OBJECT, &options))
		CheckObject(form, "meta.options", &options, option_members);
}

static void
CheckVeracity(Form *form, const JsonView *packet)
{
	JsonView	veracity;
	JsonView	faults;

	if (!FindTyped(packet, "context_veracity", JVIEW_OBJECT, &veracity))
		return;
	CheckObject(form, "context_veracity", &veracity, veracity_members);
	if (!FindTyped(&veracity, "faults", JVIEW_ARRAY, &faults))
		return;
	for (int i = 0; i < JsonViewCount(&faults); i++)
	{
		JsonView	fault = JsonViewAt(&faults, i);

		CHECK_FOR_INTERRUPTS();
		CheckObject(form, psprintf("context_veracity.faults[%d]", i), &fault, fault_members);
	}
}

/* Is the number of listed neighbours right for the number of all? */
static void
CheckNeighborCount(Form *form, const char *place, const JsonView *entry)
{
	JsonView	neighbors;
	JsonView	view;
	int64		count;

	if (!FindTyped(entry, "neighbors", JVIEW_ARRAY, &neighbors) || !AreNeighbors(&neighbors) ||
		!JsonViewGetMember(entry, "neighbor_count", &view) ||
		!NumberIntegerBetween(&view, 0, PG_INT64_MAX, &count) ||
		Min(count, PACKET_NEIGHBORS_MAX) == JsonViewCount(&neighbors))
		return;
	ReportViolation(form, psprintf("%s.neighbors must list the first %d of all, and has %d where neighbor_count is " INT64_FORMAT,
						  place, PACKET_NEIGHBORS_MAX, JsonViewCount(&neighbors), count));
}

static void
CheckEntries(Form *form, const JsonView *packet, const char *name, const FormMember *members)
{
	JsonView	entries;

	if (!FindTyped(packet, name, JVIEW_ARRAY, &entries))
		return;
	for (int i = 0; i < JsonViewCount(&entries); i++)
	{
		char	   *place = psprintf("%s[%d]", name, i);
		JsonView	entry = JsonViewAt(&entries, i);
		JsonView	provenance;

		CHECK_FOR_INTERRUPTS();
		if (!CheckObject(form, place, &entry, members))
			continue;
		CheckNeighborCount(form, place, &entry);
		if (FindTyped(&entry, "provenance", JVIEW_OBJECT, &provenance))
			CheckObject(form, PlaceOfMember(place, "provenance"), &provenance, provenance_members);
	}
}

/* Returns the limit of the question; 0 if it is not known. */
static int64
LimitOf(const JsonView *packet)
{
	JsonView	meta;
	JsonView	options;
	JsonView	limit;
	int64		count;

	if (!FindTyped(packet, "meta", JVIEW_OBJECT, &meta) || !FindTyped(&meta, "options", JVIEW_OBJECT, &options))
		return 0;
	if (!JsonViewGetMember(&options, "limit", &limit))
		return PACKET_LIMIT_DEFAULT;
	return NumberIntegerBetween(&limit, 1, PACKET_LIMIT_MAX, &count) ? count : 0;
}

static void
CheckLimit(Form *form, const JsonView *packet)
{
	int64		limit = LimitOf(packet);
	JsonView	code;
	JsonView	documents;
	int64		count = 0;

	if (FindTyped(packet, "code_truth", JVIEW_ARRAY, &code))
		count += JsonViewCount(&code);
	if (FindTyped(packet, "doc_claims", JVIEW_ARRAY, &documents))
		count += JsonViewCount(&documents);
	if (limit != 0 && count > limit)
		ReportViolation(form, psprintf("code_truth and doc_claims must have at most " INT64_FORMAT " entries, and have " INT64_FORMAT,
							  limit, count));
}

static void
CheckSignature(Form *form, const JsonView *packet)
{
	JsonView	signature;

	if (FindTyped(packet, "signature", JVIEW_OBJECT, &signature))
		CheckObject(form, "signature", &signature, signature_members);
}

static void
CheckRelations(Form *form, const JsonView *packet)
{
	JsonView	relations;

	if (!FindTyped(packet, "graph_relationships", JVIEW_ARRAY, &relations))
		return;
	if (JsonViewCount(&relations) > PACKET_RELATIONS_MAX)
		ReportViolation(form, psprintf("graph_relationships must have at most %d elements, and has %d",
							  PACKET_RELATIONS_MAX, JsonViewCount(&relations)));
	for (int i = 0; i < JsonViewCount(&relations); i++)
	{
		JsonView	relation = JsonViewAt(&relations, i);

		CHECK_FOR_INTERRUPTS();
		CheckObject(form, psprintf("graph_relationships[%d]", i), &relation, relation_members);
	}
}

/* Checks that a packet has prose in synthesis mode, and only then. */
static void
CheckBrief(Form *form, const JsonView *packet)
{
	static const FormMember brief = {PROSE_OF_SYNTHESIS, FORM_WORD, false};

	if (form->is_synthesis)
		CheckMember(form, "", packet, &brief);
}

JsonView
PacketFormViolations(const JsonView *packet)
{
	Form		form = {.violations = JsonViewNewArray(1)};
	JsonView	meta;
	JsonView	mode;

	form.is_synthesis = packet->type == JVIEW_OBJECT && FindTyped(packet, "meta", JVIEW_OBJECT, &meta) &&
		JsonViewGetMember(&meta, "mode", &mode) && JsonViewStringIs(&mode, MODE_SYNTHESIS);
	if (!CheckObject(&form, "", packet, packet_members))
		return form.violations;
	CheckMeta(&form, packet);
	CheckVeracity(&form, packet);
	CheckEntries(&form, packet, "code_truth", code_members);
	CheckEntries(&form, packet, "doc_claims", doc_members);
	CheckLimit(&form, packet);
	CheckRelations(&form, packet);
	CheckChoice(&form, "", packet, "status", PACKET_SUCCESS, PACKET_INSUFFICIENT);
	CheckSignature(&form, packet);
	CheckBrief(&form, packet);
	return form.violations;
}
