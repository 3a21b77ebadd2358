/*-------------------------------------------------------------------------
 *
 * kept_tables.h
 *		Caches what a session reads of small tables of ours, until one of them
 *		changes.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_KEPT_TABLES_H
#define ANSWER_EVAL_KEPT_TABLES_H

#include "base/span.h"

#define KEPT_TABLES		3
#define KEPT_BUCKETS	64

typedef struct KeptContent KeptContent;

/*
 * A static variable of the module that reads the tables.  It sets the names;
 * kept_tables.c does the rest.
 */
typedef struct Kept
{
	const char *names[KEPT_TABLES];
	Oid			tables[KEPT_TABLES];
	Oid			teller;			/* the triggers' function, which announces changes */
	bool		is_watched;
	bool		changed;		/* since the content was begun? */
	KeptContent *content;		/* NULL if nothing is cached */
	struct Kept *next;
} Kept;

extern bool KeptServes(Kept *kept);
extern void *KeptFind(Kept *kept, Span key);
extern MemoryContext KeptMemory(Kept *kept);
extern void KeptAdd(Kept *kept, Span key, void *value);
extern void KeptHold(Kept *kept);

#endif							/* ANSWER_EVAL_KEPT_TABLES_H */
