"""Ranked search: terms, entries found for a question, and an index that is only ever a cache."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgeted_reads.node import Node
from budgeted_reads.outline.registry import outline
from budgeted_reads.search.chunks import MOST_DATA_LINES, chunks
from budgeted_reads.search.engine import Damaged, Store
from budgeted_reads.search.index import Index, Place, Work
from budgeted_reads.search.words import Question, of_question, of_word, terms
from budgeted_reads.text import decode
from repos import Change, make_repo, write

DOCK = b'''class Dock:
    """Where ships lie."""

    def moor_ship(self, rope):
        """Tie up."""
        return rope
'''
FILES: Change = {
    b"dock.py": DOCK,
    b"tests/test_dock.py": b"def test_moor_ship():\n    assert Dock().moor_ship(1)\n",
    b"guide.md": "# Harbour\n\n## Renewal of berths\n\nEach May.\n\n## 灯台の点検\n\n毎月の点検をする。\n".encode(),
    b".env": b"BERTH_KEY=renewal\n",
    b"data.bin": b"\x89PNG\r\n\0\0\0renewal",
}
FOREVER = 1e9


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository, and a cache folder of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    make_repo(tmp_path / "tree", [FILES])
    return tmp_path / "tree"


@pytest.fixture
def node(place: Path) -> Iterator[Node]:
    """A node over it."""
    with Node.open(place) as opened:
        yield opened


def index_of(place: Path) -> Path:
    """The folder of its index."""
    (found,) = (place.parent / "cache/budgeted-reads/search").iterdir()
    return found


def best(node: Node, query: str, **fields: object) -> str:
    """The path and entry that answer best."""
    match = node.search(query, mode="ranked", **fields).matches[0]
    return f"{match.path} {match.entry}"


def test_a_question_finds_the_entry(node: Node) -> None:
    """By a name, by the words of a name, by what a heading says; sources before tests."""
    assert best(node, "where is moor_ship defined") == "dock.py Dock.moor_ship"
    assert best(node, "moor ship") == "dock.py Dock.moor_ship"
    assert best(node, "when is the renewal of a berth") == "guide.md Harbour > Renewal of berths"
    answer = node.search("moor_ship", mode="ranked").to_dict()
    assert answer["engine"] == "tantivy"
    assert answer["complete"] is True
    assert {"path": "data.bin", "reason": "binary_file"} in answer["skipped"]  # type: ignore[operator]


def test_cjk_is_searchable(node: Node) -> None:
    """A text inside a run of letters without spaces is found, one letter too."""
    assert best(node, "の点検") == best(node, "灯") == "guide.md Harbour > 灯台の点検"


def test_secret_files_are_in_no_index(node: Node, place: Path) -> None:
    """Neither names nor values of a secret file are indexed."""
    assert ".env" not in {match.path for match in node.search("BERTH_KEY renewal", mode="ranked").matches}
    blob = subprocess.run(["git", "rev-parse", "HEAD:.env"], cwd=place, check=True, capture_output=True).stdout.strip()
    assert blob not in (index_of(place) / "blobs").read_bytes()


def test_changes_are_found_at_once(node: Node, place: Path) -> None:
    """A file that is new or edited is found without indexing beforehand, and not at the commit."""
    node.search("ships", mode="ranked")
    write(place, {b"crane.py": b"def lift_cargo(crane):\n    return crane\n"})
    assert best(node, "lift cargo") == "crane.py lift_cargo"
    assert not node.search("lift_cargo", mode="ranked", commit="HEAD").matches


def test_equal_requests_give_equal_answers_whatever_the_cache(node: Node, place: Path) -> None:
    """Deleting the index loses nothing, and a node that finds one gives what the one that made it gave."""
    first = node.search("moor ship", mode="ranked").to_dict()
    with Node.open(place) as other:
        assert other.search("moor ship", mode="ranked").to_dict()["matches"] == first["matches"]
    shutil.rmtree(index_of(place))
    with Node.open(place) as other:
        assert other.search("moor ship", mode="ranked").to_dict()["matches"] == first["matches"]


def test_a_binary_file_of_the_disk_is_skipped_whoever_indexed_it(tmp_path: Path) -> None:
    """What is new on disk and no text is in `skipped`, in the first answer, the next, and those of another process."""
    place = tmp_path / "tree"
    make_repo(place, [{b"a.py": b"def moor():\n    pass\n"}])
    write(place, {b"b.py": b"\0\1moor" * 9})
    told = []
    for _ in range(2):
        with Node.open(place) as node:
            told += [node.search("moor", mode="ranked").to_dict() for _ in range(2)]
    for body in told:
        assert body["skipped"] == [{"path": "b.py", "reason": "binary_file"}]
        assert body["files_searched"] == 1


@pytest.mark.parametrize("seed", range(6))
def test_a_damaged_index_is_made_anew(place: Path, seed: int) -> None:
    """Whatever is cut off or overwritten in the index, an answer comes, and soon the right one."""
    with Node.open(place) as node:
        wanted = best(node, "moor_ship")
    files = sorted(path for path in (index_of(place) / "terms").iterdir() if path.stat().st_size > 8)
    victim = files[seed % len(files)]
    raw = victim.read_bytes()
    victim.write_bytes(raw[: len(raw) // 2] if seed % 2 else bytes(255 - byte for byte in raw))
    with Node.open(place) as node:
        node.search("moor_ship", mode="ranked")
        assert best(node, "moor_ship") == wanted


def test_without_a_cache_folder_an_index_is_held_in_memory(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing can be written, small trees are searched all the same."""
    monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null/none")
    with Node.open(place) as node:
        assert best(node, "moor_ship") == "dock.py Dock.moor_ship"


def work(number: int) -> Work:
    """A blob of one entry."""
    text = decode(b"def name%d():\n    return %d\n" % (number, number))
    return Work(f"{number:040x}", b"a.py", lambda: chunks(text, outline(text, b"a.py")))


def test_there_is_one_writer_and_many_readers(tmp_path: Path) -> None:
    """While one writes, another gets nothing lost and nothing wrong, and reads what is lasting."""
    one, other = Index(str(tmp_path / "index")), Index(str(tmp_path / "index"))
    assert one.write(map(work, range(3)), FOREVER)
    writer = one.store().writer()
    assert not other.write(map(work, range(3, 5)), 0.0)
    assert other.known() == one.known() == {f"{n:040x}" for n in range(3)}
    assert [place for _, place in other.search(Question({"name2": 1.0}), 5)] == [Place(f"{2:040x}", 1, 2, 1)]
    writer.close()
    assert other.write(map(work, range(3, 5)), FOREVER)
    assert [place.blob for _, place in one.search(Question({"name4": 1.0}), 5)] == [f"{4:040x}"]


def test_a_blob_is_written_once(tmp_path: Path) -> None:
    """What is written again, because its acknowledgement was lost, is not found twice."""
    index = Index(str(tmp_path / "index"))
    index.write(map(work, range(3)), FOREVER)
    with open(tmp_path / "index/blobs", "r+b") as file:
        file.truncate(60)  # a line and a half
    assert len(index.known()) == 1
    assert index.write(map(work, range(3)), FOREVER)
    assert {f"{n:040x}" for n in range(3)} <= index.known()
    assert len(index.search(Question({"name1": 1.0}), 5)) == 1


def test_time_ends_the_work_where_it_is(tmp_path: Path) -> None:
    """What is not done in time is left for later, and said."""
    index = Index(str(tmp_path / "index"))
    assert not index.write(map(work, range(3)), 0.0)
    assert index.known() == set()


def test_what_is_no_index_is_damaged(tmp_path: Path) -> None:
    """A folder that cannot hold an index is told apart from a fault of ours."""
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(Damaged):
        Store(str(tmp_path / "file"))


KILLED = """
import sys
sys.path.insert(0, sys.argv[2])
from search_test_ranked import work
from budgeted_reads.search import index
index.COMMIT_SECONDS = 0.0
def told(done):
    print(done, flush=True)
index.Index(sys.argv[1]).write(map(work, range(int(sys.argv[3]), 10**6)), 1e9, told)
"""


def test_a_killed_indexer_loses_nothing_that_it_acknowledged(tmp_path: Path) -> None:
    """Killed in the middle, again and again, an index keeps all that was lasting and answers right."""
    here = tmp_path / "module"
    here.mkdir()
    tests = Path(__file__).resolve().parent.parent
    (here / "search_test_ranked.py").write_text(
        f"import sys\nsys.path.insert(0, {str(tests)!r})\n"
        "from budgeted_reads.text import decode\nfrom budgeted_reads.outline.registry import outline\n"
        "from budgeted_reads.search.chunks import chunks\nfrom budgeted_reads.search.index import Work\n"
        "def work(number):\n"
        "    text = decode(b'def name%d():\\n    return %d\\n' % (number, number))\n"
        "    return Work(f'{number:040x}', b'a.py', lambda: chunks(text, outline(text, b'a.py')))\n",
        encoding="utf-8",
    )
    place = tmp_path / "index"
    start = 0
    for round_ in range(3):
        words = [sys.executable, "-c", KILLED, str(place), str(here), str(start)]
        with subprocess.Popen(words, stdout=subprocess.PIPE, encoding="utf-8") as run:
            assert run.stdout is not None
            for _ in range(2 + round_):
                done = int(run.stdout.readline())
            os.kill(run.pid, signal.SIGKILL)
        index = Index(str(place))
        known = index.known()
        assert {f"{n:040x}" for n in range(start, start + done)} <= known
        assert [found.blob for _, found in index.search(Question({f"name{start}": 1.0}), 3)] == [f"{start:040x}"]
        start = len(known)


def test_an_interrupt_ends_a_search_that_indexes(place: Path) -> None:
    """SIGINT ends it with 130 and no output, whatever it was at; what it left behind serves the next search."""
    write(place, {b"many/part%03d.py" % n: b"def name%d():\n    return 1\n\n\n" % n * 60 for n in range(150)})
    # Whoever runs the tests in the background has them ignore SIGINT, and what they start as well.
    heard = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    program = f"{heard}; import sys; from budgeted_reads.cli.main import main; sys.exit(main())"
    words = [sys.executable, "-c", program, "search", "moor_ship", "--mode", "ranked"]
    with subprocess.Popen(words, cwd=place, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
        terms_ = place.parent / "cache/budgeted-reads/search"
        while not list(terms_.glob("*/terms/.tantivy-writer.lock")) and run.poll() is None:
            pass
        run.send_signal(signal.SIGINT)
        out, said = run.communicate()
    assert (run.returncode, out, said) == (130, b"", b"")
    with Node.open(place) as node:
        assert best(node, "moor_ship") == "dock.py Dock.moor_ship"


def test_an_interrupt_is_not_waited_for(tmp_path: Path) -> None:
    """What interrupts the writing of an index comes through, and the index is as good as before."""
    index = Index(str(tmp_path / "index"))
    assert index.write(map(work, range(3)), FOREVER)

    def interrupted() -> Iterator[Work]:
        yield work(3)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        index.write(interrupted(), FOREVER)
    assert index.write(map(work, range(5)), FOREVER)
    assert [place.blob for _, place in index.search(Question({"name3": 1.0}), 5)] == [f"{3:040x}"]


def test_a_range_of_a_row_is_the_extent_of_an_entry(node: Node, place: Path) -> None:
    """A row `a-b` is the own line of an entry and its extent, in text as in `lines`; any other part has its line alone.

    The extent is that of a read, though only a part of a long entry was found, or another stands in it.
    """
    steps = "".join(f"    winch_{n} = {n}\n" for n in range(70))
    long = f"def haul():\n    def bight():\n        return 'capstan'\n    return bight\n\n\ndef stow():\n{steps}"
    write(place, {b"haul.py": long.encode(), b"rows.json": b'{"bollards": [\n' + b'  "cleat",\n' * 60 + b'  "x"]}\n'})
    for query, label, lines in (
        ("haul", "1-4: def haul():", (1, 4)),
        ("capstan", "2-3:     def bight():", (2, 3)),
        ("stow", "7-77: def stow():", (7, 77)),
        ("winch_69", "67:     winch_59 = 59", (67, 77)),
        ("bollards", '1: {"bollards": [', (1, 40)),
    ):
        asked = {"query": query, "mode": "ranked", "limit": 1}
        (match,) = node.find(asked).matches
        assert (match.lines, match.snippet.splitlines()[0]) == (lines, label)
        assert match.evidence is not None
        assert match.evidence.pointer.endswith(f"#L{lines[0]}-L{lines[1]}")
        assert f"\n{label}\n" in node.find(asked, text=True).text


def test_a_long_file_is_ranked_in_part_and_says_so(node: Node, place: Path) -> None:
    """Of a log only the beginning is ranked: it is named in `skipped`, in a warm index too; a short one is not."""
    write(place, {b"long.log": b"early berth\n" + b"tick\n" * MOST_DATA_LINES + b"lateword\n", b"short.log": b"tick\n"})
    for _ in range(2):
        answer = node.search("early berth", mode="ranked").to_dict()
        (row,) = [row for row in answer["skipped"] if str(row["reason"]).startswith("in_part")]  # type: ignore[attr-defined]
        assert row["path"] == "long.log"
        assert answer["complete"] is True
        assert answer["at_least"] is True
        assert not answer["warnings"]
    assert "long.log" in {match.path for match in node.search("early berth", mode="ranked").matches}
    assert not node.search("lateword", mode="ranked").matches
    assert node.search("lateword").totals.matches == 1


def test_terms_are_identifiers_and_their_parts() -> None:
    """Whole, by underscores, by humps; CJK by one and two letters; NFKC and one case; stop words only where alone."""
    assert of_word("readAllLines") == ("readalllines", "read", "all", "lines")
    assert of_word("HTTPServer_v2") == ("httpserver_v2", "http", "server", "v", "2")
    assert of_word("_private") == ("_private", "private")
    assert of_word("灯台の") == ("灯", "台", "の", "灯台", "台の")
    assert list(terms("ＦＵＬＬ Straße")) == ["full", "strasse"]
    assert list(of_question("where is the dock").terms) == ["dock"]
    assert list(of_question("who").terms) == ["who"]
    assert of_question("readAll lines").terms == {"readall": 3.0, "read": 0.5, "all": 0.5, "lines": 1.0}


def test_a_question_says_more_than_its_terms() -> None:
    """Its words may spell a name, small words and all; a run of CJK is meant as a whole; a description is no name."""
    assert of_question("moor from rope").names == (
        ("moorfrom", "moor_from"),
        ("fromrope", "from_rope"),
        ("moorfromrope", "moor_from_rope"),
    )
    asked = of_question("灯台の renewal")
    assert asked.runs == (("灯台", "台の"),)
    assert asked.terms == {"灯": 0.5, "台": 0.5, "の": 0.5, "灯台": 1.0, "台の": 1.0, "renewal": 1.0}
    assert of_question("灯").terms == {"灯": 1.0}
    assert of_question("rope that ties ships to readAll").terms["readall"] < of_question("readAll").terms["readall"]


def test_a_name_in_words_comes_before_what_only_holds_it(node: Node, place: Path) -> None:
    """The entry whose name the words spell is first: before longer names, and before lines that repeat it."""
    more = b"def load_berth():\n    return 1\n\n\nload_berth_now = load_berth()\nload_berth_later = load_berth_now\n"
    long = b"class LoadBerthPlan:\n    load_berth_plan = 'load berth, load berth'\n"
    write(place, {b"more.py": more, b"plan.py": long})
    assert best(node, "load berth") == "more.py load_berth"
    assert best(node, "load berth plan") == "plan.py LoadBerthPlan"


def test_a_definition_comes_before_its_declaration(node: Node, place: Path) -> None:
    """Where a header only says that there is a function, the function is first, found by the words above it too."""
    defined = b"/* Haul in the anchor chain. */\nint haul_chain(int length)\n{\n    return length;\n}\n"
    write(place, {b"chain.h": b"int haul_chain(int length);\n", b"lib/chain.c": b"int first;\n\n" + defined})
    for query in ("where is haul_chain defined", "haul in the anchor"):
        (match, *_) = node.search(query, mode="ranked").matches
        assert (match.path, match.entry, match.lines) == ("lib/chain.c", "haul_chain", (4, 7))


def test_a_long_line_is_found_to_its_end_where_it_can_be(node: Node, place: Path) -> None:
    """Lines of thousands of letters are parts of their own, so that each is ranked as a whole."""
    rows = "".join(f"row{n} {'filler ' * 600}last{n}\n" for n in range(20))
    write(place, {b"long.log": rows.encode(), b"long.md": b"# Long\n\n" + rows.encode()})
    found = [(match.path, match.lines) for match in node.search("last17", mode="ranked").matches]
    assert ("long.log", (18, 18)) in found
    assert any(path == "long.md" for path, _ in found)
    assert not [row for row in node.search("last17", mode="ranked").totals.skipped if row.path.startswith(b"long")]


def test_a_run_of_cjk_is_found_in_a_long_text(node: Node, place: Path) -> None:
    """Where all of a run stands comes first, however short the texts are that hold a part of it."""
    short: Change = {f"s{n}.md".encode(): f"# 灯台{n}\n\n灯台 点検\n".encode() for n in range(12)}
    write(place, {**short, b"long.txt": ("港の記録。" * 400 + "灯台点検表\n").encode()})
    assert best(node, "灯台点検").startswith("long.txt")


@given(st.text(max_size=80))
def test_any_text_has_terms_without_spaces(text: str) -> None:
    """No text fails, and no term is empty or holds white space, which would make it two."""
    assert all(term and not any(map(str.isspace, term)) for term in terms(text))


@given(st.lists(st.sampled_from(["def f():", "    x = 1", "", "class A:", "# word", "word"]), max_size=150))
def test_chunks_hold_every_line_that_says_something(lines: list[str]) -> None:
    """Chunks are in order, do not overlap, and every line with a term lies in one."""
    text = decode("\n".join(lines).encode())
    made = chunks(text, outline(text, b"a.py")).rows
    covered = [number for chunk in made for number in range(chunk.first, chunk.last + 1)]
    assert covered == sorted(set(covered))
    assert {n for n, line in enumerate(text.lines(), 1) if list(terms(line))} <= set(covered)
    assert all(chunk.first <= chunk.own <= chunk.last for chunk in made)
