"""Path texts of requests as bytes: what a path may be, and how it is shown. Pure: nothing here touches the disk.

A path is bytes between slashes, as git has it: brackets, stars, backslashes, newlines and leading dashes are ordinary.
"""

from collections.abc import Callable
from typing import NamedTuple

from budgeted_reads.errors import ForbiddenPath, InvalidRequest
from budgeted_reads.limits import MAX_LINK_HOPS, MAX_PATH_BYTES
from budgeted_reads.outline.entry import Warned

_SHOWN = 120


class Parsed(NamedTuple):
    """A path within a tree: no leading slash, no `.`, no empty part. One slash at its end asks for a folder."""

    path: bytes
    warnings: tuple[Warned, ...] = ()


def parse(text: str | bytes) -> Parsed:
    """TEXT as a path within a tree; a text stands for its UTF-8 bytes, with surrogate escapes for other bytes.

    Raises `forbidden_path` for a `..`, `invalid_request` for NUL, stray surrogates and more than MAX_PATH_BYTES.
    """
    raw = text if isinstance(text, bytes) else encode(text)
    if b"\0" in raw:
        raise InvalidRequest("the path holds a NUL byte", "no file has such a name: remove it")
    if len(raw) > MAX_PATH_BYTES:
        raise InvalidRequest(f"the path has {len(raw)} bytes, the limit is {MAX_PATH_BYTES}", "ask for a shorter path")
    parts = raw.split(b"/")
    if b".." in parts:
        raise ForbiddenPath(f"{show(raw)} has a `..` in it", "name the place by its path from the root of the tree")
    kept = [part for part in parts if part not in (b"", b".")]
    slash = b"/" if kept and parts[-1] in (b"", b".") else b""
    path = b"/".join(kept) + slash
    if path == raw.removeprefix(b"/"):
        return Parsed(path)
    return Parsed(path, (Warned("path_normalised", f"read as {show(path) or 'the root of the tree'}"),))


def encode(text: str) -> bytes:
    """TEXT as the bytes of a name; `invalid_request` for a surrogate that stands for no byte."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raise InvalidRequest("the path holds a lone surrogate", "write other bytes as %XX in a pointer") from None


def show(path: bytes) -> str:
    """PATH for a person, on one line and clipped: quoted with escapes where it would not print."""
    text = path.decode("utf-8", "replace")
    if len(text) > _SHOWN:
        text = text[: _SHOWN - 1] + "…"
    return text if text.isprintable() else repr(text)


def refuse_git(path: bytes) -> None:
    """Raise `forbidden_path` where a part of PATH is `.git`, in any case: what it holds is never served."""
    if any(part.lower() == b".git" for part in path.split(b"/")):
        raise ForbiddenPath(f"{show(path)} is inside git's own folder", "ask for files of the tree")


def follow(path: bytes, read_link: Callable[[bytes], bytes | None]) -> bytes | None:
    """Where PATH leads when every link on it is followed inside the tree; None where it leaves the tree.

    READ_LINK gives the target of the link at a path, None where no link stands. A link that leads to itself, a
    chain of more than MAX_LINK_HOPS, or one longer than MAX_PATH_BYTES, as only an object of git can be, leads nowhere:
    PATH itself is the answer.
    """
    done: list[bytes] = []
    todo = path.split(b"/")[::-1]
    hops = 0
    while todo:
        part = todo.pop()
        if part in (b"", b"."):
            continue
        if part == b"..":
            if not done:
                return None
            done.pop()
            continue
        target = read_link(b"/".join((*done, part)))
        if target is None:
            done.append(part)
            continue
        hops += 1
        if target.startswith(b"/"):
            return None
        if hops > MAX_LINK_HOPS or len(target) > MAX_PATH_BYTES:
            return path
        todo.extend(target.split(b"/")[::-1])
    return b"/".join(done)


def leads(path: bytes, target: bytes, read_link: Callable[[bytes], bytes | None]) -> bytes | None:
    """Where the link at PATH with that TARGET leads; None where it leaves the tree, by its words or by its links."""
    if follow(path, {path: target}.get) is None:
        return None
    return follow(path, read_link)
