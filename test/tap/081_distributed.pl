#!/usr/bin/env perl
# What a table of Citus changes, on a server that has no Citus: its catalog is made by hand, and so are its sessions' names.
# The real thing is in 080_citus.pl.
# tiers: check test
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Test::More;

my $server = AnswerServer->new('main', conf => ['max_prepared_transactions = 5']);
$server->value($_) for (
    'CREATE EXTENSION answer_eval',
    q{SELECT answer_source_register('probe')},
    q{SELECT answer_tool_register('level', value_path => 'n')});
my $digest = 'sha256:' . 'ab' x 32;
my $ask = q{'{"checks": [{"tool": "level", "observe": true}]}'};

# A table becomes one of Citus: its row in the catalog, and the message that Citus sends.
sub distribute { my ($table) = @_; return qq{WITH done AS (INSERT INTO pg_catalog.pg_dist_partition VALUES ('$table', 't') RETURNING 1)
    SELECT count(*) FROM done; ALTER TABLE $table SET (fillfactor = 100)} }
sub take_back { my ($table) = @_; return qq{DELETE FROM pg_catalog.pg_dist_partition WHERE logicalrelid = '$table'::regclass;
    ALTER TABLE $table SET (fillfactor = 100)} }

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
# tombstones
#
# What answer_forget finds nothing of is forgotten all the same.
is($session->run("SELECT answer_forget('$digest', 'never seen')")->{state}, 'P0002', 'there is nothing to forget');
my $reading = $session->value(q{SELECT answer_digest('{"n": 5}')});
is($server->value("SELECT answer_tombstone_add('$digest', 'forgotten elsewhere') - 'forgotten_at'"), '{"readings": [], "receipts": []}',
    'a tombstone of what was never seen');
is($server->value("SELECT answer_verify_ok(body), body ->> 'reason', receipt_id IS NULL FROM answer.tombstone WHERE digest = '$digest'"),
    't|forgotten elsewhere|t', 'it is signed');
is($server->value("SELECT (answer_tombstone_add('$digest', 'again') ->> 'forgotten_at')::timestamptz = forgotten_at FROM answer.tombstone"),
    't', 'again it says what it said');
like($server->run("SELECT answer_refuse_forgotten('', '$digest')")->{err}, qr/was forgotten/, 'and it keeps the evidence away');
is($server->value(q{SELECT string_agg(a::text, ' ') FROM answer_log_audit() AS a}), '', 'the audit has nothing against it');

# The shell of a table of Citus has no page, and the rows are elsewhere: as with a view for a table here.
$session->value($_) for split /; /, distribute('answer.tombstone');
is($session->run("SELECT answer_refuse_forgotten('', '$digest')")->{state}, '23001', 'a tombstone is found in a table of Citus');
$session->value($_) for split /; /, take_back('answer.tombstone');
is($session->run("SELECT answer_refuse_forgotten('', '$digest')")->{state}, '23001', 'and in one that is none any more');

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
$shard->value('CREATE TABLE pg_temp.kept (receipt jsonb)');
$shard->value('BEGIN');
is($shard->run('INSERT INTO kept SELECT answer_eval(request) FROM claim_102008')->{state}, '00000', 'and a query in a transaction block');
$shard->value('COMMIT');
is($session->run('SELECT answer_eval(request) FROM claim_102008')->{state}, '00000', 'other sessions ask as ever');
is($session->value('SELECT count(*) FROM answer.receipt'), $count + 4, 'all of them are stored');

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

is($server->crashed, 0, 'the server lost no process');
done_testing();
