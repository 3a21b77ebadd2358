/*-------------------------------------------------------------------------
 *
 * numbers.h
 *		Exact arithmetic with the server's numeric, without the detour by Datum.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_NUMBERS_H
#define ANSWER_EVAL_NUMBERS_H

#include "utils/builtins.h"
#include "utils/numeric.h"

static inline int
NumberCompare(Numeric a, Numeric b)
{
	return DatumGetInt32(DirectFunctionCall2(numeric_cmp, NumericGetDatum(a), NumericGetDatum(b)));
}

/* Calls numeric_add and its like. */
static inline Numeric
NumberCall(PGFunction function, Numeric a, Numeric b)
{
	return DatumGetNumeric(DirectFunctionCall2(function, NumericGetDatum(a), NumericGetDatum(b)));
}

static inline Numeric
NumberNegate(Numeric a)
{
	return DatumGetNumeric(DirectFunctionCall1(numeric_uminus, NumericGetDatum(a)));
}

static inline Numeric
NumberMax(Numeric a, Numeric b)
{
	return NumberCompare(a, b) >= 0 ? a : b;
}

static inline Numeric
NumberMin(Numeric a, Numeric b)
{
	return NumberCompare(a, b) <= 0 ? a : b;
}

/* Is a number one from 0 to 1?  NaN is none. */
static inline bool
NumberIsShare(Numeric a)
{
	return NumberCompare(a, int64_to_numeric(0)) >= 0 && NumberCompare(a, int64_to_numeric(1)) <= 0;
}

/* Returns the least of those that are there: NULL is none. */
static inline Numeric
NumberLeast(Numeric a, Numeric b)
{
	if (a == NULL || b == NULL)
		return a ? a : b;
	return NumberMin(a, b);
}

/* Reads a literal that numeric takes. */
static inline Numeric
NumberOfLiteral(const char *literal)
{
	return DatumGetNumeric(DirectFunctionCall3(numeric_in, CStringGetDatum(literal),
											   ObjectIdGetDatum(InvalidOid), Int32GetDatum(-1)));
}

#endif							/* ANSWER_EVAL_NUMBERS_H */
