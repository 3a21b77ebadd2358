/*-------------------------------------------------------------------------
 *
 * tool_spec.c
 *		ToolSpec: what a tool takes and returns, what it costs and what it may do.
 *
 * Pure, with a thin SQL interface.  Rule: doc/spec/plan.md §6.
 *
 * A property of io is a word, its type, or an object {type, required, default, enum,
 * items, description}; without a type it takes any value.  The items of an array are a
 * type or a property, too, or an object of named members, each of which is a property.
 * Arguments and results may have only declared members.  Deeper members are checked only
 * if they are named, so a tool may return more of a hit than its spec declares.
 *
 * deny_if fails closed: a word is searched in all places, also as a part of a longer
 * word.  Case is folded and format characters are ignored, because an invisible one
 * could hide a word.
 *
 * Promises: pure; problems are returned as values; a spec that was parsed without a
 * problem always will be.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "funcapi.h"
#include "lib/stringinfo.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/builtins.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/limits.h"
#include "base/numbers.h"
#include "base/spi_query.h"
#include "plan/ground_conf.h"
#include "plan/ir.h"
#include "plan/reference.h"
#include "plan/tool_spec.h"
#include "plan/tokens.h"
#include "reading/text.h"

/* Maximum bytes of a spec as jsonb, and its maximum depth; io schemas recurse to that depth. */
#define SPEC_MAX_SIZE		1048576
#define SPEC_MAX_DEPTH		32

#define SPEC_MAX_WORDS		1000	/* of deny_if, and of capabilities */
#define SPEC_MAX_DECIMALS	12		/* of the numbers of constraints */

typedef enum PropertyType
{
	TYPE_ANY,					/* no type is declared */
	TYPE_STRING,
	TYPE_INTEGER,
	TYPE_NUMBER,
	TYPE_BOOLEAN,
	TYPE_ARRAY,
	TYPE_EVIDENCE,
	TYPE_HIT,
	TYPE_OBJECT					/* also for any other name */
} PropertyType;

static const struct
{
	const char *name;
	const char *wanted;			/* continues after "must be" */
}			property_types[] =
{
	[TYPE_STRING] = {"string", "a string"},
	[TYPE_INTEGER] = {"integer", "a whole number"},
	[TYPE_NUMBER] = {"number", "a number"},
	[TYPE_BOOLEAN] = {"boolean", "true or false"},
	[TYPE_ARRAY] = {"array", "an array"},
	[TYPE_EVIDENCE] = {"Evidence", "evidence, which is an object"},
	[TYPE_HIT] = {"Hit", "a hit, which is an object"},
	[TYPE_OBJECT] = {"object", "an object"},
};

/* The numbers of constraints; all are 0 or more. */
static const struct
{
	const char *key;
	int64		most;
	size_t		offset;
}			amounts[] =
{
	{"latency_p50_ms", SPEC_MAX_LATENCY, offsetof(ToolSpec, latency)},
	{"cost_per_call_usd", 1000000, offsetof(ToolSpec, cost)},
	{"per_item_share", 1, offsetof(ToolSpec, share)},
	{"rate_limit_qps", 1000000, offsetof(ToolSpec, rate_limit_qps)},
};

/* Returns what is wrong with the keys of an object, which must be among these; NULL: nothing. */
static const char *
KeysProblem(const char *where, const JsonView *object, const char *const *keys)
{
	int			count;
	JsonMember *members = JsonViewSortedMembers(object, &count);
	StringInfoData known;

	for (int i = 0; i < count; i++)
	{
		Span		key = members[i].key;
		bool		is_known = false;

		for (int j = 0; keys[j] && !is_known; j++)
			is_known = SpanEqualCString(key, keys[j]);
		if (is_known)
			continue;
		initStringInfo(&known);
		for (int j = 0; keys[j]; j++)
			appendStringInfo(&known, "%s%s", j > 0 ? ", " : "", keys[j]);
		return psprintf("has an unknown key %s%s%s; there are %s", ShownText(key),
						where[0] ? " in " : "", where, known.data);
	}
	return NULL;
}

/*
 * properties
 */

/* Reads the name of a property's type: a word, or its member "type". */
static bool
NamedType(const JsonView *property, Span *name)
{
	JsonView	view = *property;

	if (view.type == JVIEW_OBJECT)
		JsonViewGetMember(property, "type", &view);
	if (view.type != JVIEW_STRING)
		return false;
	*name = SpanOf(view.str, view.len);
	return true;
}

static PropertyType
TypeOf(const JsonView *property)
{
	Span		name;

	if (!NamedType(property, &name))
		return TYPE_ANY;
	for (int type = TYPE_STRING; type < TYPE_OBJECT; type++)
	{
		if (SpanEqualCString(name, property_types[type].name))
			return (PropertyType) type;
	}
	return TYPE_OBJECT;
}

static bool
IsRequired(const JsonView *property)
{
	return JsonViewMemberIsTrue(property, "required");
}

/* Are the items of an array an object of named members, and not a type? */
static bool
AreNamedMembers(const JsonView *items)
{
	Span		name;

	return items->type == JVIEW_OBJECT && JsonViewCount(items) > 0 && !NamedType(items, &name);
}

/* Reads a number, also from its portable text. */
static bool
NumberOf(const JsonView *view, Numeric *number)
{
	JsonView	plain = *view;

	if (view->type == JVIEW_STRING && !JsonViewNumberOfPortable(view, &plain))
		return false;
	return JsonViewNumeric(&plain, number);
}

static bool
IsWhole(Numeric number)
{
	return NumberCompare(NumberCall(numeric_mod, number, int64_to_numeric(1)), int64_to_numeric(0)) == 0;
}

/* Does a value have a type? The numbers of evidence and hits are checked with their other members. */
static bool
IsOfType(const JsonView *value, PropertyType type)
{
	Numeric		number;

	switch (type)
	{
		case TYPE_ANY:
			return true;
		case TYPE_STRING:
			return value->type == JVIEW_STRING;
		case TYPE_INTEGER:
			return NumberOf(value, &number) && IsWhole(number);
		case TYPE_NUMBER:
			return NumberOf(value, &number);
		case TYPE_BOOLEAN:
			return value->type == JVIEW_BOOL;
		case TYPE_ARRAY:
			return value->type == JVIEW_ARRAY;
		case TYPE_EVIDENCE:
		case TYPE_HIT:
		case TYPE_OBJECT:
			return value->type == JVIEW_OBJECT;
	}
	pg_unreachable();
}

/* Checks the named members of a hit; those of evidence are checked by ground_conf.c. */
static const char *
HitProblem(const JsonView *hit, const char *where)
{
	static const struct
	{
		const char *key;
		PropertyType type;
		bool		is_required;
	}			members[] =
	{
		{"uri", TYPE_STRING, true},
		{"snippet", TYPE_STRING, true},
		{"score", TYPE_NUMBER, true},
		{"id", TYPE_STRING, false},
		{"title", TYPE_STRING, false},
		{"stamp", TYPE_STRING, false},
	};

	for (size_t i = 0; i < lengthof(members); i++)
	{
		JsonView	view;

		if (!JsonViewGetMember(hit, members[i].key, &view) && !members[i].is_required)
			continue;
		if (view.type == JVIEW_ABSENT || !IsOfType(&view, members[i].type))
			return psprintf("%s.%s must be %s, and is %s", where, members[i].key,
							property_types[members[i].type].wanted, ShownValue(&view));
	}
	return NULL;
}

static const char *
EvidenceProblem(const JsonView *evidence, const char *where)
{
	EvidencePolicy policy;
	EvidenceVerdict verdict;
	const char *problem;

	EvidencePolicyDefaults(&policy);
	if (EvidencePolicyRead(evidence, &policy, &problem) &&
		EvidenceJudge(evidence, &policy, &verdict, &problem))
		return NULL;
	return psprintf("%s is no evidence: %s", where, problem);
}

static bool
AreEqual(const JsonView *a, const JsonView *b)
{
	Numeric		left;
	Numeric		right;
	char		digests[2][DIGEST_TEXT_LENGTH + 1];

	if (JsonViewNumeric(a, &left) && JsonViewNumeric(b, &right))
		return NumberCompare(left, right) == 0;
	if (a->type != b->type)
		return false;
	if (a->type == JVIEW_STRING)
		return SpanEqual(SpanOf(a->str, a->len), SpanOf(b->str, b->len));
	CanonicalDigest(a, NULL, digests[0]);
	CanonicalDigest(b, NULL, digests[1]);
	return strcmp(digests[0], digests[1]) == 0;
}

static const char *
EnumProblem(const JsonView *property, const JsonView *value, const char *where)
{
	JsonView	array;
	JsonView	one;
	StringInfoData list;

	if (property->type != JVIEW_OBJECT || !JsonViewGetMember(property, "enum", &array))
		return NULL;
	initStringInfo(&list);
	for (int i = 0; JsonViewElement(&array, i, &one); i++)
	{
		if (AreEqual(&one, value))
			return NULL;
		if (i < 10)
			appendStringInfo(&list, "%s%s", i > 0 ? ", " : "", ShownValue(&one));
		else if (i == 10)
			appendStringInfoString(&list, ", ...");
	}
	return psprintf("%s must be one of %s, and is %s", where, list.data, ShownValue(value));
}

static const char *ValueProblem(const JsonView *property, const JsonView *value, const char *where);

/* Returns what is wrong with the named members of a value; other members are allowed. */
static const char *
MembersProblem(const JsonView *properties, const JsonView *value, const char *where)
{
	int			count = JsonViewCount(properties);

	if (value->type != JVIEW_OBJECT)
		return psprintf("%s must be an object, and is %s", where, ShownValue(value));
	for (int i = 0; i < count; i++)
	{
		Span		key;
		JsonView	property = JsonViewMember(properties, i, &key);
		JsonView	member;
		const char *problem;
		char	   *place;

		if (!JsonViewGet(value, key.str, key.len, &member) && !IsRequired(&property))
			continue;
		place = psprintf("%s.%s", where, ShownText(key));
		if (member.type == JVIEW_ABSENT)
			return psprintf("%s is missing", place);
		problem = ValueProblem(&property, &member, place);
		if (problem)
			return problem;
		pfree(place);
	}
	return NULL;
}

static const char *
ItemsProblem(const JsonView *property, const JsonView *array, const char *where)
{
	JsonView	items;
	JsonView	item;
	bool		are_named;

	if (property->type != JVIEW_OBJECT || !JsonViewGetMember(property, "items", &items))
		return NULL;
	are_named = AreNamedMembers(&items);
	for (int i = 0; JsonViewElement(array, i, &item); i++)
	{
		char	   *place = psprintf("%s[%d]", where, i);
		const char *problem;

		CHECK_FOR_INTERRUPTS();
		problem = are_named ? MembersProblem(&items, &item, place) : ValueProblem(&items, &item, place);
		if (problem)
			return problem;
		pfree(place);
	}
	return NULL;
}

/* Returns what is wrong with the value of a property, a sentence without its end; NULL: nothing. */
static const char *
ValueProblem(const JsonView *property, const JsonView *value, const char *where)
{
	PropertyType type = TypeOf(property);
	const char *problem = NULL;

	if (!IsOfType(value, type))
		return psprintf("%s must be %s, and is %s", where, property_types[type].wanted, ShownValue(value));
	if (type == TYPE_HIT)
		problem = HitProblem(value, where);
	else if (type == TYPE_EVIDENCE)
		problem = EvidenceProblem(value, where);
	else if (type == TYPE_ARRAY)
		problem = ItemsProblem(property, value, where);
	return problem ? problem : EnumProblem(property, value, where);
}

/*
 * Returns what is wrong with an object whose members must all be declared. "what"
 * is "argument" or "result member".
 */
static const char *
ObjectProblem(const JsonView *properties, const JsonView *object, const char *what)
{
	int			count = JsonViewCount(object);

	for (int i = 0; i < count; i++)
	{
		Span		key;
		JsonView	value = JsonViewMember(object, i, &key);
		JsonView	property;
		const char *problem;
		char	   *place;

		CHECK_FOR_INTERRUPTS();
		place = psprintf("%s %s", what, ShownText(key));
		if (!JsonViewGet(properties, key.str, key.len, &property))
			return psprintf("%s is not declared by the tool", place);
		problem = ValueProblem(&property, &value, place);
		if (problem)
			return problem;
		pfree(place);
	}
	count = JsonViewCount(properties);
	for (int i = 0; i < count; i++)
	{
		Span		key;
		JsonView	property = JsonViewMember(properties, i, &key);
		JsonView	value;

		if (IsRequired(&property) && !JsonViewGet(object, key.str, key.len, &value))
			return psprintf("%s %s is missing", what, ShownText(key));
	}
	return NULL;
}

/*
 * reading a spec
 */

static const char *PropertiesProblem(const JsonView *properties, const char *where);

/* Returns what is wrong with the declaration of a property, a clause; NULL: nothing. */
static const char *
PropertyProblem(const JsonView *property, const char *where)
{
	static const char *const keys[] = {"type", "required", "default", "enum", "items", "description", NULL};
	JsonView	view;
	const char *problem;

	if (property->type == JVIEW_STRING)
		return property->len > 0 ? NULL : psprintf("has an empty type in %s", where);
	if (property->type != JVIEW_OBJECT)
		return psprintf("must have a type or an object in %s, which is %s", where, ShownValue(property));
	problem = KeysProblem(where, property, keys);
	if (problem)
		return problem;
	if (JsonViewGetMember(property, "type", &view) && (view.type != JVIEW_STRING || view.len == 0))
		return psprintf("must have the name of a type in %s.type, which is %s", where, ShownValue(&view));
	if (JsonViewGetMember(property, "required", &view) && view.type != JVIEW_BOOL)
		return psprintf("must have true or false in %s.required, which is %s", where, ShownValue(&view));
	if (JsonViewGetMember(property, "description", &view) && view.type != JVIEW_STRING)
		return psprintf("must have a string in %s.description, which is %s", where, ShownValue(&view));
	if (JsonViewGetMember(property, "enum", &view) && (view.type != JVIEW_ARRAY || JsonViewCount(&view) == 0))
		return psprintf("must have an array that is not empty in %s.enum, which is %s", where, ShownValue(&view));
	if (JsonViewGetMember(property, "items", &view))
	{
		if (TypeOf(property) != TYPE_ARRAY)
			return psprintf("has items in %s, which is no array", where);
		where = psprintf("%s.items", where);
		problem = AreNamedMembers(&view) ? PropertiesProblem(&view, where) : PropertyProblem(&view, where);
		if (problem)
			return problem;
	}
	if (JsonViewGetMember(property, "default", &view))
	{
		problem = ValueProblem(property, &view, "the default");
		if (problem)
			return psprintf("has a wrong default in %s: %s", where, problem);
	}
	return NULL;
}

static const char *
PropertiesProblem(const JsonView *properties, const char *where)
{
	int			count;
	JsonMember *members;

	if (properties->type != JVIEW_OBJECT)
		return psprintf("must have an object in %s, which is %s", where, ShownValue(properties));
	members = JsonViewSortedMembers(properties, &count);
	for (int i = 0; i < count; i++)
	{
		Span		key = members[i].key;
		const char *problem;

		if (key.len == 0 || SpanEqualCString(key, SPEC_USAGE))
			return psprintf("has a property %s in %s, which is no name for one", ShownText(key), where);
		problem = PropertyProblem(&members[i].value, psprintf("%s.%s", where, ShownText(key)));
		if (problem)
			return problem;
	}
	return NULL;
}

static const char *
ReadInterface(const JsonView *view, ToolSpec *spec)
{
	static const char *const keys[] = {"input", "output", NULL};
	JsonView	io;
	const char *problem;

	if (!JsonViewGetMember(view, "io", &io))
		return NULL;
	if (io.type != JVIEW_OBJECT)
		return psprintf("must have an object in io, which is %s", ShownValue(&io));
	problem = KeysProblem("io", &io, keys);
	if (problem == NULL && JsonViewGetMember(&io, "input", &spec->input))
		problem = PropertiesProblem(&spec->input, "io.input");
	if (problem == NULL && JsonViewGetMember(&io, "output", &spec->output))
		problem = PropertiesProblem(&spec->output, "io.output");
	return problem;
}

/* Is a property of a type? It is a type itself, or has a member "type". */
bool
PropertyIsOf(const JsonView *property, const char *type)
{
	JsonView	word = *property;

	if (property->type == JVIEW_OBJECT)
		(void) JsonViewGetMember(property, "type", &word);
	return JsonViewStringIs(&word, type);
}

bool
PropertyIsArrayOf(const JsonView *property, const char *type)
{
	JsonView	items;

	return property->type == JVIEW_OBJECT && PropertyIsOf(property, "array") &&
		JsonViewGetMember(property, "items", &items) && PropertyIsOf(&items, type);
}

bool
ToolSpecTakesEvidence(const ToolSpec *spec, const char *key, int keylen)
{
	JsonView	property;

	return spec->input.type == JVIEW_OBJECT && JsonViewGet(&spec->input, key, keylen, &property) &&
		(PropertyIsOf(&property, "Evidence") || PropertyIsArrayOf(&property, "Evidence"));
}

static const char *
ReadFlag(const JsonView *object, const char *where, const char *key, bool *flag)
{
	JsonView	view;

	if (!JsonViewGetMember(object, key, &view))
		return NULL;
	if (view.type != JVIEW_BOOL)
		return psprintf("must have true or false in %s%s, which is %s", where, key, ShownValue(&view));
	*flag = view.boolean;
	return NULL;
}

/* Does a number have few decimals? Then sums of many such numbers stay small. */
static bool
HasFewDecimals(Numeric number)
{
	Numeric		cut = DatumGetNumeric(DirectFunctionCall2(numeric_trunc, NumericGetDatum(number),
														  Int32GetDatum(SPEC_MAX_DECIMALS)));

	return NumberCompare(cut, number) == 0;
}

static const char *
ReadAmounts(const JsonView *constraints, ToolSpec *spec)
{
	for (size_t i = 0; i < lengthof(amounts); i++)
	{
		Numeric    *amount = (Numeric *) ((char *) spec + amounts[i].offset);
		JsonView	view;

		if (!JsonViewGetMember(constraints, amounts[i].key, &view))
			continue;
		if (!AmountOfView(&view, amount) || !HasFewDecimals(*amount) ||
			NumberCompare(*amount, int64_to_numeric(amounts[i].most)) > 0)
			return psprintf("must have a number from 0 to " INT64_FORMAT " with at most %d decimals in constraints.%s, which is %s",
							amounts[i].most, SPEC_MAX_DECIMALS, amounts[i].key, ShownValue(&view));
		if (amount == &spec->rate_limit_qps && NumberCompare(*amount, int64_to_numeric(0)) == 0)
			return "must have a number above 0 in constraints.rate_limit_qps, which is 0";
	}
	return NULL;
}

static const char *
ReadConstraints(const JsonView *view, ToolSpec *spec)
{
	static const char *const keys[] = {
		"input_tokens_max", "latency_p50_ms", "cost_per_call_usd", "per_item_share",
		"rate_limit_qps", "side_effects", "external_cost", NULL
	};
	JsonView	constraints;
	JsonView	member;
	const char *problem;

	if (!JsonViewGetMember(view, "constraints", &constraints))
		return NULL;
	if (constraints.type != JVIEW_OBJECT)
		return psprintf("must have an object in constraints, which is %s", ShownValue(&constraints));
	problem = KeysProblem("constraints", &constraints, keys);
	if (problem)
		return problem;
	spec->has_input_tokens_max = JsonViewGetMember(&constraints, "input_tokens_max", &member);
	if (spec->has_input_tokens_max &&
		!NumberIntegerBetween(&member, 0, PG_INT32_MAX, &spec->input_tokens_max))
		return psprintf("must have a whole number from 0 to %d in constraints.input_tokens_max, which is %s",
						PG_INT32_MAX, ShownValue(&member));
	problem = ReadAmounts(&constraints, spec);
	if (problem == NULL)
		problem = ReadFlag(&constraints, "constraints.", "side_effects", &spec->has_side_effects);
	if (problem == NULL)
		problem = ReadFlag(&constraints, "constraints.", "external_cost", &spec->has_external_cost);
	return problem;
}

/* Returns a text folded and without format characters. */
static Span
Folded(Span text)
{
	return FoldedAsWritten(TextWithoutFormat(text));
}

/* Reads an array of words; none may be empty. */
static const char *
ReadWords(const JsonView *view, const char *key, bool folds, int *count, Span **words)
{
	JsonView	array;
	JsonView	word;

	if (!JsonViewGetMember(view, key, &array))
		return NULL;
	if (array.type != JVIEW_ARRAY || JsonViewCount(&array) > SPEC_MAX_WORDS)
		return psprintf("must have an array of at most %d words in %s, which is %s", SPEC_MAX_WORDS, key,
						ShownValue(&array));
	*words = palloc(sizeof(Span) * Max(JsonViewCount(&array), 1));
	for (int i = 0; JsonViewElement(&array, i, &word); i++)
	{
		Span		text = word.type == JVIEW_STRING ? SpanOf(word.str, word.len) : SpanOf("", 0);

		if (folds)
			text = Folded(text);
		if (TrimWhiteSpace(text).len == 0)
			return psprintf("must have a word that is not empty in %s[%d], which is %s", key, i, ShownValue(&word));
		(*words)[(*count)++] = text;
	}
	return NULL;
}

/* Checks that the arguments that a result rests on are declared, if any arguments are. */
static const char *
RestsOnProblem(const ToolSpec *spec)
{
	JsonView	property;

	for (int i = 0; i < spec->nrests_on && spec->input.type == JVIEW_OBJECT; i++)
	{
		if (!JsonViewGet(&spec->input, spec->rests_on[i].str, spec->rests_on[i].len, &property))
			return psprintf("must name arguments of io.input in provenance.rests_on[%d], which is %s", i,
							ShownText(spec->rests_on[i]));
	}
	return NULL;
}

static const char *
ReadProvenance(const JsonView *view, ToolSpec *spec)
{
	static const char *const keys[] = {"attribution_required", "observes", "rests_on", NULL};
	JsonView	provenance;
	const char *problem;

	if (!JsonViewGetMember(view, "provenance", &provenance))
		return NULL;
	if (provenance.type != JVIEW_OBJECT)
		return psprintf("must have an object in provenance, which is %s", ShownValue(&provenance));
	problem = KeysProblem("provenance", &provenance, keys);
	if (problem == NULL)
		problem = ReadFlag(&provenance, "provenance.", "attribution_required", &spec->is_attributed);
	if (problem == NULL)
		problem = ReadFlag(&provenance, "provenance.", "observes", &spec->observes);
	if (problem == NULL)
		problem = ReadWords(&provenance, "rests_on", false, &spec->nrests_on, &spec->rests_on);
	return problem ? problem : RestsOnProblem(spec);
}

static const char *
ReadHead(const JsonView *view, Span name, ToolSpec *spec)
{
	static const char *const keys[] = {
		"type", "id", "io", "constraints", "provenance", "capabilities", "deny_if", "external", NULL
	};
	JsonView	member;
	const char *problem;

	if (view->type != JVIEW_OBJECT)
		return psprintf("must be an object, and is %s", ShownValue(view));
	problem = KeysProblem("", view, keys);
	if (problem)
		return problem;
	if (JsonViewIsDeeper(view, SPEC_MAX_DEPTH))
		return psprintf("is nested more than %d levels deep", SPEC_MAX_DEPTH);
	if (JsonViewGetMember(view, "type", &member) && !JsonViewStringIs(&member, "ToolSpec"))
		return psprintf("must have \"ToolSpec\" in type, which is %s", ShownValue(&member));
	if (JsonViewGetMember(view, "id", &member) &&
		(member.type != JVIEW_STRING || !SpanEqual(SpanOf(member.str, member.len), name)))
		return psprintf("must have the tool's name in id, which is %s", ShownValue(&member));
	return ReadFlag(view, "", "external", &spec->is_external);
}

bool
ToolSpecParse(const JsonView *view, Span name, ToolSpec *spec, const char **problem)
{
	memset(spec, 0, sizeof(*spec));
	spec->view = *view;
	spec->latency = spec->cost = spec->share = int64_to_numeric(0);
	*problem = ReadHead(view, name, spec);
	if (*problem == NULL)
		*problem = ReadInterface(view, spec);
	if (*problem == NULL)
		*problem = ReadConstraints(view, spec);
	if (*problem == NULL)
		*problem = ReadProvenance(view, spec);
	if (*problem == NULL)
		*problem = ReadWords(view, "capabilities", false, &spec->ncapabilities, &spec->capabilities);
	if (*problem == NULL)
		*problem = ReadWords(view, "deny_if", true, &spec->ndenied, &spec->denied);
	return *problem == NULL;
}

/*
 * arguments
 */

/* Returns the arguments with defaults for missing ones. */
static JsonView
WithDefaults(const JsonView *properties, const JsonView *args)
{
	int			count = JsonViewCount(properties);
	int			nargs = JsonViewCount(args);
	JsonView	completed = {.type = JVIEW_ABSENT};

	for (int i = 0; i < count; i++)
	{
		Span		key;
		JsonView	property = JsonViewMember(properties, i, &key);
		JsonView	value;

		if (property.type != JVIEW_OBJECT || JsonViewGet(args, key.str, key.len, &value) ||
			!JsonViewGetMember(&property, "default", &value))
			continue;
		if (completed.type == JVIEW_ABSENT)
		{
			completed = JsonViewNewObject(nargs + count);
			for (int j = 0; j < nargs; j++)
			{
				Span		name;
				JsonView	given = JsonViewMember(args, j, &name);

				JsonViewSetKey(&completed, name.str, name.len, given);
			}
		}
		JsonViewSetKey(&completed, key.str, key.len, value);
	}
	return completed.type == JVIEW_ABSENT ? *args : completed;
}

bool
ToolSpecArguments(const ToolSpec *spec, const JsonView *args, JsonView *completed, const char **problem)
{
	*completed = *args;
	*problem = NULL;
	if (args->type != JVIEW_OBJECT)
		*problem = psprintf("the arguments must be an object, and are %s", ShownValue(args));
	else if (spec->input.type == JVIEW_OBJECT)
	{
		*completed = WithDefaults(&spec->input, args);
		*problem = ObjectProblem(&spec->input, completed, "argument");
	}
	return *problem == NULL;
}

bool
ToolSpecIsTooLong(const ToolSpec *spec, const JsonView *completed, int64 *tokens)
{
	*tokens = TokensOf(completed);
	return spec->has_input_tokens_max && *tokens > spec->input_tokens_max;
}

/*
 * deny_if
 */

/* State of a search for words of deny_if. */
typedef struct Denial
{
	const ToolSpec *spec;
	int			found;			/* lowest index of a word found; ndenied: none */
} Denial;

static bool
Contains(Span text, Span word)
{
	const char *p = text.str;
	const char *last = text.str + text.len - word.len;

	while (p <= last && (p = memchr(p, word.str[0], last - p + 1)) != NULL)
	{
		if (memcmp(p, word.str, word.len) == 0)
			return true;
		p++;
	}
	return false;
}

static void
SeekWords(Denial *denial, Span text)
{
	Span		folded = Folded(text);

	for (int i = 0; i < denial->found; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (Contains(folded, denial->spec->denied[i]))
			denial->found = i;
	}
	pfree(unconstify(char *, folded.str));
}

static void
SeekInValue(Denial *denial, const JsonView *view)
{
	JsonView	part;

	if (view->type == JVIEW_STRING)
		SeekWords(denial, SpanOf(view->str, view->len));
	if (!JVIEW_IS_CONTAINER(view))
		return;
	check_stack_depth();
	for (int i = 0; i < JsonViewCount(view); i++)
	{
		if (view->type == JVIEW_ARRAY)
			JsonViewElement(view, i, &part);
		else
		{
			Span		key;

			part = JsonViewMember(view, i, &key);
			SeekWords(denial, key);
		}
		SeekInValue(denial, &part);
	}
}

bool
ToolSpecDenies(const ToolSpec *spec, const JsonView *completed, Span *word)
{
	Denial		denial = {spec, spec->ndenied};
	StringInfoData canonical;

	if (spec->ndenied == 0)
		return false;
	initStringInfo(&canonical);
	CanonicalWritePortable(&canonical, completed);
	SeekWords(&denial, SpanOf(canonical.data, canonical.len));
	SeekInValue(&denial, completed);
	pfree(canonical.data);
	if (denial.found == spec->ndenied)
		return false;
	*word = spec->denied[denial.found];
	return true;
}

/*
 * results
 */

/* Reads one number of tokens from _usage. */
static const char *
ReadTokens(const JsonView *usage, const char *key, bool *is_told, int64 *tokens)
{
	JsonView	view;

	*is_told = JsonViewGetMember(usage, key, &view);
	if (!*is_told || NumberIntegerBetween(&view, 0, INT64CONST(9007199254740991), tokens))
		return NULL;
	return psprintf("result member " SPEC_USAGE ".%s must be a whole number from 0 to 9007199254740991, and is %s",
					key, ShownValue(&view));
}

/* Takes _usage from a result; numbers that it does not state stay unchanged. */
static const char *
TakeUsage(const JsonView *raw, JsonView *result, bool *tells_out, ToolUsage *usage)
{
	static const char *const keys[] = {"tokens_in", "tokens_out", NULL};
	int			count = raw->type == JVIEW_OBJECT ? JsonViewCount(raw) : 0;
	bool		tells_in;
	JsonView	told;
	const char *problem;

	*result = *raw;
	*tells_out = false;
	if (count == 0 || !JsonViewGetMember(raw, SPEC_USAGE, &told))
		return NULL;
	if (told.type != JVIEW_OBJECT)
		return psprintf("result member " SPEC_USAGE " must be an object, and is %s", ShownValue(&told));
	problem = KeysProblem(SPEC_USAGE, &told, keys);
	if (problem)
		return psprintf("the result %s", problem);
	problem = ReadTokens(&told, "tokens_in", &tells_in, &usage->tokens_in);
	if (problem == NULL)
		problem = ReadTokens(&told, "tokens_out", tells_out, &usage->tokens_out);
	*result = JsonViewNewObject(count);
	for (int i = 0; i < count; i++)
	{
		Span		key;
		JsonView	value = JsonViewMember(raw, i, &key);

		if (!SpanEqualCString(key, SPEC_USAGE))
			JsonViewSetKey(result, key.str, key.len, value);
	}
	return problem;
}

/* Returns which element of an array lacks a uri, if it is an array of objects. */
static const char *
ArrayAttributionProblem(const JsonView *array, const char *where)
{
	JsonView	element;
	bool		has_objects = false;
	int			bare = -1;

	for (int i = 0; JsonViewElement(array, i, &element); i++)
	{
		Span		uri;

		CHECK_FOR_INTERRUPTS();
		has_objects |= element.type == JVIEW_OBJECT;
		if (bare < 0 && (element.type != JVIEW_OBJECT || !JsonViewGetString(&element, "uri", &uri) ||
						 TrimWhiteSpace(uri).len == 0))
			bare = i;
	}
	if (!has_objects || bare < 0)
		return NULL;
	return psprintf("%s[%d] names no uri, and the tool's spec requires attribution", where, bare);
}

static const char *
AttributionProblem(const JsonView *result)
{
	int			count = result->type == JVIEW_OBJECT ? JsonViewCount(result) : 0;
	const char *problem = NULL;

	if (result->type == JVIEW_ARRAY)
		return ArrayAttributionProblem(result, "the result");
	for (int i = 0; i < count && problem == NULL; i++)
	{
		Span		key;
		JsonView	value = JsonViewMember(result, i, &key);

		if (value.type == JVIEW_ARRAY)
			problem = ArrayAttributionProblem(&value, psprintf("result member %s", ShownText(key)));
	}
	return problem;
}

bool
ToolSpecResult(const ToolSpec *spec, const JsonView *raw, JsonView *result, ToolUsage *usage,
			   const char **problem)
{
	ToolUsage	told = *usage;
	bool		tells_out;

	*problem = TakeUsage(raw, result, &tells_out, &told);
	if (*problem == NULL && spec->output.type == JVIEW_OBJECT)
		*problem = result->type != JVIEW_OBJECT ?
			psprintf("the result must be an object, and is %s", ShownValue(result)) :
			ObjectProblem(&spec->output, result, "result member");
	if (*problem == NULL && spec->is_attributed)
		*problem = AttributionProblem(result);
	if (*problem)
		return false;
	*usage = told;
	if (!tells_out)
		usage->tokens_out = TokensOf(result);
	return true;
}

/*
 * SQL
 */

/* Returns the names in io.input, the required or the other ones; NULL if the spec declares none. */
static Datum
ArgumentNames(const ToolSpec *spec, bool required, bool *isnull)
{
	int			count;
	int			nnames = 0;
	JsonMember *members;
	Datum	   *names;

	*isnull = spec->input.type != JVIEW_OBJECT;
	if (*isnull)
		return (Datum) 0;
	members = JsonViewSortedMembers(&spec->input, &count);
	names = palloc(sizeof(Datum) * Max(count, 1));
	for (int i = 0; i < count; i++)
	{
		if (IsRequired(&members[i].value) == required)
			names[nnames++] = SpanDatum(members[i].key);
	}
	return QueryTextArray(names, nnames);
}

/* Reads the arguments name and spec, or raises an error. */
static void
SpecArgument(FunctionCallInfo fcinfo, ToolSpec *spec)
{
	text	   *name = PG_GETARG_TEXT_PP(0);
	JsonView	view;
	const char *problem;

	LimitArgument(fcinfo, 1, SPEC_MAX_SIZE, "spec");
	JsonViewOfJsonb(PG_GETARG_JSONB_P(1), &view);
	if (!ToolSpecParse(&view, Utf8OfText(name), spec, &problem))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("the spec of tool \"%s\" %s", text_to_cstring(name), problem)));
}

/* answer.tool_spec_read(name, spec, has_handler) */
PG_FUNCTION_INFO_V1(answer_eval_tool_spec_read);
Datum
answer_eval_tool_spec_read(PG_FUNCTION_ARGS)
{
	char	   *name = text_to_cstring(PG_GETARG_TEXT_PP(0));
	bool		has_handler = PG_GETARG_BOOL(2);
	TupleDesc	desc = ResultRowType(fcinfo);
	ToolSpec	spec;
	Datum		values[4];
	bool		nulls[4] = {0};

	SpecArgument(fcinfo, &spec);
	if (spec.is_external == has_handler)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 spec.is_external ? errmsg("tool \"%s\" is external and must have no handler", name) :
				 errmsg("tool \"%s\" has a spec and must have a handler", name),
				 errhint("A tool whose steps the application answers has no handler, and \"external\": true in its spec.")));
	values[0] = ArgumentNames(&spec, true, &nulls[0]);
	values[1] = ArgumentNames(&spec, false, &nulls[1]);
	values[2] = BoolGetDatum(spec.has_side_effects);
	values[3] = BoolGetDatum(spec.is_external);
	PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(desc, values, nulls)));
}

static JsonView
OutcomeView(const char *outcome, const JsonView *args, int64 tokens_in)
{
	JsonView	view = JsonViewNewObject(6);

	JsonViewSet(&view, "outcome", JsonViewCString(outcome));
	JsonViewSet(&view, "args", *args);
	JsonViewSet(&view, "tokens_in", JsonViewInteger(tokens_in));
	return view;
}

/* Applies a spec to arguments, and to a result, which is absent if there was no call. */
static JsonView
ApplySpec(const ToolSpec *spec, const JsonView *args, const JsonView *raw)
{
	JsonView	completed;
	JsonView	result;
	JsonView	view;
	ToolUsage	usage = {0, 0};
	Span		word;
	const char *problem;

	if (!ToolSpecArguments(spec, args, &completed, &problem))
	{
		view = OutcomeView("invalid", args, 0);
		JsonViewSet(&view, "reason", JsonViewCString(problem));
		return view;
	}
	if (ToolSpecIsTooLong(spec, &completed, &usage.tokens_in))
		return OutcomeView("invalid", &completed, usage.tokens_in);
	if (ToolSpecDenies(spec, &completed, &word))
		return OutcomeView("denied", &completed, usage.tokens_in);
	if (raw->type == JVIEW_ABSENT)
		return OutcomeView("ok", &completed, usage.tokens_in);
	if (!ToolSpecResult(spec, raw, &result, &usage, &problem))
	{
		view = OutcomeView("failed", &completed, usage.tokens_in);
		JsonViewSet(&view, "reason", JsonViewCString(problem));
		return view;
	}
	view = OutcomeView("ok", &completed, usage.tokens_in);
	JsonViewSet(&view, "result", result);
	JsonViewSet(&view, "tokens_out", JsonViewInteger(usage.tokens_out));
	return view;
}

/* answer_test.tool_spec_apply(name, spec, args, result), for tests: test/lib/answer_test.sql */
PG_FUNCTION_INFO_V1(answer_eval_tool_spec_apply);
Datum
answer_eval_tool_spec_apply(PG_FUNCTION_ARGS)
{
	JsonView	args;
	JsonView	raw = {.type = JVIEW_ABSENT};
	JsonView	view;
	ToolSpec	spec;

	RequireArgument(fcinfo, 0, "name");
	RequireArgument(fcinfo, 1, "spec");
	RequireArgument(fcinfo, 2, "args");
	LimitArgument(fcinfo, 2, ARGUMENT_MAX_SIZE, "args");
	LimitArgument(fcinfo, 3, ARGUMENT_MAX_SIZE, "result");
	SpecArgument(fcinfo, &spec);
	JsonViewOfJsonb(PG_GETARG_JSONB_P(2), &args);
	if (!PG_ARGISNULL(3))
		JsonViewOfJsonb(PG_GETARG_JSONB_P(3), &raw);
	view = ApplySpec(&spec, &args, &raw);
	PG_RETURN_JSONB_P(JsonViewToJsonb(&view, false));
}
