/*
 * Measures one Ed25519 signature, or one verification, in OpenSSL alone, to compare with a receipt.
 *
 *     bench_ed25519 sign|verify BYTES COUNT
 *
 * The key is made before the clock starts. Each operation has its own context, like a caller that signs one message.
 * Prints nanoseconds per operation: by the wall clock, then of this process's CPU time.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <openssl/evp.h>

static double
seconds(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

static void
require(int ok, const char *what)
{
	if (ok)
		return;
	fprintf(stderr, "bench_ed25519: %s failed\n", what);
	exit(1);
}

static void
sign(EVP_PKEY *key, const unsigned char *message, size_t len, unsigned char *signature)
{
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	size_t		signature_len = 64;

	require(ctx && EVP_DigestSignInit(ctx, NULL, NULL, NULL, key) == 1 &&
			EVP_DigestSign(ctx, signature, &signature_len, message, len) == 1, "signing");
	EVP_MD_CTX_free(ctx);
}

static void
verify(EVP_PKEY *key, const unsigned char *message, size_t len, const unsigned char *signature)
{
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();

	require(ctx && EVP_DigestVerifyInit(ctx, NULL, NULL, NULL, key) == 1 &&
			EVP_DigestVerify(ctx, signature, 64, message, len) == 1, "verifying");
	EVP_MD_CTX_free(ctx);
}

int
main(int argc, char **argv)
{
	EVP_PKEY   *key;
	unsigned char signature[64];
	unsigned char *message;
	size_t		len;
	long		count;
	int			signing;
	double		wall;
	double		cpu;

	require(argc == 4, "reading arguments: sign|verify BYTES COUNT");
	signing = strcmp(argv[1], "sign") == 0;
	len = strtoul(argv[2], NULL, 10);
	count = strtol(argv[3], NULL, 10);
	message = malloc(len + 1);
	key = EVP_PKEY_Q_keygen(NULL, NULL, "ED25519");
	require(message && key && count > 0, "setting up");
	for (size_t i = 0; i < len; i++)
		message[i] = ' ' + i % 95;
	sign(key, message, len, signature);
	verify(key, message, len, signature);

	wall = seconds(CLOCK_MONOTONIC);
	cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
	for (long i = 0; i < count; i++)
	{
		if (signing)
			sign(key, message, len, signature);
		else
			verify(key, message, len, signature);
	}
	printf("%.0f %.0f\n", (seconds(CLOCK_MONOTONIC) - wall) / count * 1e9,
		   (seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu) / count * 1e9);
	EVP_PKEY_free(key);
	free(message);
	return 0;
}
