#!/usr/bin/env perl
# How Citus tables change what the extension does, on a server without Citus: its catalog and the names of its sessions
# are faked. doc_citus.pl has real clusters.
# tiers: check test
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Test::More;

my $server = AnswerServer->new('main', conf => ['max_prepared_transactions = 5'], extended => 1);
$server->value($_) for (
    q{SELECT answer_source_register('probe')},
    q{SELECT answer_tool_register('level', value_path => 'n')});
my $digest = 'sha256:' . 'ab' x 32;
my $ask = q{'{"checks": [{"tool": "level", "observe": true}]}'};

sub message { my ($table) = @_; return "ALTER TABLE $table " . ($table eq 'answer.receipt' ? 'ALTER COLUMN tenant SET STATISTICS -1' : 'SET (fillfactor = 100)') }
# Makes a table a Citus table: adds its row in the catalog, and sends the message that Citus sends. If it is partitioned, its partitions become Citus tables too.
sub distribute { my ($table) = @_; return qq{WITH done AS (INSERT INTO pg_catalog.pg_dist_partition VALUES ('$table', 't') RETURNING 1)
    SELECT count(*) FROM done; } . message($table) }
sub take_back { my ($table) = @_; return qq{DELETE FROM pg_catalog.pg_dist_partition WHERE logicalrelid = '$table'::regclass;
    } . message($table) }

my $session = $server->session;
is($session->value("SELECT answer_log_seal() ->> 'tree_size'"), '3', 'without Citus nothing is distributed');
$session->value($_) for ('BEGIN', 'SET LOCAL allow_system_table_mods = on',
    'CREATE TABLE pg_catalog.pg_dist_partition (logicalrelid regclass NOT NULL, partmethod "char" NOT NULL)', 'COMMIT');
is($session->value("SELECT answer_log_seal() ->> 'tree_size'"), '3', 'nor with an empty catalog');

#
# the log
#
for my $table (qw(unsealed log_leaf log_tile checkpoint)) {
    $session->value($_) for split /; /, distribute("answer.$table");
    my $refused = $session->run('SELECT answer_log_seal()');
    is("$refused->{state} " . ($refused->{err} =~ /table answer\.$table is a table of Citus.*undistribute_table\('answer\.$table'\)/s ? 1 : $refused->{err}),
        '55000 1', "no sealing while $table is distributed");
    is($server->run('SELECT answer_log_seal()')->{state}, '55000', "nor in another session");
    $session->value($_) for split /; /, take_back("answer.$table");
    is($session->run('SELECT answer_log_seal()')->{state}, '00000', "again when $table is not");
}

#
# statements that store a receipt, first without a kept plan, then with one
#
$session->value("SELECT answer_eval($ask)");
for my $table (qw(receipt unsealed rollup_new)) {
    my $were = $session->value('SELECT count(*) FROM answer.receipt');
    my @parts = map { "answer.$_" } $table eq 'receipt' ? qw(receipt receipt_default) : $table;
    $session->value($_) for map { split /; /, distribute($_) } @parts;
    for my $call ("answer_eval($ask)", "answer_eval_each(ARRAY[$ask\::jsonb, $ask\::jsonb])", q{answer_source_register('other probe')}) {
        my $refused = $session->run("SELECT $call");
        is("$refused->{state} " . ($refused->{err} =~ /table answer\.$table is a table of Citus/ ? 1 : $refused->{err}), '55000 1',
            "nothing is signed while $table is distributed: " . substr($call, 0, 20));
    }
    $session->value($_) for map { split /; /, take_back($_) } @parts;
    is($session->value('SELECT count(*) FROM answer.receipt'), $were, 'and nothing was stored');
    is($session->run("SELECT answer_eval($ask)")->{state}, '00000', "again when $table is not");
}

#
# tombstones
#
# Content of which answer_forget finds no row can still be marked as forgotten.
is($session->run("SELECT answer_forget('$digest', 'never seen')")->{state}, 'P0002', 'there is nothing to forget');
my $reading = $session->value(q{SELECT answer_digest('{"n": 5}')});
is($server->value("SELECT answer_tombstone_add('$digest', 'forgotten elsewhere') - 'forgotten_at'"), '{"readings": [], "receipts": []}',
    'a tombstone of what was never seen');
is($server->value("SELECT answer_verify_ok(body), body ->> 'reason', receipt_id IS NULL FROM answer.tombstone WHERE digest = '$digest'"),
    't|forgotten elsewhere|t', 'it is signed');
is($server->value("SELECT (answer_tombstone_add('$digest', 'again') ->> 'forgotten_at')::timestamptz = forgotten_at FROM answer.tombstone"),
    't', 'again it says what it said');
like($server->run("SELECT answer.refuse_forgotten('', '$digest')")->{err}, qr/was forgotten/, 'and it keeps the evidence away');
is($server->value(q{SELECT string_agg(a::text, ' ') FROM answer_log_audit() AS a}), '', 'the audit has nothing against it');

# The local shell of a Citus table has no page, because its rows are elsewhere; a query still reads them, as it reads the rows here.
$session->value($_) for split /; /, distribute('answer.tombstone');
is($session->run("SELECT answer.refuse_forgotten('', '$digest')")->{state}, '23001', 'a tombstone is found in a table of Citus');
$session->value($_) for split /; /, take_back('answer.tombstone');
is($session->run("SELECT answer.refuse_forgotten('', '$digest')")->{state}, '23001', 'and in one that is none any more');

#
# tenants
#
$session->value($_) for split /; /, distribute('answer.tenant');
is($session->run("SELECT answer_eval($ask)")->{state}, '55000', 'nobody is taken for the operator where tenants are distributed');
$session->value($_) for split /; /, take_back('answer.tenant');
is($session->run("SELECT answer_eval($ask)")->{state}, '00000', 'all is as before');

#
# a statement over shards
#
$session->value('CREATE TABLE claim_102008 (request jsonb)');
$session->value("INSERT INTO claim_102008 VALUES ($ask)");
my $count = $session->value('SELECT count(*) FROM answer.receipt');
my $shard = $server->session(setup => [q{SET application_name = 'citus_internal gpid=10000000001'}]);
my $refused = $shard->run('SELECT answer_eval(request) FROM claim_102008');
is($refused->{state}, '55000', 'a query over shards signs nothing by itself');
like($refused->{err}, qr/nothing is signed by a query over a distributed table.*Each shard would commit.*INSERT \.\.\. SELECT/s, 'it says what to do');
is($shard->run('SELECT s.r FROM (SELECT answer_eval(request) AS r FROM claim_102008 OFFSET 0) AS s')->{state}, '55000', 'nor in a sub-select');
is($session->value('SELECT count(*) FROM answer.receipt'), $count, 'and nothing was signed');
is($shard->run("SELECT answer_eval($ask)")->{state}, '00000', 'a delegated function does');
is($shard->run("SELECT answer_eval(request) FROM (VALUES ($ask\::jsonb)) AS v (request)")->{state}, '00000', 'so does a query over no table');
$session->value('CREATE FUNCTION ask_in_from() RETURNS jsonb LANGUAGE plpgsql AS $$BEGIN RETURN answer_eval(' . ($ask =~ s/'/\'/gr) . '); END$$');
is($shard->run('SELECT * FROM ask_in_from()')->{state}, '00000', 'and one in FROM');
# a function of pg_catalog reads what shards have stored for each other; here it is one that this server has
is($shard->run("SELECT answer_eval($ask) FROM generate_series(1, 2) AS n")->{state}, '55000', 'a query over what shards have left does not');
$shard->value('CREATE TABLE asked_102009 (receipt jsonb)');
is($shard->run('INSERT INTO asked_102009 SELECT answer_eval(request) FROM claim_102008')->{state}, '00000', 'a statement that writes is one transaction');
$shard->value('CREATE TABLE pg_temp.kept (receipt jsonb)');
$shard->value('BEGIN');
is($shard->run('INSERT INTO kept SELECT answer_eval(request) FROM claim_102008')->{state}, '00000', 'and a query in a transaction block');
$shard->value('COMMIT');
is($session->run('SELECT answer_eval(request) FROM claim_102008')->{state}, '00000', 'other sessions ask as ever');
is($session->value('SELECT count(*) FROM answer.receipt'), $count + 6, 'all of them are stored');

# All functions that sign and store, in order, each in a call that succeeds by itself.
$session->value($_) for (
    q{SELECT answer_document_load('[{"doc_id": "lake", "title": "Lake", "timestamp": "2024-05-20", "text": "The lake has a level of 5 metres."}]')},
    q{SELECT answer_graph_load('shop', jsonb_build_array(jsonb_build_object('id', 'n1', 'labels', '["Code"]'::jsonb, 'name', 'refund',
        'source_path', 'shop', 'content_hash', 'sha256:' || repeat('a', 64), 'extraction_method', 'test')))},
    q{SELECT answer_suite_load('small', '[{"id": "c1", "query": "What is the level of the lake?", "expected_outcome": "ANSWER", "risk_level": "low"}]')},
    q{CREATE TABLE answer.receipt_old PARTITION OF answer.receipt FOR VALUES FROM ('2000-01-01') TO ('2000-02-01')},
    q{CREATE FUNCTION reader(args jsonb) RETURNS jsonb LANGUAGE sql STABLE AS 'SELECT jsonb_build_object(''n'', 1)'},
    q{SELECT answer_tool_register('reader', 'reader(jsonb)', spec => '{"capabilities": ["reading"]}')},
    q{SELECT answer_plan_register('{"plan_id": "p", "nodes": [{"id": "a", "op": "call", "capability": "reading", "out": "x"}]}')});
my $opened = $session->value(q{SELECT answer_investigation_open('Locate', 'where?')});
my $receipt = $session->value(q{SELECT receipt_id FROM answer.receipt WHERE schema = 'answer/v1' LIMIT 1});
my $config = $session->value(q{SELECT answer_config_create('{"top_k": 3}', 'before')});
my $elsewhere = AnswerServer->new('elsewhere');
$elsewhere->value($_) for ('CREATE EXTENSION answer_eval', 'SELECT answer_log_seal()');
$session->value('SELECT answer_witness_trust(' . quoted($elsewhere->value('SELECT answer_log_vkey()')) . ')');
my $to_cosign = quoted($elsewhere->value('SELECT answer_checkpoint_request(0)'));
$elsewhere->stop;
for my $call ("answer_eval($ask)", "answer_eval_each(ARRAY[$ask\::jsonb], on_error => 'skip')", q{answer_ask('Is this server in recovery?')},
    q{answer_grounded('What is the level of the lake?')}, q{answer_packet_receipt('shop', 'refund')}, q{answer_plan_execute('{"plan": {"ref": "p"}}')},
    "answer_quality_receipt($opened)", q{answer_suite_run('small')}, q{answer_source_register('other')}, q{answer_tool_register('other')},
    q{answer_config_create('{"top_k": 4}', 'because')}, "answer_config_promote('dev', '$config')", "answer_forget('$receipt', 'asked to')",
    q{answer_tombstone_add('sha256:} . '9' x 64 . q{', 'asked to')}, q{answer_receipt_detach('answer.receipt_old')}, "answer_checkpoint_cosign($to_cosign)",
    'answer_log_seal()', 'answer_key_retire(' . quoted($session->value(q{SELECT key_id FROM answer.signing_key WHERE status = 'active'})) . ')', 'answer_key_generate()')
{
    my ($name) = $call =~ /^(\w+)/;
    my $were = $session->value('SELECT count(*) FROM answer.receipt');
    my $result = $shard->run("SELECT $call FROM claim_102008");
    is($result->{state} . ($result->{err} =~ /nothing is signed by a query/ ? '' : " $result->{err}"), '55000', "a query over shards is refused $name");
    is($session->value('SELECT count(*) FROM answer.receipt'), $were, "and $name has stored nothing");
    $result = $shard->run("SELECT $call");
    is($result->{state}, '00000', "by itself $name does it") or diag($result->{err});
}
my $stored = $session->value(q{SELECT receipt_id FROM answer.receipt WHERE schema = 'answer/v1' AND receipt_id <> } . "'$receipt' LIMIT 1");
is($shard->run("SELECT $_ FROM claim_102008")->{state}, '00000', "what signs and stores nothing goes on: $_")
    for "answer_dsse('$stored')", q{answer_fact('reader')}, "answer_verify_ok(answer_receipt('$stored'))";

#
# configurations in force
#
$session->value($_) for split /; /, distribute('answer.environment_head');
like($session->run(q{SELECT answer_grounded('What is the level of the lake?')})->{err}, qr/table answer\.environment_head is a table of Citus/,
    'no shipped configuration is taken for the one in force where its table is distributed');
$session->value($_) for split /; /, take_back('answer.environment_head');
is($session->run(q{SELECT answer_grounded('What is the level of the lake?')})->{state}, '00000', 'again when it is not');

#
# a first key and PREPARE TRANSACTION
#
$server->value('CREATE DATABASE fresh');
my $fresh = $server->session(dbname => 'fresh', setup => ['CREATE EXTENSION answer_eval', 'BEGIN',
    q{SELECT answer_eval('{"checks": [{"tool": "t", "observe": true}]}')}]);
my @folders = sub { return map { glob("$_/*.pem") } glob("$server->{data}/answer_eval_keys/*") }->();
$refused = $fresh->run(q{PREPARE TRANSACTION 'first'});
is($refused->{state}, '0A000', 'a transaction that made the first key is not prepared');
like($refused->{err}, qr/Call answer_key_generate\(\) in a transaction of its own/, 'it says what to do');
my @left = sub { return map { glob("$_/*.pem") } glob("$server->{data}/answer_eval_keys/*") }->();
is(@folders - @left, 1, 'and the file of the key is gone');
$fresh->value($_) for ('SELECT answer_key_generate()', 'BEGIN', q{SELECT answer_eval('{"checks": [{"tool": "t", "observe": true}]}')},
    q{PREPARE TRANSACTION 'second'}, q{ROLLBACK PREPARED 'second'});
is($fresh->value('SELECT count(*) FROM answer.receipt WHERE body ->> \'schema\' = \'answer/v1\''), '0', 'one with a key there can be, and be rolled back');
$fresh->value($_) for ('BEGIN', 'SELECT answer_key_generate()');
is($fresh->run(q{PREPARE TRANSACTION 'third'})->{state}, '0A000', 'nor is one prepared that made the next key');
is_deeply([sort map { m{([^/]+)\.pem$} } glob("$server->{data}/answer_eval_keys/*/*.pem")],
    [sort map { split /\n/, $server->value('SELECT key_id FROM answer.signing_key WHERE folder IS NOT NULL', dbname => $_) } 'postgres', 'fresh'],
    'every file of a key has its row');

is($server->crashed, 0, 'the server lost no process');
done_testing();
