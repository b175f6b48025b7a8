"""Pointers: every byte path comes back, every wrong spelling is refused at its place (CONTRACT section 4)."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgeted_reads.errors import InvalidRequest, TreeUnknown
from budgeted_reads.pointer import (
    Pointer,
    candidates,
    display,
    format_pointer,
    looks_like_pointer,
    node_name,
    parse,
    path_of,
    short,
    split,
)

FULL = "9f2c1de0a1b2c3d4e5f60718293a4b5c6d7e8f90"
SEGMENTS = st.one_of(
    st.binary(min_size=1, max_size=12),
    st.text(min_size=1, max_size=12).map(lambda text: text.encode("utf-8", "replace")),
    st.sampled_from(
        [b"a@9f2c1de", b"c#L5.md", b"q?x", b"%", b"%41", b"-n", b"nas:", b"a b", b"...", b"\xff", b"~", b"\\"]
    ),
).filter(lambda segment: not {0, 0x2F} & set(segment) and segment not in (b".", b".."))
PATHS = st.lists(SEGMENTS, min_size=1, max_size=5).map(b"/".join)
COMMITS = st.one_of(st.just(FULL), st.text("0123456789abcdef", min_size=7, max_size=64))
LINES = st.one_of(
    st.none(), st.tuples(st.integers(1, 10**9), st.integers(0, 10**6)).map(lambda at: (at[0], at[0] + at[1]))
)


@given(PATHS, COMMITS, LINES)
def test_any_byte_path_comes_back_from_a_full_pointer(path: bytes, commit: str, lines: tuple[int, int] | None) -> None:
    """A written pointer has only the grammar's characters, and parsing and splitting it gives what it was made of."""
    pointer = format_pointer("Home-Box", "agents/cleo", path, commit, lines)
    assert re.fullmatch(
        r"nas://home-box/([A-Za-z0-9\-._~!$&'()*+,;=:/]|%[0-9A-F]{2})+@[0-9a-f]+(#L\d+(-L\d+)?)?", pointer
    )
    parsed = parse(pointer)
    assert parsed == Pointer("home-box", b"agents/cleo/" + path, commit, lines)
    assert split(parsed, ["agents", "agents/cleo", "x"]) == ("agents/cleo", path)
    assert looks_like_pointer(pointer)


@given(PATHS, COMMITS, LINES, st.booleans())
def test_any_byte_path_comes_back_from_a_short_pointer(
    path: bytes, commit: str, lines: tuple[int, int] | None, rooted: bool
) -> None:
    """The short form is one visible word, and parses into the same path, commit and lines."""
    path = b"/" * rooted + path
    pointer = short(path, commit, lines)
    assert pointer.isprintable()
    assert len(pointer.split()) == 1
    assert parse(pointer) == Pointer(None, path, commit, lines)
    assert looks_like_pointer(pointer)
    assert path_of(display(path)) == path


@given(st.text(max_size=40) | st.text("nas:/@#L-%.0123456789abcdef?", max_size=60))
def test_any_text_parses_or_is_refused(text: str) -> None:
    """Parsing never fails in another way than `invalid_request`, and what it accepts can be written again."""
    for attempt in (text, f"nas://n/t/{text}", f"a@{FULL}#{text}"):
        try:
            parsed = parse(attempt)
        except InvalidRequest as error:
            assert "at character" in error.detail
        else:
            assert parse(short(parsed.rest, parsed.commit, parsed.lines)) == parsed._replace(node=None)


def test_the_pointer_of_the_concept_page() -> None:
    """The example of the concept page has its parts, and is written the same way."""
    text = "nas://home-box/agents/cleo/memory/notes/customer-acme.md@9f2c1de#L1-L40"
    parsed = parse(text)
    assert parsed == Pointer("home-box", b"agents/cleo/memory/notes/customer-acme.md", "9f2c1de", (1, 40))
    tree, path = split(parsed, ["agents"])
    assert (tree, path) == ("agents", b"cleo/memory/notes/customer-acme.md")
    assert format_pointer("home-box", "agents", path, "9f2c1de", (1, 40)) == text


@pytest.mark.parametrize("fragment", ["#L12-L18", "#L12-18", "#12-18", "#12-L18"])
def test_readers_take_every_spelling_of_a_range(fragment: str) -> None:
    """The L may be missing on either side."""
    assert parse(f"a.md@{FULL}{fragment}").lines == (12, 18)


@pytest.mark.parametrize("fragment", ["#L12", "#12", "#L12-L12"])
def test_one_line_is_a_range_of_one(fragment: str) -> None:
    """`#L12` is line 12, and is written so."""
    lines = parse(f"a.md@{FULL}{fragment}").lines
    assert lines == (12, 12)
    assert short(b"a.md", FULL, lines).endswith("#L12")


def test_readers_take_what_people_type() -> None:
    """Raw characters, spaces, `@` in the path, capitals in scheme, node and commit, a slash after a folder."""
    assert parse(f"nas://N/t/b\u00fccher/a b.md@{FULL}").rest == "t/b\u00fccher/a b.md".encode()
    assert parse("dir@v1/x.md@9F2C1DE#L2") == Pointer(None, b"dir@v1/x.md", "9f2c1de", (2, 2))
    assert parse(f"NAS://N:80/t/d/@{FULL}") == Pointer("n:80", b"t/d", FULL)
    assert parse(f"q?x=1.md@{FULL}").rest == b"q?x=1.md"


@pytest.mark.parametrize(
    ("text", "character"),
    [
        ("nas://n/t/a.md", 15),
        ("a.md@main", 6),
        ("a.md@abcde", 11),
        ("a.md@abcdef", 12),
        ("a.md@abcdefg", 12),
        ("a.md@" + "a" * 65, 70),
        ("nas://n/t/a%4.md@abcdef1", 12),
        ("nas://n/t/a%", 13),
        ("nas://n/t/a%@abcdef1", 12),
        ("nas://n/t/a%00@abcdef1", 12),
        ("nas://n/t/a%2Fb@abcdef1", 12),
        ("nas://n/t/a\0@abcdef1", 12),
        ("nas://n/t/a\n@abcdef1", 12),
        ("nas://n/t/a?x@abcdef1", 12),
        ("nas://n/t/../a@abcdef1", 11),
        ("nas://n/t/%2e%2E/a@abcdef1", 11),
        ("nas://n/t/./a@abcdef1", 11),
        ("nas://n/t//a@abcdef1", 11),
        ("nas://n//a@abcdef1", 9),
        ("nas://n/@abcdef1", 9),
        ("nas://n@abcdef1", 8),
        ("nas:///t/a@abcdef1", 7),
        ("nas://-n/t/a@abcdef1", 7),
        ("nas://n_n/t/a@abcdef1", 8),
        ("@abcdef1", 1),
        ("/@abcdef1", 2),
        ("a.md@abcdef1#", 14),
        ("a.md@abcdef1#L0", 15),
        ("a.md@abcdef1#L3-L2", 18),
        ("a.md@abcdef1#L3-", 16),
        ("a.md@abcdef1#L3#L4", 16),
        ("a.md@abcdef1#L" + "9" * 5000, 30),
        ("c#L5.md@abcdef1", 2),
        ("docs/@abcdef1#L1", 14),
        (".@abcdef1#L1", 10),
        ("a\ud800b@abcdef1", 2),
    ],
)
def test_a_wrong_pointer_is_refused_at_its_place(text: str, character: int) -> None:
    """Nothing is repaired, and the error names the character, counted from 1."""
    with pytest.raises(InvalidRequest, match=rf"at character {character} "):
        parse(text)


@pytest.mark.parametrize(
    "path", ["berth#7.md", "a@b.md", "plan 100%.md", "q?x=1.md", "x:y.ts", "c#L5.md", "dir@v1/x.md", "per%20cent.md"]
)
def test_characters_that_mean_something_here_are_encoded(path: str) -> None:
    """Names full of `#`, `@`, `?`, `%`, `:` and blanks keep their lines and their bytes in both forms."""
    raw = path.encode()
    assert split(parse(format_pointer("n", "t", raw, FULL, (2, 3))), ["t"]) == ("t", raw)
    assert parse(short(raw, FULL, (2, 3))) == Pointer(None, raw, FULL, (2, 3))


def test_text_shows_what_can_be_read_and_encodes_what_cannot() -> None:
    """Letters of every script stay; controls, odd spaces, direction marks and unseen letters are encoded."""
    assert display("docs/\u6e2f\u53e3/b\u00fccher.md".encode()) == "docs/\u6e2f\u53e3/b\u00fccher.md"
    assert display(b"a\nb\xff c") == "a%0Ab%FF%20c"
    assert display("a\u202egpj.exe".encode()) == "a%E2%80%AEgpj.exe"
    assert display("a\u3164\ufe0f\u00a0".encode()) == "a%E3%85%A4%EF%B8%8F%C2%A0"


def test_the_root_is_a_dot() -> None:
    """The root of a tree has a short pointer and a full one."""
    assert short(b"", FULL) == f".@{FULL}"
    assert parse(f".@{FULL}").rest == b""
    assert split(parse(format_pointer("n", "t", b"", FULL)), ["t"]) == ("t", b"")


def test_the_tree_is_the_longest_registered_name_by_whole_segments() -> None:
    """`agents` does not match `agents2`, a longer name wins, and an unknown one is `tree_unknown` with the names."""
    assert split(Pointer("n", b"a/b/c", FULL), ["a", "a/b", "a/bc"]) == ("a/b", b"c")
    assert split(Pointer(None, b"/a/x", FULL), ["a"]) == ("a", b"x")
    assert split(Pointer(None, b"/tmp/x", FULL), ["a"]) == (None, b"/tmp/x")
    assert split(Pointer(None, b"a/x", FULL), ["a"]) == (None, b"a/x")
    with pytest.raises(TreeUnknown) as caught:
        split(Pointer("n", b"agents2/x", FULL), ["agents"])
    assert "agents" in caught.value.hint
    assert candidates(Pointer("n", b"a/b/c", FULL)) == (b"b/c", b"c", b"")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("nas://what", True),
        ("a.md@9f2c1de", True),
        ("a.md@9f2c1de#x", True),
        ("a.md@main", False),
        ("@9f2c1de", False),
        ("a.md", False),
    ],
)
def test_what_is_meant_as_a_pointer_is_seen(text: str, expected: bool) -> None:
    """A broken pointer is still taken for one, so that its error can say what is wrong."""
    assert looks_like_pointer(text) is expected


def test_node_names_are_host_names() -> None:
    """Lower case comes back; anything else than letters, digits, `-`, `.` and a port is `invalid_request`."""
    assert node_name("Home-Box.lan:8080") == "home-box.lan:8080"
    for wrong in ("", "-a", "a_b", "a/b", "b\u00fcro", "a@b"):
        with pytest.raises(InvalidRequest):
            node_name(wrong)
