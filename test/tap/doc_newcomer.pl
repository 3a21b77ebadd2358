#!/usr/bin/env perl
# What an operator sees of failing tools, of removals concurrent with registrations, of settings in a new session, and of the manual.
# tiers: check test
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Test::More;

my $server = AnswerServer->new('main', conf => ["log_line_prefix = '%e '", 'log_min_messages = log'], extended => 1);
$server->value($_) for (
    'CREATE TABLE stock (item text, pieces int)',
    q{INSERT INTO stock VALUES ('sesame', 7)},
    q{CREATE FUNCTION stock(args jsonb) RETURNS jsonb LANGUAGE sql AS
        'SELECT jsonb_build_object(''pieces'', pieces) FROM stock WHERE item = args ->> ''item'''},
    q{CREATE FUNCTION slow(args jsonb) RETURNS jsonb LANGUAGE sql AS 'SELECT to_jsonb(pg_sleep(60)::text)'},
    q{CREATE FUNCTION talks(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS
        'BEGIN RAISE EXCEPTION ''sesame in %'', args
            USING errcode = ''AB123'', detail = ''sesame'', hint = ''sesame''; END'},
    q{CREATE FUNCTION grades(o jsonb) RETURNS answer_graded IMMUTABLE PARALLEL SAFE LANGUAGE plpgsql AS
        'BEGIN RAISE EXCEPTION ''sesame''; END'},
    q{SELECT answer_tool_register(t, (t || '(jsonb)')::regprocedure, options => jsonb_build_object('optional_args', '{item}'::text[]))
        FROM unnest('{stock,slow,talks}'::text[]) AS t},
    q{SELECT answer_tool_register(E'two\nlines "é"', 'talks(jsonb)', options => jsonb_build_object('optional_args', '{item}'::text[]))},
    q{SELECT answer_source_register('s'), answer_tool_register('kept', value_path => 'n', options => jsonb_build_object('optional_args', '{item}'::text[])),
        answer_tool_register('graded')},
    q{SELECT answer_evidence_add('kept', '{"item": "x"}', '{"n": 1}', 's'),
        answer_evidence_add('graded', '{}', '{"a": "sesame"}', 's')},
    q{SELECT answer_quality_grader_register('graded', 'Build', 'grades(jsonb)')},
    'CREATE ROLE asker LOGIN',
    'GRANT EXECUTE ON FUNCTION answer_eval(jsonb), answer_fact(text, jsonb, timestamptz) TO asker');

# New lines of the log that name a tool; messages that a client gets beside its result.
my $seen = 0;
sub logged {
    my $new = substr(slurp($server->{log}), $seen);
    $seen += length($new);
    unlike($new, qr/sesame/, 'nothing of arguments or data is in it');
    return join("\n", grep { /answer_eval: / } split(/\n/, $new));
}
sub leaves {
    my ($state, $what, $name) = @_;
    return is(logged(), "$state LOG:  answer_eval: $what failed with SQLSTATE $state", $name);
}
logged();
my $asker = $server->session(setup => ['SET ROLE asker', 'SET client_min_messages = debug1']);
sub ask {
    my ($tool, $more) = @_;
    $more ||= '';
    return $asker->run(qq{SELECT concat_ws(' ', r #>> '{checks,0,verdict}', r #>> '{checks,0,explain,sqlstate}')
        FROM answer_eval('{"checks": [{"tool": "$tool", "observe": true, "args": {"item": "sesame"}}]$more}') AS r});
}

#
# a tool that fails leaves one line, only in the server's log
#
my $result = ask('stock');
like($result->{out}, qr/ 42501$/, 'the receipt says that a right is missing');
leaves('42501', 'tool "stock"', 'and so does the log');
unlike($result->{err}, qr/answer_eval: /, 'the client gets no such line');
$result = ask('talks');
like($result->{out}, qr/ AB123$/, 'a tool that raises an error');
leaves('AB123', 'tool "talks"', 'is in the log without its message');
ask('slow', ', "deadline_ms": 50');
leaves('57014', 'tool "slow"', 'so is one that is late');
$asker->run(q{SELECT answer_eval('{"checks": [{"tool": "stock"}, {"tool": "talks"},
    {"tool": "stock", "args": {"item": "x"}}]}')});
is(scalar(split(/\n/, logged())), 3, 'one line for each call that failed');
$asker->run(q{SELECT answer_fact('talks')});
leaves('AB123', 'tool "talks"', 'answer_fact likewise, beside its error');
$asker->run(q{SELECT answer_eval(jsonb_build_object('checks', jsonb_build_array(
    jsonb_build_object('tool', E'two\nlines "é"', 'observe', true))))});
like(logged(), qr/^AB123 LOG:  answer_eval: tool "two\z/, 'a name with a line break begins no line of its own');
unlike(slurp($server->{log}), qr/^lines/m, 'for the server indents what follows');
ask('kept');
leaves('42501', 'tool "kept"', 'stored readings that may not be read likewise');
$server->value('GRANT USAGE ON SCHEMA answer TO asker');
$server->value('GRANT SELECT ON answer.evidence, answer.evidence_series, answer.source TO asker');
like(ask('kept')->{out}, qr/ 02000$/, 'that nothing came');
is(logged(), '', 'is no failure');
$server->value('GRANT SELECT ON stock TO asker');
like(ask('stock')->{out}, qr/^value/, 'a tool that works');
is(logged(), '', 'leaves no line');
$server->value(q{SELECT answer_fact('graded')});
leaves('P0001', 'grader of tool "graded"', 'a grader that fails leaves one');
is($asker->run('SET log_min_messages = panic')->{state}, '42501', 'who asks does not choose what is logged');
ask('talks');
leaves('AB123', 'tool "talks"', 'and cannot keep it out of the log');
$asker->close;

#
# something is removed while another session starts to refer to it
#
my ($one, $two) = map { $server->session } 1 .. 2;
sub meets {
    my ($first, $second, $state, $what) = @_;
    $one->value('BEGIN');
    $one->value("SELECT $first");
    $two->send("SELECT $second");
    is($two->wait(0.5)->{state}, 'timeout', "$what: the second waits for the first");
    $one->value('COMMIT');
    is($two->wait->{state}, $state, "$what: and sees what it did");
    return;
}
$one->value(q{SELECT answer_source_register('both'), answer_tool_register('both', options => jsonb_build_object('optional_args', '{a}'::text[]))});
my $route = q{answer_route_register('both', 'both {a}', 'interrogative', 'both', '{"a": "{a}"}',
    examples => '{both x}')};
meets($route, q{answer_tool_remove('both')}, '55000', 'a route comes to name a tool that is removed');
$one->value(q{SELECT answer_route_remove('both')});
meets(q{answer_tool_remove('both')}, $route, 'P0002', 'a tool is removed that a route comes to name');
meets(q{answer_tool_register('named', options => jsonb_build_object('source', 'both'))}, q{answer_source_remove('both')}, '55000',
    'a tool comes to name a source that is removed');
$one->value(q{SELECT answer_tool_remove('named')});
meets(q{answer_source_remove('both')}, q{answer_tool_register('named', options => jsonb_build_object('source', 'both'))}, 'P0002',
    'a source is removed that a tool comes to name');
meets(q{answer_tool_register('named', options => jsonb_build_object('unit', 'm'))}, q{answer_tool_register('named', options => jsonb_build_object('unit', 'km'))}, '23505',
    'two register one name');
is($server->value(q{SELECT unit FROM answer.tool WHERE tool = 'named'}), 'm', 'and the first is left as it is');
is($server->value(q{SELECT count(*) FROM answer_log_audit()}), 0, 'each change has its record');
$_->close for $one, $two;

#
# a fresh session
#
is($server->run('SHOW answer_eval.issuer', fresh => 1)->{state}, '42704', 'no setting is known before the library is loaded');
my $fresh = $server->session;
is($fresh->value('SELECT count(*) FROM answer_settings()'), 16, 'answer_settings() loads it, and lists them');
is($fresh->run('SHOW answer_eval.issuer')->{state}, '00000', 'and SHOW knows them then');
$fresh->close;
my $preloaded = $server->session(options => '-c session_preload_libraries=answer_eval');
is($preloaded->run('SHOW answer_eval.issuer')->{state}, '00000', 'so does session_preload_libraries');
$preloaded->close;
$server->value(q{ALTER SYSTEM SET session_preload_libraries = 'answer_eval'});
$server->value(q{SELECT pg_reload_conf()});
for (1 .. 2400) {
    last if $server->run('SHOW answer_eval.issuer', fresh => 1)->{state} eq '00000';
    nap(0.1);
}
is($server->run('SHOW answer_eval.issuer', fresh => 1)->{state}, '00000', 'in the configuration, for every session');
is($server->run('SHOW answer_eval.issuer', user => 'asker')->{state}, '00000', 'whoever connects');
$server->value('CREATE DATABASE without');
is($server->run('SHOW answer_eval.issuer', dbname => 'without')->{state}, '00000', 'and where the extension is not');

#
# the manual has every setting with its default
#
SKIP: {
    my $manual = root_dir() . '/doc/answer_eval.md';
    skip('the manual is not here', 2) unless -f $manual;
    my %row = map { my @cell = map { s/^\s+|\s+$//gr } split /(?<!\\)\|/; ($cell[1] =~ tr/`//dr => \@cell) }
        grep { /^\| `answer_eval\.\w+` \|/ } split /\n/, slurp($manual);
    my %have = map { my ($name, $unit, $default) = split /\|/; ($name => [$unit, $default]) }
        split /\n/, $server->value(q{SELECT name || '|' || coalesce(unit, 'none') || '|' || boot_val FROM pg_settings
            WHERE name LIKE 'answer\_eval.%'});
    delete $row{'answer_eval.key_folders'};    # pg_settings does not show it
    is_deeply([sort keys %row], [sort keys %have], 'every setting is in the manual, and no other');
    is_deeply({map { $_ => [$row{$_}[3], $row{$_}[5] eq 'empty' ? '' : $row{$_}[5] =~ tr/`//dr] } keys %row}, \%have,
        'with its unit and its default');
}
ok(!$server->crashed, 'nothing crashed');

done_testing();
