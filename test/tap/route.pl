#!/usr/bin/env perl
# tiers: long
# The route table with many sessions: snapshots, edits that fail, crashes, rights, copies, encodings.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Test::More;
use Unicode::UCD ();

my $server = AnswerServer->new('route', extended => 1);
my $tool = q{CREATE FUNCTION told(args jsonb) RETURNS jsonb LANGUAGE sql AS 'SELECT jsonb_build_object(''v'', 1, ''args'', args)'};
$server->value($_) for ($tool,
    q{SELECT answer_tool_register('told', 'told(jsonb)', options => jsonb_build_object('optional_args', '{a}'::text[]), value_path => 'v')},
    # the route that answers, or the refusal
    q{CREATE FUNCTION routed(question text) RETURNS text LANGUAGE sql STABLE AS
        $$ SELECT coalesce(answer.route_compile(question) #>> '{route,route_id}', 'refused') $$},
    q{CREATE FUNCTION add(id text, pattern text, example text) RETURNS void LANGUAGE sql AS
        $$ SELECT answer_route_register(id, pattern, 'interrogative', 'told', '{"a": "{a}"}', examples => ARRAY[example]) $$});

#
# each session sees one whole table, that of its snapshot
#
{
    my ($editor, $other, $old) = map { $server->session } 1 .. 3;
    is($other->value(q{SELECT routed('colour of x')}), 'refused', 'nothing routes it yet');
    $old->value('BEGIN ISOLATION LEVEL REPEATABLE READ');
    is($old->value(q{SELECT routed('colour of x')}), 'refused', 'nor in an old snapshot');
    $editor->value('BEGIN');
    $editor->value(q{SELECT add('colour', 'colour of {a}', 'colour of x')});
    is($editor->value(q{SELECT routed('colour of x')}), 'colour', 'who edits sees the edit');
    is($other->value(q{SELECT routed('colour of x')}), 'refused', 'nobody else does');
    $editor->value('SAVEPOINT s');
    $editor->value(q{SELECT answer_route_remove('colour')});
    is($editor->value(q{SELECT routed('colour of x')}), 'refused', 'removed again, in a subtransaction');
    $editor->value('ROLLBACK TO s');
    is($editor->value(q{SELECT routed('colour of x')}), 'colour', 'which is rolled back');
    $editor->value('COMMIT');
    is($other->value(q{SELECT routed('colour of x')}), 'colour', 'committed, it is everybody\'s');
    is($old->value(q{SELECT routed('colour of x')}), 'refused', 'but of the old snapshot');
    my $receipt = $old->value(q{SELECT answer_ask('colour of x') ->> 'verdict'});
    is($receipt, 'outside_evidence_coverage', 'whose questions are refused accordingly');
    $old->value('COMMIT');
    is($old->value(q{SELECT routed('colour of x')}), 'colour', 'until it ends: the older table is not kept beyond it');
    # an edit that is rolled back, and another one that takes its place
    $editor->value('BEGIN');
    $editor->value(q{SELECT add('shape', 'shape of {a}', 'shape of x')});
    is($editor->value(q{SELECT routed('shape of x')}), 'shape', 'an edit is read');
    $editor->value('ROLLBACK');
    $other->value(q{SELECT add('size', 'size of {a}', 'size of x')});
    is($editor->value(q{SELECT routed('shape of x') || ' ' || routed('size of x')}), 'refused size', 'and is not mistaken for what came instead');
    # replicas apply changes in this way
    $editor->value(q{SET session_replication_role = replica});
    $editor->value(q{DELETE FROM answer.route WHERE route_id = 'size'});
    is($other->value(q{SELECT routed('size of x')}), 'refused', 'changes by a replication role are seen, too');
    is($server->run(q{SET default_transaction_read_only = on; SELECT routed('colour of x')})->{out}, 'colour', 'a read-only transaction compiles');
    is($server->run(q{BEGIN READ ONLY; SELECT answer_ask('colour of x')})->{state}, '25006', 'but does not answer');
    $_->close for $editor, $other, $old;
}

#
# edits of many rows while others ask: no half edit is seen
#
{
    # in every committed state all hundred routes have the same word
    $server->value(q{INSERT INTO answer.route (route_id, position, pattern, kind, tool, examples)
        SELECT 'many.' || i, 1000 + i, format('even %s', i), 'interrogative', 'told', ARRAY[format('even %s', i)] FROM generate_series(1, 100) i});
    $server->value(q{CREATE PROCEDURE flip(n int) LANGUAGE plpgsql AS $$
        BEGIN
            FOR i IN 1 .. n LOOP
                UPDATE answer.route SET pattern = format('%s %s', CASE WHEN pattern LIKE 'even%' THEN 'odd' ELSE 'even' END, position - 1000)
                    WHERE route_id LIKE 'many.%' AND (position % 2 = 0);
                PERFORM pg_sleep(0.002);
                UPDATE answer.route SET pattern = format('%s %s', CASE WHEN pattern LIKE 'even%' THEN 'odd' ELSE 'even' END, position - 1000)
                    WHERE route_id LIKE 'many.%' AND (position % 2 = 1);
                IF i % 5 = 0 THEN ROLLBACK; ELSE COMMIT; END IF;
            END LOOP;
        END $$});
    $server->value(q{CREATE PROCEDURE probe(n int) LANGUAGE plpgsql AS $$
        DECLARE
            word text;
            other text;
            found text[];
        BEGIN
            FOR i IN 1 .. n LOOP
                -- one statement, one table
                SELECT array_agg(DISTINCT (jsonb_array_length(r -> 'checks') || ' ' || (r #>> '{route,router_sha256}')) ORDER BY (jsonb_array_length(r -> 'checks') || ' ' || (r #>> '{route,router_sha256}')))
                    INTO found FROM (SELECT answer.route_compile((SELECT string_agg(format('%s %s.', w, k), ' ') FROM generate_series(1, 100) k)) FROM unnest('{even,odd}'::text[]) w) x (r);
                IF found[1] NOT LIKE '0 %' OR found[2] NOT LIKE '100 %' OR cardinality(found) <> 2 OR substr(found[1], 3) <> substr(found[2], 5) THEN
                    RAISE EXCEPTION 'half a table: %', found;
                END IF;
                COMMIT;
            END LOOP;
        END $$});
    my $editor = $server->session;
    my @readers = map { $server->session } 1 .. 3;
    $_->value(q{SET default_transaction_isolation = 'repeatable read'}) for $readers[0];
    my ($edits, $readings) = (by_tier(60, 60, 200), by_tier(90, 90, 300));
    $editor->send("CALL flip($edits)");
    $_->send("CALL probe($readings)") for @readers;
    my $errors = '';
    my $states = join ' ', map { my $r = $_->wait; $errors .= $r->{err} if $r->{state} ne '00000'; $r->{state} } $editor, @readers;
    is($states, '00000 00000 00000 00000', "$edits edits in halves, and three times $readings readings of whole tables") or diag($errors);
    my $tables = $server->value(q{SELECT count(DISTINCT router) FROM (SELECT answer_ask('even 7') #>> '{route,router_sha256}' AS router) x});
    is($tables, 1, 'a receipt pins the last of them');
    $_->close for $editor, @readers;
}

#
# a crash, a cancel and a terminated session in the midst of an edit
#
{
    my $before = $server->value(q{SELECT answer_digest(answer_route_table())});
    my $editor = $server->session;
    $editor->value('BEGIN');
    $editor->value(q{UPDATE answer.route SET pattern = 'gone ' || position WHERE route_id LIKE 'many.%'});
    my $pid = $editor->backend;
    $server->value("SELECT pg_terminate_backend($pid)");
    $editor->run('SELECT 1');
    $editor->close;
    is($server->value(q{SELECT answer_digest(answer_route_table())}), $before, 'a session that ends in the midst of an edit leaves none of it');
    $editor = $server->session;
    $editor->value('BEGIN');
    $editor->value(q{UPDATE answer.route SET pattern = 'gone ' || position WHERE route_id LIKE 'many.%'});
    $editor->value('SELECT answer_digest(answer_route_table())');
    $server->kill9;
    $editor->close;
    $server->start;
    is($server->value(q{SELECT answer_digest(answer_route_table())}), $before, 'nor does a server');
    $server->value(q{DELETE FROM answer.route WHERE route_id LIKE 'many.%'});
    # a table that is broken while it is edited
    my ($one, $two) = map { $server->session } 1, 2;
    $one->value(q{SELECT routed('colour of x')});
    $two->value('BEGIN');
    $two->value(q{INSERT INTO answer.route (route_id, position, pattern, kind, tool, examples) VALUES ('broken', 1, '(', 'interrogative', 'told', '{x}')});
    is($two->run(q{SELECT routed('colour of x')})->{state}, '55000', 'who breaks the table is told so');
    is($one->value(q{SELECT routed('colour of x')}), 'colour', 'others are served by the whole one');
    $two->run('ROLLBACK');
    is($two->value(q{SELECT routed('colour of x')}), 'colour', 'as is he, once he has given up');
    $_->close for $one, $two;
}

#
# editors wait for each other; sessions that ask wait for nobody
#
{
    my ($one, $two, $asker, $another) = map { $server->session } 1 .. 4;
    $one->value('BEGIN');
    $one->value(q{SELECT add('first', 'ring {a}', 'ring x')});
    $two->send(q{SELECT add('second', 'ring {a:words}', 'ring x')});
    is($two->wait(0.3)->{state}, 'timeout', 'a second registration waits');
    is($asker->value(q{SELECT answer_ask('colour of x') ->> 'verdict'}), 'evidenced', 'questions do not');
    $one->value('COMMIT');
    my $second = $two->wait;
    is($second->{state}, '22023', 'and then sees the first');
    like($second->{err}, qr/shadowed by route "first"/, 'which shadows it');
    # a refresh does not undo what another session has changed since it read the route
    $one->value($_) for ('CREATE TABLE listed (word text)', q{INSERT INTO listed VALUES ('red')}, q{SELECT answer_route_register('listed', 'list {a:list}', 'interrogative', 'told', '{"a": "{a}"}',
        examples => '{list red}', options => jsonb_build_object('lists', '{"a": {"table": "public.listed", "column": "word"}}'::jsonb))}, q{INSERT INTO listed VALUES ('blue')}, 'BEGIN',
        q{UPDATE answer.route SET pattern = 'show {a:list}', examples = '{show red}' WHERE route_id = 'listed'});
    $two->send('SELECT answer_route_refresh()');
    is($two->wait(0.3)->{state}, 'timeout', 'refreshing waits for an edit');
    $one->value('COMMIT');
    is($two->wait->{out}, '1', 'and goes on');
    is($server->value(q{SELECT routed('show blue') || ' ' || routed('list blue')}), 'listed refused', 'with what was edited');
    $one->value($_) for (q{INSERT INTO listed VALUES ('green')}, 'BEGIN', q{DELETE FROM answer.route WHERE route_id = 'listed'});
    $two->send('SELECT answer_route_refresh()');
    is($two->wait(0.3)->{state}, 'timeout', 'it waits for a removal');
    $one->value('COMMIT');
    is($two->wait->{out} . $server->value(q{SELECT routed('show red')}), '0refused', 'and brings nothing back');
    # both use a table that nobody has used yet, and the first does not end its transaction
    $asker->value('BEGIN');
    my $sha256 = $asker->value(q{SELECT answer_ask('ring x') #>> '{route,router_sha256}'});
    $another->send(q{SELECT answer_ask('ring x') #>> '{route,router_sha256}'});
    is($another->wait->{out}, $sha256, 'nobody waits for a table to be kept');
    $asker->value('ROLLBACK');
    is($server->value("SELECT count(*) FROM answer.route_table WHERE sha256 = '$sha256'"), 1, 'and it is kept');
    is($server->value(q{SELECT count(*) FROM answer.receipt WHERE body ->> 'mode' = 'question' AND NOT (answer.route_replay(body) -> 'ok')::boolean}), 0,
        'every receipt replays by a kept table');
    is($server->value(q{SELECT count(*) FROM answer.receipt WHERE NOT (answer_verify(body) ->> 'ok')::boolean}), 0, 'and verifies');
    # a change and its undoing, in transactions under an old snapshot
    $one->value('BEGIN ISOLATION LEVEL REPEATABLE READ');
    $one->value('SELECT count(*) FROM answer.route');
    $two->value(q{SELECT answer_route_remove('first')});
    is($one->run(q{SELECT add('third', 'rang {a}', 'rang x')})->{state}, '40001', 'an edit under an older snapshot is refused');
    $one->run('ROLLBACK');
    $_->close for $one, $two, $asker, $another;
}

#
# rights: the roles of the manual
#
{
    $server->value($_) for (
        'CREATE ROLE reader', 'CREATE ROLE writer', 'CREATE ROLE administrator', 'CREATE ROLE stranger',
        'GRANT USAGE ON SCHEMA answer TO reader, writer, administrator',
        'GRANT SELECT ON answer.route, answer.route_table TO reader, administrator',
        'GRANT EXECUTE ON FUNCTION answer_coverage(), answer.route_compile(text), answer_route_explain(text), answer_route_table() TO reader',
        'GRANT EXECUTE ON FUNCTION answer_ask(text), answer_eval(jsonb) TO writer',
        'GRANT EXECUTE ON FUNCTION answer_route_register(text, text, answer_route_kind, text, jsonb, jsonb, text[], jsonb),
            answer_route_refresh(text), answer_route_enable(text, boolean), answer_route_remove(text), answer_route_audit(text) TO administrator',
        'CREATE TABLE secret (word text)', q{INSERT INTO secret VALUES ('swordfish')},
        'CREATE TABLE open (word text)', q{INSERT INTO open VALUES ('herring')}, 'GRANT SELECT ON open TO administrator');
    my %session = map { $_ => $server->session(setup => ["SET ROLE $_"]) } qw(reader writer administrator stranger);
    my %state = (reader => '00000 00000 42501 42501', writer => '42501 42501 00000 42501', administrator => '42501 42501 42501 00000',
        stranger => '42501 42501 42501 42501');
    for my $role (sort keys %state) {
        my $states = join ' ', map { $session{$role}->run($_)->{state} } (q{SELECT answer.route_compile('colour of x')}, 'SELECT answer_coverage()',
            q{SELECT answer_ask('colour of x')}, q{SELECT answer_route_audit()});
        is($states, $state{$role}, "what the $role may do");
    }
    my $register = q{SELECT answer_route_register('word', 'say {a:list}', 'interrogative', 'told', '{"a": "{a}"}', examples => '{say %s}',
        options => jsonb_build_object('lists', '{"a": {"table": "public.%s", "column": "word"}}'::jsonb))};
    my $refused = $session{administrator}->run(sprintf $register, 'swordfish', 'secret');
    is($refused->{state}, '42501', 'a column is read with the rights of who registers');
    is($server->value(q{SELECT count(*) FROM answer.route WHERE route_id = 'word'}), 0, 'and nothing is written');
    is($session{administrator}->run(sprintf $register, 'herring', 'open')->{state}, '00000', 'one that he may read is');
    is($session{administrator}->run(q{UPDATE answer.route SET enabled = false})->{state}, '42501', 'the table itself is not his');
    $server->value(q{UPDATE answer.route SET lists = '{"a": {"table": "public.secret", "column": "word"}}' WHERE route_id = 'word'});
    is($session{administrator}->run(q{SELECT answer_route_refresh('word')})->{state}, '42501', 'refreshing likewise');
    is($server->value(q{SELECT routed('say herring')}), 'word', 'and leaves what was read before');
    $server->value(q{SELECT answer_route_remove('word')});
    # a caller cannot put its own objects in place of ours
    my $evil = $server->session(setup => ['CREATE SCHEMA evil', 'SET search_path = evil, public',
        'CREATE TABLE evil.route_state (token uuid)', 'CREATE TYPE evil.answer_route_kind AS ENUM (\'x\')',
        'CREATE FUNCTION evil.gen_random_uuid() RETURNS uuid LANGUAGE sql AS $$ SELECT 1/0; SELECT NULL::uuid $$',
        'CREATE FUNCTION evil.less(integer, integer) RETURNS boolean LANGUAGE sql AS $$ SELECT $1 > $2 $$',
        'CREATE OPERATOR evil.< (FUNCTION = evil.less, LEFTARG = integer, RIGHTARG = integer)']);
    is($evil->value(q{SELECT routed('colour of x')}), 'colour', 'a search path with bad company changes nothing');
    $evil->value('SET search_path = pg_temp, evil, public');
    is($evil->value(q{SELECT answer_ask('colour of x') ->> 'verdict'}), 'evidenced', 'nor do temporary objects');
    $_->close for values %session, $evil;
}

#
# dump and restore
#
{
    $server->value($_) for (q{SELECT answer_route_enable('postgres.uptime', false)},
        q{SELECT answer_route_register('listed', 'tell {a:list}', 'interrogative', 'told', '{"a": "{a}"}', examples => '{tell y}', options => jsonb_build_object('lists', '{"a": ["x", "y"]}'::jsonb, 'place', 2000005))},
        q{SELECT answer_ask('tell X')}, q{SELECT answer_route_remove('colour')}, q{SELECT answer_ask('tell X. How long has this server been up?')});
    # what a role registered belongs to that role in the copy, too
    $server->value($_) for ('CREATE ROLE curator', 'CREATE SCHEMA curated AUTHORIZATION curator',
        'GRANT EXECUTE ON FUNCTION answer_tool_register(text, regprocedure, text[], interval, text, jsonb, boolean, jsonb), answer_quality_grader_register, answer_route_register TO curator');
    my $curator = $server->session(setup => ['SET ROLE curator']);
    $curator->value($_) for ('CREATE TABLE curated.word AS SELECT text \'swan\' AS word',
        q{CREATE FUNCTION curated.tell(args jsonb) RETURNS jsonb LANGUAGE sql AS $$ SELECT '"by the curator"'::jsonb $$},
        q{CREATE FUNCTION curated.judge(observation jsonb) RETURNS answer_graded LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT (NULL, 'Weak', 'Low', '')::public.answer_graded $$},
        q{SELECT answer_tool_register('curated', 'curated.tell(jsonb)', options => jsonb_build_object('optional_args', '{a}'::text[]))}, q{SELECT answer_quality_grader_register('curated', 'Build', 'curated.judge(jsonb)')},
        q{SELECT answer_route_register('curated', 'curated {a:list}', 'interrogative', 'curated', '{"a": "{a}"}', examples => '{curated swan}', options => jsonb_build_object('lists', '{"a": {"table": "curated.word", "column": "word"}}'::jsonb))});
    $curator->close;
    my $curated = q{SELECT concat_ws(' ', r.registered_by, r.list_owners, t.registered_by, t.handler_owner, g.registered_by, g.grader_owner)
        FROM answer.route r, answer.tool t, answer.quality_tool g WHERE r.route_id = 'curated' AND t.tool = 'curated' AND g.tool = 'curated'};
    my $state = q{SELECT answer_digest(answer_route_table()) || ' ' || (SELECT count(*) FROM answer.route_table) || ' '
        || (SELECT count(*) FROM answer.route WHERE NOT enabled) || ' ' || (SELECT count(*) FROM answer.route) || ' ' || answer_route_audit()
        || (SELECT count(*) FROM answer.receipt WHERE body ->> 'mode' = 'question' AND (answer.route_replay(body) -> 'ok')::boolean)};
    my $before = $server->value($state);
    my $dump = AnswerServer::tmp_dir() . '/route.dump';
    AnswerServer::must(AnswerServer::program('pg_dump'), '-h', $server->{host}, '-p', '5432', '-U', 'postgres', '-Fc', '-f', $dump, 'postgres');
    for my $jobs (1, 4) {
        $server->value("CREATE DATABASE copy$jobs");
        AnswerServer::must(AnswerServer::program('pg_restore'), '-h', $server->{host}, '-p', '5432', '-U', 'postgres', '--exit-on-error', '-j', $jobs, '-d', "copy$jobs", $dump);
        is($server->value($state, dbname => "copy$jobs"), $before, "a restore with $jobs jobs has the table, what is disabled, and what was kept");
        is($server->value($curated, dbname => "copy$jobs"), 'curator {"a": "curator"} curator curator curator curator', 'and who registered what, and whose it was');
        # a refresh is signed, and the keys belong to the original
        $server->value('SELECT answer_key_generate()', dbname => "copy$jobs");
        $server->value(q{INSERT INTO curated.word VALUES ('goose')}, dbname => "copy$jobs");
        is($server->value(q{SELECT concat_ws(' ', answer_route_refresh(), list_values, answer_fact('curated') ->> 'value', (answer.grade('curated', '{}')).quality) FROM answer.route WHERE route_id = 'curated'}, dbname => "copy$jobs"),
            '1 {"a": ["swan"]} by the curator Weak', 'and uses it');
    }
    # after a restore that gives everything to another role, functions and tables are not the registered ones
    $server->value('CREATE DATABASE owned');
    AnswerServer::must(AnswerServer::program('pg_restore'), '-h', $server->{host}, '-p', '5432', '-U', 'postgres', '--exit-on-error', '--no-owner', '-d', 'owned', $dump);
    $server->value('SELECT answer_key_generate()', dbname => 'owned');
    is($server->value($curated, dbname => 'owned'), 'curator {"a": "curator"} curator curator curator curator', 'a restore without owners has who registered what');
    is($server->run("SELECT $_", dbname => 'owned')->{state}, '55000', "and refuses until it is registered again: $_") for (q{answer_route_refresh('curated')}, q{answer_fact('curated')}, q{answer.grade('curated', '{}')});
    is($server->value(q{SELECT answer_ask('curated swan') #>> '{checks,0,explain,message}'}, dbname => 'owned'), 'function curated.tell(jsonb) belongs to another role than when it was registered', 'which a receipt says');
    $server->value(q{SELECT answer_tool_register('curated', 'curated.tell(jsonb)', options => jsonb_build_object('optional_args', '{a}'::text[]))}, dbname => 'owned');
    is($server->value(q{SELECT answer_fact('curated') ->> 'value'}, dbname => 'owned'), 'by the curator', 'registered again, it is called');
    is($server->value(q{SELECT answer.route_compile('How long has this server been up?') #>> '{route,reason}'}, dbname => 'copy1'), 'no route matches', 'what was disabled stays so');
}

#
# every encoding routes alike, byte for byte of its table
#
{
    my %sha256;
    my $question = "SELECT answer_ask(E'VERSI\xc3\x93N de \xc3\x84pfel?') || '{}'";
    for my $encoding (qw(UTF8 LATIN1 WIN1252 SQL_ASCII)) {
        my $name = 'in_' . lc $encoding;
        $server->value("CREATE DATABASE $name ENCODING '$encoding' LOCALE 'C' TEMPLATE template0");
        my $session = $server->session(dbname => $name);
        $session->value($_) for ('CREATE EXTENSION answer_eval', $tool, q{SELECT answer_tool_register('told', 'told(jsonb)', options => jsonb_build_object('optional_args', '{a}'::text[]), value_path => 'v')});
        $session->value("SELECT answer_route_register('r\xc3\xa9', 'versi\xc3\xb3n de {a}', 'interrogative', 'told', '{\"a\": \"{a} \xc3\xbc\"}', examples => '{versi\xc3\xb3n de x}')");
        is($session->value("SELECT r #>> '{checks,0,args,a}' = '\xc3\x84pfel \xc3\xbc' AND r #>> '{route,route_id}' = 'r\xc3\xa9' AND (answer_verify(r) -> 'ok')::boolean AND (answer.route_replay(r, answer_route_table()) -> 'ok')::boolean
            FROM (SELECT answer_ask(E'VERSI\xc3\x93N de \xc3\x84pfel?') r OFFSET 0) x"), 't', "$encoding: a question is folded, compiled, signed and replayed");
        is($session->value("SELECT answer_route_explain('versi\xc3\xb3n \xc3\xbf \xc2\xb5') #>> '{sentences,0,tried,0,word}'"), "\xc3\xbf", "$encoding: and explained");
        is($session->value("SELECT answer_ask('\xc2\xb5\xc3\xbf') ->> 'verdict'"), 'outside_evidence_coverage', "$encoding: and refused");
        $sha256{$session->value('SELECT answer_digest(answer_route_table())')}++;
        is($session->run(q{SELECT answer_ask(E'x\xff')})->{state}, '22021', "$encoding: bytes that are no text are an error") if $encoding eq 'SQL_ASCII';
        $session->close;
    }
    is(join(' ', values %sha256), 4, 'one digest in all of them');
}

#
# the example's own tool and routes
#
SKIP: {
    my $example = root_dir() . '/examples/debian.sql';
    skip 'no example, or no dpkg, here', 3 unless -r $example && -r '/var/lib/dpkg/status' && -x '/usr/bin/dpkg-query';
    $server->value('CREATE DATABASE example');
    $server->value('CREATE EXTENSION answer_eval', dbname => 'example');
    AnswerServer::must(AnswerServer::program('psql'), '-X', '-q', '-h', $server->{host}, '-p', '5432', '-U', 'postgres', '-d', 'example', '-f', $example);
    is($server->value('SELECT answer_route_audit()', dbname => 'example'), '[]', 'the routes of the example fit among the others');
    my $examples = q{(SELECT r ->> 'route_id' AS id, e FROM jsonb_array_elements(answer_coverage() -> 'routes') r, jsonb_array_elements_text(r -> 'examples') e WHERE r ->> 'tool' = 'software_version') x};
    is($server->value("SELECT count(*) > 4 AND bool_and(answer.route_compile(e) #>> '{route,route_id}' = id) FROM $examples", dbname => 'example'), 't', 'each of their examples is answered by its route');
    is($server->value("SELECT count(*) FROM $examples, LATERAL answer_ask(e) r WHERE r ->> 'verdict' NOT IN ('supported', 'contradicted', 'evidenced') OR NOT (answer_verify(r) -> 'ok')::boolean", dbname => 'example'),
        0, 'and adjudicated');
}

#
# the table of case folding is Unicode's
#
SKIP: {
    my $script = root_dir() . '/src/base/casefold.pl';
    skip 'no source here', 1 unless -e $script;
    skip 'this Perl knows another Unicode', 1 if Unicode::UCD::UnicodeVersion() !~ /^14\./;
    my ($status, $printed) = AnswerServer::command($^X, $script);
    is($printed, slurp(root_dir() . '/src/base/casefold.h'), 'casefold.h is what casefold.pl prints');
}

is($server->crashed, 0, 'the server lost no process');
done_testing();
