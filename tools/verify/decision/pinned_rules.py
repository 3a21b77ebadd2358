"""The rules of a decision, as its document has them: named, told by what they differ in, or whole: doc/spec/decision.md §8.7."""

from verify.document.json_text import ABSENT
from verify.document.canonical import canonical, digest
from verify.document.small_text import DIGEST
from verify.df_verify_1.report import need
from verify.decision.shipped_rules import shipped_rules


class LacksRules(Exception):
    """A document names rules that are not at hand; by "rules" and their digest."""


def rules_with(base, removed, added, levels=2):
    """Rules without what was removed and with what was added, list by list; what is no list stays."""
    if isinstance(base, list) or base is ABSENT:
        gone = {canonical(one) for one in removed} if isinstance(removed, list) else ()
        left = [] if base is ABSENT else [one for one in base if canonical(one) not in gone]
        return left + (added if isinstance(added, list) else [])
    if not isinstance(base, dict) or levels == 0:
        return base
    removed, added = (side if isinstance(side, dict) else {} for side in (removed, added))
    more = {key: rules_with(ABSENT, ABSENT, value) for key, value in added.items() if key not in base and isinstance(value, list)}
    return {**{key: rules_with(value, removed.get(key, ABSENT), added.get(key, ABSENT), levels - 1)
               for key, value in base.items()}, **more}


def names_rules(value):
    """Whether a value is a digest as text."""
    return isinstance(value, str) and DIGEST.fullmatch(value) is not None


def pinned_rules(rules, named, given):
    """The rules that a document was decided by, of its member rules and the digest that it names them by: those in it, those
    that are named, or those that it differs from, with what differs; ABSENT where it names some that neither ship nor are given."""
    differs = isinstance(rules, dict) and isinstance(rules.get("base"), str)
    if rules is not ABSENT and not differs:
        return rules
    need(names_rules(named), "the rules do not hash to their digest")
    known = {**{digest(one): one for one in given}, **shipped_rules()}
    if not differs:
        return known.get(named, ABSENT)
    need(names_rules(rules["base"]) and set(rules) <= {"base", "removed", "added"}
         and all(isinstance(rules[key], dict) for key in ("removed", "added") if key in rules), "the rules are malformed")
    if rules["base"] not in known:
        return known.get(named, ABSENT)
    found = rules_with(known[rules["base"]], rules.get("removed", ABSENT), rules.get("added", ABSENT))
    need(digest(found) == named, "the rules do not hash to their digest")
    return found
