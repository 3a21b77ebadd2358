/*-------------------------------------------------------------------------
 *
 * route.h
 *		Compiles a question to checks, by a table of routes.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_ROUTE_H
#define ANSWER_EVAL_ROUTE_H

#include "base/canonical.h"
#include "check/check.h"
#include "route/pattern_pack.h"

#define ROUTER_VERSION			"route/1"
#define ROUTER_SHA256_LENGTH	(2 * SHA256_LENGTH)
#define ROUTE_MAX_ID_LENGTH		200

typedef struct Route
{
	Span		id;
	Span		tool;
	bool		interrogative;	/* does it assert nothing? */
	JsonView	args;
	JsonView	expect;			/* absent, or an object or an array */
	Pattern		pattern;
} Route;

/* Views and spans borrow from the content that the table was read from. */
typedef struct RouteTable
{
	int			count;
	Route	   *routes;
	int			nliterals;
	Span	   *literals;		/* sorted */
	PatternPack pack;			/* of the patterns of all routes */
} RouteTable;

/* The result of routing a question. */
typedef struct Routing
{
	Question	question;
	int			nrouted;		/* number of routed sentences, up to the refused one */
	int		   *routes;
	const char *refusal;		/* NULL if every sentence has a route */
	int			refused;		/* index of the sentence, or -1 if it is not due to one sentence */
	JsonView	checks;			/* array of checks in normal form, with memory of its own */
	int			nchecks;
	Check  *plans;
} Routing;

extern const char *RouteRead(const JsonView *view, Route *route);
extern const char *RouteProblem(const Route *route);
extern const char *RouteTableRead(const JsonView *content, RouteTable *table, Span *where);
extern void RouteTableNumber(const RouteTable *table, Question *question);
extern int	RouteFind(const RouteTable *table, const Question *question, int sentence);
extern void RouteQuestion(const RouteTable *table, Span text, Routing *routing);
extern JsonView RoutingView(const RouteTable *table, const Routing *routing,
							const char *router_sha256);
extern void RouterSha256(const JsonView *content, char *hex);
extern JsonView RouteExpected(const Pattern *pattern, const Stop *stop);
extern bool RouteMissed(const RouteTable *table, int route, const Question *question, int sentence,
						JsonView *missed);
extern JsonView RouteReplay(const JsonView *receipt, const JsonView *content, const char *from,
							 bool *lacks_table);

#endif							/* ANSWER_EVAL_ROUTE_H */
