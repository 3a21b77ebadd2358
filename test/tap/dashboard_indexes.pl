#!/usr/bin/env perl
# tiers: long
# A user's indexes on tables of the extension survive a dump, in the way of doc/dashboard.md and with its query.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Test::More;

my $server = AnswerServer->new('indexes', extended => 1);
my ($chapter) = slurp(root_dir() . '/doc/dashboard.md') =~ /^## Indexes of your own\n(.*?)^## /ms or die 'no chapter';
my ($make, $save) = $chapter =~ /^```sql\n(CREATE INDEX [^;]*;)\n(SELECT [^;]*;[^;]*;)\n```/m or die 'no statements';
my $own = q{SELECT string_agg(pg_get_indexdef(i.oid), E'\n' ORDER BY i.relname) FROM pg_class i WHERE i.relkind = 'i' AND i.relname ~ '^own_'};
$server->value($_) for 'CREATE DATABASE origin TEMPLATE postgres', 'CREATE DATABASE copy';
$server->{dbname} = 'origin';
$server->value($_) for q{SELECT answer_eval('{"checks": [{"tool": "postgres_server"}]}')}, 'SELECT answer_rollup()', $make;
my $partition = $server->value(q{SELECT answer_receipt_partition(now() + interval '40 days', now() + interval '70 days')});
$server->value($_) for 'CREATE INDEX own_default ON answer.receipt_default (verdict)', "CREATE INDEX own_partition ON $partition (verdict)";
my $before = $server->value($own);
my $sums = 'SELECT sum(documents) FROM answer.rollup WHERE grain = 1440';
my $counted = $server->value($sums);
my $receipts = $server->value('SELECT count(*) FROM answer.receipt');
my $saved = $server->value($save);

my @as = ('-h', $server->{host}, '-p', '5432', '-U', 'postgres');
my $file = AnswerServer::tmp_dir() . '/dump';
AnswerServer::must(AnswerServer::program('pg_dump'), @as, '-Fc', '-f', $file, 'origin');
AnswerServer::must(AnswerServer::program('pg_restore'), @as, '--exit-on-error', '-d', 'copy', $file);
$server->{dbname} = 'copy';
is($server->value($sums), $counted, 'sums come through a dump');
like($server->value($own), qr/\ACREATE INDEX own_partition ON [^\n]*\z/, 'of indexes that somebody made, one on an ordinary partition does');
for my $statement (split /\n/, $saved) {
    my $result = $server->run($statement);
    ok($result->{state} eq '00000' || $statement =~ /own_partition/ && $result->{state} eq '42P07', "it is made again: $statement");
}
is($server->value($own), $before, 'with what the manual has saved all are there');

# the exception that the manual names
$server->{dbname} = 'origin';
$server->value('CREATE INDEX own_whole ON answer.receipt (intent)');
$server->value('CREATE DATABASE other');
AnswerServer::must(AnswerServer::program('pg_dump'), @as, '-Fc', '-f', $file, 'origin');
my ($status, $said) = AnswerServer::command(AnswerServer::program('pg_restore'), @as, '-d', 'other', $file);
ok($status && $said =~ /own_whole" does not exist/, 'an index on all receipts is an error of a restore');
$server->{dbname} = 'other';
is($server->value('SELECT count(*) FROM answer.receipt'), $receipts, 'which loses nothing else');
done_testing();
