"""Bodies of requests: bounded, JSON, one object, every key once."""

import json

from starlette.requests import Request

from budgeted_reads.errors import InvalidRequest, TooLarge
from budgeted_reads.http.problems import WrongType

MAX_BODY_BYTES = 1 << 20
"""A larger body is `too_large`; what is too much is not read."""

JSON = "application/json"


async def receive(request: Request) -> bytes:
    """The body of REQUEST; `too_large` as soon as that is known, before any of it is read where its length is told.

    Also demands the content type: a page of another site cannot send JSON without asking first.
    """
    said = request.headers.get("content-type", "")
    if said.partition(";")[0].strip().lower() != JSON:
        raise WrongType(f"the content type is {said[:100] or 'missing'}", f"send the body as {JSON}")
    length = request.headers.get("content-length", "")
    if length.isdecimal() and int(length) > MAX_BODY_BYTES:
        raise _too_large()
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BODY_BYTES:
            raise _too_large()
    return bytes(body)


def parse(body: bytes) -> dict[str, object]:
    """The object that BODY is, or `invalid_request` that says where it is not JSON (RFC 8259, without NaN)."""
    try:
        value = json.loads(body.decode("utf-8"), object_pairs_hook=_once, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        raise InvalidRequest(f"the body is no JSON: {error}", 'send an object such as {"path": "README.md"}') from None
    except UnicodeDecodeError as error:
        raise InvalidRequest(f"the body is no UTF-8 from byte {error.start} on", "send JSON in UTF-8") from None
    except RecursionError:
        raise InvalidRequest("the body is nested too deeply", "send one flat object") from None
    except ValueError as error:
        raise InvalidRequest(f"the body is no JSON: {error}"[:200], "correct it") from None
    if not isinstance(value, dict):
        raise InvalidRequest("the body is no JSON object", 'send an object such as {"path": "README.md"}')
    return value


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made = dict(pairs)
    if len(made) != len(pairs):
        seen: set[str] = set()
        for name, _ in pairs:
            if name in seen:
                raise ValueError(f"{name[:60]!r} is there twice")
            seen.add(name)
    return made


def _no_number(word: str) -> object:
    raise ValueError(f"{word} is no number of JSON")


def _too_large() -> TooLarge:
    return TooLarge(f"the body has more than {MAX_BODY_BYTES} bytes", "a request names files, it does not hold them")
