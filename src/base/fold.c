/*-------------------------------------------------------------------------
 *
 * fold.c
 *		Compares words: simple case folding.
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
	const CaseFold *fold = FindRange(c, case_folds, lengthof(case_folds), sizeof(CaseFold));

	return fold && (c - fold->first) % fold->step == 0 ? c + fold->delta : c;
}
