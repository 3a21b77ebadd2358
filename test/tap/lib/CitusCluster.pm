# A Citus cluster for the TAP programs and the benchmark: a coordinator and workers, each a server of AnswerServer, that
# are connected only by their sockets.
#
#     use CitusCluster;
#     my $why = CitusCluster->unavailable;                       # why there is none, or nothing
#     my $cluster = CitusCluster->new(workers => 2, conf => []);  # servers; the database app is not made yet
#     $cluster->{coordinator}->value('SELECT 1', dbname => 'app');
#
# ANSWER_EVAL_CITUS_BUILT is a folder with an installed Citus, printed by test/lib/citus.sh; ANSWER_EVAL_CITUS_WHY
# says why there is none. The programs of PostgreSQL are copied with it, so that no other server sees it.
package CitusCluster;

use strict;
use warnings;
use AnswerServer;
use File::Basename qw(basename dirname);
use File::Find;
use File::Path qw(make_path);

sub unavailable {
    return if $ENV{ANSWER_EVAL_CITUS_BUILT} && -d $ENV{ANSWER_EVAL_CITUS_BUILT};
    return $ENV{ANSWER_EVAL_CITUS_WHY} || 'ANSWER_EVAL_CITUS_BUILT names no folder with an installed Citus';
}

# A copy of the programs that PG_BINDIR names, links where they are large, with Citus in it; PG_BINDIR is its bin from now on.
sub install {
    my $pg_config = $ENV{PG_CONFIG} || 'pg_config';
    my %dir;
    for my $name (qw(bindir pkglibdir sharedir)) { chomp($dir{$name} = `$pg_config --$name`) }
    my $bin = AnswerServer::bindir();
    my $from = $bin =~ /^(.*)\Q$dir{bindir}\E$/ ? $1 : '';
    my $to = AnswerServer::tmp_dir() . '/citus';
    for my $name (qw(pkglibdir sharedir)) {
        make_path("$to$dir{$name}");
        AnswerServer::must('cp', '-rs', "$from$dir{$name}/.", "$to$dir{$name}");
    }
    make_path("$to$dir{bindir}");
    AnswerServer::must('cp', '-rL', "$bin/.", "$to$dir{bindir}");
    find({no_chdir => 1, wanted => sub {
        my $name = basename($_);
        my $place = $name =~ /^citus.*\.so$/ ? $dir{pkglibdir}
            : $name =~ /^citus.*\.(?:control|sql)$/ ? "$dir{sharedir}/extension" : undef;
        # decoders have the names of the server's own
        $place = "$dir{pkglibdir}/citus_decoders" if m{/citus_decoders/[^/]*\.so$};
        return unless $place;
        make_path("$to$place");
        AnswerServer::must('cp', $_, "$to$place/$name");
    }}, $ENV{ANSWER_EVAL_CITUS_BUILT});
    $ENV{PG_BINDIR} = "$to$dir{bindir}";
    return;
}

# workers: how many (2); conf: lines of postgresql.conf for all of them.
sub new {
    my ($class, %options) = @_;
    my $self = bless {}, $class;
    install() unless AnswerServer::bindir() =~ m{/citus/};
    my @names = ('coordinator', map { "worker$_" } 1 .. ($options{workers} // 2));
    $self->{nodes} = [map { $self->server($_, %options) } @names];
    $self->{coordinator} = $self->{nodes}[0];
    $self->{workers} = [@{$self->{nodes}}[1 .. $#names]];
    return $self;
}

# Adds a server.
sub server {
    my ($self, $name, %options) = @_;
    # a session in the pool would keep connections to other nodes
    my $server = AnswerServer->new($name, start => 0, kept => 0, conf => [q{shared_preload_libraries = 'citus'}, 'wal_level = logical',
        'max_prepared_transactions = 100', 'max_connections = 100', 'max_worker_processes = 32', 'citus.shard_count = 4',
        'citus.enable_statistics_collection = off', q{citus.node_conninfo = 'sslmode=prefer'}, @{$options{conf} || []}]);
    # how a node reaches itself
    $server->configure("citus.local_hostname = '$server->{host}'");
    $server->start;
    return $server;
}

1;
