"""The query repository: an empty bare repository of our own that borrows the objects of a served one.

Git is only ever run here. It has no refs, no hooks and none of the served configuration, so replace refs, promisor
remotes, filters and hooks of the served repository are never in play. It is a cache: deleting it loses nothing.
"""

import os
from collections.abc import Sequence
from functools import cache

from budgeted_reads.errors import Internal
from budgeted_reads.trees.home import bare_files, is_ours, own_folder


def query_repository(objects: str, digits: int, more: str | None = None) -> str:
    """The path of the query repository for the object folder OBJECTS, and MORE, another; made where it is not there.

    A folder of MORE need not exist yet. Several processes may ask at once. It lies in the user's cache folder, or,
    where that cannot be ours alone, in a temporary folder that is removed at exit.
    """
    import hashlib

    folders = [os.fsencode(os.path.realpath(folder)) for folder in (objects, more) if folder is not None]
    key = hashlib.sha256(b"\0".join(folders)).hexdigest()[:32]
    files = _files(folders, digits)
    for home in (cache_folder, temporary_folder):
        try:
            folder = home()
            if folder is None:
                continue
            place = os.path.join(folder, f"{key}-{digits}.git")
            if not _is_good(place, files):
                _make(place, files)
            return place
        except OSError:
            continue
    raise Internal(
        "no folder can be written for git's query repository", "make room, or set XDG_CACHE_HOME or TMPDIR to one"
    )


def cache_folder(use: str = "query") -> str | None:
    """The folder for that USE below the user's cache folder, private to this user; None where it cannot be."""
    return own_folder("XDG_CACHE_HOME", ".cache", "budgeted-reads", use)


@cache
def temporary_folder() -> str:
    """A private folder for this process, removed at its exit."""
    import atexit
    import shutil
    import tempfile

    folder, owner = tempfile.mkdtemp(prefix="budgeted-reads-"), os.getpid()

    def remove() -> None:
        if os.getpid() == owner:
            shutil.rmtree(folder, ignore_errors=True)

    atexit.register(remove)
    return folder


def _files(folders: Sequence[bytes], digits: int) -> dict[str, bytes]:
    return {
        **bare_files(digits),
        "objects/info/alternates": b"".join(_quoted(folder) + b"\n" for folder in folders),
    }


def _quoted(path: bytes) -> bytes:
    """PATH as git quotes names in C style: a newline in it ends no line, a `#` starts no comment."""
    plain = b"".join(bytes([byte]) if 32 <= byte < 127 and byte not in b'"\\' else b"\\%03o" % byte for byte in path)
    return b'"' + plain + b'"'


def _is_good(place: str, files: dict[str, bytes]) -> bool:
    if not is_ours(place):
        return False
    try:
        return all(_read(os.path.join(place, name)) == content for name, content in files.items())
    except OSError:
        return False


def _make(place: str, files: dict[str, bytes]) -> None:
    import shutil

    work = f"{place}.{os.getpid()}-{os.urandom(6).hex()}"
    os.mkdir(work, 0o700)
    try:
        for folder in ("objects", "objects/info", "objects/pack", "refs"):
            os.mkdir(os.path.join(work, folder), 0o700)
        for name, content in files.items():
            with open(os.path.join(work, name), "xb") as file:
                file.write(content)
        try:
            os.rename(work, place)
        except OSError:
            # Another process was faster, or what stands there is damaged: only the damaged one is replaced.
            if _is_good(place, files):
                return
            old = f"{work}.old"
            os.rename(place, old)
            os.rename(work, place)
            if os.path.isdir(old) and not os.path.islink(old):
                shutil.rmtree(old, ignore_errors=True)
            else:
                os.unlink(old)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _read(place: str) -> bytes:
    with open(place, "rb") as file:
        return file.read()
