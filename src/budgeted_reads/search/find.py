"""A search from its request to its answer: scopes, matches in order, the page that fits, evidence."""

import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from budgeted_reads import tokens
from budgeted_reads.evidence.make import Evidence, make
from budgeted_reads.outline import Range, Warned
from budgeted_reads.places import Places
from budgeted_reads.pointer import display, short
from budgeted_reads.reads import Settings, spelled
from budgeted_reads.request import Defaults
from budgeted_reads.search import cursor, exact
from budgeted_reads.search.answer import Match, Searched, Totals
from budgeted_reads.search.opened import Opened, Sheets
from budgeted_reads.search.page import FileRow, Fitted, Hit, Page, Reached, fit
from budgeted_reads.search.pattern import Pattern, compile_pattern
from budgeted_reads.search.ranks import rank
from budgeted_reads.search.request import DEFAULT_LIMIT, RANKED_LIMIT, READS, Query, search_request
from budgeted_reads.search.scope import Scope, Scopes, Source
from budgeted_reads.search.texts import Texts
from budgeted_reads.views.face import Face, Heading

if TYPE_CHECKING:
    from budgeted_reads.search import ranked
    from budgeted_reads.search.ranked import Indexes


class Hits(NamedTuple):
    """What an engine found: the files in order, each with its matches; equal files behind theirs (`same_as`).

    `ranked` has the matches best first, each with the number of its file, where their order is not that of the files.
    """

    files: list["FoundFile"]
    totals: Totals
    engine: str
    index_state: str = "cold"
    ranked: "tuple[tuple[int, Ranked], ...] | None" = None
    warnings: tuple[Warned, ...] = ()


class Ranked(NamedTuple):
    """One entry that answers a question: its lines, those that match best, and its score."""

    lines: Range
    marks: tuple[int, ...]
    score: float | None = None


class FoundFile(NamedTuple):
    """One file with its matches: matching lines, or, of a ranked search, entries."""

    scope: Scope
    source: Source
    matches: Sequence[int] | Sequence[Ranked]
    same_as: int | None = None


class Searcher:
    """Searches the trees of one node, and keeps what the next search can use. Safe for several threads."""

    def __init__(self, places: Places, settings: Settings, defaults: Defaults) -> None:
        self.settings = settings
        self.defaults = defaults
        self.texts = Texts()
        self.sheets = Sheets(settings.outliner)
        self.indexes: Indexes | None = None
        self._lock = threading.Lock()
        self.scopes = Scopes(places, settings.secrets, min(settings.max_file_bytes, 1 << 30))

    def search(self, fields: Mapping[str, object], *, as_text: bool) -> Searched:
        """The answer to a search whose FIELDS come from outside, as a JSON body or for a text face."""
        query = search_request(fields, self.defaults)
        until = time.monotonic() + exact.SECONDS
        if query.mode == "ranked":
            return self._ranked(query, as_text)
        pattern = compile_pattern(query.query, regex=query.mode == "regex", ignore_case=query.ignore_case)
        scopes = self.scopes.find(query)
        hits = self.exact(scopes, pattern, until)
        return Composer(self, query, scopes, hits, partial(span_of, pattern), as_text).answer()

    def _ranked(self, query: Query, as_text: bool) -> Searched:
        from budgeted_reads.search import ranked
        from budgeted_reads.search.words import of_question

        until = time.monotonic() + ranked.SECONDS
        with self._lock:
            self.indexes = self.indexes or ranked.Indexes(self.settings.outliner)
        scopes = self.scopes.find(query)
        found = [(scope, ranked.find(scope, query.query, self.texts, self.indexes, until)) for scope in scopes]
        words = of_question(query.query)
        hits = self._answered(found, words)
        return Composer(self, query, scopes, hits, partial(ranked.span, words), as_text).answer()

    def _answered(self, found: "Sequence[tuple[Scope, ranked.Found]]", words: Iterable[str]) -> Hits:
        """The entries of all scopes, best first, each file where its best entry comes."""
        from budgeted_reads.search.ranked import MOST, marks

        rows = [(one.score, number, one) for number, (_, each) in enumerate(found) for one in each.entries]
        rows.sort(key=lambda row: (-row[0], row[1], row[2].source.path, row[2].place))
        numbers: dict[tuple[int, bytes], int] = {}
        files: list[FoundFile] = []
        entries: list[list[Ranked]] = []
        order: list[tuple[int, Ranked]] = []
        for score, number, one in rows[:MOST]:
            scope = found[number][0]
            file = numbers.setdefault((number, one.source.path), len(files))
            if file == len(files):
                entries.append([])
                files.append(FoundFile(scope, one.source, entries[file]))
            lines = self.sheets.open(scope, one.source).lines
            span = one.place.own, max(one.place.own, min(one.place.last, len(lines)))
            entry = Ranked(span, marks(lines, one.place, words), round(score, 3))
            entries[file].append(entry)
            order.append((file, entry))
        ready = all(each.ready for _, each in found)
        totals = Totals(
            matches=len(order),
            files=len(files),
            searched=sum(each.searched for _, each in found),
            skipped=tuple(skipped for _, each in found for skipped in each.skipped),
            complete=ready,
            at_least=any(each.at_least for _, each in found) or len(rows) > MOST,
            unit="entry",
        )
        warnings = () if ready else (Warned("index_partial", "files are not indexed yet: run nas index, or ask again"),)
        warm = "warm" if all(each.warm for _, each in found) else "cold"
        return Hits(files, totals, "tantivy", warm, tuple(order), warnings)

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
        complete = all(one.complete for _, one in found)
        totals = Totals(
            matches=sum(len(row[5]) for row in rows),
            files=len(rows),
            searched=sum(one.searched for _, one in found),
            skipped=tuple(skipped for _, one in found for skipped in one.skipped),
            complete=complete,
            at_least=not complete,
        )
        warnings = () if complete else (Warned("incomplete", "a limit of time or size ended the search early"),)
        return Hits(files, totals, pattern.engine, warnings=warnings)


def span_of(pattern: Pattern, line: str) -> Range | None:
    """Where PATTERN first matches in LINE, in code points."""
    raw = line.encode("utf-8", "surrogatepass")
    found = pattern.matcher.search(raw)
    if found is None:
        return None
    start = len(raw[: found[0]].decode("utf-8", "surrogatepass"))
    return start, start + len(raw[found[0] : found[1]].decode("utf-8", "surrogatepass"))


class Composer:
    """One answer in the making: the page of matches from the cursor on, and what of it fits."""

    def __init__(
        self,
        searcher: Searcher,
        query: Query,
        scopes: Sequence[Scope],
        hits: Hits,
        span: partial[Range | None],
        as_text: bool,
    ) -> None:
        self.searcher = searcher
        self.query = query
        self.scopes = scopes
        self.hits = hits
        self.span = span
        self.commits = [scope.commit for scope in scopes]
        self.offset = cursor.read(query, self.commits)
        self.total = sum(len(file.matches) for file in hits.files if file.same_as is None)
        self.limit = query.limit or (DEFAULT_LIMIT if hits.ranked is None else RANKED_LIMIT)
        cursor.check(self.offset, self.total)
        self.counter = tokens.counter(query.tokenizer)
        heading = self._heading()
        self.face = Face(self.counter, "unknown", heading if as_text else None)
        self.page = self._page() if hits.ranked is None else self._ranked_page(hits.ranked)
        self.warnings = tuple(
            dict.fromkeys((*(w for scope in scopes for w in scope.warnings), *hits.warnings, *query.warnings))
        )

    def _heading(self) -> Heading:
        """The path or tree that was searched, at its commit where there is one for all."""
        if len(self.scopes) != 1:
            return Heading(b"", None)
        scope = self.scopes[0]
        path = scope.below
        if self.searcher.settings.several or not path:
            path = scope.tree.name.encode() + (b"/" + path if path else b"")
            path = b"/" + path if self.searcher.settings.several else path
        return Heading(path, scope.tree.abbreviate(scope.commit) if scope.commit else None)

    def _page(self) -> Page:
        """The files from the cursor on, and as many of their matches as the limit allows."""
        files: list[FileRow] = []
        hits: list[Hit] = []
        before = 0
        renumbered: dict[int, int] = {}
        for number, file in enumerate(self.hits.files):
            if file.same_as is None:
                skip = max(0, self.offset - before)
                before += len(file.matches)
                if skip >= len(file.matches):
                    continue
            elif file.same_as not in renumbered:
                continue
            renumbered[number] = len(files)
            same_as = None if file.same_as is None else renumbered[file.same_as]
            files.append(self._file(file, same_as))
            if same_as is None:
                room = self.limit - len(hits)
                for match in file.matches[skip : skip + room]:
                    if isinstance(match, int):
                        match = Ranked((match, match), (match,))
                    hits.append(Hit(len(files) - 1, *match))
        return Page(hits, files, self.span, self.query.context)

    def _ranked_page(self, ranked: Sequence[tuple[int, Ranked]]) -> Page:
        """The entries from the cursor on, best first, and the files they are in."""
        files: list[FileRow] = []
        hits: list[Hit] = []
        renumbered: dict[int, int] = {}
        for number, entry in ranked[self.offset : self.offset + self.limit]:
            if number not in renumbered:
                renumbered[number] = len(files)
                files.append(self._file(self.hits.files[number]))
            hits.append(Hit(renumbered[number], *entry))
        return Page(hits, files, self.span, self.query.context)

    def _file(self, file: FoundFile, same_as: int | None = None) -> FileRow:
        several = self.searcher.settings.several
        opened = Opened(file.scope, file.source, self.searcher.sheets, self.face, several)
        return FileRow(opened, len(file.matches), same_as)

    def answer(self) -> Searched:
        """The answer."""
        view = self.query.view
        ceiling = view if view not in READS else None
        lead = "" if self.face.is_text else self.hits.totals.said() + "\n"
        fitted = fit(self.page, ceiling, self.face, self.query.budget, lead, self.header, self.tail)
        return self._made(fitted)

    def label(self, reached: Reached) -> str:
        """The view that every match of the page reached."""
        if not self.page.hits or reached.named < len(self.page.files):
            return "count"
        if reached.rows < len(self.page.hits):
            return "files"
        return "snippets" if reached.snippets == len(self.page.hits) else "hits"

    def truncated(self, reached: Reached) -> bool:
        """Whether matches are left for another page."""
        return self.offset + reached.rows < self.total or reached.named < len(self.page.files)

    def next(self, reached: Reached) -> str | None:
        """The cursor for the matches that are not shown."""
        if self.offset + reached.rows >= self.total:
            return None
        return cursor.write(self.offset + reached.rows, self.query, self.commits)

    def header(self, reached: Reached, count: int) -> str:
        """The header line of a text face, without its LF."""
        heading = self.face.heading
        assert heading is not None  # noqa: S101 - only text faces print it
        totals = self.hits.totals
        where = short(heading.path, heading.commit) if heading.commit else display(heading.path)
        view = self.label(reached)
        words = [view, where, f"{count}t", totals.said()]
        if self.offset:
            words.append(f"from {self.offset + 1}")
        if self.offset + reached.rows < self.total:
            words.append(f"shown={reached.rows}")
        if reached.named < len(self.page.files):
            words.append(f"+{len(self.page.files) - reached.named} files")
        if totals.skipped:
            words.append(f"skipped={len(totals.skipped)}")
        if not totals.matches:
            words.append(f"searched={totals.searched}")
        asked = self.query.view
        if asked is not None and asked != view and totals.matches:
            words.append(f"asked={asked}")
        if not self.counter.exact:
            words.append(f"~{self.counter.name}")
        words += dict.fromkeys(warned.code for warned in self.warnings)
        return " ".join(words)

    def tail(self, reached: Reached) -> str:
        """The line below the matches of a text face."""
        following = self.next(reached) if self.face.is_text else None
        return f"next: cursor {following}\n" if following else ""

    def _made(self, fitted: Fitted) -> Searched:
        reached = fitted.reached
        dirty = any(scope.dirty for scope in self.scopes)
        base = next((scope.base for scope in self.scopes if scope.dirty), None)
        return Searched(
            view=self.label(reached),
            requested_view=self.query.view,
            mode=self.query.mode,
            engine=self.hits.engine,
            index_state=self.hits.index_state,
            tokens=fitted.printed.tokens,
            upper_bound=fitted.printed.bound,
            budget_tokens=self.query.budget,
            tokenizer=self.counter.name,
            exact=self.counter.exact,
            content=fitted.content,
            text=fitted.printed.header + fitted.content + fitted.tail,
            totals=self.hits.totals,
            matches=() if self.face.is_text else tuple(self._matches(reached)),
            truncated=self.truncated(reached),
            next=self.next(reached),
            trees=tuple((scope.tree.name, scope.commit) for scope in self.scopes),
            snapshot={"base": base, "dirty": True, "reason": None} if dirty else None,
            warnings=self.warnings,
        )

    def _matches(self, reached: Reached) -> list[Match]:
        """The matches that have a line in the content, those of equal files that are named there behind them."""
        equal: dict[int, list[int]] = {}
        for number, row in enumerate(self.page.files[: reached.named] if reached.named else []):
            if row.same_as is not None:
                equal.setdefault(row.same_as, []).append(number)
        matches = []
        for order, hit in enumerate(self.page.hits[: reached.rows]):
            level = 2 if order < reached.snippets else 1
            matches.append(self._match(hit, level, hit.file))
            if self.label(reached) != "count":
                matches += [self._match(hit, level, number) for number in equal.get(hit.file, [])]
        return matches

    def _match(self, hit: Hit, level: int, file: int) -> Match:
        opened = self.page.files[file].opened
        shown = self.page.files[hit.file].opened
        rows = self.page.shown_rows(hit, level)
        first = hit.marks[0]
        return Match(
            path=spelled(opened.path),
            lines=hit.lines,
            snippet="".join(text for _, text, _ in rows),
            clipped=any(clipped for _, _, clipped in rows),
            entry=shown.breadcrumb(first),
            blob=opened.source.blob,
            evidence=self._evidence(opened, hit.lines),
            next=opened.around(hit.lines, self._column(opened, first)),
            score=hit.score,
            same_as=None if file == hit.file else spelled(shown.path),
            reason=opened.source.reason if opened.source.commit is None else None,
        )

    def _column(self, opened: Opened, number: int) -> int:
        found = self.span(opened.line(number))
        return found[0] + 1 if found else 1

    def _evidence(self, opened: Opened, lines: Range) -> Evidence | None:
        source = opened.source
        if source.commit is None or source.secret:
            return None
        where = self.searcher.settings.node, opened.scope.tree.name, source.path
        return make(*where, source.commit, source.blob, opened.sheet.text, lines)
