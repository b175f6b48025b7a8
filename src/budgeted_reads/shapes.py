"""The objects inside bodies of requests and answers, as types (CONTRACT sections 3 to 5)."""

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

Lines = Annotated[tuple[int, int], Meta(description="first and last line, 1-based, inclusive")]


class Part(Struct, frozen=True):
    """An object inside an answer."""


class Tokenizer(Part, frozen=True):
    """Who counted. `exact` is about the named tokenizer only; an estimate holds the budget by `upper_bound`."""

    name: str
    exact: bool
    upper_bound: int | None
    other_models: str


class Evidence(Part, frozen=True):
    """A pointer, and the SHA-256 of exactly the bytes that it dereferences to."""

    pointer: str
    lines: Lines | None
    blob: str
    sha256: str | None


class Fold(Part, frozen=True):
    """Lines that are not shown, the least budget that shows them, the entry that they lie in."""

    lines: Lines
    tokens: int
    entry: str | None


class Omitted(Part, frozen=True):
    """How much is not named, and where."""

    entries: int | UnsetType = UNSET
    files: int | UnsetType = UNSET
    lines: Lines | UnsetType | None = UNSET
    tokens: int | UnsetType = UNSET


class More(Part, frozen=True):
    """A request that shows more, and the least budget that returns it."""

    view: str
    tokens: int
    section: str | list[str] | UnsetType = UNSET
    lines: Lines | UnsetType = UNSET
    columns: str | UnsetType = UNSET
    path: str | UnsetType = UNSET
    on_overflow: str | UnsetType = UNSET


class File(Part, frozen=True):
    """What is known of the file whatever the budget, null where it is not; formats add their own facts."""

    path: str
    format: str | None
    language: str | None
    line_count: int | None
    bytes: int | None
    tokens: int | None
    tokens_exact: bool
    encoding: str | None
    bom: bool | None
    line_ending: str | None


class Snapshot(Part, frozen=True):
    """Served bytes that are not committed: the commit they stand on, and why, if so, there is no pointer."""

    base: str | None
    dirty: bool
    reason: str | UnsetType | None = UNSET


class Entry(Part, frozen=True):
    """One entry of a file, or one row of a folder (`path`, `kind`, `tokens`)."""

    kind: str
    tokens: int | None
    title: str | UnsetType = UNSET
    path: str | UnsetType = UNSET
    level: int | UnsetType = UNSET
    lines: Lines | UnsetType | None = UNSET
    columns: tuple[int, int] | UnsetType | None = UNSET
    body: Lines | UnsetType | None = UNSET
    doc: Lines | UnsetType | None = UNSET
    signature: str | UnsetType = UNSET
    owner: str | UnsetType | None = UNSET
    children: "list[Entry] | UnsetType" = UNSET
    flags: list[str] | UnsetType = UNSET
    files: int | UnsetType | None = UNSET


class Fact(Part, frozen=True):
    """An entry, by its own line and dotted name."""

    line: int
    name: str


class Facts(Part, frozen=True):
    """What an answer gives."""

    named: list[Fact]
    extents: list[Fact]
    signatures: list[Fact]
    lines: list[Lines]


class Step(Part, frozen=True):
    """From `min_budget` on the view is `view`, which then costs `tokens`."""

    min_budget: int
    view: str
    tokens: int


class Since(Part, frozen=True):
    """What became of the file, or the lines asked for, since the commit: unchanged, changed or added."""

    commit: str
    status: Literal["unchanged", "changed", "added"]
    old_path: str | UnsetType = UNSET
    note: str | UnsetType = UNSET
    added: int | UnsetType = UNSET
    removed: int | UnsetType = UNSET
    hunks: list[dict[str, Any]] | UnsetType = UNSET
    file_total: int | UnsetType = UNSET
    files: list[dict[str, Any]] | UnsetType = UNSET
    omitted: Omitted | UnsetType | None = UNSET
    next: list[dict[str, Any]] | UnsetType = UNSET


class Warned(Part, frozen=True):
    """A warning: a stable code, and a sentence."""

    code: str
    detail: str


class Dereferenced(Part, frozen=True):
    """What a pointer stands for: `bytes` is the count that `sha256` covers, base64 where they are no text."""

    content: str
    lines: Lines | None
    commit: str
    blob: str
    sha256: str
    bytes: int
    encoding: str
    warnings: list[Warned]
    verification: Literal["verified", "hash_mismatch"] | UnsetType = UNSET
    via: str | UnsetType = UNSET


class Place(Part, frozen=True):
    """Lines of a file."""

    lines: Lines


class Commit(Part, frozen=True):
    """A commit, by its full id."""

    commit: str


class Object(Part, frozen=True):
    """A git object: `data` is its raw content in base64, of which `id` is the hash."""

    type: Literal["commit", "tree", "blob"]
    id: str
    data: str


class Cited(Part, frozen=True, forbid_unknown_fields=True):
    """A pointer to check, and the hash or the quote that it must have."""

    pointer: str
    sha256: str | None = None
    quote: str | None = None


class Proof(Part, frozen=True):
    """The objects from the commit of a pointer to its blob: enough to check the pointer and its hash offline."""

    pointer: str
    sha256: str | None
    encoding: str
    objects: list[Object]


class Tree(Part, frozen=True):
    """A tree that is served: worktree, bare or folder, and the commit of HEAD where there is one."""

    name: str
    kind: str
    head: str | None


class Trees(Part, frozen=True):
    """The trees of a node."""

    node: str
    trees: list[Tree]


class Counts(Part, frozen=True):
    """A tokenizer that can count, and whether it is the model's own."""

    name: str
    exact: bool


class Capabilities(Part, frozen=True):
    """What a node can do."""

    program: str
    contract: int
    node: str
    trees: list[Tree]
    views: list[str]
    fields: list[str]
    tokenizers: list[Counts]
    default_budget_tokens: int
    max_budget_tokens: int
    default_tokenizer: str
    limits: dict[str, int]


class Health(Part, frozen=True):
    """That the server answers."""

    status: Literal["ok"]
