/*-------------------------------------------------------------------------
 *
 * fold.h
 *		How words are compared: simple case folding.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_FOLD_H
#define ANSWER_EVAL_FOLD_H

#include "mb/pg_wchar.h"

/* A character outside ASCII as words are compared; those of ASCII are the caller's. */
extern pg_wchar FoldCharacter(pg_wchar c);

#endif							/* ANSWER_EVAL_FOLD_H */
