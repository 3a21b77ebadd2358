/*-------------------------------------------------------------------------
 *
 * keyring.h
 *		Ed25519 keys and signatures.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_KEYRING_H
#define ANSWER_EVAL_KEYRING_H

#include "datatype/timestamp.h"

#include "base/jsonview.h"
#include "check/operator.h"

#define ED25519_KEY_LENGTH			32
#define ED25519_SIGNATURE_LENGTH	64
#define SIGNATURE_TEXT_LENGTH		88	/* padded base64url of 64 bytes */
#define KEY_ID_PREFIX				"ae-ed25519-"
#define KEY_ID_LENGTH				(11 + 12)
#define KEY_FOLDER_LENGTH			36	/* a uuid */
#define SIGNATURE_ALG				"Ed25519"
#define SIGNATURE_CANONICALIZATION	"json-sorted-compact"

/* Bytes of an encoding with its padding and a terminator. */
#define BASE64_SIZE(bytes)			(((bytes) + 2) / 3 * 4 + 1)

/*
 * A private key that is loaded and may sign now.  It is held until the memory
 * context that was current in SigningKeyBegin is reset.
 */
typedef struct SigningKey
{
	char		key_id[KEY_ID_LENGTH + 1];
	char		folder[KEY_FOLDER_LENGTH + 1];
	Oid			registry;		/* the table that has it */
	void	   *private_key;	/* EVP_PKEY */
} SigningKey;

/*
 * Called within the transaction, and with SPI connected, when the registry has
 * changed: signs what happened.  "key", if given, signs at that instant, its
 * last; else the key that is active by now does, if there is one.  Set by
 * module.c, for those who store documents stand above.
 */
typedef void (*KeysChangedHook) (const SigningKey *key, TimestampTz at);
extern KeysChangedHook keys_changed;

extern bool SigningKeyExists(void);
extern bool SigningFolderFind(SigningKey *key);
extern void SigningKeyFile(const SigningKey *key, const char *name, char *path);
extern void SigningFileReplace(const char *path, const char *text, int len, const char *what);
extern void SigningKeyBegin(SigningKey *key, TimestampTz *now);
extern void SigningKeySign(const SigningKey *key, const char *message, size_t len,
						   char *signature);
extern void SigningKeySignRaw(const SigningKey *key, const void *message, size_t len,
							  uint8 *signature);
extern bool SigningKeyPublic(const SigningKey *key, uint8 *public_key);
extern void SigningKeyAttest(const SigningKey *key, const char *digest,
							 char *signature);
extern JsonView SignatureView(const SigningKey *key, const char *signature);
extern bool SignatureVerify(const uint8 *public_key, const char *message, size_t len,
							const uint8 *signature);
extern int	Base64UrlDecode(Span text, uint8 *bytes, int size);
extern void Base64UrlEncode(const uint8 *bytes, int len, char *text);
extern int	Base64Decode(Span text, uint8 *bytes, int size);
extern void Base64Encode(const uint8 *bytes, int len, char *text);
extern bool RegistryPublicKey(const char *key_id, uint8 *public_key);
extern bool RegistryKeys(Span key_id, JsonView *keys);

#endif							/* ANSWER_EVAL_KEYRING_H */
