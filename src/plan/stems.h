/*-------------------------------------------------------------------------
 *
 * stems.h
 *		The stems of words, by a text-search configuration of the server.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_STEMS_H
#define ANSWER_EVAL_STEMS_H

#include "base/jsonview.h"
#include "base/span.h"

#define STEMS_DEFAULT_CONFIG	"english"

/*
 * The configuration of a name, which is one of pg_catalog if it has no schema.
 * Raises 22023 if there is none.
 */
extern Oid	StemsConfig(Span name);

/* {word: [stems]} of an array of words, without those that have none, as stop words do. */
extern JsonView StemsOfWords(Oid config, const JsonView *words);

#endif							/* ANSWER_EVAL_STEMS_H */
