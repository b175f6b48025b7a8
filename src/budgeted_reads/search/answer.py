"""The answer to a search: what is shown, true totals, and evidence for each match (CONTRACT section 6)."""

from typing import NamedTuple

from budgeted_reads.answer import merged, tokenizer_row
from budgeted_reads.evidence.make import Evidence
from budgeted_reads.limits import MAX_ROWS
from budgeted_reads.outline import Range, Warned
from budgeted_reads.reads import spelled
from budgeted_reads.search.opened import More
from budgeted_reads.search.ranks import ORDER
from budgeted_reads.search.scope import Skipped

MOST_ENTRIES = 200
"""A ranked search finds at most so many entries; beyond, its totals are `at_least`."""


class Match(NamedTuple):
    """One match that is shown. `lines` are without context; `pointer` is None where the bytes are not committed and
    `reason` then says why; `same_as` is the path of an equal file that the content shows."""

    path: str
    lines: Range
    snippet: str
    clipped: bool
    entry: str
    blob: str | None
    evidence: Evidence | None
    next: More | None
    score: float | None = None
    same_as: str | None = None
    reason: str | None = None

    def to_dict(self) -> dict[str, object]:
        """The row as JSON has it; what has nothing to say is left out."""
        body: dict[str, object] = {
            "pointer": self.evidence.pointer if self.evidence else None,
            "path": self.path,
            "lines": list(self.lines),
            "snippet": self.snippet,
            "clipped": self.clipped,
            "entry": self.entry,
            "blob": self.blob,
            "sha256": self.evidence.sha256 if self.evidence else None,
            "next": self.next.to_dict() if self.next else None,
        }
        more = {"score": self.score, "same_as": self.same_as, "reason": self.reason}
        return {**body, **{name: value for name, value in more.items() if value is not None}}


class Totals(NamedTuple):
    """What was found in all, whatever is shown. `at_least` says that there may be more."""

    matches: int
    files: int
    searched: int
    skipped: tuple[Skipped, ...]
    complete: bool
    at_least: bool
    unit: str = "line"

    def said(self) -> str:
        """The totals in words: `12 lines in 3 files`; `best 200 entries in 43 files` where no more were ranked."""
        mark = ">=" if self.at_least else ""
        if self.unit == "entry" and self.matches >= MOST_ENTRIES:
            mark = "best "
        return f"{mark}{_counted(self.matches, self.unit)} in {_counted(self.files, 'file')}"


class Searched(NamedTuple):
    """What a search returns. `content` is the text form; `text` the whole answer of a text face."""

    view: str
    requested_view: str | None
    mode: str
    engine: str
    index_state: str
    tokens: int
    upper_bound: int
    budget_tokens: int
    tokenizer: str
    exact: bool
    content: str
    text: str
    totals: Totals
    matches: tuple[Match, ...]
    truncated: bool
    next: str | None
    trees: tuple[tuple[str, str | None], ...]
    snapshot: dict[str, object] | None
    warnings: tuple[Warned, ...]

    def to_dict(self) -> dict[str, object]:
        """The JSON body."""
        totals = self.totals
        commits = {commit for _, commit in self.trees}
        return {
            "view": self.view,
            "requested_view": self.requested_view,
            "degraded": self.view != (self.requested_view or "snippets") and totals.matches > 0,
            "tokens": self.tokens,
            "budget_tokens": self.budget_tokens,
            "tokenizer": tokenizer_row(self.tokenizer, self.exact, self.upper_bound),
            "generated": False,
            "mode": self.mode,
            "content": self.content,
            "matches": [match.to_dict() for match in self.matches],
            "match_total": totals.matches,
            "file_total": totals.files,
            "at_least": totals.at_least,
            "files_searched": totals.searched,
            "shown": len(self.matches),
            "complete": totals.complete,
            "truncated": self.truncated,
            "next": self.next,
            "order": ORDER if self.mode != "ranked" else "by score; sources before tests, documents and generated",
            "skipped": _skipped(totals.skipped),
            "skipped_total": len(totals.skipped),
            "index": self.index_state,
            "engine": self.engine,
            "trees": [{"name": name, "commit": commit} for name, commit in self.trees],
            "commit": commits.pop() if len(commits) == 1 else None,
            "snapshot": self.snapshot,
            "evidence": _evidence([match.evidence for match in self.matches if match.evidence]),
            "warnings": [warned._asdict() for warned in merged(self.warnings)],
        }


def _skipped(skipped: tuple[Skipped, ...]) -> list[dict[str, str]]:
    rows = [{"path": spelled(row.path), "reason": row.reason} for row in skipped[:MAX_ROWS]]
    if len(skipped) > MAX_ROWS:
        rows[-1] = {"path": "", "reason": f"rows_merged: {len(skipped) - MAX_ROWS + 1} more files"}
    return rows


def _evidence(rows: list[Evidence]) -> list[dict[str, object]]:
    """At most MAX_ROWS: each match has its own pointer and hash beside."""
    return [row.to_dict() for row in rows[:MAX_ROWS]]


def _counted(number: int, unit: str) -> str:
    if number == 1:
        return f"1 {unit}"
    return f"{number} {unit[:-1]}ies" if unit.endswith("y") else f"{number} {unit}s"
