"""What the grammars of C and C++ do not know: it hides nothing, and every line stays where it is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgeted_reads.outline.languages.branches import one_branch, whole_branches
from budgeted_reads.outline.languages.gaps import mended
from budgeted_reads.outline.registry import outline
from budgeted_reads.text import decode
from outline.checks import check, flat

PIECES = [
    *("int ", "void ", "foo_api ", "FOO_API ", "FOO(a, b) ", "struct ", "enum ", "class ", "template ", "typename "),
    *("using ", "operator", "operator==", "a::b", "::*", "->*", "->", ".", "name", "f", "(", ")", "((", "))", "{", "}"),
    *("<", ">", "[[a]] ", ";", ",", "=", "= 0", "= nullptr", "= delete", ":", "*", "&", "...", '"title"', "'c'", "\\"),
    *(
        "for_each",
        "EACH",
        "MOCK_METHOD(",
        "TEST_CASE(",
        "noexcept(",
        "decltype(",
        "offsetof(",
        "__attribute__((",
        "1, 2",
    ),
    *("#if A", "#elif b::c", "#else", "#endif", "#define X(a) ", "#include <x>", "// c", "/* c */", "\n", "\r\n", " "),
]
ALL = [(0, 10**9)]
CODE = st.lists(st.sampled_from(PIECES), max_size=50).map("".join)


@given(CODE, st.booleans())
def test_every_line_and_byte_keeps_its_place(code: str, cpp: bool) -> None:
    """What is put in place is as long as what was there, and has its line ends where they were."""
    source = code.encode()
    made, whole = mended(source, ALL, cpp=cpp)
    assert [len(line) for line in made.split(b"\n")] == [len(line) for line in source.split(b"\n")]
    assert whole == (whole_branches(source, ALL) == source)


@given(CODE, st.sampled_from([b"a.c", b"a.cpp"]))
def test_any_mix_has_a_sound_outline(code: str, path: bytes) -> None:
    """Whatever is put in place, ranges are in the text and in those of their parents."""
    text = decode(code.encode())
    check(text, outline(text, path))


FILLED = [
    # (path, source, what is found); all without an error
    ("a.cpp", 'TEST_CASE("adds two", "[sum]") {\n  int a;\n}\nint f();\n', ["adds two", "f"]),
    ("a.cpp", "struct A {\n  static B *C::*get(D *);\n  int x;\n  E * f(E * = nullptr);\n};\n", ["A", "get", "x", "f"]),
    ("a.cpp", "struct A {\n  int x FOO_ALIGNED = 1;\n  void f(int a FOO_UNUSED) {}\n};\n", ["A", "x", "f"]),
    ("a.cpp", "class A {\n  FOO_INLINE A() : a_(1) {}\n  int a_;\n};\n", ["A", "A", "a_"]),
    (
        "a.cpp",
        "class FOO_API [[nodiscard]] A {\n  FOO_INLINE explicit A(int a)\n      : a_(a) {}\n  int a_;\n};\n",
        ["A", "A", "a_"],
    ),
    (
        "a.cpp",
        "struct A {\n  template <class T>\n  void f(T) = delete;\n  int x;\n};\nenum : unsigned { B = 1 };\n",
        None,
    ),
    ("a.cpp", "namespace a {\nextern template class B<C>;\ntemplate class B<D>;\nint x;\n}\n", ["a", "x"]),
    ("a.cpp", "struct A : B {\n  using typename B::c;\n  using B::d, B::e;\n  int x;\n};\n", ["A", "x"]),
    (
        "a.cpp",
        "template <typename A, typename B = C<A>&&>\nstruct D {\n"
        "  auto f(A a) noexcept(typename A::b{}(a)) -> decltype(g(), h());\n};\n",
        ["D", "f"],
    ),
    (
        "a.cpp",
        "class A : public B {\n public:\n  MOCK_METHOD(void, open, (int a, char *b), (override));\n"
        "  MOCK_METHOD((std::map<int, int>), all, ());\n};\n",
        ["A", "open", "all"],
    ),
    ("a.cpp", 'enum class A {\n#define ONE(a) a,\n#include "all.def"\n};\nint x;\n', ["A", "x"]),
    ("a.cpp", "TYPED_TEST_SUITE(A, int);\nINSTANTIATE_ALL(, B, c());\nstruct D { int x; };\n", ["D", "x"]),
    ("a.cpp", "namespace a {\n#if HAS_IT(b::c) || \\\n    defined(D)\nint x;\n#endif\n}\n", ["a", "x"]),
    ("a.c", "static foo_inline void\nf(int a)\n{\n}\nfoo_atomic int x;\nint FOO_CALL g(int a);\n", ["f", "x", "g"]),
    ("a.c", "char * foo_cdecl\nf(void)\n{\n}\nFOO_PUBLIC int FOO_CALL\n\tg (int a);\n", ["f", "g"]),
    (
        "a.c",
        "struct a {\n\tLIST_HEAD(, b) all;\n\tint x;\n};\nint f PROTO((int a, char *b));\n",
        ["a", "all", "x", "f"],
    ),
    ("a.c", "typedef int (FOO_APIP f) (int a, char *b);\nint x;\n", ["f", "x"]),
    ("a.c", "void log_it(const char *a, ...) foo_printf(1, 2);\nint x;\n", ["log_it", "x"]),
    (
        "a.c",
        "#define LONG_TIME (100 /* ms */)\n#define TWICE(x) \\\n\t/* all */ \\\n\tf(x)\nint x;\n",
        ["LONG_TIME", "TWICE", "x"],
    ),
    (
        "a.c",
        "struct a {\n\tsize_t b;\n} c = { offsetof(struct d, e.f) };\nint x(foo_const void *y);\n",
        ["a", "b", "x"],
    ),
]


@pytest.mark.parametrize(("path", "source", "names"), FILLED)
def test_what_a_grammar_does_not_know_hides_nothing(path: str, source: str, names: list[str] | None) -> None:
    """Everything around it is found, and it is no error."""
    made = outline(decode(source.encode()), path.encode())
    assert [one.title for one in flat(made.entries)] == (names or ["A", "f", "x", "", "B"])
    assert made.warnings == ()


def test_tests_and_their_parts_are_found_by_their_titles() -> None:
    """Of Catch2 and doctest, also in loops, with what a reader expects of a test; types inside are found as well."""
    source = (
        'TEST_CASE("a (1/2) \\"b\\"", "[c]") {\n  struct D { int e; };\n  SECTION("f") { CHECK(g()); }\n'
        '  for (int i : h) {\n    SECTION("i") {\n      g();\n    }\n  }\n}\n'
        "TEST_F(Suite, Name) {\n  enum E { J };\n}\n"
    )
    made = outline(decode(source.encode()), b"a.cpp")
    assert [(one.title, one.kind, one.start, one.end, one.level) for one in flat(made.entries)] == [
        ('a (1/2) \\"b\\"', "test", 1, 9, 1),
        ("D", "struct", 2, 2, 2),
        ("e", "field", 2, 2, 3),
        ("f", "test", 3, 3, 2),
        ("i", "test", 5, 7, 2),
        ("Suite.Name", "test", 10, 12, 1),
        ("E", "enum", 11, 11, 2),
        ("J", "enum_member", 11, 11, 3),
    ]
    assert made.entries[0].signature == 'TEST_CASE("a (1/2) \\"b\\"", "[c]")'


def test_what_a_macro_heads_is_called_by_what_it_is_given() -> None:
    """Tests by suite and name, others by their first name; a constructor in capitals is itself."""
    source = (
        'TYPED_TEST(A, B) {}\nSTART_TEST(c)\n{\n}\nBENCHMARK_F(D, E)(State& s) {}\nMATCHER_P(F, g, "") { return g; }\n'
        "SYSCALL_DEFINE2(h, int, i, char *, j)\n{\n}\nstruct URLS {\n  URLS(A) {}\n};\n"
    )
    made = outline(decode(source.encode()), b"a.cpp")
    assert [(one.title, one.kind) for one in flat(made.entries)] == [
        ("A.B", "test"),
        ("c", "test"),
        ("D.E", "test"),
        ("F", "function"),
        ("h", "function"),
        ("URLS", "struct"),
        ("URLS", "method"),
    ]
    assert made.warnings == ()


def test_a_macro_with_one_name_heads_a_test_in_c() -> None:
    """`START_TEST(name)` is the test of that name."""
    made = outline(decode(b"START_TEST(a)\n{\n  b();\n}\nEND_TEST\nint c(void) {}\n"), b"a.c")
    assert [(one.title, one.kind, one.start, one.end) for one in made.entries] == [
        ("a", "test", 1, 4),
        ("c", "function", 6, 6),
    ]


def test_what_opens_in_two_branches_is_closed_once() -> None:
    """The longer branch is read, whole ones both; that a branch is left out is said."""
    source = (
        "int f(void) {\n#if A\n  if (a) {\n#else\n  if (b && c) {\n#endif\n  }\n}\n"
        "#if D\nint x;\n#else\nint y;\n#endif\nint g;\n"
    )
    kept = " ".join(whole_branches(source.encode(), ALL).decode().split())
    assert kept == "int f(void) { if (b && c) { } } #if D int x; #else int y; #endif int g;"
    made = outline(decode(("} }\n" + source).encode()), b"a.c")
    assert [one.title for one in flat(made.entries)] == ["f", "x", "y", "g"]
    assert [one.code for one in made.warnings] == ["syntax_errors"]


@pytest.mark.parametrize(
    "unit",
    [
        *(
            "enum ",
            "enum {",
            "using a ",
            "template class ",
            "for_each(",
            "for_each(a) ",
            "MOCK_METHOD(a, b, (",
            "((",
            "A(",
        ),
        *(
            'TEST("a"',
            "decltype(a(",
            "#if a::b \\\n",
            "\nFOO int ",
            "operator",
            "a::*",
            "typename a ",
            '}\nFOO_B("',
            "#if A\n{\n",
        ),
    ],
)
def test_no_unit_that_repeats_hangs(unit: str) -> None:
    """Hundreds of kilobytes of one unit come back as long as they were; work by the square would hang here."""
    source = (unit * 30_000).encode()
    for made in (
        mended(source, ALL, cpp=True)[0],
        mended(source, ALL, cpp=False)[0],
        whole_branches(source, ALL),
        one_branch(source),
    ):
        assert len(made) == len(source)
