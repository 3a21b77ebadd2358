/*-------------------------------------------------------------------------
 *
 * ed25519.h
 *		Ed25519: signatures, and public keys from outside.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_ED25519_H
#define ANSWER_EVAL_ED25519_H

#include "base/jsonview.h"
#include "base/span.h"

#define ED25519_KEY_LENGTH			32
#define ED25519_SIGNATURE_LENGTH	64
#define SIGNATURE_TEXT_LENGTH		88	/* padded base64url of 64 bytes */
#define KEY_ID_PREFIX				"ae-ed25519-"
#define KEY_ID_LENGTH				(11 + 12)
#define KEY_FOLDER_LENGTH			36	/* a uuid */
#define SIGNATURE_ALG				"Ed25519"
#define SIGNATURE_CANONICALIZATION	"json-sorted-compact"

/*
 * A private key that is loaded and ready to sign.  It is held until the memory context
 * that was current in SigningKeyBegin is reset.
 */
typedef struct SigningKey
{
	char		key_id[KEY_ID_LENGTH + 1];
	char		folder[KEY_FOLDER_LENGTH + 1];
	Oid			registry;		/* OID of the table that has the key */
	void	   *private_key;	/* EVP_PKEY */
	const bool *compromised;	/* did code called during this call declare it compromised? */
} SigningKey;

extern void SigningKeySign(const SigningKey *key, const char *message, size_t len,
						   char *signature);
extern void SigningKeyMustBeUsable(const SigningKey *key);
extern void SigningKeySignRaw(const SigningKey *key, const void *message, size_t len,
							  uint8 *signature);
extern bool SigningKeyPublic(const SigningKey *key, uint8 *public_key);
extern void SigningKeyAttest(const SigningKey *key, const char *digest,
							 char *signature);
extern JsonView SignatureView(const SigningKey *key, const char *signature);
extern bool SignatureVerify(const uint8 *public_key, const char *message, size_t len,
							const uint8 *signature);

/* only for this directory; pkey is an EVP_PKEY */
extern _Noreturn void OpensslFailed(const char *what);
extern bool PublicHalf(void *pkey, uint8 *public_key);
extern void KeyIdOf(const uint8 *public_key, char *key_id);
extern void PublicKeyParse(Span text, uint8 *public_key);
extern void HideFromLog(void *arg);

#endif							/* ANSWER_EVAL_ED25519_H */
