/*-------------------------------------------------------------------------
 *
 * replay_bundle.h
 *		Exports everything that a replay of a plan needs as one archive, which can
 *		be checked without this extension.
 *
 * Its files, below one directory that is named by the id of the document:
 *
 *	data/document.json, .sig	plan/v1 as it was signed, and the 64 bytes of its
 *								signature
 *	data/plan.json, data/vars.json	the plan, and the value of $INPUT
 *	data/tools/000001.json		{"spec", "tool"} of each tool, by name
 *	data/trace/000001.json, .sig	each event as it was signed, and its signature
 *	data/inputs/000001.json, data/outputs/000001.json	of the event of that number,
 *								where the document has them
 *	data/memory/000001.json		{"key", "value", "provenance", "ttl", "expires"}, written
 *								by the event of that number
 *	data/keys/KEY_ID.pem		the public keys of all these signatures
 *	data/signatures.txt			one line per signature: signed file, signature, key
 *
 * and the files that BagIt requires beside data/ (archive.h).  All JSON is in
 * canonical form, without a trailing newline.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_PLAN_REPLAY_BUNDLE_H
#define ANSWER_EVAL_PLAN_REPLAY_BUNDLE_H

#include "base/jsonview.h"
#include "base/span.h"

#endif							/* ANSWER_EVAL_PLAN_REPLAY_BUNDLE_H */
