"""Every pointer in a text, and the quotes that go with it (CONTRACT section 4). Pure: nothing is looked up.

Three spellings are found: `nas://` pointers, the short form, and links to a file at a commit on a code host. Whether a
short form without lines is one at all, only the tree can tell: it is marked `tentative`.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from budgeted_reads.evidence.links import parse_link
from budgeted_reads.evidence.nearby import passages
from budgeted_reads.limits import MAX_PATH_BYTES

_START = re.compile(r"(?i:nas://)|(?i:https?://)|@[0-9A-Fa-f]{7,64}(?![0-9A-Za-z_])")
_LINES = re.compile(r"#L?[1-9][0-9]{0,14}(?:-L?[1-9][0-9]{0,14})?(?![\w#]|-\w)")
_WHOLE = re.compile(r"[^\s<>\"`@]{0,8192}@[0-9A-Fa-f]{7,64}(?![0-9A-Za-z_])(?:" + _LINES.pattern + r"|(?!#))")
_WORD = re.compile(r"[^\s<>\"`]{0,8192}")
_ENCLOSED = re.compile(r"[^<>\n]{0,8192}(?=>)")
_READINGS = 8
_BREAKS = frozenset(' \t\r\n\f\v<>"`@#|“”«»„‘’')
_OPENING = "([{*_~'!,;:="
_TRAILING = ".,;:!?'*_~)]}”»’"
_INNER = re.compile(r"\]\(|[(\[=:,]")


class Citation(NamedTuple):
    """One pointer of a text. `text[start:end]` is as it is written; `kind` is pointer, short or link.

    `others` are shorter readings of a short form, whose path may follow a word or a bracket: the tree decides.
    `quotes` are what it is cited for: none, one, or a quoted text and a block; all of them must hold, but for the one
    that is but a `name`.
    """

    start: int
    end: int
    written: str
    kind: str
    line: int
    quotes: tuple[str, ...] = ()
    tentative: bool = False
    others: tuple[str, ...] = ()
    name: str | None = None


def find(text: str) -> list[Citation]:
    """The pointers of TEXT in order, each with its line (1-based) and its quotes."""
    found = list(_spans(text))
    quotes = passages(text, [(start, end) for start, end, _, _ in found])
    starts = [0, *(m.end() for m in re.finditer("\n", text))]
    made = []
    for (start, end, kind, others), cited in zip(found, quotes, strict=True):
        written = text[start:end]
        tentative = kind == "short" and "#" not in written
        line = bisect_right(starts, start)
        made.append(Citation(start, end, written, kind, line, cited.quotes, tentative, others, cited.name))
    return made


def _spans(text: str) -> Iterator[tuple[int, int, str, tuple[str, ...]]]:
    at = floor = 0
    while start := _START.search(text, at):
        word = start.group().lower()
        at = start.end()
        if word.startswith("@"):
            found = _short(text, start, floor)
        elif word == "nas://":
            found = _pointer(text, start)
        else:
            # An address that is no link to a file is passed over whole: what looks like a pointer in it is none.
            at = _trimmed(text, at, _WORD.match(text, at).end())  # type: ignore[union-attr]
            found = (start.start(), at, "link", ()) if parse_link(text[start.start() : at]) else None
        if found is not None:
            yield found
            at = max(found[1], at)
        floor = at


def _pointer(text: str, start: re.Match[str]) -> tuple[int, int, str, tuple[str, ...]] | None:
    """A full pointer; one that is spelled wrong is found too, so that it can be reported."""
    if text[start.start() - 1 : start.start()] == "<" and (inside := _ENCLOSED.match(text, start.end())):
        return (start.start(), inside.end(), "pointer", ()) if inside.end() > start.end() else None
    whole = _WHOLE.match(text, start.end())
    end = whole.end() if whole else _trimmed(text, start.end(), _WORD.match(text, start.end()).end())  # type: ignore[union-attr]
    return (start.start(), end, "pointer", ()) if end > start.end() else None


def _short(text: str, commit: re.Match[str], floor: int) -> tuple[int, int, str, tuple[str, ...]] | None:
    """The short form whose commit is COMMIT: its path is what stands before, back to white space or a mark."""
    lines = _LINES.match(text, commit.end())
    if lines is None and text[commit.end() : commit.end() + 1] == "#":
        return None
    end = lines.end() if lines else commit.end()
    begin = commit.start()
    while begin > floor and text[begin - 1] not in _BREAKS and commit.start() - begin < MAX_PATH_BYTES:
        begin -= 1
    if begin == commit.start():
        return None
    raw = text[begin:end]
    path = text[begin : commit.start()]
    lead = len(path) - len(path.lstrip(_OPENING))
    link = path.rfind("](")
    # Most likely it begins behind the label of a link, or behind the marks that it is wrapped in.
    best = link + 2 if link >= 0 else lead
    best = best if best < len(path) else 0
    cuts = {*range(min(lead, _READINGS) + 1), *(found.end() for found in _INNER.finditer(path))}
    readings = [raw[cut:] for cut in sorted(cuts)[: 2 * _READINGS] if cut < len(path) and cut != best]
    return begin + best, end, "short", tuple(readings)


def _trimmed(text: str, begin: int, end: int) -> int:
    """END without the punctuation of the sentence around; a closing bracket stays where its opening one is inside."""
    while end > begin and text[end - 1] in _TRAILING:
        last = text[end - 1]
        pair = {")": "(", "]": "[", "}": "{"}.get(last)
        if pair and text.count(pair, begin, end) >= text.count(last, begin, end):
            break
        end -= 1
    return end
