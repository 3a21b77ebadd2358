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
#include "base/sha256.h"
#include "document/kind.h"
#include "document/row_writer.h"
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
	int			nwords;			/* words for the roll-up that are not in the */
	const KindWord *words;		/* body, beside those that are */
	int			ndigests;		/* of evidence in it, as text: what
								 * somebody may have forgotten meanwhile */
	Datum	   *digests;
} Minting;

/* Is the same document, named and signed. */
typedef struct SignedDocument
{
	const char *receipt_id;
	Jsonb	   *body;
	struct varlena *stored;		/* the body as it was stored, which may be compressed */
	uint8		sha256[SHA256_LENGTH];	/* what the log takes for its leaf */
} SignedDocument;

/*
 * Returns the member "reproduce": it says by which rules and which data, named by
 * digests, a document was made, and whether its transaction had written before.
 */
extern JsonView ReproduceView(JsonView rules, JsonView digests, bool had_written);

extern JsonView DocumentBegin(const DocumentKind *kind, const text *tenant, TimestampTz issued_at);
extern Jsonb *DocumentMint(Minting *minting);

/* These are the steps of that, for many documents; what is in them must not have been forgotten. */
extern void DocumentSign(Minting *minting, SignedDocument *document);
extern RowWriter *DocumentWriterOpen(TimestampTz issued_at, int room, RowKeys *keys);
extern void DocumentWriterFlush(RowWriter *writer, volatile int *at);
extern void DocumentPut(RowWriter *writer, const Minting *minting, SignedDocument *document);

extern const SignedRows document_signed;

#endif							/* ANSWER_EVAL_MINT_H */
