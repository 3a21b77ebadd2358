#!/usr/bin/env perl
# What doc/operations.md says about sizes, roles before a dump, and what remains after uninstalling.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Test::More;

my $root = root_dir();
plan skip_all => 'the documents are not here' unless -f "$root/doc/operations.md";
my $text = slurp("$root/doc/operations.md");
my ($measure) = $text =~ /^```sql\n(SELECT count\(answer_eval.*?)^```/ms;
my ($uninstall) = $text =~ /^```sql\n(DROP OWNED.*?)^```/ms;
my ($roles) = slurp("$root/doc/answer_eval.md") =~ /^```sql\n([^`]*?^CREATE ROLE answer_reader.*?)^```/ms;

my $server = AnswerServer->new('operations', extended => 1);
my $data = $server->{data};
$server->value('CREATE DATABASE answers TEMPLATE postgres');

#
# the figures
#
my $answers = $server->session(dbname => 'answers');
$answers->value($roles);
my ($number, @bytes) = split /\|/, (split /\n/, $answers->value($measure))[-1];
my @told = $text =~ /gave ([\d,]+) bytes in the table, ([\d,]+) in its indexes and ([\d,]+) in the log/;
cmp_ok($number, '>=', 1000, 'what was minted is counted');
is(scalar(@told), 3, 'the manual has three figures');
tr/,//d for @told;
# other servers compress and align differently; few rows fill pages less well, and an index has its own pages
for (0 .. 2) {
    my ($what, $slack) = @{(['table', 0.35], ['indexes', 2.0], ['log', 1.0])[$_]};
    cmp_ok($bytes[$_], '<', $told[$_] * (1 + $slack), "$what: $bytes[$_] bytes a receipt are not much more than $told[$_]");
    cmp_ok($bytes[$_], '>', $told[$_] / (1 + $slack), "$what: $bytes[$_] bytes a receipt are not much less than $told[$_]");
}

#
# the role that created the extension is no superuser any more, and hands over all that it owns
#
$server->value($_) for 'CREATE ROLE creator SUPERUSER LOGIN', 'CREATE ROLE heir', 'CREATE DATABASE handed';
$server->value('CREATE EXTENSION answer_eval', dbname => 'handed', user => 'creator');
$server->value('ALTER ROLE creator NOSUPERUSER');
my $handed = $server->session(dbname => 'handed');
is($handed->run('REASSIGN OWNED BY creator TO heir')->{state}, '00000', 'who was a superuser can hand the extension over');
is($handed->value(q{SELECT tableowner FROM pg_tables WHERE schemaname = 'answer' AND tablename = 'receipt'}), 'heir', '... with its tables');
is($handed->value(q{SELECT evtenabled::text || ' ' || (SELECT rolsuper FROM pg_roles WHERE oid = evtowner) FROM pg_event_trigger}), 'A true',
    '... and what refuses to drop receipts stays');
$handed->value($_) for 'GRANT CREATE ON DATABASE handed TO heir', q{SELECT answer_eval('{"checks": [{"tool": "postgres_server"}]}')};
is($handed->run('DROP TABLE answer.receipt_default')->{state}, '2BP01', '... for the heir, too');
is($handed->run(q{SELECT answer_receipt_partition('2027-01-01Z', '2027-02-01Z')})->{state}, '00000', '... and a partition can be added');
$handed->close;

#
# a dump has the GRANTs, but not the roles
#
my @client = ('-h', $server->{host}, '-p', '5432');
my $dir = AnswerServer::tmp_dir();
AnswerServer::must(AnswerServer::program('pg_dumpall'), @client, '--roles-only', '-f', "$dir/roles.sql");
AnswerServer::must(AnswerServer::program('pg_dump'), @client, '-Fc', '-f', "$dir/answers.dump", 'answers');
my $new = AnswerServer->new('new');
my @other = ('-h', $new->{host}, '-p', '5432');
my $granted = q{SELECT count(*) FROM pg_proc p, aclexplode(p.proacl) AS a JOIN pg_roles r ON r.oid = a.grantee WHERE r.rolname ~ '^answer_'};
my $before = $answers->value($granted);
cmp_ok($before, '>', 20, 'the manual grants');
sub restored {
    my ($name) = @_;
    $new->value("CREATE DATABASE $name");
    my ($status, $output) = AnswerServer::command(AnswerServer::program('pg_restore'), @other, '-d', $name, "$dir/answers.dump");
    return ($status, $output, $new->value($granted, dbname => $name), $new->value(q{SELECT count(*) FROM answer.receipt WHERE schema = 'answer/v1'}, dbname => $name));
}
my ($status, $output, $grants, $receipts) = restored('roleless');
isnt($status, 0, 'without roles, the restore has errors');
like($output, qr/role "answer_reader" does not exist/, 'which name them');
is($grants, 0, 'and the GRANTs are lost');
is($receipts, 1000, 'while the data comes in');
AnswerServer::must(AnswerServer::program('psql'), '-X', '-q', @other, '-d', 'postgres', '-f', "$dir/roles.sql");
($status, $output, $grants, $receipts) = restored('whole');
is($status, 0, 'with roles first, it has none') or diag($output);
is($grants, $before, 'and every GRANT is there');
is($receipts, 1000, 'and the data');

#
# uninstalling
#
my $result = $answers->run($uninstall);
is("$result->{state} $result->{err}", '00000 ', 'the commands to uninstall succeed');
is($answers->value(q{SELECT count(*) FROM pg_proc WHERE proname LIKE 'answer\_%'}), 0, 'no function is left');
is($answers->value(q{SELECT count(*) FROM pg_namespace WHERE nspname = 'answer'}), 0, 'nor the schema');
like($answers->value($_), qr/^$/, "$_: the roles depend on nothing") for
    'DROP ROLE answer_reader, answer_writer, answer_recorder, answer_administrator, answer_anchorer, answer_eraser';
my @keys = glob("$data/answer_eval_keys/*.pem $data/answer_eval_keys/*/*.pem");
cmp_ok(scalar(grep { -f } @keys), '>', 0, 'private keys are left, as the manual says');

$answers->close;
is($_->crashed, 0, 'the server lost no process') for $server, $new;
done_testing();
