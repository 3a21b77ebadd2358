/*-------------------------------------------------------------------------
 *
 * quality_rules.h
 *		The rules of evidence quality, read from a document.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_QUALITY_RULES_H
#define ANSWER_EVAL_QUALITY_RULES_H

#include "base/enums.h"
#include "base/jsonview.h"
#include "check/operator.h"

/* What must hold for an entry of a class; otherwise it is at most Weak. */
typedef enum Relevance
{
	RELEVANCE_QUERY,			/* its query contains the whole subject */
	RELEVANCE_TARGET,			/* another tool found its target, or the question names it */
	RELEVANCE_NONE				/* nothing */
} Relevance;

typedef struct ClassRule
{
	Span		name;
	Span		tool;			/* tool that best closes a gap; the next two may be empty */
	Span		identifier_tool;	/* if the query is a single identifier */
	Span		verify_tool;	/* if Strong is held and Verified is needed */
	Relevance	relevance;
	bool		compares_results;	/* does a rule need equal results? */
} ClassRule;

typedef struct ToolRule
{
	Span		name;			/* first, for SpanOrderItems() */
	int			family;
} ToolRule;

/* An observation that settles a question by itself. */
typedef struct AuthorityRule
{
	int			tool;
	int			class_no;
	JsonView	condition;		/* members that the observation must have */
	Quality		quality;
} AuthorityRule;

/* Evidence of one class that makes evidence of another class Verified. */
typedef struct CompatibilityRule
{
	int			class_no;
	int			with;
	Quality		quality;
	Quality		with_quality;
	bool		same_target;
	bool		same_tool;		/* are equal results of one tool enough, too? */
} CompatibilityRule;

typedef struct Need
{
	int			class_no;
	Quality		quality;
} Need;

typedef struct IntentRule
{
	Span		name;
	int			nneeds;
	Need	   *needs;
} IntentRule;

/* Stems of words that name the kind of thing that a question seeks, and not the thing itself. Sorted. */
typedef struct QuestionForm
{
	int			count;
	Span	   *stems;
} QuestionForm;

typedef struct QualityRules
{
	int			nclasses;
	ClassRule  *classes;
	ClassRule **by_name;		/* the same classes, sorted */
	int			ntools;
	ToolRule   *tools;			/* sorted by name */
	int			nauthorities;
	AuthorityRule *authorities;
	int			ncompatibilities;
	CompatibilityRule *compatibilities;
	int			nintents;
	IntentRule *intents;
	QuestionForm question_form;
} QualityRules;

extern VocabularyLabels relevance_labels;

extern QualityRules *RulesParse(const JsonView *document, const char **problem);
extern QuestionForm QuestionFormOf(const Span *words, int count);
extern QualityRules *RulesOfView(const JsonView *document);
extern int	RulesClass(const QualityRules *rules, Span name);
extern const ToolRule *RulesTool(const QualityRules *rules, Span name);
extern const IntentRule *RulesIntent(const QualityRules *rules, Span name);

extern Span SpanCopy(Span text);

#endif							/* ANSWER_EVAL_QUALITY_RULES_H */
