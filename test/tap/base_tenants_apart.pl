#!/usr/bin/env perl
# tiers: long
# Two tenants: whatever one of them does and leaves uncommitted, also forgetting, no operation of the other waits. And two
# roles: one that may only connect holds every lock that SQL can give it, and none of our calls waits.
#
# A call that waits for a lock ends with 55P03 after lock_timeout. The holder of the lock is idle and never releases it, so
# the outcome does not depend on the length of the timeout.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Test::More;

my $server = AnswerServer->new('apart', conf => ['jit = off'], extended => 1);
my $sql = $server->session(setup => ['SET client_min_messages = warning']);
my @tenants = qw(acme globex);

$sql->value($_) for (
    'SELECT answer_key_generate()',
    (map { ("CREATE ROLE ${_}_app", "SELECT answer_tenant_create('$_')", "SELECT answer_tenant_grant('$_', '${_}_app')") } @tenants),
    'CREATE ROLE nobody_at_all',
    q{CREATE FUNCTION public.so(args jsonb) RETURNS jsonb LANGUAGE sql AS $$ SELECT '{"v": 1, "text": "so"}'::jsonb $$},
    q{SELECT answer_source_register('gauge')},
    q{SELECT answer_tool_register('tide', required_args => '{port}', value_path => 'h', freshness => '36500 days')},
    q{SELECT answer_tool_register('step', 'so(jsonb)', spec => '{"io": {"input": {}, "output": {"text": "string", "v": "integer"}}}')},
    q{SELECT answer_tool_register('so', 'so(jsonb)', value_path => 'v')},
    q{SELECT answer_tool_register('ask', NULL, spec => '{"external": true, "io": {"input": {}, "output": {"text": "string"}}}')},
    # a superuser would be the operator: these roles may call what an application may
    qq{DO \$\$ DECLARE f regprocedure; BEGIN
        GRANT USAGE ON SCHEMA answer TO acme_app, globex_app;
        GRANT SELECT ON answer.tenant_receipt, answer.tenant_evidence TO acme_app, globex_app;
        FOR f IN SELECT p.oid FROM pg_depend d JOIN pg_proc p ON p.oid = d.objid WHERE d.deptype = 'e' AND d.classid = 'pg_proc'::regclass
            AND p.pronamespace = 'public'::regnamespace AND p.proname LIKE 'answer%' LOOP
            EXECUTE format('GRANT EXECUTE ON ROUTINE %s TO acme_app, globex_app', f);
        END LOOP; END \$\$},
);

my $plan = sub { my ($id, $tool) = @_; return quoted(qq({"plan": {"plan_id": "$id", "nodes": [{"id": "a", "op": "call", "tool": "$tool", "args": {}, "out": "r"}], "edges": []}})) };
my $node = q{jsonb_build_array(jsonb_build_object('id', 'n1', 'labels', '["Code"]'::jsonb, 'name', 'refund', 'source_path', 'a.c',
    'extraction_method', 'AST', 'content_hash', 'sha256:' || repeat('0', 64)))};
my $cases = q{'[{"id": "a", "kind": "check", "expected_verdict": "supported", "request": {"checks": [{"tool": "so", "expect": {"op": "eq", "value": 1}}]}}]'};
my $document = sub { my ($id, $text) = @_; return quoted(qq([{"doc_id": "$id", "title": "Guide", "timestamp": "2024-01-01", "text": "$text"}])) };

# All operations of a tenant's application that store something; the same for both, under the same names.
my %operations = (
    'answer_eval' => q{SELECT answer_eval('{"checks": [{"tool": "so"}]}')},
    'answer_eval_each' => q{SELECT count(*) FROM answer_eval_each(ARRAY['{"checks": [{"tool": "so"}]}', '{"checks": [{"tool": "tide", "args": {"port": "Lund"}}]}']::jsonb[])},
    'answer_ask' => q{SELECT answer_ask('Who am I?')},
    'answer_fact' => q{SELECT answer_fact('so')},
    'answer_evidence_add' => q{SELECT answer_evidence_add('tide', '{"port": "Ystad"}', '{"h": 2}', 'gauge')},
    'answer_document_load' => 'SELECT answer_document_load(' . $document->('more', 'A cup holds a quarter of a litre.') . ')',
    'answer_grounded' => q{SELECT answer_grounded('How much does a kettle hold?')},
    'answer_retrieve' => q{SELECT answer_retrieve('How much does a kettle hold?')},
    'answer_graph_load' => "SELECT answer_graph_load('shop', $node, '[]')",
    'answer_graph_forget' => q{SELECT answer_graph_forget('shop')},
    'answer_packet' => q{SELECT answer_packet('shop', 'refund', '{"log": true}')},
    'answer_packet_receipt' => q{SELECT answer_packet_receipt('shop', 'refund', '{"query_id": "q"}')},
    'answer_investigation_open' => q{SELECT answer_investigation_open('Locate', 'where is it')},
    'answer_quality_receipt' => q{SELECT answer_quality_receipt(answer_investigation_open('Locate', 'where is it'))},
    'answer_plan_register' => q{SELECT answer_plan_register('{"plan_id": "p", "nodes": [{"id": "a", "op": "call", "tool": "step", "args": {}, "out": "r"}], "edges": []}')},
    'answer_plan_execute' => 'SELECT answer_plan_execute(' . $plan->('p', 'step') . ')',
    'answer_plan_execute, pending' => 'SELECT answer_plan_execute(' . $plan->('w', 'ask') . ')',
    'answer_plan_recover' => 'SELECT answer_plan_recover()',
    'answer_tool_invoke' => q{SELECT answer_tool_invoke('step', '{}')},
    'answer_memory_forget' => q{SELECT answer_memory_forget('k', 'asked for')},
    'answer_suite_load' => "SELECT answer_suite_load('small', $cases, '[]', '2024-06-01')",
    'answer_suite_load, documents' => "SELECT answer_suite_load('large', $cases, " . $document->('guide', 'A kettle holds two litres.') . ", '2024-06-01')",
    'answer_suite_run' => q{SELECT answer_suite_run('base')},
    'answer_suite_judge' => q{SELECT answer_suite_judge('base')},
    'answer_baseline_load' => q{SELECT answer_baseline_load('old', '[{"question": "q", "answered": true, "cited": true, "contradictory": false, "latency_ms": 1, "cost_usd": 0}]')},
    'answer_config_create' => q{SELECT answer_config_create('{"citation_threshold": 0.9}', 'a note')},
    'answer_dsse' => q{SELECT answer_dsse((SELECT receipt_id FROM answer.tenant_receipt LIMIT 1))},
    'answer_forget, a receipt' => q{SELECT answer_forget((SELECT min(receipt_id) FROM answer.tenant_receipt WHERE schema = 'answer/v1'), 'asked for')},
    'answer_forget, evidence' => q{SELECT answer_forget((SELECT min(digest) FROM answer.tenant_evidence), 'asked for')},
    'answer_forget, a document' => q{SELECT answer_forget('guide', 'asked for')},
    'answer_forget, a query' => q{SELECT answer_forget('asked', 'asked for')},
    'answer_tombstone_add' => q{SELECT answer_tombstone_add('sha256:' || repeat('1', 64), 'asked for')},
);

sub session_of {
    my ($tenant) = @_;
    return $server->session(setup => ["SET ROLE ${tenant}_app", 'SET lock_timeout = 2000', 'SET client_min_messages = warning']);
}
my %session = map { $_ => session_of($_) } @tenants;
for my $tenant (@tenants) {
    $session{$tenant}->value($_) for
        q{SELECT answer_evidence_add('tide', '{"port": "Lund"}', '{"h": 1}', 'gauge', '2026-01-01Z')},
        q{SELECT answer_eval('{"checks": [{"tool": "tide", "args": {"port": "Lund"}}]}')},
        'SELECT answer_document_load(' . $document->('guide', 'A kettle holds two litres.') . ')',
        "SELECT answer_graph_load('shop', $node, '[]')",
        q{SELECT answer_packet_receipt('shop', 'refund', '{"query_id": "asked", "log": true}')},
        "SELECT answer_suite_load('base', $cases, '[]', '2024-06-01')";
    $sql->value(qq{INSERT INTO answer.memory_entry (tenant, key, value, digest, provenance, ttl, written_at, expires_at, trace_id)
        VALUES ('$tenant', 'k', '1', answer_digest('1'::jsonb), '{}', 'P1D', now(), now() + interval '1 day', 't')});
}

# each operation succeeds by itself
for my $name (sort keys %operations) {
    $session{acme}->value('BEGIN');
    my $result = $session{acme}->run($operations{$name});
    $session{acme}->value('ROLLBACK');
    is($result->{state}, '00000', "$name is possible") or diag($result->{err});
}
# what one leaves uncommitted: every operation that forgets, and by turns the others
for my $open (sort keys %operations) {
    next unless $open =~ /forget|tombstone|plan_execute$|suite_load$|answer_eval$|config_create/ || by_tier(rand(6), rand(6), 0) < 1;
    $session{acme}->value('BEGIN');
    $session{acme}->value($operations{$open});
    my @waits;
    for my $name (sort keys %operations) {
        $session{globex}->value('BEGIN');
        my $result = $session{globex}->run($operations{$name});
        push @waits, "$name: $result->{state} $result->{err}" if $result->{state} ne '00000';
        $session{globex}->value('ROLLBACK');
    }
    is(join("\n", @waits), '', "while one tenant's $open is open, nothing of the other's waits");
    $session{acme}->value('ROLLBACK');
}

# An operation of the operator for all tenants waits for an idle one that has read a receipt or loaded a document. Later ones
# do not wait behind it: while it sleeps, it has asked for its lock in vain and will ask again.
{
    my %for_all = (
        answer_receipt_partition => ['SELECT count(*) FROM answer.tenant_receipt', q{answer_receipt_partition('2001-02-01', '2001-03-01')}],
        answer_receipt_detach => ['SELECT count(*) FROM answer.tenant_receipt', q{answer_receipt_detach('answer.receipt_20010101_20010201')}],
        answer_decision_rule_register => [$operations{answer_document_load}, q{answer_decision_rule_register('negators', 'zork', '{}')}],
    );
    $sql->value(q{SELECT answer_receipt_partition('2001-01-01', '2001-02-01')});
    my $asleep = "SELECT wait_event = 'PgSleep' FROM pg_stat_activity WHERE pid = " . $sql->backend;
    for my $name (sort keys %for_all) {
        my ($held, $call) = @{$for_all{$name}};
        $session{acme}->value($_) for 'BEGIN', $held;
        $sql->send("SELECT $call IS NULL");
        for (1 .. 2400) { last if ($server->value($asleep) || '') eq 't'; AnswerServer::nap(0.05) }
        my @waits;
        for my $operation ('answer_eval', 'answer_document_load', 'answer_grounded') {
            $session{globex}->value('BEGIN');
            my $result = $session{globex}->run($operations{$operation});
            push @waits, "$operation: $result->{state} $result->{err}" if $result->{state} ne '00000';
            $session{globex}->value('ROLLBACK');
        }
        is(join("\n", @waits), '', "while $name waits for one tenant, the other does not wait");
        $session{acme}->value('ROLLBACK');
        is($sql->wait->{state}, '00000', "... and then $name is done");
    }
    $session{acme}->value($_) for 'BEGIN', 'SELECT count(*) FROM answer.tenant_receipt';
    $sql->value('SET lock_timeout = 300');
    is($sql->run(q{SELECT answer_receipt_partition('2001-03-01', '2001-04-01')})->{state}, '55P03', 'lock_timeout bounds how long it asks');
    $sql->value('SET lock_timeout = 0');
    $session{acme}->value('ROLLBACK');
    # a deadlock is found although nobody else looks for one: the asking session holds what the other waits for
    my $reader = $server->session;
    $sql->value('CREATE TABLE public.circle ()');
    $sql->value($_) for 'BEGIN', 'LOCK TABLE public.circle';
    $reader->value($_) for 'BEGIN', q{SET LOCAL deadlock_timeout = '1h'}, 'SELECT count(*) FROM answer.receipt';
    $reader->send('SELECT count(*) FROM public.circle');
    is($sql->run(q{SELECT answer_receipt_partition('2001-03-01', '2001-04-01')})->{state}, '40P01', 'who waits in a circle is told');
    $sql->value('ROLLBACK');
    is($reader->wait->{state}, '00000', '... and the other goes on');
    $reader->value('ROLLBACK');
}

# sessions of the same tenant wait, and see what was forgotten
{
    my $second = session_of('acme');
    my $digest = $session{acme}->value('SELECT min(digest) FROM answer.tenant_evidence');
    my $add = q{SELECT answer_evidence_add('tide', '{"port": "Lund"}', '{"h": 1}', 'gauge', '2026-01-01Z')};
    $session{acme}->value($_) for 'BEGIN', "SELECT answer_forget('$digest', 'asked for')";
    is($second->run($add)->{state}, '55P03', 'of the same tenant whoever stores waits');
    $session{acme}->value('COMMIT');
    is($second->run($add)->{state}, '23001', '... and then is refused what was forgotten');
    is($session{globex}->run($add)->{state}, '00000', '... which the other tenant has still');
    # the other way round: forgetting waits for a session that stores
    $second->value($_) for 'BEGIN', q{SELECT answer_eval('{"checks": [{"tool": "tide", "args": {"port": "Ystad"}}]}')};
    $session{acme}->value('SET lock_timeout = 100');
    is($session{acme}->run(q{SELECT answer_forget('guide', 'asked for')})->{state}, '55P03', 'who forgets waits for who stores');
    is($session{globex}->run(q{SELECT answer_forget('guide', 'asked for')})->{state}, '00000', '... of the same tenant');
    $second->value('ROLLBACK');
    $session{acme}->value('SET lock_timeout = 2000');
    # the operator forgets for all
    $sql->value($_) for 'BEGIN', q{SELECT answer_tombstone_add('sha256:' || repeat('2', 64), 'asked for')};
    $session{$_}->value('SET lock_timeout = 100') for @tenants;
    is($session{$_}->run($add =~ s/Lund/Malmo/r)->{state}, '55P03', "for the operator $_ waits") for @tenants;
    is($session{$_}->run(q{SELECT answer_forget('guide', 'asked for')})->{state}, '55P03', '... also with forgetting') for @tenants;
    $sql->value('ROLLBACK');
    $session{$_}->value('SET lock_timeout = 2000') for @tenants;
    $second->value('BEGIN');
    $second->value($operations{answer_eval});
    $sql->value('SET lock_timeout = 100');
    is($sql->run(q{SELECT answer_tombstone_add('sha256:' || repeat('2', 64), 'asked for')})->{state}, '55P03', '... and the operator for each tenant');
    $second->value('ROLLBACK');
    $sql->value('SET lock_timeout = 0');
    $second->close;
}

#
# locks that SQL can name
#
{
    # locks held during each operation, and until its end
    my @named;
    for my $name (sort keys %operations) {
        $session{globex}->value('BEGIN');
        $session{globex}->run($operations{$name} =~ s/'guide'/'more'/r);
        my $pid = $session{globex}{backend} ||= $session{globex}->value('SELECT pg_backend_pid()');
        push @named, map { "$name: $_" } split /\n/, $sql->value("SELECT format('%s %s %s', classid, objid, objsubid) FROM pg_locks
            WHERE pid = $pid AND locktype = 'advisory' AND objsubid IN (1, 2)");
        $session{globex}->value('ROLLBACK');
    }
    is(join("\n", @named), '', 'no operation holds an advisory lock that pg_advisory_lock() can name');

    # a role without rights takes the lock keys that suites and baselines had
    my $nobody = $server->session(setup => ['SET ROLE nobody_at_all']);
    $nobody->value(q{SELECT count(pg_advisory_lock(hashtextextended(concat('answer.suite ', length(t), ' ', t, n), 0)))
        FROM unnest('{"",acme,globex}'::text[]) AS t, unnest('{small,large,base,old}'::text[]) AS n});
    $nobody->value(sprintf(q{SELECT count(pg_advisory_lock(%s, hashtext(t || ' ' || n)))
        FROM unnest('{"",acme,globex}'::text[]) AS t, unnest('{small,large,base,old}'::text[]) AS n}, $sql->value(q{SELECT 'answer.baseline'::regclass::int})));
    for my $name (grep { /load/ } sort keys %operations) {
        $session{globex}->value('BEGIN');
        is($session{globex}->run($operations{$name} =~ s/kettle/barrel/gr)->{state}, '00000', "$name does not wait for somebody without a right");
        $session{globex}->value('ROLLBACK');
    }
    # no function of the extension takes one either
    is($sql->value(q{SELECT string_agg(p.oid::regprocedure::text, ' ') FROM pg_depend d JOIN pg_proc p ON p.oid = d.objid
        WHERE d.deptype = 'e' AND d.classid = 'pg_proc'::regclass AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'answer_eval')
        AND concat(p.prosrc, pg_get_function_sqlbody(p.oid)) ~ 'advisory'}), '', 'no function of ours names an advisory lock');
    $nobody->close;
}
ok(!$server->crashed, 'the server never crashed');
done_testing();
