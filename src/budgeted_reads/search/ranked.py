"""Ranked search: the entries that best answer a question, by the terms of the index; it is brought up to date first."""

import re
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from budgeted_reads.outline import Outline
from budgeted_reads.outline.registry import outline
from budgeted_reads.search import texts as kinds
from budgeted_reads.search.answer import MOST_ENTRIES
from budgeted_reads.search.chunks import Chunks, chunks
from budgeted_reads.search.index import Index, Listed, Place, Work, folder_of
from budgeted_reads.search.ranks import rank
from budgeted_reads.search.scope import Scope, Skipped, Source
from budgeted_reads.search.texts import Texts
from budgeted_reads.search.words import of_question, terms
from budgeted_reads.text import Text
from budgeted_reads.trees.committed import Committed
from budgeted_reads.trees.query import cache_folder

SECONDS = 8.0
"""So long a search brings the index up to date before it answers with what there is."""

WEIGHTS = (1.0, 0.8, 0.9, 0.5)
"""What an entry of a source, a test, a document, a generated file counts."""

DECLARED = 0.8
"""What a mere declaration counts beside the definition."""

OUTLINERS, AHEAD = 4, 16
"""Threads that wait for outlines, and files outlined ahead of the writer."""

MARKS = 3
"""So many of the lines of an entry that answer best are shown in its snippet."""

READY, READY_BYTES = 16, 4 << 20
"""So many scopes are remembered as being in the index, none with more bytes from the disk."""

IN_PART = "in_part: too long to be ranked to its end; modes literal and regex search all of it"

_FIRST_ASKED, _LAST_ASKED = 256, 100_000

Outliner = Callable[[Text, bytes], Outline]


class Answered(NamedTuple):
    """One entry that answers: its file, its place, its score."""

    source: Source
    place: Place
    score: float


class Found(NamedTuple):
    """The entries, best first; not `ready` where files are not in the index yet."""

    entries: list[Answered]
    searched: int
    skipped: tuple[Skipped, ...]
    ready: bool
    at_least: bool
    warm: bool


class Ready(NamedTuple):
    """The files of a scope that a search ranks, and the index that has them; `in_part` are those too long for it.

    `by_blob` has one file for each blob, the one that ranks first, with what its entries count; `complete` is False
    where some are not in yet.
    """

    terms: Index
    searched: list[Source]
    by_blob: Mapping[str, tuple[Source, float]]
    skipped: tuple[Skipped, ...]
    in_part: tuple[Skipped, ...]
    complete: bool


class Indexes:
    """The indexes of the trees of a node, each opened when it is first asked."""

    def __init__(self, outliner: Outliner = outline) -> None:
        self._outliner = outliner
        self._open: dict[str, Index] = {}
        self._ready: dict[str, tuple[Scope, int, Listed, Ready]] = {}

    def of(self, scope: Scope) -> Index:
        """The index for the tree of SCOPE."""
        root = self._root(scope)
        if root not in self._open:
            self._open[root] = Index(folder_of(cache_folder("search"), root))
        return self._open[root]

    def _root(self, scope: Scope) -> str:
        tree = scope.tree
        return tree.folder.common if isinstance(tree, Committed) else tree.root

    def ready(self, scope: Scope, texts: Texts, until: float) -> Ready:
        """As `update`; what it came to is kept, and holds as long as the files and the index are the same."""
        key = f"{self._root(scope)}\0{scope.root}\0{scope.below.hex()}"
        kept = self._ready.get(key)
        if kept is not None:
            before, told_apart, listed, ready = kept
            same = before.files == scope.files and before.skipped == scope.skipped
            if same and told_apart == texts.told_apart and listed is self.of(scope).listed():
                return ready
        made = self.update(scope, texts, until)
        held = sum(len(source.raw) for source in scope.files if source.raw is not None)
        if made.complete and held <= READY_BYTES:
            if len(self._ready) >= READY:
                self._ready.clear()
            self._ready[key] = scope, texts.told_apart, made.terms.listed(), made
        return made

    def update(self, scope: Scope, texts: Texts, until: float, told: Callable[[int, int], None] | None = None) -> Ready:
        """The files of SCOPE that can be ranked, brought into the index as far as time allows until UNTIL."""
        texts.survey(scope, until)
        # What the disk has is told apart by its own bytes, whoever has written it into the index before.
        deque(texts.load(scope, [one for one in scope.files if one.raw is not None and not one.secret]), maxlen=0)
        searched, skipped = [], list(scope.skipped)
        for source in scope.files:
            kind = texts.kind(source)
            if kind in kinds.REASONS:
                skipped.append(Skipped(source.path, kinds.REASONS[kind].replace("only its names are", "it is not")))
            else:
                searched.append(source)
        index = self.of(scope)
        missing = _missing(index, searched)
        complete = True
        if missing:
            heard = None if told is None else partial(_of, told, len(missing))
            complete = index.write(self._work(scope, texts, missing), until, heard)
            if not complete and time.monotonic() < until and not index.known():
                # Nothing can be written here: what is needed is held in memory.
                index = self._open[self._root(scope)] = Index(None)
                complete = index.write(self._work(scope, texts, _missing(index, searched)), until, heard)
            # What was written to meanwhile is not in it.
            complete = complete and not _missing(index, searched)
        by_blob: dict[str, tuple[Source, float]] = {}
        for source in sorted(searched, key=lambda source: (rank(source.path), source.path)):
            by_blob.setdefault(source.blob, (source, WEIGHTS[rank(source.path)]))
        long = index.listed().in_part
        in_part = tuple(Skipped(source.path, IN_PART) for source in searched if source.blob in long)
        return Ready(index, searched, by_blob, tuple(skipped), in_part, complete)

    def _work(self, scope: Scope, texts: Texts, sources: Sequence[Source]) -> Iterator[Work]:
        """What is to be written of SOURCES; outlines are made ahead, a few at a time, in their own processes."""
        from concurrent.futures import Future, ThreadPoolExecutor

        # Where time ends the work, what is asked for most is in.
        ordered = sorted(sources, key=lambda source: rank(source.path))
        ahead: deque[tuple[Source, Future[Chunks]]] = deque()
        pool = ThreadPoolExecutor(OUTLINERS, thread_name_prefix="index")
        try:
            for source, loaded in texts.load(scope, ordered):
                if loaded.kind == kinds.CHANGING:
                    continue
                made = pool.submit(self._chunks, source.path, b"" if loaded.kind in kinds.REASONS else loaded.buffer)
                ahead.append((source, made))
                if len(ahead) > AHEAD:
                    first, made = ahead.popleft()
                    yield Work(first.blob, first.path, made.result)
            for first, made in ahead:
                yield Work(first.blob, first.path, made.result)
        finally:
            # Whoever was interrupted, or is out of time, does not wait for outlines that nobody will see.
            pool.shutdown(wait=False, cancel_futures=True)

    def _chunks(self, path: bytes, buffer: bytes) -> Chunks:
        text = Text(buffer, buffer.decode("utf-8", "surrogatepass"), "utf-8")
        return chunks(text, self._outliner(text, path))


def _of(told: Callable[[int, int], None], total: int, done: int) -> None:
    told(done, total)


def _missing(index: Index, sources: Sequence[Source]) -> list[Source]:
    known = index.known()
    return list({source.blob: source for source in sources if source.blob not in known}.values())


def find(scope: Scope, query: str, texts: Texts, indexes: Indexes, until: float) -> Found:
    """The entries of the files of SCOPE that best answer QUERY."""
    ready = indexes.ready(scope, texts, until)
    question = of_question(query)
    entries: list[Answered] = []
    asked = _FIRST_ASKED
    while question.terms:
        rows = ready.terms.search(question, asked)
        entries = [
            Answered(file[0], place, score * file[1] * (DECLARED if place.declared else 1.0))
            for score, place in rows
            if (file := ready.by_blob.get(place.blob)) is not None and _within(scope, place)
        ]
        # The index holds other commits and folders too: more is asked for where they fill the answer.
        if len(rows) < asked or len(entries) >= MOST_ENTRIES or asked >= _LAST_ASKED:
            break
        asked *= 4
    entries.sort(key=lambda one: (-one.score, one.source.path, one.place.first))
    warm = bool(ready.terms.known())
    more = len(entries) > MOST_ENTRIES or not ready.complete or bool(ready.in_part)
    skipped = ready.skipped + ready.in_part
    return Found(entries[:MOST_ENTRIES], len(ready.searched), skipped, ready.complete, more, warm)


def _within(scope: Scope, place: Place) -> bool:
    return scope.lines is None or (place.first <= scope.lines[1] and place.last >= scope.lines[0])


def marks(lines: Sequence[str], part: tuple[int, int], own: int, words: Iterable[str]) -> tuple[int, ...]:
    """Line OWN, which stands for PART, and behind it those lines of PART that hold most of WORDS, in line order."""
    wanted = set(words)
    some = re.compile("|".join(map(re.escape, wanted)), re.IGNORECASE)
    scored = []
    for number in range(part[0], min(part[1], len(lines)) + 1):
        line = lines[number - 1][:2000]
        # Most lines hold none of the words, which is quickly seen where letters are what they seem.
        if number == own or (line.isascii() and not some.search(line)):
            continue
        if hits := wanted.intersection(terms(line)):
            scored.append((-len(hits), number))
    best = sorted(number for _, number in sorted(scored)[:MARKS])
    return (own, *best)


def span(words: Iterable[str], line: str) -> tuple[int, int] | None:
    """Where the first of WORDS stands in LINE, in code points."""
    folded = line.casefold()
    if len(folded) != len(line):
        return None
    places = [(at, at + len(word)) for word in words if (at := folded.find(word)) >= 0]
    return min(places, default=None)
