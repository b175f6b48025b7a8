"""What the pages say is true: examples print what they show, links lead somewhere, lists are whole."""

import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest

import docexamples
from docexamples import TOP, Block

PAGES = docexamples.pages()
SPEC_COMMIT = "62c8312c14e06688b33619a802c01c28e3cb31be\n"
FENCED = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
INLINE_CODE = re.compile(r"`[^`\n]*`")
LINK = re.compile(r"\[[^\]\n]*\]\(([^)\s]+)\)")


def name(page: object) -> str | None:
    """The path of a page, as the name of its test."""
    return str(page.relative_to(TOP)) if isinstance(page, Path) else None


@pytest.fixture(scope="module")
def repositories(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that holds the repositories of the examples."""
    where = tmp_path_factory.mktemp("examples")
    docexamples.make_repositories(where)
    return where


@pytest.mark.parametrize(
    "block", [b for b in docexamples.console_blocks() if b.repository], ids=lambda block: block.name
)
def test_a_command_prints_what_the_page_shows(block: Block, repositories: Path, tmp_path: Path) -> None:
    """Every printed example is what the command prints, to the byte (`python tests/docexamples.py --write`)."""
    assert docexamples.rerun(block, repositories, tmp_path) == block.text


def test_every_command_that_is_shown_is_run_or_says_why_not() -> None:
    """No example with a `nas` command escapes its check unsaid."""
    unsaid = [b.name for b in docexamples.console_blocks() if not b.repository and not b.note.startswith("not run: ")]
    assert not unsaid


def test_a_repository_of_fixtures_has_the_same_commit_everywhere(repositories: Path, tmp_path: Path) -> None:
    """The ids that examples print are facts of the fixtures, not of the machine or the day."""
    assert docexamples.printed("git rev-parse HEAD", repositories / "spec", tmp_path) == SPEC_COMMIT


def test_an_example_is_found_with_its_repository_and_rerun_whole(repositories: Path, tmp_path: Path) -> None:
    """A block is what stands between its fences; each of its commands is followed by all that it prints."""
    page = tmp_path / "page.md"
    shown = "$ git rev-parse HEAD\nold\n$ git ls-files '*.md'\n"
    page.write_text(f"# P\n\n<!-- run: cwd=spec -->\n```console\n{shown}```\n", encoding="utf-8")
    (block,) = docexamples.blocks(page)
    assert block.repository == "spec"
    now = docexamples.rerun(block, repositories, tmp_path)
    assert now == f"$ git rev-parse HEAD\n{SPEC_COMMIT}$ git ls-files '*.md'\nREADME.md\n"


@pytest.mark.parametrize("page", [page for page in PAGES if docexamples.doctest_of(page)], ids=name)
def test_python_examples_are_true(
    page: Path, repositories: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every Python example gives what the page shows."""
    monkeypatch.chdir(repositories)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    test = docexamples.doctest_of(page)
    assert test is not None
    report: list[str] = []
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=report.append)
    assert result.failed == 0, "".join(report)


def prose(page: Path) -> str:
    """The text of PAGE without code."""
    return INLINE_CODE.sub("", FENCED.sub("", page.read_text(encoding="utf-8")))


def anchors(page: Path) -> set[str]:
    """The names under which the headings of PAGE can be linked to, as code hosts make them."""
    text = FENCED.sub("", page.read_text(encoding="utf-8"))
    titles = re.findall(r"^#{1,6} (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_relative_link_leads_somewhere(page: Path) -> None:
    """A link to a file of the repository names one that is there, and its anchor a heading in it."""
    dead = []
    for link in LINK.findall(prose(page)):
        if re.match(r"[a-z]+:", link):
            continue
        place, _, anchor = link.partition("#")
        target = (page.parent / place).resolve() if place else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            dead.append(link)
    assert not dead


def test_every_page_is_found_from_the_index() -> None:
    """`docs/index.md` links each page under docs/."""
    linked = {(TOP / "docs" / link.partition("#")[0]).resolve() for link in LINK.findall(prose(TOP / "docs/index.md"))}
    assert {page for page in PAGES if page.is_relative_to(TOP / "docs")} - {TOP / "docs/index.md"} <= linked


def test_the_questions_of_the_benchmark_have_their_passages() -> None:
    """Each row of the table of questions names a passage that is there, so the printed command runs."""
    command = [sys.executable, str(TOP / "bench" / "focus.py"), "--budgets", "400"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
