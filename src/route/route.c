/*-------------------------------------------------------------------------
 *
 * route.c
 *		Compiles a question to checks, by a table of routes.
 *
 * Pure.  Rule: doc/spec/route.md §4.  An ordered, declarative table compiles a question
 * to checks, or the question is refused.  The first match wins.  There is no model, no
 * paraphrase and no regular expression: whoever can read the table can tell what
 * happens to any question.
 *
 * The content of a table is one JSON document,
 *
 *		{"router_version": "route/1", "routes": [
 *			{"route_id", "pattern", "kind", "tool", "args", "expect", "lists"}, ...]}
 *
 * A route whose lists match in the plural as well also has "plurals": true.  The routes
 * are in the order in which they are tried.  The document has everything that decides,
 * including the values of lists, and nothing else.  Its SHA-256 is the router_sha256 of
 * receipts.  Tables are compiled only from that document, so a replay uses the table of
 * the original run.
 *
 * A route of kind "interrogative" asserts nothing and compiles to a check with observe.
 * One of kind "declarative" is adjudicated.  In "args", and in the "value" and "tol" of
 * expectations, a string "{slot}" becomes the slot's value with its type.  Inside a
 * longer string, "{slot}" becomes the value's text, and "{{" and "}}" become braces.  A
 * member of "args" whose slot took no words is left out.  A route is read with sample
 * values for its slots, including negative numbers, fractions and missing slots, so
 * that no question can make it compile to a malformed check.
 *
 * Each sentence of a question needs a route; otherwise the whole question is refused.
 *
 * Promises: pure: memory in, memory out.  Never raises an error because of a table, a
 * question or a receipt.  Linear in the question's length times the table's size.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "lib/stringinfo.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "base/numbers.h"
#include "base/option.h"
#include "check/request.h"
#include "document/signed.h"
#include "route/route.h"

/* Limit for the depth of templates.  It is lower than that for a request. */
#define TEMPLATE_MAX_DEPTH	64

/* Limit for the number of expected words in a report. */
#define MAX_EXPECTED		10

/*
 * Longer sentences are not searched for words that no slot takes, and longer texts of
 * such words are not reported.
 */
#define MISSED_MAX_WORDS	256
#define MISSED_MAX_TEXT		200 /* bytes */

/*
 * templates
 */

/* The values that the slots of a pattern took; absent if a slot took nothing. */
typedef struct SlotValues
{
	JsonView	value[PATTERN_MAX_SLOTS];
	uint32		used;			/* slots used by templates so far */
} SlotValues;

/* Returns the slot of this name; -1 if the pattern has none. */
static int
SlotByName(const Pattern *pattern, Span name)
{
	for (int i = 0; i < pattern->nslots; i++)
	{
		if (SpanEqual(pattern->slots[i].name, name))
			return i;
	}
	return -1;
}

/* Appends a value as it reads inside a longer text. */
static void
AppendValue(StringInfo text, const JsonView *value)
{
	PlainNumber plain;

	if (value->type == JVIEW_STRING)
		appendBinaryStringInfo(text, value->str, value->len);
	else if (value->type == JVIEW_BOOL)
		appendStringInfoString(text, value->boolean ? "true" : "false");
	else if (NumberPlain(value, &plain))
		appendBinaryStringInfo(text, plain.text, plain.len);
}

/*
 * Fills the slots of a string.  An absent result means that its only slot has no value.
 * Returns NULL, or what is wrong.
 */
static const char *
FillString(const JsonView *string, const Pattern *pattern, SlotValues *values, JsonView *result)
{
	const char *p = string->str;
	const char *end = p + string->len;
	StringInfoData text;

	*result = *string;
	if (memchr(p, '{', string->len) == NULL && memchr(p, '}', string->len) == NULL)
		return NULL;
	initStringInfo(&text);
	while (p < end)
	{
		Span		name;
		int			slot;

		if (*p != '{' && *p != '}')
		{
			appendStringInfoChar(&text, *p++);
			continue;
		}
		if (p + 1 < end && p[1] == *p)
		{
			appendStringInfoChar(&text, *p);
			p += 2;
			continue;
		}
		name.str = p + 1;
		name.len = *p == '{' && p + 1 < end ? (int) strcspn(pnstrdup(p + 1, Min(end - p - 1, 64)), "}") : 0;
		if (name.len == 0 || name.str + name.len >= end || name.str[name.len] != '}')
			return "has a brace in its template that is neither a slot nor doubled";
		slot = SlotByName(pattern, name);
		if (slot < 0)
			return "names a slot in its template that its pattern does not have";
		values->used |= UINT64CONST(1) << slot;
		if (p == string->str && name.str + name.len + 1 == end)
		{
			*result = values->value[slot];
			return NULL;
		}
		if (values->value[slot].type == JVIEW_ABSENT)
			return "puts a slot that can be empty into a text";
		AppendValue(&text, &values->value[slot]);
		p = name.str + name.len + 1;
	}
	*result = JsonViewString(text.data, text.len);
	return NULL;
}

/* Does the same for any value, whose depth has been checked. */
static const char *
Fill(const JsonView *template, const Pattern *pattern, SlotValues *values, JsonView *result)
{
	int			count;
	const char *problem;

	if (template->type == JVIEW_STRING)
		return FillString(template, pattern, values, result);
	*result = *template;
	if (!JVIEW_IS_CONTAINER(template))
		return NULL;
	count = JsonViewCount(template);
	*result = template->type == JVIEW_ARRAY ? JsonViewNewArray(count) : JsonViewNewObject(count);
	for (int i = 0; i < count; i++)
	{
		Span		key = {NULL, 0};
		JsonView	member = template->type == JVIEW_ARRAY ? JsonViewAt(template, i) : JsonViewMember(template, i, &key);
		JsonView	filled;

		problem = Fill(&member, pattern, values, &filled);
		if (problem)
			return problem;
		if (template->type == JVIEW_OBJECT && filled.type != JVIEW_ABSENT)
			JsonViewSetKey(result, key.str, key.len, filled);
		else if (template->type == JVIEW_ARRAY && filled.type == JVIEW_ABSENT)
			return "puts a slot that can be empty into an array";
		else if (template->type == JVIEW_ARRAY)
			JsonViewAppend(result, filled);
	}
	return NULL;
}

/* Fills an expectation, of which only the value and the tolerance are templates. */
static const char *
FillExpectation(const JsonView *template, const Pattern *pattern, SlotValues *values,
				JsonView *result)
{
	int			count;

	*result = *template;
	if (template->type != JVIEW_OBJECT)
		return NULL;
	count = JsonViewCount(template);
	*result = JsonViewNewObject(count);
	for (int i = 0; i < count; i++)
	{
		Span		key;
		JsonView	member = JsonViewMember(template, i, &key);
		const char *problem;

		if ((key.len == 5 && memcmp(key.str, "value", 5) == 0) ||
			(key.len == 3 && memcmp(key.str, "tol", 3) == 0))
		{
			JsonView	filled;

			problem = Fill(&member, pattern, values, &filled);
			if (problem)
				return problem;
			if (filled.type == JVIEW_ABSENT)
				return "expects a slot that can be empty";
			member = filled;
		}
		JsonViewSetKey(result, key.str, key.len, member);
	}
	return NULL;
}

/* Makes the check that a route compiles to with these values. */
static const char *
FillCheck(const Route *route, SlotValues *values, JsonView *check)
{
	JsonView	args;
	const char *problem = Fill(&route->args, &route->pattern, values, &args);

	if (problem)
		return problem;
	*check = JsonViewNewObject(5);
	JsonViewSet(check, "tool", JsonViewString(route->tool.str, route->tool.len));
	JsonViewSet(check, "args", args);
	JsonViewSet(check, "observe", JsonViewBool(route->interrogative));
	if (route->expect.type == JVIEW_ARRAY)
	{
		JsonView	expect = JsonViewNewArray(JsonViewCount(&route->expect));

		for (int i = 0; i < JsonViewCount(&route->expect) && problem == NULL; i++)
		{
			JsonView	member = JsonViewAt(&route->expect, i);
			JsonView	filled;

			problem = FillExpectation(&member, &route->pattern, values, &filled);
			JsonViewAppend(&expect, filled);
		}
		JsonViewSet(check, "expect", expect);
	}
	else if (route->expect.type != JVIEW_ABSENT)
	{
		JsonView	filled;

		problem = FillExpectation(&route->expect, &route->pattern, values, &filled);
		JsonViewSet(check, "expect", filled);
	}
	return problem;
}

/*
 * reading routes
 */

static JsonView
MakeTenths(int64 value)
{
	return JsonViewOfNumeric(int64_div_fast_to_numeric(value, 1));
}

/* Returns a sample value of a slot; the other one is negative and has a fraction, if possible. */
static JsonView
MakeStandIn(const Slot *slot, bool other)
{
	switch (slot->type)
	{
		case SLOT_NUMBER:
			return other ? MakeTenths(-15) : JsonViewInteger(1);
		case SLOT_INTEGER:
			return JsonViewInteger(other ? -1 : 1);
		case SLOT_AMOUNT:
			return other ? MakeTenths(15) : JsonViewInteger(1);
		case SLOT_COUNT:
			return JsonViewInteger(1);
		case SLOT_SEMVER:
			return JsonViewCString("1.2.3");
		case SLOT_DATE:
			return JsonViewCString("2026-01-31");
		case SLOT_INSTANT:
			return JsonViewCString("2026-01-31T00:00:00Z");
		case SLOT_BOOLEAN:
			return JsonViewBool(true);
		default:
			return JsonViewCString("x");
	}
}

static void
FillStandIns(const Pattern *pattern, bool other, bool missing, SlotValues *values)
{
	values->used = 0;
	for (int i = 0; i < pattern->nslots; i++)
	{
		values->value[i] = MakeStandIn(&pattern->slots[i], other);
		if (missing && !((pattern->always >> i) & 1))
			values->value[i].type = JVIEW_ABSENT;
	}
}

/* Does the route make a valid check with sample values? */
static const char *
TryCheck(const Route *route, bool other, bool missing)
{
	SlotValues	values;
	JsonView	check;
	Check	plan;
	RequestError error;
	const char *problem;

	FillStandIns(&route->pattern, other, missing, &values);
	problem = FillCheck(route, &values, &check);
	if (problem)
		return problem;
	memset(&error, 0, sizeof(error));
	if (CheckParse(&check, 1, false, &plan, &error))
		return NULL;
	/* a caller's key may be in any script */
	for (int i = 0; i < error.field.len; i++)
	{
		if (IS_HIGHBIT_SET(error.field.str[i]))
			return psprintf("makes a malformed check: a key %s", error.problem);
	}
	return psprintf("makes a malformed check%s: %.*s %s", other ? " of some numbers" : "",
					Min(error.field.len, 64), error.field.str, error.problem);
}

/* Does the same for every kind of sample values.  Frees what this allocates. */
static const char *
TryChecks(const Route *route)
{
	MemoryContext scratch = AllocSetContextCreate(CurrentMemoryContext, "answer_eval route",
												  ALLOCSET_SMALL_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(scratch);
	const char *problem = TryCheck(route, false, false);

	if (problem == NULL && route->pattern.nslots > 0)
		problem = TryCheck(route, true, false);
	if (problem == NULL && route->pattern.nslots > 0)
		problem = TryCheck(route, false, true);
	MemoryContextSwitchTo(caller);
	if (problem)
		problem = pstrdup(problem);
	MemoryContextDelete(scratch);
	return problem;
}

/* An interrogative route has no expectation; a declarative one must state something in each. */
static const char *
MoodProblem(const Route *route, const JsonView *expectation)
{
	JsonView	op;

	if (route->interrogative)
	{
		if (JsonViewCount(expectation) > (JsonViewGetMember(expectation, "path", &op) ? 1 : 0))
			return "is interrogative and may expect nothing; give a path at most";
		return NULL;
	}
	return JsonViewGetMember(expectation, "op", &op) ? NULL :
		"is declarative and must expect something; give an op";
}

static const char *
ReadExpect(const JsonView *view, Route *route)
{
	const char *problem = NULL;

	JsonViewGetMember(view, "expect", &route->expect);
	if (route->expect.type == JVIEW_ABSENT)
		return route->interrogative ? NULL : "is declarative and must expect something";
	if (JsonViewIsDeeper(&route->expect, TEMPLATE_MAX_DEPTH))
		return "has an expect that is nested too deeply";
	if (route->expect.type == JVIEW_OBJECT)
		return MoodProblem(route, &route->expect);
	if (route->expect.type != JVIEW_ARRAY)
		return "has an expect that is neither an object nor an array";
	if (!route->interrogative && JsonViewCount(&route->expect) == 0)
		return "is declarative and must expect something";
	for (int i = 0; i < JsonViewCount(&route->expect) && problem == NULL; i++)
	{
		JsonView	member = JsonViewAt(&route->expect, i);

		problem = member.type == JVIEW_OBJECT ? MoodProblem(route, &member) :
			"has an expect that holds no object";
	}
	return problem;
}

/* Checks that every list of the pattern has its values, and that there are no other lists. */
static const char *
ReadLists(const JsonView *view, Route *route)
{
	JsonView	lists = JsonViewUnder(view, "lists");
	JsonView	plurals;
	int			count = 0;

	if (lists.type != JVIEW_ABSENT && lists.type != JVIEW_OBJECT)
		return "has lists that are no object";
	if (JsonViewGetMember(view, "plurals", &plurals) && plurals.type != JVIEW_BOOL)
		return "has plurals that are neither true nor false";
	for (int i = 0; i < route->pattern.nslots; i++)
	{
		Slot	   *slot = &route->pattern.slots[i];
		JsonView	values;
		const char *problem;

		if (slot->type != SLOT_LIST)
			continue;
		JsonViewGet(&lists, slot->name.str, slot->name.len, &values);
		slot->list = palloc(sizeof(PhraseList));
		problem = PhraseListInit(slot->list, &values, slot->name,
								 plurals.type == JVIEW_BOOL && plurals.boolean);
		if (problem)
			return problem;
		count++;
	}
	if (lists.type == JVIEW_OBJECT && JsonViewCount(&lists) != count)
		return "has a list that its pattern does not use";
	return NULL;
}

/*
 * Reads one route of a table's content.  Returns NULL, or what is wrong, in ASCII.  The
 * id is read first.
 */
const char *
RouteRead(const JsonView *view, Route *route)
{
	static const char *const keys[] = {"route_id", "pattern", "kind", "tool", "args",
	"expect", "lists", "plurals", NULL};
	JsonView	kind = JsonViewUnder(view, "kind");
	Span		pattern;
	Span		unknown;
	const char *problem;

	memset(route, 0, sizeof(*route));
	if (view->type != JVIEW_OBJECT)
		return "is no object";
	if (!JsonViewGetString(view, "route_id", &route->id) ||
		route->id.len == 0 || SpanCharacters(route->id) > ROUTE_MAX_ID_LENGTH)
		return "has no route_id of 1 to 200 characters";
	if (!HasOnlyKeys(view, keys, &unknown))
		return "has a member that no route has";
	route->interrogative = JsonViewStringIs(&kind, "interrogative");
	if (!route->interrogative && !JsonViewStringIs(&kind, "declarative"))
		return "is neither interrogative nor declarative";
	if (!JsonViewGetString(view, "tool", &route->tool) || route->tool.len == 0)
		return "names no tool";
	if (!JsonViewGetString(view, "pattern", &pattern))
		return "has no pattern";
	problem = PatternParse(pattern, &route->pattern);
	if (problem)
		return psprintf("has a pattern that %s", problem);
	if (!JsonViewGetMember(view, "args", &route->args))
		route->args = JsonViewNewObject(0);
	if (route->args.type != JVIEW_OBJECT)
		return "has args that are no object";
	if (JsonViewIsDeeper(&route->args, TEMPLATE_MAX_DEPTH))
		return "has args that are nested too deeply";
	problem = ReadExpect(view, route);
	if (problem == NULL)
		problem = ReadLists(view, route);
	return problem ? problem : TryChecks(route);
}

/*
 * Returns why a valid route must not be registered, or NULL: it is ambiguous, or the
 * words of a slot would be ignored silently.
 */
const char *
RouteProblem(const Route *route)
{
	const Pattern *pattern = &route->pattern;
	const char *ambiguity = PatternAmbiguity(pattern);
	SlotValues	values;
	JsonView	check;

	if (ambiguity)
		return psprintf("has a pattern that %s", ambiguity);
	FillStandIns(pattern, false, false, &values);
	(void) FillCheck(route, &values, &check);
	for (int i = 0; i < pattern->nslots; i++)
	{
		if (!((values.used >> i) & 1))
			return psprintf("does not use what its slot \"%.*s\" takes", pattern->slots[i].name.len,
							pattern->slots[i].name.str);
	}
	return NULL;
}

/* Numbers the literal words of all routes, and packs their patterns. */
static void
RouteTableIndex(RouteTable *table)
{
	const Pattern **patterns = palloc_extended(sizeof(Pattern *) * (Size) Max(table->count, 1), MCXT_ALLOC_HUGE);
	int			count = 0;

	for (int i = 0; i < table->count; i++)
		count += table->routes[i].pattern.nelements;
	table->literals = palloc_extended(sizeof(Span) * (Size) Max(count, 1), MCXT_ALLOC_HUGE);
	count = 0;
	for (int i = 0; i < table->count; i++)
	{
		Pattern    *pattern = &table->routes[i].pattern;

		for (int e = 0; e < pattern->nelements; e++)
		{
			if (pattern->elements[e].slot < 0)
				table->literals[count++] = pattern->elements[e].folded;
		}
	}
	qsort(table->literals, count, sizeof(Span), SpanCompareItems);
	table->nliterals = 0;
	for (int i = 0; i < count; i++)
	{
		if (table->nliterals == 0 ||
			SpanCompareItems(&table->literals[table->nliterals - 1], &table->literals[i]) != 0)
			table->literals[table->nliterals++] = table->literals[i];
	}
	for (int i = 0; i < table->count; i++)
	{
		Pattern    *pattern = &table->routes[i].pattern;

		for (int e = 0; e < pattern->nelements; e++)
		{
			Element    *element = &pattern->elements[e];

			if (element->slot < 0)
				element->literal = (Span *) bsearch(&element->folded, table->literals,
													table->nliterals, sizeof(Span),
													SpanCompareItems) - table->literals;
		}
		patterns[i] = pattern;
	}
	PackInit(&table->pack, patterns, table->count, table->nliterals);
}

/*
 * Reads a table's content, which must outlive it.  Returns NULL, or what is wrong;
 * *where is then the route at fault, or empty.
 */
const char *
RouteTableRead(const JsonView *content, RouteTable *table, Span *where)
{
	static const char *const keys[] = {"router_version", "routes", NULL};
	JsonView	version = JsonViewUnder(content, "router_version");
	JsonView	routes;
	Span		unknown;

	memset(table, 0, sizeof(*table));
	memset(where, 0, sizeof(*where));
	if (content->type != JVIEW_OBJECT || !HasOnlyKeys(content, keys, &unknown))
		return "is no table of routes";
	if (!JsonViewStringIs(&version, ROUTER_VERSION))
		return "is of another version than route/1";
	if (!JsonViewGetMember(content, "routes", &routes) || routes.type != JVIEW_ARRAY)
		return "has no routes";
	table->routes = palloc_extended(sizeof(Route) * (Size) Max(JsonViewCount(&routes), 1),
									MCXT_ALLOC_HUGE);
	for (int i = 0; i < JsonViewCount(&routes); i++)
	{
		JsonView	view = JsonViewAt(&routes, i);
		const char *problem;

		CHECK_FOR_INTERRUPTS();
		problem = RouteRead(&view, &table->routes[i]);
		if (problem)
		{
			*where = table->routes[i].id;
			return problem;
		}
		table->count++;
	}
	RouteTableIndex(table);
	return NULL;
}

/* Writes the digest of a table's content: 64 hex digits and a terminator. */
void
RouterSha256(const JsonView *content, char *hex)
{
	uint8		sha256[SHA256_LENGTH];

	CanonicalSha256(content, NULL, sha256);
	HexEncode(sha256, SHA256_LENGTH, hex);
	hex[ROUTER_SHA256_LENGTH] = '\0';
}

/*
 * routing
 */

/* Gives a question's words their numbers among the table's literals. */
void
RouteTableNumber(const RouteTable *table, Question *question)
{
	for (int i = 0; i < question->nwords; i++)
	{
		Word	   *word = &question->words[i];
		const Span *literal;

		if ((i & 0xFFF) == 0)
			CHECK_FOR_INTERRUPTS();
		if (word->quoted || word->defect)
			continue;
		literal = bsearch(&word->folded, table->literals, table->nliterals, sizeof(Span),
						  SpanCompareItems);
		word->literal = literal ? literal - table->literals : -1;
	}
}

/* Returns the first route that a sentence matches; -1 if none does. */
int
RouteFind(const RouteTable *table, const Question *question, int sentence)
{
	const Sentence *s = &question->sentences[sentence];

	return PackFind(&table->pack, question->words + s->first, s->count);
}

/* Returns the value that a slot took, with its type. */
static JsonView
SlotValue(const Slot *slot, const Capture *capture, const Word *words)
{
	const Word *word = words + capture->first;
	StringInfoData text;

	switch (slot->type)
	{
		case SLOT_NUMBER:
		case SLOT_INTEGER:
		case SLOT_AMOUNT:
		case SLOT_COUNT:
			return JsonViewOfNumeric(NumberOfLiteral(pnstrdup(word->text.str, word->text.len)));
		case SLOT_BOOLEAN:
			/* true, yes, on */
			return JsonViewBool(strchr("ty", word->folded.str[0]) != NULL ||
								(word->folded.len == 2 && memcmp(word->folded.str, "on", 2) == 0));
		case SLOT_LIST:
			return JsonViewString(capture->phrase->value.str, capture->phrase->value.len);
		case SLOT_WORDS:
			initStringInfo(&text);
			for (int i = 0; i < capture->count; i++)
			{
				if (i > 0)
					appendStringInfoChar(&text, ' ');
				appendBinaryStringInfo(&text, word[i].text.str, word[i].text.len);
			}
			return JsonViewString(text.data, text.len);
		default:
			return JsonViewString(word->text.str, word->text.len);
	}
}

/* Makes the check that a sentence compiles to. */
static JsonView
CompileSentence(const Route *route, const Question *question, int sentence)
{
	const Sentence *s = &question->sentences[sentence];
	const Word *words = question->words + s->first;
	Capture		captures[PATTERN_MAX_SLOTS];
	SlotValues	values;
	JsonView	check;
	const char *problem;

	PatternCapture(&route->pattern, words, s->count, captures);
	for (int i = 0; i < route->pattern.nslots; i++)
	{
		values.value[i].type = JVIEW_ABSENT;
		if (captures[i].count > 0)
			values.value[i] = SlotValue(&route->pattern.slots[i], &captures[i], words);
	}
	values.used = 0;
	problem = FillCheck(route, &values, &check);
	if (problem)
		elog(ERROR, "a route that was read %s", problem);
	return check;
}

static void
RefuseSentence(Routing *routing, int sentence, const char *reason)
{
	routing->refused = sentence;
	routing->refusal = reason;
}

/* Finds a route for every sentence, or the reason why the question is refused. */
static void
FindRoutes(const RouteTable *table, Routing *routing)
{
	Question   *question = &routing->question;

	if (question->nsentences == 0)
	{
		RefuseSentence(routing, -1, "the question has no words");
		return;
	}
	if (question->nsentences > REQUEST_MAX_CHECKS)
	{
		RefuseSentence(routing, -1, "the question has more than 1000 sentences");
		return;
	}
	RouteTableNumber(table, question);
	routing->routes = palloc(sizeof(int) * question->nsentences);
	for (int i = 0; i < question->nsentences; i++)
	{
		int			route = RouteFind(table, question, i);

		if (route < 0)
		{
			RefuseSentence(routing, i, "no route matches");
			return;
		}
		routing->routes[routing->nrouted++] = route;
	}
}

/* Parses the compiled checks, in their portable form. */
static void
ReadChecks(Routing *routing, JsonView checks)
{
	JsonView	portable = PortableCopy(&checks);
	routing->nchecks = JsonViewCount(&portable);
	routing->plans = palloc(sizeof(Check) * Max(routing->nchecks, 1));
	for (int i = 0; i < routing->nchecks; i++)
	{
		JsonView	check = JsonViewAt(&portable, i);
		RequestError error;

		memset(&error, 0, sizeof(error));
		if (!CheckParse(&check, i + 1, false, &routing->plans[i], &error))
			RequestRaise(&error);
		JsonViewAppend(&routing->checks, CheckNormalForm(&routing->plans[i]));
	}
}

/*
 * Routes a question, whose bytes must outlive the result.  The checks have memory of
 * their own and borrow nothing from the table.
 */
void
RouteQuestion(const RouteTable *table, Span text, Routing *routing)
{
	JsonView	checks;

	memset(routing, 0, sizeof(*routing));
	routing->refused = -1;
	routing->checks = JsonViewNewArray(1);
	QuestionRead(text, &routing->question);
	FindRoutes(table, routing);
	if (routing->refusal)
		return;
	checks = JsonViewNewArray(routing->nrouted);
	for (int i = 0; i < routing->nrouted; i++)
		JsonViewAppend(&checks, CompileSentence(&table->routes[routing->routes[i]],
												&routing->question, i));
	ReadChecks(routing, checks);
}

static JsonView
CopiedString(Span span)
{
	return JsonViewString(pnstrdup(span.str, span.len), span.len);
}

/* Returns the receipt's member about the routing, with memory of its own. */
JsonView
RoutingView(const RouteTable *table, const Routing *routing, const char *router_sha256)
{
	JsonView	view = JsonViewNewObject(5);

	if (routing->refusal)
	{
		JsonViewSet(&view, "route_id", JsonViewNull());
		JsonViewSet(&view, "reason", JsonViewCString(routing->refusal));
		if (routing->refused >= 0)
			JsonViewSet(&view, "sentence", JsonViewInteger(routing->refused + 1));
	}
	else
		JsonViewSet(&view, "route_id", CopiedString(table->routes[routing->routes[0]].id));
	if (!routing->refusal && routing->nrouted > 1)
	{
		JsonView	ids = JsonViewNewArray(routing->nrouted);

		for (int i = 0; i < routing->nrouted; i++)
			JsonViewAppend(&ids, CopiedString(table->routes[routing->routes[i]].id));
		JsonViewSet(&view, "route_ids", ids);
	}
	JsonViewSet(&view, "router_version", JsonViewCString(ROUTER_VERSION));
	JsonViewSet(&view, "router_sha256", JsonViewCString(pstrdup(router_sha256)));
	return view;
}

static bool
HasString(const JsonView *array, Span text)
{
	for (int i = 0; i < JsonViewCount(array); i++)
	{
		JsonView	element = JsonViewAt(array, i);

		if (element.type == JVIEW_STRING && SpanEqual((Span) {element.str, element.len}, text))
			return true;
	}
	return false;
}

/* Returns the words and slots that could have come where a pattern stopped matching. */
JsonView
RouteExpected(const Pattern *pattern, const Stop *stop)
{
	JsonView	expected = JsonViewNewArray(4);

	for (int e = BitsNext(&stop->expected, -1); e >= 0; e = BitsNext(&stop->expected, e))
	{
		const Element *element = &pattern->elements[e];
		Span		text = {pattern->text.str + element->begin, element->end - element->begin};

		if (HasString(&expected, text))
			continue;
		if (JsonViewCount(&expected) == MAX_EXPECTED)
		{
			JsonViewAppend(&expected, JsonViewCString("..."));
			break;
		}
		JsonViewAppend(&expected, CopiedString(text));
	}
	return expected;
}

/*
 * why not
 */

/* Returns a sample word, or words, that a slot takes. */
static Span
SampleOf(const Slot *slot)
{
	static const char *const samples[] = {"x", "x", "\"x\"", "1", "1", "1", "1", "1.2",
	"2026-01-31", "2026-01-31T08:00:00Z", "true"};

	if (slot->type == SLOT_LIST)
		return slot->list->phrases[0].folded;
	return (Span) {samples[slot->type], strlen(samples[slot->type])};
}

static void
AppendWords(StringInfo text, const Word *words, int count)
{
	for (int i = 0; i < count; i++)
	{
		const char *quote = words[i].quoted ? "\"" : "";

		appendStringInfo(text, "%s%s%.*s%s", text->len > 0 ? " " : "", quote, words[i].text.len, words[i].text.str, quote);
	}
}

/*
 * Would a sentence match if a value of the slot replaced "count" of its words, beginning
 * with "at"?
 */
static bool
MatchesWith(const RouteTable *table, const Pattern *pattern, const Slot *slot, const Word *words, int nwords,
			int at, int count)
{
	Span		sample = SampleOf(slot);
	StringInfoData text;
	Question	question;
	Stop		stop;
	bool		matches = false;

	initStringInfo(&text);
	AppendWords(&text, words, at);
	appendStringInfo(&text, "%s%.*s", at > 0 ? " " : "", sample.len, sample.str);
	AppendWords(&text, words + at + count, nwords - at - count);
	QuestionRead((Span) {text.data, text.len}, &question);
	RouteTableNumber(table, &question);
	if (question.nsentences == 1)
		matches = PatternMatches(pattern, question.words, question.nwords, &stop);
	QuestionFree(&question);
	pfree(text.data);
	return matches;
}

/*
 * Explains why a sentence does not match a route, if it would match with other words
 * for one slot.  Reports the slot and the words.  Returns false if that is not the
 * reason.
 */
bool
RouteMissed(const RouteTable *table, int route, const Question *question, int sentence, JsonView *missed)
{
	const Pattern *pattern = &table->routes[route].pattern;
	const Sentence *s = &question->sentences[sentence];
	const Word *words = question->words + s->first;
	Stop		stop;

	if (s->count > MISSED_MAX_WORDS || PatternMatches(pattern, words, s->count, &stop))
		return false;
	for (int e = BitsNext(&stop.expected, -1); e >= 0; e = BitsNext(&stop.expected, e))
	{
		const Slot *slot = pattern->elements[e].slot < 0 ? NULL : &pattern->slots[pattern->elements[e].slot];

		for (int n = 1; slot && n <= LIST_MAX_WORDS && stop.word + n <= s->count; n++)
		{
			StringInfoData text;

			CHECK_FOR_INTERRUPTS();
			if (!MatchesWith(table, pattern, slot, words, s->count, stop.word, n))
				continue;
			initStringInfo(&text);
			AppendWords(&text, words + stop.word, n);
			if (text.len > MISSED_MAX_TEXT)
				return false;
			*missed = JsonViewNewObject(4);
			JsonViewSet(missed, "route_id", CopiedString(table->routes[route].id));
			JsonViewSet(missed, "slot", CopiedString(slot->name));
			JsonViewSet(missed, "text", JsonViewString(text.data, text.len));
			JsonViewSet(missed, "reason",
						JsonViewCString(slot->type == SLOT_LIST ?
										psprintf("%s is not in the list %.*s", text.data, slot->name.len, slot->name.str) :
										psprintf("%s is not of the type %s, which the slot %.*s takes", text.data,
												 slot_type_names[slot->type], slot->name.len, slot->name.str)));
			return true;
		}
	}
	return false;
}

/*
 * replay
 */

static JsonView
RefusalReport(const char *problem, const char *from)
{
	JsonView	report = JsonViewNewObject(4);

	JsonViewSet(&report, "ok", JsonViewBool(problem == NULL));
	if (problem)
		JsonViewSet(&report, "reason", JsonViewCString(problem));
	if (from)
		JsonViewSet(&report, "route_table", JsonViewCString(from));
	return report;
}

/* Returns the arguments without those named: all of them, or only those that are null. */
static JsonView
WithoutArguments(const JsonView *args, const JsonView *names, bool nulls_only)
{
	int			count;
	JsonMember *members = JsonViewSortedMembers(args, &count);
	JsonView	result = JsonViewNewObject(count);

	for (int i = 0; i < count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (!HasString(names, members[i].key) ||
			(nulls_only && members[i].value.type != JVIEW_NULL))
			JsonViewSetKey(&result, members[i].key.str, members[i].key.len, members[i].value);
	}
	return result;
}

/*
 * Reads the checks of a receipt, without their results; returns false if one is
 * malformed.  Arguments that a tool's defaults filled in are left out.  In "compiled"
 * they are also left out where they are null.
 */
static bool
RecordedChecks(const JsonView *receipt, Routing *routing, JsonView *normal, JsonView *compiled)
{
	JsonView	checks;

	*normal = JsonViewNewArray(1);
	if (!JsonViewGetMember(receipt, "checks", &checks) || checks.type != JVIEW_ARRAY)
		return false;
	for (int i = 0; i < JsonViewCount(&checks); i++)
	{
		JsonView	check = JsonViewAt(&checks, i);
		JsonView	defaulted;
		Check	plan;
		RequestError error;

		CHECK_FOR_INTERRUPTS();
		memset(&error, 0, sizeof(error));
		if (!CheckParse(&check, i + 1, true, &plan, &error))
			return false;
		if (JsonViewGetMember(&check, "defaulted", &defaulted) && defaulted.type == JVIEW_ARRAY)
		{
			plan.args = WithoutArguments(&plan.args, &defaulted, false);
			if (i < routing->nchecks)
				routing->plans[i].args = WithoutArguments(&routing->plans[i].args, &defaulted, true);
		}
		JsonViewAppend(normal, CheckNormalForm(&plan));
	}
	*compiled = JsonViewNewArray(Max(routing->nchecks, 1));
	for (int i = 0; i < routing->nchecks; i++)
		JsonViewAppend(compiled, CheckNormalForm(&routing->plans[i]));
	return true;
}

/*
 * Routes the question of a receipt again, with the table that the receipt names, and
 * compares.  "from" says where the content comes from.  If the content is absent,
 * *lacks_table is set, to distinguish that from a mismatch.
 */
JsonView
RouteReplay(const JsonView *receipt, const JsonView *content, const char *from,
			bool *lacks_table)
{
	JsonView	schema;
	JsonView	mode = JsonViewUnder(receipt, "mode");
	JsonView	route;
	JsonView	sha256;
	JsonView	routed;
	JsonView	recorded;
	JsonView	compiled;
	Span		question;
	Span		where;
	char		hex[ROUTER_SHA256_LENGTH + 1];
	RouteTable	table;
	Routing		routing;
	JsonView	report;
	const char *problem;

	*lacks_table = false;
	if (!JsonViewGetMember(receipt, "schema", &schema) || !JsonViewStringIs(&schema, RECEIPT_SCHEMA))
		return RefusalReport("the document is no receipt of schema " RECEIPT_SCHEMA, NULL);
	if (!JsonViewStringIs(&mode, "question"))
		return RefusalReport("the receipt answers no question", NULL);
	if (!JsonViewGetString(receipt, "question", &question))
		return RefusalReport("question is missing", NULL);
	if (!JsonViewGetMember(receipt, "route", &route) || route.type != JVIEW_OBJECT ||
		!JsonViewGetMember(&route, "router_sha256", &sha256))
		return RefusalReport("route is missing", NULL);
	*lacks_table = content->type == JVIEW_ABSENT;
	if (*lacks_table)
		return RefusalReport("the table that routed it is not among those kept", NULL);
	if (JsonViewIsDeeper(content, 2 * TEMPLATE_MAX_DEPTH))
		return RefusalReport("the table is nested too deeply", from);
	RouterSha256(content, hex);
	if (!JsonViewStringIs(&sha256, hex))
		return RefusalReport("the table is not the one that routed it", from);
	problem = RouteTableRead(content, &table, &where);
	if (problem)
		return RefusalReport(psprintf("%s %s", where.len > 0 ? "a route of the table" : "the table",
							   problem), from);
	if (question.len > REQUEST_MAX_QUESTION)
		return RefusalReport("question " REQUEST_LONG_QUESTION, from);
	RouteQuestion(&table, question, &routing);
	if (!RecordedChecks(receipt, &routing, &recorded, &compiled))
		return RefusalReport("checks is missing or malformed", from);
	routed = RoutingView(&table, &routing, hex);
	problem = NULL;
	if (!CanonicalDigestsEqual(&route, &routed))
		problem = "routing it again gives another route";
	else if (!CanonicalDigestsEqual(&recorded, &compiled))
		problem = "routing it again gives other checks";
	report = RefusalReport(problem, from);
	if (problem)
	{
		JsonViewSet(&report, "route", routed);
		JsonViewSet(&report, "checks", routing.checks);
	}
	return report;
}
