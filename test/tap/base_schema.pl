#!/usr/bin/env perl
# tiers: long
# The extension in a schema with an odd name instead of public: test/sql must give the same there, and other objects may have
# any name. An error says what cannot be changed: who creates the extension, and its schema.
use strict;
use warnings;
use utf8;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Encode qw(encode_utf8);
use Test::More;

# The server is set up as test/run.sh does it for pg_regress.
my $server = AnswerServer->new('schema', conf => ['max_prepared_transactions = 2'], initdb => ['-E', 'UTF8', '--locale=C.UTF-8']);
# The server's rule for scripts of extensions forbids quotation mark, apostrophe, dollar and backslash.
my $schema = encode_utf8('Ånswer; - %s %I * {,} pg_temp');
my $quoted = qq{"$schema"};

#
# who creates it, and where
#
{
    $server->value($_) for 'CREATE ROLE schema_owner LOGIN', 'CREATE DATABASE owned OWNER schema_owner';
    my $owner = $server->session(dbname => 'owned', user => 'schema_owner');
    my $result = $owner->run('CREATE EXTENSION answer_eval');
    is($result->{state}, '42501', 'the owner of a database cannot create it, for it is not a trusted extension');
    like($result->{err}, qr/permission denied to create extension "answer_eval".*superuser/s, 'as the server says');
    is($server->value(q{SELECT trusted OR relocatable OR schema IS NOT NULL FROM pg_available_extension_versions WHERE name = 'answer_eval'}),
        'f', 'the control file says so, that it does not move, and no schema');
    is($server->value('CREATE EXTENSION answer_eval; SELECT $$created$$', dbname => 'owned'), 'created', 'a superuser creates it there');
    is($owner->run('SELECT answer_key_generate()')->{state}, '42501', 'which gives the owner of the database no right to sign keys');
    is($owner->run('DROP EXTENSION answer_eval')->{state}, '42501', 'nor to drop it');
    $owner->close;
    $server->value('CREATE DATABASE refused');
    for my $name ('a"b', "a'b", 'a$b', 'a\\b') {
        my $as_name = '"' . $name =~ s/"/""/gr . '"';
        $server->value("CREATE SCHEMA $as_name", dbname => 'refused');
        is($server->run("CREATE EXTENSION answer_eval SCHEMA $as_name", dbname => 'refused')->{state}, '22P02', "the server refuses schema $as_name");
    }
}

#
# what test/sql needs
#
$server->value($_) for 'CREATE DATABASE elsewhere', "ALTER DATABASE elsewhere SET search_path = $quoted, public",
    # for the widths of psql's tables
    "ALTER DATABASE elsewhere SET client_encoding = 'UTF8'";
my $session = $server->session(dbname => 'elsewhere', setup => ['SET client_min_messages = warning', "CREATE SCHEMA $quoted", "GRANT USAGE ON SCHEMA $quoted TO PUBLIC",
    "CREATE EXTENSION answer_eval SCHEMA $quoted"]);
is($session->value(q{SELECT string_agg(DISTINCT n.nspname, ' ' ORDER BY n.nspname) FROM pg_depend d JOIN pg_proc p ON p.oid = d.objid
    JOIN pg_namespace n ON n.oid = p.pronamespace WHERE d.classid = 'pg_proc'::regclass AND d.deptype = 'e'
    AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'answer_eval')}), join(' ', sort 'answer', $schema),
    'its functions are in that schema and in "answer"');
is($session->run('ALTER EXTENSION answer_eval SET SCHEMA public')->{state}, '0A000', 'it does not move');
is($session->value(q{SELECT string_agg(detail, chr(10)) FROM answer_log_audit()}), '', 'the audit knows the catalog by that schema');

SKIP: {
    my $regress = $ENV{PG_REGRESS};
    skip 'no pg_regress here', 1 unless $regress && -x $regress;
    my $dir = AnswerServer::tmp_dir() . '/regress';
    my @tests = qw(base_canonical check_operator check check_composite evidence keys document_receipt document_forget document_timestamp document
        log eval quality graph_core ground_core ground_search plan_core);
    # elsewhere one or two files of each kind
    @tests = qw(base_canonical check check_composite evidence document_receipt ground_search plan_core) if by_tier(1, 1, 0);
    @tests = @ARGV if @ARGV;
    # The tests and what they expect, with that schema in the place of public.
    mkdir $_ for $dir, "$dir/sql", "$dir/expected";
    symlink(root_dir() . '/test/lib', "$dir/lib") or die $!;
    for my $file (map { ("sql/$_.sql", "expected/$_.out") } @tests) {
        my $text = slurp(root_dir() . "/test/$file");
        $text =~ s/(search_path (?:=|TO) [^;\n]*?)\bpublic\b/$1$quoted/g;
        $text =~ s/\bpublic\.(?=answer_)/$quoted./g;
        spew("$dir/$file", $text);
    }
    my (undef, $output) = AnswerServer::command($regress, '--use-existing', '--dbname=elsewhere', "--host=$server->{host}", '--port=5432',
        '--user=postgres', '--bindir=' . AnswerServer::bindir(), "--inputdir=$dir", "--outputdir=$dir", @tests);
    # Ignores the widths of columns, and objects with the schema's name.
    my $normal = sub { my ($text) = @_; $text =~ s/\Q$quoted\E/public/g; $text =~ s/[-+]{2,}/--/g; $text =~ s/[ \t]+/ /g; return $text };
    for my $test (@tests) {
        my $result = -e "$dir/results/$test.out" ? slurp("$dir/results/$test.out") : $output;
        if (!ok($normal->($result) eq $normal->(slurp("$dir/expected/$test.out")), "test/sql/$test.sql holds in schema $schema")) {
            spew("$dir/is", $normal->($result));
            spew("$dir/should", $normal->(slurp("$dir/expected/$test.out")));
            diag((AnswerServer::command('diff', '-U3', "$dir/should", "$dir/is"))[1]);
        }
    }
}

#
# the whole tour with our schema not on the search path, while schemas on it have other objects with all our names
#
my $evil = $server->session(dbname => 'elsewhere', setup => ['CREATE SCHEMA evil', 'SET search_path = evil',
    q{CREATE FUNCTION answer_digest(jsonb) RETURNS text LANGUAGE sql AS 'SELECT ''evil'''},
    q{CREATE FUNCTION answer_canonical(jsonb) RETURNS text LANGUAGE sql AS 'SELECT ''evil'''},
    'CREATE TABLE receipt (receipt_id text, body jsonb)']);
my $receipt = quoted($evil->value(qq{SELECT $quoted.answer_eval('{"checks": [{"tool": "postgres_server", "expect": {"op": "exists"}}]}')}));
is($evil->value("SELECT $quoted.answer_verify($receipt) -> 'ok'"), 'true', 'a receipt verifies without a search path');
is($evil->value("SELECT $quoted.answer_replay($receipt) -> 'ok'"), 'true', 'and replays');
is($evil->value("SELECT $quoted.answer_log_seal() ->> 'tree_size' <> '0'"), 't', 'and is sealed');
# the tests changed rows by hand, but left the catalog as installed
is($evil->run("SELECT detail FROM $quoted.answer_log_audit() WHERE finding = 'catalog'")->{out}, '', 'and audited');
is($evil->value('SELECT count(*) FROM receipt'), 0, 'and nothing of it went elsewhere');

# Functions in PL/pgSQL contain the schema's name. If it was renamed it must be renamed back, and the audit says so.
is($evil->run("ALTER SCHEMA $quoted RENAME TO moved")->{state}, '00000', 'the server lets its owner rename the schema');
is($evil->value("SELECT moved.answer_verify($receipt) -> 'ok'"), 'true', 'receipts verify under its new name');
is($evil->run('SELECT moved.answer_settings()')->{state}, '3F000', 'but what is written in PL/pgSQL looks for the old one');
like($evil->run(q{SELECT detail FROM moved.answer_log_audit() WHERE finding = 'catalog'})->{out},
    qr/^function moved\.answer_settings\(.*\) is not what the extension ships: it is "/m, 'the audit names what that breaks');
is($evil->run("ALTER SCHEMA moved RENAME TO $quoted")->{state}, '00000', 'renamed back');
is($evil->run("SELECT detail FROM $quoted.answer_log_audit() WHERE finding = 'catalog'")->{out}, '', 'all is well');

# dump and restore
my ($pg_dump, $psql) = map { quotemeta AnswerServer::program($_) } qw(pg_dump psql);
$server->value('CREATE DATABASE restored TEMPLATE template0');
{
    local $ENV{PGHOST} = $server->{host};
    local $ENV{PGPORT} = 5432;
    my ($status, $output) = AnswerServer::command('sh', '-c', "$pg_dump elsewhere --exclude-schema='evil' | $psql -X -q -v ON_ERROR_STOP=1 -o /dev/null -d restored");
    is("$status $output", '0 ', 'dump and restore of that database');
}
is($server->value("SELECT $quoted.answer_verify($receipt) -> 'ok'", dbname => 'restored'), 'true', 'the restored one verifies');
is($server->value("SELECT count(*) > 0 AND bool_and($quoted.answer_verify_ok(body)) FROM answer.receipt", dbname => 'restored'), 't', 'all that it has');
$_->close for $session, $evil;
ok(!$server->crashed, 'the server never crashed');
done_testing();
