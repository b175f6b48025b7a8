"""The text of a check within a budget: a header with the totals, then the rows that fit. Pure."""

from collections.abc import Sequence
from typing import NamedTuple

from budgeted_reads.errors import BudgetTooSmall
from budgeted_reads.tokens import Counter
from budgeted_reads.views.face import Face, Heading, Printed


class Told(NamedTuple):
    """The whole text, header and all, and what it costs; `bound` is held against the budget."""

    text: str
    tokens: int
    bound: int


def tell(rows: Sequence[str], totals: str, budget: int, counter: Counter) -> Told:
    """As many of ROWS, from the first on, as fit below the TOTALS, and the count of the rest; at most BUDGET in all.

    A row ends in LF and begins with a digit. `budget_too_small` where not even the totals fit.
    """
    face = Face(counter, "unknown", Heading(b"", None))

    def printed(shown: int) -> tuple[str, Printed]:
        left = f" +{len(rows) - shown} more" if shown < len(rows) else ""
        text = "".join(rows[:shown])
        return text, face.print(text, lambda tokens: f"verify {tokens}t {totals}{left}")

    if (floor := printed(0)[1].bound) > budget:
        raise BudgetTooSmall(
            f"{budget} tokens are too few: the totals alone cost {floor}",
            f"ask with budget_tokens {floor} or more",
            minimum_tokens=floor,
        )
    low, high = 0, len(rows)
    # A row costs more than the count of the rest can shrink by, so what fits is a prefix.
    while low < high:
        middle = (low + high + 1) // 2
        if printed(middle)[1].bound <= budget:
            low = middle
        else:
            high = middle - 1
    text, found = printed(low)
    return Told(found.header + text, found.tokens, found.bound)
