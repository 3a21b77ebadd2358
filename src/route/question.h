/*-------------------------------------------------------------------------
 *
 * question.h
 *		A question's words and sentences.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_QUESTION_H
#define ANSWER_EVAL_QUESTION_H

#include "check/operator.h"

/* The bits of Word.kinds: which slots can take the word. */
#define KIND_WORD		0x001
#define KIND_TEXT		0x002
#define KIND_NUMBER		0x004
#define KIND_INTEGER	0x008
#define KIND_AMOUNT		0x010
#define KIND_COUNT		0x020
#define KIND_SEMVER		0x040
#define KIND_DATE		0x080
#define KIND_INSTANT	0x100
#define KIND_BOOLEAN	0x200

typedef struct Word
{
	Span		text;			/* as asked; for a quoted text, without the quotation marks */
	Span		folded;			/* all in one buffer, separated by single spaces */
	int32		literal;		/* its number in a dictionary, or -1 */
	uint16		kinds;
	bool		quoted;
	const char *defect;			/* why it cannot match anything, or NULL */
} Word;

typedef enum Mark
{
	MARK_NONE,
	MARK_STATEMENT,
	MARK_EXCLAMATION,
	MARK_QUESTION
} Mark;

typedef struct Sentence
{
	int			first;			/* index of the first word */
	int			count;			/* number of words, at least one */
	Mark		mark;			/* the final punctuation */
} Sentence;

typedef struct Question
{
	int			nwords;
	Word	   *words;
	int			nsentences;
	Sentence   *sentences;
	char	   *folded;			/* the buffer of all folded words */
} Question;

extern const char *const mark_labels[];

extern void QuestionRead(Span text, Question *question);
extern void QuestionFree(Question *question);

#endif							/* ANSWER_EVAL_QUESTION_H */
