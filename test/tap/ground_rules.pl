#!/usr/bin/env perl
# tiers: check test
# The data behind the rules of grounded answers: the tables are what their scripts print, the shipped rules are those of
# their file, and questions and chunks mean the same in every encoding. This file is UTF-8, and its literals are bytes.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Test::More;

my $reading = "$FindBin::Bin/../../src/reading";

sub read_file {
    my ($path) = @_;
    open my $file, '<:raw', $path or die "$path: $!";
    local $/;
    return scalar <$file>;
}

# What a script prints.
sub printed {
    open my $out, '-|:raw', $^X, @_ or die "$_[0]: $!";
    local $/;
    my $text = <$out>;
    close $out or die "$_[0] failed";
    return $text;
}

SKIP: {
    require Unicode::UCD;
    my $version = Unicode::UCD::UnicodeVersion();
    skip "this Perl has Unicode $version, characters.h is of 14", 1 if $version !~ /^14\./;
    is(printed("$reading/characters.pl"), read_file("$reading/characters.h"), 'characters.h is made of Unicode 14');
}

my $server = AnswerServer->new('ground');
my %db;
for my $encoding ('UTF8', 'LATIN1', 'EUC_JP', 'SQL_ASCII') {
    my $dbname = lc "db_$encoding";
    $server->value("CREATE DATABASE $dbname TEMPLATE template0 ENCODING '$encoding' LC_COLLATE 'C' LC_CTYPE 'C'");
    # SQL_ASCII takes any bytes, so it gets UTF-8
    $db{$encoding} = $server->session(dbname => $dbname, setup => ['SET client_min_messages = warning',
        'CREATE EXTENSION answer_eval']);
}

my $file = quoted(read_file("$reading/shipped_rules.json"));
for my $encoding ('UTF8', 'SQL_ASCII') {
    is($db{$encoding}->value("SELECT answer.shipped_decision_rules() = $file\::jsonb"), 't',
        "$encoding: the rules that ship are shipped_rules.json");
}
# a unit whose name the encoding cannot write is left out; the compiled rules have it
for (['LATIN1', 1, '€'], ['EUC_JP', 2, '€ and £']) {
    my ($encoding, $count, $missing) = @$_;
    is($db{$encoding}->value("SELECT count(*) FROM jsonb_object_keys(answer.shipped_decision_rules()->'units')"),
        $db{UTF8}->value("SELECT count(*) - $count FROM jsonb_object_keys(answer.shipped_decision_rules()->'units')"),
        "$encoding: the rules that ship, but for $missing");
}

# a receipt names the shipped rules or contains those of its encoding; either way its decision can be repeated
for my $encoding (sort keys %db) {
    my $receipt = quoted($db{$encoding}->value(q{SELECT answer_grounded('How are refunds paid?', '{"config": {"min_chunks": 1}, "chunks":
        [{"chunk_id": "a", "doc_id": "a", "text": "Refunds are paid to the card.", "similarity": 1, "timestamp": "2999-01-01"}]}')}));
    is($db{$encoding}->value("SELECT ${receipt}::jsonb ? 'rules'"), $encoding =~ /UTF8|ASCII/ ? 'f' : 't', "$encoding: whether rules are inside");
    is($db{$encoding}->value("SELECT answer_verify(${receipt}) #>> '{steps,$_}'"), '{"ok": true}', "$encoding: $_ of its receipt") for 'closure', 'replay';
    is($db{UTF8}->value("SELECT answer_replay(${receipt})"), '{"ok": true}', "$encoding: it is decided again in another");
    is($db{LATIN1}->value("SELECT answer_replay(${receipt})"), '{"ok": true}', "$encoding: also where the rules that ship cannot be written");
}

# the same answer wherever the characters are
my @cases = (
    [['LATIN1', 'EUC_JP', 'SQL_ASCII'], q{SELECT answer.risk('What is the API rate limit?')}],
    [['LATIN1', 'EUC_JP', 'SQL_ASCII'], q{SELECT answer.ambiguity('Can we downgrade without penalties?')}],
    [['LATIN1', 'SQL_ASCII'], qq{SELECT answer.risk('re\xC2\xADfund, ÉTÉ POLICY¿')}],
    [['EUC_JP', 'SQL_ASCII'], q{SELECT answer.risk('返金。refund；ＰＯＬＩＣＹ policy 日本refund')}],
    [['LATIN1', 'EUC_JP', 'SQL_ASCII'], q{SELECT answer_citations_check('["é"]',
        '[{"chunk_id": "é", "doc_id": "é", "text": "un été à Zürich", "similarity": 1}]', 'É "un été à" [é]')}],
    [['EUC_JP', 'SQL_ASCII'], q{SELECT answer_decide('日本?', '[{"chunk_id": "日", "doc_id": "本", "text": "日本。", "similarity": 1}]',
        '["日"]', '“日 本 語” 日本 [日]', '{}', '2024-04-01Z')}],
);
for my $case (@cases) {
    my ($encodings, $query) = @$case;
    my $expected = $db{UTF8}->value($query);
    is($db{$_}->run($query)->{out}, $expected, "$_: $query") for @$encodings;
}

# bytes that are no text are an error of class 22
for my $query (q{SELECT answer.risk(E'\\xff')}, q{SELECT answer.ambiguity(E'caf\\xe9')},
    q{SELECT answer_citations_check(NULL, NULL, E'\\xc3')}, q{SELECT answer_decide(E'\\xe2\\x80', NULL)},
    q{SELECT answer.retrieval_quality(E'[{"chunk_id": "\\xff", "doc_id": "", "text": "", "similarity": 1}]', 1, now())}) {
    is($db{SQL_ASCII}->run($query)->{state}, '22021', "SQL_ASCII: $query");
}

# memory grows with the text and with the rules, but not with their product
SKIP: {
    my $session = $db{UTF8};
    my $status = '/proc/' . $session->backend . '/status';
    skip 'no VmHWM here', 1 unless -r $status && read_file($status) =~ /^VmHWM:/m;
    $session->value(q{SELECT answer_conflicts(jsonb_build_array(
        jsonb_build_object('chunk_id', 'a', 'doc_id', 'a', 'similarity', 1, 'text', repeat('zz. ', 100000)),
        jsonb_build_object('chunk_id', 'b', 'doc_id', 'b', 'similarity', 1, 'text', 'zz.')),
        answer.shipped_decision_rules() || jsonb_build_object('topics', (SELECT jsonb_agg(jsonb_build_object(
            'entry', CASE i WHEN 40000 THEN 'zz' ELSE 'w' || i END, 'family', 'f' || i))
            FROM generate_series(1, 40000) AS i))) -> 'compared'});
    my ($kb) = read_file($status) =~ /^VmHWM:\s*(\d+)/m;
    cmp_ok($kb, '<', 300_000, 'many sentences with one of many topics take no set of topics each');
}

done_testing();
