/*-------------------------------------------------------------------------
 *
 * reference.c
 *		References to values that earlier steps of a plan bound.
 *
 * Pure, with a thin SQL interface.  Rule: doc/spec/plan.md §1.
 *
 * A string in a step's arguments that is a reference as a whole is replaced by what it
 * refers to.  Any other dollar sign stands for itself, also one at the start without a
 * name.  A text that would be read as a reference is written with $$ at the start.  The
 * path is an ordinary dotted path; "[n]" is only another way to write ".n".
 *
 * A reference that cannot be resolved is a problem that names it; it is never passed on
 * as a text.
 *
 * Promises: pure; linear in the arguments and the bound values; bound values are
 * shared, and never searched for further references.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "miscadmin.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/limits.h"
#include "plan/reference.h"

/* Characters that end a segment of a path in a condition, in addition to "." and "[". */
#define ENDS_SEGMENT	" \t\n\r()<>=!&|'\"]"

/*
 * reading
 */

/* Returns the bytes of the name at the start of a text, or 0. */
static int
MeasureName(Span text)
{
	int			len = 0;

	while (len < text.len &&
		   ((text.str[len] >= 'a' && text.str[len] <= 'z') ||
			(text.str[len] >= 'A' && text.str[len] <= 'Z') ||
			text.str[len] == '_' || (len > 0 && IsAsciiDigit(text.str[len]))))
		len++;
	return len;
}

bool
IsBindingName(Span text)
{
	return text.len > 0 && MeasureName(text) == text.len;
}

bool
IsReservedBinding(Span name)
{
	return SpanEqualCString(name, "INPUT") || SpanEqualCString(name, "item") ||
		SpanEqualCString(name, "index");
}

/* Returns the bytes of "n]" at the start of a text, or 0. */
static int
MeasureIndex(Span text)
{
	int			len = 0;

	while (len < text.len && IsAsciiDigit(text.str[len]))
		len++;
	return len > 0 && len < text.len && text.str[len] == ']' ? len + 1 : 0;
}

/* Returns the bytes of a segment after its point. */
static int
MeasureSegment(Span text, bool in_condition)
{
	int			len = 0;

	while (len < text.len && text.str[len] != '.' && text.str[len] != '[' &&
		   !(in_condition && text.str[len] != '\0' && strchr(ENDS_SEGMENT, text.str[len])))
		len++;
	return len;
}

/*
 * Reads the path at the start of a text, and writes it to "out", unless NULL, with
 * ".n" for each "[n]".  Returns its length, or -1 and *problem.
 */
static int
WalkPath(Span text, bool in_condition, StringInfo out, bool *has_index, const char **problem)
{
	int			at = 0;

	while (at < text.len && (text.str[at] == '.' || text.str[at] == '['))
	{
		Span		rest = SpanOf(text.str + at + 1, text.len - at - 1);
		bool		is_index = text.str[at] == '[';
		int			len = is_index ? MeasureIndex(rest) : MeasureSegment(rest, in_condition);

		if (is_index && len == 0)
		{
			*problem = "must have digits and a ] behind each [";
			return -1;
		}
		if (out)
		{
			appendStringInfoChar(out, '.');
			appendBinaryStringInfo(out, rest.str, is_index ? len - 1 : len);
		}
		*has_index |= is_index;
		at += 1 + len;
	}
	return at;
}

/* Reads the path after a reference's name. Returns its length, or -1 and *problem. */
static int
ReadPath(Span text, bool in_condition, Reference *reference, const char **problem)
{
	bool		has_index = false;
	int			len = WalkPath(text, in_condition, NULL, &has_index, problem);
	Span		plain = SpanOf(text.str + 1, len - 1);
	StringInfoData out;

	reference->has_path = len != 0;
	if (len <= 0)
		return len;
	if (has_index)
	{
		initStringInfo(&out);
		WalkPath(SpanOf(text.str, len), in_condition, &out, &has_index, problem);
		plain = SpanOf(out.data + 1, out.len - 1);
	}
	*problem = plain.len == 0 ? "must have a path behind its point" :
		PathParse(plain.str, plain.len, &reference->path);
	return *problem ? -1 : len;
}

int
ReferenceParsePrefix(Span text, Reference *reference, const char **problem)
{
	Span		rest = SpanOf(text.str + 1, text.len - 1);
	int			name = MeasureName(rest);
	int			path;

	if (name == 0)
	{
		*problem = "must have a name behind $";
		return 0;
	}
	reference->name = SpanOf(rest.str, name);
	path = ReadPath(SpanOf(rest.str + name, rest.len - name), true, reference, problem);
	if (path < 0)
		return 0;
	reference->text = SpanOf(text.str, 1 + name + path);
	return reference->text.len;
}

ReferenceKind
ReferenceParse(Span text, Reference *reference, const char **problem)
{
	Span		rest;
	int			name;
	int			path;

	if (text.len < 2 || text.str[0] != '$')
		return REFERENCE_NONE;
	if (text.str[1] == '$')
		return REFERENCE_ESCAPED;
	rest = SpanOf(text.str + 1, text.len - 1);
	name = MeasureName(rest);
	reference->text = text;
	reference->name = SpanOf(rest.str, name);
	rest = SpanOf(rest.str + name, rest.len - name);
	if (name == 0 || (rest.len > 0 && rest.str[0] != '.' && rest.str[0] != '['))
		return REFERENCE_NONE;
	path = ReadPath(rest, false, reference, problem);
	if (path >= 0 && path < rest.len)
		*problem = "must have a point or a [ behind each ]";
	return path == rest.len ? REFERENCE_VALUE : REFERENCE_MALFORMED;
}

bool
ReferenceResolve(const Reference *reference, const JsonView *bindings, JsonView *value)
{
	JsonView	root;

	if (!JsonViewGet(bindings, reference->name.str, reference->name.len, &root))
	{
		value->type = JVIEW_ABSENT;
		return false;
	}
	*value = root;
	if (!reference->has_path || PathResolve(&reference->path, &root, value) == reference->path.count)
		return true;
	value->type = JVIEW_ABSENT;
	return false;
}

const char *
ReferenceWhyUnresolved(const Reference *reference, const JsonView *bindings)
{
	JsonView	root;
	JsonView	end;
	int			resolved;

	if (!JsonViewGet(bindings, reference->name.str, reference->name.len, &root))
		return "is not bound";
	resolved = PathResolve(&reference->path, &root, &end);
	return psprintf("does not resolve: there is no %s in %s",
					ShownText(reference->path.segment[resolved].key),
					JVIEW_IS_CONTAINER(&end) ? ShownValue(&end) : psprintf("the value %s", ShownValue(&end)));
}

/*
 * arguments
 */

static bool
ReportReference(BindingProblem *problem, Span reference, const char *what)
{
	problem->reference = reference;
	problem->problem = what;
	return false;
}

/* Returns child i of a container, with its key if it has one. */
static void
TakeChild(const JsonView *container, int i, JsonMember *child)
{
	if (container->type == JVIEW_ARRAY)
		JsonViewElement(container, i, &child->value);
	else
		child->value = JsonViewMember(container, i, &child->key);
}

bool
ReferencesEach(const JsonView *value, ReferenceReceiver receive, void *receiver,
			   BindingProblem *problem)
{
	int			count = JsonViewCount(value);
	Reference	reference;
	const char *what;

	CHECK_FOR_INTERRUPTS();
	if (value->type == JVIEW_STRING)
	{
		Span		text = SpanOf(value->str, value->len);
		ReferenceKind kind = ReferenceParse(text, &reference, &what);

		if (kind == REFERENCE_MALFORMED)
			return ReportReference(problem, text, what);
		if (kind == REFERENCE_VALUE)
			receive(receiver, &reference);
		return true;
	}
	if (count > 0)
		check_stack_depth();
	for (int i = 0; i < count; i++)
	{
		JsonMember	child;

		TakeChild(value, i, &child);
		if (!ReferencesEach(&child.value, receive, receiver, problem))
			return false;
	}
	return true;
}

static bool
BindString(const JsonView *value, const JsonView *bindings, JsonView *bound, BindingProblem *problem)
{
	Span		text = SpanOf(value->str, value->len);
	Reference	reference;
	const char *what;

	*bound = *value;
	switch (ReferenceParse(text, &reference, &what))
	{
		case REFERENCE_NONE:
			return true;
		case REFERENCE_ESCAPED:
			*bound = JsonViewString(text.str + 1, text.len - 1);
			return true;
		case REFERENCE_MALFORMED:
			return ReportReference(problem, text, what);
		case REFERENCE_VALUE:
			break;
	}
	if (ReferenceResolve(&reference, bindings, bound))
		return true;
	return ReportReference(problem, text, ReferenceWhyUnresolved(&reference, bindings));
}

bool
BindValue(const JsonView *value, const JsonView *bindings, JsonView *bound, BindingProblem *problem)
{
	int			count = JsonViewCount(value);

	CHECK_FOR_INTERRUPTS();
	if (value->type == JVIEW_STRING)
		return BindString(value, bindings, bound, problem);
	*bound = *value;
	if (count == 0)
		return true;
	check_stack_depth();
	*bound = value->type == JVIEW_ARRAY ? JsonViewNewArray(count) : JsonViewNewObject(count);
	for (int i = 0; i < count; i++)
	{
		JsonMember	child;
		JsonView	member;

		TakeChild(value, i, &child);
		if (!BindValue(&child.value, bindings, &member, problem))
			return false;
		if (value->type == JVIEW_ARRAY)
			JsonViewAppend(bound, member);
		else
			JsonViewSetKey(bound, child.key.str, child.key.len, member);
	}
	return true;
}

/*
 * SQL
 */

/* Returns the bindings in argument n of a function: an object, empty if the argument is null. */
JsonView
BindingsArgument(FunctionCallInfo fcinfo, int n)
{
	JsonView	view;

	LimitArgument(fcinfo, n, ARGUMENT_MAX_SIZE, "bindings");
	if (PG_ARGISNULL(n))
		return JsonViewNewObject(0);
	JsonViewOfJsonb(PG_GETARG_JSONB_P(n), &view);
	if (view.type != JVIEW_OBJECT)
		MalformedArgument(psprintf("bindings must be an object, and is %s", ShownValue(&view)),
						  "Bindings are {name: value}.");
	return view;
}

PG_FUNCTION_INFO_V1(answer_eval_bind);

Datum
answer_eval_bind(PG_FUNCTION_ARGS)
{
	JsonView	args;
	JsonView	bindings;
	JsonView	bound;
	BindingProblem problem;

	RequireArgument(fcinfo, 0, "args");
	LimitArgument(fcinfo, 0, ARGUMENT_MAX_SIZE, "args");
	JsonViewOfJsonb(PG_GETARG_JSONB_P(0), &args);
	bindings = BindingsArgument(fcinfo, 1);
	if (!BindValue(&args, &bindings, &bound, &problem))
		MalformedArgument(psprintf("reference %s %s", ShownText(problem.reference), problem.problem),
						  "A reference is $name, $name.path or $name[0].path, of a name that is bound; $$ at the start is a dollar sign.");
	if (!CanonicalIsWritable(&bound))
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("the bound arguments are too large"),
				 errdetail("Their canonical form has more than %d bytes.", WRITTEN_MAX_SIZE),
				 errhint("Bind a part of the value: $name.path.")));
	PG_RETURN_JSONB_P(JsonViewToJsonb(&bound, false));
}
