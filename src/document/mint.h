/*-------------------------------------------------------------------------
 *
 * mint.h
 *		The only way to sign: minting a document of a kind.
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

/* A document that is about to be signed and stored. */
typedef struct Minting
{
	const DocumentKind *kind;
	JsonView	body;			/* from DocumentBegin, plus the kind's own members */
	bool		makes_portable; /* must its numbers still be made portable? */
	TimestampTz issued_at;		/* as in the body */
	TimestampTz begun_at;		/* when work on it began; 0 if not measured */
	const SigningKey *key;
	const text *tenant;			/* its tenant, as given to DocumentBegin */
	int			nwords;			/* words for the roll-up, */
	const KindWord *words;		/* in addition to those in the body */
	int			ndigests;		/* of evidence in it that may have been forgotten meanwhile */
	Datum	   *digests;
} Minting;

/* The same document, with id and signature. */
typedef struct SignedDocument
{
	const char *receipt_id;
	Jsonb	   *body;
	struct varlena *stored;		/* the body as stored, maybe compressed */
	uint8		sha256[SHA256_LENGTH];	/* the log's leaf data */
} SignedDocument;

/*
 * Returns the member "reproduce".  It gives the digests of the rules and data that a
 * document was made by, and says whether its transaction had written before.
 */
extern JsonView ReproduceView(JsonView rules, JsonView digests, bool had_written);

extern JsonView DocumentBegin(const DocumentKind *kind, const text *tenant, TimestampTz issued_at);
extern Jsonb *DocumentMint(Minting *minting);

/*
 * These are the steps of DocumentMint(), for many documents.  They do not check for
 * forgotten evidence; the caller must.
 */
extern void DocumentSign(Minting *minting, SignedDocument *document);
extern RowWriter *DocumentWriterOpen(TimestampTz issued_at, int room, StoredKeys *keys);
extern void DocumentWriterFlush(RowWriter *writer, volatile int *at);
extern void DocumentPut(RowWriter *writer, const Minting *minting, SignedDocument *document);

extern const SignedRows document_signed;

#endif							/* ANSWER_EVAL_MINT_H */
