"""Reads documents from files: one JSON value, one document per line, or the page of a receipt.

doc/spec/df-verify-1.md §1.1.
"""

import collections
import html.parser
import sys

from verify.document.json_text import ABSENT, AMBIGUOUS, NotJson, parse_bytes, REPEATED
from verify.document.small_text import printable
from verify.df_verify_1.report import Unusable

# A document's name, its value (ABSENT for text that is not JSON), and the page it came in, if any.
Document = collections.namedtuple("Document", "name value page", defaults=(None,))


class Page(html.parser.HTMLParser):
    """What a page of answer_receipt_html() carries: the text of each <pre> whose id is one of PARTS."""

    PARTS = ("document", "keys", "inclusion")

    def __init__(self, data):
        super().__init__()
        self.texts, self.part, self.is_ambiguous = {}, None, False
        self.feed(data.decode("utf-8", "replace"))
        self.close()

    def handle_starttag(self, tag, attrs):
        names = [value for key, value in attrs if key == "id" and value in self.PARTS]
        if not names:
            return
        # two readers could take different ones
        self.is_ambiguous |= tag != "pre" or len(names) > 1 or names[0] in self.texts
        self.part = names[0]
        self.texts[self.part] = ""

    def handle_endtag(self, tag):
        if tag == "pre":
            self.part = None

    def handle_data(self, data):
        if self.part is not None:
            self.texts[self.part] += data

    def value(self, part):
        """The JSON of a part, ABSENT, or AMBIGUOUS."""
        return AMBIGUOUS if self.is_ambiguous else value_of(self.texts.get(part, "").encode("utf-8"))


def is_page(line):
    """Whether a file that begins with this line is an HTML page. No JSON begins like this."""
    return line.lstrip()[:9].lower() == b"<!doctype"


def open_file(path):
    """A file as a stream of bytes; - is standard input."""
    try:
        return sys.stdin.buffer if path == "-" else open(path, "rb")
    except OSError as e:
        raise Unusable("%s: %s" % (printable(path), e.strerror)) from None


def read_file(path):
    """The bytes of a whole file."""
    with open_file(path) as file:
        try:
            return file.read()
        except OSError as e:
            raise Unusable("%s: %s" % (printable(path), e.strerror)) from None


def value_of(data):
    """The JSON value in some bytes: ABSENT if it is not JSON, AMBIGUOUS if an object has a member twice."""
    try:
        return parse_bytes(data)
    except NotJson as e:
        return AMBIGUOUS if REPEATED in e.faults else ABSENT


def read_documents(path, as_lines):
    """The documents in a file: one JSON value, the elements of an array, one value per line, or the one in a page.

    Lines are read one by one, so a file of any size can be verified. Anything else counts as one document that does
    not verify.
    """
    with open_file(path) as file:
        try:
            yield from documents_in(path, file, as_lines)
        except OSError as e:
            raise Unusable("%s: %s" % (printable(path), e.strerror)) from None


def documents_in(path, file, as_lines):
    """The documents in an open file."""
    name, count = ("standard input" if path == "-" else path), 0
    first = file.readline()
    while first and not first.strip() and not as_lines:
        count, first = count + 1, file.readline()
    if not as_lines and is_page(first):
        page = Page(first + file.read())
        value = page.value("document")
        held = value.get("receipt_id") if isinstance(value, dict) else None
        yield Document("%s (%s)" % (name, held) if isinstance(held, str) else name, value, page)
        return
    value = value_of(first)
    if as_lines or isinstance(value, dict):
        yield from documents_of_lines(name, count, (first, *([] if not first else [file.readline()])), file, as_lines)
        return
    more = file.read()
    data = first + more
    value = value_of(data) if more.strip() else value
    if isinstance(value, list):
        yield from (Document("%s[%d]" % (name, i), v) for i, v in enumerate(value))
    elif value is ABSENT and any(isinstance(value_of(line), dict) for line in data.split(b"\n")):
        yield from documents_of_lines(name, count, data.split(b"\n"), (), False)
    elif data.strip() or value is not ABSENT:
        yield Document(name, value)


def documents_of_lines(name, count, begin, rest, as_lines):
    """One document per line. Blank lines are skipped, unless `as_lines` makes every line a document."""
    alone = not as_lines and len(begin) == 2 and not begin[1]
    for lines in (begin, rest):
        for line in lines:
            count += 1
            if line.strip() or (as_lines and line):
                yield Document(name if alone else "%s:%d" % (name, count), value_of(line))
