"""What outlines cost beside the bare parse of the same text, what a child adds, and large files beside git.

    python bench/formats.py                  ratios in one process, CPU time, minimum of the runs
    python bench/formats.py --stream 1024    also files of so many MiB through `nas read`, with the memory that it takes

Bars: code 1.5, Markdown 1.3, YAML 1.5, CSV 0.8 times the bare parse; a large file 3 times `git cat-file | sha256sum`.
"""

import argparse
import csv
import io
import os
import subprocess
import sysconfig
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import yaml
from markdown_it import MarkdownIt

from budgeted_reads.cache import unsealed
from budgeted_reads.outline import registry
from budgeted_reads.outline.grammar import parse
from budgeted_reads.outline.plainly import unpack
from budgeted_reads.text import Text, decode
from budgeted_reads.workers import Bounds, Workers, forked

HERE = Path(__file__).resolve().parent.parent
ROWS = 60_000


def least(call: Callable[[], object], runs: int) -> float:
    """The least CPU milliseconds of CALL."""
    best = float("inf")
    for _ in range(runs):
        began = time.process_time()
        call()
        best = min(best, time.process_time() - began)
    return best * 1000


def fresh(raw: bytes, name: bytes) -> Callable[[], object]:
    """The outline of RAW from a text of which nothing is known yet."""
    text = decode(raw)

    def call() -> object:
        return registry.outline(Text(text.raw, text.content, text.encoding), name)

    return call


def events(content: str) -> int:
    """The bare pass over YAML."""
    return sum(1 for _ in yaml.parse(content, yaml.CSafeLoader))


def records(table: str) -> int:
    """The bare pass over CSV."""
    return sum(1 for _ in csv.reader(io.StringIO(table, newline="")))


def samples() -> Iterator[tuple[str, float, bytes, bytes, Callable[[], object]]]:
    """Name, bar, text, file name and bare parse of each row."""
    code = (HERE / "src/budgeted_reads/outline/code.py").read_bytes() * 4
    yield "code, Python", 1.5, code, b"a.py", lambda: parse("python", code)
    page = (HERE / "docs/contract.md").read_text(encoding="utf-8") * 8
    block = MarkdownIt("commonmark").enable(["table", "strikethrough"]).disable("inline")
    yield "Markdown", 1.3, page.encode(), b"a.md", lambda: block.parse(page)
    service = (
        "---\nkind: Service\nmeta:\n  name: s{0}\n  labels: {{app: a{0}, tier: b}}\nports:\n  - port: {0}\n    to: 80\n"
    )
    lists = "".join(f"group{at}:\n" + f"  - item of {at}\n" * 50 for at in range(400))
    for name, content in (
        ("YAML, manifests", "".join(service.format(at) for at in range(1500))),
        ("YAML, many keys", "".join(f"key_{at}: value {at}\n" for at in range(15_000))),
        ("YAML, lists", lists),
    ):
        yield name, 1.5, content.encode(), b"a.yaml", partial(events, content)
    for name, row in (
        ("CSV, no quotes", "{0},name {0},Lisbon,{0}.50,2024-01-02\n"),
        ("CSV, quotes", '{0},"name, {0}",Lisbon,{0}.50,2024-01-02\n'),
        ("CSV, lines in cells", '{0},"name, {0}","one\ntwo ""x"" {0}",{0}.50,2024-01-02\n'),
    ):
        table = "id,name,city,amount,date\n" + "".join(row.format(at) for at in range(ROWS))
        yield name, 0.8, table.encode(), b"a.csv", partial(records, table)


def ratios(runs: int) -> None:
    """Every format beside the bare parse of the same text."""
    print(f"{'outline':22} {'MB':>5} {'bare ms':>8} {'ours ms':>8} {'ratio':>6} {'bar':>5}")
    for name, bar, raw, path, bare in samples():
        alone, ours = least(bare, runs), least(fresh(raw, path), runs)
        print(f"{name:22} {len(raw) / 1e6:5.1f} {alone:8.1f} {ours:8.1f} {ours / alone:6.2f} {bar:5.1f}")


def children(runs: int) -> None:
    """What it adds to make the outline of a Python file in a child: a fork, or one that is warm."""
    text = decode((HERE / "src/budgeted_reads/text.py").read_bytes())
    workers = Workers(forks=False)
    ways: dict[str, Callable[[], object]] = {
        "fork": lambda: unpack(unsealed(forked(registry.outline, text, b"a.py", Bounds()))),
        "warm child": lambda: workers.outline(text, b"a.py"),
    }
    for name, make in ways.items():
        registry.outline(text, b"a.py")
        make()
        best, alone = float("inf"), float("inf")
        for _ in range(runs * 3):
            began = time.perf_counter()
            make()
            best = min(best, time.perf_counter() - began)
            began = time.perf_counter()
            registry.outline(text, b"a.py")
            alone = min(alone, time.perf_counter() - began)
        print(
            f"{name:22} {1000 * best:8.2f} ms, in process {1000 * alone:.2f} ms, added {1000 * (best - alone):.2f} ms"
        )
    workers.close()


def lines_of(kind: str, first: int) -> str:
    """Five thousand lines or records of a large file."""
    numbers = range(first, first + 5000)
    if kind == "log":
        return "".join(
            f"2026-11-30 10:{at % 60:02}:00 INFO pump-{at % 7} request {at} took {at % 900} ms\n" for at in numbers
        )
    if kind == "csv":
        return "".join(f'{at},"name, {at}","one\ntwo ""x""",{at}.50,2024-01-02\n' for at in numbers)
    return "".join(f'  {{"id": {at}, "name": "n{at}", "tags": ["a", "b"]}},\n' for at in numbers)


def stream(mebibytes: int) -> None:
    """Files of that size through a whole `nas read`, beside git and sha256sum over the same blob: CPU, then memory."""
    nas = str(Path(sysconfig.get_path("scripts")) / "nas")
    who = ["-c", "user.name=bench", "-c", "user.email=bench@example.invalid"]
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "XDG_CACHE_HOME": f"{folder}/.cache", "XDG_STATE_HOME": f"{folder}/.state"}
        tree = Path(folder) / "tree"
        tree.mkdir()
        for kind in ("log", "csv", "json"):
            with (tree / f"big.{kind}").open("w", encoding="utf-8") as file:
                at = 0
                while file.tell() < mebibytes << 20:
                    at += file.write(lines_of(kind, at)) and 5000
        for command in (["init", "-q"], ["add", "-A"], [*who, "commit", "-qm", "big"]):
            subprocess.run(["git", *command], cwd=tree, check=True)
        for kind in ("log", "csv", "json"):
            git = usage(["sh", "-c", f"git cat-file blob HEAD:big.{kind} | sha256sum"], tree, environment)
            ours = usage([nas, "read", f"big.{kind}", "--budget-tokens", "400"], tree, environment)
            print(
                f"{mebibytes} MiB {kind:5} git {git[0]:6.2f} s CPU, nas {ours[0]:6.2f} s CPU, "
                f"ratio {ours[0] / git[0]:.2f}; clock {git[1]:.2f} s and {ours[1]:.2f} s; nas took {ours[2] >> 10} MiB"
            )


def usage(command: list[str], folder: Path, environment: dict[str, str]) -> tuple[float, float, int]:
    """Seconds of CPU and of the clock that COMMAND takes, children included, and the most KiB of one process."""
    began = time.perf_counter()
    child = subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"{command} ended with {child.returncode}")
    return used.ru_utime + used.ru_stime, time.perf_counter() - began, used.ru_maxrss


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=7, help="runs of each row, the least counts")
    parser.add_argument("--stream", type=int, metavar="MIB", help="also read files of so many MiB")
    given = parser.parse_args()
    ratios(given.runs)
    children(given.runs)
    if given.stream:
        stream(given.stream)


if __name__ == "__main__":
    main()
