/*-------------------------------------------------------------------------
 *
 * reference.h
 *		References to values that earlier steps of a plan bound.
 *
 * A reference is "$name", optionally followed by "." or "[" and a dotted path, in
 * which "[n]" is read as ".n".  Steps bind names; whoever runs the plan binds
 * INPUT, item and index.
 *
 * Bindings are always an object {name: value}.  A caller that builds one with
 * JsonViewSetKey and looks up many names should call JsonViewSortedMembers once.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_REFERENCE_H
#define ANSWER_EVAL_REFERENCE_H

#include "fmgr.h"

#include "base/jsonview.h"
#include "base/span.h"
#include "check/operator.h"

/* What a text is as an argument of a step. */
typedef enum ReferenceKind
{
	REFERENCE_NONE,				/* a plain text */
	REFERENCE_ESCAPED,			/* begins with $$: the text without the first $ */
	REFERENCE_VALUE,			/* stands for the value of a reference */
	REFERENCE_MALFORMED			/* begins like a reference, but is not followed by a valid path */
} ReferenceKind;

typedef struct Reference
{
	Span		text;			/* as written, with the $ */
	Span		name;			/* without the $ */
	bool		has_path;
	Path		path;			/* below the value of the name */
} Reference;

/* Why arguments could not be bound. */
typedef struct BindingProblem
{
	Span		reference;		/* as written; empty if the problem is about all arguments */
	const char *problem;		/* continues after the reference: "is not bound" */
} BindingProblem;

/* Called with each reference in a value, in order of appearance. */
typedef void (*ReferenceReceiver) (void *receiver, const Reference *reference);

/* Does it match [A-Za-z_][A-Za-z0-9_]*? */
extern bool IsBindingName(Span text);

/* Is it a name that no step can bind: INPUT, item or index? */
extern bool IsReservedBinding(Span name);

/*
 * Reads a whole text as an argument.  Sets *reference for REFERENCE_VALUE, and
 * *problem (one clause: "has an empty segment") for REFERENCE_MALFORMED.
 */
extern ReferenceKind ReferenceParse(Span text, Reference *reference, const char **problem);

/*
 * Reads the longest reference that begins at a "$" in a condition; condition.c
 * defines what ends a segment there.  Returns its length in bytes, or 0 and
 * *problem.
 */
extern int	ReferenceParsePrefix(Span text, Reference *reference, const char **problem);

/*
 * Finds the value of a reference.  Returns false, and an absent view, if the name
 * is not bound or the path does not resolve.
 */
extern bool ReferenceResolve(const Reference *reference, const JsonView *bindings, JsonView *value);

/* Returns why a reference does not resolve: a clause that continues after the reference. */
extern const char *ReferenceWhyUnresolved(const Reference *reference, const JsonView *bindings);


/*
 * Calls the receiver with every reference in the strings of a value, at any depth.
 * Stops at the first malformed one, returns false and sets *problem.  Raises 54001
 * if the value is nested deeper than the stack allows.
 */
extern bool ReferencesEach(const JsonView *value, ReferenceReceiver receive, void *receiver,
						   BindingProblem *problem);

/*
 * Replaces each string of a value that is a reference, at any depth, by the value
 * that it refers to. "$$" becomes "$"; keys and other strings stay.  Inserted
 * values are not searched again.  The result shares what it can with its sources.
 * If a reference is malformed or does not resolve, returns false and sets *problem.
 */
extern bool BindValue(const JsonView *value, const JsonView *bindings, JsonView *bound,
					  BindingProblem *problem);

/* Returns the bindings in argument n of a SQL function: an object, empty if the argument is null. */
extern JsonView BindingsArgument(FunctionCallInfo fcinfo, int n);

#endif							/* ANSWER_EVAL_REFERENCE_H */
