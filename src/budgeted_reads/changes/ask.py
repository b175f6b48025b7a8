"""Words of a caller to a checked request for changes: every field of `fields.DIFF` is checked here."""

from collections.abc import Mapping
from typing import NamedTuple

from budgeted_reads import fields, tokens
from budgeted_reads.errors import InvalidRequest
from budgeted_reads.outline import Warned
from budgeted_reads.request import Defaults, wrong

_NAMES = {field.name: field for field in fields.DIFF}


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
    values = {name: value for name, value in given.items() if value is not None}
    for name in given:
        if name not in _NAMES:
            hint = f"the fields are {', '.join(_NAMES)}"
            raise InvalidRequest(f"unknown field {str(name)[:60]!r}", hint)
    if "from" not in values:
        raise InvalidRequest("from is missing", "name the commit to compare from: an id, HEAD, a branch or a tag")
    path = values.get("path")
    if path is not None and (not isinstance(path, (str, bytes)) or not path):
        raise wrong(_NAMES["path"], path)
    tokenizer = values.get("tokenizer", defaults.tokenizer)
    if not isinstance(tokenizer, str):
        raise wrong(_NAMES["tokenizer"], tokenizer)
    tokens.counter(tokenizer)
    budget = values.get("budget_tokens", defaults.budget)
    if isinstance(budget, bool) or not isinstance(budget, int) or budget < 1:
        raise wrong(_NAMES["budget_tokens"], budget)
    warnings: tuple[Warned, ...] = ()
    if budget > defaults.max_budget:
        detail = f"{budget} was lowered to this node's maximum of {defaults.max_budget}"
        budget, warnings = defaults.max_budget, (Warned("clamped_budget", detail),)
    new = _commit("to", values["to"]) if "to" in values else None
    return DiffRequest(_commit("from", values["from"]), new, path, budget, tokenizer, warnings)


def _commit(name: str, value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise wrong(_NAMES[name], value)
    if ".." in value:
        first, _, last = value.partition("..")
        hint = f'give them apart: from "{first[:60]}", to "{last.lstrip(".")[:60] or "HEAD"}"'
        raise InvalidRequest(f"{name} takes one commit, {value[:130]!r} is a range", hint)
    return value
