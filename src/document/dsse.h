/*-------------------------------------------------------------------------
 *
 * dsse.h
 *		DSSE envelopes around statements that are signed here.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_DSSE_H
#define ANSWER_EVAL_DSSE_H

#include "lib/stringinfo.h"

#include "base/jsonview.h"

#define STATEMENT_TYPE	"https://in-toto.io/Statement/v1"

/*
 * Signs an in-toto statement, given in canonical form, with the active key.  SPI must be
 * connected.
 */
extern JsonView DsseEnvelope(const StringInfo payload);

#endif							/* ANSWER_EVAL_DSSE_H */
