"""From a place to an answer: what is told of a file beside its view (CONTRACT section 3)."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from budgeted_reads import Node
from budgeted_reads.config import Config, Limits, Secrets
from budgeted_reads.errors import ReadError
from budgeted_reads.tokens import NAMES, counter
from repos import Link, make_repo

TEXT = "Привет, мир.\nEine Zeile. 日本語。\n"
FILES: dict[bytes, bytes | Link | None] = {
    b"utf8.txt": TEXT.encode(),
    b"bom.txt": b"\xef\xbb\xbfa\n",
    b"utf16.txt": b"\xff\xfe" + TEXT.encode("utf-16-le"),
    b"crlf.txt": b"a\r\nb\r\n",
    b"mixed.txt": b"a\r\nb\n",
    b"cr.txt": b"a\rb\r",
    b"broken.md": b"# \xe2\x82 \n\nok \xff\n" + "é и 日\n".encode() * 9,
    b"a.csv": b"name,size\nx,1\ny,2\n",
    b"empty.py": b"",
    b"sub/link": Link(b"../utf8.txt"),
}


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Node]:
    """A repository with one file of each encoding and ending."""
    place = tmp_path_factory.mktemp("reads")
    make_repo(place, [FILES])
    with Node.open(place, tree="t") as node:
        yield node


@pytest.mark.parametrize(
    ("path", "encoding", "bom", "ending", "lines"),
    [
        ("utf8.txt", "utf-8", False, "lf", 2),
        ("bom.txt", "utf-8", True, "lf", 1),
        ("utf16.txt", "utf-16-le", True, "lf", 2),
        ("crlf.txt", "utf-8", False, "crlf", 2),
        ("mixed.txt", "utf-8", False, "mixed", 2),
        ("cr.txt", "utf-8", False, "cr", 1),
        ("empty.py", "utf-8", False, "none", 0),
    ],
)
def test_the_file_is_described_whatever_the_budget(
    node: Node, path: str, encoding: str, bom: bool, ending: str, lines: int
) -> None:
    """Encoding, mark, line ending, lines, bytes and tokens of the whole text stand in every body."""
    raw = FILES[path.encode()]
    assert isinstance(raw, bytes)
    for budget in (8, 2000):
        file = node.read(path, budget_tokens=budget).file
        assert (file.encoding, file.bom, file.line_ending, file.line_count) == (encoding, bom, ending, lines)
        assert (file.bytes, file.path, file.tokens_exact) == (len(raw), path, True)
        content = raw.decode("utf-16" if encoding == "utf-16-le" else "utf-8")
        units = counter("o200k_base").units
        assert file.tokens in (units(content), units("\ufeff" + content))


def test_facts_of_the_format_stand_beside_the_common_ones(node: Node) -> None:
    """A CSV file has columns, rows and delimiter."""
    file = node.read("a.csv").to_dict()["file"]
    assert isinstance(file, dict)
    assert (list(file["columns"]), file["row_count"], file["delimiter"]) == (["name", "size"], 2, ",")


def test_utf16_pointers_give_the_exact_bytes(node: Node) -> None:
    """The hash covers the bytes of the file, from the first of a line through its LF, in its own encoding."""
    for line in ("1", "2"):
        (evidence,) = node.read("utf16.txt", lines=line).evidence
        found = node.dereference(evidence.pointer, sha256=evidence.sha256)
        assert found.verification == "verified"
        assert found.raw.decode("utf-16-le").removeprefix("\ufeff") == TEXT.splitlines(keepends=True)[int(line) - 1]


def test_what_is_no_text_is_shown_lossily_and_cited_exactly(node: Node) -> None:
    """U+FFFD stands for broken bytes, with a warning; a pointer to them comes back in base64, and verifies."""
    answer = node.read("broken.md", lines="1-3")
    codes = [warned.code for warned in answer.warnings]
    assert "lossy_decoding" in codes or "guessed_encoding" in codes
    (evidence,) = answer.evidence
    found = node.dereference(evidence.pointer, sha256=evidence.sha256)
    assert found.verification == "verified"
    raw = FILES[b"broken.md"]
    assert isinstance(raw, bytes)
    assert found.raw == b"".join(raw.splitlines(keepends=True)[:3])


def test_a_link_is_served_as_its_text(node: Node) -> None:
    """A link inside the tree is read as what it says, not as what it leads to, and warns so."""
    answer = node.read("sub/link")
    assert answer.content == "../utf8.txt"
    assert [warned.code for warned in answer.warnings] == ["symlink"]


def test_entries_are_complete_whatever_the_budget(node: Node, tmp_path: Path) -> None:
    """On request the tree of entries is whole, each with the least budget that returns its lines."""
    make_repo(tmp_path, [{b"a.py": b"class A:\n    def f(self):\n        return 1\n\n\ndef g():\n    return 2\n"}])
    with Node.open(tmp_path, tree="t") as other:
        for text in (False, True):
            answer = other.ask({"path": "a.py", "budget_tokens": 24, "include": ["entries"]}, text=text)
            assert answer.entries is not None
            assert [entry.title for entry in answer.entries] == ["A", "g"]
            for (first, last), tokens in answer.entry_tokens.items():
                wanted = {"path": "a.py", "lines": [first, last], "on_overflow": "error"}
                assert other.ask({**wanted, "budget_tokens": tokens}, text=text).view == "lines"
                with pytest.raises(ReadError):
                    other.ask({**wanted, "budget_tokens": tokens - 1}, text=text)
    assert node.read("/t", include=["entries"]).to_dict()["entry_total"] == 10


@pytest.mark.parametrize("tokenizer", NAMES)
def test_every_tokenizer_holds_the_budget_on_both_faces(node: Node, tokenizer: str) -> None:
    """Exact counters count what is printed, the others hold their bound within the budget and say `~` in text."""
    for path in ("utf8.txt", "broken.md", "a.csv", "utf16.txt"):
        for budget in (40, 60, 90, 400):
            for text in (False, True):
                fields = {"path": path, "budget_tokens": budget, "tokenizer": tokenizer}
                try:
                    answer = node.ask(fields, text=text)
                except ReadError as error:
                    assert error.code == "budget_too_small"
                    continue
                assert answer.tokens <= answer.upper_bound <= budget
                if answer.exact:
                    assert answer.tokens == counter(tokenizer).units(answer.text if text else answer.content)
                elif text and answer.view != "card":
                    assert f"~{tokenizer}" in answer.text.split("\n")[0]


def test_a_file_over_the_limit_is_too_large(node: Node, tmp_path: Path) -> None:
    """The limit of the configuration counts, and the error names both figures; its patterns make files secret."""
    make_repo(tmp_path / "r", [{b"big": b"x" * 99, b"small": b"x", b"my.vault": b"PASS=word\n"}])
    config = Config(limits=Limits(50), secrets=Secrets(extra=("*.vault",)))
    with Node.configured(config, place=tmp_path / "r") as other:
        with pytest.raises(ReadError) as caught:
            other.read("big")
        assert caught.value.code == "too_large"
        assert "99" in caught.value.detail
        assert "50" in caught.value.detail
        assert other.read("small").content == "x"
        assert "word" not in other.read_text("my.vault")
