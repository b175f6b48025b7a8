"""Changes of real repositories: what is said of each file, which revisions are taken, and what is refused."""

import os
from pathlib import Path
from typing import Any

import pytest

from budgeted_reads import Node
from budgeted_reads.changes.answer import DiffAnswer
from budgeted_reads.errors import AmbiguousCommit, CommitUnknown, InvalidRequest, NotFound, ReadError
from budgeted_reads.trees import present
from repos import Change, Link, commit, git, make_repo, write

LINES = [b"line %d of the log\n" % number for number in range(1, 41)]
TEXT = b"".join(LINES)


def edited(number: int, line: bytes) -> bytes:
    """TEXT with another line in the place of that NUMBER."""
    return b"".join([*LINES[: number - 1], line, *LINES[number:]])


def body_of(answer: DiffAnswer) -> dict[str, Any]:
    """The JSON body."""
    return dict(answer.to_dict())


def changed(place: Path, old: Change, new: Change, **fields: Any) -> dict[str, Any]:
    """The answer to what changed between two commits that hold OLD and then NEW."""
    ids = make_repo(place, [old, new])
    with Node.open(place, tree="demo") as node:
        return body_of(node.diff(*ids, **fields))


def only(body: dict[str, Any]) -> dict[str, Any]:
    """The one file of an answer."""
    (row,) = body["files"]
    return dict(row)


def test_a_small_change_is_its_patch_with_pointers_on_both_sides(tmp_path: Path) -> None:
    """Lines on both sides, pointers that dereference to exactly these lines, and hashes that hold."""
    ids = make_repo(tmp_path / "r", [{b"log.txt": TEXT}, {b"log.txt": edited(20, b"another\n")}])
    with Node.open(tmp_path / "r", tree="demo") as node:
        body = body_of(node.diff(*ids))
        assert body["view"] == "patch"
        assert body["content"].startswith("--- a/log.txt\n+++ b/log.txt\n@@ -17,7 +17,7 @@\n line 17")
        (hunk,) = only(body)["hunks"]
        assert hunk["old"]["lines"] == hunk["new"]["lines"] == (20, 20)
        assert node.dereference(hunk["old"]["pointer"]).content.content == "line 20 of the log\n"
        assert node.dereference(hunk["new"]["pointer"]).content.content == "another\n"
        assert len(body["evidence"]) == 2
        for row in body["evidence"]:
            assert node.dereference(row["pointer"], sha256=row["sha256"]).verification == "verified"


@pytest.mark.parametrize(
    ("old", "new", "status", "word"),
    [
        ({b"a": b"x\n"}, {b"a": b"x\r\n"}, "modified", "line ends only LF -> CRLF"),
        ({b"a": b"x\r\ny\r\n"}, {b"a": b"x\ny\n"}, "modified", "line ends only CRLF -> LF"),
        ({b"a": b"if x:\n  y\n"}, {b"a": b"if x:\n    y\n"}, "modified", "white space only"),
        ({b"a": b"x\ny\n"}, {b"a": b"x\ny"}, "modified", "final newline only"),
        ({b"a": b"\0one"}, {b"a": b"\0two!"}, "modified", "binary 4 -> 5 bytes"),
        ({b"k": b"k\n"}, {b"a": b"\0\1"}, "added", "binary 2 bytes"),
        ({b"a": Link(b"one")}, {b"b": b"x\n"}, "added", None),
        ({b"k": b"k\n"}, {b"a": Link(b"k")}, "added", "link"),
    ],
)
def test_what_lines_do_not_say_is_said_in_words(
    tmp_path: Path, old: Change, new: Change, status: str, word: str | None
) -> None:
    """Line ends, white space, binaries and links are named as what they are."""
    row = only(changed(tmp_path / "r", old, new))
    assert row["status"] == status
    assert row["words"] == ((word,) if word else ())


def test_utf_16_is_compared_by_its_lines(tmp_path: Path) -> None:
    """Git takes it for binary; its lines are those of a read, and their pointers give their exact bytes."""
    ids = make_repo(
        tmp_path / "r",
        [{b"a.txt": "one\ntwo\nthree\n".encode("utf-16")}, {b"a.txt": "one\n2\nthree\n".encode("utf-16")}],
    )
    with Node.open(tmp_path / "r", tree="demo") as node:
        row = only(body_of(node.diff(*ids)))
        assert (row["added"], row["removed"], row["binary"], row["words"]) == (1, 1, False, ("utf-16-le",))
        assert "-two\n+2\n" in node.diff(*ids).content
        (hunk,) = row["hunks"]
        assert node.dereference(hunk["new"]["pointer"]).content.content == "2\n"
        assert node.read("a.txt", since=ids[0], lines="1-1").view == "unchanged"


def test_a_mode_a_link_and_a_submodule_are_told_in_words(tmp_path: Path) -> None:
    """A change of mode, a file that becomes a link, another commit of a submodule."""
    place = tmp_path / "r"
    (first,) = make_repo(place, [{b"run.sh": b"echo\n", b"turns": b"a\n"}])
    git(place, "update-index", "--add", "--cacheinfo", f"160000,{first},sub")
    git(place, "commit", "-q", "-m", "sub")
    (place / "turns").unlink()
    os.symlink("run.sh", place / "turns")
    git(place, "update-index", "--chmod=+x", "run.sh")
    git(place, "update-index", "--cacheinfo", f"160000,{'5' * 40},sub")
    git(place, "add", "turns")
    git(place, "commit", "-q", "-m", "two")
    with Node.open(place, tree="demo") as node:
        assert node.diff("HEAD", "HEAD").files == ()
        old = git(place, "rev-parse", "HEAD~1")
        body = body_of(node.diff(old, "HEAD"))
    rows = {row["path"]: row for row in body["files"]}
    assert rows["run.sh"]["words"] == ("mode 100644 -> 100755",)
    assert rows["turns"]["words"] == ("file -> link",)
    assert rows["sub"]["status"] == "submodule"
    assert rows["sub"]["words"] == (f"submodule {first[:12]} -> 555555555555",)
    assert "new file mode 120000" in body["content"]
    assert "old mode 100644\nnew mode 100755" in body["content"]


def test_an_lfs_pointer_is_told_by_the_sizes_of_its_files(tmp_path: Path) -> None:
    """What changed is the large file, not the three lines of its pointer."""

    def pointer(size: int) -> bytes:
        return b"version https://git-lfs.github.com/spec/v1\noid sha256:%064d\nsize %d\n" % (size, size)

    row = only(changed(tmp_path / "r", {b"a.bin": pointer(120)}, {b"a.bin": pointer(3000)}))
    assert row["words"] == ("git-lfs 120 -> 3000 bytes",)


def test_a_renamed_file_costs_its_edit(tmp_path: Path) -> None:
    """A moved file is one row with its old path, asked for by tree or by either path, and its patch is the edit."""
    place = tmp_path / "r"
    ids = make_repo(place, [{b"log.txt": TEXT}, {b"log.txt": None, b"logs/old.txt": edited(20, b"another\n")}])
    with Node.open(place, tree="demo") as node:
        for path in (None, "log.txt", "logs/old.txt", "logs"):
            answer = node.diff(*ids, path=path)
            (row,) = answer.files
            assert (row.path, row.old_path, row.status) == ("logs/old.txt", "log.txt", "renamed")
            assert (row.added, row.removed) == (1, 1)
            assert answer.tokens < 200


def test_empty_files_are_never_paired(tmp_path: Path) -> None:
    """An empty file that goes and another that comes are two files."""
    rows = changed(tmp_path / "r", {b"old": b"", b"k": b"k"}, {b"old": None, b"new": b""})["files"]
    assert [(row["path"], row["status"]) for row in rows] == [("new", "added"), ("old", "deleted")]


def test_a_file_that_becomes_a_folder_is_both(tmp_path: Path) -> None:
    """The file goes, what stands in the folder comes; asking for the path gives both."""
    place = tmp_path / "r"
    make_repo(place, [{b"a": b"one\ntwo\n"}])
    (place / "a").unlink()
    commit(place, {b"a/b": b"something else\n"}, 2)
    with Node.open(place, tree="demo") as node:
        for path in (None, "a"):
            rows = node.diff(git(place, "rev-parse", "HEAD~1"), "HEAD", path=path).files
            assert [(row.path, row.status) for row in rows] == [("a", "deleted"), ("a/b", "added")]


def test_histories_that_share_nothing_are_compared_by_their_files(tmp_path: Path) -> None:
    """Two roots have no common commit; their trees differ as any two do."""
    place = tmp_path / "r"
    (first,) = make_repo(place, [{b"a": b"one\n"}])
    git(place, "checkout", "-q", "--orphan", "other")
    second = commit(place, {b"b": b"two\n"}, 2)
    with Node.open(place, tree="demo") as node:
        assert [row.path for row in node.diff(first, second).files] == ["b"]


@pytest.mark.parametrize(
    "name", [b"a b.txt", b"tab\there", b"line\nfeed", b'quo"te', b"back\\slash", b"\xff\xfe", b"\xc3\xa9"]
)
def test_any_name_comes_back(tmp_path: Path, name: bytes) -> None:
    """Names with spaces, controls, quotes or bytes that are no UTF-8 are told apart and counted."""
    old = {name: b"one\n", b"plain": b"x\n"}
    row = only(changed(tmp_path / "r", old, {name: b"two\n"}))
    assert (row["added"], row["removed"]) == (1, 1)
    assert row["hunks"]


def test_the_tree_as_it_is_now_is_compared_with_what_is_not_committed(tmp_path: Path) -> None:
    """Edits, new files and deleted ones count, ignored ones do not; nothing is written into the repository."""
    place = tmp_path / "r"
    make_repo(place, [{b"a.txt": TEXT, b"gone.txt": b"x\n", b".gitignore": b"*.o\n"}])
    write(place, {b"a.txt": edited(3, b"now\n"), b"new/b.txt": b"b\n", b"x.o": b"o\n", b"gone.txt": None})
    before = sorted(os.walk(place / ".git"))
    with Node.open(place, tree="demo") as node:
        body = body_of(node.diff("HEAD"))
        rows = {row["path"]: row for row in body["files"]}
        assert {path: row["status"] for path, row in rows.items()} == {
            "a.txt": "modified",
            "gone.txt": "deleted",
            "new/b.txt": "added",
        }
        assert body["commit"] is None
        assert body["snapshot"]["dirty"] is True
        (hunk,) = rows["a.txt"]["hunks"]
        assert node.dereference(hunk["new"]["pointer"]).content.content == "now\n"
        assert [row.path for row in node.diff("HEAD", path="new").files] == ["new/b.txt"]
        assert [row.path for row in node.diff("HEAD", path="a.txt").files] == ["a.txt"]
        assert "dirty" in node.changes({"from": "HEAD"}, text=True).text.partition("\n")[0]
    assert sorted(os.walk(place / ".git")) == before


def test_a_clean_tree_is_unchanged_and_named_by_its_commit(tmp_path: Path) -> None:
    """Where the disk is what HEAD has, the answer is about that commit; checked out line ends are no change."""
    place = tmp_path / "r"
    (head,) = make_repo(place, [{b"a.txt": TEXT}])
    write(place, {b"a.txt": TEXT.replace(b"\n", b"\r\n")})
    with Node.open(place, tree="demo") as node:
        answer = node.diff(head)
        assert (answer.view, answer.files, answer.content) == ("unchanged", (), "unchanged\n")
        text = node.changes({"from": head}, text=True).text
        assert text.startswith(f"unchanged demo@{head[:12]} ")


def test_a_snapshot_speaks_only_of_its_paths(tmp_path: Path) -> None:
    """Compared with a snapshot of one file, other files are not said to be gone, and the answer says so."""
    place = tmp_path / "r"
    make_repo(place, [{b"a.txt": TEXT, b"b.txt": b"b\n"}])
    write(place, {b"a.txt": edited(3, b"first\n")})
    with Node.open(place, tree="demo") as node:
        taken = node.read("a.txt").commit
        assert taken is not None
        write(place, {b"a.txt": edited(3, b"second\n"), b"b.txt": b"other\n"})
        for new in (None, "HEAD"):
            answer = node.diff(taken, new)
            assert [(row.path, row.status) for row in answer.files] == [("a.txt", "modified")]
            assert "snapshot_only" in [warned.code for warned in answer.warnings]


def test_a_plain_folder_is_compared_with_its_snapshots(tmp_path: Path) -> None:
    """A folder without a repository has what was served as its past."""
    place = tmp_path / "plain"
    write(place, {b"a.txt": TEXT})
    with Node.open(place, tree="demo") as node:
        taken = node.read("a.txt").commit
        assert taken is not None
        assert node.diff(taken).view == "unchanged"
        write(place, {b"a.txt": edited(3, b"second\n")})
        body = body_of(node.diff(taken))
        assert only(body)["hunks"][0]["new"]["lines"] == (3, 3)
        with pytest.raises(CommitUnknown):
            node.diff("0" * 40)


def test_of_secret_files_only_counts_are_shown(tmp_path: Path) -> None:
    """Neither a committed nor a dirty change shows a line of a secret file; it is counted all the same."""
    place = tmp_path / "r"
    ids = make_repo(place, [{b".env": b"A=one1\nB=two2\n"}, {b".env": b"A=three3\nB=two2\n"}])
    write(place, {b".env": b"A=four4\nB=two2\nC=five5\n"})
    with Node.open(place, tree="demo") as node:
        for new, counts in ((ids[1], (1, 1)), (None, (2, 1))):
            for text in (False, True):
                answer = node.changes({"from": ids[0], "to": new}, text=text)
                shown = answer.text if text else repr(answer.to_dict())
                assert not any(word in shown for word in ("one1", "two2", "three3", "four4", "five5"))
                assert "secret_file" in shown
            (row,) = node.diff(ids[0], new).files
            assert (row.added, row.removed) == counts


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"from": "HEAD~1"}, InvalidRequest),
        ({"from": "--output=x"}, InvalidRequest),
        ({"from": "HEAD", "to": "--ext-diff"}, InvalidRequest),
        ({"from": "nobody"}, CommitUnknown),
        ({"from": "f" * 40}, CommitUnknown),
        ({"from": ""}, InvalidRequest),
        ({}, InvalidRequest),
        ({"from": 3}, InvalidRequest),
        ({"from": "HEAD", "view": "patch"}, InvalidRequest),
        ({"from": "HEAD", "budget_tokens": 0}, InvalidRequest),
        ({"from": "HEAD", "tokenizer": "none"}, InvalidRequest),
        ({"from": "HEAD", "path": "never.txt"}, NotFound),
        ({"from": "HEAD", "path": "../x"}, ReadError),
        ({"from": "HEAD", "path": ".git/config"}, ReadError),
        ({"from": "HEAD", "path": "/other/x"}, ReadError),
    ],
)
def test_what_cannot_be_answered_is_refused_by_its_own_code(
    tmp_path: Path, fields: dict[str, object], error: type[ReadError]
) -> None:
    """Operators, options, unknown commits and fields, and paths that never were are errors that say so."""
    make_repo(tmp_path / "r", [{b"a": b"x\n"}])
    with Node.open(tmp_path / "r", tree="demo") as node, pytest.raises(error):
        node.changes(fields)


def test_a_range_in_one_field_is_refused_with_both_ends(tmp_path: Path) -> None:
    """`a..b` gets the hint to give both apart."""
    make_repo(tmp_path / "r", [{b"a": b"x\n"}])
    with Node.open(tmp_path / "r", tree="demo") as node:
        for text in ("v1..v2", "v1...v2"):
            with pytest.raises(InvalidRequest) as caught:
                node.diff(text)
            assert caught.value.hint == 'give them apart: from "v1", to "v2"'


def test_a_deleted_path_is_answered_and_one_that_never_was_is_not(tmp_path: Path) -> None:
    """A path that stands on one side is a change, on both sides unchanged or changed, on neither an error."""
    place = tmp_path / "r"
    ids = make_repo(place, [{b"gone": b"x\n", b"kept": b"k\n"}, {b"gone": None}])
    with Node.open(place, tree="demo") as node:
        assert [row.status for row in node.diff(*ids, path="gone").files] == ["deleted"]
        assert [row.status for row in node.diff(*reversed(ids), path="gone").files] == ["added"]
        assert node.diff(*ids, path="kept").view == "unchanged"
        with pytest.raises(NotFound):
            node.diff(*ids, path="never")


def test_a_name_that_fits_two_commits_is_ambiguous(tmp_path: Path) -> None:
    """A branch and a tag of one name that stand for different commits are told, with both commits."""
    place = tmp_path / "r"
    ids = make_repo(place, [{b"a": b"x\n"}, {b"a": b"y\n"}])
    git(place, "branch", "twice", ids[0])
    git(place, "tag", "twice", ids[1])
    with Node.open(place, tree="demo") as node, pytest.raises(AmbiguousCommit):
        node.diff("twice")


def test_a_shallow_clone_says_that_its_past_is_missing(tmp_path: Path) -> None:
    """The parent that the clone left out is unknown, for the reason that the clone is shallow."""
    ids = make_repo(tmp_path / "far", [{b"a": b"x\n"}, {b"a": b"y\n"}])
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{tmp_path / 'far'}", "near")
    with Node.open(tmp_path / "near", tree="demo") as node:
        with pytest.raises(CommitUnknown) as caught:
            node.diff(ids[0])
        assert caught.value.members["reason"] == "shallow"
        assert node.diff(ids[1]).view == "unchanged"


def test_a_configured_driver_of_the_served_repository_never_runs(tmp_path: Path) -> None:
    """Attributes, external diffs and text conversions of the repository have no say."""
    place = tmp_path / "r"
    make_repo(place, [{b"a.txt": b"one\n", b".gitattributes": b"*.txt diff=evil -text\n"}])
    second = commit(place, {b"a.txt": b"two\n"}, 2)
    for key in ("diff.external", "diff.evil.command", "diff.evil.textconv"):
        git(place, "config", key, f"touch {tmp_path}/pwned; cat")
    write(place, {b"a.txt": b"three\n"})
    with Node.open(place, tree="demo") as node:
        assert "-one\n+three\n" in node.diff(git(place, "rev-parse", "HEAD~1")).content
        assert "-one\n+two\n" in node.diff(git(place, "rev-parse", "HEAD~1"), second).content
    assert not (tmp_path / "pwned").exists()


def test_what_could_not_be_compared_is_not_unchanged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the only file that differs is too large to be compared, nothing is called unchanged, and it is named."""
    make_repo(tmp_path, [{b"a": b"1\n"}])
    (tmp_path / "a").write_bytes(b"2\n" * 100)
    monkeypatch.setattr(present, "MAX_BYTES", 50)
    with Node.open(tmp_path) as node:
        told = node.diff("HEAD")
        assert (told.view, [warned.code for warned in told.warnings]) == ("count", ["not_compared"])
        assert "unchanged" not in node.changes({"from": "HEAD"}, text=True).text
