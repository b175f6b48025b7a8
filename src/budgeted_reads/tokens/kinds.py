"""The kind of a text: what decides how far one tokenizer's count may lie from another's.

By format first; the script of the letters decides for prose and can only make the kind of another text worse. Where a
text is several kinds, or cannot be told, it is the worst of what it may be.
"""

from collections import Counter
from collections.abc import Iterable
from string import digits as DIGITS
from string import punctuation as PUNCTUATION

KINDS = ("cyrillic", "prose", "cjk", "data", "code", "markup", "minified", "latin", "unknown")
"""Every kind, from the one with the lowest bound to the one with the highest.

`prose` is English; `latin` is any other language in Latin letters; `cjk` Chinese, Japanese and Korean; `data` JSON and
tables; `markup` HTML, XML, style sheets, YAML and other configuration; `minified` code or markup in very long lines;
`unknown` any other script, a text without words, or one that cannot be told.
"""

MARKUP = frozenset(
    (
        "html",
        "xhtml",
        "xml",
        "svg",
        "css",
        "scss",
        "sass",
        "less",
        "vue",
        "svelte",
        "yaml",
        "toml",
        "ini",
        "cfg",
        "properties",
        "env",
        "conf",
        "dockerfile",
        "makefile",
    )
)
DATA = frozenset(("json", "jsonl", "ndjson", "json5", "jsonc", "geojson", "csv", "tsv", "notebook", "lock"))
PROSE = frozenset(("markdown", "mdx", "rst", "restructuredtext", "asciidoc", "org", "latex", "text", "plain"))

SAMPLES, SAMPLE = 64, 256
"""So many windows of so many code points, evenly spread, are looked at: the work is the same for every large text."""

LONG_LINES = 400
"""Code and markup whose lines are longer than this on average is minified."""

PRESENT = 0.02
"""A script with at least this share of the letters is present."""

LEADING = 0.15
"""A text with so many Cyrillic or CJK letters is of that kind, whatever ASCII (code, names) stands between them."""

ACCENTED = 0.01
"""So large a share of Latin letters outside ASCII makes a text other than English."""

ENGLISH_WORDS = frozenset(
    ("the", "of", "and", "to", "is", "that", "for", "it", "with", "this", "are", "be", "you", "as", "from", "not", "by")
)
ENGLISH = 0.07
"""A text in ASCII letters is English when at least this share of its words are ENGLISH_WORDS; else `latin`."""

DENSE = 0.12
"""Plain text with more ASCII punctuation than this, among what is not white space, may be code or markup."""

SCRIPTS = (
    ("ascii", 0x00, 0x7F),
    ("latin", 0x80, 0x2AF),
    ("cyrillic", 0x400, 0x52F),
    ("cjk", 0x3000, 0xA4CF),
    ("cjk", 0xAC00, 0xD7AF),
    ("cjk", 0xF900, 0xFAFF),
    ("cjk", 0xFF00, 0xFFEF),
    ("cjk", 0x20000, 0x323AF),
    ("latin", 0x1E00, 0x1EFF),
    ("latin", 0x2070, 0x2BFF),
)
"""Blocks of code points by script, first and last; what is in none is `unknown`; arrows pass as `latin`."""

SIGNS = 0.5
"""A text with more digits and punctuation than this is no language at all."""


def worst(kinds: Iterable[str]) -> str:
    """The one of KINDS whose bound is the highest; `unknown` for none."""
    return max(kinds, key=KINDS.index, default="unknown")


def kind_of(text_sample: str, format: str | None = None, style: str | None = None) -> str:
    """The kind of a text, one of KINDS, from the text (or a part of it), its format and the style of its outline.

    Reads at most SAMPLES x SAMPLE code points closely and counts lines; equal input gives an equal kind.
    """
    sample = _sample(text_sample)
    letters = _letters(sample)
    kinds = _foreign(letters)
    base = _base((format or "").lower(), style)
    if base:
        kinds.add(base)
        if base != "data" and len(text_sample) > LONG_LINES * (text_sample.count("\n") + 1):
            kinds.add("minified")
        return worst(kinds)
    if letters["ascii"] >= PRESENT and max(letters["cyrillic"], letters["cjk"]) < LEADING:
        kinds.add("prose" if _is_english(sample) else "latin")
    visible = sum(map(len, sample.split())) or 1
    if sum(map(sample.count, DIGITS + PUNCTUATION)) > SIGNS * visible:
        kinds.add("unknown")
    elif style != "prose" and sum(map(sample.count, PUNCTUATION)) > DENSE * visible:
        kinds.add("markup")
    return worst(kinds)


def _base(format: str, style: str | None) -> str | None:
    """The kind that the format settles; None where the text itself must tell."""
    if format in MARKUP:
        return "markup"
    if format in DATA or style == "data":
        return "data"
    if format in PROSE or style in ("prose", "plain"):
        return None
    return "code" if style == "code" or format else None


def _sample(text: str) -> str:
    if len(text) <= SAMPLES * SAMPLE:
        return text
    step = (len(text) - SAMPLE) // (SAMPLES - 1)
    return "\n".join(text[at * step : at * step + SAMPLE] for at in range(SAMPLES))


def _letters(sample: str) -> dict[str, float]:
    """The share of each script in the letters of SAMPLE, emoji and marks among them; all 0 where there are none."""
    total = dict.fromkeys(("ascii", "latin", "cyrillic", "cjk", "unknown"), 0)
    for char, times in Counter(sample).items():
        if char.isalpha() or "\u0300" <= char < "\u2000" or char >= "\u2070":
            total[_script(ord(char))] += times
    whole = sum(total.values()) or 1
    return {script: times / whole for script, times in total.items()}


def _script(code: int) -> str:
    for script, first, last in SCRIPTS:
        if first <= code <= last:
            return script
    return "unknown"


def _foreign(letters: dict[str, float]) -> set[str]:
    """The kinds of the scripts beyond ASCII that are present."""
    least = {"latin": ACCENTED, "cyrillic": PRESENT, "cjk": PRESENT, "unknown": PRESENT}
    return {script for script, share in least.items() if letters[script] >= share}


def _is_english(sample: str) -> bool:
    words = sample.lower().split()
    return sum(word in ENGLISH_WORDS for word in words) >= ENGLISH * len(words)
