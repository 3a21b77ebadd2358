/*-------------------------------------------------------------------------
 *
 * route_table.h
 *		The table of routes that is stored in the database.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_ROUTE_TABLE_H
#define ANSWER_EVAL_ROUTE_TABLE_H

#include "route/route.h"

/* The result of a question.  Everything is in the caller's memory context. */
typedef struct RoutedQuestion
{
	bool		refused;
	int			nchecks;
	Check  *checks;
	JsonView	route;			/* the receipt's member */
	JsonView	coverage;		/* the receipt's member, if refused; else absent */
} RoutedQuestion;

extern void RouterAsk(const text *tenant, Span question, RoutedQuestion *routed);
extern JsonView RouterReplay(const JsonView *receipt);

/* Do what answer.route_compile(question) and answer_route_table() do; the results are in the current context. */
extern Jsonb *RouteCompile(text *asked);
extern Jsonb *RouterContent(void);

#endif							/* ANSWER_EVAL_ROUTE_TABLE_H */
