"""The application: the table of routes behind the rules of access, as ASGI."""

from collections.abc import Collection
from functools import cache

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route as Place
from starlette.types import Receive, Scope, Send

from budgeted_reads.errors import ForbiddenPath, NotFound
from budgeted_reads.http import problems
from budgeted_reads.http.access import check_caller
from budgeted_reads.http.openapi import encoded
from budgeted_reads.http.readers import Readers
from budgeted_reads.http.routes import ROUTES, Site, endpoint
from budgeted_reads.node import Node


class App:
    """The routes over NODE. NAMES are host names, in lower case, under which it may be called beside loopback ones."""

    def __init__(self, node: Node, names: Collection[str] = ()) -> None:
        self.readers = Readers()
        site = Site(node, self.readers, cache(encoded))
        self._names = frozenset(names)
        self._inner = Starlette(
            routes=[Place(route.path, endpoint(route, site), methods=[route.method]) for route in ROUTES],
            exception_handlers={HTTPException: _unrouted},
        )
        self._inner.router.redirect_slashes = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request of an HTTP connection."""
        try:
            check_caller(scope["headers"], self._names)
        except ForbiddenPath as error:
            await problems.refused(error)(scope, receive, send)
        else:
            await self._inner(scope, receive, send)

    def close(self) -> None:
        """Wait for the reads at work; those that wait are dropped."""
        self.readers.close()


async def _unrouted(request: Request, error: Exception) -> Response:
    path = request.url.path[:100]
    if isinstance(error, HTTPException) and error.status_code == 405:
        allowed = (error.headers or {}).get("Allow", "")
        wrong = problems.WrongMethod(f"{path} does not take {request.method[:20]}", f"send {allowed}")
        return problems.refused(wrong, error.headers)
    routes = ", ".join(f"{route.method} {route.path.replace(':path}', '}')}" for route in ROUTES)
    return problems.refused(NotFound(f"no route {path}", f"the routes are {routes}"))
