/*-------------------------------------------------------------------------
 *
 * origin.c
 *		The origin of a value in a plan: it was observed, or certain roles reported
 *		it.
 *
 * Pure.  Rule: doc/spec/plan.md §15.
 *
 * The origin of a value depends on what the plan does with it, never on what the
 * value looks like: a hit with the uri of a real document counts as reported if it
 * came from the request.
 *
 *	- Variables are reported by the role that asks, literals of the plan by the role
 *	  that registered or sent it, the application's answers by the role that resumes
 *	  the plan.
 *	- The result of an operator's tool is observed if its spec says so.  Otherwise it
 *	  has the origins of its arguments, or only of those that the spec says it rests
 *	  on; without such arguments it is reported by the role that registered the tool.
 *	  The result of a tenant's own tool is always reported by the role that registered
 *	  it, because nobody else vouches for it, and has the origins of its arguments.
 *	- Claims are reported by the role that asks and the one that wrote the plan.  So is
 *	  anything that contains a claim at any depth, such as a support, or an evidence
 *	  that a tool gets.  An evidence has the origin of its sources only where it stays
 *	  an evidence: as the provenance of an entry, or where the operator's spec says that
 *	  a result rests on it.
 *	- An object that a plan composes is a literal.  Its members may be observed, but the
 *	  author of the plan is responsible for what they mean together.  An array of
 *	  references only chooses among values, so it is not a literal.
 *
 * The origin of several parts is the union of the roles that reported any of them.
 *
 * Promises: pure; linear in the arguments as written in the plan.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "lib/stringinfo.h"
#include "miscadmin.h"

#include "plan/origin.h"

/*
 * sets of roles
 */

Origin
OriginOfRole(Span role)
{
	Origin		origin = {.count = 1,.roles = palloc(sizeof(Span))};

	origin.roles[0] = role;
	return origin;
}

Origin
OriginOfBoth(const Origin *a, const Origin *b)
{
	Origin		both = {0};
	int			i = 0;
	int			j = 0;

	if (a->count == 0 || b->count == 0)
		return a->count == 0 ? *b : *a;
	/* most literals have one role */
	if (b->count == 1 && SpanIsIn(b->roles[0], a->roles, a->count))
		return *a;
	both.roles = palloc(sizeof(Span) * ((Size) a->count + b->count));
	while (i < a->count || j < b->count)
	{
		int			order = i == a->count ? 1 : j == b->count ? -1 : SpanOrder(a->roles[i], b->roles[j]);

		both.roles[both.count++] = order <= 0 ? a->roles[i] : b->roles[j];
		i += order <= 0;
		j += order >= 0;
	}
	return both;
}

static void
Add(Origin *origin, Origin other)
{
	*origin = OriginOfBoth(origin, &other);
}

JsonView
OriginView(const Origin *origin)
{
	JsonView	view = JsonViewNewArray(Max(origin->count, 1));

	for (int i = 0; i < origin->count; i++)
		JsonViewAppend(&view, JsonViewString(origin->roles[i].str, origin->roles[i].len));
	return view;
}

Origin
OriginOfView(const JsonView *view)
{
	Origin		origin = {0};
	JsonView	role;

	if (view->type != JVIEW_ARRAY || JsonViewCount(view) > ORIGIN_MAX_ROLES)
		return OriginOfRole(SpanOfCString(ORIGIN_UNKNOWN));
	for (int i = 0; JsonViewElement(view, i, &role); i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (role.type != JVIEW_STRING)
			return OriginOfRole(SpanOfCString(ORIGIN_UNKNOWN));
		Add(&origin, OriginOfRole(SpanOf(role.str, role.len)));
	}
	return origin;
}

/*
 * Appends the name of a role.  A name that is no plain word is quoted, so that it
 * cannot look like several names, or like the end of the sentence.
 */
static void
AppendRole(StringInfo text, Span role)
{
	bool		is_plain = role.len > 0;

	for (int i = 0; i < role.len; i++)
		is_plain = is_plain && ((role.str[i] >= 'a' && role.str[i] <= 'z') || role.str[i] == '_' ||
								(i > 0 && role.str[i] >= '0' && role.str[i] <= '9'));
	if (is_plain)
	{
		appendBinaryStringInfo(text, role.str, role.len);
		return;
	}
	appendStringInfoChar(text, '"');
	for (int i = 0; i < role.len; i++)
	{
		if (role.str[i] == '"')
			appendStringInfoChar(text, '"');
		appendStringInfoChar(text, role.str[i]);
	}
	appendStringInfoChar(text, '"');
}

char *
OriginText(const Origin *origin, const char *what)
{
	StringInfoData text;

	initStringInfo(&text);
	appendStringInfo(&text, "reported %s (by ", what);
	for (int i = 0; i < origin->count; i++)
	{
		if (i > 0)
			appendStringInfoString(&text, ", ");
		AppendRole(&text, origin->roles[i]);
	}
	appendStringInfoChar(&text, ')');
	return text.data;
}

JsonView
OriginOnVerdict(const Origin *origin, const JsonView *verdict)
{
	static const char *const stated[] = {"origin"};
	JsonView	view = JsonViewCopyWithout(verdict, stated, lengthof(stated), 1);

	if (OriginIsReported(origin))
		JsonViewSet(&view, "origin", JsonViewCString(OriginText(origin, "evidence")));
	return view;
}

JsonView
OriginOnEvidence(const Origin *origin, const JsonView *evidence)
{
	static const char *const stated[] = {"origin", "reported_by", "verdict"};
	JsonView	view = JsonViewCopyWithout(evidence, stated, lengthof(stated), 3);
	JsonView	verdict;

	JsonViewSet(&view, "origin", JsonViewCString(OriginIsReported(origin) ? "reported" : "observed"));
	if (OriginIsReported(origin))
		JsonViewSet(&view, "reported_by", OriginView(origin));
	if (JsonViewGetMember(evidence, "verdict", &verdict))
		JsonViewSet(&view, "verdict", verdict.type == JVIEW_OBJECT ? OriginOnVerdict(origin, &verdict) : verdict);
	return view;
}

/*
 * terms
 */

JsonView
OriginTermsView(const OriginTerms *terms)
{
	JsonView	view = JsonViewNewObject(3);

	JsonViewSet(&view, "request", JsonViewString(terms->request.str, terms->request.len));
	JsonViewSet(&view, "plan", JsonViewString(terms->plan.str, terms->plan.len));
	JsonViewSet(&view, "tools", terms->tools);
	return view;
}

bool
OriginTermsOfView(const JsonView *view, OriginTerms *terms)
{
	memset(terms, 0, sizeof(*terms));
	if (view->type == JVIEW_ABSENT)
		return true;
	terms->are_known = true;
	return view->type == JVIEW_OBJECT &&
		JsonViewGetString(view, "request", &terms->request) &&
		JsonViewGetString(view, "plan", &terms->plan) &&
		JsonViewGetMember(view, "tools", &terms->tools) && terms->tools.type == JVIEW_OBJECT;
}

/* Returns who registered a tool; *is_shared: does it belong to the operator? */
static Origin
Registrar(const OriginTerms *terms, Span tool, bool *is_shared)
{
	JsonView	entry;
	Span		role = SpanOfCString(ORIGIN_UNKNOWN);

	*is_shared = false;
	if (!JsonViewGet(&terms->tools, tool.str, tool.len, &entry) || entry.type != JVIEW_OBJECT)
		return OriginOfRole(role);
	*is_shared = JsonViewMemberIsTrue(&entry, "shared");
	(void) JsonViewGetString(&entry, "registered_by", &role);
	return OriginOfRole(role);
}

/* derived origins */

/*
 * Can a member of an evidence contain bytes that the requester or a tenant chose?
 * These are its claims, claims named in entries and pairs, judgements that were
 * handed in, word stems in older evidence, and names of judges and detectors.
 */
static bool
IsOfClaims(Span key)
{
	static const char *const keys[] = {"claims", "claim", "stems", "detectors", "detected", "to_judge", "judgements",
	"judges", "judging"};

	for (int i = 0; i < (int) lengthof(keys); i++)
	{
		if (SpanEqualCString(key, keys[i]))
			return true;
	}
	return false;
}

bool
OriginHoldsClaims(const JsonView *value)
{
	int			count = JsonViewCount(value);

	CHECK_FOR_INTERRUPTS();
	if (count > 0)
		check_stack_depth();
	for (int i = 0; i < count; i++)
	{
		JsonMember	member = {0};

		if (value->type == JVIEW_ARRAY)
			JsonViewElement(value, i, &member.value);
		else
			member.value = JsonViewMember(value, i, &member.key);
		if ((value->type == JVIEW_OBJECT && IsOfClaims(member.key)) ||
			OriginHoldsClaims(&member.value))
			return true;
	}
	return false;
}

Origin
OriginOfClaims(const OriginTerms *terms, Origin origin)
{
	Add(&origin, OriginOfRole(terms->plan));
	Add(&origin, OriginOfRole(terms->request));
	return origin;
}

/* Does a reference take claims out of an evidence? Its sources do not depend on anybody's claim. */
static bool
TakesClaims(const Reference *reference)
{
	for (int i = 0; reference->has_path && i < reference->path.count; i++)
	{
		if (IsOfClaims(reference->path.segment[i].key))
			return true;
	}
	return false;
}

static Origin
OriginOfText(const OriginTerms *terms, const PlanNode *node, Span text, bool as_evidence, OriginLookup lookup,
			 const void *arg)
{
	Reference	reference;
	const char *problem;
	Origin		origin;

	if (ReferenceParse(text, &reference, &problem) != REFERENCE_VALUE)
		return OriginOfRole(terms->plan);
	if (SpanEqualCString(reference.name, "INPUT"))
		return OriginOfRole(terms->request);
	origin = lookup(arg, node, &reference, as_evidence);
	return TakesClaims(&reference) ? OriginOfClaims(terms, origin) : origin;
}

Origin
OriginOfArgument(const OriginTerms *terms, const PlanNode *node, const JsonView *value,
				 bool as_evidence, OriginLookup lookup, const void *arg)
{
	int			count = JsonViewCount(value);
	Origin		origin = {0};
	JsonView	element;

	CHECK_FOR_INTERRUPTS();
	if (value->type == JVIEW_STRING)
		return OriginOfText(terms, node, SpanOf(value->str, value->len), as_evidence, lookup, arg);
	if (value->type != JVIEW_ARRAY || count == 0)
		origin = OriginOfRole(terms->plan);
	if (count > 0)
		check_stack_depth();
	for (int i = 0; i < count; i++)
	{
		Span		key;

		if (value->type == JVIEW_ARRAY)
			JsonViewElement(value, i, &element);
		else
			element = JsonViewMember(value, i, &key);
		Add(&origin, OriginOfArgument(terms, node, &element, as_evidence && value->type == JVIEW_ARRAY,
									  lookup, arg));
	}
	return origin;
}

/* Does the result of a tool rest on an argument? A map passes its items as $item. */
static bool
RestsOn(const PlanNode *node, const ToolSpec *spec, bool is_shared, Span name)
{
	if (is_shared && spec->nrests_on > 0)
		return SpanIsIn(name, spec->rests_on, spec->nrests_on);
	return node->op != PLAN_MAP || !SpanEqualCString(name, "items");
}

Origin
OriginOfMemory(const JsonView *result)
{
	JsonView	roles;

	if (result->type != JVIEW_OBJECT || !JsonViewGetMember(result, "reported_by", &roles))
		return (Origin) {0};
	return OriginOfView(&roles);
}

Origin
OriginOfJudgements(Span tool, const JsonView *result)
{
	Origin		origin = {0};
	JsonView	evidence;
	JsonView	judgements;

	if (!SpanEqualCString(tool, TOOL_VERIFY) || result->type != JVIEW_OBJECT ||
		!JsonViewGetMember(result, "evidence", &evidence) || evidence.type != JVIEW_OBJECT ||
		!JsonViewGetMember(&evidence, "judgements", &judgements) || judgements.type != JVIEW_ARRAY)
		return origin;
	for (int i = 0; i < JsonViewCount(&judgements); i++)
	{
		JsonView	judgement = JsonViewAt(&judgements, i);
		JsonView	word;
		Span		by = SpanOfCString(ORIGIN_UNKNOWN);

		CHECK_FOR_INTERRUPTS();
		if (judgement.type == JVIEW_OBJECT && JsonViewGetMember(&judgement, "origin", &word) &&
			JsonViewStringIs(&word, "observed"))
			continue;
		if (judgement.type == JVIEW_OBJECT)
			(void) JsonViewGetString(&judgement, "by", &by);
		Add(&origin, OriginOfRole(by));
	}
	return origin;
}

Origin
OriginOfCalled(const OriginTerms *terms, Span tool, const ToolSpec *spec, const JsonView *args, const JsonView *result)
{
	bool		is_shared;
	Origin		registrar = Registrar(terms, tool, &is_shared);
	Origin		origin = {0};

	if (SpanEqualCString(tool, TOOL_MEMORY))
		return OriginOfMemory(result);
	if (is_shared && spec->observes)
		return origin;
	if (JsonViewCount(args) > 0)
		origin = OriginOfRole(terms->request);
	if (JsonViewCount(args) == 0 || !is_shared)
		Add(&origin, registrar);
	Add(&origin, OriginOfJudgements(tool, result));
	return origin;
}

Origin
OriginOfResult(const OriginTerms *terms, const PlanNode *node, const ToolSpec *spec,
			   OriginLookup lookup, const void *arg)
{
	bool		is_shared;
	Origin		registrar = Registrar(terms, node->tool->name, &is_shared);
	Origin		origin = {0};
	bool		has_rest = false;

	if (spec->is_external)
		return OriginOfRole(terms->request);
	if (is_shared && spec->observes)
		return origin;
	for (int i = 0; i < JsonViewCount(&node->args); i++)
	{
		JsonMember	member;

		member.value = JsonViewMember(&node->args, i, &member.key);
		if (!RestsOn(node, spec, is_shared, member.key))
			continue;
		has_rest = true;
		/*
		 * a tool may return the claims of an evidence, unless the operator's spec
		 * says that the result rests on its sources
		 */
		Add(&origin, OriginOfArgument(terms, node, &member.value, is_shared && spec->nrests_on > 0 &&
									  ToolSpecTakesEvidence(spec, member.key.str, member.key.len), lookup, arg));
	}
	if (!has_rest || !is_shared)
		Add(&origin, registrar);
	return origin;
}
