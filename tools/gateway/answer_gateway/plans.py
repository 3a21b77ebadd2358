"""Plans that call external tools: if a step waits for a tool that is configured here, the gateway calls it.

POST /invoke {args} -> {result}: the arguments are sent as the database wrote them, and the result is returned as the
tool wrote it. If a tool fails, is late or answers anything else, the result is null, which no tool may return. So the
step fails, as it does if a function of the database fails, and the plan's signed document says so."""
import asyncio
import json
import logging
import time

from .adapters import AdapterError
from .problem import Problem

LOG = logging.getLogger("answer_gateway")
MOST_BY = 200
# a step of a map has an array of arguments, one for each call
WAITING = """SELECT p.step ->> 'node', p.step ->> 'tool', pg_catalog.jsonb_typeof(p.step -> 'args') = 'array',
    (SELECT pg_catalog.array_agg(pg_catalog.jsonb_build_object('args', a.args)::text ORDER BY a.place) FROM pg_catalog.jsonb_array_elements(
        CASE pg_catalog.jsonb_typeof(p.step -> 'args') WHEN 'array' THEN p.step -> 'args' ELSE pg_catalog.jsonb_build_array(p.step -> 'args') END)
        WITH ORDINALITY AS a (args, place))
FROM pg_catalog.jsonb_array_elements(%s::jsonb -> 'pending') AS p (step)"""
RESULT = "SELECT (%s::jsonb -> 'result')::text"
RESULTS = """SELECT pg_catalog.jsonb_build_object(%s::text, pg_catalog.jsonb_build_object('by', %s::text, 'latency_ms', %s::integer, 'result',
    CASE WHEN %s THEN (SELECT COALESCE(pg_catalog.jsonb_agg(r.result::jsonb ORDER BY r.place), '[]')
        FROM pg_catalog.unnest(%s::text[]) WITH ORDINALITY AS r (result, place)) ELSE (%s::text[])[1]::jsonb END))::text"""
RESUME = "CALL answer_plan_resume(%s, %s::jsonb, NULL)"


async def _invoke(gateway, caller, adapter, body):
    """(the result as text, the error or None)."""
    try:
        answer = await gateway.adapters.ask(adapter, "/invoke", body)
        result = await gateway.database.value(caller, RESULT, (answer,))
    except AdapterError as error:
        return "null", str(error)
    except Problem as problem:
        if problem.status >= 500:
            raise
        return "null", "the answer is no JSON"
    return (result, None) if result is not None else ("null", "the answer has no result")


async def _answers(gateway, caller, document):
    """The results for the step that a plan waits for; None if the application has to answer it."""
    waiting = await gateway.database.rows(caller, WAITING, (document,))
    if len(waiting) != 1 or waiting[0][1] not in gateway.settings.tools:
        return None
    node, tool, is_map, bodies = waiting[0]
    adapter = gateway.settings.tools[tool]
    began = time.monotonic()
    found = await asyncio.gather(*(_invoke(gateway, caller, adapter, body) for body in bodies or []))
    took = int((time.monotonic() - began) * 1000)
    problem = next((wrong for _, wrong in found if wrong), None)
    if problem:
        LOG.warning("the tool %s has failed: %r", tool, problem)
    by = f"{tool} over HTTP" + (f": {problem}" if problem else "")
    results = [result for result, _ in found]
    return await gateway.database.value(caller, RESULTS, (node, by.encode()[:MOST_BY].decode(errors="ignore"), took, is_map, results, results))


async def go_on(gateway, caller, document):
    """Resume a plan as long as it waits for tools that are configured here; returns its document, or what it waits for."""
    while gateway.settings.tools:
        waits = json.loads(document)
        if "pending" not in waits:
            break
        results = await _answers(gateway, caller, document)
        if results is None:
            break
        document = await gateway.database.procedure(caller, RESUME, (waits["trace_id"], results))
    return document
