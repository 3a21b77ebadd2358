/*-------------------------------------------------------------------------
 *
 * jsonview.h
 *		One read-only view of a JSON value, however it is stored.
 *
 * A value reaches this extension as jsonb (on disk or just computed), as json
 * text whose number literals must stay exactly as written, or as an object that
 * we are building.  All rules (canonical form, operators, checks, verification)
 * are written once, against JsonView.  Only this module knows where the bytes
 * are.
 *
 * Strings seen through a view are UTF-8 in every database encoding.  Views are
 * small, copied by value, and borrow their bytes: the source must outlive them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_JSONVIEW_H
#define ANSWER_EVAL_JSONVIEW_H

#include "utils/jsonb.h"
#include "utils/numeric.h"

#include "base/compat.h"
#include "base/span.h"

typedef enum JsonViewType
{
	JVIEW_ABSENT = 0,			/* nothing is there; JSON null is JVIEW_NULL */
	JVIEW_NULL,
	JVIEW_BOOL,
	JVIEW_NUMBER,
	JVIEW_STRING,
	JVIEW_ARRAY,
	JVIEW_OBJECT
} JsonViewType;

typedef struct JsonTree JsonTree;

/* Must stay at 16 bytes: an array of a million numbers is a million views. */
typedef struct JsonView
{
	uint8		type;			/* a JsonViewType */
	bool		boolean;		/* for JVIEW_BOOL */
	bool		is_jsonb;		/* is a container or number, stored as jsonb? */
	union
	{
		bool		is_ordinary;	/* number that is known to be ordinary; see NumericIsOrdinary */
		bool		is_written;		/* container made by JsonViewWritten */
	};
	int			len;			/* bytes in str; if is_written, bytes of the text after the jsonb */
	union
	{
		const char *str;		/* string: UTF-8; number from text: its literal */
		union
		{
			Numeric		numeric;	/* number stored as jsonb */
			JsonbContainer *jsonb;	/* container stored as jsonb */
			JsonTree   *tree;	/* container parsed from text, or built */
		}			u;
	};
} JsonView;

typedef struct JsonMember
{
	Span		key;
	JsonView	value;
} JsonMember;

/* An array or object in memory.  Members of an object are sorted by key when needed. */
struct JsonTree
{
	bool		sorted;			/* are members in code-point order of keys? */
	int			count;
	int			capacity;
	union
	{
		JsonMember *members;	/* if an object */
		JsonView   *elements;	/* if an array */
	};
};

/* Says why a text is not a JSON document that we accept. */
typedef enum JsonTextStatus
{
	JSON_TEXT_OK = 0,
	JSON_TEXT_SYNTAX,
	JSON_TEXT_SURROGATE,		/* half of a surrogate pair */
	JSON_TEXT_NUL,				/* \u0000 */
	JSON_TEXT_DEPTH,			/* nested more deeply than the stack allows */
	JSON_TEXT_SIZE,				/* longer than DOCUMENT_MAX_SIZE */
	JSON_TEXT_DUPLICATE			/* one object has a key twice */
} JsonTextStatus;

/* JsonViewWritten makes at most this many levels, so nobody has to count them. */
#define WRITTEN_MAX_DEPTH	64

/* Objects with at most this many members are sorted by insertion. */
#define SMALL_OBJECT	24

#define JVIEW_IS_CONTAINER(v) ((v)->type >= JVIEW_ARRAY)

/* making views */
extern void JsonViewOfJsonb(Jsonb *jb, JsonView *view);
extern JsonTextStatus JsonViewOfText(const char *utf8, size_t len,
									 JsonView *view, size_t *where);
extern JsonTextStatus JsonViewOfUniqueText(const char *utf8, size_t len,
										   JsonView *view, size_t *where);
extern _Noreturn void JsonTextError(JsonTextStatus status, size_t where);
extern const char *JsonTextProblem(JsonTextStatus status);
extern char *JsonServerToUtf8(const char *s, int len, int *outlen);
extern char *JsonUtf8ToServer(const char *s, int len, int *outlen);

/* reading containers */
extern int	JsonViewCount(const JsonView *view);
extern bool JsonViewGet(const JsonView *object, const char *key, int keylen,
						JsonView *value);
extern bool JsonViewElement(const JsonView *array, int index, JsonView *value);
extern JsonView JsonViewMember(const JsonView *object, int index, Span *key);
extern JsonMember *JsonViewSortedMembers(const JsonView *object, int *count);

/* Does the same for a key that is a C string. */
static inline bool
JsonViewGetMember(const JsonView *object, const char *key, JsonView *value)
{
	return JsonViewGet(object, key, (int) strlen(key), value);
}

/* Returns the value of a key, or an absent view. */
static inline JsonView
JsonViewUnder(const JsonView *object, const char *key)
{
	JsonView	value = {.type = JVIEW_ABSENT};

	(void) JsonViewGetMember(object, key, &value);
	return value;
}

/* Returns an element, or an absent view. */
static inline JsonView
JsonViewAt(const JsonView *array, int index)
{
	JsonView	value = {.type = JVIEW_ABSENT};

	(void) JsonViewElement(array, index, &value);
	return value;
}

/* common tests */
extern bool JsonViewIsDeeper(const JsonView *view, int levels);
extern bool JsonViewHasLongNumbers(const JsonView *view, int most);
extern bool JsonViewGetString(const JsonView *object, const char *key, Span *text);
extern bool JsonViewGetTextOrNone(const JsonView *object, const char *key, JsonView *view);
extern bool JsonViewStringIs(const JsonView *view, const char *literal);
extern bool JsonViewNumeric(const JsonView *view, Numeric *numeric);
extern bool NumericIsOrdinary(Numeric numeric);
extern bool JsonViewIsOrdinary(const JsonView *view);

/* building values */
extern JsonView JsonViewNull(void);
extern JsonView JsonViewBool(bool boolean);
extern JsonView JsonViewString(const char *utf8, int len);
extern JsonView JsonViewCString(const char *utf8);
extern JsonView JsonViewOfNumeric(Numeric numeric);
extern JsonView JsonViewInteger(int64 value);
extern JsonView JsonViewNewArray(int capacity);
extern JsonView JsonViewNewObject(int capacity);

/*
 * Returns a copy of an object without the members of these names; more members can be
 * added to it.
 */
extern JsonView JsonViewCopyWithout(const JsonView *object, const char *const *names, int nnames, int room);
extern void JsonViewAppend(JsonView *array, JsonView value);
extern void JsonViewSet(JsonView *object, const char *key, JsonView value);
extern void JsonViewSetKey(JsonView *object, const char *key, int keylen,
						   JsonView value);

static inline JsonView
SpanView(Span span)
{
	return JsonViewString(span.str, span.len);
}

static inline JsonView
SpanViewOrNull(Span span)
{
	return span.len > 0 ? SpanView(span) : JsonViewNull();
}

/* Returns the bytes of a string, or of a number's literal. */
static inline Span
SpanOfView(const JsonView *view)
{
	return SpanOf(view->str, view->len);
}

/* Returns the string that an object has under a key, or an empty one. */
static inline Span
JsonViewMemberText(const JsonView *object, const char *key)
{
	Span		text = {"", 0};

	(void) JsonViewGetString(object, key, &text);
	return text;
}

/* Is the member there, and is it this string? */
static inline bool
JsonViewMemberIs(const JsonView *object, const char *key, Span expected)
{
	Span		text;

	return JsonViewGetString(object, key, &text) && SpanEqual(text, expected);
}

/* Is the member there, and is it true? */
static inline bool
JsonViewMemberIsTrue(const JsonView *object, const char *key)
{
	JsonView	value = JsonViewUnder(object, key);

	return value.type == JVIEW_BOOL && value.boolean;
}

#endif							/* ANSWER_EVAL_JSONVIEW_H */
