"""Names in backticks beside a pointer: a quote where the lines have them, else what the lines are about."""

from pathlib import Path

import pytest

from budgeted_reads.evidence.citations import find
from budgeted_reads.node import Node
from repos import make_repo

P = "a.md@62c8312c14e0#L3"
CODE = b"class Node:\n    def read_text(self):\n        return self.every_word\n"


@pytest.mark.parametrize(
    ("said", "is_name"),
    [
        ("`budgeted_reads.node`", True),
        ("`Node.read_text()`", True),
        ("`std::vector::push_back`", True),
        ("`--no-optional-locks`", True),
        ("`docs/guide/checking.md`", True),
        ('"budgeted_reads.node"', False),
        ("`return a_long_name`", False),
        ("`read_text(path, n)`", False),
        ("`MAX_SIZE=100000`", False),
        ("`1000000000000`", False),
        ("`v1.2.3-beta.14`", False),
        ("`これは引用された長い文章です`", False),
    ],
)
def test_a_name_in_backticks_is_told_from_a_passage(said: str, is_name: bool) -> None:
    """Only what has the form of a name, in backticks, is one; it is a quote all the same, for the lines to decide."""
    (one,) = find(f"See {said} ({P}).")
    assert one.quotes == (said[1:-1],)
    assert one.name == (said[1:-1] if is_name else None)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("`self.every_word` (code.py@{}#L3)", "verified"),
        ("`Node.read_text` (code.py@{}#L2)", "exists"),
        ("`Node.read_text()` code.py@{}#L2", "exists"),
        ("“Node.read_text” (code.py@{}#L2)", "quote_mismatch"),
        ("`return Node.read_text` (code.py@{}#L2)", "quote_mismatch"),
        ("`Node.read_text`, code.py@{}#L2:\n\n```\ndef read_text(self):\n```", "verified"),
        ("`Node.read_text`, code.py@{}#L2:\n\n```\ndef read_text(other):\n```", "quote_mismatch"),
    ],
)
def test_a_name_need_not_stand_in_the_lines(tmp_path: Path, text: str, word: str) -> None:
    """A name that is not there fails nothing; passages do, and so does a block that a name's pointer introduces."""
    (one,) = make_repo(tmp_path / "r", [{b"code.py": CODE}])
    with Node.open(tmp_path / "r") as node:
        (row,) = node.verify(text=text.format(one)).results
    assert row.verification == word
