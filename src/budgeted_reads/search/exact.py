"""Exact search: the lines of a scope that match a pattern, whatever the encoding of the file.

Where git can match, it names the candidates: `git grep` for the sketch of the pattern, in the query repository, without
any attribute. All else is read and decoded here, and so are the texts of a small tree once they are in memory, which is
quicker. Whatever named a line, the pattern itself decides.
"""

import re
import time
from collections.abc import Sequence
from typing import NamedTuple

from budgeted_reads.errors import BinaryFile, FileChanging, TimedOut
from budgeted_reads.search import texts as kinds
from budgeted_reads.search.pattern import Pattern
from budgeted_reads.search.scope import Scope, Skipped, Source
from budgeted_reads.search.texts import FEW, Texts
from budgeted_reads.secretnames import public_rows
from budgeted_reads.text import decode
from budgeted_reads.trees.committed import Committed
from budgeted_reads.trees.git import Child

SECONDS = 20.0
"""A search that takes longer gives what it has found, and says so."""

GIT_SHARE = 3
"""A part of that time is for git to look for a sketch: in a line of megabytes PCRE may take for ever, RE2 does not."""

MOST_OUTPUT = 128 << 20
"""More bytes of candidates are not read: the totals are then `at_least`."""

MOST_LINES = 2_000_000
"""More matching lines are not counted."""

_FIRST = re.compile(rb"\n(?=\d+\0)")
_NUMBER = re.compile(rb"^(\d+)\0", re.MULTILINE)
_ROW = re.compile(rb"^(\d+)\0([^\n]*)", re.MULTILINE)
# The two letters beyond ASCII that equal one of ASCII when case is ignored.
_TO_ASCII = str.maketrans({"\u017f": "s", "\u212a": "k"})


class Found(NamedTuple):
    """Matching lines by file; `complete` is False where a limit ended the search, `searched` counts the files."""

    lines: list[tuple[Source, list[int]]]
    searched: int
    skipped: tuple[Skipped, ...]
    complete: bool


def find(scope: Scope, pattern: Pattern, texts: Texts, until: float) -> Found:
    """The lines of the files of SCOPE that match PATTERN, found before UNTIL, a monotonic time."""
    search = _Search(scope, pattern, until)
    if len(scope.files) > FEW:
        search.complete = texts.survey(scope, until)
    by_git, own = [], []
    for source in scope.files:
        kind = texts.kind(source)
        if kind in kinds.REASONS:
            search.skip(source, kind)
        elif source.raw is None and (kind == kinds.PLAIN or (kind == kinds.UTF8 and not pattern.folds)):
            by_git.append(source)
        else:
            own.append(source)
    at_hand = len(by_git) <= FEW or not pattern.sketch or texts.at_hand(scope, by_git, until)
    if at_hand or not search.by_git(by_git):
        own += by_git
    search.by_reading(own, texts)
    found = search.found
    if scope.lines is not None:
        first, last = scope.lines
        found = [(source, [n for n in lines if first <= n <= last]) for source, lines in found]
        found = [(source, lines) for source, lines in found if lines]
    return Found(found, search.searched, (*scope.skipped, *search.skipped), search.complete)


class _Search:
    """One search under way over one scope."""

    def __init__(self, scope: Scope, pattern: Pattern, until: float) -> None:
        self.scope = scope
        self.pattern = pattern
        self.until = until
        self.found: list[tuple[Source, list[int]]] = []
        self.skipped: list[Skipped] = []
        self.searched = 0
        self.complete = True
        self._total = 0

    def skip(self, source: Source, kind: int) -> None:
        """Note SOURCE as not searched; of a secret file the names are."""
        self.skipped.append(Skipped(source.path, kinds.REASONS[kind]))
        if kind == kinds.SECRET:
            matcher = self.pattern.matcher
            names = names_of(self.scope, source)
            lines = [number for number, name in names.items() if matcher.search(name.encode("utf-8"))]
            self.add(source._replace(secret=True), lines)

    def add(self, source: Source, lines: list[int]) -> None:
        """Note the matching LINES of SOURCE."""
        if lines:
            self.found.append((source, lines))
            self._total += len(lines)

    @property
    def over(self) -> bool:
        """Whether this search has to end."""
        if self._total > MOST_LINES or time.monotonic() > self.until:
            self.complete = False
        return not self.complete

    def by_reading(self, sources: Sequence[Source], texts: Texts) -> None:
        """Look at the texts of SOURCES."""
        known: dict[str, list[int]] = {}
        for source, loaded in texts.load(self.scope, sources):
            if loaded.kind in kinds.REASONS:
                self.skip(source, loaded.kind)
                continue
            if source.blob not in known:
                if self.over:
                    return
                known[source.blob] = self.pattern.matcher.lines(loaded.buffer)
            self.searched += 1
            self.add(source, known[source.blob])

    def by_git(self, sources: Sequence[Source]) -> bool:
        """Look at SOURCES with git; False where it cannot."""
        wanted = self.pattern.sketch.translate(_TO_ASCII) if self.pattern.folds else self.pattern.sketch
        if wanted.isascii() or not self.pattern.folds:
            out = self._candidates(wanted)
        else:
            # Where case is ignored only plain files are left to git: they hold no such text, but what a pattern
            # names beside it (`é|e`) they may.
            out = b"" if self.pattern.plain else None
        if out is None:
            return False
        self.searched += len(sources)
        self._verify(out, {source.path: source for source in sources})
        return True

    def _candidates(self, wanted: str) -> bytes | None:
        """What `git grep` says of WANTED, see `_by_file`; None where it failed, or would take too long."""
        tree, root = self.scope.tree, self.scope.root
        if root is None or not isinstance(tree, Committed):
            return None
        options = ["-I", "-n", "-z", "--heading", "--no-break", "--no-color", "--no-column"]
        options += ["-i"] if self.pattern.folds else []
        words = "-F" if self.pattern.plain else "-P", "-e", wanted
        now = time.monotonic()
        until = self.until if self.pattern.plain else now + (self.until - now) / GIT_SHARE
        child = Child(tree.objects.repository, "grep", *options, *words, root)
        try:
            child.hang_up()
            out = child.rest(MOST_OUTPUT, until)
            if len(out) > MOST_OUTPUT:
                self.complete = False
                return out
            return out if child.close() in (0, 1) else None
        except TimedOut:
            if not self.pattern.plain:
                return None
            self.complete = False
            return child.partial()
        finally:
            child.close(kill=True)

    def _verify(self, out: bytes, sources: dict[bytes, Source]) -> None:
        below = self.scope.below + b"/" if self.scope.below else b""
        files = [(below + place, rows) for place, rows in _by_file(out, self.scope.root or "")]
        if self.pattern.plain:
            found = [(path, [int(number) for number in _NUMBER.findall(rows)]) for path, rows in files]
        else:
            found = self._matching([(path, _ROW.findall(rows)) for path, rows in files])
        for path, lines in found:
            if path in sources:
                self.add(sources[path], lines)

    def _matching(self, files: list[tuple[bytes, list[tuple[bytes, bytes]]]]) -> list[tuple[bytes, list[int]]]:
        """Those of the candidates of FILES, number and text, that the pattern itself matches."""
        # All candidates as one text: the lines of it that match are theirs.
        text = b"".join(line + b"\n" for _, rows in files for _, line in rows)
        at = iter(self.pattern.matcher.lines(text))
        match, before = next(at, 0), 0
        found = []
        for path, rows in files:
            lines = []
            while before < match <= before + len(rows):
                lines.append(int(rows[match - before - 1][0]))
                match = next(at, 0)
            before += len(rows)
            found.append((path, lines))
        return found


def _by_file(out: bytes, root: str) -> list[tuple[bytes, bytes]]:
    """The output of `git grep` by file: the path, which stands above its rows, and `number NUL text` for each line."""
    # Rows begin with digits and a NUL, which no path has; what was cut off at the end of OUT is no row.
    whole = out[: out.rfind(b"\n") + 1]
    files = []
    for part in (b"\n" + whole).split(f"\n{root}:".encode())[1:]:
        if first := _FIRST.search(part):
            files.append((part[: first.start()], part[first.end() :]))
    return files


def names_of(scope: Scope, source: Source) -> dict[int, str]:
    """The names in the secret file SOURCE, by line; none where it is no text, too large, or written to meanwhile."""
    raw = None
    try:
        if source.raw is not None:
            raw = kinds.held(source) if len(source.raw) <= kinds.LARGEST else None
        elif isinstance(scope.tree, Committed):
            raw = scope.tree.objects.read(source.blob, "blob")
        return dict(public_rows(decode(raw or b""), source.path))
    except (BinaryFile, FileChanging):
        return {}
