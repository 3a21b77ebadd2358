/*-------------------------------------------------------------------------
 *
 * tool_spec.h
 *		Reads what a tool takes, gives, costs and may do: its ToolSpec.
 *
 * A spec is a JSON object {type?, id?, io {input, output}, constraints,
 * provenance, capabilities, deny_if, external}.  It is checked as a whole when a
 * tool is registered with it, and read again whenever the tool is called.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_TOOL_SPEC_H
#define ANSWER_EVAL_TOOL_SPEC_H

#include "utils/numeric.h"

#include "base/jsonview.h"
#include "base/span.h"

/* Says what a call is said to take at most, in milliseconds: a day. */
#define SPEC_MAX_LATENCY	86400000

#define SPEC_USAGE			"_usage"	/* member of a result that tells what it took */

/* A ToolSpec; it borrows the JSON that it was read from. */
typedef struct ToolSpec
{
	JsonView	view;			/* as it was given */
	JsonView	input;			/* io.input: {name: property}; absent: the spec declares none */
	JsonView	output;			/* io.output, likewise: absent: any result */
	bool		has_input_tokens_max;
	int64		input_tokens_max;	/* tokens of the canonical arguments, as of tokens.h */
	Numeric		latency;		/* latency_p50_ms; 0 where it says nothing, like the next two */
	Numeric		cost;			/* cost_per_call_usd */
	Numeric		share;			/* per_item_share, 0 to 1 */
	Numeric		rate_limit_qps; /* above 0; NULL: no limit */
	bool		has_side_effects;
	bool		has_external_cost;
	bool		is_attributed;	/* provenance.attribution_required */
	bool		observes;		/* provenance.observes; it counts for the operator's tools, like the next */
	int			nrests_on;
	Span	   *rests_on;		/* provenance.rests_on: arguments */
	bool		is_external;	/* the application answers; there is no handler */
	int			ncapabilities;
	Span	   *capabilities;
	int			ndenied;
	Span	   *denied;			/* deny_if, folded */
} ToolSpec;

/* Holds what a result took. */
typedef struct ToolUsage
{
	int64		tokens_in;
	int64		tokens_out;
} ToolUsage;

/* Is a declared property of a type, or an array of such? */
extern bool PropertyIsOf(const JsonView *property, const char *type);
extern bool PropertyIsArrayOf(const JsonView *property, const char *type);

/* Is an argument declared to be an Evidence, or an array of such? */
extern bool ToolSpecTakesEvidence(const ToolSpec *spec, const char *key, int keylen);

/*
 * Reads the spec of a tool of that name.  False, and *problem (a clause that
 * goes on after "the spec of tool ...": `has an unknown key "x"; there are ...`),
 * if it is none.
 */
extern bool ToolSpecParse(const JsonView *view, Span name, ToolSpec *spec, const char **problem);

/*
 * Checks arguments, an object, against io.input and fills in what is missing
 * and has a default.  False, and *problem (one sentence in ASCII that names the
 * argument), if they are not as declared.  *completed shares what it can.
 */
extern bool ToolSpecArguments(const ToolSpec *spec, const JsonView *args, JsonView *completed,
							  const char **problem);

/* Are completed arguments longer than input_tokens_max?  *tokens is how long they are in any case. */
extern bool ToolSpecIsTooLong(const ToolSpec *spec, const JsonView *completed, int64 *tokens);

/* Does a word of deny_if stand in completed arguments?  *word is the first such word of the list. */
extern bool ToolSpecDenies(const ToolSpec *spec, const JsonView *completed, Span *word);

/*
 * Checks what a tool gave, takes _usage from it, and counts its tokens where
 * _usage does not; *usage comes in with those of the arguments.  False, and
 * *problem (one sentence in ASCII), if it is not what the spec declares, or
 * lacks the attribution that the spec requires; *usage stays as it came in.
 */
extern bool ToolSpecResult(const ToolSpec *spec, const JsonView *raw, JsonView *result,
						   ToolUsage *usage, const char **problem);

#endif							/* ANSWER_EVAL_TOOL_SPEC_H */
