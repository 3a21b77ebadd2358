/*-------------------------------------------------------------------------
 *
 * note.c
 *		Signed notes, checkpoints and cosignatures.
 *
 * Pure; ed25519.c makes and verifies signatures.  Rule: doc/spec/document.md
 * §7.4 to §7.6, which are the C2SP specifications signed-note,
 * tlog-checkpoint and tlog-cosignature.
 *
 * A note is a text, an empty line and signature lines:
 *
 *		origin of the log
 *		number of leaves
 *		base64 of the root hash
 *
 *		- name base64(key hash || signature)
 *
 * with an em dash instead of the hyphen.  The key hash binds a signature to a
 * name, an algorithm and a key.
 *
 * Promises: never raises an error because of a note's content.  Linear time.
 * A note can be read in one way only, so two verifiers that accept it read
 * the same.  Signatures by unknown keys are skipped, as the rule demands, so
 * that witnesses may add theirs.  If a signature names a known key and does
 * not verify, the note is invalid.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "mb/pg_wchar.h"
#include "miscadmin.h"

#include "base/base64.h"
#include "log/note.h"

#define EM_DASH			"\342\200\224"
#define SIGNATURE_START	EM_DASH " "

/* An algorithm byte and an Ed25519 key. */
#define VKEY_LENGTH		(1 + ED25519_KEY_LENGTH)

/*
 * small texts
 */

/* Takes the first line, without its newline; returns false if there is none. */
static bool
NextLine(Span *text, Span *line)
{
	const char *end = text->len > 0 ? memchr(text->str, '\n', text->len) : NULL;

	if (end == NULL)
		return false;
	*line = SpanOf(text->str, end - text->str);
	text->len -= line->len + 1;
	text->str = end + 1;
	return true;
}

/* Parses a number in plain decimal digits, without leading zeros, below 2^63. */
bool
DecimalParse(Span text, uint64 *value)
{
	*value = 0;
	if (text.len == 0 || (text.len > 1 && text.str[0] == '0'))
		return false;
	for (int i = 0; i < text.len; i++)
	{
		int			digit = text.str[i] - '0';

		if (digit < 0 || digit > 9 || *value > (PG_INT64_MAX - digit) / UINT64CONST(10))
			return false;
		*value = *value * 10 + digit;
	}
	return true;
}

bool
HashParse(Span text, MerkleHash *hash)
{
	return text.len == HASH_TEXT_LENGTH &&
		Base64Decode(text, hash->bytes, SHA256_LENGTH) == SHA256_LENGTH;
}

void
BigEndian64(uint64 value, uint8 *bytes)
{
	for (int i = 7; i >= 0; i--, value >>= 8)
		bytes[i] = value & 0xFF;
}

static uint64
ReadBigEndian64(const uint8 *bytes)
{
	uint64		value = 0;

	for (int i = 0; i < 8; i++)
		value = value << 8 | bytes[i];
	return value;
}

/* Is this character white space according to Unicode? */
static bool
IsSpace(pg_wchar c)
{
	return c == ' ' || (c >= 0x09 && c <= 0x0D) || c == 0x85 || c == 0xA0 || c == 0x1680 ||
		(c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F ||
		c == 0x205F || c == 0x3000;
}

/* Is it a valid name of a key: not empty, UTF-8, without white space and plus signs? */
bool
NoteNameIsValid(Span name)
{
	if (name.len == 0 || !pg_verify_mbstr(PG_UTF8, name.str, name.len, true))
		return false;
	for (int i = 0; i < name.len;)
	{
		pg_wchar	c = utf8_to_unicode((const unsigned char *) name.str + i);

		if (c == '+' || IsSpace(c))
			return false;
		i += pg_utf_mblen((const unsigned char *) name.str + i);
	}
	return true;
}

/*
 * keys
 */

/* Initializes a key.  Its hash covers name, newline, algorithm and public key. */
void
NoteKeyInit(NoteKey *key, Span name, uint8 alg, const uint8 *public_key)
{
	StringInfoData hashed;
	uint8		sha256[SHA256_LENGTH];

	key->name = name;
	key->alg = alg;
	memcpy(key->public_key, public_key, ED25519_KEY_LENGTH);
	initStringInfo(&hashed);
	appendBinaryStringInfo(&hashed, name.str, name.len);
	appendStringInfoChar(&hashed, '\n');
	appendStringInfoChar(&hashed, alg);
	appendBinaryStringInfo(&hashed, (const char *) public_key, ED25519_KEY_LENGTH);
	Sha256(hashed.data, hashed.len, sha256);
	memcpy(key->hash, sha256, NOTE_KEY_HASH_LENGTH);
	pfree(hashed.data);
}

/* Parses a vkey: name+hash+base64(algorithm || public key), with the hash in hex. */
bool
NoteKeyParse(Span vkey, NoteKey *key)
{
	const char *plus = vkey.len > 0 ? memchr(vkey.str, '+', vkey.len) : NULL;
	Span		name;
	Span		encoded;
	uint8		bytes[VKEY_LENGTH];
	char		hex[2 * NOTE_KEY_HASH_LENGTH + 1];

	if (plus == NULL)
		return false;
	name = SpanOf(vkey.str, plus - vkey.str);
	encoded = SpanOf(plus + 1 + 2 * NOTE_KEY_HASH_LENGTH + 1,
					 vkey.len - name.len - 2 - 2 * NOTE_KEY_HASH_LENGTH);
	if (!NoteNameIsValid(name) || encoded.len <= 0 || encoded.str[-1] != '+' ||
		Base64Decode(encoded, bytes, sizeof(bytes)) != VKEY_LENGTH ||
		(bytes[0] != NOTE_ALG_ED25519 && bytes[0] != NOTE_ALG_COSIGNATURE))
		return false;
	NoteKeyInit(key, name, bytes[0], bytes + 1);
	HexEncode(key->hash, NOTE_KEY_HASH_LENGTH, hex);
	return memcmp(hex, plus + 1, 2 * NOTE_KEY_HASH_LENGTH) == 0;
}

char *
NoteKeyFormat(const NoteKey *key)
{
	uint8		bytes[VKEY_LENGTH];
	char		hex[2 * NOTE_KEY_HASH_LENGTH + 1];
	char		encoded[BASE64_SIZE(VKEY_LENGTH)];

	bytes[0] = key->alg;
	memcpy(bytes + 1, key->public_key, ED25519_KEY_LENGTH);
	HexEncode(key->hash, NOTE_KEY_HASH_LENGTH, hex);
	Base64Encode(bytes, sizeof(bytes), encoded);
	return psprintf("%.*s+%.*s+%s", key->name.len, key->name.str,
					2 * NOTE_KEY_HASH_LENGTH, hex, encoded);
}

/*
 * writing
 */

/* Writes the text of a checkpoint that is signed. */
void
CheckpointText(StringInfo out, Span origin, uint64 tree_size, const MerkleHash *root)
{
	char		encoded[BASE64_SIZE(SHA256_LENGTH)];

	Base64Encode(root->bytes, SHA256_LENGTH, encoded);
	appendStringInfo(out, "%.*s\n" UINT64_FORMAT "\n%s\n", origin.len, origin.str,
					 tree_size, encoded);
}

/* Appends a signature line.  The prefix is the time of a cosignature, or empty. */
void
NoteSignatureLine(StringInfo out, const NoteKey *key, const uint8 *prefix, int prefix_len,
				  const uint8 *signature)
{
	uint8		bytes[NOTE_KEY_HASH_LENGTH + 8 + ED25519_SIGNATURE_LENGTH];
	char		encoded[BASE64_SIZE(sizeof(bytes))];
	int			len = NOTE_KEY_HASH_LENGTH;

	Assert(prefix_len <= 8);
	memcpy(bytes, key->hash, NOTE_KEY_HASH_LENGTH);
	if (prefix_len > 0)
		memcpy(bytes + len, prefix, prefix_len);
	len += prefix_len;
	memcpy(bytes + len, signature, ED25519_SIGNATURE_LENGTH);
	len += ED25519_SIGNATURE_LENGTH;
	Base64Encode(bytes, len, encoded);
	appendStringInfo(out, SIGNATURE_START "%.*s %s\n", key->name.len, key->name.str, encoded);
}

/* Writes what a witness signs: when it saw the checkpoint, and the checkpoint. */
void
CosignatureMessage(StringInfo out, Span text, uint64 time)
{
	appendStringInfo(out, "cosignature/v1\ntime " UINT64_FORMAT "\n", time);
	appendBinaryStringInfo(out, text.str, text.len);
}

/*
 * reading
 */

/* Is it valid UTF-8, without control characters of ASCII except newlines? */
static bool
IsNoteText(Span text)
{
	for (int i = 0; i < text.len; i++)
	{
		if ((unsigned char) text.str[i] < 0x20 && text.str[i] != '\n')
			return false;
	}
	return pg_verify_mbstr(PG_UTF8, text.str, text.len, true);
}

/* Parses "- name base64", where the hyphen is an em dash. */
static bool
ParseSignatureLine(Span line, NoteSignature *signature)
{
	int			start = strlen(SIGNATURE_START);
	const char *space;
	Span		encoded;
	uint8	   *bytes;
	int			len;

	if (line.len <= start || memcmp(line.str, SIGNATURE_START, start) != 0)
		return false;
	space = memchr(line.str + start, ' ', line.len - start);
	if (space == NULL)
		return false;
	signature->name = SpanOf(line.str + start, space - line.str - start);
	encoded = SpanOf(space + 1, line.str + line.len - space - 1);
	bytes = palloc(encoded.len + 1);
	len = Base64Decode(encoded, bytes, encoded.len);
	if (!NoteNameIsValid(signature->name) || len <= NOTE_KEY_HASH_LENGTH)
		return false;
	memcpy(signature->hash, bytes, NOTE_KEY_HASH_LENGTH);
	signature->bytes = bytes + NOTE_KEY_HASH_LENGTH;
	signature->len = len - NOTE_KEY_HASH_LENGTH;
	return true;
}

/* Finds the last empty line, and returns the length of the text before it, with its newline. */
static int
TextLength(Span text)
{
	for (int i = text.len - 1; i > 0; i--)
	{
		if (text.str[i] == '\n' && text.str[i - 1] == '\n')
			return i;
	}
	return -1;
}

/* Parses a signed note.  Returns NULL, or why it is not one. */
const char *
NoteParse(Span text, Note *note)
{
	int			len;
	Span		rest;
	Span		line;

	memset(note, 0, sizeof(*note));
	note->whole = text;
	if (text.len > NOTE_MAX_SIZE)
		return "the note is too long";
	if (!IsNoteText(text))
		return "the note is not plain UTF-8 text";
	len = TextLength(text);
	if (len < 0)
		return "the note has no empty line before its signatures";
	if (text.str[text.len - 1] != '\n')
		return "the note does not end with a newline";
	note->text = SpanOf(text.str, len);
	note->signatures = palloc(sizeof(NoteSignature) * NOTE_MAX_SIGNATURES);
	rest = SpanOf(text.str + len + 1, text.len - len - 1);
	while (NextLine(&rest, &line))
	{
		CHECK_FOR_INTERRUPTS();
		if (note->count == NOTE_MAX_SIGNATURES)
			return "the note has too many signatures";
		if (!ParseSignatureLine(line, &note->signatures[note->count]))
			return "a signature line is malformed";
		note->count++;
	}
	return note->count > 0 ? NULL : "the note has no signature";
}

/* Parses a checkpoint.  Returns NULL, or why it is not one. */
const char *
CheckpointParse(Span text, Checkpoint *checkpoint)
{
	const char *problem = NoteParse(text, &checkpoint->note);
	Span		rest = checkpoint->note.text;
	Span		line;

	if (problem)
		return problem;
	if (!NextLine(&rest, &checkpoint->origin) || checkpoint->origin.len == 0)
		return "the checkpoint has no origin";
	if (!NextLine(&rest, &line) || !DecimalParse(line, &checkpoint->tree_size))
		return "the checkpoint has no tree size";
	if (!NextLine(&rest, &line) || !HashParse(line, &checkpoint->root))
		return "the checkpoint has no root hash";
	while (NextLine(&rest, &line))
	{
		if (line.len == 0)
			return "the checkpoint has an empty line";
	}
	return NULL;
}

/*
 * verifying
 */

static bool
VerifyWithKey(const Note *note, const NoteSignature *signature, const NoteKey *key,
			  uint64 *time)
{
	StringInfoData message;
	bool		ok;

	*time = 0;
	if (key->alg == NOTE_ALG_ED25519)
		return signature->len == ED25519_SIGNATURE_LENGTH &&
			SignatureVerify(key->public_key, note->text.str, note->text.len,
							signature->bytes);
	if (signature->len != 8 + ED25519_SIGNATURE_LENGTH)
		return false;
	*time = ReadBigEndian64(signature->bytes);
	if (*time > PG_INT64_MAX)
		return false;
	initStringInfo(&message);
	CosignatureMessage(&message, note->text, *time);
	ok = SignatureVerify(key->public_key, message.data, message.len, signature->bytes + 8);
	pfree(message.data);
	return ok;
}

/* Do two signatures claim to be by the same key? */
bool
NoteSignatureNamesSameKey(const NoteSignature *a, const NoteSignature *b)
{
	return SpanEqual(a->name, b->name) && memcmp(a->hash, b->hash, NOTE_KEY_HASH_LENGTH) == 0;
}

/* Finds the key that a signature names, and verifies with it. */
NoteSignatureState
NoteSignatureCheck(const Note *note, const NoteSignature *signature, const NoteKey *keys,
				   int nkeys, const NoteKey **key, uint64 *time)
{
	NoteSignatureState state = NOTE_SIGNATURE_UNKNOWN;

	*key = NULL;
	*time = 0;
	for (int i = 0; i < nkeys; i++)
	{
		if (!SpanEqual(keys[i].name, signature->name) ||
			memcmp(keys[i].hash, signature->hash, NOTE_KEY_HASH_LENGTH) != 0)
			continue;
		*key = &keys[i];
		if (VerifyWithKey(note, signature, &keys[i], time))
			return NOTE_SIGNATURE_VERIFIED;
		state = NOTE_SIGNATURE_INVALID; /* unless four-byte hashes collided */
	}
	return state;
}

/* Makes one signature's entry in a report. */
static JsonView
SignatureEntry(const NoteSignature *signature, NoteSignatureState state, const NoteKey *key,
			   uint64 time)
{
	static const char *const states[] = {"unknown", "verified", "invalid"};
	JsonView	entry = JsonViewNewObject(5);
	char	   *hex = palloc(2 * NOTE_KEY_HASH_LENGTH + 1);

	HexEncode(signature->hash, NOTE_KEY_HASH_LENGTH, hex);
	JsonViewSet(&entry, "name", JsonViewString(signature->name.str, signature->name.len));
	JsonViewSet(&entry, "key_hash", JsonViewString(hex, 2 * NOTE_KEY_HASH_LENGTH));
	JsonViewSet(&entry, "state", JsonViewCString(states[state]));
	if (state == NOTE_SIGNATURE_VERIFIED)
		JsonViewSet(&entry, "kind",
					JsonViewCString(key->alg == NOTE_ALG_COSIGNATURE ? "cosignature" : "signature"));
	if (state == NOTE_SIGNATURE_VERIFIED && key->alg == NOTE_ALG_COSIGNATURE)
		JsonViewSet(&entry, "time", JsonViewInteger(time));
	return entry;
}

/*
 * Verifies a checkpoint's signatures.  One by the log itself, whose name is the origin,
 * must verify, and none by a given key may fail.  Returns NULL, or what is wrong; adds
 * an entry for each signature to the array.
 */
const char *
CheckpointProblem(const Checkpoint *checkpoint, const NoteKey *keys, int nkeys,
				  JsonView *signatures)
{
	bool		own = false;
	bool		invalid = false;

	*signatures = JsonViewNewArray(checkpoint->note.count);
	for (int i = 0; i < checkpoint->note.count; i++)
	{
		const NoteSignature *signature = &checkpoint->note.signatures[i];
		const NoteKey *key;
		uint64		time;
		NoteSignatureState state;

		CHECK_FOR_INTERRUPTS();
		state = NoteSignatureCheck(&checkpoint->note, signature, keys, nkeys, &key, &time);
		JsonViewAppend(signatures, SignatureEntry(signature, state, key, time));
		if (state == NOTE_SIGNATURE_INVALID)
			invalid = true;
		if (state == NOTE_SIGNATURE_VERIFIED && key->alg == NOTE_ALG_ED25519 &&
			SpanEqual(signature->name, checkpoint->origin))
			own = true;
	}
	if (invalid)
		return "a signature by a known key does not match";
	return own ? NULL : "no known key of the log has signed the checkpoint";
}
