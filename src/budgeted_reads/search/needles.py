"""Texts of which one must stand on every line that a pattern matches: what is cheap to look for first.

A reader of patterns that knows little and is never wrong: what it does not know ends a text, and where a pattern may
match without any of the texts it finds there are none.
"""

import re
from typing import NamedTuple

MOST = 24
"""More alternatives than this are none."""

_COUNT = re.compile(r"\{(\d+)(?:,\d*)?\}\??")
_FLAGS = re.compile(r"\?(?:P?<[A-Za-z_]\w*>|[a-zA-Z]*:)")
_UNKNOWN = re.compile(r"\\[QECpP]|\\x\{|\[\[|\(\?[a-zA-Z]*-|\(\?[a-zA-Z]+\)")
_CLASS = re.compile(r"\[\^?\]?(?:[^\]\\]|\\.)*\]", re.DOTALL)
_PLAIN_ESCAPES = frozenset("\\.+*?()|[]{}^$-/#&~ \"'`!@%=:;<>,")
_DEPTH = 20

Texts = tuple[str, ...]


def needles(pattern: str) -> Texts:
    """Texts of which every line that the RE2 PATTERN matches holds one, longest choice first found; () for none."""
    if _UNKNOWN.search(pattern):
        return ()
    reader = _Reader(pattern)
    found = reader.alternatives(0)
    return () if found is None or reader.at != len(pattern) else found.texts


class _Choice(NamedTuple):
    """Texts of which one is needed; where they are `all`, what was read is one of them and nothing else."""

    texts: Texts
    all: bool = False


class _Reader:
    """Reads one pattern from left to right; None stands for `may match without any text`."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.at = 0

    def alternatives(self, depth: int) -> _Choice | None:
        choices: list[_Choice | None] = [self.sequence(depth)]
        while self.at < len(self.pattern) and self.pattern[self.at] == "|":
            self.at += 1
            choices.append(self.sequence(depth))
        texts: list[str] = []
        whole = True
        for choice in choices:
            if choice is None:
                return None
            texts.extend(choice.texts)
            whole = whole and choice.all
        return _Choice(tuple(dict.fromkeys(texts)), whole) if len(texts) <= MOST else None

    def sequence(self, depth: int) -> _Choice | None:
        best: Texts | None = None
        # What stands at this place, in each way that it may: `import (os|sys)` is two runs.
        runs: Texts = ("",)
        whole = True
        while self.at < len(self.pattern) and self.pattern[self.at] not in "|)":
            letter, needed = self.atom(depth)
            low = self.quantifier()
            choice = _Choice((letter,), True) if letter is not None else needed
            joined = _joined(runs, choice) if choice is not None and choice.all and low != 0 else None
            if joined is not None:
                runs = joined
                if low is None:
                    continue
            # What may come again ends the runs with itself; what may be missing is no part of them.
            whole = False
            best = _better(best, runs)
            runs = ("",)
            if joined is None and needed is not None and low != 0:
                best = _better(best, needed.texts)
        best = runs if whole else _better(best, runs)
        return _Choice(best, whole) if best and min(map(len, best)) else None

    def atom(self, depth: int) -> tuple[str | None, _Choice | None]:
        """The letter that stands here, or the texts that what stands here needs."""
        char = self.pattern[self.at]
        if char == "(":
            return None, self.group(depth)
        if char == "[":
            found = _CLASS.match(self.pattern, self.at)
            self.at = found.end() if found else len(self.pattern) + 1
            return None, None
        if char == "\\":
            following = self.pattern[self.at + 1 : self.at + 2]
            self.at += 2
            if following in _PLAIN_ESCAPES and following:
                return following, None
            if following in ("x", "0") or following.isdigit():
                self.at = len(self.pattern) + 1  # an escape of unknown length
            return None, None
        self.at += 1
        return (None if char in ".^$" else char), None

    def group(self, depth: int) -> _Choice | None:
        self.at += 1
        if depth >= _DEPTH:
            self.at = len(self.pattern) + 1
            return None
        if self.pattern[self.at : self.at + 1] == "?":
            flags = _FLAGS.match(self.pattern, self.at)
            if not flags:
                self.at = len(self.pattern) + 1
                return None
            self.at = flags.end()
        found = self.alternatives(depth + 1)
        self.at += 1
        return found

    def quantifier(self) -> int | None:
        """How often at least what was read must stand here; None where nothing is said."""
        char = self.pattern[self.at : self.at + 1]
        low: int | None = None
        if char and char in "*?+":
            low = 1 if char == "+" else 0
            self.at += 1
            if self.pattern[self.at : self.at + 1] == "?":
                self.at += 1
        elif char == "{" and (count := _COUNT.match(self.pattern, self.at)):
            low = min(1, int(count[1]))
            self.at = count.end()
        return low


def _joined(runs: Texts, choice: _Choice) -> Texts | None:
    """Each of RUNS with each text of CHOICE behind it; None where that is too many."""
    if len(runs) * len(choice.texts) > MOST:
        return None
    return tuple(dict.fromkeys(run + text for run in runs for text in choice.texts))


def _better(one: Texts | None, other: Texts) -> Texts | None:
    """Those of the two that are the longer to look for: nothing stands for no text."""
    if not min(map(len, other)):
        return one
    return max(one, other, key=lambda texts: (min(map(len, texts)), -len(texts))) if one else other
