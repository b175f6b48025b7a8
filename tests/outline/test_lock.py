"""Lock files: the packages that each tool pins."""

import json
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgeted_reads.outline.entry import Outline
from budgeted_reads.outline.registry import outline
from budgeted_reads.text import decode
from outline.checks import check, shown

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


@pytest.mark.parametrize("file", ["uv.lock", "Cargo.lock"])
def test_packages_in_toml_are_those_that_tomllib_reads(file: str) -> None:
    """In their order; a table inside of a package belongs to it, and its head goes to the version."""
    content = (FIXTURES / file).read_text(encoding="utf-8")
    result = made(content, file)
    lines = content.split("\n")
    packages = tomllib.loads(content)["package"]
    assert names(result) == [package["name"] for package in packages]
    for entry, package in zip(result.entries, packages, strict=True):
        assert tomllib.loads("\n".join(lines[entry.start - 1 : entry.end])) == {"package": [package]}
        assert entry.signature.endswith(f'version = "{package["version"]}"')


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


def test_other_tools() -> None:
    """Objects by name of Pipenv; a project of npm's first version."""
    assert names(made('{"_meta": {}, "default": {"a": {"version": "==1"}}, "develop": {"b": {}}}')) == ["a", "b"]
    assert names(made('{"lockfileVersion": 1, "dependencies": {"a": {"version": "1", "requires": {}}}}')) == ["a"]


@pytest.mark.parametrize(
    ("content", "entries"),
    [
        ('{"nodes": {\n"a": {}}}', "1-2 key nodes\n  2-2 key a\n"),
        ("[a]\nb = 1\n", "1-2 table a\n  2-2 key b\n"),
        ("lockfileVersion: 9\na:\n  b: 1\n", "1-1 key lockfileVersion\n2-3 key a\n  3-3 key b\n"),
        ('{"packages": {"node_modules/a": {\n"version"', None),
        ("1234\n", "1-1 line 1234\n"),
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
