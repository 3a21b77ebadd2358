#!/usr/bin/env perl
# The tutorial, line by line: the files that it saves are saved, its commands are typed, and the output must be what it says,
# except for ids. Its roles must have exactly the rights that it says.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Test::More;

my $root = root_dir();
plan skip_all => 'the tutorial is not here' unless -f "$root/doc/tutorial.md";
my ($status) = AnswerServer::command('/usr/bin/python3', '-c', 'import psycopg');
plan skip_all => 'no psycopg 3 for Python' if $status;

my $server = AnswerServer->new('desk');
my $dir = AnswerServer::tmp_dir() . '/reader';
mkdir $dir or die "$dir: $!";
my @environment = ("PATH=" . AnswerServer::bindir() . ":$ENV{PATH}", "HOME=$dir", "ANSWER_EVAL=$root", "PGHOST=$server->{host}", 'PGPORT=5432',
    'PGUSER=postgres', 'PGDATABASE=desk', 'PYTHONDONTWRITEBYTECODE=1',
    'npm_config_userconfig=' . ($ENV{HOME} // '') . '/.npmrc');

# Ids follow from keys, which are random.
sub masked {
    my ($text) = @_;
    $text =~ s/\b(dec_|ae-ed25519-)[0-9a-f]{12,16}\b/$1.../g;
    return join("\n", grep { /\S/ } map { s/\s+$//r } split /\n/, $text);
}

# Runs commands as a person would type them. If a package of npm is not available, what needs it is skipped.
my $has_node = 1;
my ($saved, $typed, $compared) = (0, 0, 0);
my $output;
my $names = '';
my $text = slurp("$root/doc/tutorial.md");
while ($text =~ /\G(.*?)^```(\w*)\n(.*?)^```$/gms) {
    my ($before, $language, $block) = ($1, $2, $3);
    # the last name in backquotes that is the name of a file
    my ($name) = ($before =~ /`([\w-]+\.(?:sql|py|cjs|txt))`/g)[-1];
    if ($language eq 'sh') {
        if ($block =~ /^npm /) {
            $has_node = !(AnswerServer::command('timeout', 90, 'env', '-C', $dir, @environment, 'sh', '-c', (split /\n/, $block)[0]))[0];
            diag('skipped: Node.js: there is no npm, or it cannot install pg') unless $has_node;
        }
        if ($block =~ /^(?:npm|node) / && !$has_node) {
            $output = undef;
            next;
        }
        ($status, $output) = AnswerServer::command('env', '-C', $dir, @environment, 'bash', '-e', '-c', $block);
        is($status, 0, 'typed: ' . (split /\n/, $block)[0]) or diag($output);
        $typed++;
    }
    elsif (defined $name && $name ne $names) {
        spew("$dir/$name", $block);
        $names = $name;
        $saved++;
    }
    elsif ($language eq '' && $before !~ /Debian 12:\s*\z|how to reach the server|Give it one:\s*\z/ && defined $output) {
        is(masked($output), masked($block), 'and printed');
        $output = undef;
        $compared++;
    }
}
is($saved, 11, 'as many files as the tutorial has were saved');
cmp_ok($typed, '>=', 11, 'commands were typed');
cmp_ok($compared, '>=', 6, 'and outputs compared');

#
# the roles have the rights that the tutorial says, and no more
#
my $refused = sub {
    my ($user, $statement) = @_;
    return $server->run($statement, user => $user, dbname => 'desk')->{state};
};
is($refused->('desk_clerk', q{SELECT answer_grounded('Is there wifi?')}), '42501', 'the clerk cannot ask');
is($refused->('desk_bot', q{SELECT answer_document_load('[]')}), '42501', 'the bot cannot load documents');
is($refused->('desk_bot', q{SELECT answer_judge_register('other', '{}')}), '42501', 'nor register a judge');
is($refused->('desk_admin', q{UPDATE answer.receipt SET body = '{}'}), '42501', 'and nobody changes a receipt: not the administrator');
is($refused->('postgres', q{UPDATE answer.receipt SET body = '{}'}), '23001', 'not the superuser');
is($server->value(q{SELECT pg_get_userbyid(datdba) FROM pg_database WHERE datname = 'desk'}), 'desk_owner', 'the database is nobody\'s who logs in');
is($server->value(q{SELECT count(*) FROM pg_roles WHERE rolcanlogin AND pg_has_role(oid, 'desk_owner', 'MEMBER') AND NOT rolsuper}), 0,
    'and nobody is a member');
is($server->crashed, 0, 'the server lost no process');
done_testing();
