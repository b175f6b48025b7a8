"""Where files went, asked of many commits at once: as git finds it for each."""

import random
from pathlib import Path

import pytest

from budgeted_reads.trees import history
from budgeted_reads.trees.catalog import open_tree
from repos import git, make_repo

NAMES = [b"a.py", b"b.py", b"d/c.py", b"new\nline.py", b'quote".py', b"\xff.py"]


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
def test_renames_of_many_commits_are_those_of_each(tmp_path: Path, object_format: str) -> None:
    """Each commit has the renames that `git diff-tree -M` gives for it alone; one that is unknown has None."""
    chance = random.Random(6)
    files = {name: [b"%d of %d\n" % (n, chance.randrange(9**9)) for n in range(40)] for name in NAMES}
    changes: list[dict[bytes, bytes | None]] = [{name: b"".join(lines) for name, lines in files.items()}]
    for step in range(7):
        name = chance.choice(sorted(files))
        lines = files.pop(name)
        lines[chance.randrange(40)] = b"changed\n"
        files[b"moved/%d-" % step + name[-8:]] = lines
        changes.append({name: None, b"moved/%d-" % step + name[-8:]: b"".join(lines)})
    ids = make_repo(tmp_path / "r", changes, object_format=object_format)
    tree = open_tree("r", str(tmp_path / "r"), None)
    unknown = "0" * (len(ids[0]) - 1) + "1"
    found = history.renames(tree, [*ids, unknown, ids[0]], ids[-1])
    for id, renames in zip(ids, found, strict=False):
        told = git(tmp_path / "r", "diff-tree", "-r", "-z", "-M", "--diff-filter=R", "--name-status", id, ids[-1])
        names = told.encode("utf-8", "surrogateescape").split(b"\0")
        assert renames == {names[at + 1]: names[at + 2] for at in range(0, len(names) - 2, 3)}
    assert len(found[0] or ()) >= 4
    assert found[-2:] == [None, found[0]]
    tree.close()


def test_what_is_like_nothing_is_left_out(tmp_path: Path) -> None:
    """Of blobs those are named that share half of their content with one of the others, though several share one."""
    rows = [b"%d is a line of the file\n" % n for n in range(30)]
    ids = make_repo(
        tmp_path / "r",
        [{b"new": b"".join(rows), b"one": b"".join(rows[3:]), b"two": b"".join(rows[:-3]), b"far": b"else\n" * 40}],
    )
    blobs = {name: git(tmp_path / "r", "rev-parse", f"{ids[0]}:{name}") for name in ("new", "one", "two", "far")}
    tree = open_tree("r", str(tmp_path / "r"), None)
    asked = [blobs["one"], blobs["two"], blobs["far"]]
    assert history.alike(tree, asked, [blobs["new"]]) == {blobs["one"], blobs["two"]}
    assert history.alike(tree, asked, []) == set()
    assert history.alike(tree, asked, ["0" * 39 + "1"]) is None
    tree.close()
