"""The words of manual pages: arguments of macros, and what they print without fonts and escapes."""

import re
from collections.abc import Iterable, Sequence
from unicodedata import normalize

_ARGUMENT = re.compile(r'"((?:[^"]|"")*+)"?|((?:\\.|[^\s\\])++|\\)')
_ESCAPE = re.compile(
    r"""\\(?:
      [fFmMnkgVY](?:\[[^\]\n]*+\]|\(..|.)
    | \*(?:\[(?P<string>[^\]\n]*+)\]|\((?P<short>..)|.)
    | s(?:\[[^\]\n]*+\]|\([+-]?\d\d|[+-]?(?:[123]\d|\d)|'[^'\n]*+')
    | [hvwlLoDXbx]'[^'\n]*+'
    | \[(?P<long>[^\]\n]*+)\]
    | \((?P<special>..)
    | (?P<char>.?))""",
    re.VERBOSE,
)
_STRINGS = {'L"': '"', 'R"': '"', "lq": "“", "rq": "”", "Aq": "'", "aq": "'", "--": "-"}
_CHARS = {
    "e": "\\",
    "\\": "\\",
    "-": "-",
    " ": " ",
    "~": " ",
    "0": " ",
    "t": " ",
    "'": "'",
    "`": "`",
    ".": ".",
    "_": "_",
}
_SPECIALS = (
    r"""bu • em — en – hy - mi - aq ' dq " lq “ rq ” oq ‘ cq ’ rs \ ha ^ ti ~ ga ` at @ sh # Do $ lB [ rB ] lC { rC }"""
    " ba | sl / mu × -> → <- ← <= ≤ >= ≥ != ≠ +- ± co © rg ® tm ™ de ° or | eq = pl + fo ‹ fc › Fo « Fc »"
)
_SPECIAL = dict(zip(_SPECIALS.split()[::2], _SPECIALS.split()[1::2], strict=True))
_ACCENTS = {"'": "\u0301", "`": "\u0300", ":": "\u0308", "^": "\u0302", "~": "\u0303", ",": "\u0327", "v": "\u030c"}
_CODE = re.compile(r"u([0-9A-F]{4,5})")

LONGEST = 2000
"""No more code points of a line are read for its words: titles are far shorter."""

ALTERNATING = frozenset({"BR", "RB", "BI", "IB", "IR", "RI"})
"""Macros of man that set their arguments in two fonts by turns, with nothing between them."""

_FONTS = "Ad An Ar Bx Cd Cm Dv Em Er Ev Fa Fn Ft Fx Ic In Li Lk Ms Nm No Nx Ox Pa Ql St Sx Sy Tn Va Vt Xc Xo Xr"
_PRINTED = frozenset(_FONTS.split())
_JOINING = frozenset({"Ns", "Pf"})
_AROUND = {"Op": "[]", "Pq": "()", "Bq": "[]", "Aq": "<>", "Brq": "{}", "Dq": "“”", "Sq": "‘’"}
_OPENING = {"Oo": "[", "Po": "(", "Bo": "[", "Ao": "<", "Bro": "{", "Do": "“", "So": "‘"}
_CLOSING = {"Oc": "]", "Pc": ")", "Bc": "]", "Ac": ">", "Brc": "}", "Dc": "”", "Sc": "’"}
_BEFORE = frozenset("([<{“‘")
_BEHIND = frozenset(")]>}”’.,:;?!")
_MARKS = _BEFORE | _BEHIND | {"|"}


def arguments(words: str) -> list[str]:
    """The arguments of a macro: words, or what stands in quotes; a comment behind them is none."""
    words = words[:LONGEST].partition('\\"')[0]
    return [
        (found[1] or "").replace('""', '"') if found[2] is None else found[2] for found in _ARGUMENT.finditer(words)
    ]


def bare(words: str) -> str:
    """WORDS as they are printed: escapes are the characters that they stand for, fonts and sizes nothing."""
    words = words[:LONGEST]
    return _ESCAPE.sub(_character, words) if "\\" in words else words


def _character(found: "re.Match[str]") -> str:
    if (char := found["char"]) is not None:
        return _CHARS.get(char, "")
    if (string := found["string"] or found["short"]) is not None:
        return _STRINGS.get(string, "")
    name = found["long"] or found["special"] or ""
    if code := _CODE.fullmatch(name):
        return chr(int(code[1], 16))
    if len(name) == 2 and name[0] in _ACCENTS and name[1].isalpha():
        return normalize("NFC", name[1] + _ACCENTS[name[0]])
    return _SPECIAL.get(name, "")


def in_fonts(macro: str, words: str) -> str:
    """What a macro of man for fonts (`B`, `BR`) prints."""
    return ("" if macro in ALTERNATING else " ").join(arguments(words))


def in_macros(lines: Iterable[Sequence[str]]) -> str:
    """What LINES of mdoc print, each the words of one: `Fl v Ns Ar file` is `-vfile`, `Op Fl a` is `[-a]`."""
    said = _Said()
    for words in lines:
        around = ""
        rest = iter(words)
        for word in rest:
            if word == "Fl":
                said.flag()
            elif word == "Sm":
                said.tight, said.spaced = next(rest, "") == "off", True
            elif word in _PRINTED or word in _JOINING:
                said.plain()
                said.joined |= word == "Ns"
                said.prefix = word == "Pf"
            elif marks := _AROUND.get(word) or _OPENING.get(word):
                said.plain()
                said.put(marks[0])
                around = marks[1:] + around
            else:
                said.put(_CLOSING.get(word) or bare(word))
        said.plain()
        for mark in around:
            said.put(mark)
    return "".join(said.parts)


class _Said:
    """Words as they are put beside each other; `dashes` are those of a flag that has no word yet.

    Where it is `tight` only the first word has a space before it (`Sm off`).
    """

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.dashes = ""
        self.flagged = self.joined = self.prefix = self.tight = False
        self.spaced = True

    def flag(self) -> None:
        self.dashes += "-"
        self.flagged = True

    def plain(self) -> None:
        """Ends a flag: one without a word is its dash alone."""
        dashes, self.dashes, self.flagged = self.dashes, "", False
        if dashes:
            self.put(dashes)

    def put(self, word: str) -> None:
        if self.flagged and word not in _MARKS:
            word, self.dashes = (self.dashes or "-") + word, ""
        if self.parts and not (self.joined or word in _BEHIND) and (self.spaced or not self.tight):
            self.parts.append(" ")
        self.parts.append(word)
        self.joined = self.prefix or word in _BEFORE
        self.prefix = self.spaced = False
