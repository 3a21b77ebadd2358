/*-------------------------------------------------------------------------
 *
 * base64.h
 *		Base64 and base64url. Each byte string has exactly one valid encoding.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_BASE64_H
#define ANSWER_EVAL_BASE64_H

#include "base/span.h"

/* Size of the encoding of so many bytes, with padding and terminator. */
#define BASE64_SIZE(bytes)			(((bytes) + 2) / 3 * 4 + 1)

extern int	Base64UrlDecode(Span text, uint8 *bytes, int size);
extern void Base64UrlEncode(const uint8 *bytes, int len, char *text);
extern int	Base64Decode(Span text, uint8 *bytes, int size);
extern void Base64Encode(const uint8 *bytes, int len, char *text);

#endif							/* ANSWER_EVAL_BASE64_H */
