/*-------------------------------------------------------------------------
 *
 * audit_part.h
 *		What directories above this one add to an audit.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_AUDIT_PART_H
#define ANSWER_EVAL_AUDIT_PART_H

#include "log/finding.h"

/* Looks at a directory's own tables: of a whole audit at all of them, of another at what has changed since the last clean one. */
typedef void (*AuditWalk) (Audit *audit, bool whole, bool functions_good);

/*
 * What one directory adds.  Lists end with NULL, or are NULL.  Queries are of a
 * whole audit, find names in pg_catalog, and call functions of the extension only in
 * a walk, and there only if they are good.
 */
typedef struct AuditPart
{
	/* each gives a receipt's id or NULL, a finding, and what is wrong */
	const char *const *queries;

	/* each gives what rows are, in the plural, and tenants that have some: they must be registered */
	const char *const *tenants;

	/* each gives such a plural and a tenant that needs not be registered to have some */
	const char *const *unregistered;

	/* each gives a table, and the name and content of rows that the script puts there: see answer.catalog() */
	const char *const *shipped;

	/*
	 * each gives a relation, and of indexes of it that a function makes on request a
	 * pattern (LIKE) for their names and a regular expression for what they are
	 */
	const char *const *indexes;

	AuditWalk	walk;
} AuditPart;

extern void RegisterAuditPart(const AuditPart *part);

/* All queries of one list, as one: AuditPartsUnion(offsetof(AuditPart, shipped)). */
extern char *AuditPartsUnion(size_t list);

extern void AuditParts(Audit *audit, bool whole, bool functions_good);

#endif							/* ANSWER_EVAL_AUDIT_PART_H */
