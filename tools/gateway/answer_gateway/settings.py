"""What the operator has configured: a TOML file. A key that is not known is an error, not a surprise later.

    dsn = "host=/run/postgresql dbname=app user=answer_gateway"

    [limits]
    body_bytes = 10485760
    statement_ms = 10000

    sites = ["desk.example"]         # whose pages may ask, by the Origin that browsers send; left out: this machine's

    [[caller]]                       # who sends this token works as this role, for this tenant
    token_sha256 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
    role = "help_desk"
    tenant = "acme"

    [header]                         # a proxy that is trusted says who asks
    name = "X-Remote-User"
    [header.role]
    alice = "help_desk"

    [anonymous]                      # anybody else; without it, nobody else
    role = "answer_public"
"""
import dataclasses
import re
import tomllib


class SettingsError(Exception):
    """What is wrong with the file, in a sentence."""


@dataclasses.dataclass(frozen=True)
class Caller:
    """For whom a transaction works."""

    role: str
    tenant: str = ""


@dataclasses.dataclass(frozen=True)
class Limits:
    """What one request may take."""

    body_bytes: int = 10 * 1024 * 1024
    body_seconds: float = 30.0
    statement_ms: int = 30_000
    plan_ms: int = 120_000
    connections: int = 10
    waiting: int = 500
    waiting_seconds: float = 10.0
    stream_seconds: float = 3600.0


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


def settings_of(document):
    """Settings of what a TOML file has; raises SettingsError."""
    _known(document, "the file", {"dsn", "limits", "caller", "header", "anonymous", "sites"})
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
    return Settings(document["dsn"], _limits(document.get("limits", {})), tokens, header, by_header, anonymous, tuple(sites))


def read_settings(path):
    """Settings of a file; raises SettingsError."""
    try:
        with open(path, "rb") as file:
            return settings_of(tomllib.load(file))
    except OSError as error:
        raise SettingsError(f"{path} cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} is no TOML: {error}") from error
