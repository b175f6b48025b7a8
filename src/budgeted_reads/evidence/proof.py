"""Proof of evidence: the raw git objects from the commit to the blob, for anyone to check offline. Pure.

`tools/verify_proof.py` checks a proof with nothing but Python's standard library.
"""

from base64 import b64encode
from collections.abc import Sequence
from typing import NamedTuple


class Stored(NamedTuple):
    """One git object: its kind (commit, tree, blob), its id, and its raw content, of which the id is the hash."""

    kind: str
    id: str
    raw: bytes


def proof(pointer: str, sha256: str | None, encoding: str, chain: Sequence[Stored]) -> dict[str, object]:
    """The proof that the lines of POINTER have that SHA256: CHAIN is its commit, the trees that lead to it, its blob.

    ENCODING tells how lines end: in UTF-16 a line end is two bytes.
    """
    return {
        "pointer": pointer,
        "sha256": sha256,
        "encoding": encoding,
        "objects": [{"type": kind, "id": id, "data": b64encode(raw).decode("ascii")} for kind, id, raw in chain],
    }
