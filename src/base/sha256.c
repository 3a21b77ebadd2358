/*-------------------------------------------------------------------------
 *
 * sha256.c
 *		SHA-256, fast for many short texts.
 *
 * A tree of a million leaves takes two million hashes of 33 or 65 bytes each.
 * PostgreSQL's pg_cryptohash looks the algorithm up among OpenSSL's providers
 * for each of them, which takes five times as long as the hash itself.  So we
 * look it up once per process and keep the context.
 *
 * Rule: FIPS 180-4.
 *
 * Promises: there is nothing to release if an error interrupts a hash.  The
 * next hash starts anew.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <openssl/err.h>
#include <openssl/evp.h>

#include "base/sha256.h"

/* Created at first use; they live as long as the process. */
static EVP_MD *algorithm = NULL;
static EVP_MD_CTX *context = NULL;
static EVP_MD_CTX *kept = NULL;

static void
HashFailed(void)
{
	const char *reason = ERR_reason_error_string(ERR_get_error());

	ERR_clear_error();
	ereport(ERROR,
			(errcode(ERRCODE_INTERNAL_ERROR),
			 errmsg("could not compute SHA-256 hash: %s", reason ? reason : "no reason given")));
}

static void
SetUp(void)
{
	ERR_clear_error();
	if (algorithm == NULL)
		algorithm = EVP_MD_fetch(NULL, "SHA256", NULL);
	if (context == NULL)
		context = EVP_MD_CTX_new();
	if (algorithm == NULL || context == NULL)
		HashFailed();
}

void
Sha256Begin(void)
{
	if (context == NULL || algorithm == NULL)
		SetUp();
	if (EVP_DigestInit_ex2(context, algorithm, NULL) <= 0)
		HashFailed();
}

void
Sha256Add(const void *data, size_t len)
{
	if (EVP_DigestUpdate(context, data, len) <= 0)
		HashFailed();
}

/* Saves the state of the hash, replacing the one saved before. */
void
Sha256Keep(void)
{
	if (kept == NULL)
		kept = EVP_MD_CTX_new();
	if (kept == NULL || EVP_MD_CTX_copy_ex(kept, context) <= 0)
		HashFailed();
}

/* Resumes from the saved state. */
void
Sha256BeginKept(void)
{
	if (EVP_MD_CTX_copy_ex(context, kept) <= 0)
		HashFailed();
}

void
Sha256End(uint8 *sha256)
{
	if (EVP_DigestFinal_ex(context, sha256, NULL) <= 0)
		HashFailed();
}

void
Sha256(const void *data, size_t len, uint8 *sha256)
{
	Sha256Begin();
	Sha256Add(data, len);
	Sha256End(sha256);
}
