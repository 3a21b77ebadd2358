/*-------------------------------------------------------------------------
 *
 * catalog.h
 *		The extension's own objects, as the catalog has them and as they were shipped.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_CATALOG_H
#define ANSWER_EVAL_CATALOG_H

#include "log/finding.h"

/* What may be done, as far as the catalog is what was shipped. */
typedef struct CatalogFindings
{
	bool		functions_good; /* call the extension's functions */
	bool		may_record;		/* write a row into answer.log_audit */
} CatalogFindings;

extern bool AuditCatalog(Audit *audit, CatalogFindings *findings);

#endif							/* ANSWER_EVAL_CATALOG_H */
