"""Text to the terms that a ranked search compares: the same for files and for questions.

An identifier is a term as a whole and in its parts (`readAllLines`: read, all, lines); runs of Chinese, Japanese and
Korean are terms by the letter and by pairs of letters; everything is NFKC and in one case.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

LONGEST = 80
"""A longer word is no term: it is data."""

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
_WORD = re.compile(rf"[A-Za-z0-9_]+|[{_CJK}]+|[^\W{_CJK}]+")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_MARKS = 64

_SMALL = (
    "a an and are as at be by can do does for from how i in is it of on or that the this to was we what when where "
    "which who why will with you your"
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
        if re.match(f"[{_CJK}]", word):
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


def of_question(query: str) -> list[str]:
    """The distinct terms of a question, without words that say nothing."""
    found = list(dict.fromkeys(terms(query)))
    return [term for term in found if term not in STOP] or found
