"""Requests of cases through the doors that are servers: HTTP over a real connection, MCP over a real process."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import anyio

from budgeted_reads.mcp.server import build
from budgeted_reads.node import Node
from budgeted_reads.trees.catalog import Catalog, open_tree
from budgeted_reads.trees.snapshots import Keeping
from casekit.ask import NODE, Answer
from casekit.cases import Json
from mcp import Client
from serving import serving

_RUN = (
    "import argparse, sys; from budgeted_reads.cli import {0}; sys.exit({0}.run({{}}, argparse.Namespace(config=None)))"
)
MCP = [sys.executable, "-P", "-c", _RUN.format("mcp")]
"""The command that serves the current folder over MCP."""

ROUTES = {"read": "/v1/files/read", "dereference": "/v1/pointers/dereference"}


def http(repository: Path, tree: str, method: str, fields: Json) -> Answer:
    """The answer of a server of REPOSITORY as TREE to a request of METHOD, `read` or `dereference`."""
    with (
        Node(Catalog([open_tree(tree, str(repository), Keeping())]), name=NODE, local=False) as node,
        serving(node) as client,
    ):
        reply = client.post(ROUTES[method], fields)
    if reply.status == 200:
        return Answer(body=reply.json)
    assert reply.status == reply.json["status"]
    return Answer(problem=reply.json)


def mcp(repository: Path, tree: str, fields: Json) -> Answer:
    """The result of the tool nas_read: its text as content, or, marked as an error, as a problem."""

    async def call(node: Node) -> Any:
        async with Client(build(node)) as client:
            return await client.call_tool("nas_read", fields)

    with Node.open(str(repository), tree=tree, name=NODE) as node:
        result = anyio.run(call, node)
    text = result.content[0].text
    if result.is_error:
        return Answer(problem={"code": text.partition(":")[0], "detail": text})
    return Answer(body={"content": text})


def mcp_session(repository: Path, home: Path, messages: Sequence[Any]) -> Answer:
    """A session of MESSAGES with the command, by a client that waits for each response, until it ends at EOF."""
    env = {**os.environ, "HOME": str(home), "XDG_CACHE_HOME": str(home / "cache")}
    with subprocess.Popen(
        MCP,
        cwd=repository,
        env=env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    ) as run:
        assert run.stdin is not None
        assert run.stdout is not None
        printed, number = "", 0
        for said in messages:
            line, answered = spelled(said, number)
            run.stdin.write(line + "\n")
            run.stdin.flush()
            if answered:
                printed += run.stdout.readline()
            number += not str(said).startswith("notifications/")
        rest, stderr = run.communicate(timeout=60)
    return Answer(exit_code=run.returncode, stdout=printed + rest, stderr=stderr)


def spelled(said: Any, number: int) -> tuple[str, bool]:
    """One message of a case as a line, and whether it is a request with the id NUMBER."""
    if isinstance(said, dict):
        fields = {name: value for name, value in said["tools/call"].items() if name != "op"}
        return message(number, "tools/call", {"name": f"nas_{said['tools/call']['op']}", "arguments": fields}), True
    if said.startswith("notifications/"):
        return json.dumps({"jsonrpc": "2.0", "method": said}), False
    if " " in said:
        return said, False
    return message(number, said, HELLO if said == "initialize" else None), True


HELLO: Json = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "case", "version": "1"}}


def message(number: int, method: str, params: Json | None = None) -> str:
    """A request as a line."""
    more = {} if params is None else {"params": params}
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, **more})
