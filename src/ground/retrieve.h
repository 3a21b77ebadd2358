/*-------------------------------------------------------------------------
 *
 *		Retrieves the chunks of a question, and keeps them for a second call.
 *		The chunks of a question: found or given, ranked, kept for a while.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_RETRIEVE_H
#define ANSWER_EVAL_RETRIEVE_H

#include "ground/question_options.h"
#include "keys/keyring.h"

/* The result of a retrieval. */
typedef struct Retrieval
{
	JsonView	view;			/* {top_k, by, fused?, chunks}, in portable form */
	JsonView	chunks;			/* the member of view */
	bool		fused;			/* are the chunks in the fused order of two lists? */
	JsonView	documents;		/* digests of the documents found by a search */
} Retrieval;

extern void RetrieveChunks(const text *tenant, const JsonView *query, const GroundOptions *options,
						   const JsonView *config, TimestampTz now, Retrieval *retrieval);
extern int	DocumentDigests(const Retrieval *retrieval, Datum **digests);
extern int64 DocumentSetVersion(const text *tenant);

/* between the two calls of an answer */
extern char *RetrievalKeep(const text *tenant, const Retrieval *retrieval, const JsonView *state,
						   const SigningKey *key, TimestampTz now, TimestampTz *expires_at);
extern void RetrievalTake(const text *tenant, const JsonView *retrieval_id, TimestampTz now, JsonView *state);

#endif							/* ANSWER_EVAL_RETRIEVE_H */
