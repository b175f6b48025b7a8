"""`nas`: the command line. Answers go to stdout, errors to stderr; with `--json` one JSON value goes to stdout."""

import atexit
import gc
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import NoReturn

from budgeted_reads import __version__
from budgeted_reads.cli import options
from budgeted_reads.cli.output import Unwritten, print_error, print_json, print_note, print_text
from budgeted_reads.errors import Internal, ReadError

OK, FAILED, INTERRUPTED = 0, 2, 130


def console() -> NoReturn:
    """`main` as a process of its own; it ends at once, and takes nothing apart that ends with it anyway."""
    # A command lives for milliseconds and what it makes as long: whoever looks for garbage in it finds none.
    gc.set_threshold(100_000)
    code = main()
    # What is temporary is removed by what was registered for the end.
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        # A stream that the caller has closed is none.
        with suppress(AttributeError, OSError, ValueError):
            stream.flush()
    os._exit(code)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code is 0 for an answer, 1 not verified, 3 for every 404, else 2."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        return _answered(given)
    except BrokenPipeError:
        # Whoever read has had enough. What is still buffered has nowhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except Unwritten as error:
        print_note(f"the answer cannot be written: {error}")
        return FAILED
    except KeyboardInterrupt:
        return INTERRUPTED


def _answered(given: list[str]) -> int:
    try:
        return _run(given)
    except ReadError as error:
        return _fail(error, given)
    except (BrokenPipeError, Unwritten):
        raise
    except Exception as error:
        # The one place where a fault of ours becomes an answer instead of a trace.
        return _fail(_fault(error), given)


def _run(given: list[str]) -> int:
    command, parsed = options.parse(given, __version__)
    if command is None:
        print_text(options.usage(__version__))
        return OK
    return command.load()(options.given(command, parsed), parsed)


def _fail(error: ReadError, given: list[str]) -> int:
    if "--json" in given:
        print_json(error.problem())
    else:
        print_error(error)
    return error.exit_code


def _fault(error: Exception) -> Internal:
    """An error of ours, told by its kind and place: enough to report, nothing of the caller's files."""
    trace, where = error.__traceback__, ""
    while trace is not None:
        where = f"{os.path.basename(trace.tb_frame.f_code.co_filename)}:{trace.tb_lineno}"
        trace = trace.tb_next
    return Internal(f"{type(error).__name__} at {where}", "this is a fault of nas: please report it", id=where)
