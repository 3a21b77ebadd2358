#!/usr/bin/env perl
# Prints src/reading/shipped_rules.h, shipped_rules.json as a C string, so that the rules that ship need no file.
#
#     perl src/reading/shipped_rules.pl src/reading/shipped_rules.json > src/reading/shipped_rules.h
use strict;
use warnings;

print <<'END';
/*-------------------------------------------------------------------------
 *
 * shipped_rules.h
 *		The decision rules that ship, as JSON text.
 *
 * Printed by shipped_rules.pl from shipped_rules.json.  Do not edit.
 *
 *-------------------------------------------------------------------------
 */

END
print "static const char shipped_rules[] =";
while (my $line = <>) {
    chomp $line;
    $line =~ s/(["\\])/\\$1/g;
    $line =~ s/([^\x20-\x7E])/sprintf '\\%03o', ord $1/ge;
    print "\n\"$line\\n\"";
}
print ";\n";
