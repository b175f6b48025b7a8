"""Checks of pointers on real repositories: what is verified, what has become of it, and what is never believed."""

import hashlib
import random
import re
import subprocess
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from budgeted_reads.errors import InvalidRequest, TooLarge
from budgeted_reads.evidence.locate import parse_hunks
from budgeted_reads.node import Node
from budgeted_reads.pointer import format_pointer
from budgeted_reads.trees.catalog import Catalog, open_tree
from repos import ENVIRONMENT, Link, commit, git, make_repo, write

TEXT = b"".join(b"line %d of the first text\n" % n for n in range(1, 31))


def row(node: Node, pointer: str, **more: Any) -> dict[str, Any]:
    """The one row of a check of POINTER."""
    return node.verify([{"pointer": pointer, **more}]).results[0].to_dict()


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Where a repository goes; its tree is named r."""
    return tmp_path / "r"


def test_a_hash_or_a_quote_verifies_and_without_one_it_exists(place: Path) -> None:
    """`verified` needs something that was compared; both are compared where both are given."""
    (one,) = make_repo(place, [{b"a.md": TEXT}])
    sha256 = hashlib.sha256(b"line 2 of the first text\nline 3 of the first text\n").hexdigest()
    with Node.open(place) as node:
        pointer = f"nas://local/r/a.md@{one}#L2-L3"
        assert row(node, pointer)["verification"] == "exists"
        assert row(node, pointer, sha256=sha256.upper())["verification"] == "verified"
        assert row(node, pointer, quote="line 3  of the\nfirst")["verification"] == "verified"
        assert row(node, pointer, sha256=sha256, quote="line 9")["verification"] == "quote_mismatch"
        wrong = row(node, pointer, sha256="0" * 64, quote="line 3")
        assert (wrong["verification"], wrong["sha256"], wrong["drift"]) == ("hash_mismatch", sha256, "unchanged")
        assert row(node, pointer, quote="line 9 of the")["found_at"] == [{"lines": [9, 9]}]
        assert "[-last-]{+first+}" in row(node, pointer, quote="line 2 of the last text")["difference"]


def test_what_does_not_exist_says_in_which_way(place: Path) -> None:
    """Each way in which a pointer can name nothing has its own word, and none is an error of the request."""
    (one,) = make_repo(place, [{b"a.md": TEXT, b"d/x": b"x\n", b"empty": b"", b"out": Link(b"../../etc")}])
    with Node.open(place) as node:
        for pointer, word in {
            f"nas://local/r/a.md@{one}#L31": "range_out_of_bounds",
            f"nas://local/r/a.md@{one}#L30-L31": "range_out_of_bounds",
            f"nas://local/r/empty@{one}#L1": "range_out_of_bounds",
            f"nas://local/r/b.md@{one}#L1": "path_missing",
            f"nas://local/r/out@{one}": "path_missing",
            f"nas://local/r/.git/config@{one}": "path_missing",
            f"nas://local/r/a.md@{'0' * 40}": "commit_unknown",
            f"nas://local/other/a.md@{'0' * 40}": "tree_unknown",
            f"nas://elsewhere/r/a.md@{'0' * 40}": "node_unknown",
            f"nas://local/r/d@{one}#L1": "not_a_file",
            f"nas://local/r/a.md@{one}#L0": "syntax_error",
            "no pointer": "syntax_error",
            f"nas://local/r/a.md@{one}": "exists",
            f"nas://elsewhere/any/a.md@{one}": "exists",
            f"nas://local/r/empty@{one}": "exists",
            f"nas://local/r/d@{one}": "exists",
            f"nas://local/r@{one}": "exists",
            f"a.md@{one[:7]}#3": "exists",
        }.items():
            found = row(node, pointer)
            assert found["verification"] == word, found
            assert word == "exists" or found["drift"] is None
        assert row(node, f"a.md@{one}#L31")["line_count"] == 30
        assert row(node, f"A.md@{one}")["near"] == ["a.md"]
        assert row(node, f"a.md@{'0' * 40}")["reason"] == "not_found"
        assert row(node, f"nas://elsewhere/x/a.md@{one}")["via"] == "r"
        assert row(node, f"a.md@{one[:7]}")["warnings"][0]["code"] == "short_commit"


def test_an_ambiguous_id_names_its_candidates_and_a_branch_never_answers(place: Path) -> None:
    """A short id is looked up among commits only: a branch of that name changes nothing."""
    one, two = make_repo(place, [{b"a.md": b"one\n"}, {b"a.md": b"two\n"}])
    git(place, "branch", one[:8], two)
    with Node.open(place) as node:
        assert row(node, f"a.md@{one[:8]}#L1", quote="one")["verification"] == "verified"


@pytest.mark.parametrize("victim", ["commit", "tree", "blob"])
@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
def test_a_tampered_object_is_reported_not_believed(place: Path, victim: str, object_format: str) -> None:
    """Commit, trees and blob are hashed anew each time: other bytes under an id are `object_corrupt`."""
    (one,) = make_repo(place, [{b"d/a.md": TEXT}], object_format=object_format)
    names = {"commit": one, "tree": f"{one}:d", "blob": f"{one}:d/a.md"}
    with Node.open(place) as node:
        pointer = f"d/a.md@{one}#L2"
        assert row(node, pointer)["verification"] == "exists"
        id = git(place, "rev-parse", names[victim])
        file = place / ".git" / "objects" / id[:2] / id[2:]
        raw = bytearray(zlib.decompress(file.read_bytes()))
        raw[-1] ^= 1
        file.chmod(0o644)
        file.write_bytes(zlib.compress(bytes(raw)))

        assert row(node, pointer)["verification"] == "object_corrupt"
    with Node.open(place) as fresh:
        found = row(fresh, pointer, quote="line 2")
        assert (found["verification"], found["drift"]) == ("object_corrupt", None)


def test_drift_says_where_the_lines_are_now(place: Path) -> None:
    """Moved, changed, deleted, renamed, back in the work tree: each against the bytes as they are now, dirty too."""
    (one,) = make_repo(place, [{b"a.md": TEXT, b"b/x.py": b"def alpha():\n    return 'a long line'\n"}])
    pointer = f"nas://local/r/a.md@{one}#L10-L11"
    with Node.open(place) as node:
        assert row(node, pointer)["drift"] == "unchanged"
        write(place, {b"a.md": b"new\nnew\n" + TEXT})
        dirty = row(node, pointer)
        assert (dirty["drift"], dirty["lines"], "now" in dirty) == ("moved", [12, 13], False)
        two = commit(place, {}, 2)
        moved = row(node, pointer)
        assert (moved["drift"], moved["lines"]) == ("moved", [12, 13])
        assert moved["now"] == f"nas://local/r/a.md@{two}#L12-L13"
        write(place, {b"a.md": TEXT.replace(b"line 10 of the first", b"line 10 of the second")})
        changed = row(node, pointer)
        assert (changed["drift"], changed["lines"]) == ("changed", [10, 11])
        assert 0.5 <= changed["overlap"] < 1
        write(place, {b"a.md": b"all\nis\ngone\n"})
        assert row(node, pointer)["drift"] == "deleted"
        write(place, {b"a.md": None})
        assert row(node, pointer)["drift"] == "deleted"
        commit(place, {b"b/x.py": None, b"c/x.py": b"def alpha():\n    return 'a long line'\n"}, 3)
        renamed = row(node, f"b/x.py@{one}#L2")
        assert (renamed["drift"], renamed["path"], renamed["lines"]) == ("renamed", "c/x.py", [2, 2])
        more = b"# a comment\ndef alpha():\n    return 'a long line'\n"
        commit(place, {b"c/x.py": None, b"c/y.py": more}, 4)
        edited = row(node, f"b/x.py@{one}#L1-L2")
        assert (edited["drift"], edited["path"], edited["lines"]) == ("renamed", "c/y.py", [2, 3])
        (place / "b").mkdir(exist_ok=True)
        write(place, {b"b/x.py": b"def alpha():\n    return 'a long line'\n"})
        assert row(node, f"b/x.py@{one}#L2")["drift"] == "unchanged"


def test_a_history_of_its_own_is_said(place: Path) -> None:
    """Where nothing is left and the commit shares no ancestor with HEAD, that is what drift says."""
    (one,) = make_repo(place, [{b"a.md": TEXT}])
    git(place, "checkout", "-q", "--orphan", "other")
    git(place, "rm", "-q", "-rf", ".")
    commit(place, {b"z": b"z\n"}, 2)
    with Node.open(place) as node:
        assert row(node, f"a.md@{one}#L1")["drift"] == "unrelated_history"


def test_folders_are_compared_by_their_tree(place: Path) -> None:
    """A folder has no hash and no quote; its tree id says whether it is the same."""
    one, _ = make_repo(place, [{b"d/a": b"1\n", b"e/a": b"1\n"}, {b"d/a": b"2\n"}])
    with Node.open(place) as node:
        assert row(node, f"d@{one}")["drift"] == "changed"
        assert row(node, f"e@{one}")["drift"] == "unchanged"
        assert row(node, f"e@{one}", quote="1")["verification"] == "not_a_file"


def test_a_snapshot_is_a_commit_like_another(place: Path) -> None:
    """A pointer to bytes that were never committed verifies, drifts, and is known by its own hash."""
    make_repo(place, [{b"a.md": TEXT}])
    with Node.open(place) as node:
        write(place, {b"a.md": b"dirty\n" + TEXT})
        evidence = node.read("a.md", lines="1-2").evidence[0]
        asked = {"sha256": evidence.sha256}
        assert row(node, evidence.pointer, **asked)["verification"] == "verified"
        assert row(node, evidence.pointer, **asked)["drift"] == "unchanged"
        write(place, {b"a.md": b"dirtier\ndirty\n" + TEXT})
        assert row(node, evidence.pointer, **asked)["lines"] == [2, 3]


def test_a_plain_folder_is_checked_by_its_snapshots(tmp_path: Path) -> None:
    """Without a repository the snapshots are the commits, and the disk is what is compared."""
    folder = tmp_path / "plain"
    folder.mkdir()
    write(folder, {b"a.md": TEXT})
    with Node.open(folder) as node:
        evidence = node.read("a.md", lines="2-3").evidence[0]
        assert row(node, evidence.pointer, sha256=evidence.sha256)["verification"] == "verified"
        write(folder, {b"a.md": b"0\n" + TEXT})
        assert row(node, evidence.pointer)["lines"] == [3, 4]


def test_nothing_is_kept_by_looking_at_what_is_there_now(place: Path) -> None:
    """A check takes no snapshot of the work tree that it compares with."""
    (one,) = make_repo(place, [{b"a.md": TEXT}])
    write(place, {b"a.md": b"dirty\n" + TEXT})
    with Node.open(place) as node:
        row(node, f"a.md@{one}#L2")
        tree: Any = node.catalog.trees["r"]
        assert not tree.snapshots.store.exists or not tree.snapshots.store.refs("snapshots")


def test_equal_requests_give_equal_rows_and_order_is_kept(place: Path) -> None:
    """A row for each pointer in the order of the request, the same each time, also with what was looked up before."""
    (one,) = make_repo(place, [{b"a.md": TEXT}])
    pointers = [{"pointer": f"a.md@{one}#L{n}"} for n in (3, 40, 1, 3)]
    with Node.open(place) as node:
        first, second = node.verify(pointers).to_dict(), node.verify(pointers).to_dict()
        assert first == second
        assert [found["pointer"][-3:] for found in first["results"]] == ["#L3", "L40", "#L1", "#L3"]  # type: ignore[attr-defined]
        assert first["results"][1] == row(node, f"a.md@{one}#L40")  # type: ignore[index]


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"pointers": [{"pointer": "a"}], "text": "a"},
        {"pointers": "a@0123456"},
        {"pointers": [{"sha256": "a"}]},
        {"pointers": [{"pointer": "a", "hash": "b"}]},
        {"pointers": [{"pointer": "a", "quote": " "}]},
        {"pointers": [{"pointer": "a"}, {"pointer": "b"}], "quote": "c"},
        {"text": 5},
        {"text": "a", "include": ["everything"]},
        {"text": "a", "unknown": 1},
    ],
)
def test_a_request_that_is_wrong_is_refused(place: Path, fields: dict[str, Any]) -> None:
    """`invalid_request`, where a wrong pointer is a row."""
    make_repo(place, [{b"a": b"a\n"}])
    with Node.open(place) as node, pytest.raises(InvalidRequest):
        node.verify(**fields)


def test_pointers_beyond_the_limit_are_too_many(place: Path) -> None:
    """More than the limit are `too_large`, in a list and in a text."""
    make_repo(place, [{b"a": b"a\n"}])
    with Node.open(place) as node:
        with pytest.raises(TooLarge):
            node.verify(["a@0123456"] * 20_001)
        with pytest.raises(TooLarge):
            node.verify(text=" ".join(["a@0123456#L1"] * 20_001))


def edit(chance: random.Random, rows: list[bytes]) -> list[bytes]:
    """ROWS with a few lines inserted, deleted, replaced or moved."""
    rows = list(rows)
    for _ in range(chance.randrange(1, 4)):
        at = chance.randrange(len(rows) + 1)
        kind = chance.randrange(4)
        if kind == 0:
            rows[at:at] = [
                b"    new_%d = call(%d)\n" % (chance.randrange(99), n) for n in range(chance.randrange(1, 4))
            ]
        elif kind == 1 and len(rows) > 20:
            del rows[at : at + chance.randrange(1, 4)]
        elif kind == 2:
            rows[at : at + 1] = [b"    changed_%d\n" % chance.randrange(99)]
        else:
            part = rows[at : at + 3]
            del rows[at : at + 3]
            to = chance.randrange(len(rows) + 1)
            rows[to:to] = part
    return rows


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, list[str], Node]]:
    """A repository of many random edits, its commits and a node over it; seeded."""
    chance = random.Random(11)
    place = tmp_path_factory.mktemp("history") / "r"
    rows = [b"\n" if n % 9 == 0 else b"    value_%d = compute(%d)\n" % (n % 23, n) for n in range(120)]
    changes = []
    for _ in range(25):
        rows = edit(chance, rows)
        changes.append({b"m.py": b"".join(rows)})
    ids = make_repo(place, changes)
    with Node.open(place) as node:
        yield place, ids, node


def test_lines_that_git_left_alone_map_to_where_git_has_them(history: tuple[Path, list[str], Node]) -> None:
    """Of the ranges of every commit that `git diff -U0` leaves alone, all map right; moved ones are the same bytes."""
    place, ids, node = history
    chance = random.Random(5)
    now = (place / "m.py").read_bytes().splitlines(keepends=True)
    asked = []
    for id in ids:
        old = subprocess.run(["git", "show", f"{id}:m.py"], cwd=place, env=ENVIRONMENT, capture_output=True, check=True)
        rows = old.stdout.splitlines(keepends=True)
        hunks = parse_hunks(git(place, "diff", "-U0", id, "HEAD", "--", "m.py").encode())
        for _ in range(12):
            first = chance.randrange(1, len(rows) + 1)
            last = min(len(rows), first + chance.randrange(5))
            asked.append((id, rows[first - 1 : last], hunks, (first, last)))
    found = node.verify([{"pointer": f"m.py@{id}#L{a}-L{b}"} for id, _, _, (a, b) in asked]).results
    untouched = 0
    for (_, block, hunks, (first, last)), result in zip(asked, found, strict=True):
        where = result.lines or (first, last)
        if result.drift in ("unchanged", "moved"):
            assert now[where[0] - 1 : where[1]] == block
        begins = [(h.old + (not h.old_count), h.old + h.old_count - bool(h.old_count)) for h in hunks]
        if all(end < first or begin > last for begin, end in begins):
            shift = sum(h.new_count - h.old_count for h, (_, end) in zip(hunks, begins, strict=True) if end < first)
            assert where == (first + shift, last + shift)
            assert result.drift == ("moved" if shift else "unchanged")
            untouched += 1
    assert untouched > 50


def test_every_mutation_of_a_pointer_a_hash_or_a_quote_is_caught(history: tuple[Path, list[str], Node]) -> None:
    """One other character in commit, path, lines, hash or quote: never `verified`, unless it names the same bytes."""
    place, ids, node = history
    chance = random.Random(3)
    text = (place / "m.py").read_text(encoding="utf-8").splitlines(keepends=True)
    for _ in range(150):
        first = chance.randrange(1, len(text))
        last = min(len(text), first + chance.randrange(4))
        said = "".join(text[first - 1 : last])
        sha256 = hashlib.sha256(said.encode()).hexdigest()
        pointer = format_pointer("local", "r", b"m.py", ids[-1], (first, last))
        assert row(node, pointer, sha256=sha256)["verification"] == "verified"
        part = chance.choice(["commit", "path", "lines", "hash"])
        at = pointer.index("@")
        if part == "hash":
            spot = chance.randrange(64)
            sha256 = sha256[:spot] + ("0" if sha256[spot] != "0" else "1") + sha256[spot + 1 :]
        else:
            low, high = {"commit": (at + 1, at + 41), "path": (12, at), "lines": (at + 43, len(pointer))}[part]
            spot = chance.randrange(low, high)
            new = chance.choice([letter for letter in "0123456789abc-" if letter != pointer[spot]])
            pointer = pointer[:spot] + new + pointer[spot + 1 :]
        caught = row(node, pointer, sha256=sha256)
        if caught["verification"] == "verified":
            named = re.search(r"#L(\d+)(?:-L(\d+))?$", pointer)
            assert named
            assert "".join(text[int(named[1]) - 1 : int(named[2] or named[1])]) == said
        quote = said.strip()
        if len(quote) > 12:
            spot = chance.randrange(len(quote))
            wrong = quote[:spot] + "§" + quote[spot + 1 :]
            honest = format_pointer("local", "r", b"m.py", ids[-1], (first, last))
            assert row(node, honest, quote=quote)["verification"] == "verified"
            assert row(node, honest, quote=wrong)["verification"] == "quote_mismatch"


def test_every_pointer_that_a_read_gives_verifies(history: tuple[Path, list[str], Node]) -> None:
    """Evidence of reads, at any commit and range, verifies by its own hash."""
    _, ids, node = history
    for id in ids[::5]:
        for fields in ({}, {"lines": "3-9"}, {"view": "outline"}):
            evidence = node.read("m.py", commit=id, **fields).evidence[0]
            assert row(node, evidence.pointer, sha256=evidence.sha256)["verification"] == "verified"


def test_several_trees_are_asked_by_name_then_all(tmp_path: Path) -> None:
    """The commit decides: a pointer to a tree that is not here is answered by the one that holds it, and says so."""
    trees = []
    for name in ("one", "two"):
        make_repo(tmp_path / name, [{b"a.md": name.encode() + b" text here\n"}])
        trees.append(open_tree(name, str(tmp_path / name)))
    with Node(Catalog(trees)) as node:
        id = git(tmp_path / "two", "rev-parse", "HEAD")
        assert row(node, f"nas://local/two/a.md@{id}#L1", quote="two text here")["verification"] == "verified"
        assert row(node, f"nas://local/one/a.md@{id}#L1")["via"] == "two"
        assert row(node, f"a.md@{id}#L1", quote="two text")["verification"] == "verified"


def test_a_shallow_clone_says_how_to_get_what_it_lacks(tmp_path: Path) -> None:
    """A commit beyond the edge of the clone is unknown, and the row says what would bring it."""
    first, _ = make_repo(tmp_path / "whole", [{b"a": b"1\n"}, {b"a": b"2\n"}])
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{tmp_path / 'whole'}", "clone")
    with Node.open(tmp_path / "clone") as node:
        [row] = node.verify([f"a@{first}#L1"]).results
        assert (row.verification, row.reason) == ("commit_unknown", "shallow")
        assert "git fetch --unshallow" in (row.detail or "")
