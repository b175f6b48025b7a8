"""Lock files in JSON to the packages that they pin: objects by name, lists of objects that have one, or `name@1.0`."""

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from budgeted_reads.outline import json
from budgeted_reads.outline.entry import Outline, Warned
from budgeted_reads.outline.formats import Format
from budgeted_reads.outline.jsonparts import Part, elements, members, top
from budgeted_reads.outline.lines import named
from budgeted_reads.outline.tree import MAX_TREE, Draft, Spans
from budgeted_reads.text import BOM, Text

HEAD_LINES = 2
"""As in `lock`: a version that stands further below the name of its package is no part of its head."""

COMMIT = 12
"""A commit stands for a version by so many of its digits."""

NESTED = 12
"""Packages inside of each other are looked for so deep: each level is read once more."""

_LISTS = ("packages", "packages-dev", "pins")
_TABLES = ("packages", "dependencies", "default", "develop", "Packages", "nodes")
_KEYED = ("npm", "jsr")
_NESTS = {"packages": _KEYED, "object": ("pins",)}
_NAMES = ("name", "identity", "package")
_VERSIONS = ("version", "Version", "resolved")
_COMMITS = ("rev", "revision")
_NODE_MODULE = re.compile(r"(?:.*/)?node_modules/(?P<name>(?:@[^/]+/)?[^/]+)$")
_AT = re.compile(r"(?P<name>@?[^@]+)@(?P<version>[^@_]+)")


class _Pin(NamedTuple):
    """A package, the offset at which it starts, and its value."""

    name: str
    version: str
    at: int
    part: Part


def outline(text: Text, form: Format) -> Outline:
    """The packages of npm, Composer, Pipenv, NuGet, Deno, Nix, renv and Swift; without any, the keys of the JSON."""
    content = text.content
    spans = Spans(text)
    pins: list[tuple[int, _Pin]] = []
    count = 0
    try:
        parts = {part.key: part for part in members(content, top(content, len(BOM) if text.bom else 0))}
        for key, table in parts.items():
            if key == "dependencies" and "packages" in parts:
                continue
            for found in _nested(content, _packages(content, table)):
                count += 1
                if count <= MAX_TREE:
                    pins.append(found)
        drafts = _drafts(text, spans, pins)
    except (ValueError, RecursionError):
        return json.outline(text, form)
    if not drafts:
        return json.outline(text, form)
    more = Warned("shallow_outline", f"only the first {MAX_TREE} of {count} packages are entries")
    warnings = (more,) if count > MAX_TREE else ()
    facts = (("package_count", count),)
    return Outline(spans.finish(drafts), form.name, None, "data", warnings=warnings, facts=facts)


def _packages(content: str, part: Part) -> Iterator[_Pin]:
    """The packages below a key of the top, or one level further down."""
    if part.key in _LISTS and isinstance(part.value, list):
        for one in elements(content, part.at):
            name = next((one.value[key] for key in _NAMES if key in one.value), "") if _is_table(one) else ""
            if isinstance(name, str) and name:
                yield _Pin(name, _version(one.value), one.at, one)
    elif part.key in _KEYED and _is_table(part):
        for one in members(content, part.at):
            if found := _AT.match(one.key):
                yield _Pin(found["name"], found["version"], one.start, one)
    elif part.key in _NESTS and _is_table(part) and any(key in part.value for key in _NESTS[part.key]):
        for one in members(content, part.at):
            if one.key in _NESTS[part.key]:
                yield from _packages(content, one)
    elif part.key in _TABLES and _is_table(part):
        for one in members(content, part.at):
            if part.key == "dependencies" and _is_framework(one.value):
                for inner in members(content, one.at):
                    yield _Pin(inner.key, _version(inner.value), inner.start, inner)
            elif one.key and _is_table(one) and (part.key != "nodes" or "locked" in one.value):
                found = _NODE_MODULE.match(one.key)
                yield _Pin(found["name"] if found else one.key, _version(one.value), one.start, one)


def _nested(content: str, pins: Iterator[_Pin]) -> Iterator[tuple[int, _Pin]]:
    """PINS with their level, each before those that stand inside of it, as the first version of npm has them."""
    open_ = [pins]
    while open_:
        pin = next(open_[-1], None)
        if pin is None:
            open_.pop()
            continue
        yield len(open_), pin
        if len(open_) < NESTED and _is_table(pin.part) and _is_table_of(pin.part.value.get("dependencies")):
            open_.append(_inside(content, pin))


def _inside(content: str, pin: _Pin) -> Iterator[_Pin]:
    for table in members(content, pin.part.at):
        if table.key == "dependencies":
            for one in members(content, table.at):
                if one.key and _version(one.value):
                    yield _Pin(one.key, _version(one.value), one.start, one)


def _is_table_of(value: Any) -> bool:
    """Whether VALUE holds packages, and not their versions alone."""
    return isinstance(value, dict) and any(isinstance(one, dict) for one in value.values())


def _drafts(text: Text, spans: Spans, pins: Sequence[tuple[int, _Pin]]) -> list[Draft]:
    """The entries of PINS, inside each other by their levels."""
    # From the end on, all that stands inside of a package was made just before it, its first part last.
    made: dict[int, list[Draft]] = {}
    for level, pin in reversed(pins):
        inside = made.pop(level + 1, [])
        made.setdefault(level, []).append(_draft(text, spans, pin, level, inside[::-1]))
    return made.get(1, [])[::-1]


def _is_table(part: Part) -> bool:
    return isinstance(part.value, dict)


def _is_framework(value: Any) -> bool:
    """Whether VALUE holds packages, as those of NuGet stand below the name of a framework."""
    return (
        isinstance(value, dict)
        and bool(value)
        and all(isinstance(one, dict) and "type" in one for one in value.values())
    )


def _version(value: Any) -> str:
    """The version that a package says, or the commit; "" where it says none."""
    if not isinstance(value, dict):
        return ""
    for inner in (value, value.get("state"), value.get("locked")):
        if not isinstance(inner, dict):
            continue
        for key in (*_VERSIONS, *_COMMITS):
            if isinstance(inner.get(key), str):
                return str(inner[key][:COMMIT] if key in _COMMITS else inner[key])
    return ""


def _draft(text: Text, spans: Spans, pin: _Pin, level: int, inside: Sequence[Draft]) -> Draft:
    """The entry of a package; an element of a list is named on the line of its name. The head goes to its version."""
    part = pin.part
    inner = {one.key: text.line_at(one.start) for one in members(text.content, part.at)}
    draft = spans.draft(named(pin.name), "package", level, (pin.at, part.end), part.at + 1, children=inside)
    own = draft.entry.start
    if pin.at == part.at:
        own = next((inner[key] for key in _NAMES if key in inner), own)
    said = next((inner[key] for key in _VERSIONS if key in inner), own)
    head = said if own <= said <= own + HEAD_LINES else own
    entry = draft.entry
    made = entry._replace(
        own=own,
        signature=named(f"{pin.name} {pin.version}"),
        signature_lines=(own, head),
        body=(head + 1, entry.end) if head < entry.end else None,
    )
    return Draft(made, draft.span)
