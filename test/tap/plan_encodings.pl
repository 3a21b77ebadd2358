#!/usr/bin/env perl
# tiers: long
# Plans in databases of other encodings and locales: hashes, documents and bundles are the same everywhere, and a character
# that an encoding lacks is an error, never another text. This file is UTF-8, and its literals are bytes.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Test::More;

my $server = AnswerServer->new('plan_encodings');
my %words = (LATIN1 => "Z\xc3\xbcrich", EUC_JP => "\xe4\xba\x9c\xe7\xb4\xb0\xe4\xba\x9c", SQL_ASCII => "Z\xc3\xbcrich");
my @encodings = sort keys %words;

sub database {
    my ($name, $encoding, @how) = @_;
    @how = ("LC_COLLATE 'C'", "LC_CTYPE 'C'") unless @how;
    $server->value("CREATE DATABASE $name TEMPLATE template0 ENCODING '$encoding' @how");
    my $session = $server->session(dbname => $name, setup => ['SET client_min_messages = warning', 'CREATE EXTENSION answer_eval']);
    # SQL_ASCII takes any bytes
    $session->value($_) for (
        q{CREATE FUNCTION hits(args jsonb) RETURNS jsonb LANGUAGE sql AS $$ SELECT jsonb_build_object('hits', jsonb_build_array(
            jsonb_build_object('uri', 'https://a', 'title', args ->> 'w', 'score', 0.97, 'stamp', '2999-01-01T00:00:00Z', 'snippet',
            'The lamp of ' || (args ->> 'w') || ' needs oil.'))) $$},
        q{SELECT answer_tool_register('enc.hits', 'hits(jsonb)', spec => '{"io": {"input": {"w": "string"}, "output": {"hits": "array"}},
            "constraints": {"latency_p50_ms": 60000, "input_tokens_max": 20}, "provenance": {"observes": true}, "deny_if": ["FORBIDDEN"]}')},
        q{CREATE FUNCTION fails(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
            BEGIN RAISE EXCEPTION '% is not to be had', args ->> 'w'; END $$},
        q{SELECT answer_tool_register('enc.fails', 'fails(jsonb)', spec => '{"io": {"input": {"w": "string"}},
            "constraints": {"latency_p50_ms": 60000}}')},
    );
    return $session;
}

sub request {
    my ($word) = @_;
    return AnswerServer::quoted(qq({"vars": {"w": "$word"}, "intent": "$word", "plan": {"plan_id": "$word", "nodes": [
        {"id": "$word", "op": "call", "tool": "enc.hits", "args": {"w": "\$INPUT.w"}, "out": "h"},
        {"id": "is", "op": "assert", "if": "\$INPUT.w == '$word' && \$INPUT.w > 'Z' && \$INPUT.w < \\"\\\\uff9f\\" && \$h[0].title == \$INPUT.w"},
        {"id": "v", "op": "verify", "args": {"claims": ["The lamp needs oil", "The lamp of $word needs oil"], "sources": "\$h"}, "out": "e"},
        {"id": "t", "op": "call", "tool": "synth.answer", "args": {"query": "$word", "evidence": "\$e"}, "out": "t"},
        {"id": "m", "op": "mem.write", "args": {"key": "$word", "value": "\$t", "provenance": "\$e", "ttl": "P1D"}}],
        "edges": [["$word", "is"], ["is", "v"], ["v", "t"], ["t", "m"]]}}));
}

# What must be the same in every database.
my $told = q{(SELECT answer_digest(jsonb_build_array(d -> 'verdict', d #> '{reason,kind}', d #> '{response,citations}', d #> '{response,evidence}',
    jsonb_path_query_array(d, '$.trace[*].event.inputs_hash'),
    jsonb_path_query_array(d, '$.trace[*].event.outputs_hash ? (@ != null)') - 4)) FROM plan_done)};

sub execute {
    my ($session, $word) = @_;
    $session->value('DROP TABLE IF EXISTS plan_done');
    return $session->value('CREATE TABLE plan_done AS SELECT answer_plan_execute(' . request($word) . ') AS d');
}

my $utf8 = database('in_utf8', 'UTF8');
for my $encoding (@encodings) {
    my $word = $words{$encoding};
    my $here = database(lc "in_$encoding", $encoding);
    execute($_, $word) for $here, $utf8;
    is($here->value(q{SELECT d ->> 'verdict' || ' ' || (d ->> 'reason' IS NULL) FROM plan_done}), 'answered true', "$encoding: a plan answers")
        or diag($here->value(q{SELECT d ->> 'reason' FROM plan_done}));
    # in single-byte encodings with locale C, the server's dictionaries know only ASCII letters
    my $same = $encoding ne 'EUC_JP' ? q{(SELECT d -> 'response' #- '{trace_id}' #- '{budget_used}' FROM plan_done)} : $told;
    is($here->value("SELECT $same"), $utf8->value("SELECT $same"), '... and comes to the same hashes as in UTF8')
        or diag(map { $_->value(q{SELECT jsonb_path_query_array(d, '$.trace[*].outputs') FROM plan_done}) . "\n" } $here, $utf8);
    is($here->value(q{SELECT answer_verify_ok(d) || ' ' || answer_replay(d)::text || ' ' || (answer_trace_verify(d ->> 'trace_id') ->> 'ok')
        FROM plan_done}), 'true {"ok": true} true', '... its document and trace hold');
    is($here->value(qq{SELECT key = '$word' FROM answer.memory}), 't', '... and it remembers');
    is($here->value(qq{SELECT count(*) FROM answer_trace('$word')}), 5, '... under its name');
    is($here->value(qq{SELECT answer_plan_execute(@{[request($word)]}) ->> 'verdict'}), 'answered', '... and again');
    my $bundle = $here->value(q{SELECT encode(answer_replay_bundle(d ->> 'trace_id'), 'hex') FROM plan_done});
    my $keys = AnswerServer::quoted($here->value('SELECT answer_keys()'));
    is($_->[1]->value("SELECT answer.replay_verify('\\x$bundle', $keys) ->> 'result'"), 'identical', "... its bundle holds $_->[0]")
        for (['here', $here], ['in UTF8', $utf8]);
    # documents made elsewhere, with characters that the encoding lacks
    my $theirs = $utf8->value(q{SELECT encode(answer_replay_bundle(d ->> 'trace_id'), 'hex') FROM plan_done});
    my $their_keys = AnswerServer::quoted($utf8->value('SELECT answer_keys()'));
    is($here->value("SELECT answer.replay_verify('\\x$theirs', $their_keys) ->> 'result'"), 'identical', '... and so does one from UTF8');
    # messages, folding, sizes, and functions outside plans
    is($here->value(qq{SELECT answer_plan_execute('{"plan": {"plan_id": "x", "nodes": [{"id": "$word", "op": "call", "tool": "enc.fails",
        "args": {"w": "$word"}, "out": "x"}]}}') #>> '{reason,message}'}), qq{node "$word": } .
        # the encoding of its bytes is unknown
        ($encoding eq 'SQL_ASCII' ? $word =~ s/[\x80-\xff]/?/gr : $word) . ' is not to be had', '... an error is told');
    is($here->value(qq{SELECT answer_plan_execute('{"plan": {"plan_id": "x", "nodes": [{"id": "a", "op": "call", "tool": "enc.hits",
        "args": {"w": "$word forbidden"}, "out": "x"}]}}') #>> '{reason,kind}'}), 'denied', '... what is denied is denied');
    is($here->value(qq{SELECT answer.condition('\$w == "$word" && \$w != "x"', '{"w": "$word"}') ->> 'outcome'}), 'holds', '... a condition holds');
    is($here->value(qq{SELECT answer.bind('["\$w", "$word \$w"]', '{"w": "$word"}') ->> 0}), $word, '... a name is bound');
    is($here->value(qq{SELECT answer.reference_list('[{"uri": "https://a", "title": "$word*"}]')}), qq{[1] *$word\\**, https://a.}, '... a title is referred to');
    is($here->value(qq{SELECT answer.tokens('"$word"')}), $utf8->value(qq{SELECT answer.tokens('"$word"')}), '... tokens are counted alike');
    is($here->value(qq{SELECT answer.markers_check('$word [1]', '[{"uri": "https://a"}]', true) ->> 'ok'}), 'true', '... and so are markers');
    like($here->run(qq{SELECT answer.memory_expires('$word', now())})->{state}, qr/^22023$/, '... what is no life is none');
    is($here->value(qq{SELECT count(*) FROM answer_log_audit()}), 0, '... and the audit finds nothing');
    if ($encoding ne 'SQL_ASCII') {
        # a character that the encoding lacks
        like($here->run(q{SELECT answer_plan_execute('{"vars": {"w": "\ud83d\ude00"}, "plan": {"plan_id": "x", "nodes": [
            {"id": "a", "op": "assert", "if": "true"}]}}')})->{state}, qr/^22/, '... a character that it lacks is refused');
        is($here->value(q{SELECT answer.condition('"\ud83d\ude00" == "\ud83d\ude00" && "\ud83d\ude00" > "z"', '{}') ->> 'outcome'}), 'holds',
            '... but in a condition, which is no text of the database');
    }
}
# bytes that are no text
{
    my $here = $server->session(dbname => 'in_sql_ascii', setup => ['SET client_min_messages = warning']);
    for my $call (q{answer.condition(E'\'\xff\' == "x"', '{}') ->> 'outcome'}, q{answer.markers_check(E'\xff [1]', '[]', true)},
        q{answer_plan_execute(jsonb_build_object('plan', jsonb_build_object('plan_id', E'\xff', 'nodes',
            '[{"id": "a", "op": "assert", "if": "true"}]'::jsonb)))}, q{answer.bind(to_jsonb(E'$\xff'::text), '{}')},
        q{answer.tokens(to_jsonb(E'\xff'::text))}, q{answer.memory_expires(E'\xff', now())}, q{answer_trace_verify(E'\xff')},
        q{answer_tool_invoke('enc.hits', jsonb_build_object('w', E'\xff'))}, q{answer_tool_spec(E'\xff')},
        q{answer_plan_resume(E'\xff', '{}')}, q{answer_replay_bundle(E'\xff')}, q{answer.reference_list(jsonb_build_array(
            jsonb_build_object('uri', E'\xff')))}) {
        my $result = $here->run("SELECT $call");
        like($result->{state}, qr/^(00000|22|P0002)/, "SQL_ASCII: $call is answered or refused")
            or diag($result->{err});
    }
    ok($here->value('SELECT true') eq 't', 'and the session goes on');
}
# locales that order and fold in another way
my %locales = ('icu' => "LOCALE_PROVIDER icu ICU_LOCALE 'tr' LC_COLLATE 'C' LC_CTYPE 'C.UTF-8'");
$locales{c_utf8} = "LC_COLLATE 'C.UTF-8' LC_CTYPE 'C.UTF-8'";
for my $name (sort keys %locales) {
    my $word = "Il\xc4\xb1k \xc4\xb0I";
    my $here = database("in_$name", 'UTF8', $locales{$name});
    execute($_, $word) for $here, $utf8;
    is($here->value("SELECT $told"), $utf8->value("SELECT $told"), "$name: the same hashes as in C");
    is($here->value(q{SELECT answer_verify_ok(d) || ' ' || answer_replay(d)::text FROM plan_done}), 'true {"ok": true}', '... and it holds');
    is($here->value(q{SELECT answer_plan_execute('{"plan": {"plan_id": "x", "nodes": [{"id": "a", "op": "call", "tool": "enc.hits",
        "args": {"w": "forbidden"}, "out": "x"}]}}') #>> '{reason,kind}'}), 'denied', '... what is denied is denied');
}
ok($server->alive, 'the server is alive');
done_testing();
