"""Standard reads: the bytes of a file as they are, whole, by lines, or by bytes (CONTRACT section 3, RFC 9110)."""

import hashlib
import secrets
from collections.abc import AsyncIterator
from typing import NamedTuple
from urllib.parse import quote, unquote_to_bytes

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from budgeted_reads.errors import BinaryFile, InvalidRequest, NotAFile, NotFound
from budgeted_reads.evidence.make import BASE64
from budgeted_reads.http import ranges
from budgeted_reads.http.problems import GUARDS
from budgeted_reads.http.ranges import Span
from budgeted_reads.limits import EXACT_BYTES
from budgeted_reads.node import Node
from budgeted_reads.request import read_request
from budgeted_reads.text import Text, decode
from budgeted_reads.trees import paths
from budgeted_reads.views.ask import resolve

ROUTE = "/v1/files/raw/"
PARAMETERS = ("commit", "lines")

_CHUNK = 256 * 1024
_BYTES = "application/octet-stream"


class Raw(NamedTuple):
    """Bytes to be sent: `tag` is a strong entity tag, `fixed` whether the URL can never give other bytes."""

    data: bytes
    tag: str
    media_type: str
    name: str
    fixed: bool


def place(raw_path: bytes) -> str:
    """`/tree/path` out of the path of the URL as it was sent, its escapes read as bytes; no escape adds a segment."""
    segments = [unquote_to_bytes(part) for part in raw_path.split(b"/")]
    if segments[:4] != [b"", b"v1", b"files", b"raw"]:
        raise NotFound("no route there", f"write {ROUTE}tree/path")
    if any(b"/" in segment for segment in segments):
        raise InvalidRequest("the path has an escaped slash", "no name holds a slash: write it as it is")
    return "/" + b"/".join(segments[4:]).decode("utf-8", "surrogateescape")


def query(request: Request) -> dict[str, str]:
    """The parameters of REQUEST; unknown ones, and those given twice, are `invalid_request`."""
    given: dict[str, str] = {}
    for name, value in request.query_params.multi_items():
        if name not in PARAMETERS or name in given:
            known = " and ".join(PARAMETERS)
            raise InvalidRequest(f"parameter {name[:60]!r} is unknown or there twice", f"the parameters are {known}")
        given[name] = value
    return given


def find(node: Node, where: str, given: dict[str, str]) -> Raw:
    """The bytes at WHERE (`/tree/path`) at `commit`, or as they are now; of `lines`, with the LF that ends each."""
    lines = read_request({"path": where, "lines": given["lines"]}).ask.lines if "lines" in given else None
    commit = given.get("commit")
    if commit is not None and not commit.strip():
        raise InvalidRequest("commit is empty", "name a commit, or leave it out")
    tree, rest = node.catalog.split(where)
    revision = tree.resolve(commit)
    found = tree.look(paths.parse(rest).path, revision, snapshot=False)
    if found.kind in ("folder", "submodule"):
        raise NotAFile(f"{paths.show(found.path)} is a {found.kind}, not a file", "name a file in it")
    data = bytes(found.raw)
    tag = found.blob or hashlib.sha256(data).hexdigest()
    text = _text(data) if lines is not None or len(data) <= EXACT_BYTES else None
    if lines is not None:
        text = text or Text(data, data.decode("latin-1"), BASE64)
        (first, last), _ = resolve(lines, text.line_count)
        data = text.bytes_of(first, last) if text.line_count else b""
        tag += f".L{first}-L{last}"
    readable = text is not None and not text.lossy and text.encoding != BASE64
    media_type = f"text/plain; charset={text.encoding}" if text is not None and readable else _BYTES
    name = found.path.rpartition(b"/")[2].decode("utf-8", "replace")
    return Raw(data, f'"{tag}"', media_type, name, fixed=commit is not None and revision.commit == commit.lower())


def _text(data: bytes) -> Text | None:
    try:
        return decode(data)
    except BinaryFile:
        return None


def respond(raw: Raw, request: Request) -> Response:
    """RAW as REQUEST asks for it: 200, 206 with one part or several, 304; `range_out_of_bounds` with 416."""
    headers = {
        **GUARDS,
        "ETag": raw.tag,
        "Accept-Ranges": "bytes",
        "Cache-Control": "private, max-age=31536000, immutable" if raw.fixed else "no-cache",
    }
    if ranges.tag_matches(request.headers.get("if-none-match"), raw.tag):
        return Response(None, 304, headers)
    show = "attachment" if raw.media_type == _BYTES else "inline"
    headers["Content-Disposition"] = f"{show}; filename*=UTF-8''{quote(raw.name, safe='')}"
    headers["Content-Security-Policy"] = "default-src 'none'; sandbox"
    size = len(raw.data)
    spans = None
    # HEAD knows no Range: it answers for the whole.
    if request.method == "GET" and ranges.range_holds(request.headers.get("if-range"), raw.tag):
        spans = ranges.spans(request.headers.get("range"), size)
    if spans is None:
        return _send([memoryview(raw.data)], 200, {**headers, "Content-Type": raw.media_type})
    if len(spans) == 1:
        headers |= {"Content-Range": _content_range(spans[0], size), "Content-Type": raw.media_type}
        return _send([_slice(raw.data, spans[0])], 206, headers)
    mark = secrets.token_hex(16)
    headers["Content-Type"] = f"multipart/byteranges; boundary={mark}"
    return _send(_parts(raw, spans, mark), 206, headers)


def _parts(raw: Raw, spans: list[Span], mark: str) -> list[memoryview]:
    parts = []
    for span in spans:
        head = f"--{mark}\r\nContent-Type: {raw.media_type}\r\n"
        head += f"Content-Range: {_content_range(span, len(raw.data))}\r\n\r\n"
        parts += [memoryview(head.encode()), _slice(raw.data, span), memoryview(b"\r\n")]
    return [*parts, memoryview(f"--{mark}--\r\n".encode())]


def _content_range(span: Span, size: int) -> str:
    return f"bytes {span.first}-{span.end - 1}/{size}"


def _slice(data: bytes, span: Span) -> memoryview:
    return memoryview(data)[span.first : span.end]


def _send(pieces: list[memoryview], status: int, headers: dict[str, str]) -> Response:
    headers["Content-Length"] = str(sum(map(len, pieces)))
    return StreamingResponse(_chunks(pieces), status, headers)


async def _chunks(pieces: list[memoryview]) -> AsyncIterator[bytes]:
    """PIECES a chunk at a time, so that a slow reader holds up nobody and nothing is buffered twice."""
    for piece in pieces:
        for at in range(0, len(piece), _CHUNK):
            yield bytes(piece[at : at + _CHUNK])
