"""What a read costs: whole processes beside a process that only counts, and warm reads beside the bare parse.

    python bench/read.py                 both tables, CPU time of the process and its children, minimum of the runs
    python bench/read.py --runs 31

Bytecode is compiled first (PYTHONDONTWRITEBYTECODE is not inherited), nothing else is cached. Figures are ratios of
things run in turn, so a busy machine slows both.
"""

import argparse
import os
import resource
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from budgeted_reads import tokens
from budgeted_reads.outline.registry import outline
from budgeted_reads.text import decode
from budgeted_reads.views.ask import Ask
from budgeted_reads.views.face import Face, Heading
from budgeted_reads.views.read import read
from budgeted_reads.views.sheet import Sheet

COUNT = (
    "import sys, splintr\n"
    "text = open(sys.argv[1], encoding='utf-8').read()\n"
    "print(len(splintr.Tokenizer.from_pretrained('o200k_base').encode_ordinary(text)))\n"
)
LINES = 1600


def cpu_of(arguments: list[str], folder: str) -> float:
    """CPU milliseconds of one whole process and its children."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(arguments, cwd=folder, env=environment, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def in_turn(commands: dict[str, list[str]], folder: str, runs: int) -> dict[str, float]:
    """The least CPU time of each command, run in turn."""
    best = dict.fromkeys(commands, float("inf"))
    for _ in range(runs + 1):
        for name, command in commands.items():
            best[name] = min(best[name], cpu_of(command, folder))
    return best


def processes(runs: int) -> None:
    """`nas read` of a Markdown and of a Python file, beside a process that counts the same file."""
    nas = str(Path(sysconfig.get_path("scripts")) / "nas")
    with tempfile.TemporaryDirectory() as folder:
        page = Path(__file__).resolve().parent.parent / "docs" / "contract.md"
        (Path(folder) / "page.md").write_bytes(page.read_bytes())
        (Path(folder) / "code.py").write_bytes(_python(600))
        for arguments in (
            ["init", "-q"],
            ["add", "-A"],
            ["-c", "user.name=b", "-c", "user.email=b", "commit", "-qm", "."],
        ):
            subprocess.run(["git", *arguments], cwd=folder, check=True)
        print(f"{'whole process, CPU ms':32} {'nas read':>9} {'count':>9} {'more':>7} {'x python':>9}")
        for name in ("page.md", "code.py"):
            best = in_turn(
                {
                    "read": [nas, "read", name, "--budget", "400"],
                    "count": [sys.executable, "-c", COUNT, name],
                    "python": [sys.executable, "-c", "pass"],
                },
                folder,
                runs,
            )
            size = (Path(folder) / name).stat().st_size // 1000
            more, times = best["read"] - best["count"], best["read"] / best["python"]
            print(f"{name + f', {size} kB':32} {best['read']:9.0f} {best['count']:9.0f} {more:+7.0f} {times:8.1f}x")


def _python(lines: int) -> bytes:
    source = Path(argparse.__file__).read_bytes().splitlines(keepends=True)
    return b"".join(source[:lines])


def warm(runs: int) -> None:
    """A warm read in process of a Python file, nothing cached but the vocabulary, beside the bare parse."""
    import tree_sitter
    import tree_sitter_python

    raw = _python(LINES)
    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_python.language()))
    face = Face(tokens.counter("o200k_base"), "code", Heading(b"argparse.py", "0123456789ab"))

    def one(budget: int) -> Callable[[], object]:
        def run() -> object:
            text = decode(raw)
            return read(Sheet(text, outline(text, b"argparse.py")), Ask(budget=budget), face)

        return run

    for budget in (200, 2000):
        one(budget)()
        rows = {"parse": lambda: parser.parse(raw), "read": one(budget)}
        best = dict.fromkeys(rows, float("inf"))
        for _ in range(runs):
            for name, run in rows.items():
                start = time.process_time()
                run()
                best[name] = min(best[name], 1000 * (time.process_time() - start))
        ratio = best["read"] / best["parse"]
        cost = f"read {best['read']:.1f} ms, parse {best['parse']:.1f} ms, {ratio:.2f} x"
        print(f"warm, {LINES} lines, N={budget:5}: {cost}")


def main() -> int:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=15)
    parsed = parser.parse_args()
    processes(parsed.runs)
    warm(parsed.runs)
    return 0


if __name__ == "__main__":
    sys.exit(main())
