#!/usr/bin/env perl
# citus: the gain of two nodes, on one machine and so by the CPU time of each node: a check and its composite over facts,
# receipts through delegated functions, and verifying all receipts with the keys of all nodes. Prints a table, and says whether results differ.
# Arguments: the number of facts, of receipts. Needs CitusCluster.pm; run.sh starts it.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../tap/lib";
use AnswerServer;
use CitusCluster;
use Test::More;
use Time::HiRes qw(time);

my ($facts, $receipts) = @ARGV;
my $cluster = CitusCluster->new(workers => 2, conf => ['fsync = on', 'shared_buffers = 256MB', 'max_wal_size = 4GB', 'jit = off',
    'citus.shard_count = 4', 'max_parallel_workers_per_gather = 0']);
my ($coordinator, @workers) = @{$cluster->{nodes}};
for my $node ($coordinator, @workers) {
    $node->value('CREATE DATABASE bench');
    $node->{dbname} = 'bench';
    $node->value('CREATE EXTENSION citus');
}
my $session = $coordinator->session;
sub at { my ($sql) = @_; return $session->value($sql) }
at("SELECT citus_set_coordinator_host('$coordinator->{host}', 5432)");
at("SELECT citus_add_node('$workers[0]{host}', 5432)");
at('CREATE EXTENSION answer_eval');
at(q{CREATE TABLE fact (tenant int NOT NULL, fact jsonb NOT NULL)});
at(q{SELECT create_distributed_table('fact', 'tenant')});
at("INSERT INTO fact SELECT i % 64, jsonb_build_object('fact', 't', 'value', round((i::bigint * 7919 % 10000) / 100.0, 2),
    'timestamp', '2026-06-09T04:40:24Z', 'verification', '{\"confidence\": 0.8}'::jsonb) FROM generate_series(1, $facts) AS i");

# The CPU time of all sessions of a node, also of those that have ended, which the postmaster counts after reaping them. So no session
# may begin or end while it is read.
sub cpu {
    my ($node) = @_;
    my $postmaster = $node->postmaster_pid;
    for (1 .. 1000) {
        my $ticks = 0;
        my $were = join(' ', sort(AnswerServer::children($postmaster)));
        for my $pid ($postmaster, split / /, $were) {
            open(my $stat, '<', "/proc/$pid/stat") or next;
            my @fields = split / /, (<$stat> // '') =~ s/^.*\) //sr;
            $ticks += $fields[11] + $fields[12] + ($pid == $postmaster ? $fields[13] + $fields[14] : 0);
        }
        return $ticks / 100 if $were eq join(' ', sort(AnswerServer::children($postmaster)));
        nap(0.05);
    }
    die "the sessions of $node->{name} come and go all the time\n";
}

# Runs a statement some times; returns the median seconds, the results, and the CPU time of each node per run.
sub measure {
    my ($sql, $times) = @_;
    my (@seconds, %results);
    my %before = map { $_->{name} => cpu($_) } $coordinator, @workers;
    for (1 .. $times) {
        my $start = time;
        $results{at($sql)} = 1;
        push @seconds, time - $start;
    }
    my @sorted = sort { $a <=> $b } @seconds;
    return ($sorted[$#sorted / 2], join(' / ', keys %results), map { (cpu($_) - $before{$_->{name}}) / $times } $coordinator, @workers);
}

my $check = q{SELECT answer_composite(c.verdict, c.confidence, true) FROM fact AS f,
    answer_check('{"tool": "t", "expect": {"op": "gte", "value": 50}}', f.fact, '2026-06-09T04:40:24Z') AS c};
my $times = $ENV{BENCH_REPETITIONS} || 7;
print "citus: check and composite over $facts facts, median of $times; CPU in seconds a run\n";
printf "%-8s %9s  %12s %8s %8s   %s\n", 'nodes', 'seconds', 'coordinator', 'worker1', 'worker2', 'result';
$_->value('VACUUM ANALYZE') for $workers[0];
at($check);
my ($one, $result_one, @cpu) = measure($check, $times);
printf "%-8d %9.3f  %12.2f %8.2f %8.2f   %s\n", 1, $one, @cpu, $result_one;
at("SELECT citus_add_node('$workers[1]{host}', 5432)");
at(q{SELECT rebalance_table_shards(shard_transfer_mode => 'block_writes')});
$_->value('VACUUM ANALYZE') for @workers;
at($check);
my ($two, $result_two, @cpu2) = measure($check, $times);
printf "%-8d %9.3f  %12.2f %8.2f %8.2f   %s\n", 2, $two, @cpu2, $result_two;
printf "the results are %s; the busier worker has %.2f of the work that the only one had\n",
    $result_one eq $result_two ? 'the same' : 'DIFFERENT', ($cpu2[1] > $cpu2[2] ? $cpu2[1] : $cpu2[2]) / $cpu[1];

# receipts through delegation: a client for each worker's tenants, and one call per transaction
at(q{SELECT count(*) FROM run_command_on_all_nodes('SELECT answer_key_generate()')});
at(q{CREATE TABLE asked (tenant int NOT NULL, n int NOT NULL)});
at(q{SELECT create_distributed_table('asked', 'tenant', colocate_with => 'fact')});
at(q{CREATE FUNCTION ask(for_tenant int, for_n int) RETURNS text LANGUAGE plpgsql AS $$BEGIN
    INSERT INTO public.asked VALUES (for_tenant, for_n);
    RETURN public.answer_eval(jsonb_build_object('checks', jsonb_build_array(jsonb_build_object('tool', 'counted', 'expect', '{"op": "gte", "value": 3}'::jsonb)),
        'evidence', jsonb_build_array(jsonb_build_object('fact', 'counted', 'value', for_n)))) ->> 'verdict'; END$$});
at(q{SELECT create_distributed_function('ask(int, int)', 'for_tenant', colocate_with => 'fact', force_delegation => true)});
sub delegate {
    my ($clients) = @_;
    my $script = AnswerServer::tmp_dir() . '/ask.sql';
    spew($script, "\\set t random(0, 63)\n\\set n random(1, 9)\nSELECT ask(:t, :n);\n");
    my $each = int($receipts / $clients);
    my $output = AnswerServer::must(AnswerServer::program('pgbench'), '-n', '-h', $coordinator->{host}, '-p', '5432', '-U', 'postgres',
        '-c', $clients, '-j', $clients, '-t', $each, '-f', $script, 'bench');
    my ($tps) = $output =~ /tps = ([0-9.]+)/;
    return $tps;
}
delegate(1);
for my $clients (1, 2, 4) {
    my %before = map { $_->{name} => cpu($_) } $coordinator, @workers;
    my $tps = delegate($clients);
    printf "citus: receipts through delegation, %d client%s: %.0f a second; CPU in ms a receipt: coordinator %.2f, workers %.2f\n", $clients,
        $clients == 1 ? '' : 's', $tps, map { 1000 * $_ / (int($receipts / $clients) * $clients) } cpu($coordinator) - $before{coordinator},
        cpu($workers[0]) - $before{worker1} + cpu($workers[1]) - $before{worker2};
}
my $keys = at(q{SELECT jsonb_agg(e) FROM run_command_on_all_nodes('SELECT answer_key_registry()') AS r, jsonb_array_elements(r.result::jsonb) AS e});
my $verify = sprintf(q{SELECT string_agg(r.result, ', ' ORDER BY r.nodeid) FROM run_command_on_all_nodes(format(
    'SELECT count(*) FILTER (WHERE answer_verify_ok(body, %%L)) || '' of '' || count(*) FROM answer.receipt', %s)) AS r}, quoted($keys));
my ($seconds, $verified) = measure($verify, 1);
printf "citus: all receipts of all nodes verified with the union of keys in %.2f s: %s\n", $seconds, $verified;
ok(1);
done_testing();
