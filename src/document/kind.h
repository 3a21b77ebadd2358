/*-------------------------------------------------------------------------
 *
 * kind.h
 *		The kinds of documents that are signed here.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_KIND_H
#define ANSWER_EVAL_KIND_H

#include "utils/numeric.h"

#include "base/jsonview.h"
#include "check/operator.h"

#define KIND_PREFIX_LENGTH	4	/* "ans_" */
#define KIND_ID_DIGITS		16
#define TENANT_MAX_LENGTH	63

#define TOMBSTONE_SCHEMA	"answer/tombstone/v1"

/* The id of a fact is formed the same way, from the digest of its reading. */
#define FACT_ID_PREFIX		"fact_"
#define FACT_ID_LENGTH		(5 + KIND_ID_DIGITS)

#define KIND_MAX_WORDS		64
#define KIND_WORD_MAX		64	/* bytes */
#define KIND_MAX_PAIRS		1000

/* A word that a document says, and how often, for example "check" and "supported". */
typedef struct KindWord
{
	const char *about;
	Span		word;
	int64		count;
} KindWord;

/*
 * What the columns of answer.receipt repeat of a body, for queries.  The fields from
 * is_answer on are for the dashboard, and the audit does not check them
 * (doc/dashboard.md says what they mean for each kind).  All follow from the document
 * alone.  The roll-up adds what judges say later of its pairs.
 */
typedef struct KindColumns
{
	Span		verdict;		/* the kind's own word */
	bool		has_confidence;
	bool		has_degraded;
	bool		degraded;
	double		confidence;
	Span		intent;			/* empty if none */
	bool		is_answer;		/* does its verdict answer, block or refuse? */
	bool		given;			/* does it answer? if not, of the rest only "prevented" and "refusal" are set */
	bool		supported;
	bool		citation_required;
	bool		citation_given;
	bool		contradicted;
	bool		prevented;		/* did a contradiction prevent the answer? */
	bool		unjudged;
	int			sentences;		/* of the answer */
	int			grounded;		/* sentences that are quoted or supported, or claim nothing */
	Span		refusal;		/* the deciding reason; empty if it answers */
	int			npairs;
	Span	   *pairs;			/* digests of pairs of texts by which a judge can still contradict it, maybe twice */
	bool		reads_no_texts;	/* set by a caller who needs neither "contradicted" nor "supported", which are slow */
	Numeric		cost;			/* NULL if unknown */
	int			nwords;
	KindWord	words[KIND_MAX_WORDS];	/* its checks and reasons */
} KindColumns;

/* Is called with an array of judgements, or of the pairs that are to be judged. */
typedef void (*KindVisitor) (const JsonView *judged, void *arg);

/*
 * One kind.  To add a kind, write such an entry and register it in module.c.
 *
 * The functions read only the document and never raise an error because of its content.
 * "replay" may also read tables with the caller's rights; its caller need not be
 * connected to SPI.  A report is {"ok", "reason"?, ...}.
 */
typedef struct DocumentKind
{
	const char *schema;
	const char *prefix;			/* of its receipt ids */
	const char *const *members; /* required members, besides those of every kind */
	/* checks that its parts belong together; returns NULL, or why they do not */
	const char *(*closure_problem) (const JsonView *document);
	/* the step of verification that recomputes results from its parts */
	JsonView	(*verify_replay) (const JsonView *document);
	/* the same in full, as answer_replay reports it */
	JsonView	(*replay) (const JsonView *document);
	/* returns false if the body lacks what the columns repeat */
	bool		(*read_columns) (const JsonView *body, KindColumns *columns);
	bool		may_be_cached;	/* may "cached": true be added to it, unsigned? */
	const char *keep_hint;		/* why it can be neither forgotten nor detached; NULL if it can */
	/*
	 * An SQL expression: does r, a row of answer.receipt, quote the document $1, or belong to the query $1?  $2 is
	 * [{"doc_id": $1}], and $3 is the array of tenants.  It runs as the owner of our tables, so its names are qualified.
	 * NULL: no document of this kind does.
	 */
	const char *quotes;
	/* rows that are forgotten with a document; its member of the column's name identifies them; NULL: none */
	const struct RowErasure *erasure;
	/* visits the judgements over the texts of a document, and the pairs still to be judged; NULL: none */
	void		(*visit_judged) (const JsonView *document, KindVisitor visit, void *arg);
} DocumentKind;

/* The registered kinds, in the order of registration, ending with NULL. */
extern const DocumentKind *document_kinds[];

extern void RegisterKind(const DocumentKind *kind);
extern const DocumentKind *FindKindOfDocument(const JsonView *document);
extern const DocumentKind *FindKindOfId(const char *id, int len);
extern Span KindWords(Span first, Span second);
extern void KindCountWord(KindColumns *columns, const char *about, Span word, int64 count);
extern void KindSetRefusal(KindColumns *columns, Span reason);
extern void KindAddPair(KindColumns *columns, Span pair);
extern void KindCountSentences(KindColumns *columns, const JsonView *sentences);
extern bool KindIsSupported(const KindColumns *columns);
extern void FactIdOfReading(const char *digest, char *id);
extern const char *ListKinds(bool prefixes);
extern const char *FindKindProblem(const DocumentKind *kind, const JsonView *document);

#endif							/* ANSWER_EVAL_KIND_H */
