/*-------------------------------------------------------------------------
 *
 * ed25519.c
 *		Ed25519: signatures, and public keys from outside.
 *
 * Rule: RFC 8032 for the algorithm, doc/spec/df-verify-1.md §4 for what is
 * signed.  A public key is given as PEM (RFC 7468), as JWK (RFC 7517, RFC
 * 8037) or as the base64url that answer_keys() writes.  Every primitive is
 * OpenSSL's.  Other directories use OpenSSL only in sha256.c, rfc3161.c and
 * row_sum.c.
 *
 * Promises: verifying never raises.  A public key of small order, under which
 * anybody can sign, is never accepted.  A private key that is given by mistake
 * instead of a public one does not appear in the server's log.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <openssl/err.h>
#include <openssl/pem.h>

#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "port.h"
#include "utils/memutils.h"

#include "base/base64.h"
#include "base/canonical.h"
#include "base/owner.h"
#include "keys/ed25519.h"
/* Largest size of a public key to be imported, in any form. */
#define PUBLIC_KEY_MAX_SIZE	4096
#define PEM_BEGIN	"-----BEGIN "

/* Number of cached attestations, see SigningKeyAttest. */
#define ATTESTATION_SLOTS	1024

/* Takes the first reason from OpenSSL's error queue and empties the queue. */
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

void
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

/* Makes the id of a public key: a prefix and the first hex digits of its SHA-256. */
void
KeyIdOf(const uint8 *public_key, char *key_id)
{
	uint8		sha256[SHA256_LENGTH];

	Sha256(public_key, ED25519_KEY_LENGTH, sha256);
	memcpy(key_id, KEY_ID_PREFIX, 11);
	HexEncode(sha256, 6, key_id + 11);
	key_id[KEY_ID_LENGTH] = '\0';
}

bool
PublicHalf(void *pkey, uint8 *public_key)
{
	size_t		len = ED25519_KEY_LENGTH;

	return EVP_PKEY_get_raw_public_key(pkey, public_key, &len) == 1 &&
		len == ED25519_KEY_LENGTH;
}

/* Gives the raw public key of a loaded key. */
bool
SigningKeyPublic(const SigningKey *key, uint8 *public_key)
{
	bool		ok = PublicHalf(key->private_key, public_key);

	ERR_clear_error();
	return ok;
}

/*
 * Checks that a key that was chosen may still sign.  User code that ran since then may
 * have dropped and created the extension again, so that another registry without this
 * key is there.  Or it may have declared the key compromised.
 */
void
SigningKeyMustBeUsable(const SigningKey *key)
{
	if (AnswerTable("signing_key") != key->registry)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the extension answer_eval was dropped and created again during the call"),
				 errdetail("The registry does not have the key \"%s\" any more, which was to sign.", key->key_id),
				 errhint("Call again, with a tool that does not do this.")));
	if (*key->compromised)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("signing key \"%s\" was compromised during the call that was to sign with it", key->key_id),
				 errdetail("What it would sign could not be verified."),
				 errhint("Make a new key with answer_key_generate(), and call again.")));
}

/*
 * Returns a context that is initialized for signing with a key, to be copied, because
 * initializing looks the algorithm up among OpenSSL's providers.  The last one is
 * cached, and holds a reference to its key, so that no other key can have the same
 * address.
 */
static EVP_MD_CTX *
SigningContext(EVP_PKEY *pkey)
{
	static EVP_MD_CTX *kept = NULL;
	static EVP_PKEY *kept_key = NULL;

	if (kept && kept_key == pkey)
		return kept;
	EVP_MD_CTX_free(kept);
	kept = EVP_MD_CTX_new();
	kept_key = pkey;
	if (kept && EVP_DigestSignInit(kept, NULL, NULL, NULL, pkey) != 1)
	{
		EVP_MD_CTX_free(kept);
		kept = NULL;
	}
	return kept;
}

/* Signs, and writes the raw signature. */
void
SigningKeySignRaw(const SigningKey *key, const void *message, size_t len,
				  uint8 *signature)
{
	size_t		signature_len = ED25519_SIGNATURE_LENGTH;
	EVP_MD_CTX *ready;
	EVP_MD_CTX *ctx;
	bool		ok;

	SigningKeyMustBeUsable(key);
	ERR_clear_error();
	ready = SigningContext(key->private_key);
	ctx = EVP_MD_CTX_new();
	/* OpenSSL 3.0.0 cannot copy a context without a digest, as those for Ed25519 are */
	ok = ready != NULL && ctx != NULL &&
		(EVP_MD_CTX_copy_ex(ctx, ready) == 1 ||
		 EVP_DigestSignInit(ctx, NULL, NULL, NULL, key->private_key) == 1) &&
		EVP_DigestSign(ctx, signature, &signature_len, message, len) == 1 &&
		signature_len == ED25519_SIGNATURE_LENGTH;
	EVP_MD_CTX_free(ctx);
	if (!ok)
		OpensslFailed("sign");
}

/* Signs, and writes padded base64url and a terminator. */
void
SigningKeySign(const SigningKey *key, const char *message, size_t len, char *signature)
{
	uint8		raw[ED25519_SIGNATURE_LENGTH];

	SigningKeySignRaw(key, message, len, raw);
	Base64UrlEncode(raw, sizeof(raw), signature);
}

/*
 * Is it a point of small order?  Nobody has a private key for such a key, but anybody
 * can make signatures that verify under it.  These are all encodings of the y
 * coordinates of those points, reduced and not reduced.
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
 * Returns OpenSSL's object for a public key, or NULL.  The last one is cached, because
 * consecutive documents usually have the same key.
 */
static EVP_PKEY *
VerifyingKey(const uint8 *public_key)
{
	static EVP_PKEY *kept = NULL;
	static uint8 kept_key[ED25519_KEY_LENGTH];

	if (kept && memcmp(kept_key, public_key, ED25519_KEY_LENGTH) == 0)
		return kept;
	if (HasSmallOrder(public_key))
		return NULL;
	EVP_PKEY_free(kept);
	kept = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, NULL, public_key, ED25519_KEY_LENGTH);
	memcpy(kept_key, public_key, ED25519_KEY_LENGTH);
	return kept;
}

/*
 * Verifies a detached signature.  Never raises an error.  Under a public key of small
 * order no signature is valid, because anybody can make one.
 */
bool
SignatureVerify(const uint8 *public_key, const char *message, size_t len,
				const uint8 *signature)
{
	EVP_PKEY   *pkey = VerifyingKey(public_key);
	EVP_MD_CTX *ctx = pkey ? EVP_MD_CTX_new() : NULL;
	bool		ok;

	ok = ctx != NULL &&
		EVP_DigestVerifyInit(ctx, NULL, NULL, NULL, pkey) == 1 &&
		EVP_DigestVerify(ctx, signature, ED25519_SIGNATURE_LENGTH,
						 (const uint8 *) message, len) == 1;
	EVP_MD_CTX_free(ctx);
	ERR_clear_error();
	return ok;
}

/*
 * Signs a fact's digest.  A fact from an unchanged reading is the same fact each time,
 * and Ed25519 is deterministic.  So signatures that this process made recently with
 * this key are cached.
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

	SigningKeyMustBeUsable(key);
	if (slots == NULL)
		slots = MemoryContextAllocZero(TopMemoryContext,
									   sizeof(Slot) * ATTESTATION_SLOTS);
	for (int i = 0; i < 8; i++)		/* digits of a SHA-256 serve as a hash */
		hash = hash * 16 + (digest[7 + i] >= 'a' ? digest[7 + i] - 'a' + 10 : digest[7 + i] - '0');
	/* each digest has two slots; the other one is older */
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

/* Returns the signature object of a fact or a receipt. */
JsonView
SignatureView(const SigningKey *key, const char *signature)
{
	JsonView	view = JsonViewNewObject(4);

	JsonViewSet(&view, "alg", JsonViewCString(SIGNATURE_ALG));
	JsonViewSet(&view, "canonicalization", JsonViewCString(SIGNATURE_CANONICALIZATION));
	JsonViewSet(&view, "key_id", JsonViewCString(key->key_id));
	JsonViewSet(&view, "sig", JsonViewString(pstrdup(signature), SIGNATURE_TEXT_LENGTH));
	return view;
}

/* public keys from outside */

/* Does a text contain another one, at or after a position? */
static bool
HasText(Span text, const char *other, int from)
{
	return text.len > from && memmem(text.str + from, text.len - from, other, strlen(other)) != NULL;
}

/* Is only white space left to read? */
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
 * Reads one PEM block with a SubjectPublicKeyInfo and nothing else.  Returns NULL, or
 * what is wrong with it.  Never raises an error.
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
	if (HasText(pem, PEM_BEGIN, 1))
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
		/* only DER is accepted, but the decoder accepts more */
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

/* Is a member missing, or one of two strings? */
static bool
JwkAllows(const JsonView *jwk, const char *name, const char *one, const char *other)
{
	JsonView	member;

	return !JsonViewGetMember(jwk, name, &member) ||
		JsonViewStringIs(&member, one) || JsonViewStringIs(&member, other);
}

/*
 * Reads a JSON Web Key.  Returns NULL, or what is wrong with it.  Members that RFC 7517
 * and RFC 8037 do not name are ignored, as those demand.
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
	*is_private = JsonViewGetMember(&jwk, "d", &member);
	JsonViewGetMember(&jwk, "kty", &member);
	if (!JsonViewStringIs(&member, "OKP"))
		return "The JWK's kty is not OKP.";
	JsonViewGetMember(&jwk, "crv", &member);
	if (!JsonViewStringIs(&member, "Ed25519"))
		return "The JWK's crv is not Ed25519.";
	if (!JwkAllows(&jwk, "use", "sig", "sig") || !JwkAllows(&jwk, "alg", "EdDSA", "Ed25519"))
		return "The JWK's use or alg is not that of a key that signs.";
	/* RFC 7515 has no padding */
	if (!JsonViewGetString(&jwk, "x", &x) || x.len != 43 ||
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
 * An error context callback that keeps the statement and the context of an error out of
 * the log, including parameters and the lines of a function that called us.  The
 * argument may be a private key that was given by mistake.
 */
void
HideFromLog(void *arg)
{
	errhidestmt(true);
	errhidecontext(true);
}

/* Reads a public key in any accepted form, or raises an error. */
void
PublicKeyParse(Span text, uint8 *public_key)
{
	bool		is_private = false;
	const char *problem = NULL;

	text = Trimmed(text);
	if (text.len > PUBLIC_KEY_MAX_SIZE)
		problem = "It is too long.";
	else if (HasText(text, "PRIVATE KEY", 0))
		is_private = true;
	else if (text.len > 0 && text.str[0] == '{')
		problem = ReadJwk(text, public_key, &is_private);
	else if (SpanStartsWith(text, SpanOfCString(PEM_BEGIN)))
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
