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
        ("diff --git README.md README.md\nold mode 100644\nnew mode 100755\n", "README.md", ()),
        ("diff --git a/x a/x\nnew file mode 100644\n--- /dev/null\n+++ a/x\n@@ -0,0 +1 @@\n+b\n", "a/x", ("added",)),
        ("diff --git i/w/x w/w/x\n--- i/w/x\n+++ w/w/x\n@@ -1 +1 @@\n-a\n+b\n", "w/x", ()),
        ("diff --git c/x c/x\nold mode 100644\nnew mode 100755\n", "c/x", ()),
        ("diff --git lib/x lib/x\n--- lib/x\n+++ lib/x\n@@ -1 +1 @@\n-a\n+b\n", "lib/x", ()),
        (
            'diff --git a/x "b/\\303\\251 \\"\\tx"\nrename from x\nrename to "\\303\\251 \\"\\tx"\n',
            'é " x',
            ("renamed",),
        ),
        ('diff --git "a/é\\\\ n" "b/é\\\\ n"\nold mode 100644\n', "é\\ n", ()),
        ("diff --git a/x y b/z y\nrename from x y\nrename to z y\n--- a/x y\t\n+++ b/z y\t\n", "z y", ("renamed",)),
        ("--- w/x\n+++ w/x\n@@ -1 +1 @@\n-a\n+b\n", "w/x", ()),
        ("diff -r 0a1b2c3 -r 1a2b3c4 x y.c\nBinary file x y.c has changed\n", "x y.c", ("binary",)),
        ("Binary files a/x and b/x differ\n", "x", ("binary",)),
        ("Binary files a and b.png and c and b.png differ\n", "c and b.png", ("binary",)),
        ("Only in x1/sub: only\n", "x1/sub/only", ()),
        ("Index: x.png\n====\nCannot display: file marked as a binary type.\n", "x.png", ("binary",)),
        ("Index: x\n====\n--- x\t(revision 1)\n+++ x\t(nonexistent)\n@@ -1 +0,0 @@\n-a\n", "x", ("deleted",)),
        ("Index: x\n====\n--- x\t(nonexistent)\n+++ x\t(revision 2)\n@@ -0,0 +1 @@\n+a\n", "x", ("added",)),
        ("Index: x (deleted)\n====\n", "x", ("deleted",)),
        ("Index: x\n====\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", "x", ()),
        ("Index: x.c\n====\nRCS file: /cvs/x.c,v\ndiff -u -r1.1 x.c\n--- x.c\t1 Jan\n+++ x.c\t2 Jan\n", "x.c", ()),
        (
            "Index: x\n====\n--- x\t(revision 1)\n+++ x\t(working copy)\n@@ -1 +1 @@\n-a\n+b\n\n"
            "Property changes on: x\n____\nAdded: svn:mime-type\n## -0,0 +1 ##\n+text/plain\n",
            "x",
            (),
        ),
        ("Property changes on: x\n____\nAdded: svn:executable\n", "x", ()),
        ("==== //depot/main/x.c#3 (text) ====\n\n@@ -1 +1 @@\n-a\n+b\n", "//depot/main/x.c", ()),
    ],
)
def test_a_file_has_its_path_and_what_became_of_it(content: str, title: str, flags: tuple[str, ...]) -> None:
    """In each form of header, the path without its side; the whole of the text is the file's."""
    entry = made(content).entries[0]
    assert (entry.title, entry.flags, entry.end) == (title, flags, content.count("\n"))


_ID = "1234567890abcdef1234567890abcdef12345678"
_FROM = f"From {_ID} Mon Sep 17 00:00:00 2001\n"
_DIFF = "diff --git a/x b/x\nold mode 100644\nnew mode 100755\n"


@pytest.mark.parametrize(
    ("subject", "title"),
    [
        ("[PATCH 1/2] net: the moon is full and\n the berth is empty", "net: the moon is full and the berth is empty"),
        ("=?UTF-8?q?[PATCH]=20s=C3=BCbject=20?=\n =?UTF-8?b?w7w=?= end", "sübject ü end"),
        ("=?UTF-8?q?s=FF?=", "=?UTF-8?q?s=FF?="),
        ("=?no-such?q?s?= t", "=?no-such?q?s?= t"),
        ("=?UTF-8?b?a?= t", "=?UTF-8?b?a?= t"),
        ("[docks][RFC PATCH v2 1/2][ship] x", "[ship] x"),
        ("[ship] x", "[ship] x"),
        ("Re: [PATCH] x", "Re: [PATCH] x"),
        ("[PATCH 0/3]", "[PATCH 0/3]"),
        ("[PATCH]\tx", "x"),
        ("[PATCH", "[PATCH"),
    ],
)
def test_the_subject_of_a_mail_is_unfolded_decoded_and_without_marks(subject: str, title: str) -> None:
    """The whole subject is the title, the lines that it is folded over its signature; broken words stay."""
    commit = made(f"{_FROM}To: A,\n    B\nSubject: {subject}\nX: y\n\nSubject: z\n{_DIFF}").entries[0]
    assert commit.title == title
    assert commit.signature_lines == (4, 4 + subject.count("\n"))


def test_nothing_in_the_message_of_a_mail_opens_a_commit() -> None:
    """Neither a name of a commit at column 0 nor words such as From do; the next mail does, without a diff before."""
    message = f"commit {_ID}\ncommit abcdef7 (HEAD)\nFrom abcdef1 to 2\n# HG changeset patch\n"
    mail = f"{_FROM}Subject: one\n\n{message}\n{_FROM}Subject: two\n\n{message}{_DIFF}"
    assert shown(made(mail).entries) == "1-7@2 commit one\n9-18@10 commit two\n  16-18 file x\n"


@pytest.mark.parametrize(
    ("content", "titles"),
    [
        (f"commit {_ID} (HEAD -> main, tag: v1)\n\n    a\n\n{_DIFF}", ["a"]),
        (f"commit {_ID} (from abcdef7)\nMerge: 1 2\n\n    a\n", ["a"]),
        (f"commit {_ID} abcdef7 abcdef8\n\n    a\n", ["a"]),
        (f"commit > {_ID}\n\n    a\n", ["a"]),
        (f"commit {_ID}\ntree 1\ngpgsig x\n     y\n\n    a\n", ["a"]),
        ('commit 1da177e4c3f4 ("Linux-2.6.12-rc2")\n', []),
        ("commit 1da177e4c3f4 (the first of all)\n", []),
        ("commit 1da177e4c3f4 and others\n", []),
        ("From abcdef1 to abcdef2\n", []),
        (f"From {_ID} to abcdef2\n", []),
        ("From a@b  Mon Sep  3 14:24:56 2018\nSubject: a\n", ["a"]),
        (f"{_FROM}From: a\n\nThe message.\n", ["The message."]),
        (f"abcdef7 one\n{_DIFF}abcdef8 a merge\nabcdef9 two\n{_DIFF}", ["one", "a merge", "two"]),
        (f"{_ID} (from abcdef7) one\n{_DIFF}", ["one"]),
        (f"{_ID} (from abcdef7)\n{_DIFF}", []),
        ("abcdef7 is what\nthis mends\nabcdef8 not\n", []),
        (
            f"# HG changeset patch\n# User a\n# Node ID {_ID}\n# Parent  {_ID}\nOne\ncommit abcdef7\n\n"
            "diff -r abcdef7 -r abcdef8 x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"
            "# HG changeset patch\n# User a\nTwo\n",
            ["One", "Two"],
        ),
    ],
)
def test_commits_are_those_that_a_program_writes(content: str, titles: list[str]) -> None:
    """`git log` and `show` in their formats, mailboxes and `hg export`; words of a text that look alike are none."""
    assert [one.title for one in made(content).entries if one.kind == "commit"] == titles


def test_a_recursive_diff_lists_what_it_has_no_hunks_of() -> None:
    """Binary files and those on one side alone are files beside the others, each of one line."""
    content = (
        "Only in x1: first\ndiff -ru x1/a x2/a\n--- x1/a\t2031\n+++ x2/a\t2031\n@@ -1 +1 @@\n-a\n+b\n"
        "Binary files x1/b and x2/b differ\nBinary files x1/c and x2/c differ\nOnly in x2/sub: last\n"
    )
    assert shown(made(content).entries) == (
        "1-1 file x1/first\n2-7 file x2/a\n  5-7 hunk @@ -1 +1 @@\n"
        "8-8 file x2/b\n9-9 file x2/c\n10-10 file x2/sub/last\n"
    )
    assert dict(made(content).facts)["file_count"] == 5


@pytest.mark.parametrize("line", ["diff against the last one", "Only in winter: never", "Files x and y"])
def test_sentences_in_front_of_a_diff_are_no_files(line: str) -> None:
    """Only what follows a file, or begins the text, can speak of one without the signs of a header."""
    assert [one.title for one in made(f"Words\n{line}\n\n{_DIFF}").entries] == ["x"]


def test_a_hunk_that_is_cut_off_ends_where_it_can() -> None:
    """Before blank lines in front of what comes next."""
    ends = [(one.start, one.end) for one in flat(made("diff -u a b\n@@ -1,9 +1,9 @@\n a\n\n\nx\n").entries)]
    assert ends == [(1, 3), (2, 3)]


def test_a_commit_holds_blank_lines_at_the_end_of_a_hunk() -> None:
    """Where a file ends in a blank line, that is a line of its hunk, its file and its commit."""
    content = "commit abcdef7\n\n    A\n\n--- a\n+++ b\n@@ -1 +1,2 @@\n-a\n+b\n\ncommit abcdef8\n"
    assert shown(made(content).entries).startswith("1-10@3 commit A\n  5-10@6 file b\n    7-10 hunk @@")


_HOSTILE = [
    "commit abcdef7 ",
    "abcdef7 x\n",
    f"{_FROM}Subject: [",
    "Only in : ",
    "Files a and ",
    'diff --git "\\',
    "# HG changeset patch\n",
]


@pytest.mark.parametrize(
    "opening",
    [
        "@@ -1 +1 @@\n",
        "--- a\n+++ b\n",
        "diff --git a b\n",
        "@",
        "From 1234567 \n",
        "@@@ -1 ",
        "-",
        '"',
        "\\",
        *_HOSTILE,
    ],
)
def test_hostile_marks_end(opening: str) -> None:
    """Twenty thousand marks give some sound outline."""
    made(opening * 20_000)


@pytest.mark.parametrize("start", ["commit abcdef7", f"{_FROM}Subject: ", "diff --git ", "Binary files ", "Only in "])
@pytest.mark.parametrize("sign", ["[", "[PATCH", "=?", "=?utf-8?q?", " abcdef7", " and ", '"', "\\", "(a, ", "x: "])
def test_hostile_lines_end(start: str, sign: str) -> None:
    """A line of a hundred thousand signs gives some sound outline."""
    made(start + sign * (100_000 // len(sign)))
