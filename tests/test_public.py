"""The public surface: its names, that it loads lazily, and what a process does not pay for."""

import subprocess
import sys
from pathlib import Path

import pytest

import budgeted_reads
from repos import make_repo

HEAVY = ("splintr", "msgspec", "markdown_it", "tree_sitter", "yaml", "mcp", "starlette", "uvicorn", "asyncio")
UNNEEDED = (
    "msgspec",
    "mcp",
    "starlette",
    "uvicorn",
    "asyncio",
    "subprocess",
    "typing_extensions",
    "importlib.metadata",
)
PROBE = "import sys\n{}\nprint('\\n'.join(sorted(sys.modules)))"


def imported(statement: str, cwd: Path | None = None) -> set[str]:
    """The modules that a fresh process holds after STATEMENT."""
    command = [sys.executable, "-I", "-c", PROBE.format(statement)]
    done = subprocess.run(command, cwd=cwd, capture_output=True, check=True, text=True, encoding="utf-8")
    return set(done.stdout.splitlines())


@pytest.fixture(scope="module")
def bare() -> set[str]:
    """What a process imports by itself, with the packages of this environment."""
    return imported("pass")


def test_the_public_names_are_these() -> None:
    """`__all__` is the surface; at most twenty names, each of them there and documented."""
    names = budgeted_reads.__all__
    assert names == ["Answer", "Dereferenced", "Node", "Pointer", "ReadError", "__version__", "parse_pointer"]
    assert len(names) <= 20
    for name in names:
        value = getattr(budgeted_reads, name)
        assert name == "__version__" or value.__doc__
        assert name in dir(budgeted_reads)
    with pytest.raises(AttributeError):
        _ = budgeted_reads.nothing


def test_public_methods_say_what_they_promise() -> None:
    """Every public method of the public classes has a docstring, and `py.typed` tells that types are there."""
    for name in ("Node", "Answer", "Dereferenced", "ReadError"):
        thing = getattr(budgeted_reads, name)
        for method, value in vars(thing).items():
            if not method.startswith("_") and callable(value):
                assert value.__doc__, f"{name}.{method}"
    assert (Path(budgeted_reads.__file__).parent / "py.typed").exists()


def test_importing_the_package_imports_nothing_heavy(bare: set[str]) -> None:
    """`import budgeted_reads` loads itself and its version; what its names need is loaded when one is asked for."""
    new = imported("import budgeted_reads") - bare
    assert {name for name in new if name.startswith("budgeted_reads")} <= {"budgeted_reads", "budgeted_reads.version"}
    assert not new.intersection(HEAVY)
    assert "budgeted_reads.node" in imported("from budgeted_reads import Node")


@pytest.mark.parametrize(
    ("arguments", "also"),
    [
        (["read", "a.md", "--budget", "400"], set()),
        (["read", "a.txt"], {"markdown_it", "tree_sitter", "yaml"}),
        (["read", "a.py"], {"markdown_it", "yaml"}),
        (["read", "."], {"markdown_it", "tree_sitter", "yaml"}),
        (["trees"], {"splintr", "markdown_it", "tree_sitter", "yaml"}),
    ],
    ids=str,
)
def test_a_command_imports_what_it_needs(tmp_path: Path, bare: set[str], arguments: list[str], also: set[str]) -> None:
    """A process of `nas read` pays for no server, no event loop, no other format's parser, no package metadata."""
    make_repo(tmp_path, [{b"a.md": b"# A\n", b"a.txt": b"text\n", b"a.py": b"x = 1\n"}])
    code = f"from budgeted_reads.cli.main import main; code = main({arguments!r}); assert code == 0"
    new = imported(code, tmp_path) - bare
    assert not new.intersection({*UNNEEDED, *also})
