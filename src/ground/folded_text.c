/*-------------------------------------------------------------------------
 *
 * folded_text.c
 *		Folds a whole text for comparison.
 *
 * Pure; linear in the text.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "mb/pg_wchar.h"

#include "base/fold.h"
#include "check/operator.h"
#include "ground/folded_text.h"
#include "reading/words.h"

/* Writes a folded character; returns its number of bytes. */
static int
WriteFolded(uint32 c, const char *p, int len, char *out)
{
	if (c < 0x80 || len == 1)
	{
		*out = *p >= 'A' && *p <= 'Z' ? *p + ('a' - 'A') : *p;
		return 1;
	}
	unicode_to_utf8(FoldCharacter(c), (unsigned char *) out);
	return pg_utf_mblen((unsigned char *) out);
}

Span
FoldedText(Span text)
{
	Span		rest = TrimWhiteSpace(text);
	const char *p = rest.str;
	const char *end = p + rest.len;
	/* a character takes at most four bytes, folded or not */
	char	   *out = palloc_extended((Size) rest.len * 2 + 4, MCXT_ALLOC_HUGE);
	int			len = 0;
	bool		is_blank = false;

	while (p < end)
	{
		int			width;
		uint32		c = Utf8Character(p, end, &width);

		if (!IsWhiteSpace(c))
			len += WriteFolded(c, p, width, out + len);
		else if (!is_blank)
			out[len++] = ' ';
		is_blank = IsWhiteSpace(c);
		p += width;
	}
	return SpanOf(out, len);
}
