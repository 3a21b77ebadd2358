#!/usr/bin/env perl
# tiers: test
# Evidence packets have the same hash in every encoding, locale and plan, with and without workers, in a copy, and with any
# settings. And a query is forgotten while others log it.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Test::More;

my $server = AnswerServer->new('packets');
my ($pg_dump, $pg_restore) = map { quotemeta AnswerServer::program($_) } qw(pg_dump pg_restore);
my @words = qw(refund policy order Refund_Service pay_back zürich straße invoice ship Ärger);

# A graph that follows from the seed, in letters that every encoding here has.
my (@nodes, @edges);
for my $i (1 .. 60) {
    my $document = rand() < 0.3;
    my ($name, $path) = (join('_', map { $words[rand @words] } 1 .. 2), 'src/' . $words[rand @words] . '.' . int(rand 9));
    push @nodes, sprintf('{"id": "n%d", "labels": ["%s"], "name": "%s", "path": "%s", "source_path": "%s", "content_hash": "sha256:%s",'
        . ' "extraction_method": "test", "indexed_at": "2026-01-01T00:00:00Z", "docstring": "%s", "last_modified": %d%s}', $i, $document ? 'Document' : 'Code', $name, $path, "src/$i",
        'ab' x 32, join(' ', map { $words[rand @words] } 1 .. 6), 1_700_000_000 + int(rand 70_000_000), $document ? ', "doc_type": "text"' : '');
}
push @edges, sprintf('{"from": "n%d", "to": "n%d", "type": "%s"}', 1 + int(rand 60), 1 + int(rand 60), rand() < 0.5 ? 'CALLS' : 'zürich') for 1 .. 150;
my $load = q{SELECT answer_graph_load('shop', } . quoted('[' . join(',', @nodes) . ']') . '::jsonb, ' . quoted('[' . join(',', @edges) . ']')
    . q{::jsonb) #>> '{nodes,created}'};
my $hashes = q{SELECT md5(string_agg(answer_digest(answer_packet('shop', q, '{"now": "2026-03-01T00:00:00Z", "limit": 30, "extended": true}')), ' ' ORDER BY q COLLATE "C"))
    FROM unnest('{refund,zürich policy,STRASSE,pay back order,ärger,nothing of it}'::text[]) AS q};

sub database {
    my ($dbname, $options) = @_;
    $server->value("CREATE DATABASE $dbname TEMPLATE template0 $options", dbname => 'postgres');
    return $server->session(dbname => $dbname, setup => ['SET client_min_messages = warning', q{SET client_encoding = 'UTF8'},
        'CREATE EXTENSION answer_eval']);
}

sub graph_in {
    my ($dbname, $options) = @_;
    my $session = database($dbname, $options);
    is($session->value($load), 60, "$dbname: the graph is loaded");
    return $session;
}

#
# the same everywhere
#
my $main = graph_in('packets_utf8', '');
my $expected = $main->value($hashes);
like($expected, qr/^[0-9a-f]{32}$/, 'packets have hashes');
is($main->value(q{SELECT count(*) FROM jsonb_array_elements(answer_packet('shop', 'refund') -> 'code_truth')}) > 0, 1, 'and hold something');
my %places = (latin1 => q{ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'});
$places{turkish} = q{LOCALE_PROVIDER icu ICU_LOCALE 'tr-TR'} if $server->value(q{SELECT count(*) FROM pg_collation WHERE collprovider = 'i'}) > 0;
for my $place (sort keys %places) {
    my $session = graph_in("packets_$place", $places{$place});
    is($session->value($hashes), $expected, "$place: the same packets");
    $session->close;
}
for my $plan ('enable_bitmapscan = off', 'enable_seqscan = off', 'enable_indexscan = off', 'enable_hashjoin = off', 'enable_nestloop = off',
    'extra_float_digits = 0', q{timezone = 'Asia/Tokyo'}, q{datestyle = 'German'}, 'gin_fuzzy_search_limit = 1', 'jit = off', 'work_mem = 64') {
    $main->value("SET $plan");
    is($main->value($hashes), $expected, "$plan: the same packets");
    $main->value('RESET ' . $plan =~ s/ =.*//r);
}
$main->value($_) for 'SET max_parallel_workers_per_gather = 4', 'SET parallel_setup_cost = 0', 'SET parallel_tuple_cost = 0',
    'SET min_parallel_table_scan_size = 0', 'SET min_parallel_index_scan_size = 0';
is($main->value($hashes), $expected, 'parallel workers: the same packets');
$main->value('RESET ALL');
$main->value(q{SET client_encoding = 'UTF8'});

# letters whose bytes sort differently from their code points; more neighbours and relationships than a packet lists
my %letters = (KOI8R => [qw(а б в г д е ж з и к л м н о п р с т у ф х ц ч ш щ)],
    EUC_JP => [qw(一 丁 七 万 三 上 下 世 中 丸 主 久 乗 九 亜 唖 娃 阿 哀 愛 挨 逢 葵 茜 悪)]);
for my $encoding (sort keys %letters) {
    my @some = @{ $letters{$encoding} };
    my @ids = map { my $i = $_; map { $_ . $i } @some } 1 .. 3;
    my $rest = '"labels": ["Code"], "extraction_method": "test", "docstring": "all", "content_hash": "sha256:'
        . 'ab' x 32 . '"';
    my $nodes = join ',',
        map { qq({"id": "$_", "name": "$some[rand @some]", "source_path": "$some[rand @some]", $rest}) } @ids;
    my @pairs = map { my $from = $_; map { qq("from": "$from", "to": "$_") } @ids } @ids;
    my $edges = join ',', map { qq({$_, "type": "$some[rand @some]"}) } @pairs;
    my @loaded = (q{SELECT answer_graph_load('letters', } . quoted("[$nodes]") . '::jsonb, ' . quoted("[$edges]")
            . q{::jsonb) #>> '{edges,created}'},
        q{SELECT answer_packet('letters', 'all', '{"now": "2026-03-01T00:00:00Z", "limit": 60}') ->> 'content_hash'});
    my ($there, $here) = map { my $place = $_; [map { $place->value($_) } @loaded] }
        database('packets_' . lc $encoding, "ENCODING '$encoding' LC_COLLATE 'C' LC_CTYPE 'C'"), $main;
    is($there->[0], scalar @pairs, "$encoding: the graph is loaded");
    is($there->[1], $here->[1], "$encoding: the same packet");
}

# a copy of the database, with the same receipt
my $receipt = $main->value(q{SELECT answer_packet_receipt('shop', 'zürich policy')});
my $to = join(' ', map { quotemeta } '-h', $server->{host}, '-p', 5432, '-U', 'postgres');
$server->value('CREATE DATABASE packets_copy TEMPLATE template0', dbname => 'postgres');
AnswerServer::must('sh', '-c', "$pg_dump $to -Fc packets_utf8 | $pg_restore $to -d packets_copy");
my $copy = $server->session(dbname => 'packets_copy', setup => [q{SET client_encoding = 'UTF8'}]);
is($copy->value($hashes), $expected, 'a copy: the same packets');
is($copy->value('SELECT answer_replay(' . quoted($receipt) . q{::jsonb)}), '{"ok": true, "graph": {"state": "same"}}', 'the receipt replays there');
is($copy->value('SELECT count(*) FROM answer.packet_log'), 1, 'the log came along');

#
# one session forgets a query while another logs it
#
$main->value(q{SELECT answer_packet('shop', 'refund', '{"log": true, "query_id": "q"}') ->> 'status'});
my ($writer, $eraser) = map { $server->session(dbname => 'packets_utf8') } 1 .. 2;
my $pid = $eraser->backend;
$writer->value('BEGIN');
$writer->value(q{SELECT answer_packet_receipt('shop', 'refund', '{"query_id": "q"}') ->> 'receipt_id'});
$eraser->send(q{SELECT answer_forget('q', 'test')});
my $blocked = 0;
for (1 .. 2400) {
    last if $blocked = $main->value("SELECT cardinality(pg_blocking_pids($pid)) > 0") eq 't';
    AnswerServer::nap(0.05);
}
is($blocked, 1, 'forgetting waits for whoever signs');
$writer->value('COMMIT');
my $forgotten = $eraser->wait->{out};
is($main->value('SELECT jsonb_array_length(' . quoted($forgotten) . q{::jsonb -> 'receipts')}), 1, 'and forgets that too');
is($main->value(q{SELECT count(*) FROM answer.packet_log WHERE query_id = 'q'}), 0, 'and no row of the log is left');

#
# nodes found by an embedding
#
SKIP: {
    skip 'pgvector is not installed on this machine', 1
        unless $server->value(q{SELECT count(*) FROM pg_available_extensions WHERE name = 'vector'});
    my $options = q{{"now": "2026-03-01T00:00:00Z", "limit": 12, "embedding": [0.5, 0.5, 0.3]}};
    my $ask = qq{answer_packet('shop', 'refund', '$options')};
    is($main->run("SELECT $ask")->{state}, '55000', 'an embedding needs pgvector');
    $main->value($_) for 'CREATE SCHEMA of_vector', 'CREATE EXTENSION vector SCHEMA of_vector';
    is($main->value("SELECT $ask ->> 'status'"), 'insufficient_evidence', 'nothing has an embedding yet');
    $main->value(q{SELECT count(answer_graph_embed('shop', id, ARRAY[sin(n), cos(2 * n), 0.3 + n % 7]::real[]))
        FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM answer.graph_node WHERE project = 'shop') AS s
        WHERE n < 50});
    $main->value(q{SELECT answer_graph_embed('shop', 'n58', '{0.5,0.5}')});
    my $exact = q{SELECT string_agg(id || '=' || score, ' ' ORDER BY score DESC, path COLLATE "C", id COLLATE "C")
        FROM (SELECT id, path, trim_scale(round(((SELECT sum(x * q) FROM unnest(embedding::float8[], v) AS u (x, q))
            / sqrt((SELECT sum(x * x) FROM unnest(embedding::float8[]) AS u (x)))
            / sqrt((SELECT sum(q * q) FROM unnest(v) AS u (q))))::numeric, 4)) AS score
        FROM answer.graph_embedding JOIN answer.graph_node USING (tenant, project, id),
            (VALUES ('{0.5,0.5,0.3}'::float8[])) AS p (v)
        WHERE project = 'shop' AND cardinality(embedding) = 3
        ORDER BY 3 DESC, path COLLATE "C", id COLLATE "C" LIMIT 12) AS s};
    my $found = qq{SELECT string_agg(e ->> 'id' || '=' || (e ->> 'score'), ' ' ORDER BY (e -> 'score')::numeric DESC,
        e ->> 'path' COLLATE "C", e ->> 'id' COLLATE "C") FROM (SELECT $ask AS p) AS a,
        jsonb_array_elements(p -> 'code_truth' || (p -> 'doc_claims')) AS e};
    is($main->value($found), $main->value($exact), 'the score is the cosine, and the nodes are the nearest');
    unlike($main->value($found =~ s/"limit": 12/"limit": 100/r), qr/n58=/, 'but what is of another model');
    is($main->value("SELECT count(*) FROM answer.packet_validate($ask)"), 0, 'the packet is sound');
    is($main->value(qq{SELECT count(*) FROM answer_packet('shop', 'refund', '$options'::jsonb || '{"labels": ["Document"]}') AS p
        WHERE p -> 'code_truth' = '[]' AND jsonb_array_length(p -> 'doc_claims') > 1}), 1, 'and a filter is for it, too');
    my $hash = $main->value("SELECT $ask ->> 'content_hash'");
    for my $plan ('enable_seqscan = off', 'enable_indexscan = off', 'extra_float_digits = -15',
        'search_path = pg_temp, public') {
        $main->value("SET $plan");
        is($main->value("SELECT $ask ->> 'content_hash'"), $hash, "$plan: the same packet");
        $main->value('RESET ' . $plan =~ s/ =.*//r);
    }
    my $signed = quoted($main->value(qq{SELECT answer_packet_receipt('shop', 'refund', '$options')})) . '::jsonb';
    is($main->value("SELECT $signed #>> '{packet,content_hash}'"), $hash, 'signed, it is the same');
    is($main->value("SELECT $signed #> '{reproduce,evaluator,rules}'"), '["packet/1", "veracity/1"]',
        'and names no rule for texts');
    is($main->value("SELECT answer_verify_ok($signed)"), 't', 'it verifies');
    is($main->value("SELECT answer_replay($signed)"), '{"ok": true, "graph": {"state": "same"}}', 'and replays');
    $main->value(qq{SELECT answer_graph_embed('shop', $signed #>> '{packet,code_truth,0,id}', '{-0.5,-0.5,-0.3}')});
    is($main->value("SELECT answer_replay($signed) #>> '{graph,state}'"), 'changed', 'not after another embedding');
    $main->value('DROP EXTENSION vector');
    like($main->value("SELECT answer_replay($signed)"), qr/"ok": true.*"absent".*pgvector is not installed/,
        'without pgvector the packet alone is made again');
}
done_testing();
