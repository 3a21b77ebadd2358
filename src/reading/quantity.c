/*-------------------------------------------------------------------------
 *
 * quantity.c
 *		Finds numbers with units in a text.
 *
 * Rule: doc/spec/reading.md §6.1.
 *
 * Pure.  A number is digits, or one to three digits followed by groups of a comma and three digits,
 * and then optionally a point and digits.  It must not touch a letter, nor a further point or comma
 * with a digit after it, so versions, dates and lists without blanks are no numbers.  A sign is not
 * part of it.  Its unit is a currency sign before it, a percent sign after it (optionally after a
 * space), or the longest row of the unit table that follows in its clause.  A number without a unit
 * is not returned, because it is not compared with anything.
 *
 * Values are kept as decimal text in its shortest form and compared in that form: exactly, and at
 * any length.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "lib/stringinfo.h"
#include "miscadmin.h"

#include "base/grow.h"
#include "reading/quantity.h"

static const Span sign_names[UNIT_SIGNS] = {
	[SIGN_DOLLAR] = SPAN_LITERAL("$"),
	[SIGN_EURO] = SPAN_LITERAL("\xe2\x82\xac"),
	[SIGN_POUND] = SPAN_LITERAL("\xc2\xa3"),
	[SIGN_PERCENT] = SPAN_LITERAL("%"),
};

static int
NumberOfName(const Span *names, int count, Span name)
{
	for (int i = 0; i < count; i++)
	{
		if (SpanEqual(names[i], name))
			return i;
	}
	return -1;
}

/* Numbers the units; the names of the signs may be missing in the table. */
void
UnitNamesOf(const DecisionRules *rules, UnitNames *units)
{
	units->names = palloc_array(Span, rules->nunits + UNIT_SIGNS);
	units->of_rule = palloc_array(int, rules->nunits + 1);
	units->count = rules->nunits;
	if (rules->nunits > 0)
		memcpy(units->names, rules->units, rules->nunits * sizeof(Span));
	for (int s = 0; s < UNIT_SIGNS; s++)
	{
		int			at = units->count;

		if (NumberOfName(units->names, units->count, sign_names[s]) >= 0)
			continue;
		for (; at > 0 && SpanOrder(units->names[at - 1], sign_names[s]) > 0; at--)
			units->names[at] = units->names[at - 1];
		units->names[at] = sign_names[s];
		units->count++;
	}
	for (int s = 0; s < UNIT_SIGNS; s++)
		units->of_sign[s] = NumberOfName(units->names, units->count, sign_names[s]);
	for (int i = 0, n = 0; i < rules->nunits; i++)
	{
		while (!SpanEqual(units->names[n], rules->units[i]))
			n++;
		units->of_rule[i] = n;
	}
}

/*
 * Compares the digits, if both have the same number of digits before the point.
 * That is correct because no form has needless zeros.
 */
int
QuantityCompare(const Quantity *a, const Quantity *b)
{
	if (a->whole != b->whole)
		return a->whole > b->whole ? 1 : -1;
	return SpanOrder(a->value, b->value);
}

/* A character of the text and its position; the character is 0 before the first and after the last. */
typedef struct Place
{
	uint32		character;
	int			begin;
	int			end;
} Place;

typedef struct QuantityReader
{
	const DecisionRules *rules;
	const UnitNames *units;
	const Words *words;
	const Matches *matches;
	Place		before;			/* the character before the next one */
	Place		before_that;
	int			token;			/* last token that was looked at */
	StringInfoData digits;		/* of the current number */
	int			count;
	int			capacity;
	Quantity   *quantities;
} QuantityReader;

/* Returns the character from a byte on, skipping format characters. */
static Place
PlaceAt(const Words *words, int at)
{
	Place		place = {0, at, at};
	const char *end = words->text.str + words->text.len;

	while (place.end < words->text.len)
	{
		int			len;

		place.begin = place.end;
		place.character = Utf8Character(words->text.str + place.begin, end, &len);
		place.end = place.begin + len;
		if (!IsFormatCharacter(place.character))
			return place;
	}
	return (Place) {0, words->text.len, words->text.len};
}

static inline bool
IsPoint(uint32 character)
{
	return character == '.' || character == ',';
}

/* A number being read. */
typedef struct Number
{
	StringInfo	digits;
	int			point;			/* number of digits before the point */
	Place		last;			/* its last digit */
	Place		next;			/* the character after it */
} Number;

static int
ReadDigits(const Words *words, Number *number)
{
	int			count = 0;

	for (; IsAsciiDigit(number->next.character); count++)
	{
		appendStringInfoChar(number->digits, (char) number->next.character);
		number->last = number->next;
		number->next = PlaceAt(words, number->next.end);
	}
	return count;
}

/* Reads a comma and exactly three digits. */
static bool
ReadGroup(const Words *words, Number *number)
{
	Number		before = *number;
	int			len = number->digits->len;

	if (number->next.character != ',')
		return false;
	number->next = PlaceAt(words, number->next.end);
	if (ReadDigits(words, number) == 3)
		return true;
	*number = before;
	number->digits->len = len;
	return false;
}

/*
 * Reads everything that is written like a number.  Returns false if what follows
 * shows that it is none.  Then no number begins within it either, because each
 * digit there follows a point or comma after a digit.
 */
static bool
ReadNumber(const Words *words, Number *number)
{
	int			first = ReadDigits(words, number);
	Place		next;

	while (first <= 3 && ReadGroup(words, number))
		CHECK_FOR_INTERRUPTS();
	number->point = number->digits->len;
	if (number->next.character == '.')
	{
		next = PlaceAt(words, number->next.end);
		if (IsAsciiDigit(next.character))
		{
			number->next = next;
			ReadDigits(words, number);
		}
	}
	if (IsLetter(number->next.character))
		return false;
	return !IsPoint(number->next.character) ||
		!IsAsciiDigit(PlaceAt(words, number->next.end).character);
}

/* Sets the shortest decimal form of digits, "point" of them before the point. */
static void
KeepValue(Quantity *quantity, const StringInfo digits, int point)
{
	int			first = 0;
	int			end = digits->len;
	char	   *value;

	while (first < point - 1 && digits->data[first] == '0')
		first++;
	while (end > point && digits->data[end - 1] == '0')
		end--;
	quantity->whole = point - first;
	value = palloc(end - first + 1);
	memcpy(value, digits->data + first, quantity->whole);
	quantity->value = SpanOf(value, quantity->whole);
	if (end == point)
		return;
	value[quantity->whole] = '.';
	memcpy(value + quantity->whole + 1, digits->data + point, end - point);
	quantity->value.len = end - first + 1;
}

/* Finds a currency sign before the number, which then is its unit. */
static bool
CurrencyBefore(const QuantityReader *reader, Quantity *quantity)
{
	const Place *sign = reader->before.character == ' ' ? &reader->before_that : &reader->before;
	UnitSign	which;

	switch (sign->character)
	{
		case '$':
			which = SIGN_DOLLAR;
			break;
		case 0x20AC:
			which = SIGN_EURO;
			break;
		case 0x00A3:
			which = SIGN_POUND;
			break;
		default:
			return false;
	}
	quantity->unit = reader->units->of_sign[which];
	quantity->begin = sign->begin;
	return true;
}

static bool
PercentAfter(const QuantityReader *reader, Place next, Quantity *quantity)
{
	if (next.character == ' ')
		next = PlaceAt(reader->words, next.end);
	if (next.character != '%')
		return false;
	quantity->unit = reader->units->of_sign[SIGN_PERCENT];
	quantity->end = next.end;
	return true;
}

/* Finds the longest row of the unit table right after the number, in its clause. */
static bool
UnitAfter(const QuantityReader *reader, Quantity *quantity)
{
	const Words *words = reader->words;
	int			next = quantity->token + 1;
	const Match *match;

	if (next >= words->ntokens || words->tokens[next].clause != words->tokens[quantity->token].clause)
		return false;
	match = MatchAt(reader->matches, RULE_UNIT, next);
	if (match == NULL)
		return false;
	quantity->unit = reader->units->of_rule[match->entry];
	quantity->end = words->tokens[next + match->count - 1].end;
	return true;
}

/* Moves on to the token that contains a digit. */
static int
TokenAt(QuantityReader *reader, int byte)
{
	while (reader->words->tokens[reader->token].end <= byte)
		reader->token++;
	return reader->token;
}

static void
KeepQuantity(QuantityReader *reader, Quantity *quantity, int point)
{
	KeepValue(quantity, &reader->digits, point);
	GROW_ARRAY(reader->quantities, reader->count, reader->capacity, 8);
	reader->quantities[reader->count++] = *quantity;
}

/* Can a number begin here, by what is before the digit? */
static bool
MayBegin(const QuantityReader *reader)
{
	return !IsLetter(reader->before.character) &&
		!(IsPoint(reader->before.character) && IsAsciiDigit(reader->before_that.character));
}

/* Reads from a digit on, and returns where to continue. */
static int
ReadQuantity(QuantityReader *reader, Place first)
{
	Quantity	quantity = {.begin = first.begin};
	Number		number = {.digits = &reader->digits, .last = first, .next = first};

	resetStringInfo(&reader->digits);
	if (!MayBegin(reader))
		ReadDigits(reader->words, &number);
	else if (ReadNumber(reader->words, &number))
	{
		quantity.end = number.last.end;
		quantity.token = TokenAt(reader, number.last.begin);
		if (CurrencyBefore(reader, &quantity) ||
			PercentAfter(reader, number.next, &quantity) || UnitAfter(reader, &quantity))
			KeepQuantity(reader, &quantity, number.point);
	}
	reader->before = number.last;
	return number.last.end;
}

/* Returns all quantities of a text, in order. */
Quantity *
QuantitiesRead(const DecisionRules *rules, const UnitNames *units, const Words *words,
			   const Matches *matches, int *count)
{
	QuantityReader reader = {.rules = rules, .units = units, .words = words, .matches = matches};
	int			at = 0;

	initStringInfo(&reader.digits);
	while (at < words->text.len)
	{
		Place		place = PlaceAt(words, at);

		CHECK_FOR_INTERRUPTS();
		if (IsAsciiDigit(place.character))
			at = ReadQuantity(&reader, place);
		else
		{
			reader.before_that = reader.before;
			reader.before = place;
			at = place.end;
		}
	}
	pfree(reader.digits.data);
	*count = reader.count;
	return reader.quantities;
}
