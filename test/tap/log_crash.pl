#!/usr/bin/env perl
# tiers: long
# The log with sealing in many sessions, and with kill -9 of the whole server: acknowledged receipts are there, verify and are
# included, and a checkpoint that anybody saw is never contradicted. ANSWER_EVAL_CRASHES is the number of crashes (3; 50 in
# `make test-long`).
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use POSIX ();
use Test::More;
use Time::HiRes qw(time);

my $crashes = $ENV{ANSWER_EVAL_CRASHES} // by_tier(2, 3, 50);

# A large buffer for WAL: see asleep().
my $server = AnswerServer->new('crash', conf => ['max_prepared_transactions = 5', 'wal_buffers = 16MB',
    'checkpoint_timeout = 1h']);

# Two writers with the same request in the same microsecond get the same receipt, so each has its own request.
sub eval_of {
    my ($writer) = @_;
    return qq{answer_eval('{"checks": [
        {"tool": "tide", "args": {"port": "Ystad"}, "expect": {"op": "eq", "value": 0.5}},
        {"tool": "none", "args": {"writer": $writer}, "required": false}]}')};
}

my @setup = (
    'CREATE EXTENSION answer_eval',
    q{SELECT answer_source_register('a')},
    q{SELECT answer_tool_register('tide', required_args => '{port}', value_path => 'h', freshness => '1 day')},
    q{SELECT answer_evidence_add('tide', '{"port": "Ystad"}', '{"h": 0.5}', 'a')},
    q{SELECT answer_key_generate()},
);
# The set-up leaves these records to seal: a source, a tool, the first key, a second key that retires it, and the list of readings.
my $records = 6;
my $unsealed = 'SELECT count(*) FROM answer.unsealed';
my $sealed = q{SELECT answer_log_seal() ->> 'sealed'};
my $defects = q{SELECT count(*) || coalesce(': ' || string_agg(a::text, ' ' ORDER BY a::text), '') FROM answer_log_audit() a};
my $mint = 'SELECT ' . eval_of(0) . q{ ->> 'receipt_id'};
my $in_log = q{SELECT count(*) FROM answer.log_leaf WHERE receipt_id = };

#
# sealing and open transactions
#
{
    $server->value($setup[0]);
    is($server->value($sealed), 0, 'an empty log can be sealed');
    $server->value($_) for @setup[1 .. $#setup];
    is($server->value($sealed), $records, 'and then the records of what was set up');
    my ($one, $other) = map { $server->session } 1 .. 2;
    $one->value('BEGIN');
    my $id = $one->value($mint);
    my $result = $other->run($sealed);
    is("$result->{state} $result->{out}", '00000 0', 'sealing does not wait for a writer, nor take what it has not committed');
    $server->value($mint);
    is($other->value($sealed), 1, 'but what others have');
    $one->value('COMMIT');
    is($other->value($sealed), 1, 'and it, once it is committed');
    is($server->value("$in_log'$id'"), 1, 'which is in the log then');

    $one->value('BEGIN');
    my $gone = $one->value($mint);
    $one->value('ROLLBACK');
    is($other->value($sealed), 0, 'what was rolled back is never sealed');

    # nor does a writer wait for a sealing
    $server->value($mint);
    $one->value('BEGIN');
    is($one->value($sealed), 1, 'a sealing in an open transaction');
    $result = $other->run($mint);
    is($result->{state}, '00000', 'does not block writers');
    $other->send($sealed);
    is($other->wait(0.3)->{state}, 'timeout', 'but other sealings');
    $one->value('COMMIT');
    is($other->wait->{out}, 1, 'which go on after it, and take the rest');
    is($server->value(q{SELECT string_agg(tree_size || '<' || coalesce(previous_size::text, '-'), ' ' ORDER BY tree_size)
        FROM answer.checkpoint}), join(' ', '0<-', "$records<0", map { $records + $_ . '<' . ($records + $_ - 1) } 1 .. 4), 'each checkpoint follows the one before');

    # rolled back, as a whole and to a savepoint
    $server->value($mint);
    my $before = $server->value('SELECT answer_checkpoint()');
    $one->value('BEGIN');
    my $root = $one->value(q{SELECT answer_log_seal() ->> 'root_hash'});
    isnt($one->value('SELECT answer_checkpoint()'), $before, 'a sealing shows in its own transaction');
    is($server->value('SELECT answer_checkpoint()'), $before, 'and nowhere else');
    $one->value('ROLLBACK');
    is($server->value('SELECT answer_checkpoint()'), $before, 'nor anywhere after a rollback');
    is($server->value($unsealed), 1, 'the receipt waits again');
    $one->value($_) for 'BEGIN', 'SAVEPOINT s', $sealed, 'ROLLBACK TO s';
    is($other->run($sealed)->{out}, 1, 'a sealing rolled back to a savepoint holds nobody up');
    is($one->value($sealed), 0, 'and the same transaction sees what the other sealed');
    $one->value('COMMIT');
    is($server->value(q{SELECT answer_log_seal() ->> 'root_hash'}), $root, 'the tree is the one that was rolled back');

    # several sealings in one statement and in one transaction, with receipts that the transaction itself minted
    $server->value($mint);
    is($server->value(q{SELECT (answer_log_seal() ->> 'sealed') || (answer_log_seal() ->> 'sealed')}), '10',
        'two sealings in a statement');
    $one->value($_) for 'BEGIN', $mint, $sealed, $mint;
    is($one->value($sealed), 1, 'minting and sealing in turns in a transaction');
    $one->value('COMMIT');
    is($server->value($defects), 0, 'the audit finds nothing');
    $_->close for $one, $other;
}

#
# isolation levels
#
for my $level ('REPEATABLE READ', 'SERIALIZABLE') {
    my $old = $server->session(setup => ["SET default_transaction_isolation = '$level'"]);
    my $size = $server->value('SELECT max(tree_size) FROM answer.checkpoint');
    $old->value($_) for 'BEGIN', $unsealed;
    $server->value($_) for $mint, $sealed;
    is($old->value(q{SELECT (answer_log_seal() ->> 'sealed') || ' ' || (answer_log_seal() ->> 'tree_size')}),
        '0 ' . ($size + 1), "$level: an old snapshot with nothing to seal seals nothing, and sees the newest tree");
    $old->value('COMMIT');

    $server->value($mint);
    $old->value($_) for 'BEGIN', $unsealed;
    $server->value($_) for $sealed, $mint;
    is($old->run($sealed)->{state}, '40001', "$level: one with receipts that another sealed meanwhile: 40001");
    $old->value('ROLLBACK');
    is($old->value($sealed), 1, "$level: and may try again");

    # the sealing for which it waits commits
    my $other = $server->session(setup => [$mint, 'BEGIN', $sealed]);
    $old->value('BEGIN');
    $old->send($sealed);
    is($old->wait(0.3)->{state}, 'timeout', "$level: a sealing waits for another");
    $other->value('COMMIT');
    is($old->wait->{state}, '40001', "$level: and must try again");
    $old->value('ROLLBACK');
    $server->value($mint);
    is($old->value($sealed), 1, "$level: without loss");
    $_->close for $old, $other;
}
is($server->value($defects), 0, 'isolation levels: the audit finds nothing');

#
# prepared transactions
#
{
    my $session = $server->session;
    $session->value('BEGIN');
    my $id = $session->value($mint);
    $session->value(q{PREPARE TRANSACTION 'writer'});
    $server->value($mint);
    is($session->run($sealed)->{out}, 1, 'a prepared transaction holds no sealing up');
    is($server->value("$in_log'$id'"), 0, 'and its receipt is not sealed');
    $server->kill9;
    $server->start;
    is($server->value($sealed), 0, 'nor after a crash');
    $server->value(q{COMMIT PREPARED 'writer'});
    is($server->value($sealed), 1, 'but after COMMIT PREPARED');
    is($server->value("$in_log'$id'"), 1, 'it is in the log then');

    # a sealing that is prepared itself
    $session = $server->session(setup => [$mint, 'BEGIN', $sealed, q{PREPARE TRANSACTION 'sealer'}]);
    $session->value(q{SET lock_timeout = '200ms'});
    is($session->run($sealed)->{state}, '55P03', 'other sealings wait for a prepared one, no longer than lock_timeout');
    my $before = $server->value('SELECT answer_checkpoint()');
    $server->kill9;
    $server->start;
    is($server->value('SELECT answer_checkpoint()'), $before, 'its checkpoint is not there yet after a crash');
    $session = $server->session(setup => [q{SET lock_timeout = '200ms'}]);
    is($session->run($sealed)->{state}, '55P03', 'and it still holds the lock');
    $server->value(q{COMMIT PREPARED 'sealer'});
    my $after = $server->value('SELECT answer_checkpoint()');
    isnt($after, $before, 'COMMIT PREPARED publishes it');
    $server->kill9;
    $server->start;
    is($server->value('SELECT answer_checkpoint()'), $after, 'and no crash takes it back');
    $server->value($_) for $mint;
    is($server->value($sealed), 1, 'sealing goes on');
    is($server->value($defects), 0, 'prepared transactions: the audit finds nothing');
}

# Waits until a backend waits for a lock. Returns for how many backends.
sub blocked {
    my ($pid) = @_;
    for (1 .. 2400) {
        my $locks = $server->value("SELECT count(*) FROM pg_locks WHERE pid = $pid AND NOT granted");
        return $locks if $locks;
        nap(0.1);
    }
    return 0;
}

#
# a long sealing that is stopped
#
{
    $server->value('CREATE DATABASE bulk');
    $server->{dbname} = 'bulk';
    $server->value($_) for @setup, $mint, $sealed;
    # leaves without receipts are enough: sealing does not read receipts
    $server->value(q{INSERT INTO answer.unsealed SELECT 'ans_' || left(encode(sha256(int8send(i)), 'hex'), 16),
        now() + i * interval '1 ms', sha256(int8send(-i)) FROM generate_series(1, 300000) i});
    my $before = $server->value('SELECT answer_checkpoint()');
    my $session = $server->session;
    my $pid = $session->backend;
    my $lock = $server->session;
    # a lock stops it after the first leaves, or when only the signature is missing
    for my $table ('log_tile', 'checkpoint') {
        $lock->value($_) for 'BEGIN', "LOCK TABLE answer.$table IN SHARE MODE";
        $session->send($sealed);
        is(blocked($pid), 1, "a sealing waits for $table");
        $server->value("SELECT pg_cancel_backend($pid)");
        is($session->wait->{state}, '57014', 'it can be cancelled');
        $lock->value('COMMIT');
    }
    $lock->value($_) for 'BEGIN', 'LOCK TABLE answer.checkpoint IN SHARE MODE';
    $session->send($sealed);
    is(blocked($pid), 1, 'a sealing waits to sign');
    $server->kill9;
    $server->start;
    ($session, $lock) = map { $server->session } 1 .. 2;
    for my $ms (50, 200) {
        $session->value("SET statement_timeout = $ms");
        is($session->run($sealed)->{state}, '57014', "statement_timeout = $ms ends a sealing of 300000 leaves");
        $session->value('RESET statement_timeout');
    }
    is($server->value('SELECT answer_checkpoint()'), $before, 'after these and a crash the checkpoint is the one before');
    is($server->value(q{SELECT (SELECT count(*) FROM answer.log_leaf) || ' ' || (SELECT count(*) FROM answer.unsealed)}),
        $records + 1 . ' 300000', 'nothing moved');
    is($session->value($sealed), 300000, 'the next sealing takes all, in the same session');
    is($server->value(q{SELECT answer_log_compare(} . quoted($before) . q{) ->> 'state'}), 'consistent', 'no fork');
    is($server->value(q{SELECT answer_log_verify(answer_log_consistency(1)) ->> 'ok'}), 'true', 'it is proven');
    is($server->value(q{SELECT count(*) FROM answer.log_tile}), 9375 + 292 + 9, 'each complete tile is there once');
    is($server->value(q{SELECT count(*) FROM answer_log_audit() WHERE detail NOT LIKE '%receipt is gone'}), 0,
        'the audit misses the receipts that never were, and nothing else');
    $_->close for $session, $lock;
    $server->{dbname} = 'postgres';
}

# Runs psql with a file in a process of its own, its output in a file; ends when the connection does.
sub launch {
    my ($script, $output) = @_;
    my $pid = fork();
    die "fork: $!" unless defined $pid;
    return $pid if $pid;
    open(STDOUT, '>', $output) or POSIX::_exit(1);
    open(STDERR, '>', "$output.err") or POSIX::_exit(1);
    exec($server->psql_command(undef, $script), '-v', 'ON_ERROR_STOP=1') or POSIX::_exit(1);
}

my $dir = AnswerServer::tmp_dir();

# A checkpoint as one word.
my $checkpoint = q{SELECT encode(convert_to(answer_checkpoint(), 'UTF8'), 'hex')};

sub script {
    my ($name, @lines) = @_;
    return spew("$dir/$name.sql", join(";\n", @lines) . ";\n", 0644);
}

#
# sealers, writers and readers at once
#
{
    my $first = $server->value('SELECT max(tree_size) FROM answer.checkpoint');
    my $before = $server->value($unsealed) + $server->value('SELECT count(*) FROM answer.log_leaf');
    my (%sealer, %other);
    for my $level ('read committed', 'repeatable read', 'serializable') {
        my $session = $server->session(setup => ["SET default_transaction_isolation = '$level'",
            q{CREATE TEMP TABLE states (state text)}]);
        # one transaction for each, repeated if another came between
        $session->send(q{DO $$ BEGIN FOR i IN 1 .. 60 LOOP
            BEGIN PERFORM answer_log_seal(); INSERT INTO states VALUES ('00000');
            EXCEPTION WHEN OTHERS THEN INSERT INTO states VALUES (SQLSTATE); END; COMMIT; END LOOP; END $$});
        $sealer{$level} = $session;
    }
    for my $writer (1 .. 4) {
        $other{$writer} = $server->session;
        $other{$writer}->send('DO $$ BEGIN FOR i IN 1 .. 100 LOOP PERFORM ' . eval_of($writer) . '; COMMIT; END LOOP; END $$');
    }
    $other{reader} = $server->session;
    $other{reader}->send(q{DO $$ DECLARE newest text; seen text[] := '{}'; one text; BEGIN FOR i IN 1 .. 100 LOOP
        newest := answer_checkpoint();
        seen := seen || newest;
        IF NOT (answer_checkpoint_verify(newest) ->> 'ok')::bool THEN RAISE EXCEPTION 'not signed: %', newest; END IF;
        COMMIT;
        FOREACH one IN ARRAY seen[cardinality(seen) - 3:] LOOP
            IF answer_log_compare(one) ->> 'state' <> 'consistent' THEN RAISE EXCEPTION 'fork: %', one; END IF;
        END LOOP;
        COMMIT; END LOOP; END $$});
    my @states = map { $_->wait->{state} } values %sealer, values %other;
    is("@states", join(' ', ('00000') x 8), 'sealers at each isolation level, writers and a reader at once');
    for my $level (sort keys %sealer) {
        my $states = $sealer{$level}->value(q{SELECT string_agg(state || ' ' || count, ', ' ORDER BY state)
            FROM (SELECT state, count(*) FROM states GROUP BY state) s});
        like($states, $level eq 'read committed' ? qr/\A00000 60\z/ : qr/\A00000 \d+(, 40001 \d+)?\z/, "$level: $states");
    }
    $server->value($sealed);
    is($server->value('SELECT count(*) FROM answer.log_leaf'), $before + 400, 'every receipt is sealed');
    is($server->value($defects), 0, 'the audit finds nothing');
    $_->close for values %sealer, values %other;
}

#
# kill -9 of everything
#
my %writer;
for my $mode ('on', 'off') {
    $writer{$mode} = [map { script("writer.$mode.$_", "SET synchronous_commit = $mode",
        ('SELECT ' . eval_of($_) . q{ ->> 'receipt_id'}) x 3000) } 1 .. 8];
}
# The sealer's own commits are asynchronous: sealing has to force them out.
my $sealer = script('sealer', 'SET synchronous_commit = off', ('SELECT NULL FROM answer_log_seal()', $checkpoint) x 3000);
# Takes checkpoints whose sealer does not know yet that it has committed.
my $reader = script('reader', ($checkpoint) x 20000);

# Stops the process that writes the WAL of asynchronous commits, like a disk that is too slow: now only
# WAL that a session flushes itself survives a crash.
sub asleep {
    for my $pid (AnswerServer::children($server->postmaster_pid)) {
        open(my $file, '<', "/proc/$pid/cmdline") or next;    # the process has ended meanwhile
        return kill 'STOP', $pid if (<$file> // '') =~ /walwriter/;
    }
    return 0;
}

# A list of words as an SQL array.
sub words { return q('{) . join(',', @_) . q(}'::text[]) }

# How many of these checkpoints are not in the log, or have no proof that leads to the newest.
sub contradicted {
    my (@seen) = @_;
    return $server->value(q{
        WITH kept AS (SELECT convert_from(decode(hex, 'hex'), 'UTF8') AS note FROM unnest(} . words(@seen) . q{) hex),
        parsed AS (SELECT note, split_part(note, E'\n', 2)::bigint AS size, split_part(note, E'\n', 3) AS root FROM kept),
        proven AS (SELECT note, size, root, CASE WHEN size > 0 AND size <= (SELECT max(tree_size) FROM answer.checkpoint)
            THEN answer_log_consistency(size) END AS proof FROM parsed)
        SELECT count(*) FROM proven WHERE answer_log_compare(note) ->> 'state' <> 'consistent'
            OR size > 0 AND NOT coalesce((answer_log_verify(proof) ->> 'ok')::boolean
                AND proof ->> 'from_root' = root AND proof ? 'checkpoint', false)});
}

# How many of these receipts are missing, do not verify, or have no proof that they are in the log.
sub unproven {
    my (@ids) = @_;
    return $server->value(q{
        SELECT count(*) FILTER (WHERE r.body IS NULL) || ' ' ||
            count(*) FILTER (WHERE NOT (answer_verify(r.body) ->> 'ok')::boolean) || ' ' ||
            count(*) FILTER (WHERE NOT (answer_log_verify(answer_log_inclusion(r.receipt_id), r.body) ->> 'ok')::boolean)
        FROM unnest(} . words(@ids) . q{) i LEFT JOIN answer.receipt r ON r.receipt_id = i});
}

my (%acknowledged, %kept, @last);
my ($promised, $lost, $halfway) = (0, 0, 0);
my $start = time;
for my $round (1 .. $crashes) {
    my $mode = $round % 2 ? 'on' : 'off';
    is(asleep(), 1, "crash $round: nobody writes WAL unasked") if $mode eq 'off';
    my @output = map { "$dir/out.$_" } 1 .. 8, 'sealer', 'reader';
    my @scripts = (@{$writer{$mode}}, $sealer, $reader);
    my @children = map { launch($scripts[$_], $output[$_]) } 0 .. $#scripts;
    my $end = time + 120;
    nap(0.01) while time < $end && grep { !-s $_ } @output[0 .. 7, 9];
    nap(rand(0.35));
    $server->kill9;
    waitpid($_, 0) for @children;
    $server->start;
    ok($server->alive, "crash $round: the server comes back");

    # a truncated line was not acknowledged
    my @lines = map { my $text = slurp($_); [$text =~ /^(\S+)\n/mg] } @output;
    my @ids = map { @$_ } @lines[0 .. 7];
    my @seen = do { my %unique; grep { !$kept{$_} && !$unique{$_}++ } @{$lines[8]}, @{$lines[9]} };
    $kept{$_} = 1 for @seen;
    $halfway++ if $server->value(q{SELECT max(tree_size) FROM answer.checkpoint}) > size_of($lines[8][-1]);
    if ($mode eq 'off') {
        my $all = @ids;
        @ids = split /\n/, $server->value('SELECT i FROM unnest(' . words(@ids) . ') i WHERE EXISTS
            (SELECT FROM answer.receipt WHERE receipt_id = i)');
        $lost += $all - @ids;
    }
    else {
        $promised += @ids;
    }
    $acknowledged{$_} = 1 for @ids;
    $server->value($sealed);
    is(unproven(@ids), '0 0 0', "crash $round: " . @ids . ($mode eq 'on' ? ' acknowledged' : ' surviving')
        . ' receipts are there, verify and are included');
    is(contradicted(@seen, @last), 0, "crash $round: " . @seen . ' checkpoints that were seen are consistent with the log');
    is($server->value('SELECT count(*) FROM answer_log_audit(incremental => true)'), 0, "crash $round: the audit finds nothing");
    push @last, $seen[-1] if @seen;
    $server->value('SELECT answer_key_generate()') if $round % 10 == 0;
}

sub size_of {
    my ($hex) = @_;
    return 0 unless defined $hex;
    return (split /\n/, pack('H*', $hex))[1];
}

if ($crashes) {
    # the last rotation is signed, too
    $server->value($sealed);
    cmp_ok($promised, '>', 0, sprintf('%d crashes in %.0f s: %d receipts acknowledged', $crashes, time - $start, $promised));
    note("$lost more were acknowledged with synchronous_commit = off, and lost; $halfway sealings had committed when their"
        . ' sealer was not yet told');
    is($server->value('SELECT count(*) FROM unnest(' . words(keys %acknowledged) . ') i
        WHERE NOT EXISTS (SELECT FROM answer.log_leaf l WHERE l.receipt_id = i)'), 0,
        'all ' . keys(%acknowledged) . ' are in the log at the end');
    my @some = grep { rand(keys %acknowledged) < 5000 } keys %acknowledged;
    is(unproven(@some), '0 0 0', @some . ' of them verify and are proven to be');
    is(contradicted(keys %kept), 0, 'all ' . keys(%kept) . ' checkpoints are consistent with the newest');
    is($server->value('SELECT count(*) - count(DISTINCT leaf_index) FROM answer.log_leaf'), 0, 'no leaf is there twice');
    is($server->value(q{SELECT (SELECT count(*) FROM answer.log_leaf) - (SELECT count(*) FROM answer.receipt)}), 0,
        'as many leaves as receipts');
}
is($server->value($defects), 0, 'the whole audit finds nothing');
unlike(slurp($server->{log}), qr/TRAP: |was terminated by signal (?!9\b)/, 'no process died but by our hand');
done_testing();
