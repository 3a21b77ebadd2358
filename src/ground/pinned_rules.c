/*-------------------------------------------------------------------------
 *
 * pinned_rules.c
 *		The rules of a decision or a plan, as its document states them.
 *
 * Rule: doc/spec/decision.md §8.7 and doc/spec/plan.md §16.4.  A document pins its rules by
 * their digest, reproduce.evaluator.digests.decision_rules.  For shipped rules that is all,
 * because every verifier has them.  For other rules the member "rules" gives the
 * differences from shipped rules, {base, removed, added}.  It contains the rules in full if
 * the differences would not restore them, and in older documents.  So a document needs
 * only shipped rules, even if users changed theirs.
 *
 * Promises: pure.  Rules restored from differences must have the digest, or the document
 * is malformed, so no other rules can be substituted.  Time grows as n log n with the
 * document.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"

#include "base/canonical.h"
#include "base/span.h"
#include "ground/pinned_rules.h"

/* Lists are nested in at most two objects: {"units": {"GB": [...]}}. */
#define LIST_LEVELS		2

static const char rules_problem[] = "the rules do not hash to their digest";

/*
 * lists
 */

/* The canonical forms of a list's entries, sorted by their bytes. */
typedef struct EntrySet
{
	int			count;
	Span	   *entries;
} EntrySet;

static EntrySet
EntriesOf(const JsonView *list)
{
	EntrySet	set = {.count = list->type == JVIEW_ARRAY ? JsonViewCount(list) : 0};
	int		   *ends;
	StringInfoData text;

	if (set.count == 0)
		return set;
	set.entries = palloc_extended(sizeof(Span) * (Size) set.count, MCXT_ALLOC_HUGE);
	ends = palloc_extended(sizeof(int) * (Size) set.count, MCXT_ALLOC_HUGE);
	initStringInfo(&text);
	for (int i = 0; i < set.count; i++)
	{
		JsonView	entry = JsonViewAt(list, i);

		CHECK_FOR_INTERRUPTS();
		CanonicalWrite(&text, &entry, NULL);
		ends[i] = text.len;
	}
	for (int i = 0; i < set.count; i++)
	{
		int			begin = i == 0 ? 0 : ends[i - 1];

		set.entries[i] = SpanOf(text.data + begin, ends[i] - begin);
	}
	qsort(set.entries, set.count, sizeof(Span), SpanOrderItems);
	return set;
}

/* Returns the entries of a list that another list does not have, in order. */
static JsonView
ListWithout(const JsonView *list, const JsonView *without)
{
	EntrySet	set = EntriesOf(without);
	JsonView	rest = JsonViewNewArray(JsonViewCount(list));
	StringInfoData text;

	initStringInfo(&text);
	for (int i = 0; i < JsonViewCount(list); i++)
	{
		JsonView	entry = JsonViewAt(list, i);
		Span		span;

		CHECK_FOR_INTERRUPTS();
		resetStringInfo(&text);
		CanonicalWrite(&text, &entry, NULL);
		span = SpanOf(text.data, text.len);
		if (set.count == 0 || bsearch(&span, set.entries, set.count, sizeof(Span), SpanOrderItems) == NULL)
			JsonViewAppend(&rest, entry);
	}
	return rest;
}

/* Returns a member; absent if it is missing, as one whose key this database cannot write. */
static JsonView
MemberOrAbsent(const JsonView *object, const char *key, int len)
{
	JsonView	member = {.type = JVIEW_ABSENT};

	if (object->type == JVIEW_OBJECT && EncodingCanWrite(SpanOf(key, len)))
		(void) JsonViewGet(object, key, len, &member);
	return member;
}

/*
 * the difference
 */

/*
 * Returns what is in the lists of "from" and not in the same lists of "without".
 * Empty members are left out; absent if nothing is left.
 */
static JsonView
DifferenceOf(const JsonView *from, const JsonView *without, int levels)
{
	JsonView	rest;

	if (from->type == JVIEW_ARRAY)
	{
		rest = ListWithout(from, without);
		return JsonViewCount(&rest) > 0 ? rest : (JsonView) {.type = JVIEW_ABSENT};
	}
	rest = JsonViewNewObject(4);
	for (int i = 0; from->type == JVIEW_OBJECT && levels > 0 && i < JsonViewCount(from); i++)
	{
		Span		key;
		JsonView	member = JsonViewMember(from, i, &key);
		JsonView	other;

		other = MemberOrAbsent(without, key.str, key.len);
		member = DifferenceOf(&member, &other, levels - 1);
		if (member.type != JVIEW_ABSENT)
			JsonViewSetKey(&rest, key.str, key.len, member);
	}
	return JsonViewCount(&rest) > 0 ? rest : (JsonView) {.type = JVIEW_ABSENT};
}

static JsonView
ListWith(JsonView list, const JsonView *added)
{
	for (int i = 0; i < JsonViewCount(added); i++)
	{
		JsonView	entry = JsonViewAt(added, i);

		JsonViewAppend(&list, entry);
	}
	return list;
}

/* Returns "base" without what was removed and with what was added, list by list. What is no list stays. */
static JsonView
AppliedTo(const JsonView *base, const JsonView *removed, const JsonView *added, int levels)
{
	JsonView	result;
	JsonView	nothing = {.type = JVIEW_ABSENT};

	if (base->type == JVIEW_ARRAY || (base->type == JVIEW_ABSENT && added->type == JVIEW_ARRAY))
	{
		result = base->type == JVIEW_ARRAY ? ListWithout(base, removed) : JsonViewNewArray(4);
		return added->type == JVIEW_ARRAY ? ListWith(result, added) : result;
	}
	if (base->type != JVIEW_OBJECT || levels == 0)
		return *base;
	result = JsonViewNewObject(JsonViewCount(base));
	for (int i = 0; i < JsonViewCount(base); i++)
	{
		Span		key;
		JsonView	member = JsonViewMember(base, i, &key);
		JsonView	less;
		JsonView	more;

		less = MemberOrAbsent(removed, key.str, key.len);
		more = MemberOrAbsent(added, key.str, key.len);
		JsonViewSetKey(&result, key.str, key.len, AppliedTo(&member, &less, &more, levels - 1));
	}
	/* lists that the base does not have */
	for (int i = 0; added->type == JVIEW_OBJECT && i < JsonViewCount(added); i++)
	{
		Span		key;
		JsonView	more = JsonViewMember(added, i, &key);
		JsonView	there;

		if (!JsonViewGet(base, key.str, key.len, &there) && more.type == JVIEW_ARRAY)
			JsonViewSetKey(&result, key.str, key.len, AppliedTo(&nothing, &nothing, &more, 0));
	}
	return result;
}

static bool
HashesTo(const JsonView *rules, Span digest)
{
	char		own[DIGEST_TEXT_LENGTH + 1];

	CanonicalDigest(rules, NULL, own);
	return SpanEqualCString(digest, own);
}

/* writing */

/* Returns the differences of rules from shipped ones; absent if these would not restore the rules. */
static JsonView
RulesDifference(const JsonView *rules, const char *digest)
{
	const char *base_digest = ShippedDecisionRulesDigest();
	JsonView	base;
	JsonView	removed;
	JsonView	added;
	JsonView	again;
	JsonView	difference = JsonViewNewObject(3);

	(void) ShippedRulesDocumentOf(SpanOfCString(base_digest), &base);
	removed = DifferenceOf(&base, rules, LIST_LEVELS);
	added = DifferenceOf(rules, &base, LIST_LEVELS);
	again = AppliedTo(&base, &removed, &added, LIST_LEVELS);
	if (!HashesTo(&again, SpanOfCString(digest)))
		return (JsonView) {.type = JVIEW_ABSENT};
	JsonViewSet(&difference, "base", JsonViewCString(base_digest));
	if (removed.type != JVIEW_ABSENT)
		JsonViewSet(&difference, "removed", removed);
	if (added.type != JVIEW_ABSENT)
		JsonViewSet(&difference, "added", added);
	return difference;
}

JsonView
PinnedRulesView(const JsonView *rules, const char *digest)
{
	JsonView	difference = {.type = JVIEW_ABSENT};
	JsonView	shipped;

	if (ShippedRulesDocumentOf(SpanOfCString(digest), &shipped))
		return difference;
	difference = RulesDifference(rules, digest);
	return difference.type == JVIEW_ABSENT ? *rules : difference;
}

/*
 * reading
 */

static bool
DigestOfRules(const JsonView *document, Span *digest)
{
	JsonView	view;

	return JsonViewGetMember(document, "reproduce", &view) && view.type == JVIEW_OBJECT &&
		JsonViewGetMember(&view, "evaluator", &view) && view.type == JVIEW_OBJECT &&
		JsonViewGetMember(&view, "digests", &view) && view.type == JVIEW_OBJECT &&
		JsonViewGetString(&view, "decision_rules", digest) &&
		IsDigestText(digest->str, digest->len);
}

/* Does it give differences, and from which rules? */
static bool
IsDifference(const JsonView *rules, Span *base)
{
	return rules->type == JVIEW_OBJECT && JsonViewGetString(rules, "base", base);
}

/* Do differences have only the allowed members? */
static bool
DifferenceIsFormed(const JsonView *rules, Span base)
{
	JsonView	removed = MemberOrAbsent(rules, "removed", strlen("removed"));
	JsonView	added = MemberOrAbsent(rules, "added", strlen("added"));

	return IsDigestText(base.str, base.len) &&
		(removed.type == JVIEW_ABSENT || removed.type == JVIEW_OBJECT) &&
		(added.type == JVIEW_ABSENT || added.type == JVIEW_OBJECT) &&
		JsonViewCount(rules) == 1 + (removed.type == JVIEW_OBJECT) + (added.type == JVIEW_OBJECT);
}

JsonView
PinnedRulesWhole(const JsonView *rules)
{
	JsonView	nothing = {.type = JVIEW_ABSENT};
	JsonView	removed;
	JsonView	added;
	JsonView	shipped;
	Span		base;

	if (!IsDifference(rules, &base))
		return *rules;
	if (!DifferenceIsFormed(rules, base) || !ShippedRulesDocumentOf(base, &shipped))
		return nothing;
	removed = MemberOrAbsent(rules, "removed", strlen("removed"));
	added = MemberOrAbsent(rules, "added", strlen("added"));
	return AppliedTo(&shipped, &removed, &added, LIST_LEVELS);
}

/*
 * Replaces differences by the complete rules.  Returns false if that is not
 * possible, with a problem if they are malformed.
 */
static bool
RulesOfDifference(JsonView *rules, Span base_digest, Span digest, const char **problem)
{
	JsonView	whole;

	if (!DifferenceIsFormed(rules, base_digest))
	{
		*problem = "the rules are malformed";
		return false;
	}
	whole = PinnedRulesWhole(rules);
	/* rules that shipped themselves need no differences */
	if (whole.type == JVIEW_ABSENT)
		return ShippedRulesDocumentOf(digest, rules);
	*rules = whole;
	if (!HashesTo(rules, digest))
		*problem = rules_problem;
	return *problem == NULL;
}

/*
 * Finds the rules by which a document was decided.  Returns false if there are
 * none, with a problem if they are malformed.
 */
static bool
FindRules(const JsonView *document, JsonView *rules, const char **problem)
{
	Span		digest;
	Span		base;
	bool		stands = JsonViewGetMember(document, "rules", rules);

	*problem = NULL;
	if (stands && !IsDifference(rules, &base))
		return true;
	if (!DigestOfRules(document, &digest))
	{
		*problem = rules_problem;
		return false;
	}
	if (stands)
		return RulesOfDifference(rules, base, digest, problem);
	return ShippedRulesDocumentOf(digest, rules);
}

const DecisionRules *
PinnedRulesCompile(const JsonView *document, const char **problem)
{
	const DecisionRules *compiled = NULL;
	JsonView	rules;
	Span		digest;

	*problem = NULL;
	/* shipped rules are compiled once per session */
	if (DigestOfRules(document, &digest) &&
		(!JsonViewGetMember(document, "rules", &rules) || HashesTo(&rules, digest)))
		compiled = ShippedRulesWithDigest(digest);
	if (compiled == NULL && FindRules(document, &rules, problem))
	{
		compiled = DecisionRulesParse(&rules, problem);
		if (compiled == NULL)
			*problem = "the rules are malformed";
	}
	return compiled;
}

const char *
PinnedRulesProblem(const JsonView *document)
{
	JsonView	rules;
	Span		digest;
	const char *problem;

	if (FindRules(document, &rules, &problem) && (!DigestOfRules(document, &digest) || !HashesTo(&rules, digest)))
		problem = rules_problem;
	return problem;
}

const char *
PinnedRulesName(const JsonView *document)
{
	Span		digest = {"", 0};

	(void) DigestOfRules(document, &digest);
	return psprintf("rules %.*s", digest.len, digest.str);
}

/*
 * SQL
 */

PG_FUNCTION_INFO_V1(answer_eval_decision_rules_of);
Datum
answer_eval_decision_rules_of(PG_FUNCTION_ARGS)
{
	JsonView	document;
	JsonView	rules;
	JsonView	own;
	Span		digest;
	Span		base;
	const char *problem;

	JsonViewOfJsonb(PG_GETARG_JSONB_P(0), &document);
	if (document.type != JVIEW_OBJECT || !FindRules(&document, &rules, &problem))
		PG_RETURN_NULL();
	/* this database may lack the sign of one of their units */
	if ((!JsonViewGetMember(&document, "rules", &own) || IsDifference(&own, &base)) &&
		DigestOfRules(&document, &digest) && SpanEqualCString(digest, ShippedDecisionRulesDigest()))
		rules = WritableShippedDocument();
	PG_RETURN_JSONB_P(JsonViewToJsonb(&rules, false));
}
