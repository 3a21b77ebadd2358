/*-------------------------------------------------------------------------
 *
 * fold.c
 *		Simple case folding, by which words are compared.
 *
 * Rule: doc/spec/reading.md §2.2.
 *
 * Pure.  This is Unicode's simple case folding, by a table of ours (casefold.h).
 * Words of questions and texts are compared by it, and signatures cover the result.
 * So it depends on no locale, server version or encoding.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "base/casefold.h"
#include "base/fold.h"

/* Folds a character outside ASCII.  None folds into ASCII. */
pg_wchar
FoldCharacter(pg_wchar c)
{
	const CaseFold *fold = FindRange(c, case_folds, lengthof(case_folds), sizeof(CaseFold));

	return fold && (c - fold->first) % fold->step == 0 ? c + fold->delta : c;
}
