"""Lock files: the packages that each tool pins."""

import json
import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgeted_reads.outline.entry import Entry, Outline
from budgeted_reads.outline.registry import outline
from budgeted_reads.text import decode
from outline.checks import check, flat, shown

FIXTURES = Path(__file__).parent / "fixtures" / "lock"
NAMES = st.from_regex(r"(@[a-z]{1,3}/)?[a-z][a-z0-9._-]{0,4}", fullmatch=True)


def made(content: str, name: str = "a.lock") -> Outline:
    text = decode(content.encode())
    result = outline(text, name.encode())
    check(text, result)
    return result


def names(result: Outline) -> list[str]:
    return [entry.title for entry in result.entries]


@given(st.dictionaries(NAMES, NAMES, min_size=1, max_size=5), st.sampled_from([None, 2]))
def test_packages_of_npm_are_those_of_the_file(wanted: dict[str, str], indent: int | None) -> None:
    """By bare name, wherever they are nested, in a file of any layout; the project itself is none."""
    paths = [f"node_modules/{outer}/node_modules/{inner}" for outer, inner in wanted.items()]
    packages = {"": {"name": "x"}, **{path: {"version": "1.0.0", "dependencies": {"y": "1"}} for path in paths}}
    content = json.dumps({"lockfileVersion": 3, "packages": packages, "dependencies": {"z": {}}}, indent=indent)
    result = made(content, "package-lock.json")
    assert names(result) == list(wanted.values())
    assert dict(result.facts)["package_count"] == len(wanted)


TREES = st.recursive(st.none(), lambda inner: st.dictionaries(NAMES, inner, max_size=3), max_leaves=12)


@given(st.dictionaries(NAMES, TREES, min_size=1, max_size=4), st.sampled_from([None, 2]))
def test_packages_of_the_first_version_of_npm_stand_inside_each_other(
    wanted: dict[str, object], indent: int | None
) -> None:
    """Those that a package holds for itself are inside its entry, and all are counted; those it requires are none."""

    def packages(tree: object) -> dict[str, object]:
        table = tree if isinstance(tree, dict) else {}
        return {
            name: {"version": "1.0.0", "requires": {"z": "1"}, "dependencies": packages(inner)}
            for name, inner in table.items()
        }

    def tree(entries: Sequence[Entry]) -> list[object]:
        return [(entry.title, tree(entry.children)) for entry in entries]

    def expected(inside: object) -> list[object]:
        return [(name, expected(inner)) for name, inner in inside.items()] if isinstance(inside, dict) else []

    content = json.dumps({"lockfileVersion": 1, "dependencies": packages(wanted)}, indent=indent)
    result = made(content, "package-lock.json")
    assert tree(result.entries) == expected(wanted)
    assert dict(result.facts)["package_count"] == len(list(flat(result.entries)))


@pytest.mark.parametrize("file", ["uv.lock", "Cargo.lock"])
def test_packages_in_toml_are_those_that_tomllib_reads(file: str) -> None:
    """In their order; a table inside of a package belongs to it, and its head goes to the line of the version."""
    content = (FIXTURES / file).read_text(encoding="utf-8")
    result = made(content, file)
    lines = content.split("\n")
    packages = tomllib.loads(content)["package"]
    assert names(result) == [package["name"] for package in packages]
    for entry, package in zip(result.entries, packages, strict=True):
        assert tomllib.loads("\n".join(lines[entry.start - 1 : entry.end])) == {"package": [package]}
        assert entry.signature == f"{package['name']} {package['version']}"
        assert entry.signature_lines is not None
        assert lines[entry.signature_lines[1] - 1] == f'version = "{package["version"]}"'


def test_heads_of_yarn_in_its_newer_form() -> None:
    """Ranges may name where a package comes from; the first of a head names it."""
    content = (
        '__metadata:\n  version: 8\n\n"@a/b@npm:^1.0.0, @a/b@npm:^1.1.0":\n  version: 1.1.0\n\n'
        '"c@workspace:.":\n  version: 0\n'
    )
    assert shown(made(content).entries) == "4-5 package @a/b\n7-8 package c\n"


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("/a/1.0.0:", "a"),
        ("/@a/b/1.0.0:", "@a/b"),
        ("/@a/b@1.0.0(c@2.0.0):", "@a/b"),
        ("'@a/b@1.0.0':", "@a/b"),
        ("a@file:../a: {}", "a"),
        ("a@https://x.org/a.tgz:", "a"),
    ],
)
def test_keys_of_pnpm_in_each_of_its_forms(line: str, name: str) -> None:
    """The bare name, with its scope, without version and peers."""
    assert names(made(f"lockfileVersion: 5.4\n\npackages:\n\n  {line}\n    dev: true\n", "pnpm-lock.yaml")) == [name]


PINS = {
    "npm, first version": (
        "package-lock.json",
        '{"lockfileVersion": 1, "dependencies": {"a": {"version": "1.0.0", "requires": {}, "dependencies": {}}}}',
        ["a 1.0.0"],
    ),
    "npm": ("package-lock.json", '{"packages": {"node_modules/@a/b": {\n"version": "2.0.0"}}}', ["@a/b 2.0.0"]),
    "yarn": ("yarn.lock", '# yarn lockfile v1\n\na@^1, a@^1.2:\n  version "1.2.3"\n  resolved "u"\n', ["a 1.2.3"]),
    "yarn, newer": ("yarn.lock", '__metadata:\n  version: 8\n\n"a@npm:^1":\n  version: 1.2.3\n', ["a 1.2.3"]),
    "pnpm": (
        "pnpm-lock.yaml",
        "lockfileVersion: '6.0'\npackages:\n\n  /@a/b@1.0.0(c@2.0.0):\n    dev: true\n\n  d@https://x.org/d.tgz: {}\n"
        "snapshots:\n  d@1.0.0:\n    dev: true\n",
        ["@a/b 1.0.0", "d https://x.org/d.tgz"],
    ),
    "Poetry": (
        "poetry.lock",
        '[[package]]\nname = "a"\nversion = "1.0"\n\n[package.dependencies]\nname = "x"\n',
        ["a 1.0"],
    ),
    "PEP 751": (
        "pylock.toml",
        '[[packages]]\nname = "a"\nversion = "1.0"\n\n[[packages.wheels]]\nname = "w"\n',
        ["a 1.0"],
    ),
    "uv, of a project": ("uv.lock", '[[package]]\nname = "a"\nsource = { editable = "." }\n', ["a"]),
    "Pipenv": (
        "Pipfile.lock",
        '{"_meta": {}, "default": {"a": {\n"hashes": [\n"x",\n"y"\n],\n"version": "==1.2"}}, "develop": {"b": {}}}',
        ["a ==1.2", "b"],
    ),
    "Bundler": ("Gemfile.lock", "GEM\n  specs:\n    a (1.0)\n      b (>= 2)\n\nDEPENDENCIES\n  a\n", ["a 1.0"]),
    "Composer": (
        "composer.lock",
        '{"packages": [{"name": "a/b", "version": "v1.0"}], "packages-dev": []}',
        ["a/b v1.0"],
    ),
    "Go": ("go.sum", "x.org/a v1.0.0 h1:b=\nx.org/a v1.0.0/go.mod h1:c=\n", ["x.org/a v1.0.0"]),
    "Mix": (
        "mix.lock",
        '%{\n  "a": {:hex, :a, "1.0.0", "ff", [:mix], [], "hexpm", "ff"},\n'
        '  "b": {:git, "https://x.org/b", "ab12", []},\n}\n',
        ["a 1.0.0", "b ab12"],
    ),
    "pub": (
        "pubspec.lock",
        "packages:\n  a:\n    dependency: transitive\n    description:\n      name: a\n    source: hosted\n"
        '    version: "1.0.0"\n'
        'sdks:\n  dart: ">=3.0.0"\n',
        ["a 1.0.0"],
    ),
    "CocoaPods": (
        "Podfile.lock",
        'PODS:\n  - A (1.0):\n    - B (= 2)\n  - "B/c+d (2)"\n\nDEPENDENCIES:\n  - A\n',
        ["A 1.0", "B/c+d 2"],
    ),
    "NuGet": (
        "packages.lock.json",
        '{"version": 1, "dependencies": {"net8.0": {"A.B": {"type": "Direct", "resolved": "1.0.0"}}}}',
        ["A.B 1.0.0"],
    ),
    "Gradle": (
        "gradle.lockfile",
        "# a comment\norg.a:b:1.0=compileClasspath,runtimeClasspath\nempty=\n",
        ["org.a:b 1.0"],
    ),
    "Nix": (
        "flake.lock",
        '{"nodes": {"a": {"locked": {"rev": "0123456789abcdef"}}, "root": {"inputs": {"a": "a"}}}, "version": 7}',
        ["a 0123456789ab"],
    ),
    "Bun": (
        "bun.lock",
        '{\n  "lockfileVersion": 1,\n  "packages": {\n    "@a/b": ["@a/b@1.0.0", "", {}, "sha512-x"],\n\n'
        '    "c/d": ["d@2.0.0", ""],\n  },\n}\n',
        ["@a/b 1.0.0", "d 2.0.0"],
    ),
    "Deno": (
        "deno.lock",
        '{"version": "5", "specifiers": {"npm:a@1": "1.0.0"},'
        ' "jsr": {"@a/b@1.0.0": {}}, "npm": {"c@2.0.0_d@1.0.0": {}}}',
        ["@a/b 1.0.0", "c 2.0.0"],
    ),
    "Deno, older": ("deno.lock", '{"packages": {"specifiers": {}, "npm": {"a@1.0.0": {}}}, "remote": {}}', ["a 1.0.0"]),
    "Swift": (
        "Package.resolved",
        '{"pins": [{"identity": "a", "state": {"revision": "0123456789abcdef", "version": "1.0.0"}}], "version": 2}',
        ["a 1.0.0"],
    ),
    "Swift, older": (
        "Package.resolved",
        '{"object": {"pins": [{"package": "A", "state": {"revision": "0123456789abcdef", "version": null}}]}}',
        ["A 0123456789ab"],
    ),
    "renv": ("renv.lock", '{"R": {"Version": "4"}, "Packages": {"a": {"Package": "a", "Version": "1.0"}}}', ["a 1.0"]),
    "Helm": (
        "Chart.lock",
        "dependencies:\n- name: a\n  repository: https://x.org\n  version: 1.0.0\ndigest: x\n",
        ["a 1.0.0"],
    ),
}


@pytest.mark.parametrize("tool", PINS)
def test_each_package_says_its_version(tool: str) -> None:
    """Beside the bare name, whichever tool wrote the file; a commit in place of a version is told shortened."""
    name, content, pins = PINS[tool]
    result = made(content, name)
    assert [entry.signature for entry in result.entries] == pins
    assert names(result) == [pin.partition(" ")[0] for pin in pins]
    assert dict(result.facts)["package_count"] == len(pins)


@pytest.mark.parametrize(
    ("content", "entries"),
    [
        ('{"nodes": {\n"a": {}}}', "1-2 key nodes\n  2-2 key a\n"),
        ("[a]\nb = 1\n", "1-2 table a\n  2-2 key b\n"),
        ("lockfileVersion: 9\na:\n  b: 1\n", "1-1 key lockfileVersion\n2-3 key a\n  3-3 key b\n"),
        ('{"packages": {"node_modules/a": {\n"version"', None),
        ("1234\n", "1-1 line 1234\n"),
        ("dependencies:\n- a: 1\n", "1-2 key dependencies\n  2-2 item 0\n    2-2:3-6 key a\n"),
        ("packages:\n  a:\n    b: 1\n", "1-3 key packages\n  2-3 key a\n    3-3 key b\n"),
    ],
)
def test_a_file_without_packages_is_outlined_as_what_it_is(content: str, entries: str | None) -> None:
    """As JSON, TOML or YAML, broken ones too, else as plain text."""
    result = made(content)
    assert entries is None or shown(result.entries) == entries
    assert "package_count" not in dict(result.facts)


@pytest.mark.parametrize(
    "opening",
    [
        "[[package]]\n",
        '{"packages":',
        "# yarn lockfile\na@",
        "lockfileVersion:\npackages:\n  a@1:\n",
        "  specs:\n    a (1)\n",
        "a v1 h1:x\n",
        '"',
        "@",
    ],
)
def test_hostile_marks_end(opening: str) -> None:
    """Ten thousand marks give some sound outline."""
    made(opening * 10_000)
