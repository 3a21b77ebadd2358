/*-------------------------------------------------------------------------
 *
 * row_mac.h
 *		What tells that our functions have stored a row.
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

/* The beginning of the key's fingerprint, and HMAC-SHA256. */
#define ROW_MAC_KEY_LENGTH	6
#define ROW_MAC_LENGTH		(ROW_MAC_KEY_LENGTH + SHA256_LENGTH)

typedef enum RowMacStatus
{
	ROW_MAC_GOOD,
	ROW_MAC_ABSENT,				/* there is none */
	ROW_MAC_WRONG,				/* it is of another row, or of a key that was never one of this database */
	ROW_MAC_AWAY,				/* the file of its key, which is this database's, is not here or cannot be used */
	ROW_MAC_ELSEWHERE,			/* its key is another database's, of which this one is a copy */
	ROW_MAC_COMPROMISED			/* of a time for which its key proves nothing */
} RowMacStatus;

/* What was found of the keys of the rows before; nothing at first. */
typedef struct RowKeys
{
	MemoryContext context;		/* in which it is kept */
	List	   *known;
	const char *only;			/* the key_id of the one key whose codes are looked at; NULL: all */
} RowKeys;

/* Of a row of a table by its digest, under the key that signs. */
extern void RowMacMake(const SigningKey *key, const char *table, const uint8 *digest, uint8 *mac);

/* Looks for the key as the owner of our tables, with SPI connected. */
extern RowMacStatus RowMacVerify(RowKeys *keys, Span table, Span digest, Span mac, TimestampTz recorded_at);

#endif							/* ANSWER_EVAL_ROW_MAC_H */
