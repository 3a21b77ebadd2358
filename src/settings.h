/*-------------------------------------------------------------------------
 *
 * settings.h
 *		The settings that module.c defines.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_SETTINGS_H
#define ANSWER_EVAL_SETTINGS_H

extern char *answer_eval_issuer;
extern char *answer_eval_key_directory;
extern char *answer_eval_key_passphrase_command;

#endif							/* ANSWER_EVAL_SETTINGS_H */
