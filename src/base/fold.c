/*-------------------------------------------------------------------------
 *
 * fold.c
 *		How words are compared: simple case folding.
 *
 * Rule: doc/spec/reading.md §2.2.
 *
 * Pure.  Unicode's simple case folding, by a table of ours (casefold.h): words of
 * questions and of texts are compared by it, and what was signed rests on it, so it
 * depends on no locale, no server version and no encoding.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "base/casefold.h"
#include "base/fold.h"

/* A character outside ASCII as words are compared; none folds into ASCII. */
pg_wchar
FoldCharacter(pg_wchar c)
{
	int			low = 0;
	int			high = lengthof(case_folds);

	while (low < high)
	{
		int			middle = (low + high) / 2;

		if (c > case_folds[middle].last)
			low = middle + 1;
		else if (c < case_folds[middle].first)
			high = middle;
		else
			return (c - case_folds[middle].first) % case_folds[middle].step == 0 ?
				c + case_folds[middle].delta : c;
	}
	return c;
}
