#!/usr/bin/env perl
# Secrets: keys with a passphrase from a command, and private keys that somebody passes by mistake.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Test::More;

my $tmp = AnswerServer::tmp_dir();
my $calls = "$tmp/calls";
my $secret = 'correct horse battery staple';
my $command = sub { my ($script, $mode) = @_; return spew("$tmp/command", "#!/bin/sh\necho \$1 >>$calls\n$script\n", 0700) };
$command->("echo '$secret'; echo 'a second line'");
my $server = AnswerServer->new('secrets', conf => ['log_min_messages = debug1', 'log_statement = none', 'max_parallel_workers_per_gather = 2'], extended => 1,
    kept => 0);    # each session asks for the passphrase itself
my $eval = q{answer_eval('{"checks": [{"tool": "postgres_server"}]}')};
my $dir = "$server->{data}/answer_eval_keys";

sub key_file { my ($id) = @_; my ($file) = glob("$dir/*/$id.pem"); return $file }

sub called { return -e $calls ? scalar(split /\n/, slurp($calls)) : 0 }

sub set_command {
    my ($value) = @_;
    $server->configure('answer_eval.key_passphrase_command = ' . "'" . ($value =~ s/'/''/gr) . "'");
    $server->value('SELECT pg_reload_conf()');
    for (1 .. 2400) {
        last if $server->value(q{SELECT current_setting('answer_eval.key_passphrase_command', true) = } . quoted($value),
            options => '-c session_preload_libraries=answer_eval') eq 't';
        nap(0.05);
    }
    return;
}

sub session { return $server->session(setup => [q{LOAD 'answer_eval'}]) }

my $plain = $server->value('SELECT answer_key_generate()');
like(slurp(key_file($plain)), qr/-----BEGIN PRIVATE KEY-----/, 'without a command a key has no passphrase');

#
# who may set the command
#
$server->value('CREATE ROLE common LOGIN');
for my $user ('postgres', 'common') {
    my $session = $server->session(user => $user);
    $session->run(qq{SET answer_eval.key_passphrase_command = 'touch $tmp/run'});
    $session->value(q{SELECT answer_digest('{}')});    # loads the library
    is($session->run(qq{SET answer_eval.key_passphrase_command = 'touch $tmp/run'})->{state}, '55P02', "$user does not set it in a session");
    $session->run('SELECT answer_key_generate()');
    is($session->run('SHOW answer_eval.key_passphrase_command')->{state}, '42501', 'nor does a common user see it') if $user eq 'common';
    $session->close;
}
ok(!-e "$tmp/run", 'and what was set before the library was there did not run');

#
# under a passphrase
#
set_command("$tmp/command %p 100%%");
unlink $calls;
my $one = session();
my $key = $one->value('SELECT answer_key_generate()');
my $pem = slurp(key_file($key));
like($pem, qr/-----BEGIN ENCRYPTED PRIVATE KEY-----/, 'with a command a key has a passphrase');
is(slurp($calls), "$key\n" x 2, 'the command was called with the id of the key, to write it and to sign the record of it');
my ($status, $text) = AnswerServer::command('openssl', 'pkey', '-in', key_file($key), '-passin', "pass:$secret", '-noout', '-text');
is($status, 0, 'openssl reads it with the passphrase');
like(AnswerServer::must('openssl', 'asn1parse', '-in', key_file($key)), qr/PBKDF2.*hmacWithSHA256.*aes-256-cbc/s, 'it is AES-256-CBC under PBKDF2');
isnt((AnswerServer::command('openssl', 'pkey', '-in', key_file($key), '-passin', 'pass:another', '-noout'))[0], 0, 'and not with another');
is($one->value("SELECT r #>> '{signature,key_id}' FROM (SELECT $eval r OFFSET 0) q WHERE answer_verify_ok(r)"), $key, 'it signs');
$one->value("SELECT $eval FROM generate_series(1, 5)");
is(called(), 2, 'a session asks for it once more, to load the key, and not for each receipt');
$server->value("SELECT $eval");
is(called(), 3, 'another session asks for it itself');
$one->close;
# keys without a passphrase sign, too
{
    $server->value('CREATE DATABASE plain');
    my $own = $server->session(dbname => 'plain', setup => ['CREATE EXTENSION answer_eval', 'SELECT answer_key_generate()']);
    my $file = key_file($own->value('SELECT key_id FROM answer.signing_key'));
    spew($file, AnswerServer::must('openssl', 'pkey', '-in', $file, '-passin', "pass:$secret"), 0600);
    unlink $calls;
    is($own->run(q{SELECT answer_fact('postgres_server') ? 'attestation'})->{out}, 't', 'a key whose passphrase was removed signs');
    is(called(), 0, 'without the command');
    $own->close;
}

#
# commands that fail
#
for my $case (['exit 1', qr/exit code 1/], [q{echo 'right words, wrong end'; exit 3}, qr/exit code 3/], ['true', qr/is empty/], ['echo', qr/is empty/],
    [q{echo another}, qr/passphrase is another one/], ['kill -9 $$', qr/signal 9|exit code 137/], [q{head -c 2000 /dev/zero | tr '\\\\0' x}, qr/too long/],
    [q{head -c 5000000 /dev/zero | tr '\\\\0' x}, qr/too long/], ['cat /nowhere', qr/exit code 1/]) {
    my ($script, $pattern) = @$case;
    $command->($script);
    my $session = session();
    my $result = $session->run("SELECT $eval");
    is($result->{state}, '55000', "$script: 55000") or diag($result->{err});
    like($result->{err}, $pattern, "$script: why");
    unlike($result->{err}, qr/right words|xxxxx/, "$script: the message does not repeat the output");
    is($session->run('SELECT 1')->{out}, 1, "$script: the session goes on");
    my @before = glob("$dir/*/*");
    if ($script ne 'echo another') {
        is($session->run('SELECT answer_key_generate()')->{state}, '55000', "$script: nor is a key made");
        is_deeply([glob("$dir/*/*")], \@before, "$script: nor a file");
    }
    $session->close;
}

#
# a command that never ends
#
for my $script ('echo $$ >PID; sleep 1000', 'echo $$ >PID; sleep 1000 & echo $! >>PID; wait', 'echo $$ >PID; exec >/dev/null; sleep 1000') {
    unlink "$tmp/pid";
    $command->($script =~ s/PID/$tmp\/pid/gr);
    my $session = session();
    my $backend = $session->backend;
    $session->send("SELECT $eval");
    for (1 .. 2400) { last if -s "$tmp/pid"; nap(0.05) }
    $server->value("SELECT pg_cancel_backend($backend)");
    is($session->wait->{state}, '57014', 'a command that does not end is cancelled with the statement');
    my @left;
    for (1 .. 2400) {
        @left = grep { AnswerServer::running($_) } split /\s+/, slurp("$tmp/pid");
        last if !@left;
        nap(0.05);
    }
    is("@left", '', 'and ended');
    is($session->run('SELECT 1')->{out}, 1, 'the session goes on');
    $session->close;
}
$command->("echo '$secret'");
is($server->value("SELECT r #>> '{signature,key_id}' FROM (SELECT $eval r OFFSET 0) q"), $key, 'with the right one again, it signs');
set_command('');
my $result = $server->run("SELECT $eval");
is($result->{state}, '55000', 'without a command it does not');
like($result->{err}, qr/answer_eval\.key_passphrase_command is not set/, 'and says so');
unlike(slurp($server->{log}), qr/\Q$secret\E|right words/, 'the log has no passphrase');
unlike(slurp($server->{log}), qr/xxxxxxxx/, 'nor what else a command wrote');

#
# imports of private keys: whatever makes the call fail, the log shows nothing of the key
#
{
    my $quiet = AnswerServer->new('quiet', conf => ['log_error_verbosity = verbose', 'log_parameter_max_length_on_error = -1', 'log_min_error_statement = error']);
    $quiet->value('CREATE EXTENSION answer_eval');
    my $private = AnswerServer::must('openssl', 'genpkey', '-algorithm', 'ed25519');
    my ($body) = $private =~ /-----\n(\S+)\n/;
    my $call = 'answer_key_import_public(' . quoted($private) . ')';
    my @ways = (
        "SELECT $call",
        "SELECT $call FROM generate_series(1, 2)",
        "DO \$\$ BEGIN PERFORM $call; END \$\$",
        'DO $$ BEGIN EXECUTE ' . quoted("SELECT $call") . '; END $$',
        'DO $$ DECLARE id text; BEGIN id := ' . $call . '; END $$',
        "BEGIN READ ONLY; SELECT $call",
        'SELECT answer_key_import_public(' . quoted($private) . ', NULL)',
        'SELECT answer_key_import_public(' . quoted($private) . q{, 'active')},
        'SELECT answer_key_import_public(' . quoted($private) . q{, 'retired', 'infinity')},
        'SELECT answer_key_import_public(' . quoted("x$body") . ')',
        'SELECT answer_key_import_public(' . quoted('{"d": "' . $body . '", "x": "\ud800"}') . ')',
        'SELECT answer_key_import_public(' . quoted('{' x 3000 . $body) . ')',
        'PREPARE p AS SELECT answer_key_import_public($1); EXECUTE p(' . quoted($private) . ')',
        'SELECT answer_key_import_public($1) \bind ' . (quoted($private) =~ s/^ E//r),
    );
    pop @ways if AnswerServer::must(AnswerServer::program('psql'), '--version') =~ / 15/;
    for my $way (@ways) {
        my $result = $quiet->run($way);
        like($result->{state}, qr/^(22|25|54)/, substr($way, 0, 60) =~ s/\s+/ /gr . ": $result->{state}") or diag($result->{err});
    }
    my $log = slurp($quiet->{log});
    cmp_ok(scalar(() = $log =~ /ERROR: /g), '>=', scalar(@ways), 'the log has the errors');
    unlike($log, qr/\Q$body\E/, 'and nothing of a key');
    # with parameters that a client binds
    AnswerServer::command(AnswerServer::program('pgbench'), '-n', '-t', '1', '-M', 'extended', '-D', 'key=' . $body, '-h', $quiet->{host}, '-p', '5432',
        '-f', spew("$tmp/bench.sql", "SELECT answer_key_import_public(:key);\n"), 'postgres');
    $log = slurp($quiet->{log});
    cmp_ok(scalar(() = $log =~ /ERROR: /g), '>=', scalar(@ways) + 1, 'a bound parameter fails, too');
    unlike($log, qr/\Q$body\E/, 'and is not in the log');
    # what comes before the function is not ours, see the manual
    is($quiet->run('SELECT answer_keys()')->{out}, '{}', 'nothing was registered');
}
ok(!$server->crashed, 'the server never crashed');
done_testing();
