#!/usr/bin/env perl
# tiers: test
# The clock is set back while the server runs, and forward again: signed documents verify, the lives of keys do not overlap, nothing
# that is limited in time lasts longer, and the audit finds nothing. The clock is libfaketime's (Debian: faketime).
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Test::More;

my ($library) = grep { -f } map { ("$_/faketime/libfaketime.so.1", "$_/libfaketime.so.1") } glob('/usr/lib/*-linux-gnu /usr/lib /usr/lib64 /usr/local/lib');
plan skip_all => 'libfaketime is not installed on this machine' unless $library;
plan skip_all => 'libfaketime cannot be loaded beside the tools of this build' if $ENV{LD_PRELOAD};

my $server = AnswerServer->new('clock', start => 0);
my $offset = spew(AnswerServer::tmp_dir() . '/offset', '-3h');
sub clock { my ($at) = @_; spew($offset, $at); return }
{
    # only the server's: waits are measured with the monotonic clock, which nobody sets
    local @ENV{qw(LD_PRELOAD FAKETIME_TIMESTAMP_FILE FAKETIME_NO_CACHE FAKETIME_DONT_FAKE_MONOTONIC)} = ($library, $offset, 1, 1);
    $server->start;
}
plan skip_all => 'libfaketime does not move this server\'s clock'
    unless $server->value('SELECT clock_timestamp() < $$' . scalar(gmtime(time - 3600)) . ' UTC$$::timestamptz') eq 't';

my $sql = $server->session;
my $eval = q{answer_eval('{"checks": [{"tool": "postgres_server"}]}')};
my $plan = q{'{"plan": {"plan_id": "asks", "nodes": [{"id": "s", "op": "call", "tool": "doc.search", "args": {"q": "When does the harbour office open?"}, "out": "hits"},
    {"id": "v", "op": "verify", "args": {"claims": ["The harbour office opens at eight."], "sources": "$hits"}, "out": "e"}], "edges": [["s", "v"]]}}'};
my $keeps = $plan =~ s/"asks"/"keeps"/r =~ s/\], "edges": \[/, {"id": "w", "op": "mem.write", "args": {"key": "hours", "value": {"opens": 8}, "provenance": "\$e", "ttl": "PT1H"}}], "edges": [["v", "w"], /r;
my $waits = q{'{"plan": {"plan_id": "waits", "nodes": [{"id": "a", "op": "call", "tool": "ask", "args": {"q": "x"}, "out": "x"}]}}'};
my $question = q{answer_grounded('When does the harbour office open?')};
my $cached = "SELECT $question ? 'cached'";
my $memory = q{SELECT answer.tool_mesh_mem('{"op": "read", "key": "hours"}') ->> 'ok'};
my $audit = q{SELECT string_agg(finding || ': ' || detail, E'\n') FROM answer_log_audit() WHERE finding NOT IN ('forgotten')};
my $all = q{SELECT count(*) FILTER (WHERE NOT answer_verify_ok(body)) FROM answer.receipt WHERE schema = body ->> 'schema'};
my $rates = 'SELECT md5(string_agg(r::text, chr(10) ORDER BY r::text COLLATE "C")) FROM answer.dashboard_verdicts() AS r';
sub value { return $sql->value(@_) }

# three hours ago
value($_) for 'CREATE EXTENSION answer_eval', 'SELECT answer_key_generate()', 'SELECT answer_log_seal()',
    q{SELECT answer_source_register('gauge'), answer_tool_register('tide', required_args => '{port}', value_path => 'height', freshness => '1 hour')},
    q{SELECT answer_tool_register('ask', NULL, spec => '{"external": true, "io": {"input": {"q": "string"}, "output": {"text": "string"}}}')},
    q{SELECT answer_document_load('[{"doc_id": "hours", "title": "Hours", "timestamp": "2026-01-01T00:00:00Z",
        "text": "The harbour office opens at eight.\n\nThe harbour office closes at four."}]')},
    q{SELECT answer_suite_load('clock', '[{"id": "none", "query": "Who mends kites?", "expected_outcome": "ABSTAIN", "risk_level": "low"},
        {"id": "some", "query": "When does the puppet workshop open?", "expected_outcome": "ANSWER", "risk_level": "low"}]', '[
        {"doc_id": "a", "title": "Desk", "timestamp": "2026-01-01T00:00:00Z", "text": "The puppet workshop will open at nine."},
        {"doc_id": "b", "title": "Sign", "timestamp": "2026-01-01T00:00:00Z", "text": "Workshop: puppet makers open at nine."}]', '2026-01-02T00:00:00Z') IS NOT NULL},
    q{SELECT answer_environment_set('clock', options => jsonb_build_object('suite', 'clock', 'rules', '{}'::jsonb, 'shadow_samples', 0, 'canary_samples', 0)) IS NOT NULL},
    q{SELECT count(answer_config_promote('clock', c)) FROM answer_config_create('{"cache_ttl_s": 3600}', 'clock') AS c, generate_series(1, 3)},
    q{SET answer_eval.environment = 'clock'};
# now
clock('+0');
value(q{SELECT answer_evidence_add('tide', '{"port": "Ystad"}', '{"height": 7}', 'gauge', clock_timestamp())});
my $trace = value("SELECT answer_plan_execute($waits) ->> 'trace_id'");
value($_) for q{SELECT answer_memory_policy('', '', true)}, "SELECT $eval", "SELECT answer_plan_execute($keeps)", "SELECT $question", 'SELECT answer_log_seal()', 'SELECT answer_rollup()';
my $receipt = value("SELECT $eval ->> 'receipt_id'");
is(value($cached), 't', 'an answer is given again');
is(value($memory), 'true', '... and what was remembered is there');
is(value($audit), '', 'nothing is amiss');

# back and forth: all that is signed meanwhile verifies
for my $at ('-1h', '-2h', '+0', '+2h', '-1h') {
    subtest "the clock is at $at" => sub {
        clock($at);
        is(value("SELECT answer_verify_ok($eval)"), 't', 'a receipt verifies');
        is(value("SELECT answer_verify_ok(answer_plan_execute($plan))"), 't', '... and a plan');
        is(value(q{SELECT count(*) FILTER (WHERE answer_trace_verify(trace_id) ->> 'ok' <> 'true') FROM answer.plan_run WHERE status = 'done'}), 0, '... and every trace');
        like(value("SELECT $eval ->> 'issued_at'"), qr/^\d{4}-/, '... with the instant of that clock');
        is(value('SELECT answer_log_seal() IS NOT NULL'), 't', '... and is sealed');
        is(value("SELECT answer_log_verify(answer_log_inclusion('$receipt'), answer_receipt('$receipt')) ->> 'ok'"), 'true', '... beside what was');
        value('SELECT answer_rollup()');
        my $counted = value($rates);
        value('SELECT answer_rollup_rebuild()');
        is(value($rates), $counted, 'what is counted as it comes is what is counted anew');
        if ($at eq '-1h' && !value(q{SELECT count(*) FROM answer.signing_key WHERE status = 'retired'})) {
            is(value(q{SELECT answer_eval('{"checks": [{"tool": "tide", "args": {"port": "Ystad"}, "expect": {"op": "eq", "value": 7}}]}') ->> 'verdict'}),
                'insufficient_evidence', 'a reading of later is no evidence of now');
            is(value($cached), 'f', 'an answer of later is not given again for longer');
            value('SELECT answer_key_generate()');
            is(value("SELECT answer_verify_ok($eval)"), 't', 'a key that is made then signs');
            is(value(q{SELECT count(*) FROM answer.signing_key a JOIN answer.signing_key b ON a.key_id < b.key_id
                AND a.active_from < coalesce(b.retired_at, 'infinity') AND b.active_from < coalesce(a.retired_at, 'infinity')}), 0, '... and its life begins where the other one ends');
        }
        if ($at eq '+2h') {
            is(value($memory), 'false', 'what was remembered for an hour is gone');
            is(value('SELECT answer_plan_recover()'), 1, 'a plan has waited too long');
            is($sql->run("SELECT answer_plan_resume('$trace', '{\"a\": {\"result\": {\"text\": \"x\"}, \"by\": \"me\"}}')")->{state}, '55000', '... and is done');
        }
        is(value($all), 0, 'all that was ever signed verifies');
        is(value($audit), '', '... and the audit finds nothing');
    };
}
ok(!$server->crashed, 'the server is well');
done_testing();
