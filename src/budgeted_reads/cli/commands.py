"""The commands that ask a node: each takes the fields that were given and the parsed options, and prints the answer."""

import argparse
import os

from budgeted_reads.cli.output import print_bytes, print_json, print_note, print_text
from budgeted_reads.config import load
from budgeted_reads.node import Node

OK, NOT_VERIFIED = 0, 1


def open_node(parsed: argparse.Namespace) -> Node:
    """The node of the configuration, else the one of the repository or folder one stands in."""
    return Node.configured(load(parsed.config), place=os.getcwd())


def read(fields: dict[str, object], parsed: argparse.Namespace) -> int:
    """Print the view of a file or folder."""
    with open_node(parsed) as node:
        if parsed.json:
            print_json(node.ask(fields).to_dict())
        else:
            print_text(node.ask(fields, text=True).text)
    return OK


def deref(fields: dict[str, object], parsed: argparse.Namespace) -> int:
    """Print the bytes that a pointer names."""
    with open_node(parsed) as node:
        sha256 = fields.get("sha256")
        found = node.dereference(str(fields["pointer"]), sha256=None if sha256 is None else str(sha256))
        if parsed.json:
            print_json(found.to_dict())
        else:
            print_bytes(found.raw)
    for warned in found.warnings:
        print_note(f"{warned.code}: {warned.detail}")
    if found.verification == "hash_mismatch":
        print_note(f"hash_mismatch: the bytes have sha256 {found.content.sha256}")
        return NOT_VERIFIED
    return OK


def trees(fields: dict[str, object], parsed: argparse.Namespace) -> int:
    """Print the trees and their commits."""
    with open_node(parsed) as node:
        rows = node.trees()
        if parsed.json:
            print_json({"node": node.name, "trees": rows})
        else:
            print_text("".join(f"/{row['name']} {row['kind']} {row['head'] or '-'}\n" for row in rows))
    return OK


def capabilities(fields: dict[str, object], parsed: argparse.Namespace) -> int:
    """Print what this node can do."""
    with open_node(parsed) as node:
        told = node.capabilities()
        if parsed.json:
            print_json(told)
        else:
            print_text("".join(f"{name}: {_line(value)}\n" for name, value in told.items()))
    return OK


def _line(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_line(one)}" for name, one in value.items())
    if isinstance(value, list):
        return ", ".join(_entry(one) for one in value) or "none"
    return str(value)


def _entry(value: object) -> str:
    if not isinstance(value, dict):
        return str(value)
    if "exact" in value:
        return f"{value['name']}{'' if value['exact'] else ' (estimate)'}"
    return " ".join(str(one) for one in value.values() if one is not None)
