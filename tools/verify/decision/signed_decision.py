"""Closure and replay of decisions (decision/v1): doc/spec/decision.md §8."""

import hashlib
import re

from verify.document.json_text import ABSENT, Num
from verify.document.members import is_texts, member_at, text_in
from verify.document.canonical import canonical, digest, portable
from verify.document.small_text import instant
from verify.df_verify_1.report import Broken, need
from verify.decision.decision_rules import DecisionRules
from verify.decision.pinned_rules import LacksRules, pinned_rules
from verify.decision.chunk import read_chunks
from verify.decision.decision_settings import ABSTAIN, ANSWER, BLOCK, CAVEATS, CLARIFY, CONFIG, JUDGED_KINDS, Settings
from verify.judgement.judgements import Judgements, RELATIONS
from verify.judgement.sentences import NOT_JUDGED, NOTHING_CHECKED, QUOTED
from verify.decision.conflict import BUILT_IN
from verify.decision.decide import Decision

DECISIONS = (ANSWER, CAVEATS, CLARIFY, ABSTAIN, BLOCK)
DECISION_MEMBERS = ("query", "decision", "answer", "user_message", "citations", "proposed", "retrieval",
                    "retrieval_quality", "validation", "conflicts", "reasons", "signals", "thresholds", "risk",
                    "degraded", "config", "reproduce")
DECISION_2_MEMBERS = ("judges", "judgements", "quotes", "superseded", "stale", "to_judge", "config_changed", "explain")
DECISION_REPLAYED = ("risk", "thresholds", "retrieval_quality", "conflicts", "validation", "signals", "decision",
                     "reasons", "user_message", "degraded", "quotes", "superseded", "stale", "to_judge", "explain")
EARLIER_DECISIONS = "decision/1"
JUDGE_FAILED = "judge_failed: "


def retrieved(document):
    """The chunks in a document."""
    retrieval = document.get("retrieval")
    return read_chunks(retrieval.get("chunks") if isinstance(retrieval, dict) else None, True)


def is_earlier_decision(document):
    """Whether a document was decided by decision/1: it still verifies, but cannot be decided again."""
    rules = member_at(document, "reproduce", "evaluator", "rules")
    return isinstance(rules, list) and EARLIER_DECISIONS in rules and not any(one in document for one in DECISION_2_MEMBERS)


def proposed_answer(document):
    """(answer or None, citations or None, quotes or None) of what was proposed, in a document of decision/1."""
    proposed = document.get("proposed")
    if proposed is None:
        need("proposed" in document, "proposed is malformed")
        return None, None, None
    need(isinstance(proposed, dict) and proposed.get("by") in ("caller", "extract"), "proposed is malformed")
    extract = proposed["by"] == "extract"
    need(set(proposed) == {"by", "answer", "citations", *(["quotes"] if extract else [])}, "proposed is malformed")
    answer, citations = proposed["answer"], proposed["citations"]
    need(isinstance(answer, str) or answer is None and not extract, "proposed is malformed")
    need(is_texts(citations) or citations is None and not extract, "proposed is malformed")
    need(not extract or is_texts(proposed["quotes"]), "proposed is malformed")
    return answer, citations, proposed.get("quotes")


def detectors_of(document):
    """{name: outcome} of the detectors that users had registered."""
    detectors = document.get("detectors", [])
    need(isinstance(detectors, list) and all(
        isinstance(one, dict) and isinstance(one.get("name"), str) and one.get("outcome") in ("ok", "failed")
        for one in detectors), "detectors is malformed")
    return {one["name"]: one["outcome"] for one in reversed(detectors)}


def is_pair(pair, by_id):
    """Whether a pair in `conflicts` names two different chunks of the document."""
    ends = [pair.get(key) for key in ("chunk_a", "chunk_b")] if isinstance(pair, dict) else []
    return bool(ends) and all(isinstance(end, dict) and isinstance(end.get("chunk_id"), str) and
                              end["chunk_id"] in by_id and by_id[end["chunk_id"]].doc_id == end.get("doc_id")
                              for end in ends) and ends[0]["chunk_id"] != ends[1]["chunk_id"]


def is_extract(answer, citations, quotes, by_id):
    """Whether an answer is made of parts of the chunks that it cites."""
    return len(quotes) == len(citations) and \
        all(quote and one in by_id and quote in by_id[one].written for quote, one in zip(quotes, citations)) and \
        answer == " ".join('"%s" [%d]' % (quote, i) for i, quote in enumerate(quotes, 1))


def quotes_as_extract(quotes):
    """(answer, citations) of an extract of these quotes."""
    shown = (re.sub(r"\[([0-9]+)\]", r"(\1)", one["text"]).replace('"', "'") for one in quotes)
    return " ".join('"%s" [%d]' % (text, i) for i, text in enumerate(shown, 1)), [one["chunk_id"] for one in quotes]


def checked_proposal(document):
    """(answer, citations, whether they were checked) of what was proposed; an extract is only checked if it is empty."""
    proposed = document.get("proposed", ABSENT)
    if proposed is None:
        return None, None, False
    need(isinstance(proposed, dict) and set(proposed) == {"by", "answer", "citations"}
         and proposed["by"] in ("caller", "extract"), "proposed is malformed")
    answer, citations, extract = proposed["answer"], proposed["citations"], proposed["by"] == "extract"
    need(isinstance(answer, str) or answer is None and not extract, "proposed is malformed")
    need(is_texts(citations) or citations is None and not extract, "proposed is malformed")
    return answer, citations, not extract or answer == ""


def are_quotes(quotes, by_id):
    """Whether quotes are parts of the chunks that they name."""
    return isinstance(quotes, list) and all(
        isinstance(one, dict) and isinstance(one.get("text"), str) and one["text"] and isinstance(one.get("chunk_id"), str)
        and one["chunk_id"] in by_id and one["text"] in by_id[one["chunk_id"]].written for one in quotes)


def judges_of(document):
    """{name: judge} of the judges in the document."""
    judges = document["judges"]
    need(isinstance(judges, list) and all(
        isinstance(one, dict) and isinstance(one.get("name"), str)
        and "assessed" in one and isinstance(one["assessed"], (dict, type(None)))
        and "model" in one and "version" in one and type(one["model"]) is type(one["version"])
        and isinstance(one["model"], (str, type(None))) for one in judges), "judges is malformed")
    named = {one["name"]: one for one in judges}
    need(len(named) == len(judges), "judges is malformed")
    return named


def is_signed_judgement(one, judges):
    """Whether a judgement says who made it, and its judge is in the document with the same version."""
    return isinstance(one, dict) and isinstance(one.get("judge"), str) and one["judge"] in judges and \
        judges[one["judge"]]["version"] == one.get("version") and one.get("kind") in RELATIONS and \
        isinstance(one.get("by"), str) and one.get("origin") in ("observed", "reported") and \
        instant(one.get("judged_at")) is not None


def failed_judges(document):
    """The judges that failed, from the reasons."""
    reasons = document.get("reasons")
    need(is_texts(reasons), "reasons is malformed")
    return [one[len(JUDGE_FAILED):] for one in reasons if one.startswith(JUDGE_FAILED)]


def judging_closure(document, by_id):
    """The judges, judgements, changed keys and chunks that are named belong to the document."""
    config = config_of(document)
    need(isinstance(config, dict) and set(config) == set(CONFIG), "the config is malformed")
    settings = Settings(config, True)
    judges = judges_of(document)
    need(set(judges) == {name for panel in settings.judges.values() for name in panel},
         "judges are not those of the config")
    need(isinstance(document["judgements"], list), "judgements is malformed")
    Judgements(document["judgements"], settings, True)
    need(all(is_signed_judgement(one, judges) for one in document["judgements"]), "a judgement is of no judge")
    failed = failed_judges(document)
    need(len(set(failed)) == len(failed) and all(one in judges for one in failed), "a judge failed that was not to judge")
    changed = document["config_changed"]
    need(is_list_of(changed, lambda one: set(one) == {"key", "old", "new"} and one["key"] in config
                    and canonical(one["new"]) == canonical(config[one["key"]]) != canonical(one["old"]))
         and len({one["key"] for one in changed}) == len(changed), "config_changed is malformed")
    need(is_texts(document["stale"]) and all(one in by_id for one in document["stale"])
         and is_list_of(document["superseded"], lambda one: one.get("chunk_id") in by_id and one.get("by") in by_id)
         and is_list_of(document["to_judge"], lambda one: one.get("kind") in RELATIONS and is_texts(one.get("chunk_ids"))
                        and all(name in by_id for name in one["chunk_ids"])), "a chunk is none of the document")


def is_list_of(value, holds):
    """Whether a value is a list of objects that all satisfy `holds`."""
    try:
        return isinstance(value, list) and all(isinstance(one, dict) and holds(one) for one in value)
    except TypeError:       # a value that is not hashable
        return False


def expected_citations(document, citations):
    """The citations that a document must have by its decision."""
    if document["decision"] in (ANSWER, CAVEATS):
        return citations or []
    pairs, reasons = document["conflicts"]["pairs"], document["reasons"]
    if isinstance(reasons, list) and reasons[:1] == ["conflict_detected"] and pairs and document["decision"] == ABSTAIN:
        return [pairs[0][key]["chunk_id"] for key in ("chunk_a", "chunk_b")]
    return []


def decision_closure(document):
    """The answer and citations follow from the decision and the chunks; rules and config hash to their digests."""
    for key in DECISION_MEMBERS:
        need(key in document, "%s is missing" % key)
    need(isinstance(document["query"], str), "query is no text")
    decision = document["decision"]
    need(isinstance(decision, str) and decision in DECISIONS,
         "decision is none of ANSWER, ANSWER_WITH_CAVEATS, CLARIFY, ABSTAIN and BLOCK")
    by_id = {chunk.chunk_id: chunk for chunk in retrieved(document)}
    for one in document["retrieval"]["chunks"]:
        need("content_hash" not in one or one["content_hash"] == text_digest(one["text"]),
             "a chunk does not hash to its content_hash")
    cited = document["citations"]
    need(is_texts(cited) and all(one in by_id for one in cited), "a citation names no chunk")
    conflicts = document["conflicts"]
    need(isinstance(conflicts, dict) and isinstance(conflicts.get("pairs"), list)
         and all(is_pair(pair, by_id) for pair in conflicts["pairs"]), "a conflict is not between two of the chunks")
    earlier = is_earlier_decision(document)
    for key in () if earlier else DECISION_2_MEMBERS:
        need(key in document, "%s is missing" % key)
    if earlier:
        answer, citations, quotes = proposed_answer(document)
        need(quotes is None or is_extract(answer, citations, quotes, by_id), "the extract is not made of its chunks")
    else:
        answer, citations, checked = checked_proposal(document)
        need(are_quotes(document["quotes"], by_id), "a quote is no part of its chunk")
        need(document["proposed"] is None or checked or (answer, citations) == quotes_as_extract(document["quotes"]),
             "the extract is not made of the quotes")
    answers = decision in (ANSWER, CAVEATS)
    shown = answer if answers else document["user_message"]
    need(not answers or document["proposed"] is not None, "answer is not what was decided")
    need(canonical(document["answer"]) == canonical(shown, portable=True), "answer is not what was decided")
    need(cited == expected_citations(document, citations), "citations are not what was decided")
    digests = member_at(document, "reproduce", "evaluator", "digests")
    need(not earlier or "rules" in document, "the rules do not hash to their digest")
    rules = rules_of_decision(document, ())
    need(rules is ABSENT or member_at(digests, "decision_rules") == digest(rules), "the rules do not hash to their digest")
    need(member_at(digests, "decision_config") == digest(document["config"] if earlier else config_of(document)), "the config does not hash to its digest")
    if not earlier:
        judging_closure(document, by_id)
        return
    outcomes = detectors_of(document)
    need(all(pair.get("kind") in BUILT_IN or outcomes.get(text_in(pair, "kind")) == "ok"
             for pair in conflicts["pairs"]), "a conflict is of no detector")


def text_digest(text):
    """The digest of a text in UTF-8."""
    return "sha256:" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def config_of(document):
    """The whole configuration; a document leaves out keys with default values."""
    config = document.get("config")
    return {**CONFIG, **config} if isinstance(config, dict) else config


def rules_of_decision(document, given):
    """The rules of a document's decision, or ABSENT."""
    return pinned_rules(document.get("rules", ABSENT), member_at(document, "reproduce", "evaluator", "digests", "decision_rules"), given)


def decision_of(document, given=()):
    """Decide again, from the document's chunks, rules, config, clock and judgements."""
    now = instant(document.get("evaluated_at"))
    need(now is not None, "evaluated_at is missing or no instant")
    need(isinstance(document.get("query"), str), "query is no text")
    rules = rules_of_decision(document, given)
    if rules is ABSENT:
        raise LacksRules("rules " + member_at(document, "reproduce", "evaluator", "digests", "decision_rules"))
    rules = DecisionRules(rules)
    config = config_of(document)
    need(isinstance(config, dict) and set(config) == set(CONFIG), "the config is malformed")
    answer, citations, checked = checked_proposal(document)
    need(isinstance(document.get("judgements"), list), "judgements is malformed")
    return Decision(document["query"], retrieved(document), citations if checked else None, answer if checked else None,
                    Settings(config, True), now, rules, document["judgements"], True,
                    member_at(document, "retrieval", "fused") is True)


def decision_again(document, decided=None):
    """The members of a document that follow from the others."""
    decided = decided or decision_of(document)
    again = decided.result()
    failed = failed_judges(document) if "reasons" in document else []
    again["validation"] = again["validation"] or NOTHING_CHECKED
    again["reasons"] = again["reasons"] + [JUDGE_FAILED + one for one in failed]
    return {**again, "degraded": bool(failed), "explain": decided.explain}


def decision_replay(document, terms=None):
    """Deciding again gives what is recorded."""
    if is_earlier_decision(document):
        return {"incomplete": "rules " + EARLIER_DECISIONS}
    try:
        decided = decision_of(document, terms.rules if terms else ())
    except LacksRules as e:
        return {"incomplete": str(e)}
    # raises if `reasons` is malformed: without it nothing can be compared
    failed_judges(document)
    again = decision_again(document, decided)
    differing = [field for field in DECISION_REPLAYED
                 if field not in document or canonical(document[field]) != canonical(again[field], portable=True)]
    asked = {(kind, pair, name) for kind, pair in decided.needed for name in decided.settings.judges[kind]}
    for one in document["judgements"] or ():
        kinds = {kind for kind, pair, _ in asked if pair == one["pair"]}
        need(not kinds or one.get("kind", ABSENT) is ABSENT or one["kind"] in kinds, "a judgement is of another kind than its pair")
    if not all(any((kind, one["pair"], one["judge"]) in asked for kind in JUDGED_KINDS) for one in document["judgements"] or ()):
        differing.append("judgements")
    if not proposal_follows(document, again):
        differing.append("proposed")
    if differing:
        raise Broken("recomputing gives something else", differences=[
            {"field": field, "reason": "recomputing gives something else"} for field in differing])
    said = list(sentences_told(document, decided))
    return {"judged": said} if said else None


def proposal_follows(document, again):
    """Whether there is a proposal if something is answered, and an extract is made of the quotes of an answer."""
    answers = again["decision"] in (ANSWER, CAVEATS)
    answer, citations, checked = checked_proposal(document)
    if document.get("proposed") is None:
        return not answers
    return checked or answers and (answer, citations) == quotes_as_extract(portable(again["quotes"]))


def sentences_told(document, decided):
    """A line for people about each sentence of an answer: its status, and who judged it."""
    judges = {one["name"]: one for one in document["judges"] if isinstance(one, dict) and isinstance(one.get("name"), str)} \
        if isinstance(document.get("judges"), list) else {}
    said = {}
    for one in document["judgements"] or ():
        said.setdefault(one["pair"], []).append(one)
    for i, one in enumerate(decided.check.sentences if decided.check else ()):
        pair = decided.pairs_of.get(i)
        if one.check_status in (NOT_JUDGED, QUOTED):
            yield "sentence %d: %s, %s" % (i, one.status, judges_told(said.get(pair, ()), judges))
        else:
            yield "sentence %d: %s" % (i, one.status)


def judges_told(judgements, judges):
    """Text: who judged, how good they were measured to be, and who reported it."""
    return "; ".join("judged by %s (%s, %s), measured %s, %s" % (
        one["judge"], member_at(judges.get(one["judge"]), "model"), member_at(judges.get(one["judge"]), "version"),
        measured_told(member_at(judges.get(one["judge"]), "assessed"), one.get("kind")),
        "observed" if one.get("origin") == "observed" else "reported by %s" % one.get("by"))
        for one in judgements) or "not judged"


def measured_told(assessed, kind):
    """Text: the measured accuracy of a judge for a kind."""
    found = member_at(assessed, kind) if isinstance(kind, str) else None
    accuracy, count = member_at(found, "balanced_accuracy"), member_at(found, "n")
    if not isinstance(accuracy, (str, Num)):
        return "never"
    return "%s (n %s)" % tuple(one.text if isinstance(one, Num) else str(one) for one in (accuracy, count))
