/*-------------------------------------------------------------------------
 *
 * last_signed.c
 *		Remembers the last cosigned checkpoint where no rollback can undo it.
 *
 * A cosignature is public as soon as its caller sees it.  The row that records it
 * is lost if the transaction rolls back, and the next request could then get a
 * fork cosigned.  So a witness also keeps a file for each log, beside its private
 * keys.  The file has the size and root hash of the checkpoint cosigned last, and
 * is written before anything is signed.
 *
 * The file is in the folder of the key that cosigns, and moves with the key.  So
 * a witness that is restored or copied has either both, or a new key that has not
 * cosigned anything.
 *
 * seal.c keeps the checkpoint of our own log that was sealed last in the same way.
 *
 * Rule: C2SP tlog-witness, which demands that the checkpoint is persisted before
 * the cosignature is returned.
 *
 * Promises: a file is replaced as a whole and durably.  It can only make a
 * witness refuse what the table would accept.  Without a file, the table alone
 * decides.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <fcntl.h>
#include <unistd.h>

#include "storage/fd.h"

#include "base/base64.h"
#include "keys/key_folder.h"
#include "log/last_signed.h"
#include "log/note.h"

/* The file has a size and a root hash in base64, each followed by a newline. */
#define MARK_MAX_SIZE		128
#define ORIGIN_HEX_LENGTH	32

/*
 * Makes the path of the file for a folder of keys and an origin, with a name that every
 * file system accepts.
 */
static void
MarkPath(const SigningKey *key, Span origin, char *path)
{
	uint8		sha256[SHA256_LENGTH];
	char		hex[ORIGIN_HEX_LENGTH + 1];
	char		name[ORIGIN_HEX_LENGTH + 9];

	Sha256(origin.str, origin.len, sha256);
	HexEncode(sha256, ORIGIN_HEX_LENGTH / 2, hex);
	hex[ORIGIN_HEX_LENGTH] = '\0';
	snprintf(name, sizeof(name), "witness-%s", hex);
	SigningKeyFile(key, name, path);
}

/* Returns the path, for a hint. */
char *
LastSignedFile(const SigningKey *key, Span origin)
{
	char	   *path = palloc(MAXPGPATH);

	MarkPath(key, origin, path);
	return path;
}

/* Reads at most MARK_MAX_SIZE bytes; returns -1, with errno set, if it cannot. */
static int
ReadFile(const char *path, char *buffer)
{
	int			fd = OpenTransientFile(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | PG_BINARY);
	int			len;
	int			saved;

	if (fd < 0)
		return -1;
	len = read(fd, buffer, MARK_MAX_SIZE);
	saved = errno;
	CloseTransientFile(fd);
	errno = saved;
	return len;
}

/* Parses "size\nroot\n". */
static bool
ParseMark(const char *text, int len, uint64 *size, MerkleHash *root)
{
	const char *newline = memchr(text, '\n', len);
	int			rest;

	if (newline == NULL)
		return false;
	rest = len - (int) (newline + 1 - text);
	return rest == HASH_TEXT_LENGTH + 1 && text[len - 1] == '\n' &&
		DecimalParse((Span) {text, (int) (newline - text)}, size) &&
		HashParse((Span) {newline + 1, HASH_TEXT_LENGTH}, root);
}

/* Reads what was cosigned last of a log from the file beside the key.  Never raises an error. */
LastSignedState
LastSignedLook(const SigningKey *key, Span origin, uint64 *size, MerkleHash *root)
{
	char		path[MAXPGPATH];
	char		buffer[MARK_MAX_SIZE];
	int			len;

	MarkPath(key, origin, path);
	len = ReadFile(path, buffer);
	if (len < 0)
		return errno == ENOENT ? LAST_SIGNED_NONE :
			errno == ELOOP ? LAST_SIGNED_DAMAGED : LAST_SIGNED_UNREADABLE;	/* a link */
	return ParseMark(buffer, len, size, root) ? LAST_SIGNED_READ : LAST_SIGNED_DAMAGED;
}

/* Does the same, but raises an error for a bad file; returns false if there is no file. */
bool
LastSignedRead(const SigningKey *key, Span origin, uint64 *size, MerkleHash *root)
{
	LastSignedState	state = LastSignedLook(key, origin, size, root);

	if (state == LAST_SIGNED_UNREADABLE)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not read the witness's file \"%s\": %m",
						LastSignedFile(key, origin))));
	if (state == LAST_SIGNED_DAMAGED)
		ereport(ERROR,
				(errcode(ERRCODE_DATA_CORRUPTED),
				 errmsg("the witness's file \"%s\" is damaged", LastSignedFile(key, origin)),
				 errdetail("It should hold the size and root hash of the checkpoint cosigned last."),
				 errhint("Restore it, or remove it once you are sure that answer.witness_checkpoint has every checkpoint that was cosigned.")));
	return state == LAST_SIGNED_READ;
}

void
LastSignedWrite(const SigningKey *key, Span origin, uint64 size, const MerkleHash *root)
{
	char		path[MAXPGPATH];
	char		encoded[BASE64_SIZE(SHA256_LENGTH)];
	char		text[MARK_MAX_SIZE];
	int			len;

	MarkPath(key, origin, path);
	Base64Encode(root->bytes, SHA256_LENGTH, encoded);
	len = snprintf(text, sizeof(text), UINT64_FORMAT "\n%s\n", size, encoded);
	/* one writer at a time, see LogLock */
	SigningFileReplace(path, text, len, "witness's file");
}
