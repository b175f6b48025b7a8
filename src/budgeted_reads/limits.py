"""Every limit of the product, named once. All are on input, so equal input always meets the same limit."""

MIB = 1024 * 1024

DEFAULT_BUDGET = 2000
"""Tokens of a read that names no budget."""

MAX_BUDGET = 1_000_000
"""The largest budget that a node honours unless it is configured; larger ones are lowered, `clamped_budget`."""

EXACT_BYTES = 16 * MIB
"""Up to this size the tokens of a file and of its folds are counted exactly; above they are estimates."""

MAX_FILE_BYTES = 2048 * MIB
"""A larger file is `too_large` (its raw bytes stay available through git)."""

OUTLINE_BYTES = 8 * MIB
"""A larger file is outlined by paragraphs or blocks, whatever its format."""

BIG_BYTES = EXACT_BYTES
"""A larger file is not held in memory: its lines are read where they are asked for."""

HELD_BYTES = 64 * MIB
"""Up to this size one that is no UTF-8 is held, decoded; and bytes that are not committed are kept in a snapshot."""

OUTLINE_SECONDS, OUTLINE_SECONDS_PER_MIB = 2, 1
"""What a parser written in C may take for one outline, in seconds of CPU, and on top for each MiB of the text."""

OUTLINE_MEMORY = 1024 * MIB
"""What such a parser may take in bytes."""

LONG_LINE_BYTES = 20_000
"""A file of code with a longer line is not parsed: it is minified or generated."""

MAX_DEPTH = 200
"""Nested entries deeper than this are left out of an outline."""

MAX_ENTRIES = 5_000
"""A text without structure has at most this many paragraphs; beyond, it is divided into blocks."""

MAX_ROWS = 50
"""At most this many rows each in `evidence` and `warnings`; beyond, neighbours are merged (`rows_merged`)."""

MAX_FOLDS = 12
"""At most this many rows in `folds`; beyond, neighbours are merged."""

MAX_PATH_BYTES = 4096
"""A longer path is `invalid_request`."""

MAX_LINK_HOPS = 40
"""Deeper chains of links are not followed."""

NEAR_NAMES = 5
"""At most this many near names in a `not_found`."""

SNIFF_BYTES = 8000
"""NUL within the first bytes, and no UTF-16, makes a file binary: the rule of git, with its figure."""

CACHE_BYTES = 256 * MIB
"""The derived data on disk grows to about this size; then what was stored longest ago goes."""

RECENT_BYTES = 64 * MIB
"""How much text a node keeps at hand, outlined and counted, in memory."""

CITED_BYTES = 64 * MIB
"""How much text that pointers cite, decoded, a node keeps at hand in memory."""

DRIFT_BYTES = 16 * MIB
"""How much of what has become of cited lines a node keeps at hand in memory."""

REMEMBERED_TEXTS = 50_000
"""At most this many counts are remembered of one file by one tokenizer."""

MAX_POINTERS = 20_000
"""One check takes at most this many pointers."""

MAX_PATHS = 1000
"""At most this many paths, or globs, in one request."""

FOCUS_LETTERS = 8 * MIB
"""A focus by words looks at every word of a text, so at no more than so many code points."""
