/*-------------------------------------------------------------------------
 *
 * enums.h
 *		The closed vocabularies: C enums and the SQL enums that mirror them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_ENUMS_H
#define ANSWER_EVAL_ENUMS_H

#include "fmgr.h"

#include "base/compat.h"

/* Verdict of one check, in the order of the SQL enum answer_verdict. */
typedef enum Verdict
{
	VERDICT_SUPPORTED,
	VERDICT_CONTRADICTED,
	VERDICT_VALUE,
	VERDICT_NOT_EVALUABLE,
	VERDICT_EVIDENCE_UNAVAILABLE,
	VERDICT_OUTSIDE_EVIDENCE_COVERAGE,
	VERDICT_NOT_CHECKED
} Verdict;

/* Verdict of a batch, in the order of answer_composite_verdict. */
typedef enum CompositeVerdict
{
	COMPOSITE_SUPPORTED,
	COMPOSITE_CONTRADICTED,
	COMPOSITE_INSUFFICIENT_EVIDENCE,
	COMPOSITE_EVIDENCED,
	COMPOSITE_OUTSIDE_EVIDENCE_COVERAGE
} CompositeVerdict;

/* How precisely evidence answers, least first, in the order of answer_quality_level. */
typedef enum Quality
{
	QUALITY_NONE,
	QUALITY_WEAK,
	QUALITY_MODERATE,
	QUALITY_STRONG,
	QUALITY_VERIFIED
} Quality;

/* How much evidence there is, least first, in the order of answer_strength_level. */
typedef enum Strength
{
	STRENGTH_NONE,
	STRENGTH_LOW,
	STRENGTH_MEDIUM,
	STRENGTH_HIGH
} Strength;

/*
 * What is missing if evidence is not as good as it must be, in the order in which gaps
 * are closed, which is that of answer_gap_kind.
 */
typedef enum GapKind
{
	GAP_MISSING,
	GAP_WEAK,
	GAP_UNVERIFIED				/* Strong was reached, Verified is needed */
} GapKind;

#define VOCABULARY_MAX	16

/* Labels of one SQL enum in the order of the C enum, ending in NULL. */
typedef const char *const VocabularyLabels[VOCABULARY_MAX];

extern VocabularyLabels outcome_labels;
extern VocabularyLabels verdict_labels;
extern VocabularyLabels composite_labels;
extern VocabularyLabels quality_labels;
extern VocabularyLabels strength_labels;
extern VocabularyLabels gap_labels;

/* The OIDs that a SQL enum's labels have in this database. */
typedef struct Vocabulary
{
	Oid			type;			/* InvalidOid if not looked up yet */
	Oid			oids[VOCABULARY_MAX];
} Vocabulary;

extern GapKind GapOfQuality(Quality have);
extern void VocabularyLookup(Vocabulary *vocabulary, Oid type, VocabularyLabels labels);
extern int	VocabularyIndex(const Vocabulary *vocabulary, Oid value);
extern int	VocabularyByLabel(VocabularyLabels labels, const char *label, int len);
extern Oid	VocabularyOid(FunctionCallInfo fcinfo, Oid type,
						  VocabularyLabels labels, int value);

#endif							/* ANSWER_EVAL_ENUMS_H */
