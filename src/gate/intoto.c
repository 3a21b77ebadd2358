/*-------------------------------------------------------------------------
 *
 * intoto.c
 *		A run as an in-toto statement of a test result.
 *
 * Rule: in-toto's predicate test-result/v0.1 in a Statement v1, in a DSSE envelope like those
 * of receipts (dsse.c).  The subject of the test is the configuration; suite, engine and run
 * are its test configuration.
 *
 * Promises: what is signed was verified in the same call.  The result is that of the shipped
 * gate: PASSED, FAILED, or WARNED if it is inconclusive.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "executor/spi.h"
#include "miscadmin.h"

#include "base/canonical.h"
#include "base/snapshot.h"
#include "base/spi_query.h"
#include "document/dsse.h"
#include "document/signed.h"
#include "gate/suite_case.h"

#define PREDICATE_TYPE	"https://in-toto.io/attestation/test-result/v0.1"

/* Returns a ResourceDescriptor: a name and a digest. */
static JsonView
Resource(const char *name, Span digest)
{
	JsonView	resource = JsonViewNewObject(2);
	JsonView	digests = JsonViewNewObject(1);
	int			prefix = (int) strlen(DIGEST_PREFIX);

	if (digest.len > prefix)
		digest = SpanOf(digest.str + prefix, digest.len - prefix);
	JsonViewSet(&digests, "sha256", JsonViewString(digest.str, digest.len));
	JsonViewSet(&resource, "name", JsonViewCString(name));
	JsonViewSet(&resource, "digest", digests);
	return resource;
}

static JsonView
ResultPredicate(const JsonView *run, const char *digest)
{
	JsonView	predicate = JsonViewNewObject(5);
	JsonView	configuration = JsonViewNewArray(3);
	JsonView	passed = JsonViewNewArray(16);
	JsonView	failed = JsonViewNewArray(16);
	JsonView	suite = JsonViewUnder(run, "suite");
	JsonView	cases = JsonViewUnder(run, "cases");
	Span		verdict = JsonViewMemberText(run, "verdict");
	Span		name;

	name = JsonViewMemberText(&suite, "name");
	JsonViewAppend(&configuration, Resource(psprintf("suite %.*s", name.len, name.str), JsonViewMemberText(&suite, "digest")));
	JsonViewAppend(&configuration, Resource("engine", JsonViewMemberText(run, "engine_digest")));
	name = JsonViewMemberText(run, "receipt_id");
	JsonViewAppend(&configuration, Resource(psprintf("run %.*s", name.len, name.str), SpanOfCString(digest)));
	for (int i = 0; cases.type == JVIEW_ARRAY && i < JsonViewCount(&cases); i++)
	{
		JsonView	row = JsonViewAt(&cases, i);
		Span		id;

		CHECK_FOR_INTERRUPTS();
		id = JsonViewMemberText(&row, "id");
		JsonViewAppend(JsonViewMemberIsTrue(&row, "passed") ? &passed : &failed, JsonViewString(id.str, id.len));
	}
	JsonViewSet(&predicate, "result", JsonViewCString(SpanEqualCString(verdict, "pass") ? "PASSED" :
													  SpanEqualCString(verdict, "fail") ? "FAILED" : "WARNED"));
	JsonViewSet(&predicate, "configuration", configuration);
	JsonViewSet(&predicate, "passedTests", passed);
	JsonViewSet(&predicate, "warnedTests", JsonViewNewArray(0));
	JsonViewSet(&predicate, "failedTests", failed);
	return predicate;
}

/* answer.run_intoto(run): the run was verified before */
PG_FUNCTION_INFO_V1(answer_eval_run_intoto);
Datum
answer_eval_run_intoto(PG_FUNCTION_ARGS)
{
	MemoryContext caller = CurrentMemoryContext;
	JsonView	statement = JsonViewNewObject(4);
	JsonView	subjects = JsonViewNewArray(1);
	JsonView	run;
	StringInfoData payload;
	char		digest[DIGEST_TEXT_LENGTH + 1];

	/* a standby may not know yet that a key is no longer valid */
	RequireNoStandby("answer_run_intoto()");
	JsonViewOfJsonb(PG_GETARG_JSONB_P(0), &run);
	ReceiptDigestText(&run, digest);
	JsonViewAppend(&subjects, Resource("configuration", JsonViewMemberText(&run, "config_digest")));
	JsonViewSet(&statement, "_type", JsonViewCString(STATEMENT_TYPE));
	JsonViewSet(&statement, "subject", subjects);
	JsonViewSet(&statement, "predicateType", JsonViewCString(PREDICATE_TYPE));
	JsonViewSet(&statement, "predicate", ResultPredicate(&run, digest));
	SPI_connect();
	initStringInfo(&payload);
	CanonicalWrite(&payload, &statement, NULL);
	statement = DsseEnvelope(&payload);
	return FinishWithView(&statement, false, caller);
}
