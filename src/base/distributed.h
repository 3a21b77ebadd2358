/*-------------------------------------------------------------------------
 *
 * distributed.h
 *		Knows which tables Citus distributes, and which statements it sends to
 *		shards.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_DISTRIBUTED_H
#define ANSWER_EVAL_DISTRIBUTED_H

#include "nodes/pg_list.h"

extern bool IsDistributed(Oid table);
extern bool AnyDistributed(const List *tables);
extern void RequireLocal(Oid table, const char *problem);
extern void RefuseScattered(void);

#endif							/* ANSWER_EVAL_DISTRIBUTED_H */
