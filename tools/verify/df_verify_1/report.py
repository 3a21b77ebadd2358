"""How a step of a verification reports what is wrong: doc/spec/df-verify-1.md §2.

need() ends a step with a reason. Differences collects where a replay gives something else. Unusable is for files and
options of the command line: it ends the program with exit status 2.
"""

import collections

from verify.document.json_text import ABSENT, Num
from verify.document.portable_number import plain, plain_text, portable_number
from verify.document.canonical import canonical, same_as


class Unusable(Exception):
    """Something named on the command line cannot be used: exit status 2."""


class Broken(Exception):
    """A verification step that fails: the reason, and more members for its report."""

    def __init__(self, reason, **more):
        super().__init__(reason)
        self.more = more


def need(truth, reason):
    """Fail the current step unless `truth`."""
    if not truth:
        raise Broken(reason)


MAX_DIFFERENCES, MAX_TEXT = 100, 1000

# What a verifier is given beside the keys. roots: the trusted certificates (list of Certificate), or None; at: the instant
# at which the chain must be valid, None for the token's own; rules: rules documents that a receipt may name by their digest.
Terms = collections.namedtuple("Terms", "roots at rules", defaults=(None, None, ()))


def is_ascii(text):
    """Whether a value is an ASCII text, the same in every encoding."""
    return isinstance(text, str) and text.isascii()


def member_of(receipt, name, kind):
    """A member that a receipt must have."""
    value = receipt.get(name)
    need(isinstance(value, kind), "%s is missing" % name)
    return value


class Differences(list):
    """Where recomputing gives something other than what is recorded; MAX_DIFFERENCES entries at most."""

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
        """Compare a confidence: the recorded number must read as the double that was computed."""
        text = plain_text(recorded.text) if isinstance(recorded, Num) else None
        if text is None or float(text) != recomputed:
            self.note(check, "confidence", recorded, Num(repr(recomputed)))

    def observed(self, check, recorded, recomputed):
        """Compare an observed value: it must be recorded in its portable form, byte for byte."""
        if not same_as(recorded, recomputed):
            self.note(check, "observed", recorded, recomputed)


def reportable(value, as_portable=False):
    """A value as a report shows it: a short scalar as it is, anything else as its canonical text, cut to MAX_TEXT.

    Recomputed values are shown in portable form, recorded ones unchanged.
    """
    if isinstance(value, Num) and len(value.text) <= MAX_TEXT and plain(value.text):
        value = portable_number(value.text) if as_portable else value
    elif isinstance(value, (Num, list, dict)):
        value = canonical(value, as_portable)
    return value[:MAX_TEXT] if isinstance(value, str) else value
