"""Every field of requests and answers, once: name, type, help, clause (CONTRACT section 3).

Options of the command line, checks of requests, the reference in docs and later the schemas of HTTP and MCP come from
these tables; nothing else describes a field.
"""

from typing import NamedTuple

SEARCH_MODES = ("literal", "regex", "ranked")
SEARCH_VIEWS = ("snippets", "hits", "files", "count", "outline", "section", "full")
VIEWS = ("auto", "full", "folded", "outline", "card", "lines", "section", "folder")
OVERFLOWS = ("degrade", "error", "page")
INCLUDES = ("entries", "facts", "ladder", "proof")


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
    "natural": "integer from 0",
    "flag": "true or false",
    "lines": 'string "12-18", "12-", "-20" or "12", or an array of two line numbers',
    "columns": 'string "1-2000"',
    "titles": "string, or an array of titles from the top down",
    "words": "array of strings",
    "globs": "string, or an array of strings",
    "word": "string",
    "pointers": "array of {pointer, sha256, quote}",
}
"""What the types of the table mean."""

READ = (
    Field(
        "path",
        "text",
        "the file: /tree/path, a path within the tree, or a pointer; locally also a place on disk",
    ),
    Field("paths", "words", "instead of path: several files under one budget, the most important first"),
    Field("glob", "globs", "instead of path: the files that match, as src/**/*.py; !tests/** leaves out"),
    Field("view", "word", "the finest view wanted; auto is the best that fits", "2", "auto", VIEWS),
    Field("budget_tokens", "count", "the most tokens that the answer may cost", "3", "2000"),
    Field("tokenizer", "word", "the tokenizer that counts", "5", "o200k_base"),
    Field("commit", "text", "a commit id (7 digits or more), HEAD, a branch or a tag", "3", "the tree as it is now"),
    Field("lines", "lines", "only these lines: 12-18, 12- (to the end), -20 (the last 20), 12"),
    Field("columns", "columns", "with one line: a window of it, in code points"),
    Field("section", "titles", "only this section: its whole title or dotted name, a path of titles, or L<n>"),
    Field("depth", "count", "the deepest outline level, 1 is the top"),
    Field("focus", "text", "what opens first: a section, L<n>, or words", "2"),
    Field("since", "text", "a commit that you have read: only what changed since", "7"),
    Field("number_lines", "flag", "label lines also where all are shown", "3", "false in JSON, true in text"),
    Field("on_overflow", "word", "what to do where the view does not fit", "3", "degrade", OVERFLOWS),
    Field("include", "words", "more to say", "3", "nothing", INCLUDES),
)
"""Fields of a read."""

DEREFERENCE = (
    Field("pointer", "text", "nas://node/tree/path@commit#L12-L18, or path@commit#L12-L18", "4"),
    Field("sha256", "text", "the hash that the bytes must have", "4"),
)
"""Fields of a dereference."""

VERIFY = (
    Field("pointers", "pointers", "what to check: a pointer, and the hash or the quote that it must have", "4"),
    Field("text", "text", "instead: a text, of which every pointer is checked with its quote", "4"),
    Field("include", "words", "more to say: the objects that prove each row", "4", "nothing", ("proof",)),
)
"""Fields of a check of pointers."""

CITED = (
    Field("sha256", "text", "the hash that the bytes of the pointer must have", "4"),
    Field("quote", "text", "the text that must stand in the lines of the pointer", "4"),
)
"""What one pointer that is given alone is checked for."""

CHECK = (
    Field("files", "words", "files with pointers in them, any text; - is the standard input", "4"),
    Field("strict", "flag", "fail also where cited lines have changed since", "4", "false"),
    Field("fix", "flag", "write pointers anew whose lines have moved, or that name a snapshot", "4", "false"),
)
"""Fields of a check of files."""

CHECKED = (
    Field("pointer", "text", "the pointer as it was given or written", "4"),
    Field("verification", "word", "what it is at its commit", "4"),
    Field("drift", "word", "what has become of the lines in the tree as it is now, or null", "4"),
    Field("lines", "array", "where they are now", "4"),
    Field("path", "text", "the file that they are in now, where it is another", "4"),
    Field("overlap", "number", "of changed lines, the share that is the same, 0 to 1", "4"),
    Field("found_at", "array", "[{lines}] where a quote stands that is not in the lines cited", "4"),
    Field("difference", "text", "the words of the quote that differ: [-quote-]{+file+}", "4"),
    Field("reason", "text", "why a commit is unknown", "4"),
    Field("detail", "text", "what is wrong, in a sentence", "4"),
    Field("line_count", "natural", "the lines of the file, where the range is out of it", "4"),
    Field("near", "array", "paths that look like the one that is missing", "4"),
    Field("candidates", "array", "[{commit}] that a short id may mean", "4"),
    Field("via", "text", "the tree that holds the bytes, where it is not the one named", "4"),
    Field("commit", "text", "the full id of the commit", "4"),
    Field("blob", "text", "the blob, or the tree id of a folder", "4"),
    Field("sha256", "text", "the hash of the bytes at the commit", "4"),
    Field("now", "text", "the pointer to the same bytes at HEAD, where they have moved", "4"),
    Field("quote", "text", "the quote that was compared", "4"),
    Field("line", "natural", "the line of the text that holds the pointer", "4"),
    Field("warnings", "array", "[{code, detail}]", "4"),
    Field("proof", "object", "on request: {pointer, sha256, encoding, objects}", "4"),
)
"""Fields of one row of a check."""

SNAPSHOT_ACTIONS = ("list", "take", "prune", "purge")

SNAPSHOTS = (
    Field("action", "word", "list what is kept, take one, prune what is old, or purge", "4", "", SNAPSHOT_ACTIONS),
    Field("path", "text", "take: the file; purge: only what kept this file or folder", "4", "everything, of all trees"),
)
"""Fields of `nas snapshots`."""

SEARCH = (
    Field("query", "text", "the text, the pattern (RE2, line by line), or the words of a question", "6"),
    Field("mode", "word", "literal text, regex, or ranked for questions", "6", "literal", SEARCH_MODES),
    Field("path", "text", "only in this file or folder", "6", "every tree"),
    Field("globs", "globs", 'only files that match: "*.py", "src/**"; "!tests/**" leaves out', "6", "all files"),
    Field("commit", "text", "a commit id (7 digits or more), HEAD, a branch or a tag", "6", "the tree as it is now"),
    Field("ignore_case", "flag", "match letters of either case", "6", "false"),
    Field("context", "natural", "lines around each match, at most 50", "6", "2"),
    Field("budget_tokens", "count", "the most tokens that the answer may cost", "6", "2000"),
    Field("tokenizer", "word", "the tokenizer that counts", "5", "o200k_base"),
    Field("limit", "count", "the most matches on a page, at most 1000", "6", "100, ranked 10"),
    Field("cursor", "text", "the next page: what the answer before gave", "6"),
    Field(
        "view",
        "word",
        "the finest wanted; outline, section and full give the sections of the matches",
        "6",
        "the finest that fits",
        SEARCH_VIEWS,
    ),
)
"""Fields of a search."""

INDEX = (Field("path", "text", "index this place only", "6", "every tree"),)
"""Fields of `nas index`."""

SEARCHED = (
    Field("view", "word", "snippets, hits, files, count; or outline, section, full", "6"),
    Field("requested_view", "word", "the view asked for, or null", "6"),
    Field("degraded", "flag", "whether it is coarser than asked, or than snippets", "6"),
    Field("tokens", "count", "tokens of `content`; of a text face, of the whole text", "3"),
    Field("budget_tokens", "count", "the budget that was held", "3"),
    Field("tokenizer", "object", "{name, exact, upper_bound, other_models}", "5"),
    Field("generated", "flag", "false: nothing here is written by a model", "9"),
    Field("mode", "word", "how it was searched", "6"),
    Field("content", "text", "the matches as text: `# path count`, `## entry lines cost`, rows", "6"),
    Field(
        "matches",
        "array",
        "[{pointer, path, lines, snippet, clipped, entry, score, blob, sha256, next}]; `same_as` for equal files",
        "6",
    ),
    Field("match_total", "count", "matching lines in all files; of a ranked search, entries", "6"),
    Field("file_total", "count", "files with a match", "6"),
    Field("at_least", "flag", "whether there may be more than these totals", "6"),
    Field("files_searched", "count", "text files that were looked at", "6"),
    Field("shown", "count", "matches on this page", "6"),
    Field("complete", "flag", "whether no limit ended the search early, and every file is indexed", "6"),
    Field("truncated", "flag", "whether a cursor is needed for the rest", "6"),
    Field("next", "text", "the cursor for the next page, or null", "6"),
    Field("order", "text", "what comes first", "6"),
    Field("skipped", "array", "[{path, reason}]: files that were not searched, or not in full", "6"),
    Field("skipped_total", "count", "how many those are", "6"),
    Field("index", "word", "warm or cold: whether an index stood ready", "6"),
    Field("engine", "word", "what matched the lines, or ranked the entries", "6"),
    Field("trees", "array", "[{name, commit}] that were searched; commit null for a plain folder", "6"),
    Field("commit", "text", "the commit searched, where it is one; null else", "4"),
    Field("snapshot", "object", "{base, dirty, reason} where files that are not committed were searched too", "4"),
    Field("evidence", "array", "[{pointer, lines, blob, sha256}], one for each match", "4"),
    Field("warnings", "array", "[{code, detail}]", "3"),
)
"""Fields of an answer to a search."""

DIFF = (
    Field("from", "text", "the commit to compare from: an id (7 digits or more), HEAD, a branch or a tag", "7"),
    Field("to", "text", "the commit to compare with", "7", "the tree as it is now"),
    Field("path", "text", "only this file or folder, on either side", "7", "the whole tree"),
    Field("budget_tokens", "count", "the most tokens that the answer may cost", "3", "2000"),
    Field("tokenizer", "word", "the tokenizer that counts", "5", "o200k_base"),
)
"""Fields of a question for changes."""

CHANGE_VIEWS = ("unchanged", "patch", "hunks", "entries", "files", "folders", "count")
"""Views of changes, from fine to coarse; the view of an answer is the coarsest that any of its files has."""

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
    Field("omitted", "object", "{entries, lines} not named; of several files {files, tokens} not shown; or null", "2"),
    Field("next", "array", "[{view, section or lines, tokens}]: requests that show more, with their cost", "3"),
    Field(
        "file",
        "object",
        "{path, format, language, line_count, bytes, tokens, tokens_exact, encoding, bom, line_ending}",
        "3",
    ),
    Field("commit", "text", "the commit whose bytes are shown, or null", "4"),
    Field("blob", "text", "their blob, or null", "4"),
    Field("snapshot", "object", "{base, dirty} where the bytes are not committed, reason too without pointer", "4"),
    Field("lines", "array", "first and last line asked for, or null for the whole file", "3"),
    Field("columns", "array", "the window, where one was asked for", "3"),
    Field("parts", "array", "of several files, and of a folder: the answers for the files shown"),
    Field("entry_total", "count", "on request, of a folder: how many entries it has"),
    Field("entries", "array", "on request: the tree of entries, complete whatever the budget", "3"),
    Field("since", "object", "{commit, status, old_path, note}; of a patch also its hunks", "7"),
    Field("facts", "object", "on request: {named, extents, signatures, lines}", "2"),
    Field("ladder", "array", "on request: [{min_budget, view, tokens}]", "3"),
    Field("proof", "object", "on request: {pointer, sha256, encoding, objects} of the evidence", "4"),
    Field("warnings", "array", "[{code, detail}]", "3"),
)
"""Fields of an answer to a read."""

SERVE = (
    Field("host", "text", "the loopback address to listen on", "10", "127.0.0.1"),
    Field("port", "count", "the port, 0 for a free one", "10", "6270"),
)
"""Options of the HTTP service."""

CHANGES = (
    Field("view", "word", "the coarsest view that any of the files has", "7", "", CHANGE_VIEWS),
    Field("requested_view", "word", "auto: the best that fits", "2"),
    Field("degraded", "flag", "whether it is coarser than patch", "7"),
    Field("tokens", "count", "tokens of `content`; of a text face, of the whole text", "3"),
    Field("budget_tokens", "count", "the budget that was held", "3"),
    Field("tokenizer", "object", "{name, exact, upper_bound, other_models}", "5"),
    Field("generated", "flag", "false: no text here is written by a model", "9"),
    Field("truncated", "flag", "false: what does not fit is told in less detail, never cut", "7"),
    Field("content", "text", "the changes: patches, and rows of files and folders", "7"),
    Field("evidence", "array", "[{pointer, lines, blob, sha256}] of the hunks that are shown, on both sides", "4"),
    Field("files", "array", "[{path, old_path, status, added, removed, binary, words, view, hunks}]", "7"),
    Field("file_total", "count", "how many files differ", "7"),
    Field("added", "count", "lines added in all of them", "7"),
    Field("removed", "count", "lines removed in all of them", "7"),
    Field("omitted", "object", "{files} that `content` only counts, or null", "7"),
    Field("next", "array", "[{view, path, tokens}]: requests that show more, with their cost", "3"),
    Field("from", "text", "the commit of the old side", "7"),
    Field("commit", "text", "the commit of the new side, or null where it is not committed", "7"),
    Field("snapshot", "object", "{base, dirty, reason} where the new side is not committed, or null", "4"),
    Field("warnings", "array", "[{code, detail}]", "3"),
)
"""Fields of an answer about changes."""
