/*-------------------------------------------------------------------------
 *
 * catalog.h
 *		Compares the extension's objects in the catalog with those that were
 *		shipped.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_CATALOG_H
#define ANSWER_EVAL_CATALOG_H

#include "log/finding.h"

/* What the audit may do, depending on the state of the catalog. */
typedef struct CatalogFindings
{
	bool		functions_good; /* call the extension's functions */
	bool		may_record;		/* write a row into answer.log_audit */
} CatalogFindings;

extern bool AuditCatalog(Audit *audit, CatalogFindings *findings);

#endif							/* ANSWER_EVAL_CATALOG_H */
