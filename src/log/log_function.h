/*-------------------------------------------------------------------------
 *
 * log_function.h
 *		SQL functions of the log.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_LOG_FUNCTION_H
#define ANSWER_EVAL_LOG_FUNCTION_H

#include "log/note.h"

extern NoteKey ParsedVkey(text *vkey);

#endif							/* ANSWER_EVAL_LOG_FUNCTION_H */
