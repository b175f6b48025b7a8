"""Changes within a budget: never over it, never less for more, every file accounted for, equal for equal requests."""

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from budgeted_reads import Node
from budgeted_reads.errors import BudgetTooSmall
from budgeted_reads.tokens import NAMES, counter
from repos import Change, commit, make_repo

BUDGETS = (1, 10, 20, 35, 50, 70, 100, 150, 200, 300, 400, 700, 1000, 2000, 4000, 100_000)
LEVELS = {None: 0, "files": 1, "entries": 2, "hunks": 3, "patch": 4}

CODE = "".join(f"def step_{n}(a, b):\n    total = a * {n} + b\n    return total\n\n\n" for n in range(40)).encode()
OLD: Change = {
    **{b"src/deep/er/mod_%d.py" % n: CODE for n in range(8)},
    **{b"docs/page_%d.md" % n: b"# Page\n\nText of the page.\n\n## More\n\nMore.\n" for n in range(8)},
    b"package-lock.json": b'{\n"a": 1\n}\n',
    b"README.md": b"# Read\n",
    b"logo.png": b"\0png",
    b"old/name.py": CODE,
}
NEW: Change = {
    **{b"src/deep/er/mod_%d.py" % n: CODE.replace(b"* %d " % n, b"- %d " % n) for n in range(6)},
    b"src/deep/er/mod_6.py": CODE.replace(b"total", b"sum"),
    b"src/deep/er/mod_7.py": CODE.replace(b"step_1", b"leap_1"),
    **{b"docs/page_%d.md" % n: b"# Page\n\nOther text.\n\n## More\n\nMore.\n" for n in range(8)},
    b"package-lock.json": b'{\n"a": [\n' + b"".join(b'  "line %d",\n' % n for n in range(900)) + b'""]\n}\n',
    b"README.md": None,
    b"logo.png": b"\0png2",
    b"old/name.py": None,
    b"new/name.py": CODE + b"# end\n",
    b"new/other.txt": b"new\n",
}


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A node over two commits that differ in many ways, and their ids."""
    place = tmp_path_factory.mktemp("fit") / "r"
    ids = make_repo(place, [OLD, NEW])
    with Node.open(place, tree="demo") as node:
        yield node, ids


def answers(node: Node, ids: list[str], *, text: bool, **fields: object) -> Any:
    """The answers at each budget, None where it is too small."""
    for budget in BUDGETS:
        try:
            asked = {"from": ids[0], "to": ids[1], "budget_tokens": budget, **fields}
            yield budget, node.changes(asked, text=text)
        except BudgetTooSmall as error:
            assert budget < error.minimum_tokens
            yield budget, node.changes({**asked, "budget_tokens": error.minimum_tokens}, text=text)


@pytest.mark.parametrize("text", [False, True])
def test_no_answer_costs_more_than_its_budget(history: Any, text: bool) -> None:
    """What is printed counts what it says, at most the budget; the least budget of an error is answered."""
    node, ids = history
    units = counter("o200k_base").units
    for budget, answer in answers(node, ids, text=text):
        shown = answer.text if text else answer.content
        assert answer.tokens == units(shown) <= max(budget, answer.budget_tokens)


@pytest.mark.parametrize("tokenizer", NAMES)
def test_every_tokenizer_holds_the_budget(history: Any, tokenizer: str) -> None:
    """Estimates hold it by their upper bound."""
    node, ids = history
    for budget in (100, 700):
        answer = node.changes(
            {"from": ids[0], "to": ids[1], "budget_tokens": budget, "tokenizer": tokenizer}, text=True
        )
        made = counter(tokenizer)
        assert made.bound(made.units(answer.text), "unknown") <= budget


def test_more_budget_never_shows_less_and_every_file_is_counted(history: Any) -> None:
    """The level of each file only rises; rows, folders and totals add up to all files at every budget."""
    node, ids = history
    before: dict[str, int] = {}
    for _, answer in answers(node, ids, text=False):
        levels = {row.path: LEVELS[row.view] for row in answer.files}
        assert len(levels) == answer.file_total == 21
        assert all(level >= before.get(path, 0) for path, level in levels.items())
        before = levels
        if answer.view == "folders":
            counted = sum(int(found) for found in re.findall(r"/ (\d+) files? \+", answer.content))
            named = sum(level > 0 for level in levels.values())
            assert counted + named == answer.file_total
            assert answer.unnamed == counted
    assert answer.view == "patch"
    assert all(row.view == "patch" or row.binary for row in answer.files)


def test_small_patches_stand_whole_beside_one_line_for_a_large_file(history: Any) -> None:
    """At a middling budget documents are patches while the lock file, 900 lines, is one row."""
    node, ids = history
    answer = node.diff(*ids, budget_tokens=1500)
    views = {row.path: row.view for row in answer.files}
    assert views["package-lock.json"] == "files"
    assert views["docs/page_1.md"] == "patch"
    assert "M package-lock.json +902 -1\n" in answer.content


def test_no_hunk_is_ever_cut(history: Any) -> None:
    """Under each header stand as many lines of both sides as it says."""
    node, ids = history
    for _, answer in answers(node, ids, text=False):
        patches = re.split(r"^--- ", answer.content, flags=re.MULTILINE)[1:]
        for patch in patches:
            for head in re.finditer(
                r"^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@\n((?:[-+ \\].*\n)*)", patch, re.MULTILINE
            ):
                body = re.sub(r"^(---|\+\+\+) .*\n", "", head[3])
                old = len(re.findall(r"^[- ]", body, re.MULTILINE))
                new = len(re.findall(r"^[+ ]", body, re.MULTILINE))
                assert (old, new) == (int(head[1] or 1), int(head[2] or 1))


def test_equal_requests_give_equal_bytes(history: Any) -> None:
    """The order of steps is fixed."""
    node, ids = history
    for budget in (60, 300, 900):
        one, other = (node.changes({"from": ids[0], "to": ids[1], "budget_tokens": budget}, text=True) for _ in "ab")
        assert one.text == other.text


def test_what_is_offered_costs_what_it_says(history: Any) -> None:
    """Each request that an answer offers is answered in the view that it names at that budget, not below."""
    node, ids = history
    for text in (False, True):
        for budget in (60, 300, 900):
            asked = {"from": ids[0], "to": ids[1]}
            answer = node.changes({**asked, "budget_tokens": budget}, text=text)
            assert answer.next or text
            for more in answer.next:
                again = node.changes({**asked, "path": more.path, "budget_tokens": more.tokens}, text=text)
                assert again.view == more.view or more.view == "files"
                assert again.unnamed == 0
                assert again.tokens <= more.tokens


def test_many_files_are_counted_in_few_tokens(tmp_path: Path) -> None:
    """Thousands of files are folders and totals, and the answer says how many it does not name."""
    many = {b"d%d/e%d/f%d" % (n % 7, n % 50, n): b"%d\n" % n for n in range(3000)}
    ids = make_repo(tmp_path / "r", [{b"k": b"k"}, many])
    with Node.open(tmp_path / "r", tree="demo") as node:
        answer = node.diff(*ids, budget_tokens=300)
        assert (answer.view, answer.file_total, answer.added) == ("folders", 3000, 3000)
        assert answer.tokens <= 300
        assert answer.unnamed > 2900
        assert len(answer.files) == 1000
        assert "rows_merged" in [warned.code for warned in answer.warnings]


names = st.sampled_from([b"a.py", b"b.md", b"d/c.json", b"d/e/f.txt", b"g.lock"])
texts = st.lists(st.sampled_from([b"def f():", b"    x", b"# T", b'{"a": 1}', b"", b"one two"]), max_size=8).map(
    b"\n".join
)


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(old=st.dictionaries(names, texts, min_size=1), new=st.dictionaries(names, texts, min_size=1), text=st.booleans())
def test_any_two_trees_hold_every_promise(tmp_path: Path, old: Any, new: Any, text: bool) -> None:
    """Whatever the trees hold: within the budget, never less for more, an error only below the least budget."""
    place = tmp_path / "shared"
    if not place.exists():
        make_repo(place, [{b"k": b"k"}])
    ids = [commit(place, {name: side.get(name, b"-") for name in (*old, *new)}, 2) for side in (old, new)]
    units = counter("o200k_base").units
    with Node.open(place, tree="demo", snapshots=False) as node:
        before: dict[str, int] = {}
        for budget, answer in answers(node, ids, text=text):
            shown = answer.text if text else answer.content
            assert answer.tokens == units(shown) <= max(budget, answer.budget_tokens)
            levels = {row.path: LEVELS[row.view] for row in answer.files}
            assert all(level >= before.get(path, 0) for path, level in levels.items())
            before = levels
