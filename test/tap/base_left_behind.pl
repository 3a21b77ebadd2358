#!/usr/bin/env perl
# tiers: test
# What a call of one role leaves behind, and who can see it: one case for each row of the table in the manual. Two roles work
# for the same tenant, a third one for another, and each may call every function.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Test::More;

my $server = AnswerServer->new('left_behind', extended => 1, conf => ['max_connections = 20']);
my $operator = $server->session;
$operator->value($_) for (
    q{SELECT answer_tenant_create('acme'), answer_tenant_create('globex')},
    (map { ("CREATE ROLE $_", "SELECT answer_tenant_grant('" . ($_ eq 'carol' ? 'globex' : 'acme') . "', '$_')") } qw(alice bob carol)),
    'CREATE ROLE alices', 'GRANT alice TO alices',
    'CREATE ROLE auditor', q{SELECT answer_tenant_grant('*', 'auditor')},
    'GRANT USAGE ON SCHEMA answer TO PUBLIC',
    'GRANT EXECUTE ON ALL ROUTINES IN SCHEMA public TO alice, bob, carol, auditor',
    'GRANT EXECUTE ON FUNCTION answer.tool_doc_search(jsonb), answer.tool_ground_verify(jsonb), answer.tool_synth_answer(jsonb), answer.tool_mesh_mem(jsonb), answer.assessment_of(bigint) TO alice, bob, carol',
    'GRANT SELECT ON answer.eval_progress, answer.tenant_run_progress, answer.tenant_baseline, answer.tenant_config, answer.tenant_budget TO PUBLIC',
    'GRANT EXECUTE ON FUNCTION answer.eval_progress_rows() TO PUBLIC',
    'CREATE SCHEMA work AUTHORIZATION alice', 'GRANT USAGE ON SCHEMA work TO PUBLIC',
    # what only alice may call
    q{CREATE FUNCTION work.secret(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$ BEGIN
        IF args ? 'fail' THEN RAISE EXCEPTION 'the combination is 7-12-9'; END IF;
        RETURN '{"text": "the combination is 7-12-9"}'; END $$},
    'REVOKE ALL ON FUNCTION work.secret(jsonb) FROM PUBLIC', 'GRANT EXECUTE ON FUNCTION work.secret(jsonb) TO alice',
    q{SELECT answer_tool_register('work.secret', 'work.secret(jsonb)', options => jsonb_build_object('optional_args', '{fail}'::text[]), spec => '{"io": {"input": {"fail": {}}, "output": {"text": "string"}}}')},
    q{SELECT answer_tool_register('work.ask', NULL, spec => '{"external": true, "io": {"input": {"q": "string"}, "output": {"text": "string"}}}')},
    q{SELECT answer_source_register('gauge'), answer_tool_register('tide', required_args => '{port}', value_path => 'height', freshness => '36500 days')},
);
my %as = map { my $session = $server->session; $session->value("SET ROLE $_"); ($_ => $session) } qw(alice bob carol alices auditor);
sub value { my ($role, $sql) = @_; return $as{$role}->value($sql) }
sub state_of { my ($role, $sql) = @_; return $as{$role}->run($sql)->{state} }

my $secret = '{"plan_id": "p.secret", "nodes": [{"id": "a", "op": "call", "tool": "work.secret", "args": {}, "out": "x"}]}';
my $failing = '{"plan_id": "p.fails", "nodes": [{"id": "a", "op": "call", "tool": "work.secret", "args": {"fail": 1}, "out": "x"}]}';
my $waiting = '{"plan_id": "p.waits", "nodes": [{"id": "a", "op": "call", "tool": "work.ask", "args": {"q": "$INPUT.q"}, "out": "x"}]}';
my $check = q{'{"checks": [{"tool": "tide", "args": {"port": "Ystad"}, "expect": {"op": "eq", "value": 7}}]}'};
# once with a request_id; the result of the plan is read from its row
my $document = value(alice => qq{SELECT answer_plan_execute('{"request_id": "nightly", "plan": $secret}') ->> 'receipt_id'});
my $trace = value(alice => qq{SELECT answer_receipt('$document') ->> 'trace_id'});
value(alice => qq{SELECT answer_plan_execute('{"plan": $failing}')});
value(alice => q{SELECT answer_evidence_add('tide', '{"port": "Ystad"}', '{"height": 7}', 'gauge', '2026-01-01Z')});
value(alice => q{SELECT answer_document_load('[{"doc_id": "hours", "title": "Hours", "timestamp": "2026-01-01T00:00:00Z",
    "text": "The harbour office opens at eight.\n\nThe harbour office closes at four."}]')});

my %case;
$case{'a signed document, its anchors and proofs'} = sub {
    is(value(bob => qq{SELECT answer_receipt('$document') ->> 'receipt_id'}), $document, 'a role of the tenant reads a document');
    is(value(carol => qq{SELECT answer_receipt('$document') IS NULL}), 't', '... and one of another tenant does not');
    $operator->value('REVOKE EXECUTE ON FUNCTION answer_receipt(text, timestamptz) FROM bob');
    is(state_of(bob => qq{SELECT answer_receipt('$document')}), '42501', '... nor one without the right to call the function');
    $operator->value('GRANT EXECUTE ON FUNCTION answer_receipt(text, timestamptz) TO bob');
};
$case{'the answer to a `request_id`'} = sub {
    my $again = qq{('{"request_id": "nightly", "plan": $secret}'};
    is(value(alice => "SELECT answer_plan_execute$again) ->> 'receipt_id'"), $document, 'who asked gets the same answer again');
    for my $role (qw(bob alices auditor)) {
        my $result = $as{$role}->run("SELECT answer_plan_execute$again)");
        is($result->{state}, '42501', "$role does not");
        unlike($result->{err}, qr/combination/, '... and sees nothing of it');
    }
    is($as{bob}->run("CALL answer_plan_run$again, NULL)")->{state}, '42501', '... in neither form');
    is(state_of(bob => q{SELECT answer_plan_execute('{"request_id": "nightly", "plan": {"plan_id": "x", "nodes": [{"id": "a", "op": "assert", "if": "true"}]}}')}),
        '42501', '... with whatever request: whether it is the same is not told');
    unlike($as{carol}->run("SELECT answer_plan_execute$again) ->> 'verdict'")->{out}, qr/answered/, '... and another tenant has ids of its own');
};
my $waits;
$case{'a plan that waits for answers, with its arguments'} = sub {
    my $request = qq{'{"request_id": "waits", "plan": $waiting, "vars": {"q": "the combination?"}}'};
    $waits = value(alice => "SELECT answer_plan_execute($request) ->> 'trace_id'");
    is(value(alice => "SELECT answer_plan_execute($request) #>> '{pending,0,args,q}'"), 'the combination?', 'who asked is told again what waits');
    my $result = $as{bob}->run("SELECT answer_plan_execute($request)");
    is($result->{state}, '42501', 'another role is not');
    my $answer = q{'{"a": {"result": {"text": "x"}, "by": "me"}}'};
    is(state_of(bob => "SELECT answer_plan_resume('$waits', $answer)"), '42501', '... and does not go on with it');
    is(state_of(carol => "SELECT answer_plan_resume('$waits', $answer)"), 'P0002', '... and for another tenant it is not there');
    is(value(alice => "SELECT answer_plan_resume('$waits', $answer) ->> 'verdict'"), 'answered', '... but who began it does');
};
$case{'events of a plan'} = sub {
    is(value(alice => q{SELECT count(*) FROM answer_trace('p.fails') AS e WHERE e ->> 'reason' ~ '7-12-9'}), 1, 'who started a plan reads its events');
    is(value(alices => q{SELECT count(*) FROM answer_trace('p.fails')}), 1, '... and so does a role that has his rights') if $operator->value(
        q{GRANT EXECUTE ON FUNCTION answer_trace, answer_trace_verify TO alices; SELECT 't'}) || 1;
    for my $id ('p.fails', 'p.secret', $trace) {
        is(value(bob => "SELECT count(*) FROM answer_trace('$id')"), 0, 'another role of the tenant does not');
        is(value(carol => "SELECT count(*) FROM answer_trace('$id') AS e WHERE e::text ~ '7-12-9|$trace'"), 0, '... nor one of another tenant');
        is(value(auditor => "SELECT count(*) FROM answer_trace('$id')"), 1, '... but an auditor');
    }
    is(state_of(bob => "SELECT answer_trace_verify('$trace')"), 'P0002', '... and there is no such trace to verify');
    is(value(alice => "SELECT answer_trace_verify('$trace') ->> 'ok'"), 'true', '... but for who started it');
    # the newest trace of a plan is the newest of the caller's
    value(bob => q{SELECT answer_plan_execute('{"plan": {"plan_id": "p.fails", "nodes": [{"id": "mine", "op": "assert", "if": "true"}]}}')});
    is(value(alice => q{SELECT e ->> 'step' FROM answer_trace('p.fails') AS e}), 'a', 'the newest trace of a plan is the newest of one\'s own');
    is(value(bob => q{SELECT e ->> 'step' FROM answer_trace('p.fails') AS e}), 'mine', '... for each');
    $operator->value('GRANT SELECT ON answer.tenant_plan_event TO bob');
    is(value(bob => "SELECT count(*) FROM answer_trace('$trace')"), 1, 'who may read all events of the tenant reads these');
    $operator->value('REVOKE SELECT ON answer.tenant_plan_event FROM bob');
    is($operator->value("SELECT count(*) FROM answer_trace('$trace')"), 1, '... and so does the operator');
};
$case{'a replay bundle'} = sub {
    $operator->value('REVOKE EXECUTE ON FUNCTION answer_receipt(text, timestamptz) FROM bob, alice');
    is(value(alice => "SELECT answer_replay_bundle('$trace') IS NOT NULL"), 't', 'who started a plan gets its bundle');
    is(state_of(bob => "SELECT answer_replay_bundle('$trace')"), 'P0002', '... and another role does not');
    $operator->value('GRANT EXECUTE ON FUNCTION answer_receipt(text, timestamptz) TO bob, alice');
    is(value(bob => "SELECT answer_replay_bundle('$trace') IS NOT NULL"), 't', '... unless it may read the document');
    is(state_of(carol => "SELECT answer_replay_bundle('$trace')"), 'P0002', '... nor another tenant');
};
$case{'an answer in the cache'} = sub {
    $operator->value($_) for (
        q{SELECT answer_suite_load('cache', '[{"id": "none", "query": "Who mends kites?", "expected_outcome": "ABSTAIN", "risk_level": "low"},
            {"id": "some", "query": "When does the puppet workshop open?", "expected_outcome": "ANSWER", "risk_level": "low"}]', '[
            {"doc_id": "a", "title": "Desk", "timestamp": "2026-01-01T00:00:00Z", "text": "The puppet workshop will open at nine."},
            {"doc_id": "b", "title": "Sign", "timestamp": "2026-01-01T00:00:00Z", "text": "Workshop: puppet makers open at nine."}]', '2026-01-02T00:00:00Z') IS NOT NULL},
        q{SELECT answer_environment_set('cache', options => jsonb_build_object('suite', 'cache', 'rules', '{}'::jsonb, 'shadow_samples', 0, 'canary_samples', 0)) IS NOT NULL},
        q{SELECT count(answer_config_promote('cache', c)) FROM answer_config_create('{"cache_ttl_s": 3600}', 'cache') AS c, generate_series(1, 3)},
    );
    for my $role (qw(alice bob)) {
        my $question = q{SELECT answer_grounded('When does the harbour office open?') ? 'cached'};
        value($role => $_) for ('RESET ROLE', q{SET answer_eval.environment = 'cache'}, "SET ROLE $role");
        is(value($role => $question), 'f', "$role asks anew");
        is(value($role => $question), 't', '... and gets the same again');
        my $plan = qq{SELECT answer_plan_execute('{"plan": $secret}')};
        # a tool of alice's, in a plan whose answer is repeated only to her
        $role eq 'alice' ? is(value($role => qq{SELECT count(*) FILTER (WHERE d ? 'cached') FROM (SELECT answer_plan_execute('{"plan": $secret}')
            FROM generate_series(1, 2)) AS e (d)}), 1, '... of a plan, too')
            : unlike($as{$role}->run($plan)->{out}, qr/cached|combination/, '... and no plan of another role');
    }
};
$case{'chunks that wait for their answer'} = sub {
    my $id = value(alice => q{SELECT answer_retrieve('When does the harbour office open?') ->> 'retrieval_id'});
    my $answer = qq{SELECT answer_grounded('When does the harbour office open?', '{"retrieval_id": "$id", "answer": "At eight.", "citations": ["hours#p0"]}') IS NOT NULL};
    is(state_of($_ => $answer), 'P0002', "$_ does not take what another role has retrieved") for qw(bob carol alices);
    is(state_of(alice => $answer), '00000', '... and it is still there for who has');
};
$case{'readings, and facts that a session remembers'} = sub {
    my $fact = q{SELECT answer_fact('tide', '{"port": "Ystad"}') ->> 'value'};
    is(value($_ => $fact), 7, "$_ reads a reading of the tenant") for qw(alice bob);
    isnt($as{carol}->run($fact)->{out}, 7, 'another tenant does not');
    # one session, role after role, as in a pool
    my $pool = $server->session;
    is(join(' ', map { $pool->value("SET ROLE $_"); my $seen = $pool->value(qq{SELECT answer_eval($check) ->> 'verdict'}); $pool->value('RESET ROLE'); $seen }
        qw(alice bob carol alice)), 'supported supported insufficient_evidence supported', '... nor in the session that remembers it');
};
$case{'what plans remember'} = sub {
    $operator->value(q{SELECT answer_memory_policy('acme', '', true)});
    my $plan = q{'{"plan": {"plan_id": "p.keeps", "nodes": [
        {"id": "s", "op": "call", "tool": "doc.search", "args": {"q": "When does the harbour office open?"}, "out": "hits"},
        {"id": "v", "op": "verify", "args": {"claims": ["The harbour office opens at eight."], "sources": "$hits"}, "out": "e"},
        {"id": "w", "op": "mem.write", "args": {"key": "hours", "value": {"opens": 8}, "provenance": "$e"}}], "edges": [["s", "v"], ["v", "w"]]}}'};
    is(value(alice => "SELECT answer_plan_execute($plan) ->> 'verdict'"), 'answered', 'a plan remembers something');
    my $read = q{SELECT answer.tool_mesh_mem('{"op": "read", "key": "hours"}') #>> '{value,opens}'};
    is(value(bob => $read), 8, '... which every role of the tenant reads');
    isnt(value(carol => $read), 8, '... and no other');
    $operator->value('REVOKE EXECUTE ON FUNCTION answer.tool_mesh_mem(jsonb) FROM bob');
    is(state_of(bob => $read), '42501', '... nor who may not call the tool');
    $operator->value('GRANT EXECUTE ON FUNCTION answer.tool_mesh_mem(jsonb) TO bob');
};
$case{'registered tools, routes, plans, judges, documents and graphs'} = sub {
    value(alice => qq{SELECT answer_plan_register('$secret')});
    value(alice => q{SELECT answer_graph_load('p', '[{"id": "n", "labels": ["Code"], "name": "open_door", "source_path": "a.c", "content_hash": "sha256:2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881",
        "extraction_method": "AST"}]', '[]')});
    is(value(bob => q{SELECT answer_plan_explain('{"plan": {"ref": "p.secret"}}') ->> 'order'}), '["a"]', 'a registered plan is every role\'s');
    is(state_of(carol => q{SELECT answer_plan_explain('{"plan": {"ref": "p.secret"}}')}), 'P0002', '... of the tenant');
    isnt(value(bob => q{SELECT answer_plan_execute('{"plan": {"ref": "p.secret"}}') ->> 'verdict'}), 'answered', '... and its tools are called with the rights of who asks');
    is(value(bob => q{SELECT count(*) FROM answer_documents()}), 1, 'so are documents');
    is(value(carol => q{SELECT count(*) FROM answer_documents()}), 0, '... of the tenant');
    is(value(bob => q{SELECT count(*) FROM answer_graph_node('p', 'n')}) . value(carol => q{SELECT count(*) FROM answer_graph_node('p', 'n')}), '10', '... and graphs');
};
# a suite whose second case waits for a lock, so that its session can be ended in the middle of a run
$case{'an unfinished run of a suite'} = sub {
    my $control = $server->session;
    $control->value($_) for (
        q{CREATE FUNCTION work.who(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$ BEGIN
            PERFORM pg_advisory_xact_lock_shared(4711) WHERE (args ->> 'n')::int > 1 AND current_user = 'alice';
            RETURN jsonb_build_object('who', current_user); END $$},
        q{SELECT answer_tool_register('work.who', 'work.who(jsonb)', required_args => '{n}')},
        'SELECT pg_advisory_lock(4711)');
    value(alice => q{SELECT answer_suite_load('who', (SELECT jsonb_agg(jsonb_build_object('id', 'c' || n, 'kind', 'check', 'request', jsonb_build_object('deadline_ms', 60000,
        'checks', jsonb_build_array(jsonb_build_object('tool', 'work.who', 'args', jsonb_build_object('n', n), 'expect', '{"path": "who", "op": "eq", "value": "alice"}'::jsonb))),
        'expected_verdict', 'supported')) FROM generate_series(1, 2) AS n), '[]', '2026-01-01')});
    my $run = q{CALL answer_suite_run_resume('who', batch => 1)};
    my $runner = $server->session;
    my $pid = $runner->backend;
    $runner->value('SET ROLE alice');
    $runner->send($run);
    $control->value(qq{DO \$\$ BEGIN WHILE NOT EXISTS (SELECT FROM pg_locks WHERE pid = $pid AND NOT granted AND locktype = 'advisory') LOOP PERFORM pg_sleep(0.01); END LOOP; END \$\$});
    $control->value("SELECT pg_terminate_backend($pid)");
    $runner->wait;
    $control->value('SELECT pg_advisory_unlock(4711)');
    is(value(bob => q{SELECT done || ' of ' || cases FROM answer.tenant_run_progress}), '1 of 2', 'how far a run is, a role of the tenant may be told');
    my $mine = value(bob => $run);
    my $decisions = q{SELECT string_agg(c ->> 'decision', ' ' ORDER BY n) FROM jsonb_array_elements(answer_run('%s') -> 'cases') WITH ORDINALITY AS c (c, n)};
    is(value(bob => sprintf $decisions, $mine), 'contradicted contradicted', '... and it begins a run of its own');
    is(value(alice => sprintf $decisions, value(alice => $run)), 'supported supported', 'who began it goes on with it');
};
$case{'a finished run of a suite'} = sub {
    my $run = value(alice => q{SELECT answer_suite_run('who')});
    is(value(bob => "SELECT answer_run('$run') ->> 'receipt_id'"), $run, 'a role of the tenant reads a run');
    is(value(bob => "SELECT answer_gate('$run') ->> 'outcome' IS NOT NULL"), 't', '... and judges it');
    is(state_of(carol => "SELECT $_('$run')"), 'P0002', "... and another tenant has no such run for $_") for qw(answer_run answer_gate answer_run_junit answer_run_intoto);
};
$case{'suites, baselines, configurations, environments and proposals'} = sub {
    value(alice => q{SELECT answer_baseline_load('bot', '[{"question": "a?", "answered": true, "cited": true, "contradictory": false, "latency_ms": 1, "cost_usd": 0}]')});
    my $config = value(alice => q{SELECT answer_config_create('{"top_k": 3}', 'of alice')});
    my $proposal = value(alice => q{SELECT answer_evolve_propose(NULL, '{"top_k": 4}', 'more') #>> '{0,proposal}'});
    is(value(bob => q{SELECT count(*) FROM answer_suites() WHERE suite = 'who'}) . value(carol => q{SELECT count(*) FROM answer_suites() WHERE suite = 'who'}), '10', 'suites are the tenant\'s');
    is(value(bob => q{SELECT count(*) FROM answer.tenant_baseline}) . value(carol => q{SELECT count(*) FROM answer.tenant_baseline}), '10', '... and baselines');
    is(value(bob => "SELECT count(*) FROM answer.tenant_config WHERE config_id = '$config'") . value(carol => "SELECT count(*) FROM answer.tenant_config WHERE config_id = '$config'"),
        '10', '... and configurations');
    is(state_of(carol => "SELECT answer_evolve_validate('$proposal')"), 'P0002', '... and proposals');
    unlike($as{bob}->run("SELECT answer_evolve_validate('$proposal')")->{err}, qr/there is no proposal/, '... which another role of the tenant validates');
};
$case{'an open investigation'} = sub {
    my $id = value(alice => q{SELECT answer_investigation_open('Explain', 'When does the office open?')});
    ok($id, 'an investigation is opened');
    my $record = "SELECT answer_investigation_record_output($id, 'grep', 'q', 't', 'out')";
    is(state_of(bob => $record), '42501', '... and recorded into by nobody else');
    is(state_of(bob => "SELECT answer_investigation_close($id)"), '42501', '... nor closed');
    is(state_of(bob => "SELECT count(*) FROM answer_gap($id)"), '00000', '... but what it lacks is told to the tenant');
    isnt(state_of(carol => "SELECT count(*) FROM answer_gap($id)"), '00000', '... and to no other');
};
$case{'how far a batch of requests is'} = sub {
    my $control = $server->session;
    $control->value($_) for (
        q{CREATE FUNCTION work.slow(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock_shared(4712); RETURN '{"v": 1}'; END $$},
        q{SELECT answer_tool_register('work.slow', 'work.slow(jsonb)')}, 'SELECT pg_advisory_lock(4712)', 'CREATE ROLE batch LOGIN', 'GRANT alice TO batch');
    my $runner = $server->session(user => 'batch');
    my $pid = $runner->backend;
    $runner->value('SET ROLE alice');
    $runner->send(q{SELECT count(*) FROM answer_eval_each(ARRAY['{"deadline_ms": 60000, "checks": [{"tool": "work.slow", "expect": {"path": "v", "op": "eq", "value": 1}}]}'::jsonb])});
    $control->value(qq{DO \$\$ BEGIN WHILE NOT EXISTS (SELECT FROM pg_locks WHERE pid = $pid AND NOT granted AND locktype = 'advisory') LOOP PERFORM pg_sleep(0.01); END LOOP; END \$\$});
    is($control->value('SELECT count(*) FROM answer.eval_progress'), 1, 'the operator sees how far a batch is');
    is(value($_ => 'SELECT count(*) FROM answer.eval_progress'), 0, "... $_ does not") for qw(bob carol);
    $control->value('GRANT batch TO bob');
    is(value(bob => 'SELECT count(*) FROM answer.eval_progress'), 1, '... unless he has the rights of the role');
    $control->value($_) for ('REVOKE batch FROM bob', 'SELECT pg_advisory_unlock(4712)');
    is($runner->wait->{state}, '00000', '... and the batch ends');
};
$case{'that a plan made a step'} = sub {
    my $listener = $server->session;
    $listener->value('SET ROLE carol');
    $listener->value('LISTEN answer_trace');
    value(alice => $_) for ('RESET ROLE', 'SET answer_eval.notify = on', 'SET ROLE alice');
    my $made = value(alice => qq{SELECT answer_plan_execute('{"plan": $failing}') ->> 'trace_id'});
    my $heard = $listener->run('SELECT 1');
    my $digest = $operator->value("SELECT encode(sha256('$made'), 'hex')");
    my $said = join ' ', map { $_ // '' } @{$heard}{qw(out err)};
    like($said, qr/sha256:$digest 1/, 'everybody hears of a step, by a digest');
    unlike($said, qr/\Q$made\E|p\.fails/, '... and nothing else');
};
$case{'what plans have spent'} = sub {
    $operator->value(q{SELECT answer_budget_set('acme', 'day', 5)});
    is(value(bob => q{SELECT cost_cap_usd FROM answer.tenant_budget WHERE period = 'day'}), 5, 'a role of the tenant sees what is left to all of them');
    is(value(carol => q{SELECT count(*) FROM answer.tenant_budget WHERE cost_cap_usd = 5}), 0, '... and another tenant does not');
};
$case{'rows of tables and views'} = sub {
    $operator->value($_) for 'GRANT SELECT ON answer.tenant_receipt TO bob, carol';
    is(value(bob => "SELECT count(*) FROM answer.tenant_receipt WHERE receipt_id = '$document'"), 1, 'a view shows what all roles of the tenant left');
    is(value(carol => "SELECT count(*) FROM answer.tenant_receipt WHERE receipt_id = '$document'"), 0, '... and nothing else');
    is(state_of(bob => "SELECT count(*) FROM answer.$_"), '42501', "... and $_ is granted to nobody") for qw(receipt plan_run plan_event decision_cache retrieval run_work run_work_case memory_entry);
};

# the judge is a role of the operator's, with members of both tenants
$operator->value($_) for 'CREATE ROLE readers', 'GRANT readers TO alice, carol',
    q{SELECT answer_judge_register('readers', '{"kinds": ["entailment"], "model": "people", "version": "1", "role": "readers"}')};
my $judged = q{answer_grounded('When does the harbour office open?', '{"config": {"judge_entailment": "readers"}, "answer": "The harbour office opens at nine.", "citations": ["hours#p0"]}')};
$case{'texts that wait for a judge'} = sub {
    value(bob => 'SELECT ' . $judged =~ s/nine/ten/r);
    is(value(alice => q{SELECT string_agg(a, ' ') FROM answer_judge_pending('readers', 10)}), 'The harbour office opens at ten.', 'a member of the judge\'s role reads the texts of what another role of the tenant has asked');
    is(state_of(bob => q{SELECT * FROM answer_judge_pending('readers', 10)}), '42501', 'another role does not, not even who asked');
    is(value(carol => q{SELECT count(*) FROM answer_judge_pending('readers', 10)}), 0, 'nor a member who works for another tenant');
};
$case{'what judges have said'} = sub {
    my $said = "SELECT concat_ws(' ', d #>> '{judgements,0,relation}', d #>> '{judgements,0,by}') FROM $judged AS d";
    value(bob => "SELECT $judged");
    is(value(alice => q{SELECT answer_judgement_add(jsonb_agg(jsonb_build_object('pair', pair, 'relation', 'contradicts', 'score', 0.9, 'judge', 'readers'))) FROM answer_judge_pending('readers', 10)}), 1, 'one role records');
    is(value(bob => $said), 'contradicts alice', 'the decision of another role rests on it, and says who said it');
    value(carol => q{SELECT answer_document_load('[{"doc_id": "hours", "title": "Hours", "timestamp": "2026-01-01T00:00:00Z",
        "text": "The harbour office opens at eight.\n\nThe harbour office closes at four."}]')});
    is(value(carol => $said), '', 'that of another tenant does not, over the same texts');
    value(carol => q{SELECT answer_forget('hours', 'other cases have none')});
};
$operator->value($_) for q{CREATE FUNCTION work.quick(args jsonb) RETURNS jsonb LANGUAGE sql AS $$ SELECT '{"ok": true}'::jsonb $$},
    'GRANT EXECUTE ON FUNCTION work.quick(jsonb) TO alice, bob, carol',
    q{SELECT answer_tool_register('work.quick', 'work.quick(jsonb)', spec => '{"io": {"input": {}, "output": {"ok": "boolean"}}, "constraints": {"latency_p50_ms": 5000}}')},
    q{SELECT answer_tool_register('work.scarce', 'work.quick(jsonb)', spec => '{"io": {"input": {}, "output": {"ok": "boolean"}}, "constraints": {"rate_limit_qps": 0.0001}}')};
$case{'how long calls of tools took'} = sub {
    my $basis = q{SELECT answer_plan_explain('{"plan": {"plan_id": "quick", "nodes": [{"id": "a", "op": "call", "tool": "work.quick", "args": {}, "out": "x"}]}}') ->> 'basis'};
    is(value(bob => $basis), 'declared', 'nobody has called the tool');
    value(alice => q{SELECT count(answer_tool_invoke('work.quick', '{}')) FROM generate_series(1, 30)});
    is(value(bob => $basis), 'measured', 'what one role\'s calls took counts for another role');
    is(value(carol => $basis), 'declared', '... and not for another tenant');
};
$case{'calls under a rate limit'} = sub {
    my $call = q{SELECT answer_tool_invoke('work.scarce', '{}') ->> 'outcome'};
    is(value(alice => $call), 'ok', 'the first call is made');
    is(value(bob => $call), 'rate_limited', 'another role finds no token');
    is(value(carol => $call), 'ok', '... and another tenant does');
};

# a row of the manual's table describes each of our tables, unless only the operator and auditors may read it
my %kept_in = (
    'a signed document, its anchors and proofs' => 'receipt_default tombstone anchor anchor_request unsealed log_leaf log_tile checkpoint cosignature signing_key',
    'the answer to a `request_id`' => 'plan_run', 'a plan that waits for answers, with its arguments' => 'plan_step', 'events of a plan' => 'plan_event',
    'an answer in the cache' => 'decision_cache', 'chunks that wait for their answer' => 'retrieval',
    'readings, and facts that a session remembers' => 'evidence evidence_series',
    'what plans remember' => 'memory_entry memory_policy',
    'what judges have said' => 'judgement', 'how long calls of tools took' => 'tool_call', 'calls under a rate limit' => 'tool_bucket',
    'registered tools, routes, plans, judges, documents and graphs' => 'tool source route route_table route_state plan judge judge_version judge_assessment document document_fact document_set
        chunk chunk_embedding chunk_item chunk_search graph_node graph_edge graph_embedding graph_loose graph_search graph_set decision_rule
        quality_authority quality_class quality_compatibility quality_intent quality_question_form quality_requirement quality_tool',
    'an unfinished run of a suite' => 'run_work run_work_case', 'a finished run of a suite' => 'run_timing',
    'suites, baselines, configurations, environments and proposals' => 'suite suite_case baseline baseline_row environment_head config_sample',
    'an open investigation' => 'investigation quality_entry',
    'what plans have spent' => 'budget_cap budget_period budget_reservation',
    'rows of tables and views' => 'packet_log rollup_correction rollup_day rollup_hour rollup_kept rollup_key rollup_latency rollup_minute rollup_new rollup_pruned rollup_refusal rollup_word',
    '' => 'log_audit recorded_rows tenant tenant_role witness_checkpoint witness_key',
);
is(join(' ', sort map { split ' ' } values %kept_in), $operator->value(q{SELECT string_agg(relname, ' ' ORDER BY relname COLLATE "C") FROM pg_class WHERE relnamespace = 'answer'::regnamespace AND relkind = 'r'}),
    'each table of ours is told of, once');
is(join(', ', grep { $_ ne '' && !$case{$_} } sort keys %kept_in), '', '... by a row that there is');

# the table of the manual, row by row
my ($table) = slurp(AnswerServer::root_dir() . '/doc/operations.md') =~ /^## Who reads what a call left behind\n(.*?)^## /ms;
my @rows = map { (split /\s*\|\s*/)[1] } grep { /^\|/ && !/^\|(?:---| what is left behind )/ } split /\n/, $table;
is_deeply([sort @rows], [sort keys %case], 'each row of the manual\'s table has a case here, and each case a row');
for my $row (grep { $case{$_} } @rows) { subtest $row => $case{$row} }
# a document that was detached with its partition does not count as forgotten
my $nightly = qq{SELECT answer_plan_execute('{"request_id": "nightly", "plan": $secret}')};
$operator->value($_) for q{SELECT answer_receipt_partition(now() - interval '1 hour', now() + interval '1 hour')}, 'SELECT answer_log_seal()',
    q{SELECT answer_receipt_detach(relid) FROM pg_partition_tree('answer.receipt') WHERE isleaf AND relid <> 'answer.receipt_default'::regclass};
my $gone = $as{alice}->run($nightly);
is($gone->{state}, '55000', 'the answer to a request that was detached with its partition is not here');
unlike($gone->{err}, qr/forgotten/, '... and was not forgotten');
is(state_of(bob => $nightly), '42501', '... and another role is not told');
ok(!$server->crashed, 'the server is well');
done_testing();
