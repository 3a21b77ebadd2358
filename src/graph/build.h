/*-------------------------------------------------------------------------
 *
 * build.h
 *		Makes packets from stored graphs.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GRAPH_BUILD_H
#define ANSWER_EVAL_GRAPH_BUILD_H

#include "graph/packet.h"
#include "graph/packet_request.h"

extern bool GraphMayBeAsked(void);
extern const char *PacketOfGraph(text *tenant, const PacketRequest *request, Packet *packet);

#endif							/* ANSWER_EVAL_GRAPH_BUILD_H */
