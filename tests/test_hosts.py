"""The hook for pre-commit and the GitHub Action, run as their hosts run them, on a repository with pointers."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from repos import ENVIRONMENT, make_repo, write

TOP = Path(__file__).resolve().parent.parent
RUN = "import sys; from budgeted_reads.cli.main import main; sys.exit(main())"
NAS = f'#!/bin/sh\nexec {sys.executable} -P -c {shlex.quote(RUN)} "$@"\n'


class Desk:
    """A repository of documents, and a runner's folder in which this installation stands for the action's own."""

    def __init__(self, folder: Path) -> None:
        self.place = folder / "work"
        self.temporary = folder / "runner"
        (self.first,) = make_repo(self.place, [{b"code.py": b"def add(a, b):\n    return a + b\n"}])
        programs = self.temporary / "nas" / "bin"
        programs.mkdir(parents=True)
        (programs / "python").symlink_to(sys.executable)
        (programs / "nas").write_text(NAS)
        (programs / "nas").chmod(0o755)
        good = f"It adds: `return a + b` (code.py@{self.first}#L2).\n".encode()
        bad = f"It says `return a * b, always` (code.py@{self.first}#L2).\n".encode()
        write(self.place, {b"good.md": good, b"-dash.md": good, b"docs/deep/a b.md": good, b"bad/bad.md": bad})
        (self.place / "folder.md").mkdir()

    def run(self, words: list[str], **more: str) -> tuple[int, str]:
        """Exit code and output of WORDS in the work tree."""
        paths = f"{self.temporary / 'nas' / 'bin'}{os.pathsep}{ENVIRONMENT['PATH']}"
        ours = {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path), "RUNNER_TEMP": str(self.temporary)}
        state = {name: str(self.temporary) for name in ("XDG_CACHE_HOME", "XDG_STATE_HOME")}
        environment = {**ENVIRONMENT, **ours, **state, "PATH": paths, **more}
        done = subprocess.run(words, cwd=self.place, env=environment, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    def action(self, **inputs: str) -> tuple[int, str]:
        """The step of the action that checks, with INPUTS, as a runner runs it."""
        action = yaml.safe_load((TOP / "action.yml").read_text(encoding="utf-8"))
        values = {f"inputs.{name}": str(said["default"]) for name, said in action["inputs"].items()}
        values |= {f"inputs.{name}": value for name, value in inputs.items()}
        step = action["runs"]["steps"][-1]
        variables = {name: expanded(said, values) for name, said in step["env"].items()}
        script = self.temporary / "step.sh"
        script.write_text(expanded(step["run"], values), encoding="utf-8")
        return self.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)], **variables)

    def hook(self, *names: str, args: list[str] | None = None) -> tuple[int, str]:
        """The hook on files with those NAMES, as pre-commit runs it, with ARGS where its user gives some."""
        (hook,) = yaml.safe_load((TOP / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
        return self.run([*shlex.split(hook["entry"]), *(hook["args"] if args is None else args), *names])


def expanded(text: str, values: dict[str, str]) -> str:
    """TEXT with the expressions of a workflow replaced, as a runner does before anything else."""
    return re.sub(r"\$\{\{\s*([\w.]+)\s*\}\}", lambda found: values[found[1]], text)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """A desk of its own."""
    return Desk(tmp_path)


def steps() -> list[dict[str, Any]]:
    """The steps of the action."""
    found: list[dict[str, Any]] = yaml.safe_load((TOP / "action.yml").read_text(encoding="utf-8"))["runs"]["steps"]
    return found


def test_no_input_is_ever_part_of_a_script() -> None:
    """What a workflow passes reaches a step as a variable, never as text of its script: nothing can be injected."""
    assert steps()
    for step in steps():
        assert "${{" not in step["run"]
        assert step["shell"] == "bash"


def test_the_action_passes_good_pointers(desk: Desk) -> None:
    """Files by name and by pattern count, spaces and dashes in names included; folders do not."""
    code, said = desk.action(files="good.md\n\n  docs/**/*.md\n-dash.md\nfolder.md\nnone/*.md")
    assert (code, said.count(" verified\n")) == (0, 3), said
    assert "3 pointers: 3 verified" in said
    assert desk.action(files="none/*.md") == (0, "no file to check\n")


def test_the_action_fails_on_a_false_pointer(desk: Desk) -> None:
    """By default every document is checked, and the row of the false one says where and why."""
    code, said = desk.action()
    assert code == 1
    assert re.search(r"^bad/bad\.md:1: code\.py@\w+#L2 quote differs", said, re.MULTILINE), said
    assert "4 pointers: 3 verified, 0 exist, 1 bad" in said


def test_the_action_is_strict_where_asked(desk: Desk) -> None:
    """Lines that have changed since fail only with `strict: true`."""
    write(desk.place, {b"code.py": b"def add(a, b):\n    return b + a + 0\n"})
    assert desk.action(files="good.md")[0] == 0
    assert desk.action(files="good.md", strict="true")[0] == 1


@pytest.mark.parametrize("name", ["$(touch x)", "`touch x`", "'; touch x; '", "CHECK\ntouch x\n", '"""; import os'])
def test_the_action_runs_nothing_that_it_is_given(desk: Desk, name: str) -> None:
    """A file named like a command is a name; modules of the checkout are not imported."""
    write(desk.place, {b"glob.py": b"raise SystemExit('imported')\n", b"json.py": b"raise SystemExit('imported')\n"})
    code, said = desk.action(files=name, strict=name)
    assert (code, said) == (0, "no file to check\n")
    assert desk.action(files="good.md", strict=name)[0] == 0
    assert not (desk.place / "x").exists()


def test_the_hook_tells_good_pointers_from_false_ones(desk: Desk) -> None:
    """It passes and fails as pre-commit expects, whatever the files are called, and takes options before them."""
    code, said = desk.hook("good.md", "-dash.md", "docs/deep/a b.md")
    assert (code, said.splitlines()[-1][:22]) == (0, "3 pointers: 3 verified"), said
    code, said = desk.hook("good.md", "bad/bad.md")
    assert (code, "bad/bad.md:1: code.py@" in said) == (1, True)
    assert desk.hook("good.md", args=["--strict", "--"])[0] == 0
