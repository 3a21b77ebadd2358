/*-------------------------------------------------------------------------
 *
 * proof.c
 *		JSON documents with proofs of the log.
 *
 * Pure.  Rule: doc/spec/document.md §7.7, by RFC 9162.  A hash is written in
 * base64, as in checkpoints.
 *
 * A proof is verified in steps, and each step is reported: the leaf is this
 * receipt's; the leaf is in the tree (or one tree is the beginning of the
 * other); and the tree is the one in a checkpoint that the log has signed.  A
 * proof without a checkpoint shows only that the hashes fit.
 *
 * Promises: never raises an error because of a document's content.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/numeric.h"

#include "base/base64.h"
#include "base/limits.h"
#include "document/signed.h"
#include "log/proof.h"

/*
 * members
 */

JsonView
HashView(const MerkleHash *hash)
{
	char	   *text = palloc(BASE64_SIZE(SHA256_LENGTH));

	Base64Encode(hash->bytes, SHA256_LENGTH, text);
	return JsonViewString(text, HASH_TEXT_LENGTH);
}

JsonView
HashesView(const MerkleProof *proof)
{
	JsonView	array = JsonViewNewArray(proof->count);

	for (int i = 0; i < proof->count; i++)
		JsonViewAppend(&array, HashView(&proof->hashes[i]));
	return array;
}

/* Parses "sha256:" and 64 lower-case hex digits. */
bool
DigestParse(Span text, uint8 *sha256)
{
	int			prefix = strlen(DIGEST_PREFIX);

	if (text.len != DIGEST_TEXT_LENGTH || memcmp(text.str, DIGEST_PREFIX, prefix) != 0)
		return false;
	for (int i = 0; i < 2 * SHA256_LENGTH; i++)
	{
		char		c = text.str[prefix + i];
		int			digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;

		if (digit < 0)
			return false;
		sha256[i / 2] = i % 2 == 0 ? digit << 4 : sha256[i / 2] | digit;
	}
	return true;
}

static bool
GetHash(const JsonView *object, const char *key, MerkleHash *hash)
{
	Span		text;

	return JsonViewGetString(object, key, &text) && HashParse(text, hash);
}

/* Reads a number of leaves, which is an integer in jsonb or plain digits. */
static bool
GetSize(const JsonView *object, const char *key, uint64 *size)
{
	JsonView	view;
	PlainNumber plain;

	if (!JsonViewGetMember(object, key, &view) || view.type != JVIEW_NUMBER ||
		!NumberPlain(&view, &plain) || !plain.is_integer)
		return false;
	return DecimalParse((Span) {plain.text, plain.len}, size);
}

static bool
GetHashes(const JsonView *object, MerkleProof *proof)
{
	JsonView	array;

	proof->count = 0;
	if (!JsonViewGetMember(object, "hashes", &array) || array.type != JVIEW_ARRAY ||
		JsonViewCount(&array) > MERKLE_MAX_PROOF)
		return false;
	for (int i = 0; i < JsonViewCount(&array); i++)
	{
		JsonView	element = JsonViewAt(&array, i);

		if (element.type != JVIEW_STRING ||
			!HashParse((Span) {element.str, element.len}, &proof->hashes[proof->count++]))
			return false;
	}
	return true;
}

/*
 * steps
 */

/* Computes the digest of a receipt, or reads it from a tombstone. */
bool
DocumentDigest(const JsonView *document, uint8 *sha256)
{
	JsonView	schema;
	Span		digest;

	if (document->type != JVIEW_OBJECT || JsonViewIsDeeper(document, RECEIPT_MAX_DEPTH))
		return false;
	if (JsonViewGetMember(document, "schema", &schema) &&
		JsonViewStringIs(&schema, TOMBSTONE_SCHEMA))
		return JsonViewGetString(document, "digest", &digest) && DigestParse(digest, sha256);
	ReceiptDigest(document, sha256);
	return true;
}

/* Checks that the leaf hash is that of the digest, and the digest that of the receipt. */
static const char *
LeafProblem(const JsonView *proof, const JsonView *receipt)
{
	Span		text;
	MerkleHash	stated;
	MerkleHash	leaf;
	uint8		digest[SHA256_LENGTH];
	uint8		sha256[SHA256_LENGTH];

	if (!JsonViewGetString(proof, "digest", &text) || !DigestParse(text, digest))
		return "digest is missing or malformed";
	if (!GetHash(proof, "leaf_hash", &stated))
		return "leaf_hash is missing or malformed";
	MerkleLeafHash(digest, sizeof(digest), &leaf);
	if (!MerkleHashEqual(&leaf, &stated))
		return "leaf_hash does not follow from the digest";
	if (receipt->type == JVIEW_ABSENT)
		return NULL;
	if (!DocumentDigest(receipt, sha256))
		return "the receipt is no JSON object, or nested too deeply";
	return memcmp(sha256, digest, sizeof(digest)) == 0 ? NULL :
		"the digest is not that of the receipt";
}

static const char *
InclusionProblem(const JsonView *proof)
{
	uint64		leaf_index;
	uint64		tree_size;
	MerkleHash	leaf;
	MerkleHash	root;
	MerkleProof path;

	if (!GetSize(proof, "leaf_index", &leaf_index) || !GetSize(proof, "tree_size", &tree_size))
		return "leaf_index or tree_size is missing or malformed";
	if (!GetHash(proof, "leaf_hash", &leaf) || !GetHash(proof, "root_hash", &root))
		return "leaf_hash or root_hash is missing or malformed";
	if (!GetHashes(proof, &path))
		return "hashes is missing or malformed";
	return MerkleVerifyInclusion(leaf_index, tree_size, &leaf, &root, path.hashes, path.count) ?
		NULL : "the hashes do not lead from the leaf to the root";
}

static const char *
ConsistencyProblem(const JsonView *proof)
{
	uint64		from_size;
	uint64		to_size;
	MerkleHash	from_root;
	MerkleHash	to_root;
	MerkleProof path;

	if (!GetSize(proof, "from_size", &from_size) || !GetSize(proof, "to_size", &to_size))
		return "from_size or to_size is missing or malformed";
	if (!GetHash(proof, "from_root", &from_root) || !GetHash(proof, "to_root", &to_root))
		return "from_root or to_root is missing or malformed";
	if (!GetHashes(proof, &path))
		return "hashes is missing or malformed";
	return MerkleVerifyConsistency(from_size, to_size, &from_root, &to_root, path.hashes,
								   path.count) ?
		NULL : "the hashes do not show one tree to be the beginning of the other";
}

/*
 * Checks that the checkpoint names the tree that the proof is about, and verifies its
 * signatures.
 */
static const char *
CarriedCheckpointProblem(const JsonView *proof, const JsonView *note, const char *size_key,
						 const char *root_key, const NoteKey *keys, int nkeys,
						 JsonView *signatures)
{
	Checkpoint	checkpoint;
	Span		origin;
	uint64		size;
	MerkleHash	root;
	const char *problem;

	if (note->type != JVIEW_STRING)
		return "the checkpoint is no text";
	problem = CheckpointParse((Span) {note->str, note->len}, &checkpoint);
	if (problem)
		return problem;
	if (!JsonViewGetString(proof, "origin", &origin) || origin.len != checkpoint.origin.len ||
		memcmp(origin.str, checkpoint.origin.str, origin.len) != 0)
		return "the checkpoint is of another log";
	if (!GetSize(proof, size_key, &size) || size != checkpoint.tree_size)
		return "the checkpoint is of another size";
	if (!GetHash(proof, root_key, &root) || !MerkleHashEqual(&root, &checkpoint.root))
		return "the checkpoint has another root hash";
	return CheckpointProblem(&checkpoint, keys, nkeys, signatures);
}

static JsonView
CheckpointStep(const JsonView *proof, const char *size_key, const char *root_key,
			   const NoteKey *keys, int nkeys)
{
	JsonView	note;
	JsonView	step;
	JsonView	signatures = JsonViewNull();
	const char *problem = NULL;
	bool		present = JsonViewGetMember(proof, "checkpoint", &note);

	if (present)
		problem = CarriedCheckpointProblem(proof, &note, size_key, root_key, keys, nkeys,
										   &signatures);
	step = ReportStep(problem);
	JsonViewSet(&step, "state", JsonViewCString(!present ? "absent" :
												problem ? "invalid" : "verified"));
	if (signatures.type == JVIEW_ARRAY)
		JsonViewSet(&step, "signatures", signatures);
	return step;
}

/*
 * Verifies a proof, of a receipt if one is given (otherwise its view is absent).  The
 * report is {"ok", "steps"}.
 */
JsonView
ProofVerify(const JsonView *proof, const JsonView *receipt, const NoteKey *keys, int nkeys)
{
	JsonView	report = JsonViewNewObject(2);
	JsonView	steps = JsonViewNewObject(3);
	JsonView	schema = JsonViewUnder(proof, "schema");
	bool		ok = true;

	if (JsonViewStringIs(&schema, INCLUSION_SCHEMA))
	{
		JsonViewSet(&steps, "leaf", ReportStep(LeafProblem(proof, receipt)));
		JsonViewSet(&steps, "proof", ReportStep(InclusionProblem(proof)));
		JsonViewSet(&steps, "checkpoint",
					CheckpointStep(proof, "tree_size", "root_hash", keys, nkeys));
	}
	else if (JsonViewStringIs(&schema, CONSISTENCY_SCHEMA))
	{
		JsonViewSet(&steps, "proof", ReportStep(ConsistencyProblem(proof)));
		JsonViewSet(&steps, "checkpoint",
					CheckpointStep(proof, "to_size", "to_root", keys, nkeys));
	}
	else
		JsonViewSet(&steps, "proof", ReportStep("the document is no proof of a log"));
	for (int i = 0; i < JsonViewCount(&steps); i++)
	{
		Span		key;
		JsonView	step = JsonViewMember(&steps, i, &key);
		JsonView	step_ok;

		ok = ok && JsonViewGetMember(&step, "ok", &step_ok) && step_ok.boolean;
	}
	JsonViewSet(&report, "ok", JsonViewBool(ok));
	JsonViewSet(&report, "steps", steps);
	return report;
}

/*
 * Verifies that a receipt is in a log that one of the keys has signed.  The result is a
 * step with a state, like other steps.  An absent proof fails.
 */
JsonView
InclusionStep(const JsonView *proof, const JsonView *receipt, const NoteKey *keys, int nkeys)
{
	const char *problem = NULL;
	JsonView	schema = JsonViewUnder(proof, "schema");
	JsonView	note;
	JsonView	signatures;
	JsonView	step;
	bool		absent = proof->type == JVIEW_ABSENT;

	if (absent)
		problem = "there is no inclusion proof";
	else if (!JsonViewStringIs(&schema, INCLUSION_SCHEMA))
		problem = "the document is no inclusion proof";
	if (problem == NULL)
		problem = LeafProblem(proof, receipt);
	if (problem == NULL)
		problem = InclusionProblem(proof);
	if (problem == NULL)
		problem = JsonViewGetMember(proof, "checkpoint", &note) ?
			CarriedCheckpointProblem(proof, &note, "tree_size", "root_hash", keys, nkeys, &signatures) :
			"the proof carries no checkpoint, which the log would have signed";
	step = ReportStep(problem);
	JsonViewSet(&step, "state", JsonViewCString(absent ? "absent" : problem ? "invalid" : "verified"));
	return step;
}
