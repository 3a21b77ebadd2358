#!/usr/bin/env perl
# tiers: long
# The log in copies: dump and restore, base backup, standby, promotion. Receipts and proofs stay the same, byte for byte; a
# copy without the private keys reads everything and signs nothing; a copy that went back in time is detected.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Test::More;

# it keeps the WAL that standbys need when they start long after their backup
my $server = AnswerServer->new('primary', conf => ['wal_level = replica', 'max_wal_senders = 6', q{wal_keep_size = '1GB'}]);
# a witness must not be restored together with the server that it watches
my $witness = AnswerServer->new('witness');

my @setup = (
    'CREATE EXTENSION answer_eval',
    q{SELECT answer_source_register('gauge', 'harbour')},
    q{SELECT answer_tool_register('tide', required_args => '{port}', value_path => 'height', freshness => '36500 days')},
    q{SELECT answer_evidence_add('tide', '{"port": "Ystad"}', '{"height": 0.50, "names": ["日本 😀", "\n"]}', 'gauge',
        '2026-01-01Z')},
);
my $count = 0;

# Different receipts.
sub mint {
    my ($on, $n) = @_;
    $count += $n;
    return $on->run(qq{SELECT count(answer_eval(jsonb_build_object('checks', jsonb_build_array(
        '{"id": "é", "tool": "tide", "args": {"port": "Ystad"}, "expect": [{"path": "height", "op": "gt", "value": 0.4},
            {"path": "names.0", "op": "eq", "value": "日本 😀"}]}'::jsonb,
        jsonb_build_object('tool', 'none', 'args', jsonb_build_object('n', i), 'required', false)))))
        FROM generate_series($count - $n + 1, $count) i});
}

# Mints n receipts, seals them with those that wait already, and returns the checkpoint.
sub seal {
    my ($on, $n) = @_;
    my $result = mint($on, $n);
    die $result->{err} if $result->{state} ne '00000';
    $on->value('SELECT answer_log_seal()');
    return $on->value('SELECT answer_checkpoint()');
}

# Mints receipts until a sealing gives a tree of the given size, counting waiting records of changes and the list of readings
# that the first sealing makes. Seals and returns the checkpoint.
sub seal_to {
    my ($on, $size) = @_;
    return seal($on, $size - $on->value('SELECT (SELECT count(*) FROM answer.log_leaf) + (SELECT count(*) FROM answer.unsealed)
        + (NOT EXISTS (SELECT FROM answer.recorded_rows))::int'));
}

$server->value('CREATE DATABASE origin TEMPLATE template0');
$server->{dbname} = 'origin';
$server->value($_) for @setup;
$witness->value($_) for 'CREATE EXTENSION answer_eval', 'SELECT answer_key_generate()';

sub trust {
    return $witness->value('SELECT answer_witness_trust(' . quoted($_[0]->value('SELECT answer_log_vkey()')) . ')');
}

# Asks the witness to cosign the log of a server, given the size that the witness saw last.
sub cosign {
    my ($on, $old_size) = @_;
    my $request = $on->value("SELECT answer_checkpoint_request($old_size)");
    return $witness->run('SELECT answer_checkpoint_cosign(' . quoted($request) . ')');
}

sub state_of {
    my ($on, $checkpoint) = @_;
    return $on->value('SELECT answer_log_compare(' . quoted($checkpoint) . q{) ->> 'state'});
}

# three sealings by two keys, one of them cosigned, a receipt that was forgotten, and some that wait
my @kept = seal_to($server, 45);
is(trust($server), $server->value('SELECT origin FROM answer.checkpoint LIMIT 1'), 'another server is the witness');
my $cosigned = cosign($server, 0);
is($cosigned->{state}, '00000', 'it cosigns');
$server->value('SELECT answer_cosignature_add(45, ' . quoted($cosigned->{out}) . ', '
    . quoted($witness->value('SELECT answer_witness_vkey()')) . ')');
$kept[0] = $server->value('SELECT answer_checkpoint()');
is(() = $kept[0] =~ /^\x{e2}\x{80}\x{94} /mg, 2, 'its line stands below ours');
push @kept, seal_to($server, 75);
$server->value('SELECT answer_key_generate()');
trust($server);
push @kept, seal_to($server, 100);
my $forgotten = $server->value('SELECT receipt_id FROM answer.log_leaf WHERE leaf_index = 50');
$server->value("SELECT answer_forget('$forgotten', 'asked to')");
is($server->value('SELECT string_agg(finding::text, $$ $$) FROM answer_log_audit(incremental => true)'), 'forgotten', 'all is well');
mint($server, 7);

# What must be the same in every copy.
my $proofs = q{SELECT string_agg(answer_log_inclusion(receipt_id)::text, chr(10) ORDER BY leaf_index) FROM answer.log_leaf};
my %content = (
    (map { ("table $_" => "SELECT count(*), md5(string_agg(t::text, chr(10) ORDER BY t::text)) FROM answer.$_ t") }
        qw(receipt unsealed log_leaf log_tile checkpoint cosignature tombstone witness_key log_audit)),
    'receipt bodies' => q{SELECT md5(string_agg(body::text, chr(10) ORDER BY receipt_id)) FROM answer.receipt},
    'canonical receipts' => q{SELECT md5(string_agg(answer_canonical(body), chr(10) ORDER BY receipt_id)) FROM answer.receipt},
    'proofs of inclusion' => $proofs,
    'proofs of consistency' => q{SELECT string_agg(answer_log_consistency(a, b)::text, chr(10) ORDER BY a, b)
        FROM generate_series(1, 100, 9) a, generate_series(1, 100, 9) b WHERE a <= b},
    'the newest checkpoint' => 'SELECT answer_checkpoint()',
    'the first checkpoint' => 'SELECT answer_checkpoint(45)',
    'the audit' => 'SELECT string_agg(a::text, chr(10)) FROM answer_log_audit() a',
);
my @content = ((sort grep { !/audit/ } keys %content), 'table log_audit', 'the audit');
my %original = map { $_ => $server->value($content{$_}) } grep { $_ ne 'the audit' } @content;
$original{'the audit'} = $server->value("BEGIN READ ONLY; $content{'the audit'}");
like($original{'table log_leaf'}, qr/^100\|/, 'a hundred leaves to begin with');
like($original{'the audit'}, qr/\A\(50,$forgotten,forgotten,[^\n]*\)\z/, 'the audit names what was forgotten, and no defect');

# For any copy: is everything unchanged, and do old proofs and checkpoints hold?
sub same_content {
    my ($where, $copy) = @_;
    my $session = $copy->session;
    my @differ = grep { $session->run($content{$_})->{out} ne $original{$_} } @content;
    is("@differ", '', "$where: the same content and proofs");
    is($session->value(q{SELECT count(*) FROM answer.receipt WHERE answer_verify_ok(body)}), 107,
        "$where: each receipt verifies, and so does the tombstone of the one that was forgotten");
    is($session->value('SELECT count(*) FROM unnest(string_to_array(' . quoted($original{'proofs of inclusion'}) . q{, chr(10))) p
        LEFT JOIN answer.receipt r ON r.receipt_id = p::jsonb ->> 'receipt_id'
        WHERE (answer_log_verify(p::jsonb, r.body) ->> 'ok')::boolean}), 100, "$where: proofs from before hold");
    is($session->value('SELECT string_agg(DISTINCT answer_log_compare(c) ->> \'state\', \' \') FROM unnest('
        . words(@kept[0 .. 2]) . ') c'), 'consistent', "$where: so do checkpoints");
    $session->close;
    return;
}

sub words { return 'ARRAY[' . join(', ', map { quoted($_) } @_) . ']' }

# A copy without private keys: it says so, and what to do.
sub signs_nothing {
    my ($where, $copy) = @_;
    my $size = $copy->value('SELECT max(tree_size) FROM answer.checkpoint');
    $witness->value('SELECT answer_log_seal()');
    for my $call ('answer_log_seal()', q(answer_eval('{"checks": [{"tool": "none"}]}')),
        'answer_witness_trust(' . quoted($witness->value('SELECT answer_log_vkey()')) . ')') {
        my $result = $copy->run("SELECT $call");
        my $name = $call =~ s/\(.*//sr;
        is($result->{state}, '55000', "$where: $name: 55000") or diag($result->{out}, $result->{err});
        like($result->{err}, qr/private signing key .*"?ae-ed25519-.*HINT: .*answer_key_generate\(\)/s,
            "$where: it names the key and says how to mend it");
    }
    is($copy->value(q{SELECT max(tree_size) || ' ' || (SELECT count(*) FROM answer.unsealed) || ' '
        || (SELECT count(*) FROM answer.witness_checkpoint) FROM answer.checkpoint}), "$size 7 0", "$where: nothing has changed");
    return;
}

# A copy in the cluster where the keys are.
sub signs_nothing_of_others {
    my ($where, $copy) = @_;
    my $result = $copy->run('SELECT answer_log_seal()');
    is($result->{state}, '55000', "$where: it does not sign with the keys of the original");
    like($result->{err}, qr/its folder belongs to another database/, "$where: and says why");
    return;
}

# A copy that continues the original.
sub goes_on {
    my ($where, $copy) = @_;
    my $waited = $copy->value('SELECT count(*) FROM answer.unsealed');
    my $newest = seal($copy, 40);
    is($copy->value('SELECT tree_size - previous_size FROM answer.checkpoint ORDER BY tree_size DESC LIMIT 1'), 40 + $waited,
        "$where: sealing takes what waited before, too");
    is($copy->value(q{SELECT string_agg(DISTINCT answer_log_compare(c) ->> 'state', ' ') FROM unnest(} . words(@kept)
        . ') c'), 'consistent', "$where: no fork");
    is($copy->value(q{SELECT bool_and((answer_log_verify(answer_log_consistency(tree_size)) ->> 'ok')::boolean)
        FROM answer.checkpoint WHERE tree_size > 0}), 't', "$where: each checkpoint is proven to lead to the newest");
    is($copy->value(q{SELECT count(*) FROM answer.receipt r WHERE NOT (answer_log_verify(answer_log_inclusion(receipt_id),
        body) ->> 'ok')::boolean}), 0, "$where: each receipt is proven to be in it");
    is($copy->value(q{SELECT count(*) FROM answer_log_audit() WHERE finding <> 'forgotten'}), 0,
        "$where: the audit finds nothing");
    return $newest;
}

sub shell {
    my ($what, $command) = @_;
    local $ENV{PGHOST} = $server->{host};
    local $ENV{PGPORT} = 5432;
    my ($status, $output) = AnswerServer::command('sh', '-c', $command);
    is("$status $output", '0 ', "$what ran, and said nothing");
    return;
}
my ($pg_dump, $pg_restore, $psql) = map { quotemeta AnswerServer::program($_) } qw(pg_dump pg_restore psql);
my $quiet = "$psql -X -q -v ON_ERROR_STOP=1 -o /dev/null";
my $dump = AnswerServer::tmp_dir() . '/origin.dump';

#
# dump and restore: into the same server, and into one without private keys
#
my $restored = bless {%$server, dbname => 'restored'}, ref $server;
{
    $server->value('CREATE DATABASE restored TEMPLATE template0');
    shell('pg_dump | psql', "$pg_dump origin | $quiet -d restored");
    same_content('pg_dump | psql', $restored);

    my $other = AnswerServer->new('other');
    $other->value('CREATE DATABASE elsewhere TEMPLATE template0');
    $other->{dbname} = 'elsewhere';
    shell('pg_restore -j 4', "$pg_dump -Fc -f $dump origin && $pg_restore -h $other->{host} -e -j 4 -d elsewhere $dump");
    same_content('another server', $other);
    signs_nothing('another server', $other);
    $other->value('SELECT answer_key_generate()');
    goes_on('another server with a key of its own', $other);
    is($other->value(q{SELECT count(DISTINCT key_id) FROM answer.checkpoint}), 3, 'which is the third that signs this log');
    $other->stop;
}

#
# base backups
#
sub backup {
    my ($name, @options) = @_;
    my $dir = AnswerServer::tmp_dir() . "/$name";
    mkdir $dir, 0700;
    AnswerServer::must(AnswerServer::program('pg_basebackup'), '-h', $server->{host}, '-p', '5432', '-D', "$dir/data", '-c',
        'fast', '-X', 'stream', '--no-sync', @options);
    return "$dir/data";
}

sub key_files { my ($data) = @_; return glob("$data/answer_eval_keys/*/*.pem") }

backup($_) for qw(old untouched);
unlink key_files(backup('bare', '-R'));
backup('standby', '-R');
my ($standby, $bare) = map { AnswerServer->new($_, from => 1, conf => ['hot_standby = on']) } qw(standby bare);
$_->{dbname} = 'origin' for $standby, $bare;
{
    my $copy = AnswerServer->new('untouched', from => 1);
    $copy->{dbname} = 'origin';
    same_content('base backup', $copy);
    goes_on('base backup', $copy);
    $copy->stop;
}

#
# standbys
#
sub caught_up {
    my ($copy) = @_;
    my $lsn = $server->value('SELECT pg_current_wal_flush_lsn()');
    for (1 .. 2400) {
        return 1 if $copy->value("SELECT pg_last_wal_replay_lsn() >= '$lsn'") eq 't';
        nap(0.05);
    }
    return 0;
}
for my $copy ($standby, $bare) {
    my $name = "$copy->{name}, in recovery";
    ok(caught_up($copy), "$name: it streams");
    is($copy->value('SELECT pg_is_in_recovery()'), 't', "$name: it is read-only");
    same_content($name, $copy);
    $witness->value('SELECT answer_log_seal()');
    my $note = quoted($witness->value('SELECT answer_checkpoint()'));
    for my $call ('answer_log_seal()', "answer_checkpoint_cosign($note)",
        'answer_witness_trust(' . quoted($witness->value('SELECT answer_log_vkey()')) . ')',
        q{answer_cosignature_add(45, } . quoted($cosigned->{out}) . ', '
            . quoted($witness->value('SELECT answer_witness_vkey()')) . ')') {
        my $result = $copy->run("SELECT $call");
        is($result->{state}, '25006', "$name: " . $call =~ s/\(.*//sr . ': 25006') or diag($result->{err});
    }
    is($copy->value($content{'table log_audit'}), $original{'table log_audit'}, "$name: audits leave no record");
    like($copy->value('SELECT answer_checkpoint_request(45)'), qr/\Aold 45\n/, "$name: it can ask for a cosignature");
}

# the primary continues meanwhile
push @kept, seal($server, 20);
is($server->value('SELECT answer_log_compare(' . quoted($kept[-1]) . q{) ->> 'tree_size'}), 127, 'the primary seals');
is(cosign($server, 45)->{state}, '00000', 'and the witness cosigns what it has now');
for my $copy ($standby, $bare) {
    my $name = "$copy->{name}, in recovery";
    ok(caught_up($copy), "$name: it has caught up");
    is($copy->value('SELECT answer_checkpoint()'), $kept[-1], "$name: the new checkpoint is there");
    is($copy->value(q{SELECT count(*) FROM answer.receipt r WHERE NOT (answer_log_verify(answer_log_inclusion(receipt_id), body)
        ->> 'ok')::boolean}), 0, "$name: with a proof for each receipt");
    is($copy->value('SELECT count(*) FROM answer_log_audit(incremental => true)'), 0, "$name: the audit goes on and finds nothing");
}
mint($server, 7);
ok(caught_up($_), "$_->{name}, in recovery: receipts that wait are there") for $standby, $bare;

#
# promotion
#
$server->stop;
for my $copy ($standby, $bare) {
    AnswerServer::must(AnswerServer::program('pg_ctl'), '-D', $copy->{data}, '-w', '-t', '60', '-s', 'promote');
    is($copy->value('SELECT pg_is_in_recovery()'), 'f', "$copy->{name}: promoted");
}
my $newest = goes_on('promoted', $standby);
is($standby->value('SELECT count(DISTINCT key_id) FROM answer.checkpoint'), 2, 'promoted: with the key that the primary had');
is(cosign($standby, 127)->{state}, '00000', 'promoted: to the witness it is the same log');

is($bare->value(q{SELECT count(*) FROM answer_log_audit() WHERE finding <> 'forgotten'}), 0,
    'promoted without private keys: the audit finds nothing');
signs_nothing('promoted without private keys', $bare);
for my $file (key_files($server->{data})) {
    spew("$bare->{data}/answer_eval_keys/" . $file =~ s{.*/(?=.*/)}{}r, slurp($file), 0600);
}
goes_on('promoted, the keys put back', $bare);

#
# back to an old backup
#
push @kept, $newest;
my $old = AnswerServer->new('old', from => 1);
$old->{dbname} = 'origin';
$server->start;
for my $case (['an old base backup', $old], ['an old dump', $restored]) {
    my ($where, $copy) = @$case;
    is($copy->value('SELECT max(tree_size) FROM answer.checkpoint'), 100, "$where is restored");
    is($copy->value(q{SELECT count(*) FROM answer_log_audit() WHERE finding <> 'forgotten'}), 0,
        "$where: from inside it is sound");
    is(state_of($copy, $kept[2]), 'consistent', "$where: so it is to who has seen no more");
    is(state_of($copy, $newest), 'shrunk', "$where: but to who has, the log has shrunk");
    my $size = $standby->value('SELECT max(tree_size) FROM answer.checkpoint');
    is($size, 174, "$where: the log had 174 leaves when it was witnessed last");
    my $result = cosign($copy, 0);
    is($result->{state}, '23000', "$where: the witness refuses");
    like($result->{err}, qr/the log has shrunk.*100 leaves.*174/s, "$where: and says why");

    if ($copy == $restored) {
        # a base backup contains the keys. A dump does not; the witness may trust the key of its restore, too, for the same origin
        signs_nothing_of_others($where, $copy);
        $copy->value('SELECT answer_key_generate()');
        trust($copy);
    }
    seal_to($copy, 174);
    is($copy->value('SELECT max(tree_size) FROM answer.checkpoint'), 174, "$where: it grows again to the same size");
    is(state_of($copy, $newest), 'fork', "$where: the log has forked");
    $result = cosign($copy, 100);
    is($result->{state}, '23000', "$where: the witness refuses");
    like($result->{err}, qr/the log has forked.*another root hash/s, "$where: and says why");
    seal_to($copy, 200);
    is(state_of($copy, $newest), 'fork', "$where: and has forked whatever it grows to");
    is(state_of($copy, $kept[2]), 'consistent', "$where: after what the backup had");
    for my $size (100, 174) {
        $result = cosign($copy, $size);
        is($result->{state}, $size == 174 ? '23000' : '55000', "$where: no proof from $size leaves on convinces the witness");
    }
    like($result->{err}, qr/the log has forked.*does not lead/s, "$where: it says why");
    is($copy->value(q{SELECT count(*) FROM answer_log_audit() WHERE finding <> 'forgotten'}), 0,
        "$where: from inside it is sound still");
}

# Two histories in one statement: the second is refused, so the statement fails.
{
    seal_to($standby, 200);
    my @requests = map { quoted($_->value('SELECT answer_checkpoint_request(174)')) } $standby, $old;
    my $result = $witness->run("SELECT answer_checkpoint_cosign($requests[0]), answer_checkpoint_cosign($requests[1])");
    is($result->{state}, '23000', 'a witness does not cosign two histories of 200 leaves in one statement');
    is($witness->value('SELECT max(tree_size) FROM answer.witness_checkpoint'), 174, 'and keeps to what it had');
    is($witness->run("SELECT answer_checkpoint_cosign($requests[0])")->{state}, '00000', 'but it cosigns the one it knows');
}
ok(!$_->crashed, "$_->{name} never crashed") for $server, $witness, $standby, $bare, $old;
done_testing();
