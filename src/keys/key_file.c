/*-------------------------------------------------------------------------
 *
 * key_file.c
 *		Private keys: creating, loading and holding them.
 *
 * A private key exists in two places: in a PEM file of mode 0600, in a
 * directory that a superuser names, and in the memory of the backend that
 * signs.  It never enters a table, the WAL, a log line or an error.
 *
 * Promises: an OpenSSL object that must survive code that can raise is either
 * the one cached key, which the process owns, or held by a SigningKey, which
 * releases it with its memory context.  User code may run while a key is held.
 * It can rotate, retire or replace the cached key, but cannot free the held
 * one.  A key that cannot be loaded is an error with a hint.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>

#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "port.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"

#include "base/settings.h"
#include "keys/key_file.h"
#include "keys/key_folder.h"
#include "keys/passphrase.h"
#define PEM_MAX_SIZE	4096

/* Cache of the last key that this process loaded. */
static struct
{
	char		key_id[KEY_ID_LENGTH + 1];
	EVP_PKEY   *private_key;
	KnownFile	file;
}			loaded;

/*
 * A private key in use.  It is independent of the cached one, and is released with the
 * memory context in which it was chosen.
 */
typedef struct HeldKey
{
	dlist_node	node;
	MemoryContextCallback callback;
	EVP_PKEY   *private_key;
	char		key_id[KEY_ID_LENGTH + 1];
	TimestampTz chosen_at;
	bool		compromised;
} HeldKey;

static dlist_head held_keys = DLIST_STATIC_INIT(held_keys);

static void
MissingKey(const char *key_id, const char *detail)
{
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("private signing key \"%s\" cannot be used", key_id),
			 errdetail("%s", detail),
			 errhint("Put the key's PEM file into this database's folder below the directory named by answer_eval.key_directory, owned by the server's user with mode 0600, or make a new key with answer_key_generate().")));
}

/* Passes a passphrase to OpenSSL.  Never asks a terminal for one. */
static int
GivePassphrase(char *buffer, int size, int writing, void *arg)
{
	const Passphrase *passphrase = arg;

	if (passphrase->len > size)
		return 0;
	memcpy(buffer, passphrase->text, passphrase->len);
	return passphrase->len;
}

/* Returns the private key, or NULL if the PEM is not the key with that id. */
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

		/* KeyIdOf can raise only for lack of memory; the key is then leaked */
		KeyIdOf(public_key, actual);
		if (strcmp(actual, key_id) == 0)
			return pkey;
	}
	EVP_PKEY_free(pkey);
	ERR_clear_error();
	return NULL;
}

/* Gets the passphrase for a PEM, if it needs one and a command is set. */
static void
PassphraseFor(const char *pem, int len, const char *key_id, Passphrase *passphrase)
{
	passphrase->len = 0;
	if (answer_eval_key_passphrase_command[0] != '\0' && memmem(pem, len, "ENCRYPTED", 9) != NULL)
		passphrase->len = ReadPassphrase(key_id, passphrase->text);
}

/*
 * Loads the private key, unless it is cached and its file is unchanged.  The cache owns
 * the key, and any other call may empty the cache.
 */
void *
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
	RememberFile(&loaded.file, path, &st);
	strlcpy(loaded.key_id, key_id, sizeof(loaded.key_id));
	return pkey;
}

/* Is it the cached key? */
bool
IsKeyLoaded(const char *key_id)
{
	return loaded.private_key != NULL && strcmp(loaded.key_id, key_id) == 0;
}

static void
ReleaseKey(void *arg)
{
	HeldKey    *held = arg;

	dlist_delete(&held->node);
	EVP_PKEY_free(held->private_key);
}

/* Makes a SigningKey hold a key until the current memory context is reset. */
void
HoldKey(SigningKey *key, void *pkey, TimestampTz chosen_at)
{
	HeldKey    *held = palloc(sizeof(HeldKey));

	if (EVP_PKEY_up_ref(pkey) != 1)
		OpensslFailed("hold a key");
	held->private_key = pkey;
	held->chosen_at = chosen_at;
	held->compromised = false;
	strlcpy(held->key_id, key->key_id, sizeof(held->key_id));
	held->callback.func = ReleaseKey;
	held->callback.arg = held;
	dlist_push_head(&held_keys, &held->node);
	MemoryContextRegisterResetCallback(CurrentMemoryContext, &held->callback);
	key->private_key = pkey;
	key->compromised = &held->compromised;
}

/*
 * After a key was declared compromised, prevents outer calls in this session from
 * signing with it at an instant after that.  They have already read the registry, so
 * they would not notice.
 */
void
RefuseUse(const char *key_id, TimestampTz compromised_after)
{
	dlist_iter	iter;

	dlist_foreach(iter, &held_keys)
	{
		HeldKey    *held = dlist_container(HeldKey, node, iter.cur);

		if (strcmp(held->key_id, key_id) == 0 && held->chosen_at > compromised_after)
			held->compromised = true;
	}
}

/*
 * Returns the latest instant at which an outer call in this session will sign with a
 * key; DT_NOBEGIN if there is none.
 */
TimestampTz
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

/* Iterations of PBKDF2 for a passphrase.  A key is loaded once per session. */
#define PBKDF2_ITERATIONS	100000

/* Writes a key in PKCS #8, encrypted if there is a passphrase. */
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

/* Makes a key; returns NULL if OpenSSL cannot. */
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

/* Makes a key and its file; returns the public key and the id. */
void
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
	/* we do not rely on secure memory; the buffer is cleansed below */
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
 * SQL
 */

/* answer.key_file_present(key_id, folder): only looks whether the file exists */
PG_FUNCTION_INFO_V1(answer_eval_key_file_present);
Datum
answer_eval_key_file_present(PG_FUNCTION_ARGS)
{
	char	   *key_id = text_to_cstring(PG_GETARG_TEXT_PP(0));
	char	   *folder = DatumGetCString(DirectFunctionCall1(uuid_out, PG_GETARG_DATUM(1)));
	char		path[MAXPGPATH];
	struct stat st;

	/* the registry has no other ids, but a path must not be made from an arbitrary one */
	if (strspn(key_id, "abcdefghijklmnopqrstuvwxyz0123456789-") != strlen(key_id))
		PG_RETURN_BOOL(false);
	KeyPath(folder, key_id, ".pem", path);
	PG_RETURN_BOOL(stat(path, &st) == 0 && S_ISREG(st.st_mode));
}
