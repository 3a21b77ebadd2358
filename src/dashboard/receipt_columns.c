/*-------------------------------------------------------------------------
 *
 * receipt_columns.c
 *		Computes what the columns of a stored document must be.
 *
 * Pure, with a thin SQL interface.  A page that lists receipts by their columns can so check
 * whether the columns still agree with the document.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "access/detoast.h"
#include "fmgr.h"
#include "utils/builtins.h"
#include "utils/numeric.h"

#include "base/canonical.h"
#include "document/kind.h"
#include "document/signed.h"
#include "document/store.h"

/* Returns a member of the document; null if there is none. */
static JsonView
MemberOrNull(const JsonView *body, const char *name)
{
	JsonView	member;

	return JsonViewGetMember(body, name, &member) ? member : JsonViewNull();
}

/* Returns the number that to_jsonb() makes of a double; null if JSON has no such number. */
static JsonView
DoubleView(double value)
{
	char	   *text;

	if (isnan(value) || isinf(value))
		return JsonViewNull();
	text = DatumGetCString(DirectFunctionCall1(float8out, Float8GetDatum(value)));
	return JsonViewOfNumeric(DatumGetNumeric(DirectFunctionCall3(numeric_in, CStringGetDatum(text),
																 ObjectIdGetDatum(InvalidOid), Int32GetDatum(-1))));
}

PG_FUNCTION_INFO_V1(answer_eval_receipt_columns);

Datum
answer_eval_receipt_columns(PG_FUNCTION_ARGS)
{
	KindColumns columns = {.reads_no_texts = true};
	const DocumentKind *kind;
	Span		key_id = {"", 0};
	JsonView	body;
	JsonView	tenant;
	JsonView	found = JsonViewNewObject(9);

	ReadDocumentJsonb(fcinfo, 0, &body);
	kind = body.type == JVIEW_OBJECT ? FindKindOfDocument(&body) : NULL;
	if (kind == NULL || !kind->read_columns(&body, &columns) || !ReceiptKeyId(&body, &key_id))
		PG_RETURN_NULL();
	JsonViewSet(&found, "receipt_id", MemberOrNull(&body, "receipt_id"));
	JsonViewSet(&found, "tenant", JsonViewGetMember(&body, "tenant", &tenant) ? tenant : JsonViewCString(""));
	JsonViewSet(&found, "schema", JsonViewCString(kind->schema));
	JsonViewSet(&found, "issued_at", MemberOrNull(&body, "issued_at"));
	JsonViewSet(&found, "verdict", SpanViewOrNull(columns.verdict));
	JsonViewSet(&found, "confidence", columns.has_confidence ? DoubleView(columns.confidence) : JsonViewNull());
	JsonViewSet(&found, "degraded", columns.has_degraded ? JsonViewBool(columns.degraded) : JsonViewNull());
	JsonViewSet(&found, "intent", SpanViewOrNull(columns.intent));
	JsonViewSet(&found, "key_id", SpanViewOrNull(key_id));
	PG_RETURN_JSONB_P(JsonViewToJsonb(&found, false));
}

/* Reads the size from the header of a value, without detoasting it. */
PG_FUNCTION_INFO_V1(answer_eval_document_size);

Datum
answer_eval_document_size(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT64((int64) toast_raw_datum_size(PG_GETARG_DATUM(0)) - VARHDRSZ);
}
