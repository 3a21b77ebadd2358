/*-------------------------------------------------------------------------
 *
 * signature.c
 *		Ed25519 keys and signatures.
 *
 * Rule: RFC 8032 for the algorithm, RFC 4648 section 5 for base64url, DF-VERIFY/1
 * for what is signed.  Every primitive is OpenSSL's; this file and timestamp.c
 * are the only ones that know it.
 *
 * Where a private key lives: in a PEM file of mode 0600, in a directory that a
 * superuser names, and in the memory of the backend that signs.  It never
 * enters a table, the WAL, a log line or an error.  The registry holds public
 * halves only.
 *
 * Promises: no OpenSSL object lives across anything that can raise, except the
 * one cached key, which belongs to the process.  A key that cannot be loaded
 * is an error with a hint, never an unsigned receipt and never another
 * algorithm.
 *
 * Which key signs is decided together with the receipt's instant, under a lock
 * that a rotation takes exclusively: so no receipt is ever dated outside the
 * life of the key that signed it, and signers wait for a rotation's commit at
 * the most.
 *
 * The first key is made when one is first needed, not when the extension is
 * created: a restored registry is then what it was, with one active key.  A
 * key's life only ever gets shorter: the functions below say so in words, a
 * trigger and constraints hold everybody else to it (sql/signature.sql).
 *
 * Public keys come in as PEM (RFC 7468), as JWK (RFC 7517, RFC 8037) or as the
 * base64url that answer_keys() writes.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include "access/xact.h"
#include "catalog/namespace.h"
#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "storage/fd.h"
#include "storage/lock.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"

#include "argument.h"
#include "canonical.h"
#include "evidence.h"
#include "instant.h"
#include "query.h"
#include "settings.h"
#include "signature.h"
#include "vocabulary.h"

#define PEM_MAX_SIZE	4096

/* A public key that is brought in, in the longest of its forms. */
#define PUBLIC_KEY_MAX_SIZE	4096
#define PEM_BEGIN	"-----BEGIN "

/* A field of advisory lock tags that pg_advisory_lock's callers cannot set. */
#define KEY_LOCK_CLASS	0xAE
#define KEY_LOCK_FIELD4	0xAE

/* Remembered attestations: how many, see SigningKeyAttest. */
#define ATTESTATION_SLOTS	1024

/* The last key that this process loaded. */
static struct
{
	char		key_id[KEY_ID_LENGTH + 1];
	EVP_PKEY   *private_key;
	struct stat file;			/* as it was then */
}			loaded;

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

/* Signs; writes the raw signature. */
void
SigningKeySignRaw(const SigningKey *key, const void *message, size_t len,
				  uint8 *signature)
{
	size_t		signature_len = ED25519_SIGNATURE_LENGTH;
	EVP_MD_CTX *ctx;
	bool		ok;

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

/* Verifies a detached signature.  Never raises. */
bool
SignatureVerify(const uint8 *public_key, const char *message, size_t len,
				const uint8 *signature)
{
	EVP_PKEY   *pkey;
	EVP_MD_CTX *ctx = NULL;
	bool		ok;

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
 * Reads a public key in any of the forms that we take, or raises.  Neither
 * the errors nor, with them, the log repeat the text: who mistakes the private
 * half for the public one shall not find it there.
 */
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
				 errhint("It has left the place where it was safe: do not use it any more. The public half of a key is what \"openssl pkey -pubout\" writes."),
				 errhidestmt(true)));
	if (problem == NULL && HasSmallOrder(public_key))
		problem = "It is a point of small order, for which anybody can sign.";
	if (problem)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("public_key is not an Ed25519 public key"),
				 errdetail("%s", problem),
				 errhidestmt(true)));
}

/*
 * private key files
 */

static void
KeyPath(const char *key_id, char *path)
{
	const char *directory = answer_eval_key_directory;

	if (directory[0] == '\0')
		directory = "answer_eval_keys";
	if (is_absolute_path(directory))
		snprintf(path, MAXPGPATH, "%s%s%s", directory, key_id ? "/" : "", key_id ? key_id : "");
	else
		snprintf(path, MAXPGPATH, "%s/%s%s%s", DataDir, directory,
				 key_id ? "/" : "", key_id ? key_id : "");
	if (key_id)
		strlcat(path, ".pem", MAXPGPATH);
}

/* Where private keys lie, and what must not leave the machine with a table. */
void
SigningDirectory(char *path)
{
	KeyPath(NULL, path);
}

static void
MissingKey(const char *key_id, const char *detail)
{
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("private signing key \"%s\" cannot be used", key_id),
			 errdetail("%s", detail),
			 errhint("Put the key's PEM file into the directory named by answer_eval.key_directory, owned by the server's user with mode 0600, or make a new key with answer_key_generate().")));
}

/* Reads a key file into a buffer; returns its length.  Raises if it must not be used. */
static int
ReadKeyFile(const char *key_id, char *buffer, struct stat *st)
{
	char		path[MAXPGPATH];
	int			fd;
	int			len;

	KeyPath(key_id, path);
	/* neither a link nor, waiting for a writer, a pipe */
	fd = OpenTransientFile(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | PG_BINARY);
	if (fd < 0)
		MissingKey(key_id, psprintf("Its file cannot be opened: %s.", strerror(errno)));
	if (fstat(fd, st) != 0 || !S_ISREG(st->st_mode) || st->st_uid != geteuid() ||
		(st->st_mode & (S_IRWXG | S_IRWXO)) != 0)
	{
		CloseTransientFile(fd);
		MissingKey(key_id, "Its file is not a regular file of the server's user with mode 0600.");
	}
	len = read(fd, buffer, PEM_MAX_SIZE);
	CloseTransientFile(fd);
	if (len <= 0)
		MissingKey(key_id, "Its file cannot be read or is empty.");
	return len;
}

/* Never asks a terminal for a passphrase. */
static int
NoPassphrase(char *buffer, int size, int writing, void *arg)
{
	return 0;
}

/* Returns the private key, or NULL if the PEM is not the key of that id. */
static EVP_PKEY *
ParseKey(const char *pem, int len, const char *key_id)
{
	BIO		   *bio = BIO_new_mem_buf(pem, len);
	EVP_PKEY   *pkey = bio ? PEM_read_bio_PrivateKey(bio, NULL, NoPassphrase, NULL) : NULL;
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

/* Loads the private key, unless it is the loaded one and its file unchanged. */
static EVP_PKEY *
LoadKey(const char *key_id)
{
	char		path[MAXPGPATH];
	char		buffer[PEM_MAX_SIZE];
	struct stat st;
	EVP_PKEY   *pkey;
	int			len;

	KeyPath(key_id, path);
	if (strcmp(loaded.key_id, key_id) == 0 && lstat(path, &st) == 0 &&
		st.st_ino == loaded.file.st_ino && st.st_dev == loaded.file.st_dev &&
		st.st_mode == loaded.file.st_mode && st.st_uid == loaded.file.st_uid &&
		st.st_mtime == loaded.file.st_mtime)
		return loaded.private_key;
	len = ReadKeyFile(key_id, buffer, &st);
	ERR_clear_error();
	pkey = ParseKey(buffer, len, key_id);
	OPENSSL_cleanse(buffer, sizeof(buffer));
	if (pkey == NULL)
		MissingKey(key_id, "Its file does not hold the Ed25519 private key of that id, without a passphrase.");
	EVP_PKEY_free(loaded.private_key);
	loaded.private_key = pkey;
	loaded.file = st;
	strlcpy(loaded.key_id, key_id, sizeof(loaded.key_id));
	return pkey;
}

/* Makes a key; on success *pem, of *len bytes, belongs to the BIO. */
static bool
MakeKey(BIO *bio, uint8 *public_key)
{
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_id(EVP_PKEY_ED25519, NULL);
	EVP_PKEY   *pkey = NULL;
	bool		ok;

	ok = bio != NULL && ctx != NULL && EVP_PKEY_keygen_init(ctx) == 1 &&
		EVP_PKEY_keygen(ctx, &pkey) == 1 && PublicHalf(pkey, public_key) &&
		PEM_write_bio_PKCS8PrivateKey(bio, pkey, NULL, NULL, 0, NULL, NULL) == 1;
	EVP_PKEY_free(pkey);
	EVP_PKEY_CTX_free(ctx);
	return ok;
}

/* Key files made in this transaction, to be removed should it fail. */
typedef struct PendingKeyFile
{
	struct PendingKeyFile *next;
	SubTransactionId subxact;
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
		if (unlink_files)
			unlink(file->path);
		pfree(file);
	}
}

static void
KeyFilesAtXactEnd(XactEvent event, void *arg)
{
	if (event == XACT_EVENT_COMMIT || event == XACT_EVENT_PREPARE)
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
RememberKeyFile(const char *path)
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
	file->next = pending_key_files;
	pending_key_files = file;
}

/* Writes a file that must not exist yet, durably.  Returns what failed, or NULL. */
static const char *
WriteKeyFile(const char *path, const char *pem, int len)
{
	int			fd = OpenTransientFilePerm(path, O_CREAT | O_EXCL | O_WRONLY | PG_BINARY,
										   S_IRUSR | S_IWUSR);
	const char *failed = NULL;
	int			reason = 0;

	if (fd < 0)
		return "create";
	RememberKeyFile(path);
	errno = 0;
	if (write(fd, pem, len) != len)
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
	return failed;				/* the abort that follows removes the file */
}

/* Makes a key and its file; gives back the public half and the id. */
static void
CreateKey(uint8 *public_key, char *key_id)
{
	char		path[MAXPGPATH];
	BIO		   *bio;
	char	   *pem;
	long		len;
	const char *failed = NULL;
	bool		made;
	int			saved_errno;

	KeyPath(NULL, path);
	if (mkdir(path, S_IRWXU) != 0 && errno != EEXIST)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not create the key directory: %m")));

	/* secure memory is not assumed; the buffer is cleansed below */
	ERR_clear_error();
	bio = BIO_new(BIO_s_mem());
	made = MakeKey(bio, public_key);
	if (made)
	{
		char		sha_key_id[KEY_ID_LENGTH + 1];

		PG_TRY();
		{
			KeyIdOf(public_key, sha_key_id);
			memcpy(key_id, sha_key_id, sizeof(sha_key_id));
			KeyPath(key_id, path);
			len = BIO_get_mem_data(bio, &pem);
			failed = WriteKeyFile(path, pem, len);
			saved_errno = errno;
			OPENSSL_cleanse(pem, len);
		}
		PG_CATCH();
		{
			len = BIO_get_mem_data(bio, &pem);
			OPENSSL_cleanse(pem, len);
			BIO_free(bio);
			PG_RE_THROW();
		}
		PG_END_TRY();
	}
	BIO_free(bio);
	if (!made)
		OpensslFailed("make an Ed25519 key");
	if (failed)
	{
		errno = saved_errno;
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not %s the key file: %m", failed)));
	}
	KeyPath(NULL, path);
	fsync_fname(path, true);
}

/*
 * the registry
 */

KeysChangedHook keys_changed = NULL;

static void
KeyLock(LOCKMODE mode)
{
	LOCKTAG		tag;

	SET_LOCKTAG_ADVISORY(tag, MyDatabaseId, KEY_LOCK_CLASS, 0, KEY_LOCK_FIELD4);
	(void) LockAcquire(&tag, mode, false, false);
}

static void
KeyUnlock(LOCKMODE mode)
{
	LOCKTAG		tag;

	SET_LOCKTAG_ADVISORY(tag, MyDatabaseId, KEY_LOCK_CLASS, 0, KEY_LOCK_FIELD4);
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
RunLatest(FixedQuery *query, Datum *values)
{
	Oid			user;
	int			context;

	PushActiveSnapshot(GetLatestSnapshot());
	AnswerAsOwner(&user, &context);
	QueryRun(query, values, NULL, true, 1);
	AnswerAsCaller(user, context);
	PopActiveSnapshot();
}

/* The key that signs now: true if there is one.  SPI must be connected. */
static bool
FindActive(char *key_id, TimestampTz *active_from)
{
	static FixedQuery query = {
		.text = "SELECT key_id, active_from FROM answer.signing_key"
		" WHERE status OPERATOR(pg_catalog.=) 'active' LIMIT 1",
		.nargs = 0
	};
	bool		found;

	RunLatest(&query, NULL);
	found = SPI_processed > 0;
	if (found)
	{
		strlcpy(key_id, SPI_getvalue(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1),
				KEY_ID_LENGTH + 1);
		*active_from = ColumnBound(2).instant;
	}
	SPI_freetuptable(SPI_tuptable);
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
	char		key_id[KEY_ID_LENGTH + 1];
	TimestampTz active_from;

	return FindActive(key_id, &active_from);
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

/* Registers a key that was just made as the active one. */
static void
InsertActive(const char *key_id, const uint8 *public_key, TimestampTz active_from)
{
	static FixedQuery insert = {
		.text = "INSERT INTO answer.signing_key (key_id, public_key, status, active_from)"
		" VALUES ($1, $2, 'active', $3)",
		.nargs = 3,
		.argtypes = {TEXTOID, BYTEAOID, TIMESTAMPTZOID}
	};
	Datum		values[3];

	values[0] = CStringGetTextDatum(key_id);
	values[1] = PointerGetDatum(cstring_to_text_with_len((const char *) public_key,
														 ED25519_KEY_LENGTH));
	values[2] = TimestampTzGetDatum(active_from);
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
FirstKey(char *key_id, TimestampTz *active_from, TimestampTz *now)
{
	uint8		public_key[ED25519_KEY_LENGTH];
	bool		found;

	PreventCommandIfReadOnly("answer_key_generate()");
	PreventCommandDuringRecovery("answer_key_generate()");
	KeyLock(ExclusiveLock);
	*now = GetCurrentTimestamp();
	found = FindActive(key_id, active_from);
	if (found || !RegistryIsEmpty())
	{
		KeyUnlock(ExclusiveLock);
		if (!found)
			NoActiveKey();
		return;
	}
	CreateKey(public_key, key_id);
	*active_from = *now;
	InsertActive(key_id, public_key, *active_from);
	keys_changed(NULL, *now);
}

/*
 * Chooses the key that signs and the instant it signs at, and loads the key.
 * Looks at the registry as it is now, whatever snapshot the transaction has;
 * if nothing was ever in it, makes the first key.  SPI must be connected.
 */
void
SigningKeyBegin(SigningKey *key, TimestampTz *now)
{
	TimestampTz active_from;
	bool		found;
	bool		first;

	KeyLock(ShareLock);
	*now = GetCurrentTimestamp();
	found = FindActive(key->key_id, &active_from);
	first = !found && RegistryIsEmpty();
	KeyUnlock(ShareLock);

	if (first)
		FirstKey(key->key_id, &active_from, now);
	else if (!found)
		NoActiveKey();
	/* should the clock have been set back, the key is still not used before its time */
	*now = Max(*now, active_from);
	key->private_key = LoadKey(key->key_id);
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
 * newest receipt or checkpoint, should the clock have been set back meanwhile.
 */
static TimestampTz
EndOfLife(const char *key_id, TimestampTz active_from, TimestampTz now)
{
	Bound		newest = NewestSignatureAfter(key_id, now);

	now = Max(now, active_from);
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
	uint8		public_key[ED25519_KEY_LENGTH];
	char		key_id[KEY_ID_LENGTH + 1];
	char		before[KEY_ID_LENGTH + 1];
	TimestampTz active_from;
	TimestampTz now;

	PreventCommandIfReadOnly("answer_key_generate()");
	PreventCommandDuringRecovery("answer_key_generate()");
	CreateKey(public_key, key_id);

	/* held to the end: signers see this rotation whole or not at all */
	KeyLock(ExclusiveLock);
	SPI_connect();
	now = GetCurrentTimestamp();
	if (FindActive(before, &active_from))
		RetireActive(before, EndOfLife(before, active_from, now));
	InsertActive(key_id, public_key, now);
	keys_changed(NULL, now);
	SPI_finish();
	PG_RETURN_TEXT_P(cstring_to_text(key_id));
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
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
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
	PreventCommandDuringRecovery("answer_key_retire()");
	KeyLock(ExclusiveLock);
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
	PreventCommandDuringRecovery("answer_key_compromise()");
	KeyLock(ExclusiveLock);
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
	KeyRow		row;
	text	   *public_key;
	Span		span;

	/* first of all, for no other error keeps the statement out of the log */
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
