/*-------------------------------------------------------------------------
 *
 * closest.h
 *		Finds the known words that are closest to an unknown one.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_CLOSEST_H
#define ANSWER_EVAL_CLOSEST_H

/* Longer words, in bytes, are not compared. */
#define CLOSEST_MAX_LENGTH	64

extern int	WordDistance(const char *a, const char *b, int most);
extern char *WordsClosestFirst(const char *word, const char *const *words);

#endif							/* ANSWER_EVAL_CLOSEST_H */
