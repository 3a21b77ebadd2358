/*-------------------------------------------------------------------------
 *
 * quantity.h
 *		Finds numbers with units in a text.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_QUANTITY_H
#define ANSWER_EVAL_QUANTITY_H

#include "reading/decision_rules.h"

/* Signs next to a number that are its unit, whatever the unit table says. */
typedef enum UnitSign
{
	SIGN_DOLLAR,
	SIGN_EURO,
	SIGN_POUND,
	SIGN_PERCENT
} UnitSign;

#define UNIT_SIGNS	4

/* The units of the table and of the signs, numbered in code-point order of their names. */
typedef struct UnitNames
{
	int			count;
	Span	   *names;
	int		   *of_rule;		/* by number in the rules */
	int			of_sign[UNIT_SIGNS];
} UnitNames;

/* A number with a unit. */
typedef struct Quantity
{
	int32		unit;			/* index in UnitNames */
	int32		token;			/* token that contains its last digit */
	int32		begin;			/* byte offset in the text; includes sign and unit */
	int32		end;
	Span		value;			/* plain decimal, without needless zeros */
	int32		whole;			/* number of digits before the decimal point */
} Quantity;

extern void UnitNamesOf(const DecisionRules *rules, UnitNames *units);
extern Quantity *QuantitiesRead(const DecisionRules *rules, const UnitNames *units,
								const Words *words, const Matches *matches, int *count);

/* Compares exactly. Both quantities must have the same unit. */
extern int	QuantityCompare(const Quantity *a, const Quantity *b);

#endif							/* ANSWER_EVAL_QUANTITY_H */
