#!/usr/bin/env perl
# tiers: long
# Receipts of earlier versions must verify for ever: with the extension, in a database that has issued nothing itself, and with
# answer-verify. Files in test/corpus/receipts are never changed; a changed rule needs new ones.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use JSON::PP;
use Test::More;

my $server = AnswerServer->new('corpus', extended => 1);
my $folder = root_dir() . '/test/corpus/receipts';
my $tool = root_dir() . '/tools/answer-verify';
my $json = JSON::PP->new->canonical->ascii;
my $session = $server->session;
# the keys of all servers that issued something here
my @known = map { @{ $json->decode(slurp($_)) } } glob("$folder/keys*.json");
my $key_file = spew(AnswerServer::tmp_dir() . '/keys.json', $json->encode(\@known));
my $keys = quoted(slurp($key_file));
my $roots = quoted(slurp("$folder/roots.pem"));
my @names = map { m{([^/]+)\.json$} && $1 !~ /^keys/ ? $1 : () } sort glob("$folder/*.json");
my $openssl = (AnswerServer::command('openssl', 'version'))[0] == 0;

cmp_ok(scalar @names, '>=', 102, 'the corpus is here');
cmp_ok(scalar(grep { slurp("$folder/$_.json") =~ /"tenant": ?"acme"/ } @names), '>=', 7, 'documents of a tenant are among it');

# Whether a document verifies, and the steps that were taken.
sub verified {
    my ($text) = @_;
    my $report = $json->decode($session->value('SELECT answer_verify(' . quoted($text) . "::text, ${keys}::jsonb)"));
    return join(' ', $report->{ok} ? 'ok' : 'not ok', map { $report->{steps}{$_}{ok} ? $_ : "$_: $report->{steps}{$_}{reason}" } sort keys %{ $report->{steps} });
}

# Runs the tool once. Returns for each file whether it verifies, and which steps were left out.
sub by_tool {
    my (@files) = @_;
    my ($status, $output) = AnswerServer::command($tool, 'receipt', @files, '--keys', $key_file, '--roots', "$folder/roots.pem", '--json');
    my @found = map { my $report = $json->decode($_); [$report->{ok} ? 1 : 0, $report->{incomplete} // ''] } grep { /^\{/ } split /\n/, $output;
    is(scalar @found, scalar @files, 'the tool reports on every document') or diag($output);
    is($status, (grep { !$_->[0] } @found) ? 1 : (grep { $_->[1] ne '' } @found) ? 4 : 0, 'and its exit status sums them up');
    return @found;
}

my %undone;
for my $name (@names) {
    my $text = slurp("$folder/$name.json");
    my $schema = $json->decode($text)->{schema};
    $undone{$name} = $session->value('SELECT answer_verify(' . quoted($text) . "::text, ${keys}::jsonb) ->> 'incomplete'");
    is($undone{$name}, $session->value('SELECT answer_verify(' . quoted($text) . "::text, ${keys}::jsonb) #>> '{steps,replay,incomplete}'"),
        "$name: its report says at the top what is left undone");
    my $steps = $schema eq 'answer/tombstone/v1' ? 'ok signature' : 'ok anchor closure receipt_id replay signature';
    is(verified($text), $steps, "$name ($schema) verifies");
    is($session->value('SELECT answer_verify_ok(' . quoted($text) . "::text, ${keys}::jsonb)"), 't', "$name: in a word");
    is($session->value('SELECT answer_replay(' . quoted($text) . q{::text) -> 'ok'}), $steps =~ /replay/ ? 'true' : 'false', "$name: its replay");
    is($session->value('SELECT answer_replay(' . quoted($text) . q{::text) ->> 'incomplete'}),
        $text =~ m{"decision/1"} ? 'rules decision/1' : '', "$name: whether it is decided again")
        if $schema eq 'decision/v1';
    is($session->value('SELECT answer_replay(' . quoted($text) . q{::text) ->> 'incomplete'}), 'rules ground-verify/1',
        "$name: claims are not verified again by a rule that is no more")
        if $schema eq 'plan/v1' && $text =~ m{"method": *"ground-verify/1"};
    is($session->value('SELECT answer_anchor_verify(' . quoted($text) . "::text, $roots) ->> 'outcome'"), 'verified', "$name: its time-stamp")
        if $text =~ /"anchor":/;

    # and does not verify if one member is changed
    my $document = $json->decode($text);
    my @members = grep { $_ ne 'signature' && $_ ne 'anchor' } sort keys %$document;
    for my $member (@members) {
        next unless is_tried();
        my %changed = (%$document, $member => $member eq 'schema' ? 'other/v1' : [$document->{$member}]);
        unlike(verified($json->encode(\%changed)), qr/^ok/, "$name: not with another $member");
    }
    my %changed = (%$document, issuer => 'somebody else');
    spew(AnswerServer::tmp_dir() . "/$name.json", $json->encode(\%changed));
}
SKIP: {
    skip 'no openssl command here', 2 * @names + 4 unless $openssl;
    my @found = by_tool(map { "$folder/$_.json" } @names);
    is("@{$found[$_]}", "1 $undone{$names[$_]}", "$names[$_]: the tool agrees") for 0 .. $#names;
    @found = by_tool(map { AnswerServer::tmp_dir() . "/$_.json" } @names);
    is($found[$_][0], 0, "$names[$_]: and with the change as well") for 0 .. $#names;
}

# bundles of plans
for my $bundle (glob("$folder/*.tar")) {
    my ($name) = $bundle =~ m{([^/]+)$};
    my $bytes = slurp($bundle);
    my $result = sub {
        my ($given) = @_;
        my $hex = unpack('H*', $given);
        return $session->value("SELECT answer.replay_verify(decode('$hex', 'hex'), ${keys}::jsonb) ->> 'result'");
    };
    my $replay = $bytes =~ m{"method": *"ground-verify/1"} ? 'incomplete' : 'identical';
    is($result->($bytes), $replay, "$name: its replay");
    substr(my $changed = $bytes, 700, 1) ^= chr(1);
    is($result->($changed), 'diverged', "$name: not with another byte");
    SKIP: {
        skip 'no openssl command here', 1 unless $openssl;
        my ($status, $output) = AnswerServer::command($tool, 'bundle', $bundle, '--keys', $key_file);
        is("$status " . ($output =~ /result +(\w+)/ ? $1 : $output), ($replay eq 'incomplete' ? 4 : 0) . " $replay", "$name: the tool agrees");
    }
}
# the rules built into the tool are those that ship
my ($known) = slurp(root_dir() . '/tools/verify/decision/shipped_rules.py') =~ /^SHIPPED_DECISION_RULES = r"""\n(.*?)^"""/ms;
is($server->value('SELECT ' . quoted($known) . '::jsonb = ' . quoted(slurp(root_dir() . '/src/reading/shipped_rules.json')) . '::jsonb'), 't',
    'the rules that the tool knows are those that ship');
is($server->value('SELECT count(*) FROM answer.receipt'), 0, 'for which nothing was issued');

done_testing();
