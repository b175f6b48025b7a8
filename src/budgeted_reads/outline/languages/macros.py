"""C and C++ before the preprocessor: macros that stand where the grammar expects none, blanked for a second reading.

Only words in capitals, only where they look like markers: alone on a line (`FMT_BEGIN_NAMESPACE`), between `class` and
its name (`class FMT_API writer`), before the type of a declaration (`LUA_API int f(...)`), before its body
(`void lock() LOCKS(this) {`).
"""

import re

_MACRO = rb"[A-Z][A-Z0-9_]{3,}+(?:\([^()\n]*+\))?+"
_ALONE = re.compile(rb"^[ \t]*+" + _MACRO + rb"[ \t\r]*+$", re.MULTILINE)
_NAMED = re.compile(rb"\b(?:class|struct|union|enum)[ \t]++(" + _MACRO + rb")(?=[ \t\n]+[A-Za-z_])")
_WORD = rb"(?:inline|static|extern|constexpr|virtual|explicit|friend)[ \t]++"
_BEFORE = re.compile(
    rb"^[ \t]*+(?:template[ \t]*<[^\n]*>[ \t]+)?(?:" + _WORD + rb")*+(" + _MACRO + rb")[ \t]++"
    rb"(?=~|[A-Za-z_][\w:<>,]*+[ \t*&]+[A-Za-z_~])",
    re.MULTILINE,
)
_AFTER = re.compile(rb"\)[ \t]*(?:const[ \t]*|noexcept[ \t]*)*\n?[ \t]*(" + _MACRO + rb")(?=[ \t\r\n]*[{;])")


def blanked(source: bytes) -> bytes:
    """SOURCE with such macros as spaces: every other byte stays where it is."""
    source = _ALONE.sub(lambda found: b" " * len(found[0]), source)
    for pattern in (_NAMED, _BEFORE, _AFTER):
        source, count = pattern.subn(_blank_group, source)
        if count and pattern is not _NAMED:
            # A second macro may stand directly behind the first.
            source = pattern.sub(_blank_group, source)
    return source


def _blank_group(found: "re.Match[bytes]") -> bytes:
    start, end = found.start(1) - found.start(), found.end(1) - found.start()
    whole = found[0]
    return whole[:start] + b" " * (end - start) + whole[end:]
