/*-------------------------------------------------------------------------
 *
 * rfc3161.h
 *		RFC 3161: time-stamp requests, and the examination of tokens.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_RFC3161_H
#define ANSWER_EVAL_RFC3161_H

#include "datatype/timestamp.h"

#define IMPRINT_LENGTH		32		/* of SHA-256, the only hash that is accepted */
#define TOKEN_MAX_SIZE		65536	/* bytes of a token, or of a response */
#define REQUEST_MAX_SIZE	512

/* Sizes of the texts below, with terminators. */
#define TOKEN_INTEGER_SIZE	140		/* 0x and 64 bytes in hex */
#define TOKEN_OID_SIZE		260
#define TOKEN_NAME_SIZE		520
#define TOKEN_REASON_SIZE	200
#define TOKEN_DIGEST_SIZE	40

/* What a caller demands of a token.  A NULL demands nothing. */
typedef struct TokenTerms
{
	const char *roots;			/* certificates, PEM */
	const TimestampTz *at;		/* when the chain must be valid; NULL means genTime */
	const char *nonce;			/* "0x…", in this module's form */
	const char *policy;			/* dotted, in this module's form */
} TokenTerms;

typedef enum TokenFinding
{
	TOKEN_UNCHECKED = 0,
	TOKEN_HOLDS,
	TOKEN_FAILS
} TokenFinding;

typedef struct TokenStep
{
	TokenFinding finding;
	const char *reason;			/* if it fails: a constant, or in the report */
} TokenStep;

/* What a token says, and the results of its examination.  Owns all it points to. */
typedef struct TokenReport
{
	const char *problem;		/* why everything below is unknown, or NULL */
	TimestampTz gen_time;		/* truncated to microseconds */
	char		serial[TOKEN_INTEGER_SIZE];
	char		nonce_text[TOKEN_INTEGER_SIZE]; /* empty if none */
	char		policy_id[TOKEN_OID_SIZE];
	char		tsa[TOKEN_NAME_SIZE];	/* the name in the token, or empty */
	char		signer[TOKEN_NAME_SIZE];	/* subject of its certificate, or empty */
	char		digest_alg[TOKEN_DIGEST_SIZE];	/* of the signature */
	bool		ordering;
	bool		has_accuracy;
	int64		seconds;
	int64		millis;
	int64		micros;
	bool		embedded;		/* is the signer's certificate in the token? */
	bool		has_identity;
	uint8		identity[IMPRINT_LENGTH];	/* the same for all tokens that differ in unsigned bytes only */
	TokenStep	imprint;
	TokenStep	nonce;
	TokenStep	signature;
	TokenStep	eku;
	TokenStep	chain;
	TokenStep	policy;
	TokenStep	accuracy;
	TimestampTz chain_at;
	char		chain_reason[TOKEN_REASON_SIZE];
} TokenReport;

/* What an authority's response was. */
typedef enum ResponseKind
{
	RESPONSE_TOKEN,
	RESPONSE_REFUSED,			/* a response without a token */
	RESPONSE_MALFORMED
} ResponseKind;

extern void TokenExamine(const uint8 *der, size_t len, const uint8 *imprint,
						 const TokenTerms *terms, TokenReport *report);
extern bool NormalNonce(const char *text, char *out);
extern bool NormalPolicy(const char *text, char *out);
extern int	RequestMake(const uint8 *imprint, const char *policy, uint8 *buffer,
						char *nonce_text);
extern ResponseKind ResponseRead(const uint8 *bytes, size_t size, uint8 *buffer, int *len,
								 int64 *status, char *status_text);

#endif							/* ANSWER_EVAL_RFC3161_H */
