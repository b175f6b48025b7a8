"""What git printed, as values: whatever the lines hold, none is taken for a header, and all are counted."""

from pathlib import Path

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from budgeted_reads import Node
from budgeted_reads.changes.patch import parse, unquoted
from budgeted_reads.trees.compare import quoted, split_counts
from repos import commit, git, make_repo

lines = st.sampled_from(
    [b"diff --git a/x b/x", b"@@ -1 +1 @@", b"--- a/x", b"+++ b/x", b"-", b"+", b"", b"\\ No newline at end of file",
     b"rename from x", b"one", b"two", b"three", b"  one", b"a\rb", b"\xff\xfe", b"Binary files a/x and b/x differ"]
)  # fmt: skip
contents = st.builds(
    lambda rows, end: b"\n".join(rows) + end, st.lists(lines, max_size=20), st.sampled_from([b"", b"\n"])
)


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(old=contents, new=contents)
@example(old=b"x", new=b"diff --git a/x b/x\n@@ -1 +1 @@")
def test_the_patch_of_any_lines_gives_the_new_file(tmp_path: Path, old: bytes, new: bytes) -> None:
    """Counts are those of `git diff --numstat`, and the patch view, at either context, gives the new file."""
    place = tmp_path / "shared"
    if not place.exists():
        make_repo(place, [{b"k": b"k"}])
    ids = [commit(place, {b"x": side}, 2) for side in (old, new)]
    with Node.open(place, tree="demo", snapshots=False) as node:
        answer = node.diff(*ids, budget_tokens=100_000)
    counts = git(place, "diff", "--histogram", "--numstat", *ids).split()
    if old == new:
        assert answer.view == "unchanged"
        return
    (row,) = answer.files
    assert (row.added, row.removed) == (int(counts[0]), int(counts[1]))
    if answer.content.endswith("utf-16\n"):
        assert row.hunks == ()
    for hunk in row.hunks:
        assert hunk["old"] or hunk["new"]
    try:
        patch = answer.content.encode()
        (old + new).decode()
    except UnicodeDecodeError:
        return
    index = str(tmp_path / "index")
    git(place, "read-tree", ids[0], GIT_INDEX_FILE=index)
    git(place, "apply", "--cached", "--whitespace=nowarn", "-", feed=patch, GIT_INDEX_FILE=index)
    assert git(place, "write-tree", GIT_INDEX_FILE=index) == git(place, "rev-parse", f"{ids[1]}^{{tree}}")


@given(st.binary(min_size=1, max_size=30).filter(lambda name: b"\0" not in name))
def test_quoted_paths_come_back(path: bytes) -> None:
    """Any name survives the way into a list of lines and out of it."""
    assert unquoted(quoted(path)) == path
    assert b"\n" not in quoted(path)


def test_counts_alone_are_those_of_the_patch(tmp_path: Path) -> None:
    """Where a patch is too large to be taken, files and counts are the same without it."""
    change = {b"a": b"1\n2\n", b"dir/b c": b"x\n" * 30, b"bin": b"\0\1", b"gone": b"g\n"}
    new = {
        b"a": b"1\n3\n",
        b"dir/b c": None,
        b"moved": b"x\n" * 30 + b"y\n",
        b"bin": b"\0\2",
        b"gone": None,
        b"new\n": b"n\n",
    }
    ids = make_repo(tmp_path, [change, new])
    raw = ["diff-tree", "-r", "-M", "--raw", "--no-abbrev"]
    whole = parse(git(tmp_path, *raw, "-p", *ids).encode() + b"\n")
    counted = parse(*split_counts(git(tmp_path, *raw, "--numstat", "-z", *ids).encode()))
    assert [(c.path, c.old_path, c.status, c.added, c.removed, c.binary) for c in whole] == [
        (c.path, c.old_path, c.status, c.added, c.removed, c.binary) for c in counted
    ]
