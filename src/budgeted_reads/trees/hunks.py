"""What git says has changed between two texts, line by line, without any of their bytes leaving this process.

Git compares two files in which a number stands for each line: equal lines have equal numbers. White space at the start
of a line is kept, because git looks at it to choose between hunks of equal size. So its hunks are those of the texts,
whatever their encoding, and nothing of a file that is not committed is ever written anywhere.
"""

import os
import re

from budgeted_reads.errors import Internal, TimedOut
from budgeted_reads.evidence.locate import Hunk, Lines, parse_hunks
from budgeted_reads.trees.git import run
from budgeted_reads.trees.query import temporary_folder

MAX_LINES = 1_000_000
"""Longer texts are not compared."""

_OPTIONS = ("--no-index", "--no-ext-diff", "--no-textconv", "--no-color", "--text", "-U0", "--diff-algorithm=myers")
_OUTPUT_BYTES = 256 << 20
_LEAD = re.compile(rb"[ \t\r\f\v]*")


def line_hunks(old: Lines, new: Lines) -> tuple[Hunk, ...] | None:
    """The hunks of `git diff -U0` from OLD to NEW, None where they cannot be had: too long, no place, no time."""
    if max(len(old), len(new)) > MAX_LINES:
        return None
    numbers: dict[bytes, bytes] = {}
    places: list[str] = []
    try:
        folder = temporary_folder()
        for lines in (old, new):
            places.append(os.path.join(folder, f"lines-{os.urandom(8).hex()}"))
            with open(places[-1], "xb") as file:
                file.write(b"".join(_masked(line, numbers) for line in lines.each(1, len(lines))))
        found = run(folder, "diff", *_OPTIONS, "--", *places, limit=_OUTPUT_BYTES)
        return parse_hunks(found.out) if found.status in (0, 1) else None
    except (OSError, TimedOut, Internal):
        return None
    finally:
        for place in places:
            if os.path.lexists(place):
                os.unlink(place)


def _masked(line: bytes, numbers: dict[bytes, bytes]) -> bytes:
    """LINE as its white space and its number; a blank one as it is."""
    lead = _LEAD.match(line).group()  # type: ignore[union-attr]
    if line[len(lead) :] in (b"", b"\n"):
        return line
    return lead + numbers.setdefault(line, b"%d" % len(numbers)) + b"\n"
