#!/usr/bin/env perl
# tiers: test
# Verifying claims and writing to memory, with several sessions: two writes at once, a cancel. And in other places: in a dump,
# on a standby, in databases of other encodings and locales, after a crash.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Test::More;

my $server = AnswerServer->new('plan_verify',
    conf => ['wal_level = replica', 'max_wal_senders = 4', q{wal_keep_size = '256MB'}, 'fsync = on'], extended => 1);
$server->value('CREATE DATABASE origin TEMPLATE postgres');
$server->{dbname} = 'origin';

# A tool that brings evidence, and one that waits for a lock before a value is written.
my @made = (
    q{CREATE FUNCTION bring(args jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$ SELECT '{"evidence": {"claims": ["c"],
        "supports": [{"claim": "c", "source": "s", "confidence": 0.95, "snippet": "Yes."}]}}'::jsonb $$},
    q{SELECT answer_tool_register('bring', 'bring(jsonb)', spec => '{"io": {"output": {"evidence": "Evidence"}}}')},
    # the values here are literals of a plan
    q{SELECT answer_memory_policy('', '', true)},
);
$server->value($_) for @made;

sub request {
    my ($key, $value) = @_;
    return qq{'{"plan": {"plan_id": "remember", "edges": [["a", "b"]], "nodes": [
        {"id": "a", "op": "call", "tool": "bring", "out": "proof"},
        {"id": "b", "op": "mem.write", "args": {"key": "$key", "value": {"v": "$value"}, "provenance": "\$proof"}}]}}'};
}
sub remember { return 'SELECT answer_plan_execute(' . request(@_) . ") ->> 'verdict'" }
sub recall {
    my ($key) = @_;
    return qq{SELECT answer.tool_mesh_mem('{"op": "read", "key": "$key"}') #>> '{value,v}'};
}

# the last write wins, and a writer of another key does not wait
{
    my ($one, $two) = map { $server->session } 1 .. 2;
    $two->backend;
    $one->value($_) for 'BEGIN', remember('k', 'first');
    is($two->value(recall('k')), '', 'what is not committed is not remembered');
    is($two->value(remember('other', 'x')), 'answered', 'another key is written meanwhile');
    $two->send(remember('k', 'second'));
    ok($two->active, 'the same key');
    nap(0.3);
    $one->value('COMMIT');
    is($two->wait->{out}, 'answered', 'is written after it');
    is($one->value(recall('k')), 'second', 'and stays');
    is($server->value(q{SELECT count(*) FROM answer.memory_entry WHERE key = 'k'}), 1, 'once');

    # forgetting waits for writers, and finds what they wrote
    $one->value($_) for 'BEGIN', remember('k', 'third');
    $two->send(q{SELECT answer_memory_forget('k', 'asked to') ->> 'readings'});
    ok($two->active, 'forgetting');
    nap(0.3);
    $one->value('COMMIT');
    is($two->wait->{state}, '00000', 'waits for it');
    is($one->value(recall('k')), '', 'and takes what came of it');
    is($one->value(remember('k', 'third')), 'answered', 'who writes it again is answered');
    is($one->value(recall('k')), '', 'and refused');
    is($one->value(remember('k', 'fourth')), 'answered', 'another value');
    is($one->value(recall('k')), 'fourth', 'is remembered');
    $_->close for $one, $two;
}

# a plan reads the present values, whatever snapshot its transaction has: forgotten or replaced ones are not signed again
for my $level ('REPEATABLE READ', 'SERIALIZABLE') {
    my $old = $server->session;
    my $load = q{SELECT answer_document_load('[{"doc_id": "refunds", "title": "Refunds", "timestamp": "2026-01-01T00:00:00Z",
        "text": "The refund window is %d days."}]') ->> 'chunks'};
    my $plan = q{SELECT answer_plan_execute('{"plan": {"plan_id": "read", "nodes": [%s]}}') #>> '{trace,0,outputs,%s}'};
    $server->value(remember('gone', $level));
    $server->value(sprintf $load, 30);
    $old->value($_) for "BEGIN ISOLATION LEVEL $level", 'SELECT 1';
    $server->value(q{SELECT answer_memory_forget('gone', 'asked to')});
    $server->value(sprintf $load, 7);
    is($old->value(sprintf $plan, '{"id": "a", "op": "mem.read", "out": "x", "args": {"key": "gone"}}', 'ok'), 'false',
        "$level: what was forgotten meanwhile is not remembered");
    is($old->value(sprintf $plan, '{"id": "a", "op": "call", "tool": "doc.search", "out": "x", "args": {"q": "refund window"}}',
        'hits,0,snippet'), 'The refund window is 7 days.', '... and what was replaced is not found');
    $old->value('ROLLBACK');

    # what another session has written since the snapshot is forgotten, too
    $server->value(remember('late', "before $level"));
    $old->value($_) for "BEGIN ISOLATION LEVEL $level", 'SELECT 1';
    $server->value(remember('late', "after $level"));
    is($old->run(q{SELECT answer_memory_forget('late', 'asked to')})->{state}, '00000', '... what was written meanwhile is forgotten');
    $old->run('COMMIT');
    is($server->value(q{SELECT count(*) FROM answer.memory_entry WHERE key = 'late'}), 0, '... and is gone');
}

# an old snapshot neither sees nor overwrites newer values
{
    my $one = $server->session;
    $one->value($_) for 'BEGIN ISOLATION LEVEL REPEATABLE READ', 'SELECT 1';
    $server->value(remember('k', 'fifth'));
    is($one->value(recall('k')), 'fourth', 'an old snapshot has the old value');
    is($one->value(remember('k', 'sixth')), 'failed', 'and fails to write over the new one');
    $one->value('ROLLBACK');
    is($one->value(recall('k')), 'fifth', 'which stays');
    $one->close;
}

# a verification that takes long ends when it is told to
my $long = q{SELECT length(answer.tool_ground_verify(jsonb_build_object('claims', (SELECT jsonb_agg('unheard of ' || n)
    FROM generate_series(1, 20000) AS n), 'sources', jsonb_build_array(jsonb_build_object('uri', 'a', 'score', 0.5,
    'snippet', (SELECT string_agg('The parcel is heard of ' || n || '. ', '') FROM generate_series(1, 20000) AS n)))))::text)};
{
    my $session = $server->session;
    my $pid = $session->backend;
    $session->send($long);
    ok($session->active, 'a long verification');
    nap(1);
    $server->value("SELECT pg_cancel_backend($pid)");
    is($session->wait->{state}, '57014', 'is cancelled');
    $session->close;
}

# the same evidence in every locale and encoding, also with letters that a database lacks
my $refunds = q{SELECT answer_digest(answer.tool_ground_verify('{"claims": ["Refund policy for custom items"], "sources": [
    {"uri": "a#1", "score": 0.71, "snippet": "Custom items are non-refundable except for manufacturing defects within 30 days."},
    {"uri": "b", "score": 0.65, "snippet": "Exceptions apply to manufacturing defects; contact support within 30 days."},
    {"uri": "c", "score": 0.40, "snippet": "Agent approved refund for a custom order after 45 days."}]}'))};
# a number with a unit whose sign most encodings lack
my $euros = q{SELECT answer_digest(e) || (e #>> '{evidence,contradicts,0,weight}') FROM answer.tool_ground_verify(
    '{"claims": ["The refund fee is 300 euros"], "sources": [
    {"uri": "a", "score": 0.8, "snippet": "The refund fee is 500 euros."}]}') AS e};
my $evidence = $server->value($refunds);
my $fee = $server->value($euros);
like($fee, qr/0\.6$/, 'numbers contradict');
for my $database (['LATIN1', 'C'], ['EUC_JP', 'C'], ['SQL_ASCII', 'C'], ['UTF8', 'C'], ['UTF8', 'C.UTF-8']) {
    my ($encoding, $locale) = @$database;
    my $name = lc("db_${encoding}_$locale") =~ s/\W/_/gr;
    $server->value("CREATE DATABASE $name TEMPLATE template0 ENCODING '$encoding' LOCALE '$locale'");
    my %there = (dbname => $name);
    $server->value('CREATE EXTENSION answer_eval', %there);
    is($server->value($refunds, %there), $evidence, "$encoding, $locale: the same evidence");
    is($server->value($euros, %there), $fee, "$encoding, $locale: and the same of numbers");
    # a micro sign folds to a letter that LATIN1 lacks
    next if $encoding eq 'EUC_JP';
    my $word = $encoding eq 'LATIN1' ? "chr(181)" : $encoding eq 'UTF8' ? "chr(181)" : "'m'";
    is($server->value(qq{SELECT answer.tool_ground_verify(jsonb_build_object('claims', jsonb_build_array('Parcels ' || $word),
        'sources', jsonb_build_array(jsonb_build_object('uri', 'a', 'score', 0.5, 'snippet', 'A parcel ' || $word || '.'))))
        #>> '{evidence,verdict,confidence}'}, %there), '0.95', "$encoding, $locale: a word that it cannot fold");
}

# in a dump
{
    my ($pg_dump, $psql) = map { quotemeta AnswerServer::program($_) } qw(pg_dump psql);
    my $to = "-h $server->{host} -p 5432 -U postgres";
    $server->value('CREATE DATABASE copy TEMPLATE template0');
    AnswerServer::must('sh', '-c', "$pg_dump $to origin | $psql $to -X -q -v ON_ERROR_STOP=1 -d copy >/dev/null");
    my $rows = q{SELECT answer_digest(jsonb_agg(to_jsonb(m) ORDER BY key)) FROM answer.memory_entry AS m};
    is($server->value($rows, dbname => 'copy'), $server->value($rows), 'a dump has what is remembered');
    is($server->value(recall('k'), dbname => 'copy'), 'fifth', 'and the copy remembers it');
    is($server->value(q{SELECT count(*) FROM answer.tool WHERE category = 'plan' AND seed}, dbname => 'copy'), 4,
        'the tools that ship are there once');
    is($server->value(q{SELECT string_agg(detail, '; ') FROM answer_log_audit() WHERE detail ~ 'remember|memor'},
        dbname => 'copy'), '', 'its audit finds nothing of ours');
}

# on a standby
my $standby_data = AnswerServer::tmp_dir() . '/standby';
mkdir $standby_data, 0700;
AnswerServer::must(AnswerServer::program('pg_basebackup'), '-h', $server->{host}, '-p', '5432', '-D',
    "$standby_data/data", '-R', '-c', 'fast', '-X', 'stream', '--no-sync');
my $standby = AnswerServer->new('standby', from => 1, conf => ['hot_standby = on']);
$standby->{dbname} = 'origin';
is($standby->value(recall('k')), 'fifth', 'a standby remembers');
is($standby->value($refunds), $evidence, 'and verifies');
is($standby->run(q{SELECT answer_memory_forget('k', 'x')})->{state}, '25006', 'it forgets nothing');
$standby->stop;

# after a crash: exactly the committed values are there
{
    my $session = $server->session;
    $server->value('CALL answer_plan_run(' . request('k', 'seventh') . ')');
    $session->value($_) for 'BEGIN', remember('k', 'eighth');
    $server->stop('immediate');
    $server->start;
    is($server->value(recall('k')), 'seventh', 'after a crash the value that was committed is there');
}

done_testing();
