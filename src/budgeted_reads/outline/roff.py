"""Manual pages: the sections of roff, in the macros of man and of mdoc."""

import re
from collections.abc import Iterator, Sequence

from budgeted_reads.outline.blocks import blocks
from budgeted_reads.outline.entry import Outline
from budgeted_reads.outline.formats import Format
from budgeted_reads.outline.lines import bare_lines, named
from budgeted_reads.outline.sections import Heading, sections
from budgeted_reads.text import Text

_SECTION = re.compile(r"\.[ \t]*(?P<macro>S[HSsh])(?:[ \t]+(?P<words>\S.*))?$")
_LEVELS = {"SH": 1, "Sh": 1, "SS": 2, "Ss": 2}
_FONT = re.compile(r"\\f(?:\[\w*\]|\(\w\w|\w)|\\[&|^]")
_ESCAPES = {r"\-": "-", r"\(em": "—", r"\(aq": "'", r"\e": "\\", '""': '"'}
_ITEM = re.compile(r"\.[ \t]*(?:TP|IP|It)\b")
_CODE = re.compile(r"\.[ \t]*(?:nf|EX|Bd)\b")
_MACRO = re.compile(r"[.']")


def outline(text: Text, form: Format) -> Outline:
    """Sections and subsections by their words without quotes and fonts; a blank line is no end of them."""
    lines = [line.rstrip() for line in bare_lines(text)]
    headings = list(_headings(lines))
    taken = {number for heading in headings for number in range(heading.first, heading.last + 1)}
    found = tuple(blocks(lines, taken, (), _kind))
    return Outline(sections(headings, text), form.name, None, "prose", found)


def _headings(lines: Sequence[str]) -> Iterator[Heading]:
    """Those that have words, on their line or, as roff allows, on the next."""
    for number, line in enumerate(lines, 1):
        found = _SECTION.match(line)
        if found is None:
            continue
        words, last = found["words"] or "", number
        if not words and number < len(lines) and not _MACRO.match(lines[number]):
            words, last = lines[number], number + 1
        if title := _title(words):
            yield Heading(title, _LEVELS.get(found["macro"], 2), number, last, number, last)


def _title(words: str) -> str:
    words = _FONT.sub("", words.strip().removeprefix('"').removesuffix('"'))
    for escape, said in _ESCAPES.items():
        words = words.replace(escape, said)
    return named(words)


def _kind(line: str) -> str:
    if _ITEM.match(line):
        return "item"
    if _CODE.match(line):
        return "fence"
    return "meta" if line.startswith(('.\\"', "'\\\"", ".TH", ".Dd", ".Dt", ".Os")) else "paragraph"
