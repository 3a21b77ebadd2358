/*-------------------------------------------------------------------------
 *
 * panel.h
 *		Combines what one or several judges say about a pair.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_PANEL_H
#define ANSWER_EVAL_PANEL_H

#include "judge/judgement.h"

#define PANEL_MAX_JUDGES	16

/*
 * The judges that a configuration names for a kind, in its order.  If there are none,
 * nobody is asked.
 */
typedef struct Panel
{
	JudgeKind	kind;
	int			count;
	Span	   *judges;
} Panel;

/* How sure a judge has to be. */
typedef struct JudgeTerms
{
	Numeric		support_min;
	Numeric		contradict_min;
} JudgeTerms;

typedef enum PanelVerdict
{
	PANEL_NOT_JUDGED = 0,
	PANEL_CONTRADICTS,			/* for the kind answers: does not answer, whatever the reason */
	PANEL_SUPPORTS,				/* for the kind answers: answers */
	PANEL_NO_CLAIM,
	PANEL_NEUTRAL				/* not for the kind answers */
} PanelVerdict;

typedef struct PanelSays
{
	PanelVerdict verdict;
	bool		is_complete;	/* has each of its judges judged the pair? */
	bool		is_needed;		/* has one not judged it, and does none contradict? */
	Numeric		score;			/* for PANEL_SUPPORTS the least score of its judges; else NULL */
	Span		contradictor;	/* the first judge that contradicts (does not answer) and is sure enough; else empty */
} PanelSays;

/*
 * Reads the value in a configuration: a name, an array of 1 to 16 different names, or
 * null.  An absent view counts as null.  Returns false, and one sentence that begins
 * with "must be", if it is something else.
 */
extern bool PanelParse(const JsonView *value, JudgeKind kind, Panel *panel, const char **problem);

extern bool PanelHas(const Panel *panel, Span judge);
extern void PanelAsk(const Panel *panel, const Judgements *judgements, Span pair, const JudgeTerms *terms,
					 PanelSays *says);

#endif							/* ANSWER_EVAL_PANEL_H */
