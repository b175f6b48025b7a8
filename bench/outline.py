"""Does an outline name every definition, and where it is? Against what each language's own parser says.

    python bench/outline.py                                   sources found on this machine, beside ctags
    python bench/outline.py --folder FOLDER --language rust   the files below FOLDER, also several times
    python bench/outline.py --others                          the languages without a parser of their own as truth
    python bench/outline.py --typescript FOLDER               `npm pack typescript`, unpacked: JavaScript, TypeScript
    python bench/outline.py --tool 'outliner=outliner-cli {path}' --tool 'ast-outline=ast-outline {path}'

Truth: Python `ast`; TypeScript's compiler; javac; go/parser; Ruby's and PHP's own parsers, each where it is installed.
The words and the layout of the declarations (words.py) for what universal-ctags does not know (Swift, Scala, Dart,
Haskell, Zig, HCL, GraphQL, Vue, Svelte) or takes for something else (Kotlin, Lua, protocol buffers). Else
universal-ctags. Files that the truth cannot parse are left out.

    recall   share of the definitions that the outline has under their name, with their first line in its head
    range    share of those found whose last line is exactly that of the truth, where it knows one
    tools    share that stand on a row with their name and their first line, or one of an attribute above
    x parse  time of the outline / time of the bare tree-sitter parse, in one process; `all`: of all these files
"""

import argparse
import collections
import random
import re
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

from budgeted_reads.errors import BinaryFile
from budgeted_reads.outline import Entry, code
from budgeted_reads.outline.formats import BY_NAME
from budgeted_reads.outline.grammar import parse
from budgeted_reads.outline.registry import outline
from budgeted_reads.text import decode
from truths import Definition, by_ctags, truth_for  # type: ignore[import-not-found]  # The file beside this one.

PACKAGES = ("_pytest", "hypothesis", "coverage", "mypy", "markdown_it", "pip", "starlette", "pydantic")
PLACES = {
    "python": [Path(spec.origin).parent for name in PACKAGES if (spec := find_spec(name)) and spec.origin],
    "javascript": [Path("/usr/lib/node_modules"), Path("/usr/share/nodejs")],
    "typescript": [Path("/usr/lib/node_modules"), Path("/usr/share/nodejs")],
    "go": [Path("/usr/share/go-1.19/src"), Path("/usr/lib/go/src")],
    "ruby": [Path("/usr/lib/ruby")],
    "php": [Path("/usr/share/php")],
    "c": [Path("/usr/include")],
    "cpp": [Path("/usr/include/c++"), Path("/usr/include/boost")],
}
LANGUAGES = (
    *("python", "javascript", "typescript", "tsx", "go", "rust", "java", "ruby", "c", "cpp", "php", "csharp"),
    *("kotlin", "swift"),
)
OTHERS = (
    *("scala", "dart", "haskell", "zig", "hcl", "graphql", "vue", "svelte"),
    *("shell", "lua", "r", "julia", "elixir", "protobuf", "sql", "css", "scss", "makefile"),
)
FILES, LEAST_BYTES, MOST_BYTES, SEED = 150, 800, 400_000, 20261201
MERGED = {"elixir"}
"""Clauses of one function are one entry there."""

LISTED = {"css": r",", "scss": r",|[ (>+~:]+|(?=[.#])", "less": r",", "makefile": r"[\s:]+"}
"""What stands between the names of one entry."""


def flat(entries: tuple[Entry, ...]) -> Iterator[Entry]:
    """All entries."""
    todo = list(entries)
    while todo:
        entry = todo.pop()
        yield entry
        todo.extend(entry.children)


class Score:
    """Counts of one language."""

    def __init__(self) -> None:
        self.files = self.wanted = self.found = self.ranged = self.exact = 0
        self.tools: collections.Counter[str] = collections.Counter()
        self.tool_wanted: collections.Counter[str] = collections.Counter()
        self.missed: list[str] = []

    def add(self, path: str, wanted: list[Definition]) -> None:
        """Count the outline of PATH."""
        made = outline(decode(Path(path).read_bytes()), path.encode())
        entries = list(flat(made.entries))
        heads = collections.defaultdict(list)
        for entry in entries:
            parts = [
                entry.title,
                *entry.title.split(" for "),
                *re.findall(r"(?:struct|enum|union) (\w+)", entry.signature),
            ]
            parts += entry.title.split(".") if entry.kind == "namespace" else []
            if made.format in LISTED:
                # A rule has the names of all its selectors or targets.
                listed = [" ".join(one.split()) for one in re.split(LISTED[made.format], entry.signature)]
                parts += [*listed, *(one.strip("$&") for one in listed)]
            for name in {*parts, *(re.split(r"::|\.|\\", part.split("<")[0])[-1] for part in parts)}:
                heads[name].append(entry)
        self.files += 1
        for one in wanted:
            self.wanted += 1
            near = [entry for entry in heads[one.name] if _holds(entry, one.line, whole=made.format in MERGED)]
            if not near:
                self.missed.append(f"{path}:{one.line} {one.name}")
                continue
            self.found += 1
            if one.end:
                self.ranged += 1
                if any(entry.end == one.end for entry in near):
                    self.exact += 1
                else:
                    self.missed.append(f"{path}:{one.line} {one.name} ends at {near[0].end}, not {one.end}")

    def add_tool(self, name: str, command: str, path: str, wanted: list[Definition]) -> None:
        """Count the rows that another tool prints for PATH."""
        if name == "ctags":
            held = {(one.name, one.line) for one in by_ctags([path])[path]}
            self.tools[name] += sum((one.name, one.line) in held for one in wanted)
        else:
            argv = [word.replace("{path}", path) for word in shlex.split(command)]
            printed = subprocess.run(argv, capture_output=True, text=True, timeout=120, check=False).stdout
            rows = [
                (set(re.findall(r"[\w$]+", row)), set(map(int, re.findall(r"\d+", row))))
                for row in printed.splitlines()
            ]
            source = Path(path).read_text(encoding="utf-8", errors="replace").split("\n")
            self.tools[name] += sum(
                any(one.name in words and numbers & lines(source, one.line) for words, numbers in rows)
                for one in wanted
            )
        self.tool_wanted[name] += len(wanted)


def _holds(entry: Entry, line: int, *, whole: bool) -> bool:
    """Whether LINE is in the head of ENTRY, or its last one, as the name of a typedef is; anywhere in it if WHOLE."""
    if whole:
        return entry.start <= line <= entry.end
    last = max(entry.own, entry.signature_lines[1] if entry.signature_lines else 0)
    return entry.start <= line <= last or line == entry.end


def lines(source: list[str], line: int) -> set[int]:
    """LINE, and those of the attributes directly above it."""
    held = {line}
    while line > 1 and re.match(r"\s*[@#\[]", source[line - 2]):
        line -= 1
        held.add(line)
    return held


def speed(language: str, paths: list[str]) -> tuple[float, float]:
    """Time of our outlines, and of the bare parses of the same files; the least of three runs of each."""
    texts = [decode(Path(path).read_bytes()) for path in paths]
    form = BY_NAME[language]

    def bare() -> None:
        for text in texts:
            parse(language, text.raw)

    def ours() -> None:
        for text in texts:
            code.outline(text, form)

    def least(run: Callable[[], None]) -> float:
        times = []
        for _ in range(3):
            start = time.process_time()
            run()
            times.append(time.process_time() - start)
        return min(times)

    return least(ours), least(bare)


def files(language: str, folders: list[Path], most: int) -> list[str]:
    """A fixed sample of the files of that language below FOLDERS, each content once."""
    endings = {f".{extension}" for extension in BY_NAME[language].extensions.split()}
    if language == "cpp":
        endings |= {".h", ""}
    found = sorted(
        path
        for folder in folders
        for path in folder.rglob("*")
        if path.suffix.lower() in endings and path.is_file() and LEAST_BYTES <= path.stat().st_size <= MOST_BYTES
    )
    random.Random(SEED).shuffle(found)
    chosen: dict[bytes, str] = {}
    for path in found:
        if len(chosen) >= most:
            break
        raw = path.read_bytes()
        try:
            text = decode(raw)
        except BinaryFile:
            continue
        if max(map(len, raw.split(b"\n"))) < 5000 and outline(text, bytes(path)).format == language:
            chosen.setdefault(raw, str(path))
    return list(chosen.values())


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--language", action="append", help="only this language")
    parser.add_argument("--others", action="store_true", help="the languages without a parser as truth")
    parser.add_argument("--folder", action="append", type=Path, help="sources in place of those found")
    parser.add_argument("--typescript", type=Path, help="folder of the TypeScript compiler")
    parser.add_argument("--tool", action="append", default=[], help="name=command with {path}")
    parser.add_argument("--tool-files", type=int, default=20, help="files per language for other tools")
    parser.add_argument("--files", type=int, default=FILES, help="files per language")
    parser.add_argument("--missed", type=int, default=0, help="print so many of the definitions that were missed")
    options = parser.parse_args()
    tools = dict(tool.split("=", 1) for tool in options.tool)
    if shutil.which("ctags"):
        tools = {"ctags": "", **tools}
    print(
        f"{'language':12}{'files':>6}{'defs':>7}{'recall':>8}{'range':>8}{'x parse':>9}"
        + "".join(f"{name:>13}" for name in tools)
    )
    times: list[tuple[float, float]] = []
    for language in options.language or (OTHERS if options.others else LANGUAGES):
        paths = files(language, options.folder or PLACES.get(language, []), options.files)
        known = truth_for(language, options.typescript)(paths) if paths else {}
        score = Score()
        for path, wanted in known.items():
            score.add(path, wanted)
        for path, wanted in list(known.items())[: options.tool_files]:
            for name, command in tools.items():
                score.add_tool(name, command, path, wanted)
        if not score.wanted:
            print(f"{language:12}{score.files:>6}  no files, or no definitions")
            continue
        row = f"{language:12}{score.files:>6}{score.wanted:>7}{score.found / score.wanted:>8.3f}"
        row += f"{score.exact / score.ranged:>8.3f}" if score.ranged else f"{'-':>8}"
        if BY_NAME[language].module == "code":
            times.append(speed(language, paths[:40]))
            row += f"{times[-1][0] / times[-1][1]:>9.2f}"
        else:
            row += f"{'-':>9}"
        print(
            row + "".join(f"{score.tools[name] / max(1, score.tool_wanted[name]):>13.3f}" for name in tools), flush=True
        )
        for one in score.missed[: options.missed]:
            print("   missed", one, file=sys.stderr)
    if len(times) > 1:
        print(f"{'all':41}{sum(ours for ours, _ in times) / sum(bare for _, bare in times):>8.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
