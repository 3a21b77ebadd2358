#!/usr/bin/env perl
# tiers: check test
# answer_packet_html() in a real browser: a packet full of hostile names is shown as text, nothing in it runs, and nothing
# is fetched. Pages that are broken on purpose show that the browser would run and fetch.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Encode qw(decode_utf8 encode_utf8);
use IO::Socket::INET;
use JSON::PP;
use POSIX ();
use Test::More;

binmode($_, ":encoding(UTF-8)") for Test::More->builder->output, Test::More->builder->failure_output;
my ($browser) = grep { defined } map { my $name = $_; grep { -x } map { "$_/$name" } split /:/, $ENV{PATH} }
    qw(chromium-headless-shell chromium chromium-browser google-chrome);
plan skip_all => 'there is no chromium; Debian has it as chromium-headless-shell' unless $browser;

my $dir = AnswerServer::tmp_dir();
my $json = JSON::PP->new->canonical;

# Only a page can cause requests here. A child answers them, because a browser waits for what it fetches, and writes a byte
# for each.
my $listener = IO::Socket::INET->new(Listen => 50, LocalAddr => '127.0.0.1') or die "no socket: $!";
my $address = 'http://127.0.0.1:' . $listener->sockport;
my $visits = spew("$dir/visits", '');
defined(my $child = fork) or die "no process: $!";
if (!$child) {
    while (my $client = $listener->accept) {
        open(my $file, '>>', $visits) or POSIX::_exit(1);
        syswrite($file, '.');
        syswrite($client, "HTTP/1.0 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    }
    POSIX::_exit(0);
}
END { kill('TERM', $child) if $child }

# Returns how many requests have come since the last call.
my $seen = 0;
sub visitors { my $new = length(slurp($visits)) - $seen; $seen += $new; return $new }

# Returns the document as the browser has it after loading.
my $pages = 0;
sub dom {
    my ($page) = @_;
    my $file = spew("$dir/page" . ++$pages . '.html', $page);
    local $ENV{HOME} = $dir;
    my ($status, $output) = AnswerServer::command('sh', '-c',
        'exec timeout 120 "$0" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage '
        . '--no-first-run --disable-background-networking '
        . '--user-data-dir="$1/profile" --virtual-time-budget=3000 --dump-dom "file://$2" 2>"$1/browser.log"',
            $browser, $dir, $file);
    die "the browser ended with $status:\n" . slurp("$dir/browser.log") if $status || $output !~ /<html/;
    return decode_utf8($output);
}

# Returns how a text is shown: control and invisible characters are shown by their codes.
sub shown { return $_[0] =~ s/([\x00-\x08\x0B-\x1F\x7F-\x9F\p{Cf}\x{2028}\x{2029}])/sprintf('U+%04X', ord($1))/ger }

# The text of a piece of a serialized document.
sub plain {
    my ($html) = @_;
    my %character = (lt => '<', gt => '>', amp => '&', nbsp => "\xA0", quot => '"');
    $html =~ s/<[^>]*>//g;
    return $html =~ s/&(\w+);/$character{$1} \/\/ die "&$1;"/ger;
}

# Returns every string of a value, and every other scalar as it is written.
sub texts {
    my ($value) = @_;
    return map { texts($_) } @$value if ref $value eq 'ARRAY';
    return map { texts($_) } values %$value if ref $value eq 'HASH';
    return ref $value ? ($value ? 'true' : 'false') : "$value";
}

my $run = q{document.title='owned';document.documentElement.setAttribute('data-owned',1)};
my @hostile = (
    "<script>$run</script>",
    qq{"><img src="$address/img" onerror="$run">},
    qq{'><svg onload='$run'>},
    '</bdi></td></tr></table></article><h1>Forged</h1>',
    '</h1></h2></h3></li></ul><p>Forged',
    '<!--', '-->', '<![CDATA[', ']]>', '<?xml?>', '<plaintext>', '<textarea>', '<template>', '<noscript>',
        '<select><option>',
    "</title></style></head><body onload=\"$run\">",
    qq{<style>\@import url("$address/css"); body { display: none }</style>},
    qq{<link rel="stylesheet" href="$address/link"><link rel="icon" href="$address/icon">},
    qq{<meta http-equiv="refresh" content="0;url=$address/refresh">},
    qq{<base href="$address/"><iframe src="$address/frame"></iframe>},
    qq{<form action="$address/form"><input autofocus onfocus="$run"></form>},
    "javascript:$run", '&lt;b&gt;', '&#60;script&#62;', '&amp;amp;', '&', '<', '>', '"', '\'', '`',
        '{{constructor.constructor("x")()}}',
    "a\r\nb\tc", "\x01\x1B[31m\x7F\x{85}", "\x{202E}gpj.exe", "\x{2066}\x{200B}\x{FEFF}\x{AD}", "\x{2028}\x{2029}",
        "\x{E0041}",
    "\x{E9}\x{3B1}\x{5D0}\x{627}\x{4E2D}\x{1F600}", "+ADw-script+AD4-", "\x{FF1C}script\x{FF1E}", ' blanks ',
        'a' x 3000,
);

#
# a packet of them
#
my $server = AnswerServer->new('html', extended => 1);
my $session = $server->session(setup => ['SET client_min_messages = warning', q{SET timezone = 'UTC'}]);
my (@nodes, @edges);
for my $n (0 .. $#hostile) {
    my $text = $hostile[$n];
    my %common = (name => $text, path => $text, last_modified => 1000000000 + $n, source_path => substr($text, 0, 900),
        content_hash => 'sha256:' . '0' x 64, extraction_method => $text,
            # each node has all words of the question, so none is far behind the best
            text => "needle $hostile[1] $hostile[3]",
            indexed_at => '2024-04-01T12:00:00Z');
    push @nodes, {%common, id => substr("$n$text", 0, 900), labels => ['Code', $text], docstring => $text,
        start_line => 1, end_line => 2},
        {%common, id => substr("doc$n$text", 0, 900), labels => ['Document', $text], doc_type => $text};
    push @edges, {from => $nodes[-2]{id}, to => $nodes[-1]{id}, type => substr($text, 0, 60)};
}
my $project = $hostile[0] . $hostile[1];
my $question = "needle $hostile[1] $hostile[3]";
my $options = {limit => 1000, now => '2024-04-01T12:00:00Z', query_id => substr($hostile[2], 0, 90)};
sub sql { return quoted(encode_utf8(ref $_[0] ? $json->encode($_[0]) : $_[0])) }
$session->value('SELECT answer_graph_load(' . join(', ', map { sql($_) } $project, \@nodes, \@edges) . ')');
$session->value('CREATE TABLE packet AS
    SELECT answer_packet(' . join(', ', map { sql($_) } $project, $question, $options) . ') AS p');
my $packet = $json->decode(decode_utf8($session->value('SELECT p FROM packet')));
is(@{$packet->{code_truth}} + @{$packet->{doc_claims}}, 2 * @hostile, 'all of them are found');
$session->value('CREATE TABLE page AS SELECT answer_packet_html(p) AS html FROM packet');
my $page = $session->value('SELECT html FROM page');
unlike($page, qr/[^\t\n\x20-\x7E]/, 'the page is plain ASCII');
visitors();
my $dom = dom($page);

is(visitors(), 0, 'nothing is fetched');
like($dom, qr/<title>Evidence packet<\/title>/, 'the title is the page\'s own');
unlike($dom, qr/<html[^>]*data-owned/, 'nothing ran');
my %elements = map { lc($_) => 1 } $dom =~ /<([a-zA-Z][^\s>\/]*)/g;
is(join(' ', sort keys %elements), 'article bdi body h1 h2 h3 head html i li meta style table tbody td th title tr ul',
    'no element is there that is not the page\'s own');
my %attributes = map { $_ => 1 } $dom =~ /<[a-zA-Z]+ ([^>]*)>/g;
my $own = qr/^(?:lang="en"|scope="row"|charset="utf-8"|(?:name|http-equiv)="[\w-]+" content="[^"<>]*")$/;
is(scalar(grep { !/$own/ } keys %attributes), 0, 'nor an attribute');
unlike($dom, qr/<!--|<\?/, 'nor a comment');
is(scalar(() = $dom =~ /<h1>/g), 1, 'no heading is forged');
my %shown;
$shown{plain($_)}++ for $dom =~ /<bdi>(.*?)<\/bdi>/sg;
is(join("\n", grep { ($shown{shown($_)} // 0) < 10 } @hostile), '',
    'each of them can be read where names, labels, paths and so on stand');
my %in_packet = map { shown($_) => 1 } texts($packet);
is(join("\n", grep { !$in_packet{$_} && !/^\{"limit":1000\}$/ } sort keys %shown), '',
    'every value that is shown is one of the packet');
is((plain($dom =~ /<h1>(.*?)<\/h1>/s)), shown($question), 'the question is the heading');
is($session->value('SELECT count(DISTINCT answer_packet_html(p)) FROM packet, generate_series(1, 3)'), 1,
    'the same packet gives the same page');

#
# a page for an empty result
#
my $empty = dom($session->value(q{SELECT answer_packet_html(answer_packet('nothing', 'What is there?'))}));
my $text = plain($empty =~ /<body>(.*)<\/body>/s);
like($text, qr/insufficient_evidence/, 'the status');
like($text, qr/NO_MATCH: No relevant context found in knowledge graph\./, 'the fault');
like($text, qr/Load the project with answer_graph_load\(\)\./, 'what to do');

#
# the browser does run scripts and fetch when it is allowed to
#
visitors();
my $broken = $page =~ s/<bdi>/<script>$run<\/script><img src="$address\/x">/r;
my $guarded = dom($broken);
unlike($guarded, qr/<html[^>]*data-owned/, 'a script that came into the page all the same does not run');
is(visitors(), 0, 'nor is a picture fetched');
$broken =~ s/<meta http-equiv="Content-Security-Policy"[^>]*>// or die 'no policy';
like(dom($broken), qr/<html[^>]*data-owned/, 'without the page\'s policy it does');
cmp_ok(visitors(), '>', 0, 'and so is the picture');

is($server->crashed, 0, 'the server lost no process');
done_testing();
