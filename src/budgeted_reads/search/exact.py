"""Exact search: the lines of a scope that match a pattern, whatever the encoding of the file.

Where git can match, it names the candidates: `git grep` for the sketch of the pattern, in the query repository, without
any attribute. All else is read and decoded here. Whatever named a line, the pattern itself decides. Another
source of candidates, such as a warm index, can take git's place with the same answers.
"""

import re
import time
from collections.abc import Sequence
from typing import NamedTuple

from budgeted_reads import secret
from budgeted_reads.errors import BinaryFile, TimedOut
from budgeted_reads.search import texts as kinds
from budgeted_reads.search.pattern import Pattern
from budgeted_reads.search.scope import Scope, Skipped, Source
from budgeted_reads.search.texts import Texts
from budgeted_reads.text import decode
from budgeted_reads.trees.committed import Committed
from budgeted_reads.trees.git import Child

SECONDS = 20.0
"""A search that takes longer gives what it has found, and says so."""

FEW = 32
"""So few files are read at once, without asking git for candidates."""

MOST_OUTPUT = 128 << 20
"""More bytes of candidates are not read: the totals are then `at_least`."""

MOST_LINES = 2_000_000
"""More matching lines are not counted."""

_CANDIDATE = re.compile(rb"([^\0]*)\0(\d+)\0([^\n]*)\n")
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
    if len(by_git) <= FEW or not pattern.sketch or not search.by_git(by_git):
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
        # Where case is ignored only plain files are left to git, and those hold no other letters.
        out = self._candidates(wanted) if wanted.isascii() or not self.pattern.folds else b""
        if out is None:
            return False
        self.searched += len(sources)
        self._verify(out, {source.path: source for source in sources})
        return True

    def _candidates(self, wanted: str) -> bytes | None:
        """What `git grep` says of WANTED: path, number and text of each line; None where it failed."""
        tree, root = self.scope.tree, self.scope.root
        if root is None or not isinstance(tree, Committed):
            return None
        options = ["-I", "-n", "-z", "--no-color", "--no-column", *(["-i"] if self.pattern.folds else [])]
        words = "-F" if self.pattern.plain else "-P", "-e", wanted
        child = Child(tree.objects.repository, "grep", *options, *words, root)
        try:
            child.hang_up()
            out = child.rest(MOST_OUTPUT, self.until)
            if len(out) > MOST_OUTPUT:
                self.complete = False
                return out
            return out if child.close() in (0, 1) else None
        except TimedOut:
            self.complete = False
            return child.partial()
        finally:
            child.close(kill=True)

    def _verify(self, out: bytes, sources: dict[bytes, Source]) -> None:
        skip = len(self.scope.root or "") + 1
        below = self.scope.below + b"/" if self.scope.below else b""
        found: dict[bytes, list[int]] = {}
        rows = _CANDIDATE.findall(out)
        if not self.pattern.plain:
            # All candidates as one text: the lines of it that match are theirs.
            text = b"".join(line + b"\n" for _, _, line in rows)
            rows = [rows[at - 1] for at in self.pattern.matcher.lines(text)]
        for place, number, _ in rows:
            found.setdefault(place, []).append(int(number))
        for place, lines in found.items():
            source = sources.get(below + place[skip:])
            if source is not None:
                self.add(source, lines)


def names_of(scope: Scope, source: Source) -> dict[int, str]:
    """The names in the secret file SOURCE, by line; none where it is no text."""
    raw = source.raw
    if raw is None and isinstance(scope.tree, Committed):
        raw = scope.tree.objects.read(source.blob, "blob")
    try:
        return dict(secret.public_rows(decode(raw or b""), source.path))
    except BinaryFile:
        return {}
