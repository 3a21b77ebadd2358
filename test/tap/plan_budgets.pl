#!/usr/bin/env perl
# tiers: test long
# Budgets and rate limits of plans with many sessions at once: never overspent, no deadlock, nothing left behind.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Test::More;

# The same number of plans in each tier; the long tier has more sessions.
my $CLIENTS = AnswerServer::by_tier(8, 8, 32);
sub share { my ($n) = @_; return $n * 32 / $CLIENTS }
my $server = AnswerServer->new('budgets', conf => ['max_connections = 50', "deadlock_timeout = '200ms'"], extended => 1, kept => $CLIENTS + 2);
$server->value($_) for (
    'CREATE SEQUENCE trace',
    'CREATE TABLE outcome (run text, outcome text)',
    q{CREATE FUNCTION new_trace() RETURNS text LANGUAGE sql AS $$ SELECT 't_' || nextval('trace') $$},
    # a plan of five steps that commits as it goes
    q{CREATE PROCEDURE run_plans(tenant text, run text, n int, price numeric) LANGUAGE plpgsql AS $$
        DECLARE
            trace text;
            seen text;
        BEGIN
            FOR i IN 1 .. n LOOP
                trace := new_trace();
                seen := answer.budget_operate(tenant, trace, 'open', jsonb_build_object('cost_usd', 5 * price));
                INSERT INTO outcome VALUES (run, seen);
                COMMIT;
                CONTINUE WHEN seen <> 'fits';
                FOR step IN 1 .. 5 LOOP
                    PERFORM answer.budget_operate(tenant, trace, 'step', jsonb_build_object('cost_usd', price));
                    COMMIT;
                    PERFORM answer.budget_operate(tenant, trace, 'charge', jsonb_build_object('cost_usd', price));
                    COMMIT;
                END LOOP;
                PERFORM answer.budget_operate(tenant, trace, 'settle');
                COMMIT;
            END LOOP;
        END $$},
    # plans that hold their locks to the end of a transaction, two in each; every third transaction is rolled back
    q{CREATE PROCEDURE execute_plans(tenant text, run text, n int, price numeric, tools text[] DEFAULT '{}')
        LANGUAGE plpgsql AS $$
        DECLARE
            trace text;
            seen text;
        BEGIN
            FOR i IN 1 .. n LOOP
                FOR plan IN 1 .. 2 LOOP
                    trace := new_trace();
                    seen := answer.budget_operate(tenant, trace, 'open', jsonb_build_object('cost_usd', price),
                        tools => (SELECT COALESCE(array_agg(t ORDER BY random()), '{}') FROM unnest(tools) AS t
                            WHERE random() < 0.5), is_held => true);
                    INSERT INTO outcome VALUES (run, seen);
                    CONTINUE WHEN seen <> 'fits';
                    PERFORM answer.budget_operate(tenant, trace, 'step', jsonb_build_object('cost_usd', price),
                        is_held => true);
                    PERFORM answer.budget_operate(tenant, trace, 'charge', jsonb_build_object('cost_usd', price / 2),
                        is_held => true);
                    PERFORM answer.budget_operate(tenant, trace, 'settle', is_held => true);
                END LOOP;
                IF i % 3 = 0 THEN
                    ROLLBACK;
                ELSE
                    COMMIT;
                END IF;
            END LOOP;
        END $$},
    # checks again and again as long as others run
    q{CREATE PROCEDURE watch(tenant text) LANGUAGE plpgsql AS $$
        BEGIN
            WHILE EXISTS (SELECT FROM pg_stat_activity WHERE query LIKE 'CALL %_plans%' AND state = 'active') LOOP
                INSERT INTO outcome SELECT 'watch', 'overspent' FROM answer.budget b
                WHERE b.tenant = watch.tenant AND b.reserved_usd + b.spent_usd > b.cost_cap_usd;
                COMMIT;
                PERFORM pg_stat_clear_snapshot();
            END LOOP;
        END $$},
    (map { "SELECT answer_tenant_create('$_')" } qw(acme globex initech hooli)),
);
# sums that differ from those of the reservations
my $drift = q{SELECT count(*) FROM (SELECT p.reserved_usd AS a, p.spent_usd AS b,
    COALESCE(sum(r.reserved_usd) FILTER (WHERE r.settled_at IS NULL), 0) AS c,
    COALESCE(sum(r.charged_usd) FILTER (WHERE r.settled_at IS NOT NULL), 0) AS d
    FROM answer.budget_period p LEFT JOIN answer.budget_reservation r ON r.tenant = p.tenant
    AND date_trunc(p.period, r.day::timestamp)::date = p.starts_on
    GROUP BY p.tenant, p.period, p.starts_on) AS s WHERE a <> c OR b <> d};
my $locks = q{SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'};

sub budget {
    my ($tenant) = @_;
    return $server->value(qq{SELECT trim_scale(reserved_usd) || ' ' || trim_scale(spent_usd) FROM answer.budget
        WHERE tenant = '$tenant' AND period = 'month'});
}

sub outcomes {
    my ($run) = @_;
    return $server->value(qq{SELECT string_agg(outcome || ' ' || n, ', ' ORDER BY outcome COLLATE "C")
        FROM (SELECT outcome, count(*) AS n FROM outcome WHERE run = '$run' GROUP BY outcome) AS o});
}

my $held = ', is_held => true';

# Statements: an operation on a budget, a token of a bucket, recovery of what a session left.
sub operate {
    my ($tenant, $trace, $operation, $cost, $more) = @_;
    return sprintf(q{SELECT answer.budget_operate('%s', '%s', '%s', '{"cost_usd": %s}'%s)}, $tenant, $trace, $operation,
        $cost // 0, $more // '');
}
sub open_plan { my ($tenant, $trace, @more) = @_; return operate($tenant, $trace, 'open', @more) }
sub settle { my ($tenant, $trace) = @_; return operate($tenant, $trace, 'settle') }
sub take { my ($tenant, $tool, $is_held) = @_; return "SELECT answer.rate_take('$tenant', '$tool', 0.0001, $is_held)" }
sub recover { my ($trace) = @_; return "SELECT trim_scale(answer.budget_recover('hooli', '$trace', '-infinity'))" }
sub turn { my ($trace) = @_; return "SELECT answer.trace_lock('hooli', '$trace', true)" }

# Waits, in the server, until a condition is true.
sub await {
    my ($condition) = @_;
    $server->value(qq{DO \$\$ BEGIN WHILE NOT ($condition) LOOP PERFORM pg_sleep(0.01); PERFORM pg_stat_clear_snapshot(); END LOOP;
        END \$\$});
    return;
}

# All sessions call something at once; all must succeed.
sub together {
    my ($name, @calls) = @_;
    my @sessions = map { $server->borrow } @calls;
    $sessions[$_]->send($calls[$_]) for 0 .. $#calls;
    my @bad = grep { $_->{state} ne '00000' } map { $_->wait } @sessions;
    is(scalar(@bad), 0, "$name: all sessions come to their end") or diag(map { $_->{err} } @bad);
    $server->give_back($_) for @sessions;
    is($server->value($drift), 0, 'the sums are those of the reservations');
    is($server->value($locks), 0, 'no lock is left');
    return;
}

#
# many clients, one cap
#
# they would run 160 plans; the money is enough for exactly 100
$server->value(q{SELECT answer_budget_set('acme', 'day', 100), answer_budget_set('acme', 'month', 0.5)});
together("$CLIENTS clients that commit as they go", (sprintf("CALL run_plans('acme', 'procedure', %d, 0.001)", share(5))) x $CLIENTS,
    q{CALL watch('acme')});
is(outcomes('procedure'), 'fits 100, refused 60', 'as many plans as the cap pays for');
is(budget('acme'), '0 0.5', 'and not a cent more is spent');
is(outcomes('watch') // '', '', 'at no time was there more reserved');

$server->value(q{SELECT answer_budget_set('globex', 'month', 0.5)});
together("$CLIENTS clients that hold their locks", (sprintf("CALL execute_plans('globex', 'held', %d, 0.01)", share(6))) x $CLIENTS,
    q{CALL watch('globex')});
is($server->value(q{SELECT (reserved_usd = 0 AND spent_usd <= cost_cap_usd AND spent_usd > 0.48)::text
    FROM answer.budget WHERE tenant = 'globex'}), 'true', 'nothing is held, and no more spent than the cap')
    or diag(budget('globex'));
is($server->value(q{SELECT (sum(charged_usd) = 0.005 * count(*))::text FROM answer.budget_reservation
    WHERE tenant = 'globex'}), 'true', 'what was rolled back is not charged');
is(outcomes('watch') // '', '', 'at no time was there more reserved');

# both forms, and tools in any order, with a cap and without
$server->value(q{SELECT answer_budget_set('initech', 'day', 0.3), answer_budget_set('initech', 'month', 0.25)});
my @tools = q('{a,b,c,d,e,f}');
for my $tenant ('initech', 'hooli') {
    together("$CLIENTS clients of both forms, $tenant", (sprintf("CALL run_plans('$tenant', '$tenant', %d, 0.002)", share(3))) x ($CLIENTS / 2),
        (sprintf("CALL execute_plans('$tenant', '$tenant', %d, 0.005, @tools)", share(4))) x ($CLIENTS / 2), "CALL watch('$tenant')");
    is($server->value(qq{SELECT count(*) FROM outcome WHERE run = '$tenant' AND outcome = 'busy'}), 0,
        'nobody is told that it is busy');
}
is(outcomes('watch') // '', '', 'at no time was there more reserved');
# every third transaction of those that hold their locks is rolled back, and has two plans
is(outcomes('hooli'), 'fits ' . (48 + $CLIENTS * (share(4) - int(share(4) / 3))), 'without a cap everything fits');
unlike(AnswerServer::slurp($server->{log}), qr/deadlock/, 'no deadlock so far');

#
# the same with plans that are executed
#
$server->value($_) for (
    q{CREATE FUNCTION counted(args jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
        SELECT jsonb_build_object('n', (args ->> 'n')::int + 1) $$},
    q{SELECT answer_tool_register('counted', 'counted(jsonb)', spec => '{"io": {"input": {"n": "integer"},
        "output": {"n": "integer"}}, "constraints": {"cost_per_call_usd": 0.001}}')},
    q{SELECT answer_plan_register(jsonb_build_object('plan_id', 'five',
        'edges', '[["n1","n2"],["n2","n3"],["n3","n4"],["n4","n5"]]'::jsonb, 'nodes', (SELECT jsonb_agg(jsonb_build_object(
        'id', 'n' || i, 'op', 'call', 'tool', 'counted', 'out', 'v' || i,
        'args', jsonb_build_object('n', CASE WHEN i > 1 THEN to_jsonb('$v' || i - 1) ELSE '0' END)) ORDER BY i)
        FROM generate_series(1, 5) AS i)))},
    q{SELECT answer_tenant_create('runs'), answer_tenant_create('executes'), answer_tenant_create('mixed')},
    q{SELECT answer_budget_set(t, 'month', 0.3) FROM unnest('{runs,executes,mixed}'::text[]) AS t},
);
my %call = (
    runs => q{CALL answer_plan_run('{"plan": {"ref": "five"}, "tenant": "TENANT"}', NULL)},
    executes => q{SELECT answer_plan_execute('{"plan": {"ref": "five"}, "tenant": "TENANT"}') ->> 'verdict'},
);
sub calls { my ($form, $tenant) = @_; return join(";\n", ($call{$form} =~ s/TENANT/$tenant/r) x share(3)) }

# 96 plans; the money is enough for 60
for my $form ('runs', 'executes', 'mixed') {
    together("$CLIENTS clients, plans, $form",
        map { calls($form ne 'mixed' ? $form : $_ % 2 ? 'runs' : 'executes', $form) } 1 .. $CLIENTS);
    is($server->value(qq{SELECT string_agg(verdict || ' ' || n, ', ' ORDER BY verdict COLLATE "C")
        FROM (SELECT verdict, count(*) AS n FROM answer.plan_run WHERE tenant = '$form' GROUP BY verdict) AS v}),
        'answered 60, refused 36', 'as many plans as the cap pays for');
    is(budget($form), '0 0.3', 'and not a cent more is spent');
}
unlike(AnswerServer::slurp($server->{log}), qr/deadlock/, 'no deadlock');

# the whole server crashes in the middle
$server->value(q{SELECT answer_budget_set('mixed', 'month', 10)});
for my $kill (1 .. AnswerServer::by_tier(1, 1, 20)) {
    my @sessions = map { $server->session } 1 .. 8;
    my $done = $server->value('SELECT count(*) FROM answer.plan_run');
    $sessions[$_]->send(join(";\n", (calls($_ % 4 ? 'runs' : 'executes', 'mixed')) x (100 / share(1)))) for 0 .. $#sessions;
    await("(SELECT count(*) FROM answer.plan_run) >= $done + 10");
    $server->kill9;
    $server->start;
    $server->value('SELECT answer_plan_recover()');
    is($server->value(q{SELECT (SELECT count(*) FROM answer.budget_reservation WHERE settled_at IS NULL)
        + (SELECT count(*) FROM answer.plan_run WHERE status <> 'done') + answer_plan_recover()}), 0,
        "kill $kill: nothing is left open");
    is($server->value($drift), 0, 'the sums are those of the reservations');
    # a step that was finished is charged once; one that was in flight at most once
    is($server->value(q{SELECT count(*) FROM answer.budget_reservation b
        JOIN answer.plan_run r USING (tenant, trace_id),
        LATERAL (SELECT count(*) AS n FROM answer.plan_event e WHERE e.tenant = r.tenant AND e.trace_id = r.trace_id
            AND e.event ->> 'type' = 'step') AS e
        WHERE b.charged_usd NOT BETWEEN 0.001 * e.n AND 0.001 * (e.n + (r.verdict = 'failed')::int)}), 0,
        'no step is charged twice');
}

#
# waiting
#
{
    my ($holder, $other) = map { $server->session } 1 .. 2;
    $server->value(q{SELECT answer_budget_set('acme', 'month', 10)});
    for my $form ('', $held) {
        $holder->value('BEGIN');
        is($holder->value(open_plan('acme', 'w1', 1, $held)), 'fits', 'one holds the budget');
        $other->value("SET lock_timeout = '50ms'");
        $other->value('BEGIN');
        is($other->value(open_plan('acme', 'w2', 1, $form)), 'busy', 'another one does not get it in time');
        is($other->value('SELECT 1'), 1, 'and its transaction goes on');
        $other->value('ROLLBACK');
        # a plan that is finished waits however long it takes
        $other->value(open_plan('globex', 'w3', 0));
        $other->value('RESET lock_timeout');
        $other->send(open_plan('acme', 'w2', 1, $form));
        is($other->wait(0.3)->{state}, 'timeout', 'without a lock_timeout it waits');
        $holder->value('ROLLBACK');
        is($other->wait->{out}, 'fits', 'and has it when the other one ends');
        $server->value($_) for settle('acme', 'w2'), settle('globex', 'w3'),
            q{DELETE FROM answer.budget_reservation WHERE trace_id LIKE 'w%'};
    }
    # settling ignores lock_timeout
    $server->value(open_plan('acme', 'w4', 1));
    $holder->value('BEGIN');
    $holder->value(open_plan('acme', 'w5', 1, $held));
    $other->value("SET lock_timeout = '50ms'");
    $other->send(settle('acme', 'w4'));
    is($other->wait(0.5)->{state}, 'timeout', 'who settles waits, whatever lock_timeout says');
    $holder->value('COMMIT');
    is($other->wait->{state}, '00000', 'until it is done');
    is($other->value('SHOW lock_timeout'), '50ms', 'and the setting is as it was');
    $server->value(settle('acme', 'w5'));

    # a bucket
    $other->value('RESET lock_timeout');
    $holder->value('BEGIN');
    is($holder->value(take('acme', 'slow', 'true')), 'taken', 'one takes the only token');
    $other->value("SET lock_timeout = '50ms'");
    is($other->value(take('acme', 'slow', 'false')), 'busy', 'nobody knows yet whether it is taken');
    is($other->value(take('globex', 'slow', 'true')), 'taken', 'another tenant has a bucket of its own');
    is($other->value(take('acme', 'other', 'false')), 'taken', 'another tool has, too');
    $holder->value('COMMIT');
    is($other->value(take('acme', 'slow', 'false')), 'limited', 'it was');

    # a session that works for two tenants in one transaction can cause a deadlock; it is resolved without an error
    $_->value('RESET lock_timeout') for $holder, $other;
    $_->value('BEGIN') for $holder, $other;
    $holder->value(open_plan('acme', 'c1', 1, $held));
    $other->value(open_plan('globex', 'c2', 0, $held));
    $holder->send(open_plan('globex', 'c3', 0, $held));
    is($holder->wait(0.05)->{state}, 'timeout', 'one waits for the other');
    $other->send(open_plan('acme', 'c4', 1, $held));
    my ($loser, $winner, $result) = ($other, $holder);
    ($loser, $winner) = ($winner, $loser) while ($result = $loser->wait(0.05))->{state} eq 'timeout';
    is("$result->{state} $result->{out}", '00000 busy', 'one is told that it is busy');
    $loser->value('ROLLBACK');
    is($winner->wait->{out}, 'fits', 'and the other one has it');
    $winner->value('ROLLBACK');
    $_->close for $holder, $other;
}

#
# changes that a snapshot does not see
#
for my $level ('REPEATABLE READ', 'SERIALIZABLE') {
    my ($old, $new) = map { $server->session } 1 .. 2;
    my $begin = sub { $old->value($_) for "BEGIN ISOLATION LEVEL $level", 'SELECT count(*) FROM outcome' };
    $server->value(q{SELECT answer_budget_set('initech', 'month', 1000), answer_budget_set('initech', 'day', 1000)});
    $begin->();
    is($old->value(open_plan('initech', 's1', 1, $held)), 'fits', "$level: alone, it fits");
    is($old->value(open_plan('initech', 's2', 999, $held)), 'refused', 'as much as is left');
    $old->value('ROLLBACK');
    # changed since its snapshot, while it waits and before
    $begin->();
    $new->value('BEGIN');
    $new->value(open_plan('initech', 's1', 600, $held));
    $old->send(open_plan('initech', 's2', 600, $held));
    is($old->wait(0.3)->{state}, 'timeout', 'it waits');
    $new->value('COMMIT');
    is($old->wait->{state}, '40001', 'a busy budget is 40001');
    $old->run('ROLLBACK');
    $begin->();
    $new->value(settle('initech', 's1'));
    is($old->run(open_plan('initech', 's2', 0, $held))->{state}, '40001', 'and so is one that was changed');
    $old->run('ROLLBACK');
    # a cap that was set meanwhile
    $server->value(q{SELECT answer_budget_set('initech', 'day', NULL), answer_budget_set('initech', 'month', NULL)});
    $begin->();
    $server->value(q{SELECT answer_budget_set('initech', 'month', 0)});
    is($old->run(open_plan('initech', 's2', 600, $held))->{state}, '40001', 'and one whose cap it does not see');
    $old->run('ROLLBACK');
    # a procedure that commits as it goes is not bound to a snapshot
    $server->value(q{SELECT answer_budget_set('initech', 'month', 1000)});
    $begin->();
    $new->value($_) for open_plan('initech', 's3', 1), settle('initech', 's3');
    is($old->value(open_plan('initech', 's4', 1000)), 'refused', 'the form that commits goes by what is there now');
    is($old->value(open_plan('initech', 's5', 1)), 'fits', 'and counts it');
    $old->value('COMMIT');
    # nor is a bucket
    $begin->();
    is($new->value(take('initech', $level, 'false')), 'taken', 'a token is taken');
    is($old->value(take('initech', $level, 'true')), 'limited', 'and is gone for all');
    $old->value('COMMIT');
    $server->value($_) for settle('initech', 's5'),
        q{DELETE FROM answer.budget_reservation WHERE trace_id LIKE 's%'};
    is($server->value($drift), 0, 'the sums are those of the reservations');
    $_->close for $old, $new;
}

#
# a cap that is set while plans are executed without one
#
{
    my ($plan, $operator) = map { $server->session } 1 .. 2;
    my $spent = $server->value(q{SELECT trim_scale(sum(charged_usd)) FROM answer.budget_reservation
        WHERE tenant = 'hooli'});
    $plan->value('BEGIN');
    $plan->value($_) for open_plan('hooli', 'u1', 0.75, $held),
        map { operate('hooli', 'u1', $_, 0.5, $held) } qw(step charge settle);
    $operator->value("SET lock_timeout = '50ms'");
    my $set = q{SELECT answer_budget_set('hooli', 'month', 100)};
    is($operator->run($set)->{state}, '55P03', 'it is not set under a plan');
    $operator->value('RESET lock_timeout');
    $operator->send($set);
    is($operator->wait(0.3)->{state}, 'timeout', 'it waits for the plan');
    $plan->value('COMMIT');
    is($operator->wait->{state}, '00000', 'and is set then');
    is(budget('hooli'), $server->value("SELECT '0 ' || trim_scale($spent + 0.5)"), 'what was spent by then counts');
    is($server->value($drift), 0, 'the sums are those of the reservations');
    $_->close for $plan, $operator;
}

#
# sessions that end, and those that remain
#
{
    $server->value(q{CREATE PROCEDURE stuck(trace text) LANGUAGE plpgsql AS $$
        BEGIN
            PERFORM answer.trace_lock('hooli', trace, true);
            PERFORM answer.budget_operate('hooli', trace, 'open', '{"cost_usd": 5}');
            COMMIT;
            PERFORM answer.budget_operate('hooli', trace, 'step', '{"cost_usd": 1}');
            COMMIT;
            PERFORM answer.budget_operate('hooli', trace, 'charge', '{"cost_usd": 0.5}');
            PERFORM answer.budget_operate('hooli', trace, 'step', '{"cost_usd": 2}');
            COMMIT;
            PERFORM pg_sleep(600);
        END $$});
    my $begin = sub {
        my ($trace) = @_;
        my $session = $server->session;
        my $pid = $session->value('SELECT pg_backend_pid()');
        $session->send("CALL stuck('$trace')");
        await("EXISTS (SELECT FROM answer.budget_reservation WHERE trace_id = '$trace' AND step_usd = 2)");
        is($server->value("SELECT pid FROM answer.budget_reservation WHERE trace_id = '$trace'"), $pid,
            'the reservation names its session');
        is($server->value(recover($trace)), '', 'what a session executes is not settled');
        return ($session, $pid);
    };
    my ($terminated, $pid) = $begin->('k1');
    $server->value("SELECT pg_terminate_backend($pid, 60000)");
    is($server->value(recover('k1')), '2.5',
        'a session that was terminated: what was charged, and the call in flight in full');
    is($server->value(recover('k1')), '', 'once');
    my ($cancelled, $other_pid) = $begin->('k2');
    $server->value("SELECT pg_cancel_backend($other_pid)");
    is($cancelled->wait->{state}, '57014', 'a call that was cancelled');
    is($server->value(recover('k2')), '2.5', 'has ended, though its session has not');
    $cancelled->close;
    # a session that does not release its lock, and one that gets a request while it holds it
    my $forgetful = $server->session;
    is($forgetful->value(turn('k3')), 't', 'a session has the lock of a trace');
    is($server->value(turn('k3')), 'f', 'nobody else has');
    $forgetful->value('SELECT pg_advisory_unlock_all()');
    is($server->value(turn('k3')), 'f', 'not even after pg_advisory_unlock_all()');
    $forgetful->close;
    await("($locks) = 0");
    is($server->value(turn('k3')), 't', 'until the session ends');
    is($server->value($drift), 0, 'the sums are those of the reservations');

    # the whole server
    my $spent = budget('hooli');
    my ($killed) = $begin->('k4');
    $server->value(take('hooli', 'crash', 'false'));
    $server->kill9;
    $server->start;
    is($server->value(recover('k4')), '2.5', 'after a crash');
    is(budget('hooli'), $server->value("SELECT '0 ' || trim_scale(split_part('$spent', ' ', 2)::numeric + 2.5)"),
        'nothing is held, and no more is charged');
    is($server->value(take('hooli', 'crash', 'false')), 'taken', 'a crash gives one burst more');
    $server->restart;
    is($server->value(take('hooli', 'crash', 'false')), 'limited', 'and a restart none');
    is($server->value($drift), 0, 'the sums are those of the reservations');
}

#
# rate limits
#
# refilled so slowly that no token comes back meanwhile: one token in each of ten buckets
$server->value(q{CREATE PROCEDURE take_tokens(n int) LANGUAGE plpgsql AS $$
    BEGIN
        FOR i IN 1 .. n LOOP
            INSERT INTO outcome SELECT 'tokens', answer.rate_take('acme', 'tool' || i % 10, 0.00001, i % 2 = 0);
            COMMIT;
        END LOOP;
    END $$});
together("$CLIENTS clients take tokens", (sprintf('CALL take_tokens(%d)', share(20))) x $CLIENTS);
is(outcomes('tokens'), 'limited 630, taken 10', 'no more than there are');

#
# copies
#
{
    my $caps = q{SELECT string_agg(format('%s %s %s %s %s', tenant, period, cost_cap_usd, reserved_usd,
        spent_usd), E'\n' ORDER BY tenant, period) FROM answer.budget};
    my $before = $server->value($caps);
    $server->value(open_plan('hooli', 'open', 1));
    my $file = AnswerServer::tmp_dir() . '/budgets.dump';
    my @to = ('-h', $server->{host}, '-p', 5432, '-U', 'postgres');
    AnswerServer::must(AnswerServer::program('pg_dump'), @to, '-Fc', '-f', $file, 'postgres');
    $server->value('CREATE DATABASE copy');
    AnswerServer::must(AnswerServer::program('pg_restore'), @to, '-d', 'copy', $file);
    my @in = (dbname => 'copy');
    is($server->value(recover('open'), @in), '0', 'a copy settles what the dump caught');
    is($server->value($caps, @in), $before, 'caps and what they count came along');
    is($server->value($drift, @in), 0, 'the sums are those of the reservations');
    is($server->value(settle('hooli', 'open')), 'fits', 'and the original goes on');
}
done_testing();
