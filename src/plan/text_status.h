/*-------------------------------------------------------------------------
 *
 * text_status.h
 *		Judges the sentences of a text that was not made by quoting (synth.answer).
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_PLAN_TEXT_STATUS_H
#define ANSWER_EVAL_PLAN_TEXT_STATUS_H

#include "base/jsonview.h"
#include "base/span.h"
#include "reading/decision_rules.h"

/*
 * The rule by which texts are read.  Documents that do not name it were made by the
 * earlier rule: a text without citations, or with more than five sources, was not
 * read.
 */
#define TEXT_RULE			"plan-text/2"

/* The caveat of a text whose sentences nobody has judged, with its text. */
#define TEXT_NOT_JUDGED_CODE	"text_not_judged"
#define TEXT_NOT_JUDGED_TEXT	"Nobody has checked that the sentences of the answer say what the cited documents say."

/* What a text rests on. */
typedef struct TextBasis
{
	const DecisionRules *rules;
	const JsonView *evidence;	/* or absent, as are the next two */
	const JsonView *sources;	/* from which the evidence was made: an array of {uri, title?, snippet} */
	const JsonView *judgements; /* from the request */
	Span		question;
	bool		of_few;			/* read the text by the earlier rule? */
} TextBasis;

typedef struct TextStatus
{
	bool		is_quoted;		/* is it exactly what synth.answer makes of the evidence? then the rest is not set */
	const char *blocked;		/* "misquoted", "contradicted" or "unsupported", of the first such sentence; or NULL */
	const char *message;		/* about that sentence */
	bool		is_unjudged;
	JsonView	sentences;		/* as in a decision; absent if none could be read */
} TextStatus;

/* Judges a text by the snippets that it cites. "citations" are well-formed, or absent. */
extern void TextStatusFind(const TextBasis *basis, Span text, const JsonView *citations, TextStatus *status);

#endif							/* ANSWER_EVAL_PLAN_TEXT_STATUS_H */
