/*-------------------------------------------------------------------------
 *
 * tool_spec.h
 *		ToolSpec: what a tool takes and returns, what it costs and what it may do.
 *
 * A spec is a JSON object {type?, id?, io {input, output}, constraints,
 * provenance, capabilities, deny_if, external}.  Registration checks all of it;
 * each call of the tool reads it again.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_TOOL_SPEC_H
#define ANSWER_EVAL_TOOL_SPEC_H

#include "utils/numeric.h"

#include "base/jsonview.h"
#include "base/span.h"

/* The highest latency that a spec may declare, in milliseconds: one day. */
#define SPEC_MAX_LATENCY	86400000

#define SPEC_USAGE			"_usage"	/* member of a result that states its token usage */

/* A ToolSpec. It points into the JSON that it was read from. */
typedef struct ToolSpec
{
	JsonView	view;			/* as given */
	JsonView	input;			/* io.input: {name: property}; absent: none declared */
	JsonView	output;			/* io.output, likewise; absent: any result */
	bool		has_input_tokens_max;
	int64		input_tokens_max;	/* of the canonical arguments, counted as in tokens.h */
	Numeric		latency;		/* latency_p50_ms; 0 if not given, as are the next two */
	Numeric		cost;			/* cost_per_call_usd */
	Numeric		share;			/* per_item_share, 0 to 1 */
	Numeric		rate_limit_qps; /* above 0; NULL: no limit */
	bool		has_side_effects;
	bool		has_external_cost;
	bool		is_attributed;	/* provenance.attribution_required */
	bool		observes;		/* provenance.observes; this and rests_on count only for the operator's tools */
	int			nrests_on;
	Span	   *rests_on;		/* provenance.rests_on: names of arguments */
	bool		is_external;	/* the application answers; there is no handler */
	int			ncapabilities;
	Span	   *capabilities;
	int			ndenied;
	Span	   *denied;			/* deny_if, case-folded */
} ToolSpec;

/* The token usage of a call. */
typedef struct ToolUsage
{
	int64		tokens_in;
	int64		tokens_out;
} ToolUsage;

/* Is a property declared as this type, or as an array of it? */
extern bool PropertyIsOf(const JsonView *property, const char *type);
extern bool PropertyIsArrayOf(const JsonView *property, const char *type);

/* Is an argument declared as an Evidence, or as an array of them? */
extern bool ToolSpecTakesEvidence(const ToolSpec *spec, const char *key, int keylen);

/*
 * Reads the spec of a tool.  If it is malformed, returns false and sets *problem, a
 * clause that continues after "the spec of tool ...": `has an unknown key "x";
 * there are ...`.
 */
extern bool ToolSpecParse(const JsonView *view, Span name, ToolSpec *spec, const char **problem);

/*
 * Checks arguments, an object, against io.input, and fills in missing ones that
 * have a default.  If they are not as declared, returns false and sets *problem,
 * one sentence in ASCII that names the argument. *completed shares what it can.
 */
extern bool ToolSpecArguments(const ToolSpec *spec, const JsonView *args, JsonView *completed,
							  const char **problem);

/* Are completed arguments longer than input_tokens_max? Always sets *tokens to their length. */
extern bool ToolSpecIsTooLong(const ToolSpec *spec, const JsonView *completed, int64 *tokens);

/* Do completed arguments contain a word of deny_if? *word is set to the first such word of the list. */
extern bool ToolSpecDenies(const ToolSpec *spec, const JsonView *completed, Span *word);

/*
 * Checks a tool's result, removes _usage from it, and counts the tokens that _usage
 * does not state.  On entry *usage holds the tokens of the arguments.  If the
 * result is not as declared, or lacks a required attribution, returns false, sets
 * *problem (one sentence in ASCII), and leaves *usage as it was.
 */
extern bool ToolSpecResult(const ToolSpec *spec, const JsonView *raw, JsonView *result,
						   ToolUsage *usage, const char **problem);

#endif							/* ANSWER_EVAL_TOOL_SPEC_H */
