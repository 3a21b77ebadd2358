/*-------------------------------------------------------------------------
 *
 * panel.h
 *		Says what a judge, or several together, say of a pair.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_PANEL_H
#define ANSWER_EVAL_PANEL_H

#include "judge/judgement.h"

#define PANEL_MAX_JUDGES	16

/* The judges that a configuration names for a kind, in its order; none: nobody is asked. */
typedef struct Panel
{
	JudgeKind	kind;
	int			count;
	Span	   *judges;
} Panel;

/* Says how sure a judge has to be. */
typedef struct JudgeTerms
{
	Numeric		support_min;
	Numeric		contradict_min;
} JudgeTerms;

typedef enum PanelVerdict
{
	PANEL_NOT_JUDGED = 0,
	PANEL_CONTRADICTS,			/* of the kind answers: does not, whatever the reason */
	PANEL_SUPPORTS,				/* of the kind answers: answers */
	PANEL_NO_CLAIM,
	PANEL_NEUTRAL				/* never of the kind answers */
} PanelVerdict;

typedef struct PanelSays
{
	PanelVerdict verdict;
	bool		is_complete;	/* has each judge of it judged the pair? */
	bool		is_needed;		/* has one not, and none contradicts? */
	Numeric		score;			/* of PANEL_SUPPORTS the least of the judges'; else NULL */
	Span		contradictor;	/* the first judge that contradicts (does not answer), sure enough; else empty */
} PanelSays;

/*
 * Reads what a configuration names: a name, an array of 1 to 16 different
 * names, or null (an absent view likewise).  False, and one sentence that
 * begins with "must be", where it is something else.
 */
extern bool PanelParse(const JsonView *value, JudgeKind kind, Panel *panel, const char **problem);

extern bool PanelHas(const Panel *panel, Span judge);
extern void PanelAsk(const Panel *panel, const Judgements *judgements, Span pair, const JudgeTerms *terms,
					 PanelSays *says);

#endif							/* ANSWER_EVAL_PANEL_H */
