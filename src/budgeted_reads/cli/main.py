"""`nas`: the command line. Answers go to stdout, errors to stderr; with `--json` one JSON value goes to stdout."""

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from budgeted_reads import __version__
from budgeted_reads.cli import options
from budgeted_reads.errors import Internal, ReadError

if TYPE_CHECKING:
    from budgeted_reads.node import Node

OK, NOT_VERIFIED = 0, 1


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code is 0 for an answer, 1 not verified, 3 for every 404, else 2."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        return _run(given)
    except ReadError as error:
        return _fail(error, as_json="--json" in given)
    except BrokenPipeError:
        # Whoever read has had enough. What is still buffered has nowhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except KeyboardInterrupt:
        return 130
    except Exception as error:  # the one place where a fault becomes an answer instead of a trace
        return _fail(_fault(error), as_json="--json" in given)


def _run(given: list[str]) -> int:
    parser = options.parser(__version__)
    parsed = parser.parse_args(given)
    if parsed.command is None:
        parser.print_help()
        return OK
    command = next(one for one in options.COMMANDS if one.name == parsed.command)
    fields = options.request(command, parsed)
    from budgeted_reads.node import Node

    with Node.open(".") as node:
        return _COMMANDS[command.name](node, fields, parsed.json)


def _read(node: "Node", fields: dict[str, object], as_json: bool) -> int:
    if as_json:
        _print_json(node.ask(fields).to_dict())
    else:
        _print(node.ask(fields, text=True).text)
    return OK


def _deref(node: "Node", fields: dict[str, object], as_json: bool) -> int:
    sha256 = fields.get("sha256")
    found = node.dereference(str(fields["pointer"]), sha256=None if sha256 is None else str(sha256))
    if as_json:
        _print_json(found.to_dict())
    else:
        _print_bytes(found.raw)
    if found.verification == "hash_mismatch":
        print(f"hash_mismatch: the bytes have sha256 {found.content.sha256}", file=sys.stderr)
        return NOT_VERIFIED
    return OK


def _trees(node: "Node", fields: dict[str, object], as_json: bool) -> int:
    rows = node.trees()
    if as_json:
        _print_json({"node": node.name, "trees": rows})
    else:
        _print("".join(f"/{row['name']} {row['kind']} {row['head'] or '-'}\n" for row in rows))
    return OK


_COMMANDS = {"read": _read, "deref": _deref, "trees": _trees}


def _print(text: str) -> None:
    _print_bytes(text.encode("utf-8", "replace"))


def _print_bytes(data: bytes) -> None:
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def _print_json(body: object) -> None:
    import json

    _print(json.dumps(body, ensure_ascii=False) + "\n")


def _fail(error: ReadError, *, as_json: bool) -> int:
    if as_json:
        _print_json(error.problem())
    else:
        lines = [error.line()]
        candidates = error.members.get("candidates")
        if isinstance(candidates, Sequence):
            lines += ["  " + " ".join(str(value) for value in one.values()) for one in candidates]
        sys.stderr.buffer.write(("\n".join(lines) + "\n").encode("utf-8", "replace"))
    return error.exit_code


def _fault(error: Exception) -> Internal:
    """An error of ours, told by its kind and place: enough to report, nothing of the caller's files."""
    trace, where = error.__traceback__, ""
    while trace is not None:
        where = f"{os.path.basename(trace.tb_frame.f_code.co_filename)}:{trace.tb_lineno}"
        trace = trace.tb_next
    return Internal(f"{type(error).__name__} at {where}", "this is a fault of nas: please report it", id=where)
