"""A file of a page of matches, opened where something of it is shown: its lines, its entries, what reads of it cost."""

from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple

from budgeted_reads import limits
from budgeted_reads.limits import MIB
from budgeted_reads.outline import Outline, Range
from budgeted_reads.pointer import display
from budgeted_reads.search.exact import names_of
from budgeted_reads.search.scope import Scope, Source
from budgeted_reads.search.texts import held
from budgeted_reads.text import Text, decode
from budgeted_reads.tokens.kinds import kind_of
from budgeted_reads.trees.base import Tree
from budgeted_reads.trees.committed import Committed
from budgeted_reads.trees.objects import Recent
from budgeted_reads.views.ask import Ask, Lines
from budgeted_reads.views.face import Face, Heading
from budgeted_reads.views.placed import flatten
from budgeted_reads.views.read import reading
from budgeted_reads.views.sections import Named, innermost
from budgeted_reads.views.sheet import Sheet

LARGE_SECTION = MIB
"""A section of more characters is not priced whole: a window around the match is, within that section."""

WINDOW = 20
"""Lines before and after a match in such a window, and where no entry encloses it."""

LONG_LINE = 1600
"""Of a longer line a window of columns is offered."""

COLUMNS = 400

COSTS = 4000
"""So many costs of reads of one text are at hand."""

_NAME = 120


Outliner = Callable[[Text, bytes, str], Outline]
"""Makes the outline of a text, by its path and its blob."""

SHEET = 4096
"""A text that is at hand for the next page holds so many bytes beside its own; all together `limits.RECENT_BYTES`."""


class More(NamedTuple):
    """A read that shows what stands around a match, and the least budget that returns it on the same face.

    `within` are the lines of the section where it is too large to be offered whole.
    """

    path: str
    view: str
    lines: Range
    tokens: int
    columns: str | None = None
    within: Range | None = None

    def to_dict(self) -> dict[str, object]:
        """The fields of the read, and `tokens`."""
        body: dict[str, object] = {"path": self.path, "view": self.view, "lines": list(self.lines)}
        body["tokens"] = self.tokens
        return body if self.columns is None else {**body, "columns": self.columns}

    def label(self) -> str:
        """Where it stands and what it costs, as text prints it; of a window of columns nothing."""
        if self.columns is not None:
            return ""
        section = f"of {self.within[0]}-{self.within[1]} " if self.within else ""
        return f"{self.lines[0]}-{self.lines[1]} {section}{self.tokens}t"


class Names:
    """How one answer names files: with their tree where the node has SEVERAL; each commit is cut short once."""

    def __init__(self, several: bool) -> None:
        self.several = several
        self._short: dict[tuple[str, str], str] = {}

    def short(self, tree: Tree, commit: str) -> str:
        """COMMIT of TREE in as few digits as tell it apart."""
        key = tree.name, commit
        if key not in self._short:
            self._short[key] = tree.abbreviate(commit)
        return self._short[key]


class Sheets:
    """Texts with their outlines, the last ones used. An outline depends on the bytes and the name of a file."""

    def __init__(self, outliner: Outliner) -> None:
        self._kept: Recent[LazySheet] = Recent(limits.RECENT_BYTES, lambda sheet: len(sheet.text.raw) + SHEET)
        self._outliner = outliner

    def open(self, scope: Scope, source: Source) -> "LazySheet":
        """The sheet of SOURCE, a text file of SCOPE."""

        def make(key: str) -> LazySheet:
            if source.raw is None:
                assert isinstance(scope.tree, Committed)  # noqa: S101 - only git has bytes that are not at hand
                raw = scope.tree.blob(source.blob, source.commit or "")
            else:
                raw = held(source)
            text = decode(raw)
            return LazySheet(text, lambda: self._outliner(text, source.path, source.blob))

        sheet = self._kept.get(f"{source.blob} {source.path.hex()}", make)
        assert sheet is not None  # noqa: S101 - make never gives None
        return sheet


class LazySheet(Sheet):
    """A sheet whose outline is made when it is first needed: a page of hits alone never needs one.

    What else matches want to know of their file is found once too, as long as it is at hand.
    """

    def __init__(self, text: Text, make: Callable[[], Outline]) -> None:
        self.text = text
        self._make = make
        self._around: dict[Range, Named | None] = {}
        self.costs: dict[tuple[Range, str | None, str, Heading | None], int] = {}
        """What reads of it cost, by lines, columns, tokenizer and heading."""

    @cached_property
    def outline(self) -> Outline:  # type: ignore[override]
        """The outline of the text."""
        return self._make()

    @cached_property
    def kind(self) -> str:
        """The kind of the text, by which estimates of tokens go."""
        return kind_of(self.text.content, self.outline.format, self.outline.style)

    def entry(self, lines: Range) -> Named | None:
        """The innermost entry around all of LINES; none in a text that is only divided into paragraphs."""
        if self.outline.style == "plain":
            return None
        if lines not in self._around:
            first, last = lines
            everything = self.index.everything
            if last > first:
                everything = [one for one in everything if one.entry.end >= last]
            self._around[lines] = innermost(everything, first)
        return self._around[lines]

    def opens(self, number: int) -> int | None:
        """The last line of the entry with the own line NUMBER; None where there is none, or only a field, or data."""
        return self._ends.get(number)

    @cached_property
    def _ends(self) -> dict[int, int]:
        if self.outline.style not in ("code", "prose"):
            return {}
        return {one.entry.own: one.entry.end for one in flatten(self.outline.entries) if not one.leaf}


class Opened:
    """One file of a page. Of a secret file only names are to be had: no entry, no read."""

    def __init__(self, scope: Scope, source: Source, sheets: Sheets, face: Face, names: Names) -> None:
        self.scope = scope
        self.source = source
        self._sheets = sheets
        self._face = face
        self._names = names

    @property
    def secret(self) -> bool:
        """Whether only names of this file may be shown."""
        return self.source.secret

    @cached_property
    def sheet(self) -> LazySheet:
        """Its text and outline."""
        return self._sheets.open(self.scope, self.source)

    @cached_property
    def names(self) -> dict[int, str]:
        """The names in a secret file."""
        return names_of(self.scope, self.source)

    @property
    def path(self) -> bytes:
        """Its path as a request may name it: `/tree/path` where the node has several trees."""
        own = self.source.path
        return b"/" + self.scope.tree.name.encode() + b"/" + own if self._names.several else own

    @property
    def label(self) -> str:
        """Its path as text prints it."""
        return display(self.path)

    def line(self, number: int) -> str:
        """Line NUMBER without its line end; of a secret file its name."""
        if self.secret:
            return self.names.get(number, "")
        line = self.sheet.text.line(number)
        return line[:-1] if line.endswith("\r") else line

    @property
    def line_count(self) -> int:
        """Number of lines."""
        return self.sheet.text.line_count

    def entry(self, lines: Range) -> Named | None:
        """The innermost entry around LINES."""
        return None if self.secret else self.sheet.entry(lines)

    def breadcrumb(self, lines: Range) -> str:
        """The enclosing entries of LINES from the top down, as one text; empty where there is none."""
        one = self.entry(lines)
        if one is None:
            return ""
        text = " > ".join(one.path) if one.entry.kind == "heading" else ".".join(one.path)
        text = " ".join(text.split())
        return text if len(text) <= _NAME else "…" + text[1 - _NAME :]

    def around(self, lines: Range, column: int = 0) -> More | None:
        """The read of the entry around LINES, or of a window around them where that or the line is large."""
        if self.secret:
            return None
        first, last = lines
        if first == last and len(self.line(first)) > LONG_LINE:
            left = max(1, column - COLUMNS // 4)
            return self._more(lines, f"{left}-{min(left + COLUMNS - 1, len(self.line(first)))}")
        one = self.entry(lines)
        section = (one.entry.start, one.entry.end) if one is not None else (1, self.line_count)
        if one is not None and self._size(section) <= LARGE_SECTION:
            return self._more(section)
        window = max(section[0], first - WINDOW), min(section[1], last + WINDOW)
        return self._more(window)._replace(within=None if one is None else section)

    def _size(self, lines: Range) -> int:
        starts = self.sheet.text.starts
        return starts[lines[1]] - starts[lines[0] - 1]

    def _more(self, lines: Range, columns: str | None = None) -> More:
        costs = self.sheet.costs
        key = lines, columns, self.face.counter.name, self.face.heading
        cost = costs.get(key)
        if cost is None:
            ask = Ask(view="lines", lines=Lines(*lines), columns=_columns(columns))
            cost = reading(self.sheet, ask, self.face).asked.bound
            # Another thread may clear them at any time.
            if len(costs) >= COSTS:
                costs.clear()
            costs[key] = cost
        path = self.path.decode("utf-8", "surrogateescape")
        return More(path if path.isprintable() else self.label, "lines", lines, cost, columns)

    @cached_property
    def face(self) -> Face:
        """The face that a read of this file has: that of the page."""
        return Face(self._face.counter, self.sheet.kind, self.heading if self._face.is_text else None)

    @cached_property
    def heading(self) -> Heading:
        """What the header of a read of this file says."""
        commit, text = self.source.commit, self.sheet.text
        notes = ["dirty"] if self.source.dirty else []
        notes += ["guessed_encoding"] if text.guessed else []
        notes += ["lossy_decoding"] if text.lossy else []
        notes += [warned.code for warned in self.sheet.outline.warnings]
        short = self._names.short(self.scope.tree, commit) if commit else None
        return Heading(self.path, short, tuple(dict.fromkeys(notes)))


def _columns(columns: str | None) -> Range | None:
    if columns is None:
        return None
    first, _, last = columns.partition("-")
    return int(first), int(last)
