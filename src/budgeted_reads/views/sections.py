"""Names of sections to entries: whole titles or dotted names, exact case first, never a part (CONTRACT section 3)."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from budgeted_reads.errors import AmbiguousSection, SectionNotFound
from budgeted_reads.limits import NEAR_NAMES
from budgeted_reads.outline import Entry

MAX_CANDIDATES = 20
"""At most this many candidates in an `ambiguous_section`."""

_MARKUP = re.compile(r"[*_`~]+")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_AROUND = re.compile(r"L([1-9]\d*)\Z")


class Named(NamedTuple):
    """An entry with its titles from the top down; the dotted name joins them."""

    entry: Entry
    path: tuple[str, ...]

    @property
    def name(self) -> str:
        """The dotted name: `Class.method`; for headings the bare title, as no reader dots those."""
        return self.path[-1] if self.entry.kind == "heading" else ".".join(self.path)


def named(entries: Sequence[Entry]) -> Iterator[Named]:
    """Every entry with its path of titles, in source order."""
    stack = [Named(entry, (entry.title,)) for entry in reversed(entries)]
    while stack:
        one = stack.pop()
        yield one
        stack.extend(Named(child, (*one.path, child.title)) for child in reversed(one.entry.children))


def find(entries: Sequence[Entry], section: str | Sequence[str]) -> Named:
    """The one entry that SECTION names: a title or dotted name, a list of titles from the top, or `L120`.

    Raises `section_not_found` with near names, `ambiguous_section` with the candidates and their lines.
    """
    everything = list(named(entries))
    if isinstance(section, str) and (around := _AROUND.match(section.strip())):
        found = innermost(everything, int(around[1]))
        if found is None:
            raise SectionNotFound(f"no entry stands around line {around[1]}", "ask for lines instead")
        return found
    for fold in (_fold, _casefold):
        hits = [one for one in everything if _matches(one, section, fold)]
        if len(hits) == 1:
            return hits[0]
        if hits:
            raise _ambiguous(section, hits)
    raise _not_found(section, everything)


def innermost(everything: Sequence[Named], line: int) -> Named | None:
    """The deepest entry whose range holds LINE."""
    found = None
    for one in everything:
        if one.entry.start <= line <= one.entry.end and (found is None or len(one.path) >= len(found.path)):
            found = one
    return found


def _matches(one: Named, section: str | Sequence[str], fold: Callable[[str], str]) -> bool:
    if isinstance(section, str):
        return fold(section) in (fold(one.path[-1]), fold(".".join(one.path)))
    wanted = [fold(part) for part in section]
    return [fold(part) for part in one.path[-len(wanted) :]] == wanted


def _fold(title: str) -> str:
    """TITLE trimmed, white space folded, inline markup dropped; markup alone stays itself."""
    plain = " ".join(_MARKUP.sub("", _LINK.sub(r"\1", title)).split())
    return plain or " ".join(title.split())


def _casefold(title: str) -> str:
    return _fold(title).casefold()


def _ambiguous(section: str | Sequence[str], hits: Sequence[Named]) -> AmbiguousSection:
    rows = [
        {"title": " > ".join(one.path), "lines": f"{one.entry.start}-{one.entry.end}"} for one in hits[:MAX_CANDIDATES]
    ]
    more = f" (the first {MAX_CANDIDATES} are listed)" if len(hits) > MAX_CANDIDATES else ""
    return AmbiguousSection(
        f"{len(hits)} entries are named {_shown(section)}{more}",
        'give the path of titles as a list, or "L<n>" for the one around a line',
        candidates=rows,
    )


def _not_found(section: str | Sequence[str], everything: Sequence[Named]) -> SectionNotFound:
    import difflib

    wanted = section if isinstance(section, str) else " ".join(section)
    names = dict.fromkeys(name for one in everything for name in (one.path[-1], one.name))
    lower = {_casefold(name): name for name in names}
    near = [lower[key] for key in difflib.get_close_matches(_casefold(wanted), lower, NEAR_NAMES, 0.5)]
    parts = [name for name in names if _casefold(wanted) in _casefold(name)]
    near = list(dict.fromkeys([*near, *parts]))[:NEAR_NAMES]
    hint = f"near: {', '.join(near)}" if near else "read the outline for the names there are"
    return SectionNotFound(f"no entry is named {_shown(section)}", hint, near=near)


def _shown(section: str | Sequence[str]) -> str:
    return repr(section) if isinstance(section, str) else " > ".join(map(repr, section))
