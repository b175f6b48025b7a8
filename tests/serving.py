"""A real server on a free port of this machine, and the plainest client there is."""

import http.client
import json
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from budgeted_reads.http.server import Server
from budgeted_reads.node import Node

Json = dict[str, Any]
JSON = {"Content-Type": "application/json"}


class Reply(NamedTuple):
    """A response; names of headers in lower case."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Json:
        """The body as JSON."""
        found = json.loads(self.body)
        assert isinstance(found, dict)
        return found


class Client:
    """Sends requests to URL as they are written: nothing is normalised, followed or retried."""

    def __init__(self, url: str, server: Server) -> None:
        self.url = url
        self.server = server
        self.place = (str(urlsplit(url).hostname), int(urlsplit(url).port or 80))

    def send(
        self, method: str, target: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> Reply:
        """The reply to one request on a connection of its own."""
        connection = http.client.HTTPConnection(*self.place, timeout=30)
        try:
            connection.request(method, target, body, dict(headers or {}))
            got = connection.getresponse()
            return Reply(got.status, {name.lower(): value for name, value in got.getheaders()}, got.read())
        finally:
            connection.close()

    def get(self, target: str, **headers: str) -> Reply:
        """The reply to a GET; `If_Range` stands for If-Range."""
        return self.send("GET", target, None, {name.replace("_", "-"): value for name, value in headers.items()})

    def post(self, target: str, body: object, **headers: str) -> Reply:
        """The reply to a POST of BODY, bytes as they are, all else as JSON."""
        sent = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self.send("POST", target, sent, {**JSON, **{n.replace("_", "-"): v for n, v in headers.items()}})

    def raw(self, data: bytes) -> bytes:
        """All that comes back for DATA on a connection that then says nothing more."""
        with socket.create_connection(self.place, timeout=30) as connection:
            found = b""
            # A server that refuses before it has read all closes the door on the rest.
            with suppress(OSError):
                connection.sendall(data)
                connection.shutdown(socket.SHUT_WR)
            with suppress(ConnectionResetError):
                while chunk := connection.recv(65536):
                    found += chunk
            return found


class Served(NamedTuple):
    """A client, the repository behind it, and its commits."""

    client: Client
    place: Path
    commits: list[str]
    node: Node


def start(node: Node) -> tuple[Client, Callable[[], None]]:
    """A client of NODE, served from now on, and what ends that: called once to ask for it, once more to wait."""
    server = Server(node, port=0)
    thread = threading.Thread(target=server.run, name="server")
    thread.start()

    def end() -> None:
        asked = server.stopping
        server.stop()
        if asked:
            thread.join(30)
            assert not thread.is_alive()

    return Client(server.url, server), end


@contextmanager
def serving(node: Node) -> Iterator[Client]:
    """A client of NODE over HTTP, while it is served."""
    client, end = start(node)
    try:
        yield client
    finally:
        end()
        end()
