#!/usr/bin/env perl
# tiers: long
# The readings, judgements and investigations that a sealing lists (answer.recorded_rows): one that is removed while the
# guards are off is reported; one that is forgotten, restored, prepared, rolled back or committed late is not.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Test::More;

my $server = AnswerServer->new('sealed_rows', conf => ['jit = off', 'max_prepared_transactions = 4']);
my $sql = $server->session;
my $findings = q{SELECT coalesce(string_agg(format('%s: %s', finding, detail), chr(10) ORDER BY finding, detail), '')
    FROM answer_log_audit() WHERE finding <> 'forgotten'};
my $listed = q{SELECT coalesce(sum(length(items) / 24), 0) FROM answer.recorded_rows};
my $number = 0;
sub reading { $number++; return qq{answer_evidence_add('rate', '{"currency": "C$number"}', '{"rate": $number}', 'a')} }
sub seal { return $sql->value(q{SELECT answer_log_seal() ->> 'sealed'}) }
# what a full audit says of unlisted rows: how many, and how many of them are older than listed ones
sub unlisted {
    $sql->value('SET client_min_messages = notice');
    my $said = $sql->run(q{SELECT * FROM answer_log_audit()})->{err};
    $sql->value('SET client_min_messages = warning');
    my ($number) = $said =~ /Rows that no sealing has listed yet [^:]*: (\d+)\./;
    my ($older) = $said =~ /Of these, (\d+) say that they came before/;
    return ($number // 0) . ' ' . ($older // 0);
}
# what the audit finds of an edit that is rolled back
sub found {
    my (@statements) = @_;
    $sql->value($_) for 'BEGIN', 'SET LOCAL session_replication_role = replica', guards_off(), @statements, guards_back(), 'SET LOCAL session_replication_role = origin';
    my $result = $sql->value($findings);
    $sql->value('ROLLBACK');
    return $result;
}

$sql->value($_) for 'SET client_min_messages = warning', 'CREATE EXTENSION answer_eval', q{SELECT answer_source_register('a', 'group a')},
    q{SELECT answer_tool_register('rate', NULL, '{currency}', '1 day', 'rate')}, 'SELECT ' . reading();

#
# which rows are listed, and when
#
is($sql->value($listed), 0, 'nothing is listed before the log is sealed');
is(found('DELETE FROM answer.evidence', 'DELETE FROM answer.evidence_series'), '', 'until then nobody knows of a reading that is gone');
is(unlisted(), '1 0', '... and the audit says how many readings are not covered');
seal();
is(unlisted(), '0 0', 'after a sealing none is');
is($sql->value($listed), 1, 'a sealing lists the reading');
is(seal(), 0, 'once: another sealing has nothing to do') for 1 .. 3;
is($sql->value('SELECT count(*) FROM answer.recorded_rows'), 1, '... and writes no list');
like(found('DELETE FROM answer.evidence', 'DELETE FROM answer.evidence_series'), qr/^missing: reading sha256:[0-9a-f]{16}\.\.\. is gone, which a sealing has listed$/, 'then it is found');
is($sql->value(q{SELECT count(*) FROM answer.evidence WHERE } . q{'sha256:' || encode(substring((SELECT items FROM answer.recorded_rows) FROM 2 FOR 8), 'hex') = left(digest, 23)}), 1, '... by its name');
like(found(q{UPDATE answer.evidence SET tenant = 'other'}, q{UPDATE answer.evidence_series SET tenant = 'other'}), qr/^missing: reading/m, 'also one that was given to another tenant');
is($sql->value($findings), '', 'nothing else is found');

#
# transactions that were in progress: none of their rows is lost, and none is a finding
#
my @others = map { $server->session } 1 .. 3;
$others[0]->value($_) for 'BEGIN', 'SELECT ' . reading();
$others[1]->value($_) for 'BEGIN', 'SELECT ' . reading(), q{PREPARE TRANSACTION 'late'};
$others[2]->value($_) for 'BEGIN', 'SAVEPOINT s', 'SELECT ' . reading(), 'ROLLBACK TO s';
$sql->value('SELECT ' . reading());
for (1 .. 3) {
    seal();
    is($sql->value($findings), '', "no finding while they are under way ($_)");
    $sql->value('SELECT ' . reading());
}
is($sql->value($listed), 4, 'of what came meanwhile everything but the last reading is listed');
$others[0]->value('COMMIT');
seal();
is($sql->value($listed), 6, 'what was committed late is listed late');
$sql->value(q{COMMIT PREPARED 'late'});
$others[2]->value('COMMIT');
seal();
is($sql->value($listed), 7, 'also what was prepared');
$sql->value('SELECT ' . reading()), seal() for 1 .. 3;
is($sql->value('SELECT count(*) FROM answer.evidence'), $sql->value($listed), 'every reading is on a list, once');
is($sql->value(q{SELECT covered_until > (SELECT max(recorded_at) - interval '1 minute' FROM answer.evidence) FROM answer.recorded_rows ORDER BY number DESC LIMIT 1}), 't', 'sealings need not look far back');
like(found(q{DELETE FROM answer.evidence WHERE args ->> 'currency' IN ('C2', 'C3')}, q{DELETE FROM answer.evidence_series s WHERE NOT EXISTS (SELECT FROM answer.evidence e WHERE e.args_digest = s.args_digest)}),
    qr/^missing: reading [^\n]+\nmissing: reading [^\n]+$/, 'what was committed late is found when it is gone');
is($sql->value($findings), '', 'nothing is found');

# older snapshots
{
    my $old = $server->session(setup => ['BEGIN ISOLATION LEVEL REPEATABLE READ', 'SELECT FROM answer.receipt']);
    $sql->value('SELECT ' . reading());
    seal();
    is($old->value($findings), '', 'an audit with a snapshot of before a sealing finds nothing');
    $old->value($_) for 'SELECT answer_log_seal()', 'COMMIT';
    is($sql->value('SELECT count(*) FROM answer.evidence'), $sql->value($listed), '... and a sealing with it lists nothing twice');
    $old->value($_) for 'BEGIN ISOLATION LEVEL REPEATABLE READ', 'SELECT FROM answer.receipt';
    $sql->value('SELECT ' . reading());
    $old->value($_) for 'SELECT answer_log_seal()', 'COMMIT';
    is($sql->value($findings), '', 'nor after a sealing under REPEATABLE READ');
    $old->value($_) for 'BEGIN ISOLATION LEVEL SERIALIZABLE', 'SELECT ' . reading(), 'SELECT answer_log_seal()', 'ROLLBACK';
    is($sql->value($findings), '', 'nor after one that was rolled back');
    $old->value($_) for 'BEGIN ISOLATION LEVEL SERIALIZABLE', 'SELECT ' . reading(), 'SELECT answer_log_seal()', 'SELECT ' . reading(), 'SELECT answer_log_seal()', 'COMMIT';
    is($sql->value($findings), '', 'nor after two in one transaction');
    $old->close;
}
# two sealers and a writer at once
{
    my @sealers = map { $server->session } 1 .. 2;
    for (1 .. by_tier(10, 10, 60)) {
        $_->send('SELECT answer_log_seal()') for @sealers;
        $others[0]->value('SELECT ' . reading());
        $_->wait for @sealers;
    }
    seal();
    is($sql->value('SELECT count(*) FROM answer.evidence'), $sql->value($listed), 'two sealers list every reading once');
    is($sql->value($findings), '', '... and nothing is found');
    $_->close for @sealers;
}
# a row dated long ago: our functions cannot have stored it, unless the clock was set back
$sql->value($_) for 'BEGIN', q{INSERT INTO answer.evidence SELECT answer.evidence_digest(tool, args, '{"rate": 77}', source, observed_at, NULL), tool, args, args_digest, '{"rate": 77}', source, observed_at, NULL, '2000-01-01Z', tenant
    FROM answer.evidence ORDER BY recorded_at LIMIT 1};
seal();
like($sql->value($findings), qr/^extra: answer\.evidence: reading sha256:[0-9a-f]{64} was written by hand[^\n]*$/, 'a row with an instant of long ago that was written by hand is found');
$sql->value('SELECT ' . reading());
is(unlisted(), '2 1', '... and the audit says that it is there, also after a sealing, beside what came since');
seal();
is(unlisted(), '1 1', '... for ever');
$sql->value('ROLLBACK');

#
# forgotten rows
#
$sql->value($_) for q{SELECT answer_document_load('[{"doc_id": "guide", "title": "Guide", "timestamp": "2024-01-01", "text": "A kettle boils one litre in three minutes."}]')},
    q{CREATE FUNCTION reads(args jsonb) RETURNS jsonb LANGUAGE sql AS $$ SELECT jsonb_build_object('judgements', jsonb_agg(jsonb_build_object(
        'id', p -> 'id', 'relation', 'supports', 'score', 0.9))) FROM jsonb_array_elements(args -> 'pairs') AS p $$},
    q{SELECT answer_judge_register('reader', '{"kinds": ["entailment"], "model": "m", "version": "1", "handler": "reads"}')},
    q{SELECT answer_grounded('How long does a kettle take to boil one litre?', '{"config": {"min_chunks": 1, "judge_entailment": "reader"}, "answer": "A kettle boils one litre in three minutes.", "citations": ["guide#p0"]}')};
cmp_ok($sql->value('SELECT count(*) FROM answer.judgement'), '>', 0, 'a judge has judged');
# only the judge can judge in its name: the owner of the table has no signature for a judgement, with or without a list
my $by_hand = 'INSERT INTO answer.judgement (tenant, pair, judge, judge_tenant, revision, judged_at, kind, version, relation, score, origin, by, sig) SELECT tenant, %s, judge, judge_tenant, revision, %s, kind, version, %s, score, origin, by, %s FROM answer.judgement LIMIT 1';
for my $listing ('before a list is there', 'and afterwards') {
    my $judges = 'what judge reader has said of sha256:[0-9a-f]{64} is not what was kept';
    like(found(sprintf $by_hand, q{'sha256:' || repeat('0', 64)}, 'now()', 'relation', 'sig'), qr/^changed: $judges: the signature does not match the row$/m, "a judgement written by hand is found $listing");
    like(found(sprintf $by_hand, 'pair', q{judged_at + interval '1 second'}, 'relation', 'sig'), qr/^changed: $judges: the signature does not match the row$/m, '... one that is said again as well');
    like(found(sprintf $by_hand, 'pair', q{judged_at + interval '1 second'}, q{'contradicts'}, q{'{}'::jsonb}), qr/^changed: $judges: sig is no signature object$/m, '... and one without a signature');
    like(found("UPDATE answer.judgement SET $_"), qr/^changed: $judges: the signature does not match the row$/m, "$_ $listing")
        for q{relation = 'contradicts'}, 'score = 0.1', q{origin = 'reported'}, q{by = 'mallory'}, q{kind = 'conflict'}, q{version = '2'}, 'revision = 2', q{judge_tenant = 'x'};
    seal();
}
is($sql->value($findings), '', 'the judgements are listed');
like(found("$_"), qr/^missing: a judgement of pair sha256:[0-9a-f]{16}\.\.\. is gone, or is not what it was/m, $_) for 'DELETE FROM answer.judgement', 'UPDATE answer.judgement SET score = 0.1',
    q{UPDATE answer.judgement SET relation = 'contradicts'}, q{UPDATE answer.judgement SET judged_at = judged_at + interval '1 microsecond'}, q{UPDATE answer.judgement SET by = 'mallory'},
    q{UPDATE answer.judgement SET pair = 'sha256:' || repeat('0', 64)}, q{UPDATE answer.judgement SET passages = '{}'};
$sql->value($_) for 'CREATE TABLE before AS TABLE answer.judgement', q{SELECT answer_forget('guide', 'asked for')};
is($sql->value('SELECT count(*) FROM answer.judgement'), 0, 'what was judged of a document is forgotten with it');
is($sql->value($findings), '', '... which is no finding');
like(found('INSERT INTO answer.judgement TABLE before'), qr/^extra: what judge reader has said of sha256:[0-9a-f]{64} was forgotten, and has come back$/, '... but one that is put back is');
cmp_ok($sql->value(q{SELECT count(*) FROM answer.tombstone WHERE body ? 'judgements'}), '>', 0, '... for the tombstone tells of it');
is($sql->value(q{SELECT bool_and((answer_verify(body, (SELECT jsonb_object_agg(key_id, translate(encode(public_key, 'base64'), E'+/=\n', '-_')) FROM answer.signing_key)) ->> 'ok')::boolean)
    FROM answer.tombstone WHERE body ? 'judgements'}), 't', '... and verifies');
like(found(q{UPDATE answer.tombstone SET body = body - 'judgements'}), qr/^(changed|key|missing): /m, '... and whoever takes that out is found');
$sql->value('SELECT answer_forget(digest, $$asked for$$) FROM (SELECT digest FROM answer.evidence ORDER BY digest LIMIT 2) AS e');
is($sql->value($findings), '', 'readings that are forgotten are no finding');
like(found('DELETE FROM answer.tombstone WHERE receipt_id IS NULL'), qr/^missing: reading/m, '... but without their tombstones they are');
seal();
is($sql->value($findings), '', 'nor after the next sealing');

#
# investigations
#
$sql->value($_) for q{SELECT answer_investigation_open('Status', 'what happened?')}, q{SELECT answer_investigation_record(1, 'ctest', 'run', 'all', '{"run": 7, "passed": 7, "failed": 0}')};
seal();
$sql->value('SELECT answer_investigation_close(1)');
is($sql->value($findings), '', 'closing an investigation is no finding');
is(found(q{UPDATE answer.investigation SET closed_at = NULL, outcome = NULL, closed_mac = NULL}), '', 'that it was closed is not known yet');
seal();
like(found(q{UPDATE answer.investigation SET closed_at = NULL, outcome = NULL}), qr/^missing: the end of investigation 1 is not what it was/m, 'after the next sealing it is');
like(found(q{UPDATE answer.investigation SET question = 'else?'}), qr/^missing: investigation 1 is gone, or its question is not what it was/m, 'so is its question');
like(found('DELETE FROM answer.quality_entry'), qr/^missing: an entry of investigation 1 is gone/m, 'and its entry');

#
# a dump and its restore, into another database and back into this cluster under another one's numbers
#
{
    # a graph without nodes is no graph, also when a dump brings no row of it
    my $node = q({"id": "n", "labels": ["Code"], "name": "n", "source_path": "n.c", "extraction_method": "test", "content_hash": "sha256:) . '0' x 64 . '"}';
    $sql->value($_) for "SELECT answer_graph_load('gone', '[$node]', '[]')", "SELECT answer_graph_load('kept', '[$node]', '[]')", q{SELECT answer_graph_embed('kept', 'n', '{1,2}')}, q{SELECT answer_graph_forget('gone', '{n}')},
        q{SELECT answer_graph_load('never', '[]', '[]')};
    is($sql->value($findings), '', 'graphs without a node are no finding');
    $sql->value($_) for 'CREATE ROLE regress_readers', q{SELECT answer_judge_register('readers', '{"kinds": ["entailment"], "model": "m", "version": "1", "role": "regress_readers"}')},
        q{SELECT answer_judgement_add('[{"kind": "entailment", "a": "A.", "b": "B.", "relation": "neutral", "score": 0.1250, "judge": "readers"}]')};
    my $dir = AnswerServer::tmp_dir();
    AnswerServer::must(AnswerServer::program('pg_dump'), '-h', $server->{host}, '-p', '5432', '-Fc', '-f', "$dir/dump", 'postgres');
    $server->value('CREATE DATABASE again');
    AnswerServer::must(AnswerServer::program('pg_restore'), '-h', $server->{host}, '-p', '5432', '-d', 'again', "$dir/dump");
    my $again = $server->session(dbname => 'again', setup => ['SET client_min_messages = warning']);
    is($again->value($findings), '', 'after a restore nothing is found, nor of a graph without a node');
    is($again->value(q{SELECT string_agg(project, ' ' ORDER BY project) FROM answer.graph_set WHERE nodes > 0}), 'kept', '... and the other graph is there');
    # another database signs with a key of its own
    $again->value($_) for 'SELECT answer_key_generate()', "SELECT answer_graph_load('gone', '[$node]', '[]')", q{SELECT answer_graph_embed('kept', 'n', '{1,3}')};
    is($again->value($findings), '', '... nor after both are loaded again');
    # a session that has read a dump keeps the settings of the dump
    $again->value($_) for 'SET check_function_bodies = off', q{SET search_path = ''}, q{SELECT public.answer_graph_embed('kept', 'n', '{1,4}')}, "SELECT public.answer_graph_load('kept', '[$node]', '[]')",
        'RESET check_function_bodies', 'RESET search_path';
    is($again->value($findings), '', '... nor after an embedding by a session that has read a dump');
    is($again->value($listed), $sql->value($listed), '... and the lists are there');
    is($again->value('SELECT count(*) FROM answer.recorded_rows'), $sql->value('SELECT count(*) FROM answer.recorded_rows'), '... all of them');
    like($again->value($_), qr/sealed/, 'it is sealed') for ('SELECT answer_log_seal()') x 2;
    is($again->value($findings), '', '... and nothing is found afterwards');
    $again->close;
}

#
# interrupts
#
seal();
$sql->value($_) for 'BEGIN', q{SELECT count(answer_evidence_add('rate', jsonb_build_object('currency', 'M' || i), '{"rate": 1}', 'a')) FROM generate_series(1, 75000) AS i};
my $before = $sql->value($listed);
$sql->value($_) for 'SAVEPOINT s', q{SET LOCAL statement_timeout = '20ms'};
is($sql->run('SELECT answer_log_seal()')->{state}, '57014', 'a sealing of many rows can be interrupted');
$sql->value($_) for 'ROLLBACK TO s', 'SELECT answer_log_seal()';
is($sql->value($listed), $before + 75000, 'many rows are listed');
is($sql->value('SELECT max(length(items) / 24) FROM answer.recorded_rows') <= 70000 ? 1 : 0, 1, '... in several lists');
$sql->value('ROLLBACK');
is($sql->value($findings), '', 'in the end nothing is found');
$_->close for @others, $sql;
ok(!$server->crashed, 'the server never crashed');
done_testing();
