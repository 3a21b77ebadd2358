#!/usr/bin/env perl
# sync.pl FROM TO: makes TO's copy of the files that are named on standard input, each ended by a zero byte, what FROM has.
#
# A file that is the same stays as it is, so that make finds only newer what has changed, whatever git did to the times.
# What TO was given before and is named no longer goes; what make put there stays.
use strict;
use warnings;

use File::Basename qw(dirname);
use File::Compare  qw(compare);
use File::Copy     qw(copy);
use File::Path     qw(make_path);

my ($from, $to) = @ARGV;
my $list = "$to/.sync";

sub names_of {
    my ($handle) = @_;
    local $/ = "\0";
    return map { chomp(my $name = $_); $name } <$handle>;
}

my @names = grep { -f "$from/$_" } names_of(\*STDIN);
my %wanted = map { $_ => 1 } @names;

if (open my $before, '<', $list) {
    unlink "$to/$_" for grep { !$wanted{$_} } names_of($before);
}
for my $name (@names) {
    next if -f "$to/$name" && compare("$from/$name", "$to/$name") == 0;
    make_path(dirname("$to/$name"));
    copy("$from/$name", "$to/$name") or die "cannot copy $name: $!\n";
    chmod((stat "$from/$name")[2] & 07777, "$to/$name");
}
open my $after, '>', $list or die "cannot write $list: $!\n";
print {$after} map { "$_\0" } @names;
close $after or die "cannot write $list: $!\n";
