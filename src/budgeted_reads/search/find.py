"""A search from its request to its answer: scopes, an engine, the matches in order."""

import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from budgeted_reads.derived import Derived
from budgeted_reads.given import Defaults
from budgeted_reads.outline import Outline, Range, Warned
from budgeted_reads.places import Places
from budgeted_reads.pointer import display
from budgeted_reads.reads import Settings
from budgeted_reads.search import exact
from budgeted_reads.search import texts as kinds
from budgeted_reads.search.answer import MOST_ENTRIES, Searched, Totals
from budgeted_reads.search.compose import Composer
from budgeted_reads.search.hits import FoundFile, Hits, Ranked
from budgeted_reads.search.opened import Sheets
from budgeted_reads.search.pattern import Pattern, compile_pattern
from budgeted_reads.search.ranks import rank
from budgeted_reads.search.request import Query, search_request
from budgeted_reads.search.scope import Scope, Scopes, Skipped, Source
from budgeted_reads.search.texts import Texts
from budgeted_reads.text import Text

if TYPE_CHECKING:
    from budgeted_reads.search import ranked
    from budgeted_reads.search.ranked import Indexes


LONG = 1e6
"""Seconds that indexing beforehand may take."""

_UNREAD = ("too_large", "forbidden_path", "file_changing")
"""How the reasons begin for which a file that may hold a match was not searched."""


class Searcher:
    """Searches the trees of one node, and keeps what the next search can use. Safe for several threads."""

    def __init__(self, places: Places, settings: Settings, defaults: Defaults, derived: Derived) -> None:
        self.settings = settings
        self.derived = derived
        self.defaults = defaults
        self.texts = Texts()
        self.sheets = Sheets(self.outline)
        self.indexes: Indexes | None = None
        self._lock = threading.Lock()
        self.scopes = Scopes(places, settings.secrets, min(settings.max_file_bytes, kinds.LARGEST))

    def outline(self, text: Text, path: bytes, blob: str) -> Outline:
        """The outline of TEXT, kept with those that reads make."""
        make = partial(self._outlined, path=path)
        return self.derived.kept(blob, path, lambda: text, make).sheet.outline

    def _outlined(self, text: Text, path: bytes) -> Outline:
        return self.settings.outliner(text, path)

    def search(self, fields: Mapping[str, object], *, as_text: bool) -> Searched:
        """The answer to a search whose FIELDS come from outside, as a JSON body or for a text face."""
        query = search_request(fields, self.defaults)
        until = time.monotonic() + exact.SECONDS
        if query.mode == "ranked":
            return self._ranked(query, as_text)
        pattern = compile_pattern(query.query, regex=query.mode == "regex", ignore_case=query.ignore_case)
        scopes = self.scopes.find(query)
        hits = self.exact(scopes, pattern, until)
        return Composer(self.settings, self.sheets, query, scopes, hits, partial(span_of, pattern), as_text).answer()

    def _ranked(self, query: Query, as_text: bool) -> Searched:
        from budgeted_reads.search import ranked
        from budgeted_reads.search.words import of_question

        until = time.monotonic() + ranked.SECONDS
        indexes = self._indexes()
        scopes = self.scopes.find(query)
        found = [(scope, ranked.find(scope, query.query, self.texts, indexes, until)) for scope in scopes]
        words = of_question(query.query).terms
        hits = self._answered(found, words)
        return Composer(self.settings, self.sheets, query, scopes, hits, partial(ranked.span, words), as_text).answer()

    def index(self, path: str | None, told: Callable[[str, int, int], None]) -> list[tuple[str, int, bool]]:
        """Make ranked searches of PATH, or of every tree, ready: tree, files indexed, and whether all are, for each.

        TOLD hears of a tree how many of how many new blobs are lasting by now. What a killed run has done stays done.
        """
        indexes, until = self._indexes(), time.monotonic() + LONG
        given = {} if path is None else {"path": path}
        rows = []
        for scope in self.scopes.find(search_request({**given, "query": "index", "mode": "ranked"}, self.defaults)):
            name = scope.tree.name
            ready = indexes.update(scope, self.texts, until, partial(told, name))
            rows.append((name, len(ready.searched), ready.complete))
        return rows

    def _indexes(self) -> "Indexes":
        from budgeted_reads.search import ranked

        with self._lock:
            self.indexes = self.indexes or ranked.Indexes(self.settings.outliner)
        return self.indexes

    def _answered(self, found: "Sequence[tuple[Scope, ranked.Found]]", words: Iterable[str]) -> Hits:
        """The entries of all scopes, best first, each file where its best entry comes."""
        from budgeted_reads.search.ranked import marks

        def finish(file: FoundFile, entry: Ranked) -> Ranked:
            """ENTRY with its extent and the lines that answer best: looked for where it is shown only."""
            sheet = self.sheets.open(file.scope, file.source)
            own, last = entry.lines[0], min(entry.lines[1], len(sheet.lines))
            end = sheet.opens(own)
            found = own, max(own, last) if end is None else end
            return entry._replace(lines=found, marks=marks(sheet.lines, entry.part, own, words), entry=end is not None)

        rows = [(one.score, number, one) for number, (_, each) in enumerate(found) for one in each.entries]
        rows.sort(key=lambda row: (-row[0], row[1], row[2].source.path, row[2].place))
        numbers: dict[tuple[int, bytes], int] = {}
        files: list[FoundFile] = []
        entries: list[list[Ranked]] = []
        order: list[tuple[int, Ranked]] = []
        for score, number, one in rows[:MOST_ENTRIES]:
            scope = found[number][0]
            file = numbers.setdefault((number, one.source.path), len(files))
            if file == len(files):
                entries.append([])
                files.append(FoundFile(scope, one.source, entries[file]))
            place = one.place
            entry = Ranked((place.own, place.last), (place.own,), round(score, 3), (place.first, place.last))
            entries[file].append(entry)
            order.append((file, entry))
        ready = all(each.ready for _, each in found)
        totals = Totals(
            matches=len(order),
            files=len(files),
            searched=sum(each.searched for _, each in found),
            skipped=tuple(skipped for _, each in found for skipped in each.skipped),
            complete=ready,
            at_least=any(each.at_least for _, each in found) or len(rows) > MOST_ENTRIES,
            unit="entry",
        )
        warnings = () if ready else (Warned("index_partial", "files are not indexed yet: run nas index, or ask again"),)
        warm = "warm" if all(each.warm for _, each in found) else "cold"
        return Hits(files, totals, "tantivy", warm, tuple(order), warnings, finish)

    def exact(self, scopes: Sequence[Scope], pattern: Pattern, until: float) -> Hits:
        """The lines of SCOPES that match PATTERN: sources first, then by path; equal files behind the first."""
        found = [(scope, exact.find(scope, pattern, self.texts, until)) for scope in scopes]
        rows = [
            (rank(source.path), number, source.path, scope, source, lines)
            for number, (scope, one) in enumerate(found)
            for source, lines in one.lines
        ]
        rows.sort(key=lambda row: row[:3])
        files: list[FoundFile] = []
        equal: dict[str, list[tuple[Scope, Source, list[int]]]] = {}
        for _, _, _, scope, source, lines in rows:
            # Of equal secret files each has names of its own: how they are read depends on the path.
            key = source.blob + (source.path.hex() if source.secret else "")
            equal.setdefault(key, []).append((scope, source, lines))
        for same in equal.values():
            first = len(files)
            for number, (scope, source, lines) in enumerate(same):
                files.append(FoundFile(scope, source, lines, first if number else None))
        skipped = tuple(skipped for _, one in found for skipped in one.skipped)
        unread = [row for row in skipped if row.reason.startswith(_UNREAD)]
        complete = all(one.complete for _, one in found) and not unread
        totals = Totals(
            matches=sum(len(row[5]) for row in rows),
            files=len(rows),
            searched=sum(one.searched for _, one in found),
            skipped=skipped,
            complete=complete,
            at_least=not complete,
        )
        warnings = () if complete else (Warned("incomplete", _why(unread)),)
        return Hits(files, totals, pattern.engine, warnings=warnings)


def _why(unread: Sequence[Skipped]) -> str:
    """Why a search is incomplete where UNREAD could not be looked at, or nothing else is known."""
    if not unread:
        return "a limit of time or size ended the search early"
    more = f" and {len(unread) - 1} more" if len(unread) > 1 else ""
    return f"not searched: {display(unread[0].path)} ({unread[0].reason}){more}"


def span_of(pattern: Pattern, line: str) -> Range | None:
    """Where PATTERN first matches in LINE, in code points."""
    raw = line.encode("utf-8", "surrogatepass")
    found = pattern.matcher.search(raw)
    if found is None:
        return None
    start = len(raw[: found[0]].decode("utf-8", "surrogatepass"))
    return start, start + len(raw[found[0] : found[1]].decode("utf-8", "surrogatepass"))
