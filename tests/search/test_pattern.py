"""What matches a line, and what is cheap to look for first."""

import re

import pytest
import re2
from hypothesis import given, settings
from hypothesis import strategies as st

from budgeted_reads.errors import InvalidPattern, InvalidRequest, TimedOut
from budgeted_reads.search import backtracking
from budgeted_reads.search.backtracking import Backtracking
from budgeted_reads.search.pattern import compile_pattern
from budgeted_reads.search.sketch import MOST_OPEN, sketch

PIECES = (
    *("a", "b", "ab", "foo", ".", "\\.", "^", "$", "(a|b)", "(?:foo|b+)", "[ab]", "[^a]", "a?", "b*", "(ab){2}"),
    *("(a|x)", "(fo|b)", "(a(b|))"),
    *("\\w", "\\b", "x{0}", "|", "(?i:F)", "é", "\\s", "(foo)?", "{"),
)
PATTERNS = st.lists(st.sampled_from(PIECES), min_size=1, max_size=6).map("".join)
LINES = st.text(st.sampled_from("abfoxé. F\r"), max_size=12)


def re2_of(pattern: str) -> object:
    """PATTERN compiled by RE2 itself, None where it is none."""
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(pattern.encode(), options)
    except re2.error:
        return None


@given(PATTERNS, LINES)
@settings(max_examples=600, deadline=None)
def test_a_line_that_matches_has_the_sketch(pattern: str, line: str) -> None:
    """Whatever RE2 matches has the sketch of the pattern, matched byte by byte as git does."""
    compiled = re2_of(pattern)
    if compiled is not None and compiled.search(line.encode()) and (found := sketch(pattern)):  # type: ignore[attr-defined]
        flags = re.IGNORECASE if "(?i" in pattern else 0
        assert re.search(found.encode(), line.encode(), flags), found


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("import (os|sys)$", r"import\ (?:os|sys)"),
        ("[0-9]{4}-[0-9]{2}", r"[0-9]{4,4}\-[0-9]{2,2}"),
        (r"class \w+\(.*Error", r"class\ [\w]{1,}\([^\n]*Error"),
        (r"\w+\s*=", ""),
        ("x.*y.*z.*deed.*a", r"x[^\n]*y[^\n]*z[^\n]*deed"),
        ("(?i)keeper", ""),
        ("deed[^[:space:]]+[a[:digit:]]eel", r"deed[^\n]{1,4}[^\n]*[^\n]{1,4}eel"),
        (r"[\w-.]+@sea", "@sea"),
    ],
)
def test_a_sketch_says_what_git_can_look_for(pattern: str, expected: str) -> None:
    """Letters, choices and small classes stay; a sketch begins and ends with something, and is open in few places."""
    found = sketch(pattern)
    assert found.count("*") + found.count(",}") <= MOST_OPEN
    assert expected in found if expected else not found


@given(PATTERNS, st.lists(LINES, max_size=6), st.booleans())
@settings(max_examples=400, deadline=None)
def test_a_text_matches_line_by_line(pattern: str, lines: list[str], ends: bool) -> None:
    """The lines found in a whole text are those that match alone, a CR before LF left out."""
    if re2_of(pattern) is None:
        return
    matcher = compile_pattern(pattern, regex=True, ignore_case=False).matcher
    buffer = ("\n".join(lines) + ("\n" if ends and lines else "")).encode()
    whole = buffer[:-1] if buffer.endswith(b"\n") else buffer
    alone = [number for number, line in enumerate(whole.split(b"\n"), 1) if matcher.search(line)] if buffer else []
    assert matcher.lines(buffer) == alone


def test_anchors_are_those_of_a_line() -> None:
    """`$` comes before CR LF, `\\A` and `\\z` mean the line, what matches nothing takes every line."""
    lines = compile_pattern("keeper$", regex=True, ignore_case=False).matcher.lines
    assert lines(b"a keeper\r\nkeepers\nkeeper") == [1, 3]
    assert compile_pattern(r"\Akeeper\z", regex=True, ignore_case=False).matcher.lines(b"x\nkeeper\n") == [2]
    assert compile_pattern("x*", regex=True, ignore_case=False).matcher.lines(b"a\n\nb") == [1, 2, 3]
    assert compile_pattern("x*", regex=True, ignore_case=False).matcher.lines(b"") == []


@pytest.mark.parametrize("pattern", ["alpha(", "*x", "[", "a{2,1}", "(?<name", "a" * 5000, "((a{99}){99}){99}"])
def test_a_broken_pattern_has_a_reason(pattern: str) -> None:
    """What RE2 refuses is `invalid_pattern` with its words; what is too long is `invalid_request`."""
    with pytest.raises((InvalidPattern, InvalidRequest)) as error:
        compile_pattern(pattern, regex=True, ignore_case=False)
    assert len(pattern) > 2000 or error.value.members["reason"]


@pytest.mark.parametrize("pattern", ["(?=a)b", "(?<!a)b", r"(a)\1", "a++"])
def test_look_around_gets_a_hint(pattern: str) -> None:
    """What RE2 cannot do is named, with what to do instead; both engines refuse it."""
    with pytest.raises(InvalidPattern) as error:
        compile_pattern(pattern, regex=True, ignore_case=False)
    assert "RE2 has no" in error.value.hint
    with pytest.raises(InvalidPattern):
        Backtracking(pattern, literal=False, ignore_case=False)


@pytest.mark.parametrize("query", ["a\nb", "a\0b"])
def test_a_query_is_about_one_line(query: str) -> None:
    """A line end or a NUL in a query is refused with the reason: it could never match."""
    with pytest.raises(InvalidRequest):
        compile_pattern(query, regex=False, ignore_case=False)


@given(st.text(st.sampled_from("abé."), min_size=1, max_size=3), st.text(st.sampled_from("abÉé.\n"), max_size=30))
@settings(max_examples=200, deadline=None)
def test_a_literal_matches_itself(query: str, text: str) -> None:
    """The lines of a literal are those that hold it; without case, those that hold it in either."""
    lines = text.split("\n") if text else []
    exact = compile_pattern(query, regex=False, ignore_case=False).matcher.lines(text.encode())
    assert exact == [number for number, line in enumerate(lines, 1) if query in line]
    folded = compile_pattern(query, regex=False, ignore_case=True).matcher.lines(text.encode())
    assert folded == [number for number, line in enumerate(lines, 1) if query.lower() in line.lower()]


def test_without_re2_the_answers_are_the_same() -> None:
    """The standard library's engine finds the same lines and places."""
    text = b"a keeper\r\nkeepers\n\xc3\xa9 keeper"
    for query in ("keeper$", "k.{2}p", "(?:e+)r"):
        one = compile_pattern(query, regex=True, ignore_case=False).matcher
        other = Backtracking(query, literal=False, ignore_case=False)
        assert other.lines(text) == one.lines(text)
        assert other.search(text.split(b"\n")[2]) == one.search(text.split(b"\n")[2])


def test_without_re2_no_pattern_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pattern that goes back and forth for ever is ended: `timeout`."""
    monkeypatch.setattr(backtracking, "SECONDS", 0.3)
    with pytest.raises(TimedOut):
        Backtracking("(a+)+$", literal=False, ignore_case=False).lines(b"a" * 60 + b"!")
