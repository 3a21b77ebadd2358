#!/usr/bin/env perl
# tiers: long
# answer_receipt_html() in a real browser: the page verifies itself, a tampered copy is caught, what a browser lacks is
# said, nothing of a document runs or is fetched, and it can be read on a phone, in the dark and by a screen reader.
# What it makes of many documents, good and tampered, is oracle/page's to compare.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Encode qw(decode_utf8 encode_utf8);
use IPC::Open2;
use JSON::PP;
use Test::More;

binmode($_, ":encoding(UTF-8)") for Test::More->builder->output, Test::More->builder->failure_output;
my $json = JSON::PP->new->canonical->utf8->allow_nonref;
my $root = root_dir();
my $dir = AnswerServer::tmp_dir();

#
# the page's parts are made of its sources
#
my (undef, $printed) = AnswerServer::command($^X, "$root/src/document/receipt_page.pl", "$root/src/document");
is($printed, slurp("$root/src/document/receipt_page_parts.h"), 'receipt_page_parts.h is made of the page, its style and its scripts');

my ($found) = grep { -x } map { my $name = $_; map { "$_/$name" } split /:/, $ENV{PATH} }
    qw(chromium-headless-shell chromium chromium-browser google-chrome);
if (!$found) {
    SKIP: { skip 'there is no chromium; Debian has it as chromium-headless-shell', 1 }
    done_testing();
    exit;
}

# One browser for all; what is asked of it is a line.
my $driver = open2(my $answers, my $asked, 'python3', "$root/test/oracle/browser.py");
my $pages = 0;
sub ask {
    my ($page, $expression, %more) = @_;
    my $file = $page =~ /^</ ? spew("$dir/page" . ++$pages . '.html', $page) : $page;
    print $asked $json->encode({page => $file, expression => "(async () => { $expression })()", %more}), "\n";
    $asked->flush;
    my $line = <$answers>;
    my $answer = $json->decode($line // die "the browser has ended");
    die $answer->{failure} if $answer->{failure};
    return $answer;
}

# Once the page is at rest: what it found, and the text of places.
my $rest = q{for (let i = 0; i < 600 && !/^[\u2713\u2717\u2013]/.test(document.getElementById('result').textContent); i++)
    await new Promise((done) => setTimeout(done, 50));};
my $report = "$rest const r = answerReceipt.report; return {ok: r ? r.ok : null, result: document.getElementById('result').textContent,
    steps: r ? Object.fromEntries(Object.entries(r.steps).map(([n, s]) => [n, s.ok])) : {},
    reasons: r ? Object.fromEntries(Object.entries(r.steps).map(([n, s]) => [n, s.reason])) : {},
    title: document.getElementById('title').textContent, question: document.getElementById('question').textContent,
    text: document.querySelector('main').textContent};";
sub seen { my ($page, %more) = @_; return ask($page, $report, %more)->{value} }

sub steps { my ($seen) = @_; return join(' ', map { my $ok = $seen->{steps}{$_}; "$_:" . (defined $ok ? $ok ? 'true' : 'false' : 'null') } sort keys %{$seen->{steps}}) }

my $server = AnswerServer->new('page', extended => 1);
my $session = $server->session(setup => ['SET client_min_messages = warning', q{SET timezone = 'UTC'}]);
sub value { return $session->value($_[0]) }
sub page_of { my ($id, $keys) = @_; return value("SELECT answer_receipt_html('$id'" . (defined $keys ? ", $keys" : '') . ')') }

#
# a receipt of this database
#
my $request = q{{"checks": [{"tool": "postgres_server", "expect": {"op": "semver_gte", "value": "15"}},
    {"id": "late", "tool": "postgres_setting", "args": {"name": "fsync"}, "expect": {"op": "eq", "value": "never"}}]}};
my $id = value('SELECT answer_eval(' . quoted($request) . q{) ->> 'receipt_id'});
my $early = seen(page_of($id));
is(steps($early), 'anchor:true closure:true inclusion:null receipt_id:true replay:null signature:true', 'before it is sealed');
like($early->{reasons}{inclusion}, qr/brings no proof/, 'it says that there is no proof');
value('SELECT answer_log_seal()');
my $page = page_of($id);
unlike($page, qr/[^\t\n\x20-\x7E]/, 'the page is plain ASCII');
my $good = seen($page);
is(steps($good), 'anchor:true closure:true inclusion:true receipt_id:true replay:null signature:true', 'each step, once it is in the log');
like($good->{result}, qr/^\x{2713} This is exactly what was signed/, 'it says so');
like($good->{result}, qr/leaves to answer-verify or cannot judge: Replay\./, 'and what it has not judged');
is($good->{title}, 'Answer contradicted', 'the verdict is in the heading');
my $fingerprint = value("SELECT fingerprint FROM answer.signing_key WHERE status = 'active'") =~ s/.{8}(?=.)/$& /gr;
like($good->{text}, qr/\Q$fingerprint\E/, 'the fingerprint of the key');
like($good->{text}, qr/Age when it was judged/, 'the age of evidence');
like($good->{text}, qr/late \x{2014} postgres_setting contradicted/, 'checks with their verdicts');
is(scalar(@{ask($page, $report)->{requests}}), 0, 'nothing is fetched');
is($page, page_of($id), 'the same receipt gives the same page');
my $tool = "$root/tools/answer-verify";
my $mailed = spew("$dir/mailed.html", $page);
my $vkey = spew("$dir/keys.json", value('SELECT answer_key_registry()')) && value('SELECT answer_log_vkey()');
is(system("'$tool' '$mailed' --quiet >'$dir/out'") >> 8, 3, 'answer-verify takes the page as it was mailed, by the key in it');
is(system("'$tool' receipt '$mailed' --keys '$dir/keys.json' --vkey '$vkey' >'$dir/out'") >> 8, 0, 'and by a key that its reader has, with its proof');

#
# tampered copies
#
my ($document) = $page =~ /<pre id="document">(.*?)<\/pre>/s;
for my $case (['a verdict', qr/(&#34;verdict&#34;:&#34;)contradicted(?=&#34;)/, 'supported', 'receipt_id signature inclusion'],
    ['an observation', qr/(&#34;observed&#34;:)[^,}]+/, '7', 'receipt_id signature inclusion'],
    ['evidence', qr/(&#34;source&#34;:&#34;)/, 'x', 'receipt_id signature closure inclusion'],
    ['the issuer', qr/(&#34;issuer&#34;:&#34;)/, 'x', 'receipt_id signature inclusion'],
    ['a member twice', qr/(^\{)/, '&#34;verdict&#34;:&#34;supported&#34;,', 'anchor receipt_id signature closure replay inclusion'],
    ['no JSON', qr/(^\{)/, 'x', 'anchor receipt_id signature closure replay inclusion']) {
    my ($what, $place, $new, $failing) = @$case;
    (my $changed = $document) =~ s/$place/$1$new/ or die "nothing of $what";
    my $copy = $page;
    substr($copy, index($copy, $document), length $document, $changed);
    my $seen = seen($copy);
    is(join(' ', sort grep { defined $seen->{steps}{$_} && !$seen->{steps}{$_} } keys %{$seen->{steps}}),
        join(' ', sort split / /, $failing), "$what is tampered with: what fails");
    like($seen->{result}, qr/^\x{2717} This document does not verify\. Do not rely on it\. Why: ./, "$what: it says so");
}
# a row of the table says what a step shows only where it is ok
my $rows = "$rest return Object.fromEntries([...document.querySelectorAll('#steps tr')].map((r) => [r.children[0].textContent, r.children[2].textContent]));";
my $told = ask($page, $rows)->{value};
is($told->{Name}, 'the id follows from the content', 'what a step shows where it is ok');
is($told->{'Time-stamp'}, 'the document has no time-stamp', 'of what is not there nothing else');
$told = ask($page =~ s/(&#34;issuer&#34;:&#34;)/${1}x/r, $rows)->{value};
is($told->{Name}, 'receipt_id does not follow from the contentIf it were ok: the id follows from the content', 'where it is not, first what is wrong');
like($told->{Signature}, qr/^the signature does not match the content/, 'of the signature as well');
my ($proof) = $page =~ /<pre id="inclusion">(.*?)<\/pre>/s;
my $other = $page =~ s/(&#34;tree_size&#34;:)(\d+)/$1 . ($2 + 1)/er;
is(seen($other)->{ok}, JSON::PP::false, 'a tampered proof fails as well');

#
# browsers that lack something
#
my $bare = seen($page, before => q{Object.defineProperty(crypto, 'subtle', {value: undefined})});
like($bare->{result}, qr/^\x{2013} Not verified: this browser gives a page from here no cryptography.*Use answer-verify/s, 'without crypto.subtle');
is(steps($bare), 'anchor:null closure:null inclusion:null receipt_id:null replay:null signature:null', 'nothing is judged then');
for my $lack (q{SubtleCrypto.prototype.importKey = () => Promise.reject(new DOMException('no', 'NotSupportedError'))},
    q{SubtleCrypto.prototype.verify = () => Promise.resolve(true)}) {
    my $seen = seen($page, before => $lack);
    like($seen->{result}, qr/^\x{2013} Not verified: this browser has no Ed25519\. Use answer-verify/, 'without Ed25519, or with a broken one');
    is($seen->{ok}, undef, 'which is neither good nor bad');
}
my $still = ask($page, 'return document.body.innerText', script => JSON::PP::false)->{value};
like($still, qr/Not verified: this browser has not run the script of this page\. Use answer-verify/, 'without scripts');
unlike($still, qr/\x{2713}/, 'nothing looks verified');

#
# keys
#
my ($key_id) = value(q{SELECT key_id FROM answer.signing_key WHERE status = 'active'});
is(steps(seen(page_of($id, 'answer_keys()'))), 'anchor:true closure:true inclusion:true receipt_id:true replay:null signature:true',
    'keys as a map, the log\'s among them');
my $foreign = seen(page_of($id, q{'{"ae-ed25519-000000000000": "AAAA"}'}));
is($foreign->{reasons}{signature}, 'the key is not among the keys given', 'keys of somebody else');
is($foreign->{steps}{inclusion}, undef, 'by which the log is not judged either');
is(seen(page_of($id, q{'[]'}))->{ok}, JSON::PP::false, 'no keys');
is(seen(page_of($id, q{'7'}))->{reasons}{signature}, 'the keys given are neither an object nor an array', 'keys that are none');
my $imported = value(q{SELECT answer_key_import_public('PUAXw-hDiVqStwqnTRt-vJyYLM8uxJaMwM1V8Sr0Zgw')});
my ($vkeys) = page_of($id) =~ /&#34;vkeys&#34;:\[(.*?)\]/;
is(scalar(() = $vkeys =~ /\+[0-9a-f]{8}\+/g), 1, 'an imported key is no key of the log');
like($vkeys, qr/\Q@{[value('SELECT answer_log_vkey()') =~ s{\+}{+}gr]}\E/, 'the one that is');
value("SELECT pg_sleep(0.01), answer_key_compromise('$key_id', now())");
my $stolen = seen(page_of($id));
is($stolen->{steps}{signature}, JSON::PP::true, 'signed before the key was compromised: the signature stands');
is($stolen->{reasons}{inclusion}, 'no known key of the log has signed the checkpoint', 'a checkpoint of the key has no date, so it does not');
is($stolen->{ok}, JSON::PP::false, 'and the page is not content');
value('SELECT answer_key_generate()');
my $later = value(q{SELECT answer_eval('{"checks": [{"tool": "postgres_server"}]}') ->> 'receipt_id'});
value('SELECT answer_log_seal()');
is(seen(page_of($id))->{ok}, JSON::PP::true, 'a checkpoint of the next key vouches for it again');
value("SELECT answer_key_compromise('$key_id', now() - interval '1 day')");
is(seen(page_of($id))->{reasons}{signature}, 'issued after the key was compromised', 'compromised before it signed');

#
# forgotten, detached, none
#
value("SELECT answer_forget('$later', 'a test')");
my $forgotten = seen(page_of($later));
is($forgotten->{title}, 'Forgotten receipt forgotten', 'a forgotten receipt');
is(steps($forgotten), 'inclusion:true signature:true', 'its tombstone verifies, and stands in the log for it');
is(value("SELECT answer_receipt_html('ans_0000000000000000') IS NULL AND answer_receipt_html(NULL) IS NULL"), 't', 'there is no page of nothing');

#
# a decision: of each sentence what it is and who judged it
#
value(q{CREATE FUNCTION says(args jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$ SELECT jsonb_build_object('judgements', jsonb_agg(jsonb_build_object(
    'id', p -> 'id', 'score', 0.9, 'relation', CASE WHEN p ->> 'a' ~ 'WRONG' THEN 'contradicts' ELSE 'supports' END)))
    FROM jsonb_array_elements(args -> 'pairs') AS p WHERE p ->> 'a' !~ 'MUTE' $$});
value(q{SELECT answer_judge_register('says', '{"kinds": ["entailment"], "model": "script", "version": "1", "handler": "says"}')});
value(q{SELECT answer_judge_assess('says', '[{"kind": "entailment", "a": "Lunch is at noon.", "b": "Lunch is at noon.", "truth": "supports"}]') IS NULL});
sub decided {
    my ($answer, $config) = @_;
    my $options = {chunks => [{chunk_id => 'k#1', doc_id => 'k', text => 'The kiln is hot after two hours of firing.', title => 'Kilns', similarity => 0.9},
        {chunk_id => 'k#2', doc_id => 'k', text => 'The kiln cools overnight.', similarity => 0.5}], config => $config,
        (defined $answer ? (answer => $answer, citations => ['k#1', 'k#2']) : ())};
    return value(q{SELECT answer_grounded('When is the kiln hot?', } . quoted($json->encode($options)) . q{) ->> 'receipt_id'});
}
my $judged = page_of(decided('It has its heat after some time [1]. MUTE it stays here [2]. The kiln cools overnight. [2]', {judge_entailment => 'says'}));
my $told_of = seen($judged);
is($told_of->{ok}, JSON::PP::true, 'a decision verifies');
like($told_of->{text}, qr/Sentence 1 supported.*judged by says \(script, 1\), measured 1 of entailment over 1 pairs, asked by the database: supports, sure 0\.9/s,
    'who judged a sentence, how good it was measured to be, and whose word that is');
like($told_of->{text}, qr/Sentence 2 not judged.*?Judged\s*not judged/s, 'and that nobody did');
like($told_of->{text}, qr/Not all of it is judged/, 'which is said at once');
like($told_of->{text}, qr/judge_entailment: says, it was none/, 'what the request changed');
like($told_of->{text}, qr/Similarity of words \(no measure of truth\)/, 'a similarity is told as one');
my $plain_seen = seen(page_of(decided('It has its heat after some time [1].', {})));
like($plain_seen->{text}, qr/Not judged: nobody has checked that the passages say this/, 'without a judge it says so');
unlike($plain_seen->{text}, qr/judged by (?!answer-verify)/, 'and nothing more');
my $blocked = seen(page_of(decided('WRONG heat it has [1].', {judge_entailment => 'says'})));
like($blocked->{text}, qr/The answer that was proposed, and is not given.*WRONG heat it has \[1\]\..*contradicted/s, 'an answer that is not given');
# whatever else fails of a tampered copy, its statuses do not follow any more
my ($decision_text) = $judged =~ /<pre id="document">(.*?)<\/pre>/s;
for my $case (['a status', qr/(&#34;status&#34;:&#34;)not_judged/, 'supported'], ['a judgement', qr/(&#34;relation&#34;:&#34;)supports/, 'contradicts'],
    ['a passage', qr/(&#34;title&#34;:&#34;)Kilns/, 'Ovens'], ['a pair', qr/(&#34;pair&#34;:&#34;sha256:)[0-9a-f]{8}(?=[0-9a-f]{56}&#34;,&#34;relation)/, '00000000'],
    ['the version of a judgement', qr/(&#34;version&#34;:&#34;)1/, '2'],
    ['an assessment', qr/(&#34;balanced_accuracy&#34;:)1/, '0.5']) {
    my ($what, $place, $new) = @$case;
    (my $changed = $decision_text) =~ s/$place/$1$new/ or die "nothing of $what";
    my $copy = $judged;
    substr($copy, index($copy, $decision_text), length $decision_text, $changed);
    my $seen = seen($copy);
    # nothing follows from how good a judge was measured to be, so only the digest and the signature tell
    my $step = $what =~ /version/ ? 'closure' : $what =~ /assessment/ ? 'receipt_id' : 'replay';
    is($seen->{steps}{$step}, JSON::PP::false, "$what is tampered with: $step fails");
    is($seen->{steps}{signature}, JSON::PP::false, "$what: so does the signature");
}

#
# every document of the corpus
#
my $folder = "$root/test/corpus/receipts";
my @known = map { @{ $json->decode(slurp($_)) } } glob("$folder/keys*.json");
my $known = quoted($json->encode(\@known));
for my $file (sort glob("$folder/*.json")) {
    my ($name) = $file =~ m{([^/]+)\.json$};
    next if $name =~ /^keys/ || !is_tried();
    my $text = slurp($file);
    my $made = value('SELECT answer.receipt_html(' . quoted($text) . "::jsonb, $known, NULL, NULL)");
    my $seen = seen($made);
    is($seen->{ok}, JSON::PP::true, "$name verifies");
    my ($issuer) = $text =~ /"issuer": ?"([^"]*)"/;
    like($seen->{text}, qr/\Q$issuer\E/, "$name: its issuer is shown");
}

#
# hostile strings in every place
#
my $run = q{document.title='owned';document.documentElement.setAttribute('data-owned',1)};
my @hostile = ("<script>$run</script>", qq{"><img src="http://127.0.0.1:9/img" onerror="$run">}, "'><svg onload='$run'>",
    '</pre></td></tr></table></main><h1>Forged</h1>', '<!--', '-->', ']]>', '<plaintext>', '<textarea>', '<template>', '</script>',
    qq{<style>\@import url("http://127.0.0.1:9/css"); body { display: none }</style>}, qq{<base href="http://127.0.0.1:9/">},
    qq{<meta http-equiv="refresh" content="0;url=http://127.0.0.1:9/refresh">}, "javascript:$run", '&lt;b&gt;', '&#60;script&#62;',
    '&quot;', '`', '${alert(1)}', '{{document}}', '__proto__', 'constructor', 'hasOwnProperty', "\x{202E}gpj.exe", "\x{2066}\x{200B}\x{FEFF}\x{AD}",
    "\x01\x1B[31m\x7F\x{85}", "\x{2028}\x{2029}", "\x{E9}\x{3B1}\x{5D0}\x{627}\x{4E2D}\x{1F600}", "a\r\nb\tc", ' ', '');
sub hostile_document {
    my ($text, $schema) = @_;
    my %any = map { $_ => $text } qw(receipt_id issuer tenant issued_at evaluated_at verdict decision outcome action question query name
        partition answer user_message disclaimer mode confidence degraded reason forgotten_at plan_id kind), $text;
    my $thing = {%any, map { $_ => $text } qw(title chunk_id doc_id timestamp id tool class quality text fact digest expires)};
    return {%any, schema => $schema // $text, ($schema ? () : (receipt_id => $text)), signature => {%any, key_id => $text, alg => 'Ed25519'},
        anchor => {$text => $text},
        checks => [{%$thing, args => {$text => $text}, expect => [{op => $text, value => $text, path => $text}], evidence => [$text],
            explain => {summary => $text, message => $text}}, $text], entries => [$thing, $text], classes => [$thing], retrieval => {chunks => [$thing]},
        trace => [{event => {step => $text, op => $text, outcome => $text, reason => $text}, outputs => {evidence => {supports => [$thing]}}}],
        evidence_index => {$text => {%$thing, value => $text, provenance => {source => $text, source_url => $text, licence => $text},
            verification => {basis => $text, note => $text, signals => {$text => $text}}}},
        packet => {status => $text, meta => {question => $text}, code_truth => [$thing], doc_claims => [$thing],
            context_veracity => {faults => [{type => $text, message => $text}]}},
        response => {text => $text, citations => [$thing]}, conflicts => {pairs => [{conflict_type => $text, $text => $text}]},
        proposed => {by => 'caller', answer => "x$text", citations => [$text]}, judges => [{name => $text, model => $text, version => $text, assessed => {entailment => {n => $text}}}, $text],
        judgements => [{map { $_ => $text } qw(pair kind judge relation score version origin by judged_at)}, $text], quotes => [{chunk_id => $text, text => $text}, $text],
        superseded => [{chunk_id => $text, by => $text}, $text], stale => [$text], to_judge => [{kind => $text, chunk_ids => [$text]}, $text], reasons => [$text],
        config => {judge_entailment => $text}, config_changed => [{key => $text, old => $text, new => [$text]}, $text], explain => [{reason => $text, value => $text}, $text],
        validation => {sentences => [{start => 0, end => 1, status => $text, citations => [$text], missing => {values => [$text], names => [$text]}}, $text]}};
}
my $safe = q{const names = [...new Set([...document.querySelectorAll('*')].map((e) => e.localName))].sort().join(' ');
    const attributes = [...new Set([...document.querySelectorAll('body *')].flatMap((e) => [...e.attributes].map((a) => a.name)))].sort().join(' ');
    return {names, attributes, title: document.title, owned: document.documentElement.hasAttribute('data-owned'),
        shown: [...document.querySelectorAll('bdi')].map((e) => e.textContent), result: document.getElementById('result').textContent};};
my %names;
my @schemas = (undef, 'answer/v1', 'plan/v1', 'answer/tombstone/v1', 'decision/v1');
for my $n (0 .. $#hostile) {
    my $text = $hostile[$n];
    # each text in each kind of document takes long; elsewhere they take turns
    for my $schema (by_tier(0, 0, 1) ? @schemas : $schemas[$n % @schemas]) {
        my $document = encode_utf8(JSON::PP->new->canonical->encode(hostile_document($text, $schema)));
        my $made = value('SELECT answer.receipt_html(' . quoted($document) . '::jsonb, ' . quoted(encode_utf8(JSON::PP->new->encode({$text => $text})))
            . '::jsonb, ' . quoted($document) . '::jsonb, ARRAY[' . quoted(encode_utf8($text)) . '])');
        my $answer = ask($made, "$rest $safe");
        my $seen = $answer->{value};
        $names{$_} = 1 for split / /, $seen->{names};
        my $what = "text $n as " . ($schema // 'a schema of its own');
        ok(!$seen->{owned} && !@{$answer->{requests}} && $seen->{title} eq 'Receipt without an id', "$what: nothing runs, nothing is fetched");
        is($seen->{attributes}, 'aria-labelledby aria-live class href id role scope', "$what: no attribute that is not the page's");
        like($seen->{result}, qr/^\x{2717} This document does not verify/, "$what: it does not verify");
        (my $visible = $text) =~ s/([\x00-\x08\x0B-\x1F\x7F-\x9F\p{Cf}\x{2028}\x{2029}])/sprintf('U+%04X', ord($1))/ge;
        cmp_ok(scalar(grep { $_ eq $visible } @{$seen->{shown}}), '>=', 5, "$what: it can be read");
    }
}
is(join(' ', sort keys %names), 'a article bdi body br caption code dd details div dl dt footer h1 h2 h3 head header html i li main meta ol p pre script section span style summary table tbody td th thead title tr ul',
    'no element is there that is not the page\'s own');

# What came into the page all the same does not run, and without the policy it would.
my $broken = $page =~ s/<main>/<main><script>$run<\/script><img src="http:\/\/127.0.0.1:9\/x" onerror="$run"><p style="color: red" id="red">x<\/p>/r;
my $guarded = ask($broken, "$rest return document.documentElement.hasAttribute('data-owned') + getComputedStyle(document.getElementById('red')).color");
unlike($guarded->{value}, qr/true|rgb\(255, 0, 0\)/, 'a script that came into the page does not run, and a style does not count');
(my $open = $broken) =~ s/<meta http-equiv="Content-Security-Policy"[^>]*>// or die 'no policy';
my $owned = ask($open, "$rest return document.documentElement.hasAttribute('data-owned')");
is($owned->{value}, JSON::PP::true, 'without the page\'s policy it does');

#
# a large document: 11 MB, of three results that are nearly as large as they may be
#
my $ports = join ', ', map { qq({"tool": "tide", "args": {"port": "$_"}, "expect": {"op": "eq", "value": 3}}) } 1 .. 3;
value(q{SELECT answer_source_register('gauge'), answer_tool_register('tide', required_args => '{port}', value_path => 'height')});
value(q{SELECT count(answer_evidence_add('tide', jsonb_build_object('port', n::text), jsonb_build_object('height', 3, 'raw',
    (SELECT jsonb_agg(repeat(md5(i::text), 3)) FROM generate_series(1, 37000) i)), 'gauge', now())) FROM generate_series(1, 3) AS n});
my $large = page_of(value("SELECT answer_eval('{\"checks\": [$ports]}') ->> 'receipt_id'"));
cmp_ok(length $large, '>', 11_000_000, 'a page of more than 11 MB');
my $sized = ask($large, "$rest return {result: document.getElementById('result').textContent, wide: document.documentElement.scrollWidth - innerWidth,
    elements: document.querySelectorAll('*').length}", width => 390)->{value};
like($sized->{result}, qr/^\x{2713} This is exactly what was signed/, 'it verifies');
cmp_ok($sized->{elements}, '<', 20_000, 'and shows no more than a person can look at');
cmp_ok($sized->{wide}, '<=', 0, 'nor is it wider than a phone');
is(seen($large =~ s/(&#34;height&#34;:)3/${1}4/r)->{ok}, JSON::PP::false, 'a tampered one is caught');

#
# for people
#
my $contrast = q{const luminance = (color) => { const [r, g, b] = color.match(/[\d.]+/g).map(Number).map((v) => v / 255)
        .map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
    const back = (e) => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor; if (!/, 0\)$/.test(c)) return c; } };
    let least = 21;
    for (const e of document.querySelectorAll('body *')) {
        if (![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) || ['STYLE', 'SCRIPT'].includes(e.tagName)) continue;
        const [a, b] = [luminance(getComputedStyle(e).color), luminance(back(e))];
        least = Math.min(least, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05));
    }
    return {least, wide: document.documentElement.scrollWidth - innerWidth, back: getComputedStyle(document.body).backgroundColor,
        sections: [...document.querySelectorAll('section')].filter((s) => !document.getElementById(s.getAttribute('aria-labelledby'))).length,
        headings: [...document.querySelectorAll('h1,h2,h3')].map((h) => Number(h.localName[1])).filter((l, i, all) => i > 0 && l > all[i - 1] + 1).length,
        heads: [...document.querySelectorAll('th')].filter((h) => !h.scope).length, ones: document.querySelectorAll('h1').length,
        ids: document.querySelectorAll('[id]').length - new Set([...document.querySelectorAll('[id]')].map((e) => e.id)).size,
        live: document.getElementById('result').getAttribute('aria-live'), lang: document.documentElement.lang}};
my $forged = $page =~ s/(&#34;issuer&#34;:&#34;)/${1}x/r;
for my $case (['a good page', $page], ['a tampered page', $forged], ['a long plan', value('SELECT answer.receipt_html('
    . quoted(slurp("$folder/plan-rules.json")) . "::jsonb, $known, NULL, NULL)")], ['a decision', $judged]) {
    for my $scheme (qw(light dark)) {
        for my $width (390, 1280) {
            my $seen = ask($case->[1], "$rest document.querySelectorAll('details').forEach((d) => { d.open = true; }); $contrast", scheme => $scheme, width => $width)->{value};
            my $what = "$case->[0], $scheme, $width wide";
            cmp_ok($seen->{least}, '>=', 4.5, "$what: contrast");
            cmp_ok($seen->{wide}, '<=', 0, "$what: no wider than the screen");
            is("$seen->{sections} $seen->{headings} $seen->{heads} $seen->{ones} $seen->{ids} $seen->{live} $seen->{lang}", '0 0 0 1 0 polite en',
                "$what: headings, landmarks, heads of tables");
            like($seen->{back}, $scheme eq 'light' ? qr/255, 255, 255/ : qr/13, 17, 23/, "$what: its colours");
        }
    }
}

#
# who may have a page
#
value(q{CREATE ROLE page_reader});
value(q{GRANT EXECUTE ON FUNCTION answer_receipt_html(text, jsonb) TO page_reader});
sub as_reader { my ($query) = @_; value('SET ROLE page_reader'); my $result = $session->run($query); value('RESET ROLE'); return $result }
is(as_reader("SELECT answer_receipt_html('$id')")->{state}, '42501', 'the right on this function alone gives nothing');
value(q{GRANT USAGE ON SCHEMA answer TO page_reader});
value(q{GRANT EXECUTE ON FUNCTION answer_receipt(text, timestamptz) TO page_reader});
value(q{GRANT SELECT ON answer.receipt, answer.anchor TO page_reader});
is(as_reader("SELECT answer_receipt_html('$id')")->{state}, '42501', 'the registry of keys cannot be read');
my $mine = as_reader("SELECT answer_receipt_html('$id', '{}')");
is($mine->{state}, '00000', 'with keys of his own it need not be');
like($mine->{out}, qr/<pre id="inclusion"><\/pre>/, 'and no proof is given to who may not ask for one') or diag($mine->{err});
value(q{SELECT answer_tenant_create('acme'), answer_tenant_create('globex')});
value(q{SELECT answer_tenant_grant('acme', 'page_reader')});
is(as_reader("SELECT answer_receipt_html('$id', '{}') IS NULL")->{out}, 't', 'a tenant gets no page of the operator\'s receipts');

close $asked;
waitpid $driver, 0;
is($server->crashed, 0, 'the server lost no process');
done_testing();
