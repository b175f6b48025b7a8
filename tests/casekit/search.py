"""What is demanded of searches, diffs and checks of pointers."""

from typing import Any

from casekit.ask import Answer, Asker, Checker
from casekit.cases import Json
from casekit.entries import span


def body_with(answer: Answer, name: str) -> Any:
    """The value that the body has under NAME."""
    assert answer.body is not None, answer.problem
    return answer.body[name]


def hits(answer: Answer) -> dict[tuple[str, int], Json]:
    """The matches by path and line."""
    return {(match["path"], span(match["lines"])[0]): match for match in body_with(answer, "matches")}


def matches(wanted: list[Json], answer: Answer, asker: Asker, expect: Json) -> None:
    """Exactly these lines, and in each snippet what must be seen."""
    found = hits(answer)
    assert sorted(found) == sorted((match["path"], match["line"]) for match in wanted)
    matches_include(wanted, answer, asker, expect)


def matches_include(wanted: list[Json], answer: Answer, asker: Asker, expect: Json) -> None:
    """These lines among others."""
    found = hits(answer)
    for match in wanted:
        assert match.get("snippet_contains", "") in found[match["path"], match["line"]]["snippet"]


def matches_exclude_paths(wanted: list[str], answer: Answer, asker: Asker, expect: Json) -> None:
    """No line of these files."""
    assert not {path for path, _ in hits(answer)} & set(wanted)


def skipped_include(wanted: list[str], answer: Answer, asker: Asker, expect: Json) -> None:
    """These files are named as not searched, with a reason."""
    reasons = {row["path"]: row["reason"] for row in body_with(answer, "skipped")}
    assert all(reasons.get(path) for path in wanted), reasons


def skipped_count_min(wanted: int, answer: Answer, asker: Asker, expect: Json) -> None:
    """At least so many files are named as not searched."""
    assert len(body_with(answer, "skipped")) >= wanted


def equal(name: str) -> Checker:
    """The body has the wanted value under NAME."""

    def checker(wanted: object, answer: Answer, asker: Asker, expect: Json) -> None:
        assert body_with(answer, name) == wanted

    return checker


def returned(wanted: int, answer: Answer, asker: Asker, expect: Json) -> None:
    """So many matches are in the answer."""
    assert len(body_with(answer, "matches")) == wanted


def files(wanted: list[Json], answer: Answer, asker: Asker, expect: Json) -> None:
    """Exactly these changed files, with status and counts."""
    found = {row["path"]: row for row in body_with(answer, "files")}
    assert sorted(found) == sorted(row["path"] for row in wanted)
    for row in wanted:
        assert {key: found[row["path"]].get(key) for key in row} == row


def verification(answer: Answer) -> Json:
    """The one row of a check of one pointer."""
    (row,) = body_with(answer, "results")
    return dict(row)


def verified(wanted: bool, answer: Answer, asker: Asker, expect: Json) -> None:
    """Whether the pointer verifies."""
    assert (verification(answer)["verification"] == "verified") is wanted


def reason(wanted: str, answer: Answer, asker: Asker, expect: Json) -> None:
    """Why it does not."""
    assert verification(answer)["verification"] == wanted


def found_at(wanted: list[Json], answer: Answer, asker: Asker, expect: Json) -> None:
    """Where else in the file the quote stands."""
    assert (verification(answer).get("found_at") or []) == wanted


CHECKS: dict[str, Checker] = {
    "files": files,
    "files_searched": equal("files_searched"),
    "found_at": found_at,
    "match_total": equal("match_total"),
    "matches": matches,
    "matches_exclude_paths": matches_exclude_paths,
    "matches_include": matches_include,
    "reason": reason,
    "returned": returned,
    "skipped_count_min": skipped_count_min,
    "skipped_include": skipped_include,
    "truncated": equal("truncated"),
    "verified": verified,
}
