/*-------------------------------------------------------------------------
 *
 * grounded.c
 *		The whole way from a question to a signed answer.
 *
 * Rule: the contract of grounded answers, "The whole way".  What is found for a
 * question (retrieve.c), what users' detectors say of it (detector.c) and what
 * is answered (the caller's answer, or extract.c's) come down to a decision
 * (receipt.c, decision.c), which is signed and stored with all that it follows
 * from.  An answer from outside may come in a second call; it is then checked
 * against the chunks of the first.
 *
 * Promises: the clock is taken once, with the key that signs.  The tenant is
 * that of the role in force where the call comes in.  Documents, rules and
 * configuration are those that are committed by then, whatever snapshot the
 * caller has.  Nothing is extracted where the decision is not to answer.  A
 * receipt that is given again is one of the same tenant and role, for the same
 * question, options, configuration, rules, detectors and documents.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "catalog/pg_type.h"
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
#include "base/owner.h"
#include "base/rfc3339.h"
#include "base/settings.h"
#include "base/snapshot.h"
#include "base/spi_query.h"
#include "base/tenant.h"
#include "base/writes.h"
#include "document/mint.h"
#include "document/tombstone.h"
#include "ground/cache.h"
#include "ground/current.h"
#include "ground/detector.h"
#include "ground/environment.h"
#include "ground/extract.h"
#include "ground/grounded.h"
#include "ground/receipt.h"
#include "ground/retrieve.h"
#include "ground/sample.h"

#define QUERY_MAX_SIZE	65536

/* A question on its way. */
typedef struct Question
{
	const text *tenant;
	GroundOptions options;
	JsonView	intent;			/* absent without one, like the next two */
	JsonView	retrieval_id;
	JsonView	retrieved_at;
	Retrieval	retrieval;
	Detection	detection;
	Grounding	grounding;
	DecisionResult result;
	Serving		serving;		/* of the environment; nothing of a second half */
	int64		entered;		/* for asking what the transaction had written */
} Question;

/*
 * reading
 */

static void
ReadQuery(FunctionCallInfo fcinfo, Question *question)
{
	Span		query;

	RequireArgument(fcinfo, 0, "query");
	LimitArgument(fcinfo, 0, QUERY_MAX_SIZE, "query");
	query = TextArgument(fcinfo, 0);
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
	JsonView	active = ActiveConfig(question->tenant, &query, &question->serving);

	question->grounding.rules = CurrentRules(&question->grounding.rules_document);
	question->grounding.config = EffectiveConfig(&active, &question->options,
												 question->grounding.rules, query);
}

/* Whose documents are searched for a question. */
typedef struct Searched
{
	const text *tenant;
	TimestampTz now;			/* the instant at which they are judged */
} Searched;

/* The chunks of a question that conflicts are sought among, such as can be read. */
static JsonView
ComparedChunks(const Question *question)
{
	JsonView	config = NumbersOfPortable(&question->grounding.config);
	JsonView	compared = JsonViewNewArray(8);
	DecisionConfig parsed;

	DecisionConfigOfView(&config, &parsed);
	for (int i = 0; i < JsonViewCount(&question->retrieval.chunks); i++)
	{
		JsonView	chunk;

		CHECK_FOR_INTERRUPTS();
		JsonViewElement(&question->retrieval.chunks, i, &chunk);
		chunk = NumbersOfPortable(&chunk);
		if (ChunkIsSimilar(&chunk, parsed.conflict_min_similarity))
			JsonViewAppend(&compared, chunk);
	}
	return compared;
}

/* Retrieves, and has detectors look at what there is. */
static void
RetrieveFrom(Question *question, const Searched *searched, TimestampTz begun_at, bool detect, bool read_only)
{
	JsonView	config = NumbersOfPortable(&question->grounding.config);
	DetectorTerms terms = {.tenant = question->tenant,.read_only = read_only,
		.deadline_ms = question->options.deadline_ms,
	.deadline = TimestampTzPlusMilliseconds(begun_at, question->options.deadline_ms)};
	JsonView	compared;

	RetrieveChunks(searched->tenant, &question->grounding.query, &question->options, &config, searched->now,
				   &question->retrieval);
	question->grounding.chunks = question->retrieval.chunks;
	question->grounding.evaluated_at = searched->now;
	if (!detect)
		return;
	compared = ComparedChunks(question);
	DetectConflicts(&compared, &terms, &question->detection);
	question->grounding.detectors = question->detection.outcomes;
	question->grounding.ndetected = question->detection.ndetected;
	question->grounding.detected = question->detection.detected;
}

/* The same from the tenant's own documents, as of now. */
static void
Retrieve(Question *question, TimestampTz now, bool detect, bool read_only)
{
	Searched	own = {.tenant = question->tenant,.now = now};

	RetrieveFrom(question, &own, now, detect, read_only);
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

/* Decides, with the answer that was given, or with one that is made if there is to be one. */
static void
DecideAndAnswer(Question *question)
{
	Grounding  *grounding = &question->grounding;
	JsonView	config = NumbersOfPortable(&grounding->config);
	JsonView	chunks;
	DecisionConfig parsed;

	if (question->options.answer.type != JVIEW_ABSENT)
		grounding->proposed = CallersProposal(&question->options);
	DecideOrRaise(question);
	if (grounding->proposed.type == JVIEW_OBJECT || !IsToAnswer(question))
		return;
	DecisionConfigOfView(&config, &parsed);
	chunks = ReadableChunks(&grounding->chunks);
	grounding->proposed = ExtractAnswer(QuerySpan(question), &chunks, grounding->rules, &parsed);
	DecideOrRaise(question);
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
						question->retrieval.by_text, TransactionHasWritten(question->entered), &question->result);
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

/* How long a question's receipt may be given again, in seconds; 0: not at all. */
static int
CacheLife(const Question *question)
{
	return answer_eval_cache_entries > 0 ? ConfigInteger(&question->grounding.config, "cache_ttl_s") : 0;
}

/*
 * Under which key.  The role is in it, because what a question may read, and what
 * detectors do, is a matter of its rights; by its OID, for its name is bytes of no
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
	JsonViewAppend(&parts, DetectorsRegistered(question->tenant));
	JsonViewAppend(&parts, JsonViewInteger(DocumentSetVersion(question->tenant)));
	CanonicalDigest(&parts, NULL, key);
}

/* Keeps a receipt under its key; one that a detector's failure is in is made anew. */
static void
KeepReceipt(const Question *question, const char *key, Jsonb *receipt, const SigningKey *signing)
{
	JsonView	view;

	if (DetectorsFailed(&question->grounding.detectors))
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

/* What of a first half is kept for the second. */
static JsonView
StateOf(const Question *question)
{
	JsonView	state = JsonViewNewObject(9);
	JsonView	detected = JsonViewNewArray(question->detection.ndetected);

	JsonViewSet(&state, "query", question->grounding.query);
	JsonViewSet(&state, "retrieved_at", InstantView(question->grounding.evaluated_at));
	JsonViewSet(&state, "retrieval", question->retrieval.view);
	JsonViewSet(&state, "by_text", JsonViewBool(question->retrieval.by_text));
	JsonViewSet(&state, "documents", question->retrieval.documents);
	JsonViewSet(&state, "config", question->grounding.config);
	JsonViewSet(&state, "rules", question->grounding.rules_document);
	if (question->intent.type == JVIEW_STRING)
		JsonViewSet(&state, "intent", question->intent);
	if (question->grounding.detectors.type == JVIEW_ARRAY)
		JsonViewSet(&state, "detectors", question->grounding.detectors);
	for (int i = 0; i < question->detection.ndetected; i++)
	{
		const DetectedPairs *pairs = &question->detection.detected[i];
		JsonView	entry = JsonViewNewObject(2);

		JsonViewSet(&entry, "name", JsonViewString(pairs->name.str, pairs->name.len));
		JsonViewSet(&entry, "pairs", pairs->pairs);
		JsonViewAppend(&detected, entry);
	}
	JsonViewSet(&state, "detected", detected);
	return state;
}

/* Takes up a question where the first half left it. */
static void
TakeUp(Question *question, TimestampTz now)
{
	Grounding  *grounding = &question->grounding;
	JsonView	state;
	JsonView	member;
	DetectedPairs *detected;

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
	question->retrieval.by_text = JsonViewGetMember(&state, "by_text", &member) && member.boolean;
	(void) JsonViewGetMember(&state, "documents", &question->retrieval.documents);
	(void) JsonViewGetMember(&state, "config", &grounding->config);
	(void) JsonViewGetMember(&state, "rules", &grounding->rules_document);
	(void) JsonViewGetMember(&state, "detectors", &grounding->detectors);
	(void) JsonViewGetMember(&state, "detected", &member);
	grounding->rules = DecisionRulesOfView(&grounding->rules_document);
	grounding->chunks = question->retrieval.chunks;
	grounding->evaluated_at = now;
	detected = palloc0(sizeof(DetectedPairs) * (Size) Max(JsonViewCount(&member), 1));
	for (int i = 0; i < JsonViewCount(&member); i++)
	{
		JsonView	entry;

		JsonViewElement(&member, i, &entry);
		(void) JsonViewGetString(&entry, "name", &detected[i].name.str, &detected[i].name.len);
		(void) JsonViewGetMember(&entry, "pairs", &detected[i].pairs);
	}
	grounding->ndetected = JsonViewCount(&member);
	grounding->detected = detected;
}

static void
QuestionBegin(FunctionCallInfo fcinfo, Question *question, bool retrieving)
{
	memset(question, 0, sizeof(*question));
	ReadQuery(fcinfo, question);
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
		Retrieve(question, now, true, false);
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
	SPI_connect();
	/* what is committed by now, whatever snapshot the caller has */
	PushActiveSnapshot(GetLatestSnapshot());
	if (question.options.retrieval_id.type == JVIEW_ABSENT)
	{
		ReadTerms(&question);
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

/*
 * What a first half came to: what of a decision is for whoever asks a model.
 */
static JsonView
FirstHalfView(const Question *question, const char *retrieval_id, TimestampTz expires_at)
{
	static const char *const members[] = {"reasons", "user_message", "thresholds", "signals", "risk",
		"retrieval_quality", "conflicts", "degraded"};
	JsonView	decided = JsonViewNewObject(10);
	JsonView	view = JsonViewNewObject(14);
	JsonView	member;

	DecidedMembersSet(&decided, &question->grounding, &question->result);
	JsonViewSet(&view, "retrieval_id", JsonViewCString(retrieval_id));
	JsonViewSet(&view, "expires_at", InstantView(expires_at));
	JsonViewSet(&view, "query", question->grounding.query);
	JsonViewGetMember(&decided, "decision", &member);
	JsonViewSet(&view, "decision", IsToAnswer(question) ? JsonViewNull() : member);
	JsonViewSet(&view, "retrieval", question->retrieval.view);
	for (size_t i = 0; i < lengthof(members); i++)
	{
		JsonViewGetMember(&decided, members[i], &member);
		JsonViewSet(&view, members[i], member);
	}
	if (question->grounding.detectors.type == JVIEW_ARRAY)
		JsonViewSet(&view, "detectors", question->grounding.detectors);
	return view;
}

static Datum
ResultIn(MemoryContext context, const JsonView *view)
{
	MemoryContext current = MemoryContextSwitchTo(context);
	Jsonb	   *result = JsonViewToJsonb(view, true);

	MemoryContextSwitchTo(current);
	return JsonbPGetDatum(result);
}

/* answer_retrieve(query, options) */
PG_FUNCTION_INFO_V1(answer_eval_retrieve);
Datum
answer_eval_retrieve(PG_FUNCTION_ARGS)
{
	MemoryContext caller = CurrentMemoryContext;
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
	SPI_connect();
	PushActiveSnapshot(GetLatestSnapshot());
	ReadTerms(&question);
	SigningKeyBegin(&key, &now);
	Retrieve(&question, now, true, false);
	DecideOrRaise(&question);
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

/* How far a look goes. */
typedef enum DebugDepth
{
	DEBUG_RETRIEVAL,
	DEBUG_CONFLICTS,
	DEBUG_DECISION
} DebugDepth;

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
		JsonView	member;

		JsonViewGetMember(decided, members[i], &member);
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
	if (question->grounding.detectors.type == JVIEW_ARRAY)
		JsonViewSet(&view, "detectors", question->grounding.detectors);
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

static Datum
Debug(FunctionCallInfo fcinfo, DebugDepth depth)
{
	MemoryContext caller = CurrentMemoryContext;
	JsonView	given = JsonViewNewObject(2);
	Question	question;
	JsonView	view;
	Datum		result;

	memset(&question, 0, sizeof(question));
	ReadQuery(fcinfo, &question);
	DebugOption(fcinfo, 1, &given, "top_k");
	DebugOption(fcinfo, 2, &given, "freshness_days");
	OptionsRead(JsonViewToJsonb(&given, false), true, &question.options);
	question.tenant = CurrentTenant();
	SPI_connect();
	ReadTerms(&question);
	Retrieve(&question, GetCurrentTimestamp(), depth != DEBUG_RETRIEVAL, true);
	view = DebugView(&question, depth);
	result = ResultIn(caller, &view);
	SPI_finish();
	return result;
}

PG_FUNCTION_INFO_V1(answer_eval_debug_retrieval);
Datum
answer_eval_debug_retrieval(PG_FUNCTION_ARGS)
{
	return Debug(fcinfo, DEBUG_RETRIEVAL);
}

PG_FUNCTION_INFO_V1(answer_eval_debug_conflicts);
Datum
answer_eval_debug_conflicts(PG_FUNCTION_ARGS)
{
	return Debug(fcinfo, DEBUG_CONFLICTS);
}

PG_FUNCTION_INFO_V1(answer_eval_debug_decision);
Datum
answer_eval_debug_decision(PG_FUNCTION_ARGS)
{
	return Debug(fcinfo, DEBUG_DECISION);
}

/*
 * trying
 */

/*
 * What would come of a question among other documents, at another time and by another
 * configuration: nothing is minted, cached or kept.  What of the documents was
 * forgotten by the tenant raises 23001.  SPI must be connected.
 */
JsonView
GroundedTry(const GroundedTrial *trial)
{
	Searched	searched = {.tenant = trial->documents,.now = trial->now};
	JsonView	outcome = JsonViewNewObject(16);
	Question	question;
	Datum	   *digests;
	int			ndigests;

	memset(&question, 0, sizeof(question));
	question.tenant = trial->tenant;
	question.grounding.query = trial->query;
	question.grounding.proposed = JsonViewNull();
	OptionsRead(JsonViewToJsonb(&trial->options, false), false, &question.options);
	question.grounding.rules = CurrentRules(&question.grounding.rules_document);
	question.grounding.config = EffectiveConfig(&trial->config, &question.options,
												question.grounding.rules, QuerySpan(&question));
	RetrieveFrom(&question, &searched, GetCurrentTimestamp(), true, true);
	ndigests = DocumentDigests(&question.retrieval, &digests);
	RefuseForgotten(trial->tenant, digests, ndigests);
	DecideAndAnswer(&question);
	DecisionOutcomeSet(&outcome, &question.grounding, &question.result);
	return outcome;
}
