"""`nas mcp`: the node's tools for a coding agent, on standard input and output."""

import argparse
import os

from budgeted_reads.config import load
from budgeted_reads.node import Node


def run(fields: dict[str, object], parsed: argparse.Namespace) -> int:
    """Serve the configured trees, else the repository or folder one stands in; 0 when the input ends."""
    # The SDK takes over half a second to import: no other command may pay for it.
    from budgeted_reads.mcp import server

    with Node.configured(load(parsed.config), place=os.getcwd()) as node:
        server.serve(node)
    return 0
