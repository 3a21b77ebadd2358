"""Makes valid artefacts on the server under test: receipts of several shapes, anchored ones with tokens of local
time-stamping authorities (the openssl command), a log with checkpoints, cosignatures and proofs, keys in every form.

setup() fills the schema fuzz (setup.sql) and returns an Artefacts. The tables have what SQL needs; the object has what
the judge needs to tell whether an altered artefact is still the same.
"""
import base64
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "oracle"))
import plan                                     # pylint: disable=wrong-import-position

REQUESTS = (
    {"checks": [{"tool": "postgres_server", "expect": [{"op": "semver_gte", "value": "9"},
                 {"path": "uptime_s", "op": "abs_within", "value": {"value": 1, "tol": 1e9}}]}, {"tool": "none"},
                {"tool": "supplied", "required": False, "expect": {"op": "contains", "value": "\u00e9"}}],
     "evidence": [{"fact": "supplied", "value": "caf\u00e9", "timestamp": "2026-01-01T00:00:00Z"}]},
    {"checks": [{"tool": "a", "expect": {"op": "eq", "value": 3.10}}, {"tool": "a", "expect": {"op": "between", "value": [1, 2]}},
                {"tool": "b", "expect": [{"path": "x.0.y", "op": "in", "value": ["1", 2, None]}]}],
     "evidence": [{"fact": "a", "value": 3.1}, {"fact": "a", "value": 4},
                  {"fact": "b", "value": {"x": [{"y": "\U0001f600"}]}}]},
    {"checks": [{"tool": "none", "expect": {"op": "exists"}}]},
    {"checks": [{"tool": "s", "expect": {"op": "ne", "value": n}} for n in range(24)], "evidence": [{"fact": "s", "value": 7}]},
)
# a valid public key, from common test vectors
PUBLIC_KEYS = [
    "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n-----END PUBLIC KEY-----\n",
    '{"kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo", "use": "sig", "alg": "EdDSA"}',
    "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
    "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo=",
]
CONF = """
[req]
distinguished_name = name
[name]
[root]
basicConstraints = critical, CA:true
keyUsage = critical, keyCertSign
[stamping]
basicConstraints = critical, CA:false
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, timeStamping
[tsa]
default_tsa = plain
[plain]
serial = serial
default_policy = 1.2.3.4.1
digests = sha256
signer_digest = sha256
accuracy = secs:1, millisecs:500, microsecs:100
ordering = yes
tsa_name = yes
ess_cert_id_alg = sha256
[old]
serial = serial
default_policy = 2.999.1
digests = sha256
signer_digest = sha512
ess_cert_id_alg = sha1
ess_cert_id_chain = yes
"""


class Artefacts:
    """The seeds, and the data to compare altered ones with."""

    def __init__(self):
        self.seeds = {}         # check: [(n, input)]
        self.receipts = []      # texts
        self.tokens = []        # DER
        self.notes = []         # checkpoints, ours and the other log's
        self.vkeys = []
        self.proofs = []
        self.roots = []         # PEM
        self.keys = {}
        self.registry = []
        self.public_keys = PUBLIC_KEYS
        self.data_directory = None
        self.key_id = None

    def add(self, check, n, text):
        self.seeds.setdefault(check, []).append((n, text))


def literal(value):
    return "'" + value.replace("'", "''") + "'" if isinstance(value, str) else "NULL" if value is None else str(value)


def script(sql, database=None):
    """Run a script with psql; returns its last line, which is JSON."""
    done = subprocess.run(["psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", *(["-d", database] if database else [])],
                          input=sql.encode(), capture_output=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.decode())
    lines = done.stdout.decode().strip().splitlines()
    return json.loads(lines[-1]) if lines else None


def mint(requests, seal_after):
    """SQL that mints receipts and seals after some of them. In a new database the log begins with the record of its key."""
    out = []
    for i, request in enumerate(requests):
        out.append("SELECT 1 FROM answer_eval(%s);" % literal(json.dumps(request)))
        if i + 1 in seal_after:
            out.append("SELECT 1 FROM answer_log_seal();")
    return "\n".join(out)


def stamp(directory, query, section, signer, chain):
    """A time-stamping authority's response to a query, and the token in it."""
    def openssl(*args):
        subprocess.run(["openssl", *args], cwd=directory, check=True, capture_output=True)

    def data(name):
        with open(os.path.join(directory, name), "rb") as file:
            return file.read()

    with open(os.path.join(directory, "query"), "wb") as file:
        file.write(query)
    openssl("ts", "-reply", "-config", "conf", "-section", section, "-queryfile", "query", "-signer", signer + ".pem", "-inkey",
            signer + ".key", *(["-chain", "root.pem"] if chain else []), "-out", "response")
    openssl("ts", "-reply", "-config", "conf", "-in", "response", "-token_out", "-out", "token")
    return data("response"), data("token")


def authorities(directory):
    """A root, and an authority with a key on a curve and one with RSA; returns the certificates."""
    def openssl(*args):
        subprocess.run(["openssl", *args], cwd=directory, check=True, capture_output=True)

    with open(os.path.join(directory, "conf"), "w", encoding="ascii") as file:
        file.write(CONF)
    with open(os.path.join(directory, "serial"), "w", encoding="ascii") as file:
        file.write("01\n")
    for name in ("root", "curve"):
        openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", name + ".key")
    openssl("genrsa", "-out", "rsa.key", "2048")
    openssl("req", "-x509", "-new", "-config", "conf", "-extensions", "root", "-subj", "/CN=Root", "-days", "3650",
            "-key", "root.key", "-out", "root.pem")
    for name in ("curve", "rsa"):
        openssl("req", "-new", "-config", "conf", "-subj", "/O=Test/CN=" + name, "-key", name + ".key", "-out", name + ".csr")
        openssl("x509", "-req", "-in", name + ".csr", "-CA", "root.pem", "-CAkey", "root.key", "-CAcreateserial", "-days",
                "3650", "-extfile", "conf", "-extensions", "stamping", "-out", name + ".pem")
    pems = []
    for name in ("root", "curve", "rsa"):
        with open(os.path.join(directory, name + ".pem"), encoding="ascii") as file:
            pems.append(file.read())
    return pems


def make_receipts(found):
    """Mint, seal and forget; bases 0 to 3 are receipts, 4 is a tombstone, 5 the record of the key."""
    made = script(mint(REQUESTS * 3, (1, 2, 3, 5, 8, 12)) + """
        INSERT INTO fuzz.base (n, receipt, receipt_id, digest, imprint)
            SELECT row_number() OVER (ORDER BY issued_at) - 1, body, receipt_id, answer_digest(body),
                substr(answer_digest(body), 8) FROM answer.receipt WHERE schema = 'answer/v1' ORDER BY issued_at LIMIT 5;
        INSERT INTO fuzz.base (n, receipt, receipt_id, digest, imprint)
            SELECT 5, body, receipt_id, answer_digest(body), substr(answer_digest(body), 8)
                FROM answer.receipt WHERE schema = 'change/v1' ORDER BY issued_at LIMIT 1;
        SELECT 1 FROM answer_forget((SELECT receipt_id FROM fuzz.base WHERE n = 4), 'asked to');
        UPDATE fuzz.base SET receipt = (SELECT body FROM answer.receipt r WHERE r.receipt_id = base.receipt_id) WHERE n = 4;
        UPDATE fuzz.base SET digest = receipt ->> 'digest', imprint = substr(receipt ->> 'digest', 8) WHERE n = 4;
        INSERT INTO fuzz.context (keys, registry, vkeys, fact, checks) SELECT answer_keys(), answer_key_registry(),
            ARRAY[answer_log_vkey()],
            (SELECT value FROM jsonb_each((SELECT receipt -> 'evidence_index' FROM fuzz.base WHERE n = 0)) LIMIT 1),
            '{"tool": "t", "expect": [{"path": "version", "op": "semver_gte", "value": "15"}, {"op": "between",
              "path": "uptime_s", "value": [0, "1e9"]}, {"op": "fresh_within_s", "value": 60.5}]}';
        SELECT json_build_object('receipts', (SELECT json_agg(receipt::text ORDER BY n) FROM fuzz.base),
            'ids', (SELECT json_agg(receipt_id ORDER BY n) FROM fuzz.base),
            'digests', (SELECT json_agg(digest ORDER BY n) FROM fuzz.base),
            'keys', keys, 'registry', registry, 'fact', fact::text, 'checks', checks::text, 'table', answer_route_table()::text,
            'directory', current_setting('data_directory') || '/answer_eval_keys/' || (SELECT folder FROM answer.signing_key WHERE status = 'active'))
            FROM fuzz.context;""")
    found.receipts = made["receipts"]
    found.ids, found.digests = made["ids"], made["digests"]
    found.keys, found.registry = made["keys"], made["registry"]
    found.key_directory = made["directory"]
    found.key_id = next(k["key_id"] for k in made["registry"] if k["status"] == "active")
    for n, text in enumerate(found.receipts):
        for check in ("receipt", "receipt_jsonb") + (("replay",) if n < 4 else ()):
            found.add(check, n, text)
    for n in (0, 1):
        found.add("keys", n, json.dumps(found.keys))
        found.add("keys", n, json.dumps(found.registry))
    for n in (0, 4):
        found.add("forget", n, found.ids[n])
        found.add("forget", n, made["digests"][n])
        found.add("dsse", n, found.ids[n])
    found.add("reason", 0, "asked to")
    for check, text in (("canonical", found.receipts[0]), ("canonical", made["fact"]), ("digest", made["fact"]),
                        ("portable", '[14.0, 1e2, 0.1234567890123456, 1e-5]'), ("check", made["checks"]),
                        ("fact", made["fact"]), ("validate", json.dumps(REQUESTS[1])),
                        ("confidence", json.dumps(json.loads(made["fact"])["verification"])),
                        ("path", "results.0.latest"), ("path", "a.b.c.d.e.f.g.h"), ("operator", '"3.10"'), ("operator", "14.0"),
                        ("operator", '[1, "a"]'), ("operator", '{"value": 1, "tol": 2}')):
        found.add(check, 0, text)
    make_questions(found, json.loads(made["table"]))


def make_questions(found, table):
    """Questions, and the shipped table of routes."""
    for text in ("Is the setting fsync on? This server is at least version 15.2.", 'What is "x y" \u00abset\u00bb to?',
                 "Is this database smaller than 1000 bytes\u2026 What is fsync set to\uff1f", "the setting a\u200bb is 1e400"):
        found.add("question", 0, text)
        found.add("ask", 0, text)
    found.add("table", 0, json.dumps(table))
    found.add("table", 0, json.dumps({**table, "routes": table["routes"][5:8]}))
    for pattern in [route["pattern"] for route in table["routes"]] + ['{a:words} [x {b:number}] ({c:date}|{d:text} "y\\[z")']:
        found.add("pattern", 0, pattern)
    for route in table["routes"]:
        found.add("route", 0, json.dumps(route))


def make_tokens(found):
    """Anchors; the bases from 10 on are receipts with a token, which is the base's note."""
    if shutil.which("openssl") is None:
        return
    with tempfile.TemporaryDirectory() as directory:
        root, curve, rsa = authorities(directory)
        found.roots = [root + rsa + curve, root]
        plans = (("plain", "curve", 0, False, True), ("old", "rsa", 1, True, True), ("old", "curve", 4, False, True),
                 ("plain", "rsa", 2, False, False))
        for at, (section, signer, n, chain, embedded) in enumerate(plans):
            if embedded:
                query = script("SELECT to_json(encode(answer_anchor_request(%s), 'hex'));" % literal(found.ids[n]))
                query = bytes.fromhex(query)
            else:               # no certificate, no nonce
                imprint = script("SELECT to_json(imprint) FROM fuzz.base WHERE n = %d;" % n)
                query = subprocess.run(["openssl", "ts", "-query", "-digest", imprint, "-sha256", "-no_nonce"],
                                       check=True, capture_output=True).stdout
            response, token = stamp(directory, query, section, signer, chain)
            found.tokens.append(token)
            base = 10 + at
            text = base64.b64encode(token).decode()
            # in vkey, what it is verified with
            script("INSERT INTO fuzz.base (n, receipt, receipt_id, digest, imprint, note, vkey)"
                   " SELECT %d, receipt, receipt_id, digest, imprint, %s, %s FROM fuzz.base WHERE n = %d;"
                   % (base, literal(text), literal(root if embedded else root + rsa + curve), n))
            found.add("token", base, token.hex())
            found.add("response", base, response.hex())
            found.add("response", base, token.hex())
            for roots in (root + rsa + curve, root + rsa, root + curve, "a comment\n" + root):
                found.add("roots", base, roots)
            anchored = script("SELECT to_json((receipt || jsonb_build_object('anchor', answer.anchor(decode(%s, 'base64'),"
                              " decode(imprint, 'hex'), '2026-01-01Z')))::text) FROM fuzz.base WHERE n = %d;" % (literal(text), base))
            if n == 4:          # a tombstone's signature covers all that is in it
                continue
            found.receipts.append(anchored)
            for check in ("receipt", "receipt_jsonb", "anchor"):
                found.add(check, base, anchored)
        script("UPDATE fuzz.context SET roots = %s;" % literal(root + rsa + curve))
    for text in ("0x7fffffffffffffff", "-12345678901234567890"):
        found.add("nonce", 0, text)
    for text in ("1.2.3.4.1", "2.999.123456789012345678901234567890"):
        found.add("policy", 0, text)


def make_log(found, other):
    """Checkpoints, cosignatures and proofs of this log and of another one, in a database of its own."""
    # the two databases are witnesses of each other
    mine = script("SELECT json_build_object('vkey', answer_log_vkey(), 'witness', answer_witness_vkey(),"
                  " 'notes', (SELECT json_agg(answer_checkpoint(tree_size)) FROM answer.checkpoint), 'last', answer_checkpoint());")
    theirs = script("""
        SELECT 1 FROM answer_witness_trust(%s);
        SELECT json_build_object('vkey', answer_log_vkey(), 'witness', answer_witness_vkey(),
            'notes', (SELECT json_agg(answer_checkpoint(tree_size)) FROM answer.checkpoint), 'requests',
            (SELECT json_agg(answer_checkpoint_request(n)) FROM unnest('{0,3,6,8}'::bigint[]) n),
            'line', answer_checkpoint_cosign(%s));""" % (literal(mine["vkey"]), literal(mine["last"])), other)
    sizes = script("""
        SELECT 1 FROM answer_witness_trust(%s);
        SELECT 1 FROM answer_checkpoint_cosign(%s);
        SELECT 1 FROM answer_cosignature_add((SELECT max(tree_size) FROM answer.checkpoint), %s, %s);
        UPDATE fuzz.context SET vkeys = ARRAY[%s, %s, %s];
        INSERT INTO fuzz.base (n, tree_size, vkey) SELECT 20, max(tree_size), %s FROM answer.checkpoint;
        SELECT json_build_object('last', answer_checkpoint(), 'vkey', answer_log_vkey());"""
                   % (literal(theirs["vkey"]), literal(sorted(theirs["notes"], key=lambda n: int(n.split("\n")[1]))[1]),
                      literal(theirs["line"]), literal(theirs["witness"]),
                      literal(mine["vkey"]), literal(theirs["witness"]), literal(theirs["vkey"]), literal(theirs["witness"])))
    found.vkeys = [mine["vkey"], theirs["witness"], theirs["vkey"], mine["witness"]]
    found.notes = mine["notes"] + [sizes["last"]] + theirs["notes"]
    for text in [sizes["last"]] + mine["notes"][:2] + theirs["notes"][:2]:
        found.add("checkpoint", 20, text)
        found.add("compare", 20, text)
    for text in found.vkeys:
        found.add("vkey", 20, text)
        found.add("trust", 20, text)
    script("UPDATE fuzz.base SET note = %s WHERE n = 20;" % literal(sizes["last"]))
    for text in theirs["requests"] + theirs["notes"]:
        found.add("cosign", 20, text)
    found.line = theirs["line"]
    found.add("cosignature", 20, theirs["line"])
    proofs = script("""SELECT json_build_object('inclusion', (SELECT json_agg(json_build_array(b.n, answer_log_inclusion(b.receipt_id, s)))
            FROM fuzz.base b, unnest('{6,9,13}'::bigint[]) s WHERE b.n <= 5),
        'consistency', (SELECT json_agg(json_build_array(20, answer_log_consistency(f, t)))
            FROM unnest('{2,4,6,8,13}'::bigint[]) f, unnest('{9,12,13}'::bigint[]) t WHERE f <= t));""")
    for n, proof in proofs["inclusion"] + proofs["consistency"]:
        found.proofs.append(json.dumps(proof))
        found.add("proof", n, json.dumps(proof, ensure_ascii=False))


def make_keys(found):
    for text in PUBLIC_KEYS:
        found.add("public_key", 0, text)
    made = subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519"], capture_output=True, check=False)
    if made.returncode == 0:
        public = subprocess.run(["openssl", "pkey", "-pubout"], input=made.stdout, capture_output=True, check=True)
        found.add("public_key", 0, public.stdout.decode())
        found.add("public_key", 0, made.stdout.decode())
    path = os.path.join(found.key_directory, found.key_id + ".pem")
    if os.access(path, os.W_OK):
        with open(path, encoding="ascii") as file:
            found.add("key_file", 0, file.read())


OUTPUTS = (
    "src/a.c:1:struct Engine x {\nsrc/b.c-2-Engine\n--\ngrep: c: Is a directory\n", "./src/Engine x.c\nfind: y: no\n",
    "commit 1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d\n    Engine x\n", "On branch main\n M a.c\n",
    "[ 50%] Building C object CMakeFiles/x.dir/a.c.o\n[100%] Linking C executable x\n[100%] Built target x\n",
    "1/2 Test #1: a ...   Passed\n2/2 Test #2: b ***Failed\n50% tests passed, 1 tests failed out of 2\n",
    '[{"conclusion": "success", "workflowName": "Engine x"}]', "X main CI \u00b7 9\n", "completed\tfailure\ta\tb\tc\td\te\n",
)
QUERIES = ("Engine x", "--build . --target x", "log --grep=x -- a", "run list -w x", "gh run view 9", "*x*", "src/a.c")
SUBJECTS = ("where is \"evidence gating\"?", "what does src/a.c do, or std::vector?", "who calls `ExecutionEngine` “now”?")
OBSERVATIONS = ('{"match": "phrase", "match_count": 3, "exact_match_count": 2}', '{"agrees": true, "passages": 2}',
                '{"match": "phrase", "match_count": 3}', '{"command": "log", "question": "history", "output_lines": 1}',
                '{"run": 3, "passed": 2, "failed": 1, "relevant": 2}', '{"type": "c", "source_count": 1, "has_tests": true}')


BINDINGS = '{"a": [[1, 2], {"b": "x"}], "b": {"a": 1, "c": 0.5}, "n": 2, "list": [1, "12345678901234567890"], "t": "a", "INPUT": {"x": null}}'


def make_quality(found):
    """An investigation with entries in every relation to each other, and its receipt."""
    made = script("""
        SELECT answer_investigation_open('Modify', 'x', 'x') AS i \\gset
        SELECT count(*) FROM (SELECT answer_investigation_record(:i, 'grep', 'x', 'a.c', '{"match": "phrase", "match_count": 1}'),
            answer_investigation_record(:i, 'read', 'x', 'a.c', '{"selection": "ranked", "files_read": 1}'),
            answer_investigation_record(:i, 'reader', 'x', 'a.c', '{"agrees": true, "passages": 1}', '{a.c,b.c}'),
            answer_investigation_record(:i, 'grep', 'y', 'b.c', '{"match": "token", "match_count": 1}', '{./c.c}'),
            answer_investigation_record(:i, 'read', 'y', 'd.c', '{"selection": "ranked", "files_read": 1}'),
            answer_investigation_record(:i, 'discovery', 'x', '.', '{"type": "c", "source_count": 1, "has_tests": true}'),
            answer_investigation_record(:i, 'discovery', 'y', '.', '{"type": "c", "source_count": 1, "has_tests": true}'),
            answer_investigation_record(:i, 'gh', 'x', '', '{"command": "run view", "conclusion": "success"}'),
            answer_investigation_record(:i, 'cmake', 'x', '', '{"ok": true, "target_built": true}'),
            answer_investigation_record(:i, 'ctest', 'x', '', '{"run": 1, "passed": 1}')) AS recorded;
        SELECT json_build_object('receipt', answer_quality_receipt(:i)::text, 'rules', rules::text) FROM answer.quality_rules;""")
    found.add("assessment", 0, made["receipt"])
    found.add("rules", 0, made["rules"])
    for check, texts in (("output", OUTPUTS), ("query", QUERIES), ("subject", SUBJECTS), ("observation", OBSERVATIONS)):
        for text in texts:
            found.add(check, 0, text)


NODES = [
    {"id": "lamp.c", "name": "lamp <b>", "labels": ["File", "Code"], "source_path": "src/lamp.c", "docstring": "The lamp.",
     "last_modified": 1774000000},
    {"id": "light", "name": "light", "labels": ["Function"], "source_path": "src/lamp.c", "start_line": 3, "end_line": 9,
     "docstring": "Lights the lamp \u2014 \" onclick=\"x \U0001f600", "text": "caf\u00e9"},
    {"id": "lamp.md", "name": "The lamp", "labels": ["Document"], "doc_type": "markdown", "source_path": "doc/lamp.md",
     "last_modified": 1704067200},
    {"id": "oil", "name": "oil", "labels": ["Component"], "source_path": "lamp/../oil", "path": "lamp/oil"}]
EDGES = [("lamp.c", "light", "DEFINES"), ("lamp.md", "light", "DEPENDS_ON"), ("light", "light", "CALLS"),
         ("lamp.md", "oil", "HAS_ASSET")]


def make_packets(found):
    """A graph, its packets and their receipts; base 6 is one of these."""
    nodes = [{**node, "content_hash": "sha256:" + "%064x" % n, "extraction_method": "hand", "indexed_at": "2026-01-02T03:04:05Z"}
             for n, node in enumerate(NODES)]
    edges = [dict(zip(("from", "to", "type"), edge)) for edge in EDGES]
    made = script("""
        SELECT 1 FROM answer_graph_load('fuzz', %s, %s);
        INSERT INTO fuzz.base (n, receipt, receipt_id, digest, imprint)
            SELECT 6, r, r ->> 'receipt_id', answer_digest(r), substr(answer_digest(r), 8)
                FROM answer_packet_receipt('fuzz', 'Which lamp gives light?', '{"extended": true}') AS r;
        SELECT json_build_object('receipt', receipt::text, 'packet', (receipt -> 'packet')::text, 'other',
            answer_packet('fuzz', 'nothing', '{"limit": 2, "labels": ["Code"], "paths": ["src"]}')::text) FROM fuzz.base WHERE n = 6;"""
                  % (literal(json.dumps(nodes)), literal(json.dumps(edges))))
    found.receipts.append(made["receipt"])
    for check in ("receipt", "receipt_jsonb", "packet_replay"):
        found.add(check, 6, made["receipt"])
    records = [{key: node[key] for key in ("id", "name", "labels", "last_modified") if key in node} for node in NODES]
    for record in records:
        record["neighbors"] = ["light", "lamp <b>", "oil"]
    for check, texts in (
            ("records", (json.dumps(records),)), ("packet", (made["packet"], made["other"])), ("nodes", (json.dumps(nodes),)),
            ("edges", (json.dumps(edges),)), ("packet_question", ("Which lamp gives light?", "caf\u00e9, oil!")),
            ("packet_options", ('{"limit": 3, "now": "2026-03-31T12:00:00Z", "query_id": "q", "labels": ["Code", "Document"],'
                                ' "paths": ["src", "doc/lamp.md"], "extended": true, "log": true}',
                                '{"embedding": [0.5, 1, -0.25e-3]}')),
            ("brief", ("The lamp is lit by light [light]. It needs oil [lamp.c]!",))):
        for text in texts:
            found.add(check, 6, text)


def make_plans(found):
    """Conditions, plans and their parts, generated by the oracle."""
    rng = random.Random(1)
    plans = [text for text in (plan.some_plan(rng, 0) for _ in range(60)) if plan.expect_plan({"plan": text})]
    script("UPDATE fuzz.context SET bindings = %s, tools = %s, plan = %s;" % tuple(map(literal, (BINDINGS, plan.TOOLS, plans[0]))))
    found.add("tools", 0, plan.TOOLS)
    found.add("bindings", 0, BINDINGS)
    for text in plans:
        found.add("plan", 0, text)
    for check, make, column in (("condition", plan.condition_case, "condition"), ("args", plan.bind_case, "args"),
                                ("evidence", plan.verdict_case, "evidence"), ("markers", plan.markers_case, "text"),
                                ("citations", plan.references_case, "citations"), ("ttl", plan.expires_case, "ttl")):
        for text in (make(rng)[column] for _ in range(20)):
            if text is not None:
                found.add(check, 0, text)


PLAN = {"plan_id": "fuzz", "intent": "facts", "signals": {"cost_cap_usd": 1}, "edges": [["a", "b"], ["b", "c"], ["c", "d"]], "nodes": [
    {"id": "a", "op": "call", "tool": "fuzz.hits", "args": {"q": "$INPUT.q"}, "out": "hits"},
    {"id": "b", "op": "verify", "args": {"claims": ["The lamp needs oil"], "sources": "$hits"}, "out": "e"},
    {"id": "c", "op": "call", "tool": "synth.answer", "args": {"query": "$INPUT.q", "evidence": "$e"}, "out": "t"},
    {"id": "d", "op": "mem.write", "args": {"key": "lamp", "value": "$t", "provenance": "$e", "ttl": "P1D"}}]}
SPEC = {"io": {"input": {"q": {"type": "string", "required": True}, "k": {"type": "integer", "default": 8}, "e": "object"},
               "output": {"hits": "array", "evidence": "Evidence"}},
        "constraints": {"input_tokens_max": 100, "latency_p50_ms": 10, "cost_per_call_usd": 0.0005, "per_item_share": 0.5,
                        "rate_limit_qps": 1000, "side_effects": False, "external_cost": False},
        "provenance": {"attribution_required": True, "observes": True}, "capabilities": ["find"], "deny_if": ["secret"]}
RESULT = {"hits": [{"uri": "https://a", "title": "Lamps", "snippet": "The lamp needs oil.", "score": 0.95,
                    "stamp": "2026-01-01T00:00:00Z"}], "_usage": {"tokens_in": 5, "tokens_out": 6}}


def make_runs(found):
    """Requests, answers to waiting steps, specs, and bundles of executed plans."""
    request = {"plan": PLAN, "vars": {"q": "oil"}, "budgets": {"cost_cap_usd": 0.5, "latency_budget_ms": 1e6}, "intent": "facts"}
    branch = {"plan_id": "fork", "edges": [{"from": "a", "to": "b", "label": "then"}, {"from": "a", "to": "c", "label": "else"}],
              "nodes": [{"id": "a", "op": "branch", "if": "count($INPUT.l) > 1 && $INPUT.q == 'oil'"},
                        {"id": "b", "op": "map", "tool": "fuzz.hits", "args": {"items": "$INPUT.l", "q": "$item", "k": "$index"}, "out": "h"},
                        {"id": "c", "op": "retry", "tool": "fuzz.hits", "args": {"q": "x"}, "out": "h"}]}
    other = {"plan": branch, "vars": {"q": "oil", "l": ["a", "b", "c"]}}
    made = script("""CREATE FUNCTION fuzz.hits(args jsonb) RETURNS jsonb LANGUAGE sql AS $$ SELECT %s::jsonb $$;
        SELECT 1 FROM answer_tool_register('fuzz.hits', 'fuzz.hits(jsonb)', spec => %s);
        SELECT 1 FROM answer_tool_register('fuzz.ask', NULL, spec => %s);
        UPDATE fuzz.context SET request = %s;
        CREATE TABLE fuzz.run AS SELECT answer_plan_execute(r::jsonb) ->> 'trace_id' AS trace_id FROM unnest(ARRAY[%s, %s]) AS r;
        SELECT json_agg(encode(answer_replay_bundle(trace_id), 'hex')) FROM fuzz.run;""" % tuple(literal(json.dumps(v)) for v in (
        RESULT, SPEC, {**SPEC, "external": True, "deny_if": [], "capabilities": []}, request, request, other)))
    found.bundles = {bytes.fromhex(text) for text in made}
    for text in made:
        found.add("bundle", 0, text)
    for value in (request, other):
        found.add("request", 0, json.dumps(value))
    found.add("results", 0, json.dumps({"q": {"result": RESULT, "by": "me", "latency_ms": 12.5}}))
    found.add("spec", 0, json.dumps(SPEC))
    found.add("spec_args", 0, json.dumps({"q": "oil", "k": 3, "e": {"claims": []}}))
    found.add("spec_result", 0, json.dumps(RESULT))


def setup(functions):
    """Make everything; `functions` is SQL that is run after the schema is created."""
    found = Artefacts()
    other = script("SELECT to_json(current_database() || '_other');")
    with open(os.path.join(HERE, "setup.sql"), encoding="utf-8") as file:
        script("SET client_min_messages = error;\n" + file.read() + functions)
    script('SET client_min_messages = error; DROP DATABASE IF EXISTS "%s";' % other)
    script('CREATE DATABASE "%s";' % other)
    # a new name each time: a witness of another log with the same name would take this one for a fork
    script('ALTER DATABASE "%s" SET answer_eval.issuer = \'other.%d\';' % (other, time.time_ns()))
    script("SET client_min_messages = error; CREATE EXTENSION answer_eval CASCADE;\n"
           + mint(REQUESTS[1:2] * 9, (1, 2, 5, 7, 9)), other)
    make_receipts(found)
    make_tokens(found)
    make_log(found, other)
    make_keys(found)
    make_quality(found)
    make_packets(found)
    make_plans(found)
    make_runs(found)
    rows = ["(%s, %d, %d, %s)" % (literal(check), i, n, literal(text)) for check, seeds in found.seeds.items()
            for i, (n, text) in enumerate(seeds)]
    script("INSERT INTO fuzz.seed VALUES " + ",\n".join(rows) + ";")
    found.other = other
    return found
