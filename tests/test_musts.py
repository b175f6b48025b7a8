"""The MUSTs of the concept page that exist by now, each at its shortest: M1 to M4 (CONTRACT, first lines)."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from budgeted_reads import Node
from budgeted_reads.errors import BudgetTooSmall
from budgeted_reads.tokens import counter
from repos import ENVIRONMENT, make_repo

TOP = Path(__file__).resolve().parent.parent
FILES = ("README.md", "docs/index.md", "src/budgeted_reads/node.py", "pyproject.toml")
BUDGETS = (20, 40, 80, 160, 320, 640, 1280, 100_000)


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Node]:
    """A repository with files of this project."""
    place = tmp_path_factory.mktemp("project")
    make_repo(place, [{name.encode(): (TOP / name).read_bytes() for name in FILES}])
    with Node.open(place, tree="project") as node:
        yield node


@pytest.mark.parametrize("path", FILES)
def test_m1_an_answer_states_its_view_and_its_tokens(node: Node, path: str) -> None:
    """The view and the count that are stated are those of what is returned; nothing here is generated."""
    units = counter("o200k_base").units
    for budget in BUDGETS:
        answer = node.read(path, budget_tokens=budget)
        assert answer.tokens == units(answer.content) <= budget
        assert answer.view in ("full", "folded", "outline", "card")
        assert (answer.view == "full") == (answer.content == (TOP / path).read_text(encoding="utf-8"))
        assert answer.to_dict()["generated"] is False
        text = node.read_text(path, budget_tokens=budget)
        assert text.startswith(node.ask({"path": path, "budget_tokens": budget}, text=True).view + " ")
        assert f" {units(text)}/" in text.split("\n")[0]


@pytest.mark.parametrize("path", FILES)
def test_m2_a_small_budget_gives_a_coarser_view_and_no_silent_cut(node: Node, path: str) -> None:
    """A degraded answer says so and accounts for every line that it does not show; below the floor is an error."""
    count = len((TOP / path).read_text(encoding="utf-8").splitlines())
    for budget in BUDGETS:
        answer = node.read(path, budget_tokens=budget, view="full", include=["facts"])
        assert answer.degraded == (answer.view != "full")
        assert not answer.truncated
        facts = answer.shape.facts
        assert facts is not None
        known = [*facts.lines, *(fold.lines for fold in answer.shape.folds)]
        assert {number for first, last in known for number in range(first, last + 1)} == set(range(1, count + 1))
    with pytest.raises(BudgetTooSmall) as caught:
        node.read(path, budget_tokens=1)
    assert node.read(path, budget_tokens=caught.value.minimum_tokens).tokens <= caught.value.minimum_tokens


@pytest.mark.parametrize("path", FILES)
def test_m3_files_and_ranges_are_read_as_they_are(node: Node, path: str) -> None:
    """View full gives the text to the last byte, a range exactly its lines, a pointer exactly its bytes."""
    text = (TOP / path).read_text(encoding="utf-8")
    lines = text.splitlines(keepends=True)
    assert node.read(path, view="full", budget_tokens=1_000_000).content == text
    for first, last in ((1, 1), (2, 5), (len(lines) - 1, len(lines))):
        answer = node.read(path, lines=[first, last], budget_tokens=1_000_000)
        assert answer.content == "".join(lines[first - 1 : last])
        assert node.dereference(answer.evidence[0].pointer).raw == answer.content.encode()


@pytest.mark.parametrize("path", FILES)
def test_m4_evidence_verifies_against_a_commit(node: Node, path: str) -> None:
    """Each pointer holds a full commit id, and git alone gives the bytes with that hash."""
    from hashlib import sha256

    (tree,) = node.catalog.trees.values()
    for fields in ({}, {"lines": "3-9"}, {"budget_tokens": 60}):
        answer = node.read(path, **fields)
        (evidence,) = answer.evidence
        assert answer.commit is not None
        assert f"@{answer.commit}#L" in evidence.pointer
        assert evidence.lines is not None
        command = ["git", "show", f"{answer.commit}:{path}"]
        shown = subprocess.run(command, cwd=tree.root, env=ENVIRONMENT, capture_output=True, check=True).stdout
        part = b"".join(shown.splitlines(keepends=True)[evidence.lines[0] - 1 : evidence.lines[1]])
        assert sha256(part).hexdigest() == evidence.sha256
        assert node.dereference(evidence.pointer, sha256=evidence.sha256).verification == "verified"
