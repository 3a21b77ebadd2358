/*-------------------------------------------------------------------------
 *
 * row_mac.h
 *		Codes that prove that our functions have stored a row.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_ROW_MAC_H
#define ANSWER_EVAL_ROW_MAC_H

#include "datatype/timestamp.h"
#include "nodes/pg_list.h"

#include "base/sha256.h"
#include "base/span.h"
#include "keys/ed25519.h"

/* A code is the beginning of the key's fingerprint, then an HMAC-SHA256. */
#define ROW_MAC_KEY_LENGTH	6
#define ROW_MAC_LENGTH		(ROW_MAC_KEY_LENGTH + SHA256_LENGTH)

typedef enum RowMacStatus
{
	ROW_MAC_GOOD,
	ROW_MAC_ABSENT,				/* the row has no code */
	ROW_MAC_WRONG,				/* the code is another row's, or its key was never one of this database */
	ROW_MAC_AWAY,				/* the key is this database's, but its file is missing or unusable */
	ROW_MAC_ELSEWHERE,			/* the key is that of the database that this one is a copy of, or not the one asked for */
	ROW_MAC_COMPROMISED			/* the row is of a time for which the key proves nothing */
} RowMacStatus;

/* Caches what was found about the keys of earlier rows.  Zero at first. */
typedef struct RowKeys
{
	MemoryContext context;		/* holds the cache */
	List	   *known;
	const char *only;			/* check only codes of the key with this key_id; NULL means all */
} RowKeys;

/* Makes the code of a row of a table from the row's digest. */
extern void RowMacMake(const SigningKey *key, const char *table, const uint8 *digest, uint8 *mac);

/* Verifies the code of a row.  The caller must be the owner of our tables, with SPI connected. */
extern RowMacStatus RowMacVerify(RowKeys *keys, Span table, Span digest, Span mac, TimestampTz recorded_at);

#endif							/* ANSWER_EVAL_ROW_MAC_H */
