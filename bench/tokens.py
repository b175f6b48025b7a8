"""Whether counting stays linear on hostile text.

    python bench/tokens.py [--sizes 1,2,4,8] [--names o200k_base,...] [--texts letter,...]

For each tokenizer and text it prints the CPU seconds of the smallest size and the ratio of each other size to it. A
doubling of the size that costs more than 2.3 times as much is marked `!`; the exit code is then 1. The whole table
takes some ten minutes; on a busy machine single cells are off, so repeat a marked line alone.
"""

import argparse
import base64
import random
import sys
import time
from collections.abc import Callable

from budgeted_reads.tokens import NAMES, counter

MIB = 1 << 20
LIMIT = 2.3
CHANCE = random.Random(1)


def letters(size: int) -> str:
    return "".join(CHANCE.choices("abcdefghijklmnopqrstuvwxyz", k=size))


TEXTS: dict[str, Callable[[int], str]] = {
    "letter": lambda size: "a" * size,
    "spaces": lambda size: " " * size,
    "equals": lambda size: "=" * size,
    "line ends": lambda size: "\n" * size,
    "digits": lambda size: "7" * size,
    "random letters": letters,
    "special words": lambda size: "<|endoftext|>" * (size // 13),
    "tags": lambda size: "<td>" * (size // 4),
    "base64": lambda size: base64.b64encode(CHANCE.randbytes(size * 3 // 4)).decode(),
    "hangul": lambda size: "가" * (size // 3),
    "marks": lambda size: "a" + "\u0345\u0334" * (size // 4),
    "zwj": lambda size: "👩\u200d" * (size // 7),
}


def seconds(count: Callable[[str], int], text: str) -> float:
    """CPU seconds of COUNT on TEXT, the best of three runs."""
    spent = []
    for _ in range(3):
        start = time.process_time()
        count(text)
        spent.append(time.process_time() - start)
    return min(spent)


def line(name: str, kind: str, sizes: list[int]) -> tuple[str, bool]:
    """One printed line, and whether a doubling in it was over the limit."""
    count = counter(name).units
    times = [seconds(count, TEXTS[kind](size * MIB)) for size in sizes]
    cells, bad = [f"{times[0]:7.3f} s"], False
    for before, after, small, large in zip(times, times[1:], sizes, sizes[1:], strict=False):
        over = after > before * LIMIT * large / small / 2 and after > 0.05
        bad = bad or over
        cells.append(f"{large} MB x{after / max(times[0], 1e-6):5.1f}{'!' if over else ' '}")
    return f"{name:12} {kind:15} {'  '.join(cells)}", bad


def main() -> int:
    """Print the table; 1 where anything was over the limit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="1,2,4,8", help="MB, ascending")
    parser.add_argument("--names", default=",".join(NAMES))
    parser.add_argument("--texts", default=",".join(TEXTS))
    asked = parser.parse_args()
    sizes = [int(size) for size in asked.sizes.split(",")]
    failed = False
    for name in asked.names.split(","):
        counter(name).units("Warm up: 12 words, é, 漢字.\n")
        for kind in asked.texts.split(","):
            text, bad = line(name, kind, sizes)
            print(text, flush=True)
            failed = failed or bad
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
