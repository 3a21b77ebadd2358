/*-------------------------------------------------------------------------
 *
 * receipt_columns.c
 *		What the columns beside a document must say.
 *
 * Pure, with a thin edge for SQL: so that a page that lists receipts by their
 * columns can see whether these are still what the document says.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"

#include "base/canonical.h"
#include "document/kind.h"
#include "document/store.h"

static JsonView
SpanView(Span text)
{
	return text.len > 0 ? JsonViewString(text.str, text.len) : JsonViewNull();
}

PG_FUNCTION_INFO_V1(answer_eval_receipt_columns);

Datum
answer_eval_receipt_columns(PG_FUNCTION_ARGS)
{
	KindColumns columns = {0};
	const DocumentKind *kind;
	JsonView	body;
	JsonView	found = JsonViewNewObject(4);

	ReadDocumentJsonb(fcinfo, 0, &body);
	kind = body.type == JVIEW_OBJECT ? FindKindOfDocument(&body) : NULL;
	if (kind == NULL || !kind->read_columns(&body, &columns))
		PG_RETURN_NULL();
	JsonViewSet(&found, "schema", JsonViewCString(kind->schema));
	JsonViewSet(&found, "verdict", SpanView(columns.verdict));
	JsonViewSet(&found, "intent", SpanView(columns.intent));
	JsonViewSet(&found, "degraded", columns.has_degraded ? JsonViewBool(columns.degraded) : JsonViewNull());
	PG_RETURN_JSONB_P(JsonViewToJsonb(&found, false));
}
