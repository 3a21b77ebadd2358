#!/usr/bin/env perl
# tiers: long
# Replication as in doc/replication.md. A standby reads, verifies, replays and audits; it refuses to sign and names the primary; and it
# goes on after promotion. A subscriber of answer.receipt and of the public keys verifies and keeps what arrives, and never signs with
# a key of the publisher.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Test::More;

my $eval = q{answer_eval('{"checks": [{"tool": "level", "args": {"of": "lake"}, "expect": {"op": "gt", "value": 3}}, {"tool": "postgres_server"}]}')};
my $good = q{SELECT count(*) FILTER (WHERE answer_verify_ok(body)) || ' of ' || count(*) FROM answer.receipt};

sub caught_up {
    my ($what, $server, $sql, $wanted) = @_;
    my $is;
    for (1 .. 2400) {
        $is = $server->run($sql)->{out};
        return ok(1, $what) if $is eq $wanted;
        nap(0.05);
    }
    return is($is, $wanted, $what);
}

my $primary = AnswerServer->new('primary', conf => ['wal_level = logical', 'max_wal_senders = 6', 'max_replication_slots = 6', q{wal_keep_size = '256MB'}], extended => 1);
$primary->value($_) for q{SELECT answer_source_register('gauge')},
    q{SELECT answer_tool_register('level', required_args => '{of}', value_path => 'm', freshness => '36500 days')},
    q{SELECT answer_evidence_add('level', '{"of": "lake"}', '{"m": 3.5}', 'gauge', '2026-01-01Z')}, ("SELECT $eval") x 3,
    q{SELECT answer_log_seal()};

#
# physical standby
#
my $data = AnswerServer::tmp_dir() . '/standby';
mkdir $data, 0700;
AnswerServer::must(AnswerServer::program('pg_basebackup'), '-h', $primary->{host}, '-p', '5432', '-D', "$data/data", '-R', '-C', '-S', 'standby',
    '-c', 'fast', '-X', 'stream', '--no-sync');
my $standby = AnswerServer->new('standby', from => 1, conf => ['hot_standby = on']);
my $id = $primary->value("SELECT $eval ->> 'receipt_id'");
$primary->value('SELECT answer_log_seal()');
sub follows { my $lsn = $primary->value('SELECT pg_current_wal_flush_lsn()'); return caught_up('the standby follows', $standby, "SELECT pg_last_wal_replay_lsn() >= '$lsn'", 't') }
follows();
my $stored = $primary->value('SELECT count(*) FROM answer.receipt');
is($standby->value($good), "$stored of $stored", 'standby: every receipt verifies');
is($standby->value("SELECT answer_replay(answer_receipt('$id')) -> 'ok'"), 'true', 'standby: replays');
is($standby->value("SELECT answer_log_verify(answer_log_inclusion('$id'), answer_receipt('$id')) -> 'ok'"), 'true', 'standby: proves what is in the log');
is($standby->value('SELECT answer_checkpoint()'), $primary->value('SELECT answer_checkpoint()'), 'standby: gives the checkpoint of the primary');
is($standby->run('SELECT * FROM answer_log_audit()')->{out}, '', 'standby: audits without a finding');
like($standby->run('SELECT * FROM answer_log_audit()')->{err}, qr/on a standby that has replayed up to/, 'standby: and says of which state');
is($standby->value(q{SELECT (answer_check('{"tool": "t", "expect": {"op": "eq", "value": 1}}', '{"value": 1}', '2026-01-01Z')).verdict}),
    $primary->value(q{SELECT (answer_check('{"tool": "t", "expect": {"op": "eq", "value": 1}}', '{"value": 1}', '2026-01-01Z')).verdict}),
    'standby: rules give what they give on the primary');
for my $call ($eval, q{answer_ask('Is this server in recovery?')}, 'answer_key_generate()', 'answer_log_seal()', "answer_forget('$id', 'x')",
    q{answer_investigation_open('Locate', 'where?')}, q{answer_grounded('What is there?')}, q{answer_change_record()},
    q{answer_document_load('[]')}, q{answer_budget_set('', 'day', 1)}, q{answer_plan_register('{}')}, q{answer_suite_run('golden')}) {
    my ($name) = $call =~ /^(\w+)/;
    my $result = $standby->run("SELECT $call");
    is($result->{state}, '25006', "standby: $name is refused: 25006") or diag($result->{out});
    like($result->{err}, qr/ERROR:  cannot execute \Q$name\E\(\) on a standby\s+HINT:  Ask the primary/, "standby: $name: what, and whom to ask");
}
is($primary->run("BEGIN READ ONLY; SELECT $eval")->{err} =~ /cannot execute answer_eval\(\) in a read-only transaction/ ? 1 : 0, 1,
    'a read-only transaction of the primary is told from that');
# what the primary forgets is forgotten on the standby
$primary->value("SELECT answer_forget('$id', 'asked to')");
follows();
is($standby->value("SELECT answer_receipt('$id') ->> 'schema'"), 'answer/tombstone/v1', 'standby: what was forgotten is a tombstone there, too');
$stored = $primary->value('SELECT count(*) FROM answer.receipt');

#
# logical replication
#
# Receipts without the records of the publisher's own configuration. Only inserts, because only forgetting ever changes these rows.
my $subscriber = AnswerServer->new('subscriber', conf => ['wal_level = logical']);
$subscriber->value('CREATE EXTENSION answer_eval');
my $own = $subscriber->value('SELECT answer_key_generate()');
my ($own_tool) = $subscriber->value(q{SELECT answer_eval('{"checks": [{"tool": "postgres_server"}]}') ->> 'receipt_id'});
my $own_rows = $subscriber->value('SELECT count(*) FROM answer.receipt');
my $theirs = $primary->value(q{SELECT key_id FROM answer.signing_key WHERE status = 'active'});
my ($publication) = slurp(root_dir() . '/doc/replication.md') =~ /^(CREATE PUBLICATION .*?);\n/ms or die 'doc/replication.md makes no publication';
$primary->value($publication);
my $link = "host=$primary->{host} port=5432 user=postgres dbname=postgres";
is($subscriber->run("CREATE SUBSCRIPTION receipts CONNECTION '$link' PUBLICATION receipts")->{state}, '00000', 'a subscription of receipts');
my $arriving = $primary->value(q{SELECT count(*) FROM answer.receipt WHERE schema NOT IN ('change/v1', 'retention/v1')});
cmp_ok($arriving, '<', $stored, 'records of changes stay where they are');
caught_up('the first copy arrives', $subscriber, 'SELECT count(*) FROM answer.receipt', $arriving + $own_rows);
my $unknown = $subscriber->value("SELECT string_agg(DISTINCT answer_verify(body) ->> 'ok', ' ') FROM answer.receipt WHERE key_id = '$theirs' AND schema = 'answer/v1'");
is($unknown, 'false', 'without the publisher\'s key nothing of it verifies there');
like($subscriber->value("SELECT answer_verify(body)::text FROM answer.receipt WHERE key_id = '$theirs' AND schema = 'answer/v1' LIMIT 1"), qr/\Q$theirs\E|key/, 'and the key is named');
# a key is taken over by hand, because a person must decide whom to trust
my $public = $primary->value("SELECT translate(rtrim(encode(public_key, 'base64'), '='), '+/', '-_') FROM answer.signing_key WHERE key_id = '$theirs'");
is($subscriber->value("SELECT answer_key_import_public('$public')"), $theirs, 'its public half is imported');
my $total = $subscriber->value('SELECT count(*) FROM answer.receipt');
is($subscriber->value($good), "$total of $total", 'now all of them verify');
is($subscriber->value('SELECT string_agg(key_id, $$ $$) FROM answer.signing_key WHERE status = $$active$$'), $own, 'it signs with its own key still');
is($subscriber->value("SELECT answer_verify_ok(answer_eval('{\"checks\": [{\"tool\": \"postgres_server\"}]}'))"), 't', 'as before');
is($subscriber->value("SELECT body #>> '{signature,key_id}' FROM answer.receipt ORDER BY issued_at DESC LIMIT 1"), $own, 'and its receipts name that');
$own_rows++;

# later rows arrive too, also for a partition that only one of them has
$subscriber->value(q{SELECT answer_receipt_partition(date_trunc('day', now()) - interval '1 day', date_trunc('day', now()) + interval '2 days')});
$own_rows = $subscriber->value("SELECT count(*) FROM answer.receipt WHERE key_id <> '$theirs'");
my $new = $primary->value("SELECT $eval ->> 'receipt_id'");
caught_up('a new receipt arrives', $subscriber, "SELECT count(*) FROM answer.receipt WHERE receipt_id = '$new'", 1);
is($subscriber->value("SELECT answer_verify_ok(answer_receipt('$new'))"), 't', 'and verifies');

# the subscriber's tables are append-only for everybody, too
is($subscriber->run("UPDATE answer.receipt SET verdict = 'x' WHERE receipt_id = '$new'")->{state}, '23001', 'subscriber: receipts are append-only');
is($subscriber->run("DELETE FROM answer.receipt WHERE receipt_id = '$new'")->{state}, '23001', 'subscriber: and stay');
is($subscriber->run("SET session_replication_role = replica; DELETE FROM answer.receipt WHERE receipt_id = '$new'")->{state}, '23001',
    'subscriber: for session_replication_role = replica, too');

# each server has its own log: what arrived is in the publisher's
is($subscriber->value('SELECT (answer_log_seal() ->> $$tree_size$$)::bigint'), $own_rows, 'the subscriber\'s log has its own receipts');
is($subscriber->run("SELECT answer_log_inclusion('$new')")->{state}, '55000', 'and proves nothing of what arrived')
    or diag($subscriber->run("SELECT answer_log_inclusion('$new')")->{out});
my $extra = $subscriber->value(q{SELECT count(*) FROM answer_log_audit() WHERE finding = 'extra'});
is($extra, $subscriber->value("SELECT count(*) FROM answer.receipt WHERE key_id = '$theirs'"), 'the audit counts what arrived: it is not of this log');
is($subscriber->run(q{DO $$ BEGIN PERFORM answer_rollup_rebuild(); END $$; SELECT finding, detail FROM answer_log_audit() WHERE finding <> 'extra'})->{out},
    "key|key $theirs: it signed receipts here, but it was imported, for nobody knows since when it is active",
    'and the key that signed it, and nothing else');
$primary->value('SELECT answer_log_seal()');
my $proof = quoted($primary->value("SELECT answer_log_inclusion('$new')"));
my $vkey = quoted($primary->value('SELECT answer_log_vkey()'));
is($subscriber->value("SELECT answer_log_verify(${proof}::jsonb, answer_receipt('$new'), ARRAY[$vkey]) -> 'ok'"), 'true',
    'a proof of the publisher\'s log verifies on the subscriber');

# a duplicate id stops the subscription, and nothing is overwritten
sub applying { return $subscriber->value(q{SELECT apply_error_count FROM pg_stat_subscription_stats WHERE subname = 'receipts'}) }
my $text = quoted($primary->value("SELECT body FROM answer.receipt WHERE receipt_id = '$new'"));
{
    $subscriber->value('ALTER SUBSCRIPTION receipts DISABLE');
    my $twice = $primary->value("SELECT $eval ->> 'receipt_id'");
    my $row = quoted($primary->value("SELECT to_jsonb(r) FROM answer.receipt r WHERE receipt_id = '$twice'"));
    $subscriber->value("INSERT INTO answer.receipt SELECT (jsonb_populate_record(NULL::answer.receipt, ${row}::jsonb)).*");
    my $errors = applying();
    $subscriber->value('ALTER SUBSCRIPTION receipts ENABLE');
    caught_up('a receipt that is there already stops the subscription', $subscriber,
        "SELECT apply_error_count > $errors FROM pg_stat_subscription_stats WHERE subname = 'receipts'", 't');
    is($subscriber->value("SELECT count(*) FROM answer.receipt WHERE receipt_id = '$twice'"), 1, 'it is there once');
    my $next = $primary->value("SELECT $eval ->> 'receipt_id'");
    is($subscriber->value("SELECT count(*) FROM answer.receipt WHERE receipt_id = '$next'"), 0, 'and nothing that came after it');
    # the remedy of doc/replication.md
    my ($lsn) = (reverse(slurp($subscriber->{log}) =~ m{finished at ([0-9A-F]+/[0-9A-F]+)}g))[0];
    ok($lsn, 'the server log says where the transaction ended');
    $subscriber->value("ALTER SUBSCRIPTION receipts SKIP (lsn = '$lsn')");
    caught_up('skipped, the subscription goes on', $subscriber, "SELECT count(*) FROM answer.receipt WHERE receipt_id = '$next'", 1);
    is($subscriber->value("SELECT answer_verify_ok(answer_receipt('$next'))"), 't', 'with receipts that verify');
}

# a publication with updates stops the publisher from forgetting, so it cannot send an erasure either
{
    $primary->value(q{ALTER PUBLICATION receipts SET (publish = 'insert, update')});
    my $result = $primary->run("SELECT answer_forget('$new', 'asked to')");
    is($result->{state}, '42P10', 'a publication of updates: the publisher cannot forget') or diag($result->{out});
    is($subscriber->value("SELECT answer_verify_ok(answer_receipt('$new'))"), 't', 'and the subscriber has what it had');
    $primary->value(q{ALTER PUBLICATION receipts SET (publish = 'insert')});
    is($primary->run("SELECT answer_forget('$new', 'asked to')")->{state}, '00000', 'of what is added alone: it can');
    my $after = $primary->value("SELECT $eval ->> 'receipt_id'");
    caught_up('the subscription goes on behind that', $subscriber, "SELECT count(*) FROM answer.receipt WHERE receipt_id = '$after'", 1);
    is($subscriber->value("SELECT answer_verify_ok(answer_receipt('$new'))"), 't', 'what is forgotten there stays here');
}
$subscriber->value('ALTER SUBSCRIPTION receipts DISABLE');
$subscriber->value($_) for 'ALTER SUBSCRIPTION receipts SET (slot_name = NONE)', 'DROP SUBSCRIPTION receipts';
is($subscriber->run("SELECT answer_forget('$new', 'asked to')")->{state}, '00000', 'subscriber: forgotten there by hand')
    or diag($subscriber->run("SELECT answer_forget('$new', 'asked to')")->{err});
is($subscriber->value("SELECT answer_receipt('$new') ->> 'schema'"), 'answer/tombstone/v1', 'and a tombstone there');

#
# a publication of all tables
#
# It is not meant for answer_eval, but somebody may have it for other tables: it must stop nothing on the publisher. Its subscriber
# is no copy: rows that only the extension may write are refused there, and no key of the publisher signs.
{
    my %both = map { $_->value('CREATE DATABASE everything'); my $session = $_->session(dbname => 'everything');
        $session->value('CREATE EXTENSION answer_eval'); ($_ => $session) } $primary, $subscriber;
    my ($from, $to) = @both{$primary, $subscriber};
    $from->value('CREATE PUBLICATION everything FOR ALL TABLES');
    (my $everything = $link) =~ s/dbname=\w+/dbname=everything/;
    $to->value("CREATE SUBSCRIPTION everything CONNECTION '$everything' PUBLICATION everything WITH (copy_data = false, disable_on_error = true)");
    my $graph = sub { my ($name, $edges) = @_; return qq{SELECT answer_graph_load('p', jsonb_build_array(jsonb_build_object('id', '$name', 'labels', '["Code"]'::jsonb,
        'name', '$name', 'source_path', '$name.c', 'content_hash', 'sha256:' || repeat('a', 64), 'extraction_method', 'test')), '$edges') IS NOT NULL} };
    for (['a receipt is stored', q{SELECT answer_eval('{"checks": [{"tool": "postgres_server"}]}') IS NOT NULL}], ['the log is sealed', 'SELECT answer_log_seal() IS NOT NULL'],
        ['documents are counted', 'SELECT answer_rollup() IS NOT NULL'], ['... and counted anew', 'SELECT answer_rollup_rebuild() IS NOT NULL'],
        ['a graph is loaded', $graph->('main', '[]')], ['... again with an edge', $graph->('other', '[{"from": "other", "to": "main", "type": "CALLS"}]')],
        ['a document is loaded', q{SELECT answer_document_load('[{"doc_id": "hours", "title": "Hours", "timestamp": "2026-01-01", "text": "The office opens at nine."}]') IS NOT NULL}],
        ['a packet is signed', q{SELECT answer_packet_receipt('p', 'what is main?') IS NOT NULL}]) {
        my ($what, $sql) = @$_;
        my $result = $from->run($sql);
        is($result->{out} . $result->{err}, 't', "publisher of all tables: $what");
    }
    $arriving = $from->value('SELECT count(*) FROM answer.receipt');
    caught_up('what is added arrives', $to, 'SELECT count(*) FROM answer.receipt', $arriving);
    is($to->run(q{SELECT answer_eval('{"checks": [{"tool": "postgres_server"}]}')})->{state}, '55000', 'with the publisher\'s active key nobody signs there');
    is($from->value(q{SELECT answer_forget('hours', 'x') IS NOT NULL}), 't', 'publisher of all tables: a document is forgotten');
    is($from->value("SELECT answer_forget((SELECT receipt_id FROM answer.receipt WHERE schema = 'answer/v1'), 'x') IS NOT NULL"), 't', '... and a receipt');
    caught_up('the subscription ends there', $to, 'SELECT subenabled FROM pg_subscription WHERE subname = $$everything$$', 'f');
    like(slurp($subscriber->{log}), qr/append-only/, '... where a guard refuses what nobody but the extension writes');
    is($to->value($good) =~ /^(\d+) of \1$/ ? 1 : 0, 1, '... and what had arrived verifies');
    $to->value($_) for 'ALTER SUBSCRIPTION everything SET (slot_name = NONE)', 'DROP SUBSCRIPTION everything';
    $from->value(q{SELECT pg_drop_replication_slot('everything')});
    $_->close for values %both;
}

#
# promotion
#
follows();
my $before = $primary->value('SELECT answer_checkpoint()');
$primary->stop;
AnswerServer::must(AnswerServer::program('pg_ctl'), '-D', $standby->{data}, '-w', '-t', '60', '-s', 'promote');
is($standby->value("SELECT answer_verify_ok($eval)"), 't', 'promoted: signs on, with the key that came with the base backup');
is($standby->value("SELECT body #>> '{signature,key_id}' FROM answer.receipt ORDER BY issued_at DESC LIMIT 1"), $theirs, 'which is the same');
like($standby->value('SELECT answer_log_seal()'), qr/tree_size/, 'the log goes on');
is($standby->value('SELECT answer_log_compare(' . quoted($before) . ') ->> $$state$$'), 'consistent', 'from where the primary was')
    or diag($standby->value('SELECT answer_log_compare(' . quoted($before) . ')'));
is($standby->run(q{SELECT detail FROM answer_log_audit() WHERE finding <> 'forgotten'})->{out}, '', 'and the audit finds nothing');
ok(!$_->crashed, "$_->{name} never crashed") for $primary, $standby, $subscriber;
done_testing();
