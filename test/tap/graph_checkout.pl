#!/usr/bin/env perl
# tiers: long
# tools/answer-graph-load: the graph that it makes from a git checkout, also with hostile names and files; and that it loads
# only what differs, also after an interruption.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Digest::SHA qw(sha256_hex);
use File::Path qw(make_path);
use JSON::PP;
use Test::More;

my $loader = root_dir() . '/tools/answer-graph-load';
plan skip_all => 'the tools are not here' unless -f $loader;
for my $program (['git', '--version'], ['ctags', '--list-features']) {
    my ($status, $output) = AnswerServer::command(@$program);
    plan skip_all => "$program->[0] is not installed" if $status;
    plan skip_all => 'ctags is no universal-ctags with JSON'
        if $program->[0] eq 'ctags' && ($output !~ /^json /m || $output !~ /^interactive /m);
}
@ENV{qw(GIT_CONFIG_GLOBAL GIT_CONFIG_NOSYSTEM)} = ('/dev/null', 1);
@ENV{map { ("GIT_${_}_NAME", "GIT_${_}_EMAIL") } qw(AUTHOR COMMITTER)} = ('Tester', 'tester@example.com') x 2;
delete @ENV{grep { /^GIT_(DIR|WORK_TREE|INDEX_FILE)$/ } keys %ENV};

my $dir = AnswerServer::tmp_dir();
my $repository = "$dir/shop";
my $json = JSON::PP->new->utf8->canonical;
my $now = 1700000000;

sub git { return AnswerServer::must('git', '-C', $repository, @_) }

# Commits the files that are given, an hour after the last commit.
sub commit {
    my (%files) = @_;
    for my $path (sort keys %files) {
        my ($folder) = "$repository/$path" =~ m{^(.*)/};
        make_path($folder);
        spew("$repository/$path", $files{$path});
    }
    git('add', '-A');
    $now += 3600;
    local @ENV{qw(GIT_AUTHOR_DATE GIT_COMMITTER_DATE)} = ("$now +0000") x 2;
    git('commit', '-q', '-m', 'x');
    return;
}

# Runs the loader. Returns its exit status and output.
sub load { return AnswerServer::command($loader, @_) }

sub graph {
    my ($status, $output) = load('-q', '--print', @_, $repository);
    die "status $status: $output" if $status;
    return $json->decode($output);
}

sub edges { my ($graph, $type) = @_; return join("\n",
    map { "$_->{from} > $_->{to}" } grep { $_->{type} eq $type } @{$graph->{edges}}) }

make_path($repository);
git('init', '-q');
commit(
    'src/area.h' => "extern int Area(int w, int h);\n",
    'src/area.c' => <<'END',
/*
 * area.c
 *	How large something is.
 */
#include "area.h"
#include <stdio.h>

/* Scale(1) in a comment is no call. */
static int
helper(int x)
{
	printf("Scale(2)");
	return x;
}

/* The area of a rectangle. */
int
Area(int w, int h)
{
	return helper(w) * h;
}
END
    'src/shape.h' => <<'END',
#include "area.h"
typedef struct Shape { int w; int h; } Shape;
static inline int ShapeArea(Shape s) { return Area(s.w, s.h); }
END
    'src/scale.c' => <<'END',
#include "shape.h"

static int helper(int x) { return x + 1; }

int Scale(Shape s) { return helper(ShapeArea(s)) + Twice(1) + s.f->Area(1); }

int
Again(int n)
{
	return n > 0 ? Again(n - 1) : 0;
}
END
    'src/two.c' => "int Twice(int n) { return n * 2; }\n",
    'src/three.c' => "int Twice(int n) { return n + n; }\n",
    'tools/run.py' => <<'END',
"""Runs things."""
import helpers


class Runner:
    """Runs one thing."""

    def start(self):
        """Starts it,
        at once."""
        self.stop()
        helpers.log("stop()")
        [].append(1)

    def stop(self):
        pass


# Above it.
def append(x):
    """No method of a list."""


def main():
    Runner().start()
    append(1)


main()
END
    'tools/helpers.py' => "def log(x):\n    print(x)\n",
    'tools/go' => <<'END',
#!/usr/bin/env bash
# Goes.
. "$(dirname "$0")/lib.sh"

# One step.
step() {
	say one
	echo "say two; echo say" # say
}

if step; then say three; fi
END
    'tools/lib.sh' => "say() { printf '%s\\n' \"\$*\"; }\n",
    'sql/item.sql' => <<'END',
CREATE TABLE item (id int);
COMMENT ON TABLE item IS 'What is sold; it''s here.';

CREATE FUNCTION price(id int) RETURNS int LANGUAGE sql AS $$
	-- Not price(1).
	SELECT s.reduce(id);
$$;
CREATE FUNCTION s.reduce(x int) RETURNS int LANGUAGE sql AS 'SELECT 1; SELECT 2';
COMMENT ON FUNCTION s.reduce(int) IS 'Makes it less.';
END
    'doc/guide.md' => <<'END',
Before all: [outside](https://example.com/x.md), [no file](nowhere.md).

# The `Guide`

[Area](../src/area.c), `Area(w, h)`, `Twice`, `tools/go`, and [below](#more-1).

```
# no heading
`Scale`
```

Set below
---------

## More
## More ##

####### seven
END
    'LICENSE' => "Do what you like.\n",
    'data.json' => "{\"Area\": 1}\n",
    'picture.bin' => "a\0b",
    'empty.txt' => '',
);

#
# the result of loading a checkout
#
my $graph = graph();
my %node = map { $_->{id} => $_ } @{$graph->{nodes}};
sub row {
    my ($n) = @_;
    my $lines = join('-', map { $_ // '' } @$n{qw(start_line end_line)});
    return join(' | ', $n->{id}, join(',', @{$n->{labels}}), $n->{name}, $lines);
}
is(join("\n", map { row($node{$_}) } sort keys %node), <<'END' =~ s/\n\z//r, 'nodes');
LICENSE | Document,File | LICENSE | 1-1
data.json | File | data.json | 1-1
doc/guide.md | Document,File | guide.md | 1-18
doc/guide.md#more | Document,Section | More | 15-15
doc/guide.md#more-1 | Document,Section | More | 16-18
doc/guide.md#set-below | Document,Section | Set below | 12-14
doc/guide.md#the-guide | Document,Section | The Guide | 3-11
empty.txt | Document,File | empty.txt | -
picture.bin | File | picture.bin | -
sql/item.sql | Code,File | item.sql | 1-9
sql/item.sql#item | Code,Table | item | 1-1
sql/item.sql#price | Code,Function | price | 4-7
sql/item.sql#reduce | Code,Function | reduce | 8-8
src/area.c | Code,File | area.c | 1-21
src/area.c#Area | Code,Function | Area | 18-21
src/area.c#helper | Code,Function | helper | 10-14
src/area.h | Code,File | area.h | 1-1
src/scale.c | Code,File | scale.c | 1-11
src/scale.c#Again | Code,Function | Again | 8-11
src/scale.c#Scale | Code,Function | Scale | 5-5
src/scale.c#helper | Code,Function | helper | 3-3
src/shape.h | Code,File | shape.h | 1-3
src/shape.h#Shape | Code,Struct | Shape | 2-2
src/shape.h#ShapeArea | Code,Function | ShapeArea | 3-3
src/three.c | Code,File | three.c | 1-1
src/three.c#Twice | Code,Function | Twice | 1-1
src/two.c | Code,File | two.c | 1-1
src/two.c#Twice | Code,Function | Twice | 1-1
tools/go | Code,File | go | 1-11
tools/go#step | Code,Function | step | 6-
tools/helpers.py | Code,File | helpers.py | 1-2
tools/helpers.py#log | Code,Function | log | 1-2
tools/lib.sh | Code,File | lib.sh | 1-1
tools/lib.sh#say | Code,Function | say | 1-
tools/run.py | Code,File | run.py | 1-29
tools/run.py#Runner | Code,Class | Runner | 5-16
tools/run.py#Runner.start | Code,Function | start | 8-13
tools/run.py#Runner.stop | Code,Function | stop | 15-16
tools/run.py#append | Code,Function | append | 20-21
tools/run.py#main | Code,Function | main | 24-26
END
is(edges($graph, 'CALLS'), <<'END' =~ s/\n\z//r, 'calls: none of a comment, none of a name of two files');
sql/item.sql#price > sql/item.sql#reduce
src/area.c#Area > src/area.c#helper
src/scale.c#Again > src/scale.c#Again
src/scale.c#Scale > src/scale.c#helper
src/scale.c#Scale > src/shape.h#ShapeArea
src/shape.h#ShapeArea > src/area.c#Area
tools/go > tools/go#step
tools/go > tools/lib.sh#say
tools/go#step > tools/lib.sh#say
tools/run.py > tools/run.py#main
tools/run.py#Runner.start > tools/helpers.py#log
tools/run.py#Runner.start > tools/run.py#Runner.stop
tools/run.py#main > tools/run.py#append
END
is(edges($graph, 'DEPENDS_ON'), <<'END' =~ s/\n\z//r, 'what files include');
src/area.c > src/area.h
src/scale.c > src/shape.h
src/shape.h > src/area.h
tools/go > tools/lib.sh
tools/run.py > tools/helpers.py
END
is(edges($graph, 'MENTIONS'), <<'END' =~ s/\n\z//r, 'what Markdown links to and names');
doc/guide.md#the-guide > doc/guide.md#more-1
doc/guide.md#the-guide > src/area.c
doc/guide.md#the-guide > src/area.c#Area
doc/guide.md#the-guide > tools/go
END
like(edges($graph, 'DEFINES'), qr{^tools/run.py > tools/run.py#Runner\ntools/run.py > tools/run.py#append\n}m,
    'a file defines what stands in it');
like(edges($graph, 'DEFINES'), qr{^tools/run.py#Runner > tools/run.py#Runner.start$}m, 'a class its methods');
like(edges($graph, 'DEFINES'), qr{^doc/guide.md#the-guide > doc/guide.md#set-below$}m, 'a heading those below it');
is($node{'src/area.c'}{docstring}, "area.c\nHow large something is.", 'the page at the top of a file');
is($node{'src/area.c#Area'}{docstring}, 'The area of a rectangle.', 'the comment above a function');
is($node{'tools/run.py#Runner.start'}{docstring}, "Starts it,\nat once.", 'the docstring of Python');
is($node{'tools/run.py#append'}{docstring}, "Above it.\nNo method of a list.", 'both');
is($node{'tools/go#step'}{docstring}, 'One step.', 'the comment of a script');
is($node{'sql/item.sql#item'}{docstring}, "What is sold; it's here.", 'the COMMENT of SQL');
is($node{'sql/item.sql#reduce'}{docstring}, 'Makes it less.', 'of a function, too');
is($node{'doc/guide.md#set-below'}{text} // 'none', 'none', 'a heading with nothing below it');
like($node{'doc/guide.md#the-guide'}{text}, qr/^\[Area\].*^`Scale`\n```\z/ms, 'the text below a heading');
is($node{'doc/guide.md'}{text}, 'Before all: [outside](https://example.com/x.md), [no file](nowhere.md).',
    'the text before the first');
is($node{'src/area.c#Area'}{content_hash}, 'sha256:' . sha256_hex(slurp("$repository/src/area.c")),
    'the digest of the source');
is($node{'src/area.c#Area'}{last_modified}, $now, 'the time of the commit');
is(join(' ', sort { $a cmp $b } map { s/ \d.*//r } keys %{{map { $_->{extraction_method} => 1 } values %node}}),
    'answer-graph-load/1 git answer-graph-load/1 markdown answer-graph-load/1 universal-ctags', 'what extracted it');

#
# times are not guessed
#
my $first = $now;
commit('src/two.c' => "int Twice(int n) { return 2 * n; }\n");
spew("$repository/data.json", "{}\n");
utime(1600000000, 1600000000, "$repository/data.json");
my %time = map { $_->{id} => $_->{last_modified} } @{graph()->{nodes}};
is($time{'src/two.c'}, $first + 3600, 'changed by the second commit');
is($time{'src/area.c'}, $first, 'by the first');
is($time{'data.json'}, 1600000000, 'in the work tree only');
git('checkout', '-q', 'data.json');
AnswerServer::must('git', 'clone', '-q', '--depth', '1', "file://$repository", "$dir/shallow");
my (undef, $shallow) = load('-q', '--print', "$dir/shallow");
is(join(' ', keys %{{map { $_->{last_modified} => 1 } @{$json->decode($shallow)->{nodes}}}}), 0,
    'a shallow clone does not know');

#
# hostile names and files
#
my @hostile = ("-x.c", "a b'\"\\.c", "tab\there.c", "new\nline.c", 'a#b%.c', '<script>alert(1)</script>.md',
    "\xffno-utf8.c", '\xffno-utf8.c', "\xc3\xa4.c", '..c', '--options=x.c');
commit((map { ("odd/$_" => "/* $_ */\nint odd(void) { return 1; }\n") } @hostile),
    '.ctags.d/evil.ctags' => "--kinds-C=-f\n--langdef=Evil\n", '.gitattributes' => "*.c diff=evil\n",
    'deep.c' => 'int f(void) { return ' . '(' x 20000 . ')' x 20000 . "; }\n", 'slashes.c' => '/*' x 50000 . "\n",
    'quotes.py' => q(''') x 20001 . "\n",
        'long.md' => ('#' x 100000) . "\n# " . (' ' x 100000) . "x\n" . ('`' x 100000) . "\n" . ('[' x 50000) . "\n",
    'stars.c' => '/* ' . ('*' x 100000) . "x\n" . ('/' x 100000) . "\n*/\nint stars(void) { return " . ('x' x 100000)
        . "; }\n",
    'long.sh' => '. ' . ('a' x 100000) . "!\n",
    'name.c' => 'int ' . ('n' x 3000) . "(void) { return 1; }\n", 'name.md' => '# ' . ('n' x 3000) . "\n",
    'large.txt' => "line\n" x 300000, join('/', ('p' x 240) x 5, 'x.c') => "int x;\n", 'invalid.c' => "/* \xff\xfe */\nint caf\xe9(void) { return 1; }\n", 'cr.md' => "# One\r\n\r\ntext\r\n",
    'link.md' => "[x](../../../../etc/passwd) [y](/etc/passwd)\n");
symlink('/etc/passwd', "$repository/passwd.c") or die;
symlink('/etc', "$repository/etc") or die;
commit();
my ($warned, $noted) = load('-q', '--print', $repository);
like($noted, qr/^answer-graph-load: left out, for its path has more than 1000 bytes: ppp/m, 'a path that is too long');
like($noted, qr/^answer-graph-load: left out, for the path of another file reads the same: odd\/\\xffno-utf8\.c$/m,
    'two paths that read the same');
$graph = $json->decode($noted =~ s/^answer-graph-load:.*\n//gmr);
%node = map { $_->{id} => $_ } @{$graph->{nodes}};
is(scalar(grep { length > 1000 } keys %node), 0, 'an id is short enough');
is(scalar(grep { $_->{source_path} =~ m{^odd/} && $_->{labels}[1] eq 'Function' } values %node), 9,
    'a function in each');
is(scalar(keys %node), scalar(@{$graph->{nodes}}), 'no id stands twice');
ok($node{'odd/a%23b%25.c#odd'}, 'a # in a path is escaped in the id');
is($node{'odd/a%23b%25.c#odd'}{path}, 'odd/a#b%.c', 'and not in the path');
ok($node{'odd/\\xffno-utf8.c'}, 'what is no UTF-8 is shown as bytes');
ok(!grep({ /passwd|^etc/ } keys %node), 'a symbolic link is not followed');
is($node{'cr.md#one'}{text}, 'text', 'line ends of two characters');
is(scalar(grep { !$node{$_->{from}} || !$node{$_->{to}} } @{$graph->{edges}}), 0, 'both ends of every edge are there');

#
# what is refused
#
is_deeply([load('-q', '--print', "$dir/nothing")], [2,
    "answer-graph-load: $dir/nothing is no directory; name the directory of a git checkout\n"], 'no directory');
make_path("$dir/plain");
{
    local $ENV{GIT_CEILING_DIRECTORIES} = $dir;
    like((load('-q', '--print', "$dir/plain"))[1], qr/^answer-graph-load: git failed: .*not a git repository/,
        'no checkout');
}
{
    # an unset variable of a script must not choose another project
    my ($status, $said) = load('-q', '--print', '--project', '', $repository);
    is($status, 2, 'no empty project');
    like($said, qr/^answer-graph-load: error: --project is empty; name a project/m, 'it says what to do');
    $said = (AnswerServer::command('sh', '-c', '"$0" -q --print "$1" | head -c 10', $loader, $repository))[1];
    like($said, qr/^\{\n "nodes"/m, 'a reader gets what it takes');
    unlike($said, qr/Traceback|BrokenPipe/, 'and ends it when it has enough');
}
my ($status, $without) = load('-q', '--print', '--ctags', 'no-such-ctags', $repository);
is($status, 0, 'without ctags');
like($without, qr/^answer-graph-load: there is no no-such-ctags, so functions, classes and calls are left out/m,
    'it says what is left out');
$without =~ s/^answer-graph-load:.*\n//mg;
is(scalar(grep { /#/ && !/^odd/ } map { $_->{id} } @{$json->decode($without)->{nodes}}), 7,
    'files and headings are there');
like((load('-q', '--print', '--ctags', 'true', $repository))[1], qr/is not universal-ctags with JSON/, 'another ctags');

#
# loading sends only what differs
#
my $server = AnswerServer->new('checkout');
my $session = $server->session(setup => ['SET client_min_messages = warning', 'CREATE EXTENSION answer_eval']);
my @to = ('-q', '-d', "host=$server->{host} port=5432 dbname=postgres user=postgres");
like((load('-q', '-d', "host=$server->{host} port=5432 dbname=template1 user=postgres", $repository))[1],
    qr/the database has no extension answer_eval; CREATE EXTENSION answer_eval there first/, 'no extension');
# hostile content is loaded, too
like(said('--project', 'hostile', $repository) =~ s/(?:^\d )?answer-graph-load:.*\n//gmr, qr/^project hostile: \d+ files, /, 'hostile names are loaded');
is($session->value(q{SELECT count(*) FROM answer.graph_node WHERE project = 'hostile'}), scalar(keys %node), 'all of them');
is($session->value(q{SELECT count(*) FROM answer.graph_edge WHERE project = 'hostile'}), scalar(@{$graph->{edges}}), 'with their edges');
# from here on, commits of a few files are enough
git('rm', '-r', '-q', 'odd', 'deep.c', 'slashes.c', 'quotes.py', 'long.md', 'long.sh', 'stars.c', 'link.md',
    'passwd.c', 'etc', 'name.c', 'name.md',
    'large.txt', 'p' x 240);
commit();

sub said {
    my ($status, $output) = load(@to, @_);
    return "$status $output" =~ s/; [\d.]+ s\n\z//r;
}
# Checks that a project has the same content as a fresh load of the checkout.
my $fresh = 0;
sub as_fresh {
    my ($project, $name) = @_;
    load(@to, '--project', 'fresh' . ++$fresh, $repository);
    my $columns = 'id, labels, name, path, start_line, end_line, docstring, doc_type, last_modified, text, '
        . 'content_hash';
    my $differing = $session->value(qq{SELECT string_agg(d, ' ') FROM (
        SELECT n.project || ' ' || n.id AS d FROM (
            (SELECT $columns FROM answer.graph_node WHERE project = '$project'
            EXCEPT SELECT $columns FROM answer.graph_node WHERE project = 'fresh$fresh'))
            AS g JOIN answer.graph_node n USING (id)
        UNION ALL SELECT id FROM answer.graph_node WHERE project = 'fresh$fresh' AND id NOT IN (SELECT id
            FROM answer.graph_node WHERE project = '$project')
        UNION ALL SELECT from_id || ' ' || type || ' ' || to_id FROM (
            (SELECT from_id, type, to_id FROM answer.graph_edge WHERE project = '$project' EXCEPT
                SELECT from_id, type, to_id FROM answer.graph_edge WHERE project = 'fresh$fresh')
            UNION ALL
            (SELECT from_id, type, to_id FROM answer.graph_edge WHERE project = 'fresh$fresh' EXCEPT
                SELECT from_id, type, to_id FROM answer.graph_edge WHERE project = '$project')) AS e) AS all_of_them});
    return is($differing, '', $name);
}

my $files = grep { /File/ } map { join(' ', @{$_->{labels}}) } @{graph()->{nodes}};
like(said($repository),
    qr/^0 project shop: $files files, of which $files were loaded, with \d+ nodes and \d+ edges; 0 files removed$/,
    'the first run loads everything');
is($session->value(q{SELECT count(*) FROM answer.graph_node WHERE project = 'shop'}), scalar(@{graph()->{nodes}}),
    'every node');
is($session->value(q{SELECT count(*) FROM answer.graph_edge WHERE project = 'shop'}), scalar(@{graph()->{edges}}),
    'and every edge');
is(said($repository),
    "0 project shop: $files files, of which 0 were loaded, with 0 nodes and 0 edges; 0 files removed", 'the second nothing');
my $version = $session->value(q{SELECT version FROM answer.graph_project WHERE project = 'shop'});
commit('src/area.c' => slurp("$repository/src/area.c") =~ s/return helper\(w\) \* h/return w * h/r);
like(said($repository), qr/of which 1 were loaded, with 3 nodes/, 'a file that changed is loaded again');
is($session->value(q{SELECT count(*) FROM answer.graph_edge WHERE project = 'shop' AND from_id = 'src/area.c#Area'
    AND type = 'CALLS'}), 0,
    'a call that is gone is gone');
is($session->value(q{SELECT string_agg(DISTINCT source_path, ' ') FROM answer.graph_node n WHERE project = 'shop'
    AND loaded_at > (SELECT min(loaded_at) FROM answer.graph_node f WHERE f.project = 'shop'
        AND f.id = 'LICENSE') + interval '0'
    AND loaded_at > (SELECT max(loaded_at) FROM answer.graph_node f WHERE f.project = 'shop'
        AND f.source_path <> 'src/area.c')}), 'src/area.c', 'no other file is touched');
as_fresh('shop', 'the graph is that of a fresh load');

# a name that now refers to something else, also in files that did not change
commit('src/again.c' => "int ShapeArea(int a) { return a; }\n", 'tools/helpers.py' => "def logs(x):\n    print(x)\n",
    'new/odd name.md' => "# New\n\n`Scale`\n");
git('rm', '-q', 'src/three.c', 'data.json');
commit();
like(said($repository), qr/; 2 files removed$/, 'files that are gone are removed');
is($session->value(q{SELECT count(*) FROM answer.graph_edge WHERE project = 'shop' AND from_id = 'src/scale.c#Scale'
    AND to_id = 'src/shape.h#ShapeArea'}), 0,
    'a call that is ambiguous now is no edge any more');
is($session->value(q{SELECT count(*) FROM answer.graph_edge WHERE project = 'shop' AND from_id = 'src/scale.c#Scale'
    AND to_id = 'src/two.c#Twice'}), 1,
    'one that is not ambiguous any more is one');
as_fresh('shop', 'the graph is that of a fresh load again');
is(said($repository) =~ s/\d+ files, //r,
    '0 project shop: of which 0 were loaded, with 0 nodes and 0 edges; 0 files removed', 'and is at rest');

# rows that others loaded stay
my $zeros = '0' x 64;
$session->value(qq{SELECT answer_graph_load('shop', '[{"id": "feature", "name": "Areas", "labels": ["Feature"],
    "source_path": "plan", "content_hash": "sha256:$zeros",
    "extraction_method": "hand"}]', '[{"from": "feature", "to": "src/area.c",
        "type": "HAS_ASSET"}, {"from": "src/two.c", "to": "src/area.c", "type": "LIKE"}]')});
commit('src/area.c' => slurp("$repository/src/area.c") . "\n/* more */\n");
said($repository);
is($session->value(q{SELECT count(*) FROM answer.graph_edge WHERE project = 'shop'
    AND type IN ('HAS_ASSET', 'LIKE')}), 2, 'nodes and edges of others stay');

# psql fails in the middle: loaded rows stay, and the next run loads the rest
my $psql = AnswerServer::program('psql');
spew("$dir/failing",
    "#!/bin/sh\nn=\$(cat $dir/calls 2>/dev/null || echo 0); n=\$((n + 1)); echo \$n >$dir/calls\n"
    . "[ \$n -lt 6 ] || { echo cut off >&2; exit 3; }\nexec $psql \"\$@\"\n", 0755);
my @small = ('--batch', 10);
is(said('--project', 'cut', '--psql', "$dir/failing", @small, $repository),
    "2 answer-graph-load: failing failed: cut off\n", 'a run is cut off');
my $part = $session->value(q{SELECT count(DISTINCT source_path) FROM answer.graph_node WHERE project = 'cut'});
cmp_ok($part, '>', 0, 'after some files');
my $whole = $session->value(q{SELECT count(DISTINCT source_path) FROM answer.graph_node WHERE project = 'shop'
    AND source_path <> 'plan'});
like(said('--project', 'cut', @small, $repository), qr/: $whole files, of which @{[$whole - $part]} were loaded, /,
    'the next loads the others');
as_fresh('cut', 'and then all is there');
like(said('-d', 'host=/nonexistent', $repository), qr/^2 answer-graph-load: psql failed: .*nonexistent/, 'no server');

# a role without rights on tables, of a tenant
$session->value($_) for 'CREATE ROLE loader LOGIN', q{SELECT answer_tenant_create('acme')},
    q{SELECT answer_tenant_grant('acme', 'loader')},
    'GRANT USAGE ON SCHEMA answer TO loader', 'GRANT EXECUTE ON FUNCTION answer_graph_load, answer_graph_forget TO loader',
    'GRANT SELECT ON answer.tenant_graph_node, answer.tenant_graph_edge TO loader';
my @tenant = ('-d', "host=$server->{host} port=5432 dbname=postgres user=loader");
like(said(@tenant, $repository), qr/of which $whole were loaded/, 'a tenant loads a project of its own');
like(said(@tenant, $repository), qr/of which 0 were loaded/, 'and knows what it has');
is($session->value(q{SELECT string_agg(tenant, ' ' ORDER BY tenant) FROM answer.graph_project
    WHERE project = 'shop'}), ' acme', 'beside the operator\'s of that name');

is($server->crashed, 0, 'the server lost no process');
done_testing();
