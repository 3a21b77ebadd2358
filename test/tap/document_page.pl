#!/usr/bin/env perl
# tiers: long
# answer_receipt_html() in a real browser: the page verifies itself and detects a tampered copy; it says what a browser
# lacks; nothing in a document runs or is fetched; and it can be read on a phone, in dark mode and by a screen reader.
# oracle/page.py compares its results for many documents, good and tampered.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Digest::SHA;
use Encode qw(decode_utf8 encode_utf8);
use IPC::Open2;
use JSON::PP;
use Test::More;

binmode($_, ":encoding(UTF-8)") for Test::More->builder->output, Test::More->builder->failure_output;
my $json = JSON::PP->new->canonical->utf8->allow_nonref;
my $root = root_dir();
my $dir = AnswerServer::tmp_dir();

#
# the page's sources: make quotes them as they are
#
my %sources = map { m{([^/]+)$} ? ($1 => slurp($_)) : () } glob("$root/src/document/receipt_*.{html,css,js}");
is(join(' ', sort keys %sources), 'receipt_crypto.js receipt_page.css receipt_page.html receipt_rules.js receipt_show.js receipt_verify.js', 'there are sources');
is(join(' ', grep { $sources{$_} =~ /[^\t\n\x20-\x7E]/ } sort keys %sources), '', 'all of them are plain ASCII');
is(join(' ', grep { !/html$/ && $sources{$_} =~ m{<(?:/|!--|script)}i } sort keys %sources), '', 'no style or script ends its element early');

my ($found) = grep { -x } map { my $name = $_; map { "$_/$name" } split /:/, $ENV{PATH} }
    qw(chromium-headless-shell chromium chromium-browser google-chrome);
if (!$found) {
    SKIP: { skip 'there is no chromium; Debian has it as chromium-headless-shell', 1 }
    done_testing();
    exit;
}

# One browser for all cases; each request to it is a line.
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

# Waits until the page is done, and returns what it found and the text of places.
my $rest = q{for (let i = 0; i < 600 && !/^[\u2713\u2717\u2013]/.test(document.getElementById('result').textContent); i++)
    await new Promise((done) => setTimeout(done, 50));};
my $report = "$rest const r = answerReceipt.report; return {ok: r ? r.ok : null, result: document.getElementById('result').textContent,
    steps: r ? Object.fromEntries(Object.entries(r.steps).map(([n, s]) => [n, s.ok])) : {},
    reasons: r ? Object.fromEntries(Object.entries(r.steps).map(([n, s]) => [n, s.reason])) : {},
    title: document.getElementById('title').textContent, kind: document.getElementById('kind').textContent, answer: document.getElementById('answer').textContent,
    left: document.getElementById('left').textContent, shown: [...document.querySelectorAll('#steps li')].map((e) => e.textContent),
    green: [...document.querySelectorAll('body *')].filter((e) => ['color', 'backgroundColor', 'borderTopColor']
        .some((name) => ['rgb(17, 99, 41)', 'rgb(218, 251, 225)'].includes(getComputedStyle(e)[name]))).length,
    struck: ['#kind', '#title', '#answer'].every((name) => getComputedStyle(document.querySelector(name)).textDecorationLine === 'line-through'),
    first: document.querySelector('main').firstElementChild.id, text: document.querySelector('main').textContent};";
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
is(steps($early), 'anchor:true closure:true inclusion:null receipt_id:true replay:true signature:true', 'before it is sealed');
like($early->{reasons}{inclusion}, qr/brings no proof/, 'it says that there is no proof');
like($early->{left}, qr/^This file brings no proof/, 'in the one line on what is not there');
value('SELECT answer_log_seal()');
my $page = page_of($id);
unlike($page, qr/[^\t\n\x20-\x7E]/, 'the page is plain ASCII');
my $good = seen($page);
is(steps($good), 'anchor:true closure:true inclusion:true receipt_id:true replay:true signature:true', 'each step, once it is in the log');
like($good->{result}, qr/^\x{2713} This is exactly what was signed/, 'it says so');
is($good->{left}, '', 'and leaves nothing open');
is(join(' ', map { /^(.)(\w+)/ } @{$good->{shown}}), "\x{2713} Signature \x{2713} Content \x{2713} Parts \x{2713} Verdict \x{2713} Log", 'what it verified');
is($good->{title}, 'Answer from 2 checks', 'the heading');
like($good->{kind}, qr/^Answer, \d+ \w+ \d{4}, \d\d:\d\d UTC, by postgresql:/, 'its kind, when and by whom, above it');
like($good->{answer}, qr/^supported postgres_server is [\d.]+, expected: version 15 or later.*contradicted postgres_setting \(fsync\) is \w+, expected: equal to never/s,
    'what was found comes first');
like($good->{answer}, qr/Verdict: contradicted Confidence [\d.]+\.$/, 'then the verdict');
cmp_ok($good->{green}, '>', 3, 'what holds is green');
ok(!$good->{struck} && $good->{first} eq '', 'nothing is struck, and the answer comes first');
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
# tampered copies: nothing is green, the text is struck, and what was changed is named
#
sub tampered {
    my ($page, $place, $new, $what) = @_;
    my ($document) = $page =~ /<pre id="document">(.*?)<\/pre>/s;
    (my $changed = $document) =~ s/$place/$1$new/ or die "nothing of $what";
    return $page =~ s/\Q$document\E/$changed/r;
}
sub is_caught {
    my ($seen, $what, $changed) = @_;
    is($seen->{result}, "\x{2717} Changed after signing: $changed. Do not rely on anything in this file.", "$what is tampered with: what was changed");
    is($seen->{green}, 0, "$what: nothing is green");
    ok($seen->{struck}, "$what: the text is struck");
    is($seen->{first}, 'verified', "$what: which comes first");
    unlike($seen->{text} =~ s/All members of the document.*//sr, qr/receipt_id does not follow/, "$what: in words");
}
my $changed_nothing = 'what is left is no document that can be read';
for my $case (['a verdict', qr/(&#34;verdict&#34;:&#34;)contradicted(?=&#34;,?[^{]*\}$)/, 'supported', 'replay receipt_id signature inclusion', 'the verdict'],
    ['an observation', qr/(&#34;observe&#34;:false,&#34;observed&#34;:)[^,}]+/, '7', 'receipt_id replay signature inclusion', 'check 1'],
    ['evidence', qr/(&#34;source&#34;:&#34;)/, 'x', 'receipt_id signature closure inclusion', 'the evidence'],
    ['the issuer', qr/(&#34;issuer&#34;:&#34;)/, 'x', 'receipt_id signature inclusion', 'the issuer'],
    ['a member twice', qr/(^\{)/, '&#34;verdict&#34;:&#34;supported&#34;,', 'anchor receipt_id signature closure replay inclusion', $changed_nothing],
    ['no JSON', qr/(^\{)/, 'x', 'anchor receipt_id signature closure replay inclusion', $changed_nothing]) {
    my ($what, $place, $new, $failing, $changed) = @$case;
    my $seen = seen(tampered($page, $place, $new, $what));
    is(join(' ', sort grep { defined $seen->{steps}{$_} && !$seen->{steps}{$_} } keys %{$seen->{steps}}),
        join(' ', sort split / /, $failing), "$what is tampered with: what fails");
    $changed eq $changed_nothing ? like($seen->{result}, qr/^\x{2717} Changed after signing: \Q$changed\E\./, "$what: it says so") : is_caught($seen, $what, $changed);
}
my $two = seen(tampered(tampered($page, qr/(&#34;issuer&#34;:&#34;)/, 'x', 'the issuer'), qr/(&#34;disclaimer&#34;:&#34;)/, 'x', 'a text'));
is($two->{result}, "\x{2717} Changed after signing: the part \x{201C}disclaimer\x{201D} and the issuer. Do not rely on anything in this file.", 'two parts');
is(join(' ', map { /^(.)/ } @{$two->{shown}}), "\x{2717} \x{2717} \x{2717}", 'what holds of a tampered copy is not told');
# if the digests beside the document are forged as well, the only effect is that the place is not named
my $forger = tampered($page, qr/(&#34;issuer&#34;:&#34;)/, 'x', 'the issuer');
my ($forged_hint) = $page =~ /&#34;parts&#34;:\{.*?&#34;issuer&#34;:&#34;([0-9a-f]{8})/;
my $issuer_now = decode_utf8(value('SELECT issuer FROM (SELECT answer_receipt(' . quoted($id) . q{) ->> 'issuer') AS r (issuer)}));
$forger =~ s/$forged_hint/substr(Digest::SHA::sha256_hex($json->encode("x$issuer_now")), 0, 8)/e;
is(seen($forger)->{result}, "\x{2717} Changed after signing: which part, this file does not tell. Do not rely on anything in this file.", 'forged digests');
my $partless = tampered($page, qr/(&#34;issuer&#34;:&#34;)/, 'x', 'the issuer') =~ s/&#34;parts&#34;:\{.*?\}/&#34;parts&#34;:1/sr;
my $without = seen($partless);
is_deeply([@$without{qw(green struck first)}], [0, JSON::PP::true, 'verified'], 'without any such digests, too, it is struck, and nothing is green');

my ($proof) = $page =~ /<pre id="inclusion">(.*?)<\/pre>/s;
my $other = seen($page =~ s/(&#34;tree_size&#34;:)(\d+)/$1 . ($2 + 1)/er);
is($other->{ok}, JSON::PP::false, 'a tampered proof fails as well');
like($other->{result}, qr/^\x{2717} It was signed like this, but its proof that it is in the log does not hold: /, 'which is told apart');
is($other->{green}, 0, 'and nothing is green');

#
# browsers that lack something
#
# The script has its own SHA-2 and Ed25519, so only what it says of them may differ.
my $own = qr/Verified just now by the script of this page, for your browser has no Ed25519 of its own, from this file alone/;
for my $lack ([q{Object.defineProperty(crypto, 'subtle', {value: undefined})}, 'without crypto.subtle'],
    [q{SubtleCrypto.prototype.importKey = () => Promise.reject(new DOMException('no', 'NotSupportedError'))}, 'without Ed25519'],
    [q{SubtleCrypto.prototype.verify = () => Promise.resolve(true)}, 'with one that takes everything for good'],
    [q{SubtleCrypto.prototype.verify = () => Promise.resolve(false)}, 'with one that takes nothing for good']) {
    my $seen = seen($page, before => $lack->[0]);
    is(steps($seen), 'anchor:true closure:true inclusion:true receipt_id:true replay:true signature:true', "$lack->[1]: each step all the same");
    like($seen->{result}, $own, "$lack->[1]: it says who verified");
    is_caught(seen(tampered($page, qr/(&#34;issuer&#34;:&#34;)/, 'x', 'the issuer'), before => $lack->[0]), "$lack->[1]: the issuer", 'the issuer');
}
my $vectors = ask($page, $rest . q{const bytes = (hex) => Uint8Array.from(hex.match(/../g) || [], (h) => parseInt(h, 16));
    const hex = (b) => [...b].map((x) => x.toString(16).padStart(2, '0')).join('');
    const long = new Uint8Array(300).fill(0x61); const found = [];
    for (const n of [0, 1, 55, 56, 63, 64, 111, 112, 119, 127, 128, 300]) {
        const part = long.slice(0, n);
        for (const [name, own] of [['SHA-256', answerCrypto.sha256], ['SHA-512', answerCrypto.sha512]])
            found.push(hex(own(part)) === hex(new Uint8Array(await crypto.subtle.digest(name, part))));
    }
    for (let i = 0; i < 8; i++) {
        const pair = await crypto.subtle.generateKey({name: 'Ed25519'}, true, ['sign', 'verify']);
        const key = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey));
        const signature = new Uint8Array(await crypto.subtle.sign({name: 'Ed25519'}, pair.privateKey, long));
        const other = signature.slice(); other[i * 8] ^= 1;
        found.push(await answerCrypto.ed25519(key, long, signature, answerCrypto.sha512), !await answerCrypto.ed25519(key, long, other, answerCrypto.sha512));
    }
    return found;})->{value};
is(scalar(grep { !$_ } @$vectors), 0, 'its own SHA-2 and Ed25519 give what the browser\'s do');
my $still = ask($page, 'return document.body.innerText', script => JSON::PP::false)->{value};
like($still, qr/Not verified: this browser has not run the script of this page\. Use answer-verify/, 'without scripts');
unlike($still, qr/\x{2713}/, 'nothing looks verified');

#
# keys
#
my ($key_id) = value(q{SELECT key_id FROM answer.signing_key WHERE status = 'active'});
is(steps(seen(page_of($id, 'answer_keys()'))), 'anchor:true closure:true inclusion:true receipt_id:true replay:true signature:true',
    'keys as a map, the log\'s among them');
my $foreign = seen(page_of($id, q{'{"ae-ed25519-000000000000": "AAAA"}'}));
is($foreign->{reasons}{signature}, 'the key is not among the keys given', 'keys of somebody else');
like($foreign->{result}, qr/^\x{2717} Nobody can tell who signed this: the key is not among the keys given\./, 'which it says');
is($foreign->{green}, 0, 'without anything green');
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
# forgotten, detached, unknown
#
value("SELECT answer_forget('$later', 'a test')");
my $forgotten = seen(page_of($later));
is($forgotten->{title}, 'Forgotten receipt', 'a forgotten receipt');
like($forgotten->{answer}, qr/Verdict: forgotten/, 'says so');
is(steps($forgotten), 'inclusion:true signature:true', 'its tombstone verifies, and stands in the log for it');
is(value("SELECT answer_receipt_html('ans_0000000000000000') IS NULL AND answer_receipt_html(NULL) IS NULL"), 't', 'there is no page of nothing');

#
# a decision: what each sentence is, and who judged it
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
like($told_of->{text}, qr/Sentence 1 supported.*?judged by says \(script, 1\), measured 1 of entailment over 1 pairs, asked by the database: supports, sure 0\.9/s,
    'who judged a sentence, how good it was measured to be, and whose word that is');
like($told_of->{text}, qr/Sentence 2 not judged.*?Judged\s*not judged/s, 'and that nobody did');
like($told_of->{text}, qr/Not all of it is judged/, 'which is said at once');
like($told_of->{text}, qr/judge_entailment: says, it was none/, 'what the request changed');
like($told_of->{text}, qr/Similarity of words \(no measure of truth\)/, 'a similarity is told as one');
my $plain_seen = seen(page_of(decided('It has its heat after some time [1].', {})));
like($plain_seen->{text}, qr/Not judged: nobody has checked that the passages say this/, 'without a judge it says so');
unlike($plain_seen->{text}, qr/judged by (?!answer-verify)/, 'and nothing more');
like($plain_seen->{text}, qr/2 passages\s*at most 90 days old/, 'how many passages it needed, and how old they might be');
my $any_age = seen(page_of(decided('It has its heat after some time [1].', {min_chunks => 1, freshness_days => 0})));
like($any_age->{text}, qr/1 passage\s*of any age/, 'one of them, without a limit');
my $blocked = seen(page_of(decided('WRONG heat it has [1].', {judge_entailment => 'says'})));
like($blocked->{text}, qr/The answer that was proposed, and is not given.*WRONG heat it has \[1\]\..*contradicted/s, 'an answer that is not given');
# in every tampered copy its statuses no longer follow, whatever else fails
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
    # no status depends on the measured quality of a judge, so only digest and signature show this change
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
sub page_of_file { my ($name) = @_; return value('SELECT answer.receipt_html(' . quoted(slurp("$folder/$name.json")) . "::jsonb, $known, NULL, NULL)") }
for my $file (sort glob("$folder/*.json")) {
    my ($name) = $file =~ m{([^/]+)\.json$};
    next if $name =~ /^keys/ || !is_tried();
    my $text = slurp($file);
    my $seen = seen(page_of_file($name));
    is($seen->{ok}, JSON::PP::true, "$name verifies");
    my $has_parts = $text !~ m{"schema": ?"answer/tombstone/v1"};
    ok(!$has_parts || $seen->{steps}{closure}, "$name: its parts belong together");
    is(scalar(grep { /\x{2713}/ } @{$seen->{shown}}), scalar(@{$seen->{shown}}), "$name: only what was checked has a row");
    cmp_ok(scalar(() = $seen->{left} =~ /Not checked here/g), '<=', 1, "$name: the rest is one line");
    my $earlier = $text =~ m{"schema": ?"decision/v1"} && $text =~ m{"decision/1"} ? 'decision/1' :
        $text =~ m{"schema": ?"plan/v1"} && $text =~ m{"method": ?"ground-verify/1"} ? 'ground-verify/1' : 'none';
    is($seen->{left} =~ m{Incomplete: rules ([a-z-]+/1), } ? $1 : 'none', $earlier, "$name: whether earlier rules decided it");
    my ($issuer) = $text =~ /"issuer": ?"([^"]*)"/;
    like($seen->{text}, qr/\Q$issuer\E/, "$name: its issuer is shown");
}

#
# for each kind, the changed place is named
#
for my $case (['decision2-judged', 'the answer', qr/(&#34;answer&#34;:&#34;)Hello/, 'Hallo', 'the answer'],
    ['decision2-judged', 'a citation', qr/(&#34;citations&#34;:\[&#34;ferry#p)0(?=&#34;\],&#34;config&#34;)/, '1', 'the citations'],
    ['decision2-judged', 'a number', qr/(&#34;retrieval_hit_count&#34;:)2/, '3', 'a number of the verdict'],
    ['decision2-judged', 'what was needed', qr/(&#34;conf_max&#34;:)0\.6/, '0.5', 'a number of the verdict'],
    ['decision2-judged', "a judge's statement", qr/(&#34;relation&#34;:&#34;)supports/, 'no_claim', 'what a judge said'],
    ['decision2-judged', 'a passage', qr/(&#34;text&#34;:&#34;The ferry to Ven leaves Landskrona at )7/, '8', 'a passage'],
    ['decision2-judged', 'the question', qr/(&#34;query&#34;:&#34;)When/, 'Why', 'the question'],
    ['decision2-extract', 'a quote', qr/(&#34;quotes&#34;:\[\{.*?&#34;text&#34;:&#34;)The/, 'A', 'a quote'],
    ['decision-answer', 'the decision', qr/(&#34;decision&#34;:&#34;)ANSWER/, 'ABSTAIN', 'the verdict'],
    ['plan-answered', 'the answer', qr/(&#34;text&#34;:&#34;The lost property desk is open until )seven(?= on Mondays\. \[1\] Bicycles are kept at the lost property desk until they are fetched\. \[2\]&#34;,?[^{]*\},&#34;schema)/, 'nine', 'the answer'],
    ['plan-answered', 'an event', qr/(&#34;seq&#34;:2,&#34;sig&#34;:\{.*?&#34;step&#34;:&#34;)/, 'x', 'event 2 of the trace'],
    ['plan-answered', 'a charge', qr/(&#34;budget_used&#34;:\{&#34;cost_usd&#34;:)0\.0021/, '0.0001', 'a number of the verdict'],
    ['plan2-judged', 'the result of a step', qr/(&#34;snippet&#34;:&#34;)Custom/, 'Some', 'event 1 of the trace'],
    ['checks-mixed', 'a check', qr/(&#34;verdict&#34;:&#34;)contradicted/, 'supported', 'check 1'],
    ['quality', 'an observation', qr/(&#34;observation&#34;:\{)/, '&#34;x&#34;:1,', 'entry 1'],
    ['run2-judged', 'a case', qr/(&#34;passed&#34;:)false/, 'true', 'case 4'],
    ['change-environment-promote', 'the state', qr/(&#34;after&#34;:\{)/, '&#34;x&#34;:1,', "the part \x{201C}after\x{201D}"],
    ['packet', 'an entry', qr/(&#34;score&#34;:)/, '1', "the part \x{201C}packet\x{201D}"],
    ['tombstone', 'when it was forgotten', qr/(&#34;forgotten_at&#34;:&#34;)2/, '1', "the part \x{201C}forgotten_at\x{201D}"]) {
    my ($name, $what, $place, $new, $changed) = @$case;
    my $seen = seen(tampered(page_of_file($name), $place, $new, "$name: $what"));
    is_caught($seen, "$name: $what", $changed);
}

#
# citations of an answer are footnotes that open the cited place
#
my $notes = ask(page_of_file('decision2-judged'), $rest . q{const link = document.querySelector('#answer sup a'); link.click();
    const place = document.querySelector(link.getAttribute('href'));
    return {links: document.querySelectorAll('#answer sup a').length, open: place.closest('details').open, text: place.textContent,
        marked: [...place.querySelectorAll('mark')].map((e) => e.textContent), hash: location.hash,
        answer: document.querySelector('#answer .saying').textContent}})->{value};
is($notes->{links}, 2, 'each marker is a link');
ok($notes->{open} && $notes->{hash} eq '#note-1', 'which opens its footnote');
like($notes->{text}, qr/The ferry to Ven leaves Landskrona at 7:30 and at 5 p\.m\. every weekday\..*ferry/s, 'with the passage');
is(join('|', @{$notes->{marked}}), 'leaves Landskrona at 7:30 and at 5 p.m.', 'in which the quoted words are marked');
unlike($notes->{answer}, qr/\[/, 'and no marker is left in the text');
my $plan_notes = ask(page_of_file('plan2-judged'), $rest . q{return [...document.querySelectorAll('.notes li')].map((e) => e.textContent);})->{value};
like($plan_notes->[1], qr/^2Custom Items Exceptions, 2 August 2025, 09:00 UTC.*Exceptions apply to manufacturing defects/s, 'of a plan, what its steps found there');

#
# hostile strings everywhere
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
        citations => [$text], response => {text => "$text [1]", citations => [$thing]}, conflicts => {pairs => [{conflict_type => $text, $text => $text}]},
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
    # the long tier tries each text in each kind of document; elsewhere the texts take turns
    for my $schema (by_tier(0, 0, 1) ? @schemas : $schemas[$n % @schemas]) {
        my $document = encode_utf8(JSON::PP->new->canonical->encode(hostile_document($text, $schema)));
        my $made = value('SELECT answer.receipt_html(' . quoted($document) . '::jsonb, ' . quoted(encode_utf8(JSON::PP->new->encode({$text => $text})))
            . '::jsonb, ' . quoted($document) . '::jsonb, ARRAY[' . quoted(encode_utf8($text)) . '])');
        my $answer = ask($made, "$rest $safe");
        my $seen = $answer->{value};
        $names{$_} = 1 for split / /, $seen->{names};
        my $what = "text $n as " . ($schema // 'a schema of its own');
        ok(!$seen->{owned} && !@{$answer->{requests}} && $seen->{title} eq 'Receipt without an id', "$what: nothing runs, nothing is fetched");
        is($seen->{attributes} =~ s/ open\b//r, 'aria-labelledby aria-live class href id role', "$what: no attribute that is not the page's");
        like($seen->{result}, qr/^\x{2717} .*Do not rely on anything in this file\.$/s, "$what: it does not verify");
        (my $visible = $text) =~ s/([\x00-\x08\x0B-\x1F\x7F-\x9F\p{Cf}\x{2028}\x{2029}])/sprintf('U+%04X', ord($1))/ge;
        cmp_ok(scalar(grep { $_ eq $visible } @{$seen->{shown}}), '>=', 5, "$what: it can be read");
    }
}
is(join(' ', sort keys %names), 'a article bdi body code dd details div dl dt footer h1 h2 h3 head html i li main mark meta ol p pre script section span strong style summary sup title ul',
    'no element is there that is not the page\'s own');

# A script that got into the page in spite of that does not run, and would run without the policy.
my $broken = $page =~ s/<main>/<main><script>$run<\/script><img src="http:\/\/127.0.0.1:9\/x" onerror="$run"><p style="color: red" id="red">x<\/p>/r;
my $guarded = ask($broken, "$rest return document.documentElement.hasAttribute('data-owned') + getComputedStyle(document.getElementById('red')).color");
unlike($guarded->{value}, qr/true|rgb\(255, 0, 0\)/, 'a script that came into the page does not run, and a style does not count');
(my $open = $broken) =~ s/<meta http-equiv="Content-Security-Policy"[^>]*>// or die 'no policy';
my $owned = ask($open, "$rest return document.documentElement.hasAttribute('data-owned')");
is($owned->{value}, JSON::PP::true, 'without the page\'s policy it does');

#
# a large document: 11 MB, with three results of nearly the largest size
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
# readable for people
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
        heads: document.querySelectorAll('table').length, ones: document.querySelectorAll('h1').length,
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
