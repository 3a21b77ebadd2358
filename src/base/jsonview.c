/*-------------------------------------------------------------------------
 *
 * jsonview.c
 *		One read-only view of a JSON value, however it is stored.
 *
 * Rule: doc/spec/document.md §1.
 *
 * See jsonview.h for the idea.  There are three parts: a strict RFC 8259
 * parser for json text, which keeps number literals verbatim; a reader of
 * jsonb's on-disk format, which allocates nothing for what it reads; and a
 * builder.
 *
 * Promises: the parser accepts what PostgreSQL's json type accepts, except
 * half surrogates and \u0000.  These have no meaning as text and are refused
 * everywhere.  The parser reports failures as values, so that a verifier can
 * say "not a receipt" instead of raising.  Work is linear in the input, plus
 * sorting of object keys.  Depth is bounded by the stack.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/builtins.h"

#include "base/grow.h"
#include "base/jsonview.h"
#include "base/limits.h"
#include "base/numbers.h"

/* numeric's own limits, which are those of jsonb and ours. */
#define NUMBER_MAX_BEFORE	131072
#define NUMBER_MAX_AFTER	16383

/* Size of the blocks for containers of a parsed document. */
#define KEPT_BLOCK_SIZE		8192

/* A jsonb object with at most this many keys is scanned instead of bisected. */
#define SCANNED_KEYS		32

/*
 * encodings
 */

/* ASCII is the same in every database encoding. */
static bool
IsAsciiText(const char *s, int len)
{
	for (int i = 0; i < len; i++)
	{
		if (IS_HIGHBIT_SET(s[i]))
			return false;
	}
	return true;
}

/*
 * Returns s in UTF-8, which is s itself if it is UTF-8 already.  A SQL_ASCII database
 * does not validate its bytes, so they are checked here (22021).
 */
char *
JsonServerToUtf8(const char *s, int len, int *outlen)
{
	char	   *converted;

	*outlen = len;
	if (GetDatabaseEncoding() == PG_UTF8 || IsAsciiText(s, len))
		return unconstify(char *, s);
	converted = pg_server_to_any(s, len, PG_UTF8);
	if (converted != s)
		*outlen = strlen(converted);
	return converted;
}

/* Converts UTF-8 bytes to the database's encoding; raises an error if it lacks a character. */
char *
JsonUtf8ToServer(const char *s, int len, int *outlen)
{
	char	   *converted;

	*outlen = len;
	if (GetDatabaseEncoding() == PG_UTF8 || IsAsciiText(s, len))
		return unconstify(char *, s);
	converted = pg_any_to_server(s, len, PG_UTF8);
	if (converted != s)
		*outlen = strlen(converted);
	return converted;
}

/*
 * the text parser
 */

typedef struct JsonParser
{
	const char *start;
	const char *cur;
	const char *end;
	bool		unique;			/* refuse an object that has a key twice? */
	bool		repeated;		/* was there one? */
	char	   *stack;			/* members and elements of the containers being read */
	Size		used;			/* bytes in use on the stack */
	Size		allocated;
	char	   *block;			/* memory for results, cut off piece by piece */
	Size		left;			/* bytes left in it */
} JsonParser;

static JsonTextStatus ParseValue(JsonParser *parser, JsonView *view);

static void
SkipSpace(JsonParser *parser)
{
	while (parser->cur < parser->end &&
		   (*parser->cur == ' ' || *parser->cur == '\t' ||
			*parser->cur == '\n' || *parser->cur == '\r'))
		parser->cur++;
}

static bool
NextIs(JsonParser *parser, char c)
{
	return parser->cur < parser->end && *parser->cur == c;
}

/* Reads four hex digits, or returns -1. */
static int
HexUnit(const char *s, const char *end)
{
	int			unit = 0;

	if (end - s < 4)
		return -1;
	for (int i = 0; i < 4; i++)
	{
		char		c = s[i];

		unit <<= 4;
		if (c >= '0' && c <= '9')
			unit |= c - '0';
		else if (c >= 'a' && c <= 'f')
			unit |= c - 'a' + 10;
		else if (c >= 'A' && c <= 'F')
			unit |= c - 'A' + 10;
		else
			return -1;
	}
	return unit;
}

/*
 * Decodes one escape; cur is after the backslash.  Appends UTF-8 at *out and advances
 * both.
 */
static JsonTextStatus
DecodeEscape(JsonParser *parser, char **out)
{
	pg_wchar	c;
	int			unit;

	if (parser->cur >= parser->end)
		return JSON_TEXT_SYNTAX;
	switch (*parser->cur++)
	{
		case '"':
			*(*out)++ = '"';
			return JSON_TEXT_OK;
		case '\\':
			*(*out)++ = '\\';
			return JSON_TEXT_OK;
		case '/':
			*(*out)++ = '/';
			return JSON_TEXT_OK;
		case 'b':
			*(*out)++ = '\b';
			return JSON_TEXT_OK;
		case 'f':
			*(*out)++ = '\f';
			return JSON_TEXT_OK;
		case 'n':
			*(*out)++ = '\n';
			return JSON_TEXT_OK;
		case 'r':
			*(*out)++ = '\r';
			return JSON_TEXT_OK;
		case 't':
			*(*out)++ = '\t';
			return JSON_TEXT_OK;
		case 'u':
			break;
		default:
			return JSON_TEXT_SYNTAX;
	}

	unit = HexUnit(parser->cur, parser->end);
	if (unit < 0)
		return JSON_TEXT_SYNTAX;
	parser->cur += 4;
	if (unit == 0)
		return JSON_TEXT_NUL;
	if (unit >= 0xDC00 && unit <= 0xDFFF)
		return JSON_TEXT_SURROGATE;
	c = (pg_wchar) unit;
	if (unit >= 0xD800 && unit <= 0xDBFF)
	{
		int			low;

		if (parser->end - parser->cur < 6 ||
			parser->cur[0] != '\\' || parser->cur[1] != 'u')
			return JSON_TEXT_SURROGATE;
		low = HexUnit(parser->cur + 2, parser->end);
		if (low < 0)
			return JSON_TEXT_SYNTAX;
		if (low < 0xDC00 || low > 0xDFFF)
			return JSON_TEXT_SURROGATE;
		parser->cur += 6;
		c = 0x10000 + ((pg_wchar) (unit - 0xD800) << 10) + (low - 0xDC00);
	}
	unicode_to_utf8(c, (unsigned char *) *out);
	*out += pg_utf_mblen((unsigned char *) *out);
	return JSON_TEXT_OK;
}

/* Reads a string; cur is after the opening quote. */
static JsonTextStatus
ParseString(JsonParser *parser, const char **str, int *len)
{
	const char *begin = parser->cur;
	const char *close;
	char	   *decoded;
	char	   *out;
	bool		escaped = false;

	/* find the closing quote; most strings have no escape and are borrowed */
	for (close = begin;; close++)
	{
		if (close >= parser->end || (unsigned char) *close < 0x20)
		{
			parser->cur = close;
			return JSON_TEXT_SYNTAX;
		}
		if (*close == '"')
			break;
		if (*close == '\\')
		{
			escaped = true;
			close++;			/* the character after it cannot close the string */
			if (close >= parser->end || (unsigned char) *close < 0x20)
			{
				parser->cur = close;
				return JSON_TEXT_SYNTAX;
			}
		}
	}
	if (!escaped)
	{
		*str = begin;
		*len = close - begin;
		parser->cur = close + 1;
		return JSON_TEXT_OK;
	}

	/* an escape is never shorter than what it stands for */
	decoded = out = palloc_extended(close - begin + 1, MCXT_ALLOC_HUGE);
	while (parser->cur < close)
	{
		if (*parser->cur == '\\')
		{
			JsonTextStatus status;

			parser->cur++;
			status = DecodeEscape(parser, &out);
			if (status != JSON_TEXT_OK)
				return status;
		}
		else
			*out++ = *parser->cur++;
	}
	parser->cur = close + 1;
	*str = decoded;
	*len = out - decoded;
	return JSON_TEXT_OK;
}

static bool
SkipDigits(JsonParser *parser)
{
	const char *begin = parser->cur;

	while (parser->cur < parser->end &&
		   *parser->cur >= '0' && *parser->cur <= '9')
		parser->cur++;
	return parser->cur > begin;
}

static JsonTextStatus
ParseNumber(JsonParser *parser, JsonView *view)
{
	const char *begin = parser->cur;

	if (NextIs(parser, '-'))
		parser->cur++;
	if (NextIs(parser, '0'))
		parser->cur++;
	else if (!SkipDigits(parser))
		return JSON_TEXT_SYNTAX;
	if (NextIs(parser, '.'))
	{
		parser->cur++;
		if (!SkipDigits(parser))
			return JSON_TEXT_SYNTAX;
	}
	if (NextIs(parser, 'e') || NextIs(parser, 'E'))
	{
		parser->cur++;
		if (NextIs(parser, '+') || NextIs(parser, '-'))
			parser->cur++;
		if (!SkipDigits(parser))
			return JSON_TEXT_SYNTAX;
	}
	view->type = JVIEW_NUMBER;
	view->str = begin;
	view->len = parser->cur - begin;
	return JSON_TEXT_OK;
}

static JsonTextStatus
ParseWord(JsonParser *parser, const char *word, JsonView *view)
{
	size_t		len = strlen(word);

	if ((size_t) (parser->end - parser->cur) < len ||
		memcmp(parser->cur, word, len) != 0)
		return JSON_TEXT_SYNTAX;
	parser->cur += len;
	view->type = (*word == 'n') ? JVIEW_NULL : JVIEW_BOOL;
	view->boolean = (*word == 't');
	return JSON_TEXT_OK;
}

/* Pushes a member or an element, of size "size", on the stack. */
static void
PushItem(JsonParser *parser, const void *item, Size size)
{
	if (parser->allocated - parser->used < size)
	{
		parser->allocated = parser->allocated ? parser->allocated * 2 : 2048;
		parser->stack = parser->stack ?
			repalloc_huge(parser->stack, parser->allocated) :
			palloc(parser->allocated);
	}
	memcpy(parser->stack + parser->used, item, size);
	parser->used += size;
}

/*
 * Returns memory for a result.  Pieces are cut off blocks, because a header and
 * rounding for each piece would take more space than most containers.
 */
static void *
KeepItems(JsonParser *parser, Size size)
{
	char	   *kept;

	size = MAXALIGN(size);
	if (size > KEPT_BLOCK_SIZE / 4)
		return palloc_extended(size, MCXT_ALLOC_HUGE);
	if (size > parser->left)
	{
		/* the first one is small, because most documents are */
		parser->left = parser->block ? KEPT_BLOCK_SIZE : KEPT_BLOCK_SIZE / 4;
		parser->block = palloc(parser->left);
	}
	kept = parser->block;
	parser->block += size;
	parser->left -= size;
	return kept;
}

static inline int
CompareKeys(const JsonMember *left, const JsonMember *right)
{
	int			common = Min(left->key.len, right->key.len);
	int			cmp = common > 0 ? memcmp(left->key.str, right->key.str, common) : 0;

	return cmp != 0 ? cmp : left->key.len - right->key.len;
}

/* a sort with an inlined comparison, because every object is sorted */
#define ST_SORT SortMembers
#define ST_ELEMENT_TYPE JsonMember
#define ST_COMPARE(a, b) CompareKeys(a, b)
#define ST_CHECK_FOR_INTERRUPTS
#define ST_SCOPE static
#define ST_DECLARE
#define ST_DEFINE
#include "lib/sort_template.h"

/* A member with its position in the source, because the sort is not stable. */
typedef struct OrderedMember
{
	JsonMember	member;
	int			order;
} OrderedMember;

static int
CompareOrdered(const void *a, const void *b)
{
	int			cmp = CompareKeys(&((const OrderedMember *) a)->member,
								  &((const OrderedMember *) b)->member);

	if (cmp != 0)
		return cmp;
	return ((const OrderedMember *) a)->order - ((const OrderedMember *) b)->order;
}

/* Sorts members by key; those with the same key stay in order.  Most objects are small and are sorted in place. */
static void
SortStable(JsonMember *members, int count)
{
	OrderedMember *ordered;

	if (count <= SMALL_OBJECT)
	{
		for (int i = 1; i < count; i++)
		{
			JsonMember	member = members[i];
			int			at = i;

			for (; at > 0 && CompareKeys(&members[at - 1], &member) > 0; at--)
				members[at] = members[at - 1];
			members[at] = member;
		}
		return;
	}
	ordered = palloc_extended(sizeof(OrderedMember) * (Size) count, MCXT_ALLOC_HUGE);
	for (int i = 0; i < count; i++)
	{
		ordered[i].member = members[i];
		ordered[i].order = i;
	}
	qsort(ordered, count, sizeof(OrderedMember), CompareOrdered);
	for (int i = 0; i < count; i++)
		members[i] = ordered[i].member;
	pfree(ordered);
}

/*
 * Sorts members by key and, of members with the same key, keeps the last one.  Returns
 * true if there were such.  Not inlined, because the parser of containers is recursive,
 * and each level would have this function's variables on the stack.
 */
static pg_noinline bool
SortParsed(JsonTree *tree)
{
	bool		ascending = true;
	int			count = tree->count;
	int			kept = 0;

	tree->sorted = true;
	for (int i = 1; i < count && ascending; i++)
		ascending = CompareKeys(&tree->members[i - 1], &tree->members[i]) < 0;
	if (ascending)
		return false;

	SortStable(tree->members, count);
	for (int i = 0; i < count; i++)
	{
		if (i + 1 < count && CompareKeys(&tree->members[i], &tree->members[i + 1]) == 0)
			continue;			/* a later duplicate wins */
		tree->members[kept++] = tree->members[i];
	}
	tree->count = kept;
	return kept < count;
}

/* Takes what was pushed since "base" as the content of a finished container. */
static JsonTree *
PopTree(JsonParser *parser, Size base, bool is_object)
{
	static JsonTree empty = {.sorted = true};	/* never added to */
	Size		size = parser->used - base;
	JsonTree   *tree;

	if (size == 0)
		return &empty;
	tree = KeepItems(parser, sizeof(JsonTree));
	memset(tree, 0, sizeof(JsonTree));
	tree->count = tree->capacity = size / (is_object ? sizeof(JsonMember) : sizeof(JsonView));
	if (is_object)
	{
		tree->members = KeepItems(parser, size);
		memcpy(tree->members, parser->stack + base, size);
		if (SortParsed(tree))
			parser->repeated = true;
	}
	else
	{
		tree->elements = KeepItems(parser, size);
		memcpy(tree->elements, parser->stack + base, size);
	}
	parser->used = base;
	return tree;
}

/* Reads the members of an array or object; cur is after the opening bracket. */
static JsonTextStatus
ParseContainer(JsonParser *parser, bool is_object, JsonView *view)
{
	char		close = is_object ? '}' : ']';
	Size		base = parser->used;
	JsonTextStatus status;

	SkipSpace(parser);
	if (NextIs(parser, close))
		parser->cur++;
	else
	{
		for (;;)
		{
			JsonMember	member;

			memset(&member, 0, sizeof(member));
			SkipSpace(parser);
			if (is_object)
			{
				if (!NextIs(parser, '"'))
					return JSON_TEXT_SYNTAX;
				parser->cur++;
				status = ParseString(parser, &member.key.str, &member.key.len);
				if (status != JSON_TEXT_OK)
					return status;
				SkipSpace(parser);
				if (!NextIs(parser, ':'))
					return JSON_TEXT_SYNTAX;
				parser->cur++;
			}
			status = ParseValue(parser, &member.value);
			if (status != JSON_TEXT_OK)
				return status;
			if (is_object)
				PushItem(parser, &member, sizeof(JsonMember));
			else
				PushItem(parser, &member.value, sizeof(JsonView));
			SkipSpace(parser);
			if (NextIs(parser, close))
			{
				parser->cur++;
				break;
			}
			if (!NextIs(parser, ','))
				return JSON_TEXT_SYNTAX;
			parser->cur++;
		}
	}
	view->type = is_object ? JVIEW_OBJECT : JVIEW_ARRAY;
	view->u.tree = PopTree(parser, base, is_object);
	return parser->unique && parser->repeated ? JSON_TEXT_DUPLICATE : JSON_TEXT_OK;
}

static JsonTextStatus
ParseValue(JsonParser *parser, JsonView *view)
{
	memset(view, 0, sizeof(*view));
	CHECK_FOR_INTERRUPTS();
	if (stack_is_too_deep())
		return JSON_TEXT_DEPTH;

	SkipSpace(parser);
	if (parser->cur >= parser->end)
		return JSON_TEXT_SYNTAX;
	switch (*parser->cur)
	{
		case '{':
			parser->cur++;
			return ParseContainer(parser, true, view);
		case '[':
			parser->cur++;
			return ParseContainer(parser, false, view);
		case '"':
			parser->cur++;
			view->type = JVIEW_STRING;
			return ParseString(parser, &view->str, &view->len);
		case 't':
			return ParseWord(parser, "true", view);
		case 'f':
			return ParseWord(parser, "false", view);
		case 'n':
			return ParseWord(parser, "null", view);
		default:
			return ParseNumber(parser, view);
	}
}

static JsonTextStatus
ParseDocument(const char *utf8, size_t len, bool unique, JsonView *view, size_t *where)
{
	JsonParser	parser;
	JsonTextStatus status;

	*where = DOCUMENT_MAX_SIZE;
	if (len > DOCUMENT_MAX_SIZE)
		return JSON_TEXT_SIZE;
	memset(&parser, 0, sizeof(parser));
	parser.unique = unique;
	parser.start = parser.cur = utf8;
	parser.end = utf8 + len;
	status = ParseValue(&parser, view);
	if (status == JSON_TEXT_OK)
	{
		SkipSpace(&parser);
		if (parser.cur < parser.end)
			status = JSON_TEXT_SYNTAX;
	}
	if (parser.stack)
		pfree(parser.stack);
	*where = parser.cur - parser.start;
	return status;
}

/*
 * Parses a whole document.  On failure, *where is the offset of the byte at which the
 * problem was noticed.
 */
JsonTextStatus
JsonViewOfText(const char *utf8, size_t len, JsonView *view, size_t *where)
{
	return ParseDocument(utf8, len, false, view, where);
}

/*
 * Does the same, and refuses a document in which an object has a key twice, however
 * spelled: every reader must read a signed document alike.
 */
JsonTextStatus
JsonViewOfUniqueText(const char *utf8, size_t len, JsonView *view, size_t *where)
{
	return ParseDocument(utf8, len, true, view, where);
}

/* Returns the message for a status of JsonViewOfText, for a verifier that does not raise errors. */
const char *
JsonTextProblem(JsonTextStatus status)
{
	switch (status)
	{
		case JSON_TEXT_DUPLICATE:
			return "the document has a member twice in one object";
		case JSON_TEXT_SIZE:
			return "the document is larger than " CppAsString2(DOCUMENT_MAX_SIZE) " bytes";
		default:
			return "the document is no JSON object";
	}
}

/* Raises the error for a status of JsonViewOfText. */
void
JsonTextError(JsonTextStatus status, size_t where)
{
	switch (status)
	{
		case JSON_TEXT_NUL:
			ereport(ERROR,
					(errcode(ERRCODE_UNTRANSLATABLE_CHARACTER),
					 errmsg("unsupported Unicode escape sequence"),
					 errdetail("\\u0000 cannot be converted to text (near byte %zu).", where)));
			break;
		case JSON_TEXT_SURROGATE:
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
					 errmsg("invalid input syntax for type json"),
					 errdetail("A Unicode surrogate stands without its other half (near byte %zu).", where)));
			break;
		case JSON_TEXT_DEPTH:
			ereport(ERROR,
					(errcode(ERRCODE_STATEMENT_TOO_COMPLEX),
					 errmsg("stack depth limit exceeded"),
					 errdetail("The document is nested too deeply at byte %zu.", where),
					 errhint("Increase the configuration parameter max_stack_depth, after ensuring the platform's stack depth limit is adequate.")));
			break;
		case JSON_TEXT_SIZE:
			ereport(ERROR,
					(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
					 errmsg("the document is too large"),
					 errdetail("A document given as JSON text has at most %d bytes.", DOCUMENT_MAX_SIZE),
					 errhint("Give it as jsonb, or in parts.")));
			break;
		case JSON_TEXT_DUPLICATE:
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("the document has a member twice in one object"),
					 errdetail("The object ends at byte %zu.", where)));
			break;
		default:
			break;
	}
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
			 errmsg("invalid input syntax for type json"),
			 errdetail("The document ends or breaks off at byte %zu.", where)));
}

/*
 * reading jsonb in place
 */

/* Makes a view of child "index" of a jsonb container. */
static inline void
ViewOfEntry(const JsonbContainer *container, char *base, int index,
			uint32 offset, JsonView *view)
{
	JEntry		entry = container->children[index];

	view->str = NULL;			/* or u, which is in the same place */
	view->len = 0;
	view->boolean = false;
	view->is_jsonb = true;
	view->is_ordinary = false;
	if (JBE_ISSTRING(entry))
	{
		view->type = JVIEW_STRING;
		view->str = JsonServerToUtf8(base + offset,
									 getJsonbLength(container, index),
									 &view->len);
	}
	else if (JBE_ISNUMERIC(entry))
	{
		view->type = JVIEW_NUMBER;
		view->u.numeric = (Numeric) (base + INTALIGN(offset));
	}
	else if (JBE_ISCONTAINER(entry))
	{
		view->u.jsonb = (JsonbContainer *) (base + INTALIGN(offset));
		view->type = JsonContainerIsObject(view->u.jsonb) ?
			JVIEW_OBJECT : JVIEW_ARRAY;
	}
	else if (JBE_ISNULL(entry))
		view->type = JVIEW_NULL;
	else
	{
		view->type = JVIEW_BOOL;
		view->boolean = JBE_ISBOOL_TRUE(entry);
	}
}

void
JsonViewOfJsonb(Jsonb *jb, JsonView *view)
{
	JsonbContainer *root = &jb->root;

	memset(view, 0, sizeof(*view));
	if (JsonContainerIsScalar(root))
	{
		ViewOfEntry(root, (char *) &root->children[1], 0, 0, view);
		return;
	}
	view->type = JsonContainerIsObject(root) ? JVIEW_OBJECT : JVIEW_ARRAY;
	view->is_jsonb = true;
	view->u.jsonb = root;
}

/* Returns the number of elements or members. */
int
JsonViewCount(const JsonView *view)
{
	if (!JVIEW_IS_CONTAINER(view))
		return 0;
	return view->is_jsonb ? (int) JsonContainerSize(view->u.jsonb) : view->u.tree->count;
}

static bool
TreeGet(const JsonTree *tree, const char *key, int keylen, JsonView *value)
{
	int			low = 0;
	int			high = tree->count;

	if (!tree->sorted || tree->count <= SCANNED_KEYS)
	{
		for (int i = 0; i < tree->count; i++)
		{
			if (tree->members[i].key.len == keylen &&
				memcmp(tree->members[i].key.str, key, keylen) == 0)
			{
				*value = tree->members[i].value;
				return true;
			}
		}
		return false;
	}
	while (low < high)
	{
		int			middle = low + (high - low) / 2;
		JsonMember	wanted = {.key = SpanOf(key, keylen)};
		int			cmp = CompareKeys(&wanted, &tree->members[middle]);

		if (cmp == 0)
		{
			*value = tree->members[middle].value;
			return true;
		}
		if (cmp < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return false;
}

/* Compares keys as jsonb does: by length, then by bytes. */
static inline int
CompareStoredKey(const char *a, int alen, const char *b, int blen)
{
	if (alen != blen)
		return alen > blen ? 1 : -1;
	return memcmp(a, b, alen);
}

/*
 * Finds a member of a small object in one pass over the entries.  This is faster than
 * bisection, because jsonb stores lengths, which each step of a bisection would have to
 * add up.  Keys are sorted by length first.  Returns the index of the member's value,
 * and its offset.
 */
static inline int
ScanKeys(const JsonbContainer *container, int count, const char *key, int keylen,
		 uint32 *offset)
{
	const char *base = (const char *) &container->children[count * 2];
	uint32		begin = 0;
	uint32		end = 0;
	int			i;

	for (i = 0; i < count; i++)
	{
		JBE_ADVANCE_OFFSET(end, container->children[i]);
		if ((int) (end - begin) == keylen)
		{
			int			cmp = keylen > 0 ?
				(unsigned char) *key - (unsigned char) base[begin] : 0;

			if (cmp == 0)
				cmp = memcmp(key, base + begin, keylen);
			if (cmp < 0)
				return -1;
			if (cmp == 0)
				break;
		}
		else if ((int) (end - begin) > keylen)
			return -1;
		begin = end;
	}
	if (i == count)
		return -1;
	for (int j = i + 1; j < count + i; j++)
		JBE_ADVANCE_OFFSET(end, container->children[j]);
	*offset = end;
	return count + i;
}

static int
SearchKeys(const JsonbContainer *container, int count, const char *key, int keylen,
		   uint32 *offset)
{
	const char *base = (const char *) &container->children[count * 2];
	int			low = 0;
	int			high = count;

	while (low < high)
	{
		int			middle = low + (high - low) / 2;
		int			cmp = CompareStoredKey(key, keylen,
										   base + getJsonbOffset(container, middle),
										   getJsonbLength(container, middle));

		if (cmp == 0)
		{
			*offset = getJsonbOffset(container, count + middle);
			return count + middle;
		}
		if (cmp < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return -1;
}

/*
 * Looks a key up.  Returns false, and an absent view, if the object lacks the member or
 * "object" is not an object.  "value" may be the same as "object".
 */
bool
JsonViewGet(const JsonView *object, const char *key, int keylen, JsonView *value)
{
	JsonbContainer *container;
	uint32		offset;
	int			count;
	int			index;
	JsonView	from = *object;

	value->type = JVIEW_ABSENT;
	if (from.type != JVIEW_OBJECT)
		return false;
	if (!from.is_jsonb)
		return TreeGet(from.u.tree, key, keylen, value);

	if (GetDatabaseEncoding() != PG_UTF8)
		key = JsonUtf8ToServer(key, keylen, &keylen);
	container = from.u.jsonb;
	count = JsonContainerSize(container);
	index = count <= SCANNED_KEYS ?
		ScanKeys(container, count, key, keylen, &offset) :
		SearchKeys(container, count, key, keylen, &offset);
	if (index < 0)
		return false;
	ViewOfEntry(container, (char *) &container->children[count * 2], index, offset, value);
	return true;
}

/* Looks an array element up, as JsonViewGet does for keys. */
bool
JsonViewElement(const JsonView *array, int index, JsonView *value)
{
	JsonbContainer *container;
	JsonView	from = *array;

	value->type = JVIEW_ABSENT;
	if (from.type != JVIEW_ARRAY || index < 0 || index >= JsonViewCount(&from))
		return false;
	if (!from.is_jsonb)
	{
		*value = from.u.tree->elements[index];
		return true;
	}
	container = from.u.jsonb;
	ViewOfEntry(container, (char *) &container->children[JsonContainerSize(container)],
				index, getJsonbOffset(container, index), value);
	return true;
}

/* Returns member number "index" of an object, in no particular order. */
JsonView
JsonViewMember(const JsonView *object, int index, Span *key)
{
	JsonbContainer *container;
	char	   *base;
	int			count;
	JsonView	value;

	Assert(object->type == JVIEW_OBJECT);
	if (!object->is_jsonb)
	{
		JsonMember *member = &object->u.tree->members[index];

		*key = member->key;
		return member->value;
	}
	container = object->u.jsonb;
	count = JsonContainerSize(container);
	base = (char *) &container->children[count * 2];
	key->str = JsonServerToUtf8(base + getJsonbOffset(container, index),
								getJsonbLength(container, index), &key->len);
	ViewOfEntry(container, base, count + index,
				getJsonbOffset(container, count + index), &value);
	return value;
}

/*
 * Returns all members in code-point order of their keys, which in UTF-8 is byte order.
 * The tree owns the array.  For jsonb, which sorts keys by length first, a new array is
 * allocated.
 */
JsonMember *
JsonViewSortedMembers(const JsonView *object, int *count)
{
	JsonbContainer *container;
	JsonMember *members;
	char	   *base;
	uint32		offset = 0;
	int			n = JsonViewCount(object);
	bool		ascending = true;

	Assert(object->type == JVIEW_OBJECT);
	*count = n;
	if (!object->is_jsonb)
	{
		JsonTree   *tree = object->u.tree;

		if (!tree->sorted && n > 1)
			SortMembers(tree->members, n);
		tree->sorted = true;
		return tree->members;
	}
	if (n == 0)
		return NULL;

	container = object->u.jsonb;
	base = (char *) &container->children[n * 2];
	members = palloc_extended(sizeof(JsonMember) * (Size) n, MCXT_ALLOC_HUGE);
	for (int i = 0; i < n; i++)
	{
		uint32		begin = offset;

		JBE_ADVANCE_OFFSET(offset, container->children[i]);
		members[i].key.str = JsonServerToUtf8(base + begin, offset - begin,
										  &members[i].key.len);
	}
	for (int i = 0; i < n; i++)
	{
		ViewOfEntry(container, base, n + i, offset, &members[i].value);
		JBE_ADVANCE_OFFSET(offset, container->children[n + i]);
		if (i > 0 && ascending)
			ascending = CompareKeys(&members[i - 1], &members[i]) < 0;
	}
	if (!ascending)
		SortMembers(members, n);
	return members;
}

/* Has a number more than LONG_NUMBER_DIGITS digits on one side of the point? */
static bool
IsLongNumber(const JsonView *number)
{
	Numeric		numeric;
	Numeric		bound;

	if (number->is_jsonb ? NumericIsOrdinary(number->u.numeric) :
		number->len <= LONG_NUMBER_DIGITS && memchr(number->str, 'e', number->len) == NULL &&
		memchr(number->str, 'E', number->len) == NULL)
		return false;
	if (!JsonViewNumeric(number, &numeric))
		return false;			/* it is written unchanged, or not at all */
	if (DatumGetInt32(DirectFunctionCall1(numeric_scale, NumericGetDatum(numeric))) > LONG_NUMBER_DIGITS)
		return true;
	bound = NumberOfLiteral("1e" CppAsString2(LONG_NUMBER_DIGITS));
	return NumberCompare(numeric, bound) >= 0 || NumberCompare(numeric, NumberNegate(bound)) <= 0;
}

static void
CountLongNumbers(const JsonView *view, int most, int *found)
{
	int			count = JsonViewCount(view);

	CHECK_FOR_INTERRUPTS();
	check_stack_depth();
	if (view->type == JVIEW_NUMBER && IsLongNumber(view))
		(*found)++;
	for (int i = 0; i < count && *found <= most; i++)
	{
		Span		key;
		JsonView	child = view->type == JVIEW_ARRAY ? JsonViewAt(view, i) : JsonViewMember(view, i, &key);

		if (child.type == JVIEW_NUMBER || JVIEW_IS_CONTAINER(&child))
			CountLongNumbers(&child, most, found);
	}
}

/*
 * Does a value have more than "most" long numbers?  A few bytes of jsonb can be a
 * number of a hundred thousand digits, and code that writes numbers as text must not
 * meet many.  The caller has checked the value's depth.
 */
bool
JsonViewHasLongNumbers(const JsonView *view, int most)
{
	int			found = 0;

	CountLongNumbers(view, most, &found);
	return found > most;
}

/* Does JsonViewIsDeeper() for jsonb. */
static bool
IsContainerDeeper(const JsonbContainer *container, int levels)
{
	int			count = JsonContainerSize(container) * (JsonContainerIsObject(container) ? 2 : 1);
	const char *base = (const char *) &container->children[count];

	check_stack_depth();
	CHECK_FOR_INTERRUPTS();
	if (levels == 0)
		return true;
	for (int i = 0; i < count; i++)
	{
		if (JBE_ISCONTAINER(container->children[i]) &&
			IsContainerDeeper((const JsonbContainer *) (base + INTALIGN(getJsonbOffset(container, i))), levels - 1))
			return true;
	}
	return false;
}

/* Is a value nested more deeply than this many levels? */
bool
JsonViewIsDeeper(const JsonView *view, int levels)
{
	int			count;

	CHECK_FOR_INTERRUPTS();
	if (!JVIEW_IS_CONTAINER(view) || (view->is_written && levels >= WRITTEN_MAX_DEPTH))
		return false;
	if (view->is_jsonb)
		return IsContainerDeeper(view->u.jsonb, levels);
	if (levels == 0)
		return true;
	count = JsonViewCount(view);
	for (int i = 0; i < count; i++)
	{
		const JsonView *child = view->type == JVIEW_ARRAY ?
			&view->u.tree->elements[i] : &view->u.tree->members[i].value;

		if (JVIEW_IS_CONTAINER(child) && JsonViewIsDeeper(child, levels - 1))
			return true;
	}
	return false;
}

/* Returns true if the object has a string under key. */
bool
JsonViewGetString(const JsonView *object, const char *key, Span *text)
{
	JsonView	value = JsonViewUnder(object, key);

	if (value.type == JVIEW_STRING)
		*text = SpanOfView(&value);
	return value.type == JVIEW_STRING;
}

/*
 * Returns true if the object has a string under key, or lacks it.  A missing or null
 * member gives an absent view.
 */
bool
JsonViewGetTextOrNone(const JsonView *object, const char *key, JsonView *view)
{
	if (JsonViewGetMember(object, key, view) && view->type == JVIEW_NULL)
		view->type = JVIEW_ABSENT;
	return view->type == JVIEW_ABSENT || view->type == JVIEW_STRING;
}

bool
JsonViewStringIs(const JsonView *view, const char *literal)
{
	return view->type == JVIEW_STRING &&
		(size_t) view->len == strlen(literal) &&
		memcmp(view->str, literal, view->len) == 0;
}

/*
 * Returns true if numeric_in would accept the literal: with its exponent applied, its
 * digits are within numeric's limits.
 */
static bool
LiteralFitsNumeric(const char *literal, int len)
{
	int64		before = 0;
	int64		after = 0;
	int64		exponent = 0;
	int			i = 0;
	bool		negative = false;

	if (i < len && literal[i] == '-')
		i++;
	for (; i < len && literal[i] >= '0' && literal[i] <= '9'; i++)
		before++;
	if (i < len && literal[i] == '.')
		for (i++; i < len && literal[i] >= '0' && literal[i] <= '9'; i++)
			after++;
	if (i < len && (literal[i] == 'e' || literal[i] == 'E'))
	{
		i++;
		if (i < len && (literal[i] == '+' || literal[i] == '-'))
			negative = (literal[i++] == '-');
		for (; i < len; i++)
		{
			exponent = exponent * 10 + (literal[i] - '0');
			if (exponent > 1000000)
				return false;
		}
	}
	if (negative)
		exponent = -exponent;
	return before + exponent <= NUMBER_MAX_BEFORE && after - exponent <= NUMBER_MAX_AFTER;
}

/*
 * A cheap, sufficient test for the usual numbers: magnitude below 2^31, at most 4
 * digits after the point, no trailing zero.  Such a number is portable, and is written
 * as its portable form.
 */
bool
NumericIsOrdinary(Numeric numeric)
{
	int32		scale = DatumGetInt32(DirectFunctionCall1(numeric_scale,
														  NumericGetDatum(numeric)));
	bool		too_large;

	if (scale > 4)
		return false;
	(void) numeric_int4_opt_error(numeric, &too_large);
	return !too_large &&
		(scale == 0 ||
		 DatumGetInt32(DirectFunctionCall1(numeric_min_scale,
										   NumericGetDatum(numeric))) == scale);
}

static bool IsContainerOrdinary(const JsonbContainer *container);

/* Is a value in a container already in portable form? */
static bool
IsEntryOrdinary(const JsonbContainer *container, int index, const char *base)
{
	JEntry		entry = container->children[index];

	if (JBE_ISSTRING(entry))
		return GetDatabaseEncoding() == PG_UTF8 ||
			IsAsciiText(base + getJsonbOffset(container, index), getJsonbLength(container, index));
	if (JBE_ISNUMERIC(entry))
		return NumericIsOrdinary((Numeric) (base + INTALIGN(getJsonbOffset(container, index))));
	return !JBE_ISCONTAINER(entry) ||
		IsContainerOrdinary((const JsonbContainer *) (base + INTALIGN(getJsonbOffset(container, index))));
}

static bool
IsContainerOrdinary(const JsonbContainer *container)
{
	int			count = JsonContainerSize(container) * (JsonContainerIsObject(container) ? 2 : 1);

	check_stack_depth();
	CHECK_FOR_INTERRUPTS();
	for (int i = 0; i < count; i++)
	{
		if (!IsEntryOrdinary(container, i, (const char *) &container->children[count]))
			return false;
	}
	return true;
}

/*
 * Is it a jsonb container that is already in portable form? All its numbers are
 * ordinary, and none of its strings has to be converted between encodings, which may
 * fail.
 */
bool
JsonViewIsOrdinary(const JsonView *view)
{
	return JVIEW_IS_CONTAINER(view) && view->is_jsonb && IsContainerOrdinary(view->u.jsonb);
}

/*
 * Returns a number's value.  Returns false if the view is not a number, or one beyond
 * what numeric, and therefore jsonb, can hold.
 */
bool
JsonViewNumeric(const JsonView *view, Numeric *numeric)
{
	char	   *literal;

	if (view->type != JVIEW_NUMBER)
		return false;
	if (view->is_jsonb)
	{
		*numeric = view->u.numeric;
		return true;
	}
	if (!LiteralFitsNumeric(view->str, view->len))
		return false;
	literal = pnstrdup(view->str, view->len);
	*numeric = NumberOfLiteral(literal);
	pfree(literal);
	return true;
}

/*
 * building
 */

JsonView
JsonViewNull(void)
{
	JsonView	view = {.type = JVIEW_NULL};

	return view;
}

JsonView
JsonViewBool(bool boolean)
{
	JsonView	view = {.type = JVIEW_BOOL, .boolean = boolean};

	return view;
}

JsonView
JsonViewString(const char *utf8, int len)
{
	JsonView	view = {.type = JVIEW_STRING, .str = utf8, .len = len};

	return view;
}

JsonView
JsonViewCString(const char *utf8)
{
	return JsonViewString(utf8, strlen(utf8));
}

JsonView
JsonViewOfNumeric(Numeric numeric)
{
	JsonView	view = {.type = JVIEW_NUMBER, .is_jsonb = true, .u.numeric = numeric};

	return view;
}

JsonView
JsonViewInteger(int64 value)
{
	return JsonViewOfNumeric(int64_to_numeric(value));
}

static JsonView
NewContainer(JsonViewType type, int capacity)
{
	JsonView	view = {.type = type};
	JsonTree   *tree = palloc0(sizeof(JsonTree));

	tree->capacity = Max(capacity, 4);
	if (type == JVIEW_OBJECT)
		tree->members = palloc(sizeof(JsonMember) * tree->capacity);
	else
		tree->elements = palloc(sizeof(JsonView) * tree->capacity);
	view.u.tree = tree;
	return view;
}

JsonView
JsonViewNewArray(int capacity)
{
	return NewContainer(JVIEW_ARRAY, capacity);
}

JsonView
JsonViewNewObject(int capacity)
{
	return NewContainer(JVIEW_OBJECT, capacity);
}

void
JsonViewAppend(JsonView *array, JsonView value)
{
	JsonTree   *tree = array->u.tree;

	Assert(array->type == JVIEW_ARRAY && tree->capacity > 0);
	GROW_ARRAY(tree->elements, tree->count, tree->capacity, 4);
	tree->elements[tree->count++] = value;
}

/* Adds a member; the caller makes sure that no key is added twice. */
void
JsonViewSetKey(JsonView *object, const char *key, int keylen, JsonView value)
{
	JsonTree   *tree = object->u.tree;
	JsonMember *member;

	Assert(object->type == JVIEW_OBJECT && tree->capacity > 0);
	GROW_ARRAY(tree->members, tree->count, tree->capacity, 4);
	tree->sorted = false;
	member = &tree->members[tree->count++];
	member->key = SpanOf(key, keylen);
	member->value = value;
}

void
JsonViewSet(JsonView *object, const char *key, JsonView value)
{
	JsonViewSetKey(object, key, strlen(key), value);
}

JsonView
JsonViewCopyWithout(const JsonView *object, const char *const *names, int nnames, int room)
{
	int			count = JsonViewCount(object);
	JsonView	copy = JsonViewNewObject(count + room);

	for (int i = 0; i < count; i++)
	{
		Span		key;
		JsonView	value = JsonViewMember(object, i, &key);
		bool		is_left_out = false;

		for (int j = 0; j < nnames && !is_left_out; j++)
			is_left_out = SpanEqualCString(key, names[j]);
		if (!is_left_out)
			JsonViewSetKey(&copy, key.str, key.len, value);
	}
	return copy;
}
