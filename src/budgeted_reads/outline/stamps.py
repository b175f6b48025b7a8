"""What the lines of logs begin with: times and levels. Used to tell a log by its content, and to read it."""

import re

LOOK = 200
"""Times and levels are looked for in so many code points of a line."""

NEAR = 40
"""A level mostly stands within so many code points behind the time."""

_YEAR = r"(?: (?:19|20)\d\d(?=[\]\s]|$))?"
_CLOCK = r"\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?"
_ZONE = r"(?:Z| ?[-+]\d\d:?\d\d| (?:UTC|GMT))?"
_DAY = r"\d{4}[-/.]\d\d[-/.]\d\d|\d\d[/-](?:\d\d|[A-Z][a-z]{2})[/-]\d{4}|\d\d/\d\d/\d\d|\d\d-\d\d(?= )"
_MONTH = r"(?:[A-Z][a-z]{2} )?[A-Z][a-z]{2} [ \d]\d"
TIME = re.compile(
    rf"(?<!\w)(?:(?:{_DAY})[T :_]{_CLOCK}{_ZONE}|{_MONTH}[T :_]{_CLOCK}{_ZONE}{_YEAR}|[IWEF]\d{{4}} {_CLOCK}"
    r"|\d\d:\d\d:\d\d(?:[.,]\d{1,9})?)"
)
"""A time as logs write it, with its day where there is one."""

_NAMES = {
    "trace": "TRACE FINEST FINER VERBOSE",
    "debug": "DEBUG DBG FINE DBUG",
    "info": "INFO INF NOTICE INFORMATION",
    "warning": "WARN WARNING WRN",
    "error": "ERROR ERR SEVERE FAILED FAIL FAILURE",
    "fatal": "FATAL CRITICAL CRIT EMERG EMERGENCY ALERT PANIC",
}
LEVELS = {name.lower(): level for level, names in _NAMES.items() for name in names.split()}
"""Words for levels, in lower case, to the six that are counted; from the finest to the gravest."""

GRAVITY = {level: rank for rank, level in enumerate(_NAMES)}
"""The six levels by how grave they are."""

_WORDS = "|".join(sorted((name for names in _NAMES.values() for name in names.split()), key=len)[::-1])
_NO_COUNT = r"(?![\"']?\s*[:=]\s*0+(?![.\w]))"
LEVEL = re.compile(
    rf"(?<!/)(?<!\b0 )\b(?P<upper>(?:{_WORDS}))\b{_NO_COUNT}"
    rf"|\[(?:\w+:)?(?P<boxed>(?i:{_WORDS}))\]"
    rf"|\b(?:level|severity|lvl)\"?[=:] ?\"?(?P<keyed>(?i:{_WORDS}))\b"
    rf"|(?:^|: | - |\*\* )(?P<said>(?i:fatal error|error|warning|fatal|panic))(?:\[\w+\]| [A-Z]+\d+)?:"
    rf"|\blevel\": ?(?P<number>[1-6]0)\b"
    rf"|^npm (?P<npm>error|warn) "
    rf"|^(?P<klog>[IWEF])\d{{4}} "
    rf"|^(?P<tabbed>{_WORDS.lower()})(?=\t| {{2}})"
    rf"|^(?P<short>fail|crit|warn|info|dbug|trce): "
    rf"|^CMake (?P<cmake>Error|Warning)\b|^make(?:\[\d+\])?: (?P<make>\*\*\*) "
)
"""A level: in capitals anywhere, else in brackets, as `level=`, as a word that ends in a colon, or as a tool has it.

A count of zero (`FAIL: 0`, `0 FAILED`) is none, nor is a word of a path.
"""

_HINT = re.compile(
    r"[A-Z]{3}|\[[A-Za-z]|level|severity|lvl|rror|arn|atal|anic|\t"
    r"|^[IWEF]\d|^(?:make|fail|crit|info|debug|dbug|trace|trce|notice)"
)
"""What every level has in it: nearly all lines without one are done with at this."""

_LETTERS = {"V": "trace", "D": "debug", "I": "info", "W": "warning", "E": "error", "F": "fatal"}
_NUMBERS = dict(zip(("10", "20", "30", "40", "50", "60"), _NAMES, strict=True))
_OTHERS = {"***": "error", "trce": "trace"}
_LOGCAT = re.compile(r" *\d+ +\d+ (?P<letter>[VDIWEF]) ")

ENOUGH = 3
"""A text with fewer stamped lines than this is no log."""

_TRACE = re.compile(
    r"^Traceback \(most recent call last\):$|^goroutine \d+ \[|^thread '[^'\n]*'(?: \(\d+\))? panicked at "
    r"|^=+ test session starts =+$"
    r"|^(?:Exception in thread |(?:[\w$]+\.)*\w*(?:Error|Exception)\b)[^\n]*\n[ \t]+at \S",
    re.MULTILINE,
)
_COLOUR = re.compile(r"\x1b(?:\[[0-9;:?]*[A-Za-z]|\][^\x07\x1b\n]*(?:\x07|\x1b\\)|[()][A-Z0-9])")


def uncoloured(line: str) -> str:
    """LINE without what tells a terminal its colours and links."""
    return _COLOUR.sub("", line) if "\x1b" in line else line


def level_in(line: str, *, stamped: bool = False) -> "tuple[str, int, int]":
    """The level that LINE states, one of the values of LEVELS, and the offsets of its word; "" where it states none.

    Of what is STAMPED, LINE is what stands behind the time: its level is mostly near its start.
    """
    if stamped and (letter := _LOGCAT.match(line)):
        return _LETTERS[letter["letter"]], letter.start("letter"), letter.end()
    found = LEVEL.search(line, 0, NEAR) if stamped else None
    if found is None or found.end() == NEAR:
        found = LEVEL.search(line, 0, LOOK) if _HINT.search(line, 0, LOOK) else None
    return _stated(found)


def leading_level(words: str) -> "tuple[str, int, int]":
    """As `level_in`, of a level that WORDS begin with."""
    return _stated(LEVEL.match(words))


def _stated(found: "re.Match[str] | None") -> "tuple[str, int, int]":
    if found is None:
        return "", 0, 0
    if klog := found["klog"]:
        return _LETTERS[klog], found.start(), found.end()
    if number := found["number"]:
        return _NUMBERS[number], found.start(), found.end()
    word = found[found.lastgroup or 0].lower().partition(" ")[0]
    return _OTHERS.get(word) or LEVELS[word], found.start(), found.end()


def level_called(name: object) -> str:
    """The level that a record calls NAME: a word, a letter, or a number as pino, or as syslog has it; "" for none."""
    word = str(name).strip().lower()
    if len(word) == 1 and word.isdigit():
        return ("fatal", "fatal", "fatal", "error", "warning", "info", "info", "debug")[min(int(word), 7)]
    return LEVELS.get(word) or _NUMBERS.get(word) or _LETTERS.get(word.upper(), "")


def is_log(head: str) -> bool:
    """Whether HEAD, the beginning of a text, is that of a log: times in front of most lines, or a stack trace."""
    lines = [line for line in uncoloured(head).split("\n") if line.strip()]
    stamped = sum(bool(TIME.search(line, 0, 40)) for line in lines)
    return (stamped >= ENOUGH and stamped * 2 > len(lines)) or bool(_TRACE.search(head))
