/*-------------------------------------------------------------------------
 *
 * status.h
 *		Gives each sentence of an answer its status: quoted, judged, or not judged.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_STATUS_H
#define ANSWER_EVAL_STATUS_H

#include "ground/chunk.h"
#include "judge/panel.h"

#define CITATIONS_MAX_COUNT	5

/* A bit per citation. Texts of plans can have more citations than answers. */
typedef uint64 CitedBits;

#define CITED_MAX_COUNT		64
#define CITED_BIT(citation) (UINT64CONST(1) << (citation))

/* Number of joined texts that are kept: enough for every subset of five citations. */
#define JOINED_MAX_COUNT	(1 << CITATIONS_MAX_COUNT)

typedef enum SentenceStatus
{
	SENTENCE_INSUFFICIENT,
	SENTENCE_MISQUOTED,
	SENTENCE_QUOTED,
	SENTENCE_CONTRADICTED,
	SENTENCE_SUPPORTED,
	SENTENCE_NO_CLAIM,
	SENTENCE_UNSUPPORTED,
	SENTENCE_NOT_JUDGED
} SentenceStatus;

extern const char *const sentence_status_labels[];

/* A sentence of an answer. */
typedef struct AnswerSentence
{
	int			begin;			/* byte offset in the answer as given */
	int			end;
	Span		text;			/* without markers */
	int			ntokens;
	SentenceStatus found;		/* from the texts alone */
	SentenceStatus status;		/* after judges were asked */
	bool		says_insufficient;	/* does it contain a phrase of insufficiency? */
	CitedBits	marked;			/* citations whose markers it has */
	CitedBits	cites;			/* marked, or all citations if it has no marker */
	CitedBits	counting;		/* citations that count for it: cites, or none if it makes no claim */
	CitedBits	quoted;			/* the citation that contains it as a whole sentence, or 0 */
	int			against;		/* chunk that contradicts it, or -1 if a judge said so */
	Span		contradiction;	/* the contradicting sentence of that chunk */
	int			number;			/* index in the reading; -1 if the answer has no token */
} AnswerSentence;

/* The joined passages of some citations. */
typedef struct JoinedText
{
	CitedBits	cites;
	Span		text;			/* {NULL, 0}: not joined yet */
} JoinedText;

/* An answer with the chunks that it cites. All of them are known; there are at most CITED_MAX_COUNT. */
typedef struct AnswerStatuses
{
	int			ncitations;
	int		   *cited;			/* chunk of each citation */
	int			count;
	AnswerSentence *sentences;
	const Reading *reading;		/* of the answer without markers */
	bool		is_insufficient;	/* does each sentence say that it cannot answer? */
	bool		shares_item;	/* does any cited chunk share an item with the answer? */
	JoinedText *joined;			/* filled on demand */
} AnswerStatuses;

/* What judges are asked with. Nobody is asked if there is no panel, or it is empty. */
typedef struct Asking
{
	const Panel *panel;			/* of the kind entailment */
	const Judgements *judgements;
	JudgeTerms	terms;
} Asking;

/*
 * Texts in quotation marks.  If with_inches, a straight mark after a digit means
 * inches and opens no quotation.
 */
typedef struct Quotations
{
	int			count;
	int			capacity;
	Span	   *texts;			/* without the marks */
} Quotations;

extern void QuotationsFind(Span text, bool with_inches, Quotations *quotations);

/*
 * Reads an answer; "cited" are the chunks of its citations, and the question is
 * empty if there is none.  Sets all statuses from the texts alone.
 */
extern void AnswerStatusesRead(ChunkSet *chunks, int ncitations, int *cited, Span answer, Span question,
							   AnswerStatuses *statuses);

/* Does each sentence of an answer without citations say that it cannot answer? False for an empty answer. */
extern bool AnswerIsInsufficient(ChunkSet *chunks, Span answer);

/* Do the texts alone leave the sentence to judges, if there are any? */
static inline bool
SentenceIsOpen(const AnswerSentence *sentence)
{
	return sentence->found == SENTENCE_NOT_JUDGED;
}

/*
 * Sets the two texts of a sentence's pair, which are allocated here.  If there are
 * more than CITATIONS_MAX_COUNT citations, they are valid only until the next call.
 */
extern void SentencePair(ChunkSet *chunks, const AnswerStatuses *statuses, int sentence,
						 Span question, Span *a, Span *b);

/* Sets the statuses after asking judges. */
extern void AnswerStatusesJudge(ChunkSet *chunks, AnswerStatuses *statuses, Span question,
								const Asking *asking);

/* Returns the member sentences[]. */
extern JsonView AnswerStatusesView(ChunkSet *chunks, const AnswerStatuses *statuses);

#endif							/* ANSWER_EVAL_STATUS_H */
