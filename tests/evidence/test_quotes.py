"""Quotes: to the letter, then with white space folded; where else they stand; what differs."""

import time

from hypothesis import assume, given
from hypothesis import strategies as st

from budgeted_reads.evidence.quotes import difference, folded, match
from budgeted_reads.text import decode

WORDS = st.lists(st.sampled_from(["blue", "red", "light", "a", "(b)", "c*", "\\d", "été"]), min_size=1, max_size=12)
SPACES = st.sampled_from([" ", "\n", "\t", "  ", " \n  "])


@given(WORDS, st.data())
def test_white_space_is_folded(words: list[str], data: st.DataObject) -> None:
    """A quote stands wherever its words do, whatever white space is between them in either."""
    quote, text = ("".join(word + data.draw(SPACES) for word in words) for _ in range(2))
    decoded = decode(text.encode())
    assert match(quote, decoded, (1, decoded.line_count)).matches


@given(WORDS, st.integers(0, 11), st.sampled_from(["green", "", "blues"]))
def test_a_quote_with_another_word_is_caught(words: list[str], at: int, other: str) -> None:
    """No change of a word passes, unless the changed quote stands there too; what differs is shown."""
    text = decode((" ".join(words) + "\n").encode())
    changed = [*words[: at % len(words)], other, *words[at % len(words) + 1 :]]
    quote = " ".join(word for word in changed if word)
    assume(quote and quote not in folded(text.content))
    found = match(quote, text, (1, 1))
    assert not found.matches
    assert found.difference


def test_the_difference_marks_what_the_quote_and_the_file_say() -> None:
    """`[-quote-]{+file+}`, with a few words around; a long equal part is left out with a mark."""
    assert difference("the red light is on", "Then the blue light is on again.") == "the [-red-]{+blue+} light is on"
    long = " ".join(f"w{n}" for n in range(40))
    assert difference(f"x {long} y", f"q {long} z") == "[-x-]{+q+} w0 w1 w2 … w37 w38 w39 [-y-]{+z+}"
    assert difference("nothing alike", "0 1 2") == "[-nothing alike-]"


def test_other_places_are_named_by_their_lines() -> None:
    """Lines that hold the quote elsewhere in the file, to the letter where it stands so, at most ten."""
    text = decode(b"alpha beta\n\nalpha\nbeta\nalpha beta gamma\n")
    assert match("alpha beta", text, (2, 2)).found_at == ((1, 1), (5, 5))
    assert match("beta alpha", text, (1, 1)).found_at == ((1, 3), (4, 5))
    assert len(match("x", decode(b"y\n" + b"x\n" * 50), (1, 1)).found_at) == 10
    assert match("anything", decode(b""), None).matches is False


def test_hostile_white_space_is_linear() -> None:
    """A long run of spaces costs no more than its length."""
    text = decode(b"a" + b" " * 200_000 + b"\n")
    start = time.process_time()
    match("a b c", text, (1, 1))
    assert time.process_time() - start < 2
