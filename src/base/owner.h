/*-------------------------------------------------------------------------
 *
 * owner.h
 *		Runs code as the owner of our tables, and as the caller again.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_OWNER_H
#define ANSWER_EVAL_OWNER_H

#include "fmgr.h"

extern Oid	AnswerSchema(void);
extern Oid	AnswerRelation(const char *name);
extern Oid	AnswerTable(const char *name);
extern void AnswerAsOwner(Oid *user, int *context);
extern void AnswerAsCaller(Oid user, int context);

/*
 * Runs one statement as the owner of our tables.  It must not leave the function, except
 * by an error, which ends the transaction or a subtransaction and so restores the user.
 */
#define AS_OWNER(...) \
	do { \
		Oid			user_; \
		int			context_; \
\
		AnswerAsOwner(&user_, &context_); \
		__VA_ARGS__; \
		AnswerAsCaller(user_, context_); \
	} while (0)

extern void RequireExecute(Oid schema, const char *name, int nargs, const Oid *argtypes);
extern void CallerStatementBegin(Oid schema, const char *name, int nargs, const Oid *argtypes);
extern void CallerStatementEnd(void);
extern Datum AnswerCall(Oid schema, const char *name, int nargs, const Oid *argtypes,
						const NullableDatum *args);
extern void AnswerCallBeside(FunctionCallInfo fcinfo, const char *name, int nlead, const Datum *lead,
							 int nmore, const Oid *moretypes, const NullableDatum *more);

#endif							/* ANSWER_EVAL_OWNER_H */
