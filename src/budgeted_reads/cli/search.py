"""`nas search` prints what was found; `nas index` makes ranked searches ready beforehand."""

import argparse

from budgeted_reads.cli.commands import open_node
from budgeted_reads.cli.output import print_json, print_text

OK, NO_MATCH = 0, 1


def search(fields: dict[str, object], parsed: argparse.Namespace) -> int:
    """Print the matches; the exit code is 1 where there is none."""
    with open_node(parsed) as node:
        found = node.find(fields, text=not parsed.json)
        if parsed.json:
            print_json(found.to_dict())
        else:
            print_text(found.text)
    return OK if found.totals.matches else NO_MATCH
