/*-------------------------------------------------------------------------
 *
 * ask_judge.c
 *		Asks judges that are functions.
 *
 * Rule: doc/spec/judgement.md §6.4.  A handler gets pairs of one kind, in batches of at
 * most max_pairs.  For each pair it returns its judgement, or nothing.
 *
 * Rights: as for tools (evidence/call.c).  The operator's handlers run with the rights of
 * the caller.  A tenant's handlers run for that tenant only, with the rights of the role
 * that registered them.  Each batch runs in a read-only subtransaction, under the
 * deadline and the settings of the database (handler_settings.c).  The handler must still
 * have the owner (bound_function.c) and the source that were registered.
 *
 * Promises: a failure is a value with a reason.  It is never an error of the question and
 * never decides: if a handler fails, is late, or returns something invalid, it has judged
 * nothing of that batch.  A text longer than max_chars is not asked about.  Nothing that
 * a handler returns is used before all of it was read.  While a case of a run is tried,
 * nobody is asked (pinned.c).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/guc.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"

#include "base/canonical.h"
#include "base/deadline.h"
#include "base/funcargs.h"
#include "evidence/bound_function.h"
#include "evidence/call.h"
#include "evidence/handler_settings.h"
#include "judge/ask_judge.h"
#include "judge/pinned.h"
#include "keys/keyring.h"

/* Size of a text with the number of a pair in a batch, with terminator. */
#define ID_SIZE		12

/* What was said about one pair of a batch. */
typedef struct Said
{
	bool		is_there;
	JudgeRelation relation;
	Numeric		score;
} Said;

/* A call with a batch of pairs. */
typedef struct Batch
{
	const Judge *judge;
	JudgeKind	kind;
	const AskPair *const *pairs;
	int			count;
	MemoryContext context;		/* for scores */
	Said	   *said;			/* one for each pair */
} Batch;

/*
 * one batch
 */

static JsonView
BatchArgument(const Batch *batch)
{
	JsonView	argument = JsonViewNewObject(2);
	JsonView	pairs = JsonViewNewArray(batch->count);

	for (int i = 0; i < batch->count; i++)
	{
		const AskPair *pair = batch->pairs[i];
		JsonView	entry = JsonViewNewObject(3);

		JsonViewSet(&entry, "id", JsonViewCString(psprintf("%d", i + 1)));
		JsonViewSet(&entry, "a", JsonViewString(pair->a.str, pair->a.len));
		JsonViewSet(&entry, "b", JsonViewString(pair->b.str, pair->b.len));
		JsonViewAppend(&pairs, entry);
	}
	JsonViewSet(&argument, "kind", JsonViewCString(JudgeKindName(batch->kind)));
	JsonViewSet(&argument, "pairs", pairs);
	return argument;
}

static _Noreturn void
RefuseSaid(int index, const char *key, const char *demand, const JsonView *seen)
{
	int			len;
	char	   *shown = ShownValue(seen);

	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("judgements[%d].%s of the result %s, and is %s", index, key, demand,
					JsonUtf8ToServer(shown, strlen(shown), &len))));
}

/* Returns the index of the pair with an id; -1 if it was not given. */
static int
PairOfId(const Batch *batch, const JsonView *id)
{
	char		written[ID_SIZE];
	int			number = 0;

	if (id->type != JVIEW_STRING || id->len == 0 || id->len >= 7)
		return -1;
	for (int i = 0; i < id->len; i++)
	{
		if (id->str[i] < '0' || id->str[i] > '9')
			return -1;
		number = number * 10 + (id->str[i] - '0');
	}
	snprintf(written, sizeof(written), "%d", number);
	if (number < 1 || number > batch->count || !SpanEqualCString(SpanOf(id->str, id->len), written))
		return -1;
	return number - 1;
}

static void
ReadSaid(Batch *batch, const JsonView *entry, int index)
{
	JsonView	view = JsonViewUnder(entry, "id");
	MemoryContext caller;
	Numeric		score;
	Said	   *said;
	int			pair;

	if (entry->type != JVIEW_OBJECT)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("judgements[%d] of the result must be an object", index)));
	pair = PairOfId(batch, &view);
	if (pair < 0)
		RefuseSaid(index, "id", "must be that of a pair that was given", &view);
	said = &batch->said[pair];
	if (said->is_there)
		RefuseSaid(index, "id", "must not be there twice", &view);
	JsonViewGetMember(entry, "relation", &view);
	if (view.type != JVIEW_STRING || !JudgeRelationOf(SpanOf(view.str, view.len), &said->relation) ||
		!JudgeRelationIsOf(said->relation, batch->kind))
		RefuseSaid(index, "relation", psprintf("must be %s", JudgeRelationsList(batch->kind)), &view);
	JsonViewGetMember(entry, "score", &view);
	if (view.type != JVIEW_NUMBER || !JudgeScoreOf(&view, &score))
		RefuseSaid(index, "score", "must be a number from 0 to 1", &view);
	said->is_there = true;
	caller = MemoryContextSwitchTo(batch->context);
	said->score = DatumGetNumeric(DirectFunctionCall1(numeric_trim_scale, NumericGetDatum(score)));
	MemoryContextSwitchTo(caller);
}

/* Reads the result of a handler; raises an error if it is invalid. */
static void
ReadResult(Batch *batch, const JsonView *result)
{
	JsonView	judgements;
	int			count;

	if (result->type != JVIEW_OBJECT || !JsonViewGetMember(result, "judgements", &judgements) ||
		judgements.type != JVIEW_ARRAY)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("the result must be {\"judgements\": [{\"id\", \"relation\", \"score\"}]}")));
	count = JsonViewCount(&judgements);
	for (int i = 0; i < count; i++)
	{
		JsonView	entry = JsonViewAt(&judgements, i);

		CHECK_FOR_INTERRUPTS();
		ReadSaid(batch, &entry, i);
	}
}

/* Is a judge running? A judge that asks a question must not be asked about it in turn. */
static bool is_judging = false;

static Datum
RunHandler(Oid handler, Datum argument, bool *isnull)
{
	Datum		result;

	if (is_judging)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("a judge was called within a judge"),
				 errhint("Let the judge compare the texts itself, without functions that ask judges.")));
	is_judging = true;
	PG_TRY();
	{
		result = BoundCall(handler, argument, isnull);
	}
	PG_FINALLY();
	{
		is_judging = false;
	}
	PG_END_TRY();
	return result;
}

/*
 * Checks that a handler still has its registered source, because otherwise its version
 * would be wrong.
 */
static void
RequireSource(const Judge *judge, Oid handler)
{
	char		digest[DIGEST_TEXT_LENGTH + 1];

	JudgeHandlerDigest(handler, digest);
	if (judge->handler_digest == NULL || strcmp(digest, judge->handler_digest) != 0)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("function %s(jsonb) is not what it was when the judge was registered", judge->handler),
				 errhint("Register the judge again, which starts a new version.")));
}

/* Calls a handler with a batch.  Runs contained. */
static void
CallHandler(void *arg)
{
	Batch	   *batch = arg;
	const Judge *judge = batch->judge;
	JsonView	argument = BatchArgument(batch);
	JsonView	view;
	Datum		result;
	Oid			handler;
	bool		isnull;
	Oid			user;
	int			rights;
	int			level = SettleHandler(judge->handler, false);

	/* ends with the subtransaction */
	XactReadOnly = true;
	/* a new snapshot, as for a statement of its own */
	CommandCounterIncrement();
	PushActiveSnapshot(GetTransactionSnapshot());
	BoundRightsTake(judge->tenant, judge->registered_by, &user, &rights);
	handler = BoundFunction(judge->handler, judge->handler_owner, JSONBOID);
	RequireSource(judge, handler);
	result = RunHandler(handler, JsonbPGetDatum(JsonViewToJsonb(&argument, false)), &isnull);
	SetUserIdAndSecContext(user, rights);
	PopActiveSnapshot();
	AtEOXact_GUC(false, level);
	if (!isnull)
	{
		Jsonb	   *jsonb = DatumGetJsonbP(result);

		JsonViewOfJsonb(jsonb, &view);
		RefuseBadResult(&view, VARSIZE(jsonb));
		ReadResult(batch, &view);
	}
}

/* results */

void
AskedInit(Asked *asked)
{
	memset(asked, 0, sizeof(*asked));
	asked->judgements = JsonViewNewArray(0);
}

/*
 * Adds a failure.  For each judge and kind, only the first failure is reported, with the
 * number of pairs of all.
 */
static void
AddFailure(Asked *asked, const Judge *judge, JudgeKind kind, int npairs, const char *sqlstate, JsonView message)
{
	JsonView	entry = JsonViewNewObject(5);

	if (asked->failures.type == JVIEW_ABSENT)
		asked->failures = JsonViewNewArray(1);
	JsonViewSet(&entry, "name", JsonViewString(judge->name.str, judge->name.len));
	JsonViewSet(&entry, "kind", JsonViewCString(JudgeKindName(kind)));
	JsonViewSet(&entry, "pairs", JsonViewInteger(npairs));
	JsonViewSet(&entry, "sqlstate", JsonViewCString(pstrdup(sqlstate)));
	JsonViewSet(&entry, "message", message);
	JsonViewAppend(&asked->failures, entry);
}

static Span
RoleInForce(void)
{
	char	   *name = GetUserNameFromId(GetUserId(), false);
	Span		role;

	role.str = JsonServerToUtf8(name, strlen(name), &role.len);
	return role;
}

/* Adds the judgements, and stores them if asked. */
static void
TakeSaid(const Batch *batch, const AskTerms *terms, Asked *asked)
{
	/* pinned judgements are stored in the suite that pins them */
	bool		is_kept = terms->store && terms->pinning == NULL && !XactReadOnly;
	TimestampTz now = GetCurrentTimestamp();
	Span		by = RoleInForce();
	JsonView	rows = JsonViewNewArray(batch->count);
	SigningKey	key;

	/*
	 * the key is needed only if there is something to sign, because whoever retires it
	 * waits for this transaction
	 */
	for (int i = 0; is_kept && i < batch->count; i++)
	{
		if (!batch->said[i].is_there)
			continue;
		SigningKeyBegin(&key, &now);
		break;
	}
	for (int i = 0; i < batch->count; i++)
	{
		const Said *said = &batch->said[i];

		if (!said->is_there)
			continue;
		JsonViewAppend(&asked->judgements,
					   JudgementView(batch->judge, batch->kind, batch->pairs[i]->pair, said->relation, said->score,
									 "observed", by, now));
		JsonViewAppend(&rows, JudgementRow(batch->judge, batch->pairs[i], said->relation, said->score));
	}
	if (is_kept && JsonViewCount(&rows) > 0)
		(void) JudgementsWrite(terms->tenant, by, "observed", &key, now, &rows);
}

/* Has a text more code points than this? */
static bool
IsLonger(Span text, int max_chars)
{
	int			chars = 0;

	if (text.len <= max_chars)
		return false;
	for (int i = 0; i < text.len; i++)
	{
		if (((unsigned char) text.str[i] & 0xC0) != 0x80 && ++chars > max_chars)
			return true;
	}
	return false;
}

/* The entry of an earlier failure, to which later ones are added. */
typedef struct Failing
{
	int			npairs;
	char		sqlstate[6];
	JsonView	message;
} Failing;

static void
AskBatch(Batch *batch, const AskTerms *terms, Asked *asked, Failing *failing)
{
	const Judge *judge = batch->judge;
	TimestampTz deadline = terms->deadline;
	int			deadline_ms = terms->deadline_ms;
	CallFailure failure;

	if (judge->deadline_ms > 0)
	{
		TimestampTz own = TimestampTzPlusMilliseconds(GetCurrentTimestamp(), judge->deadline_ms);

		if (own < deadline)
		{
			deadline = own;
			deadline_ms = judge->deadline_ms;
		}
	}
	batch->said = palloc0(sizeof(Said) * batch->count);
	if (CallContained(CallHandler, batch, deadline, deadline_ms, &failure))
	{
		TakeSaid(batch, terms, asked);
		return;
	}
	if (failing->npairs == 0)
	{
		Tool		tool = {.name = judge->name};

		strlcpy(failing->sqlstate, failure.sqlstate, sizeof(failing->sqlstate));
		failing->message = CallFailureMessage(&failure);
		ToolLogFailure(&tool, "judge", &failure);
	}
	failing->npairs += batch->count;
}

void
JudgeAsk(const Judge *judge, JudgeKind kind, const AskPair *const *pairs, int npairs, const AskTerms *terms,
		 Asked *asked)
{
	const AskPair **asking = palloc_extended(sizeof(AskPair *) * Max(npairs, 1), MCXT_ALLOC_HUGE);
	Batch		batch = {.judge = judge,.kind = kind,.context = CurrentMemoryContext};
	Failing		failing = {0};
	int			count = 0;
	int			level;

	for (int i = 0; i < npairs && !NobodyIsAsked(terms->pinning); i++)
	{
		if (!IsLonger(pairs[i]->a, judge->max_chars) && !IsLonger(pairs[i]->b, judge->max_chars))
			asking[count++] = pairs[i];
	}
	if (count == 0)
		return;
	level = SettleSettings();
	for (int i = 0; i < count; i += batch.count)
	{
		CHECK_FOR_INTERRUPTS();
		batch.pairs = &asking[i];
		batch.count = Min(judge->max_pairs, count - i);
		AskBatch(&batch, terms, asked, &failing);
	}
	AtEOXact_GUC(false, level);
	if (failing.npairs > 0)
		AddFailure(asked, judge, kind, failing.npairs, failing.sqlstate, failing.message);
}

/*
 * panels
 */

/* Returns why a judge that a configuration names cannot be asked about a kind, or NULL. */
static const char *
WhyUnaskable(const Judge *judge, JudgeKind kind)
{
	if (judge == NULL || !judge->registered)
		return "the judge is not registered";
	if (!judge->kinds[kind])
		return psprintf("the judge does not judge pairs of the kind %s", JudgeKindName(kind));
	return NULL;
}

/*
 * Asks one judge of a panel about the pairs that it has not judged and that are needed.
 * Returns all judgements there are then.
 */
static const Judgements *
AskOne(const Judges *judges, const Panel *panel, int place, const Judgements *have, const AskPair *pairs,
	   int npairs, const AskTerms *terms, Asked *asked)
{
	const Judge *judge = JudgeOfName(judges, panel->judges[place]);
	Judge		unknown = {.name = panel->judges[place]};
	const char *why = WhyUnaskable(judge, panel->kind);
	const AskPair **needed = palloc_extended(sizeof(AskPair *) * Max(npairs, 1), MCXT_ALLOC_HUGE);
	Asked		now;
	Judgements *more;
	const char *problem;
	int			count = 0;

	for (int i = 0; i < npairs; i++)
	{
		PanelSays	says;

		if (pairs[i].kind != panel->kind || JudgementFind(have, pairs[i].pair, panel->judges[place]))
			continue;
		PanelAsk(panel, have, pairs[i].pair, &terms->sure, &says);
		if (says.is_needed)
			needed[count++] = &pairs[i];
	}
	if (count == 0)
		return have;
	if (why)
	{
		AddFailure(asked, judge ? judge : &unknown, panel->kind, count, "55000", JsonViewCString(why));
		return have;
	}
	if (judge->handler == NULL)
		return have;
	AskedInit(&now);
	now.failures = asked->failures;
	JudgeAsk(judge, panel->kind, needed, count, terms, &now);
	asked->failures = now.failures;
	for (int i = 0; i < JsonViewCount(&now.judgements); i++)
	{
		JsonView	judgement = JsonViewAt(&now.judgements, i);

		JsonViewAppend(&asked->judgements, judgement);
	}
	more = JudgementsParse(&now.judgements, &problem);
	if (more == NULL)
		elog(ERROR, "judgements of a judge are malformed: %s", problem);
	return JudgementsJoin(have, more);
}

void
JudgesAsk(const Judges *judges, const Panel *panels, const Judgements *have, const AskPair *pairs, int npairs,
		  const AskTerms *terms, Asked *asked)
{
	AskedInit(asked);
	if (NobodyIsAsked(terms->pinning))
		return;
	for (int kind = 0; kind < JUDGE_KINDS; kind++)
	{
		for (int place = 0; place < panels[kind].count; place++)
			have = AskOne(judges, &panels[kind], place, have, pairs, npairs, terms, asked);
	}
	PinningNote(terms->pinning, &asked->judgements);
	PinningNoteFailures(terms->pinning, &asked->failures);
}

void
AppendStoredJudgements(JsonView *found, const Judgements *known, const text *tenant, Pinning *pinning,
					   const Judges *judges, const Panel *panels, const Span *pairs, int count)
{
	JsonView	stored = JudgementsStored(tenant, pinning, judges, pairs, count);

	for (int i = 0; i < JsonViewCount(&stored); i++)
	{
		JsonView	judgement = JsonViewAt(&stored, i);
		JudgeKind	kind;
		Span		text;
		Span		pair;
		Span		judge;

		CHECK_FOR_INTERRUPTS();
		if (JsonViewGetString(&judgement, "kind", &text) && JudgeKindOf(text, &kind) &&
			JsonViewGetString(&judgement, "pair", &pair) &&
			JsonViewGetString(&judgement, "judge", &judge) &&
			PanelHas(&panels[kind], judge) && JudgementFind(known, pair, judge) == NULL)
			JsonViewAppend(found, judgement);
	}
}
