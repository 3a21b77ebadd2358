#!/usr/bin/env perl
# tiers: test
# Measured latencies of tools, in tests that need several sessions: recording them makes nobody wait, at any isolation level;
# both forms record and use them; plans that have begun go on with the same ones; a dump has them.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Test::More;

my $server = AnswerServer->new('plan_measure', extended => 1);
$server->value('CREATE DATABASE origin TEMPLATE postgres');
$server->{dbname} = 'origin';
$server->value($_) for
    'CREATE FUNCTION echo(args jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$ SELECT args $$',
    q{SELECT answer_tool_register('echo', 'echo(jsonb)', spec => '{"io": {"input": {"q": {}}},
        "constraints": {"latency_p50_ms": 60000, "cost_per_call_usd": 0.01}}')},
    q{SELECT answer_plan_register('{"plan_id": "echo", "edges": [["a", "b"]], "nodes": [
        {"id": "a", "op": "call", "tool": "echo", "args": {"q": 1}, "out": "x"},
        {"id": "b", "op": "call", "tool": "echo", "args": {"q": "$x"}, "out": "y"}]}')};
my $request = q{'{"plan": {"ref": "echo"}}'};
my $execute = "SELECT concat_ws(' ', d ->> 'verdict', d #>> '{budget_used,basis}') FROM answer_plan_execute($request) AS d";
my $calls = q{SELECT count(*) FROM answer.tool_call};

# in transactions that are open
for my $level ('READ COMMITTED', 'REPEATABLE READ', 'SERIALIZABLE') {
    my @sessions = map { $server->session } 1 .. 3;
    $_->value("BEGIN ISOLATION LEVEL $level") for @sessions;
    my $before = $server->value($calls);
    for my $round (1, 2) {
        for my $session (@sessions) {
            $session->value(q{SET LOCAL statement_timeout = '20s'});
            is($session->value($execute), 'answered declared', "$level: nobody waits");
        }
    }
    is(join(' ', map { $_->run('COMMIT')->{state} } @sessions), '00000 00000 00000', '... and all commit');
    is($server->value($calls) - $before, $level eq 'SERIALIZABLE' ? 0 : 12, '... with what their calls took');
    $_->close for @sessions;
}

# one that is rolled back, and one whose session is gone
{
    my $session = $server->session;
    my $before = $server->value($calls);
    $session->value($_) for 'BEGIN', $execute, 'ROLLBACK', 'BEGIN', $execute;
    $server->value('SELECT pg_terminate_backend(' . $session->backend . ', 10000)');
    is($server->value($calls), $before, 'what did not commit has left nothing');
}

# both forms
for my $form ('execute', 'run') {
    my $session = $server->session;
    my $before = $server->value($calls);
    my $once = $form eq 'execute' ? "SELECT answer_plan_execute($request)" : "CALL answer_plan_run($request, NULL)";
    $session->value($once) for 1 .. 3;
    is($server->value($calls) - $before, 6, "answer_plan_$form leaves what each call took");
    $session->close;
}
is($server->value($execute), 'answered measured', 'which are enough by now');
is($server->value(qq{DO \$\$ DECLARE d jsonb; BEGIN CALL answer_plan_run($request, d);
    IF d #>> '{budget_used,basis}' <> 'measured' OR (d #>> '{budget_used,latency_ms}')::numeric > 60000
        OR NOT (answer_replay(d) ->> 'ok')::boolean THEN RAISE '%', d; END IF; END \$\$}), '', 'also for answer_plan_run');

# a waiting plan continues with the times measured when it began, whatever happened to those since
$server->value(q{SELECT answer_tool_register('ask', spec => '{"external": true}')});
my $trace = $server->value(q{SELECT answer_plan_execute('{"plan": {"plan_id": "waits", "edges": [["a", "b"], ["b", "c"]],
    "nodes": [{"id": "a", "op": "call", "tool": "echo", "args": {"q": 1}, "out": "x"},
    {"id": "b", "op": "call", "tool": "ask", "out": "y"}, {"id": "c", "op": "call", "tool": "echo", "out": "z"}]}}')
    ->> 'trace_id'});
$server->value('DELETE FROM answer.tool_call');
is($server->value(qq{SELECT concat_ws(' ', d ->> 'verdict', d #>> '{trace,2,event,basis}', answer_replay(d) ->> 'ok',
    (SELECT count(*) FROM answer.tool_call)) FROM answer_plan_resume('$trace', '{"b": {"result": {}, "by": "m"}}') AS d}),
    'answered measured true 0', 'and its replay comes to the same');
is($server->value($calls), 1, 'of which the step after is measured');

# without a usable key a tool is called nevertheless
{
    my ($file) = glob("$server->{data}/answer_eval_keys/*/" . $server->value(q{SELECT key_id FROM answer.signing_key WHERE status = 'active'}) . '.pem');
    my $invoke = q{SELECT answer_tool_invoke('echo', '{"q": 1}') ->> 'outcome'};
    my $before = $server->value($calls);
    rename $file, "$file.away" or die "$file: $!";
    is($server->value($invoke), 'ok', 'without the file of the key a tool is called');
    is($server->value($calls) - $before, 0, '... and leaves nothing');
    rename "$file.away", $file or die "$file: $!";
    is($server->value($invoke), 'ok', 'with it');
    is($server->value($calls) - $before, 1, '... it does');
}

# storing a measurement does not count as writing: a receipt of the same transaction says nothing of uncommitted writes
{
    my $session = $server->session;
    $session->value($_) for 'BEGIN', q{SELECT answer_tool_invoke('echo', '{"q": 1}')};
    is($session->value(q{SELECT answer_eval('{"checks": [{"tool": "postgres_server", "expect": {"op": "exists"}}]}') @? '$.reproduce.evaluator.uncommitted'}),
        'f', 'a call of a tool makes no receipt uncommitted');
    $session->value('ROLLBACK');
}

# nor does it wait for an uncommitted change of the key
{
    my ($changing, $calling) = map { $server->session } 1 .. 2;
    my $before = $server->value($calls);
    $changing->value($_) for 'BEGIN', 'SELECT answer_key_generate()';
    $calling->value('SET lock_timeout = 2000');
    is($calling->value(q{SELECT answer_tool_invoke('echo', '{"q": 1}') ->> 'outcome'}), 'ok', 'while a key changes a tool is called');
    is($server->value($calls) - $before, 0, '... and leaves nothing');
    $changing->value('ROLLBACK');
}

# a dump
AnswerServer::must(AnswerServer::program('psql'), '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-h', $server->{host}, '-p', '5432', '-d', 'origin', '-f',
    root_dir() . '/test/lib/tool_calls.sql');
is($server->value(q{SELECT calls.add('echo', ARRAY(SELECT 1000::bigint FROM generate_series(1, 39)))}), '39', 'calls as if they had been made');
my $basis = "SELECT answer_plan_explain($request) ->> 'basis'";
is($server->value($basis), 'measured', '... are enough');
$server->value('CREATE DATABASE restored TEMPLATE template0');
my ($dump, $psql) = map { quotemeta AnswerServer::program($_) } qw(pg_dump psql);
AnswerServer::must('sh', '-c', "$dump -h $server->{host} -p 5432 origin | $psql -X -q -v ON_ERROR_STOP=1 -h $server->{host} -p 5432 -d restored -o /dev/null");
my $figures = q{SELECT string_agg(concat_ws(' ', tool, calls, p50_ms), ',') FROM answer.tool_latency};
is($server->session(dbname => 'restored')->value($figures), 'echo 41 1', 'a dump takes them along');
my $restored = $server->session(dbname => 'restored', setup => ['SET client_min_messages = warning', 'SELECT answer_key_generate()']);
is($restored->value(q{SELECT count(*) FROM answer_log_audit() WHERE detail LIKE '%tool_call%'}), '0', '... which the audit there takes for what they are');
is($restored->value($basis), 'declared', '... and no prediction of a database with another key goes by them');
ok(!$server->crashed, 'the server never crashed');
done_testing();
