/*-------------------------------------------------------------------------
 *
 * marker.h
 *		Checks the markers in an answer's text against its list of citations.
 *
 * A marker is "[n]", where n has ASCII digits and no leading zero.  It refers to
 * citation n, counted from 1.  A citation is {uri, title, stamp}.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_MARKER_H
#define ANSWER_EVAL_MARKER_H

#include "base/jsonview.h"
#include "base/span.h"

/*
 * Checks a text against its citations, an array or absent. *problems is set to an
 * array of sentences, empty if all is right.  If the citations are malformed,
 * returns false and sets *malformed, one sentence that names the place.
 */
extern bool MarkersCheck(Span text, const JsonView *citations, bool needs_citation,
						 JsonView *problems, const char **malformed);

/*
 * Returns a text for quoting: each number in brackets is put in parentheses
 * instead.  May return the text itself.
 */
extern Span MarkersQuoted(Span text);

#endif							/* ANSWER_EVAL_MARKER_H */
