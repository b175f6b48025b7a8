"""YAML that no parser takes, templates of it most of all: what looks like keys, nested by indentation."""

import re
from collections.abc import Iterator

from budgeted_reads import limits
from budgeted_reads.outline.entry import Outline, Warned
from budgeted_reads.outline.formats import Format
from budgeted_reads.outline.tags import WITHIN, tag_lines
from budgeted_reads.outline.tree import Draft, Quota, Spans, shown
from budgeted_reads.text import BOM, Text

_KEY_LINE = re.compile(
    r"(?P<indent>[ ]*(?:-[ ]+)*)(?P<key>[\w.$/-]+|\"[^\"]*\"|'[^']*'|\{\{[^{}]*\}\}[\w.-]*)[ ]*:(?=[ \t\r]|$)"
    r"(?P<rest>.*)"
)
_BLOCK_TEXT = re.compile(r"[ \t]*(?:[&!]\S+[ \t]+)*[|>][-+0-9]*[ \t\r]*(?:#.*)?$")
_DASHES = re.compile(r"[ ]*+(?:-[ ]++)++")


def by_indentation(text: Text, form: Format, mark: object) -> Outline:
    """What looks like a key at the start of a line, nested by its indentation, texts in blocks left out."""
    line = getattr(mark, "line", None)
    where = f" near line {line + 1}" if isinstance(line, int) else ""
    warning = Warned("approximate_outline", f"not valid YAML{where}: keys are found by indentation")
    spans, quota = Spans(text), Quota()
    open_: list[tuple[int, str, int, list[Draft]]] = []
    top: list[Draft] = []
    end = 0
    for indent, title, start, line_end in [*_key_lines(text), (-1, "", 0, 0)]:
        if title is None:
            # Words without a key belong to the key above them only where they are indented deeper.
            end = line_end if open_ and indent > open_[-1][0] else end
            continue
        while open_ and open_[-1][0] >= indent:
            _, name, began, children = open_.pop()
            siblings = open_[-1][3] if open_ else top
            level = len(open_) + 1
            if level <= limits.MAX_DEPTH and quota.takes(level):
                head_end = min(spans.line_end(began), end)
                siblings.append(spans.draft(name, "key", level, (began, end), head_end, children=children))
        if title:
            open_.append((indent, title, start, []))
        end = line_end
    entries = quota.kept(spans.finish(top))
    return Outline(entries, form.name, None, "data", warnings=(warning, *quota.warnings()))


def _key_lines(text: Text) -> Iterator[tuple[int, str | None, int, int]]:
    """Indentation, key, offset and end of each line that holds something.

    The key is None where the line has none. Such a line is as deep as can be, but for tags of a template.
    """
    hidden: int | None = None
    lines = text.lines()
    tags = tag_lines(lines)
    offset = 0
    for number, line in enumerate(lines, 1):
        start, offset = offset, offset + len(line) + 1
        marked = line.startswith(BOM) and number == 1
        indent = len(line) - len(line.lstrip(" "))
        if not line.strip() or (marked and not line[1:].strip()):
            continue
        line_end = start + len(line.rstrip())
        if hidden is not None and indent > hidden:
            yield WITHIN, None, start, line_end
            continue
        if number in tags:
            # What a tag puts into a text does not end it.
            yield tags[number], None, start, line_end
            continue
        hidden = None
        if not (found := _KEY_LINE.match(line, marked)):
            if (dashes := _DASHES.match(line)) and _BLOCK_TEXT.match(line, dashes.end()):
                hidden = dashes[0].rindex("-")
            yield WITHIN, None, start, line_end
            continue
        if _BLOCK_TEXT.match(found["rest"]):
            hidden = len(found["indent"])
        yield len(found["indent"]), shown(found["key"].strip("\"'")), start + found.start("key"), line_end
