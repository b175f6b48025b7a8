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


PUT = [
    # (whether C++, what is read, what is put in place)
    (False, "typedef FOO_CALLBACK(int, *f, (int a));", "typedef              int  *f  (int a) ;"),
    (False, "typedef a * FOO_RESTRICT b;", "typedef a *              b;"),
    (False, "typedef const ULONG b; typedef struct FOOS c;", "typedef const ULONG b; typedef struct FOOS c;"),
    (False, "#if __has_include(<a>)\n", "#if _                 \n"),
    (False, "b = container_of(p, struct a, c.d);", "b = container_of(p               );"),
    (False, "b = offsetof(struct a, c.d);", "b = offsetof(struct a, c  );"),
    (False, 'f("%" PRIu64 " x");', 'f("%"        " x");'),
    (False, "int a = 128 KB;", "int a = 128   ;"),
    (False, "int a __attribute__((unused)) = 1;", "int a                         = 1;"),
    (False, "int *_Nullable a;", "int *          a;"),
    (False, "{ for_each(&a, b->c) d(); }", "{ if      (_       ) d(); }"),
    (False, "void f(int a UNUSED, int b);", "void f(int a       , int b);"),
    (False, "\nstatic foo_inline void f(int a)", "\nstatic            void f(int a)"),
    (False, "\nchar *foo_cdecl f(void)", "\nchar *          f(void)"),
    (False, "\nint f PROTO((int a));", "\nint f       (int a) ;"),
    (False, "\nint f(char *a, ...) foo_printf(1, 2);", "\nint f(char *a, ...)                 ;"),
    (False, "typedef int (FOO_API *f)(int);", "typedef int (        *f)(int);"),
    (False, "typedef int (FOO_APIP f)(int);", "typedef int (*        f)(int);"),
    (False, "\nTRY_ALL {", "\n        {"),
    (False, "\nFOO_PRIVATE:\n", "\n            \n"),
    (False, "\nDECLARE_ALL(int, a);", "\n                    "),
    (False, "\nEXPORT_IT(1, int, f, (int a));", "\n             int  f  (int a) ;"),
    (False, "A_LIST(, b)", "A_LIST(  b)"),
    (False, "A_LIST(a, )", "A_LIST(a  )"),
    (False, "A_LIST(a, /* b */)", "A_LIST(a  /* b */)"),
    (False, "{ FOO_IF (a == b) { } }", "{ if     (a == b) { } }"),
    (False, "\n#if A(b::c)\n", "\n#if _      \n"),
    (False, "\nstatic LIST_HEAD(a, b) c;", "\nstatic _______________ c;"),
    (False, "enum a {\n#define B(c) c,\n D };", "enum a {\n               \n D };"),
    (False, "void f(foo_const void *a);", "void f(          void *a);"),
    (False, "a = (foo_const b *)c;", "a = (          b *)c;"),
    (True, "a->operator==(b);", "a->__________(b);"),
    (True, "{ operator++(); }", "{ __________(); }"),
    (True, "T A::*m;", "T    *m;"),
    (True, "(a->*b)(c);", "(a-> b)(c);"),
    (True, "(a.*b)(c);", "(a. b)(c);"),
    (True, "void f(T * = nullptr);", "void f(T *          );"),
    (True, "f(T * = 0);", "f(T *    );"),
    (True, "template <class A = B (&)[C]>", "template <class A = B       >"),
    (True, "; template <class T> T f() = delete;", "; template <class T> T f()         ;"),
    (True, "enum : unsigned { A };", "enum            { A };"),
    (True, "enum class [[a]] B { C };", "enum class       B { C };"),
    (True, "\nextern template class A<B>;", "\n                class A<B>;"),
    (True, "using typename A::b;", "using          A::b;"),
    (True, "using a::b, a::c;", "using a::b      ;"),
    (True, "using a::b FOO_API;", "using a::b        ;"),
    (True, "using T::operator()...;", "using T::_____________;"),
    (True, "template <class A = B*>", "template <class A = B >"),
    (True, "a() -> decltype(b(), c());", "a() -> decltype(_       );"),
    (True, "f() noexcept(a<B>{}(c));", "f() noexcept(_        );"),
    (True, "\nexport int f();", "\n       int f();"),
    (True, "class A : public FOO_BASE(B) {", "class A : public ___________ {"),
    (True, "class A { };\nFOO_INLINE A() : b(1) {", "class A { };\n           A() : b(1) {"),
    (True, "void FOO_API operator=(A);", "void         operator=(A);"),
]


@pytest.mark.parametrize(("cpp", "source", "put"), PUT)
def test_each_gap_is_filled_as_its_rule_says(cpp: bool, source: str, put: str) -> None:
    """With blanks, names of low lines, or the sign that was in a macro; nothing else is touched."""
    made, whole = mended(source.encode(), ALL, cpp=cpp)
    assert made.decode() == put
    assert whole


@pytest.mark.parametrize("cpp", [False, True])
def test_plain_code_stays_as_it_is(cpp: bool) -> None:
    """Declarations, calls, casts and constants in capitals are no gaps."""
    source = (
        "static const unsigned long MOST = 1, LEAST = 2;\nstruct a *b(const char *c, FILE *d);\n"
        "#if defined(E) && E > 1\nULONG f(ULONG g);\n#endif\nint refs_for_each(int h)\n{\n"
        "\treturn (MOST) + g(LEAST, (long) h) ? 1 : sizeof(ULONG);\n}\n"
        "enum { ONE, TWO };\ntypedef int (*i)(int);\nint j[] = { ONE, TWO };\n"
    )
    assert mended(source.encode(), ALL, cpp=cpp) == (source.encode(), True)


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
