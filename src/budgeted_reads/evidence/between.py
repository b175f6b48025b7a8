"""What may stand between a quoted text and the pointer that it is quoted from (CONTRACT section 4). Pure.

A distance is a count of words and separators, 0 for the closest; None says that the two do not go together.
"""

import re

FAR = 160
"""Nothing goes together over more characters than that."""

MOST_WORDS = 4
"""So many connecting words may stand between."""

SMALL = 5
"""A word of at most so many letters connects."""

_LONGER = frozenset({"according", "appears", "defined", "quoted", "source", "stands", "states", "written"})
_PARTING = frozenset({"and", "but", "isn't", "isn’t", "never", "no", "nor", "not", "or"})
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_WORDS = re.compile(r"[^\W_]+")
_EDGE = "\"'`“”«»‘’()[]{}<>*_~|,;:.!?-–—"
_SENTENCE_END = re.compile(r"(?:[.!?…][\"'”»)\]*_]*\s+|[。！？])(?=\S|\Z)")
_CLOSED = re.compile(r"[.!?…。！？][\"'”»)\]*_]*\s*\Z")
_OPENERS = " \t\r\n([{<*_`\"'“«-–—>"
_APPOSED = re.compile(r"[\s*_`'>|(\[{–—-]*")
_LED = re.compile(r"(?::|\b(?:says|reads|states))[\s*_`'>|(\[{]*\Z")


def before(gap: str, path: str, *, sentence: bool) -> int | None:
    """The distance of a quoted text from a pointer to PATH that GAP leads up to; with SENTENCE they must share one."""
    if len(gap) > FAR or (sentence and any(gap[end.end() :].strip(_OPENERS) for end in _SENTENCE_END.finditer(gap))):
        return None
    return _distance(gap, path)


def after(gap: str, path: str) -> int | None:
    """The distance of a quoted text from a pointer to PATH that stands GAP before it."""
    if len(gap) > FAR or _SENTENCE_END.search(gap):
        return None
    if _APPOSED.fullmatch(gap):
        return 0
    return _distance(gap, path) if _LED.search(gap) else None


def connects(gap: str, path: str, most: int = MOST_WORDS) -> bool:
    """Whether GAP has nothing but punctuation, at most MOST connecting words and the name of PATH."""
    return len(gap) <= FAR and _distance(gap, path, most) is not None


def introduces(rest: str, path: str) -> bool:
    """Whether REST of a paragraph behind a pointer to PATH leads straight to a colon."""
    return ends_in_colon(rest) and not _SENTENCE_END.search(rest.rstrip()) and connects(rest, path)


def ends_in_colon(text: str) -> bool:
    """Whether TEXT, emphasis aside, ends in a colon."""
    return text.rstrip().rstrip("*_").endswith((":", "："))


def closed(text: str) -> bool:
    """Whether TEXT ends with a sentence."""
    return _CLOSED.search(text) is not None


def words(text: str) -> int:
    """How many words TEXT has."""
    return sum(1 for _ in _WORDS.finditer(text))


def is_name(said: str, path: str) -> bool:
    """Whether SAID names PATH, whole or behind one of its slashes, rather than quote it."""
    return said == path or path.endswith("/" + said)


def _distance(gap: str, path: str, most: int = MOST_WORDS) -> int | None:
    count = 0
    for piece in gap.split():
        bare = piece.strip(_EDGE)
        if bare and is_name(bare, path):
            continue
        for found in _WORD.finditer(bare):
            word = found[0].lower()
            if word in _PARTING or (len(word) > SMALL and word not in _LONGER):
                return None
            count += 1
    if count > most:
        return None
    return count + gap.count(",") + gap.count(";") + gap.count(".")
