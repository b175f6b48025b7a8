"""Faults of the product itself, as servers tell them: an id for the caller, the trace for the log."""

import secrets
import sys
import traceback

from budgeted_reads.errors import Internal


def fault(error: Exception) -> Internal:
    """ERROR as `internal` with an id; its trace goes to standard error under that id, and nowhere else."""
    id = secrets.token_hex(6)
    print(f"internal error {id}:\n{''.join(traceback.format_exception(error))}", end="", file=sys.stderr, flush=True)
    return Internal("the server failed", f"report it with what its log says of {id}", id=id)
