#!/usr/bin/env perl
# tiers: check test
# What the audit expects of the catalog: sql/catalog.sha256 fits sql/, the header that make writes from it says the same, and the audit
# names what differs and what is there instead, in any schema.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Test::More;

my $root = root_dir();
my $server = AnswerServer->new('catalog');
my $findings = q{SELECT coalesce(string_agg(detail, chr(10) ORDER BY detail), '') FROM answer_log_audit() WHERE finding = 'catalog'};

#
# the lines agree with sql/
#
my $committed = slurp("$root/sql/catalog.sha256");
$server->value('CREATE DATABASE made');
my $made = AnswerServer::must(AnswerServer::program('psql'), '-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-h', $server->{host}, '-p', '5432', '-d', 'made', '-f',
    "$root/test/lib/manifest.sql");
sub by_object { my ($text) = @_; return map { my @fields = split /\t/; $fields[1] => $_ } grep { !/^#/ } split /\n/, $text }
my %made = by_object($made);
my %committed = by_object($committed);
if (!ok($made eq $committed, 'sql/catalog.sha256 is what sql/ makes')) {
    my @differ = grep { ($made{$_} // '') ne ($committed{$_} // '') } sort keys %{{%made, %committed}};
    diag("sql/ was changed, or two branches were merged: run `make manifest` and commit sql/catalog.sha256. It differs in:");
    diag("    $_") for @differ[0 .. ($#differ < 19 ? $#differ : 19)];
    diag("    and in " . (@differ - 20) . " more") if @differ > 20;
}
cmp_ok(scalar keys %made, '>', 4000, 'they are ' . keys(%made) . ' objects');
is(scalar(grep { !/^#/ } split /\n/, $made), scalar keys %made, 'each of them has one line');

#
# the header that make writes from them
#
my $copy = AnswerServer::tmp_dir() . '/copy';
AnswerServer::must('mkdir', '-p', "$copy/sql", "$copy/src/log");
AnswerServer::must('cp', $_, $copy) for "$root/Makefile", "$root/answer_eval.control";
spew("$copy/sql/catalog.sha256", $committed . ('0' x 64) . "\trow \"a\\b\" of ??/\t1,2\t\\u20ac\n");
AnswerServer::must('make', '-s', '-C', $copy, 'src/log/manifest.h');
my $unquoted = sub { my ($text) = @_; $text =~ s/\\(.)/$1/g; return $text };
my $header = join '', map { my @fields = map { $unquoted->($_) } /"((?:[^"\\]|\\.)*)"/g; (join("\t", @fields[1, 0, 2, 3]) =~ s/\t+\z//r) . "\n" } split /\n/,
    slurp("$copy/src/log/manifest.h");
ok($header eq (join '', map { "$_\n" } grep { !/^#/ } split /\n/, slurp("$copy/sql/catalog.sha256")), 'make writes the same as C, whatever the names are made of');

#
# the schema's name can be a word that also occurs in the objects for another reason
#
my $databases = 0;
for my $schema ('public', 'a', 'function', "\"Sch\xc3\xa9ma x\"") {
    my $name = 'in_' . ++$databases;
    $server->value("CREATE DATABASE $name");
    my $session = $server->session(dbname => $name, setup => ['SET client_min_messages = error', "CREATE SCHEMA IF NOT EXISTS $schema", "SET search_path = $schema, public",
        "CREATE EXTENSION answer_eval SCHEMA $schema"]);
    is($session->value($findings), '', "in schema $schema the audit finds nothing");
    next unless $schema =~ /^(?:a|public)$/;
    # In a function, the schema's name is replaced by the mark that the lines have for it, by another name, or by nothing.
    my $change = sub { my ($from, $to) = @_; return qq{UPDATE pg_proc SET prosrc = replace(prosrc, '$from', '$to') WHERE oid = (SELECT p.oid FROM pg_proc p
        WHERE p.pronamespace = '$schema'::regnamespace AND p.prosrc LIKE '%$schema.answer%' ORDER BY p.proname COLLATE "C" LIMIT 1) RETURNING oid::regprocedure} };
    for my $to ('@extschema@.', 'other.', '.') {
        $session->value($_) for 'BEGIN', 'SET LOCAL allow_system_table_mods = on';
        my ($function) = $session->value($change->("$schema.", $to)) =~ /^([^(]+)/;
        like($session->value($findings), qr/^function (?:\w+\.)?\Q$function\E\(.*\) is not what the extension ships: it is "/m,
            "in schema $schema a function that names $to is found");
        $session->value('ROLLBACK');
    }
}

#
# the audit shows the present definition
#
my $sql = $server->session(setup => ['SET client_min_messages = error', 'CREATE EXTENSION answer_eval']);
sub shows {
    my ($what, $statement, $expected) = @_;
    $sql->value($_) for 'BEGIN', 'SET LOCAL allow_system_table_mods = on', $statement;
    # if an object of the extension was changed, a row says that nothing else was audited
    is((grep { !/^what is stored was not audited/ } split /\n/, $sql->value($findings))[0], $expected, $what);
    $sql->value('ROLLBACK');
    return;
}
my $catalog = q{SELECT md5(string_agg(format('%L %L', object, state), ';')) FROM answer.catalog()};
is($sql->value($catalog), $server->session(dbname => 'in_1')->value($catalog), 'another database says what should be there');
shows('a column with another default', q{ALTER TABLE answer.source ALTER COLUMN seed SET DEFAULT true},
    'what goes into column answer.source.seed is not what the extension ships: it is "not null default true"');
shows('a function that is gone', 'ALTER EXTENSION answer_eval DROP FUNCTION answer.catalog(); DROP FUNCTION answer.catalog()', 'function answer.catalog(OUT object text, OUT state text) is gone');
my $begin = 'sql() returns text, kind f, volatile v, strict f, definer f, leakproof f, parallel u, cost 100, rows 0, settings , extension f: ';
my $body = 'x' x (191 - length $begin) . "\xe2\x82\xac" . 'y' x 1000;
shows('the beginning of a long text, in whole characters', qq{CREATE FUNCTION answer.mine() RETURNS text LANGUAGE sql AS \$\$SELECT '$body'\$\$},
    "function answer.mine() is not part of the extension: ${begin}SELECT '" . 'x' x (191 - length $begin) . '... (' . (length($begin) + length("SELECT '$body'")) . ' bytes)');

#
# views and function bodies are compared word by word: these regular expressions made the digests, whatever the text contains
#
$sql->value($_) for 'BEGIN', q{CREATE VIEW answer.hostile AS SELECT 'a"x".b "" "". ("""q"".""x".y) 1.5.6 UPDATE ONLY t AS z INSERT INTO "a b" AS c DELETE FROM é.b AS d'::text AS "we""ird.col",
    '"""".x """.y" .z'::text AS "A.b", $$"a"."b""c".d Ab.cd aB.cd _a.b "x" = "y".z$$::text AS c},
    'CREATE FUNCTION answer.hostile() RETURNS bigint LANGUAGE sql BEGIN ATOMIC WITH u AS (UPDATE answer.tenant AS t SET tenant = t.tenant WHERE false RETURNING 1) SELECT count(*) FROM u; END',
    'SET LOCAL search_path = pg_catalog, pg_temp';
is($sql->value(q{WITH text (object, text) AS (SELECT 'relation answer.' || quote_ident(relname), pg_get_viewdef(oid) FROM pg_class WHERE relnamespace = 'answer'::regnamespace AND relkind = 'v'
    UNION ALL SELECT 'function answer.hostile()', pg_get_function_sqlbody('answer.hostile()'::regprocedure)),
    words AS (SELECT object, regexp_replace(regexp_replace(regexp_replace(text, '([[:<:]][a-z_0-9]+|"([^"]|"")+")[.]', '', 'g'),
        '[\s()]+', ' ', 'g'), '[[:<:]]((DELETE FROM|UPDATE|INSERT INTO)( ONLY)? [^ ]+) AS ', '\1 ', 'g') AS words FROM text)
    SELECT concat_ws(', ', count(*) > 50, string_agg(w.object, ', ') FILTER (WHERE right(c.state, length(w.words) + 2) NOT IN (': ' || w.words))) FROM words w JOIN answer.catalog() c USING (object)}),
    't', 'the words of views and bodies are what the regular expressions leave of them');
$sql->value('ROLLBACK');

#
# a plan that was made while names meant something else is not used again
#
my $pooled = $server->session(setup => ['SET client_min_messages = error']);
for my $function ('pg_get_constraintdef(oid)', 'pg_get_indexdef(oid)') {
    my ($kind) = $function =~ /get_(\w+)def/;
    $pooled->value($_) for 'BEGIN', "CREATE OR REPLACE FUNCTION pg_catalog.$function RETURNS text LANGUAGE sql STABLE AS \$\$SELECT 'nothing'\$\$";
    like($pooled->value($findings), qr/^$kind .* is not what the extension ships: it is "nothing/m, "an audit while $function is another function");
    $pooled->value('ROLLBACK');
    is($pooled->value($findings), '', 'an audit of the same session after it is what it was');
}

done_testing();
