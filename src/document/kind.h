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

/* Facts are named alike, after the reading that they tell of. */
#define FACT_ID_PREFIX		"fact_"
#define FACT_ID_LENGTH		(5 + KIND_ID_DIGITS)

#define KIND_MAX_WORDS		64
#define KIND_WORD_MAX		64	/* bytes */
#define KIND_MAX_PAIRS		1000

/* A word that a document says, and how often: "check" and "supported". */
typedef struct KindWord
{
	const char *about;
	Span		word;
	int64		count;
} KindWord;

/*
 * Holds what the columns of answer.receipt repeat of a body, for queries; and, from
 * is_answer on, what the dashboard makes of it, which nobody is held to
 * (doc/dashboard.md says what it means for each kind). All of it follows from the
 * document alone: what judges say later of its pairs, the roll-up adds.
 */
typedef struct KindColumns
{
	Span		verdict;		/* the kind's own word */
	bool		has_confidence;
	bool		has_degraded;
	bool		degraded;
	double		confidence;
	Span		intent;			/* empty: none */
	bool		is_answer;		/* has it a verdict that answers, blocks or refuses? */
	bool		given;			/* does it answer?  Of what does not, only "prevented" and "refusal" are said */
	bool		supported;
	bool		citation_required;
	bool		citation_given;
	bool		contradicted;
	bool		prevented;		/* was a contradiction the reason why it does not answer? */
	bool		unjudged;
	int			sentences;		/* that it gives */
	int			grounded;		/* those that are quoted, supported, or claim nothing */
	Span		refusal;		/* the reason that decided; empty: it answers */
	int			npairs;
	Span	   *pairs;			/* digests of the pairs of texts by which a judge can still contradict it; one can stand twice */
	bool		reads_no_texts;	/* set by who asks for neither "contradicted" nor "supported", which take longest to find out */
	Numeric		cost;			/* NULL: not known */
	int			nwords;
	KindWord	words[KIND_MAX_WORDS];	/* its checks and reasons */
} KindColumns;

/* Is called with an array of judgements, or of the pairs that are to be judged. */
typedef void (*KindVisitor) (const JsonView *judged, void *arg);

/*
 * One kind.  To add one is to write such an entry, and to register it in module.c.
 *
 * The functions look at a document alone, and never raise over what it holds;
 * but "replay" may read tables with the caller's rights, which needs no SPI
 * connection from its caller.  A report is {"ok", "reason"?, ...}.
 */
typedef struct DocumentKind
{
	const char *schema;
	const char *prefix;			/* of its ids */
	const char *const *members; /* that it must have beside those of every kind */
	/* do its parts belong together?  NULL, or why they do not */
	const char *(*closure_problem) (const JsonView *document);
	/* the step of verification that recomputes what follows from its parts */
	JsonView	(*verify_replay) (const JsonView *document);
	/* the same in full, as answer_replay reports it */
	JsonView	(*replay) (const JsonView *document);
	/* false if the body does not say what the columns repeat */
	bool		(*read_columns) (const JsonView *body, KindColumns *columns);
	bool		may_be_cached;	/* may "cached": true be added to it, beside what is signed? */
	const char *keep_hint;		/* why it is neither forgotten nor detached; NULL: it may be */
	/*
	 * An expression of SQL: does r, a row of answer.receipt, quote the document $1, or is it of the query $1? $2 is
	 * [{"doc_id": $1}], and $3 has the tenants. It is run as the owner of our tables, so its names are qualified.
	 * NULL: none of this kind does
	 */
	const char *quotes;
	/* the rows that are forgotten with a document, by its member that has the name of the column; NULL: there are none */
	const struct RowErasure *erasure;
	/* visits what was judged over the texts of a document, and what is still to be judged; NULL: there is none */
	void		(*visit_judged) (const JsonView *document, KindVisitor visit, void *arg);
} DocumentKind;

/* Those that are registered, in the order in which they were; ends with NULL. */
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
