"""AsciiDoc: titles outside delimited blocks, in both forms; a line within a paragraph is no title."""

import re
from collections.abc import Sequence

from budgeted_reads.outline.blocks import blocks
from budgeted_reads.outline.entry import Block, Outline
from budgeted_reads.outline.formats import Format
from budgeted_reads.outline.lines import bare_lines, named
from budgeted_reads.outline.sections import Heading, sections
from budgeted_reads.text import Text

_TITLE = re.compile(r"(?P<marks>={1,6}|#{1,6})[ \t]++(?P<words>\S.*)")
_DELIMITER = re.compile(r"(?:-{4,}|\.{4,}|\+{4,}|/{4,}|={4,}|\*{4,}|_{4,}|--|[|,:!]={3,}|```[\w+-]*)$")
_UNDERLINES = {"=": 1, "-": 2, "~": 3, "^": 4, "+": 5}
_KINDS = {"-": "fence", ".": "fence", "+": "fence", "`": "fence", "/": "meta", "|": "table", ",": "table"}
_OPENING = frozenset("-.+/=*_|,:!`")
_BESIDE = re.compile(r"\[.*\]$|//(?!/)|:!?[\w-]+!?:(?: |$)|\.[^\s.]|(?:ifdef|ifndef|ifeval|endif|include)::")
_DISCRETE = re.compile(r"\[(?:discrete|float)\b")
_ITEM = re.compile(r"\s*(?:[*.-]{1,5}|\d+\.|<[\d.]+>)\s+\S|\S.*?:{2,4}(?:\s|$)")
_ANCHOR = re.compile(r"\[\[[^\]]*\]\]|\[#[^\]]*\](?=#)")
_LINK = re.compile(r"(?:link:|xref:|https?://|mailto:)[^\s\[]*\[([^\]]*)\]|<<[^,>]*,([^>]*)>>")
_MARKUP = re.compile(r"(?<!\w)([*_`#]{1,2})(?=\S)(.+?)(?<=\S)\1(?!\w)")


def outline(text: Text, form: Format) -> Outline:
    """Sections from their title to the line before the next one of their level or above; `= Title` has level 1."""
    scan = _Scan([line.rstrip() for line in bare_lines(text)])
    scan.run()
    taken = {number for heading in scan.headings for number in range(heading.first, heading.last + 1)}
    found = tuple(blocks(scan.lines, taken, scan.fenced, _kind))
    return Outline(sections(scan.headings, text), form.name, None, "prose", found)


class _Scan:
    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.ends = _ends(lines)
        self.headings: list[Heading] = []
        self.fenced: list[Block] = []

    def run(self) -> None:
        in_paragraph = discrete = False
        number = 0
        while number < len(self.lines):
            number += 1
            line = self.lines[number - 1]
            if not line:
                in_paragraph = discrete = False
            elif not in_paragraph and (level := self._underlined(number)):
                self._add(line, level, number, number + 1)
                number += 1
            elif _DELIMITER.match(line):
                number = self._fence(number, line)
                in_paragraph = False
            elif in_paragraph or not (found := _TITLE.fullmatch(line)):
                discrete = bool(_DISCRETE.match(line)) or (discrete and line.startswith("["))
                in_paragraph = in_paragraph or not _BESIDE.match(line)
            elif discrete:
                discrete = False
            else:
                self._add(found["words"], len(found["marks"]), number, number)

    def _underlined(self, number: int) -> int:
        """The level of the title on line NUMBER by the line below it; 0 where there is none."""
        if number == len(self.lines):
            return 0
        line, below = self.lines[number - 1], self.lines[number]
        level = _UNDERLINES.get(below[:1], 0)
        if not level or below.strip(below[0]) or abs(len(line) - len(below)) > 1 or len(below) < 2:
            return 0
        named = line[0] not in " \t." and any(map(str.isalnum, line))
        return level if named and not _BESIDE.match(line) else 0

    def _add(self, words: str, level: int, first: int, last: int) -> None:
        self.headings.append(Heading(_title(words), level, first, last, first, first))

    def _fence(self, number: int, delimiter: str) -> int:
        """The last line of the block that opens on line NUMBER; that line alone where nothing closes it."""
        end = self.ends.get(number, number)
        if end > number:
            kind = "quote" if delimiter == "--" else _KINDS.get(delimiter[0], "quote")
            self.fenced.append(Block(kind, number, end))
        return end


def _ends(lines: Sequence[str]) -> dict[int, int]:
    """For each delimiter the next line that equals it, and so closes what it opens, whatever stands between."""
    ends: dict[int, int] = {}
    later: dict[str, int] = {}
    for number in range(len(lines), 0, -1):
        line = lines[number - 1]
        if line[:1] in _OPENING and _DELIMITER.match(line):
            closing = "```" if line.startswith("```") else line
            ends[number] = later.get(closing, number)
            later[line] = number
    return ends


def _title(words: str) -> str:
    """WORDS without markup and without the marks that may stand behind them, too."""
    words = named(words)
    head, _, tail = words.rpartition(" ")
    if head and not tail.strip("=#"):
        words = head
    words = _LINK.sub(lambda found: found[1] or found[2] or "", _ANCHOR.sub("", words))
    return " ".join(_MARKUP.sub(r"\2", words).split())


def _kind(line: str) -> str:
    if _ITEM.match(line):
        return "item"
    if line.startswith(" "):
        return "fence"
    if _BESIDE.match(line):
        return "meta"
    return "image" if line.startswith(("image::", "video::", "audio::")) else "paragraph"
