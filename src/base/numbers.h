/*-------------------------------------------------------------------------
 *
 * numbers.h
 *		Exact arithmetic with the server's numeric, for callers without Datums.
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

/* Calls a function such as numeric_add. */
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

/* Is a number between 0 and 1? NaN is not. */
static inline bool
NumberIsShare(Numeric a)
{
	return NumberCompare(a, int64_to_numeric(0)) >= 0 && NumberCompare(a, int64_to_numeric(1)) <= 0;
}

/* Returns the least of the numbers, ignoring NULL. */
static inline Numeric
NumberLeast(Numeric a, Numeric b)
{
	if (a == NULL || b == NULL)
		return a ? a : b;
	return NumberMin(a, b);
}

/* Parses a literal that numeric accepts. */
static inline Numeric
NumberOfLiteral(const char *literal)
{
	return DatumGetNumeric(DirectFunctionCall3(numeric_in, CStringGetDatum(literal),
											   ObjectIdGetDatum(InvalidOid), Int32GetDatum(-1)));
}

#endif							/* ANSWER_EVAL_NUMBERS_H */
