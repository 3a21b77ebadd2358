#!/usr/bin/env perl
# tiers: check test
# The wings stand on each other in one order: the Makefile's. A file includes nothing of a wing above its own, no rooms
# include each other in a circle, and every file belongs to a wing that the Makefile knows.
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

# Wings in the order in which the Makefile lists them first.
sub list_wings {
    my ($text, $ext) = @_;
    my (%seen, @wings);
    for my $wing ($text =~ m{\b(?:src|sql)/(\w+)/\w+\.$ext\b}g) {
        push @wings, $wing unless $seen{$wing}++;
    }
    return @wings;
}

# Takes a table {room => {room included => 1}} and gives one circle in it, or nothing.
sub find_circle {
    my ($includes) = @_;
    my (%state, $visit);
    $visit = sub {
        my ($room, @path) = @_;
        return if ($state{$room} // 0) == 2;
        if (($state{$room} // 0) == 1) {
            shift @path while $path[0] ne $room;
            return join ' -> ', @path, $room;
        }
        $state{$room} = 1;
        for my $next (sort keys %{ $includes->{$room} // {} }) {
            my $circle = $visit->($next, @path, $room);
            return $circle if $circle;
        }
        $state{$room} = 2;
        return;
    };
    for my $room (sort keys %$includes) {
        my $circle = $visit->($room);
        return $circle if $circle;
    }
    return;
}

# What is wrong with files {path below src => text}: strings to show.
sub find_problems {
    my ($files, @wings) = @_;
    my %rank = map { $wings[$_] => $_ } 0 .. $#wings;
    my (%includes, @problems);
    for my $path (sort keys %$files) {
        my ($wing, $room) = $path =~ m{^(\w+)/(\w+)\.[ch]$};
        if (!defined $wing) {
            # above all wings, and so nothing that a wing may include
            push @problems, "$path is in no wing" unless $path =~ m{^(?:module|kinds)\.c$};
            next;
        }
        if (!defined $rank{$wing}) {
            push @problems, "$path: the Makefile does not know the wing $wing";
            next;
        }
        for my $included ($files->{$path} =~ m{^\s*#\s*include\s+"([^"]+)"}mg) {
            my ($of, $what) = $included =~ m{^(\w+)/(\w+)\.h$} or next;
            # the server's own headers have folders too
            next unless exists $files->{$included};
            push @problems, "$path includes $included, which is above it" if $rank{$of} > $rank{$wing};
            $includes{"$wing/$room"}{"$of/$what"} = 1 unless "$of/$what" eq "$wing/$room";
        }
        push @problems, "$path includes a file without its wing: $1"
            if $files->{$path} =~ m{^\s*#\s*include\s+"(\w+\.h)"}m && exists $files->{"$wing/$1"};
    }
    my $circle = find_circle(\%includes);
    push @problems, "a circle: $circle" if $circle;
    return @problems;
}

my $makefile = read_file("$root/Makefile");
my @wings = list_wings($makefile, 'o');
my %files = map { s{^\Q$root\E/src/}{}r => read_file($_) } glob("$root/src/*.[ch] $root/src/*/*.[ch]");
cmp_ok(scalar(@wings), '>=', 9, 'the Makefile lists wings: ' . join ' ', @wings);
cmp_ok(scalar(keys %files), '>=', 60, 'and there are files');
is(join("\n", find_problems(\%files, @wings)), '', 'no include upwards, no circle');
my %built = map { $_ => 1 } $makefile =~ m{\bsrc/((?:\w+/)?\w+)\.o\b}g;
is(join(' ', grep { m{\.c$} && !$built{ s{\.c$}{}r } } sort keys %files), '', 'every file is built');

my @parts = $makefile =~ m{\bsql/((?:\w+/)?\w+\.sql)\b}g;
my %part = map { $_ => 1 } @parts;
my @found = map { s{^\Q$root\E/sql/}{}r } glob("$root/sql/*.sql $root/sql/*/*.sql");
is(join(' ', grep { !$part{$_} && !m{^answer_eval--} && !m{^upgrade/} } @found), '', 'every part of the script is in it');
my @order = list_wings($makefile, 'sql');
is(join(' ', @order), join(' ', grep { my $wing = $_; grep { $_ eq $wing } @order } @wings), 'SQL follows the order of the wings');

# The picture of the house is true.
my %drawn;
for my $row (read_file("$root/doc/architecture.md") =~ m{^(\| `\w+` \|[^|]*\|)}mg) {
    my ($wing, @rooms) = $row =~ m{`(\w+)`}g;
    $drawn{"$wing/$_"} = 1 for @rooms;
}
my %rooms = map { s{\.\w$}{}r => 1 } grep { m{^\w+/} && !m{/(?:limits|casefold|compat|settings|manifest|characters|shipped_rules)\.h$} } keys %files;
is(join(' ', sort keys %drawn), join(' ', sort keys %rooms), 'doc/architecture.md draws every room, and no other');

# The test itself: it sees what it is for.
my %good = ('base/a.h' => '', 'base/a.c' => qq{#include "base/a.h"\n}, 'check/b.c' => qq{#include "base/a.h"\n#include "executor/spi.h"\n}, 'check/b.h' => '');
is(join('; ', find_problems(\%good, 'base', 'check')), '', 'a house in order');
is(join('; ', find_problems({ %good, 'base/a.c' => qq{#include "check/b.h"\n} }, 'base', 'check')),
    'base/a.c includes check/b.h, which is above it; a circle: base/a -> check/b -> base/a', 'a look upwards');
is(join('; ', find_problems({ 'base/a.h' => qq{# include "base/b.h"}, 'base/b.h' => '', 'base/b.c' => qq{#include "base/a.h"} }, 'base')),
    'a circle: base/a -> base/b -> base/a', 'a circle by way of a header');
is(join('; ', find_problems({ 'attic/a.c' => '' }, 'base')), 'attic/a.c: the Makefile does not know the wing attic', 'a wing that nobody knows');
is(join('; ', find_problems({ 'a.c' => '' }, 'base')), 'a.c is in no wing', 'a file in no wing');
done_testing();
