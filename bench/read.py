"""What a read costs: whole processes beside a process that only counts, and warm reads beside the bare parse.

    python bench/read.py                 all tables, CPU time of the process and its children, minimum of the runs
    python bench/read.py --runs 31
    python bench/read.py --largest 1024      how time and memory grow, to a log and a table of so many MiB (default 64)
    python bench/read.py --files 50000       a folder of so many files beside `git ls-files` (default 5000)

Bytecode is compiled first (PYTHONDONTWRITEBYTECODE is not inherited). `cold` has an empty cache, `warm` the same
command once more. Figures are ratios of
things run in turn, so a busy machine slows both.
"""

import argparse
import math
import os
import resource
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from budgeted_reads import Node, tokens
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


def cpu_of(arguments: list[str], folder: str, cache: str) -> float:
    """CPU milliseconds of one whole process and its children, with the CACHE that it may use."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    environment["XDG_CACHE_HOME"] = cache
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(arguments, cwd=folder, env=environment, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def in_turn(commands: dict[str, list[str]], folder: str, runs: int) -> dict[str, float]:
    """The least CPU time of each command, run in turn."""
    best = dict.fromkeys(commands, float("inf"))
    for _ in range(runs + 1):
        for name, command in commands.items():
            with tempfile.TemporaryDirectory() as cache:
                best[name] = min(best[name], cpu_of(command, folder, cache))
                if name == "read":
                    best["warm"] = min(best.get("warm", float("inf")), cpu_of(command, folder, cache))
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
        print(f"{'whole process, CPU ms':24} {'cold':>6} {'count':>6} {'more':>6} {'warm':>6}  beside bare Python")
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
            cold, count, warm_ = best["read"], best["count"], best["warm"]
            python = best["python"]
            print(
                f"{name + f', {size} kB':24} {cold:6.0f} {count:6.0f} {cold - count:+6.0f} {warm_:6.0f}"
                f"  cold {cold / python:.1f} x, warm {warm_ / python:.1f} x"
            )


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


def repository(folder: str) -> None:
    """Make FOLDER, with what it holds, a repository of one commit."""
    who = ["-c", "user.name=b", "-c", "user.email=b", "-c", "core.autocrlf=false", "-c", "gc.auto=0"]
    who += ["-c", "maintenance.auto=false"]
    for arguments in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "."]):
        subprocess.run(["git", *who, *arguments], cwd=folder, check=True)


def measured(arguments: list[str], folder: str) -> tuple[float, float]:
    """CPU milliseconds and peak memory in MiB of one process and its children."""
    script = (
        "import resource, subprocess, sys\n"
        "subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)\n"
        "r = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
        "print(1000 * (r.ru_utime + r.ru_stime), r.ru_maxrss / 1024)\n"
    )
    out = subprocess.run([sys.executable, "-c", script, *arguments], cwd=folder, check=True, capture_output=True)
    cpu, memory = out.stdout.split()
    return float(cpu), float(memory)


def growth(largest: int) -> None:
    """Cold and warm `nas read` of logs and tables from 1 kB to LARGEST MiB, beside git reading and hashing the blob."""
    nas = str(Path(sysconfig.get_path("scripts")) / "nas")
    sizes = [2**10, 2**14, 2**17, 2**20, *(2**20 * size for size in (8, 64, 256, 1024) if size <= largest)]
    log = "2026-11-30T10:00:%02d INFO request %d of client %d served in %d ms\n"
    table = "%d,berth %d,%d.5,free\n"
    for name, row in (("log", log), ("csv", table)):
        line = "".join(
            row % ((number % 60, *[number] * 3) if name == "log" else (number, number, number))
            for number in range(4000)
        )
        before: tuple[int, float] | None = None
        for size in sizes:
            with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as cache:
                raw = (line * (size // len(line) + 1))[:size].rpartition("\n")[0] + "\n"
                (Path(folder) / f"big.{name}").write_text(raw, encoding="utf-8")
                del raw
                repository(folder)
                os.environ["XDG_CACHE_HOME"] = cache
                command = [nas, "read", f"big.{name}", "--budget", "400"]
                cold, memory = measured(command, folder)
                warm, _ = measured(command, folder)
                blob = ["sh", "-c", f"git cat-file blob HEAD:big.{name} | sha256sum"]
                git, _ = measured(blob, folder)
            slope = f", slope {math.log(cold / before[1]) / math.log(size / before[0]):.2f}" if before else ""
            print(
                f"{name} {size / 2**20:9.3f} MiB: cold {cold:6.0f} ms, warm {warm:6.0f} ms, {memory:4.0f} MiB,"
                f" {cold / git:6.1f} x git and sha256sum{slope}",
                flush=True,
            )
            before = size, cold


def folders(files: int) -> None:
    """`nas read .` on a tree of FILES files, beside `git ls-files`."""
    nas = str(Path(sysconfig.get_path("scripts")) / "nas")
    with tempfile.TemporaryDirectory() as folder:
        for number in range(files):
            place = Path(folder) / f"part{number // 500}" / f"group{number // 50 % 10}"
            place.mkdir(parents=True, exist_ok=True)
            (place / f"file{number}.py").write_text(f"def tide{number}():\n    return {number}\n", encoding="utf-8")
        repository(folder)
        read = min(measured([nas, "read", ".", "--budget", "1000"], folder) for _ in range(3))
        git = min(measured(["git", "ls-files"], folder) for _ in range(3))
        print(f"folder of {files} files: {read[0]:.0f} ms CPU, {read[1]:.0f} MiB; git ls-files {git[0]:.0f} ms")


def node_times(folder: str, name: str, budget: int, runs: int) -> tuple[float, float]:
    """CPU milliseconds of the first read of NAME by a node without a cache, and the least of RUNS more."""
    with tempfile.TemporaryDirectory() as cache:
        os.environ["XDG_CACHE_HOME"] = cache
        with Node.open(folder) as node:
            node.read("tiny.py", budget_tokens=100)
            spent = []
            for _ in range(runs + 1):
                start = time.process_time()
                node.read_text(name, budget_tokens=budget)
                spent.append(1000 * (time.process_time() - start))
    return spent[0], min(spent[1:])


def slopes(runs: int) -> None:
    """How the time of a read grows with the entries of a file and with the budget, in a node that runs."""
    counts, budgets = (100, 1000, 10_000, 50_000), (100, 1000, 10_000, 100_000)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "tiny.py").write_text("x = 1\n", encoding="utf-8")
        for count in counts:
            rows = (f"def tide{number}(berth):\n    return berth + {number}\n\n" for number in range(count))
            (Path(folder) / f"f{count}.py").write_text("".join(rows), encoding="utf-8")
        repository(folder)
        rows_of = [(f"{count} entries, N=400", count, f"f{count}.py", 400) for count in counts]
        rows_of += [(f"10000 entries, N={budget}", budget, "f10000.py", budget) for budget in budgets]
        before: tuple[int, float, float] | None = None
        for label, size, name, budget in rows_of:
            first, again = node_times(folder, name, budget, runs)
            grown = ""
            if before is not None and before[0] < size:
                step = math.log(size / before[0])
                grown = f", slopes {math.log(first / before[1]) / step:.2f} {math.log(again / before[2]) / step:.2f}"
            print(f"{label:26} first {first:8.1f} ms, again {again:7.1f} ms{grown}", flush=True)
            before = size, first, again


def main() -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--largest", type=int, default=64)
    parser.add_argument("--files", type=int, default=5000)
    parsed = parser.parse_args()
    processes(parsed.runs)
    warm(parsed.runs)
    slopes(parsed.runs)
    growth(parsed.largest)
    folders(parsed.files)
    return 0


if __name__ == "__main__":
    sys.exit(main())
