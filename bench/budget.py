"""Does the budget hold? Real files, twelve budgets, every tokenizer, both faces; the answers are counted again.

    python bench/budget.py                       500 files of the installed packages and of this project
    python bench/budget.py --files list.txt      one path a line

Prints, by tokenizer, how many answers there were, how many of them cost more than their budget (an estimate: whose
upper bound does), how many printed counts were not the counted ones, and how many budgets were below the floor.
"""

import argparse
import random
import sys
import sysconfig
from pathlib import Path
from typing import NamedTuple

from budgeted_reads import tokens
from budgeted_reads.errors import BinaryFile, BudgetTooSmall
from budgeted_reads.outline.registry import outline
from budgeted_reads.text import decode
from budgeted_reads.tokens.kinds import kind_of
from budgeted_reads.views.ask import Ask
from budgeted_reads.views.face import Face, Heading
from budgeted_reads.views.read import read
from budgeted_reads.views.sheet import Sheet

BUDGETS = (12, 25, 50, 100, 150, 200, 400, 700, 1000, 2000, 4000, 8000)
FILES, SEED, LARGEST = 500, 20261130, 400_000


class Tally(NamedTuple):
    """What was found for one tokenizer."""

    answers: int = 0
    over: int = 0
    wrong: int = 0
    below: int = 0


def chosen() -> list[Path]:
    """The files: of installed packages and of this project, drawn with a fixed seed."""
    places = [Path(sysconfig.get_path("purelib")), Path(__file__).resolve().parent.parent]
    found = [
        path
        for place in places
        for path in sorted(place.rglob("*"))
        if path.is_file() and ".git" not in path.parts and 0 < path.stat().st_size <= LARGEST
    ]
    random.Random(SEED).shuffle(found)
    texts = []
    for path in found:
        try:
            decode(path.read_bytes())
        except BinaryFile:
            continue
        texts.append(path)
        if len(texts) == FILES:
            break
    return texts


def tally(name: str, sheets: list[tuple[str, Sheet]]) -> Tally:
    """Every file at every budget on both faces, by one tokenizer."""
    counter = tokens.counter(name)
    answers = over = wrong = below = 0
    for path, sheet in sheets:
        kind = kind_of(sheet.text.content, sheet.outline.format, sheet.outline.style)
        for heading in (None, Heading(path.encode(), "0123456789ab")):
            face = Face(counter, kind, heading)
            for budget in BUDGETS:
                try:
                    view = read(sheet, Ask(budget=budget), face)
                except BudgetTooSmall:
                    below += 1
                    continue
                units = counter.units(view.text)
                answers += 1
                over += face.bound(units) > budget
                wrong += (face.tokens(units), face.bound(units)) != (view.tokens, view.bound)
    return Tally(answers, over, wrong, below)


def main() -> int:
    """Print the table; exit code 1 where a budget did not hold or a count was wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", help="a file with one path a line")
    parser.add_argument("--tokenizers", default=",".join(tokens.NAMES))
    parsed = parser.parse_args()
    paths = chosen()
    if parsed.files is not None:
        paths = [Path(line) for line in Path(parsed.files).read_text(encoding="utf-8").splitlines()]
    sheets = []
    for path in paths:
        text = decode(path.read_bytes())
        sheets.append(("/".join(path.parts[-2:]), Sheet(text, outline(text, path.name.encode()))))
    print(f"{len(sheets)} files, {len(BUDGETS)} budgets, two faces")
    print(f"{'tokenizer':14} {'answers':>8} {'over':>6} {'wrong count':>12} {'below the floor':>16}")
    bad = 0
    for name in parsed.tokenizers.split(","):
        found = tally(name, sheets)
        bad += found.over + found.wrong
        print(f"{name:14} {found.answers:8} {found.over:6} {found.wrong:12} {found.below:16}", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
