/*-------------------------------------------------------------------------
 *
 * packet_request.h
 *		Reads what a packet is asked for with.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_PACKET_REQUEST_H
#define ANSWER_EVAL_PACKET_REQUEST_H

#include "datatype/timestamp.h"
#include "utils/array.h"

#include "base/jsonview.h"
#include "base/span.h"

/* A question to a project.  Texts are UTF-8. */
typedef struct PacketRequest
{
	Span		project;
	Span		question;
	JsonView	options;		/* those that a packet shows, in portable form */
	Span		query_id;		/* pointer NULL: none was given */
	bool		has_now;
	TimestampTz now;
	int			limit;
	int			min_score;		/* of SCORE_WHOLE */
	ArrayType  *labels;			/* text[], like paths; NULL: any */
	ArrayType  *paths;
	ArrayType  *embedding;		/* real[]; NULL: none */
	bool		has_log;
	bool		log;
} PacketRequest;

/* Holds what is wrong with options. */
typedef struct PacketRequestProblem
{
	const char *option;			/* which one; NULL: it is of all of them */
	const char *problem;
	JsonView	seen;			/* its value; absent: that says nothing */
} PacketRequestProblem;

extern void PacketRequestRead(Jsonb *given, PacketRequest *request);
extern bool PacketRequestOfPacket(const JsonView *packet, PacketRequest *request);

#endif							/* ANSWER_EVAL_PACKET_REQUEST_H */
