/*-------------------------------------------------------------------------
 *
 * rfc3339.h
 *		The only way to write a point in time in facts and receipts.
 *
 * The form is YYYY-MM-DDTHH:MM:SS, optionally a point and one to six digits,
 * then Z or an offset in hours and minutes.  Anything else is not an instant.
 * Pure: no time zone setting, no clock.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_RFC3339_H
#define ANSWER_EVAL_RFC3339_H

#include "datatype/timestamp.h"

#include "base/jsonview.h"

/* YYYYYY-MM-DDTHH:MM:SS.ffffffZ and a terminator, with room to spare */
#define INSTANT_SIZE	40

extern bool InstantParse(const char *str, int len, TimestampTz *instant);
extern bool InstantOfView(const JsonView *view, TimestampTz *instant);
extern bool InstantIsWritable(TimestampTz instant);
extern void InstantFormat(TimestampTz instant, char *out);
extern JsonView InstantView(TimestampTz instant);
extern JsonView InstantViewOrNull(TimestampTz instant);

#endif							/* ANSWER_EVAL_RFC3339_H */
