/*-------------------------------------------------------------------------
 *
 * base64.c
 *		Base64 and base64url. Each byte string has exactly one valid encoding.
 *
 * Rule: RFC 4648 sections 4 and 5.  PostgreSQL's own decoder accepts white space
 * and stray bits.  A signed text must have neither, so what was decoded is encoded
 * again and compared with the input.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "common/base64.h"

#include "base/base64.h"

/* Replaces the two characters in which the alphabets differ. */
static void
ReplaceCharacters(char *text, int len, const char *from, const char *to)
{
	for (int i = 0; i < len; i++)
	{
		if (text[i] == from[0])
			text[i] = to[0];
		else if (text[i] == from[1])
			text[i] = to[1];
	}
}

/* Encodes with padding and a terminator: BASE64_SIZE(len) bytes. */
void
Base64Encode(const uint8 *bytes, int len, char *text)
{
	int			size = BASE64_SIZE(len);
	int			written = pg_b64_encode((const void *) bytes, len, text, size);

	Assert(written == size - 1);
	text[written] = '\0';
}

void
Base64UrlEncode(const uint8 *bytes, int len, char *text)
{
	Base64Encode(bytes, len, text);
	ReplaceCharacters(text, BASE64_SIZE(len) - 1, "+/", "-_");
}

/* Decodes a padded text in the standard alphabet, with a terminating NUL. */
static int
DecodeOnlySpelling(const char *text, int len, uint8 *bytes, int size)
{
	uint8	   *decoded = palloc(len / 4 * 3 + 1);
	char	   *again = palloc(len + 1);
	int			n = pg_b64_decode(text, len, (void *) decoded, len / 4 * 3 + 1);

	if (n > size)
		n = -1;
	if (n >= 0 && BASE64_SIZE(n) == len + 1)
	{
		Base64Encode(decoded, n, again);
		if (memcmp(text, again, len) == 0)
			memcpy(bytes, decoded, n);
		else
			n = -1;
	}
	else
		n = -1;
	pfree(decoded);
	pfree(again);
	return n;
}

/*
 * Decodes.  The padding is required.  Returns the number of bytes, or -1 if the result
 * would be too long or the text is not exactly the encoding of its bytes.
 */
int
Base64Decode(Span text, uint8 *bytes, int size)
{
	return text.len % 4 == 0 ? DecodeOnlySpelling(text.str, text.len, bytes, size) : -1;
}

/* Does the same for base64url, padded or not. */
int
Base64UrlDecode(Span text, uint8 *bytes, int size)
{
	char	   *padded;
	int			missing = (4 - text.len % 4) % 4;
	int			n;

	if (memchr(text.str, '+', text.len) || memchr(text.str, '/', text.len) ||
		(missing > 0 && memchr(text.str, '=', text.len)))
		return -1;
	padded = palloc(text.len + 4);
	memcpy(padded, text.str, text.len);
	memset(padded + text.len, '=', missing);
	ReplaceCharacters(padded, text.len, "-_", "+/");
	n = DecodeOnlySpelling(padded, text.len + missing, bytes, size);
	pfree(padded);
	return n;
}
