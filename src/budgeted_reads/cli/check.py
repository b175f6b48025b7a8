"""The commands that check pointers: those given, and those that stand in files. One line each, then the totals."""

import argparse
import os
import sys

from budgeted_reads.cli.commands import NOT_VERIFIED, OK, open_node
from budgeted_reads.cli.output import print_json, print_text
from budgeted_reads.errors import BinaryFile, ForbiddenPath, InvalidRequest, NotFound
from budgeted_reads.evidence.checked import Checked, totals
from budgeted_reads.node import Node
from budgeted_reads.text import decode

STDIN = "-"


def verify(fields: dict[str, object], parsed: argparse.Namespace) -> int:
    """Print a line for each pointer; 1 unless every one is verified or exists."""
    with open_node(parsed) as node:
        found = node.verify(**fields)  # type: ignore[arg-type]
    if parsed.json:
        print_json(found.to_dict())
    else:
        print_text("".join(f"{row.said()}\n" for row in found.results))
    return OK if found.good else NOT_VERIFIED


def check(fields: dict[str, object], parsed: argparse.Namespace) -> int:
    """Print a line for each pointer of the files, then the totals; 1 unless every one holds (strict: unchanged)."""
    files, fix = [str(file) for file in fields["files"]], fields.get("fix") is True  # type: ignore[attr-defined]
    if fix and STDIN in files:
        raise InvalidRequest("--fix writes to a file, and - is none", "name the file, or leave --fix out")
    results: list[tuple[str, Checked]] = []
    fixed: list[str] = []
    with open_node(parsed) as node:
        for file in dict.fromkeys(files):
            rows, changed = _check_file(node, file, fix=fix)
            results += [(file, row) for row in rows]
            fixed += [file] if changed else []
    every = [row for _, row in results]
    if parsed.json:
        print_json({"results": [{"file": file, **row.to_dict()} for file, row in results], "fixed": fixed})
    else:
        lines = [f"{file}:{row.line}: {row.said()}\n" for file, row in results]
        written = [f"{file}: written anew\n" for file in fixed]
        print_text("".join([*lines, *written, totals(every) + "\n"]))
    good = all(row.good for row in every) and not (fields.get("strict") and any(row.drifted for row in every))
    return OK if good else NOT_VERIFIED


def _check_file(node: Node, file: str, *, fix: bool) -> tuple[tuple[Checked, ...], bool]:
    """The rows of FILE; with FIX, those after it was written anew, and whether it was."""
    raw = _read(file)
    text, encoding = _decoded(file, raw)
    checked = node.check_text(text)
    rows = checked.rows().results
    if not fix:
        return rows, False
    new = checked.renewed(rows)
    if new == text:
        return rows, False
    _write(file, new.encode(encoding, "surrogateescape"))
    return node.check_text(new).rows().results, True


def _decoded(file: str, raw: bytes) -> tuple[str, str]:
    """RAW as text, and the encoding that gives every byte of it back."""
    try:
        text = decode(raw)
    except BinaryFile as error:
        raise BinaryFile(f"{file}: {error.detail}", "check a text") from None
    if text.lossy or text.content.encode(text.encoding, "surrogateescape") != raw:
        return raw.decode("utf-8", "surrogateescape"), "utf-8"
    return text.content, text.encoding


def _read(file: str) -> bytes:
    if file == STDIN:
        return sys.stdin.buffer.read()
    try:
        with open(file, "rb") as opened:
            return opened.read()
    except (FileNotFoundError, NotADirectoryError):
        raise NotFound(f"there is no file {file}", "name a file, or - for the standard input") from None
    except (OSError, ValueError) as error:
        raise InvalidRequest(f"{file} cannot be read: {error}", "name a file, or - for the standard input") from None


def _write(file: str, raw: bytes) -> None:
    """Put RAW in the place of FILE at once, with its mode; a link stays a link."""
    import shutil

    place = os.path.realpath(file)
    work = f"{place}.{os.getpid()}-{os.urandom(4).hex()}"
    try:
        with open(work, "xb") as opened:
            opened.write(raw)
        shutil.copymode(place, work)
        os.replace(work, place)
    except OSError as error:
        raise ForbiddenPath(f"{file} cannot be written: {error.strerror}", "see who may write to its folder") from None
    finally:
        if os.path.lexists(work):
            os.unlink(work)
