/*-------------------------------------------------------------------------
 *
 * packet_receipt.h
 *		The document packet/v1: a signed packet.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_PACKET_RECEIPT_H
#define ANSWER_EVAL_PACKET_RECEIPT_H

#include "document/kind.h"
#include "graph/packet.h"
#include "document/tombstone.h"

extern const DocumentKind packet_kind;
extern void PacketDocumentSet(JsonView *body, const Packet *packet, bool by_text, bool had_written);

extern const EraseQueries graph_erasing;

#endif							/* ANSWER_EVAL_PACKET_RECEIPT_H */
