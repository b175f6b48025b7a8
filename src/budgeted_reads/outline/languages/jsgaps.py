"""What the grammars of JavaScript and TypeScript cannot read, in words as long that they can."""

import re
from collections.abc import Sequence

from budgeted_reads.outline.languages.unread import without

_NAMES = (
    # `<b class="a" for={b}>`: attributes that are called as words of the language
    re.compile(rb"(?P<kept>\s)(?:class|for|default|function|typeof|new|in|if)(?==[\"'{])"),
    # `a: import("b").C<D>`
    re.compile(rb"import[ \t]*+\([ \t]*+(?:\"[^\"\n]*+\"|'[^'\n]*+')[ \t]*+\)"),
    # `in_reply_to: string` on its own line, which is not the operator
    re.compile(rb"(?P<kept>\n[ \t]*+)in(?=[_$\d])"),
)
_AMPERSAND = re.compile(rb"&(?<!&&)(?=[A-Za-z_]\w*+[^\w;])")
"""`?a=1&b=2` in the text of an element, where it begins no entity; between two names, one operator is as another."""

_ALL_TYPES = re.compile(rb"(?P<kept>\bexport )type(?= \*)")
"""`export type * from`."""


def mended(source: bytes, _: Sequence[tuple[int, int]]) -> tuple[bytes, bool]:
    """SOURCE with names in the place of what the grammars do not take for some; all of it is still there."""
    for pattern in _NAMES:
        source = pattern.sub(_named, source)
    return without(_AMPERSAND.sub(b"+", source), (_ALL_TYPES,)), True


def _named(found: "re.Match[bytes]") -> bytes:
    kept = found["kept"] if "kept" in found.re.groupindex else b""
    return kept + b"_" * (len(found[0]) - len(kept))
