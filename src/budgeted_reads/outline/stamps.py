"""What the lines of logs begin with: times and levels. Used to tell a log by its content, and to read it."""

import re

LOOK = 200
"""Times and levels are looked for in so many code points of a line."""

NEAR = 40
"""A level mostly stands within so many code points behind the time."""

_DAY = (
    r"\d{4}[-/.]\d\d[-/.]\d\d|\d\d[/-](?:\d\d|[A-Z][a-z]{2})[/-]\d{4}|\d\d/\d\d/\d\d|\d\d-\d\d(?= )"
    r"|(?:[A-Z][a-z]{2} )?[A-Z][a-z]{2} [ \d]\d"
)
_CLOCK = r"\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?"
_ZONE = r"(?:Z| ?[-+]\d\d:?\d\d| (?:UTC|GMT))?"
TIME = re.compile(
    rf"(?<!\w)(?:(?:{_DAY})[T :_]{_CLOCK}{_ZONE}|[IWEF]\d{{4}} {_CLOCK}|\d\d:\d\d:\d\d(?:[.,]\d{{1,9}})?)"
)
"""A time as logs write it, with its day where there is one."""

_NAMES = {
    "trace": "TRACE FINEST FINER VERBOSE",
    "debug": "DEBUG DBG FINE",
    "info": "INFO INF NOTICE",
    "warning": "WARN WARNING WRN",
    "error": "ERROR ERR SEVERE FAILED FAIL FAILURE",
    "fatal": "FATAL CRITICAL CRIT EMERG EMERGENCY ALERT PANIC",
}
LEVELS = {name.lower(): level for level, names in _NAMES.items() for name in names.split()}
"""Words for levels, in lower case, to the six that are counted; from the finest to the gravest."""

_WORDS = "|".join(sorted((name for names in _NAMES.values() for name in names.split()), key=len)[::-1])
LEVEL = re.compile(
    rf"\b(?P<upper>(?:{_WORDS}))\b"
    rf"|\[(?P<boxed>(?i:{_WORDS}))\]"
    rf"|\blevel\"?[=:] ?\"?(?P<keyed>(?i:{_WORDS}))\b"
    rf"|(?:^|: | - )(?P<said>(?i:fatal error|error|warning|fatal|panic))(?:\[\w+\]| [A-Z]+\d+)?:"
    rf"|\blevel\": ?(?P<number>[1-6]0)\b"
    rf"|^npm (?P<npm>error|warn) "
    rf"|^(?P<klog>[IWEF])\d{{4}} "
)
"""A level: in capitals anywhere, else in brackets, as `level=`, or as a word that ends in a colon."""

_HINT = re.compile(r"[A-Z]{3}|\[[A-Za-z]|level|rror|arn|atal|anic|^[IWEF]\d")
"""What every level has in it: nearly all lines without one are done with at this."""

_LETTERS = {"V": "trace", "D": "debug", "I": "info", "W": "warning", "E": "error", "F": "fatal"}
_NUMBERS = dict(zip(("10", "20", "30", "40", "50", "60"), _NAMES, strict=True))
_LOGCAT = re.compile(r" +\d+ +\d+ (?P<letter>[VDIWEF]) ")

ENOUGH = 3
"""A text with fewer stamped lines than this is no log."""

_TRACE = re.compile(
    r"^Traceback \(most recent call last\):$|^goroutine \d+ \[|^thread '[^']*' panicked at |^=+ test session starts =+$"
    r"|^(?:Exception in thread |(?:[\w$]+\.)*\w*(?:Error|Exception)\b)[^\n]*\n[ \t]+at \S",
    re.MULTILINE,
)


def level_in(line: str, after: int = 0) -> "tuple[str, int, int]":
    """The level that LINE states, one of the values of LEVELS, and the offsets of its word; "" where it states none.

    Where a time stands at its start, the offset AFTER it is where levels mostly are: looked at first, for speed.
    """
    if after and (letter := _LOGCAT.match(line, after)):
        return _LETTERS[letter["letter"]], letter.start("letter"), letter.end()
    found = LEVEL.search(line, after, after + NEAR) if after else None
    if found is None or found.end() == after + NEAR:
        found = LEVEL.search(line, 0, LOOK) if _HINT.search(line, 0, LOOK) else None
    if found is None:
        return "", 0, 0
    if klog := found["klog"]:
        return _LETTERS[klog], found.start(), found.end()
    if number := found["number"]:
        return _NUMBERS[number], found.start(), found.end()
    return LEVELS[found[found.lastgroup or 0].lower().partition(" ")[0]], found.start(), found.end()


def is_log(head: str) -> bool:
    """Whether HEAD, the beginning of a text, is that of a log: times in front of most lines, or a stack trace."""
    lines = [line for line in head.split("\n") if line.strip()]
    stamped = sum(bool(TIME.search(line, 0, 40)) for line in lines)
    return (stamped >= ENOUGH and stamped * 2 > len(lines)) or bool(_TRACE.search(head))
