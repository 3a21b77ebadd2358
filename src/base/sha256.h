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

/* Hashes a text at once. */
extern void Sha256(const void *data, size_t len, uint8 *sha256);

/* They hash a text piece by piece; only one hash can be under way. */
extern void Sha256Begin(void);
extern void Sha256Add(const void *data, size_t len);
extern void Sha256End(uint8 *sha256);

/*
 * They keep the state of a hash, and go on from it: another text that begins with the
 * same bytes is not hashed from its beginning.
 */
extern void Sha256Keep(void);
extern void Sha256BeginKept(void);

#endif							/* ANSWER_EVAL_SHA256_H */
