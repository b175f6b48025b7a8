"""Diffs: files and hunks with their lines, against diffs that the standard library and git write."""

import difflib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgeted_reads.outline import Outline, outline
from budgeted_reads.text import decode
from outline.checks import check, flat, shown

LINES = st.lists(st.sampled_from(["a", "-- x", "++ y", "@@ -1 +1 @@", "diff --git a/x b/x", "", "--- a", "+++ b"]))


def made(content: str, name: bytes = b"a.diff") -> Outline:
    text = decode(content.encode())
    result = outline(text, name)
    check(text, result)
    return result


@given(st.lists(st.tuples(LINES, LINES), max_size=3), st.integers(0, 3))
def test_files_and_hunks_are_those_that_were_written(changes: list[tuple[list[str], list[str]]], context: int) -> None:
    """Lines that look like headers, inside hunks, are lines of these hunks; every changed line is counted."""
    diffs = [
        list(difflib.unified_diff(old, new, f"a/{index}", f"b/{index}", lineterm="", n=context))
        for index, (old, new) in enumerate(changes)
    ]
    rows = [row for diff in diffs for row in diff]
    result = made("".join(f"{row}\n" for row in rows))
    files = [(str(index), diff) for index, diff in enumerate(diffs) if diff]
    assert [one.title for one in result.entries if one.kind == "file"] == [name for name, _ in files]
    facts = dict(result.facts)
    assert facts["file_count"] == len(files)
    body = [row for diff in diffs for row in diff[2:]]
    wanted = [
        difflib.SequenceMatcher(None, old, new, autojunk=True).get_grouped_opcodes(context) for old, new in changes
    ]
    assert sum(one.kind == "hunk" for one in flat(result.entries)) == sum(len(list(groups)) for groups in wanted)
    assert sum(one.end - one.start + 1 for one in flat(result.entries) if one.kind == "hunk") == len(body)


def test_a_series_of_commits() -> None:
    """What `git log -p` writes: commits around files; the message is not searched for files."""
    content = (
        "commit 1234567890abcdef1234567890abcdef12345678 (HEAD -> main)\nAuthor: A\nDate:   now\n\n    First\n\n"
        "    diff --git is said here\n\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n\n"
        "commit abcdef7\n\n    Second\n"
    )
    assert shown(made(content).entries) == (
        "1-14@5 commit First\n  9-14 file x\n    12-14 hunk @@ -1 +1 @@\n16-18@18 commit Second\n"
    )


@pytest.mark.parametrize(
    ("content", "title", "flags"),
    [
        ("diff --git a/x y b/x y\nold mode 100644\nnew mode 100755\n", "x y", ()),
        ("diff --git a/x b/y\nsimilarity index 90%\nrename from x\nrename to y\n", "y", ("renamed",)),
        ("diff --git a/x b/x\nnew file mode 100644\nindex 0..1\n", "x", ("added",)),
        (
            "diff --git a/x b/x\ndeleted file mode 100644\n--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n",
            "x",
            ("deleted",),
        ),
        ("diff --git a/x b/x\nindex 0..1\nGIT binary patch\nliteral 1\nIcmZ\n\nliteral 0\nHcmV\n", "x", ("binary",)),
        ('diff --git "a/\\303\\251" "b/\\303\\251"\nnew file mode 100644\n', "é", ("added",)),
        ("--- x.txt\t2031-01-01 00:00\n+++ x.txt\t2031-01-02 00:00\n@@ -1 +1 @@\n-a\n+b\n", "x.txt", ()),
        ("Index: src/x.c\n====\n--- src/x.c\t(revision 1)\n+++ src/x.c\t(working copy)\n", "src/x.c", ()),
        ("diff --cc x\nindex 1,2..3\n--- a/x\n+++ b/x\n@@@ -1,1 -1,1 +1,1 @@@\n- a\n -b\n++c\n", "x", ()),
        ("@@ -1 +1 @@\n-a\n+b\n", "?", ()),
    ],
)
def test_a_file_has_its_path_and_what_became_of_it(content: str, title: str, flags: tuple[str, ...]) -> None:
    """In each form of header, the path without its side; the whole of the text is the file's."""
    entry = made(content).entries[0]
    assert (entry.title, entry.flags, entry.end) == (title, flags, content.count("\n"))


def test_a_hunk_that_is_cut_off_ends_where_it_can() -> None:
    """Before blank lines in front of what comes next."""
    ends = [(one.start, one.end) for one in flat(made("diff -u a b\n@@ -1,9 +1,9 @@\n a\n\n\nx\n").entries)]
    assert ends == [(1, 3), (2, 3)]


def test_a_commit_holds_blank_lines_at_the_end_of_a_hunk() -> None:
    """Where a file ends in a blank line, that is a line of its hunk, its file and its commit."""
    content = "commit abcdef7\n\n    A\n\n--- a\n+++ b\n@@ -1 +1,2 @@\n-a\n+b\n\ncommit abcdef8\n"
    assert shown(made(content).entries).startswith("1-10@3 commit A\n  5-10@6 file b\n    7-10 hunk @@")


@pytest.mark.parametrize(
    "opening",
    ["@@ -1 +1 @@\n", "--- a\n+++ b\n", "diff --git a b\n", "@", "From 1234567 \n", "@@@ -1 ", "-", '"', "\\"],
)
def test_hostile_marks_end(opening: str) -> None:
    """Twenty thousand marks give some sound outline."""
    made(opening * 20_000)
