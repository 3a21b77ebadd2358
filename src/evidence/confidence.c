/*-------------------------------------------------------------------------
 *
 * confidence.c
 *		fact-conf/1: the confidence of a fact, computed from public signals.
 *
 * Rule: doc/spec/answer-eval.md §7.2 to §7.5.
 *
 * Pure.  A fact is corroborated if a source of another independence group gives the value
 * that is attested.  Sources that agree on another value do not corroborate anything.
 * Every signal is in the fact, so anybody can recompute the score.  The score is an exact
 * number of hundredths, never a sum of floats.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "miscadmin.h"

#include "base/funcargs.h"
#include "base/limits.h"
#include "check/composite.h"
#include "evidence/confidence.h"

#define WEIGHT_SOURCE_PRESENT	30
#define WEIGHT_SIGNED			20
#define WEIGHT_FRESH			30
#define WEIGHT_CORROBORATED		15

#define CAP_CONFLICT			40
#define CAP_DERIVED				70	/* for forecast and computed */
#define CAP_INFERRED			50

int
FactConfidenceHundredths(const FactSignals *signals, Span basis)
{
	int			score = WEIGHT_SOURCE_PRESENT * signals->source_present +
		WEIGHT_SIGNED * signals->is_signed +
		WEIGHT_FRESH * signals->fresh +
		WEIGHT_CORROBORATED * signals->corroborated;

	if (signals->conflict)
		score = Min(score, CAP_CONFLICT);
	if (SpanEqualCString(basis, "forecast") || SpanEqualCString(basis, "computed"))
		score = Min(score, CAP_DERIVED);
	if (SpanEqualCString(basis, "inferred"))
		score = Min(score, CAP_INFERRED);
	return score;
}

/*
 * Reads signals and basis from a verification.  A missing signal is false.  Returns
 * NULL, or what is wrong.
 */
const char *
FactSignalsParse(const JsonView *verification, FactSignals *signals, Span *basis)
{
	const struct
	{
		const char *name;
		bool	   *signal;
	}			fields[] =
	{
		{"signed", &signals->is_signed},
		{"source_present", &signals->source_present},
		{"fresh", &signals->fresh},
		{"corroborated", &signals->corroborated},
		{"conflict", &signals->conflict},
	};
	JsonView	object;

	memset(signals, 0, sizeof(*signals));
	basis->str = "";
	basis->len = 0;
	if (verification->type != JVIEW_OBJECT)
		return "verification must be an object";
	JsonViewGetString(verification, "basis", basis);
	if (!JsonViewGetMember(verification, "signals", &object))
		return NULL;
	if (object.type != JVIEW_OBJECT)
		return "signals must be an object";
	for (size_t i = 0; i < lengthof(fields); i++)
	{
		JsonView	signal;

		if (!JsonViewGet(&object, fields[i].name, strlen(fields[i].name), &signal))
			continue;
		if (signal.type != JVIEW_BOOL)
			return "every signal must be true or false";
		*fields[i].signal = signal.boolean;
	}
	return NULL;
}

static Span
GroupOf(const SourceReading *reading)
{
	return reading->group.len > 0 ? reading->group : reading->source;
}

/*
 * A reading's group and the text by which eq compares its value.  CountTexts() adds up
 * the two counts of all votes with the same text.
 */
typedef struct Vote
{
	Span		group;
	bool		registered_group;	/* a registered group, not a source of its own */
	Span		text;
	int			groups;			/* 1 for the first vote of a group with this text */
	int			alone;			/* 1 for the first vote of a group without another text */
} Vote;

static int
CompareVoteGroups(const Vote *a, const Vote *b)
{
	/* a source that has the same name as another's group is still a group of its own */
	if (a->registered_group != b->registered_group)
		return a->registered_group ? 1 : -1;
	return SpanCompare(a->group, b->group);
}

static int
ByGroupThenText(const void *a, const void *b)
{
	int			cmp = CompareVoteGroups(a, b);

	return cmp != 0 ? cmp : SpanCompare(((const Vote *) a)->text, ((const Vote *) b)->text);
}

static int
ByText(const void *a, const void *b)
{
	return SpanCompare(((const Vote *) a)->text, ((const Vote *) b)->text);
}

static Vote
VoteOf(const SourceReading *reading, Span text)
{
	return (Vote) {.group = GroupOf(reading), .registered_group = reading->group.len > 0, .text = text};
}

/*
 * Counts the groups of votes, and notes for each vote whether its text is new in its
 * group, and the only one there.
 */
static int
CountGroups(Vote *votes, int count)
{
	int			groups = 0;

	qsort(votes, count, sizeof(Vote), ByGroupThenText);
	for (int i = 0, next; i < count; i = next)
	{
		groups++;
		for (next = i + 1; next < count && CompareVoteGroups(&votes[i], &votes[next]) == 0; next++)
			votes[next].groups = ByText(&votes[next - 1], &votes[next]) != 0;
		votes[i].groups = 1;
		votes[i].alone = ByText(&votes[i], &votes[next - 1]) == 0;
	}
	return groups;
}

/* Sorts votes by text, one for each text, with the number of groups that say it; returns how many there are. */
static int
CountTexts(Vote *votes, int count)
{
	int			texts = 0;

	qsort(votes, count, sizeof(Vote), ByText);
	for (int i = 0; i < count; i++)
	{
		if (texts > 0 && ByText(&votes[texts - 1], &votes[i]) == 0)
		{
			votes[texts - 1].groups += votes[i].groups;
			votes[texts - 1].alone += votes[i].alone;
		}
		else
			votes[texts++] = votes[i];
	}
	return texts;
}

/* Returns the texts by which values are compared. */
static Span *
ComparedTexts(const SourceReading *readings, int count)
{
	Span	   *texts = palloc_extended(sizeof(Span) * (Size) count, MCXT_ALLOC_HUGE);

	for (int i = 0; i < count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (readings[i].value.type != JVIEW_ABSENT)
			texts[i] = OperatorComparedText(&readings[i].value);
	}
	return texts;
}

/* Sets how many groups agree with a reading, and how many say something else. */
static void
TellGroups(SourceReading *reading, Span text, const Vote *texts, int ntexts, int groups)
{
	Vote		wanted = {.text = text};
	const Vote *same = bsearch(&wanted, texts, ntexts, sizeof(Vote), ByText);

	reading->same = same ? same->groups : 0;
	reading->other = groups - (same ? same->alone : 0);
}

/*
 * Counts the independent sources: sources of one group count once.  Sets for each
 * reading how many groups have its value, including its own, and how many have another.
 * Only fresh readings with a value count, and only sources with a name.  There is a
 * conflict if two groups have different values.  Values are equal if and only if their
 * compared texts are the same bytes, so sorting decides it in n log n.
 */
int
SourcesCompare(SourceReading *readings, int count, bool *conflict)
{
	Vote	   *votes = palloc_extended(sizeof(Vote) * (Size) Max(count, 1), MCXT_ALLOC_HUGE);
	Span	   *texts;
	int			named = 0;
	int			sources;
	int			nvotes = 0;
	int			ntexts;
	int			groups;

	*conflict = false;
	for (int i = 0; i < count; i++)
	{
		readings[i].same = readings[i].other = 0;
		if (readings[i].source.len > 0)
			votes[named++] = VoteOf(&readings[i], SpanOf("", 0));
	}
	sources = CountGroups(votes, named);
	if (sources < 2)
	{
		pfree(votes);
		return sources;
	}
	texts = ComparedTexts(readings, count);
	for (int i = 0; i < count; i++)
	{
		if (readings[i].source.len > 0 && readings[i].fresh && readings[i].value.type != JVIEW_ABSENT)
			votes[nvotes++] = VoteOf(&readings[i], texts[i]);
	}
	groups = CountGroups(votes, nvotes);
	ntexts = CountTexts(votes, nvotes);
	*conflict = groups > 1 && ntexts > 1;
	for (int i = 0; i < count; i++)
	{
		if (readings[i].source.len > 0 && readings[i].value.type != JVIEW_ABSENT)
			TellGroups(&readings[i], texts[i], votes, ntexts, groups);
	}
	pfree(texts);
	pfree(votes);
	return sources;
}

/* Is a reading's value fresh, and also that of another group, according to SourcesCompare? */
bool
SourceIsCorroborated(const SourceReading *reading)
{
	return reading->fresh && reading->same > 1;
}

/* Adds to a note what several independent sources say about a reading's value. */
const char *
SourcesNote(const char *note, const SourceReading *reading, int sources)
{
	if (sources < 2)
		return note;
	if (reading->source.len == 0)
		return psprintf("%s; it names no source, so none of the others is independent of it", note);
	if (reading->value.type == JVIEW_ABSENT)
		return psprintf("%s; it has no value that those of other sources could be compared with", note);
	return psprintf("%s; fresh independent sources: %d with this value, %d with another", note,
					reading->same, reading->other);
}

/*
 * Makes the verification of the value at a path of a fact, or of its primary value if
 * the path is empty.  The confidence is computed from the rest.
 */
JsonView
VerificationView(const FactSignals *signals, Span basis, Span path, int sources,
				 const char *vantage, const char *note)
{
	JsonView	verification = JsonViewNewObject(9);
	JsonView	object = JsonViewNewObject(5);

	/* set in the order in which they are written, which saves sorting */
	JsonViewSet(&object, "conflict", JsonViewBool(signals->conflict));
	JsonViewSet(&object, "corroborated", JsonViewBool(signals->corroborated));
	JsonViewSet(&object, "fresh", JsonViewBool(signals->fresh));
	JsonViewSet(&object, "signed", JsonViewBool(signals->is_signed));
	JsonViewSet(&object, "source_present", JsonViewBool(signals->source_present));

	JsonViewSet(&verification, "basis", JsonViewString(basis.str, basis.len));
	JsonViewSet(&verification, "confidence",
				HundredthsView(FactConfidenceHundredths(signals, basis)));
	JsonViewSet(&verification, "note", JsonViewCString(note));
	if (path.len > 0)
		JsonViewSet(&verification, "path", JsonViewString(path.str, path.len));
	JsonViewSet(&verification, "signals", object);
	JsonViewSet(&verification, "sources", JsonViewInteger(sources));
	if (vantage)
		JsonViewSet(&verification, "vantage", JsonViewCString(vantage));
	JsonViewSet(&verification, "verified",
				JsonViewBool(signals->corroborated && signals->fresh &&
							 signals->is_signed && !signals->conflict));
	return verification;
}

/*
 * SQL
 */

PG_FUNCTION_INFO_V1(answer_eval_fact_confidence);
Datum
answer_eval_fact_confidence(PG_FUNCTION_ARGS)
{
	JsonView	verification;
	FactSignals signals;
	Span		basis;
	const char *problem;

	LimitArgument(fcinfo, 0, DOCUMENT_MAX_SIZE, "verification");
	JsonViewOfJsonb(PG_GETARG_JSONB_P(0), &verification);
	problem = FactSignalsParse(&verification, &signals, &basis);
	if (problem)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("%s", problem)));
	PG_RETURN_FLOAT8(FactConfidenceHundredths(&signals, basis) / 100.0);
}
