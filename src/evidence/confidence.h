/*-------------------------------------------------------------------------
 *
 * confidence.h
 *		fact-conf/1: the confidence of a fact, computed from public signals.
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

/* What corroboration needs of one source's reading, and what SourcesCompare finds about it. */
typedef struct SourceReading
{
	Span		source;			/* empty if no source is named */
	Span		group;			/* empty if the source is a group of its own */
	JsonView	value;			/* absent if there is nothing to compare */
	bool		fresh;
	int			same;			/* number of fresh groups with this value, including its own */
	int			other;			/* and of those with another value */
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
