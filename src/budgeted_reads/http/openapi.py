"""The OpenAPI 3.1 description, made from the table of routes, the types of `contract` and the tree of errors."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from budgeted_reads import __version__, contract, contract_changes, contract_search
from budgeted_reads.http.raw import ROUTE as RAW
from budgeted_reads.http.routes import COMMON, ROUTES, Route

_REF = "#/components/schemas/{name}"
_PROBLEM = {"$ref": _REF.format(name="Problem")}

EXAMPLES: dict[Any, dict[str, object]] = {
    contract.ReadRequest: {
        "path": "/agents/cleo/memory/notes/customer-acme.md",
        "view": "outline",
        "budget_tokens": 400,
    },
    contract_search.SearchRequest: {"query": "renewal", "globs": ["*.md"], "budget_tokens": 400},
    contract_changes.DiffRequest: {"from": "v1.0", "to": "v1.1", "path": "docs", "budget_tokens": 400},
    contract.DereferenceRequest: {
        "pointer": "nas://home-box/agents/cleo/memory/notes/customer-acme.md"
        "@9f2c1de05a5b1f2f5d4ac1b2f0fbb3d6b6f0a1c2#L12-L18"
    },
    contract.VerifyRequest: {
        "pointers": [
            {
                "pointer": "notes/acme.md@9f2c1de05a5b1f2f5d4ac1b2f0fbb3d6b6f0a1c2#L12-L18",
                "quote": "the contract ends in May",
            }
        ]
    },
    contract.Problem: {
        "type": "urn:budgeted-reads:budget_too_small",
        "title": "budget too small",
        "status": 422,
        "detail": "3 tokens are too few: the smallest view costs 11",
        "code": "budget_too_small",
        "hint": "ask with budget_tokens 11 or more",
        "minimum_tokens": 11,
    },
}
"""An example of each body that is sent, and of a problem."""


def document() -> dict[str, Any]:
    """The whole description."""
    types = [
        *dict.fromkeys(type_ for route in ROUTES for type_ in (route.wants, *route.gives) if type_),
        contract.Problem,
    ]
    shapes, components = msgspec.json.schema_components(types, ref_template=_REF)
    schemas = dict(zip(types, shapes, strict=True))
    for type_, example in EXAMPLES.items():
        components[type_.__name__]["examples"] = [example]
    paths: dict[str, dict[str, Any]] = {}
    for route in ROUTES:
        methods = paths.setdefault(route.path.replace(":path}", "}"), {})
        methods[route.method.lower()] = _operation(route, schemas, {})
        if route.method == "GET":
            methods["head"] = _operation(route, schemas, {"operationId": f"{_name(route)}_head"})
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Budgeted Reads",
            "version": __version__,
            "summary": "Reads within a budget of tokens, with pointers that verify against a git commit.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "paths": paths,
        "components": {"schemas": components},
    }


def encoded() -> bytes:
    """The description as JSON."""
    return json.dumps(document(), separators=(",", ":")).encode()


def _operation(route: Route, schemas: Mapping[Any, dict[str, Any]], more: dict[str, Any]) -> dict[str, Any]:
    responses = _raw_answers() if route.path.startswith(RAW) else {"200": _answer([schemas[t] for t in route.gives])}
    operation: dict[str, Any] = {
        "operationId": _name(route),
        "summary": route.summary,
        **more,
        "responses": {**responses, **_errors(route)},
    }
    if route.wants is not None:
        operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": schemas[route.wants]}}}
    if route.path.startswith(RAW):
        operation["parameters"] = _RAW_PARAMETERS
    return operation


def _name(route: Route) -> str:
    return "_".join(part for part in route.path.replace(".", "_").split("/") if part and "{" not in part)


def _answer(schemas: Sequence[dict[str, Any]]) -> dict[str, Any]:
    schema = schemas[0] if len(schemas) == 1 else {"anyOf": list(schemas)}
    return {"description": "answered", "content": {"application/json": {"schema": schema}}}


def _errors(route: Route) -> dict[str, Any]:
    statuses = contract.codes()
    found: dict[int, set[str]] = {}
    for code in (*COMMON, *route.errors):
        found.setdefault(statuses[code], set()).add(code)
    if route.wants is not None:
        found.setdefault(413, set()).add("too_large")
        found.setdefault(415, set()).add("invalid_request")
    if route.path.startswith(RAW):
        found.setdefault(416, set()).add("range_out_of_bounds")
    return {str(status): _problem(status, sorted(codes)) for status, codes in sorted(found.items())}


def _problem(status: int, codes: list[str]) -> dict[str, Any]:
    narrowed = {"properties": {"code": {"enum": codes}, "status": {"const": status}}}
    return {
        "description": ", ".join(codes),
        "content": {"application/problem+json": {"schema": {"allOf": [_PROBLEM, narrowed]}}},
    }


_RAW_PARAMETERS: list[dict[str, Any]] = [
    {"name": "tree", "in": "path", "required": True, "schema": {"type": "string"}, "description": "the name of a tree"},
    {
        "name": "path",
        "in": "path",
        "required": True,
        "schema": {"type": "string"},
        "description": "the path within it, its slashes as they are; other bytes may be percent-encoded",
    },
    {
        "name": "commit",
        "in": "query",
        "schema": {"type": "string"},
        "description": "an id, HEAD, a branch or a tag; without it, the bytes as they are now",
    },
    {
        "name": "lines",
        "in": "query",
        "schema": {"type": "string"},
        "description": "12-18, 12- (to the end), -20 (the last 20) or 12; each with the LF that ends it",
        "examples": {"range": {"value": "12-18"}},
    },
    {
        "name": "Range",
        "in": "header",
        "schema": {"type": "string"},
        "description": "bytes=0-99, bytes=-100, or several; with GET only",
    },
    {"name": "If-Range", "in": "header", "schema": {"type": "string"}, "description": "an ETag"},
    {"name": "If-None-Match", "in": "header", "schema": {"type": "string"}, "description": "ETags, or *"},
]


def _raw_answers() -> dict[str, Any]:
    data: dict[str, Any] = {"text/plain": {}, "application/octet-stream": {}}
    tag = {"ETag": {"schema": {"type": "string"}, "description": "strong: the blob id, and the lines asked for"}}
    return {
        "200": {"description": "all of the bytes, or of the lines", "headers": tag, "content": data},
        "206": {
            "description": "the bytes of a Range",
            "headers": tag,
            "content": {**data, "multipart/byteranges": {}},
        },
        "304": {"description": "not modified", "headers": tag},
    }
