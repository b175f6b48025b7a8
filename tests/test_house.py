"""Rules of the house that no other tool holds."""

import ast
import re
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((TOP / "pyproject.toml").read_text(encoding="utf-8"))
LOCKS = ("requirements.txt", "requirements-dev.txt")
SOURCES = sorted((TOP / "src").rglob("*.py"))
TESTS = sorted(path for path in (TOP / "tests").rglob("test_*.py") if "cases" not in path.parts)


def plain(requirement: str) -> str:
    """The normal form of the name in a requirement."""
    return re.sub(r"[-_.]+", "-", re.split(r"[^\w.-]", requirement, maxsplit=1)[0]).lower()


def locked(file: str) -> dict[str, str]:
    """Names and versions in a locked file."""
    return dict(re.findall(r"^([\w.-]+)==(\S+)", (TOP / file).read_text(encoding="utf-8"), re.MULTILINE))


@pytest.mark.parametrize("file", LOCKS)
def test_a_lock_names_packages_by_hash_and_no_place(file: str) -> None:
    """A locked file holds pinned packages and their hashes: no host, no index, no path, no option."""
    for line in (TOP / file).read_text(encoding="utf-8").splitlines():
        assert re.fullmatch(r"[\w.-]+==\S+( ; .+)? \\|    --hash=sha256:[0-9a-f]{64}( \\)?", line), line
        assert "://" not in line


def test_the_locks_hold_what_the_project_needs() -> None:
    """Every dependency of pyproject.toml is locked, at one version in both files (`tools/lock` remakes them)."""
    run, dev = locked(LOCKS[0]), locked(LOCKS[1])
    groups = PROJECT["dependency-groups"]
    assert {plain(name) for name in [*PROJECT["project"]["dependencies"], *groups["build"]]} <= set(run)
    assert {plain(name) for name in groups["dev"] if isinstance(name, str)} <= set(dev)
    assert run.items() <= dev.items()


@pytest.mark.parametrize("page", ["NOTICE", "docs/parts.md"])
def test_every_part_is_named(page: str) -> None:
    """Each run-time dependency is named where licences, and where reasons, are given."""
    text = (TOP / page).read_text(encoding="utf-8")
    assert not [name for name in PROJECT["project"]["dependencies"] if plain(name) not in text.lower()]


def test_what_is_imported_is_what_is_required() -> None:
    """Each run-time dependency is named by the source, and no other package is imported by it."""
    homes = {module: {plain(name) for name in names} for module, names in packages_distributions().items()}
    source = "\n".join(path.read_text(encoding="utf-8") for path in SOURCES)
    # A requirement for one platform holds back what another part brings: nothing imports it.
    required = {plain(name) for name in PROJECT["project"]["dependencies"] if ";" not in name}
    named = {name for module, names in homes.items() for name in names if re.search(rf"\b{module}\b", source)}
    imported = set(re.findall(r"^\s*(?:from|import) (\w+)", source, re.MULTILINE)) & set(homes)
    assert required <= named
    allowed = {plain(name) for name in PROJECT["project"]["dependencies"]} | {"budgeted-reads"}
    assert {min(homes[module]) for module in imported} <= allowed


def test_no_source_file_holds_two_ideas() -> None:
    """No file of the source has more than 400 lines."""
    assert not [path.name for path in SOURCES if len(path.read_text(encoding="utf-8").splitlines()) > 400]


@pytest.mark.parametrize("path", TESTS, ids=lambda path: str(path.relative_to(TOP)))
def test_every_test_states_its_promise(path: Path) -> None:
    """The docstring of each test function says what it keeps."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n.name.startswith("test_")]
    assert not [function.name for function in functions if not ast.get_docstring(function)]


def test_every_module_says_what_it_is_for() -> None:
    """Each module of the source starts with a paragraph on its responsibility; empty packages aside."""
    texts = {path: path.read_text(encoding="utf-8") for path in SOURCES}
    assert not [path.name for path, text in texts.items() if text.strip() and not ast.get_docstring(ast.parse(text))]
