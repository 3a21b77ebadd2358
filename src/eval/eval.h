/*-------------------------------------------------------------------------
 *
 * eval.h
 *		The pipeline for a request, step by step.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_EVAL_H
#define ANSWER_EVAL_EVAL_H

#include "check/composite.h"
#include "check/request.h"
#include "document/kind.h"
#include "document/mint.h"
#include "evidence/call.h"
#include "route/route_table.h"

/* What goes into a receipt.  Everything is in portable form. */
typedef struct ReceiptContent
{
	const text *tenant;			/* its tenant */
	TimestampTz evaluated_at;	/* also issued_at */
	JsonView	question;		/* absent in checks mode, like the next */
	JsonView	route;
	JsonView	coverage;		/* if refused, else absent */
	JsonView	require_fresh;	/* as in the request, or absent */
	bool		has_quality;	/* did quality/1 take part? */
	bool		had_written;	/* had others written in this transaction (base/writes.h)? */
	Composite	composite;
	JsonView	checks;			/* array */
	JsonView	evidence_index;	/* object */
	JsonView	calls;			/* array */
	int			nwords;			/* durations of tools, for the roll-up */
	KindWord   *words;
	int			ndigests;		/* of facts and readings in it, as text, */
	Datum	   *digests;		/* which may have been forgotten meanwhile */
} ReceiptContent;

/* A fact that was supplied with the request. */
typedef struct SuppliedFact
{
	Span		tool;
	char		args_digest[DIGEST_TEXT_LENGTH + 1];
	JsonView	fact;
} SuppliedFact;

/* The facts for checks that look at one place.  There can be several only if they were supplied. */
typedef struct FactsAt
{
	Place		place;
	int			nfacts;
	JsonView   *facts;
	const char **digests;		/* of the facts */
} FactsAt;

/* One tool with one set of arguments, and its evidence, if any. */
typedef struct Evidence
{
	const Tool *tool;
	JsonView	args;
	char		args_digest[DIGEST_TEXT_LENGTH + 1];
	int			call;			/* index of the call if the tool is registered, else -1 */
	int			nat;			/* number of places that checks look at */
	FactsAt    *at;
} Evidence;

/* A check without a verdict yet. */
typedef struct PendingCheck
{
	Check	   *check;
	const Tool *tool;
	const char *problem;		/* what is wrong with its arguments, or NULL */
	Span		argument;
	Evidence   *evidence;		/* if there is no problem */
	int			nat;			/* which places of the evidence the check looks at */
	uint8		at[CHECK_MAX_EXPECTATIONS];
} PendingCheck;

typedef struct Eval
{
	const text *tenant;			/* who asks */
	int64		entered;		/* from WritesEnter */
	Request request;
	RoutedQuestion routed;		/* if the request is a question */
	SigningKey	key;
	TimestampTz evaluated_at;
	TimestampTz deadline;
	int			nsupplied;
	SuppliedFact *supplied;
	int			ntools;
	Tool	   *tools;			/* those that checks or supplied facts name */
	int			nevidence;
	Evidence   *evidence;
	int			ncalls;
	ToolCall   *calls;
	int			npending;
	PendingCheck *pending;
	CompositeState composite;
	JsonView	checks;			/* the receipt's member */
} Eval;

extern const DocumentKind answer_kind;

/* Does what answer_eval(request) does: the receipt, in the current context. */
extern Jsonb *EvalAnswer(Jsonb *request);

extern void EvalRead(Eval *eval, ReceiptContent *content, const text *tenant, int64 entered, Jsonb *request);
extern void EvalTake(Eval *eval);
extern int	EvalToolNames(const Eval *eval, Span *names);
extern Tool *EvalFindTools(const text *tenant, Span *names, int named, int *count);
extern void EvalFindEvidence(Eval *eval);
extern void EvalCollect(Eval *eval);
extern void EvalContent(const Eval *eval, ReceiptContent *content);
extern void EvalMinting(const ReceiptContent *content, const SigningKey *key, Minting *minting);

#endif							/* ANSWER_EVAL_EVAL_H */
