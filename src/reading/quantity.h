/*-------------------------------------------------------------------------
 *
 * quantity.h
 *		Numbers in a text, with their units.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_QUANTITY_H
#define ANSWER_EVAL_QUANTITY_H

#include "reading/decision_rules.h"

/* Says what stands beside a number and is its unit, whatever the unit table says. */
typedef enum UnitSign
{
	SIGN_DOLLAR,
	SIGN_EURO,
	SIGN_POUND,
	SIGN_PERCENT
} UnitSign;

#define UNIT_SIGNS	4

/* The units of the table and those of the signs, numbered in code-point order of their names. */
typedef struct UnitNames
{
	int			count;
	Span	   *names;
	int		   *of_rule;		/* by number in the rules */
	int			of_sign[UNIT_SIGNS];
} UnitNames;

/* A number that has a unit. */
typedef struct Quantity
{
	int32		unit;			/* number of UnitNames */
	int32		token;			/* that its last digit stands in */
	int32		begin;			/* bytes in the text, sign and unit included */
	int32		end;
	Span		value;			/* plain decimal, without needless zeros */
	int32		whole;			/* digits before the point */
} Quantity;

extern void UnitNamesOf(const DecisionRules *rules, UnitNames *units);
extern Quantity *QuantitiesRead(const DecisionRules *rules, const UnitNames *units,
								const Words *words, const Matches *matches, int *count);

/* Compares exactly; quantities of one unit. */
extern int	QuantityCompare(const Quantity *a, const Quantity *b);

#endif							/* ANSWER_EVAL_QUANTITY_H */
