#!/usr/bin/env perl
# tiers: long
# Graphs, in tests that need a server: a load that is cancelled, killed or lost in a crash leaves the old graph; two loads of
# one project at a time; copies of a database, in which everything that follows from nodes and edges is computed again.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Test::More;

my $server = AnswerServer->new('graph', extended => 1);
my ($pg_dump, $pg_restore) = map { quotemeta AnswerServer::program($_) } qw(pg_dump pg_restore);
# n nodes in files of ten, each with an edge to the next and to the very first; "letter" is their content
$server->value(q{CREATE FUNCTION nodes(n int, letter text) RETURNS jsonb LANGUAGE sql AS $$
    SELECT jsonb_agg(jsonb_build_object('id', 'n' || i, 'labels', '["Code"]'::jsonb, 'name', 'name' || i, 'docstring', 'word' || i % 100
        || ' ' || letter, 'source_path', 'f' || i / 10, 'content_hash', 'sha256:' || repeat(letter, 64), 'extraction_method', 'test'))
    FROM generate_series(1, n) AS i $$});
$server->value(q{CREATE FUNCTION edges(n int) RETURNS jsonb LANGUAGE sql AS $$
    SELECT jsonb_agg(jsonb_build_object('from', 'n' || i, 'to', 'n' || t, 'type', 'CALLS'))
    FROM generate_series(1, n) AS i, LATERAL (VALUES (1), (i % n + 1)) AS v (t) $$});
# everything that a search uses, and everything that it finds
my $state = q{SELECT md5(concat(
    (SELECT string_agg(n::text, '|' ORDER BY project, id) FROM (SELECT project, id, labels, name, path, docstring, content_hash FROM answer.graph_node) AS n),
    (SELECT string_agg(e::text, '|' ORDER BY project, from_id, to_id, type) FROM answer.graph_edge e),
    (SELECT string_agg(s::text, '|' ORDER BY project, id) FROM answer.graph_search s),
    (SELECT string_agg(concat(project, nodes, ' ', edges), '|' ORDER BY project) FROM answer.graph_project),
    (SELECT count(*) FROM answer.graph_loose),
    (SELECT string_agg(s::text, '|' ORDER BY id) FROM answer_graph_search('p', 'word7 of name8', 1000) AS s)))};
my $sound = q{SELECT NOT EXISTS (
        SELECT FROM answer.graph_search s FULL JOIN (SELECT n.*, r.* FROM answer.graph_node n,
            answer.graph_content(n.name, n.path, n.docstring, n.text) AS c,
            answer.search_items(answer.graph_scope(n.tenant, n.project), c.content, c.title) AS r) AS m USING (tenant, project, id)
        WHERE (s.path, s.labels, s.items, s.title_items, s.sketch) IS DISTINCT FROM (m.path, m.labels, m.items, m.title_items, m.sketch))
    AND NOT EXISTS (SELECT FROM answer.graph_edge e WHERE NOT EXISTS (SELECT FROM answer.graph_node n
            WHERE n.project = e.project AND n.id = e.from_id)
        OR NOT EXISTS (SELECT FROM answer.graph_node n WHERE n.project = e.project AND n.id = e.to_id))
    AND (SELECT (nodes, edges) = ((SELECT count(*) FROM answer.graph_node), (SELECT count(*) FROM answer.graph_edge))
        FROM answer.graph_set WHERE project = 'p')};

$server->value(q{SELECT answer_graph_load('p', nodes(200, 'a'), edges(200))});
my $old = $server->value($state);
is($server->value($sound), 't', 'what follows from the graph is as if it were counted now');
my $large = q{SELECT answer_graph_load('p', nodes(20000, 'b'), edges(20000))};

# Starts a load and waits until it has locked the project, then for a time of varying length.
sub begin_load {
    my ($delay) = @_;
    my $session = $server->session;
    $session->backend;
    $session->send($large);
    for (1 .. 2400) {
        last if $server->value(q{SELECT EXISTS (SELECT FROM pg_locks WHERE pid = } . $session->backend
            . q{ AND relation = 'answer.graph_set'::regclass AND mode = 'RowExclusiveLock')}) eq 't';
        nap(0.02);
    }
    nap($delay);
    return $session;
}

my $stopped = 0;
for my $delay (0, 0.2, 0.6) {
    my $session = begin_load($delay);
    $server->value('SELECT pg_cancel_backend(' . $session->backend . ')');
    my $result = $session->wait;
    $stopped++ if $result->{state} eq '57014';
    is($server->value($state), $old, "a load that is cancelled after $delay s leaves the old graph") if $result->{state} eq '57014';
    $server->value(q{SELECT answer_graph_forget('p')}), $server->value(q{SELECT answer_graph_load('p', nodes(200, 'a'), edges(200))})
        if $result->{state} ne '57014';
}
cmp_ok($stopped, '>', 0, 'a load is cancelled in its midst');

my $session = begin_load(0.3);
$server->value('SELECT pg_terminate_backend(' . $session->backend . ')');
isnt($session->wait->{state}, '00000', 'the backend of a load ends');
is($server->value($state), $old, 'a load whose backend ends leaves the old graph');

$session = begin_load(0.3);
$server->kill9;
$session->wait;
$server->start;
is($server->value($state), $old, 'a load that is lost with the machine leaves the old graph');
is($server->value(q{SELECT answer_graph_load('p', nodes(200, 'c'), edges(200)) #>> '{nodes,replaced}'}), 200, 'and the next one succeeds');
is($server->value($sound), 't', 'with all that follows from it');

# loads of one project run one after the other, so the order of their deletions is defined
my ($first, $second) = ($server->session, $server->session);
$_->value('BEGIN') for $first;
$first->value(q{SELECT answer_graph_load('p', nodes(100, 'd'), edges(100))});
$second->backend;
$second->send(q{SELECT answer_graph_load('p', nodes(150, 'e'), edges(150)) #>> '{nodes,created}'});
for (1 .. 2400) {
    last if $server->value('SELECT cardinality(pg_blocking_pids(' . $second->backend . ')) > 0') eq 't';
    nap(0.02);
}
is($server->value('SELECT cardinality(pg_blocking_pids(' . $second->backend . ')) > 0'), 't', 'the second load of a project waits');
$first->value('COMMIT');
is($second->wait->{state}, '00000', 'and follows the first');
is($server->value($sound), 't', 'and all is as it must be');

# edges before nodes, with COPY; they are checked at the end of the transaction
my $edge = $server->session;
$edge->value('BEGIN');
$edge->value(q{INSERT INTO answer.graph_edge (project, from_id, to_id, type) VALUES ('p', 'n1', 'nobody', 'CALLS')});
is($edge->run('COMMIT')->{state}, '22023', 'an edge without a node is refused at the end of the transaction');
is($server->value($sound), 't', 'and is not there');

# copies: restored serially and in parallel
my $now = $server->value($state);
my $to = "-h $server->{host} -p 5432 -U postgres";
my $file = "$server->{dir}/graph.dump";
AnswerServer::must('sh', '-c', "$pg_dump $to -Fc -f $file postgres");
for my $jobs (1, 4) {
    $server->value("CREATE DATABASE copy$jobs TEMPLATE template0");
    AnswerServer::must('sh', '-c', "$pg_restore $to -e -j $jobs -d copy$jobs $file");
    is($server->value($state, dbname => "copy$jobs"), $now, "a restore with $jobs job(s) has the same graph and finds the same");
    is($server->value($sound, dbname => "copy$jobs"), 't', 'and what follows from it');
    # the key is not there: restoring needs none, changing a graph does
    is($server->run(q{INSERT INTO answer.graph_edge (project, from_id, to_id, type) VALUES ('p', 'n1', 'n9', 'CALLS')},
        dbname => "copy$jobs")->{state}, '55000', 'and cannot be changed without a key');
    is($server->value(q{SELECT coalesce(string_agg(detail, '; '), '') FROM answer_log_audit() WHERE detail ~ 'project|graph'}, dbname => "copy$jobs"),
        '', 'and the audit has nothing to say of it');
    $server->value('SELECT answer_key_generate()', dbname => "copy$jobs");
    is($server->run(q{INSERT INTO answer.graph_edge (project, from_id, to_id, type) VALUES ('p', 'n1', 'nobody', 'CALLS')},
        dbname => "copy$jobs")->{state}, '22023', 'and refuses an edge without a node');
}

# an index finds nodes, whatever statistics the planner has
$server->value(q{SELECT answer_graph_load('p', nodes(20000, 'f'), edges(20000))});
for my $analyzed (0, 1) {
    $server->value('ANALYZE') if $analyzed;
    my $reader = $server->session(setup => [q{SELECT count(*) FROM answer_graph_search('p', 'name5')}]);
    $reader->value('BEGIN');
    $reader->value(q{SELECT count(*) FROM answer_graph_search('p', 'name5')});
    is($reader->value(q{SELECT seq_tup_read FROM pg_stat_xact_all_tables WHERE relid = 'answer.graph_node'::regclass}), 0,
        'no search reads all nodes, ' . ($analyzed ? 'with' : 'without') . ' statistics');
    is($reader->value(q{SELECT neighbor_count FROM answer_graph_node('p', 'n5')}), 3, 'a node has its neighbours');
    is($reader->value(q{SELECT seq_tup_read + idx_tup_fetch < 100 FROM pg_stat_xact_all_tables
        WHERE relid = 'answer.graph_edge'::regclass}), 't', 'which no look at all edges counts');
    $reader->close;
}
done_testing();
