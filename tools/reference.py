"""Writes docs/reference.md from the tables that the product itself runs on.

python tools/reference.py            print it
python tools/reference.py --write    put it into docs/reference.md
"""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from budgeted_reads import errors, fields, tokens
from budgeted_reads.cli.options import ALIASES, COMMANDS
from budgeted_reads.errors import ReadError
from budgeted_reads.fields import Field

PAGE = Path(__file__).resolve().parent.parent / "docs" / "reference.md"

HEAD = """# Reference

Made by `tools/reference.py` from the tables that requests are checked by; a test holds the two together. What the
fields promise stands in [the read contract](contract.md), by section.
"""


def page() -> str:
    """The whole reference page."""
    return "\n".join(
        [
            HEAD,
            *_section(
                "Fields of a read",
                "Unknown fields are errors; a field may be left out where it has a default.",
                fields.READ,
            ),
            *_section("Fields of a dereference", "", fields.DEREFERENCE),
            *_section("Fields of a check of pointers", "Either `pointers` or `text`.", fields.VERIFY),
            *_section(
                "Fields of a row of a check",
                "`pointer`, `verification`, `drift`, `warnings` always; the rest where it is.",
                fields.CHECKED,
            ),
            *_section("Fields of a question for changes", "`from` must be there.", fields.DIFF),
            *_section("Fields of an answer about changes", "", fields.CHANGES),
            *_section(
                "Fields of an answer",
                "What has nothing to say is null; what was not asked for is left out.",
                fields.ANSWER,
            ),
            *_commands(),
            *_tokenizers(),
            *_errors(),
        ]
    )


def _section(title: str, text: str, rows: Iterable[Field]) -> Iterator[str]:
    yield f"## {title}\n"
    if text:
        yield text + "\n"
    yield "| field | takes | meaning | default | section |\n|---|---|---|---|---|"
    for field in rows:
        takes = ", ".join(f"`{word}`" for word in field.words) or fields.TYPES.get(field.type, field.type)
        yield f"| `{field.name}` | {_cell(takes)} | {_cell(field.help)} | {field.default} | {field.clause} |"
    yield ""


def _commands() -> Iterator[str]:
    yield "## Commands\n"
    yield "Options are the names of the fields with `-`; every command takes `--json`, `--config FILE` and `--help`.\n"
    yield "| command | prints | for example |\n|---|---|---|"
    for command in COMMANDS:
        argument = f" {command.argument.upper()}" if command.argument else ""
        yield f"| `nas {command.name}{argument}` | {command.help} | `{command.example}` |"
    short = ", ".join(f"`{names[0]}` is `--{name.replace('_', '-')}`" for name, names in ALIASES.items() if names)
    yield f"\nShorter names: {short}. Exit codes: 0 answered, 1 not verified, 3 nothing there, 2 any other error.\n"


def _tokenizers() -> Iterator[str]:
    yield "## Tokenizers\n"
    yield "| name | counts |\n|---|---|"
    for name in tokens.NAMES:
        exact = "exactly" if tokens.counter(name).exact else "an estimate; the budget is held by its upper bound"
        yield f"| `{name}` | {exact} |"
    yield ""


def _errors() -> Iterator[str]:
    yield "## Errors\n"
    yield "| code | HTTP | exit | meaning |\n|---|---|---|---|"
    for kind in _below(ReadError):
        meaning = (kind.__doc__ or "").partition("\n")[0]
        yield f"| `{kind.code}` | {kind.status} | {kind.exit_code} | {_cell(meaning)} |"
    yield ""


def _below(kind: type[ReadError]) -> Iterator[type[ReadError]]:
    for one in kind.__subclasses__():
        if one.__module__ == errors.__name__:
            yield one
            yield from _below(one)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def main(arguments: list[str]) -> int:
    """Print the page, or write it."""
    if "--write" in arguments:
        PAGE.write_text(page(), encoding="utf-8")
    else:
        sys.stdout.write(page())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
