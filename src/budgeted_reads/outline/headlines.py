"""Which paragraphs of a text without markup are likely its titles."""

import re
from collections import Counter
from collections.abc import Sequence
from unicodedata import east_asian_width

from budgeted_reads.outline.entry import Entry

HEADLINE_WIDTH = 72
"""A line of at most this many columns without final punctuation is likely a title."""

OFTEN = 3
"""A line that is a paragraph so many times tells of no place: `An example is`, `Bug fixes`."""

_CENTRED = range(66, 87)
"""The columns of a page, as the margins and words of a centred line have them; it is at least `_MARGIN` far in."""

_MARGIN = 12

_STOPS = ".,;:!?…。，、；：！？．)]}\"'»”>"
_LETTER = re.compile(r"[^\W\d_]")
_SECTION = re.compile(r"(?:\d{1,3}|[A-Z])(?:\.\d{1,3})++\.? +\S")
_DATED = re.compile(r"\d{4}-\d\d-\d\d\s")
_CAPITALS = re.compile(r"(?:\d{1,3}\.? ++)?[^\W\d_]++(?:[ ,:&/'’-]++[^\W_]++)*+$")
_LEADERS = re.compile(r"(?:\. ?){4}")
_RULE = re.compile(r"\s*+([^\w\s]|_)\1{3,}+\s*+$")


def with_titles(lines: Sequence[str], entries: list[Entry]) -> list[Entry]:
    """ENTRIES, those that are likely titles flagged so: one headline each, and none where most are (a list, a log)."""
    likely = [entry for entry in entries if _is_alone(lines, entry) and _is_headline(_words(lines, entry))]
    if not likely or len(likely) * 2 > len(entries):
        return entries
    counts = Counter(_folded(lines[entry.own - 1]) for entry in likely)
    likely = [entry for entry in likely if counts[_folded(lines[entry.own - 1])] < OFTEN]
    titles = {entry.own for entry in _outside(lines, likely, entries)}
    return [entry._replace(flags=("title",)) if entry.own in titles else entry for entry in entries]


def width(text: str) -> int:
    """Columns that TEXT takes, a wide character two."""
    return len(text) if text.isascii() else sum(2 if east_asian_width(char) in "WF" else 1 for char in text)


def _is_alone(lines: Sequence[str], entry: Entry) -> bool:
    """Whether one line of ENTRY has words: what else is in it are rules above or below."""
    if entry.end - entry.start > 2:
        return False
    return all(_RULE.match(lines[at - 1]) for at in range(entry.start, entry.end + 1) if at != entry.own)


def _words(lines: Sequence[str], entry: Entry) -> str:
    """The line of ENTRY; beside a rule its right part, such as a tag, may stand far off."""
    line = lines[entry.own - 1]
    return line.strip() if entry.start == entry.end or len(line) > 2 * HEADLINE_WIDTH else _folded(line)


def _is_headline(line: str) -> bool:
    return (
        len(line) <= HEADLINE_WIDTH
        and width(line) <= HEADLINE_WIDTH
        and (line[-1:] not in _STOPS or _is_marked(line))
        and bool(_LETTER.search(line))
        and (line[0].isalnum() or line[0] in "¿¡«“")
        and not _LEADERS.search(line)
        and "://" not in line
    )


def _is_marked(line: str) -> bool:
    """Whether LINE is a title whatever it ends in: `1.2 Why?` of a section, a date and an address of a change log."""
    marks = _SECTION if line.endswith(("?", ")")) else _DATED if line.endswith(">") else None
    return marks is not None and marks.match(line) is not None


def _outside(lines: Sequence[str], titles: list[Entry], entries: Sequence[Entry]) -> list[Entry]:
    """Those of TITLES that are no examples: in a text that is indented, these stand as far in as the text does.

    What is further left, centred, in capitals or has the number of a section is a title; where few are, all are.
    """
    texts = Counter(_depth(lines, entry.own, entry.own + 1) for entry in entries if entry.end > entry.own)
    depth = texts.most_common(1)[0][0] if texts else 0
    if not depth:
        return titles
    outside = [entry for entry in titles if _is_outside(lines[entry.own - 1].expandtabs().rstrip(), depth)]
    return outside if len(outside) >= OFTEN else titles


def _is_outside(line: str, depth: int) -> bool:
    words = line.lstrip()
    margin = len(line) - len(words)
    if margin < depth or (margin >= _MARGIN and len(line) + margin in _CENTRED):
        return True
    return bool(_SECTION.match(words) or (words.isupper() and _CAPITALS.match(words)))


def _depth(lines: Sequence[str], first: int, last: int) -> int:
    """The least indentation of lines FIRST..LAST: a first line alone may be indented as well."""
    wide = (line.expandtabs() for line in lines[first - 1 : last])
    return min(len(line) - len(line.lstrip()) for line in wide)


def _folded(line: str) -> str:
    return " ".join(line.split())
