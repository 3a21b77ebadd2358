#!/usr/bin/env perl
# tiers: long
# The queries for prometheus-postgres-exporter, run by the exporter: it must serve what the views say, with all metrics, and a
# broken query must be noticed.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use HTTP::Tiny;
use IO::Socket::INET;
use Test::More;

my $program = $ENV{ANSWER_EVAL_EXPORTER} || (grep { -x } map { "$_/prometheus-postgres-exporter" } split /:/, $ENV{PATH})[0];
plan skip_all => 'no prometheus-postgres-exporter (the package of that name), nor ANSWER_EVAL_EXPORTER' if !$program;

my $server = AnswerServer->new('exporter', extended => 1);
$server->value($_) for 'CREATE ROLE scraper LOGIN', q{SELECT answer_dashboard_grant('scraper')},
    q{SELECT answer_eval('{"checks": [{"tool": "postgres_server"}]}') FROM generate_series(1, 3)}, 'SELECT answer_log_seal()',
    q{SELECT answer_config_promote('dev', answer_config_create('{"freshness_days": 0}', 'a test'))};
my $queries = AnswerServer::slurp(AnswerServer::root_dir() . '/examples/prometheus/answer_eval_queries.yaml');
# every metric, by its query
my %metrics;
for (split /\n/, $queries) {
    $metrics{query} = $1 if /^(\w+):$/;
    push @{ $metrics{of}{ $metrics{query} } }, "$metrics{query}_$1" if /^\s+- (\w+): \{usage: (?!LABEL)/;
}
my @all = sort map { @$_ } values %{ $metrics{of} };

# What the exporter serves after it has run its queries.
sub scrape {
    my ($file) = @_;
    my $probe = IO::Socket::INET->new(Listen => 1, LocalAddr => '127.0.0.1') or die "no port: $!";
    my $port = $probe->sockport;
    $probe->close;
    my $pid = fork();
    die "no fork: $!" if !defined $pid;
    if (!$pid) {
        $ENV{DATA_SOURCE_NAME} = "host=$server->{host} port=5432 user=scraper dbname=postgres sslmode=disable";
        open STDOUT, '>', '/dev/null';
        open STDERR, '>', '/dev/null';
        exec $program, "--extend.query-path=$file", "--web.listen-address=127.0.0.1:$port", '--disable-default-metrics', '--disable-settings-metrics';
        die "no exec: $!";
    }
    my $page = '';
    for (1 .. 600) {
        my $answer = HTTP::Tiny->new(timeout => 60)->get("http://127.0.0.1:$port/metrics");
        $page = $answer->{content} if $answer->{success};
        last if $page =~ /^pg_exporter_last_scrape_error /m;
        AnswerServer::nap(0.2);
    }
    kill 'TERM', $pid;
    waitpid $pid, 0;
    return $page;
}
sub missing { my ($page) = @_; return join ' ', grep { $page !~ /^$_\{/m } @all }

my $file = AnswerServer::tmp_dir() . '/queries.yaml';
my $page = scrape(AnswerServer::spew($file, $queries, 0644));
sub metric {
    my ($name, %labels) = @_;
    for my $line (grep { /^\Q$name\E\{/ } split /\n/, $page) {
        return $1 if !(grep { $line !~ /[{,]$_="\Q$labels{$_}\E"/ } keys %labels) && $line =~ / (\S+)$/;
    }
    return 'none';
}
cmp_ok(scalar(@all), '>=', 20, 'there are metrics: ' . scalar(@all));
is(missing($page), '', 'each is served');
like($page, qr/^pg_exporter_last_scrape_error 0$/m, 'the exporter had no error');
like($page, qr/^pg_exporter_user_queries_load_error\{[^}]*\} 0$/m, 'and could read the file');
is(metric('answer_eval_slo_answers', window => '1h', tenant => '*'), 3, 'answers');
cmp_ok(metric('answer_eval_slo_p95_seconds', window => '30d', tenant => '*'), '>', 0, 'their latency');
is(metric('answer_eval_slo_burn_state', objective => 'contradiction', tenant => '*'), 0, 'the state of a budget');
is(metric('answer_eval_log_leaves'), $server->value('SELECT leaves FROM answer.dashboard_log'), 'leaves of the log');
is(metric('answer_eval_log_last_audit_time_seconds'), 'NaN', 'what never was is no number');
is(metric('answer_eval_key_file_present', status => 'active'), 1, 'the key and its file');
is(metric('answer_eval_gate_state', environment => 'dev', tenant => ''), 2, 'the latest gate of an environment');
is(metric('answer_eval_gate_failures', environment => 'dev'), 2, 'and how many reasons it gave');

# the same with one broken query, for each query in turn
for my $query (sort keys %{ $metrics{of} }) {
    (my $broken = $queries) =~ s/^($query:\n  query: \|\n.*?\bFROM (?:answer\.|(?=answer_)))/$1no_/ms or die "no query $query";
    my $served = scrape(AnswerServer::spew($file, $broken, 0644));
    is(missing($served), join(' ', sort @{ $metrics{of}{$query} }), "$query is broken: its metrics are gone and no others");
    like($served, qr/^pg_exporter_last_scrape_error 1$/m, 'and the exporter says that there is an error');
}
is($server->crashed, 0, 'the server lost no process');
done_testing();
