/*-------------------------------------------------------------------------
 *
 * subject.h
 *		Finds what a question seeks, and what is about it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_SUBJECT_H
#define ANSWER_EVAL_SUBJECT_H

#include "base/span.h"
#include "quality/quality_rules.h"
#include "reading/decision_rules.h"

/*
 * Bytes of a subject.  Every query is searched for all of its words, which
 * takes at most as many passes over it.
 */
#define SUBJECT_MAX_SIZE	256

/* By which rules it is asked whether something is about a subject: those of a receipt, by number. */
#define FIRST_SUBJECT_RULES	1
#define SUBJECT_RULES		2

/* Holds what a question seeks. */
typedef struct QuestionSubject
{
	Span		text;			/* empty: nothing */
	int			nitems;
	Span	   *items;			/* of which the text is made; NULL: a quoted phrase, or an identifier */
} QuestionSubject;

typedef enum SubjectKind
{
	SUBJECT_NONE,
	SUBJECT_WRITTEN,			/* words with nothing but white space between them, by the first rules */
	SUBJECT_WORDS,				/* a name or a phrase */
	SUBJECT_ITEMS				/* items of the question */
} SubjectKind;

typedef struct Subject
{
	SubjectKind kind;
	Span		text;
	int			nwords;
	Span	   *words;			/* folded words, or items */
	const DecisionRules *reading;	/* by which texts are read */
} Subject;

/* The words of a question, by which it can name a file. */
typedef struct QuestionNames
{
	int			count;
	Span	   *names;			/* folded and sorted */
} QuestionNames;

extern QuestionSubject SubjectOfQuestion(const DecisionRules *reading, const QuestionForm *form, Span question);
extern Span SubjectSqueeze(Span text);
extern void SubjectInit(Subject *subject, Span text, Span question, const DecisionRules *reading,
						const QuestionForm *form, int rules);
extern bool SubjectIsIn(const Subject *subject, Span query, Span target);
extern void QuestionNamesInit(QuestionNames *names, Span question, Span subject);
extern bool QuestionNamesPath(const QuestionNames *names, Span path);
extern Span PathWithoutDot(Span path);

#endif							/* ANSWER_EVAL_SUBJECT_H */
