#!/usr/bin/env perl
# tiers: long
# Cancels, deadlines and timeouts: one that was meant for a tool never ends the statement, and one that was meant for the
# statement never ends only a tool.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Test::More;
use Time::HiRes qw(time);

my $server = AnswerServer->new('cancel', extended => 1);
my $sql = $server->session;
my $control = $server->session;

$sql->value($_) for (
    'CREATE TABLE locked ()',
    q{CREATE FUNCTION sleeper(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
        BEGIN
            PERFORM pg_sleep((args ->> 's')::float8);
            RETURN '{"v": 1}';
        END $$},
    # swallows as many cancels as it is told to
    q{CREATE FUNCTION stubborn(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
        BEGIN
            FOR i IN 1 .. (args ->> 'n')::int LOOP
                BEGIN
                    PERFORM pg_sleep(5);
                EXCEPTION WHEN query_canceled THEN
                    NULL;
                END;
            END LOOP;
            PERFORM pg_sleep((args ->> 's')::float8);
            RETURN '{"v": 1}';
        END $$},
    q{CREATE FUNCTION locker(args jsonb) RETURNS jsonb LANGUAGE plpgsql SET lock_timeout = '150ms' AS $$
        BEGIN
            LOCK TABLE locked;
            RETURN '{"v": 1}';
        END $$},
    # waits for a lock in vain, catches the error, and goes on
    q{CREATE FUNCTION shrugger(args jsonb) RETURNS jsonb LANGUAGE plpgsql SET lock_timeout = '100ms' AS $$
        BEGIN
            BEGIN
                LOCK TABLE locked;
            EXCEPTION WHEN lock_not_available THEN
                NULL;
            END;
            PERFORM pg_sleep((args ->> 's')::float8);
            RETURN '{"v": 1}';
        END $$},
    # swallows the deadline's cancel, then fails on a lock
    q{CREATE FUNCTION late_locker(args jsonb) RETURNS jsonb LANGUAGE plpgsql SET lock_timeout = '20ms' AS $$
        BEGIN
            BEGIN
                PERFORM pg_sleep(5);
            EXCEPTION WHEN query_canceled THEN
                NULL;
            END;
            LOCK TABLE locked;
            RETURN '{"v": 1}';
        END $$},
    q{CREATE FUNCTION nested(args jsonb) RETURNS jsonb LANGUAGE sql AS $$ SELECT answer_eval(args -> 'request') $$},
    q{SELECT answer_source_register('test')},
    q{SELECT answer_tool_register(t, (t || '(jsonb)')::regprocedure, options => jsonb_build_object('source', 'test', 'optional_args', '{s,n,request}'::text[]), value_path => CASE WHEN t = 'nested' THEN 'verdict' ELSE 'v' END)
        FROM unnest('{sleeper,stubborn,locker,shrugger,late_locker,nested}'::text[]) t},
);

my $ok = '{"op": "eq", "path": "v", "value": 1}';

# A request of one check.
sub request {
    my ($tool, $args, $deadline, @more) = @_;
    my $checks = join(', ', qq({"tool": "$tool", "args": $args, "expect": $ok}), @more);
    return qq('{"deadline_ms": $deadline, "checks": [$checks]}');
}

sub receipts { return $control->value('SELECT count(*) FROM answer.receipt') }

my $server_check = '{"tool": "postgres_server", "expect": {"op": "exists", "path": "version"}}';

# The first check's verdict and SQLSTATE, the second one's verdict, and whether the receipt verifies.
sub shape {
    my ($request) = @_;
    return qq(
        SELECT r #>> '{checks,0,verdict}', coalesce(r #>> '{checks,0,explain,sqlstate}', '-'),
            coalesce(r #>> '{checks,1,verdict}', '-'), answer_verify(r) ->> 'ok'
        FROM (SELECT answer_eval($request) r OFFSET 0) q);
}

# Runs a statement and cancels it after a while. Notes how long the cancel took to be noticed.
sub cancelled {
    my ($what, $statement, $after, $cancel) = @_;
    my $before = receipts();
    my $pid = $sql->backend;
    $sql->send($statement);
    $sql->active;
    AnswerServer::nap($after);
    my $at = time;
    $cancel ||= sub { $control->value("SELECT pg_cancel_backend($pid)") };
    $cancel->();
    my $result = $sql->wait;
    my $latency = time - $at;
    is($result->{state}, '57014', "$what: cancelled") or diag(substr("$result->{out}\n$result->{err}", 0, 1000));
    note(sprintf('%s: noticed after %.3f s', $what, $latency));
    is(receipts(), $before, "$what: no receipt is left");
    is($sql->value("SELECT pg_sleep(0.2), 'next'"), '|next', "$what: the next statement is not cancelled");
    return;
}

# Takes 6 seconds, so it runs beside the rest.
my $fact = $server->session;
$fact->send(q{SELECT answer_fact('sleeper', '{"s": 60}')});

#
# real cancels
#
cancelled('in a tool', 'SELECT answer_eval(' . request('sleeper', '{"s": 30}', 60000, $server_check) . ')', 0.4);
cancelled('in a tool with a near deadline', 'SELECT answer_eval(' . request('sleeper', '{"s": 30}', 20000) . ')', 0.4);
cancelled('in a nested evaluation', q{SELECT answer_eval('{"deadline_ms": 60000, "checks": [{"tool": "nested", "args":
    {"request": {"deadline_ms": 60000, "checks": [{"tool": "sleeper", "args": {"s": 30}}]}}}]}')}, 0.4);
cancelled('in answer_fact', q{SELECT answer_fact('sleeper', '{"s": 5}')}, 0.4);

{
    my $before = receipts();
    my $statement = 'SELECT answer_eval(' . request('sleeper', '{"s": 30}', 60000, $server_check) . ');';
    my $file = spew(AnswerServer::tmp_dir() . '/client_cancel.sql', $statement);
    my $start = time;
    my ($status, $output) = AnswerServer::command('timeout', '-s', 'INT', '8', $server->psql_command(undef, $file));
    like($output, qr/canceling statement due to user request/, "the client's cancel request reaches the statement");
    note(sprintf('and soon: %.3f s', time - $start - 8));
    is(receipts(), $before, 'and no receipt is left');
}

#
# long pure computations
#
$sql->value($_) for (
    'CREATE TABLE big (what text, doc text)',
    # ASCII, escapes, one huge string
    q{INSERT INTO big SELECT 'string', to_json(repeat(E'abc"\\\\\u00e9\u20ac', 1200000))::text},
    q{INSERT INTO big SELECT 'numbers', '[' || repeat('1234.5e-6,', 1500000) || '0]'},
    q{INSERT INTO big SELECT 'objects', '[' || repeat('{"b":1,"a":{"c":[true,null]}},', 500000) || '0]'},
    q{INSERT INTO big SELECT 'keys', '{' || string_agg(format('"%s":%s', md5(i::text), i), ',') || '}'
        FROM generate_series(1, 370000) i},
    'ALTER TABLE big ALTER doc SET STORAGE EXTERNAL',
);
diag($sql->value(q{SELECT string_agg(format('%s %s MB', what, length(doc) / 1000000), ', ') FROM big}));
for my $what ('string', 'numbers', 'keys') {
    # several calls, so that the cancel surely falls into one
    cancelled("answer_canonical, $what",
        "SELECT sum(length(answer_canonical(doc))) FROM big, generate_series(1, 100) WHERE what = '$what'", 1);
}
cancelled('answer_verify, objects',
    q{SELECT count(answer_verify('{"schema":"answer/v1","checks":' || doc || '}', '{}'))
        FROM big, generate_series(1, 100) WHERE what = 'objects'}, 0.5);
cancelled('answer.portable, numbers',
    q{WITH d AS MATERIALIZED (SELECT (SELECT jsonb_agg(i + 0.125) FROM generate_series(1, 400000) i) j)
        SELECT count(answer.portable(j)) FROM d, generate_series(1, 1000)}, 1.2);

# few enough that the pairs of one call are not refused before the cancel comes
$sql->value($_) for (
    'CREATE TABLE chunks (what text, chunks jsonb)',
    q{INSERT INTO chunks SELECT 'many', jsonb_agg(jsonb_build_object('chunk_id', 'c' || i, 'doc_id', 'd' || i,
        'similarity', 1, 'text', 'Access to bread costs ' || i || ' dollars.')) FROM generate_series(1, 900) i},
    q{INSERT INTO chunks SELECT 'long', jsonb_agg(jsonb_build_object('chunk_id', 'c' || i, 'doc_id', 'd' || i,
        'similarity', 1, 'text', repeat('Access to bread costs ' || i || ' dollars and may change. ', 150000)))
        FROM generate_series(1, 2) i},
);
for my $what ('many', 'long') {
    cancelled("answer_conflicts, $what",
        "SELECT count(answer_conflicts(chunks ||
            jsonb_build_array(chunks -> 0 || jsonb_build_object('chunk_id', 'x' || i))))
            FROM chunks, generate_series(1, 1000) i WHERE what = '$what'", 0.5);
}

$sql->value($_) for (
    'CREATE TABLE operand (what text, "check" jsonb, evidence jsonb)',
    q{INSERT INTO operand
        SELECT 'in, long list', jsonb_build_object('tool', 't', 'expect', jsonb_build_object('path', 'v', 'op', 'in',
                'value', jsonb_agg('x' || i))),
            '{"fact": "t", "raw": {"v": "y"}}'
        FROM generate_series(1, 200000) i},
    q{INSERT INTO operand
        SELECT 'in, long list of arrays', jsonb_build_object('tool', 't', 'expect', jsonb_build_object('path', 'v',
                'op', 'in', 'value', jsonb_agg(jsonb_build_array(i, 'x')))),
            jsonb_build_object('fact', 't', 'raw', jsonb_build_object('v', (SELECT jsonb_agg(i)
                FROM generate_series(1, 10000) i)))
        FROM generate_series(1, 200000) i},
    q{INSERT INTO operand
        SELECT 'contains, long array', '{"tool": "t", "expect": {"path": "v", "op": "contains", "value": "y"}}',
            jsonb_build_object('fact', 't', 'raw', jsonb_build_object('v', jsonb_agg('x' || i)))
        FROM generate_series(1, 200000) i},
    q{INSERT INTO operand
        SELECT 'contains, array in long array', jsonb_build_object('tool', 't', 'expect', jsonb_build_object('path',
                'v', 'op', 'contains', 'value', (SELECT jsonb_agg(i) FROM generate_series(1, 10000) i))),
            jsonb_build_object('fact', 't', 'raw', jsonb_build_object('v', jsonb_agg(jsonb_build_array(i))))
        FROM generate_series(1, 200000) i},
    # input for which a naive search needs quadratic time
    q{INSERT INTO operand
        SELECT 'contains, periodic text', jsonb_build_object('tool', 't', 'expect', jsonb_build_object('path', 'v',
                'op', 'contains', 'value', repeat('a', 500000) || 'b')),
            jsonb_build_object('fact', 't', 'raw', jsonb_build_object('v', repeat('a', 10000000)))},
    q{INSERT INTO operand
        SELECT 'eq, huge numbers', jsonb_build_object('tool', 't', 'expect', jsonb_build_object('path', 'v',
                'op', 'eq', 'value', repeat('9', 100000)::numeric)),
            jsonb_build_object('fact', 't', 'raw', jsonb_build_object('v', repeat('9', 100000)::numeric))},
);
for my $what (split /\n/, $sql->value('SELECT what FROM operand')) {
    cancelled("answer_check, $what", q{SELECT count(verdict) FROM operand, generate_series(1, 100000) i,
        LATERAL answer_check("check", evidence, '2026-01-01Z'::timestamptz + i * interval '1 s')
        WHERE what = } . quoted($what), 0.1);
}

#
# statement_timeout
#
$sql->value("SET statement_timeout = '500ms'");
{
    my $before = receipts();
    my $result = $sql->run('SELECT answer_eval(' . request('sleeper', '{"s": 30}', 60000, $server_check) . ')');
    is($result->{state}, '57014', 'statement_timeout before the deadline cancels the statement');
    like($result->{err}, qr/statement timeout/, 'and says that it was the statement timeout');
    note(sprintf('after %.3f s', $result->{seconds}));
    is(receipts(), $before, 'no receipt is left');
    is($sql->value('SELECT 1'), '1', 'the next statement runs');
}
$sql->value("SET statement_timeout = '6s'");
{
    my $result = $sql->run(shape(request('sleeper', '{"s": 30}', 300)));
    is($result->{out}, 'evidence_unavailable|57014|-|true', 'a deadline before statement_timeout costs its check');
    note(sprintf('after %.3f s', $result->{seconds}));
    $result = $sql->run('SELECT answer_eval(' . request('sleeper', '{"s": 30}', 200) . ") ->> 'verdict', pg_sleep(30)");
    is($result->{state}, '57014', 'statement_timeout stays armed behind a deadline that passed');
    note(sprintf('and fires after %.3f s', $result->{seconds}));
}
$sql->value('RESET statement_timeout');

#
# deadlines
#
{
    # checks before the slow tool count; those after it have no time left
    my $first = qq({"deadline_ms": 3000, "checks": [$server_check,
        {"tool": "sleeper", "args": {"s": 30}}, {"tool": "postgres_setting", "args": {"name": "port"}}]});
    my $result = $sql->run(qq(SELECT string_agg(c ->> 'verdict', ' ' ORDER BY n),
        bool_and((answer_verify(r) ->> 'ok')::bool)
        FROM (SELECT answer_eval('$first') r OFFSET 0) q, jsonb_array_elements(r -> 'checks') WITH ORDINALITY c(c, n)));
    is($result->{out}, 'supported evidence_unavailable evidence_unavailable|t',
        'a slow tool costs its own check and what needs a tool after it, no more');
    note(sprintf('after %.3f s', $result->{seconds}));

    my $before = receipts();
    $result = $sql->run(shape(request('stubborn', '{"n": 1, "s": 30}', 300)));
    is($result->{out}, 'evidence_unavailable|57014|-|true', 'a tool that swallows its cancel is cancelled again');
    note(sprintf('after %.3f s', $result->{seconds}));
    $result = $sql->run(shape(request('stubborn', '{"n": 5, "s": 0}', 300)));
    is($result->{out}, 'evidence_unavailable|57014|-|true',
        'and has no evidence to give though it comes back in the end');
    note(sprintf('after %.3f s', $result->{seconds}));
    is(receipts(), $before + 2, 'both receipts are stored');
    is($sql->value("SELECT pg_sleep(0.3), 'next'"), '|next', 'nothing of it hits the next statement');

    is($fact->wait->{state}, '57014', 'answer_fact ends in an error after 6 seconds');
    is($fact->value("SELECT pg_sleep(0.2), 'next'"), '|next', 'the next statement is not cancelled');
}

# A tool that swallows every cancel never ends, as under statement_timeout; it can be terminated.
$sql->value($_) for (
    q{CREATE FUNCTION immortal(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
        BEGIN
            LOOP
                BEGIN
                    PERFORM pg_sleep(10);
                EXCEPTION WHEN query_canceled THEN
                    NULL;
                END;
            END LOOP;
        END $$},
    q{SELECT answer_tool_register('immortal', 'immortal(jsonb)', options => jsonb_build_object('source', 'test'))},
);
{
    my $session = $server->session;
    my $pid = $session->backend;
    $session->send(shape(request('immortal', '{}', 300)));
    is($session->wait(1)->{state}, 'timeout', 'a tool that swallows every cancel goes on');
    my $receipts = receipts();
    $control->value("SELECT pg_terminate_backend($pid)");
    isnt($session->wait(4)->{state}, 'timeout', 'until its session is terminated');
    is(receipts(), $receipts, 'which leaves no receipt');
    $session->close;
}

#
# lock_timeout
#
my $holder = $server->session(setup => ['BEGIN', 'LOCK TABLE locked']);
{
    my $result = $sql->run(shape(request('locker', '{}', 5000, $server_check)));
    is($result->{out}, 'evidence_unavailable|55P03|supported|true', "a tool's lock timeout is the tool's failure");
    is($sql->value("SELECT pg_sleep(0.2), 'next'"), '|next', 'and does not hit the next statement');

    $sql->value("SET lock_timeout = '100ms'");
    $sql->value(q{CREATE FUNCTION plain_locker(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
        BEGIN LOCK TABLE locked; RETURN '{"v": 1}'; END $$});
    $sql->value(q{SELECT answer_tool_register('plain_locker', 'plain_locker(jsonb)', options => jsonb_build_object('source', 'test'))});
    $result = $sql->run(shape(request('plain_locker', '{}', 5000, $server_check)));
    is($result->{out}, 'evidence_unavailable|55P03|supported|true', "the session's lock_timeout in a tool as well");
    $sql->value('RESET lock_timeout');

    $result = $sql->run(shape(request('plain_locker', '{}', 300)));
    is($result->{out}, 'evidence_unavailable|57014|-|true', 'a deadline ends a wait for a lock');

    $result = $sql->run(shape(request('shrugger', '{"s": 30}', 500)));
    is($result->{out}, 'evidence_unavailable|57014|-|true',
        'a tool that survived a lock timeout and then passes the deadline costs its check only')
        or diag("$result->{state} $result->{err}");
    $result = $sql->run(shape(request('shrugger', '{"s": 0}', 5000, $server_check)));
    is($result->{out}, 'supported|-|supported|true', 'a tool that survives a lock timeout in time gives evidence');
    $result = $sql->run(shape(request('late_locker', '{}', 200)));
    like($result->{out}, qr/^evidence_unavailable\|(55P03|57014)\|-\|true$/,
        'a tool that swallows the deadline and then fails on a lock costs its check only')
        or diag("$result->{state} $result->{err}");
    is($sql->value("SELECT pg_sleep(0.3), 'next'"), '|next', 'and nothing of it hits the next statement');
}
$holder->close;

#
# nested evaluations
#
{
    my $nested = sub {
        my ($outer, $inner, $sleep) = @_;
        return qq('{"deadline_ms": $outer, "checks": [{"tool": "nested", "args": {"request": {"deadline_ms": $inner,
            "checks": [{"tool": "sleeper", "args": {"s": $sleep}, "expect": $ok}]}}, "observe": false}]}');
    };
    my $probe = sub {
        my ($request) = @_;
        return qq(SELECT r #>> '{checks,0,verdict}', coalesce(r #>> '{checks,0,observed}', '-'),
            answer_verify(r) ->> 'ok'
            FROM (SELECT answer_eval($request) r OFFSET 0) q);
    };
    my $before = receipts();
    my $result = $sql->run($probe->($nested->(5000, 5000, 0.01)));
    is($result->{out}, 'value|supported|true', 'a tool may evaluate') or diag($result->{err});
    is(receipts(), $before + 2, 'both receipts are stored');
    is($sql->value(q{SELECT count(*) FROM (SELECT body FROM answer.receipt ORDER BY issued_at DESC LIMIT 2) r
        WHERE (answer_verify(body) ->> 'ok')::boolean}), '2', 'both verify');

    $before = receipts();
    $result = $sql->run($probe->($nested->(300, 60000, 30)));
    is($result->{out}, 'evidence_unavailable|-|true', "the outer deadline holds for the inner evaluation");
    note(sprintf('after %.3f s', $result->{seconds}));
    is(receipts(), $before + 1, 'the inner receipt is gone with it');

    $result = $sql->run($probe->($nested->(5000, 300, 2)));
    is($result->{out}, 'value|insufficient_evidence|true',
        "the inner deadline holds for the inner evaluation, within the outer one's")
        or diag($result->{err});
    note(sprintf('after %.3f s', $result->{seconds}));
    is($sql->value("SELECT pg_sleep(0.3), 'next'"), '|next', 'nothing of it hits the next statement');
}

#
# races between a tool's end and its deadline
#
$sql->value(q{
    CREATE FUNCTION race(n int, deadline int, OUT calls int, OUT late int, OUT bad int) LANGUAGE plpgsql AS $$
    DECLARE
        r jsonb;
        checksum bigint;
    BEGIN
        calls := 0; late := 0; bad := 0;
        FOR i IN 1 .. n LOOP
            r := answer_eval(jsonb_build_object('deadline_ms', deadline, 'checks', jsonb_build_array(
                jsonb_build_object('tool', 'sleeper', 'args', jsonb_build_object('s',
                    (i % 20) * deadline / 10000.0)))));
            calls := calls + 1;
            late := late + (r #>> '{checks,0,verdict}' = 'evidence_unavailable')::int;
            bad := bad + (NOT (answer_verify(r) ->> 'ok')::boolean)::int;
            -- a cancel that leaked would strike here
            SELECT sum(g) INTO checksum FROM generate_series(1, 2000) g;
        END LOOP;
    END $$});
for my $deadline (1, 2, 5) {
    my $result = $sql->run("SELECT * FROM race(200, $deadline)");
    my ($calls, $late, $bad) = split /\|/, $result->{out} || '0|0|0';
    is($result->{state}, '00000', "200 races with a deadline of $deadline ms: no error") or diag($result->{err});
    is($calls, 200, 'every call gave a receipt');
    is($bad, 0, 'that verifies');
    cmp_ok($late, '>', 0, "$late of them came too late") if $deadline > 1;
}
{
    my ($errors, $receipts) = (0, 0);
    for my $i (1 .. 200) {
        my $s = ($i % 20) / 10000;
        my $result = $sql->run('SELECT answer_eval(' . request('sleeper', qq({"s": $s}), 1) . ") ? 'receipt_id'");
        $receipts++ if $result->{out} eq 't';
        $errors++ if $sql->run('SELECT count(*) FROM generate_series(1, 3000)')->{state} ne '00000';
    }
    is($receipts, 200, '200 statements with a deadline of 1 ms: each gives a receipt');
    is($errors, 0, 'no error in the statements between them');
}

# A real cancel at any moment of a racing evaluation is an error, and the session goes on.
{
    my $pid = $sql->backend;
    my %seen;
    for my $i (1 .. 60) {
        $sql->send('SELECT count(answer_eval(' . request('sleeper', '{"s": 0.002}', 3)
            . ')) FROM generate_series(1, 8)');
        AnswerServer::nap(rand(0.03));
        $control->value("SELECT pg_cancel_backend($pid)");
        $seen{$sql->wait->{state}}++;
        # a cancel between statements hits nothing, or the next statement, which is this one
        $sql->run('SELECT 1');
        $seen{next}++ if $sql->run('SELECT pg_sleep(0.005)')->{state} ne '00000';
    }
    ok(!grep({ !/^(00000|57014)$/ } keys %seen), 'real cancels amid races: ' . join(' ',
        map { "$_ $seen{$_}" } sort keys %seen));
}

ok($server->alive, 'the server is up');
ok(!$server->crashed, 'and never crashed');
done_testing();
