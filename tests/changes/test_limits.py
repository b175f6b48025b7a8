"""What is given up is said: renames among too many files, patches that are too large, files that cannot be read."""

from pathlib import Path

import pytest

from budgeted_reads import Node
from budgeted_reads.errors import TimedOut
from budgeted_reads.trees import compare, present
from repos import make_repo, write

OLD = {b"a%d.txt" % n: b"word %d\n" % n * 20 for n in range(12)}
NEW = {**dict.fromkeys(OLD), **{b"b%d.txt" % n: b"word %d\n" % n * 20 + b"end\n" for n in range(12)}}


def codes(node: Node, old: str, new: str | None = None) -> list[str]:
    """The codes of the warnings of an answer."""
    return [warned.code for warned in node.diff(old, new).warnings]


def test_renames_among_too_many_files_are_not_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Below the limit they are pairs, above it each is two files and a warning says so."""
    ids = make_repo(tmp_path / "r", [OLD, NEW])
    with Node.open(tmp_path / "r", tree="demo") as node:
        assert (codes(node, *ids), node.diff(*ids).file_total) == ([], 12)
        monkeypatch.setattr(compare, "_RENAMES", ("-M", "-l3"))
        monkeypatch.setattr("budgeted_reads.changes.diff.RENAME_LIMIT", 3)
        assert (codes(node, *ids), node.diff(*ids).file_total) == (["renames_given_up"], 24)


def test_renames_that_take_too_long_are_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Past the time for renames the comparison is made without them; past that for all of it, it is `timeout`."""
    ids = make_repo(tmp_path / "r", [OLD, NEW])
    monkeypatch.setattr(compare, "RENAME_SECONDS", 0)
    with Node.open(tmp_path / "r", tree="demo") as node:
        assert (codes(node, *ids), node.diff(*ids).file_total) == (["renames_given_up"], 24)
        monkeypatch.setattr(compare, "SECONDS", 0)
        with pytest.raises(TimedOut):
            node.diff(*ids)


def test_of_a_patch_that_is_too_large_the_files_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every file has its row and its counts, renames are found, and a warning says why there are no lines."""
    ids = make_repo(tmp_path / "r", [OLD, NEW])
    with Node.open(tmp_path / "r", tree="demo") as node:
        before = node.diff(*ids)
        monkeypatch.setattr(compare, "PATCH_BYTES", 100)
        after = node.diff(*ids)
        assert [warned.code for warned in after.warnings] == ["patch_too_large"]
        assert [row[:6] for row in after.files] == [row[:6] for row in before.files]
        assert "@@" not in after.content


def test_a_file_that_is_too_large_to_compare_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is left as it was committed, and a warning names it."""
    make_repo(tmp_path / "r", [{b"big.txt": b"x\n", b"small.txt": b"x\n"}])
    write(tmp_path / "r", {b"big.txt": b"y\n" * 100, b"small.txt": b"y\n"})
    monkeypatch.setattr(present, "MAX_BYTES", 50)
    with Node.open(tmp_path / "r", tree="demo") as node:
        answer = node.diff("HEAD")
        assert [row.path for row in answer.files] == ["small.txt"]
        (warned,) = answer.warnings
        assert warned.code == "not_compared"
        assert "big.txt" in warned.detail
