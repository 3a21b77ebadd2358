/*-------------------------------------------------------------------------
 *
 * packet_request.h
 *		Reads the request for a packet.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_PACKET_REQUEST_H
#define ANSWER_EVAL_PACKET_REQUEST_H

#include "datatype/timestamp.h"
#include "utils/array.h"

#include "base/jsonview.h"
#include "base/span.h"

/* A question about a project. Texts are UTF-8. */
typedef struct PacketRequest
{
	Span		project;
	Span		question;
	JsonView	options;		/* those shown in the packet, in portable form */
	Span		query_id;		/* pointer NULL: not given */
	bool		has_now;
	TimestampTz now;
	int			limit;
	int			min_score;		/* out of SCORE_WHOLE */
	ArrayType  *labels;			/* text[], also paths; NULL: any */
	ArrayType  *paths;
	ArrayType  *embedding;		/* real[]; NULL: none */
	bool		has_log;
	bool		log;
} PacketRequest;

/* What is wrong with the options. */
typedef struct PacketRequestProblem
{
	const char *option;			/* NULL: the problem is not with a single option */
	const char *problem;
	JsonView	seen;			/* its value; absent if showing it would not help */
} PacketRequestProblem;

extern void PacketRequestRead(Jsonb *given, PacketRequest *request);
extern bool PacketRequestOfPacket(const JsonView *packet, PacketRequest *request);

#endif							/* ANSWER_EVAL_PACKET_REQUEST_H */
