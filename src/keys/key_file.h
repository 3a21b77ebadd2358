/*-------------------------------------------------------------------------
 *
 * key_file.h
 *		Private keys: creating, loading and holding them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_KEY_FILE_H
#define ANSWER_EVAL_KEY_FILE_H

#include "datatype/timestamp.h"

#include "keys/ed25519.h"

/* a loaded key is an EVP_PKEY that the cache owns */
extern void *LoadKey(const char *key_id, const char *folder);
extern bool IsKeyLoaded(const char *key_id);
extern void HoldKey(SigningKey *key, void *pkey, TimestampTz chosen_at);
extern TimestampTz LatestUse(const char *key_id);
extern void RefuseUse(const char *key_id, TimestampTz compromised_after);
extern void CreateKey(const char *folder, uint8 *public_key, char *key_id);

#endif							/* ANSWER_EVAL_KEY_FILE_H */
