"""The rules of a decision or a plan. A document names them by digest, gives a difference from others, or has them whole.

doc/spec/decision.md §8.7, doc/spec/plan.md §16.4.
"""

from verify.document.json_text import ABSENT
from verify.document.canonical import canonical, digest
from verify.document.small_text import DIGEST
from verify.df_verify_1.report import need
from verify.decision.shipped_rules import shipped_rules


class LacksRules(Exception):
    """A document names rules that are not known here. The message is "rules " and their digest."""


def rules_with(base, removed, added, levels=2):
    """Rules with entries removed from and added to their lists; anything that is not a list stays."""
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
    """Whether a value is the text of a digest."""
    return isinstance(value, str) and DIGEST.fullmatch(value) is not None


def differs_from(rules):
    """The base that rules are a difference from; None if they are whole."""
    base = rules.get("base") if isinstance(rules, dict) else None
    return base if isinstance(base, str) else None


def is_difference(rules):
    """Whether a difference is well-formed."""
    return names_rules(rules["base"]) and set(rules) <= {"base", "removed", "added"} \
        and all(isinstance(rules[key], dict) for key in ("removed", "added") if key in rules)


def whole_rules(rules, known):
    """Whole rules: built from a known base and a difference, or as they are; ABSENT if that is impossible."""
    base = differs_from(rules)
    if base is None:
        return rules
    if base not in known or not is_difference(rules):
        return ABSENT
    return rules_with(known[base], rules.get("removed", ABSENT), rules.get("added", ABSENT))


def pinned_rules(rules, named, given):
    """The whole rules of a document, from its member `rules` and the digest that it names them by.

    ABSENT if it names rules that neither come with the extension nor are given.
    """
    differs = differs_from(rules) is not None
    if rules is not ABSENT and not differs:
        return rules
    need(names_rules(named), "the rules do not hash to their digest")
    known = {**{digest(one): one for one in given}, **shipped_rules()}
    if not differs:
        return known.get(named, ABSENT)
    need(is_difference(rules), "the rules are malformed")
    found = whole_rules(rules, known)
    # without the base, rules that are known by their own digest will do
    if found is ABSENT:
        return known.get(named, ABSENT)
    need(digest(found) == named, "the rules do not hash to their digest")
    return found
