"""Classes of characters, the ends of clauses and sentences, and folding. doc/spec/reading.md §2.1, §2.2 and §3.1.

Letters, marks and decimal digits are those of Unicode 14, whatever Unicode this Python has.
"""

import functools
import re
import unicodedata

TOKEN_RANGES = """
48 10 7 26 6 26 47 1 10 1 4 1 5 23 1 31 1 458 4 12 14 5 7 1 1 1 17 117 1 2 2 4 1 1 6 1 1 3 1 1 1 20 1 83 1 139 1 173 1
38 2 1 6 41 8 45 1 1 1 2 1 2 1 1 8 27 4 4 29 11 5 74 4 102 1 8 2 10 1 19 2 1 16 59 2 101 14 54 4 1 2 1 2 46 18 28 4 11
5 24 1 6 9 74 1 129 2 10 1 19 1 8 2 2 2 22 1 7 1 1 3 4 2 9 2 2 2 4 8 1 4 2 1 5 2 12 10 1 1 1 2 3 1 6 4 2 2 22 1 7 1 2
1 2 1 2 2 1 1 5 4 2 2 3 3 1 7 4 1 1 7 16 11 3 1 9 1 3 1 22 1 7 1 2 1 5 2 10 1 3 1 3 2 1 15 4 2 10 9 7 1 3 1 8 2 2 2 22
1 7 1 2 1 5 2 9 2 2 2 3 7 3 4 2 1 5 2 10 1 1 16 2 1 6 3 3 1 4 3 2 1 1 1 2 3 2 3 3 3 12 4 5 3 3 1 4 2 1 6 1 14 10 16 13
1 3 1 23 1 16 2 9 1 3 1 4 7 2 1 3 2 1 2 4 2 10 16 4 1 8 1 3 1 23 1 10 1 5 2 9 1 3 1 4 7 2 6 2 1 4 2 10 1 2 13 13 1 3 1
51 1 3 1 5 5 4 7 5 2 10 10 6 1 3 1 18 3 24 1 9 1 1 2 7 3 1 4 6 1 1 1 8 6 10 2 2 13 58 5 15 1 10 39 2 1 1 1 5 1 24 1 1
1 23 2 5 1 1 1 6 2 10 2 4 32 1 23 2 6 10 11 1 1 1 1 1 4 10 1 36 4 20 1 18 1 36 9 1 57 74 6 78 2 38 1 1 5 1 2 43 1 333
1 4 2 7 1 1 1 4 2 41 1 4 2 33 1 4 2 7 1 1 1 4 2 15 1 57 1 4 2 67 2 3 32 16 16 86 2 6 3 620 2 17 1 26 5 75 6 8 7 22 9
22 11 20 12 13 1 3 1 2 12 84 3 1 4 2 2 10 33 3 1 11 6 89 7 43 5 70 10 31 1 12 4 12 10 40 2 5 11 44 4 26 6 10 38 28 4
63 1 29 2 11 6 10 13 1 8 31 49 77 3 10 17 9 12 116 12 56 8 10 3 49 2 9 7 43 2 3 16 3 1 39 5 534 2 6 2 38 2 6 2 8 1 1 1
1 1 1 1 31 2 53 1 7 1 1 3 3 1 7 3 4 2 6 4 13 5 3 1 7 116 1 13 1 16 13 51 33 17 1 4 1 2 10 1 1 3 5 6 1 1 1 1 1 1 4 1 11
2 4 5 5 4 1 52 2 2683 229 6 9 12 38 1 1 5 1 2 56 7 1 15 24 9 7 1 7 1 7 1 7 1 7 1 7 1 7 1 7 1 32 47 1 469 2 35 6 1 5 5
2 4 86 2 2 2 3 1 90 1 4 5 43 1 94 17 32 48 16 512 6592 64 22157 67 46 2 269 3 28 20 51 1 10 1 103 10 2 37 9 2 103 2 64
5 2 1 1 1 5 24 54 4 1 19 52 12 70 10 10 6 24 3 1 1 49 2 36 12 29 3 65 14 11 6 31 1 55 9 14 2 10 6 23 3 73 24 3 2 16 2
5 10 6 2 6 2 6 9 7 1 7 1 43 1 14 6 123 1 2 2 10 6 11172 12 23 4 49 8452 366 2 106 38 7 12 5 5 12 1 13 1 5 1 1 1 2 1 2
1 108 33 363 18 64 2 54 40 12 4 16 16 16 64 5 1 135 19 10 7 26 6 26 11 89 3 6 2 6 2 6 2 3 35 12 1 26 1 19 1 2 1 15 2
14 34 123 258 1 130 29 3 49 15 1 31 32 13 20 1 8 6 43 5 30 2 36 4 8 48 158 2 10 6 36 4 36 4 40 8 52 12 11 1 15 1 7 1 2
1 11 1 15 1 7 1 2 67 311 9 22 10 8 24 6 1 42 1 9 69 6 2 1 1 44 1 2 3 1 2 23 10 23 9 31 65 19 1 2 10 22 10 26 70 56 6 2
64 4 1 2 5 8 1 3 1 29 2 3 4 1 32 29 3 29 35 8 1 30 25 54 10 22 10 19 13 18 110 73 55 51 13 51 13 40 8 10 326 42 1 2 3
2 78 29 10 1 8 33 31 22 42 21 27 23 9 71 31 16 9 60 7 1 13 25 7 10 6 53 1 10 4 4 8 36 2 1 9 69 4 4 1 13 1 1 35 18 1 37
6 1 65 7 1 1 1 4 1 15 1 10 7 59 5 10 6 4 1 8 2 2 2 22 1 7 1 2 1 5 1 10 2 2 2 3 2 1 6 1 5 7 2 7 3 5 139 75 5 10 4 4 30
70 1 1 8 10 166 54 2 9 23 6 34 65 3 1 11 10 38 57 7 10 54 27 2 15 4 10 6 7 185 59 101 74 21 8 2 1 2 8 1 2 1 30 1 2 2 9
12 10 70 8 2 46 2 8 1 2 27 63 8 1 8 74 3 1 18 73 263 9 1 45 1 9 15 10 24 30 2 22 1 14 73 7 1 2 1 44 3 1 1 2 1 9 8 10 6
6 1 2 1 37 1 2 1 6 7 10 310 23 185 1 79 922 230 196 2636 97 15 1071 4049 583 8633 569 7 31 1 10 6 79 1 10 6 30 2 5 11
55 9 4 12 10 9 21 5 19 688 64 128 75 4 57 7 17 64 2 1 2 11 2 14 6136 8 1238 42 9 8935 4 1 7 1 2 1 291 45 3 17 4 8 396
2308 107 5 13 3 9 7 10 3 2 4705 46 2 23 542 5 3 6 8 8 2 7 30 4 148 3 443 85 1 71 1 2 2 1 2 2 2 4 1 12 1 1 1 7 1 65 1 4
2 8 1 7 1 28 1 4 1 5 1 1 3 7 1 340 2 25 1 25 1 31 1 25 1 31 1 25 1 31 1 25 1 31 1 25 1 8 2 50 512 55 4 50 8 1 14 1 22
5 1 15 1104 31 225 7 1 17 2 7 1 2 1 5 213 45 3 14 2 10 4 1 321 31 17 58 1254 7 1 4 1 2 1 15 1 197 11 7 41 76 4 10 1190
4 1 27 1 2 1 1 2 1 1 10 1 4 1 1 1 1 6 1 4 1 1 1 1 1 1 3 1 2 1 1 2 1 1 1 1 1 1 1 1 1 1 2 1 1 2 4 1 7 1 4 1 4 1 1 1 10 1
17 5 3 1 5 1 17 3380 10 1030 42720 32 4153 7 222 2 5762 14 7473 3103 542 1506 4939 716213 240
"""

# SENTENCE_MARKS close a sentence and its clause, CLAUSE_MARKS only a clause, unless they are between two tokens. The
# closers of other scripts below always do.
SENTENCE_MARKS, CLAUSE_MARKS = ".!?\u2026", ";:"
SENTENCE_CLOSERS = """
37E 589 61D-61F 6D4 700-702 7F9 837 839 83D-83E 964-965 104A-104B 1362 1367-1368 166E 1735-1736 17D4-17D5 1801 1803
1809 1944-1945 1AA8-1AAB 1B5A-1B5B 1B5E-1B5F 1B7D-1B7E 1C3B-1C3C 1C7E-1C7F 203C-203D 2047-2049 2CF9-2CFB 2CFE 2E2E
2E3C 2E53-2E54 3002 A4FF A60E-A60F A6F3 A6F7 A876-A877 A8CE-A8CF A92F A9C8-A9C9 AA5D-AA5F AAF0-AAF1 ABEB FE12
FE15-FE16 FE19 FE52 FE56-FE57 FF01 FF0E FF1F FF61 10A56-10A57 10F55-10F59 10F86-10F89 11047-11048 110BE-110C1
11141-11143 111C5-111C6 111CD 111DE-111DF 11238-11239 1123B-1123C 112A9 1144B-1144C 115C2-115C3 115C9-115D7
11641-11642 1173C-1173E 11944 11946 11A42-11A43 11A9B-11A9C 11C41-11C42 11EF7-11EF8 16A6E-16A6F 16AF5 16B37-16B38
16B44 16E98 1BC9F 1DA88
"""
CLAUSE_CLOSERS = """
387 61B 703-709 1364-1366 17D6 1804 204F 205D 2E35 A6F4 A6F6 FE13-FE14 FE54-FE55 FF1A-FF1B 12471-12474 1DA89-1DA8A
"""


def token_class():
    """The token characters, as the inside of a bracket expression."""
    numbers, at, out = iter(map(int, TOKEN_RANGES.split())), 0, []
    for gap, length in zip(numbers, numbers):
        at += gap + length
        out.append("\\U%08x-\\U%08x" % (at - length, at - 1))
    return "".join(out)


def characters(text):
    """The characters of a list of code points and ranges."""
    ends = [[int(end, 16) for end in one.split("-")] for one in text.split()]
    return "".join(chr(code) for pair in ends for code in range(pair[0], pair[-1] + 1))


# Compiled on first use: it takes as long as the rest of the start, and most runs read no text.
@functools.lru_cache(maxsize=None)
def token_character():
    """The pattern of a token character."""
    return re.compile("[%s]" % token_class())


@functools.lru_cache(maxsize=None)
def reader():
    """The pattern that splits a text into tokens and the closers of clauses and sentences."""
    return re.compile("(?P<token>[%s]+)|(?P<mark>[%s%s])|(?P<sentence>[%s])|(?P<clause>[%s])|(?P<line>\n)" % (
        token_class(), re.escape(SENTENCE_MARKS), CLAUSE_MARKS, characters(SENTENCE_CLOSERS), characters(CLAUSE_CLOSERS)))


APOSTROPHES = "'\u2019"


def folded_word(token):
    """A token, folded; no other letter becomes an ASCII letter."""
    if token.isascii():
        return token.lower()
    return "".join(map(folded_letter, token))


def folded_letter(letter):
    """One character, folded; letters newer than Unicode 14 stay as they are."""
    if letter.isalpha() and not token_character().match(letter):
        return letter
    found = letter.casefold()
    if len(found) > 1:
        found = letter.lower()
    return found if len(found) == 1 and (found.isascii() == letter.isascii()) else letter


def is_format_character(character):
    """Whether Unicode 14 has it as a format character; later versions have more, for Egyptian hieroglyphs."""
    return unicodedata.category(character) == "Cf" and not "\U00013439" <= character <= "\U0001343F"


def is_upper(character):
    """Whether a character is an upper-case letter."""
    return unicodedata.category(character) == "Lu"


def is_lower(character):
    """Whether a character is a lower-case letter."""
    return unicodedata.category(character) == "Ll"


def is_digit(character):
    """Whether a character is a decimal digit."""
    return character.isdecimal() and token_character().match(character) is not None


def is_letter(character):
    """Whether a character is a letter."""
    return character.isalpha() and token_character().match(character) is not None


@functools.lru_cache(maxsize=None)
def all_closers():
    """A comma, and whatever closes clauses and sentences."""
    return "," + SENTENCE_MARKS + CLAUSE_MARKS + characters(SENTENCE_CLOSERS) + characters(CLAUSE_CLOSERS)
