"""A listening server: one loopback address, one process, and a clean stop."""

import signal
import socket
import sys
import threading
from collections.abc import Collection

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from budgeted_reads.errors import InvalidRequest
from budgeted_reads.http.access import check_address
from budgeted_reads.http.app import App
from budgeted_reads.http.problems import BadMessage, encode
from budgeted_reads.node import Node

HOST, PORT = "127.0.0.1", 6270
"""Where a server listens unless it is told otherwise."""

STOP_SECONDS = 5
"""A stopping server waits so long for answers that are on their way."""

IDLE_SECONDS = 5
"""A connection that asks nothing is closed after so long."""

_BACKLOG = 128


class Server:
    """Serves NODE on HOST, a loopback name, and PORT (0: any free one). It listens from the start; `run` answers."""

    def __init__(self, node: Node, host: str = HOST, port: int = PORT, names: Collection[str] = ()) -> None:
        """Raises `invalid_request` for other addresses, and where another program listens there already."""
        self.listening = _listen(check_address(host), port)
        address, port = self.listening.getsockname()[:2]
        self.url = f"http://[{address}]:{port}" if ":" in address else f"http://{address}:{port}"
        self.app = App(node, names)
        self._inner = uvicorn.Server(
            uvicorn.Config(
                self.app,
                http=_Protocol,
                loop="asyncio",
                ws="none",
                lifespan="off",
                log_config=None,
                access_log=False,
                proxy_headers=False,
                server_header=False,
                timeout_keep_alive=IDLE_SECONDS,
                timeout_graceful_shutdown=STOP_SECONDS,
            )
        )

    def run(self) -> None:
        """Answer until `stop` is called or, in the main thread, SIGINT or SIGTERM comes."""
        try:
            self._inner.run(sockets=[self.listening])
        finally:
            self.listening.close()
            self.app.close()

    @property
    def stopping(self) -> bool:
        """Whether it was asked to stop."""
        return self._inner.should_exit

    def stop(self) -> None:
        """Take no more connections, finish the answers on their way, and end `run`."""
        self._inner.should_exit = True


def serve(node: Node, host: str = HOST, port: int = PORT) -> None:
    """Serve NODE until SIGINT or SIGTERM; its address goes to standard error."""
    server = Server(node, host, port)
    if threading.current_thread() is threading.main_thread():
        # uvicorn sends itself the signal that stopped it once more, to those who handled it before: here, nobody dies.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: server.stop())
    trees = ", ".join(f"/{name}" for name in node.catalog.trees)
    print(f"serving {trees} on {server.url} (stop with Ctrl-C)", file=sys.stderr, flush=True)
    server.run()


def _listen(address: str, port: int) -> socket.socket:
    if isinstance(port, bool) or not isinstance(port, int) or not 0 <= port <= 65535:
        raise InvalidRequest(f"port cannot be {str(port)[:60]}", "port takes a number from 0 to 65535")
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    # Only where the protocol is named does asyncio send small packets at once: else answers wait 40 ms for an ACK.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((address, port))
        listening.listen(_BACKLOG)
    except OSError as error:
        listening.close()
        why = error.strerror or "it cannot be bound"
        raise InvalidRequest(
            f"cannot listen on {address} port {port}: {why}", "stop the other server, or name another port"
        ) from error
    return listening


class _Protocol(H11Protocol):
    """The protocol of uvicorn, whose own refusals are problems too."""

    def send_400_response(self, msg: str) -> None:
        """Answer what is not HTTP, and close."""
        body = encode(BadMessage("the message is not HTTP/1.1", "send a request line and headers").problem())
        headers = [
            (b"content-type", b"application/problem+json"),
            (b"content-length", str(len(body)).encode()),
            (b"connection", b"close"),
        ]
        for event in (
            h11.Response(status_code=400, headers=headers, reason=b"Bad Request"),
            h11.Data(data=body),
            h11.EndOfMessage(),
        ):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()
