#!/usr/bin/env perl
# tiers: long
# Partitions of answer.receipt: in dumps, with concurrent minting, detached, and for roles with few rights. And no command
# may drop receipts, also in sessions that have not loaded the library.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Test::More;

my $server = AnswerServer->new('partitions', kept => 0);
my @client = ('-h', $server->{host}, '-p', '5432');
my $request = q('{"checks": [{"tool": "postgres_server"}]}');
my $dir = AnswerServer::tmp_dir();

# Makes a database with the extension, in the given schema if there is one.
sub database {
    my ($name, $schema) = @_;
    $server->value("CREATE DATABASE $name");
    my @schema = $schema ? ("CREATE SCHEMA $schema",
        "CREATE EXTENSION answer_eval SCHEMA $schema") : ('CREATE EXTENSION answer_eval');
    $server->value($_, dbname => $name) for @schema;
    return $server->session(dbname => $name);
}
my $month = q{format('answer.receipt_%s_%s', to_char(now() AT TIME ZONE 'UTC', 'YYYYMM01'),
    to_char(now() AT TIME ZONE 'UTC' + interval '1 month', 'YYYYMM01'))};
my $this_month = q{SELECT answer_receipt_partition(date_trunc('month', now(), 'UTC'), date_trunc('month',
    now() AT TIME ZONE 'UTC' + interval '1 month') AT TIME ZONE 'UTC')};

#
# dump and restore
#
# Returns the receipts of a database, where they are, and what guards them.
my %looks = (
    'receipts' => q{SELECT string_agg(concat(tableoid::regclass, ' ', receipt_id, ' ', issued_at, ' ',
        md5(body::text)), chr(10) ORDER BY receipt_id) FROM answer.receipt},
    'partitions' => q{SELECT string_agg(concat(relid::regclass, ' ', pg_get_expr(c.relpartbound, c.oid), ' ',
        c.relacl), chr(10) ORDER BY relid::regclass::text)
        FROM pg_partition_tree('answer.receipt') JOIN pg_class c ON c.oid = relid},
    'guards' => q{SELECT string_agg(concat(tgrelid::regclass, ' ', tgname, ' ', tgenabled), chr(10)
        ORDER BY tgrelid::regclass::text, tgname)
        FROM pg_trigger WHERE tgrelid IN (SELECT relid FROM pg_partition_tree('answer.receipt'))},
    'indexes' => q{SELECT string_agg(pg_get_indexdef(indexrelid), chr(10) ORDER BY pg_get_indexdef(indexrelid))
        FROM pg_index WHERE indrelid IN (SELECT relid FROM pg_partition_tree('answer.receipt'))},
    'what the planner is told' => q{SELECT string_agg(concat(attrelid::regclass, ' ', attstattarget, ' ',
        attcompression, ' ', c.reloptions), chr(10) ORDER BY attrelid::regclass::text)
        FROM pg_attribute JOIN pg_class c ON c.oid = attrelid WHERE attname = 'body' AND attrelid IN (SELECT relid
            FROM pg_partition_tree('answer.receipt'))},
    'the archive' => q{SELECT string_agg(concat(receipt_id, ' ', md5(body::text)), chr(10) ORDER BY receipt_id)
        FROM answer_archive.receipt_20010101_20020101},
    'members' => q{SELECT count(*) FROM pg_depend WHERE deptype = 'e' AND classid = 'pg_class'::regclass
        AND objid IN (SELECT relid FROM pg_partition_tree('answer.receipt'))},
    'the audit' => q{SELECT string_agg(concat_ws('|', leaf_index, receipt_id, finding, detail), chr(10))
        FROM answer_log_audit()},
);
{
    my $origin = database('origin');
    $origin->value($_) for "SELECT count(answer_eval($request)) FROM generate_series(1, 3)",
        q{SELECT answer_receipt_partition('2001-01-01Z', '2002-01-01Z')},
            q{SELECT answer_receipt_partition('2999-01-01Z', '3000-01-01Z')}, $this_month,
        "SELECT count(answer_eval($request)) FROM generate_series(1, 3)", q{SELECT answer_forget((SELECT receipt_id
            FROM answer.receipt WHERE schema = 'answer/v1' ORDER BY issued_at LIMIT 1), 'x')};
    $origin->value('SELECT answer_log_seal()');
    $origin->value("SELECT answer_receipt_detach(($month)::regclass)");
    my $went = $origin->value("SELECT receipt_id FROM answer_archive." .
        ($origin->value("SELECT split_part($month, '.', 2)")) .
        " WHERE schema = 'answer/v1' ORDER BY issued_at DESC LIMIT 1");
    $origin->value($_) for 'ALTER TABLE answer_archive.' . $origin->value("SELECT split_part($month, '.', 2)") .
        ' RENAME TO receipt_20010101_20020101',
        "SELECT count(answer_eval($request)) FROM generate_series(1, 2)", 'SELECT answer_log_seal()',
            "SELECT answer_eval($request)";
    my %before = map { $_ => $origin->value($looks{$_}) } keys %looks;
    like($before{'the audit'},
        qr/\A\d+\|ret_[0-9a-f]{16}\|detached\|[^\n]+(\n\d+\|ret_[0-9a-f]{16}\|detached\|[^\n]+)*\z/,
        'what was detached is all that the audit finds');
    is($before{members}, 2, 'the table and its DEFAULT partition are members of the extension, the others are not');

    AnswerServer::must(AnswerServer::program('pg_dump'), @client, '-Fc', '-f', "$dir/custom", 'origin');
    AnswerServer::must(AnswerServer::program('pg_dump'), @client, '-Fd', '-j2', '-f', "$dir/directory", 'origin');
    AnswerServer::must(AnswerServer::program('pg_dump'), @client, '--load-via-partition-root', '-f', "$dir/root.sql",
        'origin');
    AnswerServer::must(AnswerServer::program('pg_dump'), @client, '-f', "$dir/plain.sql", 'origin');
    my $other = AnswerServer->new('other');
    my @there = ('-h', $other->{host}, '-p', '5432');
    my $n = 0;
    for (['custom', 'pg_restore', '--exit-on-error', "$dir/custom"], ['directory', 'pg_restore', '--exit-on-error',
        '-j2', "$dir/directory"],
        ['by the root', 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-f', "$dir/root.sql"], ['plain', 'psql', '-X',
            '-q', '-v', 'ON_ERROR_STOP=1', '-f', "$dir/plain.sql"]) {
        my ($what, $program, @options) = @$_;
        my $name = 'copy' . ++$n;
        $other->value("CREATE DATABASE $name");
        my ($status, $output) = AnswerServer::command(AnswerServer::program($program), @there, '-d', $name, @options);
        is($status, 0, "$what: restored without errors") or diag($output);
        unlike($output, qr/error/i, "$what: and without a word of one");
        my $copy = $other->session(dbname => $name);
        is($copy->value($looks{$_}), $before{$_}, "$what: $_") for sort keys %looks;
        my $result = $copy->run("SELECT answer_receipt('$went')");
        is($result->{state}, '55000', "$what: a receipt that was detached");
        like($result->{err}, qr/is kept in answer_archive\./, "$what: is said to be kept in the archive");
        # the copy goes on: a key, receipts in a partition made here, guards
        $copy->value($_) for 'SELECT answer_key_generate()', $this_month, "SELECT answer_eval($request)";
        is($copy->value("SELECT tableoid::regclass::text = $month
            FROM answer.receipt ORDER BY issued_at DESC LIMIT 1"), 't', "$what: new receipts go to a new partition");
        is($copy->run($_)->{state}, '23001', "$what: $_") for 'TRUNCATE answer.receipt',
            'TRUNCATE answer.receipt_29990101_30000101', 'DELETE FROM answer.receipt';
        is($copy->run('DROP EXTENSION answer_eval CASCADE')->{state}, '2BP01', "$what: and nobody drops them");
        $copy->close;
    }
    # the same dump once more
    AnswerServer::must(AnswerServer::program('pg_dump'), @there, '-f', "$dir/again.sql", 'copy4') if $n == 4;
    cmp_ok(-s "$dir/again.sql", '>', -s "$dir/plain.sql", 'a copy can be dumped, with what came since');
    $origin->close;
    is($other->crashed, 0, 'the other server lost no process');
}

#
# nothing drops receipts, even in sessions that never loaded the library
#
{
    $server->value($_) for 'CREATE ROLE boss SUPERUSER LOGIN', 'CREATE ROLE plain LOGIN',
        'CREATE DATABASE owned OWNER boss';
    my @in = (dbname => 'owned', user => 'boss');
    $server->value($_, @in) for 'CREATE SCHEMA tools', 'CREATE EXTENSION answer_eval SCHEMA tools',
        "SELECT count(tools.answer_eval($request)) FROM generate_series(1, 2)",
        'ALTER SCHEMA tools OWNER TO plain', q{CREATE TYPE tools.mood AS ENUM ('x')};
    my $is_loaded = q{SELECT count(*) FROM pg_settings WHERE name LIKE 'answer_eval.%'};
    my $count = q{SELECT count(*) FROM answer.receipt};
    # Runs a command in a session of its own. Returns its state if nothing was lost.
    sub refused {
        my ($what, $command, %options) = @_;
        my $session = $server->session(@in, %options);
        is($session->value($is_loaded), 0, "$what: the library is not loaded");
        my $result;
        $result = $session->run($_) for ref $command ? @$command : $command;
        is($result->{state}, '2BP01', "$what: refused") or diag($result->{err});
        $session->run('ROLLBACK');
        $session->close;
        is($server->value($count, @in), 3, "$what: nothing is lost");
        return $result->{err};
    }
    my $error = refused('DROP EXTENSION', 'DROP EXTENSION answer_eval');
    like($error, qr/HINT: .*allow_drop/, 'the hint names the setting');
    refused($_, $_) for 'DROP EXTENSION answer_eval CASCADE', 'DROP SCHEMA tools CASCADE',
        'DROP EXTENSION plpgsql CASCADE';
    refused('DROP OWNED', 'DROP OWNED BY boss CASCADE', user => 'postgres');
    refused('DROP OWNED by itself', 'DROP OWNED BY boss');
    refused('as a replica', ['SET session_replication_role = replica', 'DROP EXTENSION answer_eval']);
    refused('the schema\'s owner, who sets what is nobody\'s yet', ['SET answer_eval.allow_drop = on',
        'DROP SCHEMA tools CASCADE'], user => 'plain');
    refused('in a transaction', ['BEGIN', 'DROP EXTENSION answer_eval']);
    refused('from a function', q{DO $$ BEGIN EXECUTE 'DROP EXTENSION answer_eval'; END $$});
    refused('off again', ['SET answer_eval.allow_drop = on', 'SET answer_eval.allow_drop = off',
        'DROP EXTENSION answer_eval']);
    is($server->run('DROP TABLE answer.receipt_default', @in)->{state}, '2BP01', 'a member stays');
    is($server->run('ALTER EXTENSION answer_eval DROP TABLE answer.receipt_default;
        DROP TABLE answer.receipt_default', @in)->{state}, 
        '2BP01', 'also one that left the extension');
    # the table is known by what it is, not by its name
    for my $move ('ALTER TABLE answer.receipt RENAME TO r2', 'ALTER TABLE answer.receipt SET SCHEMA public',
        'ALTER SCHEMA answer RENAME TO a2', 'ALTER TABLE answer.receipt DETACH PARTITION answer.receipt_default') {
        $server->value('CREATE DATABASE moved TEMPLATE owned');
        is($server->run($move, dbname => 'moved')->{state}, '00000', $move);
        is($server->run('DROP EXTENSION answer_eval', dbname => 'moved')->{state}, '2BP01', 'refused after that');
        $server->value('DROP DATABASE moved');
    }
    # tables of others, and tables with the same names elsewhere, can be dropped
    is($server->run($_, dbname => 'postgres')->{state}, '00000', $_) for 'CREATE SCHEMA answer',
        'CREATE TABLE answer.receipt (n int) PARTITION BY LIST (n)',
        'CREATE TABLE answer.receipt_1 PARTITION OF answer.receipt DEFAULT', 'INSERT INTO answer.receipt VALUES (1)',
            'DROP TABLE answer.receipt_1', 'DROP SCHEMA answer CASCADE';
    is($server->run('CREATE TEMP TABLE t (n int); DROP TABLE t', @in)->{state}, '00000', 'other tables are dropped');
    # receipts can be dropped on purpose
    $server->value('CREATE DATABASE meant TEMPLATE owned');
    my $session = $server->session(@in, dbname => 'meant');
    is($session->value($is_loaded), 0, 'allowed: the library is not loaded');
    is($session->run($_)->{state}, '00000', "allowed: $_") for 'SET answer_eval.allow_drop = on',
        'DROP EXTENSION answer_eval';
    is($session->value(q{SELECT count(*) FROM pg_namespace WHERE nspname ~ '^answer'}), 0, 'nothing of it is left');
    is($session->value('SELECT count(*) FROM pg_event_trigger'), 0, 'nor the event trigger');
    $session->close;
    is($server->run('DROP DATABASE owned')->{state}, '00000', 'DROP DATABASE stays possible');
}

#
# while others mint
#
{
    my $session = database('busy');
    my @in = (dbname => 'busy');
    $session->value($_) for q{SELECT answer_key_generate()}, q{CREATE PROCEDURE mint(n int) LANGUAGE plpgsql
        AS $$ BEGIN FOR i IN 1 .. n LOOP
        PERFORM answer_eval(jsonb_build_object('checks', jsonb_build_array(jsonb_build_object('tool', 'none', 'args',
            jsonb_build_object('n', i, 'by', pg_backend_pid()))))); COMMIT;
        END LOOP; END $$}, 'CALL mint(20)';
    my @minters = map { $server->session(@in) } 1 .. 3;
    $_->send('CALL mint(200)') for @minters;
    # a partition for the present is made, filled from the DEFAULT partition, detached, and made again, while others mint into it
    my ($made, $went, $late) = (0, 0, 0);
    for my $round (1 .. 6) {
        my $result = $session->run($this_month);
        is($result->{state}, '00000', "round $round: a partition is made") or diag($result->{err});
        $made++ if $result->{state} eq '00000';
        for my $try (1 .. 40) {
            $session->value('SELECT answer_log_seal()');
            $result = $session->run("SELECT answer_receipt_detach(($month)::regclass) ->> 'receipts'");
            $late++ if $result->{state} eq '55000';
            last if $result->{state} ne '55000';
        }
        if ($result->{state} eq '55000') {
            # writers are too quick for detaching; when they are done, nothing comes between sealing and detaching
            $_->wait for @minters;
            $session->value('SELECT answer_log_seal()');
            $result = $session->run("SELECT answer_receipt_detach(($month)::regclass) ->> 'receipts'");
            $_->send('CALL mint(50)') for @minters;
        }
        is($result->{state}, '00000', "round $round: it is detached") or diag($result->{err});
        $went++ if $result->{state} eq '00000';
        $session->value("DO \$\$ BEGIN
            EXECUTE format('ALTER TABLE answer_archive.%I SET SCHEMA public', split_part($month, '.', 2));
            EXECUTE format('ALTER TABLE %I RENAME TO part_$round', split_part($month, '.', 2)); END \$\$");
        $session->value("DO \$\$ DECLARE i name; BEGIN
            FOR i IN SELECT indexrelid::regclass FROM pg_index WHERE indrelid = 'part_$round'::regclass LOOP
            EXECUTE format('DROP INDEX %s', i); END LOOP; EXCEPTION WHEN dependent_objects_still_exist THEN NULL;
                END \$\$");
        $session->value("CREATE SCHEMA of_$round");
        $session->value("ALTER TABLE part_$round SET SCHEMA of_$round");
    }
    my @ended = map { $_->wait->{state} } @minters;
    is("@ended", '00000 00000 00000', 'nobody who minted failed');
    note("$late times a receipt came between sealing and detaching");
    $session->value('SELECT answer_log_seal()');
    my $archived = join(' UNION ALL ', map {
        "SELECT receipt_id, body FROM of_$_.part_$_ WHERE schema = 'answer/v1'" } 1 .. 6);
    is($session->value("SELECT count(*) = count(DISTINCT receipt_id)
        AND count(*) >= 620 FROM ($archived
        UNION ALL SELECT receipt_id, body FROM answer.receipt WHERE schema = 'answer/v1') r"), 't',
        'each receipt is in one place');
    is($session->value("SELECT count(*) FROM ($archived) r WHERE NOT answer_verify_ok(body)"), 0, 'and verifies there');
    is($session->value('SELECT (SELECT sum(receipts) FROM answer.retention) = count(*) FROM (' . $archived . ') r'),
        't', 'as many as the documents say');
    is($session->value(q{SELECT count(*) FROM answer_log_audit() WHERE finding <> 'detached'}), 0,
        'the audit finds nothing else');
    is($session->value(q{SELECT sum(substring(detail FROM '(\d+) of them')::int) = (SELECT sum(receipts)
        FROM answer.retention) FROM answer_log_audit()}), 't',
        'and each of them detached');

    # an uncommitted receipt keeps its partition attached
    $session->value($_) for $this_month;
    my $open = $server->session(@in);
    $open->value($_) for 'BEGIN', "SELECT answer_eval($request)";
    is($session->run("BEGIN; SET LOCAL lock_timeout = '200ms';
        SELECT answer_receipt_detach(($month)::regclass)")->{state}, '55P03', 'it waits for a transaction that minted');
    $session->run('ROLLBACK');
    $session->send("SELECT answer_receipt_detach(($month)::regclass)");
    nap(0.3);
    $open->value('COMMIT');
    is($session->wait->{state}, '55000', 'and finds what that has minted');
    # nobody detaches a partition that another session is detaching
    $session->value('SELECT answer_log_seal()');
    $open->value($_) for 'BEGIN', "SELECT answer_receipt_detach(($month)::regclass)";
    my $second = $server->session(@in);
    $second->send("SELECT answer_receipt_detach(($month)::regclass)");
    nap(0.3);
    $open->value('ROLLBACK');
    is($second->wait->{state}, '00000', 'detaching that is rolled back leaves it to the next one');
    # an old snapshot does not see later rows, so their leaves could not be named
    $session->value('ALTER TABLE answer_archive.' . $session->value("SELECT split_part($month, '.', 2)") .
        ' SET SCHEMA public');
    $session->value($this_month);
    $open->value($_) for 'BEGIN ISOLATION LEVEL REPEATABLE READ', 'SELECT 1';
    $session->value($_) for "SELECT answer_eval($request)", 'SELECT answer_log_seal()';
    is($open->run("SELECT answer_receipt_detach(($month)::regclass)")->{state}, '55000', 'an old snapshot is refused');
    $open->run('ROLLBACK');
    is($session->run("BEGIN; SELECT answer_receipt_detach(($month)::regclass)")->{state}, '00000', 'a rollback');
    $session->value('ROLLBACK');
    is($session->value("SELECT count(*) FROM answer_log_audit() WHERE finding NOT IN ('detached')"), 0,
        'leaves all as it was');
    $_->close for $session, $open, $second, @minters;
}

#
# roles with few rights
#
{
    my $session = database('roles');
    my @in = (dbname => 'roles');
    $session->value($_) for 'CREATE ROLE keeper LOGIN', 'CREATE ROLE reader LOGIN', 'CREATE ROLE hidden LOGIN',
        'GRANT USAGE ON SCHEMA answer TO reader, hidden',
        'GRANT SELECT ON answer.receipt, answer.anchor TO reader, hidden',
            'GRANT EXECUTE ON FUNCTION answer_receipt(text, timestamptz) TO reader, hidden',
        'GRANT EXECUTE ON FUNCTION answer_receipt_partition(timestamptz, timestamptz),
            answer_receipt_detach(regclass) TO keeper',
        "SELECT answer_eval($request)", 'SELECT answer_log_seal()';
    my $id = $session->value(q{SELECT receipt_id FROM answer.receipt WHERE schema = 'answer/v1'});
    my $keeper = $server->session(@in, user => 'keeper');
    is($keeper->run($this_month)->{state}, '00000', 'who may make partitions needs no right on the table');
    is($keeper->run('SELECT FROM answer.receipt')->{state}, '42501', 'and gets none');
    is($session->value("SELECT relowner::regrole FROM pg_class WHERE oid = ($month)::regclass"), 'postgres',
        'the partition is the owner\'s');
    my $reader = $server->session(@in, user => 'reader');
    is($reader->value("SELECT answer_receipt('$id') ->> 'receipt_id'"), $id, 'who may read the table reads through it');
    my $part = $session->value("SELECT $month");
    is($reader->run("SELECT FROM $part")->{state}, '42501', 'and not the partition');
    my $oid = $session->value("SELECT '$part'::regclass::oid");
    is($keeper->value("SELECT answer_receipt_detach($oid) ->> 'receipts'"), 1, 'who may detach needs no right either');
    is($reader->run("SELECT answer_receipt('$id')")->{state}, '55000', 'who may read is told where it is');
    is($reader->run('SELECT FROM ' .
        $session->value("SELECT replace($month, 'answer.', 'answer_archive.')"))->{state}, '42501',
        'and does not get there');
    $session->value($_) for 'CREATE POLICY none ON answer.receipt TO hidden USING (false)',
        'CREATE POLICY every ON answer.receipt TO reader USING (true)',
        'ALTER TABLE answer.receipt ENABLE ROW LEVEL SECURITY';
    my $hidden = $server->session(@in, user => 'hidden');
    is($hidden->value("SELECT answer_receipt('$id') IS NULL"), 't',
        'from whom row security hides the documents, it is hidden that it was detached');
    is($reader->run("SELECT answer_receipt('$id')")->{state}, '55000', 'from others not');
    $_->close for $session, $keeper, $reader, $hidden;
}

is($server->crashed, 0, 'the server lost no process');
done_testing();
