#!/usr/bin/env perl
# tiers: long
# A call that signs runs user code while it holds a key, and that code rotates, retires, replaces or reloads keys, three calls
# deep. The key that was chosen at the beginning signs at the end, and everything verifies.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Test::More;

my $server = AnswerServer->new('reentry', conf => ['max_prepared_transactions = 2'], extended => 1);
my $file = q{(SELECT current_setting('data_directory') || '/answer_eval_keys/' || folder || '/' || key_id || '.pem'
    FROM answer.signing_key WHERE status = 'active')};

$server->value($_) for (
    'CREATE EXTENSION dblink',
    'CREATE SCHEMA evaluation',
    # what happens in the middle: in the same session, in another one, or to the file
    q{CREATE FUNCTION evaluation.elsewhere(statement text) RETURNS text LANGUAGE sql
        AS $$ SELECT r FROM dblink.dblink(format('host=%s port=%s dbname=%s', current_setting('unix_socket_directories'),
            current_setting('port'), current_database()), statement) AS x (r text) $$} =~ s/dblink\.dblink/public.dblink/r,
    # a statement reads a file once, and again under another path
    q{CREATE FUNCTION evaluation.other_path() RETURNS text LANGUAGE sql
        AS $$ SELECT set_config('answer_eval.key_directory', CASE current_setting('answer_eval.key_directory')
            WHEN 'answer_eval_keys' THEN 'answer_eval_keys/.' ELSE 'answer_eval_keys' END, true) $$},
    qq{CREATE FUNCTION evaluation.act(what text) RETURNS text LANGUAGE plpgsql AS \$\$
        BEGIN
            CASE what
            WHEN 'rotate' THEN RETURN public.answer_key_generate();
            WHEN 'rotate elsewhere' THEN RETURN evaluation.elsewhere('SELECT answer_key_generate()');
            WHEN 'twice' THEN PERFORM public.answer_key_generate(); RETURN public.answer_key_generate();
            WHEN 'retire' THEN RETURN public.answer_key_retire(key_id) FROM answer.signing_key WHERE status = 'active';
            WHEN 'retire elsewhere' THEN RETURN evaluation.elsewhere('SELECT answer_key_retire(key_id) FROM answer.signing_key WHERE status = ''active''');
            WHEN 'retire before' THEN RETURN public.answer_key_retire(key_id, active_from) FROM answer.signing_key WHERE status = 'active';
            WHEN 'compromise' THEN
                RETURN public.answer_key_compromise(key_id) FROM answer.signing_key WHERE status = 'active';
            WHEN 'compromise before' THEN
                RETURN public.answer_key_compromise(key_id, active_from) FROM answer.signing_key WHERE status = 'active';
            WHEN 'compromise now' THEN
                RETURN public.answer_key_compromise(key_id, clock_timestamp()) FROM answer.signing_key
                    WHERE status = 'active';
            WHEN 'touch' THEN EXECUTE format('COPY (SELECT 1) TO PROGRAM %L', 'cat > /dev/null; touch -d 2020-01-01 ' || $file); RETURN evaluation.other_path();
            WHEN 'rewrite' THEN EXECUTE format('COPY (SELECT 1) TO PROGRAM %L', format('cat > /dev/null; cp -p %1\$s %1\$s.x && mv %1\$s.x %1\$s', $file)); RETURN evaluation.other_path();
            WHEN 'savepoint' THEN
                BEGIN
                    PERFORM public.answer_key_generate();
                    PERFORM public.answer_fact('leaf');
                    RAISE EXCEPTION 'back';
                EXCEPTION WHEN raise_exception THEN RETURN 'taken back';
                END;
            ELSE RETURN what;
            END CASE;
        END \$\$},
    q{CREATE FUNCTION evaluation.leaf(args jsonb) RETURNS jsonb LANGUAGE sql AS $$ SELECT '{"v": 1}'::jsonb $$},
    # calls itself, three levels deep, and acts on the way down, at the bottom or on the way up
    q{CREATE FUNCTION evaluation.nest(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
        DECLARE
            depth int := (args ->> 'depth')::int;
            inner_args jsonb := jsonb_build_object('depth', depth - 1, 'down', args -> 'down', 'up', args -> 'up', 'call', args -> 'call');
            found jsonb;
        BEGIN
            PERFORM evaluation.act(args ->> 'down');
            IF depth > 1 AND args ->> 'call' = 'fact' THEN
                found := public.answer_fact('nest', inner_args);
            ELSIF depth > 1 THEN
                found := public.answer_eval(jsonb_build_object('deadline_ms', 60000, 'checks', jsonb_build_array(jsonb_build_object('tool', 'nest', 'args', inner_args))));
                INSERT INTO public.inner_receipt VALUES (found);
            END IF;
            PERFORM evaluation.act(args ->> 'up');
            RETURN jsonb_build_object('v', depth);
        END $$},
    'CREATE TABLE public.inner_receipt (body jsonb)',
    q{SELECT answer_tool_register('leaf', 'evaluation.leaf(jsonb)', value_path => 'v')},
    q{SELECT answer_tool_register('nest', 'evaluation.nest(jsonb)', value_path => 'v', required_args => '{depth,down,up,call}')},
    'SELECT answer_key_generate()',
);

sub args { my (%a) = @_; return sprintf('{"depth": %d, "down": "%s", "up": "%s", "call": "%s"}', @a{qw(depth down up call)}) }

sub evaluation {
    return q~answer_eval('{"deadline_ms": 60000, "checks": [{"tool": "nest", "args": ~ . args(@_) . q~, "expect": {"op": "exists"}}]}')~;
}

my $unverified = q{SELECT count(*) FROM answer.receipt WHERE (answer_verify(body) ->> 'ok')::boolean IS NOT TRUE
    OR (answer_verify(body, (SELECT answer_key_registry())) ->> 'ok')::boolean IS NOT TRUE};
my $count = 0;
for my $call ('fact', 'eval') {
    for my $case (['rotate', ''], ['', 'rotate'], ['rotate', 'rotate'], ['rotate elsewhere', ''], ['', 'rotate elsewhere'], ['twice', 'twice'],
        ['touch', ''], ['', 'touch'], ['rewrite', 'rewrite'], ['rotate', 'touch'], ['savepoint', ''], ['', 'savepoint'], ['rotate', 'savepoint']) {
        my ($down, $up) = @$case;
        next if $call eq 'eval' && "$down $up" =~ /elsewhere/;    # that would wait for what this transaction has rotated
        my $session = $server->borrow;
        my $before = $server->value(q{SELECT key_id FROM answer.signing_key WHERE status = 'active'});
        $session->value(q{SELECT answer_fact('leaf')});    # the key is in the cache
        my $name = "$call, three deep, down '$down', up '$up'";
        my $result = $session->run('SELECT ' . q{r #>> '{signature,key_id}' || ' ' || (answer_verify(r) ->> 'ok') || ' ' || (answer_verify(r, answer_key_registry()) ->> 'ok') || ' ' || (r #>> '{checks,0,verdict}') FROM (SELECT }
            . evaluation(depth => 3, down => $down, up => $up, call => $call) . ' r OFFSET 0) q');
        is($result->{state}, '00000', "$name: it is done") or diag($result->{err});
        # answer_fact has its own deadline, which a slow machine may miss; this test is about the signature
        my $verdict = $call eq 'fact' ? qr/\S+/ : qr/supported/;
        like($result->{out}, qr/^\Q$before\E true true $verdict$/, "$name: what was chosen at the beginning signs, and it verifies");
        $result = $session->run(q{SELECT answer_fact('leaf') ? 'attestation'});
        is($result->{out}, 't', "$name: the session goes on") or diag($result->{err});
        $server->give_back($session);
        $count++;
    }
}
is($server->value($unverified), 0, 'every receipt verifies, nested ones too');
cmp_ok($server->value('SELECT count(*) FROM inner_receipt WHERE NOT answer_verify_ok(body)'), '==', 0, 'also as they were given back');
cmp_ok($server->value('SELECT count(*) FROM inner_receipt'), '>=', 20, 'of which there are some');
ok(!$server->crashed, "no crash in $count cases");

#
# a key that is compromised within a call signs nothing that would not verify
#
for my $call ('fact', 'eval') {
    for my $case (['compromise', '55000'], ['compromise before', '55000'], ['compromise now', '00000']) {
        my ($act, $state) = @$case;
        $server->run('SELECT answer_key_generate()');
        my $session = $server->session;
        my $result = $session->run('SELECT ' . evaluation(depth => 2, down => '', up => $act, call => $call));
        is($result->{state}, $state, "$call, $act: the call ends as it must") or diag($result->{err});
        like($result->{err}, qr/was compromised during the call/, "$call, $act: and says why") if $state ne '00000';
        $session->close;
        is($server->value($unverified), 0, "$call, $act: no receipt that does not verify");
    }
}
$server->run('SELECT answer_key_generate()');

#
# an error in the middle releases the keys, many times in a row
#
{
    my $session = $server->session;
    $session->value(q~DO $$ BEGIN
        FOR i IN 1 .. 200 LOOP
            BEGIN
                PERFORM public.answer_eval('{"checks": [{"tool": "nest", "args": ~ . args(depth => 2, down => 'savepoint', up => '', call => 'fact') . q~}]}');
                PERFORM 1 / 0;
            EXCEPTION WHEN division_by_zero THEN NULL;
            END;
        END LOOP;
    END $$~);
    is($session->run(q{SELECT answer_fact('leaf') ? 'attestation'})->{out}, 't', 'after 200 errors the session signs');
    $session->close;
}

#
# a key's life that is shortened while a call signs cannot end before what the call signs
#
{
    my $result = $server->run('SELECT ' . q{r #>> '{checks,0,verdict}' || ' ' || (answer_verify(r) ->> 'ok') || ' ' || r::text FROM (SELECT }
        . evaluation(depth => 1, down => 'retire before', up => '', call => 'fact') . ' r OFFSET 0) q');
    like($result->{out}, qr/^\S+ true .*55000/s, 'a handler cannot end the life of the key that signs for it before that');
    is($server->value(q{SELECT count(*) FROM answer.signing_key WHERE status = 'active'}), 1, 'the key is active still');

    # in another session, while a transaction that has signed is open
    my $signer = $server->session;
    my $retirer = $server->session;
    my $before = $server->value('SELECT clock_timestamp()');
    $signer->value('BEGIN');
    $signer->value(q{SELECT answer_eval('{"checks": [{"tool": "leaf"}]}')});
    $retirer->send("SELECT answer_key_retire(key_id, '$before') FROM answer.signing_key WHERE status = 'active'");
    is($retirer->wait(1)->{state}, 'timeout', 'a retirement in the past waits for who signs');
    $signer->value('COMMIT');
    is($retirer->wait->{state}, '22023', 'and is refused, for something was signed since');
    # one that ends now need not wait
    $signer->value('BEGIN');
    $signer->value(q{SELECT answer_eval('{"checks": [{"tool": "leaf"}]}')});
    is($retirer->run('SELECT answer_key_generate() IS NOT NULL')->{out}, 't', 'a rotation does not wait');
    $signer->value('COMMIT');
    is($server->value($unverified), 0, 'every receipt verifies');

    # without a successor
    for my $what ('retire', 'retire elsewhere') {
        my $session = $server->session;
        $session->value(q{SELECT answer_fact('leaf')});
        my $result = $session->run('SELECT ' . q{(answer_verify(r) ->> 'ok') FROM (SELECT }
            . evaluation(depth => 1, down => $what, up => '', call => 'fact') . ' r OFFSET 0) q');
        is($result->{out}, 'true', "$what in the middle: it is signed and verifies") or diag($result->{err});
        is($session->run(q{SELECT answer_fact('leaf')})->{state}, '55000', 'and nothing after it is');
        $session->value('SELECT answer_key_generate()');
        $session->close;
    }
    $_->close for $signer, $retirer;
}
is($server->value($unverified), 0, 'every receipt verifies');
ok(!$server->crashed, 'the server never crashed');
done_testing();
