/*-------------------------------------------------------------------------
 *
 * settings.c
 *		The settings of the extension.
 *
 * This is the only place that gives a setting its value, its bounds and who may
 * set it.  Other modules read the variable.  Nothing here depends on the purpose
 * of a setting.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/guc.h"
#include "utils/timestamp.h"

#include "base/settings.h"

/* The issuer of receipts.  Only a superuser may set it, because it is signed. */
char	   *answer_eval_issuer = NULL;

/*
 * The directory of private keys.  Only a superuser may set it, because it determines
 * the key that signs.
 */
char	   *answer_eval_key_directory = NULL;

/*
 * A command whose first line of output is the passphrase of private keys.  It runs as
 * the server's user, so it can only be set in the configuration.
 */
char	   *answer_eval_key_passphrase_command = NULL;

/*
 * The tenant that the session works for.  Anybody may set it.  Whether the role belongs
 * to that tenant is checked at each use, because roles change too.
 */
char	   *answer_eval_tenant = NULL;

/* How many receipts of a tenant are cached. */
int			answer_eval_cache_entries = 0;

/* How long a retrieval waits for its answer, in seconds. */
int			answer_eval_retrieval_lifetime = 0;
double		answer_eval_memory_confidence = 0;

/* Are evidence packets given only without prose? */
bool		answer_eval_evidence_only = true;

/*
 * May tenants' questions reach the routes that come with the extension? These give
 * information about the server and its catalogs, so only a superuser may set it.
 */
bool		answer_eval_tenant_builtin_routes = false;

/* Are events of plans sent with NOTIFY? */
bool		answer_eval_notify = false;

/* How long a plan waits for the answers to its steps, in seconds. */
int			answer_eval_pending_expiry = 0;

/* How much of a step's input and output a plan's document includes in full, in kB. */
int			answer_eval_plan_io_limit = 0;

/*
 * The environment whose configuration this session uses.  A role that sets it uses a
 * configuration that passed another environment's gate, so only a superuser may set it,
 * or a role that was granted SET on it.
 */
char	   *answer_eval_environment = NULL;

/*
 * Intents that are regulated, whatever a plan says, separated by commas.  Nobody may
 * remove one for their own session.
 */
char	   *answer_eval_regulated_intents = NULL;

/*
 * May a request loosen the configuration in force, or remove a judge? That is up to
 * whoever is responsible for decisions, not to whoever asks.
 */
int			answer_eval_request_config = REQUEST_CONFIG_ANY;

/* May a command drop receipts?  Only a superuser may say so; see document/drop.c. */
bool		answer_eval_allow_drop = false;

static const struct config_enum_entry request_config_words[] = {
	{"any", REQUEST_CONFIG_ANY, false},
	{"stricter", REQUEST_CONFIG_STRICTER, false},
	{NULL, 0, false}
};

/* Its value is not used: what counts is what is stored in the catalog. */
static char *answer_eval_key_folders = NULL;

/* A tenant's function works for that tenant only, whatever else its role was granted. */
static bool
CheckTenant(char **newval, void **extra, GucSource source)
{
	if (!InSecurityRestrictedOperation() || source < PGC_S_INTERACTIVE ||
		strcmp(*newval ? *newval : "", answer_eval_tenant ? answer_eval_tenant : "") == 0)
		return true;
	GUC_check_errcode(ERRCODE_INSUFFICIENT_PRIVILEGE);
	GUC_check_errmsg("answer_eval.tenant cannot be changed within a security-restricted operation");
	return false;
}

/* Called once, when the library is loaded. */
void
DefineSettings(void)
{
	DefineCustomStringVariable("answer_eval.issuer",
							   "Name of the issuer in receipts.",
							   "Empty means this cluster's system identifier and the database's name.",
							   &answer_eval_issuer,
							   "",
							   PGC_SUSET, 0,
							   NULL, NULL, NULL);
	DefineCustomBoolVariable("answer_eval.allow_drop",
							 "Lets a command drop receipts, with the extension or with a partition.",
							 "Only a superuser may set it.",
							 &answer_eval_allow_drop,
							 false,
							 PGC_SUSET, 0,
							 NULL, NULL, NULL);
	DefineCustomStringVariable("answer_eval.key_directory",
							   "Directory of the private signing keys.",
							   "A relative path is below the data directory.",
							   &answer_eval_key_directory,
							   "answer_eval_keys",
							   PGC_SUSET, GUC_SUPERUSER_ONLY,
							   NULL, NULL, NULL);
	DefineCustomStringVariable("answer_eval.key_passphrase_command",
							   "Command that writes the passphrase of private signing keys.",
							   "Empty means that private keys have no passphrase.",
							   &answer_eval_key_passphrase_command,
							   "",
							   PGC_SIGHUP, GUC_SUPERUSER_ONLY,
							   NULL, NULL, NULL);
	DefineCustomStringVariable(KEY_FOLDERS_SETTING,
							   "Folders of the private signing keys of a database.",
							   "Set by answer_eval itself, for the bootstrap superuser in that database, and read from there only.",
							   &answer_eval_key_folders,
							   "",
							   PGC_SUSET, GUC_SUPERUSER_ONLY | GUC_NO_SHOW_ALL | GUC_NOT_IN_SAMPLE | GUC_DISALLOW_IN_FILE,
							   NULL, NULL, NULL);
	DefineCustomStringVariable(TENANT_SETTING,
							   "Tenant that this session works for.",
							   "Empty means the one that the role was granted, or, for the owner of the extension, the operator.",
							   &answer_eval_tenant,
							   "",
							   PGC_USERSET, 0,
							   CheckTenant, NULL, NULL);
	DefineCustomBoolVariable("answer_eval.tenant_builtin_routes",
							 "Lets tenants ask the routes that come with the extension.",
							 "They tell of the server and its catalogs; while it is off, they answer the operator alone.",
							 &answer_eval_tenant_builtin_routes,
							 false,
							 PGC_SUSET, 0,
							 NULL, NULL, NULL);
	DefineCustomIntVariable("answer_eval.cache_entries",
							"Most receipts of each tenant that answer_grounded() keeps to give again.",
							"0 means that none is; how long they may be given is the configuration's cache_ttl_s.",
							&answer_eval_cache_entries,
							1000, 0, 1000000,
							PGC_SUSET, 0,
							NULL, NULL, NULL);
	DefineCustomIntVariable("answer_eval.retrieval_lifetime",
							"How long answer_grounded() takes what answer_retrieve() has found.",
							NULL,
							&answer_eval_retrieval_lifetime,
							3600, 1, 86400,
							PGC_SUSET, GUC_UNIT_S,
							NULL, NULL, NULL);
	DefineCustomEnumVariable("answer_eval.request_config",
							 "What a request may change of the configuration in force.",
							 "\"stricter\": nothing that loosens it or changes who judges.",
							 &answer_eval_request_config,
							 REQUEST_CONFIG_ANY, request_config_words,
							 PGC_SUSET, 0,
							 NULL, NULL, NULL);
	DefineCustomBoolVariable("answer_eval.evidence_only",
							 "Refuses to put prose into evidence packets.",
							 "While it is on, answer.packet_synthesis() raises.",
							 &answer_eval_evidence_only,
							 true,
							 PGC_USERSET, 0,
							 NULL, NULL, NULL);
	DefineCustomStringVariable("answer_eval.environment",
							   "Environment whose configuration decides.",
							   "answer.environment lists them; dev, staging and prod ship.",
							   &answer_eval_environment,
							   "prod",
							   PGC_SUSET, 0,
							   NULL, NULL, NULL);
	DefineCustomRealVariable("answer_eval.memory_confidence",
							 "Least confidence of the evidence that a plan may remember a value on.",
							 NULL,
							 &answer_eval_memory_confidence,
							 0.80, 0.0, 1.0,
							 PGC_SUSET, 0,
							 NULL, NULL, NULL);
	DefineCustomBoolVariable("answer_eval.notify",
							 "Notifies answer_trace of each event of a plan.",
							 "What is sent is the digest of the trace's id and the event's number.",
							 &answer_eval_notify,
							 false,
							 PGC_USERSET, 0,
							 NULL, NULL, NULL);
	DefineCustomIntVariable("answer_eval.pending_expiry",
							"How long a plan waits for the answers to its steps.",
							"answer_plan_recover() settles it then.",
							&answer_eval_pending_expiry,
							3600, 1, 30 * SECS_PER_DAY,
							PGC_SUSET, GUC_UNIT_S,
							NULL, NULL, NULL);
	DefineCustomIntVariable("answer_eval.plan_io_limit",
							"Size up to which a plan's document has the inputs and the outputs of a step.",
							"Of larger ones it has the digest alone.",
							&answer_eval_plan_io_limit,
							64, 0, 4096,
							PGC_SUSET, GUC_UNIT_KB,
							NULL, NULL, NULL);
	DefineCustomStringVariable("answer_eval.regulated_intents",
							   "Intents of plans that are regulated, separated by commas.",
							   "Their answers need citations in any case.",
							   &answer_eval_regulated_intents,
							   "",
							   PGC_SUSET, 0,
							   NULL, NULL, NULL);
	MarkGUCPrefixReserved("answer_eval");
}
