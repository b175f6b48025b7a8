"""Every route as one line of a table, and what stands behind it. OpenAPI and the list of routes are made from it."""

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from budgeted_reads import contract, contract_changes, contract_search, pointer, shapes
from budgeted_reads.errors import InvalidRequest, ReadError
from budgeted_reads.faults import fault
from budgeted_reads.http import bodies, problems, raw
from budgeted_reads.http.readers import READERS, WAITING, Readers
from budgeted_reads.node import Node

Work = Callable[[Node, dict[str, object]], Mapping[str, object]]
"""What a body asks of a node: the body of the answer."""


class Site(NamedTuple):
    """What the routes work on."""

    node: Node
    readers: Readers
    openapi: Callable[[], bytes]


class Route(NamedTuple):
    """One route. `wants` is the type of its body, None where it has none; `gives` are those of its answers, none where
    it gives bytes. `errors` are the codes that it may answer with beside COMMON."""

    method: str
    path: str
    run: Callable[[Site, Request], Awaitable[Response]]
    summary: str
    wants: Any = None
    gives: tuple[Any, ...] = ()
    errors: tuple[str, ...] = ()


def endpoint(route: Route, site: Site) -> Callable[[Request], Awaitable[Response]]:
    """ROUTE for the router: its errors, and faults of ours, become problems."""

    async def run(request: Request) -> Response:
        try:
            return await route.run(site, request)
        except ReadError as error:
            return problems.refused(error, _range_of(error))
        except ClientDisconnect:
            return Response(status_code=400)  # to nobody
        except Exception as error:  # the one place where a fault becomes an answer instead of a trace
            return problems.refused(fault(error))

    return run


def _range_of(error: ReadError) -> dict[str, str]:
    return {"Content-Range": f"bytes */{error.members['bytes']}"} if isinstance(error, problems.Unsatisfiable) else {}


def _posted(work: Work) -> Callable[[Site, Request], Awaitable[Response]]:
    async def run(site: Site, request: Request) -> Response:
        body = await bodies.receive(request)
        return problems.answered(await site.readers.run(lambda: problems.encode(work(site.node, bodies.parse(body)))))

    return run


def _got(work: Callable[[Node], Mapping[str, object]]) -> Callable[[Site, Request], Awaitable[Response]]:
    async def run(site: Site, request: Request) -> Response:
        return problems.answered(await site.readers.run(lambda: problems.encode(work(site.node))))

    return run


def _read(node: Node, body: dict[str, object]) -> Mapping[str, object]:
    return node.ask(body).to_dict()


def _search(node: Node, body: dict[str, object]) -> Mapping[str, object]:
    return node.find(body).to_dict()


def _diff(node: Node, body: dict[str, object]) -> Mapping[str, object]:
    return node.changes(body).to_dict()


def _dereference(node: Node, body: dict[str, object]) -> Mapping[str, object]:
    asked: Any = contract.parse(contract.DereferenceRequest, body)
    if asked.budget_tokens is None:
        if asked.tokenizer is not None:
            raise InvalidRequest("tokenizer is given without budget_tokens", "add budget_tokens, or leave it out")
        return node.dereference(asked.pointer, sha256=asked.sha256).to_dict()
    if asked.sha256 is not None:
        raise InvalidRequest("sha256 is of the exact bytes, not of a view", "leave budget_tokens or sha256 out")
    pointer.parse(asked.pointer)
    read = {"path": asked.pointer, "budget_tokens": asked.budget_tokens, "tokenizer": asked.tokenizer}
    return node.ask(read).to_dict()


def _verify(node: Node, body: dict[str, object]) -> Mapping[str, object]:
    asked: Any = contract.parse(contract.VerifyRequest, body)
    return node.verify(body.get("pointers"), text=asked.text, include=asked.include).to_dict()  # type: ignore[arg-type]


def _capabilities(node: Node) -> Mapping[str, object]:
    told = node.capabilities()
    own = {"body_bytes": bodies.MAX_BODY_BYTES, "reads_at_once": READERS, "reads_waiting": WAITING}
    return {**told, "limits": {**told["limits"], **own}}  # type: ignore[dict-item]


def _trees(node: Node) -> Mapping[str, object]:
    return {"node": node.name, "trees": node.trees()}


async def _raw(site: Site, request: Request) -> Response:
    where, given = raw.place(request.scope["raw_path"]), raw.query(request)
    return raw.respond(await site.readers.run(partial(raw.find, site.node, where, given)), request)


async def _health(site: Site, request: Request) -> Response:
    return problems.answered(b'{"status":"ok"}')


async def _openapi(site: Site, request: Request) -> Response:
    return problems.answered(site.openapi())


COMMON = ("forbidden_path", "internal", "rate_limited")
"""Codes that any route may answer with."""

FINDING = (
    "invalid_request",
    "not_found",
    "not_a_file",
    "range_out_of_bounds",
    "commit_unknown",
    "ambiguous_commit",
    "tree_unknown",
    "file_changing",
    "too_large",
    "timeout",
)
READING = (
    *FINDING,
    "budget_too_small",
    "unknown_tokenizer",
    "binary_file",
    "section_not_found",
    "ambiguous_section",
)

ROUTES = (
    Route("POST", "/v1/files/read", _posted(_read), "the best view of a file that fits in a budget of tokens",
          contract.ReadRequest, (contract.Answer,), READING),
    Route("POST", "/v1/files/search", _posted(_search), "the lines that match, as snippets with pointers",
          contract_search.SearchRequest, (contract_search.Searched,), (*READING, "invalid_pattern")),
    Route("POST", "/v1/files/diff", _posted(_diff), "what changed between two commits, or since one",
          contract_changes.DiffRequest, (contract_changes.Changes,), READING),
    Route("POST", "/v1/pointers/dereference", _posted(_dereference), "the exact bytes that a pointer names",
          contract.DereferenceRequest, (shapes.Dereferenced, contract.Answer), READING),
    Route("POST", "/v1/pointers/verify", _posted(_verify), "whether pointers hold, and what has become of their lines",
          contract.VerifyRequest, (contract.Verification,), ("invalid_request", "too_large", "timeout")),
    Route("GET", raw.ROUTE + "{tree}/{path:path}", _raw, "the bytes of a file, whole, by lines, or by bytes (Range)",
          errors=FINDING),
    Route("GET", "/v1/capabilities", _got(_capabilities), "what this node can do", gives=(shapes.Capabilities,),
          errors=("timeout",)),
    Route("GET", "/v1/trees", _got(_trees), "the trees that are served", gives=(shapes.Trees,), errors=("timeout",)),
    Route("GET", "/healthz", _health, "whether the server answers", gives=(shapes.Health,)),
    Route("GET", "/openapi.json", _openapi, "this description", gives=(dict[str, Any],)),
)  # fmt: skip
"""Every route, in the order of the contract."""
