"""Words of a caller to a typed request: every field is checked here, once, for all faces (CONTRACT section 3)."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from budgeted_reads import fields
from budgeted_reads.errors import InvalidRequest
from budgeted_reads.given import Defaults, Given, text, wrong
from budgeted_reads.limits import MAX_PATHS
from budgeted_reads.outline import Range, Warned
from budgeted_reads.views.ask import Ask, Lines

_NAMES = {field.name: field for field in fields.READ}
_FROM_TO = re.compile(r"([1-9]\d{0,11})-([1-9]\d{0,11})\Z")
_OPEN = re.compile(r"([1-9]\d{0,11})-?\Z")
_LAST = re.compile(r"-([1-9]\d{0,11})\Z")


class ReadRequest(NamedTuple):
    """A checked request: for the file or folder `path`, or for several files, by `paths` or `glob`."""

    path: str | bytes
    commit: str | None
    tokenizer: str
    ask: Ask
    warnings: tuple[Warned, ...] = ()
    paths: tuple[str, ...] | None = None
    glob: tuple[str, ...] | None = None
    since: str | None = None


def read_request(given: Mapping[str, object], defaults: Defaults = Defaults()) -> ReadRequest:  # noqa: B008
    """The request that GIVEN describes; `invalid_request` names the field that is wrong and says what it takes.

    A field that is None counts as not given.
    """
    asked = Given(given, fields.READ)
    path, paths, glob = _what(asked)
    tokenizer = asked.tokenizer(defaults)
    budget, warnings = asked.budget(defaults)
    ask = _ask(asked, budget)
    since = asked.text("since")
    if path is None:
        _check_many(ask)
        if since is not None:
            raise InvalidRequest("since goes with one file or folder", "ask for changes (diff), or read one path")
    return ReadRequest(path or "", asked.text("commit"), tokenizer, ask, warnings, paths, glob, since)


def _what(asked: Given) -> tuple[str | bytes | None, tuple[str, ...] | None, tuple[str, ...] | None]:
    """The one of path, paths and glob that was given."""
    given = [name for name in ("path", "paths", "glob") if name in asked]
    if len(given) > 1:
        raise InvalidRequest(f"{' and '.join(given)} are given together", "name what to read in one of them")
    if not given:
        raise InvalidRequest("path is missing", "name a file: path within the tree, /tree/path, or a pointer")
    name = given[0]
    if name == "path":
        return asked.path("path"), None, None
    value = asked[name]
    if isinstance(value, str) and name == "glob":
        value = [value]
    if not isinstance(value, Sequence) or isinstance(value, (str, bytes)) or not value or len(value) > MAX_PATHS:
        raise asked.wrong(name)
    texts = tuple(text(asked.table[name], one) for one in value)
    return None, *((texts, None) if name == "paths" else (None, texts))


def _check_many(ask: Ask) -> None:
    """Refuse for several files what names a part of one."""
    for name in ("lines", "section", "columns"):
        if getattr(ask, name) is not None:
            raise InvalidRequest(f"{name} goes with one file", "leave it out, or read one path")
    if ask.view not in ("auto", "full", "folded", "outline", "card") or ask.on_overflow != "degrade":
        raise InvalidRequest(f"view {ask.view} with on_overflow {ask.on_overflow} goes with one file", "use view auto")


def _ask(asked: Given, budget: int) -> Ask:
    lines = _lines(asked["lines"]) if "lines" in asked else None
    section = _titles(asked["section"]) if "section" in asked else None
    implied = "section" if section is not None else "lines" if lines is not None else "auto"
    ask = Ask(
        view=asked.word("view") or implied,
        budget=budget,
        lines=lines,
        columns=_columns(asked["columns"]) if "columns" in asked else None,
        section=section,
        depth=asked.count("depth"),
        focus=asked.text("focus"),
        number_lines=asked.flag("number_lines"),
        on_overflow=asked.word("on_overflow") or "degrade",
        include=frozenset(asked.words("include")),
    )
    _check_together(ask)
    return ask


def _check_together(ask: Ask) -> None:
    """Refuse fields that contradict each other, rather than let one of them win in silence."""
    if ask.lines is not None and ask.section is not None:
        raise InvalidRequest("lines and section are given both", "ask for one of them")
    if ask.view == "lines" and ask.lines is None:
        raise InvalidRequest("view lines needs lines", 'add lines, such as "12-18"')
    if ask.view == "section" and ask.section is None:
        raise InvalidRequest("view section needs section", "add section, a title of the outline")
    if (ask.view == "section" and ask.lines is not None) or (ask.view == "lines" and ask.section is not None):
        raise InvalidRequest(f"view {ask.view} does not go with the range that is given", "leave view out")
    if ask.columns is not None:
        one = ask.lines is not None and ask.lines.first is not None and ask.lines.first == ask.lines.last
        if not one:
            raise InvalidRequest("columns need lines that name one line", 'add lines, such as "12"')
        if ask.view not in ("lines", "auto") or ask.focus or ask.depth or ask.on_overflow == "page":
            raise InvalidRequest("columns go with view lines alone", "leave the other fields out")
    if ask.on_overflow != "degrade" and ask.view not in ("full", "lines", "section", "folder"):
        raise InvalidRequest(
            f"on_overflow {ask.on_overflow} goes with view full, lines, section or folder", "name one of these views"
        )
    if ask.depth is not None and ask.view in ("full", "lines", "section"):
        raise InvalidRequest(f"depth does not go with view {ask.view}", "use view outline, folded or auto")
    if ask.focus is not None and ask.on_overflow == "page":
        raise InvalidRequest("focus does not go with pages, which are in line order", "leave one of them out")


def _titles(value: object) -> str | tuple[str, ...]:
    if isinstance(value, str):
        return text(_NAMES["section"], value)
    if not isinstance(value, Sequence) or isinstance(value, bytes) or not value:
        raise wrong(_NAMES["section"], value)
    return tuple(text(_NAMES["section"], title) for title in value)


def _lines(value: object) -> Lines:
    if isinstance(value, str):
        words = value.strip()
        if both := _FROM_TO.match(words):
            return _in_order(int(both[1]), int(both[2]), value)
        if last := _LAST.match(words):
            return Lines(None, int(last[1]))
        if first := _OPEN.match(words):
            return Lines(int(first[1]), None if words.endswith("-") else int(first[1]))
    elif isinstance(value, Sequence) and not isinstance(value, bytes) and len(value) == 2:
        first_line, last_line = value
        if all(isinstance(line, int) and not isinstance(line, bool) and line >= 1 for line in value):
            return _in_order(first_line, last_line, value)
    raise wrong(_NAMES["lines"], value)


def _in_order(first: int, last: int, value: object) -> Lines:
    if first > last:
        raise InvalidRequest(f"lines {value!r} are reversed", f'ask for "{last}-{first}"')
    return Lines(first, last)


def _columns(value: object) -> Range:
    if isinstance(value, str) and (both := _FROM_TO.match(value.strip())) and int(both[1]) <= int(both[2]):
        return int(both[1]), int(both[2])
    raise wrong(_NAMES["columns"], value)
