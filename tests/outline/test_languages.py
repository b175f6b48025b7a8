"""What the grammars of single languages make hard: heads over several lines, words that they do not know, comments."""

import pytest

from budgeted_reads.outline.registry import outline
from budgeted_reads.text import decode
from outline.checks import check, flat, shown


@pytest.mark.parametrize(
    ("name", "content", "signature"),
    [
        (b"a.kt", "interface A {\n  fun f(\n    a: B, // c\n  ): D // e\n\n  fun g()\n}\n", "fun f( a: B, // c ): D"),
        (b"a.kt", "class A(\n  val b: C,\n) : D(b)\nval e = 1\n", "class A( val b: C, ) : D(b)"),
        (b"a.kt", "class A(\n  val b: C,\n)\n", "class A( val b: C, )"),
        (b"a.java", "class A {\n  B c = new D<>(\n      1);\n  B e = new D<>();\n}\n", "B e = new D<>();"),
        (b"a.rs", "struct A(\n    u8,\n    u16,\n);\n", "struct A( u8, u16, );"),
        (b"a.rb", "A = Struct.new(\n  :b,\n  :c\n)\n", "A = Struct.new( :b, :c )"),
        (b"a.swift", "protocol A {\n  func f(\n    a: B\n  ) throws -> C\n}\n", "func f( a: B ) throws -> C"),
        (b"a.scala", "trait A {\n  def f(\n      a: B\n  ): C\n}\n", "def f( a: B ): C"),
        (b"a.scala", "object A {\n  def f: B = new B {\n    def g = 1\n  }\n}\n", "def f: B = new B"),
        (b"a.dart", "class A {\n  void f(\n    int a,\n  );\n}\n", "void f( int a, )"),
        (b"a.zig", "extern fn f(\n    a: u8,\n) void;\nconst b = 1;\n", "extern fn f( a: u8, ) void;"),
        (b"a.graphql", "type A {\n  f(\n    b: C\n  ): D\n}\n", "f( b: C ): D"),
        (b"a.hs", "data A\n  = B\n  | C\n", "data A"),
        (b"a.hs", "f\n  :: A\n  -> B\n-- c\nf = d\n", "f :: A -> B"),
        (b"a.jl", "f(a;\n  b=1) = a\n", "f(a; b=1)"),
        (b"a.ex", "defmodule A do\n  @callback f(\n    a\n  ) :: b\n  def c, do: 1\nend\n", "@callback f( a ) :: b"),
        (b"a.lua", "a.b = c.d(function() end)\n", "a.b = c.d"),
    ],
)
def test_a_head_over_several_lines_is_the_whole_signature(name: bytes, content: str, signature: str) -> None:
    """Also where no body follows it."""
    result = outline(decode(content.encode()), name)
    assert signature in [entry.signature for entry in flat(result.entries)]


@pytest.mark.parametrize(
    ("name", "content", "entries"),
    [
        # Lambdas that suspend, references to what may be null, names that are words elsewhere, conditions of branches.
        (
            b"a.kt",
            'class A {\n  fun f() = g(suspend { h(B?::c) })\n  fun i() = when (j) {\n    is K if j.l -> $$"m"\n'
            "    else -> n\n  }\n}\n\nclass O(suspend: P) {\n  fun q() {\n    r(suspend = false)\n  }\n}\n",
            "1-7 class A\n  2-2 method f\n  3-6 method i\n9-13 class O\n  10-12 method q\n",
        ),
        # Modifiers of a constructor on their own line, an annotation of an accessor, what a function is called in.
        (
            b"a.kt",
            "class A\ninternal actual constructor(val b: C) {\n  var d: E\n    get() = f\n    @G(1) // h\n"
            "    set(i) { j(i) }\n  fun k() {}\n}\n\ncontext(l: M)\nfun n() {}\n",
            "1-8 class A\n  3-6 field d\n  7-7 method k\n11-11 function n\n",
        ),
        # Notes to the compiler, a default with a condition, two heads of one body.
        (
            b"a.swift",
            'struct A {\n  #warning("b")\n  func c() {}\n}\nprotocol D {\n  associatedtype E: F = G where G.H == I\n'
            "  func j()\n}\n#if K\nstruct L {\n#else\nstruct L: M {\n#endif\n  func n() {}\n}\n",
            "1-4 struct A\n  3-3 method c\n5-8 protocol D\n  6-6 type E\n  7-7 method j\n10-15 struct L\n"
            "  14-14 method n\n",
        ),
        # A body that looks like a lambda behind what a class delegates to; property delegates have lambdas.
        (
            b"a.kt",
            "class A(b: B) :\n  C by b {\n  companion object {\n    val d = 1\n  }\n  val e: F by lazy { 1 }\n}\n",
            "1-7 class A\n  3-5 object Companion\n    4-4 field d\n  6-6 field e\n",
        ),
        # Annotations on lines of their own, which make an expression of a declaration to the grammar.
        (
            b"a.kt",
            "@A\n@B\nprivate fun C() {\n  D()\n}\n\n@E(1)\n@F\nopen class G {\n  fun h() {\n  }\n}\n\n"
            "@I\nannotation class J\n\n@K\ndata object L\n\nfun m() {\n}\n",
            "1-5@3 function C\n7-12@9 class G\n  10-11 method h\n14-15@15 annotation J\n17-18@18 object L\n"
            "20-21 function m\n",
        ),
        # Calls that look like accessors behind a local value.
        (
            b"a.kt",
            'fun a() {\n  val b by c<D>()\n  get("/e") {\n    f()\n  }\n  val g = 1\n  get { }\n}\n\nclass H {\n'
            "  var i: Int = 1\n    get() = field\n    set(value) { field = value }\n}\n",
            "1-8 function a\n10-14 class H\n  11-13 field i\n",
        ),
        # A build script: blocks, and those inside of them.
        (
            b"a.kts",
            'plugins {\n  id("a")\n}\nval b = 1\ntasks.register<C>("d") {\n  doLast { e { } }\n}\nimport f.G\nh()\n',
            "1-3 instruction plugins\n4-4 variable b\n5-7 instruction tasks.register d\n  6-6 instruction doLast\n",
        ),
        # Tests in the block that a class is given.
        (
            b"a.kt",
            'class A : FunSpec({\n  test("b") {\n    c()\n  }\n  d { "e" { } }\n  context("f") {\n    should("g") { }\n'
            "  }\n})\n\nfun interface H { fun i() }\n",
            "1-9 class A\n  2-4 test b\n  5-5 test e\n  6-8 test f\n    7-7 test g\n11-11 interface H\n"
            "  11-11:19-25 method i\n",
        ),
        # Branches of cases, conditions of what is caught.
        (
            b"a.swift",
            "struct A {\n  func b() {\n    switch c {\n    #if D\n    case .e: f()\n    #endif\n    default: g()\n"
            "    }\n    do { h() } catch let i as J where i.k == .l { m() }\n  }\n  func n() {}\n}\n",
            "1-12 struct A\n  2-10 method b\n  11-11 method n\n",
        ),
        # Annotations inside of heads, empty lists of arguments.
        (
            b"a.scala",
            'class A @Inject() (\n    @Named("b") val b: B,\n    c: C\n)(implicit d: D) extends E[F]()(b) with G {\n'
            "  def h = 1\n}\n",
            "1-6 class A\n  5-5 method h\n",
        ),
        # Functions of one name with more arguments.
        (
            b"a.ex",
            "defmodule A do\n  def b(c), do: c\n  @doc false\n  def b(c, d), do: c\n  def b({c, d}, [e | f]), do: c\n"
            '  def g("(,"), do: 1\n  # h\n  def g(2), do: 3\n  def i, do: 1\n  def i(), do: 2\nend\n',
            "1-11 module A\n  2-2 function b\n  4-5 function b\n  6-8 function g\n  9-10 function i\n",
        ),
        # Tests by their titles.
        (
            b"a.php",
            '<?php\nit("a", function () {\n});\ndescribe("b", function () {\n  it("c", fn () => 1)->with([1]);\n});\n'
            "function d() { it($e); }\n",
            "2-3 test a\n4-6 test b\n  5-5 test c\n7-7 function d\n",
        ),
        (
            b"a.swift",
            'class A: B {\n  func c() {\n    describe("d") {\n      it("e") {\n      }\n    }\n'
            '    f("g") { }\n  }\n}\n',
            "1-9 class A\n  2-8 method c\n    3-6 test d\n      4-5 test e\n",
        ),
        # Strings with values and doubled quotes.
        (
            b"a.cs",
            'class A\n{\n    string b = $@"c ""{d}""";\n    string e = @$"f {g["h"]}\n""{i[""j""]} k";\n'
            "    void L() { }\n}\n",
            "1-7 class A\n  3-3 field b\n  4-5 field e\n  6-6 method L\n",
        ),
        # Braces on lines of their own, and tests by what they say.
        (
            b"a.scala",
            "object A\n{\n  def b = 1\n}\nclass C(d: D)\n{\n  def e = 2\n}\n",
            "1-4 object A\n  3-3 method b\n5-8 class C\n  7-7 method e\n",
        ),
        (
            b"a.scala",
            'class A extends B {\n  "C" should "be d" in {\n    e\n  }\n  it should "f" in {\n  }\n'
            '  "g" taggedAs H in {\n  }\n  test("i".only) {\n  }\n  "j" when {\n    "k" in l { m =>\n    }\n  }\n'
            '  def n = suite("o")(test("p") {\n  })\n  val q = r in { s }\n}\n',
            "1-18 class A\n  2-4 test C should be d\n  5-6 test it should f\n  7-8 test g\n  9-10 test i\n"
            "  11-14 test j\n    12-13 test k\n  15-16 method n\n    15-16 test p\n  17-17 field q\n",
        ),
        # Branches that hold a part of a declaration; a name for a type.
        (
            b"a.cs",
            "using A = B.C;\ninterface D\n{\n    void E(int f)\n#if G\n    {\n        H();\n    }\n#else\n    ;\n"
            "#endif\n#if I\n    J K(L m)\n#else\n    J K(N m, O p)\n#endif\n    {\n    }\n    void Q();\n}\n",
            "1-1 type A\n2-20 interface D\n  4-8 method E\n  15-18 method K\n  19-19 method Q\n",
        ),
        # Methods in blocks that are given to what makes a class.
        (
            b"a.rb",
            "it 'a' do\n  b = Class.new do\n    def c; end\n    def self.d; end\n  end\nend\nE = proc do\n  def f\n"
            "    1\n  end\nend\nG = h.map { |i| i }\n",
            "1-6 test a\n  3-3 method c\n  4-4 method d\n7-11 constant E\n  8-10 method f\n12-12 constant G\n",
        ),
        # A macro that is given something like an item; one that holds items, with attributes before them.
        (
            b"a.rs",
            "made! {\n    /// b\n    <T> C for D<T> where T: ?Sized + C\n}\n\nimpl E for F {\n    fn g() {}\n}\n\n"
            'cfg! {\n    // h\n    #[i(j = "k")]\n    pub fn l() {}\n}\n',
            "6-8 impl E for F\n  7-7 method g\n12-13@13 function l\n",
        ),
        # Strings over several lines with quotes in what they have inside, directives in strings, macros.
        (
            b"a.swift",
            'enum A {\n  var b: C {\n    return """\n      case \\(d.map { "\\($0)" } ?? "")(e):\n      """\n  }\n'
            '  var f: G { h.joined() + "#endif\\n" }\n}\npublic macro I() = #ext(module: "J")\nfunc k() {}\n',
            "1-8 enum A\n  2-6 field b\n  7-7 field f\n9-9 macro I\n10-10 function k\n",
        ),
    ],
)
def test_what_a_grammar_does_not_know_hides_no_definition(name: bytes, content: str, entries: str) -> None:
    """The lines and words stay those of the source."""
    text = decode(content.encode())
    result = outline(text, name)
    check(text, result)
    assert shown(result.entries) == entries


@pytest.mark.parametrize(
    ("name", "content", "doc"),
    [
        (b"a.scala", "trait A:\n  def b =\n    1\n\n  /** d */\n  def c = 2\n", (5, 5)),
        (b"a.jl", '"""\nd\n"""\nfunction c(x)\nend\n', (1, 3)),
        (b"a.dart", "/// d\nfinal int c = 1;\n", (1, 1)),
        (b"a.graphql", '"""\nd\n"""\ntype c {\n  e: F\n}\n', (1, 3)),
        (b"a.graphql", 'type A {\n  "d"\n  c: B\n}\n', (2, 2)),
        (b"a.graphql", '"d"\nscalar c\n\nscalar E\n', (1, 1)),
        (b"a.ex", 'defmodule A do\n  @doc "d"\n  @spec c(b) :: b\n  def c(b) do\n    b\n  end\nend\n', (2, 2)),
        (b"a.ex", 'defmodule A do\n  @doc "d"\n  def c(b), do: b\n  def e, do: 1\nend\n', (2, 2)),
        (b"a.ex", "defmodule A do\n  @doc false\n  def c(b), do: b\n  def e, do: 1\nend\n", None),
        (b"a.ex", 'defmodule c do\n  @moduledoc """\n  d\n  """\nend\n', (2, 4)),
    ],
)
def test_what_documents_a_definition_is_found_where_its_grammar_puts_it(
    name: bytes, content: str, doc: tuple[int, int] | None
) -> None:
    """In the block before it, as a string before it, or inside of it."""
    result = outline(decode(content.encode()), name)
    assert [entry.doc for entry in flat(result.entries) if entry.title == "c"] == [doc]


def test_an_indented_block_ends_with_its_last_word() -> None:
    """Neither blank lines nor comments below it are its own, nor the line that follows."""
    content = "class A:\n  def b =\n    1\n\n  // d\n  def c =\n    2\n\nclass E\n"
    assert shown(outline(decode(content.encode()), b"a.scala").entries) == (
        "1-7 class A\n  2-3 method b\n  6-7 method c\n9-9 class E\n"
    )


@pytest.mark.parametrize("name", [b"Dockerfile.prod", b"Dockerfile-dev", b"Containerfile.test", b"dockerfile.j2"])
def test_what_follows_the_name_of_a_dockerfile_is_no_extension(name: bytes) -> None:
    """Unless it is one that is known."""
    assert outline(decode(b"FROM a\nRUN b\n"), name).format == "dockerfile"
    assert outline(decode(b"# a\n"), b"Dockerfile.md").format == "markdown"


def test_snippets_nest_and_stand_outside_of_other_parts() -> None:
    """One that does not end is none; the words in scripts and comments are not looked at."""
    content = (
        '<script>\nlet a = "{#snippet b()}{/snippet}";\n</script>\n<!-- {#snippet c()}{/snippet} -->\n'
        "{#snippet d()}\n{#snippet e()}{/snippet}\n{/snippet}\n{/snippet}\n{#snippet f()}\n"
    )
    text = decode(content.encode())
    result = outline(text, b"A.svelte")
    check(text, result)
    assert shown(result.entries) == "1-3 section script\n  2-2 variable a\n5-7 snippet d\n  6-6 snippet e\n"
