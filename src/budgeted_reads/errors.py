"""Every error of the product, as one tree of exceptions (CONTRACT section 8).

    ReadError
    ├── InvalidRequest (ValueError)     422  exit 2   invalid_request
    │   ├── BudgetTooSmall              422  exit 2   budget_too_small     minimum_tokens
    │   ├── UnknownTokenizer            422  exit 2   unknown_tokenizer
    │   ├── InvalidPattern              422  exit 2   invalid_pattern      reason
    │   ├── NotAFile                    422  exit 2   not_a_file
    │   └── RangeOutOfBounds            422  exit 2   range_out_of_bounds  line_count
    ├── NotFound (LookupError)          404  exit 3   not_found            near
    │   ├── SectionNotFound             404  exit 3   section_not_found    near
    │   ├── CommitUnknown               404  exit 3   commit_unknown       reason
    │   └── TreeUnknown                 404  exit 3   tree_unknown
    ├── AmbiguousSection                409  exit 2   ambiguous_section    candidates
    ├── AmbiguousCommit                 409  exit 2   ambiguous_commit     candidates
    ├── FileChanging                    409  exit 2   file_changing
    ├── ForbiddenPath (PermissionError) 403  exit 2   forbidden_path
    ├── BinaryFile                      415  exit 2   binary_file          card
    ├── TooLarge                        413  exit 2   too_large
    ├── Unauthorized                    401  exit 2   unauthorized
    ├── RateLimited                     429  exit 2   rate_limited
    ├── TimedOut                        503  exit 2   timeout
    ├── SummaryUnavailable              503  exit 2   summary_unavailable
    └── Internal                        500  exit 2   internal             id

An error says what happened, to what, and what to do next: `detail` is the first two, `hint` the last.
"""

from collections.abc import Mapping, Sequence


class ReadError(Exception):
    """An error with a stable `code`; `members` are the values that an agent can act on."""

    code = "internal"
    status = 500
    exit_code = 2

    def __init__(self, detail: str, hint: str = "", **members: object) -> None:
        super().__init__(detail)
        self.detail = detail
        self.hint = hint
        self.members: Mapping[str, object] = {key: value for key, value in members.items() if value is not None}

    def problem(self) -> dict[str, object]:
        """The RFC 9457 body: `type`, `title`, `status`, `detail`, `code`, a `hint` where there is one, the members."""
        body: dict[str, object] = {
            "type": f"urn:budgeted-reads:{self.code}",
            "title": self.code.replace("_", " "),
            "status": self.status,
            "detail": self.detail,
            "code": self.code,
        }
        if self.hint:
            body["hint"] = self.hint
        return {**body, **self.members}

    def line(self) -> str:
        """The error in text: `code: what happened. What to do next`, as text faces print it."""
        return f"{self.code}: {self.detail}" + (f". {self.hint}" if self.hint else "")


class InvalidRequest(ReadError, ValueError):
    """A field is missing, unknown, of the wrong type, or does not go with another."""

    code, status = "invalid_request", 422


class BudgetTooSmall(InvalidRequest):
    """Nothing that the request allows fits; `minimum_tokens` is the least budget that would be answered."""

    code = "budget_too_small"

    def __init__(self, detail: str, hint: str = "", *, minimum_tokens: int) -> None:
        super().__init__(detail, hint, minimum_tokens=minimum_tokens)
        self.minimum_tokens = minimum_tokens


class UnknownTokenizer(InvalidRequest):
    """No counter has that name."""

    code = "unknown_tokenizer"


class InvalidPattern(InvalidRequest):
    """The search pattern cannot be compiled; `reason` is the engine's."""

    code = "invalid_pattern"


class NotAFile(InvalidRequest):
    """The path is a folder or a submodule where a file is needed."""

    code = "not_a_file"


class RangeOutOfBounds(InvalidRequest):
    """The range lies wholly past the end of a file of `line_count` lines."""

    code = "range_out_of_bounds"

    def __init__(self, detail: str, hint: str = "", *, line_count: int) -> None:
        super().__init__(detail, hint, line_count=line_count)
        self.line_count = line_count


class NotFound(ReadError, LookupError):
    """Nothing stands at that path; `near` lists paths that look like it."""

    code, status, exit_code = "not_found", 404, 3

    def __init__(self, detail: str, hint: str = "", *, near: Sequence[str] = (), **members: object) -> None:
        super().__init__(detail, hint, near=list(near) or None, **members)
        self.near = tuple(near)


class SectionNotFound(NotFound):
    """No entry has that name; `near` lists names that look like it."""

    code = "section_not_found"


class CommitUnknown(NotFound):
    """No commit has that id or name in this tree; `reason` says more where more is known."""

    code = "commit_unknown"


class TreeUnknown(NotFound):
    """This node serves no such tree."""

    code = "tree_unknown"


class AmbiguousSection(ReadError):
    """Several entries have that name; `candidates` are `{title, lines}`."""

    code, status = "ambiguous_section", 409


class AmbiguousCommit(ReadError):
    """The name or short id fits several commits; `candidates` are `{commit}`."""

    code, status = "ambiguous_commit", 409


class FileChanging(ReadError):
    """The file changed each time it was read."""

    code, status = "file_changing", 409


class ForbiddenPath(ReadError, PermissionError):
    """The path leaves the tree, or names what is never served."""

    code, status = "forbidden_path", 403


class BinaryFile(ReadError):
    """The file holds no text; `card` gives its size."""

    code, status = "binary_file", 415


class TooLarge(ReadError):
    """An input is over a stated limit."""

    code, status = "too_large", 413


class Unauthorized(ReadError):
    """The caller has shown no right to this."""

    code, status = "unauthorized", 401


class RateLimited(ReadError):
    """Too many requests."""

    code, status = "rate_limited", 429


class TimedOut(ReadError):
    """Something took longer than its limit."""

    code, status = "timeout", 503


class SummaryUnavailable(ReadError):
    """No model is configured, or it did not answer."""

    code, status = "summary_unavailable", 503


class Internal(ReadError):
    """A fault of the product itself, known by an `id`; never with a trace."""

    code, status = "internal", 500
