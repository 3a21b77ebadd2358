/*-------------------------------------------------------------------------
 *
 * packet_schema.h
 *		The schema of evidence packets, and how a packet can violate it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GRAPH_PACKET_SCHEMA_H
#define ANSWER_EVAL_GRAPH_PACKET_SCHEMA_H

#include "base/jsonview.h"

#define PACKET_SCHEMA_VERSION	"1.0"
#define PACKET_LIMIT_DEFAULT	20	/* entries, if the question gives no limit */
#define PACKET_LIMIT_MAX		1000
#define PACKET_NEIGHBORS_MAX	50	/* names in one entry */
#define PACKET_RELATIONS_MAX	500 /* relationships in one packet */

#define MODE_EVIDENCE_ONLY		"evidence-only"
#define MODE_SYNTHESIS			"synthesis"
#define PACKET_SUCCESS			"success"
#define PACKET_INSUFFICIENT		"insufficient_evidence"

/* Returns all violations of the form: an array of sentences that each name the place. Pure. */
extern JsonView PacketFormViolations(const JsonView *packet);

/*
 * Reads the similarity of an entry in ten-thousandths, 0 to 10000.  Returns false
 * if the view is no such number with at most 4 decimals.
 */
extern bool PacketScoreOfView(const JsonView *view, int *score);

/*
 * Reads a number from 0 to 1, and returns the smallest similarity, in
 * ten-thousandths, that is not below it.  Returns false if the view is no such
 * number.
 */
extern bool PacketLeastOfView(const JsonView *view, int *least);

#endif							/* ANSWER_EVAL_GRAPH_PACKET_SCHEMA_H */
