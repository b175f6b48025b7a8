"""C and C++ before the preprocessor: macros that stand where the grammar expects none, blanked for a second reading.

Only words in capitals, only where they look like markers: alone on a line (`FMT_BEGIN_NAMESPACE`), between `class` and
its name (`class FMT_API writer`), before the type of a declaration (`LUA_API int f(...)`), before its body
(`void lock() LOCKS(this) {`).
"""

import re

_MACRO = rb"_{0,2}[A-Z][A-Z0-9_]{3,}+(?:\([^()\n]*+\))?+"
_ALONE = re.compile(rb"\n[ \t]*+" + _MACRO + rb"[ \t\r]*+(?=\n|\Z)")
_NAMED = re.compile(rb"\b(?:class|struct|union|enum)[ \t]++(" + _MACRO + rb")(?=[ \t\n]+[A-Za-z_])")
_WORD = rb"(?:inline|static|extern|constexpr|virtual|explicit|friend)[ \t]++"
_BEFORE = re.compile(
    rb"\n[ \t]*+(?:template[ \t]*<[^\n]*>[ \t]+)?(?:" + _WORD + rb")*+(" + _MACRO + rb")[ \t]++"
    rb"(?=~|[A-Za-z_][\w:<>,]*+[ \t*&]+[A-Za-z_~])"
)
_AFTER = re.compile(rb"\)[ \t]*+(?:const[ \t]*+|noexcept[ \t]*+)*+\n?[ \t]*+(" + _MACRO + rb")(?=[ \t\r\n]*[{;])")


def blanked(source: bytes) -> bytes:
    """SOURCE with such macros as spaces: every other byte stays where it is."""
    # A line is found by the LF before it, five times faster than by its start: the first one is given one.
    made = _ALONE.sub(lambda found: b"\n" + b" " * (len(found[0]) - 1), b"\n" + source)
    for pattern in (_NAMED, _BEFORE, _AFTER):
        made, count = pattern.subn(_blank_group, made)
        if count and pattern is not _NAMED:
            # A second macro may stand directly behind the first.
            made = pattern.sub(_blank_group, made)
    return made[1:]


def _blank_group(found: "re.Match[bytes]") -> bytes:
    start, end = found.start(1) - found.start(), found.end(1) - found.start()
    whole = found[0]
    return whole[:start] + b" " * (end - start) + whole[end:]
