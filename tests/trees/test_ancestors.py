"""Who descends from whom, asked of many commits while the history is walked once."""

import os
from pathlib import Path

from budgeted_reads.trees.ancestors import Ancestors
from budgeted_reads.trees.objects import Objects
from repos import commit, git, make_repo


def engine(place: Path) -> Objects:
    """An engine over the repository at PLACE."""
    return Objects(str(place / ".git" / "objects"), 40)


def dated(place: Path, year: int) -> str:
    """One commit more, made in that YEAR."""
    date = f"{year}-05-05T00:00:00+0000"
    git(place, "commit", "-q", "--allow-empty", "-m", str(year), GIT_AUTHOR_DATE=date, GIT_COMMITTER_DATE=date)
    return git(place, "rev-parse", "HEAD")


def test_it_says_what_merge_base_says(tmp_path: Path) -> None:
    """Ancestors, side branches and histories of their own are told apart, in whatever order they are asked for."""
    ids = make_repo(tmp_path, [{b"a": b"%d\n" % n} for n in range(6)])
    git(tmp_path, "checkout", "-q", "-b", "side", ids[2])
    side = commit(tmp_path, {b"a": b"side\n"}, 9)
    git(tmp_path, "checkout", "-q", "--orphan", "other")
    other = commit(tmp_path, {b"a": b"other\n"}, 9)
    objects = engine(tmp_path)
    for order in (ids, ids[::-1], [side, *ids, other], [other, side, *ids[::-1]]):
        ancestors = Ancestors(objects, ids[-1])
        assert [ancestors.related(id) for id in order] == [id != other for id in order]
        ancestors.close()
    objects.close()


def test_clocks_that_were_wrong_change_nothing(tmp_path: Path) -> None:
    """A commit far newer or older than its children is still found."""
    make_repo(tmp_path)
    ids = [dated(tmp_path, year) for year in (2020, 2035, 1999, 2010, 2024)]
    objects = engine(tmp_path)
    for id in ids:
        ancestors = Ancestors(objects, ids[-1])
        assert ancestors.related(id)
        ancestors.close()
    objects.close()


def test_a_history_that_is_not_all_here_tells_nothing(tmp_path: Path) -> None:
    """Where a parent is missing nobody can tell, and that is what it says."""
    ids = make_repo(tmp_path, [{b"a": b"1\n"}, {b"a": b"2\n"}, {b"a": b"3\n"}])
    git(tmp_path, "checkout", "-q", "--orphan", "other")
    other = commit(tmp_path, {b"a": b"other\n"}, 9)
    os.unlink(tmp_path / ".git" / "objects" / ids[0][:2] / ids[0][2:])
    objects = engine(tmp_path)
    ancestors = Ancestors(objects, ids[-1])
    assert ancestors.related(ids[-1])
    assert ancestors.related(ids[1]) is None
    assert ancestors.related(other) is None
    ancestors.close()
    objects.close()


def test_the_walk_goes_no_further_than_the_questions(tmp_path: Path) -> None:
    """A question for a new commit reads little of a long history, and closing leaves no child."""
    make_repo(tmp_path)
    who = b"committer Writer <writer@example.invalid> %d +0000\ndata 0\n"
    rows = [b"commit refs/heads/main\nmark :%d\n" % n + who % (n * 86_400) for n in range(1, 9001)]
    git(tmp_path, "fast-import", "--quiet", feed=b"\n".join(rows))
    ids = git(tmp_path, "rev-list", "-2", "refs/heads/main").split()
    objects = engine(tmp_path)
    ancestors = Ancestors(objects, ids[0])
    assert ancestors.related(ids[1])
    assert 2 <= len(ancestors._seen) < 5000
    child = ancestors._child
    assert child is not None
    ancestors.close()
    assert child.pid == 0
    objects.close()
