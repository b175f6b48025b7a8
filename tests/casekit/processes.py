"""What is demanded of commands and sessions: exit codes, streams, time, memory, size."""

import json

from casekit.ask import Answer, Asker, Checker, read_words
from casekit.cases import Json


def max_seconds(wanted: float, answer: Answer, asker: Asker, expect: Json) -> None:
    """The request took less time than this."""
    assert answer.seconds < wanted


def max_rss_mb(wanted: float, answer: Answer, asker: Asker, expect: Json) -> None:
    """The same read, in a process of its own, never holds more memory than this."""
    assert asker.peak_mb(read_words(asker.fields())) < wanted


def max_response_bytes(wanted: int, answer: Answer, asker: Asker, expect: Json) -> None:
    """The answer as JSON is no larger than this."""
    assert len(json.dumps(answer.body, ensure_ascii=False).encode("utf-8")) <= wanted


def exit_code(wanted: int, answer: Answer, asker: Asker, expect: Json) -> None:
    """The command ended with this code."""
    assert answer.exit_code == wanted, answer.stderr


def exit_code_in(wanted: list[int], answer: Answer, asker: Asker, expect: Json) -> None:
    """The command ended with one of these codes."""
    assert answer.exit_code in wanted, answer.stderr


def exit_code_not(wanted: int, answer: Answer, asker: Asker, expect: Json) -> None:
    """The command did not end with this code."""
    assert answer.exit_code != wanted, answer.stdout[:400]


def stdout(wanted: str, answer: Answer, asker: Asker, expect: Json) -> None:
    """Standard output is one JSON value and nothing else; or, where the words say so, empty."""
    if not (answer.stdout == "" and wanted.endswith("or empty")):
        json.loads(answer.stdout)


def stdout_empty(wanted: bool, answer: Answer, asker: Asker, expect: Json) -> None:
    """Nothing on standard output."""
    assert (answer.stdout == "") is wanted, answer.stdout[:400]


def stderr_contains(wanted: list[str], answer: Answer, asker: Asker, expect: Json) -> None:
    """Standard error holds each of these."""
    assert all(text in answer.stderr for text in wanted), answer.stderr


def stderr_excludes(wanted: list[str], answer: Answer, asker: Asker, expect: Json) -> None:
    """Standard error holds none of these."""
    assert not [text for text in wanted if text in answer.stderr], answer.stderr


def text_contains(wanted: list[str], answer: Answer, asker: Asker, expect: Json) -> None:
    """The text that the caller gets holds each of these."""
    assert all(text in answer.shown for text in wanted), answer.shown


def http_status(wanted: int, answer: Answer, asker: Asker, expect: Json) -> None:
    """The status of the problem."""
    assert (answer.problem or {}).get("status") == wanted


def mcp_is_error(wanted: bool, answer: Answer, asker: Asker, expect: Json) -> None:
    """The result of the tool is marked as an error."""
    assert (answer.problem is not None) is wanted


def stdout_every_line(wanted: str, answer: Answer, asker: Asker, expect: Json) -> None:
    """Every line on standard output is one message of JSON-RPC 2.0."""
    for line in answer.stdout.splitlines():
        assert json.loads(line)["jsonrpc"] == "2.0", line


def responds_to_last(wanted: bool, answer: Answer, asker: Asker, expect: Json) -> None:
    """The last line on standard output answers the last request of the session."""
    last = len([message for message in asker.request.asked["messages"] if message != "notifications/initialized"]) - 1
    assert (json.loads(answer.stdout.splitlines()[-1])["id"] == last) is wanted


CHECKS: dict[str, Checker] = {
    "exit_code": exit_code,
    "exit_code_in": exit_code_in,
    "exit_code_not": exit_code_not,
    "exit_code_on_eof": exit_code,
    "http_status": http_status,
    "max_response_bytes": max_response_bytes,
    "max_rss_mb": max_rss_mb,
    "max_seconds": max_seconds,
    "mcp_is_error": mcp_is_error,
    "responds_to_last": responds_to_last,
    "stderr_contains": stderr_contains,
    "stderr_excludes": stderr_excludes,
    "stdout": stdout,
    "stdout_empty": stdout_empty,
    "stdout_every_line": stdout_every_line,
    "text_contains": text_contains,
}
