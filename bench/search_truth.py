"""Whether searches find what they should, on a repository that nobody tuned for, at its HEAD.

    python bench/search_truth.py equal REPOSITORY --count 500     (path, line) sets against `git grep -n -I`
    python bench/search_truth.py budgets REPOSITORY --count 200   tokens of text answers against their budgets
    python bench/search_truth.py ranked REPOSITORY --count 150    mean reciprocal rank of questions with known answers,
                                  [--ending .rs]                  on definitions in files with that ending, else .py
    python bench/search_truth.py paraphrased REPOSITORY --tree NAME   of questions by hand, in other words than the page

Patterns and questions are drawn by --seed from the repository itself. `equal` leaves out files that git cannot match
as text in UTF-8 with LF: other encodings, CRLF, and secret files, of which only names are searched. A question of
`ranked` is a name (`where is NAME defined`), a name in words, or six words of a doc; what it must find are the lines of
the definition. `doc` uses words of the indexed text itself, so it flatters every engine that compares words. The
questions of `paraphrased` are those of bench/paraphrases.tsv for NAME: a page, the beginning of a heading, a question
by hand that avoids their words; the folder that holds the pages is searched.
"""

import argparse
import os
import random
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from budgeted_reads import secret, tokens
from budgeted_reads.errors import ReadError
from budgeted_reads.node import Node
from budgeted_reads.outline.registry import outline
from budgeted_reads.search.pattern import compile_pattern
from budgeted_reads.search.request import search_request
from budgeted_reads.search.words import STOP
from budgeted_reads.text import decode
from budgeted_reads.views.placed import flatten

BUDGETS = (100, 200, 400, 1000, 4000)
LONG = 120.0
DOC = 400
HEADINGS = frozenset(("returns", "examples", "parameters", "notes", "references", "raises", "also", "explanation"))
KINDS = frozenset(("function", "class", "method", "struct", "interface", "trait", "enum", "record", "type", "macro"))
CJK = re.compile("[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]{4,}")

Lines = set[tuple[bytes, int]]


class Pattern(NamedTuple):
    """One pattern, and whether it is an expression and ignores case."""

    query: str
    regex: bool
    ignore_case: bool


def git(repository: Path, *words: str, status: tuple[int, ...] = (0,)) -> bytes:
    """The output of one git command in a UTF-8 locale, without the user's configuration."""
    env = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    run = subprocess.run(["git", "-C", str(repository), *words], env=env, capture_output=True, check=False)
    if run.returncode not in status:
        raise SystemExit(f"git {' '.join(words)}: {run.stderr.decode()}")
    return run.stdout


def texts(repository: Path) -> dict[bytes, str]:
    """The files at HEAD that git and we read alike, by path."""
    rows = git(repository, "ls-tree", "-r", "-z", "HEAD").split(b"\0")
    listed = [(row.split()[2].decode(), row.partition(b"\t")[2]) for row in rows if row.startswith(b"100")]
    batch = "".join(f"{blob}\n" for blob, _ in listed).encode()
    out = subprocess.run(
        ["git", "-C", str(repository), "cat-file", "--batch"], input=batch, capture_output=True, check=True
    ).stdout
    found: dict[bytes, str] = {}
    at = 0
    for _, path in listed:
        end = out.index(b"\n", at)
        size = int(out[at:end].split()[2])
        raw = out[end + 1 : end + 1 + size]
        at = end + 2 + size
        if b"\0" in raw[:8000] or b"\r" in raw or secret.secret_path(path) or b"PRIVATE KEY" in raw:
            continue
        try:
            found[path] = raw.decode("utf-8")
        except UnicodeDecodeError:
            continue
    return found


def patterns(files: dict[bytes, str], count: int, seed: int) -> Iterator[Pattern]:
    """COUNT patterns out of lines of FILES: half of them literal, one in five without case, some CJK."""
    chance = random.Random(seed)
    paths = sorted(files)
    lines = [line for path in chance.sample(paths, min(400, len(paths))) for line in files[path].split("\n")]
    lines = [line for line in lines if 4 < len(line.strip()) < 300]
    foreign = [found[0] for line in lines if (found := CJK.search(line))]
    for number in range(count):
        line = chance.choice(lines).strip()
        start = chance.randrange(len(line))
        part = line[start : start + chance.choice((1, 2, 3, 5, 8, 13, 20))]
        if foreign and number % 10 == 0:
            part = chance.choice(foreign)[: chance.choice((1, 2, 4))]
        if not part.strip():
            part = line[:6]
        if number % 2:
            yield Pattern(expression(part, chance), True, number % 5 == 0)
        else:
            yield Pattern(part, False, number % 5 == 0)


def expression(part: str, chance: random.Random) -> str:
    """PART as an expression that means the same in RE2 and PCRE, loosened in some of its places."""
    spelled = "".join(
        "[0-9]" if char.isdigit() and chance.random() < 0.5 else "." if chance.random() < 0.08 else re.escape(char)
        for char in part
    )
    spelled = re.sub(r"[a-z]{3,}", lambda word: "[a-z]+" if chance.random() < 0.3 else word[0], spelled)
    form = chance.randrange(8)
    other = re.escape(chance.choice(("return", "import", "self", "x", "der")))
    ways = (
        f"^{spelled}",
        f"{spelled}$",
        f"({spelled}|{other})",
        f"^[ \\t]*{spelled}",
        f"\\b{spelled}",
        f"(?:{spelled})+",
    )
    return ways[form] if form < len(ways) else spelled


def equal(repository: Path, count: int, seed: int) -> int:
    """Compare COUNT patterns; the number of those that differ."""
    files = texts(repository)
    wrong = total = 0
    with Node.open(repository) as node:
        searcher = node._searcher
        scopes = searcher.scopes.find(search_request({"query": "x", "commit": "HEAD"}, node.defaults))
        for pattern in patterns(files, count, seed):
            try:
                compiled = compile_pattern(pattern.query, regex=pattern.regex, ignore_case=pattern.ignore_case)
            except ReadError as error:
                print(f"refused: {pattern}: {error.line()}")
                continue
            found = searcher.exact(scopes, compiled, time.monotonic() + LONG)
            ours = {(file.source.path, int(n)) for file in found.files for n in file.matches}  # type: ignore[arg-type]
            theirs = by_git(repository, pattern)
            ours, theirs = ({row for row in rows if row[0] in files} for rows in (ours, theirs))
            total += len(theirs)
            if ours != theirs or not found.totals.complete:
                wrong += 1
                print(f"differs: {pattern}: ours only {list(ours - theirs)[:3]}, git only {list(theirs - ours)[:3]}")
    print(f"{repository.name}: {count} patterns, {total} lines of git grep, {wrong} patterns differ")
    return wrong


def by_git(repository: Path, pattern: Pattern) -> Lines:
    """The lines that `git grep -n -I` finds at HEAD."""
    kind = "-P" if pattern.regex else "-F"
    case = ["-i"] if pattern.ignore_case else []
    out = git(repository, "grep", "-n", "-I", "-z", kind, *case, "-e", pattern.query, "HEAD", status=(0, 1))
    return {(path[5:], int(number)) for path, number in re.findall(rb"([^\0]*)\0(\d+)\0[^\n]*\n", out)}


def budgets(repository: Path, count: int, seed: int) -> int:
    """Text answers to COUNT queries at every budget, counted again: the number of overruns and wrong counts."""
    files = texts(repository)
    counter = tokens.counter("o200k_base")
    wrong = answered = 0
    used = []
    with Node.open(repository) as node:
        for number, pattern in enumerate(patterns(files, count, seed)):
            mode = "ranked" if number % 4 == 3 else "regex" if pattern.regex else "literal"
            for budget in BUDGETS:
                asked: dict[str, Any] = {"query": pattern.query, "mode": mode, "budget_tokens": budget}
                try:
                    answer = node.find(asked, text=True)
                except ReadError as error:
                    if error.code not in ("budget_too_small", "invalid_pattern", "invalid_request"):
                        raise
                    continue
                answered += 1
                counted = counter.units(answer.text)
                wrong += counted > budget or counted != answer.tokens
                if answer.truncated:
                    used.append(counted / budget)
    share = sum(used) / max(1, len(used))
    print(f"{repository.name}: {answered} answers, {wrong} over budget or miscounted, {share:.3f} of the budget used")
    return wrong


class Question(NamedTuple):
    """A question, its form, and the lines that answer it."""

    form: str
    query: str
    path: bytes
    lines: tuple[int, int]


def questions(files: dict[bytes, str], count: int, seed: int, ending: str = ".py") -> list[Question]:
    """Three questions for each of COUNT definitions with a doc, whose names are defined once."""
    chance = random.Random(seed)
    defined: dict[str, list[tuple[bytes, Any, str]]] = {}
    for path, content in sorted(files.items()):
        if not path.endswith(ending.encode()):
            continue
        text = decode(content.encode("utf-8"))
        for placed in flatten(outline(text, path).entries):
            entry = placed.entry
            doc = text.slice(*entry.doc) if entry.doc and b"test" not in path else ""
            defined.setdefault(entry.title, []).append((path, entry, doc))
    single = [
        rows[0]
        for name, rows in sorted(defined.items())
        if len(rows) == 1 and rows[0][1].kind in KINDS and rows[0][2] and len(words_of(name)) > 1 and name[0] != "_"
    ]
    asked = []
    for path, entry, doc in chance.sample(single, min(count, len(single))):
        lines = entry.start, entry.end
        prose = "\n".join(line for line in doc.split("\n") if not line.lstrip().startswith((">>>", "...")))[:DOC]
        said = [word for word in re.findall(r"[A-Za-z]{4,}", prose) if word.lower() != entry.title.lower()]
        said = [word for word in dict.fromkeys(said) if word.lower() not in STOP | HEADINGS]
        asked.append(Question("where", f"where is {entry.title} defined", path, lines))
        asked.append(Question("words", f"{' '.join(words_of(entry.title))} implementation", path, lines))
        if len(said) >= 6:
            asked.append(Question("doc", " ".join(chance.sample(said, 6)), path, lines))
    return asked


def words_of(name: str) -> list[str]:
    """The words of an identifier."""
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+", name)]


def substrings(files: dict[bytes, str], count: int, seed: int) -> list[Question]:
    """Texts of 3 or 4 letters inside runs of CJK, each with the paths that hold it as answers."""
    chance = random.Random(seed)
    runs = sorted({(run, path) for path, text in files.items() for run in CJK.findall(text) if len(run) > 5})
    asked = []
    for run, path in chance.sample(runs, min(count, len(runs))):
        size = chance.choice((3, 4))
        start = chance.randrange(1, len(run) - size + 1)
        asked.append(Question("cjk", run[start : start + size], path, (0, 0)))
    return asked


def ranked(repository: Path, count: int, seed: int, ending: str = ".py") -> int:
    """Print the mean reciprocal rank by form of question, and recall at 10 of CJK substrings."""
    files = texts(repository)
    ranks: dict[str, list[float]] = {}
    hits: list[bool] = []
    with Node.open(repository) as node:
        while node.find({"query": "anything", "mode": "ranked", "commit": "HEAD"}).warnings:
            pass
        spent = []
        for question in (*questions(files, count, seed, ending), *substrings(files, count, seed)):
            asked = {"query": question.query, "mode": "ranked", "commit": "HEAD", "limit": 10, "budget_tokens": 100_000}
            start = time.perf_counter()
            matches = node.find(asked).matches
            spent.append(time.perf_counter() - start)
            if question.form == "cjk":
                found = {match.path for match in matches}
                hits.append(any(question.query in files.get(path.encode(), "") for path in found))
                continue
            place = next((n for n, match in enumerate(matches, 1) if answers(match, question)), 0)
            ranks.setdefault(question.form, []).append(1 / place if place else 0.0)
    for form, values in ranks.items():
        first = sum(value == 1 for value in values) / len(values)
        print(f"{repository.name}: {form}: MRR {sum(values) / len(values):.3f}, first {first:.2f}, of {len(values)}")
    if hits:
        print(f"{repository.name}: cjk: recall@10 {sum(hits) / len(hits):.3f} of {len(hits)}")
    print(f"{sorted(spent)[len(spent) // 2] * 1000:.1f} ms at the median, snippets and costs included")
    return 0


def paraphrased(repository: Path, tree: str) -> int:
    """Print how the questions of TREE in bench/paraphrases.tsv were answered: by the page, and by the section."""
    lines = (Path(__file__).parent / "paraphrases.tsv").read_text("utf-8").splitlines()
    rows = [line.split("\t")[1:] for line in lines if line.startswith(f"{tree}\t")]
    pages, sections = [], []
    with Node.open(repository) as node:
        folder = os.path.commonpath([path for path, _, _ in rows])
        asked: dict[str, Any] = {"mode": "ranked", "commit": "HEAD", "path": folder, "budget_tokens": 100_000}
        while node.find({"query": "anything", **asked}).warnings:
            pass
        for path, heading, query in rows:
            matches = node.find({"query": query, **asked}).matches
            same = [(n, match.entry.split(" > ")) for n, match in enumerate(matches, 1) if match.path == path]
            page = next((n for n, _ in same), 0)
            section = next((n for n, names in same if any(name.startswith(heading) for name in names)), 0)
            pages.append(page)
            sections.append(section)
            print(f"page {page or '-':>2} section {section or '-':>2}  {query}")
    for name, ranks in (("page", pages), ("section", sections)):
        mean = sum(1 / rank for rank in ranks if rank) / len(ranks)
        found = sum(rank > 0 for rank in ranks)
        print(f"{tree}: {name}: MRR {mean:.3f}, first {ranks.count(1)}, among ten {found}, of {len(ranks)}")
    return 0


def answers(match: Any, question: Question) -> bool:
    """Whether MATCH begins in the lines that answer QUESTION: an entry around them is no answer."""
    first, last = question.lines
    return bool(match.path.encode() == question.path and first <= match.lines[0] <= last)


def main() -> int:
    """Run one measure; the exit code is 1 where an answer is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("measure", choices=("equal", "budgets", "ranked", "paraphrased"))
    parser.add_argument("repository", type=Path)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ending", default=".py", help="of the files whose definitions are asked for")
    parser.add_argument("--tree", default="ours", help="whose questions of paraphrases.tsv are asked")
    given = parser.parse_args()
    if given.measure == "paraphrased":
        return paraphrased(given.repository, given.tree)
    if given.measure == "ranked":
        return ranked(given.repository, given.count, given.seed, given.ending)
    measure = {"equal": equal, "budgets": budgets}[given.measure]
    return 1 if measure(given.repository, given.count, given.seed) else 0


if __name__ == "__main__":
    sys.exit(main())
