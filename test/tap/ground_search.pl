#!/usr/bin/env perl
# tiers: test
# Retrieval: how well the golden set is answered, with the figures in doc/ground.md; a search finds the same as scoring every
# chunk, in every database, plan and copy; loading and forgetting at the same time; embeddings, if pgvector is installed.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Test::More;

my $root = root_dir();
plan skip_all => 'the documents and the golden set are not here' unless -f "$root/test/ground/golden.json";

my $server = AnswerServer->new('search', extended => 1);
my ($pg_dump, $pg_restore) = map { quotemeta AnswerServer::program($_) } qw(pg_dump pg_restore);
my $corpus = slurp("$root/examples/ground/documents.json");
my $golden = slurp("$root/test/ground/golden.json");

# A database with the corpus in it, and a session there.
sub corpus_in {
    my ($dbname, $options) = @_;
    $server->value("CREATE DATABASE $dbname TEMPLATE template0 $options", dbname => 'postgres');
    my $session = $server->session(dbname => $dbname, setup => ['SET client_min_messages = warning', q{SET timezone = 'UTC'},
        'CREATE EXTENSION answer_eval', 'CREATE TABLE golden (id text, half text, query text, relevant text[])']);
    $session->value('SELECT answer_document_load((' . quoted($corpus) . q{::jsonb) -> 'documents') ->> 'created'});
    $session->value(q{INSERT INTO golden SELECT q ->> 'id', q ->> 'half', q ->> 'query', ARRAY(SELECT jsonb_array_elements_text(q -> 'relevant'))
        FROM jsonb_array_elements((} . quoted($golden) . q{::jsonb) -> 'queries') AS q});
    return $session;
}

my $main = corpus_in('corpus', '');

#
# the golden set
#
is($main->value('SELECT count(*) >= 40 FROM answer_documents()'), 't', 'the corpus has at least 40 documents');
is($main->value(q{SELECT string_agg(n::text, ' ' ORDER BY half) FROM (SELECT half, count(*) AS n FROM golden GROUP BY half) AS h}), '61 61',
    'half of the questions were held out');
is($main->value(q{SELECT count(*) FROM golden, unnest(relevant) AS r WHERE r NOT IN (SELECT chunk_id FROM answer.chunk WHERE tenant = '')}), 0,
    'every chunk that a question names is there');
$main->value('CREATE TABLE hit AS SELECT g.*, s.chunk_id, s.similarity, s.place FROM golden g
    LEFT JOIN LATERAL (SELECT s.*, row_number() OVER () AS place FROM answer_search(g.query) AS s) AS s ON true');

# By threshold: questions with an answer whose hits are kept and whose first hit is an answer; questions without an answer whose hits are kept;
# precision and recall of the chunks among five hits.
my $curve = $main->value(q{
    SELECT string_agg(format('| %s | %s | %s of %s | %s | %s of %s | %s | %s |', half, to_char(t, '0.99'), kept, answerable, first_right,
        false_kept, unanswerable, to_char(precision, '0.000'), to_char(recall, '0.000')), chr(10) ORDER BY half DESC, t)
    FROM (SELECT half, t,
            count(*) FILTER (WHERE place = 1 AND relevant <> '{}' AND similarity >= t) AS kept,
            count(*) FILTER (WHERE place = 1 AND similarity >= t AND chunk_id = ANY (relevant)) AS first_right,
            count(*) FILTER (WHERE place = 1 AND relevant = '{}' AND similarity >= t) AS false_kept,
            (SELECT count(*) FROM golden g WHERE g.half = h.half AND relevant <> '{}') AS answerable,
            (SELECT count(*) FROM golden g WHERE g.half = h.half AND relevant = '{}') AS unanswerable,
            round(count(*) FILTER (WHERE similarity >= t AND chunk_id = ANY (relevant))::numeric
                / nullif(count(*) FILTER (WHERE similarity >= t), 0), 3) AS precision,
            round(count(*) FILTER (WHERE similarity >= t AND chunk_id = ANY (relevant))::numeric
                / (SELECT sum(cardinality(relevant)) FROM golden g WHERE g.half = h.half), 3) AS recall
        FROM hit h, unnest('{0.3,0.4,0.5,0.6,0.7,0.8,0.9}'::numeric[]) AS t GROUP BY half, t) AS c});
$curve =~ s/ +/ /g;
note($curve);
my ($documented) = slurp("$root/doc/ground.md") =~ /^((?:\| (?:tune|held-out) \|.*\n)+)/m;
is($curve . "\n", $documented // '', 'the curve is the one of doc/ground.md');
for my $half ('tune', 'held-out') {
    for my $threshold ('0.60', '0.70') {
        my ($kept, $answerable, $first, $false) =
            $curve =~ /^\| $half \| \Q$threshold\E \| (\d+) of (\d+) \| (\d+) \| (\d+) of/m or die "no line for $half $threshold";
        cmp_ok($false, '<=', 1, "$half, $threshold: one is kept at most that nothing answers");
        cmp_ok($first, '>=', ($threshold eq '0.60' ? 0.85 : 0.8) * $answerable, "$half, $threshold: the first hit is an answer");
    }
}

# the questions for whose decisions the documents were written
my %expected = (
    'What is the data retention policy?' => 'data-retention-faq#p0=1 data-retention-policy#p0=1 data-retention-policy#p2=1 data-retention-faq#p1=0.8667 data-retention-policy#p3=0.8667',
    'Can we store SSNs in plaintext?' => 'security-policy-legacy-v1.0#p0=1 security-policy-v2.1#p1=1',
    'What is the API rate limit?' => 'api-rate-limits-2021#p0=1 api-rate-limits-2021#p1=1 api-rate-limits-2024#p0=1 api-rate-limits-2024#p1=0.75',
    'xyzabc random query that wont match' => '',
    'Can we downgrade without penalties?' => 'plan-changes#p0=1 plan-changes#p1=1',
    'What is our refund policy?' => 'refund-policy-general#p0=1 refund-policy-general#p2=1 refund-policy-general#p1=0.8333'
        . ' refund-policy-promotional#p0=0.8333 refund-policy-promotional#p1=0.6667',
);
for my $query (sort keys %expected) {
    is($main->value(q{SELECT string_agg(chunk_id || '=' || similarity, ' ') FROM answer_search(} . quoted($query) . ') WHERE similarity >= 0.4'),
        $expected{$query}, $query);
}
my $now = $main->value('SELECT ' . quoted($corpus) . q{::jsonb ->> 'now'});
is($main->value(qq{SELECT bool_and("timestamp" >= '$now'::timestamptz - interval '30 days') FROM answer_search('What is the data retention policy?')}), 't',
    'what is found about retention is at most 30 days old by the pinned clock');

#
# the search finds the same as scoring every chunk
#
my $every_chunk = qq{SELECT g.query, c.chunk_id, answer.text_score(g.query, c.text, c.title)::float8 AS similarity FROM golden g,
    answer.chunk c WHERE c.tenant = '' AND c.version = (SELECT max(version) FROM answer.document d WHERE d.tenant = '' AND d.doc_id = c.doc_id)};
sub differences {
    my ($session, $k) = @_;
    return $session->value(qq{WITH every AS MATERIALIZED ($every_chunk), best AS (SELECT query, chunk_id, similarity, place FROM (
            SELECT e.*, row_number() OVER (PARTITION BY query ORDER BY similarity DESC, chunk_id COLLATE "C") AS place FROM every e
            WHERE similarity > 0) AS p WHERE place <= $k),
        found AS (SELECT g.query, s.chunk_id, s.similarity, s.place FROM golden g,
            LATERAL (SELECT s.*, row_number() OVER () AS place FROM answer_search(g.query, $k) AS s) AS s)
        SELECT count(*) FROM ((TABLE best EXCEPT TABLE found) UNION ALL (TABLE found EXCEPT TABLE best)) AS d});
}
is(differences($main, $_), 0, "k = $_: the hits are those of scoring every chunk") for 1, 5, 1000;

#
# the same everywhere
#
my $all = q{SELECT md5(string_agg(concat_ws(' ', g.id, s.chunk_id, s.similarity, s.text), chr(10) ORDER BY g.id COLLATE "C", s.place)) FROM golden g,
    LATERAL (SELECT s.*, row_number() OVER () AS place FROM answer_search(g.query, 50) AS s) AS s};
my $digest = $main->value($all);
my %places = (latin1 => q{ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'}, euc_jp => q{ENCODING 'EUC_JP' LC_COLLATE 'C' LC_CTYPE 'C'},
    sql_ascii => q{ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C'});
$places{turkish} = q{LOCALE_PROVIDER icu ICU_LOCALE 'tr-TR'} if $server->value(q{SELECT count(*) FROM pg_collation WHERE collprovider = 'i'}) > 0;
for my $place (sort keys %places) {
    my $session = corpus_in("corpus_$place", $places{$place});
    is($session->value($all), $digest, "$place: the same hits");
    $session->close;
}
for my $plan ('enable_bitmapscan = off', 'enable_seqscan = off', 'enable_indexscan = off', 'extra_float_digits = 0', q{timezone = 'Asia/Tokyo'}) {
    $main->value("SET $plan");
    is($main->value($all), $digest, "$plan: the same hits");
    $main->value('RESET ' . $plan =~ s/ =.*//r);
}
$main->value($_) for 'SET max_parallel_workers_per_gather = 4', 'SET parallel_setup_cost = 0', 'SET parallel_tuple_cost = 0', 'SET min_parallel_table_scan_size = 0';
is($main->value($all), $digest, 'parallel workers: the same hits');
$main->value('RESET ALL');

# a letter whose lower-case form the server's encoding lacks
my $latin = $server->session(dbname => 'corpus_latin1', setup => [q{SET client_encoding = 'UTF8'}]);
$latin->value(q{SELECT answer_document_load('[{"doc_id": "micro", "title": "Straße", "timestamp": "2024-01-01", "text": "Ein µ-Controller für Zürich."}]') ->> 'created'});
is($latin->value(q{SELECT string_agg(chunk_id || ' ' || similarity, ', ') FROM answer_search('ZÜRICH µ straße', 1)}), 'micro#p0 0.8667',
    'LATIN1: words that fold to what the encoding lacks are found') or note($latin->value(q{SELECT answer_search('ZÜRICH µ straße', 1)}));
$latin->close;

#
# random documents: what is found, counted and stored after loads, changes and erasures
#
$server->value('CREATE DATABASE many TEMPLATE postgres');
my $many = $server->session(dbname => 'many', setup => ['SET client_min_messages = warning',
    'CREATE TABLE golden (id text, half text, query text, relevant text[])']);
my @syllables = qw(re fund po li cy an gra de ab or ti on s ed ing un);
sub word { return join('', map { $syllables[rand @syllables] } 1 .. 1 + int(rand 3)) }
my $miscounted = q{SELECT count(*) FROM (SELECT item, chunks FROM answer.chunk_item WHERE tenant = '') AS i FULL JOIN (SELECT substring(t.term FROM 2) AS item,
    count(*) AS chunks FROM answer.chunk_search s, unnest(s.items) AS t (term) WHERE s.tenant = '' GROUP BY 1) AS c USING (item) WHERE i.chunks IS DISTINCT FROM c.chunks};
for my $turn (1 .. by_tier(6, 6, 40)) {
    my %documents;
    for (1 .. 1 + int(rand 12)) {
        my $id = 'd' . int(rand 25);
        $documents{$id} = sprintf('{"doc_id": "%s", "title": "%s", "timestamp": "2024-01-%02d", "text": "%s"}', $id, join(' ', word(), word()),
            1 + int(rand 28), join('\n\n', map { join(' ', map { word() } 1 .. 1 + int(rand 8)) } 1 .. 1 + int(rand 4)));
    }
    $many->value("SELECT answer_document_load('[" . join(', ', map { $documents{$_} } sort keys %documents) . "]') ->> 'chunks'");
    $many->value(q{SELECT count(answer_forget(doc_id, 'test')) FROM answer_documents('{"doc_ids": ["d} . int(rand 25) . q{"]}')});
    $many->value('TRUNCATE golden');
    $many->value(sprintf(q{INSERT INTO golden VALUES ('%d', '', '%s', '{}')}, $_, join(' ', map { word() } 1 .. 1 + int(rand 4)))) for 1 .. 4;
    is(differences($many, 1 + int(rand 12)), 0, "turn $turn: the hits are those of scoring every chunk");
    is($many->value($miscounted), 0, "turn $turn: items are counted as the chunks have them");
}
is($many->value(q{SELECT string_agg(detail, '; ') FROM answer_log_audit() WHERE finding <> 'forgotten'}), '', 'the audit finds nothing');

#
# several sessions at the same time
#
my ($one, $other) = map { my $s = $server->session(dbname => 'many'); $s->backend; $s } 1, 2;
sub blocked {
    my ($session) = @_;
    my $pid = $session->{backend};
    for (1 .. 2400) {
        return 1 if $server->value("SELECT cardinality(pg_blocking_pids($pid)) > 0") eq 't';
        nap(0.05);
    }
    return 0;
}
sub load { my ($id, $text) = @_; return qq{SELECT answer_document_load('[{"doc_id": "$id", "title": "Same", "timestamp": "2024-01-01", "text": "$text"}]') -> 'documents' -> 0 ->> 'version'} }
$one->value('BEGIN');
is($one->value(load('same', 'first')), 1, 'one loads a document');
$other->send(load('same', 'second'));
ok(blocked($other), 'another one, who loads it too, waits');
$one->value('COMMIT');
is($other->wait->{out}, 2, 'and makes the next version');
$one->value($_) for 'BEGIN ISOLATION LEVEL REPEATABLE READ', 'SELECT count(*) FROM answer.document';
is($other->value(load('same', 'third')), 3, 'somebody loads');
is($one->run(load('same', 'fourth'))->{state}, '40001', 'who reads an older snapshot has to begin again');
$one->value('ROLLBACK');
$one->value('BEGIN');
is($one->value(q{SELECT jsonb_array_length(answer_forget('same', 'asked for') -> 'documents')}), 3, 'one forgets a document');
$other->send(load('same', 'third'));
ok(blocked($other), 'another one, who loads it again, waits');
$one->value('COMMIT');
is($other->wait->{state}, '23001', 'and is refused');
$one->value('BEGIN');
$one->value(load('same', 'fifth'));
$other->send(q{SELECT jsonb_array_length(answer_forget('same', 'asked for') -> 'documents')});
ok(blocked($other), 'who forgets waits for who loads');
$one->value('COMMIT');
is($other->wait->{out}, 1, 'and forgets what was loaded');
is($one->value($miscounted), 0, 'items are counted as the chunks have them');
is($one->value(q{SELECT count(*) FROM answer.document WHERE doc_id = 'same'}), 0, 'nothing is left');
$one->value($_) for load('held', 'first'), 'BEGIN', load('beside', 'first');
$other->send(q{SELECT answer_chunk_embed('held#p0', '{1,2}')});
ok(blocked($other), 'who embeds waits for who loads');
is($one->run(load('held', 'second'))->{out}, 2, 'and holds nothing that a load wants');
$one->value('COMMIT');
is($other->wait->{state}, '00000', 'and embeds what was loaded');
$_->close for $one, $other;

#
# a copy
#
my $file = AnswerServer::tmp_dir() . '/search.dump';
my $to = '-h ' . quotemeta($server->{host}) . ' -p 5432';
AnswerServer::must('sh', '-c', "$pg_dump $to -Fc -f $file corpus");
$server->value('CREATE DATABASE copy TEMPLATE template0');
AnswerServer::must('sh', '-c', "$pg_restore $to -e -j 2 -d copy $file");
my $copy = $server->session(dbname => 'copy');
is($copy->value($all), $digest, 'a restored copy finds the same');
is($copy->value(q{SELECT answer_document_load((} . quoted($corpus) . q{::jsonb) -> 'documents') ->> 'unchanged'}),
    $copy->value('SELECT count(*) FROM answer_documents()'), 'and knows what it has');
is($copy->run('UPDATE answer.chunk SET text = text')->{state}, '23001', 'and guards it');
is($copy->value(q{SELECT string_agg(detail, '; ') FROM answer_log_audit() WHERE finding <> 'forgotten'}), '', 'and its audit finds nothing');
$copy->close;

#
# embeddings
#
SKIP: {
    skip 'pgvector is not installed on this machine', 1 unless $server->value(q{SELECT count(*) FROM pg_available_extensions WHERE name = 'vector'});
    is($main->run(q{SELECT answer_search('x', 5, NULL, '{1,0,0}')})->{state}, '55000', 'an embedding needs the extension');
    $main->value($_) for 'CREATE SCHEMA of_vector', 'CREATE EXTENSION vector SCHEMA of_vector';
    $main->value(q{SELECT count(answer_chunk_embed(chunk_id, ARRAY[sin(n), cos(2 * n), 0.3 + n % 7]::real[]))
        FROM (SELECT chunk_id, row_number() OVER (ORDER BY chunk_id COLLATE "C") AS n FROM answer.chunk WHERE tenant = '') AS c});
    $main->value(q{SELECT answer_chunk_embed('parking#p0', '{1,1}')});
    my $exact = q{SELECT string_agg(chunk_id || '=' || similarity, ' ' ORDER BY similarity DESC, chunk_id COLLATE "C") FROM (
        SELECT chunk_id, round(greatest(0, (SELECT sum(x * q) FROM unnest(embedding::float8[], v) AS u (x, q))
            / sqrt((SELECT sum(x * x) FROM unnest(embedding::float8[]) AS u (x))) / sqrt((SELECT sum(q * q) FROM unnest(v) AS u (q)))) * 10000) / 10000 AS similarity
        FROM answer.chunk_embedding, (VALUES ('{0.5,0.5,0.3}'::float8[])) AS p (v) WHERE cardinality(embedding) = 3
        ORDER BY 2 DESC, chunk_id COLLATE "C" LIMIT 12) AS s};
    my $search = q{SELECT string_agg(chunk_id || '=' || similarity, ' ') FROM answer_search('', 12, NULL, '{0.5,0.5,0.3}', false)};
    my $expected = $main->value($exact);
    is($main->value($search), $expected, 'the similarity is the cosine');
    $main->value('SELECT answer_embedding_index(3), answer_embedding_index(3)');
    is($main->value($search), $expected, 'and the same by an index');
    $main->value('SET enable_seqscan = off');
    is($main->value($search), $expected, 'also where the planner must use it');
    is($main->value(q{SELECT string_agg(chunk_id, ' ') FROM answer_search('', 3, '{"doc_ids": ["vpn-access"]}', '{0.5,0.5,0.3}', false)}), 'vpn-access#p0',
        'a filter is for embeddings, too, whatever an index gives first') or note($main->value(q{SELECT answer_search('', 3, '{"doc_ids": ["vpn-access"]}', '{0.5,0.5,0.3}', false)}));
    $main->value('RESET enable_seqscan');
    is($main->value(q{SELECT count(*) FROM answer_search('', 50, '{"doc_ids": ["parking"]}', '{0.5,0.5,0.3}')}), 0, 'embeddings of another size are another model\'s');
    is($main->value(q{SELECT chunk_id || ' ' || similarity FROM answer_search('', 1, NULL, '[1,1]'::of_vector.vector)}), 'parking#p0 1', 'a vector is an embedding');
    my $fused = $main->value(q{SELECT string_agg(chunk_id, ' ') FROM answer_search('data retention policy', 5, NULL, '{0.5,0.5,0.3}')});
    like($fused, qr/data-retention/, 'fused with the text, as it is unless one says otherwise, what the text finds comes forward');
    is($main->value(q{SELECT string_agg(chunk_id || ' ' || (similarity = t.score)::text, ' ') FROM answer_search('parking', 1000, NULL, '{0.5,0.5,0.3}') s,
        LATERAL answer.text_score('parking', s.text, s.title) AS t (score) WHERE doc_id = 'parking' AND chunk_id = 'parking#p0'}), 'parking#p0 true',
        'what has no embedding of that size is found by the text, with its similarity');
    is($main->value(q{SELECT count(*) FROM answer_search('parking', 1000, NULL, '{0.5,0.5,0.3}', false) WHERE chunk_id = 'parking#p0'}), 0,
        'but not where the embedding alone counts');
    is($main->value(q{WITH near AS (SELECT chunk_id, row_number() OVER () AS n FROM answer_search('', 100, NULL, '{0.5,0.5,0.3}', false)),
        by_text AS (SELECT chunk_id, row_number() OVER () AS n FROM answer_search('data retention policy', 100))
        SELECT string_agg(chunk_id, ' ' ORDER BY place) FROM (SELECT chunk_id, row_number() OVER (ORDER BY
            round(coalesce(1::numeric / (60 + a.n), 0) + coalesce(1::numeric / (60 + b.n), 0), 15) DESC, chunk_id COLLATE "C") AS place
            FROM near a FULL JOIN by_text b USING (chunk_id) WHERE chunk_id IN (SELECT chunk_id FROM answer_search('', 1000, NULL, '{0.5,0.5,0.3}', false))) AS f
        WHERE place <= 5}), $fused, 'by the sum of 1 / (60 + rank) over the first 100 of each list');
    is($main->value(q{SELECT count(*) FROM answer_search('data retention policy', 5, NULL, '{0.5,0.5,0.3}', true) AS f
        JOIN answer_search('', 1000, NULL, '{0.5,0.5,0.3}', false) AS s USING (chunk_id, similarity)}), 5, 'and every similarity is the cosine still');
    # quotes are in the order of a fused search, which is not the order of similarity; a replay, here and without a database, keeps that order
    $main->value(q{CREATE TABLE fused AS SELECT answer_grounded(query, '{"embedding": [0.5,0.5,0.3], "config": {"freshness_days": 0, "freshness_days_high_risk": 0}}') AS r
        FROM golden});
    cmp_ok($main->value(q{SELECT count(*) FROM fused AS f, LATERAL (SELECT c ->> 'chunk_id' AS best FROM jsonb_array_elements(r #> '{retrieval,chunks}') AS c
        ORDER BY (c ->> 'similarity')::numeric DESC, c ->> 'chunk_id' COLLATE "C" LIMIT 1) AS b WHERE r #>> '{quotes,0,chunk_id}' <> best}), '>', 3,
        'some answers quote another chunk first than the most similar one');
    is($main->value(q{SELECT string_agg(answer_verify(r) ->> 'steps', chr(10)) FROM fused WHERE NOT answer_verify_ok(r)}), '', 'all of them verify');
    # and the pairs for judges are in that order, too
    $main->value($_) for 'CREATE ROLE fused_readers',
        q{SELECT answer_judge_register('fused', '{"kinds": ["answers"], "model": "m", "version": "1", "role": "fused_readers"}')},
        q{CREATE TABLE asked AS SELECT answer_grounded(query, '{"embedding": [0.5,0.5,0.3], "top_k": 20, "config": {"judge_answers": "fused", "judge_passages": 2}}') AS r FROM golden};
    is($main->value(q{SELECT count(*) FROM (SELECT DISTINCT t ->> 'pair' FROM asked, jsonb_array_elements(r -> 'to_judge') AS t
        EXCEPT SELECT pair FROM answer_judge_pending('fused', 1000)) AS missing}), 0, 'all that they need is pending');
    my ($receipts, $keys) = map { AnswerServer::tmp_dir() . "/fused.$_" } qw(ndjson keys);
    spew($receipts, $main->value('SELECT string_agg(r::text, chr(10)) FROM fused'));
    spew($keys, $main->value('SELECT answer_keys()'));
    my ($status, $told) = AnswerServer::command("$root/tools/answer-verify", 'receipt', $receipts, '--keys', $keys);
    is($status, 0, '... without a database, too') or note($told);
    is($main->value(q{SELECT string_agg(detail, '; ') FROM answer_log_audit() WHERE finding <> 'forgotten'}), '', 'the audit knows the index');
    $main->value($_) for 'BEGIN', 'CREATE INDEX chunk_embedding_hnsw_9 ON answer.chunk_embedding ((cardinality(embedding)))';
    like($main->value(q{SELECT string_agg(detail, '; ') FROM answer_log_audit() WHERE finding <> 'forgotten'}), qr/chunk_embedding_hnsw_9/, 'and no other one');
    $main->value('ROLLBACK');

    # one index holds the embeddings of all tenants: another tenant's neighbour is never found, and displaces no hit
    for (['a text', q{'{1,x}'}, '22P02'], ['no number', q{'{NaN,1,1}'}, '22023'], ['no end', q{'{Infinity,1,1}'}, '22023'], ['no direction', q{'{0,0,0}'}, '22023'],
        ['two dimensions', q{'{{1,0},{0,1}}'}, '22023'], ['nothing', q{'{}'}, '22023'], ['a hole', q{'{1,NULL,1}'}, '22023'], ['too long', q{'{1e38,1e38,1}'}, '22023'],
        ['too short', q{'{1e-38,0,0}'}, '22023'], ['too many', q{array_fill(1::real, ARRAY[16001])}, '22023']) {
        my ($what, $embedding, $state) = @$_;
        is($main->run("SELECT $_")->{state}, $state, "an embedding with $what: " . (split /\(/)[0])
            for "answer_search('', 3, NULL, ($embedding)::real[])", "answer_chunk_embed('parking#p0', ($embedding)::real[])";
    }
    my @near = map { "near-$_" } qw(one two);
    $main->value($_) for (map { ("CREATE ROLE \"$_\"", "SELECT answer_tenant_create('$_'), answer_tenant_grant('$_', '$_')") } @near),
        'GRANT USAGE ON SCHEMA answer TO PUBLIC',
        'GRANT EXECUTE ON FUNCTION answer_document_load, answer_chunk_embed, answer_search TO "near-one", "near-two"';
    # the first has three hundred exactly at the requested place, the second five that are farther
    my $loads = sub { my ($count) = @_; return qq{SELECT answer_document_load(jsonb_agg(jsonb_build_object('doc_id', 'd' || n, 'title', 'T', 'timestamp', '2026-01-01',
        'text', 'Paragraph ' || n))) IS NOT NULL FROM generate_series(1, $count) AS n} };
    my %tenant = map { my $session = $server->session(dbname => $main->{dbname}); $session->value(qq{SET ROLE "$_"}); ($_ => $session) } @near;
    $tenant{'near-one'}->value($_) for $loads->(300), q{SELECT count(answer_chunk_embed('d' || n || '#p0', ARRAY[0.5, 0.5, 0.3 + n * 1e-6]::real[])) FROM generate_series(1, 300) AS n};
    $tenant{'near-two'}->value($_) for $loads->(5), q{SELECT count(answer_chunk_embed('d' || n || '#p0', ARRAY[0.5, 0.5, n]::real[])) FROM generate_series(1, 5) AS n};
    my $found = q{SELECT string_agg(doc_id || '=' || similarity, ' ') FROM answer_search('', 3, NULL, '{0.5,0.5,0.3}')};
    my $exactly = join ' ', map { my $n = $_; sprintf 'd%d=%s', $n, 0 + sprintf('%.4f', (0.5 + 0.3 * $n) / sqrt(0.59) / sqrt(0.5 + $n * $n)) } 1 .. 3;
    for my $settings ([], ['SET enable_seqscan = off'], ['SET hnsw.ef_search = 1'], ['SET hnsw.ef_search = 1000'], ['SET hnsw.iterative_scan = relaxed_order', 'SET hnsw.max_scan_tuples = 1'],
        ['SET hnsw.iterative_scan = strict_order', 'SET hnsw.ef_search = 100'], ['SET search_path = pg_temp', 'CREATE TEMP TABLE chunk_embedding (tenant text, chunk_id text, embedding real[])']) {
        my $session = $tenant{'near-two'};
        $session->run('SET search_path = public');
        $session->run($_) for @$settings;
        (my $qualified = $found) =~ s/answer_search/public.answer_search/;
        is($session->value($qualified), $exactly, 'the nearest ones of the tenant, ' . (join(', ', map { /SET (\S+ = \S+)/ ? $1 : () } @$settings) || 'as it is'));
    }
    is($tenant{'near-one'}->value(q{SELECT count(*) || ' ' || min(similarity) FROM answer_search('', 1000, NULL, '{0.5,0.5,0.3}', false)}), '300 1', '... and the other tenant has its own');
    $_->close for values %tenant;
}
$main->close;
done_testing;
