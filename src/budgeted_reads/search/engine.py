"""The one edge to tantivy: documents of terms in, the best of them out. Its panics end here, as `Damaged`.

Imported only by a ranked search: the library costs milliseconds and megabytes that nothing else needs.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import tantivy

from budgeted_reads.search.words import SPELLED, Question

NAME, SYMBOL, PATH, TIE = 1.2, 1.0, 0.5, 0.2
"""What a term weighs in the name of an entry, of what it defines within, and in the path, beside one in the body; what
all but the best add."""

WHOLE_RUN = 10.0
"""What an entry gains for each pair of letters where it has all those of a run of Chinese, Japanese or Korean."""

HEAP_BYTES = 64 << 20
_FIELDS = (("body", 1.0), ("name", NAME), ("symbol", SYMBOL), ("path", PATH))
_DEFINING = ("name", "symbol")


class Document(NamedTuple):
    """One entry of one blob: AT is given back by a search; the rest are terms joined by spaces, see `Chunk`."""

    blob: str
    at: str
    body: str
    name: str
    symbol: str
    path: str


class Damaged(Exception):
    """The index cannot be read or written; what the library says is in the text."""


class Busy(Exception):
    """Somebody else writes to the index."""


class Store:
    """An index in a folder, or (None) in memory. Raises `Damaged` for whatever goes wrong."""

    def __init__(self, place: str | None) -> None:
        with _edge():
            self._schema = _schema()
            self._index = tantivy.Index(self._schema, path=place, reuse=True)
            # The library forgets tokenizers: they are told to it after every open.
            self._index.register_tokenizer("terms", tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build())

    def writer(self) -> "Writer":
        """The one writer; raises `Busy` where another process or thread has it."""
        with _edge():
            try:
                return Writer(self._index.writer(HEAP_BYTES, 1))
            except ValueError as error:
                if "Lock" in str(error):
                    raise Busy from None
                raise

    def search(self, question: Question, limit: int) -> list[tuple[float, str]]:
        """Score and AT of the LIMIT best documents for QUESTION; best first."""
        with _edge():
            self._index.reload()
            searcher = self._index.searcher()
            found = searcher.search(self._query(question), limit).hits
            rows = [(float(score), str(searcher.doc(address)["at"][0])) for score, address in found]
        # Equal scores come in the order of their place, whatever the order of writing.
        return sorted(rows, key=lambda row: (-row[0], row[1]))

    def _query(self, question: Question) -> Any:
        wanted = [self._word(*one) for one in question.terms.items()]
        wanted += [self._name(ways) for ways in question.names]
        wanted += [self._run(pairs) for pairs in question.runs]
        return tantivy.Query.boolean_query([(tantivy.Occur.Should, one) for one in wanted])

    def _word(self, term: str, more: float) -> Any:
        """The best of the fields counts, not their sum: a name that stands in the path too is no better answer."""
        fields = [
            # An identifier asked for by its name is looked for where it is defined, not where it is used.
            self._term(name, term, weight * (more if name in _DEFINING else min(1.0, more)))
            for name, weight in _FIELDS
        ]
        return tantivy.Query.disjunction_max_query(fields, TIE)

    def _name(self, ways: tuple[str, ...]) -> Any:
        """A name that was written as words: the entry that has it, however its words are joined there."""
        weights = dict(_FIELDS)
        # The more words it takes, the less it is by chance.
        more = SPELLED * len(ways[-1].split("_"))
        fields = [self._term(name, way, weights[name] * more) for name in _DEFINING for way in ways]
        return tantivy.Query.disjunction_max_query(fields)

    def _run(self, pairs: tuple[str, ...]) -> Any:
        """All PAIRS of a run of letters: it most likely stands there as it was asked for, however long the entry is."""
        terms = [(tantivy.Occur.Must, tantivy.Query.term_query(self._schema, "body", pair, "freq")) for pair in pairs]
        return tantivy.Query.const_score_query(tantivy.Query.boolean_query(terms), WHOLE_RUN * len(pairs))

    def _term(self, field: str, term: str, weight: float) -> Any:
        return tantivy.Query.boost_query(tantivy.Query.term_query(self._schema, field, term, "freq"), weight)


class Writer:
    """Writes to an index; nothing is lasting, or seen, before `commit`."""

    def __init__(self, writer: Any) -> None:
        self._writer = writer

    def add(self, documents: Iterable[Document]) -> None:
        """Add DOCUMENTS of one blob."""
        with _edge():
            for one in documents:
                made = tantivy.Document()
                for name, value in one._asdict().items():
                    made.add_text(name, value)
                self._writer.add_document(made)

    def forget(self, blobs: Iterable[str]) -> None:
        """Delete what was written of BLOBS before."""
        with _edge():
            for blob in blobs:
                self._writer.delete_documents_by_term("blob", blob)

    def commit(self) -> None:
        """Make what was added lasting."""
        with _edge():
            _aside(self._writer.commit)

    def close(self) -> None:
        """Wait for the threads of the library and let others write; what was not committed is lost."""
        with _edge():
            _aside(self._writer.rollback)
            _aside(self._writer.wait_merging_threads)


def _schema() -> Any:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("blob", stored=False, tokenizer_name="raw", index_option="basic")
    builder.add_text_field("at", stored=True, tokenizer_name="raw", index_option="basic")
    for name, _ in _FIELDS:
        builder.add_text_field(name, stored=False, tokenizer_name="terms", index_option="freq")
    return builder.build()


def _aside(call: Callable[[], object]) -> None:
    """CALL in a thread of its own: a signal that comes meanwhile is heard at once, not when the library is done."""
    from concurrent.futures import ThreadPoolExecutor

    pool = ThreadPoolExecutor(1, thread_name_prefix="engine")
    try:
        pool.submit(call).result()
    finally:
        pool.shutdown(wait=False)


@contextmanager
def _edge() -> Iterator[None]:
    """Whatever the library raises is `Damaged`; its panics are no `Exception`, so they are told by name."""
    try:
        yield
    except (Busy, Damaged, MemoryError):
        raise
    except BaseException as error:
        if isinstance(error, Exception) or type(error).__name__ == "PanicException":
            raise Damaged(f"{type(error).__name__}: {error}") from None
        raise
