"""Where a commit of a series of patches begins, and its title: mails, `git log`, `git log --oneline`, `hg export`."""

import re
from collections.abc import Sequence

from budgeted_reads.outline.lines import named

_MAIL = re.compile(r"From \S+ +[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]?\d \d\d:\d\d(?::\d\d)? \d{4}")
_REFS = r"\((?:(?:HEAD -> |tag: |from )?[^\s,\"()]++(?:, |(?=\))))++\)"
_LOG = re.compile(rf"commit (?:[-+<>=^] )?(?:[0-9a-f]{{7,64}}\b ?)++(?:\t\S*+)? ?(?:{_REFS})?$")
_HG = "# HG changeset patch"
_ONE_LINE = re.compile(r"[0-9a-f]{7,64} (?:\(from [0-9a-f]+\)(?: |$))?+(?P<words>\S.*)")
_SUBJECT = re.compile(r"Subject:[ \t]*+(?P<words>.*)", re.IGNORECASE)
_MARKS = re.compile(r"(?:\[[^\]]*+\]\s*+)*+")

_LOOK = 4_000
"""A subject is read in this many code points."""


class Commit:
    """A commit while its lines are read: `title` stands on lines `own` to `head`."""

    __slots__ = ("diffed", "head", "kind", "own", "said", "start", "title")

    def __init__(self, kind: str, start: int) -> None:
        self.kind = kind
        self.start = self.own = self.head = start
        self.title = ""
        self.said = False
        self.diffed = False

    @property
    def talks(self) -> bool:
        """Whether its message may still go on at column 0, where nothing but its own mark ends it."""
        return self.kind in ("mail", "hg") and not self.diffed

    def name(self, title: str, own: int, head: int = 0) -> None:
        self.title, self.own, self.head = named(title), own, head or own


def is_one_line_log(lines: Sequence[str]) -> bool:
    """Whether LINES begin as `git log --oneline -p` does: an id and a title, then a diff or the next of them."""
    if not lines or not _ONE_LINE.match(lines[0]):
        return False
    return len(lines) > 1 and (lines[1].startswith("diff --") or bool(_ONE_LINE.match(lines[1])))


def opened(line: str, number: int, within: Commit | None, one_line: bool) -> Commit | None:
    """The commit that LINE opens; None where it opens none, as a line in the message of WITHIN may not."""
    if line.startswith("From ") and _MAIL.match(line):
        return Commit("mail", number)
    talks = within is not None and within.talks
    if line == _HG and not (talks and within and within.kind == "mail"):
        return Commit("hg", number)
    if line.startswith("commit ") and not talks and _LOG.match(line):
        return Commit("log", number)
    if one_line and (found := _ONE_LINE.match(line)):
        made = Commit("line", number)
        made.name(found["words"], number)
        return made
    return None


def read_title(commit: Commit, lines: Sequence[str], number: int) -> None:
    """Name COMMIT by line NUMBER where that has its title: the subject of a mail, else the first of its message."""
    line = lines[number - 1]
    if not line:
        commit.said = True
    elif commit.kind == "mail" and not commit.said:
        if found := _SUBJECT.match(line):
            head = _folded(lines, number)
            commit.name(_subject(" ".join([found["words"], *lines[number:head]])), number, head)
    elif commit.kind == "hg":
        if line.strip() and not line.startswith("#"):
            commit.name(line, number)
    elif commit.said and line.strip() and (commit.kind == "mail" or line.startswith("    ")):
        commit.name(line, number)


def _folded(lines: Sequence[str], number: int) -> int:
    """The last line of the header that begins on line NUMBER: what goes on begins with a blank."""
    while number < len(lines) and lines[number][:1] in (" ", "\t") and lines[number].strip():
        number += 1
    return number


def _subject(words: str) -> str:
    """WORDS decoded (RFC 2047), without the marks of a patch in front of them."""
    words = words[:_LOOK].strip()
    if "=?" in words:
        words = _decoded(words)
    marks = _MARKS.match(words)
    at = marks[0].upper().rfind("PATCH") if marks else -1
    rest = words[words.index("]", at) + 1 :].strip() if at >= 0 else ""
    return rest or words


def _decoded(words: str) -> str:
    # Few subjects are encoded, and the package takes its time to load.
    from email.errors import MessageError
    from email.header import decode_header, make_header

    try:
        return str(make_header(decode_header(" ".join(words.split()))))
    except (MessageError, LookupError, ValueError):
        return words
