"""Exact search against git itself, and over what git cannot match."""

import re
import subprocess
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from budgeted_reads.errors import BinaryFile, NotFound, ReadError
from budgeted_reads.node import Node
from budgeted_reads.search import exact, texts
from budgeted_reads.search.exact import find
from budgeted_reads.search.pattern import compile_pattern
from budgeted_reads.search.request import search_request
from budgeted_reads.search.scope import Scopes, Source
from budgeted_reads.search.texts import BINARY, FEW, Texts, look
from budgeted_reads.text import decode
from repos import ENVIRONMENT, Change, Link, commit, make_repo, write

KEY = b"-----BEGIN PRIVATE KEY-----\n" + b"Ab1+" * 20 + b"\n-----END PRIVATE KEY-----\n"
FILES: Change = {
    **{b"src/part%02d.py" % n: b"def part%d():\n    return wharf + %d\n\nkeeper\n" % (n, n) for n in range(40)},
    "日本/灯台.md".encode(): "灯台の光\nwharf 灯台\n".encode(),
    b"latin.txt": "façade wharf\nstraße\n".encode("cp1252") + b"plain\n" * 40,
    b"crlf.txt": b"keeper\r\nthird mate\r\n",
    b"sixteen.txt": "\ufeffone\r\nwharf lantern\r\n".encode("utf-16-le"),
    b"binary.bin": b"\x89PNG\r\n wharf\0\0\0\x01\xff" * 50,
    b"name[1].txt": b"bracket wharf\n",
    b"copy.py": b"def part0():\n    return wharf + 0\n\nkeeper\n",
    b".gitattributes": b"*.py binary\n*.md -diff\n",
    b".env": b"WHARF_KEY=hidden-wharf-value\n",
    b"certs.txt": b"wharf\n" + KEY,
    b"link": Link(b"crlf.txt"),
    b"empty.txt": b"",
}


@pytest.fixture(scope="module", params=["by git", "at hand"])
def node(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[Node]:
    """A node over a repository with files of every sort: one that always asks git, and one that holds the texts."""
    place = tmp_path_factory.mktemp("exact") / "tree"
    make_repo(place, [FILES])
    with pytest.MonkeyPatch.context() as patch, Node.open(place) as opened:
        if request.param == "by git":
            patch.setattr(Texts, "at_hand", lambda *_: False)
        opened.search("wharf")
        opened.search("wharf")
        yield opened


def found(node: Node, query: str, **fields: Any) -> set[tuple[str, int]]:
    """Path and line of every match."""
    body = node.search(query, budget_tokens=100_000, limit=1000, **fields).to_dict()
    assert body["complete"] is True
    assert body["truncated"] is False
    return {(row["path"], row["lines"][0]) for row in body["matches"]}  # type: ignore[attr-defined]


def by_git(node: Node, query: str, *options: str) -> set[tuple[str, int]]:
    """What `git grep` finds at HEAD, its attributes out of play."""
    root = next(iter(node.catalog.trees.values())).root
    environment = {**ENVIRONMENT, "GIT_ATTR_NOSYSTEM": "1", "LC_ALL": "C.UTF-8"}
    (Path(root) / ".git/info/attributes").write_text("* !diff\n", encoding="utf-8")
    words = ["git", "grep", "-n", "-I", "-z", *options, "-e", query, "HEAD"]
    out = subprocess.run(words, cwd=root, env=environment, capture_output=True, check=False).stdout
    rows = re.findall(rb"([^\0]*)\0(\d+)\0[^\n]*\n", out)
    return {(path[5:].decode("utf-8", "surrogateescape"), int(number)) for path, number in rows}


OURS = {"latin.txt", "crlf.txt", "sixteen.txt", "binary.bin", ".env", "certs.txt"}
"""Files that git reads otherwise, or that are secret: other tests are about those."""


@pytest.mark.parametrize(
    ("query", "ignore_case"),
    [("part[^[:digit:]]|wharf[^[:alpha:]]+[0-9]", False), (r"[\w-.]+ wharf", False), ("灯台|WHARF", True)],
)
def test_what_git_reads_otherwise_is_found(node: Node, query: str, ignore_case: bool) -> None:
    """Classes by name, a dash that RE2 takes for itself, and choices beyond ASCII: in many files as in one."""
    paths = [f"src/part{number:02d}.py" for number in range(40)]
    alone = set().union(*(found(node, query, ignore_case=ignore_case, mode="regex", path=path) for path in paths))
    assert len(alone) >= 40
    assert {row for row in found(node, query, ignore_case=ignore_case, mode="regex") if row[0] in paths} == alone


def test_what_takes_git_too_long_is_read(tmp_path: Path) -> None:
    """Lines of megabytes, where git would try every way to share them out, are searched in time, and to the end."""
    make_repo(tmp_path / "tree", [{b"l%02d" % n: b"abc" * 100_000 + b"%d\n" % n for n in range(FEW + 8)}])
    with Node.open(tmp_path / "tree") as node:
        scope = Scopes(node._places, (), 1 << 30).find(search_request({"query": "x"}, node.defaults))[0]
    pattern = compile_pattern("(?:ab|bc|ca).*(?:ab|bc|ca).*1[03]$", regex=True, ignore_case=False)
    done = find(scope, pattern, Texts(), time.monotonic() + 6)
    assert (done.complete, done.searched) == (True, FEW + 8)
    assert [source.path for source, _ in done.lines] == [b"l10", b"l13"]


@pytest.mark.parametrize("commit_", [None, "HEAD"])
@given(
    st.text(st.sampled_from("wharfpt 0123灯台の():+"), min_size=1, max_size=5).filter(str.strip),
    st.sampled_from(["-F", "-P"]),
    st.booleans(),
)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_lines_are_those_of_git_grep(node: Node, commit_: str | None, query: str, kind: str, fold: bool) -> None:
    """On UTF-8 files with LF, path and line of all matches are those of `git grep -n -I` at the commit."""
    pattern = re.escape(query).replace("0", "[0-9]") if kind == "-P" else query
    options = (kind, "-i") if fold else (kind,)
    theirs = {row for row in by_git(node, pattern, *options) if row[0] not in OURS}
    fields = {"mode": "regex" if kind == "-P" else "literal", "ignore_case": fold, "commit": commit_}
    assert {row for row in found(node, pattern, **fields) if row[0] not in OURS} == theirs


def test_what_git_cannot_match_is_found(node: Node) -> None:
    """UTF-16, older encodings, and `$` before CR LF; links are not followed, binary files are named as skipped."""
    assert ("sixteen.txt", 2) in found(node, "lantern")
    assert ("latin.txt", 1) in found(node, "façade")
    assert ("latin.txt", 2) in found(node, "STRASSE".replace("SS", "ß"), ignore_case=True)
    assert {row for row in found(node, "^(keeper|third mate)$", mode="regex") if "crlf" in row[0]} == {
        ("crlf.txt", 1),
        ("crlf.txt", 2),
    }
    body = node.search("wharf").to_dict()
    assert {"path": "binary.bin", "reason": "binary_file"} in body["skipped"]  # type: ignore[operator]


@given(st.binary(max_size=40) | st.lists(st.sampled_from([b"wharf", b"\0", b"\x01", b"\xff", b"\n"])).map(b"".join))
def test_what_is_binary_to_a_read_is_binary_to_a_search(raw: bytes) -> None:
    """One rule says what is text, whoever asks."""
    try:
        text = decode(raw).content.encode("utf-8", "surrogatepass")
    except BinaryFile:
        assert look(raw).kind == BINARY
    else:
        assert look(raw).buffer in (text, raw)
        assert look(raw).kind != BINARY


def test_attributes_hide_nothing(node: Node) -> None:
    """A `.gitattributes` that calls sources binary takes no line out of the answer."""
    assert len(found(node, "return wharf")) == 41


def test_secret_files_show_names_only(node: Node) -> None:
    """Of a secret file only names match and are shown, without pointer, hash or blob; of a text with a key, nothing."""
    assert found(node, "hidden-wharf-value") == set()
    answer = node.search("WHARF", ignore_case=False)
    (row,) = [match.to_dict() for match in answer.matches if match.path == ".env"]
    assert row["snippet"] == "1: WHARF_KEY\n"
    assert row["pointer"] is row["sha256"] is row["blob"] is row["next"] is None
    assert not [path for path, _ in found(node, "wharf") if path == "certs.txt"]
    assert "Ab1+" not in node.search("PRIVATE KEY", budget_tokens=10_000).content


def test_brackets_are_part_of_a_name(node: Node) -> None:
    """A path is literal, whatever it looks like; as a glob it takes in the file that is spelled like it."""
    assert found(node, "wharf", path="name[1].txt") == {("name[1].txt", 1)}
    assert found(node, "wharf", globs=["name[1].txt"]) == {("name[1].txt", 1)}


def test_equal_files_are_shown_once_and_counted_each(node: Node) -> None:
    """A file with the bytes of another is named beside it; its matches have their own pointers."""
    body = node.search("wharf + 0", budget_tokens=4000).to_dict()
    assert body["match_total"] == 2
    rows = {row["path"]: row for row in body["matches"]}  # type: ignore[attr-defined]
    assert rows["src/part00.py"]["same_as"] == "copy.py"
    assert "/src/part00.py@" in rows["src/part00.py"]["pointer"]
    assert str(body["content"]).count("return wharf + 0") == 1


def test_scope_follows_path_and_globs(node: Node) -> None:
    """A folder, globs and their exceptions; no such path is an error, no match and no file of such a name are none."""
    assert {path for path, _ in found(node, "keeper", path="src", globs=["*1.py"])} == {
        f"src/part{n:02}.py" for n in range(40) if n % 10 == 1
    }
    assert found(node, "keeper", globs=["!src/**", "!*.txt"]) == {("copy.py", 4)}
    for globs in (["*.rs"], ["*.py", "!*.py"], ["!**"]):
        body = node.search("wharf", globs=globs).to_dict()
        assert (body["match_total"], body["files_searched"], body["view"]) == (0, 0, "count")
    with pytest.raises(NotFound):
        node.search("wharf", path="gone.txt")


@pytest.mark.parametrize("globs", [["part01.py/*.py"], ["gone/"], ["/part01.py"], ["src/*.rs", "*.rs", "!tests/**"]])
def test_places_where_nothing_stands_are_not_found(node: Node, globs: list[str]) -> None:
    """Of globs with a slash that take in no file a search says what a read does, in every mode, below every folder."""
    with pytest.raises(NotFound) as read:
        node.ask({"glob": globs})
    for more in ({}, {"mode": "ranked"}, {"path": "src"}, {"commit": "HEAD"}):
        with pytest.raises(NotFound) as search:
            node.search("wharf", globs=globs, **more)
        assert search.value.line() == read.value.line()


def test_a_small_tree_is_at_hand_from_the_second_search_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then git looks for nothing, after an edit and a commit too; a tree over the limit is always left to git."""
    asked: list[int] = []
    by_git = exact._Search.by_git

    def counted(search: exact._Search, sources: Sequence[Source]) -> bool:
        asked.append(1)
        return by_git(search, sources)

    monkeypatch.setattr(exact._Search, "by_git", counted)
    place = tmp_path / "tree"
    make_repo(place, [{b"p%02d.py" % n: b"wharf %d\n" % n for n in range(FEW + 8)}])

    def searched(node: Node) -> tuple[int, int]:
        asked.clear()
        return node.search("wharf").totals.matches, len(asked)

    with Node.open(place) as node:
        assert [searched(node) for _ in range(3)] == [(FEW + 8, 1), (FEW + 8, 0), (FEW + 8, 0)]
        write(place, {b"p00.py": b"wharf\nwharf\n"})
        assert searched(node) == (FEW + 9, 0)
        commit(place, {b"p00.py": b"wharf\n" * 3})
        assert searched(node) == (FEW + 10, 0)
    monkeypatch.setattr(texts, "HELD_BYTES", 10)
    with Node.open(place) as node:
        assert [searched(node)[1] for _ in range(4)] == [1, 1, 1, 1]


def test_the_tree_as_it_is_now(tmp_path: Path) -> None:
    """Edits, new and deleted files count where no commit is named; their pointers name a snapshot of those shown."""
    place = tmp_path / "tree"
    first, second = make_repo(place, [{b"a.txt": b"old wharf\n", b"b.txt": b"b wharf\n"}, {b"d": b"d"}])
    write(place, {b"a.txt": b"new wharf\n", b"b.txt": None, b"new.txt": b"wharf\n", b"x.log": b"wharf\n"})
    write(place, {b".gitignore": b"*.log\n"})
    with Node.open(place) as node:
        assert found(node, "wharf") == {("a.txt", 1), ("new.txt", 1)}
        assert found(node, "wharf", commit=first) == found(node, "wharf", commit=second) == {("a.txt", 1), ("b.txt", 1)}
        answer = node.search("wharf")
        commits = {match.evidence.pointer.partition("@")[2][:40] for match in answer.matches if match.evidence}
        assert len(commits) == 1
        assert not commits & {first, second}
        for match in answer.matches:
            assert match.evidence is not None
            assert node.dereference(match.evidence.pointer, sha256=match.evidence.sha256).verification == "verified"
        text = node.find({"query": "wharf"}, text=True).text
        assert f"snapshot={commits.pop()[:12]}" in text.splitlines()[0]
        assert "# a.txt 1 dirty" in text


def test_every_pointer_verifies(node: Node) -> None:
    """The pointer of each match gives back its line, under its hash."""
    for match in node.search("wharf", limit=50, budget_tokens=10_000).matches:
        if match.evidence is not None:
            got = node.dereference(match.evidence.pointer, sha256=match.evidence.sha256)
            assert got.verification == "verified"
            assert "wharf" in got.content.content


def test_a_commit_that_is_nowhere_is_unknown(node: Node) -> None:
    """An unknown commit is an error, not an empty answer."""
    with pytest.raises(ReadError) as error:
        node.search("wharf", commit="0123456789abcdef")
    assert error.value.code == "commit_unknown"


def test_a_plain_folder_and_an_empty_repository_are_searched(tmp_path: Path) -> None:
    """Without commits everything on disk is searched."""
    for name, change in (("folder", None), ("empty", ())):
        place = tmp_path / name
        if change is None:
            place.mkdir()
        else:
            make_repo(place)
        write(place, {b"a.txt": b"wharf\n", b"sub/b.txt": b"wharf\nwharf\n"})
        with Node.open(place) as node:
            assert found(node, "wharf") == {("a.txt", 1), ("sub/b.txt", 1), ("sub/b.txt", 2)}


def test_several_trees_are_searched_at_once(tmp_path: Path) -> None:
    """Without a path every tree is searched, and each path names its tree."""
    from budgeted_reads.trees.catalog import Catalog, open_tree

    for name in ("one", "two"):
        make_repo(tmp_path / name, [{b"a.txt": b"wharf " + name.encode() + b"\n"}])
    with Node(Catalog([open_tree(name, str(tmp_path / name)) for name in ("one", "two")])) as node:
        assert found(node, "wharf") == {("/one/a.txt", 1), ("/two/a.txt", 1)}
        assert found(node, "wharf", path="/two") == {("/two/a.txt", 1)}
        assert commit(tmp_path / "one", {b"b.txt": b"x\n"}) != ""


def test_what_could_not_be_looked_at_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a text file was not searched, an answer without matches is not complete, and names the file."""
    make_repo(tmp_path, [{b"a.txt": b"wharf\n"}])
    (tmp_path / "big.csv").write_bytes(b"pier,1\n" * 500)
    monkeypatch.setattr(texts, "LARGEST", 1000)
    with Node.open(tmp_path) as node:
        found = node.search("pier")
        assert not found.totals.complete
        assert "big.csv" in found.warnings[0].detail
        assert "incomplete" in node.find({"query": "pier"}, text=True).text
