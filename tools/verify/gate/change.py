"""Closure and replay of records of changes (change/v1): doc/spec/document.md §9, doc/spec/gate.md §6.7 and §7.6."""

from verify.document.json_text import ABSENT, Num
from verify.document.portable_number import plain_text
from verify.df_verify_1.report import need
from verify.gate.step import environment_replay
from verify.gate.proposal import proposal_replay


def change_closure(document):
    """The members have their types, and the states before and after fit together."""
    for key in ("kind", "name", "revision", "action", "before", "after"):
        need(key in document, "%s is missing" % key)
    before, after, revision = document["before"], document["after"], document["revision"]
    need(isinstance(document["kind"], str) and isinstance(document["name"], str), "kind or name is no text")
    number = plain_text(revision.text) if isinstance(revision, Num) else None
    need(number and number.isdigit() and number != "0", "revision is no integer from 1 on")
    need(before is None or isinstance(before, str), "before is neither a digest nor null")
    need(after is None or isinstance(after, dict), "after is neither an object nor null")
    need(before is not None or after is not None, "nothing was there before, and nothing is after")
    need(number != "1" or before is None, "the first revision has something before it")


def change_action(document):
    """The action that follows from the states."""
    is_new, after = not isinstance(document.get("before", ABSENT), str), document.get("after", ABSENT)
    if not isinstance(after, dict):
        return "remove"
    if document.get("kind") == "key":
        if after.get("status") == "active":
            return "generate"
        return "import" if is_new else "compromise" if after.get("status") == "compromised" else "retire"
    return "add" if is_new and "shipped" not in after else "change"


def change_replay(document, _terms=None):
    """The action follows from the states; for an environment or a proposal, from the step or the measures."""
    if document.get("kind") == "environment":
        environment_replay(document)
        return
    if document.get("kind") == "proposal":
        proposal_replay(document)
        return
    need(document.get("action") == change_action(document), "the action does not follow from the states")
