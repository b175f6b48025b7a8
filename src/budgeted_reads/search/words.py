"""Text to the terms that a ranked search compares: the same for files and for questions.

An identifier is a term as a whole and in its parts (`readAllLines`: read, all, lines); runs of Chinese, Japanese and
Korean are terms by the letter and by pairs of letters; everything is NFKC and in one case.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

LONGEST = 80
"""A longer word is no term: it is data."""

WHOLE, PART = 3.0, 0.5
"""What an identifier of a question weighs as a whole, and each of its parts, beside an ordinary word."""

BESIDE, DESCRIBED = 1.5, 3
"""What it weighs as a whole beside so many other words that say something."""

SPELLED = 0.5
"""What it weighs, for each word, that words of a question, one behind the other, spell the name of an entry."""

_MOST_SPELLED, _MOST_WORDS = 5, 30
"""Names of more words are not looked for, nor in more words of a question."""

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
_WORD = re.compile(rf"[{_CJK}]+|[^\W{_CJK}]+")
_IS_CJK = re.compile(f"[{_CJK}]")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_NAMED = re.compile(r"[A-Za-z0-9]_[A-Za-z0-9]|[a-z][A-Z]|[A-Z]{2}[a-z]")
_MARKS = 64

_SMALL = (
    "a an and are as at be by can do does for from how i in is it of on or that the this to was we what when where "
    "which who why will with you your define defined defines definition implement implemented implementation"
)
STOP = frozenset(_SMALL.split())
"""Words of a question that say nothing of its subject; left out unless there are no others."""


def terms(text: str) -> Iterator[str]:
    """The terms of TEXT in order, doubles and all."""
    if not text.isascii():
        text = normal(text)
    for word in _WORD.findall(text):
        yield from of_word(word)


def normal(text: str) -> str:
    """TEXT in NFKC; a long run of combining marks, which no writing has, is left as it is."""
    if re.search(rf"[\u0300-\u036f]{{{_MARKS}}}", text):
        return text
    return unicodedata.normalize("NFKC", text)


@lru_cache(maxsize=1 << 17)
def of_word(word: str) -> tuple[str, ...]:
    """The terms of one WORD: itself and its parts."""
    if len(word) > LONGEST and word.isascii():
        return ()
    if not word.isascii():
        if _IS_CJK.match(word):
            return (*word, *(word[at : at + 2] for at in range(len(word) - 1)))
        return (word.casefold(),) if len(word) <= LONGEST else ()
    whole = word.lower()
    if len(word) == 1:
        return (whole,)
    parts = [part.lower() for part in _PART.findall(word)]
    bare = whole.strip("_")
    if len(parts) < 2:
        return (whole,) if bare == whole or not bare else (whole, bare)
    return (whole, *parts) if bare == whole else (whole, bare, *parts)


class Question(NamedTuple):
    """A question as an index is asked it.

    `terms` weigh each what they say; `names` are those that its words may spell, each in the ways that code joins
    words (`readall`, `read_all`); `runs` are those of Chinese, Japanese and Korean, as their pairs of letters.
    """

    terms: dict[str, float]
    names: tuple[tuple[str, ...], ...] = ()
    runs: tuple[tuple[str, ...], ...] = ()


def of_question(query: str) -> Question:
    """QUERY without words that say nothing, unless there are no others."""
    words = _WORD.findall(query if query.isascii() else normal(query))
    runs = [of_word(word)[len(word) :] for word in words if _IS_CJK.match(word)]
    return Question(_weighed(words), _spelled(words), tuple(dict.fromkeys(run for run in runs if run)))


def _weighed(words: Sequence[str]) -> dict[str, float]:
    """The distinct terms of WORDS, each with what it weighs.

    A word that only code has (`read_all`, `readAll`) is meant as a whole: it weighs more, and its parts less. Beside
    many other words it may be what the question is about, or what it is told by: it weighs less then.
    """
    weights: dict[str, float] = {}
    others = sum(word.lower() not in STOP and not _NAMED.search(word) for word in words)
    meant = WHOLE if others < DESCRIBED else BESIDE
    for word in words:
        whole, *parts = of_word(word) or ("",)
        if _IS_CJK.match(word):
            # A letter beside pairs of letters is a part of them.
            letters, pairs = of_word(word)[: len(word)], of_word(word)[len(word) :]
            found = {**dict.fromkeys(letters, PART if pairs else 1.0), **dict.fromkeys(pairs, 1.0)}
        elif word.isascii() and _NAMED.search(word):
            found = {**dict.fromkeys(parts, PART), whole: meant}
        else:
            found = dict.fromkeys((whole, *parts), 1.0)
        for term, weight in found.items():
            weights[term] = max(weights.get(term, 0.0), weight)
    weights.pop("", None)
    return {term: weight for term, weight in weights.items() if term not in STOP} or weights


def _spelled(words: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """The names that WORDS may spell, small words and all: `from_row` is a name."""
    plain = [word.lower() for word in words if word.isascii() and word.isalnum()][:_MOST_WORDS]
    sizes = range(2, _MOST_SPELLED + 1)
    runs = [plain[at : at + size] for size in sizes for at in range(len(plain) - size + 1)]
    return tuple(dict.fromkeys(("".join(run), "_".join(run)) for run in runs))
