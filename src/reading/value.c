/*-------------------------------------------------------------------------
 *
 * value.c
 *		Finds the values in a text: numbers in digits or in words, with their units.
 *
 * Pure.  Rule: doc/spec/reading.md §6.  At each token the first of these that applies: a time of day
 * with a colon, digits with letters attached, digits, words.  The tokens of a value are those of its
 * number, with a.m. and p.m.; those of its unit are also read as other words.
 *
 * Promises: pure and exact: a number is a plain decimal of any length, never a float.  Linear in the
 * text, except if number words of the rules that are no powers of ten multiply a long number.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "utils/builtins.h"

#include "base/grow.h"
#include "check/operator.h"
#include "reading/draft_reading.h"
#include "reading/segment.h"
#include "reading/value.h"

#define MINUTES_OF_HOUR		60
#define LEAST_MULTIPLIER	100
#define EURO				0x20AC
#define POUND				0x00A3

/* A number being read. Positions are bytes; its tokens are those from first to before end. */
typedef struct Figure
{
	Span		number;
	int			begin;
	int			end;
	int			first;
	int			end_token;
} Figure;

static char
ByteAt(const Draft *draft, int place)
{
	return place >= 0 && place < draft->words.text.len ? draft->words.text.str[place] : '\0';
}

/* Returns the character that ends before a position; 0 at the beginning. */
static uint32
CharacterBefore(const Draft *draft, int place, int *begin)
{
	int			len;

	*begin = place;
	if (place == 0)
		return 0;
	do
		(*begin)--;
	while (*begin > 0 && ((unsigned char) draft->words.text.str[*begin] & 0xC0) == 0x80);
	return DraftCharacter(draft, *begin, &len);
}

static bool
LetterAt(const Draft *draft, int place)
{
	int			len;
	uint32		c = DraftCharacter(draft, place, &len);

	return len > 0 && IsLetter(c);
}

/* Is there only white space, and some, between two positions? */
static bool
IsWhiteBetween(const Draft *draft, int from, int to)
{
	int			len;

	if (from >= to)
		return false;
	while (from < to)
	{
		if (!IsWhiteSpace(DraftCharacter(draft, from, &len)))
			return false;
		from += len;
	}
	return true;
}

/*
 * numbers
 */

/* Returns the shortest plain decimal of digits, "point" of them before the point. */
static Span
PlainDecimal(const char *digits, int count, int point)
{
	int			first = 0;
	int			end = count;
	char	   *value;

	while (first < point - 1 && digits[first] == '0')
		first++;
	while (end > point && digits[end - 1] == '0')
		end--;
	value = palloc(end - first + 1);
	memcpy(value, digits + first, point - first);
	if (end == point)
		return SpanOf(value, point - first);
	value[point - first] = '.';
	memcpy(value + (point - first) + 1, digits + point, end - point);
	return SpanOf(value, end - first + 1);
}

static Span
DecimalOfInteger(int64 number)
{
	char	   *text = psprintf(INT64_FORMAT, number);

	return SpanOf(text, strlen(text));
}

/*
 * Returns a plain decimal times a number and a power of ten.  It is computed digit
 * by digit, because a Numeric has a limited length.
 */
static Span
Multiply(Span number, int64 by, int zeros)
{
	char	   *digits = palloc_extended((Size) number.len + zeros + MAXINT8LEN + 1, MCXT_ALLOC_HUGE);
	int			count = 0;
	int			fraction = 0;
	uint64		carry = 0;

	for (int i = number.len - 1; i >= 0 || carry > 0; i--)
	{
		if (i >= 0 && number.str[i] == '.')
		{
			fraction = count;
			continue;
		}
		carry += i >= 0 ? (uint64) (number.str[i] - '0') * by : 0;
		digits[count++] = '0' + (char) (carry % 10);
		carry /= 10;
	}
	for (int i = 0; i < count / 2; i++)
	{
		char		swapped = digits[i];

		digits[i] = digits[count - 1 - i];
		digits[count - 1 - i] = swapped;
	}
	memset(digits + count, '0', zeros);
	return PlainDecimal(digits, count + zeros, count - fraction + zeros);
}

/* Returns a number word without trailing zeros, which are counted. */
static int64
WithoutZeros(int64 number, int *zeros)
{
	for (; number % 10 == 0; number /= 10)
		(*zeros)++;
	return number;
}

/* Returns the position after a comma and exactly three digits, or -1. */
static int
GroupEnd(const Draft *draft, int place)
{
	if (ByteAt(draft, place) != ',')
		return -1;
	for (int i = 1; i <= 3; i++)
	{
		if (!IsAsciiDigit(ByteAt(draft, place + i)))
			return -1;
	}
	return IsAsciiDigit(ByteAt(draft, place + 4)) ? -1 : place + 4;
}

/*
 * Reads digits and a fraction, and returns where they end.  Up to three digits can be
 * followed by groups of a comma and three digits.
 */
static int
ReadDecimal(const Draft *draft, int begin, Span *number)
{
	StringInfoData digits;
	int			place = begin;
	int			point;

	initStringInfo(&digits);
	for (; IsAsciiDigit(ByteAt(draft, place)); place++)
		appendStringInfoChar(&digits, ByteAt(draft, place));
	if (place - begin <= 3)
	{
		int			end;

		while ((end = GroupEnd(draft, place)) >= 0)
		{
			CHECK_FOR_INTERRUPTS();
			appendBinaryStringInfo(&digits, draft->words.text.str + place + 1, 3);
			place = end;
		}
	}
	point = digits.len;
	if (ByteAt(draft, place) == '.' && IsAsciiDigit(ByteAt(draft, place + 1)))
	{
		for (place++; IsAsciiDigit(ByteAt(draft, place)); place++)
			appendStringInfoChar(&digits, ByteAt(draft, place));
	}
	*number = PlainDecimal(digits.data, digits.len, point);
	pfree(digits.data);
	return place;
}

/* Is there a digit with a point, comma or colon before a position, so that no number begins there? */
static bool
IsContinued(const Draft *draft, int place, bool colon)
{
	char		mark = ByteAt(draft, place - 1);

	return place >= 2 && (mark == '.' || mark == ',' || (colon && mark == ':')) && IsAsciiDigit(ByteAt(draft, place - 2));
}

/* Is a position followed by a point, comma or colon with a digit after it? */
static bool
IsContinuedBehind(const Draft *draft, int place, bool colon)
{
	char		mark = ByteAt(draft, place);

	return (mark == '.' || mark == ',' || (colon && mark == ':')) && IsAsciiDigit(ByteAt(draft, place + 1));
}

/* Returns the first token, from one on, that begins at or after a position. */
static int
TokenFrom(const Draft *draft, int token, int place)
{
	while (token < draft->words.ntokens && draft->words.tokens[token].begin < place)
		token++;
	return token;
}

/*
 * units
 */

/* Returns the unit of a currency sign before a position, and where the sign begins; -1 if there is none. */
static int
CurrencyBefore(const Draft *draft, int place, int *begin)
{
	int			at;
	uint32		c = CharacterBefore(draft, place, &at);

	if (c == ' ')
		c = CharacterBefore(draft, at, &at);
	*begin = at;
	switch (c)
	{
		case '$':
			return draft->of_sign[SIGN_DOLLAR];
		case EURO:
			return draft->of_sign[SIGN_EURO];
		case POUND:
			return draft->of_sign[SIGN_POUND];
	}
	*begin = place;
	return VALUE_NO_UNIT;
}

/* Returns the token after the clause of a token. */
static int
ClauseEndOf(const Draft *draft, int token)
{
	int			end = token + 1;

	/* a unit has few words, so it is enough to look at 64 */
	while (end < draft->words.ntokens && draft->words.tokens[end].clause == draft->words.tokens[token].clause &&
		   end - token < 64)
		end++;
	return end;
}

static void
AddValue(Draft *draft, const Figure *figure, int unit, int begin, int end, Span joined)
{
	DraftValue *value;

	GROW_ARRAY(draft->values, draft->nvalues, draft->values_capacity, 8);
	for (int i = figure->first; i < figure->end_token; i++)
		draft->value_of[i] = draft->nvalues;
	value = &draft->values[draft->nvalues++];
	*value = (DraftValue) {
		.value = {
			.begin = begin,
			.end = end,
			.first = figure->first,
			.end_token = figure->end_token,
			.unit = unit,
			.item = -1,
			.number = figure->number
		},
		.joined = joined
	};
}

/*
 * times of day
 */

/*
 * Is there a.m. or p.m. after token - 1, after optional blanks?  Returns 'a' or
 * 'p', the token after it and where it ends; or 0.
 */
static char
HalfBehind(const Draft *draft, int token, int *behind, int *end)
{
	const Words *words = &draft->words;
	const Token *here = &words->tokens[token];

	if (token >= words->ntokens || here->clause != here[-1].clause ||
		!IsWhiteBetween(draft, here[-1].end, here->begin))
		return 0;
	*behind = token + 1;
	*end = here->end;
	if (DraftTokenIs(draft, draft->lexicon, token, "am"))
		return 'a';
	if (DraftTokenIs(draft, draft->lexicon, token, "pm"))
		return 'p';
	if (token + 1 >= words->ntokens || !DraftTokenIs(draft, draft->lexicon, token + 1, "m") ||
		here->end + 1 != here[1].begin || ByteAt(draft, here->end) != '.' || ByteAt(draft, here[1].end) != '.')
		return 0;
	*behind = token + 2;
	*end = here[1].end + 1;
	if (DraftTokenIs(draft, draft->lexicon, token, "a"))
		return 'a';
	return DraftTokenIs(draft, draft->lexicon, token, "p") ? 'p' : 0;
}

static Span
ClockMinutes(int hour, int minutes, char half)
{
	if (half)
		hour = hour % 12 + (half == 'p' ? 12 : 0);
	return DecimalOfInteger(hour * MINUTES_OF_HOUR + minutes);
}

/* Returns the folded letters attached to digits. */
static Span
JoinedBetween(const Draft *draft, int from, int to)
{
	return FoldedAsWritten(SpanOf(draft->words.text.str + from, to - from));
}

/*
 * Are the letters attached to digits those of a.m. or p.m.?  With full stops the m
 * is the next token.  Returns the same as HalfBehind.
 */
static char
JoinedHalf(const Draft *draft, int token, Span letters, int *behind, int *end)
{
	const Words *words = &draft->words;
	const Token *here = &words->tokens[token];

	*behind = token + 1;
	*end = here->end;
	if (SpanEqualCString(letters, "am") || SpanEqualCString(letters, "pm"))
		return letters.str[0];
	if (!SpanEqualCString(letters, "a") && !SpanEqualCString(letters, "p"))
		return 0;
	if (token + 1 >= words->ntokens || !DraftTokenIs(draft, draft->lexicon, token + 1, "m") ||
		here->end + 1 != here[1].begin || ByteAt(draft, here->end) != '.' || ByteAt(draft, here[1].end) != '.')
		return 0;
	*behind = token + 2;
	*end = here[1].end + 1;
	return letters.str[0];
}

/* Reads a time of day with a colon. */
static bool
ReadClock(Draft *draft, int token)
{
	const Words *words = &draft->words;
	int			begin = words->tokens[token].begin;
	int			colon = words->tokens[token].end;
	Figure		figure = {.begin = begin,.first = token,.end_token = token + 2};
	const Token *next = &words->tokens[token + 1];
	int			hour = 0;
	int			minutes;
	int			end = colon + 3;
	int			behind;
	int			stop;
	char		half;
	bool		is_half_day;

	if (token + 1 >= words->ntokens || colon - begin > 2 || ByteAt(draft, colon) != ':' || next->begin != colon + 1 ||
		IsContinued(draft, begin, true))
		return false;
	for (int i = begin; i < colon; i++)
	{
		if (!IsAsciiDigit(ByteAt(draft, i)))
			return false;
		hour = hour * 10 + (ByteAt(draft, i) - '0');
	}
	if (hour > 24 || ByteAt(draft, colon + 1) < '0' || ByteAt(draft, colon + 1) > '5' ||
		!IsAsciiDigit(ByteAt(draft, colon + 2)) || IsAsciiDigit(ByteAt(draft, end)) || IsContinuedBehind(draft, end, true))
		return false;
	minutes = (ByteAt(draft, colon + 1) - '0') * 10 + (ByteAt(draft, colon + 2) - '0');
	is_half_day = hour >= 1 && hour <= 12;
	if (next->end > end)
	{
		half = JoinedHalf(draft, token + 1, JoinedBetween(draft, end, next->end), &behind, &stop);
		if (half == 0 || !is_half_day)
			return false;
	}
	else
		half = is_half_day ? HalfBehind(draft, token + 2, &behind, &stop) : 0;
	if (half)
	{
		figure.end_token = behind;
		end = stop;
	}
	figure.number = ClockMinutes(hour, minutes, half);
	AddValue(draft, &figure, draft->clock, begin, end, SpanOf("", 0));
	return true;
}

/* Returns a plain decimal that is a whole number from 1 to 12; else 0. */
static int
HourOf(Span number)
{
	int			hour = 0;

	if (number.len > 2)
		return 0;
	for (int i = 0; i < number.len; i++)
	{
		if (!IsAsciiDigit(number.str[i]))
			return 0;
		hour = hour * 10 + (number.str[i] - '0');
	}
	return hour <= 12 ? hour : 0;
}

/*
 * numbers in digits and in words
 */

/* Reads digits with a unit, am, pm or an s attached. */
static bool
ReadJoined(Draft *draft, int token)
{
	const Words *words = &draft->words;
	Figure		figure = {.begin = words->tokens[token].begin,.first = token};
	int			last = token;
	int			place;
	int			count = 0;
	int			unit;
	int			begin;
	int			currency;
	int			behind;
	int			stop;
	Span		letters;
	char		half;

	if (!IsAsciiDigit(ByteAt(draft, figure.begin)) || IsContinued(draft, figure.begin, true))
		return false;
	place = ReadDecimal(draft, figure.begin, &figure.number);
	while (words->tokens[last].end < place)
		last++;
	figure.end = words->tokens[last].end;
	figure.end_token = last + 1;
	if (figure.end == place)
		return false;
	for (int at = place; at < figure.end;)
	{
		int			len;

		if (!IsLetter(DraftCharacter(draft, at, &len)))
			return false;
		at += len;
	}
	letters = JoinedBetween(draft, place, figure.end);
	half = JoinedHalf(draft, last, letters, &behind, &stop);
	if (half)
	{
		int			hour = HourOf(figure.number);

		if (hour == 0)
			return false;
		figure.number = ClockMinutes(hour, 0, half);
		figure.end_token = behind;
		AddValue(draft, &figure, draft->clock, figure.begin, stop, SpanOf("", 0));
		return true;
	}
	if (SpanEqualCString(letters, "s"))
	{
		AddValue(draft, &figure, VALUE_NO_UNIT, figure.begin, figure.end, SpanOf("", 0));
		return true;
	}
	unit = UnitThatBeginsWith(draft->rules, letters, words, last + 1, ClauseEndOf(draft, last), &count);
	if (unit < 0)
		return false;
	currency = CurrencyBefore(draft, figure.begin, &begin);
	AddValue(draft, &figure, currency != VALUE_NO_UNIT ? currency : draft->of_rule[unit], begin,
			 words->tokens[last + count].end, letters);
	return true;
}

/* Are there only blanks or a hyphen before a token, in its clause? */
static bool
IsLinked(const Draft *draft, int token)
{
	const Token *here = &draft->words.tokens[token];

	if (token == 0 || token >= draft->words.ntokens || here->clause != here[-1].clause)
		return false;
	if (here[-1].end + 1 == here->begin && ByteAt(draft, here[-1].end) == '-')
		return true;
	return IsWhiteBetween(draft, here[-1].end, here->begin);
}

static int64
NumberWordAt(const Draft *draft, int token)
{
	return token < draft->words.ntokens ? ReadingNumberWord(draft->rules, draft->words.tokens[token].word) : NO_NUMBER_WORD;
}

/*
 * Adds the unit of a complete number.  Returns false if it is the word `one`
 * without a unit, which is no number.
 */
static bool
FinishNumber(Draft *draft, Figure *figure, bool wants_unit)
{
	const Words *words = &draft->words;
	Span		none = {"", 0};
	int			begin;
	int			unit;
	int			behind;
	int			stop;
	const Match *row = NULL;
	int			zeros = 0;

	/* all zeros at once, because the text may have as many words */
	while (IsLinked(draft, figure->end_token) && NumberWordAt(draft, figure->end_token) >= LEAST_MULTIPLIER)
	{
		int64		factor = WithoutZeros(NumberWordAt(draft, figure->end_token), &zeros);

		CHECK_FOR_INTERRUPTS();
		if (factor > 1)
			figure->number = Multiply(figure->number, factor, 0);
		figure->end = words->tokens[figure->end_token].end;
		figure->end_token++;
		wants_unit = false;
	}
	if (zeros > 0)
		figure->number = Multiply(figure->number, 1, zeros);
	unit = CurrencyBefore(draft, figure->begin, &begin);
	if (unit != VALUE_NO_UNIT)
	{
		AddValue(draft, figure, unit, begin, figure->end, none);
		return true;
	}
	stop = figure->end + (ByteAt(draft, figure->end) == ' ');
	if (ByteAt(draft, stop) == '%')
	{
		AddValue(draft, figure, draft->of_sign[SIGN_PERCENT], figure->begin, stop + 1, none);
		return true;
	}
	if (HourOf(figure->number) > 0)
	{
		char		half = HalfBehind(draft, figure->end_token, &behind, &stop);

		if (half)
		{
			figure->number = ClockMinutes(HourOf(figure->number), 0, half);
			figure->end_token = behind;
			AddValue(draft, figure, draft->clock, figure->begin, stop, none);
			return true;
		}
	}
	if (figure->end_token < words->ntokens &&
		words->tokens[figure->end_token].clause == words->tokens[figure->first].clause)
		row = MatchAt(&draft->matches, RULE_UNIT, figure->end_token);
	if (row == NULL && wants_unit)
		return false;
	if (row)
		AddValue(draft, figure, draft->of_rule[row->entry], figure->begin,
				 words->tokens[row->first + row->count - 1].end, none);
	else
		AddValue(draft, figure, VALUE_NO_UNIT, figure->begin, figure->end, none);
	return true;
}

/* Reads a number in digits, from a digit on. */
static bool
ReadFiguresAt(Draft *draft, int token, int place)
{
	Figure		figure = {.begin = place,.first = token};
	int			before;

	if ((place > 0 && IsLetter(CharacterBefore(draft, place, &before))) || IsContinued(draft, place, false))
		return false;
	figure.end = ReadDecimal(draft, place, &figure.number);
	if (LetterAt(draft, figure.end) || IsContinuedBehind(draft, figure.end, false))
		return false;
	figure.end_token = TokenFrom(draft, token, figure.end);
	return FinishNumber(draft, &figure, false);
}

/* Reads the first number in a token; marks may be before and between its digits. */
static bool
ReadFigures(Draft *draft, int token)
{
	int			end = draft->words.tokens[token].end;
	int			place = draft->words.tokens[token].begin;

	while (place < end)
	{
		bool		is_digit = IsAsciiDigit(ByteAt(draft, place));

		if (is_digit && ReadFiguresAt(draft, token, place))
			return true;
		while (place < end && IsAsciiDigit(ByteAt(draft, place)) == is_digit)
			place++;
	}
	return false;
}

/* Reads a number in words. */
static bool
ReadNumberWords(Draft *draft, int token)
{
	const Words *words = &draft->words;
	int64		number = NumberWordAt(draft, token);
	Figure		figure = {.first = token,.end_token = token + 1,.begin = words->tokens[token].begin};

	if (number == NO_NUMBER_WORD)
		return false;
	if (number >= 20 && number < 100 && number % 10 == 0 && IsLinked(draft, token + 1))
	{
		int64		unit = NumberWordAt(draft, token + 1);

		if (unit >= 1 && unit <= 9)
		{
			number += unit;
			figure.end_token++;
		}
	}
	figure.number = DecimalOfInteger(number);
	figure.end = words->tokens[figure.end_token - 1].end;
	return FinishNumber(draft, &figure, DraftTokenIs(draft, draft->lexicon, token, "one"));
}

void
ValuesRead(Draft *draft)
{
	int			ntokens = draft->words.ntokens;
	int			token = 0;

	draft->value_of = palloc_extended(sizeof(int32) * (Size) Max(ntokens, 1), MCXT_ALLOC_HUGE);
	for (int i = 0; i < ntokens; i++)
		draft->value_of[i] = -1;
	while (token < ntokens)
	{
		CHECK_FOR_INTERRUPTS();
		if (ReadClock(draft, token) || ReadJoined(draft, token) || ReadFigures(draft, token) ||
			ReadNumberWords(draft, token))
			token = Max(token + 1, draft->values[draft->nvalues - 1].value.end_token);
		else
			token++;
	}
}
