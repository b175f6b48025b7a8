"""The process that listens: where it may, one to a port, and how it ends."""

import os
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from budgeted_reads.errors import InvalidRequest
from budgeted_reads.http.server import Server
from budgeted_reads.node import Node
from repos import make_repo

RUN = """
import argparse, sys
from budgeted_reads.cli import serve
from budgeted_reads.errors import ReadError
try:
    sys.exit(serve.run({"port": int(sys.argv[1])}, argparse.Namespace(config=None)))
except ReadError as error:
    print(error.line(), file=sys.stderr)
    sys.exit(error.exit_code)
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A repository."""
    made = tmp_path / "tree"
    make_repo(made, [{b"a.md": b"# A\n"}])
    return made


def start(place: Path, port: int) -> subprocess.Popen[str]:
    """A server process in PLACE."""
    env = {**os.environ, "HOME": str(place.parent)}
    return subprocess.Popen(
        [sys.executable, "-P", "-c", RUN, str(port)], cwd=place, env=env, stderr=subprocess.PIPE, encoding="utf-8"
    )


def children(pid: int) -> list[str]:
    """The processes that PID has started."""
    listed = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, encoding="utf-8", check=False
    )
    return listed.stdout.split()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_cleanly(place: Path, number: signal.Signals) -> None:
    """SIGTERM and SIGINT: exit code 0, no trace, and no child of git stays behind."""
    with start(place, 0) as server:
        assert server.stderr is not None
        said = server.stderr.readline()
        assert said.startswith("serving /tree on http://127.0.0.1:")
        url = said.split()[3]
        with urllib.request.urlopen(f"{url}/v1/files/raw/tree/a.md") as got:
            assert got.read() == b"# A\n"
        left = children(server.pid)
        server.send_signal(number)
        rest = server.stderr.read()
    assert (server.returncode, rest) == (0, "")
    for child in left:
        with pytest.raises(ProcessLookupError):
            os.kill(int(child), 0)


def test_two_servers_on_one_port(place: Path) -> None:
    """The second says so and ends with exit code 2; the first goes on."""
    with Node.open(place) as node:
        first = Server(node, port=0)
        port = int(first.url.rpartition(":")[2])
        with start(place, port) as second:
            assert second.stderr is not None
            said = second.stderr.read()
        assert second.returncode == 2
        assert said == (
            f"invalid_request: cannot listen on 127.0.0.1 port {port}: Address already in use. "
            "stop the other server, or name another port\n"
        )
        first.stop()
        first.run()


@pytest.mark.parametrize("port", [-1, 65536, "6270", True, 1.5])
def test_a_port_is_a_number_of_a_port(place: Path, port: int) -> None:
    """Anything else is `invalid_request`, not a trace."""
    with Node.open(place) as node, pytest.raises(InvalidRequest, match="port cannot be"):
        Server(node, port=port)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.0.0.2", "LocalHost"])
def test_loopback_addresses_are_served_without_delay(place: Path, host: str) -> None:
    """Loopback addresses and localhost are bound, and small packets of an answer are sent at once (no Nagle)."""
    with Node.open(place) as node:
        server = Server(node, host, port=0)
        assert server.listening.proto == socket.IPPROTO_TCP
        assert server.url.startswith("http://127.0.0.")
        server.stop()
        server.run()
