#!/usr/bin/env perl
# tiers: test long
# Forgetting, changing a key and ending a retrieval take their locks in the same order, so that no two of them can deadlock,
# at whatever point the other one begins.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Test::More;

my $server = AnswerServer->new('lock_order', conf => ['jit = off', q{deadlock_timeout = '100ms'}], extended => 1);
my $sql = $server->session;
my ($in_between, $one, $other) = map { $server->session } 1 .. 3;
my $findings = q{SELECT coalesce(string_agg(format('%s: %s', finding, detail), chr(10) ORDER BY finding, detail), '')
    FROM answer_log_audit() WHERE finding <> 'forgotten'};
my $load = q{SELECT answer_document_load('[{"doc_id": "guide", "title": "Guide", "timestamp": "2024-01-01", "text": "A kettle boils one litre in %d minutes."}]')};
my $minutes = 2;

$sql->value($_) for 'SET client_min_messages = warning', 'SELECT answer_key_generate()', q{SELECT answer_source_register('a', 'group a')},
    q{SELECT answer_tool_register('rate', NULL, '{currency}', '1 day', 'rate')},
    # a judge that is asked during the second half of a retrieval, and waits
    q{CREATE FUNCTION slow(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$ BEGIN
        PERFORM pg_advisory_xact_lock_shared(7);
        RETURN jsonb_build_object('judgements', (SELECT jsonb_agg(jsonb_build_object('id', p -> 'id', 'relation', 'supports', 'score', 0.9)) FROM jsonb_array_elements(args -> 'pairs') AS p));
    END $$},
    q{SELECT answer_judge_register('slow', '{"kinds": ["entailment"], "model": "m", "version": "1", "handler": "slow", "deadline_ms": 60000}')};

# Waits until a session waits for a lock.
sub waits {
    my ($session) = @_;
    my $pid = $session->backend;
    for (1 .. 600) {
        return 1 if $sql->value("SELECT count(*) FROM pg_locks WHERE pid = $pid AND NOT granted") > 0;
        AnswerServer::nap(0.05);
    }
    return 0;
}
# One session waits for a lock between two of its own locks; another session begins; the lock is released.
sub meet {
    my ($what, $hold, $first, $release, $second) = @_;
    $_->backend for $one, $other;
    $in_between->value($_) for @$hold;
    $one->send($first);
    ok(waits($one), "$what: the first is in the middle");
    $other->send($second);
    ok(waits($other), "$what: the second waits") or diag($second);
    AnswerServer::nap(0.3);
    $in_between->value($_) for @$release;
    my @results = map { $_->wait } $one, $other;
    is(join(' ', map { $_->{state} } @results), '00000 00000', "$what: both are done") or diag(join "\n", map { $_->{err} } @results);
    is($sql->value($findings), '', "$what: nothing is found");
    return;
}

for my $target ('a reading', 'a document') {
    my $id = $target eq 'a reading' ? $sql->value(q{SELECT answer_evidence_add('rate', '{"currency": "EUR"}', '{"rate": 1}', 'a')}) : 'guide';
    $sql->value(sprintf($load, $minutes++));
    meet("a rotation of the key, and $target that is forgotten", ['BEGIN', 'SELECT FROM answer.signing_key FOR UPDATE'], 'SELECT answer_key_generate()', ['COMMIT'], "SELECT answer_forget('$id', 'asked for')");
}

$sql->value(sprintf($load, $minutes));
my $id = $sql->value(q{SELECT answer_retrieve('How long does a kettle take to boil one litre?', '{"config": {"min_chunks": 1, "judge_entailment": "slow"}}') ->> 'retrieval_id'});
meet('the second half of a retrieval, and its document that is forgotten', ['SELECT pg_advisory_lock(7)'],
    qq{SELECT answer_grounded('How long does a kettle take to boil one litre?', '{"answer": "A kettle boils one litre in $minutes minutes.", "citations": ["guide#p0"], "retrieval_id": "$id"}')},
    ['SELECT pg_advisory_unlock(7)'], q{SELECT answer_forget('guide', 'asked for')});
$_->close for $sql, $in_between, $one, $other;
ok(!$server->crashed, 'the server never crashed');
done_testing();
