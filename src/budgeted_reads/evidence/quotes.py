"""Whether a quote stands in the lines that are cited for it: to the letter, then with white space folded. Pure."""

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import NamedTuple

from budgeted_reads.outline import Range
from budgeted_reads.text import Text

MAX_FOUND = 10
"""At most so many other places of a quote are named."""

_SOUGHT = 2_000
_COMPARED = 400
_SHOWN = 240
_AROUND = 3


class Match(NamedTuple):
    """`matches` is True where the quote stands in the lines, else `found_at` has the lines where it stands, and
    `difference` the words that differ from the nearest ones: `[-of the quote-]{+of the file+}`."""

    matches: bool
    found_at: tuple[Range, ...] = ()
    difference: str = ""


def match(quote: str, text: Text, lines: Range | None) -> Match:
    """How QUOTE, which is not blank, compares with LINES of TEXT (None: a file without lines)."""
    if lines is None:
        return Match(False, (), f"[-{_clip(' '.join(quote.split()))}-]")
    part = text.slice(*lines)
    if quote in part or folded(quote) in folded(part):
        return Match(True)
    found = tuple(_places(quote, text))
    return Match(False, found, "" if found else difference(quote, part))


def folded(text: str) -> str:
    """TEXT with a single space wherever it has white space, and none at its ends."""
    return " ".join(text.split())


def _places(quote: str, text: Text) -> Iterator[Range]:
    """Where QUOTE stands in TEXT, as lines; to the letter where it stands so anywhere."""
    words = quote.split()
    if quote in text.content:
        pattern = re.compile(re.escape(quote.strip()))
    elif len(words) <= _SOUGHT and " ".join(words) in folded(text.content):
        pattern = re.compile(r"\s++".join(map(re.escape, words)))
    else:
        return
    last: Range | None = None
    count = 0
    for found in pattern.finditer(text.content):
        lines = text.line_at(found.start()), text.line_at(found.end() - 1)
        if lines != last:
            yield lines
            last = lines
            count += 1
        if count == MAX_FOUND:
            return


def difference(quote: str, part: str) -> str:
    """The words in which QUOTE differs from the most similar words of PART, with a few words around; clipped."""
    said, there = quote.split()[:_COMPARED], part.split()[: 4 * _COMPARED]
    blocks = [block for block in SequenceMatcher(None, said, there, autojunk=False).get_matching_blocks() if block.size]
    if not blocks:
        return f"[-{_clip(' '.join(said))}-]"
    first, last = blocks[0], blocks[-1]
    begin = max(0, first.b - first.a)
    end = min(len(there), last.b + last.size + len(said) - last.a - last.size)
    words: list[str] = []
    for op, a, b, c, d in SequenceMatcher(None, said, there[begin:end], autojunk=False).get_opcodes():
        if op == "equal":
            words += _edges(said[a:b], first=a == 0, last=b == len(said))
            continue
        gone, new = " ".join(said[a:b]), " ".join(there[begin + c : begin + d])
        words.append((f"[-{gone}-]" if gone else "") + (f"{{+{new}+}}" if new else ""))
    return _clip(" ".join(words))


def _edges(same: list[str], *, first: bool, last: bool) -> list[str]:
    """What is shown of words that are equal: those next to a difference."""
    left = [] if first else same[:_AROUND]
    right = [] if last else same[-_AROUND:]
    return same if len(left) + len(right) >= len(same) else [*left, "…", *right]


def _clip(text: str) -> str:
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
