"""Org: headlines by their stars, without keyword, priority and tags; not those that a closed block shows as text."""

import re
from collections.abc import Iterator, Sequence

from budgeted_reads import limits
from budgeted_reads.outline.blocks import blocks
from budgeted_reads.outline.entry import Block, Outline
from budgeted_reads.outline.formats import Format
from budgeted_reads.outline.lines import bare_lines, named
from budgeted_reads.outline.sections import Heading, sections
from budgeted_reads.text import Text

_HEADLINE = re.compile(r"(?P<stars>\*+)[ \t]+(?P<words>.*)")
_BEGIN = re.compile(r"\s*#\+begin_(?P<name>\w+)", re.IGNORECASE)
_END = re.compile(r"\s*#\+end_(?P<name>\w+)\s*$", re.IGNORECASE)
_KEYWORDS = re.compile(r"#\+(?:seq_|typ_)?todo:(?P<words>.*)", re.IGNORECASE)
_PRIORITY = re.compile(r"\[#\w\]\s*")
_TAGS = re.compile(r"\s+:[\w@#%:]+:\s*$")
_LINK = re.compile(r"\[\[[^\]]*\](?:\[([^\]]*)\])?\]")
_MARKUP = re.compile(r"(?<!\w)([*/_=~+])(?=\S)(.+?)(?<=\S)\1(?!\w)")
_ITEM = re.compile(r"\s*(?:[-+]|\d+[.)])(?:\s|$)|\s+\*\s")
_DRAWER = re.compile(r"\s*:[\w-]+:")


def outline(text: Text, form: Format) -> Outline:
    """Headlines of TEXT as sections, each to the line before the next one of its level or above."""
    lines = bare_lines(text)
    fenced = list(_fenced(lines))
    within = {number for block in fenced for number in range(block.start, block.end + 1)}
    words = {"TODO", "DONE", *(word for line in lines for word in _keywords(line))}
    headings = [
        Heading(
            _title(found["words"], words), min(len(found["stars"]), limits.MAX_DEPTH), number, number, number, number
        )
        for number, line in enumerate(lines, 1)
        if line.startswith("*") and number not in within and (found := _HEADLINE.fullmatch(line))
    ]
    parts = tuple(blocks(lines, {heading.first for heading in headings}, fenced, _kind))
    return Outline(sections(headings, text), form.name, None, "prose", parts)


def _keywords(line: str) -> list[str]:
    found = _KEYWORDS.match(line) if line.startswith("#+") else None
    return [word.partition("(")[0] for word in found["words"].split() if word != "|"] if found else []


def _fenced(lines: Sequence[str]) -> Iterator[Block]:
    """Blocks from `#+begin_x` to the first `#+end_x` after it; one that never closes is none."""
    marks = [
        (number, found["name"].lower(), found.re is _BEGIN)
        for number, line in enumerate(lines, 1)
        if "#+" in line and (found := _BEGIN.match(line) or _END.match(line))
    ]
    last = {name: number for number, name, begins in marks if not begins}
    opened: tuple[int, str] | None = None
    for number, name, begins in marks:
        if opened is None:
            if begins and last.get(name, 0) > number:
                opened = (number, name)
        elif not begins and name == opened[1]:
            yield Block("quote" if name in ("quote", "verse", "center") else "fence", opened[0], number)
            opened = None


def _title(words: str, keywords: set[str]) -> str:
    first, _, rest = words.partition(" ")
    words = rest.lstrip() if first in keywords and rest else words
    priority = _PRIORITY.match(words)
    words = _TAGS.sub("", named(words[priority.end() :] if priority else words))
    words = _LINK.sub(lambda found: found[1] or found[0].strip("[]"), words)
    return " ".join(_MARKUP.sub(r"\2", words).split())


def _kind(line: str) -> str:
    if _ITEM.match(line):
        return "item"
    start = line.lstrip()
    if start.startswith("|"):
        return "table"
    if start.startswith((": ", "#+begin", "#+BEGIN")):
        return "fence"
    return "meta" if start.startswith("#") or _DRAWER.match(line) else "paragraph"
