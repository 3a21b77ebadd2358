#!/usr/bin/env perl
# From 0.1.0 to this version: afterwards the catalogue is that of a new installation, to the last statistics target, and
# what was stored and granted is what it was. test/upgrade/ has the install script of 0.1.0 as it was released; its
# rows are written by this version's code, which signs as 0.1.0 did, and carried over.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Test::More;

my ($version) = slurp(root_dir() . '/answer_eval.control') =~ /^default_version\s*=\s*'([^']+)'/m;
my $update = 'ALTER EXTENSION answer_eval UPDATE';
my $server = AnswerServer->new('main');
plan skip_all => 'the server at hand does not have the install script of 0.1.0'
    if $server->value(q{SELECT count(*) FROM pg_available_extension_versions WHERE name = 'answer_eval' AND version = '0.1.0'}) == 0;

#
# What an installation is. Each query gives lines; functions and types are named with their schema.
#
my $members = q{(SELECT d.classid, d.objid FROM pg_depend d JOIN pg_extension e ON e.oid = d.refobjid
    WHERE e.extname = 'answer_eval' AND d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e')};
my $tables = "(SELECT c.* FROM pg_class c JOIN $members m ON m.classid = 'pg_class'::regclass AND m.objid = c.oid)";
my %catalogue = (
    'the version' => q{SELECT extversion, extnamespace::regnamespace, extrelocatable FROM pg_extension WHERE extname = 'answer_eval'},
    'members' => "SELECT pg_describe_object(classid, objid, 0) FROM $members m",
    'functions' => qq{SELECT p.oid::regprocedure, pg_get_function_result(p.oid), pg_get_function_arguments(p.oid), l.lanname, prokind,
        provolatile, proisstrict, proparallel, procost, prorows, prosecdef, proleakproof, proretset, proconfig, prosrc, probin,
        pg_get_function_sqlbody(p.oid), prosupport, proowner::regrole, obj_description(p.oid, 'pg_proc')
        FROM pg_proc p JOIN pg_language l ON l.oid = prolang JOIN $members m ON m.classid = 'pg_proc'::regclass AND m.objid = p.oid},
    'aggregates' => qq{SELECT a.* FROM pg_aggregate a JOIN $members m ON m.classid = 'pg_proc'::regclass AND m.objid = a.aggfnoid},
    'types' => qq{SELECT format_type(t.oid, NULL), typtype, typowner::regrole, obj_description(t.oid, 'pg_type'),
        (SELECT string_agg(enumlabel, ',' ORDER BY enumsortorder) FROM pg_enum WHERE enumtypid = t.oid)
        FROM pg_type t JOIN $members m ON m.classid = 'pg_type'::regclass AND m.objid = t.oid},
    'tables' => qq{SELECT oid::regclass, relkind, relpersistence, relowner::regrole, reloptions, relreplident, relrowsecurity, relispartition,
        obj_description(oid, 'pg_class'), (SELECT reloptions FROM pg_class t WHERE t.oid = c.reltoastrelid),
        CASE relkind WHEN 'v' THEN pg_get_viewdef(oid) END FROM $tables c},
    # some builds of PostgreSQL 15 stamp every column with a pg_attver of its own
    'columns' => qq{SELECT attrelid::regclass, row_number() OVER (PARTITION BY attrelid ORDER BY attnum), attname, format_type(atttypid, atttypmod),
        attnotnull, attgenerated, attidentity, pg_get_expr(d.adbin, d.adrelid), attstorage, attcompression, COALESCE(attstattarget, -1),
        (SELECT array_agg(o) FROM unnest(attoptions) o WHERE o !~ '^pg_attver='), attcollation::regcollation, col_description(attrelid, attnum)
        FROM pg_attribute a JOIN $tables c ON c.oid = attrelid LEFT JOIN pg_attrdef d ON (d.adrelid, d.adnum) = (attrelid, attnum)
        WHERE attnum > 0 AND NOT attisdropped},
    'constraints' => qq{SELECT conrelid::regclass, conname, contype, pg_get_constraintdef(k.oid), convalidated, connoinherit,
        obj_description(k.oid, 'pg_constraint') FROM pg_constraint k JOIN $tables c ON c.oid = conrelid},
    'indexes' => qq{SELECT pg_get_indexdef(indexrelid), indisvalid, indisready, indisprimary, indisunique, indisclustered,
        (SELECT reloptions FROM pg_class x WHERE x.oid = indexrelid), obj_description(indexrelid, 'pg_class') FROM pg_index JOIN $tables c ON c.oid = indrelid},
    'triggers' => qq{SELECT regexp_replace(pg_get_triggerdef(t.oid), '_[0-9]+\\"', '\"'), tgenabled, tgisinternal, obj_description(t.oid, 'pg_trigger')
        FROM pg_trigger t JOIN $tables c ON c.oid = tgrelid},
    'privileges' => qq{SELECT 'function', p.oid::regprocedure::text, COALESCE(proacl, acldefault('f', proowner)) FROM pg_proc p JOIN $members m
            ON m.classid = 'pg_proc'::regclass AND m.objid = p.oid
        UNION ALL SELECT 'type', format_type(t.oid, NULL), COALESCE(typacl, acldefault('T', typowner)) FROM pg_type t JOIN $members m
            ON m.classid = 'pg_type'::regclass AND m.objid = t.oid
        UNION ALL SELECT 'table', c.oid::regclass::text, COALESCE(relacl, acldefault('r', relowner)) FROM $tables c
        UNION ALL SELECT 'column', attrelid::regclass || '.' || attname, attacl FROM pg_attribute a JOIN $tables c ON c.oid = attrelid
            WHERE attnum > 0 AND NOT attisdropped
        UNION ALL SELECT 'schema', nspname, nspacl FROM pg_namespace n JOIN $members m ON m.classid = 'pg_namespace'::regclass AND m.objid = n.oid},
    'privileges to begin with' => qq{SELECT pg_describe_object(i.classoid, i.objoid, i.objsubid), privtype, initprivs FROM pg_init_privs i
        JOIN $members m ON (m.classid, m.objid) = (i.classoid, i.objoid)},
    'what is dumped' => q{SELECT t::regclass, c FROM pg_extension, unnest(extconfig, extcondition) AS x (t, c) WHERE extname = 'answer_eval'},
    'dependencies' => qq{SELECT pg_describe_object(d.classid, d.objid, d.objsubid), pg_describe_object(refclassid, refobjid, refobjsubid), deptype
        FROM pg_depend d JOIN $members m ON (m.classid, m.objid) = (d.classid, d.objid)
        WHERE pg_describe_object(d.classid, d.objid, 0) || pg_describe_object(refclassid, refobjid, 0) !~ 'toast'},
    'sources and tools that come with it' => q{SELECT t::text FROM answer.tool t WHERE seed UNION ALL SELECT s::text FROM answer.source s WHERE seed},
);

sub catalogue {
    my ($dbname) = @_;
    my $session = $server->session(dbname => $dbname, options => '-c search_path=pg_catalog');
    my %lines = map {
        $_ => [split /\n/, $session->value("SELECT replace(x::text, chr(10), ' ') FROM ($catalogue{$_}) x")]
    } keys %catalogue;
    $session->close;
    return \%lines;
}

# Shows the lines that only one of them has.
sub same_catalogue {
    my ($got, $wanted, $what, @but) = @_;
    for my $part (sort keys %catalogue) {
        next if grep { $_ eq $part } @but;
        my %count;
        $count{$_}++ for @{$got->{$part}};
        $count{$_}-- for @{$wanted->{$part}};
        my @differ = grep { $count{$_} } sort keys %count;
        is(scalar(@differ), 0, "$what: $part (" . @{$got->{$part}} . ')')
            or diag(map { ($count{$_} > 0 ? '+ ' : '- ') . substr($_, 0, 600) . "\n" } @differ);
    }
    return;
}

sub database {
    my ($name, $encoding) = @_;
    $server->value(qq{CREATE DATABASE "$name" TEMPLATE template0 ENCODING '} . ($encoding || 'UTF8') . q{'});
    return $name;
}

#
# rows: keys that were retired and compromised, receipts by each, readings, of which some are odd
#
my $donor = database('donor');
my $at_donor = $server->session(dbname => $donor);
$at_donor->value($_) for 'CREATE EXTENSION answer_eval',
    q{SELECT answer_source_register('gauge', 'harbour')}, q{SELECT answer_source_register('buoy')},
    q{SELECT answer_tool_register('tide', required_args => '{port}', value_path => 'height', freshness => '36500 days', unit => 'm')},
    q{SELECT answer_evidence_add('tide', '{"port": "Malmö"}', '{"height": 0.50, "names": ["é", "\n", "ÿ"]}', 'gauge', '2026-01-01Z')},
    q{SELECT answer_evidence_add('tide', '{"port": "Malmö"}', '{"height": 1e2, "names": ["é"]}', 'buoy', '2026-01-02Z')};

sub mint {
    my ($session, $n) = @_;
    return $session->value(qq{SELECT count(answer_eval(jsonb_build_object('checks', jsonb_build_array(
        '{"id": "é", "tool": "tide", "args": {"port": "Malmö"}, "expect": {"path": "height", "op": "gt", "value": 0.4}}'::jsonb,
        '{"tool": "postgres_server"}'::jsonb, jsonb_build_object('tool', 'none', 'args', jsonb_build_object('n', random()), 'required', false)))))
        FROM generate_series(1, $n)});
}
mint($at_donor, 20);
my $retired = $at_donor->value(q{SELECT key_id FROM answer.signing_key});
my $compromised = $at_donor->value('SELECT answer_key_generate()');
mint($at_donor, 10);
my $active = $at_donor->value('SELECT answer_key_generate()');
$at_donor->value("SELECT answer_key_compromise('$compromised', clock_timestamp())");
mint($at_donor, 5);
my $all = 35;
is($at_donor->value('SELECT count(*) FROM answer.receipt WHERE answer_verify_ok(body)'), $all, "$all receipts by three keys");

my %columns = (
    signing_key => 'key_id, public_key, status, active_from, retired_at, compromised_after',
    receipt => 'receipt_id, issued_at, verdict, confidence, degraded, checks, key_id, body',
    evidence => 'digest, tool, args, args_digest, raw, source, observed_at, expires, recorded_at',
    evidence_series => 'tool, args_digest, source',
    source => 'source, independence_group, url, licence, description',
    tool => 'tool, handler, required_args, optional_args, freshness, value_path, unit, entity_path, timestamp_path, source_path, source,
        basis, category, country, description',
);

# Makes a database of 0.1.0, with what the other one has. Its own key goes, as in a database that was never restored.
sub old_database {
    my ($name, %options) = @_;
    database($name, $options{encoding});
    my $session = $server->session(dbname => $name);
    $session->value($options{schema} ? qq{CREATE SCHEMA "$options{schema}"} : 'SELECT');
    $session->value(q{CREATE EXTENSION answer_eval VERSION '0.1.0'} . ($options{schema} ? qq{ SCHEMA "$options{schema}"} : ''));
    $session->value('DELETE FROM answer.signing_key') unless $options{keep_key};
    for my $table (sort keys %columns) {
        my $file = "$server->{dir}/$table.copy";
        my $rows = $table eq 'source' || $table eq 'tool' ? ' WHERE NOT seed' : '';
        $at_donor->value("COPY (SELECT $columns{$table} FROM answer.$table$rows) TO '$file' ENCODING 'UTF8'");
        $session->value("COPY answer.$table ($columns{$table}) FROM '$file' ENCODING 'UTF8'");
    }
    return $session;
}

my %fresh = map { $_ => catalogue($_) } map {
    my ($name, $schema) = @$_;
    database($name);
    $server->value(($schema ? qq{CREATE SCHEMA "$schema"; } : '') . 'CREATE EXTENSION answer_eval' . ($schema ? qq{ SCHEMA "$schema"} : ''),
        dbname => $name);
    $name;
} ['fresh'], ['fresh elsewhere', 'Other place'];

#
# before: the library of this version with the SQL of the other
#
my $old = old_database('old');
my $keys = quoted($at_donor->value('SELECT answer_key_registry()'));
is($old->value('SELECT extversion FROM pg_extension WHERE extname = $$answer_eval$$'), '0.1.0', 'a database of 0.1.0');
is($old->value(q{SELECT count(*) FROM answer.receipt WHERE (answer_verify(body) ->> 'ok')::boolean}), $all,
    'before the update: receipts verify by the registry');
is($old->value(qq{SELECT count(*) FROM answer.receipt WHERE (answer_verify(answer_receipt(receipt_id), $keys) ->> 'ok')::boolean}), $all,
    'before the update: and by keys that are given');
is($old->value(q{SELECT answer_canonical('{"b": 1.0, "a": null}'::json) || answer_portable('[1.50]')}), '{"a":null,"b":1.0}[1.5]',
    'before the update: pure functions work');
is($old->value(q{SELECT jsonb_array_length(answer_key_registry())}), 3, 'before the update: the registry can be read');
for my $request ('{"checks": [{"tool": "tide", "args": {"port": "Malmö"}}]}', '{"checks": [{"tool": "none"}]}',
    '{"question": "Is the setting fsync on?"}') {
    my $result = $old->run('SELECT answer_eval(' . quoted($request) . ')');
    is($result->{state}, '42P01', 'before the update: nothing is signed');
    like($result->{err}, qr/^HINT:.*ALTER EXTENSION answer_eval UPDATE/m, 'before the update: and the hint is to update');
}
is($old->run(q{DELETE FROM answer.receipt})->{state}, '23001', 'before the update: receipts stay');
is($server->value(q{SELECT count(*) FROM pg_extension_update_paths('answer_eval') WHERE target = } . quoted($version) . ' AND path IS NULL'),
    0, "every version leads to $version");

# what the owner granted, and what the planner sampled
$server->value('CREATE ROLE auditor; CREATE ROLE everybody_else');
$old->value($_) for 'GRANT USAGE ON SCHEMA answer TO auditor', 'GRANT SELECT ON answer.receipt, answer.signing_key, answer.evidence TO auditor',
    'GRANT EXECUTE ON FUNCTION answer_receipt(text), answer_key_registry(), answer_keys(), answer_append_only(),
        answer_evidence_add(text, jsonb, jsonb, text, timestamptz, timestamptz) TO auditor',
    'GRANT EXECUTE ON FUNCTION answer_receipt(text) TO PUBLIC', 'GRANT EXECUTE ON FUNCTION answer_eval(jsonb) TO PUBLIC', 'ANALYZE';
my $samples = q{SELECT count(*) FROM pg_stats WHERE schemaname = 'answer' AND (tablename, attname) IN
    (('receipt', 'body'), ('evidence', 'args'), ('evidence', 'raw'))};
is($old->value($samples), 3, 'before the update: the planner has samples of bodies');
my $others = q{SELECT count(*) FROM pg_stats WHERE schemaname = 'answer' AND tablename IN ('receipt', 'evidence')};
my $other_samples = $old->value($others) - 3;

#
# an update that is not to be
#
my $before = catalogue('old');
$old->value('BEGIN');
$old->value($update);
is($old->value('SELECT count(*) FROM answer.unsealed'), $all, 'in the transaction: updated');
is($old->value('SELECT count(answer_eval($${"checks": [{"tool": "none"}]}$$))'), 1, 'in the transaction: signs');
$old->value('ROLLBACK');
same_catalogue(catalogue('old'), $before, 'rolled back');
is($old->value(q{SELECT count(*) FROM answer.receipt WHERE (answer_verify(body) ->> 'ok')::boolean}), $all, 'rolled back: receipts verify');
is($old->value($samples), 3, 'rolled back: samples are back');
for my $level ('REPEATABLE READ', 'SERIALIZABLE') {
    $old->value("BEGIN ISOLATION LEVEL $level");
    my $result = $old->run($update);
    is($result->{state}, '25000', "refused at $level, which may see too few receipts");
    $old->value('ROLLBACK');
}

# Who signs meanwhile? Nobody starts, and who began has to end: nothing is stored that the log does not hear of.
{
    my $writer = $server->session(dbname => 'old');
    $writer->value('BEGIN');
    $writer->value('LOCK TABLE answer.receipt IN ROW EXCLUSIVE MODE');
    $old->value(q{SET lock_timeout = '200ms'});
    is($old->run($update)->{state}, '55P03', 'waits for who is storing receipts');
    $old->value('RESET lock_timeout');
    $writer->value('COMMIT');
    $writer->close;
}

#
# the update, in a session that used 0.1.0's functions, as in one that starts anew
#
is($old->run($update)->{state}, '00000', 'updates');
my $after = catalogue('old');
same_catalogue($after, $fresh{fresh}, 'updated', 'privileges', 'privileges to begin with');
my @lacking = grep { my $line = $_; !grep { $_ eq $line } @{$after->{'privileges to begin with'}} } @{$fresh{fresh}{'privileges to begin with'}};
is("@lacking", '', 'updated: privileges to begin with');
is(scalar(@{$after->{'privileges to begin with'}}), scalar(@{$fresh{fresh}{'privileges to begin with'}}), 'updated: and no others');
my $privileges = q{SELECT string_agg(p, ' ') FROM (VALUES
    ('receipt ' || has_function_privilege('auditor', 'answer_receipt(text)', 'EXECUTE')),
    ('registry ' || has_function_privilege('auditor', 'answer_key_registry()', 'EXECUTE')),
    ('add ' || has_function_privilege('auditor', 'answer_evidence_add(text, jsonb, jsonb, text, timestamptz, timestamptz)', 'EXECUTE')),
    ('append ' || has_function_privilege('auditor', 'answer_append_only()', 'EXECUTE')),
    ('table ' || has_table_privilege('auditor', 'answer.signing_key', 'SELECT')),
    ('public ' || has_function_privilege('everybody_else', 'answer_receipt(text)', 'EXECUTE')),
    ('public eval ' || has_function_privilege('everybody_else', 'answer_eval(jsonb)', 'EXECUTE')),
    ('new ' || has_function_privilege('auditor', 'answer_forget(text, text)', 'EXECUTE')),
    ('keys ' || has_function_privilege('auditor', 'answer_keys(text)', 'EXECUTE')),
    ('unsealed ' || has_table_privilege('auditor', 'answer.unsealed', 'SELECT'))) v (p)};
my $granted = 'receipt true registry true add true append true table true public true public eval true new false keys false unsealed false';
is($old->value($privileges), $granted, 'updated: what the owner granted is granted, and nothing new');
is($old->value($samples), 0, 'updated: the planner has no samples of bodies any more');
is($old->value($others), $other_samples, 'updated: but it has the others');
$old->value('ANALYZE');
is($old->value($samples), 0, 'updated: and takes none');

sub lives { return $_[0]->value(q{SELECT string_agg(concat_ws(' ', key_id, status, active_from, retired_at, compromised_after), chr(10) ORDER BY key_id)
    FROM answer.signing_key}) }
is(lives($old), lives($at_donor), 'updated: each key has the life that it had');
is($old->value(q{SELECT count(*) FROM answer.signing_key WHERE fingerprint = encode(sha256(public_key), 'hex')}), 3, 'updated: and a fingerprint');
is($old->value('SELECT count(*) FROM answer.receipt WHERE answer_verify_ok(body)'), $all, 'updated: receipts verify by the registry');
is($old->value(qq{SELECT count(*) FROM answer.receipt WHERE (answer_verify(answer_receipt(receipt_id), $keys) ->> 'ok')::boolean}), $all,
    'updated: and by keys that are given');
is($old->value(q{SELECT count(*) FROM answer.receipt WHERE (answer_replay(body) ->> 'ok')::boolean}), $all, 'updated: and replay');
my $waiting = q{SELECT md5(string_agg(u::text, chr(10) ORDER BY receipt_id)) || count(*) FROM answer.unsealed u};
is($old->value($waiting), $at_donor->value($waiting), 'updated: all of them wait, by the digests that minting gives');
is($old->value('SELECT key_id FROM answer.signing_key WHERE status = $$active$$'), $active, 'updated: the same key is active');
is(mint($old, 3), 3, 'updated: signs');
is($old->value(q{SELECT string_agg(DISTINCT key_id, ' ') FROM (SELECT key_id FROM answer.receipt ORDER BY issued_at DESC LIMIT 3) x}), $active,
    'updated: with that key');
is($old->value(q{SELECT answer_log_seal() ->> 'sealed'}), $all + 3, 'updated: everything is sealed');
is($old->value('SELECT string_agg(a::text, chr(10)) FROM answer_log_audit() a'), '', 'updated: and audited, without a finding');
is($old->value(q{SELECT count(*) FROM answer.receipt r WHERE (answer_log_verify(answer_log_inclusion(receipt_id), body) ->> 'ok')::boolean}),
    $all + 3, 'updated: each receipt is proven to be in the log');
is($old->run('UPDATE answer.receipt SET checks = 0')->{state}, '23001', 'updated: receipts stay as they are');
is($old->run('TRUNCATE answer.receipt')->{state}, '23001', 'updated: and where they are');
is($old->run('DELETE FROM answer.signing_key')->{state}, '23001', 'updated: and so do keys now');
my $victim = $old->value('SELECT receipt_id FROM answer.receipt ORDER BY issued_at LIMIT 1');
is($old->run("SELECT answer_forget('$victim', 'asked to')")->{state}, '00000', 'updated: a receipt from before can be forgotten');
is($old->value('SELECT string_agg(finding::text, $$ $$) FROM answer_log_audit(0)'), 'forgotten', 'updated: the audit says so, and no more');
is($old->run(q{SELECT answer_evidence_add('tide', '{"port": "Malmö"}', '{"height": 2}', 'buoy', '2026-02-01Z')})->{state}, '00000',
    'updated: readings are stored');
is($old->run($update)->{err} =~ /already/ ? 1 : 0, 1, 'updated: and up to date');

#
# copies of what was updated
#
my $dump = "$server->{dir}/dump.sql";
AnswerServer::must(AnswerServer::program('pg_dump'), '-h', $server->{host}, '-p', '5432', '-U', 'postgres', '-f', $dump, 'old');
database('restored');
AnswerServer::must($server->psql_command('restored', $dump), '-v', 'ON_ERROR_STOP=1');
my $restored = $server->session(dbname => 'restored');
same_catalogue(catalogue('restored'), $fresh{fresh}, 'dumped and restored', 'privileges');
is($restored->value($privileges), $granted, 'dumped and restored: what was granted');
is($restored->value('SELECT count(*) FROM answer.receipt WHERE answer_verify_ok(body)'), $all + 3, 'dumped and restored: receipts verify');
is($restored->value('SELECT answer_checkpoint()'), $old->value('SELECT answer_checkpoint()'), 'dumped and restored: the log is the same');
is(mint($restored, 1), 1, 'dumped and restored: signs');
$restored->value('SELECT answer_log_seal()');
is($restored->value('SELECT string_agg(finding::text, $$ $$) FROM answer_log_audit(0)'), 'forgotten', 'dumped and restored: is audited');

#
# a dump of 0.1.0, restored where this version is installed: the manual's statement makes its receipts wait
#
{
    my $source = old_database('dumped');
    my $lives = lives($source);
    $source->close;
    AnswerServer::must(AnswerServer::program('pg_dump'), '-h', $server->{host}, '-p', '5432', '-U', 'postgres', '-f', $dump, 'dumped');
    database('moved');
    AnswerServer::must($server->psql_command('moved', $dump), '-v', 'ON_ERROR_STOP=1');
    my $moved = $server->session(dbname => 'moved');
    same_catalogue(catalogue('moved'), $fresh{fresh}, 'a dump of 0.1.0');
    is(lives($moved), $lives, 'a dump of 0.1.0: keys have their lives');
    is($moved->value('SELECT count(*) FROM answer.receipt WHERE answer_verify_ok(body)'), $all, 'a dump of 0.1.0: receipts verify');
    is(mint($moved, 1), 1, 'a dump of 0.1.0: signs');
    is($moved->value(q{SELECT answer_log_seal() ->> 'sealed'}), 1, 'a dump of 0.1.0: the log takes what is new');
    is($moved->value('SELECT count(*) FROM answer_log_audit()'), $all, 'a dump of 0.1.0: the audit names what it has not');
    my ($statement) = slurp(root_dir() . '/doc/answer_eval.md') =~ /^```sql\n(INSERT INTO answer\.unsealed .*?)^```/ms;
    my $session = $server->session(dbname => 'moved');
    $session->value($_) for $statement, $statement;
    is($session->value(q{SELECT answer_log_seal() ->> 'sealed'}), $all, 'a dump of 0.1.0: the statement in the manual helps');
    $session->value($statement);
    is($session->value('SELECT count(*) FROM answer.unsealed'), 0, 'a dump of 0.1.0: and not twice');
    is($session->value('SELECT count(*) FROM answer_log_audit(0)'), 0, 'a dump of 0.1.0: the audit is clean then');
}

#
# in another schema, and in another encoding
#
my $elsewhere = old_database('elsewhere', schema => 'Other place');
is($elsewhere->run($update)->{state}, '00000', 'in another schema: updates');
same_catalogue(catalogue('elsewhere'), $fresh{'fresh elsewhere'}, 'in another schema');
$elsewhere->value('SET search_path = "Other place"');
is($elsewhere->value(q{SELECT count(*) FROM answer.receipt WHERE answer_verify_ok(answer_receipt(receipt_id))}), $all,
    'in another schema: receipts verify');
is($elsewhere->value($waiting), $at_donor->value($waiting), 'in another schema: and wait');
is(mint($elsewhere, 1), 1, 'in another schema: signs');
is($elsewhere->value(q{SELECT answer_log_seal() ->> 'sealed'}), $all + 1, 'in another schema: seals');
is($elsewhere->value('SELECT count(*) FROM answer_log_audit()'), 0, 'in another schema: is audited');
for my $encoding ('LATIN1', 'SQL_ASCII') {
    my $session = old_database("in $encoding", encoding => $encoding);
    is($session->run($update)->{state}, '00000', "$encoding: updates");
    is($session->value($waiting), $at_donor->value($waiting), "$encoding: the digests are the same");
}

#
# two active keys: what restoring a dump of 0.1.0 gave
#
{
    my $twice = old_database('twice', keep_key => 1);
    my $own = $twice->value("SELECT key_id FROM answer.signing_key WHERE status = 'active' AND key_id <> '$active'");
    $twice->value($update);
    is($twice->value(q{SELECT string_agg(key_id, ' ') FROM answer.signing_key WHERE status = 'active'}), $own, 'two active keys: the newest stays');
    is($twice->value("SELECT retired_at = (SELECT active_from FROM answer.signing_key WHERE key_id = '$own') FROM answer.signing_key
        WHERE key_id = '$active'"), 't', 'two active keys: the other one retires when it began');
    is($twice->value('SELECT count(*) FROM answer.receipt WHERE answer_verify_ok(body)'), $all, 'two active keys: receipts verify');
    is(mint($twice, 1), 1, 'two active keys: signs');
    is($twice->value('SELECT key_id FROM answer.receipt ORDER BY issued_at DESC LIMIT 1'), $own, 'two active keys: with the newest');

    # another cluster went on with the old key, and its rows came later
    my $late = old_database('late', keep_key => 1);
    $own = $late->value("SELECT key_id FROM answer.signing_key WHERE status = 'active' AND key_id <> '$active'");
    mint($at_donor, 2);
    my $file = "$server->{dir}/late.copy";
    $at_donor->value("COPY (SELECT $columns{receipt} FROM answer.receipt ORDER BY issued_at DESC LIMIT 2) TO '$file'");
    $late->value("COPY answer.receipt ($columns{receipt}) FROM '$file'");
    $late->value($update);
    is($late->value("SELECT retired_at = (SELECT max(issued_at) FROM answer.receipt WHERE key_id = '$active') FROM answer.signing_key
        WHERE key_id = '$active'"), 't', 'two active keys: the life of the other covers what it signed');
    is($late->value('SELECT count(*) FROM answer.receipt WHERE answer_verify_ok(body)'), $all + 2, 'two active keys: those receipts verify');

    # begun at the same instant: the one that 0.1.0 would have chosen
    my $same = old_database('same instant', keep_key => 1);
    $same->value(q{UPDATE answer.signing_key SET active_from = '2026-01-01Z'});
    my ($first) = sort split / /, $same->value(q{SELECT string_agg(key_id, ' ') FROM answer.signing_key WHERE status = 'active'});
    $same->value($update);
    is($same->value(q{SELECT string_agg(key_id, ' ') FROM answer.signing_key WHERE status = 'active'}), $first,
        'two active keys of the same age: the one that signed');

    # what an owner may have written by hand, since there were no functions for it
    my $hand = old_database('by hand');
    $hand->value("UPDATE answer.signing_key SET compromised_after = retired_at WHERE key_id = '$retired'");
    $hand->value("UPDATE answer.signing_key SET retired_at = (SELECT max(issued_at) FROM answer.receipt WHERE key_id = '$active') WHERE key_id = '$active'");
    my $verified = $hand->value(q{SELECT count(*) FROM answer.receipt WHERE (answer_verify(body) ->> 'ok')::boolean});
    $hand->value($update);
    is($hand->value('SELECT count(*) FROM answer.receipt WHERE answer_verify_ok(body)'), $verified, 'lives written by hand: the same receipts verify');
    is($hand->value("SELECT string_agg(status::text, ' ' ORDER BY key_id = '$active') FROM answer.signing_key WHERE key_id IN ('$retired', '$active')"),
        'compromised retired', 'lives written by hand: the status is what they say');
    my $result = $hand->run('SELECT answer_eval($${"checks": [{"tool": "none"}]}$$)');
    like($result->{err}, qr/answer_key_generate/, 'lives written by hand: without an active key, the hint is to make one');

    my $wrong = old_database('wrong');
    $wrong->value("UPDATE answer.signing_key SET public_key = sha256('another') WHERE key_id = '$active'");
    $result = $wrong->run($update);
    is($result->{state}, '23514', 'a key that is not the one of its id: refused');
    like($result->{err}, qr/signing_key_id_follows/, 'a key that is not the one of its id: and said why');
}

# No key and no receipt: the first receipt makes the first key, as after CREATE EXTENSION.
{
    database('empty');
    my $empty = $server->session(dbname => 'empty');
    $empty->value($_) for q{CREATE EXTENSION answer_eval VERSION '0.1.0'}, 'DELETE FROM answer.signing_key', $update;
    is($empty->value('SELECT count(answer_eval($${"checks": [{"tool": "none"}]}$$))'), 1, 'an empty registry: signs');
    is($empty->value(q{SELECT answer_log_seal() ->> 'sealed'}), 1, 'an empty registry: and seals');
    $empty->value($_) for 'DROP EXTENSION answer_eval', 'CREATE EXTENSION answer_eval';
    is($empty->value(q{SELECT to_regclass('answer.unsealed') IS NOT NULL}), 't', 'and can be dropped and created again');
}

# Whoever made the extension has given all that he owned to a role that is no superuser.
{
    database('handed over');
    my $over = $server->session(dbname => 'handed over');
    $over->value($_) for 'CREATE ROLE maker SUPERUSER', 'CREATE ROLE "the keeper"', 'SET ROLE maker', q{CREATE EXTENSION answer_eval VERSION '0.1.0'},
        'RESET ROLE', 'REASSIGN OWNED BY maker TO "the keeper"', $update;
    is($over->value(q{SELECT string_agg(DISTINCT pg_get_userbyid(COALESCE(relowner, proowner, typowner)), ' ') FROM pg_depend d
        LEFT JOIN pg_class c ON (d.classid, d.objid) = ('pg_class'::regclass, c.oid)
        LEFT JOIN pg_proc p ON (d.classid, d.objid) = ('pg_proc'::regclass, p.oid) LEFT JOIN pg_type t ON (d.classid, d.objid) = ('pg_type'::regclass, t.oid)
        WHERE deptype = 'e' AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'answer_eval')}), 'the keeper', 'another owner: owns what is new');
    is($over->value(q{SELECT string_agg(DISTINCT pg_get_userbyid(relowner), ' ') FROM pg_class WHERE relnamespace = 'answer'::regnamespace}), 'the keeper',
        'another owner: indexes and sequences as well');
    is($over->run($_)->{state}, '00000', "another owner: $_") for q{SELECT answer_ask('Is the setting fsync on?')}, 'SELECT answer_log_seal()',
        q{SELECT answer_investigation_record(answer_investigation_open('Locate', 'x'), 'grep', 'q', 't', '{}')}, 'SELECT answer_quality_receipt(1)',
        'SELECT answer_investigation_close(1)', q{SELECT answer_route_enable('postgres.uptime', false)},
        q{SELECT answer_forget(receipt_id, 'x') FROM answer.quality_receipt}, q{SELECT answer_forget(receipt_id, 'x') FROM answer.receipt};
    $over->close;
}

# Receipts in partitions, as an owner may have put them.
{
    my $parts = old_database('parts');
    $parts->value($_) for 'ALTER TABLE answer.receipt RENAME TO receipt_all',
        'CREATE TABLE answer.receipt (LIKE answer.receipt_all) PARTITION BY RANGE (issued_at)',
        'ALTER TABLE answer.receipt ATTACH PARTITION answer.receipt_all DEFAULT', 'ANALYZE';
    is($parts->run($update)->{state}, '00000', 'partitioned receipts: updates');
    is($parts->value(q{SELECT reloptions FROM pg_class WHERE oid = 'answer.receipt_all'::regclass}), '{parallel_workers=64}',
        'partitioned receipts: the partition is set');
    is($parts->value(q{SELECT count(*) FROM pg_stats WHERE schemaname = 'answer' AND attname = 'body'}), 0, 'partitioned receipts: no samples');
    is($parts->value(q{SELECT answer_log_seal() ->> 'sealed'}), $all + 2, 'partitioned receipts: are sealed');
    is($parts->value('SELECT count(*) FROM answer_log_audit()'), 0, 'partitioned receipts: and audited');
}
ok(!$server->crashed, 'the server did not crash');
done_testing();
