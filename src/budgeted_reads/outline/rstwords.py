"""The words of reStructuredText: a title without its inline markup, and the name in what a directive describes."""

import re
from collections.abc import Iterator, Sequence

from budgeted_reads.outline.lines import TITLE_LENGTH

LONGEST = 500
"""Words of more code points keep their markup: each mark is looked for to their end."""

_START = r"(?<![\w!#$%&)*+,.;=>?@\\\]^`|}~])"
_END = r"(?![\w#$%&(*+<=@\[^`{|~])"
_ROLE = r":[\w.+-]+(?::[\w.+-]+)*:"
_INLINE = re.compile(
    rf"""\\(?P<escaped>.?)
    | {_START}``(?=\S)(?P<literal>.*?\S)``{_END}
    | {_START}(?P<role>{_ROLE})?`(?=[^\s`])(?P<text>(?:\\.|[^`\\])*?(?:\\.|[^\s`\\]))`(?:{_ROLE}|__?)?{_END}
    | {_START}\*\*(?=\S)(?P<strong>.*?[^\s\\])\*\*{_END}
    | {_START}\*(?=[^\s*])(?P<emphasis>.*?[^\s\\])\*{_END}
    | {_START}\|(?=[^\s|])(?P<named>[^|]*[^\s|\\])\|_{{0,2}}{_END}
    | \ ?{_START}\[(?:\#[\w.-]*|\*|\d+)\]_{_END}
    | {_START}\[(?P<cited>[A-Za-z][\w.-]*)\]_{_END}
    | {_START}(?P<reference>[^\W_]+(?:[-_.:+][^\W_]+)*)__?{_END}
    """,
    re.VERBOSE,
)
_MARKS = re.compile(r"[\\`*|]|_(?!\w)")
_ESCAPE = re.compile(r"\\(?:\s|(.))")
_TARGET = re.compile(r"\s*<[^<>]*>$")
_NUMBERED = {":pep:": "PEP ", ":rfc:": "RFC "}

_TEMPLATE = re.compile(r"template\s*<")
_POINTER = re.compile(
    r"[^(]*\(\s*(?:[\w:]+::)?[*&^]+\s*(?:const\s+)?(?P<name>[A-Za-z_][\w.:]*)\s*(?:\[[^\]]*\]\s*)?\)\s*[(\[]"
)
_OPERATOR = re.compile(r"(?<!\w)(?P<name>(?:[\w~]+(?:<[^<>]*>)?::)*operator\b\s*(?:\(\s*\)|[^(]*))")
_DECLARED = re.compile(r"\s*(?:(?:\[[^\]]*\]\s*)+$|(?:[(={;]|:(?!:)(?<!::)).*)")
_LAST = re.compile(r"(?P<name>~?\w+(?:<[^<>]*>)?(?:(?:::|\.)~?\w+(?:<[^<>]*>)?)*)\s*$")
_SIGNATURE = re.compile(r"[\w.:~-]+(?:\(.*\)(?:\s*->.*)?)?")


def bare(title: str) -> str:
    """TITLE as it is shown: of markup only what is paired as its rules say goes, and none of it inside a literal."""
    if len(title) <= LONGEST and _MARKS.search(title):
        title = _INLINE.sub(_shown, title)
    return " ".join(title.split())


def _shown(found: "re.Match[str]") -> str:
    if (escaped := found["escaped"]) is not None:
        return escaped.strip()
    if literal := found["literal"]:
        return literal
    if text := found["text"]:
        return _interpreted(found["role"], text)
    words = found["strong"] or found["emphasis"] or found["named"] or found["cited"] or found["reference"] or ""
    return _ESCAPE.sub(r"\1", words)


def _interpreted(role: str | None, text: str) -> str:
    """What a role shows of TEXT: words before a target, of `~a.b` the last name; a reference likewise."""
    said = _TARGET.sub("", text) or text.strip("<>")
    if role and said == text:
        said = said.rpartition(".")[2] if said.startswith("~") else said.removeprefix("!")
        said = _NUMBERED.get(role.lower(), "") + said
    return _ESCAPE.sub(r"\1", said)


def signatures(lines: Sequence[str], number: int, column: int) -> Iterator[tuple[int, str]]:
    """Line and words of each further signature below line NUMBER, whose own starts behind COLUMN code points.

    They end at a blank line or an option; one that the line above leaves open is a part of that.
    """
    depth = _opened(lines[number - 1])
    for at in range(number, len(lines)):
        line = lines[at]
        words = line.lstrip()
        indent = len(line) - len(words)
        if not words or words.startswith((":", "..")) or not lines[number - 1][:indent].strip():
            return
        if depth <= 0 and (indent == column or _SIGNATURE.fullmatch(words[:LONGEST])):
            yield at + 1, words
        elif depth <= 0:
            return
        depth += _opened(line)


def _opened(line: str) -> int:
    return line.count("(") - line.count(")")


def name(words: str, domain: str) -> str:
    """What a directive describes, without arguments: `rise(level, *, slow=False)` is `rise`.

    In the domains of C and C++ it is what is declared: `void *tide_new(int level)` is `tide_new`.
    """
    found = _declared(words[:LONGEST]) if domain in ("c:", "cpp:") else ""
    found = found or words.partition("(")[0].strip() or words
    return " ".join(found[:TITLE_LENGTH].split())


def _declared(words: str) -> str:
    if _TEMPLATE.match(words):
        words = words[_closing(words) :]
    found = _POINTER.match(words) or _OPERATOR.search(words)
    if not found:
        found = _LAST.search(_DECLARED.sub("", words, count=1))
    return found["name"].strip() if found else ""


def _closing(words: str) -> int:
    """The offset behind the first `<` that is closed, with what stands in it; the end where none is."""
    depth = 0
    for at, char in enumerate(words):
        depth += {"<": 1, ">": -1}.get(char, 0)
        if char == ">" and depth == 0:
            return at + 1
    return len(words)
