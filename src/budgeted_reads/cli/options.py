"""The command line as data: commands, their options made from the tables of `fields`, and their help."""

import argparse
import os
from collections.abc import Callable, Sequence
from typing import NamedTuple, NoReturn

from budgeted_reads import fields
from budgeted_reads.errors import InvalidRequest
from budgeted_reads.fields import Field


class Command(NamedTuple):
    """One command: the field that is its ARGUMENT, the fields that are its options, its help, and what runs it.

    THEN is a field that may follow the argument.
    """

    name: str
    argument: str | None
    fields: Sequence[Field]
    help: str
    example: str
    runs: str
    then: str | None = None

    @property
    def plural(self) -> str | None:
        """The field that takes the argument where it is given more than once."""
        name = f"{self.argument}s"
        return name if any(field.name == name for field in self.fields) else None

    def load(self) -> Callable[[dict[str, object], argparse.Namespace], int]:
        """What runs this command; its module is imported only now, so that no command pays for another."""
        from importlib import import_module

        module, _, name = self.runs.partition(":")
        run: Callable[[dict[str, object], argparse.Namespace], int] = getattr(import_module(module), name)
        return run


_HERE = "budgeted_reads.cli"

COMMANDS = (
    Command(
        "read",
        "path",
        fields.READ,
        "the best view of a file or folder that fits in a budget of tokens",
        "nas read README.md --budget 400",
        f"{_HERE}.commands:read",
    ),
    Command(
        "search",
        "query",
        fields.SEARCH,
        "the lines that match, as snippets with pointers, within a budget of tokens",
        "nas search 'def read' --globs '*.py' --budget 400",
        f"{_HERE}.search:search",
    ),
    Command(
        "diff",
        "from",
        fields.DIFF,
        "what changed between two commits, or since one, within a budget of tokens",
        "nas diff v1.0 v1.1 --path docs --budget 400",
        f"{_HERE}.diff:diff",
        then="to",
    ),
    Command(
        "index",
        None,
        fields.INDEX,
        "make ranked searches ready beforehand; they also make themselves ready, within seconds",
        "nas index",
        f"{_HERE}.search:index",
    ),
    Command(
        "deref",
        "pointer",
        fields.DEREFERENCE,
        "the exact bytes that a pointer names",
        "nas deref 'README.md@0123456789ab#L12-L18'",
        f"{_HERE}.commands:deref",
    ),
    Command(
        "verify",
        "pointers",
        (fields.VERIFY[0], *fields.CITED, fields.VERIFY[2]),
        "whether pointers hold, and what has become of their lines since",
        "nas verify 'README.md@0123456789ab#L12-L18' --quote 'a passage'",
        f"{_HERE}.check:verify",
    ),
    Command(
        "check",
        "files",
        fields.CHECK,
        "every pointer in a text, with its quote: whether it holds, and what has become of it since",
        "nas check answer.md",
        f"{_HERE}.check:check",
    ),
    Command(
        "trees", None, (), "the trees that are served here, and their commits", "nas trees", f"{_HERE}.commands:trees"
    ),
    Command(
        "capabilities",
        None,
        (),
        "versions, views, tokenizers, budgets and limits",
        "nas capabilities --json",
        f"{_HERE}.commands:capabilities",
    ),
    Command(
        "serve",
        None,
        fields.SERVE,
        "the same reads over HTTP, on this machine only",
        "nas serve --port 6270",
        f"{_HERE}.serve:run",
    ),
    Command(
        "snapshots",
        "action",
        fields.SNAPSHOTS,
        "what is kept beside the trees; purge removes it all",
        "nas snapshots list",
        f"{_HERE}.snapshots:run",
    ),
    Command(
        "mcp",
        None,
        (),
        "reads, searches, changes and checks for a coding agent, over stdin and stdout",
        "nas mcp",
        f"{_HERE}.mcp:run",
    ),
    Command(
        "doctor", None, (), "whether this installation can do its work here", "nas doctor", f"{_HERE}.doctor:doctor"
    ),
)
"""Every command of the command line."""

ALIASES = {"budget_tokens": ("--budget",), "glob": ("--globs",), "globs": ("--glob",)}
"""Shorter options beside the names of their fields."""

SEVERAL = ("pointers", "words")
"""Types of an argument that may be given more than once."""


class Parser(argparse.ArgumentParser):
    """argparse whose mistakes are `invalid_request`, as everywhere else."""

    def error(self, message: str) -> NoReturn:
        """Raise what argparse would print."""
        raise InvalidRequest(message, self._hint(message))

    def _hint(self, message: str) -> str:
        """What to do about MESSAGE: the options that an unknown one is like, where there are any."""
        import difflib

        wrong = next((word for word in message.split() if word.startswith("--")), "").partition("=")[0]
        near = difflib.get_close_matches(wrong, self._option_string_actions, 3) if "unrecognized" in message else []
        return f"near: {', '.join(near)}; see {self.prog} --help" if near else f"see {self.prog} --help"


def parse(arguments: Sequence[str], version: str) -> tuple[Command | None, argparse.Namespace]:
    """The command that ARGUMENTS name, and its options; None where no command was named.

    Only that command's options are built: agents start this program hundreds of times. Raises `invalid_request`.
    """
    command = next((one for one in COMMANDS if arguments and one.name == arguments[0]), None)
    if command is None:
        parsed = _main(version).parse_args(arguments)
        return None, parsed
    return command, _parser_of(command).parse_args(arguments[1:])


def usage(version: str) -> str:
    """What `nas --help` prints."""
    return _main(version).format_help()


def _main(version: str) -> Parser:
    main = Parser(
        prog="nas",
        description="Reading for AI agents, measured in tokens, with pointers that verify against a git commit.",
        epilog="Exit codes: 0 answered, 1 not verified, 3 nothing there, 2 any other error.",
        allow_abbrev=False,
        formatter_class=_formatter,
    )
    main.add_argument("--version", action="version", version=f"nas {version}")
    commands = main.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)
    for command in COMMANDS:
        commands.add_parser(command.name, help=command.help, add_help=False)
    return main


def _parser_of(command: Command) -> Parser:
    one = Parser(
        prog=f"nas {command.name}",
        description=command.help[0].upper() + command.help[1:] + ".",
        epilog=f"Example: {command.example}",
        allow_abbrev=False,
        formatter_class=_formatter,
    )
    for field in command.fields:
        if field.name == command.argument and field.type in SEVERAL:
            one.add_argument(field.name, metavar=field.name.upper().removesuffix("S"), nargs="+", help=field.help)
        elif field.name == command.argument:
            # Where several may be named, the same argument takes them.
            several = "*" if command.plural else None
            one.add_argument(field.name, metavar=field.name.upper(), nargs=several, help=field.help)
        elif field.name == command.plural:
            continue
        elif field.name == command.then:
            one.add_argument(field.name, metavar=field.name.upper(), nargs="?", help=field.help)
        else:
            _option(one, field)
    one.add_argument("--config", metavar="FILE", help="the configuration (default: NAS_CONFIG, else the user's)")
    one.add_argument("--json", action="store_true", help="print the JSON body instead of text")
    return one


def _formatter(prog: str) -> argparse.HelpFormatter:
    """Help as wide as the terminal says; asking argparse for that costs more than reading the options."""
    columns = os.environ.get("COLUMNS", "")
    return argparse.HelpFormatter(prog, width=int(columns) - 2 if columns.isdigit() and int(columns) > 40 else 98)


def _option(one: Parser, field: Field) -> None:
    names = ("--" + field.name.replace("_", "-"), *ALIASES.get(field.name, ()))
    said = field.help
    if field.words:
        said += f"; one of {', '.join(field.words)}" if field.type == "word" else f": {', '.join(field.words)}"
    if field.default:
        said += f" (default: {field.default})"
    said = said.replace("%", "%%")
    if field.type == "flag":
        one.add_argument(*names, action=argparse.BooleanOptionalAction, default=None, help=said)
    elif field.type == "titles":
        one.add_argument(*names, action="append", metavar="TITLE", help=said + "; given twice, a path of titles")
    elif field.type == "globs":
        one.add_argument(*names, action="append", metavar="GLOB", help=said + "; may be given several times")
    elif field.type == "words":
        one.add_argument(*names, type=lambda text: text.split(","), metavar="A,B", help=said)
    elif field.type in ("count", "natural"):
        one.add_argument(*names, type=_number, metavar="N", help=said)
    else:
        one.add_argument(*names, metavar=field.type.upper(), help=said)


def _number(text: str) -> int | str:
    """TEXT as a whole number where it is one; the request refuses anything else and says why."""
    return int(text) if text.lstrip("-").isascii() and text.lstrip("-").isdigit() and len(text) < 20 else text


def given(command: Command, parsed: argparse.Namespace) -> dict[str, object]:
    """The fields that were given on the command line."""
    found = {field.name: getattr(parsed, field.name, None) for field in command.fields}
    if command.plural and command.argument:
        named = found[command.argument]
        if isinstance(named, list):
            found[command.argument] = named[0] if len(named) == 1 else None
            found[command.plural] = named if len(named) > 1 else None
    section = found.get("section")
    if isinstance(section, list) and len(section) == 1:
        found["section"] = section[0]
    return {name: value for name, value in found.items() if value is not None}
