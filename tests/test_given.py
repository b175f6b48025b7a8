"""Every request checks its fields alike: read, search and diff refuse the same mistakes with the same words."""

from collections.abc import Callable, Mapping

import pytest

from budgeted_reads.changes.ask import diff_request
from budgeted_reads.errors import InvalidRequest, ReadError
from budgeted_reads.given import Defaults
from budgeted_reads.request import read_request
from budgeted_reads.search.request import search_request

Parse = Callable[[Mapping[str, object], Defaults], object]
DEFAULTS = Defaults(budget=100, max_budget=200)
REQUESTS = [
    pytest.param(read_request, {"path": "a.md"}, id="read"),
    pytest.param(search_request, {"query": "word"}, id="search"),
    pytest.param(diff_request, {"from": "HEAD"}, id="diff"),
]


@pytest.mark.parametrize(("parse", "least"), REQUESTS)
@pytest.mark.parametrize("value", [None, 1, "x"])
def test_a_field_that_is_not_known_is_refused_with_the_nearest(
    parse: Parse, least: dict[str, object], value: object
) -> None:
    """Even where it is null; the hint names the field that was meant."""
    with pytest.raises(InvalidRequest) as caught:
        parse({**least, "budget_token": value}, DEFAULTS)
    assert (caught.value.detail, caught.value.hint) == (
        "unknown field 'budget_token'",
        "did you mean budget_tokens?",
    )


@pytest.mark.parametrize(("parse", "least"), REQUESTS)
@pytest.mark.parametrize("value", [True, "400", 0, -1, 1.5])
def test_a_budget_is_a_positive_integer(parse: Parse, least: dict[str, object], value: object) -> None:
    """Neither a number in a text nor true is one."""
    with pytest.raises(InvalidRequest, match="budget_tokens cannot be"):
        parse({**least, "budget_tokens": value}, DEFAULTS)


@pytest.mark.parametrize(("parse", "least"), REQUESTS)
def test_a_budget_above_the_maximum_is_lowered_aloud(parse: Parse, least: dict[str, object]) -> None:
    """The warning says from what to what; up to the maximum there is none, and null is the default."""
    assert "clamped_budget" in str(parse({**least, "budget_tokens": 201}, DEFAULTS))
    for budget in (None, 1, 200):
        assert "clamped_budget" not in str(parse({**least, "budget_tokens": budget}, DEFAULTS))


@pytest.mark.parametrize(("parse", "least"), REQUESTS)
@pytest.mark.parametrize("value", ["", "o300k_base", 5, []])
def test_a_tokenizer_is_one_that_there_is(parse: Parse, least: dict[str, object], value: object) -> None:
    """Another name or type is an error of ours, never a crash."""
    with pytest.raises(ReadError):
        parse({**least, "tokenizer": value}, DEFAULTS)
