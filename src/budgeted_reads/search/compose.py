"""One answer in the making: the page of matches from the cursor on, what of it fits, evidence for what is shown."""

from collections.abc import Sequence
from functools import partial

from budgeted_reads import tokens
from budgeted_reads.evidence.make import Evidence, make
from budgeted_reads.outline import Range
from budgeted_reads.pointer import display, short
from budgeted_reads.reads import Settings, spelled
from budgeted_reads.search import cursor
from budgeted_reads.search.answer import Match, Searched
from budgeted_reads.search.hits import FoundFile, Hits, Ranked
from budgeted_reads.search.keep import Kept, keep, key_of
from budgeted_reads.search.opened import Names, Opened, Sheets
from budgeted_reads.search.page import FileRow, Fitted, Hit, Page, Reached, fit
from budgeted_reads.search.request import DEFAULT_LIMIT, RANKED_LIMIT, READS, Query
from budgeted_reads.search.scope import Scope
from budgeted_reads.search.sections import read_sections
from budgeted_reads.views.face import Face, Heading

MOST_TOKENS = "1a2b3c4d5e6f"
"""Twelve digits of which each is a token: no commit costs more."""


class Composer:
    """One answer in the making: the page of matches from the cursor on, and what of it fits."""

    def __init__(
        self,
        settings: Settings,
        sheets: Sheets,
        query: Query,
        scopes: Sequence[Scope],
        hits: Hits,
        span: partial[Range | None],
        as_text: bool,
    ) -> None:
        self.settings = settings
        self.sheets = sheets
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
        self.names = Names(settings.several)
        heading = self._heading()
        self.face = Face(self.counter, "unknown", heading if as_text else None)
        self.kept: Kept | None = None
        self.reads: str | None = None
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
        if self.settings.several or not path:
            path = scope.tree.name.encode() + (b"/" + path if path else b"")
            path = b"/" + path if self.settings.several else path
        return Heading(path, self.names.short(scope.tree, scope.commit) if scope.commit else None)

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
                    hits.append(Hit(len(files) - 1, match.lines, match.marks, match.score, match.entry))
        return Page(hits, self._with_commits(files), self.span, self.query.context)

    def _ranked_page(self, ranked: Sequence[tuple[int, Ranked]]) -> Page:
        """The entries from the cursor on, best first, and the files they are in."""
        files: list[FileRow] = []
        hits: list[Hit] = []
        renumbered: dict[int, int] = {}
        for number, entry in ranked[self.offset : self.offset + self.limit]:
            if number not in renumbered:
                renumbered[number] = len(files)
                files.append(self._file(self.hits.files[number]))
            if self.hits.finish is not None:
                entry = self.hits.finish(self.hits.files[number], entry)
            hits.append(Hit(renumbered[number], entry.lines, entry.marks, entry.score, entry.entry))
        return Page(hits, self._with_commits(files), self.span, self.query.context)

    def _with_commits(self, files: list[FileRow]) -> list[FileRow]:
        """FILES, where no header has the commit of all: in text the first committed file of each tree prints it."""
        if len(self.scopes) < 2 or not self.face.is_text:
            return files
        told: set[str] = set()
        # An equal file may come to be printed later than those behind it.
        for number in sorted(range(len(files)), key=lambda number: (files[number].same_as is not None, number)):
            source, tree = files[number].opened.source, files[number].opened.scope.tree
            if source.commit is not None and not source.secret and tree.name not in told:
                told.add(tree.name)
                files[number] = files[number]._replace(commit=self.names.short(tree, source.commit))
        return files

    def _file(self, file: FoundFile, same_as: int | None = None) -> FileRow:
        opened = Opened(file.scope, file.source, self.sheets, self.face, self.names)
        return FileRow(opened, len(file.matches), same_as)

    def answer(self) -> Searched:
        """The answer."""
        view = self.query.view
        lead = "" if self.face.is_text else self.hits.totals.said() + "\n"
        words = self.face, self.query.budget, lead, self.header, self.tail
        if view in READS:
            self.reads = view
            if fitted := read_sections(self.page, view, *words):
                return self._made(fitted)
            self.reads, view = None, "hits"
        return self._made(fit(self.page, view, *words))

    def label(self, reached: Reached) -> str:
        """The view that every match that is shown reached; how many are, the header says beside the totals."""
        if self.reads is not None:
            return self.reads
        if not reached.rows:
            return "files" if reached.named else "count"
        return "snippets" if reached.snippets == reached.rows else "hits"

    def truncated(self, reached: Reached) -> bool:
        """Whether matches are left for another page."""
        unnamed = self.reads is None and reached.named < len(self.page.files)
        return self.offset + reached.rows < self.total or unnamed

    def next(self, reached: Reached) -> str | None:
        """The cursor for the matches that are not shown."""
        if not reached.rows or self.offset + reached.rows >= self.total:
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
        if self.hits.ranked is None and self.reads is None and reached.named < len(self.page.files):
            words.append(f"unnamed_files={len(self.page.files) - reached.named}")
        if totals.skipped:
            words.append(f"skipped={len(totals.skipped)}")
        if not totals.matches:
            words.append(f"searched={totals.searched}")
        asked = self.query.view
        if asked is not None and asked != view and totals.matches:
            words.append(f"asked={asked}")
        if not self.counter.exact:
            words.append(f"~{self.counter.name}")
        words += [word] if (word := self.snapshot_word(reached)) else []
        words += dict.fromkeys(warned.code for warned in self.warnings)
        return " ".join(words)

    def tail(self, reached: Reached) -> str:
        """The line below the matches of a text face."""
        following = self.next(reached) if self.face.is_text else None
        return f"next: cursor {following}\n" if following else ""

    def _made(self, fitted: Fitted) -> Searched:
        reached = fitted.reached
        self.kept = keep([row.opened for row in self._shown(reached)])
        printed = fitted.printed
        if self.face.is_text and self._unkept(reached):
            # The word for a snapshot had the most tokens that any has; now it is the true one, or there is none.
            below = fitted.content + fitted.tail
            printed = self.face.print(below if self.reads else self.counter.units(below), partial(self.header, reached))
        snapshot: dict[str, object] | None = None
        if any(scope.dirty for scope in self.scopes):
            base = next((scope.base for scope in self.scopes if scope.dirty), None)
            snapshot = {"base": base, "dirty": True, "reason": None}
        return Searched(
            view=self.label(reached),
            requested_view=self.query.view,
            mode=self.query.mode,
            engine=self.hits.engine,
            index_state=self.hits.index_state,
            tokens=printed.tokens,
            upper_bound=printed.bound,
            budget_tokens=self.query.budget,
            tokenizer=self.counter.name,
            exact=self.counter.exact,
            content=fitted.content,
            text=printed.header + fitted.content + fitted.tail,
            totals=self.hits.totals,
            matches=() if self.face.is_text else tuple(self._matches(reached)),
            truncated=self.truncated(reached),
            next=self.next(reached),
            trees=tuple((scope.tree.name, scope.commit) for scope in self.scopes),
            snapshot=snapshot,
            warnings=self.warnings,
        )

    def _shown(self, reached: Reached) -> list[FileRow]:
        """The files of which a line is shown, those that are equal to one among them."""
        first = {hit.file for hit in self.page.hits[: reached.rows]}
        return [row for number, row in enumerate(self.page.files) if number in first or row.same_as in first]

    def _unkept(self, reached: Reached) -> bool:
        """Whether a file is shown whose commit is known only once the answer is: one file alone has it in its path."""
        shown = (row.opened.source for row in self._shown(reached))
        return len(self.scopes) == 1 and any(source.dirty and source.commit is None for source in shown)

    def snapshot_word(self, reached: Reached) -> str:
        """The word of the header for the commit of files that have none: 12 digits, known once it is taken."""
        if not self._unkept(reached):
            return ""
        if self.kept is None:
            return f"snapshot={MOST_TOKENS}"
        commit = next((commit for commit in self.kept.commits.values()), None)
        return f"snapshot={commit[:12]}" if commit else ""

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
            if reached.named == len(self.page.files):
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
            entry=shown.breadcrumb(hit.lines),
            blob=None if opened.secret else opened.source.blob,
            evidence=self._evidence(opened, hit.lines),
            next=opened.around(hit.lines, self._column(opened, first)),
            score=hit.score,
            same_as=None if file == hit.file else spelled(shown.path),
            reason=self._reason(opened),
        )

    def _column(self, opened: Opened, number: int) -> int:
        found = self.span(opened.line(number))
        return found[0] + 1 if found else 1

    def _evidence(self, opened: Opened, lines: Range) -> Evidence | None:
        source = opened.source
        commit = source.commit or (self.kept.commits.get(key_of(opened)) if self.kept else None)
        if commit is None or source.secret:
            return None
        where = self.settings.node, opened.scope.tree.name, source.path
        return make(*where, commit, source.blob, opened.sheet.text, lines)

    def _reason(self, opened: Opened) -> str | None:
        """Why a match in that file has no pointer; None where it has one."""
        if opened.secret:
            return "a secret file: only its names are shown"
        if opened.source.commit is not None or self.kept is None or key_of(opened) in self.kept.commits:
            return None
        return self.kept.reasons.get(key_of(opened)) or opened.source.reason
