"""Several files in one budget, and folders with the outlines of their files."""

import json
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from budgeted_reads import Node, tokens
from budgeted_reads.errors import BudgetTooSmall, InvalidRequest, NotFound, ReadError
from repos import make_repo
from rights import unprivileged

COUNTER = tokens.counter("o200k_base")
CODE = (
    b"import os\n\n\nclass %s:\n    def one(self, a: int) -> int:\n        return a\n\n"
    b"    def two(self):\n        pass\n"
)
PROSE = b"# %s\n\nWhat it is about. And what else.\n\n## More\n\nA second part, with a longer line than the first.\n"
FILES: dict[bytes, Any] = {
    b"README.md": PROSE % b"Read me",
    b"pyproject.toml": b'[project]\nname = "harbour"\nversion = "1"\n' + b"# padding\n" * 6,
    b"src/app.py": CODE % b"App",
    b"src/deep/tide.py": CODE % b"Tide",
    b"src/deep/empty.py": b"",
    b"tests/test_app.py": CODE % b"Test",
    b"docs/guide.md": PROSE % b"Guide",
    b"picture.bin": bytes(range(256)) * 8,
    b".env": b"TOKEN=hunter2hunter2\n",
}
BUDGETS = [*range(8, 130, 3), 150, 200, 300, 500, 900, 1500, 4000]


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Node]:
    """A node over one small repository."""
    place = tmp_path_factory.mktemp("many") / "repo"
    make_repo(place, [FILES])
    with Node.open(place, tree="repo") as opened:
        yield opened


ASKED = [
    {"glob": ["**/*.py"]},
    {"glob": "*"},
    {"paths": ["src/app.py", "README.md", "docs/guide.md"]},
    {"path": ""},
    {"path": "src"},
]


def answers(node: Node, asked: dict[str, Any], **fields: Any) -> list[tuple[int, str]]:
    """The text answers by budget, from the least budget that is answered on."""
    found: list[tuple[int, str]] = []
    for budget in BUDGETS:
        try:
            found.append((budget, node.ask({**asked, **fields, "budget_tokens": budget}, text=True).text))
        except BudgetTooSmall as error:
            assert error.minimum_tokens > budget
            assert not found
    return found


def rows_of(text: str) -> set[tuple[str, str]]:
    """Line numbers by the file whose part they stand in; rows only grow, so the numbers tell."""
    found, path = set(), ""
    for row in text.splitlines():
        number = row.partition(" ")[0].partition("-")[0]
        if number.isdigit():
            found.add((path, number))
        elif "@" in row:
            path = row.split()[1].partition("@")[0]
    return found


@pytest.mark.parametrize("asked", ASKED, ids=str)
@pytest.mark.parametrize("tokenizer", ["o200k_base", "qwen3", "claude"])
def test_the_whole_text_keeps_to_the_budget(node: Node, asked: dict[str, Any], tokenizer: str) -> None:
    """Header, rows and all parts together cost at most the budget, and what is printed is what is counted."""
    counter = tokens.counter(tokenizer)
    for budget, text in answers(node, asked, tokenizer=tokenizer):
        units = counter.units(text)
        assert counter.bound(units, "unknown") <= budget
        assert f" {counter.tokens(units, 'unknown')}" in text.partition("\n")[0]


@pytest.mark.parametrize("asked", ASKED, ids=str)
def test_more_budget_only_adds(node: Node, asked: dict[str, Any]) -> None:
    """Each file that is shown, and each line of it that has a row, is there at every larger budget."""
    for (_, before), (_, after) in pairwise(answers(node, asked)):
        assert rows_of(before) <= rows_of(after)


@pytest.mark.parametrize("asked", ASKED, ids=str)
def test_json_keeps_to_the_budget(node: Node, asked: dict[str, Any]) -> None:
    """In JSON the contents of all parts together cost at most the budget."""
    for budget in (20, 60, 200, 1000):
        try:
            body = node.ask({**asked, "budget_tokens": budget}).to_dict()
        except BudgetTooSmall:
            continue
        parts = body.get("parts", [])
        assert isinstance(parts, list)
        texts = [str(body["content"]), *(str(part["content"]) for part in parts)]
        assert sum(map(COUNTER.units, texts)) == body["tokens"]
        assert sum(map(COUNTER.units, texts)) <= budget


def test_every_file_is_shown_or_counted(node: Node) -> None:
    """Of the files that a glob takes in, each is a part, or one of those not shown, or said to hold no text."""
    for budget in (60, 200, 2000):
        answer = node.ask({"glob": "*", "budget_tokens": budget})
        assert answer.parts is not None
        assert answer.files_omitted is not None
        binary = [warned for warned in answer.warnings if warned.code == "binary_file"]
        assert len(answer.parts) + answer.files_omitted.files + len(binary) == len(FILES)


def test_parts_are_answers_with_evidence(node: Node) -> None:
    """Every part has its own view and a pointer that leads to bytes with its hash."""
    answer = node.ask({"glob": "**/*.py", "budget_tokens": 2000})
    assert answer.parts
    for part in answer.parts:
        (row,) = part.evidence
        assert node.dereference(row.pointer, sha256=row.sha256).verification == "verified"


def test_paths_keep_their_order(node: Node) -> None:
    """Files that are named come in the order in which they were named."""
    answer = node.ask({"paths": ["docs/guide.md", "src/app.py"], "budget_tokens": 2000})
    assert [part.file.path for part in answer.parts or ()] == ["docs/guide.md", "src/app.py"]
    assert [part.view for part in answer.parts or ()] == ["full", "full"]


def test_a_folder_tells_first_what_is_read_first(node: Node) -> None:
    """With budget left, a folder shows its README and manifest before its sources, and those before its tests."""
    text = node.ask({"path": "", "budget_tokens": 4000}, text=True).text
    shown = [row.split()[1].partition("@")[0] for row in text.splitlines()[1:] if "@" in row]
    assert shown[:3] == ["README.md", "pyproject.toml", "src/app.py"]
    assert shown.index("src/deep/tide.py") < shown.index("tests/test_app.py")


def test_secrets_stay_secret_among_many(node: Node) -> None:
    """No value of a secret file appears where it is read with others, or with its folder."""
    for asked in ({"glob": "*"}, {"path": ""}):
        assert "hunter2" not in node.ask({**asked, "budget_tokens": 9000}, text=True).text


@pytest.mark.parametrize(
    "asked",
    [
        {"path": "a", "glob": "*"},
        {"paths": []},
        {"paths": "README.md"},
        {"paths": [1]},
        {"glob": ""},
        {"glob": "*", "lines": "1-2"},
        {"paths": ["README.md"], "section": "More"},
        {"glob": "*", "view": "lines"},
        {"glob": "*", "on_overflow": "page", "view": "full"},
        {},
    ],
    ids=str,
)
def test_what_does_not_go_together_is_refused(node: Node, asked: dict[str, Any]) -> None:
    """Requests that name no file, or part of one for several, are invalid."""
    with pytest.raises(InvalidRequest):
        node.ask(asked)


def test_what_is_not_there_is_said(node: Node) -> None:
    """A glob without a match and a path without a file are not found; a folder among paths is no file."""
    with pytest.raises(NotFound):
        node.ask({"glob": "*.rs"})
    with pytest.raises(NotFound):
        node.ask({"paths": ["README.md", "none.md"]})
    with pytest.raises(ReadError, match="folder"):
        node.ask({"paths": ["README.md", "src"]})


def test_a_commit_is_read_for_all(tmp_path: Path) -> None:
    """With a commit, every part is of that commit, whatever the disk holds."""
    first, _ = make_repo(tmp_path / "r", [{b"a.md": b"# One\n"}, {b"a.md": b"# Two\n", b"b.md": b"# B\n"}])
    with Node.open(tmp_path / "r") as node:
        answer = node.ask({"glob": "*.md", "commit": first, "budget_tokens": 500})
        assert [(part.file.path, part.content) for part in answer.parts or ()] == [("a.md", "# One\n")]


def test_what_cannot_be_read_is_counted_and_named(tmp_path: Path) -> None:
    """A file and a folder without the right to read them do not fail an answer about others; both faces say so."""
    place = tmp_path / "r"
    make_repo(place, [{b"a.md": b"# One\n", b"shut.md": b"# Two\n", b"deep/b.md": b"# Three\n"}])
    (place / "shut.md").chmod(0)
    (place / "deep").chmod(0)
    try:
        for asked in (["."], ["--glob", "*.md"]):
            text = unprivileged("read", *asked, "--budget", "400", place=place)
            assert "2 unreadable" in text.partition("\n")[0]
            assert "# One" in text
            body = json.loads(unprivileged("read", *asked, "--json", place=place))
            [told] = [row["detail"] for row in body["warnings"] if row["code"] == "unreadable"]
            assert "2 files" in told
            assert "shut.md" in told
            assert "deep/b.md" in told
    finally:
        (place / "deep").chmod(0o755)


@pytest.mark.parametrize("budget", [12, 30, 60])
@pytest.mark.parametrize("asked", [{"glob": "*"}, {"paths": ["src/app.py", "README.md"]}], ids=str)
def test_what_a_part_offers_comes_at_its_price(node: Node, asked: dict[str, Any], budget: int) -> None:
    """Each `next` of a part, asked for by itself at its price, gives that view; a token less does not."""
    offered = 0
    for part in node.ask({**asked, "budget_tokens": budget}).parts or ():
        for step in part.to_dict()["next"]:  # type: ignore[attr-defined]
            offered += 1
            fields = {name: step[name] for name in ("view", "section") if name in step}
            fields |= {"lines": "-".join(map(str, step["lines"]))} if "lines" in step else {}
            alone = {"path": part.file.path, **fields}
            answer = node.ask({**alone, "budget_tokens": step["tokens"]})
            assert (answer.view, answer.tokens <= step["tokens"]) == (step["view"], True)
            with suppress(BudgetTooSmall):
                assert node.ask({**alone, "budget_tokens": step["tokens"] - 1}).view != step["view"]
    assert offered or budget > 12
