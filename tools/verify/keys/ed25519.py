"""Ed25519 in Python (RFC 8032): refuses weak keys, and verifies signatures if there is no openssl command.
doc/spec/df-verify-1.md §4.2 and §4.3.

Nothing here is secret, so the time may depend on the values.
"""

import hashlib

from verify.df_verify_1.report import Broken

# The DER before the 32 bytes of an Ed25519 key in its SubjectPublicKeyInfo (RFC 8410).
SPKI_ED25519 = bytes.fromhex("302a300506032b6570032100")

# RFC 8032: the prime of the field, and the y coordinates of the 8 points of small order.
FIELD_PRIME = 2**255 - 19
SMALL_ORDER_8 = int.from_bytes(bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"), "little")
SMALL_ORDER = {0, 1, FIELD_PRIME - 1, SMALL_ORDER_8, FIELD_PRIME - SMALL_ORDER_8}


def has_small_order(public):
    """Whether a public key, in any encoding, has small order, so that anybody could sign under it."""
    return (int.from_bytes(public, "little") & (2**255 - 1)) % FIELD_PRIME in SMALL_ORDER


# RFC 8032, section 5.1: the order of the base point, the constant of the curve, a square root of -1, the base point.
GROUP_ORDER = 2**252 + 27742317777372353535851937790883648493
CURVE_D = -121665 * pow(121666, -1, FIELD_PRIME) % FIELD_PRIME
ROOT_OF_MINUS_1 = pow(2, (FIELD_PRIME - 1) // 4, FIELD_PRIME)
NEUTRAL = (0, 1, 1, 0)      # points are (X, Y, Z, T) with x = X/Z, y = Y/Z, xy = T/Z


def point_sum(a, b):
    """The sum of two points (RFC 8032, section 5.1.4)."""
    p = (a[1] - a[0]) * (b[1] - b[0]) % FIELD_PRIME
    q = (a[1] + a[0]) * (b[1] + b[0]) % FIELD_PRIME
    r = 2 * a[3] * b[3] * CURVE_D % FIELD_PRIME
    t = 2 * a[2] * b[2] % FIELD_PRIME
    e, f, g, h = q - p, t - r, t + r, q + p
    return e * f % FIELD_PRIME, g * h % FIELD_PRIME, f * g % FIELD_PRIME, e * h % FIELD_PRIME


def point_times(number, point):
    """A multiple of a point."""
    result = NEUTRAL
    while number:
        if number & 1:
            result = point_sum(result, point)
        point, number = point_sum(point, point), number >> 1
    return result


def point_of(encoded):
    """The point that 32 bytes encode; None if they encode none (RFC 8032, section 5.1.3)."""
    value = int.from_bytes(encoded, "little")
    y, sign = (value & (2**255 - 1)) % FIELD_PRIME, value >> 255
    square = (y * y - 1) * pow(CURVE_D * y * y + 1, -1, FIELD_PRIME) % FIELD_PRIME
    x = pow(square, (FIELD_PRIME + 3) // 8, FIELD_PRIME)
    if x * x % FIELD_PRIME != square:
        x = x * ROOT_OF_MINUS_1 % FIELD_PRIME
    if x * x % FIELD_PRIME != square:
        return None
    if x & 1 != sign:
        x = -x % FIELD_PRIME
    return x, y, 1, x * y % FIELD_PRIME


def point_bytes(point):
    """The encoding of a point."""
    inverse = pow(point[2], -1, FIELD_PRIME)
    x, y = point[0] * inverse % FIELD_PRIME, point[1] * inverse % FIELD_PRIME
    return (y | (x & 1) << 255).to_bytes(32, "little")


BASE_POINT = point_of((4 * pow(5, -1, FIELD_PRIME) % FIELD_PRIME).to_bytes(32, "little"))


class NoOpenSSL:
    """Used if there is no openssl command: verifies Ed25519, refuses time-stamps."""

    WITHOUT = "there is no openssl command (OpenSSL 3), without which no time-stamp can be verified"

    @staticmethod
    def ed25519(public, message, signature):
        """Whether an Ed25519 signature is good (RFC 8032, section 5.1.7, without the cofactor, like OpenSSL)."""
        if len(public) != 32 or len(signature) != 64 or has_small_order(public):
            return False
        key, number = point_of(public), int.from_bytes(signature[32:], "little")
        if key is None or number >= GROUP_ORDER:
            return False
        factor = int.from_bytes(hashlib.sha512(signature[:32] + public + message).digest(), "little") % GROUP_ORDER
        negative = (-key[0] % FIELD_PRIME, key[1], key[2], -key[3] % FIELD_PRIME)
        return point_bytes(point_sum(point_times(number, BASE_POINT), point_times(factor, negative))) == signature[:32]

    def refuse_token(self, *_arguments):
        """Refuse: no time-stamp can be verified."""
        raise Broken(self.WITHOUT)

    reread_token = signed_content = may_stamp = chain_problem = refuse_token
