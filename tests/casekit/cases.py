"""The cases as values: a Request for each request of a case.json, named `A01`, or `A06[2]` where there are several."""

import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

CASES = Path(__file__).resolve().parent.parent / "cases"

Json = dict[str, Any]


class Request(NamedTuple):
    """One request of a case and what is expected of its answer. `number` counts from 1; 0 where there is but one."""

    case: str
    number: int
    asked: Json
    expect: Json

    def __str__(self) -> str:
        return f"{self.case}[{self.number}]" if self.number else self.case

    @property
    def folder(self) -> Path:
        """The folder that holds the case."""
        return CASES / self.case

    @property
    def op(self) -> str:
        """The operation, in the word of the cases."""
        return str(self.asked["op"])

    @property
    def area(self) -> str:
        """The letter of the area: A reading, B outlines, C lines and encodings ..."""
        return self.case[0]


@cache
def all_requests() -> tuple[Request, ...]:
    """Every request of every case, in order."""
    found: list[Request] = []
    for file in sorted(CASES.glob("*/case.json")):
        case = json.loads(file.read_text(encoding="utf-8"))
        if isinstance(case["request"], list):
            pairs = zip(case["request"], case["expect"], strict=True)
            found += [Request(case["id"], number, *pair) for number, pair in enumerate(pairs, 1)]
        else:
            found.append(Request(case["id"], 0, case["request"], case["expect"]))
    return tuple(found)


def commits(request: Request) -> dict[str, str]:
    """The object ids that the set-up of the case must print, by name; empty where it has none."""
    case = json.loads((request.folder / "case.json").read_text(encoding="utf-8"))
    return dict(case.get("commits", {}))
