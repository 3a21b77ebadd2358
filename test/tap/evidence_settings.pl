#!/usr/bin/env perl
# tiers: long
# The answer of a tool does not depend on the caller's settings: not on those of the session, of its client, or of its role.
# Tries every setting of this server.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Test::More;

# We examined every setting that a session can change, in each version from 15 on. These stay as the session has them:
# limits, identity, what is logged or counted, and what only matters elsewhere (src/evidence/handler_settings.c says which is which).
my %kept = map { $_ => 1 } qw(
    application_name backtrace_functions client_connection_check_interval client_min_messages compute_query_id
    deadlock_timeout debug_pretty_print debug_print_parse debug_print_plan debug_print_rewritten
    default_transaction_deferrable default_transaction_isolation default_transaction_read_only
    idle_in_transaction_session_timeout idle_session_timeout local_preload_libraries lock_timeout log_duration
    log_error_verbosity log_executor_stats log_lock_failures log_lock_waits log_min_duration_sample
    log_min_duration_statement log_min_error_statement log_min_messages log_parameter_max_length
    log_parameter_max_length_on_error log_parser_stats log_planner_stats log_replication_commands log_statement
    log_statement_sample_rate log_statement_stats log_temp_files log_transaction_sample_rate max_stack_depth
    session_preload_libraries statement_timeout tcp_keepalives_count tcp_keepalives_idle tcp_keepalives_interval
    tcp_user_timeout temp_buffers temp_file_limit trace_lock_oidmin trace_lock_table trace_locks trace_lwlocks
    trace_notify trace_sort trace_userlocks track_activities track_cost_delay_timing track_counts track_functions
    track_io_timing track_wal_io_timing transaction_deferrable transaction_isolation transaction_read_only
    transaction_timeout update_process_title answer_eval.issuer answer_eval.key_directory
    answer_eval.tenant);
# These are the same in every database.
my %fixed = ('DateStyle' => 'ISO, MDY', 'IntervalStyle' => 'postgres', 'TimeZone' => 'UTC', 'bytea_output' => 'hex',
    'extra_float_digits' => '1');
# This one has its own value for each tool: the schema of its handler.
my %own = ('search_path' => 1);
# These have the value of the database.
my %settled = map { $_ => 1 } qw(
    allow_in_place_tablespaces allow_system_table_mods array_nulls backend_flush_after backslash_quote
    check_function_bodies client_encoding commit_delay commit_siblings composite_type_mismatch constraint_exclusion cpu_index_tuple_cost
    cpu_operator_cost cpu_tuple_cost createrole_self_grant cursor_tuple_fraction debug_discard_caches
    debug_logical_replication_streaming debug_parallel_query default_statistics_target default_table_access_method
    default_tablespace default_text_search_config default_toast_compression dynamic_library_path
    effective_cache_size effective_io_concurrency enable_async_append enable_bitmapscan enable_distinct_reordering
    enable_gathermerge enable_group_by_reordering enable_hashagg enable_hashjoin enable_incremental_sort
    enable_indexonlyscan enable_indexscan enable_material enable_memoize enable_mergejoin enable_nestloop
    enable_parallel_append enable_parallel_hash enable_partition_pruning enable_partitionwise_aggregate
    enable_partitionwise_join enable_presorted_aggregate enable_self_join_elimination enable_seqscan enable_sort
    enable_tidscan escape_string_warning event_triggers exit_on_error extension_control_path extension_destdir file_copy_method
    force_parallel_mode from_collapse_limit geqo geqo_effort geqo_generations geqo_pool_size geqo_seed
    geqo_selection_bias geqo_threshold gin_fuzzy_search_limit gin_pending_list_limit hash_mem_multiplier
    icu_validation_level ignore_checksum_failure io_combine_limit jit jit_above_cost jit_dump_bitcode
    jit_expressions jit_inline_above_cost jit_optimize_above_cost jit_tuple_deforming join_collapse_limit
    lc_messages lc_monetary lc_numeric lc_time lo_compat_privileges logical_decoding_work_mem
    maintenance_io_concurrency maintenance_work_mem max_parallel_maintenance_workers max_parallel_workers
    max_parallel_workers_per_gather md5_password_warnings min_parallel_index_scan_size min_parallel_table_scan_size
    parallel_leader_participation parallel_setup_cost parallel_tuple_cost output_plugin_libraries password_encryption plan_cache_mode
    plpgsql.check_asserts plpgsql.extra_errors plpgsql.extra_warnings plpgsql.print_strict_params
    plpgsql.variable_conflict quote_all_identifiers random_page_cost recursive_worktable_factor
    restrict_nonsystem_relation_kind row_security scram_iterations send_abort_for_crash seq_page_cost
    session_replication_role ssl_renegotiation_limit standard_conforming_strings stats_fetch_consistency
    synchronize_seqscans synchronous_commit temp_tablespaces timezone_abbreviations transform_null_equals vacuum_buffer_usage_limit
    vacuum_cost_delay vacuum_cost_limit vacuum_cost_page_dirty vacuum_cost_page_hit vacuum_cost_page_miss
    vacuum_failsafe_age vacuum_freeze_min_age vacuum_freeze_table_age vacuum_max_eager_freeze_failure_rate
    vacuum_multixact_failsafe_age vacuum_multixact_freeze_min_age vacuum_multixact_freeze_table_age vacuum_truncate
    wal_compression wal_consistency_checking wal_init_zero wal_recycle wal_sender_timeout wal_skip_threshold
    work_mem xmlbinary xmloption zero_damaged_pages);

my $server = AnswerServer->new('main', conf => [q{work_mem = '5MB'}, q{myapp.file = 'from the file'},
    'max_prepared_transactions = 2'], extended => 1);
$server->value($_) for (
    # with current_setting(), because pg_settings does not have all of them
    q{CREATE FUNCTION told(args jsonb) RETURNS jsonb LANGUAGE sql AS $$
        SELECT jsonb_object_agg(n, current_setting(n, true)) FROM jsonb_array_elements_text(args -> 'names') n $$},
    q{SELECT answer_tool_register('told', 'told(jsonb)', '{names}')},
    'CREATE ROLE asker LOGIN SUPERUSER',
    'CREATE ROLE plain LOGIN',
    q{GRANT USAGE ON SCHEMA answer TO plain},
    q{GRANT SELECT ON ALL TABLES IN SCHEMA answer TO plain},
    q{GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public, answer TO plain},
);

# What a handler sees of some settings.
sub told {
    my ($session, @names) = @_;
    my $names = join(', ', map { quoted($_) } @names);
    my $text = $session->value("SELECT string_agg(COALESCE(f #>> ARRAY['raw', n], 'NULL'), chr(10) ORDER BY i) FROM (SELECT answer_fact('told',
        jsonb_build_object('names', ARRAY[$names]::text[])) f OFFSET 0) x, unnest(ARRAY[$names]::text[]) WITH ORDINALITY u (n, i)");
    my @values = $text eq '' ? ('') : split(/\n/, $text, -1);
    return wantarray ? @values : $values[0];
}

#
# every setting of this server that a session can change
#
{
    my $fresh = $server->session;
    my $walk = $server->session(user => 'asker');
    $_->value(q{LOAD 'plpgsql'}) for $fresh, $walk;
    my %range = (map { my ($n, @r) = split /\|/, $_, -1; $n => \@r } split /\n/, $fresh->value(
        q{SELECT string_agg(concat_ws('|', name, vartype, min_val, max_val, array_to_string(enumvals, ','), boot_val), chr(10))
            FROM (SELECT name, vartype, COALESCE(min_val, '') min_val, COALESCE(max_val, '') max_val, enumvals, COALESCE(boot_val, '') boot_val,
            context FROM pg_settings) s WHERE context IN ('user', 'superuser')}));
    my @unjudged = grep { !$kept{$_} && !$fixed{$_} && !$own{$_} && !$settled{$_} } sort keys %range;
    is("@unjudged", '', 'every setting was judged');
    cmp_ok(scalar(keys %range), '>', 150, 'and there are many');
    my %string = (client_encoding => ['LATIN1'], DateStyle => ['German'], TimeZone => ['Europe/Berlin'], IntervalStyle => ['iso_8601'],
        default_text_search_config => ['pg_catalog.english'], lc_messages => ['POSIX'], lc_monetary => ['POSIX'], lc_numeric => ['POSIX'],
        lc_time => ['POSIX'], 'plpgsql.extra_errors' => ['all'], 'plpgsql.extra_warnings' => ['all'], search_path => ['public'],
        wal_consistency_checking => ['all'], temp_tablespaces => ['pg_default'], default_tablespace => ['pg_default'],
        'restrict_nonsystem_relation_kind' => ['view'], createrole_self_grant => ['set'],
        dynamic_library_path => ['/nowhere:$libdir'], extension_control_path => ['$system:/nowhere']);
    my ($changed, @unchanged) = (0);
    for my $name (sort { lc($a) cmp lc($b) } keys %range) {
        my ($type, $min, $max, $enum) = @{$range{$name}};
        my $database = $fresh->value("SHOW $name");
        my @other = $string{$name} ? @{$string{$name}} : $type eq 'bool' ? qw(on off) : $type eq 'enum' ? split(/,/, $enum) :
            $type =~ /integer|real/ ? ($min, $min + 1, $max, 11, 3) : ();
        @other = reverse sort { $a <=> $b } @other if $name =~ /timeout/;     # largest first: a short timeout would end the call
        # a setting that cannot be set in this build, or has only one value, is no danger
        my $chosen;
        for my $value (@other) {
            next if $walk->run("SET $name = " . quoted($value))->{state} ne '00000';
            $chosen = $walk->value("SHOW $name");
            last if $chosen ne $database;
        }
        if (!defined $chosen || $chosen eq $database) {
            push @unchanged, $name;
            $walk->run("RESET $name");
            next;
        }
        $changed++;
        # told under its own row of settings: exit_on_error would end the session
        my $seen = told($walk, $name);
        my $wanted = $kept{$name} ? $chosen : defined $fixed{$name} ? $fixed{$name} : $own{$name} ? 'pg_catalog, public, pg_temp' : $database;
        is($seen, $wanted, "$name = $chosen: a handler sees " . ($kept{$name} ? 'it' : 'another'));
        my $after = $walk->value("SHOW $name");
        is($after, $chosen, "$name: the session has it again");
        $walk->run("RESET $name");
    }
    note("$changed settings changed; not changed: @unchanged");
    cmp_ok($changed, '>', 130, 'most of them can be changed');
    $_->close for $fresh, $walk;
}

#
# settings chosen by the client, the role, ALTER DATABASE, ALTER ROLE ALL
#
{
    my @names = qw(work_mem gin_fuzzy_search_limit default_text_search_config myapp.file myapp.tenant myapp.db hash_mem_multiplier);
    my @database = ('5MB', '0', 'pg_catalog.simple', 'from the file', '', 'of the database', '1.5');
    $server->value($_) for (
        q{ALTER DATABASE postgres SET default_text_search_config = 'pg_catalog.simple'},
        q{ALTER DATABASE postgres SET myapp.db = 'of the database'},
        q{ALTER ROLE ALL SET hash_mem_multiplier = 1.5},
        q{ALTER ROLE ALL SET default_text_search_config = 'pg_catalog.german'},
    );
    my $plain = $server->session;
    is(join('|', told($plain, @names)), join('|', @database) =~ s/\|\|/|NULL|/r, 'nobody chose anything') ;
    $plain->value("SET $_") for q{work_mem = '6MB'}, 'gin_fuzzy_search_limit = 1', q{default_text_search_config = 'pg_catalog.english'},
        q{myapp.file = 'x'}, q{myapp.tenant = 'x'}, q{myapp.db = 'x'}, 'hash_mem_multiplier = 3';
    is(join('|', told($plain, @names)), join('|', @database), 'the session did');
    is($plain->value('SHOW myapp.tenant'), 'x', 'and has it again');
    # also within a transaction, a savepoint and a function
    $plain->value('BEGIN');
    $plain->value(q{SET LOCAL myapp.tenant = 'y'});
    $plain->value('SAVEPOINT s');
    is(join('|', told($plain, @names)), join('|', @database), 'the transaction did');
    $plain->value('ROLLBACK TO s');
    is($plain->value('SHOW myapp.tenant'), 'y', 'what is set in the transaction stays');
    $plain->value('COMMIT');
    is($plain->value('SHOW myapp.tenant'), 'x', 'as long as it lasts');
    # an error inside a handler leaves them alone as well
    $plain->value(q{CREATE FUNCTION fails(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$ BEGIN SET work_mem = '9MB'; RAISE 'no'; END $$});
    $plain->value(q{SELECT answer_tool_register('fails', 'fails(jsonb)')});
    isnt($plain->run(q{SELECT answer_fact('fails')})->{state}, '00000', 'a handler fails');
    is($plain->value('SHOW work_mem'), '6MB', 'and the settings are the session\'s again');
    $plain->close;

    my $options = join(' ', map { "-c $_" } 'work_mem=6MB', 'gin_fuzzy_search_limit=1', 'default_text_search_config=pg_catalog.english',
        'myapp.file=x', 'myapp.tenant=x', 'myapp.db=x', 'hash_mem_multiplier=3');
    my $client = $server->session(options => $options, encoding => 'LATIN1');
    is($client->value('SHOW work_mem'), '6MB', 'the client chose');
    is(join('|', told($client, @names)), join('|', @database), 'the client did');
    is(scalar(told($client, 'client_encoding')), 'UTF8', 'and its encoding');
    $client->close;
    $server->value("ALTER ROLE plain SET $_") for q{work_mem = '6MB'}, 'gin_fuzzy_search_limit = 1', q{default_text_search_config = 'pg_catalog.english'},
        q{myapp.file = 'x'}, q{myapp.tenant = 'x'}, 'synchronous_commit = off';
    $server->value("ALTER ROLE plain IN DATABASE postgres SET $_") for q{myapp.db = 'x'}, 'hash_mem_multiplier = 3';
    my $role = $server->session(user => 'plain');
    is($role->value('SHOW work_mem'), '6MB', 'the role chose');
    is(join('|', told($role, @names)), join('|', @database), 'the role did');

    # the built-in tool reports the server's and names its source
    my $setting = sub {
        my ($name) = @_;
        return $role->value("SELECT f #>> '{raw,setting}' || ' ' || (f #>> '{raw,source}') FROM answer_fact('postgres_setting', '{\"name\": \"$name\"}') f");
    };
    is($setting->('synchronous_commit'), 'on default', 'postgres_setting: the default');
    is($setting->('work_mem'), '5120 configuration file', 'the configuration file');
    is($setting->('hash_mem_multiplier'), '1.5 global', 'ALTER ROLE ALL');
    is($setting->('default_text_search_config'), 'pg_catalog.simple database', 'ALTER DATABASE');
    is($role->value(q{SELECT answer_eval('{"checks": [{"tool": "postgres_setting", "args": {"name": "synchronous_commit"}, "expect": {"op": "eq", "value": "off"}}]}') ->> 'verdict'}),
        'contradicted', 'a role cannot have "synchronous_commit is off" supported');
    $role->value(q{SET TimeZone = 'Europe/Berlin'});
    $role->value(q{SET statement_timeout = '1h'});
    is($setting->('statement_timeout'), '0 default', 'of what stays, the server\'s is reported as well');
    like($setting->('TimeZone'), qr/^(?!Europe\/Berlin).* (configuration file|default)$/, 'and of what is fixed');
    # a reload is noticed
    $server->configure(q{work_mem = '4500kB'});
    $server->value('SELECT pg_reload_conf()');
    for (1 .. 2400) { last if $setting->('work_mem') =~ /^4500 /; nap(0.05); }
    is($setting->('work_mem'), '4500 configuration file', 'a reload');
    # while the file cannot be read, its values are unknown: an error, not a guess; sessions that have read it go on
    my $text = slurp("$server->{data}/postgresql.conf");
    $server->configure('this is no setting at all');
    my $asked = q{SELECT answer_fact('told', '{"names": ["work_mem"]}')};
    my $result = $server->run($asked, user => 'plain');
    is($result->{state}, 'F0000', 'a configuration file that cannot be read') or diag($result->{err});
    is($role->run($asked)->{state}, '00000', 'matters only to who has not read it yet');
    spew("$server->{data}/postgresql.conf", $text);
    is($server->run($asked, user => 'plain')->{state}, '00000', 'until it can');
    $role->close;
    # the command line is stronger than the file
    $server->stop;
    AnswerServer::must(AnswerServer::program('pg_ctl'), '-D', $server->{data}, '-l', $server->{log}, '-w', '-s',
        '-o', q{-c work_mem=7MB --hash-mem-multiplier=2.5 -c "myapp.file=of the command"}, 'start');
    $server->{running} = 1;
    $role = $server->session(user => 'plain');
    is($setting->('work_mem'), '7168 command line', 'the command line');
    is(scalar(told($role, 'work_mem')), '7MB', 'which handlers see');
    is(scalar(told($role, 'myapp.file')), 'of the command', 'also where it has a space');
    $role->close;
    $server->restart;
}

#
# the attacks that worked
#
{
    my $session = $server->session;
    $session->value($_) for (
        'CREATE TABLE document (body text)',
        q{INSERT INTO document SELECT 'word' FROM generate_series(1, 20000)},
        q{CREATE INDEX ON document USING gin (to_tsvector('simple', body))},
        'ANALYZE document',
        q{CREATE FUNCTION found(args jsonb) RETURNS jsonb LANGUAGE sql AS
            $$ SELECT jsonb_build_object('n', (SELECT count(*) FROM document WHERE to_tsvector('simple', body) @@ to_tsquery('simple', 'word'))) $$},
        q{CREATE FUNCTION stem(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS
            $$ BEGIN RETURN jsonb_build_object('n', to_tsvector('running')::text); END $$},
        q{CREATE FUNCTION literal(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS
            $$ DECLARE n text; BEGIN EXECUTE 'SELECT ' || chr(39) || 'a\\\\b' || chr(39) INTO n; RETURN jsonb_build_object('n', length(n)); END $$},
        q{CREATE FUNCTION drawn(args jsonb) RETURNS jsonb LANGUAGE sql AS $$ SELECT jsonb_build_object('n', random()::text) $$},
        q{CREATE FUNCTION tenant(args jsonb) RETURNS jsonb LANGUAGE sql AS $$ SELECT jsonb_build_object('n', current_setting('myapp.tenant', true)) $$},
        (map { "SELECT answer_tool_register('$_', '$_(jsonb)', value_path => 'n')" } qw(found stem literal drawn tenant)),
        'ALTER DATABASE postgres RESET ALL', 'ALTER ROLE ALL RESET ALL',
    );
    $session->close;
    $server->value(q{ALTER DATABASE postgres SET default_text_search_config = 'pg_catalog.english'});
    my $value = sub { my ($in, $tool) = @_; return $in->value("SELECT answer_eval('{\"checks\": [{\"tool\": \"$tool\"}]}') #>> '{checks,0,observed}'") };
    my $honest = $server->session;
    my $crooked = $server->session;
    $crooked->run($_) for 'SET enable_seqscan = off', 'SET gin_fuzzy_search_limit = 10', q{SET default_text_search_config = 'pg_catalog.simple'},
        'SET standard_conforming_strings = off', 'SET escape_string_warning = off', q{SET myapp.tenant = 'another'};
    is($value->($crooked, $_), $value->($honest, $_), "$_: the same for whoever asks") for qw(found stem literal);
    is($value->($crooked, 'tenant'), '', 'tenant: what the session set does not count');
    my %drawn;
    for (1 .. 3) {
        $crooked->value('SELECT setseed(0.5)');
        $drawn{$value->($crooked, 'drawn')}++;
        $crooked->value('SET seed = 0.5');
        $drawn{$value->($crooked, 'drawn')}++;
    }
    is(scalar(keys %drawn), 6, 'drawn: nobody who calls setseed() foretells it');
    # settings that only a superuser may make have fixed values for every caller, also in a security-restricted operation
    $server->value('GRANT SET ON PARAMETER session_replication_role, zero_damaged_pages TO plain');
    $server->value($_) for 'ALTER ROLE plain RESET ALL', 'ALTER ROLE plain IN DATABASE postgres RESET ALL';
    my $plain = $server->session(user => 'plain');
    $plain->value("SET $_") for 'session_replication_role = replica', 'zero_damaged_pages = on';
    $server->value('REVOKE SET ON PARAMETER session_replication_role, zero_damaged_pages FROM plain');
    is(join('|', told($plain, 'session_replication_role', 'zero_damaged_pages')), 'origin|off', 'without the right to set them');
    is($plain->value('SHOW session_replication_role'), 'replica', 'and given back');
    # nested: a handler that sets something and evaluates a request
    $plain->close;
    $server->value(q{CREATE FUNCTION outer_one(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS
        $$ BEGIN PERFORM set_config('work_mem', '9MB', false); PERFORM set_config('myapp.tenant', 'inner', false);
        RETURN jsonb_build_object('n', answer_fact('told', '{"names": ["work_mem", "myapp.tenant"]}') -> 'raw'); END $$});
    $server->value(q{SELECT answer_tool_register('outer_one', 'outer_one(jsonb)')});
    is($honest->value(q{SELECT answer_fact('outer_one') #>> '{raw,n,work_mem}' || '|' || (answer_fact('outer_one') #>> '{raw,n,myapp.tenant}')}),
        '4500kB|', 'a handler\'s own settings do not reach the tools that it asks');
    isnt($honest->value('SHOW work_mem'), '9MB', 'nor the session');
    $_->close for $honest, $crooked;
}
#
# PL/pgSQL code that the caller had compiled before, under settings of its choice
#
{
    my $body = q{ DECLARE n text := 'a\\\\b'; BEGIN RETURN jsonb_build_object('n', length(n)); END };
    $server->value($_) for (
        "CREATE FUNCTION primed(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS \$\$$body\$\$",
        "CREATE FUNCTION fixed(args jsonb) RETURNS jsonb LANGUAGE plpgsql SET standard_conforming_strings = on AS \$\$$body\$\$",
        q{SELECT answer_tool_register('primed', 'primed(jsonb)', value_path => 'n'), answer_tool_register('fixed', 'fixed(jsonb)', value_path => 'n')},
        'GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public, answer TO plain',
        # the same for graders, judged by the length of the same literal
        q{SELECT answer_quality_class_register('Primed')},
        q{CREATE FUNCTION judge(observation jsonb) RETURNS answer_graded LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS
            $$ DECLARE n text := 'a\\\\b'; BEGIN RETURN (NULL, 'Weak', 'Low', length(n)::text)::answer_graded; END $$},
        q{SELECT answer_quality_grader_register('primed_grader', 'Primed', 'judge(jsonb)')},
        'GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public, answer TO plain',
    );
    my $length = sub { my ($in, $tool) = @_; return $in->value("SELECT answer_fact('$tool') ->> 'value'") };
    my $judged = sub { my ($in) = @_; return $in->value(q{SELECT (answer.grade('primed_grader', '{}')).reason}) };
    my $honest = $server->session(user => 'plain');
    is($length->($honest, 'primed'), '4', 'a literal of a handler has four characters');
    is($judged->($honest), '4', 'and that of a grader');
    $honest->close;

    my $asker = $server->session(user => 'plain');
    $asker->value("SET $_") for 'standard_conforming_strings = off', 'escape_string_warning = off';
    is($asker->value(q{SELECT primed('{}') ->> 'n'}), '3', 'called by the asker first, it has three');
    is($length->($asker, 'primed'), '4', 'which does not count when it answers');
    is($asker->value(q{SELECT (judge('{}')).reason}), '3', 'likewise a grader');
    is($judged->($asker), '4', 'does not keep it');
    is($asker->value(q{SELECT primed('{}') ->> 'n'}), '3', 'the asker has his own still');

    # an aggregate of the caller's calls it with the collation that we use; there only the function's own SET applies
    my $other = $server->session(user => 'plain');
    $other->value($_) for 'SET standard_conforming_strings = off', 'SET escape_string_warning = off',
        q{CREATE FUNCTION pg_temp.keep(state jsonb, word text) RETURNS jsonb LANGUAGE sql AS 'SELECT state'},
        q{CREATE AGGREGATE pg_temp.prime(text) (sfunc = pg_temp.keep, stype = jsonb, initcond = '{}', finalfunc = fixed)};
    is($other->value(q{SELECT pg_temp.prime('x') ->> 'n'}), '4', 'a SET clause of the handler holds for whoever calls it');
    is($length->($other, 'fixed'), '4', 'so nobody can prime it');
    $_->close for $asker, $other;
}
ok(!$server->crashed, 'the server never crashed');
done_testing();
