"""How a step of a verification says what does not hold: doc/spec/df-verify-1.md §2.

need() ends a step with a reason. Differences collects what a replay found otherwise. Unusable is for what the command
line names: it ends the program with the exit status 2.
"""

import collections

from verify.document.json_text import ABSENT, Num
from verify.document.portable_number import plain, plain_text, portable_number
from verify.document.canonical import canonical, same_as


class Unusable(Exception):
    """What the command line names cannot be used: exit status 2."""


class Broken(Exception):
    """A verification step that does not hold: the reason, and more members for its report."""

    def __init__(self, reason, **more):
        super().__init__(reason)
        self.more = more


def need(truth, reason):
    """Fail the current step unless `truth`."""
    if not truth:
        raise Broken(reason)


MAX_DIFFERENCES, MAX_TEXT = 100, 1000

# What a verifier is told beside the keys: trusted roots, a list of Certificate, or None; the instant at which the chain
# must be valid, None for the token's own; and documents of rules of decisions, which a document may name by its digest.
Terms = collections.namedtuple("Terms", "roots at rules", defaults=(None, None, ()))


def is_ascii(text):
    """A text that no encoding can garble."""
    return isinstance(text, str) and text.isascii()


def member_of(receipt, name, kind):
    """A member that a receipt must have."""
    value = receipt.get(name)
    need(isinstance(value, kind), "%s is missing" % name)
    return value


class Differences(list):
    """What a replay found otherwise than it is recorded, a hundred entries at most."""

    def note(self, check, field, recorded, recomputed):
        """Add one: {check?, field, recorded?, recomputed?}."""
        entry = {"check": reportable(check), "field": field, "recorded": reportable(recorded),
                 "recomputed": reportable(recomputed, True)}
        if len(self) < MAX_DIFFERENCES:
            self.append({k: v for k, v in entry.items() if v is not ABSENT})

    def label(self, check, field, recorded, recomputed):
        """Compare a verdict."""
        if recorded != recomputed:
            self.note(check, field, recorded, recomputed)

    def confidence(self, check, recorded, recomputed):
        """A confidence is recorded as a number that reads as the double computed."""
        text = plain_text(recorded.text) if isinstance(recorded, Num) else None
        if text is None or float(text) != recomputed:
            self.note(check, "confidence", recorded, Num(repr(recomputed)))

    def observed(self, check, recorded, recomputed):
        """What was observed is recorded in its portable form, byte for byte."""
        if not same_as(recorded, recomputed):
            self.note(check, "observed", recorded, recomputed)


def reportable(value, as_portable=False):
    """A value as a report shows it: itself if it is a short scalar, else its canonical text, cut short.

    What was recomputed is shown in its portable form, what is recorded as it stands.
    """
    if isinstance(value, Num) and len(value.text) <= MAX_TEXT and plain(value.text):
        value = portable_number(value.text) if as_portable else value
    elif isinstance(value, (Num, list, dict)):
        value = canonical(value, as_portable)
    return value[:MAX_TEXT] if isinstance(value, str) else value
