"""A folder within a budget: its children with estimated sizes, or a card (CONTRACT section 3)."""

import re
from collections.abc import Sequence
from functools import cached_property, partial
from typing import NamedTuple

from budgeted_reads import pointer
from budgeted_reads.errors import BudgetTooSmall, InvalidRequest, NotAFile
from budgeted_reads.outline import Range, Warned
from budgeted_reads.views.ask import Ask, resolve
from budgeted_reads.views.face import Face, Printed, label
from budgeted_reads.views.fit import Omitted
from budgeted_reads.views.view import More, View

BYTES_PER_TOKEN, DENSE_BYTES = 4, 2
"""What estimates from sizes assume of text, and of files full of numbers, hashes and signs; they say `~`."""

_DENSE = re.compile(
    rb"\.(?:csv|tsv|log|jsonl?|ndjson|lock|sum|svg|map|min\.\w+|ipynb|geojson)\Z|-lock\.\w+\Z", re.IGNORECASE
)


def estimate(path: bytes, size: int) -> int:
    """The tokens of a file of SIZE bytes at PATH, as far as its name tells."""
    return -(-size // (DENSE_BYTES if _DENSE.search(path) else BYTES_PER_TOKEN))


class Listed(NamedTuple):
    """One child of a folder: `kind` is file, folder, link or submodule, `size` in bytes, `commit` of a submodule."""

    path: bytes
    kind: str
    size: int
    files: int = 0
    commit: str = ""

    @property
    def tokens(self) -> int:
        """Its tokens, estimated from its bytes."""
        return estimate(self.path, self.size)

    def row(self) -> str:
        """The child as a row: `name ~1.2kt`, `name/ 12 files ~30kt`, `name link`, `name submodule 0123456789ab`."""
        name = self.path.rpartition(b"/")[2]
        text = name.decode("utf-8", "surrogateescape")
        shown = text if text.isprintable() and text == text.strip() else pointer.display(name)
        if self.kind == "folder":
            return f"{shown}/ {self.files} files ~{thousands(self.tokens)}t\n"
        if self.kind == "file":
            return f"{shown} ~{thousands(self.tokens)}t\n"
        return f"{shown} {self.kind} {self.commit[:12]}".rstrip() + "\n"


def thousands(count: int) -> str:
    """COUNT in at most four characters or so: 950, 1.2k, 30k, 4.5M."""
    for size, letter in ((10**9, "G"), (10**6, "M"), (10**3, "k")):
        if count >= size:
            short = f"{count / size:.1f}".removesuffix(".0") if count < 10 * size else str(count // size)
            return short + letter
    return str(count)


def read_folder(children: Sequence[Listed], ask: Ask, face: Face, name: str) -> View:
    """The folder NAME within the budget: as many rows as fit, in the order of CHILDREN; `lines` asks for some rows.

    Raises `not_a_file` for views of files, `budget_too_small`, `range_out_of_bounds` past the last row.
    """
    if ask.view not in ("auto", "folder", "card", "lines") or ask.section is not None:
        raise NotAFile(f"{name} is a folder: it has no {ask.view}", "use view folder, or name a file in it")
    for field in ("columns", "depth", "focus"):
        if getattr(ask, field) is not None:
            raise InvalidRequest(f"{field} does not go with a folder", "leave it out, or name a file in it")
    return _Folder(children, ask, face).answer()


class _Folder:
    def __init__(self, children: Sequence[Listed], ask: Ask, face: Face) -> None:
        self.ask = ask
        self.face = face
        self.total = len(children)
        self.warnings: list[Warned] = []
        self.range: Range | None = None
        self.rows = [child.row() for child in children]
        if ask.lines is not None:
            self.range, clamped = resolve(ask.lines, self.total)
            self.rows = self.rows[self.range[0] - 1 : self.range[1]]
            if clamped:
                self.warnings.append(Warned("clamped_range", f"the folder has {self.total} rows"))

    @cached_property
    def whole(self) -> Printed:
        """The header and cost of all rows asked for."""
        return self.face.whole("".join(self.rows), partial(self.header, "folder", None, True))

    def header(self, view: str, omitted: Omitted | None, path: bool, tokens: int, full: int) -> str:
        heading = self.face.heading
        if heading is None:
            return ""
        parts = [
            view,
            *([label(heading, self.range)] if path else []),
            f"{tokens}/{full}t",
            f"{len(self.rows)} entries",
        ]
        if omitted is not None:
            first, last = omitted.lines
            parts.append(f"+{omitted.entries} more {first}" + (f"-{last}" if last > first else ""))
        if path:
            parts += [] if self.face.counter.exact else [f"~{self.face.counter.name}"]
            parts += [*heading.notes, *(warned.code for warned in self.warnings)]
        return " ".join(parts)

    def omitted(self, count: int) -> Omitted | None:
        """What the first COUNT rows leave out, by the numbers of the rows."""
        if count == len(self.rows):
            return None
        before = self.range[0] - 1 if self.range else 0
        return Omitted(len(self.rows) - count, (before + count + 1, before + len(self.rows)))

    def price(self, count: int, tail: str = "") -> Printed:
        """The header above the first COUNT rows, and what both cost."""
        full = self.whole.bound
        told = self.omitted(count)
        return self.face.print(
            "".join(self.rows[:count]) + tail, lambda tokens: self.header("folder", told, True, tokens, full)
        )

    def answer(self) -> View:
        budget = self.ask.budget
        if self.ask.view != "card":
            if self.whole.bound <= budget:
                return self.view("folder", "".join(self.rows), self.whole, len(self.rows))
            if self.ask.on_overflow == "error":
                raise self.too_small(self.whole.bound)
            low, high = 0, len(self.rows) - 1
            while low < high:
                middle = (low + high + 1) // 2
                low, high = (middle, high) if self.price(middle).bound <= budget else (low, middle - 1)
            if low:
                return self.with_next(self.view("folder", "".join(self.rows[:low]), self.price(low), low), low)
        return self.card()

    def card(self) -> View:
        full = self.whole.bound
        if self.face.is_text:
            drafts = [partial(self.header, "card", None, path, full=full) for path in (True, False)]
            cards = [("", self.face.print(0, draft)) for draft in drafts]
        else:
            content = f"{len(self.rows)} entries {full}t"
            cards = [(content, self.face.print(content, str))]
        for content, printed in cards:
            if printed.bound <= self.ask.budget:
                return self.view("card", content, printed, 0)
        prices = [printed.bound for _, printed in cards]
        if self.ask.view != "card":
            prices += [full, self.price(min(1, len(self.rows))).bound]
        raise self.too_small(min(prices))

    def too_small(self, minimum: int) -> BudgetTooSmall:
        what = "the whole" if minimum == self.whole.bound else "the smallest view"
        return BudgetTooSmall(
            f"{self.ask.budget} tokens are too few: {what} costs {minimum}",
            f"ask with budget_tokens {minimum} or more",
            minimum_tokens=minimum,
        )

    def view(self, view: str, content: str, printed: Printed, count: int) -> View:
        return View(
            view=view,
            requested=self.ask.view,
            degraded=view == "card" and self.ask.view != "card",
            content=content,
            header=printed.header,
            tokens=printed.tokens,
            bound=printed.bound,
            full=self.whole.bound,
            lines=self.range,
            omitted=self.omitted(count),
            warnings=tuple(self.warnings),
            truncated=self.ask.on_overflow == "page" and 0 < count < len(self.rows),
        )

    def with_next(self, view: View, count: int) -> View:
        """VIEW with the request for the rows that it leaves out."""
        first = (self.range[0] if self.range else 1) + count
        last = first + len(self.rows) - count - 1
        rest = _Rest(self.rows[count:], self.ask, self.face, (first, last))
        more = More("folder", rest.whole.bound, lines=(first, last))
        if not self.face.is_text:
            return view._replace(next=(more,))
        tail = f"next: {more.text()}\n"
        printed = self.price(count, tail)
        if printed.bound > self.ask.budget:
            return view
        header, tokens, bound = printed
        return view._replace(header=header, tokens=tokens, bound=bound, tail=tail, next=(more,))


class _Rest(_Folder):
    """Rows that another answer left out."""

    def __init__(self, rows: Sequence[str], ask: Ask, face: Face, lines: Range) -> None:
        super().__init__((), ask._replace(lines=None), face)
        self.rows = list(rows)
        self.range = lines
