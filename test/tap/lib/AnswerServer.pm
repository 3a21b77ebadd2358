# Throw-away servers and psql sessions for the TAP programs, with core Perl only.
#
#     use AnswerServer;
#     my $server = AnswerServer->new('main', conf => ['wal_level = replica']);     # initdb and start
#     my $result = $server->run('SELECT 1');            # in a session of the pool: {out, err, state, seconds}
#     my $value = $server->value('SELECT 1');           # dies if the statement fails
#     $server->value('SELECT 1', fresh => 1);           # in a new session
#     my $session = $server->session;                   # a new one that stays open: ->run, ->value, ->send, ->wait
#     my $session = $server->borrow;                    # one of the pool, until $server->give_back($session)
#
# Random choices, by rand or by seed() for SQL's setseed, follow from ANSWER_EVAL_SEED (1). Every directory is made below
# TESTDATA_TMP; the programs are those of PG_BINDIR. Servers that are still running when the program ends are stopped.
package AnswerServer;

use strict;
use warnings;
use Cwd qw(abs_path);
use Exporter 'import';
use File::Basename qw(dirname);
use File::Path qw(make_path);
use File::Temp qw(tempdir);
use IO::Handle;
use Test::More;
use Time::HiRes qw(time sleep);

our @EXPORT = qw(root_dir slurp spew quoted nap seed by_tier is_tried guards_off guards_back);

my @servers;
my $copies = 0;
my $tmp;
my $seed = $ENV{ANSWER_EVAL_SEED} // 1;
die "ANSWER_EVAL_SEED=$seed is not a number of up to 9 digits\n" unless $seed =~ /^\d{1,9}$/;
srand($seed);
note("ANSWER_EVAL_SEED=$seed");
$ENV{PGUSER} = 'postgres';

sub root_dir { return abs_path(dirname(__FILE__) . '/../../..') }

# A statement that seeds random() of a session; n tells the sessions of a program apart.
sub seed { my ($n) = @_; return sprintf('SELECT setseed(%.4f)', ($seed * 7919 + ($n || 0) * 104729) % 10000 / 10000) }

# How much of something this tier has time for; arguments for check, test, long.
sub by_tier {
    my ($check, $test, $long) = @_;
    my $tier = $ENV{ANSWER_EVAL_TIER} // 'test';
    return $tier eq 'check' ? $check : $tier eq 'long' ? $long : $test;
}

# Does this tier make this one of many similar slow attempts? The long tier makes all, others one in six.
sub is_tried { return rand(by_tier(6, 6, 1)) < 1 }

# The guards of our tables always fire: whoever tampers disables them first, and a careful superuser restores them
# afterwards. Returns statements for one transaction, in which no other trigger is disabled.
sub guards { my ($from, $to) = @_; return qq{DO \$\$ DECLARE g record; BEGIN
    FOR g IN SELECT t.tgrelid::regclass AS place, t.tgname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
        WHERE c.relnamespace = 'answer'::regnamespace AND NOT t.tgisinternal AND t.tgenabled = '$from'
    LOOP EXECUTE format('ALTER TABLE %s $to TRIGGER %I', g.place, g.tgname); END LOOP; END \$\$} }
sub guards_off { return guards('A', 'DISABLE') }
sub guards_back { return guards('D', 'ENABLE ALWAYS') }

sub nap { my ($seconds) = @_; sleep($seconds); return }

sub slurp {
    my ($path) = @_;
    open(my $file, '<:raw', $path) or die "cannot read $path: $!";
    local $/ = undef;
    my $text = <$file>;
    close($file);
    return defined $text ? $text : '';
}

sub spew {
    my ($path, $text, $mode) = @_;
    open(my $file, '>:raw', $path) or die "cannot write $path: $!";
    print $file $text or die "cannot write $path: $!";
    close($file) or die "cannot write $path: $!";
    chmod($mode, $path) if defined $mode;
    return $path;
}

# A literal that means the same in every encoding and with every setting.
sub quoted {
    my ($text) = @_;
    $text =~ s/'/''/g;
    return $text =~ /\\/ ? ' E\'' . ($text =~ s/\\/\\\\/gr) . "'" : "'$text'";
}

sub bindir {
    return $ENV{PG_BINDIR} if $ENV{PG_BINDIR};
    my $pg_config = $ENV{PG_CONFIG} || 'pg_config';
    chomp(my $dir = `$pg_config --bindir`);
    return $dir;
}

sub tmp_dir {
    $tmp ||= $ENV{TESTDATA_TMP} || tempdir('answer_eval.XXXXXX', TMPDIR => 1, CLEANUP => 1);
    return $tmp;
}

# The path of one of PostgreSQL's programs.
sub program { my ($name) = @_; return bindir() . "/$name" }

# Runs a command. Returns its exit status and all its output.
sub command {
    my (@command) = @_;
    my $pid = open(my $pipe, '-|');
    die "fork: $!" unless defined $pid;
    if (!$pid) {
        open(STDERR, '>&', \*STDOUT);
        open(STDIN, '<', '/dev/null');
        exec(@command) or exit(127);
    }
    local $/ = undef;
    my $output = <$pipe>;
    close($pipe);
    return ($? >> 8, defined $output ? $output : '');
}

sub must {
    my (@command) = @_;
    my ($status, $output) = command(@command);
    die "@command: exit status $status\n$output" if $status;
    return $output;
}

# conf: lines of postgresql.conf; initdb: its options; from: a data directory that is there already; start: false
# to wait with the start; extended: the database postgres has the extension, created before conf was there; kept: how many
# sessions are kept for ->run, ->value and ->borrow (8); with 0, each has a new one.
sub new {
    my ($class, $name, %options) = @_;
    die "a server cannot run as root\n" if $> == 0;
    my $dir = tmp_dir() . "/$name";
    my $self = bless {name => $name, dir => $dir, data => "$dir/data", log => "$dir/server.log", host => $dir,
        dbname => 'postgres', kept => $options{kept} // 8, pool => []}, $class;
    make_path($dir, {mode => 0700});
    my $extend = $options{extended};
    if (!$options{from}) {
        # A copy is ten times faster than initdb. Each server of a program copies a different cluster while there are
        # some: copies have the same system identifier, and two servers of a program should be two systems.
        my $template = $ENV{ANSWER_EVAL_TEMPLATE} && !$options{initdb} && "$ENV{ANSWER_EVAL_TEMPLATE}.$copies";
        if ($template && -d $template) {
            if ($extend && -d "$template.extended") {
                $template .= '.extended';
                $extend = 0;
            }
            must('cp', '-a', $template, $self->{data});
            $copies++;
        }
        else {
            must(program('initdb'), '-D', $self->{data}, '-U', 'postgres', '--auth=trust', '--no-sync',
                @{$options{initdb} || ['-E', 'UTF8', '--locale=C']});
        }
    }
    $self->configure("listen_addresses = ''", "unix_socket_directories = '$dir'", 'port = 5432', 'fsync = off',
        'max_connections = 40', 'shared_buffers = 32MB', 'autovacuum = off', "log_line_prefix = '%m [%p] '",
        # as in test/run.sh
        by_tier(1, 1, 0) ? 'jit = off' : (),
        @{$options{conf} || []});
    push @servers, $self;
    $self->start unless exists $options{start} && !$options{start};
    $self->value('CREATE EXTENSION answer_eval') if $extend;
    return $self;
}

sub configure {
    my ($self, @lines) = @_;
    open(my $file, '>>', "$self->{data}/postgresql.conf") or die "postgresql.conf: $!";
    print $file "$_\n" for @lines;
    close($file);
    return;
}

sub start {
    my ($self) = @_;
    my ($status, $output) = command(program('pg_ctl'), '-D', $self->{data}, '-l', $self->{log}, '-w', '-t', '600',
        '-s', 'start');
    die "server $self->{name} does not start: $output\n" . slurp($self->{log}) if $status;
    $self->{running} = 1;
    return;
}

sub stop {
    my ($self, $mode) = @_;
    return unless $self->{running};
    $self->forget_sessions;
    command(program('pg_ctl'), '-D', $self->{data}, '-m', $mode || 'fast', '-w', '-t', '600', '-s', 'stop');
    $self->{running} = 0;
    return;
}

sub restart { my ($self, $mode) = @_; $self->stop($mode); $self->start; return }

sub postmaster_pid {
    my ($self) = @_;
    my ($pid) = slurp("$self->{data}/postmaster.pid") =~ /^(\d+)/;
    return $pid;
}

# A process's children, from /proc: ps is not on every machine.
sub children {
    my ($parent) = @_;
    my @children;
    for my $file (glob('/proc/[0-9]*/stat')) {
        open(my $handle, '<', $file) or next;    # the process has ended meanwhile
        my $stat = <$handle> // '';
        push @children, $1 if $stat =~ /^(\d+) .*\) \S (\d+) / && $2 == $parent;
    }
    return @children;
}

# A zombie has released everything; its new parent may take a second to reap it.
sub running {
    my ($pid) = @_;
    open(my $handle, '<', "/proc/$pid/stat") or return kill 0, $pid;
    return (<$handle> // '') =~ /^\d+ .*\) [^ZX] /;
}

# Acts as a power cut: the postmaster and all its children are gone at once.
sub kill9 {
    my ($self) = @_;
    $self->forget_sessions;
    my $postmaster = $self->postmaster_pid;
    kill 'STOP', $postmaster;
    my @children = children($postmaster);
    kill 'KILL', @children, $postmaster;
    for (1 .. 2400) {
        last unless grep { running($_) } $postmaster, @children;
        sleep(0.05);
    }
    # the number of a zombie is still in use
    unlink "$self->{data}/postmaster.pid", "$self->{host}/.s.PGSQL.5432.lock";
    $self->{running} = 0;
    return;
}

sub psql_command {
    my ($self, $dbname, $file) = @_;
    return (program('psql'), '-X', '-q', '-A', '-t', '-P', 'pager=off', '-h', $self->{host}, '-p', '5432', '-d',
        $dbname || $self->{dbname}, '-f', $file || '-');
}

sub session {
    my ($self, %options) = @_;
    return AnswerServer::Session->new($self, %options);
}

# A session for this database, user, options and encoding: from the pool, else a new one, which costs a hundred times what most
# statements do. The backend's memory of the library stays, as in an application's pool. A program that tests what a new
# session does asks for a new one.
sub borrow {
    my ($self, %options) = @_;
    my @setup = @{delete $options{setup} || []};
    my $key = join "\0", $options{dbname} // $self->{dbname}, map { $options{$_} // '' } qw(user options encoding);
    my $pool = $self->{pool};
    my $session;
    while (my ($last) = grep { $pool->[$_]{key} eq $key } reverse 0 .. $#$pool) {
        $session = splice @$pool, $last, 1;
        last if $session->run('DISCARD SEQUENCES')->{state} eq '00000';
        # somebody has ended it
        $session->close;
        undef $session;
    }
    $session ||= $self->session(%options);
    $session->{key} = $key;
    $session->value($_) for @setup;
    return $session;
}

# Ends what the session has begun, drops its locks, temporary tables and settings, and puts it into the pool. A full pool closes
# the session that it has had for longest.
sub give_back {
    my ($self, $session) = @_;
    my $pool = $self->{pool};
    for my $sql ($self->{kept} ? ('DISCARD ALL', "ROLLBACK;\nDISCARD ALL") : ()) {
        next if $session->{gone} || $session->run($sql)->{state} ne '00000';
        push @$pool, $session;
        (shift @$pool)->close while @$pool > $self->{kept};
        return;
    }
    $session->close;
    return;
}

# Statements that close the pool: only new sessions notice their effect, or they wait until a database has no sessions.
my $about_sessions = qr/\b(?:CREATE|ALTER|DROP)\s+(?:DATABASE|ROLE|USER|EXTENSION)\b|\bON\s+DATABASE\b|\bALTER\s+SYSTEM\b|\bpg_reload_conf\b/i;

sub forget_sessions {
    my ($self) = @_;
    $_->close for splice @{$self->{pool}};
    return;
}

# Runs one statement in a session of the pool. setup: as for ->session; fresh: a new session.
sub run {
    my ($self, $sql, %options) = @_;
    # psql's own commands change state that DISCARD ALL does not reset
    if (delete $options{fresh} || $sql =~ $about_sessions || $sql =~ /^\s*\\/m) {
        my $session = $self->session(%options);
        my $result = $session->run($sql);
        $session->close;
        return $result;
    }
    my $session = $self->borrow(%options);
    my $result = $session->run($sql);
    $self->give_back($session);
    return $result;
}

sub value {
    my ($self, $sql, %options) = @_;
    return AnswerServer::Session::value_of($self->run($sql, %options), $sql);
}

sub alive {
    my ($self) = @_;
    return $self->run('SELECT 1')->{out} eq '1';
}

# Whether the server lost a process, according to its log.
sub crashed {
    my ($self) = @_;
    return slurp($self->{log}) =~ /was terminated by signal|TRAP: |server process .* exited with exit code/ ? 1 : 0;
}

END {
    my $status = $?;
    $_->stop('immediate') for @servers;
    $? = $status;
}

package AnswerServer::Session;

use strict;
use warnings;
use IO::Select;
use IPC::Open3;
use POSIX ();
use Symbol qw(gensym);
use Time::HiRes qw(time);

my $count = 0;

# dbname, user; setup: statements that must succeed; encoding: of the client; options: PGOPTIONS.
sub new {
    my ($class, $server, %options) = @_;
    my $error_file = AnswerServer::tmp_dir() . '/psql.' . $$ . '.' . ++$count;
    my $self = bless {server => $server, error_file => $error_file, buffer => '', marks => 0,
        dbname => $options{dbname} || $server->{dbname}}, $class;
    local $ENV{PGOPTIONS} = $options{options} || '';
    local $ENV{PGCLIENTENCODING} = $options{encoding} || 'UTF8';
    local $ENV{PGUSER} = $options{user} || 'postgres';
    open(my $errors, '>', $error_file) or die "$error_file: $!";
    $self->{pid} = open3(my $in, my $out, '>&' . fileno($errors), $server->psql_command($options{dbname}));
    $self->{in} = $in;
    $self->{out} = $out;
    binmode($_) for $in, $out;
    $self->value($_) for @{$options{setup} || []};
    return $self;
}

# Sends a statement without waiting for it.
sub send {
    my ($self, $sql) = @_;
    $self->{server}->forget_sessions if $sql =~ $about_sessions;
    local $SIG{PIPE} = 'IGNORE';
    my $mark = ++$self->{marks};
    $self->{error_offset} = -s $self->{error_file} || 0;
    $self->{started} = time;
    $sql =~ s/[;\s]*\z//;
    print {$self->{in}} "$sql\n;\n\\echo :SQLSTATE mark-$mark-end\n";
    $self->{in}->flush;
    return;
}

# Waits for the statement sent last.
sub wait {
    my ($self, $timeout) = @_;
    my $end = time + ($timeout || 900);
    my $select = IO::Select->new($self->{out});
    my $mark = $self->{marks};
    while ($self->{buffer} !~ /^(\S*) mark-$mark-end\n/m) {
        my $left = $end - time;
        if ($left <= 0 || !$select->can_read($left)) {
            return $self->result('timeout', '');
        }
        my $n = sysread($self->{out}, my $chunk, 1 << 20);
        if (!$n) {
            waitpid($self->{pid}, 0);
            $self->{gone} = 1;
            return $self->result('gone', $self->{buffer});
        }
        $self->{buffer} .= $chunk;
    }
    $self->{buffer} =~ s/\A(.*?)^(\S*) mark-$mark-end\n//ms;
    my ($output, $state) = ($1, $2);
    $output =~ s/\n\z//;
    return $self->result($state, $output);
}

sub result {
    my ($self, $state, $output) = @_;
    my $errors = AnswerServer::slurp($self->{error_file});
    return {out => $output, state => $state, err => substr($errors, $self->{error_offset} || 0),
        seconds => time - $self->{started}};
}

sub run {
    my ($self, $sql, $timeout) = @_;
    $self->send($sql);
    return $self->wait($timeout);
}

sub value {
    my ($self, $sql) = @_;
    return value_of($self->run($sql), $sql);
}

sub value_of {
    my ($result, $sql) = @_;
    die "$result->{err}($result->{state}) in: " . substr($sql, 0, 500) . "\n" if $result->{state} ne '00000';
    return $result->{out};
}

# Waits until the server runs the statement sent last.
sub active {
    my ($self) = @_;
    my $pid = $self->{backend} or die 'the backend must be known before';
    for (1 .. 2400) {
        return 1 if $self->{server}->value("SELECT state FROM pg_stat_activity WHERE pid = $pid") eq 'active';
        AnswerServer::nap(0.05);
    }
    return 0;
}

# The CPU time of the backend.
sub cpu_seconds {
    my ($self) = @_;
    my @stat = split / /, AnswerServer::slurp('/proc/' . $self->backend . '/stat') =~ s/^.*\) //sr;
    return ($stat[11] + $stat[12]) / POSIX::sysconf(POSIX::_SC_CLK_TCK());
}

sub backend { my ($self) = @_; return $self->{backend} ||= $self->value('SELECT pg_backend_pid()') }

sub close {
    my ($self) = @_;
    return if $self->{closed}++;
    local $SIG{PIPE} = 'IGNORE';
    close($self->{in});
    close($self->{out});
    waitpid($self->{pid}, 0) unless $self->{gone};
    unlink $self->{error_file};
    return;
}

1;
