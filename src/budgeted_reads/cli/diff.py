"""`nas diff`: what changed between two commits, or since one, within a budget."""

import argparse

from budgeted_reads.cli.commands import OK, open_node
from budgeted_reads.cli.output import print_json, print_text


def diff(fields: dict[str, object], parsed: argparse.Namespace) -> int:
    """Print the changes."""
    with open_node(parsed) as node:
        if parsed.json:
            print_json(node.changes(fields).to_dict())
        else:
            print_text(node.changes(fields, text=True).text)
    return OK
