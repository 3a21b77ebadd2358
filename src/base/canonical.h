/*-------------------------------------------------------------------------
 *
 * canonical.h
 *		Canonical JSON, portable numbers and the digest.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_CANONICAL_H
#define ANSWER_EVAL_CANONICAL_H

#include "lib/stringinfo.h"

#include "base/jsonview.h"
#include "base/sha256.h"
#include "base/span.h"

#define DIGEST_PREFIX			"sha256:"
#define DIGEST_TEXT_LENGTH		(7 + 2 * SHA256_LENGTH)

/* Top-level members that a canonical form may leave out. */
typedef struct CanonicalOmit
{
	int			count;
	const char *keys[4];
} CanonicalOmit;

/*
 * Says where one top-level member lies in a canonical form.  The range includes the
 * comma that goes with the member, so cutting the range out gives the canonical form
 * without it.
 */
typedef struct CanonicalSpan
{
	const char *key;
	int			begin;			/* both 0 if there is no such member */
	int			end;
	const char *missing;		/* a member that the document lacks, in ASCII, or NULL */
	int			place;			/* where it would be written, with a comma before it; it is never the first */
} CanonicalSpan;

/* The portable form of a number: plain digits, or a string. */
typedef struct PlainNumber
{
	const char *text;			/* exact plain decimal text */
	int			len;
	bool		is_integer;
	bool		is_portable;	/* stays a JSON number? */
} PlainNumber;

extern void CanonicalWrite(StringInfo out, const JsonView *view,
						   const CanonicalOmit *omit);
extern int	CanonicalWriteMarking(StringInfo out, const JsonView *view,
								  const CanonicalOmit *omit, CanonicalSpan *mark, bool portable);
extern void CanonicalWritePortable(StringInfo out, const JsonView *view);
extern void CanonicalAddMissing(StringInfo text, const CanonicalSpan *mark, const JsonView *member);
extern bool CanonicalIsWritable(const JsonView *view);
extern Size CanonicalSize(const JsonView *view);
extern Size CanonicalSizePortable(const JsonView *view);
extern void CanonicalSha256(const JsonView *view, const CanonicalOmit *omit,
							uint8 *sha256);
extern bool CanonicalIsSame(const JsonView *a, const JsonView *b);
extern void CanonicalDigest(const JsonView *view, const CanonicalOmit *omit,
							char *digest);
extern void CanonicalDigestWithout(StringInfo text, const CanonicalSpan *mark, char *digest);
extern bool CanonicalDigestsEqual(const JsonView *a, const JsonView *b);
extern void CanonicalDigestPortable(const JsonView *view, char *digest);
extern bool IsDigestText(const char *str, int len);
extern void Sha256Without(StringInfo text, int begin, int end, uint8 *sha256);
extern void HexEncode(const uint8 *bytes, int len, char *hex);

extern bool NumberPlain(const JsonView *number, PlainNumber *plain);
extern bool NumberIntegerBetween(const JsonView *view, int64 least, int64 most, int64 *integer);
extern bool JsonViewPortable(const JsonView *view, JsonView *portable);
extern bool JsonViewNumberOfPortable(const JsonView *view, JsonView *number);
extern Jsonb *JsonViewToJsonb(const JsonView *view, bool portable);
extern Span JsonViewWritten(const JsonView *object, const StringInfoData *text);
extern JsonView JsonViewOfWritten(Span written);
extern JsonView PortableCopy(const JsonView *view);
extern JsonView HexView(const char *name, int len);
extern Datum ResultIn(MemoryContext context, const JsonView *view);
extern char *ShownValue(const JsonView *view);
extern char *ShownText(Span text);

/*
 * Returns "ARRAY[INDEX].KEY DEMAND, and is SEEN", which says what is wrong with a member
 * of an array's element.
 */
extern char *ElementProblem(const char *array, int index, const char *key, const char *demand, const JsonView *seen);

#endif							/* ANSWER_EVAL_CANONICAL_H */
