#!/usr/bin/env perl
# tiers: test
# Private keys: what survives a restart, what is refused, and that no part of them is found anywhere else.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use File::Basename qw(basename);
use MIME::Base64 qw(decode_base64 encode_base64);
use Test::More;

my $server = AnswerServer->new('keys', conf => ['log_min_messages = debug5', 'log_min_error_statement = debug5',
    'log_statement = all', 'log_duration = on', 'log_parameter_max_length = -1', 'log_error_verbosity = verbose',
    'debug_print_parse = on', 'debug_print_plan = on', 'track_activity_query_size = 65536', 'wal_level = logical',
    'log_executor_stats = on', 'max_prepared_transactions = 5', 'max_wal_size = 1GB']);
my $dir = "$server->{data}/answer_eval_keys";
my $request = q('{"checks": [{"tool": "postgres_server", "expect": {"op": "exists", "path": "version"}}]}');

my $home = $dir;    # the database's folder, when there is one

sub key_files { return sort map { basename($_) } glob("$dir/*/*.pem") }

sub mode { my ($path) = @_; return sprintf('%04o', (stat $path)[2] & 07777) }

sub openssl {
    my (@arguments) = @_;
    my ($status, $output) = AnswerServer::command('openssl', @arguments);
    die "openssl @arguments: $output" if $status;
    return $output;
}

#
# the first key
#
ok(!-e $dir, 'no key directory before the extension');
is($server->run('BEGIN; CREATE EXTENSION answer_eval; ROLLBACK')->{state}, '00000', 'CREATE EXTENSION, rolled back');
is_deeply([key_files()], [], 'leaves no key file');
is($server->run('DO $$ BEGIN CREATE EXTENSION answer_eval; PERFORM 1 / 0; END $$')->{state}, '22012',
    'so does an error');
is_deeply([key_files()], [], 'leave no key file');
$server->value('CREATE EXTENSION answer_eval');
ok(!-e $dir, 'nor does CREATE EXTENSION make one');
is($server->value('SELECT answer_keys()'), '{}', 'there is no key yet');
is($server->run("BEGIN; SELECT answer_eval($request); ROLLBACK")->{state}, '00000', 'the first receipt, rolled back');
is_deeply([key_files()], [], 'leaves no key file');
is_deeply([glob("$dir/*")], [], 'nor a folder');
is($server->run("SELECT 1 FROM (SELECT answer_eval($request)) r WHERE 1 / (random() * 0)::int = 1")->{state}, '22012',
    'so does an error');
is_deeply([key_files()], [], 'leave no key file');
$server->value("SELECT answer_eval($request)");
my $key_id = $server->value('SELECT key_id FROM answer.signing_key');
is_deeply([key_files()], ["$key_id.pem"], 'the first receipt makes one key file, named by the key');
is(mode($dir), '0700', 'the key directory has mode 0700');
$home .= '/' . $server->value('SELECT folder FROM answer.signing_key');
is_deeply([glob("$dir/*")], [$home], 'in a folder of the database');
is(mode($home), '0700', 'which has mode 0700');
is(mode("$home/$key_id.pem"), '0600', 'the key file has mode 0600');

my @bodies;
sub remember_key {
    my ($path) = @_;
    my ($body) = slurp($path) =~ /-----BEGIN PRIVATE KEY-----\n(.*)\n-----END PRIVATE KEY-----/s;
    push @bodies, $body;
    return $body;
}
my $body = remember_key("$home/$key_id.pem");
like($body, qr{^[A-Za-z0-9+/=]{64}$}, 'it is an unencrypted PKCS#8 key');

#
# rotation and its rollback
#
{
    my $session = $server->session;
    is($session->run('SELECT 1 FROM (SELECT answer_key_generate()) k WHERE 1 / (random() * 0)::int = 1')->{state},
        '22012',
        'an error after answer_key_generate()') or diag('the planner evaluated it early');
    is_deeply([key_files()], ["$key_id.pem"], 'removes the file');
    $session->value('BEGIN');
    my $lost = $session->value('SELECT answer_key_generate()');
    is_deeply([key_files()], [sort "$key_id.pem", "$lost.pem"], 'a file in the transaction');
    remember_key("$home/$lost.pem");
    is($session->value("SELECT answer_eval($request) #>> '{signature,key_id}'"), $lost, 'that key signs at once');
    $session->value('ROLLBACK');
    is_deeply([key_files()], ["$key_id.pem"], 'ROLLBACK removes it');
    is($session->value("SELECT answer_eval($request) #>> '{signature,key_id}'"), $key_id,
        'and the old key signs again');

    $session->value($_) for ('BEGIN', 'SAVEPOINT a');
    $session->value('SELECT answer_key_generate()');
    $session->value('SAVEPOINT b');
    $session->value('RELEASE b');
    $session->value('ROLLBACK TO a');
    is_deeply([key_files()], ["$key_id.pem"], 'ROLLBACK TO removes it');
    $session->value('SAVEPOINT c');
    my $kept = $session->value('SELECT answer_key_generate()');
    $session->value('RELEASE c');
    $session->value('SAVEPOINT d');
    $session->value('SELECT answer_key_generate()');
    $session->value('ROLLBACK TO d');
    is_deeply([key_files()], [sort "$key_id.pem", "$kept.pem"],
        'a released savepoint keeps its file, a later one does not');
    $session->value('SAVEPOINT e');
    $session->value('SAVEPOINT f');
    $session->value('SELECT answer_key_generate()');
    $session->value('RELEASE f');
    $session->value('ROLLBACK TO e');
    is_deeply([key_files()], [sort "$key_id.pem", "$kept.pem"],
        'a file released into a savepoint goes when that one does');
    $session->value('COMMIT');
    is_deeply([key_files()], [sort "$key_id.pem", "$kept.pem"], 'COMMIT keeps it');
    remember_key("$home/$kept.pem");
    is($session->value(q{SELECT string_agg(key_id || ' ' || status,
        ', ' ORDER BY active_from) FROM answer.signing_key}),
        "$key_id retired, $kept active", 'the registry agrees');
    is($session->value("SELECT answer_eval($request) #>> '{signature,key_id}'"), $kept, 'the new key signs');

    # two-phase commit: no file is made, because nobody would remove it
    $session->value('BEGIN');
    my $prepared = $session->value('SELECT answer_key_generate()');
    is($session->run(q{PREPARE TRANSACTION 'rotation'})->{state}, '0A000', 'a transaction that made a key is not prepared');
    ok(!-e "$home/$prepared.pem", 'and its file is removed');
    is($server->run(q{COMMIT PREPARED 'rotation'})->{state}, '42704', 'there is nothing to commit');
    $prepared = $session->value('SELECT answer_key_generate()');
    is($session->value("SELECT answer_eval($request) #>> '{signature,key_id}'"), $prepared, 'outside of two phases it is made');
    remember_key("$home/$prepared.pem");
    $session->close;
    $key_id = $prepared;
}

#
# restart
#
$server->value("SELECT answer_eval($request) FROM generate_series(1, 5)");
my $receipts = $server->value('SELECT count(*) FROM answer.receipt');
my $verified = q{SELECT count(*) FROM answer.receipt WHERE (answer_verify(body) ->> 'ok')::boolean};
my $bodies = $server->value('SELECT md5(string_agg(body::text, chr(10) ORDER BY receipt_id)) FROM answer.receipt');
$server->restart;
is($server->value('SELECT md5(string_agg(body::text, chr(10) ORDER BY receipt_id)) FROM answer.receipt'), $bodies,
    'receipts outlive a restart');
is($server->value($verified), $receipts, 'and verify');
is($server->value("SELECT answer_eval($request) #>> '{signature,key_id}'"), $key_id, 'the same key signs');
$receipts++;

#
# a key file that must not be used
#
my $path = "$home/$key_id.pem";
my $pem = slurp($path);
remember_key($path);
my $session = $server->session;
is($session->value("SELECT answer_eval($request) ? 'receipt_id'"), 't', 'a session that has signed');
$receipts++;
rename($path, "$path.away") or die $!;
for my $old (1, 0) {
    my $which = $old ? 'the session that has signed' : 'a new session';
    my $here = $old ? $session : $server->session;
    my $result = $here->run("SELECT answer_eval($request)");
    is($result->{state}, '55000', "without its file, $which: 55000");
    like($result->{err}, qr/\Q$key_id\E.*^\S*HINT: .*answer_eval\.key_directory.*answer_key_generate/ms,
        'the message names the key, the hint says what to do') or diag($result->{err});
    is($here->value($verified), $receipts, "$which still verifies");
    is($here->run(q{SELECT answer_fact('postgres_server')})->{state}, '55000', "$which: no attested fact either");
}
is($server->value('SELECT count(*) FROM answer.receipt'), $receipts, 'no unsigned receipt was stored');

my $scratch = AnswerServer::tmp_dir() . '/pem';
mkdir $scratch;
my $other_ed25519 = openssl('genpkey', '-algorithm', 'ed25519');
openssl('genpkey', '-algorithm', 'rsa', '-pkeyopt', 'rsa_keygen_bits:2048', '-out', "$scratch/rsa");
openssl('genpkey', '-algorithm', 'x25519', '-out', "$scratch/x25519");
openssl('genpkey', '-algorithm', 'ed448', '-out', "$scratch/ed448");
openssl('genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256', '-out', "$scratch/ec");
spew("$scratch/plain", $pem, 0600);
openssl('pkcs8', '-topk8', '-in', "$scratch/plain", '-passout', 'pass:secret', '-out', "$scratch/encrypted");
my $public = openssl('pkey', '-in', "$scratch/plain", '-pubout');
my %refused = (
    'mode 0644' => sub { spew($path, $pem, 0644) },
    'mode 0640' => sub { spew($path, $pem, 0640) },
    'mode 0606' => sub { spew($path, $pem, 0606) },
    'a symbolic link' => sub { spew("$scratch/target", $pem, 0600); symlink("$scratch/target", $path) },
    'a dangling link' => sub { symlink("$scratch/nothing", $path) },
    'a directory' => sub { mkdir $path, 0700 },
    'no key but text' => sub { spew($path, "hello\n", 0600) },
    'an empty file' => sub { spew($path, '', 0600) },
    'a truncated file' => sub { spew($path, substr($pem, 0, 60), 0600) },
    'a file without its last line' => sub { spew($path, $pem =~ s/-----END.*//sr, 0600) },
    'a damaged body' => sub { spew($path, $pem =~ s/MC4C/MC4B/r, 0600) },
    "another key's file" => sub { spew($path, $other_ed25519, 0600) },
    'an RSA key' => sub { spew($path, slurp("$scratch/rsa"), 0600) },
    'an X25519 key' => sub { spew($path, slurp("$scratch/x25519"), 0600) },
    'an Ed448 key' => sub { spew($path, slurp("$scratch/ed448"), 0600) },
    'an EC key' => sub { spew($path, slurp("$scratch/ec"), 0600) },
    'an encrypted key' => sub { spew($path, slurp("$scratch/encrypted"), 0600) },
    'a public key' => sub { spew($path, $public, 0600) },
    'a huge file' => sub { spew($path, "x\n" x 3000000 . $pem, 0600) },
    'a long line before the key' => sub { spew($path, 'x' x 5000 . "\n" . $pem, 0600) },
    'a file that nobody may read' => sub { spew($path, $pem, 0) },
);
for my $what (sort keys %refused) {
    $refused{$what}->();
    my $here = $server->session;
    my $result = $here->run("SELECT answer_eval($request)");
    is($result->{state}, '55000', "$what: 55000") or diag($result->{err});
    like($result->{err}, qr/HINT: .*0600/, "$what: with a hint");
    unlike($result->{err}, qr/\Q$body\E|passphrase:/, "$what: without the key");
    is($here->run('SELECT count(answer_digest(i::text)) FROM generate_series(1, 10) i')->{out}, 10,
        "$what: the session goes on");
    $here->close;
    -d $path && !-l $path ? rmdir $path : unlink $path;
}
{
    # a named pipe must not make the server wait
    AnswerServer::must('mkfifo', '-m', '0600', $path);
    my $here = $server->session;
    $here->send("SELECT answer_eval($request)");
    my $result = $here->wait;
    is($result->{state}, '55000', 'a named pipe: 55000, at once');
    if ($result->{state} eq 'timeout') {
        open(my $pipe, '+<', $path);
        nap(0.2);
        close($pipe);
    }
    unlink $path;
}
rename("$path.away", $path) or die $!;
is($server->value("SELECT answer_eval($request) #>> '{signature,key_id}'", fresh => 1), $key_id,
    'with its file back, the key signs');
# mode 0400 is no wider than 0600
chmod 0400, $path;
is($server->value("SELECT answer_eval($request) #>> '{signature,key_id}'", fresh => 1), $key_id, 'also if it is read-only');
chmod 0600, $path;
# CRLF and a longer form of the same key are the same key
spew($path, $pem =~ s/\n/\r\n/gr, 0600);
is($server->value("SELECT answer_eval($request) #>> '{signature,key_id}'", fresh => 1), $key_id,
    'also with the line ends of another system');
spew($path, $pem, 0600);

#
# a directory chosen by the setting
#
{
    my $elsewhere = AnswerServer::tmp_dir() . '/elsewhere';
    my $here = $server->session(setup => ["SET answer_eval.key_directory = '$elsewhere'"]);
    is($here->run("SELECT answer_eval($request)")->{state}, '55000', 'another directory has not the key');
    my $there = $here->value('SELECT answer_key_generate()');
    is(mode($elsewhere), '0700', 'a directory that is made has mode 0700');
    my ($file) = glob("$elsewhere/*/$there.pem");
    is(mode($file), '0600', 'and the file 0600');
    remember_key($file);
    is($here->value("SELECT answer_eval($request) #>> '{signature,key_id}'"), $there, 'it signs');
    is($server->run("SELECT answer_eval($request)")->{state}, '55000', 'not where the directory is the usual one');
    for my $path (glob("$elsewhere/*"), $elsewhere) {
        chmod 0500, $path;
        $here->value(q{BEGIN});
        # in the directory itself a folder would be made, because the registry knows of none
        $here->value($_) for $path eq $elsewhere ? ('ALTER TABLE answer.signing_key DISABLE TRIGGER USER', 'UPDATE answer.signing_key SET folder = gen_random_uuid()') : ();
        my $result = $here->run('SELECT answer_key_generate()');
        like($result->{state}, qr/^(58|42501)/, "a directory that cannot be written to: $result->{state}");
        $here->value('ROLLBACK');
        chmod 0700, $path;
    }
    $key_id = $server->value('SELECT answer_key_generate()');
    remember_key("$home/$key_id.pem");
}

#
# retired and compromised: nothing is signed until there is a new key, and signed documents keep their result
#
{
    my $here = $server->session;
    for my $call ('answer_key_retire(id)', 'answer_key_compromise(id, clock_timestamp())') {
        my $end = $call =~ s/id/'$key_id'/r;
        $here->value("SELECT answer_eval($request)");
        $here->value("SELECT $end");
        my $result = $here->run("SELECT answer_eval($request)");
        is($result->{state}, '55000', "after $end: 55000");
        like($result->{err}, qr/HINT: .*answer_key_generate\(\)/, 'with a hint');
        is($here->run("SELECT answer_fact('postgres_server')")->{state}, '55000', 'no attested fact either');
        is($here->value(q{SELECT count(*) FROM answer.receipt WHERE NOT (answer_verify(body) ->> 'ok')::boolean}), 0,
            'all receipts verify');
        $key_id = $here->value('SELECT answer_key_generate()');
        is($here->value("SELECT answer_eval($request) #>> '{signature,key_id}'"), $key_id, 'and a new key signs');
        remember_key("$home/$key_id.pem");
    }
    # in two phases
    $here->value('BEGIN');
    $here->value("SELECT answer_key_retire('$key_id')");
    $here->value(q{PREPARE TRANSACTION 'retirement'});
    $here->send("SELECT answer_eval($request)");
    is($here->wait(0.3)->{state}, 'timeout', 'a signer waits for a prepared retirement');
    $server->value(q{ROLLBACK PREPARED 'retirement'});
    is($here->wait->{state}, '00000', 'and signs after its rollback');
    $here->close;
}

#
# settings that only a superuser may make, also if they are made before the library is loaded
#
{
    $server->value($_) for ('CREATE ROLE common LOGIN', 'GRANT EXECUTE ON FUNCTION answer_eval(jsonb) TO common');
    my $issuer = $server->value("SELECT answer_eval($request) ->> 'issuer'");
    like($issuer, qr{^postgresql:\d+/postgres$}, 'the usual issuer');
    my $early = $server->session(user => 'common', setup => ["SET answer_eval.issuer = 'me'",
        "SET answer_eval.key_directory = '/nowhere'"]);
    is($early->run("SELECT answer_eval($request) ->> 'issuer'")->{out}, $issuer,
        'what a common user sets before the library is there has no effect');
    is($early->run("SET answer_eval.issuer = 'me'")->{state}, '42501', 'and is refused afterwards');
    is($early->run("SET answer_eval.key_directory = '/tmp'")->{state}, '42501', 'the directory too');
    is($early->run('SHOW answer_eval.key_directory')->{state}, '42501', 'which common users cannot see');
    is($early->run('SELECT answer_key_generate()')->{state}, '42501', 'nor can they make a key');
    my $options = $server->run("SELECT answer_eval($request) ->> 'issuer'", user => 'common',
        options => '-c answer_eval.issuer=me -c answer_eval.key_directory=/nowhere');
    is($options->{out}, $issuer, 'nor has what comes with the connection') or diag($options->{err});
}

#
# kill -9 of everything in the middle of rotations and receipts
#
$server->value('CREATE TABLE acknowledged (receipt_id text)');
for my $round (1 .. 3) {
    my @sessions = map { $server->session } 1 .. 3;
    $sessions[0]->send('DO $$ BEGIN LOOP PERFORM answer_key_generate(); COMMIT; END LOOP; END $$');
    $sessions[1]->send("DO \$\$ BEGIN LOOP PERFORM answer_eval($request); COMMIT; END LOOP; END \$\$");
    # keys made by an unfinished transaction are gone afterwards
    $sessions[2]->value('BEGIN');
    my $open_key = $round == 1 ? '' : $sessions[2]->value('SELECT answer_key_generate()');
    nap(0.3);
    $server->kill9;
    $_->close for @sessions;
    $server->start;
    is($server->value(q{SELECT count(*) FROM answer.signing_key WHERE status = 'active'}), 1,
        "kill $round: one active key");
    my $active = $server->value(q{SELECT key_id FROM answer.signing_key WHERE status = 'active'});
    ok(-e "$home/$active.pem", "kill $round: its file is there");
    is($server->value("SELECT answer_eval($request) #>> '{signature,key_id}'"), $active, "kill $round: and it signs");
    is($server->value(q{SELECT count(*) FILTER (WHERE NOT (answer_verify(body) ->> 'ok')::boolean) FROM answer.receipt}), 0,
        "kill $round: every receipt verifies");
    is($server->value(q{SELECT count(*) FILTER (WHERE NOT (answer_verify(body, k) ->> 'ok')::boolean)
        FROM answer.receipt, answer_key_registry() k}), 0, "kill $round: also under the registry that is handed out");
    ok($server->value('SELECT count(*) FROM answer.receipt') > $receipts, "kill $round: there are new ones");
    $receipts = $server->value('SELECT count(*) FROM answer.receipt');
}
remember_key("$home/$_") for key_files();

#
# places without private keys: log, WAL, tables, activity, statistics, temporary files
#
{
    # in base64, as raw bytes and in hex; of all the keys the oldest and the newest, each of which has signed
    my %seen;
    my @secrets = grep { defined && !$seen{$_}++ } @bodies;    # a file that a kill cut short has no body
    splice(@secrets, 12, -12) if @secrets > 24;
    my @needles = ('BEGIN PRIVATE KEY');
    for my $secret (@secrets) {
        my $raw = substr(decode_base64($secret), -32);
        push @needles, substr($secret, 22, 40), $raw, unpack('H*', $raw);
    }
    my $found_in = sub {
        my ($content) = @_;
        return scalar grep { index($content, $_) >= 0 } @needles;
    };
    cmp_ok($found_in->($pem), '>=', 2, 'what is looked for would be found in a key file');
    $server->value('CHECKPOINT');
    my @places = grep { -f $_ && !m{/answer_eval_keys/} } split /\n/,
        AnswerServer::must('find', $server->{data}, $server->{log}, '-type', 'f', '-size', '+0');
    my @found;
    my $bytes = 0;
    for my $file (@places) {
        my $content = slurp($file);
        $bytes += length $content;
        push @found, $file if $found_in->($content);
    }
    is("@found", '', sprintf('nothing of %d keys in %d files (%d MB): log, WAL, tables, everything', scalar(@secrets),
        scalar(@places), $bytes / 1e6));
    is($server->value(q{SELECT count(*) FROM pg_stat_activity WHERE query ~ 'PRIVATE KEY'
        AND pid <> pg_backend_pid()}), 0, 'nor in pg_stat_activity');
    unlike(slurp($server->{log}), qr/Enter PEM pass phrase/, 'nobody was asked for a passphrase');
    like(slurp($server->{log}), qr/DEBUG: /, 'the log was at its most talkative');
}

#
# a private key given in place of a public one
#
{
    my $quiet = AnswerServer->new('quiet', conf => ['log_error_verbosity = verbose']);
    $quiet->value('CREATE EXTENSION answer_eval');
    my $jwk = '{"kty": "OKP", "crv": "Ed25519", "d": "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A"}';
    for my $mistake ($pem, $jwk, "x\n$pem", $pem =~ s/PRIVATE/PUBLIC/gr, $body, $body . 'x' x 5000) {
        my $result = $quiet->run('SELECT answer_key_import_public(' . quoted($mistake) . ')');
        is($result->{state}, '22023', 'a private key is refused') or diag($result->{err});
        unlike($result->{err}, qr/\Q$body\E|nWGxne/, 'and not repeated');
    }
    my $log = slurp($quiet->{log});
    is(() = $log =~ /ERROR: +22023/g, 6, 'the log has six errors');
    unlike($log, qr/\Q$body\E|nWGxne|STATEMENT/, 'and nothing of a key');
    is($quiet->value('SELECT count(*) FROM answer.signing_key'), 0, 'nor has the registry');
}

ok($server->alive, 'the server is up');
done_testing();
