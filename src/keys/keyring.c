/*-------------------------------------------------------------------------
 *
 * keyring.c
 *		The registry of signing keys, and the choice of the key that signs.
 *
 * Rule: doc/spec/df-verify-1.md §4.4.
 *
 * The registry holds public keys only; private keys are files (key_file.c).
 *
 * The key is chosen together with the receipt's instant, under a lock that a
 * rotation takes exclusively.  So no receipt is dated outside the life of the
 * key that signed it, and signers wait at most until a rotation commits.  If no
 * key can be used, there is an error with a hint, never an unsigned receipt and
 * never another algorithm.
 *
 * The first key is made when one is first needed, not by CREATE EXTENSION.  So a
 * restored registry is what it was, with one active key.  A key's life can only
 * get shorter.  The functions below enforce this with clear errors; a trigger
 * and constraints enforce it for everybody else (sql/keys/keyring.sql).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <unistd.h>

#include "catalog/namespace.h"
#include "commands/dbcommands.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "port.h"
#include "storage/lmgr.h"
#include "storage/proc.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"

#include "base/base64.h"
#include "base/compat.h"
#include "base/distributed.h"
#include "base/enums.h"
#include "base/funcargs.h"
#include "base/locks.h"
#include "base/owner.h"
#include "base/index_probe.h"
#include "base/rfc3339.h"
#include "base/snapshot.h"
#include "base/spi_query.h"
#include "base/subtransaction.h"
#include "base/writes.h"
#include "base/tenant.h"
#include "keys/key_file.h"
#include "keys/key_folder.h"
#include "keys/keyring.h"

/* How many directories may register queries over signed rows. */
#define MAX_SIGNED_ROWS	16

KeysChangedHook keys_changed = NULL;
void		(*hold_off_forgetting) (const text *tenant) = NULL;

/* The two locks of the keys. */
typedef enum KeyLockField
{
	KEY_LOCK_REGISTRY,			/* the choice of the key that signs */
	KEY_LOCK_USE				/* held while what a chosen key signs is not committed */
} KeyLockField;

static void
KeyLock(KeyLockField field, LOCKMODE mode)
{
	LOCKTAG		tag;

	AnswerLockTag(&tag, LOCK_KEYS, field);
	(void) LockAcquire(&tag, mode, false, false);
}

static void
KeyUnlock(KeyLockField field, LOCKMODE mode)
{
	LOCKTAG		tag;

	AnswerLockTag(&tag, LOCK_KEYS, field);
	LockRelease(&tag, mode, false);
}

/*
 * Waits for an operator who forgets for all tenants.  A change of a key is recorded, and
 * that waits for the operator, who needs a key to sign with.  To avoid a deadlock, this
 * wait comes before the locks of keys.
 */
static void
WaitForForgetting(void)
{
	hold_off_forgetting(cstring_to_text(""));
}

/* The status of a key. */
typedef enum KeyStatus
{
	KEY_ACTIVE,
	KEY_RETIRED,
	KEY_COMPROMISED
} KeyStatus;

static VocabularyLabels key_status_labels =
{
	"active", "retired", "compromised", NULL
};

/* An instant, or none if it is unknown or does not exist. */
typedef struct Bound
{
	bool		present;
	TimestampTz instant;
} Bound;

typedef struct KeyRow
{
	char		key_id[KEY_ID_LENGTH + 1];
	uint8		public_key[ED25519_KEY_LENGTH];
	KeyStatus	status;
	Bound		active_from;	/* present for an active key */
	Bound		retired_at;
	Bound		compromised_after;
} KeyRow;

static Bound
ColumnBound(const SPITupleTable *table, int column)
{
	bool		isnull;
	Datum		datum = SPI_getbinval(table->vals[0], table->tupdesc, column, &isnull);
	Bound		bound = {!isnull, isnull ? 0 : DatumGetTimestampTz(datum)};

	return bound;
}

/*
 * Runs a query as the owner, who may read the registry, with the latest snapshot,
 * whatever snapshot the transaction has.
 */
static QueryRows
RunLatestRows(FixedQuery *query, Datum *values, long limit)
{
	QueryRows	rows;

	PushActiveSnapshot(GetLatestSnapshot());
	rows = QueryRunAsOwner(query, values, NULL, true, limit);
	PopActiveSnapshot();
	return rows;
}

static QueryRows
RunLatest(FixedQuery *query, Datum *values)
{
	return RunLatestRows(query, values, 1);
}

/*
 * Finds the active key by the partial index that has only that key.  If it returns
 * false, the query must be run.
 */
static bool
ProbeActive(SigningKey *key, TimestampTz *active_from)
{
	static const ProbeSpec spec = {
		.table = "signing_key", .index = "signing_key_one_active",
		.ncolumns = 4, .columns = {"status", "key_id", "active_from", "folder"}
	};
	Datum		values[4];
	bool		nulls[4];
	bool		found = false;
	Probe		probe;
	Oid			user;
	int			context;

	PushActiveSnapshot(GetLatestSnapshot());
	AnswerAsOwner(&user, &context);
	if (ProbeOpen(&probe, &spec, GetUserId()))
	{
		ProbeFind(&probe, NULL);
		found = ProbeNext(&probe);
		for (int i = 0; found && i < spec.ncolumns; i++)
		{
			values[i] = ProbeColumn(&probe, i, &nulls[i]);
			found = !nulls[i];
		}
		found = found && strcmp(DatumGetCString(DirectFunctionCall1(enum_out, values[0])), key_status_labels[KEY_ACTIVE]) == 0;
		if (found)
		{
			text_to_cstring_buffer(DatumGetTextPP(values[1]), key->key_id, sizeof(key->key_id));
			*active_from = DatumGetTimestampTz(values[2]);
			strlcpy(key->folder, DatumGetCString(DirectFunctionCall1(uuid_out, values[3])), sizeof(key->folder));
		}
		ProbeClose(&probe);
	}
	AnswerAsCaller(user, context);
	PopActiveSnapshot();
	return found;
}

/* Finds the active key; returns false if there is none.  SPI must be connected. */
static bool
FindActive(SigningKey *key, TimestampTz *active_from)
{
	static FixedQuery query = {
		.text = "SELECT key_id, active_from, folder::pg_catalog.text FROM answer.signing_key"
		" WHERE status OPERATOR(pg_catalog.=) 'active' LIMIT 1"
	};
	bool		found;
	QueryRows	rows;

	if (ProbeActive(key, active_from))
		return true;
	rows = RunLatest(&query, NULL);
	found = rows.count > 0;
	if (found)
	{
		HeapTuple	tuple = rows.table->vals[0];
		TupleDesc	desc = rows.table->tupdesc;
		char	   *folder = SPI_getvalue(tuple, desc, 3);

		strlcpy(key->key_id, SPI_getvalue(tuple, desc, 1), sizeof(key->key_id));
		strlcpy(key->folder, folder ? folder : "", sizeof(key->folder));
		*active_from = ColumnBound(rows.table, 2).instant;
	}
	QueryFree(&rows);
	return found;
}

/*
 * Finds the folder of this database's newest key that has one here.  Sets only the
 * folder.  SPI must be connected.
 */
bool
SigningFolderFind(SigningKey *key)
{
	static FixedQuery query = {
		.text = "SELECT folder::pg_catalog.text FROM answer.signing_key WHERE folder IS NOT NULL"
		" GROUP BY folder ORDER BY pg_catalog.max(active_from) DESC"
	};
	const char *problem;
	bool		found = false;
	QueryRows	rows;

	rows = RunLatestRows(&query, NULL, 0);
	for (uint64 i = 0; !found && i < rows.table->numvals; i++)
	{
		CHECK_FOR_INTERRUPTS();
		strlcpy(key->folder, SPI_getvalue(rows.table->vals[i], rows.table->tupdesc, 1), sizeof(key->folder));
		found = IsFolderOurs(key->folder, &problem);
	}
	QueryFree(&rows);
	return found;
}

/* Finds one row of the registry by id; returns false if there is none. */
static bool
FindRow(Datum key_id, KeyRow *row)
{
	static FixedQuery query = {
		.text = "SELECT key_id, public_key, status::pg_catalog.text, active_from, retired_at, compromised_after"
		" FROM answer.signing_key WHERE key_id OPERATOR(pg_catalog.=) $1",
		.argtypes = {TEXTOID}
	};
	bool		found;
	QueryRows	rows;

	rows = RunLatest(&query, &key_id);
	found = rows.count > 0;
	if (found)
	{
		HeapTuple	tuple = rows.table->vals[0];
		TupleDesc	desc = rows.table->tupdesc;
		bool		isnull;
		bytea	   *raw = DatumGetByteaPP(SPI_getbinval(tuple, desc, 2, &isnull));
		char	   *status = SPI_getvalue(tuple, desc, 3);

		strlcpy(row->key_id, SPI_getvalue(tuple, desc, 1), sizeof(row->key_id));
		memcpy(row->public_key, VARDATA_ANY(raw),
			   Min(VARSIZE_ANY_EXHDR(raw), ED25519_KEY_LENGTH));
		row->status = VocabularyByLabel(key_status_labels, status, strlen(status));
		row->active_from = ColumnBound(rows.table, 4);
		row->retired_at = ColumnBound(rows.table, 5);
		row->compromised_after = ColumnBound(rows.table, 6);
	}
	QueryFree(&rows);
	return found;
}

/*
 * Finds the key that signs, and sets its id and folder; returns false if there is none.
 * SPI must be connected.
 */
bool
SigningKeyFind(SigningKey *key)
{
	TimestampTz active_from;

	return FindActive(key, &active_from);
}

/* Is there a key that signs?  SPI must be connected. */
bool
SigningKeyExists(void)
{
	SigningKey	key;

	return SigningKeyFind(&key);
}

static bool
RegistryIsEmpty(void)
{
	static FixedQuery query = {
		.text = "SELECT FROM answer.signing_key LIMIT 1"
	};
	bool		empty;
	QueryRows	rows;

	rows = RunLatest(&query, NULL);
	empty = rows.count == 0;
	QueryFree(&rows);
	return empty;
}

/*
 * Runs a statement that changes one row, as the owner.  Raises an error if the
 * transaction's snapshot is too old to show the row.
 */
static void
ChangeRow(FixedQuery *query, Datum *values, const char *nulls)
{
	QueryRows	rows = QueryRunAsOwner(query, values, nulls, false, 0);

	if (rows.count == 0)
		ereport(ERROR,
				(errcode(ERRCODE_T_R_SERIALIZATION_FAILURE),
				 errmsg("could not serialize access due to a concurrent change of the signing keys"),
				 errhint("The transaction might succeed if retried.")));
	/* makes it visible to what follows, also in this statement */
	CommandCounterIncrement();
}

/* Makes a key and registers it as the active one. */
static void
AddActive(SigningKey *key, TimestampTz active_from)
{
	static FixedQuery insert = {
		.text = "INSERT INTO answer.signing_key (key_id, public_key, status, active_from, folder)"
		" VALUES ($1, $2, 'active', $3, $4::pg_catalog.uuid)",
		.argtypes = {TEXTOID, BYTEAOID, TIMESTAMPTZOID, TEXTOID}
	};
	uint8		public_key[ED25519_KEY_LENGTH];
	Datum		values[4];

	if (!SigningFolderFind(key))
		MakeFolder(key->folder);
	CreateKey(key->folder, public_key, key->key_id);
	values[0] = CStringGetTextDatum(key->key_id);
	values[1] = PointerGetDatum(cstring_to_text_with_len((const char *) public_key,
														 ED25519_KEY_LENGTH));
	values[2] = TimestampTzGetDatum(active_from);
	values[3] = CStringGetTextDatum(key->folder);
	ChangeRow(&insert, values, NULL);
}

static void
NoActiveKey(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("there is no active signing key"),
			 errhint("Make one with answer_key_generate().")));
}

/*
 * Makes the first key of a registry that was found empty, unless another session has
 * made it meanwhile. Then finds the key that signs, and takes the instant.
 *
 * Whoever makes the key holds the lock until the end of the transaction, because before
 * that nobody else can know whether there is a key.
 */
static void
FirstKey(SigningKey *key, TimestampTz *active_from, TimestampTz *now)
{
	bool		found;
	bool		had_written;

	RequirePrimary("answer_key_generate()");
	KeyLock(KEY_LOCK_REGISTRY, ExclusiveLock);
	*now = GetCurrentTimestamp();
	found = FindActive(key, active_from);
	if (found || !RegistryIsEmpty())
	{
		KeyUnlock(KEY_LOCK_REGISTRY, ExclusiveLock);
		if (!found)
			NoActiveKey();
		return;
	}
	*active_from = *now;
	had_written = OwnWritesBegin();
	AddActive(key, *active_from);
	keys_changed(NULL, *now);
	OwnWritesEnd(had_written);
}

static void
ChooseAndLoad(SigningKey *key, TimestampTz *now)
{
	TimestampTz active_from;
	bool		found;
	bool		first;

	KeyLock(KEY_LOCK_REGISTRY, ShareLock);
	key->registry = AnswerTable("signing_key");
	*now = GetCurrentTimestamp();
	found = FindActive(key, &active_from);
	first = !found && RegistryIsEmpty();
	KeyUnlock(KEY_LOCK_REGISTRY, ShareLock);

	if (first)
		FirstKey(key, &active_from, now);
	else if (!found)
		NoActiveKey();
	/* if the clock was set back, the key is not used before its time */
	*now = Max(*now, active_from);
	RequireOurs(key->key_id, key->folder);
	HoldKey(key, LoadKey(key->key_id, key->folder), *now);
}

/*
 * Chooses the key that signs and the instant at which it signs, and loads the key.
 * Reads the registry as it is now, whatever snapshot the transaction has.  If it never
 * had a row, makes the first key.  SPI must be connected.
 *
 * The key is held until the caller's memory context is reset, whatever is called until
 * then.  Until the end of the transaction nobody else can end its life before that
 * instant, see answer_key_retire.
 *
 * This is for signatures that are only returned.  For what is also stored, call
 * SigningKeyBegin.
 */
void
SigningKeyBeginUnstored(SigningKey *key, TimestampTz *now)
{
	KeyLock(KEY_LOCK_USE, ShareLock);
	ChooseAndLoad(key, now);
}

/*
 * Does the same for rows that get a code and no signature (row_mac.c).  A code stays valid
 * after the end of its key's life, so whoever ends that need not wait for those who have
 * stored such rows.  From that instant on, even after the statement, a sealing sees that
 * this transaction is running.
 */
void
SigningKeyBeginForRow(SigningKey *key, TimestampTz *now)
{
	if (!RecoveryInProgress())
		(void) GetTopTransactionId();
	ChooseAndLoad(key, now);
}

/*
 * Does the same for what is stored.  Raises an error if each shard would store its part
 * in a transaction of its own.
 */
void
SigningKeyBegin(SigningKey *key, TimestampTz *now)
{
	RefuseScattered();
	SigningKeyBeginUnstored(key, now);
}

/* The last choice of SigningKeyChooseForRow(). */
static struct
{
	LocalTransactionId transaction;
	SubTransactionId subtransaction;
	MemoryContext context;		/* for the key */
	SigningKey	key;
	TimestampTz at;
}			chosen = {.transaction = InvalidLocalTransactionId};

/* For how long the rows of one transaction get the same instant, in microseconds. */
#define CHOSEN_FOR	(10 * 1000)

/*
 * Chooses a key and an instant for rows that come by the thousand.  A recent choice in this
 * transaction is used again: at its instant, this key was the one that signs.  The caller
 * must not run anything else before it has used the key.
 */
void
SigningKeyChooseForRow(SigningKey *key, TimestampTz *now)
{
	LocalTransactionId transaction = CompatLocalTransactionId();
	TimestampTz current = GetCurrentTimestamp();
	MemoryContext caller;

	if (chosen.transaction != transaction || chosen.subtransaction != GetCurrentSubTransactionId() ||
		current < chosen.at || current - chosen.at > CHOSEN_FOR || *chosen.key.compromised ||
		chosen.key.registry != AnswerTable("signing_key"))
	{
		if (chosen.transaction == transaction)
			MemoryContextReset(chosen.context);
		else
			chosen.context = AllocSetContextCreate(TopTransactionContext, "answer_eval key of rows", ALLOCSET_SMALL_SIZES);
		chosen.transaction = transaction;
		chosen.subtransaction = InvalidSubTransactionId;	/* so that the choice is not used again after an error */
		caller = MemoryContextSwitchTo(chosen.context);
		SigningKeyBeginForRow(&chosen.key, &chosen.at);
		MemoryContextSwitchTo(caller);
		chosen.subtransaction = GetCurrentSubTransactionId();
	}
	*key = chosen.key;
	*now = chosen.at;
}

/*
 * Does the same, but never waits for an uncommitted change of keys; returns false then.
 * For rows that are not important enough to wait.
 */
bool
SigningKeyTryForRow(SigningKey *key, TimestampTz *now)
{
	LOCKTAG		tag;

	AnswerLockTag(&tag, LOCK_KEYS, KEY_LOCK_REGISTRY);
	if (LockAcquire(&tag, ShareLock, false, true) == LOCKACQUIRE_NOT_AVAIL)
		return false;
	SigningKeyChooseForRow(key, now);
	KeyUnlock(KEY_LOCK_REGISTRY, ShareLock);
	return true;
}

/* Drops the choice, because the key's life is about to change.  No running code needs it. */
static void
LetChosenGo(void)
{
	if (chosen.transaction != CompatLocalTransactionId())
		return;
	MemoryContextReset(chosen.context);
	chosen.subtransaction = InvalidSubTransactionId;
}

static const SignedRows *signed_rows[MAX_SIGNED_ROWS];
static int	nsigned_rows = 0;

void
RegisterSignedRows(const SignedRows *rows)
{
	Assert(nsigned_rows < MAX_SIGNED_ROWS);
	signed_rows[nsigned_rows++] = rows;
}

/*
 * Joins the registered queries, "latest" or "newest", into one that lives as long as the
 * session.
 */
static const char *
SignedRowsQuery(const char *head, bool latest, const char *tail)
{
	StringInfoData text;
	bool		first = true;

	initStringInfo(&text);
	appendStringInfoString(&text, head);
	for (int i = 0; i < nsigned_rows; i++)
	{
		const char *query = latest ? signed_rows[i]->latest : signed_rows[i]->newest;

		if (query == NULL)
			continue;
		appendStringInfo(&text, "%s(%s)", first ? "" : " UNION ALL ", query);
		first = false;
	}
	appendStringInfoString(&text, tail);
	return MemoryContextStrdup(TopMemoryContext, text.data);
}

/*
 * Finds when a key signed last, if that was after an instant.  Looking up the newest
 * receipt takes one index probe, and its key is nearly always the one in question,
 * which signs or has just signed.
 */
static Bound
NewestSignatureAfter(const char *key_id, TimestampTz after)
{
	static FixedQuery query = {
		.argtypes = {TEXTOID, TIMESTAMPTZOID}
	};
	Datum		values[2] = {CStringGetTextDatum(key_id), TimestampTzGetDatum(after)};
	Bound		newest = {false, 0};
	QueryRows	rows;

	if (query.text == NULL)
		query.text = SignedRowsQuery("SELECT pg_catalog.max(s.signed_at) FROM (", false, ") s (key_id, signed_at)"
									 " WHERE s.key_id OPERATOR(pg_catalog.=) $1 AND s.signed_at OPERATOR(pg_catalog.>) $2");
	rows = RunLatest(&query, values);
	if (rows.count > 0)
		newest = ColumnBound(rows.table, 1);
	QueryFree(&rows);
	return newest;
}

/*
 * Finds when a key sealed last, by the clock of that time.  This is not the last
 * checkpoint if the clock was set back.
 */
static TimestampTz
LatestSeal(const char *key_id)
{
	static FixedQuery query = {
		.argtypes = {TEXTOID}
	};
	Datum		value = CStringGetTextDatum(key_id);
	QueryRows	rows;
	Bound		latest;

	if (query.text == NULL)
		query.text = SignedRowsQuery("SELECT pg_catalog.max(s.signed_at) FROM (", true, ") s (signed_at)");
	rows = RunLatest(&query, &value);
	latest = ColumnBound(rows.table, 1);
	QueryFree(&rows);
	return latest.present ? latest.instant : DT_NOBEGIN;
}

/*
 * Returns the end of a key's life that ends now.  It is not before its beginning, nor
 * before its newest signature, stored or being made by an outer call, in case the clock
 * was set back.
 */
static TimestampTz
EndOfLife(const char *key_id, TimestampTz active_from, TimestampTz now)
{
	Bound		newest = NewestSignatureAfter(key_id, now);

	now = Max(now, active_from);
	now = Max(now, LatestUse(key_id));
	now = Max(now, LatestSeal(key_id));
	return newest.present ? Max(now, newest.instant) : now;
}

static void
RetireActive(const char *key_id, TimestampTz at)
{
	static FixedQuery update = {
		.text = "UPDATE answer.signing_key SET status = 'retired', retired_at = $2"
		" WHERE key_id OPERATOR(pg_catalog.=) $1 AND status OPERATOR(pg_catalog.=) 'active'",
		.argtypes = {TEXTOID, TIMESTAMPTZOID}
	};
	Datum		values[2] = {CStringGetTextDatum(key_id), TimestampTzGetDatum(at)};

	ChangeRow(&update, values, NULL);
}

/*
 * Looks a key up as the caller.  A key that the statement's snapshot does not show may
 * have been made since, even by this statement.  So a missing key is looked up again
 * with the latest snapshot.  Parallel workers have only one snapshot.
 */
static QueryRows
RunVerifier(FixedQuery *query, Datum *value)
{
	QueryRows	rows = QueryRun(query, value, NULL, true, 1);

	if (rows.count > 0 || IsInParallelMode())
		return rows;
	QueryFree(&rows);
	PushActiveSnapshot(GetLatestSnapshot());
	rows = QueryRun(query, value, NULL, true, 1);
	PopActiveSnapshot();
	return rows;
}

/*
 * Returns the registry's entry for one key, in the array form that verification takes,
 * read with the caller's rights.  SPI must be connected.  The view is allocated in the
 * caller's memory context.
 */
bool
RegistryKeys(Span key_id, JsonView *keys)
{
	static FixedQuery query = {
		.text = "SELECT public_key, status::pg_catalog.text, active_from, retired_at, compromised_after"
		" FROM answer.signing_key WHERE key_id OPERATOR(pg_catalog.=) $1",
		.argtypes = {TEXTOID}
	};
	Datum		id = PointerGetDatum(cstring_to_text_with_len(key_id.str, key_id.len));
	JsonView	entry;
	QueryRows	rows;

	*keys = JsonViewNewArray(1);
	rows = RunVerifier(&query, &id);
	if (rows.count == 0)
		return false;
	entry = JsonViewNewObject(6);
	JsonViewSet(&entry, "key_id", JsonViewString(key_id.str, key_id.len));
	for (int i = 1; i <= 5; i++)
	{
		static const char *const names[] = {"public_key", "status", "active_from",
		"retired_at", "compromised_after"};
		bool		isnull;
		Datum		datum = SPI_getbinval(rows.table->vals[0], rows.table->tupdesc,
										  i, &isnull);
		char	   *value;

		if (isnull)
			continue;
		if (i == 1)
		{
			bytea	   *raw = DatumGetByteaPP(datum);

			value = palloc(BASE64_SIZE(VARSIZE_ANY_EXHDR(raw)));
			Base64UrlEncode((uint8 *) VARDATA_ANY(raw), VARSIZE_ANY_EXHDR(raw), value);
		}
		else if (i == 2)
			value = TextDatumGetCString(datum);
		else
		{
			value = palloc(INSTANT_SIZE);
			InstantFormat(DatumGetTimestampTz(datum), value);
		}
		JsonViewSet(&entry, names[i - 1], JsonViewCString(value));
	}
	JsonViewAppend(keys, entry);
	QueryFree(&rows);
	return true;
}

/* Has it the form of a key id? It is then also a valid file name. */
static bool
IsKeyId(Span id)
{
	int			prefix = strlen(KEY_ID_PREFIX);

	return id.len == KEY_ID_LENGTH && SpanStartsWith(id, SpanOfCString(KEY_ID_PREFIX)) &&
		strspn(pnstrdup(id.str + prefix, id.len - prefix), "0123456789abcdef") == (size_t) (id.len - prefix);
}

/* Derives the public key from the private key here; returns false if that is not here. */
static bool
OwnPublicKey(Span key_id, uint8 *public_key)
{
	static FixedQuery query = {
		.text = "SELECT folder::pg_catalog.text FROM answer.signing_key WHERE key_id OPERATOR(pg_catalog.=) $1",
		.argtypes = {TEXTOID}
	};
	Datum		id = PointerGetDatum(cstring_to_text_with_len(key_id.str, key_id.len));
	char		path[MAXPGPATH];
	char	   *name = pnstrdup(key_id.str, key_id.len);
	char	   *folder = NULL;
	const char *problem;
	QueryRows	rows;

	rows = RunLatest(&query, &id);
	if (rows.count > 0)
		folder = ColumnName(rows.table, 0, 1);
	QueryFree(&rows);
	if (folder == NULL || !IsFolderOurs(folder, &problem))
		return false;
	KeyPath(folder, name, ".pem", path);
	return access(path, F_OK) == 0 && PublicHalf(LoadKey(name, folder), public_key);
}

static void
TryToLoad(void *key)
{
	(void) RowKeyLoad(key);
}

/*
 * Can the file of a key be used? A file that cannot be used must not stop a sealing or an
 * audit of everything else.
 */
static bool
CanLoad(RowKey *key)
{
	ErrorData  *error;

	/* there are no subtransactions then, and no audit */
	if (IsInParallelMode())
	{
		TryToLoad(key);
		return true;
	}
	error = RunInSubtransaction(TryToLoad, key);
	if (error && error->sqlerrcode != ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE)
		ReThrowError(error);
	if (error)
		ereport(WARNING,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("%s", error->message),
				 errdetail("Rows that were stored under this key cannot be told from rows that were written by hand.")));
	return error == NULL;
}

/* Finds what is registered for a key, and whether its private key can be used here.  SPI must be connected. */
void
RowKeyFind(RowKey *key)
{
	static FixedQuery query = {
		.text = "SELECT folder::pg_catalog.text, compromised_after, status::pg_catalog.text FROM answer.signing_key"
		" WHERE key_id OPERATOR(pg_catalog.=) $1",
		.argtypes = {TEXTOID}
	};
	Datum		id = CStringGetTextDatum(key->key_id);
	char		path[MAXPGPATH];
	char	   *folder = NULL;
	const char *problem;
	QueryRows	rows;

	key->good_until = DT_NOEND;
	rows = RunLatest(&query, &id);
	if (rows.count > 0)
	{
		folder = ColumnName(rows.table, 0, 1);
		if (strcmp(SPI_getvalue(rows.table->vals[0], rows.table->tupdesc, 3), key_status_labels[KEY_COMPROMISED]) == 0 &&
			!ColumnInstant(rows.table, 0, 2, &key->good_until))
			key->good_until = DT_NOBEGIN;
	}
	QueryFree(&rows);
	if (folder == NULL)
		return;
	strlcpy(key->folder, folder, sizeof(key->folder));
	KeyPath(key->folder, key->key_id, ".pem", path);
	key->is_ours = IsFolderOurs(key->folder, &problem);
	key->is_here = key->is_ours && access(path, F_OK) == 0 && CanLoad(key);
}

/*
 * Loads the private key of a key that is here.  The cache owns it, and any other call may
 * empty the cache.
 */
void *
RowKeyLoad(const RowKey *key)
{
	return LoadKey(key->key_id, key->folder);
}

/*
 * Returns the registry's entry for a key, but with the public key derived here, because
 * somebody who can edit the registry must not be able to forge our signatures.
 */
static bool
OwnKeys(Span key_id, JsonView *keys)
{
	static const char *const public_member[] = {"public_key"};
	uint8		public_key[ED25519_KEY_LENGTH];
	char	   *encoded = palloc(BASE64_SIZE(ED25519_KEY_LENGTH));
	JsonView	entry;

	if (!IsKeyId(key_id) || !RegistryKeys(key_id, keys) || !OwnPublicKey(key_id, public_key))
		return false;
	Base64UrlEncode(public_key, ED25519_KEY_LENGTH, encoded);
	JsonViewElement(keys, 0, &entry);
	entry = JsonViewCopyWithout(&entry, public_member, lengthof(public_member), 1);
	JsonViewSet(&entry, "public_key", JsonViewCString(encoded));
	*keys = JsonViewNewArray(1);
	JsonViewAppend(keys, entry);
	return true;
}

/* Returns the keys without the times of their lives. */
static JsonView
WithoutLife(const JsonView *keys, Span key_id)
{
	JsonView	bare = JsonViewNewObject(1);
	JsonView	entry = JsonViewAt(keys, 0);
	JsonView	public_key;

	if (JsonViewCount(keys) == 0)
		return bare;
	if (JsonViewGetMember(&entry, "public_key", &public_key))
		JsonViewSetKey(&bare, key_id.str, key_id.len, public_key);
	return bare;
}

const JsonView *
RegistryKeysOfSig(const JsonView *object, KeptKeys *kept)
{
	JsonView	sig;
	Span		key_id = {"", 0};

	if (kept->keys.type == JVIEW_ABSENT)
		kept->keys = JsonViewNewArray(0);
	if (object->type == JVIEW_OBJECT && JsonViewGetMember(object, "sig", &sig) && sig.type == JVIEW_OBJECT)
		(void) JsonViewGetString(&sig, "key_id", &key_id);
	if (key_id.len == 0 || !SpanIsText(key_id) || SpanEqual(key_id, kept->key_id))
		return &kept->keys;
	if (!kept->own)
		(void) RegistryKeys(key_id, &kept->keys);
	else if (!OwnKeys(key_id, &kept->keys))
		kept->keys = JsonViewNewArray(0);
	if (kept->at_any_time)
		kept->keys = WithoutLife(&kept->keys, key_id);
	kept->key_id = key_id;
	return &kept->keys;
}

/*
 * Gives the raw public key that the registry has for an id, read with the caller's
 * rights.  SPI must be connected.
 */
bool
RegistryPublicKey(const char *key_id, uint8 *public_key)
{
	static FixedQuery query = {
		.text = "SELECT public_key FROM answer.signing_key"
		" WHERE key_id OPERATOR(pg_catalog.=) $1",
		.argtypes = {TEXTOID}
	};
	Datum		id = CStringGetTextDatum(key_id);
	bool		found = false;
	QueryRows	rows;

	rows = RunVerifier(&query, &id);
	if (rows.count > 0)
	{
		bytea	   *raw = DatumGetByteaPP(ColumnDatum(rows.table, 0, 1));

		found = VARSIZE_ANY_EXHDR(raw) == ED25519_KEY_LENGTH;
		if (found)
			memcpy(public_key, VARDATA_ANY(raw), ED25519_KEY_LENGTH);
	}
	QueryFree(&rows);
	return found;
}

/*
 * Returns the beginning of a new key's life.  It is not before the ends of this
 * database's earlier keys, in case the clock was set back.  Until then, what the key
 * signs is dated with the beginning.
 */
static TimestampTz
BeginOfLife(TimestampTz now)
{
	static FixedQuery query = {
		.text = "SELECT pg_catalog.max(retired_at) FROM answer.signing_key WHERE folder IS NOT NULL"
	};
	QueryRows	rows = RunLatest(&query, NULL);
	Bound		newest = ColumnBound(rows.table, 1);

	QueryFree(&rows);
	return newest.present ? Max(now, newest.instant) : now;
}

/*
 * SQL
 */

PG_FUNCTION_INFO_V1(answer_eval_key_generate);
Datum
answer_eval_key_generate(PG_FUNCTION_ARGS)
{
	SigningKey	before;
	SigningKey	key;
	TimestampTz active_from;
	TimestampTz now;

	RequirePrimary("answer_key_generate()");
	RequireOperator("answer_key_generate");

	/* held until the end, so that signers see this rotation as a whole or not at all */
	LetChosenGo();
	WaitForForgetting();
	KeyLock(KEY_LOCK_REGISTRY, ExclusiveLock);
	SPI_connect();
	now = GetCurrentTimestamp();
	if (FindActive(&before, &active_from))
		RetireActive(before.key_id, EndOfLife(before.key_id, active_from, now));
	now = BeginOfLife(now);
	AddActive(&key, now);
	keys_changed(NULL, now);
	SPI_finish();
	PG_RETURN_TEXT_P(cstring_to_text(key.key_id));
}

/* Raises an error if the keys belong to another existing database of this cluster. */
static void
RequireAbandoned(const char *key_id, const char *binding)
{
	unsigned long long system;
	Oid			database;
	char	   *name;

	if (sscanf(binding, "signing keys of one database of answer_eval\nsystem %llu\ndatabase %u\n",
			   &system, &database) != 2)
		ereport(ERROR,
				(errcode(ERRCODE_DATA_CORRUPTED),
				 errmsg("the file that says whose keys lie in the folder of key \"%s\" is damaged", key_id)));
	if (system != GetSystemIdentifier() || database == MyDatabaseId)
		return;
	name = get_database_name(database);
	if (name)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("key \"%s\" belongs to the database \"%s\"", key_id, name),
				 errdetail("A key signs for one database only."),
				 errhint("Make a key of this database's own with answer_key_generate().")));
}

/* answer_key_adopt() */
PG_FUNCTION_INFO_V1(answer_eval_key_adopt);
Datum
answer_eval_key_adopt(PG_FUNCTION_ARGS)
{
	SigningKey	key;
	TimestampTz active_from;
	char		path[MAXPGPATH];
	char		text[BINDING_MAX_SIZE];
	struct stat st;
	const char *problem;
	int			len;

	if (!superuser())
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("must be superuser to adopt signing keys")));
	RequirePrimary("answer_key_adopt()");
	RequireOperator("answer_key_adopt");
	WaitForForgetting();
	KeyLock(KEY_LOCK_REGISTRY, ExclusiveLock);
	SPI_connect();
	if (!FindActive(&key, &active_from))
		NoActiveKey();
	if (key.folder[0] == '\0')
		RequireOurs(key.key_id, key.folder);
	if (!IsFolderOurs(key.folder, &problem))
	{
		if (ReadBinding(key.folder, text, &st, &problem) < 0)
			RequireOurs(key.key_id, key.folder);
		RequireAbandoned(key.key_id, text);
		(void) LoadKey(key.key_id, key.folder);
		KeyPath(key.folder, BINDING_NAME, "", path);
		len = BindingText(key.folder, text);
		SigningFileReplace(path, text, len, "file that says whose the keys are");
		MarkFolder(key.folder);
	}
	SPI_finish();
	PG_RETURN_TEXT_P(cstring_to_text(key.key_id));
}

/* Reads an instant argument that may be NULL; raises an error if no receipt could carry it. */
static Bound
BoundArgument(FunctionCallInfo fcinfo, int n, const char *name)
{
	Bound		bound = {!PG_ARGISNULL(n), 0};

	if (!bound.present)
		return bound;
	bound.instant = PG_GETARG_TIMESTAMPTZ(n);
	if (!InstantIsWritable(bound.instant))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("%s must be in the years 1 to 9999", name)));
	return bound;
}

static void
BadInstant(const char *name, const char *problem)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("%s %s", name, problem)));
}

/* Finds the key that the first argument names.  The lock is held. */
static void
FindArgument(FunctionCallInfo fcinfo, KeyRow *row)
{
	if (!FindRow(PG_GETARG_DATUM(0), row))
		ereport(ERROR,
				(errcode(ERRCODE_NO_DATA_FOUND),
				 errmsg("unknown key \"%s\"", TextDatumGetCString(PG_GETARG_DATUM(0))),
				 errhint("The keys are in answer_key_registry().")));
}

/* answer_key_retire(key_id, retired_at) */
PG_FUNCTION_INFO_V1(answer_eval_key_retire);
Datum
answer_eval_key_retire(PG_FUNCTION_ARGS)
{
	KeyRow		row;
	Bound		at;
	SigningKey	key;
	TimestampTz now;
	TimestampTz end;

	RequireArgument(fcinfo, 0, "key_id");
	at = BoundArgument(fcinfo, 1, "retired_at");
	RequirePrimary("answer_key_retire()");
	RequireOperator("answer_key_retire");
	LetChosenGo();
	WaitForForgetting();
	/* those who have chosen the key and not committed yet might have a later date */
	if (at.present)
		KeyLock(KEY_LOCK_USE, ExclusiveLock);
	KeyLock(KEY_LOCK_REGISTRY, ExclusiveLock);
	SPI_connect();
	FindArgument(fcinfo, &row);
	if (row.status != KEY_ACTIVE)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("key \"%s\" is not active", row.key_id),
				 errdetail("It is %s.", key_status_labels[row.status])));

	now = GetCurrentTimestamp();
	end = EndOfLife(row.key_id, row.active_from.instant, now);
	if (at.present)
	{
		if (at.instant > end)
			BadInstant("retired_at", "must not be in the future");
		if (at.instant < row.active_from.instant)
			BadInstant("retired_at", "must not be before the key was active");
		if (LatestUse(row.key_id) > at.instant)
			ereport(ERROR,
					(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
					 errmsg("key \"%s\" is signing for the call that retires it", row.key_id),
					 errdetail("What it signs is dated after retired_at.")));
		if (NewestSignatureAfter(row.key_id, at.instant).present)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("retired_at must not be before the key's newest signature"),
					 errdetail("What was signed since would no longer verify."),
					 errhint("If they shall not, use answer_key_compromise().")));
		end = at.instant;
	}
	SigningKeyBegin(&key, &now);	/* while it still may sign: it signs its own end */
	RetireActive(row.key_id, end);
	keys_changed(&key, end);
	SPI_finish();
	PG_RETURN_TEXT_P(cstring_to_text(row.key_id));
}

/* answer_key_compromise(key_id, compromised_after) */
PG_FUNCTION_INFO_V1(answer_eval_key_compromise);
Datum
answer_eval_key_compromise(PG_FUNCTION_ARGS)
{
	/* a trigger makes sure that an earlier compromise can only become stricter */
	static FixedQuery update = {
		.text = "UPDATE answer.signing_key SET status = 'compromised',"
		" compromised_after = $2, retired_at = COALESCE(retired_at, $3)"
		" WHERE key_id OPERATOR(pg_catalog.=) $1",
		.argtypes = {TEXTOID, TIMESTAMPTZOID, TIMESTAMPTZOID}
	};
	KeyRow		row;
	Bound		after;
	TimestampTz now;
	Datum		values[3];
	char		nulls[3] = {' ', ' ', 'n'};

	RequireArgument(fcinfo, 0, "key_id");
	after = BoundArgument(fcinfo, 1, "compromised_after");
	RequirePrimary("answer_key_compromise()");
	RequireOperator("answer_key_compromise");
	LetChosenGo();
	WaitForForgetting();
	KeyLock(KEY_LOCK_REGISTRY, ExclusiveLock);
	SPI_connect();
	FindArgument(fcinfo, &row);
	now = GetCurrentTimestamp();
	if (after.present && after.instant > now)
		BadInstant("compromised_after", "must not be in the future");

	values[0] = PG_GETARG_DATUM(0);
	values[1] = TimestampTzGetDatum(after.instant);
	if (!after.present)
		nulls[1] = 'n';
	if (row.status == KEY_ACTIVE)
	{
		values[2] = TimestampTzGetDatum(EndOfLife(row.key_id, row.active_from.instant, now));
		nulls[2] = ' ';
	}
	ChangeRow(&update, values, nulls);
	RefuseUse(row.key_id, after.present ? after.instant : DT_NOBEGIN);
	keys_changed(NULL, 0);
	SPI_finish();
	PG_RETURN_TEXT_P(cstring_to_text(row.key_id));
}

/* Returns the OID of the SQL enum of a key's status, whatever the extension's schema is. */
static Oid
KeyStatusType(void)
{
	Oid			table = AnswerRelation("signing_key");

	return get_atttype(table, get_attnum(table, "status"));
}

static void
RefuseBadLife(const KeyRow *row)
{
	if (row->status == KEY_ACTIVE)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("an imported key cannot be active"),
				 errdetail("Its private half is not here, so it could not sign."),
				 errhint("Make a key that signs with answer_key_generate().")));
	if (row->active_from.present && row->retired_at.present &&
		row->retired_at.instant < row->active_from.instant)
		BadInstant("retired_at", "must not be before the key was active");
	if (row->compromised_after.present && row->status != KEY_COMPROMISED)
		BadInstant("compromised_after", "is for a compromised key");
	if (row->compromised_after.present &&
		row->compromised_after.instant > GetCurrentTimestamp())
		BadInstant("compromised_after", "must not be in the future");
}

static bool
BoundsEqual(Bound a, Bound b)
{
	return a.present == b.present && (!a.present || a.instant == b.instant);
}

static bool
RowsEqual(const KeyRow *a, const KeyRow *b)
{
	return memcmp(a->public_key, b->public_key, ED25519_KEY_LENGTH) == 0 &&
		a->status == b->status && BoundsEqual(a->active_from, b->active_from) &&
		BoundsEqual(a->retired_at, b->retired_at) &&
		BoundsEqual(a->compromised_after, b->compromised_after);
}

/* Stores an imported key.  Importing the same key with the same life again changes nothing. */
static void
InsertImported(const KeyRow *row, Datum status)
{
	static FixedQuery insert = {
		.text = "INSERT INTO answer.signing_key"
		" (key_id, public_key, status, active_from, retired_at, compromised_after)"
		" VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING",
		.argtypes = {TEXTOID, BYTEAOID, InvalidOid, TIMESTAMPTZOID, TIMESTAMPTZOID, TIMESTAMPTZOID}
	};
	const Bound *bounds[3] = {&row->active_from, &row->retired_at, &row->compromised_after};
	Datum		values[6];
	char		nulls[6] = {' ', ' ', ' ', ' ', ' ', ' '};
	KeyRow		stored;
	QueryRows	rows;

	QuerySetArgtype(&insert, 2, KeyStatusType());
	values[0] = CStringGetTextDatum(row->key_id);
	values[1] = PointerGetDatum(cstring_to_text_with_len((const char *) row->public_key,
														 ED25519_KEY_LENGTH));
	values[2] = status;
	for (int i = 0; i < 3; i++)
	{
		values[3 + i] = TimestampTzGetDatum(bounds[i]->instant);
		if (!bounds[i]->present)
			nulls[3 + i] = 'n';
	}
	rows = QueryRunAsOwner(&insert, values, nulls, false, 0);
	if (rows.count == 0 &&
		(!FindRow(values[0], &stored) || !RowsEqual(row, &stored)))
		ereport(ERROR,
				(errcode(ERRCODE_UNIQUE_VIOLATION),
				 errmsg("key \"%s\" is in the registry already, with another life", row->key_id),
				 errhint("A key's life is changed by answer_key_retire() and answer_key_compromise().")));
}

/*
 * answer_key_import_public(public_key, status, active_from, retired_at,
 * compromised_after)
 */
PG_FUNCTION_INFO_V1(answer_eval_key_import_public);
Datum
answer_eval_key_import_public(PG_FUNCTION_ARGS)
{
	static Vocabulary statuses;
	ErrorContextCallback hide = {.previous = error_context_stack, .callback = HideFromLog};
	KeyRow		row;
	text	   *public_key;
	Span		span;

	error_context_stack = &hide;
	RequireOperator("answer_key_import_public");
	RequireArgument(fcinfo, 0, "public_key");
	public_key = PG_GETARG_TEXT_PP(0);
	span.str = VARDATA_ANY(public_key);
	span.len = VARSIZE_ANY_EXHDR(public_key);
	PublicKeyParse(span, row.public_key);
	KeyIdOf(row.public_key, row.key_id);

	RequireArgument(fcinfo, 1, "status");
	RequirePrimary("answer_key_import_public()");
	VocabularyLookup(&statuses, KeyStatusType(), key_status_labels);
	row.status = VocabularyIndex(&statuses, PG_GETARG_OID(1));
	row.active_from = BoundArgument(fcinfo, 2, "active_from");
	row.retired_at = BoundArgument(fcinfo, 3, "retired_at");
	row.compromised_after = BoundArgument(fcinfo, 4, "compromised_after");
	RefuseBadLife(&row);
	SPI_connect();
	InsertImported(&row, PG_GETARG_DATUM(1));
	CommandCounterIncrement();
	keys_changed(NULL, 0);
	SPI_finish();
	error_context_stack = hide.previous;
	PG_RETURN_TEXT_P(cstring_to_text(row.key_id));
}

/*
 * answer.ed25519_verify(public_key, message, signature).  Not strict: a check with a
 * NULL argument must not pass because the result is NULL.
 */
PG_FUNCTION_INFO_V1(answer_eval_ed25519_verify);
Datum
answer_eval_ed25519_verify(PG_FUNCTION_ARGS)
{
	bytea	   *public_key;
	bytea	   *message;
	bytea	   *signature;

	if (PG_ARGISNULL(0) || PG_ARGISNULL(1) || PG_ARGISNULL(2))
		PG_RETURN_BOOL(false);
	public_key = PG_GETARG_BYTEA_PP(0);
	message = PG_GETARG_BYTEA_PP(1);
	signature = PG_GETARG_BYTEA_PP(2);
	if (VARSIZE_ANY_EXHDR(public_key) != ED25519_KEY_LENGTH ||
		VARSIZE_ANY_EXHDR(signature) != ED25519_SIGNATURE_LENGTH)
		PG_RETURN_BOOL(false);
	PG_RETURN_BOOL(SignatureVerify((uint8 *) VARDATA_ANY(public_key),
								   VARDATA_ANY(message), VARSIZE_ANY_EXHDR(message),
								   (uint8 *) VARDATA_ANY(signature)));
}
