/*-------------------------------------------------------------------------
 *
 * synth_answer.h
 *		synth.answer: an answer made of what evidence quotes, and of nothing else.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_SYNTH_ANSWER_H
#define ANSWER_EVAL_SYNTH_ANSWER_H

#include "base/jsonview.h"

/*
 * Quotes the supporting sentences of an evidence, then the related ones: {text,
 * citations: [{uri, title?, stamp?}]}.  False, and one sentence that names the place,
 * if it is no evidence.
 */
extern bool SynthAnswer(const JsonView *evidence, JsonView *result, const char **problem);

#endif							/* ANSWER_EVAL_SYNTH_ANSWER_H */
