"""Text files of many short records: translations, bibliographies, subtitles, and features of Gherkin."""

import re
from collections.abc import Callable, Iterator, Sequence

from budgeted_reads.outline.blocks import blocks
from budgeted_reads.outline.entry import Outline
from budgeted_reads.outline.formats import Format
from budgeted_reads.outline.lines import bare_lines, named
from budgeted_reads.outline.sections import Heading, sections
from budgeted_reads.text import Text

_MESSAGE = re.compile(r"(?P<word>msgid(?=[ \t])|msgstr(?=[ \t\[]))?[^\"]*\"(?P<words>(?:[^\"\\]|\\.)*+)\"")
_CITED = re.compile(r"\s*@(?!(?:comment|preamble|string)\b)\w+\s*[{(]\s*(?P<key>[^\s,{}()=]+)\s*(?:,|$)", re.IGNORECASE)
_STEP = re.compile(
    r"\s*(?P<word>Feature|Rule|Background|Scenario(?: Outline| Template)?|Examples?):[ \t]*(?P<words>.*)"
)
_LEVELS = {"Feature": 1, "Rule": 2, "Background": 2, "Examples": 3}


def outline(text: Text, form: Format) -> Outline:
    """Each record as a section to the line before the next one, by its message, key, words or title."""
    lines = [line.rstrip() for line in bare_lines(text)]
    headings = list(_READERS[form.name](lines))
    taken = {number for heading in headings for number in range(heading.first, heading.last + 1)}
    found = tuple(blocks(lines, taken, (), lambda line: "meta" if line.startswith("#") else "paragraph"))
    return Outline(sections(headings, text), form.name, None, "prose", found)


def _messages(lines: Sequence[str]) -> Iterator[Heading]:
    """Messages with the comments above them; the first, which has no words, is the head of the file."""
    first, within = 0, False
    for number, line in enumerate(lines, 1):
        if not first and line.startswith(("#", "msgctxt", "msgid ")):
            first = number
        if not line or not first:
            first, within = 0, False
            continue
        found = _MESSAGE.match(line)
        within = bool(found and (found["word"] == "msgid" or (within and not found["word"])))
        if within and found and found["words"]:
            yield Heading(named(found["words"]), 1, first, number, number, number)
            first, within = 0, False


def _citations(lines: Sequence[str]) -> Iterator[Heading]:
    for number, line in enumerate(lines, 1):
        if found := _CITED.match(line):
            yield Heading(named(found["key"]), 1, number, number, number, number)


def _subtitles(lines: Sequence[str]) -> Iterator[Heading]:
    """Each by the first line that is said; its number and times are above that."""
    last = 0
    for number, line in enumerate(lines, 1):
        if "-->" in line and last < number < len(lines) and lines[number]:
            counted = number - 1 > last and bool(lines[number - 2])
            last = number + 1
            yield Heading(named(lines[number]), 1, number - counted, last, last, last)


def _features(lines: Sequence[str]) -> Iterator[Heading]:
    ruled = 0
    for number, line in enumerate(lines, 1):
        if found := _STEP.fullmatch(line):
            word = found["word"]
            ruled = 1 if word == "Rule" else 0 if word == "Feature" else ruled
            level = _LEVELS.get(word, 2) + (ruled if word not in ("Feature", "Rule") else 0)
            yield Heading(named(found["words"]) or word, level, number, number, number, number)


_READERS: dict[str, Callable[[Sequence[str]], Iterator[Heading]]] = {
    "gettext": _messages,
    "bibtex": _citations,
    "subtitles": _subtitles,
    "gherkin": _features,
}
