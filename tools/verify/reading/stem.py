"""Stems: doc/spec/reading.md §4. The English stemmer of Snowball 2.2, for words of ASCII letters, folded."""

import functools
import re

STEM_EXCEPTIONS = {"skis": "ski", "skies": "sky", "dying": "die", "lying": "lie", "tying": "tie", "idly": "idl",
                   "gently": "gentl", "ugly": "ugli", "early": "earli", "only": "onli", "singly": "singl",
                   **{word: word for word in ("sky", "news", "howe", "atlas", "cosmos", "bias", "andes")}}
STEM_KEPT = {"inning", "outing", "canning", "herring", "earring", "proceed", "exceed", "succeed"}
STEP_2 = {"tional": "tion", "enci": "ence", "anci": "ance", "abli": "able", "entli": "ent", "izer": "ize",
          "ization": "ize", "ational": "ate", "ation": "ate", "ator": "ate", "alism": "al", "aliti": "al", "alli": "al",
          "fulness": "ful", "ousli": "ous", "ousness": "ous", "iveness": "ive", "iviti": "ive", "biliti": "ble",
          "bli": "ble", "ogi": "og", "fulli": "ful", "lessli": "less", "li": ""}
STEP_3 = {"tional": "tion", "ational": "ate", "alize": "al", "icate": "ic", "iciti": "ic", "ical": "ic", "ful": "",
          "ness": "", "ative": ""}
STEP_4 = dict.fromkeys(("al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ism", "ate",
                        "iti", "ous", "ive", "ize", "ion"), "")
STEM_VOWELS = "aeiouy"
REGION_1 = re.compile("(?:gener|commun|arsen)|.*?[aeiouy][^aeiouy]")
REGION = re.compile(".*?[aeiouy][^aeiouy]")
SHORT_SYLLABLE = re.compile(".*[^aeiouy][aeiouy][^aeiouywxY]|[aeiouy][^aeiouy]")


def longest_suffix(word, suffixes):
    """The longest of the suffixes that a word has, or None."""
    return max((one for one in suffixes if word.endswith(one)), key=len, default=None)


def stem_plural(word):
    """Step 1a."""
    suffix = longest_suffix(word, ("sses", "ied", "ies", "us", "ss", "s"))
    if suffix == "sses":
        return word[:-2]
    if suffix in ("ied", "ies"):
        return word[:-2] if len(word) > 4 else word[:-1]
    if suffix == "s" and any(one in STEM_VOWELS for one in word[:-2]):
        return word[:-1]
    return word


def stem_past(word, first):
    """Step 1b."""
    suffix = longest_suffix(word, ("eed", "eedly", "ed", "edly", "ing", "ingly"))
    if suffix is None:
        return word
    rest = word[:-len(suffix)]
    if suffix.startswith("ee"):
        return rest + "ee" if len(rest) >= first else word
    if not any(one in STEM_VOWELS for one in rest):
        return word
    if rest.endswith(("at", "bl", "iz")):
        return rest + "e"
    if rest.endswith(("bb", "dd", "ff", "gg", "mm", "nn", "pp", "rr", "tt")):
        return rest[:-1]
    return rest + "e" if len(rest) <= first and SHORT_SYLLABLE.fullmatch(rest) else rest


def stem_suffixes(word, first, second):
    """Steps 2 to 4."""
    suffix = longest_suffix(word, STEP_2)
    if suffix is not None and len(word) - len(suffix) >= first:
        rest = word[:-len(suffix)]
        if (suffix != "ogi" or rest.endswith("l")) and (suffix != "li" or rest[-1:] in tuple("cdeghkmnrt")):
            word = rest + STEP_2[suffix]
    suffix = longest_suffix(word, STEP_3)
    if suffix is not None and len(word) - len(suffix) >= (second if suffix == "ative" else first):
        word = word[:-len(suffix)] + STEP_3[suffix]
    suffix = longest_suffix(word, STEP_4)
    if suffix is not None and len(word) - len(suffix) >= second and (
            suffix != "ion" or word[:-3].endswith(("s", "t"))):
        word = word[:-len(suffix)]
    return word


@functools.lru_cache(maxsize=65536)
def stem_of(word):
    """The stem of a folded token."""
    if len(word) <= 2 or re.search("[^a-z]", word):
        return word
    if word in STEM_EXCEPTIONS:
        return STEM_EXCEPTIONS[word]
    word = re.sub("(^|[aeiouy])y", "\\1Y", word)
    first = REGION_1.match(word)
    first = first.end() if first else len(word)
    second = REGION.match(word, first)
    second = second.end() if second else len(word)
    word = stem_plural(word)
    if word in STEM_KEPT:
        return word
    word = stem_past(word, first)
    if len(word) > 2 and word[-1] in "yY" and word[-2] not in STEM_VOWELS:
        word = word[:-1] + "i"
    word = stem_suffixes(word, first, second)
    if word.endswith("e") and (len(word) > second or len(word) > first and not SHORT_SYLLABLE.fullmatch(word[:-1])) or \
            word.endswith("ll") and len(word) > second:
        word = word[:-1]
    return word.replace("Y", "y")
