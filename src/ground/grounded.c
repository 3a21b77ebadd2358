/*-------------------------------------------------------------------------
 *
 * grounded.c
 *		Says what would come of a question, without a receipt.
 *
 * Rule: doc/spec/decision.md §9.  What is found for a question (retrieve.c),
 * what judges say of it (judging.c) and what is answered (the caller's answer,
 * or the quotes that the decision names) come down to a decision (decision_receipt.c,
 * decision.c), which is signed and stored with all that it follows from.  An
 * answer from outside may come in a second call; it is then checked against
 * the chunks of the first.
 *
 * Promises: the clock is taken once, with the key that signs.  The tenant is
 * that of the role in force where the call comes in.  Documents, rules and
 * configuration are those that are committed by then, whatever snapshot the
 * caller has.  Nothing is extracted where the decision is not to answer.  A
 * receipt that is given again is one of the same tenant and role, for the same
 * question, options, configuration, rules, judges and documents.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/limits.h"
#include "base/rfc3339.h"
#include "base/snapshot.h"
#include "base/tenant.h"
#include "base/writes.h"
#include "document/mint.h"
#include "document/signed.h"
#include "document/forgotten.h"
#include "ground/receipt_cache.h"
#include "ground/current_rules.h"
#include "ground/environment.h"
#include "ground/extract.h"
#include "ground/grounded.h"
#include "ground/judging.h"
#include "ground/decision_receipt.h"
#include "ground/request_config.h"
#include "ground/retrieve.h"
#include "ground/sample.h"

#define QUERY_MAX_SIZE	65536

/* A question on its way. */
typedef struct Question
{
	const text *tenant;
	Pinning    *pinning;		/* NULL: no case of a suite is tried */
	GroundOptions options;
	JsonView	intent;			/* absent without one, like the next two */
	JsonView	retrieval_id;
	JsonView	retrieved_at;
	Retrieval	retrieval;
	Judging		judging;
	Grounding	grounding;
	DecisionResult result;
	Serving		serving;		/* of the environment; nothing of a second half */
	int64		entered;		/* for asking what the transaction had written */
} Question;

/*
 * reading
 */

static void
ReadQuery(FunctionCallInfo fcinfo, int arg, Question *question)
{
	Span		query;

	RequireArgument(fcinfo, arg, "query");
	LimitArgument(fcinfo, arg, QUERY_MAX_SIZE, "query");
	query = TextArgument(fcinfo, arg);
	question->grounding.query = JsonViewString(query.str, query.len);
	question->grounding.proposed = JsonViewNull();
}

static Span
QuerySpan(const Question *question)
{
	return SpanOf(question->grounding.query.str, question->grounding.query.len);
}

/* Reads the rules and the configuration for a question. */
static void
ReadTerms(Question *question)
{
	Span		query = QuerySpan(question);
	JsonView	active = ActiveConfig(question->tenant, question->pinning, &query, &question->serving);

	question->grounding.rules = CurrentRules(&question->grounding.rules_document);
	question->grounding.config = EffectiveConfig(&active, &question->options,
												 question->grounding.rules, query);
	question->grounding.config_changed = ConfigChanged(&active, &question->grounding.config);
	ConfigChangesRefuse(&question->grounding.config_changed);
}

/* Says whose documents are searched for a question. */
typedef struct Searched
{
	const text *tenant;
	TimestampTz now;			/* the instant at which they are judged */
} Searched;

/* Retrieves from the documents that are searched. */
static void
RetrieveFrom(Question *question, const Searched *searched)
{
	JsonView	config = NumbersOfPortable(&question->grounding.config);

	RetrieveChunks(searched->tenant, &question->grounding.query, &question->options, &config, searched->now,
				   &question->retrieval);
	question->grounding.chunks = question->retrieval.chunks;
	question->grounding.keeps_order = question->retrieval.fused;
	question->grounding.evaluated_at = searched->now;
}

/* Searches the tenant's own documents in the same way, as of now. */
static void
Retrieve(Question *question, TimestampTz now)
{
	Searched	own = {.tenant = question->tenant,.now = now};

	RetrieveFrom(question, &own);
}

/*
 * judging
 */

/* Finds who is to judge by the question's configuration. */
static void
FindJudges(Question *question)
{
	question->judging.tenant = question->tenant;
	question->judging.pinning = question->pinning;
	JudgingBegin(&question->judging, &question->grounding.config);
}

/* Has judged what the decision needs, an answer that was given included. */
static void
HaveJudged(Question *question, TimestampTz begun_at, bool stores)
{
	Judging    *judging = &question->judging;

	judging->now = question->grounding.evaluated_at;
	judging->deadline_ms = question->options.deadline_ms;
	judging->deadline = TimestampTzPlusMilliseconds(begun_at, judging->deadline_ms);
	judging->stores = stores;
	judging->given = question->options.judgements;
	judging->failed = question->options.judges_failed;
	JudgingAsk(judging, &question->grounding);
}

/*
 * deciding
 */

static void
DecideOrRaise(Question *question)
{
	const char *problem = NULL;

	if (GroundingDecide(&question->grounding, &question->result, &problem))
		return;
	ConflictsRefuseLarge(&question->result.conflicts);
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("%s", problem)));
}

static bool
IsToAnswer(const Question *question)
{
	return question->result.decision == DECISION_ANSWER ||
		question->result.decision == DECISION_ANSWER_WITH_CAVEATS;
}

/* The answer of a caller, as what is proposed. */
static JsonView
CallersProposal(const GroundOptions *options)
{
	JsonView	proposed = JsonViewNewObject(3);

	JsonViewSet(&proposed, "by", JsonViewCString("caller"));
	JsonViewSet(&proposed, "answer", options->answer);
	JsonViewSet(&proposed, "citations",
				options->citations.type == JVIEW_ABSENT ? JsonViewNull() : options->citations);
	return proposed;
}

/* Takes the answer of a caller, where there is one, as what is proposed. */
static void
TakeAnswer(Question *question)
{
	if (question->options.answer.type != JVIEW_ABSENT)
		question->grounding.proposed = CallersProposal(&question->options);
}

/* Makes the answer out of the quotes of the decision. */
static void
ProposeExtract(Question *question)
{
	JsonView	quotes = JsonViewUnder(&question->result.view, "quotes");

	question->grounding.proposed = ExtractAnswer(&quotes);
	question->grounding.proposed = PortableCopy(&question->grounding.proposed);
	/* nothing to quote: that is no answer, which the decision is to say */
	if (JsonViewCount(&quotes) == 0)
		DecideOrRaise(question);
}

/*
 * An answer without a word is none, so what it cites would be given with nothing said.
 * Where the citations do not hold, the decision tells that.
 */
static void
RefuseEmptyAnswer(const Question *question)
{
	const DecisionResult *result = &question->result;

	if (question->grounding.proposed.type == JVIEW_NULL || !result->is_checked || !result->check.is_valid ||
		result->check.statuses.count > 0)
		return;
	MalformedArgument(psprintf("option \"answer\" says nothing: it is %s", ShownValue(&question->options.answer)),
					  "Give the text that the citations support, or neither of the two for an answer of quotes.");
}

/* Decides, and answers in quotes if there is to be an answer and none was given. */
static void
DecideAndAnswer(Question *question)
{
	DecideOrRaise(question);
	RefuseEmptyAnswer(question);
	GroundingKeepNeeded(&question->grounding, &question->result);
	if (question->grounding.proposed.type == JVIEW_NULL && IsToAnswer(question))
		ProposeExtract(question);
}

/*
 * minting
 */

/* Mints the receipt; it is in the given context. */
static Jsonb *
MintDecision(Question *question, const SigningKey *key, TimestampTz begun_at, MemoryContext context)
{
	Minting		minting = {.kind = &decision_kind,.key = key,.tenant = question->tenant,.begun_at = begun_at,
	.issued_at = question->grounding.evaluated_at};
	Jsonb	   *stored;
	Jsonb	   *result;

	minting.body = DocumentBegin(&decision_kind, question->tenant, minting.issued_at);
	if (question->intent.type == JVIEW_STRING)
		JsonViewSet(&minting.body, "intent", question->intent);
	if (question->retrieval_id.type == JVIEW_STRING)
	{
		JsonViewSet(&minting.body, "retrieval_id", question->retrieval_id);
		JsonViewSet(&minting.body, "retrieved_at", question->retrieved_at);
	}
	DecisionDocumentSet(&minting.body, &question->grounding, &question->retrieval.view,
						TransactionHasWritten(question->entered), &question->result);
	/* documents that were forgotten since they were found do not come back */
	minting.ndigests = DocumentDigests(&question->retrieval, &minting.digests);
	stored = DocumentMint(&minting);
	result = MemoryContextAllocHuge(context, VARSIZE(stored));
	memcpy(result, stored, VARSIZE(stored));
	return result;
}

/*
 * answers that are given again
 */

/* Returns how long a question's receipt may be given again, in seconds; 0: not at all. */
static int
CacheLife(const Question *question)
{
	return CacheLifeOf(&question->grounding.config, question->pinning);
}

/*
 * Under which key.  The role is in it, because what a question may read, and what
 * judges do, is a matter of its rights; by its OID, for its name is bytes of no
 * certain encoding.
 */
static void
CacheKey(const Question *question, char *key)
{
	JsonView	parts = JsonViewNewArray(8);
	char	   *rules = palloc(DIGEST_TEXT_LENGTH + 1);

	CanonicalDigest(&question->grounding.rules_document, NULL, rules);
	JsonViewAppend(&parts, JsonViewInteger(GetUserId()));
	JsonViewAppend(&parts, FoldedQuery(QuerySpan(question)));
	JsonViewAppend(&parts, question->options.whole);
	JsonViewAppend(&parts, question->grounding.config);
	JsonViewAppend(&parts, JsonViewCString(rules));
	JsonViewAppend(&parts, JudgingToken(&question->judging));
	JsonViewAppend(&parts, JsonViewInteger(DocumentSetVersion(question->tenant)));
	CanonicalDigest(&parts, NULL, key);
}

/* Is there a reason, or a pair, over which the same question may be decided otherwise soon? */
static bool
WaitsForJudges(const Question *question)
{
	JsonView	reasons;
	JsonView	pairs;

	if (JudgesFailed(&question->grounding.failed))
		return true;
	if (JsonViewGetMember(&question->result.view, "to_judge", &pairs) && pairs.type == JVIEW_ARRAY &&
		JsonViewCount(&pairs) > 0)
		return true;
	(void) JsonViewGetMember(&question->result.view, "reasons", &reasons);
	for (int i = 0; i < JsonViewCount(&reasons); i++)
	{
		JsonView	reason = JsonViewAt(&reasons, i);

		if (JsonViewStringIs(&reason, "not_judged"))
			return true;
	}
	return false;
}

/* Keeps a receipt under its key; one that lacks a judgement is made anew. */
static void
KeepReceipt(const Question *question, const char *key, Jsonb *receipt, const SigningKey *signing)
{
	JsonView	view;

	if (WaitsForJudges(question))
		return;
	JsonViewOfJsonb(receipt, &view);
	CachePut(question->tenant, key, &view, signing, question->grounding.evaluated_at, CacheLife(question));
}

/*
 * samples
 */

/* Keeps an answer as a sample of a candidate, where the environment's configuration was all that it went by. */
static void
KeepSample(const Question *question, Jsonb *receipt)
{
	const GroundOptions *options = &question->options;
	JsonView	view;

	if (!question->serving.is_sample || options->config.type != JVIEW_ABSENT ||
		options->top_k.type != JVIEW_ABSENT || options->freshness_days.type != JVIEW_ABSENT)
		return;
	JsonViewOfJsonb(receipt, &view);
	SampleKeep(&question->serving, question->tenant, &view, question->grounding.evaluated_at);
}

/*
 * the two halves
 */

/* Returns what of a first half is kept for the second. */
static JsonView
StateOf(const Question *question)
{
	const Grounding *grounding = &question->grounding;
	JsonView	state = JsonViewNewObject(11);

	JsonViewSet(&state, "query", grounding->query);
	JsonViewSet(&state, "retrieved_at", InstantView(grounding->evaluated_at));
	JsonViewSet(&state, "retrieval", question->retrieval.view);
	JsonViewSet(&state, "documents", question->retrieval.documents);
	JsonViewSet(&state, "config", grounding->config);
	JsonViewSet(&state, "config_changed", grounding->config_changed);
	JsonViewSet(&state, "rules", grounding->rules_document);
	if (question->intent.type == JVIEW_STRING)
		JsonViewSet(&state, "intent", question->intent);
	JsonViewSet(&state, "judges", JudgingToken(&question->judging));
	JsonViewSet(&state, "judgements", grounding->judgements);
	return state;
}

/* Takes the judgements of the first half up, unless other judges, or other versions of them, are there now. */
static void
TakeUpJudgements(Question *question, const JsonView *state)
{
	JsonView	token = JudgingToken(&question->judging);
	JsonView	before;

	/* as the state has been stored */
	JsonViewOfJsonb(JsonViewToJsonb(&token, false), &token);
	if (JsonViewGetMember(state, "judges", &before) && ReportIsSame(&before, &token))
		(void) JsonViewGetMember(state, "judgements", &question->grounding.judgements);
}

/* Takes up a question where the first half left it. */
static void
TakeUp(Question *question, TimestampTz now)
{
	Grounding  *grounding = &question->grounding;
	JsonView	state;
	JsonView	member;

	question->retrieval_id = question->options.retrieval_id;
	RetrievalTake(question->tenant, &question->retrieval_id, now, &state);
	(void) JsonViewGetMember(&state, "query", &member);
	if (!SpanEqual(SpanOf(member.str, member.len), QuerySpan(question)))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("the query is not the one that was retrieved for"),
				 errhint("Give answer_grounded() the query that answer_retrieve() was given.")));
	(void) JsonViewGetMember(&state, "retrieved_at", &question->retrieved_at);
	(void) JsonViewGetMember(&state, "intent", &question->intent);
	(void) JsonViewGetMember(&state, "retrieval", &question->retrieval.view);
	(void) JsonViewGetMember(&question->retrieval.view, "chunks", &question->retrieval.chunks);
	(void) JsonViewGetMember(&state, "documents", &question->retrieval.documents);
	(void) JsonViewGetMember(&state, "config", &grounding->config);
	(void) JsonViewGetMember(&state, "config_changed", &grounding->config_changed);
	(void) JsonViewGetMember(&state, "rules", &grounding->rules_document);
	grounding->rules = DecisionRulesOfView(&grounding->rules_document);
	grounding->chunks = question->retrieval.chunks;
	grounding->keeps_order = JsonViewGetMember(&question->retrieval.view, "fused", &member) && member.boolean;
	grounding->evaluated_at = now;
	FindJudges(question);
	TakeUpJudgements(question, &state);
}

static void
QuestionBegin(FunctionCallInfo fcinfo, Question *question, bool retrieving)
{
	memset(question, 0, sizeof(*question));
	ReadQuery(fcinfo, 0, question);
	RequireArgument(fcinfo, 1, "options");
	LimitArgument(fcinfo, 1, DOCUMENT_MAX_SIZE, "options");
	OptionsRead(PG_GETARG_JSONB_P(1), retrieving, &question->options);
	question->intent = question->options.intent;
}

/* Answers a question anew, and tells which key has signed. */
static Jsonb *
AnswerAnew(Question *question, TimestampTz begun_at, SigningKey *key, MemoryContext context)
{
	TimestampTz now;

	SigningKeyBegin(key, &now);
	if (question->options.retrieval_id.type != JVIEW_ABSENT)
		TakeUp(question, now);
	else
		Retrieve(question, now);
	TakeAnswer(question);
	HaveJudged(question, begun_at, true);
	DecideAndAnswer(question);
	return MintDecision(question, key, begun_at, context);
}

/* answer_grounded(query, options) */
PG_FUNCTION_INFO_V1(answer_eval_grounded);
Datum
answer_eval_grounded(PG_FUNCTION_ARGS)
{
	MemoryContext caller = CurrentMemoryContext;
	TimestampTz begun_at = GetCurrentTimestamp();
	char		key[DIGEST_TEXT_LENGTH + 1];
	bool		cached = false;
	Question	question;
	SigningKey	signing;
	Jsonb	   *result = NULL;

	QuestionBegin(fcinfo, &question, false);
	question.entered = WritesEnter();
	RequirePrimary("answer_grounded()");
	/* before anything else runs: the role in force here is who asks */
	question.tenant = CurrentTenant();
	question.pinning = CurrentPinning();
	SPI_connect();
	/* what is committed by now, whatever snapshot the caller has */
	PushActiveSnapshot(GetLatestSnapshot());
	if (question.options.retrieval_id.type == JVIEW_ABSENT)
	{
		ReadTerms(&question);
		FindJudges(&question);
		cached = CacheLife(&question) > 0;
	}
	if (cached)
	{
		CacheKey(&question, key);
		result = CacheGet(question.tenant, key, begun_at, caller);
	}
	if (result == NULL)
	{
		result = AnswerAnew(&question, begun_at, &signing, caller);
		KeepSample(&question, result);
		if (cached)
			KeepReceipt(&question, key, result, &signing);
	}
	PopActiveSnapshot();
	SPI_finish();
	PG_RETURN_JSONB_P(result);
}

/* The pairs that are still to be judged, with their texts: whoever judges outside needs them. */
static JsonView
FirstHalfPairs(const Question *question)
{
	DecisionConfig config;
	DecisionInput input;
	const char *problem;

	if (!GroundingInput(&question->grounding, &config, &input, &problem))
		elog(ERROR, "%s", problem);
	return DecisionPairsView(&input, &question->result, true);
}

/*
 * Is there an answer to be asked for?  What is not judged yet decides nothing: with
 * it, what was refused may be answered.  But a question that is to be put otherwise
 * is not answered, whatever is judged.
 */
static bool
IsUndecided(const Question *question, const JsonView *pairs)
{
	return IsToAnswer(question) ||
		(JsonViewCount(pairs) > 0 && question->result.decision != DECISION_CLARIFY);
}

/* Returns what a first half came to: what of a decision is for whoever asks a model. */
static JsonView
FirstHalfView(const Question *question, const char *retrieval_id, TimestampTz expires_at)
{
	static const char *const members[] = {"reasons", "user_message", "explain", "thresholds", "signals", "risk",
		"retrieval_quality", "conflicts", "quotes", "superseded", "stale", "degraded"};
	JsonView	decided = JsonViewNewObject(16);
	JsonView	view = JsonViewNewObject(24);
	JsonView	pairs = FirstHalfPairs(question);
	JsonView	member;

	DecidedMembersSet(&decided, &question->grounding, &question->result);
	JsonViewSet(&view, "retrieval_id", JsonViewCString(retrieval_id));
	JsonViewSet(&view, "expires_at", InstantView(expires_at));
	JsonViewSet(&view, "query", question->grounding.query);
	JsonViewGetMember(&decided, "decision", &member);
	JsonViewSet(&view, "decision", IsUndecided(question, &pairs) ? JsonViewNull() : member);
	JsonViewSet(&view, "retrieval", question->retrieval.view);
	for (size_t i = 0; i < lengthof(members); i++)
	{
		JsonViewGetMember(&decided, members[i], &member);
		JsonViewSet(&view, members[i], member);
	}
	JsonViewSet(&view, "to_judge", pairs);
	JsonViewSet(&view, "judges", question->grounding.judges);
	JsonViewSet(&view, "judgements", question->grounding.judgements);
	JsonViewSet(&view, "config_changed", question->grounding.config_changed);
	return view;
}

/* answer_retrieve(query, options) */
PG_FUNCTION_INFO_V1(answer_eval_retrieve);
Datum
answer_eval_retrieve(PG_FUNCTION_ARGS)
{
	MemoryContext caller = CurrentMemoryContext;
	TimestampTz begun_at = GetCurrentTimestamp();
	TimestampTz now;
	TimestampTz expires_at;
	SigningKey	key;
	Question	question;
	JsonView	view;
	char	   *retrieval_id;
	Datum		result;

	QuestionBegin(fcinfo, &question, true);
	RequirePrimary("answer_retrieve()");
	question.tenant = CurrentTenant();
	question.pinning = CurrentPinning();
	SPI_connect();
	PushActiveSnapshot(GetLatestSnapshot());
	ReadTerms(&question);
	FindJudges(&question);
	SigningKeyBegin(&key, &now);
	Retrieve(&question, now);
	HaveJudged(&question, begun_at, true);
	DecideOrRaise(&question);
	GroundingKeepNeeded(&question.grounding, &question.result);
	view = StateOf(&question);
	retrieval_id = RetrievalKeep(question.tenant, &question.retrieval, &view, &key, now, &expires_at);
	view = FirstHalfView(&question, retrieval_id, expires_at);
	result = ResultIn(caller, &view);
	PopActiveSnapshot();
	SPI_finish();
	PG_RETURN_DATUM(result);
}

/*
 * looking in
 */

/* Says how far a look goes. */
typedef enum DebugDepth
{
	DEBUG_RETRIEVAL,
	DEBUG_CONFLICTS,
	DEBUG_DECISION
} DebugDepth;

static const char *const debug_depths[] = {"retrieval", "conflicts", "decision"};

/* An argument of a look, as the option that it is. */
static void
DebugOption(FunctionCallInfo fcinfo, int n, JsonView *options, const char *name)
{
	if (!PG_ARGISNULL(n))
		JsonViewSet(options, name, JsonViewInteger(PG_GETARG_INT32(n)));
}

/* The quality of what was retrieved, by the days that were asked for. */
static JsonView
DebugQuality(const Question *question)
{
	JsonView	chunks = ReadableChunks(&question->grounding.chunks);
	ChunkSet   *set = ChunksOfView(&chunks, NULL);
	RetrievalQuality quality;

	RetrievalQualityOf(set, ConfigInteger(&question->grounding.config, "freshness_days"),
					   question->grounding.evaluated_at, &quality);
	return RetrievalQualityView(set, &quality);
}

static JsonView
DebugDecisionView(const Question *question, const JsonView *decided)
{
	static const char *const members[] = {"decision", "reasons", "user_message", "thresholds", "signals", "risk"};
	JsonView	view = JsonViewNewObject(lengthof(members));

	for (size_t i = 0; i < lengthof(members); i++)
	{
		JsonView	member = JsonViewUnder(decided, members[i]);

		JsonViewSet(&view, members[i], member);
	}
	return view;
}

static JsonView
DebugView(Question *question, DebugDepth depth)
{
	JsonView	view = JsonViewNewObject(8);
	JsonView	decided = JsonViewNewObject(10);
	JsonView	member;

	JsonViewSet(&view, "query", question->grounding.query);
	if (depth != DEBUG_DECISION)
	{
		JsonViewSet(&view, "retrieval", question->retrieval.view);
		JsonViewSet(&view, "retrieval_quality", DebugQuality(question));
	}
	if (depth == DEBUG_RETRIEVAL)
		return view;
	DecideOrRaise(question);
	DecidedMembersSet(&decided, &question->grounding, &question->result);
	JsonViewGetMember(&decided, "conflicts", &member);
	JsonViewSet(&view, "conflicts", member);
	if (depth == DEBUG_CONFLICTS)
		return view;
	JsonViewGetMember(&decided, "risk", &member);
	JsonViewSet(&view, "risk", member);
	JsonViewGetMember(&decided, "retrieval_quality", &member);
	JsonViewSet(&view, "retrieval_quality", member);
	JsonViewSet(&view, "validation", JsonViewNull());
	JsonViewSet(&view, "decision_result", DebugDecisionView(question, &decided));
	return view;
}

static DebugDepth
ReadDepth(FunctionCallInfo fcinfo)
{
	Span		what;

	RequireArgument(fcinfo, 0, "what");
	what = TextArgument(fcinfo, 0);
	for (int depth = 0; depth < (int) lengthof(debug_depths); depth++)
		if (SpanEqualCString(what, debug_depths[depth]))
			return depth;
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("what must be \"retrieval\", \"conflicts\" or \"decision\", and is \"%s\"",
					TextDatumGetCString(SpanDatum(what)))));
}

/* answer_debug(what, query, top_k, freshness_days) */
PG_FUNCTION_INFO_V1(answer_eval_debug);
Datum
answer_eval_debug(PG_FUNCTION_ARGS)
{
	MemoryContext caller = CurrentMemoryContext;
	TimestampTz now = GetCurrentTimestamp();
	DebugDepth	depth = ReadDepth(fcinfo);
	JsonView	given = JsonViewNewObject(2);
	Question	question;
	JsonView	view;
	Datum		result;

	memset(&question, 0, sizeof(question));
	ReadQuery(fcinfo, 1, &question);
	DebugOption(fcinfo, 2, &given, "top_k");
	DebugOption(fcinfo, 3, &given, "freshness_days");
	OptionsRead(JsonViewToJsonb(&given, false), true, &question.options);
	question.tenant = CurrentTenant();
	question.pinning = CurrentPinning();
	SPI_connect();
	ReadTerms(&question);
	Retrieve(&question, now);
	if (depth != DEBUG_RETRIEVAL)
	{
		FindJudges(&question);
		HaveJudged(&question, now, false);
	}
	view = DebugView(&question, depth);
	result = ResultIn(caller, &view);
	SPI_finish();
	return result;
}

/*
 * trying
 */

/* Has judged what is not pinned; nothing of it is stored. */
static void
HaveTrialJudged(Question *question, const GroundedTrial *trial)
{
	/* what is pinned was taken already, and is nobody's word */
	question->options.judgements.type = JVIEW_ABSENT;
	question->options.deadline_ms = trial->judging_ms;
	FindJudges(question);
	HaveJudged(question, GetCurrentTimestamp(), false);
}

/*
 * Returns what would come of a question among other documents, at another time and by
 * another configuration: nothing is minted, cached or kept, and no judge is asked
 * unless the trial says so; what was judged stands in the options. Beside the members
 * of a decision there is "similarity", the greatest of what is used. What of the
 * documents was forgotten by the tenant raises 23001. SPI must be connected.
 */
JsonView
GroundedTry(GroundedTrial *trial)
{
	Searched	searched = {.tenant = trial->documents,.now = trial->now};
	JsonView	outcome = JsonViewNewObject(17);
	Question	question;
	Datum	   *digests;
	int			ndigests;

	memset(&question, 0, sizeof(question));
	question.tenant = trial->tenant;
	question.pinning = trial->pinning;
	question.grounding.query = trial->query;
	question.grounding.proposed = JsonViewNull();
	OptionsRead(JsonViewToJsonb(&trial->options, false), false, &question.options);
	question.grounding.rules = CurrentRules(&question.grounding.rules_document);
	question.grounding.config = EffectiveConfig(trial->pinning->config, &question.options,
												question.grounding.rules, QuerySpan(&question));
	RetrieveFrom(&question, &searched);
	trial->found = question.grounding.chunks;
	ndigests = DocumentDigests(&question.retrieval, &digests);
	RefuseForgotten(trial->tenant, digests, ndigests);
	/* what is pinned judges first */
	question.grounding.judgements = question.options.judgements;
	GroundingKeepConfigured(&question.grounding);
	TakeAnswer(&question);
	if (trial->pinning->asks)
		HaveTrialJudged(&question, trial);
	DecideAndAnswer(&question);
	DecisionOutcomeSet(&outcome, &question.grounding, &question.result);
	JsonViewSet(&outcome, "similarity", JsonViewOfNumeric(question.result.similarity));
	return outcome;
}
