#!/usr/bin/env perl
# tiers: test
# A replay bundle is checked with tar, sha256sum and openssl alone, and with answer_eval.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use File::Temp qw(tempdir);
use MIME::Base64;
use Test::More;

my $server = AnswerServer->new('bundle', extended => 1);
my $folder = tempdir('bundle.XXXXXX', DIR => $ENV{TESTDATA_TMP} // '/tmp', CLEANUP => 1);
$server->value($_) for (
    q{CREATE FUNCTION hits(args jsonb) RETURNS jsonb LANGUAGE sql AS $$ SELECT '{"hits": [{"uri": "https://a.example/r#c",
        "score": 0.9, "stamp": "2999-01-01", "snippet": "Custom items are not refundable."}]}'::jsonb $$},
    q{SELECT answer_tool_register('bundle.find', 'hits(jsonb)',
        spec => answer_tool_spec('doc.search') - 'id')});

# What a command prints; undef if it fails.
sub run_in {
    my ($dir, $command) = @_;
    my $out = `cd '$dir' && $command 2>&1`;
    return $? ? undef : $out;
}

my $plan = q{{"plan_id": "bundle", "nodes": [
    {"id": "find", "op": "call", "tool": "bundle.find", "args": {"q": "x"}, "out": "hits"},
    {"id": "check", "op": "verify", "out": "ev",
        "args": {"claims": ["Custom items are not refundable"], "sources": "$hits"}},
    {"id": "quote", "op": "call", "tool": "synth.answer", "out": "answer",
        "args": {"query": "$INPUT.q", "evidence": "$ev"}},
    {"id": "keep", "op": "mem.write", "args": {"key": "k", "value": "$answer", "provenance": "$ev"}}],
    "edges": [["find", "check"], ["check", "quote"], ["quote", "keep"]]}};
my $trace = $server->value(qq{SELECT answer_plan_execute('{"plan": $plan, "vars": {"q": "x"}}') ->> 'trace_id'});
my $bundle = "SELECT encode(answer_replay_bundle('$trace'), 'base64')";
my $archive = decode_base64($server->value($bundle));
is(decode_base64($server->value($bundle)), $archive, 'a bundle has the same bytes whenever it is asked for');

open my $file, '>:raw', "$folder/bundle.tar" or die $!;
print $file $archive;
close $file or die $!;
my @names = split /\n/, run_in($folder, 'tar tf bundle.tar');
cmp_ok(scalar @names, '>', 25, 'tar lists it');
ok(defined run_in($folder, 'tar xf bundle.tar'), 'tar unpacks it');
my ($top) = $names[0] =~ m{^([^/]+)/};
like($top, qr/^pln_[0-9a-f]{16}$/, 'one directory, named after the document');
is(scalar(grep { !m{^$top/} } @names), 0, 'everything lies in it');
is_deeply([@names], [sort @names], 'in the order of the names');
my $here = "$folder/$top";
ok(defined run_in($here, "sha256sum --strict -c $_"), "sha256sum: $_")
    for qw(manifest-sha256.txt tagmanifest-sha256.txt);

# every signature, as a person would check them
my @signatures = map { [split] } split /\n/, run_in($here, 'cat data/signatures.txt');
is(scalar @signatures, 5, 'the document and four events are signed');
for (@signatures) {
    my ($signed, $sig, $key) = @$_;
    my $verify = "openssl pkeyutl -verify -pubin -rawin -inkey $key -sigfile";
    like(run_in($here, "$verify $sig -in $signed") // '', qr/Verified Successfully/, "openssl: $signed");
    run_in($here, "sed 's/[0-9]/x/' $signed > altered");
    is(run_in($here, "$verify $sig -in altered"), undef, "and not when it is altered: $signed");
}

# the chain of events, from the files alone: prev is the digest of the whole event before, with its signature
is((stat "$here/data/trace/000001.sig")[7], 64, 'a signature is 64 bytes');
ok(-e "$here/data/memory/000004.json", 'what was remembered is there');
is(run_in($here, 'cat data/vars.json'), '{"q":"x"}', 'what the request gave');

# it contains only names and bytes: GNU tar makes the same archive from them
my $list = join ' ', @names;
my $pack = sub {
    my ($file) = @_;
    defined run_in($folder, "tar --format=ustar --numeric-owner --owner=0 --group=0 --mtime=\@0 --mode=0644 -b 1 -cf $file $list") or return;
    # since 1.35 tar leaves out device numbers of files that are no devices
    my $tar = AnswerServer::slurp("$folder/$file");
    for (my $at = 0; substr($tar, $at, 1) =~ /[^\0]/; $at += 512 + 512 * int((oct(substr $tar, $at + 124, 11) + 511) / 512)) {
        my $header = substr $tar, $at, 512;
        substr($header, 329, 16) = "0000000\0" x 2;
        substr($header, 148, 8) = ' ' x 8;
        substr($header, 148, 8) = sprintf "%06o\0 ", unpack '%32C*', $header;
        substr($tar, $at, 512) = $header;
    }
    AnswerServer::spew("$folder/$file", $tar);
    return 1;
};
ok($pack->('again.tar'), 'tar packs it again');
is(run_in($folder, 'cmp bundle.tar again.tar'), '', 'and comes to the same bytes');

# an archive whose checksums hold, with another key in it: openssl would reject what the registry's key verifies
my $key_file = (glob "$here/data/keys/*.pem")[0];
my $pem = AnswerServer::slurp($key_file);
AnswerServer::spew($key_file, $pem =~ s/(\n.{50})(.)/$1 . ($2 eq 'A' ? 'B' : 'A')/er);
run_in($here, "sed 's/^[0-9a-f]*  //' manifest-sha256.txt | xargs sha256sum > m && mv m manifest-sha256.txt"
    . " && sed 's/^[0-9a-f]*  //' tagmanifest-sha256.txt | xargs sha256sum > m && mv m tagmanifest-sha256.txt");
$pack->('other.tar');
my $other = encode_base64(AnswerServer::slurp("$folder/other.tar"), '');
is($server->value("SELECT r ->> 'result' || ' ' || (r ->> 'field') || ': ' || (r ->> 'found')
    FROM answer.replay_verify(decode('$other', 'base64')) AS r"),
    'diverged ' . substr($key_file, length($here) + 1) . ': it is another key than the one that is trusted',
    'a key inside that is not the one that signed');

# verification: as it is, with other keys, altered anywhere
my $verify = sub {
    my ($bytes, $keys) = @_;
    return $server->value("SELECT answer.replay_verify($bytes, $keys) ->> 'result'");
};
my $whole = "answer_replay_bundle('$trace')";
is($verify->($whole, 'NULL'), 'identical', 'by the registry');
is($verify->($whole, 'answer_keys()'), 'identical', 'by keys given');
is($verify->($whole, q{'{}'}), 'diverged', 'the keys inside are not believed');
is($server->value("SELECT string_agg(DISTINCT
        answer.replay_verify(set_byte(b, i, get_byte(b, i) # 1), k) ->> 'result', ',')
    FROM (SELECT $whole AS b, answer_keys() AS k) AS x, generate_series(0, length(b) - 1, 331) AS i"),
    'diverged', 'a bit that was turned anywhere');
is($server->value("SELECT string_agg(DISTINCT answer.replay_verify(substr(b, 1, i), k) ->> 'result', ',')
    FROM (SELECT $whole AS b, answer_keys() AS k) AS x, generate_series(0, length(b) - 1, 512) AS i"),
    'diverged', 'cut off anywhere');
done_testing();
