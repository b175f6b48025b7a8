"""Diffs and patches to commits, files and hunks. A hunk has the lines that its header counts, however they look."""

import re
from collections.abc import Sequence

from budgeted_reads.outline.entry import Entry, Outline
from budgeted_reads.outline.formats import Format
from budgeted_reads.outline.lines import bare_lines, entry, named
from budgeted_reads.outline.tree import Quota
from budgeted_reads.text import Text

_COMMIT = re.compile(r"(?:From|commit) [0-9a-f]{7,64}(?: |$)")
_SUBJECT = re.compile(r"Subject: (?:\[[^\]]*\] *)?(?P<words>.*)")
_HUNK = re.compile(r"@@ -\d{1,9}(?:,(?P<old>\d{1,9}))? \+\d{1,9}(?:,(?P<new>\d{1,9}))? @@")
_COMBINED = re.compile(r"@@@+ -\d[^@]*@@@")
_NAMING = re.compile(
    r"(?P<what>rename to|copy to|new file|deleted file|Binary files|GIT binary patch|---|\+\+\+)(?: (?P<rest>.*))?$"
)
_FLAGS = {
    "rename to": "renamed",
    "copy to": "copied",
    "new file": "added",
    "deleted file": "deleted",
    "Binary files": "binary",
    "GIT binary patch": "binary",
}
_OCTAL = re.compile(r"\\([0-7]{3})")
_NOWHERE = "/dev/null"


def outline(text: Text, form: Format) -> Outline:
    """Files around their hunks; where TEXT is a series of commits, these around their files.

    Facts: `file_count`, `added` and `removed` (lines). Flags of a file: added, deleted, renamed, copied, binary.
    """
    scan = _Scan(bare_lines(text))
    scan.run()
    facts = (("file_count", scan.file_count), ("added", scan.added), ("removed", scan.removed))
    entries = scan.quota.kept(scan.top)
    return Outline(entries, form.name, None, "data", warnings=scan.quota.warnings(), facts=facts)


class _File:
    __slots__ = ("end", "flags", "hunks", "new", "old", "own", "start")

    def __init__(self, start: int, own: int, old: str, new: str) -> None:
        self.start = start
        self.own = own
        self.end = own
        self.old = old
        self.new = new
        self.flags: list[str] = []
        self.hunks: list[Entry] = []

    def flag(self, flag: str) -> None:
        if flag not in self.flags:
            self.flags.append(flag)


class _Commit:
    __slots__ = ("end", "files", "own", "start", "title")

    def __init__(self, start: int) -> None:
        self.start = self.own = self.end = start
        self.title = ""
        self.files: list[Entry] = []


class _Scan:
    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.quota = Quota()
        self.top: list[Entry] = []
        self.file: _File | None = None
        self.commit: _Commit | None = None
        self.file_count = self.added = self.removed = 0

    def run(self) -> None:
        number = 0
        while number < len(self.lines):
            number += 1
            line = self.lines[number - 1]
            if line.startswith("@@") and (found := _HUNK.match(line) or _COMBINED.match(line)):
                number = self._hunk(number, found)
            elif line.startswith(("diff ", "Index: ")):
                self._open(number, number, *_from_diff_line(line))
            elif line.startswith("--- ") and self.lines[number : number + 1] and self._is_pair(number):
                number = self._pair(number)
            elif line.startswith(("From ", "commit ")) and _COMMIT.match(line):
                self._close_commit()
                self.commit = _Commit(number)
            elif line == "-- ":
                self._close()
            else:
                self._other(number, line)
            if self.commit and self.lines[number - 1].strip():
                self.commit.end = number
        self._close_commit()

    def _is_pair(self, number: int) -> bool:
        return self.lines[number].startswith("+++ ")

    def _pair(self, number: int) -> int:
        """The lines `---` and `+++`, which name a file, or say more of one that is open."""
        old, new = _path(self.lines[number - 1][4:]), _path(self.lines[number][4:])
        if self.file is None or self.file.hunks:
            self._open(number, number if new == _NOWHERE else number + 1, old, new)
        file = self.file
        if file is None:
            return number
        file.end = number + 1
        if old == _NOWHERE:
            file.flag("added")
        if new == _NOWHERE:
            file.flag("deleted")
        file.old, file.new = old, new
        return number + 1

    def _other(self, number: int, line: str) -> None:
        if self.file is None:
            if self.commit and not self.commit.title:
                self._subject(number, line)
            return
        if self.file.hunks or not line.strip():
            return
        self.file.end = number
        if found := _NAMING.match(line):
            if flag := _FLAGS.get(found["what"]):
                self.file.flag(flag)
            if found["what"] in ("rename to", "copy to") and found["rest"]:
                self.file.new = _unquoted(found["rest"])

    def _subject(self, number: int, line: str) -> None:
        """Where the commit that is open gets its title: the subject of a mail, else the first line of the message."""
        commit = self.commit
        if commit is None:
            return
        found = _SUBJECT.match(line)
        words = found["words"] if found else line if line.startswith("    ") else ""
        if words.strip():
            commit.title, commit.own = named(words), number

    def _open(self, start: int, own: int, old: str, new: str) -> None:
        self._close()
        self.file_count += 1
        self.file = _File(start, own, old, new)

    def _level(self) -> int:
        return 2 if self.commit else 1

    def _close(self) -> None:
        file, self.file = self.file, None
        if file and self.commit:
            self.commit.end = max(self.commit.end, file.end)
        if file is None or not self.quota.takes(self._level()):
            return
        title = file.old if file.new in ("", _NOWHERE) else file.new
        flags = tuple(file.flags)
        made = entry(
            self.lines,
            named(title) or "?",
            "file",
            self._level(),
            file.start,
            file.end,
            own=file.own,
            children=file.hunks,
            flags=flags,
        )
        (self.commit.files if self.commit else self.top).append(made)

    def _close_commit(self) -> None:
        self._close()
        commit, self.commit = self.commit, None
        if commit and self.quota.takes(1):
            title = commit.title or named(self.lines[commit.start - 1])
            made = entry(
                self.lines, title, "commit", 1, commit.start, commit.end, own=commit.own, children=commit.files
            )
            self.top.append(made)

    def _hunk(self, number: int, found: "re.Match[str]") -> int:
        """Add the hunk of line NUMBER; returns its last line. A hunk without a file is one of an unnamed file."""
        if found.re is _COMBINED:
            last = self._combined(number)
        else:
            last = self._counted(number, int(found["old"] or 1), int(found["new"] or 1))
        if self.file is None:
            self._open(number, number, "", "")
        if self.file:
            self.file.end = last
            level = self._level() + 1
            if self.quota.takes(level):
                title = named(self.lines[number - 1])
                self.file.hunks.append(entry(self.lines, title, "hunk", level, number, last))
        return last

    def _counted(self, number: int, old: int, new: int) -> int:
        while number < len(self.lines) and (old > 0 or new > 0):
            mark = self.lines[number][:1]
            if mark == "+":
                new -= 1
                self.added += 1
            elif mark == "-":
                old -= 1
                self.removed += 1
            elif mark in ("", " ", "\t"):
                old -= 1
                new -= 1
            elif mark != "\\":
                return self._without_blank_end(number)
            number += 1
        if number < len(self.lines) and self.lines[number].startswith("\\ "):
            number += 1
        return number

    def _without_blank_end(self, number: int) -> int:
        """A hunk that is cut off: blank lines in front of what comes next are not of it."""
        while not self.lines[number - 1]:
            number -= 1
        return number

    def _combined(self, number: int) -> int:
        while number < len(self.lines) and self.lines[number][:1] in (" ", "+", "-", "\\"):
            head = self.lines[number][:2]
            self.added += "+" in head
            self.removed += "-" in head
            number += 1
        return number


def _from_diff_line(line: str) -> tuple[str, str]:
    """Old and new path that `diff --git a/x b/x`, `diff -u x y` or `Index: x` name, as far as they do."""
    if line.startswith("Index: "):
        return line[7:], line[7:]
    words = line.removeprefix("diff ")
    if words.startswith(("--cc ", "--combined ")):
        path = _unquoted(words.partition(" ")[2])
        return path, path
    if words.startswith("--git "):
        words = words[6:]
        if words.startswith('"') and words.endswith('"'):
            parts = words[1:-1].split('" "')
            return _sided(_unquoted(f'"{parts[0]}"')), _sided(_unquoted(f'"{parts[-1]}"'))
        half = len(words) // 2
        if len(words) % 2 and words[half] == " " and words[2:half] == words[half + 3 :]:
            return words[2:half], words[half + 3 :]
    old, _, new = words.rpartition(" ")
    return _sided(old.rpartition(" ")[2]), _sided(new)


def _path(words: str) -> str:
    """The path after `---` or `+++`: without a time behind it, quotes around it and the side in front of it."""
    return _sided(_unquoted(words.partition("\t")[0].rstrip()))


def _sided(path: str) -> str:
    return path[2:] if path.startswith(("a/", "b/")) else path


def _unquoted(path: str) -> str:
    """PATH as git means it: octal escapes in quotes are bytes of UTF-8."""
    if len(path) < 2 or path[0] != '"' or path[-1] != '"':
        return path
    plain = _OCTAL.sub(lambda found: chr(int(found[1], 8)), path[1:-1])
    plain = plain.replace('\\"', '"').replace("\\\\", "\\")
    try:
        return plain.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return path[1:-1]
