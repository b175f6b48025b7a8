"""SQL of any dialect: what each CREATE statement makes, with the columns of tables.

Dialects differ more than a grammar can hold, and dumps hold several, so statements are told apart by their marks
alone: quotes, comments, parentheses, `;`, BEGIN and END in routines, the lines that end a batch (GO, `/`, `//`).
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from budgeted_reads.outline.entry import Outline, Range
from budgeted_reads.outline.formats import Format
from budgeted_reads.outline.tree import Draft, Spans, shown
from budgeted_reads.text import BOM, Text


def _words(words: str) -> frozenset[str]:
    return frozenset(words.split())


_QUOTED = r"'(?:[^'\\]|''|\\.)*'|\"(?:[^\"]|\"\")*\"|`[^`]*`|\[[^\]\n]*\]"
_DOLLAR = r"|(?P<dollar>\$(?:[A-Za-z_]\w*)?\$)"
_TOKENS = (
    r"(?P<comment>--[^\n]*|/\*.*?(?:\*/|\Z)|^[ \t]*\#[^\n]*)"
    r"|(?P<batch>^[ \t]*(?:GO|/|//|\$\$|DELIMITER[^\n]*|\\[^\n]*)[ \t\r]*$|(?<=END)[ \t]*(?://|\$\$))"
    rf"|(?P<quoted>{_QUOTED})%s|(?P<word>[^\W\d][\w$@]*)|(?P<mark>[();,.])"
)
_FLAGS = re.DOTALL | re.MULTILINE | re.IGNORECASE
_TOKEN = re.compile(_TOKENS % _DOLLAR, _FLAGS)
_TOKEN_OF_BATCHES = re.compile(_TOKENS % "", _FLAGS)
"""Where DELIMITER sets what ends a statement, `$$` is no quote."""

_DELIMITER = re.compile(r"^[ \t]*DELIMITER[ \t]", re.MULTILINE | re.IGNORECASE)
_COPY_END = re.compile(r"^\\\.\s*$", re.MULTILINE)
_KINDS = _words(
    "TABLE VIEW INDEX FUNCTION PROCEDURE PROC TRIGGER TYPE SCHEMA SEQUENCE DOMAIN DATABASE PACKAGE EVENT RULE POLICY"
    " SYNONYM MACRO AGGREGATE STREAM TASK STAGE"
)
_ROUTINES = frozenset({"FUNCTION", "PROCEDURE", "PROC", "TRIGGER", "PACKAGE", "EVENT"})
_BETWEEN = frozenset({"IF", "NOT", "EXISTS", "CONCURRENTLY", "BODY", "ONLY"})
_NO_COLUMN = _words("CONSTRAINT PRIMARY FOREIGN UNIQUE CHECK KEY INDEX EXCLUDE LIKE FULLTEXT SPATIAL PERIOD PARTITION")


class _Token(NamedTuple):
    kind: str
    words: str
    start: int
    end: int


class _Statement(NamedTuple):
    """Its tokens without comments, the last one its end mark; `doc`: where the comments above it begin and end."""

    tokens: list[_Token]
    doc: tuple[int, int] | None


def outline(text: Text, form: Format) -> Outline:
    """Every CREATE statement by the name of what it makes, with its lines; columns of tables are fields."""
    spans = Spans(text)
    drafts = [draft for statement in _statements(text.content) if (draft := _draft(spans, statement))]
    return Outline(spans.finish(drafts), form.name, form.language, "code")


def _tokens(content: str) -> Iterator[_Token]:
    pattern = _TOKEN_OF_BATCHES if _DELIMITER.search(content) else _TOKEN
    at = 1 if content.startswith(BOM) else 0
    while found := pattern.search(content, at):
        kind, at = found.lastgroup or "", found.end()
        if kind == "dollar":
            close = content.find(found[0], at)
            at = close + len(found[0]) if close >= 0 else len(content)
        yield _Token(kind, found[0].upper() if kind == "word" else found[0], found.start(), at)
        if kind == "mark" and found[0] == ";" and _is_copy(content, found.start()):
            end = _COPY_END.search(content, at)
            at = end.end() if end else at


def _is_copy(content: str, end: int) -> bool:
    """Whether the statement that ends at END is followed by its rows."""
    return content[max(0, end - 40) : end].rstrip().upper().endswith("FROM STDIN")


def _statements(content: str) -> Iterator[_Statement]:
    tokens: list[_Token] = []
    doc: tuple[int, int] | None = None
    depth = 0
    for token in _tokens(content):
        if token.kind == "comment":
            if not tokens:
                near = doc is not None and content.count("\n", doc[1], token.start) <= 1
                doc = (doc[0] if doc and near else token.start, token.end)
            continue
        if not tokens and doc is not None and content.count("\n", doc[1], token.start) > 1:
            doc = None
        ends = token.kind == "batch" or (token.words == ";" and depth <= 0)
        if not (ends and token.kind == "batch"):
            tokens.append(token)
        if ends:
            if tokens:
                yield _Statement(tokens, doc)
            tokens, doc, depth = [], None, 0
        elif token.kind == "word":
            depth += _deeper(tokens)
    if tokens:
        yield _Statement(tokens, doc)


def _deeper(tokens: list[_Token]) -> int:
    """What the last of TOKENS does to the depth of blocks: in routines, BEGIN and CASE open one, END closes it."""
    word, before = tokens[-1].words, tokens[-2].words if len(tokens) > 1 else ""
    if word not in ("BEGIN", "CASE", "END", "IF", "LOOP", "WHILE", "REPEAT", "FOR"):
        return 0
    if tokens[0].words not in ("CREATE", "ALTER") or not any(token.words in _ROUTINES for token in tokens[:8]):
        return 0
    if before == "END":
        # `END IF` closes what was never counted; of `END CASE`, the END was.
        return 0 if word == "CASE" else 1
    return {"BEGIN": 1, "CASE": 1, "END": -1}.get(word, 0)


def _draft(spans: Spans, statement: _Statement) -> Draft | None:
    tokens = statement.tokens
    if tokens[0].words != "CREATE":
        return None
    at = next((at for at, token in enumerate(tokens[:10]) if token.words in _KINDS and token.kind == "word"), 0)
    name_at = at + 1
    while name_at < len(tokens) and tokens[name_at].words in _BETWEEN:
        name_at += 1
    if (
        not at
        or name_at >= len(tokens)
        or tokens[name_at].kind not in ("word", "quoted")
        or tokens[name_at].words == "ON"
    ):
        return None
    kind = "procedure" if tokens[at].words == "PROC" else tokens[at].words.lower()
    title, after = _name(spans.content, tokens, name_at)
    children: list[Draft] = []
    head_end = _head(tokens, after, kind, spans)
    if kind == "table" and after < len(tokens) and tokens[after].words == "(":
        children = list(_columns(spans, tokens[after + 1 :]))
    draft = spans.draft(title, kind, 1, (tokens[0].start, tokens[-1].end), head_end, children=children)
    if statement.doc is None:
        return draft
    doc: Range = spans.line_at(statement.doc[0]), spans.line_at(statement.doc[1] - 1)
    return draft._replace(entry=draft.entry._replace(doc=doc)) if doc[1] < draft.entry.start else draft


def _name(content: str, tokens: list[_Token], at: int) -> tuple[str, int]:
    """The name whose first part is token AT, without quotes, and the place of the token after it."""
    parts = [_bare(content, tokens[at])]
    at += 1
    while at + 1 < len(tokens) and tokens[at].words == "." and tokens[at + 1].kind in ("word", "quoted"):
        parts.append(_bare(content, tokens[at + 1]))
        at += 2
    return shown(".".join(parts)), at


def _bare(content: str, token: _Token) -> str:
    words = content[token.start : token.end]
    return " ".join((words[1:-1] if token.kind == "quoted" else words).split())


def _head(tokens: list[_Token], after: int, kind: str, spans: Spans) -> int:
    """Where the signature ends: before the columns of a table, AS, BEGIN, a quoted body; else with its first line."""
    depth = 0
    for token in tokens[after:]:
        if depth == 0 and (
            token.words in ("AS", "BEGIN") or token.kind == "dollar" or (kind == "table" and token.words == "(")
        ):
            return max(token.start, tokens[after - 1].end)
        depth += {"(": 1, ")": -1}.get(token.words, 0)
    return min(tokens[-1].end, spans.starts[spans.line_at(tokens[after - 1].start)])


def _columns(spans: Spans, tokens: list[_Token]) -> Iterator[Draft]:
    """What stands between the commas of a table's parentheses, where it begins with the name of a column."""
    depth, first = 0, 0
    for at, token in enumerate(tokens):
        if depth == 0 and token.words in (",", ")"):
            part = tokens[first:at]
            if part and part[0].kind in ("word", "quoted") and part[0].words not in _NO_COLUMN:
                span = part[0].start, part[-1].end
                yield spans.draft(_bare(spans.content, part[0]), "field", 2, span, span[1])
            first = at + 1
            if token.words == ")":
                return
        depth += {"(": 1, ")": -1}.get(token.words, 0)
