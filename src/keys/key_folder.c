/*-------------------------------------------------------------------------
 *
 * key_folder.c
 *		Folders of keys: which database owns them, and their files.
 *
 * A key belongs to one database.  Its file is in a folder of that database.  The
 * folder has a random name, which the registry repeats, and a file in it names the
 * database.  A row of the registry without such a file is not a key.  So neither a
 * copy of a database nor somebody who writes a row can sign with another database's
 * keys.
 *
 * Promises: a file that decides on signatures is read only if it is a regular file of
 * the server's user that nobody else can access, and each statement checks that it is
 * still the file that was read.  Files are durable before anybody relies on them.
 * Files that a transaction created are removed if the transaction fails.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/table.h"
#include "access/xact.h"
#include "catalog/pg_authid.h"
#include "catalog/pg_db_role_setting.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "port.h"
#include "storage/proc.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/memutils.h"
#include "utils/uuid.h"

#include "base/compat.h"
#include "base/owner.h"
#include "base/settings.h"
#include "keys/key_folder.h"
/* Cache of the last folder that was found to be this database's. */
static struct
{
	char		folder[KEY_FOLDER_LENGTH + 1];
	Oid			registry;
	KnownFile	file;			/* its binding file */
}			bound;

/*
 * paths and files
 */

/* Appends to a path; raises an error if it would be truncated. */
static void
AppendPath(char *path, const char *part)
{
	if (strlcat(path, part, MAXPGPATH) >= MAXPGPATH - sizeof(".new"))
		ereport(ERROR,
				(errcode(ERRCODE_CONFIG_FILE_ERROR),
				 errmsg("the path of the key directory is too long"),
				 errhint("Set answer_eval.key_directory to a shorter one.")));
}

/* Makes the path of the key directory, of a folder in it, or of a file in the folder. */
void
KeyPath(const char *folder, const char *name, const char *suffix, char *path)
{
	const char *directory = answer_eval_key_directory;

	if (directory[0] == '\0')
		directory = "answer_eval_keys";
	path[0] = '\0';
	if (!is_absolute_path(directory))
	{
		AppendPath(path, DataDir);
		AppendPath(path, "/");
	}
	AppendPath(path, directory);
	if (folder == NULL)
		return;
	AppendPath(path, "/");
	AppendPath(path, folder);
	if (name == NULL)
		return;
	AppendPath(path, "/");
	AppendPath(path, name);
	AppendPath(path, suffix);
}

/* Makes the path of a file beside a key. */
void
SigningKeyFile(const SigningKey *key, const char *name, char *path)
{
	KeyPath(key->folder, name, "", path);
}

/*
 * Reads a file that decides on signatures; returns its length, or -1 and what is wrong
 * with it.
 */
int
ReadGuardedFile(const char *path, char *buffer, int size, struct stat *st, const char **problem)
{
	/* refuses a link, and does not wait for the writer of a pipe */
	int			fd = OpenTransientFile(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | PG_BINARY);
	int			len = -1;

	if (fd < 0)
	{
		*problem = psprintf("cannot be opened: %s", strerror(errno));
		return -1;
	}
	if (fstat(fd, st) != 0 || !S_ISREG(st->st_mode) || st->st_uid != geteuid() ||
		(st->st_mode & (S_IRWXG | S_IRWXO)) != 0)
		*problem = "is not a regular file of the server's user with mode 0600";
	else
	{
		len = read(fd, buffer, size);
		if (len <= 0)
			*problem = "cannot be read or is empty";
	}
	CloseTransientFile(fd);
	return len <= 0 ? -1 : len;
}

/* Notes the state of a file that was just read. */
void
RememberFile(KnownFile *file, const char *path, const struct stat *st)
{
	strlcpy(file->path, path, sizeof(file->path));
	file->st = *st;
	file->transaction = CompatLocalTransactionId();
	file->statement = GetCurrentStatementStartTimestamp();
}

/*
 * Is a file unchanged since it was read?  It is checked once per statement, however
 * many requests the statement has, because the statement signs with the key that it
 * found.  The statements of one transaction that a client sends in one message count as
 * one.
 */
bool
IsUnchanged(const char *path, KnownFile *file)
{
	const struct stat *then = &file->st;
	struct stat now;

	if (strcmp(file->path, path) != 0)
		return false;
	if (file->transaction == CompatLocalTransactionId() &&
		file->statement == GetCurrentStatementStartTimestamp())
		return true;
	if (lstat(path, &now) != 0 || now.st_ino != then->st_ino || now.st_dev != then->st_dev ||
		now.st_mode != then->st_mode || now.st_uid != then->st_uid ||
		now.st_size != then->st_size ||
		now.st_mtim.tv_sec != then->st_mtim.tv_sec || now.st_mtim.tv_nsec != then->st_mtim.tv_nsec ||
		now.st_ctim.tv_sec != then->st_ctim.tv_sec || now.st_ctim.tv_nsec != then->st_ctim.tv_nsec)
		return false;
	RememberFile(file, path, &now);
	return true;
}

/* Files and folders created in this transaction, to be removed if it fails. */
typedef struct PendingKeyFile
{
	struct PendingKeyFile *next;
	SubTransactionId subxact;
	bool		is_folder;
	char		path[FLEXIBLE_ARRAY_MEMBER];
} PendingKeyFile;

static PendingKeyFile *pending_key_files = NULL;

static void
ForgetPending(bool unlink_files, SubTransactionId subxact)
{
	PendingKeyFile **link = &pending_key_files;

	while (*link)
	{
		PendingKeyFile *file = *link;

		if (subxact != InvalidSubTransactionId && file->subxact < subxact)
		{
			link = &file->next;
			continue;
		}
		*link = file->next;
		/* the newest first, so that a folder is empty when it is removed */
		if (unlink_files && file->is_folder)
			rmdir(file->path);
		else if (unlink_files)
			unlink(file->path);
		pfree(file);
	}
}

static void
KeyFilesAtXactEnd(XactEvent event, void *arg)
{
	/* a prepared transaction may be rolled back by a process that does not know of its files */
	if (event == XACT_EVENT_PRE_PREPARE && pending_key_files != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("cannot PREPARE a transaction that has made a signing key"),
				 errhint("Call answer_key_generate() in a transaction of its own. The first key of a database is made by the first receipt, if not before.")));
	if (event == XACT_EVENT_COMMIT)
		ForgetPending(false, InvalidSubTransactionId);
	else if (event == XACT_EVENT_ABORT)
		ForgetPending(true, InvalidSubTransactionId);
}

static void
KeyFilesAtSubXactEnd(SubXactEvent event, SubTransactionId mine,
					 SubTransactionId parent, void *arg)
{
	/* every subtransaction begun after this one has ended with it */
	if (event == SUBXACT_EVENT_ABORT_SUB)
		ForgetPending(true, mine);
}

static void
RememberKeyFile(const char *path, bool is_folder)
{
	static bool registered = false;
	PendingKeyFile *file;

	if (!registered)
	{
		RegisterXactCallback(KeyFilesAtXactEnd, NULL);
		RegisterSubXactCallback(KeyFilesAtSubXactEnd, NULL);
		registered = true;
	}
	file = MemoryContextAlloc(TopMemoryContext, sizeof(PendingKeyFile) + strlen(path) + 1);
	strcpy(file->path, path);
	file->subxact = GetCurrentSubTransactionId();
	file->is_folder = is_folder;
	file->next = pending_key_files;
	pending_key_files = file;
}

/* Writes all of a text; otherwise returns what failed, with the reason in errno. */
static const char *
WriteAll(int fd, const char *text, int len)
{
	const char *failed = NULL;
	int			reason = 0;

	errno = 0;
	if (write(fd, text, len) != len)
	{
		failed = "write";
		reason = errno ? errno : ENOSPC;	/* a short write does not set errno */
	}
	else if (pg_fsync(fd) != 0)
	{
		failed = "fsync";
		reason = errno;
	}
	if (CloseTransientFile(fd) != 0 && !failed)
	{
		failed = "close";
		reason = errno;
	}
	errno = reason;
	return failed;
}

static void
FileFailed(const char *failed, const char *what)
{
	ereport(ERROR,
			(errcode_for_file_access(),
			 errmsg("could not %s the %s: %m", failed, what)));
}

/* Durably writes a file that must not exist yet; an abort removes it. */
void
WriteNewFile(const char *path, const char *text, int len)
{
	int			fd = OpenTransientFilePerm(path, O_CREAT | O_EXCL | O_WRONLY | PG_BINARY,
										   S_IRUSR | S_IWUSR);
	const char *failed;

	if (fd < 0)
		FileFailed("create", "key file");
	RememberKeyFile(path, false);
	failed = WriteAll(fd, text, len);
	if (failed)
		FileFailed(failed, "key file");
}

/* Durably writes or replaces a file as a whole.  An abort does not undo it. */
void
SigningFileReplace(const char *path, const char *text, int len, const char *what)
{
	char		temporary[MAXPGPATH];
	const char *failed = NULL;
	int			fd;

	snprintf(temporary, sizeof(temporary), "%s.new", path);
	/* overwrites what an interrupted writer left */
	fd = OpenTransientFilePerm(temporary, O_CREAT | O_TRUNC | O_WRONLY | O_NOFOLLOW | PG_BINARY,
							   S_IRUSR | S_IWUSR);
	if (fd < 0)
		FileFailed("create", what);
	failed = WriteAll(fd, text, len);
	if (failed)
		FileFailed(failed, what);
	durable_rename(temporary, path, ERROR);
}

/* Durably makes a directory of mode 0700; returns false if it existed. */
static bool
MakeDirectory(const char *path)
{
	char		parent[MAXPGPATH];

	if (mkdir(path, S_IRWXU) != 0)
	{
		if (errno == EEXIST)
			return false;
		FileFailed("create", "key directory");
	}
	strlcpy(parent, path, sizeof(parent));
	get_parent_directory(parent);
	fsync_fname(parent, true);
	return true;
}

/* which database owns a folder */

/*
 * Returns the names of this database's folders as the cluster has them: in a setting of
 * the bootstrap superuser for this database, KEY_FOLDERS_SETTING.  Such a setting is
 * removed when the database is dropped, is not in a copy of the database, and can only
 * be set by a superuser.  So a copy that gets the OID of the original does not inherit
 * the keys.  Returns NULL if there are none.
 */
static char *
MarkedFolders(void)
{
	static const char name[] = KEY_FOLDERS_SETTING "=";
	Relation	relation = table_open(DbRoleSettingRelationId, AccessShareLock);
	ScanKeyData keys[2];
	SysScanDesc scan;
	HeapTuple	tuple;
	char	   *marked = NULL;

	ScanKeyInit(&keys[0], Anum_pg_db_role_setting_setdatabase, BTEqualStrategyNumber,
				F_OIDEQ, ObjectIdGetDatum(MyDatabaseId));
	ScanKeyInit(&keys[1], Anum_pg_db_role_setting_setrole, BTEqualStrategyNumber,
				F_OIDEQ, ObjectIdGetDatum(BOOTSTRAP_SUPERUSERID));
	scan = systable_beginscan(relation, DbRoleSettingDatidRolidIndexId, true, NULL, 2, keys);
	tuple = systable_getnext(scan);
	if (HeapTupleIsValid(tuple))
	{
		bool		isnull;
		Datum		config = heap_getattr(tuple, Anum_pg_db_role_setting_setconfig,
										  RelationGetDescr(relation), &isnull);
		Datum	   *settings = NULL;
		int			count = 0;

		if (!isnull)
			deconstruct_array(DatumGetArrayTypeP(config), TEXTOID, -1, false, TYPALIGN_INT,
							  &settings, NULL, &count);
		for (int i = 0; i < count; i++)
		{
			char	   *setting = TextDatumGetCString(settings[i]);

			if (strncmp(setting, name, strlen(name)) == 0)
				marked = setting + strlen(name);
		}
	}
	systable_endscan(scan);
	table_close(relation, AccessShareLock);
	return marked;
}

static bool
IsFolderMarked(const char *folder)
{
	const char *marked = MarkedFolders();

	/* all names of folders have the same length */
	return marked && strstr(marked, folder) != NULL;
}

void
MarkFolder(const char *folder)
{
	VariableSetStmt *set = makeNode(VariableSetStmt);
	A_Const    *value = makeNode(A_Const);
	const char *marked = MarkedFolders();
	Oid			user;
	int			context;

	if (IsFolderMarked(folder))
		return;
	value->val.sval.type = T_String;
	value->val.sval.sval = marked ? psprintf("%s %s", marked, folder) : pstrdup(folder);
	value->location = -1;
	set->kind = VAR_SET_VALUE;
	set->name = KEY_FOLDERS_SETTING;
	set->args = list_make1(value);
	GetUserIdAndSecContext(&user, &context);
	SetUserIdAndSecContext(BOOTSTRAP_SUPERUSERID, context | SECURITY_LOCAL_USERID_CHANGE);
	AlterSetting(MyDatabaseId, BOOTSTRAP_SUPERUSERID, set);
	SetUserIdAndSecContext(user, context);
	CommandCounterIncrement();
}

/*
 * Makes the content of the file that binds a folder to this database.  OIDs alone would
 * not be enough, because the OID of a dropped database can be used again.  The folder's
 * name alone would not either, because a copy of the database has it too.
 */
int
BindingText(const char *folder, char *text)
{
	return snprintf(text, BINDING_MAX_SIZE,
					"signing keys of one database of answer_eval\n"
					"system %llu\ndatabase %u\nregistry %u\nfolder %s\n",
					(unsigned long long) GetSystemIdentifier(), MyDatabaseId,
					AnswerTable("signing_key"), folder);
}

/* Reads a folder's binding file; returns -1 if it cannot be used. */
int
ReadBinding(const char *folder, char *text, struct stat *st, const char **problem)
{
	char		path[MAXPGPATH];
	int			len;

	KeyPath(folder, BINDING_NAME, "", path);
	len = ReadGuardedFile(path, text, BINDING_MAX_SIZE - 1, st, problem);
	if (len >= 0)
		text[len] = '\0';
	return len;
}

/* Is a folder this database's? If not, *problem says why. */
bool
IsFolderOurs(const char *folder, const char **problem)
{
	Oid			registry = AnswerTable("signing_key");
	char		path[MAXPGPATH];
	char		found[BINDING_MAX_SIZE];
	char		expected[BINDING_MAX_SIZE];
	struct stat st;

	KeyPath(folder, BINDING_NAME, "", path);
	if (strcmp(bound.folder, folder) == 0 && bound.registry == registry &&
		IsUnchanged(path, &bound.file))
		return true;
	if (ReadBinding(folder, found, &st, problem) < 0)
	{
		*problem = psprintf("the file that says whose keys lie in its folder %s", *problem);
		return false;
	}
	BindingText(folder, expected);
	if (strcmp(found, expected) != 0)
	{
		*problem = "its folder belongs to another database";
		return false;
	}
	if (!IsFolderMarked(folder))
	{
		*problem = "its folder is not among those that the cluster keeps as this database's in answer_eval.key_folders";
		return false;
	}
	bound.registry = registry;
	RememberFile(&bound.file, path, &st);
	strlcpy(bound.folder, folder, sizeof(bound.folder));
	return true;
}

void
RequireOurs(const char *key_id, const char *folder)
{
	const char *problem = "no folder is known for it";

	if (folder[0] != '\0' && IsFolderOurs(folder, &problem))
		return;
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("this database has no private signing key of its own yet"),
			 errdetail("Its registry has the active key \"%s\", but %s.", key_id, problem),
			 errhint("Make a key with answer_key_generate(). If this database takes the place of the one that had the key, put that one's folder below the directory named by answer_eval.key_directory, and have a superuser call answer_key_adopt().")));
}

/* Makes a folder with a name that no database ever had, and its binding file. */
void
MakeFolder(char *folder)
{
	pg_uuid_t	name;
	char		path[MAXPGPATH];
	char		text[BINDING_MAX_SIZE];
	int			len;

	if (!pg_strong_random(name.data, UUID_LEN))
		ereport(ERROR,
				(errcode(ERRCODE_INTERNAL_ERROR),
				 errmsg("could not generate random values")));
	name.data[6] = (name.data[6] & 0x0F) | 0x40;
	name.data[8] = (name.data[8] & 0x3F) | 0x80;
	strlcpy(folder, DatumGetCString(DirectFunctionCall1(uuid_out, UUIDPGetDatum(&name))),
			KEY_FOLDER_LENGTH + 1);

	KeyPath(NULL, NULL, NULL, path);
	(void) MakeDirectory(path);
	KeyPath(folder, NULL, NULL, path);
	if (MakeDirectory(path))
		RememberKeyFile(path, true);
	KeyPath(folder, BINDING_NAME, "", path);
	len = BindingText(folder, text);
	WriteNewFile(path, text, len);
	MarkFolder(folder);
}
