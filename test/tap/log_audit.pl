#!/usr/bin/env perl
# tiers: long
# The audit, against a superuser who changes stored rows while triggers are off: it must name every change and nothing else.
# Each case runs in a transaction that is rolled back; an audit after it shows that nothing is left. The long tier tries every
# case; `make one` tries one in six, chosen by the seed.
#
# test/sql/log.sql has the cases of forgotten receipts.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Test::More;

my $server = AnswerServer->new('audit', conf => ['wal_level = replica', 'max_wal_senders = 4', q{wal_keep_size = '1GB'},
    'synchronous_commit = off',
    'jit = off', 'max_parallel_workers_per_gather = 0']);
my $sql = $server->session;

my @functions = (
    # makes n receipts, all different
    q{CREATE FUNCTION mint(n int) RETURNS void LANGUAGE sql AS $$
        SELECT count(answer_eval(jsonb_build_object('checks', jsonb_build_array(jsonb_build_object('tool',
            'postgres_setting',
            'args', '{"name": "port"}'::jsonb, 'expect', jsonb_build_object('path', 'setting', 'op', 'eq', 'value',
                i))))))
        FROM generate_series(1, n) i $$},
    q{CREATE FUNCTION leaf(digest bytea) RETURNS bytea LANGUAGE sql AS $$ SELECT sha256('\x00'::bytea || digest) $$},
    q{CREATE FUNCTION node(a bytea, b bytea) RETURNS bytea LANGUAGE sql AS $$ SELECT sha256('\x01'::bytea || a || b) $$},
    # the root over a whole tile
    q{CREATE FUNCTION tile_root(hashes bytea) RETURNS bytea LANGUAGE plpgsql AS $$
        BEGIN
            WHILE length(hashes) > 32 LOOP
                SELECT string_agg(node(substr(hashes, 64 * i + 1, 32), substr(hashes, 64 * i + 33, 32)), '' ORDER BY i)
                    INTO hashes FROM generate_series(0, length(hashes) / 64 - 1) i;
            END LOOP;
            RETURN hashes;
        END $$},
    q{CREATE FUNCTION put(bytes bytea, slot int, hash bytea) RETURNS bytea LANGUAGE sql AS $$
        SELECT overlay(bytes PLACING hash FROM 32 * slot + 1) $$},
    # turns one bit
    q{CREATE FUNCTION turn(bytes bytea, i int) RETURNS bytea LANGUAGE sql AS $$ SELECT set_byte(bytes, i, get_byte(bytes, i) # 1) $$},
    q{CREATE FUNCTION digest(body jsonb) RETURNS bytea LANGUAGE sql AS $$
        SELECT decode(substr(answer_digest(body - 'anchor'), 8), 'hex') $$},
    q{CREATE FUNCTION id(n bigint) RETURNS text LANGUAGE sql STABLE AS $$
        SELECT receipt_id FROM answer.log_leaf WHERE leaf_index = n $$},
    # what somebody without a key writes carelessly
    q{CREATE FUNCTION forged(body jsonb) RETURNS jsonb LANGUAGE sql AS $$ SELECT jsonb_set(body, '{verdict}',
        '"supported"') $$},
);

# Another cluster-wide key, and a receipt of it.
$server->value('CREATE DATABASE other');
$server->value($_, dbname => 'other') for 'CREATE EXTENSION answer_eval', $functions[0], 'SELECT mint(1)';
my $foreign = $server->value(q{SELECT body FROM answer.receipt WHERE schema = 'answer/v1'}, dbname => 'other');

# Three tiles and an edge; two keys, whose signed changes are three more receipts; five unsealed receipts.
$sql->value($_) for 'CREATE EXTENSION answer_eval', @functions;
for my $size (6, 33, 22, 39) {
    $sql->value("SELECT mint($size)");
    $sql->value('SELECT answer_log_seal()');
    $sql->value('SELECT answer_key_generate()') if $size == 33;
}
$sql->value('SELECT mint(5)');
is($sql->value(q{SELECT string_agg(format('%s %s', tree_size, previous_size), ', ' ORDER BY tree_size)
    FROM answer.checkpoint}),
    '7 , 40 7, 64 40, 103 64', 'four checkpoints');
is($sql->value('SELECT count(*) FROM answer.log_tile'), 3, 'three tiles');
is($sql->value('SELECT count(*) FROM answer.unsealed'), 5, 'five receipts wait');
my @id = split /\n/, $sql->value('SELECT receipt_id FROM answer.log_leaf ORDER BY leaf_index');
my @waiting = split /\n/, $sql->value('SELECT receipt_id FROM answer.unsealed ORDER BY issued_at, receipt_id');
my ($old_key, $key) = split /\n/, $sql->value('SELECT key_id FROM answer.signing_key ORDER BY active_from');

my $columns = q{coalesce(leaf_index::text, '-'), coalesce(receipt_id, '-'), finding, detail};
# dropping constraints and indexes for this is a different defect, see log_tampering.pl
# (what the roll-up says of receipts has a program of its own, log_every_column.pl)
our $audit = q{(SELECT * FROM answer_log_audit() WHERE finding NOT IN ('catalog', 'configuration') AND detail NOT LIKE 'the roll-up %') q};

# Runs statements with triggers off, audits, and rolls back. An expected row is [leaf, receipt, finding, detail]:
# the receipt is an id, or the number of its leaf; the detail is a pattern.
sub tampered {
    my ($what, $statements, @expected) = @_;
    return unless is_tried();
    $sql->value($_) for 'BEGIN', 'SET LOCAL session_replication_role = replica', guards_off();
    my ($result, @rows);
    for my $statement (ref $statements ? @$statements : $statements, guards_back()) {
        $result = $sql->run($statement);
        last if $result->{state} ne '00000';
    }
    $result = $sql->run("SELECT $columns FROM $audit") if $result->{state} eq '00000';
    $sql->value('ROLLBACK');
    @rows = grep { !/\|the roll-up / } split /\n/, $result->{out} if $result->{state} eq '00000';
    my @left = @rows;
    my @missed;
    for my $row (@expected) {
        my ($leaf, $id, $finding, $detail) = @$row;
        my $given = defined $id ? $id =~ /^\d+$/ ? $id[$id] : $id : '-';
        my ($found) = grep { my @is = split /\|/, $left[$_], 4;
            $is[0] eq (defined $leaf ? $leaf : '-') && $is[1] eq $given && $is[2] eq $finding && $is[3] =~ $detail }
            0 .. $#left;
        if (defined $found) { splice @left, $found, 1 }
        else { push @missed, join('|', defined $leaf ? $leaf : '-', $given, $finding, $detail) }
    }
    ok($result->{state} eq '00000' && !@missed && !@left, "$what: " . scalar(@expected) . ' row' . (@expected == 1 ? '' : 's'))
        or diag(join("\n", "$result->{state} $result->{err}", (map { "missed: $_" } @missed),
            map { "found: $_" } @left > 20 ? (@left[0 .. 19], 'and ' . (@left - 20) . ' more') : @left));
    return;
}

sub changed { my ($leaf, $id, $detail) = @_; return [$leaf, $id, 'changed', $detail] }
sub missing { my ($leaf, $id, $detail) = @_; return [$leaf, $id, 'missing', $detail] }
sub reordered { my ($leaf, $id, $what, $was) = @_; return [$leaf, $id, 'reordered',
    qr/^the $what is what was sealed as leaf $was$/] }
sub extra { my ($leaf, $id, $detail) = @_; return [$leaf, $id, 'extra', $detail] }
sub key { my ($leaf, $id, $detail) = @_; return [$leaf, $id, 'key', $detail] }

# where a leaf's receipt is
sub of { my ($n) = @_; return "receipt_id = '$id[$n]'" }

tampered('nothing', 'SELECT 1');

#
# receipts
#
for my $n (0, 5, 31, 32, 95, 96, 102) {
    tampered("the body of receipt $n", 'UPDATE answer.receipt SET body = forged(body) WHERE ' . of($n),
        changed($n, $n, qr/^the receipt is not what was sealed$/));
    tampered("receipt $n deleted", 'DELETE FROM answer.receipt WHERE ' . of($n),
        missing($n, $n, qr/^the receipt is gone$/));
}
tampered('a space in a body is none', 'UPDATE answer.receipt SET body = body::text::jsonb');
tampered('the id in a body', q{UPDATE answer.receipt SET body = jsonb_set(body, '{receipt_id}',
    '"ans_0123456789abcdef"') WHERE } . of(5),
    changed(5, 5, qr/^the receipt is not what was sealed$/));
tampered('the signature of a body', q{UPDATE answer.receipt SET body = jsonb_set(body, '{signature,sig}', '"AAAA"')
    WHERE } . of(5),
    changed(5, 5, qr/^the receipt is not what was sealed$/));
tampered('an anchor is no change', q{UPDATE answer.receipt SET body = jsonb_set(body, '{anchor}', '{"any": "thing"}')
    WHERE } . of(5));
tampered("a body that is $_", "UPDATE answer.receipt SET body = '$_' WHERE " . of(5),
    changed(5, 5, qr/^the receipt is not what was sealed$/))
    for '{}', '[]', 'null', '"x"', '1', '{"schema": 1, "signature": [], "checks": {}}', '{"schema": "answer/v1",
        "issued_at": "infinity"}';
tampered('a body of 600 levels', q{UPDATE answer.receipt SET body = (repeat('[', 600) || repeat(']', 600))::jsonb
    WHERE } . of(5),
    changed(5, 5, qr/^the receipt is not what was sealed$/));
tampered('no body', ['ALTER TABLE answer.receipt ALTER body DROP NOT NULL', 'UPDATE answer.receipt SET body = NULL
    WHERE ' . of(5)],
    missing(5, 5, qr/^the receipt has no body$/));
my %columns = (
    issued_at => q{issued_at + '1 us'},
    verdict => q{'supported'},
    confidence => 'confidence + 0.01',
    degraded => 'NOT degraded',
    schema => q{'change/v1'},
    key_id => qq{CASE key_id WHEN '$key' THEN '$old_key' ELSE '$key' END},
);
for my $column (sort keys %columns) {
    tampered("column $column", "UPDATE answer.receipt SET $column = $columns{$column} WHERE " . of(5),
        changed(5, 5, qr/^column $column is not what the body says$/));
    tampered("column $column of all", "UPDATE answer.receipt SET $column = $columns{$column}
        WHERE receipt_id <> ALL ('{@{[join ',', @waiting]}}')",
        map { changed($_, $_, qr/^column $column is not what the body says$/) } 0 .. 102) if $column eq 'issued_at';
    tampered("column $column null", ["ALTER TABLE answer.receipt ALTER $column DROP NOT NULL",
        "UPDATE answer.receipt SET $column = NULL WHERE " . of(5)],
        changed(5, 5, qr/^column $column is not what the body says$/));
}
tampered("confidence $_", "UPDATE answer.receipt SET confidence = '$_' WHERE " . of(5),
    changed(5, 5, qr/^column confidence is not what the body says$/)) for 'NaN', 'Infinity', '-0.0001', '1e308';
tampered("issued_at $_", "UPDATE answer.receipt SET issued_at = '$_' WHERE " . of(5),
    changed(5, 5, qr/^column issued_at is not what the body says$/)) for 'infinity', '-infinity', '4713-01-01 BC';
tampered('a receipt renamed', q{UPDATE answer.receipt SET receipt_id = 'ans_renamed' WHERE } . of(5),
    changed(5, 'ans_renamed', qr/^column receipt_id is not what the body says$/));
tampered('two bodies swapped', "UPDATE answer.receipt r SET body = o.body FROM answer.receipt o
    WHERE r.receipt_id IN ('$id[5]', '$id[70]') AND o.receipt_id IN ('$id[5]',
        '$id[70]') AND o.receipt_id <> r.receipt_id",
    reordered(5, 5, 'receipt', 70), reordered(70, 70, 'receipt', 5));
tampered('two ids swapped', ['ALTER TABLE answer.receipt_default DROP CONSTRAINT receipt_default_pkey',
    "UPDATE answer.receipt SET receipt_id = CASE receipt_id WHEN '$id[5]' THEN '$id[70]' ELSE '$id[5]' END
        WHERE receipt_id IN ('$id[5]', '$id[70]')"],
    reordered(5, 5, 'receipt', 70), reordered(70, 70, 'receipt', 5));
tampered('three bodies rotated', "UPDATE answer.receipt r SET body = o.body FROM answer.receipt o
    WHERE (r.receipt_id, o.receipt_id) IN (('$id[5]', '$id[6]'), ('$id[6]', '$id[99]'), ('$id[99]', '$id[5]'))",
    reordered(5, 5, 'receipt', 6), reordered(6, 6, 'receipt', 99), reordered(99, 99, 'receipt', 5));
tampered('one body twice', "UPDATE answer.receipt r SET body = o.body FROM answer.receipt o
    WHERE r.receipt_id = '$id[5]' AND o.receipt_id = '$id[70]'", changed(5, 5,
        qr/^the receipt is not what was sealed$/));
tampered('a receipt twice', ['ALTER TABLE answer.receipt_default DROP CONSTRAINT receipt_default_pkey',
    'INSERT INTO answer.receipt SELECT * FROM answer.receipt WHERE ' . of(5)], extra(5, 5,
        qr/^the receipt is there twice$/));
my @copied = ('receipt_id', 'issued_at', 'verdict', 'confidence', 'degraded', 'schema', 'key_id', 'body');
sub copied {
    my ($body, $from) = @_;
    return "INSERT INTO answer.receipt (@{[join ', ', @copied]})
        SELECT b ->> 'receipt_id', (b ->> 'issued_at')::timestamptz, r.verdict, r.confidence, r.degraded, r.schema, r.key_id, b
        FROM answer.receipt r, LATERAL (SELECT ($body)::jsonb AS b) q WHERE " . of($from);
}
tampered('a self-made receipt', copied(q{jsonb_set(forged(body), '{receipt_id}', '"ans_selfmade"')}, 5),
    extra(undef, 'ans_selfmade', qr/^the receipt is neither in the log nor waiting to be sealed$/));
my ($foreign_id) = $foreign =~ /"receipt_id": "(\w+)"/;
tampered("a receipt of another key", copied(quoted($foreign), 5),
    extra(undef, $foreign_id, qr/^the receipt is neither in the log nor waiting to be sealed$/));
tampered("a receipt of another key in the place of one", ['DELETE FROM answer.receipt WHERE ' . of(5),
    copied(quoted($foreign), 6)],
    missing(5, 5, qr/^the receipt is gone$/), extra(undef, $foreign_id, qr/neither in the log/));
tampered("a receipt of another key under the id of one", 'UPDATE answer.receipt SET body = ' . quoted($foreign) . '
    WHERE ' . of(5),
    changed(5, 5, qr/^the receipt is not what was sealed$/));
tampered('all receipts gone', 'TRUNCATE answer.receipt', (map { missing($_, $_, qr/^the receipt is gone$/) } 0 .. 102),
    map { missing(undef, $_, qr/^the receipt is gone before it was sealed$/) } @waiting);

#
# leaves
#
my $loose = ['ALTER TABLE answer.log_leaf DROP CONSTRAINT log_leaf_pkey',
    'ALTER TABLE answer.log_leaf DROP CONSTRAINT log_leaf_issued_at_receipt_id_key'];
my $new_digest = q{sha256('another')};
for my $n (0, 5, 31, 32, 95, 96, 102) {
    tampered("the digest of leaf $n", "UPDATE answer.log_leaf SET digest = $new_digest WHERE leaf_index = $n",
        changed($n, $n, qr/^the leaf is not what was sealed$/));
    tampered("leaf $n deleted", "DELETE FROM answer.log_leaf WHERE leaf_index = $n",
        missing($n, $n, qr/^the leaf is gone$/));
    tampered("leaf $n renamed", "UPDATE answer.log_leaf SET receipt_id = 'ans_renamed' WHERE leaf_index = $n",
        changed($n, $n, qr/^the leaf names another receipt than was sealed$/));
    tampered("the instant of leaf $n", "UPDATE answer.log_leaf SET issued_at = issued_at + '1 s' WHERE leaf_index = $n",
        changed($n, $n, qr/^column issued_at of the leaf is not what the receipt says$/));
}
tampered('a leaf named like another', "UPDATE answer.log_leaf SET receipt_id = '$id[70]' WHERE leaf_index = 5",
    changed(5, 5, qr/^the leaf names another receipt than was sealed$/));
tampered('a leaf that is another one altogether', "UPDATE answer.log_leaf SET receipt_id = 'ans_x',
    digest = $new_digest WHERE leaf_index = 5",
    changed(5, 5, qr/^the leaf is not what was sealed$/));
tampered('a digest of the wrong length', ['ALTER TABLE answer.log_leaf DROP CONSTRAINT log_leaf_digest_check',
    q{UPDATE answer.log_leaf SET digest = '\x00' WHERE leaf_index = 5}], changed(5, 5,
        qr/^the leaf is not what was sealed$/));
tampered('no digest', ['ALTER TABLE answer.log_leaf ALTER digest DROP NOT NULL',
    'UPDATE answer.log_leaf SET digest = NULL WHERE leaf_index = 5'], changed(5, 5,
        qr/^the leaf is not what was sealed$/));
tampered('no name', ['ALTER TABLE answer.log_leaf ALTER receipt_id DROP NOT NULL',
    'UPDATE answer.log_leaf SET receipt_id = NULL WHERE leaf_index = 5'],
    changed(5, 5, qr/^the leaf names another receipt than was sealed$/));
tampered('no instant', ['ALTER TABLE answer.log_leaf ALTER issued_at DROP NOT NULL',
    'UPDATE answer.log_leaf SET issued_at = NULL WHERE leaf_index = 5'],
    changed(5, 5, qr/^column issued_at of the leaf is not what the receipt says$/));
for my $pair ([5, 6], [5, 70], [0, 102], [96, 97], [31, 32]) {
    my ($i, $j) = @$pair;
    tampered("leaves $i and $j swapped", [@$loose, "UPDATE answer.log_leaf SET leaf_index = $i + $j - leaf_index
        WHERE leaf_index IN ($i, $j)"],
        reordered($i, $j, 'leaf', $j), reordered($j, $i, 'leaf', $i));
    tampered("digests of leaves $i and $j swapped", "UPDATE answer.log_leaf l SET digest = o.digest
        FROM answer.log_leaf o
        WHERE l.leaf_index IN ($i, $j) AND o.leaf_index = $i + $j - l.leaf_index",
        reordered($i, $i, 'leaf', $j), reordered($j, $j, 'leaf', $i));
    tampered("names of leaves $i and $j swapped",
        [@$loose, "UPDATE answer.log_leaf l SET receipt_id = o.receipt_id, issued_at = o.issued_at
        FROM answer.log_leaf o
        WHERE l.leaf_index IN ($i, $j) AND o.leaf_index = $i + $j - l.leaf_index"],
        reordered($i, $j, 'receipt', $j), reordered($j, $i, 'receipt', $i));
}
tampered('three leaves rotated',
    [@$loose, 'UPDATE answer.log_leaf SET leaf_index = CASE leaf_index WHEN 5 THEN 40 WHEN 40 THEN 99 ELSE 5 END
    WHERE leaf_index IN (5, 40, 99)'], reordered(40, 5, 'leaf', 5), reordered(99, 40, 'leaf', 40), reordered(5, 99,
        'leaf', 99));
tampered('all leaves shifted by one', [@$loose, 'UPDATE answer.log_leaf SET leaf_index = leaf_index + 1'],
    missing(0, undef, qr/^the leaf is gone$/), map { reordered($_ + 1, $_, 'leaf', $_) } 0 .. 102);
tampered('all leaves shifted down by one',
    [@$loose, 'ALTER TABLE answer.log_leaf DROP CONSTRAINT log_leaf_leaf_index_check',
    'UPDATE answer.log_leaf SET leaf_index = leaf_index - 1'],
    reordered(undef, 0, 'leaf', 0), missing(102, undef, qr/^the leaf is gone$/), map { reordered($_ - 1, $_, 'leaf',
        $_) } 1 .. 102);
tampered('the order of a tile turned', [@$loose, 'UPDATE answer.log_leaf SET leaf_index = 95 - leaf_index
    WHERE leaf_index BETWEEN 32 AND 63'],
    map { reordered($_, 95 - $_, 'leaf', 95 - $_) } 32 .. 63);
tampered('a leaf twice', [@$loose, 'INSERT INTO answer.log_leaf SELECT * FROM answer.log_leaf WHERE leaf_index = 5'],
    extra(5, 5, qr/^the leaf is there twice$/));
tampered('a leaf at the end again', [@$loose, 'INSERT INTO answer.log_leaf SELECT 103, issued_at, receipt_id, digest
    FROM answer.log_leaf WHERE leaf_index = 5'],
    extra(103, 5, qr/^no checkpoint covers the leaf$/));
tampered('a leaf over another', [@$loose, 'DELETE FROM answer.log_leaf WHERE leaf_index = 40',
    'UPDATE answer.log_leaf SET leaf_index = 40 WHERE leaf_index = 5'],
    missing(5, undef, qr/^the leaf is gone$/), reordered(40, 5, 'leaf', 5));
tampered('a gap of leaves', 'DELETE FROM answer.log_leaf WHERE leaf_index BETWEEN 30 AND 70', missing(30, undef,
    qr/^the leaves from 30 to 70 are gone$/));
tampered('the first leaves gone', 'DELETE FROM answer.log_leaf WHERE leaf_index < 40', missing(0, undef,
    qr/^the leaves from 0 to 39 are gone$/));
tampered('the last leaves gone', 'DELETE FROM answer.log_leaf WHERE leaf_index > 60', missing(61, undef,
    qr/^the leaves from 61 to 102 are gone$/));
tampered('every other leaf gone', 'DELETE FROM answer.log_leaf WHERE leaf_index % 2 = 1', map { missing(2 * $_ + 1,
    2 * $_ + 1, qr/^the leaf is gone$/) } 0 .. 50);
tampered('all leaves gone', 'TRUNCATE answer.log_leaf', missing(0, undef, qr/^the leaves from 0 to 102 are gone$/));
tampered('leaves and tiles gone', ['TRUNCATE answer.log_leaf', 'TRUNCATE answer.log_tile'], missing(0, undef,
    qr/^the leaves from 0 to 102 are gone$/),
    map({ missing(undef, undef, qr/^tile $_ of level 0 is gone$/) } 0 .. 2),
    # only for leaves at the edge something still says what they were
    map({ extra(undef, $_, qr/neither in the log/) } 0 .. 95));
tampered('a leaf made up', "INSERT INTO answer.log_leaf VALUES (103, now(), 'ans_x', $new_digest)", extra(103, 'ans_x',
    qr/^no checkpoint covers the leaf$/));
tampered('a leaf made up far away', "INSERT INTO answer.log_leaf VALUES (1::bigint << 62, now(), 'ans_x', $new_digest),
    (9223372036854775807, now(), 'ans_y', $new_digest)",
    extra('4611686018427387904', 'ans_x', qr/^no checkpoint covers the leaf$/), extra('9223372036854775807', 'ans_y',
        qr/^no checkpoint covers the leaf$/));
tampered('a leaf that waited', 'INSERT INTO answer.log_leaf SELECT 103, issued_at, receipt_id, digest
    FROM answer.unsealed ORDER BY issued_at, receipt_id LIMIT 1',
    extra(103, $waiting[0], qr/^no checkpoint covers the leaf$/));
tampered('a leaf at a negative place', ['ALTER TABLE answer.log_leaf DROP CONSTRAINT log_leaf_leaf_index_check',
    "INSERT INTO answer.log_leaf VALUES (-1, now(), 'ans_x', $new_digest), (-9223372036854775808, now(), 'ans_y',
        $new_digest)"],
    extra(undef, 'ans_x', qr/^no checkpoint covers the leaf$/), extra(undef, 'ans_y',
        qr/^no checkpoint covers the leaf$/));
tampered('a leaf at no place', [@$loose, 'ALTER TABLE answer.log_leaf ALTER leaf_index DROP NOT NULL',
    'UPDATE answer.log_leaf SET leaf_index = NULL WHERE leaf_index = 5'],
    missing(5, undef, qr/^the leaf is gone$/), reordered(undef, 5, 'leaf', 5));

#
# tiles
#
for my $tile (0 .. 2) {
    tampered("tile $tile edited", "UPDATE answer.log_tile SET hashes = turn(hashes, 700) WHERE tile = $tile",
        changed(undef, undef, qr/^tile $tile of level 0 does not follow from its leaves$/));
    tampered("tile $tile deleted", "DELETE FROM answer.log_tile WHERE tile = $tile", missing(undef, undef,
        qr/^tile $tile of level 0 is gone$/));
    tampered("tile $tile of the wrong length", ['ALTER TABLE answer.log_tile DROP CONSTRAINT log_tile_hashes_check',
        "UPDATE answer.log_tile SET hashes = substr(hashes, 1, 1023) WHERE tile = $tile"], missing(undef, undef,
            qr/^tile $tile of level 0 is gone$/));
    tampered("tile $tile null", ['ALTER TABLE answer.log_tile ALTER hashes DROP NOT NULL',
        "UPDATE answer.log_tile SET hashes = NULL WHERE tile = $tile"],
        missing(undef, undef, qr/^tile $tile of level 0 is gone$/));
}
tampered('two tiles swapped', ['ALTER TABLE answer.log_tile DROP CONSTRAINT log_tile_pkey',
    'UPDATE answer.log_tile SET tile = 1 - tile WHERE tile < 2'],
    map { changed(undef, undef, qr/^tile $_ of level 0 does not follow from its leaves$/) } 0, 1);
tampered('all tiles gone', 'TRUNCATE answer.log_tile', map { missing(undef, undef,
    qr/^tile $_ of level 0 is gone$/) } 0 .. 2);
tampered('tiles that are not of the tree', "INSERT INTO answer.log_tile SELECT l, t, hashes FROM answer.log_tile,
    (VALUES (0, 3), (0, 1::bigint << 62), (1, 0), (2, 0), (11, 0), (12, 0), (99, 0), (32767, 5), (-1, 0), (-32768, 0),
        (0, -1), (1, -9223372036854775808)) v (l, t) WHERE tile = 0",
    map { extra(undef, undef, qr/^tile $$_[1] of level $$_[0] is not part of the tree/) } [0, 3], [0,
        '4611686018427387904'], [1, 0], [2, 0], [11, 0], [12, 0], [99, 0],
    [32767, 5], [-1, 0], [-32768, 0], [0, -1], [1, '-9223372036854775808']);
tampered('a tile twice', ['ALTER TABLE answer.log_tile DROP CONSTRAINT log_tile_pkey',
    'INSERT INTO answer.log_tile SELECT * FROM answer.log_tile WHERE tile = 1'],
    extra(undef, undef, qr/^tile 1 of level 0 is not part of the tree, or there twice$/));
tampered('a tile nowhere', ['ALTER TABLE answer.log_tile DROP CONSTRAINT log_tile_pkey',
    'ALTER TABLE answer.log_tile ALTER level DROP NOT NULL, ALTER tile DROP NOT NULL',
    'INSERT INTO answer.log_tile SELECT NULL, 1, hashes FROM answer.log_tile WHERE tile = 1',
        'INSERT INTO answer.log_tile SELECT 0, NULL, hashes FROM answer.log_tile WHERE tile = 0'],
    extra(undef, undef, qr/^tile 1 of level NULL/), extra(undef, undef, qr/^tile NULL of level 0/));
tampered('a tile and a leaf of another', ['UPDATE answer.log_tile SET hashes = turn(hashes, 700) WHERE tile = 1',
    "UPDATE answer.log_leaf SET digest = $new_digest WHERE leaf_index = 5"],
    changed(undef, undef, qr/^tile 1 of level 0 does not follow from its leaves$/), changed(5, 5,
        qr/^the leaf is not what was sealed$/));
tampered('a tile, and another leaf of it', ['UPDATE answer.log_tile SET hashes = turn(hashes, 700) WHERE tile = 0',
    "UPDATE answer.log_leaf SET digest = $new_digest WHERE leaf_index = 5"],
    changed(undef, undef, qr/^tile 0 of level 0 does not follow from its leaves$/), changed(5, 5,
        qr/^the leaf is not what was sealed$/));
tampered('a tile gone, and a receipt of it edited', ['DELETE FROM answer.log_tile WHERE tile = 0',
    'UPDATE answer.receipt SET body = forged(body) WHERE ' . of(5)],
    missing(undef, undef, qr/^tile 0 of level 0 is gone$/), changed(5, 5, qr/^the receipt is not what was sealed$/));
tampered('a leaf, its receipt and its place in the tile', ["UPDATE answer.log_leaf SET digest = $new_digest
    WHERE leaf_index = 5", 'UPDATE answer.receipt SET body = forged(body) WHERE ' . of(5)],
    changed(5, 5, qr/^the leaf is not what was sealed$/), changed(5, 5, qr/^the receipt is not what was sealed$/));

#
# checkpoints
#
for my $size (7, 40, 64, 103) {
    tampered("the root of checkpoint $size", "UPDATE answer.checkpoint SET root_hash = $new_digest
        WHERE tree_size = $size",
        changed(undef, undef, qr/^checkpoint of $size leaves: column root_hash is not what the note says$/));
    tampered("the edge of checkpoint $size", "UPDATE answer.checkpoint SET edge = turn(edge, 3)
        WHERE tree_size = $size",
        changed(undef, undef, qr/^checkpoint of $size leaves: its edge does not lead to its root hash$/)) ;
    tampered("no edge of checkpoint $size", "UPDATE answer.checkpoint SET edge = '' WHERE tree_size = $size",
        changed(undef, undef, qr/^checkpoint of $size leaves: its edge does not lead to its root hash$/));
    tampered("edge of checkpoint $size null", ['ALTER TABLE answer.checkpoint ALTER edge DROP NOT NULL',
        "UPDATE answer.checkpoint SET edge = NULL WHERE tree_size = $size"],
        changed(undef, undef, qr/^checkpoint of $size leaves: its edge does not lead to its root hash$/));
    tampered("the note of checkpoint $size", "UPDATE answer.checkpoint SET note = turn(note, length(note) - 20)
        WHERE tree_size = $size",
        changed(undef, undef, qr/^checkpoint of $size leaves: the note is (not what was signed|malformed)$/));
    tampered("no note of checkpoint $size", "UPDATE answer.checkpoint SET note = '' WHERE tree_size = $size",
        changed(undef, undef, qr/^checkpoint of $size leaves: the note is malformed$/));
    tampered("the origin of checkpoint $size", "UPDATE answer.checkpoint SET origin = 'elsewhere'
        WHERE tree_size = $size",
        changed(undef, undef, qr/^checkpoint of $size leaves: column origin is not what the note says$/));
    tampered("the key of checkpoint $size", "UPDATE answer.checkpoint SET key_id = 'ae-ed25519-000000000000'
        WHERE tree_size = $size",
        key(undef, undef, qr/^checkpoint of $size leaves: the key is not among the keys given$/));
    tampered("the instant of checkpoint $size", "UPDATE answer.checkpoint SET sealed_at = '2000-01-01'
        WHERE tree_size = $size",
        key(undef, undef, qr/^checkpoint of $size leaves: issued before the key was active$/));
    tampered("size of checkpoint $size", "UPDATE answer.checkpoint SET tree_size = tree_size + 1
        WHERE tree_size = $size",
        changed(undef, undef, qr/^checkpoint of @{[$size + 1]} leaves: column tree_size is not what the note says$/));
}
tampered('the previous size of checkpoint 64', 'UPDATE answer.checkpoint SET previous_size = 39 WHERE tree_size = 64',
    changed(undef, undef, qr/^checkpoint of 64 leaves: column previous_size is not the size of the one before it$/));
tampered('no previous size', 'UPDATE answer.checkpoint SET previous_size = NULL WHERE tree_size = 64',
    changed(undef, undef, qr/^checkpoint of 64 leaves: column previous_size is not the size of the one before it$/));
tampered('the order of checkpoints', q{UPDATE answer.checkpoint SET tree_size = 70 WHERE tree_size = 40},
    changed(undef, undef, qr/^checkpoint of 70 leaves: column tree_size is not what the note says$/));
tampered('the first checkpoint gone', 'DELETE FROM answer.checkpoint WHERE tree_size = 7', missing(undef, undef,
    qr/^checkpoint of 40 leaves: the one before it, of 7 leaves, is gone$/));
tampered('a middle checkpoint gone', 'DELETE FROM answer.checkpoint WHERE tree_size = 40', missing(undef, undef,
    qr/^checkpoint of 64 leaves: the one before it, of 40 leaves, is gone$/));
tampered('the newest checkpoint gone', 'DELETE FROM answer.checkpoint WHERE tree_size = 103', missing(64, undef,
    qr/^the checkpoint that covered the leaves from 64 to 102 is gone$/));
tampered('all checkpoints gone', 'TRUNCATE answer.checkpoint', missing(0, undef,
    qr/^the checkpoint that covered the leaves from 0 to 102 is gone$/));
tampered('a checkpoint twice', ['ALTER TABLE answer.checkpoint DROP CONSTRAINT checkpoint_pkey',
    'INSERT INTO answer.checkpoint SELECT * FROM answer.checkpoint WHERE tree_size = 40'],
    extra(undef, undef, qr/^checkpoint of 40 leaves: it is there twice$/));
my $fake = q{INSERT INTO answer.checkpoint SELECT %s, %s, origin, sha256('x'), decode(repeat('00', 32 * %d), 'hex'),
    key_id, sealed_at, convert_to(origin || E'\n%s\n' || encode(sha256('x'), 'base64'),
    'UTF8') || substr(note, 1 + position('\x0a0a'::bytea IN note)) FROM answer.checkpoint WHERE tree_size = 103};
for my $size (50, 104, 1000, 1 << 40, 1 << 62) {
    my $count = 0;
    $count += ($size >> (5 * $_)) & 31 for 0 .. 12;
    tampered("a checkpoint of $size made up", sprintf($fake, $size, $size == 50 ? 40 : 103, $count, $size),
        changed(undef, undef, qr/^checkpoint of $size leaves: the note is (not what was signed|malformed)$/));
}
tampered('a checkpoint of no size',
    [q{ALTER TABLE answer.checkpoint DROP CONSTRAINT checkpoint_pkey, DROP CONSTRAINT checkpoint_tree_size_check, DROP CONSTRAINT checkpoint_check, ALTER tree_size DROP NOT NULL},
    'INSERT INTO answer.checkpoint SELECT s, NULL, origin, root_hash, edge, key_id, sealed_at, note
        FROM answer.checkpoint, (VALUES (NULL), (-1), (-9223372036854775808)) v (s) WHERE tree_size = 40'],
    (extra(undef, undef, qr/^a checkpoint has no size$/)) x 3);
tampered('columns of a checkpoint null',
    [map({ "ALTER TABLE answer.checkpoint ALTER $_ DROP NOT NULL" } qw(origin root_hash edge key_id sealed_at note)),
    'UPDATE answer.checkpoint SET origin = NULL, root_hash = NULL, edge = NULL, key_id = NULL, sealed_at = NULL, note = NULL WHERE tree_size = 40'],
    changed(undef, undef, qr/^checkpoint of 40 leaves: the note is malformed$/));

#
# unsealed receipts
#
tampered('one that waited deleted', "DELETE FROM answer.unsealed WHERE receipt_id = '$waiting[1]'", extra(undef,
    $waiting[1], qr/^the receipt is neither in the log nor waiting to be sealed$/));
tampered('all that waited deleted', 'TRUNCATE answer.unsealed', map { extra(undef,
    $_, qr/neither in the log/) } @waiting);
tampered('the digest of one that waits', "UPDATE answer.unsealed SET digest = $new_digest
    WHERE receipt_id = '$waiting[1]'",
    changed(undef, $waiting[1], qr/^the digest that waits to be sealed is not the receipt's$/));
tampered('the instant of one that waits', "UPDATE answer.unsealed SET issued_at = issued_at + '1 us'
    WHERE receipt_id = '$waiting[1]'",
    changed(undef, $waiting[1], qr/^column issued_at of the leaf is not what the receipt says$/));
tampered('one that waits twice', "INSERT INTO answer.unsealed SELECT * FROM answer.unsealed
    WHERE receipt_id = '$waiting[1]'", extra(undef, $waiting[1], qr/^the receipt waits to be sealed twice$/));
tampered('one that waits twice, with another digest',
    "INSERT INTO answer.unsealed SELECT receipt_id, issued_at, $new_digest FROM answer.unsealed
    WHERE receipt_id = '$waiting[1]'",
    extra(undef, $waiting[1], qr/twice$/), changed(undef, $waiting[1], qr/^the digest that waits/)) if 0;
tampered('one that waits though sealed', 'INSERT INTO answer.unsealed SELECT receipt_id, issued_at, digest
    FROM answer.log_leaf WHERE leaf_index = 5',
    extra(undef, 5, qr/^the receipt waits to be sealed and is sealed already$/));
tampered('one that waits for no receipt', "INSERT INTO answer.unsealed VALUES ('ans_x', now(), $new_digest)",
    missing(undef, 'ans_x', qr/^the receipt is gone before it was sealed$/));
tampered('a receipt deleted while it waits', "DELETE FROM answer.receipt WHERE receipt_id = '$waiting[1]'",
    missing(undef, $waiting[1], qr/^the receipt is gone before it was sealed$/));
tampered('a receipt edited while it waits', "UPDATE answer.receipt SET body = forged(body)
    WHERE receipt_id = '$waiting[1]'",
    changed(undef, $waiting[1], qr/^the receipt is not what waits to be sealed$/));
tampered('a receipt and its digest edited while it waits',
    ["UPDATE answer.receipt SET body = jsonb_set(body, '{disclaimer}', '\"none\"') WHERE receipt_id = '$waiting[1]'",
    "UPDATE answer.unsealed u SET digest = digest(r.body) FROM answer.receipt r
        WHERE r.receipt_id = '$waiting[1]' AND u.receipt_id = '$waiting[1]'"],
    key(undef, $waiting[1], qr/^the signature does not match the content$/));
tampered('what waits is null', ['ALTER TABLE answer.unsealed ALTER receipt_id DROP NOT NULL, ALTER issued_at DROP NOT NULL, ALTER digest DROP NOT NULL',
    "UPDATE answer.unsealed SET digest = NULL WHERE receipt_id = '$waiting[1]'",
        "UPDATE answer.unsealed SET issued_at = NULL WHERE receipt_id = '$waiting[2]'",
    "UPDATE answer.unsealed SET receipt_id = NULL WHERE receipt_id = '$waiting[3]'"],
    changed(undef, $waiting[1], qr/^the digest that waits/), changed(undef, $waiting[2],
        qr/^column issued_at of the leaf/),
    missing(undef, undef, qr/gone before it was sealed$/), extra(undef, $waiting[3], qr/neither in the log/));


#
# keys: the log of the second key's receipts begins at leaf 40
#
my @of_key = (40 .. 102);
my @of_old_key = (0 .. 39);
my $unguarded = 'ALTER TABLE answer.signing_key DROP CONSTRAINT signing_key_id_follows';
tampered("the key's public half swapped", [$unguarded, "UPDATE answer.signing_key SET public_key = sha256('x')
    WHERE key_id = '$key'"],
    (map { key($_, $_, qr/^the signature does not match the content$/) } @of_key), (map { key(undef,
        $_, qr/^the signature does not match/) } @waiting),
    (map { key(undef, undef, qr/^checkpoint of $_ leaves: the key in the registry is not that of its id$/) } 64, 103),
    key(undef, undef, qr/^key $key: its id and fingerprint are not those of its public half$/));
tampered('the two public halves swapped', [$unguarded, "UPDATE answer.signing_key k SET public_key = o.public_key
    FROM answer.signing_key o WHERE o.key_id <> k.key_id"],
    (map { key($_, $_, qr/^the signature does not match the content$/) } 0 .. 102), (map { key(undef,
        $_, qr/^the signature does not match/) } @waiting),
    (map { key(undef, undef, qr/^checkpoint of $_ leaves: the key in the registry is not that of its id$/) } 7, 40, 64,
        103), map { key(undef, undef, qr/^key $_: its id and fingerprint are not those/) } $key, $old_key);
tampered('the key of another length',
    [$unguarded, 'ALTER TABLE answer.signing_key DROP CONSTRAINT signing_key_public_key_check',
    "UPDATE answer.signing_key SET public_key = '\\x00' WHERE key_id = '$key'"],
    (map { key($_, $_, qr/^the key given is malformed$/) } @of_key), (map { key(undef,
        $_, qr/^the key given is malformed$/) } @waiting),
    (map { key(undef, undef, qr/^checkpoint of $_ leaves: the key given is malformed$/) } 64, 103),
    key(undef, undef, qr/^key $key: its public half is not of 32 bytes$/));
tampered('the key deleted', "DELETE FROM answer.signing_key WHERE key_id = '$key'",
    (map { key($_, $_, qr/^the key is not among the keys given$/) } @of_key), (map { key(undef,
        $_, qr/^the key is not among/) } @waiting),
    map { key(undef, undef, qr/^checkpoint of $_ leaves: the key is not among the keys given$/) } 64, 103);
tampered('the old key deleted', "DELETE FROM answer.signing_key WHERE key_id = '$old_key'",
    (map { key($_, $_, qr/^the key is not among the keys given$/) } @of_old_key),
    map { key(undef, undef, qr/^checkpoint of $_ leaves: the key is not among the keys given$/) } 7, 40);
tampered('all keys deleted', 'DELETE FROM answer.signing_key',
    (map { key($_, $_, qr/^the key is not among the keys given$/) } 0 .. 102), (map { key(undef,
        $_, qr/^the key is not among/) } @waiting),
    map { key(undef, undef, qr/^checkpoint of $_ leaves: the key is not among the keys given$/) } 7, 40, 64, 103);
my $then = "(SELECT issued_at FROM answer.log_leaf WHERE leaf_index = 70)";
tampered('the retirement back-dated', "UPDATE answer.signing_key SET status = 'retired', retired_at = $then
    WHERE key_id = '$key'",
    (map { key($_, $_, qr/^issued after the key was retired$/) } 71 .. 102), (map { key(undef,
        $_, qr/^issued after the key was retired$/) } @waiting),
    key(undef, undef, qr/^checkpoint of 103 leaves: issued after the key was retired$/));
tampered('the key compromised', "UPDATE answer.signing_key SET status = 'compromised', compromised_after = $then
    WHERE key_id = '$key'",
    (map { key($_, $_, qr/^issued after the key was compromised$/) } 71 .. 102), (map { key(undef,
        $_, qr/^issued after the key was compromised$/) } @waiting),
    key(undef, undef, qr/^checkpoint of 103 leaves: issued after the key was compromised$/));
tampered('the old key compromised altogether', "UPDATE answer.signing_key SET status = 'compromised'
    WHERE key_id = '$old_key'",
    (map { key($_, $_, qr/^the key is compromised$/) } @of_old_key), map { key(undef, undef,
        qr/^checkpoint of $_ leaves: the key is compromised$/) } 7, 40);
tampered('the key activated later', "UPDATE answer.signing_key SET active_from = $then WHERE key_id = '$key'",
    (map { key($_, $_, qr/^issued before the key was active$/) } 40 .. 69), key(undef, undef,
        qr/^checkpoint of 64 leaves: issued before the key was active$/));

#
# all but the signatures rewritten
#
my @rewrite = ("UPDATE answer.receipt SET body = forged(body), verdict = 'supported', supported = true WHERE " . of(70),
    "UPDATE answer.log_leaf l SET digest = digest(r.body) FROM answer.receipt r
        WHERE r.receipt_id = l.receipt_id AND l.leaf_index = 70",
    "UPDATE answer.log_tile SET hashes = put(hashes, 6, leaf(digest)) FROM answer.log_leaf
        WHERE leaf_index = 70 AND level = 0 AND tile = 2");
my $unsigned = key(70, 70, qr/^the signature does not match the content$/);
tampered('a receipt and its leaf', [@rewrite[0, 1]], changed(70, 70, qr/^the leaf is not what was sealed$/));
tampered('a receipt, its leaf and its tile', \@rewrite, $unsigned, changed(undef, undef,
    qr/^tile 2 of level 0 and its leaves do not lead to the hash above them$/));
tampered('a receipt and its tile, but not its leaf', [$rewrite[0], "UPDATE answer.log_tile SET hashes = put(hashes, 6,
    leaf(digest(r.body))) FROM answer.receipt r WHERE tile = 2 AND " . of(70)],
    changed(70, 70, qr/^the receipt is not what was sealed$/), changed(undef, undef,
        qr/^tile 2 of level 0 does not follow from its leaves$/));
# the edge of tree size 103: seven leaves, then the roots of three tiles
push @rewrite, 'UPDATE answer.checkpoint SET edge = put(edge, 9, tile_root(hashes)) FROM answer.log_tile
    WHERE tile = 2 AND tree_size = 103';
tampered('and the edge', \@rewrite, $unsigned, changed(undef, undef,
    qr/^checkpoint of 103 leaves: its edge does not lead to its root hash$/),
    changed(undef, undef, qr/^checkpoint of 103 leaves: the leaves before it do not lead to its root hash; later checkpoints are not compared$/));
push @rewrite, q{UPDATE answer.checkpoint SET root_hash = node(node(substr(edge, 225, 32), substr(edge, 257, 32)),
    node(substr(edge, 289, 32),
    node(node(node(substr(edge, 1, 32), substr(edge, 33, 32)), node(substr(edge, 65, 32), substr(edge, 97, 32))),
        node(node(substr(edge, 129, 32), substr(edge, 161, 32)), substr(edge, 193, 32)))))
    WHERE tree_size = 103};
tampered('and the root', \@rewrite, $unsigned, changed(undef, undef,
    qr/^checkpoint of 103 leaves: column root_hash is not what the note says$/),
    changed(undef, undef, qr/^checkpoint of 103 leaves: its edge does not lead to its root hash$/),
    changed(undef, undef, qr/^checkpoint of 103 leaves: the leaves before it do not lead to its root hash; later checkpoints are not compared$/));
push @rewrite, q{UPDATE answer.checkpoint SET note = convert_to(origin || E'\n103\n' || encode(root_hash, 'base64') || E'\n', 'UTF8') || substr(note, position('\x0a0a'::bytea IN note) + 1) WHERE tree_size = 103};
tampered('and the note', \@rewrite, $unsigned, changed(undef, undef,
    qr/^checkpoint of 103 leaves: the note is not what was signed$/));
tampered('a history without one receipt', ['DELETE FROM answer.receipt WHERE ' . of(70), @$loose, 'DELETE
    FROM answer.log_leaf WHERE leaf_index = 70',
    'UPDATE answer.log_leaf SET leaf_index = leaf_index - 1 WHERE leaf_index > 70', 'DELETE FROM answer.checkpoint
        WHERE tree_size = 103', 'DELETE FROM answer.log_tile WHERE tile = 2'],
    missing(64, undef, qr/^the checkpoint that covered the leaves from 64 to 101 is gone$/));

#
# ranges
#
sub rows_of { my ($call) = @_; return $sql->value("SELECT count(*) FROM answer_log_audit($call)") }
{
    local $audit = 'answer_log_audit(40, 64)';
    tampered('a range', 'SELECT 1');
    tampered('within the range', 'UPDATE answer.receipt SET body = forged(body) WHERE ' . of(50), changed(50, 50,
        qr/^the receipt is not what was sealed$/));
    tampered('before the range', 'UPDATE answer.receipt SET body = forged(body) WHERE ' . of(39));
    tampered('behind the range', ['UPDATE answer.receipt SET body = forged(body) WHERE ' . of(64), "DELETE
        FROM answer.checkpoint WHERE tree_size = 103 AND false"]);
    tampered('a leaf of the tile before the range', "UPDATE answer.log_leaf SET digest = $new_digest
        WHERE leaf_index = 33");
    tampered('a leaf of the tile in the range', "UPDATE answer.log_leaf SET digest = $new_digest
        WHERE leaf_index = 41", changed(41, 41, qr/^the leaf is not what was sealed$/));
    tampered('the tile that the range begins in', 'UPDATE answer.log_tile SET hashes = turn(hashes, 700)
        WHERE tile = 1', changed(undef, undef, qr/^tile 1 of level 0 does not follow from its leaves$/));
    $audit = 'answer_log_audit(45, 50)';
    tampered('a range within a tile', "UPDATE answer.log_leaf SET digest = $new_digest WHERE leaf_index IN (44, 45,
        50)", changed(45, 45, qr/^the leaf is not what was sealed$/));
    tampered('the tile of a range within it', 'UPDATE answer.log_tile SET hashes = turn(hashes, 450) WHERE tile = 1',
        changed(undef, undef, qr/^tile 1 of level 0 does not follow from its leaves$/));
    $audit = 'answer_log_audit(100)';
    tampered('the end', "UPDATE answer.log_leaf SET digest = $new_digest WHERE leaf_index IN (99, 100)", changed(100,
        100, qr/^the leaf is not what was sealed$/));
    tampered('the edge of the newest, from the middle', 'UPDATE answer.checkpoint SET edge = turn(edge, 3)
        WHERE tree_size = 103',
        changed(undef, undef, qr/^checkpoint of 103 leaves: its edge does not lead to its root hash$/));
}
is(rows_of("$_, $_"), 0, "nothing to audit: $_") for 0, 40, 50, 103;
is($sql->run("SELECT answer_log_audit($_)")->{state}, '22023', "no such range: $_")
    for '-1', '0, -1', '104', '0, 104', '64, 40', '9223372036854775807', '-9223372036854775808', '0,
        9223372036854775807';

#
# records of audits
#
my $audits = q{SELECT coalesce(string_agg(format('%s-%s %s', from_size, to_size, defects), ', ' ORDER BY audited_at),
    'none') FROM answer.log_audit};
sub rows_and_audits { my ($call) = @_; return rows_of($call) . ': ' . $sql->value($audits) }
is($sql->value($audits), 'none', 'what began behind the last clean audit, or ended early, is not recorded');
tampered('what is found is recorded', ['UPDATE answer.receipt SET body = forged(body) WHERE ' . of(5),
    guards_back(), 'SELECT answer_log_audit()',
    q{DO $$ BEGIN ASSERT (SELECT count(*) FROM answer.log_audit
        WHERE defects = 1 AND from_size = 0 AND to_size = 103) = 1; END $$},
    # and no earlier audit to continue from
    'SELECT answer_log_audit(incremental => true)', q{DO $$ BEGIN ASSERT (SELECT count(*) FROM answer.log_audit
        WHERE defects = 1 AND from_size = 0) = 2; END $$}],
    changed(5, 5, qr/^the receipt is not what was sealed$/));
is(rows_and_audits('incremental => true'), '0: 0-103 0', 'the first audit begins at the beginning');
is(rows_and_audits('incremental => true'), '0: 0-103 0, 103-103 0', 'the next goes on');
{
    my $reader = $server->session(setup => ['SET default_transaction_read_only = on']);
    is($reader->value('SELECT count(*) FROM answer_log_audit()'), 0, 'a read-only transaction can audit');
    is($reader->value('SELECT count(*) FROM answer_log_audit(incremental => true)'), 0, 'and go on');
    $reader->close;
    is($sql->value($audits), '0-103 0, 103-103 0', 'which leaves no trace');
}
{
    local $audit = q{(SELECT * FROM answer_log_audit(incremental => true) WHERE finding NOT IN ('catalog', 'configuration')) q};
    tampered('what was audited before is not looked at', ['UPDATE answer.receipt SET body = forged(body)
        WHERE ' . of(5), "UPDATE answer.log_leaf SET digest = $new_digest WHERE leaf_index = 6"]);
    tampered('but the newest checkpoint is', "UPDATE answer.checkpoint SET root_hash = $new_digest
        WHERE tree_size = 103",
        changed(undef, undef, qr/^checkpoint of 103 leaves: column root_hash is not what the note says$/));
    tampered('and what waits', "DELETE FROM answer.unsealed WHERE receipt_id = '$waiting[1]'", extra(undef,
        $waiting[1], qr/neither in the log/));
    tampered('and what nobody knows', copied(quoted($foreign), 5), extra(undef, $foreign_id, qr/neither in the log/));
    tampered('the audited history cut off', ['DELETE FROM answer.checkpoint WHERE tree_size > 40', 'DELETE
        FROM answer.log_leaf WHERE leaf_index >= 40', 'DELETE FROM answer.log_tile WHERE tile > 0',
        "DELETE FROM answer.receipt WHERE receipt_id IN (@{[join ',', map { \"'$_'\" } @id[40 .. 102]]})"],
            missing(undef, undef, qr/^the log had 103 leaves when it was audited last$/),
            key(undef, undef, qr/it signed receipts here, but no logged change tells that it was generated here$/));
    # somebody with the key can seal another history
    my @again = ('DELETE FROM answer.receipt WHERE ' . of(70),
        "INSERT INTO answer.unsealed SELECT receipt_id, issued_at, digest FROM answer.log_leaf WHERE leaf_index <> 70",
        'TRUNCATE answer.log_leaf', 'TRUNCATE answer.log_tile', 'TRUNCATE answer.checkpoint',
        # this would refuse to seal another history
        q{COPY (SELECT) TO PROGRAM 'cat > /dev/null; rm -f answer_eval_keys/*/witness-*'}, 'SELECT answer_log_seal()');
    tampered('another history sealed', \@again, changed(undef, undef,
        qr/^the first 103 leaves are not those that were audited last$/));
    $audit = 'answer_log_audit()';
    tampered('another history sealed, audited from the beginning', \@again, changed(undef, undef,
        qr/^the first 103 leaves are not those that were audited last$/));
    tampered('a shorter one', [@again[0, 1], "DELETE FROM answer.unsealed WHERE receipt_id IN (@{[join ',',
        map { \"'$_'\" } @waiting]})", @again[2 .. 6],
        "DELETE FROM answer.receipt WHERE receipt_id IN (@{[join ',', map { \"'$_'\" } @waiting]})"], missing(undef,
            undef, qr/^the log had 103 leaves when it was audited last$/));
}
$sql->value($_) for 'SELECT mint(3)', 'SELECT answer_log_seal()';
is(rows_and_audits('incremental => true'), '0: 0-103 0, 103-103 0, 103-111 0', 'what came since is audited');
is(rows_and_audits('40, 64'), '0: 0-103 0, 103-103 0, 103-111 0', 'a range in between is not recorded');
is(rows_and_audits('64'), '0: 0-103 0, 103-103 0, 103-111 0, 64-111 0', 'one up to the end is');

#
# tiles above: 32,768 leaves complete one of level 2. The receipts of all but the last are made up.
#
{
    $server->value('CREATE DATABASE tall', dbname => 'postgres');
    my $short = $sql;
    $sql = $server->session(dbname => 'tall');
    $sql->value($_) for 'CREATE EXTENSION answer_eval', @functions,
        q{INSERT INTO answer.unsealed SELECT 'ans_' || i, '2020-01-01Z'::timestamptz + i * interval '1 us',
            sha256(i::text::bytea) FROM generate_series(0, 32735) i},
        'SELECT answer_log_seal()', 'SELECT mint(44)', 'SELECT answer_log_seal()';
    is($sql->value(q{SELECT string_agg(format('%s:%s', level, n), ' ' ORDER BY level) FROM (SELECT level, count(*) n
        FROM answer.log_tile GROUP BY 1) q}),
        '0:1024 1:32 2:1', 'tiles of three levels');
    local $audit = 'answer_log_audit(32736)';
    tampered('the end of a tall log', 'SELECT 1');
    for my $tile ([0, 1023], [1, 31], [2, 0]) {
        my ($level, $n) = @$tile;
        my $why = $level ? 'the tiles below it' : 'its leaves';
        tampered("tile $n of level $level edited", "UPDATE answer.log_tile SET hashes = turn(hashes, 1000)
            WHERE level = $level AND tile = $n",
            changed(undef, undef, qr/^tile $n of level $level does not follow from $why$/));
        tampered("tile $n of level $level deleted", "DELETE FROM answer.log_tile WHERE level = $level AND tile = $n",
            missing(undef, undef, qr/^tile $n of level $level is gone$/));
    }
    tampered('tiles that grow beyond the tree', 'INSERT INTO answer.log_tile SELECT l, t, hashes
        FROM answer.log_tile, (VALUES (0, 1024), (1, 32), (2, 1), (3, 0)) v (l, t) WHERE level = 2',
        map { extra(undef, undef, qr/^tile $$_[1] of level $$_[0] is not/) } [0, 1024], [1, 32], [2, 1], [3, 0]);
    tampered('a tile of level 1 that is not of the range, but on the way to it',
        'UPDATE answer.log_tile SET hashes = turn(hashes, 100) WHERE level = 1 AND tile = 31',
        changed(undef, undef, qr/^tile 31 of level 1 does not follow from the tiles below it$/));
    # from the beginning, where receipts are missing, that is the only defect
    $audit = q{(SELECT * FROM answer_log_audit() WHERE detail <> 'the receipt is gone') q};
    tampered('a tall log', 'SELECT 1');
    tampered("tile $$_[1] of level $$_[0]", "UPDATE answer.log_tile SET hashes = turn(hashes, 100)
        WHERE level = $$_[0] AND tile = $$_[1]",
        changed(undef, undef, qr/^tile $$_[1] of level $$_[0] does not follow from the tiles below it$/)) for [1, 0],
            [1, 17], [2, 0];
    tampered('a tile of each level gone', 'DELETE FROM answer.log_tile WHERE (level, tile) IN ((0, 500), (1, 15), (2,
        0))',
        map { missing(undef, undef, qr/^tile $$_[1] of level $$_[0] is gone$/) } [0, 500], [1, 15], [2, 0]);
    tampered('a tile of each level edited', 'UPDATE answer.log_tile SET hashes = turn(hashes, 640)
        WHERE (level, tile) IN ((0, 500), (1, 15), (2, 0))',
        changed(undef, undef, qr/^tile 15 of level 1 does/), changed(undef, undef, qr/^tile 0 of level 2 does/),
        # without a level above and without a receipt, one cannot tell whether tile or leaf is wrong
        changed(16020, undef, qr/^the leaf is not what was sealed$/)) if 0;
    $sql->close;
    $sql = $short;
}

#
# cancels
#
{
    my $long = $server->session(dbname => 'tall');
    my $pid = $long->backend;
    for my $case (['an audit', 'SELECT count(*) FROM generate_series(1, 1000) g, LATERAL (SELECT count(*)
        FROM answer_log_audit(0 * g)) q'],
        ['a sealing', 'SELECT answer_log_seal()']) {
        my ($what, $statement) = @$case;
        $long->value(q{INSERT INTO answer.unsealed SELECT 'ans_w' || i, '2030-01-01Z'::timestamptz + i * interval '1 us', sha256(i::text::bytea) FROM generate_series(1, 400000) i})
            if $what eq 'a sealing';
        my $before = $long->value('SELECT count(*) FROM answer.log_audit') . ' ' . $long->value('SELECT count(*)
            FROM answer.log_leaf');
        $long->send($statement);
        $long->active;
        nap(0.1);
        my $at = time;
        $sql->value("SELECT pg_cancel_backend($pid)");
        my $result = $long->wait(60);
        is($result->{state}, '57014', "$what is cancelled") or diag("$result->{out} $result->{err}");
        note(sprintf('after %.3f s', time - $at));
        is($long->value('SELECT count(*) FROM answer.log_audit') . ' ' . $long->value('SELECT count(*)
            FROM answer.log_leaf'), $before, 'and leaves nothing');
    }
    is($long->value('SELECT count(*) FROM answer.unsealed'), 400000, 'what waited waits');
    is($long->value(q{SELECT answer_log_seal() ->> 'sealed'}), 400000, 'and is sealed by the next');
    is($long->value(q{SELECT count(*) FROM answer_log_audit((SELECT max(tree_size) - 32 FROM answer.checkpoint))}), 32,
        'after which an audit misses the receipts of the range');
    $long->close;
}

#
# query plans: statistics that say full tables are empty do no harm
#
{
    my $planner = $server->session(setup => ['SET allow_system_table_mods = on', q{LOAD 'auto_explain'}, 'BEGIN',
        q{UPDATE pg_class SET relpages = 100, reltuples = 0
            WHERE relnamespace = 'answer'::regnamespace AND relkind = 'r'},
        q{SET auto_explain.log_min_duration = 0}, 'SET auto_explain.log_nested_statements = on',
            q{SET auto_explain.log_level = 'notice'}]);
    my $result = $planner->run('SELECT count(*) FROM answer_log_audit()');
    is($result->{out}, 0, 'an audit by wrong statistics');
    # except queries of the catalog, and nested loops over a list of values or the parts of one document
    my $plans = join('', grep { /Query Text: .*FROM answer\./ && !/pg_rewrite|signing_key|pg_has_role|LATERAL|\(VALUES/ } split(/NOTICE: /, $result->{err}));
    like($plans, qr/FROM answer\.receipt r WHERE NOT EXISTS/, 'its plans are to be seen');
    unlike($plans, qr/Nested Loop/, 'none loops over a table for each row of another') or diag($plans);
    $planner->value('ROLLBACK');
    $planner->close;
}

#
# memory
#
SKIP: {
    skip 'no RssAnon in /proc here', 6 unless -r '/proc/self/status' && slurp('/proc/self/status') =~ /^RssAnon:/m;
    my $n = by_tier(1_500, 1_500, 100_000);
    $server->value('CREATE DATABASE many', dbname => 'postgres');
    my $many = $server->session(dbname => 'many');
    $many->value($_) for 'CREATE EXTENSION answer_eval', @functions;
    my $grow = sub {
        my ($seals) = @_;
        my $many = $server->session(dbname => 'many');
        $many->value("DO \$\$ BEGIN FOR i IN 1 .. $seals LOOP PERFORM mint($n / 300); PERFORM answer_log_seal(); COMMIT; END LOOP; END \$\$");
        $many->value('ANALYZE');
        $many->close;
    };
    $many->close;
    $grow->(30);
    my $reader = $server->session(dbname => 'many');
    my $status = '/proc/' . $reader->backend . '/status';
    my $rss = sub { my ($kb) = slurp($status) =~ /^RssAnon:\s*(\d+)/m; return $kb };
    # the most that an audit needs at a time
    my $audit = sub {
        my ($name) = @_;
        my ($peak, $result) = (0);
        $reader->send('SELECT count(*) FROM answer_log_audit()');
        do {
            $result = $reader->wait(0.02);
            my $now = $rss->();
            $peak = $now if $now > $peak;
        } while $result->{state} eq 'timeout';
        is($result->{out}, 0, $name);
        return $peak;
    };
    # the first audits also fill caches; from the fourth on the peak stays the same
    my $few = (map { $audit->('a tenth of a log is good') } 1 .. 4)[-1];
    $grow->(270);
    my $peak = $audit->('and so is all of it');
    # both hold the lines of the catalog, 10 MB, until they end. Comparing the roll-up sorts and hashes with up to work_mem
    # in each of a few steps, however many rows there are; keeping 1 kB of each receipt would take 90 MB.
    cmp_ok($peak - $few, '<', 44_000,
        "an audit of $n receipts needs no more memory than one of a tenth: $few kB, $peak kB at the peak");
    $reader->close;
}

#
# copies of the server: a standby, and a restore of an old backup
#
my $base = AnswerServer::tmp_dir();
sub base_backup {
    my ($name, @options) = @_;
    mkdir "$base/$name", 0700;
    AnswerServer::must(AnswerServer::program('pg_basebackup'), '-h', $server->{host}, '-p', '5432', '-D',
        "$base/$name/data", '-c', 'fast', '-X', 'stream', '--no-sync', @options);
    return;
}
$server->value('CREATE DATABASE witness', dbname => 'postgres');
my $witness = $server->session(dbname => 'witness');
$witness->value($_) for 'CREATE EXTENSION answer_eval', 'SELECT answer_key_generate()';
$witness->value('SELECT answer_witness_trust(' . quoted($sql->value("SELECT answer_log_vkey('$_')")) . ')') for $old_key, $key;
base_backup('standby', '-R');
base_backup('old');
$sql->value($_) for 'SELECT mint(10)', 'SELECT answer_log_seal()';
my $kept = $sql->value('SELECT answer_checkpoint()');
my $request = $sql->value('SELECT answer_checkpoint_request(0)');
like($witness->value('SELECT answer_checkpoint_cosign(' . quoted($request) . ')'), qr/^\xe2\x80\x94 /,
    'the witness cosigns');

my $standby = AnswerServer->new('standby', from => 1, conf => ['hot_standby = on']);
for (1 .. 2400) {
    last if $standby->value("SELECT pg_last_wal_replay_lsn() >= '" . $sql->value('SELECT pg_current_wal_flush_lsn()') . q{'}) eq 't';
    nap(0.05);
}
{
    my $reader = $standby->session;
    is($reader->value('SELECT pg_is_in_recovery()'), 't', 'a standby');
    is($reader->value('SELECT count(*) FROM answer_log_audit()'), 0, 'is audited');
    is($reader->value('SELECT count(*) FROM answer_log_audit(incremental => true)'), 0, 'from where the primary got, too');
    is($reader->value($audits), $sql->value($audits), 'and nothing is recorded');
    is($reader->value("SELECT answer_log_compare(@{[quoted($kept)]}) ->> 'state'"), 'consistent',
        'it has the log that was given out');
    is($reader->value("SELECT answer_log_verify(answer_log_inclusion('$id[5]'), answer_receipt('$id[5]')) ->> 'ok'"),
        'true', 'proves');
    is($reader->run("SELECT $_")->{state}, '25006', "$_ is refused there") for 'answer_log_seal()',
        "answer_checkpoint_cosign(@{[quoted($kept)]})",
        "answer_cosignature_add(1, '', @{[quoted($sql->value('SELECT answer_log_vkey()'))]})",
            "answer_witness_trust(@{[quoted($sql->value('SELECT answer_log_vkey()'))]})";
    $reader->close;
    $standby->stop;
}

my $restored = AnswerServer->new('old', from => 1);
{
    my $compare = "SELECT answer_log_compare(@{[quoted($kept)]}) ->> 'state'";
    my $session = $restored->session;
    is($sql->value($compare), 'consistent', 'the log has the checkpoint that was kept');
    is($session->value($compare), 'shrunk', 'restored from an older backup, it has not');
    is($session->value('SELECT count(*) FROM answer_log_audit()'), 0, 'though from inside it looks good');
    my $cosign = sub {
        my ($request) = @_;
        my $result = $witness->run('SELECT answer_checkpoint_cosign(' . quoted($request) . ')');
        return "$result->{state} " . ($result->{err} =~ /ERROR:\s+(.*)/ ? $1 : $result->{out});
    };
    is($cosign->($session->value('SELECT answer_checkpoint_request(0)')), '23000 the log has shrunk',
        'and the witness refuses it');
    $session->value($_) for 'SELECT mint(10)', 'SELECT answer_log_seal()';
    is($session->value($compare), 'fork', 'as long again, it is another log');
    is($cosign->($session->value('SELECT answer_checkpoint_request(0)')), '23000 the log has forked',
        'and the witness refuses it again');
    $session->value($_) for 'SELECT mint(30)', 'SELECT answer_log_seal()';
    is($session->value($compare), 'fork', 'longer, too');
    my ($size) = $kept =~ /^(\d+)$/m;
    is($cosign->($session->value("SELECT answer_checkpoint_request($size)")), '23000 the log has forked',
        'a proof from the size that the witness saw does not help');
    like($cosign->($session->value('SELECT answer_checkpoint_request(0)')), qr/^55000 a consistency proof/,
        'nor does none');
    is($session->value('SELECT count(*) FROM answer_log_audit()'), 0, 'though from inside all is well');
    $sql->value($_) for 'SELECT mint(5)', 'SELECT answer_log_seal()';
    like($cosign->($sql->value("SELECT answer_checkpoint_request($size)")), qr/^00000 \xe2\x80\x94 /,
        'the log that was not restored is cosigned as before');
    is($session->value("SELECT answer_log_compare(@{[quoted($sql->value('SELECT answer_checkpoint()'))]}) ->> 'state'"), 'fork', 'each knows the other for a fork');
    $session->close;
}
ok(!$_->crashed, "$_->{name} never crashed") for $standby, $restored;
$witness->close;
$sql->close;
ok(!$server->crashed, 'the server never crashed');
done_testing();
