"""Cases for ground-verify/2 and synth.answer, with the results that doc/spec/plan.md §11 and §12 demand.

The rules are those of tools/verify. Judgements are generated here: the extension gets them as an argument, as in a
replay, so no judge is asked.
"""

from fractions import Fraction

import decision
import oracle
import plan
from oracle import ABSENT, Num, tool

POLICIES = ({"cite_if_confidence_below": Num("0.5")}, {"block_if_conflict_over": Num("0")},
            {"cite_if_confidence_below": "0.00001", "block_if_conflict_over": Num("1")}, {})


# --------------------------------------------------------------------------
# What is expected
# --------------------------------------------------------------------------

def policy_of(args):
    """The thresholds that arguments name, as evidence shows them."""
    given = args.get("policy", {})
    tool.need(isinstance(given, dict), "policy")
    return {key: tool.portable_fraction(tool.share_of(given[key], key)) if key in given else Num(default)
            for key, default in (("cite_if_confidence_below", "0.95"), ("block_if_conflict_over", "0.3"))}


def settled(evidence, policy, least, regulated):
    """An evidence with its policy and its verdict."""
    evidence = {**evidence, "type": "Evidence", "policy": policy}
    return {**evidence, "verdict": tool.shown_verdict(
        tool.judge_evidence(evidence, tool.policy_in(evidence, least, regulated)))}


@plan.as_sql
def expect_ground_verify(case):
    """answer_test.ground_verify."""
    args, judging, judgements = (plan.json_of(case[key]) for key in ("args", "judging", "judgements"))
    tool.need(isinstance(args, dict) and isinstance(args.get("sources"), list) and tool.is_texts(args.get("claims")),
              "args")
    least = tool.share_of(args["min_confidence"], "min_confidence") if "min_confidence" in args else Fraction("0.9")
    regulated = args.get("regulated", False)
    tool.need(isinstance(regulated, bool), "regulated")
    panel = None if judging is ABSENT else tool.panel_of(judging, [] if judgements is ABSENT else judgements)
    at = None if case["at"] is None else tool.instant(case["at"])
    found = tool.Verification(args["claims"], args["sources"], decision.rules_of(case["rules"]), panel, tool.ages_of(args, at))
    rules = oracle.parse_jsonb(decision.SHIPPED_TEXT)
    rules.update({} if case["rules"] is None else oracle.parse_jsonb(case["rules"]))
    evidence = {"method": tool.VERIFY_METHOD, "claims": args["claims"], **found.evidence(), "rules": tool.digest(rules)}
    return settled(evidence, policy_of(args), least, regulated)


@plan.as_sql
def expect_synthesis(case):
    """What synth.answer returns."""
    return tool.synthesis(plan.required_json(case["evidence"]))


# --------------------------------------------------------------------------
# Cases
# --------------------------------------------------------------------------

CLAIMS = ("Customer data may be shared with partners", "Refund policy for custom items", "The API rate limit is {}",
          "Customer data must not be stored in plaintext", "Refunds are not allowed.", "Backups are encrypted at rest.",
          "", "the", "No refunds", "Access to reports is limited to 30 days")
STAMPS = ("2026-01-01", "2026-01-01T00:00:00Z", "2026-01-31T12:00:00+02:00", "2026-02-20", "2026-03-01T00:00:00.000001Z",
          "2027-01-01", "someday", "", None)
INSTANTS = ("2026-03-01T00:00:00Z", "2026-02-20T00:00:00Z", "2026-01-31T10:00:00.000000Z", None)
URIS = ("https://a.example/x#1", "https://a.example/x#2", "https://a.example/x", "b", "b#", "#c", "d%d", "d%d", "d%d")
READ_BY = tool.reading_rules(oracle.parse_jsonb(decision.SHIPPED_TEXT))
JUDGED_SCORES = ("0.5", "0.55", "0.6", "0.71", "0.9", "0.97", "1", "0.123456789")
SCORES = ("0", "1", "0.5", "0.71", "0.65", "0.40", "0.4", "0.333333333333333333333", "1e-9", "0.95", "0.005")
WRONG_SOURCES = ({}, {"uri": "", "snippet": "x", "score": Num("1")}, {"uri": "u", "snippet": "x", "score": Num("1.1")},
                 {"uri": "u", "snippet": None, "score": Num("1")}, {"uri": "u", "snippet": "x"}, "u",
                 {"uri": "u", "snippet": "x", "score": Num("1"), "title": Num("1")},
                 {"uri": "u", "snippet": "x", "score": '"0.5"'})


def some_source(rng, i, text):
    """A hit."""
    source = {"uri": rng.choice(URIS).replace("%d", str(i)), "snippet": text, "score": Num(rng.choice(SCORES))}
    for key, values in (("title", ("T \u00e9", "", None)), ("stamp", STAMPS), ("id", ("x",))):
        if rng.random() < (0.7 if key == "stamp" else 0.3):
            source[key] = rng.choice(values)
    return source


def some_claim(rng, texts):
    """A claim, often nearly what a source says."""
    roll = rng.random()
    if roll < 0.3 and not any(text.startswith(("Refunds of", "The lease", "Parcels", "Custom items are")) for text in texts[-2:]):
        return rng.choice(CLAIMS).replace("{}", decision.some_number(rng) + " requests per hour")
    if roll < 0.4 or not texts:
        return decision.noise(rng, 1, 6)
    said = [one.text for one in tool.TextReading(rng.choice(texts), READ_BY).sentences] or ["x"]
    words = rng.choice(said).split(" ")
    if roll < 0.7:
        words = [word for word in words if rng.random() < 0.7]
    if roll < 0.5:
        words.insert(rng.randrange(len(words) + 1), rng.choice(("not", "never", "no", "may", "must not", "45 days")))
    return " ".join(words)


def differing_texts(rng):
    """Texts that differ only in a number or a negation, so that newer ones supersede older ones."""
    said = rng.choice(("Refunds of custom items take {} days.", "The lease of the flat lasts {} nights.",
                       "Parcels {} ship on Monday.", "Custom items are {} refundable within {} days."))
    parts = ("not", "never", "") if said.startswith("Parcels") else ("30", "45", "60", "7")
    return [said.replace("{}", rng.choice(parts)) for _ in range(rng.choice((2, 2, 3, 4)))]


def some_judgements(rng, claims, sources):
    """The judges that are asked, and their judgements of some pairs."""
    names = rng.choice((["nli"], ["nli"], ["nli", "person"]))
    judging = {"judge_entailment": names, "support_min": Num(rng.choice(("0.5", "0.6"))), "contradict_min": Num("0.5")}
    given = {}
    for claim in claims:
        for one in sources:
            passage = one["title"] + "\n" + one["snippet"] if one.get("title") else one["snippet"]
            for name in names:
                if rng.random() < 0.7:
                    pair = tool.pair_digest("entailment", claim, passage)
                    given[pair, name] = {"pair": pair, "judge": name, "score": Num(rng.choice(JUDGED_SCORES)),
                                         "relation": rng.choice(("supports", "supports", "contradicts", "neutral", "no_claim"))}
    return oracle.canonical(judging), oracle.canonical(list(given.values()))


def ground_verify_case(rng):
    """A case of answer_test.ground_verify."""
    texts = decision.like_texts(rng, rng.choice((1, 2, 2, 3, 4)))
    if rng.random() < 0.2:
        texts.append(decision.noise(rng))
    differ = rng.random() < 0.3
    if differ:
        texts = texts[:rng.choice((0, 0, 1))] + differing_texts(rng)
    sources = [some_source(rng, i, text) for i, text in enumerate(texts)]
    for one in sources if differ else ():
        one.update(stamp=rng.choice(STAMPS[:5]), score=Num(rng.choice(("0.9", "0.8", "0.5"))))
    claims = [some_claim(rng, texts) for _ in range(rng.choice((0, 1, 1, 1, 1, 2, 3)))]
    claims += claims[:1] * (rng.random() < 0.05)
    judging, judgements = some_judgements(rng, claims, sources) if rng.random() < 0.4 else (None, None)
    if rng.random() < 0.02:
        sources.insert(rng.randrange(len(sources) + 1), rng.choice(WRONG_SOURCES))
    args = {"claims": claims, "sources": sources}
    if rng.random() < 0.5:
        args["policy"] = {"freshness_days": rng.choice((Num("0"), Num("9"), Num("30"), Num("90"), Num("30.0"), Num("99999999999")))}
    if differ or rng.random() < 0.6:
        args["supersede"] = rng.random() < 0.9
    if rng.random() < 0.3:
        args["reported"] = [Num(str(i)) for i in range(len(sources)) if rng.random() < 0.5]
    if rng.random() < 0.02:
        args[rng.choice(("supersede", "reported"))] = rng.choice((Num("1"), "x", [Num("99")], [Num("-1")], None))
    for key, values in (("min_confidence", (Num("0.9"), Num("0.5"), Num("1"), Num("2"), "0.00001")),
                        ("regulated", (True, False, Num("1"))), ("policy", POLICIES)):
        if rng.random() < 0.1:
            args[key] = rng.choice(values)
    return {"args": oracle.canonical(args), "judging": judging, "judgements": judgements, "at": rng.choice(INSTANTS),
            "rules": rng.choice(decision.GOOD_RULES) if rng.random() < 0.2 else None}


SNIPPETS = ("Custom items are final. [1]", "As [2] says, [02] and [[3]].", " x\u00a0", "", None, "[x] [1", "\u00e9 [1] [1]")


def synthesis_case(rng):
    """A case of synth.answer."""
    def entries():
        found = []
        for _ in range(rng.choice((0, 1, 1, 2, 3))):
            one = {"source": rng.choice(("u", "u#1", "v", "\u00e9"))}
            for key, values in (("snippet", SNIPPETS), ("title", ("T", "U", None)), ("stamp", ("2026-01-01", None))):
                if rng.random() < 0.85:
                    one[key] = rng.choice(values)
            found.append(one if rng.random() < 0.98 else rng.choice(({}, "u", {"source": ""}, {**one, "title": []})))
        return found
    evidence = {"claims": ["c"], "supports": entries(), "contradicts": entries(), "related": entries()}
    if rng.random() < 0.1:
        evidence.pop(rng.choice(sorted(evidence)))
    if rng.random() < 0.02:
        evidence = rng.choice(([], None, {"supports": {}}, "x"))
    return {"evidence": oracle.canonical(evidence)}


# --------------------------------------------------------------------------
# What compare.py needs
# --------------------------------------------------------------------------

SHARES = {"ground_verify": 8, "synthesis": 2}
GENERATORS = {"ground_verify": ground_verify_case, "synthesis": synthesis_case}
COLUMNS = {"ground_verify": ("args", "judging", "judgements", "rules", "at"), "synthesis": ("evidence",)}
CALLS = {"ground_verify": "answer_test.ground_verify(a[1]::jsonb, a[2]::jsonb, a[3]::jsonb, %s, a[5]::timestamptz)::text" % decision.patched(4),
         "synthesis": "answer.tool_synth_answer(jsonb_build_object('evidence', a[1]::jsonb))::text"}
EXPECT = {"ground_verify": expect_ground_verify, "synthesis": expect_synthesis}
AGREES = dict.fromkeys(SHARES, plan.value_agrees)
