#!/usr/bin/env perl
# Prints src/document/receipt_page_parts.h, the page of receipt_page.html with the style and the scripts in it, as C strings
# between which receipt_page.c puts what is in a receipt.
#
#     perl src/document/receipt_page.pl src/document > src/document/receipt_page_parts.h
use strict;
use warnings;
use Digest::SHA qw(sha256_base64);

my ($dir) = @ARGV;
sub source {
    my ($name) = @_;
    open(my $file, '<:raw', "$dir/$name") or die "cannot read $dir/$name: $!\n";
    local $/ = undef;
    my $text = <$file>;
    die "$name is not plain ASCII\n" if $text =~ /[^\t\n\x20-\x7E]/;
    return $text;
}

# What stands in the element is what is hashed.
sub digest { return 'sha256-' . sha256_base64($_[0]) . '=' }
my $style = source('receipt_page.css');
my $script = join '', map { source($_) } qw(receipt_crypto.js receipt_verify.js receipt_rules.js receipt_show.js);
die "a script or style would end early\n" if "$script$style" =~ /<(?:\/|!--|script)/i;
my %known = (style => $style, script => $script, 'style-hash' => digest($style), 'script-hash' => digest($script));

print <<'END';
/*-------------------------------------------------------------------------
 *
 * receipt_page_parts.h
 *		The page of answer_receipt_html(), and where what is in a receipt goes.
 *
 * Printed by receipt_page.pl from receipt_page.html, receipt_page.css,
 * receipt_crypto.js, receipt_verify.js, receipt_rules.js and receipt_show.js.  Do not edit.
 *
 *-------------------------------------------------------------------------
 */

END
my @parts = split /\{\{([a-z-]+)\}\}/, source('receipt_page.html');
my @pieces = ('');
for my $i (0 .. $#parts) {
    if ($i % 2 == 0 || defined $known{$parts[$i]}) { $pieces[-1] .= $i % 2 ? $known{$parts[$i]} : $parts[$i] }
    else { push @pieces, $parts[$i], '' }
}
print "static const PagePart page_parts[] = {\n";
while (my ($text, $value) = splice @pieces, 0, 2) {
    my @lines = $text =~ /[^\n]*\n|[^\n]+/g;
    for (@lines) {
        s/(["\\])/\\$1/g;
        s/\?/\\?/g;
        s/\n/\\n/g;
        s/\t/\\t/g;
        $_ = "\t\t\"$_\"";
    }
    print "\t{\n", join("\n", @lines ? @lines : "\t\t\"\""), ",\n\t\tPAGE_",
        defined $value ? uc($value) : 'END', "\n\t},\n";
}
print "};\n";
