#!/usr/bin/env perl
# tiers: test
# Grounded answers when something goes wrong: a crash, a cancel, two at once. And in other places: on a standby, in a dump,
# in databases of other encodings.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Test::More;

my $server = AnswerServer->new('ground',
    conf => ['wal_level = replica', 'max_wal_senders = 4', q{wal_keep_size = '256MB'}], extended => 1);
$server->value('CREATE DATABASE origin TEMPLATE postgres');
$server->{dbname} = 'origin';
my $load = q{SELECT answer_document_load(jsonb_build_array(
    jsonb_build_object('doc_id', 'keys', 'title', 'Office keys', 'timestamp', now(), 'text',
        E'The office keys are at the reception desk.\n\nReturn the office keys to the reception desk.')))
    ->> 'created'};
my $query = 'Where are the office keys?';
my $cached = qq{SELECT COALESCE(r ->> 'cached', 'new') || ' ' || (answer_verify(r) ->> 'ok')
    FROM answer_grounded('$query', '{"config": {"cache_ttl_s": 600}}') AS r};
$server->value($_) for (
    $load,
    'CREATE TABLE seen (chunks jsonb)',
    q{CREATE FUNCTION sleeps(chunks jsonb) RETURNS jsonb LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_sleep(60); RETURN NULL; END $$},
    q{CREATE FUNCTION writes(chunks jsonb) RETURNS jsonb LANGUAGE plpgsql AS
        $$ BEGIN INSERT INTO public.seen VALUES (chunks); RETURN NULL; END $$},
);

# The second half of a retrieval.
sub second {
    my ($id) = @_;
    return qq{SELECT r ->> 'decision' FROM answer_grounded('$query', '{"retrieval_id": "$id"}') AS r};
}
sub retrieve { return $server->value("SELECT answer_retrieve('$query') ->> 'retrieval_id'") }

# an id is used once, also when two sessions use it at the same time
for my $end ('COMMIT', 'ROLLBACK') {
    my $id = retrieve();
    my ($first, $other) = map { $server->session } 1 .. 2;
    $other->backend;
    $first->value($_) for 'BEGIN', second($id);
    $other->send(second($id));
    ok($other->active, "$end: another waits for who uses an id");
    nap(0.3);
    $first->value($end);
    my $result = $other->wait;
    is($end eq 'COMMIT' ? $result->{state} : $result->{out}, $end eq 'COMMIT' ? 'P0002' : 'ANSWER',
        "$end: what it gets");
    $_->close for $first, $other;
}

# across a crash: used ids stay used, unused ones unused, and one that was being used is unused
{
    my ($used, $open, $unused) = map { retrieve() } 1 .. 3;
    is($server->value($cached), 'new true', 'an answer is kept');
    is($server->value($cached), 'true true', 'and given again');
    is($server->value(second($used)), 'ANSWER', 'an id is used');
    my $session = $server->session;
    $session->value($_) for 'BEGIN', second($open);
    my $before = $server->value(q{SELECT count(*) FROM answer.receipt WHERE schema = 'decision/v1'});
    $server->kill9;
    $session->close;
    $server->start;
    is($server->value(q{SELECT count(*) FROM answer.receipt WHERE schema = 'decision/v1'}), $before,
        'no receipt came or went in the crash');
    is($server->run(second($used))->{state}, 'P0002', 'the used id is used');
    is($server->value(second($open)), 'ANSWER', 'what was not committed used nothing up');
    is($server->value(second($unused)), 'ANSWER', 'the unused id is good');
    is($server->value($cached), 'new true', 'what a crash loses of the cache is made again');
    is($server->value($cached), 'true true', 'and kept again');
}
$server->restart;
is($server->value($cached), 'true true', 'a restart loses nothing');

# many at once: no session waits for a counter or fails because of one
{
    my @sessions = map { $server->session } 1 .. 4;
    for my $level ('READ COMMITTED', 'REPEATABLE READ') {
        my @states;
        for (1 .. 5) {
            $_->send("BEGIN ISOLATION LEVEL $level; $cached; $cached; COMMIT") for @sessions;
            push @states, map { $_->wait->{state} } @sessions;
        }
        is_deeply([grep { $_ ne '00000' } @states], [], "$level: the same question at once");
    }
    $_->close for @sessions;
}

# a cancel ends the statement, whatever a judge does; nothing of the statement stays
my $judged = '"config": {"judge_answers": "slow"}';
$server->value(q{SELECT answer_judge_register('slow', '{"kinds": ["answers"], "model": "m", "version": "1",
    "handler": "sleeps(jsonb)"}')});
{
    my $session = $server->session;
    my $pid = $session->backend;
    my $receipts = $server->value('SELECT count(*) FROM answer.receipt');
    $session->send(qq{SELECT answer_grounded('$query', '{$judged, "deadline_ms": 60000}')});
    ok($session->active, 'a judge sleeps');
    nap(0.5);
    $server->value("SELECT pg_cancel_backend($pid)");
    is($session->wait->{state}, '57014', 'a cancel ends the statement');
    $session->value(q{SET statement_timeout = '400ms'});
    is($session->run(qq{SELECT answer_grounded('$query', '{$judged, "deadline_ms": 60000}')})->{state},
        '57014', 'so does a timeout');
    $session->value('RESET statement_timeout');
    is($server->value('SELECT count(*) FROM answer.receipt'), $receipts, 'and nothing is stored');
    is($session->value(qq{SELECT (r ->> 'degraded') || ' ' || (r -> 'reasons')
        FROM answer_grounded('$query', '{$judged, "deadline_ms": 200}') AS r}),
        'true ["not_judged", "judge_failed: slow"]',
        'a deadline is the judge\'s alone');
    $session->close;
}

# a session keeps the rules in memory and notices each change; each snapshot has its own rules
{
    my ($session, $other) = map { $server->session } 1 .. 2;
    my $risk = q{SELECT answer_decide('What of the zorble?', '[]') #>> '{risk,risk_level}'};
    my $levels = sub { my ($session) = @_; return join ' ', map { $session->value($risk) } 1 .. 2 };
    is($levels->($session), 'low low', 'a rule that is not there');
    $other->value(q{SELECT answer_decision_rule_register('risk.high', 'zorble')});
    is($levels->($session), 'high high', 'another session adds it');
    $session->value('BEGIN ISOLATION LEVEL REPEATABLE READ');
    is($levels->($session), 'high high', 'a snapshot');
    $other->value(q{SELECT answer_decision_rule_remove('risk.high', 'zorble')});
    is($levels->($other), 'low low', 'whoever removes it knows');
    is($levels->($session), 'high high', 'the snapshot shows what it showed');
    $session->value('COMMIT');
    is($levels->($session), 'low low', 'a later one that it is gone');
    $session->value('BEGIN');
    $session->value(q{SELECT answer_decision_rule_register('risk.high', 'zorble')});
    is($levels->($session), 'high high', 'a change of its own');
    is($levels->($other), 'low low', 'which is nobody else\'s yet');
    $session->value('ROLLBACK');
    is($levels->($session), 'low low', 'and is undone');
    $session->value($_) for 'ALTER TABLE answer.decision_rule DISABLE TRIGGER tells_of_changes',
        q{INSERT INTO answer.decision_rule (list, entry, position) VALUES ('risk.high', 'zorble', 999)};
    is($levels->($other), 'high high', 'a change of which nothing tells is seen');
    $session->value($_) for q{DELETE FROM answer.decision_rule WHERE entry = 'zorble'},
        'ALTER TABLE answer.decision_rule ENABLE ALWAYS TRIGGER tells_of_changes';
    is($levels->($other), 'low low', 'also when it is taken back');
    $_->close for $session, $other;
}

# changes of the rules and judges are in a dump; waiting retrievals and the cache are not
$server->value($_) for (
    q{SELECT answer_decision_rule_register('risk.high', 'keys'), answer_decision_rule_remove('risk.high', 'access'),
        answer_decision_rule_register('topics', 'office keys', '{"family": "keys"}')},
    'SELECT answer_log_seal()');
retrieve();
my $rules = $server->value('SELECT answer_digest(answer.decision_rules())');
{
    my ($pg_dump, $psql) = map { quotemeta AnswerServer::program($_) } qw(pg_dump psql);
    my $to = "-h $server->{host} -p 5432 -U postgres";
    $server->value('CREATE DATABASE copy TEMPLATE template0');
    AnswerServer::must('sh', '-c', "$pg_dump $to origin | $psql $to -X -q -v ON_ERROR_STOP=1 -d copy >/dev/null");
    my %copy = (dbname => 'copy');
    is($server->value('SELECT answer_digest(answer.decision_rules())', %copy), $rules, 'the copy has the same rules');
    is($server->value('SELECT string_agg(name, $$ $$) FROM answer.judge', %copy),
        'slow', 'and the judge');
    is($server->value('SELECT count(*) FROM answer.retrieval', %copy), 0, 'and nothing that waits');
    is($server->value('SELECT count(*) FROM answer.decision_cache', %copy), 0, 'nor the cache');
    is($server->value(q{SELECT count(*) FILTER (WHERE NOT (answer_verify(body) ->> 'ok')::boolean)
        FROM answer.receipt WHERE schema = 'decision/v1'}, %copy), 0, 'every receipt verifies there');
    is($server->value(q{SELECT string_agg(detail, ', ') FROM answer_log_audit()
        WHERE detail ~ 'decision|judge|retrieval'}, %copy), '',
        'and its audit finds nothing of ours');
    # by hand, without our functions
    $server->value(q{DELETE FROM answer.decision_rule WHERE list = 'risk.high' AND entry = 'keys' AND NOT seed}, %copy);
    $server->value(q{UPDATE answer.decision_rule SET detail = '{"family": "mine"}'
        WHERE list = 'topics' AND entry = 'office keys'}, %copy);
    $server->value(q{UPDATE answer.decision_rule SET entry = 'allower'
        WHERE list = 'allow' AND entry = 'allowed' AND seed}, %copy);
    my $found = $server->value('SELECT string_agg(detail, $$; $$ ORDER BY detail) FROM answer_log_audit()', %copy);
    like($found, qr/\Q$_\E/, "the audit finds a change of $_")
        for 'risk.high: keys', 'topics: office keys', '"allow" of answer.decision_rule';
}

# a standby searches, and writes nothing
my $standby_data = AnswerServer::tmp_dir() . '/standby';
mkdir $standby_data, 0700;
AnswerServer::must(AnswerServer::program('pg_basebackup'), '-h', $server->{host}, '-p', '5432', '-D',
    "$standby_data/data", '-R', '-c', 'fast', '-X', 'stream', '--no-sync');
my $standby = AnswerServer->new('standby', from => 1, conf => ['hot_standby = on']);
$standby->{dbname} = 'origin';
is($standby->value('SELECT pg_is_in_recovery()'), 't', 'there is a standby');
is($standby->value(qq{SELECT jsonb_array_length(answer_debug('retrieval', '$query') #> '{retrieval,chunks}')}), 2,
    'it retrieves');
is($standby->value(qq{SELECT d #>> '{decision_result,decision}' FROM answer_debug('decision', '$query') AS d}),
    'ANSWER', 'and decides');
is($standby->run("SELECT $_('$query')")->{state}, '25006', "$_ is for the primary")
    for 'answer_grounded', 'answer_retrieve';
is($standby->value('SELECT answer_digest(answer.decision_rules())'), $rules, 'it has the rules');
is($standby->value(q{SELECT bool_and((answer_verify(body) ->> 'ok')::boolean)
    FROM answer.receipt WHERE schema = 'decision/v1'}), 't',
    'and verifies');

# other encodings: rules that they cannot write are left out, and everything else is the same; a failure is reported
# whatever its bytes are
my %bytes = (LATIN1 => 'e9', SQL_ASCII => 'e9', EUC_JP => 'a9a1');
for my $encoding (sort keys %bytes) {
    $server->value("CREATE DATABASE \"db_$encoding\" TEMPLATE template0 ENCODING '$encoding' LOCALE 'C'");
    my %there = (dbname => "db_$encoding", encoding => $encoding);
    $server->value($_, %there) for 'CREATE EXTENSION answer_eval', $load;
    is($server->value('SELECT answer.decision_rules() = answer.shipped_decision_rules()', %there), 't',
        "$encoding: rules as shipped");
    is($server->value(qq{SELECT (r ->> 'decision') || ' ' || (answer_verify(r) ->> 'ok')
        FROM answer_grounded('$query') AS r}, %there),
        'ANSWER true', "$encoding: an answer");
    is($server->value('SELECT string_agg(detail, $$; $$) FROM answer_log_audit()', %there), '',
        "$encoding: the audit finds nothing");
    $server->value($_, %there) for (
        qq{CREATE FUNCTION fails(given jsonb) RETURNS jsonb LANGUAGE plpgsql AS \$\$ BEGIN
            RAISE EXCEPTION 'no: %', convert_from(decode('$bytes{$encoding}', 'hex'), '$encoding'); END \$\$},
        q{SELECT answer_source_register('s'),
            answer_tool_register('fails', 'fails(jsonb)', options => jsonb_build_object('source', 's'))});
    my $told = $encoding eq 'LATIN1' ? "no: \xE9" : 'no: ?';
    is($server->value(q{SELECT answer_eval('{"checks": [{"tool": "fails", "args": {}}]}')
        #>> '{checks,0,explain,message}'}, %there), $told, "$encoding: a tool's failure is told");
}

# the name of a role is bytes in no known encoding
{
    my $name = q{convert_from('\xE9E9'::bytea, 'SQL_ASCII')};
    my $session = $server->session(dbname => 'db_SQL_ASCII', encoding => 'SQL_ASCII');
    $session->value(qq{DO \$\$ BEGIN EXECUTE format('$_', $name); END \$\$}) for 'CREATE ROLE %I SUPERUSER', 'SET ROLE %I';
    is($session->value($cached), 'new true', 'a role of any name asks');
    is($session->value($cached), 'true true', 'and is answered again');
    $session->close;
}

ok($server->alive && !$server->crashed, 'the server is well') or diag(AnswerServer::slurp($server->{log}));
done_testing();
