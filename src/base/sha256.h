/*-------------------------------------------------------------------------
 *
 * sha256.h
 *		SHA-256, fast for many short texts.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_SHA256_H
#define ANSWER_EVAL_SHA256_H

#define SHA256_LENGTH	32

/* Hashes a whole text. */
extern void Sha256(const void *data, size_t len, uint8 *sha256);

/* These hash a text piece by piece.  Only one hash can be in progress. */
extern void Sha256Begin(void);
extern void Sha256Add(const void *data, size_t len);
extern void Sha256End(uint8 *sha256);

/*
 * These save the state of a hash and resume from it, so that several texts with the
 * same beginning hash it only once.
 */
extern void Sha256Keep(void);
extern void Sha256BeginKept(void);

#endif							/* ANSWER_EVAL_SHA256_H */
