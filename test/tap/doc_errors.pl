#!/usr/bin/env perl
# The manual's table of SQLSTATEs has exactly those that the sources raise.
use strict;
use warnings;
use File::Find qw(find);
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Test::More;

my $root = root_dir();
plan skip_all => 'the manual is not here' unless -f "$root/doc/errors.md";

#
# SQLSTATEs by their names in C and in PL/pgSQL, as the server has them
#
my $pg_config = $ENV{PG_CONFIG} || 'pg_config';
chomp(my $share = `$pg_config --sharedir`);
plan skip_all => "$share/errcodes.txt is not here" unless -f "$share/errcodes.txt";
my (%by_macro, %by_name, %name_of);
for (split /\n/, slurp("$share/errcodes.txt")) {
    my ($code, $macro, $name) = /^([0-9A-Z]{5})\s+[EWS]\s+(ERRCODE_\w+)(?:\s+(\w+))?/ or next;
    $by_macro{$macro} = $code;
    $by_name{$name} = $code if defined $name;
    $name_of{$code} ||= $name;
}
cmp_ok(scalar(keys %by_macro), '>', 200, 'the server tells its SQLSTATEs');

#
# what the sources raise; what they only compare with is not raised
#
my (%raised, @unknown);
sub raises {
    my ($code, $what, $file) = @_;
    $file = substr($file, length($root) + 1);
    defined $code ? $raised{$code}{$file}++ : push @unknown, "$what in $file";
    return;
}
find({no_chdir => 1, wanted => sub {
    my $file = $_;
    return unless -f $file;
    if ($file =~ m{^\Q$root\E/src/.*\.[ch]$}) {
        my $text = slurp($file);
        $text =~ s{/\*.*?\*/}{}gs;
        raises($by_macro{$1}, $1, $file) while $text =~ /(?<![=!]= )\b(ERRCODE_\w+)/g;
        raises(join('', $1 =~ /'(.)'/g), $1, $file) while $text =~ /MAKE_SQLSTATE\(((?:'.',?\s*){5})\)/g;
    }
    elsif ($file =~ m{^\Q$root\E/sql/.*\.sql$} && $file !~ m{/answer_eval--}) {
        my $text = slurp($file);
        for my $what ($text =~ /\berrcode\s*:?=\s*'(\w+)'/gi, $text =~ /\bRAISE\s+SQLSTATE\s+'(\w+)'/gi,
            $text =~ /\bRAISE\s+(?:EXCEPTION\s+)?((?!EXCEPTION\b|USING\b|SQLSTATE\b)[a-z]\w+)\s*(?:;|USING\b)/gi) {
            raises($what =~ /^[0-9A-Z]{5}$/ ? $what : $by_name{lc $what}, $what, $file);
        }
        raises('P0001', 'RAISE without errcode', $file) while $text =~ /\bRAISE\s+EXCEPTION\s+'(?![^;]*\berrcode\b)/gi;
        raises('P0004', 'ASSERT', $file) while $text =~ /^\s*ASSERT\b/gm;
    }
}}, "$root/src", "$root/sql");
is("@unknown", '', 'every one that is raised is known to the server');
cmp_ok(scalar(keys %raised), '>', 15, 'the sources raise many');

#
# what the manual says
#
my ($own) = slurp("$root/doc/errors.md") =~ /^## What the extension raises\n(.*?)^## /ms;
my %told;
my @malformed;
for ($own =~ /^\|(.*)\|$/mg) {
    next if /^ SQLSTATE |^-/;
    my ($code, $name, @cells) = map { s/^\s+|\s+$//gr } split /\|/;
    $code =~ s/^`(.*)`$/$1/;
    push @malformed, $code if @cells != 3 || grep { $_ eq '' } @cells or $cells[2] !~ /^[45]\d\d$/;
    is($name, $name_of{$code}, "$code has its name");
    ok(!$told{$code}++, "$code stands once");
}
is("@malformed", '', 'each row has a meaning, a remedy and a status');
is_deeply([$own =~ /^\| `(\w{5})`/mg], [sort keys %told], 'the rows are in order');
ok($told{$_}, "$_ is in doc/errors.md") or diag("raised in " . join(', ', sort keys %{$raised{$_}})) for sort keys %raised;
ok($raised{$_}, "$_ of doc/errors.md is raised somewhere") for sort keys %told;

done_testing();
