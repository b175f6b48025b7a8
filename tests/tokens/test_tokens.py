"""Counts are exact, add over rows and over pieces, and are held by bounds."""

import hashlib
import json
import random
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from budgeted_reads.errors import UnknownTokenizer
from budgeted_reads.tokens import DEFAULT, NAMES, counter
from budgeted_reads.tokens.kinds import KINDS
from budgeted_reads.tokens.pieces import CUT_COST, JOINT, PIECE, pieces
from budgeted_reads.tokens.vocabulary import Vocabulary, encoder

HERE = Path(__file__).parent
VECTORS: dict[str, Any] = json.loads((HERE / "vectors.json").read_text(encoding="utf-8"))
SOURCE = [path.read_text(encoding="utf-8") for path in sorted(HERE.parents[1].glob("src/budgeted_reads/**/*.py"))]
SOURCE += [entry["text"] for entry in VECTORS["texts"]]
EXACT = [name for name in NAMES if counter(name).exact]
PUBLIC = [name for name in EXACT if name != "bytes"]

ODD = list(
    "  \n\n\r\t/aA1h'se.-_(){}<>=\"é한ﬁ中жا\u0301\u0323\u200d👩🏽\u00a0\u3000\u2581。x9\x00\x1c\u2028\u0085\ufeff"
)
ODD += ["<|endoftext|>", "'s", "'LL", "\n\n", "   ", "> </", "</h1>", "<td>", "<s>", "[INST]", "\r\n", "//", "ab", "12"]
texts = st.lists(st.sampled_from(ODD), max_size=30).map("".join) | st.text(max_size=40)
lines = texts.map(lambda text: text.replace("\n", ""))


def vocabulary(name: str) -> Vocabulary:
    single = counter(name)
    assert isinstance(single, Vocabulary)
    return single


def row(number: int, line: str) -> str:
    return f"{number} {line}\n" if line else f"{number}\n"


@pytest.mark.parametrize("name", [name for name in VECTORS["reference"] if name in NAMES])
def test_counts_equal_those_of_an_independent_tokenizer(name: str) -> None:
    """Each exact tokenizer gives the counts of the frozen file, whose references are named in it."""
    for entry in VECTORS["texts"]:
        assert counter(name).units(entry["text"]) == entry["tokens"][name], entry["kind"]
        expected = entry["ids_sha256"].get(name)
        if expected:
            ids = " ".join(map(str, encoder(name)(entry["text"])))
            assert hashlib.sha256(ids.encode()).hexdigest()[:16] == expected, entry["kind"]


def test_every_exact_tokenizer_is_in_the_frozen_file() -> None:
    """No name is called exact without a reference."""
    assert set(VECTORS["reference"]) == set(EXACT)


@given(st.lists(st.tuples(st.integers(1, 9_999_999), lines), max_size=6))
@example([(12, "/ slash"), (13, ""), (14, "\r"), (15, " \t "), (16, "\u0301"), (17, "/")])
@settings(max_examples=150, deadline=None)
def test_rows_add_exactly(rows: list[tuple[int, str]]) -> None:
    """Units of rows are those of the text that they make, in every tokenizer."""
    parts = [row(number, line) for number, line in rows]
    for name in NAMES:
        units = counter(name).units
        assert units("".join(parts)) == sum(map(units, parts)), name


@pytest.mark.parametrize("name", PUBLIC)
def test_rows_of_real_files_add_exactly(name: str) -> None:
    """The same on the source of this product and on the frozen texts."""
    units = counter(name).units
    for text in SOURCE:
        parts = [row(number, line) for number, line in enumerate(text.split("\n"), 1)]
        assert units("".join(parts)) == sum(map(units, parts))


@given(texts, texts)
@example("<h", "1>")
@example("a\n", "/b")
@example("x", "'s")
@example("a>", " </b")
@example("\n", "\u2581 a")
@settings(max_examples=400, deadline=None)
def test_no_token_crosses_a_joint(left: str, right: str) -> None:
    """Wherever a large text may be cut, the counts of both sides add up to that of the whole, in every vocabulary."""
    whole = left + right
    cuts = [found.start() for found in re.finditer(JOINT, whole, re.VERBOSE)]
    for name in PUBLIC:
        count = vocabulary(name).count
        parts = [whole[a:b] for a, b in zip([0, *cuts], [*cuts, len(whole)], strict=True)]
        assert sum(map(count, filter(None, parts))) == count(whole), name


def test_pieces_are_the_text_and_no_larger_than_stated() -> None:
    """Pieces join to the text; none is empty or over PIECE; an atom is cut only where it is over PIECE."""
    run = "a" * (3 * PIECE + 5)
    for text in ("", "x", " " * PIECE, run, f"1 {run}\n2 x\n3 {run}\n", "ab, " * PIECE, "7\n" * (2 * PIECE)):
        found = list(pieces(text))
        assert "".join(piece for piece, _ in found) == text
        assert all(0 < len(piece) <= PIECE for piece, _ in found)
        assert sum(cut for _, cut in found) == 3 * text.count(run)


@pytest.mark.parametrize("name", PUBLIC)
def test_large_texts_are_counted_exactly(name: str) -> None:
    """A real text of many pieces counts the same in pieces as in one call of the encoder."""
    chance = random.Random(3)
    words = [line for text in SOURCE for line in text.splitlines(keepends=True)]
    prose = "".join(chance.choices(words, k=6000))
    one_line = prose.replace("\n", " ")
    assert len(prose) > 3 * PIECE
    single = vocabulary(name)
    for text in (prose, one_line):
        assert single.units(text) == single.count(single.prepared(text))


@pytest.mark.parametrize("name", PUBLIC)
def test_an_endless_run_is_never_under_counted(name: str) -> None:
    """A run without a joint is cut, which may only raise the count, by little; rows still add exactly."""
    single = vocabulary(name)
    chance = random.Random(4)
    for run in ("a", " ", "=", "가", "".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=70_000))):
        text = run * (150_000 // len(run))
        whole, cut = single.count(text), single.units(text)
        assert whole <= cut <= whole + 2 * CUT_COST * (len(text) // PIECE + 1)
        assert single.units(f"1 {text}\n2 {text}\n") == single.units(f"1 {text}\n") + single.units(f"2 {text}\n")


@given(st.integers(0, 2_000_000), st.integers(0, 50), st.sampled_from(NAMES), st.sampled_from(KINDS))
def test_bounds_hold_and_grow(units: int, more: int, name: str, kind: str) -> None:
    """`bound` is never below `tokens`, neither falls as units grow, both are 0 for 0 and integers."""
    single = counter(name)
    tokens, bound = single.tokens(units, kind), single.bound(units, kind)
    assert 0 <= tokens <= bound
    assert tokens <= single.tokens(units + more, kind)
    assert bound <= single.bound(units + more, kind)
    assert single.tokens(0, kind) == single.bound(0, kind) == 0
    assert isinstance(tokens, int)
    assert isinstance(bound, int)
    if single.exact:
        assert tokens == bound == units


@pytest.mark.parametrize("name", NAMES)
def test_kinds_are_ordered_by_bound(name: str) -> None:
    """A kind further on in KINDS never has the lower bound, so the last of several is the worst."""
    bounds = [counter(name).bound(100_000, kind) for kind in KINDS]
    assert bounds == sorted(bounds)


@given(texts)
@settings(max_examples=100, deadline=None)
def test_bytes_bound_every_byte_level_count(text: str) -> None:
    """No exact tokenizer gives more tokens than there are bytes (qwen3: in the text after NFC)."""
    for name in PUBLIC:
        single = vocabulary(name)
        assert single.units(text) <= counter("bytes").units(single.prepared(text))


def test_lone_surrogates_count_as_the_replacement_character() -> None:
    """Text with lone surrogates is counted, as if each were U+FFFD."""
    for name in NAMES:
        assert counter(name).units("a\ud800b\n1 \udfff") == counter(name).units("a\ufffdb\n1 \ufffd")


def test_combining_marks_without_end_stay_linear() -> None:
    """A hostile run of marks, whose composition would take time in its square, is counted."""
    marks = "a" + "\u0345" * 150_000 + "\u0334" * 150_000
    assert counter("qwen3").units(marks) > 0


def test_one_counter_serves_many_threads() -> None:
    """Eight threads that share a counter get the counts that one gets, from the first load on."""
    for name in PUBLIC:
        single = counter(name)
        with ThreadPoolExecutor(8) as pool:
            counts = list(pool.map(single.units, [text for text in SOURCE[:8] for _ in range(8)]))
        assert counts == [single.units(text) for text in SOURCE[:8] for _ in range(8)]


def test_an_unknown_name_is_told_the_known_ones() -> None:
    """`unknown_tokenizer` lists the names there are; the same name gives the same object."""
    with pytest.raises(UnknownTokenizer) as caught:
        counter("gpt-9")
    assert all(name in caught.value.hint for name in NAMES)
    assert counter(DEFAULT) is counter(DEFAULT)
    assert [counter(name).name for name in NAMES] == list(NAMES)
