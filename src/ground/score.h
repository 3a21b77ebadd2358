/*-------------------------------------------------------------------------
 *
 * score.h
 *		text-score/1: how similar a text is to a query.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GROUND_SCORE_H
#define ANSWER_EVAL_GROUND_SCORE_H

#include "reading/rules.h"

#define SCORE_WHOLE					10000	/* the similarity 1 */
#define SCORE_WORD_MAX_CHARACTERS	64	/* a longer token is no word of the score */

/* Three characters in a row, of 21 bits each. */
typedef uint64 Trigram;

/* A word of a query.  Its trigrams are distinct and in order. */
typedef struct ScoreWord
{
	Span		folded;
	int64		weight;			/* 0 until ScoreWeight */
	int			ntrigrams;
	Trigram    *trigrams;
} ScoreWord;

/* The words of a query, each once. */
typedef struct ScoreQuery
{
	int			count;
	ScoreWord  *words;
} ScoreQuery;

extern void ScoreQueryRead(ScoreQuery *query, const DecisionRules *rules, Span text);
extern Span *ScoreWordsOf(Span text, int *count);
extern int64 ScoreWeight(int64 chunks, int64 chunks_with_word);
extern Trigram *ScoreTrigrams(Span word, int *count);
extern Trigram ScoreFirstTrigram(Span word);
extern int	ScoreLeastShared(int ntrigrams);
extern int	ScoreCredit(const ScoreWord *word, Span folded);
extern int	ScoreSimilarity(const ScoreQuery *query, const int *text_credits,
							const int *title_credits);

#endif							/* ANSWER_EVAL_GROUND_SCORE_H */
