"""Scripted servers for the gateway's tests: a tool, judges in two formats, a model of embeddings in two formats.

Each remembers the requests, and answers by its mode:

    good        with the right answer
    late        not before its mode changes
    refuses     with 503
    redirects   with a redirect to another address, which has a secret
    anything else is itself the text of the answer"""
import contextlib
import hashlib
import http.server
import json
import threading


def relation(kind, a, b):
    """The true relation of two texts, for the facts of the tests: half a plot costs 45 euros."""
    if kind == "answers":
        return "answers" if "45 euros" in b else "does_not"
    if kind == "conflict":
        return "contradicts" if ("45" in a) != ("45" in b) else "neutral"
    if "rent" not in a:
        return "neutral"
    return "supports" if "45" in a else "contradicts"


def embedding(text, dimensions):
    """A list of numbers that depends only on a text."""
    numbers = []
    while len(numbers) < dimensions:
        numbers += list(hashlib.sha256(f"{len(numbers)} {text}".encode()).digest())
    return [number / 256 + 0.001 for number in numbers[:dimensions]]


class Scripted:
    """One server. Its paths are /tool, /nli, /llm, /tei and /openai, and below each those of its format."""

    def __init__(self):
        self.modes = {}
        self.asked = []
        self.free = threading.Event()
        self.lock = threading.Lock()
        handler = type("Handler", (_Handler,), {"scripted": self})
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def requests(self, path):
        """The bodies of the requests to a path."""
        with self.lock:
            return [body for asked, body, _ in self.asked if asked == path]

    @contextlib.contextmanager
    def acting(self, name, mode):
        """Set a mode for a while."""
        self.modes[name] = mode
        self.free.clear()
        try:
            yield
        finally:
            self.free.set()
            del self.modes[name]

    @contextlib.contextmanager
    def serving(self):
        """Run the server for a while."""
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        try:
            yield self
        finally:
            self.free.set()
            self.server.shutdown()
            self.server.server_close()

    def answer(self, path, body):
        """The right answer."""
        if path == "/tool/spec":
            return {"type": "ToolSpec", "id": "doc.weather", "io": {"input": {"city": {"type": "string", "required": True}, "k": {"type": "integer"}},
                    "output": {"text": {"type": "string", "required": True}, "degrees": "number"}},
                    "constraints": {"latency_p50_ms": 1}}
        if path == "/tool/invoke":
            return {"result": {"text": f"It is warm in {body['args']['city']}.", "degrees": 21.5}}
        if path == "/nli/predict":
            labels = {"supports": "entailment", "contradicts": "contradiction", "neutral": "neutral"}
            said = []
            for premise, hypothesis in body["inputs"]:
                kind = "entailment" if "\n" in premise and "rent" in hypothesis and "\n" not in hypothesis else "conflict"
                said.append([{"label": "other", "score": 0.01}, {"label": labels[relation(kind, hypothesis, premise)].upper(), "score": 0.93}])
            for one in said:
                one[0]["label"] = "neutral"
            return said
        if path == "/llm/v1/chat/completions":
            kinds = body["response_format"]["json_schema"]["schema"]["properties"]["judgements"]["items"]["properties"]["relation"]["enum"]
            kind = "answers" if "answers" in kinds else "entailment" if "supports" in kinds else "conflict"
            pairs = json.loads(body["messages"][1]["content"])["pairs"]
            said = {"judgements": [{"id": p["id"], "relation": relation(kind, p["a"], p["b"]), "score": 0.95} for p in pairs]}
            return {"choices": [{"finish_reason": "stop", "message": {"role": "assistant", "content": json.dumps(said)}}]}
        if path == "/tei/embed":
            return [embedding(text, 8) for text in body["inputs"]]
        if path == "/openai/v1/embeddings":
            return {"data": [{"index": i, "embedding": embedding(text, 8)} for i, text in reversed(list(enumerate(body["input"])))]}
        return None


class _Handler(http.server.BaseHTTPRequestHandler):
    """One request."""

    protocol_version = "HTTP/1.1"
    scripted = None

    def log_message(self, format, *args):   # pylint: disable=redefined-builtin
        """Log nothing."""

    def _send(self, status, data, **headers):
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", "Content-Length": str(len(data)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def _serve(self):
        text = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        body = json.loads(text) if text else None
        with self.scripted.lock:
            self.scripted.asked.append((self.path, body, self.headers.get("Authorization")))
        mode = self.scripted.modes.get(self.path.split("/")[1], "good")
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            if mode == "late":
                self.scripted.free.wait(60)
                mode = "good"
            if callable(mode):
                self._send(200, json.dumps(mode(self.path, body)).encode())
            elif mode == "good":
                answer = self.scripted.answer(self.path, body)
                self._send(404 if answer is None else 200, json.dumps(answer).encode())
            elif mode == "refuses":
                self._send(503, b"{}")
            elif mode == "redirects":
                self._send(307, b"", Location="/secret")
            else:
                self._send(200, mode.encode("latin-1"))

    do_GET = do_POST = _serve
