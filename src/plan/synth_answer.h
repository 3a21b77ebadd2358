/*-------------------------------------------------------------------------
 *
 * synth_answer.h
 *		synth.answer: makes an answer from quotes of evidence alone.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_SYNTH_ANSWER_H
#define ANSWER_EVAL_SYNTH_ANSWER_H

#include "base/jsonview.h"

/*
 * Quotes the supporting sentences of an evidence, then the related ones.  The
 * result is {text, citations: [{uri, title?, stamp?}]}.  If the evidence is
 * malformed, returns false and one sentence that names the place.
 */
extern bool SynthAnswer(const JsonView *evidence, JsonView *result, const char **problem);

#endif							/* ANSWER_EVAL_SYNTH_ANSWER_H */
