"""Focus: the same reveals in another order, what is near the focus first (CONTRACT section 2)."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from math import log

from budgeted_reads.errors import ReadError
from budgeted_reads.outline import Range
from budgeted_reads.text import Text
from budgeted_reads.views import sections
from budgeted_reads.views.code import LONG_LINE
from budgeted_reads.views.order import Order, settle
from budgeted_reads.views.rows import ALL, EXTENT, LEAD, LINE, OUTLINE, Reveal
from budgeted_reads.views.sections import Index, Named
from budgeted_reads.views.sentences import ends

MOST_ENTRIES = 8
"""Words open at most this many entries first, the best before the next."""

SHORT_ENTRY = 40
"""An entry of at most this many lines opens from its top, a longer one around its best line."""

K1, B, TITLE = 1.2, 0.75, 3
"""The usual constants of BM25; a word of a title counts as often as this many of the text."""

_LINE = re.compile(r"L([1-9]\d*)\Z")
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")
_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def focused(text: Text, order: Order, index: Index, focus: str) -> Order:
    """The reveals of ORDER, those near FOCUS first: an entry by its exact name, else `L<n>`, else words.

    Words that the text does not have leave the order as it is.
    """
    first = list(_near(text, index, focus))
    return Order(settle([*first, *order.reveals]), order.named_lines)


def _near(text: Text, index: Index, focus: str) -> Iterator[Reveal]:
    everything = index.everything
    named = _entry(index, focus)
    if named is not None and not _LINE.match(focus):
        yield from _open(text, everything, _lines(named), None)
        return
    if at := _LINE.match(focus):
        line = min(int(at[1]), text.line_count)
        around = sections.innermost(everything, line)
        if line:
            yield from _open(text, everything, _lines(around) if around else (1, text.line_count), line)
        return
    for lines, best in _ranked(text, everything, focus):
        yield from _open(text, everything, lines, best if lines[1] - lines[0] >= SHORT_ENTRY else None)


def _entry(index: Index, focus: str) -> Named | None:
    try:
        return index.find(focus)
    except ReadError:
        return None


def _lines(named: Named) -> Range:
    return named.entry.start, named.entry.end


def _open(text: Text, everything: Sequence[Named], lines: Range, near: int | None) -> Iterator[Reveal]:
    """The own lines around LINES, then LINES: from the top, or by their distance from NEAR."""
    for one in everything:
        entry = one.entry
        if entry.start <= lines[0] and lines[1] <= entry.end:
            if len(text.line(entry.own).encode("utf-8", "surrogatepass")) <= LONG_LINE:
                yield Reveal(entry.own, LINE, 0, OUTLINE)
            if entry.end > entry.own:
                yield Reveal(entry.own, EXTENT, entry.end, OUTLINE)
    numbers: Sequence[int] = range(lines[0], lines[1] + 1)
    if near is not None:
        numbers = sorted(numbers, key=lambda number: (abs(number - near), number))
    for number in numbers:
        line = text.line(number)
        if not line.strip():
            continue
        if len(line.encode("utf-8", "surrogatepass")) > LONG_LINE:
            # Nor may it hold up what is told without a focus: the rest of it comes where it always does.
            yield from (Reveal(number, LEAD, at, ALL) for at in ends(line)[:-1] if at <= LONG_LINE)
        else:
            yield Reveal(number, LINE, 0, ALL)


def _ranked(text: Text, everything: Sequence[Named], words: str) -> list[tuple[Range, int]]:
    """The parts of TEXT that tell most of WORDS by BM25, best first, each with the line that tells most."""
    parts = _parts(text, everything)
    query = set(terms(words))
    counts = []
    for lines, title in parts:
        own = chain.from_iterable(terms(text.line(number)) for number in range(lines[0], lines[1] + 1))
        counts.append(Counter(chain(own, terms(title) * TITLE)))
    sizes = [max(1, sum(count.values())) for count in counts]
    mean = sum(sizes) / max(1, len(sizes))
    holding = {term: sum(term in count for count in counts) for term in query}
    weight = {term: log(1 + (len(parts) - held + 0.5) / (held + 0.5)) for term, held in holding.items()}
    scored = []
    for (lines, _), count, size in zip(parts, counts, sizes, strict=True):
        score = sum(
            weight[term] * count[term] * (K1 + 1) / (count[term] + K1 * (1 - B + B * size / mean))
            for term in query
            if count[term]
        )
        if score > 0:
            scored.append((-score, lines))
    best = []
    for _, lines in sorted(scored)[:MOST_ENTRIES]:
        strength = {
            number: sum(weight[term] for term in query.intersection(terms(text.line(number))))
            for number in range(lines[0], lines[1] + 1)
        }
        best.append((lines, max(strength, key=lambda number: (strength[number], -number))))
    return best


def _parts(text: Text, everything: Sequence[Named]) -> list[tuple[Range, str]]:
    """Runs of lines with one innermost entry, with the titles around them."""
    owner: list[Named | None] = [None] * (text.line_count + 1)
    for one in everything:
        owner[one.entry.start : one.entry.end + 1] = [one] * (one.entry.end - one.entry.start + 1)
    parts: list[tuple[Range, str]] = []
    before: Named | None = None
    for number in range(1, text.line_count + 1):
        here = owner[number]
        if parts and here is before:
            parts[-1] = ((parts[-1][0][0], number), parts[-1][1])
        else:
            parts.append(((number, number), here.path[-1] if here else ""))
        before = here
    return parts


def terms(words: str) -> list[str]:
    """The words of WORDS in lower case: parts of camelCase and snake_case apart, CJK by letters and pairs."""
    found = []
    for word in _WORD.findall(words):
        if _CJK.match(word):
            found.extend(word)
            found.extend(word[at : at + 2] for at in range(len(word) - 1))
        else:
            found.append(word.lower())
    return found
