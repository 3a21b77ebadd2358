/*-------------------------------------------------------------------------
 *
 * suite_case.c
 *		A case of an evaluation suite: what is asked, and the expected result.
 *
 * Rule: doc/spec/gate.md §1.  A case is a grounded question, or, if it has a kind, a request for
 * checks, a question for the routes, or a plan.  Pure.
 *
 * Promises: a case without a problem has the members that scoring reads, with the right types,
 * and no others.  Its digest distinguishes it from any other case, including its chunks.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "base/option.h"
#include "gate/suite_case.h"
#include "judge/judgement.h"

#define ID_MAX_SIZE		200
#define SLICE_MAX_SIZE	100
#define SLICES_MAX		20
#define QUERY_MAX_SIZE	65536

/* The same limit as for the option "judgements" of a question. */
#define CASE_MAX_JUDGEMENTS	10000

const char *const case_kinds[] = {"grounded", "check", "question", "plan"};

static const char *const outcomes[] = {"ANSWER", "ANSWER_WITH_CAVEATS", "CLARIFY", "ABSTAIN", "BLOCK", NULL};
static const char *const plan_outcomes[] = {"answered", "blocked", "refused", "failed", NULL};
static const char *const levels[] = {"high", "medium", "low", NULL};

static const char *const common_members = "id kind notes slices risk_level ";
static const char *const own_members[] = {
	"query expected_outcome required_behavior required_citation_doc_ids answer citations chunks judgements",
	"request expected_verdict expected_verdicts judgements",
	"query question expected_route expected_refusal",
	"plan vars budgets intent expected_outcome judgements"
};

CaseKind
CaseKindOf(const JsonView *view)
{
	Span		kind = JsonViewMemberText(view, "kind");

	for (int i = 0; i < (int) lengthof(case_kinds); i++)
	{
		if (SpanEqualCString(kind, case_kinds[i]))
			return (CaseKind) i;
	}
	return CASE_GROUNDED;
}

bool
CaseHasAnswer(const JsonView *view)
{
	JsonView	answer;

	return view->type == JVIEW_OBJECT && CaseKindOf(view) == CASE_GROUNDED &&
		JsonViewGetMember(view, "answer", &answer) && answer.type == JVIEW_STRING;
}

/*
 * what is wrong
 */

static bool
ListHas(const char *list, const char *key, int len)
{
	for (const char *word = list; *word;)
	{
		int			size = (int) strcspn(word, " ");

		if (size == len && memcmp(word, key, len) == 0)
			return true;
		word += size;
		word += strspn(word, " ");
	}
	return false;
}

static const char *
CaseMemberProblem(const char *member, const char *demand, const JsonView *seen)
{
	return seen->type == JVIEW_ABSENT ? psprintf("%s is missing: it %s", member, demand) :
		psprintf("%s %s, and is %s", member, demand, ShownValue(seen));
}

/* Checks that a member is one of some words; it may be missing unless "required". */
static const char *
WordProblem(const JsonView *view, const char *member, const char *const *words, const char *demand, bool required)
{
	JsonView	value = {.type = JVIEW_ABSENT};

	if (!JsonViewGetMember(view, member, &value) && !required)
		return NULL;
	if (value.type == JVIEW_STRING && SpanIsOneOf(SpanOf(value.str, value.len), words))
		return NULL;
	return CaseMemberProblem(member, demand, &value);
}

static const char *
TextProblem(const JsonView *view, const char *member, int most, bool required)
{
	JsonView	value = {.type = JVIEW_ABSENT};

	if (!JsonViewGetMember(view, member, &value) && !required)
		return NULL;
	if (value.type == JVIEW_STRING && value.len > 0 && value.len <= most)
		return NULL;
	if (value.type == JVIEW_STRING && value.len > most)
		return psprintf("%s has %d bytes, and may have %d", member, value.len, most);
	return CaseMemberProblem(member, "must be a text that is not empty", &value);
}

/* Checks that a member is an array of texts, none of them empty. */
static const char *
TextsProblem(const JsonView *view, const char *member, int most, int size)
{
	JsonView	value;

	if (!JsonViewGetMember(view, member, &value))
		return NULL;
	if (value.type != JVIEW_ARRAY)
		return CaseMemberProblem(member, "must be an array of texts", &value);
	if (JsonViewCount(&value) > most)
		return psprintf("%s has %d elements, and may have %d", member, JsonViewCount(&value), most);
	for (int i = 0; i < JsonViewCount(&value); i++)
	{
		JsonView	element = JsonViewAt(&value, i);

		if (element.type != JVIEW_STRING || element.len == 0 || element.len > size)
			return CaseMemberProblem(psprintf("%s[%d]", member, i), psprintf("must be a text of 1 to %d bytes", size), &element);
	}
	return NULL;
}

static const char *
TypeProblem(const JsonView *view, const char *member, JsonViewType type, const char *demand, bool required)
{
	JsonView	value = {.type = JVIEW_ABSENT};

	if (!JsonViewGetMember(view, member, &value) && !required)
		return NULL;
	return value.type == type ? NULL : CaseMemberProblem(member, demand, &value);
}

static const char *
BehaviorProblem(const JsonView *view)
{
	static const char *const names[] = {"must_surface_conflict", "must_detect_staleness", NULL};
	JsonView	behavior;
	const char *problem = TypeProblem(view, "required_behavior", JVIEW_OBJECT, "must be an object", false);
	Span		unknown;

	if (problem || !JsonViewGetMember(view, "required_behavior", &behavior))
		return problem;
	if (!HasOnlyKeys(&behavior, names, &unknown))
		return psprintf("required_behavior has the unknown member \"%.*s\": there are must_surface_conflict and must_detect_staleness",
						unknown.len, unknown.str);
	for (int i = 0; names[i]; i++)
	{
		JsonView	flag;

		if (JsonViewGetMember(&behavior, names[i], &flag) && flag.type != JVIEW_BOOL)
			return CaseMemberProblem(psprintf("required_behavior.%s", names[i]), "must be true or false", &flag);
	}
	return NULL;
}

/* Checks that one of two members is there, and not both. */
static const char *
EitherProblem(const JsonView *view, const char *one, const char *other)
{
	JsonView	value;
	bool		has_one = JsonViewGetMember(view, one, &value);
	bool		has_other = JsonViewGetMember(view, other, &value);

	if (has_one != has_other)
		return NULL;
	return has_one ? psprintf("%s and %s exclude each other", one, other) :
		psprintf("%s is missing, or %s", one, other);
}

/*
 * Checks pinned judgements.  Whoever loads a suite is responsible for them: the
 * judges need not be registered, and a pair need not occur in the case.  Plans and
 * checks look judgements up by their kind.
 */
static const char *
JudgementsProblem(const JsonView *view)
{
	const char *problem = TypeProblem(view, "judgements", JVIEW_ARRAY, "must be an array of judgements", false);
	const Judgements *judgements;
	JsonView	given = {.type = JVIEW_ABSENT};

	if (problem || !JsonViewGetMember(view, "judgements", &given))
		return problem;
	if (JsonViewCount(&given) > CASE_MAX_JUDGEMENTS)
		return psprintf("judgements has %d elements, and may have %d", JsonViewCount(&given), CASE_MAX_JUDGEMENTS);
	judgements = JudgementsParse(&given, &problem);
	for (int i = 0; judgements && CaseKindOf(view) != CASE_GROUNDED && i < judgements->count; i++)
	{
		if (!judgements->items[i].has_kind)
			return psprintf("judgements[%d].kind is missing: it must be entailment, answers or conflict",
							judgements->items[i].place);
	}
	return problem;
}

const Judgements *
CaseJudgements(const JsonView *view)
{
	JsonView	given = JsonViewUnder(view, "judgements");
	const JsonView nothing = {.type = JVIEW_ABSENT};
	const Judgements *judgements;
	const char *problem;

	judgements = JudgementsParse(&given, &problem);
	return judgements ? judgements : JudgementsParse(&nothing, &problem);
}

static const char *
GroundedProblem(const JsonView *view)
{
	JsonView	value;
	const char *problem = TextProblem(view, "query", QUERY_MAX_SIZE, true);

	if (!problem)
		problem = WordProblem(view, "expected_outcome", outcomes,
							  "must be ANSWER, ANSWER_WITH_CAVEATS, CLARIFY, ABSTAIN or BLOCK", true);
	if (!problem)
		problem = WordProblem(view, "risk_level", levels, "must be high, medium or low", true);
	if (!problem)
		problem = BehaviorProblem(view);
	if (!problem)
		problem = TextsProblem(view, "required_citation_doc_ids", 50, 1024);
	if (!problem)
		problem = TypeProblem(view, "answer", JVIEW_STRING, "must be a text", false);
	if (!problem)
		problem = TypeProblem(view, "citations", JVIEW_ARRAY, "must be an array of texts", false);
	if (!problem)
		problem = TypeProblem(view, "chunks", JVIEW_ARRAY, "must be an array of chunks", false);
	if (!problem && JsonViewGetMember(view, "citations", &value) && !JsonViewGetMember(view, "answer", &value))
		problem = "citations need an answer, which they support";
	return problem;
}

static const char *
CheckCaseProblem(const JsonView *view)
{
	const char *problem = TypeProblem(view, "request", JVIEW_OBJECT, "must be a request for answer_eval()", true);

	if (!problem)
		problem = EitherProblem(view, "expected_verdict", "expected_verdicts");
	if (!problem)
		problem = TextProblem(view, "expected_verdict", SLICE_MAX_SIZE, false);
	if (!problem)
		problem = TextsProblem(view, "expected_verdicts", 1000, SLICE_MAX_SIZE);
	return problem;
}

static const char *
QuestionProblem(const JsonView *view)
{
	const char *problem = EitherProblem(view, "query", "question");

	if (!problem)
		problem = TextProblem(view, "query", QUERY_MAX_SIZE, false);
	if (!problem)
		problem = TextProblem(view, "question", QUERY_MAX_SIZE, false);
	if (!problem)
		problem = EitherProblem(view, "expected_route", "expected_refusal");
	if (!problem)
		problem = TextProblem(view, "expected_route", ID_MAX_SIZE, false);
	if (!problem)
		problem = TextProblem(view, "expected_refusal", ID_MAX_SIZE, false);
	return problem;
}

static const char *
PlanProblem(const JsonView *view)
{
	const char *problem = TypeProblem(view, "plan", JVIEW_OBJECT, "must be a plan, or {\"ref\": id}", true);

	if (!problem)
		problem = TypeProblem(view, "vars", JVIEW_OBJECT, "must be an object", false);
	if (!problem)
		problem = TypeProblem(view, "budgets", JVIEW_OBJECT, "must be an object", false);
	if (!problem)
		problem = TextProblem(view, "intent", ID_MAX_SIZE, false);
	if (!problem)
		problem = WordProblem(view, "expected_outcome", plan_outcomes, "must be answered, blocked, refused or failed", true);
	return problem;
}

static const char *
UnknownMember(const JsonView *view)
{
	const char *own = own_members[CaseKindOf(view)];

	for (int i = 0; i < JsonViewCount(view); i++)
	{
		Span		key;

		(void) JsonViewMember(view, i, &key);
		if (!ListHas(common_members, key.str, key.len) && !ListHas(own, key.str, key.len))
			return psprintf("\"%.*s\" is no member of a %s case: those are %s%s", key.len, key.str,
							case_kinds[CaseKindOf(view)], common_members, own);
	}
	return NULL;
}

const char *
CaseProblem(const JsonView *view)
{
	static const char *const kinds[] = {"grounded", "check", "question", "plan", NULL};
	const char *problem;

	if (view->type != JVIEW_OBJECT)
		return "it must be an object";
	problem = TextProblem(view, "id", ID_MAX_SIZE, true);
	if (!problem)
		problem = WordProblem(view, "kind", kinds, "must be grounded, check, question or plan", false);
	if (!problem)
		problem = UnknownMember(view);
	if (!problem)
		problem = TypeProblem(view, "notes", JVIEW_STRING, "must be a text", false);
	if (!problem)
		problem = WordProblem(view, "risk_level", levels, "must be high, medium or low", false);
	if (!problem)
		problem = TextsProblem(view, "slices", SLICES_MAX, SLICE_MAX_SIZE);
	if (!problem)
		problem = JudgementsProblem(view);
	if (problem)
		return problem;
	switch (CaseKindOf(view))
	{
		case CASE_GROUNDED:
			return GroundedProblem(view);
		case CASE_CHECK:
			return CheckCaseProblem(view);
		case CASE_QUESTION:
			return QuestionProblem(view);
		case CASE_PLAN:
			return PlanProblem(view);
	}
	return NULL;
}

/*
 * digests
 */

JsonView
CaseReduced(const JsonView *view)
{
	static const char *const names[] = {"chunks"};
	JsonView	reduced;
	JsonView	chunks;
	char	   *digest;

	if (!JsonViewGetMember(view, "chunks", &chunks) || chunks.type != JVIEW_ARRAY)
		return *view;
	reduced = JsonViewCopyWithout(view, names, 1, 1);
	digest = palloc(DIGEST_TEXT_LENGTH + 1);
	CanonicalDigestPortable(&chunks, digest);
	JsonViewSet(&reduced, "chunks", JsonViewCString(digest));
	return reduced;
}

void
CaseDigest(const JsonView *view, char *digest)
{
	JsonView	reduced = CaseReduced(view);

	CanonicalDigestPortable(&reduced, digest);
}

void
SuiteDigest(const JsonView *cases, const JsonView *documents, const JsonView *now, char *digest)
{
	JsonView	whole = JsonViewNewObject(3);

	JsonViewSet(&whole, "cases", *cases);
	JsonViewSet(&whole, "documents", *documents);
	JsonViewSet(&whole, "now", *now);
	CanonicalDigest(&whole, NULL, digest);
}
