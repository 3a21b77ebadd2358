#!/usr/bin/env perl
# tiers: check test
# Databases in other encodings: equal documents have the same canonical form and digest, receipts verify everywhere,
# and bytes that are not valid text raise an error of class 22. This file is UTF-8, and its literals are bytes.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Test::More;

my $server = AnswerServer->new('encoding');
my %db;

# SQL_ASCII takes what it is given, so it is given UTF-8
for my $encoding ('UTF8', 'LATIN1', 'EUC_JP', 'SQL_ASCII') {
    my $dbname = lc "db_$encoding";
    $server->value("CREATE DATABASE $dbname TEMPLATE template0 ENCODING '$encoding' LC_COLLATE 'C' LC_CTYPE 'C'");
    $db{$encoding} = $server->session(dbname => $dbname, setup => ['SET client_min_messages = warning',
        'CREATE EXTENSION answer_eval']);
    is($db{$encoding}->value('SHOW server_encoding'), $encoding, "a database in $encoding");
}

#
# canonical form and digest
#
my @everywhere = ('LATIN1', 'EUC_JP', 'SQL_ASCII');
my @documents = (
    # encodings that have the characters, the document, its canonical form
    [\@everywhere, '{"b": 1, "a": [2.50, 1e2, -0]}', '{"a":[2.50,1e2,-0],"b":1}'],
    [\@everywhere, '"\u00e9 \u65e5 \ud83d\ude00 \u007f \u0080"', '"\u00e9 \u65e5 \ud83d\ude00 \u007f \u0080"'],
    [\@everywhere, '{"\uff71": 1, "\ud83d\ude00": 2, "\u65e5": 3, "z": 4, "\u00e9": 5}',
        '{"z":4,"\u00e9":5,"\u65e5":3,"\uff71":1,"\ud83d\ude00":2}'],
    [['LATIN1', 'SQL_ASCII'], '{"é": "Zürich", "z": "ÿ", "É": "§", "\u00e9": "last"}',
        '{"z":"\u00ff","\u00c9":"\u00a7","\u00e9":"last"}'],
    # in EUC_JP's own order 亜 comes before 一, and half-width katakana before all kanji
    [['EUC_JP', 'SQL_ASCII'], '{"亜": 1, "一": 2, "ア": 3, "ｱ": 4, "α": 5, "Я": 6, "z": 7}',
        '{"z":7,"\u03b1":5,"\u042f":6,"\u30a2":3,"\u4e00":2,"\u4e9c":1,"\uff71":4}'],
    [['EUC_JP', 'SQL_ASCII'], '{"一": "日本語", "\u4e00": "中"}', '{"\u4e00":"\u4e2d"}'],
    # JIS X 0212 takes three bytes there
    [['EUC_JP', 'SQL_ASCII'], '["ﾃｽﾄ", "丂", "é"]', '["\uff83\uff7d\uff84","\u4e02","\u00e9"]'],
    [['SQL_ASCII'], qq({"😀": "€", "\x{7f}": "\x{ef}\x{bf}\x{bf}", "é": "\\ud83d\\ude00"}),
        '{"\u007f":"\uffff","\u00e9":"\ud83d\ude00","\ud83d\ude00":"\u20ac"}'],
);
for my $case (@documents) {
    my ($encodings, $document, $canonical) = @$case;
    my $literal = quoted($document);
    my $digest = $db{UTF8}->value("SELECT answer_digest($literal\::text)");
    is($db{UTF8}->value("SELECT answer_canonical($literal\::text)"), $canonical, "UTF8: canonical form of $document");
    for my $encoding (@$encodings) {
        my $here = $db{$encoding};
        for my $type ('text') {
            is($here->run("SELECT answer_canonical($literal\::$type)")->{out}, $canonical,
                "$encoding: the same as $type");
            is($here->run("SELECT answer_digest($literal\::$type)")->{out}, $digest, "$encoding: digest as $type");
        }
        # jsonb stores the characters themselves; PostgreSQL refuses those that the encoding lacks
        my $result = $here->run("SELECT answer_canonical($literal\::jsonb) = answer_canonical(answer_canonical($literal\::jsonb))");
        if ($result->{state} eq '00000') {
            is($result->{out}, 't', "$encoding: from jsonb it is a fixed point");
            is($here->value("SELECT answer_digest($literal\::jsonb)"),
                $db{UTF8}->value("SELECT answer_digest($literal\::jsonb)"), "$encoding: digest as jsonb")
                unless $document =~ /\d[eE]\d/;
        }
        else {
            like($result->{state}, qr/^(22P0[25]|0A000)$/, "$encoding: PostgreSQL itself refuses it as jsonb")
                or diag($result->{err});
        }
    }
}
for my $encoding ('UTF8', @everywhere) {
    for my $bad ('"\ud800"', '{"a": "\udc00", "a": 1}', '"\u0000"', '{"\u0000": 1}', '"\ud83d\u0041"') {
        for my $type ('text') {
            like($db{$encoding}->run('SELECT answer_canonical(' . quoted($bad) . "::$type)")->{state}, qr/^22P0[25]$/,
                "$encoding: $bad as $type is refused");
        }
    }
}

#
# bytes that are no UTF-8, which only SQL_ASCII lets in
#
my $raw = $server->session(dbname => 'db_sql_ascii', encoding => 'SQL_ASCII');
my %bad_bytes = (
    'stray byte' => "\xff", 'lone continuation' => "\x80", 'cut sequence' => "\xe6\x97", 'cut astral' => "\xf0\x9f\x98",
    'overlong' => "\xc0\xaf", 'overlong of three' => "\xe0\x80\xaf", 'surrogate' => "\xed\xa0\x80",
    'beyond Unicode' => "\xf4\x90\x80\x80", 'five bytes' => "\xf8\x88\x80\x80\x80", 'LATIN1' => "caf\xe9",
);
for my $what (sort keys %bad_bytes) {
    my $bytes = $bad_bytes{$what};
    my %calls = (
        'answer_canonical(text)' => qq(answer_canonical('{"a": "$bytes"}'::text)),
        'answer_canonical(text)' => qq(answer_canonical('{"a": "x$bytes"}'::text)),
        'answer_canonical(jsonb)' => qq(answer_canonical('{"a": "$bytes"}'::jsonb)),
        'a key' => qq(answer_canonical('{"${bytes}": 1}'::text)),
        'under a duplicate' => qq(answer_canonical('{"a": "$bytes", "a": 1}'::text)),
        'answer_digest(text)' => qq(answer_digest('["$bytes"]'::text)),
        'answer_digest(jsonb)' => qq(answer_digest('["$bytes"]'::jsonb)),
    );
    for my $call (sort keys %calls) {
        my $result = $raw->run("SELECT $calls{$call}");
        is($result->{state}, '22021', "$what: $call") or diag("$result->{out} $result->{err}");
    }
    # for these the only rule is: an error of class 22 or an answer, but never a crash
    my @others = (
        qq(answer.portable('{"${bytes}": "$bytes", "n": 1.50}')),
        qq(answer_validate('{"checks": [{"id": "$bytes", "tool": "t${bytes}"}]}')),
        qq(answer_validate('{"checks": [{"id": "$bytes", "tool": 1}]}')),
        qq(answer_validate('{"checks": [{"tool": "t", "${bytes}": 1}]}')),
        qq(answer.operator('contains', '"a${bytes}b"', '"$bytes"')),
        qq(answer.operator('eq', '{"${bytes}": 1}', '{"${bytes}": 1}')),
        qq(answer.operator('eq', '"${bytes} "', '" ${bytes}"')),
        qq(answer.operator('$bytes', '1', '1')),
        qq(answer_check('{"tool": "t", "expect": {"path": "$bytes", "op": "eq", "value": "$bytes"}}',
            '{"fact": "t", "raw": {"${bytes}": "$bytes"}}', now())),
        qq(answer_check('{"tool": "t", "expect": {"path": "x", "op": "eq", "value": "$bytes"}}',
            '{"fact": "t", "raw": {"${bytes}": "$bytes"}}', now())),
        qq(answer.path_problem('a.$bytes')),
        qq(answer.fact_confidence('{"basis": "$bytes", "signals": {"${bytes}": true}}')),
        qq(answer.evidence_digest('$bytes', '{"${bytes}": 1}', '"$bytes"', '$bytes', now(), NULL)),
        qq(answer_eval('{"checks": [{"id": "$bytes", "tool": "postgres_server"}]}')),
        qq(answer_eval('{"checks": [{"tool": "$bytes"}]}')),
        qq(answer_eval('{"checks": [{"tool": "postgres_setting", "args": {"name": "$bytes"}}]}')),
        qq(answer_eval('{"checks": [{"tool": "x"}], "evidence": [{"fact": "x", "raw": "$bytes"}]}')),
        qq(answer_fact('$bytes')),
        qq(answer_tool_register('tool$bytes')),
        qq(answer_source_register('source$bytes')),
    );
    my @wrong;
    for my $call (@others) {
        my $result = $raw->run("SELECT $call");
        push @wrong, "$result->{state} $result->{err} in $call" if $result->{state} !~ /^(00000|22...)$/;
    }
    is(join("\n", @wrong), '', "$what: elsewhere an answer or an error of class 22");
    # functions that verify logs report it and do not raise
    my $inclusion = '"schema": "answer/inclusion/v1"';
    for my $call (qq(answer_checkpoint_verify('$bytes')), qq(answer_checkpoint_verify('x\n0\n$bytes\n\n-')),
        qq(answer_log_verify('{"schema": "$bytes"}')), qq(answer_log_verify('{$inclusion, "digest": "$bytes"}')),
        qq(answer_log_verify('{$inclusion, "checkpoint": "$bytes"}')),
        qq(answer_log_verify('{$inclusion}', '{"${bytes}": 1}')), qq(answer_log_compare('$bytes'))) {
        my $result = $raw->run("SELECT $call -> 'ok'");
        is("$result->{state} $result->{out}", '00000 false', "$what: $call is not ok");
    }
    for my $document (qq({"a": "$bytes"}), qq({"schema": "answer/v1", "receipt_id": "$bytes"}), $bytes,
        qq({"schema": "answer/v1", "signature": {"alg": "$bytes", "key_id": "$bytes"}})) {
        for my $type ('text', 'jsonb') {
            next if $type ne 'text' && $document eq $bytes;
            for my $keys ("'{}'", "'[]'", 'NULL') {
                my $result = $raw->run("SELECT answer_verify('$document'::$type, $keys) ->> 'ok'");
                push @wrong, "$result->{state} $result->{out} $result->{err}" if $result->{out} ne 'false';
            }
            my $others = $raw->run("SELECT answer_verify_ok('$document'::$type, '{}'), answer_replay('$document'::$type) ->> 'ok'");
            push @wrong, "$others->{state} $others->{out} $others->{err}" if $others->{out} ne 'f|false';
            # keys belong to the verifier, so an error may say that they are no text
            my $result = $raw->run(qq(SELECT answer_verify('{}', '{"${bytes}": "$bytes"}') ->> 'ok'));
            push @wrong, "keys: $result->{state} $result->{out} $result->{err}"
                unless $result->{out} eq 'false' || $result->{state} eq '22021';
        }
    }
    is(join('', @wrong[0 .. ($#wrong > 2 ? 2 : $#wrong)]), '', "$what: answer_verify says not ok and never fails");
}

# A tool whose error message or result is no text.
$raw->value($_) for (
    qq(CREATE FUNCTION bad_message(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS
        \$\$ BEGIN RAISE EXCEPTION 'caf\xe9 \xff'; END \$\$),
    qq(CREATE FUNCTION bad_result(args jsonb) RETURNS jsonb LANGUAGE sql AS \$\$ SELECT '{"v": "caf\xe9"}'::jsonb \$\$),
    q{SELECT answer_source_register('test')},
    q{SELECT answer_tool_register(f, (f || '(jsonb)')::regprocedure, options => jsonb_build_object('source', 'test'))
        FROM unnest('{bad_message,bad_result}'::text[]) f},
);
is($raw->run(q{SELECT r #>> '{checks,0,verdict}', answer_verify(r) ->> 'ok'
    FROM (SELECT answer_eval('{"checks": [{"tool": "bad_message"}]}') r OFFSET 0) q})->{out},
    'evidence_unavailable|true', 'a message of a tool that is no text: a receipt all the same');
{
    my $result = $raw->run(q{SELECT r #>> '{checks,0,verdict}', answer_verify(r) ->> 'ok'
        FROM (SELECT answer_eval('{"checks": [{"tool": "bad_result"}]}') r OFFSET 0) q});
    is($result->{out}, 'evidence_unavailable|true', 'a result of a tool that is no text costs its check')
        or diag($result->{err});
}

#
# receipts: all names and data in them are in the language of the case
#
my %language = (
    LATIN1 => {tool => 'météo', source => 'Météo-Suisse', arg => 'città', value => 'Zürich', key => 'température',
        group => 'Übersee', fault => 'panne générale', id => 'chèque', unit => '°C'},
    EUC_JP => {tool => '天気', source => '気象庁', arg => '都市', value => '東京', key => '気温', group => '官庁',
        fault => '故障中', id => '検査', unit => '度'},
);
$language{SQL_ASCII} = $language{UTF8} = {tool => '天気é', source => '気象庁😀', arg => 'città', value => 'Łódź',
    key => '気温', group => 'Я', fault => '故障 é 😀', id => 'чек', unit => '℃'};
my (%receipt, %keys);
for my $encoding ('UTF8', @everywhere) {
    my $here = $db{$encoding};
    my %w = %{$language{$encoding}};
    $here->value($_) for (
        "SELECT answer_source_register('$w{source}', '$w{group}')",
        "SELECT answer_tool_register('$w{tool}', required_args => '{$w{arg}}', value_path => '$w{key}.0',
            options => jsonb_build_object('unit', '$w{unit}', 'entity_path', '$w{arg}'), freshness => '1 day')",
        qq(SELECT answer_evidence_add('$w{tool}', '{"$w{arg}": "$w{value}"}',
            '{"$w{key}": [12.50, "$w{value}"], "$w{arg}": "$w{value}"}', '$w{source}')),
        qq(CREATE FUNCTION "h$w{tool}"(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS
            \$\$ BEGIN IF args ? '$w{arg}' THEN RAISE EXCEPTION '$w{fault}: %', args; END IF;
            RETURN '{"$w{key}": "$w{value}"}'; END \$\$),
        qq(SELECT answer_tool_register('h$w{tool}', '"h$w{tool}"(jsonb)', options => jsonb_build_object('optional_args', '{$w{arg}}'::text[], 'source', '$w{source}'),
            value_path => '$w{key}')),
        qq(SET answer_eval.issuer = '$w{source}'),
    );
    my $request = qq({"checks": [
        {"id": "$w{id}", "tool": "$w{tool}", "args": {"$w{arg}": "$w{value}"},
            "expect": [{"path": "$w{key}.0", "op": "lt", "value": 13}, {"path": "$w{key}.1", "op": "eq",
                "value": " $w{value} "},
                {"path": "$w{key}.1", "op": "starts_with", "value": "$w{value}"}]},
        {"tool": "h$w{tool}", "expect": {"op": "eq", "value": "$w{value}"}},
        {"tool": "h$w{tool}", "args": {"$w{arg}": "$w{value}"}},
        {"tool": "h$w{tool}", "args": {"x$w{arg}": 1}},
        {"tool": "h$w{tool}", "expect": {"path": "$w{unit}.$w{id}", "op": "eq", "value": "$w{fault}"}},
        {"tool": "$w{fault}"},
        {"tool": "$w{tool}", "args": {"$w{arg}": "$w{unit}"}, "required": false},
        {"tool": "$w{unit}", "args": {"$w{arg}": 1}, "expect": {"op": "contains", "value": "$w{value}"}}],
        "evidence": [{"fact": "$w{unit}", "args": {"$w{arg}": 1}, "value": "x$w{value}x", "raw": {"$w{key}": 1}}]});
    my $result = $here->run("SELECT answer_eval('$request')");
    is($result->{state}, '00000', "$encoding: a receipt about local things") or diag($result->{err});
    my $receipt = $receipt{$encoding} = $result->{out};
    $keys{$encoding} = $here->value('SELECT answer_key_registry()');
    my $literal = quoted($receipt);
    is($here->value("SELECT string_agg(c ->> 'verdict', ' ' ORDER BY n)
        FROM jsonb_array_elements($literal\::jsonb -> 'checks') WITH ORDINALITY q(c, n)"),
        'supported supported evidence_unavailable not_evaluable not_evaluable outside_evidence_coverage'
        . ' evidence_unavailable supported', "$encoding: its verdicts");
    # in SQL_ASCII nothing guarantees that a message is valid text
    like($receipt, qr/\Q$w{fault}: \E/, "$encoding: with the message that the tool gave") if $encoding ne 'SQL_ASCII';
    like($receipt, qr/"issuer": "\Q$w{source}\E"/, "$encoding: and the issuer");
    like($receipt, qr/"entity": "\Q$w{value}\E"/, "$encoding: and the entity");
    like($receipt, qr/"argument": "x\Q$w{arg}\E"/, "$encoding: and the wrong argument");
    is($here->value("SELECT answer_verify(body) ->> 'ok' FROM answer.receipt WHERE body = $literal\::jsonb"), 'true',
        "$encoding: it verifies as it is stored");
    for my $type ('jsonb', 'text') {
        is($here->run("SELECT answer_verify($literal\::$type) ->> 'ok'")->{out}, 'true', "$encoding: and as $type");
        my $there = $db{UTF8}->run("SELECT answer_verify($literal\::$type, " . quoted($keys{$encoding})
            . ') ->> \'ok\'');
        is($there->{out}, 'true', "$encoding: and as $type in the UTF8 database");
    }
    my $error = $here->run(qq(SELECT answer_eval('{"checks": [{"id": "$w{id}", "tool": "t", "$w{arg}": 1}]}')));
    is($error->{state}, '22023', "$encoding: a wrong request is 22023");
    like($error->{err}, qr/\Q$w{id}\E/, "$encoding: the message names the check");
    like($error->{err}, qr/\Q$w{arg}\E/, "$encoding: and the field");
    $error = $here->run("SELECT answer_fact('$w{tool}x')");
    like($error->{err}, qr/"\Q$w{tool}\Ex".*"\Q$w{tool}\E"/s, "$encoding: an unknown tool gets the closest name");
    is($here->value(qq(SELECT answer_eval('{"checks": [{"tool": "$w{tool}x"}]}') #>> '{checks,0,explain,closest,0}')),
        $w{tool}, "$encoding: also in a receipt");
    my $long = $w{arg} x 101;
    $error = $here->run(qq(SELECT answer_validate('{"checks": [{"id": "x", "tool": "t", "$long": 1}]}')));
    is($error->{state}, '22023', "$encoding: also with a long name, cut wherever it is");
    $error = $here->run(qq(SELECT answer_validate('{"checks": [{"id": "$long", "tool": "t"}]}')));
    is($error->{state}, '22023', "$encoding: a long id is 22023");
}

#
# receipts with characters that the encoding of the database lacks
#
my $foreign = $db{UTF8}->value('SELECT answer_canonical(' . quoted($receipt{UTF8}) . '::jsonb)');
my $keys = quoted($db{UTF8}->value('SELECT answer_keys()'));
for my $encoding (@everywhere) {
    for my $type ('text') {
        my $result = $db{$encoding}->run('SELECT answer_verify(' . quoted($foreign) . "::$type, $keys) ->> 'ok'");
        is($result->{out}, 'true', "$encoding: a receipt with foreign characters verifies as $type")
            or diag($result->{err});
        $result = $db{$encoding}->run('SELECT answer_replay(' . quoted($foreign) . "::$type) ->> 'ok'");
        is($result->{out}, 'true', "$encoding: and replays as $type") or diag($result->{err});
    }
}
my $word = '\u65e5\ud83d\ude00\u0142';
my @edits = (
    # in JSON within SQL: the place, and the value put there; escapes keep the receipt ASCII
    map({ ["another $_", "'{$_}'", qq("$word")] } qw(schema receipt_id issuer issued_at evaluated_at mode verdict confidence
        degraded disclaimer checks evidence_index reproduce signature)),
    map({ ["another signature $_", "'{signature,$_}'", qq("$word")] } qw(alg key_id canonicalization sig)),
    map({ ["another $_ of a check", "'{checks,0,$_}'", qq("$word")] } qw(id tool args expect observe required verdict
        confidence observed explain evidence)),
    map({ ["another $_ of an expectation", "'{checks,0,expect,0,$_}'", qq("$word")] } qw(op path value tol)),
    ['an unknown member of a check', "'{checks,0,expect,0,x}'", qq("$word")],
    ['a citation of nothing', "'{checks,0,evidence,0}'", qq("$word")],
    ['a fact filed wrongly', qq('{"evidence_index","$word"}'), qq({"fact": "$word"})],
    ['a fact of its own', qq('{"evidence_index","sha256:x"}'), qq({"$word": "$word",
        "verification": {"signals": {"$word": 1}}})],
    ['an anchor', "'{anchor}'", qq({"token": "$word", "imprint": "$word", "hash_alg": "$word"})],
    ['an anchor that is text', "'{anchor}'", qq("$word")],
    ['a new member', qq('{"$word"}'), qq("$word")],
);
my @tampered;
for my $edit (@edits) {
    my ($what, $path, $value) = @$edit;
    # the path is text and not JSON, so its escapes are resolved here
    $path =~ s/\Q$word\E/日😀ł/g;
    my $document = $db{UTF8}->value('SELECT answer_canonical(jsonb_set(' . quoted($foreign) . "::jsonb, $path, "
        . quoted($value) . '::jsonb))');
    push @tampered, [$what, $document];
}
push @tampered, ['cut', substr($foreign, 0, length($foreign) - 1)],
    ['an unpaired surrogate', $foreign =~ s/\}\z/,"x":"\\ud800"}/r], ['a zero', $foreign =~ s/\}\z/,"x":"\\u0000"}/r],
    ['a late duplicate', $foreign =~ s/\}\z/,"verdict":"$word"}/r],
    ['not an object', qq("$word")], ['an array', qq(["$word"])];
for my $encoding ('UTF8', @everywhere) {
    for my $case (@tampered) {
        my ($what, $document) = @$case;
        my @wrong;
        for my $type ('text') {
            for my $with ($keys, quoted('[{"key_id": "x", "public_key": "y", "status": "z"}]'), 'NULL') {
                my $result = $db{$encoding}->run('SELECT answer_verify(' . quoted($document)
                    . "::$type, $with) ->> 'ok'");
                push @wrong, "as $type: $result->{state} $result->{out} $result->{err}" if $result->{out} ne 'false';
            }
            my $others = $db{$encoding}->run('SELECT answer_verify_ok(' . quoted($document) . "::$type, $keys), answer_replay("
                . quoted($document) . "::$type) -> 'ok' IS NOT NULL");
            push @wrong, "as $type: $others->{state} $others->{out} $others->{err}" if $others->{out} ne 'f|t';
        }
        is(join("\n", @wrong), '', "$encoding: tampered, $what: not ok and no error");
    }
}

#
# a unit whose sign is missing in an encoding
#
{
    my %sign = (UTF8 => "\xe2\x82\xac", SQL_ASCII => "\xe2\x82\xac", LATIN1 => '\u20ac', EUC_JP => '\u20ac');
    my $chunks = q('[{"chunk_id": "a#p0", "doc_id": "a", "similarity": 1, "text": "The standard rate limit fee for each workshop is 5 EUR."},
        {"chunk_id": "b#p0", "doc_id": "b", "similarity": 1, "text": "The standard rate limit fee for each workshop is 6 EUR."}]');
    my $copies = q('[{"chunk_id": "a#p0", "doc_id": "a", "similarity": 1, "text": "Each visitor pays 5 EUR for the guided harbour tour."},
        {"chunk_id": "b#p0", "doc_id": "b", "similarity": 1, "text": "Each visitor pays 6 EUR for the guided harbour tour."}]');
    for my $encoding (sort keys %sign) {
        my $here = $db{$encoding};
        is($here->value(q{SELECT answer_reading('It costs 5 EUR and 3 km.') #>> '{sentences,0,values,0,unit}'}), $sign{$encoding},
            "$encoding: the unit of euros is shown as can be");
        is($here->value("SELECT answer_conflicts($chunks) #>> '{pairs,0,reason}'"), "numeric conflict: 5 vs 6 $sign{$encoding}",
            "$encoding: in the reason of a conflict, too");
        is($here->value("SELECT answer_conflicts($copies) #>> '{pairs,0,reason}'"),
            "same statement, another value: 5 $sign{$encoding} vs 6 $sign{$encoding}", "$encoding: and in that of two copies");
    }
}

#
# another locale
#
SKIP: {
    skip 'this PostgreSQL is built without ICU', 3
        unless $server->value(q{SELECT count(*) FROM pg_collation WHERE collprovider = 'i'}) > 0;
    # digits sort by their value, and the small letter of I has no dot
    $server->value(q{CREATE DATABASE turkish TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'tr-u-kn-true'});
    my $turkish = $server->session(dbname => 'turkish', setup => ['SET client_min_messages = warning', 'CREATE EXTENSION answer_eval']);
    for my $here ($db{UTF8}, $turkish) {
        $here->value($_) for q{SELECT answer_source_register('lab')},
            q{SELECT answer_tool_register('level', freshness => '36500 days', value_path => 'v')},
            q{SELECT count(answer_evidence_add('level', '{}', jsonb_build_object('v', n), 'lab', '2026-01-01Z')) FROM generate_series(1, 40) AS n},
            q{CREATE FUNCTION tidy(o jsonb) RETURNS answer_graded IMMUTABLE PARALLEL SAFE LANGUAGE sql AS
                $$SELECT ROW(NULL, 'Strong', 'Low', 'tidy')::answer_graded$$},
            q{SELECT answer_quality_grader_register('tidy', 'Build', 'tidy(jsonb)')},
            q{SELECT answer_quality_authority_register('tidy', o) FROM unnest('{"{\"v\": \"a2\"}","{\"v\": \"a10\"}"}'::jsonb[]) AS o};
    }
    my %same = (
        'which of many readings of one instant counts' => q{SELECT answer_fact('level') #- '{attestation}'},
        'a setting whose name is given in capitals' => q{SELECT answer_fact('postgres_setting', '{"name": "TIMEZONE"}') -> 'value'},
        'the order of lists in a record of a change' =>
            q{SELECT after -> 'authorities' FROM answer.change WHERE kind = 'quality_tool' AND name = 'tidy' ORDER BY revision DESC LIMIT 1},
    );
    for my $what (sort keys %same) {
        my ($here, $there) = map { $_->value($same{$what}) } $db{UTF8}, $turkish;
        is($there, $here, "the same in Turkish: $what");
    }
}

ok($server->alive, 'the server is up');
ok(!$server->crashed, 'and never crashed');
done_testing();
