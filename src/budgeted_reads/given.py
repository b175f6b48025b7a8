"""The fields of any request as a caller gave them, each checked against its table (CONTRACT section 3)."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from budgeted_reads import fields, tokens
from budgeted_reads.errors import InvalidRequest
from budgeted_reads.fields import Field
from budgeted_reads.limits import DEFAULT_BUDGET, MAX_BUDGET
from budgeted_reads.outline import Warned

NAME_LENGTH = 30
"""No tokenizer has a longer name, and the error for an unknown one repeats it."""


class Defaults(NamedTuple):
    """What a node takes where a request says nothing."""

    budget: int = DEFAULT_BUDGET
    max_budget: int = MAX_BUDGET
    tokenizer: str = tokens.DEFAULT


class Given:
    """The fields that were given, of those in TABLE; any other is `invalid_request`, and None counts as not given.

    Each method returns the value of a field, None where it was not given; `invalid_request` names a field that is wrong
    and says what it takes.
    """

    def __init__(self, given: Mapping[str, object], table: Sequence[Field]) -> None:
        self.table = {field.name: field for field in table}
        for name in given:
            if name not in self.table:
                raise self._unknown(name)
        self.values = {name: value for name, value in given.items() if value is not None}

    def __contains__(self, name: str) -> bool:
        return name in self.values

    def __getitem__(self, name: str) -> object:
        return self.values.get(name)

    def path(self, name: str) -> str | bytes | None:
        """A path, as text or, where a name is not text, as bytes."""
        value = self[name]
        if value is not None and not isinstance(value, (str, bytes)):
            raise self.wrong(name)
        return value

    def text(self, name: str) -> str | None:
        """A text that is not blank."""
        return None if name not in self else text(self.table[name], self[name])

    def word(self, name: str) -> str | None:
        """One of the words that the field takes."""
        return None if name not in self else word(self.table[name], self[name])

    def words(self, name: str) -> list[str]:
        """A list of such words; empty where it was not given."""
        values = self.values.get(name, ())
        if isinstance(values, str) or not isinstance(values, Sequence):
            raise self.wrong(name)
        return [word(self.table[name], value) for value in values]

    def flag(self, name: str) -> bool | None:
        """True or false."""
        value = self[name]
        if value is not None and not isinstance(value, bool):
            raise self.wrong(name)
        return value

    def count(self, name: str, low: int = 1, high: int | None = None) -> int | None:
        """An integer from LOW to HIGH."""
        value = self[name]
        if value is None:
            return None
        # True is an int in Python, and "400" a number to a lenient reader: both are mistakes of the caller here.
        if isinstance(value, bool) or not isinstance(value, int) or value < low or (high is not None and value > high):
            error = self.wrong(name)
            raise (
                error if high is None else InvalidRequest(error.detail, f"{name} takes an integer from {low} to {high}")
            )
        return value

    def tokenizer(self, defaults: Defaults) -> str:
        """The name of a tokenizer that there is; else `unknown_tokenizer`."""
        name = self.values.get("tokenizer", defaults.tokenizer)
        if not isinstance(name, str):
            raise self.wrong("tokenizer")
        tokens.counter(name[:NAME_LENGTH])
        return name

    def budget(self, defaults: Defaults) -> tuple[int, tuple[Warned, ...]]:
        """The budget in tokens, at most the node's, and the warning where it was lowered."""
        budget = self.count("budget_tokens") or defaults.budget
        if budget <= defaults.max_budget:
            return budget, ()
        detail = f"{budget} was lowered to this node's maximum of {defaults.max_budget}"
        return defaults.max_budget, (Warned("clamped_budget", detail),)

    def wrong(self, name: str) -> InvalidRequest:
        """The error for the value of the field NAME."""
        return wrong(self.table[name], self[name])

    def _unknown(self, name: object) -> InvalidRequest:
        import difflib

        near = difflib.get_close_matches(str(name), self.table, 1)
        hint = f"did you mean {near[0]}?" if near else f"the fields are {', '.join(self.table)}"
        return InvalidRequest(f"unknown field {str(name)[:60]!r}", hint)


def text(field: Field, value: object) -> str:
    """VALUE, which FIELD takes if it is a text that is not blank."""
    if not isinstance(value, str) or not value.strip():
        raise wrong(field, value)
    return value


def word(field: Field, value: object) -> str:
    """VALUE, which FIELD takes if it is one of its words."""
    if value not in field.words:
        raise wrong(field, value)
    return str(value)


def wrong(field: Field, value: object) -> InvalidRequest:
    """The error for a VALUE that FIELD does not take; a long value is clipped."""
    shown = ascii(value) if not isinstance(value, str) else repr(value)
    # By bytes: a letter may cost three tokens in one script and a third of one in another.
    if len(raw := shown.encode("utf-8", "backslashreplace")) > 60:
        shown = raw[:57].decode("utf-8", "ignore") + "..."
    takes = ", ".join(field.words) if field.words else fields.TYPES[field.type]
    return InvalidRequest(f"{field.name} cannot be {shown}", f"{field.name} takes {takes}")
