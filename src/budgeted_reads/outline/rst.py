"""reStructuredText: titles by their adornment, what directives describe, blocks by blank lines and indentation."""

import re
from collections.abc import Iterator, Sequence

from budgeted_reads import limits
from budgeted_reads.outline import rstwords
from budgeted_reads.outline.entry import Block, Outline
from budgeted_reads.outline.formats import Format
from budgeted_reads.outline.sections import Heading, sections
from budgeted_reads.outline.tree import shown
from budgeted_reads.text import BOM, Text

_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1*")
_ITEM = re.compile(r"(?:[-*+•]|\d+[.)]|[(]?[a-zA-Z#][.)])\s")
_OBJECT = re.compile(
    r"(?P<indent> *)\.\. (?P<domain>[a-z]+:)?(?:auto)?(?:(?:static|class|abstract|coroutine)?method|function|class|data"
    r"|attribute|property|exception|(?<=auto)module|decorator|macro|member|var|type|struct|union|enum|enumerator|option|cmdoption|envvar"
    r"|confval|setting|directive|role|object|describe):: +(?P<words>\S.*)"
)
_KINDS = (
    (re.compile(r"\.\. (?:image|figure)::"), "image"),
    (re.compile(r"\.\. (?:code|code-block|sourcecode|literalinclude|parsed-literal|highlight)::"), "fence"),
    (re.compile(r"\.\. _[^:]+:|__ "), "links"),
    (re.compile(r"\.\.(?: |$)|:[\w -]+:(?:\s|$)"), "meta"),
    (re.compile(r">>> "), "fence"),
    (re.compile(r"\+[-=]|=+ +="), "table"),
)


def outline(text: Text, form: Format) -> Outline:
    """Titles of TEXT as sections; the level of a style is its place in the order in which styles first appear.

    What a directive describes (`.. function:: rise(level)`) is one, too, to the last line that is indented below it.
    """
    lines = [line.rstrip() for line in text.content.removeprefix(BOM).split("\n")][: text.line_count]
    headings = list(_headings(lines))
    taken = {number for heading in headings for number in range(heading.first, heading.last + 1)}
    return Outline(sections(headings, text), form.name, None, "prose", tuple(_blocks(lines, taken)))


def _headings(lines: Sequence[str]) -> Iterator[Heading]:
    styles: dict[tuple[str, bool], int] = {}
    ends = _ends(lines)
    around: list[int] = []
    within = 0
    number = 1
    while number <= len(lines):
        found = _heading(lines, number)
        if found is None:
            around = [end for end in around if end >= number]
            described = _OBJECT.match(lines[number - 1])
            # What is indented in anything else is an example.
            if described and (around or not described["indent"]) and len(around) < limits.MAX_DEPTH:
                end = ends[number - 1]
                for at, name in _described(lines, number, described):
                    yield Heading(shown(name), within + len(around) + 1, at, at, at, at, end)
                    if at == number:
                        around.append(end)
            number += 1
            continue
        mark, over, last = found
        own = number + over
        level = styles.setdefault((mark, bool(over)), len(styles) + 1)
        title = lines[own - 1].strip()
        yield Heading(shown(rstwords.bare(title)), level, number, last, own, own)
        within, around = level, []
        number = last + 1


def _described(lines: Sequence[str], number: int, described: "re.Match[str]") -> Iterator[tuple[int, str]]:
    """Line and name of each thing that the directive on line NUMBER describes, a name that comes again only once."""
    names = set()
    for at, words in (
        (number, described["words"]),
        *rstwords.signatures(lines, number, described.start("words")),
    ):
        name = rstwords.name(words, described["domain"] or "")
        if name not in names:
            names.add(name)
            yield at, name


def _ends(lines: Sequence[str]) -> list[int]:
    """For each line the last of those below that are indented deeper, blank ones between them left out."""
    ends = list(range(1, len(lines) + 1))
    open_: list[tuple[int, int]] = []
    last = 0
    for number, line in enumerate([*lines, "."], 1):
        if not line:
            continue
        indent = len(line) - len(line.lstrip())
        while open_ and open_[-1][0] >= indent:
            ends[open_.pop()[1] - 1] = last
        open_.append((indent, number))
        last = number
    return ends


def _heading(lines: Sequence[str], number: int) -> tuple[str, int, int] | None:
    """Mark, lines above the words, and last line of the title that starts at line NUMBER."""
    line = lines[number - 1]
    after = lines[number] if number < len(lines) else ""
    above = lines[number - 2] if number > 1 else ""
    if _ADORNMENT.fullmatch(line) and len(line) >= 2:
        below = lines[number + 1] if number + 1 < len(lines) else ""
        if after.strip() and below == line and len(line) >= len(after) and not _ADORNMENT.fullmatch(after.strip()):
            return line[0], 1, number + 2
        return None
    if above and not _ADORNMENT.fullmatch(above):
        return None
    if not line or line[0].isspace() or not _ADORNMENT.fullmatch(after) or len(after) < min(len(line), 4):
        return None
    return (after[0], 0, number + 1) if len(after) >= 2 or len(line) == 1 else None


def _blocks(lines: Sequence[str], taken: set[int]) -> Iterator[Block]:
    first = 0
    for number, line in enumerate([*lines, ""], 1):
        if line and number not in taken:
            if first and _ITEM.match(line) and _ITEM.match(lines[first - 1]):
                yield Block("item", first, number - 1)
                first = 0
            first = first or number
        elif first:
            yield Block(_kind(lines[first - 1]), first, number - 1)
            first = 0


def _kind(line: str) -> str:
    if line[0].isspace():
        return "fence"
    if _ITEM.match(line):
        return "item"
    return next((kind for pattern, kind in _KINDS if pattern.match(line)), "paragraph")
