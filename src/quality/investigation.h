/*-------------------------------------------------------------------------
 *
 * investigation.h
 *		The SQL functions that grade, record and close investigations.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_INVESTIGATION_H
#define ANSWER_EVAL_INVESTIGATION_H

#include "catalog/pg_type.h"

#include "base/jsonview.h"
#include "base/span.h"
#include "base/spi_query.h"

/* The content of an entry, in portable UTF-8: what was observed, and about what. */
typedef struct EntryContent
{
	Span		tool;
	Span		query;
	Span		target;
	Span		run;
} EntryContent;

/* Reads the columns that LockInvestigation needs, with the given locking clause. */
#define INVESTIGATION_QUERY(locking) \
	{ \
		.text = "SELECT outcome, opened_by FROM answer.investigation" \
		" WHERE investigation OPERATOR(pg_catalog.=) $1 AND tenant OPERATOR(pg_catalog.=) $2" locking, \
		.argtypes = {INT8OID, TEXTOID} \
	}

extern bool LockInvestigation(FixedQuery *query, const text *tenant, int64 investigation, Oid user,
							  Datum *outcome);
extern void EntryAddress(const EntryContent *entry, const JsonView *observation, uint8 *address);

#endif							/* ANSWER_EVAL_INVESTIGATION_H */
