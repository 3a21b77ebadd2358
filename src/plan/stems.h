/*-------------------------------------------------------------------------
 *
 * stems.h
 *		The stems of words, by the server's text-search configuration "english".
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_STEMS_H
#define ANSWER_EVAL_STEMS_H

#include "base/jsonview.h"

/* {word: [stems]} of an array of words, without those that have none, as stop words do. */
extern JsonView StemsOfWords(const JsonView *words);

#endif							/* ANSWER_EVAL_STEMS_H */
