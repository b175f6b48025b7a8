"""The tools as plain values: what an agent is told of them, and what a call answers. Nothing here knows an SDK.

A result is text only, the same as the command line prints: structured content would be shown beside the text or in
its place, at twice the tokens. The whole text is within the budget of the call.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from budgeted_reads import fields
from budgeted_reads.errors import ReadError
from budgeted_reads.faults import fault
from budgeted_reads.fields import Field
from budgeted_reads.node import Node

INSTRUCTIONS = (
    "Files of git trees, read within a token budget. Prefer nas_read to reading whole files: it gives the best view "
    "that fits (full text, folded text, outline or size) and says what it left out. Start small (400), then ask for "
    "what the answer's last line offers, or for lines or a section. Cite path@commit#L12-L18 from the header; "
    "given as path, it shows those lines of that commit again."
)
"""What a client shows of the whole server: at most 80 words."""

NOT_IN_TEXT = frozenset({"include", "number_lines", "tokenizer", "paths"})
"""Fields that change nothing or little in text, or that a glob says as well: taken, and not offered."""


class Tool(NamedTuple):
    """One tool: its FIELDS are its arguments, the one named REQUIRED must be there."""

    name: str
    title: str
    description: str
    fields: Sequence[Field]
    required: str
    run: Callable[[Node, Mapping[str, object]], str]


class Result(NamedTuple):
    """The text that a call gives, and whether it is an error."""

    text: str
    is_error: bool


def _read(node: Node, arguments: Mapping[str, object]) -> str:
    return node.ask(arguments, text=True).text


def _verify(node: Node, arguments: Mapping[str, object]) -> str:
    return node.verify_text(**{"text": None, **arguments})


def _search(node: Node, arguments: Mapping[str, object]) -> str:
    return node.find(arguments, text=True).text


def _diff(node: Node, arguments: Mapping[str, object]) -> str:
    return node.changes(arguments, text=True).text


TOOLS = (
    Tool(
        "nas_read",
        "Read within a budget",
        "The best view of a file or folder within budget_tokens, never cut in silence. Every shown line carries its "
        "number; a number that is not printed is folded; a-b is the extent of an entry.",
        [field for field in fields.READ if field.name not in NOT_IN_TEXT],
        "",
        _read,
    ),
    Tool(
        "nas_search",
        "Search within a budget",
        "Lines that match, with context and true totals, never cut in silence. `# path count` names a file, "
        "`## entry lines cost` what reading the entry costs, `13:` is a match. Cite path@commit#L13.",
        [field for field in fields.SEARCH if field.name not in NOT_IN_TEXT],
        "query",
        _search,
    ),
    Tool(
        "nas_diff",
        "Changes within a budget",
        "What changed between two commits, or since one: small patches whole, less detail of the rest, every file "
        "accounted for. `M path +3 -2` is a file, `@@ -a,b +c,d @@` lines on both sides.",
        [field for field in fields.DIFF if field.name not in NOT_IN_TEXT],
        "from",
        _diff,
    ),
    Tool(
        "nas_verify",
        "Check citations",
        "Whether every pointer in a text stands, and holds the quote that goes with it: one line each, the bad ones "
        "first, with what has become of the lines since. Check your answer before you give it.",
        [
            Field("text", "text", "your answer, or pointers with the passages quoted for them", "4"),
            *(field for field in fields.READ if field.name == "budget_tokens"),
        ],
        "text",
        _verify,
    ),
)
"""Every tool, in the order in which they are listed."""


def schema(tool: Tool) -> dict[str, object]:
    """The JSON Schema of the arguments of TOOL: no more words than the tables of `fields` have."""
    return {
        "type": "object",
        "properties": {field.name: _property(field) for field in tool.fields},
        "required": [tool.required] if tool.required else [],
    }


def _property(field: Field) -> dict[str, object]:
    if field.words:  # the words say it, the first is the default
        return {"type": "string", "enum": list(field.words)}
    default = f" (default {field.default})" if field.default else ""
    items = {"items": {"type": "string"}} if field.type == "globs" else {}
    return {"type": _TYPES.get(field.type, "string"), **items, "description": field.help + default}


_TYPES = {"count": "integer", "natural": "integer", "flag": "boolean", "globs": "array"}
"""What is not a string. What may be a string or a list is offered in one form: unions cost tokens, and some clients
fail. Of globs that is the list, since one alone often does not say what is meant."""


def call(node: Node, name: str, arguments: Mapping[str, object]) -> Result:
    """What the tool NAME gives for ARGUMENTS; an error says what to do next. LookupError where there is no such."""
    tool = next((one for one in TOOLS if one.name == name), None)
    if tool is None:
        raise LookupError(name)
    try:
        return Result(tool.run(node, arguments), is_error=False)
    except ReadError as error:
        return Result(told(error), is_error=True)
    except Exception as error:  # the one place where a fault becomes an answer instead of a trace
        return Result(told(fault(error)), is_error=True)


def told(error: ReadError) -> str:
    """ERROR as text: its line, then the candidates between which a name does not decide, one a line."""
    lines = [error.line()]
    candidates = error.members.get("candidates")
    if isinstance(candidates, Sequence):
        lines += ["  " + " ".join(_said(value) for value in one.values()) for one in candidates]
    return "\n".join(lines) + "\n"


def _said(value: object) -> str:
    return "-".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
