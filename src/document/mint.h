/*-------------------------------------------------------------------------
 *
 * mint.h
 *		The one way to sign: minting a document of a kind.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_MINT_H
#define ANSWER_EVAL_MINT_H

#include "datatype/timestamp.h"

#include "base/jsonview.h"
#include "document/kind.h"
#include "keys/keyring.h"

/* A document on its way to be signed and stored. */
typedef struct Minting
{
	const DocumentKind *kind;
	JsonView	body;			/* from DocumentBegin, with the kind's own members */
	bool		makes_portable; /* are numbers of it still to be made portable? */
	TimestampTz issued_at;		/* as in the body */
	TimestampTz begun_at;		/* when its making began; 0: nobody measures it */
	const SigningKey *key;
	const text *tenant;			/* whose it is, as given to DocumentBegin */
	int			ndigests;		/* of evidence in it, as text: what
								 * somebody may have forgotten meanwhile */
	Datum	   *digests;
} Minting;

extern JsonView DocumentBegin(const DocumentKind *kind, const text *tenant, TimestampTz issued_at);
extern Jsonb *DocumentMint(Minting *minting);

#endif							/* ANSWER_EVAL_MINT_H */
