#!/usr/bin/env perl
# doc/citus.md on a real cluster, a coordinator and three workers: its blocks are run unchanged and in order, and the promises of each
# section are checked. Then what must be refused, and attacks that must fail.
# tiers: long
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use CitusCluster;
use Test::More;

my $why = CitusCluster->unavailable;
plan skip_all => $why if $why;

my $cluster = CitusCluster->new(workers => 3);
my ($coordinator, @workers) = @{$cluster->{nodes}};
my @all = ($coordinator, @workers[0, 1]);
for my $node ($coordinator, @workers) {
    $node->value('CREATE DATABASE answers');
    $node->{dbname} = 'answers';
}

# Replaces the addresses in the document by those of the servers here.
sub here {
    my ($sql) = @_;
    $sql =~ s/'(coordinator|worker(\d))\.example'/"'" . ($2 ? $workers[$2 - 1] : $coordinator)->{host} . "'"/ge;
    $sql =~ s/"(worker(\d))\.example:5432"/'"' . $workers[$2 - 1]->{host} . ':5432"'/ge;
    return $sql;
}

my $session;
sub at { my ($sql) = @_; $session ||= $coordinator->session; return $session->value(here($sql)) }
# A power cut of a node, and its return. Older sessions do not notice it.
sub cut { my ($node) = @_; $node->kill9; return }
sub returns { my ($node) = @_; $node->start; undef $session; return }
sub tenant_at { my ($node) = @_; return at("SELECT t FROM (SELECT 'tenant ' || n AS t FROM generate_series(1, 19) AS n) AS x, pg_dist_shard_placement
    WHERE shardid = get_shard_id_for_distribution_column('stock', t) AND nodename = '$node->{host}' ORDER BY t LIMIT 1") }
# receipts and unsealed leaves of all nodes
sub held { return join(' | ', map { $_->value('SELECT (SELECT count(*) FROM answer.receipt) || $$ $$ || (SELECT count(*) FROM answer.unsealed)') } @all) }
sub audits { my ($what) = @_; return is(join('', map { $_->value('SELECT string_agg(a::text, $$ $$) FROM answer_log_audit() AS a WHERE finding <> $$forgotten$$') } @all), '', "no audit finds anything $what") }
sub receipts { my ($node) = @_; return $node->value('SELECT count(*) FROM answer.receipt') }
sub state_of { my ($sql, $node) = @_; my $r = ($node || $coordinator)->run(here($sql)); return "$r->{state} $r->{err}" }

# The statements of a block are run one by one, so that each is a transaction, as if typed; the last result counts.
sub statements { my ($sql) = @_; return grep { /\S/ } split /(?<=;)\n(?=(?:SELECT|INSERT|UPDATE|CREATE|ALTER|GRANT|REVOKE|WITH|SET |BEGIN;|COMMIT;|--))/, $sql }

my %after = (
    'Install' => sub {
        is(at('SELECT count(DISTINCT r.result) FROM run_command_on_all_nodes($$SELECT key_id FROM answer.signing_key$$) r WHERE r.success'), '3',
            'every node has a key of its own');
        my %files = map { $_ => 1 } map { map { m{([^/]+)\.pem$} } glob("$_->{data}/answer_eval_keys/*/*.pem") } @all;
        is(scalar(keys %files), 3, 'and its file');
        is($_->value('SELECT count(*) FROM pg_extension WHERE extname = \'answer_eval\''), '1', "$_->{name} has the extension") for @all;
    },
    'Say something to every node' => sub {
        is($_->value(q{SELECT count(*) FROM answer.source WHERE source = 'warehouse'}), '1', "$_->{name} heard it") for @all;
        is(at('SELECT count(*) = 9 FROM cluster.heard'), 't', 'all nodes have heard all three');
        is(at(q{SELECT count(*) FROM cluster.catch_up()}), '0', 'and are not told twice');
        is($_->value(q{SELECT has_function_privilege('clerk', 'answer_eval(jsonb)', 'EXECUTE')}), 't', "$_->{name} has the grant") for @all;
        # a node that is down is named and told later; later messages wait for earlier ones
        $workers[1]->stop;
        at(q{INSERT INTO cluster.said (statement) VALUES ('SELECT answer_source_register(''late'', replace => true)')});
        like(at('SELECT * FROM cluster.catch_up()'), qr/\Q$workers[1]{host}\E:5432\|\d+\|/, 'a node that is down is told');
        is($workers[0]->value(q{SELECT count(*) FROM answer.source WHERE source = 'late'}), '1', 'the others have heard');
        $workers[1]->start;
        undef $session;    # it was connected to the node that was down
        is(at('SELECT count(*) FROM cluster.catch_up()'), '0', 'it catches up');
        is($workers[1]->value(q{SELECT count(*) FROM answer.source WHERE source = 'late'}), '1', 'and has heard');
        at(q{INSERT INTO cluster.said (statement) VALUES ('SELECT 1/0'), ('SELECT answer_source_register(''later'', replace => true)')});
        is(at(q{SELECT count(*) FROM cluster.catch_up() WHERE problem ~ 'division'}), '3', 'a statement that fails is named');
        is($_->value(q{SELECT count(*) FROM answer.source WHERE source = 'later'}), '0', "$_->{name} waits with what comes after it") for @all;
        at(q{UPDATE cluster.said SET statement = 'SELECT 1' WHERE statement = 'SELECT 1/0'});
        is(at('SELECT count(*) FROM cluster.catch_up()'), '0', 'once it is put right, all is heard');
    },
    'Facts by tenant' => sub {
        my $alone = at(q{SELECT answer_composite(c.verdict, c.confidence, true) FROM generate_series(1, 1000) AS n,
            answer_check('{"tool": "stock", "expect": {"op": "gte", "value": 1}}',
            jsonb_build_object('value', n, 'verification', '{"confidence": 0.8}'::jsonb), '2026-06-09 12:00Z') AS c});
        my ($whole, $apart) = map { at($_) } grep { /answer_check/ } map { @$_ } @{section('Facts by tenant')};
        is($whole, $alone, 'the composite is that of one server');
        is("($apart)", $alone =~ tr/,/|/r =~ s/[()]//gr =~ s/^(.*)$/($1)/r, 'and so it is taken apart');
        my ($first, $last) = grep { /answer_check/ } map { @$_ } @{section('Facts by tenant')};
        for my $query ($first, $last) {
            my $plan = at("EXPLAIN (VERBOSE, COSTS OFF) $query");
            is(scalar(() = $plan =~ /pg_catalog\.worker_partial_agg\(/g), 1, 'one partial aggregate is asked for');
        }
        my $four = at(q{EXPLAIN (VERBOSE, COSTS OFF) SELECT (answer_composite('supported', 1, pieces > 0)).* FROM stock});
        is(scalar(() = $four =~ /pg_catalog\.worker_partial_agg\(/g), 4, 'columns of the composite would be four');
    },
    'Fact, receipt and leaf in one transaction' => sub {
        my %before = map { $_->{name} => receipts($_) } @all;
        for my $n (1 .. 20) {
            my $receipt = at("SELECT count_and_ask('tenant $n', 'item new', 5, 3)");
            like($receipt, qr/"verdict": "supported", "degraded"|"verdict": "supported"/, "tenant $n: supported") if $n <= 2;
        }
        is(receipts($coordinator), $before{coordinator}, 'the coordinator signed none of them');
        my @new = map { receipts($_) - $before{$_->{name}} } @workers[0, 1];
        is($new[0] + $new[1], 20, 'the workers signed them');
        ok($new[0] > 0 && $new[1] > 0, 'both of them') or diag("@new");
        # after a rollback and after a failure, neither fact nor receipt nor leaf is left
        my @were = map { join ' ', map { $_ } receipts($_), $_->value('SELECT count(*) FROM answer.unsealed') } @all;
        at($_) for ('BEGIN', "SELECT count_and_ask('tenant 1', 'item gone', 5, 3)", "SELECT count_and_ask('tenant 2', 'item gone', 5, 3)", 'ROLLBACK');
        at($_) for ('BEGIN', "SELECT count_and_ask('tenant 3', 'item gone', 5, 3)");
        isnt($session->run("SELECT count_and_ask('tenant 4', NULL, 5, 3)")->{state}, '00000', 'a call fails');
        at('COMMIT');
        is(at(q{SELECT count(*) FROM stock WHERE item = 'item gone'}), '0', 'no fact is left');
        is_deeply([map { join ' ', receipts($_), $_->value('SELECT count(*) FROM answer.unsealed') } @all], \@were, 'nor a receipt, nor a leaf');
        # within an expression the call runs at the coordinator
        at("SELECT count_and_ask('tenant 1', 'item 1', 5, 3) ->> 'verdict'");
        is(receipts($coordinator), $before{coordinator} + 1, 'within an expression the coordinator signs');
        # a clerk has the rights that the work needs, and no more
        my $clerk = $coordinator->session(user => 'clerk');
        is($clerk->run("SELECT count_and_ask('tenant 5', 'item c', 5, 3)")->{state}, '00000', 'a clerk counts and asks');
        is($clerk->run(q{SELECT answer_tombstone_add('sha256:', 'x')})->{state}, '42501', 'and forgets nothing');
        # A node goes down in the middle of a call, after the fact and the receipt: neither is left.
        at(q{CREATE FUNCTION count_and_wait(for_tenant text) RETURNS jsonb LANGUAGE plpgsql AS $$DECLARE receipt jsonb; BEGIN
            INSERT INTO public.stock (tenant, item, pieces) VALUES (for_tenant, 'item cut', 1);
            receipt := public.answer_eval('{"checks": [{"tool": "t", "observe": true}]}');
            PERFORM pg_advisory_xact_lock(16); RETURN receipt; END$$});
        at(q{SELECT create_distributed_function('count_and_wait(text)', 'for_tenant', colocate_with => 'stock', force_delegation => true)});
        my @tenants = map { tenant_at($_) } @workers[0, 1];
        my $held = held();
        my $lock = $workers[1]->session(setup => ['SELECT pg_advisory_lock(16)']);
        $session->backend;
        $session->send("SELECT count_and_wait('$tenants[1]')");
        for (1 .. 2400) {
            last if $workers[1]->value(q{SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = 16 AND NOT granted}) eq '1';
            nap(0.05);
        }
        cut($workers[1]);
        isnt($session->wait->{state}, '00000', 'a node that goes down in a call fails it');
        returns($workers[1]);
        is(held(), $held, 'there is no receipt of it, and no leaf');
        is(at(q{SELECT count(*) FROM stock WHERE item = 'item cut'}), '0', 'nor a fact');
        is(at("SELECT count_and_ask('$tenants[1]', 'item cut', 5, 3)") =~ /"verdict": "supported"/ ? 1 : 0, 1, 'the node goes on');
        # Two calls of one transaction, at two nodes: if one goes down before the commit, neither call leaves anything.
        $held = held();
        at($_) for ('BEGIN', map { "SELECT count_and_ask('$_', 'item both', 5, 3)" } @tenants);
        cut($workers[1]);
        isnt($session->run('COMMIT')->{state}, '00000', 'a transaction at two nodes is not committed at one of them');
        returns($workers[1]);
        is(held(), $held, 'there is no receipt of it at either');
        is(at(q{SELECT count(*) FROM stock WHERE item = 'item both'}), '0', 'nor a fact');
        # A prepared transaction is not sealed yet; Citus later commits it or rolls it back.
        my @gids = map { "citus_0_1_${_}_0" } 999999998, 999999999;
        for my $gid (@gids) {
            my $prepares = $workers[0]->session(setup => ['BEGIN', q{SELECT answer_eval('{"checks": [{"tool": "t", "observe": true}]}')},
                "PREPARE TRANSACTION '$gid'"]);
            $prepares->close;
        }
        my $count = receipts($workers[0]);
        $workers[0]->value('SELECT answer_log_seal()');
        at("INSERT INTO pg_dist_transaction (groupid, gid) SELECT groupid, '$gids[0]' FROM pg_dist_node WHERE nodename = '$workers[0]{host}'");
        at('SELECT recover_prepared_transactions()');
        is($workers[0]->value('SELECT count(*) FROM pg_prepared_xacts'), '0', 'what was prepared is recovered');
        is(receipts($workers[0]), $count + 1, 'one is committed as the coordinator says, the other is not');
        is($workers[0]->value(q{SELECT answer_log_seal() ->> 'sealed'}), '1', 'and sealed thereafter');
        audits('after all that');
        # a handler in SQL
        at(q{CREATE FUNCTION stock_in_sql(args jsonb) RETURNS jsonb LANGUAGE sql STABLE AS
            'SELECT jsonb_build_object(''pieces'', pieces) FROM public.stock WHERE tenant = args ->> ''tenant'''});
        at(q{SELECT answer_tool_register('stock_in_sql', 'stock_in_sql(jsonb)', required_args => '{tenant}', value_path => 'pieces')});
        is(at(q{SELECT r #>> '{checks,0,explain,sqlstate}' FROM answer_eval('{"checks": [{"tool": "stock_in_sql", "observe": true,
            "args": {"tenant": "tenant 1"}}]}') AS r}), '0A000', 'a handler in SQL cannot be planned');
    },
    'Many at once' => sub {
        is(at(q{SELECT count(*) FROM adjudicated WHERE receipt ->> 'verdict' = 'supported'}), '10', 'a receipt for each row')
            or diag(at('SELECT receipt FROM adjudicated LIMIT 1'));
        my @were = map { receipts($_) } @all;
        like(state_of(q{SELECT answer_eval(jsonb_build_object('checks', jsonb_build_array(jsonb_build_object('tool', item, 'observe', true)))) FROM stock}),
            qr/^55000 .*nothing is signed by a query over a distributed table.*INSERT \.\.\. SELECT/s, 'a query is refused');
        # other things that Citus does with queries: each is one transaction, or refused
        at('CREATE TABLE other (n int, item text)');
        at(q{SELECT create_distributed_table('other', 'n')});
        at(q{INSERT INTO other SELECT n, 'item ' || n FROM generate_series(1, 40) AS n});
        my $signs = q{answer_eval(jsonb_build_object('checks', jsonb_build_array(jsonb_build_object('tool', o.item, 'observe', true))))};
        for my $query ("SELECT $signs FROM other AS o WHERE n = 1", "SELECT count($signs) FROM other AS o", "CREATE TABLE made AS SELECT $signs FROM other AS o",
            "CREATE TEMP TABLE taken AS SELECT 1; INSERT INTO taken SELECT count($signs) FROM other AS o",
            "DO \$\$ BEGIN PERFORM $signs FROM other AS o; END \$\$", "COPY (SELECT $signs FROM other AS o) TO '/dev/null'",
            q{SELECT count(e) FROM other AS o, answer_eval_each(ARRAY[jsonb_build_object('checks', jsonb_build_array(
                jsonb_build_object('tool', o.item, 'observe', true)))], on_error => 'skip') AS e},
            q{SELECT answer_tombstone_add('sha256:' || encode(sha256(item::bytea), 'hex'), 'x') FROM other})
        {
            my $result = $coordinator->run($query);
            is($result->{err} =~ /nothing is signed by a query/ ? 'refused' : "$result->{state} $result->{err}", 'refused', substr($query, 0, 30));
        }
        is_deeply([map { receipts($_) } @all], \@were, 'none of them has left a receipt');
        $coordinator->run(qq{SET citus.enable_repartition_joins = on; SELECT answer_eval(jsonb_build_object('checks', jsonb_build_array(
            jsonb_build_object('tool', CASE WHEN o.item = 'item 7' THEN '' ELSE o.item END, 'observe', true)))) FROM other AS o JOIN stock AS s ON o.item = s.item});
        is_deeply([map { receipts($_) } @all], \@were, 'nor has a join over all nodes that fails');
        # INSERT ... SELECT at all nodes, one of which goes down before the commit
        my $held = held();
        my $rows = at('SELECT count(*) FROM adjudicated');
        at('BEGIN');
        at(q{INSERT INTO adjudicated SELECT tenant, item, answer_eval(jsonb_build_object('checks', jsonb_build_array(
            jsonb_build_object('tool', item, 'observe', true)))) FROM stock WHERE item LIKE 'item 9%'});
        cut($workers[1]);
        isnt($session->run('COMMIT')->{state}, '00000', 'a node that goes down before the commit fails it');
        returns($workers[1]);
        is(held(), $held, 'no node has a receipt of it');
        is(at('SELECT count(*) FROM adjudicated'), $rows, 'nor a row');
        # one of the rows fails: nothing stays at any node
        isnt(substr(state_of(q{INSERT INTO adjudicated SELECT tenant, item, answer_eval(jsonb_build_object('checks', jsonb_build_array(
            jsonb_build_object('tool', CASE WHEN item = 'item 500' THEN '' ELSE item END, 'observe', true)))) FROM stock}), 0, 5), '00000', 'one bad row fails');
        at('BEGIN');
        like($session->run(q{SELECT answer_eval(jsonb_build_object('checks', jsonb_build_array(jsonb_build_object('tool',
            CASE WHEN item = 'item 500' THEN '' ELSE item END, 'observe', true)))) FROM stock})->{state}, qr/^22/, 'in a transaction block it is asked, and fails');
        at('ROLLBACK');
        is_deeply([map { receipts($_) } @all], \@were, 'and leaves no receipt anywhere');
    },
    'Keys of all nodes' => sub {
        is(at('SELECT jsonb_array_length(keys) FROM cluster.key_registry'), '3', 'the union has three keys');
        my ($verify) = grep { /answer_verify_ok/ } map { @$_ } @{section('Keys of all nodes')};
        my @lines = split /\n/, at($verify);
        is(scalar(grep { /\|([1-9]\d*)\|\1$/ } @lines), 3, 'all receipts of all nodes verify') or diag("@lines");
        my $receipt = $workers[0]->value(q{SELECT body FROM answer.receipt WHERE schema = 'answer/v1' LIMIT 1});
        is($_->value('SELECT answer_verify_ok(' . quoted($receipt) . '::jsonb)'), 't', "$_->{name} verifies it by its own registry") for @all;
    },
    'A log of logs' => sub {
        my $sizes = join ' ', sort map { $_->value('SELECT max(tree_size) FROM answer.checkpoint') } @workers[0, 1];
        is(at(q{SELECT string_agg(split_part(e.value #>> '{raw,checkpoint}', E'\n', 2), ' ' ORDER BY split_part(e.value #>> '{raw,checkpoint}', E'\n', 2)
                COLLATE "C") FROM (SELECT body FROM answer.receipt WHERE schema = 'answer/v1' ORDER BY issued_at DESC LIMIT 1) AS r,
            jsonb_each(r.body -> 'evidence_index') AS e}), $sizes, 'the receipt has the sizes of the logs');
        is(at(q{SELECT count(*) FILTER (WHERE e.value #>> '{raw,verified,ok}' = 'true') FROM (SELECT body FROM answer.receipt
            WHERE schema = 'answer/v1' ORDER BY issued_at DESC LIMIT 1) AS r, jsonb_each(r.body -> 'evidence_index') AS e}), '2', 'verified');
        is(at('SELECT count(DISTINCT vkey) FROM answer.cosignature WHERE tree_size = (SELECT max(tree_size) FROM answer.checkpoint)'), '2',
            'two workers cosigned the newest checkpoint');
        # the whole way from a worker's receipt to the coordinator's checkpoint
        my $id = $workers[0]->value(q{SELECT receipt_id FROM answer.receipt WHERE schema = 'answer/v1' LIMIT 1});
        is($workers[0]->value("SELECT answer_log_verify(answer_log_inclusion('$id'), body) ->> 'ok' FROM answer.receipt WHERE receipt_id = '$id'"), 'true',
            'a receipt is in the log of its worker');
        my $of_logs = at(q{SELECT receipt_id FROM answer.receipt WHERE schema = 'answer/v1' ORDER BY issued_at DESC LIMIT 1});
        is(at("SELECT answer_log_verify(answer_log_inclusion('$of_logs'), body) ->> 'ok' FROM answer.receipt WHERE receipt_id = '$of_logs'"), 'true',
            'the receipt of the checkpoints is in the log of the coordinator');
    },
    'Forget' => sub {
        my ($digest) = map { /(sha256:[0-9a-f]{64})/ } map { @$_ } @{section('Forget')};
        for my $node (@all) {
            is($node->value("SELECT count(*) FROM answer.tombstone WHERE digest = '$digest' AND answer_verify_ok(body)"), '1', "$node->{name} has a tombstone");
            is($node->run("SELECT answer.refuse_forgotten('', '$digest')")->{state}, '23001', 'and refuses the evidence');
        }
        # a reading that one node has
        $workers[0]->value(q{SELECT answer_tool_register('kept', value_path => 'n')});
        my $reading = $workers[0]->value(q{SELECT answer_evidence_add('kept', '{}', '{"n": 1}', 'warehouse', '2026-01-01Z')});
        at("INSERT INTO cluster.said (statement) VALUES ('SELECT answer_tombstone_add(''$reading'', ''x'')')");
        is(at('SELECT * FROM cluster.catch_up()'), '', 'every node is told');
        is($workers[0]->value('SELECT count(*) FROM answer.evidence'), '0', 'it is gone where it was');
        $_->value(q{SELECT answer_tool_register('kept', value_path => 'n', replace => true)}) for @all;
        # A node that was down knows nothing of it yet: what it stores meanwhile is removed when it is told.
        $workers[1]->stop;
        my $elsewhere = $workers[0]->session(setup => ['BEGIN']);
        my $late = $elsewhere->value(q{SELECT answer_evidence_add('kept', '{}', '{"n": 2}', 'warehouse', '2026-01-01Z')});
        $elsewhere->value('ROLLBACK');
        $elsewhere->close;
        at("INSERT INTO cluster.said (statement) VALUES ('SELECT answer_tombstone_add(''$late'', ''x'')')");
        undef $session;
        like(at('SELECT * FROM cluster.catch_up()'), qr/^\Q$workers[1]{host}\E:5432\|/, 'a node is down');
        returns($workers[1]);
        $workers[1]->value(q{SELECT answer_evidence_add('kept', '{}', '{"n": 2}', 'warehouse', '2026-01-01Z')});
        my $with = $workers[1]->value(q{SELECT answer_eval('{"checks": [{"tool": "kept", "observe": true}]}') ->> 'receipt_id'});
        is(at('SELECT * FROM cluster.catch_up()'), '', 'it is told');
        is($workers[1]->value(q{SELECT count(*) FROM answer.evidence}), '0', 'the reading is gone there');
        is($workers[1]->value("SELECT answer_receipt('$with') ->> 'schema'"), 'answer/tombstone/v1', 'and the receipt that has it');
        is($workers[1]->run(q{SELECT answer_evidence_add('kept', '{}', '{"n": 2}', 'warehouse', '2026-01-01Z')})->{state}, '23001', 'and it is not stored again');
        is($_->run(q{SELECT answer_evidence_add('kept', '{}', '{"n": 1}', 'warehouse', '2026-01-01Z')})->{state}, '23001', "and not stored at $_->{name}") for @all;
    },
    'Dashboards' => sub {
        # a node that is down
        $workers[1]->stop;
        undef $session;
        is(at("SELECT count(*), max(node) FROM cluster.verdicts WHERE receipts IS NULL"), "1|$workers[1]{host}:5432", 'a node that is down is a row of its own');
        cmp_ok(at('SELECT sum(receipts) FROM cluster.verdicts'), '>', 0, 'the others are counted');
        is(at("SELECT node FROM cluster.logs WHERE tree_size IS NULL"), "$workers[1]{host}:5432", 'also among the logs');
        like(state_of(q{SELECT * FROM cluster.every_row('SELECT 1 AS n')}), qr/^P0001 .*\Q$workers[1]{host}\E:5432 does not answer/s, 'what must be whole fails');
        returns($workers[1]);
        is(at('SELECT sum(receipts) FROM cluster.verdicts'), eval { my $sum = 0; $sum += receipts($_) for @all; $sum }, 'the view counts the receipts of all nodes');
        is(at('SELECT count(*) FROM cluster.logs'), '3', 'and has three logs');
        is($coordinator->run('SELECT * FROM cluster.verdicts', user => 'clerk')->{state}, '42501', 'a clerk does not read it');
        my ($audit) = grep { /answer_log_audit/ } map { @$_ } @{section('Dashboards')};
        is(at($audit =~ s/;\s*$//r), '', 'no audit finds anything');
    },
    'Move shards' => sub {
        # the newest receipt of tenant 1 is at the node where the tenant is now
        my $group = at(q{SELECT nodename FROM pg_dist_shard_placement WHERE shardid = get_shard_id_for_distribution_column('stock', 'tenant 1')});
        my ($node) = grep { $_->{host} eq $group } @workers;
        is($node->value(q{SELECT count(*) FROM answer.receipt WHERE body #>> '{checks,0,observed}' = '7'}), '1', 'the receipt is where the facts are');
        my ($verify) = grep { /answer_verify_ok/ } map { @$_ } @{section('Keys of all nodes')};
        is(scalar(grep { /\|(\d+)\|\1$/ } split /\n/, at($verify)), 3, 'all receipts verify');
        # Moving a shard waits for the end of a call: the receipt is where the call began, and the fact is moved.
        my ($from, $to) = $node == $workers[0] ? @workers[0, 1] : @workers[1, 0];
        my ($shard) = at(q{SELECT get_shard_id_for_distribution_column('stock', 'tenant 1')});
        my $mover = $coordinator->session;
        $mover->backend;
        at($_) for ('BEGIN', q{SELECT count_and_ask('tenant 1', 'item moved', 8, 3)});
        $mover->send("SELECT citus_move_shard_placement($shard, '$from->{host}', 5432, '$to->{host}', 5432, 'block_writes')");
        ok($mover->active, 'a shard is to move');
        at('COMMIT');
        is($mover->wait->{state}, '00000', 'it moves when the call has ended');
        my $of = q{SELECT count(*) FROM answer.receipt WHERE body #>> '{checks,0,observed}' = '8'};
        is(join(' ', map { $_->value($of) } $from, $to), '1 0', 'the receipt is where the fact was');
        is(at(q{SELECT pieces FROM stock WHERE tenant = 'tenant 1' AND item = 'item moved'}), '8', 'the fact has moved');
        at(q{SELECT count_and_ask('tenant 1', 'item moved', 8, 3)});
        is(join(' ', map { $_->value($of) } $from, $to), '1 1', 'and the next receipt is where it is now');
    },
    'Add a node' => sub {
        push @all, $workers[2];
        my ($digest) = map { /(sha256:[0-9a-f]{64})/ } map { @$_ } @{section('Forget')};
        is($workers[2]->run("SELECT answer.refuse_forgotten('', '$digest')")->{state}, '23001', 'the new node knows the tombstones');
        is($workers[2]->value(q{SELECT count(*) FROM answer.tool WHERE tool = 'stock_of'}), '1', 'and the tools');
        is($workers[2]->value(q{SELECT has_function_privilege('clerk', 'answer_eval(jsonb)', 'EXECUTE')}), 't', 'and the grants');
        is($_->value('SELECT count(*) FROM answer.signing_key'), '4', "$_->{name} knows all keys") for @all;
        cmp_ok(at("SELECT count(*) FROM pg_dist_shard_placement WHERE nodename = '$workers[2]{host}'"), '>', 0, 'it has shards');
        my $before = receipts($workers[2]);
        at("SELECT count_and_ask('tenant $_', 'item new', 5, 3)") for 1 .. 20;
        cmp_ok(receipts($workers[2]), '>', $before, 'and signs');
    },
    'Remove a node' => sub {
        is(at("SELECT count(*) FROM pg_dist_node WHERE nodename = '$workers[1]{host}'"), '0', 'the node is gone');
        is($workers[1]->value('SELECT count(*) FILTER (WHERE NOT answer_verify_ok(body)) FROM answer.receipt'), '0', 'its receipts verify there');
        my $receipt = $workers[1]->value(q{SELECT body FROM answer.receipt WHERE schema = 'answer/v1' LIMIT 1});
        is($coordinator->value('SELECT answer_verify_ok(' . quoted($receipt) . '::jsonb)'), 't', 'and at the others');
        is($workers[1]->value(q{SELECT count(*) FROM answer_log_audit() WHERE finding <> 'forgotten'}), '0', 'its audit finds nothing');
        my $size = $workers[1]->value('SELECT max(tree_size) FROM answer.checkpoint');
        is(at(q{SELECT split_part(e.value #>> '{raw,checkpoint}', E'\n', 2) FROM (SELECT body FROM answer.receipt
            WHERE schema = 'answer/v1' ORDER BY issued_at DESC LIMIT 1) AS r, jsonb_each(r.body -> 'evidence_index') AS e}), $size, 'the coordinator has its last size');
        is(at(q{SELECT count(*) FROM stock}), at(q{SELECT count(DISTINCT (tenant, item)) FROM stock}), 'no fact is lost');
    },
);

# The blocks of doc/citus.md: sections in their order, each a list of blocks, each of those a list of statements.
my (@order, %blocks);
{
    my $text = slurp(root_dir() . '/doc/citus.md');
    for my $part (split /^## /m, $text) {
        my ($heading) = $part =~ /^(.*)/;
        my @of = $part =~ /^```sql\n(.*?)^```/msg;
        next unless @of;
        push @order, $heading;
        $blocks{$heading} = [@of];
    }
    for my $line ($text =~ /^```ini\n(.*?)^```/ms) {
        my $conf = slurp("$coordinator->{data}/postgresql.conf");
        my @missing = grep { index($conf, $_) < 0 } split /\n/, $line;
        is("@missing", '', 'the servers are configured as the document says');
    }
}
sub section { my ($heading) = @_; return [map { [statements($_)] } @{$blocks{$heading}}] }
is(join("\n", grep { !$blocks{$_} } keys %after), '', 'every section that is tested is there');
is(join("\n", grep { !$after{$_} } @order), '', 'every section with blocks is tested');

for my $heading (@order) {
    my $number = 0;
    for my $block (@{$blocks{$heading}}) {
        $number++;
        my @at = $block =~ /^-- on every node$/m ? ($coordinator, @workers) : $block =~ /^-- on worker(\d)$/m ? $workers[$1 - 1] : ();
        for my $node (@at ? @at : $coordinator) {
            for my $statement (statements($block)) {
                my $result = @at ? $node->run(here($statement)) : do { at('SELECT 1'); $session->run(here($statement)) };
                my ($bad) = $statement !~ /success/ ? () : $result->{out} =~ /^(.*\|f(?:\|.*)?)$/m;
                $bad = $result->{out} if $statement =~ /catch_up\(\);?\s*$/ && $statement !~ /CREATE/ && $result->{out} ne '';
                is("$result->{state} " . ($result->{state} eq '00000' ? '' : $result->{err}) . ($bad // ''), '00000 ',
                    "$heading: block $number at $node->{name}") or diag($statement);
            }
        }
    }
    # a failure in one section must not hide the others
    eval { $after{$heading}->() if $after{$heading}; 1 } or fail("$heading: $@");
}

#
# what is refused, and loopholes
#
# Older sessions have stored receipts without a kept plan, and notice the change.
my $asks = q{SELECT answer_eval('{"checks": [{"tool": "t", "observe": true}]}')};
my @sessions = map { $_->session(setup => [$asks]) } $coordinator, $workers[0];
at(q{SELECT create_reference_table('answer.unsealed')});
like(state_of('SELECT answer_log_seal()', $_), qr/^55000 .*table answer.unsealed is a table of Citus/s, "no sealing of a distributed queue at $_->{name}")
    for $coordinator, $workers[0];
for my $writer (@sessions) {
    like($writer->run($_)->{err}, qr/table answer.unsealed is a table of Citus/, 'no receipt is stored whose leaf another node would have') for $asks,
        q{SELECT answer_eval_each(ARRAY['{"checks": [{"tool": "t", "observe": true}]}'::jsonb])};
}
like(at('SELECT string_agg(a::text, $$ $$) FROM answer_log_audit() AS a'), qr/answer\.unsealed is not part of the extension/, 'which the audit finds');
my ($take_back) = slurp(root_dir() . '/doc/citus.md') =~ /^```\n(ALTER EXTENSION answer_eval DROP TABLE .*?)^```/ms or die 'doc/citus.md takes no table back';
at($_) for statements($take_back);
like(state_of('SELECT answer_log_seal()', $_), qr/^00000/, "it is taken back at $_->{name}") for $coordinator, $workers[0];
audits('any more');

# Tombstones in a Citus table, made by hand without its guards. This session has run the queries before.
$session->value("SELECT answer.refuse_forgotten('', 'sha256:" . '0' x 64 . "')");
for my $node ($coordinator, @workers[0, 2]) {
    my $tables = $node->session(setup => ['SET citus.enable_ddl_propagation = off']);
    $tables->value(q{DO $$ DECLARE p record; BEGIN
        FOR p IN SELECT polname FROM pg_policy WHERE polrelid = 'answer.tombstone'::regclass LOOP EXECUTE format('DROP POLICY %I ON answer.tombstone', p.polname); END LOOP;
        FOR p IN SELECT tgname FROM pg_trigger WHERE tgrelid = 'answer.tombstone'::regclass AND NOT tgisinternal LOOP
            EXECUTE format('DROP TRIGGER %I ON answer.tombstone', p.tgname); END LOOP; END $$});
    $tables->value('ALTER TABLE answer.tombstone DISABLE ROW LEVEL SECURITY');
    $tables->close;
}
my $other = 'sha256:' . 'cd' x 32;
for my $kind (q{create_distributed_table('answer.tombstone', 'tenant')}) {
    my $made = $coordinator->run("SELECT $kind");
    is("$made->{state}", '00000', "$kind") or diag($made->{err});
    is($session->run("SELECT answer.refuse_forgotten('', '$other')")->{state}, '00000', 'a session with plans goes on');
    is($coordinator->run("SELECT answer_tombstone_add('$other', 'x')")->{state}, '00000', 'a tombstone is stored in a table of Citus');
    for my $node ($coordinator, @workers[0, 2]) {
        is($node->run("SELECT answer.refuse_forgotten('', '$other')")->{state}, '23001', "and found at $node->{name}");
    }
    is($session->run("SELECT answer.refuse_forgotten('', '$other')")->{state}, '23001', 'also by plans of before');
}

# A first key in a two-phase commit: refused, and no file stays.
$_->value('CREATE DATABASE second') for $coordinator, $workers[0];
{
    my $fresh = $workers[0]->session(dbname => 'second', setup => ['CREATE EXTENSION answer_eval', 'BEGIN',
        q{SELECT answer_eval('{"checks": [{"tool": "t", "observe": true}]}')}]);
    my @with = glob("$workers[0]{data}/answer_eval_keys/*/*.pem");
    is($fresh->run(q{PREPARE TRANSACTION 'first'})->{state}, '0A000', 'a first key is not prepared');
    is(scalar(@with) - scalar(@{[glob("$workers[0]{data}/answer_eval_keys/*/*.pem")]}), 1, 'and its file is gone');
}

is($_->crashed, 0, "$_->{name} lost no process") for $coordinator, @workers;
done_testing();
