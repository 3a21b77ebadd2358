/*-------------------------------------------------------------------------
 *
 * text_status.h
 *		Says what the sentences of a text that no quoting tool made are worth.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_PLAN_TEXT_STATUS_H
#define ANSWER_EVAL_PLAN_TEXT_STATUS_H

#include "base/jsonview.h"
#include "base/span.h"
#include "reading/decision_rules.h"

/*
 * The rule by which texts are read.  Documents that do not name it are of before: a text that
 * cited nothing, or more than five sources, was not read.
 */
#define TEXT_RULE			"plan-text/2"

/* The caveat of a text of which nobody has judged a sentence, and its text. */
#define TEXT_NOT_JUDGED_CODE	"text_not_judged"
#define TEXT_NOT_JUDGED_TEXT	"Nobody has checked that the sentences of the answer say what the cited documents say."

/* Holds what a text rests on. */
typedef struct TextBasis
{
	const DecisionRules *rules;
	const JsonView *evidence;	/* or absent, like the rest */
	const JsonView *sources;	/* that it was made of: an array of {uri, title?, snippet} */
	const JsonView *judgements; /* that the request hands in */
	Span		question;
	bool		of_few;			/* by the rule of before */
} TextBasis;

typedef struct TextStatus
{
	bool		is_quoted;		/* it is what synth.answer makes of the evidence; nothing else is known */
	const char *blocked;		/* "misquoted", "contradicted", "unsupported": of the first such sentence; or NULL */
	const char *message;		/* of that */
	bool		is_unjudged;
	JsonView	sentences;		/* as a decision shows them; absent where none could be read */
} TextStatus;

/* Judges one by the snippets that it cites; "citations" are well-formed, or absent. */
extern void TextStatusFind(const TextBasis *basis, Span text, const JsonView *citations, TextStatus *status);

#endif							/* ANSWER_EVAL_PLAN_TEXT_STATUS_H */
