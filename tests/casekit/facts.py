"""What an `expect` demands of an answer: a checker for each of its keys, an AssertionError where it does not hold.

`check` looks up every key of an expect in CHECKS, so a key that nobody checks is an error, never a pass.
"""

import hashlib
import json
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

from casekit import entries, invariants, processes, search
from casekit.ask import Answer, Asker, Checker
from casekit.build import git
from casekit.cases import Json

CODES = {
    "unknown_commit": {"commit_unknown"},
    "invalid_pointer": {"invalid_request"},
    "pattern_timeout": {"timeout"},
    "repository_untrusted": {"forbidden_path"},
    "unsupported_encoding": {"binary_file"},
    "invalid_request": {"invalid_request", "unknown_tokenizer"},
}
"""Error words of the cases -> the codes of the contract; a word that is not here is a code itself."""

VIEWS = {"tree": "folder", "metadata": "card", "binary": "card"}


def check(expect: Json, answer: Answer, asker: Asker) -> None:
    """Everything that EXPECT says holds for ANSWER."""
    for key, wanted in expect.items():
        checker = CHECKS[key]
        try:
            checker(wanted, answer, asker, expect)
        except KeyError as missing:
            raise AssertionError(f"{key}: the answer has no {missing}") from missing


def any_of(wanted: list[Json], answer: Answer, asker: Asker, expect: Json) -> None:
    """One of these holds whole."""
    failures = []
    for alternative in wanted:
        try:
            check(alternative, answer, asker)
        except AssertionError as failure:
            failures.append(str(failure))
        else:
            return
    raise AssertionError("none of the alternatives holds:\n" + "\n".join(failures))


def ok(wanted: bool, answer: Answer, asker: Asker, expect: Json) -> None:
    """An answer, or an error."""
    answered = answer.problem is None and answer.exit_code == 0
    assert answered is wanted, answer.problem or f"answered: {answer.shown[:400]!r}"


def body_of(answer: Answer) -> Json:
    """The body of an answer; an error is no answer."""
    assert answer.body is not None, answer.problem
    return answer.body


def error(wanted: str, answer: Answer, asker: Asker, expect: Json) -> None:
    """An error of this class."""
    error_in([wanted], answer, asker, expect)


def error_in(wanted: list[str], answer: Answer, asker: Asker, expect: Json) -> None:
    """An error of one of these classes."""
    assert answer.problem is not None, f"answered: {answer.shown[:400]!r}"
    allowed = set().union(*(CODES.get(word, {word}) for word in wanted))
    assert answer.problem["code"] in allowed, answer.problem


def not_error(wanted: str, answer: Answer, asker: Asker, expect: Json) -> None:
    """No error of this class."""
    assert answer.problem is None or answer.problem["code"] != wanted, answer.problem


def view(wanted: str, answer: Answer, asker: Asker, expect: Json) -> None:
    """This view."""
    view_in([wanted], answer, asker, expect)


def view_in(wanted: list[str], answer: Answer, asker: Asker, expect: Json) -> None:
    """One of these views."""
    assert body_of(answer)["view"] in [VIEWS.get(word, word) for word in wanted]


def view_not(wanted: list[str], answer: Answer, asker: Asker, expect: Json) -> None:
    """None of these views."""
    assert body_of(answer)["view"] not in [VIEWS.get(word, word) for word in wanted]


def tokens_max(wanted: int, answer: Answer, asker: Asker, expect: Json) -> None:
    """At most so many tokens, by the upper bound where the counter estimates; an error costs nothing."""
    if answer.problem is None:
        body = body_of(answer)
        assert max(body["tokens"], body["tokenizer"].get("upper_bound") or 0) <= wanted


def tokens_min(wanted: int, answer: Answer, asker: Asker, expect: Json) -> None:
    """At least so many tokens."""
    assert body_of(answer)["tokens"] >= wanted


def line_count(wanted: int, answer: Answer, asker: Asker, expect: Json) -> None:
    """The file has so many lines; an error, and a check of a pointer beyond them, says so too."""
    if answer.problem is not None:
        assert answer.problem.get("line_count", answer.problem.get("card", {}).get("line_count")) == wanted
    else:
        body = body_of(answer)
        body = body["results"][0] if "results" in body else body
        assert body.get("file", body)["line_count"] == wanted


def byte_size(wanted: int, answer: Answer, asker: Asker, expect: Json) -> None:
    """The file has so many bytes; a refusal says so in its card."""
    found = answer.problem["card"] if answer.problem is not None else body_of(answer)["file"]
    assert found["bytes"] == wanted


def line_range(wanted: list[int], answer: Answer, asker: Asker, expect: Json) -> None:
    """The range that the evidence names."""
    assert fragment(pointer_of(answer)) == tuple(wanted)


def commit(wanted: str, answer: Answer, asker: Asker, expect: Json) -> None:
    """The full id of the commit that was read."""
    assert body_of(answer)["commit"] == wanted


def in_file(name: str) -> Checker:
    """The value that `file` of the answer has under NAME."""

    def checker(wanted: object, answer: Answer, asker: Asker, expect: Json) -> None:
        assert body_of(answer)["file"][name] == wanted

    return checker


def content_utf8(wanted: str, answer: Answer, asker: Asker, expect: Json) -> None:
    """The content, to the byte."""
    assert body_of(answer)["content"] == wanted


def content_sha256(wanted: str, answer: Answer, asker: Asker, expect: Json) -> None:
    """The hash of the content in UTF-8."""
    assert hashlib.sha256(body_of(answer)["content"].encode("utf-8")).hexdigest() == wanted


def blob_sha256(wanted: str, answer: Answer, asker: Asker, expect: Json) -> None:
    """The hash of the bytes that git has under the blob id of the answer."""
    assert hashlib.sha256(git(asker.repository, "cat-file", "blob", body_of(answer)["blob"])).hexdigest() == wanted


def content_contains(wanted: list[str], answer: Answer, asker: Asker, expect: Json) -> None:
    """The content holds each of these."""
    content = body_of(answer)["content"]
    assert not [text for text in wanted if text not in content], content[:400]


def content_excludes(wanted: list[str], answer: Answer, asker: Asker, expect: Json) -> None:
    """Nothing that is shown, in an answer or in an error, holds one of these."""
    assert not [text for text in wanted if text in answer.shown], answer.shown[:400]


def line_labels(wanted: list[int], answer: Answer, asker: Asker, expect: Json) -> None:
    """The numbers that labelled lines carry."""
    content = body_of(asker.again(number_lines=True))["content"]
    assert [int(row.split(" ")[0]) for row in content.splitlines()] == wanted


def candidates(wanted: list[Any], answer: Answer, asker: Asker, expect: Json) -> None:
    """The ranges, or the commits, between which a name does not decide."""
    found = (answer.problem or {}).get("candidates", [])
    if wanted and isinstance(wanted[0], str):
        assert sorted(row["commit"] for row in found) == sorted(wanted)
    else:
        assert [entries.span(row["lines"]) for row in found] == [tuple(lines) for lines in wanted]


def pointer_of(answer: Answer) -> str:
    """The pointer of the first row of evidence."""
    evidence = body_of(answer)["evidence"]
    assert evidence, "no evidence"
    return str(evidence[0]["pointer"])


def fragment(pointer: str) -> tuple[int, int]:
    """First and last line that a pointer names."""
    match = re.search(r"#L(\d+)(?:-L(\d+))?$", pointer)
    assert match, f"no lines in {pointer}"
    return int(match[1]), int(match[2] or match[1])


def pointer(wanted: Json, answer: Answer, asker: Asker, expect: Json) -> None:
    """The parts of the pointer: commit, path, first and last line."""
    whole = pointer_of(answer)
    place, _, named = whole.partition("#")[0].rpartition("@")
    path = unquote(place.split("/", 4)[4])
    start, end = fragment(whole)
    found = {"commit": named, "path": path, "start": start, "end": end}
    assert {key: found[key] for key in wanted} == wanted


def roundtrip(wanted: bool, answer: Answer, asker: Asker, expect: Json) -> None:
    """The pointer dereferences to the content, under the hash that the answer gave."""
    row = body_of(answer)["evidence"][0]
    again = body_of(asker.dereference(row["pointer"], row["sha256"]))
    assert (again["content"] == body_of(answer)["content"]) is wanted
    assert again["sha256"] == row["sha256"] == hashlib.sha256(again["content"].encode("utf-8")).hexdigest()


def pointer_is_snapshot(wanted: bool, answer: Answer, asker: Asker, expect: Json) -> None:
    """The pointer names a commit that the repository itself does not have."""
    commit = pointer_of(answer).partition("#")[0].rpartition("@")[2]
    known = git(asker.repository, "rev-list", "--all").decode().split()
    assert (commit not in known) is wanted
    assert bool((body_of(answer).get("snapshot") or {}).get("dirty")) is wanted


FLAGS: dict[str, Callable[[Json], object]] = {
    "encoding": lambda body: body["file"]["encoding"],
    "bom": lambda body: body["file"]["encoding"] if body["file"]["bom"] else None,
    "eol": lambda body: body["file"]["line_ending"],
    "dirty": lambda body: bool((body.get("snapshot") or {}).get("dirty")),
    "symlink": lambda body: "symlink" in warnings_of(body),
    "binary": lambda body: body["file"]["encoding"] is None,
}


def flags(wanted: Json, answer: Answer, asker: Asker, expect: Json) -> None:
    """Facts about the file that the answer states."""
    found = {name: FLAGS[name](body_of(answer)) for name in wanted}
    assert found == wanted


def warnings_of(body: Json) -> dict[str, str]:
    """The warnings of an answer, by code."""
    return {row["code"]: row["detail"] for row in body.get("warnings") or []}


def warned(code: str) -> Callable[[Answer], bool]:
    """Whether an answer carries the warning CODE."""
    return lambda answer: code in warnings_of(answer.body or {})


def says_what_full_costs(answer: Answer) -> bool:
    """Whether an answer says that it is coarser than the full text, and what that would take."""
    body = answer.body or {}
    return body.get("degraded") is True and body["file"]["tokens"] > body["budget_tokens"]


def counts_the_rest(answer: Answer) -> bool:
    """Whether an answer that cannot name every entry says how many it leaves out and where."""
    omitted = (answer.body or {}).get("omitted")
    return isinstance(omitted, dict) and omitted["entries"] > 0 and bool(omitted["lines"])


DISCLOSED: dict[str, Callable[[Answer], bool]] = {
    "degraded_from_full": says_what_full_costs,
    "omitted_count": counts_the_rest,
    "minimum_budget": lambda answer: (answer.problem or {}).get("minimum_tokens", 0) > 0,
    "tokenizer_name": lambda answer: bool((answer.body or {})["tokenizer"]["name"]),
    "estimate": lambda answer: bool((answer.body or {})["tokenizer"]["other_models"] == "estimate"),
    "range_clamped": warned("clamped_range"),
    "ambiguous": warned("ambiguous_section"),
    "duplicate_keys": warned("duplicate_keys"),
    "lossy_decoding": warned("lossy_decoding"),
    "no_outline_for_type": warned("no_outline"),
    "parse_partial": warned("syntax_errors"),
    "symlink_target": warned("symlink"),
    "snippet_clipped": lambda answer: any(match["clipped"] for match in (answer.body or {})["matches"]),
    "next_page": lambda answer: bool((answer.body or {}).get("next")),
}


def disclose(wanted: list[str], answer: Answer, asker: Asker, expect: Json) -> None:
    """What the answer must say of itself."""
    unsaid = [word for word in wanted if not DISCLOSED[word](answer)]
    assert not unsaid, f"{unsaid} not said in {json.dumps(answer.body or answer.problem, ensure_ascii=False)[:800]}"


def uneven_lines(wanted: list[int], answer: Answer, asker: Asker, expect: Json) -> None:
    """The lines whose records have another number of cells, named in the warning."""
    detail = warnings_of(body_of(answer))["uneven_rows"]
    assert set(wanted) <= {int(number) for number in re.findall(r"\d+", detail)}, detail


def hold(wanted: list[str], answer: Answer, asker: Asker, expect: Json) -> None:
    """Properties, each tested by its own requests."""
    for name in wanted:
        invariants.INVARIANTS[name](answer, asker)


def beside(wanted: object, answer: Answer, asker: Asker, expect: Json) -> None:
    """A word that another checker reads."""


CHECKS: dict[str, Checker] = {
    "any_of": any_of,
    "blob_sha256": blob_sha256,
    "blocks": entries.blocks,
    "byte_size": byte_size,
    "candidates": candidates,
    "columns": in_file("columns"),
    "commit": commit,
    "compare": beside,
    "content_contains": content_contains,
    "content_excludes": content_excludes,
    "content_sha256": content_sha256,
    "content_utf8": content_utf8,
    "delimiter": in_file("delimiter"),
    "dereference_equals_content": roundtrip,
    "disclose": disclose,
    "documents": in_file("documents"),
    "error": error,
    "error_in": error_in,
    "flags": flags,
    "headings": entries.headings,
    "headings_absent": entries.headings_absent,
    "headings_complete": beside,
    "invariants": hold,
    "keys": entries.keys,
    "keys_absent": entries.keys_absent,
    "line_count": line_count,
    "line_labels": line_labels,
    "not_error": not_error,
    "ok": ok,
    "paths": entries.paths,
    "pointer": pointer,
    "pointer_is_snapshot": pointer_is_snapshot,
    "range": line_range,
    "records": entries.records,
    "roundtrip": roundtrip,
    "row_count": in_file("row_count"),
    "symbols": entries.symbols,
    "symbols_absent": entries.symbols_absent,
    "tokens_max": tokens_max,
    "tokens_min": tokens_min,
    "uneven_lines": uneven_lines,
    "view": view,
    "view_in": view_in,
    "view_not": view_not,
    **search.CHECKS,
    **processes.CHECKS,
}
"""The checker of each key. `any_of` beside other keys adds to them: all of it must hold."""
