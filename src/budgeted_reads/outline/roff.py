"""Manual pages, in the macros of man and of mdoc: sections, and the items of their lists that have a tag."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from budgeted_reads import limits
from budgeted_reads.outline.blocks import blocks
from budgeted_reads.outline.entry import Outline
from budgeted_reads.outline.formats import Format
from budgeted_reads.outline.lines import bare_lines, named
from budgeted_reads.outline.roffwords import ALTERNATING, arguments, bare, in_fonts, in_macros
from budgeted_reads.outline.sections import Heading, sections
from budgeted_reads.text import Text

MAX_TAG = 40
"""A tag of mdoc whose `Xo` is not closed within so many lines ends on its first."""

_MACRO = re.compile(r"[.'][ \t]*(?P<name>[A-Za-z]+\d?)(?![^ \t])(?:[ \t]+(?P<words>.*))?")
_LEVELS = {"SH": 1, "Sh": 1, "SS": 2, "Ss": 2}
_FONTS = ALTERNATING | {"B", "I", "R", "SB", "SM"}
_PARAGRAPHS = frozenset({"PP", "P", "LP", "HP"})
_DEFINED = frozenset({"de", "de1", "am", "am1", "ig"})
# What may stand between `TP` and its tag and prints nothing.
_SILENT = frozenset({"PD", "nh", "hy", "ad", "na", "ne", "ft", "ie", "el", "if", "br"})
_PARTS = _LEVELS.keys() | _PARAGRAPHS | {"TP", "TQ", "IP", "RS", "RE", "sp", "It", "El", "Bl"}

_TAGGED = re.compile(r"(?:.*\s)?-(?:tag|hang|ohang|inset|diag)\b")
_BULLET = re.compile(r"[•*·o–—+-]|[\[(]?(?:\d+|[a-zA-Z]|[ivxIVX]+)[.):\]]")
_SENTENCE = re.compile(r".*[.:;!?]|(?:\S+\s+){10}.*")
_ASIDE = re.compile(r"(\w\S*) \[.*|(\S*\w\S*) \(.*\)")
"""What stands behind a name that is no part of it: the options of a command, a remark to the end."""

_INDENTED = re.compile(r"\.RS \d")
_ON_ITS_LINE = re.compile(r"\.[ \t]*(?:IP|It)\b")
_ITEM = re.compile(r"\.[ \t]*(?:TP|IP|It)\b")
_CODE = re.compile(r"\.[ \t]*(?:nf|EX|Bd)\b")


def outline(text: Text, form: Format) -> Outline:
    """Sections and subsections, and in them what has a tag in a list, by their words without quotes and fonts.

    An item ends before the next tag of its list, or with the list. Bullets and numbers are no tags.
    """
    lines = [line.rstrip() for line in bare_lines(text)]
    scan = _Scan(lines)
    scan.run()
    headings = scan.finished()
    taken = {number for heading in headings for number in range(heading.first, heading.last + 1)}
    found = tuple(blocks(lines, taken, (), _kind))
    return Outline(sections(headings, text), form.name, None, "prose", found)


class _Open(NamedTuple):
    """An item that has not ended: its place in the headings, and how many lists and indents are around it.

    One that is `indented` ends with the indent that holds its words.
    """

    at: int
    depth: int
    indented: bool


class _Scan:
    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.headings: list[Heading] = []
        self.ends: dict[int, int] = {}
        self.open: list[_Open] = []
        self.lists: list[bool] = []
        self.level = 0

    def run(self) -> None:
        for number, name, words in _macros(self.lines):
            if name in _LEVELS:
                self._section(number, name, words)
            elif name == "Bl":
                self.lists.append(bool(_TAGGED.match(words)))
            elif name == "RS":
                self.lists.append(False)
            elif name in ("El", "RE"):
                self._leave(number)
            elif name == "It":
                self._listed(number, words)
            elif name in ("TP", "TQ"):
                # A further tag is a part of the item above, whose words are its words, too.
                further = name == "TQ" and bool(self.open) and self.open[-1].depth >= len(self.lists)
                title, last = _next_words(self.lines, number)
                self._tag(number, _unmarked(title), last, len(self.lists) + further)
            elif name == "IP":
                title = bare(next(iter(arguments(words)), ""))
                self._tag(number, _unmarked(title), number, len(self.lists))
            elif name in _PARAGRAPHS or name == "sp":
                self._paragraph(number, name)

    def finished(self) -> list[Heading]:
        """The headings with the ends of those that end before the section does."""
        self._close(0, len(self.lines))
        return [one._replace(end=self.ends.get(at, 0)) for at, one in enumerate(self.headings)]

    def _section(self, number: int, name: str, words: str) -> None:
        """Those that have words, on their line or, as roff allows, on the next."""
        self._close(0, number - 1)
        self.lists = []
        title, last = bare(" ".join(arguments(words))), number
        if not words and number < len(self.lines) and not self.lines[number].startswith((".", "'")):
            title, last = bare(self.lines[number]), number + 1
        if title := named(title):
            self.level = _LEVELS[name]
            self.headings.append(Heading(title, self.level, number, last, number, last))

    def _listed(self, number: int, words: str) -> None:
        if self.lists and self.lists[-1]:
            self._close(len(self.lists), number - 1)
            title, last = _listed_words(self.lines, number, words)
            self._tag(number, title, last, len(self.lists))

    def _paragraph(self, number: int, name: str) -> None:
        """A paragraph ends the list, unless it is a single line before an indent: that is a tag by another macro."""
        if name in _PARAGRAPHS:
            self._close(len(self.lists), number - 1)
        if number + 1 < len(self.lines) and name != "HP" and _INDENTED.match(self.lines[number + 1]):
            title = bare(self.lines[number])
            if not self.lines[number].startswith((".", "'")) and not _SENTENCE.fullmatch(title):
                self._tag(number, title, number + 1, len(self.lists), indented=True)

    def _tag(self, number: int, title: str, last: int, depth: int, *, indented: bool = False) -> None:
        """One more item at DEPTH from line NUMBER, its tag up to line LAST, unless TITLE is none."""
        title = named(title)
        if aside := _ASIDE.fullmatch(title):
            title = aside[1] or aside[2]
        if not title:
            return
        self._close(depth, number - 1)
        if len(self.open) < limits.MAX_DEPTH:
            self.open.append(_Open(len(self.headings), depth, indented))
            own = number if _ON_ITS_LINE.match(self.lines[number - 1]) else last
            self.headings.append(Heading(title, self.level + len(self.open), number, last, own, own))

    def _leave(self, number: int) -> None:
        """Ends the innermost list or indent with what is open in it."""
        self._close(len(self.lists), number - 1)
        if self.lists:
            self.lists.pop()
        if self.open and self.open[-1].indented and self.open[-1].depth == len(self.lists):
            self._close(len(self.lists), number)

    def _close(self, depth: int, last: int) -> None:
        while self.open and self.open[-1].depth >= depth:
            self.ends[self.open.pop().at] = last


def _unmarked(tag: str) -> str:
    """TAG, nothing where it is a bullet or number: the lists of man do not say what they are."""
    return "" if _BULLET.fullmatch(tag.strip()) else tag


def _macros(lines: Sequence[str]) -> Iterator[tuple[int, str, str]]:
    """Line, name and words of each macro that is used; what stands in the definition of one is not."""
    closings = [number for number, line in enumerate(lines, 1) if line == ".."]
    hidden = at = 0
    for number, line in enumerate(lines, 1):
        if number <= hidden or line[:1] not in (".", "'") or not (found := _MACRO.fullmatch(line)):
            continue
        if found["name"] in _DEFINED:
            while at < len(closings) and closings[at] < number:
                at += 1
            hidden = closings[at] if at < len(closings) else 0
        else:
            yield number, found["name"], found["words"] or ""


def _next_words(lines: Sequence[str], number: int) -> tuple[str, int]:
    """What the first lines below NUMBER that print something print as one, and the last of them."""
    said: list[str] = []
    for last in range(number + 1, min(number + MAX_TAG, len(lines)) + 1):
        line = lines[last - 1]
        found = _MACRO.fullmatch(line)
        if not line or (found and found["name"] in _PARTS):
            break
        if found and found["name"] not in _SILENT:
            said.append(in_fonts(found["name"], found["words"] or ""))
        elif not line.startswith((".", "'")):
            said.append(line)
        if said and said[-1] and not line.endswith("\\c"):
            return bare("".join(said)), last
    return "", number


def _listed_words(lines: Sequence[str], number: int, words: str) -> tuple[str, int]:
    """What the tag of `It` on line NUMBER prints, and its last line: that of `Xc` where an `Xo` opens."""
    first = arguments(words)
    if "Xo" in first and "Xc" not in first:
        rows = [first]
        for last in range(number + 1, min(number + MAX_TAG, len(lines)) + 1):
            line = lines[last - 1]
            row = arguments(line[1:]) if line.startswith(".") else line.split()
            if row and row[0] in _PARTS:
                break
            rows.append(row if row[:1] != ["Tg"] else [])
            if "Xc" in row:
                return in_macros(rows), last
    return in_macros([first]), number


def _kind(line: str) -> str:
    if line[:1] not in (".", "'"):
        return "paragraph"
    if _ITEM.match(line):
        return "item"
    if _CODE.match(line):
        return "fence"
    return "meta" if line.startswith(('.\\"', "'\\\"", ".TH", ".Dd", ".Dt", ".Os")) else "paragraph"
