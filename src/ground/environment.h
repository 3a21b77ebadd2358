/*-------------------------------------------------------------------------
 *
 * environment.h
 *		The configuration in force in an environment.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GROUND_ENVIRONMENT_H
#define ANSWER_EVAL_GROUND_ENVIRONMENT_H

#include "base/canonical.h"
#include "base/jsonview.h"
#include "base/span.h"
#include "judge/pinned.h"

#define ENVIRONMENT_NAME_MAX	63
#define CONFIG_ID_PREFIX		"cfg_"
#define CONFIG_ID_LENGTH		20

/* The stage of a candidate. */
typedef enum EnvironmentStage
{
	STAGE_NONE = 0,				/* there is no candidate */
	STAGE_SHADOW,				/* it is only compared */
	STAGE_CANARY				/* it decides a share of the questions */
} EnvironmentStage;

/* What the newest good record says about an environment. */
typedef struct EnvironmentRecord
{
	int			revision;		/* 0: there is no record */
	int			seen;			/* the highest revision of any record, good or not, or of the last move */
	bool		exists;			/* a removed environment has a record but no state; a shipped one has a state but
								 * no record */
	JsonView	state;			/* member "after" of the record */
	JsonView	configs;		/* {id: configuration} of the active one and the candidate, in portable form */
} EnvironmentRecord;

/* The environment in which a question is decided, for keeping samples. */
typedef struct Serving
{
	const text *tenant;			/* tenant of the environment */
	const char *environment;
	int			since;			/* revision at which the candidate reached its stage */
	int64		question;		/* key of the question, by which the canary's share is chosen */
	bool		is_sample;		/* is the answer a sample for the candidate? */
} Serving;

extern const char *SessionEnvironment(void);
extern bool IsEnvironmentName(Span name);

/*
 * Returns the configuration in force for a tenant and a question.  Without a
 * question, the candidate gets no share.  While a case of a suite is tried (otherwise
 * "pinning" is NULL), it is that of the case.  Fills "serving" unless it is NULL.
 */
extern JsonView ActiveConfig(const text *tenant, const Pinning *pinning, const Span *question, Serving *serving);

/* Returns the state of an environment that nobody has changed yet; absent if there is no such environment. */
extern JsonView ShippedEnvironment(Span name);

/*
 * Reads the newest good record of a kind and a name.  SPI must be connected, and
 * the current role must be the owner of the tables.
 */
extern void RecordNewest(const text *tenant, const char *kind, Span name, EnvironmentRecord *record);

/*
 * Reads the newest good record of a tenant's own environment.  Returns false and
 * the problem if the records are damaged.
 */
extern bool EnvironmentRead(const text *tenant, Span name, EnvironmentRecord *record, const char **problem);

/* Return the key of a question, and the id of a complete configuration in portable form. */
extern int64 QuestionKey(const text *tenant, Span question);
extern void ConfigIdOf(const JsonView *config, char *digest, char *config_id);

extern EnvironmentStage StageOfState(const JsonView *state, JsonView *candidate);
extern int	StateInteger(const JsonView *state, const char *key);

#endif							/* ANSWER_EVAL_GROUND_ENVIRONMENT_H */
