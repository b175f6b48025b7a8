"""The user's own folders: where they are, and whether they are the user's alone."""

import os
import stat


def own_folder(variable: str, fallback: str, *steps: str, make: bool = True) -> str | None:
    """The folder STEPS below the one that the environment VARIABLE names, else below FALLBACK in the home.

    It is made (mode 0700) where it is not there. None where it cannot be, or where it, or one of the steps to it, is a
    link or belongs to or can be written by somebody else. Without MAKE nothing is made, and its path may not exist.
    """
    base = os.environ.get(variable, "")
    if not os.path.isabs(base):
        home = os.environ.get("HOME", "")
        if not os.path.isabs(home) or not is_ours(home, strict=False):
            return None
        base = os.path.join(home, fallback)
    folder = os.path.realpath(base)
    if not make:
        return os.path.join(folder, *steps)
    try:
        os.makedirs(folder, 0o700, exist_ok=True)
        if not is_ours(folder, strict=False):
            return None
        for step in steps:
            folder = os.path.join(folder, step)
            if not os.path.lexists(folder):
                os.makedirs(folder, 0o700, exist_ok=True)
            if not is_ours(folder):
                return None
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK | os.X_OK) else None


def bare_files(digits: int) -> dict[str, bytes]:
    """The files that make a folder with `objects` and `refs` a bare repository, ids of DIGITS; git never packs it."""
    version, extension = (1, b"[extensions]\n\tobjectformat = sha256\n") if digits == 64 else (0, b"")
    core = b"[core]\n\trepositoryformatversion = %d\n\tbare = true\n\tfilemode = true\n[gc]\n\tauto = 0\n"
    return {"HEAD": b"ref: refs/heads/none\n", "config": core % version + extension}


def is_ours(folder: str, *, strict: bool = True) -> bool:
    """Whether FOLDER belongs to this user; with STRICT also a real folder that nobody else may write to."""
    try:
        found = os.lstat(folder) if strict else os.stat(folder)
    except OSError:
        return False
    ours = stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid()
    return ours and not (strict and found.st_mode & 0o022)
