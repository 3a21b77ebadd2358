/*-------------------------------------------------------------------------
 *
 * panel.c
 *		Combines what one or several judges say about a pair.
 *
 * Pure.  Rule: doc/spec/judgement.md §3.
 *
 * A panel contradicts (does not answer) as soon as one of its judges does and is
 * sure enough.  Otherwise each of its judges must have judged.  It supports
 * (answers) if all do and are sure enough.  It is no_claim if all say so.  It
 * counts as not judged if some say no_claim and the others support.  Otherwise it
 * is neutral (does not answer).  A single judge is a panel of one.  A judgement
 * that is not of the panel's kind does not count.
 *
 * Promises: pure; the result does not depend on the order of judgements.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "base/canonical.h"
#include "base/numbers.h"
#include "judge/panel.h"

/*
 * reading
 */

static bool
PanelAdd(Panel *panel, const JsonView *name, const char **problem)
{
	Span		judge;

	if (name->type != JVIEW_STRING || name->len == 0)
	{
		*problem = psprintf("must be the name of a judge, an array of names, or null; %s is no name",
							ShownValue(name));
		return false;
	}
	judge = SpanOf(name->str, name->len);
	if (PanelHas(panel, judge))
	{
		*problem = psprintf("must name each judge once, and names %s twice", ShownValue(name));
		return false;
	}
	panel->judges[panel->count++] = judge;
	return true;
}

bool
PanelParse(const JsonView *value, JudgeKind kind, Panel *panel, const char **problem)
{
	int			count = value->type == JVIEW_ARRAY ? JsonViewCount(value) : 1;

	memset(panel, 0, sizeof(*panel));
	panel->kind = kind;
	*problem = NULL;
	if (value->type == JVIEW_ABSENT || value->type == JVIEW_NULL)
		return true;
	if (count < 1 || count > PANEL_MAX_JUDGES)
	{
		*problem = psprintf("must name from 1 to %d judges, and names %d", PANEL_MAX_JUDGES, count);
		return false;
	}
	panel->judges = palloc0(sizeof(Span) * count);
	if (value->type != JVIEW_ARRAY)
		return PanelAdd(panel, value, problem);
	for (int i = 0; i < count; i++)
	{
		JsonView	name = JsonViewAt(value, i);

		if (!PanelAdd(panel, &name, problem))
			return false;
	}
	return true;
}

bool
PanelHas(const Panel *panel, Span judge)
{
	return SpanIsIn(judge, panel->judges, panel->count);
}

/*
 * asking
 */

/* Counts of what the judges of a panel said. */
typedef struct PanelCount
{
	int			judged;
	int			supporting;		/* those that are sure enough */
	int			no_claim;
	Numeric		least;			/* least score of those */
} PanelCount;

static bool
IsSure(const Judgement *judgement, Numeric least)
{
	return NumberCompare(judgement->score, least) >= 0;
}

/* Returns what one judge said about the pair, if it is of the panel's kind. */
static const Judgement *
SaidBy(const Panel *panel, const Judgements *judgements, Span pair, Span judge)
{
	const Judgement *judgement = JudgementFind(judgements, pair, judge);

	if (judgement == NULL || !JudgeRelationIsOf(judgement->relation, panel->kind) ||
		(judgement->has_kind && judgement->kind != panel->kind))
		return NULL;
	return judgement;
}

static void
CountJudgement(const Judgement *judgement, const JudgeTerms *terms, PanelCount *count, PanelSays *says)
{
	count->judged++;
	switch (judgement->relation)
	{
		case RELATION_CONTRADICTS:
		case RELATION_DOES_NOT:
			if (says->contradictor.len == 0 && IsSure(judgement, terms->contradict_min))
				says->contradictor = judgement->judge;
			break;
		case RELATION_SUPPORTS:
		case RELATION_ANSWERS:
			if (IsSure(judgement, terms->support_min))
			{
				count->supporting++;
				count->least = count->least ? NumberMin(count->least, judgement->score) : judgement->score;
			}
			break;
		case RELATION_NO_CLAIM:
			count->no_claim++;
			break;
		case RELATION_NEUTRAL:
			break;
	}
}

static PanelVerdict
Verdict(const Panel *panel, const PanelCount *count, const PanelSays *says)
{
	if (says->contradictor.len > 0)
		return PANEL_CONTRADICTS;
	if (!says->is_complete)
		return PANEL_NOT_JUDGED;
	if (count->supporting == panel->count)
		return PANEL_SUPPORTS;
	if (count->no_claim == panel->count)
		return PANEL_NO_CLAIM;
	/* the judges disagree whether it claims anything */
	if (count->no_claim > 0 && count->no_claim + count->supporting == panel->count)
		return PANEL_NOT_JUDGED;
	return panel->kind == JUDGE_ANSWERS ? PANEL_CONTRADICTS : PANEL_NEUTRAL;
}

void
PanelAsk(const Panel *panel, const Judgements *judgements, Span pair, const JudgeTerms *terms, PanelSays *says)
{
	PanelCount	count = {0};

	memset(says, 0, sizeof(*says));
	for (int i = 0; i < panel->count; i++)
	{
		const Judgement *judgement = SaidBy(panel, judgements, pair, panel->judges[i]);

		if (judgement)
			CountJudgement(judgement, terms, &count, says);
	}
	says->is_complete = panel->count > 0 && count.judged == panel->count;
	says->is_needed = count.judged < panel->count && says->contradictor.len == 0;
	says->verdict = Verdict(panel, &count, says);
	if (says->verdict == PANEL_SUPPORTS)
		says->score = count.least;
}
