/*-------------------------------------------------------------------------
 *
 * audit_part.h
 *		What each directory adds to an audit.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_AUDIT_PART_H
#define ANSWER_EVAL_AUDIT_PART_H

#include "log/finding.h"

/* Audits a directory's own tables: completely if "whole", otherwise what changed since the last clean audit. */
typedef void (*AuditWalk) (Audit *audit, bool whole, bool functions_good);

/*
 * What one directory adds.  A list ends with NULL, or is NULL.  The queries run only in
 * a whole audit, and look up names in pg_catalog.  Only "walk" may call functions of
 * the extension, and only if functions_good.
 */
typedef struct AuditPart
{
	/* each returns a receipt's id or NULL, a finding, and what is wrong */
	const char *const *queries;

	/*
	 * each returns the name of a kind of rows, in the plural, and tenants with such rows,
	 * which must be registered
	 */
	const char *const *tenants;

	/* each returns such a name and a tenant that may have such rows without being registered */
	const char *const *unregistered;

	/* each returns a table, and name and content of rows that the script inserts: see answer.catalog() */
	const char *const *shipped;

	/*
	 * each returns a relation whose indexes a function creates on request, a pattern
	 * (LIKE) for the indexes' names, and a regular expression for their definitions
	 */
	const char *const *indexes;

	AuditWalk	walk;
} AuditPart;

extern void RegisterAuditPart(const AuditPart *part);

/*
 * Returns the UNION ALL of all queries of one list: AuditPartsUnion(offsetof(AuditPart,
 * shipped)).
 */
extern char *AuditPartsUnion(size_t list);

extern void AuditParts(Audit *audit, bool whole, bool functions_good);

#endif							/* ANSWER_EVAL_AUDIT_PART_H */
