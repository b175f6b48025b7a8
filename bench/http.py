"""What a read costs over HTTP: a warm outline beside a route that only answers a constant, and the same in process.

    python bench/http.py [FILE] [--requests N] [--connections C]

Loopback only, a server in a process of its own. The last lines are ratios: they mean the same on every machine.
"""

# ruff: noqa: E402
import sys

# This folder holds a file named like a module of the standard library, which must not be found in its place.
sys.path[:1] = []

import argparse
import json
import os
import shutil
import subprocess
import tempfile
import threading
import time
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

TOP = Path(__file__).resolve().parent.parent
SERVE = "import argparse; from budgeted_reads.cli import serve; serve.run({'port': 0}, argparse.Namespace(config=None))"
LONGEST = 30.0


def cpu(pid: int) -> float:
    """Seconds of CPU that the process has had, where the machine tells it."""
    try:
        words = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return float("nan")
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def ask(connection: HTTPConnection, body: str | None) -> None:
    """One request on an open connection."""
    if body is None:
        connection.request("GET", "/healthz")
    else:
        connection.request("POST", "/v1/files/read", body, {"Content-Type": "application/json"})
    got = connection.getresponse()
    got.read()
    assert got.status == 200, got.status


def measure(place: tuple[str, int], pid: int, body: str | None, requests: int, connections: int) -> dict[str, float]:
    """Requests a second, CPU of the server for each, and latencies in ms, over CONNECTIONS at once."""
    taken: list[float] = []
    deadline = time.perf_counter() + LONGEST

    def caller() -> None:
        connection = HTTPConnection(*place, timeout=30)
        for _ in range(requests // connections):
            begin = time.perf_counter()
            if begin > deadline:
                break
            ask(connection, body)
            taken.append(time.perf_counter() - begin)
        connection.close()

    callers = [threading.Thread(target=caller) for _ in range(connections)]
    before, begin = cpu(pid), time.perf_counter()
    for one in callers:
        one.start()
    for one in callers:
        one.join()
    seconds, used = time.perf_counter() - begin, cpu(pid) - before
    taken.sort()
    return {
        "rps": len(taken) / seconds,
        "cpu": 1000 * used / len(taken),
        "p50": 1000 * taken[len(taken) // 2],
        "p99": 1000 * taken[int(len(taken) * 0.99)],
    }


def in_process(folder: Path, fields: dict[str, object], times: int) -> float:
    """CPU in ms of the same read through the library, warm."""
    from budgeted_reads.node import Node

    with Node.open(folder) as node:
        json.dumps(node.ask(fields).to_dict())
        begin = time.process_time()
        for _ in range(times):
            json.dumps(node.ask(fields).to_dict())
        return 1000 * (time.process_time() - begin) / times


def main() -> None:
    """Measure and print."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("file", nargs="?", default=str(TOP / "src/budgeted_reads/node.py"))
    words.add_argument("--requests", type=int, default=320)
    words.add_argument("--connections", type=int, default=16)
    said = words.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "tree"
        folder.mkdir()
        source = Path(said.file)
        shutil.copy(source, folder / source.name)
        for command in (
            ["init", "-q"],
            ["add", "-A"],
            ["-c", "user.name=b", "-c", "user.email=b@b", "commit", "-qm", "b"],
        ):
            subprocess.run(["git", "-C", str(folder), *command], check=True)
        fields: dict[str, object] = {"path": f"/tree/{source.name}", "view": "outline", "budget_tokens": 400}
        alone = in_process(folder, fields, 20)
        with subprocess.Popen([sys.executable, "-P", "-c", SERVE], cwd=folder, stderr=subprocess.PIPE) as server:
            assert server.stderr is not None
            url = urlsplit(next(w for w in server.stderr.readline().decode().split() if w.startswith("http")))
            try:
                place = (str(url.hostname), int(url.port or 0))
                body = json.dumps(fields)
                for warm in (None, body):
                    measure(place, server.pid, warm, said.connections * 2, said.connections)
                constant = measure(place, server.pid, None, said.requests * 4, said.connections)
                outline = measure(place, server.pid, body, said.requests, said.connections)
            finally:
                server.terminate()
        report(source, said.connections, constant, outline, alone)


def report(source: Path, connections: int, constant: dict[str, float], outline: dict[str, float], alone: float) -> None:
    """Print figures, then ratios."""
    print(f"{source.name}, outline in 400 tokens, {connections} connections, one process\n")
    print("                 requests/s   requests/s of a core   CPU ms   p50 ms   p99 ms")
    for name, row in (("constant route", constant), ("warm outline", outline)):
        core = 1000 / row["cpu"]
        print(f"{name:<16} {row['rps']:>10.0f} {core:>22.0f} {row['cpu']:>8.2f} {row['p50']:>8.1f} {row['p99']:>8.1f}")
    print(f"\nthe same read in process: {alone:.2f} ms of CPU")
    print(f"what HTTP adds, in constant routes: {(outline['cpu'] - alone) / constant['cpu']:.1f}")
    print(f"an outline costs {outline['cpu'] / constant['cpu']:.1f} constant routes")


if __name__ == "__main__":
    main()
