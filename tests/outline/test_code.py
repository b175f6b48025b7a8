"""Code in every language: one real-looking file each, with the entries that a reader expects, as data."""

from pathlib import Path

import pytest

from budgeted_reads.outline import Outline
from budgeted_reads.outline.formats import FORMATS, Format
from budgeted_reads.outline.grammar import language
from budgeted_reads.outline.plans import plans
from budgeted_reads.outline.registry import maker, outline
from budgeted_reads.text import decode
from outline.checks import check, flat, shown

FIXTURES = sorted(path for path in (Path(__file__).parent / "fixtures").glob("*/*") if path.suffix != ".expected")
LANGUAGES = [form.name for form in FORMATS if form.module == "code"]


def made(path: Path) -> Outline:
    text = decode(path.read_bytes())
    result = outline(text, bytes(path))
    check(text, result)
    return result


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.name)
def test_a_file_has_the_entries_that_a_reader_expects(path: Path) -> None:
    """Kind, name, owner and exact lines of every entry, as written down beside the file."""
    result = made(path)
    assert result.format == path.parent.name
    assert result.warnings == ()
    assert shown(result.entries) == path.with_suffix(".expected").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", LANGUAGES)
def test_every_table_fits_its_grammar(name: str) -> None:
    """Each node type of a table exists in the installed grammar, and each language has a fixture (Python has `ast`)."""
    assert language(name).node_kind_count > 0
    assert plans(name).contexts["top"]
    assert name == "python" or any(path.parent.name == name for path in FIXTURES)


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.name)
@pytest.mark.parametrize("cut", [3, 5, 8])
def test_a_truncated_file_keeps_what_comes_before(path: Path, cut: int) -> None:
    """Half a file gives a sound outline."""
    raw = path.read_bytes()
    text = decode(raw[: len(raw) * cut // 9])
    check(text, outline(text, bytes(path)))


@pytest.mark.parametrize(
    ("name", "content", "signatures"),
    [
        (b"a.ts", "@a()\nexport default abstract class A<T> {\n}\n", ["export default abstract class A<T>"]),
        (b"a.go", "type A struct {\n}\n", ["type A struct"]),
        (
            b"a.rs",
            "#[a]\npub(crate) fn f<T>(\n    x: T, // x\n) -> T\nwhere T: B\n{\n}\n",
            ["pub(crate) fn f<T>( x: T, // x ) -> T where T: B"],
        ),
        (b"a.rs", "struct P(u8, u16);\n", ["struct P(u8, u16);"]),
        (b"A.java", "@A public class B {\n}\n", ["public class B"]),
        (b"a.c", "static int\nf(int a)\n{\n}\n", ["static int f(int a)"]),
        (b"a.cpp", "template <class T>\nC<T>::C(int a)\n    : a_(a) {\n}\n", ["template <class T> C<T>::C(int a)"]),
        (b"a.js", "const f = async (a) => {\n};\n", ["const f = async (a) =>"]),
        (b"a.sh", "f() {\n  :\n}\n", ["f()"]),
        (b"a.cs", "[A]\npublic class B<T> : C\n    where T : D\n{\n}\n", ["public class B<T> : C where T : D"]),
        (b"a.rb", "def self.f(a, b: 1)\n  a\nend\n", ["def self.f(a, b: 1)"]),
        (b"a.php", "<?php\n#[A]\nfinal class B extends C\n{\n}\n", ["final class B extends C"]),
        (b"a.kt", "@A\nsuspend fun <T> f(\n    a: T,\n): T {\n}\n", ["suspend fun <T> f( a: T, ): T"]),
        (b"a.swift", "@A public func f(a: B) throws -> C {\n}\n", ["public func f(a: B) throws -> C"]),
        (b"a.sql", "CREATE TABLE a (\n  b int\n);\n", ["CREATE TABLE a"]),
        (b"a.scss", "a,\nb > c {\n  d: e;\n}\n", ["a, b > c"]),
        (b"a.dart", "int f(int a) async {\n}\n", ["int f(int a)"]),
        (b"a.hs", "f :: Int -> Int\nf 0 = 1\nf n = n\n", ["f :: Int -> Int"]),
        (b"a.zig", "pub const A = struct {\n};\n", ["pub const A = struct"]),
    ],
)
def test_a_signature_is_the_words_before_the_body(name: bytes, content: str, signatures: list[str]) -> None:
    """On one line, with `export` and modifiers, without annotations, opening marks and initialisers."""
    assert [entry.signature for entry in outline(decode(content.encode()), name).entries] == signatures


@pytest.mark.parametrize(
    ("name", "content", "doc"),
    [
        (b"a.go", "// one\n\n// two\n// three\nfunc f() {}\n", (3, 4)),
        (b"a.js", "/**\n * one\n */\nexport function f() {}\n", (1, 3)),
        (b"a.js", "a(); // no\nfunction f() {}\n", None),
        (b"a.rs", "/// one\n/// two\n#[x]\nfn f() {}\n", (1, 2)),
        (b"a.c", "/* licence */\n\nint f(void) {}\n", None),
        (b"A.java", "/** one */\n@A\nclass B {}\n", (1, 1)),
    ],
)
def test_comments_directly_above_are_the_doc(name: bytes, content: str, doc: tuple[int, int] | None) -> None:
    """A blank line parts them; a comment after code is about that code. They are outside the range of the entry."""
    entry = outline(decode(content.encode()), name).entries[0]
    assert entry.doc == doc
    assert doc is None or entry.start > doc[1]


@pytest.mark.parametrize("form", [form for form in FORMATS if form.language], ids=lambda form: form.name)
@pytest.mark.parametrize(
    "opening", ["(", "{", "[", "<", "class A {", "fn f() {", "/*", '"', "namespace a {", "#if A\n"]
)
def test_hostile_marks_end(form: Format, opening: str) -> None:
    """Eight hundred times the same mark gives a sound outline, in every language."""
    text = decode((opening * 800).encode())
    check(text, maker(form)(text, form))


def test_methods_of_one_name_are_told_apart_by_their_owner() -> None:
    """What stands outside of its type says which type it belongs to; the title stays the bare name."""
    content = "type A struct{}\nfunc (a *A) Moor() {}\nfunc (b B[T]) Moor() {}\n"
    found = [(entry.title, entry.owner) for entry in flat(outline(decode(content.encode()), b"a.go").entries)]
    assert found == [("A", ""), ("Moor", "A"), ("Moor", "B")]


def test_macros_of_c_and_cpp_do_not_hide_what_they_mark() -> None:
    """Words in capitals that open namespaces or mark classes and functions; lines and signatures stay the source's."""
    content = (
        "FMT_BEGIN_NAMESPACE\nclass FMT_API writer {\n  FMT_NODISCARD int size() const { return 1; }\n};\nFMT_END\n"
    )
    result = outline(decode(content.encode()), b"a.hpp")
    assert shown(result.entries) == "2-4 class writer\n  3-3 method size\n"
    assert result.entries[0].signature == "class FMT_API writer"


def test_macros_of_a_standard_library_do_not_hide_what_they_mark() -> None:
    """So do those that begin with underscores, as the headers of compilers have them."""
    content = (
        "namespace sea _SEA_VISIBILITY(default)\n{\n_SEA_BEGIN_NAMESPACE_VERSION\n  namespace __detail\n  {\n"
        "    template<typename _Tp>\n      class __berth\n      {\n\ttypedef _Tp value_type;\n\t_SEA20_CONSTEXPR\n"
        "\tint\n\tsize() const _SEA_NOEXCEPT\n\t{ return 1; }\n      };\n  }\n_SEA_END_NAMESPACE_VERSION\n}\n"
    )
    found = [(entry.kind, entry.title) for entry in flat(outline(decode(content.encode()), b"a.hpp").entries)]
    assert found == [
        ("namespace", "sea"),
        ("namespace", "__detail"),
        ("class", "__berth"),
        ("type", "value_type"),
        ("method", "size"),
    ]


def test_a_header_is_read_as_what_it_holds() -> None:
    """A `.h` with classes or namespaces is C++."""
    assert outline(decode(b"namespace a {\nint f();\n}\n"), b"a.h").format == "cpp"
    assert outline(decode(b"int f(void);\n"), b"a.h").format == "c"


def test_functions_in_functions_of_javascript_are_found_however_they_are_written() -> None:
    """What is assigned, named, a member or a test counts, on one line or several; what a call is given has no name."""
    source = """function all() {
  const a =
    async(x) => x;
  const b =
    function (x) { return x; };
  run(function named() {});
  run(function () { function inner() {} });
  run((x) => { const c = () => x; });
  later(
    () => {
      class D { e() {} }
    }
  );
  use({ f() {}, g: (x) => x, h: function () {} });
  use({
    async i() {},
    get j() { return 1; },
  });
  it("k", () => {});
  it(
    "l",
    async () => {}
  );
  if (all) { other(); }
  exports.m = 1;
  run(function () {});
}
"""
    names = {entry.title for entry in flat(outline(decode(source.encode()), b"a.js").entries)}
    assert names == {"all", *"abcDefghijklm", "named", "inner"}


@pytest.mark.parametrize("path", [b"a.ts", b"a.tsx"])
def test_types_that_are_all_exported_on_are_no_errors(path: bytes) -> None:
    """`export type * from` is read, and what follows stands where it did."""
    made = outline(decode(b"export type * from './a';\nexport type * as b from './b';\nexport const c = 1;\n"), path)
    assert made.warnings == ()
    assert [(entry.title, entry.start) for entry in made.entries] == [("c", 3)]


def test_letters_of_all_planes_do_not_crash_the_grammar_of_shells() -> None:
    """Names and values in any script are read, and stand under their own letters."""
    source = "".join(f"f_{at}() {{\n  echo \U000e3850{{\U0010ffff\u00de\u20ac $(({at}))\n}}\n" for at in range(300))
    made = outline(decode((source + "NAME='\u6f22\u5b57'\n\u00e9t\u00e9() { :; }\n").encode()), b"a.sh")
    assert [entry.title for entry in made.entries] == [*(f"f_{at}" for at in range(300)), "NAME", "\u00e9t\u00e9"]


@pytest.mark.parametrize(
    ("content", "doc"),
    [
        ("/* a */ /* b */\n\nfn f() {}\n", None),
        ("/* a */ /* b */\n\n// c\nfn f() {}\n", (3, 3)),
        ("/* a */ /* b */\n  \n// c\nfn f() {}\n", (3, 3)),
        ("/// a\n/// b\nfn f() {}\n", (1, 2)),
        ("/* a\n   b */ // c\nfn f() {}\n", (1, 2)),
    ],
)
def test_a_blank_line_parts_comments_from_what_follows(content: str, doc: tuple[int, int] | None) -> None:
    """However many comments share a line, only those up to the line before are the doc."""
    (entry,) = outline(decode(content.encode()), b"a.rs").entries
    assert entry.doc == doc


def test_a_title_loses_only_the_quotes_around_it() -> None:
    """Those that it ends with are a part of it."""
    made = outline(decode(b"enum A {\n  'say \"a\"' = 1,\n  \"'b'\" = 2,\n}\n"), b"a.ts")
    assert [entry.title for entry in made.entries[0].children] == ['say "a"', "'b'"]
