/*-------------------------------------------------------------------------
 *
 * text.c
 *		Reads a text: sentences, items, values, names, negation.
 *
 * Pure.  Rule: doc/spec/reading.md §5 to §8.  Words are compared by their stems, numbers by their
 * values.  Each token gives items; the items of a text are those that are not just grammar.  Nothing
 * here understands what a sentence means.
 *
 * Format characters are ignored: a text that has some is read without them, and positions are
 * converted to the text as given.
 *
 * A reader keeps the stem of each word that it has met, so later a word costs only a table lookup.
 *
 * Promises: pure; the same under every locale, encoding and version of the server; n log n in the
 * length of the text.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "lib/stringinfo.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"

#include "base/grow.h"
#include "base/search.h"
#include "reading/draft_reading.h"
#include "reading/segment.h"
#include "reading/stem.h"
#include "reading/text.h"
#include "reading/value.h"

#define CLOCK_NAME			"clock"
#define CLOCK_ITEM			"clock "
#define LEFT_QUOTE			0x201C
#define NO_ITEM				(-1)

struct Reader
{
	const DecisionRules *rules;
	Lexicon    *words;			/* of the texts, based on those of the rules */
	Lexicon    *items;			/* the number of an item is that of its word here */
	UnitNames	units;			/* includes the unit for times of day */
	int			clock;
	int			stems_capacity;
	int32	   *stems;			/* by word: its item, or NO_ITEM if it is not known yet */
};

/*
 * readers and items
 */

/* Reads the units of the rules, and adds the one for times of day. */
static void
ReadUnits(Reader *reader)
{
	Span		clock = SPAN_LITERAL(CLOCK_NAME);
	UnitNames	units;
	int			at = 0;
	bool		is_known;

	UnitNamesOf(reader->rules, &units);
	while (at < units.count && SpanOrder(units.names[at], clock) < 0)
		at++;
	is_known = at < units.count && SpanEqual(units.names[at], clock);
	if (!is_known)
	{
		Span	   *names = palloc(sizeof(Span) * (units.count + 1));

		memcpy(names, units.names, sizeof(Span) * at);
		names[at] = clock;
		memcpy(names + at + 1, units.names + at, sizeof(Span) * (units.count - at));
		units.names = names;
		units.count++;
		for (int i = 0; i < reader->rules->nunits; i++)
			units.of_rule[i] += units.of_rule[i] >= at;
		for (int i = 0; i < UNIT_SIGNS; i++)
			units.of_sign[i] += units.of_sign[i] >= at;
	}
	reader->units = units;
	reader->clock = at;
}

Reader *
ReaderBegin(const DecisionRules *rules)
{
	Reader	   *reader = palloc0(sizeof(Reader));

	reader->rules = rules;
	reader->words = RulesLexicon(rules);
	reader->items = LexiconCreate(NULL);
	ReadUnits(reader);
	return reader;
}

const Lexicon *
ReaderLexicon(const Reader *reader)
{
	return reader->words;
}

ReadItem
ReaderItem(const Reader *reader, int item)
{
	const Lexeme *lexeme = LexiconWord(reader->items, item);

	return (ReadItem) {lexeme->folded, lexeme->characters > ITEM_LIGHT_CHARACTERS ? 2 : 1};
}

int
ReaderItemCount(const Reader *reader)
{
	return LexiconSize(reader->items);
}

Span
ReaderUnitName(const Reader *reader, int unit)
{
	return reader->units.names[unit];
}

bool
ReaderUnitIsClock(const Reader *reader, int unit)
{
	return unit == reader->clock;
}

static bool
IsAsciiLetters(Span folded)
{
	for (int i = 0; i < folded.len; i++)
	{
		if (folded.str[i] < 'a' || folded.str[i] > 'z')
			return false;
	}
	return true;
}

/* Returns the item of a folded word: its stem, if it has only ASCII letters. */
static int
ItemOfWord(Reader *reader, Span folded)
{
	char		buffer[256];
	char	   *stem = buffer;
	int			item;

	if (!IsAsciiLetters(folded))
		return LexiconAdd(reader->items, folded, SpanCharacters(folded), false);
	if (folded.len > (int) sizeof(buffer))
		stem = palloc_extended(folded.len, MCXT_ALLOC_HUGE);
	memcpy(stem, folded.str, folded.len);
	folded = SpanOf(stem, StemEnglish(stem, folded.len));
	item = LexiconAdd(reader->items, folded, folded.len, false);
	if (stem != buffer)
		pfree(stem);
	return item;
}

/* Returns the item of a word in the lexicon; it is stemmed once. */
static int
ItemOfLexeme(Reader *reader, int word)
{
	if (word >= reader->stems_capacity)
	{
		int			capacity = Max(word + 1, Max(1024, reader->stems_capacity * 2));

		reader->stems = reader->stems ?
			repalloc_huge(reader->stems, sizeof(int32) * (Size) capacity) :
			palloc_extended(sizeof(int32) * (Size) capacity, MCXT_ALLOC_HUGE);
		for (int i = reader->stems_capacity; i < capacity; i++)
			reader->stems[i] = NO_ITEM;
		reader->stems_capacity = capacity;
	}
	if (reader->stems[word] == NO_ITEM)
		reader->stems[word] = ItemOfWord(reader, LexiconWord(reader->words, word)->folded);
	return reader->stems[word];
}

/* tokens as written */

/* The shape of a token before folding. */
typedef struct Shape
{
	bool		begins_upper;
	bool		has_upper_behind;
	bool		has_letter;
	bool		has_digit;
	bool		has_parts;		/* may it have parts? */
	bool		is_plural;		/* two or more capitals and an s */
} Shape;

static Shape
ShapeOf(Span token)
{
	const char *end = token.str + token.len;
	Shape		shape = {0};
	int			count = 0;
	int			upper = 0;
	uint32		last = 0;
	bool		was_lower = false;
	bool		were_upper = false;	/* were the two before upper-case? */
	bool		was_upper = false;

	for (const char *p = token.str; p < end;)
	{
		int			len;
		uint32		c = Utf8Character(p, end, &len);
		bool		is_upper = IsUpperCase(c);
		bool		is_lower = !is_upper && IsLowerCase(c);

		shape.has_letter |= is_upper || is_lower || IsLetter(c);
		shape.has_digit |= IsDigitCharacter(c);
		shape.has_parts |= (was_lower && is_upper) || (were_upper && is_lower);
		if (count == 0)
			shape.begins_upper = is_upper;
		else
			shape.has_upper_behind |= is_upper;
		were_upper = was_upper && is_upper;
		was_upper = is_upper;
		was_lower = is_lower;
		upper += is_upper;
		count++;
		last = c;
		p += len;
	}
	shape.is_plural = count > 2 && last == 's' && upper == count - 1;
	return shape;
}

/*
 * Returns the item of a token, or of a part of one, as written; *word is its word
 * in the rules' lexicon, or -1.
 */
static int
ItemAsWritten(Reader *reader, Span written, int *word)
{
	Span		folded = FoldedAsWritten(written);
	int			item;

	*word = LexiconFind(reader->words, folded);
	item = ItemOfWord(reader, folded);
	pfree(unconstify(char *, folded.str));
	return item;
}

/* Returns a part without the s of a plural of capitals. */
static Span
WithoutPlural(Span part)
{
	return ShapeOf(part).is_plural ? SpanOf(part.str, part.len - 1) : part;
}

/* A token that is not split is its own only part. */
int
TokenParts(Span written, Span *parts)
{
	const char *end = written.str + written.len;
	const char *begin = written.str;
	const char *p = written.str;
	uint32		before = 0;
	int			count = 0;
	bool		is_plural = false;	/* is this a plural of capitals, which is not split? */

	/*
	 * splits before an upper-case letter after a lower-case one; and before the
	 * capital of a word after other capitals
	 */
	while (p < end)
	{
		int			len;
		uint32		c = Utf8Character(p, end, &len);
		bool		cuts = false;

		CHECK_FOR_INTERRUPTS();
		if (p == written.str || (IsLowerCase(before) && IsUpperCase(c)))
		{
			const char *piece_end = p + len;
			uint32		last = c;

			cuts = p > written.str;
			while (piece_end < end)
			{
				int			next_len;
				uint32		next = Utf8Character(piece_end, end, &next_len);

				if (IsLowerCase(last) && IsUpperCase(next))
					break;
				last = next;
				piece_end += next_len;
			}
			is_plural = ShapeOf(SpanOf(p, piece_end - p)).is_plural;
		}
		else if (!is_plural && IsUpperCase(before) && IsUpperCase(c) && p + len < end)
		{
			int			next_len;

			cuts = IsLowerCase(Utf8Character(p + len, end, &next_len));
		}
		if (cuts)
		{
			parts[count++] = WithoutPlural(SpanOf(begin, p - begin));
			begin = p;
		}
		before = c;
		p += len;
	}
	parts[count++] = WithoutPlural(SpanOf(begin, end - begin));
	return count;
}

/* making a reading */

/* State in addition to the draft. */
typedef struct Maker
{
	Reader	   *reader;
	Draft		draft;
	Reading    *reading;
	uint8	   *marks;			/* by token: TOKEN_ flags */
	int			ngiven;
	int			capacity;
	struct Given *given;
	int			names_capacity;
	int			nparts;
	int			parts_capacity;
} Maker;

#define TOKEN_NEGATES		0x01	/* part of a negator, or of n't */
#define TOKEN_OPENS_NEGATOR	0x02	/* first token of a negator that counts */
#define TOKEN_UPPER			0x04
#define TOKEN_NAME			0x08	/* a name by its form, in any position */

/* An item that a token gives. Those of one token are neighbours, its own first. */
typedef struct Given
{
	int32		item;
	int32		token;
	int32		word;			/* in the lexicon, or -1 */
	bool		is_value;
} Given;

static Span
TokenSpan(const Maker *maker, int token)
{
	const Words *words = &maker->draft.words;

	return SpanOf(words->text.str + words->tokens[token].begin, words->tokens[token].end - words->tokens[token].begin);
}

static void
Give(Maker *maker, int token, int item, int word, bool is_value)
{
	GROW_ARRAY(maker->given, maker->ngiven, maker->capacity, 64);
	maker->given[maker->ngiven++] = (Given) {item, token, word, is_value};
}

/* Adds the parts of a token. */
static void
GiveParts(Maker *maker, int token, Span written)
{
	Span	   *parts = palloc_extended(sizeof(Span) * TOKEN_MOST_PARTS(written), MCXT_ALLOC_HUGE);
	int			count = TokenParts(written, parts);

	for (int i = 0; i < count && count > 1; i++)
	{
		int			word;
		int			item = ItemAsWritten(maker->reader, parts[i], &word);

		Give(maker, token, item, word, false);
	}
	pfree(parts);
}

/* Adds the items of a token that is not part of a number. */
static void
GiveWord(Maker *maker, int token)
{
	int			word = maker->draft.words.tokens[token].word;
	Span		written = TokenSpan(maker, token);
	Shape		shape = ShapeOf(written);
	int			ignored;

	if (shape.is_plural)
		Give(maker, token, ItemAsWritten(maker->reader, WithoutPlural(written), &ignored), word, false);
	else
		Give(maker, token, ItemOfLexeme(maker->reader, word), word, false);
	if (shape.has_parts)
		GiveParts(maker, token, written);
	if (shape.begins_upper)
		maker->marks[token] |= TOKEN_UPPER;
	if (shape.has_upper_behind || (shape.has_letter && shape.has_digit))
		maker->marks[token] |= TOKEN_NAME;
}

/* Returns the item of a value. */
static int
ItemOfValue(Maker *maker, const ReadValue *value)
{
	StringInfoData text;
	int			item;

	if (value->unit != maker->draft.clock)
		return LexiconAdd(maker->reader->items, value->number, value->number.len, false);
	initStringInfo(&text);
	appendStringInfoString(&text, CLOCK_ITEM);
	appendBinaryStringInfo(&text, value->number.str, value->number.len);
	item = LexiconAdd(maker->reader->items, SpanOf(text.data, text.len), text.len, false);
	pfree(text.data);
	return item;
}

static void
GiveAll(Maker *maker)
{
	const Draft *draft = &maker->draft;

	for (int i = 0; i < draft->nvalues; i++)
		draft->values[i].value.item = ItemOfValue(maker, &draft->values[i].value);
	for (int i = 0; i < draft->words.ntokens; i++)
	{
		const DraftValue *value;

		CHECK_FOR_INTERRUPTS();
		if (draft->value_of[i] < 0)
		{
			GiveWord(maker, i);
			continue;
		}
		/* for detecting headings */
		if (ShapeOf(TokenSpan(maker, i)).begins_upper)
			maker->marks[i] |= TOKEN_UPPER;
		value = &draft->values[draft->value_of[i]];
		Give(maker, i, value->value.item, -1, true);
		if (value->joined.len > 0 && i == value->value.end_token - 1)
			Give(maker, i, ItemOfWord(maker->reader, value->joined), -1, true);
	}
}

/*
 * negation
 */

static bool
IsApostropheBefore(const Maker *maker, int token)
{
	const Words *words = &maker->draft.words;
	int			begin = words->tokens[token].begin;

	if (begin > 0 && words->text.str[begin - 1] == '\'')
		return true;
	return begin >= 3 && memcmp(words->text.str + begin - 3, "\xE2\x80\x99", 3) == 0;
}

/* Is it the t of n't? */
static bool
IsContraction(const Maker *maker, int token)
{
	const Words *words = &maker->draft.words;
	const Token *here = &words->tokens[token];
	Span		before;
	int			gap;

	if (token == 0 || !DraftTokenIs(&maker->draft, maker->draft.lexicon, token, "t") || !IsApostropheBefore(maker, token))
		return false;
	before = LexiconWord(maker->draft.lexicon, here[-1].word)->folded;
	gap = here->begin - here[-1].end;
	return before.str[before.len - 1] == 'n' && gap == (words->text.str[here->begin - 1] == '\'' ? 1 : 3);
}

/* Is there a closing mark or a comma directly after a token? */
static bool
IsClosedBehind(const Maker *maker, int token)
{
	int			len;
	uint32		c = DraftCharacter(&maker->draft, maker->draft.words.tokens[token].end, &len);

	if (len == 0)
		return false;
	return strchr(",.!?;:", c < 0x80 ? (int) c : 'x') != NULL || c == 0x2026 ||
		(c >= 0x80 && ForeignClosing(c) != CLOSES_NOTHING);
}

/* Is it a `no` that begins its sentence and is an answer by itself, or the `No.` of a number? */
static bool
IsNoNegator(const Maker *maker, int token)
{
	const Draft *draft = &maker->draft;
	const Token *tokens = draft->words.tokens;

	if (IsTitleOfNumber(draft, draft->lexicon, token))
		return true;
	return DraftTokenIs(draft, draft->lexicon, token, "no") &&
		(token == 0 || tokens[token - 1].sentence != tokens[token].sentence) && IsClosedBehind(maker, token);
}

/* Finds negators. The pairs that do not negate are found first. */
static void
ReadNegation(Maker *maker)
{
	const Draft *draft = &maker->draft;
	int			ntokens = draft->words.ntokens;
	bool	   *is_spared = palloc_extended(Max(ntokens, 1), MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);

	for (int i = 0; i < draft->matches.count; i++)
	{
		const Match *match = &draft->matches.matches[i];

		for (int k = 0; match->list == RULE_NOT_NEGATING && k < match->count; k++)
			is_spared[match->first + k] = true;
	}
	for (int i = 0; i < draft->matches.count; i++)
	{
		const Match *match = &draft->matches.matches[i];

		if (match->list != RULE_NEGATOR || is_spared[match->first] || IsNoNegator(maker, match->first))
			continue;
		maker->marks[match->first] |= TOKEN_OPENS_NEGATOR;
		for (int k = 0; k < match->count; k++)
			maker->marks[match->first + k] |= TOKEN_NEGATES;
	}
	for (int i = 0; i < ntokens; i++)
	{
		if (IsContraction(maker, i))
		{
			maker->marks[i] |= TOKEN_NEGATES | TOKEN_OPENS_NEGATOR;
			maker->marks[i - 1] |= TOKEN_NEGATES;
		}
		else if (!(maker->marks[i] & TOKEN_NEGATES) && DraftTokenIs(draft, draft->lexicon, i, "cannot"))
			maker->marks[i] |= TOKEN_NEGATES | TOKEN_OPENS_NEGATOR;
	}
	pfree(is_spared);
}

/*
 * items
 */

/* Is it a lone s, d, m, re, ve or ll after an apostrophe? */
static bool
IsClitic(const Maker *maker, int token)
{
	static const char *const clitics[] = {"s", "d", "m", "re", "ve", "ll"};

	if (!IsApostropheBefore(maker, token))
		return false;
	for (size_t i = 0; i < lengthof(clitics); i++)
	{
		if (DraftTokenIs(&maker->draft, maker->draft.lexicon, token, clitics[i]))
			return true;
	}
	return false;
}

/* Does an item of a token count, if words with these flags are left out? */
static bool
IsItem(const Maker *maker, const Given *given, uint8 left_out)
{
	if (given->is_value)
		return true;
	if (maker->marks[given->token] & TOKEN_NEGATES)
		return false;
	if (given->word >= 0 && ReadingSays(maker->draft.rules, given->word, left_out))
		return false;
	if (ReadingSays(maker->draft.rules, maker->draft.words.tokens[given->token].word, left_out))
		return false;
	return !IsClitic(maker, given->token);
}

/*
 * The server's sort, specialized for numbers, because calling a comparator took a
 * seventh of the time of a reading.
 */
#define ST_SORT SortItems
#define ST_ELEMENT_TYPE int32
#define ST_COMPARE(a, b) ((*(a) > *(b)) - (*(a) < *(b)))
#define ST_SCOPE static
#define ST_DEFINE
#include "lib/sort_template.h"

/* Sorts numbers and removes duplicates; returns how many are left. */
static int
MakeDistinct(int32 *items, int count)
{
	int			kept = 0;

	SortItems(items, count);
	for (int i = 0; i < count; i++)
	{
		if (kept == 0 || items[kept - 1] != items[i])
			items[kept++] = items[i];
	}
	return kept;
}

static int32 *
NewItems(int count)
{
	return palloc_extended(sizeof(int32) * (Size) Max(count, 1), MCXT_ALLOC_HUGE);
}

/* Collects the items of each sentence, and those of all its tokens. */
static void
GatherSentences(Maker *maker)
{
	Reading    *reading = maker->reading;
	int			given = 0;
	int			nitems = 0;
	int			nall = 0;

	reading->sentence_items = NewItems(maker->ngiven);
	reading->sentence_all = NewItems(maker->ngiven);
	for (int i = 0; i < reading->nsentences; i++)
	{
		ReadSentence *sentence = &reading->sentences[i];
		int			items = 0;
		int			all = 0;

		CHECK_FOR_INTERRUPTS();
		for (; given < maker->ngiven && maker->given[given].token < sentence->end_token; given++)
		{
			reading->sentence_all[nall + all++] = maker->given[given].item;
			if (IsItem(maker, &maker->given[given], READING_STOP))
				reading->sentence_items[nitems + items++] = maker->given[given].item;
		}
		sentence->first_item = nitems;
		sentence->nitems = MakeDistinct(reading->sentence_items + nitems, items);
		nitems += sentence->nitems;
		sentence->first_all = nall;
		sentence->nall = MakeDistinct(reading->sentence_all + nall, all);
		nall += sentence->nall;
	}
}

/* Collects the items of the text, without words that have these flags. */
static ItemSet
GatherItems(const Maker *maker, bool all, uint8 left_out)
{
	ItemSet		set = {0, NewItems(maker->ngiven)};

	for (int i = 0; i < maker->ngiven; i++)
	{
		if (all || IsItem(maker, &maker->given[i], left_out))
			set.items[set.count++] = maker->given[i].item;
	}
	set.count = MakeDistinct(set.items, set.count);
	return set;
}

static ItemSet
QuestionItems(const Maker *maker)
{
	ItemSet		items = GatherItems(maker, false, READING_STOP | READING_FORM);

	if (items.count == 0)
		items = GatherItems(maker, false, READING_STOP);
	return items.count > 0 ? items : maker->reading->all;
}

/*
 * names
 */

/* Is a token a content word, so that its capital counts in a heading? */
static bool
IsSaying(const Maker *maker, int token)
{
	const DecisionRules *rules = maker->draft.rules;
	int			word = maker->draft.words.tokens[token].word;

	return !ReadingSays(rules, word, READING_STOP | READING_FORM | READING_ABBREVIATION | READING_TITLE) &&
		ReadingNumberWord(rules, word) == NO_NUMBER_WORD && !RulesIsNegating(rules, word);
}

/* Is it a sentence that no mark closes and whose words are mostly capitalized? */
static bool
IsWrittenAsHeading(const Maker *maker, const ReadSentence *sentence)
{
	int			saying = 0;
	int			capitals = 0;

	if (sentence->is_closed)
		return false;
	for (int i = sentence->first; i < sentence->end_token; i++)
	{
		if (!IsSaying(maker, i))
			continue;
		saying++;
		capitals += (maker->marks[i] & TOKEN_UPPER) != 0;
	}
	return capitals * 2 > saying;
}

/* Is there one of : " “ ( between a token and the one before it? */
static bool
IsOpenedBefore(const Maker *maker, int token)
{
	const Token *here = &maker->draft.words.tokens[token];
	int			place = here[-1].end;

	while (place < here->begin)
	{
		int			len;
		uint32		c = DraftCharacter(&maker->draft, place, &len);

		if (c == ':' || c == '"' || c == '(' || c == LEFT_QUOTE)
			return true;
		place += len;
	}
	return false;
}

/* Is a capital meaningful in this position? */
static bool
MayBeginName(const Maker *maker, const ReadSentence *sentence, int token)
{
	const Draft *draft = &maker->draft;

	return token != sentence->first && !draft->behind_marker[token] &&
		!ReadingSays(draft->rules, draft->words.tokens[token].word, READING_STOP) && !IsOpenedBefore(maker, token);
}

/* Adds a token as a name; its items begin at "given". */
static void
AddName(Maker *maker, int token, int given)
{
	Reading    *reading = maker->reading;
	ReadName   *name;

	GROW_ARRAY(reading->names, reading->nnames, maker->names_capacity, 8);
	name = &reading->names[reading->nnames++];
	*name = (ReadName) {.token = token,.item = maker->given[given].item,.first_part = maker->nparts};
	for (given++; given < maker->ngiven && maker->given[given].token == token; given++)
	{
		GROW_ARRAY(reading->parts, maker->nparts, maker->parts_capacity, 16);
		reading->parts[maker->nparts++] = maker->given[given].item;
		name->nparts++;
	}
}

static void
ReadNames(Maker *maker)
{
	Reading    *reading = maker->reading;
	int			given = 0;

	for (int i = 0; i < reading->nsentences; i++)
	{
		ReadSentence *sentence = &reading->sentences[i];
		bool		is_heading = IsWrittenAsHeading(maker, sentence);

		sentence->first_name = reading->nnames;
		for (int t = sentence->first; t < sentence->end_token; t++)
		{
			uint8		marks = maker->marks[t];

			while (maker->given[given].token < t)
				given++;
			if (maker->draft.value_of[t] >= 0 || (marks & TOKEN_NEGATES))
				continue;
			if ((marks & TOKEN_NAME) || (!is_heading && (marks & TOKEN_UPPER) && MayBeginName(maker, sentence, t)))
				AddName(maker, t, given);
		}
		sentence->nnames = reading->nnames - sentence->first_name;
	}
}

/*
 * the whole
 */

/*
 * Returns a text without format characters, and for each byte its position in the
 * text as given; *at is NULL if there are no format characters.
 */
static Span
PlainText(Span text, int32 **at)
{
	const char *end = text.str + text.len;
	char	   *plain;
	int			count = 0;
	bool		has_format = false;

	*at = NULL;
	for (const char *p = text.str; p < end && !has_format;)
	{
		int			len;

		has_format = IS_HIGHBIT_SET(*p) && IsFormatCharacter(Utf8Character(p, end, &len));
		p += IS_HIGHBIT_SET(*p) ? len : 1;
	}
	if (!has_format)
		return text;
	plain = palloc_extended(text.len, MCXT_ALLOC_HUGE);
	*at = NewItems(text.len + 1);
	for (const char *p = text.str; p < end;)
	{
		int			len;

		if (!IsFormatCharacter(Utf8Character(p, end, &len)))
		{
			for (int i = 0; i < len; i++)
			{
				(*at)[count] = (int32) (p - text.str) + i;
				plain[count++] = p[i];
			}
		}
		p += len;
	}
	(*at)[count] = text.len;
	return SpanOf(plain, count);
}

Span
TextWithoutFormat(Span text)
{
	int32	   *at;

	return PlainText(text, &at);
}

static void
MovePlace(const int32 *at, int32 *begin, int32 *end)
{
	int32		last = *end > *begin ? at[*end - 1] + 1 : at[*begin];

	*begin = at[*begin];
	*end = last;
}

/* Converts all positions to the text as given. */
static void
MovePlaces(Reading *reading, const int32 *at)
{
	for (int i = 0; i < reading->words.ntokens; i++)
		MovePlace(at, &reading->words.tokens[i].begin, &reading->words.tokens[i].end);
	for (int i = 0; i < reading->nsentences; i++)
		MovePlace(at, &reading->sentences[i].begin, &reading->sentences[i].end);
	for (int i = 0; i < reading->nvalues; i++)
		MovePlace(at, &reading->values[i].begin, &reading->values[i].end);
}

/* Sets the tokens and values of each sentence, and whether it is negated. */
static void
FinishSentences(Maker *maker)
{
	Reading    *reading = maker->reading;
	int			token = 0;
	int			value = 0;

	for (int i = 0; i < reading->nsentences; i++)
	{
		ReadSentence *sentence = &reading->sentences[i];
		int			negators = 0;

		sentence->first = token;
		for (; token < reading->words.ntokens && reading->words.tokens[token].sentence == i; token++)
			negators += (maker->marks[token] & TOKEN_OPENS_NEGATOR) != 0;
		sentence->end_token = token;
		sentence->nnegators = negators;
		sentence->negated = negators % 2 == 1;
		sentence->first_value = value;
		while (value < reading->nvalues && reading->values[value].first < token)
			value++;
		sentence->nvalues = value - sentence->first_value;
	}
}

static int
CompareDistinct(const void *a, const void *b, void *unused)
{
	const ReadValue *left = a;
	const ReadValue *right = b;
	int			cmp = SpanCompare(left->number, right->number);

	return cmp != 0 ? cmp : (left->unit > right->unit) - (left->unit < right->unit);
}

/* Sorts the values, each pair of number and unit once. */
static void
FinishValues(Reading *reading)
{
	Size		size = sizeof(ReadValue) * (Size) reading->nvalues;
	int			count = 0;

	if (reading->nvalues == 0)
		return;
	reading->distinct = palloc_extended(size, MCXT_ALLOC_HUGE);
	memcpy(reading->distinct, reading->values, size);
	qsort_interruptible(reading->distinct, reading->nvalues, sizeof(ReadValue), CompareDistinct, NULL);
	for (int i = 0; i < reading->nvalues; i++)
	{
		if (count == 0 || CompareDistinct(&reading->distinct[count - 1], &reading->distinct[i], NULL) != 0)
			reading->distinct[count++] = reading->distinct[i];
	}
	reading->ndistinct = count;
}

static Reading *
Read(Reader *reader, Span text, bool is_question)
{
	Reading    *reading = palloc0(sizeof(Reading));
	Maker		maker = {.reader = reader,.reading = reading};
	Draft	   *draft = &maker.draft;
	int32	   *at;

	reading->reader = reader;
	draft->rules = reader->rules;
	draft->lexicon = reader->words;
	draft->units = &reader->units;
	draft->clock = reader->clock;
	draft->of_rule = reader->units.of_rule;
	draft->of_sign = reader->units.of_sign;
	WordsRead(reader->words, PlainText(text, &at), &draft->words);
	SegmentsRead(draft);
	RulesMatch(reader->rules, &draft->words, &draft->matches);
	ValuesRead(draft);
	maker.marks = palloc_extended(Max(draft->words.ntokens, 1), MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	ReadNegation(&maker);
	GiveAll(&maker);
	reading->words = draft->words;
	reading->matches = draft->matches;
	reading->nsentences = draft->nsentences;
	reading->sentences = draft->sentences;
	reading->nvalues = draft->nvalues;
	reading->values = palloc_extended(sizeof(ReadValue) * (Size) Max(draft->nvalues, 1), MCXT_ALLOC_HUGE);
	for (int i = 0; i < draft->nvalues; i++)
		reading->values[i] = draft->values[i].value;
	FinishValues(reading);
	FinishSentences(&maker);
	GatherSentences(&maker);
	ReadNames(&maker);
	reading->all = GatherItems(&maker, true, 0);
	reading->items = is_question ? QuestionItems(&maker) : GatherItems(&maker, false, READING_STOP);
	if (at)
		MovePlaces(reading, at);
	reading->words.text = text;
	pfree(maker.marks);
	if (maker.given)
		pfree(maker.given);
	pfree(draft->value_of);
	pfree(draft->behind_marker);
	return reading;
}

Reading *
ReadText(Reader *reader, Span text)
{
	return Read(reader, text, false);
}

Reading *
ReadQuestion(Reader *reader, Span text)
{
	return Read(reader, text, true);
}

/* questions about a reading */

bool
ReadingHas(const Reading *reading, int item)
{
	return ItemSetHas(&reading->all, item);
}

bool
ReadValuesEqual(const ReadValue *a, const ReadValue *b)
{
	return (a->unit == b->unit || a->unit == VALUE_NO_UNIT || b->unit == VALUE_NO_UNIT) &&
		SpanEqual(a->number, b->number);
}

/* Values with the same number are neighbours; there are no more of them than units. */
bool
ReadingHasValue(const Reading *reading, const ReadValue *value)
{
	int			low = 0;

	FIRST_PLACE(low, reading->ndistinct, at, SpanCompare(reading->distinct[at].number, value->number) < 0);
	for (int i = low; i < reading->ndistinct && SpanEqual(reading->distinct[i].number, value->number); i++)
	{
		if (ReadValuesEqual(&reading->distinct[i], value))
			return true;
	}
	return false;
}

bool
ItemSetHasName(const ItemSet *all, const Reading *of, const ReadName *name)
{
	if (ItemSetHas(all, name->item))
		return true;
	for (int i = 0; i < name->nparts; i++)
	{
		if (!ItemSetHas(all, of->parts[name->first_part + i]))
			return false;
	}
	return name->nparts > 0;
}

bool
ReadingHasName(const Reading *reading, const Reading *of, const ReadName *name)
{
	return ItemSetHasName(&reading->all, of, name);
}

ItemSet
ReadSentenceAll(const Reading *reading, int sentence)
{
	const ReadSentence *found = &reading->sentences[sentence];

	return (ItemSet) {found->nall, reading->sentence_all + found->first_all};
}

ItemSet
ReadSentenceItems(const Reading *reading, int sentence)
{
	const ReadSentence *found = &reading->sentences[sentence];

	return (ItemSet) {found->nitems, reading->sentence_items + found->first_item};
}

static int
WholeDigits(Span number)
{
	const char *point = number.len > 0 ? memchr(number.str, '.', number.len) : NULL;

	return point ? point - number.str : number.len;
}

/* Compares the digits, which gives the order of the numbers because no form has needless zeros. */
int
ReadValueCompare(const ReadValue *a, const ReadValue *b)
{
	int			left = WholeDigits(a->number);
	int			right = WholeDigits(b->number);

	if (left != right)
		return left > right ? 1 : -1;
	return SpanOrder(a->number, b->number);
}

/* Returns the minutes of a time of day, which have few digits. */
static int
MinutesOf(Span number)
{
	int			minutes = 0;

	for (int i = 0; i < number.len; i++)
		minutes = minutes * 10 + (number.str[i] - '0');
	return minutes;
}

char *
ReadValueText(const Reader *reader, const ReadValue *value)
{
	if (value->unit == reader->clock && value->number.len <= 4)
	{
		int			minutes = MinutesOf(value->number);

		return psprintf("%d:%02d", minutes / 60, minutes % 60);
	}
	return pnstrdup(value->number.str, value->number.len);
}

static Span
SpanBetween(const Reading *reading, int begin, int end)
{
	return SpanOf(reading->words.text.str + begin, end - begin);
}

Span
ReadSentenceText(const Reading *reading, int sentence)
{
	return SpanBetween(reading, reading->sentences[sentence].begin, reading->sentences[sentence].end);
}

Span
ReadValueSource(const Reading *reading, const ReadValue *value)
{
	return SpanBetween(reading, value->begin, value->end);
}

Span
ReadNameSource(const Reading *reading, const ReadName *name)
{
	const Token *token = &reading->words.tokens[name->token];
	int32	   *at;

	return PlainText(SpanBetween(reading, token->begin, token->end), &at);
}

/* Knuth-Morris-Pratt: computes the borders of the run's prefixes, then searches the text. */
bool
ReadingHasRun(const Reading *reading, const Reading *run)
{
	const Token *text = reading->words.tokens;
	const Token *wanted = run->words.tokens;
	int			count = run->words.ntokens;
	int32	   *borders;
	int			matched = 0;

	if (count == 0 || count > reading->words.ntokens)
		return false;
	borders = NewItems(count);
	borders[0] = 0;
	for (int i = 1; i < count; i++)
	{
		while (matched > 0 && wanted[i].word != wanted[matched].word)
			matched = borders[matched - 1];
		matched += wanted[i].word == wanted[matched].word;
		borders[i] = matched;
	}
	matched = 0;
	for (int i = 0; i < reading->words.ntokens && matched < count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		while (matched > 0 && text[i].word != wanted[matched].word)
			matched = borders[matched - 1];
		matched += text[i].word == wanted[matched].word;
	}
	pfree(borders);
	return matched == count;
}
