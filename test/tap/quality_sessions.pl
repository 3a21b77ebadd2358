#!/usr/bin/env perl
# tiers: long
# Questions and evidence quality in operation: crossing locks, old snapshots, cancels, copies, and an extension that is
# dropped and created again under an open session.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Test::More;

my $server = AnswerServer->new('sessions', conf => ['wal_level = logical', 'max_wal_senders = 6', q{wal_keep_size = '1GB'}, 'deadlock_timeout = 200ms', 'max_prepared_transactions = 2'], extended => 1);
$server->value($_) for (
    q{CREATE FUNCTION told(args jsonb) RETURNS jsonb LANGUAGE sql AS 'SELECT ''{"v": 1}''::jsonb'},
    q{SELECT answer_tool_register('told', 'told(jsonb)', options => jsonb_build_object('optional_args', '{a}'::text[]), value_path => 'v')},
    q{CREATE FUNCTION add(id text) RETURNS void LANGUAGE sql AS
        $$ SELECT answer_route_register(id, id || ' of {a}', 'interrogative', 'told', '{"a": "{a}"}', examples => ARRAY[id || ' of x']) $$},
);

sub blocked {
    my ($session) = @_;
    my $pid = $session->{backend} or die 'the backend must be known before';
    for (1 .. 2400) {
        return 1 if $server->value("SELECT cardinality(pg_blocking_pids($pid)) > 0") eq 't';
        nap(0.05);
    }
    return 0;
}

my ($one, $two) = map { my $session = $server->session; $session->backend; $session } 1 .. 2;

#
# each edit of routes takes one lock, before all others
#
for my $first (q{SELECT answer_route_remove('a')}, q{SELECT answer_route_enable('a', false)}, q{SELECT add('a')}) {
    $server->value("SELECT add('$_')") for qw(a b);
    $one->value('BEGIN');
    $one->value($first);
    $two->send(q{SELECT answer_route_remove('b')});
    ok(blocked($two), "$first: another edit waits");
    my $result = $one->run(q{SELECT add('c')});
    is($result->{state}, '00000', "$first: and more edits follow") or diag($result->{err});
    $one->run('COMMIT');
    is($two->wait->{state}, '00000', "$first: before its turn comes");
    $server->run("SELECT answer_route_remove('$_')") for qw(a b c);
}

#
# an outcome follows from completion, whatever the snapshot of the closing session
#
{
    my $git = q{'git', 'q', 't', '{"command": "log", "question": "history", "output_lines": %d}'};
    for my $level ('READ COMMITTED', 'REPEATABLE READ', 'SERIALIZABLE') {
        my ($i, $j) = map { $server->value(q{SELECT answer_investigation_open('Status', 'what?')}) } 1, 2;
        $server->value(sprintf "SELECT answer_investigation_record($j, $git)", 1);
        $one->value("BEGIN ISOLATION LEVEL $level");
        $one->value('SELECT count(*) FROM answer.investigation');
        $server->value(sprintf "SELECT answer_investigation_record($_, $git)", 3) for $i, $j;
        is($one->value("SELECT answer_investigation_close($j)"), 'success', "$level: what was recorded since makes no difference");
        my $result = $one->run("SELECT answer_investigation_close($i)");
        my $expected = $level eq 'READ COMMITTED' ? '00000 success' : '40001 ';
        is("$result->{state} $result->{out}", $expected, "$level: it makes one") or diag($result->{err});
        $one->run('ROLLBACK');
        is($server->value("SELECT answer_investigation_close($i)"), 'success', "$level: the next transaction sees it");
        is($server->value("SELECT answer_investigation_close($i)"), 'success', "$level: closing again gives the same");
    }
    # a transaction sees what it has recorded itself
    $one->value('BEGIN ISOLATION LEVEL REPEATABLE READ');
    is($one->value(sprintf "SELECT answer_investigation_close(i) FROM (SELECT i, answer_investigation_record(i, $git)
        FROM answer_investigation_open('Status', 'own') i OFFSET 0) x", 1), 'success', 'opened, recorded and closed in one statement');
    $one->value('COMMIT');
    is($server->value(sprintf "SELECT (r ->> 'outcome') || ' ' || (r #>> '{investigation,closed_as}') || ' ' || jsonb_array_length(r -> 'entries')
        FROM (SELECT answer_quality_receipt(i) r FROM (SELECT i, answer_investigation_close(i) FROM (SELECT i, answer_investigation_record(i, $git)
        FROM answer_investigation_open('Status', 'own') i OFFSET 0) x OFFSET 0) y OFFSET 0) z", 1), 'success success 1', 'and in the receipt that it asks for');
    # two sessions that record the same, one of them under an old snapshot
    my $i = $server->value(q{SELECT answer_investigation_open('Status', 'what?')});
    $one->value('BEGIN ISOLATION LEVEL REPEATABLE READ');
    $one->value('SELECT 1 FROM answer.investigation');
    $server->value(sprintf "SELECT answer_investigation_record($i, $git)", 3);
    is($one->run(sprintf "SELECT answer_investigation_record($i, $git)", 3)->{state}, '40001', 'the same observation, recorded since');
    $one->run('ROLLBACK');
    $one->value('BEGIN ISOLATION LEVEL REPEATABLE READ');
    $one->value('SELECT 1 FROM answer.investigation');
    $server->value("SELECT answer_investigation_close($i)");
    is($one->run(sprintf "SELECT answer_investigation_record($i, $git)", 4)->{state}, '40001', 'an investigation, closed since');
    $one->run('ROLLBACK');
}

#
# a route table that comes by logical replication
#
{
    $server->value('CREATE DATABASE replica');
    my $there = $server->session(dbname => 'replica');
    $there->value($_) for ('CREATE EXTENSION answer_eval', 'TRUNCATE answer.route');
    $server->value($_) for ('CREATE PUBLICATION routes FOR TABLE answer.route', q{SELECT pg_create_logical_replication_slot('routes', 'pgoutput')});
    $there->value("CREATE SUBSCRIPTION routes CONNECTION 'host=$server->{host} port=5432 dbname=postgres user=postgres' PUBLICATION routes
        WITH (create_slot = false, slot_name = 'routes')");
    my $table = 'SELECT answer_digest(answer_route_table())';
    my $same = sub {
        for (1 .. 2400) {
            return 1 if $there->value($table) eq $server->value($table);
            nap(0.05);
        }
        return 0;
    };
    ok($same->(), 'a subscriber has the table');
    for my $edit (q{SELECT add('replicated')}, q{SELECT answer_route_enable('postgres.uptime', false)}, q{SELECT answer_route_remove('replicated')},
        'TRUNCATE answer.route') {
        $server->value($edit);
        ok($same->(), "and a session that has read it notices: $edit");
    }
    $there->value($_) for ('ALTER SUBSCRIPTION routes DISABLE', 'ALTER SUBSCRIPTION routes SET (slot_name = NONE)', 'DROP SUBSCRIPTION routes');
    $there->close;
}

#
# a cancel is noticed within a line, however long
#
for my $call (q{answer.grade_text('grep', 'foo bar', repeat('foo ba ', 8000000))},
    q{answer.grade_text('grep', repeat('foo ba ', 8000000), 'a.c:1:foo')},
    q{answer.grade_text('find', 'foo bar', repeat('foo ba ', 8000000))}) {
    # CPU time, not clock time, because the machine may be busy
    my $begin = $one->cpu_seconds;
    my $whole = $one->run("SELECT $call");
    my $spent = $one->cpu_seconds - $begin;
    is($whole->{state}, '00000', sprintf('%s: takes %.2f s', $call, $spent));
    my $ms = 1 + int($spent * 200);
    $begin = $one->cpu_seconds;
    my $cut = $one->run("BEGIN; SET LOCAL statement_timeout = $ms; SELECT $call");
    my $cut_spent = $one->cpu_seconds - $begin;
    $one->run('ROLLBACK');
    is($cut->{state}, '57014', 'a fifth of that is too little');
    cmp_ok($cut_spent, '<', $spent * 0.8, sprintf('and it ends after %.2f s', $cut_spent));
}

#
# the SQLSTATEs that the COMMENTs promise
#
{
    my $list = q{'list {a:list}', 'interrogative', 'told', '{"a": "{a}"}', examples => '{list x}', options => '{"lists": {"a": {"table": "%s", "column": "oid"}}}'};
    my %state = (
        q{'m', 'many of {a}', 'interrogative', 'told', '{"a": "{a}"}', examples => '{{many of x},{many of y}}'} => '22023',
        (map { sprintf($list, $_) => '42P01' } 'nothing', 'nowhere.nothing', 'a.b.c.d', 'a.b.c', '', 'a b', '1259', 'pg_class'),
        (map { sprintf($list, $_) => '22023' } 'answer.investigation_investigation_seq', 'pg_catalog.pg_class_oid_index', 'pg_catalog.pg_class', 'public.answer_graded'),
    );
    for my $arguments (sort keys %state) {
        my $call = $arguments =~ /^'m/ ? "answer_route_register($arguments)" : "answer_route_register('l', $arguments)";
        my $result = $server->run("SELECT $call");
        is($result->{state}, $state{$arguments}, $call) or diag($result->{err});
    }
    $server->value(q{SELECT answer_route_register('last', 'last {a}', 'interrogative', 'told', '{"a": "{a}"}', examples => '{last x}', options => jsonb_build_object('place', 999999))});
    my $result = $server->run(q{SELECT add('more')});
    is($result->{state}, '22023', 'there is no place behind the last one');
    like($result->{err}, qr/position 999999 of route "more" is taken by route "last"/, 'and the message says so');
    $server->value(q{SELECT answer_route_remove('last')});
}

#
# bytes that are not UTF-8, which only SQL_ASCII allows, do not stop questions from being answered
#
{
    $server->value(q{CREATE DATABASE ascii TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE 'C'});
    my $ascii = $server->session(dbname => 'ascii', encoding => 'SQL_ASCII');
    $ascii->value('CREATE EXTENSION answer_eval');
    is($ascii->run("SELECT answer_tool_register($_)")->{state}, '22021', "SQL_ASCII: refused: answer_tool_register($_)")
        for q{E'caf\351'}, q{'t', options => jsonb_build_object('description', E'caf\351')}, q{'t', required_args => ARRAY[E'\351']}, q{'t', options => jsonb_build_object('optional_args', ARRAY['a', E'\351'])};
    is($ascii->value("SELECT answer_tool_register('\xc3\xa9', options => jsonb_build_object('description', '\xc3\xa9')), answer_ask('what?') ->> 'verdict'"),
        '|outside_evidence_coverage', 'SQL_ASCII: and questions are refused with a manifest');
    $ascii->close;
}

#
# a standby compiles routes and explains; after promotion its sessions answer and edit
#
{
    $server->value($_) for q{SELECT add('distance')}, q{SELECT answer_route_enable('distance', false)};
    my $data = AnswerServer::tmp_dir() . '/standby';
    mkdir $data, 0700;
    AnswerServer::must(AnswerServer::program('pg_basebackup'), '-h', $server->{host}, '-p', '5432', '-D', "$data/data", '-R', '-c', 'fast',
        '-X', 'stream', '--no-sync');
    my $standby = AnswerServer->new('standby', from => 1, conf => ['hot_standby = on']);
    my $session = $standby->session;
    my $compiled = q{SELECT answer.route_compile('distance of x') #>> '{route,route_id}', answer_route_explain('x') IS NULL,
        answer_coverage() IS NULL, answer_route_audit()};
    is($session->value($compiled), '|f|f|[]', 'a standby routes as its primary does');
    is($session->run($_)->{state}, '25006', "a standby refuses: $_") for q{SELECT answer_ask('x')}, q{SELECT add('x')},
        q{SELECT answer_route_enable('distance')}, q{SELECT answer_quality_class_register('x')};
    $server->value(q{SELECT answer_route_enable('distance')});
    my $lsn = $server->value('SELECT pg_current_wal_flush_lsn()');
    for (1 .. 2400) {
        last if $standby->value("SELECT pg_last_wal_replay_lsn() >= '$lsn'") eq 't';
        nap(0.05);
    }
    is($session->value($compiled), 'distance|f|f|[]', 'and notices an edit there');
    AnswerServer::must(AnswerServer::program('pg_ctl'), '-D', $standby->{data}, '-w', '-t', '60', '-s', 'promote');
    $session->value($_) for 'SELECT answer_key_generate()', q{SELECT answer_route_enable('distance', false)};
    is($session->value($compiled), '|f|f|[]', 'promoted: it is edited');
    is($session->value(q{SELECT answer_ask('distance of x') ->> 'verdict'}), 'outside_evidence_coverage', 'promoted: it answers');
    is($server->value($compiled), 'distance|f|f|[]', 'promoted: the old primary goes its own way');
    $session->close;
    $standby->stop;
}

ok(!$server->crashed, 'the server never crashed');
done_testing();
