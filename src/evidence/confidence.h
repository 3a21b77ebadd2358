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

/* One source's reading, as far as corroboration looks at it, and what SourcesCompare tells it. */
typedef struct SourceReading
{
	Span		source;			/* empty: no source named */
	Span		group;			/* empty: the source is its own group */
	JsonView	value;			/* absent: nothing to compare */
	bool		fresh;
	int			same;			/* fresh groups that say this value, its own included */
	int			other;			/* and those that say another */
} SourceReading;

extern int	FactConfidenceHundredths(const FactSignals *signals, Span basis);
extern const char *FactSignalsParse(const JsonView *verification,
									FactSignals *signals, Span *basis);
extern int	SourcesCompare(SourceReading *readings, int count, bool *conflict);
extern bool SourceIsCorroborated(const SourceReading *reading);
extern const char *SourcesNote(const char *note, const SourceReading *reading, int sources);
extern JsonView VerificationView(const FactSignals *signals, Span basis, Span path,
								 int sources, const char *vantage, const char *note);

#endif							/* ANSWER_EVAL_CONFIDENCE_H */
