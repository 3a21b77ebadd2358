/*-------------------------------------------------------------------------
 *
 * sha256.h
 *		SHA-256, of many short texts.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_SHA256_H
#define ANSWER_EVAL_SHA256_H

#define SHA256_LENGTH	32

/* All at once. */
extern void Sha256(const void *data, size_t len, uint8 *sha256);

/* Piece by piece; only one hash can be under way. */
extern void Sha256Begin(void);
extern void Sha256Add(const void *data, size_t len);
extern void Sha256End(uint8 *sha256);

#endif							/* ANSWER_EVAL_SHA256_H */
