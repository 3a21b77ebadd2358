/*-------------------------------------------------------------------------
 *
 * settings.h
 *		The settings of the extension.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_SETTINGS_H
#define ANSWER_EVAL_SETTINGS_H

/* Names the key folders that belong to a database; see key_folder.c. */
#define KEY_FOLDERS_SETTING	"answer_eval.key_folders"

/* Names the tenant that a session works for; see tenant.c. */
#define TENANT_SETTING		"answer_eval.tenant"

/* Which changes a request may make to the configuration in force. */
typedef enum RequestConfig
{
	REQUEST_CONFIG_ANY,
	REQUEST_CONFIG_STRICTER
} RequestConfig;

extern int	answer_eval_request_config;	/* a RequestConfig */
extern char *answer_eval_tenant;
extern char *answer_eval_environment;
extern char *answer_eval_issuer;
extern char *answer_eval_key_directory;
extern char *answer_eval_key_passphrase_command;
extern bool answer_eval_allow_drop;
extern bool answer_eval_evidence_only;
extern int	answer_eval_cache_entries;
extern int	answer_eval_retrieval_lifetime;	/* seconds */
extern double answer_eval_memory_confidence;
extern bool answer_eval_notify;
extern bool answer_eval_tenant_builtin_routes;
extern int	answer_eval_pending_expiry;	/* seconds */
extern int	answer_eval_plan_io_limit;	/* kB */
extern char *answer_eval_regulated_intents;

extern void DefineSettings(void);

#endif							/* ANSWER_EVAL_SETTINGS_H */
