"""Range, If-Range and If-None-Match by RFC 9110, as pure functions over headers and a length."""

import re
from itertools import pairwise
from typing import NamedTuple

from budgeted_reads.http.problems import Unsatisfiable

MAX_PARTS = 16
"""A Range header with more parts is ignored: the whole is sent."""

_PART = re.compile(r"(\d*)-(\d*)", re.ASCII)
_TAG = re.compile(r'(?:W/)?("[\x21\x23-\x7e\x80-\xff]*")')


class Span(NamedTuple):
    """Bytes FIRST up to but without END."""

    first: int
    end: int


def spans(header: str | None, size: int) -> list[Span] | None:
    """The spans of SIZE bytes that a Range HEADER asks for, in its order; None where it is none or is no Range.

    Parts past the end are left out; where none is left, `range_out_of_bounds` with status 416. Parts that overlap
    are answered by the whole.
    """
    unit, _, said = (header or "").partition("=")
    if unit.strip().lower() != "bytes":
        return None
    parts = [part.strip() for part in said.split(",") if part.strip()]
    asked = [_PART.fullmatch(part) for part in parts]
    if not 0 < len(parts) <= MAX_PARTS:
        return None
    found = []
    for part in asked:
        if part is None or part[0] == "-" or (part[1] and part[2] and _number(part[1]) > _number(part[2])):
            return None
        span = _span(part[1], part[2], size)
        if span is not None:
            found.append(span)
    if not found:
        raise Unsatisfiable(f"no range of {said[:100]!r} lies within {size} bytes", "ask for less", bytes=size)
    ordered = sorted(found)
    if any(one.end > other.first for one, other in pairwise(ordered)):
        return None
    return found


def _span(first: str, last: str, size: int) -> Span | None:
    if not first:
        count = min(_number(last), size)
        return Span(size - count, size) if count else None
    if _number(first) >= size:
        return None
    return Span(_number(first), min(_number(last), size - 1) + 1 if last else size)


def _number(digits: str) -> int:
    digits = digits.lstrip("0") or "0"
    # More digits than any length has would cost time in their square.
    return int(digits) if len(digits) <= 18 else 10**18


def tag_matches(header: str | None, tag: str) -> bool:
    """Whether If-None-Match HEADER names TAG, or any (`*`); weak tags count, as they do for reading."""
    if header is None:
        return False
    return header.strip() == "*" or tag in _TAG.findall(header)


def range_holds(header: str | None, tag: str) -> bool:
    """Whether If-Range HEADER lets the Range stand: it is not there, or is TAG itself; dates never hold."""
    return header is None or header.strip() == tag
