#!/usr/bin/env perl
# tiers: test
# Tenants, in tests that need a server: two of them at once over the same reading, a pool of connections that serves both, and
# copies: a restored database must separate tenants like the original.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Test::More;

my $server = AnswerServer->new('tenants', extended => 1);
my ($pg_dump, $pg_restore, $psql) = map { quotemeta AnswerServer::program($_) } qw(pg_dump pg_restore psql);

sub blocked {
    my ($session) = @_;
    my $pid = $session->{backend} or die 'the backend must be known before';
    for (1 .. 2400) {
        return 1 if $server->value("SELECT cardinality(pg_blocking_pids($pid)) > 0") eq 't';
        nap(0.05);
    }
    return 0;
}

# Runs a statement as a role of a database, for a tenant if one is given: {out, err, state}.
sub as_role {
    my ($dbname, $role, $sql, $tenant) = @_;
    return $server->run($sql, dbname => $dbname,
        setup => ["SET ROLE $role", defined $tenant ? "SET answer_eval.tenant = '$tenant'" : ()]);
}

sub value_as { my $result = as_role(@_); die $result->{err} if $result->{state} ne '00000'; return $result->{out} }
sub state_as { return as_role(@_)->{state} }

my @roles = qw(acme_app globex_app both_app audit_app);
$server->value("CREATE ROLE $_") for @roles;
$server->value('CREATE DATABASE origin TEMPLATE postgres');
$server->{dbname} = 'origin';
$server->value($_) for
    q{SELECT answer_source_register('gauge')},
    q{SELECT answer_tool_register('tide', required_args => '{port}', value_path => 'height', freshness => '36500 days')},
    q{SELECT answer_evidence_add('tide', '{"port": "Ystad"}', '{"height": 1}', 'gauge', '2026-01-01Z')},
    q{SELECT answer_tenant_create('acme'), answer_tenant_create('globex')},
    q{SELECT answer_tenant_grant('acme', 'acme_app'), answer_tenant_grant('globex', 'globex_app'),
        answer_tenant_grant('acme', 'both_app'), answer_tenant_grant('globex', 'both_app'), answer_tenant_grant('*', 'audit_app')},
    'GRANT USAGE ON SCHEMA answer TO ' . join(', ', @roles),
    'GRANT EXECUTE ON FUNCTION answer_eval, answer_receipt, answer_fact, answer_forget, answer_evidence_add, answer_tool_register(text, regprocedure, text[], interval, text, jsonb, boolean, jsonb),
        answer_coverage, answer_investigation_open TO ' . join(', ', @roles),
    'GRANT SELECT ON answer.tenant_receipt, answer.tenant_evidence, answer.signing_key, answer.receipt, answer.evidence TO '
        . join(', ', @roles);

my $add = q{SELECT answer_evidence_add('tide', '{"port": "Lund"}', '{"height": 9}', 'gauge', '2026-01-01Z')};
my $eval = q{SELECT r ->> 'verdict', r ->> 'receipt_id' FROM answer_eval('{"checks": [{"tool": "tide",
    "args": {"port": "Lund"}, "expect": {"op": "eq", "value": 9}}]}') AS r};

# two tenants at once
my $digest = value_as('origin', 'acme_app', $add);
is(value_as('origin', 'globex_app', $add), $digest, 'the same reading of two tenants has one digest');
my ($acme, $globex) = map { my $s = $server->session; $s->value("SET ROLE $_"); $s->backend; $s } qw(acme_app globex_app);
like($acme->value($eval), qr/^supported/, 'one judges by it');
like($globex->value($eval), qr/^supported/, 'and so does the other');
$globex->value('BEGIN');
my $forgotten = $globex->value("SELECT jsonb_array_length(f -> 'receipts') || ' ' || jsonb_array_length(f -> 'readings')
    || ' ' || (f ? 'tenants') FROM answer_forget('$digest', 'no longer') AS f");
is($forgotten, '1 1 false', 'forgetting reaches the one receipt and the one reading of who forgets, and says no more');
like($acme->value($eval), qr/^supported/, 'meanwhile the other does not wait, and has its reading still');
$globex->value('COMMIT');
is($globex->run($add)->{state}, '23001', 'who forgot it cannot store it again');
is($acme->value($add), $digest, 'who did not can');
is($globex->value(q{SELECT answer_fact('tide', '{"port": "Lund"}')}), '', 'forgotten is forgotten');
is($server->value(q{SELECT string_agg(tenant, ' ' ORDER BY tenant) FROM answer.tombstone WHERE receipt_id IS NULL}), 'globex',
    'there is one tombstone, of that tenant');
is($acme->run("SELECT answer_forget('$digest', 'mine too')")->{state}, '00000', 'the other forgets its own');
$acme->value($_) for 'BEGIN', 'SAVEPOINT s';
is($acme->run(q{SELECT answer_forget('sha256:' || repeat('0', 64), 'x')})->{state}, 'P0002', 'what never was is not found');
$acme->close;
$globex->close;

# a pool: one session serves one tenant after the other, with the plans of the first
my $pool = $server->session;
$pool->value('SET ROLE both_app');
is($pool->run('SELECT answer_tenant()')->{state}, '42501', 'a role of several tenants has none before it sets one');
for my $n (1 .. 8) {
    my $tenant = $n % 2 ? 'acme' : 'globex';
    $pool->value($_) for 'BEGIN', "SET LOCAL answer_eval.tenant = '$tenant'";
    my $port = "Pool $n";
    $pool->value(qq{SELECT answer_evidence_add('tide', '{"port": "$port"}', '{"height": $n}', 'gauge', '2026-01-01Z')});
    is($pool->value(qq{SELECT (r ->> 'tenant') || ' ' || (r ->> 'verdict') FROM answer_eval('{"checks": [{"tool": "tide",
        "args": {"port": "$port"}, "expect": {"op": "eq", "value": $n}}]}') AS r}), "$tenant supported", "turn $n is $tenant\'s");
    my $before = $n - 1;
    is($pool->value(qq{SELECT answer_fact('tide', '{"port": "Pool $before"}')}), '', "turn $n has nothing of the turn before");
    is($pool->value("SELECT count(*) FROM answer.tenant_evidence WHERE tenant <> '$tenant'"), 0, "nor has its view");
    $pool->value('COMMIT');
}
$pool->close;

# a tool that a role of both registered, and whose owner then exchanged the code
$server->value($_) for 'CREATE SCHEMA acme AUTHORIZATION acme_app', 'GRANT USAGE ON SCHEMA acme TO both_app';
my $weather = sub { value_as('origin', 'acme_app', "CREATE OR REPLACE FUNCTION acme.weather(args jsonb) RETURNS jsonb
    LANGUAGE plpgsql AS \$f\$ BEGIN $_[0] RETURN jsonb_build_object('user', current_user, 'seen', (SELECT count(*)
    FROM answer.tenant_evidence WHERE tenant <> 'acme')); END \$f\$") };
$weather->('');
value_as('origin', 'both_app', q{SELECT answer_tool_register('weather', 'acme.weather(jsonb)', value_path => 'seen')}, 'acme');
my $call = q{SELECT answer_fact('weather') ->> 'value'};
is(value_as('origin', 'acme_app', $call), 0, 'the tool sees what its tenant has');
for my $tenant ('globex', '', '*') {
    $weather->("PERFORM set_config('answer_eval.tenant', '$tenant', true);");
    is(state_as('origin', 'acme_app', $call), '42501', "it cannot work for \"$tenant\", which its role could");
}
$weather->(q{SET answer_eval.tenant = 'acme';});
is(value_as('origin', 'acme_app', $call), 0, 'to set the tenant that is set already is no harm');
$server->value('REVOKE USAGE ON SCHEMA acme FROM both_app');
value_as('origin', 'acme_app', q{SELECT answer_tool_register('own', 'acme.weather(jsonb)', value_path => 'user')});
is(value_as('origin', 'both_app', q{SELECT answer_fact('own') ->> 'value'}, 'acme'), 'acme_app',
    'a caller needs no right on the schema of a tool that runs with the rights of another');

# a partition that is made while the first tenant is created
$server->value('CREATE DATABASE race TEMPLATE postgres');
my ($maker, $creator) = map { $server->session(dbname => 'race') } 1, 2;
$creator->backend;
$maker->value($_) for 'BEGIN', q{SELECT answer_receipt_partition('2040-01-01Z', '2040-02-01Z')};
$creator->send(q{SELECT answer_tenant_create('acme')});
ok(blocked($creator), 'who creates the first tenant waits for a partition that is being made');
$maker->value('COMMIT');
is($creator->wait->{state}, '00000', 'then the tenant is there');
is($server->value(q{SELECT count(*) || ' of which open ' || count(*) FILTER (WHERE NOT relrowsecurity) FROM pg_class
    WHERE oid IN (SELECT relid FROM pg_partition_tree('answer.receipt'))}, dbname => 'race'), '3 of which open 0',
    'and every partition is protected');
$_->close for $maker, $creator;

# an index whose expression grades, and others that store its result, are refused, because the function is not immutable
isnt($server->run(q{CREATE INDEX ON answer.evidence ((answer.grade('grep', raw)))})->{state}, '00000', 'no index keeps a grade');

# copies
is(value_as('origin', 'globex_app', $_), 0, "before: $_")
    for "SELECT count(*) FROM answer.receipt WHERE tenant <> 'globex'", "SELECT count(*) FROM answer.evidence WHERE tenant <> 'globex'";
my $kept = value_as('origin', 'acme_app', q{SELECT receipt_id FROM answer.tenant_receipt WHERE schema = 'answer/v1'
    AND body ->> 'schema' = 'answer/v1' LIMIT 1});
my $file = AnswerServer::tmp_dir() . '/tenants.dump';
my $quiet = "$psql -X -q -v ON_ERROR_STOP=1";
my $to = '-h ' . quotemeta($server->{host}) . ' -p 5432';
AnswerServer::must('sh', '-c', "$pg_dump $to -Fc -f $file origin");
my %copies = (
    'psql' => "$pg_dump $to origin | $quiet $to -d copy",
    'inserts' => "$pg_dump $to --inserts origin | $quiet $to -d copy",
    'pg_restore' => "$pg_restore $to -e -d copy $file",
    'pg_restore, in parallel' => "$pg_restore $to -e -j 2 -d copy $file",
    'pg_restore, in one transaction' => "$pg_restore $to -1 -d copy $file",
);
for my $how (sort keys %copies) {
    $server->value($_, dbname => 'postgres') for 'DROP DATABASE IF EXISTS copy', 'CREATE DATABASE copy TEMPLATE template0';
    my ($status, $output) = AnswerServer::command('sh', '-c', $copies{$how});
    is($status, 0, "$how: it was restored") or diag($output);
    is($server->value(q{SELECT count(*) FROM pg_class c JOIN pg_policy p ON p.polrelid = c.oid AND p.polname = 'tenant_reads'
        WHERE NOT c.relrowsecurity}, dbname => 'copy'), 0, "$how: every wall is up");
    is(value_as('copy', 'globex_app', "SELECT answer_receipt('$kept')"), '', "$how: a receipt of another is not there");
    isnt(value_as('copy', 'acme_app', "SELECT answer_receipt('$kept')"), '', "$how: it is for whom it belongs to");
    is(value_as('copy', 'globex_app', $_), 0, "$how: $_")
        for "SELECT count(*) FROM answer.receipt WHERE tenant <> 'globex'", "SELECT count(*) FROM answer.evidence WHERE tenant <> 'globex'",
        "SELECT count(*) FROM answer.tenant_receipt WHERE tenant <> 'globex'",
        "SELECT count(*) FROM answer.tenant_evidence WHERE tenant <> 'globex'";
    is(state_as('copy', 'globex_app', 'SELECT answer_tenant()', 'acme'), '42501', "$how: another tenant cannot be set");
    is(state_as('copy', 'audit_app', "SELECT answer_forget('$kept', 'x')"), '42501', "$how: an auditor writes nothing");
    is(state_as('copy', 'globex_app', "SELECT answer_forget('$kept', 'x')"), 'P0002', "$how: nothing of another is forgotten");
    is(state_as('copy', 'globex_app', $add), '23001', "$how: what was forgotten stays so");
}

# data only, without triggers: tenants are not separated, so no role of a tenant can work until they are again
$server->value($_, dbname => 'postgres') for 'DROP DATABASE IF EXISTS copy', 'CREATE DATABASE copy TEMPLATE template0';
AnswerServer::must('sh', '-c', "$pg_restore $to -e --section=pre-data -d copy $file");
AnswerServer::must('sh', '-c', "$pg_restore $to -e --data-only --disable-triggers -d copy $file");
is($server->value('SELECT count(*) FROM answer.tenant', dbname => 'copy'), 2, 'the tenants are there');
is(state_as('copy', 'globex_app', $_), '55000', "refused: $_") for 'SELECT count(*) FROM answer.tenant_receipt', $eval, 'SELECT answer_tenant()';
$server->value(q{SELECT answer_tenant_grant('acme', 'acme_app')}, dbname => 'copy');
is(value_as('copy', 'globex_app', "SELECT count(*) FROM answer.receipt WHERE tenant <> 'globex'"), 0, 'a grant puts it up again');

# an audit of everything
$server->value('SELECT answer_log_seal()');
is($server->value(q{SELECT string_agg(detail, '; ') FROM answer_log_audit() WHERE finding <> 'forgotten'}), '', 'the audit finds nothing');
$server->value($_) for guards_off(), q{UPDATE answer.receipt SET tenant = 'initech' WHERE tenant = 'globex'}, guards_back();
like($server->value(q{SELECT string_agg(detail, '; ') FROM answer_log_audit() WHERE finding <> 'forgotten'}), qr/initech/,
    'a tenant that nobody can be granted is found');

done_testing;
