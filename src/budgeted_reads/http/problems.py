"""Errors as `application/problem+json` (RFC 9457), and those that only HTTP has.

InvalidRequest
├── WrongMethod     405  invalid_request
├── WrongType       415  invalid_request
└── BadMessage      400  invalid_request        no HTTP at all
ReadError
└── Unsatisfiable   416  range_out_of_bounds    a Range header past the end of the bytes
"""

import json
from collections.abc import Mapping

from starlette.responses import Response

from budgeted_reads.errors import InvalidRequest, RateLimited, ReadError

GUARDS = {"X-Content-Type-Options": "nosniff", "Cross-Origin-Resource-Policy": "same-origin"}
"""On every response: nothing that is served runs, or can be drawn into the page of another site."""


class WrongMethod(InvalidRequest):
    """The route does not take that method."""

    status = 405


class WrongType(InvalidRequest):
    """The body is not sent as JSON."""

    status = 415


class BadMessage(InvalidRequest):
    """What came is not HTTP."""

    status = 400


class Unsatisfiable(ReadError):
    """No range of the Range header lies within the bytes."""

    code, status = "range_out_of_bounds", 416


def encode(body: object) -> bytes:
    """BODY as JSON in UTF-8; a lone surrogate, which JSON can spell and UTF-8 cannot, becomes `?`."""
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def answered(body: bytes) -> Response:
    """The response with a JSON BODY; it is about the moment, so nobody keeps it."""
    return Response(body, headers={**GUARDS, "Cache-Control": "no-store"}, media_type="application/json")


def refused(error: ReadError, headers: Mapping[str, str] | None = None) -> Response:
    """The response to ERROR, with its own status."""
    more = {"Retry-After": "1"} if isinstance(error, RateLimited) else {}
    return Response(
        encode(error.problem()),
        error.status,
        {**GUARDS, "Cache-Control": "no-store", **more, **(headers or {})},
        "application/problem+json",
    )
