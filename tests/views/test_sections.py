"""Names of sections: as they are written first, then without markup, then in any case."""

import pytest

from budgeted_reads.errors import AmbiguousSection, SectionNotFound
from budgeted_reads.outline.registry import outline
from budgeted_reads.text import decode
from budgeted_reads.views.sections import Index

CODE = (
    b"class C:\n    def foo(self):\n        pass\n\n    def _foo(self):\n        pass\n\n"
    b"    def __init__(self):\n        pass\n\n    def init(self):\n        pass\n\n\n"
    b"def wrap():\n    def inner():\n        pass\n\n\ndef wrap2():\n    def inner():\n        pass\n"
)
INDEX = Index(outline(decode(CODE), b"a.py").entries)


@pytest.mark.parametrize(
    ("name", "line"),
    [("C.foo", 2), ("C._foo", 5), ("_foo", 5), ("C.__init__", 8), ("C.init", 11), ("c.FOO", 2), ("wrap > inner", 16)],
)
def test_a_name_of_code_is_found_as_it_is_written(name: str, line: int) -> None:
    """Underscores are part of a name; a path may be written as the candidates of an error are."""
    assert INDEX.find(name).entry.own == line


@pytest.mark.parametrize("name", ["C.__init", "C._init", "foo_", "wrap > foo"])
def test_part_of_a_name_is_none(name: str) -> None:
    """A name without its underscores, or with others, names nothing."""
    with pytest.raises(SectionNotFound):
        INDEX.find(name)


def test_candidates_tell_what_they_are() -> None:
    """What has the same name is told apart by path, lines and kind; headings need no kind."""
    with pytest.raises(AmbiguousSection) as caught:
        INDEX.find("inner")
    assert caught.value.members["candidates"] == [
        {"title": "wrap > inner", "lines": "16-17", "kind": "function"},
        {"title": "wrap2 > inner", "lines": "21-22", "kind": "function"},
    ]
    with pytest.raises(AmbiguousSection) as caught:
        Index(outline(decode(b"# A\n\n## B\n\n## B\n"), b"a.md").entries).find("B")
    assert caught.value.members["candidates"] == [
        {"title": "A > B", "lines": "3-4"},
        {"title": "A > B", "lines": "5-5"},
    ]


def test_titles_are_found_without_their_markup() -> None:
    """A heading is named by its words, with their markup or without."""
    index = Index(outline(decode(b"# The `_run_` *call*\n\n## More\n"), b"a.md").entries)
    for name in ("The `_run_` *call*", "The _run_ call", "The run call", "the RUN call"):
        assert index.find(name).entry.own == 1
