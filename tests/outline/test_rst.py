"""reStructuredText: which lines are titles, where sections end, what the blocks between are."""

import pytest

from budgeted_reads.outline import Outline
from budgeted_reads.outline.registry import outline
from budgeted_reads.text import decode
from outline.checks import check, flat, shown


def made(content: str) -> Outline:
    text = decode(content.encode())
    result = outline(text, b"a.rst")
    check(text, result)
    return result


def titles(content: str) -> list[tuple[int, str]]:
    return [(entry.level, entry.title) for entry in flat(made(content).entries) if entry.kind == "heading"]


def test_levels_follow_the_order_in_which_styles_appear() -> None:
    """A style is a mark, with or without a line above; a section ends before the next of its level or above."""
    content = "===\nTop\n===\n\nOne\n===\n\nx\n\nSub\n---\n\nTwo\n===\n"
    assert shown(made(content).entries) == (
        "1-14@2 heading Top\n  5-12 heading One\n    10-12 heading Sub\n  13-14 heading Two\n"
    )


@pytest.mark.parametrize(
    "lines",
    [
        "text\n\n----\n\ntext",
        "::\n\n   Not\n   ===",
        "+---+\n| a |\n+---+",
        "=== ===\na   b\n=== ===",
        "para\nstill para\n===",
        "   indented\n   ====",
        "----",
    ],
)
def test_what_only_looks_like_a_title_is_none(lines: str) -> None:
    """Transitions, literal blocks, tables and paragraphs open no section."""
    assert titles(f"{lines}\n") == []


@pytest.mark.parametrize(
    ("lines", "title"),
    [
        ("a *b* ``c``\n===========", (1, "a b c")),
        (":mod:`email` parts\n==================", (1, "email parts")),
        ("`text <url>`_ x\n===============", (1, "text x")),
        ("a\\_b\n=====", (1, "a_b")),
        ("名前です\n========", (1, "名前です")),
        ("``except*`` and ``|``\n=====================", (1, "except* and |")),
        ("``***kwargs*`` ``\\n``\n===================", (1, "***kwargs* \\n")),
        ("Py_UNICODE* to *args\n====================", (1, "Py_UNICODE* to *args")),
        ("2 * 3 | 4 **x\n=============", (1, "2 * 3 | 4 **x")),
        ("\\*args and a|b\n===============", (1, "*args and a|b")),
        ("**bold**, |name|\n================", (1, "bold, name")),
        ("Git_ and `two words`__\n======================", (1, "Git and two words")),
        ("__init__ and a_\\ b\n==================", (1, "__init__ and ab")),
        ("Notes [#ref]_ on [1]_\n=====================", (1, "Notes on")),
        ("See [Tide92]_\n=============", (1, "See Tide92")),
        (":class:`~a.b.Tide`\\ s\n=====================", (1, "Tides")),
        (":pep:`8` by `code <x>`:c:\n=========================", (1, "PEP 8 by code")),
    ],
)
def test_a_title_is_what_a_reader_says(lines: str, title: tuple[int, str]) -> None:
    """Inline markup and roles are no part of it."""
    assert titles(f"{lines}\n") == [title]


def test_blocks_have_exact_lines() -> None:
    """Paragraphs, items, literal blocks, directives and tables, without the blank lines around them."""
    content = (
        "T\n=\n\npara\nmore\n\n- one\n- two\n\n.. code::\n\n   x\n\n.. _t: u\n\n=== ===\na   b\n=== ===\n\n:k: v\n"
    )
    assert [(block.kind, block.start, block.end) for block in made(content).blocks] == [
        ("paragraph", 4, 5),
        ("item", 7, 7),
        ("item", 8, 8),
        ("fence", 10, 10),
        ("fence", 12, 12),
        ("links", 14, 14),
        ("table", 16, 18),
        ("meta", 20, 20),
    ]


def test_what_a_directive_describes_is_a_section() -> None:
    """By its name without arguments, nested as it is indented; its last line is the last one indented below it."""
    content = (
        "API\n===\n\n.. module:: tide\n\n.. py:class:: Tide(level)\n\n   It rises.\n\n"
        "   .. method:: rise(by, *, slow=False)\n\n      By so much.\n\nText.\n\n.. option:: -v, --verbose\n\n"
        "Next\n----\n\n.. autofunction:: fall\n"
    )
    assert shown(made(content).entries) == (
        "1-21 heading API\n  6-12 heading Tide\n    10-12 heading rise\n  16-16 heading -v, --verbose\n"
        "  18-21 heading Next\n    21-21 heading fall\n"
    )


@pytest.mark.parametrize(
    ("described", "name"),
    [
        ("c:function:: PyObject* PyList_New(Py_ssize_t len)", "PyList_New"),
        ("c:function:: void sort(void *base, int (*compare)(const void *))", "sort"),
        ("c:type:: int (*rise_cb)(tide_t *tide, int by)", "rise_cb"),
        ("c:member:: char tide_t.name[16]", "tide_t.name"),
        ("c:member:: char[MAX] tide_t.name", "tide_t.name"),
        ("c:macro:: MAX(a, b)", "MAX"),
        ("c:var:: const int level = 1", "level"),
        ("c:type:: unsigned tide_t", "tide_t"),
        ("cpp:function:: void ns::f(int a) const", "ns::f"),
        ("cpp:function:: template <typename T, std::vector<T> V> T Sea<T>::get(T a)", "Sea<T>::get"),
        ("cpp:function:: bool Sea::operator==(const Sea &other)", "Sea::operator=="),
        ("cpp:function:: int operator()(int a)", "operator()"),
        ("cpp:function:: virtual ~Sea()", "~Sea"),
        ("cpp:class:: ns::Sea : public Water", "ns::Sea"),
        ("py:function:: rise(by)", "rise"),
        ("option:: -v <level>", "-v <level>"),
        ("c:macro:: +", "+"),
    ],
)
def test_what_is_declared_has_its_name(described: str, name: str) -> None:
    """In C and C++ without type, arguments and what follows; the signature keeps the words of the source."""
    (entry,) = made(f".. {described}\n\n   words\n").entries
    assert (entry.title, entry.signature) == (name, f".. {described}")


def test_each_signature_of_a_directive_has_an_entry() -> None:
    """The further names stand inside the first, whose words are theirs; one that comes again is not repeated."""
    content = (
        ".. data:: AF_UNIX\n          AF_INET\n          AF_INET6\n\n   Words.\n\n"
        ".. function:: rise(by)\n              rise(by,\n                   to)\n   fall()\n   :option: x\n\n"
        "   .. method:: inner\n\n"
        ".. function:: last(x)\n   Some words.\n   more\n"
    )
    assert shown(made(content).entries) == (
        "1-5 heading AF_UNIX\n  2-2 heading AF_INET\n  3-5 heading AF_INET6\n"
        "7-13 heading rise\n  10-12 heading fall\n  13-13 heading inner\n15-17 heading last\n"
    )


@pytest.mark.parametrize(
    "lines",
    [
        ".. code-block:: rst\n\n   .. function:: rise()",
        ".. note:: words",
        ".. function::",
        ".. versionadded:: 2.0",
        "a .. function:: rise()",
        ".. automethods:: a",
    ],
)
def test_other_directives_and_examples_are_none(lines: str) -> None:
    """Only what stands at the margin, or inside of what is described."""
    assert titles(f"{lines}\n") == []


@pytest.mark.parametrize("opening", [".. class:: a\n", ".. class:: a\n\n ", "   .. class:: a\n", ".. function:: ("])
def test_hostile_directives_end(opening: str) -> None:
    """Twenty thousand give some sound outline."""
    made(opening * 20_000)
    made("".join(" " * depth + ".. class:: a\n" for depth in range(1000)))
    made(".. class:: a\n" + " " * 11 + f"\n{' ' * 11}".join(f"b{number}" for number in range(20_000)))


@pytest.mark.parametrize("mark", ["*a ", "`a ", "``a ", "|a ", ":a:`", "a_", "\\", "[#", "a<", "(*", "a::", "["])
def test_hostile_markup_ends(mark: str) -> None:
    """In titles, on one line and on many, and in what is declared."""
    made(f"{mark * 20_000}\n====\n")
    made(f"{mark * 100}\n====\n\n" * 300)
    made(f".. cpp:function:: template<{mark * 20_000}\n" + f".. cpp:function:: {mark * 100}\n" * 300)
