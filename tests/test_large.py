"""Texts that are never held: the same lines, bytes and answers as of a text that is, read a piece at a time."""

import os
import tempfile
import time
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgeted_reads import Node, errors, large, limits, secret
from budgeted_reads.changes import note
from budgeted_reads.evidence import make
from budgeted_reads.large import decode_large
from budgeted_reads.search.exact import find
from budgeted_reads.search.pattern import compile_pattern
from budgeted_reads.search.scope import Scope, Source
from budgeted_reads.search.texts import Texts, held
from budgeted_reads.text import decode
from budgeted_reads.trees import big
from budgeted_reads.trees.big import Big, feed
from budgeted_reads.trees.catalog import open_tree
from budgeted_reads.trees.objects import object_id
from repos import commit, make_repo

SMALL = 4096


def opened(place: Path, raw: bytes) -> Big:
    """RAW as the bytes of a file at PLACE that is too large to be held."""
    place.write_bytes(raw)
    return Big(os.open(place, os.O_RDONLY))


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is large begins at a few kilobytes here, so that tests need not write gigabytes."""
    monkeypatch.setattr(limits, "BIG_BYTES", SMALL)
    monkeypatch.setattr(large, "BLOCK", 16)
    monkeypatch.setattr(large, "HEAD", 64)
    monkeypatch.setattr(big, "PIECE", 32)


@given(st.lists(st.sampled_from(["a", "\n", "\n", "é", "\r\n", "\r", "long line " * 9, "\ufeff", "字"])).map("".join))
def test_lines_are_those_of_the_text(tmp_path_factory: pytest.TempPathFactory, content: str) -> None:
    """Line count, lines, ranges, their exact bytes and how lines end are those of a text that is held."""
    raw = content.encode() or b"x"
    held, text = decode(raw), decode_large(opened(tmp_path_factory.mktemp("big") / "file", raw))
    count = held.line_count
    assert (text.line_count, text.line_ending, text.bom, text.lossy) == (count, held.line_ending, held.bom, False)
    assert list(text.lines()) == held.lines()
    assert text.lines()[1:3] == held.lines()[1:3]
    for first in range(1, count + 1):
        last = min(count, first + first % 4)
        assert text.slice(first, last) == held.slice(first, last)
        assert text.bytes_of(first, last) == b"".join(text.pieces_of(first, last)) == held.bytes_of(first, last)
        assert text.size_of(first, last) == len(held.bytes_of(first, last))


def test_what_would_be_all_of_it_is_refused(tmp_path: Path) -> None:
    """The whole content, and more lines at once than may be held, are `too_large`, never a part of them."""
    text = decode_large(opened(tmp_path / "file", b"x" * (limits.EXACT_BYTES + 1)))
    for ask in (lambda: text.content, lambda: text.starts, lambda: text.slice(1, 1)):
        with pytest.raises(errors.TooLarge):
            ask()
    assert len(text.line(1)) == large.HEAD


@pytest.mark.parametrize(("raw", "error"), [(b"\0" * 99, errors.BinaryFile), ("a" * 99, errors.TooLarge)])
def test_what_is_no_text_in_utf_8_is_refused(tmp_path: Path, raw: bytes | str, error: type[Exception]) -> None:
    """Binary files are told as always; UTF-16 is too large here."""
    with pytest.raises(error):
        decode_large(opened(tmp_path / "file", raw if isinstance(raw, bytes) else raw.encode("utf-16")))


def test_bytes_that_are_no_utf_8_are_lossy(tmp_path: Path) -> None:
    """Wrong bytes anywhere, and a character that the end cuts, are noticed."""
    assert decode_large(opened(tmp_path / "a", b"ok\n" * 50 + b"\xff\n")).lossy
    assert decode_large(opened(tmp_path / "b", b"ok\n" * 50 + "é".encode()[:1])).lossy


def test_a_large_file_is_its_bytes(tmp_path: Path) -> None:
    """Length, slices, hashes and all of it are those of the file; one that shrinks meanwhile is `file_changing`."""
    raw = os.urandom(999)
    found = opened(tmp_path / "file", raw)
    assert (len(found), found[10:20], found[-5:], bytes(found)) == (999, raw[10:20], raw[-5:], raw)
    assert feed(sha256(), found).digest() == feed(sha256(), raw).digest() == sha256(raw).digest()
    assert found.startswith(raw[:9])
    found.settled()
    os.truncate(tmp_path / "file", 500)
    for ask in (found.settled, lambda: found[400:600]):
        with pytest.raises(errors.FileChanging):
            ask()


def rows(count: int) -> bytes:
    return b"".join(b"2026-11-30 10:00:%02d INFO pump %d is well\n" % (number % 60, number) for number in range(count))


@pytest.mark.parametrize("committed", [True, False])
def test_a_large_file_is_read_within_any_budget(tmp_path: Path, committed: bool) -> None:
    """Rows, ranges, pages and pointers of a file that is not held are right, and never cost more than the budget."""
    raw = rows(20_000)
    make_repo(tmp_path, [{b"a.txt": b"a\n"}])
    (tmp_path / "pump.log").write_bytes(raw)
    if committed:
        commit(tmp_path, {}, 2)
    lines = raw.decode().split("\n")
    with Node.open(tmp_path) as node:
        for budget in (20, 100, 400, 2000):
            answer = node.read("pump.log", budget_tokens=budget, include=["entries", "facts"])
            assert answer.tokens <= budget
            for row in answer.content.splitlines() if answer.view != "card" else ():
                number, _, shown = row.partition(" ")
                assert lines[int(number.partition("-")[0]) - 1].startswith(shown)
        ranged = node.read("pump.log", lines="15000-15003")
        assert (ranged.view, ranged.content) == ("lines", "".join(f"{line}\n" for line in lines[14_999:15_003]))
        with pytest.raises(errors.TooLarge):
            node.read("pump.log", focus="pump")
        near = node.read("pump.log", focus="L15002", budget_tokens=200)
        assert {f"{number} {lines[number - 1]}" for number in range(15_000, 15_005)} <= set(near.content.splitlines())
        page = node.read("pump.log", view="lines", lines="100-", on_overflow="page", budget_tokens=300)
        assert page.content == "".join(f"{line}\n" for line in lines[99 : 99 + page.content.count("\n")])
        assert page.truncated
        [evidence] = ranged.evidence
        found = node.dereference(evidence.pointer)
        assert (found.content.content, found.content.sha256) == (ranged.content, evidence.sha256)
        [whole] = node.read("pump.log").evidence
        assert whole.sha256 == sha256(raw).hexdigest()
        (tmp_path / "pump.log").write_bytes(rows(9))
        again = node.read("pump.log", commit=ranged.commit, lines="15000-15003")
        assert again.content == ranged.content


def test_only_so_much_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is over the limit of snapshots has no pointer, and the answer says what to do about it."""
    monkeypatch.setattr(limits, "HELD_BYTES", 2 * SMALL)
    make_repo(tmp_path, [{b"a.txt": b"a\n"}])
    with Node.open(tmp_path) as node:
        for count, kept in ((150, True), (300, False)):
            (tmp_path / "pump.log").write_bytes(rows(count))
            answer = node.read("pump.log")
            assert bool(answer.evidence) == kept
            assert ("commit the file" in str(answer.snapshot)) != kept


def test_what_differs_is_told_of_large_files_too(tmp_path: Path) -> None:
    """Of a large file that did not change a second read says so; of one that did it gives the difference."""
    [first] = make_repo(tmp_path, [{b"pump.log": rows(500)}])
    with Node.open(tmp_path) as node:
        assert node.read("pump.log", since=first).view == "unchanged"
        (tmp_path / "pump.log").write_bytes(rows(500) + b"the end\n")
        changed = node.read("pump.log", since=first)
        assert changed.view == "patch"
        assert "+the end" in changed.content
        assert node.read("pump.log", since=first, lines="3-9").view == "unchanged"


def test_other_encodings_are_read_while_they_can_be_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """UTF-16 and legacy bytes are decoded as ever up to a limit; beyond it they are refused, or said to be lossy."""
    content = "".join(f"Zeile {number}: größer als Öl\n" for number in range(300))
    (tmp_path / "wide.txt").write_bytes(content.encode("utf-16"))
    (tmp_path / "old.txt").write_bytes(content.encode("cp1252"))
    with Node.open(tmp_path) as node:
        for name in ("wide.txt", "old.txt"):
            assert node.read(name, lines="7").content == "Zeile 6: größer als Öl\n"
    monkeypatch.setattr(large, "HELD_BYTES", SMALL)
    with Node.open(tmp_path) as node:
        with pytest.raises(errors.TooLarge):
            node.read("wide.txt", lines="7")
        assert "lossy_decoding" in [warned.code for warned in node.read("old.txt", lines="7").warnings]


def test_a_private_key_in_a_large_file_is_not_shown(tmp_path: Path) -> None:
    """A label of a private key anywhere makes the file a secret one: without a named view, no line of it is shown."""
    key = b"-----BEGIN RSA PRIVATE KEY-----\n" + b"A" * 64 + b"\n-----END RSA PRIVATE KEY-----\n"
    (tmp_path / "dump.txt").write_bytes(rows(5_000) + key + rows(500))
    with Node.open(tmp_path) as node:
        answer = node.read("dump.txt")
        assert "secret_file" in [warned.code for warned in answer.warnings]
        assert "pump" not in answer.content


def test_many_labels_hide_no_private_key_and_take_no_room(tmp_path: Path) -> None:
    """Of labels that stand close together one is noted, and a key behind any of them is found."""
    label, key = b"-----BEGIN RSA PRIVATE KEY-----\n", b"A" * 64 + b"\n"
    for before in range(0, 600, 59):
        raw = label * before + b"x\n" * 9 + label + key + label * (600 - before)
        text = decode_large(opened(tmp_path / "dump.txt", raw))
        assert len(text.labels) <= len(raw) // 4096 + 1
        assert any(map(secret.secret_text, text.around_labels))


def test_a_large_table_has_its_columns_and_records(tmp_path: Path) -> None:
    """Records are counted a piece at a time; where a quote makes that impossible, the count is left open."""
    (tmp_path / "good.csv").write_bytes(b"id,name\n" + b'7,"a\nb"\n' * 2_000)
    (tmp_path / "bad.csv").write_bytes(b"id,name\n" + b'7,a "b" c,9\n' * 2_000)
    (tmp_path / "noted.csv").write_bytes("\ufeff# é\nid,name\n".encode() + b'7,"a\nb"\n' * 2_000)
    with Node.open(tmp_path) as node:
        good, bad = (dict(node.read(name).file.facts) for name in ("good.csv", "bad.csv"))
        assert good == {"columns": ("id", "name"), "row_count": 2_000, "delimiter": ",", "header_line": 1}
        assert (bad["columns"], bad["row_count"]) == (("id", "name"), None)
        assert dict(node.read("noted.csv").file.facts) == good | {"header_line": 2}


def test_columns_of_a_line_that_cannot_be_held_are_refused(tmp_path: Path) -> None:
    """A window of a line over the limit is `too_large`, never one of its beginning."""
    (tmp_path / "one.json").write_bytes(b"[" + b"1," * (limits.EXACT_BYTES // 2 + 9) + b"1]")
    with Node.open(tmp_path) as node:
        assert node.read("one.json").view in ("card", "outline", "folded")
        with pytest.raises(errors.TooLarge):
            node.read("one.json", lines="1", columns="1-20")


def test_without_room_for_a_copy_only_the_pointer_is_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What cannot be kept is still read and searched; the answer says why it has no pointer."""
    make_repo(tmp_path / "tree", [{b"a.txt": b"a\n"}])
    (tmp_path / "tree/b.log").write_bytes(b"a wharf\n" * SMALL)
    monkeypatch.setattr(tempfile, "tempdir", "/proc/nowhere")
    with Node.open(tmp_path / "tree") as node:
        body = node.read("b.log", budget_tokens=200).to_dict()
        assert body["evidence"] == []
        assert "no room" in str(body["snapshot"])
        found = node.search("wharf").to_dict()
        assert found["match_total"] == SMALL
        assert found["snapshot"]["dirty"] is True  # type: ignore[index]


def test_a_file_that_is_written_to_ends_no_search(tmp_path: Path) -> None:
    """What was appended since does not count; a file that became another is skipped, with its reason."""
    raw = b"a wharf\n" * SMALL
    found = opened(tmp_path / "a.log", raw)
    source = Source(b"a.log", object_id("blob", raw, 40), None, raw=found)  # type: ignore[arg-type]
    other = Source(b"b.txt", object_id("blob", b"wharf\n", 40), None, raw=b"wharf\n")
    scope = Scope(open_tree("tree", str(tmp_path)), b"", None, None, (source, other))
    pattern = compile_pattern("wharf", regex=False, ignore_case=False)
    with (tmp_path / "a.log").open("ab") as file:
        file.write(b"more wharf\n")
    assert held(source) == raw
    assert len(find(scope, pattern, Texts(), time.monotonic() + 60).lines[0][1]) == SMALL
    (tmp_path / "a.log").write_bytes(b"b" * len(raw))
    done = find(scope, pattern, Texts(), time.monotonic() + 60)
    assert [(row.path, row.reason.partition(":")[0]) for row in done.skipped] == [(b"a.log", "file_changing")]
    assert done.lines == [(other, [1])]


def test_a_large_file_ends_no_search_and_no_comparison(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A large secret file that is not committed has its names searched; what was or became large has changed."""
    monkeypatch.setattr(note, "OUTLINE_BYTES", SMALL)
    large_text = b"wharf: 1\n" * SMALL
    make_repo(tmp_path / "tree", [{b"was.yaml": large_text, b"is.yaml": b"a: 1\n", b"stays.yaml": large_text}])
    for name, raw in ((".env", b"WHARF=1\n" * SMALL), ("was.yaml", b"b: 2\n"), ("is.yaml", large_text)):
        (tmp_path / "tree" / name).write_bytes(raw)
    (tmp_path / "tree/stays.yaml").write_bytes(large_text.replace(b"1", b"2"))
    with Node.open(tmp_path / "tree") as node:
        body = node.search("WHARF", globs=[".env"], budget_tokens=400).to_dict()
        assert body["match_total"] == SMALL
        for name in ("was.yaml", "is.yaml", "stays.yaml"):
            text = node.ask({"path": name, "since": "HEAD", "budget_tokens": 200}, text=True).text
            assert " changed since " in text.partition("\n")[0]


def test_a_pointer_into_a_large_file_takes_no_more_than_its_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Dereferencing lines of a file that is not held never holds it, and gives what it would give then."""
    [first] = make_repo(tmp_path, [{b"pump.log": rows(2_000), b"old.log": "größer\n".encode("cp1252") * 2_000}])
    pointers = [f"pump.log@{first}#L7-L9", f"pump.log@{first}#L1-L2000", f"pump.log@{first}#L1999-L3000"]
    with Node.open(tmp_path) as node:
        monkeypatch.setattr(limits, "BIG_BYTES", 1 << 30)
        held = [node.dereference(pointer).content for pointer in (*pointers, f"old.log@{first}#L3")]
        monkeypatch.setattr(limits, "BIG_BYTES", SMALL)
        assert node.dereference(f"old.log@{first}#L3").content == held[3]
        monkeypatch.setattr(make, "text_of", lambda raw: pytest.fail("all of it was held"))
        assert [node.dereference(pointer).content for pointer in pointers] == held[:3]
