"""Every field of requests and answers, once: name, type, help, clause (CONTRACT section 3).

Options of the command line, checks of requests, the reference in docs and later the schemas of HTTP and MCP come from
these tables; nothing else describes a field.
"""

from typing import NamedTuple

VIEWS = ("auto", "full", "folded", "outline", "card", "lines", "section", "folder")
OVERFLOWS = ("degrade", "error", "page")
INCLUDES = ("entries", "facts", "ladder")


class Field(NamedTuple):
    """One field. `type` is a word of TYPES; `words` are the values that it takes; `default` is said in words."""

    name: str
    type: str
    help: str
    clause: str = "3"
    default: str = ""
    words: tuple[str, ...] = ()


TYPES = {
    "text": "string",
    "count": "integer from 1",
    "flag": "true or false",
    "lines": 'string "12-18", "12-", "-20" or "12", or an array of two line numbers',
    "columns": 'string "1-2000"',
    "titles": "string, or an array of titles from the top down",
    "words": "array of strings",
    "word": "string",
}
"""What the types of the table mean."""

READ = (
    Field(
        "path",
        "text",
        "the file: /tree/path, a path within the tree, or a pointer; locally also a place on disk",
    ),
    Field("view", "word", "the finest view wanted; auto is the best that fits", "2", "auto", VIEWS),
    Field("budget_tokens", "count", "the most tokens that the answer may cost", "3", "2000"),
    Field("tokenizer", "word", "the tokenizer that counts", "5", "o200k_base"),
    Field("commit", "text", "a commit id (7 digits or more), HEAD, a branch or a tag", "3", "the tree as it is now"),
    Field("lines", "lines", "only these lines: 12-18, 12- (to the end), -20 (the last 20), 12"),
    Field("columns", "columns", "with one line: a window of it, in code points"),
    Field("section", "titles", "only this section: its whole title or dotted name, a path of titles, or L<n>"),
    Field("depth", "count", "the deepest outline level, 1 is the top"),
    Field("focus", "text", "what opens first: a section, L<n>, or words", "2"),
    Field("number_lines", "flag", "label lines also where all are shown", "3", "false in JSON, true in text"),
    Field("on_overflow", "word", "what to do where the view does not fit", "3", "degrade", OVERFLOWS),
    Field("include", "words", "more to say", "3", "nothing", INCLUDES),
)
"""Fields of a read."""

LATER = {
    "paths": "read the files one by one",
    "glob": "read the files one by one",
    "since": "read at both commits and compare",
}
"""Fields of the contract that do not exist yet, and what to do instead."""

DEREFERENCE = (
    Field("pointer", "text", "nas://node/tree/path@commit#L12-L18, or path@commit#L12-L18", "4"),
    Field("sha256", "text", "the hash that the bytes must have", "4"),
)
"""Fields of a dereference."""

ANSWER = (
    Field("view", "word", "the view returned", "2"),
    Field("requested_view", "word", "the view asked for", "2"),
    Field("degraded", "flag", "whether it is coarser than asked; for auto, than full", "2"),
    Field("tokens", "count", "tokens of `content`; of a text face, of the whole text", "3"),
    Field("budget_tokens", "count", "the budget that was held", "3"),
    Field("tokenizer", "object", "{name, exact, upper_bound, other_models}", "5"),
    Field("generated", "flag", "true only for text written by a model", "9"),
    Field("truncated", "flag", "whether lines follow on a next page", "3"),
    Field("content", "text", "the view", "2"),
    Field("evidence", "array", "[{pointer, lines, blob, sha256}] of what was asked for", "4"),
    Field("folds", "array", "[{lines, tokens, entry}]: what is not shown and the least budget that shows it", "3"),
    Field("omitted", "object", "{entries, lines} that are not named, or null", "2"),
    Field("next", "array", "[{view, section or lines, tokens}]: requests that show more, with their cost", "3"),
    Field(
        "file",
        "object",
        "{path, format, language, line_count, bytes, tokens, tokens_exact, encoding, bom, line_ending}",
        "3",
    ),
    Field("commit", "text", "the commit whose bytes are shown, or null", "4"),
    Field("blob", "text", "their blob, or null", "4"),
    Field("snapshot", "object", "{base, dirty, reason} where the bytes are not committed, or null", "4"),
    Field("lines", "array", "first and last line asked for, or null for the whole file", "3"),
    Field("columns", "array", "the window, where one was asked for", "3"),
    Field("entry_total", "count", "on request, of a folder: how many entries it has"),
    Field("entries", "array", "on request: the tree of entries, complete whatever the budget", "3"),
    Field("facts", "object", "on request: {named, extents, signatures, lines}", "2"),
    Field("ladder", "array", "on request: [{min_budget, view, tokens}]", "3"),
    Field("warnings", "array", "[{code, detail}]", "3"),
)
"""Fields of an answer to a read."""

SERVE = (
    Field("host", "text", "the loopback address to listen on", "10", "127.0.0.1"),
    Field("port", "count", "the port, 0 for a free one", "10", "6270"),
)
"""Options of the HTTP service."""
