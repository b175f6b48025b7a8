"""`nas serve`: the node over HTTP, until it is stopped."""

import argparse
import os

from budgeted_reads.config import load
from budgeted_reads.node import Node


def run(fields: dict[str, object], parsed: argparse.Namespace) -> int:
    """Serve the configured trees, else the repository or folder one stands in; 0 once it is stopped."""
    from budgeted_reads.http import server

    host, port = fields.get("host", server.HOST), fields.get("port", server.PORT)
    with Node.configured(load(parsed.config), place=os.getcwd(), local=False) as node:
        server.serve(node, str(host), port)  # type: ignore[arg-type]
    return 0
