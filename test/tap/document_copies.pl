#!/usr/bin/env perl
# tiers: long
# Copies of a database: dump and restore, base backup, hot standby, promotion. Issued receipts stay verifiable.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Test::More;

my $server = AnswerServer->new('primary', conf => ['wal_level = replica', 'max_wal_senders = 4', q{wal_keep_size = '1GB'}], extended => 1);
my @request = map { q('{"checks": [) . join(', ', @$_) . q(]}') } (
    ['{"tool": "postgres_server", "expect": {"op": "exists", "path": "version"}}'],
    ['{"id": "é", "tool": "tide", "args": {"port": "Ystad"}, "expect": [{"path": "height", "op": "gt", "value": 0.4},
        {"path": "names.0", "op": "eq", "value": "日本 😀"}]}', '{"tool": "nothing"}'],
    ['{"tool": "double", "args": {"x": 21}, "expect": {"op": "eq", "value": 42}}',
        '{"tool": "double", "args": {"x": "y"}, "required": false}', '{"tool": "tide", "args": {"port": "Ystad"}}'],
);

$server->value($_) for (
    'CREATE DATABASE origin TEMPLATE postgres',
);
$server->{dbname} = 'origin';
$server->value($_) for (
    'CREATE SCHEMA evaluation',
    q{SELECT answer_source_register('gauge', 'harbour', 'https://example.org/', 'CC0', 'it''s a "gauge"')},
    q{SELECT answer_source_register('buoy')},
    q{SELECT answer_tool_register('tide', required_args => '{port}', options => jsonb_build_object('optional_args', '{unit}'::text[], 'unit', 'm', 'description', E'tabs\tand\nlines'),
        freshness => '36500 days',
        value_path => 'height')},
    q{CREATE FUNCTION evaluation.double(args jsonb) RETURNS jsonb LANGUAGE sql
        AS $$ SELECT jsonb_build_object('v', (args ->> 'x')::int * 2) $$},
    q{SELECT answer_tool_register('double', 'evaluation.double(jsonb)', options => jsonb_build_object('source', 'buoy'), value_path => 'v',
        required_args => '{x}')},
    q{SELECT answer_evidence_add('tide', '{"port": "Ystad"}', '{"height": 0.50, "names": ["日本 😀", "\n"]}', s,
        t) FROM unnest('{gauge,buoy}'::text[]) s, unnest('{2026-01-01Z,2026-01-02Z}'::timestamptz[]) t},
    (map { "SELECT answer_eval($_)" } @request),
    'SELECT answer_key_generate()',
    (map { "SELECT answer_eval($_)" } @request),
    q{SELECT answer_key_compromise(key_id, clock_timestamp()) FROM answer.signing_key WHERE status = 'retired'},
    q{SELECT answer_key_import_public('11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo')},
);

# What must be the same in every copy.
my %content = (
    sources => q{SELECT md5(string_agg(s::text, chr(10) ORDER BY source)) FROM answer.source s},
    tools => q{SELECT md5(string_agg(t::text, chr(10) ORDER BY tool)) FROM answer.tool t},
    evidence => q{SELECT count(*), md5(string_agg(e::text, chr(10) ORDER BY digest)) FROM answer.evidence e},
    'evidence series' => q{SELECT count(*), md5(string_agg(e::text,
        chr(10) ORDER BY e::text)) FROM answer.evidence_series e},
    receipts => q{SELECT count(*) FILTER (WHERE schema = 'answer/v1'), md5(string_agg(r::text, chr(10) ORDER BY receipt_id)) FROM answer.receipt r},
    'receipt bodies' => q{SELECT md5(string_agg(body::text, chr(10) ORDER BY receipt_id)) FROM answer.receipt},
    'answers of answer_verify' => q{SELECT string_agg(answer_verify(body)::text,
        chr(10) ORDER BY receipt_id) FROM answer.receipt},
);
my %original = map { $_ => $server->value($content{$_}) } keys %content;
like($original{receipts}, qr/^6\|/, 'six receipts to begin with');
unlike($original{'answers of answer_verify'}, qr/"ok": false/, 'all verify');
my $keys = $server->value('SELECT string_agg(k::text, chr(10) ORDER BY key_id) FROM answer.signing_key k');
my $given = quoted($server->value('SELECT answer_key_registry()'));
my $verify_all = q{SELECT count(*) FILTER (WHERE (answer_verify(body) ->> 'ok')::boolean) || ' of ' || count(*) FROM answer.receipt WHERE schema = 'answer/v1'};

sub same_content {
    my ($where, $copy, $dbname) = @_;
    my $session = $copy->session(dbname => $dbname);
    is($session->run($content{$_})->{out}, $original{$_}, "$where: same $_") for sort keys %content;
    is($session->value('SELECT string_agg(k::text, chr(10) ORDER BY key_id) FROM answer.signing_key k'), $keys,
        "$where: it has every key and no other");
    $session->close;
    return;
}

sub still_works {
    my ($where, $copy, $dbname) = @_;
    my $session = $copy->session(dbname => $dbname);
    my $all = $session->value(q{SELECT format($$%1$s of %1$s$$, count(*)) FROM answer.receipt WHERE schema = 'answer/v1'});
    my $active = $session->value(q{SELECT string_agg(key_id, ' ') FROM answer.signing_key WHERE status = 'active'});
    # the keys belong to the original: the copy verifies everything, signs nothing and says how to change that
    {
        for my $call ("answer_eval($request[0])", q{answer_fact('tide', '{"port": "Ystad"}')}) {
            my $result = $session->run("SELECT $call");
            is($result->{state}, '55000', "$where: $call without the private key: 55000") or diag($result->{err});
            like($result->{err}, qr/\Q$active\E.*HINT: .*answer_key_generate\(\)/s,
                "$where: the message names the key, the hint says what to do");
        }
        is($session->value($verify_all), $all, "$where: every receipt verifies");
        my $new = $session->value('SELECT answer_key_generate()');
        is($session->value("SELECT status FROM answer.signing_key WHERE key_id = '$active'"), 'retired',
            "$where: a new key retires the one without a file");
        is($session->value($verify_all), $all, "$where: and every receipt still verifies");
        $active = $new;
    }
    for my $i (0 .. $#request) {
        my $result = $session->run("SELECT answer_verify(r) ->> 'ok' FROM (SELECT answer_eval($request[$i]) r OFFSET 0) q");
        is($result->{out}, 'true', "$where: request $i gives a receipt that verifies") or diag($result->{err});
    }
    is($session->value('SELECT key_id FROM answer.receipt ORDER BY issued_at DESC LIMIT 1'), $active,
        "$where: the one active key signs");
    for my $change ('DELETE FROM answer.signing_key', 'TRUNCATE answer.signing_key',
        q{UPDATE answer.signing_key SET status = 'retired', compromised_after = NULL WHERE status = 'compromised'}) {
        is($session->run($change)->{state}, '23001', "$where: $change: 23001");
    }
    is($session->run('UPDATE answer.receipt SET verdict = verdict')->{state}, '23001',
        "$where: receipts are append-only");
    is($session->run('TRUNCATE answer.receipt')->{state}, '23001', "$where: TRUNCATE is refused too");
    is($session->run(q{SELECT answer_tool_register('postgres_server')})->{state}, '22023',
        "$where: built-in tools are fixed");
    is($session->value(q{SELECT count(*) FROM answer.tool WHERE seed}), $server->value(
        q{SELECT count(*) FROM answer.tool WHERE seed}), "$where: they are there once");
    my $digest = $session->run(q{SELECT answer_evidence_add('tide', '{"port": "Ystad"}',
        '{"height": 0.5, "names": ["日本 😀", "\n"]}',
        'gauge', '2026-01-01Z')})->{out};
    is($session->value("SELECT count(*) FROM answer.evidence WHERE digest = '$digest'"), 1,
        "$where: the same reading again is one row");
    is($session->value('SELECT count(*) FROM answer.evidence'), 4, "$where: and no fifth one");
    $session->close;
    return;
}

sub shell {
    my ($command) = @_;
    local $ENV{PGHOST} = $server->{host};
    local $ENV{PGPORT} = 5432;
    my ($status, $output) = AnswerServer::command('sh', '-c', $command);
    is($status, 0, 'dump and restore ran') or diag($output);
    is($output, '', 'and said nothing');
    return;
}
my ($pg_dump, $pg_restore, $psql) = map { quotemeta AnswerServer::program($_) } qw(pg_dump pg_restore psql);
my $quiet = "$psql -X -q -v ON_ERROR_STOP=1 -o /dev/null";

#
# dump and restore
#
{
    $server->value('CREATE DATABASE restored TEMPLATE template0');
    shell("$pg_dump origin | $quiet -d restored");
    same_content('pg_dump | psql', $server, 'restored');
    still_works('pg_dump | psql', $server, 'restored');

    $server->value('CREATE DATABASE restored_custom TEMPLATE template0');
    my $file = AnswerServer::tmp_dir() . '/origin.dump';
    shell("$pg_dump -Fc -f $file origin && $pg_restore -e -j 2 -d restored_custom $file");
    same_content('pg_restore -j 2', $server, 'restored_custom');

    # as INSERTs, with rows that were added in the first copy
    $server->value('CREATE DATABASE restored_again TEMPLATE template0');
    shell("$pg_dump --inserts restored | $quiet -d restored_again");
    is($server->value($verify_all, dbname => 'restored_again'), '9 of 9', 'a copy of a copy: every receipt verifies');
    still_works('a copy of a copy', $server, 'restored_again');
}

#
# another server, without private keys
#
{
    my $other = AnswerServer->new('other');
    $other->value('CREATE DATABASE origin TEMPLATE template0');
    shell("$pg_dump origin | $quiet -h $other->{host} -d origin");
    same_content('another server', $other, 'origin');
    still_works('another server', $other, 'origin');
    $other->value('CREATE DATABASE custom TEMPLATE template0');
    shell("$pg_restore -e -j 2 -h $other->{host} -d custom " . AnswerServer::tmp_dir() . '/origin.dump');
    same_content('another server, pg_restore', $other, 'custom');
    still_works('another server, pg_restore', $other, 'custom');
    $other->stop;
}

#
# CREATE DATABASE ... TEMPLATE
#
{
    $server->value('CREATE DATABASE cloned TEMPLATE origin', dbname => 'postgres');
    same_content('CREATE DATABASE ... TEMPLATE', $server, 'cloned');
    still_works('CREATE DATABASE ... TEMPLATE', $server, 'cloned');
}

#
# base backup and hot standby
#
my $standby_data = AnswerServer::tmp_dir() . '/standby';
mkdir $standby_data, 0700;
AnswerServer::must(AnswerServer::program('pg_basebackup'), '-h', $server->{host}, '-p', '5432', '-D',
    "$standby_data/data", '-R', '-c', 'fast', '-X', 'stream', '--no-sync');
my $standby = AnswerServer->new('standby', from => 1, conf => ['hot_standby = on']);
$standby->{dbname} = 'origin';

sub caught_up {
    my $lsn = $server->value('SELECT pg_current_wal_flush_lsn()');
    for (1 .. 2400) {
        return 1 if $standby->value("SELECT pg_last_wal_replay_lsn() >= '$lsn'") eq 't';
        nap(0.05);
    }
    return 0;
}
ok(caught_up(), 'the standby streams');
is($standby->value('SELECT pg_is_in_recovery()'), 't', 'and is a standby');
same_content('standby', $standby, 'origin');
{
    # it writes nothing; a standby may attest or refuse, but nothing else may happen
    my $result = $standby->run(q{SELECT answer_fact('tide', '{"port": "Ystad"}') ->> 'value'});
    ok($result->{out} eq '0.5' || $result->{state} eq '25006', "standby: answer_fact: $result->{state} $result->{out}");
}
my $id = $server->value("SELECT answer_eval($request[1]) ->> 'receipt_id'");
my $late_key = $server->value('SELECT answer_key_generate()');
my $late_id = $server->value("SELECT answer_eval($request[2]) ->> 'receipt_id'");
ok(caught_up(), 'it has caught up');
{
    my $session = $standby->session;
    is($session->value("SELECT count(answer_receipt(i)) FROM unnest('{$id,$late_id}'::text[]) i"), 2,
        'standby: receipts issued meanwhile are there');
    is($session->value($verify_all), '8 of 8', 'standby: answer_verify with the registry');
    is($session->value("SELECT count(*) FILTER (WHERE (answer_verify(body, $given) ->> 'ok')::boolean)
        FROM answer.receipt WHERE schema = 'answer/v1'"),
        7, 'standby: answer_verify with keys given, which lack the latest one');
    is($session->value(q{SELECT count(*) FROM answer.receipt, answer_key_registry() k
        WHERE (answer_verify(body::text, k) ->> 'ok')::boolean AND schema = 'answer/v1'}), 8, 'standby: and with answer_key_registry()');
    # without a private key, and without writing anything
    is($session->value(q{SELECT count(*) FROM answer.receipt WHERE schema = 'answer/v1' AND answer_verify_ok(body)}), 8,
        'standby: answer_verify_ok with the registry');
    is($session->value("SELECT count(*) FROM answer.receipt WHERE schema = 'answer/v1' AND answer_verify_ok(body::text, $given)"), 7,
        'standby: and with keys given');
    is($session->value(q{SELECT count(*) FROM answer.receipt WHERE schema = 'answer/v1' AND (answer_replay(body) -> 'ok')::boolean}), 8,
        'standby: answer_replay');
    for my $call ("answer_eval($request[0])", 'answer_key_generate()', "answer_dsse('$id')", "answer_forget('$id', 'x')",
        q{answer_source_register('x')}, q{answer_tool_register('x')},
        q{answer_evidence_add('tide', '{"port": "x"}', '{"height": 1}', 'gauge')}) {
        my $result = $session->run("SELECT $call");
        is($result->{state}, '25006', 'standby: ' . substr($call, 0, 40) . ': 25006') or diag($result->{err});
        like($result->{err}, qr/Ask the primary/, 'and it says whom to ask');
    }
    my $pure = q{
        SELECT answer_digest('{"a": 1}'), answer_canonical('[1]'::jsonb), answer.portable('1e2'),
            answer.operator('eq', '1', '1'), answer.path_problem('a..b'), answer.fact_confidence('{"signals": {}}'),
            (answer_check('{"tool": "t"}', '{"fact": "t", "value": 1}', '2026-01-01Z')).verdict,
            answer_validate('{"checks": [{"tool": "t"}]}'),
            (SELECT answer_composite('supported', 0.5, true))};
    is($session->value($pure), $server->value($pure), 'standby: pure functions give what they give on the primary');
    $session->close;
}
{
    my $session = $server->session(setup => ['SET default_transaction_read_only = on']);
    is($session->run("SELECT answer_eval($request[0])")->{state}, '25006',
        'primary, read-only transaction: answer_eval is 25006');
    is($session->run('SELECT answer_key_generate()')->{state}, '25006', 'so is answer_key_generate');
    is($session->value($verify_all), '8 of 8', 'but answer_verify works');
    is($session->value(q{SELECT count(*) FROM answer.receipt
        WHERE schema = 'answer/v1' AND answer_verify_ok(body) AND (answer_replay(body) -> 'ok')::boolean}),
        8, 'and so do answer_verify_ok and answer_replay');
    is($session->run("SELECT answer_forget('$id', 'x')")->{state}, '25006', 'but not answer_forget');
    $session->close;
    is(scalar(grep { !-e "$server->{data}/answer_eval_keys/$_.pem" } split /\n/,
        $server->value('SELECT folder || $$/$$ || key_id FROM answer.signing_key WHERE active_from IS NOT NULL')), 0,
        'no file is missing, so none was removed');
}

#
# promotion
#
$server->stop;
AnswerServer::must(AnswerServer::program('pg_ctl'), '-D', $standby->{data}, '-w', '-t', '60', '-s', 'promote');
is($standby->value('SELECT pg_is_in_recovery()'), 'f', 'the standby is promoted');
is($standby->value($verify_all), '8 of 8', 'promoted: all receipts verify');
{
    # the key that was made after the base backup did not come with the WAL, and must not
    my $result = $standby->run("SELECT answer_eval($request[0])");
    is($result->{state}, '55000', 'promoted: the newest private key is not there: 55000') or diag($result->{out});
    is($standby->run("SELECT answer_dsse('$id')")->{state}, '55000', 'promoted: answer_dsse is the same');
    is($standby->value(q{SELECT count(*) FROM answer.receipt
        WHERE schema = 'answer/v1' AND answer_verify_ok(body) AND (answer_replay(body) -> 'ok')::boolean}), 8,
        'promoted: but all verify and replay');
    like($result->{err}, qr/\Q$late_key\E.*answer_key_generate/s, 'the message and its hint say which and what to do');
    is($standby->value('SELECT answer_key_generate() IS NOT NULL'), 't', 'promoted: a new key');
    $result = $standby->run("SELECT answer_verify(r) ->> 'ok' FROM (SELECT answer_eval($request[0]) r OFFSET 0) q");
    is($result->{out}, 'true', 'promoted: and receipts again') or diag($result->{err});
    is($standby->value($verify_all), '9 of 9', 'promoted: all verify');
}
ok(!$_->crashed, "$_->{name} never crashed") for $server, $standby;
done_testing();
