"""Pointers in any text, and the quote that goes with each by the one rule of CONTRACT section 4."""

import time
from collections.abc import Iterable
from itertools import combinations, pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from budgeted_reads.evidence.citations import find
from budgeted_reads.evidence.links import parse_link, remote_name
from budgeted_reads.evidence.nearby import pairs
from budgeted_reads.pointer import format_pointer, parse, short

FULL = "62c8312c14e06688b33619a802c01c28e3cb31be"
HEX = FULL[:12]
P = f"a.md@{HEX}#L3"
NAMES = st.binary(min_size=1, max_size=8).filter(lambda name: not set(name) & set(b"/\0") and name.strip(b".") != b"")
PATHS = st.lists(NAMES, min_size=1, max_size=3)
AROUND = st.sampled_from(["see {}.", "({})", "[x]({})", "**{}**, and", "“{}”", "{}"])
REMOTES = ("git@github.com:Owner/Repo.git", "https://u:t@github.com/owner/repo", "ssh://git@github.com:22/owner/repo/")


def quotes(text: str) -> list[str | None]:
    """The quote of each pointer of TEXT, None where it has none; where it has two, both on a line each."""
    return ["\n".join(one.quotes) or None for one in find(text)]


@given(PATHS, st.sampled_from([None, (1, 1), (12, 18)]), AROUND | st.just("<{}>"))
def test_every_pointer_that_writers_emit_is_found_whole(
    parts: list[bytes], lines: tuple[int, int] | None, around: str
) -> None:
    """Whatever the path and the punctuation around, the pointer comes back as it was written."""
    pointer = format_pointer("local", "tree", b"/".join(parts), FULL, lines)
    text = around.format(pointer)
    (one,) = [one for one in find(text) if one.kind == "pointer"]
    assert one.written == pointer
    assert text[one.start : one.end] == pointer


@given(PATHS, AROUND)
def test_short_forms_with_lines_are_found_in_one_of_their_readings(parts: list[bytes], around: str) -> None:
    """The path as it was printed is the likeliest reading, or one of the others."""
    pointer = short(b"/".join(parts), HEX, (2, 3))
    assume(not set(pointer) & set('"`<>|“”«»„‘’'))  # marks of a text: a name that holds them is cited in the full form
    (one,) = [one for one in find(around.format(pointer)) if one.kind == "short"]
    readings = [parse(reading).rest for reading in (one.written, *one.others) if _parses(reading)]
    assert parse(pointer).rest in readings


def _parses(text: str) -> bool:
    try:
        parse(text)
    except ValueError:
        return False
    return True


def test_the_short_form_without_lines_is_for_the_tree_to_decide() -> None:
    """`actions/checkout@<hex>` may be a file; with lines it is a pointer; an address or a version is none."""
    found = find(
        f"uses: actions/checkout@{FULL}, x@{HEX}#L1-L2, me@example.org, pkg@1.2.3, a@{HEX}z, https://x.org/y@{HEX}#L1"
    )
    assert [(one.written, one.tentative) for one in found] == [
        (f"actions/checkout@{FULL}", True),
        (f"x@{HEX}#L1-L2", False),
    ]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        (f"nas://n/t/a@{HEX}#Lx.", f"nas://n/t/a@{HEX}#Lx"),
        ("nas://n/t/a@main#L1,", "nas://n/t/a@main#L1"),
        (f"<nas://n/t/a b.md@{HEX}>", f"nas://n/t/a b.md@{HEX}"),
        (f"(nas://n/t/a(1).md@{HEX}#L2)", f"nas://n/t/a(1).md@{HEX}#L2"),
        (f"nas://n/t/a@{HEX}#L2,nas", f"nas://n/t/a@{HEX}#L2"),
    ],
)
def test_a_pointer_that_is_spelled_wrong_is_found_too(text: str, written: str) -> None:
    """It has to be reported, so it is found to its end, without the punctuation of the sentence."""
    assert find(text)[0].written == written


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        (f'It says "the blue light" ({P}).', "the blue light"),
        (f"“the blue light”, {P}", "the blue light"),
        (f"«the blue light» {P}", "the blue light"),
        (f"`the blue light` {P}", "the blue light"),
        (f'"the blue light" and "the other light" {P}', "the other light"),
        (f'"too short" {P}', None),
        (f'He said "the blue light". It is in {P}', None),
        (f'He said "the blue light." {P}', "the blue light."),
        (f'He said "the blue light". ({P})', "the blue light"),
        (f'"One. Two. Three." is in {P}', "One. Two. Three."),
        (f'- "the blue light". Later: see {P}', "the blue light"),
        (f'- "the blue light"\n- {P}', None),
        (f'| "the blue light" | {P} |', "the blue light"),
        (f'"the blue light"\n\n{P}', None),
        (f"> the blue\n> light\n\n{P}", "the blue\nlight"),
        (f"{P}\n\n> the blue\n> light", "the blue\nlight"),
        (f"> the blue light\n> — {P}", "the blue light"),
        (f"```py\nx = 1\n\ny = 2\n```\n{P}", "x = 1\n\ny = 2"),
        (f"{P}\n~~~\nx = 1\n~~~\n", "x = 1"),
        (f"> above\n\n{P}\n\n> below", "above"),
        (f"> above\n\n{P}:\n\n> below", "below"),
        (f"> above\n\nword\n\n{P}", None),
        (f"> above\n\n# Heading\n{P}", None),
        (f'> above\n\n"the blue light" {P}', "the blue light"),
        (f'> above\n\n"the blue light" {P}:\n\n> below', "the blue light\nbelow"),
        (f'> above\n\n"the blue light" {P} is wrong, for a good reason:\n\n> below', "the blue light"),
        (f'> above\n\nThe "Blue Light" is set at {P}', "above"),
        (f'The "Blue Light" is set at {P}', None),
        (f'The "Light Factory" pattern is implemented at {P}', None),
        (f'"the blue light" is not in {P}', None),
        (f'The "Light Factory" and {P}', None),
        (f'"the blue light" (source: lines 3-4 of {P})', "the blue light"),
        (f'"the blue light" in `a.md` ({P})', "the blue light"),
        (f'A 5" disk with "the blue light" ({P})', "the blue light"),
        (f"In {P}: `the blue light`", "the blue light"),
        (f"`{P}`: `the blue light`", "the blue light"),
        (f"**{P}** — “the blue light”", "the blue light"),
        (f'{P} says "the blue light"', "the blue light"),
        (f"{P} (`the blue light`)", "the blue light"),
        (f"- {P}\n  `the blue light`", "the blue light"),
        (f"| {P} | `the blue light` |", "the blue light"),
        (f"({P}) `the blue light`", None),
        (f"{P}, `the blue light` and more", None),
        (f"{P}. `the blue light`", None),
        (f'"the blue light", {P}: "the other light"', "the blue light"),
        (f'> It says "the blue\n> light" ({P}).', "the blue\nlight"),
        (f"> The light in {P}\n> is blue.", None),
        (f"```\n{P}\n```", None),
        (f"> the blue light\n\nSee https://example.org/a. {P}", "the blue light"),
        (f"`docs/notes/a.md` is `docs/notes/{P}`", None),
        (P, None),
    ],
)
def test_the_quote_is_the_nearest_by_the_rule(text: str, quote: str | None) -> None:
    """A quoted text directly before or after it in its sentence, item or row, else a block directly above or below."""
    assert quotes(text) == [quote]


def test_a_quote_belongs_to_the_pointer_that_is_next_to_it() -> None:
    """A block that holds a pointer of its own, or stands behind another one, is not taken."""
    assert quotes(f"> one\n> {P}\n\n{P}") == ["one", None]
    assert quotes(f"> one\n\n{P} and {P}\n\n> two") == ["one", "two"]
    assert quotes(f'"the blue light" {P}; `{P}` {P}') == ["the blue light", None, None]
    assert quotes(f'"the blue light" ({P}), and {P}') == ["the blue light", None]
    assert quotes(f'{P}: "the blue light", and {P}') == ["the blue light", None]
    assert quotes(f'{P}: "the blue light"; {P}: "the other light"') == ["the blue light", "the other light"]
    assert quotes(f'"the blue light" ({P}), "the other light" ({P})') == ["the blue light", "the other light"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{P}\n\n> one\n\n{P}\n\n> two", ["one", "two"]),
        (f"> one\n\n{P}\n\n> two\n\n{P}", ["one", "two"]),
        (f"{P} has this.\n\n> one\n\n{P} has this.\n\n> two", ["one", "two"]),
        (f"{P}\n```\none\n```\n\n{P}\n```\ntwo\n```\n\nSee also {P}.", ["one", "two", None]),
        (f"It is at {P}.\n\n> one\n\nAs {P} says.", [None, "one"]),
        (f"It is at {P}:\n\n> one\n\nAs {P} says.", ["one", None]),
        (f'"the blue light" ({P}).\n\n> one\n\nAs {P} says.', ["the blue light", "one"]),
        (f'"the blue light" ({P}):\n\n> one\n\nAs {P} says.', ["the blue light\none", None]),
        (f"> one\n> {P}\n> two\n> {P}", ["one", "two"]),
        (f"> {P}\n> one\n> {P}\n> two", ["one", "two"]),
    ],
)
def test_each_passage_goes_to_one_pointer(text: str, expected: list[str | None]) -> None:
    """Pointers and blocks in turns: as many pairs as there can be, of those the nearest; a colon goes before all."""
    assert quotes(text) == expected


@given(st.lists(st.none() | st.tuples(*[st.integers(0, 3)] * 3), max_size=9))
def test_pairs_are_the_most_and_of_those_the_cheapest(costs: list[tuple[int, int, int] | None]) -> None:
    """No other choice of neighbours has more pairs, or as many that cost less."""

    def total(chosen: Iterable[int]) -> tuple[int, ...]:
        rows = [costs[at] or (0, 0, 0) for at in chosen]
        return (-len(rows), *(sum(row[k] for row in rows) for k in range(3)))

    numbers = [at for at, cost in enumerate(costs) if cost is not None]
    choices = [
        chosen
        for count in range(len(numbers) + 1)
        for chosen in combinations(numbers, count)
        if all(other - one > 1 for one, other in pairwise(chosen))
    ]
    found = pairs(costs)
    assert tuple(found) in choices
    assert total(found) == min(map(total, choices))


@given(
    st.lists(st.sampled_from([*"ab", P, "“the blue light”", "`x == y and z`", ": ", " (", ", ", "\n\n", "\n> "])).map(
        "".join
    )
)
def test_no_passage_is_used_twice(text: str) -> None:
    """Each quoted text is the quote of one pointer at most."""
    used = [quote for one in find(text) for quote in one.quotes]
    for said in ("the blue light", "x == y and z"):
        assert used.count(said) <= text.count(said)


PIECES = [*'ab@#L1 \n>`"“”«»-*.()[]|~', P, "nas://", "https://", "```"]


@given(st.lists(st.sampled_from(PIECES), max_size=60).map("".join))
def test_any_text_has_an_answer(text: str) -> None:
    """No text is refused; what is found stands where it is said to, in order, without overlap."""
    end = 0
    for one in find(text):
        assert text[one.start : one.end] == one.written
        assert one.start >= end
        assert one.line == text.count("\n", 0, one.start) + 1
        end = one.end


@pytest.mark.parametrize(
    "text",
    [
        f"@{HEX}" * 20_000,
        "nas://" * 40_000,
        "a" * 400_000 + P,
        '"' * 200_000 + P,
        "“" * 4_000 + P,
        f"({P}" * 5_000,
        "`" * 200_000 + P,
        "".join("`" * n + "a" for n in range(1, 400)) + P,
        f"`{'a' * 12}` ({P}\n\n> x\n\n" * 3_000,
    ],
    ids=["commits", "schemes", "long", "quotes", "open", "many", "ticks", "runs", "blocks"],
)
def test_hostile_texts_are_linear(text: str) -> None:
    """No text makes the search slow."""
    start = time.process_time()
    find(text)
    assert time.process_time() - start < 5


def test_links_are_read_by_host_repository_commit_path_and_lines() -> None:
    """GitHub and GitLab alike; the same repository however its remote is reached; other addresses are none."""
    github = parse_link(f"https://github.com/Owner/Repo/blob/{FULL}/src/a%20b.py?plain=1#L3C2-L5C1")
    assert github == ("github.com/owner/repo", FULL, b"src/a b.py", (3, 5))
    gitlab = parse_link(f"https://gitlab.example.org/g/sub/repo/-/blob/{FULL}/a.md#L3-5")
    assert gitlab == ("gitlab.example.org/g/sub/repo", FULL, b"a.md", (3, 5))
    assert parse_link("https://github.com/o/r/blob/main/a.md") is None
    assert parse_link(f"https://github.com/o/r/commit/{FULL}") is None
    assert {remote_name(address) for address in REMOTES} == {"github.com/owner/repo"}
    assert remote_name("/srv/git/repo.git") is None
