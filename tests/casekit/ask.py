"""A request of a case, asked of the product: over the library, or over the command where the case says so."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from casekit.build import git
from casekit.cases import Json, Request

NODE = "local"
NAS = str(Path(sys.executable).parent / "nas")

NOT_FIELDS = ("op", "then", "via", "env")
"""What a case says to the runner, not to the product."""


class Answer(NamedTuple):
    """What came back: a body, or a problem. The rest is there where a process was run."""

    body: Json | None = None
    problem: Json | None = None
    seconds: float = 0.0
    exit_code: int = 0
    stdout: str = ""
    stderr: str = ""

    @property
    def shown(self) -> str:
        """All the text that a caller gets to see: the content, or the problem whole."""
        if self.body is not None:
            return str(self.body.get("content", ""))
        return json.dumps(self.problem, ensure_ascii=False) + self.stdout + self.stderr


class Asker:
    """Asks for one case: knows its repository and its tree, and can ask again in other words."""

    def __init__(self, request: Request, repository: Path, home: Path) -> None:
        self.request = request
        self.repository = repository
        self.home = home

    def ask(self) -> Answer:
        """The answer to the request as it stands."""
        asked = self.request.asked
        if self.request.op == "cli":
            return self.command(asked["args"], closed_pipe="pipe" in asked)
        if asked.get("via") == "cli":
            return self.command(["read", asked["path"], "--view", asked["view"]])
        if self.request.op == "mcp_stdio_session":
            from casekit import doors

            return doors.mcp_session(self.repository, self.home, asked["messages"])
        if asked.get("via") in ("http", "mcp"):
            return self.through(asked["via"])
        if asked.get("env"):
            return self.command(read_words(self.fields()), offline=True, as_json=True)
        return self.call(OPS[self.request.op], self.fields())

    def through(self, door: str) -> Answer:
        """The answer to the request through a server."""
        from casekit import doors

        if door == "http":
            return doors.http(self.repository, self.request.case, self.request.op, self.fields())
        return doors.mcp(self.repository, self.request.case, self.fields())

    def again(self, **changed: object) -> Answer:
        """The answer to the same request with some fields CHANGED; None takes one away."""
        fields = {**self.fields(), **changed}
        return self.call(OPS[self.request.op], {name: value for name, value in fields.items() if value is not None})

    def dereference(self, pointer: str, sha256: str | None = None) -> Answer:
        """What POINTER names, with its hash compared where one is given."""
        return self.call("dereference", {"pointer": pointer, "sha256": sha256})

    def fields(self) -> Json:
        """The fields of the request in the words of the contract, with the names of this tree filled in."""
        fields = {name: value for name, value in self.request.asked.items() if name not in NOT_FIELDS}
        if str(fields.get("budget_tokens")).startswith("sweep"):
            del fields["budget_tokens"]  # the invariants of the case go through the budgets themselves
        if isinstance(fields.get("pointer"), str):
            fields["pointer"] = self.fill(fields["pointer"])
        if isinstance(fields.get("path"), str):
            for word in ("TREE-secret", "tree-secret"):
                fields["path"] = fields["path"].replace(word, f"{self.request.case}-secret")
        return CONTRACT_WORDS.get(self.request.op, dict)(fields)

    def fill(self, pointer: str) -> str:
        """POINTER with NODE, TREE and HEAD-COMMIT replaced by what they stand for here."""
        pointer = pointer.replace("NODE", NODE).replace("TREE", self.request.case)
        if "HEAD-COMMIT" in pointer:
            pointer = pointer.replace("HEAD-COMMIT", git(self.repository, "rev-parse", "HEAD").decode().strip())
        return pointer

    def call(self, method: str, fields: Json) -> Answer:
        """The answer of `Node.METHOD` to FIELDS. An error that is none of the product's own is not caught."""
        from budgeted_reads.errors import ReadError
        from budgeted_reads.node import Node

        with Node.open(str(self.repository), tree=self.request.case, name=NODE) as node:
            start = time.perf_counter()
            try:
                body = json.loads(json.dumps(call(node, method, fields).to_dict()))  # as its reader gets it
            except ReadError as error:
                return Answer(problem=error.problem(), seconds=time.perf_counter() - start)
            return Answer(body=body, seconds=time.perf_counter() - start)

    def command(
        self, words: list[str], *, closed_pipe: bool = False, offline: bool = False, as_json: bool = False
    ) -> Answer:
        """The run of `nas WORDS` in the repository, with an empty home. OFFLINE takes the network away from it."""
        argv = [*(no_network() if offline else []), NAS, *words, *(["--json"] if as_json else [])]
        start = time.perf_counter()
        with subprocess.Popen(
            argv,
            cwd=self.repository,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        ) as run:
            if closed_pipe and run.stdout is not None:
                run.stdout.close()
                run.stdout = None
            stdout, stderr = run.communicate()
        return ran(run.returncode, stdout or "", stderr, time.perf_counter() - start)

    def peak_mb(self, words: list[str]) -> float:
        """The most memory that `nas WORDS` holds, in MiB.

        A process counts as its own what the one held that it was forked from, so a small one stands between.
        """
        argv = [sys.executable, "-c", MEASURE, NAS, *words]
        run = subprocess.run(argv, cwd=self.repository, env=self.environment(), check=True, capture_output=True)
        return int(run.stdout) / (1024 * 1024 if sys.platform == "darwin" else 1024)

    def environment(self) -> dict[str, str]:
        """The environment of a command, with an empty home."""
        self.home.mkdir(exist_ok=True)
        return {**os.environ, "HOME": str(self.home), "XDG_CACHE_HOME": str(self.home / "cache")}


MEASURE = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def ran(code: int, stdout: str, stderr: str, seconds: float) -> Answer:
    """An Answer out of a finished process; its body or problem is what it printed as JSON."""
    printed = json.loads(stdout) if stdout.startswith("{") else None
    if printed is None and code:
        printed = {"code": stderr.partition(":")[0], "detail": stderr}
    body, problem = (None, printed) if code else (printed, None)
    return Answer(body, problem, seconds, code, stdout, stderr)


def call(node: Any, method: str, fields: Json) -> Any:
    """Node.METHOD called with FIELDS: what names the thing goes first, the rest by name."""
    fields = dict(fields)
    first = {"read": ("path",), "dereference": ("pointer",), "search": ("query",), "diff": ("from", "to"), "verify": ()}
    return getattr(node, method)(*[fields.pop(name, None) for name in first[method]], **fields)


def read_words(fields: Json) -> list[str]:
    """The command line of a read with FIELDS."""
    options = ((f"--{name.replace('_', '-')}", str(value)) for name, value in fields.items() if name != "path")
    return ["read", str(fields["path"]), *(word for option in options for word in option)]


def no_network() -> list[str]:
    """The start of a command that runs the rest of it in a network of its own, where nothing answers.

    Where the machine allows no such thing, the command runs as it is, with the way to any other host refused by a
    proxy that is not there.
    """
    for words in (["unshare", "-n"], ["unshare", "-rn"]):
        try:
            if subprocess.run([*words, "true"], capture_output=True, check=False).returncode == 0:
                return words
        except FileNotFoundError:
            break
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        proxy = f"http://127.0.0.1:{free.getsockname()[1]}"
    return ["env", f"HTTP_PROXY={proxy}", f"HTTPS_PROXY={proxy}", f"ALL_PROXY={proxy}"]


def search_fields(fields: Json) -> Json:
    """`pattern` and `regex` as `query` and `mode`; `include` as `globs`."""
    renamed = {"pattern": "query", "include": "globs"}
    words = {renamed.get(name, name): value for name, value in fields.items() if name != "regex"}
    if "globs" in words:
        words["globs"] = [words["globs"]]
    return {**words, "mode": "regex" if fields.get("regex") else "literal"}


def verify_fields(fields: Json) -> Json:
    """One pointer to check, as the list of the contract."""
    return {"pointers": [fields]}


def list_fields(fields: Json) -> Json:
    """A listing, as a read of the folder."""
    return {**fields, "view": "folder", "include": ["entries"]}


OPS = {
    "read": "read",
    "list": "read",
    "dereference": "dereference",
    "search": "search",
    "diff": "diff",
    "verify_pointer": "verify",
}
CONTRACT_WORDS = {"search": search_fields, "verify_pointer": verify_fields, "list": list_fields}

Checker = Callable[[Any, Answer, Asker, Json], None]
"""Fails unless the answer is what is wanted under one key of an expect; the whole expect comes last."""
