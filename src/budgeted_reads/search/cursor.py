"""Cursors: where the next page begins, bound to the commits and the query that it goes on with."""

import re
from collections.abc import Iterable
from hashlib import sha256

from budgeted_reads.errors import InvalidRequest
from budgeted_reads.search.request import Query

_FORM = re.compile(r"(\d{1,9})\.([0-9a-f]{6})\.([0-9a-f]{6})\Z")
_HINT = "leave the cursor out to begin again"


def write(offset: int, query: Query, commits: Iterable[str | None]) -> str:
    """The cursor of the page that begins at match OFFSET, counted from 0."""
    return f"{offset}.{_of_query(query)}.{_of_commits(commits)}"


def read(query: Query, commits: Iterable[str | None]) -> int:
    """The OFFSET that the cursor of QUERY names, 0 without one. Raises `invalid_request` for that of another search."""
    if query.cursor is None:
        return 0
    found = _FORM.match(query.cursor)
    if not found:
        raise InvalidRequest(f"no cursor: {query.cursor[:60]!r}", "give `next` of the answer before, as it is")
    if found[2] != _of_query(query):
        raise InvalidRequest("the cursor is that of another query", f"repeat the fields of that query, or {_HINT}")
    if found[3] != _of_commits(commits):
        raise InvalidRequest(
            "the cursor is that of another commit: the tree has moved on", f"name that commit, or {_HINT}"
        )
    return int(found[1])


def check(offset: int, total: int) -> None:
    """Raise `invalid_request` where OFFSET is past the last of TOTAL matches."""
    if offset and offset >= total:
        raise InvalidRequest(f"the cursor is past the last page: there are {total} matches", _HINT)


def _of_query(query: Query) -> str:
    told = (query.query, query.mode, query.path, query.globs, query.ignore_case)
    return sha256(repr(told).encode("utf-8", "surrogatepass")).hexdigest()[:6]


def _of_commits(commits: Iterable[str | None]) -> str:
    return sha256(repr(list(commits)).encode()).hexdigest()[:6]
