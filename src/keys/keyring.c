/*-------------------------------------------------------------------------
 *
 * keyring.c
 *		Ed25519 keys and signatures.
 *
 * Rule: RFC 8032 for the algorithm, RFC 4648 section 5 for base64url, DF-VERIFY/1
 * for what is signed.  Every primitive is OpenSSL's; this file and rfc3161.c
 * are the only ones that know it.
 *
 * Where a private key lives: in a PEM file of mode 0600, in a directory that a
 * superuser names, and in the memory of the backend that signs.  It never
 * enters a table, the WAL, a log line or an error.  The registry holds public
 * halves only.
 *
 * Whose private key it is: a key belongs to one database.  It lies in a folder
 * of that database, whose random name the registry repeats, and a file in the
 * folder says which database that is.  A row of the registry without such a
 * file is no key: neither a copy of a database nor somebody who writes a row
 * signs with the keys of another.
 *
 * Promises: an OpenSSL object that lives across something that can raise is
 * either the one cached key, which belongs to the process, or held by a
 * SigningKey, which lets go of it with its memory context.  User code may run
 * while a key is held: it can rotate, retire or replace the cached key, but not
 * free the one that is held.  A key that cannot be loaded is an error with a
 * hint, never an unsigned receipt and never another algorithm.
 *
 * Which key signs is decided together with the receipt's instant, under a lock
 * that a rotation takes exclusively: so no receipt is ever dated outside the
 * life of the key that signed it, and signers wait for a rotation's commit at
 * the most.
 *
 * The first key is made when one is first needed, not when the extension is
 * created: a restored registry is then what it was, with one active key.  A
 * key's life only ever gets shorter: the functions below say so in words, a
 * trigger and constraints hold everybody else to it (sql/keys/keyring.sql).
 *
 * Public keys come in as PEM (RFC 7468), as JWK (RFC 7517, RFC 8037) or as the
 * base64url that answer_keys() writes.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "access/xact.h"
#include "access/xlog.h"
#include "catalog/indexing.h"
#include "catalog/namespace.h"
#include "catalog/pg_authid.h"
#include "catalog/pg_db_role_setting.h"
#include "catalog/pg_type.h"
#include "commands/dbcommands.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "lib/ilist.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "port.h"
#include "storage/fd.h"
#include "storage/latch.h"
#include "storage/lock.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"
#include "utils/uuid.h"
#include "utils/wait_event.h"

#include "base/canonical.h"
#include "base/enums.h"
#include "base/funcargs.h"
#include "base/owner.h"
#include "base/rfc3339.h"
#include "base/settings.h"
#include "base/spi_query.h"
#include "base/tenant.h"
#include "keys/keyring.h"

#define PEM_MAX_SIZE	4096

/* A public key that is brought in, in the longest of its forms. */
#define PUBLIC_KEY_MAX_SIZE	4096
#define PEM_BEGIN	"-----BEGIN "

/* A field of advisory lock tags that pg_advisory_lock's callers cannot set. */
#define KEY_LOCK_CLASS	0xAE
#define KEY_LOCK_FIELD4	0xAE

/* The file in a folder of keys that says whose they are. */
#define BINDING_NAME		"database"
#define BINDING_MAX_SIZE	512

/* Remembered attestations: how many, see SigningKeyAttest. */
#define ATTESTATION_SLOTS	1024

/* The last key that this process loaded. */
static struct
{
	char		key_id[KEY_ID_LENGTH + 1];
	EVP_PKEY   *private_key;
	struct stat file;			/* as it was then */
}			loaded;

/* The last folder that was found to be this database's. */
static struct
{
	char		folder[KEY_FOLDER_LENGTH + 1];
	Oid			registry;
	struct stat file;			/* its binding, as it was then */
}			bound;

/*
 * A private key in use: it outlives what happens to the cached one, and goes
 * with the memory context that it was chosen in.
 */
typedef struct HeldKey
{
	dlist_node	node;
	MemoryContextCallback callback;
	EVP_PKEY   *private_key;
	char		key_id[KEY_ID_LENGTH + 1];
	TimestampTz chosen_at;
} HeldKey;

static dlist_head held_keys = DLIST_STATIC_INIT(held_keys);

/*
 * base64 and base64url
 */

static const char base64[] =
"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static const char base64url[] =
"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

static void
Encode(const char *alphabet, const uint8 *bytes, int len, char *text)
{
	for (int i = 0; i < len; i += 3)
	{
		uint32		group = bytes[i] << 16;

		if (i + 1 < len)
			group |= bytes[i + 1] << 8;
		if (i + 2 < len)
			group |= bytes[i + 2];
		*text++ = alphabet[group >> 18];
		*text++ = alphabet[(group >> 12) & 63];
		*text++ = i + 1 < len ? alphabet[(group >> 6) & 63] : '=';
		*text++ = i + 2 < len ? alphabet[group & 63] : '=';
	}
	*text = '\0';
}

static int
Decode(const char *alphabet, Span text, uint8 *bytes, int size)
{
	uint32		group = 0;
	int			bits = 0;
	int			n = 0;
	int			digits = text.len;

	while (digits > 0 && text.str[digits - 1] == '=')
		digits--;
	if (digits < text.len && (text.len % 4 != 0 || text.len - digits > 2))
		return -1;
	if (digits % 4 == 1)
		return -1;
	for (int i = 0; i < digits; i++)
	{
		const char *digit = text.str[i] ? strchr(alphabet, text.str[i]) : NULL;

		if (digit == NULL)
			return -1;
		group = (group << 6 | (uint32) (digit - alphabet)) & 0xFFFFFF;
		bits += 6;
		if (bits >= 8)
		{
			if (n == size)
				return -1;
			bits -= 8;
			bytes[n++] = group >> bits;
		}
	}
	/* bits that belong to no byte must be zero, or the text could vary */
	return (group & ((1U << bits) - 1)) == 0 ? n : -1;
}

/* Encodes with padding and a terminator: BASE64_SIZE(len) bytes. */
void
Base64UrlEncode(const uint8 *bytes, int len, char *text)
{
	Encode(base64url, bytes, len, text);
}

void
Base64Encode(const uint8 *bytes, int len, char *text)
{
	Encode(base64, bytes, len, text);
}

/*
 * Decodes, padded or not.  Returns the number of bytes, or -1 if the text is
 * not the encoding of what it stands for, or too long.
 */
int
Base64UrlDecode(Span text, uint8 *bytes, int size)
{
	return Decode(base64url, text, bytes, size);
}

/* The same for the standard alphabet, where the padding must be there. */
int
Base64Decode(Span text, uint8 *bytes, int size)
{
	return text.len % 4 == 0 ? Decode(base64, text, bytes, size) : -1;
}

/*
 * OpenSSL
 */

/* Takes the first reason off OpenSSL's queue and leaves the queue empty. */
static void
OpensslReason(char *reason, size_t size)
{
	unsigned long code = ERR_get_error();

	if (code != 0)
		ERR_error_string_n(code, reason, size);
	else
		strlcpy(reason, "no reason given", size);
	ERR_clear_error();
}

static void
OpensslFailed(const char *what)
{
	char		reason[256];

	OpensslReason(reason, sizeof(reason));
	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 errmsg("could not %s with OpenSSL", what),
			 errdetail("%s.", reason),
			 errhint("Ed25519 must be available in the OpenSSL that the server runs with; some FIPS configurations withhold it.")));
}

/* The id of a public key: a prefix and the first hex digits of its SHA-256. */
static void
KeyIdOf(const uint8 *public_key, char *key_id)
{
	uint8		sha256[SHA256_LENGTH];

	Sha256(public_key, ED25519_KEY_LENGTH, sha256);
	memcpy(key_id, KEY_ID_PREFIX, 11);
	HexEncode(sha256, 6, key_id + 11);
	key_id[KEY_ID_LENGTH] = '\0';
}

static bool
PublicHalf(EVP_PKEY *pkey, uint8 *public_key)
{
	size_t		len = ED25519_KEY_LENGTH;

	return EVP_PKEY_get_raw_public_key(pkey, public_key, &len) == 1 &&
		len == ED25519_KEY_LENGTH;
}

/* The raw public half of a loaded key. */
bool
SigningKeyPublic(const SigningKey *key, uint8 *public_key)
{
	bool		ok = PublicHalf(key->private_key, public_key);

	ERR_clear_error();
	return ok;
}

/*
 * User code that ran since the key was chosen may have dropped the extension and
 * created it again.  The registry is then another one, without this key.
 */
static void
RequireRegistry(const SigningKey *key)
{
	if (AnswerTable("signing_key") == key->registry)
		return;
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("the extension answer_eval was dropped and created again during the call"),
			 errdetail("The registry does not have the key \"%s\" any more, which was to sign.", key->key_id),
			 errhint("Call again, with a tool that does not do this.")));
}

/* Signs; writes the raw signature. */
void
SigningKeySignRaw(const SigningKey *key, const void *message, size_t len,
				  uint8 *signature)
{
	size_t		signature_len = ED25519_SIGNATURE_LENGTH;
	EVP_MD_CTX *ctx;
	bool		ok;

	RequireRegistry(key);
	ERR_clear_error();
	ctx = EVP_MD_CTX_new();
	ok = ctx != NULL &&
		EVP_DigestSignInit(ctx, NULL, NULL, NULL, key->private_key) == 1 &&
		EVP_DigestSign(ctx, signature, &signature_len, message, len) == 1 &&
		signature_len == ED25519_SIGNATURE_LENGTH;
	EVP_MD_CTX_free(ctx);
	if (!ok)
		OpensslFailed("sign");
}

/* Signs; writes padded base64url and a terminator. */
void
SigningKeySign(const SigningKey *key, const char *message, size_t len, char *signature)
{
	uint8		raw[ED25519_SIGNATURE_LENGTH];

	SigningKeySignRaw(key, message, len, raw);
	Base64UrlEncode(raw, sizeof(raw), signature);
}

/*
 * Is it a point of small order?  Under such a key, which nobody has the
 * private half of, signatures can be made for anything by anybody.  These are
 * all encodings of the y of those points, the reduced ones and the others.
 */
static bool
HasSmallOrder(const uint8 *public_key)
{
	static const uint8 order_8[2][ED25519_KEY_LENGTH] = {
		{0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4, 0x89, 0xf2, 0xef, 0x98, 0xf0,
			0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6, 0x33, 0x39, 0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53, 0xfc, 0x05},
		{0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f, 0xba, 0x3c, 0x0b, 0x76, 0x0d, 0x10, 0x67, 0x0f,
			0x2a, 0x20, 0x53, 0xfa, 0x2c, 0x39, 0xcc, 0xc6, 0x4e, 0xc7, 0xfd, 0x77, 0x92, 0xac, 0x03, 0x7a}
	};
	uint8		y[ED25519_KEY_LENGTH];
	int			i = 1;

	memcpy(y, public_key, sizeof(y));
	y[31] &= 0x7F;				/* the top bit is the sign of x */
	if (memcmp(y, order_8[0], sizeof(y)) == 0 || memcmp(y, order_8[1], sizeof(y)) == 0)
		return true;
	/* 0 and 1; or p - 1, p and p + 1, which are ec, ed, ee, then ff and 7f */
	if (y[0] <= 1)
	{
		while (i < 32 && y[i] == 0)
			i++;
		return i == 32;
	}
	while (i < 31 && y[i] == 0xFF)
		i++;
	return i == 31 && y[31] == 0x7F && y[0] >= 0xEC && y[0] <= 0xEE;
}

/*
 * Verifies a detached signature.  Never raises.  Under a public key of small
 * order no signature is good, for anybody can make one, whoever gave the key.
 */
bool
SignatureVerify(const uint8 *public_key, const char *message, size_t len,
				const uint8 *signature)
{
	EVP_PKEY   *pkey;
	EVP_MD_CTX *ctx = NULL;
	bool		ok;

	if (HasSmallOrder(public_key))
		return false;
	pkey = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, NULL, public_key,
									   ED25519_KEY_LENGTH);
	if (pkey)
		ctx = EVP_MD_CTX_new();
	ok = ctx != NULL &&
		EVP_DigestVerifyInit(ctx, NULL, NULL, NULL, pkey) == 1 &&
		EVP_DigestVerify(ctx, signature, ED25519_SIGNATURE_LENGTH,
						 (const uint8 *) message, len) == 1;
	EVP_MD_CTX_free(ctx);
	EVP_PKEY_free(pkey);
	ERR_clear_error();
	return ok;
}

/*
 * Signs a fact's digest.  A fact from an unchanged reading is the same fact
 * each time, and Ed25519 is deterministic, so the signature of a digest that
 * this process signed lately with this key is remembered, not made again.
 */
void
SigningKeyAttest(const SigningKey *key, const char *digest, char *signature)
{
	typedef struct Slot
	{
		char		key_id[KEY_ID_LENGTH + 1];
		char		digest[DIGEST_TEXT_LENGTH + 1];
		char		signature[SIGNATURE_TEXT_LENGTH + 1];
	} Slot;
	static Slot *slots = NULL;
	Slot	   *slot;
	uint32		hash = 0;

	RequireRegistry(key);
	if (slots == NULL)
		slots = MemoryContextAllocZero(TopMemoryContext,
									   sizeof(Slot) * ATTESTATION_SLOTS);
	for (int i = 0; i < 8; i++)		/* digits of a SHA-256 are as good as a hash */
		hash = hash * 16 + (digest[7 + i] >= 'a' ? digest[7 + i] - 'a' + 10 : digest[7 + i] - '0');
	/* two places for each digest; the one it is not in is the older */
	slot = &slots[hash % (ATTESTATION_SLOTS / 2) * 2];
	if (strcmp(slot[1].digest, digest) == 0)
	{
		Slot		recent = slot[1];

		slot[1] = slot[0];
		slot[0] = recent;
	}
	if (strcmp(slot->key_id, key->key_id) != 0 || strcmp(slot->digest, digest) != 0)
	{
		slot[1] = slot[0];
		SigningKeySign(key, digest, DIGEST_TEXT_LENGTH, signature);
		strlcpy(slot->key_id, key->key_id, sizeof(slot->key_id));
		strlcpy(slot->digest, digest, sizeof(slot->digest));
		strlcpy(slot->signature, signature, sizeof(slot->signature));
		return;
	}
	strlcpy(signature, slot->signature, SIGNATURE_TEXT_LENGTH + 1);
}

/* The object that carries a signature in a fact or a receipt. */
JsonView
SignatureView(const SigningKey *key, const char *signature)
{
	JsonView	view = JsonViewNewObject(4);

	JsonViewSet(&view, "alg", JsonViewCString(SIGNATURE_ALG));
	JsonViewSet(&view, "key_id", JsonViewCString(key->key_id));
	JsonViewSet(&view, "canonicalization", JsonViewCString(SIGNATURE_CANONICALIZATION));
	JsonViewSet(&view, "sig", JsonViewString(pstrdup(signature), SIGNATURE_TEXT_LENGTH));
	return view;
}

/*
 * public keys from elsewhere
 */

static bool
HoldsAt(Span text, const char *other, int at)
{
	int			len = strlen(other);

	return len <= text.len - at && memcmp(text.str + at, other, len) == 0;
}

/* Does a text hold another, there or later? */
static bool
Holds(Span text, const char *other, int from)
{
	for (int i = from; i < text.len; i++)
	{
		if (HoldsAt(text, other, i))
			return true;
	}
	return false;
}

/* Nothing but white space left to read? */
static bool
IsReadToEnd(BIO *bio)
{
	char		c;

	while (BIO_read(bio, &c, 1) == 1)
	{
		if (c != ' ' && c != '\t' && c != '\r' && c != '\n')
			return false;
	}
	return true;
}

/*
 * Reads one PEM block with a SubjectPublicKeyInfo and nothing else.  Returns
 * NULL, or what is wrong with it.  Raises nothing.
 */
static const char *
ReadPublicPem(Span pem, uint8 *public_key)
{
	BIO		   *bio = BIO_new_mem_buf(pem.str, pem.len);
	char	   *name = NULL;
	char	   *header = NULL;
	uint8	   *der = NULL;
	uint8	   *again = NULL;
	const uint8 *end;
	long		len;
	EVP_PKEY   *pkey = NULL;
	const char *problem = NULL;

	/* OpenSSL would skip what it does not take for the beginning of a block */
	if (Holds(pem, PEM_BEGIN, 1))
		problem = "It is more than one PEM block.";
	else if (bio == NULL || PEM_read_bio(bio, &name, &header, &der, &len) != 1)
		problem = "The PEM block is not well formed.";
	else if (strcmp(name, PEM_STRING_PUBLIC) != 0 || header[0] != '\0')
		problem = "The PEM block is no PUBLIC KEY.";
	else if (!IsReadToEnd(bio))
		problem = "Something follows the PEM block.";
	else
	{
		end = der;
		pkey = d2i_PUBKEY(NULL, &end, len);
		if (pkey == NULL || end != der + len)
			problem = "The PEM block holds no SubjectPublicKeyInfo of a known kind.";
		else if (EVP_PKEY_get_base_id(pkey) != EVP_PKEY_ED25519 || !PublicHalf(pkey, public_key))
			problem = "It is a key of another algorithm.";
		/* one spelling: the decoder is laxer than DER */
		else if (i2d_PUBKEY(pkey, &again) != len || memcmp(again, der, len) != 0)
			problem = "The PEM block is not DER.";
	}
	EVP_PKEY_free(pkey);
	OPENSSL_free(again);
	OPENSSL_free(name);
	OPENSSL_free(header);
	OPENSSL_free(der);
	BIO_free(bio);
	ERR_clear_error();
	return problem;
}

/* Is a member missing, or else one of two strings? */
static bool
JwkAllows(const JsonView *jwk, const char *name, const char *one, const char *other)
{
	JsonView	member;

	return !JsonViewGet(jwk, name, strlen(name), &member) ||
		JsonViewStringIs(&member, one) || JsonViewStringIs(&member, other);
}

/*
 * Reads a JSON Web Key.  Returns NULL, or what is wrong with it.  Members that
 * RFC 7517 and RFC 8037 do not name are ignored, as they say.
 */
static const char *
ReadJwk(Span text, uint8 *public_key, bool *is_private)
{
	JsonView	jwk;
	JsonView	member;
	size_t		where;
	Span		utf8;
	Span		x;

	utf8.str = JsonServerToUtf8(text.str, text.len, &utf8.len);
	if (JsonViewOfText(utf8.str, utf8.len, &jwk, &where) != JSON_TEXT_OK ||
		jwk.type != JVIEW_OBJECT)
		return "The JWK is not well formed.";
	*is_private = JsonViewGet(&jwk, "d", 1, &member);
	JsonViewGet(&jwk, "kty", 3, &member);
	if (!JsonViewStringIs(&member, "OKP"))
		return "The JWK's kty is not OKP.";
	JsonViewGet(&jwk, "crv", 3, &member);
	if (!JsonViewStringIs(&member, "Ed25519"))
		return "The JWK's crv is not Ed25519.";
	if (!JwkAllows(&jwk, "use", "sig", "sig") || !JwkAllows(&jwk, "alg", "EdDSA", "Ed25519"))
		return "The JWK's use or alg is not that of a key that signs.";
	/* RFC 7515 has no padding */
	if (!JsonViewGetString(&jwk, "x", &x.str, &x.len) || x.len != 43 ||
		Base64UrlDecode(x, public_key, ED25519_KEY_LENGTH) != ED25519_KEY_LENGTH)
		return "The JWK's x is not the base64url of 32 bytes, without padding.";
	return NULL;
}

static Span
Trimmed(Span text)
{
	static const char space[] = " \t\r\n";

	while (text.len > 0 && strchr(space, text.str[0]))
	{
		text.str++;
		text.len--;
	}
	while (text.len > 0 && strchr(space, text.str[text.len - 1]))
		text.len--;
	return text;
}

/*
 * Keeps the statement and the context of whatever is raised out of the log,
 * parameters and the lines of a function that called us included: who mistakes
 * the private half of a key for the public one shall not find it there.
 */
static void
HideFromLog(void *arg)
{
	errhidestmt(true);
	errhidecontext(true);
}

/* Reads a public key in any of the forms that we take, or raises. */
static void
ReadPublicKey(Span text, uint8 *public_key)
{
	bool		is_private = false;
	const char *problem = NULL;

	text = Trimmed(text);
	if (text.len > PUBLIC_KEY_MAX_SIZE)
		problem = "It is too long.";
	else if (Holds(text, "PRIVATE KEY", 0))
		is_private = true;
	else if (text.len > 0 && text.str[0] == '{')
		problem = ReadJwk(text, public_key, &is_private);
	else if (HoldsAt(text, PEM_BEGIN, 0))
		problem = ReadPublicPem(text, public_key);
	else if (Base64UrlDecode(text, public_key, ED25519_KEY_LENGTH) != ED25519_KEY_LENGTH)
		problem = "It is neither PEM, nor a JWK, nor the base64url of 32 bytes.";

	if (is_private)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("public_key holds a private key"),
				 errdetail("It was not stored."),
				 errhint("It has left the place where it was safe: do not use it any more. The public half of a key is what \"openssl pkey -pubout\" writes.")));
	if (problem == NULL && HasSmallOrder(public_key))
		problem = "It is a point of small order, for which anybody can sign.";
	if (problem)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("public_key is not an Ed25519 public key"),
				 errdetail("%s", problem)));
}

/*
 * private key files
 */

/* Appends to a path; raises if it would be cut off. */
static void
AppendPath(char *path, const char *part)
{
	if (strlcat(path, part, MAXPGPATH) >= MAXPGPATH - sizeof(".new"))
		ereport(ERROR,
				(errcode(ERRCODE_CONFIG_FILE_ERROR),
				 errmsg("the path of the key directory is too long"),
				 errhint("Set answer_eval.key_directory to a shorter one.")));
}

/* The path of the key directory, of a folder in it, or of a file in the folder. */
static void
KeyPath(const char *folder, const char *name, const char *suffix, char *path)
{
	const char *directory = answer_eval_key_directory;

	if (directory[0] == '\0')
		directory = "answer_eval_keys";
	path[0] = '\0';
	if (!is_absolute_path(directory))
	{
		AppendPath(path, DataDir);
		AppendPath(path, "/");
	}
	AppendPath(path, directory);
	if (folder == NULL)
		return;
	AppendPath(path, "/");
	AppendPath(path, folder);
	if (name == NULL)
		return;
	AppendPath(path, "/");
	AppendPath(path, name);
	AppendPath(path, suffix);
}

/* The path of a file that lies beside a key. */
void
SigningKeyFile(const SigningKey *key, const char *name, char *path)
{
	KeyPath(key->folder, name, "", path);
}

static void
MissingKey(const char *key_id, const char *detail)
{
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("private signing key \"%s\" cannot be used", key_id),
			 errdetail("%s", detail),
			 errhint("Put the key's PEM file into this database's folder below the directory named by answer_eval.key_directory, owned by the server's user with mode 0600, or make a new key with answer_key_generate().")));
}

/*
 * Opens a file that decides over signatures; gives back its length or -1, and
 * then what is wrong with it.
 */
static int
ReadGuardedFile(const char *path, char *buffer, int size, struct stat *st, const char **problem)
{
	/* neither a link nor, waiting for a writer, a pipe */
	int			fd = OpenTransientFile(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | PG_BINARY);
	int			len = -1;

	if (fd < 0)
	{
		*problem = psprintf("cannot be opened: %s", strerror(errno));
		return -1;
	}
	if (fstat(fd, st) != 0 || !S_ISREG(st->st_mode) || st->st_uid != geteuid() ||
		(st->st_mode & (S_IRWXG | S_IRWXO)) != 0)
		*problem = "is not a regular file of the server's user with mode 0600";
	else
	{
		len = read(fd, buffer, size);
		if (len <= 0)
			*problem = "cannot be read or is empty";
	}
	CloseTransientFile(fd);
	return len <= 0 ? -1 : len;
}

/* Is a file still what it was when it was read? */
static bool
IsUnchanged(const char *path, const struct stat *then)
{
	struct stat now;

	return lstat(path, &now) == 0 && now.st_ino == then->st_ino && now.st_dev == then->st_dev &&
		now.st_mode == then->st_mode && now.st_uid == then->st_uid &&
		now.st_size == then->st_size &&
		now.st_mtim.tv_sec == then->st_mtim.tv_sec && now.st_mtim.tv_nsec == then->st_mtim.tv_nsec &&
		now.st_ctim.tv_sec == then->st_ctim.tv_sec && now.st_ctim.tv_nsec == then->st_ctim.tv_nsec;
}

/*
 * whose keys a folder has
 */

/*
 * Which folders are this database's, also says the cluster: their names are a
 * setting of the bootstrap superuser in this database, KEY_FOLDERS_SETTING.  Such a
 * setting goes when the database is dropped, no copy of the database has it, and
 * nobody but a superuser sets it.  So a copy is no heir that gets the OID of the
 * original.  NULL if there are none.
 */
static char *
MarkedFolders(void)
{
	static const char name[] = KEY_FOLDERS_SETTING "=";
	Relation	relation = table_open(DbRoleSettingRelationId, AccessShareLock);
	ScanKeyData keys[2];
	SysScanDesc scan;
	HeapTuple	tuple;
	char	   *marked = NULL;

	ScanKeyInit(&keys[0], Anum_pg_db_role_setting_setdatabase, BTEqualStrategyNumber,
				F_OIDEQ, ObjectIdGetDatum(MyDatabaseId));
	ScanKeyInit(&keys[1], Anum_pg_db_role_setting_setrole, BTEqualStrategyNumber,
				F_OIDEQ, ObjectIdGetDatum(BOOTSTRAP_SUPERUSERID));
	scan = systable_beginscan(relation, DbRoleSettingDatidRolidIndexId, true, NULL, 2, keys);
	tuple = systable_getnext(scan);
	if (HeapTupleIsValid(tuple))
	{
		bool		isnull;
		Datum		config = heap_getattr(tuple, Anum_pg_db_role_setting_setconfig,
										  RelationGetDescr(relation), &isnull);
		Datum	   *settings = NULL;
		int			count = 0;

		if (!isnull)
			deconstruct_array(DatumGetArrayTypeP(config), TEXTOID, -1, false, TYPALIGN_INT,
							  &settings, NULL, &count);
		for (int i = 0; i < count; i++)
		{
			char	   *setting = TextDatumGetCString(settings[i]);

			if (strncmp(setting, name, strlen(name)) == 0)
				marked = setting + strlen(name);
		}
	}
	systable_endscan(scan);
	table_close(relation, AccessShareLock);
	return marked;
}

static bool
IsFolderMarked(const char *folder)
{
	const char *marked = MarkedFolders();

	/* names of folders are all of one length */
	return marked && strstr(marked, folder) != NULL;
}

static void
MarkFolder(const char *folder)
{
	VariableSetStmt *set = makeNode(VariableSetStmt);
	A_Const    *value = makeNode(A_Const);
	const char *marked = MarkedFolders();
	Oid			user;
	int			context;

	if (IsFolderMarked(folder))
		return;
	value->val.sval.type = T_String;
	value->val.sval.sval = marked ? psprintf("%s %s", marked, folder) : pstrdup(folder);
	value->location = -1;
	set->kind = VAR_SET_VALUE;
	set->name = KEY_FOLDERS_SETTING;
	set->args = list_make1(value);
	GetUserIdAndSecContext(&user, &context);
	SetUserIdAndSecContext(BOOTSTRAP_SUPERUSERID, context | SECURITY_LOCAL_USERID_CHANGE);
	AlterSetting(MyDatabaseId, BOOTSTRAP_SUPERUSERID, set);
	SetUserIdAndSecContext(user, context);
	CommandCounterIncrement();
}

/*
 * What the file says that makes a folder this database's.  OIDs alone would not
 * do, because a database that is dropped leaves its OID to another; the folder's
 * name alone would not either, because a copy of the database has it too.
 */
static int
BindingText(const char *folder, char *text)
{
	return snprintf(text, BINDING_MAX_SIZE,
					"signing keys of one database of answer_eval\n"
					"system %llu\ndatabase %u\nregistry %u\nfolder %s\n",
					(unsigned long long) GetSystemIdentifier(), MyDatabaseId,
					AnswerTable("signing_key"), folder);
}

/* Reads what a folder's file says; -1 if it cannot be used. */
static int
ReadBinding(const char *folder, char *text, struct stat *st, const char **problem)
{
	char		path[MAXPGPATH];
	int			len;

	KeyPath(folder, BINDING_NAME, "", path);
	len = ReadGuardedFile(path, text, BINDING_MAX_SIZE - 1, st, problem);
	if (len >= 0)
		text[len] = '\0';
	return len;
}

/*
 * Is a folder this database's?  If not, says why not.
 */
static bool
IsFolderOurs(const char *folder, const char **problem)
{
	Oid			registry = AnswerTable("signing_key");
	char		path[MAXPGPATH];
	char		found[BINDING_MAX_SIZE];
	char		expected[BINDING_MAX_SIZE];
	struct stat st;

	KeyPath(folder, BINDING_NAME, "", path);
	if (strcmp(bound.folder, folder) == 0 && bound.registry == registry &&
		IsUnchanged(path, &bound.file))
		return true;
	if (ReadBinding(folder, found, &st, problem) < 0)
	{
		*problem = psprintf("the file that says whose keys lie in its folder %s", *problem);
		return false;
	}
	BindingText(folder, expected);
	if (strcmp(found, expected) != 0)
	{
		*problem = "its folder belongs to another database";
		return false;
	}
	if (!IsFolderMarked(folder))
	{
		*problem = "its folder is not among those that the cluster keeps as this database's in answer_eval.key_folders";
		return false;
	}
	bound.registry = registry;
	bound.file = st;
	strlcpy(bound.folder, folder, sizeof(bound.folder));
	return true;
}

static void
RequireOurs(const char *key_id, const char *folder)
{
	const char *problem = "no folder is known for it";

	if (folder[0] != '\0' && IsFolderOurs(folder, &problem))
		return;
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("this database has no private signing key of its own yet"),
			 errdetail("Its registry has the active key \"%s\", but %s.", key_id, problem),
			 errhint("Make a key with answer_key_generate(). If this database takes the place of the one that had the key, put that one's folder below the directory named by answer_eval.key_directory, and have a superuser call answer_key_adopt().")));
}

/*
 * passphrases
 */

#define PASSPHRASE_MAX_SIZE	1024

/* Replaces %p by what the passphrase is for, and %% by %, as ssl_passphrase_command has it. */
static char *
PassphraseCommand(const char *key_id)
{
	StringInfoData command;

	initStringInfo(&command);
	for (const char *c = answer_eval_key_passphrase_command; *c; c++)
	{
		if (c[0] == '%' && c[1] == 'p')
		{
			/* an id is letters, digits and hyphens: nothing that a shell would read */
			appendStringInfoString(&command, key_id);
			c++;
		}
		else if (c[0] == '%' && c[1] == '%')
			appendStringInfoChar(&command, *c++);
		else
			appendStringInfoChar(&command, *c);
	}
	return command.data;
}

/* The command's process, in a group of its own so that all of it can be ended. */
static pid_t
StartCommand(const char *command, int output[2])
{
	pid_t		pid;

	if (pipe(output) != 0)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not create a pipe: %m")));
	fflush(NULL);
	pid = fork();
	if (pid == 0)
	{
		(void) setpgid(0, 0);
		pqsignal(SIGPIPE, SIG_DFL);
		if (dup2(output[1], STDOUT_FILENO) >= 0)
		{
			close(output[0]);
			if (output[1] != STDOUT_FILENO)
				close(output[1]);
			execl("/bin/sh", "sh", "-c", command, (char *) NULL);
		}
		_exit(127);
	}
	close(output[1]);
	if (pid < 0)
	{
		close(output[0]);
		ereport(ERROR,
				(errcode(ERRCODE_SYSTEM_ERROR),
				 errmsg("could not start answer_eval.key_passphrase_command: %m")));
	}
	return pid;
}

/*
 * Reads to the end of the command's output, or until somebody cancels.  Returns
 * the length; what does not fit is read and dropped.
 */
static int
ReadOutput(int fd, char *buffer, int size)
{
	int			len = 0;

	for (;;)
	{
		char		rest[256];
		bool		is_full = len == size;
		int			event;
		ssize_t		n;

		event = WaitLatchOrSocket(MyLatch, WL_LATCH_SET | WL_SOCKET_READABLE | WL_EXIT_ON_PM_DEATH,
								  fd, -1, PG_WAIT_EXTENSION);
		if (event & WL_LATCH_SET)
			ResetLatch(MyLatch);
		CHECK_FOR_INTERRUPTS();
		if (!(event & WL_SOCKET_READABLE))
			continue;
		n = is_full ? read(fd, rest, sizeof(rest)) : read(fd, buffer + len, size - len);
		if (n < 0 && errno == EINTR)
			continue;
		if (is_full)
			OPENSSL_cleanse(rest, sizeof(rest));
		if (n <= 0)
			return len;
		if (!is_full)
			len += n;
	}
}

/* Waits for the end of the command, or until somebody cancels. */
static int
AwaitCommand(pid_t pid)
{
	int			status;
	pid_t		ended;

	while ((ended = waitpid(pid, &status, WNOHANG)) == 0 || (ended < 0 && errno == EINTR))
	{
		int			event = WaitLatch(MyLatch, WL_LATCH_SET | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH,
									  10, PG_WAIT_EXTENSION);

		if (event & WL_LATCH_SET)
			ResetLatch(MyLatch);
		CHECK_FOR_INTERRUPTS();
	}
	return ended < 0 ? -1 : status;
}

static void
KillCommand(pid_t pid)
{
	kill(-pid, SIGKILL);
	kill(pid, SIGKILL);			/* should it not have a group of its own yet */
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		 /* again */ ;
}

/*
 * Runs answer_eval.key_passphrase_command and gives its first line, without the
 * end of the line; returns its length.  Cancelling the statement ends the command.
 */
static int
ReadPassphrase(const char *key_id, char *passphrase)
{
	char	   *command = PassphraseCommand(key_id);
	int			output[2];
	pid_t		pid = StartCommand(command, output);
	volatile int status = 0;
	volatile int read_len = 0;
	int			len;

	PG_TRY();
	{
		read_len = ReadOutput(output[0], passphrase, PASSPHRASE_MAX_SIZE);
		status = AwaitCommand(pid);
	}
	PG_CATCH();
	{
		OPENSSL_cleanse(passphrase, PASSPHRASE_MAX_SIZE);
		close(output[0]);
		KillCommand(pid);
		PG_RE_THROW();
	}
	PG_END_TRY();
	close(output[0]);
	len = read_len;
	for (int i = 0; i < len; i++)
	{
		if (passphrase[i] == '\n' || passphrase[i] == '\r')
		{
			OPENSSL_cleanse(passphrase + i, len - i);
			len = i;
		}
	}
	if (status == 0 && len > 0 && len < PASSPHRASE_MAX_SIZE)
		return len;
	OPENSSL_cleanse(passphrase, PASSPHRASE_MAX_SIZE);
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("answer_eval.key_passphrase_command gave no passphrase for key \"%s\"", key_id),
			 errdetail("%s", status != 0 ? psprintf("The %s.", wait_result_to_str(status)) :
					   len == 0 ? "The first line of its output is empty." :
					   "The first line of its output is too long."),
			 errhint("It must write the passphrase as its first line, of at most %d bytes, and end with status 0.",
					 PASSPHRASE_MAX_SIZE - 1)));
	return 0;
}

/* A passphrase in the server's memory; len is 0 if there is none. */
typedef struct Passphrase
{
	int			len;
	char		text[PASSPHRASE_MAX_SIZE];
} Passphrase;

/* Gives OpenSSL a passphrase.  Never asks a terminal for one. */
static int
GivePassphrase(char *buffer, int size, int writing, void *arg)
{
	const Passphrase *passphrase = arg;

	if (passphrase->len > size)
		return 0;
	memcpy(buffer, passphrase->text, passphrase->len);
	return passphrase->len;
}

/* Returns the private key, or NULL if the PEM is not the key of that id. */
static EVP_PKEY *
ParseKey(const char *pem, int len, const char *key_id, Passphrase *passphrase)
{
	BIO		   *bio = BIO_new_mem_buf(pem, len);
	EVP_PKEY   *pkey = bio ? PEM_read_bio_PrivateKey(bio, NULL, GivePassphrase, passphrase) : NULL;
	uint8		public_key[ED25519_KEY_LENGTH];
	bool		is_ed25519;

	BIO_free(bio);
	is_ed25519 = pkey != NULL && EVP_PKEY_get_base_id(pkey) == EVP_PKEY_ED25519 &&
		PublicHalf(pkey, public_key);
	if (is_ed25519)
	{
		char		actual[KEY_ID_LENGTH + 1];

		/* KeyIdOf can raise only out of memory; the key is the process's then */
		KeyIdOf(public_key, actual);
		if (strcmp(actual, key_id) == 0)
			return pkey;
	}
	EVP_PKEY_free(pkey);
	ERR_clear_error();
	return NULL;
}

/* Gets the passphrase for a PEM, if it needs one and there is a command for it. */
static void
PassphraseFor(const char *pem, int len, const char *key_id, Passphrase *passphrase)
{
	Span		text = {pem, len};

	passphrase->len = 0;
	if (answer_eval_key_passphrase_command[0] != '\0' && Holds(text, "ENCRYPTED", 0))
		passphrase->len = ReadPassphrase(key_id, passphrase->text);
}

/*
 * Loads the private key, unless it is the loaded one and its file unchanged.
 * The key belongs to the cache, which any other call may empty.
 */
static EVP_PKEY *
LoadKey(const char *key_id, const char *folder)
{
	char		path[MAXPGPATH];
	char		buffer[PEM_MAX_SIZE];
	const char *problem;
	Passphrase	passphrase;
	struct stat st;
	EVP_PKEY   *pkey;
	int			len;

	KeyPath(folder, key_id, ".pem", path);
	if (strcmp(loaded.key_id, key_id) == 0 && IsUnchanged(path, &loaded.file))
		return loaded.private_key;
	len = ReadGuardedFile(path, buffer, sizeof(buffer), &st, &problem);
	if (len < 0)
		MissingKey(key_id, psprintf("Its file %s.", problem));
	PG_TRY();
	{
		PassphraseFor(buffer, len, key_id, &passphrase);
	}
	PG_CATCH();
	{
		OPENSSL_cleanse(buffer, sizeof(buffer));
		PG_RE_THROW();
	}
	PG_END_TRY();
	ERR_clear_error();
	pkey = ParseKey(buffer, len, key_id, &passphrase);
	OPENSSL_cleanse(buffer, sizeof(buffer));
	OPENSSL_cleanse(&passphrase, sizeof(passphrase));
	if (pkey == NULL)
		MissingKey(key_id, answer_eval_key_passphrase_command[0] == '\0' ?
				   "Its file does not hold the Ed25519 private key of that id, or holds it under a passphrase and answer_eval.key_passphrase_command is not set." :
				   "Its file does not hold the Ed25519 private key of that id, or the passphrase is another one.");
	EVP_PKEY_free(loaded.private_key);
	loaded.private_key = pkey;
	loaded.file = st;
	strlcpy(loaded.key_id, key_id, sizeof(loaded.key_id));
	return pkey;
}

static void
ReleaseKey(void *arg)
{
	HeldKey    *held = arg;

	dlist_delete(&held->node);
	EVP_PKEY_free(held->private_key);
}

/* Has a SigningKey hold a key until the current memory context is reset. */
static void
HoldKey(SigningKey *key, EVP_PKEY *pkey, TimestampTz chosen_at)
{
	HeldKey    *held = palloc(sizeof(HeldKey));

	if (EVP_PKEY_up_ref(pkey) != 1)
		OpensslFailed("hold a key");
	held->private_key = pkey;
	held->chosen_at = chosen_at;
	strlcpy(held->key_id, key->key_id, sizeof(held->key_id));
	held->callback.func = ReleaseKey;
	held->callback.arg = held;
	dlist_push_head(&held_keys, &held->node);
	MemoryContextRegisterResetCallback(CurrentMemoryContext, &held->callback);
	key->private_key = pkey;
}

/*
 * The latest instant that a call which is under way here, and has called us in
 * turn, will sign with a key; DT_NOBEGIN if there is none.
 */
static TimestampTz
LatestUse(const char *key_id)
{
	TimestampTz latest = DT_NOBEGIN;
	dlist_iter	iter;

	dlist_foreach(iter, &held_keys)
	{
		HeldKey    *held = dlist_container(HeldKey, node, iter.cur);

		if (strcmp(held->key_id, key_id) == 0)
			latest = Max(latest, held->chosen_at);
	}
	return latest;
}

/*
 * making keys
 */

/* Iterations of PBKDF2 for a passphrase; the key is loaded once a session. */
#define PBKDF2_ITERATIONS	100000

/* Writes a key in PKCS #8, under a passphrase if there is one. */
static bool
WritePem(BIO *bio, EVP_PKEY *pkey, const Passphrase *passphrase)
{
	PKCS8_PRIV_KEY_INFO *info;
	X509_SIG   *encrypted;
	bool		ok;

	if (passphrase->len == 0)
		return PEM_write_bio_PKCS8PrivateKey(bio, pkey, NULL, NULL, 0, NULL, NULL) == 1;
	info = EVP_PKEY2PKCS8(pkey);
	encrypted = info == NULL ? NULL :
		PKCS8_encrypt(-1, EVP_aes_256_cbc(), passphrase->text, passphrase->len, NULL, 0,
					  PBKDF2_ITERATIONS, info);
	ok = encrypted != NULL && PEM_write_bio_PKCS8(bio, encrypted) == 1;
	X509_SIG_free(encrypted);
	PKCS8_PRIV_KEY_INFO_free(info);
	return ok;
}

/* Makes a key; NULL if OpenSSL cannot. */
static EVP_PKEY *
NewKey(uint8 *public_key)
{
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_id(EVP_PKEY_ED25519, NULL);
	EVP_PKEY   *pkey = NULL;
	bool		ok;

	ok = ctx != NULL && EVP_PKEY_keygen_init(ctx) == 1 &&
		EVP_PKEY_keygen(ctx, &pkey) == 1 && PublicHalf(pkey, public_key);
	EVP_PKEY_CTX_free(ctx);
	if (ok)
		return pkey;
	EVP_PKEY_free(pkey);
	return NULL;
}

/* Files and folders made in this transaction, to be removed should it fail. */
typedef struct PendingKeyFile
{
	struct PendingKeyFile *next;
	SubTransactionId subxact;
	bool		is_folder;
	char		path[FLEXIBLE_ARRAY_MEMBER];
} PendingKeyFile;

static PendingKeyFile *pending_key_files = NULL;

static void
ForgetPending(bool unlink_files, SubTransactionId subxact)
{
	PendingKeyFile **link = &pending_key_files;

	while (*link)
	{
		PendingKeyFile *file = *link;

		if (subxact != InvalidSubTransactionId && file->subxact < subxact)
		{
			link = &file->next;
			continue;
		}
		*link = file->next;
		/* the newest first, so that a folder is empty by then */
		if (unlink_files && file->is_folder)
			rmdir(file->path);
		else if (unlink_files)
			unlink(file->path);
		pfree(file);
	}
}

static void
KeyFilesAtXactEnd(XactEvent event, void *arg)
{
	/* a prepared transaction may be rolled back when nobody here knows of its files */
	if (event == XACT_EVENT_PRE_PREPARE && pending_key_files != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("cannot PREPARE a transaction that has made a signing key"),
				 errhint("Call answer_key_generate() in a transaction of its own. The first key of a database is made by the first receipt, if not before.")));
	if (event == XACT_EVENT_COMMIT)
		ForgetPending(false, InvalidSubTransactionId);
	else if (event == XACT_EVENT_ABORT)
		ForgetPending(true, InvalidSubTransactionId);
}

static void
KeyFilesAtSubXactEnd(SubXactEvent event, SubTransactionId mine,
					 SubTransactionId parent, void *arg)
{
	/* every subtransaction begun after this one has ended with it */
	if (event == SUBXACT_EVENT_ABORT_SUB)
		ForgetPending(true, mine);
}

static void
RememberKeyFile(const char *path, bool is_folder)
{
	static bool registered = false;
	PendingKeyFile *file;

	if (!registered)
	{
		RegisterXactCallback(KeyFilesAtXactEnd, NULL);
		RegisterSubXactCallback(KeyFilesAtSubXactEnd, NULL);
		registered = true;
	}
	file = MemoryContextAlloc(TopMemoryContext, sizeof(PendingKeyFile) + strlen(path) + 1);
	strcpy(file->path, path);
	file->subxact = GetCurrentSubTransactionId();
	file->is_folder = is_folder;
	file->next = pending_key_files;
	pending_key_files = file;
}

/* Writes all of it, or says what failed and leaves the reason in errno. */
static const char *
WriteAll(int fd, const char *text, int len)
{
	const char *failed = NULL;
	int			reason = 0;

	errno = 0;
	if (write(fd, text, len) != len)
	{
		failed = "write";
		reason = errno ? errno : ENOSPC;	/* a short write says nothing */
	}
	else if (pg_fsync(fd) != 0)
	{
		failed = "fsync";
		reason = errno;
	}
	if (CloseTransientFile(fd) != 0 && !failed)
	{
		failed = "close";
		reason = errno;
	}
	errno = reason;
	return failed;
}

static void
FileFailed(const char *failed, const char *what)
{
	ereport(ERROR,
			(errcode_for_file_access(),
			 errmsg("could not %s the %s: %m", failed, what)));
}

/* Writes a file that must not exist yet, durably; an abort removes it. */
static void
WriteNewFile(const char *path, const char *text, int len)
{
	int			fd = OpenTransientFilePerm(path, O_CREAT | O_EXCL | O_WRONLY | PG_BINARY,
										   S_IRUSR | S_IWUSR);
	const char *failed;

	if (fd < 0)
		FileFailed("create", "key file");
	RememberKeyFile(path, false);
	failed = WriteAll(fd, text, len);
	if (failed)
		FileFailed(failed, "key file");
}

/* Writes a file that may exist, whole and durably.  Nothing takes it back. */
void
SigningFileReplace(const char *path, const char *text, int len, const char *what)
{
	char		temporary[MAXPGPATH];
	const char *failed = NULL;
	int			fd;

	snprintf(temporary, sizeof(temporary), "%s.new", path);
	/* what an interrupted writer left is in nobody's way */
	fd = OpenTransientFilePerm(temporary, O_CREAT | O_TRUNC | O_WRONLY | O_NOFOLLOW | PG_BINARY,
							   S_IRUSR | S_IWUSR);
	if (fd < 0)
		FileFailed("create", what);
	failed = WriteAll(fd, text, len);
	if (failed)
		FileFailed(failed, what);
	durable_rename(temporary, path, ERROR);
}

/* Makes a directory of mode 0700, durably; false if it was there. */
static bool
MakeDirectory(const char *path)
{
	char		parent[MAXPGPATH];

	if (mkdir(path, S_IRWXU) != 0)
	{
		if (errno == EEXIST)
			return false;
		FileFailed("create", "key directory");
	}
	strlcpy(parent, path, sizeof(parent));
	get_parent_directory(parent);
	fsync_fname(parent, true);
	return true;
}

/* Makes a folder of a name that no database ever had, and says whose it is. */
static void
MakeFolder(char *folder)
{
	pg_uuid_t	name;
	char		path[MAXPGPATH];
	char		text[BINDING_MAX_SIZE];
	int			len;

	if (!pg_strong_random(name.data, UUID_LEN))
		ereport(ERROR,
				(errcode(ERRCODE_INTERNAL_ERROR),
				 errmsg("could not generate random values")));
	name.data[6] = (name.data[6] & 0x0F) | 0x40;
	name.data[8] = (name.data[8] & 0x3F) | 0x80;
	strlcpy(folder, DatumGetCString(DirectFunctionCall1(uuid_out, UUIDPGetDatum(&name))),
			KEY_FOLDER_LENGTH + 1);

	KeyPath(NULL, NULL, NULL, path);
	(void) MakeDirectory(path);
	KeyPath(folder, NULL, NULL, path);
	if (MakeDirectory(path))
		RememberKeyFile(path, true);
	KeyPath(folder, BINDING_NAME, "", path);
	len = BindingText(folder, text);
	WriteNewFile(path, text, len);
	MarkFolder(folder);
}

/* Makes a key and its file; gives back the public half and the id. */
static void
CreateKey(const char *folder, uint8 *public_key, char *key_id)
{
	char		path[MAXPGPATH];
	Passphrase	passphrase = {.len = 0};
	EVP_PKEY   *pkey;
	BIO		   *bio;
	char	   *pem;
	long		len;

	ERR_clear_error();
	pkey = NewKey(public_key);
	if (pkey == NULL)
		OpensslFailed("make an Ed25519 key");
	/* secure memory is not assumed; the buffer is cleansed below */
	bio = BIO_new(BIO_s_mem());
	PG_TRY();
	{
		KeyIdOf(public_key, key_id);
		if (answer_eval_key_passphrase_command[0] != '\0')
			passphrase.len = ReadPassphrase(key_id, passphrase.text);
		ERR_clear_error();
		if (bio == NULL || !WritePem(bio, pkey, &passphrase))
			OpensslFailed("write an Ed25519 key");
		len = BIO_get_mem_data(bio, &pem);
		KeyPath(folder, key_id, ".pem", path);
		WriteNewFile(path, pem, len);
	}
	PG_FINALLY();
	{
		OPENSSL_cleanse(&passphrase, sizeof(passphrase));
		if (bio != NULL && (len = BIO_get_mem_data(bio, &pem)) > 0)
			OPENSSL_cleanse(pem, len);
		BIO_free(bio);
		EVP_PKEY_free(pkey);
		ERR_clear_error();
	}
	PG_END_TRY();
	KeyPath(folder, NULL, NULL, path);
	fsync_fname(path, true);
}

/*
 * the registry
 */

KeysChangedHook keys_changed = NULL;

/* What of the keys a lock is about. */
typedef enum KeyLockField
{
	KEY_LOCK_REGISTRY,			/* which key signs */
	KEY_LOCK_USE				/* a key was chosen, what it signs is not committed yet */
} KeyLockField;

static void
KeyLockTag(LOCKTAG *tag, KeyLockField field)
{
	SET_LOCKTAG_ADVISORY(*tag, MyDatabaseId, KEY_LOCK_CLASS, field, KEY_LOCK_FIELD4);
}

static void
KeyLock(KeyLockField field, LOCKMODE mode)
{
	LOCKTAG		tag;

	KeyLockTag(&tag, field);
	(void) LockAcquire(&tag, mode, false, false);
}

static void
KeyUnlock(KeyLockField field, LOCKMODE mode)
{
	LOCKTAG		tag;

	KeyLockTag(&tag, field);
	LockRelease(&tag, mode, false);
}

/* A row of the registry. */
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

/* An instant, or none: a bound that is not known, or not there. */
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
	Bound		active_from;	/* an active key has it */
	Bound		retired_at;
	Bound		compromised_after;
} KeyRow;

static Bound
ColumnBound(int column)
{
	bool		isnull;
	Datum		datum = SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc,
									  column, &isnull);
	Bound		bound = {!isnull, isnull ? 0 : DatumGetTimestampTz(datum)};

	return bound;
}

/*
 * Runs a query as the owner, who can read the registry whoever calls, on what
 * is committed now, whatever snapshot the transaction has.
 */
static void
RunLatestRows(FixedQuery *query, Datum *values, long limit)
{
	Oid			user;
	int			context;

	PushActiveSnapshot(GetLatestSnapshot());
	AnswerAsOwner(&user, &context);
	QueryRun(query, values, NULL, true, limit);
	AnswerAsCaller(user, context);
	PopActiveSnapshot();
}

static void
RunLatest(FixedQuery *query, Datum *values)
{
	RunLatestRows(query, values, 1);
}

/* The key that signs now: true if there is one.  SPI must be connected. */
static bool
FindActive(SigningKey *key, TimestampTz *active_from)
{
	static FixedQuery query = {
		.text = "SELECT key_id, active_from, folder::pg_catalog.text FROM answer.signing_key"
		" WHERE status OPERATOR(pg_catalog.=) 'active' LIMIT 1",
		.nargs = 0
	};
	bool		found;

	RunLatest(&query, NULL);
	found = SPI_processed > 0;
	if (found)
	{
		HeapTuple	tuple = SPI_tuptable->vals[0];
		TupleDesc	desc = SPI_tuptable->tupdesc;
		char	   *folder = SPI_getvalue(tuple, desc, 3);

		strlcpy(key->key_id, SPI_getvalue(tuple, desc, 1), sizeof(key->key_id));
		strlcpy(key->folder, folder ? folder : "", sizeof(key->folder));
		*active_from = ColumnBound(2).instant;
	}
	SPI_freetuptable(SPI_tuptable);
	return found;
}

/*
 * Finds the folder of this database's keys: that of the newest one that has one
 * here.  Sets nothing but the folder.  SPI must be connected.
 */
bool
SigningFolderFind(SigningKey *key)
{
	static FixedQuery query = {
		.text = "SELECT folder::pg_catalog.text FROM answer.signing_key WHERE folder IS NOT NULL"
		" GROUP BY folder ORDER BY pg_catalog.max(active_from) DESC",
		.nargs = 0
	};
	SPITupleTable *rows;
	const char *problem;
	bool		found = false;

	RunLatestRows(&query, NULL, 0);
	rows = SPI_tuptable;
	for (uint64 i = 0; !found && i < rows->numvals; i++)
	{
		CHECK_FOR_INTERRUPTS();
		strlcpy(key->folder, SPI_getvalue(rows->vals[i], rows->tupdesc, 1), sizeof(key->folder));
		found = IsFolderOurs(key->folder, &problem);
	}
	SPI_freetuptable(rows);
	return found;
}

/* One row of the registry, by id: true if there is one. */
static bool
FindRow(Datum key_id, KeyRow *row)
{
	static FixedQuery query = {
		.text = "SELECT key_id, public_key, status::pg_catalog.text, active_from, retired_at, compromised_after"
		" FROM answer.signing_key WHERE key_id OPERATOR(pg_catalog.=) $1",
		.nargs = 1,
		.argtypes = {TEXTOID}
	};
	bool		found;

	RunLatest(&query, &key_id);
	found = SPI_processed > 0;
	if (found)
	{
		HeapTuple	tuple = SPI_tuptable->vals[0];
		TupleDesc	desc = SPI_tuptable->tupdesc;
		bool		isnull;
		bytea	   *raw = DatumGetByteaPP(SPI_getbinval(tuple, desc, 2, &isnull));
		char	   *status = SPI_getvalue(tuple, desc, 3);

		strlcpy(row->key_id, SPI_getvalue(tuple, desc, 1), sizeof(row->key_id));
		memcpy(row->public_key, VARDATA_ANY(raw),
			   Min(VARSIZE_ANY_EXHDR(raw), ED25519_KEY_LENGTH));
		row->status = VocabularyByLabel(key_status_labels, status, strlen(status));
		row->active_from = ColumnBound(4);
		row->retired_at = ColumnBound(5);
		row->compromised_after = ColumnBound(6);
	}
	SPI_freetuptable(SPI_tuptable);
	return found;
}

/* Is there a key that signs?  SPI must be connected. */
bool
SigningKeyExists(void)
{
	SigningKey	key;
	TimestampTz active_from;

	return FindActive(&key, &active_from);
}

static bool
RegistryIsEmpty(void)
{
	static FixedQuery query = {
		.text = "SELECT FROM answer.signing_key LIMIT 1",
		.nargs = 0
	};
	bool		empty;

	RunLatest(&query, NULL);
	empty = SPI_processed == 0;
	SPI_freetuptable(SPI_tuptable);
	return empty;
}

/*
 * Runs a statement that changes one row, as the owner.  Raises if there is no
 * such row for a transaction whose snapshot is older than the row.
 */
static void
ChangeRow(FixedQuery *query, Datum *values, const char *nulls)
{
	Oid			user;
	int			context;

	AnswerAsOwner(&user, &context);
	QueryRun(query, values, nulls, false, 0);
	AnswerAsCaller(user, context);
	if (SPI_processed == 0)
		ereport(ERROR,
				(errcode(ERRCODE_T_R_SERIALIZATION_FAILURE),
				 errmsg("could not serialize access due to a concurrent change of the signing keys"),
				 errhint("The transaction might succeed if retried.")));
	/* what comes next, in this statement as well, sees it */
	CommandCounterIncrement();
}

/* Makes a key and registers it as the active one. */
static void
AddActive(SigningKey *key, TimestampTz active_from)
{
	static FixedQuery insert = {
		.text = "INSERT INTO answer.signing_key (key_id, public_key, status, active_from, folder)"
		" VALUES ($1, $2, 'active', $3, $4::pg_catalog.uuid)",
		.nargs = 4,
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
 * Makes the first key of a registry that was found empty, unless another
 * session has by now; finds the key that signs, and takes the instant.
 *
 * Who makes the key holds the lock to the end of the transaction, because
 * until then nobody else can know whether there is one.
 */
static void
FirstKey(SigningKey *key, TimestampTz *active_from, TimestampTz *now)
{
	bool		found;

	PreventCommandIfReadOnly("answer_key_generate()");
	PreventCommandDuringRecovery("answer_key_generate()");
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
	AddActive(key, *active_from);
	keys_changed(NULL, *now);
}

/*
 * Chooses the key that signs and the instant it signs at, and loads the key.
 * Looks at the registry as it is now, whatever snapshot the transaction has;
 * if nothing was ever in it, makes the first key.  SPI must be connected.
 *
 * The key is held until the caller's memory context is reset, whatever is
 * called until then.  To the end of the transaction nobody else sets the end of
 * its life to before that instant, see answer_key_retire.
 */
void
SigningKeyBegin(SigningKey *key, TimestampTz *now)
{
	TimestampTz active_from;
	bool		found;
	bool		first;

	KeyLock(KEY_LOCK_USE, ShareLock);
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
	/* should the clock have been set back, the key is still not used before its time */
	*now = Max(*now, active_from);
	RequireOurs(key->key_id, key->folder);
	HoldKey(key, LoadKey(key->key_id, key->folder), *now);
}

/*
 * The newest receipt or checkpoint, if it is of that key and was signed after
 * an instant.  The newest of all is one probe of an index, and nearly always of
 * the key asked about, which signs or has just signed.
 */
static Bound
NewestSignatureAfter(const char *key_id, TimestampTz after)
{
	static FixedQuery query = {
		.text = "SELECT pg_catalog.max(s.signed_at) FROM ("
		"(SELECT key_id, issued_at AS signed_at FROM answer.receipt"
		" WHERE issued_at OPERATOR(pg_catalog.>) $2 ORDER BY issued_at DESC LIMIT 1)"
		" UNION ALL (SELECT key_id, sealed_at FROM answer.checkpoint"
		" ORDER BY tree_size DESC LIMIT 1)) s WHERE s.key_id OPERATOR(pg_catalog.=) $1"
		" AND s.signed_at OPERATOR(pg_catalog.>) $2",
		.nargs = 2,
		.argtypes = {TEXTOID, TIMESTAMPTZOID}
	};
	Datum		values[2] = {CStringGetTextDatum(key_id), TimestampTzGetDatum(after)};
	Bound		newest = {false, 0};

	RunLatest(&query, values);
	if (SPI_processed > 0)
		newest = ColumnBound(1);
	SPI_freetuptable(SPI_tuptable);
	return newest;
}

/*
 * When a key's life ends that ends now: not before it began, nor before its
 * newest receipt or checkpoint, stored or under way in the call that has called
 * us, should the clock have been set back meanwhile.
 */
static TimestampTz
EndOfLife(const char *key_id, TimestampTz active_from, TimestampTz now)
{
	Bound		newest = NewestSignatureAfter(key_id, now);

	now = Max(now, active_from);
	now = Max(now, LatestUse(key_id));
	return newest.present ? Max(now, newest.instant) : now;
}

static void
RetireActive(const char *key_id, TimestampTz at)
{
	static FixedQuery update = {
		.text = "UPDATE answer.signing_key SET status = 'retired', retired_at = $2"
		" WHERE key_id OPERATOR(pg_catalog.=) $1 AND status OPERATOR(pg_catalog.=) 'active'",
		.nargs = 2,
		.argtypes = {TEXTOID, TIMESTAMPTZOID}
	};
	Datum		values[2] = {CStringGetTextDatum(key_id), TimestampTzGetDatum(at)};

	ChangeRow(&update, values, NULL);
}

/*
 * Looks for a key as the caller.  A key that the statement's snapshot does not
 * know may have been made since, by this very statement even, so what is
 * missing is looked for once more.  Parallel workers have one snapshot only.
 */
static void
RunVerifier(FixedQuery *query, Datum *value)
{
	QueryRun(query, value, NULL, true, 1);
	if (SPI_processed > 0 || IsInParallelMode())
		return;
	PushActiveSnapshot(GetLatestSnapshot());
	QueryRun(query, value, NULL, true, 1);
	PopActiveSnapshot();
}

/*
 * The registry's entry for one key, as the array form that verification
 * takes, read with the caller's rights.  SPI must be connected; the view is
 * allocated in the caller's context.
 */
bool
RegistryKeys(Span key_id, JsonView *keys)
{
	static FixedQuery query = {
		.text = "SELECT public_key, status::pg_catalog.text, active_from, retired_at, compromised_after"
		" FROM answer.signing_key WHERE key_id OPERATOR(pg_catalog.=) $1",
		.nargs = 1,
		.argtypes = {TEXTOID}
	};
	Datum		id = PointerGetDatum(cstring_to_text_with_len(key_id.str, key_id.len));
	JsonView	entry;

	*keys = JsonViewNewArray(1);
	RunVerifier(&query, &id);
	if (SPI_processed == 0)
		return false;
	entry = JsonViewNewObject(6);
	JsonViewSet(&entry, "key_id", JsonViewString(key_id.str, key_id.len));
	for (int i = 1; i <= 5; i++)
	{
		static const char *const names[] = {"public_key", "status", "active_from",
		"retired_at", "compromised_after"};
		bool		isnull;
		Datum		datum = SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc,
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
	SPI_freetuptable(SPI_tuptable);
	return true;
}

/*
 * The raw public key that the registry has for an id, read with the caller's
 * rights.  SPI must be connected.
 */
bool
RegistryPublicKey(const char *key_id, uint8 *public_key)
{
	static FixedQuery query = {
		.text = "SELECT public_key FROM answer.signing_key"
		" WHERE key_id OPERATOR(pg_catalog.=) $1",
		.nargs = 1,
		.argtypes = {TEXTOID}
	};
	Datum		id = CStringGetTextDatum(key_id);
	bool		found = false;

	RunVerifier(&query, &id);
	if (SPI_processed > 0)
	{
		bool		isnull;
		bytea	   *raw = DatumGetByteaPP(SPI_getbinval(SPI_tuptable->vals[0],
														SPI_tuptable->tupdesc, 1, &isnull));

		found = VARSIZE_ANY_EXHDR(raw) == ED25519_KEY_LENGTH;
		if (found)
			memcpy(public_key, VARDATA_ANY(raw), ED25519_KEY_LENGTH);
	}
	SPI_freetuptable(SPI_tuptable);
	return found;
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

	PreventCommandIfReadOnly("answer_key_generate()");
	RequireOperator("answer_key_generate");
	PreventCommandDuringRecovery("answer_key_generate()");

	/* held to the end: signers see this rotation whole or not at all */
	KeyLock(KEY_LOCK_REGISTRY, ExclusiveLock);
	SPI_connect();
	now = GetCurrentTimestamp();
	if (FindActive(&before, &active_from))
		RetireActive(before.key_id, EndOfLife(before.key_id, active_from, now));
	AddActive(&key, now);
	keys_changed(NULL, now);
	SPI_finish();
	PG_RETURN_TEXT_P(cstring_to_text(key.key_id));
}

/* Refuses to take away the keys of a database of this cluster that is there. */
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
	PreventCommandIfReadOnly("answer_key_adopt()");
	RequireOperator("answer_key_adopt");
	PreventCommandDuringRecovery("answer_key_adopt()");
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

/* An instant that may be NULL, but not one that no receipt could carry. */
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

/* Finds the key that the first argument names, with the lock held. */
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
	PreventCommandIfReadOnly("answer_key_retire()");
	RequireOperator("answer_key_retire");
	PreventCommandDuringRecovery("answer_key_retire()");
	/* what has chosen the key and is not committed yet might be dated later than that */
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
					 errmsg("retired_at must not be before the key's newest receipt or checkpoint"),
					 errdetail("What was signed since would no longer verify."),
					 errhint("If they shall not, use answer_key_compromise().")));
		end = at.instant;
	}
	SigningKeyBegin(&key, &now);	/* while it still may: it signs its own end */
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
	/* a trigger sees to it that an earlier compromise only gets stricter */
	static FixedQuery update = {
		.text = "UPDATE answer.signing_key SET status = 'compromised',"
		" compromised_after = $2, retired_at = COALESCE(retired_at, $3)"
		" WHERE key_id OPERATOR(pg_catalog.=) $1",
		.nargs = 3,
		.argtypes = {TEXTOID, TIMESTAMPTZOID, TIMESTAMPTZOID}
	};
	KeyRow		row;
	Bound		after;
	TimestampTz now;
	Datum		values[3];
	char		nulls[3] = {' ', ' ', 'n'};

	RequireArgument(fcinfo, 0, "key_id");
	after = BoundArgument(fcinfo, 1, "compromised_after");
	PreventCommandIfReadOnly("answer_key_compromise()");
	RequireOperator("answer_key_compromise");
	PreventCommandDuringRecovery("answer_key_compromise()");
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
	keys_changed(NULL, 0);
	SPI_finish();
	PG_RETURN_TEXT_P(cstring_to_text(row.key_id));
}

/* The SQL enum of a key's status, wherever the extension was created. */
static Oid
KeyStatusType(void)
{
	Oid			table = get_relname_relid("signing_key", get_namespace_oid("answer", false));

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

/* Stores a key from elsewhere.  The same one again, with the same life, is the same row. */
static void
InsertImported(const KeyRow *row, Datum status)
{
	static FixedQuery insert = {
		.text = "INSERT INTO answer.signing_key"
		" (key_id, public_key, status, active_from, retired_at, compromised_after)"
		" VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING",
		.nargs = 6,
		.argtypes = {TEXTOID, BYTEAOID, InvalidOid, TIMESTAMPTZOID, TIMESTAMPTZOID, TIMESTAMPTZOID}
	};
	const Bound *bounds[3] = {&row->active_from, &row->retired_at, &row->compromised_after};
	Datum		values[6];
	char		nulls[6] = {' ', ' ', ' ', ' ', ' ', ' '};
	KeyRow		stored;
	Oid			user;
	int			context;

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
	AnswerAsOwner(&user, &context);
	QueryRun(&insert, values, nulls, false, 0);
	AnswerAsCaller(user, context);
	if (SPI_processed == 0 &&
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
	ReadPublicKey(span, row.public_key);
	KeyIdOf(row.public_key, row.key_id);

	RequireArgument(fcinfo, 1, "status");
	PreventCommandIfReadOnly("answer_key_import_public()");
	PreventCommandDuringRecovery("answer_key_import_public()");
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
 * answer_ed25519_verify(public_key, message, signature).  Not strict: a check
 * that nothing was given to must not pass for want of an answer.
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
