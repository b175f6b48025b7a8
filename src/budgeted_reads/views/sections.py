"""Names of sections to entries: whole titles or dotted names, exact case first, never a part (CONTRACT section 3)."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from budgeted_reads.errors import AmbiguousSection, SectionNotFound
from budgeted_reads.limits import NEAR_NAMES
from budgeted_reads.outline import Entry

MAX_CANDIDATES = 20
"""At most this many candidates in an `ambiguous_section`."""

SHOWN = 100
"""A longer name is clipped in an error."""

_MARKUP = re.compile(r"[*_`~]+")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_AROUND = re.compile(r"L([1-9]\d*)\Z")
_STEP = " > "


class Named(NamedTuple):
    """An entry with its titles from the top down; the dotted name joins them."""

    entry: Entry
    path: tuple[str, ...]

    @property
    def name(self) -> str:
        """The dotted name: `Class.method`; for headings the bare title, as no reader dots those."""
        return self.path[-1] if self.entry.kind == "heading" else ".".join(self.path)


def named(entries: Sequence[Entry]) -> Iterator[Named]:
    """Every entry with its path of titles, in source order; what belongs to a type elsewhere has that before it."""
    stack = [Named(entry, _titles(entry)) for entry in reversed(entries)]
    while stack:
        one = stack.pop()
        yield one
        stack.extend(Named(child, (*one.path, *_titles(child))) for child in reversed(one.entry.children))


def _titles(entry: Entry) -> tuple[str, ...]:
    return (entry.owner, entry.title) if entry.owner else (entry.title,)


class Index:
    """The entries of an outline by name; what is looked up is built at the first question."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._entries = entries

    @cached_property
    def everything(self) -> list[Named]:
        """Every entry, in source order."""
        return list(named(self._entries))

    def find(self, section: str | Sequence[str]) -> Named:
        """The one entry that SECTION names: a title or dotted name, a list of titles from the top, or `L120`.

        A name as it is written comes before one without its markup, and that before one in another case; a path may
        also be written as the candidates of an error are, `Class > method`.

        Raises `section_not_found` with near names, `ambiguous_section` with the candidates and their lines.
        """
        if isinstance(section, str) and (around := _AROUND.match(section.strip())):
            found = innermost(self.everything, int(around[1]))
            if found is None:
                raise SectionNotFound(f"no entry stands around line {around[1]}", "ask for lines instead")
            return found
        for names, fold in ((self._written, str.strip), (self._exact, _fold), (self._any_case, _casefold)):
            hits = _matching(names, section, fold)
            if len(hits) == 1:
                return hits[0]
            if hits:
                raise _ambiguous(section, hits)
        if isinstance(section, str) and _STEP in section:
            return self.find(section.split(_STEP))
        raise _not_found(section, self.everything)

    @cached_property
    def _written(self) -> dict[str, list[Named]]:
        return _by_name(self.everything, str.strip)

    @cached_property
    def _exact(self) -> dict[str, list[Named]]:
        return _by_name(self.everything, _fold)

    @cached_property
    def _any_case(self) -> dict[str, list[Named]]:
        return _by_name(self.everything, _casefold)


def _by_name(everything: Sequence[Named], fold: Callable[[str], str]) -> dict[str, list[Named]]:
    names: dict[str, list[Named]] = {}
    for one in everything:
        title, dotted = fold(one.path[-1]), fold(".".join(one.path))
        names.setdefault(title, []).append(one)
        if dotted != title:
            names.setdefault(dotted, []).append(one)
    return names


def _matching(names: dict[str, list[Named]], section: str | Sequence[str], fold: Callable[[str], str]) -> list[Named]:
    if isinstance(section, str):
        return names.get(fold(section), [])
    wanted = [fold(part) for part in section]
    return [one for one in names.get(wanted[-1], []) if [fold(part) for part in one.path[-len(wanted) :]] == wanted]


def innermost(everything: Sequence[Named], line: int) -> Named | None:
    """The deepest entry whose range holds LINE."""
    found = None
    for one in everything:
        if one.entry.start <= line <= one.entry.end and (found is None or len(one.path) >= len(found.path)):
            found = one
    return found


def _fold(title: str) -> str:
    """TITLE trimmed, white space folded, inline markup dropped; markup alone stays itself."""
    if title.isidentifier() or all(map(str.isidentifier, title.split("."))):
        return title
    plain = " ".join(_MARKUP.sub("", _LINK.sub(r"\1", title)).split())
    return plain or " ".join(title.split())


def _casefold(title: str) -> str:
    return _fold(title).casefold()


def _ambiguous(section: str | Sequence[str], hits: Sequence[Named]) -> AmbiguousSection:
    rows = [_candidate(one) for one in hits[:MAX_CANDIDATES]]
    more = f" (the first {MAX_CANDIDATES} are listed)" if len(hits) > MAX_CANDIDATES else ""
    return AmbiguousSection(
        f"{len(hits)} entries are named {_shown(section)}{more}",
        'give "L<n>" for the one around a line, or a path of titles that only one has',
        candidates=rows,
    )


def _candidate(one: Named) -> dict[str, str]:
    """A row of an error; a type and what implements it often share their name, so kinds are told."""
    entry = one.entry
    kind = {} if entry.kind == "heading" else {"kind": entry.kind}
    return {"title": _STEP.join(one.path), "lines": f"{entry.start}-{entry.end}", **kind}


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
    shown = repr(section) if isinstance(section, str) else " > ".join(map(repr, section))
    return shown if len(shown) <= SHOWN else shown[: SHOWN - 1] + "…"
