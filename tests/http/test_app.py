"""The routes over a real connection: who may ask, what a body may be, and that every error is a problem."""

import json
import socket
import threading

import pytest

from budgeted_reads.errors import Internal
from budgeted_reads.http import bodies
from budgeted_reads.http.access import check_address, is_loopback
from budgeted_reads.http.openapi import document
from budgeted_reads.http.routes import ROUTES
from serving import JSON, Served

READ = "/v1/files/read"
NOTE = {"path": "/agents/notes/acme.md", "view": "outline", "budget_tokens": 400}


def test_the_example_of_the_concept_page_is_answered_in_its_form(served: Served) -> None:
    """The request of the concept page: view, tokens, content by rows, and one pointer that verifies."""
    got = served.client.post(READ, NOTE).json
    assert (got["view"], got["generated"], got["truncated"]) == ("outline", False, False)
    assert got["content"].splitlines()[:2] == ["1-9 # Acme", "3-6 ## Renewal"]
    pointer = got["evidence"][0]["pointer"]
    assert pointer == f"nas://home-box/agents/notes/acme.md@{served.commits[-1]}#L1-L9"
    asked = {"pointer": pointer, "sha256": got["evidence"][0]["sha256"]}
    back = served.client.post("/v1/pointers/dereference", asked).json
    assert (back["verification"], back["bytes"]) == ("verified", (served.place / "notes/acme.md").stat().st_size)


def test_a_dereference_with_a_budget_is_a_read_of_the_range(served: Served) -> None:
    """With `budget_tokens` the answer is that of a read of those lines; the exact bytes come without."""
    pointer = f"notes/acme.md@{served.commits[-1]}#L3-L6"
    got = served.client.post("/v1/pointers/dereference", {"pointer": pointer, "budget_tokens": 100}).json
    assert got == served.client.post(READ, {"path": pointer, "budget_tokens": 100}).json
    assert (got["lines"], got["tokens"] <= 100) == ([3, 6], True)
    exact = served.client.post("/v1/pointers/dereference", {"pointer": pointer}).json
    assert exact["content"] == "## Renewal\n\nThe contract ends in May.\n\n"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "pointer"),
        ({"pointer": 5}, "pointer"),
        ({"pointer": "a.md", "path": "a.md"}, "path"),
        ({"pointer": "a.md@0123456", "budget_tokens": "400"}, "budget_tokens"),
        ({"pointer": "a.md@0123456", "budget_tokens": True}, "budget_tokens"),
        ({"pointer": "a.md@0123456", "budget_tokens": 0}, "budget_tokens"),
        ({"pointer": "a.md@0123456", "budget_tokens": 9, "sha256": "00"}, "sha256"),
        ({"pointer": "a.md@0123456", "tokenizer": "bytes"}, "tokenizer"),
        ({"pointer": "notes/acme.md", "budget_tokens": 9}, "commit id"),
    ],
)
def test_a_wrong_dereference_names_its_field(served: Served, body: object, field: str) -> None:
    """What is missing, unknown, of a wrong type or does not combine is `invalid_request` and named."""
    got = served.client.post("/v1/pointers/dereference", body)
    assert (got.status, got.json["code"]) == (422, "invalid_request")
    assert field in got.json["detail"]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'"x"',
        b"\xff\xfe{}",
        b'\xef\xbb\xbf{"path":"a"}',
        b'{"path":"a","path":"b"}',
        b'{"path":"a","budget_tokens":NaN}',
        b'{"path":"a","budget_tokens":Infinity}',
        b'{"path":"a","budget_tokens":' + b"9" * 5000 + b"}",
        b'{"path":' + b"[" * 100_000,
        b'{"path":"a"} {}',
        b'{"path":"\\ud800"}',
        b'{"path":"a\\u0000b"}',
        b'{"path":"crlf.txt","budget_tokens":"400"}',
        b'{"path":"crlf.txt","budget_tokens":400.0}',
        b'{"path":"crlf.txt","budget_tokens":true}',
        b'{"path":"crlf.txt","budget":400}',
        b'{"path":["crlf.txt"]}',
        b'{"path":null}',
    ],
    ids=lambda body: body[:24].decode("latin-1"),
)
def test_a_wrong_body_is_an_invalid_request(served: Served, body: bytes) -> None:
    """No JSON, no object, a key twice, a number in quotes, a lone surrogate: 422, said in one problem."""
    got = served.client.post(READ, body)
    assert (got.status, got.json["code"]) == (422, "invalid_request")
    assert got.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("kind", ["", "text/plain", "application/x-www-form-urlencoded", "application/jsonx"])
def test_a_body_must_say_that_it_is_json(served: Served, kind: str) -> None:
    """Another content type is 415; with a charset it is still JSON."""
    got = served.client.send("POST", READ, json.dumps(NOTE).encode(), {"Content-Type": kind} if kind else None)
    assert (got.status, got.json["code"]) == (415, "invalid_request")
    assert served.client.post(READ, NOTE, Content_Type="application/json; charset=utf-8").status == 200


def test_a_body_that_says_it_is_too_large_is_refused_unread(served: Served) -> None:
    """100 MB are `too_large` before a byte of them is read; without a length, as soon as it is too much."""
    head = b"POST /v1/files/read HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    told = served.client.raw(head + b"Content-Length: 104857600\r\n\r\n")
    assert told.startswith(b"HTTP/1.1 413 ")
    assert b'"code":"too_large"' in told
    chunk = b"100000\r\n" + b" " * 0x100000 + b"\r\n"
    told = served.client.raw(head + b"Transfer-Encoding: chunked\r\n\r\n" + chunk + b"1\r\n \r\n")
    assert told.startswith(b"HTTP/1.1 413 ")


def test_a_body_at_the_limit_is_read(served: Served) -> None:
    """The limit itself is allowed: white space around a small object."""
    body = json.dumps(NOTE).encode()
    assert served.client.post(READ, body + b" " * (bodies.MAX_BODY_BYTES - len(body))).status == 200


@pytest.mark.parametrize(
    ("method", "target", "status"),
    [("GET", READ, 405), ("DELETE", "/healthz", 405), ("HEAD", READ, 405), ("GET", "/", 404), ("GET", "/v1/read", 404)],
)
def test_routes_that_are_not_there(served: Served, method: str, target: str, status: int) -> None:
    """An unknown route names the known ones, a wrong method the right ones."""
    got = served.client.send(method, target)
    assert (got.status, got.headers["content-type"]) == (status, "application/problem+json")
    if status == 405:
        assert got.headers["allow"]
    if method != "HEAD":
        assert got.json["hint"]


def test_what_is_not_http_is_a_problem_too(served: Served) -> None:
    """A garbled message, a missing Host and endless headers are answered in the same form, and the server lives."""
    served.client.raw(b"GET / HTTP/1.1\r\nX: " + b"x" * 200_000)
    for message in (b"nonsense\r\n\r\n", b"GET /healthz HTTP/1.1\r\n\r\n"):
        told = served.client.raw(message)
        assert told.startswith(b"HTTP/1.1 400 ")
        assert b"application/problem+json" in told
    assert served.client.get("/healthz").json == {"status": "ok"}


HOSTS = {
    "localhost": True,
    "LOCALHOST:6270": True,
    "127.0.0.1:1": True,
    "127.8.9.10": True,
    "[::1]:6270": True,
    "evil.example": False,
    "localhost.evil.example": False,
    "127.0.0.1.evil.example:6270": False,
    "0.0.0.0:6270": False,
    "192.168.0.1": False,
    "2130706433": False,
    "localhost:6270@evil.example": False,
    "[::ffff:1.2.3.4]": False,
    "": False,
}


@pytest.mark.parametrize(("host", "allowed"), HOSTS.items())
def test_only_names_of_this_machine_are_answered(served: Served, host: str, allowed: bool) -> None:
    """A page that gives its own name this machine's address (DNS rebinding) is refused by that name, on every route."""
    for target in ("/healthz", "/nowhere", "/v1/files/raw/agents/crlf.txt"):
        got = served.client.send("GET", target, headers={"Host": host})
        if allowed:
            assert got.status != 403
        else:
            assert (got.status, got.json["code"]) == (403, "forbidden_path")


ORIGINS = {
    "http://localhost:6270": True,
    "http://127.0.0.1:6270": True,
    "https://localhost:6270": True,
    "http://localhost:3000": False,
    "http://localhost": False,
    "http://evil.example": False,
    "http://evil.example:6270": False,
    "null": False,
    "": False,
    "file://": False,
    "http://localhost:6270.evil.example": False,
}


@pytest.mark.parametrize(("origin", "allowed"), ORIGINS.items())
def test_requests_of_foreign_pages_are_refused(served: Served, origin: str, allowed: bool) -> None:
    """A page of another site, or of another port of this machine, gets nothing."""
    got = served.client.post(READ, NOTE, Host="localhost:6270", Origin=origin)
    assert got.status == (200 if allowed else 403)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.0.1", "example.org", "", "127.0.0.1 "])
def test_a_public_address_cannot_be_served(host: str) -> None:
    """Only loopback addresses are bound; a name is never looked up."""
    with pytest.raises(ValueError, match="not a loopback address"):
        check_address(host)
    assert not is_loopback(host)


def test_places_on_disk_are_not_served(served: Served) -> None:
    """An absolute place is no path over HTTP, not even one inside a served tree."""
    got = served.client.post(READ, {"path": str(served.place / "crlf.txt")})
    assert (got.status, got.json["code"]) == (404, "tree_unknown")


def test_a_fault_of_ours_has_an_id_and_keeps_its_trace(
    served: Served, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`internal` with an id; the trace stands in the log under that id and never in the body."""

    def broken(*_: object) -> None:
        raise RuntimeError("a secret detail")

    monkeypatch.setattr(served.node, "ask", broken)
    got = served.client.post(READ, NOTE)
    assert (got.status, got.json["code"]) == (Internal.status, "internal")
    assert b"secret" not in got.body
    assert b"Traceback" not in got.body
    log = capfd.readouterr().err
    assert got.json["id"] in log
    assert "a secret detail" in log


def test_more_reads_than_can_wait_are_refused_and_others_still_answered(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While every thread reads and the queue is full: `rate_limited` at once; what needs no read is answered."""
    readers = served.client.server.app.readers
    threads, waiting = readers.limits
    begin, end = threading.Semaphore(0), threading.Event()

    def slow(*_: object) -> None:
        begin.release()
        end.wait(30)
        raise Internal("stopped")

    monkeypatch.setattr(served.node, "ask", slow)
    callers = [threading.Thread(target=served.client.post, args=(READ, NOTE)) for _ in range(threads + waiting)]
    try:
        for caller in callers:
            caller.start()
        for _ in range(threads):
            assert begin.acquire(timeout=30)
        while readers.inside < threads + waiting:
            assert served.client.get("/healthz").status == 200
        got = served.client.post(READ, NOTE)
        assert (got.status, got.json["code"], got.headers["retry-after"]) == (429, "rate_limited", "1")
    finally:
        end.set()
        for caller in callers:
            caller.join(30)


def test_a_caller_who_leaves_harms_nobody(served: Served, capfd: pytest.CaptureFixture[str]) -> None:
    """A connection that is closed within its request, or before its answer, leaves no trace and a working server."""
    body = json.dumps(NOTE).encode()
    head = f"POST {READ} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n".encode()
    for message in (
        head + b"Content-Length: 500\r\n\r\n{",
        head + f"Content-Length: {len(body)}\r\n\r\n".encode() + body,
    ):
        for _ in range(5):
            with socket.create_connection(served.client.place) as connection:
                connection.sendall(message)
    assert served.client.post(READ, NOTE).status == 200
    assert capfd.readouterr().err == ""


def test_many_callers_get_the_same_answer(served: Served) -> None:
    """Equal requests give equal bytes, also from many threads at once."""
    found: list[bool] = []
    paths = ["notes/acme.md", "crlf.txt", "greek.txt", "wide.txt"]
    alone = {path: served.client.post(READ, {"path": path}).body for path in paths}

    def ask(path: str) -> None:
        for _ in range(8):
            found.append(served.client.post(READ, {"path": path}).body == alone[path])

    callers = [threading.Thread(target=ask, args=(path,)) for path in paths * 2]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join(30)
    assert found == [True] * 64


def test_the_small_routes(served: Served) -> None:
    """Trees, capabilities with the limits of this door, health and the description itself."""
    assert served.client.get("/v1/trees").json == {"node": "home-box", "trees": served.node.trees()}
    told = served.client.get("/v1/capabilities").json
    assert told["limits"]["body_bytes"] == bodies.MAX_BODY_BYTES
    assert {**told, "limits": 0} == {**json.loads(json.dumps(served.node.capabilities())), "limits": 0}
    assert served.client.get("/openapi.json").json == document()


def test_every_route_is_described_and_every_description_is_a_route() -> None:
    """The description has exactly the routes of the table, with their methods."""
    told = {(method.upper(), path) for path, methods in document()["paths"].items() for method in methods}
    table = {(route.method, route.path.replace(":path}", "}")) for route in ROUTES}
    assert told - {("HEAD", path) for method, path in table if method == "GET"} == table


def test_json_of_errors_survives_any_text(served: Served) -> None:
    """A caller's text that UTF-8 cannot spell comes back in a problem that is still JSON."""
    got = served.client.post(READ, b'{"path":"crlf.txt","section":"\\ud800 no such","budget_tokens":100}')
    assert got.status in (404, 422)
    assert got.json["code"]
    assert served.client.send("POST", READ, b"{}", JSON).json["code"] == "invalid_request"
