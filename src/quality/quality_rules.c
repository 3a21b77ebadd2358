/*-------------------------------------------------------------------------
 *
 * quality_rules.c
 *		The rules of evidence quality, read from a document.
 *
 * Rule: doc/spec/quality.md §4 and §5.
 *
 * Pure.  The rules are rows that users can add to: classes of evidence, tools with their signal
 * families, authorities, compatibilities, what each intent requires, and words that only name the
 * kind of thing that a question seeks.  The view answer.quality_rules makes one document of them.
 * Receipts contain that document, so it is not trusted: problems are reported, never raised here.
 * Time grows as n log n with the document.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "base/canonical.h"
#include "base/search.h"
#include "quality/quality_rules.h"
#include "reading/stem.h"
#include "reading/text.h"

VocabularyLabels relevance_labels =
{
	"query", "target", NULL
};

/* The words for older documents, from before they were rows; receipts depend on them. */
static const char *const earlier_question_form[] = {
	"where", "find", "file", "function", "class", "code", "defined", "implemented", "located", "used", "called",
	"handled", "work", "works", "test", "tests", "line", "module", "search", "explain", "show", "describe",
	"codebase", "repository", "project"
};

/* Copies bytes, which may include zeroes. */
Span
SpanCopy(Span bytes)
{
	if (bytes.len == 0)
		return (Span) {"", 0};
	return (Span) {memcpy(palloc(bytes.len), bytes.str, bytes.len), bytes.len};
}

/* The rules being read, and the first problem. */
typedef struct RulesReader
{
	QualityRules *rules;
	const char *problem;
} RulesReader;

static void
RefuseRules(RulesReader *reader, const char *what)
{
	if (reader->problem == NULL)
		reader->problem = what;
}

/* Reads a name in rules; if optional, it may be missing, and is empty then. */
static Span
RuleText(RulesReader *reader, const JsonView *object, const char *key, bool must)
{
	JsonView	view;

	if (JsonViewGetMember(object, key, &view) && view.type == JVIEW_STRING)
		return SpanCopy((Span) {view.str, view.len});
	if (must)
		RefuseRules(reader, key);
	return (Span) {"", 0};
}

static bool
RuleFlag(RulesReader *reader, const JsonView *object, const char *key)
{
	JsonView	view;

	if (!JsonViewGetMember(object, key, &view) || view.type != JVIEW_BOOL)
		RefuseRules(reader, key);
	return view.type == JVIEW_BOOL && view.boolean;
}

static Quality
RuleQuality(RulesReader *reader, const JsonView *object, const char *key)
{
	Span		word = RuleText(reader, object, key, true);
	int			index = VocabularyByLabel(quality_labels, word.str, word.len);

	if (index < 0)
		RefuseRules(reader, key);
	return (Quality) Max(index, 0);
}

/* Returns what the entries of a class must meet; older rules require nothing. */
static Relevance
RuleRelevance(RulesReader *reader, const JsonView *object)
{
	JsonView	view;
	int			index;

	if (!JsonViewGetMember(object, "relevance", &view))
		return RELEVANCE_NONE;
	index = view.type == JVIEW_STRING ? VocabularyByLabel(relevance_labels, view.str, view.len) : -1;
	if (index < 0)
		RefuseRules(reader, "relevance");
	return index < 0 ? RELEVANCE_NONE : (Relevance) index;
}

/* Compares by name; equal names stay in the order in which they were read. */
static int
CompareClasses(const void *a, const void *b)
{
	const ClassRule *left = *(const ClassRule *const *) a;
	const ClassRule *right = *(const ClassRule *const *) b;
	int			cmp = SpanOrder(left->name, right->name);

	return cmp != 0 ? cmp : (left > right) - (left < right);
}

/* Returns the index of a class, or -1. */
int
RulesClass(const QualityRules *rules, Span name)
{
	int			low = 0;

	FIRST_PLACE(low, rules->nclasses, at, SpanOrder(rules->by_name[at]->name, name) < 0);
	return low < rules->nclasses && SpanEqual(rules->by_name[low]->name, name) ?
		rules->by_name[low] - rules->classes : -1;
}

/* Returns the index of a class; reports a problem and returns 0 if there is none. */
static int
RuleClass(RulesReader *reader, const JsonView *object, const char *key)
{
	int			number = RulesClass(reader->rules, RuleText(reader, object, key, true));

	if (number < 0)
		RefuseRules(reader, key);
	return Max(number, 0);
}

const ToolRule *
RulesTool(const QualityRules *rules, Span name)
{
	return bsearch(&name, rules->tools, rules->ntools, sizeof(ToolRule), SpanOrderItems);
}

/* Finds an array by name, and allocates room for its elements. */
static void *
RuleArray(RulesReader *reader, const JsonView *object, const char *key, JsonView *array,
		  int *count, size_t size)
{
	if (!JsonViewGetMember(object, key, array) || array->type != JVIEW_ARRAY)
		RefuseRules(reader, key);
	*count = array->type == JVIEW_ARRAY ? JsonViewCount(array) : 0;
	return palloc_extended(size * (Size) Max(*count, 1), MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
}

static void
ReadClasses(RulesReader *reader, const JsonView *document)
{
	QualityRules *rules = reader->rules;
	JsonView	array;
	JsonView	view;

	rules->classes = RuleArray(reader, document, "classes", &array, &rules->nclasses,
							   sizeof(ClassRule));
	for (int i = 0; i < rules->nclasses; i++)
	{
		JsonViewElement(&array, i, &view);
		rules->classes[i].name = RuleText(reader, &view, "class", true);
		rules->classes[i].tool = RuleText(reader, &view, "tool", false);
		rules->classes[i].identifier_tool = RuleText(reader, &view, "identifier_tool", false);
		rules->classes[i].verify_tool = RuleText(reader, &view, "verify_tool", false);
		rules->classes[i].relevance = RuleRelevance(reader, &view);
	}
	rules->by_name = palloc_extended(sizeof(ClassRule *) * (Size) Max(rules->nclasses, 1),
									 MCXT_ALLOC_HUGE);
	for (int i = 0; i < rules->nclasses; i++)
		rules->by_name[i] = &rules->classes[i];
	qsort(rules->by_name, rules->nclasses, sizeof(ClassRule *), CompareClasses);
}

/* A tool and the name of its family. */
typedef struct FamilyMember
{
	Span		family;			/* first, for SpanOrderItems() */
	ToolRule   *tool;
} FamilyMember;

/* Numbers the families. */
static void
NumberFamilies(FamilyMember *members, int count)
{
	int			family = 0;

	qsort(members, count, sizeof(FamilyMember), SpanOrderItems);
	for (int i = 0; i < count; i++)
	{
		if (i > 0 && !SpanEqual(members[i].family, members[i - 1].family))
			family++;
		members[i].tool->family = family;
	}
}

static void
ReadTools(RulesReader *reader, const JsonView *document)
{
	QualityRules *rules = reader->rules;
	JsonView	array;
	JsonView	view;
	FamilyMember *members;

	rules->tools = RuleArray(reader, document, "tools", &array, &rules->ntools, sizeof(ToolRule));
	members = palloc_extended(sizeof(FamilyMember) * (Size) Max(rules->ntools, 1), MCXT_ALLOC_HUGE);
	for (int i = 0; i < rules->ntools; i++)
	{
		CHECK_FOR_INTERRUPTS();
		JsonViewElement(&array, i, &view);
		rules->tools[i].name = RuleText(reader, &view, "tool", true);
		members[i] = (FamilyMember) {RuleText(reader, &view, "family", true), &rules->tools[i]};
	}
	NumberFamilies(members, rules->ntools);
	pfree(members);
	qsort(rules->tools, rules->ntools, sizeof(ToolRule), SpanOrderItems);
}

static void
ReadAuthorities(RulesReader *reader, const JsonView *document)
{
	QualityRules *rules = reader->rules;
	JsonView	array;
	JsonView	view;

	rules->authorities = RuleArray(reader, document, "authorities", &array,
								   &rules->nauthorities, sizeof(AuthorityRule));
	for (int i = 0; i < rules->nauthorities; i++)
	{
		AuthorityRule *authority = &rules->authorities[i];
		const ToolRule *tool;

		JsonViewElement(&array, i, &view);
		tool = RulesTool(rules, RuleText(reader, &view, "tool", true));
		authority->tool = tool ? tool - rules->tools : -1;
		authority->class_no = RuleClass(reader, &view, "class");
		authority->quality = RuleQuality(reader, &view, "quality");
		JsonViewGetMember(&view, "observation", &authority->condition);
		if (authority->condition.type != JVIEW_OBJECT)
			RefuseRules(reader, "observation");
		else
			JsonViewOfJsonb(JsonViewToJsonb(&authority->condition, false), &authority->condition);
	}
}

static void
ReadCompatibilities(RulesReader *reader, const JsonView *document)
{
	QualityRules *rules = reader->rules;
	JsonView	array;
	JsonView	view;

	rules->compatibilities = RuleArray(reader, document, "compatibilities", &array,
									   &rules->ncompatibilities, sizeof(CompatibilityRule));
	for (int i = 0; i < rules->ncompatibilities && rules->nclasses > 0; i++)
	{
		CompatibilityRule *rule = &rules->compatibilities[i];

		JsonViewElement(&array, i, &view);
		rule->class_no = RuleClass(reader, &view, "class");
		rule->with = RuleClass(reader, &view, "with");
		rule->quality = RuleQuality(reader, &view, "quality");
		rule->with_quality = RuleQuality(reader, &view, "with_quality");
		rule->same_target = RuleFlag(reader, &view, "same_target");
		rule->same_tool = RuleFlag(reader, &view, "same_tool");
		if (rule->same_tool)
			rules->classes[rule->class_no].compares_results = true;
	}
}

static void
ReadIntents(RulesReader *reader, const JsonView *document)
{
	QualityRules *rules = reader->rules;
	JsonView	array;
	JsonView	needs;
	JsonView	view;

	rules->intents = RuleArray(reader, document, "intents", &array, &rules->nintents,
							   sizeof(IntentRule));
	for (int i = 0; i < rules->nintents; i++)
	{
		IntentRule *intent = &rules->intents[i];

		CHECK_FOR_INTERRUPTS();
		JsonViewElement(&array, i, &view);
		intent->name = RuleText(reader, &view, "intent", true);
		intent->needs = RuleArray(reader, &view, "requires", &needs, &intent->nneeds, sizeof(Need));
		for (int j = 0; j < intent->nneeds; j++)
		{
			JsonViewElement(&needs, j, &view);
			intent->needs[j].class_no = RuleClass(reader, &view, "class");
			intent->needs[j].quality = RuleQuality(reader, &view, "quality");
		}
	}
}

/* Returns the stem of a word as written; a word with letters outside ASCII is only folded. */
static Span
StemOfWord(Span word)
{
	Span		stem = SpanCopy(FoldedAsWritten(TextWithoutFormat(word)));

	for (int i = 0; i < stem.len; i++)
	{
		if (stem.str[i] < 'a' || stem.str[i] > 'z')
			return stem;
	}
	stem.len = StemEnglish(unconstify(char *, stem.str), stem.len);
	return stem;
}

/* Returns the stems of words, in the current context. */
QuestionForm
QuestionFormOf(const Span *words, int count)
{
	QuestionForm form = {count, palloc_extended(sizeof(Span) * (Size) Max(count, 1), MCXT_ALLOC_HUGE)};

	for (int i = 0; i < count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		form.stems[i] = StemOfWord(words[i]);
	}
	qsort(form.stems, count, sizeof(Span), SpanOrderItems);
	return form;
}

static void
ReadQuestionForm(RulesReader *reader, const JsonView *document)
{
	int			count = lengthof(earlier_question_form);
	JsonView	array;
	JsonView	word;
	Span	   *words;

	if (!JsonViewGetMember(document, "question_form", &array))
	{
		words = palloc(sizeof(Span) * count);
		for (int i = 0; i < count; i++)
			words[i] = SpanOfCString(earlier_question_form[i]);
	}
	else
	{
		words = RuleArray(reader, document, "question_form", &array, &count, sizeof(Span));
		for (int i = 0; i < count; i++)
		{
			JsonViewElement(&array, i, &word);
			if (word.type == JVIEW_STRING)
				words[i] = SpanOf(word.str, word.len);
			else
				RefuseRules(reader, "question_form");
		}
	}
	reader->rules->question_form = QuestionFormOf(words, count);
}

/* Reads the rules, in the current context. If they are malformed, returns NULL and what is wrong. */
QualityRules *
RulesParse(const JsonView *document, const char **problem)
{
	RulesReader reader = {palloc0(sizeof(QualityRules)), NULL};

	ReadClasses(&reader, document);
	ReadTools(&reader, document);
	ReadAuthorities(&reader, document);
	ReadCompatibilities(&reader, document);
	ReadIntents(&reader, document);
	ReadQuestionForm(&reader, document);
	*problem = reader.problem;
	return reader.problem ? NULL : reader.rules;
}

/* Does the same; raises an error if they are malformed. */
QualityRules *
RulesOfView(const JsonView *document)
{
	const char *problem;
	QualityRules *rules = RulesParse(document, &problem);

	if (rules == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("the rules of evidence quality are malformed"),
				 errdetail("Something is wrong with \"%s\".", problem),
				 errhint("Take them from answer.quality_rules.")));
	return rules;
}

const IntentRule *
RulesIntent(const QualityRules *rules, Span name)
{
	for (int i = 0; i < rules->nintents; i++)
	{
		if (SpanEqual(rules->intents[i].name, name))
			return &rules->intents[i];
	}
	return NULL;
}
