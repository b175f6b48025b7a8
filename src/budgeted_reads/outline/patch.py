"""Diffs and patches to commits, files and hunks. A hunk has the lines that its header counts, however they look."""

import re
from collections.abc import Sequence

from budgeted_reads.outline.entry import Entry, Outline
from budgeted_reads.outline.formats import Format
from budgeted_reads.outline.lines import bare_lines, entry, named
from budgeted_reads.outline.patchpaths import (
    NOWHERE,
    Pair,
    is_of,
    of_diff,
    of_git,
    of_lines,
    of_listing,
    unquoted,
    without_sides,
)
from budgeted_reads.outline.patchseries import Commit, is_one_line_log, opened, read_title
from budgeted_reads.outline.tree import Quota
from budgeted_reads.text import Text

_HUNK = re.compile(r"@@ -\d{1,9}(?:,(?P<old>\d{1,9}))? \+\d{1,9}(?:,(?P<new>\d{1,9}))? @@")
_COMBINED = re.compile(r"@@@+ -\d[^@]*@@@")
_SAYING = re.compile(
    r"(?P<what>rename to|copy to|new file|deleted file|Binary files?|Cannot display:|GIT binary patch)"
    r"(?: (?P<rest>.*))?$"
)
_FLAGS = {
    "rename to": "renamed",
    "copy to": "copied",
    "new file": "added",
    "deleted file": "deleted",
    "Binary files": "binary",
    "Binary file": "binary",
    "Cannot display:": "binary",
    "GIT binary patch": "binary",
}
_DIFF = re.compile(r"diff (?:-|\S*[/.]\S* \S*[/.]\S*$)")
_INDEX = re.compile(r"Index: (?P<path>.*?)(?: \((?P<flag>added|deleted)\))?$")
_DEPOT = re.compile(r"==== (?P<path>//[^#]+)#")
_PROPERTIES = "Property changes on: "


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
    """A file while its lines are read. `origin` is what opened it: git, diff, index, depot, lines, listing or hunk."""

    __slots__ = ("end", "flags", "hunks", "new", "old", "origin", "own", "properties", "start")

    def __init__(self, start: int, own: int, paths: Pair, origin: str) -> None:
        self.start = start
        self.own = self.end = own
        self.old, self.new = paths
        self.origin = origin
        self.properties = False
        self.flags: list[str] = []
        self.hunks: list[Entry] = []

    def flag(self, flag: str | None) -> None:
        if flag and flag not in self.flags:
            self.flags.append(flag)

    @property
    def grows(self) -> bool:
        """Whether lines that are no hunk are its own: those of its header, and of properties after the hunks."""
        return self.properties or not (self.hunks or self.origin == "listing")


class _Scan:
    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.quota = Quota()
        self.top: list[Entry] = []
        self.file: _File | None = None
        self.commit: Commit | None = None
        self.commit_end = 0
        self.files: list[Entry] = []
        self.one_line = is_one_line_log(lines)
        self.file_count = self.added = self.removed = 0

    def run(self) -> None:
        number = 0
        while number < len(self.lines):
            number = self._step(number + 1)
            if self.commit and self.lines[number - 1].strip():
                self.commit_end = number
        self._close_commit()

    def _step(self, number: int) -> int:
        """Read what begins on line NUMBER; returns its last line."""
        line = self.lines[number - 1]
        if line.startswith("@@") and (found := _HUNK.match(line) or _COMBINED.match(line)):
            return self._hunk(number, found)
        if line.startswith("--- ") and self._is_pair(number):
            return self._pair(number)
        if self._opens_file(number, line):
            return number
        if commit := opened(line, number, self.commit, self.one_line):
            self._close_commit()
            self.commit = commit
        elif line == "-- ":
            self._close()
        else:
            self._other(number, line)
        return number

    def _is_pair(self, number: int) -> bool:
        return number < len(self.lines) and self.lines[number].startswith("+++ ")

    def _pair(self, number: int) -> int:
        """The lines `---` and `+++`, which name a file, or say more of one that is open."""
        old, new = of_lines(self.lines[number - 1][4:], self.lines[number][4:])
        file = self.file
        if file is None or not file.grows or file.properties:
            file = self._open(number, number if new == NOWHERE else number + 1, (old, new), "lines")
        file.end = number + 1
        labels = self.lines[number - 1], self.lines[number]
        for path, label, flag in zip((old, new), labels, ("added", "deleted"), strict=True):
            if path == NOWHERE or label.endswith("\t(nonexistent)"):
                file.flag(flag)
        # Where git names one path, that is it: a folder may have the name of a side.
        if file.origin != "git" or not is_of(new if old == NOWHERE else old, file.old):
            file.old, file.new = without_sides(old, new)
        return number + 1

    def _opens_file(self, number: int, line: str) -> bool:
        """Open the file that a line other than `---` names."""
        file = self.file
        if line.startswith("diff ") and _DIFF.match(line):
            if file and file.origin == "index" and file.grows:
                return False
            program, _, words = line[5:].partition(" ")
            if program == "--git":
                self._open(number, number, of_git(words), "git")
            elif program in ("--cc", "--combined"):
                self._open(number, number, (unquoted(words), unquoted(words)), "git")
            else:
                self._open(number, number, of_diff(line[5:]), "diff")
        elif line.startswith("Index: ") and (found := _INDEX.match(line)):
            self._open(number, number, (found["path"], found["path"]), "index").flag(found["flag"])
        elif line.startswith("==== //") and (found := _DEPOT.match(line)):
            self._open(number, number, (found["path"], found["path"]), "depot")
        elif line.startswith(_PROPERTIES):
            path = line.removeprefix(_PROPERTIES)
            if file is None or path not in (file.old, file.new):
                file = self._open(number, number, (path, path), "index")
            file.properties = True
            file.end = number
        elif line.startswith(("Only in ", "Binary files ", "Files ")) and (file is None or not file.grows):
            # In front of all files, sentences may begin so.
            paths = of_listing(line) if file or number == 1 else None
            if paths is None:
                return False
            self._open(number, number, paths, "listing").flag("binary" if line.startswith("Binary") else None)
        else:
            return False
        return True

    def _other(self, number: int, line: str) -> None:
        file = self.file
        if file is None:
            if self.commit and not self.commit.title:
                read_title(self.commit, self.lines, number)
            return
        if not file.grows or not line.strip():
            return
        file.end = number
        if found := _SAYING.match(line):
            file.flag(_FLAGS.get(found["what"]))
            if found["what"] in ("rename to", "copy to") and found["rest"]:
                file.new = unquoted(found["rest"])

    def _open(self, start: int, own: int, paths: Pair, origin: str) -> _File:
        self._close()
        self.file_count += 1
        self.file = _File(start, own, paths, origin)
        if self.commit:
            self.commit.diffed = True
        return self.file

    def _level(self) -> int:
        return 2 if self.commit else 1

    def _close(self) -> None:
        file, self.file = self.file, None
        if file and self.commit:
            self.commit_end = max(self.commit_end, file.end)
        if file is None or not self.quota.takes(self._level()):
            return
        title = named(file.old if file.new in ("", NOWHERE) else file.new) or "?"
        made = entry(
            self.lines,
            title,
            "file",
            self._level(),
            file.start,
            file.end,
            own=file.own,
            children=file.hunks,
            flags=tuple(file.flags),
        )
        (self.files if self.commit else self.top).append(made)

    def _close_commit(self) -> None:
        self._close()
        commit, self.commit = self.commit, None
        if commit and self.quota.takes(1):
            title = commit.title or named(self.lines[commit.start - 1])
            own, head, last = commit.own, commit.head, self.commit_end
            made = entry(self.lines, title, "commit", 1, commit.start, last, own=own, head=head, children=self.files)
            self.top.append(made)
        self.files = []

    def _hunk(self, number: int, found: "re.Match[str]") -> int:
        """Add the hunk of line NUMBER; returns its last line. A hunk without a file is one of an unnamed file."""
        if found.re is _COMBINED:
            last = self._combined(number)
        else:
            last = self._counted(number, int(found["old"] or 1), int(found["new"] or 1))
        file = self.file or self._open(number, number, ("", ""), "hunk")
        file.end = last
        level = self._level() + 1
        if self.quota.takes(level):
            title = named(self.lines[number - 1])
            file.hunks.append(entry(self.lines, title, "hunk", level, number, last))
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
