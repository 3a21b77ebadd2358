/*-------------------------------------------------------------------------
 *
 * quality_assess.c
 *		Assesses the entries of an investigation.
 *
 * Pure.  Rule: doc/spec/quality.md §3 to §5.  For each class of evidence it finds: the best
 * quality that a single tool gives, if that is about the subject; Verified, which no single entry
 * has, if independent producers corroborate each other or a source is authoritative; and the gap
 * to what the intent requires.  The confidence follows from the lowest required class, with one
 * sentence that explains it.
 *
 * The rules are an argument: a jsonb document made from the tables of this module (the view
 * answer.quality_rules).  So everything here is immutable, runs in parallel workers, and can be
 * repeated by anybody with the rules and the entries, as in a receipt.
 *
 * Promises: pure.  The order of entries does not matter, not even for a reason, because they are
 * sorted first.  More entries never lower a quality.  Strength has no effect.  Time grows as
 * n log n with the entries, times the number of compatibility rules.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "funcapi.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/typcache.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/grow.h"
#include "base/limits.h"
#include "base/option.h"
#include "base/search.h"
#include "quality/quality_assess.h"
#include "quality/subject.h"
#include "quality/tool_output.h"

#define REASON_MAX_TARGET	100		/* bytes of a target quoted in a reason */

VocabularyLabels confidence_labels =
{
	"None", "Low", "Medium", "High", "Complete", NULL
};

VocabularyLabels agreement_labels =
{
	"agree", "disagree", "alone", NULL
};

VocabularyLabels code_labels =
{
	"nothing_collected", "nothing_found", "one_producer", "corroborated",
	"authoritative", "no_better_entry", "partner_weak", "same_family",
	"other_target", "no_target", "no_partner", NULL
};

VocabularyLabels investigation_outcome_labels =
{
	"success", "InsufficientEvidence", NULL
};

struct AssessEntry
{
	int			class_no;
	int			tool;			/* -1: unknown to the rules, so it corroborates nothing */
	int			family;			/* -1: likewise */
	Quality		quality;
	Strength	strength;
	Quality		authority;		/* quality from which it is authoritative; Verified: never */
	bool		is_identifier;	/* is the tool's query, or the expected query, an identifier? */
	Span		tool_name;
	Span		target;
	int			nsources;
	Span	   *sources;
	Span		reason;
	Span		address;
	uint8		result[SHA256_LENGTH];	/* if the class compares results */
};

struct AssessState
{
	const QualityRules *rules;
	const IntentRule *intent;
	Subject		subject;
	QuestionNames names;
	bool		asks_identifier;	/* is the subject, or else the question, an identifier? */
	int			count;
	int			capacity;
	AssessEntry *entries;
};

/* What corroboration found for one class. */
typedef struct Corroboration
{
	const CompatibilityRule *rule;	/* rule by which two entries agree, or NULL */
	const AssessEntry *entry;
	const AssessEntry *partner;
	QualityCode miss;			/* if NULL: why none agree */
	const AssessEntry *missed;	/* the entry that came nearest */
	Quality		missed_need;
} Corroboration;

/*
 * spans
 */

/* Returns a text, shortened for a sentence. */
static char *
QuoteText(Span text)
{
	int			len = pg_encoding_mbcliplen(PG_UTF8, text.str, text.len, REASON_MAX_TARGET);

	return psprintf("%.*s%s", len, text.str, len < text.len ? "..." : "");
}

static char *
CopyPlain(Span text)
{
	return pnstrdup(text.str, text.len);
}

/*
 * entries
 */

/* Begins an assessment. Returns NULL if the intent is unknown. */
AssessState *
AssessBegin(const QualityRules *rules, const Goal *goal)
{
	const IntentRule *rule = RulesIntent(rules, goal->intent);
	AssessState *state;

	if (rule == NULL)
		return NULL;
	state = palloc0(sizeof(AssessState));
	state->rules = rules;
	state->intent = rule;
	SubjectInit(&state->subject, goal->subject, goal->question, goal->reading, &rules->question_form,
				goal->subject_rules);
	QuestionNamesInit(&state->names, goal->question, goal->subject);
	/* an item is a stem, which cannot be looked up */
	state->asks_identifier = IsIdentifier(goal->subject.len > 0 && state->subject.kind != SUBJECT_ITEMS ?
										  goal->subject : goal->question);
	return state;
}

static bool
SameScalar(const JsonView *a, const JsonView *b)
{
	PlainNumber left;
	PlainNumber right;

	if (a->type != b->type)
		return false;
	switch (a->type)
	{
		case JVIEW_NULL:
			return true;
		case JVIEW_BOOL:
			return a->boolean == b->boolean;
		case JVIEW_STRING:
			return SpanEqual((Span) {a->str, a->len}, (Span) {b->str, b->len});
		case JVIEW_NUMBER:
			return NumberPlain(a, &left) && NumberPlain(b, &right) &&
				SpanEqual((Span) {left.text, left.len}, (Span) {right.text, right.len});
		default:
			return false;
	}
}

/* Does the observation have all members of the condition? */
static bool
MeetsCondition(const JsonView *observation, const JsonView *condition)
{
	for (int i = 0; i < JsonViewCount(condition); i++)
	{
		Span		key;
		JsonView	wanted = JsonViewMember(condition, i, &key);
		JsonView	found;

		if (!JsonViewGet(observation, key.str, key.len, &found) || !SameScalar(&found, &wanted))
			return false;
	}
	return true;
}

/* Returns the quality from which on an entry is authoritative. */
static Quality
AuthorityFrom(const QualityRules *rules, const AssessEntry *entry, const JsonView *observation)
{
	Quality		from = QUALITY_VERIFIED;

	for (int i = 0; i < rules->nauthorities; i++)
	{
		const AuthorityRule *rule = &rules->authorities[i];

		if (rule->tool == entry->tool && entry->tool >= 0 && rule->class_no == entry->class_no &&
			MeetsCondition(observation, &rule->condition))
			from = Min(from, Max(rule->quality, QUALITY_WEAK));
	}
	return from;
}

/* Limits an entry to Weak, because it cannot be about the subject. */
static void
DiscountEntry(AssessEntry *entry, const char *why)
{
	if (entry->quality == QUALITY_NONE)
		return;
	entry->quality = QUALITY_WEAK;
	entry->reason = SpanOfCString(psprintf("%.*s, but %s", entry->reason.len, entry->reason.str, why));
}

static Span *
CopySources(const AssessInput *input)
{
	Span	   *sources = palloc_extended(sizeof(Span) * (Size) Max(input->nsources, 1),
										  MCXT_ALLOC_HUGE);

	for (int i = 0; i < input->nsources; i++)
		sources[i] = SpanCopy(input->sources[i]);
	return sources;
}

/* Adds an entry. It is ignored if the rules do not know its class. */
void
AssessAdd(AssessState *state, const AssessInput *input)
{
	const QualityRules *rules = state->rules;
	int			class_no = RulesClass(rules, input->class_name);
	const ToolRule *tool;
	AssessEntry *entry;

	if (class_no < 0)
		return;
	GROW_ARRAY(state->entries, state->count, state->capacity, 16);
	entry = &state->entries[state->count++];
	tool = RulesTool(rules, input->tool);
	entry->class_no = class_no;
	entry->tool = tool ? tool - rules->tools : -1;
	entry->family = tool ? tool->family : -1;
	entry->tool_name = tool ? tool->name : SpanCopy(input->tool);
	entry->quality = input->quality;
	entry->strength = input->strength;
	entry->is_identifier = IsIdentifier(input->query);
	entry->target = SpanCopy(input->target);
	entry->nsources = input->nsources;
	entry->sources = CopySources(input);
	entry->reason = SpanCopy(input->reason);
	entry->address = SpanCopy(input->address);
	entry->authority = AuthorityFrom(rules, entry, &input->observation);
	memset(entry->result, 0, SHA256_LENGTH);
	if (rules->classes[class_no].compares_results && input->observation.type != JVIEW_ABSENT)
		CanonicalSha256(&input->observation, NULL, entry->result);
	if (rules->classes[class_no].relevance == RELEVANCE_QUERY &&
		!SubjectIsIn(&state->subject, input->query, input->target))
	{
		DiscountEntry(entry, psprintf("the query does not name \"%s\"", QuoteText(state->subject.text)));
		entry->is_identifier = state->asks_identifier;
	}
}

/*
 * relevance of targets
 *
 * This needs all entries, because another entry may have found the target.
 */

/* A place that a tool of a family found. */
typedef struct Finding
{
	Span		place;
	int			family;
} Finding;

typedef struct Findings
{
	int			count;
	Finding    *found;			/* sorted */
} Findings;

static int
CompareFindings(const void *a, const void *b)
{
	const Finding *left = a;
	const Finding *right = b;
	int			cmp = SpanCompare(left->place, right->place);

	return cmp != 0 ? cmp : (left->family > right->family) - (left->family < right->family);
}

static void
AddFinding(Findings *findings, Span place, int family)
{
	place = PathWithoutDot(place);
	if (place.len > 0)
		findings->found[findings->count++] = (Finding) {place, family};
}

/* Collects the targets and sources of all entries that found something. */
static Findings
CollectFindings(const AssessState *state)
{
	Findings	findings = {0};
	Size		most = 0;

	for (int i = 0; i < state->count; i++)
		most += 1 + state->entries[i].nsources;
	findings.found = palloc_extended(sizeof(Finding) * Max(most, 1), MCXT_ALLOC_HUGE);
	for (int i = 0; i < state->count; i++)
	{
		const AssessEntry *entry = &state->entries[i];

		CHECK_FOR_INTERRUPTS();
		if (entry->quality == QUALITY_NONE || entry->family < 0)
			continue;
		AddFinding(&findings, entry->target, entry->family);
		for (int j = 0; j < entry->nsources; j++)
			AddFinding(&findings, entry->sources[j], entry->family);
	}
	qsort(findings.found, findings.count, sizeof(Finding), CompareFindings);
	return findings;
}

/* Returns where the findings of a place begin; with a family above all others, where they end. */
static int
FindingsFrom(const Findings *findings, Span place, int family)
{
	Finding		wanted = {place, family};
	int			low = 0;

	FIRST_PLACE(low, findings->count, at, CompareFindings(&findings->found[at], &wanted) < 0);
	return low;
}

/* Did a tool of another family find the target of this entry? */
static bool
IsFound(const Findings *findings, const AssessEntry *entry)
{
	Span		place = PathWithoutDot(entry->target);
	int			begin = FindingsFrom(findings, place, -1);
	int			end = FindingsFrom(findings, place, PG_INT32_MAX);

	return begin < end && (findings->found[begin].family != entry->family ||
						   findings->found[end - 1].family != entry->family);
}

static bool
IsJudgedByTarget(const AssessState *state, const AssessEntry *entry)
{
	return state->rules->classes[entry->class_no].relevance == RELEVANCE_TARGET;
}

/*
 * Returns a copy of the entries, with those limited whose target nobody found.  A
 * copy, because more entries may follow.
 */
static AssessEntry *
JudgeTargets(const AssessState *state)
{
	AssessEntry *entries = palloc_extended(sizeof(AssessEntry) * (Size) Max(state->count, 1),
										   MCXT_ALLOC_HUGE);
	Findings	findings;
	bool		is_needed = false;

	if (state->count > 0)
		memcpy(entries, state->entries, sizeof(AssessEntry) * (Size) state->count);
	for (int i = 0; i < state->count && !is_needed; i++)
		is_needed = IsJudgedByTarget(state, &entries[i]);
	if (!is_needed)
		return entries;
	findings = CollectFindings(state);
	for (int i = 0; i < state->count; i++)
	{
		AssessEntry *entry = &entries[i];

		CHECK_FOR_INTERRUPTS();
		if (!IsJudgedByTarget(state, entry) || IsFound(&findings, entry) ||
			QuestionNamesPath(&state->names, entry->target))
			continue;
		DiscountEntry(entry, entry->target.len == 0 ? "it names no target" :
					  psprintf("nothing else found %s", QuoteText(entry->target)));
	}
	pfree(findings.found);
	return entries;
}

/*
 * order
 *
 * Entries that compare equal here do not differ in anything that is shown.
 */

/* Compares entries, best first. */
static int
CompareEntries(const AssessEntry *a, const AssessEntry *b)
{
	int			cmp;

	if (a->quality != b->quality)
		return a->quality > b->quality ? -1 : 1;
	/* if the query is an identifier, it determines which tool comes next */
	if (a->is_identifier != b->is_identifier)
		return a->is_identifier ? -1 : 1;
	/* an entry with a target says more */
	if ((a->target.len == 0) != (b->target.len == 0))
		return a->target.len == 0 ? 1 : -1;
	if ((cmp = SpanOrder(a->tool_name, b->tool_name)) != 0 ||
		(cmp = SpanOrder(a->target, b->target)) != 0)
		return cmp;
	return SpanOrder(a->reason, b->reason);
}

/* Compares by class and tool. */
static int
CompareByTool(const void *a, const void *b)
{
	const AssessEntry *left = *(const AssessEntry *const *) a;
	const AssessEntry *right = *(const AssessEntry *const *) b;
	int			cmp;

	if (left->class_no != right->class_no)
		return left->class_no > right->class_no ? 1 : -1;
	cmp = SpanOrder(left->tool_name, right->tool_name);
	return cmp != 0 ? cmp : CompareEntries(left, right);
}

/* Compares by target first. */
static int
CompareByTarget(const void *a, const void *b)
{
	const AssessEntry *left = *(const AssessEntry *const *) a;
	const AssessEntry *right = *(const AssessEntry *const *) b;
	int			cmp = SpanOrder(left->target, right->target);

	return cmp != 0 ? cmp : CompareByTool(a, b);
}

/* Compares by class, tool, target, result and address. */
static int
CompareByResult(const void *a, const void *b)
{
	const AssessEntry *left = *(const AssessEntry *const *) a;
	const AssessEntry *right = *(const AssessEntry *const *) b;
	int			cmp;

	if (left->class_no != right->class_no)
		return left->class_no > right->class_no ? 1 : -1;
	if ((cmp = SpanOrder(left->tool_name, right->tool_name)) != 0 ||
		(cmp = SpanOrder(left->target, right->target)) != 0)
		return cmp;
	cmp = memcmp(left->result, right->result, SHA256_LENGTH);
	return cmp != 0 ? cmp : SpanOrder(left->address, right->address);
}

/*
 * corroboration
 */

/* A search for two entries that agree, or for the reason why there are none. */
typedef struct Search
{
	const QualityRules *rules;
	Corroboration *found;		/* by class */
	bool		agree;
	bool		disagree;
} Search;

static void
NoteMiss(Corroboration *corroboration, QualityCode code, const AssessEntry *partner, Quality need)
{
	if (corroboration->miss <= code)
		return;
	corroboration->miss = code;
	corroboration->missed = partner;
	corroboration->missed_need = need;
}

/* Notes that two entries agree; only the first pair is reported. */
static void
NoteAgreement(Corroboration *corroboration, const CompatibilityRule *rule, const AssessEntry *entry,
			  const AssessEntry *partner)
{
	if (corroboration->rule)
		return;
	corroboration->rule = rule;
	corroboration->entry = entry;
	corroboration->partner = partner;
}

/* Can the two corroborate each other? */
static bool
AreIndependent(const AssessEntry *a, const AssessEntry *b)
{
	return a->family >= 0 && b->family >= 0 && a->family != b->family;
}

/* Returns the first entry that is independent of one and good enough. */
static const AssessEntry *
FindPartner(const AssessEntry *entry, AssessEntry *const *entries, int count, int class_no,
			Quality quality)
{
	for (int i = 0; i < count; i++)
	{
		if (entries[i]->class_no == class_no && entries[i]->quality >= quality &&
			AreIndependent(entry, entries[i]))
			return entries[i];
	}
	return NULL;
}

/* Notes why none of the entries is a partner of this one. */
static void
TellMiss(Corroboration *corroboration, const CompatibilityRule *rule, const AssessEntry *entry,
		 AssessEntry *const *entries, int count)
{
	for (int i = 0; i < count; i++)
	{
		const AssessEntry *other = entries[i];

		if (other->class_no != rule->with || other == entry)
			continue;
		if (AreIndependent(entry, other))
			NoteMiss(corroboration, CODE_PARTNER_WEAK, other, rule->with_quality);
		else if (other->quality >= rule->with_quality)
			NoteMiss(corroboration, CODE_SAME_FAMILY, other, rule->with_quality);
	}
}

/* Does an independent producer find nothing where this one finds a lot? */
static bool
IsDisputed(const CompatibilityRule *rule, const AssessEntry *entry,
		   AssessEntry *const *entries, int count)
{
	for (int i = 0; i < count; i++)
	{
		if (entries[i]->class_no == rule->with && entries[i]->quality == QUALITY_NONE &&
			AreIndependent(entry, entries[i]))
			return true;
	}
	return false;
}

/*
 * Applies one rule to the best entries of each tool about one thing.  At most two
 * need to be tried: if the first one has no partner, one of another family may.
 */
static void
ApplyRule(Search *search, const CompatibilityRule *rule, AssessEntry *const *entries, int count)
{
	Corroboration *corroboration = &search->found[rule->class_no];
	const AssessEntry *first = NULL;
	const AssessEntry *partner;

	for (int i = 0; i < count; i++)
	{
		const AssessEntry *entry = entries[i];

		if (entry->class_no != rule->class_no || entry->quality < rule->quality ||
			entry->family < 0 || (first && first->family == entry->family))
			continue;
		if (IsDisputed(rule, entry, entries, count))
			search->disagree = true;
		partner = FindPartner(entry, entries, count, rule->with, rule->with_quality);
		if (partner == NULL)
			TellMiss(corroboration, rule, entry, entries, count);
		else
		{
			search->agree = true;
			NoteAgreement(corroboration, rule, entry, partner);
		}
		if (first)
			break;
		first = entry;
	}
}

/* Applies all rules of a kind to the entries about one thing, or to all entries. */
static void
ApplyRules(Search *search, bool same_target, AssessEntry *const *entries, int count)
{
	if (count < 2)
		return;
	for (int i = 0; i < search->rules->ncompatibilities; i++)
	{
		const CompatibilityRule *rule = &search->rules->compatibilities[i];

		if (rule->same_target == same_target && !rule->same_tool)
			ApplyRule(search, rule, entries, count);
	}
}

/* Is it the same entry twice? */
static bool
IsRepeated(const AssessEntry *a, const AssessEntry *b)
{
	return a->address.len > 0 && SpanEqual(a->address, b->address);
}

/* Finds equal results of one tool about one target. */
static void
ApplyResultRule(Search *search, const CompatibilityRule *rule, AssessEntry **entries, int count)
{
	Corroboration *corroboration = &search->found[rule->class_no];
	const AssessEntry *last = NULL;
	bool		differ = false;

	for (int i = 0; i < count; i++)
	{
		const AssessEntry *entry = entries[i];

		if (entry->class_no != rule->class_no || entry->quality < rule->quality ||
			entry->tool < 0)
			continue;
		if (last && last->tool == entry->tool && SpanEqual(last->target, entry->target))
		{
			if (memcmp(last->result, entry->result, SHA256_LENGTH) != 0)
				differ = true;
			else if (!IsRepeated(last, entry))
				NoteAgreement(corroboration, rule, last, entry);
		}
		last = entry;
	}
	if (corroboration->rule)
		search->agree = true;
	else if (differ)
		search->disagree = true;
}

/* Notes why a class is not Verified, if no entries about the same thing give a reason. */
static void
TellDistantMiss(Search *search, AssessEntry *const *entries, int count)
{
	for (int i = 0; i < search->rules->ncompatibilities; i++)
	{
		const CompatibilityRule *rule = &search->rules->compatibilities[i];
		Corroboration *corroboration = &search->found[rule->class_no];

		if (!rule->same_target || rule->same_tool)
			continue;
		for (int j = 0; j < count; j++)
		{
			const AssessEntry *partner;

			if (entries[j]->class_no != rule->class_no || entries[j]->quality < rule->quality)
				continue;
			partner = FindPartner(entries[j], entries, count, rule->with, rule->with_quality);
			if (partner)
				NoteMiss(corroboration, entries[j]->target.len == 0 ? CODE_NO_TARGET :
						 CODE_OTHER_TARGET, partner, rule->with_quality);
			break;
		}
	}
}

/* Keeps the first, best entry of each tool and class; "order" must be sorted. */
static int
KeepHeads(AssessEntry **order, int count)
{
	int			kept = 0;

	for (int i = 0; i < count; i++)
	{
		if (kept > 0 && order[kept - 1]->class_no == order[i]->class_no &&
			SpanEqual(order[kept - 1]->tool_name, order[i]->tool_name))
			continue;
		order[kept++] = order[i];
	}
	return kept;
}

static bool
HasResultRules(const QualityRules *rules)
{
	for (int i = 0; i < rules->ncompatibilities; i++)
	{
		if (rules->compatibilities[i].same_tool)
			return true;
	}
	return false;
}

static void
CorroborateEntries(AssessState *state, Search *search)
{
	const QualityRules *rules = state->rules;
	int			count = state->count;
	AssessEntry **order = palloc_extended(sizeof(AssessEntry *) * (Size) Max(count, 1),
										  MCXT_ALLOC_HUGE);
	int			begin = 0;

	for (int i = 0; i < count; i++)
		order[i] = &state->entries[i];

	if (HasResultRules(rules))
	{
		qsort(order, count, sizeof(AssessEntry *), CompareByResult);
		for (int i = 0; i < rules->ncompatibilities; i++)
		{
			if (rules->compatibilities[i].same_tool)
				ApplyResultRule(search, &rules->compatibilities[i], order, count);
		}
	}

	qsort(order, count, sizeof(AssessEntry *), CompareByTarget);
	while (begin < count)
	{
		int			end = begin + 1;

		CHECK_FOR_INTERRUPTS();
		while (end < count && SpanEqual(order[begin]->target, order[end]->target))
			end++;
		/* in place: overwritten elements are not used again */
		if (order[begin]->target.len > 0)
			ApplyRules(search, true, order + begin, KeepHeads(order + begin, end - begin));
		begin = end;
	}

	for (int i = 0; i < count; i++)
		order[i] = &state->entries[i];
	qsort(order, count, sizeof(AssessEntry *), CompareByTool);
	count = KeepHeads(order, count);
	ApplyRules(search, false, order, count);
	TellDistantMiss(search, order, count);
	pfree(order);
}

/*
 * levels
 */

/* Returns the reason for the quality of a class, as text. */
static const char *
ClassReason(const ClassAssessment *held)
{
	const Corroboration *found = held->corroboration;

	switch (held->code)
	{
		case CODE_NOTHING_COLLECTED:
			return "nothing was collected";
		case CODE_CORROBORATED:
			if (found->rule->same_tool)
				return psprintf("two runs of %s gave the same result", CopyPlain(found->entry->tool_name));
			if (found->rule->same_target)
				return psprintf("%s and %s agree on %s", CopyPlain(found->entry->tool_name),
								CopyPlain(found->partner->tool_name), QuoteText(found->entry->target));
			return psprintf("%s and %s agree", CopyPlain(found->entry->tool_name),
							CopyPlain(found->partner->tool_name));
		case CODE_AUTHORITATIVE:
			return psprintf("%s is authoritative, and %s", CopyPlain(held->authority->tool_name),
							CopyPlain(held->authority->reason));
		default:
			return CopyPlain(held->best->reason);
	}
}

/* Returns the reason why it does not have the next quality, as text. */
static const char *
ClassNextReason(const ClassAssessment *held)
{
	const Corroboration *found = held->corroboration;

	switch (held->next_code)
	{
		case CODE_PARTNER_WEAK:
			return psprintf("%s holds %s evidence, and %s is needed to corroborate",
							CopyPlain(found->missed->tool_name), quality_labels[found->missed->quality],
							quality_labels[found->missed_need]);
		case CODE_SAME_FAMILY:
			return psprintf("%s shares its signal with %s and does not corroborate it",
							CopyPlain(found->missed->tool_name), CopyPlain(held->best->tool_name));
		case CODE_OTHER_TARGET:
			return psprintf("%s is about another target", CopyPlain(found->missed->tool_name));
		case CODE_NO_TARGET:
			return "the evidence names no target on which another tool could agree";
		case CODE_NO_BETTER_ENTRY:
			return held->tool.len == 0 ? "nothing better was recorded" :
				psprintf("nothing better was recorded; %s can give it", CopyPlain(held->tool));
		default:
			return "no independent tool has corroborated it";
	}
}

/* Returns the reason for a gap, as text. */
static const char *
GapReason(const Gap *gap)
{
	return gap->kind == GAP_UNVERIFIED ? ClassNextReason(gap->class_held) :
		ClassReason(gap->class_held);
}

/* Finds the best entry of each class, and counts entries. */
static void
TakeEntries(const AssessState *state, Assessment *assessment)
{
	for (int i = 0; i < state->count; i++)
	{
		const AssessEntry *entry = &state->entries[i];
		ClassAssessment *held = &assessment->classes[entry->class_no];

		CHECK_FOR_INTERRUPTS();
		held->is_shown = true;
		held->entries++;
		held->strength = Max(held->strength, entry->strength);
		if (held->best == NULL || CompareEntries(entry, held->best) < 0)
			held->best = entry;
		if (entry->quality >= entry->authority &&
			(held->authority == NULL || CompareEntries(entry, held->authority) < 0))
			held->authority = entry;
	}
}

static void
DeriveClass(ClassAssessment *held)
{
	if (held->best)
		held->held = held->quality = held->best->quality;
	if (held->corroboration->rule || held->authority)
	{
		held->quality = QUALITY_VERIFIED;
		held->code = held->corroboration->rule ? CODE_CORROBORATED : CODE_AUTHORITATIVE;
		return;
	}
	if (held->best == NULL)
		held->code = CODE_NOTHING_COLLECTED;
	else
		held->code = held->held == QUALITY_NONE ? CODE_NOTHING_FOUND : CODE_ONE_PRODUCER;
	held->has_next = true;
	held->next = held->quality + 1;
	held->next_code = held->next < QUALITY_VERIFIED ? CODE_NO_BETTER_ENTRY :
		held->corroboration->miss;
}

/*
 * gap and confidence
 */

static int
CompareGaps(const void *a, const void *b)
{
	const Gap  *left = a;
	const Gap  *right = b;

	if (left->kind != right->kind)
		return left->kind > right->kind ? 1 : -1;
	return (left->class_held > right->class_held) - (left->class_held < right->class_held);
}

/* Returns the tool that best gives the next quality, which a gap names. */
static Span
NextTool(const AssessState *state, const ClassRule *rule, const ClassAssessment *held)
{
	bool		is_identifier = held->best ? held->best->is_identifier : state->asks_identifier;

	if (GapOfQuality(held->quality) == GAP_UNVERIFIED && rule->verify_tool.len > 0)
		return rule->verify_tool;
	return is_identifier && rule->identifier_tool.len > 0 ? rule->identifier_tool : rule->tool;
}

static void
FindGaps(const AssessState *state, Assessment *assessment)
{
	assessment->gaps = palloc(sizeof(Gap) * Max(assessment->nclasses, 1));
	for (int i = 0; i < assessment->nclasses; i++)
	{
		const ClassAssessment *held = &assessment->classes[i];
		Gap		   *gap = &assessment->gaps[assessment->ngaps];

		if (!held->is_required || held->quality >= held->need)
			continue;
		gap->class_held = held;
		gap->kind = GapOfQuality(held->quality);
		gap->tool = held->tool;
		assessment->ngaps++;
	}
	qsort(assessment->gaps, assessment->ngaps, sizeof(Gap), CompareGaps);
	assessment->is_complete = assessment->ngaps == 0;
}

static void
RateAssessment(const AssessState *state, Assessment *assessment)
{
	const ClassAssessment *lowest = NULL;
	int			required = 0;

	for (int i = 0; i < assessment->nclasses; i++)
	{
		const ClassAssessment *held = &assessment->classes[i];

		if (!held->is_required)
			continue;
		required++;
		if (lowest == NULL || held->quality < lowest->quality)
			lowest = held;
	}
	assessment->coverage = psprintf("%d/%d", required - assessment->ngaps, required);
	if (lowest == NULL)
	{
		assessment->explanation = psprintf("confidence is not rated because %s requires no evidence",
										   CopyPlain(state->intent->name));
		return;
	}
	assessment->is_rated = true;
	assessment->quality = lowest->quality;
	/* the two enums correspond */
	assessment->level = (ConfidenceLevel) lowest->quality;
	assessment->explanation = psprintf("confidence is %s because %s is %s%s: %s",
									   confidence_labels[assessment->level], CopyPlain(lowest->name),
									   lowest->quality != QUALITY_NONE && lowest->quality < lowest->need ? "only " : "",
									   quality_labels[lowest->quality], ClassReason(lowest));
}

/* Assesses the entries that were added, in the current context. */
void
AssessFinish(const AssessState *added, Assessment *assessment)
{
	const QualityRules *rules = added->rules;
	AssessState judged = *added;
	AssessState *state = &judged;
	Search		search = {.rules = rules};

	judged.entries = JudgeTargets(added);
	memset(assessment, 0, sizeof(*assessment));
	assessment->nclasses = rules->nclasses;
	assessment->classes = palloc0(sizeof(ClassAssessment) * Max(rules->nclasses, 1));
	search.found = palloc0(sizeof(Corroboration) * Max(rules->nclasses, 1));
	for (int i = 0; i < rules->nclasses; i++)
	{
		assessment->classes[i].name = rules->classes[i].name;
		assessment->classes[i].corroboration = &search.found[i];
		search.found[i].miss = CODE_NO_PARTNER;
	}
	for (int i = 0; i < state->intent->nneeds; i++)
	{
		ClassAssessment *held = &assessment->classes[state->intent->needs[i].class_no];

		held->is_shown = held->is_required = true;
		held->need = state->intent->needs[i].quality;
	}
	TakeEntries(state, assessment);
	if (state->count > 0)
		CorroborateEntries(state, &search);
	for (int i = 0; i < rules->nclasses; i++)
	{
		DeriveClass(&assessment->classes[i]);
		assessment->classes[i].tool = NextTool(state, &rules->classes[i], &assessment->classes[i]);
	}
	assessment->agreement = search.disagree ? AGREEMENT_DISAGREE :
		search.agree ? AGREEMENT_AGREE : AGREEMENT_ALONE;
	FindGaps(state, assessment);
	RateAssessment(state, assessment);
}

/*
 * as JSON
 */

static JsonView
ClassView(const ClassAssessment *held)
{
	JsonView	view = JsonViewNewObject(10);

	JsonViewSet(&view, "class", SpanView(held->name));
	if (held->is_required)
		JsonViewSet(&view, "need", JsonViewCString(quality_labels[held->need]));
	JsonViewSet(&view, "quality", JsonViewCString(quality_labels[held->quality]));
	JsonViewSet(&view, "strength", JsonViewCString(strength_labels[held->strength]));
	JsonViewSet(&view, "entries", JsonViewInteger(held->entries));
	JsonViewSet(&view, "code", JsonViewCString(code_labels[held->code]));
	JsonViewSet(&view, "reason", JsonViewCString(ClassReason(held)));
	if (held->has_next)
	{
		JsonViewSet(&view, "next", JsonViewCString(quality_labels[held->next]));
		JsonViewSet(&view, "next_code", JsonViewCString(code_labels[held->next_code]));
		JsonViewSet(&view, "next_reason", JsonViewCString(ClassNextReason(held)));
	}
	return view;
}

static JsonView
GapView(const Gap *gap)
{
	JsonView	view = JsonViewNewObject(6);

	JsonViewSet(&view, "class", SpanView(gap->class_held->name));
	JsonViewSet(&view, "have", JsonViewCString(quality_labels[gap->class_held->quality]));
	JsonViewSet(&view, "need", JsonViewCString(quality_labels[gap->class_held->need]));
	JsonViewSet(&view, "kind", JsonViewCString(gap_labels[gap->kind]));
	JsonViewSet(&view, "tool", gap->tool.len > 0 ? SpanView(gap->tool) : JsonViewNull());
	JsonViewSet(&view, "reason", JsonViewCString(GapReason(gap)));
	return view;
}

/* Sets the members of an assessment: outcome, complete, confidence, classes, gap. */
void
AssessmentSet(JsonView *object, const Assessment *assessment)
{
	JsonView	confidence = JsonViewNewObject(5);
	JsonView	classes = JsonViewNewArray(assessment->nclasses);
	JsonView	gaps = JsonViewNewArray(assessment->ngaps);

	for (int i = 0; i < assessment->nclasses; i++)
	{
		if (assessment->classes[i].is_shown)
			JsonViewAppend(&classes, ClassView(&assessment->classes[i]));
	}
	for (int i = 0; i < assessment->ngaps; i++)
		JsonViewAppend(&gaps, GapView(&assessment->gaps[i]));
	JsonViewSet(&confidence, "level", assessment->is_rated ?
				JsonViewCString(confidence_labels[assessment->level]) : JsonViewNull());
	JsonViewSet(&confidence, "quality", assessment->is_rated ?
				JsonViewCString(quality_labels[assessment->quality]) : JsonViewNull());
	JsonViewSet(&confidence, "coverage", JsonViewCString(assessment->coverage));
	JsonViewSet(&confidence, "agreement", JsonViewCString(agreement_labels[assessment->agreement]));
	JsonViewSet(&confidence, "explanation", JsonViewCString(assessment->explanation));
	JsonViewSet(object, "outcome",
				JsonViewCString(investigation_outcome_labels[assessment->is_complete ? 0 : 1]));
	JsonViewSet(object, "complete", JsonViewBool(assessment->is_complete));
	JsonViewSet(object, "confidence", confidence);
	JsonViewSet(object, "classes", classes);
	JsonViewSet(object, "gap", gaps);
}

/*
 * SQL: the aggregate answer_assess
 */

enum
{
	ARG_STATE, ARG_RULES, ARG_INTENT, ARG_QUESTION, ARG_SUBJECT, ARG_ENTRY
};

/* What is cached between calls of the transition function. */
typedef struct AddCache
{
	Jsonb	   *source;
	const QualityRules *rules;
} AddCache;

static AddCache *
AddCacheOf(FunctionCallInfo fcinfo)
{
	AddCache   *cache = fcinfo->flinfo->fn_extra;

	if (cache == NULL)
	{
		cache = MemoryContextAllocZero(fcinfo->flinfo->fn_mcxt, sizeof(AddCache));
		fcinfo->flinfo->fn_extra = cache;
	}
	return cache;
}

static const QualityRules *
ParseIn(MemoryContext context, Jsonb *source)
{
	MemoryContext caller = MemoryContextSwitchTo(context);
	JsonView	view;
	const QualityRules *rules;

	JsonViewOfJsonb(source, &view);
	rules = RulesOfView(&view);
	MemoryContextSwitchTo(caller);
	return rules;
}

/*
 * Returns the rules, which are parsed once per call site.  Other rules than the
 * first ones live as long as their group.
 */
static const QualityRules *
RulesArgument(FunctionCallInfo fcinfo, AddCache *cache, MemoryContext group)
{
	Jsonb	   *source = PG_GETARG_JSONB_P(ARG_RULES);

	if (cache->source == NULL)
	{
		MemoryContext context = fcinfo->flinfo->fn_mcxt;

		cache->rules = ParseIn(context, source);
		cache->source = memcpy(MemoryContextAlloc(context, VARSIZE(source)), source,
							   VARSIZE(source));
	}
	if (VARSIZE(source) == VARSIZE(cache->source) &&
		memcmp(source, cache->source, VARSIZE(source)) == 0)
		return cache->rules;
	return ParseIn(group, source);
}

/* Raises an error for an unknown intent, which must never count as complete. */
void
UnknownIntent(const char *intent)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("unknown intent \"%s\"", intent),
			 errhint("Intents are registered with answer_quality_intent_register().")));
}

/* Returns the subject in an argument, as UTF-8; empty if it is NULL. */
Span
SubjectArgument(FunctionCallInfo fcinfo, int n)
{
	Span		subject = TextArgument(fcinfo, n);

	if (subject.len > SUBJECT_MAX_SIZE)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("subject is too long"),
				 errdetail("It has %d bytes in UTF-8; the most are %d.", subject.len, SUBJECT_MAX_SIZE),
				 errhint("Give the name or the phrase that is sought, and the rest in the question.")));
	return subject;
}

static AssessState *
BeginState(FunctionCallInfo fcinfo, AddCache *cache, MemoryContext group)
{
	AssessState *state;
	MemoryContext caller;
	const QualityRules *rules;
	Goal		goal;

	RequireArgument(fcinfo, ARG_RULES, "rules");
	RequireArgument(fcinfo, ARG_INTENT, "intent");
	rules = RulesArgument(fcinfo, cache, group);
	caller = MemoryContextSwitchTo(group);
	goal = (Goal) {
		.intent = TextArgument(fcinfo, ARG_INTENT),
		.question = TextArgument(fcinfo, ARG_QUESTION),
		.subject = SubjectArgument(fcinfo, ARG_SUBJECT),
		.reading = ShippedDecisionRules(),
		.subject_rules = SUBJECT_RULES
	};
	state = AssessBegin(rules, &goal);
	MemoryContextSwitchTo(caller);
	if (state == NULL)
		UnknownIntent(TextDatumGetCString(PG_GETARG_DATUM(ARG_INTENT)));
	return state;
}

/* Returns the texts of an array, as UTF-8; none if it is NULL. */
Span *
SpansOfArray(ArrayType *array, int *count)
{
	Datum	   *values;
	bool	   *nulls;
	Span	   *spans;

	deconstruct_array(array, TEXTOID, -1, false, TYPALIGN_INT, &values, &nulls, count);
	spans = palloc_extended(sizeof(Span) * (Size) Max(*count, 1), MCXT_ALLOC_HUGE);
	for (int i = 0; i < *count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		spans[i] = nulls[i] ? SpanOfCString("") : Utf8OfText(DatumGetTextPP(values[i]));
	}
	return spans;
}

/*
 * entries
 */

static _Noreturn void
MalformedEntry(const char *member, const char *problem, const JsonView *seen)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("member \"%s\" of an entry %s, and is %s", member, problem, ShownValue(seen))));
}

/* Returns a text of an entry; empty if it is missing. */
static Span
EntryText(const JsonView *entry, const char *member, bool is_required)
{
	JsonView	value = OptionGet(entry, member);

	if (value.type == JVIEW_STRING)
		return SpanOf(value.str, value.len);
	if (value.type != JVIEW_ABSENT)
		MalformedEntry(member, "must be a string", &value);
	if (is_required)
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("%s must not be null", member)));
	return SpanOfCString("");
}

/* Returns the index of an entry's word in a closed vocabulary; 0 if it is missing. */
static int
EntryWord(const JsonView *entry, const char *member, bool is_required, VocabularyLabels labels)
{
	Span		word = EntryText(entry, member, is_required);
	JsonView	seen = JsonViewString(word.str, word.len);
	int			index = word.len > 0 || is_required ? VocabularyByLabel(labels, word.str, word.len) : 0;

	if (index < 0)
		MalformedEntry(member, "must be one of the levels", &seen);
	return index;
}

static Span *
EntrySources(const JsonView *entry, int *count)
{
	JsonView	sources = OptionGet(entry, "sources");
	Span	   *spans;

	*count = 0;
	if (sources.type == JVIEW_ABSENT)
		return NULL;
	if (sources.type != JVIEW_ARRAY)
		MalformedEntry("sources", "must be an array of strings", &sources);
	spans = palloc_extended(sizeof(Span) * (Size) Max(JsonViewCount(&sources), 1), MCXT_ALLOC_HUGE);
	for (int i = 0; i < JsonViewCount(&sources); i++)
	{
		JsonView	source = JsonViewAt(&sources, i);

		CHECK_FOR_INTERRUPTS();
		if (source.type != JVIEW_STRING && source.type != JVIEW_NULL)
			MalformedEntry("sources", "must be an array of strings", &sources);
		spans[(*count)++] = source.type == JVIEW_STRING ? SpanOf(source.str, source.len) : SpanOfCString("");
	}
	return spans;
}

static AssessInput
ReadEntry(const JsonView *entry)
{
	static const char *const members[] = {"class", "tool", "query", "target", "sources", "quality", "strength", "reason",
	"observation", "entry", NULL};
	AssessInput input;
	Span		unknown;

	if (!HasOnlyKeys(entry, members, &unknown))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("unknown member \"%s\" of an entry", TextDatumGetCString(SpanDatum(unknown))),
				 errhint("Members are class, tool, query, target, sources, quality, strength, reason, observation and entry.")));
	memset(&input, 0, sizeof(input));
	input.class_name = EntryText(entry, "class", true);
	input.tool = EntryText(entry, "tool", true);
	input.query = EntryText(entry, "query", false);
	input.target = EntryText(entry, "target", false);
	input.sources = EntrySources(entry, &input.nsources);
	input.reason = EntryText(entry, "reason", false);
	input.quality = EntryWord(entry, "quality", true, quality_labels);
	input.strength = EntryWord(entry, "strength", false, strength_labels);
	input.observation = OptionGet(entry, "observation");
	input.address = EntryText(entry, "entry", false);
	if (input.quality == QUALITY_VERIFIED)
		ereport(ERROR,
				(errcode(ERRCODE_CHECK_VIOLATION),
				 errmsg("an entry cannot be Verified"),
				 errdetail("Verified is a relation between entries, derived from them.")));
	return input;
}

/* A row without an entry, or whose entry has no class, stands for an investigation without entries. */
PG_FUNCTION_INFO_V1(answer_eval_assess_add);
Datum
answer_eval_assess_add(PG_FUNCTION_ARGS)
{
	AddCache   *cache = AddCacheOf(fcinfo);
	MemoryContext group;
	MemoryContext caller;
	AssessState *state;
	AssessInput input;
	JsonView	entry;

	if (!AggCheckCallContext(fcinfo, &group))
		elog(ERROR, "answer_assess_add called outside an aggregate");
	state = PG_ARGISNULL(ARG_STATE) ? BeginState(fcinfo, cache, group) :
		(AssessState *) PG_GETARG_POINTER(ARG_STATE);
	if (PG_ARGISNULL(ARG_ENTRY))
		PG_RETURN_POINTER(state);
	LimitArgument(fcinfo, ARG_ENTRY, DOCUMENT_MAX_SIZE, "entry");
	JsonViewOfJsonb(PG_GETARG_JSONB_P(ARG_ENTRY), &entry);
	if (entry.type != JVIEW_OBJECT)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("an entry must be an object, and is %s", ShownValue(&entry))));
	if (OptionGet(&entry, "class").type == JVIEW_ABSENT)
		PG_RETURN_POINTER(state);
	input = ReadEntry(&entry);
	caller = MemoryContextSwitchTo(group);
	AssessAdd(state, &input);
	MemoryContextSwitchTo(caller);
	PG_RETURN_POINTER(state);
}

/* Columns of answer_assessment. */
enum
{
	COL_COMPLETE, COL_LEVEL, COL_QUALITY, COL_COVERAGE, COL_AGREEMENT, COL_EXPLANATION,
	COL_GAP, COL_CLASSES, NUM_COLS
};

/* A row type of a result. */
typedef struct RowType
{
	Oid			type;			/* type of the elements, for arrays */
	TupleDesc	tupdesc;
} RowType;

/* What is cached between calls of a function that returns assessments. */
struct AssessmentRows
{
	RowType		assessment;
	RowType		gap;
	RowType		class_quality;
	Vocabulary	qualities;
	Vocabulary	strengths;
	Vocabulary	kinds;
	Vocabulary	codes;
	Vocabulary	levels;
	Vocabulary	agreements;
};

static Oid
ColumnType(const RowType *row, int column)
{
	return TupleDescAttr(row->tupdesc, column)->atttypid;
}

static void
LookUpElement(RowType *element, Oid array)
{
	element->type = get_element_type(array);
	element->tupdesc = lookup_rowtype_tupdesc_copy(element->type, -1);
}

/* Looks up the result type, which is answer_assessment. */
AssessmentRows *
AssessmentRowsInit(FunctionCallInfo fcinfo)
{
	MemoryContext caller = MemoryContextSwitchTo(fcinfo->flinfo->fn_mcxt);
	AssessmentRows *rows = palloc0(sizeof(AssessmentRows));
	RowType    *row = &rows->assessment;

	row->tupdesc = ResultRowType(fcinfo);
	LookUpElement(&rows->gap, ColumnType(row, COL_GAP));
	LookUpElement(&rows->class_quality, ColumnType(row, COL_CLASSES));
	VocabularyLookup(&rows->levels, ColumnType(row, COL_LEVEL), confidence_labels);
	VocabularyLookup(&rows->qualities, ColumnType(row, COL_QUALITY), quality_labels);
	VocabularyLookup(&rows->agreements, ColumnType(row, COL_AGREEMENT), agreement_labels);
	VocabularyLookup(&rows->kinds, ColumnType(&rows->gap, 3), gap_labels);
	VocabularyLookup(&rows->strengths, ColumnType(&rows->class_quality, 2), strength_labels);
	VocabularyLookup(&rows->codes, ColumnType(&rows->class_quality, 5), code_labels);
	MemoryContextSwitchTo(caller);
	return rows;
}

static Datum
Utf8Text(const char *utf8)
{
	return SpanDatum((Span) {utf8, strlen(utf8)});
}

static Datum
EnumDatum(const Vocabulary *vocabulary, int value)
{
	return ObjectIdGetDatum(vocabulary->oids[value]);
}

static Datum
RowDatum(const RowType *row, Datum *values, bool *nulls)
{
	return HeapTupleGetDatum(heap_form_tuple(row->tupdesc, values, nulls));
}

static Datum
RowArray(const RowType *row, Datum *rows, int count)
{
	return PointerGetDatum(construct_array(rows, count, row->type, -1, false, TYPALIGN_DOUBLE));
}

static Datum
GapDatum(const AssessmentRows *cache, const Gap *gap)
{
	Datum		values[6];
	bool		nulls[6] = {false};

	values[0] = SpanDatum(gap->class_held->name);
	values[1] = EnumDatum(&cache->qualities, gap->class_held->quality);
	values[2] = EnumDatum(&cache->qualities, gap->class_held->need);
	values[3] = EnumDatum(&cache->kinds, gap->kind);
	nulls[4] = gap->tool.len == 0;
	values[4] = nulls[4] ? (Datum) 0 : SpanDatum(gap->tool);
	values[5] = Utf8Text(GapReason(gap));
	return RowDatum(&cache->gap, values, nulls);
}

static Datum
ClassDatum(const AssessmentRows *cache, const ClassAssessment *held)
{
	Datum		values[10] = {0};
	bool		nulls[10] = {false};

	values[0] = SpanDatum(held->name);
	values[1] = EnumDatum(&cache->qualities, held->quality);
	values[2] = EnumDatum(&cache->strengths, held->strength);
	nulls[3] = !held->is_required;
	if (held->is_required)
		values[3] = EnumDatum(&cache->qualities, held->need);
	values[4] = Int64GetDatum(held->entries);
	values[5] = EnumDatum(&cache->codes, held->code);
	values[6] = Utf8Text(ClassReason(held));
	nulls[7] = nulls[8] = nulls[9] = !held->has_next;
	if (held->has_next)
	{
		values[7] = EnumDatum(&cache->qualities, held->next);
		values[8] = EnumDatum(&cache->codes, held->next_code);
		values[9] = Utf8Text(ClassNextReason(held));
	}
	return RowDatum(&cache->class_quality, values, nulls);
}

/* Returns an assessment as a row, in the current context; with its classes on demand. */
Datum
AssessmentRow(const AssessmentRows *cache, const Assessment *assessment, bool with_classes)
{
	Datum		values[NUM_COLS];
	bool		nulls[NUM_COLS] = {false};
	Datum	   *rows = palloc(sizeof(Datum) * Max(assessment->nclasses, 1));
	int			count = 0;

	for (int i = 0; i < assessment->ngaps; i++)
		rows[i] = GapDatum(cache, &assessment->gaps[i]);
	values[COL_GAP] = RowArray(&cache->gap, rows, assessment->ngaps);
	for (int i = 0; i < assessment->nclasses && with_classes; i++)
	{
		if (assessment->classes[i].is_shown)
			rows[count++] = ClassDatum(cache, &assessment->classes[i]);
	}
	nulls[COL_CLASSES] = !with_classes;
	values[COL_CLASSES] = RowArray(&cache->class_quality, rows, count);
	nulls[COL_LEVEL] = nulls[COL_QUALITY] = !assessment->is_rated;
	values[COL_LEVEL] = EnumDatum(&cache->levels, assessment->level);
	values[COL_QUALITY] = EnumDatum(&cache->qualities, assessment->quality);
	values[COL_COMPLETE] = BoolGetDatum(assessment->is_complete);
	values[COL_COVERAGE] = Utf8Text(assessment->coverage);
	values[COL_AGREEMENT] = EnumDatum(&cache->agreements, assessment->agreement);
	values[COL_EXPLANATION] = Utf8Text(assessment->explanation);
	return RowDatum(&cache->assessment, values, nulls);
}

PG_FUNCTION_INFO_V1(answer_eval_assess_final);
Datum
answer_eval_assess_final(PG_FUNCTION_ARGS)
{
	Assessment	assessment;

	if (!AggCheckCallContext(fcinfo, NULL))
		elog(ERROR, "answer_assess_final called outside an aggregate");
	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	if (fcinfo->flinfo->fn_extra == NULL)
		fcinfo->flinfo->fn_extra = AssessmentRowsInit(fcinfo);
	AssessFinish((AssessState *) PG_GETARG_POINTER(0), &assessment);
	PG_RETURN_DATUM(AssessmentRow(fcinfo->flinfo->fn_extra, &assessment, true));
}
