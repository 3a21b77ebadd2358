/*-------------------------------------------------------------------------
 *
 * closest.h
 *		The known words that are closest to one that is not known.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_CLOSEST_H
#define ANSWER_EVAL_CLOSEST_H

/* Words of more bytes are close to nothing. */
#define CLOSEST_MAX_LENGTH	64

extern int	WordDistance(const char *a, const char *b, int most);
extern char *WordsClosestFirst(const char *word, const char *const *words);

#endif							/* ANSWER_EVAL_CLOSEST_H */
