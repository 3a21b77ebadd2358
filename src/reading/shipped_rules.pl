#!/usr/bin/env perl
# Prints src/reading/shipped_rules.h, shipped_rules.json as a C string, so that the rules that ship need no file. The string
# has the name of the file: of shipped_rules_1.json, which shipped before, shipped_rules_1.
#
#     perl src/reading/shipped_rules.pl src/reading/shipped_rules.json > src/reading/shipped_rules.h
use strict;
use warnings;

my ($name) = ($ARGV[0] // '') =~ /(\w+)\.json$/ or die "usage: shipped_rules.pl NAME.json > NAME.h\n";

print <<"END";
/*-------------------------------------------------------------------------
 *
 * $name.h
 *		The decision rules that ship, as JSON text.
 *
 * Printed by shipped_rules.pl from $name.json.  Do not edit.
 *
 *-------------------------------------------------------------------------
 */

END
print "static const char $name\[] =";
while (my $line = <>) {
    chomp $line;
    $line =~ s/(["\\])/\\$1/g;
    $line =~ s/([^\x20-\x7E])/sprintf '\\%03o', ord $1/ge;
    print "\n\"$line\\n\"";
}
print ";\n";
