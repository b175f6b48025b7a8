"""One line of a log: when it was written, how grave it is, and what it says behind that."""

import json
import re
from typing import NamedTuple

from budgeted_reads.outline.stamps import GRAVITY, LOOK, NEAR, TIME, leading_level, level_called, level_in

_SEPARATORS = " \t:-|]>=,!"
_SERVICE = re.compile(r"[A-Za-z][\w.-]*[-_]\d+ +\| ?")
"""What compose sets before the lines of a service."""

_TAG = re.compile(r" \S+ [\w./@()-]+(?P<pid>\[\d+\])?: ?")
"""The host and the program behind the time of a system log."""

_BOXED = re.compile(r"\[\w{1,12} ")
"""What a build service sets before its own time: `[task 2031-01-02T03:04:05Z] 03:04:05 INFO`."""

_BEHIND = re.compile(r"\]?[ \t]?")
_PROCESS = re.compile(r"\s*\[pid [^\]]*\](?: \[client [^\]]*\])?")
_KLOG = re.compile(r"\s*\d+ [\w./-]+:\d+\] ")
_ACCESS = re.compile(r"[^\"]{0,80}\"(?P<asked>[A-Z]+ [^ \"?]*)[^\"]*\" (?P<status>\d{3}) ")
_QUOTED = re.compile(r"\bmsg=\"(?P<words>(?:[^\"\\]|\\.)*+)\"")
_MARK = re.compile(r"\]?:?(?: [-|])? ?")
"""What parts a level from what is said."""

_FAILED = re.compile(r"TEST-UNEXPECTED-\w+|PROCESS-CRASH\b")
_CALLED = re.compile(r"\s*(?:[:|\]!]| - )")
_LONGEST = 20_000
"""A record of more code points is looked at as words."""

_LEVELS = ("level", "severity", "lvl", "levelname", "log.level", "@level", "loglevel", "s", "PRIORITY")
_MESSAGES = ("msg", "message", "event", "MESSAGE", "@message", "text", "log", "error")
_TIMES = ("time", "timestamp", "@timestamp", "ts", "asctime")


class Said(NamedTuple):
    """`time` as it is written, `level` one of six; `message` without both, `bare` with its indentation.

    `grave`: the level is that of the words themselves, which stand behind a lesser one. "" for what is not there.
    """

    time: str
    level: str
    message: str
    bare: str
    grave: bool = False


def said(line: str) -> Said:
    """What LINE, which is not empty, says."""
    if line[0] == "{" and (record := _recorded(line)) is not None:
        return record
    time = TIME.search(line, 0, 2 * NEAR)
    if time is None or (time.start() > 1 and _BOXED.fullmatch(line, 0, time.start()) is None):
        return _unstamped(line, time)
    at = _behind(line, time)
    if again := TIME.match(line, at):
        at = _behind(line, again)
    rest = line[at : at + 2 * LOOK]
    if time[0][0] in "IWEF" and time[0][1].isdigit():
        level, _, _ = level_in(line)
        source = _KLOG.match(line, time.end())
        message = line[source.end() if source else at :][:LOOK]
        return Said(time[0], level, message, message)
    level, word, behind = level_in(rest, stamped=True)
    access = _ACCESS.match(line, time.end()) if not level else None
    if access is not None:
        level = "error" if access["status"][0] == "5" else ""
        return Said(time[0], level, f"{access['asked']} {access['status']}", rest)
    if not level or word >= NEAR:
        return Said(time[0], level, _message(rest, 0), rest)
    mark = _MARK.match(rest, behind)
    bare = rest[mark.end() if mark is not None else behind :]
    return _graver(Said(time[0], level, _message(rest, behind), bare))


def service_end(line: str) -> int:
    """The offset behind the name of the service that compose sets before LINE; 0 where there is none."""
    found = _SERVICE.match(line, 0, LOOK) if "|" in line[: 2 * NEAR] else None
    return found.end() if found is not None else 0


def _behind(line: str, time: "re.Match[str]") -> int:
    """Where what LINE says begins, behind its TIME, and the host and program of a system log."""
    tag = _TAG.match(line, time.end(), time.end() + LOOK)
    if tag is not None and (tag["pid"] or time[0][0].isalpha()):
        return tag.end()
    found = _BEHIND.match(line, time.end())
    return found.end() if found is not None else time.end()


def _unstamped(line: str, time: "re.Match[str] | None") -> Said:
    """What a LINE says that does not begin with its TIME."""
    if time is not None and time.start() >= NEAR:
        time = None
    level, word, behind = level_in(line)
    stamp, at = (time[0], time.end()) if time is not None else ("", 0)
    access = _ACCESS.match(line, at) if time is not None and not level else None
    if access is not None:
        level = "error" if access["status"][0] == "5" else ""
        return Said(stamp, level, f"{access['asked']} {access['status']}", line)
    if behind and word - at < NEAR:
        at = max(at, behind)
    return Said(stamp, level, _message(line, at), line)


def _message(line: str, at: int) -> str:
    quoted = _QUOTED.search(line) if "msg=" in line else None
    if quoted is not None and quoted["words"]:
        return quoted["words"].replace('\\"', '"')
    if process := _PROCESS.match(line, at + line.startswith("]", at)):
        at = process.end()
    return line[at : at + LOOK].lstrip(_SEPARATORS)


def _graver(one: Said) -> Said:
    """ONE with the level that its words begin with, where that is graver: who runs a tool logs its output as `info`."""
    words = one.bare.lstrip()
    if _FAILED.match(words):
        return one._replace(level="error", message=words[:LOOK], grave=True)
    level, _, behind = leading_level(words)
    if level and GRAVITY[level] > GRAVITY[one.level] and _CALLED.match(words, behind):
        return one._replace(level=level, message=_message(words, behind), grave=True)
    return one


def _recorded(line: str) -> Said | None:
    """What a LINE says that is an object of JSON with a message; None where it is none."""
    if len(line) > _LONGEST or not line.rstrip().endswith("}"):
        return None
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    message = next((value for key in _MESSAGES if isinstance(value := record.get(key), str) and value.strip()), None)
    if message is None:
        return None
    level = next((found for key in _LEVELS if (found := level_called(record.get(key, "")))), "")
    time = next((value for key in _TIMES if isinstance(value := record.get(key), str)), "")
    if not time:
        stamp = TIME.search(line, 0, LOOK)
        time = stamp[0] if stamp is not None else ""
    if not level:
        # What a container printed, line by line.
        inner = said(message.strip())
        return inner._replace(time=time or inner.time)
    return Said(time, level, message[:LOOK], message)
