"""Where a definition ends: what a line below says of each one that is still open."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from budgeted_reads.outline.entry import Entry

if TYPE_CHECKING:
    from budgeted_reads.outline.patterns.rule import Rule

INSIDE, WITH, BEFORE = range(3)
"""The line is inside of the definition, ends it, or stands behind its end."""


class Row(NamedTuple):
    """A line of code: its words without comments and indentation; `depth`: brackets that are open behind it."""

    number: int
    indent: int
    words: str
    depth: int


@dataclass(slots=True)
class Open:
    """A definition whose end is looked for. `depth`: brackets open before it; `parens`, `braced`: of its head."""

    rule: "Rule"
    title: str
    kind: str
    indent: int
    first: int
    own: int
    head: int
    depth: int
    parens: int = 0
    braced: bool = False
    children: list[Entry] = field(default_factory=list)


End = Callable[[Open, Row, "Rule | None"], int]
"""What ROW says of OPEN, where a rule finds the beginning of a definition in it, or None."""


def line(_open: Open, _row: Row, _found: "Rule | None") -> int:
    """It is one line."""
    return WITH


def rest(_open: Open, _row: Row, _found: "Rule | None") -> int:
    """It goes on to the end of what it stands in."""
    return INSIDE


def following(one: Open, row: Row, found: "Rule | None") -> int:
    """It goes on to the next of its kind."""
    return BEFORE if row.number > one.own and found and found.kind == one.kind else INSIDE


def balanced(one: Open, row: Row, _found: "Rule | None") -> int:
    """It ends with its brackets; a bracket at the margin begins something new, whatever is open."""
    if row.number > one.own and row.indent == 0 and row.words[0] == "(":
        return BEFORE
    return WITH if row.depth <= one.depth else INSIDE


def indented(goes_on: str) -> End:
    """It ends before a line that is no deeper, but for one of the same depth that GOES_ON."""
    same = re.compile(goes_on)

    def end(one: Open, row: Row, _found: "Rule | None") -> int:
        if row.number == one.own or row.indent > one.indent:
            return INSIDE
        return INSIDE if row.indent == one.indent and same.match(row.words) else BEFORE

    return end


def closed(pattern: str) -> End:
    """It ends with a line in which PATTERN is found, or before another that holds definitions."""
    closing = re.compile(pattern)

    def end(one: Open, row: Row, found: "Rule | None") -> int:
        if row.number > one.own and found and found.holds and row.indent <= one.indent:
            return BEFORE
        return WITH if closing.search(row.words) else INSIDE

    return end


def braces(one: Open, row: Row, found: "Rule | None") -> int:
    """It ends with the brace that stands as deep as it does; without a body, with `;` or before the next line.

    Braces are not counted: what a scan takes for one may be part of a pattern.
    """
    if one.braced:
        if row.indent > one.indent:
            return INSIDE
        if row.words[0] in "})":
            return WITH
        return BEFORE if found and (found.holds or not one.rule.holds) else INSIDE
    begins = row.number == one.own
    if not begins and row.indent <= one.indent and one.parens <= 0 and row.words[0] not in "{)":
        return BEFORE
    at = _brace(one, row.words)
    if at or begins:
        one.head = row.number
    if at < 0:
        return WITH if one.parens <= 0 and row.words[-1] == ";" else INSIDE
    one.braced = True
    return WITH if row.words.count("{", at) <= row.words.count("}", at) else INSIDE


def _brace(one: Open, words: str) -> int:
    """Where the body begins in a line of the head, -1 for nowhere; braces between parentheses are none."""
    for at, sign in enumerate(words):
        if sign in "([":
            one.parens += 1
        elif sign in ")]":
            one.parens -= 1
        elif sign == "{" and one.parens <= 0:
            return at
    return -1
