"""Budgeted Reads: reading for AI agents, measured in tokens, with answers that can be checked.

    from budgeted_reads import Node

    with Node.open(".") as node:
        answer = node.read("README.md", budget_tokens=400)
        print(answer.content, answer.evidence[0].pointer)

What is listed in `__all__` is the public surface; it is loaded when it is first asked for.
"""

from typing import TYPE_CHECKING

from budgeted_reads.version import VERSION

if TYPE_CHECKING:
    from budgeted_reads.answer import Answer, Dereferenced
    from budgeted_reads.errors import ReadError
    from budgeted_reads.node import Node
    from budgeted_reads.pointer import Pointer
    from budgeted_reads.pointer import parse as parse_pointer

__version__ = VERSION

__all__ = ["Answer", "Dereferenced", "Node", "Pointer", "ReadError", "__version__", "parse_pointer"]

_HOMES = {
    "Answer": "answer",
    "Dereferenced": "answer",
    "Node": "node",
    "Pointer": "pointer",
    "ReadError": "errors",
    "parse_pointer": "pointer",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    module = import_module(f"{__name__}.{_HOMES[name]}")
    return getattr(module, "parse" if name == "parse_pointer" else name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
