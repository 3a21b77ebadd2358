#!/usr/bin/env perl
# Prints src/base/casefold.h: Unicode simple case folding (CaseFolding.txt, statuses C and S) of the characters that Unicode
# 14 knows, outside ASCII, as ranges.  It takes a Perl of that Unicode (5.36), for later ones fold a few of these
# characters that 14 does not.  route/1 is defined by this table.
use strict;
use warnings;
use Unicode::UCD qw(casefold charprop);

my @ranges;
for my $from (0x80 .. 0xD7FF, 0xE000 .. 0x1FFFF) {
    my $fold = casefold($from) or next;
    next if $fold->{simple} eq '';
    my $to = hex $fold->{simple};
    # A letter outside ASCII never stands for one inside: the Kelvin sign is no k, a long s no s.
    next if $to == $from || $to < 0x80 || charprop($from, 'Age') =~ /^V?(\d+)/ && $1 > 14;
    my $last = $ranges[-1];
    my $step = $last ? $from - $last->{last} : 0;
    if ($last && $last->{delta} == $to - $from
        && ($last->{first} == $last->{last} ? $step <= 2 : $step == $last->{step})) {
        @{$last}{qw(last step)} = ($from, $step);
    } else {
        push @ranges, {first => $from, last => $from, step => 1, delta => $to - $from};
    }
}
print <<'END';
/*-------------------------------------------------------------------------
 *
 * casefold.h
 *		Unicode simple case folding, as ranges.
 *
 * casefold.pl prints this table from CaseFolding.txt of Unicode 14, statuses C
 * and S, without ASCII on either side.  Do not edit it, and never change it:
 * the routing that receipts record depends on this table.
 *
 *-------------------------------------------------------------------------
 */

typedef struct CaseFold
{
	uint32		first;
	uint32		last;
	int32		step;
	int32		delta;
} CaseFold;

static const CaseFold case_folds[] = {
END
printf "\t{0x%04X, 0x%04X, %d, %d},\n", @{$_}{qw(first last step delta)} for @ranges;
print "};\n";
