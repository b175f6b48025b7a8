"""Vue and Svelte components: their parts, in each script what JavaScript or TypeScript defines there, snippets."""

import re
from bisect import bisect_right

from budgeted_reads import limits
from budgeted_reads.outline import code
from budgeted_reads.outline.entry import Entry, Outline, Warned
from budgeted_reads.outline.formats import BY_NAME, Format
from budgeted_reads.outline.tree import SIGNATURE_LENGTH, Draft, Spans
from budgeted_reads.text import Text, decode

_COMMENT = r"<!--.*?(?:-->|\Z)"
_ATTRIBUTES = r"(?:\"[^\"]*+\"|'[^']*+'|[^>\"'])*+"
_PART = re.compile(
    rf"{_COMMENT}|^<(?P<name>[a-z][\w-]*)\b(?P<attributes>{_ATTRIBUTES})>", re.MULTILINE | re.IGNORECASE | re.DOTALL
)
_PARTS = frozenset({"template", "script", "style"})
_EMPTY = re.compile(r"/\s*\Z")
_TEMPLATE = re.compile(rf"{_COMMENT}|<(?P<close>/?)template\b(?P<attributes>{_ATTRIBUTES})>", re.IGNORECASE | re.DOTALL)
_SNIPPET = re.compile(r"\{#snippet\s+(?P<name>[A-Za-z_$][\w$]*)|\{/snippet\s*\}")
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
_MODULE = re.compile(r"\bcontext\s*=\s*[\"']?module\b")
_TYPESCRIPT = re.compile(r"\blang\s*=\s*[\"']?tsx?\b")


def outline(text: Text, form: Format) -> Outline:
    """The template, script and style parts that begin a line, in Vue other blocks, in Svelte what `{#snippet}` names.

    Definitions have the lines of the file.
    """
    spans = Spans(text)
    drafts: list[Draft] = []
    warnings: tuple[Warned, ...] = ()
    at = 0
    comments: list[tuple[int, int]] = []
    while found := _PART.search(text.content, at):
        at = found.end()
        if found["name"] is None:
            comments.append(found.span())
            continue
        name, attributes = found["name"].lower(), found["attributes"]
        if name not in _PARTS and form.name != "vue":
            continue
        close = (at, at) if _EMPTY.search(attributes) else _end(text.content, name, at)
        draft = spans.draft(_title(name, attributes), "section", 1, (found.start(), close[1]), found.end())
        if name == "script":
            children, more = _script(text, (at, close[0]), typed=bool(_TYPESCRIPT.search(attributes)))
            inner = tuple(
                child for child in children if draft.entry.start <= child.start and child.end <= draft.entry.end
            )
            draft = draft._replace(entry=draft.entry._replace(children=inner))
            warnings = tuple(dict.fromkeys((*warnings, *more)))
        drafts.append(draft)
        at = close[1]
    if form.name == "svelte":
        drafts += _snippets(spans, text.content, [*comments, *(draft.span for draft in drafts)])
        drafts.sort(key=lambda draft: draft.span)
    return Outline(spans.finish(drafts), form.name, form.language, "code", warnings=warnings)


def _title(name: str, attributes: str) -> str:
    """NAME, with the word that tells one script of a file from the other: `script setup`, `script module`."""
    words = _QUOTED.sub("", attributes).split()
    told = "module" if _MODULE.search(attributes) else next((word for word in ("setup", "module") if word in words), "")
    return f"{name} {told}" if told and name == "script" else name


def _snippets(spans: Spans, content: str, other: list[tuple[int, int]]) -> list[Draft]:
    """What `{#snippet name(...)}` and its end mark out, nested, outside of the OTHER parts."""
    starts, ends = [], [0]
    for first, last in sorted(other):
        starts.append(first)
        ends.append(max(last, ends[-1]))
    opened: list[tuple[str, int, list[Draft]]] = []
    top: list[Draft] = []
    for found in _SNIPPET.finditer(content):
        if found.start() < ends[bisect_right(starts, found.start())]:
            continue
        if found["name"]:
            opened.append((found["name"], found.start(), []))
        elif opened:
            name, start, inner = opened.pop()
            if len(opened) >= limits.MAX_DEPTH:
                continue
            head = content.find(")}", start, min(found.start(), start + SIGNATURE_LENGTH)) + 2
            head = head if head > start else start + 1
            draft = spans.draft(name, "snippet", len(opened) + 1, (start, found.end()), head, children=inner)
            (opened[-1][2] if opened else top).append(draft)
    return top


def _end(content: str, name: str, at: int) -> tuple[int, int]:
    """Where the part called NAME that begins before AT ends, without and with its end tag: on its own level."""
    if name != "template":
        close = re.compile(rf"</{name}\s*>", re.IGNORECASE).search(content, at)
        return close.span() if close is not None else (len(content), len(content))
    depth = 1
    for found in _TEMPLATE.finditer(content, at):
        if found["attributes"] is not None:
            depth += -1 if found["close"] else 0 if _EMPTY.search(found["attributes"]) else 1
        if depth == 0:
            return found.span()
    return len(content), len(content)


def _script(text: Text, span: tuple[int, int], *, typed: bool) -> tuple[tuple[Entry, ...], tuple[Warned, ...]]:
    """What the script at SPAN defines: all else is blank to its parser, so that every line stays where it is."""
    content = text.content
    before = "\n" * content.count("\n", 0, span[0])
    column = span[0] - (content.rfind("\n", 0, span[0]) + 1)
    blanked = decode((before + " " * column + content[span[0] : span[1]]).encode("utf-8", "surrogatepass"))
    made = code.outline(blanked, BY_NAME["typescript" if typed else "javascript"])
    return tuple(map(_deeper, made.entries)), made.warnings


def _deeper(entry: Entry) -> Entry:
    return entry._replace(level=entry.level + 1, children=tuple(map(_deeper, entry.children)))
