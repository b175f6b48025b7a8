"""The public failures of reading tools: none of them is ours."""

import os
from collections import Counter
from pathlib import Path

import pytest

from casekit import entries, facts, invariants, waiting
from casekit.ask import Answer, Asker
from casekit.build import Workshop
from casekit.cases import CASES, Json, Request, all_requests

PWNED = Path("/tmp/budget-reads-pwned")  # the file that hostile arguments of G03 try to make


@pytest.fixture(scope="session")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    """The repositories of the cases, each made once for the whole run."""
    return Workshop(tmp_path_factory.mktemp("cases"))


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own for each request, so that no cache of the machine is read or written."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    return home


@pytest.mark.parametrize("request_", waiting.running(), ids=str)
def test_a_public_failure_is_not_ours(request_: Request, workshop: Workshop, own_home: Path) -> None:
    """The answer to the request of a case is what the case expects, in every fact, and makes no file elsewhere."""
    asker = Asker(request_, workshop.repository(request_), own_home)
    facts.check(request_.expect, asker.ask(), asker)
    assert not PWNED.exists()


def test_every_other_request_is_listed_with_what_it_waits_for() -> None:
    """No request is left out in silence: `waiting.txt` names each one that is not asked, and what it waits for."""
    assert (CASES / "waiting.txt").read_text(encoding="utf-8") == waiting.waiting_list()


def test_what_is_built_is_asked_for() -> None:
    """Each capability in the table is needed by a request, each special need belongs to one: no word is a slip."""
    needed = Counter(need for request in all_requests() for need in waiting.needs(request))
    assert set(needed) >= waiting.BUILT
    assert {str(request) for request in all_requests()} >= set(waiting.ALSO_NEEDS)


def test_every_word_of_the_cases_has_a_checker() -> None:
    """Whatever a case expects is looked at: each key, each flag, each thing to disclose, each property."""
    expects = [request.expect for request in all_requests()]
    expects += [alternative for expect in expects for alternative in expect.get("any_of", [])]
    assert {key for expect in expects for key in expect} <= set(facts.CHECKS)
    assert {word for expect in expects for word in expect.get("disclose", [])} <= set(facts.DISCLOSED)
    assert {word for expect in expects for word in expect.get("flags", {})} <= set(facts.FLAGS)
    assert {word for expect in expects for word in expect.get("invariants", [])} <= set(invariants.INVARIANTS)


ONE = next(request for request in all_requests() if str(request) == "A01")
NOWHERE = Asker(ONE, Path(os.devnull), Path(os.devnull))
BODY: Json = {
    "view": "outline",
    "requested_view": "auto",
    "degraded": True,
    "tokens": 90,
    "budget_tokens": 100,
    "tokenizer": {"name": "o200k_base", "exact": True, "upper_bound": None, "other_models": "estimate"},
    "content": "1-9 # Top\n3 ## Inner\n",
    "evidence": [{"pointer": f"nas://local/A01/a%23b.md@{'0' * 40}#L1-L9", "lines": [1, 9], "sha256": "0" * 64}],
    "omitted": None,
    "file": {"line_count": 9, "bytes": 120, "tokens": 300, "encoding": "utf-8", "bom": False, "line_ending": "lf"},
    "commit": "0" * 40,
    "snapshot": None,
    "warnings": [{"code": "clamped_range", "detail": "lines 4-99 are 4-9"}],
    "entries": [
        {
            "title": "Top",
            "kind": "heading",
            "level": 1,
            "lines": [1, 9],
            "children": [{"title": "Inner", "kind": "heading", "level": 2, "lines": [3, 9], "children": []}],
        }
    ],
}
GOOD = Answer(body=BODY)
BAD = Answer(problem={"code": "range_out_of_bounds", "line_count": 5, "status": 422})
FOUND = Answer(
    body={
        "matches": [{"path": "a.md", "lines": [2, 2], "snippet": "a needle", "clipped": False}],
        "match_total": 1,
        "files": [{"path": "a.md", "status": "modified", "added": 1, "removed": 2, "binary": False}],
        "results": [{"verification": "quote_mismatch", "found_at": []}],
    }
)

TRUE_AND_FALSE: list[tuple[Answer, Json, Json]] = [
    (GOOD, {"ok": True}, {"ok": False}),
    (BAD, {"ok": False}, {"ok": True}),
    (BAD, {"error": "range_out_of_bounds"}, {"error": "not_found"}),
    (BAD, {"line_count": 5}, {"line_count": 6}),
    (GOOD, {"line_count": 9}, {"line_count": 10}),
    (GOOD, {"view_in": ["tree", "outline"]}, {"view_not": ["outline"]}),
    (GOOD, {"tokens_max": 90}, {"tokens_max": 89}),
    (GOOD, {"tokens_min": 90}, {"tokens_min": 91}),
    (GOOD, {"range": [1, 9]}, {"range": [1, 8]}),
    (GOOD, {"pointer": {"path": "a#b.md", "start": 1}}, {"pointer": {"path": "a.md"}}),
    (GOOD, {"content_contains": ["Inner"]}, {"content_excludes": ["Inner"]}),
    (GOOD, {"disclose": ["range_clamped", "degraded_from_full", "estimate"]}, {"disclose": ["omitted_count"]}),
    (GOOD, {"flags": {"eol": "lf", "dirty": False}}, {"flags": {"bom": "utf-8"}}),
    (GOOD, {"headings": [{"text": "Inner", "level": 2, "start": 3, "end": 9}]}, {"headings_absent": ["Inn"]}),
    (GOOD, {"symbols": [{"name": "Inner", "start": 3, "end": 9, "parent": "Top"}]}, {"symbols_absent": ["Top"]}),
    (GOOD, {"keys": [{"path": "Top.Inner", "line": 3}]}, {"keys": [{"path": "Inner", "line": 3}]}),
    (GOOD, {"headings": [], "ok": True}, {"headings": [], "headings_complete": True}),
    (GOOD, {"invariants": ["ranges_within_file", "children_inside_parents"]}, {"row_count": 3}),
    (GOOD, {"any_of": [{"ok": False}, {"ok": True}]}, {"any_of": [{"ok": False}, {"view": "full"}]}),
    (FOUND, {"matches": [{"path": "a.md", "line": 2}]}, {"matches": []}),
    (FOUND, {"matches_include": [{"path": "a.md", "line": 2, "snippet_contains": "nee"}]}, {"match_total": 2}),
    (FOUND, {"files": [{"path": "a.md", "added": 1}]}, {"files": [{"path": "a.md", "added": 2}]}),
    (FOUND, {"verified": False, "reason": "quote_mismatch", "found_at": []}, {"verified": True}),
    (Answer(stdout="{}\n", exit_code=3), {"exit_code": 3, "stdout": "one json value"}, {"exit_code_in": [0, 1]}),
]


@pytest.mark.parametrize(("answer", "true", "false"), TRUE_AND_FALSE, ids=range(len(TRUE_AND_FALSE)))
def test_a_checker_tells_right_from_wrong(answer: Answer, true: Json, false: Json) -> None:
    """A checker passes what holds and fails what does not: the runner cannot be green by looking away."""
    facts.check(true, answer, NOWHERE)
    with pytest.raises(AssertionError):
        facts.check(false, answer, NOWHERE)


@pytest.mark.parametrize(("written", "read"), [([12, 18], (12, 18)), ("12-18", (12, 18)), ("12", (12, 12))])
def test_a_range_is_read_in_each_of_its_forms(written: object, read: tuple[int, int]) -> None:
    """A range in JSON and a range in text are the same lines."""
    assert entries.span(written) == read
