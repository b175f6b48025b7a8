"""Words of a caller to a checked request for changes: every field of `fields.DIFF` is checked here."""

from collections.abc import Mapping
from typing import NamedTuple

from budgeted_reads import fields
from budgeted_reads.errors import InvalidRequest
from budgeted_reads.given import Defaults, Given
from budgeted_reads.outline import Warned


class DiffRequest(NamedTuple):
    """A checked request; `to` None is the tree as it is now, `path` None the whole of the only tree."""

    old: str
    new: str | None
    path: str | bytes | None
    budget: int
    tokenizer: str
    warnings: tuple[Warned, ...] = ()


def diff_request(given: Mapping[str, object], defaults: Defaults) -> DiffRequest:
    """The request that GIVEN describes; `invalid_request` names the field that is wrong and says what it takes.

    A field that is None counts as not given.
    """
    asked = Given(given, fields.DIFF)
    old = _commit(asked, "from")
    if old is None:
        raise InvalidRequest("from is missing", "name the commit to compare from: an id, HEAD, a branch or a tag")
    path = asked.path("path")
    if path is not None and not path:
        raise asked.wrong("path")
    tokenizer = asked.tokenizer(defaults)
    budget, warnings = asked.budget(defaults)
    return DiffRequest(old, _commit(asked, "to"), path, budget, tokenizer, warnings)


def _commit(asked: Given, name: str) -> str | None:
    value = asked.text(name)
    if value is not None and ".." in value:
        first, _, last = value.partition("..")
        hint = f'give them apart: from "{first[:60]}", to "{last.lstrip(".")[:60] or "HEAD"}"'
        raise InvalidRequest(f"{name} takes one commit, {value[:130]!r} is a range", hint)
    return value
