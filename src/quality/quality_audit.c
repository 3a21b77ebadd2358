/*-------------------------------------------------------------------------
 *
 * quality_audit.c
 *		The audit of investigations and of the rules of evidence quality.
 *
 * An entry is named by what was recorded and how it was graded.  Signed assessments state what
 * the entries and the investigation were.
 *
 * Promises: those of log/audit.c, because it is part of an audit.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/sha256.h"
#include "evidence/grade.h"
#include "log/log_table.h"
#include "quality/quality_audit.h"

/* Is an entry what a shipped grader makes of its observation? */
static bool
IsGraded(const AuditRow *row, const Grade *grade)
{
	return SpanEqualCString(RowSpan(row, 9), quality_labels[grade->quality]) &&
		SpanEqualCString(RowSpan(row, 11), strength_labels[grade->strength]) &&
		SpanEqualCString(RowSpan(row, 12), grade->class_name) &&
		SpanEqualCString(RowSpan(row, 13), grade->reason) &&
		TupleInt64(row->tuple, row->desc, 14) == grade->match_count &&
		TupleInt64(row->tuple, row->desc, 15) == grade->exact_match_count &&
		SpanEqualCString(RowSpan(row, 16), grade->is_phrase ? "true" : "false");
}

/* Returns what is wrong with an investigation's entry, or NULL. */
static const char *
EntryProblem(const AuditRow *row)
{
	static const char *const members[] = {"tool", "query", "target", "run"};
	JsonView	content = JsonViewNewObject(5);
	JsonView	observation;
	Span		entry = TupleBytes(row->tuple, row->desc, 2);
	uint8		address[SHA256_LENGTH];
	char		digest[DIGEST_TEXT_LENGTH + 1];
	Grade		grade;
	GradeError	error;

	if (!RowView(row, 8, &observation))
		return "is nothing that can be recorded";
	for (size_t i = 0; i < lengthof(members); i++)
	{
		Span		member = RowSpan(row, 3 + i);

		JsonViewSet(&content, members[i], JsonViewString(member.str, member.len));
	}
	JsonViewSet(&content, "observation", observation);
	CanonicalSha256(&content, NULL, address);
	CanonicalDigest(&observation, NULL, digest);
	if (entry.len != SHA256_LENGTH || memcmp(entry.str, address, SHA256_LENGTH) != 0 ||
		!SpanEqualCString(RowSpan(row, 7), digest))
		return "is not what was recorded";
	/* the result of a user's own grader cannot be recomputed */
	if (RowString(row, 10) != NULL || !GradeIsShipped(RowSpan(row, 3)))
		return NULL;
	return GradeObservation(RowSpan(row, 3), &observation, &grade, &error) == GRADE_OK && IsGraded(row, &grade) ? NULL :
		"is graded otherwise than its observation";
}

static void
AuditEntry(Audit *audit, AuditRow *row)
{
	const char *problem = EntryProblem(row);

	if (problem)
		AuditReport(audit, -1, NULL, "changed",
					psprintf("entry %s of investigation %s %s", RowString(row, 7),
							 RowString(row, 1), problem));
}

static const char *const queries[] = {
	"SELECT NULL, 'extra', format('a compatibility of class %s, which is not registered', c.class) FROM answer.quality_compatibility c"
	" WHERE NOT EXISTS (SELECT FROM answer.quality_class q WHERE q.class = c.class) ORDER BY c.class COLLATE \"C\"",
	/* it was not registered together with its tool, and would count as soon as the tool is registered */
	"SELECT NULL, 'extra', format('an authority of tool %s, which is not registered', a.tool) FROM answer.quality_authority a"
	" WHERE NOT EXISTS (SELECT FROM answer.quality_tool t WHERE t.tool = a.tool AND t.tenant = '') ORDER BY a.tool COLLATE \"C\"",
	"SELECT NULL, 'extra', format('entry %s is of investigation %s, which is not there', e.digest, e.investigation) FROM answer.quality_entry e"
	" LEFT JOIN answer.investigation i ON i.tenant = e.tenant AND i.investigation = e.investigation WHERE i.investigation IS NULL"
	" ORDER BY e.investigation, e.digest",
	/* a signed assessment contains everything that it rests on */
	"SELECT r.receipt_id, CASE WHEN i.investigation IS NULL THEN 'missing' ELSE 'changed' END, format('investigation %s %s', r.body #>> '{investigation,id}',"
	"  CASE WHEN i.investigation IS NULL THEN 'is gone, of which there is an assessment' ELSE 'is not what was assessed' END)"
	" FROM answer.receipt r LEFT JOIN answer.investigation i ON i.tenant = r.tenant AND i.investigation::text = r.body #>> '{investigation,id}'"
	" WHERE r.schema = 'quality/v1' AND r.body ->> 'schema' = 'quality/v1' AND r.body #>> '{investigation,id}' IS NOT NULL"
	" AND (i.investigation IS NULL OR (i.intent, i.question, i.subject, to_char(i.opened_at AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"'))"
	"  IS DISTINCT FROM (r.body #>> '{investigation,intent}', r.body #>> '{investigation,question}', r.body #>> '{investigation,subject}',"
	"   r.body #>> '{investigation,opened_at}')) ORDER BY r.receipt_id",
	"SELECT r.receipt_id, CASE WHEN q.entry IS NULL THEN 'missing' ELSE 'changed' END, format('entry %s of investigation %s %s', e.value ->> 'digest',"
	"  r.body #>> '{investigation,id}', CASE WHEN q.entry IS NULL THEN 'is gone, on which an assessment rests' ELSE 'is not what was assessed' END)"
	" FROM answer.receipt r CROSS JOIN LATERAL jsonb_array_elements(CASE jsonb_typeof(r.body -> 'entries') WHEN 'array' THEN r.body -> 'entries' ELSE '[]' END) e"
	" LEFT JOIN answer.quality_entry q ON q.tenant = r.tenant AND q.investigation::text = r.body #>> '{investigation,id}' AND q.digest = e.value ->> 'digest'"
	"  AND q.tool = e.value ->> 'tool' AND q.query = e.value ->> 'query' AND q.target = e.value ->> 'target' AND q.run = e.value ->> 'run'"
	" WHERE r.schema = 'quality/v1' AND r.body ->> 'schema' = 'quality/v1' AND r.body #>> '{investigation,id}' IS NOT NULL"
	" AND (q.entry IS NULL OR (q.class, q.quality::text, q.strength::text, q.reason, to_jsonb(q.sources), q.match_count::text, q.exact_match_count::text, q.phrase_match::text,"
	"   to_char(q.recorded_at AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"'))"
	"  IS DISTINCT FROM (e.value ->> 'class', e.value ->> 'quality', e.value ->> 'strength', e.value ->> 'reason', e.value -> 'sources', e.value ->> 'match_count',"
	"   e.value ->> 'exact_match_count', e.value ->> 'phrase_match', e.value ->> 'recorded_at')) ORDER BY r.receipt_id, e.value ->> 'digest'",
	NULL
};

static const char *const tenants[] = {
	"SELECT DISTINCT 'investigations', tenant FROM answer.investigation",
	NULL
};

static const char *const shipped[] = {
	"SELECT 'quality_class', to_jsonb(t.class), to_jsonb(t)::text FROM answer.quality_class t WHERE t.seed",
	"SELECT 'quality_tool', to_jsonb(t.tool), to_jsonb(t)::text FROM answer.quality_tool t WHERE t.seed",
	"SELECT 'quality_authority', jsonb_build_array(t.tool, t.observation), to_jsonb(t)::text FROM answer.quality_authority t WHERE t.seed",
	"SELECT 'quality_compatibility', jsonb_build_array(t.class, t.with_class, t.same_tool), to_jsonb(t)::text"
	" FROM answer.quality_compatibility t WHERE t.seed",
	"SELECT 'quality_intent', to_jsonb(t.intent), to_jsonb(t)::text FROM answer.quality_intent t WHERE t.seed",
	"SELECT 'quality_requirement', jsonb_build_array(t.intent, t.class), to_jsonb(t)::text FROM answer.quality_requirement t WHERE t.seed",
	"SELECT 'quality_question_form', to_jsonb(t.word), to_jsonb(t)::text FROM answer.quality_question_form t WHERE t.seed",
	NULL
};

static void
AuditEntries(Audit *audit, bool whole, bool functions_good)
{
	if (!whole)
		return;
	AuditForEachRow(audit,
					"SELECT e.investigation, e.entry, e.tool, e.query, e.target, e.run, e.digest, e.observation,"
					" e.quality::text, (SELECT t.grader FROM answer.quality_tool t WHERE t.tool = e.tool"
					"  AND t.tenant IN (e.tenant, '') ORDER BY t.tenant LIMIT 1), e.strength::text, e.class, e.reason, e.match_count, e.exact_match_count,"
					" e.phrase_match::text FROM answer.quality_entry e",
					0, NULL, AuditEntry);
}

const AuditPart quality_audit = {
	.queries = queries,
	.tenants = tenants,
	.shipped = shipped,
	.walk = AuditEntries
};
