/*-------------------------------------------------------------------------
 *
 * condition.c
 *		The conditions of plans. They decide whether an assertion holds and which
 *		side of a branch is taken.
 *
 * Pure, with a thin SQL interface.  Rule: doc/spec/plan.md §2.
 *
 *		or   := and { || and }
 *		and  := cmp { && cmp }
 *		cmp  := prim [ ( >= | <= | > | < | == | != ) prim ]
 *		prim := number | - prim | 'text' | "text" | true | false | null
 *				| $reference | ( or ) | ! prim | ( mean | min | max | count ) ( or )
 *
 * The parser turns a condition into instructions for a stack of values, with a
 * stack of operators that wait for their right side.  Neither parsing nor
 * evaluating recurses.  A segment of a reference's path ends at white space, a
 * point, a bracket, a quotation mark, or a character of an operator other than
 * the minus sign.
 *
 * A condition works on portable values, so a value and its form in a signed
 * document give the same result: a text that is the portable form of a number is
 * that number.  Numbers are exact.  A mean is kept as sum and count, and compared
 * by multiplying, never by dividing.
 *
 * A type mismatch is an error, never false.  && and || evaluate both sides, and
 * the condition reports the first error in the order of evaluation.
 *
 * Promises: pure; linear in the condition and the values that it refers to,
 * except for sorting its references, and for a factor of the logarithm of an
 * array's length when long numbers are added.  Each array is summed once, and
 * each container written once, however often a condition refers to it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "lib/stringinfo.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/grow.h"
#include "base/limits.h"
#include "base/numbers.h"
#include "plan/condition.h"

/* Number of references whose values are shown for a false condition. */
#define SHOWN_REFERENCES	5

/* Levels of partial sums, for up to 2^SUM_LEVELS numbers. */
#define SUM_LEVELS			31

const char *const condition_outcome_labels[] = {"holds", "fails", "error"};

typedef enum OpCode
{
	CODE_OR,
	CODE_AND,
	CODE_EQ,
	CODE_NE,
	CODE_LE,
	CODE_GE,
	CODE_LT,
	CODE_GT,
	CODE_NOT,
	CODE_NEGATE,
	CODE_MEAN,
	CODE_MIN,
	CODE_MAX,
	CODE_COUNT,
	CODE_PAREN,					/* only while parsing */
	CODE_LITERAL,
	CODE_REFERENCE
} OpCode;

static const char *const code_names[] = {
	"||", "&&", "==", "!=", "<=", ">=", "<", ">", "!", "-", "mean", "min", "max", "count", "("
};

#define IS_COMPARISON(code) ((code) >= CODE_EQ && (code) <= CODE_GT)
#define IS_AGGREGATE(code)	((code) >= CODE_MEAN && (code) <= CODE_COUNT)
/* Is it an opening parenthesis, alone or of an aggregate? */
#define IS_OPEN(code)		((code) == CODE_PAREN || IS_AGGREGATE(code))

/* An operand or operator, and its position. */
typedef struct Instruction
{
	uint8		code;			/* an OpCode */
	int			index;			/* of a literal or reference */
	int			at;				/* byte offset */
} Instruction;

struct Condition
{
	Span		text;
	int			count;
	Instruction *code;			/* operands come before their operator */
	int			depth;			/* highest number of values on the stack */
	int			nliterals;
	JsonView   *literals;
	int			nreferences;
	Reference  *references;
};

/*
 * parsing
 */

/* One occurrence of a reference. */
typedef struct Occurrence
{
	Span		text;
	int			order;			/* among all occurrences */
} Occurrence;

typedef struct Parser
{
	Condition  *condition;
	int			at;				/* byte offset */
	int			capacity;		/* of the instructions */
	int			nwaiting;
	int			waiting_capacity;
	Instruction *waiting;		/* operators that lack their right side, and open parentheses */
	int			literal_capacity;
	int			noccurrences;
	int			occurrence_capacity;
	Occurrence *occurrences;
	int			nvalues;		/* on the stack if the code so far were run */
	const char *problem;
} Parser;

/* Returns the number of a character, counted from 1. */
static int
CharacterAt(Span text, int byte)
{
	int			n = 1;

	for (int i = 0; i < byte && i < text.len; i++)
		n += (text.str[i] & 0xC0) != 0x80;
	return n;
}

static bool
Fail(Parser *parser, int at, const char *problem)
{
	parser->problem = psprintf("%s, at character %d", problem,
							   CharacterAt(parser->condition->text, at));
	return false;
}

static void
Emit(Parser *parser, OpCode code, int index, int at)
{
	Condition  *condition = parser->condition;

	GROW_ARRAY(condition->code, condition->count, parser->capacity, 16);
	condition->code[condition->count++] = (Instruction) {code, index, at};
	if (code >= CODE_LITERAL)
		parser->nvalues++;
	else if (code <= CODE_GT)
		parser->nvalues--;
	condition->depth = Max(condition->depth, parser->nvalues);
}

static void
Wait(Parser *parser, OpCode code, int at)
{
	GROW_ARRAY(parser->waiting, parser->nwaiting, parser->waiting_capacity, 16);
	parser->waiting[parser->nwaiting++] = (Instruction) {code, 0, at};
}

static int
Precedence(OpCode code)
{
	if (code == CODE_OR)
		return 1;
	if (code == CODE_AND)
		return 2;
	return IS_COMPARISON(code) ? 3 : 4;
}

/* Emits the waiting operators of at least this precedence, back to the last open parenthesis. */
static void
EndWaiting(Parser *parser, int precedence)
{
	while (parser->nwaiting > 0)
	{
		Instruction *last = &parser->waiting[parser->nwaiting - 1];

		if (IS_OPEN(last->code) || Precedence(last->code) < precedence)
			return;
		Emit(parser, last->code, 0, last->at);
		parser->nwaiting--;
	}
}

static void
EmitLiteral(Parser *parser, JsonView value, int at)
{
	Condition  *condition = parser->condition;

	GROW_ARRAY(condition->literals, condition->nliterals, parser->literal_capacity, 16);
	condition->literals[condition->nliterals] = value;
	Emit(parser, CODE_LITERAL, condition->nliterals++, at);
}

static bool
IsWordCharacter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || IsAsciiDigit(c);
}

/* Parses a number as in JSON, without a sign. */
static bool
ParseNumber(Parser *parser)
{
	Span		text = parser->condition->text;
	int			begin = parser->at;
	int			end = begin;
	JsonView	value;
	Numeric		numeric;
	size_t		where;

	while (end < text.len &&
		   (IsWordCharacter(text.str[end]) || text.str[end] == '.' ||
			((text.str[end] == '-' || text.str[end] == '+') &&
			 (text.str[end - 1] == 'e' || text.str[end - 1] == 'E'))))
		end++;
	if (JsonViewOfText(text.str + begin, end - begin, &value, &where) != JSON_TEXT_OK)
		return Fail(parser, begin, "has a number that JSON does not have");
	if (!JsonViewNumeric(&value, &numeric))
		return Fail(parser, begin, "has a number that is too large or has too many digits");
	EmitLiteral(parser, value, begin);
	parser->at = end;
	return true;
}

/*
 * Finds the end of a quoted text and writes it as JSON: \' becomes ', and " gets a
 * backslash.  Returns false if it does not end.
 */
static bool
TextAsJson(Span text, int begin, int *end, StringInfo json)
{
	char		quote = text.str[begin];

	appendStringInfoChar(json, '"');
	for (int i = begin + 1; i < text.len; i++)
	{
		char		c = text.str[i];

		if (c == quote)
		{
			appendStringInfoChar(json, '"');
			*end = i + 1;
			return true;
		}
		if (c == '\\' && i + 1 < text.len)
		{
			i++;
			if (text.str[i] != '\'')
				appendStringInfoChar(json, '\\');
			appendStringInfoChar(json, text.str[i]);
			continue;
		}
		if (c == '"')
			appendStringInfoChar(json, '\\');
		appendStringInfoChar(json, c);
	}
	return false;
}

static bool
ParseText(Parser *parser)
{
	int			begin = parser->at;
	StringInfoData json;
	JsonView	value;
	size_t		where;

	initStringInfo(&json);
	if (!TextAsJson(parser->condition->text, begin, &parser->at, &json))
		return Fail(parser, begin, "has a text without an end");
	if (JsonViewOfText(json.data, json.len, &value, &where) != JSON_TEXT_OK)
		return Fail(parser, begin, "has a text with a control character or an escape that JSON does not have");
	EmitLiteral(parser, value, begin);
	return true;
}

static bool
ParseReference(Parser *parser)
{
	Span		text = parser->condition->text;
	Span		rest = SpanOf(text.str + parser->at, text.len - parser->at);
	Reference	reference;
	const char *problem;
	int			len = ReferenceParsePrefix(rest, &reference, &problem);

	if (len == 0)
		return Fail(parser, parser->at, psprintf("has a reference, which %s", problem));
	GROW_ARRAY(parser->occurrences, parser->noccurrences, parser->occurrence_capacity, 16);
	parser->occurrences[parser->noccurrences] = (Occurrence) {reference.text, parser->noccurrences};
	Emit(parser, CODE_REFERENCE, parser->noccurrences++, parser->at);
	parser->at += len;
	return true;
}

static void
SkipSpace(Parser *parser)
{
	Span		text = parser->condition->text;

	while (parser->at < text.len &&
		   (text.str[parser->at] == ' ' || text.str[parser->at] == '\t' ||
			text.str[parser->at] == '\n' || text.str[parser->at] == '\r'))
		parser->at++;
}

static bool
NextIs(const Parser *parser, char c)
{
	return parser->at < parser->condition->text.len && parser->condition->text.str[parser->at] == c;
}

/* Parses a word: a constant, or an aggregate with its parenthesis. *is_value tells which. */
static bool
ParseWord(Parser *parser, bool *is_value)
{
	static const char *const values[] = {"true", "false", "null"};
	Span		text = parser->condition->text;
	int			begin = parser->at;
	Span		word;

	while (parser->at < text.len && IsWordCharacter(text.str[parser->at]))
		parser->at++;
	word = SpanOf(text.str + begin, parser->at - begin);
	*is_value = true;
	for (int i = 0; i < (int) lengthof(values); i++)
	{
		if (!SpanEqualCString(word, values[i]))
			continue;
		EmitLiteral(parser, i < 2 ? JsonViewBool(i == 0) : JsonViewNull(), begin);
		return true;
	}
	*is_value = false;
	for (OpCode code = CODE_MEAN; code <= CODE_COUNT; code++)
	{
		if (!SpanEqualCString(word, code_names[code]))
			continue;
		SkipSpace(parser);
		if (!NextIs(parser, '('))
			return Fail(parser, begin, psprintf("has %s without a ( behind it", code_names[code]));
		parser->at++;
		Wait(parser, code, begin);
		return true;
	}
	return Fail(parser, begin, "has a word that is none of true, false, null, mean, min, max and count; a text stands in quotation marks, a name behind $");
}

/* Parses a value, or what may come before one. *is_value tells which. */
static bool
ParseOperand(Parser *parser, bool *is_value)
{
	char		c;

	if (parser->at == parser->condition->text.len)
		return Fail(parser, parser->at, "ends where a value must stand");
	c = parser->condition->text.str[parser->at];
	*is_value = true;
	if (c == '$')
		return ParseReference(parser);
	if (c == '\'' || c == '"')
		return ParseText(parser);
	if (IsAsciiDigit(c))
		return ParseNumber(parser);
	if (IsWordCharacter(c))
		return ParseWord(parser, is_value);
	*is_value = false;
	if (c != '(' && c != '!' && c != '-')
		return Fail(parser, parser->at, "has something else where a value must stand");
	Wait(parser, c == '(' ? CODE_PAREN : c == '!' ? CODE_NOT : CODE_NEGATE, parser->at);
	parser->at++;
	return true;
}

/* Parses an operator between two values. */
static bool
ParseInfix(Parser *parser, OpCode *code)
{
	Span		text = parser->condition->text;
	Span		rest = SpanOf(text.str + parser->at, text.len - parser->at);

	for (*code = CODE_OR; *code <= CODE_GT; (*code)++)
	{
		if (!SpanStartsWith(rest, SpanOfCString(code_names[*code])))
			continue;
		parser->at += strlen(code_names[*code]);
		return true;
	}
	return Fail(parser, parser->at, "has something else where an operator must stand");
}

/* Closes the last open parenthesis. */
static bool
ParseClose(Parser *parser)
{
	Instruction open;

	EndWaiting(parser, 0);
	if (parser->nwaiting == 0)
		return Fail(parser, parser->at, "has a ) without a (");
	open = parser->waiting[--parser->nwaiting];
	if (open.code != CODE_PAREN)
		Emit(parser, open.code, 0, open.at);
	parser->at++;
	return true;
}

/* Parses what follows a value. *is_value stays true after a closing parenthesis. */
static bool
ParseOperator(Parser *parser, bool *is_value)
{
	int			at = parser->at;
	OpCode		code;

	if (NextIs(parser, ')'))
		return ParseClose(parser);
	if (!ParseInfix(parser, &code))
		return false;
	if (!IS_COMPARISON(code))
		EndWaiting(parser, Precedence(code));
	else
	{
		EndWaiting(parser, Precedence(code) + 1);
		if (parser->nwaiting > 0 && IS_COMPARISON(parser->waiting[parser->nwaiting - 1].code))
			return Fail(parser, at, "compares the result of a comparison; parentheses or && must part them");
	}
	Wait(parser, code, at);
	*is_value = false;
	return true;
}

static bool
ParseAll(Parser *parser)
{
	bool		is_value = false;

	for (;;)
	{
		CHECK_FOR_INTERRUPTS();
		SkipSpace(parser);
		if (!is_value)
		{
			if (!ParseOperand(parser, &is_value))
				return false;
		}
		else if (parser->at == parser->condition->text.len)
			break;
		else if (!ParseOperator(parser, &is_value))
			return false;
	}
	EndWaiting(parser, 0);
	if (parser->nwaiting > 0)
		return Fail(parser, parser->waiting[parser->nwaiting - 1].at, "has a ( without a )");
	return true;
}

static int
CompareOccurrences(const void *a, const void *b)
{
	const Occurrence *left = a;
	const Occurrence *right = b;
	int			cmp = SpanCompare(left->text, right->text);

	return cmp != 0 ? cmp : left->order - right->order;
}

/* Numbers the distinct references in order of first appearance. */
static void
NumberReferences(Parser *parser)
{
	Condition  *condition = parser->condition;
	int			count = parser->noccurrences;
	Occurrence *sorted = parser->occurrences;
	int		   *first;			/* by occurrence: the first one with the same text */
	int		   *number;
	const char *problem;

	if (count == 0)
		return;
	first = palloc_extended(sizeof(int) * (Size) count, MCXT_ALLOC_HUGE);
	number = palloc_extended(sizeof(int) * (Size) count, MCXT_ALLOC_HUGE);
	qsort(sorted, count, sizeof(Occurrence), CompareOccurrences);
	for (int i = 0; i < count; i++)
	{
		bool		is_first = i == 0 || !SpanEqual(sorted[i].text, sorted[i - 1].text);

		first[sorted[i].order] = is_first ? sorted[i].order : first[sorted[i - 1].order];
		condition->nreferences += is_first;
	}
	condition->references = palloc_extended(sizeof(Reference) * (Size) condition->nreferences,
											MCXT_ALLOC_HUGE);
	condition->nreferences = 0;
	for (int i = 0; i < condition->count; i++)
	{
		Instruction *instruction = &condition->code[i];
		int			place = instruction->index;

		/* operands are in the order of the text */
		if (instruction->code != CODE_REFERENCE)
			continue;
		if (first[place] == place)
		{
			Span		text = SpanOf(condition->text.str + instruction->at,
									  condition->text.len - instruction->at);

			number[place] = condition->nreferences++;
			ReferenceParsePrefix(text, &condition->references[number[place]], &problem);
		}
		instruction->index = number[first[place]];
	}
	pfree(first);
	pfree(number);
}

Condition *
ConditionParse(Span text, const char **problem)
{
	Parser		parser = {.condition = palloc0(sizeof(Condition))};

	*problem = NULL;
	parser.condition->text = text;
	if (text.len > CONDITION_MAX_SIZE)
		*problem = psprintf("has %d bytes, and at most %d are allowed", text.len, CONDITION_MAX_SIZE);
	else if (!ParseAll(&parser))
		*problem = parser.problem;
	if (*problem)
		return NULL;
	NumberReferences(&parser);
	if (parser.occurrences)
		pfree(parser.occurrences);
	if (parser.waiting)
		pfree(parser.waiting);
	return parser.condition;
}

const Reference *
ConditionReferences(const Condition *condition, int *count)
{
	*count = condition->nreferences;
	return condition->references;
}

JsonView
ConditionBindings(const Condition *condition, const JsonView *bindings)
{
	JsonView	bound = JsonViewNewObject(condition->nreferences);

	for (int i = 0; i < condition->nreferences; i++)
	{
		const Reference *reference = &condition->references[i];
		JsonView	value;
		JsonView	portable;

		if (ReferenceResolve(reference, bindings, &value) && JsonViewPortable(&value, &portable))
			JsonViewSetKey(&bound, reference->text.str, reference->text.len, portable);
	}
	return bound;
}

/*
 * values
 */

typedef struct Value
{
	JsonView	view;			/* if it is not a number; absent: a number, perhaps one that is too large */
	bool		is_number;
	Numeric		number;
	int64		divisor;		/* 1, or the count of a mean */
	struct Bound *bound;		/* reference that it is the value of, or NULL */
} Value;

/* Aggregates of an array of numbers. */
typedef struct Aggregates
{
	bool		is_known;
	int			not_number;		/* index of the first element that is not a number, or -1 */
	Numeric		sum;
	Numeric		min;
	Numeric		max;
} Aggregates;

/* The value of a reference, with results derived from it. */
typedef struct Bound
{
	bool		is_resolved;
	Value		value;
	Aggregates	aggregates;
	bool		has_digest;
	uint8		digest[SHA256_LENGTH];	/* of the portable form of a container */
} Bound;

typedef struct Evaluation
{
	const Condition *condition;
	const JsonView *bindings;
	bool		by_reference;
	Bound	   *bound;			/* by reference */
	Value	   *stack;
	int			count;
	const char *problem;
} Evaluation;

static Value
NumberValue(Numeric number)
{
	return (Value) {.is_number = true, .number = number, .divisor = 1};
}

static Value
BoolValue(bool boolean)
{
	return (Value) {.view = JsonViewBool(boolean)};
}

/* Returns the number that a view stands for in a condition. */
static bool
NumberOfView(const JsonView *view, Numeric *number)
{
	JsonView	of_text;

	if (JsonViewNumberOfPortable(view, &of_text))
		return JsonViewNumeric(&of_text, number);
	return JsonViewNumeric(view, number);
}

static Value
ValueOfView(const JsonView *view)
{
	Value		value = {.view = *view, .divisor = 1};

	value.is_number = NumberOfView(view, &value.number);
	if (view->type == JVIEW_NUMBER)
		value.view.type = JVIEW_ABSENT;
	return value;
}

static const char *
TypeName(const Value *value)
{
	if (value->is_number)
		return "a number";
	switch (value->view.type)
	{
		case JVIEW_NULL:
			return "null";
		case JVIEW_BOOL:
			return "a boolean";
		case JVIEW_STRING:
			return "a text";
		case JVIEW_ARRAY:
			return "an array";
		case JVIEW_OBJECT:
			return "an object";
		default:
			return "a number that is too large or has too many digits";
	}
}

static bool
IsBoolean(const Value *value)
{
	return !value->is_number && value->view.type == JVIEW_BOOL;
}

static bool
IsText(const Value *value)
{
	return !value->is_number && value->view.type == JVIEW_STRING;
}

/* Compares a / b with c / d by multiplying; b and d are positive. */
static int
CompareNumbers(const Value *a, const Value *b)
{
	if (a->divisor == b->divisor)
		return NumberCompare(a->number, b->number);
	return NumberCompare(NumberCall(numeric_mul, a->number, int64_to_numeric(b->divisor)),
						   NumberCall(numeric_mul, b->number, int64_to_numeric(a->divisor)));
}

/*
 * equality
 */

/* Returns the digest of a container, computed once per reference. */
static void
DigestOf(const Value *value, uint8 *digest)
{
	Bound	   *bound = value->bound;
	StringInfoData form;

	if (bound && bound->has_digest)
	{
		memcpy(digest, bound->digest, SHA256_LENGTH);
		return;
	}
	initStringInfo(&form);
	CanonicalWritePortable(&form, &value->view);
	Sha256(form.data, form.len, digest);
	pfree(form.data);
	if (bound == NULL)
		return;
	memcpy(bound->digest, digest, SHA256_LENGTH);
	bound->has_digest = true;
}

static bool
AreEqual(const Value *a, const Value *b)
{
	uint8		left[SHA256_LENGTH];
	uint8		right[SHA256_LENGTH];

	if (a->is_number || b->is_number)
		return a->is_number && b->is_number && CompareNumbers(a, b) == 0;
	if (a->view.type != b->view.type)
		return false;
	switch (a->view.type)
	{
		case JVIEW_NULL:
			return true;
		case JVIEW_BOOL:
			return a->view.boolean == b->view.boolean;
		case JVIEW_STRING:
			return SpanEqual(SpanOf(a->view.str, a->view.len), SpanOf(b->view.str, b->view.len));
		default:
			DigestOf(a, left);
			DigestOf(b, right);
			return memcmp(left, right, SHA256_LENGTH) == 0;
	}
}

/*
 * aggregates
 */

/*
 * Adds a number to partial sums, where sums[i] is NULL or a sum of 2^i numbers.  So
 * a long number takes part in few additions: the logarithm of their count.
 */
static void
AddNumber(Numeric *sums, Numeric number)
{
	int			level = 0;

	for (; sums[level]; level++)
	{
		number = NumberCall(numeric_add, sums[level], number);
		sums[level] = NULL;
	}
	sums[level] = number;
}

static void
WorkOutAggregates(const JsonView *array, Aggregates *aggregates)
{
	Numeric		sums[SUM_LEVELS + 1] = {NULL};
	int			count = JsonViewCount(array);

	aggregates->is_known = true;
	aggregates->not_number = -1;
	for (int i = 0; i < count; i++)
	{
		JsonView	element = JsonViewAt(array, i);
		Numeric		number;

		CHECK_FOR_INTERRUPTS();
		if (!NumberOfView(&element, &number))
		{
			aggregates->not_number = i;
			return;
		}
		if (i == 0 || NumberCompare(number, aggregates->min) < 0)
			aggregates->min = number;
		if (i == 0 || NumberCompare(number, aggregates->max) > 0)
			aggregates->max = number;
		AddNumber(sums, number);
	}
	aggregates->sum = int64_to_numeric(0);
	for (int i = 0; i <= SUM_LEVELS; i++)
	{
		if (sums[i])
			aggregates->sum = NumberCall(numeric_add, aggregates->sum, sums[i]);
	}
}

/*
 * evaluating
 */

static bool
ReportProblem(Evaluation *evaluation, const Instruction *instruction, const char *problem)
{
	evaluation->problem = psprintf("%s, at character %d", problem,
								   CharacterAt(evaluation->condition->text, instruction->at));
	return false;
}

static bool
PushReference(Evaluation *evaluation, const Instruction *instruction)
{
	const Reference *reference = &evaluation->condition->references[instruction->index];
	Bound	   *bound = &evaluation->bound[instruction->index];
	JsonView	view;

	if (!bound->is_resolved)
	{
		bool		found = evaluation->by_reference ?
			JsonViewGet(evaluation->bindings, reference->text.str, reference->text.len, &view) :
			ReferenceResolve(reference, evaluation->bindings, &view);

		if (!found)
			return ReportProblem(evaluation, instruction,
						  psprintf("reference %s %s", ShownText(reference->text),
								   evaluation->by_reference ? "is not bound" :
								   ReferenceWhyUnresolved(reference, evaluation->bindings)));
		bound->is_resolved = true;
		bound->value = ValueOfView(&view);
		bound->value.bound = bound;
	}
	evaluation->stack[evaluation->count++] = bound->value;
	return true;
}

static bool
ApplyLogic(Evaluation *evaluation, const Instruction *instruction, Value *a, const Value *b)
{
	bool		is_or = instruction->code == CODE_OR;

	if (!IsBoolean(a) || !IsBoolean(b))
		return ReportProblem(evaluation, instruction,
					  psprintf("%s takes two booleans, and has %s and %s",
							   code_names[instruction->code], TypeName(a), TypeName(b)));
	*a = BoolValue(is_or ? a->view.boolean || b->view.boolean : a->view.boolean && b->view.boolean);
	return true;
}

static bool
ApplyOrder(Evaluation *evaluation, const Instruction *instruction, Value *a, const Value *b)
{
	OpCode		code = instruction->code;
	int			cmp;

	if (a->is_number && b->is_number)
		cmp = CompareNumbers(a, b);
	else if (IsText(a) && IsText(b))
		cmp = SpanOrder(SpanOf(a->view.str, a->view.len), SpanOf(b->view.str, b->view.len));
	else
		return ReportProblem(evaluation, instruction,
					  psprintf("%s takes two numbers or two texts, and has %s and %s",
							   code_names[code], TypeName(a), TypeName(b)));
	*a = BoolValue(code == CODE_LT ? cmp < 0 : code == CODE_LE ? cmp <= 0 :
				   code == CODE_GT ? cmp > 0 : cmp >= 0);
	return true;
}

static bool
ApplyEquality(Evaluation *evaluation, const Instruction *instruction, Value *a, const Value *b)
{
	if (!a->is_number && a->view.type == JVIEW_ABSENT)
		return ReportProblem(evaluation, instruction, psprintf("a side is %s", TypeName(a)));
	if (!b->is_number && b->view.type == JVIEW_ABSENT)
		return ReportProblem(evaluation, instruction, psprintf("a side is %s", TypeName(b)));
	*a = BoolValue(AreEqual(a, b) == (instruction->code == CODE_EQ));
	return true;
}

static bool
ApplyUnary(Evaluation *evaluation, const Instruction *instruction, Value *a)
{
	if (instruction->code == CODE_NOT)
	{
		if (!IsBoolean(a))
			return ReportProblem(evaluation, instruction, psprintf("! takes a boolean, and has %s", TypeName(a)));
		*a = BoolValue(!a->view.boolean);
		return true;
	}
	if (!a->is_number)
		return ReportProblem(evaluation, instruction, psprintf("- takes a number, and has %s", TypeName(a)));
	a->number = NumberNegate(a->number);
	a->bound = NULL;
	return true;
}

static bool
ApplyAggregate(Evaluation *evaluation, const Instruction *instruction, Value *a)
{
	const char *name = code_names[instruction->code];
	int			count;
	Aggregates *aggregates;

	if (a->is_number || a->view.type != JVIEW_ARRAY)
		return ReportProblem(evaluation, instruction, psprintf("%s takes an array, and has %s", name, TypeName(a)));
	count = JsonViewCount(&a->view);
	if (instruction->code == CODE_COUNT)
	{
		*a = NumberValue(int64_to_numeric(count));
		return true;
	}
	if (count == 0)
		return ReportProblem(evaluation, instruction, psprintf("%s takes an array of numbers, and has one without elements", name));
	/* only a reference can be an array */
	aggregates = &a->bound->aggregates;
	if (!aggregates->is_known)
		WorkOutAggregates(&a->view, aggregates);
	if (aggregates->not_number >= 0)
		return ReportProblem(evaluation, instruction,
					  psprintf("%s takes an array of numbers, and element %d is none", name, aggregates->not_number));
	*a = NumberValue(instruction->code == CODE_MIN ? aggregates->min :
					 instruction->code == CODE_MAX ? aggregates->max : aggregates->sum);
	if (instruction->code == CODE_MEAN)
		a->divisor = count;
	return true;
}

static bool
ApplyInstruction(Evaluation *evaluation, const Instruction *instruction)
{
	Value	   *top = &evaluation->stack[evaluation->count - 1];

	switch ((OpCode) instruction->code)
	{
		case CODE_LITERAL:
			evaluation->stack[evaluation->count++] =
				ValueOfView(&evaluation->condition->literals[instruction->index]);
			return true;
		case CODE_REFERENCE:
			return PushReference(evaluation, instruction);
		case CODE_NOT:
		case CODE_NEGATE:
			return ApplyUnary(evaluation, instruction, top);
		case CODE_MEAN:
		case CODE_MIN:
		case CODE_MAX:
		case CODE_COUNT:
			return ApplyAggregate(evaluation, instruction, top);
		default:
			break;
	}
	evaluation->count--;
	if (instruction->code <= CODE_AND)
		return ApplyLogic(evaluation, instruction, top - 1, top);
	if (instruction->code <= CODE_NE)
		return ApplyEquality(evaluation, instruction, top - 1, top);
	return ApplyOrder(evaluation, instruction, top - 1, top);
}

static bool
Run(Evaluation *evaluation)
{
	const Condition *condition = evaluation->condition;

	for (int i = 0; i < condition->count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (!ApplyInstruction(evaluation, &condition->code[i]))
			return false;
	}
	if (IsBoolean(&evaluation->stack[0]))
		return true;
	evaluation->problem = psprintf("the condition is %s, and must be true or false",
								   TypeName(&evaluation->stack[0]));
	return false;
}

/* Returns the values for which a condition was false. */
static const char *
WhyFalse(const Evaluation *evaluation)
{
	const Condition *condition = evaluation->condition;
	StringInfoData why;

	initStringInfo(&why);
	appendStringInfoString(&why, "the condition is false");
	for (int i = 0; i < condition->nreferences && i < SHOWN_REFERENCES; i++)
	{
		const Value *value = &evaluation->bound[i].value;
		JsonView	shown = value->view;

		if (value->is_number)
		{
			JsonView	number = JsonViewOfNumeric(value->number);

			JsonViewPortable(&number, &shown);
		}
		appendStringInfo(&why, "%s %s is %s", i == 0 ? ":" : ",",
						 ShownText(condition->references[i].text), ShownValue(&shown));
	}
	if (condition->nreferences > SHOWN_REFERENCES)
		appendStringInfo(&why, ", and %d more", condition->nreferences - SHOWN_REFERENCES);
	return why.data;
}

void
ConditionEvaluate(const Condition *condition, const JsonView *bindings, bool by_reference,
				  ConditionResult *result)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "answer_eval condition",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);
	Evaluation	evaluation = {
		.condition = condition,
		.bindings = bindings,
		.by_reference = by_reference
	};
	const char *reason = NULL;

	evaluation.bound = palloc_extended(sizeof(Bound) * (Size) Max(condition->nreferences, 1),
									   MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	evaluation.stack = palloc_extended(sizeof(Value) * (Size) condition->depth, MCXT_ALLOC_HUGE);
	if (!Run(&evaluation))
	{
		result->outcome = CONDITION_ERROR;
		reason = evaluation.problem;
	}
	else if (evaluation.stack[0].view.boolean)
		result->outcome = CONDITION_HOLDS;
	else
	{
		result->outcome = CONDITION_FAILS;
		reason = WhyFalse(&evaluation);
	}
	MemoryContextSwitchTo(caller);
	result->reason = reason ? pstrdup(reason) : NULL;
	MemoryContextDelete(context);
}

/*
 * SQL
 */

PG_FUNCTION_INFO_V1(answer_eval_condition);

Datum
answer_eval_condition(PG_FUNCTION_ARGS)
{
	JsonView	bindings;
	JsonView	view = JsonViewNewObject(2);
	Condition  *condition;
	ConditionResult result = {.outcome = CONDITION_ERROR};

	RequireArgument(fcinfo, 0, "condition");
	LimitArgument(fcinfo, 0, DOCUMENT_MAX_SIZE, "condition");
	bindings = BindingsArgument(fcinfo, 1);
	condition = ConditionParse(TextArgument(fcinfo, 0), &result.reason);
	if (condition)
		ConditionEvaluate(condition, &bindings, false, &result);
	else
		result.reason = psprintf("the condition %s", result.reason);
	JsonViewSet(&view, "outcome", JsonViewCString(condition_outcome_labels[result.outcome]));
	JsonViewSet(&view, "reason", result.reason ? JsonViewCString(result.reason) : JsonViewNull());
	PG_RETURN_JSONB_P(JsonViewToJsonb(&view, false));
}
