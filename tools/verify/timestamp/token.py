"""Time-stamp tokens (RFC 3161, RFC 5816, RFC 5652): doc/spec/df-verify-1.md §3.4."""

import hashlib
import re

from verify.document.small_text import instant, unix_time
from verify.df_verify_1.report import Broken, need
from verify.timestamp.der import (
    algorithm_of, BOOLEAN, der_elements, Fields, INTEGER, name_key, NotDer, number_of, OCTETS, OID, oid, only_element,
    SEQUENCE, SET, TIME)

TOKEN_MAX_SIZE = 65536
TOKEN_MAX_INTEGER = 64

SIGNED_DATA, TST_INFO = oid("1.2.840.113549.1.7.2"), oid("1.2.840.113549.1.9.16.1.4")
CONTENT_TYPE, MESSAGE_DIGEST = oid("1.2.840.113549.1.9.3"), oid("1.2.840.113549.1.9.4")
SIGNING_CERTIFICATE = oid("1.2.840.113549.1.9.16.2.12"), oid("1.2.840.113549.1.9.16.2.47")
SUBJECT_ALT_NAME, EXTENDED_KEY_USAGE = oid("2.5.29.17"), oid("2.5.29.37")
TIME_STAMPING = oid("1.3.6.1.5.5.7.3.8")
RSA, EC, DSA = oid("1.2.840.113549.1.1.1"), oid("1.2.840.10045.2.1"), oid("1.2.840.10040.4.1")
SHA1 = oid("1.3.14.3.2.26")
NIST_HASH = "2.16.840.1.101.3.4.2.%d"
HASHES = {oid(NIST_HASH % n): name for n, name in (
    (1, "sha256"), (2, "sha384"), (3, "sha512"), (4, "sha224"), (5, "sha512_224"), (6, "sha512_256"),
    (7, "sha3_224"), (8, "sha3_256"), (9, "sha3_384"), (10, "sha3_512"))}
SHA256 = oid(NIST_HASH % 1)
# signature algorithms that include the digest: {signature: (digest, key)}
SIGNATURES = {oid(signature): (oid(NIST_HASH % n), key) for signature, n, key in (
    *(("1.2.840.113549.1.1.%d" % s, n, RSA) for s, n in ((11, 1), (12, 2), (13, 3), (14, 4), (15, 5), (16, 6))),
    *(("1.2.840.10045.4.3.%d" % s, n, EC) for s, n in ((1, 4), (2, 1), (3, 2), (4, 3))),
    *(("2.16.840.1.101.3.4.3.%d" % s, n, DSA) for s, n in ((1, 4), (2, 1), (3, 2), (4, 3), (5, 7), (6, 8), (7, 9),
                                                         (8, 10))),
    *(("2.16.840.1.101.3.4.3.%d" % s, n, EC) for s, n in ((9, 7), (10, 8), (11, 9), (12, 10))),
    *(("2.16.840.1.101.3.4.3.%d" % s, n, RSA) for s, n in ((13, 7), (14, 8), (15, 9), (16, 10))))}


class Certificate:
    """The parts of an X.509 certificate that are needed here."""

    def __init__(self, der):
        self.der = der
        fields = Fields(Fields(only_element(der)).next(SEQUENCE))
        fields.optional(0xA0)
        self.serial = number_of(fields.next(INTEGER))
        fields.next(SEQUENCE)
        issuer = fields.next(SEQUENCE)
        self.issuer, self.issuer_der = name_key(issuer), issuer.raw
        fields.next(SEQUENCE)
        self.subject = name_key(fields.next(SEQUENCE))
        self.key_algorithm = Fields(Fields(fields.next(SEQUENCE)).next(SEQUENCE)).next(OID).body
        fields.optional(0x81, 0xA1)
        fields.optional(0x82, 0xA2)
        self.extensions = {}
        extensions = fields.optional(0xA3)
        for extension in Fields(only_element(extensions.body)).left if extensions else ():
            members = Fields(extension)
            name, critical = members.next(OID).body, members.optional(BOOLEAN)
            self.extensions[name] = (critical is not None and critical.body != b"\0", members.next(OCTETS).body)

    def names(self):
        """Keys of the subject and the alternative names, comparable with general_name()."""
        found = [self.subject]
        if SUBJECT_ALT_NAME in self.extensions:
            found += map(general_name, Fields(only_element(self.extensions[SUBJECT_ALT_NAME][1])).left)
        return found

    def digest(self, name):
        """The hash of the certificate."""
        return hashlib.new(name, self.der).digest()


def general_name(element):
    """A key for comparing GeneralNames; for a directoryName, that of the Name."""
    return name_key(only_element(element.body)) if element.tag == 0xA4 else element.raw


class Token:
    """A parsed TimeStampToken. Raises NotDer or Broken."""

    def __init__(self, der):
        fields = Fields(only_element(der))
        if fields.next(OID).body != SIGNED_DATA:
            raise NotDer
        content = fields.next(0xA0)
        fields.end()
        self.read_signed_data(Fields(only_element(content.body)))
        self.read_info()

    def read_signed_data(self, fields):
        """Read the SignedData of RFC 5652."""
        self.version = number_of(fields.next(INTEGER))
        self.digests = [algorithm_of(e) for e in Fields(fields.next(SET), SET).left]
        inner = Fields(fields.next(SEQUENCE))
        if inner.next(OID).body != TST_INFO:
            raise NotDer
        content = inner.next(0xA0)
        inner.end()
        content = only_element(content.body)
        if content.tag != OCTETS:
            raise NotDer
        self.content = content.body
        self.certificates, self.unreadable = read_certificates(fields.optional(0xA0))
        fields.optional(0xA1)
        signers = Fields(fields.next(SET), SET).left
        fields.end()
        need(len(signers) == 1, "the token does not have exactly one signature")
        self.read_signer(Fields(signers[0]))

    def read_signer(self, fields):
        """Read the SignerInfo of RFC 5652, in the form of PKCS #7."""
        self.signer_version = number_of(fields.next(INTEGER))
        name = Fields(fields.next(SEQUENCE))
        issuer = name.next(SEQUENCE)
        self.signer_issuer, self.signer_serial = name_key(issuer), number_of(name.next(INTEGER))
        self.signer_issuer_der = issuer.raw
        self.digest, self.digest_plain = algorithm_of(fields.next(SEQUENCE))
        self.attributes = {}
        attributes = fields.optional(0xA0)
        for attribute in der_elements(attributes.body) if attributes else ():
            members = Fields(attribute)
            self.attributes.setdefault(members.next(OID).body, Fields(members.next(SET), SET).left)
        self.signature, self.signature_plain = algorithm_of(fields.next(SEQUENCE))
        fields.next(OCTETS)
        fields.optional(0xA1)
        fields.end()

    def read_info(self):
        """Read the TSTInfo of RFC 3161."""
        fields = Fields(only_element(self.content))
        need(number_of(fields.next(INTEGER)) == 1, "the token is not of version 1")
        fields.next(OID)
        imprint = Fields(fields.next(SEQUENCE))
        self.imprint_algorithm = algorithm_of(imprint.next(SEQUENCE))
        self.imprint = imprint.next(OCTETS).body
        serial, time = fields.next(INTEGER), fields.next(TIME)
        accuracy, _ = fields.optional(SEQUENCE), fields.optional(BOOLEAN)
        nonce, tsa, extensions = fields.optional(INTEGER), fields.optional(0xA0), fields.optional(0xA1)
        fields.end()
        for extension in der_elements(extensions.body) if extensions else ():
            members = Fields(extension)
            members.next(OID)
            critical = members.optional(BOOLEAN)
            need(critical is None or critical.body == b"\0",
                 "the token has a critical extension that is not understood")
        self.read_time(time.body)
        need(magnitude(serial) <= TOKEN_MAX_INTEGER, "the serial number is too long")
        need(nonce is None or magnitude(nonce) <= TOKEN_MAX_INTEGER, "the nonce is too long")
        self.accuracy = accuracy
        self.tsa = general_name(only_element(tsa.body)) if tsa else None

    def read_time(self, body):
        """Read YYYYMMDDhhmmss[.s…]Z, the only form that RFC 3161 allows; keep microseconds."""
        match = re.fullmatch(rb"(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:\.(\d*[1-9]))?Z", body)
        parts = [p.decode("ascii") for p in match.groups(b"")] if match else [""] * 7
        micros = parts.pop()[:6].ljust(6, "0")
        self.time_text = "%s-%s-%sT%s:%s:%s" % tuple(parts) + ("." + micros if micros.strip("0") else "") + "Z"
        self.time = instant(self.time_text)
        need(self.time is not None, "genTime is not written as RFC 3161 demands")

    def attribute(self, name, *tags):
        """The value of a signed attribute, which must have one of the tags; None if there is no such attribute."""
        values = self.attributes.get(name)
        if values is None:
            return None
        need(values and values[0].tag in tags, "a signed attribute is malformed")
        return values[0]

    def is_by(self, certificate):
        """Whether the signature names this certificate."""
        return certificate.serial == self.signer_serial and certificate.issuer == self.signer_issuer


def read_certificates(element):
    """(the certificates in a token, how many more are unreadable and ignored)."""
    found, unreadable = [], 0
    for certificate in der_elements(element.body) if element else ():
        try:
            found.append(Certificate(certificate.raw))
        except NotDer:
            unreadable += 1
    return found, unreadable


def magnitude(element):
    """The length of an INTEGER's magnitude in bytes."""
    return (abs(number_of(element)).bit_length() + 7) // 8


def check_imprint(token, imprint):
    """The token must be over this digest."""
    algorithm, is_plain = token.imprint_algorithm
    need(algorithm == SHA256 and is_plain, "the token's hash algorithm is not sha256")
    need(token.imprint == imprint, "the token's imprint is not that of this receipt")


def check_accuracy(token):
    """The seconds, milliseconds and microseconds of the accuracy must be in range."""
    fields = Fields(token.accuracy) if token.accuracy else None
    parts = [fields.optional(tag) for tag in (INTEGER, 0x80, 0x81)] if fields else []
    values = [number_of(p) if p else 0 for p in parts]
    if fields:
        fields.end()
    need(all(0 <= v <= limit for v, limit in zip(values, (2 ** 63 - 1, 999, 999))), "the accuracy is out of range")


def check_form(token, signer):
    """Fields that the signature does not cover must have their only valid form."""
    need(token.digest in HASHES or token.digest == SHA1, "the signature's algorithm is not known")
    need(signer.key_algorithm in (RSA, EC, DSA), "the signature's algorithm is not known")
    need(token.version == 3 and token.signer_version == 1, "the message around the token is of another version")
    need(len(token.digests) == 1, "the message around the token has not one digest algorithm")
    need(token.digests[0] == (token.digest, True) and token.digest_plain, "the digest algorithms do not agree")
    kind = token.attribute(CONTENT_TYPE, OID)
    need(kind is not None and kind.body == TST_INFO, "what is signed is not said to be a time-stamp")
    need(token.attribute(MESSAGE_DIGEST, OCTETS) is not None, "the digest is not signed")
    need(token.signer_issuer_der == signer.issuer_der, "the signer is not named as its certificate names it")
    need(token.digest != SHA1, "the signature is weaker than 112 bits")
    need(token.signature_plain and (token.signature == signer.key_algorithm or SIGNATURES.get(token.signature) ==
                                    (token.digest, signer.key_algorithm)),
         "the signature's algorithm is not that of the certificate's key")


def ess_entries(token):
    """The certificates named in each signed ESS attribute: lists of (hash algorithm, hash, issuer and serial or None)."""
    lists = []
    for attribute, default in zip(SIGNING_CERTIFICATE, (SHA1, SHA256)):
        value = token.attribute(attribute, SEQUENCE)
        entries = []
        for entry in Fields(Fields(value).next(SEQUENCE)).left if value else ():
            members = Fields(entry)
            algorithm = members.optional(SEQUENCE) if default == SHA256 else None
            hashed = members.next(OCTETS).body
            issuer = members.optional(SEQUENCE)
            entries.append((algorithm_of(algorithm)[0] if algorithm else default, hashed,
                            issuer and issuer_and_serial(issuer)))
        if value:
            lists.append(entries)
    return lists


def issuer_and_serial(element):
    """An ESS IssuerSerial: (key of the name, serial)."""
    fields = Fields(element)
    names = Fields(fields.next(SEQUENCE)).left
    if len(names) != 1 or names[0].tag != 0xA4:
        raise NotDer
    return general_name(names[0]), number_of(fields.next(INTEGER))


def is_entry_of(entry, certificate):
    """Whether an ESS entry names a certificate."""
    algorithm, hashed, issuer = entry
    name = "sha1" if algorithm == SHA1 else HASHES.get(algorithm)
    return (name is not None and certificate.digest(name) == hashed
            and (issuer is None or issuer == (certificate.issuer, certificate.serial)))


def check_names(token, signer, others):
    """The ESS attributes must name the signer's certificate first, then only known ones; `tsa` must be a name of the signer."""
    lists = ess_entries(token)
    need(lists and all(entries and is_entry_of(entries[0], signer) and
                       all(any(is_entry_of(e, c) for c in (signer, *others)) for e in entries[1:])
                       for entries in lists),
         "the signature does not name its certificate")
    need(token.tsa is None or token.tsa in signer.names(), "the authority's name is not that of the certificate")


def check_usage(signer):
    """The certificate must have one extended key usage, timeStamping, in a critical extension (RFC 3161, 2.3)."""
    need(EXTENDED_KEY_USAGE in signer.extensions, "the certificate has no extended key usage")
    critical, usages = signer.extensions[EXTENDED_KEY_USAGE]
    usages = Fields(only_element(usages)).left
    need(len(usages) == 1 and usages[0].tag == OID and usages[0].body == TIME_STAMPING,
         "the certificate's extended key usage is not timeStamping alone")
    need(critical, "the certificate's extended key usage is not critical")


def check_signer(token, der, roots, openssl):
    """Verify the signature, if the signer's certificate is in the token or among the roots. Returns whether it is."""
    others = [*token.certificates, *roots]
    signer = next((c for c in others if token.is_by(c)), None)
    if signer is None:
        need(not token.unreadable, "a certificate in the token is malformed")
        return False
    check_form(token, signer)
    need(openssl.signed_content(der, [c.der for c in roots]) == token.content,
         "the signature does not match the token")
    check_names(token, signer, others)
    check_usage(signer)
    problem = openssl.may_stamp(signer.der, unix_time(token.time))
    need(problem is None, "the certificate is not good for time-stamping at genTime: %s" % problem)
    return True


def check_token(der, imprint, terms, openssl):
    """Verify a token over a digest; returns the state of the step and the token's time."""
    reread = openssl.reread_token(der)
    need(reread is not None, "the token is no TimeStampToken of RFC 3161")
    need(reread == der, "the token is not in DER")
    try:
        token = Token(der)
        check_imprint(token, imprint)
        roots = terms.roots or []
        at_hand = check_signer(token, der, roots, openssl)
        check_accuracy(token)
    except NotDer:
        raise Broken("the token is no TimeStampToken of RFC 3161") from None
    if terms.roots is not None:
        need(at_hand, "the signer's certificate is neither in the token nor among the roots")
        problem = openssl.chain_problem(der, imprint.hex(), [c.der for c in roots],
                                        unix_time(token.time if terms.at is None else terms.at))
        need(problem is None, "the chain does not hold: %s" % problem)
    return {"state": "declared" if terms.roots is None else "verified", "gen_time": token.time_text}
