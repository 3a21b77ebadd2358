/*-------------------------------------------------------------------------
 *
 * handler_settings.c
 *		The settings that a tool's result may depend on.
 *
 * A tool's answer must not depend on who asks and how.  So while a tool is
 * called, every setting that a session can change has the database's value: the
 * one that a session starts with if neither its role nor its client chooses
 * another.  Some settings are left alone, because they are the caller's limits,
 * identity or log, or cannot change a result.  Each of these was examined and
 * is listed here.  All others, including settings of extensions, get the
 * database's value.
 *
 * The server keeps two values of each setting, the current one and the one for
 * RESET.  If the session changed only the first, the second is the database's.
 * If the role (ALTER ROLE ... SET) or the client (PGOPTIONS) set it at session
 * start, both are theirs.  Then the value is looked up where the server would
 * find it: ALTER DATABASE ... SET, ALTER ROLE ALL SET, the command line, the
 * configuration files, the environment, the default.  This is read once per
 * session, and again after a reload.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/indexing.h"
#include "catalog/pg_authid.h"
#include "catalog/pg_db_role_setting.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "funcapi.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "storage/fd.h"
#include "utils/acl.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/guc.h"
#include "utils/guc_tables.h"
#include "utils/memutils.h"
#include "utils/regproc.h"
#include "utils/rel.h"
#include "utils/timestamp.h"

#include "base/compat.h"
#include "evidence/handler_settings.h"

/* The file in which pg_ctl finds the options that the server was started with. */
#define OPTIONS_FILE	"postmaster.opts"
#define MAX_OPTIONS		(64 * 1024)

/*
 * The settings that keep the session's value, in ASCII order.
 * test/tap/evidence_settings.pl has the same list, and that of all other settings; it
 * fails on a setting of the server that is in neither.
 */
static const char *const kept_settings[] = {
	"application_name",			/* a label */
	"backtrace_functions",
	"client_connection_check_interval",
	"client_min_messages",
	"compute_query_id",
	"deadlock_timeout",
	"debug_pretty_print",
	"debug_print_parse",
	"debug_print_plan",
	"debug_print_rewritten",
	"default_transaction_deferrable",	/* for later transactions */
	"default_transaction_isolation",
	"default_transaction_read_only",
	"idle_in_transaction_session_timeout",
	"idle_session_timeout",
	"local_preload_libraries",	/* read when a session begins */
	"lock_timeout",				/* a limit, like other timeouts */
	"log_duration",				/* what the server logs */
	"log_error_verbosity",
	"log_executor_stats",
	"log_lock_failures",
	"log_lock_waits",
	"log_min_duration_sample",
	"log_min_duration_statement",
	"log_min_error_statement",
	"log_min_messages",
	"log_parameter_max_length",
	"log_parameter_max_length_on_error",
	"log_parser_stats",
	"log_planner_stats",
	"log_replication_commands",
	"log_statement",
	"log_statement_sample_rate",
	"log_statement_stats",
	"log_temp_files",
	"log_transaction_sample_rate",
	"max_stack_depth",			/* a limit */
	"role",						/* decides whose rights count */
	"search_path",				/* set by SettleHandler */
	"seed",						/* see SettleRandom */
	"session_authorization",
	"session_preload_libraries",
	"statement_timeout",
	"tcp_keepalives_count",		/* the client's connection */
	"tcp_keepalives_idle",
	"tcp_keepalives_interval",
	"tcp_user_timeout",
	"temp_buffers",				/* a limit, and fixed after its first use */
	"temp_file_limit",
	"trace_lock_oidmin",
	"trace_lock_table",
	"trace_locks",
	"trace_lwlocks",
	"trace_notify",
	"trace_sort",
	"trace_userlocks",
	"track_activities",			/* only what is counted */
	"track_cost_delay_timing",
	"track_counts",
	"track_functions",
	"track_io_timing",
	"track_wal_io_timing",
	"transaction_deferrable",	/* for this transaction */
	"transaction_isolation",
	"transaction_read_only",
	"transaction_timeout",
	"update_process_title"
};

/* Settings that are the same for every database: how times and numbers are written. */
static const char *const fixed_settings[][2] = {
	{"DateStyle", "ISO, MDY"},
	{"IntervalStyle", "postgres"},
	{"TimeZone", "UTC"},
	{"bytea_output", "hex"},
	{"extra_float_digits", "1"}
};

/* A value that a setting was given when the server or a session started. */
typedef struct GivenValue
{
	const char *name;
	const char *value;
	GucSource	source;
	struct GivenValue *next;
} GivenValue;

/* The values given, the strongest source first; the first one of a name counts. */
static MemoryContext given_context = NULL;
static GivenValue *given_values = NULL;
static TimestampTz given_at = 0;	/* the reload after which it was read */
static bool given_are_read = false;

static int
CompareNames(const void *name, const void *entry)
{
	return pg_strcasecmp(name, *(const char *const *) entry);
}

static bool
IsFixed(const char *name)
{
	for (size_t i = 0; i < lengthof(fixed_settings); i++)
	{
		if (pg_strcasecmp(fixed_settings[i][0], name) == 0)
			return true;
	}
	return false;
}

/*
 * Is it a setting that keeps its value? Our own settings do: they only say who issues,
 * where keys are and who asks.
 */
static bool
IsKept(const char *name)
{
	return bsearch(name, kept_settings, lengthof(kept_settings), sizeof(char *),
				   CompareNames) != NULL ||
		pg_strncasecmp(name, "answer_eval.", 12) == 0;
}

/* Does the value come from the role, the client or the session? */
static bool
IsForeign(GucSource source)
{
	return source > PGC_S_DATABASE;
}

/*
 * what was given
 */

static void
GiveValue(const char *name, const char *value, GucSource source)
{
	GivenValue *given = palloc(sizeof(GivenValue));

	given->name = pstrdup(name);
	given->value = pstrdup(value);
	given->source = source;
	given->next = given_values;
	given_values = given;
}

/* Reads the configuration files, as the server does. */
static void
GiveFiles(void)
{
	const char *const files[] = {ConfigFileName, PG_AUTOCONF_FILENAME};

	for (size_t i = 0; i < lengthof(files); i++)
	{
		ConfigVariable *head = NULL;
		ConfigVariable *tail = NULL;

		if (!ParseConfigFile(files[i], i == 0, NULL, 0, 0, LOG, &head, &tail))
			ereport(ERROR,
					(errcode(ERRCODE_CONFIG_FILE_ERROR),
					 errmsg("configuration file \"%s\" cannot be read", files[i]),
					 errdetail("The role or the client of this session chose a setting, and what the database would have instead is in that file."),
					 errhint("See the server's log for what is wrong with the file.")));
		for (ConfigVariable *item = head; item; item = item->next)
		{
			if (!item->ignore && item->name && item->value)
				GiveValue(item->name, item->value, PGC_S_FILE);
		}
	}
}

/* Reads "name=value"; a hyphen in the name stands for an underscore. */
static void
GiveAssignment(char *assignment, GucSource source)
{
	char	   *equals = strchr(assignment, '=');

	if (equals == NULL)
		return;
	*equals = '\0';
	for (char *p = assignment; *p; p++)
	{
		if (*p == '-')
			*p = '_';
	}
	GiveValue(assignment, equals + 1, source);
}

/* Reads one option of the command line; returns whether the next word is its value. */
static bool
GiveOption(char *option, char *next)
{
	bool		joined = option[0] == '-' && option[1] != '\0' && option[2] != '\0';
	char	   *value = joined ? option + 2 : next;

	if (strncmp(option, "--", 2) == 0)
	{
		GiveAssignment(option + 2, PGC_S_ARGV);
		return false;
	}
	if (value == NULL || (strncmp(option, "-c", 2) != 0 && strncmp(option, "-S", 2) != 0))
		return false;
	if (option[1] == 'c')
		GiveAssignment(value, PGC_S_ARGV);
	else
		GiveValue("work_mem", value, PGC_S_ARGV);
	return !joined;
}

/*
 * Reads the command line that the server wrote down when it started: a path, then each
 * word in quotation marks.  Of the one-letter options, only -S stands for a setting
 * that a session can change and that is not a developer option.
 */
static void
GiveCommandLine(void)
{
	FILE	   *file = AllocateFile(OPTIONS_FILE, "r");
	char	   *line = palloc(MAX_OPTIONS);
	char	   *words[2] = {NULL, NULL};
	size_t		length;

	if (file == NULL)
		return;
	length = fread(line, 1, MAX_OPTIONS - 1, file);
	FreeFile(file);
	line[length] = '\0';
	line[strcspn(line, "\n")] = '\0';
	/* processes each word together with the next one */
	for (char *at = strstr(line, " \""); words[1] || at;)
	{
		words[0] = words[1];
		words[1] = at ? at + 2 : NULL;
		if (at)
		{
			char	   *end = strstr(words[1], "\" \"");

			if (end == NULL)
				end = strrchr(words[1], '"');
			at = end && end[1] == ' ' ? end + 1 : NULL;
			if (end)
				*end = '\0';
		}
		if (words[0] && GiveOption(words[0], words[1]))
			words[1] = NULL;
	}
}

/* Reads what was set for a database, or for all, independently of the role. */
static void
GiveCatalog(Relation relation, Oid database, GucSource source)
{
	ScanKeyData keys[2];
	SysScanDesc scan;
	HeapTuple	tuple;

	ScanKeyInit(&keys[0], Anum_pg_db_role_setting_setdatabase, BTEqualStrategyNumber,
				F_OIDEQ, ObjectIdGetDatum(database));
	ScanKeyInit(&keys[1], Anum_pg_db_role_setting_setrole, BTEqualStrategyNumber,
				F_OIDEQ, ObjectIdGetDatum(InvalidOid));
	scan = systable_beginscan(relation, DbRoleSettingDatidRolidIndexId, true, NULL, 2, keys);
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		bool		isnull;
		Datum		config = heap_getattr(tuple, Anum_pg_db_role_setting_setconfig,
										  RelationGetDescr(relation), &isnull);
		Datum	   *elements;
		int			count = 0;

		if (!isnull)
			deconstruct_array(DatumGetArrayTypeP(config), TEXTOID, -1, false, TYPALIGN_INT,
							  &elements, NULL, &count);
		for (int i = 0; i < count; i++)
			GiveAssignment(TextDatumGetCString(elements[i]), source);
	}
	systable_endscan(scan);
}

/* Reads all given values, the weakest source first. */
static void
ReadGiven(void)
{
	Relation	relation;
	MemoryContext caller;

	if (given_are_read && given_at == PgReloadTime)
		return;
	if (given_context == NULL)
		given_context = AllocSetContextCreate(TopMemoryContext, "answer_eval settings",
											  ALLOCSET_SMALL_SIZES);
	given_are_read = false;
	given_values = NULL;
	MemoryContextReset(given_context);
	caller = MemoryContextSwitchTo(given_context);
	GiveFiles();
	GiveCommandLine();
	relation = table_open(DbRoleSettingRelationId, AccessShareLock);
	GiveCatalog(relation, InvalidOid, PGC_S_GLOBAL);
	GiveCatalog(relation, MyDatabaseId, PGC_S_DATABASE);
	table_close(relation, AccessShareLock);
	MemoryContextSwitchTo(caller);
	given_at = PgReloadTime;
	given_are_read = true;
}

/*
 * values
 */

static char *
FormatValue(struct config_generic *setting, bool boolean, int integer, double real,
			const char *string)
{
	switch (setting->vartype)
	{
		case PGC_BOOL:
			return pstrdup(boolean ? "on" : "off");
		case PGC_INT:
			return psprintf("%d", integer);
		case PGC_REAL:
			return psprintf("%g", real);
		case PGC_STRING:
			return pstrdup(string ? string : "");
		case PGC_ENUM:
			return pstrdup(config_enum_lookup_by_value((struct config_enum *) setting, integer));
	}
	pg_unreachable();
}

/* Returns the value that RESET would give. */
static char *
ResetValue(struct config_generic *setting)
{
	return FormatValue(setting,
					   setting->vartype == PGC_BOOL && ((struct config_bool *) setting)->reset_val,
					   setting->vartype == PGC_INT ? ((struct config_int *) setting)->reset_val :
					   setting->vartype == PGC_ENUM ? ((struct config_enum *) setting)->reset_val : 0,
					   setting->vartype == PGC_REAL ? ((struct config_real *) setting)->reset_val : 0,
					   setting->vartype == PGC_STRING ? ((struct config_string *) setting)->reset_val : NULL);
}

/* Returns the built-in default. */
static char *
BootValue(struct config_generic *setting)
{
	if (pg_strcasecmp(setting->name, "client_encoding") == 0)
		return pstrdup(GetDatabaseEncodingName());
	return FormatValue(setting,
					   setting->vartype == PGC_BOOL && ((struct config_bool *) setting)->boot_val,
					   setting->vartype == PGC_INT ? ((struct config_int *) setting)->boot_val :
					   setting->vartype == PGC_ENUM ? ((struct config_enum *) setting)->boot_val : 0,
					   setting->vartype == PGC_REAL ? ((struct config_real *) setting)->boot_val : 0,
					   setting->vartype == PGC_STRING ? ((struct config_string *) setting)->boot_val : NULL);
}

/* Returns the value from the server's environment, or NULL. */
static const char *
EnvironmentValue(const char *name)
{
	if (pg_strcasecmp(name, "client_encoding") == 0)
		return getenv("PGCLIENTENCODING");
	if (pg_strcasecmp(name, "DateStyle") == 0)
		return getenv("PGDATESTYLE");
	return NULL;
}

/* Returns a value in the form in which the server shows it; unchanged if it is not valid. */
static char *
NormalizeValue(struct config_generic *setting, const char *value)
{
	bool		boolean;
	int			integer;
	double		real;

	switch (setting->vartype)
	{
		case PGC_BOOL:
			return parse_bool(value, &boolean) ?
				FormatValue(setting, boolean, 0, 0, NULL) : pstrdup(value);
		case PGC_INT:
			return parse_int(value, &integer, setting->flags, NULL) ?
				FormatValue(setting, false, integer, 0, NULL) : pstrdup(value);
		case PGC_REAL:
			return parse_real(value, &real, setting->flags, NULL) ?
				FormatValue(setting, false, 0, real, NULL) : pstrdup(value);
		case PGC_ENUM:
			return config_enum_lookup_by_name((struct config_enum *) setting, value, &integer) ?
				FormatValue(setting, false, integer, 0, NULL) : pstrdup(value);
		case PGC_STRING:
			return pstrdup(value);
	}
	pg_unreachable();
}

/* Returns a setting's value for the database, and its source. */
static char *
DatabaseValue(struct config_generic *setting, GucSource *source)
{
	const char *environment = EnvironmentValue(setting->name);

	*source = setting->reset_source;
	if (!IsForeign(*source))
		return ResetValue(setting);
	ReadGiven();
	for (GivenValue *given = given_values; given; given = given->next)
	{
		if (pg_strcasecmp(given->name, setting->name) != 0)
			continue;
		*source = given->source;
		return NormalizeValue(setting, given->value);
	}
	*source = environment ? PGC_S_ENV_VAR : PGC_S_DEFAULT;
	return environment ? NormalizeValue(setting, environment) : BootValue(setting);
}

/*
 * settling
 */

/* Sets a value until the nesting level ends, without checking privileges. */
static void
SetForNow(const char *name, const char *value)
{
	(void) set_config_option(name, value, PGC_SUSET, PGC_S_SESSION, GUC_ACTION_SAVE,
							 true, 0, false);
}

static void
SettleOne(struct config_generic *setting)
{
	GucSource	source;
	char	   *value;
	const char *current;

	/* NULL means the value that RESET would give */
	if (!IsForeign(setting->reset_source))
	{
		SetForNow(setting->name, NULL);
		return;
	}
	value = DatabaseValue(setting, &source);
	current = GetConfigOption(setting->name, false, false);
	if (current == NULL || strcmp(current, value) != 0)
		SetForNow(setting->name, value);
	pfree(value);
}

/*
 * Gives every setting that could change a result the database's value.  Returns the
 * nesting level at which everything set from now on is undone.
 */
int
SettleSettings(void)
{
	int			level = NewGUCNestLevel();
	int			count;
	struct config_generic **settings = CompatGucVariables(&count);

	for (int i = 0; i < count; i++)
	{
		struct config_generic *setting = settings[i];

		if (IsForeign(setting->source) &&
			(setting->context == PGC_USERSET || setting->context == PGC_SUSET) &&
			!IsKept(setting->name) && !IsFixed(setting->name))
			SettleOne(setting);
	}
	for (size_t i = 0; i < lengthof(fixed_settings); i++)
	{
		const char *current = GetConfigOption(fixed_settings[i][0], false, false);

		/* most sessions have these values, and setting them takes as long as a small call */
		if (current == NULL || strcmp(current, fixed_settings[i][1]) != 0)
			SetForNow(fixed_settings[i][0], fixed_settings[i][1]);
	}
	return level;
}

/* Returns 64 unpredictable bits.  They are drawn in batches, because each draw is slow. */
uint64
StrongBits(void)
{
	static uint64 drawn[16];
	static int	left = 0;
	uint64		bits;

	if (left == 0)
	{
		if (!pg_strong_random(drawn, sizeof(drawn)))
			ereport(ERROR,
					(errcode(ERRCODE_INTERNAL_ERROR),
					 errmsg("no random numbers are to be had")));
		left = lengthof(drawn);
	}
	bits = drawn[--left];
	drawn[left] = 0;
	return bits;
}

/* Makes random() unpredictable, even for a caller of setseed(). */
static void
SettleRandom(void)
{
	uint64		bits = StrongBits();

	(void) DirectFunctionCall1(setseed, Float8GetDatum(ldexp((double) (bits >> 12), -52)));
}

/*
 * answer.tool_setting_value(name): the database's value for a setting that the session
 * has changed, and its source; NULLs if pg_settings shows it correctly
 */
PG_FUNCTION_INFO_V1(answer_eval_tool_setting_value);
Datum
answer_eval_tool_setting_value(PG_FUNCTION_ARGS)
{
	char	   *name = text_to_cstring(PG_GETARG_TEXT_PP(0));
	int			count;
	struct config_generic **settings = CompatGucVariables(&count);
	Datum		values[2] = {0};
	bool		nulls[2] = {true, true};
	TupleDesc	desc;

	if (get_call_result_type(fcinfo, NULL, &desc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	for (int i = 0; i < count; i++)
	{
		struct config_generic *setting = settings[i];
		GucSource	source;

		if (pg_strcasecmp(setting->name, name) != 0 || !IsForeign(setting->source))
			continue;
		if ((setting->flags & GUC_SUPERUSER_ONLY) != 0 &&
			!has_privs_of_role(GetUserId(), ROLE_PG_READ_ALL_SETTINGS))
			ereport(ERROR,
					(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
					 errmsg("permission denied to examine \"%s\"", setting->name),
					 errhint("Be a member of pg_read_all_settings.")));
		values[0] = CStringGetTextDatum(DatabaseValue(setting, &source));
		values[1] = CStringGetTextDatum(GucSource_Names[source]);
		nulls[0] = nulls[1] = false;
		break;
	}
	PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(desc, values, nulls)));
}

/*
 * Sets what is specific to a handler.  Names are looked up in the handler's own schema,
 * never in the caller's temporary one, and its random numbers are unpredictable.
 * Built-in handlers qualify their names themselves.  Returns the nesting level at which
 * everything, including what the handler sets, is undone.  SettleSettings sets what is
 * the same for all.
 */
int
SettleHandler(const char *handler, bool builtin)
{
	int			level = NewGUCNestLevel();
	List	   *names;
	char	   *path;

	SettleRandom();
	if (builtin)
		return level;
	names = stringToQualifiedNameList(handler COMPAT_NAME_LIST_CONTEXT);
	path = psprintf("pg_catalog, %s, pg_temp", quote_identifier(strVal(linitial(names))));
	(void) set_config_option("search_path", path, PGC_USERSET, PGC_S_SESSION,
							 GUC_ACTION_SAVE, true, 0, false);
	return level;
}
