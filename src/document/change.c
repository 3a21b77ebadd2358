/*-------------------------------------------------------------------------
 *
 * change.c
 *		Signed records of changes of keys and configuration.
 *
 * Rule: doc/spec/document.md §9.
 *
 * Verdicts depend on more than evidence: on keys, sources, tools, routes and the
 * rules of quality.  Whatever changes one of these signs a document (change/v1) in
 * the same transaction, and the log contains it like any receipt.  So the audit
 * notices if a table was changed without our functions.
 *
 * Promises: nobody can choose the words that are signed.  A request for a record
 * states only a kind and a name.  The state is read here, as the owner, from the view
 * answer.change_state, and a document is minted only if the state differs from that
 * of the newest document.  Row triggers do not make records, because a restore would
 * then sign the rows again.  The documents of one name are numbered, so their order
 * does not depend on a clock, and a lost one leaves a gap.
 *
 * A change of keys is signed by the key that is active afterwards.  A key that
 * retires without a successor signs its own end.  If no key is active, the record
 * waits for the next one: a compromised key must not sign a record about itself.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "access/xlog.h"
#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "storage/lock.h"
#include "utils/builtins.h"

#include "base/funcargs.h"
#include "base/locks.h"
#include "base/owner.h"
#include "base/snapshot.h"
#include "base/spi_query.h"
#include "base/tenant.h"
#include "document/change.h"
#include "document/mint.h"
#include "document/signed.h"

#define CHANGE_SCHEMA		"change/v1"
#define CHANGE_ID_PREFIX	"chg_"
#define CHANGE_RULE			"change/1"
#define KEY_KIND			"key"

static const char disclaimer[] =
"The signature proves that this was the state when the document was issued, not that the state is right. A receipt is never a certification.";

/* One thing whose changes are recorded: its present state and the last recorded one. */
typedef struct Change
{
	const text *tenant;			/* its tenant */
	Span		kind;
	Span		name;
	bool		exists;
	bool		shipped;		/* shipped with the extension, and not changed since? */
	JsonView	state;			/* if it exists */
	char		digest[DIGEST_TEXT_LENGTH + 1];
	bool		recorded;		/* is there a document about it? */
	int			revision;		/* this and the next two are from the newest document */
	char	   *before;			/* digest of its state; NULL if removed */
	JsonView	newest;			/* the state itself */
} Change;

ChangeStepReplay environment_steps = {NULL, NULL};
ChangeStepReplay proposal_steps = {NULL, NULL};

/* Makes sure that changes of one name are recorded one at a time. */
void
LockChange(const text *tenant, const char *kind, Span name)
{
	LOCKTAG		tag;

	TenantLockTag(&tag, LOCK_CHANGE, tenant, SpanOfCString(kind), name);
	(void) LockAcquire(&tag, ExclusiveLock, false, false);
}

/* Reads the present state. */
static void
ReadState(Change *change)
{
	static FixedQuery query = {
		.text = "SELECT shipped, state FROM answer.change_state"
		" WHERE kind OPERATOR(pg_catalog.=) $1 AND name OPERATOR(pg_catalog.=) $2"
		" AND tenant OPERATOR(pg_catalog.=) $3",
		.argtypes = {TEXTOID, TEXTOID, TEXTOID}
	};
	Datum		values[3] = {SpanDatum(change->kind), SpanDatum(change->name), PointerGetDatum(change->tenant)};
	HeapTuple	row;
	bool		isnull;
	QueryRows	rows = QueryRunLatest(&query, values, NULL, 1);

	change->exists = rows.count > 0;
	if (change->exists)
	{
		row = rows.table->vals[0];
		change->shipped = DatumGetBool(SPI_getbinval(row, rows.table->tupdesc, 1, &isnull));
		JsonViewOfJsonb(DatumGetJsonbPCopy(SPI_getbinval(row, rows.table->tupdesc, 2, &isnull)),
						&change->state);
		CanonicalDigest(&change->state, NULL, change->digest);
	}
	QueryFree(&rows);
}

/* Finds the newest document about it. */
static void
ReadNewest(Change *change)
{
	static FixedQuery query = {
		.text = "SELECT revision, after_digest, after FROM answer.change"
		" WHERE kind OPERATOR(pg_catalog.=) $1 AND name OPERATOR(pg_catalog.=) $2"
		" AND tenant OPERATOR(pg_catalog.=) $3 ORDER BY revision DESC LIMIT 1",
		.argtypes = {TEXTOID, TEXTOID, TEXTOID}
	};
	Datum		values[3] = {SpanDatum(change->kind), SpanDatum(change->name), PointerGetDatum(change->tenant)};
	QueryRows	rows = QueryRunLatest(&query, values, NULL, 1);

	change->recorded = rows.count > 0;
	if (change->recorded)
	{
		change->revision = DatumGetInt32(ColumnDatum(rows.table, 0, 1));
		change->before = SPI_getvalue(rows.table->vals[0], rows.table->tupdesc, 2);
		if (change->before)
			JsonViewOfJsonb(ColumnJsonb(rows.table, 0, 3), &change->newest);
	}
	QueryFree(&rows);
}

/* Does the state differ from the newest document? */
static bool
IsOutstanding(const Change *change)
{
	if (!change->recorded)
		return change->exists && !change->shipped;
	if (!change->exists || change->before == NULL)
		return change->exists != (change->before != NULL);
	return strcmp(change->digest, change->before) != 0;
}

/* Returns what happened to a key, which follows from its present state and whether it is new. */
static const char *
KeyAction(bool is_new, const JsonView *after)
{
	JsonView	status = JsonViewUnder(after, "status");

	if (JsonViewStringIs(&status, "active"))
		return "generate";
	if (is_new)
		return "import";
	return JsonViewStringIs(&status, "compromised") ? "compromise" : "retire";
}

/* Returns what happened, which follows from the states. */
static const char *
ActionOf(const JsonView *kind, bool is_new, const JsonView *after)
{
	JsonView	shipped;

	if (after->type != JVIEW_OBJECT)
		return "remove";
	if (JsonViewStringIs(kind, KEY_KIND))
		return KeyAction(is_new, after);
	/* what comes with the extension existed before it was changed */
	return is_new && !JsonViewGetMember(after, "shipped", &shipped) ? "add" : "change";
}

/* Mints a document about a step. */
Jsonb *
MintChangeStep(const ChangeStep *step, const SigningKey *key, TimestampTz issued_at)
{
	Minting		minting = {.kind = &change_kind,.issued_at = issued_at,.key = key,.tenant = step->tenant};
	JsonView	rules = JsonViewNewArray(1);
	Jsonb	   *stored;

	minting.body = DocumentBegin(&change_kind, step->tenant, issued_at);
	JsonViewSet(&minting.body, "kind", JsonViewCString(step->kind));
	JsonViewSet(&minting.body, "name", JsonViewString(step->name.str, step->name.len));
	JsonViewSet(&minting.body, "revision", JsonViewInteger(step->revision));
	JsonViewSet(&minting.body, "action", JsonViewCString(step->action));
	JsonViewSet(&minting.body, "before", step->before ? JsonViewCString(step->before) : JsonViewNull());
	JsonViewSet(&minting.body, "after", step->after);
	if (step->step.type != JVIEW_ABSENT)
		JsonViewSet(&minting.body, "step", step->step);
	if (step->configs.type != JVIEW_ABSENT)
		JsonViewSet(&minting.body, "configs", step->configs);
	JsonViewAppend(&rules, JsonViewCString(CHANGE_RULE));
	JsonViewSet(&minting.body, "reproduce", ReproduceView(rules, JsonViewNewObject(0), false));
	JsonViewSet(&minting.body, "disclaimer", JsonViewCString(disclaimer));
	stored = DocumentMint(&minting);
	/* makes it visible to what follows in this statement */
	CommandCounterIncrement();
	return stored;
}

/* Mints a document about the present state. */
static void
MintChange(const Change *change, const SigningKey *key, TimestampTz issued_at)
{
	JsonView	kind = JsonViewString(change->kind.str, change->kind.len);
	ChangeStep	step = {.tenant = change->tenant,.name = change->name,.revision = change->revision + 1,
	.before = change->before,.after = change->exists ? change->state : JsonViewNull()};

	step.kind = pnstrdup(change->kind.str, change->kind.len);
	step.action = ActionOf(&kind, change->before == NULL, &step.after);
	(void) MintChangeStep(&step, key, issued_at);
}

static void
MintByActiveKey(const Change *change)
{
	SigningKey	active;
	TimestampTz now;

	SigningKeyBegin(&active, &now);
	MintChange(change, &active, now);
}

/* Returns the digest of a sum of rows, as in a state. */
static char *
SumDigest(Span sum)
{
	uint8		sha256[SHA256_LENGTH];
	char	   *digest = palloc(DIGEST_TEXT_LENGTH + 1);

	Sha256(sum.str, sum.len, sha256);
	strcpy(digest, DIGEST_PREFIX);
	HexEncode(sha256, SHA256_LENGTH, digest + strlen(DIGEST_PREFIX));
	digest[DIGEST_TEXT_LENGTH] = '\0';
	return digest;
}

/* Does the newest document have this sum? */
static bool
NewestHasSum(const Change *change, const char *digest)
{
	JsonView	sum;

	return change->newest.type == JVIEW_OBJECT && JsonViewGetMember(&change->newest, "sum", &sum) &&
		JsonViewStringIs(&sum, digest);
}

/* Does the version grow by one, if there is one? */
static bool
VersionIsNext(const Change *change)
{
	JsonView	before;
	JsonView	after;
	int64		last;
	int64		now;

	if (!change->exists || !JsonViewGetMember(&change->state, "version", &after))
		return true;
	return NumberIntegerBetween(&after, 0, PG_INT64_MAX, &now) &&
		JsonViewGetMember(&change->newest, "version", &before) &&
		NumberIntegerBetween(&before, 0, PG_INT64_MAX, &last) && last < now;
}

/*
 * Records the present sum of rows (row_sum.h), for a function that has changed some of
 * them.  "found" is the sum before that change, or NULL if there was no row of it.  If
 * the newest document has another sum, somebody has changed rows without our functions.
 * The new document then says which sum was found, so it does not follow from the one
 * before, which the audit will always report.  So nobody's edit is signed as regular.
 * "next" is the sum after the change, if other changes may have followed in the same
 * transaction: if it is recorded already, one of them has recorded the rest.
 * "refuse_gap" makes such an edit an error, if it may be an unrecorded change of this
 * transaction.
 */
bool
RecordContent(const text *tenant, const char *kind, Span name, const Span *found, const Span *next, bool refuse_gap)
{
	Change		change = {.tenant = tenant,.kind = SpanOfCString(kind),.name = name};
	char	   *base = found ? SumDigest(*found) : NULL;

	LockChange(tenant, kind, name);
	ReadState(&change);
	ReadNewest(&change);
	if (!IsOutstanding(&change) || (next && NewestHasSum(&change, SumDigest(*next))))
		return false;
	if (change.before && !(base && NewestHasSum(&change, base) && VersionIsNext(&change)))
	{
		JsonView	state = JsonViewNewObject(1);

		if (refuse_gap)
			ereport(ERROR,
					(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
					 errmsg("the %s of tenant \"%s\" cannot be changed by this trigger", kind, text_to_cstring(tenant)),
					 errdetail("No signed record tells of a change before this one, which the transaction may be about to sign."),
					 errhint("Change them outside of a trigger, or before the constraint triggers of the transaction fire.")));
		change.before = NULL;
		if (base)
		{
			JsonViewSet(&state, "sum", JsonViewCString(base));
			change.before = palloc(DIGEST_TEXT_LENGTH + 1);
			CanonicalDigest(&state, NULL, change.before);
		}
	}
	MintByActiveKey(&change);
	return true;
}

/* Records a state that the caller has read; NULL means that the thing was removed. */
bool
RecordState(const text *tenant, const char *kind, Span name, const JsonView *state)
{
	Change		change = {.tenant = tenant,.kind = SpanOfCString(kind),.name = name,.exists = state != NULL};

	LockChange(tenant, kind, name);
	if (state)
	{
		change.state = *state;
		CanonicalDigest(state, NULL, change.digest);
	}
	ReadNewest(&change);
	if (!IsOutstanding(&change))
		return false;
	MintByActiveKey(&change);
	return true;
}

/*
 * Records the present state of a thing, unless the newest document has it.  Without a
 * given key, the active one signs; if none exists, the first one is made.  Runs as the
 * owner.
 */
static bool
RecordOne(const text *tenant, Span kind, Span name, const SigningKey *key, TimestampTz at)
{
	Change		change = {.tenant = tenant,.kind = kind,.name = name};
	SigningKey	active;
	TimestampTz now;

	/* otherwise somebody could have a state signed without the gate */
	if (SpanEqualCString(kind, CHANGE_ENVIRONMENT) || SpanEqualCString(kind, CHANGE_CONFIG) ||
		SpanEqualCString(kind, CHANGE_PROPOSAL))
		return false;
	LockChange(tenant, pnstrdup(kind.str, kind.len), name);
	ReadState(&change);
	ReadNewest(&change);
	if (!IsOutstanding(&change))
		return false;
	if (key == NULL)
	{
		SigningKeyBegin(&active, &now);
		key = &active;
		at = at ? at : now;
	}
	MintChange(&change, key, at);
	return true;
}

/*
 * Records the present state of everything that the query names.  The query finds in one
 * pass what differs from its newest document.  Looking at each thing separately would
 * take as many queries as there are things.
 */
static int
RecordAll(FixedQuery *names, Datum *values, const char *nulls, const SigningKey *key, TimestampTz at)
{
	int			count;
	int			recorded = 0;
	QueryRows	rows = QueryRunLatest(names, values, nulls, 0);

	count = rows.count;
	for (int i = 0; i < count; i++)
	{
		char	   *tenant = ColumnName(rows.table, i, 3);

		CHECK_FOR_INTERRUPTS();
		if (RecordOne(cstring_to_text(tenant ? tenant : ""), ColumnSpan(rows.table, i, 1),
					  ColumnSpan(rows.table, i, 2), key, at))
			recorded++;
	}
	QueryFree(&rows);
	return recorded;
}

/* For functions that change one thing of the operator's.  SPI must be connected. */
bool
RecordChange(const text *tenant, Span kind, Span name)
{
	bool		recorded;

	AS_OWNER(recorded = RecordOne(tenant, kind, name, NULL, 0));
	return recorded;
}

/*
 * Records what happened to keys: see keys_changed.  Looks at all keys, because changes
 * may be unrecorded from when no key was active.
 */
void
RecordKeyChanges(const SigningKey *key, TimestampTz at)
{
	static FixedQuery names = {
		.text = "SELECT s.kind, s.name, s.tenant FROM answer.signing_key k"
		" JOIN answer.change_state s ON s.name OPERATOR(pg_catalog.=) k.key_id"
		" LEFT JOIN (SELECT DISTINCT ON (name) name, after FROM answer.change"
		"  WHERE kind OPERATOR(pg_catalog.=) 'key' ORDER BY name, revision DESC) n"
		"  ON n.name OPERATOR(pg_catalog.=) k.key_id"
		" WHERE s.kind OPERATOR(pg_catalog.=) 'key'"
		"  AND (n.after IS NULL OR s.state OPERATOR(pg_catalog.<>) n.after)"
		" ORDER BY k.status DESC, k.active_from NULLS FIRST, k.key_id"
	};

	if (key == NULL && !SigningKeyExists())
		return;
	AS_OWNER((void) RecordAll(&names, NULL, NULL, key, at));
}

/*
 * the kind change/v1
 */

/* Are the members valid, and are the states consistent? */
static const char *
ChangeClosureProblem(const JsonView *document)
{
	JsonView	kind = JsonViewUnder(document, "kind");
	JsonView	name = JsonViewUnder(document, "name");
	JsonView	revision = JsonViewUnder(document, "revision");
	JsonView	before = JsonViewUnder(document, "before");
	JsonView	after = JsonViewUnder(document, "after");
	PlainNumber plain;

	if (kind.type != JVIEW_STRING || name.type != JVIEW_STRING)
		return "kind or name is no text";
	if (revision.type != JVIEW_NUMBER || !NumberPlain(&revision, &plain) || !plain.is_integer ||
		plain.text[0] == '-' || plain.text[0] == '0')
		return "revision is no integer from 1 on";
	if (before.type != JVIEW_NULL && before.type != JVIEW_STRING)
		return "before is neither a digest nor null";
	if (after.type != JVIEW_NULL && after.type != JVIEW_OBJECT)
		return "after is neither an object nor null";
	if (after.type == JVIEW_NULL && before.type == JVIEW_NULL)
		return "nothing was there before, and nothing is after";
	if (plain.len == 1 && plain.text[0] == '1' && before.type != JVIEW_NULL)
		return "the first revision has something before it";
	return NULL;
}

/* Returns who checks a document's steps; NULL if they follow from the states. */
static const ChangeStepReplay *
StepsOf(const JsonView *document)
{
	JsonView	kind;

	if (!JsonViewGetMember(document, "kind", &kind))
		return NULL;
	if (environment_steps.verify && JsonViewStringIs(&kind, CHANGE_ENVIRONMENT))
		return &environment_steps;
	if (proposal_steps.verify && JsonViewStringIs(&kind, CHANGE_PROPOSAL))
		return &proposal_steps;
	return NULL;
}

/* The action must follow from the states; for an environment or a proposal, from the step. */
static JsonView
VerifyChange(const JsonView *document)
{
	JsonView	kind = JsonViewUnder(document, "kind");
	JsonView	before = JsonViewUnder(document, "before");
	JsonView	after = JsonViewUnder(document, "after");
	JsonView	action = JsonViewUnder(document, "action");

	if (StepsOf(document))
		return StepsOf(document)->verify(document);
	return ReportStep(JsonViewStringIs(&action, ActionOf(&kind, before.type != JVIEW_STRING, &after)) ?
					  NULL : "the action does not follow from the states");
}

static JsonView
ReplayChange(const JsonView *document)
{
	return StepsOf(document) ? StepsOf(document)->replay(document) : VerifyChange(document);
}

static bool
ReadChangeColumns(const JsonView *body, KindColumns *columns)
{
	return JsonViewGetString(body, "action", &columns->verdict);
}

static const char *const change_members[] = {"kind", "name", "revision", "action", "before", "after", NULL};

const DocumentKind change_kind = {
	.schema = CHANGE_SCHEMA,
	.prefix = CHANGE_ID_PREFIX,
	.members = change_members,
	.closure_problem = ChangeClosureProblem,
	.verify_replay = VerifyChange,
	.replay = ReplayChange,
	.read_columns = ReadChangeColumns,
	.keep_hint = "The audit holds the present configuration against them. Change the configuration, and keep what must be forgotten out of names and descriptions."
};

/*
 * SQL
 */

/* answer_change_record(kind, name) */
PG_FUNCTION_INFO_V1(answer_eval_change_record);
Datum
answer_eval_change_record(PG_FUNCTION_ARGS)
{
	/* what comes with the extension and was never changed has no record */
	static FixedQuery names = {
		.text = "SELECT COALESCE(s.kind, n.kind), COALESCE(s.name, n.name), COALESCE(s.tenant, n.tenant)"
		" FROM (SELECT tenant, kind, name, shipped, state FROM answer.change_state"
		"  WHERE ($1 IS NULL OR kind OPERATOR(pg_catalog.=) $1) AND ($2 IS NULL OR name OPERATOR(pg_catalog.=) $2)) s"
		" FULL JOIN (SELECT DISTINCT ON (tenant, kind, name) tenant, kind, name, after FROM answer.change"
		"  WHERE ($1 IS NULL OR kind OPERATOR(pg_catalog.=) $1) AND ($2 IS NULL OR name OPERATOR(pg_catalog.=) $2)"
		"  ORDER BY tenant, kind, name, revision DESC) n"
		"  ON n.tenant OPERATOR(pg_catalog.=) s.tenant AND n.kind OPERATOR(pg_catalog.=) s.kind"
		"  AND n.name OPERATOR(pg_catalog.=) s.name"
		" WHERE CASE WHEN n.kind IS NULL THEN NOT s.shipped WHEN s.kind IS NULL THEN n.after IS NOT NULL"
		"  WHEN n.after IS NULL THEN true ELSE s.state OPERATOR(pg_catalog.<>) n.after END"
		" ORDER BY 1, 2, 3",
		.argtypes = {TEXTOID, TEXTOID}
	};
	Datum		values[2] = {fcinfo->args[0].value, fcinfo->args[1].value};
	char		nulls[] = {PG_ARGISNULL(0) ? 'n' : ' ', PG_ARGISNULL(1) ? 'n' : ' ', '\0'};
	int			recorded;

	RequirePrimary("answer_change_record()");
	if (PG_ARGISNULL(0) && !PG_ARGISNULL(1))
		RequireArgument(fcinfo, 0, "kind");
	RequireOperator("answer_change_record");
	SPI_connect();
	AS_OWNER(recorded = RecordAll(&names, values, nulls, NULL, 0));
	SPI_finish();
	PG_RETURN_INT32(recorded);
}

/* answer.change_record_put(tenant, kind, name): for functions that change one thing */
PG_FUNCTION_INFO_V1(answer_eval_change_record_put);
Datum
answer_eval_change_record_put(PG_FUNCTION_ARGS)
{
	bool		recorded;

	RequireTenant(PG_GETARG_TEXT_PP(0));
	SPI_connect();
	recorded = RecordChange(PG_GETARG_TEXT_PP(0), TextArgument(fcinfo, 1), TextArgument(fcinfo, 2));
	SPI_finish();
	PG_RETURN_BOOL(recorded);
}
