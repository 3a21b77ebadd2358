#!/usr/bin/env perl
# tiers: long
# Edits every column of every table while the guards are off, one at a time; and in every table adds a row, removes one, and
# puts an old one back. The audit must report it, or doc/log.md must say that it does not. The list comes from the catalog, so
# new tables and columns are tried at once. The long tier tries everything, .ci/run half of it and `make one` a tenth
# (ANSWER_EVAL_SHARE). ANSWER_EVAL_CHOICE or the seed chooses which; in .ci/run it follows from the commit. For edits that
# doc/log.md lists, a report is allowed; ANSWER_EVAL_THOROUGH=1 checks that there is none, and tries everything else in
# several ways.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Test::More;

# Tables without rows in the database of this test.
my %empty = (rollup_pruned => 'nothing is old enough to be pruned', graph_loose => 'no edge waits for its nodes');

my $seed = $ENV{ANSWER_EVAL_SEED} // 1;
my $choice = $ENV{ANSWER_EVAL_CHOICE} // $seed;
my $share = $ENV{ANSWER_EVAL_SHARE} // by_tier(0.1, 0.05, 1);
my $thorough = $ENV{ANSWER_EVAL_THOROUGH} ? 1 : 0;
my $lib = root_dir() . '/test/lib';
my $server = AnswerServer->new('every_column', extended => 1, conf => ['jit = off']);

sub load {
    my ($file) = @_;
    my ($status, $output) = AnswerServer::command(AnswerServer::program('psql'), '-X', '-q', '-o', '/dev/null', '-h', $server->{host}, '-p', '5432',
        '-d', 'postgres', '-f', "$lib/$file");
    is($status, 0, "$file is loaded") or BAIL_OUT($output);
    return;
}

#
# the database
#
load('everything.sql');
my $sql = $server->session;
$server->value('CREATE DATABASE witness');
my $witness = $server->session(dbname => 'witness', setup => ['CREATE EXTENSION answer_eval', q{SELECT answer_eval('{"checks": [{"tool": "postgres_server"}]}')}, 'SELECT answer_log_seal()']);
for my $pair ([$sql, $witness], [$witness, $sql]) {
    my ($log, $other) = @$pair;
    $other->value('SELECT answer_witness_trust(' . quoted($log->value('SELECT answer_log_vkey()')) . ')');
    my $line = $other->value('SELECT answer_checkpoint_cosign(' . quoted($log->value('SELECT answer_checkpoint_request(0)')) . ')');
    $log->value('SELECT answer_cosignature_add((SELECT max(tree_size) FROM answer.checkpoint), ' . quoted($line) . ', '
        . quoted($other->value('SELECT answer_witness_vkey()')) . ')');
}
if ((AnswerServer::command('openssl', 'version'))[0] == 0) {
    my $dir = AnswerServer::tmp_dir();
    spew("$dir/tsa.cnf", "[req]\ndistinguished_name = name\n[name]\n[tsa]\nserial = $dir/serial\ndefault_policy = 1.2.3.4.1\ndigests = sha256\nsigner_digest = sha256\n");
    spew("$dir/serial", "01\n");
    AnswerServer::must('openssl', 'req', '-x509', '-config', "$dir/tsa.cnf", '-newkey', 'rsa:2048', '-nodes', '-keyout', "$dir/tsa.key", '-out', "$dir/tsa.pem",
        '-days', '3650', '-subj', '/CN=tsa', '-addext', 'extendedKeyUsage = critical, timeStamping');
    my $id = $sql->value(q{SELECT min(receipt_id) FROM answer.receipt WHERE schema = 'answer/v1' AND body ->> 'schema' = schema});
    spew("$dir/query.tsq", pack('H*', $sql->value("SELECT encode(answer_anchor_request('$id'), 'hex')")));
    AnswerServer::must('openssl', 'ts', '-reply', '-config', "$dir/tsa.cnf", '-section', 'tsa', '-queryfile', "$dir/query.tsq", '-signer', "$dir/tsa.pem", '-inkey', "$dir/tsa.key", '-out', "$dir/reply.tsr");
    $sql->value("SELECT answer_anchor_attach('$id', '\\x" . unpack('H*', slurp("$dir/reply.tsr")) . "')");
    # and a request that nobody has answered
    $sql->value(q{SELECT answer_anchor_request(max(receipt_id), '1.2.3') FROM answer.receipt WHERE schema = 'answer/v1' AND body ->> 'schema' = schema});
}
else {
    $empty{anchor} = $empty{anchor_request} = 'there is no openssl command here';
}
load('every_column.sql');
$sql->value('CALL probe.keep()');
load('everything_later.sql');
$sql->value('SET client_min_messages = warning');
my $findings = q{SELECT coalesce(string_agg(format('%s: %s', finding, detail), chr(10) ORDER BY finding, detail), '')
    FROM answer_log_audit() WHERE finding NOT IN ('forgotten', 'detached')};
is($sql->value($findings), '', 'before, the audit finds nothing') or BAIL_OUT('there is nothing to compare with');
my %has = map { split / / } split /\n/, $sql->value(q{SELECT name || ' ' || (xpath('/row/n/text()', query_to_xml(format('SELECT count(*) AS n FROM %s', place), false, true, '')))[1]
    FROM probe.place});
my @without = grep { !$has{$_} && !$empty{$_} } sort keys %has;
is("@without", '', 'there are rows in every table');

#
# the list
#
my %listed;
{
    my ($section) = slurp(root_dir() . '/doc/log.md') =~ /^### What stays silent\n(.*?)^##/ms or die 'doc/log.md has no such section';
    for my $line (split /\n/, $section) {
        my ($first) = $line =~ /^\| (`.*?`) \|/ or next;
        $listed{$_}++ for $first =~ /`([^`]+)`/g;
    }
}
cmp_ok(scalar(keys %listed), '>', 20, 'doc/log.md lists what stays silent');
is(join(', ', grep { $listed{$_} > 1 } sort keys %listed), '', 'nothing twice');
my %known = map { $_ => 1 } split /\n/, $sql->value(q{SELECT string_agg(n, chr(10)) FROM (SELECT p.name || '.' || a.attname FROM probe.place p JOIN pg_attribute a ON a.attrelid = p.place AND a.attnum > 0
    UNION ALL SELECT p.name || w FROM probe.place p, unnest('{" +"," -"," <"}'::text[]) AS w) AS k (n)});
is(join(', ', grep { !$known{$_} } sort keys %listed), '', 'and nothing that there is not');

#
# the attempts
#
my $beside = quoted('{' . join(',', keys %empty) . '}');
# one audit for each: attempts that need no finding would tell nothing
my $allowed = quoted('{' . join(',', map { qq{"$_"} } $thorough ? () : sort keys %listed) . '}');
my @calls = split /\n/, $sql->value("SELECT string_agg(c, chr(10)) FROM probe.attempts('$seed', " . quoted($choice) . ", $share, " . ($thorough ? 'true' : 'false') . ", $beside, $allowed) AS c");
cmp_ok(scalar @calls, '>', 20, scalar(@calls) . " columns and tables are tried, ANSWER_EVAL_CHOICE=$choice");
for my $call (@calls) {
    my $result = $sql->run($call);
    fail("$call: $result->{state} $result->{err}") if $result->{state} ne '00000';
}
my (%silent, %found);
for (split /\n/, $sql->value(q{SELECT string_agg(DISTINCT place || what || ': ' || CASE WHEN result IN ('silent', 'same') OR result LIKE 'refused: %' THEN split_part(result, ':', 1) ELSE 'found' END, chr(10)) FROM probe.result})) {
    my ($what, $result) = /^(.*): (\w+)$/;
    $silent{$what} = 1 if $result eq 'silent';
    $found{$what} = 1 if $result eq 'found';
}
my ($attempts, $count) = split / /, $sql->value(q{SELECT count(*) || ' ' || count(*) FILTER (WHERE result = 'silent') FROM probe.result WHERE result <> 'same' AND result NOT LIKE 'refused: %'});
note("$attempts edits, of which $count are silent");
for my $what (sort keys %silent) {
    ok($listed{$what}, "$what is silent, and doc/log.md says so")
        or diag($sql->value('SELECT string_agg(statement, chr(10)) FROM probe.result WHERE place || what = ' . quoted($what) . q{ AND result = 'silent'}));
}
cmp_ok(scalar(keys %found), '>', 10, scalar(keys %found) . ' are found');
SKIP: {
    skip 'only a share was tried', 1 if $share < 1 || !$thorough;
    # cases that chance did not hit are tried on purpose
    my @found = grep { my ($name, $what) = /^(\w+)(.*)$/; $sql->value("SELECT probe.is_silent('answer.$name', '$what', 12)") ne 't' }
        grep { !$silent{$_} } sort keys %listed;
    is(join(', ', @found), '', 'everything that is listed is silent');
}
is($sql->value($findings), '', 'after all this, the audit finds nothing');
$_->close for $sql, $witness;
ok(!$server->crashed, 'the server never crashed');
done_testing();
