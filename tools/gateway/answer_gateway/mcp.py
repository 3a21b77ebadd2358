"""The Model Context Protocol over streamable HTTP, for agents that check their assertions.

POST /mcp takes one JSON-RPC message and answers with JSON. There is no session: the caller is found for each
request, as everywhere. A refusal by the database is a result with isError, not an error of the protocol, so that
the model reads SQLSTATE, message and hint and can correct its request."""
import json

import fastapi
from starlette.responses import Response

from . import judging
from .caller import find_caller
from .problem import Problem

VERSIONS = ("2025-06-18",)
TEXT = {"type": "string"}


def _object(required, **properties):
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


# name: description, schema of the arguments, SQL statement. Its first column is the document, its second a sentence about it.
TOOLS = {
    "answer": ("Answer a question from registered tools and tables: a signed receipt, or a signed refusal with what can be asked.",
               _object(["question"], question={"type": "string", "description": "a question in English"}),
               "SELECT r::text, answer_summary(r) FROM (SELECT %s::jsonb #> '{params,arguments}') AS a (args), answer_eval(jsonb_build_object('question', args -> 'question')) AS r"),
    "ground": ("Decide whether the loaded documents support an answer: ANSWER, ANSWER_WITH_CAVEATS, ABSTAIN, CLARIFY or BLOCK, signed."
               " Without an answer, the documents are quoted.",
               _object(["question"], question=TEXT, answer={"type": "string", "description": "what is going to be said"},
                       citations={"type": "array", "items": TEXT, "description": "chunk_id of each source, as retrieve names them"},
                       retrieval_id={"type": "string", "description": "of retrieve, to be judged by those very chunks"}),
               None),   # judging.py asks
    "check": ("Check assertions against evidence: each check names a tool, arguments and what is expected. A signed receipt.",
              _object(["checks"], checks={"type": "array", "items": {"type": "object"}, "minItems": 1,
                                          "description": 'such as {"tool": "...", "args": {}, "expect": {"op": "eq", "value": 7}}'}),
              "SELECT r::text, answer_summary(r) FROM (SELECT %s::jsonb #> '{params,arguments}') AS a (args), answer_eval(args) AS r"),
    "verify": ("Verify a receipt by the keys of this database.",
               _object(["receipt"], receipt={"type": "object"}),
               "SELECT r::text, concat(coalesce(r ->> 'reason', r ->> 'ok'), ', incomplete: ' || (r ->> 'incomplete')) FROM (SELECT %s::jsonb #> '{params,arguments}') AS a (args), answer_verify(args -> 'receipt') AS r"),
    "retrieve": ("Find passages for a question before a model writes an answer.",
                 _object(["question"], question=TEXT, top_k={"type": "integer", "minimum": 1, "maximum": 50}),
                 "SELECT r::text, jsonb_array_length(r #> '{retrieval,chunks}') || ' passages'"
                 " FROM (SELECT %s::jsonb #> '{params,arguments}') AS a (args), answer_retrieve(args ->> 'question', args - 'question' || %s::jsonb) AS r"),
}
READS_ONLY = {"verify"}
ARGUMENTS = ("params", "arguments")


class ProtocolError(Exception):
    """A JSON-RPC error."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


def _tool_list():
    return [{"name": name, "description": what, "inputSchema": schema,
             "annotations": {"readOnlyHint": name in READS_ONLY, "destructiveHint": False, "idempotentHint": name in READS_ONLY, "openWorldHint": False}}
            for name, (what, schema, _) in TOOLS.items()]


def _initialize(parameters):
    asked = parameters.get("protocolVersion")
    return {"protocolVersion": asked if asked in VERSIONS else VERSIONS[0], "capabilities": {"tools": {"listChanged": False}},
            "serverInfo": {"name": "answer_eval", "version": "1"},
            "instructions": "Before you assert what the data should support, call check, or ground for what documents say. What was not judged is said to be so."}


def _arguments_problem(name, arguments):
    """What is wrong with the names or types of a tool's arguments, or None."""
    schema = TOOLS[name][1]
    types = {"string": str, "array": list, "object": dict, "integer": int}
    if not isinstance(arguments, dict):
        return "arguments must be an object"
    for missing in set(schema["required"]) - set(arguments):
        return f'argument "{missing}" is missing'
    for key, value in arguments.items():
        expected = schema["properties"].get(key)
        if expected is None:
            return f'there is no argument "{key}"; there are {", ".join(schema["properties"])}'
        if not isinstance(value, types[expected["type"]]) or isinstance(value, bool):
            return f'argument "{key}" must be of the type {expected["type"]}'
    return None


async def _rows(gateway, caller, name, body):
    """The rows of a tool's statement."""
    if name != "retrieve":
        return await gateway.database.rows(caller, TOOLS[name][2], (body,))
    options = await judging.embedding_of(gateway, body, "question", ARGUMENTS)
    return await gateway.database.rows(caller, TOOLS[name][2], (body, json.dumps(options)))


async def _call(gateway, request, while_connected, body, parameters):
    name, arguments = parameters.get("name"), parameters.get("arguments", {})
    if not isinstance(name, str) or name not in TOOLS:
        raise ProtocolError(-32602, f"there is no tool {name!r}; there are {', '.join(TOOLS)}")
    problem = _arguments_problem(name, arguments)
    if problem:
        raise ProtocolError(-32602, problem)
    caller = find_caller(gateway.settings, request)
    try:
        rows = [await while_connected(request, judging.grounded(gateway, caller, body, "question", ARGUMENTS, "answer_summary(d)"))] if name == "ground" else \
            await while_connected(request, _rows(gateway, caller, name, body))
    except Problem as error:
        if error.status == 499:
            raise
        text = " ".join(str(error.body[key]) for key in ("sqlstate", "detail", "context", "hint") if key in error.body)
        return json.dumps({"content": [{"type": "text", "text": text}], "isError": True, "structuredContent": error.body})
    content = json.dumps([{"type": "text", "text": rows[0][1] or ""}, {"type": "text", "text": rows[0][0]}])
    return f'{{"content": {content}, "isError": false, "structuredContent": {rows[0][0]}}}'


async def _answer(gateway, request, while_connected, body, message):
    """The result of one JSON-RPC request, as text; a document in it stays as the database wrote it."""
    method, parameters = message.get("method"), message.get("params", {})
    if not isinstance(parameters, dict):
        raise ProtocolError(-32602, "params must be an object")
    if method == "initialize":
        return json.dumps(_initialize(parameters))
    if method == "ping":
        return "{}"
    if method == "tools/list":
        return json.dumps({"tools": _tool_list()})
    if method == "tools/call":
        return await _call(gateway, request, while_connected, body, parameters)
    raise ProtocolError(-32601, f"there is no method {method!r}")


def _refuse_constant(text):
    raise ValueError(f"{text} is no JSON")


def _reply(status, number, member, text):
    return Response(f'{{"jsonrpc": "2.0", "id": {json.dumps(number)}, "{member}": {text}}}', status, media_type="application/json")


def _error(status, number, code, message):
    return _reply(status, number, "error", json.dumps({"code": code, "message": message}))


def _is_id(value):
    return isinstance(value, (str, int)) and not isinstance(value, bool)


def add(app, gateway, read_body, while_connected):
    """Add the endpoint to an application."""
    @app.post("/mcp", tags=["gateway"], summary="The Model Context Protocol, for agents")
    async def post(request: fastapi.Request):
        find_caller(gateway.settings, request)
        version = request.headers.get("mcp-protocol-version")
        if version is not None and version not in VERSIONS:
            raise Problem(400, f"The version {version} of the protocol is not known; known are {', '.join(VERSIONS)}.")
        body = await read_body(request, gateway.settings.limits)
        try:
            message = json.loads(body, parse_constant=_refuse_constant)
        except (ValueError, RecursionError):
            return _error(400, None, -32700, "the body is no JSON")
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0" or not isinstance(message.get("method", ""), str):
            return _error(400, None, -32600, "the body is no message of JSON-RPC 2.0")
        if "id" not in message and "method" in message or "method" not in message and ("result" in message or "error" in message):
            return Response(status_code=202)    # a notification, or a response to a request, which we never send
        if "method" not in message or not _is_id(message["id"]):
            return _error(400, None, -32600, "a request has a method, and an id that is a text or a whole number")
        try:
            return _reply(200, message["id"], "result", await _answer(gateway, request, while_connected, body, message))
        except ProtocolError as error:
            return _error(200, message["id"], error.code, str(error))

    @app.get("/mcp", include_in_schema=False)
    @app.delete("/mcp", include_in_schema=False)
    async def no_stream():
        raise Problem(405, "There is no stream and no session.", headers={"Allow": "POST"})
