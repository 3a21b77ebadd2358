/*-------------------------------------------------------------------------
 *
 * status.h
 *		Says what each sentence of an answer is: quoted, judged, or nobody's word.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_STATUS_H
#define ANSWER_EVAL_STATUS_H

#include "ground/chunk.h"
#include "judge/panel.h"

#define CITATIONS_MAX_COUNT	5

/* A bit for each citation; texts of plans may have more than answers. */
typedef uint64 CitedBits;

#define CITED_MAX_COUNT		64
#define CITED_BIT(citation) (UINT64CONST(1) << (citation))

/* Of so many passages that sentences share, what is joined is kept: of all that five citations can make. */
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
	int			begin;			/* bytes in the answer as given, end exclusive */
	int			end;
	Span		text;			/* as it is read: without markers */
	int			ntokens;
	SentenceStatus found;		/* what the texts alone say */
	SentenceStatus status;		/* what judges make of it */
	bool		says_insufficient;	/* does it hold an insufficiency phrase? */
	CitedBits	marked;			/* the citations whose markers it has */
	CitedBits	cites;			/* those, or all where it has none */
	CitedBits	counting;		/* that count for it: what it cites, or none where it claims nothing */
	CitedBits	quoted;			/* the one of which it is a whole sentence, or 0 */
	int			against;		/* the chunk that contradicts it, or -1 where a judge said so */
	Span		contradiction;	/* the sentence of that chunk */
	int			number;			/* in the reading, or -1: the answer has no token */
} AnswerSentence;

/* Passages of some citations, joined. */
typedef struct JoinedText
{
	CitedBits	cites;
	Span		text;			/* {NULL, 0}: not made yet */
} JoinedText;

/* An answer over the chunks that it cites, which are known and at most CITED_MAX_COUNT. */
typedef struct AnswerStatuses
{
	int			ncitations;
	int		   *cited;			/* the chunk of each */
	int			count;
	AnswerSentence *sentences;
	const Reading *reading;		/* of the answer without its markers */
	bool		is_insufficient;	/* does each sentence say that it cannot answer? */
	bool		shares_item;	/* has any cited chunk an item of the answer? */
	JoinedText *joined;			/* made when they are asked for */
} AnswerStatuses;

/* Holds what judges are asked with; no panel, or one without judges: nobody is. */
typedef struct Asking
{
	const Panel *panel;			/* of entailment */
	const Judgements *judgements;
	JudgeTerms	terms;
} Asking;

/* Texts in quotation marks; a straight mark behind a digit, where it is one of inches, opens none. */
typedef struct Quotations
{
	int			count;
	int			capacity;
	Span	   *texts;			/* without the marks */
} Quotations;

extern void QuotationsFind(Span text, bool with_inches, Quotations *quotations);

/*
 * Reads an answer; "cited" are the chunks of its citations.  The question is
 * empty where there is none.  All statuses are those that the texts alone give.
 */
extern void AnswerStatusesRead(ChunkSet *chunks, int ncitations, int *cited, Span answer, Span question,
							   AnswerStatuses *statuses);

/* Does each sentence of an answer that cites nothing say that it cannot answer?  Not if there is none. */
extern bool AnswerIsInsufficient(ChunkSet *chunks, Span answer);

/* Is it, as far as the texts alone say: to be judged, where a judge is configured? */
static inline bool
SentenceIsOpen(const AnswerSentence *sentence)
{
	return sentence->found == SENTENCE_NOT_JUDGED;
}

/*
 * Sets the two texts of a sentence's pair, allocated here; with more citations than an
 * answer has, until the next call.
 */
extern void SentencePair(ChunkSet *chunks, const AnswerStatuses *statuses, int sentence,
						 Span question, Span *a, Span *b);

/* Sets what judges make of the statuses. */
extern void AnswerStatusesJudge(ChunkSet *chunks, AnswerStatuses *statuses, Span question,
								const Asking *asking);

/* Returns the member sentences[]. */
extern JsonView AnswerStatusesView(ChunkSet *chunks, const AnswerStatuses *statuses);

#endif							/* ANSWER_EVAL_STATUS_H */
