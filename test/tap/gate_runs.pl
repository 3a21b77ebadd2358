#!/usr/bin/env perl
# tiers: test
# Runs of suites that are cancelled, killed and resumed, with concurrent runs and loads; and rows that somebody else wrote.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Test::More;

my $server = AnswerServer->new('gate_runs', extended => 1);
my $sql = $server->session;
my $control = $server->session;
$sql->value($_) for (
    'CREATE TABLE gate_touched (n int)',
    'CREATE TABLE gate_door (open boolean)',
    'INSERT INTO gate_door VALUES (true)',
    # a tool that writes, and waits while a lock (the door) is held
    q{CREATE FUNCTION slow(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
        BEGIN
            INSERT INTO public.gate_touched VALUES (1);
            PERFORM 1 FROM public.gate_door FOR SHARE;
            RETURN '{"v": 1}';
        END $$},
    q{SELECT answer_tool_register('slow', 'slow(jsonb)')},
    q{SELECT answer_suite_load('slow', (SELECT jsonb_agg(jsonb_build_object('id', 'c' || n, 'kind', 'check',
        'request', jsonb_build_object('deadline_ms', 60000, 'checks', jsonb_build_array(jsonb_build_object('tool', 'slow',
            'expect', '{"path": "v", "op": "eq", "value": 1}'::jsonb))), 'expected_verdict', 'supported'))
        FROM generate_series(1, 9) AS n), '[]', '2024-06-01')},
);
my $whole = $sql->value(q{SELECT answer_suite_run('slow')});
like($whole, qr/^run_[0-9a-f]{16}$/, 'a suite of checks runs');
is($sql->value('SELECT count(*) FROM gate_touched'), 0, '... and what its tools wrote is undone');
is($sql->value(q{SELECT count(*) FROM answer.receipt WHERE schema = 'answer/v1'}), 0, '... and no receipt of a case is there');
my $digest = $sql->value(qq{SELECT digest FROM answer.run WHERE run_id = '$whole'});

# the door is shut: the next case waits, in a transaction of its own
sub shut { $control->value($_) for ('BEGIN', 'UPDATE gate_door SET open = open'); return }
sub waits { my ($pid) = @_; $server->value(qq{DO \$\$ BEGIN WHILE NOT EXISTS (SELECT FROM pg_stat_activity WHERE pid = $pid
    AND wait_event_type = 'Lock') LOOP PERFORM pg_sleep(0.01); PERFORM pg_stat_clear_snapshot(); END LOOP; END \$\$}); return }
my $resume = q{CALL answer_suite_run_resume('slow', batch => 2)};

# a cancel is a cancel, not a failed case
shut();
my $backend = $sql->backend;
$sql->send(q{SELECT answer_suite_run('slow')});
waits($backend);
$control->value("SELECT pg_cancel_backend($backend)");
like($sql->wait->{err}, qr/canceling statement/, 'a cancel ends the run');
$control->value('COMMIT');
is($server->value('SELECT count(*) FROM answer.run'), 1, '... and leaves nothing of it');

# killed in the middle: committed results are there, and the next call continues from them
for my $how ('terminate', 'kill') {
    my $runner = $server->session;
    # the door is shut when the first batches are committed
    my $pid = $runner->backend;
    $control->value($_) for (q{BEGIN}, q{SELECT pg_advisory_lock(7)}, 'COMMIT');
    $sql->value(q{CREATE OR REPLACE FUNCTION slow(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
        BEGIN
            IF (SELECT count(*) FROM answer.run_work_case) >= 4 THEN
                PERFORM pg_advisory_xact_lock(7);
            END IF;
            RETURN '{"v": 1}';
        END $$});
    $runner->send($resume);
    waits($pid);
    is($server->value('SELECT done || \' of \' || cases FROM answer.run_progress'), '4 of 9', "$how: the progress shows");
    my $other = $server->session;
    if ($how eq 'terminate') {
        $control->value("SELECT pg_terminate_backend($pid)");
        $server->value(qq{DO \$\$ BEGIN WHILE EXISTS (SELECT FROM pg_stat_activity WHERE pid = $pid) LOOP PERFORM pg_sleep(0.01);
            PERFORM pg_stat_clear_snapshot(); END LOOP; END \$\$});
        $control->value('SELECT pg_advisory_unlock(7)');
        # somebody bypasses the guards and replaces a failed row by a better one
        is($server->run(q{UPDATE answer.run_work_case SET body = body || '{"passed": true}'})->{state}, '23001',
            '... rows of an unfinished run are not for the owner to write');
    }
    else {
        $server->kill9;
        $server->start;
        $sql = $server->session;
        $control = $server->session;
        $other = $server->session;
    }
    my $run = $other->value($resume);
    is($other->value(qq{SELECT digest FROM answer.run WHERE run_id = '$run'}), $digest, '... the resumed run is the same');
    is($other->value(qq{SELECT cases || ' ' || passed || ' ' || cardinality(took) FROM answer.run WHERE run_id = '$run'}), '9 9 9',
        '... of all cases, each once');
    is($other->value('SELECT count(*) FROM answer.run_work'), 0, '... and nothing unfinished is left');
    ok($other->value(qq{SELECT answer_verify_ok(answer_run('$run'))}) eq 't', '... and it verifies');
}

# rows that were changed in spite of the guards are not signed
$control->value('SELECT pg_advisory_lock(7)');
my $runner = $server->session;
my $pid = $runner->backend;
$runner->send($resume);
waits($pid);
$control->value("SELECT pg_terminate_backend($pid)");
$server->value(qq{DO \$\$ BEGIN WHILE EXISTS (SELECT FROM pg_stat_activity WHERE pid = $pid) LOOP PERFORM pg_sleep(0.01);
    PERFORM pg_stat_clear_snapshot(); END LOOP; END \$\$});
$control->value('SELECT pg_advisory_unlock(7)');
$server->value($_) for ('ALTER TABLE answer.run_work_case DISABLE TRIGGER run_work_case_guard',
    q{UPDATE answer.run_work_case SET body = body || '{"decision": "forged"}' WHERE ordinal = 2},
    'ALTER TABLE answer.run_work_case ENABLE ALWAYS TRIGGER run_work_case_guard');
$sql->value(q{CREATE OR REPLACE FUNCTION slow(args jsonb) RETURNS jsonb LANGUAGE sql AS $$ SELECT '{"v": 1}'::jsonb $$});
my $run = $sql->value($resume);
is($sql->value(qq{SELECT digest FROM answer.run WHERE run_id = '$run'}), $digest, 'forged rows are left alone, and the run begins anew');
is($sql->value('SELECT count(*) FROM answer.run_work'), 1, '... with what was forged kept');

is($sql->value(q{SELECT answer_suite_run_prune(now() - interval '1 day')}), 0, '... which is too young to be pruned');
is($sql->run('SELECT answer_suite_run_prune(NULL)')->{state}, '22004', '... or NULL is no instant');
is($sql->value(q{SELECT answer_suite_run_prune(clock_timestamp())}), 1, '... until it is pruned');
is($sql->value('SELECT (SELECT count(*) FROM answer.run_work) + (SELECT count(*) FROM answer.run_work_case)'), 0, '... with its rows');
is($sql->value('SELECT count(*) FROM answer.run'), 4, '... and what is finished stays');

# roles without rights on the tables: one cannot continue a run that another began, because it would be given what the
# first one's tools said
$sql->value($_) for (
    (map { ("CREATE ROLE $_", "GRANT EXECUTE ON PROCEDURE answer_suite_run_resume TO $_", "GRANT EXECUTE ON FUNCTION answer_eval(jsonb) TO $_") }
        'gate_begins', 'gate_other'),
    q{CREATE FUNCTION who(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
        BEGIN
            IF current_user = 'gate_begins' AND public.gate_done() >= 2 THEN
                PERFORM pg_advisory_xact_lock_shared(9);
            END IF;
            RETURN jsonb_build_object('v', current_user);
        END $$},
    q{CREATE FUNCTION gate_done() RETURNS bigint LANGUAGE sql SECURITY DEFINER AS 'SELECT count(*) FROM answer.run_work_case'},
    q{SELECT answer_tool_register('who', 'who(jsonb)')},
    q{SELECT answer_suite_load('who', (SELECT jsonb_agg(jsonb_build_object('id', 'c' || n, 'kind', 'check',
        'request', '{"checks": [{"tool": "who", "expect": {"path": "v", "op": "eq", "value": "gate_begins"}}]}'::jsonb,
        'expected_verdict', 'supported') ORDER BY n) FROM generate_series(1, 4) AS n), '[]', '2024-06-01')},
);
$control->value('SELECT pg_advisory_lock(9)');
$runner = $server->session;
$pid = $runner->backend;
$runner->value('SET ROLE gate_begins');
$runner->send(q{CALL answer_suite_run_resume('who', batch => 2)});
waits($pid);
$control->value("SELECT pg_terminate_backend($pid)");
$server->value(qq{DO \$\$ BEGIN WHILE EXISTS (SELECT FROM pg_stat_activity WHERE pid = $pid) LOOP PERFORM pg_sleep(0.01);
    PERFORM pg_stat_clear_snapshot(); END LOOP; END \$\$});
$control->value('SELECT pg_advisory_unlock(9)');
$sql->value('SET ROLE gate_other');
$run = $sql->value(q{CALL answer_suite_run_resume('who', batch => 2)});
$sql->value('RESET ROLE');
my $decisions = q{SELECT string_agg(decision, ' ' ORDER BY ordinal) FROM answer.run_case WHERE run_id = '%s'};
is($sql->value(sprintf $decisions, $run), 'contradicted contradicted contradicted contradicted', 'another role begins a run of its own');
is($sql->value('SELECT string_agg(role, $$ $$) FROM answer.run_work'), 'gate_begins', '... and leaves the first one alone');
$sql->value('SET ROLE gate_begins');
$run = $sql->value(q{CALL answer_suite_run_resume('who', batch => 2)});
$sql->value('RESET ROLE');
is($sql->value(sprintf $decisions, $run), 'supported supported supported supported', '... which the role that began it goes on with');

# a document is forgotten during an unfinished run: its rows are gone, and do not come back
$sql->value(q{CREATE OR REPLACE FUNCTION slow(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
    BEGIN
        PERFORM pg_advisory_xact_lock_shared(8);
        RETURN '{"v": 1}';
    END $$});
my $paper = '[{"doc_id": "paper",
    "title": "Refund policy", "timestamp": "2024-05-20", "text": "Custom items have a refund window of 30 days."}]';
$sql->value(qq{SELECT answer_document_load('$paper')});
$sql->value(qq{SELECT answer_suite_load('paper', jsonb_build_array(
    '{"id": "cites", "query": "What is the refund window for custom items?", "expected_outcome": "ANSWER", "risk_level": "low"}'::jsonb,
    (SELECT body || '{"id": "waits"}' FROM answer.suite_case WHERE suite = 'slow' AND version = 1 AND ordinal = 1)),
    '$paper', '2024-06-01')});
$control->value('SELECT pg_advisory_lock(8)');
$runner = $server->session;
$pid = $runner->backend;
$runner->send(q{CALL answer_suite_run_resume('paper', batch => 1)});
waits($pid);
is($sql->value('SELECT count(*) FROM answer.run_work_case'), 1, 'an unfinished run has a row');
$sql->value(q{SELECT answer_forget('paper', 'a test')});
is($sql->value('SELECT (SELECT count(*) FROM answer.run_work) + (SELECT count(*) FROM answer.run_work_case)'), 0,
    '... which goes with the document that it cites');
$control->value('SELECT pg_advisory_unlock(8)');
like($runner->wait->{err}, qr/was forgotten/, '... and the run, which goes on, does not end well');
is($sql->value(q{SELECT (SELECT count(*) FROM answer.run_work_case) || ' ' || (SELECT count(*) FROM answer.run WHERE suite = 'paper')}), '0 0',
    '... nor brings anything back');

# a suite that changes while it runs: the run is of the version that it began with
$sql->value(q{CREATE OR REPLACE FUNCTION slow(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
    BEGIN
        PERFORM pg_advisory_xact_lock_shared(8);
        RETURN '{"v": 1}';
    END $$});
$control->value('SELECT pg_advisory_lock(8)');
my @both = map { $server->session } 1 .. 2;
my @pids = map { $_->backend } @both;
$both[0]->send($resume);
$both[1]->send(q{SELECT answer_suite_run('slow')});
waits($_) for @pids;
is($server->value(q{SELECT answer_suite_load('slow', '[]', '[]', '2024-06-01') ->> 'version'}), 2, 'a suite is loaded while it runs');
$control->value('SELECT pg_advisory_unlock(8)');
my @runs = map { $_->wait->{out} } @both;
isnt($runs[0], $runs[1], 'two sessions run the same suite, each its own run');
is($server->value(qq{SELECT count(*) FILTER (WHERE version = 1 AND digest = '$digest') FROM answer.run WHERE run_id IN ('$runs[0]', '$runs[1]')}),
    2, '... of the version that they began with, with the same content');
$run = $server->value(q{SELECT answer_suite_run('slow')});
is($server->value(qq{SELECT version FROM answer.run WHERE run_id = '$run'}), 2, '... and the next run is of the next version');

# judging a suite: one at a time, and all or nothing
$sql->value($_) for (
    # a judge that waits while somebody has the lock
    q{CREATE FUNCTION gate_judge(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
        BEGIN
            PERFORM pg_advisory_xact_lock(9);
            RETURN (SELECT jsonb_build_object('judgements', jsonb_agg(jsonb_build_object('id', p -> 'id', 'relation', 'answers',
                'score', 0.9))) FROM jsonb_array_elements(args -> 'pairs') AS p);
        END $$},
    q{SELECT answer_judge_register('waits', '{"kinds": ["answers"], "model": "m", "version": "1", "handler": "public.gate_judge"}')},
    q{SELECT answer_suite_load('judged', '[{"id": "a", "query": "Where do swallows nest?", "expected_outcome": "ANSWER",
        "risk_level": "low"}]', '[{"doc_id": "d", "title": "Swallows", "timestamp": "2024-05-20",
        "text": "Swallows nest under the roof of the barn.\\n\\nThe nest of swallows is old."}]',
        '2024-06-01')},
);
my $judge = q{SELECT answer_suite_judge('judged', '{"judge_answers": "waits"}')};
$control->value('SELECT pg_advisory_lock(9)');
my $first = $server->session;
my $second = $server->session;
@pids = map { $_->backend } $first, $second;
$first->send($judge);
waits($pids[0]);
$second->send($judge);
waits($pids[1]);
$control->value("SELECT pg_cancel_backend($pids[0])");
like($first->wait->{err}, qr/canceling statement/, 'a cancel ends judging');
is($server->value(q{SELECT count(*) FROM answer.suite WHERE name = 'judged'}), 1, '... and pins nothing');
waits($pids[1]);
$first->send($judge);
waits($pids[0]);
$control->value('SELECT pg_advisory_unlock(9)');
cmp_ok($second->wait->{out}, '>', 0, 'whoever waited judges the suite');
is($first->wait->{out}, 0, '... and the next one has nothing to pin');
is($server->value(q{SELECT max(version) FROM answer.suite WHERE name = 'judged'}), 2, '... nor makes a version');
is($server->value(q{SELECT count(*) FROM answer.change WHERE kind = 'suite' AND name = 'judged/2'}), 1, '... of which a record is signed');

done_testing();
