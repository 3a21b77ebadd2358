/*-------------------------------------------------------------------------
 *
 * key_folder.h
 *		Folders of keys: which database owns them, and their files.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_KEY_FOLDER_H
#define ANSWER_EVAL_KEY_FOLDER_H

#include <sys/stat.h>

#include "datatype/timestamp.h"
#include "keys/ed25519.h"

/* The file in a key folder that names the database that owns it. */
#define BINDING_NAME		"database"
#define BINDING_MAX_SIZE	512

/* A file's state when it was read, and the statement that checked it last. */
typedef struct KnownFile
{
	char		path[MAXPGPATH];
	struct stat st;
	LocalTransactionId transaction;
	TimestampTz statement;
} KnownFile;

extern void SigningKeyFile(const SigningKey *key, const char *name, char *path);
extern void SigningFileReplace(const char *path, const char *text, int len, const char *what);

/* only for this directory */
extern void KeyPath(const char *folder, const char *name, const char *suffix, char *path);
extern int	ReadGuardedFile(const char *path, char *buffer, int size, struct stat *st,
							const char **problem);
extern void RememberFile(KnownFile *file, const char *path, const struct stat *st);
extern bool IsUnchanged(const char *path, KnownFile *file);
extern void WriteNewFile(const char *path, const char *text, int len);
extern int	BindingText(const char *folder, char *text);
extern int	ReadBinding(const char *folder, char *text, struct stat *st, const char **problem);
extern bool IsFolderOurs(const char *folder, const char **problem);
extern void RequireOurs(const char *key_id, const char *folder);
extern void MarkFolder(const char *folder);
extern void MakeFolder(char *folder);

#endif							/* ANSWER_EVAL_KEY_FOLDER_H */
