"""The frame of a printed page, as form feeds divide a text: headers and footers, which are no part of the text."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

PAGES = 3
"""What stands beside so many form feeds is of the pages."""

_MARGIN = 10
"""A header or footer is at most so many lines away from its form feed."""

_DEPTH = 3
"""A header or footer has at most so many lines."""

_LONGEST = 200
_DIGITS = re.compile(r"\d+")


def frames(lines: Sequence[str]) -> frozenset[int]:
    """Numbers of the LINES that are headers or footers: below a form feed alike, above it alike but for numbers.

    Numbers differ in footers alone: `CHAPTER 2` at the top of a page is a title.
    """
    found: defaultdict[tuple[bool, str], list[int]] = defaultdict(list)
    for at, line in enumerate(lines):
        if "\f" in line:
            above, _, below = line.partition("\f")
            for index in _run(lines, at if above.strip() else at - 1, -1):
                found[True, _DIGITS.sub("0", _key(lines[index]))].append(index + 1)
            for index in _run(lines, at if below.strip() else at + 1, 1):
                found[False, _key(lines[index])].append(index + 1)
    return frozenset(number for numbers in found.values() if len(numbers) >= PAGES for number in numbers)


def _run(lines: Sequence[str], index: int, step: int) -> Iterator[int]:
    """Indexes of the next lines in the direction STEP that are not blank, few and near."""
    taken = 0
    for _ in range(_MARGIN):
        if not 0 <= index < len(lines) or len(lines[index]) > _LONGEST or taken == _DEPTH:
            return
        if lines[index].strip():
            taken += 1
            yield index
        elif taken:
            return
        index += step


def _key(line: str) -> str:
    return " ".join(line.split())
