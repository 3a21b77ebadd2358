/*-------------------------------------------------------------------------
 *
 * operator.c
 *		The closed set of operators, and the dotted path.
 *
 * Rule: doc/spec/answer-eval.md §2 and §3.  An operator looks at one observed
 * JSON value, or at its absence, and answers "holds", "fails" or "not
 * evaluable" with a reason.  Numbers are compared exactly, never as doubles.
 * The numeric operators also accept a string that is an integer or a decimal.
 * Equality and the text operators compare the texts of two values unless both
 * are numbers; if their types differ, a note says so.  A value that does not
 * fit is not evaluable, rather than false.  There is no pattern matching, on
 * purpose.
 *
 * Promises: pure, so immutable and parallel safe.  Time is linear in the
 * operands.  Numbers with more than 1,000 digits on either side of the point
 * are not compared, which bounds the exact arithmetic.  The operands' portable
 * form gives the same answer.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "datatype/timestamp.h"
#include "fmgr.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "utils/lsyscache.h"

#include "base/canonical.h"
#include "base/closest.h"
#include "base/enums.h"
#include "base/funcargs.h"
#include "base/limits.h"
#include "base/numbers.h"
#include "check/operator.h"

#define NUMBER_MAX_DIGITS	1000

/* How many elements of an array are compared before the memory for their texts is freed. */
#define ELEMENTS_AT_ONCE	64

typedef enum OperatorShape
{
	SHAPE_EQUALITY,
	SHAPE_NUMERIC,
	SHAPE_BETWEEN,
	SHAPE_TOLERANCE,
	SHAPE_IN,
	SHAPE_TEXT,
	SHAPE_SEMVER,
	SHAPE_PRESENCE,
	SHAPE_FRESH
} OperatorShape;

static const struct
{
	const char *name;
	OperatorShape shape;
}			operators[] =
{
	[OP_EQ] = {"eq", SHAPE_EQUALITY},
	[OP_NE] = {"ne", SHAPE_EQUALITY},
	[OP_LT] = {"lt", SHAPE_NUMERIC},
	[OP_LTE] = {"lte", SHAPE_NUMERIC},
	[OP_GT] = {"gt", SHAPE_NUMERIC},
	[OP_GTE] = {"gte", SHAPE_NUMERIC},
	[OP_BETWEEN] = {"between", SHAPE_BETWEEN},
	[OP_ABS_WITHIN] = {"abs_within", SHAPE_TOLERANCE},
	[OP_PCT_WITHIN] = {"pct_within", SHAPE_TOLERANCE},
	[OP_IN] = {"in", SHAPE_IN},
	[OP_CONTAINS] = {"contains", SHAPE_TEXT},
	[OP_STARTS_WITH] = {"starts_with", SHAPE_TEXT},
	[OP_ENDS_WITH] = {"ends_with", SHAPE_TEXT},
	[OP_SEMVER_EQ] = {"semver_eq", SHAPE_SEMVER},
	[OP_SEMVER_GTE] = {"semver_gte", SHAPE_SEMVER},
	[OP_SEMVER_LT] = {"semver_lt", SHAPE_SEMVER},
	[OP_SEMVER_PREFIX] = {"semver_prefix", SHAPE_SEMVER},
	[OP_EXISTS] = {"exists", SHAPE_PRESENCE},
	[OP_NOT_EXISTS] = {"not_exists", SHAPE_PRESENCE},
	[OP_FRESH_WITHIN_S] = {"fresh_within_s", SHAPE_FRESH},
};

static const char reason_absent[] = "nothing was observed";
static const char reason_not_numeric[] = "an operand is not numeric";
static const char reason_too_long[] = "an operand has more than 1000 digits before or after the point";
static const char reason_beyond_range[] = "an operand is a number beyond the range that is compared";
static const char reason_zero[] = "a percentage of 0 means nothing; use abs_within";
static const char reason_not_text[] = "an operand is null, an object or an array";
static const char reason_not_searchable[] = "the observed value is null or an object";
static const char reason_not_semver[] = "an operand is not a dotted version";
static const char reason_no_timestamp[] = "the fact has no timestamp";

#define NOTE_SEMVER	"both sides look like versions and were compared as text; semver_eq compares versions"
#define NOTE_TYPES	"values of different JSON types were compared as text"
static const char note_semver[] = NOTE_SEMVER;
static const char note_types[] = NOTE_TYPES;
static const char note_types_semver[] = NOTE_TYPES "; " NOTE_SEMVER;

/* What other languages write for an operator.  This is only for hints; these are not accepted. */
static const struct
{
	const char *symbol;
	OperatorCode code;
}			symbols[] =
{
	{"=", OP_EQ},
	{"==", OP_EQ},
	{"===", OP_EQ},
	{"is", OP_EQ},
	{"!=", OP_NE},
	{"<>", OP_NE},
	{"<", OP_LT},
	{"<=", OP_LTE},
	{"le", OP_LTE},
	{">", OP_GT},
	{">=", OP_GTE},
	{"ge", OP_GTE},
};

bool
OperatorByName(const char *name, int len, OperatorCode *code)
{
	for (size_t i = 0; i < lengthof(operators); i++)
	{
		if (strlen(operators[i].name) == (size_t) len &&
			memcmp(operators[i].name, name, len) == 0)
		{
			*code = (OperatorCode) i;
			return true;
		}
	}
	return false;
}

const char *
OperatorName(OperatorCode code)
{
	return operators[code].name;
}

/* Returns all names, ending with NULL. */
const char *const *
OperatorNames(void)
{
	static const char *names[lengthof(operators) + 1];

	for (size_t i = 0; i < lengthof(operators); i++)
		names[i] = operators[i].name;
	return names;
}

/* Returns the operator for a symbol of other languages; any other word is returned as it is. */
Span
OperatorMeant(Span word)
{
	for (size_t i = 0; i < lengthof(symbols); i++)
	{
		if (SpanEqualCString(word, symbols[i].symbol))
			return SpanOfCString(operators[symbols[i].code].name);
	}
	return word;
}

/*
 * text
 */

/*
 * Gives the text of a value: see doc/spec/answer-eval.md §3.1.  Returns false if it has
 * no text that we can write.
 */
static bool
TextOf(const JsonView *view, Span *text)
{
	PlainNumber plain;
	StringInfoData out;

	switch (view->type)
	{
		case JVIEW_STRING:
			*text = SpanOf(view->str, view->len);
			return true;
		case JVIEW_NUMBER:
			if (!NumberPlain(view, &plain))
				return false;
			*text = SpanOf(plain.text, plain.len);
			return true;
		case JVIEW_BOOL:
			*text = view->boolean ? SpanOfCString("true") : SpanOfCString("false");
			return true;
		case JVIEW_NULL:
			*text = SpanOfCString("null");
			return true;
		case JVIEW_ARRAY:
		case JVIEW_OBJECT:
			initStringInfo(&out);
			CanonicalWritePortable(&out, view);
			*text = SpanOf(out.data, out.len);
			return true;
		case JVIEW_ABSENT:
			break;
	}
	return false;
}

/* Is it Unicode White_Space (PropList.txt)? The set has been stable since Unicode 6.3. */
bool
IsWhiteSpace(pg_wchar c)
{
	return (c >= 0x09 && c <= 0x0D) || c == 0x20 || c == 0x85 || c == 0xA0 ||
		c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 ||
		c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

/* Can this byte belong to a character that is trimmed? */
static inline bool
MayBeSpace(char c)
{
	return IS_HIGHBIT_SET(c) || c == ' ' || (c >= 0x09 && c <= 0x0D);
}

/* Removes white space from both ends. */
Span
TrimWhiteSpace(Span text)
{
	const unsigned char *begin = (const unsigned char *) text.str;
	const unsigned char *end = begin + text.len;

	while (begin < end && MayBeSpace(*begin))
	{
		int			len = pg_utf_mblen(begin);

		if (len > end - begin || !IsWhiteSpace(utf8_to_unicode(begin)))
			break;
		begin += len;
	}
	while (end > begin && MayBeSpace(end[-1]))
	{
		const unsigned char *last = end - 1;

		while (last > begin && (*last & 0xC0) == 0x80)
			last--;
		if (!IsWhiteSpace(utf8_to_unicode(last)))
			break;
		end = last;
	}
	return SpanOf((const char *) begin, end - begin);
}

/*
 * Returns the text by which values are compared: eq holds if and only if these are the
 * same bytes.
 */
Span
OperatorComparedText(const JsonView *view)
{
	Span		text;

	if (!TextOf(view, &text))
		return SpanOf(NULL, -1);
	return TrimWhiteSpace(text);
}

/* Does the text look like a version: digits.digits, and maybe more components? */
static bool
LooksLikeVersion(Span text)
{
	int			groups = 0;
	int			i = 0;

	for (;;)
	{
		int			begin = i;

		while (i < text.len && text.str[i] >= '0' && text.str[i] <= '9')
			i++;
		if (i == begin)
			return false;
		groups++;
		if (i == text.len)
			return groups > 1;
		if (text.str[i++] != '.')
			return false;
	}
}

/*
 * numbers
 */

static Numeric
NumericAbs(Numeric a)
{
	return DatumGetNumeric(DirectFunctionCall1(numeric_abs, NumericGetDatum(a)));
}

/*
 * Is the plain decimal text too long on one side of the point, more than 1,000 digits?
 * This bounds the exact arithmetic.
 */
static bool
HasTooManyDigits(Numeric numeric)
{
	char	   *text;
	int			before;
	bool		too_many;

	if (NumericIsOrdinary(numeric))
		return false;
	text = numeric_normalize(numeric);
	before = strcspn(text, ".") - (*text == '-');
	too_many = before > NUMBER_MAX_DIGITS ||
		(int) strlen(text) - (*text == '-') - before - 1 > NUMBER_MAX_DIGITS;
	pfree(text);
	return too_many;
}

/* Parses "-", digits, and maybe "." and digits; the whole string must match. */
static NumberStatus
NumberOfString(const char *str, int len, Numeric *numeric)
{
	const char *p = str;
	const char *end = str + len;
	const char *before;
	const char *before_end;
	const char *after = NULL;
	char	   *text;
	char	   *out;

	if (p < end && *p == '-')
		p++;
	before = p;
	while (p < end && *p >= '0' && *p <= '9')
		p++;
	before_end = p;
	if (before == before_end)
		return NUMBER_NONE;
	if (p < end)
	{
		if (*p++ != '.')
			return NUMBER_NONE;
		after = p;
		while (p < end && *p >= '0' && *p <= '9')
			p++;
		if (p != end || p == after)
			return NUMBER_NONE;
		while (end > after && end[-1] == '0')
			end--;
	}
	while (before < before_end && *before == '0')
		before++;
	if (before_end - before > NUMBER_MAX_DIGITS ||
		(after && end - after > NUMBER_MAX_DIGITS))
		return NUMBER_TOO_LONG;

	text = out = palloc(2 * NUMBER_MAX_DIGITS + 8);
	if (*str == '-')
		*out++ = '-';
	*out++ = '0';
	memcpy(out, before, before_end - before);
	out += before_end - before;
	if (after && end > after)
	{
		*out++ = '.';
		memcpy(out, after, end - after);
		out += end - after;
	}
	*out = '\0';
	*numeric = NumberOfLiteral(text);
	pfree(text);
	return NUMBER_OK;
}

static NumberOperand
NumberOf(const JsonView *view)
{
	NumberOperand operand = {NUMBER_NONE, NULL};

	if (view->type == JVIEW_STRING)
		operand.status = NumberOfString(view->str, view->len, &operand.numeric);
	else if (view->type == JVIEW_NUMBER)
	{
		if (!JsonViewNumeric(view, &operand.numeric))
			operand.status = NUMBER_TOO_LONG;
		else
			operand.status = !view->is_ordinary && HasTooManyDigits(operand.numeric) ?
				NUMBER_TOO_LONG : NUMBER_OK;
	}
	return operand;
}

static bool
IsNegative(const NumberOperand *operand)
{
	return NumberCompare(operand->numeric, int64_to_numeric(0)) < 0;
}

/*
 * versions
 */

/*
 * Gives the text of a version, which is groups of digits joined by dots; returns false if
 * the value is none.
 */
static bool
VersionOf(const JsonView *view, Span *version)
{
	PlainNumber plain;
	bool		digit_due = true;

	if (view->type == JVIEW_NUMBER)
	{
		if (!NumberPlain(view, &plain) || !plain.is_integer || *plain.text == '-')
			return false;
		*version = SpanOf(plain.text, plain.len);
		return true;
	}
	if (view->type != JVIEW_STRING)
		return false;
	*version = SpanOf(view->str, view->len);
	for (int i = 0; i < version->len; i++)
	{
		char		c = version->str[i];

		if (c >= '0' && c <= '9')
			digit_due = false;
		else if (c != '.' || digit_due)
			return false;
		else
			digit_due = true;
	}
	return !digit_due;
}

/* Takes the next component of a version, without its leading zeros. */
static Span
NextComponent(Span *version)
{
	Span		component = {version->str, 0};

	while (version->len > 0 && *version->str != '.')
	{
		version->str++;
		version->len--;
		component.len++;
	}
	if (version->len > 0)
	{
		version->str++;
		version->len--;
	}
	while (component.len > 0 && *component.str == '0')
	{
		component.str++;
		component.len--;
	}
	return component;
}

static int
CompareVersions(Span a, Span b)
{
	while (a.len > 0 || b.len > 0)
	{
		int			cmp = SpanCompare(NextComponent(&a), NextComponent(&b));

		if (cmp != 0)
			return cmp;
	}
	return 0;
}

static bool
IsVersionPrefix(Span prefix, Span version)
{
	while (prefix.len > 0)
	{
		if (version.len == 0 ||
			SpanCompare(NextComponent(&prefix), NextComponent(&version)) != 0)
			return false;
	}
	return true;
}

/*
 * preparing
 */

/*
 * Splits {"value": x, "tol": t} into its two parts; this means the same as x with a
 * separate tol.
 */
static const char *
SplitTolerance(OperatorPlan *plan, const JsonView *tol, const char **field)
{
	JsonView	value;

	if (plan->value.type != JVIEW_OBJECT)
	{
		*field = "tol";
		if (tol->type == JVIEW_ABSENT)
			return "is missing: this operator needs a value and a tolerance";
		plan->tol = *tol;
		return NULL;
	}
	*field = "value";
	if (tol->type != JVIEW_ABSENT)
		return "holds a value/tol pair while tol is given beside it";
	if (JsonViewCount(&plan->value) != 2 ||
		!JsonViewGetMember(&plan->value, "value", &value) ||
		!JsonViewGetMember(&plan->value, "tol", &plan->tol))
		return "must hold exactly the keys value and tol";
	/* in the normal form it would be read as another pair */
	if (value.type == JVIEW_OBJECT)
		return "must not hold an object as the value of the pair";
	plan->value = value;
	return NULL;
}

static const char *
InitTolerance(OperatorPlan *plan, const JsonView *tol, const char **field)
{
	const char *problem = SplitTolerance(plan, tol, field);

	if (problem)
		return problem;
	*field = "tol";
	plan->tol_number = NumberOf(&plan->tol);
	if (plan->tol_number.status == NUMBER_NONE)
		return "must be numeric";
	if (plan->tol_number.status == NUMBER_TOO_LONG)
	{
		Span		text;

		if (TextOf(&plan->tol, &text) && *text.str == '-')
			return "must not be negative";
	}
	else if (IsNegative(&plan->tol_number))
		return "must not be negative";
	plan->number[0] = NumberOf(&plan->value);
	return NULL;
}

static const char *
InitFresh(OperatorPlan *plan, const char **field)
{
	Span		text;

	*field = "value";
	plan->number[0] = NumberOf(&plan->value);
	if (plan->number[0].status == NUMBER_NONE)
		return "must be a number of seconds";
	if (plan->number[0].status == NUMBER_OK && !IsNegative(&plan->number[0]))
		return NULL;
	if (plan->number[0].status == NUMBER_TOO_LONG &&
		(!TextOf(&plan->value, &text) || *text.str != '-'))
		return NULL;
	return "must not be negative";
}

static const char *
InitBetween(OperatorPlan *plan, const char **field)
{
	*field = "value";
	if (plan->value.type != JVIEW_ARRAY || JsonViewCount(&plan->value) != 2)
		return "must be an array of exactly two bounds";
	for (int i = 0; i < 2; i++)
	{
		JsonView	bound = JsonViewAt(&plan->value, i);

		plan->number[i] = NumberOf(&bound);
	}
	return NULL;
}

/*
 * Validates an operator's operands and parses them.  A missing operand is an absent
 * view.  Returns NULL, or what is wrong with the field named in *field.
 */
const char *
OperatorPlanInit(OperatorPlan *plan, OperatorCode code, const JsonView *value,
				 const JsonView *tol, const char **field)
{
	OperatorShape shape = operators[code].shape;

	memset(plan, 0, sizeof(*plan));
	plan->code = code;
	plan->value = *value;
	if (shape != SHAPE_TOLERANCE && tol->type != JVIEW_ABSENT)
	{
		*field = "tol";
		return "is given to an operator that takes none";
	}
	if (shape == SHAPE_PRESENCE)
		return NULL;
	if (value->type == JVIEW_ABSENT)
	{
		*field = "value";
		return "is missing, and this operator needs one";
	}

	switch (shape)
	{
		case SHAPE_NUMERIC:
			plan->number[0] = NumberOf(value);
			return NULL;
		case SHAPE_BETWEEN:
			return InitBetween(plan, field);
		case SHAPE_TOLERANCE:
			return InitTolerance(plan, tol, field);
		case SHAPE_FRESH:
			return InitFresh(plan, field);
		case SHAPE_IN:
			*field = "value";
			return value->type == JVIEW_ARRAY ? NULL : "must be an array";
		case SHAPE_EQUALITY:
		case SHAPE_TEXT:
			plan->has_text = TextOf(value, &plan->text);
			return NULL;
		case SHAPE_SEMVER:
			plan->has_text = VersionOf(value, &plan->text);
			return NULL;
		case SHAPE_PRESENCE:
			break;
	}
	return NULL;
}

/*
 * applying
 */

static void
Answer(OperatorResult *result, bool holds)
{
	result->outcome = holds ? OUTCOME_HOLDS : OUTCOME_FAILS;
}

static void
NotEvaluable(OperatorResult *result, const char *reason)
{
	result->outcome = OUTCOME_NOT_EVALUABLE;
	result->reason = reason;
}

/* Does eq hold for two values, given the second one's text? False also if one has no text. */
static bool
IsEqual(const JsonView *a, const JsonView *b, Span b_text)
{
	Span		a_text;
	Numeric		a_numeric;
	Numeric		b_numeric;

	if (a->type == JVIEW_NUMBER && b->type == JVIEW_NUMBER &&
		JsonViewNumeric(a, &a_numeric) && JsonViewNumeric(b, &b_numeric))
		return NumberCompare(a_numeric, b_numeric) == 0;
	if (!TextOf(a, &a_text))
		return false;
	return SpanEqual(TrimWhiteSpace(a_text), TrimWhiteSpace(b_text));
}

static void
ApplyEquality(const OperatorPlan *plan, const JsonView *observed, OperatorResult *result)
{
	Span		text;
	bool		numbers = observed->type == JVIEW_NUMBER &&
		plan->value.type == JVIEW_NUMBER;

	if (!plan->has_text || (!numbers && !TextOf(observed, &text)))
	{
		NotEvaluable(result, reason_beyond_range);
		return;
	}
	if (observed->type != plan->value.type)
		result->note = note_types;
	if (!numbers && LooksLikeVersion(TrimWhiteSpace(text)) && LooksLikeVersion(TrimWhiteSpace(plan->text)))
		result->note = result->note ? note_types_semver : note_semver;
	Answer(result, IsEqual(observed, &plan->value, plan->text) == (plan->code == OP_EQ));
}

/*
 * Is some element equal to the value? *mixed says whether the deciding element had
 * another type: the element that was found, or, if none was, any of them.
 */
static bool
IsElementOf(const JsonView *array, const JsonView *value, Span value_text, bool *mixed)
{
	int			count = JsonViewCount(array);
	bool		found = false;
	MemoryContext caller = CurrentMemoryContext;
	MemoryContext some = NULL;

	*mixed = false;
	/* the texts of many elements would take too much memory */
	if (count > ELEMENTS_AT_ONCE)
		some = AllocSetContextCreate(caller, "answer_eval operator", ALLOCSET_DEFAULT_SIZES);
	for (int i = 0; i < count && !found; i++)
	{
		JsonView	element;

		CHECK_FOR_INTERRUPTS();
		if (some && i % ELEMENTS_AT_ONCE == 0)
		{
			MemoryContextReset(some);
			MemoryContextSwitchTo(some);
		}
		JsonViewElement(array, i, &element);
		found = IsEqual(&element, value, value_text);
		*mixed = (*mixed && !found) || element.type != value->type;
	}
	MemoryContextSwitchTo(caller);
	if (some)
		MemoryContextDelete(some);
	return found;
}

static void
ApplyIn(const OperatorPlan *plan, const JsonView *observed, OperatorResult *result)
{
	Span		text;
	bool		mixed;

	if (!TextOf(observed, &text))
	{
		NotEvaluable(result, reason_beyond_range);
		return;
	}
	Answer(result, IsElementOf(&plan->value, observed, text, &mixed));
	if (mixed)
		result->note = note_types;
}

/* contains, if observed is an array: "in" with the operands exchanged */
static void
ApplyMember(const OperatorPlan *plan, const JsonView *observed, OperatorResult *result)
{
	bool		mixed;

	if (!plan->has_text)
	{
		NotEvaluable(result, reason_beyond_range);
		return;
	}
	Answer(result, IsElementOf(observed, &plan->value, plan->text, &mixed));
	if (mixed)
		result->note = note_types;
}

static bool
HasScalarText(const JsonView *view)
{
	return view->type == JVIEW_STRING || view->type == JVIEW_NUMBER ||
		view->type == JVIEW_BOOL;
}

static void
ApplyText(const OperatorPlan *plan, const JsonView *observed, OperatorResult *result)
{
	Span		part = plan->text;
	Span		whole;

	if (plan->code == OP_CONTAINS && observed->type == JVIEW_ARRAY)
	{
		ApplyMember(plan, observed, result);
		return;
	}
	if (!HasScalarText(observed) || !HasScalarText(&plan->value))
	{
		NotEvaluable(result, plan->code == OP_CONTAINS && !HasScalarText(observed) ?
					 reason_not_searchable : reason_not_text);
		return;
	}
	if (!plan->has_text || !TextOf(observed, &whole))
	{
		NotEvaluable(result, reason_beyond_range);
		return;
	}
	if (observed->type != plan->value.type)
		result->note = note_types;
	if (part.len == 0)
		Answer(result, true);
	else if (part.len > whole.len)
		Answer(result, false);
	else if (plan->code == OP_CONTAINS)
		Answer(result, memmem(whole.str, whole.len, part.str, part.len) != NULL);
	else if (plan->code == OP_STARTS_WITH)
		Answer(result, memcmp(whole.str, part.str, part.len) == 0);
	else
		Answer(result, memcmp(whole.str + whole.len - part.len, part.str, part.len) == 0);
}

static void
ApplySemver(const OperatorPlan *plan, const JsonView *observed, OperatorResult *result)
{
	Span		version;

	if (!plan->has_text || !VersionOf(observed, &version))
	{
		NotEvaluable(result, reason_not_semver);
		return;
	}
	switch (plan->code)
	{
		case OP_SEMVER_EQ:
			Answer(result, CompareVersions(version, plan->text) == 0);
			break;
		case OP_SEMVER_GTE:
			Answer(result, CompareVersions(version, plan->text) >= 0);
			break;
		case OP_SEMVER_LT:
			Answer(result, CompareVersions(version, plan->text) < 0);
			break;
		default:
			Answer(result, IsVersionPrefix(plan->text, version));
			break;
	}
}

/* |observed - value| <= tol, or <= tol percent of |value|, exactly */
static void
ApplyTolerance(const OperatorPlan *plan, Numeric observed, OperatorResult *result)
{
	Numeric		value = plan->number[0].numeric;
	Numeric		limit = plan->tol_number.numeric;
	Numeric		distance = NumericAbs(NumberCall(numeric_sub, observed, value));

	if (plan->code == OP_PCT_WITHIN)
	{
		if (NumberCompare(value, int64_to_numeric(0)) == 0)
		{
			NotEvaluable(result, reason_zero);
			return;
		}
		distance = NumberCall(numeric_mul, distance, int64_to_numeric(100));
		limit = NumberCall(numeric_mul, limit, NumericAbs(value));
	}
	Answer(result, NumberCompare(distance, limit) <= 0);
}

static void
ApplyNumeric(const OperatorPlan *plan, const JsonView *observed, OperatorResult *result)
{
	NumberOperand operand = NumberOf(observed);
	const NumberOperand *others[] = {&operand, &plan->number[0], &plan->number[1],
	&plan->tol_number};
	int			cmp;

	for (size_t i = 0; i < lengthof(others); i++)
	{
		if (i == 2 && plan->code != OP_BETWEEN)
			continue;
		if (i == 3 && operators[plan->code].shape != SHAPE_TOLERANCE)
			continue;
		if (others[i]->status == NUMBER_NONE)
		{
			NotEvaluable(result, reason_not_numeric);
			return;
		}
		if (others[i]->status == NUMBER_TOO_LONG)
			NotEvaluable(result, reason_too_long);
	}
	if (result->reason)
		return;

	if (operators[plan->code].shape == SHAPE_TOLERANCE)
	{
		ApplyTolerance(plan, operand.numeric, result);
		return;
	}
	cmp = NumberCompare(operand.numeric, plan->number[0].numeric);
	switch (plan->code)
	{
		case OP_LT:
			Answer(result, cmp < 0);
			break;
		case OP_LTE:
			Answer(result, cmp <= 0);
			break;
		case OP_GT:
			Answer(result, cmp > 0);
			break;
		case OP_GTE:
			Answer(result, cmp >= 0);
			break;
		default:
			Answer(result, cmp >= 0 &&
				   NumberCompare(operand.numeric, plan->number[1].numeric) <= 0);
			break;
	}
}

/* Applies any operator except fresh_within_s, which does not look at an observed value. */
void
OperatorApply(const OperatorPlan *plan, const JsonView *observed, OperatorResult *result)
{
	OperatorShape shape = operators[plan->code].shape;

	result->reason = NULL;
	result->note = NULL;
	if (shape == SHAPE_PRESENCE)
	{
		Answer(result, (observed->type != JVIEW_ABSENT) == (plan->code == OP_EXISTS));
		return;
	}
	if (observed->type == JVIEW_ABSENT)
	{
		NotEvaluable(result, reason_absent);
		return;
	}
	switch (shape)
	{
		case SHAPE_EQUALITY:
			ApplyEquality(plan, observed, result);
			break;
		case SHAPE_IN:
			ApplyIn(plan, observed, result);
			break;
		case SHAPE_TEXT:
			ApplyText(plan, observed, result);
			break;
		case SHAPE_SEMVER:
			ApplySemver(plan, observed, result);
			break;
		case SHAPE_FRESH:
			NotEvaluable(result, reason_no_timestamp);
			break;
		default:
			ApplyNumeric(plan, observed, result);
			break;
	}
}

/*
 * Compares an age with a number of seconds, given as plain decimal text of any length,
 * digit by digit.
 */
static bool
AgeIsWithin(uint64 age, Span seconds)
{
	const char *p = seconds.str;
	const char *end = p + seconds.len;
	const char *begin;
	char		whole[24];
	char		fraction[8];
	int			len;

	if (p < end && *p == '-')
		p++;					/* skip the sign of -0; negative numbers were refused before */
	while (p < end && *p == '0')
		p++;
	len = snprintf(whole, sizeof(whole), UINT64_FORMAT, age / USECS_PER_SEC);
	if (age < USECS_PER_SEC)
		len = 0;				/* zero has no digits here, and none in "seconds" */
	for (begin = p; p < end && *p != '.';)
		p++;
	if (p - begin != len)
		return p - begin > len;
	if (len > 0 && memcmp(whole, begin, len) != 0)
		return memcmp(whole, begin, len) < 0;

	snprintf(fraction, sizeof(fraction), "%06d", (int) (age % USECS_PER_SEC));
	if (p < end)
		p++;					/* skip the point */
	for (int i = 0; i < 6; i++)
	{
		char		digit = p < end ? *p++ : '0';

		if (digit != fraction[i])
			return digit > fraction[i];
	}
	return true;
}

/*
 * evaluated_at - timestamp| <= N seconds.  Instants are in microseconds.
 */
void
OperatorApplyFresh(const OperatorPlan *plan, bool has_timestamp, int64 timestamp,
				   int64 evaluated_at, OperatorResult *result)
{
	Span		seconds;

	result->reason = NULL;
	result->note = NULL;
	if (!has_timestamp)
		NotEvaluable(result, reason_no_timestamp);
	else if (!TextOf(&plan->value, &seconds))
		NotEvaluable(result, reason_beyond_range);
	else						/* unsigned, so that no two instants can overflow */
		Answer(result, AgeIsWithin(evaluated_at >= timestamp ?
								   (uint64) evaluated_at - (uint64) timestamp :
								   (uint64) timestamp - (uint64) evaluated_at,
								   seconds));
}

/*
 * the dotted path
 */

/* Parses "0", or digits without a leading zero; returns -1 if the segment is not an index. */
static int
ParseIndex(const char *str, int len)
{
	int64		index = 0;

	if (len > 1 && *str == '0')
		return -1;
	for (int i = 0; i < len; i++)
	{
		if (str[i] < '0' || str[i] > '9')
			return -1;
		index = index * 10 + (str[i] - '0');
		if (index > PG_INT32_MAX)
			return -1;			/* it is beyond the end of every array */
	}
	return (int) index;
}

/* Splits a path.  Returns NULL, or what is wrong with it. */
const char *
PathParse(const char *str, int len, Path *path)
{
	int			begin = 0;

	path->count = 0;
	if (len == 0)
		return "must not be empty";
	for (int i = 0; i <= len; i++)
	{
		PathSegment *segment;

		if (i < len && str[i] != '.')
			continue;
		if (i == begin)
			return "must not have an empty segment";
		if (path->count == PATH_MAX_SEGMENTS)
			return "must have at most 8 segments";
		segment = &path->segment[path->count++];
		segment->key = SpanOf(str + begin, i - begin);
		segment->index = ParseIndex(segment->key.str, segment->key.len);
		begin = i + 1;
	}
	return NULL;
}

/*
 * Follows a path and returns how many segments resolved.  If all did, *value is the
 * value at the path; otherwise it is the value where the path stopped.
 */
int
PathResolve(const Path *path, const JsonView *root, JsonView *value)
{
	*value = *root;
	for (int i = 0; i < path->count; i++)
	{
		const PathSegment *segment = &path->segment[i];
		JsonView	next;
		bool		found;

		if (value->type == JVIEW_ARRAY)
			found = JsonViewElement(value, segment->index, &next);
		else
			found = JsonViewGet(value, segment->key.str, segment->key.len, &next);
		if (!found)
			return i;
		*value = next;
	}
	return path->count;
}

/*
 * SQL
 */

static void
ViewOfArgument(FunctionCallInfo fcinfo, int n, JsonView *view)
{
	memset(view, 0, sizeof(*view));
	if (!PG_ARGISNULL(n))
		JsonViewOfJsonb(PG_GETARG_JSONB_P(n), view);
}

PG_FUNCTION_INFO_V1(answer_eval_operator);
Datum
answer_eval_operator(PG_FUNCTION_ARGS)
{
	text	   *op;
	Span		name;
	Span		meant;
	OperatorCode code;
	JsonView	observed;
	JsonView	value;
	JsonView	tol;
	OperatorPlan plan;
	OperatorResult result;
	const char *field;
	const char *problem;

	if (PG_ARGISNULL(0))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("operator name must not be null")));
	LimitArgument(fcinfo, 0, DOCUMENT_MAX_SIZE, "operator name");
	LimitArgument(fcinfo, 1, DOCUMENT_MAX_SIZE, "observed");
	LimitArgument(fcinfo, 2, DOCUMENT_MAX_SIZE, "value");
	LimitArgument(fcinfo, 3, DOCUMENT_MAX_SIZE, "tol");
	op = PG_GETARG_TEXT_PP(0);
	name = SpanOf(VARDATA_ANY(op), VARSIZE_ANY_EXHDR(op));
	meant = OperatorMeant(name);
	if (!OperatorByName(name.str, name.len, &code))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("unknown operator \"%s\"", text_to_cstring(op)),
				 errhint("Use one of these, the closest ones first: %s.",
						 WordsClosestFirst(pnstrdup(meant.str, meant.len), OperatorNames()))));
	ViewOfArgument(fcinfo, 1, &observed);
	ViewOfArgument(fcinfo, 2, &value);
	ViewOfArgument(fcinfo, 3, &tol);
	problem = OperatorPlanInit(&plan, code, &value, &tol, &field);
	if (problem)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("operator \"%s\": %s %s", OperatorName(code), field, problem)));
	OperatorApply(&plan, &observed, &result);
	PG_RETURN_OID(VocabularyOid(fcinfo, get_func_rettype(fcinfo->flinfo->fn_oid),
								outcome_labels, result.outcome));
}
