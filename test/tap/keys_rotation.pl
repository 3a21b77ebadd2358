#!/usr/bin/env perl
# tiers: long
# An ordinary key rotation in the middle of each call that signs, by code that the call itself runs, and by another session.
# Every signed document verifies afterwards with the lives of the keys in the registry.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Test::More;

my $server = AnswerServer->new('rotation', extended => 1);
my $sql = $server->session;
my @tables = qw(receipt tombstone checkpoint plan_event plan_run run_work judgement);

$sql->value($_) for (
    'SET client_min_messages = warning', 'CREATE EXTENSION dblink', 'SELECT answer_key_generate()',
    q{CREATE TABLE public.rotation (how text)},
    # what happens in the middle; "here" has no effect if its transaction is rolled back
    q{CREATE FUNCTION public.rotate(how text) RETURNS void LANGUAGE plpgsql AS $$
        BEGIN
            IF how = 'here' THEN
                PERFORM public.answer_key_generate();
            ELSIF how = 'there' THEN
                PERFORM FROM public.dblink(format('host=%s port=%s dbname=%s', current_setting('unix_socket_directories'),
                    current_setting('port'), current_database()), 'SELECT answer_key_generate()') AS x (r text);
            ELSIF how = 'wait' THEN
                PERFORM pg_advisory_xact_lock_shared(1);
            END IF;
        END $$},
    # a handler: it rotates before and after whatever its call signs
    q{CREATE FUNCTION public.turn(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
        BEGIN
            PERFORM public.rotate(args ->> 'how');
            RETURN '{"v": 1, "text": "so"}';
        END $$},
    q{SELECT answer_tool_register('turn', 'turn(jsonb)', '{how}', NULL, 'v')},
    q{SELECT answer_tool_register('step', 'turn(jsonb)', spec => '{"io": {"input": {"how": "string"},
        "output": {"text": "string", "v": "integer"}}, "constraints": {"side_effects": true}}')},
    q{SELECT answer_tool_register('ask', NULL, spec => '{"external": true, "io": {"input": {}, "output": {"text": "string"}}}')},
    # between a signature and its row; only once, or it would never end
    q{CREATE FUNCTION public.between() RETURNS trigger LANGUAGE plpgsql AS $$
        DECLARE
            how text := current_setting('rotation.how', true);
        BEGIN
            IF how <> '' THEN
                PERFORM set_config('rotation.how', '', false);
                PERFORM public.rotate(how);
            END IF;
            RETURN NEW;
        END $$},
    q{SELECT answer_document_load('[{"doc_id": "guide", "title": "Guide", "timestamp": "2024-01-01", "text": "A kettle holds two litres."}]')},
    q{CREATE FUNCTION public.notices(a jsonb, b jsonb) RETURNS jsonb LANGUAGE sql AS $$ SELECT NULL::jsonb $$},
    q{SELECT answer_graph_load('shop', replace('[{"id": "n1", "labels": ["Code"], "name": "refund", "source_path": "a.c", "content_hash": "HASH", "extraction_method": "AST"}]',
        'HASH', 'sha256:' || repeat('0', 64))::jsonb, '[]')},
    q{SELECT answer_suite_load('small', '[{"id": "a", "kind": "check", "expected_verdict": "supported",
        "request": {"checks": [{"tool": "turn", "args": {"how": "there"}, "expect": {"op": "eq", "value": 1}}]}}]', '[]', '2024-06-01')},
    q{SELECT answer_environment_set('dev', options => jsonb_build_object('suite', 'small', 'rules', '{}'::jsonb, 'shadow_samples', 0, 'canary_samples', 0)) IS NOT NULL},
    # a judge whose function rotates, and one whose role records
    q{CREATE FUNCTION public.reads(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$ BEGIN
        PERFORM public.rotate(how) FROM public.rotation;
        RETURN jsonb_build_object('judgements', (SELECT jsonb_agg(jsonb_build_object('id', p -> 'id', 'relation', 'supports', 'score', 0.9))
            FROM jsonb_array_elements(args -> 'pairs') AS p)); END $$},
    'CREATE ROLE regress_rotation_readers',
    q{SELECT answer_judge_register('reader', '{"kinds": ["entailment"], "model": "m", "version": "1", "handler": "reads"}'),
        answer_judge_register('readers', '{"kinds": ["entailment"], "model": "m", "version": "1", "role": "regress_rotation_readers"}')},
);
my $judgements = 0;
# a new judgement
sub judged { $judgements++; return qq{SELECT answer_judgement_add('[{"kind": "entailment", "a": "Claim $judgements.", "b": "So.", "relation": "supports", "score": 0.5, "judge": "readers"}]')} }
sub asks_a_judge { $judgements++; return qq{SELECT answer_grounded('How much does a kettle hold?', '{"config": {"judge_entailment": "reader"}, "answer": "A kettle holds $judgements litres.", "citations": ["guide#p0"]}')} }

# Returns everything that is signed and stored and does not verify.
my %problems = (
    receipts => q{SELECT schema || ': ' || (answer_verify(body, answer_key_registry()) #>> '{steps,signature,reason}') FROM answer.receipt
        WHERE (answer_verify(body, answer_key_registry()) #>> '{steps,signature,ok}')::boolean IS NOT TRUE},
    tombstones => q{SELECT answer_verify(body, answer_key_registry())::text FROM answer.tombstone
        WHERE (answer_verify(body, answer_key_registry()) #>> '{steps,signature,ok}')::boolean IS NOT TRUE},
    traces => q{SELECT v::text FROM answer.plan_run, LATERAL answer_trace_verify(trace_id) AS v WHERE NOT v ->> 'ok' = 'true'},
    bundles => q{SELECT v::text FROM answer.plan_run, LATERAL answer.replay_verify(answer_replay_bundle(trace_id), answer_key_registry()) AS v
        WHERE status = 'done' AND v ->> 'result' IS DISTINCT FROM 'identical'},
    audit => q{SELECT finding || ': ' || detail FROM answer_log_audit() WHERE finding NOT IN ('forgotten')},
);

sub all_verifies {
    my ($name) = @_;
    for my $what (sort keys %problems) {
        my $found = $sql->run("SELECT string_agg(p, chr(10)) FROM ($problems{$what}) AS s (p)");
        is($found->{out}, '', "$name: $what") or diag($found->{err});
    }
    return;
}

sub a_plan {
    my ($id, @how) = @_;
    my @nodes = map { sprintf('{"id": "n%d", "op": "call", "tool": "%s", "args": %s, "out": "r%d"}', $_, $how[$_] eq 'ask' ? 'ask' : 'step',
        $how[$_] eq 'ask' ? '{}' : qq({"how": "$how[$_]"}), $_) } 0 .. $#how;
    my @edges = map { sprintf('["n%d", "n%d"]', $_ - 1, $_) } 1 .. $#how;
    return sprintf(q{{"plan": {"plan_id": "%s", "signals": {"risk": "low"}, "nodes": [%s], "edges": [%s]}}}, $id, join(', ', @nodes), join(', ', @edges));
}

#
# handlers
#
for my $how ('here', 'there') {
    my $request = qq({"deadline_ms": 60000, "checks": [{"tool": "turn", "args": {"how": "$how"}, "expect": {"op": "eq", "value": 1}}]});
    my $keys = q{SELECT count(*) FROM answer.signing_key};
    my %calls = (
        'a question' => [qq{SELECT answer_eval('$request')}],
        'a batch' => [qq{SELECT count(*) FROM answer_eval_each(ARRAY['{"checks": [{"tool": "postgres_server"}]}', '$request', '$request']::jsonb[])}],
        'a plan in a transaction' => ['SELECT answer_plan_execute(' . quoted(a_plan("e $how", '', $how, $how, '')) . ')'],
        'a plan that commits' => ['CALL answer_plan_run(' . quoted(a_plan("r $how", '', $how, $how, '')) . ')'],
        'a plan that waits' => ['SELECT answer_plan_execute(' . quoted(a_plan("w $how", $how, 'ask', $how)) . ')',
            "SELECT rotate('$how')",
            qq{SELECT answer_plan_resume(trace_id, '{"n1": {"result": {"text": "so"}, "by": "me"}}') FROM answer.plan_run WHERE status = 'pending'}],
        'a plan that waits, and commits' => ['CALL answer_plan_run(' . quoted(a_plan("v $how", $how, 'ask', $how)) . ')',
            "SELECT rotate('$how')",
            q{DO $$ DECLARE trace text := (SELECT trace_id FROM answer.plan_run WHERE status = 'pending'); result jsonb; BEGIN
                CALL answer_plan_resume(trace, '{"n1": {"result": {"text": "so"}, "by": "me"}}', result); END $$}],
        'a judge' => ["INSERT INTO public.rotation VALUES ('$how')", asks_a_judge(), 'DELETE FROM public.rotation'],
        'a run' => [q{SELECT answer_suite_run('small')}],
        'a run that commits' => [q{CALL answer_suite_run_resume('small', batch => 1)}],
    );
    for my $name (sort keys %calls) {
        next if $name =~ /run|judge/ && $how eq 'here';    # what a case does is rolled back, and a judge only reads
        my $before = $sql->value($keys);
        for my $statement (@{$calls{$name}}) {
            my $result = $sql->run($statement);
            is($result->{state}, '00000', "$name, $how: $statement") or diag($result->{err});
        }
        cmp_ok($sql->value($keys), '>', $before, "$name, $how: keys were changed");
        all_verifies("$name, $how");
    }
}

# a plan whose session ends, and which another session settles later
{
    my $runner = $server->session;
    my $pid = $runner->backend;
    $sql->value('SELECT pg_advisory_lock(1)');
    $runner->send('CALL answer_plan_run(' . quoted(a_plan('left', 'here', 'wait')) . ')');
    for (1 .. 2400) {
        last if $server->value("SELECT count(*) FROM pg_locks WHERE pid = $pid AND locktype = 'advisory' AND NOT granted AND objid = 1") > 0;
        nap(0.05);
    }
    $sql->value("SELECT pg_terminate_backend($pid)");
    $sql->value(qq{DO \$\$ BEGIN WHILE EXISTS (SELECT FROM pg_stat_activity WHERE pid = $pid) LOOP PERFORM pg_sleep(0.01);
        PERFORM pg_stat_clear_snapshot(); END LOOP; END \$\$});
    $sql->value($_) for 'SELECT pg_advisory_unlock(1)', 'SELECT answer_key_generate()';
    is($sql->value('SELECT answer_plan_recover()'), 1, 'a plan that its session left is ended');
    all_verifies('a plan that was left');
}

#
# between a signature and its row
#
$sql->value("CREATE TRIGGER between BEFORE INSERT OR UPDATE ON answer.$_ FOR EACH ROW EXECUTE FUNCTION public.between()") for @tables;
$problems{audit} = q{SELECT finding || ': ' || detail FROM answer_log_audit() WHERE finding NOT IN ('forgotten') AND detail NOT LIKE '%between%'};
for my $how ('here', 'there') {
    my %calls = (
        'answer/v1' => q{SELECT answer_eval('{"checks": [{"tool": "postgres_server"}]}')},
        'decision/v1' => q{SELECT answer_grounded('How much does a kettle hold?')},
        'a judgement' => judged(),
        'what a function says' => asks_a_judge(),
        'packet/v1' => q{SELECT answer_packet_receipt('shop', 'refund')},
        'quality/v1' => q{SELECT answer_quality_receipt(answer_investigation_open('Locate', 'where is it'))},
        'change/v1' => qq{SELECT answer_source_register('source $how')},
        'run/v1' => q{SELECT answer_suite_run('small')},
        'plan/v1' => 'SELECT answer_plan_execute(' . quoted(a_plan("b $how", '')) . ')',
        'plan/v1, committed' => 'CALL answer_plan_run(' . quoted(a_plan("c $how", '', '')) . ')',
        'a configuration' => sprintf(q{SELECT answer_config_create('{"citation_threshold": %s}', 'a note')}, $how eq 'here' ? 0.9 : 0.91),
        'a run that commits' => q{CALL answer_suite_run_resume('small', batch => 1)},
        'a checkpoint' => q{SELECT answer_log_seal()},
        'a tombstone' => q{SELECT answer_forget((SELECT receipt_id FROM answer.receipt WHERE body ->> 'schema' = 'answer/v1' LIMIT 1), 'asked for')},
    );
    for my $name (sort keys %calls) {
        my $before = $sql->value('SELECT count(*) FROM answer.signing_key');
        $sql->value("SELECT set_config('rotation.how', '$how', false)");
        my $result = $sql->run($calls{$name});
        is($result->{state}, '00000', "$name, $how") or diag($result->{err});
        cmp_ok($sql->value('SELECT count(*) FROM answer.signing_key'), '>', $before, "$name, $how: keys were changed");
        all_verifies("$name, $how, between");
    }
}
$sql->value("DROP TRIGGER between ON answer.$_") for @tables;

#
# a shortened life of a key does not end before what the key signed
#
{
    $sql->value('SELECT answer_key_generate()');
    my $before = $sql->value('SELECT clock_timestamp()');
    my $retire = qq{SELECT answer_key_retire(key_id, '$before') FROM answer.signing_key WHERE status = 'active'};
    $sql->value('CALL answer_plan_run(' . quoted(a_plan('open', '', 'ask')) . ')');
    is($sql->run($retire)->{state}, '22023', 'a key lives at least until the plan that waits was kept');
    $sql->value(q{SELECT answer_plan_resume(trace_id, '{"n1": {"result": {"text": "so"}, "by": "me"}}') FROM answer.plan_run WHERE status = 'pending'});
    is($sql->run($retire)->{state}, '22023', '... and until its document was signed');
    $sql->value('SELECT answer_key_generate()');
    $before = $sql->value('SELECT clock_timestamp()');
    $sql->value(q{SELECT answer_forget((SELECT receipt_id FROM answer.receipt WHERE body ->> 'schema' = 'answer/v1' LIMIT 1), 'asked for')});
    $retire =~ s/, '[^']*'/, '$before'/;
    is($sql->run($retire)->{state}, '22023', '... and until its last tombstone');
    $sql->value('SELECT answer_key_generate()');
    $before = $sql->value('SELECT clock_timestamp()');
    $sql->value(judged());
    $retire =~ s/, '[^']*'/, '$before'/;
    is($sql->run($retire)->{state}, '22023', '... and until its last judgement');
    cmp_ok($sql->value('SELECT count(DISTINCT sig ->> $$key_id$$) FROM answer.judgement'), '>', 3, 'several keys have signed judgements');
    all_verifies('at last');
}
ok(!$server->crashed, 'the server never crashed');
done_testing();
