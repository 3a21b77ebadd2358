/*-------------------------------------------------------------------------
 *
 * quality_assess.h
 *		Assesses the entries of an investigation.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_QUALITY_ASSESS_H
#define ANSWER_EVAL_QUALITY_ASSESS_H

#include "fmgr.h"
#include "utils/array.h"

#include "base/enums.h"
#include "base/jsonview.h"
#include "check/operator.h"
#include "quality/quality_rules.h"
#include "reading/decision_rules.h"

/* Confidence in an investigation, lowest first; the type answer_confidence. */
typedef enum ConfidenceLevel
{
	CONFIDENCE_NONE,
	CONFIDENCE_LOW,
	CONFIDENCE_MEDIUM,
	CONFIDENCE_HIGH,
	CONFIDENCE_COMPLETE
} ConfidenceLevel;

/* The type answer_agreement. */
typedef enum Agreement
{
	AGREEMENT_AGREE,
	AGREEMENT_DISAGREE,
	AGREEMENT_ALONE
} Agreement;

/*
 * Why a class has its level, and why not the next one; ordered as in
 * answer_quality_code.  Of several reasons why Strong is not Verified, the first
 * that applies is given.
 */
typedef enum QualityCode
{
	CODE_NOTHING_COLLECTED,
	CODE_NOTHING_FOUND,
	CODE_ONE_PRODUCER,
	CODE_CORROBORATED,
	CODE_AUTHORITATIVE,
	CODE_NO_BETTER_ENTRY,
	CODE_PARTNER_WEAK,
	CODE_SAME_FAMILY,
	CODE_OTHER_TARGET,
	CODE_NO_TARGET,
	CODE_NO_PARTNER
} QualityCode;

typedef struct AssessState AssessState;
typedef struct AssessEntry AssessEntry;
typedef struct AssessmentRows AssessmentRows;

/* What an investigation is for. */
typedef struct Goal
{
	Span		intent;
	Span		question;
	Span		subject;		/* empty: nothing is sought by name */
	const DecisionRules *reading;	/* rules by which texts are read; must outlive the assessment */
	int			subject_rules;	/* rules that decide what is about the subject */
} Goal;

/* A new entry; everything is copied. */
typedef struct AssessInput
{
	Span		class_name;
	Span		tool;
	Span		query;
	Span		target;
	int			nsources;
	const Span *sources;
	Span		reason;
	Quality		quality;
	Strength	strength;
	JsonView	observation;	/* or absent */
	Span		address;		/* identity of the entry; empty: differs from all others */
} AssessInput;

/* The assessment of a class. */
typedef struct ClassAssessment
{
	Span		name;
	bool		is_shown;		/* required, or there is evidence for it */
	bool		is_required;
	Quality		need;			/* if required */
	Quality		held;			/* of the best entry alone */
	Quality		quality;		/* derived */
	Strength	strength;
	int64		entries;
	Span		tool;			/* tool that best gives the next level, or empty */
	QualityCode code;			/* why it has this quality */
	bool		has_next;
	Quality		next;
	QualityCode next_code;		/* why it does not have the next quality */
	/* facts for the reasons, which are worded on demand */
	const AssessEntry *best;
	const AssessEntry *authority;	/* or NULL */
	const struct Corroboration *corroboration;
} ClassAssessment;

typedef struct Gap
{
	const ClassAssessment *class_held;
	GapKind		kind;
	Span		tool;			/* or empty */
} Gap;

typedef struct Assessment
{
	int			nclasses;
	ClassAssessment *classes;	/* ordered as in the table */
	int			ngaps;
	Gap		   *gaps;
	bool		is_complete;
	bool		is_rated;		/* false if nothing is required */
	ConfidenceLevel level;
	Quality		quality;		/* of the lowest required class */
	const char *coverage;
	Agreement	agreement;
	const char *explanation;
} Assessment;

extern VocabularyLabels confidence_labels;
extern VocabularyLabels agreement_labels;
extern VocabularyLabels code_labels;
extern VocabularyLabels investigation_outcome_labels;

extern AssessState *AssessBegin(const QualityRules *rules, const Goal *goal);
extern void AssessAdd(AssessState *state, const AssessInput *input);
extern void AssessFinish(const AssessState *state, Assessment *assessment);
extern Span SubjectArgument(FunctionCallInfo fcinfo, int n);
extern Span *SpansOfArray(ArrayType *array, int *count);
extern AssessmentRows *AssessmentRowsInit(FunctionCallInfo fcinfo);
extern Datum AssessmentRow(const AssessmentRows *rows, const Assessment *assessment,
						   bool with_classes);
extern _Noreturn void UnknownIntent(const char *intent);
extern void AssessmentSet(JsonView *object, const Assessment *assessment);

#endif							/* ANSWER_EVAL_QUALITY_ASSESS_H */
