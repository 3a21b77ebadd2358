/*-------------------------------------------------------------------------
 *
 * document.h
 *		Documents as they are given, in chunks.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GROUND_DOCUMENT_H
#define ANSWER_EVAL_GROUND_DOCUMENT_H

#include "fmgr.h"

#include "base/span.h"
#include "reading/decision_rules.h"
#include "document/tombstone.h"

/* Bytes of what stands before an item: a tenant, or a tenant, a slash and a project. */
#define INDEX_TENANT_MAX	63
#define INDEX_SCOPE_MAX		(INDEX_TENANT_MAX + 1 + 255)

/* Bytes of an item that an index has. */
#define INDEX_ITEM_MAX		256

extern bool IsIndexScope(const text *scope, int max);

/*
 * Returns what an item of a tenant is in an index: a bytea of the tenant's name, a
 * blank and itself, in UTF-8. A text would be of the server's encoding, in which a
 * folded letter may be missing, and sort by a collation.
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
