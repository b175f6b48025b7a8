"""Standard reads: bytes, lines, ranges and tags as RFC 9110 has them."""

import hashlib
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from budgeted_reads.http import ranges
from budgeted_reads.http.problems import Unsatisfiable
from repos import git
from serving import Served

RAW = "/v1/files/raw/agents"
DATA = bytes(range(64, 128)) * 2


@pytest.mark.parametrize("path", ["notes/acme.md", "crlf.txt", "empty.txt", "wide.txt", "picture.png", "greek.txt"])
def test_the_bytes_are_those_of_git(served: Served, path: str) -> None:
    """GET gives the committed bytes, to the byte; HEAD the same headers and no byte."""
    got = served.client.get(f"{RAW}/{path}")
    assert got.status == 200
    assert got.headers["content-length"] == str(len(got.body))
    assert got.headers["etag"] == f'"{git(served.place, "rev-parse", f"HEAD:{path}")}"'
    assert got.body == (served.place / path).read_bytes()
    head = served.client.send("HEAD", f"{RAW}/{path}")
    drop = {"date"}
    assert (head.status, head.body) == (200, b"")
    assert {k: v for k, v in head.headers.items() if k not in drop} == {
        k: v for k, v in got.headers.items() if k not in drop
    }


def test_the_type_says_what_is_known_and_nothing_runs(served: Served) -> None:
    """Text has its charset, other bytes are a download; a page of HTML is text, and no browser may guess."""
    types = {
        "notes/acme.md": "text/plain; charset=utf-8",
        "wide.txt": "text/plain; charset=utf-16-le",
        "picture.png": "application/octet-stream",
        "page.html": "text/plain; charset=utf-8",
    }
    for path, wanted in types.items():
        got = served.client.get(f"{RAW}/{path}")
        assert got.headers["content-type"] == wanted
        assert got.headers["x-content-type-options"] == "nosniff"
        assert "sandbox" in got.headers["content-security-policy"]
    assert served.client.get(f"{RAW}/picture.png").headers["content-disposition"].startswith("attachment")


def test_a_name_cannot_break_out_of_its_header(served: Served) -> None:
    """Quotes, semicolons and bytes that are no text are escaped in Content-Disposition."""
    got = served.client.get(f"{RAW}/a;b=%22c%22.txt")
    assert got.headers["content-disposition"] == "inline; filename*=UTF-8''a%3Bb%3D%22c%22.txt"
    assert served.client.get(f"{RAW}/odd%20%FF%23%40%25.txt").body == b"odd\n"


@pytest.mark.parametrize(
    ("asked", "wanted"),
    [
        ("1", b"one\r\n"),
        ("2-3", b"two\r\nthree"),
        ("2-", b"two\r\nthree"),
        ("-1", b"three"),
        ("3-99", b"three"),
    ],
)
def test_lines_are_exact_bytes(served: Served, asked: str, wanted: bytes) -> None:
    """`lines` gives whole lines with the LF that ends each, as `sed -n` would; the tag tells them from the file."""
    got = served.client.get(f"{RAW}/crlf.txt?lines={asked}")
    assert got.body == wanted
    assert got.headers["etag"] != served.client.get(f"{RAW}/crlf.txt").headers["etag"]


def test_lines_of_bytes_that_are_no_text_are_counted_by_lf(served: Served) -> None:
    """Lines of a binary file end at LF, as git counts; of UTF-16, at its own line ends."""
    assert served.client.get(f"{RAW}/picture.png?lines=2").body == b"\x1a\n"
    assert served.client.get(f"{RAW}/wide.txt?lines=2").body == "two\n".encode("utf-16-le")


def test_a_commit_is_served_as_it_was(served: Served) -> None:
    """`commit` takes an id or a name; what a full id names can be kept for ever, what a name does cannot."""
    old, new = served.commits
    got = served.client.get(f"{RAW}/notes/acme.md?commit={old}")
    assert got.body == b"# Old\n"
    assert "immutable" in got.headers["cache-control"]
    for named in (f"?commit={new[:12]}", "?commit=main", ""):
        assert served.client.get(f"{RAW}/notes/acme.md{named}").headers["cache-control"] == "no-cache"


def test_a_dirty_file_has_a_tag_of_its_bytes(served: Served) -> None:
    """Bytes that are not committed are served with a tag that is their own hash."""
    place = served.place / "new.txt"
    place.write_bytes(b"new\n")
    try:
        got = served.client.get(f"{RAW}/new.txt")
    finally:
        place.unlink()
    assert (got.body, got.headers["etag"]) == (b"new\n", f'"{hashlib.sha256(got.body).hexdigest()}"')


def test_a_tag_that_is_known_saves_the_bytes(served: Served) -> None:
    """If-None-Match with the tag, weak, in a list or as `*`: 304 without a body."""
    tag = served.client.get(f"{RAW}/crlf.txt").headers["etag"]
    for header in (tag, f"W/{tag}", f'"x", {tag}', "*"):
        got = served.client.get(f"{RAW}/crlf.txt", If_None_Match=header)
        assert (got.status, got.body, got.headers["etag"]) == (304, b"", tag)
    assert served.client.get(f"{RAW}/crlf.txt", If_None_Match='"x"').status == 200


def test_one_range(served: Served) -> None:
    """First and last, open and suffix ranges: 206 with exactly those bytes, and where they stand."""
    whole = (served.place / "crlf.txt").read_bytes()
    for header, first, end in (("0-0", 0, 1), ("2-5", 2, 6), ("11-", 11, 15), ("-4", 11, 15), ("9-999", 9, 15)):
        got = served.client.get(f"{RAW}/crlf.txt", Range=f"bytes={header}")
        assert (got.status, got.body) == (206, whole[first:end])
        assert got.headers["content-range"] == f"bytes {first}-{end - 1}/15"


def test_several_ranges(served: Served) -> None:
    """Several ranges come as the parts of one message, in the order asked for."""
    got = served.client.get(f"{RAW}/crlf.txt", Range="bytes=-2, 0-2")
    assert got.status == 206
    kind, _, mark = got.headers["content-type"].partition("; boundary=")
    assert kind == "multipart/byteranges"
    parts = got.body.split(b"--" + mark.encode())
    assert [part.partition(b"\r\n\r\n")[2] for part in parts[1:-1]] == [b"ee\r\n", b"one\r\n"]
    assert parts[-1] == b"--\r\n"


def test_a_range_past_the_end_is_refused_with_the_size(served: Served) -> None:
    """No byte of it is there: 416 as a problem, with the size; HEAD knows no Range."""
    got = served.client.get(f"{RAW}/crlf.txt", Range="bytes=15-")
    assert (got.status, got.headers["content-range"]) == (416, "bytes */15")
    assert got.json["code"] == "range_out_of_bounds"
    assert served.client.get(f"{RAW}/empty.txt", Range="bytes=0-0").status == 416
    assert served.client.send("HEAD", f"{RAW}/crlf.txt", headers={"Range": "bytes=15-"}).status == 200


@pytest.mark.parametrize("header", ["bytes=5-2", "bytes=a-b", "bytes=", "lines=1-2", "bytes=-", "bytes=0-5,3-9", "x"])
def test_what_is_no_range_is_ignored(served: Served, header: str) -> None:
    """A Range of another unit, a malformed or an overlapping one gives the whole."""
    assert served.client.get(f"{RAW}/crlf.txt", Range=header).status == 200


def test_a_range_holds_for_its_tag_only(served: Served) -> None:
    """If-Range: the part where the tag is still the same, else the whole; a date is no strong tag."""
    tag = served.client.get(f"{RAW}/crlf.txt").headers["etag"]
    assert served.client.get(f"{RAW}/crlf.txt", Range="bytes=0-0", If_Range=tag).status == 206
    for other in ('"x"', f"W/{tag}", "Mon, 01 Jan 2024 00:00:00 GMT"):
        assert served.client.get(f"{RAW}/crlf.txt", Range="bytes=0-0", If_Range=other).status == 200


@pytest.mark.parametrize(
    ("target", "status", "code"),
    [
        (f"{RAW}/%2e%2e/secret", 403, "forbidden_path"),
        (f"{RAW}/../../../etc/passwd", 403, "forbidden_path"),
        (f"{RAW}/notes/..%2facme.md", 422, "invalid_request"),
        (f"{RAW}/a%00b", 422, "invalid_request"),
        (f"{RAW}/.git/config", 403, "forbidden_path"),
        (f"{RAW}/%2egit/HEAD", 403, "forbidden_path"),
        (f"{RAW}/out", 403, "forbidden_path"),
        (f"{RAW}/notes", 422, "not_a_file"),
        (f"{RAW}/", 422, "not_a_file"),
        (f"{RAW}/nots/acme.md", 404, "not_found"),
        ("/v1/files/raw/other/a.md", 404, "tree_unknown"),
        ("/v1/files/raw//etc/passwd", 404, "not_found"),
        (f"{RAW}/crlf.txt?lines=9", 422, "range_out_of_bounds"),
        (f"{RAW}/crlf.txt?lines=3-2", 422, "invalid_request"),
        (f"{RAW}/crlf.txt?lines=x", 422, "invalid_request"),
        (f"{RAW}/crlf.txt?line=1", 422, "invalid_request"),
        (f"{RAW}/crlf.txt?lines=1&lines=2", 422, "invalid_request"),
        (f"{RAW}/crlf.txt?commit=", 422, "invalid_request"),
        (f"{RAW}/crlf.txt?commit=--output=x", 422, "invalid_request"),
        (f"{RAW}/crlf.txt?commit=0123456789ab", 404, "commit_unknown"),
    ],
)
def test_what_is_not_served_is_a_problem(served: Served, target: str, status: int, code: str) -> None:
    """Places outside, names that are none, wrong lines and commits: a typed problem, never a byte."""
    got = served.client.get(target)
    assert (got.status, got.json["code"], got.json["status"]) == (status, code, status)
    assert got.headers["content-type"] == "application/problem+json"
    assert b"root:" not in got.body


def test_a_link_is_served_as_its_text(served: Served) -> None:
    """A link gives the path that it names."""
    assert served.client.get(f"{RAW}/link").body == b"crlf.txt"


numbers = st.integers(0, 200)
parts = st.one_of(
    st.tuples(numbers, numbers).map(lambda pair: f"{pair[0]}-{pair[1]}"),
    numbers.map(lambda first: f"{first}-"),
    numbers.map(lambda count: f"-{count}"),
    st.text("0-9a ", max_size=4),
)


@given(st.lists(parts, min_size=1, max_size=20), st.integers(0, 150))
@settings(max_examples=300, deadline=None)
def test_every_span_lies_within_the_bytes(asked: list[str], size: int) -> None:
    """Whatever a Range header says: spans that are not empty, do not overlap and lie within, or the whole, or 416."""
    try:
        spans = ranges.spans("bytes=" + ",".join(asked), size)
    except Unsatisfiable:
        return
    if spans is None:
        return
    assert 0 < len(spans) <= ranges.MAX_PARTS
    assert all(0 <= one.first < one.end <= size for one in spans)
    ordered = sorted(spans)
    assert all(one.end <= other.first for one, other in pairwise(ordered))
