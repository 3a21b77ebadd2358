#!/usr/bin/env perl
# tiers: long
# Untrusted input has limits: the memory of a call, the text of a failure, the anchors of a receipt. And nobody who waits
# makes everybody wait.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Test::More;

my $server = AnswerServer->new('limits', conf => ['max_prepared_transactions = 5', 'jit = off', 'max_parallel_workers_per_gather = 0'], extended => 1);
$server->value($_) for (
    q{SELECT answer_source_register('file')},
    q{SELECT answer_tool_register('person', required_args => '{id}', value_path => 'name', freshness => '36500 days')},
);

#
# memory: the peak for the worst documents, as a multiple of the input
#
SKIP: {
    skip 'no /proc/self/status with VmHWM here', 1 unless -r '/proc/self/status' && slurp('/proc/self/status') =~ /^VmHWM:/m;
    my $documents = sub {
        return (
            'of digits' => sprintf(q{'[' || repeat('1,', %d) || '1]'}, $_[0] / 2),
            'of arrays' => sprintf(q{'[' || repeat('[1],', %d) || '1]'}, $_[0] / 4),
            'of empty arrays' => sprintf(q{'[' || repeat('[],', %d) || '1]'}, $_[0] / 3),
            'of objects' => sprintf(q{'[' || repeat('{"":1},', %d) || '1]'}, $_[0] / 7),
            'of one member again and again' => sprintf(q{'{' || repeat('"":1,', %d) || '"":1}'}, $_[0] / 5),
            'of escapes' => sprintf(q{'[' || repeat('"\n",', %d) || '1]'}, $_[0] / 5),
        );
    };
    my $peak = sub {
        my ($session) = @_;
        my ($kb) = slurp('/proc/' . $session->backend . '/status') =~ /^VmHWM:\s*(\d+)/m;
        return $kb * 1024;
    };
    # what a call adds to a backend that already holds the input and has run the same call with a tiny one
    my $factor = sub {
        my ($type, $made, $call) = @_;
        $server->value($_) for ('DROP TABLE IF EXISTS input', "CREATE TABLE input (x $type)", 'ALTER TABLE input ALTER x SET STORAGE EXTERNAL',
            "INSERT INTO input SELECT ($made)::$type");
        my $bytes = $server->value('SELECT pg_column_size(x) FROM input');
        my $session = $server->session;
        $session->value("SELECT length(($call)::text) FROM (SELECT '[]'::$type AS x) i");
        $session->value("SELECT length(x::text) FROM input") if $type eq 'text';
        my $before = $peak->($session);
        $session->value("SELECT length(($call)::text) FROM input");
        my $after = $peak->($session);
        $session->close;
        return ($after - $before) / $bytes;
    };
    my %text = $documents->(by_tier(1_000_000, 1_000_000, 4_000_000));
    for my $what (sort keys %text) {
        for my $call ('answer_digest(x)', 'answer_canonical(x)', q{answer_verify(x, '{}')}, 'answer_replay(x)', 'answer_anchor_verify(x)') {
            my $times = $factor->('text', $text{$what}, $call);
            cmp_ok($times, '<', 28, sprintf('%s %s: %.1f times the input', $call, $what, $times));
        }
    }
    my %jsonb = (
        'answer_digest(x)' => 8, 'answer_canonical(x)' => 8, q{answer_verify(x, '{}')} => 8, 'answer_replay(x)' => 8,
        q{answer.operator('eq', x, '1')} => 8, q{answer.operator('contains', x, '"a"')} => 8, 'answer.portable(x)' => 48,
        q{answer_log_verify(x, x, '{}')} => 8, 'answer.route_replay(x, x)' => 8,
    );
    %text = $documents->(1_000_000);
    for my $what ('of digits', 'of empty arrays', 'of objects') {
        for my $call (sort keys %jsonb) {
            my $times = $factor->('jsonb', $text{$what}, $call);
            cmp_ok($times, '<', $jsonb{$call}, sprintf('%s %s, as jsonb: %.1f times the input', $call, $what, $times));
        }
    }
    $server->value('DROP TABLE input');
}

#
# texts of failures
#
$server->value($_) for (
    q{CREATE FUNCTION talker(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION USING message = repeat(args ->> 'what', (args ->> 'n')::int), detail = repeat('d', 1000000); END $$},
    q{CREATE FUNCTION teller(args jsonb) RETURNS jsonb LANGUAGE sql AS $$ SELECT to_jsonb(repeat('x', (args ->> 'n')::int)) $$},
    q{SELECT answer_tool_register('talker', 'talker(jsonb)', options => jsonb_build_object('source', 'file'), required_args => '{what,n}'),
        answer_tool_register('teller', 'teller(jsonb)', options => jsonb_build_object('source', 'file'), required_args => '{n}')},
);
my $asked = sub {
    my ($tool, $args, $more) = @_;
    return $server->value(sprintf q{SELECT r #>> '{checks,0,explain,sqlstate}', r #>> '{checks,0,verdict}', octet_length(r #>> '{checks,0,explain,message}'),
        right(r #>> '{checks,0,explain,message}', 30), answer_verify_ok(r) FROM (SELECT answer_eval('{"checks": [{"tool": "%s", "args": %s}]}') r OFFSET 0) x},
        $tool, $args);
};
is($asked->('talker', '{"what": "x", "n": 1000}'), 'P0001|evidence_unavailable|1000|' . 'x' x 30 . '|t', 'a message of 1000 bytes is kept');
is($asked->('talker', '{"what": "x", "n": 1001}'), 'P0001|evidence_unavailable|1028|xx... (cut: 1001 bytes in all)|t', 'a longer one is cut, and says so');
is($asked->('talker', '{"what": "x", "n": 20000000}'), 'P0001|evidence_unavailable|1032|. (cut: 20000000 bytes in all)|t', 'so is one of 20 MB');
is($server->value(q{SELECT r #>> '{checks,0,explain,message}' LIKE repeat('é', 500) || '... (cut: %' FROM (SELECT answer_eval('{"checks": [{"tool": "talker", "args": {"what": "é", "n": 1001}}]}') r OFFSET 0) x}),
    't', 'and between two characters');
my $failed = $server->run(q{SELECT answer_fact('talker', '{"what": "x", "n": 20000000}')});
is($failed->{state}, 'P0001', 'a fact that is asked for alone fails as its tool');
cmp_ok(length $failed->{err}, '<', 2000, 'in as few words');
like($asked->('teller', '{"n": 4194305}'), qr/^54000\|evidence_unavailable\|\d+\|.*4194304\|t$/, 'a result that is too large is its tool\'s failure');
is($server->value(q{SELECT answer_eval('{"checks": [{"tool": "teller", "args": {"n": 4000000}}]}') #>> '{checks,0,verdict}'}), 'value', 'one that is not is taken');
$failed = $server->run(sprintf q{SELECT answer_eval('{"checks": [%s]}')}, join(', ', map { sprintf '{"tool": "teller", "args": {"n": %d}}', 4_000_000 + $_ } 1 .. 5));
is($failed->{state}, '54000', 'a receipt that nobody could verify as text is not minted') or diag($failed->{err});
is($server->value('SELECT count(*) FROM answer.receipt WHERE NOT answer_verify_ok(body::text)'), 0, 'all that were minted verify as text');

#
# an answer_forget that waits
#
sub add { my ($id) = @_; return qq<answer_evidence_add('person', '{"id": $id}', '{"name": "Person $id"}', 'file', '2026-01-02Z')> }
sub asks { my ($id) = @_; return qq<answer_eval('{"checks": [{"tool": "person", "args": {"id": $id}}]}')> }
sub forget { my ($target) = @_; return "answer_forget('$target', 'asked to')" }

# Waits until a session waits for another one's lock.
sub blocked {
    my ($session) = @_;
    my $pid = $session->{backend} or die 'the backend must be known before';
    for (1 .. 2400) {
        return 1 if $server->value("SELECT cardinality(pg_blocking_pids($pid)) > 0") eq 't';
        AnswerServer::nap(0.05);
    }
    return 0;
}

sub session { my $session = $server->session(@_); $session->backend; return $session }

for my $level ('read committed', 'repeatable read', 'serializable') {
    my ($idle, $eraser, $writer) = map { session(setup => ["SET default_transaction_isolation = '$level'"]) } 1 .. 3;
    my $digest = $server->value('SELECT ' . add(1));
    $idle->value('BEGIN');
    $idle->value('SELECT ' . asks(1));
    $eraser->send('SELECT ' . forget($digest));
    ok(blocked($eraser), "$level: answer_forget waits for a session that stored a receipt and sits idle");
    # deterministic: nothing ends the idle session's transaction before these are done
    for my $n (1 .. 5) {
        my $result = $writer->run('SELECT ' . asks(2) . q{ ->> 'verdict'});
        is($result->{state}, '00000', "$level: meanwhile receipts are stored: $n") or diag($result->{err});
    }
    is($writer->run('SELECT ' . add(100))->{state}, '00000', "$level: and readings");
    ok(blocked($eraser), "$level: it still waits");
    $idle->value('COMMIT');
    my $result = $eraser->wait;
    # if the isolation level itself finds a conflict, nothing is forgotten; a second call forgets
    if ($level eq 'serializable' && $result->{state} eq '40001') {
        $result = $eraser->run('SELECT ' . forget($digest));
    }
    is($result->{state}, '00000', "$level: then it forgets") or diag($result->{err});
    is($server->value('SELECT jsonb_array_length(a -> ' . q{'receipts') FROM (SELECT } . quoted($result->{out}) . '::jsonb a) x'), 1, "$level: what the idle session had stored as well");
    is($server->value(q{SELECT count(*) FROM answer.receipt WHERE body::text LIKE '%Person 1"%'}), 0, "$level: nothing is left");
    $_->close for $idle, $eraser, $writer;
    $server->value($_) for ('ALTER TABLE answer.tombstone DISABLE TRIGGER ALL', "DELETE FROM answer.tombstone WHERE digest = '$digest'", 'ALTER TABLE answer.tombstone ENABLE TRIGGER ALL');
}
# its wait can be limited and cancelled, and views show what it waits for
{
    my $digest = $server->value('SELECT ' . add(3));
    my ($idle, $eraser, $other) = map { session() } 1 .. 3;
    $idle->value('BEGIN');
    $idle->value('SELECT ' . asks(3));
    is($eraser->run("SET lock_timeout = '300ms'; SELECT " . forget($digest))->{state}, '55P03', 'lock_timeout bounds its waiting');
    is($eraser->run("SET lock_timeout = '100ms'; SELECT " . forget($digest))->{state}, '55P03', 'however short');
    $eraser->value('RESET lock_timeout');
    $eraser->send('SELECT ' . forget($digest));
    ok(blocked($eraser), 'it waits');
    is($server->value("SELECT pg_blocking_pids($eraser->{backend}) = ARRAY[$idle->{backend}]"), 't', 'and says for whom');
    is($server->value("SELECT count(*) FROM pg_locks WHERE relation = 'answer.tombstone'::regclass AND NOT granted"), 0, 'in no queue for the table');
    $server->value("SELECT pg_cancel_backend($eraser->{backend})");
    is($eraser->wait->{state}, '57014', 'it can be cancelled');
    # two sessions that have stored a receipt themselves
    $other->value('BEGIN');
    $other->value('SELECT ' . asks(2));
    $other->send('SELECT ' . forget($digest));
    ok(blocked($other), 'it waits also within a transaction that has stored a receipt');
    $idle->send('SELECT ' . forget($digest));
    my @states = sort map { $_->wait->{state} } $idle, $other;
    is("@states", '00000 40P01', 'of two that wait for each other one is told so');
    $_->run('ROLLBACK') for $idle, $other;
    $_->close for $idle, $eraser, $other;
}
# writers that come one after another, so that there is never a moment without one
{
    my $digest = $server->value('SELECT ' . add(4));
    my ($eraser, @chain) = map { session() } 1 .. 3;
    $chain[0]->value('BEGIN');
    $chain[0]->value('SELECT ' . asks(4));
    $eraser->send('SELECT ' . forget($digest));
    ok(blocked($eraser), 'it waits for the first');
    for my $n (1 .. 4) {
        my ($old, $new) = @chain[($n + 1) % 2, $n % 2];
        $new->value('BEGIN');
        my $result = $new->run('SELECT ' . asks(2));
        is($result->{state}, '00000', "another one comes: $n") or diag($result->{err});
        $old->value('COMMIT');
        ok(blocked($eraser), 'and is waited for');
    }
    $_->run('COMMIT') for @chain;
    is($eraser->wait->{state}, '00000', 'in the end it forgets');
    $_->close for $eraser, @chain;
}

ok(!$server->crashed, 'the server never crashed');
done_testing();
