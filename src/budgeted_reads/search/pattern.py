"""What matches a line: literal text, or an RE2 pattern. A pattern is tried line by line and cannot hang."""

import re
from typing import Any, NamedTuple, Protocol

from budgeted_reads.errors import InvalidPattern, InvalidRequest
from budgeted_reads.search.sketch import sketch

MAX_QUERY = 2_000
"""A longer query is `invalid_request`."""

AROUND = re.compile(r"\(\?(?:=|!|<=|<!|>)|\\[1-9]|\(\?P=|\\k[<{']|[*+?}]\+")
_BY_LINE = re.compile(r"\\[AzZC]|\(\?[a-zA-Z]*-|\(\?[a-zA-Z]*m")
_NAMES_CR = re.compile(r"\r|\\r|\\x0?[dD]|\\x\{0*[dD]\}|\\0?15|\\cM")
_FOLDS = re.compile(r"\(\?[a-zA-Z]*i")


class Matcher(Protocol):
    """Finds a pattern in UTF-8."""

    def search(self, line: bytes) -> tuple[int, int] | None:
        """Where the first match in LINE begins and ends, in bytes."""
        ...

    def lines(self, buffer: bytes) -> list[int]:
        """The numbers of the lines of BUFFER that match, in order."""
        ...


class Pattern(NamedTuple):
    """A compiled query. Every line that matches has its `sketch`, which is empty where nothing is sure; where the query
    is `plain` text, that is the text itself. `folds` says that letter case is ignored, in part or whole."""

    matcher: Matcher
    sketch: str
    plain: bool
    folds: bool
    engine: str


def compile_pattern(query: str, *, regex: bool, ignore_case: bool) -> Pattern:
    """The pattern of QUERY. Raises `invalid_pattern` with the engine's reason, `invalid_request` for no pattern."""
    if "\0" in query or (not regex and "\n" in query):
        what = "a NUL byte" if "\0" in query else "a line end"
        raise InvalidRequest(f"the query holds {what}: search looks at one line at a time", "search for a part of it")
    if len(query) > MAX_QUERY:
        raise InvalidRequest(f"the query has {len(query)} characters, the limit is {MAX_QUERY}", "shorten it")
    if "\n" in query:
        raise InvalidPattern("the pattern holds a line end: search looks at one line at a time", "search for a part")
    if not regex and not ignore_case:
        return Pattern(Literal(query.encode("utf-8", "surrogatepass")), query, True, False, "literal")
    folds = ignore_case or (regex and bool(_FOLDS.search(query)))
    matcher, engine = _compiled(query, literal=not regex, ignore_case=ignore_case)
    return Pattern(matcher, sketch(query) if regex else query, not regex, folds, engine)


def _compiled(query: str, *, literal: bool, ignore_case: bool) -> tuple[Matcher, str]:
    if len(query.encode("utf-8", "replace")) != len(query.encode("utf-8", "surrogatepass")):
        raise InvalidRequest("the query holds half a character", "write it in UTF-8")
    try:
        import re2
    except ImportError:
        from budgeted_reads.search.backtracking import Backtracking

        return Backtracking(query, literal=literal, ignore_case=ignore_case), "re"
    return Linear(re2, query, literal=literal, ignore_case=ignore_case), "re2"


class Literal:
    """A text as it is, every byte of it: a CR that the query names is found before LF too."""

    def __init__(self, text: bytes) -> None:
        self._text = text

    def search(self, line: bytes) -> tuple[int, int] | None:
        """See `Matcher`."""
        at = line.find(self._text)
        return None if at < 0 else (at, at + len(self._text))

    def lines(self, buffer: bytes) -> list[int]:
        """See `Matcher`."""
        found: list[int] = []
        number, counted = 1, 0
        at = buffer.find(self._text)
        while at >= 0:
            number += buffer.count(b"\n", counted, at)
            found.append(number)
            counted = buffer.find(b"\n", at)
            if counted < 0:
                break
            at = buffer.find(self._text, counted)
        return found


class Linear:
    """A pattern of RE2, whose time is linear in the text whatever the pattern."""

    def __init__(self, re2: Any, query: str, *, literal: bool, ignore_case: bool) -> None:
        options = re2.Options()
        options.log_errors = False
        options.never_capture = True
        options.never_nl = not literal
        options.literal = literal
        options.case_sensitive = not ignore_case
        raw = query.encode("utf-8")
        try:
            self._line = re2.compile(raw, options)
            self._buffer = self._line if literal else re2.compile(b"(?m)" + raw, options)
        except re2.error as error:
            raise broken(query, _said(error)) from None
        self._by_line = not literal and bool(_BY_LINE.search(query))
        self._keeps_cr = "\r" in query if literal else bool(_NAMES_CR.search(query))

    def search(self, line: bytes) -> tuple[int, int] | None:
        """See `Matcher`."""
        found = self._line.search(line[:-1] if line.endswith(b"\r") else line)
        if not found and self._keeps_cr:
            found = self._line.search(line)
        return found.span() if found else None

    def lines(self, buffer: bytes) -> list[int]:
        """See `Matcher`."""
        if self._by_line or self._keeps_cr:
            whole = buffer[:-1] if buffer.endswith(b"\n") else buffer
            return [n for n, line in enumerate(whole.split(b"\n"), 1) if self.search(line)] if buffer else []
        if b"\r\n" in buffer:
            buffer = buffer.replace(b"\r\n", b"\n")
        if buffer.endswith(b"\r"):
            buffer = buffer[:-1] + b"\n"
        return self._in(buffer)

    def _in(self, buffer: bytes) -> list[int]:
        found: list[int] = []
        number, counted, end = 1, 0, len(buffer)
        match = self._buffer.search(buffer)
        while match:
            at = match.start()
            if at >= end and (end == 0 or buffer.endswith(b"\n")):
                break
            number += buffer.count(b"\n", counted, at)
            start = buffer.rfind(b"\n", 0, at) + 1
            stop = buffer.find(b"\n", at)
            # What a whole text matches is told again by its line alone.
            if self._line.search(buffer[start : stop if stop >= 0 else end]):
                found.append(number)
            if stop < 0:
                break
            counted = stop
            match = self._buffer.search(buffer, stop + 1)
            number, counted = number + 1, stop + 1
        return found


def broken(query: str, reason: str) -> InvalidPattern:
    """The error for a pattern that cannot be compiled, with the engine's REASON and what to do."""
    if around := AROUND.search(query):
        hint = f"RE2 has no look-around, back reference or possessive repeat ({around[0]}): search for a plainer part"
    else:
        hint = "mend the pattern, or use mode literal to search for the text as it is"
    return InvalidPattern(f"the pattern cannot be compiled: {reason[:120]}", hint, reason=reason[:200])


def _said(error: Exception) -> str:
    said = error.args[0] if error.args else "broken"
    return said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
