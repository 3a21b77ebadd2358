/*-------------------------------------------------------------------------
 *
 * fold.h
 *		Simple case folding, by which words are compared.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_FOLD_H
#define ANSWER_EVAL_FOLD_H

#include "mb/pg_wchar.h"

/*
 * Returns the row of a table of ranges whose range has this character, or NULL.  A row
 * begins with the first and the last character of its range, and the rows are sorted.
 */
static inline const void *
FindRange(pg_wchar c, const void *table, int nrows, size_t row_size)
{
	int			low = 0;
	int			high = nrows;

	while (low < high)
	{
		int			middle = (low + high) / 2;
		const void *row = (const char *) table + middle * row_size;
		const pg_wchar *range = row;

		if (c > range[1])
			low = middle + 1;
		else if (c < range[0])
			high = middle;
		else
			return row;
	}
	return NULL;
}

/* Folds a character outside ASCII.  The caller folds ASCII itself. */
extern pg_wchar FoldCharacter(pg_wchar c);

#endif							/* ANSWER_EVAL_FOLD_H */
