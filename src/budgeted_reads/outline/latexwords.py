"""The words of a LaTeX title as they are set: letters for accents and ligatures, nothing for other commands."""

import re
from unicodedata import normalize

from budgeted_reads.outline.lines import named

_COMBINING = {
    "'": "\u0301", "`": "\u0300", "^": "\u0302", '"': "\u0308", "~": "\u0303", "=": "\u0304", ".": "\u0307",
    "u": "\u0306", "v": "\u030c", "H": "\u030b", "c": "\u0327", "d": "\u0323", "b": "\u0331", "k": "\u0328",
    "r": "\u030a",
}  # fmt: skip
_SIGNS = (
    "ss ß ae æ AE Æ oe œ OE Œ o ø O Ø l ł L Ł aa å AA Å dh ð DH Ð dj đ DJ Đ th þ TH Þ ng ŋ NG Ŋ i ı j ȷ S § P ¶"
    " copyright © pounds £ euro € dots … ldots … textellipsis … textendash – textemdash — textbackslash \\"
    " textasciitilde ~ textasciicircum ^ textquotesingle ' TeX TeX LaTeX LaTeX LaTeXe LaTeX2e BibTeX BibTeX XeTeX XeTeX"
    " XeLaTeX XeLaTeX LuaTeX LuaTeX LuaLaTeX LuaLaTeX"
)
_SIGN = dict(zip(_SIGNS.split()[::2], _SIGNS.split()[1::2], strict=True))
_SET = re.compile(
    r"""(?P<math>\$\$(?:\\.|[^$\\])+\$\$|\$(?:\\.|[^$\\])+\$|\\\(.*?\\\))
    | (?P<space>\\\\\*?(?:\[[^\]\[]*\])?|~|\\[ ,;:]|\\q?quad\b\s*|%[^\n]*\n)
    | \\(?P<accent>['`^"~=.]|[uvHcdbkr](?![A-Za-z]))\s*
      (?:\{\s*(?:(?P<braced>\\?[^\W\d_])\s*)?\}|(?P<base>\\[ij](?![A-Za-z])\s*|[^\W\d_]))
    | \\(?:label|footnote|footnotemark|index|thanks|protect|texorpdfstring)\b
      (?:\s*\{(?:[^{}]++|\{(?:[^{}]++|\{[^{}]*+\})*+\})*+\})?
    | \\(?P<command>[a-zA-Z]+)\*?\s*
    | \\(?P<char>[&%$#_{}])
    | \\. | [{}]""",
    re.VERBOSE | re.DOTALL,
)


def title(words: str) -> str:
    """WORDS without commands, braces, footnotes and labels, but for math, which is kept as it is written.

    What is made of commands alone is those.
    """
    if "\\" in words or "$" in words or "{" in words or "~" in words or "%" in words:
        return named(_SET.sub(_shown, words)) or named(words)
    return named(words)


def _shown(found: "re.Match[str]") -> str:
    if found["space"]:
        return " "
    if accent := found["accent"]:
        base = (found["braced"] or found["base"] or "").strip().removeprefix("\\")
        return normalize("NFC", base + _COMBINING[accent]) if base else accent
    if command := found["command"]:
        return _SIGN.get(command, "")
    return found["math"] or found["char"] or ""
