#!/usr/bin/env perl
# tiers: long
# Time-stamps from a local authority, made with the openssl command: which are accepted, which are refused, and that the
# command agrees. `openssl ts` is strict, so tokens that it would not make are built from a TSTInfo of our own and signed
# with `openssl cms`.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use AnswerServer;
use JSON::PP;
use MIME::Base64 qw(encode_base64);
use Test::More;

plan skip_all => 'no openssl command here' if (AnswerServer::command('openssl', 'version'))[0];

my $server = AnswerServer->new('ts', extended => 1);
my $dir = AnswerServer::tmp_dir() . '/authority';
my $id_ct_tstinfo = '1.2.840.113549.1.9.16.1.4';
my $json = JSON::PP->new->allow_nonref;
mkdir $dir or die "$dir: $!";
my $session = $server->session;

#
# the authority
#
sub openssl_try {
    my (@arguments) = @_;
    return AnswerServer::command('openssl', @arguments);
}

sub openssl {
    my (@arguments) = @_;
    my ($status, $output) = openssl_try(@arguments);
    die "openssl @arguments: $output" if $status;
    return $output;
}

spew("$dir/openssl.cnf", <<"CONF");
[req]
distinguished_name = name
[name]
[ca]
default_ca = ca_default
[ca_default]
database = $dir/index.txt
new_certs_dir = $dir
policy = anything
unique_subject = no
rand_serial = yes
x509_extensions = none
[anything]
organizationName = optional
commonName = supplied
[none]
basicConstraints = critical, CA:false
[root]
basicConstraints = critical, CA:true
keyUsage = critical, keyCertSign, cRLSign
[no_ca]
basicConstraints = critical, CA:false
keyUsage = critical, keyCertSign, cRLSign
[stamping]
basicConstraints = critical, CA:false
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, timeStamping
[not_critical]
extendedKeyUsage = timeStamping
[more_usages]
extendedKeyUsage = critical, timeStamping, codeSigning
[unknown_usage]
extendedKeyUsage = critical, timeStamping, 1.3.6.1.4.1.99999.1
[other_usage]
extendedKeyUsage = critical, codeSigning
[any_usage]
extendedKeyUsage = critical, anyExtendedKeyUsage
[no_usage]
basicConstraints = critical, CA:false
[wrong_key_usage]
keyUsage = critical, keyAgreement
extendedKeyUsage = critical, timeStamping
[other_names]
extendedKeyUsage = critical, timeStamping
subjectAltName = DNS:tsa.example, email:tsa\@example.org
[tsa]
default_tsa = plain
[plain]
serial = $dir/serial
default_policy = 1.2.3.4.1
other_policies = 1.2.3.4.2
digests = sha1, sha256, sha512
signer_digest = sha256
accuracy = secs:1, millisecs:500, microsecs:100
ordering = yes
tsa_name = yes
ess_cert_id_chain = no
ess_cert_id_alg = sha256
[chained]
serial = $dir/serial
default_policy = 1.2.3.4.1
digests = sha256
signer_digest = sha512
ess_cert_id_chain = yes
ess_cert_id_alg = sha1
CONF
spew("$dir/index.txt", '');
spew("$dir/serial", "01\n");

sub ec_key { my ($name) = @_; openssl('ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', "$dir/$name.key"); return }
sub rsa_key { my ($name, $bits) = @_; openssl('genrsa', '-out', "$dir/$name.key", $bits); return }

# Makes a certificate; issuer undef: signed by itself. Dates are YYYYMMDDHHMMSSZ.
sub certificate {
    my ($name, $issuer, $extensions, %options) = @_;
    ec_key($name) unless -e "$dir/$name.key";
    openssl('req', '-new', '-utf8', '-config', "$dir/openssl.cnf", '-key', "$dir/$name.key", '-out', "$dir/$name.csr",
        '-subj', $options{subject} || "/O=Test/CN=$name");
    openssl('ca', '-batch', '-notext', '-utf8', '-config', "$dir/openssl.cnf", '-in', "$dir/$name.csr", '-out', "$dir/$name.pem",
        '-extensions', $extensions, '-md', $options{md} || 'sha256', '-startdate', $options{from} || '20150101000000Z',
        '-enddate', $options{to} || '20991231235959Z',
        $issuer ? ('-cert', "$dir/$issuer.pem", '-keyfile', "$dir/$issuer.key") :
        ('-selfsign', '-keyfile', "$dir/$name.key"));
    return;
}

sub pem { my (@names) = @_; return join('', map { slurp("$dir/$_.pem") } @names) }

rsa_key('rsa', 2048);
rsa_key('small', 1024);
certificate('root', undef, 'root');
certificate('ec', 'root', 'stamping');
certificate('rsa', 'root', 'stamping');

# A receipt's request, as a file and as bytes.
sub request {
    my ($id, $policy) = @_;
    my $hex = $session->value("SELECT encode(answer_anchor_request('$id'" . ($policy ? ", '$policy'" : '') . "), 'hex')");
    spew("$dir/$id.tsq", pack('H*', $hex));
    return "$dir/$id.tsq";
}

my $replies = 0;

# The authority's response to a request file.
sub reply {
    my ($query, %options) = @_;
    my $out = "$dir/reply" . ++$replies . '.tsr';
    my $signer = $options{signer} || 'ec';
    openssl('ts', '-reply', '-config', "$dir/openssl.cnf", '-section', $options{section} || 'plain', '-queryfile',
        $query, '-signer', "$dir/$signer.pem", '-inkey', "$dir/$signer.key", '-out', $out, @{$options{more} || []});
    return slurp($out);
}

sub token_of {
    my ($response) = @_;
    spew("$dir/token.tsr", $response);
    openssl('ts', '-reply', '-config', "$dir/openssl.cnf", '-in', "$dir/token.tsr", '-token_out', '-out', "$dir/token.der");
    return slurp("$dir/token.der");
}

# A TSTInfo with any field as given to asn1parse -genconf; undef leaves one out.
sub tst_info {
    my ($imprint, %fields) = @_;
    my %all = (version => 'INTEGER:1', policy => 'OID:1.2.3.4.1', imprint => 'SEQUENCE:imprint', serial => 'INTEGER:7',
        time => 'GENERALIZEDTIME:20200601120000Z', %fields);
    my @order = qw(version policy imprint serial time accuracy ordering nonce tsa extensions more);
    my $conf = "asn1 = SEQUENCE:info\n[info]\n" . join('', map { "$_ = $all{$_}\n" } grep { defined $all{$_} } @order);
    $conf .= "[imprint]\nalgorithm = SEQUENCE:algorithm\noctets = " . ($imprint eq '' ? 'OCT:' : "FORMAT:HEX,OCT:$imprint") . "\n";
    $conf .= "[algorithm]\noid = OID:" . ($fields{hash} || 'sha256') . "\nnull = NULL\n" . ($fields{sections} || '');
    spew("$dir/info.cnf", $conf);
    openssl('asn1parse', '-genconf', "$dir/info.cnf", '-noout', '-out', "$dir/info.der");
    my $der = slurp("$dir/info.der");
    # An invalid time: OpenSSL 3.6 does not write it, so it is written as another string whose tag is then changed to a time.
    if ($all{time} =~ /^IA5STRING:(.*)/) {
        my $rest = chr(length $1) . $1;
        $der =~ s/^(.*)\x16\Q$rest\E/$1\x18$rest/s or die 'there is no such time in it';
    }
    return $der;
}

# Signs bytes as a TSTInfo, as a time-stamp is signed; options change that.
sub signed {
    my ($info, %options) = @_;
    my @signers = map { ('-signer', "$dir/$_.pem", '-inkey', "$dir/$_.key") } @{$options{signers} || [$options{signer} || 'ec']};
    spew("$dir/content.der", $info);
    openssl('cms', '-sign', '-in', "$dir/content.der", '-binary', '-nodetach', '-nosmimecap', '-econtent_type',
        $options{type} || $id_ct_tstinfo, '-md', $options{md} || 'sha256', $options{cades} // 1 ? '-cades' : (), @signers,
        @{$options{more} || []}, '-outform', 'DER', '-out', "$dir/signed.der");
    return slurp("$dir/signed.der");
}

#
# receipts
#
sub mint { return $session->value(q{SELECT answer_eval('{"checks": [{"tool": "postgres_server"}]}') ->> 'receipt_id'}) }

sub imprint_of {
    my ($id) = @_;
    return $session->value("SELECT substr(answer_digest(body), 8) FROM answer.receipt WHERE receipt_id = '$id'");
}

sub bytea { my ($bytes) = @_; return q('\x) . unpack('H*', $bytes) . q('::bytea) }

sub attach {
    my ($id, $bytes) = @_;
    my $result = $session->run("SELECT answer_anchor_attach('$id', " . bytea($bytes) . ')');
    return $result->{state} eq '00000' ? 'attached' : "$result->{state} $result->{err}";
}

# Returns what answer_anchor_verify says of a stored receipt with a given token.
sub verified {
    my ($id, $token, %terms) = @_;
    my $terms = join('', map { ", $_ => " . quoted($terms{$_}) } sort keys %terms);
    return $json->decode($session->value("SELECT answer_anchor_verify(body || jsonb_build_object('anchor',
        answer.anchor(" . bytea($token) . ", decode(substr(answer_digest(body), 8), 'hex'), '2026-01-01Z'))$terms)
        FROM answer.receipt WHERE receipt_id = '$id'"));
}

# Returns one line: the outcome, the steps that fail, and those that were not checked.
sub summary {
    my ($report) = @_;
    my $steps = $report->{steps} || {};
    my @failed = grep { defined $steps->{$_}{ok} && !$steps->{$_}{ok} } sort keys %$steps;
    my @unchecked = grep { !defined $steps->{$_}{ok} } sort keys %$steps;
    my $ok = $report->{ok} ? 1 : 0;
    return join(' ', $report->{outcome}, $ok == ($report->{outcome} ne 'mismatch') ? () : 'WRONG OK', @failed ? "-@failed" : (),
        @unchecked ? "?@unchecked" : ());
}

# Does the openssl command verify a token over an imprint?
sub openssl_verifies {
    my ($imprint, $token, $roots, @more) = @_;
    spew("$dir/check.der", $token);
    spew("$dir/check.pem", $roots);
    my ($status, $output) = openssl_try('ts', '-verify', '-config', "$dir/openssl.cnf", '-digest', $imprint, '-token_in', '-in', "$dir/check.der",
        '-CAfile', "$dir/check.pem", @more);
    return $output =~ /^Verification: OK$/m ? 1 : 0;
}

my $id = mint();
my $other = mint();
my $imprint = imprint_of($id);
my $root = pem('root');

#
# a request that openssl reads, answered
#
{
    my $query = request($id);
    my $text = openssl('ts', '-query', '-config', "$dir/openssl.cnf", '-in', $query, '-text');
    my ($data) = $text =~ /Message data:\n(.*?)\nPolicy/s;
    is(join('', map { /- (.{47})/ ? $1 =~ s/[ -]//gr : () } split(/\n/, $data)), $imprint, 'openssl reads the imprint in our request');
    like($text, qr/^Version: 1\nHash Algorithm: sha256\n/m, 'version and hash');
    like($text, qr/^Certificate required: yes$/m, 'it wants the certificate');
    my ($nonce) = $text =~ /^Nonce: (0x[0-9A-F]+)$/m;
    is(lc $nonce, $session->value("SELECT nonce FROM answer.anchor_request WHERE receipt_id = '$id'"), 'its nonce is remembered');
    like(openssl('ts', '-query', '-config', "$dir/openssl.cnf", '-in', request($id, '1.2.3.4.2'), '-text'), qr/^Policy OID: 1\.2\.3\.4\.2$/m,
        'and a policy');

    for my $kind (qw(ec rsa)) {
        my $request = request($id);
        my $response = reply($request, signer => $kind);
        my $token = token_of($response);
        spew("$dir/good.tsr", $response);
        my ($status, $output) = openssl_try('ts', '-verify', '-config', "$dir/openssl.cnf", '-queryfile', $request, '-in', "$dir/good.tsr", '-CAfile', "$dir/root.pem");
        like($output, qr/^Verification: OK$/m, "$kind: openssl verifies our request and the response");
        is(attach($id, $kind eq 'ec' ? $response : $token), 'attached', "$kind: " . ($kind eq 'ec' ? 'a response' : 'a token') . ' is attached');
        is($session->value("SELECT answer_receipt('$id') #>> '{anchor,token}'"), encode_base64($token, ''), "$kind: its token is in the receipt");
        is(summary(verified($id, $token)), 'declared ?chain', "$kind: declared without roots");
        my $report = verified($id, $token, roots => $root);
        is(summary($report), 'verified', "$kind: verified with them");
        is($report->{tsa}, "CN=$kind,O=Test", "$kind: the authority's name");
        is_deeply($report->{accuracy}, {seconds => 1, millis => 500, micros => 100}, "$kind: the accuracy");
        is($session->value("SELECT answer_anchor_verify(answer_receipt('$id'), " . quoted($root) . ") ->> 'outcome'"), 'verified', "$kind: as stored");
        is($session->value("SELECT answer_verify(answer_receipt('$id')) #>> '{ok}'"), 'true', "$kind: and the receipt verifies with it");
        is($session->value("SELECT answer_verify(answer_receipt('$id')) #>> '{steps,anchor,state}'"), 'declared', "$kind: where it is declared");
        is(attach($id, $token), 'attached', "$kind: again");
        like(attach($other, $token), qr/^22023 .*refused.*\n.*imprint/s, "$kind: not to another receipt");
        is(summary(verified($other, $token, roots => $root)), 'mismatch -imprint', "$kind: nor does it verify there");
    }
    is($session->value("SELECT count(*) FROM answer.anchor WHERE receipt_id = '$id'"), 2, 'two anchors are kept');
    is($session->value("SELECT answer_anchor_verify(answer_receipt('$id')) ->> 'tsa'"), 'CN=rsa,O=Test', 'the newest is shown');

    my $response = reply(request($id, '1.2.3.4.2'));
    is(verified($id, token_of($response))->{policy}, '1.2.3.4.2', 'a policy is honoured');
    is(attach($id, $response), 'attached', 'and attached');
    openssl('ts', '-query', '-config', "$dir/openssl.cnf", '-digest', $imprint, '-sha256', '-cert', '-out', "$dir/theirs.tsq");
    like(attach($id, reply("$dir/theirs.tsq")), qr/^22023 .*nonce is not that of a request/s, 'a nonce that we did not ask for is refused');
    openssl('ts', '-query', '-config', "$dir/openssl.cnf", '-digest', $imprint, '-sha256', '-cert', '-no_nonce', '-out', "$dir/theirs.tsq");
    like(attach($id, reply("$dir/theirs.tsq")), qr/^22023 .*has no nonce/s, 'so is none');
    my $third = mint();
    openssl('ts', '-query', '-config', "$dir/openssl.cnf", '-digest', imprint_of($third), '-sha256', '-cert', '-no_nonce', '-out', "$dir/theirs.tsq");
    is(attach($third, reply("$dir/theirs.tsq")), 'attached', 'unless nothing was asked for');
    openssl('ts', '-query', '-config', "$dir/openssl.cnf", '-digest', $imprint, '-sha256', '-cert', '-tspolicy', '1.2.3.9', '-out', "$dir/theirs.tsq");
    like(attach($id, reply("$dir/theirs.tsq")), qr/^22023 .*granted no token.*rejection/s, 'a rejection says so');
    # a requested policy must be in the token; this authority is made to ignore it
    my ($wanted) = $session->value("SELECT nonce FROM answer.anchor_request WHERE receipt_id = '$id' AND policy = '1.2.3.4.2' LIMIT 1");
    like(attach($id, signed(tst_info($imprint, nonce => "INTEGER:$wanted"))), qr/^22023 .*policy is 1\.2\.3\.4\.1, and 1\.2\.3\.4\.2 was requested/s,
        'another policy than the one asked for is refused');
    for my $status (0 .. 1) {
        my $made = signed(tst_info($imprint, nonce => "INTEGER:$wanted", policy => 'OID:1.2.3.4.2', serial => "INTEGER:1$status"));
        my $content = pack('H*', sprintf('30030201%02x', $status)) . $made;
        is(attach($id, pack('H*', '3082') . pack('n', length $content) . $content), 'attached', "status $status");
    }
    # BER from an authority is stored as DER
    my $ber = reply(request($id));
    my $der = token_of($ber);
    my ($bytes) = unpack('x4 a*', $der);
    is(attach($id, "\x30\x80$bytes\0\0"), 'attached', 'a token of indefinite length');
    is($session->value("SELECT answer_receipt('$id') #>> '{anchor,token}'"), encode_base64($der, ''), 'is stored in DER');
    is(summary(verified($id, "\x30\x80$bytes\0\0", roots => $root)), 'mismatch', 'and not verified in anything else');
}

#
# certificates and their chains; every token is from the year 2020
#
certificate('then', undef, 'root', subject => '/CN=Root of 2015', from => '20150101000000Z', to => '20220101000000Z');
certificate('middle', 'then', 'root', subject => '/CN=Intermediate', from => '20160101000000Z', to => '20210101000000Z');
certificate('leaf', 'middle', 'stamping', from => '20200101000000Z', to => '20201231235959Z');
certificate('late', 'then', 'stamping', from => '20210101000000Z', to => '20211231235959Z');
certificate('early', 'then', 'stamping', from => '20190101000000Z', to => '20200531235959Z');
certificate('namesake', undef, 'root', subject => '/O=Test/CN=root');
certificate('no_ca', 'root', 'no_ca');
certificate('below', 'no_ca', 'stamping');
certificate($_, 'root', $_) for qw(not_critical more_usages unknown_usage other_usage any_usage no_usage wrong_key_usage other_names);
certificate('small', 'root', 'stamping');
certificate('sha1_leaf', 'root', 'stamping', md => 'sha1');
certificate('pinned', undef, 'stamping');
certificate('rsa_too', 'root', 'stamping');
{
    # signer, roots, without roots, with them, terms; what openssl says where it differs
    my @cases = (
        ['good', 'ec', ['root'], 'declared ?chain', 'verified'],
        ['good, RSA', 'rsa', ['root'], 'declared ?chain', 'verified'],
        ['trusted by itself', 'pinned', ['pinned'], 'declared ?chain', 'verified'],
        ['a namesake of the root', 'ec', ['namesake'], 'declared ?chain', 'mismatch -chain'],
        ['both', 'ec', ['namesake', 'root'], 'declared ?chain', 'verified'],
        ['no root, only the certificate', 'ec', ['ec'], 'declared ?chain', 'mismatch -chain'],
        ['expired now, valid then', 'leaf', ['middle', 'then'], 'declared ?chain', 'verified'],
        ['the intermediate is missing', 'leaf', ['then'], 'declared ?chain', 'mismatch -chain'],
        ['valid from later on', 'late', ['then'], 'mismatch -chain', 'mismatch -chain'],
        ['expired before', 'early', ['then'], 'mismatch -chain', 'mismatch -chain'],
        ['below one that is no authority', 'below', ['no_ca', 'root'], 'declared ?chain', 'mismatch -chain'],
        ['usage not critical', 'not_critical', ['root'], 'mismatch -eku ?chain', 'mismatch -eku'],
        ['more usages', 'more_usages', ['root'], 'mismatch -eku ?chain', 'mismatch -eku'],
        ['a usage more, unknown to OpenSSL', 'unknown_usage', ['root'], 'mismatch -eku ?chain', 'mismatch -eku', 1],
        ['another usage', 'other_usage', ['root'], 'mismatch -eku ?chain', 'mismatch -eku'],
        ['any usage', 'any_usage', ['root'], 'mismatch -eku ?chain', 'mismatch -eku'],
        ['no usage', 'no_usage', ['root'], 'mismatch -eku ?chain', 'mismatch -eku'],
        ['wrong key usage', 'wrong_key_usage', ['root'], 'mismatch -eku ?chain', 'mismatch -eku'],
        ['RSA of 1024 bits', 'small', ['root'], 'mismatch -signature ?chain', 'mismatch -chain signature', 1],
        ['certified with SHA-1', 'sha1_leaf', ['root'], 'declared ?chain', 'mismatch -chain', 1],
    );
    for my $case (@cases) {
        my ($what, $signer, $roots, $without, $with, $openssl_accepts) = @$case;
        my $token = signed(tst_info($imprint), signer => $signer);
        is(summary(verified($id, $token)), $without, "$what: without roots");
        is(summary(verified($id, $token, roots => pem(@$roots))), $with, "$what: with roots");
        spew("$dir/untrusted.pem", pem(@$roots));
        is(openssl_verifies($imprint, $token, pem(@$roots), '-untrusted', "$dir/untrusted.pem", '-attime', 1591012800), $openssl_accepts || ($with eq 'verified' ? 1 : 0),
            "$what: as openssl has it" . ($openssl_accepts ? ', which is less strict' : ''));
    }
    my $token = signed(tst_info($imprint), signer => 'leaf');
    my $roots = pem('then', 'middle');
    my $report = verified($id, $token, roots => $roots);
    is($report->{gen_time}, '2020-06-01T12:00:00Z', 'genTime in the past');
    is($report->{steps}{chain}{at}, '2020-06-01T12:00:00Z', 'is when the chain is judged');
    is(summary(verified($id, $token, roots => $roots, at => $_->[0])), $_->[1], "the chain at $_->[0]")
        for ['2020-01-01 00:00:00Z', 'verified'], ['2019-12-31 23:59:59Z', 'mismatch -chain'], ['2020-12-31 23:59:58Z', 'verified'],
        ['2021-01-01Z', 'mismatch -chain'], [$session->value('SELECT now()'), 'mismatch -chain'];
    like(verified($id, $token, roots => $roots, at => '2021-02-01Z')->{reason}, qr/has expired/, 'it says that it has expired');
    like(verified($id, $token, roots => $roots, at => '2019-02-01Z')->{reason}, qr/not yet valid/, 'or is not valid yet');
}

#
# the signer, and how it signed
#
{
    my $info = tst_info($imprint);
    # a second certificate of the same name, number and key
    my $serial = openssl('x509', '-in', "$dir/ec.pem", '-noout', '-serial') =~ s/^serial=(\w+)\s*$/0x$1/r;
    openssl('x509', '-req', '-in', "$dir/ec.csr", '-CA', "$dir/root.pem", '-CAkey', "$dir/root.key", '-set_serial', $serial, '-days', 3650,
        '-extfile', "$dir/openssl.cnf", '-extensions', 'stamping', '-out', "$dir/twin.pem");
    my @cases = (
        ['the certificate is not in it', [more => ['-nocerts']], 'declared ?chain eku signature', 'mismatch -chain signature ?eku'],
        ['a certificate in its place', [more => ['-nocerts', '-certfile', "$dir/rsa.pem"]], 'declared ?chain eku signature', 'mismatch -chain signature ?eku'],
        ['a twin of the certificate, from today', [more => ['-nocerts', '-certfile', "$dir/twin.pem"]], 'mismatch -chain signature', 'mismatch -chain signature'],
        ['more certificates', [more => ['-certfile', "$dir/rsa.pem"]], 'declared ?chain', 'verified'],
        ['no ESS attribute', [cades => 0], 'mismatch -signature ?chain', 'mismatch -signature'],
        ['no signed attributes', [cades => 0, more => ['-noattr']], 'mismatch -signature ?chain', 'mismatch -signature'],
        ['SHA-1', [md => 'sha1'], 'mismatch -signature ?chain', 'mismatch -signature'],
        ['SHA-224', [md => 'sha224'], 'declared ?chain', 'verified'],
        ['SHA-512', [md => 'sha512'], 'declared ?chain', 'verified'],
        ['two signatures', [signers => ['ec', 'rsa']], 'mismatch', 'mismatch'],
        ['RSA-PSS, which OpenSSL does not verify in time-stamps', [signer => 'rsa', more => ['-keyopt', 'rsa_padding_mode:pss']], 'mismatch -signature ?chain', 'mismatch -signature'],
        ['not said to be a time-stamp', [type => '1.2.840.113549.1.7.1'], 'mismatch', 'mismatch'],
        ['named by key identifier', [more => ['-keyid']], 'mismatch', 'mismatch'],
    );
    for my $case (@cases) {
        my ($what, $options, $without, $with) = @$case;
        my $token = signed($info, @$options);
        my $report = verified($id, $token);
        is(summary($report), $without, "$what: without roots") or diag($report->{reason});
        is(summary(verified($id, $token, roots => $root)), $with, "$what: with roots");
    }
    my $bare = signed($info, more => ['-nocerts']);
    is(summary(verified($id, $bare, roots => pem('root', 'ec'))), 'verified', 'the certificate among the roots');
    is(summary(verified($id, $bare, roots => pem('ec'))), 'mismatch -chain', 'which does not make it one');
    is(summary(verified($id, $bare, roots => pem('root', 'twin'))), 'mismatch -chain signature', 'nor is a twin taken for it');
    like(attach($id, $bare), qr/^22023 .*certificate of its signer is not in it/s, 'without it, a token is not attached');

    # the signature names the whole chain
    certificate('inner', 'root', 'root');
    certificate('inner_tsa', 'inner', 'stamping');
    my $fourth = mint();
    my $token = token_of(reply(request($fourth), signer => 'inner_tsa', section => 'chained', more => ['-chain', "$dir/inner.pem"]));
    is(summary(verified($fourth, $token, roots => $root)), 'verified', 'a chain named by ESSCertID');
    is(summary(verified($fourth, $token)), 'declared ?chain', 'is declared without roots');
    is(attach($fourth, $token), 'attached', 'and attached');
    $token = token_of(reply(request($fourth), signer => 'ec', section => 'chained', more => ['-chain', "$dir/inner.pem"]));
    is(summary(verified($fourth, $token)), 'declared ?chain', 'one that names a certificate at hand');
    my $report = verified($fourth, $token, roots => $root);
    is(summary($report), 'mismatch -chain', 'which is not of the chain');
    like($report->{reason}, qr/as a whole/, 'is refused by OpenSSL');
}

#
# the contents of the token
#
{
    my $name = "[names]\ndir = EXPLICIT:4,SEQUENCE:rdns\n[rdns]\no = SET:o\ncn = SET:cn\n[o]\no = SEQUENCE:o2\n[cn]\ncn = SEQUENCE:cn2\n" .
        "[o2]\noid = OID:organizationName\nv = %s:Test\n[cn2]\noid = OID:commonName\nv = %s:%s\n";
    my $name_of = sub { my ($cn, $type) = @_; $type ||= 'UTF8'; return sprintf($name, $type, $type, $cn) };
    my $critical = "[extensions]\none = SEQUENCE:extension\n[extension]\noid = OID:1.2.3.4.5\ncritical = BOOLEAN:%s\nvalue = OCTETSTRING:x\n";
    my $accuracy = "[accuracy]\ns = INTEGER:%s\nm = IMPLICIT:0,INTEGER:%s\nu = IMPLICIT:1,INTEGER:%s\n";
    my @cases = (
        ['nothing more', [], 'verified'],
        ['version 2', [version => 'INTEGER:2'], 'mismatch'],
        ['an extension', [extensions => 'IMPLICIT:1,SEQUENCE:extensions', sections => sprintf($critical, 'FALSE')], 'verified'],
        ['a critical extension', [extensions => 'IMPLICIT:1,SEQUENCE:extensions', sections => sprintf($critical, 'TRUE')], 'mismatch'],
        ['hash sha512 with the same bytes', [hash => 'sha512'], 'mismatch -imprint'],
        ['hash sha1', [hash => 'sha1'], 'mismatch -imprint'],
        ['milliseconds', [time => 'GENERALIZEDTIME:20200601120000.123Z'], 'verified', '2020-06-01T12:00:00.123000Z'],
        ['nanoseconds', [time => 'GENERALIZEDTIME:20200601120000.123456789Z'], 'verified', '2020-06-01T12:00:00.123456Z'],
        ['the last fraction', [time => 'GENERALIZEDTIME:20200601120000.999999999999Z'], 'verified', '2020-06-01T12:00:00.999999Z'],
        ['a zero at the end', [time => 'GENERALIZEDTIME:20200601120000.50Z'], 'mismatch'],
        ['nothing behind the point', [time => 'IA5STRING:20200601120000.Z'], 'mismatch'],
        ['an offset', [time => 'GENERALIZEDTIME:20200601120000+0100'], 'mismatch'],
        ['local time', [time => 'IA5STRING:20200601120000'], 'mismatch'],
        ['no seconds', [time => 'IA5STRING:202006011200Z'], 'mismatch'],
        ['no such day', [time => 'IA5STRING:20200230120000Z'], 'mismatch'],
        ['a leap second', [time => 'IA5STRING:20200601120060Z'], 'mismatch'],
        ['letters', [time => 'IA5STRING:2020o601120000Z'], 'mismatch'],
        ['empty time', [time => 'IA5STRING:'], 'mismatch'],
        ['UTCTime', [time => 'UTCTIME:200601120000Z'], 'mismatch'],
        ['year 9999', [time => 'GENERALIZEDTIME:99991231235959Z'], 'mismatch -chain'],
        ['year 0', [time => 'IA5STRING:00000101000000Z'], 'mismatch'],
        ['serial number 0', [serial => 'INTEGER:0'], 'verified'],
        ['a negative serial number', [serial => 'INTEGER:-5'], 'verified'],
        ['a serial number of 160 bits', [serial => 'INTEGER:0x' . 'f' x 40], 'verified'],
        ['one of 512 bits', [serial => 'INTEGER:0x' . '7' x 128], 'verified'],
        ['one of 520 bits', [serial => 'INTEGER:0x' . '7' x 130], 'mismatch'],
        ['a nonce of 512 bits', [nonce => 'INTEGER:0x' . '7' x 128], 'verified'],
        ['one of 520 bits', [nonce => 'INTEGER:0x' . '7' x 130], 'mismatch'],
        ['a negative nonce', [nonce => 'INTEGER:-1'], 'verified'],
        ['a long policy', [policy => 'OID:1.2' . '.1' x 120], 'verified'],
        ['a longer one', [policy => 'OID:1.2' . '.1' x 200], 'mismatch'],
        ['an accuracy', [accuracy => 'SEQUENCE:accuracy', sections => sprintf($accuracy, 1, 999, 999)], 'verified'],
        ['one of nothing', [accuracy => 'SEQUENCE:accuracy', sections => sprintf($accuracy, 0, 0, 0)], 'verified'],
        ['a thousand millis', [accuracy => 'SEQUENCE:accuracy', sections => sprintf($accuracy, 1, 1000, 1)], 'mismatch -accuracy'],
        ['a thousand micros', [accuracy => 'SEQUENCE:accuracy', sections => sprintf($accuracy, 1, 1, 1000)], 'mismatch -accuracy'],
        ['negative seconds', [accuracy => 'SEQUENCE:accuracy', sections => sprintf($accuracy, -1, 1, 1)], 'mismatch -accuracy'],
        ['negative micros', [accuracy => 'SEQUENCE:accuracy', sections => sprintf($accuracy, 1, 1, -1)], 'mismatch -accuracy'],
        ['seconds without end', [accuracy => 'SEQUENCE:accuracy', sections => sprintf($accuracy, '0x' . '7' x 40, 1, 1)], 'mismatch -accuracy'],
        ['the name of the authority', [tsa => 'EXPLICIT:0,SEQWRAP,UTF8:x', tsa => 'EXPLICIT:0,EXPLICIT:4,SEQUENCE:rdns', sections => $name_of->('ec')], 'verified'],
        ['the same in another string type', [tsa => 'EXPLICIT:0,EXPLICIT:4,SEQUENCE:rdns', sections => $name_of->('EC', 'PRINTABLE')], 'verified'],
        ['another name', [tsa => 'EXPLICIT:0,EXPLICIT:4,SEQUENCE:rdns', sections => $name_of->('rsa')], 'mismatch -signature'],
        ['a DNS name that it has not', [tsa => 'EXPLICIT:0,IMPLICIT:2,IA5STRING:tsa.example'], 'mismatch -signature'],
        ['a field more', [more => 'UTF8:x'], 'mismatch'],
    );
    for my $case (@cases) {
        my ($what, $fields, $expected, $gen_time) = @$case;
        my $report = verified($id, signed(tst_info($imprint, @$fields)), roots => $root);
        is(summary($report), $expected, $what) or diag($report->{reason});
        is($report->{gen_time}, $gen_time, "$what: genTime") if $gen_time;
    }
    is(summary(verified($id, signed(tst_info($imprint, tsa => "EXPLICIT:0,IMPLICIT:$_->[0],IA5STRING:$_->[1]"), signer => 'other_names'), roots => $root)), 'verified',
        "a name that the certificate has besides: $_->[1]") for [2, 'tsa.example'], [1, 'tsa@example.org'];
    is(summary(verified($id, signed(tst_info($imprint) . "\0"), roots => $root)), 'mismatch', 'a byte behind the TSTInfo');
    is(summary(verified($id, signed(tst_info(substr($imprint, 0, 62))), roots => $root)), 'mismatch -imprint', 'an imprint of 31 bytes');
    is(summary(verified($id, signed(tst_info($imprint . '00')), roots => $root)), 'mismatch -imprint', 'an imprint of 33 bytes');
    is(summary(verified($id, signed(tst_info('')), roots => $root)), 'mismatch -imprint', 'an empty imprint');
    my $token = signed(tst_info($imprint, nonce => 'INTEGER:0x00ff'));
    is(verified($id, $token, nonce => $_->[0])->{steps}{nonce}{state}, $_->[1], "nonce $_->[0]") for ['255', 'matches'], ['0xff', 'matches'], ['0xfe', 'differs'], ['-255', 'differs'];
    $token = signed(tst_info($imprint));
    is(summary(verified($id, $token, roots => $root, nonce => '255')), 'mismatch -nonce', 'no nonce where one is asked for');
    is(summary(verified($id, $token, roots => $root, policy => '1.2.3.4.1')), 'verified', 'the policy asked for');
    is(summary(verified($id, $token, roots => $root, policy => '1.2.3.4')), 'mismatch -policy', 'another policy');
}

#
# every bit of a token, and every length
#
$server->value("CREATE TABLE root AS SELECT " . quoted($root) . "::text AS pem");
$server->value(q{CREATE FUNCTION outcome(id text, token bytea) RETURNS text STABLE LANGUAGE sql AS $$
    SELECT answer_anchor_verify(body || jsonb_build_object('anchor', answer.anchor(token, decode(substr(answer_digest(body), 8), 'hex'),
        '2026-01-01Z')), (SELECT pem FROM root)) ->> 'outcome' FROM answer.receipt WHERE receipt_id = id $$});
# every bit and every length in long
my $step = by_tier(7, 7, 1);
sub of_every { my ($count) = @_; return int(($count + $step - 1) / $step) }
for my $kind (qw(ec rsa)) {
    my $token = token_of(reply(request($id), signer => $kind));
    my $literal = bytea($token);
    my $n = length $token;
    is($session->value("SELECT outcome('$id', $literal)"), 'verified', "$kind: a token of $n bytes verifies");
    is($session->value("SELECT string_agg(o || ' ' || c, ' ') FROM (SELECT outcome('$id', set_bit(t, i, 1 - get_bit(t, i))) o, count(*) c
        FROM (SELECT $literal t) x, generate_series(0, 8 * $n - 1, $step) i GROUP BY 1) g"), 'mismatch ' . of_every(8 * $n), "$kind: not with any bit turned");
    is($session->value("SELECT string_agg(o || ' ' || c, ' ') FROM (SELECT outcome('$id', substr(t, 1, i)) o, count(*) c
        FROM (SELECT $literal t) x, generate_series(0, $n - 1, $step) i GROUP BY 1) g"), 'mismatch ' . of_every($n), "$kind: nor cut at any length");
    is($session->value("SELECT string_agg(o || ' ' || c, ' ') FROM (SELECT outcome('$id', overlay(t placing decode(b, 'hex') from i for l)) o, count(*) c
        FROM (SELECT $literal t) x, generate_series(1, $n, 3 * $step) i, unnest('{1,0,2}'::int[], '{\"\",ff,a0803080}'::text[]) v (l, b) GROUP BY 1) g"), 'mismatch ' . 3 * of_every(int(($n + 2) / 3)),
        "$kind: nor with bytes lost, added or exchanged");
}

#
# memory, cancels, concurrency
#
SKIP: {
    skip('no /proc/self/status with RssAnon here', 4) unless -r '/proc/self/status' && slurp('/proc/self/status') =~ /^RssAnon:/m;
    my $token = token_of(reply(request($id), signer => 'rsa'));
    my $memory = $server->session;
    my $rss = sub { return (slurp('/proc/' . $memory->backend . '/status') =~ /^RssAnon:\s*(\d+)/m)[0] / 1024 };
    my $loop = sub {
        my ($n, $token, $roots) = @_;
        return "DO \$\$ DECLARE r jsonb; p text; BEGIN SELECT body || jsonb_build_object('anchor', answer.anchor(" . bytea($token) .
            ", decode(substr(answer_digest(body), 8), 'hex'), '2026-01-01Z')), " . quoted($roots) . " INTO r, p FROM answer.receipt WHERE receipt_id = '$id';
            FOR i IN 1 .. $n LOOP PERFORM answer_anchor_verify(r, p), answer_anchor_verify(r); END LOOP; END \$\$";
    };
    my %cases = ('a good token' => [$token, $root], 'a cut token' => [substr($token, 0, 1000), $root], 'a token with another signature' => [substr($token, 0, -1) . "\0", $root],
        'malformed roots' => [$token, $root . "-----BEGIN CERTIFICATE-----\n"]);
    for my $what (sort keys %cases) {
        $memory->value($loop->(200, @{$cases{$what}}));
        my $before = $rss->();
        $memory->value($loop->(by_tier(2_000, 2_000, 10_000), @{$cases{$what}}));
        cmp_ok($rss->() - $before, '<', 2, sprintf("%s, again and again: from %.1f MB to %.1f MB", $what, $before, $rss->()));
    }
    is($memory->run("SET statement_timeout = 100; " . $loop->(1_000_000, $token, $root))->{state}, '57014', 'it can be cancelled');
    $memory->close;
}
# one token with other bytes in unsigned places, and the largest number of anchors
{
    my $many = mint();
    my $info = tst_info(imprint_of($many), serial => 'INTEGER:4711');
    my @variants = map { signed($info, more => [map { ('-certfile', "$dir/$_.pem") } @$_]) } [], ['root'], ['rsa'], [], ['root'];
    my %different = map { $_ => 1 } @variants;
    cmp_ok(scalar keys %different, '>', 2, 'one token in several variants');
    my @answers = map { $session->value("SELECT answer_anchor_attach('$many', " . bytea($_) . ')') } @variants;
    is(scalar(grep { $_ eq $answers[0] } @answers), 5, 'each is attached, and answered with the first');
    is($session->value("SELECT count(*) FROM answer.anchor WHERE receipt_id = '$many'"), 1, 'which is the one that is kept');
    is($session->value("SELECT answer_receipt('$many') #>> '{anchor,token}'"), encode_base64($variants[0], ''), 'and shown');
    is(attach($many, signed(tst_info(imprint_of($many), serial => 'INTEGER:4712'))), 'attached', 'another serial number is another token');
    is(attach($many, signed($info, signer => 'rsa')), 'attached', 'and so is what another authority says');
    is($session->value("SELECT count(*) FROM answer.anchor WHERE receipt_id = '$many'"), 3, 'three are kept');
    $session->value("INSERT INTO answer.anchor SELECT '$many', 'sha256:' || n, '\\x00', sha256(''), '2020-01-01Z' FROM generate_series(1, 96) n");
    my @last = map { signed(tst_info(imprint_of($many), serial => "INTEGER:$_")) } 5000, 5001;
    is(attach($many, $last[0]), 'attached', 'the hundredth is attached');
    like(attach($many, $last[1]), qr/^54000 .*has 100 anchors.*The most are 100/s, 'another one is not');
    is(attach($many, $last[0]), 'attached', 'one that is there is no other one');
    # two sessions at once are counted one after the other
    my $rival = mint();
    $session->value("INSERT INTO answer.anchor SELECT '$rival', 'sha256:' || n, '\\x00', sha256(''), '2020-01-01Z' FROM generate_series(1, 99) n");
    my $other_session = $server->session;
    $session->value('BEGIN');
    is(attach($rival, signed(tst_info(imprint_of($rival), serial => 'INTEGER:1'))), 'attached', 'one of two is the hundredth');
    $other_session->send("SELECT answer_anchor_attach('$rival', " . bytea(signed(tst_info(imprint_of($rival), serial => 'INTEGER:2'))) . ')');
    $session->value('COMMIT');
    is($other_session->wait->{state}, '54000', 'and the other one is too late');
    $other_session->close;
    my $asked = mint();
    $session->value("INSERT INTO answer.anchor_request SELECT '$asked', '0x' || to_hex(n), NULL, now() FROM generate_series(1, 999) n");
    ok(request($asked), 'the thousandth request');
    is($session->run("SELECT answer_anchor_request('$asked')")->{state}, '54000', 'and no more');
}
{
    my $fifth = mint();
    my @responses = map { reply(request($fifth)) } 1 .. 4;
    my @sessions = map { $server->session } 1 .. 8;
    for my $i (0 .. $#sessions) {
        $sessions[$i]->send("SELECT answer_anchor_attach('$fifth', " . bytea($responses[$i % 4]) . ") ->> 'attached_at'");
    }
    my @results = map { $_->wait } @sessions;
    is(join(' ', map { $_->{state} } @results), join(' ', ('00000') x 8), 'eight sessions attach four tokens, each twice');
    is($session->value("SELECT count(*) FROM answer.anchor WHERE receipt_id = '$fifth'"), 4, 'and four are there');
    is($results[$_]{out}, $results[$_ + 4]{out}, "both say alike when: $_") for 0 .. 3;
    $_->close for @sessions;

    $session->value('BEGIN');
    my $query = request($fifth);
    my $response = reply($query);
    is(attach($fifth, $response), 'attached', 'a request and its token in one transaction');
    $session->value('ROLLBACK');
    like(attach($fifth, $response), qr/^22023 .*nonce is not that of a request/s, 'which when rolled back was never asked for');
}

#
# a receipt that is forgotten, and databases of other encodings
#
{
    my $forgotten = mint();
    my $digest = imprint_of($forgotten);
    my @responses = map { reply(request($forgotten)) } 1, 2;
    is(attach($forgotten, $responses[0]), 'attached', 'a receipt is anchored');
    $session->value("SELECT answer_forget('$forgotten', 'because')");
    is($session->value("SELECT (answer_verify(answer_receipt('$forgotten')) ->> 'ok') || ' ' || (answer_receipt('$forgotten') ? 'anchor')"), 'true false',
        'and forgotten: its tombstone verifies, and is shown without the anchor');
    is($session->value("SELECT answer_anchor_verify(answer_receipt('$forgotten') || jsonb_build_object('anchor', answer.anchor(token, imprint, attached_at)), "
        . quoted($root) . ") #>> '{outcome}' FROM answer.anchor WHERE receipt_id = '$forgotten'"), 'verified', 'the anchor stands for its digest');
    is($session->run("SELECT answer_anchor_attach('$forgotten', " . bytea($responses[1]) . ") ->> 'imprint'")->{out}, $digest, 'what was under way is attached');
    like(attach($other, reply(request($forgotten))), qr/^22023 /, 'to nothing else');
}
{
    # a document with escaped characters that the database lacks, and an authority with an accent in its name
    certificate('accent', 'root', 'stamping', subject => "/O=Test/CN=Caf\xc3\xa9");
    my $document = '{"schema": "answer/v1", "note": "\u65e5\ud83d\ude00 caf\u00e9"}';
    my $digest = $session->value("SELECT substr(answer_digest('$document'), 8)");
    my $anchor = $session->value('SELECT answer.anchor(' . bytea(signed(tst_info($digest), signer => 'accent'))
        . ", decode('$digest', 'hex'), '2026-01-01Z')");
    (my $anchored = $document) =~ s/\}\z/, "anchor": $anchor}/;
    for my $encoding (qw(UTF8 LATIN1 EUC_JP SQL_ASCII)) {
        my $dbname = lc "in_$encoding";
        $server->value("CREATE DATABASE $dbname TEMPLATE template0 ENCODING '$encoding' LOCALE 'C'");
        my $there = $server->session(dbname => $dbname, setup => ['CREATE EXTENSION answer_eval']);
        my $report = $json->decode($there->value('SELECT answer_anchor_verify(' . quoted($anchored) . '::text, ' . quoted($root) . ')'));
        is(summary($report), 'verified', "$encoding: verified");
        like($report->{tsa}, qr/^CN=Caf\\C3\\A9,/, "$encoding: by the authority with an accent");
        is($there->value('SELECT answer_anchor_verify(' . quoted($anchored =~ s/u65e5/u65e6/r) . "::$_, " . quoted($root) . ") ->> 'outcome'"),
            'mismatch', "$encoding: not if changed, as $_") for qw(text);
        is($there->value("SELECT answer_anchor_verify('{\"anchor\": {\"token\": \"\\ud83d\"}}'::text) ->> 'outcome'"), 'mismatch', "$encoding: nor if malformed");
        $there->close;
    }
}

#
# privileges
#
{
    $server->value($_) for ('CREATE ROLE keeper LOGIN', 'CREATE ROLE reader LOGIN', 'CREATE ROLE nobody LOGIN',
        'GRANT EXECUTE ON FUNCTION answer_anchor_request, answer_anchor_attach TO keeper',
        'GRANT USAGE ON SCHEMA answer TO keeper', 'GRANT SELECT ON answer.receipt TO keeper', 'GRANT EXECUTE ON FUNCTION answer_receipt TO reader',
        'GRANT USAGE ON SCHEMA answer TO reader', 'GRANT SELECT ON answer.receipt TO reader');
    my $sixth = mint();
    my $keeper = $server->session(user => 'keeper');
    spew("$dir/keeper.tsq", pack('H*', $keeper->value("SELECT encode(answer_anchor_request('$sixth'), 'hex')")));
    my $response = reply("$dir/keeper.tsq");
    is($keeper->run("SELECT answer_anchor_attach('$sixth', " . bytea($response) . ") ->> 'hash_alg'")->{out}, 'sha256', 'EXECUTE is enough to request and attach');
    is($keeper->run($_)->{state}, '42501', "but not for: $_") for ("SELECT answer_receipt('$sixth')", 'SELECT FROM answer.anchor', 'SELECT FROM answer.anchor_request',
        q{INSERT INTO answer.anchor VALUES ('x', 'x', 'x', sha256(''), now())}, 'DELETE FROM answer.anchor');
    $keeper->close;
    my $reader = $server->session(user => 'reader');
    is($reader->run("SELECT answer_receipt('$sixth')")->{state}, '42501', 'a reader of receipts alone');
    $server->value('GRANT SELECT ON answer.anchor TO reader');
    is($reader->value("SELECT answer_anchor_verify(answer_receipt('$sixth')) ->> 'outcome'"), 'declared', 'needs SELECT on the anchors as well');
    is($reader->run("SELECT answer_anchor_request('$sixth')")->{state}, '42501', 'and requests nothing');
    $reader->close;
    # a search path with hostile objects
    my $seventh = mint();
    my $evil = $server->session(setup => ['CREATE SCHEMA evil', q{CREATE FUNCTION evil.no(text, text) RETURNS boolean LANGUAGE plpgsql
        AS $$ BEGIN RAISE EXCEPTION 'the evil operator was called'; END $$}, 'CREATE OPERATOR evil.= (FUNCTION = evil.no, LEFTARG = text, RIGHTARG = text)',
        'CREATE TABLE evil.anchor (evil int)', 'CREATE TABLE evil.anchor_request (evil int)', 'SET search_path = evil, pg_catalog, public']);
    is($evil->run("SELECT 'a'::text = 'b'::text")->{state}, 'P0001', 'an operator is in front');
    spew("$dir/evil.tsq", pack('H*', $evil->value("SELECT encode(answer_anchor_request('$seventh', '1.2.3.4.2'), 'hex')")));
    $response = reply("$dir/evil.tsq");
    is($evil->run("SELECT answer_anchor_attach('$seventh', " . bytea($response) . ") ->> 'hash_alg'")->{out}, 'sha256', "and not called: $_") for 1, 2;
    is($evil->value("SELECT answer_receipt('$seventh') ? 'anchor'"), 't', 'nor where the receipt is shown');
    $evil->value('RESET search_path');
    $evil->value('DROP SCHEMA evil CASCADE');
    $evil->close;
    my $nobody = $server->session(user => 'nobody');
    is($nobody->value(q{SELECT answer_anchor_verify('{}') ->> 'outcome'}), 'absent', 'everybody verifies');
    is($nobody->run("SELECT answer_anchor_attach('$sixth', '\\x')")->{state}, '42501', 'and attaches nothing');
    $nobody->close;
}

#
# every kind of document
#
{
    my %minted = (
        'quality/v1' => q{SELECT answer_quality_receipt(answer_investigation_open('Locate', 'where is it')) ->> 'receipt_id'},
        'decision/v1' => q{SELECT answer_grounded('When is the tide high?') ->> 'receipt_id'},
        'packet/v1' => q{SELECT answer_packet_receipt('tides', 'When is the tide high?') ->> 'receipt_id'},
        'change/v1' => q{SELECT answer_source_register('tides'); SELECT receipt_id FROM answer.receipt WHERE schema = 'change/v1' ORDER BY receipt_id LIMIT 1},
    );
    spew("$dir/keys.json", $session->value('SELECT answer_key_registry()'));
    for my $schema (sort keys %minted) {
        my ($receipt) = $session->value($minted{$schema}) =~ /(\w+)$/;
        is($session->value("SELECT schema FROM answer.receipt WHERE receipt_id = '$receipt'"), $schema, "$schema is minted");
        my $token = token_of(reply(request($receipt)));
        is(attach($receipt, $token), 'attached', "$schema is time-stamped");
        is($session->value("SELECT answer_anchor_verify(answer_receipt('$receipt'), " . quoted($root) . ") ->> 'outcome'"), 'verified',
            "the time-stamp of $schema verifies");
        my $file = spew("$dir/$schema.json" =~ s{/v1}{}r, $session->value("SELECT answer_receipt('$receipt')"));
        my @tool = (root_dir() . '/tools/answer-verify', 'receipt', $file, '--keys', "$dir/keys.json", '--roots', "$dir/root.pem");
        my ($status, $said) = AnswerServer::command(@tool);
        is($status, 0, "the tool agrees on $schema") or diag($said);
        spew($file, slurp($file) =~ s/"token": ?"(.{200})(.)/q("token": ") . $1 . ($2 eq 'A' ? 'B' : 'A')/er);
        is((AnswerServer::command(@tool))[0], 1, "and on $schema with another token");
    }
}

#
# the audit reports no attached anchor, and every change of one
#
{
    my $findings = sub { return $session->value(q{SELECT coalesce(string_agg(format('%s: %s', finding, detail), chr(10) ORDER BY finding, detail), '')
        FROM answer_log_audit() WHERE finding NOT IN ('forgotten', 'detached')
        -- of two receipts this program has put anchors there itself, that they have many
        AND coalesce(receipt_id, '') <> ALL (ARRAY(SELECT receipt_id FROM answer.anchor WHERE imprint = sha256('')))}) };
    cmp_ok($session->value('SELECT count(*) FROM answer.anchor'), '>=', 10, 'there are anchors');
    is($findings->(), '', 'the audit finds nothing in anchors that were attached');
    my $sixth = mint();
    my @tokens = map { my $response = reply(request($sixth, '1.2.3.4.2')); attach($sixth, $response); token_of($response) } 1, 2;
    my $foreign = signed(tst_info(imprint_of($sixth)));
    my $of = "receipt_id = '$sixth' AND token = " . bytea($tokens[0]);
    my $last = length($tokens[0]) - 1;
    my %changes = (
        'a token of which a byte of the signature is another' => ["UPDATE answer.anchor SET token = set_byte(token, $last, 255 - get_byte(token, $last)) WHERE $of", ''],
        'a token that is none' => ["UPDATE answer.anchor SET token = 'x' WHERE $of", ''],
        'a token of another receipt' => ["UPDATE answer.anchor SET token = o.token FROM answer.anchor o WHERE o.receipt_id = '$id' AND anchor.receipt_id = '$sixth'", ''],
        'a token that was exchanged for another one of this receipt' => ['UPDATE answer.anchor SET token = ' . bytea($tokens[1]) . " WHERE $of", 'column token_digest is not that of the token'],
        'a token that nobody asked for, under its own digest' => ["UPDATE answer.anchor SET token = " . bytea($foreign) . " WHERE $of", 'column token_digest is not that of the token'],
        'another digest' => ["UPDATE answer.anchor SET token_digest = 'sha256:' || encode(sha256(token), 'hex') WHERE $of", 'column token_digest is not that of the token'],
        'another imprint' => ["UPDATE answer.anchor SET imprint = sha256('x') WHERE $of", "its imprint is not the receipt's digest"],
        'another receipt' => ["UPDATE answer.anchor SET receipt_id = '$id' WHERE $of", "its imprint is not the receipt's digest"],
        'the nonce of its request' => ["UPDATE answer.anchor_request SET nonce = nonce || '0' WHERE receipt_id = '$sixth'", 'nothing that was requested'],
        'the policy of its request' => ["UPDATE answer.anchor_request SET policy = '1.2.3.9' WHERE receipt_id = '$sixth'", 'nothing that was requested'],
        'its request gone' => ["DELETE FROM answer.anchor_request WHERE receipt_id = '$sixth'", 'nothing that was requested'],
    );
    for my $what (sort keys %changes) {
        my ($change, $problem) = @{$changes{$what}};
        $session->value($_) for 'BEGIN', guards_off(), $change, guards_back();
        like($findings->(), qr/^changed: an anchor: .*\Q$problem\E/m, "the audit finds $what");
        $session->value('ROLLBACK');
    }
    is($findings->(), '', 'and nothing afterwards');
}

#
# copies
#
{
    my $content = q{SELECT count(*) || ' ' || md5(string_agg(a::text, chr(10) ORDER BY receipt_id, token_digest)) FROM answer.anchor a};
    my $requests = q{SELECT count(*) || ' ' || md5(string_agg(r::text, chr(10) ORDER BY receipt_id, nonce)) FROM answer.anchor_request r};
    my $shown = q{SELECT md5(string_agg(answer_receipt(receipt_id)::text, chr(10) ORDER BY receipt_id)) FROM answer.receipt};
    my @before = map { $session->value($_) } $content, $requests, $shown;
    $server->value('CREATE DATABASE copy TEMPLATE template0');
    AnswerServer::must(AnswerServer::program('pg_dump'), '-h', $server->{host}, '-p', '5432', '-Fc', '-f', "$dir/dump", 'postgres');
    AnswerServer::must(AnswerServer::program('pg_restore'), '-h', $server->{host}, '-p', '5432', '-d', 'copy', '-j', '2', "$dir/dump");
    my $copy = $server->session(dbname => 'copy');
    is_deeply([map { $copy->value($_) } $content, $requests, $shown], \@before, 'dump and restore keep anchors and requests');
    is($copy->value("SELECT answer_anchor_verify(answer_receipt('$id'), " . quoted($root) . ") ->> 'outcome'"), 'verified', 'they verify there');
    is($copy->run('DELETE FROM answer.anchor')->{state}, '23001', 'and are append-only there');
    $copy->close;
}

$session->close;
ok(!$server->crashed, 'the server never crashed');
done_testing();
