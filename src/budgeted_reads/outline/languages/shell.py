"""Shell: functions, exported and read-only names, variables of the top level."""

from typing import TYPE_CHECKING

from budgeted_reads.outline.languages.table import THROUGH, Needs, Pick, Rule, Table, in_capitals, through

if TYPE_CHECKING:
    from tree_sitter import Node


def _assignment(node: "Node") -> list[Pick]:
    name = node.child_by_field_name("name")
    return [Pick("constant" if in_capitals(name) else "variable", name)] if name is not None else []


_LETTERS = bytes(range(128)) + b"x" * 128


def _calmed(source: bytes) -> bytes:
    """SOURCE with ASCII letters for all others: on some of those the grammar reads memory that is not its own."""
    return source if source.isascii() else source.translate(_LETTERS)


_BRANCHES = through(
    "if_statement elif_clause else_clause compound_statement do_group for_statement while_statement case_statement"
    " case_item list"
)

TABLE = Table(
    contexts={
        "top": {
            **_BRANCHES,
            "function_definition": Rule("function", inside="function"),
            "variable_assignment": Rule(pick=_assignment),
            "declaration_command": THROUGH,
        },
        "function": {**_BRANCHES, "function_definition": Rule("function", inside="function")},
    },
    comments=frozenset({"comment"}),
    calmed=_calmed,
    needs={"function": Needs((b"function", b"()"))},
)
