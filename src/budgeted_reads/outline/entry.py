"""The values that every format module returns: what a file is made of, and where each part stands."""

from typing import NamedTuple

Range = tuple[int, int]
"""First and last line, 1-based and inclusive."""


class Unread(Exception):
    """A text that is not read for its parts; its words say why."""


class Warned(NamedTuple):
    """One warning: `code` is a word of CONTRACT section 3, `detail` a sentence."""

    code: str
    detail: str


class Entry(NamedTuple):
    """One item of an outline, with its lines.

    `start` is the first line (a decorator, attribute or `export` before the name belongs to it), `own` the line that
    carries the name, `end` the last line. A range never crosses that of its parent. `signature` is the source's own
    words on one line, `signature_lines` where they stand (without decorators). `columns` is a window in code points
    of line `own`, for entries that share a line. `owner` is the type that a definition belongs to where it stands
    outside of it (a method in Go): `Dock` and `Moor` make the dotted name `Dock.Moor`.
    """

    title: str
    kind: str
    level: int
    start: int
    end: int
    own: int
    signature: str = ""
    signature_lines: Range | None = None
    body: Range | None = None
    doc: Range | None = None
    columns: Range | None = None
    children: tuple["Entry", ...] = ()
    flags: tuple[str, ...] = ()
    owner: str = ""


class Block(NamedTuple):
    """A run of lines of a prose document, exact and without blank lines around it.

    `kind` is paragraph, item, fence, table, quote, html, links (nothing but links or badges), image, or meta (front
    matter).
    """

    kind: str
    start: int
    end: int


class Outline(NamedTuple):
    """What one format module says of one text.

    `style` chooses the order of reveals: `code` (definitions and bodies), `prose` (headings and blocks), `data`
    (keys and values), `plain` (paragraphs or lines without structure). `blocks` are there for prose. `facts` are
    added to `file` of the answer (CSV: columns, row_count ...).
    """

    entries: tuple[Entry, ...]
    format: str
    language: str | None
    style: str
    blocks: tuple[Block, ...] = ()
    warnings: tuple[Warned, ...] = ()
    facts: tuple[tuple[str, object], ...] = ()


LEAF_KINDS = frozenset({"field", "property", "constant", "variable", "enum_member"})
"""Kinds that an explicit `outline` leaves out where they stand inside another entry (CONTRACT section 2)."""
