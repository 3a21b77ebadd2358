"""The kinds of documents that get all five steps: doc/spec/document.md §5.2, doc/spec/df-verify-1.md §5.2 and §6.3.

A new kind of documents gets its line here.
"""

import collections

from verify.document.retention import retention_closure, retention_replay
from verify.answer_eval.answer import answer_closure, answer_replay
from verify.decision.signed_decision import decision_closure, decision_replay
from verify.quality.assess import quality_closure, quality_replay
from verify.packet.signed_packet import packet_closure, packet_replay
from verify.plan.signed_plan import plan_closure, plan_replay
from verify.gate.change import change_closure, change_replay
from verify.gate.run import run_closure, run_replay

# For each schema: the prefix of ids, the function for closure, and the function for replay.
Kind = collections.namedtuple("Kind", "prefix closure replay")


def kind_of(document):
    """The kind that a document claims to be, or None."""
    schema = document.get("schema")
    return KINDS.get(schema) if isinstance(schema, str) else None


KINDS = {"answer/v1": Kind("ans_", answer_closure, answer_replay),
         "quality/v1": Kind("qua_", quality_closure, quality_replay),
         "decision/v1": Kind("dec_", decision_closure, decision_replay),
         "packet/v1": Kind("pkt_", packet_closure, packet_replay),
         "plan/v1": Kind("pln_", plan_closure, plan_replay),
         "run/v1": Kind("run_", run_closure, run_replay),
         "change/v1": Kind("chg_", change_closure, change_replay),
         "retention/v1": Kind("ret_", retention_closure, retention_replay)}
