"""What parsers, ctags, or words and layout say that files define: the truth for bench/outline.py."""

import ast
import collections
import json
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from words import LANGUAGES as WORDS  # type: ignore[import-not-found]  # The file beside this one.
from words import declared

TRUTH = Path(__file__).parent / "truth"
KINDS = {
    "class",
    "function",
    "method",
    "struct",
    "enum",
    "interface",
    "typedef",
    "union",
    "func",
    "type",
    "talias",
    "alias",
    "namespace",
    "module",
    "trait",
    "object",
    "implementation",
    "record",
    "delegate",
    "generator",
    "getter",
    "setter",
    "prototype",
}
WHOLE = {"CSS", "SCSS", "Make"}
"""A dot in a name divides nothing there."""

OTHER_KINDS = {
    "elixir": {"module", "protocol", "function", "callback", "delegate", "guard", "macro", "test", "type"},
    "protobuf": {"message", "field", "enum", "enumerator", "service", "rpc"},
    "sql": {"table", "view", "function", "procedure", "trigger", "index", "domain"},
    "css": {"class", "selector", "id"},
    "scss": {"class", "selector", "id", "mixin", "function", "placeholder"},
    "make": {"macro", "target"},
    "julia": {"function", "macro", "module", "struct", "type"},
}
"""What counts as a definition where that is not what KINDS says."""


class Definition(NamedTuple):
    """One definition of the truth; `end` is 0 where it does not say."""

    name: str
    line: int
    end: int = 0


Truth = dict[str, list[Definition]]


def by_ast(paths: list[str]) -> Truth:
    """Python's definitions, the decorators outside of their range."""
    found: Truth = {}
    for path in paths:
        try:
            tree = ast.parse(Path(path).read_bytes())
        except (SyntaxError, ValueError):
            continue
        made = (
            node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        )
        found[path] = [Definition(node.name, node.lineno, node.end_lineno or 0) for node in made]
    return found


def by_program(command: list[str]) -> Callable[[list[str]], Truth]:
    """What a program of bench/truth/ prints for paths on its standard input."""

    def truth(paths: list[str]) -> Truth:
        made = subprocess.run(command, input="\n".join(paths) + "\n", capture_output=True, text=True, check=True)
        found: Truth = collections.defaultdict(list)
        broken = set()
        for row in made.stdout.splitlines():
            path, name, first, last = row.split("\t")
            found[path].append(Definition(name, int(first), int(last)))
            if not name:
                broken.add(path)
        return {path: rows for path, rows in found.items() if path not in broken}

    return truth


def by_ctags(paths: list[str]) -> Truth:
    """Callables and types by universal-ctags; its last lines are guesses, so they are left out."""
    found: Truth = {}
    for path in paths:
        command = [
            "ctags",
            "--output-format=json",
            "--fields=+neKls",
            "--kinds-c=+p",
            "--kinds-c++=+p",
            "-f",
            "-",
            "-u",
            path,
        ]
        rows = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
        found[path] = []
        for tag in map(json.loads, rows):
            name = tag.get("name", "")
            kinds = KINDS | {"member"} if path.endswith(".py") else KINDS
            kinds = OTHER_KINDS.get(tag.get("language", "").lower(), kinds)
            if path.endswith((".c", ".h", ".cc", ".cpp", ".hpp")) and name.isupper():
                continue  # The call of a macro, which ctags takes for a function.
            if tag.get("scopeKind") == "function" and tag.get("kind") in ("typedef", "talias", "alias"):
                continue  # What one function calls a type is no more a definition than its variables are.
            if tag.get("kind") in kinds and not re.match(r"_*[Aa]non|operator\b|<", name) and "Anonymous" not in name:
                last = (
                    name
                    if tag.get("language") in WHOLE
                    else re.split(r"::|:|\.", re.sub(r"\{.*", "", name.strip("\"'`")))[-1]
                )
                found[path].append(Definition(last, tag["line"]))
        if path.endswith((".ex", ".exs")):
            hidden = quoted_lines(path)
            found[path] = [one for one in found[path] if one.line not in hidden]
    return found


def quoted_lines(path: str) -> set[int]:
    """The lines inside of heredocs, whose examples ctags takes for definitions."""
    hidden, inside = set(), False
    for number, line in enumerate(Path(path).read_text(encoding="utf-8", errors="replace").split("\n"), 1):
        if inside:
            hidden.add(number)
        if line.count('"""') % 2:
            inside = not inside
    return hidden


def by_words(language: str) -> Callable[[list[str]], Truth]:
    """Declarations by their words and layout, outside of comments and strings."""

    def truth(paths: list[str]) -> Truth:
        texts = {path: Path(path).read_text(encoding="utf-8", errors="replace") for path in paths}
        return {path: [Definition(*one) for one in declared(language, text)] for path, text in texts.items()}

    return truth


def truth_for(language: str, typescript: Path | None) -> Callable[[list[str]], Truth]:
    """The best truth for that language on this machine."""
    programs = {
        "ruby": ["ruby", str(TRUTH / "ruby.rb")],
        "php": ["php", str(TRUTH / "php.php")],
        "java": ["java", str(TRUTH / "Java.java")],
        "go": ["go", "run", str(TRUTH / "go.go")],
    }
    if language == "python":
        return by_ast
    if language in WORDS:
        return by_words(language)
    if language in ("javascript", "typescript", "tsx") and typescript is not None and shutil.which("node"):
        return by_program(["node", str(TRUTH / "typescript.js"), str(typescript.resolve() / "lib" / "typescript.js")])
    if language in programs and shutil.which(programs[language][0]):
        return by_program(programs[language])
    return by_ctags
