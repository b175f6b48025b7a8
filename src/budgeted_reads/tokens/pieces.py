"""Large texts in pieces whose counts add up to that of the whole.

One call of the encoder holds the interpreter's lock, and on one endless run it costs n log n. So a text over PIECE
code points is counted in pieces, cut only where no vocabulary of ours has a token that crosses. These cuts are
*joints*; what stands between two joints is an *atom*. The places depend on the two characters beside them and on
nothing else, so pieces of a text of many rows and those of its rows have the same atoms, and rows keep adding exactly.

Why a joint is never crossed. The vocabularies with a splitting pattern (all but gemma3) take white space only at the
start of a split, letters only after at most one other character, and line ends only after white space or punctuation:

    after LF, before anything but white space and `/`     no split goes on there (`/` would: o200k, mistral)
    before a space that follows anything but white space  a space starts a split
    after an ASCII letter or digit, before punctuation    but not before `'`: 's and 't belong to the word
    after an ASCII letter, before a digit                 digits are split from letters
    between a letter and a mark of Chinese, Japanese or Korean

gemma3 has no pattern; of its 262,144 pieces none crosses these places, except `> </` and tags such as `<h1>`: so not
after `>`, and not between `h` and a digit, nor before the `>` that ends a tag.

An atom over PIECE (a run of 65,536 letters of one word, or of spaces, or of `=`) is cut every PIECE code points from
its start, and each such cut is charged CUT_COST tokens: there, and only there, a count may be above the exact one.
"""

import re
from collections.abc import Iterator
from functools import cache

PIECE = 1 << 16
"""Code points of text that one call of the encoder is given at most."""

CUT_COST = 2
"""Tokens charged for a cut inside an atom; one observed cut never saved more than that."""

JOINT = r"""
    (?<=\n)(?=[^\s/])
  | (?<=[^\s>\u2581])(?=\x20)
  | (?<=[0-9A-Za-z])(?=[!-&(-/:-=?@\[-`{-~])
  | (?<=[A-Za-gi-z])(?=[0-9])
  | (?<=[ぁ-ゖァ-ヺ一-龥가-힣])(?=[、。，！？：；「」『』（）])
"""
"""Where a text may be cut, as a verbose pattern that matches the empty text between two characters."""


def pieces(text: str) -> Iterator[tuple[str, bool]]:
    """TEXT in parts of at most PIECE code points, in order, each with whether an atom is cut at its end."""
    joint, start, end = _joint(), 0, len(text)
    while end - start > PIECE:
        stop = _last_joint(text, start, start + PIECE)
        if stop:
            yield text[start:stop], False
        else:
            found = joint.search(text, start + PIECE)
            stop = found.start() if found else end
            for at in range(start, stop, PIECE):
                yield text[at : min(at + PIECE, stop)], at + PIECE < stop
        start = stop
    if start < end:
        yield text[start:], False


def _last_joint(text: str, start: int, stop: int) -> int:
    """The last joint in START < place <= STOP, or 0; looks near the end first."""
    for near in (1024, PIECE):
        last = 0
        for found in _joint().finditer(text, max(start + 1, stop - near), stop + 1):
            if found.start() <= stop:
                last = found.start()
        if last:
            return last
    return 0


@cache
def _joint() -> re.Pattern[str]:
    return re.compile(JOINT, re.VERBOSE)
