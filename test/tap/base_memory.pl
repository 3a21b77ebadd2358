#!/usr/bin/env perl
# tiers: long
# Memory: a backend that has answered fifty thousand times must not be bigger than one that has answered a few thousand times.
# `make test-long` verifies fifty thousand receipts and seals a million leaves; `make one` does a tenth of that.
# ANSWER_EVAL_SHARE sets another share: half in .ci/run.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Test::More;

# MB that a statement may add at its peak, and leave behind, after a warm-up of the same kind. A case that holds more than
# that for a moment in each of its calls says how much, and makes so many calls that it could not keep it.
use constant {PEAK => 6, REST => 2};

plan skip_all => 'no /proc/self/status with RssAnon here' unless -r '/proc/self/status' && slurp('/proc/self/status') =~ /^RssAnon:/m;

my $server = AnswerServer->new('memory', conf => ['synchronous_commit = off', 'max_wal_size = 2GB', 'jit = off',
    'max_parallel_workers_per_gather = 0', 'work_mem = 256kB'], extended => 1);
$server->value($_) for (
    q{SELECT answer_source_register(s) FROM unnest('{a,b}'::text[]) s},
    q{SELECT answer_tool_register('tide', required_args => '{port}', value_path => 'h', freshness => '1 day')},
    q{SELECT answer_evidence_add('tide', '{"port": "Ystad"}', '{"h": 0.5, "more": [1, {"a": "é"}]}',
        s) FROM unnest('{a,b}'::text[]) s},
    q{CREATE FUNCTION failing(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no: %',
        args; END $$},
    q{SELECT answer_tool_register('failing', 'failing(jsonb)', options => jsonb_build_object('source', 'a', 'optional_args', '{n}'::text[]))},
    # no result: nested too deeply for a tool
    q{CREATE FUNCTION large(args jsonb) RETURNS jsonb LANGUAGE sql AS $$
        SELECT jsonb_build_array(repeat('x', 1000000), (repeat('[', 3000) || repeat(']', 3000))::jsonb) $$},
    q{SELECT answer_tool_register('large', 'large(jsonb)', options => jsonb_build_object('source', 'a', 'optional_args', '{n}'::text[]))},
    q{CREATE FUNCTION lint(observation jsonb) RETURNS answer_graded IMMUTABLE PARALLEL SAFE LANGUAGE sql
        AS $$ SELECT (NULL, 'Strong', 'Low', observation::text)::answer_graded $$},
    q{SELECT answer_quality_class_register('Lint'), answer_quality_grader_register('lint', 'Lint', 'lint(jsonb)')},
    q{SELECT answer_investigation_open('Locate', 'where is ' || i) FROM generate_series(1, 100) i}, 'SELECT answer_quality_receipt(1)',
    q{SELECT answer_ask('what?')},
    q{SELECT answer_document_load('[{"doc_id": "tides", "title": "Tide tables", "timestamp": "2026-01-01",
        "text": "High tide in port Ystad is at noon.\n\nLow tide in port Ystad is at six."}]')},
    # it gets thousands of facts, and each citation of it would hold them all
    q{SELECT answer_document_load('[{"doc_id": "lamp", "title": "Lamp", "timestamp": "2026-01-01", "text": "It is lit at noon."}]')},
    q{SELECT answer_grounded('When is the tide high in port Ystad?') IS NULL},
    q{CREATE FUNCTION says(args jsonb) RETURNS jsonb LANGUAGE sql AS $$ SELECT jsonb_build_object('judgements',
        jsonb_agg(jsonb_build_object('id', p -> 'id', 'score', 0.9, 'relation', CASE args ->> 'kind' WHEN 'answers' THEN 'answers'
            WHEN 'conflict' THEN 'neutral' ELSE 'supports' END))) FROM jsonb_array_elements(args -> 'pairs') p $$},
    q{SELECT answer_judge_register('says', '{"kinds": ["entailment", "answers", "conflict"], "model": "m", "version": "1",
        "handler": "says"}')},
    q{SELECT answer_judge_register('fails', '{"kinds": ["entailment"], "model": "m", "version": "1", "handler": "failing"}')},
    q{SELECT answer_judge_register('people', '{"kinds": ["entailment", "answers"], "model": "m", "version": "1",
        "role": "pg_monitor"}')},
    q{SELECT answer_judge_register('large', '{"kinds": ["entailment"], "model": "m", "version": "1", "handler": "large"}')},
    'SELECT answer_key_generate()',
    q{CREATE TABLE sample AS SELECT body, body::text txt,
        answer_key_registry() keys FROM (SELECT answer_eval('{"checks": [
        {"tool": "tide", "args": {"port": "Ystad"}, "expect": {"path": "more.1.a", "op": "in", "value": ["x",
            "é"]}}]}') body OFFSET 0) r},
    q{CREATE FUNCTION request(n int) RETURNS jsonb LANGUAGE sql AS $$
        SELECT jsonb_build_object('checks', jsonb_build_array(
            '{"tool": "tide", "args": {"port": "Ystad"}, "expect": {"op": "lt", "value": 0.75}}'::jsonb,
            jsonb_build_object('tool', 'failing', 'args', jsonb_build_object('n', n), 'required', false),
            jsonb_build_object('tool', 'postgres_setting', 'args', '{"name": "port"}'::jsonb, 'expect',
                jsonb_build_object('path', 'setting', 'op', 'eq', 'value', n)))) $$},
);

sub rss_anon {
    my ($pid) = @_;
    my ($kb) = slurp("/proc/$pid/status") =~ /^RssAnon:\s*(\d+)/m;
    return $kb / 1024;
}

my $contexts = q{SELECT round(sum(total_bytes) / 1048576.0, 3) FROM pg_backend_memory_contexts};

# Runs statements side by side, each in a session of its own: twice small, then large, and looks at what that adds.
sub flat {
    my (@cases) = @_;
    my @running;
    for my $case (@cases) {
        my ($what, $few, $many, $statement, $moment, $kept) = @$case;
        my $session = $server->session;
        my %run = (what => $what, many => $many, limit => PEAK + ($moment // 0), rest => PEAK + ($kept // 0), session => $session, pid => $session->backend);
        $session->value($contexts);
        $session->value($statement->($few)) for 1 .. 2;
        $run{contexts} = $session->value($contexts);
        $run{before} = $run{peak} = rss_anon($run{pid});
        $run{statement} = $statement->($many);
        push @running, \%run;
    }
    $_->{session}->send($_->{statement}) for @running;
    while (my @pending = grep { !$_->{result} } @running) {
        for my $run (@pending) {
            my $result = $run->{session}->wait(0.02);
            $run->{result} = $result if $result->{state} ne 'timeout';
            my $now = rss_anon($run->{pid});
            $run->{peak} = $now if $now > $run->{peak};
        }
    }
    for my $run (@running) {
        my $what = $run->{what};
        my $after = rss_anon($run->{pid});
        my $contexts_after = $run->{session}->value($contexts);
        is($run->{result}{state}, '00000', sprintf('%s: %d calls in %.1f s', $what, $run->{many},
            $run->{result}{seconds}))
            or diag($run->{result}{err});
        cmp_ok($run->{peak} - $run->{before}, '<', $run->{limit}, sprintf('%s: from %.1f MB to %.1f MB at the peak', $what,
            $run->{before}, $run->{peak}));
        cmp_ok($after - $run->{before}, '<', $run->{rest}, sprintf('%s: to %.1f MB afterwards', $what, $after));
        cmp_ok($contexts_after - $run->{contexts}, '<', REST, sprintf('%s: memory contexts from %.2f MB to %.2f MB',
            $what,
            $run->{contexts}, $contexts_after));
        $run->{session}->close;
    }
    return;
}

sub in_query {
    my ($expression) = @_;
    return sub { my ($n) = @_; return "SELECT count($expression) FROM sample, generate_series(1, $n) i" };
}

sub in_loop {
    my ($expression) = @_;
    return sub {
        my ($n) = @_;
        return "DO \$\$ DECLARE body jsonb; txt text; keys jsonb; x text; BEGIN SELECT s.* INTO body, txt, keys FROM sample s;
            FOR i IN 1 .. $n LOOP x := $expression; END LOOP; END \$\$";
    };
}

my $check = q{answer_check(jsonb_build_object('tool', 'tide', 'expect', jsonb_build_array(
    jsonb_build_object('op', 'pct_within', 'value', jsonb_build_object('value', i, 'tol', 5)),
    '{"path": "nothing.here", "op": "eq", "value": [1, "x"]}'::jsonb)),
    body #> ARRAY['evidence_index', body #>> '{checks,0,evidence,0}'], '2026-01-01Z')};
my $chunks = q{jsonb_build_array('{"chunk_id": "a#p0", "doc_id": "a", "similarity": 0.9, "timestamp": "2026-01-01Z",
    "text": "Refunds are allowed within 30 days of a purchase. Encrypt customer data."}'::jsonb, jsonb_build_object('chunk_id', 'b#p' || i,
    'doc_id', 'b', 'similarity', 0.8, 'timestamp', '2026-01-02Z', 'text', 'No refunds after ' || i || ' days of a purchase.'))};
my %calls = (
    answer_decide => [100_000, qq{answer_decide('What is our refund policy ' || i || '?', $chunks, '["a#p0"]', 'Refunds within 30 days.',
        now => '2026-01-03Z')::text}],
    # cases run in the order of their names; those whose rules grow are last, because each later call would hold several copies of the rules
    'rules that change, answer_decide' => [1_000, qq{(SELECT answer_decide('What is our refund policy?', $chunks)::text FROM
        (SELECT answer_decision_rule_register('allow', 'w' || md5(i::text || random()))) AS f)}],
    'rules that change, answer_grounded' => [1_000, qq{(SELECT answer_grounded('What is our refund policy?',
        jsonb_build_object('chunks', $chunks))::text FROM (SELECT answer_decision_rule_register('allow', 'w' || md5(i::text || random()))) AS f)}],
    answer_conflicts => [100_000, qq{answer_conflicts($chunks)::text}],
    answer_search => [5_000, q{(SELECT string_agg(s.chunk_id, '') FROM answer_search('tide tables of port ' || i) s)}],
    answer_grounded => [2_000, q{answer_grounded('When is the tide high in port ' || i || '?') ->> 'receipt_id'}],
    'answer_grounded over given chunks' => [2_000, qq{answer_grounded('What is our refund policy?',
        jsonb_build_object('chunks', $chunks)) ->> 'receipt_id'}],
    'answer_grounded, judged' => [1_000, q{answer_grounded('When is the tide high in port Ystad?', jsonb_build_object('answer',
        'High tide comes ' || i || ' times.', 'citations', '["tides#p0"]'::jsonb, 'config', '{"judge_entailment": "says",
        "judge_answers": "says", "judge_conflict": "says"}'::jsonb)) ->> 'receipt_id'}],
    'answer_grounded, a judge that fails' => [1_000, q{answer_grounded('When is the tide high in port Ystad?', jsonb_build_object(
        'answer', 'High tide comes ' || i || ' times.', 'citations', '["tides#p0"]'::jsonb, 'config',
        '{"judge_entailment": "fails"}'::jsonb)) ->> 'receipt_id'}],
    answer_judge_pairs => [20_000, qq{answer_judge_pairs('What is our refund policy?', $chunks, '["a#p0"]', 'Refunds end ' || i || ' days later.',
        '{"judge_entailment": "m", "judge_answers": "m", "judge_conflict": "m"}')::text}],
    answer_judgement_add => [10_000, q{answer_judgement_add(jsonb_build_array(jsonb_build_object('kind', 'answers', 'a', 'x' || i, 'b', 'y',
        'relation', 'answers', 'score', 0.5, 'judge', 'people')))}],
    answer_judge_assess => [500, q{answer_judge_assess('says', jsonb_build_array(jsonb_build_object('kind', 'entailment', 'a', 'x' || i,
        'b', 'y', 'truth', 'neutral')))::text}],
    answer_judge_pending => [200, q{(SELECT count(*) FROM answer_judge_pending('people', 3))}],
    answer_citations_check => [100_000, qq{answer_citations_check('["a#p0"]', $chunks, 'Refunds end after ' || i || ' days [1]. "Encrypt customer data."')::text}],
    answer_reading => [50_000, q{answer_reading('A kettle of ' || i || ' l boils in HTTPServer at 10am. It isn''t cold.')::text}],
    answer_document_facts_add => [1_000, q{answer_document_facts_add('lamp', jsonb_build_array(jsonb_build_object('subject', 's' || i,
        'attribute', 'a', 'value', 'noon', 'quote', 'lit at noon')))}],
    answer_document_load => [1_000, q{answer_document_load(jsonb_build_array(jsonb_build_object('doc_id', 'd' || i % 7, 'title', 'Tides',
        'timestamp', '2026-01-01', 'text', 'High tide number ' || i))) ->> 'chunks'}],
    'replay of decision' => [1_000, q{answer_replay((SELECT r.body FROM answer.receipt r WHERE r.schema = 'decision/v1' LIMIT 1))::text}],
    answer_check => [100_000, "$check\::text"],
    'answer_digest of jsonb' => [100_000, q{answer_digest(body || jsonb_build_object('n', i))}],
    'answer_digest of text' => [100_000, q{answer_digest('[' || i || ',' || txt || ']')}],
    'answer_verify with keys' => [100_000, q{answer_verify(body, keys)::text}],
    'answer_verify with the registry' => [10_000, q{answer_verify(txt)::text}],
    'answer_verify of what is no receipt' => [20_000, q{answer_verify(right(txt, i % 1000), keys)::text}],
    'answer_verify_ok with the registry' => [10_000, q{answer_verify_ok(body)::text}],
    answer_replay => [20_000, q{answer_replay(body)::text}],
    'answer_replay of text' => [10_000, q{answer_replay(txt || repeat(' ', i % 1000))::text}],
    answer_dsse => [2_000, q{answer_dsse(body ->> 'receipt_id') ->> 'payload'}],
    answer_eval => [2_000, q{answer_eval(request(i::int)) ->> 'receipt_id'}],
    answer_fact => [5_000, q{answer_fact('tide', '{"port": "Ystad"}') ->> 'id'}],
    q{answer.route_compile} => [100_000, q{answer.route_compile('what is the setting x' || i || '?')::text}],
    answer_route_explain => [5_000, q{answer_route_explain('what is a setting x' || i || '?')::text}],
    answer_route_audit => [2_000, q{answer_route_audit('postgres.uptime')::text}],
    answer_coverage => [2_000, q{answer_coverage()::text}],
    'answer_ask, answered' => [2_000, q{answer_ask('Is the setting port ' || i || '?') ->> 'verdict'}],
    'answer_ask, refused' => [2_000, q{answer_ask('how about ' || i) ->> 'verdict'}],
    q{answer.route_replay} => [1_000, q{answer.route_replay((SELECT r.body FROM answer.receipt r WHERE r.body ->> 'mode' = 'question' LIMIT 1))::text}],
    q{answer.grade} => [100_000, q{answer.grade('grep', jsonb_build_object('match', 'phrase', 'match_count', i))::text}],
    'answer.grade, registered' => [100_000, q{answer.grade('lint', jsonb_build_object('n', i))::text}],
    q{answer.grade_text} => [100_000, q{answer.grade_text('grep', 'foo bar', 'a.c:1:foo bar ' || i)::text}],
    answer_investigation_record => [20_000, q{answer_investigation_record(1 + i % 100, 'grep', 'q', 't', jsonb_build_object('match', 'phrase',
        'match_count', 1 + i % 7))::text}],
    q{answer.assessment_of} => [20_000, q{answer.assessment_of(1 + i % 100)::text}],
    answer_gap => [20_000, q{(SELECT string_agg(g.class, '') FROM answer_gap(1 + i % 100) g)}],
    answer_quality_receipt => [1_000, q{answer_quality_receipt(1 + i % 100) ->> 'receipt_id'}],
    replay_of_quality => [1_000, q{answer_replay((SELECT r.body FROM answer.receipt r WHERE r.schema = 'quality/v1' LIMIT 1))::text}],
);
# A short run already shows a leak in a twentieth of the calls.
my $part = by_tier(20, 20, int(2 / ($ENV{ANSWER_EVAL_SHARE} // 1) + 0.5));
for my $what (sort keys %calls) {
    my ($n, $expression) = @{$calls{$what}};
    $n /= $part;
    # the server keeps generic plans from the sixth call on
    my $few = $n / 50 < 10 ? 10 : $n / 50;
    flat(["$what in a query", $few, $n, in_query($expression)],
        ["$what in a loop", $few, $n / 2, in_loop($expression)]);
}

sub failing {
    my ($n) = @_;
    return qq(DO \$\$ BEGIN FOR i IN 1 .. $n LOOP
        BEGIN
            PERFORM answer_eval(('{"checks": [{"tool": "tide", "nonsense": ' || i || '}]}')::jsonb);
        EXCEPTION WHEN invalid_parameter_value THEN NULL;
        END; END LOOP; END \$\$);
}

# All calls of one request fail with a large error, 1 MB of text and copies of it. The memory of one is freed
# before the next.
sub failing_large {
    my ($n) = @_;
    return qq(SELECT answer_eval(jsonb_build_object('checks', jsonb_agg(jsonb_build_object('tool', 'large', 'args',
        jsonb_build_object('n', i))))) ->> 'receipt_id' FROM generate_series(1, $n) i);
}

sub composite {
    my ($n) = @_;
    return qq(SELECT answer_composite(CASE i % 3 WHEN 0 THEN 'supported' WHEN 1 THEN 'value' ELSE 'contradicted' END::answer_verdict,
        (i % 100) / 100.0, i % 2 = 0) FROM generate_series(1, $n) i);
}

sub grouped {
    my ($n) = @_;
    return qq(SELECT count(c) FROM (SELECT answer_composite('supported', 0.5, true) c FROM generate_series(1, $n) i
        GROUP BY i % 100) g);
}

sub generating {
    my ($n) = @_;
    return "DO \$\$ BEGIN FOR i IN 1 .. $n LOOP PERFORM answer_key_generate(); COMMIT; END LOOP; END \$\$";
}

# Leaves without receipts are enough, because sealing does not read receipts.
sub sealing {
    my ($n) = @_;
    return qq(DO \$\$ BEGIN
        INSERT INTO answer.unsealed SELECT 'ans_' || left(md5(i || ' ' || random()), 16), clock_timestamp(), sha256(int8send(i))
            FROM generate_series(1, $n) i;
        PERFORM answer_log_seal(); END \$\$);
}

# Results of queries do not pile up in loops of one call, over rows beside receipts or over the requests of a batch.
sub auditing {
    my ($n) = @_;
    return qq(DO \$\$ DECLARE ids text[] := ARRAY(SELECT answer_eval(jsonb_build_object('checks', jsonb_build_array(jsonb_build_object('tool',
            'postgres_setting', 'args', '{"name": "port"}'::jsonb, 'expect', jsonb_build_object('path', 'setting', 'op', 'eq',
            'value', random()))))) ->> 'receipt_id' FROM generate_series(1, $n) i);
        found bigint; BEGIN
        PERFORM answer_anchor_request(id) FROM unnest(ids) id;
        PERFORM answer_forget(id, 'to see') FROM unnest(ids[1:$n / 2]) id;
        SELECT count(*) INTO found FROM answer_log_audit(); END \$\$);
}

sub batch {
    my ($request) = @_;
    return sub { my ($n) = @_; return "SELECT count(e.receipt) FROM answer_eval_each(ARRAY(SELECT $request FROM generate_series(1, $n) i)) e" };
}

# Judges that fail in the same way.
sub judging_large {
    my ($n) = @_;
    return qq(SELECT count(answer_grounded('May we refund?', jsonb_build_object('chunks', $chunks, 'citations', '["a#p0"]'::jsonb,
        'answer', 'Refunds end ' || i || ' days later.', 'config', '{"judge_entailment": "large"}'::jsonb))) FROM generate_series(1, $n) i);
}

# A batch holds a slice of requests and what they made, some MB. The warm-up of requests that are all the same fills a slice; that of
# questions must not (each makes content that is kept), so it has an allowance.
# An audit holds up to 10 MB while it looks at the catalog, whether there are a thousand receipts or ten times as many.
flat(['answer_log_audit, what is beside receipts', 40, by_tier(1_000, 1_000, 10_000), \&auditing, 6, 4],
    ['answer_eval_each, questions', 40, by_tier(1_500, 1_500, 10_000), batch(q{jsonb_build_object('question', 'Is the setting port ' || i || '?')}),
        5],
    ['answer_eval_each, the same', 600, by_tier(1_500, 1_500, 10_000), batch(q{'{"question": "What is the setting port?"}'::jsonb})]);
flat(['answer_composite', 10_000, 2_000_000 / $part, \&composite], ['answer_composite in groups', 1_000, 200_000 / $part, \&grouped]);
sub importing {
    my ($n) = @_;
    my $pem = "E'-----BEGIN PUBLIC KEY-----\\nMCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\\n"
        . "-----END PUBLIC KEY-----\\n'";
    return "DO \$\$ BEGIN FOR i IN 1 .. $n LOOP BEGIN
            PERFORM answer_key_import_public(CASE i % 4 WHEN 0 THEN $pem WHEN 1 THEN replace($pem, 'VwAy', 'VuAy')
                WHEN 2 THEN $pem || $pem ELSE left($pem, 27 + i % 90) END);
        EXCEPTION WHEN invalid_parameter_value THEN NULL;
        END; END LOOP; END \$\$";
}

# Generating and importing keys takes longer the more of it a transaction, or a database, has seen.
flat(['answer_eval that fails, in a loop', 200, 10_000 / $part, \&failing], ['answer_key_generate in a loop', 50, by_tier(200, 200, 1_000),
    \&generating], ['tools that fail with something large', 2, 100, \&failing_large, 12],
    ['judges that fail with something large', 2, 20, \&judging_large, 6],
    ['answer_key_import_public in a loop', 200, 20_000 / $part, \&importing]);
flat(['answer_log_seal, leaves', 10_000, by_tier(200_000, 200_000, 1_000_000), \&sealing]);

ok(!$server->crashed, 'the server never crashed');
done_testing();
