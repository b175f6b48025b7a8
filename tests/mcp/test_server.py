"""The tools through the SDK's own client: in memory, over a process, in the current and the older protocol."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.client.stdio import stdio_client

from budgeted_reads import fields
from budgeted_reads.mcp import handlers
from budgeted_reads.mcp.server import build
from budgeted_reads.node import Node
from casekit import doors
from casekit.invariants import recount
from mcp import Client, MCPError, StdioServerParameters
from repos import Change, make_repo

NOTES = b"# Acme\n\n## Renewal\n\nThe contract ends in May.\n\n## Renewal\n\nTwice.\n\n" + b"word " * 200 + b"\n"
FILES: Change = {b"notes.md": NOTES, b"one.txt": b"one\ntwo\n"}
MODES = ["2026-07-28", "legacy"]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository."""
    made = tmp_path_factory.mktemp("mcp") / "tree"
    make_repo(made, [FILES])
    return made


@pytest.fixture(scope="module")
def node(place: Path) -> Iterator[Node]:
    """A node over it."""
    with Node.open(place) as opened:
        yield opened


def talk(node: Node, mode: str, *calls: dict[str, Any]) -> tuple[Any, list[Any]]:
    """The list of tools and the results of nas_read for CALLS, in one session in memory."""

    async def session() -> tuple[Any, list[Any]]:
        async with Client(build(node), mode=mode) as client:
            tools = await client.list_tools()
            return tools, [await client.call_tool("nas_read", call) for call in calls]

    return anyio.run(session)


@pytest.mark.parametrize("mode", MODES)
def test_a_call_gives_text_only_within_the_budget(node: Node, mode: str) -> None:
    """One text, the same that the command line prints; no structured content; its tokens are counted and within."""
    call = {"path": "notes.md", "budget_tokens": 60}
    _, (result,) = talk(node, mode, call)
    assert [content.type for content in result.content] == ["text"]
    assert result.structured_content is None
    assert not result.is_error
    text = result.content[0].text
    assert text == node.ask(call, text=True).text
    assert recount(text) <= 60


@pytest.mark.parametrize("mode", MODES)
def test_an_error_is_marked_and_says_what_to_do(node: Node, mode: str) -> None:
    """Errors are results with isError, begin with their code, and hold the hint and the candidates."""
    missing, twice, small, wrong = talk(
        node,
        mode,
        {"path": "nots.md"},
        {"path": "notes.md", "section": "Renewal"},
        {"path": "notes.md", "view": "full", "budget_tokens": 1},
        {"path": "notes.md", "budget_tokens": "400"},
    )[1]
    for result in (missing, twice, small, wrong):
        assert result.is_error
        assert result.structured_content is None
    assert missing.content[0].text == "not_found: no nots.md. did you mean notes.md?\n"
    assert [row.rpartition(" ")[2] for row in twice.content[0].text.splitlines()[1:]] == ["3-6", "7-11"]
    assert small.content[0].text.startswith("budget_too_small: ")
    assert wrong.content[0].text.startswith("invalid_request: budget_tokens cannot be '400'")


def test_a_pointer_as_path_shows_its_lines(node: Node) -> None:
    """What the header of one answer names can be given as the path of the next."""
    header = node.ask({"path": "one.txt"}, text=True).text.split()[1]
    result = talk(node, "legacy", {"path": f"{header}#L2"})[1][0]
    assert result.content[0].text.splitlines()[1] == "2 two"


def test_tools_are_read_only_and_few_tokens(node: Node) -> None:
    """The hints by which clients ask no permission; no output schema; all that a model reads stays small."""
    tools = talk(node, "legacy")[0].tools
    assert [tool.name for tool in tools] == ["nas_read", "nas_search", "nas_diff", "nas_verify"]
    for tool in tools:
        assert tool.annotations.read_only_hint
        assert tool.annotations.idempotent_hint
        assert tool.annotations.open_world_hint is False
        assert tool.output_schema is None
        shown = {"name": tool.name, "description": tool.description, "inputSchema": tool.input_schema}
        assert recount(json.dumps(shown, separators=(",", ":"))) <= 390


def test_the_schema_says_what_the_tables_say() -> None:
    """Every argument is a field of the contract, with its words and its help; what is left out is still taken."""
    shown: Any = handlers.schema(handlers.TOOLS[0])["properties"]
    table = {field.name: field for field in fields.READ}
    assert set(table) - set(shown) == handlers.NOT_IN_TEXT
    for name, told in shown.items():
        assert told.get("enum", []) == list(table[name].words)
        assert table[name].words or told["description"].startswith(table[name].help)


def test_what_a_schema_asks_for_is_taken(node: Node) -> None:
    """Whole numbers are numbers and globs a list: what a client sends that follows the schema is a request."""
    search: Any = handlers.schema(next(tool for tool in handlers.TOOLS if tool.name == "nas_search"))["properties"]
    assert (search["context"]["type"], search["globs"]["type"]) == ("integer", "array")
    result = handlers.call(node, "nas_search", {"query": "e", "context": 0, "globs": ["*", "!*.zip"], "limit": 1})
    assert not result.is_error


def test_the_instructions_are_short(node: Node) -> None:
    """At most 80 words, and they name the tool."""
    assert len(handlers.INSTRUCTIONS.split()) <= 80
    assert "nas_read" in handlers.INSTRUCTIONS


def test_an_unknown_tool_is_an_error_of_the_protocol(node: Node) -> None:
    """A tool that is not there is refused with the names of those that are."""

    async def session() -> None:
        async with Client(build(node)) as client:
            with pytest.raises(MCPError, match="the tools are nas_read"):
                await client.call_tool("nas_raed", {})

    anyio.run(session)


def test_a_fault_of_ours_has_an_id_and_keeps_its_trace(
    node: Node, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`internal` with an id for the agent; the trace stands in the log under that id."""

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("a secret detail")

    monkeypatch.setattr(node, "ask", broken)
    result = talk(node, "legacy", {"path": "notes.md"})[1][0]
    assert result.is_error
    assert result.content[0].text.startswith("internal: ")
    assert "secret" not in result.content[0].text
    assert "a secret detail" in capsys.readouterr().err


@pytest.mark.parametrize("mode", MODES)
def test_a_session_over_a_process(place: Path, tmp_path: Path, mode: str) -> None:
    """The SDK's client starts the command in the folder of the repository, and reads with it."""
    started = StdioServerParameters(
        command=sys.executable, args=doors.MCP[1:], cwd=place, env={**os.environ, "HOME": str(tmp_path)}
    )

    async def session() -> Any:
        async with Client(stdio_client(started), mode=mode) as client:
            return await client.call_tool("nas_read", {"path": "one.txt"})

    result = anyio.run(session)
    assert result.content[0].text.splitlines()[1:] == ["1 one", "2 two"]


def test_only_messages_of_the_protocol_go_to_stdout(place: Path, tmp_path: Path) -> None:
    """A line that is no JSON harms nothing, every request is answered though the input ends at once, and it exits 0."""
    initialize = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    call = {"name": "nas_read", "arguments": {"path": "notes.md", "budget_tokens": 100}}
    lines = [
        doors.message(0, "initialize", initialize),
        '{"jsonrpc":"2.0","method":"notifications/initialized"}',
        doors.message(1, "tools/list"),
        *(doors.message(number, "tools/call", call) for number in range(2, 8)),
        "garbage line that is no JSON",
        '{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"nas_read","arguments":[1]}}',
        "[]",
        doors.message(9, "ping"),
    ]
    run = subprocess.run(
        doors.MCP,
        input="\n".join(lines) + "\n",
        cwd=place,
        env={**os.environ, "HOME": str(tmp_path)},
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=60,
    )
    assert (run.returncode, run.stderr) == (0, "")
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    assert all(answer["jsonrpc"] == "2.0" for answer in answers)
    assert {answer.get("id") for answer in answers} >= set(range(10))


def test_no_other_command_imports_the_sdk(place: Path, tmp_path: Path) -> None:
    """Neither a read nor the server over HTTP pays for `mcp` or what comes with it."""
    heavy = {"mcp", "mcp_types", "pydantic", "cryptography"}
    for code in (
        "from budgeted_reads.cli.main import main; main(['read', 'one.txt'])",
        "import budgeted_reads.http.server, budgeted_reads.cli.serve, budgeted_reads.cli.mcp",
    ):
        shown = f"import sys; {code}; print('loaded', *sys.modules)"
        run = subprocess.run(
            [sys.executable, "-P", "-c", shown],
            cwd=place,
            env={**os.environ, "HOME": str(tmp_path)},
            check=True,
            capture_output=True,
            encoding="utf-8",
        )
        assert not heavy & set(run.stdout.splitlines()[-1].split())
