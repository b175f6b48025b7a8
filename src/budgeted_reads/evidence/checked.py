"""What a check of one pointer found, as a value, as JSON and as a line of text (CONTRACT section 4). Pure.

Two answers stand side by side and are never mixed: `verification` is about the commit that the pointer names, `drift`
about the tree as it is now.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from budgeted_reads.outline import Range, Warned

GOOD = frozenset({"verified", "exists"})
"""The verifications of a pointer that holds."""

_SHOWN = 80
"""A quote that differs is shown with so many characters."""

_MISSING = frozenset({
    "range_out_of_bounds",
    "path_missing",
    "commit_unknown",
    "ambiguous_commit",
    "not_a_file",
    "tree_unknown",
    "node_unknown",
})  # fmt: skip


class Checked(NamedTuple):
    """One row. What it has nothing to say about is None or empty, and left out of the JSON.

    `lines` and `path` say where the cited lines are now, `overlap` how much of them is left, `now` is the pointer to
    the same bytes at HEAD. `sha256` is that of the bytes at the commit; `detail` says what is wrong in a sentence.
    """

    pointer: str
    verification: str
    drift: str | None = None
    lines: Range | None = None
    path: str | None = None
    overlap: float | None = None
    found_at: tuple[Range, ...] | None = None
    difference: str | None = None
    reason: str | None = None
    detail: str | None = None
    line_count: int | None = None
    near: tuple[str, ...] | None = None
    candidates: tuple[Mapping[str, object], ...] | None = None
    via: str | None = None
    commit: str | None = None
    blob: str | None = None
    sha256: str | None = None
    now: str | None = None
    quote: str | None = None
    line: int | None = None
    warnings: tuple[Warned, ...] = ()
    proof: Mapping[str, object] | None = None

    @property
    def good(self) -> bool:
        """Whether the pointer holds: `verified`, or `exists` where there was nothing to compare."""
        return self.verification in GOOD

    @property
    def drifted(self) -> bool:
        """Whether the tree has other lines there by now."""
        return self.drift not in (None, "unchanged")

    def to_dict(self) -> dict[str, object]:
        """The row as JSON has it: `pointer`, `verification`, `drift` and `warnings` always, the rest where it is."""
        body = {name: value for name, value in self._asdict().items() if value is not None and value != ()}
        body["drift"] = self.drift
        if self.found_at is not None:
            body["found_at"] = [{"lines": list(lines)} for lines in self.found_at]
        body["warnings"] = [warned._asdict() for warned in self.warnings]
        for name in ("lines", "near", "candidates"):
            if name in body:
                body[name] = list(body[name])
        return body

    def said(self) -> str:
        """The row as one line without its label: the pointer, what it is, and what has become of it since."""
        parts = [self._verified(), *([self._moved()] if self.drifted else [])]
        return f"{self.pointer} {'; '.join(parts)}"

    def _verified(self) -> str:
        if self.good:
            return self.verification
        if self.verification == "hash_mismatch":
            return f"hash differs: the bytes have sha256 {self.sha256}"
        if self.verification == "quote_mismatch":
            return f"quote differs: {self._differs()}"
        state = "does not exist" if self.verification in _MISSING else "not verified"
        return f"{state}: {self.verification}" + (f" ({self.detail})" if self.detail else "")

    def _differs(self) -> str:
        """The quote, clipped, then where it stands or how it differs; the quote alone where no word of it is there."""
        quote = " ".join((self.quote or "").split())
        if self.difference and self.difference.startswith(f"[-{quote[:_SHOWN]}") and self.difference.endswith("-]"):
            return self.difference
        said = f'"{quote if len(quote) <= _SHOWN else quote[: _SHOWN - 1] + "…"}"'
        if self.found_at:
            return f"{said} stands at {', '.join(map(fragment, self.found_at))}"
        return f"{said}: {self.difference}"

    def _moved(self) -> str:
        where = "#".join(part for part in (self.path, fragment(self.lines) if self.lines else None) if part)
        if self.drift in ("moved", "renamed"):
            return f"moved to {where}"
        if self.drift == "changed":
            share = f"{round(100 * self.overlap)}% the same" if self.overlap is not None else "other content"
            return f"changed since: {share}{', now ' + where if where else ''}"
        return f"changed since: {(self.drift or '').replace('_', ' ')}"


class Verification(NamedTuple):
    """The results of a check, in the order of the request or of the text."""

    results: tuple[Checked, ...]

    @property
    def good(self) -> bool:
        """Whether every pointer holds."""
        return all(row.good for row in self.results)

    @property
    def drifted(self) -> bool:
        """Whether the tree has other lines by now for one of the pointers."""
        return any(row.drifted for row in self.results)

    def to_dict(self) -> dict[str, object]:
        """The JSON body of CONTRACT section 4."""
        return {"results": [row.to_dict() for row in self.results]}

    def totals(self) -> str:
        """How many there are of each kind, in words."""
        return totals(self.results)

    def lines(self) -> list[str]:
        """A numbered line for each row: those that do not hold first, then those that drifted, then the rest.

        The number is that of the row, or of the line of the text that was checked.
        """
        rows = self.results
        order = sorted(range(len(rows)), key=lambda at: (rows[at].good, not rows[at].drifted, at))
        return [f"{rows[at].line or at + 1} {rows[at].said()}\n" for at in order]


def totals(rows: Sequence[Checked]) -> str:
    """How many of ROWS are verified, exist, are not good, and have drifted."""
    verified = sum(row.verification == "verified" for row in rows)
    good = sum(row.good for row in rows)
    drifted = sum(row.drifted for row in rows)
    noun = "pointer" if len(rows) == 1 else "pointers"
    bad = len(rows) - good
    return f"{len(rows)} {noun}: {verified} verified, {good - verified} exist, {bad} bad, {drifted} drifted"


def fragment(lines: Range) -> str:
    """LINES as a pointer names them: L12, or L12-L18."""
    return f"L{lines[0]}" if lines[0] == lines[1] else f"L{lines[0]}-L{lines[1]}"
