#!/usr/bin/env perl
# tiers: test
# Evidence quality, in tests that need a server: recording and closing at the same time, dump and restore, a standby, other
# encodings, and the rights of reader, recorder and administrator.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Test::More;

my $server = AnswerServer->new('quality', conf => ['wal_level = replica', 'max_wal_senders = 4', q{wal_keep_size = '1GB'}], extended => 1);
$server->value('CREATE DATABASE origin TEMPLATE postgres');
$server->{dbname} = 'origin';
$server->value($_) for (
    'CREATE SCHEMA rules',
    q{CREATE FUNCTION rules.lint(observation jsonb) RETURNS answer_graded IMMUTABLE PARALLEL SAFE LANGUAGE sql
        AS $$ SELECT (NULL, observation ->> 'q', 'Low', current_user)::public.answer_graded $$},
    q{SELECT answer_quality_class_register('Lint', 'lint', description => 'de la poésie')},
    q{SELECT answer_quality_grader_register('lint', 'Lint', 'rules.lint(jsonb)', 'linters')},
    q{SELECT answer_quality_intent_register('Polish', '{"Lint": "Strong", "Build": "Verified"}')},
    q{SELECT answer_quality_compatibility_register('Lint', 'Build', 'Moderate', false)},
    q{SELECT answer_quality_authority_register('lint', '{"final": true}')},
);

sub blocked {
    my ($session) = @_;
    my $pid = $session->{backend} or die 'the backend must be known before';
    for (1 .. 2400) {
        return 1 if $server->value("SELECT cardinality(pg_blocking_pids($pid)) > 0") eq 't';
        nap(0.05);
    }
    return 0;
}

sub opened { my ($intent) = @_; return $server->value("SELECT answer_investigation_open('$intent', 'where is the code?')") }

sub record {
    my ($investigation, $tool, $observation) = @_;
    return "SELECT is_new FROM answer_investigation_record($investigation, '$tool', 'q', 't', '$observation')";
}

my $strong = '{"match": "phrase", "match_count": 1}';
my $read = '{"selection": "ranked", "files_read": 1}';

#
# at the same time
#
my ($one, $two) = map { my $session = $server->session; $session->backend; $session } 1 .. 2;
my $i = opened('Locate');
$one->value('BEGIN');
is($one->value(record($i, 'grep', $strong)), 't', 'one session records');
$two->send(record($i, 'grep', $strong));
ok(blocked($two), 'another one that records the same waits');
$one->value('COMMIT');
is($two->wait->{out}, 'f', 'and finds it there');
is($server->value("SELECT count(*) FROM answer.quality_entry WHERE investigation = $i"), 1, 'one entry');

$one->value('BEGIN');
$one->value(record($i, 'read', $read));
my $result = $two->run(record($i, 'find', '{"match": "exact", "match_count": 1}'));
is($result->{out}, 't', 'who records something else does not wait');
$two->send("SELECT answer_investigation_close($i)");
ok(blocked($two), 'who closes waits for who records');
$one->value('COMMIT');
is($two->wait->{out}, 'success', 'and counts what was recorded');

my $j = opened('Locate');
$one->value('BEGIN');
is($one->value("SELECT answer_investigation_close($j)"), 'InsufficientEvidence', 'one session closes');
$two->send(record($j, 'grep', $strong));
ok(blocked($two), 'who records waits');
$one->value('COMMIT');
is($two->wait->{state}, '55000', 'and finds it closed');
$one->value('BEGIN');
my $k = opened('Locate');
is($one->value("SELECT answer_investigation_close($k)"), 'InsufficientEvidence', 'one session closes');
$two->send(record($k, 'grep', $strong));
ok(blocked($two), 'who records waits');
$one->value('ROLLBACK');
is($two->wait->{out}, 't', 'and goes on when the other takes it back');
$one->value('BEGIN ISOLATION LEVEL REPEATABLE READ');
$one->value('SELECT 1');
$server->value(record($k, 'read', $read));
is($one->value("SELECT answer_complete($k)"), 'f', 'a snapshot sees what it saw');
$one->value('COMMIT');
is($one->value("SELECT answer_complete($k)"), 't', 'a new one all');

#
# dump and restore
#
my $p = opened('Polish');
$server->value(record($p, 'lint', '{"q": "Strong", "é": "ü", "n": 1e-20}'));
$server->value(record($p, 'cmake', '{"ok": true}'));
$server->value("SELECT answer_quality_receipt($_)") for $i, $p;
my %content = (
    (map { $_ => "SELECT count(*), md5(string_agg(r::text, chr(10) ORDER BY r::text)) FROM answer.$_ r" } qw(quality_class
        quality_tool quality_authority quality_compatibility quality_intent quality_requirement quality_question_form quality_entry
        investigation receipt quality_rules open_investigation)),
    receipts => q{SELECT string_agg(answer_verify(body)::text || answer_replay(body)::text, chr(10)
        ORDER BY receipt_id) FROM answer.receipt WHERE schema = 'quality/v1'},
);
my %original = map { $_ => $server->value($content{$_}) } keys %content;
is(() = $original{receipts} =~ /"ok": true/g, 14, 'receipts verify, all five steps, and replay');
unlike($original{receipts}, qr/"ok": false/, 'all of them');
my $dump = AnswerServer::tmp_dir() . '/quality.dump';
AnswerServer::must(AnswerServer::program('pg_dump'), '-h', $server->{host}, '-p', '5432', '-Fd', '-j2', '-f', $dump, 'origin');
$server->value('CREATE DATABASE copy TEMPLATE template0');
AnswerServer::must(AnswerServer::program('pg_restore'), '-h', $server->{host}, '-p', '5432', '-j2', '--exit-on-error', '-d', 'copy', $dump);
my $copy = $server->session(dbname => 'copy');
is($copy->value($content{$_}), $original{$_}, "restored: same $_") for sort keys %content;
$copy->value('SELECT answer_key_generate()');
cmp_ok($copy->value(q{SELECT answer_investigation_open('Polish', 'again')}), '>', $p, 'restored: numbers go on');
is($copy->value(q{SELECT quality FROM answer_quality(} . $p . q{) WHERE class = 'Lint'}), 'Verified',
    'restored: what users registered corroborates');
is($copy->run(q{SELECT answer_quality_class_register('Build')})->{state}, '22023', 'restored: shipped rows are fixed');
$copy->close;

#
# a standby
#
my $standby_data = AnswerServer::tmp_dir() . '/standby';
mkdir $standby_data, 0700;
AnswerServer::must(AnswerServer::program('pg_basebackup'), '-h', $server->{host}, '-p', '5432', '-D',
    "$standby_data/data", '-R', '-c', 'fast', '-X', 'stream', '--no-sync');
my $standby = AnswerServer->new('standby', from => 1, conf => ['hot_standby = on']);
$standby->{dbname} = 'origin';
is($standby->value($content{$_}), $original{$_}, "standby: same $_") for qw(open_investigation receipts);
is($standby->run($_)->{state}, '25006', "standby: refused: $_") for (record($p, 'grep', '{}'),
    "SELECT answer_quality_receipt($p)", q{SELECT answer_investigation_open('Locate', '')},
    "SELECT answer_investigation_close($p)");
$standby->stop;

#
# other encodings
#
my %language = (LATIN1 => ['Prüfung', 'où est Zürich ?', 'é.c'], SQL_ASCII => ['検査', '気象 😀', '天気.c'],
    EUC_JP => ['検査', '東京 は', '天気.c']);
for my $encoding (sort keys %language) {
    my ($class, $question, $target) = @{$language{$encoding}};
    $server->value("CREATE DATABASE q_\L$encoding\E TEMPLATE template0 ENCODING '$encoding' LOCALE 'C'", dbname => 'postgres');
    my $here = $server->session(dbname => "q_\L$encoding", encoding => $encoding eq 'SQL_ASCII' ? 'SQL_ASCII' : 'UTF8');
    $here->value($_) for (
        'CREATE EXTENSION answer_eval',
        qq{CREATE FUNCTION "g$class"(o jsonb) RETURNS answer_graded IMMUTABLE PARALLEL SAFE LANGUAGE sql
            AS \$\$ SELECT (NULL, 'Strong', 'Low', o ->> '$class')::answer_graded \$\$},
        "SELECT answer_quality_class_register('$class', '$class')",
        qq{SELECT answer_quality_grader_register('$class', '$class', '"g$class"(jsonb)')},
        qq{SELECT answer_quality_intent_register('$class', '{"$class": "Verified", "FileSearch": "Strong"}')},
    );
    my $n = $here->value("SELECT answer_investigation_open('$class', '$question')");
    $here->value(qq{SELECT answer_investigation_record($n, '$class', '$question', '$target', '{"$class": "$target"}')});
    is($here->value("SELECT quality FROM answer_investigation_record_output($n, 'grep', '$question', '$target',
        '$target:1:voir $question\n')"), 'Strong', "$encoding: a phrase is found");
    is($here->value("SELECT class || '|' || kind || '|' || tool || '|' || reason FROM answer_gap($n)"),
        "$class|unverified|$class|no independent tool has corroborated it", "$encoding: the gap");
    is($here->value("SELECT reason FROM answer_quality($n) WHERE class = '$class'"), $target, "$encoding: the reason");
    like($here->value("SELECT explanation FROM answer.confidence_level($n)"),
        qr/^confidence is High because FileSearch is Strong: grep matched the phrase in 1 place$/, "$encoding: the sentence");
    my $sought = $here->value("SELECT answer_investigation_open('Locate', 'x', '$question')");
    $here->value("SELECT answer_investigation_record($sought, 'grep', '$class', '$target', '$strong')");
    is($here->value("SELECT reason FROM answer_quality($sought) WHERE class = 'FileSearch'"),
        qq{grep matched the phrase in 1 place, but the query does not name "$question"}, "$encoding: what is sought");
    # the longest text that a receipt can hold, in its encoding
    is($here->run("SELECT answer_investigation_open('Locate', 'x', repeat(substr('$target', 1, 1), 200))")->{state},
        $encoding eq 'SQL_ASCII' ? '22021' : '54000', "$encoding: a subject that is too long");
    my $receipt = $here->value("SELECT answer_quality_receipt($n)");
    is($here->value('SELECT (answer_verify(body) -> \'ok\')::text || (answer_replay(body) -> \'ok\')::text
        FROM answer.receipt WHERE schema = \'quality/v1\''), 'truetrue', "$encoding: the receipt");
    my $keys = quoted($here->value('SELECT answer_keys()'));
    is($server->value('SELECT (answer_verify(r::jsonb, ' . $keys . ") -> 'ok')::text || (answer_replay(r::jsonb) -> 'ok')::text
        FROM (SELECT " . quoted($receipt) . ' AS r) x'), 'truetrue', "$encoding: and in a UTF8 database");
    $here->close;
}
# bytes that are not UTF-8, which only SQL_ASCII allows
my $ascii = $server->session(dbname => 'q_sql_ascii', encoding => 'SQL_ASCII');
my $n = $ascii->value(q{SELECT answer_investigation_open('Locate', 'x')});
for my $call ("answer.grade_text('grep', E'caf\\351', E'a.c:1:caf\\351')", "answer.grade(E'caf\\351', '{}')",
    "answer_investigation_record($n, 'grep', E'caf\\351', '', '$strong')",
    "answer_investigation_record($n, 'grep', '', E'\\377', '$strong')",
    "answer_investigation_record($n, 'grep', '', 'x', '$strong', ARRAY['a', NULL, E'\\377'])",
    "answer_investigation_open('Locate', E'where is caf\\351?')", "answer_quality_class_register(E'caf\\351')",
    "answer_quality_class_register('Coffee', E'caf\\351')", "answer_quality_intent_register(E'caf\\351', '{}')",
    "answer_quality_grader_register(E'caf\\351', '検査', '\"g検査\"(jsonb)')",
    "answer_quality_grader_register('cafe', '検査', '\"g検査\"(jsonb)', E'\\351')") {
    like($ascii->run("SELECT $call")->{state}, qr/^(22021|22023)$/, "SQL_ASCII: refused: $call");
}
is($ascii->value('SELECT count(*) FROM answer.open_investigation'), 3, 'SQL_ASCII: and nobody is kept from reading');
is($ascii->value(q{SELECT answer_replay(jsonb_build_object('schema', 'quality/v1', 'x', E'caf\351')) -> 'ok'}),
    'false', 'SQL_ASCII: a verifier does not raise');
$ascii->close;

#
# rights
#
$server->value($_) for (
    'CREATE ROLE reader', 'CREATE ROLE recorder', 'CREATE ROLE administrator',
    'GRANT USAGE ON SCHEMA answer TO reader, recorder',
    'GRANT SELECT ON answer.investigation, answer.quality_entry, answer.quality_rule, answer.open_investigation
        TO reader',
    'GRANT EXECUTE ON FUNCTION answer.assessment_of(bigint), answer.assessment_of(bigint, text, text, text),
        answer_quality(bigint), answer.quality_reasons(bigint), answer_gap(bigint), answer.next_tool(bigint),
        answer_complete(bigint), answer.has_quality(bigint, text, answer_quality_level),
        answer.confidence_level(bigint) TO reader',
    'GRANT EXECUTE ON FUNCTION answer_investigation_open(text, text, text),
        answer_investigation_record(bigint, text, text, text, jsonb, text[], text),
        answer_investigation_close(bigint) TO recorder',
    'GRANT USAGE ON SCHEMA rules TO recorder',
);
my ($reader, $recorder) = map { my $session = $server->session; $session->value("SET ROLE $_"); $session } qw(reader recorder);
my $q = $recorder->value(q{SELECT answer_investigation_open('Polish', 'rights')});
is($recorder->value(record($q, 'lint', '{"q": "Strong"}')), 't', 'a recorder opens and records');
is($server->value("SELECT reason FROM answer.quality_entry WHERE investigation = $q"), 'recorder',
    'a grader runs with the rights of who records');
is($recorder->run($_)->{state}, '42501', "a recorder may not: $_") for ('SELECT FROM answer.quality_entry',
    "SELECT answer_gap($q)", 'DELETE FROM answer.quality_entry', "UPDATE answer.quality_entry SET quality = 'Strong'",
    "UPDATE answer.investigation SET outcome = 'success'", "SELECT answer_quality_receipt($q)",
    q{SELECT answer_quality_intent_register('Polish', '{}')}, 'SELECT FROM answer.quality_rule');
is($reader->value("SELECT string_agg(class, ' ') FROM answer_gap($q)"), 'Build', 'a reader sees gaps');
is($reader->value("SELECT answer.has_quality($q, 'Lint', 'Strong')"), 't', 'and asks for a class');
is($reader->value("SELECT count(*) > 0 FROM answer.open_investigation, unnest(gap)"), 't', 'of all investigations');
is($reader->run($_)->{state}, '42501', "a reader may not: $_") for (record($q, 'lint', '{"q": "Weak"}'),
    "SELECT answer_investigation_close($q)", 'SELECT FROM answer.receipt', 'SELECT FROM answer.quality_tool');
# graders try to use the rights of the role that records
$server->value($_) for (
    q{CREATE FUNCTION rules.greedy(observation jsonb) RETURNS answer_graded IMMUTABLE PARALLEL SAFE LANGUAGE plpgsql
        AS $$ BEGIN DELETE FROM answer.quality_entry; RETURN (NULL, 'Strong', 'Low', '')::public.answer_graded; END $$},
    q{SELECT answer_quality_grader_register('greedy', 'Lint', 'rules.greedy(jsonb)')},
    q{CREATE FUNCTION rules.slow(observation jsonb) RETURNS answer_graded IMMUTABLE PARALLEL SAFE LANGUAGE plpgsql
        AS $$ BEGIN PERFORM pg_sleep(20); RETURN (NULL, 'Strong', 'Low', '')::public.answer_graded; END $$},
    q{SELECT answer_quality_grader_register('slow', 'Lint', 'rules.slow(jsonb)'), answer_source_register('s'),
        answer_tool_register('slow'), answer_evidence_add('slow', '{}', '{}', 's')},
);
like($recorder->run(record($q, 'greedy', '{}'))->{state}, qr/^(42501|0A000)$/, 'a grader may not write');
cmp_ok($server->value('SELECT count(*) FROM answer.quality_entry'), '>', 0, 'and has not');
$result = $server->run(q{SELECT r #>> '{checks,0,verdict}', r -> 'evidence_index' -> (r #>> '{checks,0,evidence,0}') ->> 'quality'
    FROM answer_eval('{"deadline_ms": 300, "checks": [{"tool": "slow", "min_quality": "Weak"}]}') r});
is($result->{out}, 'not_evaluable|None', 'a grader that overruns the deadline grades nothing') or diag($result->{err});
note(sprintf('and is stopped after %.3f s', $result->{seconds}));
ok(!$server->crashed, 'the server lives');

done_testing();
