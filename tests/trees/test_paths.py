"""Path texts: what is taken, what is refused, and that any byte name survives."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgeted_reads.errors import ForbiddenPath, InvalidRequest
from budgeted_reads.trees.paths import follow, leads, parse, refuse_git, show

names = st.binary(min_size=1, max_size=12).filter(
    lambda name: not set(name) & set(b"/\0") and name not in (b".", b"..")
)


@given(st.lists(names, min_size=1, max_size=5))
def test_any_byte_path_passes_unchanged(parts: list[bytes]) -> None:
    """A clean path of any bytes is returned as it is, from bytes and from text, without a warning."""
    path = b"/".join(parts)
    assert parse(path) == (path, ())
    assert parse(path.decode("utf-8", "surrogateescape")) == (path, ())


@given(st.binary(max_size=40))
def test_what_is_parsed_is_clean(raw: bytes) -> None:
    """Whatever is taken has no `..`, no NUL, no `.`, no empty part but one slash at its end; parsing again is idle."""
    try:
        parsed = parse(raw)
    except (InvalidRequest, ForbiddenPath):
        assert b"\0" in raw or b".." in raw.split(b"/")
        return
    parts = parsed.path.removesuffix(b"/").split(b"/") if parsed.path else []
    assert not set(parts) & {b"", b".", b".."}
    assert parse(parsed.path) == (parsed.path, ())


@given(st.binary(max_size=300))
def test_shown_paths_print_on_one_line(raw: bytes) -> None:
    """A path shown to a person holds no control character and is clipped."""
    assert show(raw).isprintable()
    assert len(show(raw)) <= 10 * 120 + 2


@pytest.mark.parametrize("text", ["./a", "a//b", "a/./b", "//a", "a/."])
def test_dots_and_double_slashes_are_said(text: str) -> None:
    """`.` and empty parts go away with the warning `path_normalised`."""
    assert [warned.code for warned in parse(text).warnings] == ["path_normalised"]


def test_plain_paths_carry_no_warning() -> None:
    """A leading slash and a slash at the end, which asks for a folder, are ordinary."""
    assert parse("/docs/") == (b"docs/", ())
    assert parse("") == parse("/") == (b"", ())


@pytest.mark.parametrize("text", ["..", "../x", "a/../a", "a/.."])
def test_dot_dot_is_refused_even_inside(text: str) -> None:
    """`..` is `forbidden_path`, also where it would stay inside the tree."""
    with pytest.raises(ForbiddenPath):
        parse(text)


@pytest.mark.parametrize("text", ["a\0b", "\0", "a\ud800b", "x" * 4097])
def test_what_no_file_can_be_named_is_invalid(text: str) -> None:
    """NUL, a stray surrogate and more than 4,096 bytes are `invalid_request`."""
    with pytest.raises(InvalidRequest):
        parse(text)


@pytest.mark.parametrize("path", [b".git", b".git/config", b".GIT/x", b"a/.Git/b"])
def test_git_is_refused_in_any_case_and_depth(path: bytes) -> None:
    """A part named `.git` is `forbidden_path`."""
    with pytest.raises(ForbiddenPath):
        refuse_git(path)


def test_names_like_git_are_served() -> None:
    """`.gitignore` and `x.git` are ordinary names."""
    refuse_git(b".gitignore")
    refuse_git(b"x.git/.github")


@given(st.dictionaries(names, st.lists(st.sampled_from([b"..", b".", b"a", b"b", b"/a"]), min_size=1).map(b"/".join)))
def test_following_links_always_ends(links: dict[bytes, bytes]) -> None:
    """Whatever links say, following them ends, and inside the tree or nowhere."""
    for path in links:
        real = follow(path, links.get)
        assert real is None or b".." not in real.split(b"/")


def test_links_lead_where_the_disk_says() -> None:
    """A link in the middle is followed before a later `..` is, as the disk does."""
    links = {b"d": b"x/y", b"up": b"../..", b"abs": b"/etc"}
    assert follow(b"d/z", links.get) == b"x/y/z"
    assert follow(b"d/up", {**links, b"x/y/up": b"../w"}.get) == b"x/w"
    assert follow(b"up/z", links.get) is None
    assert follow(b"abs", links.get) is None


def test_a_link_must_stay_inside_by_its_words_too() -> None:
    """A target that leaves the tree by its words is refused even where the links on it would bring it back."""
    links = {b"l": b"d/../../a", b"d": b"x/y/z"}
    assert follow(b"l", links.get) == b"x/a"
    assert leads(b"l", links[b"l"], links.get) is None
