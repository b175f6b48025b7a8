"""Hunks of many pairs of blobs at once: git's own, whatever the bytes are."""

import random
from pathlib import Path

import pytest

from budgeted_reads.evidence.locate import parse_hunks
from budgeted_reads.trees.objects import Objects
from budgeted_reads.trees.pairs import blob_hunks
from repos import git, make_repo

STRANGE = [
    b"",
    b"no end",
    b"no end\n",
    b"diff --git a/00000001 b/00000001\n@@ -1,2 +3,4 @@\n--- a/x\n+++ b/x\n",
    b"\n\n\n}\n\n\n}\n\n",
    b"cr\r\ncr\rcr\r\n",
    b"\0binary\n\xff\xfe\n\0\n",
    b"\\ No newline at end of file\n-\n+\n",
]


def store(place: Path, raws: list[bytes]) -> list[str]:
    """The ids of RAWS, which are written into the repository at PLACE."""
    return [git(place, "hash-object", "-w", "--stdin", "--no-filters", feed=raw) for raw in raws]


@pytest.mark.parametrize(("object_format", "digits"), [("sha1", 40), ("sha256", 64)])
def test_hunks_are_those_of_git(tmp_path: Path, object_format: str, digits: int) -> None:
    """Every pair of strange and of random texts has the hunks of a `git diff -U0` of its own."""
    place = tmp_path / "r"
    make_repo(place, object_format=object_format)
    chance = random.Random(4)
    texts = [
        b"".join(chance.choice([b"a\n", b"    b\n", b"\n", b"}\n", b"c%d\n" % n]) for n in range(30)) for _ in "12345"
    ]
    ids = store(place, [*STRANGE, *texts])
    pairs = [(one, other) for one in ids for other in ids if one != other]
    objects = Objects(str(place / ".git" / "objects"), digits)
    found = blob_hunks(objects, [*pairs, *pairs])
    objects.close()
    assert list(found) == pairs
    for (one, other), hunks in found.items():
        assert hunks == parse_hunks(git(place, "diff", "-U0", "--text", one, other).encode("utf-8", "surrogateescape"))


def test_more_pairs_than_go_into_one_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pairs beyond those of one run are compared in the next."""
    make_repo(tmp_path)
    ids = store(tmp_path, [b"%d\n" % n for n in range(6)])
    monkeypatch.setattr("budgeted_reads.trees.pairs.MOST_PAIRS", 2)
    objects = Objects(str(tmp_path / ".git" / "objects"), 40)
    assert set(blob_hunks(objects, [(ids[0], id) for id in ids[1:]]).values()) == {((1, 1, 1, 1),)}
    objects.close()


def test_a_pair_that_cannot_be_had_is_left_out(tmp_path: Path) -> None:
    """A missing blob is no error: it is not there."""
    make_repo(tmp_path)
    (id,) = store(tmp_path, [b"x\n"])
    objects = Objects(str(tmp_path / ".git" / "objects"), 40)
    assert blob_hunks(objects, [(id, "0" * 39 + "1")]) == {}
    assert blob_hunks(objects, []) == {}
    objects.close()
