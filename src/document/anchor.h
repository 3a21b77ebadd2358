/*-------------------------------------------------------------------------
 *
 * anchor.h
 *		Anchors: time-stamps over receipts.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_ANCHOR_H
#define ANSWER_EVAL_ANCHOR_H

#include "base/jsonview.h"
#include "document/rfc3161.h"

typedef enum AnchorOutcome
{
	ANCHOR_ABSENT = 0,			/* the receipt has no anchor */
	ANCHOR_MISMATCH,			/* a check failed */
	ANCHOR_DECLARED,			/* all checks passed that need no roots */
	ANCHOR_VERIFIED				/* all checks passed */
} AnchorOutcome;

typedef struct AnchorReport
{
	AnchorOutcome outcome;
	const char *reason;			/* if a mismatch, else NULL */
	bool		forgotten;		/* is there a tombstone in place of the receipt? */
	bool		has_token;		/* was the anchor parsed, so that token is filled? */
	TokenReport token;
} AnchorReport;

extern const char *const anchor_outcome_labels[];

extern void AnchorExamine(const JsonView *receipt, const TokenTerms *terms,
						  AnchorReport *report);
extern const char *TokenFirstFailure(const TokenReport *token);
extern bool AnchoredDigest(const JsonView *receipt, uint8 *sha256, bool *forgotten);
extern JsonView AnchorView(const uint8 *token, int len, const uint8 *imprint,
						   TimestampTz attached_at);
extern JsonView AnchorReportView(const AnchorReport *report, const TokenTerms *terms);

#endif							/* ANSWER_EVAL_ANCHOR_H */
