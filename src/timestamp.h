/*-------------------------------------------------------------------------
 *
 * timestamp.h
 *		Anchors: RFC 3161 time-stamps over receipts.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_TIMESTAMP_H
#define ANSWER_EVAL_TIMESTAMP_H

#include "datatype/timestamp.h"

#include "instant.h"
#include "jsonview.h"

/* Sizes of the texts below, terminators included. */
#define TOKEN_INTEGER_SIZE	140		/* 0x and 64 bytes in hex */
#define TOKEN_OID_SIZE		260
#define TOKEN_NAME_SIZE		520
#define TOKEN_REASON_SIZE	200

typedef enum AnchorOutcome
{
	ANCHOR_ABSENT = 0,			/* the receipt has no anchor */
	ANCHOR_MISMATCH,			/* something that was checked does not hold */
	ANCHOR_DECLARED,			/* all holds that can be checked without roots */
	ANCHOR_VERIFIED				/* all holds */
} AnchorOutcome;

/* What a caller asks of an anchor; NULLs ask for nothing. */
typedef struct AnchorTerms
{
	const char *roots;			/* certificates, PEM */
	const TimestampTz *at;		/* when the chain must be valid; NULL: genTime */
	const char *nonce;			/* "0x…", as this room writes it */
	const char *policy;			/* dotted, as this room writes it */
} AnchorTerms;

typedef enum TokenFinding
{
	TOKEN_UNCHECKED = 0,
	TOKEN_HOLDS,
	TOKEN_FAILS
} TokenFinding;

typedef struct TokenStep
{
	TokenFinding finding;
	const char *reason;			/* where it fails: static, or in the report */
} TokenStep;

/* What a token says, and what is found about it.  Owns all it points to. */
typedef struct TokenReport
{
	const char *problem;		/* why nothing below is known, or NULL */
	TimestampTz gen_time;		/* cut to microseconds */
	char		serial[TOKEN_INTEGER_SIZE];
	char		nonce_text[TOKEN_INTEGER_SIZE]; /* empty: none */
	char		policy_id[TOKEN_OID_SIZE];
	char		tsa[TOKEN_NAME_SIZE];	/* the name in the token, or empty */
	char		signer[TOKEN_NAME_SIZE];	/* subject of its certificate, or empty */
	char		digest_alg[TOKEN_NAME_SIZE];	/* of the signature */
	bool		ordering;
	bool		has_accuracy;
	int64		seconds;
	int64		millis;
	int64		micros;
	bool		embedded;		/* the signer's certificate is in the token */
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

typedef struct AnchorReport
{
	AnchorOutcome outcome;
	const char *reason;			/* of a mismatch, else NULL */
	bool		forgotten;		/* a tombstone stands in the receipt's place */
	bool		has_token;		/* was the anchor read, so that token is filled? */
	TokenReport token;
} AnchorReport;

extern const char *const anchor_outcome_labels[];

extern void AnchorExamine(const JsonView *receipt, const AnchorTerms *terms,
						  AnchorReport *report);

#endif							/* ANSWER_EVAL_TIMESTAMP_H */
