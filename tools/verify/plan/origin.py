"""Origins: who reported a value that was not observed. doc/spec/plan.md §15."""

import collections
import re

from verify.df_verify_1.report import need

# An origin is a frozenset of the roles that reported a value; it is empty if the value was observed.
OBSERVED = frozenset()
UNKNOWN_ROLE = frozenset({"unknown"})
MAX_ROLES = 1000
# The origin of the request, the origin of the plan, and {tool: {registered_by, shared}}. Documents from before origins
# were kept have None instead.
OriginTerms = collections.namedtuple("OriginTerms", "request plan tools")


def origin_terms_of(document):
    """The OriginTerms of a document, or None."""
    if "origin" not in document:
        return None
    view = document["origin"]
    need(isinstance(view, dict) and isinstance(view.get("request"), str) and isinstance(view.get("plan"), str) and
         isinstance(view.get("tools"), dict), "origin is malformed")
    return OriginTerms(frozenset({view["request"]}), frozenset({view["plan"]}), view["tools"])


# Members of evidence with text from the requester: its claims, those that its entries name, and the stems of their words; or
# with text that a tenant's detector chose: its name and the text of its error.
OF_CLAIMS = frozenset({"claims", "claim", "stems", "detectors", "detected", "to_judge", "judgements", "judges", "judging"})


def holds_claims(value):
    """Whether a value has claims at any depth."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            if not OF_CLAIMS.isdisjoint(one):
                return True
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one
    return False


def origin_of_roles(roles):
    """A list of roles as an origin; anything else is of an unknown role."""
    good = isinstance(roles, list) and len(roles) <= MAX_ROLES and all(isinstance(one, str) for one in roles)
    return frozenset(roles) if good else UNKNOWN_ROLE


def origin_of_judgements(result):
    """The origin of the judgements in a result of ground.verify."""
    evidence = result.get("evidence") if isinstance(result, dict) else None
    judgements = evidence.get("judgements") if isinstance(evidence, dict) else None
    given = [one if isinstance(one, dict) else {} for one in judgements] if isinstance(judgements, list) else []
    return OBSERVED.union(*(frozenset({one["by"]}) if isinstance(one.get("by"), str) else UNKNOWN_ROLE
                            for one in given if one.get("origin") != "observed"))


def origin_text(origin, what):
    """Who reported something, in words."""
    named = (one if re.fullmatch("[a-z_][a-z_0-9]*", one) else '"%s"' % one.replace('"', '""') for one in sorted(origin))
    return "reported %s (by %s)" % (what, ", ".join(named))
