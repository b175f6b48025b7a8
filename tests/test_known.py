"""A node that has checked pointers before answers as one that never did, only sooner."""

import random
from pathlib import Path

import pytest

from budgeted_reads.evidence.checked import Checked
from budgeted_reads.known import Known
from budgeted_reads.node import Node
from budgeted_reads.trees import git as children
from repos import commit, git, make_repo, write


def rows(node: Node, pointers: list[str]) -> tuple[Checked, ...]:
    """The rows of POINTERS."""
    return node.verify(pointers).results


def text(chance: random.Random, size: int = 60) -> list[bytes]:
    """So many lines, most of them unlike the others."""
    return [b"}\n" if n % 7 == 0 else b"    value_%d = compute(%d)\n" % (chance.randrange(999), n) for n in range(size)]


def test_a_warm_node_sees_every_change(tmp_path: Path) -> None:
    """After edits, commits, renames, deletions and another HEAD, the rows are those of a node that is new."""
    chance = random.Random(8)
    place = tmp_path / "r"
    files = {b"f%d.py" % n: text(chance) for n in range(5)}
    ids = make_repo(place, [{name: b"".join(lines) for name, lines in files.items()}])
    with Node.open(place) as warm:
        for step in range(16):
            name = chance.choice(sorted(one for one in files if (place / one.decode()).exists()))
            lines = files[name]
            kind = step % 4
            if kind == 0:
                lines[chance.randrange(9) : chance.randrange(9, 12)] = text(chance, 5)
                write(place, {name: b"".join(lines)})
            elif kind == 1:
                ids.append(commit(place, {}, step + 2))
            elif kind == 2:
                other = b"d/g%d.py" % step
                files[other] = [*files.pop(name), b"one line more\n"]
                ids.append(commit(place, {name: None, other: b"".join(files[other])}, step + 2))
            else:
                git(place, "checkout", "-q", "-f", "--detach", chance.choice(ids))
            names = sorted({b"f%d.py" % n for n in range(5)} | set(files))
            pointers = [f"{one.decode()}@{id}#L{n}-L{n + 3}" for id in ids for one in names for n in (1, 9, 30)]
            with Node.open(place) as fresh:
                assert rows(warm, pointers) == rows(fresh, pointers)


def test_what_is_known_is_not_asked_of_git_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of pointers that were checked before, a check starts no git: that which reads objects to hash them runs on."""
    place = tmp_path / "r"
    chance = random.Random(2)
    gone, kept = b"".join(text(chance)), b"".join(text(chance))
    one, _ = make_repo(
        place, [{b"a.py": gone, b"b.py": kept, b"c.py": kept + b"#\n"}, {b"a.py": None, b"b.py": b"#\n" + kept}]
    )
    pointers = [f"{name}.py@{one}#L{n}" for name in "abc" for n in (2, 20)]
    started: list[tuple[str, ...]] = []

    class Child(children.Child):
        __slots__ = ()

        def __init__(self, repository: str, *arguments: str, extra: dict[str, str] | None = None) -> None:
            started.append(arguments)
            super().__init__(repository, *arguments, extra=extra)

    with Node.open(place, snapshots=False) as node:
        first = rows(node, pointers)
        assert {row.drift for row in first} == {"deleted", "moved", "unchanged"}
        for module in ("git", "objects", "ancestors"):
            monkeypatch.setattr(f"budgeted_reads.trees.{module}.Child", Child)
        assert rows(node, pointers) == first
    assert started == []


def test_more_history_changes_what_is_related(tmp_path: Path) -> None:
    """That a commit has nothing in common with HEAD is found out each time: the next fetch may tell otherwise."""
    place = tmp_path / "r"
    (one,) = make_repo(place, [{b"a": b"some text of the file\n"}])
    git(place, "checkout", "-q", "--orphan", "other")
    git(place, "rm", "-q", "-rf", ".")
    commit(place, {b"z": b"z\n"}, 2)
    with Node.open(place) as node:
        assert rows(node, [f"a@{one}#L1"])[0].drift == "unrelated_history"
        git(place, "merge", "-q", "-s", "ours", "--allow-unrelated-histories", "-m", "both", one)
        assert rows(node, [f"a@{one}#L1"])[0].drift == "deleted"


def test_a_shallow_clone_claims_no_history_of_its_own(tmp_path: Path) -> None:
    """At the edge of a shallow clone nobody can tell who is related, so what is gone is `deleted`."""
    make_repo(tmp_path / "r", [{b"z": b"z\n"}, {b"a": b"some text of the file\n"}, {b"a": None}])
    git(tmp_path, "clone", "-q", "--depth=2", f"file://{tmp_path}/r", "clone")
    edge = git(tmp_path / "clone", "rev-parse", "HEAD~1")
    with Node.open(tmp_path / "clone") as node:
        assert rows(node, [f"a@{edge}#L1"])[0].drift == "deleted"


def test_what_is_known_stays_small() -> None:
    """Old values make room for new ones, and what is large is not kept at all."""
    known = Known()
    for n in range(40):
        known.put(("hunks", str(n)), n, 1 << 20)
    assert known.get(("hunks", "39")) == 39
    assert known.get(("hunks", "0")) is None
    known.put(("hunks", "large"), 1, 1 << 30)
    assert known.get(("hunks", "large")) is None
    raw = b"line\n" * (1 << 20)
    assert known.decoded("id", raw).text is not known.decoded("id", raw).text
    assert known.decoded("id", b"x\n").text is known.decoded("id", b"x\n").text
