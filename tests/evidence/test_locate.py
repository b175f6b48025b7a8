"""Drift: what is said to be unchanged or moved has the same bytes there, and no line that git left alone is lost."""

import random
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from budgeted_reads.evidence.locate import Hunk, Lines, locate, mapped, parse_hunks
from budgeted_reads.text import decode
from budgeted_reads.trees.hunks import line_hunks
from repos import ENVIRONMENT

FEW = st.sampled_from([b"a = 1\n", b"b\n", b"\n", b"}\n", b"    return total\n", b"\tend\n", b"  \n"])
FILES = st.lists(FEW, max_size=14).map(b"".join)
Edits = list[tuple[int, int, list[bytes]]]
EDITS = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 3), st.lists(FEW, max_size=3)), max_size=4)


def lines_of(raw: bytes) -> Lines:
    """The lines of RAW."""
    return Lines(decode(raw))


def edited(raw: bytes, edits: Edits) -> bytes:
    """RAW with some lines replaced by others."""
    rows = raw.splitlines(keepends=True)
    for at, gone, new in edits:
        place = at % (len(rows) + 1)
        rows[place : place + gone] = new
    return b"".join(rows)


def git_hunks(old: bytes, new: bytes, place: Path) -> tuple[Hunk, ...]:
    """The hunks of `git diff` between the texts themselves."""
    (place / "old").write_bytes(old)
    (place / "new").write_bytes(new)
    words = ["git", "diff", "--no-index", "-U0", "--", "old", "new"]
    return parse_hunks(subprocess.run(words, cwd=place, env=ENVIRONMENT, capture_output=True, check=False).stdout)


@settings(max_examples=60, deadline=None)
@given(FILES, EDITS, st.booleans())
def test_hunks_are_those_of_git(tmp_path_factory: pytest.TempPathFactory, raw: bytes, edits: Edits, cut: bool) -> None:
    """Comparing numbers in place of lines gives the hunks that `git diff -U0` gives for the texts."""
    place = tmp_path_factory.mktemp("hunks")
    new = edited(raw, edits)[: -1 if cut else None]
    assert line_hunks(lines_of(raw), lines_of(new)) == git_hunks(raw, new, place)


def test_hunks_of_real_looking_code_are_those_of_git(tmp_path: Path) -> None:
    """The same for larger files with indentation, seeded."""
    chance = random.Random(7)
    rows = [b" " * (4 * (n % 4)) + b"call_%d(value)\n" % (n % 17) for n in range(400)]
    for _ in range(12):
        new = list(rows)
        for _ in range(chance.randrange(1, 12)):
            at = chance.randrange(len(new))
            new[at : at + chance.randrange(4)] = [chance.choice(rows) for _ in range(chance.randrange(4))]
        old, now = b"".join(rows), b"".join(new)
        assert line_hunks(lines_of(old), lines_of(now)) == git_hunks(old, now, tmp_path)


@settings(max_examples=150, deadline=None)
@given(FILES.filter(bool), EDITS, st.data())
def test_unchanged_and_moved_lines_have_the_same_bytes(raw: bytes, edits: Edits, data: st.DataObject) -> None:
    """For any edit and range: unchanged and moved are byte-identical at the lines named; changed scores below 1."""
    old, new = lines_of(raw), lines_of(edited(raw, edits))
    first = data.draw(st.integers(1, len(old)))
    last = data.draw(st.integers(first, len(old)))
    found = locate(old, new, (first, last), line_hunks(old, new))
    if found.state in ("unchanged", "moved"):
        assert found.lines is not None
        assert new.block(*found.lines) == old.block(first, last)
        assert (found.lines == (first, last)) == (found.state == "unchanged")
    elif found.state == "changed":
        assert found.lines is not None
        assert found.overlap is not None
        assert 1 <= found.lines[0] <= found.lines[1] <= len(new)
        assert 0.5 <= found.overlap < 1
    else:
        assert (found.state, found.lines) == ("deleted", None)


@settings(max_examples=60, deadline=None)
@given(FILES.filter(bool), EDITS, st.data())
def test_what_git_left_alone_maps_to_where_git_has_it(raw: bytes, edits: Edits, data: st.DataObject) -> None:
    """A line in no hunk is found at its own new number, counted by the lines of the hunks before it."""
    old, new = lines_of(raw), lines_of(edited(raw, edits))
    hunks = line_hunks(old, new)
    assert hunks is not None
    line = data.draw(st.integers(1, len(old)))
    if any(hunk.old <= line < hunk.old + hunk.old_count for hunk in hunks):
        return
    shift = sum(hunk.new_count - hunk.old_count for hunk in hunks if hunk.old + (not hunk.old_count) <= line)
    assert locate(old, new, (line, line), hunks).lines == (line + shift, line + shift)


@pytest.mark.parametrize(
    ("hunk", "lines", "now"),
    [
        ("@@ -3,0 +4,2 @@", (1, 3), (1, 3)),
        ("@@ -3,0 +4,2 @@", (4, 5), (6, 7)),
        ("@@ -3,0 +4,2 @@", (3, 4), None),
        ("@@ -0,0 +1 @@", (1, 1), (2, 2)),
        ("@@ -2 +2,3 @@", (3, 4), (5, 6)),
        ("@@ -2 +2,3 @@", (1, 2), None),
        ("@@ -2,2 +1,0 @@", (4, 4), (2, 2)),
        ("@@ -2,2 +1,0 @@", (1, 1), (1, 1)),
    ],
)
def test_an_insertion_stands_behind_the_line_that_its_hunk_names(
    hunk: str, lines: tuple[int, int], now: tuple[int, int] | None
) -> None:
    """`-3,0` is between lines 3 and 4: it moves line 4, leaves line 3 alone, and touches 3-4."""
    assert mapped(parse_hunks(hunk.encode()), lines) == now


OLD = b"".join(b"line number %d of the old text\n" % n for n in range(1, 11))


def test_a_block_that_was_cut_and_pasted_is_moved() -> None:
    """Lines that stand exactly once elsewhere, byte for byte, are found though a hunk touches them."""
    rows = OLD.splitlines(keepends=True)
    new = b"".join([*rows[4:], *rows[:4]])
    found = locate(lines_of(OLD), lines_of(new), (2, 3), line_hunks(lines_of(OLD), lines_of(new)))
    assert (found.state, found.lines) == ("moved", (8, 9))


def test_a_block_that_stood_twice_is_not_taken_for_its_twin() -> None:
    """A deleted block is not found in a copy of it that was always there."""
    old = OLD + b"gap\n" + OLD
    found = locate(lines_of(old), lines_of(OLD), (12, 21), line_hunks(lines_of(old), lines_of(OLD)))
    assert found.state != "moved"


def test_a_brace_elsewhere_proves_nothing() -> None:
    """A line with too few letters is not looked for."""
    old, new = b"f() {\nx\n}\n", b"g() {\n}\ny\n"
    assert locate(lines_of(old), lines_of(new), (3, 3), ()).state != "unchanged"


def test_an_edited_line_is_changed_with_a_score_and_a_rewritten_one_deleted() -> None:
    """The score tells how much is the same; what has too little in common is not offered."""
    old = lines_of(OLD)
    for new_line, state in ((b"line number 5 of the new text\n", "changed"), (b"zzz\n", "deleted"), (b"", "deleted")):
        new = lines_of(OLD.replace(b"line number 5 of the old text\n", new_line))
        found = locate(old, new, (5, 5), line_hunks(old, new))
        assert found.state == state
    new = lines_of(OLD.replace(b"number 5 of the old", b"number 5 of the new"))
    assert locate(old, new, (4, 6), line_hunks(old, new)).lines == (4, 6)


def test_without_hunks_a_block_is_still_found() -> None:
    """Where git cannot compare, the exact block decides."""
    found = locate(lines_of(OLD), lines_of(b"new first line\n" + OLD), (2, 4), None)
    assert (found.state, found.lines) == ("moved", (3, 5))


def test_utf_16_is_compared_by_its_own_lines() -> None:
    """A code unit that holds a byte 0x0A ends no line."""
    old = "\ufeffone\nt\u010awo\nthree and more\n".encode("utf-16-le")
    new = "\ufeffnew\none\nt\u010awo\nthree and more\n".encode("utf-16-le")
    hunks = line_hunks(lines_of(old), lines_of(new))
    assert locate(lines_of(old), lines_of(new), (2, 3), hunks) == ("moved", (3, 4), None)
