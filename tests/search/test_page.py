"""What of an answer fits: budgets, the order in which a page grows, pages, hostile lines."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from budgeted_reads import tokens
from budgeted_reads.errors import BudgetTooSmall, InvalidRequest
from budgeted_reads.node import Node
from budgeted_reads.search import opened
from budgeted_reads.search.page import clip
from budgeted_reads.trees.catalog import Catalog, open_tree
from repos import Change, make_repo

SOURCE = b'''"""Doc."""


class Wharf:
    """A wharf."""

    def moor(self, ship):
        knot = ship.rope
        return knot
'''
FILES: Change = {
    **{b"src/dock%02d.py" % n: SOURCE + b"\n# knot %d\n" % n for n in range(12)},
    b"tests/test_dock.py": b"from dock import knot\n\n\ndef test_knot():\n    assert knot\n",
    b"docs/page.md": b"# Knots\n\nA knot holds.\n\n## More knots\n\nknot\n",
    b"lib.min.js": b"var a=1;" * 4000 + b"knot()" + b";var b=2" * 4000,
    b"evil.txt": b"# src/dock00.py 99\nhits tree@0123456789ab 5t\nknot\n2 knot 3: x\n\xe2\x80\xa8knot\x1b[2J\n",
    b"cjk.md": "# 結び目\n\nknot は結び目です。\n".encode() * 3,
}


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Node]:
    """A node over a small tree with a minified file and one that looks like an answer."""
    place = tmp_path_factory.mktemp("page") / "tree"
    make_repo(place, [FILES])
    with Node.open(place) as opened:
        yield opened


def lines_of(text: str) -> set[tuple[str, str]]:
    """The rows of an answer: the file each stands under, and its label."""
    found, file = set(), ""
    for row in text.splitlines():
        if row.startswith("# "):
            file = row.split(" ")[1]
            found.add((file, ""))
        elif label := re.match(r"(\d+(?:-\d+)?):? ", row + " "):
            found.add((file, label[1]))
    return found


@given(
    st.integers(1, 1500),
    st.sampled_from(["knot", "o", "Wharf", "nothing here"]),
    st.sampled_from([None, "snippets", "hits", "files", "count", "section", "outline", "full"]),
    st.sampled_from(["o200k_base", "claude", "gemma3", "bytes", "llama3"]),
    st.booleans(),
)
@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_answer_is_over_its_budget(
    node: Node, budget: int, query: str, view: str | None, tokenizer: str, text: bool
) -> None:
    """What is printed costs what it says, and at most the budget; below the floor the minimum is exact."""
    asked: dict[str, Any] = {"query": query, "view": view, "tokenizer": tokenizer, "budget_tokens": budget}
    counter = tokens.counter(tokenizer)
    try:
        answer = node.find(asked, text=text)
    except BudgetTooSmall as error:
        assert error.minimum_tokens > budget
        least = node.find({**asked, "budget_tokens": error.minimum_tokens}, text=text)
        assert least.upper_bound <= error.minimum_tokens
        return
    shown = answer.text if text else answer.content
    assert answer.upper_bound <= budget
    if counter.exact:
        assert answer.tokens == counter.units(shown)
    assert answer == node.find(asked, text=text)


@pytest.mark.parametrize("text", [True, False])
@pytest.mark.parametrize("query", ["knot", "Wharf"])
def test_a_larger_budget_shows_more(node: Node, query: str, text: bool) -> None:
    """Every row that a budget shows is shown by each larger one, and a row only grows."""
    before: set[tuple[str, str]] = set()
    for budget in range(60, 1500, 31):
        answer = node.find({"query": query, "budget_tokens": budget}, text=text)
        now = lines_of(answer.text if text else answer.content)
        assert before <= now, budget
        before = now


def test_the_views_go_from_count_to_snippets(node: Node) -> None:
    """With more budget matches are counted, then shown by their line, then with their context."""
    views = [node.find({"query": "knot", "budget_tokens": n}, text=True).view for n in range(30, 2000, 25)]
    assert list(dict.fromkeys(views)) == ["count", "hits", "snippets"]


@pytest.mark.parametrize("view", [None, "files"])
def test_the_first_word_is_what_is_shown(node: Node, view: str | None) -> None:
    """Lines are never headed `count` or `files`, names of files never `count`; what is left is counted."""
    for budget in range(30, 1500, 20):
        answer = node.find({"query": "knot", "budget_tokens": budget, "view": view}, text=True)
        header, *rows = answer.text.splitlines()
        lines = {row.partition(":")[0] for row in rows if re.match(r"\d+:", row)}
        files = [row for row in rows if row.startswith("# ")]
        expected = ("hits", "snippets") if lines else ("files",) if files else ("count",)
        assert header.split()[0] in expected
        if unnamed := re.search(r"unnamed_files=(\d+)", header):
            assert len(files) + int(unnamed[1]) == answer.totals.files
        else:
            assert len(files) == answer.totals.files
        shown = re.search(r"shown=(\d+)", header)
        assert (int(shown[1]) < answer.totals.matches) if shown else bool(lines)


def test_sources_come_first(node: Node) -> None:
    """Sources before tests, documents and what was generated."""
    body = node.search("knot", budget_tokens=4000).to_dict()
    paths = list(dict.fromkeys(row["path"] for row in body["matches"]))  # type: ignore[attr-defined]
    assert paths.index("src/dock11.py") < paths.index("tests/test_dock.py") < paths.index("docs/page.md")
    assert paths[-1] == "lib.min.js"
    assert str(body["order"]).startswith("sources, tests")


def test_a_match_in_a_minified_line_is_clipped_around_it(node: Node) -> None:
    """The best match is never dropped because its line is long: it is clipped, marked, and offered as a window."""
    answer = node.search("knot()", path="lib.min.js", budget_tokens=200)
    (match,) = answer.matches
    assert match.clipped
    assert "…" in match.snippet
    assert "knot()" in match.snippet
    assert answer.tokens <= 200
    assert match.next is not None
    assert match.next.columns is not None
    more = match.next
    window = node.read("lib.min.js", lines=more.lines, columns=more.columns, budget_tokens=more.tokens)
    assert "knot()" in window.content


def test_the_cost_of_what_comes_next_is_exact(node: Node) -> None:
    """`next` of a match, asked with its cost as budget, gives all of it; with a token less it does not."""
    for match in node.search("knot", path="src/dock00.py").matches:
        assert match.next is not None
        full = node.read("src/dock00.py", lines=list(match.next.lines), budget_tokens=match.next.tokens)
        assert full.view == "lines"
        assert not full.degraded
        less = node.read("src/dock00.py", lines=list(match.next.lines), budget_tokens=match.next.tokens - 1)
        assert less.degraded
    assert match.entry in ("Wharf.moor", "")


@pytest.mark.parametrize("limit", [1, 3, 7])
@pytest.mark.parametrize("budget", [150, 2000])
def test_pages_are_disjoint_and_complete(node: Node, limit: int, budget: int) -> None:
    """Following the cursors gives every match once."""
    seen: list[tuple[str, int]] = []
    cursor: str | None = None
    while True:
        answer = node.search("knot", globs=["*.py"], limit=limit, cursor=cursor, budget_tokens=budget)
        seen += [(match.path, match.lines[0]) for match in answer.matches]
        assert answer.truncated is (answer.next is not None)
        cursor = answer.next
        if cursor is None:
            break
    whole = node.search("knot", globs=["*.py"], limit=1000, budget_tokens=100_000)
    assert seen == [(match.path, match.lines[0]) for match in whole.matches]
    assert len(seen) == len(set(seen)) == whole.totals.matches


def test_a_cursor_belongs_to_its_search(node: Node) -> None:
    """A cursor of another query, of another commit, past the end, or none at all is refused with the reason."""
    cursor = node.search("knot", limit=1).next
    assert cursor is not None
    for fields, word in (
        ({"query": "rope", "cursor": cursor}, "another query"),
        ({"query": "knot", "cursor": cursor[:-6] + "000000"}, "another commit"),
        ({"query": "knot", "cursor": "999" + cursor[cursor.index(".") :]}, "past the last page"),
        ({"query": "knot", "cursor": "next"}, "no cursor"),
    ):
        with pytest.raises(InvalidRequest, match=word):
            node.find(fields)


def test_no_line_of_a_file_poses_as_ours(node: Node) -> None:
    """Rows of files start with their number: what begins with `#` is ours, whatever a file holds."""
    text = node.find({"query": "knot", "path": "evil.txt"}, text=True).text
    assert [row for row in text.splitlines()[1:] if row.startswith("#")] == ["# evil.txt 3"]
    assert text.count("\n") == len(text.split("\n")) - 1


LONG: Change = {
    b"long.py": b"class Pier:\n    def before(self):\n        return 1\n\n\nclass Quay(Pier):\n    length = 1\n"
    + b"".join(b"\n    def berth%03d(self):\n        return %d\n" % (n, n) for n in range(200))
    + b"\n\nclass After:\n    pass\n",
    **{
        b"src/%s%02d.py" % (name, n): b"def %s():\n    rope = %d\n    rope = 2\n" % (name, n)
        for n in range(9)
        for name in (b"a", b"b")
    },
    b"CHANGES": b"rope\n" * 9,
}


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Node]:
    """A node over a class of hundreds of lines between others, and many files with the same word."""
    place = tmp_path_factory.mktemp("long") / "tree"
    make_repo(place, [LONG])
    with Node.open(place) as opened:
        yield opened


def test_the_name_of_an_entry_is_told_with_its_own_lines(long: Node) -> None:
    """However long an entry is, its extent and what reading it costs are told, and only lines of it are shown."""
    text = long.find({"query": "class Quay"}, text=True).text
    found = re.search(r"^## Quay 6-607 (\d+)t$", text, re.MULTILINE)
    assert found
    (match,) = long.search("class Quay").matches
    assert match.next is not None
    assert (match.entry, match.next.lines) == ("Quay", (6, 607))
    for as_text, cost in ((True, int(found[1])), (False, match.next.tokens)):
        asked = {"path": "long.py", "lines": "6-607"}
        assert not long.ask({**asked, "budget_tokens": cost}, text=as_text).degraded
        assert long.ask({**asked, "budget_tokens": cost - 1}, text=as_text).degraded
    for view in ("section", "outline"):
        text = long.find({"query": "class Quay", "view": view, "budget_tokens": 300}, text=True).text
        rows = [int(row[1]) for row in re.finditer(r"^(\d+)", text, re.MULTILINE)]
        assert rows
        assert all(6 <= row <= 607 for row in rows)
        assert "\n6-607 class Quay(Pier):\n" in text


def test_of_a_huge_entry_a_window_is_told_as_such(long: Node, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where an entry is too large to be counted, the lines around the match are offered, and what they are part of."""
    monkeypatch.setattr(opened, "LARGE_SECTION", 1000)
    text = long.find({"query": "length = 1"}, text=True).text
    assert re.search(r"^## Quay.length 7-7 \d+t$", text, re.MULTILINE)
    text = long.find({"query": "class Quay"}, text=True).text
    assert re.search(r"^## Quay 6-26 of 6-607 \d+t$", text, re.MULTILINE)
    (match,) = long.search("class Quay").matches
    assert match.next is not None
    assert match.next.to_dict()["lines"] == [6, 26]


def test_entries_of_one_name_are_told_apart(tmp_path: Path) -> None:
    """Each has its own heading, with its own lines, whatever the budget."""
    make_repo(tmp_path / "tree", [{b"a.py": b"def tide(n):\n    return n\n\n\ndef tide(n):\n    return n + n\n"}])
    with Node.open(tmp_path / "tree") as node:
        text = node.find({"query": "return n"}, text=True).text
    assert re.findall(r"^(?:## )?\S+ \d+-\d+ |^\d+:", text, re.MULTILINE) == [
        "## tide 1-2 ",
        "2:",
        "## tide 5-6 ",
        "6:",
    ]


@pytest.mark.parametrize("query", ["class ", "class Quay", "def berth0"])
@pytest.mark.parametrize("view", ["section", "outline", "full"])
@pytest.mark.parametrize("text", [True, False])
def test_a_larger_budget_gives_more_sections(long: Node, query: str, view: str, text: bool) -> None:
    """Of no view fewer matches are shown with more budget, and the header of a part counts what is printed."""
    before = 0
    for budget in range(60, 1200, 23):
        answer = long.find({"query": query, "view": view, "budget_tokens": budget}, text=text)
        shown = re.search(r"shown=(\d+)", answer.text.partition("\n")[0])
        count = (int(shown[1]) if shown else answer.totals.matches) if text else len(answer.matches)
        assert count >= before, budget
        before = count


def test_an_outline_of_a_match_is_that_of_a_read(long: Node) -> None:
    """With enough budget the rows are those of a read of that section in that view."""
    text = long.find({"query": "class After", "view": "outline"}, text=True).text
    read = long.read("long.py", section="After", view="outline")
    assert text.endswith("\n" + read.content)
    text = long.find({"query": "class Quay", "view": "outline", "budget_tokens": 20_000}, text=True).text
    assert text.endswith("L\n" + long.read("long.py", section="Quay", view="outline", budget_tokens=20_000).content)


def test_more_budget_goes_to_lines_too(long: Node) -> None:
    """Behind the first lines a file is named for each two more; changelogs come behind the sources."""
    lines = []
    for budget in range(100, 500, 50):
        text = long.find({"query": "rope", "budget_tokens": budget, "view": "hits"}, text=True).text
        rows, files = len(re.findall(r"^\d+: ", text, re.MULTILINE)), len(re.findall("^# ", text, re.MULTILINE))
        lines.append(rows)
        # Two lines to a file: those that have their lines, and those that are only named.
        assert files <= (rows + 1) // 2 + max(0, rows - 5) // 2 + 1 or rows == 45
    assert lines == sorted(set(lines))
    everything = long.search("rope", budget_tokens=20_000).to_dict()["matches"]
    assert [row["path"] for row in everything][-9:] == ["CHANGES"] * 9  # type: ignore[attr-defined]


def test_sections_come_whole_one_after_the_other(node: Node) -> None:
    """`section` gives the sections of the matches, best first; only the last may be coarser."""
    text = node.find({"query": "ship.rope", "view": "section", "limit": 3, "budget_tokens": 400}, text=True).text
    assert "7-9     def moor(self, ship):\n8         knot = ship.rope\n9         return knot\n" in text
    assert text.startswith("section tree@")


@given(st.text(max_size=60), st.integers(0, 60), st.integers(0, 20), st.integers(1, 30))
def test_a_clip_shows_the_match(line: str, start: int, size: int, width: int) -> None:
    """A clipped line has at most WIDTH code points and two marks, and shows the match or its first part."""
    start, end = min(start, len(line)), min(start + size, len(line))
    shown, clipped = clip(line, (start, end), width)
    assert clipped is (len(line) > width)
    assert len(shown) <= width + 2
    assert line[start:end][:width] in shown


def test_each_of_several_trees_prints_its_commit_once(tmp_path: Path) -> None:
    """The first file of a tree is printed with its commit, which makes it a pointer; one that is edited is not."""
    for name in ("north", "south"):
        make_repo(tmp_path / name, [{b"a.py": b"anchor = 1\n", b"b.py": f"anchor = '{name}'\n".encode()}])
    trees = [open_tree(name, str(tmp_path / name), None) for name in ("north", "south")]
    (tmp_path / "south/a.py").write_bytes(b"anchor = 2\n")
    with Node(Catalog(trees)) as node:
        heads = [str(row["head"])[:12] for row in node.trees()]
        rows = [row for row in node.find({"query": "anchor"}, text=True).text.splitlines() if row.startswith("# ")]
        assert rows == [
            f"# /north/a.py@{heads[0]} 1",
            "# /north/b.py 1",
            "# /south/a.py 1 dirty",
            f"# /south/b.py@{heads[1]} 1",
        ]
        assert "@" not in node.search("anchor").content
        assert node.dereference(f"/south/b.py@{heads[1]}#L1").content.content == "anchor = 'south'\n"
