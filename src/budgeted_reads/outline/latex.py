"""LaTeX: the commands for sections, wherever they stand; not those in comments and in what is set as it is written."""

import re
from collections.abc import Iterator

from budgeted_reads.outline.blocks import blocks
from budgeted_reads.outline.entry import Block, Outline
from budgeted_reads.outline.formats import Format
from budgeted_reads.outline.latexwords import title
from budgeted_reads.outline.lines import bare_lines
from budgeted_reads.outline.sections import Heading, sections
from budgeted_reads.text import Text

MAX_TITLE = 500
"""A title whose braces do not close within so many code points is none."""

MAX_BRACES = 6
"""Nor is one with so many braces inside each other."""

_LEVELS = ("part", "chapter", "section", "subsection", "subsubsection", "paragraph", "subparagraph", "frame")
_AS_WRITTEN = ("verbatim", "verbatim*", "Verbatim", "BVerbatim", "lstlisting", "minted", "comment", "alltt")
_DEFINING = (
    "newcommand renewcommand providecommand DeclareRobustCommand newenvironment renewenvironment def gdef edef xdef"
    " NewDocumentCommand RenewDocumentCommand ProvideDocumentCommand DeclareDocumentCommand"
    " NewDocumentEnvironment RenewDocumentEnvironment"
)
_TOKEN = re.compile(
    rf"""(?P<comment>%[^\n]*+)
    | \\(?:(?P<head>{"|".join(_LEVELS[:-1])}|frametitle)(?![A-Za-z])\*?
      | (?P<frame>begin\{{frame\}})
      | begin\{{(?P<env>{"|".join(map(re.escape, _AS_WRITTEN))})\}}
      | verb\*?(?P<mark>[^\w\s*])
      | (?P<define>{"|".join(_DEFINING.split())})(?![A-Za-z])
      | .)""",
    re.VERBOSE | re.DOTALL,
)
_OPTION = re.compile(r"\s{0,20}+(?:<[^<>\n]{0,100}+>)?\s{0,20}+(?:\[[^\[\]]{0,500}+\]){0,2}\s{0,20}+\{")
_FRAME_OPTION = re.compile(
    r"[ \t]{0,20}+(?:<[^<>\n]{0,100}+>)?[ \t]{0,20}+(?:\[[^\[\]\n]{0,500}+\]){0,2}[ \t]{0,20}+\{"
)
_BRACE = re.compile(r"\\.|[{}]|\n[ \t]*\n", re.DOTALL)
_PARAMETER = re.compile(r"(?<!\\)#\d")
_DEFINED = re.compile(r"\*?\s{0,20}+(?:\{[^{}]{1,100}+\}|\\[A-Za-z@]++\*?)[^{}\\]{0,200}+\{")


def outline(text: Text, form: Format) -> Outline:
    """Sections from their command to the line before the next one of their level or above; the highest has level 1.

    Frames of slides come below all of them. A second command on one line is no section of its own.
    """
    fenced: list[Block] = []
    headings = list(_headings(text, fenced))
    highest = min((heading.level for heading in headings), default=1)
    headings = [heading._replace(level=heading.level - highest + 1) for heading in headings]
    taken = {number for heading in headings for number in range(heading.first, heading.last + 1)}
    lines = bare_lines(text)
    found = tuple(blocks(lines, taken, [block for block in fenced if block.start not in taken], _kind))
    return Outline(sections(headings, text), form.name, None, "prose", found)


def _headings(text: Text, fenced: list[Block]) -> Iterator[Heading]:
    """The headings in order; blocks that are set as they are written are added to FENCED."""
    content = text.content
    ends = {env: content.rfind(f"\\end{{{env}}}") for env in _AS_WRITTEN}
    at = last_line = 0
    while found := _TOKEN.search(content, at):
        at = found.end()
        if env := found["env"]:
            if ends[env] >= at:
                at = content.find(f"\\end{{{env}}}", at)
                _add(fenced, text.line_at(found.start()), text.line_at(at))
        elif found["mark"]:
            closing = re.compile(rf"[{re.escape(found['mark'])}\n]").search(content, at)
            at = closing.start() + 1 if closing and closing[0] == found["mark"] else at
        elif found["define"]:
            at = _braces(content, at, _DEFINED)[1]
        elif found["head"] or found["frame"]:
            start, at = _braces(content, at, _FRAME_OPTION if found["frame"] else _OPTION)
            if not start or _PARAMETER.search(content, start, at):
                # A parameter is a title only where the command that it belongs to is used.
                continue
            first, last = text.line_at(found.start()), text.line_at(at)
            name = found["head"] if found["head"] in _LEVELS else "frame"
            if first > last_line:
                yield Heading(title(content[start:at]), _LEVELS.index(name), first, last, first, last)
                last_line = last


def _add(fenced: list[Block], first: int, last: int) -> None:
    if not fenced or fenced[-1].end < first:
        fenced.append(Block("fence", first, last))


def _braces(content: str, at: int, option: "re.Pattern[str]") -> tuple[int, int]:
    """First and last offset of the braces behind a command that ends at AT; else 0 and where to go on."""
    opening = option.match(content, at)
    if not opening:
        return 0, at
    depth = 1
    for found in _BRACE.finditer(content, opening.end(), opening.end() + MAX_TITLE):
        depth += {"{": 1, "}": -1}.get(found[0], 0)
        if depth == 0:
            return opening.end(), found.start()
        if depth > MAX_BRACES:
            return 0, found.end()
        if found[0][0] == "\n":
            break
    return 0, opening.end()


def _kind(line: str) -> str:
    start = line.lstrip()
    if start.startswith("\\item"):
        return "item"
    if start.startswith("\\includegraphics"):
        return "image"
    if start.startswith("%") or (start.startswith("\\") and not start.endswith(".")):
        return "meta"
    return "paragraph"
