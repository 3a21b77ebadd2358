/*-------------------------------------------------------------------------
 *
 * row_mac.c
 *		Codes that prove that our functions have stored a row.
 *
 * Some rows are too frequent to sign each one: a signature takes a good part of the time
 * that storing a reading takes.  So C code stores such a row with a message
 * authentication code: an HMAC-SHA256 over the name of its table and its digest, under a
 * key derived from the private key that signs at the time.  It costs a few microseconds.
 * The owner of the tables does not have the private key, and no SQL function makes a code
 * for a row that it is given.  The drawback: a code can be verified only where the
 * private key is.  So codes serve only until the row is on a signed list
 * (log/recorded.c).
 *
 * Rule: RFC 2104 for the code.  Its key is an HMAC, too: of a fixed label and the name of
 * the private key's folder, under the 32 bytes of the private key.  A code identifies its
 * private key by the digits of the key's id.
 *
 * Promises: neither the private key nor a derived key leaves the memory of this process.
 * Derived keys are wiped at the end of the transaction, except that of the private key
 * which the session has loaded, and all when the process ends.  Verifying a row reports
 * its result even if the file of a key cannot be used.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include "access/xact.h"
#include "executor/spi.h"
#include "storage/ipc.h"
#include "utils/builtins.h"

#include "base/canonical.h"
#include "keys/key_file.h"
#include "keys/keyring.h"
#include "keys/row_mac.h"

#define LABEL	"answer_eval: rows that were recorded (1)"

/* How many derived keys this process caches.  An audit meets those of rotated keys in any order. */
#define READY_KEYS	8

static struct
{
	char		key_id[KEY_ID_LENGTH + 1];
	char		folder[KEY_FOLDER_LENGTH + 1];
	EVP_MAC_CTX *context;		/* to be copied; NULL if the entry is empty */
}			ready[READY_KEYS];

static int	next_place = 0;

static void
Wipe(int place)
{
	EVP_MAC_CTX_free(ready[place].context);
	ready[place].context = NULL;
}

static void
WipeAll(int code, Datum arg)
{
	for (int i = 0; i < READY_KEYS; i++)
		Wipe(i);
}

/* An audit needs each key many times.  At its end all are wiped, except that of the loaded private key. */
static void
WipeAtEnd(XactEvent event, void *arg)
{
	if (event == XACT_EVENT_PRE_COMMIT || event == XACT_EVENT_PARALLEL_PRE_COMMIT || event == XACT_EVENT_PRE_PREPARE)
		return;
	for (int i = 0; i < READY_KEYS; i++)
	{
		if (ready[i].context && !IsKeyLoaded(ready[i].key_id))
			Wipe(i);
	}
}

/* Returns a context for HMAC-SHA256 under a key, to be copied; NULL if OpenSSL fails. */
static EVP_MAC_CTX *
UnderKey(const uint8 *key, size_t len)
{
	static EVP_MAC *algorithm = NULL;
	char		digest[] = "SHA256";
	OSSL_PARAM	params[] = {
		OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0),
		OSSL_PARAM_construct_end()
	};
	EVP_MAC_CTX *context;

	if (algorithm == NULL)
		algorithm = EVP_MAC_fetch(NULL, "HMAC", NULL);
	context = algorithm ? EVP_MAC_CTX_new(algorithm) : NULL;
	if (context && EVP_MAC_init(context, key, len, params) != 1)
	{
		EVP_MAC_CTX_free(context);
		context = NULL;
	}
	return context;
}

/* Computes the code of two texts, separated by a zero byte. */
static bool
Compute(EVP_MAC_CTX *context, Span first, const void *second, size_t len, uint8 *code)
{
	EVP_MAC_CTX *copy = context ? EVP_MAC_CTX_dup(context) : NULL;
	size_t		code_len;
	bool		ok;

	ok = copy != NULL &&
		EVP_MAC_update(copy, (const uint8 *) first.str, first.len) == 1 &&
		EVP_MAC_update(copy, (const uint8 *) "", 1) == 1 &&
		EVP_MAC_update(copy, second, len) == 1 &&
		EVP_MAC_final(copy, code, &code_len, SHA256_LENGTH) == 1 && code_len == SHA256_LENGTH;
	EVP_MAC_CTX_free(copy);
	return ok;
}

/* Returns a context for codes under the key derived from a private key; NULL if OpenSSL fails. */
static EVP_MAC_CTX *
Derive(void *private_key, const char *folder)
{
	uint8		secret[ED25519_KEY_LENGTH];
	uint8		derived[SHA256_LENGTH];
	size_t		len = sizeof(secret);
	EVP_MAC_CTX *context = NULL;
	EVP_MAC_CTX *from = NULL;

	if (EVP_PKEY_get_raw_private_key(private_key, secret, &len) == 1 && len == ED25519_KEY_LENGTH)
		from = UnderKey(secret, sizeof(secret));
	if (Compute(from, SpanOfCString(LABEL), folder, strlen(folder), derived))
		context = UnderKey(derived, sizeof(derived));
	EVP_MAC_CTX_free(from);
	OPENSSL_cleanse(secret, sizeof(secret));
	OPENSSL_cleanse(derived, sizeof(derived));
	return context;
}

/* Returns a cached context, or NULL. */
static EVP_MAC_CTX *
FindReady(const char *key_id, const char *folder)
{
	for (int i = 0; i < READY_KEYS; i++)
	{
		if (ready[i].context && strcmp(ready[i].key_id, key_id) == 0 && strcmp(ready[i].folder, folder) == 0)
			return ready[i].context;
	}
	return NULL;
}

static EVP_MAC_CTX *
MakeReady(const char *key_id, const char *folder, void *private_key)
{
	static bool registered = false;
	EVP_MAC_CTX *context;

	if (!registered)
	{
		on_proc_exit(WipeAll, (Datum) 0);
		RegisterXactCallback(WipeAtEnd, NULL);
		registered = true;
	}
	ERR_clear_error();
	context = Derive(private_key, folder);
	if (context == NULL)
		OpensslFailed("authenticate a row");
	Wipe(next_place);
	ready[next_place].context = context;
	strlcpy(ready[next_place].key_id, key_id, sizeof(ready[next_place].key_id));
	strlcpy(ready[next_place].folder, folder, sizeof(ready[next_place].folder));
	next_place = (next_place + 1) % READY_KEYS;
	return context;
}

static void
CodeOfRow(EVP_MAC_CTX *context, Span table, const uint8 *digest, uint8 *code)
{
	ERR_clear_error();
	if (!Compute(context, table, digest, SHA256_LENGTH, code))
		OpensslFailed("authenticate a row");
}

void
RowMacMake(const SigningKey *key, const char *table, const uint8 *digest, uint8 *mac)
{
	EVP_MAC_CTX *context;

	SigningKeyMustBeUsable(key);
	context = FindReady(key->key_id, key->folder);
	if (context == NULL)
		context = MakeReady(key->key_id, key->folder, key->private_key);
	(void) hex_decode(key->key_id + strlen(KEY_ID_PREFIX), ROW_MAC_KEY_LENGTH * 2, (char *) mac);
	CodeOfRow(context, SpanOfCString(table), digest, mac + ROW_MAC_KEY_LENGTH);
}

/*
 * verifying
 */

/* Returns the registration of the key that a code names, looked up once. */
static const RowKey *
KeyOf(RowKeys *keys, const char *key_id)
{
	ListCell   *cell;
	RowKey	   *key;
	MemoryContext caller;

	foreach(cell, keys->known)
	{
		key = lfirst(cell);
		if (strcmp(key->key_id, key_id) == 0)
			return key;
	}
	caller = MemoryContextSwitchTo(keys->context);
	key = palloc0(sizeof(RowKey));
	strlcpy(key->key_id, key_id, sizeof(key->key_id));
	keys->known = lappend(keys->known, key);
	MemoryContextSwitchTo(caller);
	RowKeyFind(key);
	return key;
}

static EVP_MAC_CTX *
ReadyToVerify(const RowKey *key)
{
	EVP_MAC_CTX *context = FindReady(key->key_id, key->folder);

	return context ? context : MakeReady(key->key_id, key->folder, RowKeyLoad(key));
}

RowMacStatus
RowMacVerify(RowKeys *keys, Span table, Span digest, Span mac, TimestampTz recorded_at)
{
	char		key_id[KEY_ID_LENGTH + 1] = KEY_ID_PREFIX;
	uint8		code[SHA256_LENGTH];
	const RowKey *key;

	if (mac.len == 0)
		return ROW_MAC_ABSENT;
	if (mac.len != ROW_MAC_LENGTH || digest.len != SHA256_LENGTH)
		return ROW_MAC_WRONG;
	HexEncode((const uint8 *) mac.str, ROW_MAC_KEY_LENGTH, key_id + strlen(KEY_ID_PREFIX));
	key_id[KEY_ID_LENGTH] = '\0';
	if (keys->only && strcmp(keys->only, key_id) != 0)
		return ROW_MAC_ELSEWHERE;
	key = KeyOf(keys, key_id);
	if (key->folder[0] == '\0')
		return ROW_MAC_WRONG;
	if (!key->is_here)
		return key->is_ours ? ROW_MAC_AWAY : ROW_MAC_ELSEWHERE;
	CodeOfRow(ReadyToVerify(key), table, (const uint8 *) digest.str, code);
	if (CRYPTO_memcmp(code, mac.str + ROW_MAC_KEY_LENGTH, SHA256_LENGTH) != 0)
		return ROW_MAC_WRONG;
	return recorded_at > key->good_until ? ROW_MAC_COMPROMISED : ROW_MAC_GOOD;
}
