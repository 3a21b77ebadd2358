#!/usr/bin/env perl
# tiers: long
# Readings, investigations and their entries that the owner of the tables writes by hand: the audit names each, and no sealing
# lists it. Rows that our functions have stored are never reported, whatever happens to keys, servers and copies.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Digest::SHA qw(hmac_sha256);
use MIME::Base64 qw(decode_base64);
use Test::More;

my $server = AnswerServer->new('by_hand', conf => ['jit = off']);
my $sql = $server->session;
my $findings = q{SELECT coalesce(string_agg(format('%s: %s', finding, detail), chr(10) ORDER BY finding, detail), '')
    FROM answer_log_audit() WHERE finding <> 'forgotten'};
my $number = 0;

# the writable memory of a process; undef if it cannot be read
sub memory_of {
    my ($pid) = @_;
    no warnings 'portable';    # addresses have more than 32 bits
    my $all = '';
    open my $maps, '<', "/proc/$pid/maps" or return;
    open my $memory, '<:raw', "/proc/$pid/mem" or return;
    while (<$maps>) {
        my ($from, $to) = m{^([0-9a-f]+)-([0-9a-f]+) rw-p .*?(?:\s(?:\[heap\]|\[stack\])|\s0\s*)$} or next;
        sysseek $memory, hex $from, 0 or next;
        sysread $memory, $all, hex($to) - hex($from), length $all;
    }
    return length $all ? $all : undef;
}

sub reading { $number++; return qq{SELECT answer_evidence_add('rate', '{"currency": "C$number"}', '{"rate": $number}', 'a')} }
sub entry { my ($investigation) = @_; $number++; return qq{SELECT answer_investigation_record($investigation, 'own', 'q$number', 't', '{"seen": $number}')} }

# Returns what the audit finds after statements, which are then rolled back
sub found {
    my (@statements) = @_;
    $sql->value($_) for 'BEGIN', 'SET LOCAL session_replication_role = replica', guards_off(), @statements, guards_back(), 'SET LOCAL session_replication_role = origin';
    my $result = $sql->value($findings);
    $sql->value('ROLLBACK');
    return $result;
}

# Returns a statement that inserts a changed copy of a row
sub copy_of {
    my ($table, $other) = @_;
    return "INSERT INTO answer.$table OVERRIDING SYSTEM VALUE SELECT (jsonb_populate_record(t, $other)).* FROM answer.$table AS t WHERE t.ctid = (SELECT min(o.ctid) FROM answer.$table AS o)";
}

# the statements, and what follows from the columns that they leave out
my $series = q{INSERT INTO answer.evidence_series (tenant, tool, args_digest, source) SELECT tenant, tool, args_digest, source FROM answer.evidence ON CONFLICT DO NOTHING};
my $digest = q{answer.evidence_digest(t.tool, t.args, '{"rate": 99}', t.source, t.observed_at, t.expires)};
my $entry = q{to_jsonb(sha256(convert_to(answer_canonical(jsonb_build_object('tool', t.tool, 'query', t.query, 'target', t.target, 'run', 'other', 'observation', t.observation)), 'UTF8')))};

$sql->value($_) for 'SET client_min_messages = warning', 'CREATE EXTENSION answer_eval', 'CREATE ROLE regress_other', q{SELECT answer_source_register('a', 'group a')},
    q{SELECT answer_tool_register('rate', NULL, '{currency}', '1 day', 'rate')},
    q{CREATE FUNCTION public.own_grader(o jsonb) RETURNS answer_graded LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT ROW('Build', 'Weak', 'Low', 'own')::answer_graded $$},
    q{SELECT answer_quality_grader_register('own', 'Build', 'own_grader(jsonb)', 'own')},
    reading(), q{SELECT answer_investigation_open('Status', 'what happened?')}, entry(1),
    q{SELECT answer_investigation_open('Locate', 'where is main?')}, 'SELECT answer_investigation_close(2)';
is($sql->value($findings), '', 'what our functions store is not found');

#
# by hand
#
my @by_hand = (
    ['a reading without a code', 'extra: answer.evidence: reading sha256:[0-9a-f]{64} was written by hand',
        copy_of('evidence', qq{jsonb_build_object('digest', $digest, 'raw', '{"rate": 99}'::jsonb, 'mac', NULL)})],
    ['a reading with the code of another', 'changed: answer.evidence: reading sha256:[0-9a-f]{64} is not what was recorded',
        copy_of('evidence', qq{jsonb_build_object('digest', $digest, 'raw', '{"rate": 99}'::jsonb)})],
    ['a reading with the code of a key that is none of ours', 'changed: answer.evidence: reading',
        copy_of('evidence', qq{jsonb_build_object('digest', $digest, 'raw', '{"rate": 99}'::jsonb, 'mac', '\\x0000' || substring(t.mac::text FROM 7))})],
    ['a reading of another tenant', 'changed: answer.evidence: reading', copy_of('evidence', q{'{"tenant": "other"}'})],
    ['an investigation without a code', 'extra: answer.investigation: investigation 77 was written by hand', copy_of('investigation', q{'{"investigation": 77, "mac": null}'})],
    ['an investigation with the code of another', 'changed: answer.investigation: investigation 77 is not', copy_of('investigation', q{'{"investigation": 77}'})],
    ["an investigation in another role's name", 'changed: answer.investigation: investigation 77 is not', copy_of('investigation', q{'{"investigation": 77, "opened_by": "regress_other"}'})],
    ['an entry without a code', 'extra: answer.quality_entry: entry sha256:[0-9a-f]{64} of investigation 1 was written by hand',
        copy_of('quality_entry', qq{jsonb_build_object('run', 'other', 'entry', $entry, 'mac', NULL)})],
    ['an entry with the code of another', 'changed: answer.quality_entry: entry', copy_of('quality_entry', qq{jsonb_build_object('run', 'other', 'entry', $entry)})],
    ['an entry of another investigation', 'changed: answer.quality_entry: entry sha256:[0-9a-f]{64} of investigation 2', copy_of('quality_entry', q{'{"investigation": 2}'})],
    ['an end without a code', 'extra: answer.investigation: the end of investigation 1 was written by hand', q{UPDATE answer.investigation SET closed_at = now(), outcome = 'success' WHERE investigation = 1}],
    ['an end with the code of another', 'changed: answer.investigation: the end of investigation 1 is not',
        q{UPDATE answer.investigation i SET (closed_at, outcome, closed_mac) = (SELECT o.closed_at, o.outcome, o.closed_mac FROM answer.investigation o WHERE o.investigation = 2) WHERE i.investigation = 1}],
    ['another outcome', 'changed: answer.investigation: the end of investigation 2 is not', q{UPDATE answer.investigation SET outcome = 'success' WHERE investigation = 2}],
    (map { ["$$_[0].$$_[1]", "changed: answer.$$_[0]: ", "UPDATE answer.$$_[0] SET $$_[1] = $$_[2]"] }
        ['evidence', 'recorded_at', q{'2020-01-01Z'}], ['investigation', 'intent', q{'Review'}], ['investigation', 'question', q{'else?'}],
        ['investigation', 'subject', q{'else'}], ['investigation', 'opened_at', q{'2020-01-01Z'}], ['investigation', 'opened_by', q{'regress_other'}],
        ['investigation', 'closed_at', q{CASE WHEN closed_at IS NOT NULL THEN '2030-01-01Z'::timestamptz END}],
        ['quality_entry', 'quality', q{'Strong'}], ['quality_entry', 'strength', q{'High'}], ['quality_entry', 'class', q{'Test'}], ['quality_entry', 'reason', q{'because'}],
        ['quality_entry', 'sources', q{'{x}'}], ['quality_entry', 'match_count', 9], ['quality_entry', 'recorded_at', q{'2020-01-01Z'}], ['quality_entry', 'phrase_match', 'true']),
    # a trigger of the owner changes a row while it is inserted, and is then dropped
    ['a trigger that grades', 'changed: answer.quality_entry: entry', q{CREATE FUNCTION public.better() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.quality := 'Strong'; RETURN NEW; END $$},
        'CREATE TRIGGER better BEFORE INSERT ON answer.quality_entry FOR EACH ROW EXECUTE FUNCTION public.better()', 'SET LOCAL session_replication_role = origin', entry(1),
        'DROP TRIGGER better ON answer.quality_entry'],
);
for my $listing ('before a sealing', 'after one') {
    for my $try (@by_hand) {
        my ($what, $expected, @statements) = @$try;
        # a listed row is compared with the list
        next if $listing eq 'after one' && $what =~ /^(evidence|investigation|quality_entry)\.|another outcome/;
        like(found(@statements, $what =~ /^a reading/ ? $series : ()), qr/^$expected/m, "$what, $listing");
    }
    is($sql->value($findings), '', '... and nothing else is found') if $listing eq 'before a sealing';
    $sql->value('SELECT answer_log_seal()');
}

#
# a sealing does not list rows made by hand
#
{
    my $listed = q{SELECT coalesce(sum(length(items) / 24), 0) FROM answer.recorded_rows};
    my $before = $sql->value($listed);
    $sql->value($_) for 'BEGIN', copy_of('investigation', q{'{"investigation": 77, "closed_at": null, "outcome": null, "closed_mac": null, "opened_at": "2999-01-01Z"}'}), reading();
    my $sealed = $sql->run('SELECT answer_log_seal()');
    like($sealed->{err}, qr/WARNING:.* 1 row is not listed, for nothing tells here that it was recorded/, 'a sealing says that it leaves a row out');
    is($sql->value($listed), $before + 1, '... and lists the others');
    like($sql->value($findings), qr/^changed: answer.investigation: investigation 77 is not what was recorded, or was written by hand$/, '... and the audit names it still');
    $sql->value('ROLLBACK');
}

#
# rows that our functions store, whatever happens to the keys
#
$sql->value($_) for reading(), entry(1), 'SELECT answer_key_generate()', reading(), entry(1), 'SELECT answer_key_generate()', reading();
is($sql->value($findings), '', 'nothing is found of rows of three keys that no sealing has listed');
$sql->value($_) for 'BEGIN', reading(), 'SELECT answer_key_generate()', reading(), 'SAVEPOINT s', reading(), 'SELECT answer_key_generate()', 'ROLLBACK TO s', reading(), 'COMMIT';
is($sql->value($findings), '', '... nor where a transaction changes the key, and takes it back');
{
    my $other = $server->session;
    $sql->value($_) for 'BEGIN', reading();
    $other->send('SELECT answer_key_generate()');
    $other->wait;
    $sql->value($_) for reading(), entry(1), 'COMMIT';
    is($sql->value($findings), '', '... nor where another session does');
    $other->close;
}
$sql->close;
$server->restart;
$sql = $server->session(setup => ['SET client_min_messages = warning']);
is($sql->value($findings), '', '... nor after a restart');
$sql->value(q{SELECT answer_forget((SELECT digest FROM answer.evidence ORDER BY recorded_at DESC LIMIT 1), 'asked for')});
is($sql->value($findings), '', '... nor of what is forgotten');

# the private half of a key that was rotated
my ($retired) = $sql->value(q{SELECT concat(folder, '/', key_id) FROM answer.signing_key WHERE status = 'retired' ORDER BY retired_at LIMIT 1});
my $file = "$server->{data}/answer_eval_keys/$retired.pem";
rename $file, "$file.away" or die "$file: $!";
my $fresh = $server->session(setup => ['SET client_min_messages = warning']);
my $away = qr/\A(key: answer\.(evidence|quality_entry): [^\n]* was recorded under a key whose file is not here or cannot be used, and no sealing has listed it: put the file back, and call answer_log_seal\(\)\n?)+\z/;
like($fresh->value($findings), $away, 'without its file, what no sealing has listed is named');
# sealings go on, and later ones list what an earlier one left out; a row with a wrong code stops nothing
for my $round (1, 2) {
    $fresh->value($_) for reading(), 'SELECT answer_log_seal()';
}
like($fresh->value($findings), $away, '... and are named still');
rename "$file.away", $file or die "$file: $!";
chmod 0644, $file or die "$file: $!";
my $lax = $server->session(setup => ['SET client_min_messages = error']);
like($lax->value($findings), qr/\A(key: answer\.(evidence|quality_entry): [^\n]*\n?)+\z/, 'a file that cannot be used is as one that is not there, and stops no audit');
$lax->close;
chmod 0600, $file or die "$file: $!";
is($fresh->value($findings), '', '... and is good again with it');
$fresh->value('SELECT answer_log_seal()');
rename $file, "$file.away" or die "$file: $!";
is($fresh->value($findings), '', 'what a sealing has listed needs its key no more');
rename "$file.away", $file or die "$file: $!";
$fresh->value($_) for 'SET session_replication_role = replica', copy_of('investigation', q{'{"investigation": 77}'}), 'SET session_replication_role = origin';
for my $round (1 .. 3) {
    $fresh->value($_) for reading(), 'SELECT answer_log_seal()';
}
is($fresh->value(q{SELECT covered_until > (SELECT opened_at FROM answer.investigation WHERE investigation = 77) FROM answer.recorded_rows ORDER BY number DESC LIMIT 1}), 't',
    'a row with a wrong code holds no sealing back');
$fresh->value($_) for 'SET session_replication_role = replica', 'DELETE FROM answer.investigation WHERE investigation = 77', 'SET session_replication_role = origin';
is($fresh->value($findings), '', '... and nothing is left of it');
$fresh->close;

# without a key nothing is stored
my ($active) = $sql->value(q{SELECT concat(folder, '/', key_id) FROM answer.signing_key WHERE status = 'active'});
my $current = "$server->{data}/answer_eval_keys/$active.pem";
rename $current, "$current.away" or die "$current: $!";
is($sql->run($_)->{state}, '55000', "without the file of the key: $_") for reading(), entry(1), q{SELECT answer_investigation_open('Status', 'and now?')}, 'SELECT answer_investigation_close(1)';
rename "$current.away", $current or die "$current: $!";
is($sql->run($_)->{state}, '00000', '... with it') for reading(), entry(1);

#
# copies
#
{
    my $dir = AnswerServer::tmp_dir();
    AnswerServer::must(AnswerServer::program('pg_dump'), '-h', $server->{host}, '-p', '5432', '-Fc', '-f', "$dir/dump", 'postgres');
    $server->value('CREATE DATABASE again');
    AnswerServer::must(AnswerServer::program('pg_restore'), '-h', $server->{host}, '-p', '5432', '-d', 'again', "$dir/dump");
    my $again = $server->session(dbname => 'again', setup => ['SET client_min_messages = notice']);
    is($again->value($findings), '', 'after a restore nothing is found');
    like($again->run($findings)->{err}, qr/The private keys under which 2 of them were recorded are not here/, '... but the audit says of how many rows it cannot tell');
    $again->value($_) for 'SET client_min_messages = warning', 'SET session_replication_role = replica', copy_of('investigation', q{'{"investigation": 77, "mac": null}'}), 'SET session_replication_role = origin';
    like($again->value($findings), qr/^extra: answer.investigation: investigation 77 was written by hand[^\n]*$/, '... what has no code is found there, too');
    $again->value($_) for 'SET session_replication_role = replica', 'DELETE FROM answer.investigation WHERE investigation = 77', 'SET session_replication_role = origin', 'SELECT answer_key_generate()';
    like($again->value($findings), qr/\A(key: answer\.(evidence|quality_entry): [^\n]* was recorded by the database that this one is a copy of, and no sealing had listed it: seal before you dump, or copy\n?){2}\z/, 'with a key of its own it says which rows these are');
    for my $round (1 .. 3) {
        $again->value($_) for reading(), 'SELECT answer_log_seal()';
    }
    is($again->value(q{SELECT covered_until > (SELECT min(recorded_at) FROM answer.evidence e WHERE encode(mac, 'hex') LIKE (SELECT right(key_id, 12) || '%' FROM answer.signing_key WHERE status = 'active'))
        FROM answer.recorded_rows ORDER BY number DESC LIMIT 1}), 't', '... which no later sealing looks at again');
    $again->close;
}

#
# a key whose life ends while rows are stored
#
{
    my $retire = sub { my ($at) = @_; return q{SELECT answer_key_retire(key_id, } . quoted($at) . q{) FROM answer.signing_key WHERE status = 'active'} };
    my $other = $server->session(setup => [q{SET lock_timeout = '60s'}, 'SET client_min_messages = warning']);
    $sql->value('SELECT answer_key_generate()');
    my $at = $sql->value('SELECT clock_timestamp()');
    $sql->value($_) for 'BEGIN', reading(), entry(1);
    is($sql->run($retire->($at))->{state}, '00000', 'who has recorded retires the key in the same transaction, as of before');
    $sql->value('COMMIT');
    is($sql->value($findings), '', '... and what was recorded is good');
    $sql->value('SELECT answer_key_generate()');
    $at = $sql->value('SELECT clock_timestamp()');
    $sql->value($_) for 'BEGIN', reading(), entry(1), q{SELECT answer_investigation_open('Status', 'who waits?')};
    is($other->run($retire->($at))->{state}, '00000', 'nobody who retires a key waits for who records');
    $other->value('SELECT answer_key_generate()');
    $sql->value('COMMIT');
    is($sql->value($findings), '', '... whose rows are good');
    $other->close;
}

#
# the key of the codes is wiped together with the private key
#
SKIP: {
    my %derived;
    for (split /\n/, $sql->value(q{SELECT string_agg(concat_ws(' ', status, folder, key_id), chr(10)) FROM answer.signing_key WHERE folder IS NOT NULL})) {
        my ($status, $folder, $id) = split / /;
        my $secret = substr decode_base64(slurp("$server->{data}/answer_eval_keys/$folder/$id.pem") =~ s/-----[^-]+-----//gr), -32;
        push @{ $derived{$status} }, hmac_sha256("answer_eval: rows that were recorded (1)\0$folder", $secret);
    }
    my $session = $server->session(setup => ['SET client_min_messages = warning']);
    $session->value($_) for reading(), 'SELECT answer_key_generate()', reading(), $findings, reading();
    my $memory = memory_of($session->backend);
    skip 'the memory of a server process cannot be read here', 2 unless defined $memory;
    my ($now) = split / /, $session->value(q{SELECT concat(folder, '/', key_id) FROM answer.signing_key WHERE status = 'active'});
    my $secret = substr decode_base64(slurp("$server->{data}/answer_eval_keys/$now.pem") =~ s/-----[^-]+-----//gr), -32;
    cmp_ok(index($memory, hmac_sha256('answer_eval: rows that were recorded (1)' . "\0" . ($now =~ s{/.*}{}r), $secret)), '>=', 0, 'what makes codes of the key that signs is in memory');
    is(scalar(grep { index($memory, $_) >= 0 } map { @$_ } values %derived), 0, '... and of no other key, after an audit that used all');
    $session->close;
}

# whoever has the key could make codes
$sql->value($_) for reading(), q{SELECT answer_key_compromise(key_id, now() - interval '1 day') FROM answer.signing_key WHERE status = 'active'};
like($sql->value($findings), qr/^key: answer\.evidence: reading sha256:[0-9a-f]{64} says that it was recorded after its key was compromised, and no sealing has listed it$/m, 'of a compromised key a code proves nothing');
$sql->close;
ok(!$server->crashed, 'the server never crashed');
done_testing();
