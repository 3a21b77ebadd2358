/*-------------------------------------------------------------------------
 *
 * passphrase.c
 *		Runs the command that prints passphrases of private keys.
 *
 * This works like ssl_passphrase_command for the server's own key: a shell
 * command prints the passphrase as its first line.
 *
 * Promises: cancelling the statement ends the command and everything that it
 * started.  The passphrase is always cleansed from memory.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <sys/wait.h>

#include <openssl/pkcs12.h>

#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "port.h"
#include "storage/latch.h"
#include "utils/wait_event.h"

#include "base/settings.h"
#include "keys/passphrase.h"
/* Replaces %p by what the passphrase is for, and %% by %, as for ssl_passphrase_command. */
static char *
PassphraseCommand(const char *key_id)
{
	StringInfoData command;

	initStringInfo(&command);
	for (const char *c = answer_eval_key_passphrase_command; *c; c++)
	{
		if (c[0] == '%' && c[1] == 'p')
		{
			/* an id has only letters, digits and hyphens, which mean nothing to a shell */
			appendStringInfoString(&command, key_id);
			c++;
		}
		else if (c[0] == '%' && c[1] == '%')
			appendStringInfoChar(&command, *c++);
		else
			appendStringInfoChar(&command, *c);
	}
	return command.data;
}

/* Starts the command in a process group of its own, so that all its processes can be ended. */
static pid_t
StartCommand(const char *command, int output[2])
{
	pid_t		pid;

	if (pipe(output) != 0)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not create a pipe: %m")));
	fflush(NULL);
	pid = fork();
	if (pid == 0)
	{
		(void) setpgid(0, 0);
		pqsignal(SIGPIPE, SIG_DFL);
		if (dup2(output[1], STDOUT_FILENO) >= 0)
		{
			close(output[0]);
			if (output[1] != STDOUT_FILENO)
				close(output[1]);
			execl("/bin/sh", "sh", "-c", command, (char *) NULL);
		}
		_exit(127);
	}
	close(output[1]);
	if (pid < 0)
	{
		close(output[0]);
		ereport(ERROR,
				(errcode(ERRCODE_SYSTEM_ERROR),
				 errmsg("could not start answer_eval.key_passphrase_command: %m")));
	}
	return pid;
}

/*
 * Reads to the end of the command's output, or until the statement is cancelled.
 * Returns the length; what does not fit is read and dropped.
 */
static int
ReadOutput(int fd, char *buffer, int size)
{
	int			len = 0;

	for (;;)
	{
		char		rest[256];
		bool		is_full = len == size;
		int			event;
		ssize_t		n;

		event = WaitLatchOrSocket(MyLatch, WL_LATCH_SET | WL_SOCKET_READABLE | WL_EXIT_ON_PM_DEATH,
								  fd, -1, PG_WAIT_EXTENSION);
		if (event & WL_LATCH_SET)
			ResetLatch(MyLatch);
		CHECK_FOR_INTERRUPTS();
		if (!(event & WL_SOCKET_READABLE))
			continue;
		n = is_full ? read(fd, rest, sizeof(rest)) : read(fd, buffer + len, size - len);
		if (n < 0 && errno == EINTR)
			continue;
		if (is_full)
			OPENSSL_cleanse(rest, sizeof(rest));
		if (n <= 0)
			return len;
		if (!is_full)
			len += n;
	}
}

/* Waits until the command ends or the statement is cancelled. */
static int
AwaitCommand(pid_t pid)
{
	int			status;
	pid_t		ended;

	while ((ended = waitpid(pid, &status, WNOHANG)) == 0 || (ended < 0 && errno == EINTR))
	{
		int			event = WaitLatch(MyLatch, WL_LATCH_SET | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH,
									  10, PG_WAIT_EXTENSION);

		if (event & WL_LATCH_SET)
			ResetLatch(MyLatch);
		CHECK_FOR_INTERRUPTS();
	}
	return ended < 0 ? -1 : status;
}

static void
KillCommand(pid_t pid)
{
	kill(-pid, SIGKILL);
	kill(pid, SIGKILL);			/* in case it has no group of its own yet */
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		 /* again */ ;
}

/*
 * Runs answer_eval.key_passphrase_command, and gives its first line without the
 * newline.  Returns its length.  Cancelling the statement ends the command.
 */
int
ReadPassphrase(const char *key_id, char *passphrase)
{
	char	   *command = PassphraseCommand(key_id);
	int			output[2];
	pid_t		pid = StartCommand(command, output);
	volatile int status = 0;
	volatile int read_len = 0;
	int			len;

	PG_TRY();
	{
		read_len = ReadOutput(output[0], passphrase, PASSPHRASE_MAX_SIZE);
		status = AwaitCommand(pid);
	}
	PG_CATCH();
	{
		OPENSSL_cleanse(passphrase, PASSPHRASE_MAX_SIZE);
		close(output[0]);
		KillCommand(pid);
		PG_RE_THROW();
	}
	PG_END_TRY();
	close(output[0]);
	len = read_len;
	for (int i = 0; i < len; i++)
	{
		if (passphrase[i] == '\n' || passphrase[i] == '\r')
		{
			OPENSSL_cleanse(passphrase + i, len - i);
			len = i;
		}
	}
	if (status == 0 && len > 0 && len < PASSPHRASE_MAX_SIZE)
		return len;
	OPENSSL_cleanse(passphrase, PASSPHRASE_MAX_SIZE);
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("answer_eval.key_passphrase_command gave no passphrase for key \"%s\"", key_id),
			 errdetail("%s", status != 0 ? psprintf("The %s.", wait_result_to_str(status)) :
					   len == 0 ? "The first line of its output is empty." :
					   "The first line of its output is too long."),
			 errhint("It must write the passphrase as its first line, of at most %d bytes, and end with status 0.",
					 PASSPHRASE_MAX_SIZE - 1)));
	return 0;
}
