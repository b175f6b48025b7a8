"""Where sentences end: what a lead row shows of a long paragraph."""

import re

SHORT_LEAD = 40
"""While a lead is shorter than this many bytes, the next sentence belongs to it ..."""

LONG_LEAD = 160
"""... unless both together have more than this many: a lead that nobody can afford says nothing."""

_END = re.compile(
    r"""(?: (?<![.\s])[.!?…]+ [)\]}"'”’»*_`]* (?=\s|$)     # . ! ? and what closes after them, before white space
          | [。！？]+ [」』）”’*_]* )                         # CJK ends need no white space
    """,
    re.VERBOSE,
)
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:[A-Za-z]|e\.g|i\.e|etc|cf|vs|Dr|Mr|Mrs|Ms|St|No|Nr|Fig|approx|resp|bzw|z\.B|p\.ej|\d+)\.$"
)


def ends(text: str) -> list[int]:
    """Offsets in TEXT just after each sentence, increasing; the end of TEXT always is the last."""
    if text.isascii() and "." not in text and "!" not in text and "?" not in text:
        # Most lines of a log or a table, of which there are very many.
        whole = len(text.rstrip())
        return [whole] if whole else []
    found = []
    for match in _END.finditer(text):
        at = match.end()
        if _ABBREVIATION.search(text, max(0, match.start() - 12), match.start() + 1):
            continue
        rest = text[at : at + 2].lstrip()
        if rest[:1].islower() and text[match.start()] == ".":
            continue
        found.append(at)
    whole = len(text.rstrip())
    if whole and (not found or found[-1] < whole):
        found.append(whole)
    return found


def lead_end(text: str) -> int:
    """The offset after the first sentence of TEXT; while that is under SHORT_LEAD bytes, after the next."""
    before = 0
    for at in ends(text):
        size = len(text[:at].encode("utf-8", "surrogatepass"))
        if before and size > LONG_LEAD:
            return before
        if size >= SHORT_LEAD:
            return at
        before = at
    return len(text.rstrip())
