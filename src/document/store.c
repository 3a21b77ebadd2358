/*-------------------------------------------------------------------------
 *
 * store.c
 *		Reads documents from arguments and from the table.
 *
 * This is the SQL edge of verify.c.  It reads a document and keys from the
 * arguments of a SQL function and verifies them.  It checks a stored document
 * against what was signed before anything is said about it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/detoast.h"
#include "commands/dbcommands.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"

#include "base/limits.h"
#include "base/owner.h"
#include "base/settings.h"
#include "document/signed.h"
#include "document/store.h"
#include "document/verify.h"
#include "keys/keyring.h"

/* Is it valid text in this database's encoding, or, for SQL_ASCII, in UTF-8? */
static bool
IsText(const char *text)
{
	int			encoding = GetDatabaseEncoding();

	return pg_verify_mbstr(encoding == PG_SQL_ASCII ? PG_UTF8 : encoding, text,
						   strlen(text), true);
}

/* Returns the issuer: the setting, or the cluster's identifier and the database. */
JsonView
ReceiptIssuer(void)
{
	int			len;
	char	   *issuer = answer_eval_issuer;
	char	   *utf8;

	if (issuer[0] == '\0' || !IsText(issuer))
	{
		char	   *database = get_database_name(MyDatabaseId);

		/* the bytes of a database's name have no certain encoding */
		if (!IsText(database))
			database = psprintf("%u", MyDatabaseId);
		issuer = psprintf("postgresql:" UINT64_FORMAT "/%s", GetSystemIdentifier(), database);
	}
	utf8 = JsonServerToUtf8(issuer, strlen(issuer), &len);
	return JsonViewString(utf8, len);
}

/* Raises an error because a stored receipt is not what was issued. */
void
ReceiptDoesNotHold(const char *receipt_id, const char *problem)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATA_CORRUPTED),
			 errmsg("stored receipt \"%s\" does not verify", receipt_id),
			 errdetail("Verification says: %s.", problem),
			 errhint("Somebody may have changed answer.receipt or answer.signing_key; nothing is signed about this row as it is.")));
}

/* Raises an error because the key of an unchanged receipt is not good for it any more. */
static void
KeyIsNotGood(const char *receipt_id, Span key_id, const char *problem)
{
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("receipt \"%s\" does not verify any more by its key \"%.*s\"", receipt_id,
					key_id.len, key_id.str),
			 errdetail("It is what was issued, but verification says: %s.", problem),
			 errhint("Ask again, so that a key that is good now signs the answer.")));
}

/*
 * Raises an error unless a stored body is the receipt that was issued under its id and
 * the registry's key signed it.  We must not sign anything that was derived from a
 * manipulated body.  "lifecycle" says whether the key's life matters.  SPI must be
 * connected.
 */
void
ReceiptMustHold(const char *receipt_id, const JsonView *body, bool lifecycle)
{
	JsonView	keys = JsonViewNewArray(0);
	JsonView	bare = keys;
	JsonView	entry;
	JsonView	public_key;
	const char *problem;
	Span		key_id;

	if (ReceiptKeyId(body, &key_id))
		AS_OWNER(RegistryKeys(key_id, &keys));
	if (JsonViewCount(&keys) > 0)
	{
		/* without the times of the key's life */
		JsonViewElement(&keys, 0, &entry);
		JsonViewGetMember(&entry, "public_key", &public_key);
		bare = JsonViewNewObject(1);
		JsonViewSetKey(&bare, key_id.str, key_id.len, public_key);
	}
	problem = ReceiptProblem(body, receipt_id, lifecycle ? &keys : &bare);
	if (problem == NULL)
		return;
	if (lifecycle && ReceiptProblem(body, receipt_id, &bare) == NULL)
		KeyIsNotGood(receipt_id, key_id, problem);
	ReceiptDoesNotHold(receipt_id, problem);
}

/*
 * SQL
 */

/*
 * In a SQL_ASCII database bytes may be invalid, and reading a view of invalid bytes
 * would raise an error.  A verifier must not raise, so it checks first.
 */
bool
IsReadable(const char *text, int len)
{
	return GetDatabaseEncoding() != PG_SQL_ASCII ||
		pg_verify_mbstr(PG_UTF8, text, len, true);
}

bool
JsonbIsReadable(Jsonb *jsonb)
{
	StringInfoData text;

	if (GetDatabaseEncoding() != PG_SQL_ASCII)
		return true;
	initStringInfo(&text);
	(void) JsonbToCString(&text, &jsonb->root, VARSIZE(jsonb));
	return IsReadable(text.data, text.len);
}

/* Makes an absent document, with the reason for DocumentProblem. */
static void
SetUnreadable(JsonView *document, const char *problem)
{
	memset(document, 0, sizeof(*document));
	document->str = problem;
}

static bool
IsLarger(Datum datum, Size most)
{
	return toast_raw_datum_size(datum) - VARHDRSZ > most;
}

/* Returns why a document that was read is not examined, or NULL. */
static const char *
ReadingProblem(const JsonView *document, Size size)
{
	if (DocumentProblem(document))
		return NULL;			/* whoever reads it will find that */
	if (JsonViewHasLongNumbers(document, DOCUMENT_MAX_LONG_NUMBERS))
		return "the document has more than " CppAsString2(DOCUMENT_MAX_LONG_NUMBERS)
			" numbers of more than " CppAsString2(LONG_NUMBER_DIGITS) " digits";
	/* a byte becomes at most six, and there are few long numbers */
	if (size > WRITTEN_MAX_SIZE / 8 && !CanonicalIsWritable(document))
		return "the canonical form of the document is larger than "
			CppAsString2(ARGUMENT_MAX_SIZE) " bytes";
	return NULL;
}

/*
 * Reads a document to be verified from an argument.  Its size is limited, and no object
 * in it may have a key twice, because readers would choose one or the other.  If it
 * cannot be read, the result is an absent view, so that a verifier reports the problem
 * and does not raise.
 */
void
ReadDocumentText(FunctionCallInfo fcinfo, JsonView *document)
{
	JsonTextStatus status;
	const char *problem;
	text	   *given;
	char	   *utf8;
	size_t		where;
	int			len;

	memset(document, 0, sizeof(*document));
	if (PG_ARGISNULL(0))
		return;
	if (IsLarger(PG_GETARG_DATUM(0), DOCUMENT_MAX_SIZE))
	{
		SetUnreadable(document, JsonTextProblem(JSON_TEXT_SIZE));
		return;
	}
	given = PG_GETARG_TEXT_PP(0);
	if (FindKindOfId(VARDATA_ANY(given), VARSIZE_ANY_EXHDR(given)))
	{
		/* not a document, but plausible input; the report will explain */
		*document = JsonViewString(VARDATA_ANY(given), VARSIZE_ANY_EXHDR(given));
		return;
	}
	if (!IsReadable(VARDATA_ANY(given), VARSIZE_ANY_EXHDR(given)))
		return;
	utf8 = JsonServerToUtf8(VARDATA_ANY(given), VARSIZE_ANY_EXHDR(given), &len);
	status = JsonViewOfUniqueText(utf8, len, document, &where);
	problem = status == JSON_TEXT_OK ? ReadingProblem(document, len) : JsonTextProblem(status);
	if (problem)
		SetUnreadable(document, problem);
}

/* Does the same for jsonb, which keeps the last of several members with one key. */
void
ReadDocumentJsonb(FunctionCallInfo fcinfo, int arg, JsonView *document)
{
	Jsonb	   *given;
	const char *problem;

	memset(document, 0, sizeof(*document));
	if (PG_ARGISNULL(arg))
		return;
	if (IsLarger(PG_GETARG_DATUM(arg), ARGUMENT_MAX_SIZE))
	{
		SetUnreadable(document, "the document is larger than " CppAsString2(ARGUMENT_MAX_SIZE) " bytes");
		return;
	}
	given = PG_GETARG_JSONB_P(arg);
	if (!JsonbIsReadable(given))
		return;
	JsonViewOfJsonb(given, document);
	problem = ReadingProblem(document, VARSIZE(given));
	if (problem)
		SetUnreadable(document, problem);
}

/*
 * Reads the keys from an argument, or else the registry's entry for the key that the
 * document claims to be signed with.  The latter needs SPI.
 */
void
ReadVerifyKeys(FunctionCallInfo fcinfo, const JsonView *document, JsonView *keys)
{
	Span		key_id;

	if (PG_ARGISNULL(1))
	{
		*keys = JsonViewNewArray(0);
		if (ReceiptKeyId(document, &key_id))
			RegistryKeys(key_id, keys);
	}
	else if (!IsLarger(PG_GETARG_DATUM(1), ARGUMENT_MAX_SIZE) &&
			 JsonbIsReadable(PG_GETARG_JSONB_P(1)))
		JsonViewOfJsonb(PG_GETARG_JSONB_P(1), keys);
	else
		*keys = JsonViewNull();
}

static Datum
Verify(FunctionCallInfo fcinfo, const JsonView *document)
{
	MemoryContext caller = CurrentMemoryContext;
	bool		registry = PG_ARGISNULL(1);
	JsonView	keys;
	JsonView	report;
	Jsonb	   *result;

	if (registry)
		SPI_connect();
	ReadVerifyKeys(fcinfo, document, &keys);
	report = ReceiptVerify(document, &keys);
	MemoryContextSwitchTo(caller);
	result = JsonViewToJsonb(&report, false);
	if (registry)
		SPI_finish();
	return JsonbPGetDatum(result);
}

static Datum
VerifyOk(FunctionCallInfo fcinfo, const JsonView *document)
{
	bool		registry = PG_ARGISNULL(1);
	JsonView	keys;
	bool		ok;

	if (registry)
		SPI_connect();
	ReadVerifyKeys(fcinfo, document, &keys);
	ok = ReceiptVerifyOk(document, &keys);
	if (registry)
		SPI_finish();
	return BoolGetDatum(ok);
}

DOCUMENT_FUNCTIONS(answer_eval_verify, Verify(fcinfo, &view));
DOCUMENT_FUNCTIONS(answer_eval_verify_ok, VerifyOk(fcinfo, &view));
