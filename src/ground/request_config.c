/*-------------------------------------------------------------------------
 *
 * request_config.c
 *		The changes that a request makes to the configuration in force, and whether
 *		they are allowed.
 *
 * Rule: doc/spec/decision.md §9.4.  The document lists every key that a request changes,
 * old and new.  The superuser's setting answer_eval.request_config allows any change, or
 * only stricter values; then nothing may be loosened.
 *
 * Stricter means, by key: more evidence, a higher threshold, fewer days (0 is no limit),
 * "required", "caveat", a lower contradict_min or contradiction_tolerance, reporting a
 * conflict instead of superseding, a shorter cache life.  The number of chunks and their
 * ranking are neither stricter nor looser, because a caller can give its own chunks.  Keys
 * that are not known here cannot be changed.
 *
 * The number of passages to judge cannot be changed: with more, one more can answer; fewer
 * are sooner completely judged; and each one is a call of a judge.  The judges cannot be
 * changed either: adding one that never says anything to a panel turns "unsupported" into
 * "not judged", and adding one where there was none replaces the rules on texts.  Pure,
 * except for the setting.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "base/canonical.h"
#include "base/numbers.h"
#include "base/option.h"
#include "base/settings.h"
#include "ground/portable_numbers.h"
#include "ground/request_config.h"

typedef enum KeyMeaning
{
	MORE_IS_STRICTER,
	LESS_IS_STRICTER,
	DAYS,						/* fewer is stricter, except 0, which is no limit */
	LATER_IS_STRICTER,			/* a later one of its words is stricter */
	JUDGES,						/* no judge may be removed or added */
	FIXED,						/* may not change */
	NEITHER
} KeyMeaning;

typedef struct KnownKey
{
	const char *name;
	KeyMeaning	meaning;
	const char *words[4];		/* from loosest to strictest */
} KnownKey;

static const KnownKey known_keys[] = {
	{"top_k", NEITHER, {NULL}},
	{"freshness_days", DAYS, {NULL}},
	{"freshness_days_high_risk", DAYS, {NULL}},
	{"confidence_threshold", MORE_IS_STRICTER, {NULL}},
	{"confidence_threshold_high_risk", MORE_IS_STRICTER, {NULL}},
	{"min_confidence", MORE_IS_STRICTER, {NULL}},
	{"min_chunks", MORE_IS_STRICTER, {NULL}},
	{"floor", MORE_IS_STRICTER, {NULL}},
	{"caveats", MORE_IS_STRICTER, {NULL}},
	{"unjudged_passages", LATER_IS_STRICTER, {"plain", "caveat"}},
	{"judge", LATER_IS_STRICTER, {"optional", "required"}},
	{"judge_entailment", JUDGES, {NULL}},
	{"judge_answers", JUDGES, {NULL}},
	{"judge_conflict", JUDGES, {NULL}},
	{"judge_passages", FIXED, {NULL}},
	{"support_min", MORE_IS_STRICTER, {NULL}},
	{"contradict_min", LESS_IS_STRICTER, {NULL}},
	{"supersede", LATER_IS_STRICTER, {"always", "asked", "never"}},
	{"rerank", NEITHER, {NULL}},
	{"freshness_bias", NEITHER, {NULL}},
	{"citation_threshold", MORE_IS_STRICTER, {NULL}},
	{"contradiction_tolerance", LESS_IS_STRICTER, {NULL}},
	{"cache_ttl_s", LESS_IS_STRICTER, {NULL}},
};

/* listing changes */

static bool
IsSameValue(const JsonView *a, const JsonView *b)
{
	JsonView	left = NumberOfPortable(a);
	JsonView	right = NumberOfPortable(b);
	Numeric		x;
	Numeric		y;
	char		digest_a[DIGEST_TEXT_LENGTH + 1];
	char		digest_b[DIGEST_TEXT_LENGTH + 1];

	if (JsonViewNumeric(&left, &x) && JsonViewNumeric(&right, &y))
		return NumberCompare(x, y) == 0;
	CanonicalDigest(&left, NULL, digest_a);
	CanonicalDigest(&right, NULL, digest_b);
	return strcmp(digest_a, digest_b) == 0;
}

JsonView
ConfigChanged(const JsonView *active, const JsonView *effective)
{
	int			count;
	JsonMember *members = JsonViewSortedMembers(effective, &count);
	JsonView	changed = JsonViewNewArray(count);

	for (int i = 0; i < count; i++)
	{
		JsonView	old = JsonViewNull();
		JsonView	entry;

		if (JsonViewGet(active, members[i].key.str, members[i].key.len, &old) && IsSameValue(&old, &members[i].value))
			continue;
		entry = JsonViewNewObject(3);
		JsonViewSet(&entry, "key", SpanView(members[i].key));
		JsonViewSet(&entry, "old", old);
		JsonViewSet(&entry, "new", members[i].value);
		JsonViewAppend(&changed, entry);
	}
	return PortableCopy(&changed);
}

/* Does an earlier entry name the same key? */
static bool
IsNamedBefore(const JsonView *changed, int count, const JsonView *key)
{
	for (int i = 0; i < count; i++)
	{
		JsonView	entry = JsonViewAt(changed, i);
		JsonView	other;

		if (JsonViewGetMember(&entry, "key", &other) && SpanEqual(SpanOf(other.str, other.len), SpanOf(key->str, key->len)))
			return true;
	}
	return false;
}

bool
ConfigChangedIsFormed(const JsonView *changed, const JsonView *effective)
{
	if (changed->type != JVIEW_ARRAY || JsonViewCount(changed) > JsonViewCount(effective))
		return false;
	for (int i = 0; i < JsonViewCount(changed); i++)
	{
		JsonView	entry = JsonViewAt(changed, i);
		JsonView	key;
		JsonView	old;
		JsonView	new;
		JsonView	value;

		if (entry.type != JVIEW_OBJECT || JsonViewCount(&entry) != 3 ||
			!JsonViewGetMember(&entry, "key", &key) || key.type != JVIEW_STRING || IsNamedBefore(changed, i, &key) ||
			!JsonViewGetMember(&entry, "old", &old) || !JsonViewGetMember(&entry, "new", &new) ||
			!JsonViewGet(effective, key.str, key.len, &value) ||
			!IsSameValue(&value, &new) || IsSameValue(&old, &new))
			return false;
	}
	return true;
}

/*
 * refusing
 */

static int
CompareValues(const JsonView *a, const JsonView *b)
{
	JsonView	left = NumberOfPortable(a);
	JsonView	right = NumberOfPortable(b);
	Numeric		x;
	Numeric		y;

	if (left.type == JVIEW_BOOL && right.type == JVIEW_BOOL)
		return (int) left.boolean - (int) right.boolean;
	if (JsonViewNumeric(&left, &x) && JsonViewNumeric(&right, &y))
		return NumberCompare(x, y);
	return 1;
}

static bool
IsLooserDays(const JsonView *old, const JsonView *new)
{
	JsonView	left = NumberOfPortable(old);
	JsonView	right = NumberOfPortable(new);
	int			before;
	int			after;

	if (!OptionIsInteger(&left, 0, PG_INT32_MAX, &before) || !OptionIsInteger(&right, 0, PG_INT32_MAX, &after))
		return true;
	return before > 0 && (after == 0 || after > before);
}

static int
WordPlace(const KnownKey *key, const JsonView *value)
{
	for (size_t i = 0; i < lengthof(key->words) && key->words[i]; i++)
	{
		if (JsonViewStringIs(value, key->words[i]))
			return (int) i;
	}
	return -1;
}

/* Is a judge among those that a value of the configuration names? */
static bool
NamesJudge(const JsonView *value, const JsonView *judge)
{
	if (value->type == JVIEW_STRING)
		return SpanEqual(SpanOf(value->str, value->len), SpanOf(judge->str, judge->len));
	for (int i = 0; value->type == JVIEW_ARRAY && i < JsonViewCount(value); i++)
	{
		JsonView	one = JsonViewAt(value, i);

		if (one.type == JVIEW_STRING && NamesJudge(&one, judge))
			return true;
	}
	return false;
}

static bool
TakesJudgeAway(const JsonView *old, const JsonView *new)
{
	if (old->type == JVIEW_STRING)
		return !NamesJudge(new, old);
	for (int i = 0; old->type == JVIEW_ARRAY && i < JsonViewCount(old); i++)
	{
		JsonView	judge = JsonViewAt(old, i);

		if (judge.type == JVIEW_STRING && !NamesJudge(new, &judge))
			return true;
	}
	return false;
}

static const KnownKey *
FindKnownKey(const JsonView *name)
{
	for (size_t i = 0; i < lengthof(known_keys); i++)
	{
		if (JsonViewStringIs(name, known_keys[i].name))
			return &known_keys[i];
	}
	return NULL;
}

static bool
Loosens(const JsonView *name, const JsonView *old, const JsonView *new)
{
	const KnownKey *key = FindKnownKey(name);

	if (key == NULL)
		return true;
	switch (key->meaning)
	{
		case MORE_IS_STRICTER:
			return CompareValues(old, new) > 0;
		case LESS_IS_STRICTER:
			return CompareValues(new, old) > 0;
		case DAYS:
			return IsLooserDays(old, new);
		case LATER_IS_STRICTER:
			return WordPlace(key, new) < WordPlace(key, old);
		case JUDGES:
			return TakesJudgeAway(old, new) || TakesJudgeAway(new, old);
		case FIXED:
			return true;
		case NEITHER:
			return false;
	}
	return true;
}

void
ConfigChangesRefuse(const JsonView *changed)
{
	if (answer_eval_request_config != REQUEST_CONFIG_STRICTER)
		return;
	for (int i = 0; i < JsonViewCount(changed); i++)
	{
		JsonView	entry = JsonViewAt(changed, i);
		JsonView	key = JsonViewUnder(&entry, "key");
		JsonView	old = JsonViewUnder(&entry, "old");
		JsonView	new = JsonViewUnder(&entry, "new");

		if (Loosens(&key, &old, &new))
			ereport(ERROR,
					(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
					 errmsg("a request may not loosen \"%s\" from %s to %s", pnstrdup(key.str, key.len),
							ShownValue(&old), ShownValue(&new)),
					 errhint("answer_eval.request_config is \"stricter\": a superuser can set it to \"any\".")));
	}
}
