/*-------------------------------------------------------------------------
 *
 * subject.h
 *		Finds the subject of a question, and decides what is about it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_SUBJECT_H
#define ANSWER_EVAL_SUBJECT_H

#include "base/span.h"
#include "quality/quality_rules.h"
#include "reading/decision_rules.h"

/*
 * Maximum bytes of a subject.  It also bounds the time of a search, because each
 * query is searched for each of its words.
 */
#define SUBJECT_MAX_SIZE	256

/* Versions of the rules that decide what is about a subject, as numbered in receipts. */
#define FIRST_SUBJECT_RULES	1
#define SUBJECT_RULES		2

/* What a question seeks. */
typedef struct QuestionSubject
{
	Span		text;			/* empty: nothing */
	int			nitems;
	Span	   *items;			/* items that the text is made of; NULL: a quoted phrase, or an identifier */
} QuestionSubject;

typedef enum SubjectKind
{
	SUBJECT_NONE,
	SUBJECT_WRITTEN,			/* words separated only by white space; first rules */
	SUBJECT_WORDS,				/* a name or a phrase */
	SUBJECT_ITEMS				/* items of the question */
} SubjectKind;

typedef struct Subject
{
	SubjectKind kind;
	Span		text;
	int			nwords;
	Span	   *words;			/* folded words, or items */
	const DecisionRules *reading;	/* rules by which texts are read */
} Subject;

/* The words of a question that can name a file. */
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
