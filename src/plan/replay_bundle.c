/*-------------------------------------------------------------------------
 *
 * replay_bundle.c
 *		Exports everything that a replay of a plan needs as one archive, which can
 *		be checked without this extension.
 *
 * Rule: doc/spec/plan.md §16.6.  The document plan/v1 contains all inputs, outputs and
 * decisions.  The other files are its parts, so that tar, sha256sum and openssl can
 * read and check them one by one.  Signed parts are stored byte for byte as they were
 * signed, each with its signature as bytes for openssl.
 *
 * A bundle is verified in two ways.  It is made again from its document and keys, which
 * must give the same bytes.  And the document and the events are verified with keys
 * that the reader trusts: those of the registry, or given ones.  The keys in the bundle
 * are for readers without other keys; here they are not trusted.
 *
 * Promises: the same document gives the same bytes; verification uses only the bundle
 * and the trusted keys, and never raises an error because of a bundle's content.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "executor/spi.h"
#include "fmgr.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"

#include "base/base64.h"
#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/limits.h"
#include "document/signed.h"
#include "document/verify.h"
#include "eval/answer_receipt.h"
#include "keys/ed25519.h"
#include "keys/keyring.h"
#include "plan/archive.h"
#include "plan/plan_receipt.h"
#include "plan/replay_bundle.h"

#define DOCUMENT_FILE		BUNDLE_PAYLOAD "document"
#define TRACE_FOLDER		BUNDLE_PAYLOAD "trace/"
#define KEY_FOLDER			BUNDLE_PAYLOAD "keys/"
#define SIGNATURES_FILE		BUNDLE_PAYLOAD "signatures.txt"

/* The SubjectPublicKeyInfo of an Ed25519 key (RFC 8410), up to the key itself. */
static const uint8 spki_ed25519[] = {0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00};

#define SPKI_LENGTH			(sizeof(spki_ed25519) + ED25519_KEY_LENGTH)
#define PEM_BEGIN			"-----BEGIN PUBLIC KEY-----\n"
#define PEM_END				"\n-----END PUBLIC KEY-----\n"

/* A bundle under construction. */
typedef struct BundleMaking
{
	const JsonView *keys;		/* {key_id: base64url} */
	BundleFiles files;
	StringInfoData signatures;	/* the lines of SIGNATURES_FILE */
	JsonView	key_ids;		/* an array, each id once */
} BundleMaking;

/*
 * writing
 */

static Span
CanonicalSpanOf(const JsonView *view)
{
	StringInfoData text;

	initStringInfo(&text);
	CanonicalWrite(&text, view, NULL);
	return SpanOf(text.data, text.len);
}

/* Adds a member of the document as a file, if it exists. */
static void
AddMemberFile(BundleMaking *making, const JsonView *object, const char *name, const char *path)
{
	JsonView	member;

	if (JsonViewGetMember(object, name, &member))
		BundleAdd(&making->files, path, CanonicalSpanOf(&member));
}

static bool
IsKnownKey(const BundleMaking *making, Span key_id)
{
	for (int i = 0; i < JsonViewCount(&making->key_ids); i++)
	{
		JsonView	known = JsonViewAt(&making->key_ids, i);

		if (SpanEqual(SpanOf(known.str, known.len), key_id))
			return true;
	}
	return false;
}

/* Is it a well-formed key id? Only then it can be the name of a file. */
static bool
IsKeyId(Span key_id)
{
	if (key_id.len != KEY_ID_LENGTH || !SpanStartsWith(key_id, SpanOfCString(KEY_ID_PREFIX)))
		return false;
	for (int i = strlen(KEY_ID_PREFIX); i < key_id.len; i++)
	{
		if (key_id.str[i] == '\0' || strchr("0123456789abcdef", key_id.str[i]) == NULL)
			return false;
	}
	return true;
}

/* Adds a public key in the format of openssl, unless it is there already. */
static const char *
AddKey(BundleMaking *making, Span key_id)
{
	JsonView	key;
	uint8		spki[SPKI_LENGTH];
	char		base64[BASE64_SIZE(SPKI_LENGTH)];

	if (IsKnownKey(making, key_id))
		return NULL;
	if (!JsonViewGet(making->keys, key_id.str, key_id.len, &key))
		return psprintf("there is no public key of %.*s", key_id.len, key_id.str);
	memcpy(spki, spki_ed25519, sizeof(spki_ed25519));
	if (key.type != JVIEW_STRING ||
		Base64UrlDecode(SpanOf(key.str, key.len), spki + sizeof(spki_ed25519), ED25519_KEY_LENGTH) != ED25519_KEY_LENGTH)
		return psprintf("the public key of %.*s is malformed", key_id.len, key_id.str);
	Base64Encode(spki, SPKI_LENGTH, base64);
	JsonViewAppend(&making->key_ids, JsonViewString(key_id.str, key_id.len));
	BundleAdd(&making->files, psprintf(KEY_FOLDER "%.*s.pem", key_id.len, key_id.str),
			  SpanOfCString(psprintf(PEM_BEGIN "%s" PEM_END, base64)));
	return NULL;
}

/* Adds what was signed, PATH.json, and its signature, PATH.sig. */
static const char *
AddSigned(BundleMaking *making, const char *path, Span text, const JsonView *object, const char *signature_name)
{
	JsonView	signature;
	Span		key_id;
	Span		sig;
	uint8	   *raw = palloc(ED25519_SIGNATURE_LENGTH);

	if (!JsonViewGetMember(object, signature_name, &signature) || signature.type != JVIEW_OBJECT ||
		!JsonViewGetString(&signature, "key_id", &key_id) || !IsKeyId(key_id) ||
		!JsonViewGetString(&signature, "sig", &sig) ||
		Base64UrlDecode(sig, raw, ED25519_SIGNATURE_LENGTH) != ED25519_SIGNATURE_LENGTH)
		return psprintf("%s.json has no signature of a key of this product", path);
	BundleAdd(&making->files, psprintf("%s.json", path), text);
	BundleAdd(&making->files, psprintf("%s.sig", path), SpanOf((char *) raw, ED25519_SIGNATURE_LENGTH));
	appendStringInfo(&making->signatures, "%s.json %s.sig " KEY_FOLDER "%.*s.pem\n", path, path, key_id.len, key_id.str);
	return AddKey(making, key_id);
}

/* Returns what an event has written into memory; absent: nothing. */
static JsonView
MemoryDiff(const JsonView *event, const JsonView *entry)
{
	static const char *const of_inputs[] = {"key", "value", "provenance", "ttl"};
	JsonView	op;
	JsonView	outcome;
	JsonView	inputs;
	JsonView	outputs;
	JsonView	member;
	JsonView	diff = JsonViewNewObject(5);

	if (!JsonViewGetMember(event, "op", &op) || !JsonViewStringIs(&op, "mem.write") ||
		!JsonViewGetMember(event, "outcome", &outcome) || !JsonViewStringIs(&outcome, "ok") ||
		!JsonViewGetMember(entry, "inputs", &inputs) || inputs.type != JVIEW_OBJECT)
		return (JsonView) {.type = JVIEW_ABSENT};
	for (size_t i = 0; i < lengthof(of_inputs); i++)
	{
		if (JsonViewGetMember(&inputs, of_inputs[i], &member))
			JsonViewSet(&diff, of_inputs[i], member);
	}
	if (JsonViewGetMember(entry, "outputs", &outputs) && outputs.type == JVIEW_OBJECT &&
		JsonViewGetMember(&outputs, "expires", &member))
		JsonViewSet(&diff, "expires", member);
	return diff;
}

/* Adds an event, the inputs and outputs of its step, and what it wrote into memory. */
static const char *
AddEvent(BundleMaking *making, const JsonView *entry, int seq)
{
	static const CanonicalOmit omit = {1, {"sig"}};
	JsonView	event;
	JsonView	diff;
	StringInfoData text;

	if (entry->type != JVIEW_OBJECT || !JsonViewGetMember(entry, "event", &event) || event.type != JVIEW_OBJECT)
		return psprintf("event %d is no object", seq);
	initStringInfo(&text);
	CanonicalWrite(&text, &event, &omit);
	AddMemberFile(making, entry, "inputs", psprintf(BUNDLE_PAYLOAD "inputs/%06d.json", seq));
	AddMemberFile(making, entry, "outputs", psprintf(BUNDLE_PAYLOAD "outputs/%06d.json", seq));
	diff = MemoryDiff(&event, entry);
	if (diff.type != JVIEW_ABSENT)
		BundleAdd(&making->files, psprintf(BUNDLE_PAYLOAD "memory/%06d.json", seq), CanonicalSpanOf(&diff));
	return AddSigned(making, psprintf(TRACE_FOLDER "%06d", seq), SpanOf(text.data, text.len), &event, "sig");
}

static const char *
AddTrace(BundleMaking *making, const JsonView *document)
{
	const char *problem = NULL;
	JsonView	trace;

	if (!JsonViewGetMember(document, "trace", &trace) || trace.type != JVIEW_ARRAY)
		return "trace is missing or no array";
	for (int i = 0; i < JsonViewCount(&trace) && problem == NULL; i++)
	{
		JsonView	entry = JsonViewAt(&trace, i);

		CHECK_FOR_INTERRUPTS();
		problem = AddEvent(making, &entry, i + 1);
	}
	return problem;
}

/* Adds the specs of the tools, by name. */
static const char *
AddTools(BundleMaking *making, const JsonView *document)
{
	JsonView	tools;
	JsonMember *members;
	int			count;

	if (!JsonViewGetMember(document, "tools", &tools) || tools.type != JVIEW_OBJECT)
		return "tools is missing or no object";
	members = JsonViewSortedMembers(&tools, &count);
	for (int i = 0; i < count; i++)
	{
		JsonView	tool = JsonViewNewObject(2);

		CHECK_FOR_INTERRUPTS();
		JsonViewSet(&tool, "spec", members[i].value);
		JsonViewSet(&tool, "tool", SpanView(members[i].key));
		BundleAdd(&making->files, psprintf(BUNDLE_PAYLOAD "tools/%06d.json", i + 1), CanonicalSpanOf(&tool));
	}
	return NULL;
}

static const char *
AddDocument(BundleMaking *making, const JsonView *document)
{
	SignedText	signed_text;
	const char *problem;

	SignedTextInit(&signed_text, document, false);
	problem = AddSigned(making, DOCUMENT_FILE, SpanOf(signed_text.text.data, signed_text.text.len), document, "signature");
	AddMemberFile(making, document, "plan", BUNDLE_PAYLOAD "plan.json");
	AddMemberFile(making, document, "vars", BUNDLE_PAYLOAD "vars.json");
	if (problem == NULL)
		problem = AddTools(making, document);
	if (problem == NULL)
		problem = AddTrace(making, document);
	return problem;
}

/* Makes the files of a bundle, in order. Returns NULL, or what is wrong. */
static const char *
MakeFiles(BundleMaking *making, const JsonView *document, const JsonView *keys)
{
	const char *problem;
	JsonView	schema;

	memset(making, 0, sizeof(*making));
	making->keys = keys;
	making->key_ids = JsonViewNewArray(1);
	initStringInfo(&making->signatures);
	if (keys->type != JVIEW_OBJECT)
		return "the public keys are no object";
	if (document->type != JVIEW_OBJECT || !JsonViewGetMember(document, "schema", &schema) ||
		!JsonViewStringIs(&schema, PLAN_SCHEMA))
		return "the document is no " PLAN_SCHEMA;
	problem = AddDocument(making, document);
	BundleAdd(&making->files, SIGNATURES_FILE, SpanOf(making->signatures.data, making->signatures.len));
	BundleSort(&making->files);
	return problem;
}

/*
 * Writes the bundle of a document plan/v1, with the public keys that signed, given
 * as {key_id: base64url} or as entries of the registry.  Returns NULL, or one
 * sentence in ASCII if the document or a key is malformed, a key is missing, or the
 * archive would be too large.
 */
static const char *
ReplayBundleWrite(const JsonView *document, const JsonView *keys, Span *archive)
{
	BundleMaking making;
	const char *problem = MakeFiles(&making, document, keys);
	Span		id;

	if (problem)
		return problem;
	if (!JsonViewGetString(document, "receipt_id", &id) || FindKindOfId(id.str, id.len) == NULL)
		return "receipt_id is missing or no id";
	if (!BundleWrite(pnstrdup(id.str, id.len), &making.files, archive))
		return psprintf("it would have more than %d bytes", BUNDLE_MAX_SIZE);
	return NULL;
}

/*
 * reading
 */

/* Returns the bytes of a file, or an empty span. */
static Span
FileBytes(const BundleFiles *files, const char *path)
{
	const BundleFile *file = BundleFind(files, path);

	return file ? file->bytes : SpanOf("", 0);
}

/* Returns the public keys in a bundle as {key_id: base64url}, without malformed ones. */
static JsonView
KeysInside(const BundleFiles *files)
{
	static const Span begin = SPAN_LITERAL(PEM_BEGIN);
	static const Span folder = SPAN_LITERAL(KEY_FOLDER);
	JsonView	keys = JsonViewNewObject(1);

	for (int i = 0; i < files->count; i++)
	{
		const BundleFile *file = &files->files[i];
		uint8		spki[SPKI_LENGTH];
		int			base64_size = BASE64_SIZE(SPKI_LENGTH) - 1;
		char	   *public_key;

		if (!SpanStartsWith(file->path, folder) || file->path.len != folder.len + KEY_ID_LENGTH + 4 ||
			!SpanStartsWith(file->bytes, begin) || file->bytes.len < begin.len + base64_size ||
			Base64Decode(SpanOf(file->bytes.str + begin.len, base64_size), spki, SPKI_LENGTH) != SPKI_LENGTH)
			continue;
		public_key = palloc(BASE64_SIZE(ED25519_KEY_LENGTH));
		Base64UrlEncode(spki + sizeof(spki_ed25519), ED25519_KEY_LENGTH, public_key);
		JsonViewSetKey(&keys, file->path.str + folder.len, KEY_ID_LENGTH, JsonViewCString(public_key));
	}
	return keys;
}

/* Finds the id of the key that signed the document, from the first line of SIGNATURES_FILE. */
static bool
DocumentKeyId(const BundleFiles *files, Span *key_id)
{
	static const Span begin = SPAN_LITERAL(DOCUMENT_FILE ".json " DOCUMENT_FILE ".sig " KEY_FOLDER);
	Span		lines = FileBytes(files, SIGNATURES_FILE);

	if (!SpanStartsWith(lines, begin) || lines.len < begin.len + KEY_ID_LENGTH)
		return false;
	*key_id = SpanOf(lines.str + begin.len, KEY_ID_LENGTH);
	return IsKeyId(*key_id);
}

/* Returns what was signed, with its signature. */
static JsonView
WithSignature(const JsonView *text, JsonView signature)
{
	int			count;
	JsonMember *members = JsonViewSortedMembers(text, &count);
	JsonView	document = JsonViewNewObject(count + 1);

	for (int i = 0; i < count; i++)
		JsonViewSetKey(&document, members[i].key.str, members[i].key.len, members[i].value);
	JsonViewSet(&document, "signature", signature);
	return document;
}

/* Reads the document with its signature. Returns NULL, or what is wrong with one of its files. */
static const char *
ReadDocument(const BundleFiles *files, JsonView *document)
{
	Span		text = FileBytes(files, DOCUMENT_FILE ".json");
	Span		sig = FileBytes(files, DOCUMENT_FILE ".sig");
	JsonTextStatus status;
	JsonView	signed_part;
	JsonView	signature = JsonViewNewObject(4);
	char	   *sig_text = palloc(SIGNATURE_TEXT_LENGTH + 1);
	size_t		where;
	Span		key_id;

	status = JsonViewOfUniqueText(text.str, text.len, &signed_part, &where);
	if (status != JSON_TEXT_OK)
		return JsonTextProblem(status);
	if (signed_part.type != JVIEW_OBJECT)
		return "it is no JSON object";
	if (JsonViewGetMember(&signed_part, "signature", document))
		return "it has a signature inside";
	if (sig.len != ED25519_SIGNATURE_LENGTH)
		return "its signature has not 64 bytes";
	if (!DocumentKeyId(files, &key_id))
		return "signatures.txt does not begin with its signature";
	Base64UrlEncode((const uint8 *) sig.str, sig.len, sig_text);
	JsonViewSet(&signature, "alg", JsonViewCString(SIGNATURE_ALG));
	JsonViewSet(&signature, "canonicalization", JsonViewCString(SIGNATURE_CANONICALIZATION));
	JsonViewSet(&signature, "key_id", JsonViewString(key_id.str, key_id.len));
	JsonViewSet(&signature, "sig", JsonViewCString(sig_text));
	*document = WithSignature(&signed_part, signature);
	return DocumentProblem(document);
}

/* Compares the files of a bundle with those that its document makes. */
static const char *
FilesProblem(const BundleFiles *read, const BundleFiles *made, Span *path)
{
	for (int i = 0; i < Max(read->count, made->count); i++)
	{
		const BundleFile *one = i < read->count ? &read->files[i] : NULL;
		const BundleFile *other = i < made->count ? &made->files[i] : NULL;
		int			order = one == NULL ? 1 : other == NULL ? -1 : SpanOrder(one->path, other->path);

		if (order == 0 && SpanEqual(one->bytes, other->bytes))
			continue;
		*path = order > 0 ? other->path : one->path;
		return order > 0 ? "it is missing" : order < 0 ? "it does not belong there" :
			"it is not what the document says";
	}
	return NULL;
}

/*
 * Reads a bundle: the document with its signature, the ids of all keys that signed
 * something in it, and those of these keys that are in it.  All other files follow
 * from the document, so they are made again and compared.  Returns NULL, or what is
 * wrong; then *path is the file, or empty.
 */
static const char *
ReplayBundleRead(Span archive, JsonView *document, JsonView *key_ids, JsonView *inside, Span *path)
{
	BundleFiles files;
	BundleMaking making;
	const char *problem;
	Span		top;
	Span		id;

	*path = SpanOf("", 0);
	if (!BundleRead(archive, &top, &files, &problem))
		return problem;
	*path = SpanOfCString(DOCUMENT_FILE ".json");
	problem = ReadDocument(&files, document);
	if (problem)
		return problem;
	*inside = KeysInside(&files);
	problem = MakeFiles(&making, document, inside);
	if (problem)
		return problem;
	if (!JsonViewGetString(document, "receipt_id", &id) || !SpanEqual(id, top))
		return "the directory has another name than the document's id";
	*key_ids = making.key_ids;
	return FilesProblem(&files, &making.files, path);
}

/*
 * verification
 */

/* Returns a value in a form that a report can hold in any database encoding; null if there is none. */
static JsonView
Reportable(const JsonView *value)
{
	return value->type == JVIEW_ABSENT ? JsonViewNull() : ReportableView(value, false);
}

/* Returns {"result", ...} for something that is wrong. */
static JsonView
Diverged(JsonView step, JsonView field, JsonView expected, JsonView found)
{
	JsonView	report = JsonViewNewObject(5);

	JsonViewSet(&report, "result", JsonViewCString("diverged"));
	JsonViewSet(&report, "step", Reportable(&step));
	JsonViewSet(&report, "field", Reportable(&field));
	JsonViewSet(&report, "expected", Reportable(&expected));
	JsonViewSet(&report, "found", Reportable(&found));
	return report;
}

/* Does the same with a sentence about what was found. */
static JsonView
DivergedBecause(JsonView step, const char *field, const char *reason)
{
	return Diverged(step, JsonViewCString(field), JsonViewNull(), JsonViewCString(reason));
}

/* Returns the registry's entries of these keys. */
static JsonView
RegistryEntries(const JsonView *key_ids)
{
	JsonView	entries = JsonViewNewArray(1);

	for (int i = 0; i < JsonViewCount(key_ids); i++)
	{
		JsonView	id = JsonViewAt(key_ids, i);
		JsonView	found;
		JsonView	entry;

		if (!RegistryKeys(SpanOf(id.str, id.len), &found))
			continue;
		JsonViewElement(&found, 0, &entry);
		JsonViewAppend(&entries, entry);
	}
	return entries;
}

/* Returns a member in a form that a report can hold. */
static JsonView
ReportableMember(const JsonView *object, const char *name)
{
	JsonView	member = JsonViewUnder(object, name);

	return Reportable(&member);
}

/* Verifies the signature of each event. If one does not verify, returns false and the report. */
static bool
EventsHold(const JsonView *document, const JsonView *keys, JsonView *report)
{
	JsonView	trace = JsonViewUnder(document, "trace");

	for (int i = 0; i < JsonViewCount(&trace); i++)
	{
		JsonView	entry = JsonViewAt(&trace, i);
		JsonView	event = JsonViewUnder(&entry, "event");
		const char *problem;

		CHECK_FOR_INTERRUPTS();
		problem = TraceSignatureProblem(&event, keys);
		if (problem == NULL)
			continue;
		*report = DivergedBecause(ReportableMember(&event, "step"), "sig", problem);
		return false;
	}
	return true;
}

/* Returns what a difference says was found: the value, or a sentence. */
static JsonView
FoundOf(const JsonView *difference)
{
	JsonView	found;

	return JsonViewGetMember(difference, "found", &found) ? found : ReportableMember(difference, "reason");
}

/* Returns a difference of a replay: in an event, "trace[n].event.NAME" or "trace[n].NAME", or in a member. */
static JsonView
DivergedField(const JsonView *document, const JsonView *difference)
{
	static const char event_prefix[] = "event.";
	Span		field = {"", 0};
	char	   *name;
	int			number;
	int			len = 0;
	JsonView	trace;
	JsonView	entry;
	JsonView	event = {.type = JVIEW_ABSENT};

	(void) JsonViewGetString(difference, "field", &field);
	name = pnstrdup(field.str, field.len);
	if (sscanf(name, "trace[%d].%n", &number, &len) == 1 && len > 0 &&
		JsonViewGetMember(document, "trace", &trace) && JsonViewElement(&trace, number, &entry) &&
		JsonViewGetMember(&entry, "event", &event))
	{
		name += len;
		if (strncmp(name, event_prefix, strlen(event_prefix)) == 0)
			name += strlen(event_prefix);
		return Diverged(ReportableMember(&event, "step"), JsonViewCString(name),
						ReportableMember(difference, "expected"), FoundOf(difference));
	}
	return Diverged(JsonViewNull(), JsonViewCString(name), ReportableMember(difference, "expected"),
					FoundOf(difference));
}

/* Returns the report for a failed step of verification: its first difference, or its reason. */
static JsonView
DivergedStep(const JsonView *document, const char *name, const JsonView *step)
{
	JsonView	differences;
	JsonView	first;

	if (JsonViewGetMember(step, "differences", &differences) && JsonViewCount(&differences) > 0)
	{
		JsonViewElement(&differences, 0, &first);
		return DivergedField(document, &first);
	}
	return Diverged(JsonViewNull(), JsonViewCString(name), JsonViewNull(), ReportableMember(step, "reason"));
}

/* Returns the result of the steps of a document's verification. */
static JsonView
ResultOfSteps(const JsonView *document, const JsonView *keys)
{
	static const char *const names[] = {"receipt_id", "signature", "closure", "replay"};
	JsonView	verified = ReceiptVerify(document, keys);
	JsonView	report = JsonViewNewObject(2);
	JsonView	steps = JsonViewUnder(&verified, "steps");
	JsonView	step;
	JsonView	what;

	for (size_t i = 0; i < lengthof(names); i++)
	{
		JsonViewGetMember(&steps, names[i], &step);
		if (!ReportStepIsOk(&step))
			return DivergedStep(document, names[i], &step);
	}
	if (JsonViewGetMember(&step, "incomplete", &what))
	{
		JsonViewSet(&report, "result", JsonViewCString("incomplete"));
		JsonViewSet(&report, "what", what);
		return report;
	}
	JsonViewSet(&report, "result", JsonViewCString("identical"));
	return report;
}

/* Checks that the keys in the bundle equal the trusted ones, because openssl would use those in the bundle. */
static bool
KeysAreTrusted(const JsonView *key_ids, const JsonView *inside, const JsonView *keys, JsonView *report)
{
	for (int i = 0; i < JsonViewCount(key_ids); i++)
	{
		uint8		trusted[ED25519_KEY_LENGTH] = {0};
		uint8		other[ED25519_KEY_LENGTH] = {0};
		JsonView	id = JsonViewAt(key_ids, i);

		/* the signatures were already checked against the keys' validity */
		(void) KeyProblemAt(keys, SpanOf(id.str, id.len), 0, trusted);
		(void) KeyProblemAt(inside, SpanOf(id.str, id.len), 0, other);
		if (memcmp(trusted, other, ED25519_KEY_LENGTH) == 0)
			continue;
		*report = DivergedBecause(JsonViewNull(), psprintf(KEY_FOLDER "%.*s.pem", id.len, id.str),
								  "it is another key than the one that is trusted");
		return false;
	}
	return true;
}

/* Verifies a bundle with given keys, or with those of the registry. */
static JsonView
VerifyBundle(Span archive, const JsonView *given)
{
	JsonView	document;
	JsonView	key_ids;
	JsonView	inside;
	JsonView	keys;
	JsonView	report;
	JsonView	others;
	JsonView	result;
	Span		path;
	const char *problem = ReplayBundleRead(archive, &document, &key_ids, &inside, &path);

	if (problem)
		return DivergedBecause(JsonViewNull(), path.len > 0 ? pnstrdup(path.str, path.len) : "archive", problem);
	keys = given ? *given : RegistryEntries(&key_ids);
	if (EventsHold(&document, &keys, &report))
		report = ResultOfSteps(&document, &keys);
	JsonViewGetMember(&report, "result", &result);
	if (!JsonViewStringIs(&result, "diverged") && !KeysAreTrusted(&key_ids, &inside, &keys, &others))
		report = others;
	JsonViewSet(&report, "receipt_id", ReportableMember(&document, "receipt_id"));
	JsonViewSet(&report, "trace_id", ReportableMember(&document, "trace_id"));
	return report;
}

/*
 * SQL
 */

/* answer.replay_bundle_write(document, keys) */
PG_FUNCTION_INFO_V1(answer_eval_replay_bundle_write);
Datum
answer_eval_replay_bundle_write(PG_FUNCTION_ARGS)
{
	JsonView	document;
	JsonView	keys;
	Span		archive = {NULL, 0};
	const char *problem;
	bytea	   *result;

	JsonViewOfJsonb(PG_GETARG_JSONB_P(0), &document);
	JsonViewOfJsonb(PG_GETARG_JSONB_P(1), &keys);
	problem = ReplayBundleWrite(&document, &keys, &archive);
	if (problem)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("no bundle can be made of the document"),
				 errdetail("%s.", problem),
				 errhint("answer_verify() says whether the document is as it was signed; answer_keys() lists the public keys.")));
	result = palloc(VARHDRSZ + (Size) archive.len);
	SET_VARSIZE(result, VARHDRSZ + archive.len);
	memcpy(VARDATA(result), archive.str, archive.len);
	PG_RETURN_BYTEA_P(result);
}

/* answer.replay_verify(bundle, keys) */
PG_FUNCTION_INFO_V1(answer_eval_replay_verify);
Datum
answer_eval_replay_verify(PG_FUNCTION_ARGS)
{
	MemoryContext caller = CurrentMemoryContext;
	bool		registry = PG_ARGISNULL(1);
	bytea	   *bundle;
	JsonView	keys;
	JsonView	report;
	Jsonb	   *result;

	RequireArgument(fcinfo, 0, "bundle");
	LimitArgument(fcinfo, 0, BUNDLE_MAX_SIZE, "bundle");
	LimitArgument(fcinfo, 1, ARGUMENT_MAX_SIZE, "keys");
	bundle = PG_GETARG_BYTEA_PP(0);
	if (registry)
		SPI_connect();
	else
		JsonViewOfJsonb(PG_GETARG_JSONB_P(1), &keys);
	report = VerifyBundle(SpanOf(VARDATA_ANY(bundle), VARSIZE_ANY_EXHDR(bundle)), registry ? NULL : &keys);
	MemoryContextSwitchTo(caller);
	result = JsonViewToJsonb(&report, false);
	if (registry)
		SPI_finish();
	PG_RETURN_JSONB_P(result);
}
