/*-------------------------------------------------------------------------
 *
 * mark.c
 *		What was cosigned last, beyond the reach of a rollback.
 *
 * Belongs to the room "log".  A cosignature is out as soon as its caller sees
 * it; the row that remembers it goes if the transaction rolls back, and the
 * next request could then have a fork cosigned.  So a witness also keeps, beside
 * its private keys and for each log, a file with the size and root hash of the
 * checkpoint cosigned last, written before anything is signed.
 *
 * Rule: C2SP tlog-witness, which wants the checkpoint persisted before the
 * cosignature is returned.
 *
 * Promises: a file is replaced whole and durably.  It can only make a witness
 * refuse what the table would let pass: where there is no file, as after a
 * restore elsewhere, the table alone decides.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "miscadmin.h"
#include "storage/fd.h"

#include "checkpoint.h"
#include "mark.h"
#include "signature.h"

/* A size, a root hash in base64, and a newline after each. */
#define MARK_MAX_SIZE		128
#define ORIGIN_HEX_LENGTH	32

/* A file a database and origin, whose name any file system takes. */
static void
MarkPath(Span origin, char *path)
{
	char		directory[MAXPGPATH];
	uint8		sha256[SHA256_LENGTH];
	char		hex[ORIGIN_HEX_LENGTH + 1];

	SigningDirectory(directory);
	Sha256(origin.str, origin.len, sha256);
	HexEncode(sha256, ORIGIN_HEX_LENGTH / 2, hex);
	hex[ORIGIN_HEX_LENGTH] = '\0';
	if (snprintf(path, MAXPGPATH, "%s/witness-%u-%s", directory, MyDatabaseId, hex) >= MAXPGPATH - 4)
		ereport(ERROR,
				(errcode(ERRCODE_CONFIG_FILE_ERROR),
				 errmsg("the path of the key directory is too long")));
}

/* The same for a hint. */
char *
WitnessMarkFile(Span origin)
{
	char	   *path = palloc(MAXPGPATH);

	MarkPath(origin, path);
	return path;
}

/* Reads at most MARK_MAX_SIZE bytes; -1 if there is no such file. */
static int
ReadFile(const char *path, char *buffer)
{
	int			fd = OpenTransientFile(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | PG_BINARY);
	int			len;

	if (fd < 0 && errno == ENOENT)
		return -1;
	if (fd < 0)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not open the witness's file \"%s\": %m", path)));
	len = read(fd, buffer, MARK_MAX_SIZE);
	if (len < 0)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not read the witness's file \"%s\": %m", path)));
	CloseTransientFile(fd);
	return len;
}

/* Takes "size\nroot\n" apart. */
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

/* What was cosigned last of a log; false if nothing is remembered here. */
bool
WitnessMarkRead(Span origin, uint64 *size, MerkleHash *root)
{
	char		path[MAXPGPATH];
	char		buffer[MARK_MAX_SIZE];
	int			len;

	MarkPath(origin, path);
	len = ReadFile(path, buffer);
	if (len < 0)
		return false;
	if (!ParseMark(buffer, len, size, root))
		ereport(ERROR,
				(errcode(ERRCODE_DATA_CORRUPTED),
				 errmsg("the witness's file \"%s\" is damaged", path),
				 errdetail("It should hold the size and root hash of the checkpoint cosigned last."),
				 errhint("Restore it, or remove it once you are sure that answer.witness_checkpoint has every checkpoint that was cosigned.")));
	return true;
}

void
WitnessMarkWrite(Span origin, uint64 size, const MerkleHash *root)
{
	char		path[MAXPGPATH];
	char		temporary[MAXPGPATH];
	char		encoded[BASE64_SIZE(SHA256_LENGTH)];
	char		text[MARK_MAX_SIZE];
	int			len;
	int			fd;

	MarkPath(origin, path);
	snprintf(temporary, sizeof(temporary), "%s.new", path);
	Base64Encode(root->bytes, SHA256_LENGTH, encoded);
	len = snprintf(text, sizeof(text), UINT64_FORMAT "\n%s\n", size, encoded);
	/* one writer at a time, see LogLock; what an interrupted one left is in nobody's way */
	fd = OpenTransientFilePerm(temporary, O_CREAT | O_TRUNC | O_WRONLY | O_NOFOLLOW | PG_BINARY,
							   S_IRUSR | S_IWUSR);
	if (fd < 0)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not create the witness's file \"%s\": %m", temporary)));
	errno = 0;
	if (write(fd, text, len) != len)
	{
		if (errno == 0)
			errno = ENOSPC;
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not write the witness's file \"%s\": %m", temporary)));
	}
	if (pg_fsync(fd) != 0 || CloseTransientFile(fd) != 0)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not flush the witness's file \"%s\": %m", temporary)));
	durable_rename(temporary, path, ERROR);
}
