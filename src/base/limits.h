/*-------------------------------------------------------------------------
 *
 * limits.h
 *		Limits on the size of what a caller, a tool or a document brings.
 *
 * A limit that concerns one module is in that module.  Here are the limits that
 * several modules share, and those of what goes into a receipt.  The manual's
 * table of limits repeats them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_LIMITS_H
#define ANSWER_EVAL_LIMITS_H

/*
 * Bytes of a document given as JSON text, and of the canonical form of a new receipt.
 * They are the same, so that whoever holds a receipt can verify it.
 */
#define DOCUMENT_MAX_SIZE		16777216

/*
 * Bytes of any other argument of a function that everybody may call.  As jsonb, a
 * document of DOCUMENT_MAX_SIZE takes at most 8 times its size.
 */
#define ARGUMENT_MAX_SIZE		134217728

/* Bytes of a canonical or portable form that is written from an argument. */
#define WRITTEN_MAX_SIZE		ARGUMENT_MAX_SIZE

/*
 * How many numbers of a document to be verified may have more than LONG_NUMBER_DIGITS
 * digits on one side of the point.
 */
#define DOCUMENT_MAX_LONG_NUMBERS	100
#define LONG_NUMBER_DIGITS		1000

/* Bytes of the error message of a tool or grader, and of a grader's reason. */
#define FAILURE_MAX_SIZE		1000

/* Bytes of a tool's raw result, as jsonb. */
#define RESULT_MAX_SIZE			4194304

/* Bytes of each argument of an entry of an investigation. */
#define ENTRY_MAX_SIZE			1048576

/* Anchors of one receipt, and requests for anchors. */
#define ANCHOR_MAX_COUNT		100
#define ANCHOR_MAX_REQUESTS		1000

/*
 * How deeply a receipt may be nested.  Anybody must be able to verify it, and common
 * JSON libraries stop at about 1,000 levels.  A raw result lies a few levels down in
 * the receipt.
 */
#define RECEIPT_MAX_DEPTH	512
#define RAW_MAX_DEPTH		500

#endif							/* ANSWER_EVAL_LIMITS_H */
