"""What kind of change a file has, in words where lines do not say it: modes, links, binaries, white space."""

import re
from collections.abc import Callable, Iterator

from budgeted_reads.changes.patch import ABSENT, LINK, SUBMODULE, FileChange

_SIZE = re.compile(rb"^([-+ ])size (\d+)$", re.MULTILINE)
_SPACE = re.compile(rb"\s+")
_LFS = b"version https://git-lfs.github.com/spec/v1\n"
_FIRST = {mark: re.compile(rb"^%s([^\n]*)$" % re.escape(bytes([mark])), re.MULTILINE) for mark in b"-+"}
_GENERATED = re.compile(
    rb"(^|/)(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|[^/]*\.lock|go\.sum|[^/]*\.min\.(js|css)"
    rb"|[^/]*\.map|[^/]*\.snap|[^/]*_pb2\.py|[^/]*\.pb\.go)$"
)

Size = Callable[[str], int | None]
"""An object's id to its size in bytes, None where it is not here."""

KINDS = {"100644": "file", "100755": "file", LINK: "link", SUBMODULE: "submodule"}


def words(change: FileChange, size: Size) -> list[str]:
    """What is out of the ordinary about CHANGE; nothing for plain edits."""
    return list(_words(change, size))


def _words(change: FileChange, size: Size) -> Iterator[str]:
    old, new = change.modes
    if SUBMODULE in change.modes:
        yield "submodule " + _between(*(None if mode != SUBMODULE else id[:12] for mode, id in _sides(change)))
    elif change.halves:
        yield f"{KINDS.get(old, old)} -> {KINDS.get(new, new)}"
    elif LINK in change.modes:
        yield "link"
    elif old != new and ABSENT not in change.modes:
        yield f"mode {old} -> {new}"
    if change.binary:
        sizes = [None if mode == ABSENT else size(id) for mode, id in _sides(change)]
        yield f"binary {_between(*(None if one is None else str(one) for one in sizes))} bytes"
    elif change.encoding is not None:
        yield change.encoding
    elif change.by_other_lines:
        yield "utf-16"
    elif change.patch and (said := _of_lines(change)):
        yield said


def _sides(change: FileChange) -> Iterator[tuple[str, str]]:
    return zip(change.modes, change.ids, strict=True)


def _between(old: str | None, new: str | None) -> str:
    return " -> ".join(one for one in (old, new) if one is not None) or "?"


def _of_lines(change: FileChange) -> str | None:
    if _LFS in change.patch:
        sizes = {mark: int(count).__str__() for mark, count in _SIZE.findall(change.patch)}
        same = sizes.get(b" ")
        return f"git-lfs {_between(sizes.get(b'-', same), sizes.get(b'+', same))} bytes"
    if ABSENT in change.modes or change.added != change.removed:
        return None
    return only(change)


def only(change: FileChange) -> str | None:
    """`line ends only`, `final newline only` or `white space only`, where nothing else differs."""
    if not change.patch or change.added != change.removed or not _begins_alike(change.patch):
        return None
    said: set[str] = set()
    for hunk in change.hunks:
        for part in hunk.parts:
            lines = part.body.split(b"\n")[:-1]
            old = [line[1:] for line in lines if line.startswith(b"-")]
            new = [line[1:] for line in lines if line.startswith(b"+")]
            if len(old) != len(new):
                return None
            if old == new:
                said.add("final newline only")
            elif [line.rstrip(b"\r") for line in old] == [line.rstrip(b"\r") for line in new]:
                said.add("line ends only" + _ends(old, new))
            elif [_SPACE.sub(b"", line) for line in old] == [_SPACE.sub(b"", line) for line in new]:
                said.add("white space only")
            else:
                return None
    if len(said) > 1:
        return "line ends only" if all(one.startswith("line ends") for one in said) else "white space only"
    return said.pop() if said else None


def _begins_alike(patch: bytes) -> bool:
    """Whether the first line that goes and the first that comes are the same but for white space: most are not."""
    went, came = (_FIRST[mark].search(patch) for mark in b"-+")
    return bool(went and came) and _SPACE.sub(b"", went[1]) == _SPACE.sub(b"", came[1])  # type: ignore[index]


def _ends(old: list[bytes], new: list[bytes]) -> str:
    was, now = (all(line.endswith(b"\r") for line in side) for side in (old, new))
    return "" if was == now else " LF -> CRLF" if now else " CRLF -> LF"


def generated(path: bytes) -> bool:
    """Whether PATH is by its name a file that a program writes: a lock, a bundle, a map."""
    return _GENERATED.search(path) is not None
