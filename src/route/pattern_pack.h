/*-------------------------------------------------------------------------
 *
 * pattern_pack.h
 *		Many patterns, held against a sentence at once.
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
	int		   *places;			/* of the first element of each pattern */
	int		   *pattern_of;		/* by place */
	int			nlanes;
	struct PackLane *lanes;
	int			ngroups;
	struct PackGroup *groups;
	int		   *starts;			/* in "literals", by the number of a word */
	struct PackLiteral *literals;
	bool		has_list;
} PatternPack;

extern void PackInit(PatternPack *pack, const Pattern **patterns, int count, int nliterals);
extern int	PackFind(const PatternPack *pack, const Word *words, int nwords);

#endif							/* ANSWER_EVAL_PATTERN_PACK_H */
