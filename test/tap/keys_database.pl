#!/usr/bin/env perl
# tiers: long
# A key belongs to one database: not to a copy, not to one that writes the public key into a row, not to one that gets the same OID
# or name. Only a superuser can let another database take it over. The memory of a witness goes with its key.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use File::Basename qw(basename);
use Test::More;

my $server = AnswerServer->new('home', conf => ['wal_level = logical', 'max_wal_senders = 6', 'max_prepared_transactions = 2']);
my $dir = "$server->{data}/answer_eval_keys";
my $eval = q{answer_eval('{"checks": [{"tool": "postgres_server"}]}')};

sub in_database { my ($name, $on) = @_; return bless {%{$on || $server}, dbname => $name}, ref $server }

sub make {
    my ($name, @options) = @_;
    $server->value("CREATE DATABASE $name @options");
    return in_database($name);
}

sub key_of { my ($on) = @_; return $on->value(q{SELECT key_id FROM answer.signing_key WHERE status = 'active'}) }

sub folder_of { my ($on) = @_; return $on->value(q{SELECT folder FROM answer.signing_key WHERE status = 'active'}) }

sub signs {
    my ($on) = @_;
    return $on->run("SELECT r #>> '{signature,key_id}' FROM (SELECT $eval r OFFSET 0) q WHERE answer_verify_ok(r)")->{out};
}

sub refuses {
    my ($on, $what, $pattern) = @_;
    for my $call ($eval, q{answer_fact('postgres_server')}) {
        my $result = $on->run("SELECT $call");
        is($result->{state}, '55000', "$what: 55000") or diag($result->{out}, $result->{err});
        like($result->{err}, $pattern || qr/has no private signing key of its own yet.*HINT: .*answer_key_generate\(\).*answer_key_adopt\(\)/s,
            "$what: it says so, and what to do");
    }
    return;
}

# a fact and a receipt of each database from before, which must always verify
my $home = make('home');
$home->value('CREATE EXTENSION answer_eval');
my $receipt = quoted($home->value("SELECT $eval"));
my $key = key_of($home);
my $folder = folder_of($home);
is_deeply([map { basename($_) } sort glob("$dir/*")], [$folder], 'a folder a database');
is_deeply([map { basename($_) } sort glob("$dir/$folder/*")], ["$key.pem", 'database'], 'with its key and whose it is');
is(sprintf('%04o', (stat "$dir/$folder/database")[2] & 07777), '0600', 'which has mode 0600');

#
# copies
#
{
    my $copy = make('copy', 'TEMPLATE home');
    refuses($copy, 'a copy');
    is($copy->run('SELECT answer_key_adopt()')->{state}, '55000', 'it cannot take the key away');
    like($copy->run('SELECT answer_key_adopt()')->{err}, qr/belongs to the database "home"/, 'for its database is there');
    is($copy->value("SELECT answer_verify_ok($receipt)"), 't', 'a copy verifies what was signed before');
    my $own = $copy->value('SELECT answer_key_generate()');
    is(signs($copy), $own, 'with a key of its own it signs');
    isnt(folder_of($copy), $folder, 'which lies in a folder of its own');
    is($copy->value("SELECT answer_verify_ok($receipt)"), 't', 'and it verifies still what was signed before');
    is(signs($home), $key, 'the original signs as before');
    $server->value('DROP DATABASE copy');
}

#
# an attacker who owns the tables in a database of his own
#
{
    $server->value('CREATE ROLE attacker LOGIN CREATEDB');
    my $other = make('other');
    $other->value('CREATE EXTENSION answer_eval');
    $other->value('SELECT answer_key_generate()');
    my $own = key_of($other);
    my $own_folder = folder_of($other);
    $other->value($_) for q{DO $$ DECLARE t regclass; BEGIN
        FOR t IN SELECT oid FROM pg_class WHERE relnamespace = 'answer'::regnamespace AND relkind IN ('r', 'p', 'v') LOOP
            EXECUTE format('ALTER TABLE %s OWNER TO attacker', t);
        END LOOP; END $$}, 'ALTER SCHEMA answer OWNER TO attacker', 'GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public, answer TO attacker';
    my $public = $home->value('SELECT encode(public_key, $$hex$$) FROM answer.signing_key');
    my $attacker = $server->session(dbname => 'other', user => 'attacker');
    my $insert = sub {
        my ($in) = @_;
        $attacker->value($_) for 'BEGIN', 'ALTER TABLE answer.signing_key DISABLE TRIGGER USER', 'DELETE FROM answer.signing_key',
            "INSERT INTO answer.signing_key (key_id, public_key, status, active_from, folder) VALUES ('$key', '\\x$public', 'active', now(), '$in')";
        my $result = $attacker->run("SELECT $eval");
        $attacker->value('ROLLBACK');
        return $result;
    };
    for my $case (["the original's folder", $folder, qr/its folder belongs to another database/], ['his own folder', $own_folder, qr/private signing key "\Q$key\E" cannot be used/],
        ['no such folder', '00000000-0000-4000-8000-000000000000', qr/no private signing key of its own/]) {
        my ($what, $in, $pattern) = @$case;
        my $result = $insert->($in);
        is($result->{state}, '55000', "the public half as active, with $what: 55000") or diag($result->{out});
        like($result->{err}, $pattern, 'and why');
    }
    is($attacker->run('SELECT answer_key_adopt()')->{state}, '42501', 'who is no superuser adopts nothing');
    is($attacker->run(q{INSERT INTO answer.signing_key (key_id, public_key, status, active_from) SELECT key_id, public_key, 'active', now() FROM answer.signing_key})->{state},
        '23514', 'an active key without a folder is no row');
    # with another database's folder in the registry, that folder does not get the new key either
    $attacker->value($_) for 'BEGIN', 'ALTER TABLE answer.signing_key DISABLE TRIGGER USER', "UPDATE answer.signing_key SET folder = '$folder'";
    my $mine = $attacker->value('SELECT answer_key_generate()');
    isnt($attacker->value("SELECT folder FROM answer.signing_key WHERE key_id = '$mine'"), $folder, 'a new key does not get into the folder of another');
    ok(!-e "$dir/$folder/$mine.pem", 'as the file system says, too');
    $attacker->value('ROLLBACK');
    # the file in a folder counts, even if somebody moved the folder
    is(signs($other), $own, 'his own key signs');
    rename("$dir/$own_folder/database", "$dir/$own_folder/away") or die $!;
    spew("$dir/$own_folder/database", slurp("$dir/$folder/database"), 0600);
    refuses($other, "another's file in the folder");
    spew("$dir/$own_folder/database", slurp("$dir/$own_folder/away"), 0644);
    chmod 0644, "$dir/$own_folder/database";
    refuses($other, 'a file that others may read');
    unlink "$dir/$own_folder/database";
    symlink("$dir/$own_folder/away", "$dir/$own_folder/database");
    refuses($other, 'a link');
    unlink "$dir/$own_folder/database";
    for my $text ('', "x\n", slurp("$dir/$own_folder/away") . "\n", 'x' x 5000, slurp("$dir/$own_folder/away") =~ s/folder \S+/folder $folder/r) {
        spew("$dir/$own_folder/database", $text, 0600);
        chmod 0600, "$dir/$own_folder/database";
        refuses($other, 'a damaged file');
    }
    unlink "$dir/$own_folder/database";
    rename("$dir/$own_folder/away", "$dir/$own_folder/database") or die $!;
    is(signs($other), $own, 'with its file back, it signs');

    # a session looks for its folder again in each statement, and in each transaction of one statement; until then it signs with the key that it found
    for my $file ('database', "$own.pem") {
        my $session = $server->session(dbname => 'other');
        my $move = sub { my ($from, $to) = map { "$dir/$own_folder/$_" } @_; return "COPY (SELECT 1) TO PROGRAM 'cat > /dev/null; mv $from $to'" };
        my ($away, $back) = ($move->($file, 'away'), $move->('away', $file));
        $session->value($_) for 'BEGIN', "SELECT $eval";
        $server->value($away);
        is($session->run("SELECT $eval")->{state}, '55000', "without $file the next statement of a transaction does not sign");
        $session->value('ROLLBACK');
        $server->value($back);
        is($session->run("SELECT $eval")->{state}, '00000', 'with it the session signs again');
        my $do = sub { my ($between) = @_; return $session->run("DO \$do\$ BEGIN PERFORM $eval; $away; $between PERFORM $eval; END \$do\$")->{state} };
        is($do->('COMMIT;'), '55000', 'nor does the next transaction of a statement');
        $server->value($back);
        is($do->(''), '00000', 'a statement looks once');
        is($session->run("SELECT $eval")->{state}, '55000', 'and the one after it again');
        $server->value($back);
        # one client message with several transactions, and a path that changes within a statement
        is($session->run("BEGIN\\; SELECT $eval\\; COMMIT\\; $away\\; BEGIN\\; SELECT $eval\\; COMMIT")->{state}, '55000', 'nor does another transaction of a message');
        $session->value('ROLLBACK');
        $server->value($back);
        is($session->run("DO \$do\$ BEGIN PERFORM $eval; SET LOCAL answer_eval.key_directory = '/nowhere'; PERFORM $eval; END \$do\$")->{state}, '55000',
            'nor one that has set another directory');
        $session->close;
    }
    $attacker->close;
    $server->value('DROP DATABASE other');
}

#
# an OID that is used again
#
{
    my $victim = make('victim');
    $victim->value('CREATE EXTENSION answer_eval');
    signs($victim);
    my $oid = $victim->value('SELECT oid FROM pg_database WHERE datname = current_database()');
    my @row = split /\|/, $victim->value(q{SELECT key_id, encode(public_key, 'hex'), folder FROM answer.signing_key});
    $server->value('DROP DATABASE victim');
    ok(-e "$dir/$row[2]/$row[0].pem", 'what is dropped leaves its keys behind');
    my $heir = make('victim', "OID = $oid");
    is($heir->value('SELECT oid FROM pg_database WHERE datname = current_database()'), $oid, 'another database has its OID and its name');
    $heir->value($_) for 'CREATE EXTENSION answer_eval', "INSERT INTO answer.signing_key (key_id, public_key, status, active_from, folder)
        VALUES ('$row[0]', '\\x$row[1]', 'active', now(), '$row[2]')";
    refuses($heir, 'it has not its keys');
    # the extension created again has an empty registry and makes its own key
    $heir->value($_) for 'SET answer_eval.allow_drop = on', 'DROP EXTENSION answer_eval', 'CREATE EXTENSION answer_eval';
    isnt(signs($heir), $row[0], 'an empty registry makes a key');
    isnt(folder_of($heir), $row[2], 'and a folder');
    $server->value('DROP DATABASE victim');
}

#
# a copy that gets the OID of the original when that is dropped: a copy keeps the OIDs inside
#
{
    $server->value('CREATE ROLE copier LOGIN CREATEDB');
    my $victim = make('victim', 'OWNER = copier');
    $victim->value('CREATE EXTENSION answer_eval');
    my $own = signs($victim);
    my $oid = $victim->value('SELECT oid FROM pg_database WHERE datname = current_database()');
    my $copier = $server->session(user => 'copier');
    $copier->value($_) for 'CREATE DATABASE copy TEMPLATE victim', 'DROP DATABASE victim', "CREATE DATABASE heir TEMPLATE copy OID = $oid";
    my $heir = in_database('heir');
    is($heir->value(q{SELECT (SELECT oid FROM pg_database WHERE datname = current_database()) || ' ' || (SELECT key_id FROM answer.signing_key WHERE status = 'active')}),
        "$oid $own", 'an heir with the OID and the registry');
    refuses($heir, 'has not the keys');
    # the owner of a database cannot change which database a folder belongs to
    $copier->close;
    $copier = $server->session(user => 'copier', dbname => 'heir');
    my $folder = folder_of($heir);
    isnt($copier->run("$_")->{state}, '00000', $_ =~ s/= '.*?'/= a folder/r) for "ALTER ROLE postgres IN DATABASE heir SET answer_eval.key_folders = '$folder'", "ALTER DATABASE heir SET answer_eval.key_folders = '$folder'",
        "SET answer_eval.key_folders = '$folder'; SELECT answer_fact('postgres_server')";
    refuses($heir, 'still has not');
    $server->value("ALTER DATABASE heir SET answer_eval.key_folders = '$folder'");
    $server->value("ALTER ROLE copier IN DATABASE heir SET answer_eval.key_folders = '$folder'");
    refuses($heir, 'nor where it stands in another place');
    is($heir->value('SELECT answer_key_adopt()'), $own, 'a superuser adopts them');
    is(signs($heir), $own, 'and then they sign here');
    $copier->close;
    $server->value("DROP DATABASE $_") for 'heir', 'copy';
}

#
# a restored dump takes the place of a database that is gone
#
my ($pg_dump, $psql) = map { AnswerServer::program($_) } qw(pg_dump psql);
my $dump = AnswerServer::tmp_dir() . '/home.sql';
AnswerServer::must($pg_dump, '-h', $server->{host}, '-p', '5432', '-f', $dump, 'home');
{
    my $restored = make('restored', 'TEMPLATE template0');
    AnswerServer::must($psql, '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-h', $server->{host}, '-p', '5432', '-d', 'restored', '-o', '/dev/null', '-f', $dump);
    refuses($restored, 'a restored dump');
    is($restored->run('SELECT answer_key_adopt()')->{state}, '55000', 'adopting is refused while the original is there');
    my $link = $server->session(dbname => 'restored', setup => ['SET default_transaction_read_only = on']);
    is($link->run('SELECT answer_key_adopt()')->{state}, '25006', 'and in a read-only transaction');
    $link->close;
    $server->value('DROP DATABASE home');
    rename("$dir/$folder/$key.pem", "$dir/$folder/away") or die $!;
    is($restored->run('SELECT answer_key_adopt()')->{state}, '55000', 'without the private half nothing is adopted');
    refuses($restored, 'nor has anything changed');
    rename("$dir/$folder/away", "$dir/$folder/$key.pem") or die $!;
    is($restored->value('SELECT answer_key_adopt()'), $key, 'when it is gone, a superuser adopts the keys');
    is($restored->value('SELECT answer_key_adopt()'), $key, 'again is nothing');
    is(signs($restored), $key, 'and they sign here');
    is($restored->value("SELECT answer_verify_ok($receipt)"), 't', 'what was signed before verifies');
    is($restored->value('SELECT count(*) FROM answer.receipt WHERE NOT answer_verify_ok(body)'), 0, 'and so does everything');
}

#
# another cluster that has the folder, as after pg_upgrade, which keeps OIDs and changes the system identifier
#
{
    my $elsewhere = AnswerServer->new('elsewhere');
    my $there = in_database('home', $elsewhere);
    $elsewhere->value('CREATE DATABASE home TEMPLATE template0');
    AnswerServer::must($psql, '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-h', $elsewhere->{host}, '-p', '5432', '-d', 'home', '-o', '/dev/null', '-f', $dump);
    refuses($there, 'another cluster without the folder');
    is($there->run('SELECT answer_key_adopt()')->{state}, '55000', 'has nothing to adopt');
    mkdir "$elsewhere->{data}/answer_eval_keys", 0700;
    AnswerServer::must('cp', '-rp', "$dir/$folder", "$elsewhere->{data}/answer_eval_keys/");
    refuses($there, 'another cluster with the folder');
    is($there->value('SELECT answer_key_adopt()'), $key, 'a superuser adopts it');
    is(signs($there), $key, 'and it signs');
    # two clusters that share a directory do not share keys
    $elsewhere->configure("answer_eval.key_directory = '$dir'");
    $elsewhere->restart;
    refuses($there, 'a directory that two clusters share');
    $elsewhere->stop;
}

#
# a directory outside the data directory
#
{
    my $outside = AnswerServer::tmp_dir() . '/outside';
    my $own = make('outside');
    $own->value('CREATE EXTENSION answer_eval');
    $own->value(qq{ALTER DATABASE outside SET answer_eval.key_directory = '$outside'});
    like(signs($own), qr/^ae-ed25519-/, 'keys outside the data directory sign');
    is(sprintf('%04o', (stat $outside)[2] & 07777), '0700', 'the directory has mode 0700');
    ok(-e "$outside/" . folder_of($own) . '/' . key_of($own) . '.pem', 'and the key');
    is($own->run(q{SELECT answer_verify_ok(r) FROM (SELECT answer_eval('{"checks": [{"tool": "postgres_server", "id": "again"}]}') r OFFSET 0) q})->{out}, 't', 'also in another session');
    my $long = $server->session(dbname => 'outside', setup => [q{SET answer_eval.key_directory = '/} . 'x' x 1020 . q{'}]);
    my $result = $long->run("SELECT $eval");
    is($result->{state}, 'F0000', 'a path that is too long is said to be') or diag($result->{err});
    $long->close;
}

#
# two-phase commit: no file without an owner
#
{
    my $two = make('two');
    $two->value('CREATE EXTENSION answer_eval');
    my @before = glob("$dir/*/*");
    for my $call ('answer_key_generate()', $eval) {
        my $session = $server->session(dbname => 'two');
        $session->value($_) for 'BEGIN', "SELECT $call";
        my $result = $session->run(q{PREPARE TRANSACTION 'key'});
        is($result->{state}, '0A000', "$call made a key: its transaction is not prepared") or diag($result->{err});
        like($result->{err}, qr/HINT: .*answer_key_generate\(\)/, 'the hint says what to do');
        is($server->run(q{ROLLBACK PREPARED 'key'})->{state}, '42704', 'so there is nothing to roll back');
        is_deeply([glob("$dir/*/*")], \@before, 'and no file');
        $session->close;
    }
    $two->value('SELECT answer_key_generate()');
    my $session = $server->session(dbname => 'two');
    $session->value($_) for 'BEGIN', 'SAVEPOINT a', 'SELECT answer_key_generate()', 'ROLLBACK TO a', "SELECT $eval", q{PREPARE TRANSACTION 'receipt'};
    $session->value(q{COMMIT PREPARED 'receipt'});
    is($two->value('SELECT count(*) FROM answer.receipt WHERE schema = \'answer/v1\' AND answer_verify_ok(body)'), 1, 'a receipt is prepared and committed');
    $session->close;
}

#
# a witness that is created again remembers what it cosigned, or has another key
#
{
    my $log = make('log');
    $log->value('CREATE EXTENSION answer_eval');
    $log->value(q{SELECT count(answer_eval(format('{"checks": [{"tool": "postgres_server", "id": "%s"}]}', i)::jsonb)) FROM generate_series(1, 5) i});
    my $witness = make('witness');
    $witness->value($_) for 'CREATE EXTENSION answer_eval', 'SELECT answer_key_generate()', "ALTER DATABASE witness SET answer_eval.issuer = 'witness'";
    # two histories of one size, and an old dump of the witness
    my $fork = $server->session(dbname => 'log');
    $fork->value($_) for 'BEGIN', q{SELECT answer_eval('{"checks": [{"tool": "postgres_server", "id": "fork"}]}')}, 'SELECT answer_log_seal()';
    my $one = quoted($fork->value('SELECT answer_checkpoint_request(0)'));
    my $trust = quoted($fork->value('SELECT answer_log_vkey()'));
    $fork->value('ROLLBACK');
    $fork->value(q{SELECT answer_eval('{"checks": [{"tool": "postgres_server", "id": "another"}]}')});
    $fork->value('SELECT answer_log_seal()');
    my $two = quoted($fork->value('SELECT answer_checkpoint_request(0)'));
    $fork->close;
    $witness->value("SELECT answer_witness_trust($trust)");
    my $old = AnswerServer::tmp_dir() . '/witness.sql';
    AnswerServer::must($pg_dump, '-h', $server->{host}, '-p', '5432', '-f', $old, 'witness');
    is($witness->run("SELECT answer_checkpoint_cosign($one)")->{state}, '00000', 'a witness cosigns');
    is($witness->run("SELECT answer_checkpoint_cosign($two)")->{state}, '23000', 'and no fork');
    my $witness_key = key_of($witness);

    # a copy fails closed; with a key of its own it has cosigned nothing yet
    my $again = make('witness_again', 'TEMPLATE template0');
    AnswerServer::must($psql, '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-h', $server->{host}, '-p', '5432', '-d', 'witness_again', '-o', '/dev/null', '-f', $old);
    is($again->run("SELECT answer_checkpoint_cosign($two)")->{state}, '55000', 'restored from before, it cosigns nothing');
    $server->value('DROP DATABASE witness');
    is($again->run("SELECT answer_checkpoint_cosign($two)")->{state}, '55000', 'also when the other is gone');
    is($again->value('SELECT answer_key_adopt()'), $witness_key, 'when it adopts the key');
    is($again->value('SELECT count(*) FROM answer.witness_checkpoint'), 0, 'its table knows nothing');
    is($again->run("SELECT answer_checkpoint_cosign($two)")->{state}, '23000', 'but it refuses the fork, under another OID and name');
    is($again->run("SELECT answer_checkpoint_cosign($one)")->{state}, '00000', 'and cosigns what it has cosigned before');
    $again->value('SELECT answer_key_generate()');
    is($again->run("SELECT answer_checkpoint_cosign($two)")->{state}, '23000', 'also with its next key');
}

#
# rows stay, whoever writes, also a subscription
#
{
    my $guarded = in_database('restored');
    my $session = $server->session(dbname => 'restored', setup => ['SET session_replication_role = replica']);
    my @open = split /\n/, $session->value(q{SELECT c.relname FROM pg_class c
        WHERE c.relnamespace = 'answer'::regnamespace AND EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = c.oid AND t.tgname ~ '(append_only|guard)$')});
    cmp_ok(scalar(@open), '>=', 11, 'tables with a guard: ' . scalar(@open));
    for my $table (@open) {
        is($session->run("TRUNCATE answer.$table CASCADE")->{state}, '23001', "$table: TRUNCATE by a role that replicates");
    }
    for my $statement ('DELETE FROM answer.signing_key', q{UPDATE answer.signing_key SET folder = NULL}, 'DELETE FROM answer.receipt', 'UPDATE answer.receipt SET body = body') {
        is($session->run($statement)->{state}, '23001', "$statement by a role that replicates");
    }
    $session->close;

    my $subscriber = make('subscriber', 'TEMPLATE restored');
    my $publisher = make('publisher', 'TEMPLATE restored');
    $publisher->value($_) for 'CREATE PUBLICATION p FOR TABLE answer.receipt', 'ALTER TABLE answer.receipt DISABLE TRIGGER USER',
        q{SELECT pg_create_logical_replication_slot('s', 'pgoutput')};
    $subscriber->value("CREATE SUBSCRIPTION s CONNECTION 'host=$server->{host} port=5432 dbname=publisher user=postgres'
        PUBLICATION p WITH (create_slot = false, slot_name = 's', copy_data = false, disable_on_error = true)");
    my $rows = $subscriber->value('SELECT count(*), md5(string_agg(body::text, $$ $$ ORDER BY receipt_id)) FROM answer.receipt');
    $publisher->value('DELETE FROM answer.receipt');
    my $enabled = 't';
    for (1 .. 2400) {
        last if ($enabled = $subscriber->value('SELECT subenabled FROM pg_subscription')) eq 'f';
        nap(0.05);
    }
    is($enabled, 'f', 'a subscription that deletes a receipt fails');
    like(slurp($server->{log}), qr/table "receipt" is append-only|append-only/, 'and the log says why');
    is($subscriber->value('SELECT count(*), md5(string_agg(body::text, $$ $$ ORDER BY receipt_id)) FROM answer.receipt'), $rows, 'the receipts are there');
    $subscriber->value($_) for 'ALTER SUBSCRIPTION s SET (slot_name = NONE)', 'DROP SUBSCRIPTION s';
    $publisher->value(q{SELECT pg_drop_replication_slot('s')});
}
ok(!$server->crashed, 'the server never crashed');
done_testing();
