#!/usr/bin/env perl
# tiers: test long
# Concurrent promotions, a crash in one, a cancel, and a restored dump: none is lost or half done, and the active
# configuration is the one that was signed last.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Test::More;

my $server = AnswerServer->new('promotion', extended => 1);
$server->value(q{SELECT answer_suite_load('small', '[
    {"id": "none", "query": "Who mends kites?", "expected_outcome": "ABSTAIN", "risk_level": "low"},
    {"id": "some", "query": "When does the puppet workshop open?", "expected_outcome": "ANSWER", "risk_level": "low"}]', '[
    {"doc_id": "a", "title": "Desk", "timestamp": "2026-01-01T00:00:00Z", "text": "The puppet workshop will open at nine."},
    {"doc_id": "b", "title": "Sign", "timestamp": "2026-01-01T00:00:00Z", "text": "Workshop: puppet makers open at nine."}]',
    '2026-01-02T00:00:00Z') IS NOT NULL});
$server->value(q{SELECT answer_environment_set('dev', options => jsonb_build_object('suite', 'small', 'rules', '{}'::jsonb, 'shadow_samples', 0, 'canary_samples', 0)) IS NOT NULL});
my $config = $server->value(q{SELECT answer_config_create('{"cache_ttl_s": 60}', 'test')});
my $promote = "SELECT answer_config_promote('dev', '$config') ->> 'stage'";
my $state = q{SELECT concat_ws(' ', revision, coalesce(shadow, '-'), coalesce(canary, '-')) FROM answer.environment WHERE name = 'dev'};

# two at once: the second waits, and starts from the result of the first
{
    my ($one, $other) = map { $server->session } 1 .. 2;
    $one->value('BEGIN');
    is($one->value($promote), 'shadow', 'the first one comes to shadow');
    my $pid = $other->backend;
    $other->send("SELECT answer_config_promote('dev', '$config', 'shadow')");
    my $waits = 'f';
    for (1 .. 2400) {
        $waits = $server->value("SELECT EXISTS (SELECT FROM pg_locks WHERE pid = $pid AND NOT granted)");
        last if $waits eq 't';
        AnswerServer::nap(0.05);
    }
    is($waits, 't', 'the second one waits for the first');
    is($server->value($state), '1 - -', 'nobody sees it before it is committed');
    $one->value('COMMIT');
    my $result = $other->wait;
    is($result->{state}, '55000', 'the second one meant the same stage, and is told');
    is($server->value($state), "2 $config -", 'one of them counts');
    $one->value('BEGIN');
    $one->value($promote);
    $one->value('ROLLBACK');
    is($server->value($state), "2 $config -", 'what is rolled back never was');
    is($other->value(q{SELECT answer_config('dev') ->> 'cache_ttl_s'}), 0, 'and decides nothing');
}

# a crash during one
{
    my $session = $server->session;
    $session->value('BEGIN');
    is($session->value($promote), 'canary', 'on the way to canary');
    $server->kill9;
    $server->start;
    is($server->value($state), "2 $config -", 'a crash leaves the environment where it was');
    $server->value($promote);
    $server->value($promote);
    is($server->value(q{SELECT answer_config('dev') ->> 'cache_ttl_s'}), 60, 'and it goes on from there');
    $server->restart;
    is($server->value(q{SELECT answer_config('dev') ->> 'cache_ttl_s'}), 60, 'after a restart, too');
}

# a dump and its restore
{
    my ($pg_dump, $psql) = map { quotemeta AnswerServer::program($_) } qw(pg_dump psql);
    my $history = q{SELECT string_agg(concat_ws(' ', revision, action, stage, outcome, answer_verify_ok(d), answer_replay(d)), '; ' ORDER BY revision)
        FROM answer.config_step s, LATERAL (SELECT answer_receipt(s.receipt_id) AS d OFFSET 0) AS r};
    $server->value('CREATE DATABASE restored');
    is(system("$pg_dump -h $server->{host} postgres | $psql -X -q -h $server->{host} -d restored >/dev/null"), 0, 'dumped and restored');
    is($server->value($history, dbname => 'restored'), $server->value($history), 'the history is the same, verifies and is made again');
    is($server->value(q{SELECT answer_config('dev') ->> 'cache_ttl_s'}, dbname => 'restored'), 60, 'the configuration is in force');
    is($server->value('SELECT count(*) FROM answer.environment_head', dbname => 'restored'), 0, 'by its record alone');
    $server->value('SELECT answer_key_generate()', dbname => 'restored');
    $server->value(q{SELECT answer_config_rollback('dev', 'in the copy') IS NOT NULL}, dbname => 'restored');
    is($server->value(q{SELECT answer_config('dev') ->> 'cache_ttl_s'}, dbname => 'restored'), 0, 'and the copy can go back');
    is($server->value(q{SELECT answer_config('dev') ->> 'cache_ttl_s'}), 60, 'which the original does not');
}
done_testing;
