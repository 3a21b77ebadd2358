"""Reads the operator's settings, a TOML file. An unknown key is an error.

    dsn = "host=/run/postgresql dbname=app user=answer_gateway"
    sites = ["desk.example"]         # hosts by which the gateway is called and whose pages may call it; default: this machine

    [limits]
    body_bytes = 10485760
    statement_ms = 10000

    [[caller]]                       # requests with this token get this role and tenant
    token_sha256 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
    role = "help_desk"
    tenant = "acme"

    [header]                         # a header in which a trusted proxy names the caller
    name = "X-Remote-User"
    [header.role]
    alice = "help_desk"

    [anonymous]                      # everybody else; without it they are refused
    role = "answer_public"

    [[tool]]                         # registered with "external": true; GET url/spec, POST url/invoke
    name = "weather"
    url = "http://127.0.0.1:9000"

    [[judge]]                        # registered with this role, whose members store its judgements
    name = "nli"
    role = "answer_nli"
    format = "text-embeddings-inference"
    url = "http://127.0.0.1:8080"

    [embeddings]                     # for questions; the worker also embeds chunks
    format = "openai"
    url = "http://127.0.0.1:8081"
    model = "name"
    dimensions = 512
    role = "answer_embedder"

    [worker]
    tenants = ["acme"]               # default: those of the callers

Only this file names the servers to call; a request never does."""
import dataclasses
import os
import re
import tomllib
import urllib.parse


class SettingsError(Exception):
    """The file is wrong; the text says how."""


@dataclasses.dataclass(frozen=True)
class Caller:
    """The role and tenant of a transaction."""

    role: str
    tenant: str = ""


@dataclasses.dataclass(frozen=True)
class Limits:
    """Limits on requests and connections."""

    body_bytes: int = 10 * 1024 * 1024
    body_seconds: float = 30.0
    statement_ms: int = 30_000
    plan_ms: int = 120_000
    connections: int = 10
    waiting: int = 500
    waiting_seconds: float = 10.0
    stream_seconds: float = 3600.0
    judging_seconds: float = 20.0


FORMATS = ("openai", "text-embeddings-inference")
RELATIONS = {"entailment": ("supports", "contradicts", "neutral", "no_claim"), "answers": ("answers", "does_not"),
             "conflict": ("contradicts", "neutral")}
# The class names of models of natural language inference. For a conflict of passages, entailment counts as neutral.
LABELS = {"entailment": {"entailment": "supports", "contradiction": "contradicts", "neutral": "neutral"},
          "conflict": {"entailment": "neutral", "contradiction": "contradicts", "neutral": "neutral"}}


@dataclasses.dataclass(frozen=True)
class Adapter:
    """A server to call: a tool, a judge, or a model of embeddings."""

    name: str
    url: str
    seconds: float
    parallel: int
    token: str = dataclasses.field(default="", repr=False)
    role: str = ""
    format: str = ""
    model: str = ""
    labels: dict = dataclasses.field(default_factory=dict)
    dimensions: int = 0
    batch: int = 0


@dataclasses.dataclass(frozen=True)
class Settings:
    """The whole file."""

    dsn: str
    limits: Limits
    tokens: dict
    header: str
    by_header: dict
    anonymous: Caller | None
    sites: tuple
    tools: dict
    judges: dict
    embeddings: Adapter | None
    tenants: tuple
    idle_seconds: float


def _require(condition, sentence):
    if not condition:
        raise SettingsError(sentence)


def _known(table, where, names):
    _require(isinstance(table, dict), f"{where} must be a table")
    for name in table:
        _require(name in names, f'{where} has no key "{name}"; it has {", ".join(sorted(names))}')


def _caller(table, where):
    role, tenant = table.get("role"), table.get("tenant", "")
    _require(isinstance(role, str) and role, f"{where} needs the name of a role in role")
    _require(isinstance(tenant, str), f"tenant of {where} must be a text")
    return Caller(role, tenant)


def _limits(table):
    known = {field.name: field for field in dataclasses.fields(Limits)}
    _known(table, "[limits]", known)
    for name, value in table.items():
        whole = isinstance(known[name].default, int)
        _require(isinstance(value, int if whole else (int, float)) and not isinstance(value, bool) and 0 < value < 2**31,
                 f"{name} of [limits] is {value!r}; it must be a {'whole ' if whole else ''}number above 0 and below 2147483648")
    return Limits(**{name: type(known[name].default)(value) for name, value in table.items()})


def _tokens(tables):
    _require(isinstance(tables, list), "caller must be an array of tables: [[caller]]")
    tokens = {}
    for number, table in enumerate(tables, 1):
        where = f"[[caller]] number {number}"
        _known(table, where, {"token_sha256", "role", "tenant"})
        digest = table.get("token_sha256")
        _require(isinstance(digest, str) and re.fullmatch("[0-9a-f]{64}", digest),
                 f"{where} needs token_sha256, the SHA-256 of the token in 64 hex digits, so that the file has no secret")
        _require(digest not in tokens, f"{where} has the token of another one")
        tokens[digest] = _caller(table, where)
    return tokens


def _by_header(table):
    _known(table, "[header]", {"name", "role", "tenant"})
    name, roles, tenants = table.get("name"), table.get("role", {}), table.get("tenant", {})
    _require(isinstance(name, str) and re.fullmatch("[A-Za-z0-9-]+", name), "[header] needs the name of a header in name")
    _require(isinstance(roles, dict) and roles, "[header.role] must say which role each value of the header has")
    _require(isinstance(tenants, dict) and set(tenants) <= set(roles), "[header.tenant] has a value that [header.role] does not have")
    return name, {value: _caller({"role": role, "tenant": tenants.get(value, "")}, f"[header] for {value}")
                  for value, role in roles.items()}


def _number(table, where, name, default, whole=True, most=2**31 - 1):
    value = table.get(name, default)
    _require(isinstance(value, int if whole else (int, float)) and not isinstance(value, bool) and 0 < value <= most,
             f"{name} of {where} is {value!r}; it must be a {'whole ' if whole else ''}number above 0 and at most {most}")
    return value


def _text(table, where, name, default=None):
    value = table.get(name, default)
    _require(isinstance(value, str) and (value or default == ""), f"{where} needs a text in {name}")
    return value


def _url(table, where):
    url = _text(table, where, "url").rstrip("/")
    try:
        parts = urllib.parse.urlsplit(url)
        good = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0 and "@" not in parts.netloc and not (parts.query or parts.fragment)
    except ValueError:
        good = False
    _require(good and re.fullmatch("[!-~]+", url), f"url of {where} is {url!r}; it must be http:// or https://, a host, perhaps a port and a path, and no more")
    return url


def _token(table, where):
    """The token to send, from a file or an environment variable, so that the settings hold no secret."""
    _require(not ("token_file" in table and "token_env" in table), f"{where} has both token_file and token_env")
    if "token_env" in table:
        token = os.environ.get(_text(table, where, "token_env"), "")
        _require(token, f"{where}: the environment has no variable {table['token_env']}")
    elif "token_file" in table:
        try:
            with open(_text(table, where, "token_file"), encoding="ascii") as file:
                token = file.read().strip()
        except (OSError, UnicodeDecodeError) as error:
            raise SettingsError(f"{where}: token_file cannot be read: {error}") from error
    else:
        return ""
    _require(re.fullmatch("[!-~]+", token), f"{where}: a token has printable characters of ASCII, and no blank")
    return token


COMMON = {"url", "seconds", "parallel", "token_file", "token_env"}


def _adapter(table, where, name, **more):
    return Adapter(name, _url(table, where), float(_number(table, where, "seconds", 10.0, False, 3600)), _number(table, where, "parallel", 4, True, 100),
                   _token(table, where), **more)


def _by_name(tables, kind, make):
    _require(isinstance(tables, list), f"{kind} must be an array of tables: [[{kind}]]")
    found = {}
    for number, table in enumerate(tables, 1):
        adapter = make(table, f"[[{kind}]] number {number}")
        _require(adapter.name not in found, f'two tables [[{kind}]] have the name "{adapter.name}"')
        found[adapter.name] = adapter
    return found


def _tool(table, where):
    _known(table, where, COMMON | {"name"})
    return _adapter(table, where, _text(table, where, "name"))


def _format(table, where):
    chosen = _text(table, where, "format")
    _require(chosen in FORMATS, f'format of {where} is "{chosen}"; it must be {" or ".join(FORMATS)}')
    model = _text(table, where, "model", "")
    _require(model or chosen != "openai", f"{where} needs the name of a model in model")
    return {"format": chosen, "model": model, "role": _text(table, where, "role")}


def _labels(table, where):
    """{kind: {label of a classifier: relation}}."""
    labels = dict(LABELS)
    given = table.get("labels", {})
    _known(given, f"labels of {where}", RELATIONS)
    for kind, names in given.items():
        _require(isinstance(names, dict) and names, f"labels.{kind} of {where} must say which relation each label is")
        for label, relation in names.items():
            _require(relation in RELATIONS[kind], f'labels.{kind} of {where}: {label} is "{relation}"; it must be {", ".join(RELATIONS[kind])}')
        labels[kind] = {label.lower(): relation for label, relation in names.items()}
    return labels


def _judge(table, where):
    _known(table, where, COMMON | {"name", "format", "model", "role", "labels"})
    how = _format(table, where)
    _require(how["format"] != "openai" or "labels" not in table, f"{where}: a language model says relations, it has no labels")
    return _adapter(table, where, _text(table, where, "name"), labels=_labels(table, where), **how)


def _embeddings(table):
    where = "[embeddings]"
    _known(table, where, COMMON | {"format", "model", "role", "dimensions", "batch"})
    _require("dimensions" in table, f"{where} needs dimensions, how many numbers the model gives")
    return _adapter(table, where, "embeddings", dimensions=_number(table, where, "dimensions", 0, True, 16000),
                    batch=_number(table, where, "batch", 32, True, 1000), **_format(table, where))


def settings_of(document):
    """The Settings in a parsed TOML file; raises SettingsError."""
    _known(document, "the file", {"dsn", "limits", "caller", "header", "anonymous", "sites", "tool", "judge", "embeddings", "worker"})
    _require(isinstance(document.get("dsn"), str), "the file needs dsn, a connection string of PostgreSQL")
    header, by_header = _by_header(document["header"]) if "header" in document else ("", {})
    anonymous = None
    if "anonymous" in document:
        _known(document["anonymous"], "[anonymous]", {"role", "tenant"})
        anonymous = _caller(document["anonymous"], "[anonymous]")
    tokens = _tokens(document.get("caller", []))
    _require(tokens or by_header or anonymous, "nobody may ask: configure [[caller]], [header] or [anonymous]")
    sites = document.get("sites", ["localhost", "127.0.0.1", "::1"])
    _require(isinstance(sites, list) and all(isinstance(site, str) for site in sites), "sites must be an array of names of hosts")
    worker = document.get("worker", {})
    _known(worker, "[worker]", {"tenants", "idle_seconds"})
    callers = [*tokens.values(), *by_header.values(), *([anonymous] if anonymous else [])]
    tenants = worker.get("tenants", sorted({caller.tenant for caller in callers}))
    _require(isinstance(tenants, list) and all(isinstance(tenant, str) for tenant in tenants), "tenants of [worker] must be an array of names")
    return Settings(document["dsn"], _limits(document.get("limits", {})), tokens, header, by_header, anonymous, tuple(site.lower() for site in sites),
                    _by_name(document.get("tool", []), "tool", _tool), _by_name(document.get("judge", []), "judge", _judge),
                    _embeddings(document["embeddings"]) if "embeddings" in document else None, tuple(tenants),
                    float(_number(worker, "[worker]", "idle_seconds", 5.0, False, 86400)))


def read_settings(path):
    """The Settings in a file; raises SettingsError."""
    try:
        with open(path, "rb") as file:
            return settings_of(tomllib.load(file))
    except OSError as error:
        raise SettingsError(f"{path} cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} is no TOML: {error}") from error
