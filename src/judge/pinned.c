/*-------------------------------------------------------------------------
 *
 * pinned.c
 *		The configuration of a case of a suite, and the judgements that replace judges
 *		while it is tried.
 *
 * Rule: doc/spec/gate.md §1.3.  A run uses only the judgements that its cases pin.
 * Its result must be the same when a judge has another version, or no longer exists.
 * answer_suite_judge() tries the same cases, and has judges asked for what is not
 * pinned.  Whatever a case calls, a decision or a tool of a plan, asks for stored
 * judgements (judge.c) and for judges (ask_judge.c); both look first at their Pinning.
 *
 * A Pinning is an argument.  But a case calls tools, which are functions of users.
 * These call our functions in SQL, which cannot pass it on.  So the Pinning of the
 * present case is also stored here, and each function that SQL calls reads it once.
 *
 * Promises: while a case of a run is tried, no stored judgement counts and no judge
 * is called. While a suite is judged, judgements are not stored; they are only in
 * the suite.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/jsonb.h"
#include "utils/memutils.h"

#include "base/grow.h"
#include "judge/pinned.h"

/* Of the case that is tried now; NULL: none is. */
static Pinning *current_pinning = NULL;

Pinning *
CurrentPinning(void)
{
	return current_pinning;
}

Pinning *
PinningPut(Pinning *pinning)
{
	Pinning    *outer = current_pinning;

	current_pinning = pinning;
	return outer;
}

/* Returns the pinned or earlier judgement of a pair by a judge, or NULL. */
static const Judgement *
Standing(const Pinning *pinning, Span pair, Span judge)
{
	const Judgement *judgement = JudgementFind(pinning->pinned, pair, judge);

	for (int i = 0; i < PINNING_EARLIER && judgement == NULL; i++)
	{
		if (pinning->earlier[i] != NULL)
			judgement = JudgementFind(pinning->earlier[i], pair, judge);
	}
	return judgement;
}

bool
IsPinned(const Pinning *pinning, Span pair, Span judge)
{
	return Standing(pinning, pair, judge) != NULL;
}

JsonView
PinnedFor(Pinning *pinning, const Span *judges, int njudges, const Span *pairs, int npairs)
{
	JsonView	found = JsonViewNewArray(8);

	for (int i = 0; i < npairs; i++)
	{
		CHECK_FOR_INTERRUPTS();
		for (int k = 0; k < njudges; k++)
		{
			const Judgement *judgement = Standing(pinning, pairs[i], judges[k]);

			if (judgement != NULL)
				JsonViewAppend(&found, judgement->view);
		}
	}
	PinningNote(pinning, &found);
	return found;
}

void
PinningNote(Pinning *pinning, const JsonView *judgements)
{
	MemoryContext caller;

	if (pinning == NULL || !pinning->asks || JsonViewCount(judgements) == 0)
		return;
	caller = MemoryContextSwitchTo(pinning->context);
	GROW_ARRAY(pinning->came, pinning->ncame, pinning->capacity, 8);
	pinning->came[pinning->ncame++] = JsonViewToJsonb(judgements, false);
	MemoryContextSwitchTo(caller);
}

void
PinningNoteFailures(Pinning *pinning, const JsonView *failures)
{
	MemoryContext caller;

	if (pinning == NULL || !pinning->asks || failures->type != JVIEW_ARRAY)
		return;
	caller = MemoryContextSwitchTo(pinning->context);
	if (pinning->failed.type == JVIEW_ABSENT)
		pinning->failed = JsonViewNewObject(4);
	for (int i = 0; i < JsonViewCount(failures); i++)
	{
		JsonView	failure = JsonViewAt(failures, i);
		JsonView	known;
		Span		name;

		if (JsonViewGetString(&failure, "name", &name) &&
			!JsonViewGet(&pinning->failed, name.str, name.len, &known))
			JsonViewSetKey(&pinning->failed, pnstrdup(name.str, name.len), name.len, JsonViewBool(true));
	}
	MemoryContextSwitchTo(caller);
}
