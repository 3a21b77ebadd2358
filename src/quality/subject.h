/*-------------------------------------------------------------------------
 *
 * subject.h
 *		What a question seeks, and what is about it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_SUBJECT_H
#define ANSWER_EVAL_SUBJECT_H

#include "base/span.h"

/*
 * Bytes of a subject.  Every query is searched for all of its words, which
 * takes at most as many passes over it.
 */
#define SUBJECT_MAX_SIZE	256

typedef struct Subject
{
	Span		text;			/* empty: nothing is sought by name */
	int			nwords;
	Span	   *words;			/* folded */
} Subject;

/* The words of a question, by which it can name a file. */
typedef struct QuestionNames
{
	int			count;
	Span	   *names;			/* folded and sorted */
} QuestionNames;

extern Span SubjectOfQuestion(Span question);
extern Span SubjectSqueeze(Span text);
extern void SubjectInit(Subject *subject, Span text);
extern bool SubjectIsIn(const Subject *subject, Span query);
extern void QuestionNamesInit(QuestionNames *names, Span question, Span subject);
extern bool QuestionNamesPath(const QuestionNames *names, Span path);
extern Span PathWithoutDot(Span path);

#endif							/* ANSWER_EVAL_SUBJECT_H */
