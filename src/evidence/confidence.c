/*-------------------------------------------------------------------------
 *
 * confidence.c
 *		fact-conf/1: the confidence of a fact, from signals anyone can see.
 *
 * Pure.  Every signal stands in
 * the fact, and the score can be recomputed from them by anybody; it is an
 * exact number of hundredths, never a sum of floats.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "utils/builtins.h"

#include "base/funcargs.h"
#include "base/limits.h"
#include "check/composite.h"
#include "evidence/confidence.h"

#define WEIGHT_SOURCE_PRESENT	30
#define WEIGHT_SIGNED			20
#define WEIGHT_FRESH			30
#define WEIGHT_CORROBORATED		15

#define CAP_CONFLICT			40
#define CAP_DERIVED				70	/* forecast, computed */
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
 * Reads signals and basis out of a verification.  A missing signal is false.
 * Returns NULL, or what is wrong.
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
	JsonViewGetString(verification, "basis", &basis->str, &basis->len);
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

/* A reading by its group and by the text that decides on eq. */
typedef struct Vote
{
	Span		group;
	bool		registered_group;	/* a group's name, not a source's */
	Span		text;
} Vote;

static int
CompareVoteGroups(const Vote *a, const Vote *b)
{
	/* a source named like another's group is still its own */
	if (a->registered_group != b->registered_group)
		return a->registered_group ? 1 : -1;
	return SpanCompare(a->group, b->group);
}

static int
ByGroup(const void *a, const void *b)
{
	return CompareVoteGroups(a, b);
}

static int
ByTextThenGroup(const void *a, const void *b)
{
	int			cmp = SpanCompare(((const Vote *) a)->text, ((const Vote *) b)->text);

	return cmp != 0 ? cmp : CompareVoteGroups(a, b);
}

/* Counts groups among votes that a sort has put side by side. */
static int
CountGroups(Vote *votes, int count)
{
	int			groups = 0;

	qsort(votes, count, sizeof(Vote), ByGroup);
	for (int i = 0; i < count; i++)
		groups += i == 0 || CompareVoteGroups(&votes[i - 1], &votes[i]) != 0;
	return groups;
}

/*
 * Sets corroborated and conflict, and returns the number of independent
 * sources.  Sources that share a group count once.  Values are equal iff their
 * compared texts are the same bytes, an equivalence, so sorting decides in
 * n log n: two equal values from two groups corroborate; with two groups and
 * two different values at least one pair across groups conflicts.
 */
int
SourcesCompare(const SourceReading *readings, int count, FactSignals *signals)
{
	Vote	   *votes = palloc(sizeof(Vote) * (Size) Max(count, 1));
	int			named = 0;
	int			sources;
	int			comparable = 0;
	bool		differ = false;

	signals->corroborated = false;
	signals->conflict = false;
	for (int i = 0; i < count; i++)
	{
		if (readings[i].source.len == 0)
			continue;
		votes[named].group = GroupOf(&readings[i]);
		votes[named].registered_group = readings[i].group.len > 0;
		named++;
	}
	sources = CountGroups(votes, named);

	for (int i = 0; i < count; i++)
	{
		if (readings[i].source.len == 0 || !readings[i].fresh ||
			readings[i].value.type == JVIEW_ABSENT)
			continue;
		votes[comparable].group = GroupOf(&readings[i]);
		votes[comparable].registered_group = readings[i].group.len > 0;
		votes[comparable].text = OperatorComparedText(&readings[i].value);
		comparable++;
	}
	qsort(votes, comparable, sizeof(Vote), ByTextThenGroup);
	for (int i = 1; i < comparable; i++)
	{
		if (SpanCompare(votes[i - 1].text, votes[i].text) != 0)
			differ = true;
		else if (CompareVoteGroups(&votes[i - 1], &votes[i]) != 0)
			signals->corroborated = true;
	}
	signals->conflict = differ && CountGroups(votes, comparable) > 1;
	pfree(votes);
	return sources;
}

/* The verification of a fact, whose confidence follows from the rest of it. */
JsonView
VerificationView(const FactSignals *signals, Span basis, int sources,
				 const char *vantage, const char *note)
{
	JsonView	verification = JsonViewNewObject(8);
	JsonView	object = JsonViewNewObject(5);

	/* in the order in which they are written, which saves sorting them */
	JsonViewSet(&object, "conflict", JsonViewBool(signals->conflict));
	JsonViewSet(&object, "corroborated", JsonViewBool(signals->corroborated));
	JsonViewSet(&object, "fresh", JsonViewBool(signals->fresh));
	JsonViewSet(&object, "signed", JsonViewBool(signals->is_signed));
	JsonViewSet(&object, "source_present", JsonViewBool(signals->source_present));

	JsonViewSet(&verification, "basis", JsonViewString(basis.str, basis.len));
	JsonViewSet(&verification, "confidence",
				HundredthsView(FactConfidenceHundredths(signals, basis)));
	JsonViewSet(&verification, "note", JsonViewCString(note));
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
