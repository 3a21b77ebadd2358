/*-------------------------------------------------------------------------
 *
 * kind.c
 *		The table of the kinds of documents that are signed here.
 *
 * Rule: doc/spec/document.md §5.2.
 *
 * The schema of a document names its kind, and so does the prefix of an id.  What
 * is common to all kinds (id, signature, anchor, storing, forgetting, the log) is
 * written once and looks up the differences in this table.  The entry of a kind
 * is in the directory that mints it.  The table is filled when the library is
 * loaded.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "lib/stringinfo.h"
#include "miscadmin.h"

#include "base/canonical.h"
#include "document/kind.h"

#define KINDS_MAX	16

const DocumentKind *document_kinds[KINDS_MAX + 1];

/* Adds a kind to the table, when the library is loaded. */
void
RegisterKind(const DocumentKind *kind)
{
	int			count = 0;

	while (document_kinds[count])
		count++;
	if (count == KINDS_MAX)
		elog(ERROR, "more than %d kinds of documents", KINDS_MAX);
	document_kinds[count] = kind;
}

/* Returns the kind that a document claims to be; NULL if it is unknown. */
const DocumentKind *
FindKindOfDocument(const JsonView *document)
{
	JsonView	schema;

	if (!JsonViewGetMember(document, "schema", &schema))
		return NULL;
	for (int i = 0; document_kinds[i]; i++)
	{
		if (JsonViewStringIs(&schema, document_kinds[i]->schema))
			return document_kinds[i];
	}
	return NULL;
}

/* Returns the kind that an id belongs to; NULL if it is not one of our ids. */
const DocumentKind *
FindKindOfId(const char *id, int len)
{
	if (len != KIND_PREFIX_LENGTH + KIND_ID_DIGITS)
		return NULL;
	for (int i = KIND_PREFIX_LENGTH; i < len; i++)
	{
		if (id[i] == '\0' || strchr("0123456789abcdef", id[i]) == NULL)
			return NULL;
	}
	for (int i = 0; document_kinds[i]; i++)
	{
		if (memcmp(id, document_kinds[i]->prefix, KIND_PREFIX_LENGTH) == 0)
			return document_kinds[i];
	}
	return NULL;
}

/* Lists the schemas, or the prefixes of ids, for a sentence. */
const char *
ListKinds(bool prefixes)
{
	StringInfoData text;

	initStringInfo(&text);
	for (int i = 0; document_kinds[i]; i++)
	{
		if (i > 0)
			appendStringInfoString(&text, document_kinds[i + 1] ? ", " : " or ");
		if (prefixes)
			appendStringInfo(&text, "\"%s...\"", document_kinds[i]->prefix);
		else
			appendStringInfoString(&text, document_kinds[i]->schema);
	}
	return text.data;
}

/*
 * Is the member "tenant" a name that answer_tenant_create() accepts? The operator's
 * documents have no such member; an empty name would be a second way to say the same.
 */
static bool
TenantIsNamed(const JsonView *document)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
	JsonView	tenant;

	if (!JsonViewGetMember(document, "tenant", &tenant))
		return true;
	if (tenant.type != JVIEW_STRING || tenant.len < 1 || tenant.len > TENANT_MAX_LENGTH)
		return false;
	for (int i = 0; i < tenant.len; i++)
	{
		if (tenant.str[i] == '\0' ||
			(strchr(letters, tenant.str[i]) == NULL && (i == 0 || strchr("_.:-", tenant.str[i]) == NULL)))
			return false;
	}
	return true;
}

/*
 * Returns what a document lacks that its kind must have, or why its parts do not belong
 * together; NULL if it is good.
 */
const char *
FindKindProblem(const DocumentKind *kind, const JsonView *document)
{
	JsonView	member;

	if (!TenantIsNamed(document))
		return "tenant is no name of a tenant";
	for (int i = 0; kind->members[i]; i++)
	{
		if (!JsonViewGet(document, kind->members[i], strlen(kind->members[i]), &member))
			return psprintf("%s is missing", kind->members[i]);
	}
	return kind->closure_problem(document);
}

/* Makes the id of a fact from the digest of its reading. */
void
FactIdOfReading(const char *digest, char *id)
{
	snprintf(id, FACT_ID_LENGTH + 1, FACT_ID_PREFIX "%.16s", digest + strlen(DIGEST_PREFIX));
}

/* Joins two words with a space. */
Span
KindWords(Span first, Span second)
{
	char	   *words = palloc(first.len + 1 + second.len);

	memcpy(words, first.str, first.len);
	words[first.len] = ' ';
	memcpy(words + first.len + 1, second.str, second.len);
	return SpanOf(words, first.len + 1 + second.len);
}

/*
 * Counts a word for the dashboard.  A document should say few and short words.  All
 * others count as one word, so that nobody fills the roll-up with words of their own.
 */
void
KindCountWord(KindColumns *columns, const char *about, Span word, int64 count)
{
	static const char other[] = "other";

	if (word.len > KIND_WORD_MAX || columns->nwords == KIND_MAX_WORDS - 1)
		word = (Span) {other, strlen(other)};
	for (int i = 0; i < columns->nwords; i++)
	{
		KindWord   *known = &columns->words[i];

		if (strcmp(known->about, about) == 0 && SpanEqual(known->word, word))
		{
			known->count += count;
			return;
		}
	}
	if (columns->nwords < KIND_MAX_WORDS)
		columns->words[columns->nwords++] = (KindWord) {about, word, count};
}

/* Sets why a document does not answer, for the dashboard, with the same limits as for words. */
void
KindSetRefusal(KindColumns *columns, Span reason)
{
	static const char other[] = "other";

	if (reason.len == 0 || reason.len > KIND_WORD_MAX)
		reason = SpanOfCString(other);
	columns->refusal = reason;
}

/* Adds a pair of texts by which a judge can contradict a document later. */
void
KindAddPair(KindColumns *columns, Span pair)
{
	if (columns->npairs == KIND_MAX_PAIRS)
		return;
	if (columns->pairs == NULL)
		columns->pairs = palloc(sizeof(Span) * KIND_MAX_PAIRS);
	columns->pairs[columns->npairs++] = pair;
}

/* Counts sentences by their status (judgement/1).  A sentence without a status is not grounded. */
void
KindCountSentences(KindColumns *columns, const JsonView *sentences)
{
	for (int i = 0; i < JsonViewCount(sentences); i++)
	{
		JsonView	sentence = JsonViewAt(sentences, i);
		JsonView	status;

		CHECK_FOR_INTERRUPTS();
		columns->sentences++;
		if (sentence.type == JVIEW_OBJECT && JsonViewGetMember(&sentence, "status", &status) &&
			(JsonViewStringIs(&status, "quoted") || JsonViewStringIs(&status, "supported") || JsonViewStringIs(&status, "no_claim")))
			columns->grounded++;
	}
}

/* Is an answer supported, according to its document alone? */
bool
KindIsSupported(const KindColumns *columns)
{
	return columns->given && !columns->contradicted && columns->grounded == columns->sentences &&
		(columns->citation_given || !columns->citation_required);
}
