/*-------------------------------------------------------------------------
 *
 * log_function.c
 *		SQL functions of the log: checkpoints, proofs, keys, verifying.
 *
 * merkle.c has the tree, note.c what is signed, proof.c the documents.  Rule: RFC
 * 6962 and RFC 9162 for the tree, the C2SP specifications signed-note and
 * tlog-checkpoint for what is published.
 *
 * Promises: a proof reads one checkpoint and at most two tiles per level.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "base/funcargs.h"
#include "base/spi_query.h"
#include "base/tenant.h"
#include "document/kind.h"
#include "document/retention.h"
#include "document/store.h"
#include "document/verify.h"
#include "log/log_function.h"
#include "log/log_table.h"
#include "log/proof.h"

/*
 * checkpoints
 */

PG_FUNCTION_INFO_V1(answer_eval_checkpoint);
Datum
answer_eval_checkpoint(PG_FUNCTION_ARGS)
{
	MemoryContext caller = CurrentMemoryContext;
	LogState	state;
	int64		size;
	bool		is_good;
	Span		note;

	SPI_connect();
	if (PG_ARGISNULL(0))
	{
		if (!FindNewestCheckpoint(&state, &is_good))
			RaiseNothingSealed();
		return FinishWithText(WithCosignatures(state.tree.size, state.note), caller);
	}
	size = PG_GETARG_INT64(0);
	if (!NoteOfSize(size, &note))
	{
		SPI_finish();
		PG_RETURN_NULL();
	}
	return FinishWithText(WithCosignatures(size, note), caller);
}

/*
 * proofs
 */

/* Checks a size that a caller asks for, which the log must have had. */
static uint64
CheckedSize(int64 size, int64 least, const LogState *state, const char *name)
{
	if (size < least || (uint64) size > state->tree.size)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("%s is not a size to prove anything about", name),
				 errdetail("It is " INT64_FORMAT "; here it can be from " INT64_FORMAT " to " UINT64_FORMAT ".",
						   size, least, state->tree.size)));
	return size;
}

/*
 * Adds the checkpoint of that size, if one is stored and this database's encoding can
 * represent it.
 */
static void
SetCheckpoint(JsonView *document, uint64 size)
{
	Span		note;

	if (!NoteOfSize(size, &note))
		return;
	note = WithCosignatures(size, note);
	if (IsRepresentable(note))
		JsonViewSet(document, "checkpoint", JsonViewString(note.str, note.len));
}

/*
 * Finds a receipt's leaf.  The receipt's row has the instant, with which the index of
 * leaves begins.  Returns false if the receipt has no leaf yet; raises an error if
 * there is no such receipt.
 */
static bool
FindLeaf(Datum tenants, text *receipt_id, uint64 *leaf_index, Span *digest)
{
	static FixedQuery query = {
		.text = "SELECT l.leaf_index, l.digest FROM answer.receipt r LEFT JOIN answer.log_leaf l"
		" ON l.issued_at OPERATOR(pg_catalog.=) r.issued_at"
		" AND l.receipt_id OPERATOR(pg_catalog.=) r.receipt_id"
		" WHERE r.receipt_id OPERATOR(pg_catalog.=) $1 AND r.tenant OPERATOR(pg_catalog.=) ANY ($2)",
		.argtypes = {TEXTOID, TEXTARRAYOID}
	};
	static FixedQuery detached_query = {
		.text = "SELECT leaf_index, digest FROM answer.log_leaf"
		" WHERE receipt_id OPERATOR(pg_catalog.=) $1 AND issued_at OPERATOR(pg_catalog.=) $2",
		.argtypes = {TEXTOID, TIMESTAMPTZOID}
	};
	Datum		values[2] = {PointerGetDatum(receipt_id), tenants};
	DetachedReceipt detached;
	QueryRows	rows = QueryRun(&query, values, NULL, true, 1);

	if (rows.count == 0 && FindDetached(tenants, receipt_id, NULL, &detached))
	{
		/* the log has leaves of receipts that are not here */
		values[1] = TimestampTzGetDatum(detached.issued_at);
		rows = QueryRun(&detached_query, values, NULL, true, 1);
	}
	if (rows.count == 0)
		ereport(ERROR,
				(errcode(ERRCODE_NO_DATA_FOUND),
				 errmsg("there is no receipt \"%s\"", text_to_cstring(receipt_id))));
	if (SPI_getvalue(rows.table->vals[0], rows.table->tupdesc, 1) == NULL)
		return false;
	/* a negative one becomes greater than every size */
	*leaf_index = TupleInt64(rows.table->vals[0], rows.table->tupdesc, 1);
	*digest = FoundBytes(&rows, 2);
	return true;
}

/* Adds the tombstone, if the receipt was forgotten. */
static void
SetForgotten(JsonView *document, Datum tenants, text *receipt_id)
{
	static FixedQuery query = {
		.text = "SELECT body FROM answer.receipt WHERE receipt_id OPERATOR(pg_catalog.=) $1"
		" AND tenant OPERATOR(pg_catalog.=) ANY ($2)"
		" AND body OPERATOR(pg_catalog.->>) 'schema' OPERATOR(pg_catalog.=) '" TOMBSTONE_SCHEMA "'",
		.argtypes = {TEXTOID, TEXTARRAYOID}
	};
	Datum		values[2] = {PointerGetDatum(receipt_id), tenants};
	JsonView	tombstone;
	QueryRows	rows = QueryRun(&query, values, NULL, true, 1);

	if (rows.count == 0)
		return;
	JsonViewOfJsonb(DatumGetJsonbP(ColumnDatum(rows.table, 0, 1)), &tombstone);
	JsonViewSet(document, "forgotten", tombstone);
}

static JsonView
InclusionDocument(text *receipt_id, const MerkleTree *tree, const char *origin,
				  uint64 leaf_index, Span digest, TileReader *reader)
{
	JsonView	document = JsonViewNewObject(12);
	char	   *digest_text = palloc(DIGEST_TEXT_LENGTH + 1);
	Span		id = UncheckedUtf8(receipt_id);
	MerkleHash	leaf;
	MerkleHash	root;
	MerkleProof proof;

	memcpy(digest_text, DIGEST_PREFIX, strlen(DIGEST_PREFIX));
	HexEncode((const uint8 *) digest.str, SHA256_LENGTH, digest_text + strlen(DIGEST_PREFIX));
	MerkleLeafHash(digest.str, SHA256_LENGTH, &leaf);
	MerkleTreeRoot(tree, &root);
	MerkleProveInclusion(tree, leaf_index, TileReaderSource, reader, &proof);
	JsonViewSet(&document, "schema", JsonViewCString(INCLUSION_SCHEMA));
	JsonViewSet(&document, "origin", JsonViewCString(origin));
	JsonViewSet(&document, "receipt_id", JsonViewString(id.str, id.len));
	JsonViewSet(&document, "digest", JsonViewString(digest_text, DIGEST_TEXT_LENGTH));
	JsonViewSet(&document, "leaf_index", JsonViewInteger(leaf_index));
	JsonViewSet(&document, "tree_size", JsonViewInteger(tree->size));
	JsonViewSet(&document, "leaf_hash", HashView(&leaf));
	JsonViewSet(&document, "root_hash", HashView(&root));
	JsonViewSet(&document, "hashes", HashesView(&proof));
	return document;
}

PG_FUNCTION_INFO_V1(answer_eval_log_inclusion);
Datum
answer_eval_log_inclusion(PG_FUNCTION_ARGS)
{
	MemoryContext caller = CurrentMemoryContext;
	text	   *receipt_id;
	LogState	state;
	MerkleTree	past;
	MerkleTree *tree = &state.tree;
	TileReader	reader = {0};
	TenantReading reading;
	JsonView	document;
	uint64		leaf_index;
	Span		digest;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	receipt_id = PG_GETARG_TEXT_PP(0);
	SPI_connect();
	TenantReadBegin(&reading);
	if (!FindLeaf(reading.tenants, receipt_id, &leaf_index, &digest) || !LogStateNewest(&state))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("receipt \"%s\" is not in the log yet", text_to_cstring(receipt_id)),
				 errhint("answer_log_seal() takes committed receipts into the log.")));
	if (leaf_index >= state.tree.size || digest.len != SHA256_LENGTH)
		RaiseLogDamaged("A leaf lies beyond the newest checkpoint, or has no digest.");
	if (!PG_ARGISNULL(1))
	{
		uint64		size = CheckedSize(PG_GETARG_INT64(1), leaf_index + 1, &state, "tree_size");

		MerkleTreeAt(&state.tree, size, TileReaderSource, &reader, &past);
		tree = &past;
	}
	document = InclusionDocument(receipt_id, tree, state.origin, leaf_index, digest, &reader);
	SetCheckpoint(&document, tree->size);
	SetForgotten(&document, reading.tenants, receipt_id);
	TenantReadEnd(&reading);
	return FinishWithView(&document, false, caller);
}

PG_FUNCTION_INFO_V1(answer_eval_log_consistency);
Datum
answer_eval_log_consistency(PG_FUNCTION_ARGS)
{
	MemoryContext caller = CurrentMemoryContext;
	LogState	state;
	MerkleTree	from;
	MerkleTree	to;
	TileReader	reader = {0};
	MerkleHash	from_root;
	MerkleHash	to_root;
	MerkleProof proof;
	JsonView	document = JsonViewNewObject(9);
	uint64		to_size;
	uint64		from_size;

	RequireArgument(fcinfo, 0, "from_size");
	SPI_connect();
	RequireSealed(&state);
	to_size = PG_ARGISNULL(1) ? state.tree.size :
		CheckedSize(PG_GETARG_INT64(1), 1, &state, "to_size");
	MerkleTreeAt(&state.tree, to_size, TileReaderSource, &reader, &to);
	state.tree = to;
	from_size = CheckedSize(PG_GETARG_INT64(0), 1, &state, "from_size");
	MerkleTreeAt(&to, from_size, TileReaderSource, &reader, &from);
	MerkleTreeRoot(&from, &from_root);
	MerkleTreeRoot(&to, &to_root);
	MerkleProveConsistency(&to, from_size, TileReaderSource, &reader, &proof);
	JsonViewSet(&document, "schema", JsonViewCString(CONSISTENCY_SCHEMA));
	JsonViewSet(&document, "origin", JsonViewCString(state.origin));
	JsonViewSet(&document, "from_size", JsonViewInteger(from_size));
	JsonViewSet(&document, "to_size", JsonViewInteger(to_size));
	JsonViewSet(&document, "from_root", HashView(&from_root));
	JsonViewSet(&document, "to_root", HashView(&to_root));
	JsonViewSet(&document, "hashes", HashesView(&proof));
	SetCheckpoint(&document, to_size);
	return FinishWithView(&document, false, caller);
}

PG_FUNCTION_INFO_V1(answer_eval_checkpoint_request);
Datum
answer_eval_checkpoint_request(PG_FUNCTION_ARGS)
{
	MemoryContext caller = CurrentMemoryContext;
	LogState	state;
	TileReader	reader = {0};
	MerkleProof proof = {0};
	StringInfoData out;
	Span		note;
	uint64		old_size;

	SPI_connect();
	RequireSealed(&state);
	old_size = CheckedSize(PG_GETARG_INT64(0), 0, &state, "old_size");
	if (old_size > 0)
		MerkleProveConsistency(&state.tree, old_size, TileReaderSource, &reader, &proof);
	initStringInfo(&out);
	appendStringInfo(&out, "old " UINT64_FORMAT "\n", old_size);
	for (int i = 0; i < proof.count; i++)
	{
		JsonView	hash = HashView(&proof.hashes[i]);

		appendStringInfo(&out, "%.*s\n", hash.len, hash.str);
	}
	appendStringInfoChar(&out, '\n');
	note = WithCosignatures(state.tree.size, state.note);
	appendBinaryStringInfo(&out, note.str, note.len);
	return FinishWithText((Span) {out.data, out.len}, caller);
}

/*
 * keys
 */

static Datum
Vkey(FunctionCallInfo fcinfo, uint8 alg)
{
	static FixedQuery query = {
		.text = "SELECT public_key FROM answer.signing_key WHERE CASE WHEN $1 IS NULL"
		" THEN status OPERATOR(pg_catalog.=) 'active' ELSE key_id OPERATOR(pg_catalog.=) $1 END"
		" ORDER BY active_from DESC LIMIT 1",
		.argtypes = {TEXTOID}
	};
	MemoryContext caller = CurrentMemoryContext;
	Datum		value = PG_ARGISNULL(0) ? (Datum) 0 : PG_GETARG_DATUM(0);
	Span		public_key;
	NoteKey		key;
	char	   *origin;
	char	   *vkey;
	QueryRows	rows;

	SPI_connect();
	rows = QueryRun(&query, &value, PG_ARGISNULL(0) ? "n" : " ", true, 1);
	if (rows.count == 0)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 PG_ARGISNULL(0) ? errmsg("there is no active signing key") :
				 errmsg("there is no such key"),
				 errhint("answer_keys() lists the keys; answer_key_generate() makes one.")));
	public_key = FoundBytes(&rows, 1);
	if (public_key.len != ED25519_KEY_LENGTH)
		ereport(ERROR,
				(errcode(ERRCODE_DATA_CORRUPTED),
				 errmsg("a public key of the registry has the wrong length")));
	origin = LogOrigin();
	NoteKeyInit(&key, (Span) {origin, strlen(origin)}, alg, (const uint8 *) public_key.str);
	vkey = NoteKeyFormat(&key);
	return FinishWithText((Span) {vkey, strlen(vkey)}, caller);
}

PG_FUNCTION_INFO_V1(answer_eval_log_vkey);
Datum
answer_eval_log_vkey(PG_FUNCTION_ARGS)
{
	return Vkey(fcinfo, NOTE_ALG_ED25519);
}

PG_FUNCTION_INFO_V1(answer_eval_witness_vkey);
Datum
answer_eval_witness_vkey(PG_FUNCTION_ARGS)
{
	return Vkey(fcinfo, NOTE_ALG_COSIGNATURE);
}

NoteKey
ParsedVkey(text *vkey)
{
	NoteKey		key;

	if (!NoteKeyParse(UncheckedUtf8(vkey), &key))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("malformed vkey \"%s\"", text_to_cstring(vkey)),
				 errhint("A vkey is name+hash+key, as of answer_log_vkey().")));
	return key;
}

static NoteKey *
ReadGivenKeys(ArrayType *array, int *nkeys)
{
	Datum	   *elements;
	bool	   *nulls;
	NoteKey    *keys;

	deconstruct_array(array, TEXTOID, -1, false, TYPALIGN_INT, &elements, &nulls, nkeys);
	keys = palloc(sizeof(NoteKey) * Max(*nkeys, 1));
	for (int i = 0; i < *nkeys; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (nulls[i])
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("a vkey must not be null")));
		keys[i] = ParsedVkey(DatumGetTextPP(elements[i]));
	}
	return keys;
}

/*
 * Returns our own keys, under the name of our log.  A checkpoint has no date, so one by
 * a compromised key proves nothing.  The registry also has imported keys.  They sign
 * receipts elsewhere and must not speak for this log.  Our own keys are those that are
 * active here, or have signed a checkpoint that is stored here.
 */
static NoteKey *
FindOwnKeys(int *nkeys)
{
	static FixedQuery query = {
		.text = "SELECT k.public_key FROM answer.signing_key k"
		" WHERE k.status OPERATOR(pg_catalog.<>) 'compromised'"
		" AND (k.status OPERATOR(pg_catalog.=) 'active' OR EXISTS (SELECT FROM answer.checkpoint c"
		"  WHERE c.key_id OPERATOR(pg_catalog.=) k.key_id)) ORDER BY k.key_id"
	};
	char	   *origin = LogOrigin();
	NoteKey    *keys;
	QueryRows	rows = QueryRun(&query, NULL, NULL, true, 0);

	*nkeys = 0;
	keys = palloc(sizeof(NoteKey) * Max(rows.count, 1));
	for (uint64 i = 0; i < rows.count; i++)
	{
		Span		public_key = TupleBytes(rows.table->vals[i], rows.table->tupdesc, 1);

		if (public_key.len == ED25519_KEY_LENGTH)
			NoteKeyInit(&keys[(*nkeys)++], (Span) {origin, strlen(origin)}, NOTE_ALG_ED25519,
						(const uint8 *) public_key.str);
	}
	return keys;
}

/*
 * verifying
 */

PG_FUNCTION_INFO_V1(answer_eval_log_verify);
Datum
answer_eval_log_verify(PG_FUNCTION_ARGS)
{
	MemoryContext caller = CurrentMemoryContext;
	JsonView	proof;
	JsonView	receipt;
	JsonView	report;
	NoteKey    *keys;
	int			nkeys;

	ReadDocumentJsonb(fcinfo, 0, &proof);
	ReadDocumentJsonb(fcinfo, 1, &receipt);
	/* one that was given and cannot be read differs from one that was not given */
	if (!PG_ARGISNULL(1) && receipt.type == JVIEW_ABSENT)
		receipt = JsonViewNull();
	SPI_connect();
	keys = PG_ARGISNULL(2) ? FindOwnKeys(&nkeys) : ReadGivenKeys(PG_GETARG_ARRAYTYPE_P(2), &nkeys);
	report = ProofVerify(&proof, &receipt, keys, nkeys);
	return FinishWithView(&report, false, caller);
}

/*
 * answer_verify(receipt, keys, inclusion, vkeys): does the steps of answer_verify and
 * then checks that the receipt is in the log.  A missing proof fails.
 */
static Datum
VerifyFinal(FunctionCallInfo fcinfo, const JsonView *receipt)
{
	MemoryContext caller = CurrentMemoryContext;
	JsonView	report = JsonViewNewObject(2);
	JsonView	steps = JsonViewNewObject(6);
	JsonView	keys;
	JsonView	nothing = JsonViewNull();
	JsonView	proof;
	JsonView	plain;
	JsonView	found;
	JsonView	ok;
	JsonView	included;
	NoteKey    *note_keys;
	int			nkeys;
	JsonView	step;

	SPI_connect();
	ReadVerifyKeys(fcinfo, receipt, &keys);
	plain = ReceiptVerify(receipt, &keys);
	JsonViewGetMember(&plain, "ok", &ok);
	JsonViewGetMember(&plain, "steps", &found);
	for (int i = 0; i < JsonViewCount(&found); i++)
	{
		Span		name;

		step = JsonViewMember(&found, i, &name);
		JsonViewSetKey(&steps, name.str, name.len, step);
	}
	ReadDocumentJsonb(fcinfo, 2, &proof);
	/* one that was given and cannot be read differs from one that was not given */
	if (!PG_ARGISNULL(2) && proof.type == JVIEW_ABSENT)
		proof = JsonViewNull();
	note_keys = PG_ARGISNULL(3) ? FindOwnKeys(&nkeys) : ReadGivenKeys(PG_GETARG_ARRAYTYPE_P(3), &nkeys);
	/* no proof can be about a document that could not be read */
	step = InclusionStep(&proof, receipt->type == JVIEW_ABSENT ? &nothing : receipt, note_keys, nkeys);
	JsonViewSet(&steps, "inclusion", step);
	JsonViewGetMember(&step, "ok", &included);
	JsonViewSet(&report, "ok", JsonViewBool(ok.boolean && included.boolean));
	JsonViewSet(&report, "steps", steps);
	return FinishWithView(&report, false, caller);
}

DOCUMENT_FUNCTIONS(answer_eval_verify_final, VerifyFinal(fcinfo, &view));

/* Adds the content of a checkpoint to a report. */
static void
SetCheckpointMembers(JsonView *report, const Checkpoint *checkpoint)
{
	JsonViewSet(report, "origin", JsonViewString(checkpoint->origin.str, checkpoint->origin.len));
	JsonViewSet(report, "tree_size", JsonViewInteger(checkpoint->tree_size));
	JsonViewSet(report, "root_hash", HashView(&checkpoint->root));
}

/* Parses a checkpoint that a caller gives.  Returns NULL, or why it is not one. */
static const char *
ReadCheckpoint(text *given, Checkpoint *checkpoint)
{
	/* in a SQL_ASCII database, text may be any bytes */
	if (!IsReadable(VARDATA_ANY(given), VARSIZE_ANY_EXHDR(given)))
		return "the note is not plain UTF-8 text";
	return CheckpointParse(UncheckedUtf8(given), checkpoint);
}

PG_FUNCTION_INFO_V1(answer_eval_checkpoint_verify);
Datum
answer_eval_checkpoint_verify(PG_FUNCTION_ARGS)
{
	MemoryContext caller = CurrentMemoryContext;
	JsonView	report = JsonViewNewObject(6);
	JsonView	signatures;
	Checkpoint	checkpoint;
	const char *problem;
	NoteKey    *keys;
	int			nkeys;

	SPI_connect();
	keys = PG_ARGISNULL(1) ? FindOwnKeys(&nkeys) : ReadGivenKeys(PG_GETARG_ARRAYTYPE_P(1), &nkeys);
	problem = PG_ARGISNULL(0) ? "there is no checkpoint" :
		ReadCheckpoint(PG_GETARG_TEXT_PP(0), &checkpoint);
	if (problem == NULL)
	{
		problem = CheckpointProblem(&checkpoint, keys, nkeys, &signatures);
		SetCheckpointMembers(&report, &checkpoint);
		JsonViewSet(&report, "signatures", signatures);
	}
	JsonViewSet(&report, "ok", JsonViewBool(problem == NULL));
	if (problem)
		JsonViewSet(&report, "reason", JsonViewCString(problem));
	return FinishWithView(&report, false, caller);
}

/* Returns how a checkpoint that somebody kept relates to our log. */
static const char *
CompareState(const Checkpoint *checkpoint, const char **problem)
{
	LogState	state;
	MerkleTree	past;
	MerkleHash	root;
	TileReader	reader = {0};
	JsonView	signatures;
	NoteKey    *keys;
	int			nkeys;

	keys = FindOwnKeys(&nkeys);
	*problem = CheckpointProblem(checkpoint, keys, nkeys, &signatures);
	if (*problem)
		return "foreign";
	if (!LogStateNewest(&state) || checkpoint->tree_size > state.tree.size)
	{
		*problem = "the log has fewer leaves than the checkpoint";
		return "shrunk";
	}
	MerkleTreeAt(&state.tree, checkpoint->tree_size, TileReaderSource, &reader, &past);
	MerkleTreeRoot(&past, &root);
	if (MerkleHashEqual(&root, &checkpoint->root))
		return "consistent";
	*problem = "the log had another root hash at this size";
	return "fork";
}

PG_FUNCTION_INFO_V1(answer_eval_log_compare);
Datum
answer_eval_log_compare(PG_FUNCTION_ARGS)
{
	MemoryContext caller = CurrentMemoryContext;
	JsonView	report = JsonViewNewObject(7);
	Checkpoint	checkpoint;
	const char *problem;
	const char *state = "malformed";

	SPI_connect();
	problem = ReadCheckpoint(PG_GETARG_TEXT_PP(0), &checkpoint);
	if (problem == NULL)
	{
		LogState	newest;

		state = CompareState(&checkpoint, &problem);
		SetCheckpointMembers(&report, &checkpoint);
		JsonViewSet(&report, "log_size",
					JsonViewInteger(LogStateNewest(&newest) ? newest.tree.size : 0));
	}
	JsonViewSet(&report, "ok", JsonViewBool(problem == NULL));
	JsonViewSet(&report, "state", JsonViewCString(state));
	if (problem)
		JsonViewSet(&report, "reason", JsonViewCString(problem));
	return FinishWithView(&report, false, caller);
}

/* the verification of proofs alone */

/* Reads an array of hashes; returns false if one is not a hash. */
static bool
ReadHashes(ArrayType *array, MerkleProof *proof)
{
	Datum	   *elements;
	bool	   *nulls;
	int			count;

	deconstruct_array(array, BYTEAOID, -1, false, TYPALIGN_INT, &elements, &nulls, &count);
	if (count > MERKLE_MAX_PROOF)
		return false;
	proof->count = count;
	for (int i = 0; i < count; i++)
	{
		Span		bytes;

		if (nulls[i])
			return false;
		bytes = ByteaSpan(elements[i]);
		if (bytes.len != SHA256_LENGTH)
			return false;
		memcpy(proof->hashes[i].bytes, bytes.str, SHA256_LENGTH);
	}
	return true;
}

/* Reads (number, number, hash, hash, hashes), the arguments of both verifiers. */
static bool
ReadArguments(FunctionCallInfo fcinfo, MerkleHash *a, MerkleHash *b, MerkleProof *proof)
{
	MerkleHash *hashes[2] = {a, b};

	for (int i = 0; i < 4; i++)
	{
		if (PG_ARGISNULL(i))
			return false;
	}
	if (PG_GETARG_INT64(0) < 0 || PG_GETARG_INT64(1) < 0)
		return false;
	for (int i = 0; i < 2; i++)
	{
		Span		bytes = ByteaSpan(PG_GETARG_DATUM(2 + i));

		if (bytes.len != SHA256_LENGTH)
			return false;
		memcpy(hashes[i]->bytes, bytes.str, SHA256_LENGTH);
	}
	proof->count = 0;
	return PG_ARGISNULL(4) || ReadHashes(PG_GETARG_ARRAYTYPE_P(4), proof);
}

PG_FUNCTION_INFO_V1(answer_eval_merkle_leaf_hash);
Datum
answer_eval_merkle_leaf_hash(PG_FUNCTION_ARGS)
{
	Span		data = ByteaSpan(PG_GETARG_DATUM(0));
	MerkleHash	hash;

	MerkleLeafHash(data.str, data.len, &hash);
	PG_RETURN_DATUM(ByteaDatum(hash.bytes, SHA256_LENGTH));
}

PG_FUNCTION_INFO_V1(answer_eval_merkle_inclusion);
Datum
answer_eval_merkle_inclusion(PG_FUNCTION_ARGS)
{
	MerkleHash	leaf;
	MerkleHash	root;
	MerkleProof proof;

	PG_RETURN_BOOL(ReadArguments(fcinfo, &leaf, &root, &proof) &&
				   MerkleVerifyInclusion(PG_GETARG_INT64(0), PG_GETARG_INT64(1), &leaf, &root,
										 proof.hashes, proof.count));
}

PG_FUNCTION_INFO_V1(answer_eval_merkle_consistency);
Datum
answer_eval_merkle_consistency(PG_FUNCTION_ARGS)
{
	MerkleHash	from_root;
	MerkleHash	to_root;
	MerkleProof proof;

	PG_RETURN_BOOL(ReadArguments(fcinfo, &from_root, &to_root, &proof) &&
				   MerkleVerifyConsistency(PG_GETARG_INT64(0), PG_GETARG_INT64(1), &from_root,
										   &to_root, proof.hashes, proof.count));
}
