#!/usr/bin/env perl
# tiers: test long
# Plans are executed while sessions are ended and the server is killed: no finished step is lost or charged twice, no budget
# is overspent, nothing stays reserved. ANSWER_EVAL_CRASHES is the number of kills (50 in `make test-long`).
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Test::More;

my $CLIENTS = 8;
my $kills = $ENV{ANSWER_EVAL_CRASHES} // by_tier(2, 4, 50);
my $server = AnswerServer->new('plan_run', extended => 1);
$server->value($_) for (
    # what a step writes is stored exactly if its event is
    'CREATE TABLE wrote (step text)',
    q{CREATE FUNCTION writes(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
        BEGIN
            INSERT INTO public.wrote VALUES (args ->> 'step');
            PERFORM pg_sleep((args ->> 's')::float8);
            RETURN '{"ok": true}';
        END $$},
    q{SELECT answer_tool_register('writes', 'writes(jsonb)', spec => '{"io": {"input": {"step": "string", "s": "number"},
        "output": {"ok": "boolean"}}, "constraints": {"latency_p50_ms": 60000, "cost_per_call_usd": 0.01,
        "side_effects": true}}')},
    q{SELECT answer_tool_register('ask', NULL, spec => '{"external": true, "io": {"output": {"text": "string"}},
        "constraints": {"latency_p50_ms": 60000, "cost_per_call_usd": 0.01}}')},
    q{CREATE FUNCTION request(s float8, wait text DEFAULT 'b') RETURNS jsonb LANGUAGE sql AS $$
        SELECT jsonb_build_object('plan', jsonb_build_object('plan_id', 'steps', 'edges', '[["a", "b"], ["b", "c"]]'::jsonb,
            'nodes', (SELECT jsonb_agg(jsonb_build_object('id', n, 'op', 'call', 'tool', 'writes', 'out', n, 'args',
                jsonb_build_object('step', n, 's', CASE WHEN n = wait THEN s ELSE 0 END)) ORDER BY n)
                FROM unnest('{a,b,c}'::text[]) AS n))) $$},
    q{CREATE PROCEDURE keep_on(n int) LANGUAGE plpgsql AS $$
        DECLARE
            result jsonb;
        BEGIN
            FOR i IN 1 .. n LOOP
                CALL answer_plan_run(request(0.02, chr(97 + i % 3)), result);
            END LOOP;
        END $$},
    q{SELECT answer_budget_set('', 'day', 1000)},
);
my $unsettled = q{SELECT count(*) FROM answer.budget_reservation WHERE settled_at IS NULL};
my $unfinished = q{SELECT count(*) FROM answer.plan_run WHERE status <> 'done'};
my $recover = 'SELECT answer_plan_recover()';
my $newest = q{SELECT body FROM answer.receipt WHERE schema = 'plan/v1' ORDER BY issued_at DESC LIMIT 1};

# Waits, in the server, until a condition is true.
sub await {
    my ($condition) = @_;
    $server->value(qq{DO \$\$ BEGIN WHILE NOT ($condition) LOOP PERFORM pg_sleep(0.01); PERFORM pg_stat_clear_snapshot(); END LOOP;
        END \$\$});
    return;
}

# the required result of every execution
sub all_holds {
    my ($when) = @_;
    is($server->value($unfinished), 0, "$when: every plan is done");
    is($server->value($unsettled), 0, '... and settled');
    is($server->value('SELECT count(*) FROM answer.plan_step'), 0, '... with nothing kept to go on');
    is($server->value('SELECT count(*) FROM wrote'), $server->value(q{SELECT count(*) FROM answer.plan_event
        WHERE event ->> 'outcome' = 'ok' AND event ->> 'tool' = 'writes'}), '... and what steps wrote is what their events tell');
    is($server->value(q{SELECT count(*) FROM answer.receipt r WHERE schema = 'plan/v1' AND NOT (answer_verify_ok(body)
        AND answer_replay(body) = '{"ok": true}' AND (answer_trace_verify(body ->> 'trace_id') ->> 'ok')::boolean)}),
        0, '... and documents and traces hold');
    is($server->value(q{SELECT trim_scale(b.reserved_usd) || ' ' || (b.spent_usd = (SELECT sum((body #>> '{budget_used,cost_usd}')::numeric)
        FROM answer.receipt WHERE schema = 'plan/v1')) FROM answer.budget b WHERE period = 'day'}), '0 true',
        '... and what was spent is what documents tell');
    return;
}

#
# one session
#
{
    my $session = $server->session;
    my $backend = $session->backend;
    $session->send(q{DO $$ DECLARE r jsonb; BEGIN CALL answer_plan_run(request(600), r); END $$});
    await(q{EXISTS (SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND pid = } . "$backend)");
    is($server->value('SELECT count(*) FROM answer_trace(\'steps\')'), 1, 'a finished step is there for all to see');
    is($server->value(q{SELECT trim_scale(charged_usd) || ' ' || trim_scale(step_usd) FROM answer.budget_reservation}), '0.01 0.01',
        'with what it was charged, and what the one in flight is to be');
    is($server->value($recover), 0, 'and nobody ends it while its session executes it');
    is($server->value(q{SET lock_timeout = '5s'; SELECT answer_plan_execute(request(0)) ->> 'verdict'}), 'answered',
        'nor waits for it');
    $server->value("SELECT pg_cancel_backend($backend)");
    is($session->wait->{state}, '57014', 'a cancel ends it');
    is($server->value($unfinished), 1, 'and leaves it');
    is($server->value($recover), 1, 'to be ended by whoever recovers');
    is($server->value($recover), 0, 'once');
    is($server->value("SELECT body ->> 'verdict' || ' ' || (body #>> '{reason,kind}') || ' ' || (body #>> '{reason,node}') || ' '"
        . " || (body #>> '{budget_used,cost_usd}') FROM ($newest) AS n"), 'failed recovered b 0.02', 'with the step in flight charged');
    $session->close;
    all_holds('after a cancel');
}

#
# many sessions
#
for my $round (1 .. 2) {
    my @sessions = map { $server->session } 1 .. $CLIENTS;
    $_->backend for @sessions;
    $_->send('CALL keep_on(100000)') for @sessions;
    for my $kill (1 .. $kills / 2) {
        my $victim = int(rand($CLIENTS));
        AnswerServer::nap(0.05 + rand(0.2));
        my $what = $kill % 2 ? 'terminate' : 'cancel';
        $server->value("SELECT pg_${what}_backend(" . $sessions[$victim]->backend . ')');
        $sessions[$victim]->wait;
        $sessions[$victim]->close;
        # beside the others
        $server->value($recover) if $kill % 3 == 0;
        $sessions[$victim] = $server->session;
        $sessions[$victim]->backend;
        $sessions[$victim]->send('CALL keep_on(100000)');
    }
    $server->kill9;
    $_->close for @sessions;
    $server->start;
    ok($server->value($recover) >= 0, 'what was left is ended');
    is($server->value($recover), 0, 'all of it');
    all_holds("round $round, after kill -9");
}
ok($server->value('SELECT count(*) FROM answer.receipt WHERE verdict = \'answered\'') > $CLIENTS, 'most plans came to their end');
is($server->value(q{SELECT count(*) FROM answer_log_audit() WHERE detail LIKE 'trace %'}), 0, 'the audit finds no trace amiss');

#
# a cancel while others hold the budget ends the statement, and not the session
#
{
    my ($one, $other) = map { $server->session } 1 .. 2;
    $one->value($_) for 'BEGIN', q{SELECT answer_plan_execute(request(0)) ->> 'verdict'};
    $other->value(q{SET statement_timeout = '300ms'});
    is($other->run(q{SELECT answer_plan_execute(request(0))})->{state}, '57014', 'who waits for the budget is cancelled');
    is($other->run(q{SELECT 1})->{out}, '1', 'and the session goes on');
    $one->value('COMMIT');
    is($other->run(q{SELECT answer_plan_execute(request(0)) ->> 'verdict'})->{out}, 'answered', 'with plans, too');
    $_->close for $one, $other;
}

#
# snapshots, and requests that come twice
#
{
    my ($one, $other) = map { $server->session } 1 .. 2;
    $one->value($_) for 'BEGIN', q{SELECT answer_plan_execute(request(0) || '{"request_id": "r"}') ->> 'verdict'};
    $other->send(q{SELECT answer_plan_execute(request(0) || '{"request_id": "r"}') ->> 'trace_id'});
    is($other->wait(0.5)->{state}, 'timeout', 'the same request waits for the one that came first');
    $one->value('COMMIT');
    is($other->wait->{out}, $server->value(q{SELECT trace_id FROM answer.plan_run WHERE request_id = 'r'}), 'and gets its answer');
    $one->value($_) for 'BEGIN ISOLATION LEVEL REPEATABLE READ', 'SELECT 1';
    $other->value(q{SELECT answer_plan_execute(request(0) || '{"request_id": "s"}') ->> 'trace_id'});
    is($one->run(q{SELECT answer_plan_execute(request(0) || '{"request_id": "s"}')})->{state}, '40001',
        'which a snapshot from before cannot see');
    $one->value('ROLLBACK');

    # two answers to one step
    my $trace = $server->value(q{SELECT answer_plan_execute('{"plan": {"plan_id": "asks", "nodes": [{"id": "q", "op": "call",
        "tool": "ask", "out": "x"}]}}') ->> 'trace_id'});
    my $resume = qq{SELECT answer_plan_resume('$trace', '{"q": {"result": {"text": "so"}, "by": "me"}}') ->> 'verdict'};
    $one->value('BEGIN');
    is($one->value($resume), 'answered', 'a step is answered');
    $other->send($resume);
    is($other->wait(0.5)->{state}, 'timeout', 'who answers it too waits');
    $one->value('COMMIT');
    is($other->wait->{state}, '55000', 'and is too late');
    $_->close for $one, $other;
}

#
# listeners
#
{
    my $listener = $server->session(setup => ['LISTEN answer_trace']);
    $server->value(q{SELECT answer_plan_execute(request(0)) ->> 'verdict'});
    is($listener->run('SELECT 1')->{out}, '1', 'nobody is told of anything');
    my $trace = $server->value(q{SET answer_eval.notify = on; SELECT answer_plan_execute(request(0)) ->> 'trace_id'});
    my $digest = $server->value(qq{SELECT encode(sha256('$trace'), 'hex')});
    my @told = $listener->run('SELECT 1')->{out} =~ /payload "sha256:([0-9a-f]{64} \d+)"/g;
    is("@told", join(' ', map { "$digest $_" } 1 .. 3), 'unless it is wanted: of each event, by a digest');
    $listener->close;
}

#
# waiting plans survive a restart of the server
#
{
    my $trace = $server->value(q{SELECT answer_plan_execute('{"plan": {"plan_id": "asks", "nodes": [{"id": "q", "op": "call",
        "tool": "ask", "out": "x"}]}}') ->> 'trace_id'});
    $server->restart;
    is($server->value(qq{SELECT answer_plan_resume('$trace', '{"q": {"result": {"text": "so"}, "by": "me"}}') ->> 'verdict'}),
        'answered', 'what waited goes on after a restart');
    all_holds('at the end');
}
ok($server->alive, 'the server is alive');
done_testing();
