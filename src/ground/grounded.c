/*-------------------------------------------------------------------------
 *
 * grounded.c
 *		Answers questions from documents: answer_grounded(), answer_retrieve() and trials.
 *
 * Rule: doc/spec/decision.md §9.  A decision (decision_receipt.c, decision.c) is made from
 * the chunks found for a question (retrieve.c), the judgements (judging.c) and the answer:
 * the caller's, or the quotes that the decision chooses.  It is signed and stored with
 * everything that it depends on.  An answer from outside may come in a second call; it is
 * then checked against the chunks of the first.
 *
 * Promises: the clock is read once, with the signing key.  The tenant is that of the role
 * in force when the call begins.  Documents, rules and configuration are those committed
 * at that time, whatever snapshot the caller has.  No quotes are extracted if the decision
 * is not to answer.  A cached receipt is returned only for the same tenant, role, question,
 * options, configuration, rules, judges and documents.
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

/* State of a question. */
typedef struct Question
{
	const text *tenant;
	Pinning    *pinning;		/* NULL: no case of a suite is tried */
	GroundOptions options;
	JsonView	intent;			/* absent if not given, as are the next two */
	JsonView	retrieval_id;
	JsonView	retrieved_at;
	Retrieval	retrieval;
	Judging		judging;
	Grounding	grounding;
	DecisionResult result;
	Serving		serving;		/* the environment; not set in a second call */
	int64		entered;		/* for finding out whether the transaction had written before */
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

/* Whose documents are searched. */
typedef struct Searched
{
	const text *tenant;
	TimestampTz now;			/* the instant by which they are judged */
} Searched;

/* Retrieves chunks from these documents. */
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

/* Retrieves chunks from the tenant's own documents, as of now. */
static void
Retrieve(Question *question, TimestampTz now)
{
	Searched	own = {.tenant = question->tenant,.now = now};

	RetrieveFrom(question, &own);
}

/*
 * judging
 */

/* Finds the judges of the question's configuration. */
static void
FindJudges(Question *question)
{
	question->judging.tenant = question->tenant;
	question->judging.pinning = question->pinning;
	JudgingBegin(&question->judging, &question->grounding.config);
}

/* Has the pairs judged that the decision needs, also for a given answer. */
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

/* Returns the caller's answer as the proposed one. */
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

/* Takes the caller's answer, if there is one, as the proposed one. */
static void
TakeAnswer(Question *question)
{
	if (question->options.answer.type != JVIEW_ABSENT)
		question->grounding.proposed = CallersProposal(&question->options);
}

/* Makes the answer from the quotes of the decision. */
static void
ProposeExtract(Question *question)
{
	JsonView	quotes = JsonViewUnder(&question->result.view, "quotes");

	question->grounding.proposed = ExtractAnswer(&quotes);
	question->grounding.proposed = PortableCopy(&question->grounding.proposed);
	/* without a quote there is no answer, and the decision must say so */
	if (JsonViewCount(&quotes) == 0)
		DecideOrRaise(question);
}

/*
 * Raises an error for an answer without words, because its citations would be given
 * with no statement.  If the citations are invalid, the decision reports that
 * instead.
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

/* Decides, and makes an extract if the decision is to answer and no answer was given. */
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

/* Mints the receipt, in the given context. */
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
	/* documents that were forgotten after they were found must not come back */
	minting.ndigests = DocumentDigests(&question->retrieval, &minting.digests);
	stored = DocumentMint(&minting);
	result = MemoryContextAllocHuge(context, VARSIZE(stored));
	memcpy(result, stored, VARSIZE(stored));
	return result;
}

/* the cache */

/* Returns for how many seconds a question's receipt may be cached; 0: not at all. */
static int
CacheLife(const Question *question)
{
	return CacheLifeOf(&question->grounding.config, question->pinning);
}

/*
 * Computes the cache key.  It contains the role, because what a question may read,
 * and what judges do, depends on its rights.  The OID is used because the encoding
 * of a role's name is not known.
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

/* Is there a reason, or an unjudged pair, because of which the same question may soon be decided otherwise? */
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

/* Caches a receipt, unless it lacks a judgement. */
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

/*
 * Keeps an answer as a sample of a candidate, if the decision used the
 * environment's configuration unchanged.
 */
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

/* the two calls */

/* Returns the state of a first call that is stored for the second. */
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

/* Takes the judgements of the first call, unless the judges or their versions have changed. */
static void
TakeUpJudgements(Question *question, const JsonView *state)
{
	JsonView	token = JudgingToken(&question->judging);
	JsonView	before;

	/* in the form in which the state was stored */
	JsonViewOfJsonb(JsonViewToJsonb(&token, false), &token);
	if (JsonViewGetMember(state, "judges", &before) && ReportIsSame(&before, &token))
		(void) JsonViewGetMember(state, "judgements", &question->grounding.judgements);
}

/* Restores a question from the state of the first call. */
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

/* Answers a question without the cache, and returns the key that signed. */
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
	/* before anything else runs: the role that is in force here is the one that asks */
	question.tenant = CurrentTenant();
	question.pinning = CurrentPinning();
	SPI_connect();
	/* sees what is committed now, whatever snapshot the caller has */
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

/* Returns the pairs that are still to be judged, with their texts, for judges outside the database. */
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
 * Should the caller produce an answer?  Missing judgements decide nothing: with
 * them a refusal may become an answer.  But an ambiguous question is not answered,
 * whatever is judged.
 */
static bool
IsUndecided(const Question *question, const JsonView *pairs)
{
	return IsToAnswer(question) ||
		(JsonViewCount(pairs) > 0 && question->result.decision != DECISION_CLARIFY);
}

/* Returns the result of a first call: what the caller needs to ask a model. */
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

/* debugging */

/* How far answer_debug() goes. */
typedef enum DebugDepth
{
	DEBUG_RETRIEVAL,
	DEBUG_CONFLICTS,
	DEBUG_DECISION
} DebugDepth;

static const char *const debug_depths[] = {"retrieval", "conflicts", "decision"};

/* Takes an argument of answer_debug() as an option. */
static void
DebugOption(FunctionCallInfo fcinfo, int n, JsonView *options, const char *name)
{
	if (!PG_ARGISNULL(n))
		JsonViewSet(options, name, JsonViewInteger(PG_GETARG_INT32(n)));
}

/* Returns the quality of the retrieved chunks, by the freshness_days that were asked for. */
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

/* trials */

/* Has pairs judged that the case does not pin; stores nothing. */
static void
HaveTrialJudged(Question *question, const GroundedTrial *trial)
{
	/* pinned judgements were taken already, and no role has to vouch for them */
	question->options.judgements.type = JVIEW_ABSENT;
	question->options.deadline_ms = trial->judging_ms;
	FindJudges(question);
	HaveJudged(question, GetCurrentTimestamp(), false);
}

/*
 * Returns what would be answered with other documents, at another time and with
 * another configuration.  Nothing is minted or stored, and the cache is not used.
 * No judge is asked unless the trial says so; judgements come from the options.  In
 * addition to the members of a decision there is "similarity", the greatest of the
 * used chunks.  Raises 23001 if the tenant has forgotten one of the documents.  SPI
 * must be connected.
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
	/* pinned judgements come first */
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
