#!/usr/bin/env perl
# tiers: test
# Tools with a spec and registered plans, with several sessions or failures: a cancel, a deadline, a rate limit, two
# registrations at once. And in other places: in a dump, on a standby, in databases of other encodings.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Test::More;

my $server = AnswerServer->new('plan_tools',
    conf => ['wal_level = replica', 'max_wal_senders = 4', q{wal_keep_size = '256MB'}], extended => 1);
$server->value('CREATE DATABASE origin TEMPLATE postgres');
$server->{dbname} = 'origin';
my $echo = q{{"io": {"input": {"q": {"type": "string", "required": true}, "k": {"type": "integer", "default": 8}}},
    "constraints": {"latency_p50_ms": 120, "cost_per_call_usd": 0.0001, "input_tokens_max": 100},
    "capabilities": ["echo"], "deny_if": ["secret", "ärger"]}};
my @made = (
    'CREATE TABLE made (tool text)',
    'CREATE FUNCTION echo(args jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$ SELECT args $$',
    q{CREATE FUNCTION acts(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS
        $$ BEGIN INSERT INTO public.made VALUES (args ->> 'tool'); RETURN args; END $$},
    q{CREATE FUNCTION sleeps(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS
        $$ BEGIN INSERT INTO public.made VALUES ('sleeps'); PERFORM pg_sleep(60); RETURN args; END $$},
    "SELECT answer_tool_register('echo', 'echo(jsonb)', spec => '$echo')",
    q{SELECT answer_tool_register('acts', 'acts(jsonb)', options => jsonb_build_object('optional_args', '{tool}'::text[]),
        spec => '{"constraints": {"side_effects": true}}')},
    q{SELECT answer_tool_register('external', spec => '{"external": true, "io": {"input": {"q": "string"}}}')},
);
$server->value($_) for @made, q{SELECT answer_tool_register('sleeps', 'sleeps(jsonb)',
    spec => '{"constraints": {"side_effects": true, "cost_per_call_usd": 2}}')};

sub simple {
    my ($id, $q) = @_;
    return qq{{"plan_id": "$id", "nodes": [{"id": "a", "op": "call", "tool": "echo", "args": {"q": "$q"},
        "out": "x"}]}};
}
sub invoked {
    my ($tool, $args) = @_;
    $args ||= '{}';
    return "SELECT concat_ws(' ', i ->> 'outcome', i ->> 'sqlstate') FROM answer_tool_invoke('$tool', '$args') AS i";
}

# a cancel ends the statement, whatever a tool does; a deadline ends only the tool, and undoes its writes
{
    my $session = $server->session;
    my $pid = $session->backend;
    $session->send(invoked('sleeps'));
    ok($session->active, 'a tool sleeps');
    nap(0.5);
    $server->value("SELECT pg_cancel_backend($pid)");
    is($session->wait->{state}, '57014', 'a cancel ends the statement');
    $session->value(q{SET statement_timeout = '400ms'});
    is($session->run(invoked('sleeps'))->{state}, '57014', 'so does a timeout');
    $session->value('RESET statement_timeout');
    is($session->value('SHOW transaction_read_only'), 'off', 'nothing of the call is left in the session');
    is($session->run(q{SELECT concat_ws(' ', i ->> 'outcome', i ->> 'sqlstate', i ->> 'cost_usd', i ->> 'reason')
        FROM answer_tool_invoke('sleeps') AS i})->{out}, 'failed 57014 2 the deadline of 6000 ms passed',
        'a deadline is the tool\'s, which is charged');
    # the session's record of a running call ends with the call
    is($session->value(invoked('acts')), 'ok', 'after all of these a tool that acts can be called');
    $session->close;
    is($server->value('SELECT string_agg(COALESCE(tool, $$-$$), $$ $$) FROM made'), '-',
        'what did not end wrote nothing');
    $server->value('TRUNCATE made');
}

# a rate limit applies to all sessions and to every way of calling the tool
$server->value($_) for (
    q{SELECT answer_tool_register('rare', 'acts(jsonb)', options => jsonb_build_object('optional_args', '{tool}'::text[]),
        spec => '{"constraints": {"side_effects": true, "rate_limit_qps": 0.001}}')},
    q{SELECT answer_tool_register('rarely', 'echo(jsonb)', spec => '{"constraints": {"rate_limit_qps": 0.001}}')});
{
    my @sessions = map { $server->session } 1 .. 6;
    $_->send(invoked('rare', '{"tool": "rare"}')) for @sessions;
    my %outcomes;
    $outcomes{$_->wait->{out}}++ for @sessions;
    is_deeply(\%outcomes, {ok => 1, 'rate_limited 53400' => 5}, 'of six calls at once one is made');
    is($server->value('SELECT count(*) FROM made'), 1, 'by the tool, too');
    is($server->value(q{SELECT answer_fact('rarely') -> 'raw'}), '{}', 'a fact takes a token');
    is($server->run(q{SELECT answer_fact('rarely')})->{state}, '53400', 'and there is no second one');
    is($server->value(q{SELECT answer_eval('{"checks": [{"tool": "rarely"}]}')
        #>> '{checks,0,explain,sqlstate}'}), '53400', 'for a check neither');
    is($server->value(invoked('rarely')), 'rate_limited 53400', 'nor for a call');
    # a tool is not called if its bucket is locked for longer than lock_timeout
    $server->value(q{SELECT answer_tool_register('busy', 'echo(jsonb)',
        spec => '{"constraints": {"rate_limit_qps": 100}}')});
    $sessions[0]->value($_) for 'BEGIN', invoked('busy');
    $sessions[1]->value(q{SET lock_timeout = '200ms'});
    is($sessions[1]->value(invoked('busy')), 'rate_limited 55P03', 'a bucket that another transaction holds');
    $sessions[0]->value('COMMIT');
    is($sessions[1]->value(invoked('busy')), 'ok', 'is free after it');
    $_->close for @sessions;
}

# versions of a plan that are registered at once come one after the other
{
    my ($one, $two) = map { $server->session } 1 .. 2;
    $two->backend;
    my ($first, $second) = (simple('both', 'one'), simple('both', 'two'));
    $one->value($_) for 'BEGIN', "SELECT answer_plan_register('$first')";
    $two->send("SELECT answer_plan_register('$second') IS NOT NULL");
    ok($two->active, 'a second version waits for the first');
    nap(0.3);
    $one->value('COMMIT');
    is($two->wait->{state}, '00000', 'and is registered');
    is($server->value(q{SELECT string_agg((plan #>> '{nodes,0,args,q}') || version, ' ' ORDER BY version)
        FROM answer.plan WHERE plan_id = 'both'}), 'one1 two2', 'as the next one');
    $one->value($_) for 'BEGIN', "SELECT answer_plan_register('$first')";
    $two->send("SELECT answer_plan_register('$first') IS NOT NULL");
    nap(0.3);
    $one->value('ROLLBACK');
    is($two->wait->{state}, '00000', 'one that is rolled back takes no number');
    $one->value($_) for 'BEGIN ISOLATION LEVEL REPEATABLE READ', 'SELECT 1';
    $two->value("SELECT answer_plan_register('$second')");
    my $third = simple('both', 'three');
    is($one->run("SELECT answer_plan_register('$third')")->{state}, '40001',
        'an old snapshot registers no version over it');
    $one->value('ROLLBACK');
    is($server->value(q{SELECT count(*) || ' ' || max(version) FROM answer.plan WHERE plan_id = 'both'}), '4 4',
        'the numbers have no gap');
    is($server->value(q{SELECT count(*) FROM answer.change WHERE kind = 'plan' AND name = 'both'}), 4,
        'each is recorded');
    $_->close for $one, $two;
}

# specs and plans are in a dump, and changes made without the functions are found
my $good = simple('good', 'x');
$server->value($_) for "SELECT answer_plan_register('$good')", 'SELECT answer_log_seal()';
my $explained = q{SELECT answer_plan_explain('{"plan": {"ref": "good"}}')};
my $digests = q{SELECT answer_digest(jsonb_agg(answer_tool_spec(tool) ORDER BY tool COLLATE "C")) FROM answer.tool};
{
    my ($pg_dump, $psql) = map { quotemeta AnswerServer::program($_) } qw(pg_dump psql);
    my $to = "-h $server->{host} -p 5432 -U postgres";
    $server->value('CREATE DATABASE copy TEMPLATE template0');
    AnswerServer::must('sh', '-c', "$pg_dump $to origin | $psql $to -X -q -v ON_ERROR_STOP=1 -d copy >/dev/null");
    my %copy = (dbname => 'copy');
    is($server->value($_, %copy), $server->value($_), "the copy has the same: $_") for $explained, $digests,
        'SELECT string_agg(digest, $$ $$ ORDER BY plan_id, version) FROM answer.plan';
    is($server->value(invoked('echo', '{"q": "x"}'), %copy), 'ok', 'its tools are called');
    is($server->value(q{SELECT string_agg(detail, ', ') FROM answer_log_audit() WHERE detail ~ 'tool|plan'}, %copy), '',
        'its audit finds nothing of ours');
    $server->value($_, %copy) for (
        AnswerServer::guards_off(),
        q{UPDATE answer.plan SET plan = jsonb_set(plan, '{nodes,0,args,q}', '"y"')
            WHERE plan_id = 'both' AND version = 2},
        q{DELETE FROM answer.plan WHERE plan_id = 'both' AND version = 3},
        q{UPDATE answer.plan SET plan_id = 'evil' WHERE plan_id = 'good'},
        AnswerServer::guards_back(),
        q{UPDATE answer.tool SET spec = jsonb_set(spec, '{constraints,side_effects}', 'false') WHERE tool = 'acts'},
        q{UPDATE answer.tool SET spec = NULL WHERE tool = 'echo'});
    my $found = $server->value('SELECT string_agg(detail, $$; $$ ORDER BY detail) FROM answer_log_audit()', %copy);
    like($found, qr/\Q$_\E/, "the audit finds: $_")
        for 'plan both, version 2, is not what was registered', 'plan both: its version 3 is gone',
            'plan evil, version 1, is not what was registered', 'tool acts', 'tool echo', 'plan good';
}

# a standby calls tools that do not write
my $standby_data = AnswerServer::tmp_dir() . '/standby';
mkdir $standby_data, 0700;
AnswerServer::must(AnswerServer::program('pg_basebackup'), '-h', $server->{host}, '-p', '5432', '-D',
    "$standby_data/data", '-R', '-c', 'fast', '-X', 'stream', '--no-sync');
my $standby = AnswerServer->new('standby', from => 1, conf => ['hot_standby = on']);
$standby->{dbname} = 'origin';
is($standby->value('SELECT pg_is_in_recovery()'), 't', 'there is a standby');
is($standby->value($_), $server->value($_), "it says the same: $_") for $explained, $digests,
    "SELECT count(*) FROM answer_plan_validate('$good')", invoked('echo', '{"q": "x"}');
is($standby->value(invoked('acts')), 'failed 25006', 'a tool that writes fails there');
my $other = simple('good', 'y');
is($standby->run("SELECT answer_plan_register('$other')")->{state}, '25006', 'plans are registered on the primary');
is($standby->run(q{SELECT answer_tool_register('x', 'echo(jsonb)', spec => '{}')})->{state}, '25006', 'and tools');
$standby->stop;

# the same in other encodings
my %letter = (LATIN1 => 'e4', EUC_JP => 'a4a2', SQL_ASCII => 'c3a4');
for my $encoding (sort keys %letter) {
    $server->value("CREATE DATABASE \"db_$encoding\" TEMPLATE template0 ENCODING '$encoding' LOCALE 'C'");
    my %there = (dbname => "db_$encoding");
    my $text = "convert_from(decode('$letter{$encoding}', 'hex'), '$encoding')";
    $server->value($_, %there) for 'CREATE EXTENSION answer_eval',
        'CREATE FUNCTION echo(args jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$ SELECT args $$',
        qq{SELECT answer_tool_register('echo' || $text, 'echo(jsonb)', options => jsonb_build_object('optional_args', '{q}'::text[]),
            spec => jsonb_build_object('deny_if', jsonb_build_array($text)))};
    is($server->value(qq{SELECT i ->> 'outcome' FROM answer_tool_invoke('echo' || $text,
        jsonb_build_object('q', 'a' || $text || 'b')) AS i}, %there), 'denied', "$encoding: a word is found");
    is($server->value(qq{SELECT (i -> 'result') = jsonb_build_object('q', 'ab') FROM answer_tool_invoke('echo' || $text,
        '{"q": "ab"}') AS i}, %there), 't', "$encoding: and nothing else");
    is($server->value(qq{SELECT answer_plan_register(jsonb_build_object('plan_id', $text, 'nodes', jsonb_build_array(
        jsonb_build_object('id', 'a', 'op', 'call', 'out', 'x', 'tool', 'echo' || $text)))) IS NOT NULL}, %there), 't',
        "$encoding: a plan with such a name");
    is($server->value(qq{SELECT answer_plan_explain(jsonb_build_object('plan',
        jsonb_build_object('ref', $text))) -> 'order'}, %there), '["a"]', "$encoding: is found by it");
    is($server->value('SELECT string_agg(detail, $$; $$) FROM answer_log_audit()', %there), '',
        "$encoding: the audit finds nothing");
}

done_testing();
