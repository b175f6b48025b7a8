"""Logs and console output: errors, warnings and stack traces as entries; times, levels and repeats as facts.

Lines that say nothing worse than `info` are no entries: an order of reveals samples them where room is left.
"""

import re
from collections.abc import Sequence

from budgeted_reads import limits
from budgeted_reads.outline.entry import Entry, Outline, Warned
from budgeted_reads.outline.formats import Format
from budgeted_reads.outline.lines import bare_lines, entry, named
from budgeted_reads.outline.logline import Said, said, service_end
from budgeted_reads.outline.reports import Report
from budgeted_reads.outline.stamps import LEVELS, LOOK, uncoloured
from budgeted_reads.text import Text

REPEATS = 5
"""At most this many lines of one template are entries; all are counted."""

MAX_TEMPLATES = 10_000
"""Templates beyond so many different ones are not counted."""

TOLD = 10
"""At most this many templates are told, the most frequent first."""

_BAD = {"warning": "warning", "error": "error", "fatal": "error"}
_NO_DIGITS = {ord(digit): None for digit in "0123456789"}
_VARIABLE = re.compile(r"(?<![\w.:/-])(?=[\w.:/-]*\d)[\w.:/-]+|\"[^\"]*\"|'[^']*'")
_NPM = ("npm ERR!", "npm error ")

_FRAME = re.compile(r"\s+(?:at \S|from \S+:\d|File \"|\.\.\. \d+ )")
_OPENS = re.compile(
    r"Traceback \(most recent call last\):|panic: |fatal error: |thread '[^']*'(?: \(\d+\))? panicked at "
    r"|Exception in thread |Unhandled exception|goroutine \d+ \["
)
_GOES_ON = re.compile(
    r"Caused by: |Suppressed: |stack backtrace:|note: |goroutine \d+ \[|created by |exit status |\[signal "
    r"|\d+ +\||Traceback \(most recent call last\):|During handling of the above|The above exception was the direct"
)
_CHAINS = ("During handling of the above", "The above exception was the direct")
_PYTHON = "Traceback (most recent call last):"
_SPACED = (_PYTHON, "panic: ", "fatal error: ", "goroutine ", "thread ")


def outline(text: Text, form: Format) -> Outline:
    """Errors and warnings of TEXT with the lines that belong to them, stack traces that stand alone, in their order.

    Of those that differ in numbers and quoted words alone five are entries: `shallow_outline` counts the others.
    Failures that a test runner reports are errors; requests that a server answered with 5xx, too. A log without an
    error or warning is told by the first line of each template.

    Facts: `first_time` and `last_time` as they are written, `levels` (lines of each), `repeated` (the most frequent
    templates with their count, first and last line).
    """
    scan = _Scan([uncoloured(line) for line in bare_lines(text)])
    scan.run()
    entries = tuple(scan.entries or scan.kinds())
    return Outline(entries, form.name, None, "data", warnings=scan.warnings(), facts=scan.facts())


class _Event:
    """An error, warning or trace that is being read.

    `waits`: its next line that is not indented belongs to it whatever that says, and names it if `named_last`;
    `gaps`: blank lines do not end it; `chained`: a trace that follows is of it. `said` is what its first line says,
    where that is stamped: then what belongs to it is stamped as well, alike.
    """

    __slots__ = (
        "chained",
        "end",
        "gaps",
        "kind",
        "named_last",
        "own",
        "said",
        "start",
        "title",
        "traced",
        "waits",
    )

    def __init__(self, kind: str, title: str, start: int, said: Said | None = None) -> None:
        self.kind = kind
        self.title = title
        self.start = self.own = self.end = start
        self.said = said
        self.waits = self.gaps = self.named_last = self.chained = self.traced = False


class _Scan:
    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.entries: list[Entry] = []
        self.event: _Event | None = None
        self.report = Report()
        self.shown = self.stamped = 0
        self.left_out = 0
        self.firsts: list[tuple[int, str]] = []
        self.times: tuple[str, str] | None = None
        self.levels: dict[str, int] = {}
        self.templates: dict[str, list[int]] = {}
        self.seen: dict[str, list[int]] = {}

    def run(self) -> None:
        for number, line in enumerate(self.lines, 1):
            if at := service_end(line):
                line = line[at:]
            if line and not line.isspace():
                self.shown += 1
                self._line(number, line)
        self._close()

    def _line(self, number: int, line: str) -> None:
        if line[0] in " \t":
            if not self._reported(number, line):
                self._indented(number, line)
            return
        one = said(line)
        stamped = bool(one.time) and one.bare is not line
        if self._reported(number, one.bare if stamped else line):
            return
        if stamped and not one.bare.strip():
            self.stamped += 1
            return
        if one.time:
            self.times = (self.times[0] if self.times else one.time, one.time)
        if one.level:
            self.levels[one.level] = self.levels.get(one.level, 0) + 1
        if self._belongs(number, one) if stamped else not one.time and self._continues(number, line):
            self.stamped += stamped
            return
        self._close()
        count = self._count(number, one.message) if one.time or one.level else None
        self.stamped += count is not None
        if _OPENS.match(one.bare if stamped else line):
            self._open_trace(number, one.bare if stamped else line, one if stamped else None)
        elif one.level in _BAD:
            if count is not None and count[0] > REPEATS:
                self.left_out += 1
                return
            title = named(one.message) or named(line)
            self.event = _Event(_BAD[one.level], title, number, one if stamped else None)

    def _belongs(self, number: int, one: Said) -> bool:
        """Whether a stamped line is of the event that is open: stamped alike, and indented or a part of a trace."""
        event = self.event
        if event is None or event.said is None or one.grave or (one.level and one.level != event.said.level):
            return False
        if one.bare[:1] in (" ", "\t"):
            if (one.level and not event.traced) or event.end < number - 1:
                return False
            event.end = number
            return True
        return event.traced and self._continues(number, one.bare)

    def facts(self) -> tuple[tuple[str, object], ...]:
        if not self.times and not self.levels:
            return ()
        first, last = self.times or (None, None)
        levels = {level: self.levels[level] for level in dict.fromkeys(LEVELS.values()) if level in self.levels}
        often = sorted((row for row in self.templates.items() if row[1][0] > 1), key=lambda row: -row[1][0])[:TOLD]
        repeated = tuple(
            {"template": template, "count": count, "first": start, "last": end}
            for template, (count, start, end) in often
        )
        return (("first_time", first), ("last_time", last), ("levels", levels), ("repeated", repeated))

    def kinds(self) -> list[Entry]:
        """The first line of each template, by what it says; none where most lines have neither time nor level."""
        if self.stamped * 2 < self.shown:
            return []
        return [entry(self.lines, title, "message", 1, line, line) for line, title in self.firsts[: limits.MAX_ENTRIES]]

    def _reported(self, number: int, line: str) -> bool:
        """Whether LINE belongs to what a test runner reports, which may open with it."""
        title = self.report.opened_by(line)
        if title is not None:
            self._close()
            self.event = _Event("error", named(title), number)
        elif self.report.inside and self.event:
            self.event.end = number
        return self.report.inside

    def _count(self, number: int, message: str) -> list[int] | None:
        """How often the template of MESSAGE was there with this line, its first and last line; None for too many."""
        bare = message.translate(_NO_DIGITS)
        seen = self.seen.get(bare)
        if seen is None:
            template = _VARIABLE.sub("*", " ".join(message.split()))
            seen = self.templates.get(template)
            if seen is None:
                if len(self.templates) >= MAX_TEMPLATES:
                    return None
                seen = self.templates[template] = [0, number, number]
                self.firsts.append((number, named(message) or named(self.lines[number - 1])))
            if len(self.seen) < MAX_TEMPLATES:
                self.seen[bare] = seen
        seen[0] += 1
        seen[2] = number
        return seen

    def warnings(self) -> tuple[Warned, ...]:
        """`shallow_outline` where errors and warnings are no entries, since others are like them."""
        if not self.left_out:
            return ()
        detail = f"{self.left_out} more errors and warnings are like those that are entries: `repeated` counts them"
        return (Warned("shallow_outline", detail),)

    def _indented(self, number: int, line: str) -> None:
        """A line that belongs to the event above it; a frame of a trace opens one, from the line before it on."""
        event = self.event
        if event is None:
            before = self.lines[number - 2] if number > 1 else ""
            if not _FRAME.match(line) or not before.strip() or before[0] in " \t" or self._claimed(number - 1):
                return
            event = self.event = _Event("error", named(before), number - 1)
        elif event.end < number - 1 and not event.gaps:
            self._close()
            return
        event.end = number

    def _claimed(self, number: int) -> bool:
        return bool(self.entries) and self.entries[-1].end >= number

    def _continues(self, number: int, line: str) -> bool:
        """Whether LINE, neither stamped nor indented, belongs to the event that is open."""
        event = self.event
        if event is None:
            return False
        if event.end == number - 1 and line.startswith(_NPM) and self.lines[event.start - 1].startswith(_NPM):
            event.end = number
            return True
        if event.waits:
            event.waits = False
            event.end = number
            if event.named_last:
                event.title, event.own = named(line), number
            return True
        if not _GOES_ON.match(line) and not _is_call(line):
            return False
        if event.end < number - 1 and not event.gaps:
            return False
        if line.startswith(_PYTHON):
            if event.named_last and not event.chained:
                return False
            event.waits = event.gaps = True
        event.chained = line.startswith(_CHAINS)
        event.gaps = event.gaps or line.startswith("goroutine ")
        event.end = number
        return True

    def _open_trace(self, number: int, line: str, one: Said | None) -> None:
        self.event = event = _Event("error", named(line), number, one)
        event.traced = True
        event.gaps = line.startswith(_SPACED)
        event.named_last = line.startswith(_PYTHON)
        event.waits = event.named_last or (line.startswith("thread ") and line.endswith(":"))

    def _close(self) -> None:
        event, self.event = self.event, None
        if event is None:
            return
        if len(self.entries) >= limits.MAX_ENTRIES:
            self.left_out += 1
            return
        made = entry(self.lines, event.title, event.kind, 1, event.start, event.end, own=event.own)
        self.entries.append(made)


def _is_call(line: str) -> bool:
    """Whether LINE is a call as Go's traces have it: `main.(*Pump).run(0x1, 0x2)`."""
    name = line[:LOOK].partition("(")[0]
    return line.endswith(")") and "." in name and " " not in name
