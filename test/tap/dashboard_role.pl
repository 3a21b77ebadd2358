#!/usr/bin/env perl
# tiers: test
# A role that may read the dashboard but no documents: what one grant gives it and what not, and tenants who try to get more.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use JSON::PP;
use Test::More;

my $server = AnswerServer->new('dashboards');
$server->value("CREATE ROLE $_") for qw(watcher acme_app globex_app acme_watch auditor stranger);
# in a schema that is not on the search path, and without the privileges of PUBLIC
$server->value('CREATE DATABASE origin');
$server->{dbname} = 'origin';
$server->value($_) for 'CREATE SCHEMA product', 'CREATE EXTENSION answer_eval SCHEMA product',
    'GRANT USAGE ON SCHEMA product TO watcher, acme_watch, auditor';

sub as_role {
    my ($role, $sql) = @_;
    return $server->run($sql, setup => ["SET ROLE $role"]);
}
my @views = split ' ', $server->value(q{SELECT string_agg(c.relname, ' ' ORDER BY c.relname) FROM pg_class c
    WHERE c.relnamespace = 'answer'::regnamespace AND c.relkind = 'v' AND c.relname ~ '^dashboard_'});
cmp_ok(scalar(@views), '>=', 15, 'there are views: ' . scalar(@views));
$server->value(q{SELECT product.answer_eval('{"checks": [{"tool": "postgres_server"}, {"tool": "SECRET"}]}')});

# the extension does not grant views and functions of users that have such names
$server->value($_) for 'CREATE VIEW answer.dashboard_foreign AS SELECT body FROM answer.receipt', 'CREATE VIEW answer.slo_foreign AS SELECT body FROM answer.receipt',
    q{CREATE FUNCTION product.answer_dashboard_foreign() RETURNS SETOF jsonb LANGUAGE sql AS 'SELECT body FROM answer.receipt'},
    'REVOKE ALL ON FUNCTION product.answer_dashboard_foreign() FROM PUBLIC';

# one grant
is(as_role('watcher', "SELECT count(*) FROM answer.$_")->{state}, '42501', "$_ without the grant") for $views[0], 'rollup';
is($server->run(q{SELECT product.answer_dashboard_grant('nobody')})->{state}, 'P0002', 'of no role');
is($server->run(q{SELECT product.answer_dashboard_grant(NULL)})->{state}, '22004', 'of NULL');
is(as_role('watcher', q{SELECT product.answer_dashboard_grant('watcher')})->{state}, '42501', 'nobody grants it to himself');
$server->value(q{SELECT product.answer_dashboard_grant('watcher')}) for 1 .. 2;
for my $view (@views) {
    my $result = as_role('watcher', "SELECT * FROM answer.$view");
    is($result->{state}, '00000', "$view with it");
    unlike($result->{out}, qr/SECRET/, "$view tells nothing of what was asked") if $view ne 'dashboard_tools';
}
cmp_ok(as_role('watcher', q{SELECT answers FROM product.answer_slo('1 hour') WHERE tenant IS NULL})->{out}, '==', 1, 'it sees what there is');

# and nothing else
is(as_role('watcher', "SELECT * FROM $_")->{state}, '42501', "$_ is not granted") for 'answer.dashboard_foreign', 'answer.slo_foreign', 'product.answer_dashboard_foreign()';
$server->value('GRANT SELECT ON answer.dashboard_foreign TO watcher');
$server->value(q{SELECT product.answer_dashboard_revoke('watcher'), product.answer_dashboard_grant('watcher')});
is(as_role('watcher', 'SELECT * FROM answer.dashboard_foreign')->{state}, '00000', 'what its owner has granted is not revoked either');
$server->value($_) for 'DROP VIEW answer.dashboard_foreign, answer.slo_foreign', 'DROP FUNCTION product.answer_dashboard_foreign()';
my $others = $server->value(q{SELECT string_agg(format('%I.%I', n.nspname, c.relname), ' ' ORDER BY 1) FROM pg_class c
    JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname IN ('answer', 'answer_archive') AND c.relkind IN ('r', 'p', 'v')
    AND has_any_column_privilege('watcher', c.oid, 'SELECT') AND c.relname !~ '^dashboard_'});
is($others, '', 'it may read no other relation');
is($server->value(q{SELECT string_agg(p.oid::regprocedure::text, ' ' ORDER BY 1) FROM pg_proc p
    WHERE p.pronamespace IN ('answer'::regnamespace, 'product'::regnamespace) AND has_function_privilege('watcher', p.oid, 'EXECUTE')
    AND NOT has_function_privilege('stranger', p.oid, 'EXECUTE')
    AND p.proname !~ '^(answer_slo|answer_slo_refusals|slo_burn|dashboard_[a-z]+|answer_dashboard_page|receipt_check)$'}), '', 'and call nothing else');
is(as_role('watcher', q{SELECT count(*) FROM answer.receipt_check('2000-01-01')})->{out}, 2, 'a row a check, without what it was asked');
is(as_role('watcher', $_)->{state}, '42501', $_) for 'SELECT body FROM answer.receipt', 'SELECT * FROM answer.receipt_refusal', 'SELECT * FROM answer.rollup',
    'SELECT * FROM answer.rollup_single', 'SELECT product.answer_rollup()', q{SELECT answer.slo_of('{""}', '1 day', NULL)}, 'INSERT INTO answer.rollup_new DEFAULT VALUES';

# the dashboard for Grafana: every query of it as that role; test/tap/dashboard_grafana.pl has its form
my $root = AnswerServer::root_dir();
my $grafana = decode_json(AnswerServer::slurp("$root/examples/grafana/dashboards/answer_eval.json"));
my %asked;
for my $panel (@{ $grafana->{panels} }) {
    my $name = $panel->{title};
    for my $target (@{ $panel->{targets} || [] }) {
        (my $sql = $target->{rawSql}) =~ s/\$__timeFilter\(([^)]+)\)/$1 BETWEEN now() - interval '7 days' AND now()/g;
        $sql =~ s/\banswer_slo/product.answer_slo/g;
        unlike($sql, qr/\$__/, "$name uses no other macro");
        is(as_role('watcher', $sql)->{state}, '00000', "$name can be asked");
        $asked{$_}++ for $sql =~ /answer\.(\w+)/g;
        my $columns = as_role('watcher', "CREATE TEMP VIEW p AS $sql; SELECT string_agg(concat(attname, ' ', atttypid::regtype), ', ' ORDER BY attnum)
            FROM pg_attribute WHERE attrelid = 'pg_temp.p'::regclass AND attnum > 0")->{out};
        like($columns, qr/^time timestamp with time zone, metric text, value double precision$/, "$name is a series") if $target->{format} eq 'time_series';
    }
}
is(join(' ', grep { /^dashboard_/ && !$asked{$_} } @views), '', 'each view of the dashboard is in it');

# tenants
$server->value($_) for q{SELECT product.answer_tenant_create('acme'), product.answer_tenant_create('globex')};
is(as_role('watcher', q{SELECT * FROM product.answer_slo('1 hour')})->{state}, '42501', 'once there are tenants, who has none reads nothing');
is($server->run(qq{SELECT product.answer_tenant_grant('acme', '$_')})->{state}, '00000', "$_ can be a tenant's") for 'acme_app', 'watcher';
$server->value($_) for q{SELECT product.answer_tenant_revoke('acme', 'watcher')}, q{SELECT product.answer_tenant_grant('globex', 'globex_app')},
    q{SELECT product.answer_tenant_grant('acme', 'acme_watch')}, q{SELECT product.answer_tenant_grant('*', 'auditor')},
    (map { "SELECT product.answer_dashboard_grant('$_')" } qw(acme_watch globex_app auditor)),
    'GRANT USAGE ON SCHEMA answer, product TO acme_app, globex_app', 'GRANT EXECUTE ON FUNCTION product.answer_eval(jsonb) TO acme_app, globex_app';
is(as_role($_, q{SELECT product.answer_eval('{"checks": [{"tool": "of } . $_ . q{"}]}') ->> 'verdict'})->{state}, '00000', "$_ mints") for qw(acme_app globex_app);
for my $counted (0, 1) {
    $server->value('SELECT product.answer_rollup()') if $counted;
    my $when = $counted ? 'counted' : 'not counted yet';
    is(as_role('acme_watch', q{SELECT string_agg(concat(coalesce(tenant, '*'), ' ', answers), ',') FROM product.answer_slo('1 hour') WHERE intent IS NULL})->{out}, '* 1,acme 1',
        "a tenant sees its own, in totals too: $when");
    is(as_role('acme_watch', q{SELECT string_agg(DISTINCT tenant, ',') FROM answer.dashboard_verdicts})->{out}, 'acme', "in series: $when");
    is(as_role('acme_watch', q{SELECT sum(documents) FROM answer.dashboard_keys})->{out}, 1, "of keys: $when");
    is(as_role('acme_watch', q{SELECT count(*) FROM answer.receipt_check('2000-01-01') WHERE tenant <> 'acme'})->{out}, 0, "checks: $when");
    is(as_role('auditor', q{SELECT string_agg(concat(coalesce(tenant, '*'), ' ', answers), ',') FROM product.answer_slo('1 hour') WHERE intent IS NULL})->{out},
        '* 3, 1,acme 1,globex 1', "an auditor sees all: $when");
}
is(as_role('acme_watch', 'SELECT count(*) FROM answer.dashboard_log')->{out}, 0, 'the log is not a tenant\'s');
is(as_role('acme_watch', 'SELECT count(file_present) FROM answer.dashboard_keys')->{out}, 0, 'nor are files');
is(as_role('acme_watch', q{SET answer_eval.tenant = 'globex'; SELECT * FROM product.answer_slo('1 hour')})->{state}, '42501', 'a setting opens nothing');
for my $try ('SET row_security = off', 'SET session_replication_role = replica', 'SET search_path = pg_temp, answer, product') {
    my $session = $server->session;
    $session->value('SET ROLE acme_watch');
    $session->run($try);
    is($session->value(q{SELECT count(*) FROM product.answer_slo('1 hour') WHERE tenant IS DISTINCT FROM 'acme' AND tenant IS NOT NULL}), 0, "$try opens nothing");
    $session->close;
}
unlike(as_role('acme_watch', q{EXPLAIN (ANALYZE, VERBOSE, COSTS off, TIMING off, SUMMARY off) SELECT * FROM product.answer_slo('1 hour')})->{out}, qr/Removed|rollup/,
    'a plan counts nothing of others');
for my $view (@views) {
    my $said = as_role('acme_watch', "EXPLAIN (ANALYZE, VERBOSE, SETTINGS, WAL, COSTS off, TIMING off, SUMMARY off) SELECT * FROM answer.$view");
    unlike($said->{out}, qr/Removed|rollup|Seq Scan|Index|globex/, "nor does that of $view");
    my ($rows) = $said->{out} =~ /Function Scan[^\n]*actual rows=(\d+)/ or die "no rows: $said->{out}";
    is($rows, as_role('acme_watch', "SELECT count(*) FROM answer.$view")->{out}, "of $view it has the rows that can be read");
}
# only roles that may read tables see the server's own statistics of their columns
is(as_role('acme_watch', q{SELECT count(*) FROM pg_stats WHERE schemaname = 'answer'})->{out}, 0, 'statistics of columns show nothing');

# answer_tenant_grant() refuses a role that may read tables of all tenants; the audit reports such a grant made later, and nothing
# else: a watcher that is set up as doc/dashboard.md says is no finding.
{
    my $session = $server->session;
    my $named = sub { my ($role) = @_; return $session->value(qq{SELECT coalesce(string_agg(substring(detail FROM 'can read (.*): rows of all tenants'), '; '), '')
        FROM product.answer_log_audit() WHERE finding = 'configuration' AND detail LIKE 'role $role works for a tenant%'}) };
    is($named->('acme_watch'), '', 'the audit finds nothing in a watcher');
    $session->value('CREATE ROLE listed');
    my @shown = split / /, $session->value(q{SELECT string_agg(relname, ' ' ORDER BY relname COLLATE "C") FROM pg_class WHERE relnamespace = 'answer'::regnamespace AND relkind = 'v'});
    my %state;
    for my $view (@shown) {
        $session->value($_) for 'BEGIN', "GRANT SELECT ON answer.$view TO listed";
        $state{$view} = $session->run(q{SELECT product.answer_tenant_grant('acme', 'listed')})->{state};
        $session->value('ROLLBACK');
    }
    is(join(' ', grep { $state{$_} !~ /^(?:00000|55000)$/ } @shown), '', 'each view may be granted to a tenant\'s role or not');
    my @refused = grep { $state{$_} eq '55000' } @shown;
    cmp_ok(scalar @refused, '>', 20, scalar(@refused) . ' may not');
    $session->value($_) for 'BEGIN', q{SELECT product.answer_tenant_grant('acme', 'listed')},
        map { "GRANT SELECT ON answer.$_ TO listed" } grep { $state{$_} eq '00000' } @shown;
    is($named->('listed'), '', 'the audit finds nothing in a role with all views that may be granted');
    $session->value("GRANT SELECT ON answer.$_ TO listed") for @refused;
    is($named->('listed'), join(', ', map { "answer.$_" } @refused), 'and all of those that may not');
    $session->value('ROLLBACK');
    $session->close;
}

# the right is taken back
$server->value(q{SELECT product.answer_dashboard_revoke('acme_watch')});
is(as_role('acme_watch', "SELECT * FROM answer.$_")->{state}, '42501', "$_ is taken back") for @views;
done_testing();
