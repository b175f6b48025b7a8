"""Logs: errors with the lines that belong to them, times, levels and repeats."""

import pytest

from budgeted_reads import limits
from budgeted_reads.outline import Outline, outline
from budgeted_reads.outline.log import REPEATS
from budgeted_reads.outline.stamps import level_in
from budgeted_reads.text import decode
from outline.checks import check, shown


def made(content: str, name: bytes = b"a.log") -> Outline:
    text = decode(content.encode())
    result = outline(text, name)
    check(text, result)
    return result


@pytest.mark.parametrize(
    ("line", "level"),
    [
        ("2031-01-02T03:04:05Z INFO no ERROR here", "info"),
        ("[2031-01-02 03:04:05] [error] [client ::1] File does not exist", "error"),
        ('time=2031-01-02T03:04:05Z level=warn msg="x"', "warning"),
        ('{"level":"error","ts":1,"msg":"x"}', "error"),
        ("E0102 03:04:05.000001   1 main.go:3] gone", "error"),
        ("src/a.c:12:3: error: expected ';'", "error"),
        ("a.c:1:1: fatal error: x.h: No such file", "fatal"),
        ("error[E0308]: mismatched types", "error"),
        ("npm ERR! code ENOENT", "error"),
        ("FAILED tests/test_a.py::test_b - AssertionError", "error"),
        ("npm error code 1", "error"),
        ("npm warn deprecated a@1", "warning"),
        ("src/a.ts(10,5): error TS2322: not assignable", "error"),
        ("src/a.ts:3:1 - error TS2304: Cannot find name", "error"),
        ('{"level":50,"time":1,"msg":"x"}', "error"),
        ("panic: runtime error", "fatal"),
        ("# ** Error: Simulation ran too long.", "error"),
        ("make[1]: *** [all] Error 2", "error"),
        ("CMake Warning at a.cmake:3 (message):", "warning"),
        ("fail: Microsoft.Hosting[0]", "error"),
        ("##[error]Process completed with exit code 1.", "error"),
        ("# FAIL:  0", ""),
        ("All 10 tests passed, 0 FAILED", ""),
        ("ERROR: 03 things are wrong", "error"),
        ('10.0.0.1 "GET /ERROR HTTP/1.1" 200', ""),
        ("Jan  2 03:04:05 host sshd[1]: session opened", ""),
        ("errors are explained in the guide", ""),
        ("no errors, 3 warnings", ""),
    ],
)
def test_the_level_is_what_the_line_says(line: str, level: str) -> None:
    """Capitals anywhere, `level=`, brackets, or a word with a colon; a word in a sentence is none."""
    assert level_in(line)[0] == level


@pytest.mark.parametrize(
    ("first", "last"),
    [
        ("2031-01-02 03:04:05,678", "2031-01-02 03:05:05,678"),
        ("2031-01-02T03:04:05.678901+02:00", "2031-01-02T03:05:05.678901+02:00"),
        ("02/Jan/2031:03:04:05 +0000", "02/Jan/2031:03:05:05 +0000"),
        ("2031/01/02 03:04:05", "2031/01/02 03:05:05"),
        ("Jan  2 03:04:05", "Jan 12 03:04:05"),
        ("31/01/02 03:04:05", "31/01/02 03:05:05"),
        ("01-02 03:04:05.678", "01-02 03:05:05.678"),
        ("10.0.0.1 - frank [02/Jan/2031:03:04:05 +0000", "10.0.0.1 - frank [02/Jan/2031:03:05:05 +0000"),
        ("I0102 03:04:05.678901", "E0102 03:05:05.678901"),
        ("03:04:05", "03:05:05"),
    ],
)
def test_first_and_last_time_are_told_as_written(first: str, last: str) -> None:
    """In each of the forms that programs write."""
    facts = dict(made(f"{first} a\n{first} b\n  01:01:01 no\n{last} ERROR c\n").facts)
    assert (facts["first_time"], facts["last_time"]) == (
        first.partition("[")[2] or first,
        last.partition("[")[2] or last,
    )


def test_levels_and_repeats_are_counted() -> None:
    """Lines that differ in numbers and quoted words alone are repeats; all are counted, the first few are entries."""
    content = "".join(f"10:00:{n % 60:02} ERROR port {n} of 'x{n}' closed\n10:00:00 INFO fine\n" for n in range(40))
    result = made(content)
    assert [entry.start for entry in result.entries] == [1 + 2 * n for n in range(REPEATS)]
    facts = dict(result.facts)
    assert facts["levels"] == {"info": 40, "error": 40}
    assert facts["repeated"] == (
        {"template": "port * of * closed", "count": 40, "first": 1, "last": 79},
        {"template": "fine", "count": 40, "first": 2, "last": 80},
    )


def test_an_error_has_the_lines_that_belong_to_it() -> None:
    """Indented lines and the trace below it, chained exceptions included; not the next record, nor other output."""
    content = (
        "10:00:00 ERROR a\n  more\n\n  not of it\n10:00:01 ERROR b\nTraceback (most recent call last):\n  File x\n"
        "KeyError: 1\n\nThe above exception was the direct cause of the following exception:\n\n"
        "Traceback (most recent call last):\n  File y\nValueError: 2\nplain output\n10:00:02 WARN c\n"
    )
    assert shown(made(content).entries) == "1-2 error a\n5-14 error b\n16-16 warning c\n"


def test_the_title_is_what_the_line_says() -> None:
    """Without time and level, of a line in JSON its message."""
    content = '[2031-01-02 03:04:05] [error] [client] gone\n{"level":"error","msg":"no route","port":1}\nERROR: x: y\n'
    assert [entry.title for entry in made(content).entries] == ["[client] gone", "no route", "x: y"]


def test_a_trace_that_stands_alone_is_named_by_its_exception() -> None:
    """Python's exception comes last: the entry is named there, and starts where the trace does."""
    content = "start\nTraceback (most recent call last):\n  File x\nKeyError: 1\nend\n"
    assert shown(made(content, b"out.txt").entries) == "2-4@4 error KeyError: 1\n"


def test_a_log_is_known_by_its_content() -> None:
    """Times in front of most lines make a text file a log; dates in prose do not."""
    stamped = "2031-01-02 03:04:05 a\n2031-01-02 03:04:06 ERROR b\n2031-01-02 03:04:07 c\n"
    assert made(stamped, b"a.txt").format == "log"
    assert made(stamped, b"nohup.out").format == "log"
    assert made("On 2031-01-02 03:04 it rained.\nThen not.\nNor on the next day.\n", b"a.txt").format == "text"


def test_a_log_without_errors_is_told_by_what_its_lines_say() -> None:
    """The first line of each template is an entry; its facts stay. Lines without time or level are divided as text."""
    result = made("10:00:00 INFO port 1 open\n10:00:01 INFO port 2 open\n10:00:02 INFO done\n")
    assert (result.format, result.style) == ("log", "data")
    assert shown(result.entries) == "1-1 message port 1 open\n3-3 message done\n"
    assert dict(result.facts)["levels"] == {"info": 3}
    assert made("one\ntwo\n").style == "plain"


LINES = [
    ("10:00:00 error: disk full", "error disk full"),
    ("10:00:00 INFO - TEST-UNEXPECTED-FAIL | a.js | boom", "error TEST-UNEXPECTED-FAIL | a.js | boom"),
    ("10:00:00 INFO  ERROR: boom", "error boom"),
    ("[task 2031-01-02T03:04:05.678Z] 03:04:05     INFO - PROCESS-CRASH | a.js", "error PROCESS-CRASH | a.js"),
    ("\x1b[2m2031-01-02T03:04:05Z\x1b[0m \x1b[31mERROR\x1b[0m a: gone", "error a: gone"),
    ("[\x1b[1;33mWARNING\x1b[m] old", "warning old"),
    ("2031-01-02T03:04:05.678Z\terror\tmain.go:1\tgone", "error main.go:1 gone"),
    ("Jan  2 03:04:05 host kernel: error: bad sector", "error bad sector"),
    ("Jan  2 03:04:05 host app[10]: ERROR gone", "error gone"),
    ("web_1  | ERROR: gone", "error gone"),
    ("[Wed Jan 02 03:04:05.123456 2031] [core:error] [pid 1:tid 2] AH00126: Invalid URI", "error AH00126: Invalid URI"),
    ('{"severity":"error","message":"db gone"}', "error db gone"),
    ('{"t":{"$date":"2031-01-02T03:04:05Z"},"s":"E","msg":"boom"}', "error boom"),
    ('{"PRIORITY":"3","MESSAGE":"disk"}', "error disk"),
    ('{"event":"db gone","level":"error","timestamp":"2031-01-02T03:04:05Z"}', "error db gone"),
    ('{"level":"error","msg":"cannot open \\"/etc/x\\": denied"}', 'error cannot open "/etc/x": denied'),
    ('{"log":"2031-01-02 03:04:05 ERROR inner\\n","stream":"stderr","time":"2031-01-02T03:04:05Z"}', "error inner"),
    ('level=error msg="cannot open \\"a\\""', 'error cannot open "a"'),
]


@pytest.mark.parametrize(("line", "told"), LINES)
def test_what_a_line_says_is_found_behind_what_it_begins_with(line: str, told: str) -> None:
    """Colours, times, hosts, services and the fields of a record aside; also where a lesser level stands before it."""
    assert [f"{one.kind} {one.title}" for one in made(f"{line}\n10:00:01 WARN x\n").entries] == [told, "warning x"]


def test_a_line_may_be_nothing_but_its_stamp() -> None:
    """It is as a blank line."""
    stamps = ("10:00:00", "[task 2031-01-02T03:04:05Z] 03:04:05 ", "Jan  2 03:04:05 host a[1]: ", "web-1  | ", "{}")
    assert shown(made("\n".join((*stamps, "10:00:00 ERROR a", *stamps, ""))).entries) == "6-6 error a\n"


TRACE = ("Traceback (most recent call last):", '  File "a.py", line 1', "KeyError: 'x'")


@pytest.mark.parametrize(
    "stamp",
    ["", "10:00:00 ", "2031-01-02T03:04:05.1Z ", "web-1  | ", "Jan  2 03:04:05 host app[1]: ", "10:00:00 INFO - "],
)
def test_a_trace_is_one_entry_behind_whatever_stands_before_its_lines(stamp: str) -> None:
    """The stamps of a build service, of a container or of the system's log; what follows it is not of it."""
    content = "".join(f"{stamp}{line}\n" for line in (*TRACE, "done"))
    assert shown(made(content).entries) == "1-3@3 error KeyError: 'x'\n"


def test_two_traces_are_two_entries() -> None:
    """Where nothing says that one is the cause of the other."""
    content = "\n".join((*TRACE, *TRACE, ""))
    assert shown(made(content).entries) == "1-3@3 error KeyError: 'x'\n4-6@6 error KeyError: 'x'\n"


def test_columns_and_calls_behind_a_stamp_belong_to_their_own_line() -> None:
    """Levels are padded to one width, and a message may look like a frame."""
    content = "10:00:01 ERROR   bad\n10:00:02 INFO    other\n10:00:03 db.connect()\n10:00:04 note: x\n"
    assert shown(made(content).entries) == "1-1 error bad\n"


def test_repeats_that_are_no_entries_are_said() -> None:
    """Also on faces that print no facts."""
    result = made("".join(f"10:00:00 ERROR port {n} closed\n" for n in range(40)))
    assert [(warned.code, warned.detail.split()[0]) for warned in result.warnings] == [("shallow_outline", "35")]


def test_one_time_makes_no_log_of_a_text() -> None:
    """Where most lines have neither a time nor a level, it is divided as text."""
    result = made("Start time: 13:45:42 on 11 March\none\n\ntwo\nthree\n")
    assert [entry.kind for entry in result.entries] == ["paragraph", "paragraph"]


REPORTS = {
    "a panic of Rust": (
        "thread 'main' (8841) panicked at src/main.rs:2:5:\nboom\nnote: run with x\n",
        "1-3 error thread 'main' (8841) panicked at src/main.rs:2:5:\n",
    ),
    "pytest": (
        "===== test session starts =====\na.py F\n\n===== FAILURES =====\n_____ test_rise _____\n\n"
        "    def test_rise():\n>       assert 1 == 2\nE       assert 1 == 2\n\na.py:3: AssertionError\n"
        "_____ test_fall[x] _____\nERROR no\n===== short test summary info =====\n"
        "FAILED a.py::test_rise - assert 1 == 2\n===== 2 failed in 0.1s =====\n",
        "5-11 error test_rise\n12-13 error test_fall[x]\n15-15 error a.py::test_rise - assert 1 == 2\n",
    ),
    "Jest": (
        "FAIL src/a.test.js\n  ● tide › rises\n\n    Expected: 4\n\n      at a (src/a.test.js:4:15)\n\n"
        "PASS src/b.test.js\nTests:       1 failed\n",
        "1-1 error src/a.test.js\n2-6 error tide › rises\n",
    ),
    "rustc": (
        "error[E0382]: moved\n  --> a.rs:10:20\n   |\n8  |     let s = 1;\n   |         - here\n\nFor more, see x.\n",
        "1-5 error moved\n",
    ),
    "npm": (
        "npm ERR! code ERESOLVE\nnpm ERR! \nnpm ERR!   react@18\nnpm WARN old a\nnpm error code 1\nnpm error path /a\n",
        "1-3 error code ERESOLVE\n4-4 warning old a\n5-6 error code 1\n",
    ),
    "a web server": (
        '10.0.0.1 - - [02/Jan/2031:03:04:05 +0000] "GET /a HTTP/1.1" 404 1 "-" "x"\n'
        '10.0.0.1 - - [02/Jan/2031:03:04:06 +0000] "POST /b?c=1 HTTP/1.1" 502 1 "-" "x"\n',
        "2-2 error POST /b 502\n",
    ),
    "Kubernetes": ("E0102 03:04:05.000001       1 a/b.go:147] gone\n", "1-1 error gone\n"),
    "logfmt": ('time="2031-01-02T03:04:05Z" level=error msg="it fell" id=1\n', "1-1 error it fell\n"),
    "Android": ("01-02 03:04:05.678  1702  2395 E Tide: it fell\n", "1-1 error Tide: it fell\n"),
}


@pytest.mark.parametrize("tool", REPORTS)
def test_errors_are_those_that_the_tool_tells(tool: str) -> None:
    """Each failure is one entry, with all that is printed of it, by what it says."""
    content, entries = REPORTS[tool]
    assert shown(made(content).entries) == entries


@pytest.mark.parametrize(
    "content",
    [
        "TypeError: x is not a function\n    at run (/a.js:1:2)\n",
        'Exception in thread "main" java.lang.Error\n\tat a.B.c(B.java:1)\n',
        "java.lang.IllegalStateException: no\n\tat a.B.c(B.java:1)\n",
        "===== test session starts =====\n\n===== 1 passed in 0.1s =====\n",
    ],
)
def test_a_trace_or_report_is_known_as_a_log(content: str) -> None:
    """In a text file, too."""
    assert made(f"$ run\n{content}", b"out.txt").format == "log"


def test_entries_are_bounded() -> None:
    """A log of nothing but different errors has at most `MAX_ENTRIES` of them, and says how many lines it has."""
    letters = "abcdefghijklmnopqrst"
    content = "".join(f"ERROR: {a}{b}{c}{d}\n" for a in letters for b in letters for c in letters for d in letters[:2])
    result = made(content)
    assert len(result.entries) == limits.MAX_ENTRIES
    assert dict(result.facts)["levels"] == {"error": 16_000}


@pytest.mark.parametrize(
    "opening",
    [
        "Traceback (most recent call last):\n",
        "\tat x\n",
        "x\n\tat y\n",
        "panic: \n\n",
        "ERROR ",
        "=== FAILURES ===\n___ a ___\n",
        "=== ",
        "  ● a\n",
        "npm ERR! \n",
        '10:00:00 "A ',
        "((((",
        "a.b(",
        '"',
        "[",
    ],
)
def test_hostile_marks_end(opening: str) -> None:
    """Twenty thousand marks give some sound outline."""
    made(opening * 20_000)
