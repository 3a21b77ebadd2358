/*-------------------------------------------------------------------------
 *
 * witness.c
 *		Witnessing: cosigning the checkpoints of logs.
 *
 * Rule: the C2SP specifications tlog-witness and tlog-cosignature.  A witness
 * cosigns a checkpoint of a log that it trusts, after a proof that the log has
 * only grown since the last checkpoint that it cosigned. last_signed.c remembers
 * that one outside the database.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/snapmgr.h"

#include "base/funcargs.h"
#include "base/owner.h"
#include "base/snapshot.h"
#include "base/spi_query.h"
#include "base/tenant.h"
#include "document/change.h"
#include "log/last_signed.h"
#include "log/log_function.h"
#include "log/log_table.h"

/*
 * witnessing
 */

PG_FUNCTION_INFO_V1(answer_eval_witness_trust);
Datum
answer_eval_witness_trust(PG_FUNCTION_ARGS)
{
	static FixedQuery insert = {
		.text = "INSERT INTO answer.witness_key (vkey, origin) VALUES ($1, $2) ON CONFLICT DO NOTHING",
		.argtypes = {TEXTOID, TEXTOID}
	};
	MemoryContext caller = CurrentMemoryContext;
	NoteKey		key;
	Datum		values[2];

	RequirePrimary("answer_witness_trust()");
	RequireOperator("answer_witness_trust");
	key = ParsedVkey(PG_GETARG_TEXT_PP(0));
	if (key.alg != NOTE_ALG_ED25519)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("vkey is that of a cosigner, not of a log")));
	SPI_connect();
	values[0] = PG_GETARG_DATUM(0);
	values[1] = SpanDatum(key.name);
	QueryRunAsOwner(&insert, values, NULL, false, 0);
	CommandCounterIncrement();
	(void) RecordChange(cstring_to_text(""), SpanOfCString("witness"), Utf8OfText(PG_GETARG_TEXT_PP(0)));
	return FinishWithText(key.name, caller);
}

/* An add-checkpoint request, or a bare checkpoint, which has no old size. */
typedef struct CosignRequest
{
	bool		has_old_size;
	uint64		old_size;
	MerkleProof proof;
	Checkpoint	checkpoint;
} CosignRequest;

static bool
TakeLine(Span *rest, Span *line)
{
	const char *end = rest->len > 0 ? memchr(rest->str, '\n', rest->len) : NULL;

	if (end == NULL)
		return false;
	*line = (Span) {rest->str, end - rest->str};
	rest->len -= line->len + 1;
	rest->str = end + 1;
	return true;
}

/* Parses a request.  Returns NULL, or why it is not one. */
static const char *
ParseRequest(Span rest, CosignRequest *request)
{
	Span		line;

	request->has_old_size = rest.len > 4 && memcmp(rest.str, "old ", 4) == 0;
	request->old_size = 0;
	request->proof.count = 0;
	if (request->has_old_size)
	{
		if (!TakeLine(&rest, &line) ||
			!DecimalParse((Span) {line.str + 4, line.len - 4}, &request->old_size))
			return "the old size is malformed";
		while (TakeLine(&rest, &line) && line.len > 0)
		{
			if (request->proof.count == MERKLE_MAX_PROOF ||
				!HashParse(line, &request->proof.hashes[request->proof.count++]))
				return "the consistency proof is malformed";
		}
	}
	return CheckpointParse(rest, &request->checkpoint);
}

/* Returns the keys that are trusted for an origin. */
static NoteKey *
TrustedKeys(Span origin, int *nkeys)
{
	static FixedQuery query = {
		.text = "SELECT vkey FROM answer.witness_key WHERE origin OPERATOR(pg_catalog.=) $1 ORDER BY vkey",
		.argtypes = {TEXTOID}
	};
	Datum		value = SpanDatum(origin);
	NoteKey    *keys;
	QueryRows	rows = QueryRun(&query, &value, NULL, true, 0);

	*nkeys = rows.count;
	keys = palloc(sizeof(NoteKey) * Max(*nkeys, 1));
	for (int i = 0; i < *nkeys; i++)
	{
		char	   *vkey = TupleText(rows.table->vals[i], rows.table->tupdesc, 1);

		keys[i] = ParsedVkey(cstring_to_text(vkey));
	}
	return keys;
}

static void
RefuseCosigning(int sqlstate, const char *message, const char *detail, const char *hint)
{
	ereport(ERROR,
			(errcode(sqlstate),
			 errmsg("%s", message),
			 detail ? errdetail("%s", detail) : 0,
			 hint ? errhint("%s", hint) : 0));
}

static void
RequireTrusted(const Checkpoint *checkpoint)
{
	JsonView	signatures;
	const char *problem;
	NoteKey    *keys;
	int			nkeys;

	keys = TrustedKeys(checkpoint->origin, &nkeys);
	if (nkeys == 0)
		RefuseCosigning(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE,
						"no key is trusted for the log of this checkpoint", NULL,
						"answer_witness_trust(vkey) makes this database its witness.");
	problem = CheckpointProblem(checkpoint, keys, nkeys, &signatures);
	if (problem)
		RefuseCosigning(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE,
						"checkpoint is not signed by a key that is trusted for its log",
						psprintf("%c%s.", pg_toupper((unsigned char) problem[0]), problem + 1), NULL);
}

/* Finds the last checkpoint of a log that was cosigned here, in the table. */
static bool
LastStored(Span origin, uint64 *size, MerkleHash *root)
{
	static FixedQuery query = {
		.text = "SELECT tree_size, root_hash FROM answer.witness_checkpoint"
		" WHERE origin OPERATOR(pg_catalog.=) $1 ORDER BY tree_size DESC LIMIT 1",
		.argtypes = {TEXTOID}
	};
	Datum		value = SpanDatum(origin);
	int64		stored;
	Span		hash;
	QueryRows	rows = QueryRun(&query, &value, NULL, true, 1);

	if (rows.count == 0)
		return false;
	stored = TupleInt64(rows.table->vals[0], rows.table->tupdesc, 1);
	hash = FoundBytes(&rows, 2);
	if (stored < 0 || hash.len != SHA256_LENGTH)
		RaiseLogDamaged("The checkpoint cosigned last has no size, or no root hash.");
	*size = stored;
	memcpy(root->bytes, hash.str, SHA256_LENGTH);
	return true;
}

/*
 * Finds the last checkpoint of a log that was cosigned here, even if the transaction
 * was rolled back.
 */
static bool
LastWitnessed(const SigningKey *key, Span origin, uint64 *size, MerkleHash *root)
{
	bool		stored = LastStored(origin, size, root);
	uint64		marked_size;
	MerkleHash	marked_root;

	if (!LastSignedRead(key, origin, &marked_size, &marked_root) ||
		(stored && *size > marked_size))
		return stored;
	*size = marked_size;
	*root = marked_root;
	return true;
}

/* Raises an error unless the log has only grown since the checkpoint cosigned last. */
static void
RequireGrown(const CosignRequest *request, const SigningKey *key)
{
	const Checkpoint *checkpoint = &request->checkpoint;
	uint64		size;
	MerkleHash	root;
	char	   *sizes;

	if (!LastWitnessed(key, checkpoint->origin, &size, &root))
		return;					/* the first one is trusted */
	sizes = psprintf("It has " UINT64_FORMAT " leaves; the one cosigned last had " UINT64_FORMAT ".",
					 checkpoint->tree_size, size);
	if (checkpoint->tree_size < size)
		RefuseCosigning(ERRCODE_INTEGRITY_CONSTRAINT_VIOLATION, "the log has shrunk", sizes, NULL);
	if (checkpoint->tree_size == size)
	{
		if (!MerkleHashEqual(&checkpoint->root, &root))
			RefuseCosigning(ERRCODE_INTEGRITY_CONSTRAINT_VIOLATION, "the log has forked",
							"It has another root hash than the checkpoint of that size cosigned last.",
							NULL);
		return;
	}
	if (size > 0 && (!request->has_old_size || request->old_size != size))
		RefuseCosigning(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE,
						"a consistency proof from the checkpoint cosigned last is needed", sizes,
						psprintf("Take the request from answer_checkpoint_request(" UINT64_FORMAT ") of the log.", size));
	if (size > 0 &&
		!MerkleVerifyConsistency(size, checkpoint->tree_size, &root, &checkpoint->root,
								 request->proof.hashes, request->proof.count))
		RefuseCosigning(ERRCODE_INTEGRITY_CONSTRAINT_VIOLATION, "the log has forked",
						"The proof does not lead from the checkpoint cosigned last to this one.",
						NULL);
}

static void
StoreWitnessed(const Checkpoint *checkpoint)
{
	static FixedQuery insert = {
		.text = "INSERT INTO answer.witness_checkpoint (origin, tree_size, root_hash, note)"
		" VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
		.argtypes = {TEXTOID, INT8OID, BYTEAOID, BYTEAOID}
	};
	Datum		values[4];

	values[0] = SpanDatum(checkpoint->origin);
	values[1] = Int64GetDatum(checkpoint->tree_size);
	values[2] = ByteaDatum(checkpoint->root.bytes, SHA256_LENGTH);
	values[3] = ByteaDatum(checkpoint->note.whole.str, checkpoint->note.whole.len);
	QueryRun(&insert, values, NULL, false, 0);
}

/* Signs as a witness: the time, and the checkpoint. */
static Span
CosignCheckpoint(const Checkpoint *checkpoint, const SigningKey *key, TimestampTz now)
{
	char	   *origin = LogOrigin();
	NoteKey		note_key;
	uint64		seconds;
	uint8		prefix[8];
	uint8		public_key[ED25519_KEY_LENGTH];
	uint8		signature[ED25519_SIGNATURE_LENGTH];
	StringInfoData message;
	StringInfoData line;

	if (!SigningKeyPublic(key, public_key))
		elog(ERROR, "a signing key has no public half");
	seconds = now / USECS_PER_SEC +
		(uint64) (POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE) * SECS_PER_DAY;
	NoteKeyInit(&note_key, (Span) {origin, strlen(origin)}, NOTE_ALG_COSIGNATURE, public_key);
	LastSignedWrite(key, checkpoint->origin, checkpoint->tree_size, &checkpoint->root);
	initStringInfo(&message);
	CosignatureMessage(&message, checkpoint->note.text, seconds);
	SigningKeySignRaw(key, message.data, message.len, signature);
	BigEndian64(seconds, prefix);
	initStringInfo(&line);
	NoteSignatureLine(&line, &note_key, prefix, sizeof(prefix), signature);
	return (Span) {line.data, line.len};
}

PG_FUNCTION_INFO_V1(answer_eval_checkpoint_cosign);
Datum
answer_eval_checkpoint_cosign(PG_FUNCTION_ARGS)
{
	MemoryContext caller = CurrentMemoryContext;
	CosignRequest *request = palloc(sizeof(CosignRequest));
	SigningKey	key;
	TimestampTz now;
	Span		line;
	const char *problem;
	Oid			user;
	int			context;

	RequirePrimary("answer_checkpoint_cosign()");
	RequireOperator("answer_checkpoint_cosign");
	problem = ParseRequest(UncheckedUtf8(PG_GETARG_TEXT_PP(0)), request);
	if (problem)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("malformed checkpoint or request"),
				 errdetail("%c%s.", pg_toupper((unsigned char) problem[0]), problem + 1)));
	SPI_connect();
	AnswerAsOwner(&user, &context);
	LogLock();					/* two requests must not both be the next one */
	PushActiveSnapshot(GetLatestSnapshot());
	RequireTrusted(&request->checkpoint);
	/* the file beside the key has what was cosigned last */
	SigningKeyBegin(&key, &now);
	RequireGrown(request, &key);
	PopActiveSnapshot();
	StoreWitnessed(&request->checkpoint);
	line = CosignCheckpoint(&request->checkpoint, &key, now);
	ForceSyncCommit();
	AnswerAsCaller(user, context);
	return FinishWithText(line, caller);
}

/*
 * Adds a witness's line to our note and verifies it with the witness's key.  A line
 * that begins with a newline would move the end of the signed text, and one that claims
 * our own key would make everybody refuse the checkpoint.
 */
static void
RequireCosignature(const Note *ours, Span line, const NoteKey *key)
{
	StringInfoData text;
	Note		note;
	const NoteKey *found;
	uint64		time;

	initStringInfo(&text);
	appendBinaryStringInfo(&text, ours->text.str, ours->text.len);
	appendStringInfoChar(&text, '\n');
	appendBinaryStringInfo(&text, line.str, line.len);
	if (NoteParse((Span) {text.data, text.len}, &note) != NULL || note.count != 1 ||
		note.text.len != ours->text.len ||
		NoteSignatureNamesSameKey(&note.signatures[0], &ours->signatures[0]) ||
		NoteSignatureCheck(&note, &note.signatures[0], key, 1, &found, &time) !=
		NOTE_SIGNATURE_VERIFIED)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("cosignature does not verify"),
				 errdetail("It must be one signature line, by the key given, of the checkpoint of that size.")));
}

PG_FUNCTION_INFO_V1(answer_eval_cosignature_add);
Datum
answer_eval_cosignature_add(PG_FUNCTION_ARGS)
{
	static FixedQuery insert = {
		.text = "INSERT INTO answer.cosignature (tree_size, line, vkey) VALUES ($1, $2, $3)"
		" ON CONFLICT DO NOTHING",
		.argtypes = {INT8OID, BYTEAOID, TEXTOID}
	};
	Span		line;
	NoteKey		key;
	Span		stored;
	Note		note;
	Datum		values[3];
	bool		added;
	Oid			user;
	int			context;
	QueryRows	rows;

	RequirePrimary("answer_cosignature_add()");
	RequireOperator("answer_cosignature_add");
	line = UncheckedUtf8(PG_GETARG_TEXT_PP(1));
	key = ParsedVkey(PG_GETARG_TEXT_PP(2));
	SPI_connect();
	AnswerAsOwner(&user, &context);
	if (!NoteOfSize(PG_GETARG_INT64(0), &stored) || NoteParse(stored, &note) != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("there is no checkpoint of " INT64_FORMAT " leaves", PG_GETARG_INT64(0))));
	RequireCosignature(&note, line, &key);
	values[0] = PG_GETARG_DATUM(0);
	values[1] = ByteaDatum(line.str, line.len);
	values[2] = PG_GETARG_DATUM(2);
	rows = QueryRun(&insert, values, NULL, false, 0);
	added = rows.count > 0;
	AnswerAsCaller(user, context);
	SPI_finish();
	PG_RETURN_BOOL(added);
}
