#!/usr/bin/env python3
"""Tests the gateway over HTTP, with a real server and database, and the roles and tenants of setup.sql.

    gateway.py     PGHOST, PGDATABASE and so on name a database that has the extension and may be changed

Ends with `N passed, N failed`. No outcome depends on the speed of the machine, except by generous time limits."""
import asyncio
import io
import json
import os
import re
import socket
import subprocess
import sys
import tarfile
import tempfile
import tomllib

import httpx
import psycopg

sys.dont_write_bytecode = True
from adapters import try_adapters    # noqa: E402
from outside import try_outside    # noqa: E402
from checks import GATEWAY, HERE, LONG, bearer, busy, counts, digest, equal, is_problem, ok, serving, wait_until    # noqa: E402

SETTINGS = """
dsn = "user=gateway_login"
[limits]
body_bytes = 12000000
body_seconds = 2
statement_ms = 20000
connections = 4
[[caller]]
token_sha256 = "{desk}"
role = "help_desk"
tenant = "desk"
[[caller]]
token_sha256 = "{acme}"
role = "acme_desk"
tenant = "acme"
[[caller]]
token_sha256 = "{globex}"
role = "globex_desk"
tenant = "globex"
[[caller]]
token_sha256 = "{liar}"
role = "acme_desk"
tenant = "globex"
[[caller]]
token_sha256 = "{nobody}"
role = "no such role"
[header]
name = "X-Remote-User"
[header.role]
alice = "acme_desk"
[header.tenant]
alice = "acme"
"""
DOCUMENTS = [{"doc_id": "allotment", "title": "Allotment rules", "timestamp": "2026-09-01", "url": "https://example.org/allotment",
              "text": "The yearly rent for half a plot is 45 euros.\n\nDogs stay on a lead."},
             {"doc_id": "allotment-prices", "title": "Prices", "timestamp": "2026-09-02", "url": "https://example.org/prices",
              "text": "Half a plot has a yearly rent of 45 euros."}]
QUESTION = "What is the yearly rent for half a plot?"
async def who_asks(client):
    """Callers by token, by the header of a proxy, and anonymous ones."""
    equal((await client.get("/v1/answer", headers=bearer())).status_code, 200, "a token that is known")
    for headers, what in (({}, "nobody"), (bearer("guess"), "an unknown token"), ({"Authorization": "Basic ZGVzazo="}, "another scheme"),
                          ({"X-Remote-User": "mallory"}, "an unknown user of a proxy"), ({**bearer("guess"), "X-Remote-User": "alice"}, "a wrong token beside a header")):
        is_problem(await client.get("/v1/answer", headers=headers), 401, None, f"refused: {what}")
    equal((await client.get("/v1/answer", headers={"X-Remote-User": "alice"})).status_code, 200, "a user whom a proxy names")
    is_problem(await client.get("/v1/answer", headers=[("Authorization", "Bearer desk"), ("Authorization", "Bearer acme")]), 401, None, "refused: two tokens")
    is_problem(await client.get("/v1/answer", headers=bearer("nobody")), 500, None, "a role that the database does not have is the operator's fault")
    double = await client.get("/v1/answer", headers=[("X-Remote-User", "alice"), ("X-Remote-User", "mallory")])
    is_problem(double, 401, None, "refused: a header that is there twice")
    is_problem(await client.get("/v1/answer", headers=bearer("liar")), 403, "42501", "refused: a role that has not its tenant")


async def facts_and_receipts(client):
    """Checks, receipts, keys, verification."""
    answer = await client.post("/v1/answer", headers=bearer(), json={"checks": [{"tool": "slow", "args": {"s": 0}, "expect": {"op": "eq", "value": 1}}]})
    receipt = answer.json()
    equal((answer.status_code, receipt.get("verdict"), receipt.get("tenant")), (200, "supported", "desk"), "POST /v1/answer")
    path = f"/v1/receipts/{receipt['receipt_id']}"
    equal((await client.get(path, headers=bearer())).json(), receipt, "GET /v1/receipts gives what was given")
    page = await client.get(path, headers={**bearer(), "Accept": "text/html,application/xhtml+xml,*/*;q=0.8"})
    ok(page.headers["content-type"].startswith("text/html") and receipt["receipt_id"] in page.text and "default-src 'none'" in page.headers["content-security-policy"],
       "and its page to a browser", page.headers)
    for accept in ("*/*", "application/json, text/html;q=0.5", "text/plain"):
        equal((await client.get(path, headers={**bearer(), "Accept": accept})).headers["content-type"], "application/json", f"Accept: {accept}")
    is_problem(await client.get(path, headers=bearer("acme")), 404, None, "another tenant has no such receipt")
    is_problem(await client.get("/v1/receipts/ans_0000000000000000", headers=bearer()), 404, None, "nor is there one that nobody has issued")
    equal((await client.post("/v1/verify", headers=bearer(), content=answer.content)).json().get("ok"), True, "POST /v1/verify")
    equal((await client.post("/v1/verify", headers=bearer(), content=answer.content.replace(b"supported", b"evidenced"))).json().get("ok"), False, "of a changed one")
    keys = (await client.get("/.well-known/keys")).json()
    ok(receipt["signature"]["key_id"] in json.dumps(keys), "GET /.well-known/keys has the key", keys)
    problem = is_problem(await client.post("/v1/answer", headers=bearer(), json={"checks": [{"tool": "slow", "expectation": 1}]}), 400, "22023", "a check that is malformed")
    ok("expectation" in problem.get("detail", ""), "and the problem names the value", problem)
    is_problem(await client.post("/v1/answer", headers=bearer(), content=b"{"), 400, "22P02", "no JSON")
    is_problem(await client.post("/v1/answer", headers=bearer(), content=b'{"question": "\xff"}'), 400, None, "no UTF-8")
    is_problem(await client.post("/v1/answer", headers=bearer(), content=b'{"question": "\\u0000"}'), 400, "22P05", "a character that no text has")
    for path in ("/v1/receipts/%00", "/debug/retrieval?q=%00", "/v1/trace/%00"):
        is_problem(await client.get(path, headers=bearer()), 400, None, f"a NUL: {path}")
    is_problem(await client.get("/debug/retrieval?q=x&top_k=99999999999", headers=bearer()), 400, None, "a number that is too large")
    is_problem(await client.post("/v1/answer", headers={**bearer(), "Origin": "https://evil.example"}, json={"question": "x"}), 403, None, "a page of another site")
    is_problem(await client.delete("/v1/answer", headers=bearer()), 405, None, "another method")
    is_problem(await client.get("/v1/nothing", headers=bearer()), 404, None, "another address")


async def answers(client):
    """The endpoints for grounded answers."""
    for query, tenant, want in ((QUESTION, "desk", True), (QUESTION, "acme", False)):
        decision = (await client.post("/answer", headers=bearer(tenant), json={"query": query, "top_k": 5, "freshness_days": 3650})).json()
        equal(("45 euros" in decision.get("answer", ""), decision.get("tenant")), (want, tenant), f"POST /answer for {tenant}")
    false = (await client.post("/answer", headers=bearer(), json={"query": QUESTION, "answer": "The yearly rent for half a plot is 54 euros.",
                                                                  "citations": ["allotment#p0"], "freshness_days": 3650})).json()
    equal((false.get("decision"), false.get("reasons")), ("BLOCK", ["contradicted"]), "a false answer is stopped")
    is_problem(await client.post("/answer", headers=bearer(), json={"query": QUESTION, "topk": 5}), 400, "22023", "an option that there is not")
    chunk = {"doc_id": "d", "chunk_id": "d#p0", "timestamp": "2024-01-01T00:00:00Z", "similarity": 0.9, "text": "Content"}
    for citation, want in (("d#p0", True), ("e#p0", False)):
        checked = (await client.post("/validate", headers=bearer(), json={"answer": "Content.", "citations": [citation], "retrieved_chunks": [chunk]})).json()
        equal(checked.get("citation_valid"), want, f"POST /validate of {citation}")
    members = {"retrieval": {"query", "retrieval", "retrieval_quality"}, "conflicts": {"conflicts"}, "decision": {"decision_result", "risk"}}
    for name, expected in members.items():
        found = (await client.get(f"/debug/{name}", headers=bearer(), params={"q": QUESTION, "top_k": 2})).json()
        ok(expected <= set(found), f"GET /debug/{name}", found)
    is_problem(await client.get("/debug/decision", headers=bearer(), params={"q": QUESTION, "top_k": "two"}), 400, None, "top_k that is no number")
    is_problem(await client.get("/debug/decision", headers=bearer()), 400, None, "no question")
    equal(sorted(d["doc_id"] for d in (await client.get("/docs", headers=bearer())).json()), ["allotment", "allotment-prices"], "GET /docs")
    equal((await client.get("/docs", headers=bearer("acme"))).json(), [], "of another tenant")
    equal((await client.get("/health")).json().get("status"), "ok", "GET /health")
    ok("/v1/plan/execute" in (await client.get("/openapi.json")).json()["paths"], "GET /openapi.json")
    page = (await client.get("/openapi")).text
    ok("/v1/plan/execute" in page and "http" not in page.replace("over HTTP", ""), "GET /openapi loads nothing from anywhere", page)


def read_stream(lines):
    """(id, event, data) of server-sent events."""
    found, one = [], {}
    for line in lines:
        if line == "" and "data" in one:
            found.append((one.get("id"), one["event"], json.loads(one["data"])))
            one = {}
        elif line and not line.startswith(":"):
            name, _, value = line.partition(": ")
            one[name] = value
    return found


async def stream_of(client, path, headers=None):
    """A whole stream, up to its end."""
    async with client.stream("GET", path, headers={**bearer(), "Accept": "text/event-stream", **(headers or {})}, timeout=60) as answer:
        return answer.status_code, read_stream([line.rstrip("\n") async for line in answer.aiter_lines()])


def plan(*nodes, name="try"):
    """A plan of nodes in a chain."""
    nodes = [{"id": f"n{i}", **node} for i, node in enumerate(nodes)]
    return {"plan_id": name, "signals": {"risk": "low"}, "nodes": nodes, "edges": [[a["id"], b["id"]] for a, b in zip(nodes, nodes[1:])]}


async def plans(client):
    """Plans: started, followed, read again later, abandoned by the client, waiting."""
    slow = plan(*[{"op": "call", "tool": "slow", "args": {"s": 0.2}, "out": f"v{i}"} for i in range(4)])
    start = await client.post("/v1/plan/execute", headers=bearer(), json={"plan": slow, "vars": {}})
    ok(start.status_code == 202, "POST /v1/plan/execute", start.text)
    begun = start.json()
    ok(begun["plan_id"] == "try" and re.fullmatch("t_[0-9a-f]{32}", begun["trace_id"]) and begun["stream_url"] == f"/v1/trace/{begun['trace_id']}", "says where to go on", begun)
    status, events = await stream_of(client, begun["stream_url"])
    equal((status, [e[0] for e in events], [e[1] for e in events]), (200, ["1", "2", "3", "4", "end"], ["step"] * 4 + ["document"]), "the stream has each step, and the document")
    document = events[-1][2]
    equal((document.get("schema"), document.get("trace_id")), ("plan/v1", begun["trace_id"]), "the document is that of the plan")
    equal((await client.post("/v1/verify", headers=bearer(), json=document)).json().get("ok"), True, "and verifies")
    _, rest = await stream_of(client, begun["stream_url"], {"Last-Event-ID": "2"})
    equal([e[0] for e in rest], ["3", "4", "end"], "a reader that comes back gets the rest, once")
    equal((await client.get(begun["stream_url"], headers={**bearer(), "Accept": "text/event-stream", "Last-Event-ID": "end"})).status_code, 204,
          "one that has all is told not to come back")
    lines = (await client.get(begun["stream_url"], headers=bearer())).text.splitlines()
    equal([json.loads(line) for line in lines], [e[2] for e in events[:-1]], "NDJSON has the same events")
    equal(len((await client.get(begun["stream_url"] + "?after=3", headers=bearer())).text.splitlines()), 1, "or those behind a number")
    equal((await client.get(begun["stream_url"] + "?after=4", headers=bearer())).text, "", "of which there may be none")
    is_problem(await client.get(begun["stream_url"] + "?after=99999999999", headers=bearer()), 400, None, "a number that no event has")
    is_problem(await client.get(begun["stream_url"] + "?after=0", headers=bearer("acme")), 404, "P0002", "nor behind a number has it another tenant")
    is_problem(await client.get(begun["stream_url"], headers=bearer("acme")), 404, "P0002", "another tenant has no such trace")
    equal((await stream_of(client, "/v1/trace/t_" + "0" * 32))[0], 404, "nor can one be followed that there is not")
    bundle = await client.post("/v1/replay/bundle", headers=bearer(), json={"trace_id": begun["trace_id"]})
    names = tarfile.open(fileobj=io.BytesIO(bundle.content)).getnames()
    ok(bundle.headers["content-type"] == "application/x-tar" and any(name.endswith("manifest-sha256.txt") for name in names), "POST /v1/replay/bundle", names)
    is_problem(await client.post("/v1/replay/bundle", headers=bearer(), json={}), 400, "22004", "of no trace")
    is_problem(await client.post("/v1/plan/execute", headers=bearer(), json={"plan": {"ref": "nothing"}}), 404, "P0002", "a plan that there is not")
    is_problem(await client.post("/v1/plan/execute", headers=bearer(), json={"plan": plan({"op": "dance"})}), 400, "22023", "a plan that is malformed")
    is_problem(await client.post("/v1/plan/execute", headers=bearer(), json={"plan": slow, "trace_id": begun["trace_id"]}), 400, "22023", "a trace_id that is used")
    waited = await client.post("/v1/plan/execute", headers={**bearer(), "Prefer": "wait"}, json={"plan": slow, "vars": {}})
    equal((waited.status_code, waited.headers.get("preference-applied"), waited.json().get("schema")), (200, "wait", "plan/v1"), "Prefer: wait gives the document")
    ask = plan({"op": "call", "tool": "model", "args": {"q": "What?"}, "out": "said"}, name="ask")
    waits = (await client.post("/v1/plan/execute", headers={**bearer(), "Prefer": "wait"}, json={"plan": ask})).json()
    equal([step["args"] for step in waits.get("pending", [])], [{"q": "What?"}], "a plan that waits for the application says for what")
    done = await client.post(f"/v1/plan/{waits['trace_id']}/resume", headers=bearer(), json={"results": {"n0": {"result": {"text": "That."}, "by": "model"}}})
    equal((done.status_code, done.json().get("schema")), (200, "plan/v1"), "and goes on")
    is_problem(await client.post(f"/v1/plan/{waits['trace_id']}/resume", headers=bearer(), json={"results": {"n0": {"result": {"text": "That."}, "by": "model"}}}), 409, "55000",
               "once")
    # the reader of a trace is told that its plan waits
    two = plan({"op": "call", "tool": "slow", "args": {"s": 0}, "out": "v"}, {"op": "call", "tool": "model", "args": {"q": "A secret?"}, "out": "said"})
    begun = (await client.post("/v1/plan/execute", headers=bearer(), json={"plan": two})).json()
    lines = []
    async with client.stream("GET", begun["stream_url"], headers={**bearer(), "Accept": "text/event-stream"}, timeout=60) as answer:
        async for line in answer.aiter_lines():
            lines.append(line.rstrip("\n"))
            if lines[-1] == "event: pending":
                resumed = await client.post(f"/v1/plan/{begun['trace_id']}/resume", headers=bearer(), json={"results": {"n1": {"result": {"text": "That."}, "by": "model"}}})
    found = read_stream(lines)
    equal(([e[0] for e in found], [e[1] for e in found], resumed.status_code), (["1", None, "2", "end"], ["step", "pending", "step", "document"], 200), "a stream says that its plan waits, and goes on with it")
    equal(found[1][2]["pending"], [{"node": "n1", "tool": "model"}], "for which node, and not with what")
    states = [(await client.get(f"/v1/trace/{one['trace_id']}", headers=bearer())).headers["trace-state"] for one in (begun, waits)]
    equal(states, ["done", "done"], "and the lines have a header")


async def rpc(client, method, parameters=None, **more):
    """One request of the Model Context Protocol."""
    message = {"jsonrpc": "2.0", "id": 7, "method": method, "params": parameters or {}, **more}
    return (await client.post("/mcp", headers={**bearer(), "Accept": "application/json, text/event-stream"}, json=message)).json()


async def agents(client):
    """The Model Context Protocol."""
    hello = (await rpc(client, "initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}))["result"]
    equal((hello["protocolVersion"], "tools" in hello["capabilities"]), ("2025-06-18", True), "initialize")
    equal((await rpc(client, "initialize", {"protocolVersion": "1999-01-01"}))["result"]["protocolVersion"], "2025-06-18", "an unknown version is answered with ours")
    tools = (await rpc(client, "tools/list"))["result"]["tools"]
    equal(sorted(t["name"] for t in tools), ["answer", "check", "ground", "retrieve", "verify"], "tools/list")
    ok(all(t["inputSchema"]["type"] == "object" and "readOnlyHint" in t["annotations"] for t in tools), "with schemas and annotations", tools)

    async def call(tool, **arguments):
        return await rpc(client, "tools/call", {"name": tool, "arguments": arguments})

    checked = (await call("check", checks=[{"tool": "slow", "args": {"s": 0}, "expect": {"op": "eq", "value": 2}}]))["result"]
    equal((checked["isError"], checked["structuredContent"]["verdict"]), (False, "contradicted"), "check")
    equal((await call("verify", receipt=checked["structuredContent"]))["result"]["structuredContent"]["ok"], True, "verify")
    ground = (await call("ground", question=QUESTION, answer="The yearly rent for half a plot is 54 euros.", citations=["allotment#p0"]))["result"]
    equal(ground["structuredContent"]["decision"], "BLOCK", "ground")
    ok("BLOCK" in ground["content"][0]["text"], "says so in a sentence", ground["content"])
    found = (await call("retrieve", question=QUESTION))["result"]["structuredContent"]
    ok(found.get("retrieval_id"), "retrieve", found)
    equal((await call("answer", question="What is the meaning of life?"))["result"]["structuredContent"]["verdict"], "outside_evidence_coverage", "answer")
    wrong = (await call("check", checks=[{"tool": "slow", "expectation": 1}]))["result"]
    ok(wrong["isError"] and "22023" in wrong["content"][0]["text"] and "expectation" in wrong["content"][0]["text"], "what the database refuses is a result", wrong)
    for arguments in ({}, {"checks": "x"}, {"checks": [], "tenant": "acme"}):
        equal((await call("check", **arguments))["error"]["code"], -32602, f"arguments {arguments}")
    equal((await call("drop"))["error"]["code"], -32602, "a tool that there is not")
    equal((await rpc(client, "sampling/createMessage"))["error"]["code"], -32601, "a method that there is not")
    equal((await client.post("/mcp", headers=bearer(), content=b"[")).json()["error"]["code"], -32700, "no JSON")
    equal((await client.post("/mcp", headers=bearer(), json=[1])).json()["error"]["code"], -32600, "no message")
    equal((await client.post("/mcp", headers=bearer(), json={"jsonrpc": "2.0", "method": "notifications/initialized"})).status_code, 202, "a notification")
    for message in ('{"jsonrpc": "2.0", "id": null, "method": "ping"}', '{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}', '{"jsonrpc": "2.0", "id": true, "method": "ping"}',
                    '{"jsonrpc": "2.0", "id": 1}', '{"jsonrpc": "2.0", "id": 1, "method": 5}'):
        equal((await client.post("/mcp", headers=bearer(), content=message)).json()["error"]["code"], -32600, f"no request: {message}")
    equal((await client.post("/mcp", headers=bearer(), content='{"jsonrpc": "2.0", "id": NaN, "method": "ping"}')).json()["error"]["code"], -32700, "NaN")
    equal((await rpc(client, "ping", id="\ud800"))["id"], "\ud800", "an id is given back as it came")
    # numbers keep their spelling
    exact = '{"checks": [{"tool": "slow", "args": {"s": 0}, "expect": {"op": "eq", "value": 1.00000000000000001}}]}'
    plain = (await client.post("/v1/answer", headers=bearer(), content=exact)).json()["verdict"]
    asked = (await client.post("/mcp", headers=bearer(), content='{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "check", "arguments": ' + exact + "}}")).json()
    equal((plain, asked["result"]["structuredContent"]["verdict"]), ("contradicted", "contradicted"), "a number of seventeen places")
    for origin, status in (("https://evil.example", 403), ("http://localhost:3000", 202), ("null", 403)):
        equal((await client.post("/mcp", headers={**bearer(), "Origin": origin}, json={"jsonrpc": "2.0", "method": "x"})).status_code, status, f"a page of {origin}")
    is_problem(await client.post("/mcp", json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"}), 401, None, "nobody")
    is_problem(await client.post("/mcp", headers={**bearer(), "MCP-Protocol-Version": "1999-01-01"}, json={}), 400, None, "another version of the protocol")
    is_problem(await client.get("/mcp", headers=bearer()), 405, None, "GET /mcp")


async def raw(port, data):
    """The answer of the gateway to raw bytes that no HTTP client would send."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(data)
        await writer.drain()
        return await asyncio.wait_for(reader.read(65536), 30)
    finally:
        writer.close()


async def attacks(client, port):
    """Attacks on the gateway."""
    # the caller, named in wrong ways
    for headers in ([("X_Remote_User", "alice")], [("X-Remote-User", "alice,mallory")], [("X-Remote-User", "")],
                    [("X-Remote-Role", "acme_desk"), ("X-Remote-Tenant", "acme")], [("Authorization", "Bearer")], [("Authorization", "Bearer " + "d" * 8000)],
                    [("Authorization", b"Bearer \xff\xfe")], [("X-Remote-User", b"\xe4lice")], [("Cookie", "X-Remote-User=alice")]):
        is_problem(await client.get("/v1/answer", headers=headers), 401, None, f"who asks, as {str(headers)[:60]}")
    smuggled = await raw(port, b"GET /v1/answer HTTP/1.1\r\nHost: x\r\nX-Remote-User : alice\r\n\r\n")
    ok(b" 400 " in smuggled.split(b"\r\n", 1)[0], "a blank before the colon", smuggled[:200])
    smuggled = await raw(port, b"GET /v1/answer HTTP/1.1\r\nHost: x\r\nA: b\r\n X-Remote-User: alice\r\nConnection: close\r\n\r\n")
    ok(b" 401 " in smuggled.split(b"\r\n", 1)[0] or b" 400 " in smuggled.split(b"\r\n", 1)[0], "a header that is folded", smuggled[:200])
    smuggled = await raw(port, b"POST /v1/answer HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer desk\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n"
                         b"0\r\n\r\nGET /v1/answer HTTP/1.1\r\nHost: x\r\nX-Remote-User: alice\r\n\r\n")
    ok(smuggled.count(b"HTTP/1.1 200") == 0 or b" 400 " in smuggled, "a length beside chunks", smuggled[:300])
    huge = await raw(port, b"GET /v1/answer HTTP/1.1\r\nHost: x\r\nA: " + b"a" * 200_000 + b"\r\n\r\n")
    ok(huge == b"" or b" 4" in huge.split(b"\r\n", 1)[0], "a header of 200 kB", huge[:200])
    # a role or a tenant in the request has no effect
    for body in ({"checks": [{"tool": "slow", "args": {"s": 0}, "observe": True}], "tenant": "acme"}, {"checks": [{"tool": "slow", "args": {"s": 0}, "observe": True}], "role": "acme_desk"}):
        answer = await client.post("/v1/answer", headers={**bearer(), "X-Tenant": "acme"}, json=body)
        ok(answer.status_code == 400 or answer.json().get("tenant") == "desk", f"a request for another: {list(body)[-1]}", answer.text[:300])
    # of a repeated member the gateway and the database take the same one
    twice = b'{"question": "Which tenant?", "question": "What is the meaning of life?"}'
    equal((await client.post("/v1/answer", headers=bearer(), content=twice)).json().get("question"), "What is the meaning of life?", "of a member that is there twice the last counts")
    call = b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "check", "name": "answer", "arguments": {"question": "a"}, "arguments": {"question": "Who?"}}}'
    equal((await client.post("/mcp", headers=bearer(), content=call)).json()["result"]["structuredContent"].get("question"), "Who?", "of an agent, too")
    # paths
    for path in ("/v1/receipts/..%2f..%2f..%2fetc%2fpasswd", "/v1/receipts/%2e%2e", "/v1/receipts/ans_0'%20OR%20'1'='1", "/v1/receipts/" + "a" * 5000):
        answer = await client.get(path, headers=bearer())
        ok(answer.status_code == 404 and "root:" not in answer.text, f"no receipt: {path[:60]}", answer.text[:200])
    is_problem(await client.get("/v1/trace/t_0'; DROP TABLE x", headers=bearer()), 404, "P0002", "no trace")
    for path in ("/v1/receipts/%ff%fe", "/debug/retrieval?q=%ff", "/v1/trace/%c3%28"):
        answer = await client.get(path, headers=bearer())
        ok(answer.status_code in (200, 400, 404), f"no UTF-8 in {path}", (answer.status_code, answer.text[:200]))
    is_problem(await client.post("/answer", headers=bearer(), json={"query": QUESTION, "filter": {"title": "'; DROP ROLE help_desk; --"}, "x'; --": 1}), 400, "22023", "a name that is SQL")
    # browsers
    answer = await client.options("/v1/answer", headers={"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"})
    ok(answer.status_code in (403, 405) and not any(name.startswith("access-control") for name in answer.headers), "nobody is told that a page of another site may", answer.headers)
    for origin in ("null", "https://localhost.evil.example", "https://evil.example/localhost", "http://[", "https://evil.example#localhost", "//localhost@evil.example"):
        is_problem(await client.post("/answer", headers={**bearer(), "Origin": origin}, json={"query": QUESTION}), 403, None, f"Origin: {origin}")
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/json; charset=utf-16"):
        answer = await client.post("/validate", headers={**bearer(), "Content-Type": kind}, content=b'{"answer": "A.", "citations": [], "retrieved_chunks": []}')
        equal((answer.status_code, answer.headers["content-type"], answer.headers["x-content-type-options"]), (200, "application/json", "nosniff"), f"JSON is what a body is read as, and what comes back: {kind}")
    answer = await client.get("/v1/receipts/<script>alert(1)<%2fscript>", headers={**bearer(), "Accept": "text/html"})
    equal((answer.status_code, answer.headers["content-type"]), (404, "application/problem+json"), "an error is no page")
    deep = await client.post("/answer", headers=bearer(), content=b'{"query": ' + b"[" * 200_000 + b"]" * 200_000 + b"}")
    ok(400 <= deep.status_code < 500, "a body that is nested too deep", (deep.status_code, deep.text[:200]))
    number = b'{"jsonrpc": "2.0", "id": ' + b"9" * 5000 + b', "method": "ping"}'
    equal((await client.post("/mcp", headers=bearer(), content=number)).status_code, 400, "a number that is too long")
    # a request cannot add lines to the log
    await client.post("/v1/plan/execute", headers=bearer(), json={"plan": plan({"op": "call", "tool": "slow\r\nERROR: forged", "args": {"s": 0}, "out": "x"}, name="a\r\nERROR: forged")})


async def limits(client, port):
    """Limits of size and time, slow clients, clients that go away, many clients, a database that is down."""
    if LONG:
        answer = await client.post("/v1/answer", headers=bearer(), json={"question": "x" * 10_000_000}, timeout=120)
        ok(answer.status_code in (200, 400, 413), "10 MB are read, and judged by the database", (answer.status_code, answer.text[:300]))
    is_problem(await client.post("/v1/answer", headers=bearer(), json={"question": "x" * 12_000_000}, timeout=60), 413, None, "what is over the limit is not read")
    with socket.create_connection(("127.0.0.1", port), 30) as slow:
        slow.sendall(b"POST /v1/answer HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer desk\r\nContent-Length: 100\r\n\r\n{")
        slow.settimeout(30)
        ok(b" 408 " in slow.recv(4096).split(b"\r\n", 1)[0], "a client that stops in the middle is told so")
    with psycopg.connect("", autocommit=True) as watcher:
        ok(wait_until(lambda: busy(watcher) == 0, 30), "nothing runs")
        body = b'{"deadline_ms": 60000, "checks": [{"tool": "slow", "args": {"s": 15}, "observe": true}]}'
        gone = socket.create_connection(("127.0.0.1", port), 30)
        gone.sendall(b"POST /v1/answer HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer desk\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
        started = await asyncio.to_thread(wait_until, lambda: busy(watcher) == 1, 10)
        gone.close()
        ok(started and await asyncio.to_thread(wait_until, lambda: busy(watcher) == 0, 5), "the query of a client that has gone away ends")
    # clients that go away in the queue or in the middle of a stream must not cost a connection
    trace = (await client.post("/v1/plan/execute", headers={**bearer(), "Prefer": "wait"}, json={"plan": plan({"op": "call", "tool": "model", "args": {"q": "?"}, "out": "x"})})).json()
    for round_ in range(6 if LONG else 2):
        gone = []
        for i in range(20):
            one = socket.create_connection(("127.0.0.1", port), 30)
            one.sendall(b"GET /v1/trace/%s HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\nAuthorization: Bearer desk\r\n\r\n" % trace["trace_id"].encode() if i % 2
                        else b"POST /v1/answer HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer desk\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
            gone.append(one)
        await asyncio.sleep(0.05 * round_)
        for one in gone:
            one.close()
    with psycopg.connect("", autocommit=True) as watcher:
        ok(await asyncio.to_thread(wait_until, lambda: busy(watcher) == 0, 20), "their queries end")
    together = [b'{"checks": [{"tool": "slow", "args": {"s": 0.5}, "observe": true}]}'] * 4
    with psycopg.connect("", autocommit=True) as watcher:
        asked = asyncio.gather(*(client.post("/v1/answer", headers=bearer(), content=one) for one in together))
        most = 0
        while not asked.done():
            most = max(most, busy(watcher))
            await asyncio.sleep(0.02)
        equal([a.status_code for a in await asked], [200] * 4, "and all connections are there still")
    ok(most == 4, "and work at once", most)
    answers_of_many = await asyncio.gather(*(client.get("/v1/answer", headers=bearer(("desk", "acme")[i % 2]), timeout=60) for i in range(200)))
    equal({a.status_code for a in answers_of_many}, {200}, "200 at once")
    tenants = await asyncio.gather(*(client.post("/v1/answer", headers=bearer(("acme", "globex")[i % 2]), timeout=60, json={"question": "Which tenant?"}) for i in range(40)))
    equal([a.json().get("tenant") for a in tenants], ["acme", "globex"] * 20, "each in the name of its own tenant")
    with psycopg.connect("", autocommit=True) as killer:
        killer.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'answer_gateway'")
    statuses = set()
    for _ in range(100):
        answer = await client.get("/v1/answer", headers=bearer())
        statuses.add(answer.status_code)
        if answer.status_code == 200:
            break
        await asyncio.sleep(0.1)
    ok(answer.status_code == 200 and statuses <= {200, 503}, "after its connections were killed, it goes on", statuses)


def refused_settings(folder):
    """Wrong settings are refused at the start, with a sentence."""
    sys.path.insert(0, os.path.dirname(GATEWAY))
    from answer_gateway.settings import SettingsError, settings_of    # pylint: disable=import-error,import-outside-toplevel
    somebody = 'dsn = ""\n[anonymous]\nrole = "x"\n'
    judge = somebody + '[[judge]]\nname = "j"\nrole = "r"\n'
    for text, expected in (("dsn = 1", "dsn"), ('dsn = ""', "nobody may ask"), ('dsn = ""\n[anonymus]\nrole = "x"', "anonymus"),
                           ('dsn = ""\n[[caller]]\ntoken_sha256 = "secret"\nrole = "x"', "token_sha256"), (somebody + "[limits]\nbody_bytes = -1", "body_bytes"),
                           *((somebody + f'[[tool]]\nname = "t"\nurl = "{url}"', "url of [[tool]]") for url in (
                               "file:///etc/passwd", "http://", "http://user:secret@host", "http://host?x", "http://host:99999", "gopher://host", "http://a b")),
                           (somebody + '[[tool]]\nname = "t"', "url"), (somebody + '[[tool]]\nname = "t"\nurl = "http://h"\ntoken_env = "NONE_SUCH"', "NONE_SUCH"),
                           (somebody + ('[[tool]]\nname = "t"\nurl = "http://h"\n' * 2), "two tables"), (somebody + '[[tool]]\nname = "t"\nurl = "http://h"\nseconds = nan', "seconds"),
                           (judge + 'url = "http://h"\nformat = "soap"', "format"), (judge + 'url = "http://h"\nformat = "openai"', "model"),
                           (judge + 'url = "http://h"\nformat = "text-embeddings-inference"\n[judge.labels.answers]\nyes = "supports"', "labels.answers"),
                           (somebody + '[embeddings]\nformat = "text-embeddings-inference"\nurl = "http://h"\nrole = "r"', "dimensions")):
        try:
            settings_of(tomllib.loads(text))
            ok(False, f"settings: {text!r}")
        except SettingsError as error:
            ok(expected in str(error), f"settings: {text!r}", error)
    path = os.path.join(folder, "wrong.toml")
    with open(path, "w", encoding="utf-8") as file:
        file.write("dsn =")
    done = subprocess.run([sys.executable, GATEWAY, "--settings", path, "--port", "0"], capture_output=True, text=True, timeout=60, check=False)
    ok(done.returncode == 1 and "no TOML" in done.stderr and "Traceback" not in done.stderr, "a file that is no TOML", done.stderr)


async def load_documents():
    """The documents of the tenant desk."""
    async with await psycopg.AsyncConnection.connect("", autocommit=True) as connection:
        await connection.execute("SET ROLE help_desk")
        await connection.execute("SET answer_eval.tenant = 'desk'")
        await connection.execute("SELECT answer_document_load(%s::jsonb)", (json.dumps(DOCUMENTS),))


async def try_all(port):
    """Everything that needs the gateway."""
    await load_documents()
    limit = httpx.Limits(max_connections=250)
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", limits=limit, timeout=30) as client:
        for what in (who_asks, facts_and_receipts, answers, plans, agents):
            await what(client)
        await attacks(client, port)
        await limits(client, port)


def waiting_trace():
    """The trace of a plan that waits."""
    with psycopg.connect("", autocommit=True) as connection:
        row = connection.execute("SELECT trace_id FROM answer.plan_run WHERE status = 'pending' LIMIT 1").fetchone()
    return row[0].encode() if row else b"t_0"


def read_until_the_end(port):
    """A reader of a stream must not keep the gateway from ending."""
    reader = socket.create_connection(("127.0.0.1", port), 30)
    reader.sendall(b"GET /v1/trace/%s HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\nAuthorization: Bearer desk\r\n\r\n" % waiting_trace())
    ok(b" 200 " in reader.recv(100), "a plan that waits is followed")
    return reader


def main():
    """The program."""
    subprocess.run(["psql", "-X", "-q", "-f", os.path.join(HERE, "setup.sql")], check=True, stdout=subprocess.DEVNULL)
    with tempfile.TemporaryDirectory() as folder:
        refused_settings(folder)
        settings = SETTINGS.format(**{name: digest(name) for name in ("desk", "acme", "globex", "liar", "nobody")})
        with serving(settings, folder) as port:
            asyncio.run(try_all(port))
            reader = read_until_the_end(port)
        reader.close()
        try_adapters(folder)
        if LONG:
            try_outside(folder)
    print(f"{counts['passed']} passed, {counts['failed']} failed")
    return 1 if counts["failed"] else 0


sys.exit(main())
