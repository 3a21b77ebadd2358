/*-------------------------------------------------------------------------
 *
 * route_table.h
 *		The table of routes as the database has it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_ROUTE_TABLE_H
#define ANSWER_EVAL_ROUTE_TABLE_H

#include "route/route.h"

/* Holds what a question came to; everything is on the caller's memory. */
typedef struct RoutedQuestion
{
	bool		refused;
	int			nchecks;
	Check  *checks;
	JsonView	route;			/* for the receipt */
	JsonView	coverage;		/* likewise, of a refusal; else absent */
} RoutedQuestion;

extern void RouterAsk(const text *tenant, Span question, RoutedQuestion *routed);
extern JsonView RouterReplay(const JsonView *receipt);

/* Do what answer.route_compile(question) and answer_route_table() do; the results are in the current context. */
extern Jsonb *RouteCompile(text *asked);
extern Jsonb *RouterContent(void);

#endif							/* ANSWER_EVAL_ROUTE_TABLE_H */
