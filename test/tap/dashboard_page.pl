#!/usr/bin/env perl
# tiers: test long
# answer_dashboard_page(): its rows for intact and for changed receipts, with hostile text in every place. In a real browser,
# if there is one: nothing runs or is fetched, and the page can be read on a phone, in dark mode and by a screen reader.
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
my $dir = AnswerServer::tmp_dir();
my $server = AnswerServer->new('board', extended => 1);
my $session = $server->session(setup => ['SET client_min_messages = warning', q{SET timezone = 'UTC'}]);
sub value { return $session->value($_[0]) }

#
# the latest receipts, each verified
#
my $ask = q{SELECT answer_eval('{"checks": [{"tool": "postgres_server"}]}') ->> 'receipt_id'};
my %id = map { $_ => value($ask) } qw(good verdict tenant instant key intent confidence degraded body evidence forgotten id);
sub state_of { my ($id) = @_; return value("SELECT state FROM answer.dashboard_receipts(100) WHERE receipt_id = '$id'") }
is(state_of($_), 'verified', 'as issued') for $id{good};
value("SELECT answer_forget('$id{forgotten}', 'a test')");
value($_) for guards_off();
my %change = (verdict => q{verdict = 'contradicted'}, tenant => q{tenant = 'acme'}, instant => q{issued_at = issued_at + interval '1 microsecond'},
    key => q{key_id = 'ae-ed25519-000000000000'}, intent => q{intent = 'another'}, confidence => 'confidence = 0.5', degraded => 'degraded = NOT degraded',
    body => q{body = body || '{"disclaimer": "believe it"}'}, evidence => q{body = jsonb_set(body, '{checks,0,observed}', '"99"')},
    id => q{receipt_id = 'ans_0000000000000000'});
value("UPDATE answer.receipt SET $change{$_} WHERE receipt_id = '$id{$_}'") for sort keys %change;
value($_) for guards_back();
is(state_of($id{$_}), 'altered', "a row whose $_ says something else than its document") for grep { !/^(?:body|evidence|id|tenant)$/ } sort keys %change;
is(value("SELECT count(*) FROM answer.dashboard_receipts(100) WHERE state = 'altered'"), 7, 'a tenant that is none is not read by anybody, another id is altered');
is(state_of('ans_0000000000000000'), 'altered', 'another id');
is(state_of($id{$_}), 'not verified', "a document whose $_ was changed") for qw(body evidence);
is(state_of($id{forgotten}), 'forgotten', 'a tombstone');
value("SELECT answer_key_compromise((SELECT key_id FROM answer.signing_key WHERE status = 'active'), now() - interval '1 day')");
is(state_of($id{good}), 'not verified', 'of a key that was compromised before');
is(value('SELECT count(*) FROM answer.dashboard_receipts(3)'), 3, 'no more than were asked for');

#
# hostile words
#
my $run = q{document.documentElement.setAttribute('data-owned',1)};
my @hostile = ("<script>$run</script>", qq{"><img src="http://127.0.0.1:9/i" onerror="$run">}, "'><svg onload='$run'>", '</table></section><h1>Forged</h1>',
    '<!-- </style> <style>body{display:none}</style>', '%s %1$s `${x}`', '&lt;b&gt;', "\x{202E}gpj", "\x{E9}\x{5D0}\x{1F600}");
my @more = (
    # what ends a line, what does not show, what turns the text round, what looks like the end of a text, what does not break
    "a\x{2028}b\x{2029}c", "\x{2066}\x{2067}\x{200F}x\x{2069}", "\x{200B}\x{FEFF}\x{AD}y", '\\u0000\\x00\\', '{{1,2},{NULL,"}}', 'bad:col:on', ']]><!DOCTYPE x [<!ENTITY y "z">]>',
    '</bdi></td></tr></table>', '</title></svg><a href="javascript:' . $run . '">', 'W' x 60, "\x{FDFD}" x 20, "e" . "\x{301}" x 25, '=cmd|calc', '@import url(//x)');
for my $text (@hostile) {
    my $word = quoted(encode_utf8($text));
    value("INSERT INTO answer.rollup_new (issued_at, schema, verdict, intent, key_id, took, confidence, given, supported, citation_required, citation_given, contradicted, words)
        VALUES (now(), 'answer/v1', $word, $word, $word, '1 ms', 0.5, true, true, true, true, false,
            jsonb_build_object('source ' || $word, 1, 'confidence ' || $word, 50, 'reason ' || $word, 1, 'call ' || $word || ' ok', 1))");
}
value($_) for guards_off();
for my $text (@more) {
    my $word = quoted(encode_utf8($text));
    value("INSERT INTO answer.receipt (receipt_id, schema, issued_at, verdict, key_id, body) SELECT $word, $word, now(), $word, 'x', '{}'");
}
value('INSERT INTO answer.receipt (receipt_id, schema, issued_at, verdict, key_id, body) SELECT ' . join(', ', map { quoted(encode_utf8($_)) } @hostile[0, 1])
    . ', now(), ' . quoted($hostile[2]) . ', ' . quoted($hostile[3]) . ", '{}'");
my $steps = $json->encode({receipt_id => 'x', kind => 'environment', name => $hostile[0], action => $hostile[1], revision => 1,
    step => {outcome => $hostile[2], failures => [$hostile[3]]}});
value(q{INSERT INTO answer.receipt (receipt_id, schema, issued_at, verdict, key_id, body) SELECT 'x', 'change/v1', now(), 'promote', 'x', } . quoted($steps) . '::jsonb');
value(q{INSERT INTO answer.receipt (receipt_id, schema, issued_at, verdict, key_id, body) SELECT 'y' || n, 'change/v1', now() - interval '1 hour', 'promote', 'x',
    jsonb_build_object('kind', 'environment', 'name', 'prod', 'action', 'promote', 'revision', n, 'step', jsonb_build_object('outcome', o))
    FROM unnest(ARRAY['pass', 'fail', 'inconclusive', NULL]) WITH ORDINALITY AS s (o, n)});
value($_) for guards_back();
my $options = quoted($json->encode({title => $hostile[0] . $hostile[1], receipts => 100, link => '/v1/receipts/{id}?a=1&b=2'}));
my $page = value("SELECT answer_dashboard_page($options)");
unlike($page, qr/[^\t\n\x20-\x7E]/, 'the page is plain ASCII');
unlike($page, qr/<script|<img|<h1>Forged|onload='/, 'no word became an element');
is(scalar(() = $page =~ /<h1>/g), 1, 'one heading');
unlike($page, qr/<bdi>(?:pass|fail|inconclusive)<\/bdi>/, 'what a gate said is not shown of a record that does not verify');
is(value(q{SELECT string_agg(DISTINCT state, ' ') FROM answer.dashboard_gates}), 'altered', 'which is said');
is(value(q{SELECT count(*) FROM answer.dashboard_gates WHERE num_nonnulls(suite, config, stage, action, outcome, failures, detail) > 0}), 0,
    'nor is anything else of it');
ok($page =~ /<dd>21<\/dd><dd class="goal">in 30 days/, 'what is counted');

# tiles and tables say what the views say
sub tiles_of { my ($html) = @_; return map { s/&#8239;/ /gr } $html =~ m{<div><dt>(.*?)</dt><dd>(.*?)</dd>(?:<dd class="goal">.*?</dd>)?</div>}g }
my %tile = tiles_of($page);
my ($asked, $given, $refused, $supported, $contradicted, $unsupported, $unjudged, $held) = split /\|/, value(q{SELECT concat_ws('|', answers, given, refused, given - unsupported,
    contradicted, unsupported - contradicted, unjudged, prevented) FROM answer_slo('30 days') WHERE tenant IS NULL AND intent IS NULL});
is($tile{$_->[0]}, $_->[1], "the tile $_->[0]") for ['Asked', $asked], ['Answered', $given], ['Refused', $refused], ['Supported', $supported],
    ['Contradicted', $contradicted], ['Unsupported', $unsupported], ['Not judged', $unjudged], ['Held back', $held];
is($supported + $contradicted + $unsupported, $given, 'what is answered is supported, contradicted or unsupported');
cmp_ok($asked, '==', $given + $refused, 'and what is asked is answered or refused');
my ($verdicts) = $page =~ m{(<table><caption><span>Verdicts, by.*?</table>)}s;
my %said = $verdicts =~ m{<td data-name="Asked as">Statement</td><td data-name="Verdict"><bdi>(\w+)</bdi></td><td class="n" data-name="Count">(\d+)<}g;
is($said{evidenced}, value(q{SELECT sum(documents)::bigint FROM answer.rollup_point WHERE schema = 'answer/v1' AND verdict = 'evidenced'}), 'the table of verdicts');
# what the page makes of sums that it has already is what the views say
my ($reasons) = $page =~ m{aria-labelledby="refusals" tabindex="0"><table>(.*?)</table>}s;
my @why = $reasons =~ m{<bdi>([^<]+)</bdi></th><td class="n" data-name="Refused">([\d,]+)</td><td class="n" data-name="Of all">([\d.]+)}g;
is(join('|', @why), value(q{SELECT string_agg(concat_ws('|', replace(reason, '_', ' '), refused, to_char(share * 100, 'FM990.0')), '|' ORDER BY refused DESC, reason COLLATE "C")
    FROM answer_slo_refusals('30 days') WHERE tenant IS NULL AND intent IS NULL}), 'the table of refusals');
my ($burn) = $page =~ m{aria-labelledby="burn" tabindex="0"><table>(.*?)</table>}s;
my %burns = $burn =~ m{<th scope="row">(\w+)</th>(.*?)</tr>}g;
for my $name ('Citations', 'Contradictions') {
    my ($state, @shares) = $burns{$name} =~ s/&#\d+;//gr =~ m{<bdi>([a-z ]+)</bdi></span></td><td[^>]*>(.*?)</td><td[^>]*>(.*?)</td>};
    is(join('|', $state, map { s/%$//r } @shares), value(sprintf q{SELECT concat_ws('|', replace(state, '_', ' '), coalesce(to_char(budget_left * 100, 'FM99990.0'), ''),
        coalesce(to_char(share_30d * 100, 'FM990.0'), '')) FROM answer.slo_burn() WHERE tenant IS NULL AND objective = '%s'}, lc substr($name, 0, -1)), "the budget: $name");
}
# a day's point has a size of its own, where no line goes to it
like($page, qr/<circle class="f4" cx="[\d.]+" cy="[\d.]+" r="4">/, 'one day is a point');

#
# the latest receipts: what was asked, and a link
#
value('SELECT answer_key_generate()');
my $question = value(q{SELECT answer_ask('Is the setting work_mem 4MB?') ->> 'receipt_id'});
my $linked = value(q{SELECT answer_dashboard_page('{"link": "https://answers.example:8443/v1/receipts/{id}"}')});
like($linked, qr{<a href="https://answers\.example:8443/v1/receipts/$question"><bdi>Is the setting work_mem 4MB\?</bdi></a>}, 'what was asked, with a link');
like($page, qr{<a href="/v1/receipts/$id{intent}\?a=1&amp;b=2">}, 'a link is text in its attribute');
unlike(value('SELECT answer_dashboard_page()'), qr/<a /, 'without the option there are no links');
for my $link ('javascript:alert(1){id}', '//evil.example/{id}', 'data:text/html,{id}', '/x', '{id}" onclick="x', "{id}\n", 'https://a b/{id}', '7') {
    my $result = $session->run('SELECT answer_dashboard_page(' . quoted($json->encode({link => $link})) . ')');
    is($result->{state}, '22023', "no link: $link");
}

#
# who may read what
#
value(q{CREATE ROLE viewer}), value(q{CREATE ROLE acme_app});
value(q{SELECT answer_tenant_create('acme'), answer_tenant_create('globex')});
value(q{SELECT answer_dashboard_grant('viewer'), answer_dashboard_grant('acme_app'), answer_tenant_grant('*', 'viewer'), answer_tenant_grant('acme', 'acme_app')});
sub as { my ($role, $query) = @_; value("SET ROLE $role"); my $result = $session->run($query); value('RESET ROLE'); return $result }
my $own = as('acme_app', 'SELECT answer_dashboard_page()');
is($own->{state}, '00000', 'a tenant has a page') or diag($own->{err});
like($own->{out}, qr/Answers of tenant <bdi>acme<\/bdi>/, 'of its own');
unlike($own->{out}, qr/\Q$id{good}\E|<h2 id="log">/, 'without the operator\'s receipts and log');
is(as('acme_app', q{SELECT answer_dashboard_page('{"tenant": "globex"}')})->{state}, '42501', 'nor another tenant\'s page');
is(as('acme_app', q{SELECT answer_dashboard_page('{"tenant": ""}')})->{state}, '42501', 'nor the operator\'s');
my $all = as('viewer', 'SELECT answer_dashboard_page()');
like($all->{out}, qr/Answers of 2 tenants and the operator/, 'an auditor has one of all');
unlike($all->{out}, qr/work_mem 4MB/, 'who may read no documents reads no questions');
value('GRANT SELECT ON answer.receipt TO viewer');
like(as('viewer', 'SELECT answer_dashboard_page()')->{out}, qr/work_mem 4MB/, 'who may read them does');
value('REVOKE SELECT ON answer.receipt FROM viewer');
like(as('viewer', q{SELECT answer_dashboard_page('{"tenant": "globex"}')})->{out}, qr/tenant <bdi>globex/, 'or of one');

#
# in a browser
#
my ($found) = grep { -x } map { my $name = $_; map { "$_/$name" } split /:/, $ENV{PATH} }
    qw(chromium-headless-shell chromium chromium-browser google-chrome);
SKIP: {
    skip 'there is no chromium; Debian has it as chromium-headless-shell', 1 unless $found;
    my $driver = open2(my $answers, my $asked, 'python3', root_dir() . '/test/oracle/browser.py');
    my $look = q{const luminance = (color) => { const [r, g, b] = color.match(/[\d.]+/g).map(Number).map((v) => v / 255)
            .map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
        const back = (e) => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor; if (!/, 0\)$/.test(c)) return c; } };
        document.querySelectorAll('details').forEach((d) => { d.open = true; });
        let least = 21;
        for (const e of document.querySelectorAll('body *')) {
            if (![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim())) continue;
            const style = getComputedStyle(e);
            const [a, b] = [luminance(e instanceof SVGElement ? style.fill : style.color), luminance(back(e))];
            if (e.localName !== 'title') least = Math.min(least, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05));
        }
        return {least, wide: document.documentElement.scrollWidth - innerWidth, owned: document.documentElement.hasAttribute('data-owned'),
            names: [...new Set([...document.querySelectorAll('*')].map((e) => e.localName))].sort().join(' '),
            attributes: [...new Set([...document.querySelectorAll('body *')].flatMap((e) => [...e.attributes].map((a) => a.name)))].sort().join(' '),
            back: getComputedStyle(document.body).backgroundColor, texts: [...document.querySelectorAll('bdi')].map((e) => e.textContent),
            bad: [...document.querySelectorAll('section')].filter((s) => !document.getElementById(s.getAttribute('aria-labelledby'))).length
                + [...document.querySelectorAll('th')].filter((h) => !h.scope).length + [...document.querySelectorAll('svg')].filter((s) =>
                    !(s.getAttribute('role') === 'img' && s.getAttribute('aria-label')) && s.getAttribute('aria-hidden') !== 'true').length
                + document.querySelectorAll('[id]').length - new Set([...document.querySelectorAll('[id]')].map((e) => e.id)).size
                + [...document.querySelectorAll('.wide')].filter((w) => w.tabIndex !== 0 || w.getAttribute('role') !== 'region').length};};
    for my $case (['a page of hostile words', $page], ['a page of nothing', value(q{SELECT answer_dashboard_page('{"tenant": "acme"}')})]) {
        my $file = spew("$dir/page" . length($case->[1]) . '.html', $case->[1]);
        for my $scheme (qw(light dark)) {
            for my $width (390, 1280) {
                print $asked $json->encode({page => $file, expression => "(() => { $look })()", scheme => $scheme, width => $width}), "\n";
                $asked->flush;
                my $answer = $json->decode(scalar <$answers>);
                my $seen = $answer->{value} or die $answer->{failure};
                my $what = "$case->[0], $scheme, $width wide";
                cmp_ok($seen->{least}, '>=', 4.5, "$what: contrast");
                cmp_ok($seen->{wide}, '<=', 0, "$what: no wider than the screen");
                is($seen->{bad}, 0, "$what: sections, heads of tables, pictures and ids");
                like($seen->{back}, $scheme eq 'light' ? qr/255, 255, 255/ : qr/13, 17, 23/, "$what: its colours");
                ok(!$seen->{owned} && !@{$answer->{requests}}, "$what: nothing ran, nothing was fetched");
                next if $case->[0] =~ /nothing/;
                is($seen->{names}, 'a bdi body caption circle dd details div dl dt footer h1 h2 h3 head header html i li line main meta p polyline rect section span '
                    . 'style summary svg table tbody td text th thead title tr ul', "$what: no element that is not the page's own");
                is($seen->{attributes}, 'aria-hidden aria-label aria-labelledby class cx cy data-name height href id open points r role rx scope tabindex text-anchor viewBox width x x1 x2 y y1 y2',
                    "$what: nor an attribute");
                my %texts = map { $_ => 1 } @{$seen->{texts}};
                is(join(' ', grep { !$texts{s/([\x{AD}\x{200B}-\x{200F}\x{2028}-\x{202E}\x{2066}-\x{2069}\x{FEFF}])/sprintf 'U+%04X', ord $1/ger} } @hostile, @more), '',
                    "$what: each word can be read");
            }
        }
    }
    # what a person sees at once: captions, figures however large, and what charts show as a table
    value(q{INSERT INTO answer.rollup_new (issued_at, schema, verdict, key_id, took, cost_usd, confidence, given, supported, citation_required, citation_given, contradicted)
        SELECT now(), 'answer/v1', 'supported', 'k', '123456 s', 123456.78, 0.5, true, true, true, true, false FROM generate_series(1, 1000)});
    my $fits = q{const box = (e) => e.getBoundingClientRect();
        const charts = [...document.querySelectorAll('svg[role=img]')].map((s) => s.closest('section'));
        document.querySelectorAll('details').forEach((d) => { d.open = true; });
        return {captions: [...document.querySelectorAll('caption')].filter((c) => { const range = document.createRange(); range.selectNodeContents(c);
                return box(range).right > box(c.closest('.wide')).right + 1; }).map((c) => c.textContent),
            figures: [...document.querySelectorAll('.tiles dd')].filter((d) => d.scrollWidth > d.clientWidth).map((d) => d.textContent),
            tables: charts.filter((s) => !s.querySelector('details table')).map((s) => s.querySelector('h2').textContent),
            names: (() => { const w = document.querySelector('#windows').closest('section').querySelector('.wide'); w.scrollLeft = w.scrollWidth;
                const h = w.querySelector('tbody th'); return box(h).left >= box(w).left - 1; })(), charts: charts.length,
            aside: [...document.querySelectorAll('.wide')].filter((w) => w.scrollWidth > w.clientWidth + 1).length,
            unnamed: [...document.querySelectorAll('.wide td')].filter((d) => !d.getAttribute('data-name')).length,
            covered: [...document.querySelectorAll('tr')].filter((r) => { const h = r.querySelector('th[scope=row]'), w = r.closest('.wide');
                if (!h || !box(w).width || getComputedStyle(r).display === 'grid') return false; w.scrollLeft = w.scrollWidth; return box(h).right > box(r.lastElementChild).left + 1; }).map((r) => r.textContent),
            piled: [...document.querySelectorAll('td, th')].filter((c) => getComputedStyle(c).overflow !== 'hidden').length};};
    my $file = spew("$dir/large.html", value('SELECT answer_dashboard_page()'));
    for my $width (390, 700, 1060, 1280) {
        print $asked $json->encode({page => $file, expression => "(() => { $fits })()", width => $width}), "\n";
        $asked->flush;
        my $seen = $json->decode(scalar <$answers>)->{value};
        is(join(', ', @{$seen->{captions}}), '', "$width wide: captions are not cut off");
        is(join(', ', @{$seen->{figures}}), '', "$width wide: figures fit");
        is(join(', ', @{$seen->{tables}}), '', "$width wide: each chart has a table");
        ok($seen->{names} && $seen->{charts} == 2, "$width wide: rows keep their names");
        is(join(' | ', @{$seen->{covered}}), '', "$width wide: and a name, however long, does not cover the last column");
        is($seen->{piled}, 0, "$width wide: nor reaches into other rows");
        is($seen->{aside}, 0, "$width wide: every column is on the screen") if $width < 500;
        is($seen->{unnamed}, 0, "$width wide: each cell knows the name of its column");
    }
    close $asked;
    waitpid $driver, 0;
}
is($server->crashed, 0, 'the server lost no process');
done_testing();
