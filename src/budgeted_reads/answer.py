"""The answer to a read: a view of one file, with its evidence and the facts of the file, as a value and as JSON."""

from base64 import b64decode
from collections.abc import Sequence
from typing import NamedTuple

from budgeted_reads.evidence.make import BASE64, Content, Evidence
from budgeted_reads.limits import MAX_ROWS
from budgeted_reads.outline import Entry, Range, Warned
from budgeted_reads.views.view import View


class File(NamedTuple):
    """What is known of the file whatever the budget, None where it is not. `tokens` are of its whole text, raw."""

    path: str
    format: str | None
    language: str | None
    line_count: int | None
    bytes: int | None
    tokens: int | None
    tokens_exact: bool
    encoding: str | None
    bom: bool | None
    line_ending: str | None
    facts: tuple[tuple[str, object], ...] = ()

    def to_dict(self) -> dict[str, object]:
        """The JSON object, with the facts of the format behind the common ones."""
        common = self._asdict()
        del common["facts"]
        return {**common, **dict(self.facts)}


class FilesOmitted(NamedTuple):
    """How many files an answer for several does not show, and their tokens, estimated from their sizes."""

    files: int
    tokens: int


NO_FILE = File("", "none", None, 0, 0, 0, True, None, False, "none")


class Answer(NamedTuple):
    """What a read returns. `tokens` and `budget_tokens` are of `tokenizer`; lines are 1-based and inclusive.

    `content` is the view; on text faces `text` is the whole answer, header and all, and `tokens` counts that.
    `entries` and, of a folder, `listing` are there on request. `snapshot` is there where the bytes are not committed:
    what commit they are based on; `commit` is then that of the snapshot, or None, and `snapshot` says why.
    """

    view: str
    requested_view: str
    degraded: bool
    tokens: int
    upper_bound: int
    budget_tokens: int
    tokenizer: str
    exact: bool
    truncated: bool
    content: str
    text: str
    shape: View
    commit: str | None
    blob: str | None
    snapshot: dict[str, object] | None
    warnings: tuple[Warned, ...]
    evidence: tuple[Evidence, ...] = ()
    file: File = NO_FILE
    entries: tuple[Entry, ...] | None = None
    entry_tokens: dict[Range, int] = {}  # noqa: RUF012 - never changed: an Answer is a value
    listing: tuple[dict[str, object], ...] | None = None
    proof: dict[str, object] | None = None
    parts: tuple["Answer", ...] | None = None
    files_omitted: FilesOmitted | None = None
    since: dict[str, object] | None = None

    def to_dict(self) -> dict[str, object]:
        """The JSON body of CONTRACT section 3; what was not asked for and has nothing to say is left out."""
        shape = self.shape
        omitted = self.files_omitted or shape.omitted
        body: dict[str, object] = {
            "view": self.view,
            "requested_view": self.requested_view,
            "degraded": self.degraded,
            "tokens": self.tokens,
            "budget_tokens": self.budget_tokens,
            "tokenizer": tokenizer_row(self.tokenizer, self.exact, self.upper_bound),
            "generated": False,
            "truncated": self.truncated,
            "warnings": [warned._asdict() for warned in merged(self.warnings)],
        }
        if self.parts is not None:
            body["parts"] = [part.to_dict() for part in self.parts]
        body |= {
            "content": self.content,
            "evidence": [row.to_dict() for row in self.evidence],
            "folds": [{"lines": fold.lines, "tokens": fold.tokens, "entry": fold.entry} for fold in shape.folds],
            "omitted": None if omitted is None else omitted._asdict(),
            "next": [_filled(more._asdict()) for more in shape.next],
            "file": self.file.to_dict(),
            "commit": self.commit,
            "blob": self.blob,
            "snapshot": self.snapshot,
            "lines": shape.lines,
            "columns": shape.columns,
        }
        if self.entries is not None:
            body["entries"] = [self._entry(entry) for entry in self.entries]
        if self.listing is not None:
            body["entries"] = list(self.listing)
            body["entry_total"] = len(self.listing)
        if shape.facts is not None:
            body["facts"] = {
                name: [list(fact) if name == "lines" else fact._asdict() for fact in facts]
                for name, facts in shape.facts._asdict().items()
            }
        if self.since is not None:
            body["since"] = self.since
        if self.proof is not None:
            body["proof"] = self.proof
        if shape.ladder is not None:
            body["ladder"] = [step._asdict() for step in shape.ladder]
        return body

    def _entry(self, entry: Entry) -> dict[str, object]:
        return {
            "title": entry.title,
            "kind": entry.kind,
            "level": entry.level,
            "lines": (entry.start, entry.end),
            "columns": entry.columns,
            "body": entry.body,
            "doc": entry.doc,
            "signature": entry.signature,
            "owner": entry.owner or None,
            "tokens": self.entry_tokens[entry.start, entry.end],
            "children": [self._entry(child) for child in entry.children],
            "flags": entry.flags,
        }


class Dereferenced(NamedTuple):
    """What a pointer stands for, and whether it has the hash that was expected.

    `verification` is `verified` or `hash_mismatch`, None where no hash was given; `via` names the tree that holds the
    bytes where it is not the one that the pointer names.
    """

    content: Content
    verification: str | None
    via: str | None
    warnings: tuple[Warned, ...]

    @property
    def raw(self) -> bytes:
        """The exact bytes, which `sha256` covers."""
        if self.content.encoding == BASE64:
            return b64decode(self.content.content)
        return self.content.content.encode(self.content.encoding)

    def to_dict(self) -> dict[str, object]:
        """The JSON body of CONTRACT section 4."""
        more = _filled({"verification": self.verification, "via": self.via})
        return {**self.content.to_dict(), **more, "warnings": [warned._asdict() for warned in merged(self.warnings)]}


def tokenizer_row(name: str, exact: bool, upper_bound: int) -> dict[str, object]:
    """The `tokenizer` of every answer (CONTRACT section 3): whose tokens, how well counted, at most how many."""
    return {"name": name, "exact": exact, "upper_bound": upper_bound, "other_models": "estimate"}


def merged(warnings: Sequence[Warned]) -> list[Warned]:
    """WARNINGS without doubles, at most MAX_ROWS; the rest is counted in one row."""
    rows = list(dict.fromkeys(warnings))
    if len(rows) <= MAX_ROWS:
        return rows
    kept = rows[: MAX_ROWS - 1]
    return [*kept, Warned("rows_merged", f"{len(rows) - len(kept)} more warnings")]


def _filled(values: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in values.items() if value is not None}
