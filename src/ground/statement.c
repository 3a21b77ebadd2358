/*-------------------------------------------------------------------------
 *
 * statement.c
 *		Finds what a chunk states: topics, stances and quantities, by sentence.
 *
 * Rule: doc/spec/decision.md §4.
 *
 * Pure.  Everything that is needed to compare two chunks is read here, once per chunk: the
 * topics of a sentence, its side on each matter, its further keywords and its quantities.
 *
 * Encryption: a plaintext word refuses plaintext if its clause has a prohibition or a
 * negation.  An encrypt word is inverted by a negator right before it and by a waiver in its
 * clause.  It is inverted back if the clause has a second negator, waiver or prohibition
 * ("never without encryption", "encryption is not optional").  A prohibition or waiver
 * counts as one, including a negator in it.
 *
 * Policy: a negator before an allow word in the same clause makes it a prohibition.
 *
 * A sentence with an exception takes no side on policy and refunds, unless all sentences
 * count (STATEMENTS_ALL).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "ground/statement.h"

/* Flags of a token, in addition to the matches that begin with it. */
#define TOKEN_VOID		0x01	/* in a pair that does not negate */
#define TOKEN_COVERED	0x02	/* in a prohibition or waiver */
#define TOKEN_NEGATES	0x04	/* last token of a negator */
#define TOKEN_TURNS		0x08	/* last token of a negator that inverts encrypt words */

/* What counts for a whole clause. */
typedef struct Clause
{
	int			first_negator;	/* last token of the first negator, or -1 */
	int			turns;			/* number of negators, waivers and prohibitions */
	bool		has_prohibition;
	bool		has_waiver;
} Clause;

typedef struct StatementReader
{
	StatementScope scope;
	const DecisionRules *rules;
	const Lexicon *lexicon;
	const Words *words;
	const Matches *matches;
	uint8	   *tokens;			/* by token: TOKEN_ flags */
	Clause	   *clauses;
	bool	   *has_exception;	/* by sentence */
	int		   *statements;		/* by sentence: its statement, or -1 */
	int			asked;			/* token of the last call of IsTurned(), or -1 */
	bool		was_turned;		/* result of that call */
	ChunkStatements *out;
} StatementReader;

/* Returns the matter of a list, and the side of its words; 0 if it has none. */
static int
SideOfList(int list, Matter *matter)
{
	switch (list)
	{
		case RULE_ENCRYPT:
		case RULE_PLAINTEXT:
			*matter = MATTER_ENCRYPTION;
			return list == RULE_PLAINTEXT ? SIDE_PERMITS : SIDE_REFUSES;
		case RULE_REFUND_ALLOWED:
		case RULE_REFUND_REFUSED:
			*matter = MATTER_REFUND;
			return list == RULE_REFUND_ALLOWED ? SIDE_PERMITS : SIDE_REFUSES;
		case RULE_ALLOW:
		case RULE_PROHIBIT:
			*matter = MATTER_POLICY;
			return list == RULE_ALLOW ? SIDE_PERMITS : SIDE_REFUSES;
		default:
			return 0;
	}
}

/* Is one of the words the month May? Then the entry does not count. */
static bool
HoldsMonthMay(const StatementReader *reader, const Match *match)
{
	for (int i = match->first; i < match->first + match->count; i++)
	{
		const Lexeme *lexeme = LexiconWord(reader->lexicon, reader->words->tokens[i].word);

		if (SpanEqualCString(lexeme->folded, "may") &&
			IsMonthMay(reader->lexicon, reader->words, i))
			return true;
	}
	return false;
}

static void
MarkTokens(StatementReader *reader, const Match *match, uint8 mark)
{
	for (int i = 0; i < match->count; i++)
		reader->tokens[match->first + i] |= mark;
}

static int
CountTopics(const Matches *matches)
{
	int			count = 0;

	for (int i = 0; i < matches->count; i++)
		count += matches->matches[i].list == RULE_TOPIC;
	return count;
}

static void
AddStatement(StatementReader *reader, int sentence)
{
	ChunkStatements *out = reader->out;

	reader->statements[sentence] = out->count++;
	memset(&out->statements[out->count - 1], 0, sizeof(Statement));
	out->statements[out->count - 1].sentence = sentence;
}

static void
AddFamily(StatementReader *reader, const Match *match)
{
	const Topic *topic = &reader->rules->topics[match->entry];
	ChunkStatements *out = reader->out;
	int			sentence = reader->words->tokens[match->first].sentence;
	Statement  *statement;

	out->families = bms_add_member(out->families, topic->family);
	if (topic->kind == TOPIC_QUALIFIER)
		out->qualifiers = bms_add_member(out->qualifiers, topic->family);
	/* Matches are ordered by token, so the topics of a sentence come together. */
	if (reader->statements[sentence] < 0)
		AddStatement(reader, sentence);
	statement = &out->statements[reader->statements[sentence]];
	if (statement->ntopics++ == 0)
		statement->first_topic = out->ntopics;
	out->topics[out->ntopics++] = topic->family;
}

/* First pass: topics, exceptions, prohibitions, waivers, and pairs that do not negate. */
static void
ReadSurroundings(StatementReader *reader)
{
	for (int i = 0; i < reader->matches->count; i++)
	{
		const Match *match = &reader->matches->matches[i];
		const Token *token = &reader->words->tokens[match->first];
		Clause	   *clause = &reader->clauses[token->clause];

		CHECK_FOR_INTERRUPTS();
		switch (match->list)
		{
			case RULE_TOPIC:
				AddFamily(reader, match);
				break;
			case RULE_EXCEPTION:
				reader->has_exception[token->sentence] = reader->scope == STATEMENTS_WITH_TOPIC;
				break;
			case RULE_NOT_NEGATING:
				MarkTokens(reader, match, TOKEN_VOID);
				break;
			case RULE_ENCRYPTION_WAIVED:
				clause->has_waiver = true;
				clause->turns++;
				MarkTokens(reader, match, TOKEN_COVERED);
				break;
			case RULE_PROHIBIT:
				if (HoldsMonthMay(reader, match))
					break;
				clause->has_prohibition = true;
				clause->turns++;
				MarkTokens(reader, match, TOKEN_COVERED);
				break;
			default:
				break;
		}
	}
}

/* Is it one of the negators that invert a following encrypt word? */
static bool
TurnsEncryption(const StatementReader *reader, const Match *match)
{
	static const char *const turners[] = {"not", "no", "without", "never"};
	Span		word;

	if (match->count > 1)
		return false;
	word = LexiconWord(reader->lexicon, reader->words->tokens[match->first].word)->folded;
	for (int i = 0; i < (int) lengthof(turners); i++)
	{
		if (SpanEqualCString(word, turners[i]))
			return true;
	}
	return false;
}

/* Is there only an apostrophe between two bytes, apart from format characters? */
static bool
IsApostrophe(Span text, int begin, int end)
{
	int			apostrophes = 0;

	while (begin < end)
	{
		int			len;
		uint32		c = Utf8Character(text.str + begin, text.str + end, &len);

		if (!IsFormatCharacter(c) && ((c != '\'' && c != 0x2019) || ++apostrophes > 1))
			return false;
		begin += len;
	}
	return apostrophes == 1;
}

/* Is the token the t of n't? */
static bool
IsContractedNot(const StatementReader *reader, int token)
{
	const Words *words = reader->words;
	const Token *t = &words->tokens[token];
	Span		before;

	if (token == 0 || t[-1].clause != t->clause || !IsApostrophe(words->text, t[-1].end, t->begin))
		return false;
	before = LexiconWord(reader->lexicon, t[-1].word)->folded;
	return before.str[before.len - 1] == 'n';
}

static void
AddNegator(StatementReader *reader, int token, bool turns)
{
	Clause	   *clause = &reader->clauses[reader->words->tokens[token].clause];

	reader->out->negates = true;
	reader->tokens[token] |= turns ? TOKEN_NEGATES | TOKEN_TURNS : TOKEN_NEGATES;
	if (clause->first_negator < 0 || clause->first_negator > token)
		clause->first_negator = token;
	if (!(reader->tokens[token] & TOKEN_COVERED))
		clause->turns++;
}

/* Second pass: negators. */
static void
ReadNegators(StatementReader *reader)
{
	int			t = LexiconFind(reader->lexicon, SpanOfCString("t"));

	for (int i = 0; i < reader->matches->count; i++)
	{
		const Match *match = &reader->matches->matches[i];

		CHECK_FOR_INTERRUPTS();
		if (match->list == RULE_NEGATOR && !(reader->tokens[match->first] & TOKEN_VOID))
			AddNegator(reader, match->first + match->count - 1, TurnsEncryption(reader, match));
	}
	for (int i = 0; t >= 0 && i < reader->words->ntokens; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (reader->words->tokens[i].word == t && !(reader->tokens[i] & TOKEN_NEGATES) &&
			IsContractedNot(reader, i))
			AddNegator(reader, i, true);
	}
}

/* Does the same, but looks back at most to the last word that was checked. */
static bool
FindTurner(const StatementReader *reader, const Match *match)
{
	const Token *tokens = reader->words->tokens;

	for (int i = match->first - 1; i >= 0 && tokens[i].clause == tokens[match->first].clause; i--)
	{
		CHECK_FOR_INTERRUPTS();
		if (reader->tokens[i] & TOKEN_TURNS)
			return true;
		if (!RulesIsStopWord(reader->rules, tokens[i].word) &&
			LexiconWord(reader->lexicon, tokens[i].word)->characters >= KEYWORD_MIN_CHARACTERS)
			return false;
		if (i == reader->asked)
			return reader->was_turned;
	}
	return false;
}

/*
 * Is there a negator right before the word, apart from stop words and short words?
 * Words must be checked in their order.
 */
static bool
IsTurned(StatementReader *reader, const Match *match)
{
	reader->was_turned = FindTurner(reader, match);
	reader->asked = match->first;
	return reader->was_turned;
}

/* Returns the side of a deciding word in its context. */
static int
SideOfMatch(StatementReader *reader, const Match *match)
{
	const Clause *clause = &reader->clauses[reader->words->tokens[match->first].clause];

	switch (match->list)
	{
		case RULE_PLAINTEXT:
			return clause->has_prohibition || clause->first_negator >= 0 ?
				SIDE_REFUSES : SIDE_PERMITS;
		case RULE_ENCRYPT:
			return clause->turns == 1 && (clause->has_waiver || IsTurned(reader, match)) ?
				SIDE_PERMITS : SIDE_REFUSES;
		case RULE_ALLOW:
			if (HoldsMonthMay(reader, match))
				return 0;
			return clause->first_negator >= 0 && clause->first_negator < match->first ?
				SIDE_REFUSES : SIDE_PERMITS;
		case RULE_PROHIBIT:
			return HoldsMonthMay(reader, match) ? 0 : SIDE_REFUSES;
		default:
			return match->list == RULE_REFUND_ALLOWED ? SIDE_PERMITS : SIDE_REFUSES;
	}
}

void
StanceAdd(Stance *stance, const Stance *more)
{
	if (more->sides == 0)
		return;
	stance->begin = stance->sides == 0 ? more->begin : Min(stance->begin, more->begin);
	stance->end = stance->sides == 0 ? more->end : Max(stance->end, more->end);
	stance->sides |= more->sides;
}

/* Third pass: the deciding words. */
static void
ReadStances(StatementReader *reader)
{
	for (int i = 0; i < reader->matches->count; i++)
	{
		const Match *match = &reader->matches->matches[i];
		const Token *first = &reader->words->tokens[match->first];
		Stance		stance = {0, first->begin, first[match->count - 1].end};
		int			statement;
		Matter		matter;

		CHECK_FOR_INTERRUPTS();
		if (SideOfList(match->list, &matter) == 0 ||
			(matter != MATTER_ENCRYPTION && reader->has_exception[first->sentence]))
			continue;
		stance.sides = SideOfMatch(reader, match);
		statement = reader->statements[first->sentence];
		if (matter == MATTER_REFUND)
			StanceAdd(&reader->out->refund, &stance);
		else if (statement >= 0)
			StanceAdd(&reader->out->statements[statement].stances[matter], &stance);
	}
}

static void
ReadKeywords(StatementReader *reader)
{
	ChunkStatements *out = reader->out;
	const Words *words = reader->words;
	int			count = 0;

	out->keywords = palloc_extended(Max(words->ntokens, 1) * sizeof(int), MCXT_ALLOC_HUGE);
	for (int i = 0; i < words->ntokens; i++)
	{
		int			statement = reader->statements[words->tokens[i].sentence];

		CHECK_FOR_INTERRUPTS();
		if (statement < 0 || !IsFurtherKeyword(reader->rules, reader->lexicon, words->tokens[i].word))
			continue;
		if (out->statements[statement].nkeywords++ == 0)
			out->statements[statement].first_keyword = count;
		out->keywords[count++] = words->tokens[i].word;
	}
}

static int
CompareStatedQuantities(const void *a, const void *b, void *unused)
{
	const Quantity *x = &((const StatedQuantity *) a)->quantity;
	const Quantity *y = &((const StatedQuantity *) b)->quantity;
	int			cmp;

	if (x->unit != y->unit)
		return x->unit > y->unit ? 1 : -1;
	cmp = QuantityCompare(x, y);
	return cmp != 0 ? cmp : (x->begin > y->begin) - (x->begin < y->begin);
}

static void
ReadQuantities(StatementReader *reader, const UnitNames *units)
{
	ChunkStatements *out = reader->out;
	int			count;
	Quantity   *quantities = QuantitiesRead(reader->rules, units, reader->words,
											reader->matches, &count);

	if (count == 0)
		return;
	out->quantities = palloc_extended(count * sizeof(StatedQuantity), MCXT_ALLOC_HUGE);
	for (int i = 0; i < count; i++)
	{
		int			statement =
			reader->statements[reader->words->tokens[quantities[i].token].sentence];

		if (statement >= 0)
			out->quantities[out->nquantities++] = (StatedQuantity) {quantities[i], statement};
	}
	pfree(quantities);
	qsort_interruptible(out->quantities, out->nquantities, sizeof(StatedQuantity),
						CompareStatedQuantities, NULL);
}

void
StatementsRead(ChunkSet *set, int chunk, StatementScope scope, const UnitNames *units,
			   ChunkStatements *statements)
{
	const Chunk *read = ChunkRead(set, chunk);
	const Words *words = &read->words;
	int			ntopics = CountTopics(&read->matches);
	int			most = scope == STATEMENTS_ALL ? words->nsentences : Min(ntopics, words->nsentences);
	StatementReader reader = {
		.scope = scope,
		.rules = set->rules,
		.lexicon = set->lexicon,
		.words = words,
		.matches = &read->matches,
		.tokens = palloc_extended(words->ntokens + 1, MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO),
		.clauses = palloc_extended((words->nclauses + 1) * sizeof(Clause), MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO),
		.has_exception = palloc_extended(words->nsentences + 1, MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO),
		.statements = palloc_extended((words->nsentences + 1) * sizeof(int), MCXT_ALLOC_HUGE),
		.asked = -1,
		.out = statements,
	};

	memset(statements, 0, sizeof(ChunkStatements));
	statements->words = words;
	/* at most one per topic, and at most one per sentence */
	statements->statements = palloc_extended((most + 1) * sizeof(Statement), MCXT_ALLOC_HUGE);
	/* a set for each statement would take memory in proportion to statements times families */
	statements->topics = palloc_extended((ntopics + 1) * sizeof(int), MCXT_ALLOC_HUGE);
	for (int i = 0; i < words->nclauses; i++)
		reader.clauses[i].first_negator = -1;
	for (int i = 0; i < words->nsentences; i++)
		reader.statements[i] = -1;
	for (int i = 0; scope == STATEMENTS_ALL && i < words->nsentences; i++)
		AddStatement(&reader, i);

	ReadSurroundings(&reader);
	ReadNegators(&reader);
	ReadStances(&reader);
	ReadKeywords(&reader);
	ReadQuantities(&reader, units);

	pfree(reader.tokens);
	pfree(reader.clauses);
	pfree(reader.has_exception);
	pfree(reader.statements);
}
