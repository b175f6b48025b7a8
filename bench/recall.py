"""How good is a view of one source file at N tokens, beside ctags and `head -c`, header included?

    python bench/recall.py                          48 Python files of installed packages, none of them tuned on
    python bench/recall.py --files list.txt         one path a line, any language that ctags knows
    python bench/recall.py --tool 'name=command {path} {n}'   other tools beside ours; without {n} cut at N tokens

Ground truth: the definitions that universal-ctags finds (callables and types; no fields, locals, macros or anonymous
ones); it must be installed. Counted in o200k_base.

    recall   share of the definitions that the view names (as a multiset)
    ptr      share that are named on a line which also holds their right line number (a decorator's line above counts)
    sig      share whose first source line (white space folded, 60 characters) is in the view
    util     tokens of the view / N        over   files whose answer costs more than N
    ceiling  names and line numbers of the truth, cheapest first, minus a header of the same size as ours

Files that fit are `full` and are reported apart.
"""

import argparse
import collections
import json
import random
import re
import shlex
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from budgeted_reads import tokens
from budgeted_reads.outline.registry import outline
from budgeted_reads.text import decode
from budgeted_reads.views.ask import Ask
from budgeted_reads.views.face import Face, Heading
from budgeted_reads.views.read import read
from budgeted_reads.views.sheet import Sheet

KINDS = frozenset(
    [
        *("class", "function", "member", "method", "struct", "enum", "interface", "typedef", "union", "generator"),
        *("getter", "setter", "func", "type", "talias", "alias", "annotation", "trait", "record"),
    ]
)
PACKAGES = ("_pytest", "hypothesis", "coverage", "mypy", "markdown_it", "importlinter")
FILES, LEAST_LINES, LEAST_DEFINITIONS, SEED = 48, 150, 8, 20261130
WORD = re.compile(r"[A-Za-z_$][\w$]*")


class Definition(NamedTuple):
    """One definition of the ground truth."""

    name: str
    line: int


class Score(NamedTuple):
    """How good one view of one file is; all but `tokens` are shares."""

    recall: float
    ptr: float
    sig: float
    tokens: int


def count(text: str) -> int:
    """Tokens of TEXT in o200k_base."""
    return tokens.counter("o200k_base").units(text)


@cache
def truth(path: str) -> tuple[Definition, ...]:
    """The definitions of PATH by ctags, each name and line once."""
    command = ["ctags", "--output-format=json", "--fields=+neKSs", "-f", "-", "-u", path]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found = set()
    for line in out.splitlines():
        tag = json.loads(line)
        name = tag.get("name", "")
        if tag.get("_type") != "tag" or tag.get("kind") not in KINDS or re.match(r"_*[Aa]non", name):
            continue
        if "AnonymousFunction" in name or (tag["kind"] == "member" and not path.endswith(".py")):
            continue
        found.add(Definition(name.split(".")[-1] if path.endswith(".js") else name, tag["line"]))
    return tuple(sorted(found, key=lambda one: (one.line, one.name)))


def score(path: str, view: str) -> Score:
    """How good VIEW is as a view of the file PATH."""
    wanted = truth(path)
    source = Path(path).read_text(encoding="utf-8", errors="replace").split("\n")
    words = collections.Counter(WORD.findall(view))
    needed = collections.Counter(one.name for one in wanted)
    named = sum(min(times, words[name]) for name, times in needed.items())
    rows = view.splitlines()
    holding = collections.defaultdict(list)
    numbers = []
    for index, row in enumerate(rows):
        numbers.append({int(number) for number in re.findall(r"(?<![\w.])L?(\d{1,6})(?![\w.]\d)", row)})
        for word in set(WORD.findall(row)):
            holding[word].append(index)
    pointed = sum(any(numbers[index] & _lines(source, one.line) for index in holding[one.name]) for one in wanted)
    label = re.compile(r"(?m)^\s*[│⋮█|]?\s*(?:L?\d+[-:→|│]?\s?\d*[:→|│]?\s)?")
    flat, bare = _fold(view), _fold(label.sub("", view))
    signed = 0
    for one in wanted:
        first = re.sub(r"[\s{:;]+$", "", _fold(source[one.line - 1]))[:60]
        signed += bool(first) and (first in flat or first in bare)
    total = max(1, len(wanted))
    return Score(named / total, pointed / total, signed / total, count(view))


def _lines(source: list[str], line: int) -> set[int]:
    found = {line}
    while line > 1 and re.match(r"\s*(@|#|//|/\*|\*|template|\[)", source[line - 2]):
        line -= 1
        found.add(line)
    return found


def _fold(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def cut(text: str, budget: int) -> str:
    """The longest run of whole lines at the start of TEXT that costs at most BUDGET: what a harness would keep."""
    lines = text.splitlines(keepends=True)
    low, high = 0, len(lines)
    while low < high:
        middle = (low + high + 1) // 2
        if count("".join(lines[:middle])) <= budget:
            low = middle
        else:
            high = middle - 1
    return "".join(lines[:low])


def ours(path: str, budget: int) -> tuple[str, str]:
    """Our view of PATH on the text face, and its label."""
    text = decode(Path(path).read_bytes())
    heading = Heading("/".join(Path(path).parts[-2:]).encode(), "0123456789ab")
    face = Face(tokens.counter("o200k_base"), "code", heading)
    view = read(Sheet(text, outline(text, path.encode())), Ask(budget=budget), face)
    return view.text, view.view


def ceiling(path: str, budget: int) -> str:
    """Names and lines of the ground truth, cheapest first, in what our header leaves of BUDGET."""
    header = ours(path, budget)[0].partition("\n")[0]
    left = budget - count(header + "\n")
    rows = sorted((count(f"{one.line} {one.name}\n"), one.line, one.name) for one in truth(path))
    kept = []
    for cost, line, name in rows:
        if cost <= left:
            left -= cost
            kept.append(f"{line} {name}\n")
    return "".join(kept)


def head(path: str, budget: int) -> str:
    """What `head -c` gives where a token is taken for four bytes."""
    return Path(path).read_bytes()[: 4 * budget].decode("utf-8", "ignore")


def command(line: str) -> Callable[[str, int], str]:
    """A tool on the command line; {path} is the file, {n} the budget."""

    def run(path: str, budget: int) -> str:
        argv = [part.replace("{path}", path).replace("{n}", str(budget)) for part in shlex.split(line)]
        out = subprocess.run(argv, capture_output=True, text=True, errors="replace", timeout=120, check=False).stdout
        return out if "{n}" in line else cut(out, budget)

    return run


def chosen() -> list[str]:
    """The files: of packages that are installed for the tests, drawn with a fixed seed."""
    found = []
    for package in PACKAGES:
        spec = find_spec(package)
        for place in spec.submodule_search_locations or () if spec else ():
            found += [str(path) for path in sorted(Path(place).rglob("*.py"))]
    big = [path for path in found if Path(path).read_bytes().count(b"\n") >= LEAST_LINES]
    random.Random(SEED).shuffle(big)
    return [path for path in big if len(truth(path)) >= LEAST_DEFINITIONS][:FILES]


def report(name: str, budget: int, scores: Iterable[Score]) -> None:
    """One row of the table."""
    rows = list(scores)
    if not rows:
        return
    recall, ptr, sig = (statistics.fmean(getattr(row, key) for row in rows) for key in ("recall", "ptr", "sig"))
    util = statistics.fmean(row.tokens / budget for row in rows)
    over = sum(row.tokens > budget for row in rows)
    print(
        f"{name:14} N={budget:5} recall {recall:.3f} ptr {ptr:.3f} sig {sig:.3f} util {util:.2f} over {over}"
        f" files {len(rows)}",
        flush=True,
    )


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", help="a file with one source path a line")
    parser.add_argument("--budgets", default="200,400,1000,2000")
    parser.add_argument("--tool", action="append", default=[], metavar="NAME=COMMAND")
    parsed = parser.parse_args()
    named = chosen() if parsed.files is None else Path(parsed.files).read_text(encoding="utf-8").split()
    files = [path for path in named if truth(path)]
    print(f"{len(files)} files; in {len(named) - len(files)} more ctags finds no definition, so nothing can be told")
    tools: dict[str, Callable[[str, int], str]] = {"ctags -x": command("ctags -x -u {path}"), "head -c": head}
    tools |= {name: command(line) for name, _, line in (tool.partition("=") for tool in parsed.tool)}
    for budget in map(int, parsed.budgets.split(",")):
        views = {path: ours(path, budget) for path in files}
        part = [path for path in files if views[path][1] != "full"]
        report("ours", budget, (score(path, views[path][0]) for path in part))
        report("ceiling", budget, (score(path, ceiling(path, budget)) for path in part))
        for name, tool in tools.items():
            report(name, budget, (score(path, tool(path, budget)) for path in part))
        report("ours, full", budget, (score(path, views[path][0]) for path in files if path not in part))
    return 0


if __name__ == "__main__":
    sys.exit(main())
