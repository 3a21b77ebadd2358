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
 * Called within the transaction, and with SPI connected, when the registry has
 * changed: signs what happened.  "key", if given, signs at that instant, its
 * last; else the key that is active by now does, if there is one.  Set by
 * module.c, for those who store documents stand above.
 */
typedef void (*KeysChangedHook) (const SigningKey *key, TimestampTz at);
extern KeysChangedHook keys_changed;

/* Waits for who forgets for a tenant, and keeps others from it until the transaction ends.  Set by module.c, likewise. */
extern void (*hold_off_forgetting) (const text *tenant);

/*
 * What is signed here and stored above: queries, or NULL.  No key's life ends before
 * its newest signature, should the clock have been set back.
 */
typedef struct SignedRows
{
	const char *newest;			/* gives ids of keys and instants at which they signed, of those after $2 at least the last */
	const char *latest;			/* gives the last instant, by the clock of then, at which the key $1 signed */
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

/* A key by which rows may have been recorded here (row_mac.c). */
typedef struct RowKey
{
	char		key_id[KEY_ID_LENGTH + 1];	/* given */
	char		folder[KEY_FOLDER_LENGTH + 1];	/* empty: this database never signed with it */
	bool		is_ours;		/* the folder belongs to this database */
	bool		is_here;		/* and its private half is there */
	TimestampTz good_until;		/* of later rows it proves nothing, for it was compromised */
} RowKey;

extern void RowKeyFind(RowKey *key);
extern void *RowKeyLoad(const RowKey *key);

/* The keys of the signature before: of one key there are many signatures. */
typedef struct KeptKeys
{
	bool		own;			/* only keys whose private half is here, and by that */
	bool		at_any_time;	/* as if each had always been good: is only the key's life wrong? */
	Span		key_id;			/* empty: none was looked up */
	JsonView	keys;
} KeptKeys;

/* Does the same for the key that the member sig of an object names. */
extern const JsonView *RegistryKeysOfSig(const JsonView *object, KeptKeys *kept);

#endif							/* ANSWER_EVAL_KEYRING_H */
