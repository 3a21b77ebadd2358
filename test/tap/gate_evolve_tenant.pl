#!/usr/bin/env perl
# tiers: long
# Self-evolution for a tenant: a breach, a proposal, its validation, the stages up to active, and a rollback. Each step is
# signed for the tenant, verifies here and with answer-verify, and is visible to nobody else.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use JSON::PP;
use Test::More;

my $server = AnswerServer->new('evolve_tenant', extended => 1);
my $json = JSON::PP->new->canonical->ascii;
my $operator = $server->session;
$operator->value($_) for (
    'GRANT USAGE ON SCHEMA answer TO PUBLIC',
    'GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public, answer TO PUBLIC',
    q{SELECT answer_tenant_create('acme'), answer_tenant_create('globex')},
    (map { ("CREATE ROLE $_", "GRANT SELECT ON answer.tenant_evolve_proposal, answer.tenant_environment TO $_") } 'acme_app', 'globex_app'),
    q{SELECT answer_tenant_grant('acme', 'acme_app'), answer_tenant_grant('globex', 'globex_app')},
    # the gate asks only that a candidate is better, and the active configuration answers little
    q{SELECT answer_environment_set('dev', options => jsonb_build_object('suite', 'golden', 'rules', '{"min_overall_pass_rate": 0, "min_citation_validity_rate": 0,
        "max_false_accept_rate": 1, "no_regression_slices": []}'::jsonb, 'shadow_samples', 0, 'canary_samples', 0, 'canary_percent', 100, 'most_different_percent', 100)) IS NOT NULL},
    q{SELECT answer_config_create('{"top_k": 1, "min_chunks": 2}', 'answers little') IS NOT NULL},
    q{ALTER DATABASE postgres SET answer_eval.environment = 'dev'},
);
my $base = $operator->value(q{SELECT config_id FROM answer.config WHERE reason = 'answers little'});
is($operator->value("SELECT answer_config_promote('dev', '$base') ->> 'stage'"), $_, "the operator's configuration is in $_") for qw(shadow canary active);

my $acme = $server->session;
my $globex = $server->session;
$acme->value('SET ROLE acme_app');
$globex->value('SET ROLE globex_app');
is($acme->value(q{SELECT answer_evolve_propose()}), '[]', 'where nothing was asked, nothing is proposed');
$acme->value(q{SELECT answer_document_load('[{"doc_id": "refund", "title": "Refund policy", "timestamp": "2024-05-20",
    "text": "Custom items have a refund window of 30 days."}]') IS NOT NULL});
$acme->value(q{SELECT answer_grounded(q, '{"answer": "Refunds are paid in gold.", "citations": ["nope#p0"], "config": {"min_chunks": 1}}') ->> 'decision'
    FROM unnest(ARRAY['What is the refund window for custom items?', 'When does the refund window begin?']) AS q});
# and an answer that a chunk contradicts, which is not compared because of its low similarity
is($acme->value(q{SELECT answer_grounded('Are custom items refundable?', '{"config": {"freshness_days": 0, "freshness_days_high_risk": 0,
    "min_chunks": 1}, "chunks": [{"chunk_id": "x#p0", "doc_id": "x", "text": "Custom items are refundable.", "similarity": 0.9,
    "timestamp": "2025-05-30"}, {"chunk_id": "y#p0", "doc_id": "y", "text": "Custom items are non-refundable.", "similarity": 0.3,
    "timestamp": "2025-05-30"}]}') ->> 'decision'}), 'ANSWER', 'an answer that something found contradicts');
cmp_ok($acme->value(q{SELECT jsonb_array_length(answer_evolve_propose())}), '>=', 1, 'a breach of the tenant is answered with proposals');
is($globex->value(q{SELECT answer_evolve_propose()}), '[]', '... and is nobody else\'s');
my $proposal = $acme->value(q{SELECT answer_evolve_propose(NULL, '{"top_k": 4}', 'more chunks') #>> '{0,proposal}'});
is($globex->run("SELECT answer_evolve_validate('$proposal')")->{state}, 'P0002', 'a proposal of another tenant is not there');
is($acme->value("SELECT answer_evolve_validate('$proposal') ->> 'state'"), 'applied', 'it is better, and comes to shadow by itself')
    or diag($acme->value("SELECT validation FROM answer.tenant_evolve_proposal WHERE proposal = '$proposal'"));
my $state = q{SELECT concat_ws(' ', active, coalesce(shadow, '-'), coalesce(canary, '-')) FROM answer.tenant_environment
    WHERE tenant = 'acme' AND name = 'dev'};
my $config = $acme->value("SELECT config_id FROM answer.tenant_evolve_proposal WHERE proposal = '$proposal'");
is($acme->value($state), "$base $config -", '... of the tenant\'s own environment');
is($acme->value("SELECT answer_config_promote('dev', '$config') ->> 'stage'"), $_, "... and to $_") for qw(canary active);
is($acme->value(q{SELECT answer_config('dev') ->> 'top_k'}), 4, 'then it decides');
is($globex->value(q{SELECT answer_config('dev') ->> 'top_k'}), 1, '... for the tenant alone');
is($operator->value(q{SELECT active FROM answer.environment WHERE tenant = '' AND name = 'dev'}), $base, '... and not for the operator');
is($acme->value(q{SELECT answer_config_rollback('dev', 'a test') ->> 'active'}), $base, 'a rollback goes back');
is($acme->value(q{SELECT answer_config('dev') ->> 'top_k'}), 1, '... to what decided before');

# the records
my $keys = spew(AnswerServer::tmp_dir() . '/keys.json', $operator->value('SELECT answer_keys()'));
my @records = split /\n/, $operator->value(q{SELECT jsonb_build_object('t', body) FROM answer.receipt WHERE tenant = 'acme'
    AND schema = 'change/v1' ORDER BY issued_at, receipt_id});
my %actions;
for my $record (@records) {
    my $body = $json->decode($record)->{t};
    my $name = "$body->{kind} $body->{action}";
    $actions{$name}++;
    is($operator->value("SELECT answer_verify_ok(answer_receipt('$body->{receipt_id}'))"), 't', "$name verifies");
    my $file = spew(AnswerServer::tmp_dir() . '/record.json',
        $operator->value("SELECT answer_receipt('$body->{receipt_id}')"));
    is((AnswerServer::command(root_dir() . '/tools/answer-verify', 'receipt', $file, '--keys', $keys))[0], 0, '... and by the tool');
    is($globex->value("SELECT answer_receipt('$body->{receipt_id}') IS NULL"), 't', '... and is not there for another tenant');
}
ok($actions{$_}, "there is a record: $_") for ('proposal propose', 'proposal apply', 'environment promote', 'environment rollback', 'config add');
is($operator->value(q{SELECT string_agg(detail, '; ') FROM answer_log_audit() WHERE finding = 'configuration'}), '', 'the audit finds nothing');

done_testing();
