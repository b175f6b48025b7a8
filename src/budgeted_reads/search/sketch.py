"""A coarser pattern, which git can look for first: every line that an RE2 pattern matches is matched by its sketch too.

A reader of patterns that knows little and is never wrong. What RE2 and PCRE mean alike (letters, small classes of
ASCII, choices, repeats of one letter) stands as it is; all else is a gap, where anything may stand. A sketch is matched
byte by byte, and has few parts of open length, so that no line takes PCRE long.
"""

import re
from functools import lru_cache
from typing import NamedTuple

LEAST = 2.0
"""A sketch that says less is none: as much as two letters."""

MOST_CHOICES = 24
MOST_OPEN = 3
"""More parts of open length than this make no sketch: PCRE would try every way to share out a line."""

FEW = 16
"""A class of so many letters says half as much as one letter; a larger one says nothing."""

_GAP, _ANY = r"[^\n]*", r"[^\n]{1,4}"
_DEPTH = 20
_COUNT = re.compile(r"\{(\d+)(,?)(\d*)\}")
_FLAGS = re.compile(r"\?(?:P?<[A-Za-z_]\w*>|[a-zA-Z]*:)")
_UNKNOWN = re.compile(r"\\[QECpP]|\\x\{|\(\?[a-zA-Z]*-|\(\?[a-zA-Z]+\)")
# The bracket that ends `[:space:]` does not end the class that it stands in.
_CLASS = re.compile(r"\[\^?\]?(?:\[:\^?\w+:\]|[^\]\\]|\\.)*+\]", re.DOTALL)
_SMALL_CLASS = re.compile(r"\[(?!\^)(?:[\w .,:;/=+*?(){}|$#@!%&~\"'<>`-]|\\[dws.+*?()|{}^$/\[\]-])+\]", re.ASCII)
_PLAIN_ESCAPES = frozenset("\\.+*?()|[]{}^$-/#&~ \"'`!@%=:;<>,")
_NOWHERE = frozenset("bBAz")


class _Part(NamedTuple):
    """A part of a sketch: what it says in letters, how many parts of open length it has, whether it is one byte."""

    text: str
    says: float = 0.0
    open: int = 0
    single: bool = False


_Gap = _Part(_GAP, 0.0, 1)


class _Unread(Exception):
    """The pattern has something that this reader cannot even pass over."""


def sketch(pattern: str) -> str:
    """The sketch of the RE2 PATTERN for PCRE; empty where it would say too little to be worth a look."""
    if _UNKNOWN.search(pattern):
        return ""
    reader = _Reader(pattern)
    try:
        found = reader.alternatives(0)
    except _Unread:
        return ""
    return found.text if found.says >= LEAST and reader.at == len(pattern) else ""


class _Reader:
    """Reads one pattern from left to right."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.at = 0

    def alternatives(self, depth: int) -> _Part:
        choices = [self.sequence(depth)]
        while self._next("|"):
            choices.append(self.sequence(depth))
        if len(choices) == 1:
            return choices[0]
        if len(choices) > MOST_CHOICES:
            return _Gap
        text = "(?:" + "|".join(one.text for one in choices) + ")"
        return _Part(text, min(one.says for one in choices), max(one.open for one in choices))

    def sequence(self, depth: int) -> _Part:
        parts: list[_Part] = []
        while self.at < len(self.pattern) and self.pattern[self.at] not in "|)":
            for part in self.repeated(self.atom(depth)):
                if part is not _Gap or not parts or parts[-1] is not _Gap:
                    parts.append(part)
        return _joined(parts) if depth else _heaviest(parts)

    def atom(self, depth: int) -> _Part:
        """What stands here, once."""
        char = self.pattern[self.at]
        if char == "(":
            return self.group(depth)
        if char == "[":
            found = _CLASS.match(self.pattern, self.at)
            if found is None:
                raise _Unread
            self.at = found.end()
            return _class(found[0]) if _SMALL_CLASS.fullmatch(found[0]) else _Part(_ANY)
        if char == "\\":
            return self.escape()
        self.at += 1
        if char in "^$":
            return _Part("")
        return _Part(_ANY) if char == "." else _letter(char)

    def escape(self) -> _Part:
        char = self.pattern[self.at + 1 : self.at + 2]
        self.at += 2
        if char in _PLAIN_ESCAPES:
            return _letter(char) if char else _Part("")
        if char in "dws":
            return _class(f"[\\{char}]")
        if char in _NOWHERE:
            return _Part("")
        if char in "DWS":
            return _Part(_ANY)
        raise _Unread

    def group(self, depth: int) -> _Part:
        self.at += 1
        if depth >= _DEPTH:
            raise _Unread
        if self.pattern[self.at : self.at + 1] == "?":
            flags = _FLAGS.match(self.pattern, self.at)
            if not flags:
                raise _Unread
            self.at = flags.end()
        found = self.alternatives(depth + 1)
        self.at += 1
        return found

    def repeated(self, part: _Part) -> tuple[_Part, ...]:
        """PART as often as the pattern says here."""
        start = self.at
        low, high = self.bounds()
        if self.at == start or not part.text:
            return (part,)
        if not part.single:
            # Again and again, or never: once at most is told, and then anything may stand.
            return (part, _Gap) if low else (_Gap,)
        spelled = "*" if (low, high) == (0, None) else f"{{{low},{'' if high is None else high}}}"
        return (_Part(part.text + spelled, part.says * low, int(high is None)),)

    def bounds(self) -> tuple[int, int | None]:
        """How often at least and at most what was read may stand here."""
        bounds: tuple[int, int | None] = 1, 1
        if self.pattern[self.at : self.at + 1] in ("*", "+", "?"):
            bounds = {"*": (0, None), "+": (1, None), "?": (0, 1)}[self.pattern[self.at]]
            self.at += 1
        elif count := _COUNT.match(self.pattern, self.at):
            low = int(count[1])
            bounds = low, low if not count[2] else int(count[3]) if count[3] else None
            self.at = count.end()
        else:
            return bounds
        self._next("?")
        if self.pattern[self.at : self.at + 1] in ("*", "+", "?") or _COUNT.match(self.pattern, self.at):
            raise _Unread
        return bounds

    def _next(self, char: str) -> bool:
        """Whether CHAR comes next; then it is passed over."""
        here = self.pattern[self.at : self.at + 1] == char
        self.at += here
        return here


def _letter(char: str) -> _Part:
    return _Part(re.escape(char), 1.0, single=char.isascii())


@lru_cache(maxsize=256)
def _class(spelled: str) -> _Part:
    try:
        letters = sum(bool(re.match(spelled, chr(code), re.ASCII)) for code in range(128))
    except re.error:
        # `[\w-.]`: RE2 takes the dash for itself, others for a range without an end.
        return _Part(_ANY)
    return _Part(spelled, 0.5 if letters <= FEW else 0.0, single=True)


def _joined(parts: list[_Part]) -> _Part:
    """PARTS one behind the other; a gap where they are open in too many places."""
    count = sum(part.open for part in parts)
    if count > MOST_OPEN:
        return _Gap
    return _Part("".join(part.text for part in parts), sum(part.says for part in parts), count)


def _heaviest(parts: list[_Part]) -> _Part:
    """Those of PARTS, in a row, that say most and are open in few enough places; no end of them is a gap."""
    best = _Part("")
    for first in range(len(parts)):
        last, count = first, 0
        while last < len(parts) and count + parts[last].open <= MOST_OPEN:
            count += parts[last].open
            last += 1
        row = parts[first:last]
        while row and not row[-1].says:
            row.pop()
        if row and row[0].says and (one := _joined(row)).says > best.says:
            best = one
    return best
