/*-------------------------------------------------------------------------
 *
 * reference.h
 *		References to what earlier steps of a plan bound, and their values.
 *
 * A reference is "$name", perhaps followed by "." or "[" and a dotted path, in
 * which "[n]" is read as ".n".  Names are bound by steps; INPUT, item and index
 * are bound by whoever runs the plan.
 *
 * Bindings are an object {name: value} everywhere.  Whoever builds one with
 * JsonViewSetKey and looks many names up calls JsonViewSortedMembers once.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_REFERENCE_H
#define ANSWER_EVAL_REFERENCE_H

#include "fmgr.h"

#include "base/jsonview.h"
#include "base/span.h"
#include "check/operator.h"

/* Says what a text is as an argument of a step. */
typedef enum ReferenceKind
{
	REFERENCE_NONE,				/* itself */
	REFERENCE_ESCAPED,			/* begins with $$: itself without the first $ */
	REFERENCE_VALUE,			/* the value of a reference */
	REFERENCE_MALFORMED			/* begins like a reference, and has no path behind it */
} ReferenceKind;

typedef struct Reference
{
	Span		text;			/* all of it as it was written, with the $ */
	Span		name;			/* without the $ */
	bool		has_path;
	Path		path;			/* below the name's value */
} Reference;

/* Says why arguments could not be bound. */
typedef struct BindingProblem
{
	Span		reference;		/* as it was written; empty if it is about all arguments */
	const char *problem;		/* goes on after the reference: "is not bound" */
} BindingProblem;

/* Is called with each reference of a value, in the order in which they stand there. */
typedef void (*ReferenceReceiver) (void *receiver, const Reference *reference);

/* Is this [A-Za-z_][A-Za-z0-9_]*? */
extern bool IsBindingName(Span text);

/* Is this a name that no step can bind: INPUT, item or index? */
extern bool IsReservedBinding(Span name);

/*
 * Reads a whole text as an argument.  *reference is set for REFERENCE_VALUE,
 * *problem (one clause: "has an empty segment") for REFERENCE_MALFORMED.
 */
extern ReferenceKind ReferenceParse(Span text, Reference *reference, const char **problem);

/*
 * Reads the longest reference that begins at a "$" within a condition; what
 * ends a segment there is in condition.c.  Returns its length in bytes, or 0
 * and *problem.
 */
extern int	ReferenceParsePrefix(Span text, Reference *reference, const char **problem);

/*
 * Finds the value of a reference; false, and an absent view, if the name is not bound
 * or the path does not resolve.
 */
extern bool ReferenceResolve(const Reference *reference, const JsonView *bindings, JsonView *value);

/* Returns why it does not: a clause that goes on after the reference. */
extern const char *ReferenceWhyUnresolved(const Reference *reference, const JsonView *bindings);

/* Returns a reference as an error shows it: quoted, in ASCII, cut where it would fill a screen. */

/*
 * Calls the receiver with every reference among the strings of a value, at any
 * depth.  False, and *problem, at the first malformed one.  Raises 54001 for
 * a value nested more deeply than the stack allows.
 */
extern bool ReferencesEach(const JsonView *value, ReferenceReceiver receive, void *receiver,
						   BindingProblem *problem);

/*
 * Replaces each string of a value that is a reference, at any depth, by what it
 * refers to; $$ loses a $; keys and all other strings stay.  There is no second
 * pass over what was put in.  The result shares what it can with its sources.
 * False, and *problem, if a reference is malformed or does not resolve.
 */
extern bool BindValue(const JsonView *value, const JsonView *bindings, JsonView *bound,
					  BindingProblem *problem);

/* Returns bindings that argument n of a SQL function brings: an object; one without members if it is null. */
extern JsonView BindingsArgument(FunctionCallInfo fcinfo, int n);

#endif							/* ANSWER_EVAL_REFERENCE_H */
