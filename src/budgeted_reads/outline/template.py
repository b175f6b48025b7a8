"""Templates of no format that is known: what they define, in the marks of Go and Helm, and of Jinja."""

import re

from budgeted_reads import limits
from budgeted_reads.outline import sketch
from budgeted_reads.outline.entry import Outline
from budgeted_reads.outline.formats import Format
from budgeted_reads.outline.tree import Draft, Quota, Spans, shown
from budgeted_reads.text import Text

_TAG = re.compile(
    r"\{\{-?[ \t\r\n]*+(?:(?P<comment>/\*)|(?P<go>define|block|if|range|with|end)\b(?P<name>[^}\n]{0,200}))"
    r"|\{%[-+]?[ \t]*+(?:(?P<jinja>macro|block)[ \t]++(?P<of>\w++)|(?P<close>end(?:macro|block))\b)"
)
_QUOTED = re.compile(r"[ \t]*\"(?P<name>[^\"]+)\"")


def outline(text: Text, form: Format) -> Outline:
    """Each `define`, `block` and `macro` to its end, nested as they stand; without any, what code seems to define."""
    content, spans, quota = text.content, Spans(text), Quota()
    top: list[Draft] = []
    # What is open: its word, its name ("": it is no entry), where it begins and its tag ends, and what is inside.
    open_: list[tuple[str, str, int, int, list[Draft]]] = []
    at = 0
    while found := _TAG.search(content, at):
        closing = "*/" if found["comment"] else "}}" if found["go"] else "%}"
        end = content.find(closing, found.end())
        at = len(content) if end < 0 else end + 2
        if found["comment"]:
            continue
        if found["go"] == "end" or found["close"]:
            _close(open_, top, spans, quota, at, go=bool(found["go"]))
        elif len(open_) < limits.MAX_DEPTH:
            word = found["go"] or f"end{found['jinja']}"
            quoted = _QUOTED.match(found["name"]) if word in ("define", "block") else None
            name = found["of"] or (quoted["name"] if quoted else "")
            open_.append((word, name, found.start(), at, []))
    while open_:
        _close(open_, top, spans, quota, len(content.rstrip()), go=not open_[-1][0].startswith("end"))
    if not top:
        guess = sketch.outline(text, form)
        return guess if guess.entries else Outline((), form.name, None, "code")
    return Outline(quota.kept(spans.finish(top)), form.name, None, "code", warnings=quota.warnings())


def _close(
    open_: list[tuple[str, str, int, int, list[Draft]]],
    top: list[Draft],
    spans: Spans,
    quota: Quota,
    end: int,
    *,
    go: bool,
) -> None:
    """End the innermost of what is open at END, where it is of that sort; its entries are those around it."""
    if not open_ or go == open_[-1][0].startswith("end"):
        return
    _, name, start, head_end, inside = open_.pop()
    siblings = open_[-1][4] if open_ else top
    level = 1 + sum(bool(one[1]) for one in open_)
    if name and quota.takes(level):
        span = (start, max(end, head_end))
        siblings.append(spans.draft(shown(name), "template", level, span, head_end, children=inside))
    else:
        siblings.extend(inside)
