#!/usr/bin/env perl
# tiers: check test
# The directories are layers, in the Makefile's order. A file includes nothing from a directory above its own, modules do not
# include each other in a circle, and every file belongs to a directory in the Makefile. A header's own file defines what it
# declares, so that no header stands in for a file above. A query, in C or in sql, names only tables and functions of its own
# directory and of those below; the exceptions are listed with their reasons. A file of test SQL is named after the directory
# that it tests, and its lines are short enough to read.
use strict;
use warnings;
use FindBin;
use Test::More;

my $root = "$FindBin::Bin/../..";

sub read_file {
    my ($path) = @_;
    open my $file, '<', $path or die "$path: $!";
    local $/;
    return scalar <$file>;
}

# Directories in the order in which the Makefile lists them first.
sub list_directories {
    my ($text, $ext) = @_;
    my (%seen, @directories);
    for my $directory ($text =~ m{\b(?:src|sql)/(\w+)/\w+\.$ext\b}g) {
        push @directories, $directory unless $seen{$directory}++;
    }
    return @directories;
}

# Takes a table {module => {module included => 1}} and gives one circle in it, or nothing.
sub find_circle {
    my ($includes) = @_;
    my (%state, $visit);
    $visit = sub {
        my ($module, @path) = @_;
        return if ($state{$module} // 0) == 2;
        if (($state{$module} // 0) == 1) {
            shift @path while $path[0] ne $module;
            return join ' -> ', @path, $module;
        }
        $state{$module} = 1;
        for my $next (sort keys %{ $includes->{$module} // {} }) {
            my $circle = $visit->($next, @path, $module);
            return $circle if $circle;
        }
        $state{$module} = 2;
        return;
    };
    for my $module (sort keys %$includes) {
        my $circle = $visit->($module);
        return $circle if $circle;
    }
    return;
}

# Takes files {path below src => text}. Returns what is wrong with them: strings to show.
sub find_problems {
    my ($files, @directories) = @_;
    my %rank = map { $directories[$_] => $_ } 0 .. $#directories;
    my (%includes, @problems);
    for my $path (sort keys %$files) {
        my ($directory, $module) = $path =~ m{^(\w+)/(\w+)\.[ch]$};
        if (!defined $directory) {
            # above all directories, and so nothing that a directory may include
            push @problems, "$path is in no directory" unless $path =~ m{^module\.c$};
            next;
        }
        if (!defined $rank{$directory}) {
            push @problems, "$path: the Makefile does not know the directory $directory";
            next;
        }
        for my $included ($files->{$path} =~ m{^\s*#\s*include\s+"([^"]+)"}mg) {
            my ($of, $what) = $included =~ m{^(\w+)/(\w+)\.h$} or next;
            # the server's own headers have folders too
            next unless exists $files->{$included};
            push @problems, "$path includes $included, which is above it" if $rank{$of} > $rank{$directory};
            $includes{"$directory/$module"}{"$of/$what"} = 1 unless "$of/$what" eq "$directory/$module";
        }
        push @problems, "$path includes a file without its directory: $1"
            if $files->{$path} =~ m{^\s*#\s*include\s+"(\w+\.h)"}m && exists $files->{"$directory/$1"};
    }
    my $circle = find_circle(\%includes);
    push @problems, "a circle: $circle" if $circle;
    return @problems;
}

# Only one place reads the last result of SPI; it copies the result into the memory of the caller. Elsewhere results would
# stay with SPI until the connection ends, one more for each turn of a loop.
use constant SPI_ROOM => qr{^base/spi_query\.[ch]$};

# Takes files {path below src => text}. Returns where they read it: strings to show.
sub find_spi {
    my ($files) = @_;
    return map { my $path = $_; map { "$path looks at $_, which is for base/spi_query alone" } $files->{$path}
        =~ m{\b(SPI_(?:processed|tuptable|freetuptable|copytuple|cursor_fetch))\b}g } grep { $_ !~ SPI_ROOM } sort keys %$files;
}

# Where queries of files {path below src => text} compare with an operator that the caller's search_path finds, though it has
# no OPERATOR(): CASE x WHEN y calls "=". Our queries run as the owner of the tables, and so would an operator of the caller's.
# Audits fix the search_path.
sub find_lookups {
    my ($files) = @_;
    my @found;
    for my $path (sort grep { !m{_audit\.c$|^log/catalog\.c$} } keys %$files) {
        my $text = $files->{$path} =~ s{/\*.*?\*/}{}gsr;
        my $queries = join '', $text =~ m{"((?:[^"\\\n]|\\.)*)"}g;
        push @found, map { "$path has CASE $_" } $queries =~ m{\bCASE (?!WHEN\b)(\S+)}g;
    }
    return @found;
}

# Takes files {path => text} below src. Returns what a header declares and a file other than its own defines: strings to show.
sub find_foreign {
    my ($files) = @_;
    my (%defined, @problems);
    for my $path (grep { m{\.c$} } keys %$files) {
        # a definition begins at the margin, its type on the line before
        $defined{$1}{$path} = 1 while $files->{$path} =~ m!^(?\!static|PG_|extern|typedef|#)\w[\w *]*\n(\w+)\([^;{]*\)\n\{!mg;
        $defined{$1}{$path} = 1 while $files->{$path} =~ m!^(?\!static|extern|typedef|return)\w[\w\t *]*?(\w+)(?:\[[^\]\n]*\])?(?: = [^;]|;)!mg;
    }
    for my $path (sort grep { m{\.h$} } keys %$files) {
        my $own = $path =~ s{h$}{c}r;
        for my $declared ($files->{$path} =~ m{^extern\s+(?:[^;]*?\b(\w+)\s*(?=\())}mg, $files->{$path} =~ m{^extern\s+[\w\s*]*?(\w+)(?:\[[^\]]*\])?;}mg) {
            my @in = sort keys %{ $defined{$declared} // {} };
            push @problems, "$path declares $declared, which is defined in @in" if @in && !grep { $_ eq $own } @in;
        }
    }
    # what a file declares itself comes from no header
    for my $path (sort grep { m{\.c$} } keys %$files) {
        push @problems, "$path declares $_ itself" for grep { exists $defined{$_} && !$defined{$_}{$path} }
            $files->{$path} =~ m{^\s*extern\s+[^;(]*?\b(\w+)\s*\(}mg;
    }
    return @problems;
}

# Takes files {path below sql => text}. Returns which directory creates each table, view, type or function: {name => directory}. If several do, the lowest one
# counts. For files beside the directories, which are above all of them, it is ABOVE.
use constant ABOVE => '';

sub list_made {
    my ($files, @directories) = @_;
    my %rank = map { $directories[$_] => $_ } 0 .. $#directories;
    my %made;
    for my $path (sort keys %$files) {
        my $directory = $path =~ m{^(\w+)/} ? $1 : ABOVE;
        for my $name ($files->{$path} =~ m{\bCREATE (?:OR REPLACE )?(?:UNLOGGED )?(?:TABLE|VIEW|TYPE|FUNCTION|PROCEDURE|AGGREGATE)(?: IF NOT EXISTS)?\s+(?:answer|\@extschema\@)\.(\w+)}g) {
            # only parts of names; a DO block adds the rest
            next if $name =~ m{_$};
            $made{$name} = $directory if !defined $made{$name} || ($rank{$directory} // @directories) < ($rank{ $made{$name} } // @directories);
        }
    }
    return \%made;
}

# Takes a text of C. Returns our names in its strings: those after "answer.", and strings that are a name: the table of an entry, a function that is called by name.
# Words with other meanings count only where they can only be tables.
sub find_names_of_c {
    my ($text) = @_;
    $text =~ s{/\*.*?\*/}{}gs;
    my @strings = $text =~ m{"((?:[^"\\\n]|\\.)*)"}g;
    my $queries = join "\n", @strings;
    return ($queries =~ m{(?:\b(?:FROM|JOIN|INTO|UPDATE|TABLE|ONLY|USING)\s+|,\s*)answer\.(\w+)}g, $queries =~ m{\banswer\.(\w+)\(}g,
        $text =~ m{\bAnswerTable\("(\w+)"\)}g, $text =~ m{\.table = "(\w+)"}g, grep { m{^[a-z]+_\w+$} && !m{^answer_} } @strings);
}

# The same for SQL, without texts for people.
sub find_names_of_sql {
    my ($text) = @_;
    $text =~ s{/\*.*?\*/}{}gs;
    $text =~ s{--[^\n]*}{}g;
    $text =~ s{\bCOMMENT ON [^;']*'(?:[^']|'')*';}{}g;
    return $text =~ m{(?<![\w"])(?:answer|\@extschema\@)\.(\w+)}g;
}

# Takes files {path below src or sql => text}. Returns where they name what a directory above creates: [path, name, directory] each.
sub find_calls_above {
    my ($files, $made, @directories) = @_;
    my %rank = map { $directories[$_] => $_ } 0 .. $#directories;
    my @found;
    for my $path (sort keys %$files) {
        my ($directory) = $path =~ m{^(\w+)/} or next;
        # update scripts, and a map of all objects, which is not a query
        next if !defined $rank{$directory} || $path eq 'log/manifest.h';
        my %named = map { $_ => 1 } $path =~ m{\.sql$} ? find_names_of_sql($files->{$path}) : find_names_of_c($files->{$path});
        for my $name (sort keys %named) {
            my $of = $made->{$name} // next;
            push @found, [ $path, $name, $of ] if ($rank{$of} // @directories) > $rank{$directory};
        }
    }
    return @found;
}

# Takes files {path below sql => text} and {path below src => text}. Returns where the former create a function whose C code is in a directory above, in the same form.
sub find_code_above {
    my ($sql, $c, @directories) = @_;
    my %rank = map { $directories[$_] => $_ } 0 .. $#directories;
    my (%code, @found);
    for my $path (keys %$c) {
        my ($directory) = $path =~ m{^(\w+)/} or next;
        $code{$_} = $directory for $c->{$path} =~ m{\bPG_FUNCTION_INFO_V1\((\w+)\)}g;
    }
    for my $path (sort keys %$sql) {
        my ($directory) = $path =~ m{^(\w+)/} or next;
        my %named = map { $_ => 1 } $sql->{$path} =~ m{^AS 'MODULE_PATHNAME', '(\w+)'}mg;
        push @found, map { [ $path, $_, $code{$_} ] } grep { defined $code{$_} && $rank{ $code{$_} } > ($rank{$directory} // @directories) } sort keys %named;
    }
    return @found;
}

# Exceptions: which files may name something above, which names, and why.
my @exceptions = (
    [ qr{}, [qw(change_state recordable change_record_put content_record_put content_changed content_settle memory_recorded answer_change_record)],
        'sql/change.sql and sql/recordable.sql list the state of all directories, so they come last; whoever changes something has it signed by name' ],
    [ qr{^base/(?:owner|tenant)\.c$}, ['receipt'], 'base looks in the catalog for whose that table is, and whether its rows are kept apart; it asks nothing of them' ],
    [ qr{^base/settings\.c$}, ['packet_synthesis'], 'the description of a setting, no query' ],
    [ qr{^document/stored_row\.c$}, ['tool_call'], 'the code of a row covers the name of its table; nothing is asked of it' ],
    [ qr{^evidence/evidence\.sql$}, ['route'], 'a tool that a route asks is not removed, in the transaction that would; SQL has no registration' ],
    [ qr{^evidence/evidence\.sql$}, ['tool_spec_read'], 'registering a tool reads its spec, which plans define' ],
    [ qr{^eval/show\.sql$}, ['decision_config_of'], 'answer_show() tells of documents of all kinds' ],
    [ qr{^judge/judge\.sql$}, ['answer_eval_decision_pairs'], 'the texts of the pairs that a decision needs follow from deciding again' ],
    [ qr{^gate/evolve\.(?:c|sql)$}, ['slo_of'], 'proposals start from what the dashboard has counted, and the dashboard shows what the gate stores' ],
);

# Takes what was found. Returns strings to show: first findings that no exception covers, then exceptions that cover nothing.
sub tell_found {
    my ($exceptions, @found) = @_;
    my %used;
    my @problems;
    for my $found (@found) {
        my ($path, $name, $of) = @$found;
        my ($covering) = grep { $path =~ $exceptions->[$_][0] && grep { $_ eq $name } @{ $exceptions->[$_][1] } } 0 .. $#$exceptions;
        $used{$covering} = 1 if defined $covering;
        push @problems, "$path names $name, which is made " . ($of eq ABOVE ? 'above all directories' : "in $of") unless defined $covering;
    }
    return @problems, map { "no exception is needed for $exceptions->[$_][1][0] any more" } grep { !$used{$_} } 0 .. $#$exceptions;
}

# Test SQL about all directories has names that begin with "house".
use constant HOUSE => 'house';
use constant MAX_COLUMNS => 120;

# Returns what is wrong with the names of test files: strings to show. NAME.sql and NAME_anything.sql are right.
sub find_strangers {
    my ($paths, @directories) = @_;
    my $name = join '|', map { quotemeta } @directories, HOUSE;
    return map { "$_ is named after no directory" } grep { !m{^(?:.*/)?(?:$name)(?:_\w+)?\.sql$} } @$paths;
}

# Returns which lines of a text are too long: strings to show. A tab counts as 4 columns everywhere.
sub find_long_lines {
    my ($path, $text) = @_;
    utf8::decode($text);
    my ($number, @problems) = (0);
    for my $line (split /\n/, $text) {
        $number++;
        my $columns = length($line) + 3 * ($line =~ tr/\t//);
        push @problems, "$path:$number has $columns columns, and at most @{[MAX_COLUMNS]} are allowed"
            if $columns > MAX_COLUMNS;
    }
    return @problems;
}

my $makefile = read_file("$root/Makefile");
my @directories = list_directories($makefile, 'o');
my %files = map { s{^\Q$root\E/src/}{}r => read_file($_) } glob("$root/src/*.[ch] $root/src/*/*.[ch]");
cmp_ok(scalar(@directories), '>=', 9, 'the Makefile lists directories: ' . join ' ', @directories);
cmp_ok(scalar(keys %files), '>=', 60, 'and there are files');
is(join("\n", find_problems(\%files, @directories)), '', 'no include upwards, no circle');
is(join("\n", find_spi(\%files)), '', 'what SPI gives is taken in one place');
is(join("\n", find_lookups(\%files)), '', 'no query looks up an operator that it does not show');
is(join("\n", find_foreign(\%files)), '', 'what a header declares, its own file defines');
my %parts = map { s{^\Q$root\E/sql/}{}r => read_file($_) } grep { !m{/answer_eval--} } glob("$root/sql/*.sql $root/sql/*/*.sql");
my $made = list_made(\%parts, @directories);
cmp_ok(scalar(keys %$made), '>', 500, 'directories make tables, views and functions');
note("exception: @{ $_->[1] }: $_->[2]") for @exceptions;
cmp_ok(scalar(@exceptions), '<', 10, 'there are few exceptions');
is(join("\n", tell_found(\@exceptions, find_calls_above({ %files, %parts }, $made, @directories), find_code_above(\%parts, \%files, @directories))), '',
    'no query and no function names what a directory above makes');
my %built = map { $_ => 1 } $makefile =~ m{\bsrc/((?:\w+/)?\w+)\.o\b}g;
is(join(' ', grep { m{\.c$} && !$built{ s{\.c$}{}r } } sort keys %files), '', 'every file is built');

# A role without rights can block others with every lock that it can name.
is(join(' ', grep { $_ ne 'base/locks.c' && $files{$_} =~ m{SET_LOCKTAG_ADVISORY|SET_LOCKTAG_USERLOCK} } sort keys %files), '',
    'base/locks.c makes all tags of advisory locks');
is(join(' ', map { s{^\Q$root\E/}{}r } grep { read_file($_) =~ m{pg_(?:try_)?advisory_} } glob("$root/sql/*.sql $root/sql/*/*.sql")), '',
    'no SQL of ours takes an advisory lock that pg_advisory_lock() can name');

my @parts = $makefile =~ m{\bsql/((?:\w+/)?\w+\.sql)\b}g;
my %part = map { $_ => 1 } @parts;
my @found = map { s{^\Q$root\E/sql/}{}r } glob("$root/sql/*.sql $root/sql/*/*.sql");
is(join(' ', grep { !$part{$_} && !m{^answer_eval--} && !m{^upgrade/} } @found), '', 'every part of the script is in it');
my @order = list_directories($makefile, 'sql');
is(join(' ', @order), join(' ', grep { my $directory = $_; grep { $_ eq $directory } @order } @directories), 'SQL follows the order of the directories');
my @runs = map { m{^(\w+)/} ? $1 : ABOVE } @parts;
is(join(' ', map { $runs[$_] } grep { $_ == 0 || $runs[$_] ne $runs[ $_ - 1 ] } 0 .. $#runs), join(' ', @order, ABOVE), 'each directory stands together, and what is above all of them comes last');

# The picture of the directories in doc/architecture.md is right.
my %drawn;
for my $row (read_file("$root/doc/architecture.md") =~ m{^(\| `\w+` \|[^|]*\|)}mg) {
    my ($directory, @modules) = $row =~ m{`(\w+)`}g;
    $drawn{"$directory/$_"} = 1 for @modules;
}
my %modules = map { s{\.\w$}{}r => 1 } grep { m{^\w+/} && !m{/(?:limits|casefold|compat|manifest|characters|shipped_rules|receipt_page_texts)\.h$} } keys %files;
is(join(' ', sort keys %drawn), join(' ', sort keys %modules), 'doc/architecture.md draws every module, and no other');

# Tests have names that begin with their directory, and lines of readable length.
my %tests = map { s{^\Q$root\E/}{}r => read_file($_) } glob("$root/test/sql/*.sql $root/test/pgtap/*.sql");
cmp_ok(scalar(keys %tests), '>=', 30, 'there are files of test SQL');
is(join("\n", find_strangers([ sort keys %tests ], @directories, @order)), '', 'each is named after a directory, or after the house');
is(join("\n", map { find_long_lines($_, $tests{$_}) } sort keys %tests), '', 'no line of them is too long');

# This test finds what it looks for.
my %good = ('base/a.h' => '', 'base/a.c' => qq{#include "base/a.h"\n}, 'check/b.c' => qq{#include "base/a.h"\n#include "executor/spi.h"\n}, 'check/b.h' => '');
is(join('; ', find_problems(\%good, 'base', 'check')), '', 'a house in order');
is(join('; ', find_problems({ %good, 'base/a.c' => qq{#include "check/b.h"\n} }, 'base', 'check')),
    'base/a.c includes check/b.h, which is above it; a circle: base/a -> check/b -> base/a', 'a look upwards');
is(join('; ', find_problems({ 'base/a.h' => qq{# include "base/b.h"}, 'base/b.h' => '', 'base/b.c' => qq{#include "base/a.h"} }, 'base')),
    'a circle: base/a -> base/b -> base/a', 'a circle by way of a header');
is(join('; ', find_problems({ 'attic/a.c' => '' }, 'base')), 'attic/a.c: the Makefile does not know the directory attic', 'a directory that nobody knows');
is(join('; ', find_problems({ 'a.c' => '' }, 'base')), 'a.c is in no directory', 'a file in no directory');
is(join('; ', find_spi({ 'base/spi_query.c' => 'SPI_tuptable', 'log/a.c' => 'if (SPI_processed > 0) SPI_freetuptable(t);', 'log/b.c' => 'SPI_connect();' })),
    'log/a.c looks at SPI_processed, which is for base/spi_query alone; log/a.c looks at SPI_freetuptable, which is for base/spi_query alone',
    'results that stay');
is(join('; ', find_lookups({ 'a/a.c' => qq{/* CASE z WHEN */ "SELECT CASE x.y "\n\t"WHEN 1 THEN 2 END"}, 'a/b.c' => '"CASE WHEN a THEN b END"',
    'a/a_audit.c' => '"CASE x WHEN"' })), 'a/a.c has CASE x.y', 'an operator that is not shown');
is(join('; ', find_foreign({ 'base/a.h' => "extern int Low(int a);\nextern const int low[];\nextern void High(void);\nextern int high;\n",
    'base/a.c' => "const int low[] = {1};\n\nint\nLow(int a)\n{\n}\n", 'check/b.c' => "int\t\thigh = 1;\n\nvoid\nHigh(void)\n{\n\tLow(1);\n}\n" })),
    'base/a.h declares High, which is defined in check/b.c; base/a.h declares high, which is defined in check/b.c', 'a header that stands for a file above');
is(join('; ', find_foreign({ 'base/a.c' => "extern void High(void);\n", 'check/b.c' => "void\nHigh(void)\n{\n}\n" })), 'base/a.c declares High itself', 'a declaration without a header');
my $two = list_made({ 'base/a.sql' => 'CREATE TABLE answer.low (a int); CREATE TYPE @extschema@.both AS', 'check/b.sql' => 'CREATE UNLOGGED TABLE answer.high (a int); CREATE VIEW answer.seen AS'
    . ' CREATE FUNCTION @extschema@.both() CREATE FUNCTION answer.do_high()', 'top.sql' => 'CREATE VIEW answer.top; CREATE VIEW answer.tenant_%s' }, 'base', 'check');
is(join(' ', map { "$_:$two->{$_}" } sort keys %$two), 'both:base do_high:check high:check low:base seen:check top:', 'whose tables are whose');
sub tell_calls { return join '; ', map { "$_->[0] $_->[1]:$_->[2]" } find_calls_above($_[0], $two, 'base', 'check') }
is(tell_calls({ 'base/a.c' => qq{"SELECT a FROM answer.low l JOIN"\n" answer.high h" "table answer.high is gone" /* FROM answer.seen */}, 'check/b.c' => '"TABLE answer.low"',
    'base/c.c' => '"UPDATE answer.low l SET a = 1 FROM x, answer.seen"', 'base/d.c' => 'AnswerTable("high")' }),
    'base/a.c high:check; base/c.c seen:check; base/d.c high:check', 'queries upwards');
is(tell_calls({ 'base/a.c' => '"SELECT answer.do_high($1)"', 'base/b.c' => '{.table = "high"}', 'base/c.c' => 'AnswerCall(AnswerSchema(), "do_high", 1)', 'check/d.c' => '"SELECT answer.do_high($1)"',
    'base/e.c' => '"high" /* answer.do_high() */' }), 'base/a.c do_high:check; base/b.c high:check; base/c.c do_high:check', 'functions upwards, and tables that a query gets by name');
is(tell_calls({ 'base/a.sql' => "PERFORM answer.do_high(1);\n-- answer.high\n/* answer.seen */ COMMENT ON TABLE answer.low IS 'See answer.high, and it''s';",
    'base/b.sql' => 'SELECT FROM answer.low, answer.top; @extschema@.both()', 'check/c.sql' => 'answer.high' }), 'base/a.sql do_high:check; base/b.sql top:', 'SQL upwards');
is(join('; ', map { "@$_" } find_code_above({ 'base/a.sql' => "CREATE\nAS 'MODULE_PATHNAME', 'high_c'\nAS 'MODULE_PATHNAME', 'low_c'" },
    { 'base/a.c' => 'PG_FUNCTION_INFO_V1(low_c);', 'check/b.c' => 'PG_FUNCTION_INFO_V1(high_c);' }, 'base', 'check')), 'base/a.sql high_c check', 'a function whose code is above');
is(join('; ', tell_found([ [ qr{^base/}, ['high'], '' ], [ qr{}, ['seen'], '' ] ], [ 'base/a.c', 'high', 'check' ], [ 'base/a.c', 'low', 'check' ], [ 'base/a.c', 'top', ABOVE ])),
    'base/a.c names low, which is made in check; base/a.c names top, which is made above all directories; no exception is needed for seen any more', 'exceptions');
is(join('; ', find_strangers([ 'test/sql/base.sql', 'test/sql/base_a.sql', 'test/pgtap/house_b.sql' ], 'base')), '', 'names as they should be');
is(join('; ', find_strangers([ 'test/sql/a_base.sql', 'test/sql/basement.sql' ], 'base')),
    'test/sql/a_base.sql is named after no directory; test/sql/basement.sql is named after no directory', 'names of no directory');
is(join('; ', find_long_lines('a.sql', ('x' x 120) . "\n" . ("\xc3\xa9" x 120) . "\n\t" . ('x' x 116))), '', 'lines of 120 columns');
is(join('; ', find_long_lines('a.sql', "x\n\t" . ('x' x 117) . "\n" . ('x' x 121))),
    'a.sql:2 has 121 columns, and at most 120 are allowed; a.sql:3 has 121 columns, and at most 120 are allowed', 'lines of 121');
done_testing();
