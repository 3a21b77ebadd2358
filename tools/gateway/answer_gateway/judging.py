"""Answers that need judges on other servers: the gateway asks them, and stores their judgements.

The database names the pairs: it makes a decision, which is rolled back if a judge that is configured here has not judged
one of its pairs. The judgements are stored in the judge's role, never the caller's, and the question is then asked
again, at most three times. So no request can bring a judgement in a judge's name, and nothing is judged twice. The
database is told which judges failed, and says so in the signed document."""
import asyncio
import json
import logging

from .adapters import AdapterError, Wrong
from .problem import Problem
from .settings import Caller

LOG = logging.getLogger("answer_gateway")
ROUNDS = 3
# d is the document. With it come the pairs that it needs, for each of our judges that its configuration names and that has not judged them.
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
    """The option `embedding` for a body that asks a question, as an object; empty if the search needs none."""
    adapter = gateway.settings.embeddings
    if adapter is None:
        return {}
    try:
        arguments = json.loads(body)
        for step in path:
            arguments = arguments[step]
        text = arguments[question]
    except (ValueError, LookupError, TypeError, RecursionError):
        return {}               # the database will report the error
    if not isinstance(text, str) or not text.strip() or any(arguments.get(name) is not None for name in ALONE):
        return {}
    try:
        found = await gateway.adapters.embed(adapter, [text], asyncio.get_running_loop().time() + gateway.settings.limits.judging_seconds)
    except AdapterError as error:
        LOG.warning("the embeddings have failed: %s", error)
        return {}
    return {"embedding": found[0]}


async def ask_judge(gateway, adapter, tenant, kind, pairs, end=None):
    """Ask a judge about pairs of a kind, [{kind, pair or a and b}], and store its judgements. Returns (the pairs that it judged, the error or None).

    Raises Unreachable, or Problem if the database refuses the judgements."""
    said, wrong = await gateway.adapters.judge_apart(adapter, kind, [(pair["a"], pair["b"]) for pair in pairs], end)
    judged = [(pair, *one) for pair, one in zip(pairs, said) if one is not None]
    if judged:
        judgements = [{**{name: pair[name] for name in pair["recorded"]}, "judge": adapter.name, "relation": relation, "score": score}
                      for pair, relation, score in judged]
        await gateway.database.rows(Caller(adapter.role, tenant), ADD, (json.dumps(judgements),))
    return [pair for pair, _, _ in judged], wrong


async def limits_of(gateway, adapter, tenant):
    """(max_pairs, max_chars) of a registered judge; raises Wrong if it is not registered."""
    rows = await gateway.database.rows(Caller(adapter.role, tenant), LIMITS, (adapter.name,))
    if not rows:
        raise Wrong("no external judge of that name is registered")
    return rows[0]


def batches(pairs, most_pairs, most_chars):
    """Pairs by kind, in batches, without those that have a text that is too long."""
    by_kind = {}
    for pair in pairs:
        if max(len(pair["a"]), len(pair["b"])) <= most_chars:
            by_kind.setdefault(pair["kind"], []).append(pair)
    return [(kind, some[i:i + most_pairs]) for kind, some in by_kind.items() for i in range(0, len(some), most_pairs)]


async def _ask_all(gateway, adapter, tenant, pairs, end):
    """Ask one judge about all of its pairs. Returns whether all went well."""
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
    """(the text of a decision after asking the judges, the value of the SQL expression `sentence` over it)."""
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
