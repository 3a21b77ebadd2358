/*-------------------------------------------------------------------------
 *
 * packet_schema.h
 *		The schema of evidence packets, and what breaks it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GRAPH_PACKET_SCHEMA_H
#define ANSWER_EVAL_GRAPH_PACKET_SCHEMA_H

#include "base/jsonview.h"

#define PACKET_SCHEMA_VERSION	"1.0"
#define PACKET_LIMIT_DEFAULT	20	/* entries that a question asks for */
#define PACKET_LIMIT_MAX		1000
#define PACKET_NEIGHBORS_MAX	50	/* names that an entry lists */
#define PACKET_RELATIONS_MAX	500 /* relationships that a packet lists */

#define MODE_EVIDENCE_ONLY		"evidence-only"
#define MODE_SYNTHESIS			"synthesis"
#define PACKET_SUCCESS			"success"
#define PACKET_INSUFFICIENT		"insufficient_evidence"

/*
 * Returns whatever in a packet is not of the form that the schema demands: an array of
 * sentences, each of which names the place. Pure.
 */
extern JsonView PacketFormViolations(const JsonView *packet);

/*
 * Finds the similarity of an entry in ten-thousandths, 0 to 10000; false if the view
 * is none of at most 4 decimals.
 */
extern bool PacketScoreOfView(const JsonView *view, int *score);

/*
 * Finds the least similarity that is not below a number from 0 to 1, in
 * ten-thousandths; false if the view is none.
 */
extern bool PacketLeastOfView(const JsonView *view, int *least);

#endif							/* ANSWER_EVAL_GRAPH_PACKET_SCHEMA_H */
