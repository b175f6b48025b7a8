"""The words of the tables: a rule says what begins a definition, a language has rules, marks and what goes on."""

import re
from collections.abc import Callable
from typing import NamedTuple

from budgeted_reads.outline.patterns.ends import End
from budgeted_reads.outline.patterns.marks import Marks

NEVER = re.compile(r"(?!)")

Title = Callable[[str], str]


class Rule(NamedTuple):
    """A line that PATTERN matches from its first word on begins a definition of KIND, called by the group `name`.

    `end` says where it ends; definitions inside are looked for where it `holds` any. `margin`: only without
    indentation. `within`: only inside a definition of one of these kinds. `title` makes the name of the whole head,
    `""` where it is no definition. Without a kind, it is of that of the definition before.
    """

    kind: str
    pattern: re.Pattern[str]
    end: End
    holds: bool = False
    margin: bool = False
    within: frozenset[str] = frozenset()
    title: Title | None = None


class Language(NamedTuple):
    """Its `rules`, the first that fits counts; `leads` matches lines that belong to the definition below them."""

    marks: Marks
    rules: tuple[Rule, ...]
    leads: re.Pattern[str] = NEVER


def rule(
    kind: str,
    pattern: str,
    end: End,
    *,
    holds: bool = False,
    margin: bool = False,
    within: str = "",
    title: Title | None = None,
    folds: bool = False,
) -> Rule:
    """The rule of these words; `within` is separated by spaces, `folds`: case makes no difference."""
    compiled = re.compile(pattern, re.IGNORECASE if folds else 0)
    return Rule(kind, compiled, end, holds, margin, frozenset(within.split()), title)
