#!/usr/bin/env perl
# Prints src/reading/characters.h: classes of characters for tokens, clauses and sentences, as ranges of Unicode 14 outside
# ASCII. Needs a Perl with Unicode 14 (5.36). The rules of reading are defined by this table.
use strict;
use warnings;
use charnames ();
use Unicode::UCD qw(prop_invlist);

die "Unicode 14 is needed, this Perl has " . Unicode::UCD::UnicodeVersion() . "\n"
    if Unicode::UCD::UnicodeVersion() !~ /^14\./;

sub members { my @list = prop_invlist($_[0]); map { $list[2 * $_] .. $list[2 * $_ + 1] - 1 } 0 .. $#list / 2 }

my %class;
# The general category decides which characters are in tokens.
my %categories = (LETTER => 'L', MARK => 'M', DIGIT => 'Nd', FORMAT => 'Cf');
for my $class (keys %categories) {
    $class{$_} = $class for grep { $_ >= 0x80 } members($categories{$class});
}
# Full stops, exclamation and question marks of other scripts: the characters that end a sentence according to Unicode,
# their vertical and Coptic forms, the Khmer full stops, the Greek question mark, ellipses.
$class{$_} //= 'SENTENCE'
    for grep { $_ >= 0x80 } members('Sentence_Terminal'),
    0x037E, 0x17D4, 0x17D5, 0x1801, 0x2CF9, 0x2CFA, 0x2CFB, 0x2CFE, 0xFE12, 0xFE15, 0xFE16, 0xFE19;
# Semicolons and colons of other scripts, including those of Greek and Khmer, and reversed ones.
$class{$_} //= 'CLAUSE'
    for (grep { $_ >= 0x80 && charnames::viacode($_) =~ /COLON/ } members('Terminal_Punctuation')),
    0x0387, 0x17D6, 0x204F, 0x205D, 0x2E35, 0xFE13, 0xFE14;

my @ranges;
for my $from (sort { $a <=> $b } keys %class) {
    if (@ranges && $ranges[-1]{last} == $from - 1 && $ranges[-1]{class} eq $class{$from}) {
        $ranges[-1]{last} = $from;
    } else {
        push @ranges, {first => $from, last => $from, class => $class{$from}};
    }
}
print <<'END';
/*-------------------------------------------------------------------------
 *
 * characters.h
 *		Classes of characters for tokens, clauses and sentences, as ranges.
 *
 * Printed by characters.pl from the tables of Unicode 14, without ASCII.  Do not
 * edit.  The table must never change, because receipts depend on it.
 *
 *-------------------------------------------------------------------------
 */

typedef enum CharacterClass
{
	CHARACTER_OTHER,
	CHARACTER_LETTER,			/* L */
	CHARACTER_MARK,				/* M */
	CHARACTER_DIGIT,			/* Nd */
	CHARACTER_FORMAT,			/* Cf: ignored */
	CHARACTER_SENTENCE,			/* closes a sentence, and so a clause */
	CHARACTER_CLAUSE			/* closes a clause */
} CharacterClass;

typedef struct CaseRange
{
	uint32		first;
	uint32		last;
	int			step;			/* 1: every character of the range; 2: every second one */
} CaseRange;

typedef struct ClassRange
{
	uint32		first;
	uint32		last;
	CharacterClass class;
} ClassRange;

static const ClassRange character_classes[] = {
END
printf "\t{0x%04X, 0x%04X, CHARACTER_%s},\n", @{$_}{qw(first last class)} for @ranges;
print "};\n";

# Prints the letters of a case as ranges of all or of every second character.
for my $case (['upper', 'Lu'], ['lower', 'Ll']) {
    my @found;
    for my $c (grep { $_ >= 0x80 } members($case->[1])) {
        my $range = $found[-1];
        my $step = $range ? $c - $range->{last} : 0;
        if ($range && ($step == 1 || $step == 2) && ($range->{first} == $range->{last} || $range->{step} == $step)) {
            @{$range}{qw(last step)} = ($c, $step);
        } else {
            push @found, {first => $c, last => $c, step => 1};
        }
    }
    print "\n/* Letters of $case->[0] case ($case->[1]) outside ASCII. */\nstatic const CaseRange ${\ $case->[0]}_case[] = {\n";
    printf "\t{0x%04X, 0x%04X, %d},\n", @{$_}{qw(first last step)} for @found;
    print "};\n";
}
