"""The endpoints. Each returns the result of one function of the extension unchanged."""
import asyncio
import contextlib
import html
import json
import logging
import re
import secrets

import fastapi
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response, StreamingResponse

from . import judging, mcp, plans, stream
from .adapters import Adapters
from .caller import find_caller
from .database import Database
from .problem import Problem

LOG = logging.getLogger("answer_gateway")
# A receipt's page verifies it in the browser with its own script, and loads nothing else.
PAGE_POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
PLAN_STARTS = 10.0
# A repeated request gets the same trace id; the database then compares the whole request.
PLAN_IDS = """SELECT coalesce(body ->> 'trace_id', CASE WHEN body ->> 'request_id' IS NOT NULL THEN
        't_' || pg_catalog.left(pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to(pg_catalog.jsonb_build_array(
        current_user, pg_catalog.current_setting('answer_eval.tenant', true), body -> 'request_id')::text, 'UTF8')), 'hex'), 32) END, %s),
    answer_plan_explain(body - 'trace_id') ->> 'plan_id', coalesce(body #>> '{plan,plan_id}', body #>> '{plan,ref}')
FROM (SELECT %s::jsonb) AS request (body)"""
BODY = {"requestBody": {"required": True, "content": {"application/json": {"schema": {"type": "object"}}}}}
ERRORS = {"default": {"description": "RFC 9457", "content": {"application/problem+json": {"schema": {"type": "object"}}}}}


async def read_body(request, limits):
    """The body as text, within the limits on size and time."""
    async def read():
        parts, size = [], 0
        async for part in request.stream():
            size += len(part)
            if size > limits.body_bytes:
                raise Problem(413, f"The body has more than {limits.body_bytes} bytes.", hint="body_bytes of [limits] is the limit.")
            parts.append(part)
        return b"".join(parts)

    try:
        body = await asyncio.wait_for(read(), limits.body_seconds)
    except asyncio.TimeoutError as error:
        raise Problem(408, f"The body did not arrive within {limits.body_seconds:g} s.") from error
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Problem(400, f"The body is no UTF-8: byte {error.start} is wrong.") from error


async def while_connected(request, work):
    """Await work, and cancel it if the client goes away first."""
    async def wait_for_end():
        while (await request.receive())["type"] != "http.disconnect":
            pass

    task, end = asyncio.ensure_future(work), asyncio.ensure_future(wait_for_end())
    try:
        await asyncio.wait({task, end}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise Problem(499, "The client has gone away.")
        return task.result()
    finally:
        for one in (task, end):
            one.cancel()
        await asyncio.gather(task, end, return_exceptions=True)


def json_response(text, status=200, headers=None):
    """The database's text, byte for byte."""
    return Response(text, status, {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", **(headers or {})}, "application/json")


def wants(request, kind, other):
    """Whether the client prefers one media type to the other, by their q in Accept; not in a tie."""
    weights = {}
    for part in request.headers.get("accept", "").split(","):
        name, *parameters = [piece.strip().lower() for piece in part.split(";")]
        weight = 1.0
        for parameter in parameters:
            if parameter.startswith("q="):
                with contextlib.suppress(ValueError):
                    weight = float(parameter[2:])
        weights[name] = weight
    return weights.get(kind, 0.0) > weights.get(other, weights.get("*/*", 0.0) if kind not in weights else 0.0)


def number_of(request, name, default):
    """An integer among the parameters of the URL."""
    text = request.query_params.get(name, default)
    if text is None:
        return None
    if not re.fullmatch("-?[0-9]{1,9}", text):
        raise Problem(400, f'{name} is "{text[:100]}"; it must be a whole number of at most nine digits.')
    return int(text)


class Gateway:
    """What all endpoints share."""

    def __init__(self, settings):
        self.settings = settings
        self.database = Database(settings)
        self.adapters = Adapters()
        self.running = set()
        self.stopping = asyncio.Event()     # ends streams; their readers reconnect, to another gateway

    async def ask(self, request, query, values=()):
        """The text that one statement returns to the caller."""
        caller = find_caller(self.settings, request)
        return await while_connected(request, self.database.value(caller, query, values))

    async def ask_about_body(self, request, query):
        """The same for a statement whose only parameter is the body."""
        caller = find_caller(self.settings, request)
        body = await read_body(request, self.settings.limits)
        return await while_connected(request, self.database.value(caller, query, (body,)))

    def run(self, work):
        """Start work that goes on after its request has been answered."""
        task = asyncio.ensure_future(work)
        self.running.add(task)
        task.add_done_callback(self.running.discard)
        return task

    async def close(self):
        """End running work and close the connections."""
        for task in list(self.running):
            task.cancel()
        await asyncio.gather(*self.running, return_exceptions=True)
        await self.adapters.close()
        await self.database.pool.close()


def _add_facts(app, gateway):
    @app.post("/v1/answer", tags=["facts"], summary="Adjudicate checks, or a question: a signed receipt", openapi_extra=BODY, responses=ERRORS)
    async def answer(request: fastapi.Request):
        return json_response(await gateway.ask_about_body(request, "SELECT answer_eval(%s::jsonb)::text"))

    @app.get("/v1/answer", tags=["facts"], summary="What can be asked: the coverage manifest", responses=ERRORS)
    async def coverage(request: fastapi.Request):
        return json_response(await gateway.ask(request, "SELECT answer_coverage()::text"))

    @app.get("/.well-known/keys", tags=["receipts"], summary="The public keys, as DF-VERIFY/1 has them", responses=ERRORS)
    async def keys(request: fastapi.Request):
        # Anybody may verify a receipt, so this needs no caller.
        rows = await while_connected(request, gateway.database.plain("SELECT answer_keys()::text"))
        return json_response(rows[0][0], headers={"Cache-Control": "max-age=300"})

    @app.get("/v1/receipts/{receipt_id}", tags=["receipts"], summary="A receipt, or its page for a browser", responses=ERRORS)
    async def receipt(request: fastapi.Request, receipt_id: str):
        if wants(request, "text/html", "application/json"):
            page = await gateway.ask(request, "SELECT answer_receipt_html(%s::text)", (receipt_id,))
            if page is not None:
                return HTMLResponse(page, headers={"Content-Security-Policy": PAGE_POLICY, "X-Content-Type-Options": "nosniff", "Vary": "Accept"})
        else:
            text = await gateway.ask(request, "SELECT answer_receipt(%s)::text", (receipt_id,))
            if text is not None:
                return json_response(text, headers={"Vary": "Accept"})
        raise Problem(404, f"There is no receipt {receipt_id} that you may read.")

    @app.post("/v1/verify", tags=["receipts"], summary="Does a receipt verify by the keys of this database?", openapi_extra=BODY, responses=ERRORS)
    async def verify(request: fastapi.Request):
        return json_response(await gateway.ask_about_body(request, "SELECT answer_verify(%s::text)::text"))


def _add_answers(app, gateway):
    @app.post("/answer", tags=["answers"], summary="Ground a question, or a model's answer to it: a signed decision", openapi_extra=BODY, responses=ERRORS)
    async def grounded(request: fastapi.Request):
        caller = find_caller(gateway.settings, request)
        body = await read_body(request, gateway.settings.limits)
        text, _ = await while_connected(request, judging.grounded(gateway, caller, body))
        return json_response(text)

    @app.post("/validate", tags=["answers"], summary="Check the citations of an answer against chunks", openapi_extra=BODY, responses=ERRORS)
    async def validate(request: fastapi.Request):
        return json_response(await gateway.ask_about_body(
            request, "SELECT answer_citations_check(body -> 'citations', body -> 'retrieved_chunks', body ->> 'answer')::text"
            " FROM (SELECT %s::jsonb) AS request (body)"))

    def add_debug(name):
        @app.get(f"/debug/{name}", tags=["answers"], summary=f"The {name} of a question; nothing is written", responses=ERRORS)
        async def debug(request: fastapi.Request, q: str, top_k: str | None = None, freshness_days: str | None = None):
            del top_k, freshness_days  # parameters for the OpenAPI description only
            return json_response(await gateway.ask(request, "SELECT answer_debug(%s, %s, %s, %s)::text",
                                                   (name, q, number_of(request, "top_k", None), number_of(request, "freshness_days", None))))

    for name in ("retrieval", "conflicts", "decision"):
        add_debug(name)

    @app.get("/docs", tags=["answers"], summary="The documents that are loaded", responses=ERRORS)
    async def documents(request: fastapi.Request):
        return json_response(await gateway.ask(request, "SELECT coalesce(jsonb_agg(d), '[]')::text FROM answer_documents() AS d"))


def _add_plans(app, gateway):
    async def executed(caller, statement, values):
        """A plan's document, or the steps that wait for the application."""
        return await plans.go_on(gateway, caller, await gateway.database.procedure(caller, statement, values))

    async def finished(caller, statement, values):
        """The Problem of a plan that failed, or None."""
        try:
            await executed(caller, statement, values)
        except Problem as problem:
            LOG.warning("a plan ended with %s", problem.body)
            return problem
        return None

    async def is_known(caller, trace_id):
        with contextlib.suppress(Problem):
            await gateway.database.value(caller, "SELECT answer_trace_verify(%s)::text", (trace_id,))
            return True
        return False

    async def known(caller, trace_id, task):
        """Wait until a plan that was started can be followed, has ended, or PLAN_STARTS is over. The plan goes on in any case."""
        deadline = asyncio.get_running_loop().time() + PLAN_STARTS
        while not task.done() and asyncio.get_running_loop().time() < deadline:
            if await is_known(caller, trace_id):
                return
            await asyncio.wait({task}, timeout=0.05)

    def started(trace_id, plan_id):
        return json_response(json.dumps({"plan_id": plan_id, "trace_id": trace_id, "stream_url": f"/v1/trace/{trace_id}"}), 202,
                             {"Location": f"/v1/trace/{trace_id}"})

    @app.post("/v1/plan/execute", tags=["plans"], summary="Start a plan; with Prefer: wait, its signed document", status_code=202,
              openapi_extra=BODY, responses=ERRORS)
    async def execute(request: fastapi.Request):
        caller = find_caller(gateway.settings, request)
        body = await read_body(request, gateway.settings.limits)
        # This raises for a plan that cannot be executed, and calls no tool.
        rows = await gateway.database.rows(caller, PLAN_IDS, ("t_" + secrets.token_hex(16), body))
        trace_id, plan_id = rows[0][0], rows[0][1] or rows[0][2]
        call = "CALL answer_plan_run(%s::jsonb || jsonb_build_object('trace_id', %s::text), NULL)"
        if re.search(r"(^|[,;\s])wait([,;=\s]|$)", request.headers.get("prefer", "")):
            document = await while_connected(request, executed(caller, call, (body, trace_id)))
            return json_response(document, headers={"Preference-Applied": "wait"})
        # The database refuses a trace id that is in use, but until then the older trace would look like the new one.
        was_known = await is_known(caller, trace_id)
        task = gateway.run(finished(caller, call, (body, trace_id)))
        await (asyncio.wait({task}, timeout=PLAN_STARTS) if was_known else known(caller, trace_id, task))
        if task.done() and task.result() is not None:
            raise task.result()
        return started(trace_id, plan_id)

    @app.post("/v1/plan/{trace_id}/resume", tags=["plans"], summary="Answer the steps for which a plan waits", openapi_extra=BODY, responses=ERRORS)
    async def resume(request: fastapi.Request, trace_id: str):
        caller = find_caller(gateway.settings, request)
        body = await read_body(request, gateway.settings.limits)
        document = await while_connected(request, executed(
            caller, "CALL answer_plan_resume(%s, (%s::jsonb) -> 'results', NULL)", (trace_id, body)))
        return json_response(document)

    @app.get("/v1/trace/{trace_id}", tags=["plans"], summary="The events of a plan: NDJSON, or server-sent events while it runs", responses=ERRORS)
    async def trace(request: fastapi.Request, trace_id: str, after: str | None = None):
        caller, after = find_caller(gateway.settings, request), number_of(request, "after", None)
        if request.headers.get("last-event-id") == stream.END:
            return Response(status_code=204)    # a reader that has everything must not reconnect
        if not wants(request, "text/event-stream", "application/x-ndjson"):
            rows = await while_connected(request, stream.events(gateway.database, caller, trace_id, after))
            # raises if the trace is unknown
            stands, _ = await while_connected(request, stream.state(gateway.database, caller, trace_id))
            return Response("".join(row[1] + "\n" for row in rows), media_type="application/x-ndjson",
                            headers={"Trace-State": stands, "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"})
        last = number_of_header(request, "last-event-id")
        follow = stream.Follow(gateway.database, caller, trace_id, after if last is None else last, gateway.settings.limits.stream_seconds,
                               gateway.stopping)
        await follow.begin()
        return StreamingResponse(follow.lines(), media_type="text/event-stream", headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})

    @app.post("/v1/replay/bundle", tags=["plans"], summary="What a replay of a plan needs, as a tar", openapi_extra=BODY, responses=ERRORS)
    async def bundle(request: fastapi.Request):
        data = await gateway.ask_about_body(request, "SELECT answer_replay_bundle(%s::jsonb ->> 'trace_id')")
        return Response(bytes(data), media_type="application/x-tar", headers={"Content-Disposition": 'attachment; filename="replay.tar"'})


def number_of_header(request, name):
    """An integer in a header, or None."""
    text = request.headers.get(name)
    return int(text) if text is not None and text.isascii() and text.isdigit() and len(text) < 10 else None


def _add_pages(app, gateway):
    @app.get("/health", tags=["gateway"], summary="Is the database there?", responses=ERRORS)
    async def health(request: fastapi.Request):
        rows = await while_connected(request, gateway.database.plain(
            "SELECT extversion FROM pg_catalog.pg_extension WHERE extname = 'answer_eval'"))
        if not rows:
            raise Problem(503, "The extension answer_eval is not in this database.", hint="CREATE EXTENSION answer_eval;")
        return json_response(json.dumps({"status": "ok", "answer_eval": rows[0][0]}))

    @app.get("/openapi", include_in_schema=False)
    async def openapi_page():
        return HTMLResponse(openapi_html(app.openapi()), headers={"Content-Security-Policy": PAGE_POLICY})


def openapi_html(document):
    """The endpoints in a page that loads nothing from other servers."""
    rows = [f"<tr><td><code>{html.escape(method.upper())} {html.escape(path)}</code></td><td>{html.escape(operation.get('summary', ''))}</td></tr>"
            for path, operations in document["paths"].items() for method, operation in operations.items()]
    return ("<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'><title>answer_eval</title>"
            "<style>body{font:16px/1.5 system-ui;margin:2em auto;max-width:60em;padding:0 1em;color-scheme:light dark}td{padding:.2em 1em .2em 0}</style>"
            f"<h1>answer_eval over HTTP</h1><table>{''.join(rows)}</table><p>For programs: <a href=/openapi.json>/openapi.json</a></html>")


def create_app(settings):
    """The application, for any ASGI server."""
    gateway = Gateway(settings)

    @contextlib.asynccontextmanager
    async def lifespan(_):
        await gateway.database.pool.open()
        try:
            yield
        finally:
            await gateway.close()

    app = fastapi.FastAPI(title="answer_eval", version="1", docs_url=None, redoc_url=None, openapi_url="/openapi.json")
    app.router.lifespan_context = lifespan
    app.state.gateway = gateway

    @app.exception_handler(Problem)
    async def of_problem(_, problem):
        return problem.response()

    @app.exception_handler(HTTPException)
    async def of_http(_, error):
        return Problem(error.status_code, f"{error.detail}.", headers=error.headers).response()

    @app.exception_handler(fastapi.exceptions.RequestValidationError)
    async def of_validation(_, error):
        first = error.errors()[0]
        return Problem(400, f"{'.'.join(str(step) for step in first['loc'][1:])}: {first['msg']}.").response()

    @app.exception_handler(Exception)
    async def of_anything(_, error):
        LOG.error("unexpected", exc_info=error)
        return Problem(500, "The gateway has failed; its log says why.").response()

    for add in (_add_facts, _add_answers, _add_plans, _add_pages):
        add(app, gateway)
    mcp.add(app, gateway, read_body, while_connected)
    return app
