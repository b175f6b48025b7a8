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
from budgeted_reads.shapes import (
    Cited,
    Commit,
    Entry,
    Evidence,
    Facts,
    File,
    Fold,
    Lines,
    More,
    Omitted,
    Place,
    Proof,
    Since,
    Snapshot,
    Step,
    Tokenizer,
    Warned,
)

Body = TypeVar("Body", bound=Struct)

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
    """GIVEN as BODY, or `invalid_request` that names the field; null counts as not given, in fields that there are."""
    known = body.__struct_fields__
    try:
        return convert({name: value for name, value in given.items() if value is not None or name not in known}, body)
    except ValidationError as error:
        names = ", ".join(known)
        raise InvalidRequest(str(error), f"the fields are {names}") from None


def request_type(name: str, table: Iterable[Field], required: str) -> type[Struct]:
    """The type NAME of a request with the fields of TABLE; all but REQUIRED may be left out, others are refused."""
    made: list[Any] = []
    for field in table:
        type_ = _wanted(field)
        if field.name == required:
            made.append((field.name, Annotated[type_, Meta(description=_help(field))]))
        else:
            made.append((field.name, Annotated[type_ | None, Meta(description=_help(field))], None))
    return defstruct(name, made, kw_only=True, frozen=True, forbid_unknown_fields=True, module=__name__)


def answer_type(name: str, table: Iterable[Field], parts: Mapping[str, Any] = PARTS) -> type[Struct]:
    """The type NAME of an answer with the fields of TABLE; PARTS are the types of its objects and arrays."""
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


ReadRequest = request_type("ReadRequest", fields.READ, "")
"""The body of a read, which names one of path, paths and glob."""

DereferenceRequest = request_type(
    "DereferenceRequest", (*fields.DEREFERENCE, *_named(fields.READ, "budget_tokens", "tokenizer")), "pointer"
)
"""The body of a dereference; with `budget_tokens` it is a read of what the pointer names."""

Answer = answer_type("Answer", fields.ANSWER)
"""The answer to a read."""

Checked = answer_type("Checked", fields.CHECKED)
"""One row of a check of pointers."""

Verification = defstruct("Verification", [("results", list[Checked])], frozen=True, module=__name__)  # type: ignore[valid-type]
"""The answer to a check of pointers."""

VerifyRequest = request_type("VerifyRequest", fields.VERIFY, "")
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
