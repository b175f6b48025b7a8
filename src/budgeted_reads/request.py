"""Words of a caller to a typed request: every field is checked here, once, for all faces (CONTRACT section 3)."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from budgeted_reads import fields, tokens
from budgeted_reads.errors import InvalidRequest
from budgeted_reads.fields import Field
from budgeted_reads.limits import DEFAULT_BUDGET, MAX_BUDGET, MAX_PATHS
from budgeted_reads.outline import Range, Warned
from budgeted_reads.views.ask import Ask, Lines

_NAMES = {field.name: field for field in fields.READ}
_FROM_TO = re.compile(r"([1-9]\d{0,11})-([1-9]\d{0,11})\Z")
_OPEN = re.compile(r"([1-9]\d{0,11})-?\Z")
_LAST = re.compile(r"-([1-9]\d{0,11})\Z")


class Defaults(NamedTuple):
    """What a node takes where a request says nothing."""

    budget: int = DEFAULT_BUDGET
    max_budget: int = MAX_BUDGET
    tokenizer: str = tokens.DEFAULT


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
    values = {name: value for name, value in given.items() if value is not None}
    for name in given:
        if name not in _NAMES:
            raise _unknown(name)
    path, paths, glob = _what(values)
    tokenizer = _word(_NAMES["tokenizer"], values.get("tokenizer", defaults.tokenizer))
    tokens.counter(tokenizer[:30])  # no name is longer, and the error repeats it
    budget, warnings = _budget(values.get("budget_tokens", defaults.budget), defaults)
    ask = _ask(values, budget)
    since = _text("since", values["since"]) if "since" in values else None
    if path is None:
        _check_many(ask)
        if since is not None:
            raise InvalidRequest("since goes with one file or folder", "ask for changes (diff), or read one path")
    return ReadRequest(path or "", _commit(values.get("commit")), tokenizer, ask, warnings, paths, glob, since)


def _what(values: Mapping[str, object]) -> tuple[str | bytes | None, tuple[str, ...] | None, tuple[str, ...] | None]:
    """The one of path, paths and glob that was given."""
    given = [name for name in ("path", "paths", "glob") if name in values]
    if len(given) > 1:
        raise InvalidRequest(f"{' and '.join(given)} are given together", "name what to read in one of them")
    if not given:
        raise InvalidRequest("path is missing", "name a file: path within the tree, /tree/path, or a pointer")
    value = values[given[0]]
    if given == ["path"]:
        if not isinstance(value, (str, bytes)):
            raise wrong(_NAMES["path"], value)
        return value, None, None
    if isinstance(value, str) and given == ["glob"]:
        value = [value]
    if not isinstance(value, Sequence) or isinstance(value, (str, bytes)) or not value or len(value) > MAX_PATHS:
        raise wrong(_NAMES[given[0]], value)
    texts = tuple(_text(given[0], one) for one in value)
    return None, *((texts, None) if given == ["paths"] else (None, texts))


def _check_many(ask: Ask) -> None:
    """Refuse for several files what names a part of one."""
    for name in ("lines", "section", "columns"):
        if getattr(ask, name) is not None:
            raise InvalidRequest(f"{name} goes with one file", "leave it out, or read one path")
    if ask.view not in ("auto", "full", "folded", "outline", "card") or ask.on_overflow != "degrade":
        raise InvalidRequest(f"view {ask.view} with on_overflow {ask.on_overflow} goes with one file", "use view auto")


def _ask(values: Mapping[str, object], budget: int) -> Ask:
    lines = _lines(values["lines"]) if "lines" in values else None
    section = _titles(values["section"]) if "section" in values else None
    columns = _columns(values["columns"]) if "columns" in values else None
    implied = "section" if section is not None else "lines" if lines is not None else "auto"
    ask = Ask(
        view=_choice("view", values.get("view", implied)),
        budget=budget,
        lines=lines,
        columns=columns,
        section=section,
        depth=_count("depth", values["depth"]) if "depth" in values else None,
        focus=_text("focus", values["focus"]) if "focus" in values else None,
        number_lines=_flag("number_lines", values["number_lines"]) if "number_lines" in values else None,
        on_overflow=_choice("on_overflow", values.get("on_overflow", "degrade")),
        include=frozenset(_choices("include", values.get("include", ()))),
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


def _budget(value: object, defaults: Defaults) -> tuple[int, tuple[Warned, ...]]:
    budget = _count("budget_tokens", value)
    if budget <= defaults.max_budget:
        return budget, ()
    detail = f"{budget} was lowered to this node's maximum of {defaults.max_budget}"
    return defaults.max_budget, (Warned("clamped_budget", detail),)


def _commit(value: object) -> str | None:
    return None if value is None else _text("commit", value)


def _count(name: str, value: object) -> int:
    # True is an int in Python, and "400" a number to a lenient reader: both are mistakes of the caller here.
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise wrong(_NAMES[name], value)
    return value


def _flag(name: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise wrong(_NAMES[name], value)
    return value


def _text(name: str, value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise wrong(_NAMES[name], value)
    return value


def _word(field: Field, value: object) -> str:
    if not isinstance(value, str):
        raise wrong(field, value)
    return value


def _choice(name: str, value: object) -> str:
    if value not in _NAMES[name].words:
        raise wrong(_NAMES[name], value)
    return str(value)


def _choices(name: str, value: object) -> list[str]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise wrong(_NAMES[name], value)
    return [_choice(name, word) for word in value]


def _titles(value: object) -> str | tuple[str, ...]:
    if isinstance(value, str):
        return _text("section", value)
    if not isinstance(value, Sequence) or isinstance(value, bytes) or not value:
        raise wrong(_NAMES["section"], value)
    return tuple(_text("section", title) for title in value)


def _lines(value: object) -> Lines:
    if isinstance(value, str):
        text = value.strip()
        if both := _FROM_TO.match(text):
            return _in_order(int(both[1]), int(both[2]), value)
        if last := _LAST.match(text):
            return Lines(None, int(last[1]))
        if first := _OPEN.match(text):
            return Lines(int(first[1]), None if text.endswith("-") else int(first[1]))
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


def wrong(field: Field, value: object) -> InvalidRequest:
    """The error for a VALUE that FIELD does not take; a long value is clipped."""
    shown = ascii(value) if not isinstance(value, str) else repr(value)
    # By bytes: a letter may cost three tokens in one script and a third of one in another.
    if len(raw := shown.encode("utf-8", "backslashreplace")) > 60:
        shown = raw[:57].decode("utf-8", "ignore") + "..."
    takes = ", ".join(field.words) if field.words else fields.TYPES[field.type]
    return InvalidRequest(f"{field.name} cannot be {shown}", f"{field.name} takes {takes}")


def _unknown(name: object) -> InvalidRequest:
    import difflib

    near = difflib.get_close_matches(str(name), _NAMES, 1)
    hint = f"did you mean {near[0]}?" if near else f"the fields are {', '.join(_NAMES)}"
    return InvalidRequest(f"unknown field {str(name)[:60]!r}", hint)
