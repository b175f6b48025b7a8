"""The examples in the project's pages, run for real, so that they stay true.

A ```console block is run if the line above it is a comment that names a folder of `tests/fixtures/`:

    <!-- run: cwd=spec -->

That folder becomes a git repository of the same name, with fixed identity and dates, so commit ids are the same on
every machine. Each line that begins with `$ ` is a command for `sh`, run there; what follows is all that it prints. A
block that cannot be run here says why: `<!-- not run: it needs a server -->`.

A ```python block with `>>>` in it is a doctest. The examples of a page share their names and run in the folder that
holds those repositories, so `Node.open("spec")` opens one.

    python tests/docexamples.py            say which examples are no longer true
    python tests/docexamples.py --write    put in what the commands print now, and look at the difference
"""

import doctest
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))

from casekit.build import GIT_ENV, commit_all

TOP = Path(__file__).resolve().parent.parent
FIXTURES = TOP / "tests" / "fixtures"
DATA = ("tests/cases", "tests/fixtures")  # pages that are data, not the project's word

BLOCK = re.compile(
    r"(?:^<!-- (?P<note>[^\n]*) -->\n+)?^```(?P<language>\w+)\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE
)


class Block(NamedTuple):
    """One fenced block of a page: its language, its text, the comment above it, and where its text stands."""

    page: Path
    language: str
    text: str
    note: str
    start: int
    end: int

    @property
    def name(self) -> str:
        """The page and the line of the block, for messages."""
        line = self.page.read_text(encoding="utf-8").count("\n", 0, self.start)
        return f"{self.page.relative_to(TOP)}:{line}"

    @property
    def repository(self) -> str:
        """The repository that its commands run in, empty where they are not to be run."""
        match = re.fullmatch(r"run: cwd=([\w-]+)", self.note)
        return match[1] if match else ""


def pages() -> list[Path]:
    """Every page of the project, pages that are test data aside."""
    words = ["git", "-C", str(TOP), "ls-files", "-z", "--cached", "--others", "--exclude-standard", "*.md"]
    listed = subprocess.run(words, check=True, capture_output=True)
    names = [name for name in listed.stdout.decode("utf-8").split("\0") if name and not name.startswith(DATA)]
    return [TOP / name for name in names]


def blocks(page: Path) -> list[Block]:
    """The fenced blocks of PAGE that name a language."""
    text = page.read_text(encoding="utf-8")
    return [
        Block(page, match["language"], match["text"], match["note"] or "", match.start("text"), match.end("text"))
        for match in BLOCK.finditer(text)
    ]


def console_blocks() -> list[Block]:
    """Every block of every page that shows a `nas` command, or that is to be run."""
    found = (block for page in pages() for block in blocks(page))
    return [block for block in found if block.language == "console" and (block.repository or "$ nas " in block.text)]


def make_repositories(where: Path) -> None:
    """Make a repository in WHERE of each folder of fixtures."""
    for folder in sorted(FIXTURES.iterdir()):
        shutil.copytree(folder, where / folder.name)
        commit_all(where / folder.name)


def environment(home: Path) -> dict[str, str]:
    """An environment with HOME, the command on its path and no configuration of the machine."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "NAS_"))}
    return {**kept, **GIT_ENV, "HOME": str(home), "PATH": path}


def rerun(block: Block, where: Path, home: Path) -> str:
    """The text of BLOCK with what its commands print now."""
    commands = [line for line in block.text.splitlines() if line.startswith("$ ")]
    return "".join(f"{command}\n{printed(command[2:], where / block.repository, home)}" for command in commands)


def printed(command: str, folder: Path, home: Path) -> str:
    """All that COMMAND prints in FOLDER, ending in a line end."""
    run = subprocess.run(
        ["sh", "-c", command],
        cwd=folder,
        env=environment(home),
        check=False,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    return run.stdout if not run.stdout or run.stdout.endswith("\n") else run.stdout + "\n"


def doctest_of(page: Path) -> doctest.DocTest | None:
    """The Python examples of PAGE as one test, None where it has none."""
    shown = [block for block in blocks(page) if block.language == "python" and ">>>" in block.text]
    if not shown:
        return None
    name = str(page.relative_to(TOP))
    return doctest.DocTestParser().get_doctest("\n".join(block.text for block in shown), {}, name, str(page), 0)


def stale(where: Path, home: Path) -> Iterator[tuple[Block, str]]:
    """Each console block that is to be run and does not print what it shows, with what it prints."""
    for block in console_blocks():
        if block.repository:
            now = rerun(block, where, home)
            if now != block.text:
                yield block, now


def main(arguments: list[str]) -> int:
    """Say which console examples are stale, or write them anew."""
    with tempfile.TemporaryDirectory() as name:
        where, home = Path(name) / "repositories", Path(name) / "home"
        where.mkdir()
        home.mkdir()
        make_repositories(where)
        found = list(stale(where, home))
    for block, now in reversed(found):
        print(f"{block.name} prints something else now")
        if arguments == ["--write"]:
            text = block.page.read_text(encoding="utf-8")
            block.page.write_text(text[: block.start] + now + text[block.end :], encoding="utf-8")
    return 1 if found and arguments != ["--write"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
