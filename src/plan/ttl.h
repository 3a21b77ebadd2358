/*-------------------------------------------------------------------------
 *
 * ttl.h
 *		TTLs: how long remembered values live.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_TTL_H
#define ANSWER_EVAL_TTL_H

#include "datatype/timestamp.h"

#include "base/span.h"

#define TTL_DEFAULT			"P90D"
#define TTL_MAX_DAYS		3650000

/*
 * Reads P[nD][T[nH][nM][nS]] as seconds: more than 0, and at most TTL_MAX_DAYS
 * days.  Returns NULL, or what is wrong, a clause: "must be ...".
 */
extern const char *TtlParse(Span text, int64 *seconds);

/* Sets the instant from which on the value has expired. Returns false if a timestamp cannot hold it. */
extern bool TtlExpires(int64 seconds, TimestampTz written_at, TimestampTz *expires);

#endif							/* ANSWER_EVAL_TTL_H */
