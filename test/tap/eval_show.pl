#!/usr/bin/env perl
# A receipt's texts reach a terminal without control characters, whatever the encoding of database and client.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use Test::More;

my $server = AnswerServer->new('show');

# All bytes that the encoding allows, and text as a person would write it.
my %letters = (
    UTF8 => "Stra\xc3\x9fe \xe6\x97\xa5\xe6\x9c\xac \xf0\x9f\x98\x80",
    LATIN1 => "Stra\xdfe \xe9\xff\xa0",
    LATIN9 => "Stra\xdfe \xa4\xe9",
    KOI8R => "\xcd\xc9\xd2 \xae",
    EUC_JP => "\xc6\xfc\xcb\xdc \xa4\xa2 \x8f\xb0\xa1",
    EUC_KR => "\xc7\xd1\xb1\xdb",
    WIN1252 => "Stra\xdfe \xe9",
);
for my $encoding (sort keys %letters) {
    my $name = lc $encoding;
    $server->value("CREATE DATABASE $name TEMPLATE template0 ENCODING '$encoding' LOCALE 'C'");
    my $session = $server->session(dbname => $name, encoding => $encoding);
    $session->value('CREATE EXTENSION answer_eval');
    is($session->value("SELECT answer_readable(to_jsonb(text '$letters{$encoding}'))"), $letters{$encoding}, "$encoding: letters stay");

    # every character of one byte, and more in UTF-8; chr() refuses what the encoding lacks
    my $shown = $session->value(q{SELECT count(*), string_agg(answer_readable(to_jsonb(chr(c))), '') FROM generate_series(1, 159) AS c WHERE c < 127 OR }
            . ($encoding =~ /^EUC/ ? 'false' : $encoding =~ /^WIN/ ? 'c > 126 AND c NOT IN (129, 141, 143, 144, 157)' : 'c > 126'));
    my ($count, $text) = split /\|/, $shown, 2;
    cmp_ok($count, '>', 120, "$encoding: many characters are shown");
    unlike($text, $encoding eq 'UTF8' ? qr/[\x00-\x1f\x7f]|\xc2[\x80-\x9f]/ : $encoding =~ /^WIN/ ? qr/[\x00-\x1f\x7f]/ : qr/[\x00-\x1f\x7f-\x9f]/, "$encoding: no control character comes out");
    is($session->value(q{SELECT answer_summary(jsonb_build_object('schema', 'x', 'issuer', E'a\\x1b[2Jb'))}),
        'Document of x by "a\u001b[2Jb".', "$encoding: an escape sequence is shown as such");
    $session->close;
}

is($server->run(q{SELECT answer_readable(to_jsonb(chr(129)))}, dbname => 'win1252', encoding => 'WIN1252')->{state}, '22P05',
    'WIN1252: a byte that is no character is refused');

# SQL_ASCII takes any byte. Bytes that are not UTF-8 are refused if they would have to be escaped, and are never printed raw.
$server->value(q{CREATE DATABASE ascii TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE 'C'});
my $ascii = $server->session(dbname => 'ascii', encoding => 'SQL_ASCII');
$ascii->value('CREATE EXTENSION answer_eval');
is($ascii->value(qq{SELECT answer_readable(to_jsonb(text 'caf\xc3\xa9'))}), "caf\xc3\xa9", 'SQL_ASCII: letters stay');
is($ascii->value(qq{SELECT answer_readable(to_jsonb(text 'a\xc2\x9b2Jb'))}), '"a\u009b2Jb"', 'SQL_ASCII: a control character of UTF-8 is escaped');
is($ascii->value(qq{SELECT answer_readable(to_jsonb(text 'a\xe2\x80\xaeb'))}), '"a\u202eb"', 'SQL_ASCII: one that turns the direction is escaped');
is($ascii->run(qq{SELECT answer_readable(to_jsonb(text 'a\x9b2Jb'))})->{state}, '22021', 'SQL_ASCII: one of no encoding is refused');
is($ascii->run(qq{SELECT answer_summary(jsonb_build_object('schema', text 'a\x9b2Jb'))})->{state}, '22021', 'SQL_ASCII: in a document as well');
$ascii->close;

is($server->crashed, 0, 'the server lost no process');
done_testing();
