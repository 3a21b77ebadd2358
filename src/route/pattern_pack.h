/*-------------------------------------------------------------------------
 *
 * pattern_pack.h
 *		Matches many patterns against a sentence at once.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_PATTERN_PACK_H
#define ANSWER_EVAL_PATTERN_PACK_H

#include "route/pattern.h"

struct PackLane;
struct PackGroup;
struct PackLiteral;

/* Borrows its patterns. */
typedef struct PatternPack
{
	const Pattern **patterns;
	int		   *places;			/* place of the first element of each pattern */
	int		   *pattern_of;		/* pattern of each place */
	int			nlanes;
	struct PackLane *lanes;
	int			ngroups;
	struct PackGroup *groups;
	int		   *starts;			/* for each word's number, the start of its entries in "literals" */
	struct PackLiteral *literals;
	bool		has_list;
} PatternPack;

extern void PackInit(PatternPack *pack, const Pattern **patterns, int count, int nliterals);
extern int	PackFind(const PatternPack *pack, const Word *words, int nwords);

#endif							/* ANSWER_EVAL_PATTERN_PACK_H */
