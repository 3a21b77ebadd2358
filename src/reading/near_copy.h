/*-------------------------------------------------------------------------
 *
 * near_copy.h
 *		Near copies: two sentences that differ only in a value or a negation.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_READING_NEAR_COPY_H
#define ANSWER_EVAL_READING_NEAR_COPY_H

#include "reading/text.h"

/* Maximum number of sentences of a text that are compared. */
#define SLOT_MAX_SENTENCES	400

typedef enum Slot
{
	SLOT_NONE,
	SLOT_VALUE,
	SLOT_NEGATION,
	SLOT_SAME
} Slot;

/* For SLOT_VALUE: the first unit by code point, and the least value of each side in it. */
typedef struct SlotFound
{
	int			unit;			/* VALUE_NO_UNIT: none */
	const ReadValue *a;
	const ReadValue *b;
} SlotFound;

/* Compares sentences of two readings by the same reader; "found" may be NULL. */
extern Slot SlotOf(const Reading *a, int sentence_a, const Reading *b, int sentence_b, SlotFound *found);

#endif							/* ANSWER_EVAL_READING_NEAR_COPY_H */
