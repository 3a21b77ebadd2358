/*-------------------------------------------------------------------------
 *
 * keyring.h
 *		The registry of signing keys.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_KEYRING_H
#define ANSWER_EVAL_KEYRING_H

#include "datatype/timestamp.h"

#include "base/jsonview.h"
#include "base/span.h"
#include "keys/ed25519.h"

/*
 * Called in the same transaction, with SPI connected, when the registry has changed.
 * It signs a record of the change.  If "key" is given, this was the last act of that
 * key, and it signs as of that instant.  Otherwise the key that is now active signs, if
 * there is one. module.c sets this, because documents are stored by a higher directory.
 */
typedef void (*KeysChangedHook) (const SigningKey *key, TimestampTz at);
extern KeysChangedHook keys_changed;

/*
 * Keeps others from forgetting for a tenant until the end of the transaction, waiting for
 * those who do. module.c sets this too.
 */
extern void (*hold_off_forgetting) (const text *tenant);

/*
 * Queries over signed rows that a higher directory stores; either may be NULL.  They
 * make sure that a key's life does not end before its newest signature, even if the
 * clock was set back.
 */
typedef struct SignedRows
{
	const char *newest;			/* key_id and instant of signatures after $2, for each key at least the last */
	const char *latest;			/* the last instant, by the clock at that time, at which the key $1 signed */
} SignedRows;

extern void RegisterSignedRows(const SignedRows *rows);

extern bool SigningKeyExists(void);
extern bool SigningKeyFind(SigningKey *key);
extern bool SigningFolderFind(SigningKey *key);
extern void SigningKeyBegin(SigningKey *key, TimestampTz *now);
extern void SigningKeyBeginUnstored(SigningKey *key, TimestampTz *now);
extern void SigningKeyBeginForRow(SigningKey *key, TimestampTz *now);
extern void SigningKeyChooseForRow(SigningKey *key, TimestampTz *now);
extern bool SigningKeyTryForRow(SigningKey *key, TimestampTz *now);
extern bool RegistryPublicKey(const char *key_id, uint8 *public_key);
extern bool RegistryKeys(Span key_id, JsonView *keys);

/* A key that may have authenticated rows of this database (row_mac.c). */
typedef struct RowKey
{
	char		key_id[KEY_ID_LENGTH + 1];	/* set by the caller */
	char		folder[KEY_FOLDER_LENGTH + 1];	/* empty if this database never signed with the key */
	bool		is_ours;		/* does the folder belong to this database? */
	bool		is_here;		/* and is the private key in it? */
	TimestampTz good_until;		/* a compromised key proves nothing for rows after this */
} RowKey;

extern void RowKeyFind(RowKey *key);
extern void *RowKeyLoad(const RowKey *key);

/* The keys for the previous signature.  One key usually makes many signatures in a row. */
typedef struct KeptKeys
{
	bool		own;			/* use only private keys that are here, and derive public keys from them */
	bool		at_any_time;	/* ignore the keys' lives, to find out whether only the life was wrong */
	Span		key_id;			/* empty if none was looked up */
	JsonView	keys;
} KeptKeys;

/* Like RegistryKeys, for the key that the member "sig" of an object names. */
extern const JsonView *RegistryKeysOfSig(const JsonView *object, KeptKeys *kept);

#endif							/* ANSWER_EVAL_KEYRING_H */
