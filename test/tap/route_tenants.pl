#!/usr/bin/env perl
# tiers: long
# Routes of tenants, in tests that need several sessions: nobody waits for another tenant's edit, each session sees its
# tenant's whole table, there are more tenants than a session keeps tables for, and copies.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Test::More;

my $server = AnswerServer->new('route_tenants');
my ($pg_dump, $pg_restore, $psql) = map { quotemeta AnswerServer::program($_) } qw(pg_dump pg_restore psql);
my @tenants = map { "t$_" } 1 .. 20;
$server->value('CREATE ROLE pool');
$server->value("CREATE ROLE $_") for map { "${_}_app" } @tenants[0, 1];
$server->value('CREATE DATABASE origin TEMPLATE template0');
$server->{dbname} = 'origin';
$server->value($_) for 'CREATE EXTENSION answer_eval', q{SELECT answer_tool_register('tide',
    required_args => '{port}')},
    (map { "SELECT answer_tenant_create('$_'), answer_tenant_grant('$_', 'pool')" } @tenants),
    (map { "SELECT answer_tenant_grant('$_', '${_}_app')" } @tenants[0, 1]),
    'GRANT USAGE ON SCHEMA answer TO pool, t1_app, t2_app',
    'GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public, answer TO pool, t1_app, t2_app',
    q{CREATE FUNCTION routed(question text) RETURNS text LANGUAGE sql AS
        $$ SELECT coalesce(answer.route_compile(question) #>> '{route,route_id}', 'refused') $$};

sub session_as {
    my ($role, %options) = @_;
    my $session = $server->session(%options);
    $session->value("SET ROLE $role");
    return $session;
}

sub register {
    my ($id, $pattern, %more) = @_;
    my $more = join '', map { ", $_ => $more{$_}" } sort keys %more;
    return "SELECT answer_route_register('$id', '$pattern', 'interrogative', 'tide', '{\"port\": 1}',
        examples => '{$pattern}'$more)";
}

# nobody waits for another's edit
{
    my ($one, $two, $operator) = (session_as('t1_app'), session_as('t2_app'), $server->session);
    $_->value(q{SET lock_timeout = '20s'}) for $one, $two, $operator;
    $one->value($_) for 'BEGIN', register('mine', 'mine');
    is($two->run(register('mine', 'my own'))->{state}, '00000', 'a tenant registers a route while another tenant does');
    is($operator->run(register('shared', 'shared'))->{state}, '00000', 'so does the operator');
    is($operator->run(q{SELECT answer_route_refresh(), answer.route_record()})->{state}, '00000', 'and refreshes');
    is($operator->value(q{SELECT routed('mine')}), 'refused', 'whose questions are not tried with either');
    is($one->value(q{SELECT routed('mine')}), 'mine', 'who edits sees the edit');
    my $same = session_as('t1_app');
    is($same->value(q{SELECT routed('mine')}), 'refused', 'others of the tenant do not, until it is committed');
    $same->value(q{SET lock_timeout = '100ms'});
    is($same->run(register('other', 'other'))->{state}, '55P03', 'a second edit of the same tenant waits');
    is($operator->run(q{SET lock_timeout = '100ms'; SELECT answer_tool_remove('tide')})->{state}, '55P03',
        'as does who would remove the tool that the route asks');
    $one->value('COMMIT');
    is($same->value(q{SELECT routed('mine')}), 'mine', 'committed, it is the tenant\'s');
    is($operator->run(q{SELECT answer_tool_remove('tide')})->{state}, '55000', 'and keeps its tool');
    # an edit that is rolled back, by a session that has read it
    $one->value($_) for 'BEGIN', 'SAVEPOINT s', q{SELECT answer_route_enable('mine', false)};
    is($one->value(q{SELECT routed('mine')}), 'refused', 'an edit in a subtransaction');
    $one->value('ROLLBACK TO s');
    is($one->value(q{SELECT routed('mine')}), 'mine', 'is undone with it');
    $one->value('COMMIT');
    is($one->value(q{SELECT routed('mine')}), 'mine', 'and stays undone');
    # an old snapshot keeps the tables that it shows
    $two->value($_) for 'BEGIN ISOLATION LEVEL REPEATABLE READ', 'SELECT 1';
    $operator->value(register('late', 'late'));
    $same->value(q{SELECT set_config('lock_timeout', '20s', false)});
    is($two->value(q{SELECT routed('late')}), 'refused', 'an old snapshot has no later shared route');
    $two->value('COMMIT');
    is($two->value(q{SELECT routed('late')}), 'late', 'a new one has it, beside the tenant\'s own');
    is($two->value(q{SELECT routed('my own')}), 'mine', 'which are there still');
    $_->close for $one, $two, $same, $operator;
}

# half an edit, as seen by a function that the statement calls, is never kept as a table
{
    my $session = $server->session;
    $session->value($_) for q{SET answer_eval.tenant = 't1'}, q{SELECT routed('mine')},
        q{CREATE FUNCTION changed(was text) RETURNS text LANGUAGE plpgsql
            AS $$ BEGIN PERFORM routed('mine'); RETURN was || ' x'; END $$};
    is($session->value(q{DO $$ BEGIN UPDATE answer.route SET pattern = changed(pattern)
        WHERE tenant = 't1'; RAISE 'no'; EXCEPTION
        WHEN OTHERS THEN NULL; END $$; SELECT routed('mine')}), 'mine',
            'a statement that breaks off leaves the table as it was');
    is($session->value(q{SELECT routed('mine')}), 'mine', 'for the next transaction, too');
    $session->close;
}

# a session that serves more tenants than it keeps tables for
{
    my $pool = session_as('pool');
    for my $n (0 .. $#tenants) {
        $pool->value("SET answer_eval.tenant = '$tenants[$n]'");
        next if $n < 2;
        $server->value($_) for "CREATE ROLE of_$tenants[$n]", "SELECT answer_tenant_grant('$tenants[$n]',
            'of_$tenants[$n]')",
            "GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public, answer TO of_$tenants[$n]";
        my $own = session_as("of_$tenants[$n]");
        $own->value(register("of.$tenants[$n]", "word of $tenants[$n]"));
        $own->close;
    }
    for my $turn (1 .. 3) {
        my @wrong = grep {
            my $tenant = $tenants[$_];
            my $next = $tenants[$_ < $#tenants ? $_ + 1 : 2];
            $pool->value("SET answer_eval.tenant = '$tenant'");
            $pool->value("SELECT routed('word of $tenant') || ' ' || routed('word of $next')") ne "of.$tenant refused";
        } 2 .. $#tenants;
        is("@wrong", '', "turn $turn: each tenant has its own routes and no other's");
    }
    is($pool->run('SET answer_eval.tenant = t1; SELECT routed(\'word of t3\')')->{out}, 'refused',
        'not one that was just read');
    $pool->close;
}

# copies
my $table = q{SELECT answer_digest(answer_route_table())};
my $of_one = session_as('t1_app');
my $digest = $of_one->value($table);
is($of_one->value(q{SELECT 'sha256:' || (answer_ask('mine') #>> '{route,router_sha256}')}), $digest,
    'a receipt has the digest of the table');
$of_one->close;
my $rows = q{SELECT string_agg(concat_ws(' ', tenant, route_id, position, registered_by, enabled),
    ',' ORDER BY tenant, route_id)
    || (SELECT count(*) FROM answer.route_table WHERE tenant <> '') FROM answer.route WHERE NOT seed};
my $before = $server->value($rows);
my $file = AnswerServer::tmp_dir() . '/routes.dump';
my $quiet = "$psql -X -q -v ON_ERROR_STOP=1";
my $to = '-h ' . quotemeta($server->{host}) . ' -p 5432';
AnswerServer::must('sh', '-c', "$pg_dump $to -Fc -f $file origin");
for my $how ("$pg_dump $to origin | $quiet $to -d copy", "$pg_restore $to -e -j 2 -d copy $file") {
    $server->value($_, dbname => 'postgres') for 'DROP DATABASE IF EXISTS copy',
        'CREATE DATABASE copy TEMPLATE template0';
    my ($status, $output) = AnswerServer::command('sh', '-c', $how);
    is($status, 0, 'restored') or diag($output);
    is($server->value($rows, dbname => 'copy'), $before, 'with all routes and the tables of tenants');
    my ($one, $two) = map { session_as($_, dbname => 'copy') } qw(t1_app t2_app);
    is($one->value($table), $digest, 'a tenant\'s table has the digest that it had');
    isnt($two->value($table), $digest, 'another\'s has its own');
    is($two->run(q{SELECT count(*) FROM answer.route_table})->{state}, '42501', 'which reads no table');
    is($server->value(q{SELECT count(*) FROM pg_class WHERE oid IN ('answer.route'::regclass,
        'answer.route_table'::regclass,
        'answer.route_state'::regclass) AND relrowsecurity}, dbname => 'copy'), 3, 'and the second wall is up');
    $_->close for $one, $two;
}
# and without triggers, which leaves the tokens out
$server->value($_, dbname => 'postgres') for 'DROP DATABASE IF EXISTS copy', 'CREATE DATABASE copy TEMPLATE template0';
AnswerServer::must('sh', '-c', "$pg_restore $to -e --section=pre-data -d copy $file");
AnswerServer::must('sh', '-c', "$pg_restore $to -e --data-only --disable-triggers -d copy $file");
$server->value(q{SELECT answer_tenant_grant('t1', 't1_app')}, dbname => 'copy');
my $one = session_as('t1_app', dbname => 'copy');
is($one->value(q{SELECT routed('mine')}), 'mine', 'routes of tenants are found without their tokens');
is($one->value($table), $digest, 'and are the same');
$one->close;

is($server->value(q{SELECT count(*) FROM answer_log_audit() WHERE finding <> 'forgotten'}), 0,
    'the audit finds nothing');

done_testing();
