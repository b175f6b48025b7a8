"""Words of a caller to a checked query (CONTRACT section 6)."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from budgeted_reads import fields, tokens
from budgeted_reads.errors import InvalidRequest
from budgeted_reads.outline import Warned
from budgeted_reads.request import Defaults, wrong

VIEWS = ("snippets", "hits", "files", "count")
"""How much of each match is shown, from fine to coarse."""

READS = ("outline", "section", "full")
"""Views that give the sections of the matches instead, each within the budget."""

DEFAULT_CONTEXT = 2
MAX_CONTEXT = 50
DEFAULT_LIMIT = 100
RANKED_LIMIT = 10
"""The most matches on a page where nothing is said: lines that match, entries that answer."""

MAX_LIMIT = 1000
MAX_GLOBS = 100
MAX_GLOB = 1000

_NAMES = {field.name: field for field in fields.SEARCH}


class Query(NamedTuple):
    """A checked request. `path` None is every tree; `view` None the finest that fits; `context` None the default."""

    query: str
    mode: str
    path: str | bytes | None
    globs: tuple[str, ...]
    commit: str | None
    ignore_case: bool
    context: int
    limit: int | None
    cursor: str | None
    view: str | None
    budget: int
    tokenizer: str
    warnings: tuple[Warned, ...] = ()


def search_request(given: Mapping[str, object], defaults: Defaults) -> Query:
    """The query that GIVEN describes; `invalid_request` names the field that is wrong and says what it takes.

    A field that is None counts as not given.
    """
    values = {name: value for name, value in given.items() if value is not None}
    for name in values:
        if name not in _NAMES:
            raise _unknown(name)
    query = values.get("query")
    if not isinstance(query, str) or not query:
        raise InvalidRequest("the query is empty or missing", "give the text, the pattern or the words to search for")
    path = values.get("path")
    if path is not None and not isinstance(path, (str, bytes)):
        raise wrong(_NAMES["path"], path)
    mode = _word("mode", values.get("mode", "literal"))
    if mode == "ranked" and not query.strip():
        raise InvalidRequest("the query has no words", "give words to search for")
    if mode == "ranked" and "ignore_case" in values:
        raise InvalidRequest("ignore_case goes with modes literal and regex", "leave it out: ranked ignores case")
    tokenizer = _text("tokenizer", values.get("tokenizer", defaults.tokenizer))
    tokens.counter(tokenizer)
    budget, warnings = _budget(values.get("budget_tokens", defaults.budget), defaults)
    return Query(
        query=query,
        mode=mode,
        path=path,
        globs=_globs(values["globs"]) if "globs" in values else (),
        commit=_text("commit", values["commit"]) if "commit" in values else None,
        ignore_case=_flag("ignore_case", values.get("ignore_case", False)),
        context=_count("context", values.get("context", DEFAULT_CONTEXT), 0, MAX_CONTEXT),
        limit=_count("limit", values["limit"], 1, MAX_LIMIT) if "limit" in values else None,
        cursor=_text("cursor", values["cursor"]) if "cursor" in values else None,
        view=_word("view", values["view"]) if "view" in values else None,
        budget=budget,
        tokenizer=tokenizer,
        warnings=warnings,
    )


def _budget(value: object, defaults: Defaults) -> tuple[int, tuple[Warned, ...]]:
    budget = _count("budget_tokens", value, 1)
    if budget <= defaults.max_budget:
        return budget, ()
    detail = f"{budget} was lowered to this node's maximum of {defaults.max_budget}"
    return defaults.max_budget, (Warned("clamped_budget", detail),)


def _count(name: str, value: object, low: int, high: int | None = None) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < low or (high is not None and value > high):
        error = wrong(_NAMES[name], value)
        if high is None:
            raise error
        raise InvalidRequest(error.detail, f"{name} takes an integer from {low} to {high}")
    return value


def _flag(name: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise wrong(_NAMES[name], value)
    return value


def _text(name: str, value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise wrong(_NAMES[name], value)
    return value


def _word(name: str, value: object) -> str:
    if value not in _NAMES[name].words:
        raise wrong(_NAMES[name], value)
    return str(value)


def _globs(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        value = (value,)
    if not value or isinstance(value, bytes) or not isinstance(value, Sequence):
        raise wrong(_NAMES["globs"], value)
    if len(value) > MAX_GLOBS:
        raise InvalidRequest(f"{len(value)} globs are too many, the limit is {MAX_GLOBS}", "merge some: *.{py,pyi}")
    for glob in value:
        if not isinstance(glob, str) or not glob.strip("!/") or len(glob) > MAX_GLOB or "\0" in glob:
            raise wrong(_NAMES["globs"], glob)
    return tuple(value)


def _unknown(name: object) -> InvalidRequest:
    import difflib

    near = difflib.get_close_matches(str(name), _NAMES, 1)
    hint = f"did you mean {near[0]}?" if near else f"the fields are {', '.join(_NAMES)}"
    return InvalidRequest(f"unknown field {str(name)[:60]!r}", hint)
