"""Lock files to the packages that they pin, by bare names. Which tool wrote a file its content tells, not its name."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from budgeted_reads.outline import json, toml, yaml
from budgeted_reads.outline.entry import Entry, Outline, Warned
from budgeted_reads.outline.formats import Format
from budgeted_reads.outline.jsonparts import Part, elements, members, top
from budgeted_reads.outline.lines import bare_lines, entry, named
from budgeted_reads.outline.tree import MAX_TREE, Draft, Spans
from budgeted_reads.text import BOM, Text

_TOML_VALUE = re.compile(r'(?P<key>name|version) = "(?P<value>[^"]*)"')
_YARN_HEAD = re.compile(r'"?(?P<name>@?[^@",\s][^@",]*)@[^\n]*:$')
_PNPM_HEAD = re.compile(r"  ['\"]?/?(?P<name>(?:@[^/\s]+/)?[^@/'\"(\s:]+)[@/]\S.*:(?: \{\})?$")
_GEM = re.compile(r"    (?P<name>[^\s(]+) \((?P<version>[^)]+)\)$")
_GO = re.compile(r"(?P<name>\S+) (?P<version>v\S+?)(?:/go\.mod)? h1:\S+$")
_NODE_MODULE = re.compile(r"(?:.*/)?node_modules/(?P<name>(?:@[^/]+/)?[^/]+)$")
_JSON_LISTS = ("packages", "packages-dev")
_JSON_TABLES = ("packages", "dependencies", "default", "develop")

HEAD_LINES = 2
"""A version that stands at most so many lines below the name of its package is told with it."""


class _Pin(NamedTuple):
    """One package on lines FIRST..LAST, named on line `own`; its version stands at the latest on line `head`."""

    name: str
    first: int
    last: int
    own: int
    head: int


def outline(text: Text, form: Format) -> Outline:
    """The packages of TEXT in their order; what has none is outlined as the JSON, YAML or TOML that it is.

    The fact `package_count` counts all of them: a package that is pinned in two versions counts twice.
    """
    lines = bare_lines(text)
    start = next((line for line in lines if line.strip()), "").lstrip()
    if start.startswith("{"):
        return _of_json(text, form)
    for pins in _DIALECTS:
        if found := list(pins(lines)):
            return _made([_entry(lines, pin) for pin in found[:MAX_TREE]], len(found), form)
    if any(line.startswith("[") for line in lines):
        return toml.outline(text, form)
    if any(line.startswith("lockfileVersion:") for line in lines[:10]):
        return yaml.outline(text, form)
    return Outline((), form.name, None, "data")


def _made(entries: Sequence[Entry], count: int, form: Format) -> Outline:
    """The outline of COUNT packages, of which those after the first `MAX_TREE` are no entries."""
    more = Warned("shallow_outline", f"only the first {MAX_TREE} of {count} packages are entries")
    warnings = (more,) if count > MAX_TREE else ()
    return Outline(tuple(entries), form.name, None, "data", warnings=warnings, facts=(("package_count", count),))


def _entry(lines: Sequence[str], pin: _Pin) -> Entry:
    return entry(lines, named(pin.name), "package", 1, pin.first, pin.last, own=pin.own, head=pin.head)


def _of_toml(lines: Sequence[str]) -> Iterator[_Pin]:
    """`[[package]]` of Cargo, Poetry, uv and PDM; a table inside of one belongs to it."""
    first = own = head = 0
    name = ""
    for number, line in enumerate([*lines, "["], 1):
        if line.startswith("[") and not line.startswith(("[package.", "[[package.")):
            if name:
                yield _Pin(name, first, _last(lines, number - 1), own, head)
            name, first = "", number if line.startswith("[[package]]") else 0
        elif first and line[:1] in "nv" and (found := _TOML_VALUE.match(line)) and number <= first + 3:
            if found["key"] == "name" and not name:
                name, own, head = found["value"], number, number
            elif name:
                head = number


def _of_yarn(lines: Sequence[str]) -> Iterator[_Pin]:
    """Heads at the margin such as `"@babel/core@^7.0.0", b@^1:`."""
    if not any(line.startswith(("# yarn lockfile", "__metadata:")) for line in lines[:10]):
        return
    for number, line in enumerate(lines, 1):
        if line[:1] not in ("", " ", "#") and (found := _YARN_HEAD.match(line)):
            yield _by_indentation(lines, found["name"], number)


def _of_pnpm(lines: Sequence[str]) -> Iterator[_Pin]:
    """The keys below `packages:`; the same ones below `snapshots:` are not counted again."""
    if not any(line.startswith("lockfileVersion:") for line in lines[:10]):
        return
    within = False
    for number, line in enumerate(lines, 1):
        if line[:1] not in ("", " ", "#"):
            within = line.startswith("packages:")
        elif within and (found := _PNPM_HEAD.match(line)):
            yield _by_indentation(lines, found["name"], number)


def _of_gems(lines: Sequence[str]) -> Iterator[_Pin]:
    """Lines such as `    rails (7.1.0)` below `specs:`; what they need, indented deeper, belongs to them."""
    within = False
    for number, line in enumerate(lines, 1):
        if not line.startswith("    "):
            within = line.startswith("  specs:")
        elif within and (found := _GEM.match(line)):
            pin = _by_indentation(lines, found["name"], number)
            yield pin._replace(head=number)


def _of_go(lines: Sequence[str]) -> Iterator[_Pin]:
    """Lines of one module and version, of which there are mostly two."""
    before: tuple[str, str] | None = None
    first = 0
    for number, line in enumerate([*lines, ""], 1):
        found = _GO.match(line)
        key = (found["name"], found["version"]) if found else None
        if before and key != before:
            yield _Pin(before[0], first, number - 1, first, first)
        if key != before:
            before, first = key, number


_DIALECTS: tuple[Callable[[Sequence[str]], Iterator[_Pin]], ...] = (_of_toml, _of_yarn, _of_pnpm, _of_gems, _of_go)


def _by_indentation(lines: Sequence[str], name: str, number: int) -> _Pin:
    """The package whose head is line NUMBER, with the lines below that are indented deeper."""
    indent = len(lines[number - 1]) - len(lines[number - 1].lstrip())
    last = number
    while last < len(lines) and lines[last].startswith(" " * (indent + 1)) and lines[last].strip():
        last += 1
    return _Pin(name, number, last, number, min(number + 1, last))


def _last(lines: Sequence[str], number: int) -> int:
    while not lines[number - 1].strip():
        number -= 1
    return number


def _of_json(text: Text, form: Format) -> Outline:
    """package-lock.json, composer.lock, Pipfile.lock: objects by name, or lists of objects that have one."""
    content = text.content
    spans = Spans(text)
    drafts: list[Draft] = []
    count = 0
    try:
        parts = {part.key: part for part in members(content, top(content, len(BOM) if text.bom else 0))}
        for key, table in parts.items():
            if key == "dependencies" and "packages" in parts:
                continue
            for name, at, part in _packages(content, table):
                count += 1
                if count <= MAX_TREE:
                    drafts.append(_draft(text, spans, named(name), at, part))
    except (ValueError, RecursionError):
        return json.outline(text, form)
    if not drafts:
        return json.outline(text, form)
    return _made(spans.finish(drafts), count, form)


def _packages(content: str, part: Part) -> Iterator[tuple[str, int, Part]]:
    """Name of each package below a key of the top, the offset at which it starts, and its value."""
    if part.key in _JSON_LISTS and isinstance(part.value, list):
        for one in elements(content, part.at):
            if isinstance(one.value, dict) and isinstance(one.value.get("name"), str):
                yield one.value["name"], one.at, one
    elif part.key in _JSON_TABLES and isinstance(part.value, dict):
        for one in members(content, part.at):
            found = _NODE_MODULE.match(one.key)
            if one.key and isinstance(one.value, dict):
                yield (found["name"] if found else one.key), one.start, one


def _draft(text: Text, spans: Spans, name: str, at: int, part: Part) -> Draft:
    """The entry of a package; an element of a list is named on the line of its name. The head goes to its version."""
    inner = {one.key: one for one in members(text.content, part.at) if one.key in ("name", "version")}
    draft = spans.draft(name, "package", 1, (at, part.end), part.at + 1)
    own = text.line_at(inner["name"].start if at == part.at and "name" in inner else at)
    version = text.line_at(inner["version"].start) if "version" in inner else own
    head = version if own <= version <= own + HEAD_LINES else own
    entry = draft.entry
    body = (head + 1, entry.end) if head < entry.end else None
    return Draft(entry._replace(own=own, signature_lines=(own, head), body=body), draft.span)
