"""Which commits somebody else keeps too: told of many with few questions, in whatever order they come."""

import random
from pathlib import Path

import pytest

from budgeted_reads.trees.gitdir import GitFolder
from budgeted_reads.trees.objects import Objects
from budgeted_reads.trees.reach import Reach
from repos import commit, git, make_repo


def opened(place: Path) -> tuple[Reach, Objects]:
    """The remote branches and tags of the repository at PLACE, and its objects."""
    folder = str(place / ".git")
    return Reach(GitFolder(folder, folder, 40, False, False)), Objects(f"{folder}/objects", 40)


def test_every_order_of_questions_has_the_same_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The newest commits behind a remote branch are reached, up to the limit; what is ahead or beside is not."""
    monkeypatch.setattr("budgeted_reads.trees.reach._COMMITS", 6)
    ids = make_repo(tmp_path, [{b"f": b"%d\n" % n} for n in range(12)])
    git(tmp_path, "update-ref", "refs/remotes/origin/main", ids[9])
    git(tmp_path, "checkout", "-q", "-b", "side", ids[6])
    side = commit(tmp_path, {b"f": b"side\n"}, 8)
    truth = {id: id in ids[4:10] for id in [*ids, side]}
    chance = random.Random(1)
    for _ in range(12):
        order = chance.sample(sorted(truth), len(truth))
        reach, objects = opened(tmp_path)
        assert {id: reach.reached(id, objects) for id in order} == truth
        objects.close()


def test_a_moved_branch_is_seen(tmp_path: Path) -> None:
    """What was reached before a branch was set back is not reached after it."""
    ids = make_repo(tmp_path, [{b"f": b"%d\n" % n} for n in range(6)])
    git(tmp_path, "update-ref", "refs/remotes/origin/main", ids[5])
    reach, objects = opened(tmp_path)
    assert [reach.reached(id, objects) for id in ids] == [True] * 6
    git(tmp_path, "update-ref", "refs/remotes/origin/main", ids[2])
    assert [reach.reached(id, objects) for id in ids] == [True] * 3 + [False] * 3
    objects.close()
