#!/usr/bin/env perl
# tiers: long
# Every function that takes text or JSON gets a megabyte of different words, of equal ones, of one long word, and of deep
# nesting, with a statement_timeout of 300 ms. It must be done by then, or stop.
#
# The CPU time of the backend is measured, not the clock, so a busy machine does not matter. A call that respects the
# timeout has used at most 0.3 s; one that does not, because it checks for no interrupts or is quadratic, uses seconds. The
# limit of 1 s is far from both. (Sharing a core with another thread makes each step slower, but at most twice.) The long
# tier makes all calls; `make one` makes some, chosen by the seed.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Test::More;

plan skip_all => 'skipped: no /proc/self/stat here' unless -r '/proc/self/stat';

my $TIMEOUT_MS = 300;
my $MOST_SECONDS = 1;
my $BYTES = 1_000_000;

my $server = AnswerServer->new('words', conf => ['jit = off', 'max_parallel_workers_per_gather = 0', 'max_stack_depth = 6MB'], extended => 1);
my $sql;

sub begin {
    $sql->close if $sql;
    $sql = $server->session(setup => ['SET client_min_messages = error', "SET statement_timeout = $TIMEOUT_MS"]);
    $sql->backend;
    return;
}

my $setup = $server->session(setup => ['SET client_min_messages = error']);
$setup->value($_) for (
    'ALTER DATABASE postgres SET answer_eval.evidence_only = off',
    'CREATE TABLE public.big (kind text, t text, w jsonb, o jsonb, d jsonb)',
    (map { "ALTER TABLE public.big ALTER $_ SET STORAGE EXTERNAL" } qw(t w o d)),
    # fewer words pass the check that stops a megabyte, and reach the code behind it
    qq{INSERT INTO public.big (kind, t) SELECT kind, string_agg('w' || to_hex(i), ' ' ORDER BY i)
        FROM (VALUES ('distinct', 1), ('fewer', 3), ('few', 10)) AS k (kind, share), generate_series(100000, 100000 + $BYTES / 7 / share) AS i GROUP BY kind},
    qq{INSERT INTO public.big (kind, t) VALUES ('equal', repeat('same ', $BYTES / 5)), ('one', repeat('a', $BYTES)),
        ('sentences', repeat('One is not two. ', $BYTES / 16))},
    q{UPDATE public.big SET w = (SELECT jsonb_agg(x) FROM regexp_split_to_table(trim(t), ' ') AS x),
        o = (SELECT jsonb_object_agg(x || n % 50000, x) FROM regexp_split_to_table(trim(t), ' ') WITH ORDINALITY AS s (x, n))},
    # nested as deeply as jsonb can be read here, and as long as the others
    q{INSERT INTO public.big (kind, t, d) SELECT 'deep', repeat('[', 500000) || repeat(']', 500000),
        (repeat('[', 5000) || jsonb_agg(repeat('[', 200) || repeat(']', 200))::text || repeat(']', 5000))::jsonb FROM generate_series(1, 2000)},
    q{UPDATE public.big SET w = jsonb_build_array(d), o = jsonb_build_object('d', d) WHERE kind = 'deep'},
    q{UPDATE public.big SET d = jsonb_build_array(w) WHERE kind <> 'deep'},
    q{CREATE FUNCTION public.echo(args jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS 'SELECT args'},
    q{SELECT answer_tool_register('echo', 'echo(jsonb)', '{a}'), answer_source_register('s')},
    q{SELECT answer_tool_register('tide', required_args => '{port}', value_path => 'h')},
    q{SELECT answer_tool_register('step', 'echo(jsonb)', spec => '{"io": {"input": {"text": "string"}, "output": {"text": "string"}}}')},
    q{SELECT answer_document_load('[{"doc_id": "guide", "title": "Guide", "timestamp": "2024-01-01", "text": "A kettle holds two litres."}]')},
    q{SELECT answer_investigation_open('Locate', 'where is it')},
    q{SELECT answer_graph_load('shop', jsonb_build_array(jsonb_build_object('id', 'n1', 'labels', '["Code"]'::jsonb, 'name', 'refund', 'source_path', 'a.c',
        'extraction_method', 'AST', 'content_hash', 'sha256:' || repeat('0', 64))), '[]')},
    q{CREATE TABLE public.packet AS SELECT answer_packet('shop', 'refund') AS packet},
);
my @kinds = qw(distinct fewer few equal one sentences deep);

my %count = (done => 0, stopped => 0, refused => 0);
my @slow;
my $calls = 0;

# Makes a call and measures its CPU time.
sub attempt {
    my ($name, $kind, $call) = @_;
    # the output of a session is read after each statement
    begin() if ++$calls % 50 == 0;
    my $in_block = $call !~ /^(?:CALL|DO)/;
    $sql->value('BEGIN') if $in_block;
    my $before = $sql->cpu_seconds;
    my $result = $sql->run($call);
    my $spent = $sql->cpu_seconds - $before;
    if ($result->{state} eq 'gone') {
        push @slow, "$name, $kind: the session has ended: $result->{err}";
        die "the server crashed: $name, $kind\n" if $server->crashed;
        return begin();
    }
    # the end of a transaction takes its time, too
    begin() if $in_block && $sql->run('ROLLBACK')->{state} ne '00000';
    if ($spent > $MOST_SECONDS) {
        push @slow, sprintf('%s, %s: %.2f s (%s)', $name, $kind, $spent, $result->{state});
        diag("$slow[-1]: $call");
    }
    $count{$result->{state} eq '00000' ? 'done' : $result->{state} eq '57014' ? 'stopped' : 'refused'}++;
    diag("$name, $kind: $result->{state} " . substr($result->{err}, 0, 200)) if $ENV{ANSWER_EVAL_VERBOSE};
    return $result->{state};
}

sub call_of { my ($expression, $kind) = @_; return "SELECT count(x) FROM public.big b, LATERAL (SELECT " . ($expression =~ s/(?= FROM public[.]packet|$)/ AS x/r) . " OFFSET 0) AS s WHERE b.kind = '$kind'" }

begin();

#
# text where a function expects it
#
my $chunk = q{jsonb_build_object('chunk_id', 'a#p0', 'doc_id', 'a', 'text', b.t, 'similarity', 0.9)};
my $other = q{jsonb_build_object('chunk_id', 'b#p0', 'doc_id', 'b', 'text', 'not ' || b.t, 'similarity', 0.8)};
my $hit = q{jsonb_build_object('uri', 'u#1', 'title', 'T', 'snippet', b.t, 'score', 0.9)};
my $many = q{(SELECT jsonb_agg(jsonb_build_object(%s) ORDER BY n) FROM jsonb_array_elements(b.w) WITH ORDINALITY AS x (e, n) WHERE n <= 20000)};
my $few = $many =~ s/20000/1000/r;
my $hits = sprintf($many, q{'uri', 'u' || n, 'snippet', x.e #>> '{}', 'score', 0.9});
my $node = q{jsonb_build_object('id', 'n' || n, 'op', 'call', 'tool', 'step', 'args', jsonb_build_object('text', x.e), 'out', 'r' || n)};
my $plan = q{jsonb_build_object('plan_id', 'p', 'nodes', jsonb_build_array(jsonb_build_object('id', 'v', 'op', 'verify', 'out', 'e', 'args',
    jsonb_build_object('claims', '$INPUT.claims'::text, 'sources', '$INPUT.sources'::text)), jsonb_build_object('id', 's', 'op', 'call', 'tool', 'synth.answer',
    'out', 'r', 'args', jsonb_build_object('evidence', '$e'::text))), 'edges', '[["v", "s"]]'::jsonb)};
my %samples = (
    'verify a text' => "answer.tool_ground_verify(jsonb_build_object('claims', jsonb_build_array(b.t), 'sources', jsonb_build_array($hit)))",
    'verify many claims' => "answer.tool_ground_verify(jsonb_build_object('claims', b.w, 'sources', jsonb_build_array($hit)))",
    'verify against many sources' => "answer.tool_ground_verify(jsonb_build_object('claims', jsonb_build_array(left(b.t, 1000)), 'sources', $hits))",
    'verify many claims against many sources' => "answer.tool_ground_verify(jsonb_build_object('claims', b.w, 'sources', $hits))",
    'invoke verify' => "answer_tool_invoke('ground.verify', jsonb_build_object('claims', jsonb_build_array(b.t), 'sources', jsonb_build_array($hit)))",
    'answer a text' => "answer.tool_synth_answer(jsonb_build_object('evidence', jsonb_build_object('supports', jsonb_build_array(jsonb_build_object('source', 'u', 'snippet', b.t)))))",
    'answer many' => "answer.tool_synth_answer(jsonb_build_object('evidence', jsonb_build_object('supports', "
        . sprintf($many, q{'source', 'u' || n, 'snippet', x.e #>> '{}'}) . ')))',
    'search for a text' => "answer.tool_doc_search(jsonb_build_object('q', b.t, 'k', 8))",
    'a plan' => "answer_plan_execute(jsonb_build_object('plan', $plan, 'vars', jsonb_build_object('claims', jsonb_build_array(b.t), 'sources', jsonb_build_array($hit))))",
    'a plan of many nodes' => "answer_plan_validate(jsonb_build_object('plan_id', 'p', 'edges', '[]'::jsonb, 'nodes', (SELECT jsonb_agg($node) FROM jsonb_array_elements(b.w) WITH ORDINALITY AS x (e, n) WHERE n <= 1000)))",
    'explain a plan' => "answer_plan_explain(jsonb_build_object('plan', $plan, 'vars', jsonb_build_object('claims', b.w, 'sources', jsonb_build_array($hit))))",
    'invoke a step' => "answer_tool_invoke('step', jsonb_build_object('text', b.t))",
    'a condition' => q{answer.condition('count($a) > 1 && $a != $b', jsonb_build_object('a', b.w, 'b', b.o))},
    'a long condition' => q{answer.condition(replace(trim(b.t), ' ', '||'), '{}')},
    'brackets' => q{answer.condition(repeat('(', length(b.t) / 2) || '1' || repeat(')', length(b.t) / 2), '{}')},
    'bind' => q{answer.bind(jsonb_build_object('x', (SELECT jsonb_agg('$a.b'::text) FROM generate_series(1, 50000))), jsonb_build_object('a', jsonb_build_object('b', b.t)))},
    'evidence of many' => "answer.evidence_verdict(jsonb_build_object('claims', b.w, 'supports', "
        . sprintf($many, q{'claim', x.e, 'source', 'u', 'confidence', 0.9}) . "), 0.5, false)",
    'markers' => q{answer.markers_check(replace(b.t, ' ', ' [1] '), '[{"uri": "u"}]', true)},
    'markers of many' => q{answer.markers_check((SELECT string_agg('[' || n || ']', ' ') FROM generate_series(1, 100000) AS n), } . sprintf($many, q{'uri', x.e}) . ', true)',
    'references' => 'answer.reference_list(' . sprintf($many, q{'uri', x.e, 'title', x.e}) . ')',
    'a reference' => q{answer.reference_list(jsonb_build_array(jsonb_build_object('uri', b.t, 'title', b.t)))},
    'tokens' => 'answer.tokens(b.w)',
    'load a document' => q{answer_document_load(jsonb_build_array(jsonb_build_object('doc_id', 'x', 'title', 'X', 'timestamp', '2024-01-01', 'text', b.t)))},
    'load paragraphs' => q{answer_document_load(jsonb_build_array(jsonb_build_object('doc_id', 'x', 'title', 'X', 'timestamp', '2024-01-01', 'text', replace(b.t, ' ', E'\n\n'))))},
    'load documents' => 'answer_document_load(' . sprintf($many, q{'doc_id', 'x' || n, 'title', 'X', 'timestamp', '2024-01-01', 'text', x.e}) . ')',
    'decide' => "answer_decide(left(b.t, 1000), jsonb_build_array($chunk, $other))",
    'decide on an answer' => "answer_decide('What?', jsonb_build_array($chunk, $other), '[\"a#p0\"]', b.t)",
    'decide over many' => 'answer_decide(left(b.t, 1000), ' . sprintf($many, q{'chunk_id', 'a' || n, 'doc_id', 'd' || n, 'text', x.e, 'similarity', 0.9}) . ')',
    'conflicts' => "answer_conflicts(jsonb_build_array($chunk, $other))",
    'conflicts of many' => 'answer_conflicts(' . sprintf($many, q{'chunk_id', 'a' || n, 'doc_id', 'd' || n, 'text', x.e, 'similarity', 0.9}) . ')',
    'conflicts of values' => q{answer_conflicts((SELECT jsonb_agg(jsonb_build_object('chunk_id', 'a' || n, 'doc_id', 'd' || n, 'similarity', 0.9, 'text',
        'The limit of uploads is ' || n || ' files.')) FROM generate_series(1, 10000) AS n WHERE b.kind <> 'deep'))},
    'citations' => "answer_citations_check('[\"a#p0\"]', jsonb_build_array($chunk, $other), b.t)",
    'citations of many' => "answer_citations_check(b.w, jsonb_build_array($chunk), 'An answer.')",
    'retrieval quality' => 'answer.retrieval_quality(' . sprintf($many, q{'chunk_id', 'a' || n, 'doc_id', 'd' || n, 'text', x.e, 'similarity', 0.9}) . ', 4, now())',
    'risk' => 'answer.risk(b.t)',
    'ambiguity' => 'answer.ambiguity(b.t)',
    'score' => 'answer.text_score(b.t, b.t, b.t)',
    'search' => 'answer_search(b.t)',
    'grounded' => 'answer_grounded(left(b.t, 10000))',
    'grounded in chunks' => "answer_grounded('What is it?', jsonb_build_object('chunks', jsonb_build_array($chunk, $other)))",
    'an answer of a model' => "answer_grounded('What is it?', jsonb_build_object('chunks', jsonb_build_array($chunk), 'answer', b.t, 'citations', '[\"a#p0\"]'::jsonb))",
    'ask' => 'answer_ask(b.t)',
    'explain a question' => 'answer_route_explain(b.t)',
    'a pattern' => 'answer.route_compile(b.t)',
    'a pattern of choices' => q{answer.route_compile('what is [' || replace(b.t, ' ', '|') || ']')},
    'the subject' => 'answer.question_subject(b.t)',
    'an operator' => q{answer.operator('contains', to_jsonb(b.t), to_jsonb(right(b.t, 1000)))},
    'sets' => q{answer.operator('in', b.w -> 5, b.w)},
    'equality' => q{answer.operator('eq', b.w, b.o)},
    'a check' => q{answer_check(jsonb_build_object('tool', 'echo', 'expect', jsonb_build_object('op', 'eq', 'value', b.w)), jsonb_build_object('value', b.w), now())},
    'a path' => q{answer.path_value(b.o, left(b.t, 60000))},
    'a request' => q{answer_eval(jsonb_build_object('checks', jsonb_build_array(jsonb_build_object('tool', 'echo', 'args', jsonb_build_object('a', b.t), 'expect', jsonb_build_object('op', 'eq', 'value', b.t)))))},
    'many checks' => q{answer_eval(jsonb_build_object('checks', } . sprintf($few, q{'tool', 'echo', 'args', jsonb_build_object('a', x.e)}) . '))',
    'a request that is looked at' => q{answer_validate(jsonb_build_object('checks', } . sprintf($few, q{'tool', 'echo', 'args', jsonb_build_object('a', x.e)}) . '))',
    'a fact' => q{answer_fact('echo', jsonb_build_object('a', b.w))},
    'a reading' => q{answer_evidence_add('tide', jsonb_build_object('port', b.t), jsonb_build_object('h', b.w), 's')},
    'a verdict' => 'answer_show(jsonb_build_object(' . q{'schema', 'answer/v1', 'request', b.o, 'checks', } . sprintf($many, q{'tool', x.e, 'verdict', 'supported', 'reason', x.e}) . '))',
    'a graph' => q{answer_graph_load('g', } . sprintf($many, q{'id', 'n' || n, 'name', left(x.e #>> '{}', 200), 'labels', '["Code"]'::jsonb, 'source_path', 'a.c', 'extraction_method', 'm',
        'content_hash', 'sha256:' || repeat('0', 64)}) . q{, '[]')},
    'a packet' => q{answer_packet('shop', b.t)},
    'a packet as prose' => q{answer.packet_synthesis(p.packet, rtrim(b.t) || ' [n1].', ARRAY[$$n1$$]) FROM public.packet AS p},
    'graded text' => q{answer.grade_text('grep', b.t, 'a.c', b.t)},
    'an output' => q{answer_investigation_record_output(1, 'ctest', 'run', 'all', b.t)},
    'a record' => q{answer_investigation_record(1, 'grep', b.t, 'a', jsonb_build_object('match', b.w))},
    'a suite' => q{answer_suite_load('s', } . sprintf($many, q{'id', 'c' || n, 'query', x.e, 'expected_outcome', 'ANSWER', 'risk_level', 'low', 'required_behavior', '{}'::jsonb}) . ')',
    'a baseline' => q{answer_baseline_load('b', } . sprintf($many, q{'question', n || (x.e #>> '{}'), 'answered', true, 'cited', true, 'contradictory', false, 'latency_ms', 1, 'cost_usd', 0}) . ')',
    'a rule' => q{answer_decision_rule_register('negators', left(b.t, 200), '{}')},
    'digests' => 'answer_digest(b.o::text)',
    'a spec' => q{answer_tool_register('s', 'echo(jsonb)', spec => jsonb_build_object('io', jsonb_build_object('input',
        (SELECT jsonb_object_agg('a' || n, '"string"'::jsonb) FROM generate_series(1, 100000) AS n))))},
    'memory' => q{answer.tool_mesh_mem(jsonb_build_object('op', 'write', 'key', 'k', 'value', b.w))},
    'a bundle' => q{answer.replay_verify(convert_to(b.t, 'UTF8'))},
);
my %good;
for my $name (sort keys %samples) {
    for my $kind (@kinds) {
        # always the calls that were quadratic
        next if by_tier(rand(10), rand(10), 0) >= 1 && "$name, $kind" !~ /^verify a text, fewer|^invoke verify, sentences/;
        $good{$name}++ if (attempt($name, $kind, call_of($samples{$name}, $kind)) || '') =~ /^(?:00000|57014|54000|54001)$/;
    }
}
SKIP: {
    skip 'only a share was tried', 1 if by_tier(1, 1, 0);
    is(join("\n", grep { !$good{$_} } sort keys %samples), '', 'each sample is what its function takes, of some kind at least');
}

# inputs that took longer, and have a limit for that reason
for my $given (q{required_args => (SELECT array_agg('a' || n) FROM generate_series(1, 1001) AS n)},
    q{spec => jsonb_build_object('io', jsonb_build_object('input', (SELECT jsonb_object_agg('a' || n, '"string"'::jsonb) FROM generate_series(1, 1001) AS n)))}) {
    is($setup->run("SELECT answer_tool_register('wide', 'echo(jsonb)', $given)")->{state}, '54000', 'a tool has at most 1000 arguments');
}

#
# every function of the catalog, with each of its arguments
#
my %plain = (text => q{'a'::text}, json => q{'{}'::json}, jsonb => q{'{}'::jsonb}, bytea => q{'\\x00'::bytea}, boolean => 'false', integer => '1', bigint => '1::bigint',
    numeric => '0.5', 'double precision' => '0.5', real => '0.5', interval => q{'1 day'::interval}, 'timestamp with time zone' => q{'2026-01-01Z'::timestamptz},
    regprocedure => q{'public.echo(jsonb)'::regprocedure}, regclass => q{'public.big'::regclass}, 'text[]' => q{'{a}'::text[]});
my %given = (
    text => ['b.t'],
    json => ['to_json(b.t)', 'b.w::json', 'b.o::json'],
    jsonb => ['to_jsonb(b.t)', 'b.w', 'b.o', 'b.d'],
    'text[]' => ['ARRAY[b.t]', q{string_to_array(b.t, ' ')}],
    'jsonb[]' => ['ARRAY[b.o]', '(SELECT array_agg(e) FROM jsonb_array_elements(b.w) AS e)'],
    bytea => [q{convert_to(b.t, 'UTF8')}],
);
# The server's own jsonb_agg() of one row of that length takes longer. Rows come here after they were read as rows.
my %left_out = ('answer.baseline_digest(jsonb)' => 1);
my @functions = map { [split /\t/] } split /\n/, $setup->value(q{
    SELECT concat_ws(E'\t', p.oid, p.oid::regprocedure, n.nspname || '.' || p.proname, p.prokind, p.pronargs - p.pronargdefaults,
        (SELECT string_agg(format_type(a.type, NULL), '|' ORDER BY a.n) FROM unnest(p.proargtypes) WITH ORDINALITY AS a (type, n)))
    FROM pg_catalog.pg_depend AS d JOIN pg_catalog.pg_proc AS p ON p.oid = d.objid JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
    WHERE d.classid = 'pg_proc'::regclass AND d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e'
        AND d.refobjid = (SELECT oid FROM pg_catalog.pg_extension WHERE extname = 'answer_eval') AND p.prokind <> 'a' AND p.prorettype <> 'internal'::regtype
        AND EXISTS (SELECT FROM unnest(p.proargtypes) AS t (type) WHERE t.type IN ('text'::regtype, 'json'::regtype, 'jsonb'::regtype, 'text[]'::regtype, 'jsonb[]'::regtype))
    ORDER BY p.oid::regprocedure::text COLLATE "C"});
cmp_ok(scalar @functions, '>', 200, 'the catalog has ' . @functions . ' functions that take text or JSON');
my $called = 0;
for my $function (@functions) {
    my ($oid, $signature, $name, $kind, $required, $types) = @$function;
    my @types = split /\|/, $types;
    next if $left_out{$signature} || grep { $_ eq 'internal' } @types;
    $called++;
    for my $n (0 .. $#types) {
        for my $value (@{$given{$types[$n]} || []}) {
            for my $words (@kinds) {
                next if $words =~ /^(?:sentences|fewer|few)$/ || by_tier(rand(40), rand(40), 0) >= 1;
                my @args = map { $_ == $n ? $value : $plain{$types[$_]} || "NULL::$types[$_]" } 0 .. ($n > $required - 1 ? $n : $required - 1);
                my $what = "$signature, argument " . ($n + 1) . " as $value";
                if ($kind eq 'p') {
                    # a procedure cannot be called with a column
                    my @given = map { /^'|^NULL|^[0-9f]/ ? $_ : 'given' } @args;
                    attempt($what, $words, "DO \$do\$ DECLARE given $types[$n] := (SELECT $value FROM public.big b WHERE kind = '$words'); BEGIN CALL $name("
                        . join(', ', @given) . (@given < @types ? ', ' . join(', ', map { 'NULL' } @given + 1 .. @types) : '') . '); END $do$');
                    next;
                }
                attempt($what, $words, call_of("$name(" . join(', ', @args) . ')', $words));
            }
        }
    }
}
cmp_ok($called, '>', 200, "$called of them can be called");
is(join("\n", @slow), '', "none of $count{done} calls that were done, $count{refused} that were refused and $count{stopped} that were stopped took more than $MOST_SECONDS s of the processor");
cmp_ok($count{done}, '>', by_tier(30, 30, 100), 'many were done');
ok(!$server->crashed, 'the server never crashed');
done_testing();
