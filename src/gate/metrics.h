/*-------------------------------------------------------------------------
 *
 * metrics.h
 *		The metrics of a run, computed from its cases.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GATE_METRICS_H
#define ANSWER_EVAL_GATE_METRICS_H

#include "utils/numeric.h"

#include "base/jsonview.h"

#define METRICS_RULE	"run-metrics/2"

/* The former rule. It had only the metrics before METRIC_UNJUDGED, and a curve over the best chunk found. */
#define EARLIER_METRICS_RULE	"run-metrics/1"

/* Maximum number of slices in a suite, with the three that every suite has. */
#define SUITE_MAX_SLICES	100

/* Rates, in the order in which they are shown. */
typedef enum Metric
{
	METRIC_PASS,
	METRIC_FALSE_ACCEPT,
	METRIC_FALSE_REFUSE,
	METRIC_CITATION_VALIDITY,
	METRIC_STALENESS,
	METRIC_CONFLICT,
	METRIC_UNJUDGED,
	METRIC_CONTRADICTED,
	METRIC_UNSUPPORTED,
	METRICS_COUNT
} Metric;

/* Number of metrics in EARLIER_METRICS_RULE. */
#define EARLIER_METRICS_COUNT	METRIC_UNJUDGED

extern const char *const metric_names[];

/*
 * Returns {cases, passed, errors, unsafe_answers, metrics {name: {n, of, rate}},
 * slices {name: the same without the curve}, risk_coverage {area, points}} for an
 * array of rows with scores; with is_earlier by EARLIER_METRICS_RULE.
 */
extern JsonView RunMetrics(const JsonView *rows, bool is_earlier);

/* Returns n / of to four decimals, half-even; JSON null if of is 0. */
extern JsonView RateView(int64 n, int64 of);

#endif							/* ANSWER_EVAL_GATE_METRICS_H */
