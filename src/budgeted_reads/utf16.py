"""UTF-16 without a byte order mark: told from binary files by what its code units say."""

import re
from codecs import getincrementaldecoder

LITTLE, BIG = "utf-16-le", "utf-16-be"

_CONTROL = re.compile("[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f-\x84\x86-\x9f\ufdd0-\ufdef\ufffe\uffff]")
_CONTROL_BYTE = re.compile(rb"[\x01-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f]")
_APART = re.compile("[\t\n\r \u3000-\u3002\uff0c]")
"""What parts words or sentences in most scripts; other data read as 16-bit units hardly holds them.

Not all marks: U+FF01 to U+FF1F are often the bytes of small numbers beside -1.
"""


def guess(raw: bytes, sample_bytes: int) -> str | None:
    """The byte order of RAW where its first SAMPLE_BYTES are plausible UTF-16 and all of it decodes, else None.

    Plausible is text without controls and almost without unassigned characters that is mostly ASCII; or of another
    script, and then no list of 8-bit strings with NULs between, and with something that parts words or sentences, or of
    one block alone.
    """
    if len(raw) % 2:
        return None
    sample = raw[:sample_bytes]
    found = [
        (_ascii(text), order) for order in (BIG, LITTLE) if (text := _read(sample, order)) and _plausible(text, sample)
    ]
    order = max(found, default=(0, None))[1]
    if order is None:
        return None
    try:
        raw.decode(order)
    except UnicodeDecodeError:
        return None
    return order


def _read(sample: bytes, order: str) -> str | None:
    try:
        return getincrementaldecoder(order)().decode(sample)
    except UnicodeDecodeError:
        return None


def _ascii(text: str) -> int:
    return sum(char < "\x80" for char in text)


def _plausible(text: str, sample: bytes) -> bool:
    if _CONTROL.search(text) or _unassigned(text) * 50 > len(text):
        return False
    if 2 * _ascii(text) >= len(text):
        return len(text) > 1
    if not _CONTROL_BYTE.search(sample) and _is_utf8(sample):
        return False
    if _APART.search(text):
        return len(text) > 3
    blocks = {ord(char) >> 8 for char in text} - {0}
    return len(blocks) == 1 and len(text) > 3


def _unassigned(text: str) -> int:
    from unicodedata import category

    return sum(category(char) in ("Cn", "Co") for char in text)


def _is_utf8(sample: bytes) -> bool:
    try:
        getincrementaldecoder("utf-8")().decode(sample)
    except UnicodeDecodeError:
        return False
    return True
