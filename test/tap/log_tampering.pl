#!/usr/bin/env perl
# tiers: long
# Tampering: what a superuser can do to the database without our functions, one attempt at a time. A full audit must name
# it, or it must be refused, or it is on the list of what no audit from inside can find (doc/log.md). In the last case this
# program shows that an outside witness sees it, if it touches anything that was ever given out.
#
# Each attempt runs in a transaction that is rolled back. log_audit.pl does the same for receipts, leaves, tiles and
# checkpoints, and checks every row of a finding; here one row that names the attempt is enough. The long tier makes every
# attempt that an audit must find; `make one` makes one in six, chosen by the seed.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Test::More;

my $server = AnswerServer->new('tampering', conf => ['jit = off', 'max_prepared_transactions = 2']);
my $sql = $server->session;

#
# a database with some rows of every kind
#
$server->value('CREATE DATABASE witness');
my $witness = $server->session(dbname => 'witness', setup => ['CREATE EXTENSION answer_eval', 'SELECT answer_key_generate()']);
my $early = $witness->value(q{SELECT answer_eval('{"checks": [{"tool": "postgres_server"}]}')});
$sql->value($_) for 'CREATE EXTENSION answer_eval', 'CREATE ROLE mallory', 'CREATE ROLE auditor',
    q{SELECT answer_source_register('a', 'group a'), answer_source_register('b', 'group b')},
    q{SELECT answer_tool_register('rate', NULL, '{currency}', '1 day', 'rate')},
    q{SELECT answer_evidence_add('rate', '{"currency": "EUR"}', '{"rate": 1.1}', s) FROM unnest('{a,b}'::text[]) s},
    q{SELECT answer_evidence_add('rate', '{"currency": "USD"}', '{"rate": 2.2}', 'a')},
    q{SELECT answer_route_register('rate', 'what is the rate of {currency}', 'interrogative', 'rate',
        '{"currency": "{currency}"}', NULL, '{"What is the rate of EUR?"}')},
    q{CREATE FUNCTION rate(currency text) RETURNS jsonb LANGUAGE sql AS $$ SELECT answer_eval(jsonb_build_object('checks',
        jsonb_build_array(jsonb_build_object('tool', 'rate', 'args', jsonb_build_object('currency', currency))))) $$},
    q{SELECT rate('EUR'), answer_ask('What is the rate of EUR?'), answer_ask('No such thing?')},
    q{SELECT count(answer_eval(jsonb_build_object('checks', jsonb_build_array(jsonb_build_object('tool', 'postgres_setting',
        'args', '{"name": "port"}'::jsonb, 'expect', jsonb_build_object('path', 'setting', 'op', 'eq', 'value', i))))))
        FROM generate_series(1, 40) i},
    q{SELECT answer_document_load('[{"doc_id": "guide", "title": "Guide", "timestamp": "2024-01-01", "text": "A kettle.\\n\\nA cup."}]')},
    q{SELECT answer_document_load('[{"doc_id": "manual", "title": "Manual", "timestamp": "2024-01-01", "url": "https://example.com/m",
        "sections": [{"anchor": "a", "title": "Water", "text": "A bowl.\\n\\nA jug."}]}]')},
    q{SELECT answer_document_facts_add('guide', '[{"subject": "kettle", "attribute": "kind", "value": "kettle", "quote": "A kettle"}]')},
    q{CREATE FUNCTION reads(args jsonb) RETURNS jsonb LANGUAGE sql AS $$ SELECT jsonb_build_object('judgements', jsonb_agg(jsonb_build_object(
        'id', p -> 'id', 'relation', 'supports', 'score', 0.9))) FROM jsonb_array_elements(args -> 'pairs') AS p $$},
    q{SELECT answer_judge_register('reader', '{"kinds": ["entailment"], "model": "m", "version": "1", "handler": "reads"}')},
    q{SELECT answer_judge_register('people', '{"kinds": ["conflict"], "model": "m", "version": "1", "role": "auditor"}')},
    q{SELECT answer_judge_assess('reader', '[{"kind": "entailment", "a": "x", "b": "y", "truth": "supports"}]')},
    q{SELECT answer_retrieve('A kettle?', '{"config": {"min_chunks": 1}}')}, q{CREATE TABLE old_retrieval AS SELECT * FROM answer.retrieval},
    q{SELECT answer_grounded('A kettle?', jsonb_build_object('answer', 'A kettle.', 'citations', '["guide#p0"]'::jsonb, 'retrieval_id', retrieval_id)) FROM answer.retrieval},
    q{SELECT answer_retrieve('A cup?', '{"config": {"min_chunks": 1}}')},
    q{SELECT answer_chunk_embed('guide#p0', '{1,2,3}')}, q{SELECT answer_chunk_embed('guide#p0', '{1,2,4}')},
    q{SELECT answer_graph_load('app', '[{"id": "n1", "labels": ["Code"], "name": "kettle", "path": "src/kettle.c", "start_line": 1, "end_line": 9, "docstring": "Boils.",
        "source_path": "src/kettle.c", "content_hash": "sha256:' || repeat('0', 64) || '", "extraction_method": "test"}, {"id": "n2", "labels": ["Document"], "doc_type": "markdown",
        "name": "cup", "text": "A cup.", "source_path": "doc/cup.md", "content_hash": "sha256:' || repeat('1', 64) || '", "extraction_method": "test"}]',
        '[{"from": "n1", "to": "n2", "type": "CALLS"}]')} =~ s/' \|\| repeat\('(.)', 64\) \|\| '/$1 x 64/ger,
    q{SELECT answer_graph_embed('app', 'n1', '{1,2,3}')},
    q{CREATE FUNCTION bring(args jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$ SELECT '{"evidence": {"claims": ["c"],
        "supports": [{"claim": "c", "source": "s", "confidence": 0.95, "snippet": "Yes."}]}}'::jsonb $$},
    q{SELECT answer_tool_register('bring', 'bring(jsonb)', spec => '{"io": {"output": {"evidence": "Evidence"}}}')},
    q{CREATE FUNCTION remember(key text, value text) RETURNS text LANGUAGE sql AS $$ SELECT answer_plan_execute(jsonb_build_object('plan', jsonb_build_object(
        'plan_id', 'remember', 'edges', '[["a", "b"]]'::jsonb, 'nodes', jsonb_build_array('{"id": "a", "op": "call", "tool": "bring", "out": "proof"}'::jsonb,
        jsonb_build_object('id', 'b', 'op', 'mem.write', 'args', jsonb_build_object('key', key, 'value', jsonb_build_object('v', value), 'provenance', '$proof')))))) ->> 'verdict' $$},
    q{SELECT answer_memory_policy('', '', true)},
    q{SELECT remember('k', 'old')}, q{CREATE TABLE old_memory AS SELECT * FROM answer.memory_entry}, q{SELECT remember('k', 'new')}, q{SELECT remember('other', 'x')},
    q{SELECT answer_investigation_open('Status', 'what happened?')},
    q{SELECT answer_investigation_record(1, 'ctest', 'run', 'all', '{"run": 7, "passed": 7, "failed": 0}')},
    q{SELECT answer_log_seal()},
    q{SELECT answer_forget(rate('USD') ->> 'receipt_id', 'asked for')},
    q{SELECT answer_forget((SELECT digest FROM answer.evidence WHERE args ->> 'currency' = 'USD'), 'asked for')},
    q{SELECT answer_log_seal()}, q{SELECT rate('EUR')}, q{SELECT rate('EUR')}, q{SELECT answer_log_seal()},
    q{SELECT answer_eval('{"checks": [{"tool": "postgres_server"}]}') FROM generate_series(1, 3)},
    # the same is returned as long as no document changes
    q{SELECT answer_grounded(q, '{"config": {"min_chunks": 1, "cache_ttl_s": 86400}}') FROM unnest('{A kettle?,A cup?}'::text[]) AS q},
    # from the first sealing, so that it is there even if later parts of the log are cut off
    q{SELECT answer_anchor_request((SELECT min(receipt_id) FROM answer.log_leaf WHERE receipt_id LIKE 'ans%'
        AND leaf_index < (SELECT min(tree_size) FROM answer.checkpoint)))};
sub cosign {
    my ($log, $other) = @_;
    $other->value('SELECT answer_witness_trust(' . quoted($log->value('SELECT answer_log_vkey()')) . ')');
    my $request = $log->value('SELECT answer_checkpoint_request(0)');
    my $line = $other->value('SELECT answer_checkpoint_cosign(' . quoted($request) . ')');
    my ($size) = $log->value('SELECT max(tree_size) FROM answer.checkpoint');
    $log->value("SELECT answer_cosignature_add($size, " . quoted($line) . ', ' . quoted($other->value('SELECT answer_witness_vkey()')) . ')');
    return $log->value('SELECT answer_checkpoint()');
}
$witness->value($_) for q{SELECT answer_eval('{"checks": [{"tool": "postgres_server"}]}')}, 'SELECT answer_log_seal()';
my $kept = cosign($sql, $witness);
cosign($witness, $sql);
my $new_size = $sql->value('SELECT max(tree_size) FROM answer.checkpoint');
my $foreign_key = $witness->value(q{SELECT format('(key_id, public_key, status, active_from, folder) VALUES (%L, %L, %L, %L, %L)', key_id, public_key, status, active_from, folder)
    FROM answer.signing_key});
my $foreign = $witness->value(q{SELECT body FROM answer.receipt WHERE schema = 'answer/v1' ORDER BY issued_at DESC LIMIT 1});
my $key = $sql->value('SELECT key_id FROM answer.signing_key');
my $leaf = q{(SELECT receipt_id FROM answer.log_leaf WHERE leaf_index = 5)};
my $fact = q{answer_fact('rate', '{"currency": "EUR"}', now())};

my $findings = q{SELECT coalesce(string_agg(format('%s: %s', finding, detail), chr(10) ORDER BY finding, detail), '')
    FROM answer_log_audit() WHERE finding <> 'forgotten'};
is($sql->value($findings), '', 'before, the audit finds nothing');

my %count = (named => 0, refused => 0, outside => 0);

# Runs statements with triggers off, and turns them on again before the query. Returns the result of the last query, or of the first that failed.
sub attempt {
    my ($statements, $query) = @_;
    $sql->value($_) for 'BEGIN', 'SET LOCAL session_replication_role = replica', 'SET LOCAL allow_system_table_mods = on',
        'SET LOCAL client_min_messages = warning';
    my @statements = ref $statements ? @$statements : $statements;
    # triggers that always fire prevent writing rows by hand
    @statements = (guards_off(), @statements, guards_back())
        if grep { /^(?:INSERT INTO|UPDATE|DELETE FROM|TRUNCATE) answer\./ } @statements;
    my $result;
    for my $statement (@statements) {
        $result = $sql->run($statement);
        last if $result->{state} ne '00000';
    }
    $result = $sql->run($query) if $query && $result->{state} eq '00000';
    $sql->value('ROLLBACK');
    return $result;
}

# The audit names it, by a finding and a detail.
sub named {
    my ($what, $statements, $expected) = @_;
    return 1 unless is_tried();
    my $result = attempt($statements, $findings);
    my $ok = $result->{state} eq '00000' && $result->{out} =~ /^$expected/m;
    $count{named}++;
    return ok($ok, "named: $what") || diag("$result->{state} $result->{err}\n" . substr($result->{out}, 0, 1500));
}

# A function of ours, or the audit itself, refuses.
sub refused {
    my ($what, $statements, $query, $state) = @_;
    my $result = attempt($statements, $query);
    $count{refused}++;
    return is($result->{state}, $state, "refused: $what") || diag("$result->{err}\n$result->{out}");
}

# No audit from inside can find it. If it changes what was given out, a checkpoint kept by a witness shows it.
sub outside {
    my ($what, $statements, $seen) = @_;
    my $result = attempt($statements, $findings);
    $count{outside}++;
    is("$result->{state} $result->{out}", '00000 ', "outside: $what") || diag($result->{err});
    return unless $seen;
    $result = attempt($statements, 'SELECT answer_log_compare(' . quoted($kept) . q{) ->> 'state'});
    return is("$result->{state} $result->{out}", "00000 $seen", "and a witness sees that the log has $seen") || diag($result->{err});
}

# The signed documents of changes show it.
sub told {
    my ($what, $statements) = @_;
    return named($what, $statements, 'configuration: ');
}

#
# the catalog: triggers
#
my @triggers = split /\n/, $sql->value(q{SELECT format('answer.%I %I', c.relname, t.tgname) FROM pg_trigger t JOIN pg_class c
    ON c.oid = t.tgrelid WHERE c.relnamespace = 'answer'::regnamespace AND NOT tgisinternal ORDER BY 1});
cmp_ok(scalar(@triggers), '>', 20, 'triggers guard the tables');
for (@triggers) {
    my ($table, $trigger) = split / /;
    named("trigger $trigger disabled", "ALTER TABLE $table DISABLE TRIGGER $trigger", "catalog: trigger $trigger on $table is not");
}
my $on_receipt = 'BEFORE UPDATE OR DELETE ON answer.receipt FOR EACH ROW';
named('a trigger for replicas alone', 'ALTER TABLE answer.receipt ENABLE REPLICA TRIGGER receipt_append_only', 'catalog: trigger receipt_append_only on answer.receipt is not');
named('a trigger dropped', 'DROP TRIGGER receipt_append_only ON answer.receipt', 'catalog: trigger receipt_append_only on answer.receipt is gone');
named('a trigger that never fires', ['DROP TRIGGER receipt_append_only ON answer.receipt',
    "CREATE TRIGGER receipt_append_only $on_receipt WHEN (false) EXECUTE FUNCTION answer.append_only()"], 'catalog: trigger receipt_append_only on answer.receipt is not');
named('a trigger on another function', ['CREATE FUNCTION mine() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN new; END $$',
    'DROP TRIGGER receipt_append_only ON answer.receipt', "CREATE TRIGGER receipt_append_only $on_receipt EXECUTE FUNCTION mine()"], 'catalog: trigger receipt_append_only on answer.receipt is not');
named('a trigger on another function, in the catalog alone', ['CREATE FUNCTION mine() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN new; END $$',
    q{UPDATE pg_trigger SET tgfoid = 'mine'::regproc WHERE tgname = 'receipt_append_only'}], 'catalog: trigger receipt_append_only on answer.receipt is not');
named('a trigger renamed', 'ALTER TRIGGER receipt_append_only ON answer.receipt RENAME TO other', 'catalog: trigger other on answer.receipt is not part');
named('a trigger that changes what is inserted', ['CREATE FUNCTION mine() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$',
    'CREATE TRIGGER mine BEFORE INSERT ON answer.unsealed FOR EACH ROW EXECUTE FUNCTION mine()'], 'catalog: trigger mine on answer.unsealed is not part');
named('a trigger that says of itself that it is the server\'s', ['CREATE FUNCTION mine() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$',
    'CREATE TRIGGER mine BEFORE INSERT ON answer.unsealed FOR EACH ROW EXECUTE FUNCTION mine()', q{UPDATE pg_trigger SET tgisinternal = true WHERE tgname = 'mine'}], 'catalog: trigger mine on answer.unsealed is not part');
named("a table of which the server believes that it has no $$_[0]", "UPDATE pg_class SET $$_[1] WHERE oid = 'answer.$$_[2]'::regclass", "catalog: relation answer.$$_[2] is not") for
    ['triggers', 'relhastriggers = false', 'receipt'], ['indexes', 'relhasindex = false', 'receipt_default'], ['checks', 'relchecks = 0', 'signing_key'];
named('sessions that fire no triggers', q{ALTER DATABASE postgres SET session_replication_role = replica}, 'catalog: setting session_replication_role of every role');
named('a role that fires no triggers', q{ALTER ROLE mallory SET session_replication_role = replica}, 'catalog: setting session_replication_role of role mallory');

#
# the catalog as seen by a session with other settings, and as other versions show it
#
my $catalog = q{SELECT md5(string_agg(format('%L %L', object, state), ';')) FROM answer.catalog()};
my $as_it_is = $sql->value($catalog);
for my $setting ('standard_conforming_strings = off', 'quote_all_identifiers = on', "IntervalStyle = 'iso_8601'", "DateStyle = 'German'",
    "TimeZone = 'Asia/Tokyo'", "bytea_output = 'escape'", 'extra_float_digits = -15', 'transform_null_equals = on', 'array_nulls = off', "search_path = 'answer'") {
    my $name = $setting =~ s/ =.*//r;
    my $reader = $server->session(setup => ['SET escape_string_warning = off', "SET $setting"]);
    my $schema = $name eq 'search_path' ? 'public.' : '';
    is($reader->value($catalog), $as_it_is, "$name does not change the catalog's lines");
    is($reader->value($findings =~ s/answer_log_audit/${schema}answer_log_audit/r), '', 'nor what is found');
    $reader->close;
}
is($sql->value(q{SELECT count(*) FROM answer.catalog() WHERE object LIKE 'relation %' AND state ~ ('view ' || substr(object, 10) || '[,:]')}), 0,
    'that a view depends on itself, as PostgreSQL 15 alone says, is in no line');

#
# the catalog: rules, policies, tables
#
named('a rule that swallows receipts', 'CREATE RULE mine AS ON INSERT TO answer.unsealed DO INSTEAD NOTHING', 'catalog: rule mine on answer.unsealed is not part');
named('a rule that copies', 'CREATE RULE mine AS ON INSERT TO answer.receipt DO ALSO NOTIFY mine', 'catalog: rule mine on answer.receipt is not part');
named('row security', 'ALTER TABLE answer.receipt ENABLE ROW LEVEL SECURITY', 'catalog: relation answer.receipt is not');
named('a policy', 'CREATE POLICY mine ON answer.receipt USING (true)', 'catalog: policy mine on answer.receipt is not part');
my @auditor = ('GRANT USAGE ON SCHEMA answer TO auditor', 'GRANT SELECT ON ALL TABLES IN SCHEMA answer TO auditor',
    'GRANT EXECUTE ON FUNCTION answer_log_audit(bigint, bigint, boolean) TO auditor');
refused("a policy that hides a row from the auditor: $_", [@auditor, "ALTER TABLE answer.$_ ENABLE ROW LEVEL SECURITY",
    "CREATE POLICY mine ON answer.$_ USING (random() < 0)", 'SET LOCAL ROLE auditor'], $findings, '42501')
    for qw(receipt signing_key evidence tombstone log_leaf unsealed);
refused("forced row security, its owner audits", ['ALTER TABLE answer.receipt OWNER TO mallory', 'GRANT auditor TO mallory', @auditor,
    'ALTER TABLE answer.receipt ENABLE ROW LEVEL SECURITY', 'ALTER TABLE answer.receipt FORCE ROW LEVEL SECURITY', 'SET LOCAL ROLE mallory'], $findings, '42501');
named('a view in a table\'s place', ['ALTER TABLE answer.receipt RENAME TO hidden', 'ALTER TABLE answer.hidden SET SCHEMA public',
    'CREATE VIEW answer.receipt AS SELECT * FROM public.hidden LIMIT 10'], 'catalog: relation answer.receipt is not');
named('a view whose function an auditor would run', ['CREATE TABLE ran (n int)', 'CREATE FUNCTION mine() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN INSERT INTO ran VALUES (1); RETURN true; END $$',
    'ALTER TABLE answer.log_leaf RENAME TO hidden', 'ALTER TABLE answer.hidden SET SCHEMA public',
    'CREATE VIEW answer.log_leaf AS SELECT * FROM public.hidden WHERE mine()'], 'catalog: what is stored was not audited');
is(attempt(['CREATE TABLE ran (n int)', 'CREATE FUNCTION mine() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN INSERT INTO ran VALUES (1); RETURN true; END $$',
    'ALTER TABLE answer.log_leaf RENAME TO hidden', 'ALTER TABLE answer.hidden SET SCHEMA public',
    'CREATE VIEW answer.log_leaf AS SELECT * FROM public.hidden WHERE mine()', 'SELECT * FROM answer_log_audit()'], 'SELECT count(*) FROM ran')->{out}, 0, 'and it is not run');
named('a table that left the extension', 'ALTER EXTENSION answer_eval DROP TABLE answer.log_audit', 'catalog: relation answer.log_audit is not');
named('a child of a table', 'CREATE TABLE mine () INHERITS (answer.tombstone)', 'catalog: relation answer.tombstone is not');
named('another owner of a table', 'ALTER TABLE answer.signing_key OWNER TO mallory', 'catalog: relation answer.signing_key belongs to mallory');
named('another owner of the schema', 'ALTER SCHEMA answer OWNER TO mallory', 'catalog: schema answer belongs to mallory');
named('another owner of a function', 'ALTER FUNCTION answer.key_guard() OWNER TO mallory', 'catalog: function answer.key_guard belongs to mallory');
named('another owner of a type', 'ALTER TYPE answer_verdict OWNER TO mallory', 'catalog: type public.answer_verdict belongs to mallory');
named('a table without a log', 'ALTER TABLE answer.log_audit SET UNLOGGED', 'catalog: relation answer.log_audit is not');
named('a table of somebody\'s', 'CREATE TABLE answer.mine (n int)', 'catalog: relation answer.mine is not part');

named("rights on a table: $$_[0]", "GRANT $$_[0] ON answer.signing_key TO $$_[1]", "catalog: right of $$_[1] to $$_[2] relation answer.signing_key is not part") for
    ['INSERT', 'mallory', 'INSERT'], ['UPDATE', 'PUBLIC', 'UPDATE'], ['DELETE', 'mallory', 'DELETE'], ['TRUNCATE', 'mallory', 'TRUNCATE'], ['TRIGGER', 'mallory', 'TRIGGER'], ['UPDATE (status)', 'mallory', 'UPDATE'];
named('the right to put objects among ours', 'GRANT CREATE ON SCHEMA answer TO mallory', 'catalog: right of mallory to CREATE in schema answer is not part');
named('a function that everybody may call', 'GRANT EXECUTE ON FUNCTION answer_key_import_public TO PUBLIC', 'catalog: right of PUBLIC to EXECUTE function public.answer_key_import_public');
is(attempt([@auditor, 'REVOKE EXECUTE ON FUNCTION answer_canonical(text) FROM PUBLIC'], $findings)->{out}, '', 'rights to read and to audit, and rights taken away, are no finding');
named('an event trigger', ['CREATE FUNCTION mine() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN END $$', 'CREATE EVENT TRIGGER mine ON ddl_command_end EXECUTE FUNCTION mine()'], 'catalog: event trigger mine is not part');
named('a table that left the extension and came back, which a dump passes over', ['ALTER EXTENSION answer_eval DROP TABLE answer.receipt_default', 'ALTER EXTENSION answer_eval ADD TABLE answer.receipt_default'], 'catalog: dump of answer.receipt_default is not');
named('the trigger that has drops refused, disabled', 'ALTER EVENT TRIGGER answer_drop_guard DISABLE', 'catalog: event trigger answer_drop_guard is not');
named('a dump of some rows', q{UPDATE pg_extension SET extcondition[array_position(extconfig, 'answer.receipt_default'::regclass::oid)] = 'WHERE false' WHERE extname = 'answer_eval'}, 'catalog: dump of answer.receipt_default is not');
{
    # a table that was partitioned, as the manual allows, and then changed
    my @parted = ('ALTER EXTENSION answer_eval DROP TABLE answer.witness_key', 'ALTER TABLE answer.witness_key RENAME TO parted', 'ALTER TABLE answer.parted SET SCHEMA public',
        'CREATE TABLE answer.witness_key (LIKE public.parted INCLUDING ALL) PARTITION BY RANGE (vkey)', 'CREATE TABLE public.part PARTITION OF answer.witness_key DEFAULT', 'ALTER EXTENSION answer_eval ADD TABLE answer.witness_key',
        'CREATE TRIGGER guard BEFORE DELETE ON answer.witness_key FOR EACH ROW EXECUTE FUNCTION answer.append_only()');
    my $whole = attempt(\@parted, $findings)->{out};
    unlike($whole, qr/partition/, 'partitions as their table is: nothing is said of them');
    named("a partition $$_[0]", [@parted, $$_[1]], "catalog: $$_[2] partition public.part of answer.witness_key is not part") for ['whose trigger is disabled', 'ALTER TABLE public.part DISABLE TRIGGER guard', 'trigger guard on'],
        ['with a rule', 'CREATE RULE mine AS ON INSERT TO public.part DO INSTEAD NOTHING', 'rule mine on'];
    named('a partition with a trigger', [@parted, 'CREATE FUNCTION mine() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$', 'CREATE TRIGGER mine BEFORE INSERT ON public.part FOR EACH ROW EXECUTE FUNCTION mine()'], 'catalog: trigger mine on partition public.part');
    named('a partition that lies elsewhere', [@parted, 'DROP TABLE public.part', 'ALTER TABLE answer.witness_key DROP CONSTRAINT witness_key_pkey', 'CREATE FOREIGN DATA WRAPPER mine', 'CREATE SERVER mine FOREIGN DATA WRAPPER mine', 'CREATE FOREIGN TABLE public.part PARTITION OF answer.witness_key DEFAULT SERVER mine'],
        'catalog: partition public.part of answer.witness_key is not part of the extension: it is a foreign table');
}

#
# the catalog: objects that would run foreign code when a superuser audits
#
my @ran = ('CREATE SEQUENCE ran', q{CREATE FUNCTION mine(int) RETURNS int IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN PERFORM nextval('public.ran'); RETURN 1; END $$},
    q{CREATE FUNCTION mine(answer_key_status) RETURNS text LANGUAGE plpgsql AS $$ BEGIN PERFORM nextval('public.ran'); RETURN 'active'; END $$},
    q{CREATE FUNCTION mine(answer_quality_level) RETURNS json LANGUAGE plpgsql AS $$ BEGIN PERFORM nextval('public.ran'); RETURN '1'; END $$},
    q{CREATE FUNCTION mine() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM nextval('public.ran'); RETURN NULL; END $$});
for (['an index', 'CREATE INDEX mine ON answer.log_leaf (leaf_index) WHERE mine(1) = 1', 'code that index mine on answer.log_leaf calls is not part'],
    ['statistics', 'CREATE STATISTICS mine ON (leaf_index + mine(1)), issued_at FROM answer.log_leaf', 'code that statistics mine on answer.log_leaf calls is not part'],
    ['a constraint', ['ALTER TABLE answer.log_leaf ADD CONSTRAINT mine CHECK (mine(1) = 1) NOT VALID', 'SET LOCAL constraint_exclusion = on'], 'code that constraint mine on answer.log_leaf calls is not part'],
    ['a cast to text', 'CREATE CAST (answer_key_status AS text) WITH FUNCTION mine(answer_key_status)', 'cast from public.answer_key_status to text is not part'],
    ['a cast to json', 'CREATE CAST (answer_quality_level AS json) WITH FUNCTION mine(answer_quality_level)', 'cast from public.answer_quality_level to json is not part'],
    ['a trigger that waits', ['CREATE CONSTRAINT TRIGGER mine AFTER INSERT ON answer.log_audit DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION mine()', 'ALTER TABLE answer.log_audit ENABLE ALWAYS TRIGGER mine'], 'trigger mine on answer.log_audit is not part']) {
    my ($what, $made, $expected) = @$_;
    my @made = (@ran, ref $made ? @$made : $made);
    named("$what that calls a function", \@made, "catalog: $expected");
    is(attempt([@made, q{SELECT setval('ran', 1, false)}, 'SELECT * FROM answer_log_audit()', 'SET CONSTRAINTS ALL IMMEDIATE'], 'SELECT is_called FROM ran')->{out}, 'f', 'and it is not run');
}
named('statistics', 'CREATE STATISTICS mine ON leaf_index, issued_at FROM answer.log_leaf', 'catalog: statistics mine on answer.log_leaf is not part');
named('a function that fits a query of the audit better than the server\'s', 'CREATE FUNCTION pg_catalog.format(text, name, text, text) RETURNS text LANGUAGE sql AS $$ SELECT $1 $$', 'catalog: a function of pg_catalog, OID [0-9]+, is neither');
named('an operator like it', ['CREATE FUNCTION mine(name, oid) RETURNS boolean LANGUAGE sql AS $$ SELECT true $$', 'CREATE OPERATOR pg_catalog.= (LEFTARG = name, RIGHTARG = oid, FUNCTION = mine)'], 'catalog: an operator of pg_catalog');

#
# the catalog: columns, constraints, indexes
#
named('a unique index that asks later', q{UPDATE pg_index SET indimmediate = false WHERE indexrelid = 'answer.receipt_default_pkey'::regclass}, 'catalog: index receipt_default_pkey on answer.receipt_default is not');
named('samples of bodies for the planner', 'ALTER TABLE answer.receipt ALTER body SET STATISTICS 100', 'catalog: what goes into column answer.receipt.body is not');
named('a default that is passed over', q{UPDATE pg_attribute SET atthasdef = false WHERE attrelid = 'answer.evidence'::regclass AND attname = 'recorded_at'}, 'catalog: what goes into column answer.evidence.recorded_at is not');
named('a column of another type', ['ALTER TABLE answer.log_audit ALTER COLUMN defects TYPE numeric'], 'catalog: column answer.log_audit.defects is not');
named('a column renamed', 'ALTER TABLE answer.tombstone RENAME COLUMN reason TO motive', 'catalog: column answer.tombstone.motive is not part');
named('a column more', 'ALTER TABLE answer.receipt ADD COLUMN mine text', 'catalog: column answer.receipt.mine is not part');
named('a column less', 'ALTER TABLE answer.tenant_role DROP COLUMN granted_at', 'catalog: column answer.tenant_role.granted_at is gone');
named('a column that may be null', 'ALTER TABLE answer.receipt ALTER COLUMN body DROP NOT NULL', 'catalog: what goes into column answer.receipt.body is not');
named('another default', q{ALTER TABLE answer.evidence ALTER COLUMN recorded_at SET DEFAULT '2000-01-01Z'}, 'catalog: what goes into column answer.evidence.recorded_at is not');
named('a default more', q{ALTER TABLE answer.signing_key ALTER COLUMN active_from SET DEFAULT now()}, 'catalog: what goes into column answer.signing_key.active_from is not');
named('a fingerprint that is not computed', 'ALTER TABLE answer.signing_key ALTER COLUMN fingerprint DROP EXPRESSION', 'catalog: what goes into column answer.signing_key.fingerprint is not');
named('a check dropped', 'ALTER TABLE answer.signing_key DROP CONSTRAINT signing_key_id_follows', 'catalog: constraint signing_key_id_follows on answer.signing_key is gone');
named('a check that is none', ['ALTER TABLE answer.signing_key DROP CONSTRAINT signing_key_id_follows', 'ALTER TABLE answer.signing_key ADD CONSTRAINT signing_key_id_follows CHECK (true)'], 'catalog: constraint signing_key_id_follows on answer.signing_key is not');
named('a check not valid', ['ALTER TABLE answer.quality_entry DROP CONSTRAINT quality_entry_not_verified', q{ALTER TABLE answer.quality_entry ADD CONSTRAINT quality_entry_not_verified CHECK (quality <> 'Verified') NOT VALID}], 'catalog: constraint quality_entry_not_verified');
named('a check that refuses every receipt', 'ALTER TABLE answer.receipt ADD CONSTRAINT mine CHECK (false) NOT VALID', 'catalog: constraint mine on answer.receipt is not part');
named('a primary key dropped', 'ALTER TABLE answer.evidence DROP CONSTRAINT evidence_pkey', 'catalog: constraint evidence_pkey on answer.evidence is gone');
named('an index dropped', 'DROP INDEX answer.signing_key_one_active', 'catalog: index signing_key_one_active on answer.signing_key is gone');
named('an index that is not valid', q{UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'answer.receipt_default_issued_at_idx'::regclass}, 'catalog: index receipt_default_issued_at_idx on answer.receipt_default is not');
named('an index that runs a function', ['CREATE FUNCTION mine(text) RETURNS text IMMUTABLE LANGUAGE sql AS $$ SELECT $1 $$', 'CREATE INDEX mine ON answer.receipt (mine(receipt_id))'], 'catalog: index mine on answer.receipt is not part');

#
# the catalog: functions, views, types
#
named('a guard that lets all pass', 'CREATE OR REPLACE FUNCTION answer.key_guard() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$ BEGIN RETURN NEW; END $$', 'catalog: function answer.key_guard\(\) is not');
named('a verifier that is content', 'CREATE OR REPLACE FUNCTION answer_verify_ok(receipt jsonb, keys jsonb DEFAULT NULL) RETURNS boolean LANGUAGE sql STABLE AS $$ SELECT true $$', 'catalog: function public.answer_verify_ok\(receipt jsonb, keys jsonb\) is not');
named('a recorder that takes what was forgotten', q{UPDATE pg_proc SET prosrc = replace(prosrc, 'PERFORM answer.refuse_forgotten(tenant, digest);', '') WHERE proname = 'evidence_add_check'}, 'catalog: function answer.evidence_add_check');
named('a handler of ours', q{UPDATE pg_proc SET prosrc = 'SELECT ''{"version": "99"}''::jsonb' WHERE proname = 'tool_server'}, 'catalog: function answer.tool_server');
named('a C function of another name', q{UPDATE pg_proc SET prosrc = 'answer_eval_canonical' WHERE proname = 'answer_digest'}, 'catalog: function public.answer_digest');
named('a C function of another library', q{UPDATE pg_proc SET probin = '/tmp/mine' WHERE proname = 'append_only'}, 'catalog: function answer.append_only');
named("a function $$_[0]", "ALTER FUNCTION $$_[1]", "catalog: function (?:public\\.)?answer[_.]") for
    ['with the caller\'s rights', 'answer.route_changed SECURITY INVOKER'], ['with the owner\'s rights', 'answer_key_registry SECURITY DEFINER'],
    ['with another search path', 'answer_source_register SET search_path = public'], ['without one', 'answer.key_guard RESET search_path'],
    ['with a setting more', q{answer.key_guard SET "answer_eval.issuer" = 'x'}], ['that pretends to be constant', 'answer_log_seal() IMMUTABLE'],
    ['that is not called with nulls', 'answer.evidence_digest STRICT'], ['that leaks nothing', 'answer_canonical(text) LEAKPROOF'],
    ['renamed', 'answer_key_retire RENAME TO answer_key_retyre'];
named('a function that left the extension', 'ALTER EXTENSION answer_eval DROP FUNCTION answer_forget(text, text)', 'catalog: function public.answer_forget');
named('a function gone', ['ALTER EXTENSION answer_eval DROP FUNCTION answer.refuse_forgotten(text, text)', 'DROP FUNCTION answer.refuse_forgotten(text, text)'], 'catalog: function answer.refuse_forgotten\(tenant text, digest text\) is gone');
named('a function that takes our name', 'CREATE FUNCTION answer_eval(request text) RETURNS jsonb LANGUAGE sql AS $$ SELECT NULL::jsonb $$', 'catalog: function public.answer_eval\(request text\) is not part');
named('a function that the planner asks about', q{UPDATE pg_proc SET prosupport = 'textlike_support'::regproc WHERE proname = 'answer_verify_ok'}, 'catalog: function public.answer_verify_ok');
named('a type that is written otherwise', q{UPDATE pg_type SET typoutput = 'record_out'::regproc WHERE typname = 'answer_verdict'}, 'catalog: type public.answer_verdict is not');
named('a class of operators for a type of ours', ['CREATE FUNCTION mine(answer_verdict, answer_verdict) RETURNS int IMMUTABLE LANGUAGE sql AS $$ SELECT 0 $$', 'CREATE OPERATOR CLASS mine DEFAULT FOR TYPE answer_verdict USING btree AS OPERATOR 3 pg_catalog.=(anyenum, anyenum), FUNCTION 1 mine(answer_verdict, answer_verdict)'], 'catalog: operator class btree public.mine for type public.answer_verdict is not part');
named('a view with other rights', 'ALTER VIEW answer.quality_rule SET (security_invoker = true)', 'catalog: relation answer.quality_rule is not');
named('a view of another table of the same name, with its dependencies put right', ['CREATE TABLE public.tool AS SELECT * FROM answer.tool', q{SELECT set_config('my.def', replace(pg_get_viewdef('answer.change_state'), 'FROM answer.tool t', 'FROM public.tool t'), true)},
    q{DO $$ BEGIN EXECUTE 'CREATE OR REPLACE VIEW answer.change_state AS ' || current_setting('my.def'); END $$}, q{UPDATE pg_depend SET refobjid = 'answer.tool'::regclass WHERE refobjid = 'public.tool'::regclass AND classid = 'pg_rewrite'::regclass},
    q{UPDATE answer.tool SET freshness = '10 years' WHERE tool = 'rate'}], 'catalog: code that relation answer.change_state calls is not');
named('a view of other rules', [q{SELECT set_config('my.def', pg_get_viewdef('answer.quality_rule'), true)},
    q{DO $$ BEGIN EXECUTE 'CREATE OR REPLACE VIEW answer.quality_rule AS SELECT * FROM (' || rtrim(current_setting('my.def'), ';') || ') q WHERE kind <> 3'; END $$}], 'catalog: relation answer.quality_rule is not');
named('a label more', q{ALTER TYPE answer_verdict ADD VALUE 'proven'}, 'catalog: type public.answer_verdict is not');
named('labels exchanged', [q{ALTER TYPE answer_verdict RENAME VALUE 'supported' TO 'x'}, q{ALTER TYPE answer_verdict RENAME VALUE 'contradicted' TO 'supported'}, q{ALTER TYPE answer_verdict RENAME VALUE 'x' TO 'contradicted'}], 'catalog: type public.answer_verdict is not');
named('labels in another order', q{UPDATE pg_enum SET enumsortorder = - enumsortorder WHERE enumtypid = 'answer_key_status'::regtype}, 'catalog: type public.answer_key_status is not');
named('another version, and a view in a table\'s place', [q{UPDATE pg_extension SET extversion = '0.0.1' WHERE extname = 'answer_eval'}, 'ALTER TABLE answer.log_leaf RENAME TO hidden',
    'CREATE VIEW answer.log_leaf AS SELECT * FROM answer.hidden WHERE false'], 'catalog: what is stored was not audited');
named('an extension of another name', q{UPDATE pg_extension SET extname = 'mine' WHERE extname = 'answer_eval'}, 'catalog: extension answer_eval is of version ""');
refused('a schema of another name', 'ALTER SCHEMA answer RENAME TO mine', $findings, '3F000');
named('another version', q{UPDATE pg_extension SET extversion = '0.0.1' WHERE extname = 'answer_eval'}, 'catalog: extension answer_eval is of version "0.0.1"');

#
# rows that the extension ships
#
named("shipped: $$_[0]", $$_[1], "catalog: row $$_[2] of answer.$$_[3]") for
    ['the handler of a tool', q{UPDATE answer.tool SET handler = 'public.mine' WHERE tool = 'postgres_server'}, '"postgres_server"', 'tool'],
    ['the freshness of a tool', q{UPDATE answer.tool SET freshness = '1 year' WHERE tool = 'postgres_setting'}, '"postgres_setting"', 'tool'],
    ['a tool of one\'s own as shipped', q{UPDATE answer.tool SET seed = true WHERE tool = 'rate'}, '"rate"', 'tool'],
    ['a tool gone', q{DELETE FROM answer.tool WHERE tool = 'postgres_relation'}, '"postgres_relation"', 'tool'],
    ['the group of a source', q{UPDATE answer.source SET independence_group = 'x' WHERE source = 'postgresql'}, '"postgresql"', 'source'],
    ['the pattern of a route', q{UPDATE answer.route SET pattern = 'what is it' WHERE route_id = 'postgres.uptime'}, '"postgres.uptime"', 'route'],
    ['the place of a route', q{UPDATE answer.route SET position = 1999999 WHERE route_id = 'postgres.uptime'}, '"postgres.uptime"', 'route'],
    ['a route gone', q{DELETE FROM answer.route WHERE route_id = 'postgres.recovery'}, '"postgres.recovery"', 'route'],
    ['a requirement lowered', q{UPDATE answer.quality_requirement SET quality = 'Weak' WHERE intent = 'Execute' AND class = 'Test'}, '\["Execute", "Test"\]', 'quality_requirement'],
    ['a requirement gone', q{DELETE FROM answer.quality_requirement WHERE intent = 'Status'}, '\["Status", "GitLog"\]', 'quality_requirement'],
    ['tools of one family', q{UPDATE answer.quality_tool SET family = 'other' WHERE tool = 'find'}, '"find"', 'quality_tool'],
    ['a grader', q{UPDATE answer.quality_tool SET grader = 'public.mine', grader_owner = 'postgres' WHERE tool = 'ctest'}, '"ctest"', 'quality_tool'],
    ['an authority', q{UPDATE answer.quality_authority SET observation = '{}' WHERE tool = 'git'}, '\["git", .*\]', 'quality_authority'],
    ['a compatibility', q{UPDATE answer.quality_compatibility SET same_target = false WHERE class = 'Test' AND with_class = 'Test'}, '\["Test", "Test", false\]', 'quality_compatibility'],
    ['a class', q{UPDATE answer.quality_class SET verify_tool = 'x' WHERE class = 'Build'}, '"Build"', 'quality_class'],
    ['a word of the form of questions gone', q{DELETE FROM answer.quality_question_form WHERE word = 'where'}, '"where"', 'quality_question_form'],
    ['a word of it put there as shipped', q{INSERT INTO answer.quality_question_form VALUES ('vault', true)}, '"vault"', 'quality_question_form'],
    ['an intent', q{DELETE FROM answer.quality_intent WHERE intent = 'Chat'}, '"Chat"', 'quality_intent'],
    ['a rule that is not ASCII', q{INSERT INTO answer.decision_rule (list, entry, position, seed) VALUES ('risk.high', U&'caf\00e9', 999, true)}, '\["risk.high", "caf\\\\u00e9"\]', 'decision_rule'],
    ['a rule more', q{INSERT INTO answer.decision_rule (list, entry, position, seed) VALUES ('risk.high', 'coffee', 999, true)}, '"risk.high"', 'decision_rule'],
    ['the unit of a word', q{UPDATE answer.decision_rule SET detail = '{"unit": "kg"}' WHERE entry = 'pounds'}, '\["units", "pounds"\]', 'decision_rule'],
    ['a word of a unit that is not ASCII gone', q{DELETE FROM answer.decision_rule WHERE entry = 'euro'}, '\["units", "euro"\]', 'decision_rule'];
# invalid rules: the audit says so, and goes on
named("rules that are none: $$_[0]", qq{INSERT INTO answer.decision_rule (list, entry, detail, position) VALUES ('$$_[1]', 'x', '$$_[2]', 999)}, 'changed: the rules of decisions are none') for
    ['a unit without its name', 'units', '{}'], ['a family that is a number', 'topics', '{"family": 3}'];
named('rules that are none, and a reading that was edited', [q{INSERT INTO answer.decision_rule (list, entry, position) VALUES ('units', 'x', 999)}, q{UPDATE answer.evidence SET raw = '{"rate": 7}' WHERE source = 'a'}],
    'changed: reading');
named('a compatibility of a class that is not there', q{INSERT INTO answer.quality_compatibility SELECT 'mine', with_class, quality, with_quality, same_target, same_tool, false FROM answer.quality_compatibility LIMIT 1}, 'extra: a compatibility of class mine, which is not registered');
# rows marked as shipped are compared with the shipped ones; a new table must be compared, too
{
    my @tables = split /\n/, $sql->value(q{SELECT string_agg(c.relname, chr(10) ORDER BY c.relname) FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'seed'
        WHERE c.relnamespace = 'answer'::regnamespace AND c.relkind = 'r'});
    cmp_ok(scalar(@tables), '>', 10, 'tables say of rows that they were shipped');
    my $compared = join '', map { slurp($_) =~ /^static const char \*const shipped\[\] = \{\n(.*?)^\};/sm ? $1 : () } glob(root_dir() . '/src/*/*.c');
    is(join(', ', grep { $compared !~ /FROM answer\.$_ (?:t )?WHERE (?:t\.)?seed\b/ } @tables), '', 'and each of them is compared');
}

#
# keys
#
named('a public half exchanged', ['ALTER TABLE answer.signing_key DROP CONSTRAINT signing_key_id_follows', q{UPDATE answer.signing_key SET public_key = sha256('x')}], 'key: key ');
named('a key gone', 'DELETE FROM answer.signing_key', 'key: ');
named('a key active later', q{UPDATE answer.signing_key SET active_from = now()}, 'key: ');
named('a key retired before', ['ALTER TABLE answer.signing_key DROP CONSTRAINT signing_key_retired', q{UPDATE answer.signing_key SET retired_at = active_from - interval '1 day', status = 'retired'}], 'key: key .*retired before');
named('a key compromised from the start', q{UPDATE answer.signing_key SET status = 'compromised'}, 'key: ');
named('two active keys', ['DROP INDEX answer.signing_key_one_active', "INSERT INTO answer.signing_key $foreign_key"], 'key: key .*not the only active');
named('an owner\'s own key with an own-signed receipt', ['DROP INDEX answer.signing_key_one_active', "INSERT INTO answer.signing_key $foreign_key",
    q{UPDATE answer.signing_key SET status = 'retired', retired_at = now() + interval '1 day' WHERE key_id <> '} . $key . q{'},
    'INSERT INTO answer.receipt SELECT (b).* FROM (SELECT jsonb_populate_record(r, b - \'checks\' || jsonb_build_object(\'body\', b, \'checks\', jsonb_array_length(b -> \'checks\'), \'key_id\', b -> \'signature\' -> \'key_id\')) b FROM answer.receipt r, (SELECT '
        . quoted($foreign) . q{::jsonb) v (b) LIMIT 1) q},
    'INSERT INTO answer.unsealed SELECT receipt_id, issued_at, decode(substr(answer_digest(body), 8), \'hex\') FROM answer.receipt WHERE key_id <> ' . quoted($key)], 'key: key .*signed receipts here, but its life overlaps');
my $early_key = $witness->value(q{SELECT format('%L, %L, ''retired'', %L', key_id, public_key, active_from) FROM answer.signing_key});
my $own = quoted($early) . '::jsonb';
named('an owner\'s own key of before ours, recorded, with an own-signed receipt', ["INSERT INTO answer.signing_key (key_id, public_key, status, active_from, retired_at) VALUES ($early_key, ($own ->> 'issued_at')::timestamptz + interval '1 us')",
    'INSERT INTO answer.receipt SELECT (b).* FROM (SELECT jsonb_populate_record(r, b - \'checks\' || jsonb_build_object(\'body\', b, \'key_id\', b -> \'signature\' -> \'key_id\')) b FROM answer.receipt r, (SELECT ' . $own . ') v (b) LIMIT 1) q',
    q{INSERT INTO answer.unsealed SELECT receipt_id, issued_at, decode(substr(answer_digest(body), 8), 'hex') FROM answer.receipt WHERE key_id <> '} . $key . q{'}, 'SELECT answer_change_record()'],
    'key: key .*signed receipts here, but no logged change tells that it was generated here');
told('a key\'s life lengthened', q{UPDATE answer.signing_key SET active_from = active_from - interval '10 years'});
told('a retired key put there', "INSERT INTO answer.signing_key @{[$foreign_key =~ s/'active'/'retired'/r]}");

#
# configuration
#
told($$_[0], $$_[1]) for
    ['a tool\'s handler', q{UPDATE answer.tool SET handler = 'public.rate', handler_owner = 'postgres' WHERE tool = 'rate'}],
    ['a tool\'s freshness', q{UPDATE answer.tool SET freshness = '10 years' WHERE tool = 'rate'}],
    ['a tool gone', q{DELETE FROM answer.tool WHERE tool = 'rate'}],
    ['a tool put there', q{INSERT INTO answer.tool (tool) VALUES ('mine')}],
    ['sources made independent', q{UPDATE answer.source SET independence_group = NULL WHERE source = 'b'}],
    ['a source gone', q{DELETE FROM answer.source WHERE source = 'b'}],
    ['a source put there', q{INSERT INTO answer.source (source) VALUES ('mine')}],
    ['a route\'s pattern', q{UPDATE answer.route SET pattern = 'what is the price of {currency}' WHERE route_id = 'rate'}],
    ['a route put there', q{INSERT INTO answer.route (route_id, position, pattern, kind, tool, args, examples) VALUES ('mine', 1, 'what is it', 'interrogative', 'postgres_server', '{}', '{What is it?}')}],
    ['a class of evidence put there', q{INSERT INTO answer.quality_class (class, position) VALUES ('Rumour', 99)}],
    ['a grader put there', q{INSERT INTO answer.quality_tool (tool, class, family) VALUES ('mine', 'Test', 'mine')}],
    ['an intent put there', q{INSERT INTO answer.quality_intent (intent) VALUES ('Bless')}],
    ['a word of the form of questions put there', q{INSERT INTO answer.quality_question_form VALUES ('vault')}];

outside('a change by hand that its owner then had recorded', [q{UPDATE answer.tool SET freshness = '10 years' WHERE tool = 'rate'}, 'SELECT answer_change_record()']);
outside('what describes a function', q{COMMENT ON FUNCTION answer_verify(jsonb, jsonb) IS 'whatever'});
outside('a number to come', q{SELECT setval(oid, 100000) FROM pg_class WHERE relkind = 'S' AND relnamespace = 'answer'::regnamespace});
outside('a function of our name in another schema', ['CREATE SCHEMA mine', 'CREATE FUNCTION mine.answer_verify_ok(jsonb) RETURNS boolean LANGUAGE sql AS $$ SELECT true $$', 'ALTER DATABASE postgres SET search_path = mine, public']);
outside('a role that is a member of the owner\'s, or writes everywhere', ['GRANT postgres TO mallory', 'GRANT pg_write_all_data TO mallory']);
outside('what subscribers are told', ['ALTER TABLE answer.receipt REPLICA IDENTITY NOTHING', 'CREATE PUBLICATION mine FOR TABLE answer.receipt']);

#
# readings
#
my $reading = q{digest = (SELECT digest FROM answer.evidence WHERE source = 'a')};
for (['the result', q{raw = '{"rate": 7}'}], ['the source', q{source = 'b'}], ['the instant', q{observed_at = observed_at - interval '1 hour'}],
    ['the expiry', q{expires = now() + interval '9 years'}], ['the arguments\' digest', q{args_digest = 'sha256:' || repeat('0', 64)}],
    ['the tool', q{tool = 'postgres_server'}], ['the name', q{digest = 'sha256:' || repeat('0', 64)}], ['the arguments', q{args = '{"currency": "CHF"}'}],
    ['a result of 600 levels', q{raw = (repeat('[', 600) || repeat(']', 600))::jsonb}], ['a year that cannot be written', q{observed_at = '20000-01-01'}]) {
    named("a reading: $$_[0]", "UPDATE answer.evidence SET $$_[1] WHERE $reading", '(changed|missing|extra): ');
}
refused("a fact of a reading with another $$_[0]", "UPDATE answer.evidence SET $$_[1] WHERE $reading", "SELECT $fact", 'XX001') for
    ['result', q{raw = '{"rate": 7}'}], ['instant', q{observed_at = observed_at - interval '1 hour'}], ['expiry', q{expires = now() + interval '9 years'}],
    ['name', q{digest = 'sha256:' || repeat('0', 64)}];
{
    my $result = attempt(q{UPDATE answer.evidence SET raw = '{"rate": 7}' WHERE } . $reading,
        q{SELECT r #> '{checks,0}' FROM rate('EUR') r});
    like($result->{out}, qr/^(?=.*"evidence_unavailable")(?=.*"XX001").*is not what was recorded/, 'a receipt says that the reading was changed') or diag("$result->{out} $result->{err}");
    $result = attempt(q{UPDATE answer.evidence SET raw = '{"rate": 7}' WHERE } . $reading, q{SELECT r ->> 'verdict' FROM answer_eval('{"checks": [{"tool": "rate", "args": {"currency": "EUR"}}, {"tool": "postgres_server"}]}') r});
    unlike($result->{out}, qr/^evidence_unavailable$/, 'and of the other checks there is evidence yet');
}
named('a series gone', q{DELETE FROM answer.evidence_series WHERE source = 'b'}, 'missing: the series of reading');
named('a series put there', q{INSERT INTO answer.evidence_series VALUES ('rate', 'x', 'b')}, 'extra: a series of tool rate');
named('a reading put there under a name that is not its own', q{INSERT INTO answer.evidence SELECT 'sha256:' || repeat('1', 64), tool, args, args_digest, '{"rate": 9}', source, observed_at FROM answer.evidence LIMIT 1}, 'changed: reading');
named('a reading recorded by hand, with its own name', q{INSERT INTO answer.evidence SELECT answer.evidence_digest(tool, args, '{"rate": 9}', source, observed_at, NULL), tool, args, args_digest, '{"rate": 9}', source, observed_at FROM answer.evidence WHERE source = 'a'}, 'extra: answer\.evidence: reading sha256:[0-9a-f]{64} was written by hand');
outside('when a reading was recorded', q{UPDATE answer.evidence SET recorded_at = '2000-01-01Z'});
named('a reading gone with its series', [q{DELETE FROM answer.evidence WHERE source = 'b'}, q{DELETE FROM answer.evidence_series WHERE source = 'b'}], 'missing: reading sha256:[0-9a-f]{16}\.\.\. is gone, which a sealing has listed');
named("the lists of a sealing: $$_[0]", "$$_[1]", '(missing|configuration): ') for ['one gone', 'DELETE FROM answer.recorded_rows'], ['a row taken out', 'UPDATE answer.recorded_rows SET items = substring(items, 25)'],
    ['how far they go', q{UPDATE answer.recorded_rows SET covered_until = 'infinity'}], ['one more', q{INSERT INTO answer.recorded_rows SELECT 99, '', sealed_at, next_xid, cluster, 'infinity' FROM answer.recorded_rows LIMIT 1}];

#
# documents
#
named('the text of a chunk', q{UPDATE answer.chunk SET text = 'Forged.' WHERE tenant = '' AND ordinal = 0}, 'changed: chunk guide#p0 of version 1');
named('a chunk gone', q{DELETE FROM answer.chunk WHERE tenant = '' AND ordinal = 0}, 'missing: document guide, version 1: it has 1 chunks and was loaded with 2');
named('a chunk that is hidden', q{DELETE FROM answer.chunk_search WHERE tenant = '' AND ordinal = 1}, 'missing: chunk guide#p1 cannot be found');
named('a chunk that is found and not there', q{INSERT INTO answer.chunk_search SELECT tenant, 'guide#p2', doc_id, version, 2, "timestamp", sketch, items, title_items
    FROM answer.chunk_search WHERE tenant = '' LIMIT 1}, 'extra: chunk guide#p2 is in answer.chunk_search');
named("a judge's $$_[0]", "UPDATE answer.judge SET $$_[1] WHERE name = 'reader'", 
    'configuration: judge reader differs from its last logged change|changed: judge reader') for
    ['model', q{model = 'better'}], ['version', q{version = '2'}], ['function', q{handler = 'public.rate'}],
    ['kinds', q{kinds = '{entailment,conflict}'}], ['most pairs', 'max_pairs = 1'], ['owner', q{handler_owner = 'mallory'}];
named('whose judge it is', q{UPDATE answer.judge SET role = 'mallory' WHERE name = 'people'},
    'configuration: judge people differs from its last logged change');
named('a judge more', q{INSERT INTO answer.judge SELECT (j).* FROM (SELECT jsonb_populate_record(j, '{"name": "mine"}') AS j
    FROM answer.judge j WHERE name = 'people') AS x}, 'configuration: judge mine was put there by hand');
named('a judge gone', q{DELETE FROM answer.judge WHERE name = 'people'}, 'configuration: judge people is gone: no logged change removed it');
named('what a version of a judge was', q{UPDATE answer.judge_version SET model = 'better' WHERE name = 'reader'},
    'changed: judge reader: its version 1');
named('how good a judge was measured to be', q{UPDATE answer.judge_assessment SET balanced_accuracy = 0.5},
    'changed: judge reader: the columns of an assessment');
named('an assessment', q{UPDATE answer.judge_assessment SET assessment = jsonb_set(assessment, '{n}', '900'), n = 900},
    'configuration: judge reader differs from its last logged change');
named('a fact of a document', q{UPDATE answer.document_fact SET value = 'bowl'}, 'changed: the documents of tenant "", their embeddings or the facts');
named('a fact of a tenant that has no documents', q{INSERT INTO answer.document_fact SELECT (f).* FROM (SELECT jsonb_populate_record(f, '{"tenant": "initech"}') AS f FROM answer.document_fact f) AS x},
    'missing: tenant "initech" has documents, and no row in answer.document_set');
named('a fact gone', q{DELETE FROM answer.document_fact}, 'changed: the documents of tenant "", their embeddings or the facts');
named('how many have an item', q{UPDATE answer.chunk_item SET chunks = 7 WHERE tenant = '' AND item = 'kettl'}, 'changed: how many chunks have 1 items');
named('a document of nobody', q{UPDATE answer.document SET tenant = 'initech' WHERE tenant = ''}, 'configuration: there are documents of tenant "initech"');

# every column of stored and quoted content, and of its indexes; the values violate no constraint
my $columns = q{SELECT string_agg(format('%s %s %s', c.relname, a.attname, format_type(a.atttypid, NULL)), chr(10) ORDER BY c.relname, a.attnum)
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
    WHERE c.relnamespace = 'answer'::regnamespace AND c.relkind = 'r'
    AND c.relname ~ '^(document|document_set|chunk|chunk_(search|item|embedding)|graph_(node|edge|set|search|embedding)|memory_entry)$'};
my %other = ('graph_node.content_hash' => q{'sha256:' || repeat('b', 64)}, text => q{coalesce($, '') || 'x'}, integer => 'coalesce($, 0) + 7', bigint => '$ + 1',
    'timestamp with time zone' => q{$ + interval '1 microsecond'}, bytea => q{$ || '\x00'}, 'bytea[]' => q{$ || '\x00'::bytea}, 'real[]' => '$ || 1::real',
    'text[]' => q{$ || 'x'::text}, jsonb => q{jsonb_set($, '{x}', '1')});
# nothing depends on it: it counts statements that changed a graph since it was loaded or restored
my %silent = ('graph_set.version' => 1);
for (split /\n/, $sql->value($columns)) {
    my ($table, $column, $type) = split / /, $_, 3;
    my $value = $other{"$table.$column"} // $other{$type} // BAIL_OUT("no other value of type $type for $table.$column");
    $value =~ s/\$/"$column"/g;
    my $edit = qq{UPDATE answer.$table SET "$column" = $value WHERE ctid = (SELECT min(ctid) FROM answer.$table WHERE left(tenant, 1) <> '#')};
    $silent{"$table.$column"} ? outside("column $table.$column", $edit) : named("column $table.$column", $edit, '(?:changed|missing|extra|configuration): ');
}
named("a row of $_ gone", "DELETE FROM answer.$_ WHERE ctid = (SELECT max(ctid) FROM answer.$_ WHERE left(tenant, 1) <> '#')", '(?:changed|missing|extra|configuration): ')
    for qw(document document_set chunk chunk_search chunk_item chunk_embedding graph_node graph_edge graph_set graph_search graph_embedding memory_entry);

# an owner that computes all dependent values correctly, but has no key
my $forge = q{UPDATE answer.document_set s SET sum = answer.row_sum('', '{}', ARRAY(SELECT answer.row_digest('document', d) FROM answer.document d
    WHERE d.tenant = s.tenant UNION ALL SELECT answer.row_digest('chunk_embedding', e) FROM answer.chunk_embedding e WHERE e.tenant = s.tenant
    UNION ALL SELECT answer.row_digest('document_fact', f) FROM answer.document_fact f WHERE f.tenant = s.tenant)) WHERE tenant = ''};
my @fresh = (q{UPDATE answer.document SET "timestamp" = '2026-01-01Z' WHERE doc_id = 'guide' AND tenant = ''}, q{UPDATE answer.chunk_search SET "timestamp" = '2026-01-01Z' WHERE doc_id = 'guide' AND tenant = ''},
    q{UPDATE answer.document d SET content_hash = answer_digest(jsonb_build_object('doc_id', doc_id, 'title', title, 'url', url, 'timestamp', '2026-01-01T00:00:00Z', 'chunks',
        (SELECT jsonb_agg(jsonb_build_object('anchor', anchor, 'section', section, 'text', text) ORDER BY ordinal) FROM answer.chunk c WHERE c.doc_id = d.doc_id AND c.tenant = d.tenant)))
        WHERE doc_id = 'guide' AND tenant = ''});
named('a stale document made fresh', [@fresh], 'changed: the documents of tenant "", their embeddings or the facts read out of them, are not those that were loaded');
named('a stale document made fresh, and all that follows from it', [@fresh, $forge], 'configuration: documents differs from its last logged change');
my $load = q{SELECT answer_document_load('[{"doc_id": "new", "title": "New", "timestamp": "2024-01-01", "text": "A pan."}]')};
named('the same, with a load that signs what comes out', [@fresh, $forge, $load], 'configuration: documents: revision \d+ does not follow upon the one before it');
named('the same, with a load upon the rows alone', [@fresh, $load], 'changed: the documents of tenant "", their embeddings or the facts');
named('an older state of the documents put back', ['SAVEPOINT old', 'CREATE TABLE was AS SELECT * FROM answer.document_set', $load,
    q{DELETE FROM answer.document WHERE doc_id = 'new'}, q{DELETE FROM answer.chunk WHERE doc_id = 'new'}, q{DELETE FROM answer.chunk_search WHERE doc_id = 'new'},
    q{DELETE FROM answer.chunk_item WHERE item IN ('new', 'pan')}, q{UPDATE answer.chunk_item SET chunks = chunks - 1 WHERE tenant = '' AND item = 'a'},
    'DELETE FROM answer.document_set', 'INSERT INTO answer.document_set SELECT * FROM was'], 'configuration: documents differs from its last logged change');
my $forge_graph = q{UPDATE answer.graph_set s SET sum = answer.row_sum('', '{}', ARRAY(SELECT answer.row_digest('graph_node', n) FROM answer.graph_node n UNION ALL
    SELECT answer.row_digest('graph_edge', e) FROM answer.graph_edge e UNION ALL SELECT answer.row_digest('graph_embedding', e) FROM answer.graph_embedding e))};
my $rename = q{UPDATE answer.graph_node SET path = 'https://evil.example/' WHERE id = 'n2'};
my $rewire = q{UPDATE answer.graph_edge SET type = 'DEFINES'};
named('an edge of another type, and all that follows', [$rewire, $forge_graph], 'configuration: graph app differs from its last logged change');
named('the same, with a load that signs what comes out', [$rewire, $forge_graph, q{SELECT answer_graph_load('app', '[{"id": "n3", "labels": ["Code"], "name": "pan", "source_path": "src/pan.c",
    "content_hash": "sha256:HASH", "extraction_method": "test"}]')} =~ s/HASH/'2' x 64/er], 'configuration: graph app: revision \d+ does not follow upon the one before it');
named('a node with another path', [$rename, $forge_graph], 'configuration: graph app differs from its last logged change');
named('an older value put back into memory', [q{DELETE FROM answer.memory_entry WHERE key = 'k'}, 'INSERT INTO answer.memory_entry SELECT * FROM old_memory'],
    'configuration: memory sha256:[0-9a-f]{64} differs from its last logged change');
named('a value of memory gone', q{DELETE FROM answer.memory_entry WHERE key = 'k'}, 'configuration: memory sha256:[0-9a-f]{64} is gone: no logged change removed it');
named('a reading\'s tombstone gone', q{DELETE FROM answer.tombstone WHERE receipt_id IS NULL}, 'configuration: tombstone sha256:[0-9a-f]{64} is gone: no logged change removed it');
named('a document\'s tombstone gone, and the document loaded again', [q{SELECT answer_forget('manual', 'asked for')}, q{DELETE FROM answer.tombstone WHERE receipt_id IS NULL},
    q{SELECT answer_document_load('[{"doc_id": "manual", "title": "Manual", "timestamp": "2024-01-01", "url": "https://example.com/m",
        "sections": [{"anchor": "a", "title": "Water", "text": "A bowl.\\n\\nA jug."}]}]')}], 'configuration: tombstone sha256:[0-9a-f]{64} is gone: no logged change removed it');

#
# retrievals that wait for their answer
#
for (['the state', q{state = replace(state::text, 'A cup', 'A mug')::jsonb}], ['the configuration', q{state = jsonb_set(state, '{config,min_chunks}', '0')}], ['the query', q{state = jsonb_set(state, '{query}', '"A mug?"')}],
    ['the role', q{role = 'mallory'}], ['the tenant', q{tenant = 'initech'}], ['the name', q{retrieval_id = 'rtr_' || repeat('0', 32)}], ['the instant', q{retrieved_at = retrieved_at - interval '1 s'}],
    ['the life', q{expires_at = expires_at + interval '1 year'}], ['the signature', q{sig = sig || '{"alg": "none"}'}], ['a life without end', q{expires_at = 'infinity'}]) {
    named("what was retrieved: $$_[0]", "UPDATE answer.retrieval SET $$_[1]", 'changed: retrieval rtr_[0-9a-f]{32} is not what was kept: ');
}
named('what was retrieved and used, put back', 'INSERT INTO answer.retrieval SELECT * FROM old_retrieval', 'extra: retrieval rtr_[0-9a-f]{32} was used, and has come back');
named('what was retrieved and used, put back and used again', ['INSERT INTO answer.retrieval SELECT * FROM old_retrieval',
    q{SELECT answer_grounded('A kettle?', jsonb_build_object('answer', 'A kettle.', 'citations', '["guide#p0"]'::jsonb, 'retrieval_id', retrieval_id)) FROM old_retrieval}],
    'extra: retrieval rtr_[0-9a-f]{32} was used 2 times');
my $second = q{SELECT answer_grounded('A cup?', jsonb_build_object('answer', 'A mug.', 'citations', '["guide#p1"]'::jsonb, 'retrieval_id', retrieval_id)) FROM answer.retrieval};
refused("an answer from what was retrieved, with another $$_[0]", "UPDATE answer.retrieval SET $$_[1]", $second, 'XX001') for
    ['text', q{state = replace(state::text, 'A cup', 'A mug')::jsonb}], ['text and its digest', q{state = jsonb_set(jsonb_set(state, '{retrieval,chunks,0,text}', '"A mug."'), '{retrieval,chunks,0,content_hash}',
        to_jsonb('sha256:' || encode(sha256('A mug.'), 'hex')))}], ['life', q{expires_at = 'infinity'}], ['rule', q{state = jsonb_set(state, '{rules,stop_words}', '[]')}];
# a row that is signed, by a key that its owner registered for a moment
$witness->value($_) for q{SELECT answer_document_load('[{"doc_id": "guide", "title": "Guide", "timestamp": "2024-01-01", "text": "A mug."}]')}, q{SELECT answer_retrieve('A mug?', '{"config": {"min_chunks": 1}}')};
my $theirs = $witness->value(q{SELECT format('INSERT INTO answer.retrieval SELECT (%L::answer.retrieval).*', r) FROM answer.retrieval AS r});
refused('an answer from what another database retrieved, with its key in the registry', ["INSERT INTO answer.signing_key @{[$foreign_key =~ s/'active'/'retired'/r]}",
    'UPDATE answer.signing_key SET retired_at = now() + interval \'1 day\' WHERE key_id <> ' . quoted($key), $theirs],
    q{SELECT answer_grounded('A mug?', jsonb_build_object('answer', 'A mug.', 'citations', '["guide#p0"]'::jsonb, 'retrieval_id', retrieval_id)) FROM answer.retrieval WHERE state ->> 'query' = 'A mug?'}, 'XX001');
my $swap = q{UPDATE answer.decision_cache c SET receipt_id = o.receipt_id, issued_at = o.issued_at, expires_at = 'infinity', sig = o.sig FROM answer.decision_cache o WHERE o.receipt_id <> c.receipt_id};
for (['the receipts of two questions', $swap], ['the questions of two receipts', [q{UPDATE answer.decision_cache SET key = 'x' || key}, q{UPDATE answer.decision_cache c SET key = substr(o.key, 2) FROM answer.decision_cache o WHERE o.key <> c.key}]],
    ['the life', q{UPDATE answer.decision_cache SET expires_at = 'infinity'}], ['the tenant', q{UPDATE answer.decision_cache SET tenant = 'initech'}]) {
    named("what is kept to be given again: $$_[0]", $$_[1], 'changed: the answer that is kept under sha256:[0-9a-f]{64} is not what was kept: ');
}
my $again = q{SELECT r ->> 'query', r ->> 'cached', r ->> 'answer' ~ 'kettle' FROM answer_grounded('A kettle?', '{"config": {"min_chunks": 1, "cache_ttl_s": 86400}}') AS r};
is(attempt('SELECT', $again)->{out}, 'A kettle?|true|t', 'an answer is given again');
is(attempt($swap, $again)->{out}, 'A kettle?||t', 'and made anew where the kept one is another question\'s');
is(attempt(q{UPDATE answer.decision_cache SET expires_at = 'infinity'}, $again)->{out}, 'A kettle?||t', 'or is said to live longer');
is(attempt(q{UPDATE answer.receipt r SET body = o.body FROM answer.receipt o WHERE r.receipt_id <> o.receipt_id AND r.receipt_id IN (SELECT receipt_id FROM answer.decision_cache) AND o.receipt_id IN (SELECT receipt_id FROM answer.decision_cache)},
    $again)->{out}, 'A kettle?||t', 'or its receipt has the body of another one');
is(attempt(['ALTER TABLE answer.decision_cache ALTER COLUMN sig DROP NOT NULL', 'UPDATE answer.decision_cache SET sig = NULL'], $again)->{out}, 'A kettle?||t', 'or it is not signed');
named("what is kept in $_, without a signature", ["ALTER TABLE answer.$_ ALTER COLUMN sig DROP NOT NULL", "UPDATE answer.$_ SET sig = NULL"], 'changed: .* is not what was kept: ') for qw(retrieval decision_cache);
# with a compromised key the finding is about the key, not about a change
for (['key: retrieval rtr_[0-9a-f]{32} ', 'retrieval'], ['key: the answer that is kept under sha256:[0-9a-f]{64} ', 'decision_cache']) {
    named("what is kept in $$_[1], by a compromised key", q{UPDATE answer.signing_key SET status = 'compromised'}, "$$_[0]is not what was kept: the key is compromised");
}
unlike(attempt(q{UPDATE answer.signing_key SET status = 'compromised'}, $findings)->{out}, qr/^changed: /m, 'and nothing is told to have been changed');
named('what was retrieved, by nobody', ['ALTER TABLE answer.retrieval ALTER COLUMN role DROP NOT NULL', 'UPDATE answer.retrieval SET role = NULL'], 'changed: retrieval .* is not what was kept: ');
refused("an answer from what was retrieved, without its $_", ["ALTER TABLE answer.retrieval ALTER COLUMN $_ DROP NOT NULL", "UPDATE answer.retrieval SET $_ = NULL"], $second, 'XX001') for qw(state sig);

#
# documents of suites
#
named('a document of a suite', q{UPDATE answer.document SET title = title || 'x' WHERE ctid = (SELECT min(ctid) FROM answer.document WHERE left(tenant, 1) = '#')}, 'changed: document ');
named('a document of a suite gone', [map { qq{DELETE FROM answer.$_ WHERE (tenant, doc_id) = (SELECT min(tenant), min(doc_id) FROM answer.document WHERE left(tenant, 1) = '#')} } qw(chunk chunk_search document)], 'missing: suite ');
named('a document that a suite never had', q{INSERT INTO answer.document (tenant, doc_id, version, title, "timestamp", chunks, content_hash, loaded_by)
    SELECT tenant, 'mine', 1, 'x', now(), 1, 'sha256:' || repeat('0', 64), 'x' FROM answer.document WHERE left(tenant, 1) = '#' LIMIT 1}, 'extra: document mine of "#');
outside('a passage that is changed, quoted by an answer and put back', [q{CREATE TEMP TABLE was ON COMMIT DROP AS SELECT tenant, chunk_id, text FROM answer.chunk},
    q{UPDATE answer.chunk SET text = 'A kettle of gold.' WHERE tenant = '' AND chunk_id = 'guide#p0'}, q{SELECT answer_grounded('A kettle?', '{"config": {"min_chunks": 1}}')},
    q{UPDATE answer.chunk AS c SET text = was.text FROM was WHERE was.tenant = c.tenant AND was.chunk_id = c.chunk_id}]);
outside('what the owner has signed himself', [@fresh, $forge, 'SELECT answer_change_record()']);

#
# investigations
#
for (['the observation', q{observation = '{"run": 8, "passed": 8, "failed": 0}'}], ['its digest', q{digest = answer_digest('{}')}], ['the entry\'s name', q{entry = sha256('x')}],
    ['the tool', q{tool = 'cmake'}], ['the target', q{target = 'some'}], ['the query', q{query = 'x'}], ['the run', q{run = '2'}], ['the quality', q{quality = 'Weak'}]) {
    named("an entry: $$_[0]", "UPDATE answer.quality_entry SET $$_[1]", 'changed: entry ');
}
named('what is derived from an observation beside its quality', q{UPDATE answer.quality_entry SET reason = 'because'}, 'changed: entry .* is graded otherwise');
named('what was examined, as whoever recorded it said', q{UPDATE answer.quality_entry SET sources = '{x}'}, 'missing: an entry of investigation 1 is gone, or is not what it was');
named('an entry gone', 'DELETE FROM answer.quality_entry', 'missing: an entry of investigation 1 is gone');
named("what an investigation is for: $$_[0]", "UPDATE answer.investigation SET $$_[0] = $$_[1]", 'missing: investigation 1 is gone, or its question') for
    ['question', q{'else?'}], ['intent', q{'Locate'}], ['subject', q{'x'}], ['opened_by', q{'mallory'}], ['opened_at', q{'2000-01-01Z'}];
named('an investigation gone with its entries', ['DELETE FROM answer.quality_entry', 'DELETE FROM answer.investigation'], 'missing: investigation 1 is gone');
named('an investigation closed', q{UPDATE answer.investigation SET closed_at = now(), outcome = 'InsufficientEvidence'}, 'extra: answer\.investigation: the end of investigation 1 was written by hand');

#
# receipts and the log
#
named("a receipt: $$_[0]", "UPDATE answer.receipt SET $$_[1] WHERE receipt_id = $leaf", 'changed: ') for
    ['the body', q{body = body || '{"verdict": "refuted"}'}], ['the verdict', q{verdict = CASE verdict::text WHEN 'supported' THEN 'contradicted' ELSE 'supported' END::answer_composite_verdict}],
    ['the confidence', 'confidence = 0.123'], ['the key', q{key_id = 'x'}], ['the instant', q{issued_at = '2000-01-01Z'}], ['whether it is degraded', 'degraded = NOT degraded'];
named('a receipt gone', "DELETE FROM answer.receipt WHERE receipt_id = $leaf", 'missing: the receipt is gone');
named('a receipt under another name', "UPDATE answer.receipt SET receipt_id = 'ans_0000000000000000' WHERE receipt_id = $leaf", '(changed|extra|missing): ');
named('two bodies exchanged', ['UPDATE answer.receipt r SET body = o.body FROM answer.log_leaf a, answer.log_leaf b, answer.receipt o WHERE a.leaf_index + b.leaf_index = 11 AND a.leaf_index IN (5, 6) AND r.receipt_id = a.receipt_id AND o.receipt_id = b.receipt_id'], 'reordered: ');
named('a foreign receipt', q{INSERT INTO answer.receipt SELECT 'ans_0000000000000000', } . join(', ', grep { $_ ne 'receipt_id' } split /,/, $sql->value(q{SELECT string_agg(attname, ',' ORDER BY attnum) FROM pg_attribute WHERE attrelid = 'answer.receipt'::regclass AND attnum > 0 AND NOT attisdropped})) . " FROM answer.receipt WHERE receipt_id = $leaf", 'extra: ');
named("a leaf: $$_[0]", "UPDATE answer.log_leaf SET $$_[1] WHERE leaf_index = 5", '(changed|extra|missing|reordered): ') for
    ['the digest', q{digest = sha256('x')}], ['the name', q{receipt_id = 'x'}], ['the instant', q{issued_at = now()}], ['the place', 'leaf_index = 5000'];
named('a leaf gone', 'DELETE FROM answer.log_leaf WHERE leaf_index = 5', 'missing: the leaf is gone');
named('two leaves exchanged', ['UPDATE answer.log_leaf SET leaf_index = 9000 WHERE leaf_index = 5', 'UPDATE answer.log_leaf SET leaf_index = 5 WHERE leaf_index = 6', 'UPDATE answer.log_leaf SET leaf_index = 6 WHERE leaf_index = 9000'], 'reordered: ');
named("a tile: $$_[0]", "UPDATE answer.log_tile SET $$_[1]", '(changed|extra|missing): ') for ['the hashes', q{hashes = set_byte(hashes, 9, 255 - get_byte(hashes, 9))}], ['the level', 'level = 3'], ['the place', 'tile = tile + 77'];
named('a tile gone', 'DELETE FROM answer.log_tile', 'missing: tile 0');
named("a checkpoint: $$_[0]", "UPDATE answer.checkpoint SET $$_[1] WHERE tree_size = $new_size", '(changed|key|missing): ') for
    ['the root', q{root_hash = sha256('x')}], ['the edge', q{edge = set_byte(edge, 3, 255 - get_byte(edge, 3))}], ['the origin', q{origin = 'x'}], ['the key', q{key_id = 'x'}],
    ['the note', q{note = set_byte(note, 9, 255 - get_byte(note, 9))}], ['the size before', 'previous_size = 1'], ['the size', 'tree_size = tree_size + 1'], ['the instant, out of the key\'s life', q{sealed_at = '2000-01-01Z'}];
named('a checkpoint gone', 'DELETE FROM answer.checkpoint WHERE previous_size IS NULL', 'missing: checkpoint');
named("what waits: $$_[0]", $$_[1], '(changed|extra|missing): ') for ['gone', 'DELETE FROM answer.unsealed'], ['another digest', q{UPDATE answer.unsealed SET digest = sha256('x')}],
    ['another instant', q{UPDATE answer.unsealed SET issued_at = '2000-01-01Z'}], ['what is sealed', 'INSERT INTO answer.unsealed SELECT receipt_id, issued_at, digest FROM answer.log_leaf WHERE leaf_index = 5'], ['what is not there', q{INSERT INTO answer.unsealed VALUES ('ans_0000000000000000', now(), sha256('x'))}];
outside('a receipt gone before it was sealed, with its place in the queue and in the roll-up', ['CREATE TEMP TABLE gone ON COMMIT DROP AS SELECT min(receipt_id) AS id FROM answer.unsealed', 'DELETE FROM answer.unsealed WHERE receipt_id = (SELECT id FROM gone)', 'DELETE FROM answer.receipt WHERE receipt_id = (SELECT id FROM gone)',
    'DELETE FROM answer.rollup_new n WHERE NOT EXISTS (SELECT FROM answer.receipt r WHERE r.issued_at = n.issued_at)']);
outside('when it was sealed, within the key\'s life', q{UPDATE answer.checkpoint SET sealed_at = sealed_at + interval '1 us'});
outside('the audits that were run', 'INSERT INTO answer.log_audit (from_size, to_size, root_hash, defects) SELECT 0, tree_size, root_hash, 0 FROM answer.checkpoint');
named('an audit of another log', q{INSERT INTO answer.log_audit (from_size, to_size, root_hash, defects) SELECT 0, max(tree_size), sha256('x'), 0 FROM answer.checkpoint}, 'changed: the first');

# the log is emptied, and sealed again
# the roll-up counts each receipt, so whoever removes a receipt removes its count, too
my $not_told = 'DELETE FROM answer.rollup_new n WHERE NOT EXISTS (SELECT FROM answer.receipt r WHERE r.issued_at = n.issued_at)';
my @wiped = ("DELETE FROM answer.receipt WHERE receipt_id = $leaf", 'DELETE FROM answer.unsealed', 'INSERT INTO answer.unsealed SELECT receipt_id, issued_at, digest FROM answer.log_leaf WHERE leaf_index <> 5',
    'DELETE FROM answer.log_leaf', 'DELETE FROM answer.log_tile', 'DELETE FROM answer.cosignature', 'DELETE FROM answer.checkpoint', 'DELETE FROM answer.log_audit',
    q{DELETE FROM answer.receipt WHERE receipt_id NOT IN (SELECT receipt_id FROM answer.unsealed)}, q{DELETE FROM answer.anchor_request}, $not_told);
my $end = "(SELECT max(tree_size) FROM answer.checkpoint WHERE tree_size < $new_size)";
my @cut = ('DELETE FROM answer.witness_key', 'DELETE FROM answer.witness_checkpoint', "CREATE TEMP TABLE past ON COMMIT DROP AS SELECT $end AS size", 'DELETE FROM answer.receipt WHERE receipt_id IN (SELECT receipt_id FROM answer.unsealed UNION SELECT receipt_id FROM answer.log_leaf, past WHERE leaf_index >= size)',
    'DELETE FROM answer.unsealed', 'DELETE FROM answer.log_leaf USING past WHERE leaf_index >= size', 'DELETE FROM answer.log_tile USING past WHERE level = 0 AND (tile + 1) * 32 > size', 'DELETE FROM answer.cosignature',
    'DELETE FROM answer.checkpoint USING past WHERE tree_size > size', 'DELETE FROM answer.log_audit', $not_told);
my $no_mark = q{COPY (SELECT) TO PROGRAM 'cat > /dev/null; find . -name "witness-*" -exec rm {} +'};
refused('a log wiped, to be sealed again', [@wiped, 'SELECT answer_log_seal()'], 'SELECT 1', '55000');
named('a log wiped', \@wiped, 'missing: the log had [0-9]+ leaves when it was sealed last');
named('a log cut off beyond the last sealing but one', [@cut, 'DELETE FROM answer.checkpoint', 'DELETE FROM answer.log_leaf', 'DELETE FROM answer.log_tile', 'DELETE FROM answer.receipt', 'DELETE FROM answer.anchor_request', 'DELETE FROM answer.tombstone'], 'missing: the log had');
outside('a log cut off at the last sealing, before the next', \@cut, 'shrunk');
named('a log wiped and sealed again, the file beside the keys removed, and a logged change gone', [@wiped, $no_mark, 'SELECT answer_log_seal()'], 'configuration: ');
outside('a log wiped and sealed again, the file beside the keys removed, and every logged change kept', ['DELETE FROM answer.witness_key', @wiped, $no_mark, 'SELECT answer_log_seal()'], 'shrunk');

#
# what receipts refer to
#
named('a route table: its content', q{UPDATE answer.route_table SET content = '{}'}, 'changed: route table');
named('a route table: its digest', q{UPDATE answer.route_table SET sha256 = repeat('0', 64)}, 'changed: route table');
named('a route table gone', q{DELETE FROM answer.route_table}, 'missing: the route table');
for (['reason', q{'x'}], ['forgotten_at', q{'2000-01-01Z'}], ['digest', q{digest || '0'}], ['receipt_id', q{'ans_0000000000000000'}], ['body', q{body || '{"reason": "x"}'}]) {
    named("a tombstone: column $$_[0]", "UPDATE answer.tombstone SET $$_[0] = $$_[1] WHERE receipt_id IS NOT NULL", '(changed|key): ');
}
named('a tombstone of a reading', q{UPDATE answer.tombstone SET body = body || '{"receipts": []}', reason = 'x' WHERE receipt_id IS NULL}, 'changed: the tombstone');
named('a tombstone gone', 'DELETE FROM answer.tombstone WHERE receipt_id IS NOT NULL', 'changed: ');
named('a tombstone forged', q{INSERT INTO answer.tombstone SELECT 'sha256:' || repeat('1', 64), NULL, forgotten_at, forgotten_by, reason, body || jsonb_build_object('digest', 'sha256:' || repeat('1', 64)) FROM answer.tombstone WHERE receipt_id IS NULL LIMIT 1}, 'key: the tombstone');
named('a receipt replaced by a forged tombstone', "UPDATE answer.receipt SET body = jsonb_build_object('schema', 'answer/tombstone/v1', 'receipt_id', receipt_id, 'digest', answer_digest(body), 'reason', 'x') WHERE receipt_id = $leaf", '(changed|key): ');
outside('by whom it was forgotten', q{UPDATE answer.tombstone SET forgotten_by = 'nobody'});
named('an anchor forged', "INSERT INTO answer.anchor SELECT receipt_id, 'sha256:' || encode(sha256('x'), 'hex'), 'x', digest, now() FROM answer.log_leaf WHERE leaf_index = 5", 'changed: an anchor');
named('an anchor of another receipt', "INSERT INTO answer.anchor SELECT receipt_id, 'sha256:' || encode(sha256('x'), 'hex'), 'x', sha256('y'), now() FROM answer.log_leaf WHERE leaf_index = 5", 'changed: an anchor: its imprint');
named('an anchor of no receipt', q{INSERT INTO answer.anchor VALUES ('ans_0000000000000000', 'x', 'x', sha256('y'), now())}, 'changed: an anchor: its receipt');
named('a request for an anchor of no receipt', q{INSERT INTO answer.anchor_request VALUES ('ans_0000000000000000', '0x1', NULL, now())}, 'extra: a request');
outside('the nonce of a request for an anchor', q{UPDATE answer.anchor_request SET nonce = '0x1'});

#
# witnesses
#
named('a cosignature', q{UPDATE answer.cosignature SET line = set_byte(line, 60, 65 + get_byte(line, 60) % 2)}, 'changed: a cosignature');
named('the key of a cosignature', q{UPDATE answer.cosignature SET vkey = 'x'}, 'changed: a cosignature');
named('a cosignature of no checkpoint', q{UPDATE answer.cosignature SET tree_size = 1}, 'changed: a cosignature');
outside('a cosignature gone', 'DELETE FROM answer.cosignature');
outside('when a cosignature was added', q{UPDATE answer.cosignature SET added_at = '2000-01-01Z'});
named("what was witnessed: $$_[0]", "UPDATE answer.witness_checkpoint SET $$_[1]", 'changed: the witnessed checkpoint') for ['the root', q{root_hash = sha256('x')}], ['the size', 'tree_size = 99'], ['the origin', q{origin = 'x'}], ['the note', q{note = 'x'}];
outside('what was witnessed gone, which the file beside the keys remembers', 'DELETE FROM answer.witness_checkpoint');
named('whom one trusts', q{UPDATE answer.witness_key SET origin = 'x'}, 'changed: the key that is trusted for x');

#
is($sql->value($findings), '', 'after all this, the audit finds nothing');

#
# the roll-up
#
named('a roll-up that says that it was pruned', q{INSERT INTO answer.rollup_pruned VALUES (true, '2000-01-01Z', now())}, 'configuration: rollup pruned was put there by hand');
named('a roll-up that was pruned, and does not say so', [q{SELECT answer_rollup_prune('2000-01-01Z')}, 'DELETE FROM answer.rollup_pruned'], 'configuration: rollup pruned is gone');
named('a roll-up that was pruned less', [q{SELECT answer_rollup_prune('2000-01-01Z')}, q{UPDATE answer.rollup_pruned SET before = '1990-01-01Z'}], 'configuration: rollup pruned differs');
named("words of a document that are none: $_", ['SELECT answer_rollup()', "UPDATE answer.rollup_kept SET words = '$_' WHERE schema = 'change/v1'"], 'changed: the roll-up has something of a document of .* that is no words') for '[null]', '{}', '"x"';

#
# a sealing during an audit of earlier rows: the file beside the keys is ahead of the audit's snapshot
#
{
    my $reader = $server->session(setup => ['BEGIN ISOLATION LEVEL REPEATABLE READ', 'SELECT FROM answer.checkpoint']);
    $sql->value($_) for (q{SELECT answer_eval('{"checks": [{"tool": "postgres_server"}]}')}, 'SELECT answer_log_seal()') x 3;
    is($reader->value($findings), '', 'what was sealed since its snapshot is not missing from it');
    $reader->value('COMMIT');
    is($reader->value($findings), '', 'nor afterwards');
    $reader->close;
}

#
# the file beside the keys itself: a rollback does not undo it
#
{
    my @files = glob("$server->{data}/answer_eval_keys/" . $sql->value('SELECT DISTINCT folder FROM answer.signing_key') . '/witness-*');
    my %was = map { $_ => slurp($_) } @files;
    cmp_ok(scalar(@files), '>', 0, 'there is a file beside the keys');
    my $damaged = sub {
        my ($what, $damage, $finding, $state) = @_;
        $damage->($_) for @files;
        named("the file beside the keys $what", 'SELECT', "changed: the file beside the keys that remembers the last sealing $finding");
        refused("sealing beside a file that is $what", 'SELECT', 'SELECT answer_log_seal()', $state);
        for (@files) { unlink($_); spew($_, $was{$_}, 0600) }
        is($sql->value($findings), '', 'put back, nothing is found');
    };
    $damaged->('emptied', sub { spew($_[0], '') }, 'is damaged', 'XX001');
    $damaged->('of other bytes', sub { spew($_[0], "\xff" x 200) }, 'is damaged', 'XX001');
    $damaged->('of another size', sub { spew($_[0], $was{$_[0]} =~ s/^\d+/99999999999999999999/r) }, 'is damaged', 'XX001');
    $damaged->('a link', sub { unlink($_[0]); symlink('/etc/passwd', $_[0]) }, 'is damaged', 'XX001');
    $damaged->('without rights', sub { chmod(0, $_[0]) }, 'cannot be read: ', '42501');
}

#
# changes between the audit of the catalog and the reading of rows
#
{
    my $old = $server->session;
    $old->value($_) for 'BEGIN ISOLATION LEVEL REPEATABLE READ', 'SELECT 1';
    $sql->value('ALTER TABLE answer.receipt DISABLE TRIGGER receipt_append_only');
    like($old->value($findings), qr/^catalog: trigger receipt_append_only on answer.receipt is not/m, 'the catalog is looked at as it is, however old the snapshot');
    $old->value('ROLLBACK');
    $sql->value('ALTER TABLE answer.receipt ENABLE ALWAYS TRIGGER receipt_append_only');
    # an audit that reads no rows locks the tables, too
    $old->value($_) for 'BEGIN', 'CREATE CAST (answer_key_status AS text) WITH INOUT', $findings;
    $sql->value(q{SET lock_timeout = '1ms'});
    is($sql->run('ALTER TABLE answer.anchor RENAME TO mine')->{state}, '55P03', 'no table is exchanged until the audit\'s transaction ends');
    $sql->value('RESET lock_timeout');
    $old->value('ROLLBACK');
    $old->close;
    is($sql->value($findings), '', 'and then the audit finds nothing');
}

#
# several changes in one transaction, and calls that change nothing, never cause a finding
#
{
    $server->value('CREATE DATABASE together');
    my $owner = $server->session(dbname => 'together');
    $owner->value($_) for 'CREATE EXTENSION answer_eval', (map { ("SELECT answer_tenant_create('$_')", "CREATE ROLE $_", "SELECT answer_tenant_grant('$_', '$_')") } qw(acme globex)),
        'CREATE ROLE gateway IN ROLE acme, globex', 'GRANT EXECUTE ON ALL ROUTINES IN SCHEMA public TO acme, globex', 'CREATE SCHEMA work AUTHORIZATION acme';
    my $user = $server->session(dbname => 'together');
    my $load = sub { my ($id, $text) = @_; return qq{answer_document_load('[{"doc_id": "$id", "title": "T", "timestamp": "2026-01-01", "text": "$text"}]')} };
    my $hash = 'sha256:' . '0' x 64;
    my $graph = sub { my $nodes = join ', ', map { qq({"id": "$_", "labels": ["Code"], "name": "$_", "source_path": "$_.c", "extraction_method": "test", "content_hash": "$hash"}) } @_;
        return "answer_graph_load('app', '[$nodes]', '[" . (@_ > 1 ? qq({"from": "$_[0]", "to": "$_[1]", "type": "CALLS"}) : '') . "]')" };
    my $node = sub { "('', 'app', '$_[0]', '{Code}', '$_[0]', 'p', 'p', '$hash', 'test')" };
    my $insert = 'INSERT INTO answer.graph_node (tenant, project, id, labels, name, path, source_path, content_hash, extraction_method) VALUES ';
    my $clean = sub {
        my ($what, @statements) = @_;
        $user->value($_) for @statements, 'RESET ROLE';
        is($owner->value($findings), '', "nothing is found after $what");
    };
    my $d1 = sub { $load->('d1', $_[0]) };
    my $embed = sub { "answer_chunk_embed('d1#p0', '{$_[0]}')" };
    my $embed_node = sub { "answer_graph_embed('app', 'a', '{$_[0]}')" };
    $clean->('loads of nothing', 'SET ROLE globex', q{SELECT answer_document_load('[]')}, q{SELECT answer_graph_load('empty', '[]', '[]')});
    is($owner->value(q{SELECT count(*) FROM answer.document_set WHERE tenant = 'globex'}), 0, '... which leave no documents of that tenant');
    $clean->('a load, an embedding and a load', 'SET ROLE acme', 'BEGIN', 'SELECT ' . $d1->('One.'), 'SELECT ' . $embed->(1), 'SELECT ' . $load->('d2', 'Two.'), 'COMMIT');
    $clean->('a load and an embedding', 'SET ROLE acme', 'BEGIN', 'SELECT ' . $d1->('Two.'), 'SELECT ' . $embed->(2), 'COMMIT');
    $clean->('an embedding and an erasure', 'SET ROLE acme', 'BEGIN', 'SELECT ' . $embed->(3), q{SELECT answer_forget('d2', 'asked for')}, 'COMMIT');
    $clean->('all of them in one statement, fetched by a cursor', 'SET ROLE acme', 'BEGIN',
        'DECLARE c CURSOR FOR SELECT ' . join(', ', $embed->(4), $d1->('Three.'), $embed->(5), $load->('d3', 'A.'), $embed->(6)), 'FETCH ALL c', 'COMMIT');
    $clean->('a load that was rolled back, in a prepared transaction', 'SET ROLE acme', 'BEGIN ISOLATION LEVEL SERIALIZABLE', 'SELECT ' . $embed->(7), 'SAVEPOINT s',
        'SELECT ' . $load->('d4', 'B.'), 'ROLLBACK TO s', 'SELECT ' . $load->('d5', 'C.'), q{PREPARE TRANSACTION 'p'}, q{COMMIT PREPARED 'p'});
    $clean->('constraints that are set', 'SET ROLE acme', 'BEGIN ISOLATION LEVEL REPEATABLE READ', 'SET CONSTRAINTS ALL IMMEDIATE', 'SELECT ' . $embed->(8), 'SELECT ' . $d1->('Four.'),
        'SET CONSTRAINTS ALL DEFERRED', 'SELECT ' . $embed->(9), 'SELECT ' . $d1->('Five.'), 'SET CONSTRAINTS ALL IMMEDIATE', 'SELECT ' . $embed->(10), 'COMMIT');
    $clean->('two tenants in one transaction, and an exception', 'SET ROLE gateway', 'BEGIN', q{SET LOCAL answer_eval.tenant = 'acme'}, 'SELECT ' . $embed->(11),
        q{SET LOCAL answer_eval.tenant = 'globex'}, 'SELECT ' . $d1->('Six.'), 'SELECT ' . $embed->(12),
        'DO $do$ BEGIN PERFORM ' . $embed->(13) . '; PERFORM ' . $d1->('Seven.') . q{; RAISE 'no'; EXCEPTION WHEN raise_exception THEN PERFORM } . $embed->(14) . '; END $do$',
        q{SET LOCAL answer_eval.tenant = 'acme'}, 'SELECT ' . $d1->('Eight.'), 'COMMIT');
    $clean->('a graph, its embeddings and what is forgotten of it', 'SET ROLE acme', 'BEGIN', 'SELECT ' . $graph->('a', 'b'), 'SELECT ' . $embed_node->(1), 'SELECT ' . $graph->('a', 'b', 'c'),
        'SELECT ' . $embed_node->(2), q{SELECT answer_graph_forget('app', '{b}')}, 'SELECT ' . $embed_node->(3), 'COMMIT');
    $clean->('rows of a graph by hand, and a load', 'BEGIN', $insert . $node->('x'), 'SELECT ' . $graph->('y'), $insert . $node->('z'), 'COMMIT');
    for my $off ('SET check_function_bodies = off') {
        $clean->('a tenant that says it is a restore', 'SET ROLE acme', $off, 'SELECT ' . $embed->(15), 'SELECT ' . $embed_node->(4), 'RESET check_function_bodies',
            'SELECT ' . $d1->('Nine.'), 'SELECT ' . $graph->('a', 'd'));
        $clean->('... in a transaction with a load', 'SET ROLE acme', 'BEGIN', $off, 'SELECT ' . $embed->(16), 'SELECT ' . $embed_node->(5),
            'SELECT ' . $d1->('Ten.'), 'SELECT ' . $graph->('a', 'e'), 'COMMIT', 'RESET check_function_bodies');
        $clean->("a graph of the operator, who says so: $_", $off, $_, 'SELECT public.' . $graph->('a', 'f'), 'SELECT public.' . $embed_node->(6), 'SELECT public.' . $graph->('a', 'g'),
            'BEGIN', 'SELECT public.' . $embed_node->(7), 'SELECT public.' . $embed_node->(8), 'SELECT public.' . $graph->('a', 'h'), 'SELECT public.' . $embed_node->(9), 'COMMIT',
            'SELECT public.' . $graph->('a', 'i'), 'RESET check_function_bodies', 'RESET search_path') for 'SELECT 1', q{SET search_path = ''};
        $clean->('rows that he writes, who has only check_function_bodies off', $off, $insert . $node->('v'), 'SELECT ' . $graph->('a', 'k'), 'RESET check_function_bodies');
        $clean->('documents of the operator, who says so', $off, 'SELECT ' . $d1->('One.'), 'SELECT ' . $embed->(1), 'SELECT ' . $d1->('Two.'), 'RESET check_function_bodies');
    }
    # a trigger that fires before ours and loads content that would not follow what ours is about to sign
    $user->value($_) for 'SET ROLE acme', 'CREATE TABLE work.t (x int)',
        'CREATE FUNCTION work.f() RETURNS trigger LANGUAGE plpgsql AS $f$ BEGIN PERFORM ' . $load->('d6', 'D.') . '; RETURN NULL; END $f$',
        'CREATE CONSTRAINT TRIGGER t AFTER INSERT ON work.t DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION work.f()',
        'BEGIN', 'INSERT INTO work.t VALUES (1)', 'SELECT ' . $embed->(17);
    is($user->run('COMMIT')->{state}, '55000', 'a load by a trigger is refused before an embedding is recorded');
    $clean->('that', 'SELECT 1');
    $clean->('the same, where the embedding is recorded first', 'SET ROLE acme', 'BEGIN', 'SELECT ' . $embed->(18), 'INSERT INTO work.t VALUES (1)', 'COMMIT');
    $_->close for $user, $owner;
}
ok(!$server->crashed, 'the server never crashed');
my $all = $count{named} + $count{refused} + $count{outside};
cmp_ok($all, '>=', by_tier(60, 60, 250), "$all attempts: $count{named} named, $count{refused} refused, $count{outside} to be seen from outside alone");
note("$all attempts: $count{named} named, $count{refused} refused, $count{outside} to be seen from outside alone");
$_->close for $sql, $witness;
done_testing();
