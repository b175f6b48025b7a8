"""Does focus open the right passage? Questions over this project's own pages and sources, beside BM25 chunks.

    python bench/focus.py

Each row of bench/questions.tsv is a file, a question in other words than the file's heading, and the passage that
answers it: a line that holds a text, or (`@name`) the lines of an entry. `recall` is the mean share of the passage's
lines that the answer shows whole, at N tokens with the header. The rival cuts the same file into chunks of paragraphs
(at most 12 lines), ranks them by BM25 with the same words, and gives the best that fit in N, with their line numbers.
"""

import argparse
import statistics
import sys
from collections import Counter
from math import log
from pathlib import Path
from typing import NamedTuple

from budgeted_reads import tokens
from budgeted_reads.outline import Range
from budgeted_reads.outline.registry import outline
from budgeted_reads.text import Text, decode
from budgeted_reads.views.ask import Ask
from budgeted_reads.views.face import Face, Heading
from budgeted_reads.views.focus import terms
from budgeted_reads.views.read import read
from budgeted_reads.views.sheet import Sheet

TOP = Path(__file__).resolve().parent.parent
CHUNK = 12
COUNT = tokens.counter("o200k_base")


class Question(NamedTuple):
    """A question, the text that it is asked of, and the lines that answer it."""

    path: str
    words: str
    sheet: Sheet
    lines: Range


def questions() -> list[Question]:
    """The rows of the table; one whose passage is not there any more is an error."""
    found = []
    for row in (TOP / "bench" / "questions.tsv").read_text(encoding="utf-8").splitlines():
        path, words, passage = row.split("\t")
        text = decode((TOP / path).read_bytes())
        sheet = Sheet(text, outline(text, path.encode()))
        try:
            found.append(Question(path, words, sheet, _lines(sheet, passage)))
        except LookupError:
            raise SystemExit(
                f"bench/questions.tsv: {path} has no {passage!r}: say where the answer stands now"
            ) from None
    return found


def _lines(sheet: Sheet, passage: str) -> Range:
    if passage.startswith("@"):
        entry = sheet.index.find(passage[1:]).entry
        return entry.own, entry.end
    numbers = [number for number, line in enumerate(sheet.lines, 1) if passage in line]
    if not numbers:
        raise LookupError(passage)
    return numbers[0], numbers[0]


def shown(text: str) -> set[int]:
    """The numbers of lines that stand whole in an answer: rows that are not marked as clipped."""
    rows = (row.partition(" ") for row in text.splitlines())
    return {int(label.partition("-")[0]) for label, _, rest in rows if label[:1].isdigit() and not rest.endswith("…")}


def ours(question: Question, budget: int) -> set[int]:
    """The lines that a read with focus shows."""
    face = Face(COUNT, "unknown", Heading(question.path.encode(), "0123456789ab"))
    view = read(question.sheet, Ask(budget=budget, focus=question.words), face)
    if view.view == "full":
        return set(range(1, question.sheet.text.line_count + 1))
    return shown(view.text)


def chunks(text: Text) -> list[Range]:
    """Paragraphs of at most CHUNK lines."""
    found: list[Range] = []
    first = 1
    for number in range(1, text.line_count + 1):
        if number - first + 1 == CHUNK or not text.line(number).strip() or number == text.line_count:
            found.append((first, number))
            first = number + 1
    return found


def rival(question: Question, budget: int) -> set[int]:
    """The lines of the chunks that BM25 likes best, as many as fit."""
    text = question.sheet.text
    parts = chunks(text)
    counts = [Counter(terms(text.slice(*lines))) for lines in parts]
    sizes = [max(1, sum(count.values())) for count in counts]
    mean = sum(sizes) / len(sizes)
    query = set(terms(question.words))
    held = {term: sum(term in count for count in counts) for term in query}
    scores = []
    for lines, count, size in zip(parts, counts, sizes, strict=True):
        score = sum(
            log(1 + (len(parts) - held[term] + 0.5) / (held[term] + 0.5))
            * count[term]
            * 2.2
            / (count[term] + 1.2 * (0.25 + 0.75 * size / mean))
            for term in query
            if count[term]
        )
        scores.append((-score, lines))
    left = budget
    kept: set[int] = set()
    for score, lines in sorted(scores):
        cost = COUNT.units(question.sheet.labelled(lines))
        if score < 0 and cost <= left:
            left -= cost
            kept.update(range(lines[0], lines[1] + 1))
    return kept


def main() -> int:
    """Print recall of the passages at each budget."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--budgets", default="400,1000")
    parser.add_argument("--misses", action="store_true", help="name the questions that were not answered whole")
    parsed = parser.parse_args()
    asked = questions()
    print(f"{len(asked)} questions")
    for budget in map(int, parsed.budgets.split(",")):
        for name, tool in (("ours", ours), ("BM25 chunks", rival)):
            shares = []
            for question in asked:
                wanted = {
                    number
                    for number in range(question.lines[0], question.lines[1] + 1)
                    if question.sheet.text.line(number).strip()
                }
                shares.append(len(wanted & tool(question, budget)) / len(wanted))
                if parsed.misses and shares[-1] < 1:
                    print(f"  {name} {shares[-1]:.2f} {question.path}: {question.words} {question.lines}")
            whole = sum(share == 1 for share in shares)
            print(f"N={budget:5} {name:12} recall {statistics.fmean(shares):.3f}, whole {whole} of {len(shares)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
