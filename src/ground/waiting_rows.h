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

/* Return a row as it is signed: at retrieved_at, or with the key that signed the receipt at issued_at. */
extern JsonView WaitingRetrievalView(const WaitingRetrieval *row);
extern JsonView CachedReceiptView(const CachedReceipt *row);

/* Signs a row, and returns the column sig. */
extern Jsonb *WaitingRowSign(JsonView view, const SigningKey *key);

/*
 * Returns why a row is not what was stored, or NULL. "instant" names the column of when it
 * was signed.  Keys are read as the owner.  SPI must be connected.
 */
extern const char *WaitingRowProblem(JsonView view, const JsonView *sig, const char *instant);

extern const AuditPart waiting_audit;

extern const SignedRows retrieval_signed;

#endif							/* ANSWER_EVAL_GROUND_WAITING_ROWS_H */
