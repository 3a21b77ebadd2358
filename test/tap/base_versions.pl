#!/usr/bin/env perl
# tiers: long
# The version is the same everywhere, the install script works in every encoding, and the library exports only what SQL calls.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use File::Basename qw(basename);
use Test::More;

my $root = root_dir();
my ($version) = slurp("$root/answer_eval.control") =~ /^default_version\s*=\s*'([^']+)'/m;
like($version, qr/^\d+\.\d+\.\d+$/, "the control file says $version");

#
# what the sources say
#
SKIP: {
    skip 'META.json is not there yet', 4 unless -f "$root/META.json";
    require JSON::PP;
    my $meta = eval { JSON::PP::decode_json(slurp("$root/META.json")) };
    ok($meta, 'META.json is JSON') or diag($@);
    is($meta->{version}, $version, 'META.json: the version of the distribution');
    is($meta->{provides}{answer_eval}{version}, $version, 'META.json: the version of the extension');
    my @missing = grep { defined && !-f "$root/$_" && !/--/ } map { @{$_}{qw(file docfile)} } values %{$meta->{provides}};
    is("@missing", '', 'META.json: the files it names are there');
}
SKIP: {
    skip 'CHANGELOG.md is not there yet', 1 unless -f "$root/CHANGELOG.md";
    my ($newest) = slurp("$root/CHANGELOG.md") =~ /^##\s*\[?v?(\d+\.\d+\.\d+)/m;
    is($newest, $version, 'CHANGELOG.md: its newest entry');
}
SKIP: {
    skip 'doc/answer_eval.md is not there yet', 1 unless -f "$root/doc/answer_eval.md";
    my ($title) = slurp("$root/doc/answer_eval.md") =~ /^(?:#\s*)?(\S.*)$/m;
    skip "the title of doc/answer_eval.md names no version: $title", 1 unless $title =~ /\d+\.\d+/;
    like($title, qr/\b\Q$version\E\b/, 'doc/answer_eval.md: its title');
}
SKIP: {
    my @upgrades = glob("$root/sql/upgrade/answer_eval--*--*.sql");
    skip 'there is no upgrade script yet', 1 unless @upgrades;
    ok(scalar(grep { /--\Q$version\E\.sql$/ } @upgrades), 'an upgrade script leads to this version');
}
for my $file ("$root/answer_eval.control", glob("$root/sql/*.sql $root/sql/*/*.sql"), glob("$root/sql/upgrade/*.sql")) {
    my @lines = grep { /[^\x00-\x7f]/ } split /\n/, slurp($file);
    is(scalar(@lines), 0, basename($file) . ' is ASCII, so that it installs in every encoding')
        or diag(map { substr($_, 0, 120) . "\n" } @lines);
}

#
# what the server says
#
my $server = AnswerServer->new('versions', extended => 1);
is($server->value(q{SELECT extversion FROM pg_extension WHERE extname = 'answer_eval'}), $version,
    'the installed version');
is($server->value(q{SELECT answer_eval('{"checks": [{"tool": "postgres_server"}]}') #>> '{reproduce,evaluator,engine_version}'}),
    $version, 'the version in receipts');
SKIP: {
    skip 'PostgreSQL before 18 shows no version of a module', 1 if $server->value('SHOW server_version_num') < 180000;
    my $session = $server->session(setup => [q{SELECT answer_digest('1')}]);
    is($session->value(q{SELECT version FROM pg_get_loaded_modules() WHERE module_name = 'answer_eval'}), $version,
        'the version in the library');
}
is($server->value(q{SELECT count(*) FROM pg_extension_update_paths('answer_eval') WHERE target = } . quoted($version)
    . q{ AND path IS NULL AND source NOT LIKE 'unpackaged%'}), 0, 'every version there is can be updated to it');
for my $encoding ('UTF8', 'LATIN1', 'LATIN9', 'EUC_JP', 'EUC_KR', 'EUC_CN', 'WIN1252', 'KOI8R', 'SQL_ASCII') {
    $server->value("CREATE DATABASE in_\L$encoding\E TEMPLATE template0 ENCODING '$encoding' LC_COLLATE 'C' LC_CTYPE 'C'");
    my $result = $server->run('CREATE EXTENSION answer_eval', dbname => "in_\L$encoding");
    is($result->{state}, '00000', "CREATE EXTENSION in a database in $encoding") or diag($result->{err});
}
is($server->run('CREATE DATABASE elsewhere')->{state}, '00000', 'another database');
is($server->run('CREATE SCHEMA "Other Schema"; CREATE EXTENSION answer_eval SCHEMA "Other Schema"',
    dbname => 'elsewhere')->{state},
    '00000', 'CREATE EXTENSION in a schema of an odd name');
is($server->run(q{SELECT "Other Schema".answer_verify("Other Schema".answer_eval('{"checks": [{"tool": "postgres_server"}]}')) ->> 'ok'},
    dbname => 'elsewhere', options => '-c search_path=pg_catalog')->{out}, 'true', 'works without a search path');
is($server->run('SET answer_eval.allow_drop = on; DROP EXTENSION answer_eval; CREATE EXTENSION answer_eval', dbname => 'elsewhere')->{state}, '00000',
    'DROP EXTENSION and CREATE EXTENSION again');

#
# what the library exports
#
SKIP: {
    my ($library) = grep { -f } map { "$_/answer_eval.so" } ($server->value(
        q{SELECT setting FROM pg_config() WHERE name = 'PKGLIBDIR'}), AnswerServer::bindir() . '/../lib');
    my ($status, $symbols) = AnswerServer::command('nm', '-D', '--defined-only', $library || '');
    skip 'the library or nm is not there', 1 if $status;
    # for each C function that SQL calls, also those of tests: the function and its info record
    my %called = map { $_ => 1 } split /\n/, $server->value(q{SELECT DISTINCT prosrc FROM pg_proc WHERE probin LIKE '%answer_eval'});
    my @names = sort map { (split)[-1] } split /\n/, $symbols;
    my @missing = grep { my $name = $_; !grep { $_ eq $name } @names } map { ($_, "pg_finfo_$_") } sort keys %called;
    is("@missing", '', 'the library has every function that SQL calls');
    open(my $tests, '<', "$FindBin::Bin/../lib/answer_test.sql") or die "answer_test.sql: $!\n";
    $called{$_} = 1 for do { local $/ = undef; <$tests> } =~ /'(answer_eval_\w+)'/g;
    my @others = grep { !/^(Pg_magic_func|_PG_init|_PG_fini)$/ && !$called{s/^pg_finfo_//r} } @names;
    is(scalar(@others), 0, 'and exports nothing else') or diag(scalar(@others) . " other symbols: @others");
}
done_testing();
