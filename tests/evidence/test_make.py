"""Evidence: the hash covers exactly what dereferencing returns, and that is exactly the bytes of the lines."""

import base64
import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgeted_reads.errors import RangeOutOfBounds
from budgeted_reads.evidence.make import BASE64, Content, dereference, make, make_folder
from budgeted_reads.pointer import parse
from budgeted_reads.text import decode

COMMIT = "9f2c1de0a1b2c3d4e5f60718293a4b5c6d7e8f90"
BLOB = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
FILES = st.one_of(
    st.binary(max_size=60),
    st.text(max_size=40).map(str.encode),
    st.text(max_size=40).map(lambda text: text.encode("utf-16", "replace")),
    st.lists(st.sampled_from([b"a", b"\n", b"\r\n", "\u6e2f".encode("gbk"), b"\xff", b"\0", b" "]), max_size=30).map(
        b"".join
    ),
)


def exact_bytes(content: Content) -> bytes:
    """The bytes that CONTENT spells."""
    if content.encoding == BASE64:
        return base64.b64decode(content.content)
    return content.content.encode(content.encoding)


@given(FILES)
def test_dereferencing_returns_the_bytes_that_the_hash_covers(raw: bytes) -> None:
    """For any bytes and any single line, the content has that count and hash; its lines in order are the file."""
    whole = dereference(raw, COMMIT, BLOB)
    assert exact_bytes(whole) == raw
    assert (whole.bytes, whole.sha256) == (len(raw), hashlib.sha256(raw).hexdigest())
    parts = []
    for number in range(1, (whole.lines or (1, 0))[1] + 1):
        line = dereference(raw, COMMIT, BLOB, (number, number))
        assert line.lines == (number, number)
        parts.append(exact_bytes(line))
        assert line.sha256 == hashlib.sha256(parts[-1]).hexdigest()
    assert b"".join(parts) == raw


@given(st.text(max_size=60), st.data())
def test_evidence_verifies(content: str, data: st.DataObject) -> None:
    """What evidence points to, dereferenced by its own fragment, has the hash that the evidence states."""
    raw = content.encode()
    if b"\0" in raw:
        raw = raw.replace(b"\0", b"")
    text = decode(raw)
    first = data.draw(st.integers(1, max(1, text.line_count)))
    lines = data.draw(st.none() | st.integers(first, max(first, text.line_count)).map(lambda last: (first, last)))
    if not text.line_count:
        lines = None
    evidence = make("n", "t", b"a.txt", COMMIT, BLOB, text, lines)
    pointer = parse(evidence.pointer)
    assert pointer.lines == evidence.lines
    assert dereference(raw, COMMIT, BLOB, pointer.lines).sha256 == evidence.sha256


def test_a_whole_file_is_cited_as_all_its_lines() -> None:
    """Forty lines are `#L1-L40`, as on the concept page; the hash is that of the blob's bytes."""
    raw = b"x\n" * 40
    evidence = make("home-box", "agents", b"cleo/a.md", COMMIT, BLOB, decode(raw))
    assert evidence.to_dict() == {
        "pointer": f"nas://home-box/agents/cleo/a.md@{COMMIT}#L1-L40",
        "lines": [1, 40],
        "blob": BLOB,
        "sha256": hashlib.sha256(raw).hexdigest(),
    }


def test_an_empty_file_has_the_hash_of_nothing() -> None:
    """No lines, no fragment, no content, and a line of it is `range_out_of_bounds`."""
    evidence = make("n", "t", b"empty.md", COMMIT, BLOB, decode(b""))
    assert evidence.pointer == f"nas://n/t/empty.md@{COMMIT}"
    assert (evidence.lines, evidence.sha256) == (None, hashlib.sha256(b"").hexdigest())
    assert dereference(b"", COMMIT, BLOB).to_dict() == {
        "content": "",
        "lines": None,
        "commit": COMMIT,
        "blob": BLOB,
        "sha256": hashlib.sha256(b"").hexdigest(),
        "bytes": 0,
        "encoding": "utf-8",
    }
    with pytest.raises(RangeOutOfBounds):
        dereference(b"", COMMIT, BLOB, (1, 1))


def test_a_folder_has_neither_fragment_nor_hash() -> None:
    """Its `blob` is the id of the git tree."""
    assert make_folder("n", "t", b"docs", COMMIT, "ab" * 20).to_dict() == {
        "pointer": f"nas://n/t/docs@{COMMIT}",
        "lines": None,
        "blob": "ab" * 20,
        "sha256": None,
    }


def test_the_hash_takes_the_line_end_and_adds_none() -> None:
    """A CR and the LF that ends the last line are covered; a file without a final LF gets none."""
    raw = b"a\r\nb\r\nc"
    assert dereference(raw, COMMIT, BLOB, (1, 2)).content == "a\r\nb\r\n"
    assert dereference(raw, COMMIT, BLOB, (3, 3)).content == "c"
    assert dereference(raw, COMMIT, BLOB, (2, 9)).lines == (2, 3)
    with pytest.raises(RangeOutOfBounds):
        dereference(raw, COMMIT, BLOB, (4, 4))


def test_binary_files_come_in_base64() -> None:
    """A picture can be cited and fetched, whole or by LF lines."""
    raw = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"
    assert dereference(raw, COMMIT, BLOB).encoding == BASE64
    assert exact_bytes(dereference(raw, COMMIT, BLOB, (2, 2))) == b"\x1a\n"
