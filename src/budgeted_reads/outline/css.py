"""CSS, SCSS and Less: rules by their selectors, at-rules by their words, mixins, functions, variables.

A style sheet is blocks in braces, each after its own words, so strings, comments and braces say it all, whatever the
dialect adds.
"""

import re
from collections.abc import Iterator

from budgeted_reads import limits
from budgeted_reads.outline.entry import Outline, Range
from budgeted_reads.outline.formats import Format
from budgeted_reads.outline.tree import Draft, Quota, Spans, shown
from budgeted_reads.text import BOM, Text

_TOKEN = re.compile(
    r"(?P<comment>/\*.*?(?:\*/|\Z)|(?<![:\w(])//[^\n]*)"
    r"|(?P<skip>\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|\burl\([^)\n\"']*\)|[#@]\{[^{}]*\}|\\.)"
    r"|(?P<mark>[{};()])",
    re.DOTALL,
)
_VARIABLE = re.compile(r"\s*(?P<name>--[\w-]+|\$[\w-]+|@[\w-]+)\s*:(?!:)")
_RULES = re.compile(r"(?P<name>@[\w-]+)\s*:")
"""What begins a detached set of rules in Less."""

_NAMED = re.compile(r"@(?P<kind>mixin|function)\s+(?P<name>[\w.-]+)")
_TITLE = 200
"""A title ends after so many code points: lists of selectors can be pages long."""


class _Open:
    """A block that is not closed yet: where its words begin and end, and what is in it."""

    def __init__(self, start: int, head_end: int, doc: tuple[int, int] | None) -> None:
        self.start = start
        self.head_end = head_end
        self.doc = doc
        self.children: list[Draft] = []


def outline(text: Text, form: Format) -> Outline:
    """Every block that has words before it, nested, and every variable; blocks deeper than the limit are left out."""
    spans, quota = Spans(text), Quota()
    content = text.content
    open_blocks: list[_Open] = []
    top: list[Draft] = []
    doc: tuple[int, int] | None = None
    start = top_of_file = 1 if content.startswith(BOM) else 0
    for kind, first, after in _tokens(content, start):
        siblings = open_blocks[-1].children if open_blocks else top
        if kind == "comment":
            between = content[start:first]
            if not between.strip():
                # What stands behind something in its line is a remark about that.
                own_line = "\n" in between or doc is not None or start == top_of_file
                start, doc = after, (_first_of(content, doc, first), after) if own_line else None
            continue
        begin = start + len(content[start:first]) - len(content[start:first].lstrip())
        if kind == "{":
            open_blocks.append(_Open(begin, first, _near(content, doc, begin)))
        else:
            found = _VARIABLE.match(content, begin, first)
            if found and quota.takes(len(open_blocks) + 1):
                draft = spans.draft(found["name"], "variable", len(open_blocks) + 1, (begin, first), first)
                siblings.append(_documented(spans, draft, _near(content, doc, begin)))
            if kind == "}" and open_blocks:
                _close(spans, quota, open_blocks, top, after)
        start, doc = after, None
    while open_blocks:
        _close(spans, quota, open_blocks, top, len(content.rstrip()))
    entries = quota.kept(spans.finish(top))
    return Outline(entries, form.name, form.language, "code", warnings=quota.warnings())


def _tokens(content: str, at: int) -> Iterator[tuple[str, int, int]]:
    """Comments, braces, and the semicolons outside of parentheses, which part parameters inside of them."""
    depth = 0
    for found in _TOKEN.finditer(content, at):
        kind = found.lastgroup
        mark = found[0] if kind == "mark" else ""
        if mark == "(":
            depth += 1
        elif mark == ")":
            depth = max(0, depth - 1)
        elif kind == "comment":
            yield "comment", found.start(), found.end()
        elif mark and (mark != ";" or not depth):
            depth = 0
            yield mark, found.start(), found.end()


def _close(spans: Spans, quota: Quota, open_blocks: list[_Open], top: list[Draft], end: int) -> None:
    """End the innermost block: it is an entry of the one around it; without words, its entries are."""
    block = open_blocks.pop()
    siblings = open_blocks[-1].children if open_blocks else top
    level = len(open_blocks) + 1
    words = " ".join(spans.content[block.start : block.head_end].split())
    if not words:
        siblings.extend(block.children)
    if not words or level > limits.MAX_DEPTH or not quota.takes(level):
        return
    found, rules = _NAMED.match(words), _RULES.fullmatch(words)
    kind = found["kind"] if found else "variable" if rules else "at_rule" if words.startswith("@") else "rule"
    found = found or rules
    title = shown(found["name"] if found else words if len(words) <= _TITLE else words[: _TITLE - 1] + "…")
    span = block.start, max(end, block.head_end)
    draft = spans.draft(title, kind, level, span, block.head_end, children=block.children)
    siblings.append(_documented(spans, draft, block.doc))


def _first_of(content: str, doc: tuple[int, int] | None, start: int) -> int:
    """Where the run of comments begins that ends with the one at START."""
    return doc[0] if doc is not None and content.count("\n", doc[1], start) <= 1 else start


def _near(content: str, doc: tuple[int, int] | None, start: int) -> tuple[int, int] | None:
    """DOC where no blank line parts it from START."""
    return doc if doc is not None and content.count("\n", doc[1], start) == 1 else None


def _documented(spans: Spans, draft: Draft, doc: tuple[int, int] | None) -> Draft:
    if doc is None:
        return draft
    lines: Range = spans.line_at(doc[0]), spans.line_at(doc[1] - 1)
    return draft._replace(entry=draft.entry._replace(doc=lines))
