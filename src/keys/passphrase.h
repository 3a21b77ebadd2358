/*-------------------------------------------------------------------------
 *
 * passphrase.h
 *		Runs the command that prints passphrases of private keys.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_PASSPHRASE_H
#define ANSWER_EVAL_PASSPHRASE_H


#define PASSPHRASE_MAX_SIZE	1024

/* A passphrase in the server's memory; len is 0 if there is none. */
typedef struct Passphrase
{
	int			len;
	char		text[PASSPHRASE_MAX_SIZE];
} Passphrase;

extern int	ReadPassphrase(const char *key_id, char *passphrase);

#endif							/* ANSWER_EVAL_PASSPHRASE_H */
