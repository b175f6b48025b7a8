"""JavaScript, TypeScript, Svelte: what wraps a file, members of objects, tests, patterns, exports, gaps of grammars."""

import pytest

from budgeted_reads.outline.registry import outline
from budgeted_reads.text import decode
from outline.checks import check, shown


def rows(content: str, path: bytes = b"a.js", warnings: tuple[str, ...] = ()) -> str:
    text = decode(content.encode())
    made = outline(text, path)
    check(text, made)
    assert tuple(warned.code for warned in made.warnings) == warnings
    return shown(made.entries)


@pytest.mark.parametrize(
    ("path", "content", "expected"),
    [
        (
            b"a.jsx",
            'export const Bar = () => <span class="bar" for={x}>x?a=1&b=2</span>;\n\nexport function Last() {\n}\n',
            "1-1 function Bar\n3-4 function Last\n",
        ),
        (
            b"a.js",
            'it(\'has <b class="c">\', () => {\n  draw(<b class="c" />);\n});\nfunction last() {}\n',
            '1-3 test has <b class="c">\n4-4 function last\n',
        ),
        (
            b"a.ts",
            "export type A = import(\"x\").Y<string>;\nfunction f(a: import('x').Y<A>) {\n}\n",
            "1-1 type A\n2-3 function f\n",
        ),
        (b"a.ts", "interface A {\n  a: B\n  in_b: C\n}\n", "1-4 interface A\n  2-2 field a\n  3-3 field in_b\n"),
        (
            b"a.ts",
            "enum A {\n  'a-b',\n  C,\n  'd' = 1,\n}\n",
            "1-5 enum A\n  2-2 enum_member a-b\n  3-3 enum_member C\n  4-4 enum_member d\n",
        ),
    ],
)
def test_what_the_grammars_do_not_know_hides_nothing(path: bytes, content: str, expected: str) -> None:
    """It is read without a warning, and titles are those of the source."""
    assert rows(content, path) == expected
