"""Tests how the gateway asks external tools, judges and models of embeddings, and tests the worker. The servers are scripted."""
import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile

import httpx
import psycopg

from checks import GATEWAY, LONG, bearer, digest, equal, gateway, is_problem, ok, serving, skip, wait_until
from servers import Scripted

SETTINGS = """
dsn = "user=gateway_login"
[limits]
judging_seconds = 5
connections = 6
[[caller]]
token_sha256 = "{desk}"
role = "help_desk"
tenant = "desk"
[[caller]]
token_sha256 = "{acme}"
role = "acme_desk"
tenant = "acme"
[[tool]]
name = "weather"
url = "{url}/tool"
seconds = 2
token_env = "TOOL_TOKEN"
[[judge]]
name = "nli"
role = "answer_nli"
format = "text-embeddings-inference"
url = "{url}/nli"
seconds = 1
[[judge]]
name = "llm"
role = "answer_llm"
format = "openai"
model = "small"
url = "{url}/llm/"
seconds = 1
[worker]
tenants = ["desk", "acme"]
idle_seconds = 0.1
"""
EMBEDDINGS = """
[embeddings]
format = "{format}"
url = "{url}"
model = "small"
dimensions = 8
batch = 4
seconds = 1
role = "answer_embedder"
"""
QUESTION = "What is the yearly rent for half a plot?"
TRUE, FALSE = "The yearly rent for half a plot is 45 euros.", "The yearly rent for half a plot is 54 euros."
HEARD = {"judge_entailment": "llm", "judge_answers": "llm"}
NESTED = "[" * 100_000


def sql(query, *values, role=None, tenant="desk"):
    """The one value of a statement."""
    with psycopg.connect("", autocommit=True) as connection:
        if role:
            connection.execute("SELECT set_config('answer_eval.tenant', %s, false)", (tenant,))
            connection.execute(f"SET ROLE {role}")
        return connection.execute(query, values).fetchone()[0]


def registered(settings, folder):
    """The tools of the settings are registered with their own specs."""
    with tempfile.NamedTemporaryFile("w", dir=folder, suffix=".toml", delete=False, encoding="utf-8") as file:
        file.write(settings)
    done = subprocess.run([sys.executable, GATEWAY, "--settings", file.name, "--tools"], capture_output=True, text=True, timeout=120, check=False)
    ok(done.returncode == 0 and done.stdout.startswith("SELECT answer_tool_register("), "--tools prints statements", done.stderr)
    subprocess.run(["psql", "-X", "-q", "-v", "ON_ERROR_STOP=1"], input=done.stdout, text=True, check=True, stdout=subprocess.DEVNULL)
    spec = sql("SELECT answer_tool_spec('weather')")
    equal((spec["id"], spec["external"], spec["io"]["input"]["city"]["type"]), ("weather", True, "string"), "the tool is registered under our name, and is answered outside")


async def tools(client, scripted):
    """Plans whose steps are tools over HTTP."""
    node = {"id": "n", "op": "call", "tool": "weather", "args": {"city": "$INPUT.city"}, "out": "said"}

    async def run(nodes, variables, **more):
        edges = [[a["id"], b["id"]] for a, b in zip(nodes, nodes[1:])]
        return (await client.post("/v1/plan/execute", headers={**bearer(), "Prefer": "wait"},
                                  json={"plan": {"plan_id": "warm", "nodes": nodes, "edges": edges}, "vars": variables, **more})).json()

    document = await run([node], {"city": "Köln"})
    equal((document.get("verdict"), document.get("response", {}).get("text")), ("answered", "It is warm in Köln."), "a tool over HTTP answers its step")
    event = document["trace"][0]["event"]
    equal((event["by"], event["outcome"]), ("weather over HTTP", "ok"), "and the trace says who did")
    equal(scripted.requests("/tool/invoke")[-1], {"args": {"city": "Köln"}}, "it is asked as its contract says")
    equal(scripted.asked[-1][2], "Bearer warm", "with the token of the operator's")
    document = await run([{**node, "id": "m", "op": "map", "args": {"items": "$INPUT.cities", "city": "$item"}, "out": "all"}, {**node, "id": "z"}],
                         {"cities": ["Bonn", "Köln", "Ulm"], "city": "Jena"})
    equal([one["text"] for one in document["trace"][0]["outputs"]], [f"It is warm in {city}." for city in ("Bonn", "Köln", "Ulm")], "a map is answered in its order")
    equal(document["response"]["text"], "It is warm in Jena.", "and the next step, too")
    begun = (await client.post("/v1/plan/execute", headers=bearer(), json={"plan": {"plan_id": "warm", "nodes": [node]}, "vars": {"city": "Ulm"}})).json()
    ok(await asyncio.to_thread(wait_until, lambda: sql("SELECT status = 'done' FROM answer.plan_run WHERE trace_id = %s", begun["trace_id"]), 60), "one that nobody waits for is done")
    exact = await run([node], {"city": "x"}, plan={"plan_id": "warm", "nodes": [{**node, "args": {"city": "x", "k": 12345678901234567890}}]})
    equal((exact["verdict"], scripted.requests("/tool/invoke")[-1]["args"]["k"]), ("answered", "12345678901234567890"), "a long number goes out as plans have it")
    request = {"plan": {"plan_id": "warm", "nodes": [node]}, "vars": {"city": "Trier"}, "request_id": "again"}
    with scripted.acting("tool", "late"):
        count = len(scripted.requests("/tool/invoke"))
        gone = asyncio.ensure_future(client.post("/v1/plan/execute", headers={**bearer(), "Prefer": "wait"}, json=request))
        await asyncio.to_thread(wait_until, lambda: len(scripted.requests("/tool/invoke")) > count, 60)
        gone.cancel()
        await asyncio.gather(gone, return_exceptions=True)
    went_on = (await client.post("/v1/plan/execute", headers={**bearer(), "Prefer": "wait"}, json=request)).json()
    equal((went_on.get("verdict"), len(scripted.requests("/tool/invoke")) - count), ("answered", 2), "what a client that went away has left waiting, the same request goes on with")
    again = (await client.post("/v1/plan/execute", headers=bearer(), json=request)).json()
    equal((again.get("trace_id"), len(scripted.requests("/tool/invoke")) - count), (went_on.get("trace_id"), 2), "and once more gives the same")
    other = await client.post("/v1/plan/execute", headers=bearer(), json={**request, "vars": {"city": "Ulm"}})
    is_problem(other, 400, "22023", "another request has another request_id")
    for mode, why in (("late", "no answer within 2 s"), ("refuses", "the status is 503"), ("redirects", "the status is 307"), ("{", "no JSON"), ('{"result": NaN}', "no JSON"),
                      ('{"results": 1}', "no result"), ('{"result": {"text": 5}}', ""), ('{"result": {"text": "\\u0000"}}', "no JSON"), ("\xff", "no UTF-8"), (NESTED, "no JSON")):
        with scripted.acting("tool", mode):
            document = await run([node], {"city": "Bonn"})
        event = document["trace"][0]["event"]
        ok(document.get("verdict") == "failed" and event["outcome"] == "failed" and why in event["by"], f"a tool that answers {mode[:30]!r} fails its step", event)
    equal(scripted.requests("/secret"), [], "nobody is sent elsewhere")
    with scripted.acting("tool", "refuses"):
        document = await run([{**node, "op": "retry"}], {"city": "Bonn"})
    equal((document["verdict"], len(document["trace"])), ("failed", 3), "a retry asks three times")
    waits = await run([node, {"id": "ask", "op": "call", "tool": "model", "args": {"q": "?"}, "out": "more"}], {"city": "Bonn"})
    equal([step["tool"] for step in waits.get("pending", [])], ["model"], "what the application answers is left to it")
    trace = await client.get(f"/v1/trace/{waits['trace_id']}", headers=bearer())
    equal(trace.headers.get("trace-state"), "pending", "and the trace says that it waits")
    done = await client.post(f"/v1/plan/{waits['trace_id']}/resume", headers=bearer(), json={"results": {"ask": {"result": {"text": "Yes."}, "by": "me"}}})
    equal((done.status_code, done.json().get("verdict")), (200, "answered"), "which then goes on")


async def asked(client, answer=None, config=None, token="desk", **more):
    """A decision."""
    options = {"answer": answer, "citations": ["allotment#p0"]} if answer else {}
    given = await client.post("/answer", headers=bearer(token), json={"query": QUESTION, "freshness_days": 3650, "config": config or HEARD, **options, **more}, timeout=60)
    ok(given.status_code == 200, "a decision is given", (given.status_code, given.text[:500]))
    return given.json()


def statuses(decision):
    """The statuses of the sentences of a decision."""
    return [sentence["status"] for sentence in decision["validation"]["sentences"]]


async def judges(client, scripted):
    """External judges are asked about the pairs that a decision needs, and only about these."""
    before = sql("SELECT count(*) FROM answer.receipt")
    decision = await asked(client, TRUE)
    equal((decision["decision"], statuses(decision), decision["to_judge"], decision["degraded"]), ("ANSWER", ["supported"], [], False), "a true answer is judged, and answered plainly")
    ok({(j["judge"], j["origin"], j["by"]) for j in decision["judgements"]} == {("llm", "reported", "answer_llm")}, "in the name of the judge's role", decision["judgements"])
    equal(sql("SELECT count(*) FROM answer.receipt") - before, 1, "and one document is left, not one for each round")
    equal((await client.post("/v1/verify", headers=bearer(), json=decision)).json().get("ok"), True, "which verifies")
    equal(sql("SELECT answer_replay(%s::jsonb) ->> 'ok'", json.dumps(decision)), "true", "and replays")
    request = scripted.requests("/llm/v1/chat/completions")[-1]
    ok(request["model"] == "small" and request["response_format"]["type"] == "json_schema" and request["response_format"]["json_schema"]["strict"], "the format is that of OpenAI", request)
    count = len(scripted.requests("/llm/v1/chat/completions"))
    await asked(client, TRUE)
    equal(len(scripted.requests("/llm/v1/chat/completions")), count, "what was judged is not asked again")
    false = await asked(client, FALSE.replace("yearly", "annual"), {"judge_entailment": "nli"})
    equal((false["decision"], statuses(false)), ("BLOCK", ["contradicted"]), "a false one is blocked")
    equal(scripted.requests("/nli/predict")[-1]["inputs"][0][1], FALSE.replace("yearly", "annual"), "the other format has the premise first")
    # each of these has a new sentence, which is not judged yet
    wrong = {"late": "late", "refuses": "refuses", "redirects": "redirects", "no JSON": "{", "no choices": "{}", "too deep": NESTED, "no UTF-8": "\xff",
             "a content of NaN": _content('{"judgements": [{"id": "1", "relation": "supports", "score": NaN}]}'),
             "a score of 2": _said({"id": "1", "relation": "supports", "score": 2}), "no score": _said({"id": "1", "relation": "supports"}),
             "a score that is true": _said({"id": "1", "relation": "supports", "score": True}),
             "another relation": _said({"id": "1", "relation": "answers", "score": 1}), "another id": _said({"id": "9", "relation": "supports", "score": 1}),
             "an id twice": _said(*[{"id": "1", "relation": "supports", "score": 1}] * 2)}
    for number, (what, mode) in enumerate(wrong.items()):
        with scripted.acting("llm", mode):
            decision = await asked(client, f"{TRUE} The rent is fair in year {number}.", {"judge_entailment": "llm"})
        ok(decision["degraded"] and "judge_failed: llm" in decision["reasons"] and "not_judged" in statuses(decision) and decision["decision"] == "ANSWER_WITH_CAVEATS",
           f"a judge that fails ({what}) degrades the document", (decision["decision"], decision["reasons"], decision["degraded"]))
    equal(sql("SELECT answer_replay(%s::jsonb) ->> 'ok'", json.dumps(decision)), "true", "which replays")
    for what, mode in (("null", '[[{"label": "entailment", "score": null}]]'), ("more than were asked", json.dumps([[{"label": "entailment", "score": 1}]] * 3)),
                       ("a label that is not known", '[[{"label": "LABEL_7", "score": 0.9}]]'), ("infinity", '[[{"label": "entailment", "score": 1e999}]]')):
        with scripted.acting("nli", mode):
            decision = await asked(client, f"They called the rent fair in case {len(what)}.", {"judge_entailment": "nli"})
        ok("judge_failed: nli" in decision["reasons"], f"the other format: {what}", decision["reasons"])

    def one_spoils(path, body):
        answer = scripted.answer(path, body)
        if any("spoiled" in hypothesis for _, hypothesis in body["inputs"]):
            return {"error": "a text is too long"}
        return answer

    with scripted.acting("nli", one_spoils):
        decision = await asked(client, "The rent is 45 euros, we say. Our rent is 45 euros, all right. The spoiled rent is 45 euros, too.", {"judge_entailment": "nli"})
    equal((statuses(decision), decision["degraded"]), (["supported", "supported", "not_judged"], True), "one that cannot be judged spoils no other")
    decision = await asked(client, "People say that the rent is 45 euros.", {"judge_entailment": ["nli", "llm"]})
    equal((statuses(decision), sorted({j["judge"] for j in decision["judgements"]})), (["supported"], ["llm", "nli"]), "a panel is asked in both formats")
    decision = await asked(client, "The rent would be 45 euros.", {"judge_entailment": "unserved"})
    equal((statuses(decision), decision["degraded"], [p["kind"] for p in decision["to_judge"]]), (["not_judged"], False, ["entailment"]), "a judge that is not ours is left to others")
    long = f"The rent is {'very ' * 500}fair."
    equal(statuses(await asked(client, long, {"judge_entailment": "nli"})), ["not_judged"], "what is too long is not asked")
    # a request cannot bring a judge's judgements, nor name the tenant
    forged = [{"pair": "sha256:" + "0" * 64, "relation": "supports", "score": 1, "judge": "llm"}]
    is_problem(await client.post("/answer", headers=bearer(), json={"query": QUESTION, "judgements": forged}), 403, "42501", "who asks says nothing in a judge's name")
    equal(sql("SELECT count(*) FROM answer.judgement WHERE tenant <> 'desk'"), 0, "what is judged is the tenant's")
    for name in ("http://127.0.0.1:1/", "nli'; DROP TABLE answer.judge; --", "unknown"):
        decision = await asked(client, "The rent may be 45 euros.", {"judge_entailment": name})
        equal((decision["degraded"], statuses(decision)), (True, ["not_judged"]), f"a judge named {name} is nobody")
    retrieved = (await client.post("/mcp", headers=bearer(), json={"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "ground", "arguments": {"question": QUESTION}}})).json()
    ok(retrieved["result"]["structuredContent"].get("schema") == "decision/v1", "an agent's question goes the same way", retrieved)


def _content(text):
    return json.dumps({"choices": [{"message": {"content": text}}]})


def _said(*judgements):
    return _content(json.dumps({"judgements": list(judgements)}))


def run_once(settings, folder, expected=0):
    """A worker that ends when nothing is left."""
    worker = gateway(settings, folder, "--work", "--once")
    status = worker.process.wait(120)
    equal(status, expected, "the worker's status") or print(worker.said())
    return worker


def start_workers(settings, folder, count=1):
    """Workers that run until they get a signal. Waits until they have started: before, a signal would just kill them."""
    started = [gateway(settings, folder, "--work") for _ in range(count)]
    for one in started:
        up = wait_until(lambda one=one: one.process.poll() is not None or "has started" in one.said(), 120)
        ok(up and one.process.poll() is None, "a worker starts", one.said())
    return started


def open_pairs(judge="llm", role="answer_llm"):
    """How many pairs wait for a judge."""
    return sql("SELECT count(*) FROM answer_judge_pending(%s, 1000)", judge, role=role)


def decide(number, **options):
    """A decision that needs a judge, made by the database without one."""
    return sql("SELECT answer_grounded(%s, %s::jsonb)", QUESTION, json.dumps({"answer": f"{TRUE} It was so in {number}, they say of the rent.", "citations": ["allotment#p0"],
               "freshness_days": 3650, "config": {"judge_entailment": "llm"}, **options}), role="help_desk")


def worker(scripted, settings, folder):
    """The worker does all pending work: with a restart in between, a judge that is down, two workers, and a signal."""
    run_once(settings, folder)
    for number in range(4):
        decide(1000 + number)
    waiting = open_pairs()
    ok(waiting >= 4, "pairs wait", waiting)
    with scripted.acting("llm", "refuses"):
        ok("503" in run_once(settings, folder, 1).said(), "a judge that is down is named")
        equal(open_pairs(), waiting, "and judges nothing")
        # the judge is asked again, with growing pauses, until it is up
        [down] = start_workers(settings, folder)
        before = len(scripted.requests("/llm/v1/chat/completions"))
        ok(wait_until(lambda: len(scripted.requests("/llm/v1/chat/completions")) > before + 2, 60), "a worker tries again", down.said())
    ok(wait_until(lambda: open_pairs() == 0, 60), "and goes on when the judge is back", down.said())
    equal(down.end(), 0, "a signal ends it")
    ok("Traceback" not in down.said(), "without a word too many", down.said())
    decide(1100, answer="Poison is in the rent of 45 euros.")
    decide(1101)

    def poisoned(path, body):
        if "Poison" in body["messages"][1]["content"]:
            return {"choices": []}
        return scripted.answer(path, body)

    with scripted.acting("llm", poisoned):
        run_once(settings, folder)
        equal(open_pairs(), 1, "a text that cannot be judged holds up no other")
    run_once(settings, folder)
    equal(open_pairs(), 0, "and is judged when it can be")
    for number in range(12):
        decide(2000 + number)
    with scripted.acting("llm", "late"):
        [killed] = start_workers(settings, folder)
        before = len(scripted.requests("/llm/v1/chat/completions"))
        wait_until(lambda: len(scripted.requests("/llm/v1/chat/completions")) > before, 60)
        killed.process.send_signal(signal.SIGKILL)
        killed.process.wait()
    count = sql("SELECT count(*) FROM answer.judgement")
    before = len(scripted.requests("/llm/v1/chat/completions"))
    left = open_pairs()
    two = start_workers(settings, folder, 2)
    ok(wait_until(lambda: open_pairs() == 0, 60), "after one that was killed, two go on", [one.said() for one in two])
    equal([one.end() for one in two], [0, 0], "both end")
    equal(sql("SELECT count(*) FROM answer.judgement") - count, left, "and nothing is judged twice")
    told = [pair["a"] for body in scripted.requests("/llm/v1/chat/completions")[before:] for pair in json.loads(body["messages"][1]["content"])["pairs"]]
    equal(len(told), len(set(told)), "or asked twice")


def outlives(settings, folder):
    """The database server is killed and restarted while a worker runs."""
    restart = os.environ.get("ANSWER_EVAL_RESTART")
    if not restart:
        skip("a worker whose server is restarted: ANSWER_EVAL_RESTART names no program")
        return
    [kept] = start_workers(settings, folder)
    decide(3000)
    ok(wait_until(lambda: open_pairs() == 0, 60), "a worker works", kept.said())
    subprocess.run(["bash", restart], check=True, stdout=subprocess.DEVNULL)
    decide(3001)
    ok(wait_until(lambda: open_pairs() == 0, 120), "and goes on when its server was killed and is back", kept.said())
    equal(kept.end(), 0, "it ends when it is told to")
    ok("Traceback" not in kept.said(), "without a word too many", kept.said())


def lacking(tenant="desk"):
    """How many chunks lack an embedding."""
    return sql("SELECT count(*) FROM answer_embedding_pending(8, 1000)", role="answer_embedder", tenant=tenant)


def embeds(scripted, settings, folder):
    """The worker embeds chunks, in both formats, and never stores an embedding of a text that has changed."""
    total = lacking()
    ok(total > 0, "chunks lack an embedding", total)
    with scripted.acting("tei", json.dumps([[1.0] * 7] * 4)):
        run_once(settings + EMBEDDINGS.format(format="text-embeddings-inference", url=scripted.url + "/tei"), folder)
        equal(lacking(), total, "an embedding of another length is none")
    with scripted.acting("tei", "[[NaN, 1, 1, 1, 1, 1, 1, 1]]"):
        run_once(settings + EMBEDDINGS.format(format="text-embeddings-inference", url=scripted.url + "/tei"), folder)
        equal(lacking(), total, "nor is one with NaN")

    def changed(path, body):
        # the document is replaced while the model is working
        if body["inputs"]:
            sql("SELECT answer_document_load(%s::jsonb)", json.dumps([{"doc_id": "moves", "title": "Moves", "timestamp": "2026-09-01", "text": f"Version {len(scripted.asked)}."}]), role="help_desk")
        return scripted.answer(path, body)

    sql("SELECT answer_document_load(%s::jsonb)", json.dumps([{"doc_id": "moves", "title": "Moves", "timestamp": "2026-09-01", "text": "Version 0."}]), role="help_desk")
    with scripted.acting("tei", changed):
        run_once(settings + EMBEDDINGS.format(format="text-embeddings-inference", url=scripted.url + "/tei"), folder)
    equal(lacking(), 1, "all are embedded, but for the one that has changed meanwhile")
    run_once(settings + EMBEDDINGS.format(format="openai", url=scripted.url + "/openai"), folder)
    equal(lacking(), 0, "which the other format embeds")
    from servers import embedding     # pylint: disable=import-outside-toplevel
    stored = sql("SELECT embedding FROM answer.chunk_embedding WHERE chunk_id = 'moves#p0'")
    text = sql("SELECT text FROM answer.chunk WHERE doc_id = 'moves' ORDER BY version DESC LIMIT 1")
    ok(all(abs(a - b) < 1e-6 for a, b in zip(stored, embedding(text, 8))), "each has its own", (text, stored))


async def searches(client, scripted):
    """A question is embedded; if that fails the search goes by words."""
    decision = await asked(client)
    equal(decision["retrieval"].get("fused"), True, "a question is found by its embedding and its words")
    with scripted.acting("openai", "refuses"):
        decision = await asked(client)
        equal((decision["decision"], decision["retrieval"].get("fused")), ("ANSWER", None), "and by its words where there is no embedding")
    found = (await client.post("/mcp", headers=bearer(), json={"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "retrieve", "arguments": {"question": QUESTION}}})).json()
    ok(found["result"]["structuredContent"]["retrieval"].get("fused"), "an agent's, too", found)


def try_adapters(folder):
    """Run all tests of this file."""
    os.environ["TOOL_TOKEN"] = "warm"
    with Scripted().serving() as scripted:
        settings = SETTINGS.format(url=scripted.url, **{name: digest(name) for name in ("desk", "acme")})
        registered(settings, folder)

        async def try_all(port, *parts):
            async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
                for part in parts:
                    await part(client, scripted)

        with serving(settings, folder) as port:
            asyncio.run(try_all(port, tools, judges))
        if LONG:
            worker(scripted, settings, folder)
            outlives(settings, folder)
            embeds(scripted, settings, folder)
            if not sql("SELECT count(*) FROM pg_available_extensions WHERE name = 'vector'"):
                skip("the server has no pgvector")
                return
            with contextlib.suppress(psycopg.errors.DuplicateObject), psycopg.connect("", autocommit=True) as connection:
                connection.execute("CREATE EXTENSION vector")
            with serving(settings + EMBEDDINGS.format(format="openai", url=scripted.url + "/openai"), folder) as port:
                asyncio.run(try_all(port, searches))
