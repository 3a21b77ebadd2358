#!/usr/bin/env perl
# tiers: long
# The roll-up, in tests that need a server: concurrent writers and counters, a crash in between, detached partitions,
# forgetting, pruning, a dump. Nothing may be counted twice or lost.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Test::More;

my $server = AnswerServer->new('rollup', extended => 1);
my @client = ('-h', $server->{host}, '-p', '5432');
my $dir = AnswerServer::tmp_dir();
my $mint = q{answer_eval('{"checks": [{"tool": "postgres_server"}]}')};
$server->value('CREATE DATABASE origin TEMPLATE postgres');
$server->{dbname} = 'origin';
$server->value("SELECT $mint");

# The number of receipts, and what the roll-up says of them in all grains.
my $receipts = 'SELECT count(*) FROM answer.receipt';
my $window = q{SELECT sum(value) FROM answer.dashboard_verdicts};
my %sums = map { $_ => "SELECT sum(documents) FROM answer.rollup WHERE grain = $_" } 1, 60, 1440;
# All sums and bags of latencies.
my $digest = q{SELECT md5(string_agg(r.row, chr(10) ORDER BY r.row COLLATE "C")) FROM (SELECT s::text FROM answer.rollup s
    UNION ALL SELECT l::text FROM answer.rollup_latency l UNION ALL SELECT f::text FROM answer.rollup_refusal f) AS r (row)};
# Compares bags of latencies of single documents with the counted ones: how many differ.
my $bags = q{SELECT count(*) FROM answer.rollup_latency l WHERE l.latency IS DISTINCT FROM (SELECT answer.latency_union(s.latency)
    FROM answer.rollup_single s WHERE s.counted AND s.tenant = l.tenant AND (l.whole OR s.intent = l.intent) AND s.issued_at >= l.starts_at
    AND s.issued_at < l.starts_at + make_interval(mins => l.grain))};
sub exact {
    my ($what) = @_;
    my $count = $server->value($receipts);
    is($server->value($window), $count, "$what: the views have every receipt once");
    $server->value('SELECT answer_rollup()');
    is($server->value($sums{$_}), $count, "$what: so have sums over $_ minutes, counted") for sort keys %sums;
    is($server->value('SELECT count(*) FROM answer.rollup_kept'), $count, "$what: and single rows");
    is($server->value('SELECT sum(documents) FROM answer.rollup_key'), $count, "$what: and keys");
    is($server->value($bags), 0, "$what: and latencies");
    cmp_ok($server->value('SELECT count(*) FROM answer.rollup_latency'), '>=', 5, "$what: which are there");
    return $count;
}

# four writers, some of which roll back, and two counters
my @writers = map { $server->session } 1 .. 4;
my @counters = map { $server->session } 1 .. 2;
for my $round (1 .. 6) {
    for my $n (0 .. 3) {
        $writers[$n]->send("BEGIN; SELECT count($mint) FROM generate_series(1, 10); SAVEPOINT s; SELECT $mint; ROLLBACK TO s; " .
            ($round % 3 == $n % 3 ? 'ROLLBACK' : 'COMMIT'));
    }
    $_->send('SELECT answer_rollup()') for @counters;
    is($_->wait->{state}, '00000', "round $round: nobody fails") for @writers, @counters;
}
exact('writers at once');

# an uncommitted document does not stop others from being counted, and is not lost
$writers[0]->value($_) for 'BEGIN', "SELECT $mint";
$writers[1]->value("SELECT $mint");
cmp_ok($server->value('SELECT answer_rollup()'), '>=', 1, 'what is committed is counted beside an open transaction');
is($counters[0]->run('BEGIN ISOLATION LEVEL REPEATABLE READ')->{state}, '00000', 'a snapshot of before');
$counters[0]->value('SELECT 1 FROM answer.rollup LIMIT 1');
$writers[0]->value('COMMIT');
exact('after a late commit');
is($counters[0]->run('SELECT answer_rollup_rebuild()')->{state}, '25001', 'an older snapshot counts nothing again');
$counters[0]->value('ROLLBACK');

# a counter that rolls back has counted nothing; one that waits for it counts all
$writers[0]->value("SELECT count($mint) FROM generate_series(1, 5)");
$counters[0]->value('BEGIN');
is($counters[0]->value('SELECT answer_rollup()'), 5, 'counted');
$counters[1]->send('SELECT answer_rollup()');
is($writers[1]->run("SELECT $mint")->{state}, '00000', 'meanwhile others mint');
is($server->value($window), $server->value($receipts), 'and the views are right');
$counters[0]->value('ROLLBACK');
cmp_ok($counters[1]->wait->{out}, '>=', 5, 'who waited counts what was rolled back');
exact('after a rollback');

# a crash while somebody writes and somebody counts
$_->send("SELECT count($mint) FROM generate_series(1, 100000)") for @writers[0, 1];
$writers[2]->value("SELECT count($mint) FROM generate_series(1, 20)");
$counters[0]->value('BEGIN');
$counters[0]->value('SELECT answer_rollup()');
$server->stop('immediate');
$_->close for @writers, @counters;
$server->start;
$server->{dbname} = 'origin';
exact('after a crash');

# counting again: during writes, after tables were emptied, and after documents were forgotten
my $writer = $server->session;
my $before = $server->value($digest);
is($server->value('SELECT answer_rollup_rebuild()'), $server->value($receipts), 'all is counted again');
is($server->value($digest), $before, 'to the same');
my $rebuilder = $server->session;
$rebuilder->value($_) for 'BEGIN', 'SELECT answer_rollup_rebuild()';
is($writer->run("SELECT $mint")->{state}, '00000', 'meanwhile others mint');
$rebuilder->value('COMMIT');
exact('after counting again beside a writer');
$server->value($_) for 'DELETE FROM answer.rollup_kept WHERE ctid IN (SELECT ctid FROM answer.rollup_kept LIMIT 7)', 'TRUNCATE answer.rollup, answer.rollup_latency',
    q{SELECT answer_forget((SELECT receipt_id FROM answer.receipt WHERE schema = 'answer/v1' LIMIT 1), 'test')};
$server->value('SELECT answer_rollup_rebuild()');
exact('after tables were emptied and a receipt forgotten');

# a detached partition stays counted, also after everything is counted again
my $month = $server->value(q{SELECT answer_receipt_partition(date_trunc('month', now(), 'UTC'), date_trunc('month',
    now() AT TIME ZONE 'UTC' + interval '1 month') AT TIME ZONE 'UTC')});
$server->value('SELECT answer_log_seal()');
is($server->value('SELECT concat_ws(chr(32), unsealed, leaves) FROM answer.dashboard_log'), '0 ' . $server->value('SELECT max(tree_size) FROM answer.checkpoint'),
    'the log, as the dashboard has it');
$server->value('SELECT answer_rollup()');
my $counted = $server->value($window);
$server->value("SELECT answer_receipt_detach('$month')");
is($server->value($window), $counted + 1, 'what was detached stays counted, with the document that says so');
$server->value('SELECT answer_rollup_rebuild()');
is($server->value($window), $counted + 1, 'counted again, too');
cmp_ok($server->value($receipts), '<', $counted, 'though the receipts are gone');

# a dump has the roll-up
$server->value("SELECT $mint");
my $look = q{SELECT concat_ws('|', (SELECT sum(value) FROM answer.dashboard_verdicts), (SELECT count(*) FROM answer.rollup_new),
    (SELECT count(*) FROM answer.rollup_kept), (SELECT sum(documents) FROM answer.rollup_key), } . "($digest))";
my $original = $server->value($look);
AnswerServer::must(AnswerServer::program('pg_dump'), @client, '-Fc', '-f', "$dir/rollup.dump", 'origin');
$server->value('CREATE DATABASE copy');
AnswerServer::must(AnswerServer::program('pg_restore'), @client, '-d', 'copy', "$dir/rollup.dump");
my $copy = $server->session(dbname => 'copy');
is($copy->value($look), $original, 'a restored dump has the same sums');
$copy->value('SELECT answer_rollup()');
is($copy->value('SELECT sum(documents) FROM answer.rollup WHERE grain = 1440'), (split /\|/, $original)[0], 'and goes on counting');
$copy->close;

# pruning, with documents of a day long ago
$server->value(q{INSERT INTO answer.rollup_new (issued_at, schema, verdict, key_id, given, supported) VALUES ('2020-01-01', 'decision/v1', 'ANSWER', 'k', true, true)});
my $all = $server->value($window);
like($server->value(q{SELECT answer_rollup_prune('2021-01-01')}), qr/"documents": 1/, 'one is pruned');
is($server->value($window), $all + 1, 'its day stays counted, with the record of the pruning');
$server->value('SELECT answer_rollup_rebuild()');
is($server->value($window), $all + 1, 'and does so when all is counted again');

# Every series is the same for documents that are counted, not counted, or partly counted within an hour. Intents agree with
# the single documents. No document is near the age at which hours become days.
$server->value('CREATE DATABASE series TEMPLATE postgres');
my $series = $server->session(dbname => 'series', setup => ['SET client_min_messages = warning', q{SET timezone = 'UTC'}, seed(1)]);
my @views = split / /, $series->value(q{SELECT string_agg(c.relname, ' ' ORDER BY c.relname) FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relnamespace = 'answer'::regnamespace AND c.relkind = 'v' AND c.relname ~ '^dashboard_' AND a.attname = 'time'});
cmp_ok(scalar(@views), '>=', 9, 'series: ' . scalar(@views));
my $said = join ' UNION ALL ', map { "SELECT '$_ ' || v::text FROM answer.$_ v" } @views;
my $shown = qq{SELECT md5(string_agg(s.row, chr(10) ORDER BY s.row COLLATE "C")) FROM ($said) AS s (row)};
my $alike = q{WITH single AS (SELECT date_bin(CASE WHEN s.issued_at > now() - interval '40 days' THEN interval '1 hour' ELSE '1 day' END, s.issued_at, '2000-01-01Z'),
    s.tenant, s.intent, s.schema, s.verdict, count(*)::float8 FROM answer.rollup_single s GROUP BY 1, 2, 3, 4, 5)
    SELECT count(*) FROM ((TABLE single EXCEPT TABLE answer.dashboard_intents) UNION ALL (TABLE answer.dashboard_intents EXCEPT ALL TABLE single)) AS d};
for my $round (1 .. 4) {
    $series->value(q{INSERT INTO answer.rollup_new (issued_at, schema, verdict, intent, key_id, took, cost_usd, confidence, given, supported, citation_required,
        citation_given, contradicted, prevented, unjudged, sentences, grounded, refusal, words)
        SELECT now() - make_interval(days => CASE WHEN random() < 0.5 THEN (random() * 3)::integer ELSE 60 + (random() * 3)::integer END, secs => random() * 40000),
            v.schema, v.verdict, CASE WHEN random() < 0.8 THEN 'intent ' || (random() * 3)::integer END, 'k', make_interval(secs => random()),
            CASE WHEN random() < 0.5 THEN random()::numeric END, random(), v.verdict <> 'BLOCK', v.verdict <> 'BLOCK' AND random() < 0.8, true, random() < 0.9, v.verdict <> 'BLOCK' AND random() < 0.1,
            v.verdict = 'BLOCK' AND random() < 0.5, random() < 0.2, 3, 1 + (random() * 2)::integer, CASE v.verdict WHEN 'BLOCK' THEN 'invalid_citations' END,
            jsonb_build_object(v.word, 1, 'source s', 2, 'call t ok', 1)
        FROM generate_series(1, 300) AS n JOIN (VALUES (0, 'decision/v1', 'ANSWER', 'check supported'), (1, 'decision/v1', 'BLOCK', 'reason invalid_citations'),
            (2, 'answer/v1', 'supported', 'reason stale_documents')) AS v (n, schema, verdict, word) ON v.n = n.n % 3});
    my $queued = $series->value($shown);
    is($series->value($alike), 0, "round $round: intents, some of them not counted");
    $series->value('SELECT answer_rollup()');
    is($series->value($shown), $queued, 'every series is the same, counted');
    is($series->value($alike), 0, 'and so are intents');
}
my $counted_all = $series->value($shown);
$series->value($_) for 'CREATE TABLE moved AS TABLE answer.rollup_kept', (map { "DELETE FROM answer.$_" } qw(rollup rollup_latency rollup_refusal rollup_word rollup_kept rollup_key)),
    'INSERT INTO answer.rollup_new TABLE moved';
is($series->value($shown), $counted_all, 'and with nothing counted at all');
# hours and days are those of UTC, whatever the session has set
$series->value(q{SET timezone = 'Asia/Kathmandu'});
is($series->value('SELECT ' . join ' + ', map { qq{(SELECT count(*) FROM answer.$_ WHERE date_bin('1 hour', "time", '2000-01-01Z') <> "time"
    OR "time" < now() - interval '40 days' AND date_bin('1 day', "time", '2000-01-01Z') <> "time")} } grep { $_ ne 'dashboard_gates' } @views), 0, 'hours and days of UTC');
$series->value(q{SET timezone = 'UTC'});
is($series->value($shown), $counted_all, 'and the same as before');
# parts of the sums: a part has one grain, so a page of hours has no minutes
is($series->value(q{SELECT string_agg(t.relid::text, ' ' ORDER BY t.relid::text) FROM pg_partition_tree('answer.rollup') t WHERE t.isleaf}),
    'answer.rollup_day answer.rollup_hour answer.rollup_minute', 'sums are kept in parts');
# Judges judge while documents are minted and other judges judge: each document is corrected once, in whatever order.
$server->value('CREATE DATABASE judged TEMPLATE postgres');
$server->value('CREATE ROLE rollup_judges');
my @judge = map { $server->session(dbname => 'judged') } 1 .. 2;
$judge[0]->value($_) for 'SET client_min_messages = warning', seed(2),
    map { qq{SELECT answer_judge_register('$_', '{"kinds": ["entailment"], "model": "people", "version": "1", "role": "rollup_judges"}')} } qw(first second);
# an answer of one sentence that cites one document, and the two texts of its pair
my $text = sub { my ($n) = @_; return "They keep $n of them for ever." };
my $passage = 'Invoices are kept for seven years.';
my $asked = q|answer_grounded('How long are invoices kept?', '{"config": {"judge_entailment": ["first", "second"]}, "answer": "%s [1]", "citations": ["a#p0"],
    "chunks": [{"chunk_id": "a#p0", "doc_id": "a", "text": "%s", "similarity": 0.9, "timestamp": "2026-01-01T00:00:00Z"},
        {"chunk_id": "b#p0", "doc_id": "b", "text": "The archive is in a cellar.", "similarity": 0.8, "timestamp": "2026-01-01T00:00:00Z"}]}')|;
my $answer = sub { my ($n) = @_; return sprintf $asked, $text->($n), $passage };
my $says = sub {
    my ($judge, $n, $relation) = @_;
    return sprintf q|SELECT answer_judgement_add('[{"kind": "entailment", "a": "%s", "b": "%s", "relation": "%s", "score": 0.9, "judge": "%s"}]')|,
        $text->($n), $passage, $relation, $judge;
};
my $level = q{SELECT concat_ws(' ', given, contradicted, unsupported, state) FROM answer_slo('1 hour') WHERE tenant IS NULL};
my $problems = q{SELECT count(*) FROM answer_log_audit() WHERE detail ~ 'roll-up'};
is($judge[0]->value("SELECT " . $answer->(1) . " ->> 'decision'"), 'ANSWER_WITH_CAVEATS', 'judged: an answer that nobody has judged');
is($judge[0]->value($level), '1 0 1 ok', 'is not contradicted');

# two judges of one answer at once: the second waits for the first, and one correction is left
$judge[0]->value($_) for 'BEGIN', $says->('first', 1, 'contradicts');
$judge[1]->send($says->('second', 1, 'contradicts'));
$judge[0]->value('COMMIT');
is($judge[1]->wait->{state}, '00000', 'two judges at once');
is($judge[0]->value($level), '1 1 1 breach', 'contradict it once');
is($judge[0]->value('SELECT sum(corrects) FROM answer.rollup_new'), 1, 'by one correction');
# one takes its judgement back and the other does not; then the other does, while the first contradicts again
$judge[0]->value($says->('first', 1, 'supports'));
is($judge[0]->value($level), '1 1 1 breach', 'while one says so, it is contradicted');
$judge[0]->value($_) for 'BEGIN', $says->('second', 1, 'neutral');
$judge[1]->send($says->('first', 1, 'contradicts'));
$judge[0]->value('COMMIT');
is($judge[1]->wait->{state}, '00000', 'one takes it back while another says so');
is($judge[0]->value($level), '1 1 1 breach', 'and it is');
$judge[0]->value($says->('first', 1, 'neutral'));
is($judge[0]->value($level), '1 0 1 ok', 'until nobody does');
$judge[0]->value('SELECT answer_rollup()');
is($judge[0]->value($level), '1 0 1 ok', 'counted, too');

# a judge that cannot see the answer, because it is not committed, and an answer that does not know of the judgement
$judge[0]->value($_) for 'BEGIN', 'SELECT ' . $answer->(2);
$judge[1]->value($says->('first', 2, 'contradicts'));
$judge[0]->value('COMMIT');
$judge[0]->value('SELECT answer_rollup()');
is($judge[0]->value($level), '2 1 2 breach', 'what both did not see is found when it is counted');
# and a judge that rolls back has said nothing
$judge[0]->value($_) for 'SELECT ' . $answer->(3), 'BEGIN', $says->('first', 3, 'contradicts');
is($judge[0]->value($level), '3 2 3 breach', 'who has not committed sees it');
is($judge[1]->value($level), '3 1 3 breach', 'nobody else does');
$judge[0]->value('ROLLBACK');
is($judge[0]->value($level), '3 1 3 breach', 'and nobody after a rollback');
is($judge[0]->value($problems), 0, 'the audit finds nothing');
# counting again while a judge judges: the judge waits, and its judgement counts
$judge[0]->value($_) for 'BEGIN', 'SELECT answer_rollup_rebuild()';
$judge[1]->send($says->('second', 3, 'contradicts'));
$judge[0]->value('COMMIT');
is($judge[1]->wait->{state}, '00000', 'a judge while all is counted again');
is($judge[0]->value($level), '3 2 3 breach', 'is heard');
$judge[0]->value('SELECT answer_rollup_rebuild()');
is($judge[0]->value($level), '3 2 3 breach', 'and counted again');
is($judge[0]->value($problems), 0, 'and the audit finds nothing');
# a dump has the corrections, and later ones add to them
AnswerServer::must(AnswerServer::program('pg_dump'), @client, '-Fc', '-f', "$dir/judged.dump", 'judged');
$server->value('CREATE DATABASE judged_copy');
AnswerServer::must(AnswerServer::program('pg_restore'), @client, '-d', 'judged_copy', "$dir/judged.dump");
my $judged = $server->session(dbname => 'judged_copy');
# another database signs with a key of its own
$judged->value('SELECT answer_key_generate()');
is($judged->value($level), '3 2 3 breach', 'a dump has it');
$judged->value($says->('second', 3, 'supports'));
is($judged->value($level), '3 1 3 breach', 'and a judge there is heard');
# a judge that judges before the answer is there, and commits after it was counted: the next roll-up finds the judgement
$judge[1]->value($_) for 'BEGIN', $says->('first', 9, 'contradicts');
$judge[0]->value($_) for 'SELECT ' . $answer->(9), 'SELECT answer_rollup()';
is($judge[0]->value($level), '4 2 4 breach', 'nobody has contradicted what was counted');
$judge[1]->value('COMMIT');
$judge[0]->value('SELECT answer_rollup()');
is($judge[0]->value($level), '4 3 4 breach', 'the next counting sees who has');
$judge[0]->value('SELECT answer_rollup()');
is($judge[0]->value($level), '4 3 4 breach', 'once');
$judge[1]->value($says->('first', 9, 'neutral'));
is($judge[0]->value($level), '4 2 4 breach', 'and it is taken back');
is($judge[0]->value($problems), 0, 'and the audit finds nothing');
$_->close for @judge, $judged;
done_testing();
