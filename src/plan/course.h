/*-------------------------------------------------------------------------
 *
 * course.h
 *		The course of a plan: how each step is called, and what follows from its
 *		result.
 *
 * Execution (kernel_step.c) and replay (plan_receipt.c) make the same calls, so
 * that both decide alike:
 *
 *	CourseBegin, CourseMeasure, CourseForecast
 *	repeated until CourseNext returns false:
 *		CourseNext
 *		unless that decided the step: CourseTake for each result of a call,
 *		and CourseJudge
 *		CourseAdvance
 *	CourseEnd
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_COURSE_H
#define ANSWER_EVAL_COURSE_H

#include "base/canonical.h"
#include "plan/ground_conf.h"
#include "plan/forecast.h"
#include "plan/freshness.h"
#include "plan/invoke.h"
#include "plan/ir.h"
#include "plan/origin.h"
#include "plan/schedule.h"
#include "plan/tool_spec.h"

typedef enum PlanVerdict
{
	PLAN_ANSWERED,
	PLAN_BLOCKED,
	PLAN_REFUSED,
	PLAN_FAILED
} PlanVerdict;

/* "answered", "blocked", "refused", "failed" */
extern const char *const plan_verdict_labels[];

/* Outcome of a step in events, in addition to those of StepOutcome. */
#define OUTCOME_BLOCKED		"blocked"

/* Says why a plan ended without an answer. */
typedef struct PlanReason
{
	const char *kind;			/* see plan_receipt.h; NULL: it was answered */
	const char *message;		/* one sentence, in UTF-8 */
	int			node;			/* or -1 */
} PlanReason;

/* An Evidence that a step gave, after the kernel has settled it. */
typedef struct CourseEvidence
{
	JsonView	view;
	JsonView	sources;		/* the sources that the call was given; absent: none */
	char		digest[DIGEST_TEXT_LENGTH + 1];	/* of its portable form */
	EvidenceVerdict verdict;
	Origin		origin;
} CourseEvidence;

typedef struct Course
{
	/* input */
	JsonView	specs;			/* {name: ToolSpec} */
	JsonView	vars;
	OriginTerms terms;
	PlanIr	   *plan;
	ToolSpec  **spec;			/* by node; NULL if the node has no tool */
	EvidencePolicy policy;
	FreshnessScale scale;
	bool		texts_of_few;	/* are texts read by the earlier rule? (text_status.h) */
	JsonView	judgements;		/* judgements in the request, or absent */
	JsonView	measured;		/* {tool: {p50_ms, calls}}; absent in documents from before calls were measured */
	PlanForecast forecast;

	/* state */
	PlanSchedule *schedule;
	bool	   *is_bound;		/* by node: does it bind its name? */
	JsonView   *values;			/* by node: the value that it binds */
	Origin	   *origins;		/* by node: where its value comes from, even if it binds no name */
	const Origin **given;		/* by node: where the result of its call comes from; NULL: not computed yet */
	const Origin **items;		/* two by node: where the items of a map come from, in general and as evidence;
								 * NULL: not computed yet */
	int			nevidences;
	int			capacity;
	CourseEvidence **evidences; /* oldest first */
	JsonView	text_result;	/* of the last node whose result has a text; absent: none yet */
	const CourseEvidence *text_evidence;	/* evidence that the text rests on; NULL: none */
	Origin		text_origin;
	PlanPrice	used;			/* what was charged; the caller adds to it */
	JsonView	caveats;
	int			waiting;		/* the node whose step is due, or -1 */
	int			attempts;		/* attempts made for that node */
	bool		is_deepening;	/* has it gone breadth first, and may it go on in depth? */
	JsonView	breadth;		/* arguments of the breadth-first call */
	JsonView	depth;			/* sources which that call left out and which may still be read */

	/* outcome */
	bool		is_over;
	PlanVerdict verdict;
	PlanReason	reason;
	JsonView	response;		/* {text, citations, evidence}, or null */
} Course;

/* One step: one attempt at a node. */
typedef struct CourseStep
{
	int			node;
	int			attempt;		/* from 1 */
	bool		is_decided;		/* no call is needed: "outcome" is final */
	const char *outcome;		/* as written in the event */
	const char *reason;			/* in UTF-8, or NULL */
	const char *kind;			/* set if the step ends the plan: why; the verdict is next */
	PlanVerdict verdict;
	JsonView	inputs;			/* resolved; absent if they could not be resolved */
	JsonView	outputs;		/* the whole result, or the boolean; absent: none */
	PlanSide	taken;			/* for a branch */
	int			ncalls;
	JsonView   *calls;			/* arguments of each call */
	PlanPrice	price;			/* of one call, after degradation */
	int			ndepth;			/* sources that a second call may read, see CourseDeepen; 0: no second call */
	JsonView	left_out;		/* sources that a breadth-first call leaves out, see depth in Course */
	const CourseEvidence *provenance;	/* for a memory write; NULL: it refers to no Evidence of this trace */
	Origin		written;		/* for a memory write: origin of the value and of the evidence that it rests on */
} CourseStep;

/*
 * Begins a course.  Returns the problems of an invalid plan, else NULL.  The
 * arguments must outlive the course.
 */
extern const PlanProblems *CourseBegin(Course *course, const JsonView *plan, const JsonView *specs,
									   const JsonView *vars, const EvidencePolicy *policy,
									   const OriginTerms *terms);

/* Takes the part of the request that the document keeps. Its judgements are passed to verifiers. */
extern void CourseTakeRequest(Course *course, const JsonView *request);

/*
 * Takes the measured latencies of the plan's tools; an absent view means that
 * nothing was measured.  Returns false if it is malformed.  Call it before
 * CourseForecast.
 */
extern bool CourseMeasure(Course *course, const JsonView *measured);

/*
 * Returns the "basis" of a node's latency, as its events state it; NULL if it calls
 * nothing, or nothing was measured at the time.
 */
extern const char *CourseBasis(const Course *course, int node);

/* Returns {latency_ms, cost_usd}, with the basis of the latency. */
extern JsonView CourseUsedView(const Course *course);

/*
 * Takes evaluated_at, and the rules that the policy names; without rules no age is
 * judged.  The rules must outlive the course.
 */
extern void CourseTakeClock(Course *course, TimestampTz evaluated_at, const DecisionRules *rules);

/* Do any results of its steps depend on these rules? */
extern bool CourseNeedsRules(const Course *course);

/*
 * Could the plan go on with this evidence in place of everything that it verifies?
 * Decides from what is known before execution: each verifying node has the claims
 * of the evidence and thresholds that it meets, each assertion holds, and the plan
 * has no branch.  Whatever is not known yet counts as no.
 */
extern bool CourseWouldTake(const Course *course, const JsonView *evidence);

/* Forecasts the plan within limits. Call it before the first step. */
extern void CourseForecast(Course *course, const PlanLimits *limits);

/*
 * Finds the next step and the arguments of its calls.  Returns false if there is
 * none.  Called again, it returns the same step.
 */
extern bool CourseNext(Course *course, CourseStep *step);

/*
 * After a breadth-first verification: CourseDeepen sets the call and the price to
 * read "count" more sources, all from documents that supported the claims.
 * CourseLeaveDepth ends the step without them, because there is no budget for them.
 */
extern void CourseDeepen(Course *course, CourseStep *step, int count);
extern void CourseLeaveDepth(Course *course);

/*
 * Answers from remembered evidence instead of executing the plan.  Returns false if
 * that evidence is blocked or malformed.
 */
extern bool CourseSummarize(Course *course, const JsonView *evidence, const Origin *origin, const char *caveat);

/*
 * Takes the result of one call with its completed arguments, and settles each
 * Evidence in it, whatever verdict the Evidence itself states. "is_reported" says
 * that the application gave the result, as the tool's spec says too.  If an
 * Evidence is malformed, returns false and sets *problem, one sentence.
 */
extern bool CourseTake(Course *course, const CourseStep *step, const JsonView *args, bool is_reported,
					   JsonView *result, const char **problem);

/* Takes a finished step, with its outcome, reason, inputs and outputs. */
extern void CourseAdvance(Course *course, CourseStep *step);

/* One event of a trace with its inputs and outputs; absent: none, or left out. */
typedef struct FollowRecord
{
	JsonView	event;
	JsonView	inputs;
	JsonView	outputs;
} FollowRecord;

/* Where a record differs from the course. */
typedef struct FollowReport
{
	bool		is_incomplete;	/* nothing differs, but inputs or outputs were left out */
	PlanPrice	price;			/* of one call of the step */
	bool		is_measured;	/* was the tool's latency measured? */
	int			ncalls;			/* calls made, if all went well */
	const char *field;			/* the member of the event that differs */
	JsonView	expected;		/* absent if more than one value is right */
	JsonView	found;			/* the value found, or a sentence that says what is wrong */
} FollowReport;

/*
 * Follows the step that a record describes.  Returns false and fills the report if
 * the course differs from it.
 */
extern bool CourseFollow(Course *course, const FollowRecord *record, FollowReport *report);

/* Ends the course after its last step, and sets the plan's answer. */
extern void CourseEnd(Course *course);

/* Ends the course early. */
extern void CourseStop(Course *course, PlanVerdict verdict, const char *kind, const char *message, int node);

/* Sets step->kind and step->verdict from the outcome of a call; kind stays NULL if the plan goes on. */
extern void CourseJudge(CourseStep *step, StepOutcome outcome);

/* Does the step write memory? Such a step may be refused without ending the plan. */
extern bool CourseWritesMemory(const Course *course, const CourseStep *step);

#endif							/* ANSWER_EVAL_COURSE_H */
