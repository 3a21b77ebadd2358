/*-------------------------------------------------------------------------
 *
 * document.h
 *		Loads documents, and splits them into chunks.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GROUND_DOCUMENT_H
#define ANSWER_EVAL_GROUND_DOCUMENT_H

#include "fmgr.h"

#include "base/span.h"
#include "reading/decision_rules.h"
#include "document/tombstone.h"

/* Maximum bytes of the prefix of an item in an index: a tenant, or a tenant, a slash and a project. */
#define INDEX_TENANT_MAX	63
#define INDEX_SCOPE_MAX		(INDEX_TENANT_MAX + 1 + 255)

/* Maximum bytes of an item in an index. */
#define INDEX_ITEM_MAX		256

extern bool IsIndexScope(const text *scope, int max);

/*
 * Returns the index term for an item of a tenant: a bytea with the tenant's name, a
 * blank and the item, in UTF-8.  A text would be in the server's encoding, which
 * may lack a folded letter, and would sort by a collation.
 */
extern Datum IndexTerm(const text *tenant, Span item);
extern void SearchItems(const DecisionRules *rules, const text *scope, Span content, Span title, Datum *columns);

extern const EraseQueries document_erasing;

/* In DocumentKind.quotes: the addresses of the document, and the digests of its versions, arrays or NULL. */
#define QUOTED_URLS \
	"(SELECT pg_catalog.array_agg(d.url) FROM answer.document d" \
	" WHERE d.tenant OPERATOR(pg_catalog.=) ANY ($3) AND d.doc_id OPERATOR(pg_catalog.=) $1)"
#define QUOTED_DIGESTS \
	"(SELECT pg_catalog.array_agg(d.content_hash) FROM answer.document d" \
	" WHERE d.tenant OPERATOR(pg_catalog.=) r.tenant AND d.doc_id OPERATOR(pg_catalog.=) $1)"

#endif							/* ANSWER_EVAL_GROUND_DOCUMENT_H */
