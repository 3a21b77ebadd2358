/*-------------------------------------------------------------------------
 *
 * waiting_rows.h
 *		Rows that wait to decide something later, as they are signed.
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
	JsonView	sig;			/* of the others */
} WaitingRetrieval;

/* A row of answer.decision_cache, without what counts hits. */
typedef struct CachedReceipt
{
	const text *tenant;
	Span		key;
	Span		receipt_id;
	TimestampTz issued_at;
	TimestampTz expires_at;
	JsonView	sig;			/* of the others */
} CachedReceipt;

/* Reads a column of such a row, whatever stands there; null where nothing does. */
extern void WaitingColumn(SPITupleTable *table, int column, JsonView *view);

/* Signs a row: the column sig. The key has signed at retrieved_at, or the receipt at issued_at. */
extern Jsonb *WaitingRetrievalSign(const WaitingRetrieval *row, const SigningKey *key);
extern Jsonb *CachedReceiptSign(const CachedReceipt *row, const SigningKey *key);

/* Returns why a row is not what was kept, or NULL. Keys are read as the owner. SPI must be connected. */
extern const char *WaitingRetrievalProblemAsOwner(const WaitingRetrieval *row);
extern const char *CachedReceiptProblemAsOwner(const CachedReceipt *row);

extern const AuditPart waiting_audit;

extern const SignedRows retrieval_signed;

#endif							/* ANSWER_EVAL_GROUND_WAITING_ROWS_H */
