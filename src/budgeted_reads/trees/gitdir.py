"""Where the git folder of a served place is, read in pure Python; nothing of it is believed that leads elsewhere.

A served tree may be an enemy's: its `.git` file could name the repository of somebody else. A git folder outside the
tree counts only where it names the tree in turn. Who owns it is not asked: its objects are read through a query
repository of our own, so nothing of it is trusted and nothing of it is run. Objects that it borrows from other
repositories (alternates) are read as git reads them.
"""

import os
from typing import NamedTuple

from budgeted_reads.errors import ForbiddenPath

_SMALL = 1 << 20


class GitFolder(NamedTuple):
    """The git folder of a repository: `own` has HEAD and the index, `common` the objects and most references."""

    own: str
    common: str
    digits: int
    reftable: bool
    promisor: bool

    @property
    def objects(self) -> str:
        """The object folder."""
        return os.path.join(self.common, "objects")


def work_tree_git(root: str) -> GitFolder | None:
    """The git folder of the work tree at ROOT, or None; `forbidden_path` where it is not ROOT's own."""
    dot = os.path.join(root, ".git")
    if os.path.islink(dot):
        return _checked(root, os.path.realpath(dot)) if os.path.isdir(dot) else None
    if os.path.isdir(dot):
        return _checked(root, dot) if is_git_folder(dot) else None
    text = _small(dot)
    if text is None or not text.startswith(b"gitdir: "):
        return None
    own = os.path.join(root, os.fsdecode(text[len(b"gitdir: ") :].rstrip(b"\r\n")))
    if not os.path.isdir(own):
        raise ForbiddenPath("the `.git` file of the tree names no folder", "run `git worktree repair`")
    return _checked(root, os.path.realpath(own))


def bare_git(root: str) -> GitFolder | None:
    """The git folder of the bare repository at ROOT, None where there is none."""
    if not is_git_folder(root) or not os.path.isdir(os.path.join(root, "objects")):
        return None
    return _described(root, root)


def is_git_folder(folder: str) -> bool:
    """Whether FOLDER looks like a git folder, as git tells: HEAD, and references and objects or a common folder."""
    if not os.path.lexists(os.path.join(folder, "HEAD")):
        return False
    if os.path.isfile(os.path.join(folder, "commondir")):
        return True
    return all(os.path.isdir(os.path.join(folder, name)) for name in ("objects", "refs"))


def remotes(folder: GitFolder) -> tuple[str, ...]:
    """The addresses of the remotes of a repository, as its configuration has them; nothing is done with them."""
    settings = _config(os.path.join(folder.common, "config"))
    return tuple(value for key, value in settings.items() if key.startswith("remote ") and key.endswith(".url"))


def _checked(root: str, own: str) -> GitFolder:
    common = own
    if (text := _small(os.path.join(own, "commondir"))) is not None:
        common = os.path.realpath(os.path.join(own, os.fsdecode(text.rstrip(b"\r\n"))))
        # Only a linked work tree shares the folder of another, and it stands below that one.
        if os.path.dirname(os.path.realpath(own)) != os.path.join(common, "worktrees"):
            raise ForbiddenPath("the git folder of the tree borrows that of a stranger", "serve the other repository")
    if not _inside(own, root) and not _links_back(root, own, common):
        raise ForbiddenPath(
            "the git folder of the tree lies outside it and does not name it in turn",
            "run `git worktree repair` there, or serve the repository itself",
        )
    return _described(own, common)


def _links_back(root: str, own: str, common: str) -> bool:
    dot = os.path.realpath(os.path.join(root, ".git"))
    text = _small(os.path.join(own, "gitdir")) if own != common else None
    if text is not None:
        return os.path.realpath(os.path.join(own, os.fsdecode(text.rstrip(b"\r\n")))) == dot
    named = _config(os.path.join(own, "config")).get("core.worktree")
    return named is not None and os.path.realpath(os.path.join(own, named)) == os.path.realpath(root)


def _described(own: str, common: str) -> GitFolder:
    config = _config(os.path.join(common, "config"))
    return GitFolder(
        own,
        common,
        64 if config.get("extensions.objectformat", "").lower() == "sha256" else 40,
        config.get("extensions.refstorage", "files").lower() == "reftable",
        "extensions.partialclone" in config or any(key.endswith(".promisor") for key in config),
    )


def _config(place: str) -> dict[str, str]:
    """The plain settings of a git configuration file by `section.key`; nothing is included, nothing is carried out."""
    settings: dict[str, str] = {}
    section = ""
    for line in (_small(place) or b"").decode("utf-8", "surrogateescape").split("\n"):
        line = line.strip()
        if line.startswith("["):
            section, _, line = line[1:].partition("]")
            section = section.strip().lower()
            line = line.strip()
        if not line or line[0] in "#;":
            continue
        key, equals, value = line.partition("=")
        settings[f"{section}.{key.strip().lower()}"] = _value(value) if equals else "true"
    return settings


def _value(text: str) -> str:
    text = text.strip()
    if len(text) > 1 and text[0] == text[-1] == '"':
        return text[1:-1].replace('\\"', '"').replace("\\\\", "\\")
    for mark in (" #", " ;", "\t#", "\t;"):
        text = text.split(mark, 1)[0]
    return text.rstrip()


def _inside(place: str, root: str) -> bool:
    root = os.path.realpath(root)
    return os.path.commonpath((os.path.realpath(place), root)) == root


def _small(place: str) -> bytes | None:
    """The bytes of a small regular file, None where there is none."""
    if not os.path.isfile(place):
        return None
    try:
        with open(place, "rb") as file:
            text = file.read(_SMALL + 1)
    except OSError:
        return None
    return text if len(text) <= _SMALL else None
