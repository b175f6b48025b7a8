"""Words of a caller to a typed request: what is wrong is named, with what the field takes (CONTRACT section 3)."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgeted_reads import contract, fields
from budgeted_reads.errors import InvalidRequest, UnknownTokenizer
from budgeted_reads.given import Defaults
from budgeted_reads.request import read_request
from budgeted_reads.views.ask import Ask, Lines

anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(max_size=12)
    | st.binary(max_size=4),
    lambda one: st.lists(one, max_size=3) | st.dictionaries(st.text(max_size=3), one, max_size=2),
    max_leaves=4,
)
NAMES = [field.name for field in fields.READ]


def refused(**given: object) -> InvalidRequest:
    """The refusal of a request for a file with the fields GIVEN."""
    with pytest.raises(InvalidRequest) as caught:
        read_request({"path": "a.md", **given})
    return caught.value


def asked(**given: object) -> Ask:
    """What a request for a file with the fields GIVEN asks of it."""
    return read_request({"path": "a.md", **given}).ask


@given(st.dictionaries(st.sampled_from(NAMES) | st.text(max_size=8), anything, max_size=4))
def test_whatever_is_given_is_a_request_or_refused(given: dict[str, Any]) -> None:
    """No value of any type in any field is a fault: it is a request, or `invalid_request` with a hint."""
    try:
        request = read_request(given)
    except InvalidRequest as error:
        assert error.hint
        assert error.code in ("invalid_request", "unknown_tokenizer")
        assert len(error.line()) < 400
    else:
        assert 1 <= request.ask.budget <= Defaults().max_budget


@pytest.mark.parametrize("budget", [0, -1, 1.5, "400", "", True, False, [100], {"n": 1}, 400.0, b"400"])
def test_a_budget_is_a_whole_number_from_one(budget: object) -> None:
    """Anything else is refused, with the value and what it should be; a text is no number, true is not 1."""
    error = refused(budget_tokens=budget)
    assert "budget_tokens" in error.detail
    assert "integer from 1" in error.hint


def test_a_budget_over_the_maximum_is_lowered_and_says_so() -> None:
    """`clamped_budget` names both figures."""
    request = read_request({"path": "a", "budget_tokens": 10**12}, Defaults(max_budget=5000))
    assert request.ask.budget == 5000
    assert [warned.code for warned in request.warnings] == ["clamped_budget"]
    assert "5000" in request.warnings[0].detail
    assert read_request({"path": "a", "budget_tokens": 5000}, Defaults(max_budget=5000)).warnings == ()


@pytest.mark.parametrize(
    ("given", "lines"),
    [
        ("12-18", (12, 18)),
        ("12", (12, 12)),
        ("12-", (12, None)),
        ("-20", (None, 20)),
        (" 3-4 ", (3, 4)),
        ([12, 18], (12, 18)),
        ((5, 5), (5, 5)),
    ],
)
def test_lines_are_written_in_five_ways(given: object, lines: tuple[int | None, int | None]) -> None:
    """A range, one line, from a line on, the last ones, and a pair of numbers; view lines is then implied."""
    assert asked(lines=given).lines == Lines(*lines)
    assert asked(lines=given).view == "lines"


@pytest.mark.parametrize(
    "given",
    [
        "",
        "0",
        "0-3",
        "3-0",
        "a",
        "1-2-3",
        "1,2",
        "-",
        "--3",
        "1.5",
        "-0",
        "٣",
        [1],
        [1, 2, 3],
        [0, 1],
        [1, True],
        12,
        1.0,
    ],
)
def test_other_lines_are_refused(given: object) -> None:
    """Zero, signs, fractions, digits of other scripts and lists of other lengths are no lines."""
    assert "lines" in refused(lines=given).detail


@pytest.mark.parametrize("given", ["9-3", [9, 3]])
def test_a_reversed_range_is_refused_with_the_right_one(given: object) -> None:
    """The hint is the range as it should be written."""
    error = refused(lines=given)
    assert "reversed" in error.detail
    assert "3-9" in error.hint


@pytest.mark.parametrize("given", ["5-2", "0-3", "7", "", [1, 2], 3, "1-", "-5"])
def test_columns_are_a_window(given: object) -> None:
    """Columns are two numbers in order, written with a dash, and need one line."""
    assert "columns" in refused(lines="1", columns=given).detail


@pytest.mark.parametrize(
    ("given", "near"),
    [("budget", "budget_tokens"), ("view_", "view"), ("line", "lines"), ("Section", "section"), ("zzz", "")],
)
def test_an_unknown_field_is_refused_with_the_nearest(given: str, near: str) -> None:
    """The hint names the field that was meant, else all of them."""
    error = refused(**{given: 1})
    assert given in error.detail
    assert near in error.hint


@pytest.mark.parametrize(
    "given",
    [
        {"lines": "1-2", "section": "A"},
        {"view": "lines"},
        {"view": "section"},
        {"view": "section", "lines": "1"},
        {"view": "lines", "section": "A"},
        {"columns": "1-5"},
        {"columns": "1-5", "lines": "1-2"},
        {"columns": "1-5", "lines": "3-"},
        {"columns": "1-5", "lines": "-1"},
        {"columns": "1-5", "section": "A"},
        {"columns": "1-5", "lines": "1", "view": "outline"},
        {"columns": "1-5", "lines": "1", "focus": "x"},
        {"columns": "1-5", "lines": "1", "on_overflow": "page"},
        {"on_overflow": "page"},
        {"on_overflow": "error", "view": "outline"},
        {"depth": 1, "view": "full"},
        {"depth": 1, "view": "lines", "lines": "1"},
        {"depth": 1, "section": "A"},
        {"focus": "x", "view": "full", "on_overflow": "page"},
    ],
    ids=str,
)
def test_fields_that_contradict_each_other_are_refused(given: dict[str, object]) -> None:
    """No field wins over another in silence; the hint says what to change."""
    assert refused(**given).hint


@pytest.mark.parametrize(
    "given",
    [
        {"view": "best"},
        {"view": 1},
        {"view": ["full"]},
        {"view": "summary"},
        {"on_overflow": "cut", "view": "full"},
        {"include": "facts"},
        {"include": ["facts", "everything"]},
        {"include": [["facts"]]},
        {"depth": 0},
        {"depth": True},
        {"depth": "2"},
        {"focus": ""},
        {"focus": 3},
        {"section": ""},
        {"section": []},
        {"section": ["A", 2]},
        {"section": b"A"},
        {"number_lines": 1},
        {"number_lines": "yes"},
        {"commit": ""},
        {"commit": 7},
        {"tokenizer": 3},
        {"path": 3},
        {"path": ["a"]},
    ],
    ids=str,
)
def test_a_value_of_the_wrong_sort_is_refused_by_its_field(given: dict[str, object]) -> None:
    """The error names the field and shows the value; the hint says what the field takes."""
    error = refused(**given)
    assert any(name in error.detail for name in given)
    assert error.hint


def test_an_unknown_tokenizer_is_refused_with_the_known_ones() -> None:
    """`unknown_tokenizer` lists what there is."""
    with pytest.raises(UnknownTokenizer) as caught:
        read_request({"path": "a", "tokenizer": "gpt-9"})
    assert "o200k_base" in caught.value.hint


def test_a_path_is_needed_and_nothing_else() -> None:
    """A request is a path; None counts as not given."""
    assert "path" in refused_without_path().detail
    assert asked(view=None, lines=None, budget_tokens=None) == Ask()


def refused_without_path() -> InvalidRequest:
    """The refusal of a request that names no file."""
    with pytest.raises(InvalidRequest) as caught:
        read_request({})
    return caught.value


def test_a_long_value_is_clipped_in_the_error() -> None:
    """However long a wrong value is, the error stays a line that can be read."""
    for name in ("view", "lines", "tokenizer", "include", "columns"):
        assert len(refused(**{name: "x" * 100_000}).line()) < 400
    assert len(refused(**{"y" * 100_000: 1}).line()) < 400


@pytest.mark.parametrize("letter", ["x", "蹆", "\x01", "🛃", "\ud800"])
def test_an_error_costs_at_most_80_tokens_in_any_script(letter: str) -> None:
    """What is repeated of a value is clipped by its bytes."""
    from budgeted_reads.tokens import counter

    for name in ("view", "lines", "columns", "on_overflow", "number_lines"):
        assert counter("o200k_base").units(refused(**{name: letter * 300}).line()) <= 80


def test_a_section_alone_implies_its_view() -> None:
    """As lines do; a view that is named stays a ceiling."""
    assert asked(section="A").view == "section"
    assert asked(section=["A", "B"]).section == ("A", "B")
    assert asked(section="A", view="outline").view == "outline"
    assert asked(lines="1-5", view="folded").view == "folded"


def test_a_field_that_is_not_known_is_refused_even_where_it_is_null() -> None:
    """Null means not given for fields that there are; any other name is a mistake, whatever it holds."""
    with pytest.raises(InvalidRequest, match="nonsense"):
        read_request({"path": "a", "nonsense": None})
    assert read_request({"path": "a", "since": None}).since is None
    with pytest.raises(InvalidRequest, match="nonsense"):
        contract.parse(contract.VerifyRequest, {"text": "", "nonsense": None})
