#!/usr/bin/env perl
# tiers: long
# Batches of requests beside other sessions: progress, cancels, changes and forgetting meanwhile, two batches at a time.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Test::More;

my $server = AnswerServer->new('each', extended => 1);
my ($sql, $other, $control) = map { $server->session } 1 .. 3;
$sql->value($_) for q{SELECT answer_source_register('a'), answer_source_register('b')},
    q{SELECT answer_tool_register('tide', required_args => '{port}', freshness => '36500 days', value_path => 'h')},
    q{SELECT count(answer_evidence_add('tide', jsonb_build_object('port', n), jsonb_build_object('h', n), s, '2026-01-01Z'))
        FROM generate_series(1, 100) AS n, unnest('{a,b}'::text[]) AS s},
    q{CREATE FUNCTION waits(args jsonb) RETURNS jsonb LANGUAGE sql AS $$SELECT '{"h": 1}'::jsonb
        FROM (SELECT pg_advisory_lock_shared((args ->> 'key')::int), pg_advisory_unlock_shared((args ->> 'key')::int)) AS w$$},
    q{SELECT answer_tool_register('waits', 'waits(jsonb)', required_args => '{key}', value_path => 'h')};

# Requests for a range of numbers; the port is the remainder of the number.
sub requests {
    my ($from, $to) = @_;
    return qq{(SELECT array_agg(jsonb_build_object('checks', jsonb_build_array(jsonb_build_object('id', 'n' || n,
        'tool', 'tide', 'args', jsonb_build_object('port', 1 + n % 100)))) ORDER BY n) FROM generate_series($from, $to) AS n)};
}
my $wait = sub { my ($key) = @_; return qq('{"checks": [{"tool": "waits", "args": {"key": $key}}], "deadline_ms": 60000}'::jsonb) };
my $waiting = q{SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND objid < 100};
my $receipts = q{SELECT count(*) FROM answer.receipt WHERE schema = 'answer/v1'};
my $unsealed = q{SELECT count(*) FROM answer.unsealed};

# Waits until a query gives true.
sub until_true {
    my ($query) = @_;
    for (1 .. 6000) {
        return 1 if $control->value("SELECT ($query)::bool") eq 't';
        AnswerServer::nap(0.02);
    }
    return 0;
}

#
# progress, while others work
#
{
    $other->value('SELECT pg_advisory_lock(7)');
    my $pid = $sql->backend;
    $sql->send('SELECT count(*), count(DISTINCT receipt ->> $$receipt_id$$), count(*) FILTER (WHERE receipt @? ' .
        q{'$.reproduce.evaluator.uncommitted') FROM answer_eval_each(} . requests(1, 600) . ' || ' . $wait->(7) . ' || ' .
        requests(601, 700) . ')');
    ok(until_true("($waiting) > 0"), 'a batch waits in a handler');
    is($control->value("SELECT pid = $pid, role, requests, done, refused, started_at < clock_timestamp()
        FROM answer.eval_progress"), 't|postgres|701|512|0|t', 'others see how far it is');
    $control->value('CREATE ROLE nobody LOGIN');
    $control->value($_) for 'GRANT USAGE ON SCHEMA answer TO nobody', 'GRANT SELECT ON answer.eval_progress TO nobody',
        'GRANT EXECUTE ON FUNCTION answer.eval_progress_rows() TO nobody';
    my $nobody = $server->session(user => 'nobody');
    is($nobody->value('SELECT count(*) FROM answer.eval_progress'), 0, 'who may not know of the session sees nothing');
    $control->value('GRANT pg_read_all_stats TO nobody');
    is($nobody->value('SELECT count(*) FROM answer.eval_progress'), 1, 'who may read all statistics does');
    is($control->value('SELECT count(*) FROM pg_stat_progress_copy'), 0, 'no view of the server takes it for its own');
    is($control->value($receipts), 0, 'nothing is stored yet that others could see');
    $control->value(q{SELECT answer_tool_register('tide', required_args => '{port}', freshness => '36500 days', value_path => 'h',
        options => jsonb_build_object('unit', 'm'), replace => true)});
    $other->value('SELECT pg_advisory_unlock(7)');
    my $result = $sql->wait;
    is($result->{out}, '701|701|0', 'then it goes on to its end, and a handler that wrote nothing is no reason to say that something was');
    is($control->value($receipts), 701, 'all are stored');
    is($control->value("SELECT count(*) FROM answer.receipt r, jsonb_each(body -> 'evidence_index') f WHERE f.value ->> 'unit' = 'm'"),
        0, 'one statement sees one state of the tools');
    is($control->value('SELECT count(*) FROM answer.eval_progress'), 0, 'and it is no longer under way');
    is($control->value("SELECT bool_and(answer_verify_ok(body)) FROM answer.receipt WHERE schema = 'answer/v1'"), 't', 'all verify');
}

#
# cancels
#
{
    my $before = $control->value($receipts);
    my $before_unsealed = $control->value($unsealed);
    my $pid = $sql->backend;
    for my $mode ('raise', 'skip') {
        $sql->send("SELECT count(*) FROM answer_eval_each(" . requests(1, 200_000) . ", '$mode')");
        ok(until_true('SELECT coalesce(max(done), 0) > 0 FROM answer.eval_progress'), "$mode: a long batch is under way");
        $control->value("SELECT pg_cancel_backend($pid)");
        is($sql->wait->{state}, '57014', "$mode: a cancel ends it");
        is($control->value($receipts), $before, "$mode: and nothing of it is stored");
        is($control->value('SELECT count(*) FROM answer.eval_progress'), 0, "$mode: nor under way");
    }
    $other->value('SELECT pg_advisory_lock(8)');
    $sql->send('SELECT count(*) FROM answer_eval_each(' . requests(1, 10) . ' || ' . $wait->(8) . q{, 'skip')});
    ok(until_true("($waiting) > 0"), 'one waits in a handler');
    $control->value("SELECT pg_cancel_backend($pid)");
    is($sql->wait->{state}, '57014', 'a cancel is no error of a request that is skipped');
    $other->value('SELECT pg_advisory_unlock(8)');
    is($control->value($unsealed), $before_unsealed, 'nothing is left for the log');
    is($sql->value('SELECT count(*) FROM answer_eval_each(' . requests(1, 100) . ')'), 100, 'the session goes on');
    is($sql->value(q{BEGIN; SAVEPOINT s; SELECT count(*) FROM answer_eval_each(} . requests(1, 5) .
        q{); ROLLBACK TO s; COMMIT}) =~ /5/, 1, 'in a savepoint that is rolled back');
    is($control->value($receipts), $before + 100, 'nothing is stored');
}

#
# other ways to end
#
{
    my $before = $control->value($receipts);
    $control->value('CREATE TABLE many AS SELECT ' . requests(1, 200_000) . ' AS requests');
    $sql->value(q{SET statement_timeout = '2s'});
    is($sql->run(q{SELECT count(*) FROM many, answer_eval_each(requests, 'skip')})->{state}, '57014', 'a timeout ends a batch');
    $sql->value('RESET statement_timeout');
    is($control->value($receipts), $before, 'and nothing of it is stored');
    my $victim = $server->session;
    my $pid = $victim->backend;
    $victim->send(q{SELECT count(*) FROM many, answer_eval_each(requests, 'skip')});
    ok(until_true('SELECT coalesce(max(done), 0) > 0 FROM answer.eval_progress'), 'another batch is under way');
    $control->value("SELECT pg_terminate_backend($pid)");
    isnt($victim->wait->{state}, '00000', 'its session is terminated');
    ok(until_true("SELECT count(*) = 0 FROM pg_stat_activity WHERE pid = $pid"), 'and goes');
    is($control->value($receipts) . ' ' . $control->value('SELECT count(*) FROM answer.eval_progress'), "$before 0",
        'nothing of it is stored, nor under way');
}

#
# memory
#
SKIP: {
    my $many = by_tier(3_000, 3_000, 10_000);
    my $pid = $sql->backend;
    skip('no /proc here', 2) if !-r "/proc/$pid/status";
    my $kilobytes = sub { return slurp("/proc/$pid/status") =~ /^RssAnon:\s+(\d+)/m ? $1 : 0 };
    $sql->send("SELECT count(*) FROM answer_eval_each(" . requests(1, $many) . ", 'skip')");
    my ($early, $late, $done) = (0, 0, 0);
    while (($done = $control->value('SELECT coalesce(max(done), -1) FROM answer.eval_progress')) >= 0 || !$early) {
        my $now = $kilobytes->();
        $early = $now if $done >= $many / 4 && !$early;
        $late = $now if $early && $done > 0;
        last if $done < 0 && $early;
        AnswerServer::nap(0.02);
    }
    is($sql->wait->{out}, $many, 'a large batch');
    cmp_ok($late, '<', $early + 6_000, "takes no more memory as it goes on ($early kB, then $late kB)");
}

#
# forgetting meanwhile
#
{
    $other->value('SELECT pg_advisory_lock(9)');
    $sql->send(q{SELECT string_agg(coalesce(error ->> 'sqlstate', receipt ->> 'verdict'), ' ' ORDER BY ordinal)
        FROM answer_eval_each(} . requests(40, 42) . ' || ' . $wait->(9) . q{, 'skip')});
    ok(until_true("($waiting) > 0"), 'a batch has read its readings');
    $control->value(q{SELECT answer_forget(digest, 'a test') FROM answer.evidence WHERE args = '{"port": 42}'});
    $other->value('SELECT pg_advisory_unlock(9)');
    is($sql->wait->{out}, 'evidenced 23001 evidenced evidenced', 'what was forgotten meanwhile is refused, and nothing else');
    is($control->value(q{SELECT count(*) FROM answer.receipt WHERE body @? '$.checks[*].args ? (@.port == 42)'}), 0, 'and in no receipt');
}

#
# two at a time
#
{
    my $before = $control->value($receipts);
    $sql->send('SELECT count(*) FROM answer_eval_each(' . requests(1001, 2000) . ", 'skip')");
    $other->send('SELECT count(*) FROM answer_eval_each(' . requests(2001, 3000) . ", 'skip')");
    is(join(' ', map { $_->wait->{out} } $sql, $other), '1000 1000', 'two batches at a time');
    is($control->value($receipts), $before + 2000, 'store all');
    $control->value('SELECT answer_log_seal()');
    is($control->value(q{SELECT coalesce(string_agg(DISTINCT a.finding::text, ' '), 'nothing') FROM answer_log_audit() a}), 'forgotten',
        'the audit finds what was forgotten, and nothing else');
}
done_testing();
