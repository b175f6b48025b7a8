"""Checks proofs of cited lines with nothing but Python's standard library: no git, no network, no other file.

    python verify_proof.py ANSWER.json       or - for the standard input

An answer to a check or a read with `include: ["proof"]` holds proofs: the raw git objects from the commit of a pointer
to the file. For each of them this program hashes every object, follows the path of the pointer from the commit through
the folders to the file, cuts out the lines and hashes them. It prints `ok` and the pointer, or `WRONG` and why. The
exit code is 0 if there is a proof and every one holds, else 1.

What a proof shows: these lines stand in that file of that commit. Not who made the commit, nor that they are true. The
name of the tree is not part of any commit: a proof is about the path that is printed.
"""

import base64
import hashlib
import json
import re
import sys
from urllib.parse import unquote_to_bytes


def check(proof: dict) -> str:  # type: ignore[type-arg]
    """The path within the commit that PROOF is about; ValueError says what does not hold."""
    found = re.fullmatch(r"nas://[^/]+/([^@#]*)@([0-9a-f]{40}|[0-9a-f]{64})(?:#L(\d+)(?:-L(\d+))?)?", proof["pointer"])
    if not found:
        raise ValueError("the pointer is spelled wrong")
    objects = [(one["type"], one["id"], base64.b64decode(one["data"], validate=True)) for one in proof["objects"]]
    for kind, id, raw in objects:
        if id != object_id(kind, raw, len(found[2])):
            raise ValueError(f"the {kind} {id} has another hash")
    kinds = [kind for kind, _, _ in objects]
    if len(kinds) < 3 or kinds != ["commit", *["tree"] * (len(kinds) - 2), "blob"]:
        raise ValueError("a proof is a commit, trees and a blob")
    if objects[0][1] != found[2]:
        raise ValueError("the proof is of another commit")
    steps = found[1].split("/")[2 - len(kinds) :]
    if len(steps) != len(kinds) - 2:
        raise ValueError("the path has fewer folders than the proof")
    wanted = tree_of(objects[0][2])
    for (_, id, raw), step in zip(objects[1:-1], steps, strict=True):
        if id != wanted:
            raise ValueError(f"the folder above {step} is another one")
        wanted = entries(raw, len(found[2]) // 2).get(unquote_to_bytes(step), "")
    if objects[-1][1] != wanted:
        raise ValueError("the file at that path is another one")
    part = lines(objects[-1][2], proof.get("encoding", ""), found[3], found[4] or found[3])
    if hashlib.sha256(part).hexdigest() != proof["sha256"]:
        raise ValueError("the lines have another hash")
    return "/".join(steps)


def object_id(kind: str, raw: bytes, digits: int) -> str:
    """The id of a git object: the SHA-1 (40 DIGITS) or SHA-256 (64) of its kind, its size and its content."""
    whole = b"%s %d\0" % (kind.encode(), len(raw)) + raw
    return (hashlib.sha256(whole) if digits == 64 else hashlib.sha1(whole, usedforsecurity=False)).hexdigest()


def tree_of(commit: bytes) -> str:
    """The id of the root folder, which is the first line of a commit."""
    word, _, id = commit.split(b"\n", 1)[0].partition(b" ")
    if word != b"tree":
        raise ValueError("the commit is malformed")
    return id.decode()


def entries(raw: bytes, width: int) -> dict[bytes, str]:
    """What a folder holds: the id of each name. A row is the mode, a space, the name, a NUL and WIDTH bytes of id."""
    found = {}
    at = 0
    while at < len(raw):
        space = raw.index(b" ", at)
        nul = raw.index(b"\0", space)
        found[raw[space + 1 : nul]] = raw[nul + 1 : nul + 1 + width].hex()
        at = nul + 1 + width
    return found


def lines(raw: bytes, encoding: str, first: str | None, last: str | None) -> bytes:
    """Lines FIRST to LAST of the file, each with the LF that ends it; the whole file where the pointer names none."""
    if first is None or last is None:
        return raw
    end = {"utf-16-le": b"\n\0", "utf-16-be": b"\0\n"}.get(encoding, b"\n")
    starts = [0]
    at = raw.find(end)
    while at >= 0:
        if at % len(end) == 0:
            starts.append(at + len(end))
        at = raw.find(end, at + 1)
    if starts[-1] != len(raw):
        starts.append(len(raw))
    if not 1 <= int(first) <= int(last) < len(starts):
        raise ValueError(f"the file has {len(starts) - 1} lines")
    return raw[starts[int(first) - 1] : starts[int(last)]]


def proofs(value: object) -> list[dict]:  # type: ignore[type-arg]
    """Every proof in a JSON value, wherever it is."""
    if isinstance(value, list):
        return [proof for one in value for proof in proofs(one)]
    if not isinstance(value, dict):
        return []
    if "objects" in value and "pointer" in value:
        return [value]
    return [proof for one in value.values() for proof in proofs(one)]


def main(arguments: list[str]) -> int:
    """Check every proof of one file; 0 where all hold."""
    if len(arguments) != 1:
        print(__doc__)
        return 2
    if arguments[0] == "-":
        found = proofs(json.load(sys.stdin))
    else:
        with open(arguments[0], encoding="utf-8") as file:
            found = proofs(json.load(file))
    good = bool(found)
    for proof in found:
        try:
            print(f"ok {proof['pointer']} (path {check(proof)})")
        except (ValueError, KeyError, TypeError) as error:
            good = False
            print(f"WRONG {proof.get('pointer')}: {error}")
    if not found:
        print("no proof in it")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
