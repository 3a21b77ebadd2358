/*-------------------------------------------------------------------------
 *
 * audit_part.c
 *		What each directory adds to an audit.
 *
 * Only a table's own directory and those above it know the table.  So each directory
 * says how the audit checks its tables, and module.c registers these parts when the
 * library is loaded.
 *
 * Promises: parts are audited in the order in which they were registered.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "lib/stringinfo.h"

#include "log/audit_part.h"

#define MAX_PARTS	16

static const AuditPart *parts[MAX_PARTS];
static int	nparts = 0;

void
RegisterAuditPart(const AuditPart *part)
{
	Assert(nparts < MAX_PARTS);
	parts[nparts++] = part;
}

char *
AuditPartsUnion(size_t list)
{
	StringInfoData all;

	initStringInfo(&all);
	for (int i = 0; i < nparts; i++)
	{
		const char *const *query = *(const char *const *const *) ((const char *) parts[i] + list);

		for (; query && *query; query++)
			appendStringInfo(&all, "%s%s", all.len > 0 ? " UNION ALL " : "", *query);
	}
	return all.data;
}

/*
 * Reports rows of tenants that are not registered.  Nobody can read them, because nobody
 * can be granted such a tenant.
 */
static void
AuditTenants(Audit *audit)
{
	AuditForEachRow(audit,
					psprintf("SELECT NULL, 'configuration', format('there are %%s of tenant \"%%s\", which is not in answer.tenant', o.what, o.tenant)"
							 " FROM (%s) o (what, tenant) WHERE o.tenant <> '' AND NOT EXISTS (SELECT FROM answer.tenant t WHERE t.tenant = o.tenant)"
							 " AND NOT EXISTS (SELECT FROM (%s) u (what, tenant) WHERE u.what = o.what AND u.tenant = o.tenant)"
							 " ORDER BY o.tenant COLLATE \"C\", o.what",
							 AuditPartsUnion(offsetof(AuditPart, tenants)), AuditPartsUnion(offsetof(AuditPart, unregistered))),
					0, NULL, AuditReportRow);
}

void
AuditParts(Audit *audit, bool whole, bool functions_good)
{
	for (int i = 0; i < nparts; i++)
		parts[i]->walk(audit, whole, functions_good);
	if (!whole)
		return;
	for (int i = 0; i < nparts; i++)
	{
		for (const char *const *query = parts[i]->queries; query && *query; query++)
			AuditForEachRow(audit, *query, 0, NULL, AuditReportRow);
	}
	AuditTenants(audit);
}
