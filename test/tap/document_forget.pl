#!/usr/bin/env perl
# tiers: test
# Forgetting beside everything else that happens at the same time, and in copies: what is forgotten stays forgotten.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Test::More;

# workers search the receipts, few though they are
my $server = AnswerServer->new('forget', conf => ['parallel_setup_cost = 0', 'parallel_tuple_cost = 0',
    'max_parallel_workers_per_gather = 2', 'max_prepared_transactions = 5'], extended => 1);
$server->value('CREATE DATABASE origin TEMPLATE postgres');
$server->{dbname} = 'origin';
$server->value($_) for (
    q{SELECT answer_source_register('file')},
    q{SELECT answer_tool_register('person', required_args => '{id}', value_path => 'name', freshness => '36500 days')},
    # a tool that runs until another session releases its lock
    q{CREATE FUNCTION waits(args jsonb) RETURNS jsonb LANGUAGE plpgsql
        AS $$ BEGIN PERFORM pg_advisory_xact_lock(1); RETURN '1'; END $$},
    q{SELECT answer_tool_register('waits', 'waits(jsonb)', options => jsonb_build_object('source', 'file'))},
);

sub add {
    my ($id) = @_;
    return qq<answer_evidence_add('person', '{"id": $id}', '{"name": "Secret person $id"}', 'file', '2026-01-02Z')>;
}

sub asks {
    my ($id, @more) = @_;
    return sprintf q<answer_eval('{"checks": [%s]}')>, join(', ', qq<{"tool": "person", "args": {"id": $id}}>, @more);
}

sub forget { my ($target) = @_; return "answer_forget('$target', 'asked to')" }

# The receipts and readings in an answer of answer_forget.
sub forgotten {
    my ($answer) = @_;
    return $server->value("SELECT jsonb_array_length(a -> 'receipts') || ' receipts, ' ||
        jsonb_array_length(a -> 'readings') || ' readings' FROM (SELECT " . quoted($answer) . '::jsonb a) x');
}

# Waits until a session waits for a lock.
sub blocked {
    my ($session) = @_;
    my $pid = $session->{backend} or die 'the backend must be known before';
    for (1 .. 2400) {
        return 1 if $server->value("SELECT cardinality(pg_blocking_pids($pid)) > 0") eq 't';
        nap(0.05);
    }
    return 0;
}

sub session {
    my (%options) = @_;
    my $session = $server->borrow(%options);
    $session->backend;
    return $session;
}
my $mentions = sub {
    my ($id) = @_;
    return $server->value('SELECT ' . join ' + ', map { "(SELECT count(*) FROM answer.$_ t WHERE t::text LIKE '%Secret person $id\"%')" }
        qw(receipt evidence evidence_series tombstone unsealed));
};

#
# a receipt that is not committed yet
#
{
    my $digest = $server->value('SELECT ' . add(1));
    $server->value('SELECT ' . asks(1));
    my ($writer, $eraser, $other) = map { session() } 1 .. 3;
    $writer->value('BEGIN');
    $writer->value('SELECT ' . asks(1, '{"tool": "none"}'));
    $eraser->send('BEGIN; SELECT ' . forget($digest));
    ok(blocked($eraser), 'forgetting waits for a receipt that is not committed');
    $writer->value('COMMIT');
    my $result = $eraser->wait;
    is(forgotten($result->{out}), '2 receipts, 1 readings', 'and forgets it with the others');
    # meanwhile others wait, and then find the tombstone or their own evidence
    $other->send('SELECT ' . asks(1) . q{ ->> 'verdict'});
    ok(blocked($other), 'who stores a receipt waits for the forgetting');
    $eraser->value('COMMIT');
    $result = $other->wait;
    is($result->{state}, '23001', 'and is refused, having read what was forgotten') or diag($result->{out});
    like($result->{err}, qr/\Q$digest\E.*ask again/s, 'the message names the reading, the hint says what to do');
    is($other->value('SELECT ' . asks(1) . q{ ->> 'verdict'}), 'insufficient_evidence', 'who asks again finds no reading');
    is($mentions->(1), 0, 'nothing of it is left');
    $server->give_back($_) for $writer, $eraser, $other;
}

#
# a request that has read, but not stored yet
#
{
    my $digest = $server->value('SELECT ' . add(3));
    my ($holder, $writer) = map { session() } 1 .. 2;
    $holder->value('SELECT pg_advisory_lock(1)');
    $writer->send('SELECT ' . asks(3, '{"tool": "waits"}'));
    ok(blocked($writer), 'a request is under way, its reading read');
    is(forgotten($server->value('SELECT ' . forget($digest))), '0 receipts, 1 readings', 'the reading is forgotten');
    $holder->value('SELECT pg_advisory_unlock(1)');
    is($writer->wait->{state}, '23001', 'the receipt is refused');
    is($mentions->(3), 0, 'nothing of it is left');
    $server->give_back($_) for $holder, $writer;
}

#
# an envelope made under a snapshot from before the receipt was forgotten
#
{
    my $id = $server->value('SELECT ' . asks(2) . q{ ->> 'receipt_id'});
    my $reader = session();
    $reader->value('BEGIN ISOLATION LEVEL REPEATABLE READ');
    is($reader->value("SELECT answer_dsse('$id') ? 'payload'"), 't', 'a receipt goes into an envelope');
    $server->value('SELECT ' . forget($id));
    is($reader->run("SELECT answer_dsse('$id')")->{state}, '55000', 'but not once it is forgotten, however old the snapshot');
    $server->give_back($reader);
}

#
# snapshots that are older than the forgetting
#
for my $level ('read committed', 'repeatable read', 'serializable') {
    my $digest = $server->value('SELECT ' . add(4));
    my ($reader, $recorder) = map { session(setup => ["SET default_transaction_isolation = '$level'"]) } 1 .. 2;
    for ($reader, $recorder) {
        $_->value('BEGIN');
        $_->value('SELECT count(*) FROM answer.evidence');
    }
    $server->value('SELECT ' . forget($digest));
    my $result = $reader->run('SELECT ' . asks(4) . q{ ->> 'verdict'});
    is("$result->{state} $result->{out}", '00000 insufficient_evidence', "$level: what an older snapshot still shows is not found");
    is($recorder->run('SELECT ' . add(4))->{state}, '23001', "$level: nor is the reading recorded again");
    $_->value('ROLLBACK') for $reader, $recorder;
    $server->give_back($_) for $reader, $recorder;
    is($mentions->(4), 0, "$level: nothing of it is left");
    # so that it can be recorded for the next round
    $server->value($_) for ('ALTER TABLE answer.tombstone DISABLE TRIGGER ALL', "DELETE FROM answer.tombstone WHERE digest = '$digest'",
        'ALTER TABLE answer.tombstone ENABLE TRIGGER ALL');
}
# and a call of answer_forget whose own snapshot is older
{
    my $digest = $server->value('SELECT ' . add(5));
    my $eraser = session(setup => [q{SET default_transaction_isolation = 'repeatable read'}]);
    $eraser->value('BEGIN');
    $eraser->value('SELECT count(*) FROM answer.receipt');
    $server->value('SELECT ' . asks(5)) for 1 .. 2;
    is(forgotten($eraser->value('SELECT ' . forget($digest))), '2 receipts, 1 readings',
        'an older snapshot of its own hides nothing from it');
    $eraser->value('COMMIT');
    is($mentions->(5), 0, 'nothing of it is left');
    $server->give_back($eraser);
}
# of a document: what was judged, found and remembered since, and a plan with its trace
$server->value($_) for (
    q{CREATE ROLE forget_people},
    q{SELECT answer_judge_register('forget.people', '{"kinds": ["conflict"], "model": "people", "version": "1",
        "role": "forget_people"}')},
    q{CREATE FUNCTION brings(args jsonb) RETURNS jsonb LANGUAGE sql AS $$ SELECT jsonb_build_object('evidence', args -> 'evidence') $$},
    q{SELECT answer_tool_register('brings', 'brings(jsonb)', spec => '{"io": {"input": {"evidence": {}},
        "output": {"evidence": "Evidence"}}}')},
    q{SELECT answer_memory_policy('', '', true)});
for my $level ('repeatable read', 'serializable') {
    my $doc = $level =~ s/ /-/r;
    $server->value(qq{SELECT answer_document_load('[{"doc_id": "$doc", "title": "Ladders", "timestamp": "2024-01-01",
        "url": "https://a.example/$doc", "text": "The ladder of $doc is blue."}]')});
    my $eraser = session(setup => ["SET default_transaction_isolation = '$level'"]);
    $eraser->value('BEGIN');
    $eraser->value('SELECT count(*) FROM answer.receipt');
    is($server->value(qq{SELECT answer_judgement_add(jsonb_build_array(jsonb_build_object('kind', 'conflict', 'a', E'Ladders\nThe ladder of $doc is blue.',
        'b', 'No ladder is blue.', 'relation', 'contradicts', 'score', 0.9, 'judge', 'forget.people')))}), 1, "$level: something is judged");
    $server->value("SELECT answer_retrieve('What colour has the ladder of $doc?')");
    is($server->value(qq{SELECT answer_plan_execute('{"vars": {"evidence": {"claims": ["c"], "supports": [{"claim": "c",
        "source": "https://a.example/$doc", "confidence": 0.95, "snippet": "Blue."}]}}, "plan": {"plan_id": "keeps", "edges": [["a", "b"]],
        "nodes": [{"id": "a", "op": "call", "tool": "brings", "args": {"evidence": "\$INPUT.evidence"}, "out": "p"},
        {"id": "b", "op": "mem.write", "args": {"key": "$doc", "value": {"n": "$doc"}, "provenance": "\$p"}}]}}') ->> 'verdict'}), 'answered',
        'a plan remembers');
    my $rows = q{SELECT (SELECT count(*) FROM answer.judgement) || ' ' || (SELECT count(*) FROM answer.retrieval) || ' ' ||
        (SELECT count(*) FROM answer.memory_entry) || ' ' || (SELECT count(*) FROM answer.plan_event)};
    is($server->value($rows), '1 1 1 2', 'and all of it is stored');
    $eraser->value("SELECT answer_forget('$doc', 'asked to')");
    $eraser->value('COMMIT');
    is($server->value($rows), '0 0 0 0', "$level: an older snapshot of its own hides nothing of a document");
    $server->give_back($eraser);
}
is($server->value(q{SELECT count(*) FROM answer_log_audit() WHERE detail ~ '^memory '}), 0, 'and the log knows what is not remembered any more');
# an answer from another document with the same passage, which a judge has contradicted since the snapshot
{
    $server->value($_) for (
        q{SELECT answer_judge_register('forget.readers', '{"kinds": ["entailment"], "model": "people", "version": "1", "role": "forget_people"}')},
        map { qq{SELECT answer_document_load('[{"doc_id": "$_", "title": "Ropes", "timestamp": "2026-01-01", "text": "The long rope is red."}]')} } qw(rope-a rope-b));
    is($server->value(q{SELECT answer_grounded('What colour is the long rope?', '{"answer": "The long rope is blue. [1]", "citations": ["rope-b#p0"],
        "config": {"judge_entailment": "forget.readers"}}') -> 'to_judge' #>> '{0,kind}'}), 'entailment', 'an answer is to be judged');
    my $eraser = session(setup => [q{SET default_transaction_isolation = 'repeatable read'}]);
    $eraser->value($_) for 'BEGIN', 'SELECT count(*) FROM answer.receipt';
    is($server->value(q{SELECT answer_judgement_add(jsonb_agg(jsonb_build_object('pair', pair, 'relation', 'contradicts', 'score', 0.9,
        'judge', 'forget.readers'))) FROM answer_judge_pending('forget.readers', 10)}), 1, 'and is contradicted');
    my $corrected = q{SELECT count(*) FROM answer.rollup_correction WHERE contradicted};
    is($server->value($corrected), 1, 'which the roll-up corrects');
    is($eraser->run(q{SELECT answer_forget('rope-a', 'asked to')})->{state}, '40001', 'what was counted since cannot be corrected under an older snapshot');
    $eraser->value('ROLLBACK');
    is($eraser->run(q{SELECT answer_forget('rope-a', 'asked to')})->{state}, '00000', 'and can the next time');
    is($server->value($corrected), 0, 'so the answer is no longer counted as contradicted');
    is($server->value(q{SELECT count(*) FROM answer_log_audit() WHERE detail ~ 'roll-up'}), 0, 'and the audit agrees');
    $server->give_back($eraser);
}

#
# a reading that is being recorded, and a prepared transaction
#
{
    my $digest = $server->value('SELECT ' . add(6));
    my ($writer, $eraser) = map { session() } 1 .. 2;
    $writer->value('BEGIN');
    $writer->value('SELECT ' . asks(6));
    $writer->value(q{PREPARE TRANSACTION 'receipt'});
    $eraser->send('SELECT ' . forget($digest));
    ok(blocked($eraser), 'forgetting waits for a prepared transaction');
    $writer->value(q{COMMIT PREPARED 'receipt'});
    is(forgotten($eraser->wait->{out}), '1 receipts, 1 readings', 'and forgets its receipt');

    $digest = $server->value('SELECT ' . add(7));
    my $id = $server->value('SELECT ' . asks(7) . q{ ->> 'receipt_id'});
    my $fact = $server->value("SELECT jsonb_object_keys(answer_receipt('$id') -> 'evidence_index')");
    $server->value("DELETE FROM answer.evidence WHERE digest = '$digest'");
    $writer->value('BEGIN');
    $writer->value('SELECT ' . add(7));
    $eraser->send('SELECT ' . forget($fact));
    ok(blocked($eraser), 'forgetting waits for a reading that is being recorded');
    $writer->value('COMMIT');
    is(forgotten($eraser->wait->{out}), '1 receipts, 1 readings', 'and forgets it');
    is($mentions->(7), 0, 'nothing of it is left');
    $server->give_back($_) for $writer, $eraser;
}

#
# calls of answer_forget against each other
#
{
    my $digest = $server->value('SELECT ' . add(8));
    my @ids = map { $server->value('SELECT ' . asks(8) . q{ ->> 'receipt_id'}) } 1 .. 3;
    my ($first, $second, $third) = map { session() } 1 .. 3;
    $first->value('BEGIN');
    my $answer = $first->value('SELECT ' . forget($ids[0]));
    $second->send('SELECT ' . forget($ids[0]));
    $third->send('SELECT ' . forget($digest));
    ok(blocked($second) && blocked($third), 'one receipt at a time, and its evidence after it');
    $first->value('COMMIT');
    is($second->wait->{out}, $answer, 'the second one is told what the first did');
    is(forgotten($third->wait->{out}), '2 receipts, 1 readings', 'the evidence goes with the two others');
    $first->value('BEGIN');
    $first->value('SELECT ' . forget($server->value('SELECT ' . add(9))));
    $second->send('SELECT ' . forget($digest));
    ok(blocked($second), 'evidence is forgotten by one after another');
    $first->value('COMMIT');
    is($second->wait->{state}, '00000', 'and again is no error');
    is($server->value("SELECT count(*) || ' ' || count(DISTINCT receipt_id) FROM answer.tombstone WHERE receipt_id = ANY ('{"
        . join(',', @ids) . "}')"), '3 3', 'each receipt has one tombstone');
    $server->give_back($_) for $first, $second, $third;
}
# sessions that mint, record and forget the same few things without end
{
    $server->value($_) for (
        q{CREATE PROCEDURE turmoil(n int) LANGUAGE plpgsql AS $$
            DECLARE
                person text;
                digest text;
            BEGIN
                FOR i IN 1 .. n LOOP
                    person := (1000 + (random() * 5)::int + i / 10 * 10)::text;
                    BEGIN
                        digest := answer_evidence_add('person', format('{"id": %s}', person)::jsonb,
                            format('{"name": "Secret person %s"}', person)::jsonb, 'file', '2026-01-02Z');
                        PERFORM answer_eval(format('{"checks": [{"tool": "person", "args": {"id": %s}}]}', person)::jsonb);
                        -- with what it has stored itself not committed: two such ones wait for each other
                        IF random() < 0.03 THEN
                            PERFORM answer_forget(digest, 'turmoil');
                        END IF;
                    EXCEPTION WHEN restrict_violation OR deadlock_detected THEN
                        NULL;
                    END;
                    COMMIT;
                    BEGIN
                        IF random() < 0.3 THEN
                            PERFORM answer_forget(digest, 'turmoil');
                        END IF;
                    EXCEPTION WHEN no_data_found OR deadlock_detected THEN
                        NULL;
                    END;
                    COMMIT;
                END LOOP;
            END $$});
    my @sessions = map { session() } 1 .. 6;
    $sessions[$_]->value(seed($_)) for 0 .. $#sessions;
    $_->send('CALL turmoil(60)') for @sessions;
    my @states = map { $_->wait->{state} } @sessions;
    is("@states", join(' ', ('00000') x 6), 'six sessions record, ask and forget the same');
    $server->give_back($_) for @sessions;
    cmp_ok($server->value(q{SELECT count(*) FROM answer.tombstone WHERE reason = 'turmoil' AND receipt_id IS NULL}), '>', 5,
        'much is forgotten');
    is($server->value(q{SELECT count(*) FROM answer.tombstone t JOIN answer.evidence e USING (digest)}), 0,
        'no reading that was forgotten is there');
    is($server->value(q{SELECT count(*) FROM answer.tombstone t JOIN answer.receipt r
        ON jsonb_path_exists(r.body, '$.evidence_index.* ? (@.id == $id)',
            jsonb_build_object('id', 'fact_' || substr(t.digest, 8, 16))) WHERE t.receipt_id IS NULL}), 0,
        'and no receipt carries one');
    is($server->value(q{SELECT count(*) FROM answer.evidence e WHERE NOT EXISTS (SELECT FROM answer.evidence_series s
        WHERE (s.tool, s.args_digest, s.source) = (e.tool, e.args_digest, e.source))}), 0, 'every reading has its series');
    is($server->value(q{SELECT count(*) FROM answer.evidence_series s WHERE NOT EXISTS (SELECT FROM answer.evidence e
        WHERE (s.tool, s.args_digest, s.source) = (e.tool, e.args_digest, e.source))}), 0, 'and every series a reading');
    is($server->value('SELECT count(*) FROM answer.receipt WHERE NOT answer_verify_ok(body)'), 0, 'everything verifies');
}

#
# copies
#
{
    my $digest = $server->value('SELECT ' . add(20));
    my $id = $server->value('SELECT ' . asks(20) . q{ ->> 'receipt_id'});
    my $old = dump_of('origin');
    like($old, qr/Secret person 20/, 'a dump made before holds what is to be forgotten');
    $server->value('SELECT ' . forget($digest));
    my $new = dump_of('origin');
    unlike($new, qr/Secret person 20/, 'a dump made afterwards does not');
    like($new, qr/$id/, 'but names the receipt');

    $server->value('CREATE DATABASE restored TEMPLATE template0');
    restore($new, 'restored');
    is($server->value(q{SELECT string_agg(t::text, chr(10) ORDER BY digest COLLATE "C") FROM answer.tombstone t}, dbname => 'restored'),
        $server->value(q{SELECT string_agg(t::text, chr(10) ORDER BY digest COLLATE "C") FROM answer.tombstone t}),
        'a copy has the tombstones');
    is($server->value('SELECT count(*) FROM answer.tombstone WHERE NOT answer_verify_ok(body)', dbname => 'restored'), 0,
        'which verify there');
    is($server->run('SELECT ' . add(20), dbname => 'restored')->{state}, '23001', 'and are obeyed there');
    is($server->run('DELETE FROM answer.tombstone', dbname => 'restored')->{state}, '23001', 'they cannot be removed there');

    # an older copy has all of it again, until the same is forgotten there
    $server->value('CREATE DATABASE older TEMPLATE template0');
    restore($old, 'older');
    is($server->value("SELECT answer_receipt('$id') ->> 'schema'", dbname => 'older'), 'answer/v1', 'an older copy still has it');
    is($server->run('SELECT ' . forget($digest), dbname => 'older')->{state}, '55000', 'a tombstone is signed, and the keys are the original\'s');
    $server->value('SELECT answer_key_generate()', dbname => 'older');
    $server->value('SELECT ' . forget($digest), dbname => 'older');
    is($server->value("SELECT answer_receipt('$id') ->> 'schema'", dbname => 'older'), 'answer/tombstone/v1', 'until it is told');
    is($server->value("SELECT digest FROM answer.tombstone WHERE receipt_id = '$id'", dbname => 'older'),
        $server->value("SELECT digest FROM answer.tombstone WHERE receipt_id = '$id'"), 'under the same digest');
}

sub dump_of {
    my ($dbname) = @_;
    return AnswerServer::must(AnswerServer::program('pg_dump'), '-h', $server->{host}, '-p', '5432', $dbname);
}

sub restore {
    my ($dump, $dbname) = @_;
    my $file = spew(AnswerServer::tmp_dir() . "/$dbname.sql", $dump);
    AnswerServer::must(AnswerServer::program('psql'), '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-o', '/dev/null', '-h', $server->{host},
        '-p', '5432', '-d', $dbname, '-f', $file);
    return;
}

ok(!$server->crashed, 'the server never crashed');
done_testing();
