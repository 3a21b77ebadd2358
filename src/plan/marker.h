/*-------------------------------------------------------------------------
 *
 * marker.h
 *		The markers of an answer's text, and the list of what they refer to.
 *
 * A marker is "[n]", n in ASCII digits without a leading zero; it refers to
 * citation n, counted from 1.  A citation is {uri, title, stamp}.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_MARKER_H
#define ANSWER_EVAL_MARKER_H

#include "base/jsonview.h"
#include "base/span.h"

/*
 * Checks a text against its citations, an array or absent.  *problems is an
 * array of sentences, empty where all is right.  False, and *malformed (one
 * sentence that names the place), if the citations are none.
 */
extern bool MarkersCheck(Span text, const JsonView *citations, bool needs_citation,
						 JsonView *problems, const char **malformed);

/* Returns a text as it is quoted: each bracketed number is in parentheses. It may be the text itself. */
extern Span MarkersQuoted(Span text);

#endif							/* ANSWER_EVAL_MARKER_H */
