#!/usr/bin/env perl
# tiers: long
# What is published: the archive that `make dist` makes from the commit, META.json by PGXN's meta spec 1.0.0, the sources of the
# Debian packages, and the examples for CI, whose gate is tried.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use JSON::PP;
use Test::More;

my $root = root_dir();
my ($version) = slurp("$root/answer_eval.control") =~ /^default_version = '([^']+)'/m;
my $semver = qr/^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-[0-9A-Za-z-]+)?$/;

#
# META.json: for each rule a name and a change that breaks it
#
sub problems {
    my ($meta) = @_;
    my @problems;
    my $say = sub { push @problems, join(' ', @_); return };
    my $string = sub { my ($where, $value) = @_; $say->("$where is no string") if !defined $value || ref $value || $value eq ''; return };
    my $term = sub {
        my ($where, $value) = @_;
        $say->("$where is no term") if !defined $value || ref $value || length $value < 2 || $value =~ m{[\s/\\\x00-\x1f\x7f]};
        return;
    };
    my $is_version = sub { my ($where, $value) = @_; $say->("$where is no semantic version") if !defined $value || ref $value || $value !~ $semver; return };
    my %known = map { $_ => 1 } qw(name version abstract maintainer license provides meta-spec description generated_by tags no_index prereqs
        release_status resources);
    return ('it is no object') unless ref $meta eq 'HASH';
    $say->("unknown key $_") for grep { !$known{$_} && !/^x_./i } sort keys %$meta;
    for my $key (qw(name version abstract maintainer license provides meta-spec)) { $say->("$key is missing") unless exists $meta->{$key} }
    $term->('name', $meta->{name});
    $is_version->('version', $meta->{version});
    $string->($_, $meta->{$_}) for grep { exists $meta->{$_} } qw(abstract description generated_by);
    $string->('maintainer', $_) for ref $meta->{maintainer} eq 'ARRAY' ? @{$meta->{maintainer}} : $meta->{maintainer};
    my %licence = map { $_ => 1 } qw(agpl_3 apache_1_1 apache_2_0 artistic_1 artistic_2 bsd freebsd gfdl_1_2 gfdl_1_3 gpl_1 gpl_2 gpl_3 lgpl_2_1
        lgpl_3_0 mit mozilla_1_0 mozilla_1_1 openssl perl_5 postgresql qpl_1_0 ssleay sun zlib open_source restricted unrestricted unknown);
    if (ref $meta->{license} eq 'HASH') { $string->("license $_", $meta->{license}{$_}) for keys %{$meta->{license}} }
    else { $say->("unknown licence $_") for grep { !$licence{$_} } ref $meta->{license} eq 'ARRAY' ? @{$meta->{license}} : $meta->{license} // '' }
    $say->('release_status') if exists $meta->{release_status} && $meta->{release_status} !~ /^(?:stable|testing|unstable)$/;
    $say->('provides nothing') unless ref $meta->{provides} eq 'HASH' && %{$meta->{provides}};
    for my $name (ref $meta->{provides} eq 'HASH' ? sort keys %{$meta->{provides}} : ()) {
        my $given = $meta->{provides}{$name};
        $term->("provides $name", $name);
        if (ref $given ne 'HASH') { $say->("provides $name is no object"); next }
        $is_version->("version of $name", $given->{version});
        $string->("file of $name", $given->{file});
        $string->("$_ of $name", $given->{$_}) for grep { exists $given->{$_} } qw(abstract docfile);
        $say->("unknown key $_ of $name") for grep { !/^(?:file|version|abstract|docfile)$/ && !/^x_./i } keys %$given;
    }
    $say->('meta-spec') unless ref $meta->{'meta-spec'} eq 'HASH' && ($meta->{'meta-spec'}{version} // '') eq '1.0.0'
        && ($meta->{'meta-spec'}{url} // 'https://pgxn.org/meta/spec.txt') =~ m{^https?://pgxn\.org/meta/spec\.txt$};
    for my $phase (sort keys %{$meta->{prereqs} || {}}) {
        if ($phase !~ /^(?:configure|build|test|runtime|develop)$/) { $say->("phase $phase"); next }
        for my $relation (sort keys %{$meta->{prereqs}{$phase}}) {
            $say->("relation $relation") unless $relation =~ /^(?:requires|recommends|suggests|conflicts)$/;
            while (my ($name, $range) = each %{$meta->{prereqs}{$phase}{$relation}}) {
                $term->('prerequisite', $name);
                for my $part (split /\s*,\s*/, $range) {
                    $say->("range $range of $name") unless $part eq '0' || ($part =~ s/^(?:<=?|>=?|==|!=)\s*//r) =~ $semver;
                }
            }
        }
    }
    if (exists $meta->{resources}) {
        my %kind = map { $_ => 1 } qw(homepage bugtracker repository);
        my %given = ref $meta->{resources} eq 'HASH' ? %{$meta->{resources}} : ();
        $say->('resources') unless %given;
        for my $key (sort keys %given) {
            next if $key =~ /^x_./i;
            my @url = $key eq 'homepage' ? $given{$key} : ref $given{$key} eq 'HASH' ? grep { defined } @{$given{$key}}{qw(url web)} : ();
            $say->("resource $key") unless $kind{$key} && (@url || $key eq 'bugtracker' && $given{$key}{mailto});
            $say->("URL of $key") if grep { !m{^[a-z][a-z0-9+.-]*://[^\s/]+} } @url;
        }
    }
    if (exists $meta->{tags}) {
        $say->('tags') unless ref $meta->{tags} eq 'ARRAY' && @{$meta->{tags}};
        $say->("tag $_") for grep { ref || length > 256 || $_ eq '' || m{[/\\\x00-\x1f\x7f]} } ref $meta->{tags} eq 'ARRAY' ? @{$meta->{tags}} : ();
    }
    if (exists $meta->{no_index}) {
        for my $key (sort keys %{$meta->{no_index}}) {
            $say->("no_index $key") unless $key =~ /^(?:file|directory)$/ && ref $meta->{no_index}{$key} eq 'ARRAY';
        }
    }
    return @problems;
}

my $meta = decode_json(slurp("$root/META.json"));
is(join('; ', problems($meta)), '', 'META.json keeps to the spec');
is($meta->{version}, $version, 'with the version of the control file');
is($meta->{provides}{answer_eval}{version}, $version, 'of the extension, too');
is(join(' ', grep { !-f "$root/$_" } map { @{$_}{qw(file docfile)} } values %{$meta->{provides}}), '', 'the files that it names are in the sources');
is(join(' ', grep { !-d "$root/$_" } @{$meta->{no_index}{directory}}), '', 'and the folders');
# the rules notice these changes
for my $case (['name', sub { $_[0]{name} = 'a/b' }], ['version', sub { $_[0]{version} = '1.0' }], ['license', sub { $_[0]{license} = 'mine' }],
    ['provides', sub { $_[0]{provides} = {} }], ['no abstract', sub { delete $_[0]{abstract} }], ['a strange key', sub { $_[0]{colour} = 1 }],
    ['a range', sub { $_[0]{prereqs}{runtime}{requires}{PostgreSQL} = '15' }], ['a tag', sub { $_[0]{tags} = ['a/b'] }],
    ['a resource', sub { $_[0]{resources}{repository} = {url => 'somewhere'} }], ['the spec', sub { $_[0]{'meta-spec'}{version} = '2.0.0' }]) {
    my ($what, $change) = @$case;
    my $changed = decode_json(slurp("$root/META.json"));
    $change->($changed);
    cmp_ok(scalar(problems($changed)), '>', 0, "they notice $what");
}

#
# the Debian packages: test/packages.sh builds them; this checks that their description is of this version and up to date
#
my ($packaged) = slurp("$root/debian/changelog") =~ /\Aanswer-eval \(([^)]+)-\d+\) /;
is($packaged, $version, 'debian/changelog begins with this version');
is(slurp("$root/debian/pgversions"), "15+\n", 'packages are for 15 and what comes after');
my @template = split /\n\n/, slurp("$root/debian/control.in") =~ s/\n+\z//r;
my $control = join("\n\n", map { my $part = $_; $part =~ /^Package: .*PGVERSION/m ? map { $part =~ s/PGVERSION/$_/gr } 15 .. 18 : $part } @template);
is(slurp("$root/debian/control"), "$control\n", 'debian/control is what debian/control.in says of 15 to 18');
is(slurp("$root/debian/tests/control"), slurp("$root/debian/tests/control.in") =~ s/PGVERSION/18/gr, 'and so are the tests');
ok(-x "$root/$_", "$_ can be run") for qw(debian/rules debian/tests/receipt debian/tests/installcheck docker/entrypoint.sh);
my ($licence) = slurp("$root/LICENSE") =~ /^(Permission .*)\z/ms;
my ($copied) = slurp("$root/debian/copyright") =~ /^License: PostgreSQL\n (Permission .*)\z/ms;
is($copied =~ s/^ //mgr =~ s/^\.$//mgr, $licence, 'debian/copyright has the licence');

#
# the manual, as make install leaves it: each link of a page leads to a file that is installed, too
#
my $stage = AnswerServer::tmp_dir() . '/stage';
delete @ENV{qw(MAKEFLAGS MAKELEVEL MFLAGS)};
my @make = ('make', '-s', '-C', $root, 'PG_CONFIG=' . ($ENV{PG_CONFIG} || 'pg_config'), 'with_llvm=no', "DESTDIR=$stage");
AnswerServer::must(@make, 'install-manual');
my @installed = split /\n/, AnswerServer::must('find', $stage, '-type', 'f');
my ($manual) = map { m{^(.*/extension/answer_eval)/doc/answer_eval\.md\z} } @installed;
ok(defined $manual, 'it is in a folder of its own') or BAIL_OUT('no manual');
is(join(' ', grep { !m{^\Q$manual\E/} } @installed), '', 'and nothing of it elsewhere');
my ($links, @dead) = (0);
for my $page (grep { /\.md\z/ } @installed) {
    my $text = slurp($page) =~ s/^```.*?^```$//gmsr =~ s/`[^`\n]*`//gr;
    for my $link (grep { !m{^[a-z]+:} } $text =~ /\]\(([^)#\s]+)/g) {
        $links++;
        push @dead, ($page =~ s{^\Q$manual\E/}{}r) . " -> $link" unless -e ($page =~ s{[^/]+\z}{}r) . $link;
    }
}
cmp_ok($links, '>', 300, 'its pages have links');
is(join(', ', @dead), '', 'none of them leads nowhere');
my $bin = AnswerServer::must($ENV{PG_CONFIG} || 'pg_config', '--bindir') =~ s/\s+\z//r;
AnswerServer::must('mkdir', '-p', "$stage$bin");
spew("$stage$bin/$_", '') for 'answer-verify', 'answer-graph-load';
AnswerServer::must(@make, 'uninstall');
is(AnswerServer::must('find', $stage, '-type', 'f'), '', 'make uninstall takes all of it away, and the programs');
like(AnswerServer::must(@make, '-n', 'install'), qr{/extension/answer_eval\b}, 'make install brings the manual');
unlike(AnswerServer::must(@make, '-n', 'MANUAL=', 'install'), qr{/extension/answer_eval\b}, 'not where a package has it elsewhere');

#
# make dist
#
my $repo = AnswerServer::tmp_dir() . '/repo';
AnswerServer::must('cp', '-r', $root, $repo);
AnswerServer::must('find', $repo, '-name', '*.o', '-delete');
AnswerServer::must('sh', '-c', "cd $repo && rm -rf .git answer_eval.so sql/answer_eval--*.sql && find . -name '*.bc' -delete");
$ENV{HOME} = AnswerServer::tmp_dir();
my @git = ('git', '-C', $repo, '-c', 'user.name=t', '-c', 'user.email=t@example.org', '-c', 'core.autocrlf=false');
AnswerServer::must(@git, @$_) for ['init', '-q'], ['add', '-A'], ['commit', '-q', '-m', 'all'];
spew("$repo/sql/not_committed.sql", "SELECT 1;\n");
my ($status, $output) = AnswerServer::command('make', '-C', $repo, 'dist');
isnt($status, 0, 'what is not committed stops make dist');
like($output, qr/commit first/, 'and it says so');
unlink "$repo/sql/not_committed.sql";
AnswerServer::must('make', '-s', '-C', $repo, 'dist');
my $zip = "$repo/answer_eval-$version.zip";
ok(-s $zip, "make dist makes answer_eval-$version.zip");
my $out = AnswerServer::tmp_dir() . '/out';
AnswerServer::must('python3', '-m', 'zipfile', '-e', $zip, $out);
my $top = "$out/answer_eval-$version";
is(join(' ', map { s{.*/}{}r } glob("$out/*")), "answer_eval-$version", 'all of it lies in one folder of that name');
my @files = split /\n/, AnswerServer::must('sh', '-c', "cd $top && find . -type f | sort");
is(join(' ', grep { m{/\.(?!dockerignore$)|\.(?:o|so|bc|pyc)$|--.*\.sql$} } @files), '', 'nothing of the workshop is in it');
for my $needed (qw(META.json README.md LICENSE CHANGELOG.md Makefile answer_eval.control doc/answer_eval.md doc/replication.md examples/ci/gate.sql
    tools/answer-verify tools/verify/join.sh test/run.sh
    debian/rules Dockerfile docker/entrypoint.sh)) {
    ok(-f "$top/$needed", "$needed is in it");
}
is(join(' ', grep { !-f "$top/$_" } map { s{^\Q$root/\E}{}r } glob("$root/doc/*.md $root/src/*/*.c $root/sql/*/*.sql $root/test/sql/*.sql")), '',
    'and every chapter, source and test');
# its install script is that of these sources
AnswerServer::must('make', '-s', '-C', $_, "sql/answer_eval--$version.sql") for $repo, $top;
ok(slurp("$top/sql/answer_eval--$version.sql") eq slurp("$repo/sql/answer_eval--$version.sql"), 'from it comes the same install script');

# and so is its verifier, which runs by itself
AnswerServer::must(@make, '-C', $_, 'tools/verify/answer-verify') for $repo, $top;
my $verifier = slurp("$top/tools/verify/answer-verify");
ok($verifier eq slurp("$repo/tools/verify/answer-verify"), '... and the same verifier');
spew("$out/answer-verify", $verifier, oct 755);
like(AnswerServer::must("$out/answer-verify", '--help'), qr/^usage: answer-verify/, 'which runs by itself');

# PGXN's client unpacks with Python, which makes no links
ok(!-l "$top/test/expected" && !-d _, 'where a link was, a file is');
AnswerServer::must('make', '-s', '-C', $top, 'test/expected/.');
is(join(' ', grep { !-f "$top/test/expected/$_" } map { s{.*/(.*)\.sql}{$1.out}r } glob("$root/test/sql/*.sql")), '', 'installcheck finds what it expects all the same');

#
# the files that Docker copies: an object that was built for another server must not get into the image
#
# its patterns: a * goes up to the next slash, **/ stands for any folders
my $part = sub { return $_[0] eq '**/' ? '(?:.*/)?' : $_[0] eq '*' ? '[^/]*' : quotemeta $_[0] };
my @ignored = map { s{(\*\*/|\*|[^*]+)}{$part->($1)}ger } grep { !/^#/ } split /\n/, slurp("$top/.dockerignore");
my $copied_by_docker = sub { my ($file) = @_; return !grep { $file =~ m{^$_(?:/|$)} } @ignored };
is(join(' ', grep { $copied_by_docker->($_) } qw(.git/config answer_eval.so src/module.o src/base/option.o src/base/option.bc sql/answer_eval--0.2.0.sql tools/verify/answer-verify)), '',
    'nothing that is built is copied into the image');
is(join(' ', grep { !$copied_by_docker->($_) } map { s{^\./}{}r } @files), '', 'and all that is in the archive is');

#
# the examples for CI
#
my $server = AnswerServer->new('gate', extended => 1);
sub gate {
    my ($commit, $passed, $failed) = @_;
    local $ENV{PGHOST} = $server->{host};
    local $ENV{PGPORT} = 5432;
    return AnswerServer::command(AnswerServer::program('psql'), '-X', '-v', 'ON_ERROR_STOP=1', '-v', "commit=$commit", '-v', "passed=$passed",
        '-v', "failed=$failed", '-d', 'postgres', '-f', "$root/examples/ci/gate.sql");
}
my ($open, $said) = gate('c1', 12, 0);
is($open, 0, 'the gate is open for a commit whose tests passed') or diag($said);
like($said, qr/^ans_[0-9a-f]+ Supported /m, 'and shows the receipt');
my ($closed, $why) = gate('c2', 11, 1);
is($closed, 3, 'it is closed for one of which a test failed');
like($why, qr/the gate is closed/, 'and says so');
is((gate("x'; DROP TABLE y; --", 0, 0))[0], 3, 'and for one without tests, whatever its name is');
is((gate('c4', '', ''))[0], 3, 'and where nobody counted');
is((gate('c1', 12, 0))[0], 0, 'the same commit again');
is($server->value(q{SELECT count(*) || ' ' || count(*) FILTER (WHERE answer_verify_ok(body)) FROM answer.receipt WHERE schema = 'answer/v1'}), '4 4',
    'each of them left a receipt');
for my $file (qw(github-actions.yml gitlab-ci.yml)) {
    my $text = slurp("$root/examples/ci/$file");
    like($text, qr{psql -X -v ON_ERROR_STOP=1 -v commit=\S+ -v passed="\$passed" -v failed="\$failed" -f answer_eval/examples/ci/gate\.sql}, "$file runs the gate");
    my ($packages) = $text =~ /apt-get -q -y install --no-install-recommends (.+)/;
    like($packages, qr/\b\Q$_\E\b/, "$file installs $_") for qw(build-essential libssl-dev postgresql postgresql-server-dev-all python3 openssl);
    unlike($text, qr/\t/, "$file has no tabs, which YAML does not take");
}
done_testing();
