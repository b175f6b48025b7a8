"""Objects for the time of one question: bytes that are not committed, where git can compare them, and gone after it.

They lie in a private temporary folder; nothing is ever written into a served repository.
"""

import os
import zlib
from collections.abc import Mapping
from typing import NamedTuple, Self

from budgeted_reads.trees.objects import object_id

FOLDER_MODE = "40000"


class Leaf(NamedTuple):
    """A file, link or submodule of a tree: its `mode` as git writes it (100644, 100755, 120000, 160000) and its id."""

    mode: str
    id: str


class Scratch:
    """A folder of loose objects; use it in a `with` block. DIGITS is 40 or 64."""

    def __init__(self, digits: int) -> None:
        self.digits = digits
        self.raws: dict[str, bytes] = {}
        self._folder = ""

    def __enter__(self) -> Self:
        import tempfile

        self._folder = tempfile.mkdtemp(prefix="budgeted-reads-")
        return self

    def __exit__(self, *_: object) -> None:
        import shutil

        shutil.rmtree(self._folder, ignore_errors=True)

    @property
    def environment(self) -> dict[str, str]:
        """What makes a git command see these objects beside those of its repository."""
        # Quoted, because a colon in the path of the temporary folder would end it.
        return {"GIT_ALTERNATE_OBJECT_DIRECTORIES": '"' + self._folder.replace("\\", "\\\\").replace('"', '\\"') + '"'}

    def blob(self, raw: bytes) -> str:
        """The id of RAW, which is written; its bytes stay at hand in `raws`."""
        id = self._write("blob", raw)
        self.raws[id] = raw
        return id

    def tree(self, leaves: Mapping[bytes, Leaf]) -> str:
        """The id of the tree that holds LEAVES by their whole paths; it and the trees below it are written."""
        root: dict[bytes, object] = {}
        for path, leaf in leaves.items():
            here = root
            *folders, name = path.split(b"/")
            for folder in folders:
                here = here.setdefault(folder, {})  # type: ignore[assignment]
            here[name] = leaf
        return self._tree(root)

    def _tree(self, rows: dict[bytes, object]) -> str:
        entries = []
        for name, row in rows.items():
            if isinstance(row, Leaf):
                entries.append((name, row))
            else:
                # Git sorts a folder as if its name ended in a slash.
                entries.append((name + b"/", Leaf(FOLDER_MODE, self._tree(row))))  # type: ignore[arg-type]
        entries.sort()
        parts = [
            leaf.mode.encode() + b" " + name.removesuffix(b"/") + b"\0" + bytes.fromhex(leaf.id)
            for name, leaf in entries
        ]
        return self._write("tree", b"".join(parts))

    def _write(self, kind: str, raw: bytes) -> str:
        id = object_id(kind, raw, self.digits)
        folder = os.path.join(self._folder, id[:2])
        place = os.path.join(folder, id[2:])
        if not os.path.exists(place):
            os.makedirs(folder, exist_ok=True)
            with open(place, "wb") as file:
                file.write(zlib.compress(f"{kind} {len(raw)}\0".encode() + raw, 1))
        return id
