"""The loader of the extra `grammars`: only what the wheel names is ever loaded, wherever it was kept."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from budgeted_reads.outline import grammars
from budgeted_reads.outline.grammar import _EXTRA
from budgeted_reads.outline.registry import outline
from budgeted_reads.text import decode

LUA = b"function open() end\n"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's cache folder, empty."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "budgeted-reads" / "grammars"


def digest(name: str) -> str:
    return grammars.libraries()[name].digest


@pytest.mark.parametrize("name", sorted(_EXTRA.values()))
def test_the_extra_holds_every_language_that_needs_it(name: str) -> None:
    """Each is in the wheel, with the hash of its library."""
    assert len(digest(name)) == 64


def test_a_library_is_kept_for_its_user_alone(cache: Path) -> None:
    """In a folder of mode 0700, under the name of its own hash, and nothing else beside it."""
    assert grammars.load("lua").node_kind_count > 0
    assert stat.S_IMODE(cache.stat().st_mode) == 0o700
    assert [path.name for path in cache.iterdir()] == [f"{digest('lua')}.so"]
    assert stat.S_IMODE((cache / f"{digest('lua')}.so").stat().st_mode) == 0o600


@pytest.mark.parametrize("planted", [b"", b"\x7fELF", b"torn"])
def test_what_was_planted_is_replaced_before_it_is_loaded(cache: Path, planted: bytes) -> None:
    """A file of other content under the right name is never run: the wheel's own stands there afterwards."""
    grammars.load("lua")
    place = cache / f"{digest('lua')}.so"
    good = place.read_bytes()
    place.unlink()  # This process has mapped the file: it must not change under it.
    place.write_bytes(planted + (good[: len(good) // 2] if planted == b"torn" else b""))
    assert grammars.load("lua").node_kind_count > 0
    assert place.read_bytes() == good


def test_a_link_that_was_planted_is_replaced(cache: Path, tmp_path: Path) -> None:
    """What it points at is left alone."""
    grammars.load("lua")
    place, other = cache / f"{digest('lua')}.so", tmp_path / "other"
    other.write_bytes(b"mine")
    place.unlink()
    place.symlink_to(other)
    assert grammars.load("lua").node_kind_count > 0
    assert not place.is_symlink()
    assert other.read_bytes() == b"mine"


def test_without_a_folder_of_its_own_nothing_is_written(cache: Path) -> None:
    """A cache folder that others may write to is not used: the library is loaded from memory."""
    cache.mkdir(parents=True)
    cache.chmod(0o777)
    assert grammars.load("lua").node_kind_count > 0
    assert list(cache.iterdir()) == []


def test_an_archive_that_is_not_what_its_manifest_names_is_refused() -> None:
    """With words that say what to do, and without running it."""
    library = grammars.libraries()["lua"]._replace(digest="0" * 64)
    with pytest.raises(LookupError, match="install it again"):
        grammars.language(library, None)


def test_without_the_extra_the_file_is_plain_text_and_the_extra_is_named() -> None:
    """`no_outline` says what to install; languages with a wheel of their own are not concerned."""
    program = (
        "import sys; sys.modules['semble_grammars'] = None\n"
        "from importlib.util import find_spec\n"
        "from budgeted_reads.outline import grammars, grammar\n"
        "grammars.PACKAGE = 'semble_grammars_that_is_not_there'\n"
        "from budgeted_reads.outline.registry import outline\n"
        "from budgeted_reads.text import decode\n"
        "made = outline(decode(b'function open() end\\n'), b'a.lua')\n"
        "print(made.style, *made.warnings[0])\n"
        "print(outline(decode(b'def open; end\\n'), b'a.rb').style)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=os.environ)
    first, second = done.stdout.splitlines()
    assert first.startswith("plain no_outline lua files need the extra budgeted-reads[grammars]")
    assert second == "code"


def test_a_grammar_of_the_extra_makes_an_outline() -> None:
    """The way from a path to its entries is the same as for any other language."""
    made = outline(decode(LUA), b"a.lua")
    assert [(entry.kind, entry.title) for entry in made.entries] == [("function", "open")]
    assert made.warnings == ()
