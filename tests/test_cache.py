"""Derived data may vanish, rot or be shared at any time, and no answer is ever the worse for it."""

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from budgeted_reads import Node, derived, tokens
from budgeted_reads.cache import Disk, Recent, key
from budgeted_reads.derived import Derived
from budgeted_reads.outline.registry import outline
from budgeted_reads.text import decode
from budgeted_reads.tokens.remember import Remembered
from repos import make_repo
from rights import unprivileged, without_room

plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4).map(tuple),
    max_leaves=12,
)
SOURCE = b"import os\n\n\nclass A:\n    def b(self, c: int) -> int:\n        return c\n\n\ndef d():\n    pass\n" * 8


@settings(max_examples=40, deadline=None)
@given(plain)
def test_a_value_comes_back_as_it_was_stored(tmp_path_factory: pytest.TempPathFactory, value: object) -> None:
    """What was put is got, also by another opening of the same file."""
    folder = str(tmp_path_factory.mktemp("cache"))
    disk = Disk(folder)
    disk.put(b"k", (value,))
    assert disk.get(b"k") == (value,)
    disk.close()
    assert Disk(folder).get(b"k") == (value,)


def test_without_a_folder_nothing_is_stored_and_nothing_fails() -> None:
    """A node that has no place to write works without one."""
    disk = Disk(None)
    disk.put(b"k", 1)
    assert disk.get(b"k") is None


@pytest.mark.parametrize("garbage", [b"", b"no database", bytes(range(256)) * 64])
def test_a_damaged_file_is_a_miss(tmp_path: Path, garbage: bytes) -> None:
    """A file that is no database any more is made anew."""
    disk = Disk(str(tmp_path))
    disk.put(b"k", 1)
    disk.close()
    (file,) = tmp_path.glob("derived-*.sqlite")
    file.write_bytes(garbage)
    again = Disk(str(tmp_path))
    assert again.get(b"k") is None
    again.put(b"k", 2)
    assert again.get(b"k") in (2, None)
    again.close()
    assert Disk(str(tmp_path)).get(b"k") == 2


def test_a_damaged_value_is_a_miss(tmp_path: Path) -> None:
    """Bytes that do not have their own hash are never read."""
    disk = Disk(str(tmp_path))
    disk.put(b"k", ("a", 1))
    disk.close()
    (file,) = tmp_path.glob("derived-*.sqlite")
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE derived SET value = value || x'00'")
    connection.close()
    assert Disk(str(tmp_path)).get(b"k") is None


def test_the_file_may_be_deleted_while_it_is_used(tmp_path: Path) -> None:
    """Deleting the cache loses nothing, at any time."""
    disk = Disk(str(tmp_path))
    disk.put(b"k", 1)
    for file in tmp_path.iterdir():
        file.unlink()
    disk.put(b"l", 2)
    disk.close()
    again = Disk(str(tmp_path))
    again.put(b"m", 3)
    assert again.get(b"m") == 3


def test_the_file_keeps_to_its_bound(tmp_path: Path) -> None:
    """A file over its bound loses what was stored longest ago when it is opened next."""
    disk = Disk(str(tmp_path), 100_000)
    for number in range(40):
        disk.put(str(number).encode(), os.urandom(10_000))
    disk.close()
    again = Disk(str(tmp_path), 100_000)
    again.get(b"0")
    again.close()
    (file,) = tmp_path.glob("derived-*.sqlite")
    assert file.stat().st_size < 300_000


def test_recent_values_keep_to_their_bound() -> None:
    """Memory holds what was used last."""
    recent = Recent(100)
    for number in range(10):
        recent.put(str(number).encode(), number, 30)
        recent.get(b"0")
    assert recent.get(b"0") == 0
    assert recent.get(b"9") == 9
    assert recent.get(b"5") is None


def test_an_outline_comes_back_equal(tmp_path: Path) -> None:
    """An outline from the disk equals the one that was made, and is not made again."""
    text = decode(SOURCE)
    made: list[int] = []

    def make(given: object) -> object:
        made.append(1)
        return outline(text, b"a.py")

    first = Derived(str(tmp_path)).kept("blob", b"x/a.py", lambda: text, make)  # type: ignore[arg-type]
    second = Derived(str(tmp_path)).kept("blob", b"y/a.py", lambda: text, make)  # type: ignore[arg-type]
    assert first.sheet.outline == second.sheet.outline == outline(text, b"a.py")
    assert made == [1]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 10**7), min_size=4, max_size=4), st.sampled_from(tokens.NAMES))
def test_numbers_of_a_header_cost_by_their_length(numbers: list[int], name: str) -> None:
    """A header counted by the lengths of its numbers costs what a count of the whole says, by every tokenizer."""
    counter = tokens.counter(name)
    remembered = Remembered(counter, {}, {})
    first, second, third, fourth = numbers
    head, tail = "outline docs/a.md@4059e482592c#L3-L9", f" {first}/{second}t {third}L +{fourth} more 3-77 dirty\n"
    assert counter.units(head) + remembered.header_units(tail) == counter.units(head + tail)


def test_a_warm_command_loads_neither_grammar_nor_vocabulary(tmp_path: Path) -> None:
    """The second of two equal commands imports none of the heavy parts, and prints the same."""
    make_repo(tmp_path / "repo", [{b"a.py": SOURCE}])
    code = (
        "import sys\nfrom budgeted_reads.cli.main import main\n"
        "status = main(['read', 'a.py', '--budget', '150'])\n"
        "heavy = {'splintr', 'msgspec', 'markdown_it', 'tree_sitter', 'asyncio', 'subprocess', 'yaml', 'mcp'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)\nsys.exit(status)\n"
    )
    runs = [
        subprocess.run([sys.executable, "-c", code], cwd=tmp_path / "repo", capture_output=True, text=True, check=True)
        for _ in range(2)
    ]
    assert runs[0].stdout == runs[1].stdout
    assert "splintr" in runs[0].stderr
    assert runs[1].stderr.strip() == "[]"


def test_answers_are_the_same_with_and_without_a_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cold, warm and without a place for a cache, a read gives equal bytes."""
    make_repo(tmp_path / "repo", [{b"a.py": SOURCE}])

    def ask() -> list[str]:
        with Node.open(tmp_path / "repo") as node:
            return [node.read_text("a.py", budget_tokens=budget) for budget in (40, 90, 200, 1000)]

    cold = ask()
    assert ask() == cold
    monkeypatch.setenv("XDG_CACHE_HOME", "/proc/nowhere")
    monkeypatch.setenv("HOME", "/proc/nowhere")
    assert ask() == cold


def test_keys_tell_their_parts_apart() -> None:
    """Different parts make different keys."""
    assert len({key("a", "b"), key("ab"), key("a,b"), key(("a", "b")), key("b", "a")}) == 5


@pytest.mark.parametrize("most", [1024, 4096, 40_000])
def test_a_full_disk_costs_only_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    """Where nothing more can be written, cold and warm reads are answered as with room."""
    make_repo(tmp_path / "repo", [{b"a.py": SOURCE}])
    asked = ("read", "a.py", "--budget", "150")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "roomy"))
    wanted = unprivileged(*asked, place=tmp_path / "repo")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "full"))
    for _ in range(2):
        assert without_room(*asked, place=tmp_path / "repo", most=most) == wanted


def test_a_cache_that_cannot_be_written_is_still_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache without the right to write, empty or warm, changes no answer."""
    make_repo(tmp_path / "repo", [{b"a.py": SOURCE}])
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    asked = ("read", "a.py", "--budget", "150")
    wanted = unprivileged(*asked, place=tmp_path / "repo")
    (tmp_path / "empty").mkdir(mode=0o500)
    folders = [tmp_path / "empty", tmp_path / "cache", *(tmp_path / "cache").rglob("*")]
    kept = {path: path.stat().st_mode for path in folders}
    try:
        for path in folders:
            path.chmod(0o500 if path.is_dir() else 0o400)
        for cache in ("cache", "empty"):
            monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / cache))
            assert unprivileged(*asked, place=tmp_path / "repo") == wanted
    finally:
        for path, mode in kept.items():
            path.chmod(mode | 0o200)


def test_what_another_version_stored_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The outline that another version of the outlines has made of the same bytes is made anew."""
    make_repo(tmp_path / "repo", [{b"a.py": SOURCE}])
    made = []

    def ask() -> None:
        with Node.open(tmp_path / "repo") as node:
            made.append(node.read_text("a.py", budget_tokens=150))

    ask()
    monkeypatch.setattr(derived, "VERSIONS", "another")
    seen: list[bytes] = []
    monkeypatch.setattr(derived, "unpack", seen.append)
    ask()
    assert made[0] == made[1]
    assert not seen
