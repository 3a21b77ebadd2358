#!/usr/bin/env perl
# tiers: test
# Reads and writes without a plan do the same as queries would: with rollbacks, savepoints and old snapshots, with concurrent
# changes of tools, sources, keys and partitions, with rights, policies and triggers, after the extension was dropped and
# created again, and through cancels and a crash.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Test::More;

my $server = AnswerServer->new('fast_lane', conf => ['max_prepared_transactions = 2'], extended => 1);
my ($sql, $other) = map { $server->session } 1 .. 2;

my @setup = (
    q{SELECT answer_source_register('a', 'north', 'https://a.example/', 'CC0-1.0'), answer_source_register('b', 'south')},
    q{SELECT answer_tool_register('tide', required_args => '{port}', freshness => '36500 days', value_path => 'h')},
    q{SELECT answer_evidence_add('tide', '{"port": "Ystad"}', '{"h": 1}', 'a', '2026-01-01Z')},
    q{SELECT answer_evidence_add('tide', '{"port": "Ystad"}', '{"h": 1}', 'b', '2026-01-02Z')},
);
$sql->value($_) for @setup;
my $ask = q(answer_eval('{"checks": [{"tool": "tide", "args": {"port": "Ystad"}}]}'));
my $observed = qq{SELECT coalesce($ask #>> '{checks,0,observed}', $ask #>> '{checks,0,verdict}')};
my $unit = qq{SELECT jsonb_path_query_first($ask, '\$.evidence_index.*.unit')};

# Changes the unit of the tool, which each fact repeats.
sub unit {
    my ($unit) = @_;
    return qq{SELECT answer_tool_register('tide', required_args => '{port}', freshness => '36500 days',
        value_path => 'h', options => jsonb_build_object('unit', '$unit'), replace => true)};
}

#
# tools
#
{
    is($sql->value($unit), 'null', 'a tool has no unit');
    $other->value(unit('m'));
    is($sql->value($unit), '"m"', "another session's change is seen by the next call");
    $sql->value('BEGIN');
    $sql->value(unit('ft'));
    is($sql->value($unit), '"ft"', 'so is one of the same transaction');
    is($other->value($unit), '"m"', 'which others do not see');
    $sql->value('SAVEPOINT s');
    $sql->value(unit('in'));
    is($sql->value($unit), '"in"', 'and one after a savepoint');
    $sql->value('ROLLBACK TO s');
    is($sql->value($unit), '"ft"', 'until that is undone');
    $sql->value('ROLLBACK');
    is($sql->value($unit), '"m"', 'and the other');

    $sql->value('BEGIN ISOLATION LEVEL REPEATABLE READ');
    is($sql->value($unit), '"m"', 'a snapshot');
    $other->value(unit('km'));
    is($sql->value($unit), '"m"', 'keeps its tools');
    is($other->value($unit), '"km"', 'while others have changed them');
    $sql->value('COMMIT');
    is($sql->value($unit), '"km"', 'to its end');

    # a statement has one snapshot of the tools, however long it takes
    $other->value('SELECT pg_advisory_lock(1)');
    $sql->send(qq{SELECT string_agg(jsonb_path_query_first($ask, '\$.evidence_index.*.unit')::text, ' ' ORDER BY n)
        FROM (SELECT n, CASE n WHEN 2 THEN pg_advisory_lock(1) END FROM generate_series(1, 3) AS n OFFSET 0) AS s});
    $server->run(q{DO $$BEGIN WHILE NOT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted)
        LOOP PERFORM pg_sleep(0.01); END LOOP; END$$});
    $other->value(unit('nm'));
    $other->value('SELECT pg_advisory_unlock(1)');
    is($sql->wait->{out}, '"km" "km" "km"', 'a statement sees one state of the tools');
    $sql->value('SELECT pg_advisory_unlock_all()');

    $other->value(q{SELECT answer_tool_remove('tide')});
    is($sql->value($observed), 'outside_evidence_coverage', 'a tool that another session removed is gone');
    $other->value(unit('m'));
    is($sql->value($observed), '1', 'and is back');
}

#
# what a session keeps of the registry
#
{
    # a cursor has the snapshot of its beginning, and what it reads is not kept for other statements
    $sql->value('BEGIN');
    $sql->value("DECLARE old CURSOR FOR $unit FROM generate_series(1, 3)");
    $other->value(unit('yd'));
    is($sql->value($unit), '"yd"', 'a later statement of a transaction sees what was changed meanwhile');
    is($sql->value('FETCH old'), '"m"', 'a cursor that was opened before does not');
    is($sql->value($unit), '"yd"', 'and a statement after it does');
    is($sql->value('FETCH old'), '"m"', 'whatever is kept');
    $sql->value('COMMIT');

    $sql->value('BEGIN ISOLATION LEVEL SERIALIZABLE');
    is($sql->value($unit), '"yd"', 'under SERIALIZABLE a tool is read');
    is($sql->value(q{SELECT count(*) > 0 FROM pg_locks WHERE mode = 'SIReadLock' AND pid = pg_backend_pid()
        AND relation IN ('answer.tool'::regclass, 'answer.tool_pkey'::regclass)}), 't', 'so that others know');
    $sql->value('COMMIT');

    $other->value($_) for 'BEGIN', unit('mi'), q{PREPARE TRANSACTION 'mi'};
    is($sql->value($unit), '"yd"', 'what was prepared is not committed');
    $other->value(q{COMMIT PREPARED 'mi'});
    is($sql->value($unit), '"mi"', 'until it is');

    $other->value($_) for 'SET session_replication_role = replica', unit('in'), 'RESET session_replication_role';
    is($sql->value($unit), '"in"', 'a change is told of where other triggers are off');
    $other->value($_) for 'ALTER TABLE answer.tool DISABLE TRIGGER tells_of_changes', unit('ft');
    is($sql->value($unit), '"ft"', 'where this one is off, nothing is kept');
    $other->value(unit('m'));
    is($sql->value($unit), '"m"', 'as long as it is');
    $other->value($_) for 'ALTER TABLE answer.tool ENABLE TRIGGER tells_of_changes', 'SET session_replication_role = replica', unit('ft'),
        'RESET session_replication_role';
    is($sql->value($unit), '"ft"', 'nor where it could be');
    $other->value($_) for 'ALTER TABLE answer.tool ENABLE ALWAYS TRIGGER tells_of_changes', unit('km');
    is($sql->value($unit), '"km"', 'it tells again');
    $other->value($_) for 'BEGIN', 'TRUNCATE answer.tool';
    $other->value('COMMIT');
    is($sql->value($observed), 'outside_evidence_coverage', 'a table that was emptied is empty');
    $other->value(unit('m'));
    is($sql->value($unit), '"m"', 'and one with a tool has it');
    $other->value($_) for q{ALTER FUNCTION answer.tells_of_changes() RENAME TO told_of_changes}, q{CREATE FUNCTION answer.tells_of_changes()
        RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RETURN NEW; END$$}, 'BEGIN', 'CREATE OR REPLACE TRIGGER tells_of_changes BEFORE INSERT
        OR UPDATE OR DELETE ON answer.tool FOR EACH ROW EXECUTE FUNCTION answer.tells_of_changes()',
        'ALTER TABLE answer.tool ENABLE ALWAYS TRIGGER tells_of_changes', 'COMMIT';
    $sql->value($unit);
    $other->value(unit('ft'));
    is($sql->value($unit), '"ft"', 'nor where the trigger is another one of that name');
    $other->value($_) for 'BEGIN', 'CREATE OR REPLACE TRIGGER tells_of_changes BEFORE INSERT
        OR UPDATE OR DELETE ON answer.tool FOR EACH ROW EXECUTE FUNCTION answer.told_of_changes()',
        'ALTER TABLE answer.tool ENABLE ALWAYS TRIGGER tells_of_changes', 'COMMIT', 'DROP FUNCTION answer.tells_of_changes()',
        'ALTER FUNCTION answer.told_of_changes() RENAME TO tells_of_changes', unit('m');
    is($sql->value($unit), '"m"', 'it tells again');

    # The function is replaced under its own name, so the trigger stays unchanged. Each call before a change makes the session keep what it can.
    my ($teller) = $other->value(q{SELECT pg_get_functiondef('answer.tells_of_changes()'::regprocedure)});
    my $silent = q{CREATE OR REPLACE FUNCTION answer.tells_of_changes() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RETURN NEW; END$$};
    $other->value($_) for $silent, unit('ft');
    is($sql->value($unit), '"ft"', 'where the function of the trigger was replaced, what was kept before is not given out');
    $other->value(unit('yd'));
    is($sql->value($unit), '"yd"', 'and nothing is kept');
    $other->value($_) for $teller, unit('km');
    is($sql->value($unit), '"km"', 'it is ours again');
    $other->value($_) for 'BEGIN', $silent, unit('in'), $teller, 'COMMIT';
    is($sql->value($unit), '"in"', 'one transaction replaces it, changes a tool and puts it back: that is noticed, too');
    $other->value($_) for 'BEGIN', $silent, 'ROLLBACK', unit('m');
    is($sql->value($unit), '"m"', 'it tells again');

    # the session itself truncates or changes the table, and rolls that back
    $sql->value($_) for 'BEGIN', 'TRUNCATE answer.tool';
    is($sql->value($observed), 'outside_evidence_coverage', 'a table that the session has emptied is empty');
    $sql->value('ROLLBACK');
    is($sql->value($unit), '"m"', 'until that is undone');
    $sql->value($_) for 'BEGIN', 'SAVEPOINT s', 'TRUNCATE answer.tool', "SELECT $ask", 'ROLLBACK TO s';
    is($sql->value($unit), '"m"', 'also to a savepoint');
    $sql->value('COMMIT');

    # a function sees rows changed so far by the statement that calls it
    $sql->value($_) for 'BEGIN', qq{CREATE FUNCTION pg_temp.unit() RETURNS jsonb LANGUAGE plpgsql AS \$\$BEGIN RETURN ($unit); END\$\$};
    is($sql->value(q{WITH u AS (UPDATE answer.tool SET unit = 'mm' WHERE tool = 'tide' RETURNING 1) SELECT pg_temp.unit() FROM u}), '"mm"',
        'a statement that changes a tool and calls a function sees it there');
    $sql->value('ROLLBACK');
    is($sql->value($unit), '"m"', 'and not when it is undone');

    # in parallel mode no snapshot may be taken
    $sql->value($_) for 'BEGIN', 'SET LOCAL parallel_setup_cost = 0', 'SET LOCAL parallel_tuple_cost = 0',
        'SET LOCAL min_parallel_table_scan_size = 0', 'CREATE TABLE many AS SELECT n FROM generate_series(1, 100000) AS n', 'ANALYZE many';
    my $parallel = q{SELECT coalesce(max(answer_tool_spec('tide')::text), 'none') FROM (SELECT n FROM many WHERE n % 50000 = 0 OFFSET 0) AS m};
    like($sql->value("EXPLAIN $parallel"), qr/Gather/, 'a plan with workers');
    $other->value(unit('cm')); # so that the session must build what it keeps again
    is($sql->value($parallel), 'none', 'in such a plan a tool is read');
    $sql->value('ROLLBACK');
    $other->value(unit('m'));

    # A change is visible before its message is sent; long before, if files of tables are deleted in between.
    $other->value($_) for q{DO $$BEGIN FOR i IN 1 .. 1500 LOOP EXECUTE format('CREATE TABLE gone_%s ()', i); END LOOP; END$$},
        q{CREATE FUNCTION compare(OUT asked int, OUT wrong int) LANGUAGE plpgsql AS $$
        DECLARE
            registered text;
            said text;
        BEGIN
            asked := 0;
            wrong := 0;
            LOOP
                SELECT t.unit, jsonb_path_query_first(} . $ask . q{, '$.evidence_index.*.unit') #>> '{}' INTO registered, said
                FROM answer.tool AS t WHERE t.tool = 'tide';
                asked := asked + 1;
                wrong := wrong + (registered <> said)::int;
                EXIT WHEN registered = 'told' AND NOT EXISTS (SELECT FROM pg_prepared_xacts) AND pg_try_advisory_xact_lock(2);
            END LOOP;
        END$$},
        'BEGIN', unit('told'), q{DO $$BEGIN FOR i IN 1 .. 1500 LOOP EXECUTE format('DROP TABLE gone_%s', i); END LOOP; END$$},
        q{PREPARE TRANSACTION 'told'}, 'SELECT pg_advisory_lock(2)';
    $sql->send('SELECT wrong FROM compare()');
    $server->run(q{DO $$BEGIN WHILE NOT EXISTS (SELECT FROM pg_stat_activity WHERE query LIKE 'SELECT wrong%' AND state = 'active')
        LOOP PERFORM pg_sleep(0.01); PERFORM pg_stat_clear_snapshot(); END LOOP; END$$});
    $other->value($_) for q{COMMIT PREPARED 'told'}, 'SELECT pg_advisory_unlock(2)';
    is($sql->wait->{out}, 0, 'no receipt says of a tool what its snapshot does not show');
    $other->value($_) for 'DROP FUNCTION compare()', unit('m');
    # other sessions change it again and again; a call after a commit sees the change
    my @wrong = grep { $other->value(unit("u$_")); $sql->value($unit) ne qq("u$_") } 1 .. 100;
    is("@wrong", '', 'a hundred changes, each seen by the next call');
    $other->value(unit('m'));
}

#
# facts from stored evidence
#
{
    my $facts = "SELECT $ask -> 'evidence_index'";
    my $kept = $sql->value($facts);
    is($sql->value($facts), $kept, 'a fact is the same when it is asked for again');
    is($server->session->value($facts), $kept, 'and in a session that has made none');
    is($sql->value("SELECT answer_verify_ok(r) AND answer_replay(r) ->> 'ok' = 'true' FROM $ask AS r"), 't', 'a receipt with it verifies');
    $sql->value('BEGIN');
    $sql->value(q{UPDATE answer.evidence SET raw = '{"h": 7}' WHERE tool = 'tide' AND observed_at = '2026-01-02Z'});
    is($sql->value("SELECT $ask #>> '{checks,0,explain,sqlstate}'"), 'XX001', 'a reading that was changed behind it is refused');
    $sql->value('ROLLBACK');
    is($sql->value($facts), $kept, 'until it is what was recorded');
    $other->value(q{SELECT answer_key_generate()});
    is($sql->value("SELECT jsonb_path_query_first($ask, '\$.evidence_index.*.attestation.key_id') = to_jsonb(key_id)
        FROM answer.signing_key WHERE status = 'active'"), 't', 'another key attests it anew');
    isnt($sql->value($facts), $kept, 'which is another attestation');

    # a fresh reading does not stay fresh for ever
    $other->value($_) for q{SELECT answer_tool_register('tide', required_args => '{port}', freshness => '2 seconds', value_path => 'h', replace => true)},
        q{SELECT answer_evidence_add('tide', '{"port": "Rügen"}', '{"h": 1}', 'a')};
    my $fresh = q{SELECT answer_fact('tide', '{"port": "Rügen"}') #>> '{verification,signals,fresh}'};
    my $seen = my $last = $sql->value($fresh);
    for (1 .. 600) {
        last if $last eq 'false';
        AnswerServer::nap(0.1);
        $last = $sql->value($fresh);
    }
    is($last, 'false', 'a fact that is recalled ceases to be fresh');
    $other->value(unit('m'));
}

#
# sources and readings
#
{
    my $licence = qq{SELECT string_agg(f.value #>> '{provenance,licence}', ' ') FROM jsonb_each($ask -> 'evidence_index') f};
    $other->value(q{SELECT answer_evidence_add('tide', '{"port": "Ystad"}', '{"h": 1}', 'a', '2026-01-03Z')});
    is($sql->value($licence), 'CC0-1.0', 'the licence of a source');
    $other->value(q{SELECT answer_source_register('a', 'north', 'https://a.example/', 'MIT', replace => true)});
    is($sql->value($licence), 'MIT', 'follows its registration');
    $sql->value('BEGIN ISOLATION LEVEL REPEATABLE READ');
    is($sql->value($observed), 1, 'under a snapshot');
    $other->value(q{SELECT answer_evidence_add('tide', '{"port": "Ystad"}', '{"h": 2}', 'a', '2026-01-04Z')});
    is($sql->value($observed), 2, 'the newest reading is the newest there is');
    $sql->value('COMMIT');

    # Many readings of one source before the one that counts, and many of another source after it.
    $other->value(q{SELECT count(answer_evidence_add('tide', '{"port": "Kiel"}', jsonb_build_object('h', n), s,
        '2026-02-01Z'::timestamptz - make_interval(mins => n, hours => (s = 'b')::int))) FROM generate_series(1, 40) AS n, unnest('{a,b}'::text[]) AS s});
    $other->value(q{SELECT count(answer_evidence_add('tide', '{"port": "Kiel"}', jsonb_build_object('h', n), 'a',
        '2126-02-01Z'::timestamptz + make_interval(mins => n))) FROM generate_series(1, 30) AS n});
    is($sql->value(q{SELECT f ->> 'value' || ' ' || (f #>> '{verification,sources}') || ' ' || (f #>> '{provenance,source}')
        FROM answer_fact('tide', '{"port": "Kiel"}') AS f}), '1 2 a',
        'the newest of each source, behind those that are not known yet and before many older ones');
    $sql->value('BEGIN');
    is($sql->value(q{WITH gone AS (DELETE FROM answer.evidence WHERE source = 'a' AND args = '{"port": "Kiel"}'
        AND observed_at < '2026-02-02' RETURNING 1) SELECT count(*) FROM gone}), 40, 'those are deleted');
    is($sql->value(q{SELECT f ->> 'value' || ' ' || (f #>> '{provenance,source}')
        FROM answer_fact('tide', '{"port": "Kiel"}') AS f}), '1 b', 'and count no more');
    $sql->value('ROLLBACK');
    is($sql->value(q{SELECT answer_fact('tide', '{"port": "Kiel"}') #>> '{provenance,source}'}), 'a', 'but after a rollback');

    # One search finds all readings for the same arguments: of nine tools, each asked or not, with few or many readings,
    # of registered and unregistered sources, some unknown yet or of another tenant, among other arguments.
    $other->value($_) for q{SELECT count(answer_source_register('s' || n, 'g' || n)) FROM generate_series(1, 6) AS n},
        q{SELECT count(answer_tool_register('w' || n, required_args => '{port}', freshness => '36500 days', value_path => 'h'))
            FROM generate_series(1, 9) AS n},
        q{SELECT count(answer_evidence_add('w' || t, jsonb_build_object('port', p), jsonb_build_object('h', n), 's' || s,
            CASE WHEN (n + t) % 5 = 4 THEN '2126-01-01Z' ELSE '2026-01-01Z' END::timestamptz + make_interval(mins => n)))
            FROM generate_series(1, 9) AS t, unnest('{x,y,z}'::text[]) AS p, generate_series(1, 6) AS s,
                generate_series(1, CASE WHEN t = 9 AND p = 'y' AND s < 3 THEN 60
                    WHEN p = 'z' AND t IN (5, 6) THEN (s = 2)::int ELSE t * s % 4 END) AS n},
        q{INSERT INTO answer.evidence (digest, tool, args, args_digest, raw, source, observed_at, tenant)
            SELECT digest, tool, args, args_digest, raw, source, observed_at + interval '1 day', 'else' FROM answer.evidence
            WHERE tool ~ '^w[1-4]$' AND observed_at < now()};
    $other->value(q{DELETE FROM answer.source WHERE source = 's3'});
    my $together = q{WITH asked AS MATERIALIZED (
            SELECT r, jsonb_build_object('checks', jsonb_agg(jsonb_build_object('id', 'c' || t || p, 'tool', 'w' || t,
                'args', jsonb_build_object('port', p)) ORDER BY CASE WHEN r % 3 > 0 THEN p END, hashint4(r + t * 7), p)) AS request
            FROM generate_series(1, 60) AS r, generate_series(1, 9) AS t, unnest('{x,y,z}'::text[]) AS p
            WHERE hashtext(r || p || t) % 3 <> 0 GROUP BY r)
        SELECT count(*) || ' ' || sum((SELECT count(*) FROM jsonb_object_keys(f.index))) || ' ' || md5(string_agg(f.index::text, ' ' ORDER BY f.way, f.r))
        FROM (SELECT 1 AS way, r, answer_eval(request) -> 'evidence_index' AS index FROM asked
            UNION ALL SELECT 2, ordinal, receipt -> 'evidence_index' FROM answer_eval_each((SELECT array_agg(request ORDER BY r) FROM asked))) AS f};
    my $found = $sql->value($together);
    like($found, qr/^120 [1-9][0-9]{2,} /, 'calls that are looked for together find facts');
    $other->value('ALTER INDEX answer.evidence_newest RENAME TO evidence_newest_kept');
    is($sql->value($together), $found, 'those that the query finds');
    $other->value('ALTER INDEX answer.evidence_newest_kept RENAME TO evidence_newest');

    # Names are looked up again after a table or the schema was renamed.
    my $stored = $sql->value($observed);
    like($stored, qr/^\d+$/, 'there is a reading');
    $sql->value($_) for 'BEGIN', 'ALTER TABLE answer.evidence RENAME TO evidence_kept', 'CREATE TABLE answer.evidence (LIKE answer.evidence_kept INCLUDING ALL)';
    is($sql->value($observed), 'evidence_unavailable', 'a table that took the place of another is read');
    $sql->value('ROLLBACK');
    is($sql->value($observed), $stored, 'until that is undone');
    $other->value($_) for 'BEGIN', 'ALTER TABLE answer.evidence RENAME TO evidence_kept', 'CREATE TABLE answer.evidence (LIKE answer.evidence_kept INCLUDING ALL)', 'COMMIT';
    is($sql->value($observed), 'evidence_unavailable', 'also one of another session');
    $other->value($_) for 'BEGIN', 'DROP TABLE answer.evidence', 'ALTER TABLE answer.evidence_kept RENAME TO evidence', 'COMMIT';
    is($sql->value($observed), $stored, 'until that has undone it');
    $other->value('ALTER SCHEMA answer RENAME TO kept');
    is($sql->run($observed)->{state}, '3F000', 'a schema that was renamed is not there');
    $other->value('ALTER SCHEMA kept RENAME TO answer');
    is($sql->value($observed), $stored, 'until it has its name again');

    # Only the index of the install script is probed.
    my @before = map { $sql->value($_) } $observed, $unit;
    $other->value($_) for 'DROP INDEX answer.evidence_newest',
        'CREATE INDEX evidence_newest ON answer.evidence (args_digest, tool, tenant)';
    is_deeply([map { $sql->value($_) } $observed, $unit], \@before, 'with another index the query finds the same');
    $other->value($_) for 'DROP INDEX answer.evidence_newest', q{CREATE INDEX evidence_newest
        ON answer.evidence (args_digest, tool, tenant, source, observed_at DESC, digest) WHERE tool <> 'tide'};
    is_deeply([map { $sql->value($_) } $observed, $unit], \@before, 'and with a partial one');
    # Not one with its first columns and others after them, or with other order. One of nine readings of one instant counts.
    $other->value(q{SELECT count(answer_evidence_add('tide', '{"port": "Oslo"}', jsonb_build_object('h', n), 'a', '2026-03-01Z'))
        FROM generate_series(1, 9) AS n});
    my $facts = q{SELECT string_agg(answer_fact('tide', jsonb_build_object('port', p))::text, ' ') FROM unnest('{Kiel,Oslo}'::text[]) AS p};
    my $facts_before = $sql->value($facts);
    for my $columns ('source, observed_at, digest', 'source DESC, observed_at DESC, digest',
        'source, observed_at DESC', 'source, observed_at DESC, digest DESC', 'source text_pattern_ops, observed_at DESC, digest',
        'source COLLATE "POSIX", observed_at DESC, digest', 'source, digest, observed_at', 'observed_at, source')
    {
        $other->value($_) for 'DROP INDEX answer.evidence_newest',
            "CREATE INDEX evidence_newest ON answer.evidence (args_digest, tool, tenant, $columns)";
        is($sql->run($facts)->{out}, $facts_before, "and with one of ... $columns");
    }
    $other->value($_) for 'DROP INDEX answer.evidence_newest', q{CREATE INDEX evidence_newest
        ON answer.evidence (args_digest, tool, tenant, source, observed_at DESC, digest)};
    is_deeply([map { $sql->value($_) } $observed, $unit], \@before, 'and with the right one again');
}

#
# rights and policies
#
{
    $server->value($_) for 'CREATE ROLE asker LOGIN', 'GRANT USAGE ON SCHEMA answer TO asker',
        'GRANT EXECUTE ON FUNCTION answer_eval(jsonb), answer_eval_each(jsonb[], text) TO asker';
    my $asker = $server->session(user => 'asker');
    is($asker->value($observed), 'evidence_unavailable', 'who may read no readings has none');
    $server->value('GRANT SELECT ON answer.evidence, answer.evidence_series, answer.source TO asker');
    is($asker->value($observed), 2, 'who may, has them');
    $server->value($_) for 'REVOKE SELECT ON answer.evidence FROM asker',
        'GRANT SELECT (digest, tool, args, args_digest, raw, source, observed_at, expires, recorded_at, tenant)
        ON answer.evidence TO asker';
    is($asker->value($observed), 2, 'also by columns');
    $server->value('REVOKE USAGE ON SCHEMA answer FROM asker');
    is($asker->value($observed), 'evidence_unavailable', 'not without the schema');
    $server->value($_) for 'GRANT USAGE ON SCHEMA answer TO asker', 'GRANT SELECT ON answer.evidence TO asker',
        'ALTER TABLE answer.evidence ENABLE ROW LEVEL SECURITY',
        q{CREATE POLICY only_b ON answer.evidence TO asker USING (source = 'b')};
    is($asker->value($observed), 1, 'a policy filters readings');
    is($asker->value(q{SELECT receipt #>> '{checks,0,observed}' FROM answer_eval_each(ARRAY[
        '{"checks": [{"tool": "tide", "args": {"port": "Ystad"}}]}']::jsonb[])}), 1, 'for a batch, too');
    is($sql->value($observed), 2, 'but not for the owner');
    $server->value($_) for 'DROP POLICY only_b ON answer.evidence', 'ALTER TABLE answer.evidence DISABLE ROW LEVEL SECURITY';
}

#
# rows: triggers, rules and partitions of users
#
my $stored = sub { my ($id) = @_; return $server->value(
    "SELECT string_agg(tableoid::regclass::text, ' ') FROM answer.receipt WHERE receipt_id = '$id'") };
my $mint = "SELECT $ask ->> 'receipt_id'";
{
    is($stored->($sql->value($mint)), 'answer.receipt_default', 'a receipt goes to the DEFAULT partition');
    $other->value($_) for 'CREATE TABLE told (id text)', q{CREATE FUNCTION tell() RETURNS trigger LANGUAGE plpgsql
        AS $$BEGIN INSERT INTO told VALUES (NEW.receipt_id); RETURN NULL; END$$},
        'CREATE TRIGGER tell AFTER INSERT ON answer.receipt FOR EACH ROW EXECUTE FUNCTION tell()';
    my $id = $sql->value($mint);
    is($server->value('SELECT string_agg(id, $$ $$) FROM told'), $id, 'a trigger of a user fires');
    $other->value('ALTER TABLE answer.receipt DISABLE TRIGGER tell');
    ok($stored->($sql->value($mint)), 'disabled, the receipt is stored all the same');
    is($server->value('SELECT count(*) FROM told'), 1, 'and it does not fire');
    $other->value('DROP TRIGGER tell ON answer.receipt');
    $other->value($_) for q{CREATE FUNCTION tell_all() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN
        INSERT INTO told VALUES ('statement'); RETURN NULL; END$$},
        'CREATE TRIGGER tell_all AFTER INSERT ON answer.receipt FOR EACH STATEMENT EXECUTE FUNCTION tell_all()';
    $sql->value($mint);
    is($server->value(q{SELECT count(*) FROM told WHERE id = 'statement'}), 1, 'one for the statement, too');
    $other->value('DROP TRIGGER tell_all ON answer.receipt');

    my $month = q{SELECT answer_receipt_partition(date_trunc('month', now(), 'UTC'), date_trunc('month',
        now() AT TIME ZONE 'UTC' + interval '1 month') AT TIME ZONE 'UTC')};
    my $partition = $other->value($month);
    is($stored->($sql->value($mint)), $partition, 'a receipt goes to the partition that another session made');
    $sql->value('BEGIN');
    $id = $sql->value($mint);
    $sql->value('COMMIT');
    is($stored->($id), $partition, 'so does one of a transaction');
    $other->value('SELECT answer_log_seal()');
    $other->value("SELECT answer_receipt_detach('$partition')");
    is($stored->($sql->value($mint)), 'answer.receipt_default', 'and to the DEFAULT one when it is detached');
    # a partition whose columns are in another order
    $other->value($_) for 'CREATE TABLE answer.turned (gone int, LIKE answer.receipt INCLUDING DEFAULTS)',
        'ALTER TABLE answer.turned DROP COLUMN gone',
        q{DO $$BEGIN EXECUTE format('ALTER TABLE answer.receipt ATTACH PARTITION answer.turned FOR VALUES FROM (%L) TO (MAXVALUE)',
            clock_timestamp() + interval '2 seconds'); END$$};
    $id = $sql->value($mint);
    while ($stored->($id) ne 'answer.turned') {
        AnswerServer::nap(0.2);
        $id = $sql->value($mint);
    }
    is($server->value("SELECT answer_verify_ok(body) AND verdict = body ->> 'verdict' AND key_id = body #>> '{signature,key_id}'
        FROM answer.turned WHERE receipt_id = '$id'"), 't', 'columns are found by their names');
    $other->value($_) for 'ALTER TABLE answer.receipt DETACH PARTITION answer.turned', 'INSERT INTO answer.receipt
        SELECT * FROM answer.turned', 'DROP TABLE answer.turned';
    is($stored->($sql->value($mint)), 'answer.receipt_default', 'without it the DEFAULT one takes what comes');

    # a partition that is attached while a receipt waits for the DEFAULT partition
    $other->value($_) for 'CREATE TABLE answer.late (LIKE answer.receipt INCLUDING DEFAULTS)', 'BEGIN',
        q{DO $$BEGIN EXECUTE format('ALTER TABLE answer.receipt ATTACH PARTITION answer.late FOR VALUES FROM (%L) TO (MAXVALUE)',
            clock_timestamp()); END$$};
    $sql->send($mint);
    $server->run(q{DO $$BEGIN WHILE NOT EXISTS (SELECT FROM pg_locks WHERE relation = 'answer.receipt_default'::regclass
        AND NOT granted) LOOP PERFORM pg_sleep(0.01); END LOOP; END$$});
    $other->value('COMMIT');
    $id = $sql->wait->{out};
    is($stored->($id), 'answer.late', 'a partition that was attached meanwhile has what is its own');
    is($server->value("SELECT count(*) FROM answer.late WHERE receipt_id = '$id'"), 1, 'and a look at it alone finds it');
    $other->value($_) for 'ALTER TABLE answer.receipt DETACH PARTITION answer.late', 'INSERT INTO answer.receipt
        SELECT * FROM answer.late', 'DROP TABLE answer.late';
}

#
# keys
#
{
    my $key = qq{SELECT $ask #>> '{signature,key_id}'};
    my $first = $sql->value($key);
    $other->value('SELECT answer_key_generate()');
    my $second = $sql->value($key);
    isnt($second, $first, 'a key that another session made signs');
    is($other->value($key), $second, 'for all');
    is($sql->value("SELECT answer_verify_ok($ask)"), 't', 'and it verifies');

    # While the clock is before the start of the key's life, all that it signs is dated to that start, so two equal requests give one receipt.
    $other->value($_) for 'ALTER TABLE answer.signing_key DISABLE TRIGGER signing_key_guard',
        q{UPDATE answer.signing_key SET active_from = now() + interval '1 day' WHERE status = 'active'},
        'ALTER TABLE answer.signing_key ENABLE ALWAYS TRIGGER signing_key_guard';
    my $rows = sub { my ($id) = @_; return $server->value("SELECT (SELECT count(*) FROM answer.receipt WHERE receipt_id = '$id')
        || ' ' || (SELECT count(*) FROM answer.unsealed WHERE receipt_id = '$id') || ' ' || (SELECT count(*) FROM answer.rollup_new)") };
    my $pid = $other->value('SELECT pg_backend_pid()');
    $server->value('TRUNCATE answer.rollup_new');
    my $one = $sql->value($mint);
    is($rows->($one), '1 1 1', 'a receipt has a row, a leaf and a count');
    is($other->value($mint), $one, 'the same is asked by another session');
    is($sql->value($mint), $one, 'and by the same one');
    is($rows->($one), '1 1 1', 'which adds nothing');
    for my $end ('ROLLBACK', 'COMMIT') {
        my $again = qq{SELECT answer_eval('{"checks": [{"id": "$end", "tool": "tide", "args": {"port": "Ystad"}}]}') ->> 'receipt_id'};
        $server->value('TRUNCATE answer.rollup_new');
        $sql->value('BEGIN');
        my $id = $sql->value($again);
        $other->send($again);
        $server->run(qq{DO \$\$BEGIN FOR i IN 1 .. 3000 LOOP EXIT WHEN EXISTS (SELECT FROM pg_locks WHERE pid = $pid
            AND locktype = 'transactionid' AND NOT granted); PERFORM pg_sleep(0.01); END LOOP; END\$\$});
        $sql->value($end);
        is($other->wait->{out}, $id, "somebody who asks the same at the same time waits for the $end");
        is($rows->($id), '1 1 1', 'and one of both stores it');
    }
}

#
# drop and create again
#
{
    $sql->value($mint);
    $other->value('BEGIN');
    $other->value('SET LOCAL answer_eval.allow_drop = on');
    $other->value('DROP EXTENSION answer_eval CASCADE');
    $other->value('COMMIT');
    $other->value('DROP SCHEMA IF EXISTS answer_archive CASCADE');
    $other->value($_) for 'CREATE EXTENSION answer_eval', @setup;
    is($sql->value($observed), 1, 'a session that knew the former extension reads the new one');
    is($stored->($sql->value($mint)), 'answer.receipt_default', 'and stores there');
    is($sql->value(q{SELECT count(*) FROM answer_eval_each(array_fill('{"checks": [{"tool": "tide",
        "args": {"port": "Ystad"}}]}'::jsonb, ARRAY[10]))}), 10, 'also of batches');
}

#
# a crash
#
{
    my $id = $sql->value($mint);
    $sql->value('BEGIN');
    my $lost = $sql->value($mint);
    $server->kill9;
    $server->start;
    is($server->value("SELECT count(*) FROM answer.receipt WHERE receipt_id IN ('$id', '$lost')"), 1,
        'after a crash what was committed is there');
    is($server->value("SELECT count(*) FROM answer.unsealed WHERE receipt_id = '$id'"), 1, 'with what the log will have');
    is($server->value("SELECT answer_verify_ok(body) FROM answer.receipt WHERE receipt_id = '$id'"), 't', 'and verifies');
    $server->value('SELECT answer_log_seal()');
    is($server->value(q{SELECT coalesce(string_agg(a::text, ' '), 'nothing') FROM answer_log_audit() a}), 'nothing',
        'the audit finds nothing');
}
done_testing();
