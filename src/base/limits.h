/*-------------------------------------------------------------------------
 *
 * limits.h
 *		Bounds how large things may be that a caller, a tool or a document brings.
 *
 * Limits of a module's own matter stand in that module.  These are the ones that
 * several modules share, or that bound what a receipt takes in; the manual's
 * table of limits repeats them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_LIMITS_H
#define ANSWER_EVAL_LIMITS_H

/*
 * Bytes of a document given as JSON text, and of the canonical form of a
 * receipt that is minted, so that whoever holds one can verify it.
 */
#define DOCUMENT_MAX_SIZE		16777216

/*
 * Bytes of any other argument of a function that everybody may call.  A
 * document of DOCUMENT_MAX_SIZE takes at most 8 times that as jsonb.
 */
#define ARGUMENT_MAX_SIZE		134217728

/* Bytes of a canonical or portable form that is written out of an argument. */
#define WRITTEN_MAX_SIZE		ARGUMENT_MAX_SIZE

/* Numbers of more than 1,000 digits a side in a document that is verified. */
#define DOCUMENT_MAX_LONG_NUMBERS	100
#define LONG_NUMBER_DIGITS		1000

/* Bytes of what a tool's or grader's failure says, and of a grader's reason. */
#define FAILURE_MAX_SIZE		1000

/* Bytes of a tool's raw result, as jsonb. */
#define RESULT_MAX_SIZE			4194304

/* Bytes of each argument of an entry of an investigation. */
#define ENTRY_MAX_SIZE			1048576

/* Anchors of a receipt, and requests for one. */
#define ANCHOR_MAX_COUNT		100
#define ANCHOR_MAX_REQUESTS		1000

/*
 * Says how deeply a receipt may be nested. Anybody must be able to verify it, and
 * common JSON libraries stop at about 1,000 levels; a raw result lies a few levels
 * down in the receipt.
 */
#define RECEIPT_MAX_DEPTH	512
#define RAW_MAX_DEPTH		500

#endif							/* ANSWER_EVAL_LIMITS_H */
