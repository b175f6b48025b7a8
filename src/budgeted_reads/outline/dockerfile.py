"""Dockerfiles to stages and their instructions, with continued lines and here-documents."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence

from budgeted_reads.outline.entry import Entry, Outline
from budgeted_reads.outline.formats import Format
from budgeted_reads.outline.lines import bare_lines, entry, named
from budgeted_reads.outline.plain import first_words
from budgeted_reads.outline.tree import Quota
from budgeted_reads.text import Text

INSTRUCTIONS = frozenset({
    "ADD", "ARG", "CMD", "COPY", "ENTRYPOINT", "ENV", "EXPOSE", "FROM", "HEALTHCHECK", "LABEL", "MAINTAINER",
    "ONBUILD", "RUN", "SHELL", "STOPSIGNAL", "USER", "VOLUME", "WORKDIR",
})  # fmt: skip
"""The words that a line may begin with."""

NAMED_LINES = 10
"""The names of variables are looked for in at most so many more lines of one instruction."""

_INSTRUCTION = re.compile(r"\s*(?P<word>[A-Za-z]+)(?:\s+(?P<rest>.*))?$")
_STAGE = re.compile(r"(?:--\S+\s+)*(?P<image>\S+)(?:\s+AS\s+(?P<name>\S+))?", re.IGNORECASE)
_ESCAPE = re.compile(r"#\s*escape\s*=\s*(?P<mark>[\\`])\s*$", re.IGNORECASE)
_DIRECTIVE = re.compile(r"#\s*\w+\s*=")
_HERE = re.compile(r"<<(?P<tabs>-?)(?P<quote>[\"']?)(?P<word>\w+)(?P=quote)")
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
_NAME = re.compile(r"(?:^|\s)(?P<name>[A-Za-z_]\w*)(?==|\s|$)")


def outline(text: Text, form: Format) -> Outline:
    """Stages by their name, else by their image, around their instructions; what comes before the first stands on top.

    Variables (`ARG`, `ENV`) are named as they are, other instructions by their first words.
    """
    scan = _Scan(bare_lines(text))
    scan.run()
    entries = scan.quota.kept(scan.top)
    return Outline(entries, form.name, form.language, "code", warnings=scan.quota.warnings())


class _Scan:
    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.quota = Quota()
        self.top: list[Entry] = []
        self.inside = self.top
        self.stage: tuple[str, int, int] | None = None
        self.end = 0
        self.escape = self._escape_mark()
        self.words = _by_words(lines)
        self.tabbed = _by_words(line.lstrip("\t") for line in lines)

    def _escape_mark(self) -> str:
        """The mark that continues a line: a directive at the very top may set it."""
        for line in self.lines:
            if not _DIRECTIVE.match(line):
                break
            if found := _ESCAPE.match(line):
                return found["mark"]
        return "\\"

    def run(self) -> None:
        number = 0
        while number < len(self.lines):
            number += 1
            found = _INSTRUCTION.match(self.lines[number - 1])
            if found and found["word"].upper() in INSTRUCTIONS:
                last = self._end_of(number, found["word"].upper())
                self._instruction(found["word"].upper(), found["rest"] or "", number, last)
                number = self.end = last
        self._close()

    def _instruction(self, word: str, rest: str, first: int, last: int) -> None:
        if word == "FROM":
            self._close()
            found = _STAGE.match(rest)
            title = (found["name"] or found["image"]) if found else rest
            self.stage, self.inside = (named(title) or "FROM", first, last), []
            return
        level = 2 if self.stage else 1
        if not self.quota.takes(level):
            return
        kind, title = "instruction", first_words(f"{word} {rest[:400]}".rstrip(f"{self.escape} \t"))
        if word in ("ARG", "ENV") and (names := self._names(word, first, last, rest)):
            kind, title = "variable", named(" ".join(names))
        self.inside.append(entry(self.lines, named(title), kind, level, first, last))

    def _names(self, word: str, first: int, last: int, rest: str) -> list[str]:
        """The names that ARG or ENV sets: `A=1 B=2`, over lines too, `A`, or in the old form `A 1`."""
        first_word = rest.split(None, 1)[0] if rest.strip() else ""
        if word == "ENV" and "=" not in first_word:
            return [first_word] if first_word else []
        more = self.lines[first : min(last, first + NAMED_LINES)]
        whole = " ".join(line[:400].rstrip(f"{self.escape} \t") for line in (rest, *more))
        return [found["name"] for found in _NAME.finditer(_QUOTED.sub("_", whole))]

    def _close(self) -> None:
        if self.stage and self.quota.takes(1):
            title, first, head = self.stage
            self.top.append(entry(self.lines, title, "stage", 1, first, self.end, head=head, children=self.inside))

    def _end_of(self, number: int, word: str) -> int:
        """The last line of the instruction of line NUMBER: comments and blank lines do not end a continued one."""
        first, end = number, number
        while self._goes_on(number) and number < len(self.lines):
            number += 1
            line = self.lines[number - 1].strip()
            if line and not line.startswith("#"):
                end = number
        if word in ("RUN", "COPY", "ADD"):
            for line in self.lines[first - 1 : end]:
                for here in _HERE.finditer(line):
                    end = self._here_end(end, here["word"], bool(here["tabs"]))
        return end

    def _goes_on(self, number: int) -> bool:
        """Whether line NUMBER, or the one before it that says something, ends in the mark that continues it."""
        line = self.lines[number - 1].strip()
        return not line or line.startswith("#") or line.endswith(self.escape)

    def _here_end(self, number: int, word: str, tabs: bool) -> int:
        """The line that ends a here-document whose text starts below line NUMBER; without one, NUMBER."""
        ends = (self.tabbed if tabs else self.words).get(word, [])
        at = bisect_right(ends, number)
        return ends[at] if at < len(ends) else number


def _by_words(lines: Iterable[str]) -> dict[str, list[int]]:
    """The numbers of the lines that are one word, by that word."""
    found: dict[str, list[int]] = {}
    for number, line in enumerate(lines, 1):
        if line.isidentifier() or line.isalnum():
            found.setdefault(line, []).append(number)
    return found
