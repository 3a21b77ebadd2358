#!/usr/bin/env perl
# tiers: test long
# The form of the dashboard for Grafana, checked with a table of the parts of Grafana's schema that it uses, and also with
# Grafana's own types if ANSWER_EVAL_GRAFANA names a folder in which `npm install @grafana/schema typescript` was run.
# test/tap/dashboard_role.pl runs its queries.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use JSON::PP;
use Test::More;

my $json = JSON::PP->new->canonical->utf8->allow_nonref;
my $text = slurp(root_dir() . '/examples/grafana/dashboards/answer_eval.json');

#
# Forms: a hash stands for an object with these members ("?" after the name of one that may be absent), an array for an array with elements of this form, a pattern for a
# string; number, whole, boolean and null mean what they mean in JSON; a list in quotes allows any one of its words.
#
my $source = {type => qr/^grafana-postgresql-datasource$/, uid => qr/^answer_eval$/};
my $grid = {h => 'whole', w => 'whole', x => 'whole', y => 'whole'};
my $field = {
    defaults => {
        color => {mode => qr/^(?:palette-classic|thresholds|fixed)$/}, mappings => [{}], 'unit?' => qr/^[a-zA-Z0-9]+$/, 'min?' => 'number', 'max?' => 'number',
        'decimals?' => 'whole', thresholds => {mode => qr/^absolute$/, steps => [{color => qr/^[a-z-]+$/, value => 'number null'}]},
        'custom?' => {'drawStyle?' => qr/^(?:line|bars|points)$/, 'fillOpacity?' => 'whole', 'lineWidth?' => 'whole',
            'stacking?' => {group => qr/^[A-Z]$/, mode => qr/^(?:none|normal|percent)$/}},
    },
    overrides => [{}],
};
my $legend = {calcs => [qr/^[a-zA-Z]+$/], displayMode => qr/^(?:list|table|hidden)$/, placement => qr/^(?:bottom|right)$/, showLegend => 'boolean'};
my %options = (
    stat => {colorMode => qr/^(?:value|background|none)$/, graphMode => qr/^(?:none|area)$/, justifyMode => qr/^(?:auto|center)$/, orientation => qr/^(?:auto|horizontal|vertical)$/,
        reduceOptions => {calcs => [qr/^[a-zA-Z]+$/], fields => qr/^/, values => 'boolean'}, textMode => qr/^(?:auto|value|name|value_and_name|none)$/},
    table => {showHeader => 'boolean', cellHeight => qr/^(?:sm|md|lg|auto)$/},
    timeseries => {legend => $legend, tooltip => {mode => qr/^(?:single|multi|none)$/, sort => qr/^(?:asc|desc|none)$/}},
);
my %panel = (row => {id => 'whole', title => qr/./, type => qr/^row$/, collapsed => 'boolean', gridPos => $grid, panels => [{}]});
for my $type (keys %options) {
    $panel{$type} = {id => 'whole', title => qr/./, 'description?' => qr/^/, type => qr/^$type$/, datasource => $source, gridPos => $grid, fieldConfig => $field,
        options => $options{$type}, targets => [{refId => qr/^[A-Z]$/, datasource => $source, editorMode => qr/^code$/,
            format => $type eq 'timeseries' ? qr/^time_series$/ : qr/^table$/, rawQuery => 'boolean', rawSql => qr/^SELECT /}]};
}
my $dashboard = {
    uid => qr/^[a-zA-Z0-9_-]{1,40}$/, title => qr/./, description => qr/^/, tags => [qr/./], editable => 'boolean', graphTooltip => 'whole', links => [{}],
    annotations => {list => [{}]}, templating => {list => [{}]}, time => {from => qr/^now-/, to => qr/^now$/}, timepicker => {}, timezone => qr/^(?:browser|utc)$/,
    refresh => qr/^\d+[smh]$/, schemaVersion => 'whole', version => 'whole', weekStart => qr/^/, fiscalYearStartMonth => 'whole', liveNow => 'boolean',
    panels => [\%panel],
};

sub kind {
    my ($value) = @_;
    return 'object' if ref $value eq 'HASH';
    return 'array' if ref $value eq 'ARRAY';
    return 'boolean' if JSON::PP::is_bool($value);
    my $written = $json->encode($value);
    return $written eq 'null' ? 'null' : $written =~ /^"/ ? 'string' : $written =~ /^-?\d+$/ ? 'whole' : 'number';
}

# What is wrong with a value, as a list of sentences.
sub wrong {
    my ($value, $form, $at) = @_;
    my $kind = kind($value);
    if (ref $form eq 'HASH' && $form == \%panel) {
        my $type = $kind eq 'object' ? $value->{type} // 'none' : 'none';
        return $panel{$type} ? wrong($value, $panel{$type}, $at) : "$at is a panel of type $type";
    }
    if (ref $form eq 'HASH') {
        return "$at is no object" if $kind ne 'object';
        my %known = map { my $name = s/\?$//r; $name => [$form->{$_}, /\?$/ ? 1 : 0] } keys %$form;
        return ((map { "$at lacks $_" } grep { !$known{$_}[1] && !exists $value->{$_} } sort keys %known),
            (map { "$at has $_" } grep { !$known{$_} } sort keys %$value),
            (map { wrong($value->{$_}, $known{$_}[0], "$at.$_") } grep { $known{$_} } sort keys %$value));
    }
    if (ref $form eq 'ARRAY') {
        return "$at is no array" if $kind ne 'array';
        return map { wrong($value->[$_], $form->[0], $at . "[$_]") } 0 .. $#$value;
    }
    return $kind eq 'string' && $value =~ $form ? () : "$at is $kind " . $json->encode($value) if ref $form eq 'Regexp';
    my %kinds = map { $_ => 1 } split / /, $form;
    return $kinds{$kind} || $kind eq 'whole' && $kinds{number} ? () : "$at is $kind";
}

# The same, and rules that no form can state: ids, places and thresholds.
sub all_wrong {
    my ($board) = @_;
    my @found = wrong($board, $dashboard, 'dashboard');
    return @found if @found;
    my (%ids, @taken);
    for my $panel (@{ $board->{panels} }) {
        my ($at, $name) = ($panel->{gridPos}, $panel->{title});
        push @found, "two panels have the id $panel->{id}" if $ids{ $panel->{id} }++;
        push @found, "$name is outside of the grid" if $at->{x} < 0 || $at->{y} < 0 || $at->{w} < 1 || $at->{h} < 1 || $at->{x} + $at->{w} > 24;
        push @found, map { "$name lies over $_->[1]" } grep { my $o = $_->[0]; $at->{x} < $o->{x} + $o->{w} && $o->{x} < $at->{x} + $at->{w}
            && $at->{y} < $o->{y} + $o->{h} && $o->{y} < $at->{y} + $at->{h} } @taken;
        push @taken, [$at, $name];
        my %refs;
        push @found, map { "$name has two queries $_->{refId}" } grep { $refs{ $_->{refId} }++ } @{ $panel->{targets} || [] };
        push @found, "$name asks nothing" if $panel->{type} ne 'row' && !@{ $panel->{targets} };
        my @steps = $panel->{fieldConfig} ? map { $_->{value} } @{ $panel->{fieldConfig}{defaults}{thresholds}{steps} } : undef;
        push @found, "the first threshold of $name has a value" if defined shift @steps;
        push @found, "thresholds of $name are not in order" if grep { !defined $steps[$_] || $_ && $steps[$_] <= $steps[$_ - 1] } 0 .. $#steps;
    }
    return @found;
}
is(join("\n", all_wrong($json->decode($text))), '', 'the dashboard has the form that Grafana wants');

# A copy of the first panel of a type.
sub first { my ($board, $type) = @_; return (grep { $_->{type} eq $type } @{ $board->{panels} })[0] }
my %changes = (
    'a member that is misspelt' => sub { my $p = first($_[0], 'stat'); $p->{gridpos} = delete $p->{gridPos} },
    'an id as text' => sub { first($_[0], 'stat')->{id} = '2' },
    'an id twice' => sub { $_[0]{panels}[1]{id} = $_[0]{panels}[2]{id} + 0 },
    'one panel over another' => sub { first($_[0], 'table')->{gridPos}{y} -= 1 },
    'a panel that is too wide' => sub { first($_[0], 'row')->{gridPos}{w} = 25 },
    'a type that Grafana has no more' => sub { first($_[0], 'timeseries')->{type} = 'graph' },
    'another data source' => sub { first($_[0], 'table')->{targets}[0]{datasource}{type} = 'postgres' },
    'a series asked as a table' => sub { first($_[0], 'timeseries')->{targets}[0]{format} = 'table' },
    'a query as an object' => sub { first($_[0], 'table')->{targets}[0]{rawSql} = {} },
    'no query' => sub { first($_[0], 'table')->{targets} = [] },
    'a mode that there is not' => sub { first($_[0], 'timeseries')->{options}{legend}{displayMode} = 'lists' },
    'thresholds out of order' => sub { push @{ first($_[0], 'stat')->{fieldConfig}{defaults}{thresholds}{steps} }, {color => 'red', value => 1e9}, {color => 'red', value => 0} },
    'panels as an object' => sub { $_[0]{panels} = {} },
);
for my $what (sort keys %changes) {
    my $board = $json->decode($text);
    $changes{$what}->($board);
    ok(scalar(all_wrong($board)), "$what is found");
}

#
# the files that provision it
#
my $provider = slurp(root_dir() . '/examples/grafana/provisioning/dashboards/answer_eval.yaml');
like($provider, qr/^apiVersion: 1\nproviders:\n  - name: \w+\n    type: file\n/m, 'the provider of dashboards');
like($provider, qr/path: \/var\/lib\/grafana\/dashboards\/answer_eval$/m, 'and the folder that the manual names');
like(slurp(root_dir() . '/examples/grafana/provisioning/datasources/answer_eval.yaml'),
    qr/^apiVersion: 1\ndatasources:\n  - name: \w+\n    uid: answer_eval\n    type: grafana-postgresql-datasource\n/m, 'and the data source that its queries ask');

#
# Grafana's own types
#
SKIP: {
    my $folder = $ENV{ANSWER_EVAL_GRAFANA} or skip 'ANSWER_EVAL_GRAFANA names no folder with the npm packages @grafana/schema and typescript', 1;
    my ($node) = grep { -x } map { "$_/node" } split /:/, $ENV{PATH};
    my $compiler = "$folder/node_modules/typescript/bin/tsc";
    die "there is no node\n" if !$node;
    die "ANSWER_EVAL_GRAFANA: there is no $_\n" for grep { !-e } $compiler, "$folder/node_modules/\@grafana/schema/package.json";
    my $dir = AnswerServer::tmp_dir();
    symlink "$folder/node_modules", "$dir/node_modules" or die "no link: $!";
    # Values of an enumeration are written with their JSON type. For missing options the panel has its own defaults.
    my $head = <<'TS';
import type { Dashboard, Panel, RowPanel } from '@grafana/schema';
import type { Options as stat } from '@grafana/schema/dist/esm/raw/composable/stat/panelcfg/x/StatPanelCfg_types.gen';
import type { Options as table } from '@grafana/schema/dist/esm/raw/composable/table/panelcfg/x/TablePanelCfg_types.gen';
import type { Options as timeseries, FieldConfig as custom } from '@grafana/schema/dist/esm/raw/composable/timeseries/panelcfg/x/TimeSeriesPanelCfg_types.gen';
type Plain<T> = unknown extends T ? T : T extends string ? `${T}` : T extends (infer U)[] ? Plain<U>[] : T extends object ? { [K in keyof T]: Plain<T[K]> } : T;
TS
    my $types = sub {
        my ($board) = @_;
        my $code = $head;
        my $n = 0;
        for my $panel (@{ $board->{panels} }) {
            my %rest = %$panel;
            if ($panel->{type} ne 'row') {
                $code .= sprintf("export const options%d: Partial<Plain<%s>> = %s;\n", $n, $panel->{type}, $json->encode(delete $rest{options}));
                $code .= sprintf("export const custom%d: Plain<custom> = %s;\n", $n, $json->encode($panel->{fieldConfig}{defaults}{custom}))
                    if $panel->{fieldConfig}{defaults}{custom};
            }
            $code .= sprintf("export const panel%d: Plain<%s> = %s;\n", $n++, $panel->{type} eq 'row' ? 'RowPanel' : 'Panel', $json->encode(\%rest));
        }
        $code .= sprintf("export const dashboard: Plain<Omit<Dashboard, 'panels'>> = %s;\n",
            $json->encode({map { $_ => $board->{$_} } grep { $_ ne 'panels' } keys %$board}));
        spew("$dir/dashboard.ts", $code);
        my (undef, $said) = AnswerServer::command($node, $compiler, qw(--noEmit --strict --skipLibCheck --target es2022 --module esnext --moduleResolution bundler), "$dir/dashboard.ts");
        return $said;
    };
    is($types->($json->decode($text)), '', 'it is of the types of Grafana');
    for my $what ('a member that is misspelt', 'an id as text', 'a mode that there is not') {
        my $board = $json->decode($text);
        $changes{$what}->($board);
        like($types->($board), qr/error TS2/, "which find $what");
    }
}
done_testing();
