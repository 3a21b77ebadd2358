/*-------------------------------------------------------------------------
 *
 * environment.h
 *		Says which configuration is in force in an environment.
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

/* Says where a candidate stands on its way. */
typedef enum EnvironmentStage
{
	STAGE_NONE = 0,				/* there is no candidate */
	STAGE_SHADOW,				/* it decides nothing, and is compared */
	STAGE_CANARY				/* it decides a share of the questions */
} EnvironmentStage;

/* Holds what the newest good record says of an environment. */
typedef struct EnvironmentRecord
{
	int			revision;		/* 0: there is no record */
	int			seen;			/* the highest revision of any record, good or not, or of the last move */
	bool		exists;			/* a removed one has a record and no state; a shipped one the reverse */
	JsonView	state;			/* what the record has as "after" */
	JsonView	configs;		/* {id: configuration} of the active one and the candidate, in portable form */
} EnvironmentRecord;

/* Says which environment a question is decided in, for those who keep samples. */
typedef struct Serving
{
	const text *tenant;			/* whose environment it is */
	const char *environment;
	int			since;			/* the revision with which the candidate came to its stage */
	int64		question;		/* what the share of a canary goes by */
	bool		is_sample;		/* does the answer count for the candidate? */
} Serving;

extern const char *SessionEnvironment(void);
extern bool IsEnvironmentName(Span name);

/*
 * Returns the configuration in force, for a tenant and a question; without a question
 * no candidate has a share of it. While a case of a suite is tried (else "pinning" is
 * NULL), that of the case. "serving", where it is given, is filled.
 */
extern JsonView ActiveConfig(const text *tenant, const Pinning *pinning, const Span *question, Serving *serving);

/* Returns the state of an environment that nobody has changed yet; absent if there is none of that name. */
extern JsonView ShippedEnvironment(Span name);

/*
 * Reads the newest good record of a kind and a name; SPI must be connected, and the
 * role is the owner of our tables.
 */
extern void RecordNewest(const text *tenant, const char *kind, Span name, EnvironmentRecord *record);

/* Reads the newest good record of a tenant's own; false if something is amiss with the records, and what. */
extern bool EnvironmentRead(const text *tenant, Span name, EnvironmentRecord *record, const char **problem);

/* Return the key of a question, and the id of a whole configuration in portable form. */
extern int64 QuestionKey(const text *tenant, Span question);
extern void ConfigIdOf(const JsonView *config, char *digest, char *config_id);

extern EnvironmentStage StageOfState(const JsonView *state, JsonView *candidate);
extern int	StateInteger(const JsonView *state, const char *key);

#endif							/* ANSWER_EVAL_GROUND_ENVIRONMENT_H */
