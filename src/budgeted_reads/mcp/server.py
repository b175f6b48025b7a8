"""The tools over the SDK: its low-level server on standard input and output, for the current and the older handshake.

While it serves, standard output carries the protocol alone: what else is printed goes to standard error.
"""

from typing import TYPE_CHECKING

import anyio
import mcp_types as types
from anyio.to_thread import run_sync
from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp.shared.message import SessionMessage

from budgeted_reads import __version__
from budgeted_reads.mcp import handlers
from budgeted_reads.node import Node

if TYPE_CHECKING:
    from mcp.shared._stream_protocols import ReadStream, WriteStream

READERS = 4
"""Calls at work at once; others wait their turn."""

LAST_SECONDS = 60
"""Where the input ends, calls that are on their way have so long to be answered."""

_HOUR_MS = 3_600_000
_LARGEST_TEXT = 500_000


def build(node: Node) -> Server[dict[str, object]]:
    """The server over NODE, for any transport."""
    readers = anyio.CapacityLimiter(READERS)

    async def list_tools(
        context: ServerRequestContext[dict[str, object]], params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_tool(tool) for tool in handlers.TOOLS])

    async def call_tool(
        context: ServerRequestContext[dict[str, object]], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        arguments = params.arguments or {}
        try:
            result = await run_sync(handlers.call, node, params.name, arguments, limiter=readers)
        except LookupError:
            names = ", ".join(tool.name for tool in handlers.TOOLS)
            raise MCPError(types.INVALID_PARAMS, f"no tool {params.name[:60]!r}: the tools are {names}") from None
        return types.CallToolResult(content=[types.TextContent(text=result.text)], is_error=result.is_error)

    return Server(
        "budgeted-reads",
        version=__version__,
        instructions=handlers.INSTRUCTIONS,
        cache_hints={"tools/list": CacheHint(ttl_ms=_HOUR_MS, scope="public")},
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def serve(node: Node) -> None:
    """Serve NODE on standard input and output until the input ends."""
    anyio.run(_serve, build(node))


async def _serve(server: Server[dict[str, object]]) -> None:
    async with stdio_server() as (reader, writer), anyio.create_task_group() as tasks:
        ours_in, server_in = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        server_out, ours_out = anyio.create_memory_object_stream[SessionMessage](0)
        unanswered = Unanswered()
        tasks.start_soon(_bring, reader, ours_in, unanswered)
        tasks.start_soon(_return, ours_out, writer, unanswered)
        await server.run(server_in, server_out, server.create_initialization_options())


class Unanswered:
    """The requests that have no response yet."""

    def __init__(self) -> None:
        self._ids: set[types.RequestId] = set()
        self._none = anyio.Event()

    def asked(self, message: types.JSONRPCMessage) -> None:
        """Note a request; a cancelled one gets no response."""
        if isinstance(message, types.JSONRPCRequest):
            self._ids.add(message.id)
        elif isinstance(message, types.JSONRPCNotification) and message.method == "notifications/cancelled":
            self._forget((message.params or {}).get("requestId"))

    def answered(self, message: types.JSONRPCMessage) -> None:
        """Note a response."""
        if isinstance(message, (types.JSONRPCResponse, types.JSONRPCError)):
            self._forget(message.id)

    def _forget(self, id: object) -> None:
        if isinstance(id, (int, str)):
            self._ids.discard(id)
        if not self._ids:
            self._none.set()

    async def wait(self) -> None:
        """Return when every request has its response, LAST_SECONDS later at the latest."""
        with anyio.move_on_after(LAST_SECONDS):
            while self._ids:
                self._none = anyio.Event()
                await self._none.wait()


async def _bring(
    reader: "ReadStream[SessionMessage | Exception]",
    server: "WriteStream[SessionMessage | Exception]",
    unanswered: Unanswered,
) -> None:
    """Hand what comes in to the server; the end only when all is answered, since the server drops its calls there."""
    async with server:
        async for item in reader:
            if isinstance(item, SessionMessage):
                unanswered.asked(item.message)
            await server.send(item)
        await unanswered.wait()


async def _return(
    server: "ReadStream[SessionMessage]", writer: "WriteStream[SessionMessage]", unanswered: Unanswered
) -> None:
    async with server, writer:
        async for item in server:
            await writer.send(item)
            unanswered.answered(item.message)


def _tool(tool: handlers.Tool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=handlers.schema(tool),
        annotations=types.ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False),
        # One client spills longer results to a file unless it is told that they are meant; the budget bounds them.
        _meta={"anthropic/maxResultSizeChars": _LARGEST_TEXT},
    )
