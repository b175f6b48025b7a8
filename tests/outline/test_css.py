"""Style sheets: blocks by their words, in every dialect."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgeted_reads.outline import Outline
from budgeted_reads.outline.registry import outline
from budgeted_reads.text import decode
from outline.checks import check, flat, shown

SELECTORS = st.sampled_from(["a", ".b > c", "#d:hover", "@media (x: y)", "e[f='{']", "g::after"])


def made(content: str, name: bytes = b"a.css") -> Outline:
    text = decode(content.encode())
    result = outline(text, name)
    check(text, result)
    return result


@given(
    st.recursive(st.just([]), lambda inner: st.lists(st.tuples(SELECTORS, inner), min_size=1, max_size=3), max_leaves=8)
)
def test_rules_are_those_that_were_written(rules: list[tuple[str, list[object]]]) -> None:
    """Nested as they were, whatever their declarations hold."""

    def written(some: list[tuple[str, list[object]]]) -> str:
        return "".join(f"{name} {{\ncolor: url(a;b); x: '}}';\n{written(inner)}/* }} */ }}\n" for name, inner in some)  # type: ignore[arg-type]

    def names(some: list[tuple[str, list[object]]]) -> list[str]:
        return [name for one, inner in some for name in [one, *names(inner)]]  # type: ignore[arg-type]

    result = made(written(rules))
    assert [entry.title for entry in flat(result.entries)] == names(rules) or not rules


@pytest.mark.parametrize(
    ("name", "content", "rows"),
    [
        (b"a.css", ":root { --a: 1; b: c }\n", "1-1 rule :root\n  1-1:9-14 variable --a\n"),
        (b"a.scss", "$a: 1; // x {\n@mixin m($b) { c: $b }\n", "1-1 variable $a\n2-2 mixin m\n"),
        (b"a.less", "@a: 1;\n.b { .c-@{d} { e: f } }\n", "1-1 variable @a\n2-2 rule .b\n  2-2:6-21 rule .c-@{d}\n"),
        (b"a.css", "a {\n  b: c\n", "1-2 rule a\n"),
        (b"a.css", "} a { b: c }\n", "1-1 rule a\n"),
        (b"a.css", "a { b: url(x; }\nc { d: e }\n", "1-1 rule a\n2-2 rule c\n"),
        (b"a.less", ".m(@a; @b) {\n  c: @a;\n}\n", "1-3 rule .m(@a; @b)\n"),
        (b"a.less", ".a {\n  .m(@x: 1; @b: 2);\n}\n@d: {\n  x: y;\n}\n", "1-3 rule .a\n4-6 variable @d\n"),
    ],
)
def test_dialects_and_broken_sheets(name: bytes, content: str, rows: str) -> None:
    """Variables, mixins, interpolation; what is not closed ends with the file, what is closed twice is passed over."""
    assert shown(made(content, name).entries) == rows


def test_a_remark_is_about_what_stands_before_it_in_its_line() -> None:
    """Only comments with lines of their own document what follows."""
    content = (
        "$a: 1px; // of a\n$b: 2px;\n// of c,\n// whole\n$c: 1;\n.d { /* of d */\n  --e: 1; /* of e */\n  --f: 2;\n}\n"
    )
    docs = {entry.title: entry.doc for entry in flat(made(content, b"a.scss").entries)}
    assert docs == {"$a": None, "$b": None, "$c": (3, 4), ".d": None, "--e": None, "--f": None}
