#!/usr/bin/env perl
# tiers: test
# The commands in the documents work, in their order, and the targets of links exist.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Test::More;

my $root = root_dir();
plan skip_all => 'the documents are not here' unless -f "$root/README.md";

# The SQL of a document, in blocks.
sub blocks { my ($file) = @_; return slurp("$root/$file") =~ /^```sql\n(.*?)^```/msg }

# fsync is on, as in production, because the README asks about it
my $server = AnswerServer->new('documents', conf => ['fsync = on'], extended => 1);

#
# blocks
#
# The manual comes first: it creates the roles to which the others grant. Blocks with a placeholder are not run. The README
# creates the extension, which takes some time; the other pages, most of which create it too, find it there.
for my $file ('doc/answer_eval.md', 'README.md', 'doc/route.md', 'doc/quality.md', 'doc/log.md', 'doc/applications.md',
    'doc/receipt-page.md', 'doc/dashboard-page.md', 'doc/operations.md', 'doc/tenants.md', 'doc/ground.md', 'doc/graph.md', 'doc/plan.md',
    'doc/reading.md', 'doc/judge.md', 'doc/config.md') {
    my ($name) = $file =~ /([\w-]+)\.md$/;
    my @blocks = grep { !/…|ans_0123456789abcdef/ || $file ne 'doc/answer_eval.md' } blocks($file);
    cmp_ok(scalar(@blocks), '>', 0, "$file: there are blocks of SQL");
    $server->value("CREATE DATABASE \"$name\"" . ($name eq 'README' ? '' : ' TEMPLATE postgres'));
    my $session = $server->session(dbname => $name);
    $session->value('SET client_min_messages = warning') if $file =~ /answer_eval|log|operations/;    # an audit prints what it looked at, a new partition what moved
    $blocks[0] =~ s/^CREATE EXTENSION answer_eval;\n// unless $name eq 'README';
    for my $number (grep { $blocks[$_] =~ /\S/ } 0 .. $#blocks) {
        my $result = $session->run($blocks[$number]);
        is("$result->{state} $result->{err}", '00000 ', "$file: block $number");
    }
    $session->close;
}

#
# programs with a language model as judge; test/drivers runs them
#
{
    my $applications = slurp("$root/doc/applications.md");
    for my $case (['python', 'grounded.py'], ['javascript', 'grounded.cjs']) {
        my ($language, $name) = @$case;
        my ($program) = $applications =~ /`\Q$name\E`(?:(?!^```$language).)*^```$language\n(.*?)^```$/ms;
        like($program, qr/answer_retrieve.*answer_judge_pairs.*answer_grounded/s, "$name: a whole turn");
        cmp_ok(scalar(grep { /\S/ } split /\n/, $program), '<=', 30, "$name: in 30 lines");
    }
}

#
# results that the quick start and chapters show
#
is($server->value('SELECT answer_config() ->> $$min_chunks$$', dbname => 'config'), 1, 'doc/config.md: the first one of your own is in force');
my $start = $server->session(dbname => 'README');
is($start->value(q{SELECT body ->> 'verdict' FROM answer.receipt ORDER BY issued_at DESC LIMIT 1}), 'supported',
    'README.md: the verdict');
my $readme = slurp("$root/README.md");
my $summary = $start->value(q{SELECT answer_summary(body) FROM answer.receipt WHERE schema = 'decision/v1'});
like($readme, qr/^\Q$summary\E$/m, 'README.md: the summary of a decision, with who judged it');
my @printed = map { join('|', split /\s*\|\s*/) } $readme =~ /^ ((?:modern|durable) .*)$/mg;
my $shown = $start->value(q{SELECT s."check", s.verdict, s.confidence, s.observed, s.reason FROM (SELECT body FROM answer.receipt
    WHERE schema = 'answer/v1' ORDER BY issued_at LIMIT 1) AS r, answer_show(r.body) AS s});
my ($version) = split / /, $start->value('SHOW server_version');
s/\|\Q15.20\E\|/|$version|/ for @printed;
is($shown, join("\n", @printed), 'README.md: the table that is shown');
{
    # the figures, from the command given there; its columns are judges, its rows results
    my ($command) = $readme =~ /^(python3 test\/measure\/everyday\.py .*)$/m;
    my ($status, $measured) = AnswerServer::command('env', '-C', $root, split / /, $command);
    is($status, 0, 'README.md: the command that measures') or diag($measured);
    my %row = map { /^(\w+(?: \w+)+) +(\d+) +(\d+) +(\d+)$/ ? ($1 => [$2, $3, $4]) : () } split /\n/, $measured;
    for (['question', 'plain right', 'hedged right+hedged wrong', 'plain wrong', 'refused'], ['unanswerable', 'refused', 'hedged', 'plain'],
        ['sentence true', 'plain', 'hedged', 'stopped'], ['sentence false', 'plain', 'hedged', 'stopped']) {
        my ($what, @parts) = @$_;
        my $figures = join(' | ', map { my $judge = $_; join(', ', map { my $sum = 0; $sum += $row{"$what $_"}[$judge] for split /\+/; $sum } @parts) } 0 .. 2);
        like($readme, qr/^\| .* \| \Q$figures\E \|$/m, "README.md: the figures of $what");
    }
}
my $route = $server->session(dbname => 'route');
is($route->value(q{SELECT body ->> 'verdict' FROM answer.receipt WHERE body ->> 'question' LIKE 'There are%'}), 'supported',
    'doc/route.md: the verdict');
for my $question ('How many customers are in Germany?') {
    my $said = $route->value(qq{SELECT answer_summary(body) FROM answer.receipt WHERE body ->> 'question' = '$question'});
    like(slurp("$root/doc/route.md"), qr/^\Q$said\E$/m, 'doc/route.md: the number');
}
my $suggested = $route->value(q{SELECT string_agg(route_id || ' | ' || question, E'\n' ORDER BY n)
    FROM answer_route_suggest('customer') WITH ORDINALITY AS s (route_id, pattern, question, statement, n)});
is(join("\n", map { s/ +\| +/ | /r =~ s/^ +| +$//gr } slurp("$root/doc/route.md") =~ /^( customer\.\w+.*\|.*)$/mg), $suggested, 'doc/route.md: what is suggested');
is(scalar(grep { index(join("\n", blocks('doc/route.md')), $_) >= 0 } split /\n(?=SELECT)/, $route->value(q{SELECT statement FROM answer_route_suggest('customer')
    WHERE route_id = 'customer.count.country'})), 3, 'doc/route.md: and the statement');
my $quality = $server->session(dbname => 'quality');
is($quality->value('SELECT outcome FROM answer.investigation WHERE investigation = 1'), 'success', 'doc/quality.md: the outcome');
is($quality->value(q{SELECT string_agg(body ->> 'verdict', ' ' ORDER BY issued_at) FROM answer.receipt}), 'evidenced supported',
    'doc/quality.md: the verdicts');

my ($granted) = grep { /^CREATE ROLE answer_reader/m } blocks('doc/answer_eval.md');
like(slurp("$root/examples/roles.sql"), qr/^(?:--.*\n)+\Q$granted\E\z/, 'examples/roles.sql is what doc/answer_eval.md grants');

#
# the chapters name every function for users, every table, view and setting
#
my @names = split /\n/, $start->value(q{SELECT p.proname FROM pg_proc p JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid
        AND d.deptype = 'e' AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'answer_eval')
    WHERE p.prorettype <> 'trigger'::regtype AND obj_description(p.oid, 'pg_proc') !~ 'not for direct use'
    UNION SELECT relname FROM pg_class WHERE relnamespace = 'answer'::regnamespace AND relkind IN ('r', 'p', 'v')
    UNION SELECT name FROM pg_settings WHERE name ~ '^answer_eval[.]'});
cmp_ok(scalar(@names), '>', 120, 'there are names');
my $chapters = join('', map { slurp($_) } glob("$root/doc/*.md"));
is(join(' ', grep { $chapters !~ /(?<!\w)\Q$_\E(?!\w)/ } @names), '', 'the chapters name all of them');

#
# the reference has each function with its arguments and each table with its columns; a comment is one sentence and a link
#
my $members = q{JOIN pg_depend d ON d.objid = o.oid AND d.deptype = 'e' AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'answer_eval')};
my @signatures = split /\n/, $start->value(q{SELECT CASE o.prokind WHEN 'a' THEN 'aggregate ' WHEN 'p' THEN 'procedure ' ELSE '' END
        || CASE n.nspname WHEN 'answer' THEN 'answer.' ELSE '' END || o.proname || '(' || regexp_replace(s.arguments, '( DEFAULT (NULL|''[^'']*''))::[a-z0-9_]+(\[\])?', '\1', 'g') || ')'
        || COALESCE(' returns ' || s.result, '')
    FROM pg_proc o } . $members . q{ AND d.classid = 'pg_proc'::regclass JOIN pg_namespace n ON n.oid = o.pronamespace,
        LATERAL (SELECT replace(replace(pg_get_function_arguments(o.oid), 'timestamp with time zone', 'timestamptz'), 'double precision', 'float8') AS arguments,
            replace(replace(pg_get_function_result(o.oid), 'timestamp with time zone', 'timestamptz'), 'double precision', 'float8') AS result) s
    WHERE obj_description(o.oid, 'pg_proc') !~ 'not for direct use'});
my $reference = slurp("$root/doc/reference.md");
cmp_ok(scalar(@signatures), '>', 150, 'there are functions for use');
is(join("\n", grep { index($reference, "\n`$_`\n") < 0 } @signatures), '', 'doc/reference.md has each of them as it is called');
is(scalar(() = $reference =~ /^`[^`\n]+`$/mg), scalar(@signatures), '... and no other');
{
    # what a newcomer guesses: it does not exist, and everything that it leads to does
    my ($list) = $reference =~ /^## Names that are not there\n(.*?)^## /ms;
    my @lines = map { [split /\s*\|\s*/, substr($_, 2)] } ($list =~ /^(\| .*)$/mg)[1 .. 10];
    is(scalar(grep { defined && @$_ == 2 } @lines), 10, 'doc/reference.md: names that are not there');
    my %is_function = map { $_ => 1 } split /\n/, $start->value(q{SELECT o.proname FROM pg_proc o } . $members . q{ AND d.classid = 'pg_proc'::regclass});
    for my $line (@lines) {
        my @guessed = $line->[0] =~ /`(\w+)`/g;
        is(join(' ', grep { $is_function{$_} } @guessed), '', "$line->[0]: is not there");
        is(join(' ', grep { !$is_function{$_} } $line->[1] =~ /\b(answer_\w+)\b(?!')/g), '', '... and what it leads to is');
    }
}
my %rows = map { my ($name, $columns) = split /\|/; ($name => $columns) } split /\n/, $start->value(q{SELECT 'answer.' || o.relname || '|' || string_agg(a.attname, ' ' ORDER BY a.attnum)
    FROM pg_class o } . $members . q{ AND d.classid = 'pg_class'::regclass JOIN pg_attribute a ON a.attrelid = o.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE o.relkind IN ('r', 'p', 'v') AND o.relnamespace = 'answer'::regnamespace GROUP BY o.oid, o.relname});
my %told = map { my ($name) = /^(\S+)/; ($name => join(' ', /^\| `([^`]+)` \|/mg)) } (split /^## /m, slurp("$root/doc/tables.md"))[1 .. keys %rows];
is(join("\n", map { "$_: $told{$_}" } sort keys %told), join("\n", map { "$_: $rows{$_}" } sort keys %rows), 'doc/tables.md has each table and view with its columns');
is($start->value(q{SELECT string_agg(o.oid::regprocedure::text, ' ') FROM pg_proc o } . $members . q{ AND d.classid = 'pg_proc'::regclass
    WHERE obj_description(o.oid, 'pg_proc') !~ CASE WHEN obj_description(o.oid, 'pg_proc') ~ 'not for direct use' THEN '^[^\n]+\.$'
        ELSE '^[^\n]+[.] See doc/reference[.]md#' || CASE o.pronamespace WHEN 'answer'::regnamespace THEN 'answer' ELSE '' END || o.proname || '[.]$' END OR length(obj_description(o.oid, 'pg_proc')) NOT BETWEEN 20 AND 300}), '',
    'the comment of a function is one sentence and the place in the reference');
is($start->value(q{SELECT string_agg(o.relname, ' ') FROM pg_class o } . $members . q{ AND d.classid = 'pg_class'::regclass
    WHERE o.relkind IN ('r', 'p', 'v') AND obj_description(o.oid, 'pg_class') !~ ('^[^\n]{10,250}[.] See doc/tables[.]md#answer' || o.relname || '[.]$')}), '',
    'and so is that of a table or view');
is($start->value(q{SELECT string_agg(concat(o.relname, '.', a.attname), ' ') FROM pg_class o } . $members . q{ AND d.classid = 'pg_class'::regclass
    JOIN pg_attribute a ON a.attrelid = o.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE o.relkind IN ('r', 'p', 'v') AND (col_description(o.oid, a.attnum) ~ '[a-z)"][.] [A-Z].* See doc' OR length(col_description(o.oid, a.attnum)) > 300
        OR col_description(o.oid, a.attnum) !~ '^[^\n]+[.] See doc/tables[.]md#answer[a-z_]+[.]$')}), '', 'and that of a column');

my ($all) = slurp("$root/doc/tenants.md") =~ /^- views of the rows of all:(.*?)^- anything in/ms;
is(join(' ', sort($all =~ /`(answer\.\w+)`/g)), join(' ', sort split /\n/, $start->value(q{SELECT name FROM answer.of_all_tenants
    WHERE name !~ '^answer_archive'})), 'doc/tenants.md names what a tenant\'s role must not be granted');
$_->close for $start, $route, $quality;

#
# links
#
my %anchors;
sub anchors_of {
    my ($path) = @_;
    return $anchors{$path} ||= {map { my $a = lc($_); $a =~ s/`//g; $a =~ s/[^\w\- ]//g; $a =~ s/ /-/g; ($a => 1) }
            slurp($path) =~ /^#+ +(.*?)\s*$/mg};
}
for my $path ("$root/README.md", "$root/CONTRIBUTING.md", "$root/CHANGELOG.md", glob("$root/doc/*.md")) {
    my ($folder) = $path =~ m{^(.*)/};
    my @broken;
    for my $link (slurp($path) =~ /\]\(([^)\s]+)\)/g) {
        next if $link =~ /^https?:/;
        my ($file, $anchor) = $link =~ /^([^#]*)(?:#(.*))?$/;
        my $target = $file eq '' ? $path : "$folder/$file";
        push @broken, $link if !-e $target || defined $anchor && !anchors_of($target)->{$anchor};
    }
    is("@broken", '', substr($path, length($root) + 1) . ': every link leads somewhere');
}

is($server->crashed, 0, 'the server lost no process');
done_testing();
