/*-------------------------------------------------------------------------
 *
 * waiting_rows.h
 *		Stored rows that a later call uses: their signatures and their audit.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GROUND_WAITING_ROWS_H
#define ANSWER_EVAL_GROUND_WAITING_ROWS_H

#include "datatype/timestamp.h"
#include "utils/jsonb.h"

#include "base/jsonview.h"
#include "base/span.h"
#include "keys/ed25519.h"
#include "log/audit_part.h"
#include "keys/keyring.h"

/* A row of answer.retrieval. */
typedef struct WaitingRetrieval
{
	const text *tenant;
	const text *role;
	Span		retrieval_id;
	JsonView	state;
	TimestampTz retrieved_at;
	TimestampTz expires_at;
	JsonView	sig;			/* over the other columns */
} WaitingRetrieval;

/* A row of answer.decision_cache, without the count of hits. */
typedef struct CachedReceipt
{
	const text *tenant;
	Span		key;
	Span		receipt_id;
	TimestampTz issued_at;
	TimestampTz expires_at;
	JsonView	sig;			/* over the other columns */
} CachedReceipt;

/* Reads a column of such a row, whatever its value; null if it is null. */
extern void WaitingColumn(SPITupleTable *table, int column, JsonView *view);

/* Sign a row, and return the column sig. The key signed at retrieved_at, or signed the receipt at issued_at. */
extern Jsonb *WaitingRetrievalSign(const WaitingRetrieval *row, const SigningKey *key);
extern Jsonb *CachedReceiptSign(const CachedReceipt *row, const SigningKey *key);

/* Return why a row is not what was stored, or NULL. Keys are read as the owner. SPI must be connected. */
extern const char *WaitingRetrievalProblemAsOwner(const WaitingRetrieval *row);
extern const char *CachedReceiptProblemAsOwner(const CachedReceipt *row);

extern const AuditPart waiting_audit;

extern const SignedRows retrieval_signed;

#endif							/* ANSWER_EVAL_GROUND_WAITING_ROWS_H */
