"""Grammars of the extra `grammars`: libraries of one wheel, checked before every load.

The wheel holds them packed; one is unpacked when its language is first met, into a folder that is this user's alone,
under the name of its own hash. What stands there is hashed again each time before it is loaded, and unpacked again
where it is not what the wheel names: a planted or torn file is never run. Without such a folder the library is loaded
from memory.
"""

import ctypes
import os
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from budgeted_reads.trees.home import own_folder

if TYPE_CHECKING:
    from tree_sitter import Language

PACKAGE = "semble_grammars"
_SYSTEMS = {"Linux": "linux", "Darwin": "macos"}
_MACHINES = {"amd64": "x86_64", "aarch64": "arm64"}


class _Library(NamedTuple):
    """A library as the wheel names it: its file in the archive, its function, its SHA-256."""

    archive: str
    file: str
    symbol: str
    digest: str


def load(name: str) -> "Language":
    """The grammar of that language. Raises LookupError where the extra is not installed, or has none of that name."""
    library = libraries().get(name)
    if library is None:
        raise LookupError(f"no grammar for {name} is installed")
    return language(library, own_folder("XDG_CACHE_HOME", ".cache", "budgeted-reads", "grammars"))


@cache
def libraries() -> dict[str, _Library]:
    """What the wheel holds for this machine, by language; nothing where it is not installed."""
    import json
    from importlib.util import find_spec

    spec = find_spec(PACKAGE)
    system = os.uname()
    tag = f"{_SYSTEMS.get(system.sysname, system.sysname)}-{_MACHINES.get(system.machine, system.machine)}"
    for place in spec.submodule_search_locations or () if spec is not None else ():
        folder = os.path.join(place, "grammars", tag)
        try:
            with open(os.path.join(folder, "manifest.json"), "rb") as file:
                found = json.load(file)
        except FileNotFoundError:
            continue
        archive = os.path.join(folder, found["archive"])
        facts = found["languages"].items()
        return {name: _Library(archive, one["file"], one["symbol"], one["sha256"]) for name, one in facts}
    return {}


def language(library: _Library, folder: str | None) -> "Language":
    """The grammar of LIBRARY, kept in FOLDER, which nobody else may write to; None: it is loaded from memory."""
    if folder is not None:
        place = os.path.join(folder, f"{library.digest}.so")
        if _kept(place, library):
            return _bound(place, library.symbol)
    # Never closed: the loader knows a library by its path, and a number that is used again would give it the first one.
    memory = os.memfd_create(library.file, os.MFD_CLOEXEC)
    with open(memory, "wb", closefd=False) as file:
        file.write(_unpacked(library))
    return _bound(f"/proc/self/fd/{memory}", library.symbol)


def _kept(place: str, library: _Library) -> bool:
    """Whether PLACE holds LIBRARY, which is written there where it does not."""
    try:
        with open(place, "rb") as file:
            if _digest(file.read()) == library.digest:
                return True
    except OSError:
        pass
    work = f"{place}.{os.getpid()}-{os.urandom(6).hex()}"
    try:
        with open(work, "xb", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
            file.write(_unpacked(library))
        os.replace(work, place)
    except OSError:
        return False
    finally:
        if os.path.lexists(work):
            os.unlink(work)
    return True


def _unpacked(library: _Library) -> bytes:
    """The bytes of LIBRARY. Raises LookupError where the archive does not hold what its manifest names."""
    import tarfile

    with tarfile.open(library.archive, "r:gz") as archive:
        file = archive.extractfile(library.file)
        raw = file.read() if file is not None else b""
    if _digest(raw) != library.digest:
        raise LookupError(f"{library.file} in {PACKAGE} is not what its manifest names: install it again")
    return raw


def _digest(raw: bytes) -> str:
    import hashlib

    return hashlib.sha256(raw).hexdigest()


def _bound(place: str, symbol: str) -> "Language":
    """The grammar that the function SYMBOL of the library at PLACE returns; the library stays loaded."""
    from tree_sitter import Language

    function = getattr(ctypes.CDLL(place), symbol)
    function.restype = ctypes.c_void_p
    capsule: Any = ctypes.pythonapi.PyCapsule_New
    capsule.restype = ctypes.py_object
    capsule.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
    return Language(capsule(function(), b"tree_sitter.Language", None))
