"""What is blanked of C, C++ and Rust before it is read: markers and branches, never what is defined."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgeted_reads.outline.languages.branches import one_branch
from budgeted_reads.outline.languages.macros import blanked
from budgeted_reads.outline.languages.rust import _unwrapped
from budgeted_reads.outline.registry import outline
from budgeted_reads.text import decode
from outline.checks import check, flat

WORDS = [
    *(
        "FOO_API",
        "FOO_API(x)",
        "__DEAD_END",
        "int",
        "const",
        "static ",
        "template<class T> ",
        "class ",
        "struct ",
        "enum ",
    ),
    *(
        "namespace a ",
        "name",
        "f(int x)",
        "f",
        "(",
        ")",
        "{",
        "}",
        ";",
        ",",
        "=",
        "\\",
        "\n",
        "\r\n",
        " ",
        "\t",
        "~",
        "#",
    ),
    *(
        "#if A",
        "#else",
        "#elif B",
        "#endif",
        "#if 0",
        "# ifdef X",
        "/* c */",
        "// c",
        '"s"',
        "a! {\n",
        "\n}",
        "fn g() {}",
    ),
]


@given(st.lists(st.sampled_from(WORDS), max_size=40).map("".join))
@pytest.mark.parametrize("made", [blanked, one_branch, _unwrapped])
def test_only_blanks_take_the_place_of_words(made: Callable[[bytes], bytes], words: str) -> None:
    """Every byte stays where it is or is a blank, and every line ends where it did."""
    source = words.encode()
    bare = made(source)
    assert len(bare) == len(source)
    assert all(new in (old, 32) for new, old in zip(bare, source, strict=True))
    assert bare.count(b"\n") == source.count(b"\n")


@given(st.lists(st.sampled_from(WORDS), max_size=40).map("".join), st.sampled_from([b"a.c", b"a.cpp", b"a.rs"]))
def test_any_mix_of_markers_has_a_sound_outline(words: str, path: bytes) -> None:
    """Whatever is blanked, ranges are in the text and in those of their parents."""
    text = decode(words.encode())
    check(text, outline(text, path))


KEPT = [
    ("enum e {\n    FIRST_ONE,\n    LAST_ONE\n};\n", {"e", "FIRST_ONE", "LAST_ONE"}),
    ("enum e {\n    FIRST_ONE,\n    LAST_ONE\n    /* no more */\n};\n", {"e", "FIRST_ONE", "LAST_ONE"}),
    ("#define TWICE_OF(x) \\\n    PLUS_OF(x,\\\n      x)\nint f(void);\n", {"TWICE_OF", "f"}),
    ("struct RECORD_OF rec;\nstatic struct RECORD_OF more;\n", {"rec", "more"}),
    ("ULONG size;\nUCHAR const table[] = {1};\nVALUE rb_f(int x);\n", {"size", "table", "rb_f"}),
    ("static int most = (int) INT_MOST;\nint next;\n", {"most", "next"}),
    ("int f(int a) {\n    return (long) LONG_MOST;\n}\n", {"f"}),
    ("int all = A_FLAG |\n    B_FLAG\n    ;\n", {"all"}),
]


@pytest.mark.parametrize(("source", "names"), KEPT)
def test_what_is_no_marker_stays(source: str, names: set[str]) -> None:
    """Enumerators, operands, types and casts in capitals are read, and such a text has no errors."""
    made = outline(decode(source.encode()), b"a.c")
    assert {entry.title for entry in flat(made.entries)} == names
    assert made.warnings == ()


def test_a_test_with_its_brace_on_the_next_line_stays() -> None:
    """`TEST_F(A, B)` before a brace is the head of a test."""
    made = outline(decode(b"TEST_F(Suite, Name)\n{\n    int a;\n}\n"), b"a.cpp")
    assert [(entry.title, entry.start, entry.end) for entry in made.entries] == [("Suite.Name", 1, 4)]


MARKED = [
    ("a.c", "LUA_API int lua_top(void);\n", [("lua_top", "function", "LUA_API int lua_top(void);")]),
    (
        "a.c",
        "YAML_DECLARE(const char *)\nversion(void);\n",
        [("version", "function", "YAML_DECLARE(const char *) version(void);")],
    ),
    (
        "a.c",
        "int f(void) NO_RETURN;\nint g(void)\n    LOCKED(a)\n{\n}\n",
        [("f", "function", None), ("g", "function", None)],
    ),
    (
        "a.cpp",
        "class FMT_API writer {\n  int at;\n};\n",
        [("writer", "class", "class FMT_API writer"), ("at", "field", "int at;")],
    ),
    (
        "a.cpp",
        "namespace a VISIBLE(default)\n{\nBEGIN_VERSION\nint f();\n}\n",
        [("a", "namespace", None), ("f", "function", "int f();")],
    ),
    (
        "a.cpp",
        "struct a {\n  Q_OBJECT\npublic:\n  virtual MY_API void f() MY_NOEXCEPT;\n};\n",
        [("a", "struct", None), ("f", "method", None)],
    ),
    ("a.cpp", "template <class T> MY_INLINE void f(T x) {}\n", [("f", "function", None)]),
]


@pytest.mark.parametrize(("path", "source", "expected"), MARKED)
def test_markers_hide_nothing(path: str, source: str, expected: list[tuple[str, str, str | None]]) -> None:
    """What they stand before is found, without errors; its signature has the words that were blanked in its line."""
    made = outline(decode(source.encode()), path.encode())
    assert made.warnings == ()
    entries = list(flat(made.entries))
    assert [(one.title, one.kind) for one in entries] == [(name, kind) for name, kind, _ in expected]
    for one, (_, _, signature) in zip(entries, expected, strict=True):
        assert signature is None or one.signature == signature


def test_one_branch_is_read_where_a_condition_breaks_a_class() -> None:
    """A head in two branches is one class, with its members and what follows; the text is still said to have errors."""
    source = (
        "namespace n {\n#if A\nclass a : public b {\n#else\nclass a : public c {\n#endif\n"
        " public:\n  void f();\n  int at;\n};\nvoid g();\n}\n"
    )
    made = outline(decode(source.encode()), b"a.cpp")
    entries = list(flat(made.entries))
    assert [(one.title, one.kind, one.start, one.end) for one in entries] == [
        ("n", "namespace", 1, 12),
        ("a", "class", 3, 10),
        ("f", "method", 8, 8),
        ("at", "field", 9, 9),
        ("g", "function", 11, 11),
    ]
    assert [one.code for one in made.warnings] == ["syntax_errors"]


def test_items_in_macros_are_read_where_they_stand() -> None:
    """Macros around items, also in each other, are no parts of the tree; other macros stay as they are."""
    source = (
        "cfg_rt! {\n    pub fn a() {}\n\n    cfg_net! {\n        struct B { c: u8 }\n    }\n}\n\n"
        "thread_local! {\n    static D: u8 = 1;\n}\n\nfn e() {\n    select! {\n        _ = a() => {}\n    }\n}\n"
    )
    made = outline(decode(source.encode()), b"a.rs")
    assert made.warnings == ()
    assert [(one.title, one.start) for one in flat(made.entries)] == [("a", 2), ("B", 5), ("c", 5), ("e", 13)]


ANNOTATED = [
    ("a.c", "static int __init setup(void)\n{\n}\nvoid __noreturn stop(void);\n", ["setup", "stop"]),
    ("a.c", "struct a {\n\tvoid __user *p;\n\tu32 x __packed;\n} __aligned(8);\n", ["a", "p", "x"]),
    ("a.c", "int f(void) __must_check;\nstatic struct drv d __refdata = {\n\t.x = 1,\n};\n", ["f", "d"]),
    ("a.c", "SYSCALL_DEFINE2(read, unsigned int, fd,\n\t\tchar __user *, at)\n{\n}\n", ["read"]),
    ("a.c", "#define __init __section(a)\n#define for_all(x) \\\n\t/* all */ \\\n\tfor (;;)\nint after;\n", None),
    ("a.c", '#ifdef __cplusplus\nextern "C" {\n#endif\nint f(void);\n#ifdef __cplusplus\n}\n#endif\n', ["f"]),
    ("a.c", "int WINAPI f(PCSTR a);\nstatic DWORD (WINAPI * g)(DWORD) = NULL;\n", ["f", "g"]),
    (
        "a.cu",
        "__global__ void f(const float *__restrict__ a) {\n  __shared__ float b[4];\n}\n"
        "__device__ __forceinline__ int g(int c) {\n  f<<<1, 2>>>(c);\n}\n",
        ["f", "g"],
    ),
    ("a.c", "void f(va_list all)\n{\n\tchar *a = va_arg(all, char *);\n}\n", ["f"]),
    (
        "a.cpp",
        "#include <QObject>\nclass a {\n  Q_OBJECT\nsignals:\n  void b();\npublic slots:\n  void c();\n};\n",
        ["a", "b", "c"],
    ),
    ("a.cpp", "#include <QObject>\nvoid f() {\n  emit b(1);\n}\n", ["f"]),
    ("a.cpp", "class a {\n  explicit a(const T &b = {}, U c = {}) noexcept;\n};\nint d = {};\n", ["a", "a", "d"]),
    ("a.cpp", "class a {\n  int at_ GUARDED_BY(lock_);\n  int next_;\n};\n", ["a", "at_", "next_"]),
]


@pytest.mark.parametrize(("path", "source", "names"), ANNOTATED)
def test_what_well_known_code_bases_write_is_understood(path: str, source: str, names: list[str] | None) -> None:
    """Annotations of Linux, Windows, Qt and of thread safety hide nothing, are no names, and are no errors."""
    made = outline(decode(source.encode()), path.encode())
    assert [one.title for one in flat(made.entries)] == (names or ["__init", "for_all", "after"])
    assert made.warnings == ()


def test_the_longest_branch_is_the_one_that_is_kept() -> None:
    """Of equals the first; of `#if 0` the other; in a branch that goes, all go; lines and bytes stay."""
    source = "#if A\nint a;\n#elif B\nint b1;\n#if C\nint b2;\n#else\nint b3;\n#endif\n#else\nint c;\n#endif\nint d;\n"
    kept = one_branch(source.encode()).decode()
    assert kept.split() == ["int", "b1;", "int", "b2;", "int", "d;"]
    assert [line for line in kept.split("\n") if line.strip()] == ["int b1;", "int b2;", "int d;"]
    assert one_branch(b"#if 0\nint long_one;\n#else\nint a;\n#endif\n").split() == [b"int", b"a;"]
    assert one_branch(b"#ifdef A\nint a;\n").split() == [b"int", b"a;"]
    assert one_branch(b"#if 0\nint a;\n#endif\n").split() == []


def test_all_in_an_else_branch_is_found_though_the_condition_is_not_understood() -> None:
    """A page of declarations behind `#else`, as libraries of one header have it, stands in its namespace; so does what
    is before `#else`."""
    source = (
        "#if HAS_IT\n#include <it>\nnamespace n { using std::it; }\n#else\nnamespace n {\n#if A\nclass a : b {\n#else\n"
        "class a : c {\n#endif\n  void f();\n};\nvoid g();\n}\n#endif\n"
    )
    entries = outline(decode(source.encode()), b"a.hpp").entries
    assert [(one.title, [two.title for two in one.children]) for one in entries] == [("n", []), ("n", ["a", "g"])]


@pytest.mark.parametrize(
    "unit", ["__has_include(<", "#if A\n#else\n", "class a ", " __aligned(a", "FOO_API ", "a! {\n", "(WINAPI "]
)
def test_no_unit_that_repeats_hangs_a_pattern(unit: str) -> None:
    """Hundreds of kilobytes of one unit come back as long as they were; work by the square would hang here."""
    for made in (blanked, one_branch, _unwrapped):
        source = (unit * 40_000).encode()
        assert len(made(source)) == len(source)
