"""Notebooks: cells and outputs on the lines of their JSON, against the standard library's reading of it."""

import base64
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgeted_reads.outline.entry import Outline
from budgeted_reads.outline.lines import named
from budgeted_reads.outline.registry import outline
from budgeted_reads.text import decode
from outline.checks import check, flat, shown

OUTPUTS = st.sampled_from([
    {"output_type": "stream", "name": "stdout", "text": ["a\n", "b"]},
    {"output_type": "display_data", "data": {"image/png": "QUJD" * 40, "text/plain": "x"}, "metadata": {}},
    {"output_type": "execute_result", "data": {}, "metadata": {}},
    {"output_type": "error", "ename": "E", "evalue": "é", "traceback": []},
    {},
])  # fmt: skip
SOURCES = st.one_of(st.text('a#\n "\\é', max_size=8), st.lists(st.text('a#\n "\\é', max_size=4), max_size=3))
CELLS = st.lists(
    st.fixed_dictionaries({
        "cell_type": st.sampled_from(["code", "markdown", "raw"]),
        "source": SOURCES,
        "outputs": st.lists(OUTPUTS, max_size=2),
    }),
    min_size=1,
    max_size=4,
)  # fmt: skip


def made(content: str) -> Outline:
    text = decode(content.encode())
    result = outline(text, b"a.ipynb")
    check(text, result)
    return result


def titles(cell: dict[str, object]) -> list[str]:
    """The headings of CELL as those of a page of Markdown."""
    if cell["cell_type"] != "markdown":
        return []
    said = cell["source"]
    page = said if isinstance(said, str) else "".join(said)  # type: ignore[arg-type]
    entries = flat(outline(decode(page.encode()), b"a.md").entries)
    return [named(entry.title) for entry in entries if entry.kind == "heading"]


@given(CELLS, st.sampled_from([None, 0, 1]), st.booleans())
def test_each_cell_is_an_entry_over_its_own_lines(
    cells: list[dict[str, object]], indent: int | None, sort: bool
) -> None:
    """However the file is laid out: the lines (or columns) of an entry, read as JSON, are the cell and its outputs."""
    content = json.dumps({"cells": cells, "metadata": {}}, indent=indent, sort_keys=sort, ensure_ascii=False) + "\n"
    result = made(content)
    lines = content.split("\n")
    entries = iter([entry for entry in flat(result.entries) if entry.kind in ("cell", "heading")])
    for cell in cells:
        headings = titles(cell)
        of_cell = [next(entries) for _ in headings or [""]]
        assert [named(entry.title) for entry in of_cell if headings] == [
            title or cell["cell_type"] for title in headings
        ]
        outputs = [child for entry in of_cell for child in entry.children if child.kind in ("output", "error")]
        assert len(outputs) == len(cell["outputs"])  # type: ignore[arg-type]
        assert {entry.flags for entry in of_cell} == {(cell["cell_type"],)}
        if len(of_cell) > 1:
            # The first ends where the second begins.
            continue
        entry = of_cell[0]
        whole = "\n".join(lines[entry.start - 1 : entry.end])
        if entry.columns:
            whole = whole[entry.columns[0] - 1 : entry.columns[1]]
        if entry.columns or indent is not None:
            # A heading goes on over the cells below it.
            found, end = json.JSONDecoder().raw_decode(whole.strip())
            assert found == cell
            assert entry.kind == "heading" or whole.strip()[end:] in ("", ",")
    assert not list(entries)


def test_cells_stand_below_the_headings_of_markdown() -> None:
    """As the sections of a document do: a heading goes to the last cell before the next of its level or above."""
    cells = ["a", "# T", "b", "### U", "c", "d", "## V", "# W"]
    kinds = ["markdown" if cell[0] == "#" else "code" for cell in cells]
    content = json.dumps(
        {"cells": [{"cell_type": kind, "source": cell} for kind, cell in zip(kinds, cells, strict=True)]}
    )
    assert shown(made(content.replace(", {", ",\n{")).entries) == (
        "1-1 cell a\n2-7 heading T\n  3-3 cell b\n  4-6 heading U\n    5-5 cell c\n    6-6 cell d\n"
        "  7-7 heading V\n8-8 heading W\n"
    )


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (["# A\n", "a\n", "## B\n", "b\n", "## C"], "3-16@5 A|  7-8 B|  9-16 C|    13-16@15 x|"),
        (["## A\n", "a\n", "\n", "# B\n", "b"], "3-7@5 A|8-16 B|  13-16@15 x|"),
        (["a\n", "```sh\n", "# no\n", "```\n", "# *A*"], "3-16@9 A|  13-16@15 x|"),
        (["a\n", "===\n", "<h2>\n", "b\n", "</h2>"], "3-16@5 a|  7-16@8 b|    13-16@15 x|"),
        (["- # a\n", "> # b\n", "    # c\n", "d\n", "e"], "3-12@5 - # a|13-16@15 x|"),
        (["a\n# A", "\n# B\n", "b", "c\n", "# D"], "3-6@5 A|6-8 B|9-16 D|  13-16@15 x|"),
    ],
)
def test_every_heading_of_a_cell_is_a_section(source: list[str], expected: str) -> None:
    """By the rules of Markdown, on the lines of its strings: the first from the beginning of the cell."""
    content = json.dumps(
        {"cells": [{"source": source, "cell_type": "markdown"}, {"cell_type": "code", "source": "x"}]}, indent=1
    )
    assert re.sub(r" (?:cell|heading) ", " ", shown(made(content).entries)).replace("\n", "|") == expected


def test_headings_on_one_line_of_the_file_have_columns() -> None:
    """A source that is one string has them all on its line."""
    content = json.dumps({"cells": [{"cell_type": "markdown", "source": "# A\n\\n\n## B\nb\n# C"}]})
    entries = list(flat(made(content).entries))
    assert [entry.title for entry in entries] == ["A", "B", "C"]
    windows = [content[entry.columns[0] - 1 : entry.columns[1]] for entry in entries if entry.columns]
    assert windows == [
        r'{"cell_type": "markdown", "source": "# A\n\\n\n## B\nb\n',
        r"## B\nb\n",
        r'# C"}',
    ]


def test_titles_are_headings_or_first_words() -> None:
    """A heading anywhere in Markdown, else the first words of a line; of code that line; else the type."""
    long = "It rises and falls twice in a day, and a little later on every day that comes."
    cells = [
        ("markdown", "\n\na b\nc"),
        ("markdown", [long]),
        ("code", ["\n", "  # x\n", "y"]),
        ("raw", []),
        ("markdown", "a\n## B *c* ##\n"),
    ]
    content = json.dumps({"cells": [{"cell_type": kind, "source": source} for kind, source in cells]})
    expected = ["a b", "It rises and falls twice in a day, and a", "# x", "raw", "B c"]
    assert [entry.title for entry in made(content).entries] == expected


def test_the_rest_of_a_source_is_its_doc() -> None:
    """So it comes before metadata and outputs; of a source in one text there is no rest."""
    source = ["\n", "x = 1\n", "y = 2\n", "z"]
    content = json.dumps({"cells": [{"source": source, "metadata": {"a": 1}}, {"source": "x\ny"}]}, indent=1)
    whole, one = made(content).entries
    lines = content.split("\n")
    assert (whole.own, whole.doc) == (6, (7, 8))
    assert [lines[number - 1].strip() for number in (6, 8)] == [json.dumps("x = 1\n") + ",", json.dumps("z")]
    assert one.doc is None


def test_outputs_are_told_by_kind_and_size() -> None:
    """Never by what they hold: no part of base64 is in an outline, and the size is that of what it stands for."""
    picture = base64.b64encode(bytes(30_000)).decode()
    output = {"output_type": "display_data", "data": {"text/plain": ["ab\n", "c"], "image/png": picture}}
    outputs = [
        output,
        {"output_type": "stream", "name": "stderr", "text": "é" * 600},
        {"output_type": "error", "ename": "E"},
    ]
    result = made(json.dumps({"cells": [{"cell_type": "code", "source": "x", "outputs": outputs}]}, indent=1))
    children = result.entries[0].children
    assert [one.title for one in children] == ["image/png 30.0 kB, text/plain 4 B", "stderr 1.2 kB", "E:"]
    assert not [one for one in flat(result.entries) if picture[:20] in one.title + one.signature]


def test_facts_and_language() -> None:
    """Cells of each type, all outputs, and the language that the notebook names."""
    content = '{"cells": [{"cell_type": "code", "source": ""}], "metadata": {"kernelspec": {"language": "R"}}}'
    result = made(content)
    assert (result.language, result.facts) == ("R", (("cells", {"code": 1}), ("output_count", 0)))


@pytest.mark.parametrize(
    "content",
    [
        '{"cells": [{"cell_type": "code", "source": [',
        '{"cells": 3}',
        "[1, 2]",
        '{"worksheets": [{"cells": []}]}',
        "no",
        "{",
    ],
)
def test_what_is_no_notebook_is_outlined_as_json(content: str) -> None:
    """A file that is cut off, of another version or of another shape has keys at least."""
    assert made(content).format == "notebook"


def test_a_file_that_is_cut_off_says_so() -> None:
    """The keys up to there are entries."""
    result = made('{\n"cells": [\n{"cell_type": "code",\n"sou')
    assert [warned.code for warned in result.warnings] == ["syntax_errors"]
    assert shown(result.entries).startswith("2-4 key cells\n  3-4 item 0\n")


@pytest.mark.parametrize(
    "opening", ["[", '{"a":', '{"cells":[', '{"cells":[{"source":[', '"', "\\", "{", '{"cells":[{},']
)
def test_hostile_marks_end(opening: str) -> None:
    """Twenty thousand marks give some sound outline."""
    made(opening * 20_000)
    made('{"cells":[{"source":' + opening * 20_000)
