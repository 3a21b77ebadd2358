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
#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "storage/fd.h"
#include "storage/lock.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"

#include "canonical.h"
#include "evidence.h"
#include "instant.h"
#include "query.h"
#include "settings.h"
#include "signature.h"

#define PEM_MAX_SIZE	4096

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

/*
 * Chooses the key that signs and the instant it signs at, and loads the key.
 * Looks at the registry as it is now, whatever snapshot the transaction has.
 * SPI must be connected.
 */
void
SigningKeyBegin(SigningKey *key, TimestampTz *now)
{
	static FixedQuery query = {
		.text = "SELECT key_id, active_from FROM answer.signing_key"
		" WHERE status OPERATOR(pg_catalog.=) 'active'"
		" ORDER BY active_from DESC, key_id LIMIT 1",
		.nargs = 0
	};
	TimestampTz active_from;
	bool		isnull;
	Oid			user;
	int			context;

	KeyLock(ShareLock);
	*now = GetCurrentTimestamp();
	PushActiveSnapshot(GetLatestSnapshot());
	AnswerAsOwner(&user, &context);
	QueryRun(&query, NULL, NULL, true, 1);
	AnswerAsCaller(user, context);
	PopActiveSnapshot();
	KeyUnlock(ShareLock);

	if (SPI_processed == 0)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("there is no active signing key"),
				 errhint("Make one with answer_key_generate().")));
	strlcpy(key->key_id, SPI_getvalue(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1),
			sizeof(key->key_id));
	/* should the clock have been set back, the key is still not used before its time */
	active_from = DatumGetTimestampTz(SPI_getbinval(SPI_tuptable->vals[0],
													SPI_tuptable->tupdesc, 2, &isnull));
	*now = Max(*now, active_from);
	SPI_freetuptable(SPI_tuptable);
	key->private_key = LoadKey(key->key_id);
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
	QueryRun(&query, &id, NULL, true, 1);
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

	QueryRun(&query, &id, NULL, true, 1);
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
	static FixedQuery retire = {
		.text = "UPDATE answer.signing_key SET status = 'retired', retired_at = $1"
		" WHERE status OPERATOR(pg_catalog.=) 'active'",
		.nargs = 1,
		.argtypes = {TIMESTAMPTZOID}
	};
	static FixedQuery insert = {
		.text = "INSERT INTO answer.signing_key (key_id, public_key, status, active_from)"
		" VALUES ($1, $2, 'active', $3)",
		.nargs = 3,
		.argtypes = {TEXTOID, BYTEAOID, TIMESTAMPTZOID}
	};
	uint8		public_key[ED25519_KEY_LENGTH];
	char		key_id[KEY_ID_LENGTH + 1];
	Datum		values[3];
	Oid			user;
	int			context;

	PreventCommandIfReadOnly("answer_key_generate()");
	PreventCommandDuringRecovery("answer_key_generate()");
	CreateKey(public_key, key_id);

	/* held to the end: signers see this rotation whole or not at all */
	KeyLock(ExclusiveLock);
	SPI_connect();
	AnswerAsOwner(&user, &context);
	values[2] = TimestampTzGetDatum(GetCurrentTimestamp());
	PushActiveSnapshot(GetLatestSnapshot());
	QueryRun(&retire, &values[2], NULL, false, 0);
	values[0] = CStringGetTextDatum(key_id);
	values[1] = PointerGetDatum(cstring_to_text_with_len((char *) public_key,
														 ED25519_KEY_LENGTH));
	QueryRun(&insert, values, NULL, false, 0);
	PopActiveSnapshot();
	AnswerAsCaller(user, context);
	SPI_finish();
	PG_RETURN_TEXT_P(cstring_to_text(key_id));
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
