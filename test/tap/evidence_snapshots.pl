#!/usr/bin/env perl
# An attested fact is never dated later than the snapshot in which it was read, and says if its data can still be rolled back.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Test::More;

my $server = AnswerServer->new('main', conf => ['wal_level = replica', 'max_wal_senders = 4', q{wal_keep_size = '1GB'}, 'max_prepared_transactions = 2'], extended => 1);
$server->value($_) for (
    'CREATE TABLE tide (metres int)',
    'INSERT INTO tide VALUES (1)',
    q{CREATE FUNCTION tide(args jsonb) RETURNS jsonb LANGUAGE sql AS $$ SELECT jsonb_build_object('m', (SELECT max(metres) FROM tide)) $$},
    q{CREATE FUNCTION steady(args jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$ SELECT jsonb_build_object('m', (SELECT max(metres) FROM tide)) $$},
    q{CREATE FUNCTION clock(args jsonb) RETURNS jsonb LANGUAGE sql AS
        $$ SELECT jsonb_build_object('m', 1, 'at', to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')) $$},
    q{CREATE FUNCTION writes(args jsonb) RETURNS jsonb LANGUAGE sql AS $$ INSERT INTO tide VALUES (0); SELECT '{"m": 1}'::jsonb $$},
    (map { "SELECT answer_tool_register('$_', '$_(jsonb)', value_path => 'm', freshness => '1 hour')" } qw(tide steady writes)),
    q{SELECT answer_tool_register('clock', 'clock(jsonb)', value_path => 'm', options => jsonb_build_object('timestamp_path', 'at'), freshness => '1 hour')},
    q{SELECT answer_source_register('pegel')},
    q{SELECT answer_tool_register('stored', freshness => '1 hour')},
    q{SELECT answer_evidence_add('stored', '{}', '1', 'pegel', '2026-01-01 12:00Z')},
    q{SELECT answer_key_generate()},
);

# What a fact says, in the session's time zone: its value, its date compared with an instant, whether it is fresh.
my $fact = q{SELECT concat_ws(' ', f ->> 'value', CASE WHEN f ->> 'timestamp' IS NULL THEN 'undated'
    WHEN (f ->> 'timestamp')::timestamptz = %s THEN 'same' WHEN (f ->> 'timestamp')::timestamptz < %s THEN 'earlier' ELSE 'later' END,
    CASE WHEN (f #> '{verification,signals,fresh}')::boolean THEN 'fresh' ELSE 'stale' END) FROM (SELECT answer_fact('%s') f OFFSET 0) x};

sub dated {
    my ($session, $tool, $against) = @_;
    return $session->value(sprintf $fact, $against, $against, $tool);
}

# Only dates of facts are compared with instants that PostgreSQL itself gives.
my $committed = sub { $server->value("UPDATE tide SET metres = $_[0]"); return };

#
# stored readings: an old snapshot must not decide which is the newest
#
{
    $server->value(q{SELECT answer_tool_register('newest', freshness => '1 hour')});
    my $add = sub { $server->value("SELECT answer_evidence_add('newest', '{}', '$_[0]', 'pegel', clock_timestamp())"); return };
    my $check = q{'{"checks": [{"tool": "newest", "expect": {"op": "eq", "value": 1}}]}'};
    my $session = $server->session;
    for my $level ('READ COMMITTED', 'REPEATABLE READ', 'SERIALIZABLE') {
        $add->(1);
        $session->value("BEGIN ISOLATION LEVEL $level");
        $session->value("DECLARE waiting CURSOR FOR SELECT answer_eval($check) ->> 'verdict' FROM answer.source LIMIT 1");
        $add->(2);
        is($session->value("SELECT answer_eval($check) ->> 'verdict'"), 'contradicted', "$level: a newer reading was committed meanwhile");
        is($session->value(q{SELECT answer_fact('newest') ->> 'value'}), '2', "$level: a fact is of the newer one");
        is($session->value('FETCH waiting'), 'contradicted', "$level: also from a cursor that was opened before");
        $session->value('COMMIT');
    }
    # an imported one
    my $other = $server->session;
    $add->(1);
    $other->value('BEGIN ISOLATION LEVEL REPEATABLE READ');
    my $exported = $other->value('SELECT pg_export_snapshot()');
    $add->(2);
    $session->value('BEGIN ISOLATION LEVEL REPEATABLE READ');
    $session->run("SET TRANSACTION SNAPSHOT '$exported'");
    is($session->value("SELECT answer_eval($check) ->> 'verdict'"), 'contradicted', 'nor for an imported snapshot');
    $session->value('COMMIT');
    $other->value('COMMIT');
    $_->close for $session, $other;
}

#
# isolation levels
#
{
    my $session = $server->session;
    dated($session, 'tide', 'now()');       # loads the library, which then sees what follows
    for my $level ('REPEATABLE READ', 'SERIALIZABLE') {
        $committed->(1);
        $session->value("BEGIN ISOLATION LEVEL $level");
        $session->value('SELECT 1');
        $committed->(2);
        is(dated($session, $_, 'now()'), '1 same fresh', "$level, $_: as of the transaction's beginning") for qw(tide steady clock);
        is(dated($session, 'postgres_server', 'now()') =~ s/^\S+ //r, 'same fresh', "$level: built-in tools as well");
        is($session->value(q{SELECT r #>> '{checks,0,observed}' || ' ' || (f.value ->> 'timestamp' <= r ->> 'evaluated_at')::text
            || ' ' || ((f.value ->> 'timestamp')::timestamptz = now())::text
            FROM (SELECT answer_eval('{"checks": [{"tool": "tide"}]}') r OFFSET 0) x, jsonb_each(r -> 'evidence_index') f}), '1 true true', "$level: so in receipts");
        # a reading has its own date
        is($session->value(q{SELECT answer_fact('stored') ->> 'timestamp'}), '2026-01-01T12:00:00Z', "$level: a reading keeps its date");
        $session->value('COMMIT');
        is(dated($session, 'tide', 'now()'), '2 later fresh', "$level: then it is new");
        # without a block
        $session->value("SET default_transaction_isolation = '$level'");
        is(dated($session, 'tide', 'now()'), '2 same fresh', "$level: a statement of its own");
        $session->value('RESET default_transaction_isolation');
    }
    $session->value('BEGIN');
    $session->value('SELECT 1');
    $committed->(3);
    is(dated($session, $_, 'now()'), '3 later fresh', "READ COMMITTED, $_: now") for qw(tide steady);
    # within a function with an older snapshot of its own
    $session->value(q{CREATE FUNCTION asks(t text) RETURNS text STABLE LANGUAGE sql AS
        $$ SELECT (answer_fact(t) ->> 'value') || ' ' || (((answer_fact(t)) ->> 'timestamp')::timestamptz > now())::text $$});
    is($session->value(q{SELECT asks('steady')}), '3 true', 'also in a stable function');
    $session->value('ROLLBACK');
    # freshness is judged at that date
    $server->value(q{SELECT answer_tool_register('brief', 'tide(jsonb)', value_path => 'm', freshness => '0.000001 seconds')});
    $session->value('BEGIN ISOLATION LEVEL REPEATABLE READ');
    $session->value('SELECT pg_sleep(0.01)');
    is(dated($session, 'brief', 'now()'), '3 same stale', 'REPEATABLE READ: old enough to be stale');
    $session->value('COMMIT');
    is(dated($session, 'brief', 'now()'), '3 later fresh', 'READ COMMITTED: fresh');
    $session->close;
}

#
# snapshots from elsewhere
#
{
    $committed->(4);
    my $exporter = $server->session;
    $exporter->value('BEGIN ISOLATION LEVEL REPEATABLE READ');
    my $id = $exporter->value('SELECT pg_export_snapshot()');
    $committed->(5);
    for my $loaded (0, 1) {
        my $session = $server->session;
        dated($session, 'tide', 'now()') if $loaded;
        for my $level ('REPEATABLE READ', 'SERIALIZABLE') {
            $session->value("BEGIN ISOLATION LEVEL $level");
            my $set = $session->run("SET TRANSACTION SNAPSHOT '$id'");
            # a serializable transaction imports only from serializable ones
            if ($set->{state} ne '00000') { $session->value('ROLLBACK'); next; }
            is(dated($session, 'tide', 'now()'), '4 undated stale', "$level: an imported snapshot has no date" . ($loaded ? '' : ', in the first transaction'));
            is(dated($session, 'clock', 'now()'), '1 undated stale', 'whatever the handler says');
            $session->value('COMMIT');
            # the next transaction knows its own snapshot
            $session->value("BEGIN ISOLATION LEVEL $level");
            is(dated($session, 'tide', 'now()'), '5 same fresh', "$level: the transaction after it has one");
            $session->value('COMMIT');
        }
        $session->close;
    }
    # imported in the middle of a procedure, and before the library was there
    my $session = $server->session;
    $session->value("CREATE PROCEDURE imports() LANGUAGE plpgsql AS \$\$ BEGIN COMMIT; SET TRANSACTION ISOLATION LEVEL REPEATABLE READ;
        SET TRANSACTION SNAPSHOT '$id'; RAISE NOTICE 'fact %', answer_fact('tide') ->> 'timestamp'; END \$\$");
    my $result = $session->run('CALL imports()');
    like($result->{err}, qr/fact <NULL>/, 'in a procedure') or diag($result->{err});
    # cases in which one cannot know whether the snapshot was imported
    $session->close;
    $session = $server->session;
    $session->value('BEGIN ISOLATION LEVEL REPEATABLE READ');
    is(dated($session, 'tide', 'now()'), '5 undated stale', 'a first transaction, whose import nobody could have seen');
    $session->value('COMMIT');
    $session->close;
    $session = $server->session(options => '-c session_preload_libraries=answer_eval');
    $session->value('BEGIN ISOLATION LEVEL REPEATABLE READ');
    is(dated($session, 'tide', 'now()'), '5 same fresh', 'preloaded, it knows');
    $session->value('COMMIT');
    $session->close;
    $exporter->value('COMMIT');
    $exporter->close;
}

#
# evidence that can still be rolled back
#
{
    my $session = $server->session;
    my $asked = q{SELECT COALESCE(r #>> '{reproduce,evaluator,uncommitted}', '-') || ' ' || (r #>> '{checks,0,observed}') || ' ' || (answer_verify(r, k) ->> 'ok')
        || ' ' || (answer_replay(r) ->> 'ok') || ' ' || (f.value #>> '{verification,note}')
        FROM (SELECT answer_eval('{"checks": [{"tool": "%s"}]}') r OFFSET 0) x, answer_keys() k, jsonb_each(r -> 'evidence_index') f};
    my $plain = 'called by answer_eval, attested with its key';
    my $written = 'called by answer_eval in a transaction that had written, attested with its key';
    my $ask = sub { return $session->value(sprintf $asked, shift) };
    is($ask->('tide'), "- 5 true true $plain", 'nothing was written before');
    $session->value('BEGIN');
    is($ask->('tide'), "- 5 true true $plain", 'nor in a block');
    is($ask->('tide'), "- 5 true true $plain", 'nor is a receipt anything that was written');
    $session->value('UPDATE tide SET metres = 9 WHERE false');
    $session->value('SAVEPOINT s');
    is($ask->('tide'), "true 5 true true $written", 'a statement that may write is, once the transaction has an id');
    $session->value('COMMIT');
    for my $write ('UPDATE tide SET metres = 9', 'CREATE TEMP TABLE own ON COMMIT DROP AS SELECT 1', 'SELECT count(*) FROM (SELECT * FROM tide FOR UPDATE) x') {
        $session->value('BEGIN');
        $session->value($write);
        is($ask->('tide'), ($write =~ /UPDATE tide/ ? 'true 9' : 'true 5') . " true true $written", $write);
        $session->value('ROLLBACK');
        $session->value('BEGIN');
        is($ask->('tide'), "- 5 true true $plain", 'before it, in another one');
        $session->value($write);
        is($ask->('tide'), ($write =~ /UPDATE tide/ ? 'true 9' : 'true 5') . " true true $written", "after a receipt: $write");
        is($ask->('tide'), ($write =~ /UPDATE tide/ ? 'true 9' : 'true 5') . " true true $written", 'and to its end');
        $session->value('ROLLBACK');
    }
    # a receipt that was rolled back leaves nothing, and nobody else has written
    $session->value('BEGIN');
    $session->value('SAVEPOINT s');
    is($ask->('tide'), "- 5 true true $plain", 'a receipt in a savepoint');
    $session->value('ROLLBACK TO s');
    is($ask->('tide'), "- 5 true true $plain", 'and one after it');
    $session->value('ROLLBACK');
    # evidence counts as written by the caller, whichever function adds it
    $session->value('BEGIN');
    is($session->value(q{SELECT COALESCE(answer_eval('{"checks": [{"tool": "stored"}]}') #>> '{reproduce,evaluator,uncommitted}', '-')}), '-', 'stored readings');
    $session->value(q{SELECT answer_evidence_add('stored', '{}', '3', 'pegel', '2026-01-03 12:00Z')});
    is($session->value(q{SELECT answer_eval('{"checks": [{"tool": "stored"}]}') #>> '{reproduce,evaluator,uncommitted}'}), 'true', 'one that was added');
    $session->value('ROLLBACK');
    # a statement that asks and writes counts as having written when control has returned to it
    $session->value('CREATE TABLE kept (r jsonb)');
    my $first = q{'{"checks": [{"tool": "tide"}]}'::jsonb};
    my $said = q{string_agg(COALESCE(r #>> '{reproduce,evaluator,uncommitted}', '-'), ' ' ORDER BY ctid)};
    $session->value("INSERT INTO kept SELECT answer_eval($first) FROM generate_series(1, 3)");
    is($session->value("SELECT $said FROM kept"), '- true true', 'rows that a statement has inserted');
    $session->value('TRUNCATE kept');
    $session->value("INSERT INTO kept SELECT receipt FROM answer_eval_each(array_fill($first, ARRAY[600]))");
    is($session->value(q{SELECT count(*) FILTER (WHERE r @? '$.reproduce.evaluator.uncommitted') FROM kept}), 0, 'a batch is one call');
    # foreign code that we call counts, even if it asks in its turn
    $session->value(q{CREATE FUNCTION nested(jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO kept SELECT answer_eval('{"checks": [{"tool": "tide"}]}'); RETURN '1'; END $$});
    $session->value(q{SELECT answer_tool_register('nested', 'nested(jsonb)')});
    is($ask->('nested'), "true 1 true true $written", 'a handler that keeps a receipt has written');
    # the first receipt of a database makes the key, and what belongs to it
    $server->value('CREATE DATABASE newborn TEMPLATE template0');
    my $newborn = $server->session(dbname => 'newborn');
    $newborn->value($_) for 'CREATE EXTENSION answer_eval', 'CREATE FUNCTION asked() RETURNS text LANGUAGE sql VOLATILE AS '
        . q{$$ SELECT COALESCE(public.answer_ask('How many rows are in the table answer.tombstone?') #>> '{reproduce,evaluator,uncommitted}', '-') $$};
    is($newborn->value('SELECT asked()'), '-', 'a first receipt, that made the key and kept the table of routes');
    is($newborn->value('SELECT (SELECT count(*) FROM answer.signing_key), (SELECT count(*) FROM answer.route_table)'), '1|1', 'both were written');
    $newborn->value($_) for q{SELECT answer_tool_register('port', required_args => '{n}')},
        q{SELECT answer_route_register('port', 'what is open', 'interrogative', 'port', '{"n": 1}', examples => '{what is open}')};
    is($newborn->value('SELECT asked()'), '-', 'nor does a first question after a change of routes say so');
    is($newborn->value('SELECT count(*) FROM answer.route_table'), 2, 'which kept that table');
    $newborn->close;
    $session->value('BEGIN');
    $session->value('SAVEPOINT s');
    $session->value('UPDATE tide SET metres = 9');
    is($ask->('tide'), "true 9 true true $written", 'in a savepoint');
    $session->value('ROLLBACK TO s');
    is($ask->('tide'), "true 5 true true $written", 'and after it: the transaction has an id');
    $session->value('ROLLBACK');
    is($session->value(q{WITH w AS (UPDATE tide SET metres = 9 RETURNING 1) SELECT COALESCE(answer_eval('{"checks": [{"tool": "tide"}]}') #>> '{reproduce,evaluator,uncommitted}', '-') FROM w}),
        'true', 'in the same statement');
    $session->value('UPDATE tide SET metres = 5');
    is($ask->('writes'), "true 1 true true $written", 'by the handler itself');
    $server->value('DELETE FROM tide WHERE metres = 0');
    # a single fact says it too, also one of a stored reading
    $session->value('BEGIN');
    $session->value('UPDATE tide SET metres = 9');
    is($session->value(q{SELECT answer_fact('tide') #>> '{verification,note}'}), $written, 'a fact');
    $session->value(q{SELECT answer_evidence_add('stored', '{}', '2', 'pegel', '2026-01-02 12:00Z')});
    like($session->value(q{SELECT answer_fact('stored') #>> '{verification,note}'}), qr/^stored reading in a transaction that had written/, 'a reading');
    $session->value('ROLLBACK');

    # an answer from documents says it too, and our own function that loads documents writes for the caller
    $session->value('BEGIN');
    my $grounded = sub {
        my $more = shift // '{}';
        return $session->value("SELECT COALESCE(r #>> '{reproduce,evaluator,uncommitted}', '-') || ' ' || (answer_verify(r, k) ->> 'ok')
            FROM (SELECT answer_grounded('Where are the lockers?', $more) r OFFSET 0) x, answer_keys() k");
    };
    my $found = q{jsonb_build_object('retrieval_id', answer_retrieve('Where are the lockers?', '{}') -> 'retrieval_id')};
    is($grounded->(q{'{}'}), '- true', 'documents: nothing was written before');
    is($grounded->($found), '- true', 'nor by the first of two halves');
    $session->value(q{SELECT answer_document_load('[{"doc_id": "lockers", "title": "Lockers", "url": "https://example.com/lockers", "text": "The lockers are in the cellar.", "timestamp": "2026-01-01T00:00:00Z"}]')});
    is($grounded->(q{'{}'}), 'true true', 'a document that this transaction loaded');
    is($grounded->($found), 'true true', 'and in two halves');
    $session->value('ROLLBACK');
    is($grounded->(q{'{}'}), '- true', 'not in the next one');
    $session->value(qq{SELECT set_config('kept.found', $found #>> '{}', false)});
    is($grounded->(q{current_setting('kept.found')::jsonb}), '- true', 'nor over two transactions');

    # only the log is final: the receipt was kept elsewhere, but the transaction was rolled back
    $session->value('BEGIN');
    $session->value('UPDATE tide SET metres = 9');
    $session->value(q{SELECT set_config('kept.receipt', answer_eval('{"checks": [{"tool": "tide"}]}')::text, false) IS NOT NULL});
    my $kept = $session->value(q{SELECT current_setting('kept.receipt')});
    $session->value('ROLLBACK');
    my $verify = sub {
        my ($receipt, $proof) = @_;
        return $session->value("SELECT (v ->> 'ok') || ' ' || COALESCE(v #>> '{steps,inclusion,state}', 'not asked') || COALESCE(': ' || (v #>> '{steps,inclusion,reason}'), '')
            FROM answer_verify(" . quoted($receipt) . '::jsonb, NULL' . ($proof ? ", $proof" : '') . ') v');
    };
    is($verify->($kept), 'true not asked', 'what was rolled back verifies');
    is($verify->($kept, 'NULL'), 'false absent: there is no inclusion proof', 'but not where inclusion is required');
    my $good = $session->value(q{SELECT answer_eval('{"checks": [{"tool": "tide"}]}')});
    $session->value('SELECT answer_log_seal()');
    my ($good_id) = $good =~ /"receipt_id": "([^"]+)"/;
    my ($kept_id) = $kept =~ /"receipt_id": "([^"]+)"/;
    is($verify->($good, "answer_log_inclusion('$good_id')"), 'true verified', 'a receipt that is in the log');
    is($verify->($kept, "answer_log_inclusion('$good_id')"), 'false invalid: the digest is not that of the receipt', 'the proof of another');
    isnt($session->run("SELECT answer_log_inclusion('$kept_id')")->{state}, '00000', 'there is no proof of what was rolled back');
    $session->close;
}

#
# a standby knows what was replayed
#
{
    my $standby_data = AnswerServer::tmp_dir() . '/standby';
    mkdir $standby_data, 0700;
    AnswerServer::must(AnswerServer::program('pg_basebackup'), '-h', $server->{host}, '-p', '5432', '-U', 'postgres', '-D',
        "$standby_data/data", '-R', '-c', 'fast', '-X', 'stream', '--no-sync');
    my $standby = AnswerServer->new('standby', from => 1, conf => ['hot_standby = on']);
    my $caught_up = sub {
        my $lsn = $server->value('SELECT pg_current_wal_flush_lsn()');
        for (1 .. 2400) {
            return 1 if $standby->value("SELECT pg_last_wal_replay_lsn() >= '$lsn'") eq 't';
            nap(0.1);
        }
        return 0;
    };
    $committed->(6);
    ok($caught_up->(), 'the standby has caught up');
    my $session = $standby->session;
    my $replayed = 'pg_last_xact_replay_timestamp()';
    my $first = $session->run(sprintf $fact, $replayed, $replayed, 'tide');
    SKIP: {
        skip "answer_fact does not run on a standby ($first->{state})", 8 if $first->{state} ne '00000';
        is($first->{out}, '6 same fresh', 'standby: as of the last commit that was replayed');
        $session->value('SELECT pg_wal_replay_pause()');
        for (1 .. 2400) { last if $session->value('SELECT pg_get_wal_replay_pause_state()') eq 'paused'; nap(0.05); }
        $committed->(7);
        my $paused_at = $session->value('SELECT now()');
        is(dated($session, 'tide', quoted($paused_at) . '::timestamptz'), '6 earlier fresh', 'paused: not now');
        is(dated($session, 'tide', $replayed), '6 same fresh', 'but as of the same commit');
        is(dated($session, 'clock', $replayed), '1 same fresh', 'whatever the handler says');
        is(dated($session, 'postgres_server', $replayed) =~ s/^\S+ //r, 'same fresh', 'and what is built in');
        $session->value('BEGIN ISOLATION LEVEL REPEATABLE READ');
        is(dated($session, 'tide', $replayed), '6 undated stale', 'standby, REPEATABLE READ: what was replayed by then is not known');
        $session->value('COMMIT');
        $session->value('SELECT pg_wal_replay_resume()');
        ok($caught_up->(), 'resumed');
        is(dated($session, 'tide', $replayed), '7 same fresh', 'and dated by what was replayed since');
    }
    # a transaction that began on a standby and outlives the promotion
    $session->value('BEGIN ISOLATION LEVEL REPEATABLE READ');
    $session->value('SELECT 1');
    AnswerServer::must(AnswerServer::program('pg_ctl'), '-D', $standby->{data}, '-w', '-t', '60', '-s', 'promote');
    my $result = $session->run(sprintf $fact, 'now()', 'now()', 'tide');
    ok($result->{out} eq '7 undated stale' || $result->{state} ne '00000', "promoted meanwhile: $result->{state} $result->{out}");
    $session->close;
    # a server that has replayed nothing yet has no such date: see src/base/snapshot.c
    ok(!$_->crashed, "$_->{name} never crashed") for $server, $standby;
}
done_testing();
