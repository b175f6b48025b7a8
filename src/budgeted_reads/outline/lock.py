"""Lock files to the packages that they pin, by bare names. Which tool wrote a file its content tells, not its name."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from budgeted_reads.outline import lockjson, toml, yaml
from budgeted_reads.outline.entry import Entry, Outline, Warned
from budgeted_reads.outline.formats import Format
from budgeted_reads.outline.lines import bare_lines, entry, named
from budgeted_reads.outline.tree import MAX_TREE
from budgeted_reads.text import Text

HEAD_LINES = 2
"""A version that stands at most so many lines below the name of its package is part of its head."""

_TOML_VALUE = re.compile(r'(?P<key>name|version) = "(?P<value>[^"]*)"')
_GO = re.compile(r"(?P<name>\S+) (?P<version>v\S+?)(?:/go\.mod)? h1:\S+$")


class _Pin(NamedTuple):
    """One package on lines FIRST..LAST, named on line `own`; `said` is the line of its VERSION, 0 where it has none."""

    name: str
    version: str
    first: int
    last: int
    own: int
    said: int


class _Dialect(NamedTuple):
    """How a tool writes a package: a `head`, indented by `indent`, with what is indented deeper below it.

    Heads are looked for after a line with less indent that begins with `section`. `version` finds the version in the
    lines below a head that has none; without it, the head is no package. `marks`: one of them begins one of the first
    lines of the file.
    """

    head: re.Pattern[str]
    indent: int = 0
    section: str = ""
    version: re.Pattern[str] | None = None
    marks: tuple[str, ...] = ()


_DIALECTS = (
    # "@babel/core@^7.0.0", b@^1:
    _Dialect(
        re.compile(r'"?(?P<name>@?[^@",\s][^@",]*)@[^\n]*:$'),
        version=re.compile(r'  version:? "?(?P<version>[^"\s]+)'),
        marks=("# yarn lockfile", "__metadata:"),
    ),
    # pnpm; what stands below `snapshots:` repeats these.
    _Dialect(
        re.compile(r"  ['\"]?/?(?P<name>(?:@[^/\s]+/)?[^@/'\"(\s:]+)[@/](?P<version>[^\s('\"]++)\S*(?<=:)(?: \{\})?$"),
        indent=2,
        section="packages:",
        marks=("lockfileVersion:",),
    ),
    # Bundler: rails (7.1.0)
    _Dialect(re.compile(r"    (?P<name>[^\s(]+) \((?P<version>[^)]+)\)$"), indent=4, section="  specs:"),
    # CocoaPods: - Alamofire (5.8.1):
    _Dialect(re.compile(r'  - "?(?P<name>[^\s"(]+) \((?P<version>[^)]+)\)"?:?$'), indent=2, section="PODS:"),
    # pub
    _Dialect(
        re.compile(r"  (?P<name>\w+):$"),
        indent=2,
        section="packages:",
        version=re.compile(r'    version: "?(?P<version>[^"\s]+)'),
    ),
    # Mix: "plug": {:hex, :plug, "1.15.3", ...
    _Dialect(
        re.compile(r'  "(?P<name>\w+)": \{:(?:hex, :\w+|git, "[^"]*"), "(?P<version>[^"]+)"'), indent=2, section="%{"
    ),
    # Bun: "a/b": ["b@1.0.0", ...
    _Dialect(
        re.compile(r'    "[^"]+": \["(?P<name>@?[^@"]+)@(?P<version>[^"]+)"'), indent=4, section='  "packages": {'
    ),
    # Gradle: org.slf4j:slf4j-api:2.0.9=compileClasspath
    _Dialect(re.compile(r"(?P<name>[\w.-]+:[\w.-]+):(?P<version>[^\s:=]+)=[\w,]*$")),
    # Helm
    _Dialect(re.compile(r"- name: (?P<name>\S+)$"), version=re.compile(r"  version: (?P<version>\S+)")),
)


def outline(text: Text, form: Format) -> Outline:
    """The packages of TEXT in their order, with their versions as signatures: `name version`.

    What has none is outlined as the JSON, YAML or TOML that it is. The fact `package_count` counts all of them: a
    package that is pinned in two versions counts twice.
    """
    lines = bare_lines(text)
    start = next((line for line in lines if line.strip()), "").lstrip()
    found = next(filter(None, (list(pins) for pins in _readings(lines))), [])
    if found:
        return _made([_entry(lines, pin) for pin in found[:MAX_TREE]], len(found), form)
    if start.startswith("{"):
        return lockjson.outline(text, form)
    if any(line.startswith("[") for line in lines):
        return toml.outline(text, form)
    if any(line.startswith(("lockfileVersion:", "version:", "dependencies:", "packages:")) for line in lines[:10]):
        return yaml.outline(text, form)
    return Outline((), form.name, None, "data")


def _made(entries: Sequence[Entry], count: int, form: Format) -> Outline:
    """The outline of COUNT packages, of which those after the first `MAX_TREE` are no entries."""
    more = Warned("shallow_outline", f"only the first {MAX_TREE} of {count} packages are entries")
    warnings = (more,) if count > MAX_TREE else ()
    return Outline(tuple(entries), form.name, None, "data", warnings=warnings, facts=(("package_count", count),))


def _entry(lines: Sequence[str], pin: _Pin) -> Entry:
    head = pin.said if pin.own <= pin.said <= pin.own + HEAD_LINES else pin.own
    signature = named(f"{pin.name} {pin.version}")
    return entry(lines, named(pin.name), "package", 1, pin.first, pin.last, own=pin.own, head=head, signature=signature)


def _readings(lines: Sequence[str]) -> Iterator[Iterator[_Pin]]:
    yield _of_toml(lines)
    for dialect in _DIALECTS:
        yield _of_heads(lines, dialect)
    yield _of_go(lines)


def _of_toml(lines: Sequence[str]) -> Iterator[_Pin]:
    """`[[package]]` of Cargo, Poetry, uv and PDM, `[[packages]]` of pylock; a table inside of one belongs to it."""
    first = own = said = 0
    name = version = ""
    for number, line in enumerate([*lines, "["], 1):
        if line.startswith("[") and not line.startswith(("[package.", "[[package.", "[packages.", "[[packages.")):
            if name:
                yield _Pin(name, version, first, _last(lines, number - 1), own, said)
            name, version, said = "", "", 0
            first = number if line.startswith(("[[package]]", "[[packages]]")) else 0
        elif first and line[:1] in "nv" and (found := _TOML_VALUE.match(line)) and number <= first + 3:
            if found["key"] == "name" and not name:
                name, own = found["value"], number
            elif name and not version:
                version, said = found["value"], number


def _of_heads(lines: Sequence[str], dialect: _Dialect) -> Iterator[_Pin]:
    """The packages that are written as that DIALECT has it."""
    if dialect.marks and not any(line.startswith(dialect.marks) for line in lines[:10]):
        return
    margin = " " * dialect.indent
    within = not dialect.section
    for number, line in enumerate(lines, 1):
        if dialect.section and line and line[0] != "#" and not line.startswith(margin):
            within = line.startswith(dialect.section)
        elif within and (found := dialect.head.match(line)):
            pin = _Pin(found["name"], "", number, _below(lines, number), number, number)
            if dialect.version is None:
                yield pin._replace(version=found["version"].rstrip(":"))
            elif said := _version(lines, pin, dialect.version):
                yield pin._replace(version=said[0], said=said[1])


def _version(lines: Sequence[str], pin: _Pin, pattern: re.Pattern[str]) -> tuple[str, int] | None:
    """The version below the head of PIN, and its line."""
    for number in range(pin.own + 1, pin.last + 1):
        if found := pattern.match(lines[number - 1]):
            return found["version"], number
    return None


def _of_go(lines: Sequence[str]) -> Iterator[_Pin]:
    """Lines of one module and version, of which there are mostly two."""
    before: tuple[str, str] | None = None
    first = 0
    for number, line in enumerate([*lines, ""], 1):
        found = _GO.match(line)
        key = (found["name"], found["version"]) if found else None
        if before and key != before:
            yield _Pin(*before, first, number - 1, first, first)
        if key != before:
            before, first = key, number


def _below(lines: Sequence[str], number: int) -> int:
    """The last of the lines below line NUMBER that are indented deeper."""
    indent = len(lines[number - 1]) - len(lines[number - 1].lstrip())
    last = number
    while last < len(lines) and lines[last].startswith(" " * (indent + 1)) and lines[last].strip():
        last += 1
    return last


def _last(lines: Sequence[str], number: int) -> int:
    while not lines[number - 1].strip():
        number -= 1
    return number
