"""The parts of JSON with their offsets, one level at a time, for formats that know which keys they look for.

Values are read by the standard library's scanner, at its speed; what is not valid JSON raises ValueError, and what is
nested too deep for it RecursionError.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

_SPACE = re.compile(r"[ \t\r\n]*+")
_DECODER = json.JSONDecoder(strict=False, parse_int=str, parse_float=str)


class Part(NamedTuple):
    """A value and where it stands: from START, with its key, or from `at`, without, to before `end`."""

    key: str
    start: int
    at: int
    end: int
    value: Any


def members(content: str, at: int) -> Iterator[Part]:
    """The keys and values of the object that opens at offset AT; none where another value stands there."""
    if not content.startswith("{", at):
        return
    at = _space(content, at + 1)
    while not content.startswith("}", at):
        start = at
        if not content.startswith('"', at):
            raise ValueError(f"no key at {at}")
        key, at = _DECODER.raw_decode(content, at)
        at = _mark(content, _space(content, at), ":")
        value, end = _DECODER.raw_decode(content, at)
        yield Part(key, start, at, end, value)
        at = _after(content, end, "}")


def elements(content: str, at: int) -> Iterator[Part]:
    """The values of the array that opens at offset AT; none where another value stands there."""
    if not content.startswith("[", at):
        return
    at = _space(content, at + 1)
    while not content.startswith("]", at):
        value, end = _DECODER.raw_decode(content, at)
        yield Part("", at, at, end, value)
        at = _after(content, end, "]")


def top(content: str, at: int) -> int:
    """The offset of the first value at or after AT."""
    return _space(content, at)


def _space(content: str, at: int) -> int:
    found = _SPACE.match(content, at)
    return found.end() if found else at


def _mark(content: str, at: int, mark: str) -> int:
    if not content.startswith(mark, at):
        raise ValueError(f"no {mark} at {at}")
    return _space(content, at + 1)


def _after(content: str, at: int, closing: str) -> int:
    """Where the next part starts, or the closing mark stands, behind a part that ends at AT."""
    at = _space(content, at)
    return at if content.startswith(closing, at) else _mark(content, at, ",")
