/*-------------------------------------------------------------------------
 *
 * handler_settings.h
 *		The settings that a tool's result may depend on.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_HANDLER_SETTINGS_H
#define ANSWER_EVAL_HANDLER_SETTINGS_H

extern int	SettleHandler(const char *handler, bool builtin);
extern int	SettleSettings(void);
extern uint64 StrongBits(void);

#endif							/* ANSWER_EVAL_HANDLER_SETTINGS_H */
