"""Answers whose judges are servers outside: ask what the database says has to be judged, and hand in what they say.

The database names the pairs: a decision is made, and undone where a judge that is configured here has not judged a
pair of it. What the judge says is recorded in the name of the judge's role, never of whoever asks, and the question is
asked again, at most three times more. So nobody hands in a judgement of a judge by a request, and what was judged once
is not judged again. A judge that fails is named to the database, which says so in the signed document."""
import asyncio
import json
import logging

from .adapters import AdapterError, Wrong
from .problem import Problem
from .settings import Caller

LOG = logging.getLogger("answer_gateway")
ROUNDS = 3
# d: the document; the pairs that it needs, for each judge of ours that its configuration names and that has not judged it.
NEEDED = """SELECT d::text, {sentence}, (SELECT pg_catalog.jsonb_agg(p || pg_catalog.jsonb_build_object('judge', j.name))
    FROM pg_catalog.jsonb_array_elements(CASE WHEN pg_catalog.cardinality(%s::text[]) > 0 AND d -> 'to_judge' <> '[]' THEN
            answer_judge_pairs(d ->> 'query', d #> '{{retrieval,chunks}}', nullif(d #> '{{proposed,citations}}', 'null'), d #>> '{{proposed,answer}}',
                d -> 'config', answer.decision_rules_of(d), d -> 'judgements') ELSE '[]' END) AS p,
        pg_catalog.unnest(%s::text[]) AS j (name)
    WHERE d -> 'config' -> ('judge_' || (p ->> 'kind')) @> pg_catalog.to_jsonb(j.name)
        AND d -> 'to_judge' @> pg_catalog.jsonb_build_array(pg_catalog.jsonb_build_object('pair', p -> 'pair'))
        AND NOT d -> 'judgements' @> pg_catalog.jsonb_build_array(pg_catalog.jsonb_build_object('pair', p -> 'pair', 'judge', j.name)))
FROM (SELECT answer_grounded(args ->> '{question}', args - '{question}' || %s::jsonb) FROM (SELECT %s::jsonb {path}) AS a (args)) AS g (d)"""
LIMITS = "SELECT max_pairs, max_chars FROM answer_judges() WHERE name = %s AND external"
ADD = "SELECT answer_judgement_add(%s::jsonb)"
ALONE = ("embedding", "chunks", "retrieval_id")


async def embedding_of(gateway, body, question, path=()):
    """The option embedding for a body that asks a question, as an object; empty where the search goes by words."""
    adapter = gateway.settings.embeddings
    if adapter is None:
        return {}
    try:
        arguments = json.loads(body)
        for step in path:
            arguments = arguments[step]
        text = arguments[question]
    except (ValueError, LookupError, TypeError, RecursionError):
        return {}               # the database says what is wrong
    if not isinstance(text, str) or not text.strip() or any(arguments.get(name) is not None for name in ALONE):
        return {}
    try:
        found = await gateway.adapters.embed(adapter, [text], asyncio.get_running_loop().time() + gateway.settings.limits.judging_seconds)
    except AdapterError as error:
        LOG.warning("the embeddings have failed: %s", error)
        return {}
    return {"embedding": found[0]}


async def ask_judge(gateway, adapter, tenant, kind, pairs, end=None):
    """Has a judge judge pairs of a kind, [{kind, pair or a and b}], and stores what it says. Gives the pairs that it judged, and what was wrong, or None.

    Raises Unreachable; Problem where the database does not take it."""
    said, wrong = await gateway.adapters.judge_apart(adapter, kind, [(pair["a"], pair["b"]) for pair in pairs], end)
    judged = [(pair, *one) for pair, one in zip(pairs, said) if one is not None]
    if judged:
        judgements = [{**{name: pair[name] for name in pair["recorded"]}, "judge": adapter.name, "relation": relation, "score": score}
                      for pair, relation, score in judged]
        await gateway.database.rows(Caller(adapter.role, tenant), ADD, (json.dumps(judgements),))
    return [pair for pair, _, _ in judged], wrong


async def limits_of(gateway, adapter, tenant):
    """(max_pairs, max_chars) of a judge as it is registered; raises Wrong where it is not."""
    rows = await gateway.database.rows(Caller(adapter.role, tenant), LIMITS, (adapter.name,))
    if not rows:
        raise Wrong("no external judge of that name is registered")
    return rows[0]


def batches(pairs, most_pairs, most_chars):
    """Pairs by kind, in batches; one with a text that is too long is in none."""
    by_kind = {}
    for pair in pairs:
        if max(len(pair["a"]), len(pair["b"])) <= most_chars:
            by_kind.setdefault(pair["kind"], []).append(pair)
    return [(kind, some[i:i + most_pairs]) for kind, some in by_kind.items() for i in range(0, len(some), most_pairs)]


async def _ask_all(gateway, adapter, tenant, pairs, end):
    """Asks one judge all of its pairs. Gives whether all of it went well."""
    async def ask(kind, some):
        try:
            _, wrong = await ask_judge(gateway, adapter, tenant, kind, some, end)
        except (AdapterError, Problem) as error:
            wrong = error
        if wrong is not None:
            LOG.warning("the judge %s has failed: %r", adapter.name, str(wrong))
        return wrong is None

    try:
        limits = await limits_of(gateway, adapter, tenant)
    except (AdapterError, Problem) as error:
        LOG.error("the judge %s cannot be asked: %r", adapter.name, str(error))
        return False
    return all(await asyncio.gather(*(ask(kind, some) for kind, some in batches(pairs, *limits))))


async def grounded(gateway, caller, body, question="query", path=(), sentence="NULL"):
    """The text of a decision, with what judges outside say, and what an expression gives of it."""
    judges = gateway.settings.judges
    options = await embedding_of(gateway, body, question, path)
    query = NEEDED.format(question=question, sentence=sentence, path=f"#> '{{{','.join(path)}}}'" if path else "")
    end = asyncio.get_running_loop().time() + gateway.settings.limits.judging_seconds
    asked, failed = set(), set()
    for left in range(ROUNDS, -1, -1):
        fresh = []

        def keep(rows):
            fresh.extend(pair for pair in json.loads(rows[0][2] or "[]") if (pair["judge"], pair["pair"]) not in asked)
            return not fresh or left == 0

        more = {**options, "judges_failed": sorted(failed)} if failed else options
        rows = await gateway.database.rows(caller, query, (list(judges), list(judges), json.dumps(more), body), keep)
        if not fresh or left == 0:
            break
        by_judge = {}
        for pair in fresh:
            asked.add((pair["judge"], pair["pair"]))
            by_judge.setdefault(pair["judge"], []).append({**pair, "recorded": ("kind", "a", "b")})
        good = await asyncio.gather(*(_ask_all(gateway, judges[name], caller.tenant, pairs, end) for name, pairs in by_judge.items()))
        failed.update(name for name, well in zip(by_judge, good) if not well)
    return rows[0][0], rows[0][1]
