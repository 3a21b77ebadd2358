/*-------------------------------------------------------------------------
 *
 * replay_bundle.h
 *		Everything that a replay of a plan needs, as one archive that can be checked
 *		without this product.
 *
 * Below one directory, whose name is the id of the document:
 *
 *	data/document.json, .sig	plan/v1 as it was signed, and the 64 bytes of its
 *								signature
 *	data/plan.json, data/vars.json	the plan, and what $INPUT was
 *	data/tools/000001.json		{"spec", "tool"} of each tool, by name
 *	data/trace/000001.json, .sig	each event as it was signed, and its signature
 *	data/inputs/000001.json, data/outputs/000001.json	of the event of that number,
 *								where the document has them
 *	data/memory/000001.json		{"key", "value", "provenance", "ttl", "expires"} that the
 *								event of that number wrote
 *	data/keys/KEY_ID.pem		the public keys of all these signatures
 *	data/signatures.txt			a line a signature: signed file, signature, key
 *
 * and what BagIt wants beside data/ (archive.h).  All JSON is in canonical form,
 * without a line end.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_PLAN_REPLAY_BUNDLE_H
#define ANSWER_EVAL_PLAN_REPLAY_BUNDLE_H

#include "base/jsonview.h"
#include "base/span.h"

#endif							/* ANSWER_EVAL_PLAN_REPLAY_BUNDLE_H */
