/*-------------------------------------------------------------------------
 *
 * risk.c
 *		Says how much hangs on a question, and whether it is clear.
 *
 * Pure, with a thin edge for SQL.  Rule: doc/spec/decision.md §1.3 and §1.4.
 *
 * Risk: the words of both levels are one group of lists, so a longer entry of the
 * lower level takes a word from the higher one ("rate limits" is never "limits"). Any
 * word of the high level in what is left makes it high.
 *
 * Ambiguity: the first row of the rules that applies.  A row names words, one
 * of which the query must hold, and how that word must stand; and what, if the
 * query has it anywhere, makes it clear.
 *
 * Promises: pure; linear in the query, times the number of rows.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "miscadmin.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/limits.h"
#include "ground/risk.h"
#include "reading/text.h"

#define FIRST_YEAR	2000
#define LAST_YEAR	2099

static const char *const risk_labels[] = {"low", "medium", "high"};

void
QueryRead(const DecisionRules *rules, Span text, Query *query)
{
	Reader	   *reader = ReaderBegin(rules);
	const Reading *reading = ReadText(reader, text);

	query->rules = rules;
	query->lexicon = ReaderLexicon(reader);
	query->words = reading->words;
	query->matches = reading->matches;
}

static bool
HasMatch(const Query *query, int list)
{
	for (int i = 0; i < query->matches.count; i++)
	{
		if (query->matches.matches[i].list == list)
			return true;
	}
	return false;
}

/*
 * risk
 */

bool
QueryAsksForCurrent(const Query *query)
{
	static const Span words[] = {
		SPAN_LITERAL("current"), SPAN_LITERAL("currently"), SPAN_LITERAL("latest"),
		SPAN_LITERAL("newest"), SPAN_LITERAL("now"), SPAN_LITERAL("today")
	};

	for (int i = 0; i < query->words.ntokens; i++)
	{
		if (SpanIsIn(LexiconWord(query->lexicon, query->words.tokens[i].word)->folded, words, lengthof(words)))
			return true;
	}
	return false;
}

RiskLevel
QueryRisk(const Query *query)
{
	if (HasMatch(query, RULE_RISK_HIGH))
		return RISK_HIGH;
	return HasMatch(query, RULE_RISK_MEDIUM) ? RISK_MEDIUM : RISK_LOW;
}

/* The entries of a list that stand in the query, each once, sorted. */
static JsonView
MatchedEntries(const Query *query, int list)
{
	const Matches *matches = &query->matches;
	Span	   *entries = palloc_extended(sizeof(Span) * (Size) Max(matches->count, 1), MCXT_ALLOC_HUGE);
	JsonView	result = JsonViewNewArray(4);
	int			count = 0;

	for (int i = 0; i < matches->count; i++)
	{
		if (matches->matches[i].list == list)
			entries[count++] = query->rules->entries[list][matches->matches[i].entry];
	}
	qsort(entries, count, sizeof(Span), SpanOrderItems);
	for (int i = 0; i < count; i++)
	{
		if (i == 0 || !SpanEqual(entries[i], entries[i - 1]))
			JsonViewAppend(&result, JsonViewString(entries[i].str, entries[i].len));
	}
	pfree(entries);
	return result;
}

JsonView
QueryRiskView(const Query *query)
{
	RiskLevel	level = QueryRisk(query);
	JsonView	result = JsonViewNewObject(2);

	JsonViewSet(&result, "risk_level", JsonViewCString(risk_labels[level]));
	JsonViewSet(&result, "matched_keywords",
				level == RISK_LOW ? JsonViewNewArray(0) :
				MatchedEntries(query, level == RISK_HIGH ? RULE_RISK_HIGH : RULE_RISK_MEDIUM));
	return result;
}

/*
 * ambiguity
 */

/* For ambiguity, a token of one or two characters says no more than a stop word. */
static bool
SaysNothing(const Query *query, int token)
{
	int			word = query->words.tokens[token].word;

	return RulesIsStopWord(query->rules, word) ||
		LexiconWord(query->lexicon, word)->characters < KEYWORD_MIN_CHARACTERS;
}

static bool
IsYear(const Query *query, int token)
{
	Span		folded = LexiconWord(query->lexicon, query->words.tokens[token].word)->folded;
	int			year = 0;

	if (folded.len != 4)
		return false;
	for (int i = 0; i < folded.len; i++)
	{
		if (folded.str[i] < '0' || folded.str[i] > '9')
			return false;
		year = year * 10 + (folded.str[i] - '0');
	}
	return year >= FIRST_YEAR && year <= LAST_YEAR;
}

/* Is a match of the list of months one?  May also is a verb. */
static bool
IsMonth(const Query *query, const Match *match)
{
	Span		folded = LexiconWord(query->lexicon, query->words.tokens[match->first].word)->folded;

	return match->count > 1 || !SpanEqualCString(folded, "may") ||
		IsMonthMay(query->lexicon, &query->words, match->first);
}

static bool
HasMonthOrYear(const Query *query)
{
	for (int i = 0; i < query->words.ntokens; i++)
	{
		if (IsYear(query, i))
			return true;
	}
	for (int i = 0; i < query->matches.count; i++)
	{
		if (query->matches.matches[i].list == RULE_MONTH &&
			IsMonth(query, &query->matches.matches[i]))
			return true;
	}
	return false;
}

/* Does the query say what the row would ask for? */
static bool
IsClear(const Query *query, int row)
{
	const AmbiguityRule *rule = &query->rules->ambiguities[row];

	return HasMatch(query, RULE_UNLESS(row)) ||
		(rule->unless_topic && HasMatch(query, RULE_TOPIC)) ||
		(rule->unless_risk && QueryRisk(query) != RISK_LOW) ||
		(rule->unless_month_or_year && HasMonthOrYear(query));
}

/* Does a phrase of a row open the query? */
static bool
Opens(const Query *query, int row)
{
	return MatchAt(&query->matches, RULE_OPENS(row), 0) != NULL;
}

/*
 * The first and the last word that says something, so that each word of a row
 * is judged without reading the query again.
 */
typedef struct Sayings
{
	int			first;
	int			last;
} Sayings;

static Sayings
FindSayings(const Query *query)
{
	Sayings		sayings = {query->words.ntokens, -1};

	for (int i = 0; i < query->words.ntokens; i++)
	{
		if (SaysNothing(query, i))
			continue;
		sayings.first = Min(sayings.first, i);
		sayings.last = i;
	}
	return sayings;
}

/* Does a word of a row stand in the query as the row wants it? */
static bool
Stands(const Query *query, int row, const Match *match, Sayings sayings)
{
	const AmbiguityRule *rule = &query->rules->ambiguities[row];
	int			end = match->first + match->count;

	if (rule->nothing_but_stop_words_beside && (sayings.first < match->first || sayings.last >= end))
		return false;
	return !rule->nothing_but_stop_words_follow || sayings.last < end ||
		(rule->or_after_opens_of >= 0 && Opens(query, rule->or_after_opens_of));
}

static bool
RowApplies(const Query *query, int row, Sayings sayings)
{
	if (query->rules->ambiguities[row].has_opens && !Opens(query, row))
		return false;
	if (IsClear(query, row))
		return false;
	for (int i = 0; i < query->matches.count; i++)
	{
		const Match *match = &query->matches.matches[i];

		if (match->list == RULE_HOLDS(row) && Stands(query, row, match, sayings))
			return true;
	}
	return false;
}

bool
QueryAmbiguity(const Query *query, Span *question)
{
	Sayings		sayings = FindSayings(query);

	for (int row = 0; row < query->rules->nambiguities; row++)
	{
		CHECK_FOR_INTERRUPTS();
		if (RowApplies(query, row, sayings))
		{
			*question = query->rules->ambiguities[row].question;
			return true;
		}
	}
	return false;
}

/*
 * SQL
 */

static void
QueryArgument(FunctionCallInfo fcinfo, Query *query)
{
	RequireArgument(fcinfo, 0, "query");
	LimitArgument(fcinfo, 0, DOCUMENT_MAX_SIZE, "query");
	QueryRead(DecisionRulesArgument(fcinfo, 1), TextArgument(fcinfo, 0), query);
}

PG_FUNCTION_INFO_V1(answer_eval_risk);

Datum
answer_eval_risk(PG_FUNCTION_ARGS)
{
	Query		query;
	JsonView	result;

	QueryArgument(fcinfo, &query);
	result = QueryRiskView(&query);
	PG_RETURN_JSONB_P(JsonViewToJsonb(&result, false));
}

PG_FUNCTION_INFO_V1(answer_eval_ambiguity);

Datum
answer_eval_ambiguity(PG_FUNCTION_ARGS)
{
	Query		query;
	Span		question;

	QueryArgument(fcinfo, &query);
	if (!QueryAmbiguity(&query, &question))
		PG_RETURN_NULL();
	PG_RETURN_DATUM(SpanDatum(question));
}
