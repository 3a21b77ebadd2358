#!/usr/bin/env perl
# tiers: check test
# The offline verifier is a set of modules in a checkout, and one file when installed: both must give the same reports. A module
# imports only from those before it, no two define the same name, and each says which rules it checks.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use JSON::PP;
use Test::More;

my $root = root_dir();
my $folder = "$root/tools/verify";
my $json = JSON::PP->new->canonical->ascii;
my ($list) = slurp("$folder/join.sh") =~ /^modules="\n(.*?)^"/ms;
my @modules = split ' ', $list;
my %text = map { $_ => slurp("$folder/$_.py") } @modules;

#
# How the modules depend on each other
#
is_deeply([sort @modules], [map { s{^\Q$folder\E/(.*)\.py\z}{$1}r } sort glob("$folder/*/*.py")], 'join.sh lists every module');
my (%before, %home, @problems);
for my $module (@modules) {
    my ($page) = $text{$module} =~ /\A"""(.*?)"""\n/s;
    push @problems, "$module names no page" unless ($page // '') =~ m{doc/(?:spec/[\w-]+\.md §|offline\.md)};
    for my $taken ($text{$module} =~ /^from (\S+) import/mg) {
        my $name = $taken =~ s{^verify\.}{}r =~ tr{.}{/}r;
        push @problems, "$module takes names of $taken, which is not before it" unless $before{$name};
    }
    for my $names ($text{$module} =~ /^(?:def|class) (\w+)/mg, $text{$module} =~ /^(\w+(?:, \w+)*) = /mg) {
        for my $name (split /, /, $names) {
            push @problems, "$module and $home{$name} define $name" if exists $home{$name};
            $home{$name} = $module;
        }
    }
    $before{$module} = 1;
}
is(join("\n", @problems), '', 'each says what it checks, builds on those before it, and has its names for itself');
cmp_ok(scalar keys %home, '>', 900, 'names were found');
for my $page (grep { $_ !~ /README|route/ } map { s{.*/(.*)\.md}{$1}r } glob("$root/doc/spec/*.md")) {
    my $directory = $page =~ tr/-/_/r;
    ok((grep { m{^\Q$directory\E/} && $text{$_} =~ m{doc/spec/\Q$page\E\.md} } @modules), "doc/spec/$page.md has modules in tools/verify/$directory");
}
# doc/offline.md tells an auditor where each rule is
my %told = map { my ($folder, @names) = /`(\w+)`/g; $folder => \@names } slurp("$root/doc/offline.md") =~ /^(\|[^|]*\| `\w+` \| `.*)$/mg;
is(join(' ', sort map { my $directory = $_; map { "$directory/$_" } @{ $told{$directory} } } keys %told), join(' ', sort @modules), 'doc/offline.md names every module');

#
# One file
#
my $dir = AnswerServer::tmp_dir();
my $joined = "$dir/answer-verify";
for my $again ($joined, "$joined.again") {
    my ($status, $output) = AnswerServer::command('sh', '-c', "cd '$dir' && sh '$folder/join.sh' >'$again'");
    is("$status $output", '0 ', 'join.sh writes it');
}
ok(slurp($joined) eq slurp("$joined.again"), 'with the same bytes each time');
unlike(slurp($joined), qr/^\s*(?:from|import) verify\b/m, 'it needs no module beside it');

# Without openssl, so that no process is started for each signature.
my ($python) = AnswerServer::must('python3', '-c', 'import sys; print(sys.executable)') =~ /(\S+)/;
mkdir "$dir/empty" or die;
my %run = (modules => [$python, "$root/tools/answer-verify"], file => [$python, '-I', '-S', $joined]);

# Checks that output and status of both are the same, and returns them.
sub both {
    my ($name, @arguments) = @_;
    my %said = map { $_ => join("\n", AnswerServer::command('env', "PATH=$dir/empty", @{ $run{$_} }, @arguments)) } keys %run;
    is($said{file}, $said{modules}, "$name: the file and the modules say the same");
    return $said{file};
}

my $corpus = "$root/test/corpus/receipts";
my $keys = spew("$dir/keys.json", $json->encode([map { @{ $json->decode(slurp($_)) } } glob("$corpus/keys*.json")]));
my @documents = grep { !m{/keys[^/]*\z} } glob("$corpus/*.json");
@documents = @documents[grep { $_ % by_tier(10, 1, 1) == 0 } 0 .. $#documents];
my $said = both('documents', 'receipt', @documents, '--keys', $keys);
cmp_ok(scalar(() = $said =~ /: verifies$/mg), '>', @documents / 2, 'most of them verify without openssl');
my @changed = map {
    my $document = $json->decode(slurp($_));
    my ($member) = grep { ref $document->{$_} eq 'ARRAY' && @{ $document->{$_} } } sort keys %$document;
    pop @{ $document->{$member} } if defined $member;
    $json->encode({ %$document, issuer => 'somebody else' })
} @documents;
my $changed = spew("$dir/changed.ndjson", join("\n", @changed));
$said = both('changed documents', 'receipt', $changed, '--keys', $keys, '--json');
is(scalar(() = $said =~ /^\{.*"ok":false/mg), scalar @documents, 'none of them verifies');
both("a bundle, $_", 'bundle', $_, '--keys', $keys) for map { s{\A\Q$corpus\E/}{}r && $_ } glob("$corpus/*.tar");
both("help of $_", $_, '--help') for qw(receipt inclusion consistency checkpoint bundle digest);
both('no command');
both('digests', 'digest', @documents[0, 1]);
like(both('a file that is not there', 'receipt', "$dir/none", '--keys', $keys), qr/\A2\n/, 'a file that is not there has the status 2');

done_testing();
