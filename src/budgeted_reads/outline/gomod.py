"""go.mod and go.work: the module, its version of Go, and what is required, replaced, excluded, used."""

import re

from budgeted_reads.outline.entry import Entry, Outline
from budgeted_reads.outline.formats import Format
from budgeted_reads.outline.lines import bare_lines, entry, named
from budgeted_reads.outline.tree import Quota
from budgeted_reads.text import Text

_ALONE = frozenset({"module", "go", "toolchain"})
"""Directives that stand once, each with one value: they are named by their own word."""

_DIRECTIVE = re.compile(
    r"(?P<word>module|go|toolchain|godebug|require|exclude|replace|retract|use|tool|ignore)"
    r"(?:\s*+(?P<opens>\()|\s++(?P<value>\S.*+))"
)
_COMMENT = re.compile(r"(?:^|(?<=\s))//.*+")
_QUOTES = "\"'`"


def outline(text: Text, form: Format) -> Outline:
    """Blocks around their lines, each by its module, and what stands alone; the fact `package_count` counts `require`.

    A line outside of a block is named by its directive and module, a module that it requires by that alone.
    """
    lines = bare_lines(text)
    quota = Quota()
    top: list[Entry] = []
    block: tuple[str, int, list[Entry]] | None = None
    count = 0
    for number, line in enumerate([*lines, ")"], 1):
        words = _COMMENT.sub("", line.strip()).strip()
        if words == ")":
            if block and quota.takes(1):
                word, first, inside = block
                top.append(entry(lines, word, "section", 1, first, min(number, len(lines)), children=inside))
            block = None
        elif words and block:
            count += block[0] == "require"
            if quota.takes(2):
                block[2].append(_line(lines, block[0], words, number, 2))
        elif found := _DIRECTIVE.fullmatch(words):
            if found["opens"]:
                block = found["word"], number, []
                continue
            count += found["word"] == "require"
            if quota.takes(1):
                top.append(_line(lines, found["word"], found["value"], number, 1))
    facts = (("package_count", count),) if count else ()
    return Outline(quota.kept(top), form.name, None, "data", warnings=quota.warnings(), facts=facts)


def _line(lines: list[str], word: str, value: str, number: int, level: int) -> Entry:
    """The entry of a line of a directive, with what follows its WORD."""
    name = value if word == "retract" else value.split(maxsplit=1)[0].strip(_QUOTES)
    if word in _ALONE:
        name = word
    elif level == 1 and word != "require":
        name = f"{word} {name}"
    return entry(lines, named(name), "package" if word == "require" else "key", level, number, number)
