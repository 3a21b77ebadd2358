#!/usr/bin/env perl
# tiers: long
# Sessions are cancelled and ended, and the server is killed, in the middle of each op of a plan, in both forms: during its
# call, when its event is written, when the plan is finished, and when its budget is settled. Nothing is overspent, charged
# twice or lost, and nothing stays reserved.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Test::More;

my $server = AnswerServer->new('plan_faults', extended => 1);
$server->value($_) for (
    'CREATE TABLE wrote (tenant text, step text)',
    'CREATE TABLE hang (place text)',
    q{CREATE FUNCTION hangs(at text) RETURNS void LANGUAGE plpgsql AS $$
        BEGIN
            IF EXISTS (SELECT FROM public.hang WHERE place = at) THEN
                PERFORM pg_sleep(600);
            END IF;
        END $$},
    # what a step writes is stored exactly if its event is; its result becomes evidence, too
    q{CREATE FUNCTION writes(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
        BEGIN
            INSERT INTO public.wrote VALUES (current_setting('answer_eval.tenant'), args ->> 'step');
            IF args ->> 'step' = 'b' THEN
                PERFORM public.hangs('call');
            END IF;
            RETURN '{"evidence": {"claims": ["c"], "supports": [{"claim": "c", "source": "https://a", "confidence": 0.96,
                "snippet": "s"}]}}';
        END $$},
    q{SELECT answer_tool_register('writes', 'writes(jsonb)', spec => '{"io": {"input": {"step": "string", "items": "string"},
        "output": {"evidence": "Evidence"}}, "constraints": {"latency_p50_ms": 60000, "cost_per_call_usd": 0.01,
        "side_effects": true}}')},
    # at places where the server itself writes
    q{CREATE FUNCTION hangs_at() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            PERFORM public.hangs(TG_ARGV[0]);
            RETURN NEW;
        END $$},
    q{CREATE TRIGGER hang BEFORE INSERT ON answer.plan_event FOR EACH ROW WHEN (NEW.step = 'b') EXECUTE FUNCTION hangs_at('event')},
    q{CREATE TRIGGER hang BEFORE INSERT OR UPDATE ON answer.plan_run FOR EACH ROW WHEN (NEW.status = 'done') EXECUTE FUNCTION hangs_at('end')},
    q{CREATE TRIGGER hang BEFORE INSERT OR UPDATE ON answer.budget_reservation FOR EACH ROW
        WHEN (NEW.settled_at IS NOT NULL) EXECUTE FUNCTION hangs_at('settle')},
);

# The second of three steps, by its operation, and its cost.
my $call = '"tool": "writes", "out": "b"';
my %ops = (
    call => [qq{"op": "call", $call, "args": {"step": "b"}}, 0.01],
    map => [qq{"op": "map", $call, "args": {"items": [1, 2, 3], "step": "b"}}, 0.03],
    reduce => [qq{"op": "reduce", $call, "args": {"items": [1, 2, 3], "step": "b"}}, 0.01],
    verify => [qq{"op": "verify", $call, "args": {"step": "b"}}, 0.01],
    retry => [qq{"op": "retry", $call, "args": {"step": "b"}}, 0.01],
    assert => ['"op": "assert", "if": "$e.verdict.confidence == 0.96"', 0],
    branch => ['"op": "branch", "if": "count($e.claims) == 1"', 0],
    'mem.read' => ['"op": "mem.read", "args": {"key": "k"}, "out": "b"', 0],
    'mem.write' => ['"op": "mem.write", "args": {"key": "k", "value": {"v": 1}, "provenance": "$e"}', 0],
);
my @ops = sort keys %ops;

sub request {
    my ($op, $tenant) = @_;
    my $edge = $op eq 'branch' ? '{"from": "b", "to": "c", "label": "then"}' : '["b", "c"]';
    return qq{'{"tenant": "$tenant", "plan": {"plan_id": "$op", "nodes": [
        {"id": "a", "op": "call", "tool": "writes", "args": {"step": "a"}, "out": "e"}, {"id": "b", $ops{$op}[0]},
        {"id": "c", "op": "call", "tool": "writes", "args": {"step": "c"}, "out": "c"}], "edges": [["a", "b"], $edge]}}'};
}

sub tenant { my ($op, $form) = @_; return "$op:$form" }

for my $op (@ops) {
    # the values here are literals of a plan
    $server->value("SELECT answer_tenant_create('$op:$_'), answer_memory_policy('$op:$_', 'k', true)") for 'execute', 'run';
}

my $asleep = q{SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND pid <> pg_backend_pid()};

sub await_asleep {
    my ($n) = @_;
    for (1 .. 2400) {
        return 1 if $server->value($asleep) == $n;
        AnswerServer::nap(0.05);
    }
    return 0;
}

# Returns the state of a tenant's budget.
sub spent {
    my ($tenant) = @_;
    return $server->value(qq{SELECT trim_scale(reserved_usd) || ' ' || trim_scale(spent_usd) FROM answer.budget
        WHERE tenant = '$tenant' AND period = 'day'});
}

sub number { my ($n) = @_; return sprintf('%.2f', $n) + 0 }

my %charged = map { ($_ => {execute => 0, run => 0}) } @ops;

# Stops each of these operations, in both forms, at a place; ends its session in some way, recovers, and checks what is left.
sub attack {
    my ($place, $how, @at) = @_;
    my $name = "$how in $place";
    my @sessions;
    $server->value("TRUNCATE wrote, hang; INSERT INTO hang VALUES ('$place')");
    for my $op (@at) {
        for my $form ('execute', 'run') {
            my $session = $server->session;
            my $request = request($op, tenant($op, $form));
            push @sessions, [$session, $session->backend];
            $session->send($form eq 'run' ? "CALL answer_plan_run($request, NULL)" : "SELECT answer_plan_execute($request)");
        }
    }
    ok(await_asleep(scalar @sessions), "$name: all hang") or diag($server->value($asleep));
    if ($how eq 'kill -9') {
        $server->kill9;
    } else {
        $server->value("SELECT pg_${how}_backend($_->[1])") for @sessions;
        $_->[0]->wait for @sessions;
    }
    $_->[0]->close for @sessions;
    $server->start if $how eq 'kill -9';
    $server->value('TRUNCATE hang');
    is($server->value($asleep), 0, "$name: all are ended");
    # a plan that was already settled does not count as ended
    is($server->value('SELECT answer_plan_recover()'), $place eq 'settle' ? 0 : scalar @at, "$name: what is left is ended");
    is($server->value('SELECT answer_plan_recover()'), 0, '... once');
    is($server->value(q{SELECT count(*) FROM answer.budget_reservation WHERE settled_at IS NULL}), 0, '... and nothing is reserved');
    for my $op (@at) {
        # the first step is finished, the second unknown, the third not begun; or everything is done
        my $is_over = $place eq 'end' || $place eq 'settle';
        $charged{$op}{run} += $is_over ? 0.02 + $ops{$op}[1] : 0.01 + $ops{$op}[1];
        is(spent(tenant($op, 'execute')), '0 ' . number($charged{$op}{execute}), "$name: $op in a transaction cost nothing");
        is(spent(tenant($op, 'run')), '0 ' . number($charged{$op}{run}), '... and step by step what was begun');
        my $tenant = tenant($op, 'run');
        # a step is committed together with the reservation of the next one, whose call has not begun yet
        my $is_called = $op ne 'assert' && $op ne 'branch';
        my $events = $place eq 'settle' ? 'a b c' : $place eq 'end' ? 'a b recovered' : $is_called ? 'a recovered' : 'recovered';
        is($server->value(qq{SELECT string_agg(step, ' ' ORDER BY seq) FROM answer.plan_event WHERE tenant = '$tenant'
            AND trace_id = (SELECT trace_id FROM answer.plan_run WHERE tenant = '$tenant' ORDER BY started_at DESC LIMIT 1)}),
            $events, '... its trace has what was finished');
    }
    is($server->value(q{SELECT count(*) FROM wrote WHERE tenant LIKE '%:execute'}), 0, "$name: what a transaction wrote is undone");
    is($server->value(q{SELECT count(*) FROM (SELECT tenant, step, count(*) FROM wrote GROUP BY 1, 2 EXCEPT ALL
        SELECT tenant, event ->> 'step', count(*) * CASE event ->> 'op' WHEN 'map' THEN 3 ELSE 1 END FROM answer.plan_event e
        WHERE event ->> 'tool' = 'writes' AND trace_id IN (SELECT DISTINCT ON (tenant) trace_id FROM answer.plan_run
        ORDER BY tenant, started_at DESC) GROUP BY 1, 2, event ->> 'op') AS x}), 0, '... and steps wrote what events tell');
    is($server->value(q{SELECT count(*) FROM answer.receipt r JOIN answer.plan_run p USING (tenant, receipt_id) WHERE NOT (
        answer_verify_ok(body) AND answer_replay(body) ->> 'ok' = 'true' AND body #>> '{budget_used,cost_usd}' =
        (SELECT trim_scale(charged_usd)::text FROM answer.budget_reservation b WHERE b.trace_id = p.trace_id))}), 0,
        "$name: documents verify, replay and tell what was charged");
    is($server->value(q{SELECT count(*) FROM answer_log_audit() WHERE detail ~ 'trace |what plans of'}), 0, '... and the audit finds nothing');
    return;
}

# Sets caps to so many times the cost of a plan, beside what was charged.
sub set_caps {
    my ($times) = @_;
    for my $op (@ops) {
        for my $form ('execute', 'run') {
            my $cap = number($charged{$op}{$form} + $times * (0.02 + $ops{$op}[1]));
            $server->value("SELECT answer_budget_set('$op:$form', 'day', $cap)");
        }
    }
    return;
}

my @calls = grep { $ops{$_}[1] > 0 } @ops;
my @hows = ('cancel', 'terminate', 'kill -9');
set_caps(3);
if (($ENV{ANSWER_EVAL_TIER} // 'test') ne 'long') {
    # each operation once, and each place once
    attack('event', 'kill -9', @ops);
    set_caps(3);
    attack('call', 'terminate', @calls);
    set_caps(3);
    attack('end', 'cancel', 'call', 'mem.write');
    set_caps(3);
    attack('settle', 'terminate', 'map', 'assert');
} else {
    for my $how (@hows) {
        for my $place ('event', 'call', 'end', 'settle') {
            attack($place, $how, $place eq 'call' ? @calls : @ops);
            set_caps(3);
        }
    }
}

# The same plans without a stop: the rest of the cap pays for them until it is used up.
{
    $server->value('TRUNCATE hang');
    set_caps(1);
    for my $op (@ops) {
        for my $form ('execute', 'run') {
            my $tenant = tenant($op, $form);
            my $request = request($op, $tenant);
            my $once = $form eq 'run' ? "DO \$\$ DECLARE r jsonb; BEGIN CALL answer_plan_run($request, r); END \$\$"
                : "SELECT answer_plan_execute($request) ->> 'verdict'";
            my $cap = number($charged{$op}{$form} + 0.02 + $ops{$op}[1]);
            $server->value($once) for 1 .. 2;
            is($server->value(qq{SELECT string_agg(verdict, ' ' ORDER BY n) FROM (SELECT verdict, started_at AS n FROM answer.plan_run
                WHERE tenant = '$tenant' ORDER BY started_at DESC LIMIT 2) AS v}),
                # the second answers from what the first one remembered, free of charge
                $op eq 'mem.write' ? 'answered answered' : 'answered refused', "$op, $form: what is left pays for one more plan") or diag(spent($tenant));
            is(spent($tenant), "0 $cap", '... to the last cent');
        }
    }
}
ok($server->alive, 'the server is alive');
done_testing();
