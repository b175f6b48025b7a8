"""MDX as Markdown: tags, expressions and the lines of a module go, and every line stays where it is.

MDX knows neither blocks of HTML nor indented code: Markdown goes on between tags, however deep it is indented. Where
JavaScript ends is told by its brackets, strings and comments.
"""

import re
from collections.abc import Sequence

_FENCE = re.compile(r"[ \t>]*+(?:(?:[-+*]|\d{1,9}[.)])[ \t]++)*+(?P<mark>`{3,}+(?=[^`]*+\Z)|~{3,}+)")
_QUOTE = re.compile(r"(?:[ \t]*+>)*+")
_MODULE = re.compile(r"(?:import|export)(?=[\s{*\"'])")
_SPACE = re.compile(r"[ \t\r]*+")
_COMMENT = re.compile(r"<!--(?:.*?(?P<close>-->)|.*+)", re.DOTALL)

_NAME = re.compile(r"</?+(?!h[1-6]\b)(?:[A-Za-z_$][\w$.:-]*+)?+")
"""How a tag begins, those of the headings of HTML left out: they name what follows."""

_ATTRIBUTES = re.compile(r"(?:[\s\w$:.=@-]++|\"[^\"]*+\"|'[^']*+'|/(?!>))*+")
_SCRIPT = re.compile(
    r"(?<!:)//[^\n]*+|/\*(?:.*?\*/|.*+)|`(?:[^`\\]|\\.)*+`?+"
    r"|\"(?:[^\"\\\n]|\\.)*+\"?+|(?<!\w)'(?:[^'\\\n]|\\.)*+'?+"
    r"|(?P<open>[{(\[])|(?P<close>[})\]])|(?P<blank>\n[ \t\r]*+(?=\n|\Z))",
    re.DOTALL,
)

Read = tuple[int, bool]
"""Where something ends, or where it can be no more what it began as, and which of the two."""


def bare(lines: Sequence[str]) -> list[str]:
    """LINES, those empty that hold nothing but tags, expressions, comments, or what is imported and exported.

    What never ends is text, and from there on nothing is taken to run over lines.
    """
    page = "".join(f"{line}\n" for line in lines)
    made: list[str] = []
    start, sound = 0, True
    while (number := len(made)) < len(lines):
        line = lines[number]
        prefix = line[: len(line) - len(line.lstrip(" \t>"))]
        # In a paragraph it is a word.
        module = bool(_MODULE.match(line)) and not (made and made[-1].strip())
        if fence := _FENCE.match(line):
            made += _fenced(lines, number, fence["mark"])
        elif module or line.startswith(("<", "{"), len(prefix)):
            line_end = start + len(line)
            stop = len(page) - 1 if sound and ">" not in prefix else line_end
            done, reached = (_module if module else _flow)(page, start + len(prefix), stop)
            if reached == stop > max(done, line_end):
                sound, reached = False, done
            taken = page.count("\n", start, done)
            rest = page[done : page.index("\n", done)].strip()
            made += [""] * taken
            made.append((rest if taken else line) if rest else prefix if ">" in prefix else "")
            made += lines[number + taken + 1 : number + page.count("\n", start, reached)]
        else:
            made.append(line)
        start += sum(map(len, lines[number : len(made)])) + len(made) - number
    return made


def _fenced(lines: Sequence[str], number: int, mark: str) -> Sequence[str]:
    """The lines of the fence that opens with MARK on line NUMBER (0-based), to its end or that of the page."""
    closing = re.compile(rf"[ \t>]*+{mark[0]}{{{len(mark)},}}+\s*+\Z")
    for at in range(number + 1, len(lines)):
        if closing.match(lines[at]):
            return lines[number : at + 1]
    return lines[number:]


def _module(page: str, at: int, stop: int) -> tuple[int, int]:
    """As `_flow`, for statements: to the blank line that ends them, or to STOP."""
    end, whole = _script(page, at, stop, True)
    return (end, end) if whole else (at, end)


def _flow(page: str, at: int, stop: int) -> tuple[int, int]:
    """Where the tags, expressions and comments end that follow on each other from AT to the end of a line.

    And how far was read to know it: more, where what follows on them is none of these after all.
    """
    done = at
    while True:
        space = _SPACE.match(page, done, stop)
        at = space.end() if space else done
        if at == stop or page[at] not in "<{":
            return done, done
        end, whole = (_script if page[at] == "{" else _tag)(page, at, stop)
        if not whole:
            return done, end
        done = end


def _tag(page: str, at: int, stop: int) -> Read:
    """Where the tag or comment at AT ends."""
    if page.startswith("<!--", at):
        comment = _COMMENT.match(page, at, stop)
        return (comment.end(), bool(comment["close"])) if comment else (stop, False)
    name = _NAME.match(page, at, stop)
    if name is None:
        return at, False
    at = name.end()
    while True:
        attributes = _ATTRIBUTES.match(page, at, stop)
        at = attributes.end() if attributes else at
        if page.startswith(("/>", ">"), at) and at < stop:
            return at + 1 + (page[at] == "/"), True
        if at == stop or page[at] != "{":
            # A text that is never closed is one that goes on to the end.
            return (stop if at < stop and page[at] in "\"'" else at), False
        at, whole = _script(page, at, stop)
        if not whole:
            return at, False


def _script(page: str, at: int, stop: int, statement: bool = False) -> Read:
    """Where the brackets are closed that open from AT on; of a STATEMENT, where a blank line ends it."""
    depth = 0
    for found in _SCRIPT.finditer(page, at, stop):
        if found["open"]:
            depth += 1
        elif found["close"]:
            depth -= 1
            if depth == 0 and not statement:
                return found.end(), True
        elif found["blank"] and statement and depth <= 0:
            return found.start(), True
    return stop, statement and depth <= 0
