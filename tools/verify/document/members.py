"""Members of documents that may hold anything (doc/spec/document.md §5.1): a value of another type is never an error here."""

from verify.document.json_text import ABSENT


def member_at(value, *path):
    """The member at a path of names, or None."""
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def within(value, *path):
    """The member at a path of names, or ABSENT."""
    for key in path:
        value = value.get(key, ABSENT) if isinstance(value, dict) else ABSENT
    return value


def text_in(value, key):
    """A member that is a text, or the empty text."""
    found = member_at(value, key)
    return found if isinstance(found, str) else ""


def is_texts(value):
    """Whether a value is an array of texts."""
    return isinstance(value, list) and all(isinstance(one, str) for one in value)
