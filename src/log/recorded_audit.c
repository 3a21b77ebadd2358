/*-------------------------------------------------------------------------
 *
 * recorded_audit.c
 *		The audit of readings, judgements and entries of investigations, as
 *		recorded.c lists them.
 *
 * A row on a list is compared with the list.  A row on no list must have been stored by
 * our functions.  Its code shows that, if its key is here (keys/row_mac.c).  A standby or
 * a copy may have no private key of its own: there the audit counts the rows that it
 * cannot decide on.  A database that has its own keys signs verdicts over such rows, so
 * there each of them is a finding.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "executor/spi.h"

#include "keys/keyring.h"
#include "log/recorded.h"
#include "log/recorded_audit.h"

/*
 * Finds listed rows (recorded.c) that are changed or missing and were not forgotten; for a
 * judgement, the tombstone is that of its receipt or document.  Rows without a finding are
 * on no list; the last column says whether they are older than what the lists cover.
 */
static const char recorded_query[] =
"WITH apart AS MATERIALIZED (SELECT l.item AS listed, r.* FROM"
"  (SELECT substring(c.items, 1 + 24 * i, 24) AS item FROM answer.recorded_rows c, LATERAL generate_series(0, length(c.items) / 24 - 1) i) l"
"  FULL JOIN answer.recordable r ON r.item = l.item WHERE r.item IS NULL OR l.item IS NULL)"
"(SELECT NULL, 'missing', CASE get_byte(m.item, 0) WHEN 1 THEN format('reading sha256:%s... is gone', encode(substring(m.item, 2, 8), 'hex'))"
"  WHEN 2 THEN format('a judgement of pair sha256:%s... is gone, or is not what it was', encode(substring(m.item, 2, 8), 'hex'))"
"  WHEN 3 THEN format('an entry of investigation %s is gone, or is not what it was', rtrim(encode(substring(m.item, 2, 8), 'escape')))"
"  WHEN 4 THEN format('investigation %s is gone, or its question is not what it was', rtrim(encode(substring(m.item, 2, 8), 'escape')))"
"  ELSE format('the end of investigation %s is not what it was', rtrim(encode(substring(m.item, 2, 8), 'escape'))) END"
"  || ', which a sealing has listed', NULL::text, NULL::bytea, NULL::bytea, NULL::timestamptz, NULL::text, NULL::boolean"
" FROM (SELECT a.listed AS item FROM apart a WHERE a.listed IS NOT NULL"
"  EXCEPT (SELECT answer.recorded_reading(t.tenant, t.digest) FROM answer.tombstone t WHERE t.receipt_id IS NULL"
"   UNION ALL SELECT decode(CASE WHEN j.value ~ '^[0-9a-f]{48}$' THEN j.value END, 'hex') FROM answer.tombstone t, LATERAL jsonb_array_elements_text("
"    CASE jsonb_typeof(t.body -> 'judgements') WHEN 'array' THEN t.body -> 'judgements' ELSE '[]' END) j)) m ORDER BY m.item)"
" UNION ALL (SELECT NULL, NULL, NULL, a.of_table, a.digest, a.mac, a.recorded_at, a.name,"
"  a.recorded_at <= (SELECT max(c.covered_until) FROM answer.recorded_rows c) FROM apart a WHERE a.listed IS NULL ORDER BY a.name)";

/* What was found about the rows that are on no list. */
typedef struct UnlistedRows
{
	RowKeys		keys;
	bool		has_own_keys;	/* has this database keys of its own, so that its rows have codes under them? */
} UnlistedRows;

/* Reports a row on no list that our functions have not stored, or of which nobody can tell. */
static void
ReportUnproved(Audit *audit, const AuditRow *row, RowMacStatus status)
{
	const char *problem = "is not what was recorded, or was written by hand";
	const char *finding = "key";

	switch (status)
	{
		case ROW_MAC_ABSENT:
			problem = "was written by hand: it has nothing that tells that it was recorded";
			finding = "extra";
			break;
		case ROW_MAC_AWAY:
			problem = "was recorded under a key whose file is not here or cannot be used, and no sealing has listed it:"
				" put the file back, and call answer_log_seal()";
			break;
		case ROW_MAC_ELSEWHERE:
			problem = "was recorded by the database that this one is a copy of, and no sealing had listed it:"
				" seal before you dump, or copy";
			break;
		case ROW_MAC_COMPROMISED:
			problem = "says that it was recorded after its key was compromised, and no sealing has listed it";
			break;
		default:
			finding = "changed";
	}
	AuditReport(audit, -1, NULL, finding, psprintf("answer.%s: %s %s", RowString(row, 4), RowString(row, 8), problem));
}

static void
AuditRecorded(Audit *audit, AuditRow *row)
{
	UnlistedRows *unlisted = row->state;
	RowMacStatus status;
	bool		isnull;

	if (RowString(row, 2))
	{
		AuditReportRow(audit, row);
		return;
	}
	audit->unlisted++;
	if (DatumGetBool(RowDatum(row, 9, &isnull)) && !isnull)
		audit->unlisted_older++;
	status = RecordedStatus(&unlisted->keys, row->tuple, row->desc, 4);
	if (status == ROW_MAC_ELSEWHERE && !unlisted->has_own_keys)
		audit->unlisted_unproved++;
	else if (status != ROW_MAC_GOOD)
		ReportUnproved(audit, row, status);
}

void
AuditRecordedRows(Audit *audit)
{
	UnlistedRows unlisted = {.keys = {.context = audit->context}};
	SigningKey	key;

	unlisted.has_own_keys = SigningFolderFind(&key);
	audit->unlisted = 0;
	AuditForEachRowAsOwner(audit, recorded_query, AuditRecorded, &unlisted);
}
