/*-------------------------------------------------------------------------
 *
 * signed_judgement.h
 *		Signs judgements when they are stored.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_SIGNED_JUDGEMENT_H
#define ANSWER_EVAL_SIGNED_JUDGEMENT_H

#include "datatype/timestamp.h"

#include "base/jsonview.h"
#include "base/span.h"
#include "keys/ed25519.h"
#include "keys/keyring.h"

/* A row of answer.judgement, without its signature. */
typedef struct StoredJudgement
{
	Span		tenant;
	Span		pair;
	Span		judge;
	Span		judge_tenant;
	int32		revision;
	TimestampTz judged_at;
	Span		kind;
	Span		version;
	Span		relation;
	Span		score;			/* as the server writes it, without trailing zeros */
	Span		origin;
	Span		by;
	JsonView	passages;		/* digests, in hex */
} StoredJudgement;

/* Returns the object that is signed. */
extern JsonView StoredJudgementView(const StoredJudgement *row);

/*
 * Returns rows as made by JudgementRow(), with the members judged_at and sig.  The key
 * signs at that instant.  If a clock was set back, a row that follows one of the same
 * judge about the same pair is dated just after it.  SPI must be connected.
 */
extern JsonView JudgementsSign(const text *tenant, Span by, const char *origin, const SigningKey *key,
							   TimestampTz judged_at, const JsonView *rows);

extern const SignedRows judgement_signed;

#endif							/* ANSWER_EVAL_SIGNED_JUDGEMENT_H */
