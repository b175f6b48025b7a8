"""Why nothing is served at a path, in words that help: links, submodules, files on the way, names that look alike."""

from collections.abc import Callable, Iterable

from budgeted_reads import limits
from budgeted_reads.errors import ForbiddenPath, NotAFile, NotFound, ReadError
from budgeted_reads.trees.disk import Standing
from budgeted_reads.trees.paths import follow, refuse_git, show

_COMPARED = 5_000
"""Names of one folder beyond this many are not compared: a near name is a courtesy."""


def refusal(
    path: bytes, standing: Standing, names: Iterable[bytes], link: Callable[[bytes], bytes | None], where: str = ""
) -> ReadError:
    """The error for PATH, of which only a part stands. NAMES are those of the folder it leads to, LINK reads links.

    WHERE is said after the path, as in ` at commit 0123abcd`.
    """
    reached, rest = show(standing.reached), standing.rest
    if standing.kind == "link":
        real = follow(path, link)
        if real is None:
            return ForbiddenPath(f"{reached} is a link that leaves the tree", "nothing outside the tree is served")
        refuse_git(real)
        hint = f"ask for {show(real)}" if real != path else "the link leads to itself"
        return NotFound(f"{reached}{where} is a link and links are not followed", hint)
    if standing.kind == "submodule":
        return NotFound(
            f"{show(path)} is inside the submodule {reached}", "serve that repository as a tree of its own to read it"
        )
    if standing.kind != "folder":
        return NotFound(f"{reached}{where} is a {standing.kind}, nothing stands below it", f"ask for {reached}")
    near = [_joined(standing.reached, name, rest[1:]) for name in near_names(rest[0], names)]
    folder = f"the folder {reached}" if reached else "the root of the tree"
    hint = f"did you mean {near[0]}?" if near else f"list {folder} to see what is there"
    return NotFound(f"no {show(path)}{where}", hint, near=near)


def demands_folder(path: bytes, kind: str) -> None:
    """Raise `not_a_file` where PATH asks for a folder by a slash at its end and something else stands there."""
    if path.endswith(b"/") and kind != "folder":
        raise NotAFile(f"{show(path)} asks for a folder, but it is a {kind}", "leave out the slash at the end")


def near_names(name: bytes, names: Iterable[bytes]) -> list[bytes]:
    """At most NEAR_NAMES of NAMES that look like NAME, best first: other case or Unicode form, then a few edits."""
    wanted = _folded(name)
    pool: dict[str, list[bytes]] = {}
    for count, other in enumerate(names):
        if count == _COMPARED:
            break
        if other.lower() != b".git":
            pool.setdefault(_folded(other), []).append(other)
    same = pool.pop(wanted, [])
    import difflib

    # Long names cost the square of their length, and no typing error spans them.
    close = difflib.get_close_matches(wanted, pool, limits.NEAR_NAMES) if len(wanted) <= 255 else []
    return [*same, *(other for key in close for other in pool[key])][: limits.NEAR_NAMES]


def _folded(name: bytes) -> str:
    text = name.decode("utf-8", "replace")
    if not text.isascii():
        import unicodedata

        text = unicodedata.normalize("NFC", text)
    return text.casefold()


def _joined(folder: bytes, name: bytes, rest: tuple[bytes, ...]) -> str:
    return b"/".join(part for part in (folder, name, *rest) if part).decode("utf-8", "replace")
