/*-------------------------------------------------------------------------
 *
 * confidence.h
 *		fact-conf/1: the confidence of a fact, from signals anyone can see.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_CONFIDENCE_H
#define ANSWER_EVAL_CONFIDENCE_H

#include "base/jsonview.h"
#include "check/operator.h"

typedef struct FactSignals
{
	bool		is_signed;
	bool		source_present;
	bool		fresh;
	bool		corroborated;
	bool		conflict;
} FactSignals;

/* One source's reading, as far as corroboration looks at it. */
typedef struct SourceReading
{
	Span		source;			/* empty: no source named */
	Span		group;			/* empty: the source is its own group */
	JsonView	value;			/* absent: nothing to compare */
	bool		fresh;
} SourceReading;

extern int	FactConfidenceHundredths(const FactSignals *signals, Span basis);
extern const char *FactSignalsParse(const JsonView *verification,
									FactSignals *signals, Span *basis);
extern int	SourcesCompare(const SourceReading *readings, int count,
						   FactSignals *signals);
extern JsonView VerificationView(const FactSignals *signals, Span basis,
								 int sources, const char *vantage, const char *note);

#endif							/* ANSWER_EVAL_CONFIDENCE_H */
