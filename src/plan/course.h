/*-------------------------------------------------------------------------
 *
 * course.h
 *		The course of a plan: what each step is called with, and what follows
 *		from what came of it.
 *
 * Who executes a plan (kernel_step.c) and who replays its document (plan_receipt.c) go
 * through the same calls, so that both decide alike:
 *
 *	CourseBegin, CourseMeasure, CourseForecast
 *	CourseNext, until there is none: and, unless the step is decided by that,
 *	CourseTake for each result of a call and CourseJudge; CourseAdvance
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

/* Outcomes of steps beside those of StepOutcome, in events. */
#define OUTCOME_BLOCKED		"blocked"

/* Says why a plan ended without an answer. */
typedef struct PlanReason
{
	const char *kind;			/* see plan_receipt.h; NULL: it was answered */
	const char *message;		/* one sentence, in UTF-8 */
	int			node;			/* or -1 */
} PlanReason;

/* An Evidence that a step gave, as the kernel has settled it. */
typedef struct CourseEvidence
{
	JsonView	view;
	JsonView	sources;		/* that it was made of: an argument of the call; or absent */
	char		digest[DIGEST_TEXT_LENGTH + 1];	/* in portable form */
	EvidenceVerdict verdict;
	Origin		origin;
} CourseEvidence;

typedef struct Course
{
	/* what it goes by */
	JsonView	specs;			/* {name: ToolSpec} */
	JsonView	vars;
	OriginTerms terms;
	PlanIr	   *plan;
	ToolSpec  **spec;			/* node by node; NULL without a tool */
	EvidencePolicy policy;
	FreshnessScale scale;
	bool		texts_of_few;	/* are texts read by the rule of before? (text_status.h) */
	JsonView	judgements;		/* that the request hands in, or absent */
	JsonView	measured;		/* {tool: {p50_ms, calls}}; absent in what was made before calls were measured */
	PlanForecast forecast;

	/* where it is */
	PlanSchedule *schedule;
	bool	   *is_bound;		/* node by node: does it bind its name? */
	JsonView   *values;			/* and to what */
	Origin	   *origins;		/* and where that comes from, also of what binds none */
	const Origin **given;		/* what a call of the node gives comes from; NULL: not asked yet, like the next */
	const Origin **items;		/* and the items of a map: in any place, and where they stay evidence */
	int			nevidences;
	int			capacity;
	CourseEvidence **evidences; /* the newest last */
	JsonView	text_result;	/* of the last node whose result has a text; absent: none yet */
	const CourseEvidence *text_evidence;	/* what it rests on; NULL: nothing */
	Origin		text_origin;
	PlanPrice	used;			/* what was charged; whoever calls adds to it */
	JsonView	caveats;
	int			waiting;		/* the node whose step is due, or -1 */
	int			attempts;		/* of it, that were made */
	bool		is_deepening;	/* has it gone breadth first, and may it go on in depth? */
	JsonView	breadth;		/* the arguments of that call, */
	JsonView	depth;			/* and the sources that it left out and that may be looked into */

	/* where it ended */
	bool		is_over;
	PlanVerdict verdict;
	PlanReason	reason;
	JsonView	response;		/* {text, citations, evidence}, or null */
} Course;

/* One node on its way. */
typedef struct CourseStep
{
	int			node;
	int			attempt;		/* from 1 */
	bool		is_decided;		/* nothing is to be called: outcome says what came */
	const char *outcome;		/* as an event has it */
	const char *reason;			/* in UTF-8, or NULL */
	const char *kind;			/* if it ends the plan: why, and with which verdict */
	PlanVerdict verdict;
	JsonView	inputs;			/* resolved; absent where that failed */
	JsonView	outputs;		/* the whole result, or the boolean; absent: none */
	PlanSide	taken;			/* of a branch */
	int			ncalls;
	JsonView   *calls;			/* arguments of each */
	PlanPrice	price;			/* of one call, as it is degraded */
	int			ndepth;			/* a second look is due, into so many sources at most: see CourseDeepen; 0: none */
	JsonView	left_out;		/* by a first look: see depth in Course */
	const CourseEvidence *provenance;	/* of a memory write; NULL: it refers to no Evidence of this trace */
	Origin		written;		/* of what such a write would remember, with what that rests on */
} CourseStep;

/*
 * Begins.  NULL, or the problems of a plan that is not valid.  What is given must
 * outlive the course.
 */
extern const PlanProblems *CourseBegin(Course *course, const JsonView *plan, const JsonView *specs,
									   const JsonView *vars, const EvidencePolicy *policy,
									   const OriginTerms *terms);

/* Takes what a document keeps of the request: judgements reach whoever verifies. */
extern void CourseTakeRequest(Course *course, const JsonView *request);

/*
 * Takes what calls of its tools have taken; absent: nobody measured then. False if it
 * is none. It goes before CourseForecast.
 */
extern bool CourseMeasure(Course *course, const JsonView *measured);

/*
 * Returns the word for what the latency of a node's calls goes by, as its events say;
 * NULL: it calls nothing, or nobody measured then.
 */
extern const char *CourseBasis(const Course *course, int node);

/* Returns {latency_ms, cost_usd}, and the word for what the latency goes by. */
extern JsonView CourseUsedView(const Course *course);

/*
 * Takes the instant that it goes by, and the rules that its policy names; without them
 * no age is judged. Both outlive the course.
 */
extern void CourseTakeClock(Course *course, TimestampTz evaluated_at, const DecisionRules *rules);

/* Does what its steps come to depend on these rules? */
extern bool CourseNeedsRules(const Course *course);

/*
 * Would the plan go on with an evidence in the place of all that it verifies?  As far as
 * that is known before anything runs: its claims are those of the evidence, which keeps
 * the thresholds of each node, its conditions hold, and no side can be left out.  What is
 * not known does not stand for it.
 */
extern bool CourseWouldTake(const Course *course, const JsonView *evidence);

/* Forecasts it within limits; before the first step. */
extern void CourseForecast(Course *course, const PlanLimits *limits);

/*
 * Finds the next step, with what it is called with; false if there is none. Asked
 * again, it gives the same step.
 */
extern bool CourseNext(Course *course, CourseStep *step);

/*
 * A verifier that went breadth first looks into "count" more sources, of documents
 * that supported: sets the call and its price.  Or it does not, for there is no
 * budget: then the step is over.
 */
extern void CourseDeepen(Course *course, CourseStep *step, int count);
extern void CourseLeaveDepth(Course *course);

/*
 * Answers with evidence that is remembered, in place of executing the plan. False if
 * that is blocked or none.
 */
extern bool CourseSummarize(Course *course, const JsonView *evidence, const Origin *origin, const char *caveat);

/*
 * Takes the result of one call with its completed arguments: settles each
 * Evidence in it, whatever it says of itself.  "is_reported" says that the
 * application gave it, which its tool's spec says as well.  False, and *problem
 * (one sentence), if an Evidence is none.
 */
extern bool CourseTake(Course *course, const CourseStep *step, const JsonView *args, bool is_reported,
					   JsonView *result, const char **problem);

/* Takes a step that is over; its outcome, reason, inputs and outputs say how. */
extern void CourseAdvance(Course *course, CourseStep *step);

/* One event of a trace, with what went in and came out; absent: there is nothing, or it was left out. */
typedef struct FollowRecord
{
	JsonView	event;
	JsonView	inputs;
	JsonView	outputs;
} FollowRecord;

/* Says where a record is not what the course comes to. */
typedef struct FollowReport
{
	bool		is_incomplete;	/* nothing differs, but inputs or outputs were left out */
	PlanPrice	price;			/* of one of its calls */
	bool		is_measured;	/* is what they took what a clock says? */
	int			ncalls;			/* that were made, where all went well */
	const char *field;			/* of the event */
	JsonView	expected;		/* absent: no one value */
	JsonView	found;			/* or what is wrong with it, as a sentence */
} FollowReport;

/* Goes the step that a record tells of; false, and the report, if the course comes to another one. */
extern bool CourseFollow(Course *course, const FollowRecord *record, FollowReport *report);

/* Ends the course when all steps are over: sets what the plan answers. */
extern void CourseEnd(Course *course);

/* Ends it there. */
extern void CourseStop(Course *course, PlanVerdict verdict, const char *kind, const char *message, int node);

/*
 * Sets what an outcome of a call means for the plan: step->kind and step->verdict;
 * kind stays NULL where it goes on.
 */
extern void CourseJudge(CourseStep *step, StepOutcome outcome);

/* Is it a step that writes memory, which may be refused without ending the plan? */
extern bool CourseWritesMemory(const Course *course, const CourseStep *step);

#endif							/* ANSWER_EVAL_COURSE_H */
