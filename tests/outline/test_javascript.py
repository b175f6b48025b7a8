"""JavaScript, TypeScript, Svelte: what wraps a file, members of objects, tests, patterns, exports, gaps of grammars."""

import time

import pytest

from budgeted_reads.outline.registry import outline
from budgeted_reads.text import decode
from outline.checks import check, flat, shown


def rows(content: str, path: bytes = b"a.js", warnings: tuple[str, ...] = ()) -> str:
    text = decode(content.encode())
    made = outline(text, path)
    check(text, made)
    assert tuple(warned.code for warned in made.warnings) == warnings
    return shown(made.entries)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (
            ";(function (global, factory) {\n  var setup = function () { factory(); };\n  define(factory)\n"
            "})(this, function () {\n  function inner(a) {\n    return a;\n  }\n});\n",
            "2-2 function setup\n5-7 function inner\n",
        ),
        (
            "(function (root, factory) {\n  define(['b'], factory);\n}(this, function (b) {\n  var depth = 1;\n"
            "  function sound() {}\n}));\n",
            "4-4 variable depth\n5-5 function sound\n",
        ),
        (
            "(function (global, factory) {\n  factory();\n})(this, (function () { 'use strict';\n"
            "  function sound() {}\n  return { sound: sound, tide() {} };\n}));\n",
            "4-4 function sound\n5-5 method tide\n",
        ),
        ("(function () {\n  function moor() {}\n}.call(this, function () {\n  var rope;\n}));\n", None),
        ("!function () { function a() {} }(jQuery);\n", "1-1 function a\n"),
    ],
)
def test_what_wraps_a_file_hides_nothing(content: str, expected: str | None) -> None:
    """The function that is called and those that it is given are read as the file itself."""
    assert rows(content) == (expected or "2-2 function moor\n4-4 variable rope\n")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (
            'angular.module("a").controller("C", function ($s) {\n  function one() {}\n})'
            '.factory("S", ["$h", function ($h) {\n  function two() {}\n  return {\n    get() {}\n  };\n}]);\n',
            "2-2 function one\n4-4 function two\n6-6 method get\n",
        ),
        (
            'function P() {\n  this.$get = ["$a", function ($a) {\n    function one() {}\n  }];\n}\n',
            "1-5 function P\n  2-4 method $get\n    3-3 function one\n",
        ),
        ("load().then(function () {\n  function one() {}\n}, function two() {}).then(() => 1);\n", None),
        ("new Panel({\n  methods: {\n    one() {},\n  },\n});\n", "2-4 property methods\n  3-3 method one\n"),
        ("new Promise((done) => {\n  const one = () => 1;\n});\n", "2-2 function one\n"),
        ("const A = memo(\n  forwardRef((a) => {\n    const one = () => 1;\n  }),\n);\n", None),
        (
            "const app = new A().get((c) => {\n  const one = () => 1;\n}).post((c) => {\n  const two = () => 1;\n});\n",
            "1-5 variable app\n  2-2 function one\n  4-4 function two\n",
        ),
        ("const a = (b) => c(function named() {});\n", "1-1 function a\n  1-1:20-38 function named\n"),
    ],
)
def test_all_links_and_arguments_of_calls_are_looked_into(content: str, expected: str | None) -> None:
    """Chains, lists, calls in calls, `new`: the functions that they are given are found with what they define."""
    others = {
        "load()": "2-2 function one\n3-3 function two\n",
        "const A": "1-5 variable A\n  3-3 function one\n",
    }
    assert rows(content) == (expected or next(rest for start, rest in others.items() if content.startswith(start)))


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (
            "var sea = (function () {\n  return {\n    open: function (x) {\n    },\n    shut() {},\n    a: 3,\n"
            "    tide: { rise: () => 1 },\n    days: { a: 1 },\n  };\n})();\n",
            "1-10 variable sea\n  3-4 method open\n  5-5 method shut\n  7-7 property tide\n    7-7:13-25 method rise\n",
        ),
        (
            "function make(all) {\n  return { names: all.map((one) => one.name), total: all.length };\n}\n",
            "1-3 function make\n",
        ),
        (
            "let colors;\ncolors = {\n  hue: function (c) {},\n};\ncolors = { red: 1 };\n",
            "1-1 variable colors\n2-4 variable colors\n  3-3 method hue\n",
        ),
        (
            "function f() {\n  var promise = {\n    state: function () {},\n  };\n  var rows = { b: c((d) => d) };\n"
            "  return promise;\n}\n",
            "1-7 function f\n  2-4 variable promise\n    3-3 method state\n",
        ),
        (
            "function load() {\n  const all = query({ key: (row) => row.id });\n  const View = Base.extend({\n"
            "    draw() {\n    },\n  });\n}\n",
            "1-7 function load\n  3-6 variable View\n    4-5 method draw\n",
        ),
        ("const slice = (set) => ({\n  add: () => set(1),\n});\n", "1-3 function slice\n  2-2 method add\n"),
        (
            "const mixin = (Base) => class extends Base {\n  one() {}\n};\nfunction other(Base) {\n"
            "  return class Named extends Base {};\n}\n",
            "1-3 function mixin\n  2-2 method one\n4-6 function other\n  5-5 class Named\n",
        ),
        ("function once(f) {\n  return function called() {\n  };\n}\n", "1-4 function once\n  2-3 function called\n"),
        ("var Model = Sea.Model = function () {\n};\n", "1-2 function Model\n"),
        (
            "class A {\n  static actions = {\n    run() {},\n  };\n  rows = { a: 1 };\n}\n",
            "1-6 class A\n  2-4 field actions\n    3-3 method run\n  5-5 field rows\n",
        ),
    ],
)
def test_functions_in_objects_are_members_wherever_the_object_stands(content: str, expected: str) -> None:
    """Returned, assigned, local: objects count where they have functions, or objects with some, and for those alone."""
    assert rows(content) == expected


def test_tests_are_known_by_what_calls_them() -> None:
    """By their titles: of QUnit, tap, Deno, with tables and modifiers; a call without a function is none."""
    content = """QUnit.module("a", function () {
  QUnit.test("b", function (assert) {});
});
test("c", function (t) {
  t.test('d', async (t) => {
    const e = () => 1;
  });
  return t.test(`f ${g}`, (t) => {});
});
Deno.test("h", () => {});
test.describe("i", () => {
  it.each([
    [1],
  ])("calls j()", (k) => {
  });
  it.each`l`("m", () => {});
  describe.skip("the `n`", () => {});
});
/o/.test(p);
pattern.test(q, function () {});
it("r", function () {}).timeout(5);
xit("s", () => {});
context.on("t", () => {});
afterAll(() => {});
"""
    made = outline(decode(content.encode()), b"a.js")
    found = [(entry.kind, entry.title) for entry in flat(made.entries)]
    titles = ["a", "b", "c", "d", "f ${g}", "h", "i", "calls j()", "m", "the `n`", "r", "s", "afterAll"]
    assert [title for kind, title in found if kind == "test"] == titles
    assert [title for kind, title in found if kind != "test"] == ["e"]


def test_routes_are_entries_outside_of_functions() -> None:
    """By method and path; not calls that give no handler, have no path, or stand in functions, as those of clients."""
    content = """const app = express();
app.get("/users", list);
app.post('/users/:id', auth, async (req, res) => {
  const save = () => req.id;
});
app.use("/api", require("./api"));
app.set("view", "x");
app.get("title");
client.post("/users", { a: 1 });
function load() {
  client.get("/users", (a) => a);
}
"""
    assert rows(content) == (
        "1-1 variable app\n2-2 route get /users\n3-5 route post /users/:id\n  4-4 function save\n"
        "6-6 route use /api\n10-12 function load\n"
    )


@pytest.mark.parametrize(
    ("content", "names"),
    [
        ("let { items = [], onclick, ...rest }: Props = $props();\n", ["items", "onclick", "rest"]),
        ('const { port = 3000, host = "x" } = process.env;\n', ["port", "host"]),
        ("const { a: { b }, c: [d, , e = 1], f: g = 2, ...h } = i;\n", ["b", "d", "e", "g", "h"]),
        ("const [, [a, ...b]] = c;\n", ["a", "b"]),
    ],
)
def test_each_name_of_a_pattern_is_an_entry(content: str, names: list[str]) -> None:
    """With defaults, nested, what rests; never the key that a value is taken from."""
    assert [entry.title for entry in outline(decode(content.encode()), b"a.ts").entries] == names
    (script,) = outline(decode(f'<script lang="ts">\n{content}</script>\n'.encode()), b"A.svelte").entries
    assert [entry.title for entry in script.children] == names


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("module.exports = class Parser extends Base {\n  read() {}\n};\n", "1-3 class Parser\n  2-2 method read\n"),
        ("module.exports = function createApp() {\n};\n", "1-2 function createApp\n"),
        ("exports = module.exports = wrap(function plugin() {\n});\n", "1-2 function plugin\n"),
        ("module.exports = class {\n  read() {}\n};\n", "1-3 class exports\n  2-2 method read\n"),
        ("module.exports = () => {\n};\n", "1-2 function exports\n"),
    ],
)
def test_what_a_module_is_has_its_own_name(content: str, expected: str) -> None:
    """A function or class that is all that a module exports is `exports` only where it has no name."""
    assert rows(content) == expected


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


@pytest.mark.parametrize(
    "content",
    [
        "a" + "\n.then(() => 0)" * 7000,
        "a(\n" * 30000 + "() => 0",
        "f(\n" * 3000 + "function () { function g() {} }" + ")" * 3000,
        "function f() {\n" + "a(\n() => b," * 8000,
        "x =\n" * 25000 + "function () {}",
        "let " + "[\n" * 50000,
        "let " + "[\n" * 2000 + "a" + "]" * 2000 + " = b",
        "function f() { return " + "{ a:\n" * 15000,
        "\nclass=" * 3000,
        "import(\n" * 15000,
        "&a\n" * 30000,
        "it.each([])\n" * 9000 + "('a', () => 0)",
    ],
)
def test_what_repeats_takes_no_time_by_its_square(content: str) -> None:
    """Chains, calls in calls, patterns, and what is put in the place of words: a hundred kilobytes in a moment."""
    text = decode(content.encode())
    before = time.process_time()
    check(text, outline(text, b"a.js"))
    assert time.process_time() - before < 2
