/*-------------------------------------------------------------------------
 *
 * reading_explain.c
 *		Shows how a text was read.
 *
 * Every verdict on words (a similarity, a conflict between copies, the status of a sentence) depends
 * on these sentences, items, values and names.  So a user who doubts a verdict can check what was
 * read.  Rule: doc/spec/reading.md §2 to §8.
 *
 * Items are shown as they are compared, in code-point order; values and names in order of position,
 * names as they are written.  Positions are bytes of the text in UTF-8, end exclusive.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "miscadmin.h"

#include "utils/fmgrprotos.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/limits.h"
#include "base/numbers.h"
#include "reading/reading_explain.h"

static JsonView
ItemsView(const Reading *reading, const ReadSentence *sentence)
{
	JsonView	items = JsonViewNewArray(sentence->nitems);
	Span	   *texts = palloc_extended(Max((Size) sentence->nitems, 1) * sizeof(Span), MCXT_ALLOC_HUGE);

	for (int i = 0; i < sentence->nitems; i++)
		texts[i] = ReaderItem(reading->reader, reading->sentence_items[sentence->first_item + i]).text;
	if (sentence->nitems > 1)
		qsort(texts, sentence->nitems, sizeof(Span), SpanOrderItems);
	for (int i = 0; i < sentence->nitems; i++)
		JsonViewAppend(&items, SpanView(texts[i]));
	pfree(texts);
	return items;
}

/* Returns a plain decimal as a number, or as a string if some readers would round it. */
static JsonView
NumberView(Span number)
{
	if (number.len > LONG_NUMBER_DIGITS)
		return SpanView(number);
	return JsonViewOfNumeric(NumberOfLiteral(pnstrdup(number.str, number.len)));
}

static JsonView
ValuesView(const Reading *reading, const ReadSentence *sentence)
{
	JsonView	values = JsonViewNewArray(sentence->nvalues);

	for (int i = 0; i < sentence->nvalues; i++)
	{
		const ReadValue *value = &reading->values[sentence->first_value + i];
		JsonView	entry = JsonViewNewObject(2);

		JsonViewSet(&entry, "value", NumberView(value->number));
		JsonViewSet(&entry, "unit", value->unit == VALUE_NO_UNIT ? JsonViewNull() :
					SpanView(WritableName(ReaderUnitName(reading->reader, value->unit))));
		JsonViewAppend(&values, entry);
	}
	return values;
}

static JsonView
NamesView(const Reading *reading, const ReadSentence *sentence)
{
	JsonView	names = JsonViewNewArray(sentence->nnames);

	for (int i = 0; i < sentence->nnames; i++)
		JsonViewAppend(&names, SpanView(ReadNameSource(reading, &reading->names[sentence->first_name + i])));
	return names;
}

static JsonView
SentenceView(const Reading *reading, int number)
{
	const ReadSentence *sentence = &reading->sentences[number];
	JsonView	view = JsonViewNewObject(8);

	JsonViewSet(&view, "text", SpanView(ReadSentenceText(reading, number)));
	JsonViewSet(&view, "start", JsonViewInteger(sentence->begin));
	JsonViewSet(&view, "end", JsonViewInteger(sentence->end));
	JsonViewSet(&view, "items", ItemsView(reading, sentence));
	JsonViewSet(&view, "values", ValuesView(reading, sentence));
	JsonViewSet(&view, "names", NamesView(reading, sentence));
	JsonViewSet(&view, "negated", JsonViewBool(sentence->negated));
	JsonViewSet(&view, "asks", JsonViewBool(sentence->asks));
	return view;
}

/*
 * Returns {"sentences": [{"text", "start", "end", "items", "values", "names",
 * "negated", "asks"}]}, with pointers into the reading.
 */
static JsonView
ReadingView(const Reading *reading)
{
	JsonView	sentences = JsonViewNewArray(reading->nsentences);
	JsonView	view = JsonViewNewObject(1);

	for (int i = 0; i < reading->nsentences; i++)
	{
		CHECK_FOR_INTERRUPTS();
		JsonViewAppend(&sentences, SentenceView(reading, i));
	}
	JsonViewSet(&view, "sentences", sentences);
	return view;
}

/*
 * SQL
 */

PG_FUNCTION_INFO_V1(answer_eval_reading);

Datum
answer_eval_reading(PG_FUNCTION_ARGS)
{
	Reader	   *reader;
	JsonView	view;

	RequireArgument(fcinfo, 0, "text");
	LimitArgument(fcinfo, 0, DOCUMENT_MAX_SIZE, "text");
	reader = ReaderBegin(DecisionRulesArgument(fcinfo, 1));
	view = ReadingView(ReadText(reader, TextArgument(fcinfo, 0)));
	PG_RETURN_JSONB_P(JsonViewToJsonb(&view, false));
}
