"""What test runners print of a failure: pytest between its rules, Jest below its bullets."""

import re

_RULE = re.compile(r"(?P<mark>[=_])(?P=mark){2,} (?P<words>\S.*?) (?P=mark){3,}$")
_FAILURES = frozenset({"FAILURES", "ERRORS"})
_BULLET = re.compile(r" {1,4}● (?P<words>\S.*)")
_AFTER = re.compile(r"(?:PASS|FAIL) \S|(?:Test Suites|Tests|Snapshots|Time):|Summary of all")
_LONG = 400


class Report:
    """Fed with the lines of a log in turn, knows which belong to a failure: `inside` is of the line fed last."""

    def __init__(self) -> None:
        self.inside = False
        self._failures = False

    def opened_by(self, line: str) -> str | None:
        """What failed, where LINE is the heading of that; else None."""
        if line.startswith(("=", "_")) and len(line) < _LONG and (rule := _RULE.match(line)):
            if rule["mark"] == "=":
                self._failures = rule["words"] in _FAILURES
            self.inside = self._failures and rule["mark"] == "_"
            return rule["words"] if self.inside else None
        if "●" in line[:6] and (bullet := _BULLET.match(line)):
            self.inside = True
            return bullet["words"]
        if self.inside and not self._failures and _AFTER.match(line):
            self.inside = False
        return None
