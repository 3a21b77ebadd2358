"""Risk and ambiguity of a query: doc/spec/decision.md §1.3 and §1.4."""

import re


def risk_of(text, rules):
    """The level of risk of a query, and the words that tell it."""
    found = rules.risk.competing(text)
    for level in ("high", "medium"):
        words = {one.entry for one in found if one.label == level}
        if words:
            return {"risk_level": level, "matched_keywords": sorted(words)}
    return {"risk_level": "low", "matched_keywords": []}


def opens_with(text, phrases):
    """Whether a text begins with one of the phrases."""
    return bool(text.words) and next(phrases.at(text, 0), None) is not None


def names_time(text, rules):
    """Whether a query names a month, or a year of this century."""
    months = rules.alone["months"].competing(text)
    return any(re.fullmatch("20[0-9][0-9]", word.text) for word in text.words) or any(
        text.words[one.first].text != "may" or one.last - one.first > 1 or rules.is_month_may(text, one.first)
        for one in months)


def is_ambiguous_by(row, text, rules):
    """Whether a row of the list `ambiguity` applies to a query."""
    if "opens" in row and not opens_with(text, row["opens"]):
        return False
    if "unless" in row and row["unless"].competing(text) or row.get("unless_topic") and rules.topics.all(text) or \
            row.get("unless_risk") and rules.risk.competing(text) or \
            row.get("unless_month_or_year") and names_time(text, rules):
        return False
    saying = [i for i, word in enumerate(text.words) if not rules.is_filler(word)]
    first, last = (saying[0], saying[-1]) if saying else (len(text.words), -1)
    opens = rules.rows[row["or_after_opens_of"]].get("opens") if "or_after_opens_of" in row else None
    may_follow = not row.get("nothing_but_stop_words_follow") or bool(opens and opens_with(text, opens))
    may_stand_beside = not row.get("nothing_but_stop_words_beside")
    return any((may_follow or last < one.last) and (may_stand_beside or one.first <= first and last < one.last)
               for one in row["holds"].competing(text))


def ambiguity_of(text, rules):
    """The question to ask back, or None."""
    return next((row["question"] for row in rules.rows if is_ambiguous_by(row, text, rules)), None)
