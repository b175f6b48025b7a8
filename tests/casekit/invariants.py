"""Properties that hold over many requests: the sweeps, the trees of entries, the ids in pointers."""

import re
from collections.abc import Callable
from functools import cache, lru_cache

from casekit import entries
from casekit.ask import Answer, Asker
from casekit.cases import Json

ROW = re.compile(r"(\d+)(?:-(\d+))?(?: (.*))?")


@cache
def _vocabulary() -> Callable[[str], list[int]]:
    import splintr

    return splintr.Tokenizer.from_pretrained("o200k_base").encode_ordinary


def recount(text: str) -> int:
    """Tokens of TEXT by the vocabulary itself, without the product's counters."""
    return len(_vocabulary()(text))


def body_of(answer: Answer) -> Json:
    """The body of an answer that must be there."""
    assert answer.body is not None, answer.problem
    return answer.body


@lru_cache(maxsize=1)
def sweep(asker: Asker) -> tuple[int, list[tuple[int, Answer]]]:
    """T, the cost of the full text, and the answers at each budget from 1 to T+5."""
    full = body_of(asker.again(view="full", budget_tokens=entries.ENOUGH))
    total = recount(full["content"])
    return total, [(budget, asker.again(budget_tokens=budget)) for budget in range(1, total + 6)]


def full_iff_budget_ge_T(answer: Answer, asker: Asker) -> None:
    """The view is `full` exactly from T tokens on."""
    total, answers = sweep(asker)
    wrong = [budget for budget, found in answers if ((found.body or {}).get("view") == "full") != (budget >= total)]
    assert not wrong, f"T is {total}; wrong view at {wrong}"


def tokens_le_budget_or_error(answer: Answer, asker: Asker) -> None:
    """No answer costs more than its budget or other than it says; an error names the least budget that is answered."""
    for budget, found in sweep(asker)[1]:
        if found.problem is None:
            body = body_of(found)
            assert recount(body["content"]) == body["tokens"] <= budget
        else:
            assert found.problem["code"] == "budget_too_small"
            assert found.problem["minimum_tokens"] > budget
            body_of(asker.again(budget_tokens=found.problem["minimum_tokens"]))


def monotone_detail(answer: Answer, asker: Asker) -> None:
    """Every number, extent and line that an answer shows is shown by each answer at a larger budget."""
    source = body_of(asker.again(view="full", budget_tokens=entries.ENOUGH))["content"].split("\n")
    before: set[tuple[object, ...]] = set()
    for budget, found in sweep(asker)[1]:
        body = found.body or {"view": "card", "content": ""}
        if body["view"] == "full":
            return
        now = shown(body["content"], source)
        assert before <= now, f"at {budget} no longer shown: {sorted(before - now, key=str)}"
        before = now


def shown(content: str, source: list[str]) -> set[tuple[object, ...]]:
    """What rows show: the numbers they name, the extents they give, the lines of SOURCE they hold whole."""
    facts: set[tuple[object, ...]] = set()
    for row in content.splitlines():
        match = ROW.fullmatch(row)
        if match is None:  # a card
            continue
        number = int(match[1])
        facts.add(("named", number))
        if match[2]:
            facts.add(("extent", number, int(match[2])))
        if (match[3] or "") == source[number - 1].removesuffix("\r"):
            facts.add(("line", number))
    return facts


def ranges_within_file(answer: Answer, asker: Asker) -> None:
    """Every entry lies within the lines of its file."""
    count = body_of(answer)["file"]["line_count"]
    for named in entries.entries_of(answer, asker):
        first, last = named.lines
        assert 1 <= first <= last <= count, named.entry


def children_inside_parents(answer: Answer, asker: Asker) -> None:
    """No entry crosses the lines of the one it stands in."""
    for named in entries.entries_of(answer, asker):
        if named.above:
            first, last = entries.span(named.above[-1]["lines"])
            assert first <= named.lines[0] <= named.lines[1] <= last, named.entry


def pointer_commit_is_full_id(answer: Answer, asker: Asker) -> None:
    """Every pointer of the answer carries a full commit id."""
    body = body_of(answer)
    pointers = [row["pointer"] for row in [*body.get("evidence", []), *body.get("matches", [])]]
    assert pointers
    assert all(re.search(r"@([0-9a-f]{40}|[0-9a-f]{64})(#|$)", pointer) for pointer in pointers), pointers


INVARIANTS: dict[str, Callable[[Answer, Asker], None]] = {
    "children_inside_parents": children_inside_parents,
    "full_iff_budget_ge_T": full_iff_budget_ge_T,
    "monotone_detail": monotone_detail,
    "pointer_commit_is_full_id": pointer_commit_is_full_id,
    "ranges_within_file": ranges_within_file,
    "tokens_le_budget_or_error": tokens_le_budget_or_error,
}
