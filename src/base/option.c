/*-------------------------------------------------------------------------
 *
 * option.c
 *		The options of a function, given as members of one JSON object.
 *
 * An unknown option, or one with a value that is not allowed, is refused with
 * 22023, and the message names it.  A null option counts as absent.  This
 * module is pure, except that some functions raise errors: those serve the
 * SQL edge.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/numeric.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/option.h"

#define SHOWN_MAX_SIZE	200

/* Raises an error about an option; "seen" is its value, or NULL if that does not help. */
void
OptionRefuse(const char *name, const char *problem, const JsonView *seen)
{
	StringInfoData text;
	int			len;

	initStringInfo(&text);
	if (seen)
		CanonicalWrite(&text, seen, NULL);
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("option \"%s\" %s", name, problem),
			 seen ? errdetail("It is %s.", text.len <= SHOWN_MAX_SIZE ?
							  JsonUtf8ToServer(text.data, text.len, &len) : "too long to be shown") : 0));
}

/* Joins the names for a sentence. */
static char *
NamesListed(const char *const *names)
{
	StringInfoData text;

	initStringInfo(&text);
	for (int i = 0; names[i]; i++)
	{
		if (i > 0)
			appendStringInfoString(&text, names[i + 1] ? ", " : " and ");
		appendStringInfoString(&text, names[i]);
	}
	return text.data;
}

static bool
KeyIsIn(const char *key, int len, const char *const *keys)
{
	for (; *keys; keys++)
	{
		if (strlen(*keys) == (size_t) len && memcmp(*keys, key, len) == 0)
			return true;
	}
	return false;
}

/* Returns true if the object has only these keys; otherwise *unknown is one of the others. */
bool
HasOnlyKeys(const JsonView *object, const char *const *keys, Span *unknown)
{
	int			count = JsonViewCount(object);

	for (int i = 0; i < count; i++)
	{
		Span		key;

		CHECK_FOR_INTERRUPTS();
		(void) JsonViewMember(object, i, &key);
		if (!KeyIsIn(key.str, key.len, keys))
		{
			*unknown = key;
			return false;
		}
	}
	return true;
}

/*
 * Returns the given options.  "names" lists the options that exist, ending with NULL.
 * The hint for an unknown one ends with "more", which may be empty.
 */
JsonView
OptionsOf(Jsonb *given, const char *const *names, const char *more)
{
	JsonView	options;
	Span		unknown;

	JsonViewOfJsonb(given, &options);
	if (options.type != JVIEW_OBJECT)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("options must be an object, and is %s", ShownValue(&options)),
				 errhint("Give {} if there are no options.")));
	if (!HasOnlyKeys(&options, names, &unknown))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("unknown option \"%s\"", TextDatumGetCString(SpanDatum(unknown))),
				 errhint("Options are %s.%s", NamesListed(names), more)));
	return options;
}

/* Returns an option; an absent view if it is missing or null. */
JsonView
OptionGet(const JsonView *options, const char *name)
{
	JsonView	value;

	if (!JsonViewGetMember(options, name, &value) || value.type == JVIEW_NULL)
		value.type = JVIEW_ABSENT;
	return value;
}

/* Is it an integer within bounds? If so, it is stored in *integer. */
bool
OptionIsInteger(const JsonView *value, int least, int most, int *integer)
{
	int64		number;

	if (!NumberIntegerBetween(value, least, most, &number))
		return false;
	*integer = number;
	return true;
}

JsonView
OptionInteger(const JsonView *options, const char *name, int least, int most)
{
	JsonView	value = OptionGet(options, name);
	int			integer;

	if (value.type != JVIEW_ABSENT && !OptionIsInteger(&value, least, most, &integer))
		OptionRefuse(name, psprintf("must be an integer from %d to %d", least, most), &value);
	return value;
}

JsonView
OptionTyped(const JsonView *options, const char *name, JsonViewType type, const char *problem)
{
	JsonView	value = OptionGet(options, name);

	if (value.type != JVIEW_ABSENT && value.type != type)
		OptionRefuse(name, problem, &value);
	return value;
}

/* Does a number fit into a real? A number that would underflow does not. */
static bool
IsReal(Numeric numeric)
{
	float		real = (float) DatumGetFloat8(DirectFunctionCall1(numeric_float8_no_overflow,
																  NumericGetDatum(numeric)));

	return !isinf(real) &&
		(real != 0 || DatumGetBool(DirectFunctionCall2(numeric_eq, NumericGetDatum(numeric),
													   NumericGetDatum(int64_to_numeric(0)))));
}

/* Returns why an array is not an embedding, and the element that is wrong; NULL if it is one. */
const char *
OptionEmbeddingProblem(const JsonView *embedding, JsonView *seen)
{
	for (int i = 0; i < JsonViewCount(embedding); i++)
	{
		Numeric		numeric;

		CHECK_FOR_INTERRUPTS();
		JsonViewElement(embedding, i, seen);
		if (seen->type != JVIEW_NUMBER)
			return psprintf("must be an array of numbers, and element %d is none", i);
		if (!JsonViewNumeric(seen, &numeric) || !IsReal(numeric))
			return psprintf("must be an array of numbers of type real, and element %d is none", i);
	}
	return NULL;
}

/* Returns an option that is an embedding: an array of numbers of type real. */
JsonView
OptionEmbedding(const JsonView *options, const char *name)
{
	JsonView	embedding = OptionTyped(options, name, JVIEW_ARRAY, "must be an array of numbers");
	JsonView	seen;
	const char *problem = OptionEmbeddingProblem(&embedding, &seen);

	if (problem)
		OptionRefuse(name, problem, &seen);
	return embedding;
}

/* Returns it as real[], for a query. */
Datum
OptionEmbeddingDatum(const JsonView *embedding)
{
	int			count = JsonViewCount(embedding);
	Datum	   *numbers = palloc(sizeof(Datum) * (Size) Max(count, 1));

	for (int i = 0; i < count; i++)
	{
		JsonView	element = JsonViewAt(embedding, i);
		Numeric		numeric;

		(void) JsonViewNumeric(&element, &numeric);
		numbers[i] = DirectFunctionCall1(numeric_float4, NumericGetDatum(numeric));
	}
	return PointerGetDatum(construct_array(numbers, count, FLOAT4OID, sizeof(float4), true, TYPALIGN_INT));
}
