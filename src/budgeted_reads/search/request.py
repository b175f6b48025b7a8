"""Words of a caller to a checked query (CONTRACT section 6)."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from budgeted_reads import fields
from budgeted_reads.errors import InvalidRequest
from budgeted_reads.given import Defaults, Given, wrong
from budgeted_reads.outline import Warned

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
    asked = Given(given, fields.SEARCH)
    query = asked["query"]
    if not isinstance(query, str) or not query:
        raise InvalidRequest("the query is empty or missing", "give the text, the pattern or the words to search for")
    path = asked.path("path")
    mode = asked.word("mode") or "literal"
    if mode == "ranked" and not query.strip():
        raise InvalidRequest("the query has no words", "give words to search for")
    if mode == "ranked" and "ignore_case" in asked:
        raise InvalidRequest("ignore_case goes with modes literal and regex", "leave it out: ranked ignores case")
    tokenizer = asked.tokenizer(defaults)
    budget, warnings = asked.budget(defaults)
    context = asked.count("context", 0, MAX_CONTEXT)
    return Query(
        query=query,
        mode=mode,
        path=path,
        globs=_globs(asked["globs"]) if "globs" in asked else (),
        commit=asked.text("commit"),
        ignore_case=bool(asked.flag("ignore_case")),
        context=DEFAULT_CONTEXT if context is None else context,
        limit=asked.count("limit", 1, MAX_LIMIT),
        cursor=asked.text("cursor"),
        view=asked.word("view"),
        budget=budget,
        tokenizer=tokenizer,
        warnings=warnings,
    )


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
