"""The JSON borders as types: what bodies of requests, answers and problems look like, for schemas and for readers.

Requests and answers are made from the tables of `fields`, which describe each field once; only the objects inside an
answer are written out here. Nothing of the core needs these types: faces print what `to_dict` gives, and a test holds
real answers to them.
"""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal, TypeVar

from msgspec import UNSET, Meta, Struct, UnsetType, ValidationError, convert, defstruct

from budgeted_reads import fields
from budgeted_reads.errors import InvalidRequest, ReadError
from budgeted_reads.fields import Field

Lines = Annotated[tuple[int, int], Meta(description="first and last line, 1-based, inclusive")]
Body = TypeVar("Body", bound=Struct)


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
    """What is known of the file whatever the budget; formats add their own facts."""

    path: str
    format: str | None
    language: str | None
    line_count: int | None
    bytes: int
    tokens: int
    tokens_exact: bool
    encoding: str | None
    bom: bool
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


PARTS: dict[str, Any] = {
    "parts": list[dict[str, Any]],
    "tokenizer": Tokenizer,
    "evidence": list[Evidence],
    "folds": list[Fold],
    "omitted": Omitted,
    "next": list[More],
    "file": File,
    "snapshot": Snapshot,
    "lines": Lines,
    "columns": tuple[int, int],
    "entries": list[Entry],
    "facts": Facts,
    "ladder": list[Step],
    "since": Since,
    "warnings": list[Warned],
    "found_at": list[Place],
    "near": list[str],
    "candidates": list[Commit],
    "proof": Proof,
}
"""The types of the fields of an answer that the table calls object or array."""

ALWAYS = frozenset({
    "pointer",
    "verification",
    "view",
    "requested_view",
    "degraded",
    "tokens",
    "budget_tokens",
    "tokenizer",
    "generated",
    "truncated",
    "content",
    "evidence",
    "warnings",
})  # fmt: skip
"""Fields that every answer has, and that are never null."""

WANTED: dict[str, Any] = {
    "text": str,
    "count": Annotated[int, Meta(ge=1)],
    "flag": bool,
    "lines": str | tuple[int, int],
    "columns": str,
    "titles": str | Annotated[list[str], Meta(min_length=1)],
    "words": list[str],
    "globs": str | Annotated[list[str], Meta(min_length=1)],
    "natural": Annotated[int, Meta(ge=0)],
    "word": str,
    "pointers": list[Cited],
}
"""The JSON types of the words for fields of requests."""

GIVEN: dict[str, Any] = {
    "text": str,
    "count": Annotated[int, Meta(ge=0)],
    "natural": Annotated[int, Meta(ge=0)],
    "number": float,
    "flag": bool,
    "word": str,
}
"""The JSON types of the words for fields of answers."""


def codes() -> dict[str, int]:
    """Every error code with its HTTP status, from the tree of errors."""
    found: dict[str, int] = {}
    stack = [ReadError]
    while stack:
        kind = stack.pop()
        found.setdefault(kind.code, kind.status)
        # The statuses that only a protocol has (405, 416 ...) belong to classes of its face.
        stack += [below for below in kind.__subclasses__() if below.__module__ == ReadError.__module__]
    return dict(sorted(found.items()))


def parse(body: type[Body], given: Mapping[str, object]) -> Body:
    """GIVEN as BODY, or `invalid_request` that names the field; null counts as not given."""
    try:
        return convert({name: value for name, value in given.items() if value is not None}, body)
    except ValidationError as error:
        names = ", ".join(body.__struct_fields__)
        raise InvalidRequest(str(error), f"the fields are {names}") from None


def _request(name: str, table: Iterable[Field], required: str) -> type[Struct]:
    made: list[Any] = []
    for field in table:
        type_ = _wanted(field)
        if field.name == required:
            made.append((field.name, Annotated[type_, Meta(description=_help(field))]))
        else:
            made.append((field.name, Annotated[type_ | None, Meta(description=_help(field))], None))
    return defstruct(name, made, kw_only=True, frozen=True, forbid_unknown_fields=True, module=__name__)


def _answer(name: str, table: Iterable[Field], parts: Mapping[str, Any] = PARTS) -> type[Struct]:
    made: list[Any] = []
    for field in table:
        # A field that the table has and nobody has described yet may be anything.
        type_ = parts.get(field.name, GIVEN.get(field.type, Any))
        said = Meta(description=_help(field))
        if field.name in ALWAYS:
            made.append((field.name, Annotated[type_, said]))
        else:
            made.append((field.name, Annotated[type_ | None if type_ is not Any else Any, said], UNSET))
    return defstruct(name, made, kw_only=True, frozen=True, module=__name__)


def _wanted(field: Field) -> Any:
    if not field.words:
        return WANTED.get(field.type, Any)
    word: Any = Literal.__getitem__(field.words)
    return list[word] if field.type == "words" else word


def _help(field: Field) -> str:
    return field.help + (f" (default: {field.default})" if field.default else "")


def _named(table: Iterable[Field], *names: str) -> list[Field]:
    return [field for field in table if field.name in names]


ReadRequest = _request("ReadRequest", fields.READ, "")
"""The body of a read, which names one of path, paths and glob."""

DereferenceRequest = _request(
    "DereferenceRequest", (*fields.DEREFERENCE, *_named(fields.READ, "budget_tokens", "tokenizer")), "pointer"
)
"""The body of a dereference; with `budget_tokens` it is a read of what the pointer names."""

Answer = _answer("Answer", fields.ANSWER)
"""The answer to a read."""

Checked = _answer("Checked", fields.CHECKED)
"""One row of a check of pointers."""

Verification = defstruct("Verification", [("results", list[Checked])], frozen=True, module=__name__)  # type: ignore[valid-type]
"""The answer to a check of pointers."""

VerifyRequest = _request("VerifyRequest", fields.VERIFY, "")
"""The body of a check of pointers: either `pointers` or `text`."""

Problem = defstruct(
    "Problem",
    [
        ("type", str),
        ("title", str),
        ("status", int),
        ("detail", Annotated[str, Meta(description="what happened, and to what")]),
        ("code", Literal[tuple(codes())]),
        ("hint", Annotated[str, Meta(description="what to do next")], ""),
        (
            "minimum_tokens",
            Annotated[int, Meta(description="the least budget that would be answered")] | UnsetType,
            UNSET,
        ),
        ("line_count", int | UnsetType, UNSET),
        ("near", Annotated[list[str], Meta(description="names that look like the one asked for")] | UnsetType, UNSET),
        ("candidates", list[dict[str, Any]] | UnsetType, UNSET),
        ("card", dict[str, Any] | UnsetType, UNSET),
        ("reason", str | UnsetType, UNSET),
        ("id", Annotated[str, Meta(description="the name of this fault in the server's log")] | UnsetType, UNSET),
    ],
    kw_only=True,
    frozen=True,
    module=__name__,
)
"""An error, by RFC 9457; a code may have further members."""
