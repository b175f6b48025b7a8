"""Which paths a list of globs takes in: `*.py`, `src/**`, `*.{ts,tsx}`, and with `!` what it leaves out.

A glob without a slash is for the last part of a path, wherever it stands; one with a slash is for the whole path from
the root of the tree, a slash at its end for all that is below. A path that is spelled like a glob is taken in by it.
"""

import re
from collections.abc import Sequence
from fnmatch import translate
from functools import lru_cache

from budgeted_reads.errors import NotFound

_BRACES = re.compile(r"\{([^{}]*,[^{}]*)\}")
_MOST = 64

Steps = tuple["re.Pattern[str] | None", ...]


class Globs:
    """Globs, compiled. Without any, or with such that only leave out, every other path is taken in."""

    def __init__(self, globs: Sequence[str]) -> None:
        self._in = [one for glob in globs if not glob.startswith("!") for one in _glob(glob)]
        self._out = [one for glob in globs if glob.startswith("!") for one in _glob(glob[1:])]
        self._names = {glob.strip("/") for glob in globs if not glob.startswith("!")}

    def take(self, path: bytes) -> bool:
        """Whether PATH, within its tree, is taken in."""
        text = path.decode("utf-8", "surrogateescape")
        if self._in and text not in self._names and not any(_matches(text, steps) for steps in self._in):
            return False
        return not any(_matches(text, steps) for steps in self._out)


def names_place(globs: Sequence[str]) -> bool:
    """Whether one of GLOBS that take in has a slash, so that it is for paths and not for names."""
    return any("/" in glob and not glob.startswith("!") for glob in globs)


def no_file(globs: Sequence[str]) -> NotFound:
    """The error where GLOBS take in no file."""
    return NotFound(
        f"no file matches {' '.join(globs)[:60]!r}",
        "a glob without a slash is for names, one with a slash for paths from the root: src/**/*.py",
    )


def _glob(glob: str) -> list[Steps]:
    spelled = [glob]
    while len(spelled) < _MOST and (found := next((m for one in spelled if (m := _BRACES.search(one))), None)):
        whole = found.string
        spelled.remove(whole)
        spelled += [whole[: found.start()] + word + whole[found.end() :] for word in found[1].split(",")]
    return [_steps(one) for one in spelled[:_MOST]]


def _steps(glob: str) -> Steps:
    """One matcher for each part of a path, None for any number of parts."""
    parts = glob.strip("/").split("/")
    if len(parts) == 1 and not glob.startswith("/"):
        parts.insert(0, "**")
    if glob.endswith("/"):
        parts.append("**")
    steps: list[re.Pattern[str] | None] = []
    for part in parts:
        if part != "**":
            steps.append(_part(part))
        elif not steps or steps[-1] is not None:
            steps.append(None)
    return tuple(steps)


@lru_cache(maxsize=1024)
def _part(part: str) -> re.Pattern[str]:
    # The standard library's translation keeps its time linear, stars and all.
    return re.compile(translate(part))


def _matches(path: str, steps: Steps) -> bool:
    """Whether PATH goes through STEPS: all the numbers of parts that each step may have reached, side by side."""
    parts = path.split("/")
    reached = {0}
    for number, step in enumerate(steps):
        if step is None:
            least = min(reached) + (number == len(steps) - 1 and number > 0)
            reached = set(range(least, len(parts) + 1))
        else:
            reached = {at + 1 for at in reached if at < len(parts) and step.match(parts[at])}
        if not reached:
            return False
    return len(parts) in reached
