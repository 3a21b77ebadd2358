#!/usr/bin/env perl
# tiers: long
# Many sessions at once: receipts during key rotations, the same reading stored by all, crashes while minting.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use POSIX ();
use Test::More;
use Time::HiRes qw(time);

my $server = AnswerServer->new('concurrency', extended => 1);
$server->value($_) for (
    q{SELECT answer_source_register(s) FROM unnest('{a,b}'::text[]) s},
    q{SELECT answer_tool_register('tide', required_args => '{port}', value_path => 'h', freshness => '1 day')},
    q{SELECT answer_evidence_add('tide', '{"port": "Ystad"}', '{"h": 0.5}', 'a')},
    # a loop of single transactions with different requests; two sessions with the same request in the same microsecond would get the same receipt
    q{CREATE PROCEDURE mint(n int) LANGUAGE plpgsql AS $$
        BEGIN
            FOR i IN 1 .. n LOOP
                PERFORM answer_eval(jsonb_build_object('checks', jsonb_build_array(
                    '{"tool": "tide", "args": {"port": "Ystad"}, "expect": {"op": "eq", "value": 0.5}}'::jsonb,
                    jsonb_build_object('tool', 'none', 'args', jsonb_build_object('n', i, 'session', pg_backend_pid()), 'required', false))));
                COMMIT;
            END LOOP;
        END $$},
    q{CREATE PROCEDURE rotate(n int) LANGUAGE plpgsql AS $$
        BEGIN
            FOR i IN 1 .. n LOOP
                PERFORM answer_key_generate();
                COMMIT;
                PERFORM pg_sleep(0.01);
            END LOOP;
        END $$},
);
my $one_active = q{SELECT count(*) FROM answer.signing_key WHERE status = 'active'};
my $bad = q{SELECT count(*) FROM answer.receipt, (SELECT answer_key_registry() k OFFSET 0) r
    WHERE NOT (answer_verify(body, k) ->> 'ok')::boolean};
my $request = q('{"checks": [{"tool": "tide", "args": {"port": "Ystad"}}]}');

sub key_files { return glob("$server->{data}/answer_eval_keys/*/*.pem") }

#
# the first receipts of all
#
{
    # in a database where nothing was registered, because registering signs, too
    my @in = (dbname => 'firsts');
    my $request = q('{"checks": [{"tool": "postgres_server"}]}');
    $server->value('CREATE DATABASE firsts');
    $server->value('CREATE EXTENSION answer_eval', @in);
    my @before = key_files();
    my @minters = map { $server->session(@in) } 1 .. 8;
    my $i = 0;
    for my $level ('read committed', 'repeatable read', 'serializable', 'read committed') {
        $_->value("SET default_transaction_isolation = '$level'") for @minters[$i, $i + 1];
        $i += 2;
    }
    # the first one's key is rolled back with its transaction; the others wait for that, and one of them makes another key
    $_->value('BEGIN') for @minters;
    $_->value('SELECT count(*) FROM answer.signing_key') for @minters;
    my $lost = $minters[0]->value("SELECT answer_eval($request) #>> '{signature,key_id}'");
    $_->send("SELECT answer_eval($request) #>> '{signature,key_id}'") for @minters[1 .. 7];
    is($minters[7]->wait(0.3)->{state}, 'timeout', 'the first receipts wait for the one that makes the key');
    $minters[0]->value('ROLLBACK');
    my %keys;
    my @waiting = @minters[1 .. 7];
    while (@waiting) {
        my @still;
        for my $minter (@waiting) {
            my $result = $minter->wait(0.05);
            if ($result->{state} eq 'timeout') {
                push @still, $minter;
                next;
            }
            is($result->{state}, '00000', 'a first receipt') or diag($result->{err});
            $keys{$result->{out}}++;
            $minter->value('COMMIT');
        }
        @waiting = @still;
    }
    is(scalar(keys %keys), 1, 'seven first receipts at once: one key');
    ok(!$keys{$lost}, 'not the one that was rolled back');
    is($server->value('SELECT count(*) FROM answer.signing_key', @in), 1, 'in the registry, too');
    my @files = key_files();
    is(scalar(@files), @before + 1, 'and one file');
    is($server->value($bad, @in), 0, 'every receipt verifies');
    $_->close for @minters;
    $server->value('DROP DATABASE firsts');

    # many times, each in a new database, without a commit to wait for
    my %count;
    my $rounds = by_tier(4, 4, 10);
    for my $round (1 .. $rounds) {
        $server->value("CREATE DATABASE first_$round");
        $server->value('CREATE EXTENSION answer_eval', dbname => "first_$round");
        my @sessions = map { $server->session(dbname => "first_$round") } 1 .. 8;
        $_->value('SELECT answer_canonical(\'1\')') for @sessions;
        my $call = q(SELECT answer_eval('{"checks": [{"tool": "postgres_server"}]}') #>> '{signature,key_id}');
        $_->send($_ == $sessions[3] ? 'SELECT answer_key_generate()' : $call) for @sessions;
        my @states = map { $_->wait->{state} } @sessions;
        $count{join(' ', @states) . ', active ' . $sessions[0]->value($one_active) . ', bad ' . $sessions[0]->value($bad)}++;
        $_->close for @sessions;
        $server->value("DROP DATABASE first_$round");
    }
    is_deeply([sort keys %count], [join(' ', ('00000') x 8) . ', active 1, bad 0'],
        "$rounds times 7 first receipts and a rotation: one active key each");
    unlink $_ for grep { my $file = $_; !grep { $_ eq $file } @before } key_files();
}

#
# receipts and rotations
#
{
    my @minters = map { $server->session } 1 .. 8;
    my $rotator = $server->session;
    my $start = time;
    $_->send('CALL mint(150)') for @minters;
    $rotator->send('CALL rotate(50)');
    my @states = map { $_->wait->{state} } @minters, $rotator;
    is("@states", join(' ', ('00000') x 9), sprintf('8 sessions mint 1200 receipts while keys rotate 50 times: %.1f s', time - $start));
    is($server->value(q{SELECT count(*) FROM answer.receipt WHERE schema = 'answer/v1'}), 1200, 'all are stored');
    cmp_ok($server->value('SELECT count(DISTINCT key_id) FROM answer.receipt'), '>', 10, 'signed by many keys');
    is($server->value($bad), 0, 'each verifies under answer_key_registry()');
    is($server->value(q{SELECT count(*) FROM answer.receipt WHERE NOT (answer_verify(body) ->> 'ok')::boolean}), 0,
        "and under this database's registry");
    is($server->value($one_active), 1, 'one key is active');
    is($server->value('SELECT count(*) FROM answer.signing_key'), 51, 'of 51');
    is($server->value(q{SELECT count(*) FROM (SELECT retired_at, lead(active_from) OVER (ORDER BY active_from) next
        FROM answer.signing_key) k WHERE retired_at IS DISTINCT FROM next}), 0,
            'each retired as the next one became active');
    is(scalar(my @files = key_files()), 51, 'each has a file');
    $_->close for @minters, $rotator;
}

#
# rotations against each other, at every isolation level
#
{
    my @rotators = map { $server->session } 1 .. 6;
    my $i = 0;
    for my $level ('read committed', 'repeatable read', 'serializable') {
        $_->value("SET default_transaction_isolation = '$level'") for @rotators[$i, $i + 1];
        $i += 2;
    }
    # all have a snapshot before any of them rotates
    for my $round (1 .. 5) {
        $_->value('BEGIN') for @rotators;
        $_->value('SELECT count(*) FROM answer.signing_key') for @rotators;
        # each waits for the commit of the previous one
        my %state;
        for my $rotator (@rotators) {
            $rotator->send('SELECT answer_key_generate()');
        }
        my @waiting = @rotators;
        while (@waiting) {
            my @still;
            for my $rotator (@waiting) {
                my $result = $rotator->wait(0.05);
                if ($result->{state} eq 'timeout') {
                    push @still, $rotator;
                    next;
                }
                $state{$result->{state}}++;
                $rotator->run('COMMIT');
            }
            @waiting = @still;
        }
        my $states = join ' ', map { "$_ $state{$_}" } sort keys %state;
        ok(!grep({ !/^(00000|40001)$/ } keys %state), "six rotations at once: $states");
        is($server->value($one_active), 1, 'one key is active');
        is($server->value("SELECT answer_verify(r, answer_key_registry()) ->> 'ok'
            FROM (SELECT answer_eval($request) r OFFSET 0) q"), 'true', 'and signs');
    }
    my $files = () = key_files();
    is($files, $server->value('SELECT count(*) FROM answer.signing_key'), 'as many files as keys');
    # a snapshot from before the rotation
    my $old = $server->session(setup => ['BEGIN ISOLATION LEVEL REPEATABLE READ',
        'SELECT count(*) FROM answer.signing_key']);
    my $new_key = $server->value('SELECT answer_key_generate()');
    is($old->run("SELECT answer_eval($request) #>> '{signature,key_id}'")->{out}, $new_key,
        'an old snapshot does not sign with a retired key');
    $old->value('COMMIT');
    is($server->value($bad), 0, 'every receipt verifies');
    $_->close for @rotators, $old;
}

#
# a rotation that an old snapshot does not see: never two active keys
#
{
    my $old = $server->session;
    for my $level ('REPEATABLE READ', 'SERIALIZABLE') {
        for my $call ('answer_key_generate()', 'answer_key_retire(id)', 'answer_key_compromise(id)') {
            $server->value(q{SELECT answer_key_retire(key_id) FROM answer.signing_key WHERE status = 'active'});
            $old->value("BEGIN ISOLATION LEVEL $level");
            $old->value('SELECT count(*) FROM answer.signing_key');
            my $id = $server->value('SELECT answer_key_generate()');
            my $result = $old->run("SELECT $call" =~ s/id/'$id'/r);
            is($result->{state}, '40001', "$level: $call, of a key that came later: 40001") or diag($result->{err});
            $old->run('ROLLBACK');
            is($server->value($one_active), 1, 'one key is active');
        }
        # an existing one is changed meanwhile
        my $id = $server->value(q{SELECT key_id FROM answer.signing_key WHERE status = 'active'});
        $old->value("BEGIN ISOLATION LEVEL $level");
        $old->value('SELECT count(*) FROM answer.signing_key');
        $server->value('SELECT answer_key_generate()');
        is($old->run("SELECT answer_key_compromise('$id')")->{state}, '40001', "$level: of a key that changed: 40001");
        $old->run('ROLLBACK');
        # the same key from two sides
        my $jwk = q({"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"});
        $old->value("BEGIN ISOLATION LEVEL $level");
        $old->value('SELECT count(*) FROM answer.signing_key');
        $server->value("SELECT answer_key_import_public('$jwk')");
        like($old->run("SELECT answer_key_import_public('$jwk')")->{state}, qr/^(00000|40001)$/,
            "$level: an import of the same key");
        $old->run('ROLLBACK');
    }
    $old->close;
}

#
# a retirement and a compromise in progress
#
for my $call ('answer_key_retire(key_id)', 'answer_key_compromise(key_id, clock_timestamp())') {
    my $ender = $server->session(setup => ['BEGIN']);
    my $minter = $server->session;
    $ender->value("SELECT $call FROM answer.signing_key WHERE status = 'active'");
    $minter->send("SELECT answer_eval($request)");
    is($minter->wait(0.3)->{state}, 'timeout', "a signer waits for $call");
    $ender->value('COMMIT');
    is($minter->wait->{state}, '55000', 'and then has no key');
    is($server->value($bad), 0, 'every receipt verifies');
    my $rotator = $server->session;
    $rotator->value('SELECT answer_key_generate()');
    is($minter->run("SELECT answer_eval($request)")->{state}, '00000', 'until there is a new one');
    $_->close for $ender, $minter, $rotator;
}

#
# an open rotation
#
{
    my $rotator = $server->session(setup => ['BEGIN']);
    my $key = $rotator->value('SELECT answer_key_generate()');
    my $minter = $server->session;
    my $pid = $minter->backend;
    $minter->send("SELECT answer_eval($request) #>> '{signature,key_id}'");
    is($minter->wait(0.3)->{state}, 'timeout', 'a signer waits for a rotation in progress');
    my $start = time;
    $server->value("SELECT pg_cancel_backend($pid)");
    is($minter->wait->{state}, '57014', 'the wait can be cancelled');
    $minter->value("SET lock_timeout = '100ms'");
    is($minter->run("SELECT answer_eval($request)")->{state}, '55P03', 'and lock_timeout ends it');
    $minter->value('RESET lock_timeout');
    is($server->value(q{SELECT count(*) FROM answer.receipt WHERE (answer_verify(body) ->> 'ok')::boolean}),
        $server->value('SELECT count(*) FROM answer.receipt'), 'verifying does not wait');
    $minter->send("SELECT answer_eval($request) #>> '{signature,key_id}'");
    nap(0.1);
    $rotator->value('COMMIT');
    is($minter->wait->{out}, $key, 'after the commit the new key signs');
    is($server->value($bad), 0, 'every receipt verifies');
    $_->close for $rotator, $minter;
}

#
# all sessions add the same reading
#
{
    my @sessions = map { $server->session } 1 .. 8;
    for my $round (1 .. 20) {
        my $add = qq(SELECT answer_evidence_add('tide', '{"port": "P$round"}', '{"h": $round}', 'a', '2026-01-01Z')
            FROM generate_series(1, 3));
        $_->send($add) for @sessions;
        my %seen;
        for my $session (@sessions) {
            my $result = $session->wait;
            $seen{"$result->{state} $_"}++ for split /\n/, $result->{out} || $result->{err};
        }
        is(scalar(keys %seen), 1, "round $round: one digest, no error") or diag(join "\n", keys %seen)
            if $round == 1 || keys %seen != 1;
    }
    is($server->value(q{SELECT count(*) FROM answer.evidence WHERE args ->> 'port' LIKE 'P%'}), 20,
        'twenty readings are twenty rows');
    is($server->value(q{SELECT count(*) FROM answer.evidence_series}), 21, 'of twenty more series');
    # one session holds the row in an open transaction
    $sessions[0]->value('BEGIN');
    my $add = q{SELECT answer_evidence_add('tide', '{"port": "Q"}', '{"h": 1}', 'b', '2026-01-01Z')};
    $sessions[0]->value($add);
    $sessions[1]->send($add);
    is($sessions[1]->wait(0.2)->{state}, 'timeout', 'a reading that is being added elsewhere is waited for');
    $sessions[0]->value('ROLLBACK');
    is($sessions[1]->wait->{state}, '00000', 'after a rollback there it is added here');
    is($server->value(q{SELECT count(*) FROM answer.evidence WHERE args ->> 'port' = 'Q'}), 1, 'as one row');
    $_->close for @sessions;
}

#
# two sessions register a judge of the same name at once
#
{
    my $register = sub { my ($name, $version) = @_;
        return qq{SELECT answer_judge_register('$name', '{"kinds": ["answers"], "model": "m", "version": "$version", "role": "pg_monitor"}')} };
    my $revisions = sub { my ($name) = @_;
        return $server->value("SELECT coalesce((SELECT revision FROM answer.judge WHERE name = '$name'), 0) || ' of '
            || (SELECT string_agg(version, ',' ORDER BY revision) FROM answer.judge_version WHERE name = '$name')") };
    my @two = map { $server->session } 1 .. 2;
    for my $case (['same', '1', 'COMMIT', '1 of 1'], ['other', '2', 'COMMIT', '2 of 1,2'], ['gone', '2', 'ROLLBACK', '1 of 2']) {
        my ($name, $version, $end, $expected) = @$case;
        $two[0]->value('BEGIN');
        $two[0]->value($register->($name, '1'));
        $two[1]->send($register->($name, $version));
        is($two[1]->wait(0.5)->{state}, 'timeout', "judge $name: the second waits for the first");
        $two[0]->value($end);
        my $result = $two[1]->wait;
        is($result->{state}, '00000', "judge $name: and is registered then") or diag($result->{err});
        is($revisions->($name), $expected, "judge $name: versions follow one another");
    }
    # a snapshot from before the other registration causes only the server's own error
    $two[1]->value('BEGIN ISOLATION LEVEL REPEATABLE READ');
    $two[1]->value('SELECT count(*) FROM answer.judge');
    $two[0]->value($register->('early', '1'));
    is($two[1]->run($register->('early', '2'))->{state}, '40001', 'an old snapshot: to be tried again');
    $two[1]->value('ROLLBACK');
    is($revisions->('early'), '1 of 1', 'and the first stands');
    is($server->value(q{SELECT count(*) FROM answer_log_audit()}), 0, 'the records of judges are complete');
    $_->close for @two;
}

#
# kill -9 of a backend while others mint
#
my $acknowledged = AnswerServer::tmp_dir() . '/acknowledged';
for my $round (1 .. 3) {
    my @children;
    unlink map { "$acknowledged.pid.$_" } 1 .. 4;
    for my $child (1 .. 4) {
        my $pid = fork();
        die "fork: $!" unless defined $pid;
        if (!$pid) {
            my $session = $server->session;
            open(my $file, '>>', $acknowledged) or POSIX::_exit(1);
            spew("$acknowledged.pid.$child", $session->backend);
            while (1) {
                my $result = $session->run($child == 1 ? q{SELECT 'key', answer_key_generate()}
                    : qq(SELECT 'receipt', answer_eval($request) ->> 'receipt_id'));
                last if $result->{state} ne '00000';
                syswrite($file, "$result->{out}\n");
            }
            POSIX::_exit(0);
        }
        push @children, $pid;
    }
    # each has done some work first, on a busy machine, too
    for (1 .. 2400) {
        last if -s $acknowledged && (grep { -s "$acknowledged.pid.$_" } 1 .. 4) == 4;
        nap(0.05);
    }
    nap(0.5);
    # one of the kills hits the session that makes keys, the others one that mints
    my $victim = slurp("$acknowledged.pid." . ($round == 2 ? 1 : 3));
    kill 'KILL', $victim;
    waitpid($_, 0) for @children;
    my $up = 0;
    for (1 .. 1200) {
        $up = $server->run('SELECT 1', fresh => 1)->{out} eq '1';
        last if $up;
        nap(0.1);
    }
    ok($up, "kill $round: the server comes back");
    my @lines = split /\n/, slurp($acknowledged);
    my @receipts = map { /^receipt\|(.*)/ ? $1 : () } @lines;
    my @keys = map { /^key\|(.*)/ ? $1 : () } @lines;
    is($server->value("SELECT count(*) FROM unnest('{" . join(',', @receipts) . "}'::text[]) i
        WHERE NOT coalesce((answer_verify(answer_receipt(i)) ->> 'ok')::boolean, false)"), 0,
        "kill $round: all " . @receipts . ' acknowledged receipts are there and verify');
    is($server->value("SELECT count(*) FROM unnest('{" . join(',', @keys) . "}'::text[]) i
        WHERE NOT EXISTS (SELECT FROM answer.signing_key WHERE key_id = i)"), 0, "kill $round: all " . @keys . ' keys, too');
    is($server->value($bad), 0, "kill $round: so do all others");
    is($server->value($one_active), 1, "kill $round: one key is active");
    my $active = $server->value(q{SELECT key_id FROM answer.signing_key WHERE status = 'active'});
    ok((grep { -s } glob("$server->{data}/answer_eval_keys/*/$active.pem")), "kill $round: it has its file");
    is($server->run("SELECT answer_eval($request) #>> '{signature,key_id}'")->{out}, $active, "kill $round: and signs");
}

my @killed = slurp($server->{log}) =~ /was terminated by signal (\d+)/g;
is("@killed", '9 9 9', 'no process died but those that were killed');
done_testing();
