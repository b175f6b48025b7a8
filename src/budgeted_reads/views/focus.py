"""Focus: the same reveals in another order, what is near the focus first (CONTRACT section 2)."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from math import log

from budgeted_reads import limits
from budgeted_reads.errors import ReadError, TooLarge
from budgeted_reads.outline import Range
from budgeted_reads.text import Text
from budgeted_reads.views import sections
from budgeted_reads.views.code import LONG_LINE
from budgeted_reads.views.order import Order, settle
from budgeted_reads.views.rows import ALL, EXTENT, LEAD, LINE, OUTLINE, Reveal
from budgeted_reads.views.sections import Index, Named
from budgeted_reads.views.sentences import ends

MOST_PARTS = 24
"""Words open at most this many parts first, the best before the next."""

AROUND = 10_000
"""Of the lines before and behind `L<n>` so many come first; where there are more, in the order of the whole text."""

PART_LETTERS = 500
"""Parts of about so many letters are ranked, twice as many where no blank line parts them."""

NAME = 3
"""A part with a name as it is written, that of an option for instance, counts as so many that have its words."""

BEFORE = 40
"""So many code points before a word in a long line are shown with it."""

K1, B, TITLE = 1.2, 0.75, 3
"""The usual constants of BM25; a word of a title counts as often as this many of the text."""

_LINE = re.compile(r"L([1-9]\d*)\Z")
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")
_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def focused(
    text: Text, order: Order, index: Index, focus: str, *, plain: bool = False, ceiling: int | None = None
) -> Order:
    """The reveals of ORDER, those near FOCUS first: an entry by its exact name, else `L<n>`, else words.

    Around a line comes its innermost entry, in a PLAIN text, whose entries are mere paragraphs, all that is near. Words
    that the text does not have leave the order as it is. Under the tier CEILING a line comes first only where ORDER
    shows it there: one that is never shown must not stand in the way of its name.
    """
    first: Iterable[Reveal] = _near(text, index, focus, plain)
    if ceiling is not None:
        tiers = {reveal.line: reveal.tier for reveal in order.reveals if reveal.what == LINE}
        lowered = (
            reveal._replace(tier=tiers.get(reveal.line, ALL)) if reveal.tier > ceiling else reveal for reveal in first
        )
        first = (reveal for reveal in lowered if reveal.tier <= ceiling and reveal.what != LEAD)
    return Order(settle([*first, *order.reveals]), order.named_lines)


def _near(text: Text, index: Index, focus: str, plain: bool) -> Iterator[Reveal]:
    everything = index.everything
    named = _entry(index, focus)
    if named is not None and not _LINE.match(focus):
        yield from _open(text, everything, _lines(named), None)
        return
    if at := _LINE.match(focus):
        line = min(int(at[1]), text.line_count)
        around = None if plain else sections.innermost(everything, line)
        if line:
            yield from _open(text, everything, _lines(around) if around else (1, text.line_count), line)
        return
    if text.large or len(text.content) > limits.FOCUS_LETTERS:
        raise TooLarge(
            f"a focus by words goes up to {limits.FOCUS_LETTERS // limits.MIB} MiB of text",
            "search for the words, then read with focus L<n>",
        )
    for lines in _ranked(text, everything, focus):
        yield from _open(text, everything, lines, None)


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
        close = range(max(lines[0], near - AROUND), min(lines[1], near + AROUND) + 1)
        numbers = sorted(close, key=lambda number: (abs(number - near), number))
    for number in numbers:
        line = text.line(number)
        if not line.strip():
            continue
        if len(line.encode("utf-8", "surrogatepass")) > LONG_LINE:
            # Nor may it hold up what is told without a focus: the rest of it comes where it always does.
            yield from (Reveal(number, LEAD, at, ALL) for at in ends(line)[:-1] if at <= LONG_LINE)
        else:
            yield Reveal(number, LINE, 0, ALL)


def column(line: str, focus: str) -> int:
    """A column of LINE a little before FOCUS, else before the first of its words that is there; else 1."""
    folded = line.casefold()
    for words in (focus.strip(), *re.findall(r"\w+", focus)):
        at = folded.find(words.casefold()) if words else -1
        # Folding may change the length of a line; then the place is only near.
        if at >= 0:
            return max(1, min(at, len(line)) - BEFORE)
    return 1


def _ranked(text: Text, everything: Sequence[Named], words: str) -> list[Range]:
    """The parts of TEXT that tell most of WORDS by BM25, best first."""
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
    name = words.strip().casefold()
    is_name = not any(map(str.isspace, name))
    scored = []
    for (lines, _), count, size in zip(parts, counts, sizes, strict=True):
        score = sum(
            weight[term] * count[term] * (K1 + 1) / (count[term] + K1 * (1 - B + B * size / mean))
            for term in query
            if count[term]
        )
        if score > 0:
            scored.append((-score * (NAME if is_name and _holds(text, lines, name) else 1), lines))
    return [lines for _, lines in sorted(scored)[:MOST_PARTS]]


def _holds(text: Text, lines: Range, name: str) -> bool:
    return any(name in text.line(number).casefold() for number in range(lines[0], lines[1] + 1))


def _parts(text: Text, everything: Sequence[Named]) -> list[tuple[Range, str]]:
    """Runs of lines with one innermost entry, cut at blank lines where they grow long, with the titles around them."""
    owner: list[Named | None] = [None] * (text.line_count + 1)
    for one in everything:
        owner[one.entry.start : one.entry.end + 1] = [one] * (one.entry.end - one.entry.start + 1)
    parts: list[tuple[Range, str]] = []
    before: Named | None = None
    size, blank = 0, False
    for number, line in enumerate(text.lines(), 1):
        here = owner[number]
        together = size + len(line) <= PART_LETTERS if blank or here is None else size + len(line) <= 2 * PART_LETTERS
        if parts and here is before and together:
            parts[-1] = ((parts[-1][0][0], number), parts[-1][1])
            size += len(line)
        else:
            parts.append(((number, number), " ".join(here.path) if here else ""))
            size = len(line)
        before, blank = here, not line.strip()
    return parts


def terms(words: str) -> list[str]:
    """The words of WORDS in lower case: parts of camelCase and snake_case apart, CJK by letters and pairs."""
    found = []
    for word in _WORD.findall(words):
        if _CJK.match(word):
            found.extend(word)
            found.extend(word[at : at + 2] for at in range(len(word) - 1))
        else:
            found.append(_stem(word.lower()))
    return found


def _stem(word: str) -> str:
    """WORD without the endings that questions and texts differ in."""
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    for end, least in (("ing", 7), ("ed", 6), ("es", 6), ("s", 4)):
        if word.endswith(end) and len(word) >= least and not word.endswith("ss"):
            return word[: -len(end)]
    return word
