"""How a gap in the grammars of C and C++ is filled: what is found, and what is put in its place, as long as it was."""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from budgeted_reads.outline.languages.unread import LETTERS

Match = re.Match[bytes]
Put = tuple[int, bytes]
"""Where something is put, and what."""


class Gap(NamedTuple):
    """What `pattern` finds in a text that has `word` is filled as `put` says.

    The pattern begins with letters, or with the LF before a line: it costs next to nothing where those are rare.
    """

    word: bytes
    pattern: "re.Pattern[bytes]"
    put: "Callable[[Match], Iterator[Put]]"


GIVEN = rb"(?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*+\))*+\))*+\))"
"""A letter of what is given in parentheses, or more of it in parentheses of its own."""

CAPITAL = rb"[A-Z_][A-Z0-9_]{3,}+"
ARGUMENTS = rb"\((?:[^()\n]|\([^()\n]*+\))*+\)"
MARKER = CAPITAL + rb"(?:" + ARGUMENTS + rb")?+"
WORDS = rb"(?:(?:\[\[[^\]\n]*\]\]|static|extern|inline|virtual|constexpr|const|friend|\"C\")[ \t]++)*+"
"""What may stand before the type of a declaration."""

NO_KEYWORD = (
    rb"(?!(?:struct|class|enum|union|const|return|else|case|goto|typedef|using|namespace|new|delete|static|extern|inline"
    rb"|virtual|unsigned|signed|long|short|volatile|constexpr|typename|throw|public|private|protected|template|operator"
    rb"|friend|explicit|if|while|for|switch|do|sizeof|try|catch|default|requires|concept|export|import|module|co_\w+)\b)"
)
BUILT_IN = rb"\b(?:int|char|long|short|unsigned|signed|float|double|bool|auto|void|const)\b"


_NEAR = 120
"""So many bytes before what was found say what it is."""


def blank(found: Match) -> Iterator[Put]:
    """Blanks for the first group, or for all where there is none."""
    group = min(1, found.re.groups)
    yield found.start(group), LETTERS.sub(b" ", found[group])


def name(found: Match) -> Iterator[Put]:
    """A name of low lines for the first group, or for all where there is none."""
    group = min(1, found.re.groups)
    yield found.start(group), LETTERS.sub(b"_", found[group])


def unknown(found: Match) -> Iterator[Put]:
    """A name of one letter for an expression: what it says is not looked at."""
    yield found.start(1), one_name(found[1])


def one_name(words: bytes) -> bytes:
    """A name of one letter, and blanks."""
    return LETTERS.sub(b" ", words).replace(b" ", b"_", 1)


def behind(found: Match, pattern: "re.Pattern[bytes]") -> Match | None:
    """What PATTERN, which ends with \\Z, finds in the bytes right before what was found."""
    return pattern.search(found.string, max(0, found.start() - _NEAR), found.start())


def before(found: Match, size: int = _NEAR) -> bytes:
    """The bytes before what was found, at most SIZE, without white space at their end."""
    return found.string[max(0, found.start() - size) : found.start()].rstrip()
