"""What the product can do by now, in one place, and what each request that it cannot answer yet waits for.

A request needs capabilities: its operation, its fields, its door, the format of its file where an outline is asked
for, and what ALSO_NEEDS says of it. Building one is one word more in BUILT, and fewer lines in `cases/waiting.txt`
(`python tests/casekit/waiting.py --write` writes that file anew).
"""

import sys
from collections.abc import Iterator
from pathlib import PurePosixPath

if __name__ == "__main__":
    sys.path.insert(0, str(PurePosixPath(__file__).parent.parent))

from casekit.cases import CASES, Request, all_requests

BUILT = frozenset({
    "op read",
    "op dereference",
    "op diff",
    "op search",
    "op verify",
    "door library",
    "door cli",
    "door mcp",
    "door http",
    "field path",
    "field view",
    "field budget_tokens",
    "field tokenizer",
    "field commit",
    "field lines",
    "field section",
    "field pointer",
    "format c",
    "format go",
    "format java",
    "format makefile",
    "format typescript",
    "format vue",
    "format csv",
    "format json",
    "format markdown",
    "format plain",
    "format python",
    "format yaml",
    "encoding utf-16",
    "legacy encodings",
    "line endings of a checkout",
    "links",
    "folders",
    "snapshots",
})  # fmt: skip
"""The capabilities there are."""

FORMATS = {
    ".c": "c",
    ".csv": "csv",
    ".go": "go",
    ".java": "java",
    ".js": "javascript",
    ".json": "json",
    ".jsonc": "json",
    ".md": "markdown",
    ".py": "python",
    ".ts": "typescript",
    ".vue": "vue",
    ".yaml": "yaml",
}
"""The format that a file of the cases has by its name; any other is plain."""

OUTLINED = frozenset({"auto", "outline"})
"""Views that are made of a file's entries: they wait for its format. Lines and the full text never do."""

ALSO_NEEDS = {
    "A22[1]": ("folders",),
    "A22[4]": ("folders",),
    "B45": ("format makefile",),
    "C07[1]": ("encoding utf-16",),
    "C07[2]": ("encoding utf-16",),
    "C10[1]": ("legacy encodings",),
    "C10[2]": ("legacy encodings",),
    "D01[1]": ("folders",),
    "D14[1]": ("line endings of a checkout",),
    "D18[1]": ("snapshots",),
    "G02[1]": ("links",),
    "G02[2]": ("links",),
    "G02[3]": ("links",),
    "G02[4]": ("links",),
    "G02[5]": ("links",),
}
"""Needs that no field of a request shows, by its name."""

OPS = {"verify_pointer": "verify", "mcp_stdio_session": "mcp"}
SAID_TO_THE_RUNNER = frozenset({"op", "then", "via", "env", "args", "pipe", "messages"})


def needs(request: Request) -> Iterator[str]:
    """Everything that answering REQUEST takes."""
    asked = request.asked
    if request.op == "cli":
        yield f"op {asked['args'][0]}"
        yield "door cli"
    elif request.op == "mcp_stdio_session":
        yield "door mcp"
    else:
        yield f"op {OPS.get(request.op, 'read' if request.op == 'list' else request.op)}"
        yield f"door {asked.get('via', 'library')}"
    if request.op in ("read", "dereference"):
        yield from (f"field {name}" for name in asked if name not in SAID_TO_THE_RUNNER)
    if asked.get("view") in OUTLINED and isinstance(asked.get("path"), str):
        yield f"format {FORMATS.get(PurePosixPath(asked['path']).suffix, 'plain')}"
    yield from ALSO_NEEDS.get(str(request), ())


def waits_for(request: Request) -> tuple[str, ...]:
    """The capabilities that REQUEST needs and that are not built; empty where it can be answered."""
    return tuple(dict.fromkeys(need for need in needs(request) if need not in BUILT))


def running() -> list[Request]:
    """The requests that are asked."""
    return [request for request in all_requests() if not waits_for(request)]


def waiting_list() -> str:
    """The requests that are not asked, one a line, each with what it waits for."""
    rows = ((str(request), ", ".join(waits_for(request))) for request in all_requests())
    return "".join(f"{name:<8}{missing}\n" for name, missing in rows if missing)


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        (CASES / "waiting.txt").write_text(waiting_list(), encoding="utf-8")
    else:
        sys.stdout.write(waiting_list())
