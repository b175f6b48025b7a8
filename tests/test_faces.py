"""One request, one answer: through the library, the command line, HTTP and MCP."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest

from budgeted_reads.cli.main import main
from budgeted_reads.errors import ReadError
from budgeted_reads.mcp.server import build
from budgeted_reads.node import Node
from budgeted_reads.trees.catalog import Catalog, open_tree
from budgeted_reads.trees.snapshots import Keeping
from casekit import doors, facts, waiting
from casekit.ask import NODE, Answer, Asker
from casekit.build import Workshop
from casekit.cases import Json, Request, all_requests
from mcp import Client
from serving import Client as Http
from serving import start


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    """The repositories of the cases."""
    return Workshop(tmp_path_factory.mktemp("faces"))


def reads() -> list[Request]:
    """Every read of the cases that is answered by now, whatever its door."""
    return [one for one in waiting.running() if one.op in ("read", "list")]


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own, so that no configuration or cache of the machine counts."""
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "NAS_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


class Faces:
    """The faces of one repository; each is asked with the same fields."""

    def __init__(self, node: Node, http: Http) -> None:
        self.node = node
        self.http = http

    def library(self, fields: Json) -> Json:
        """The body, or the problem, of the library."""
        try:
            return dict(json.loads(json.dumps(self.node.ask(fields).to_dict())))
        except ReadError as error:
            return dict(json.loads(json.dumps(error.problem())))

    def text(self, fields: Json) -> str:
        """The text of the MCP tool."""

        async def call() -> Any:
            async with Client(build(self.node)) as client:
                return await client.call_tool("nas_read", fields)

        return str(anyio.run(call).content[0].text)


@pytest.fixture(scope="module")
def faces(workshop: Workshop) -> Iterator[Any]:
    """Makes the faces of the repository of a request, once for each case."""
    made: dict[str, Any] = {}
    ends: list[Callable[[], None]] = []
    nodes: list[Node] = []

    def make(request: Request) -> Faces:
        if request.case not in made:
            place = workshop.repository(request)
            node = Node.open(place)
            remote = Node(Catalog([open_tree(request.case, str(place), Keeping())]), name=NODE, local=False)
            client, end = start(remote)
            ends.append(end)
            nodes.extend((node, remote))
            made[request.case] = Faces(node, client)
        return made[request.case]  # type: ignore[no-any-return]

    yield make
    for end in ends * 2:  # asked to end, all of them, then waited for
        end()
    for node in nodes:
        node.close()


@pytest.mark.parametrize("request_", reads(), ids=str)
def test_a_read_has_one_answer(
    request_: Request,
    workshop: Workshop,
    faces: Any,
    monkeypatch: pytest.MonkeyPatch,
    capfdbinary: pytest.CaptureFixture[bytes],
    tmp_path: Path,
) -> None:
    """Library, `--json` and HTTP give the same body or problem, and the text of MCP is that of the command line."""
    fields = Asker(request_, workshop.repository(request_), tmp_path).fields()
    asked: Faces = faces(request_)
    monkeypatch.chdir(workshop.repository(request_))
    body = asked.library(fields)
    remote = asked.http.post("/v1/files/read", fields).json
    assert remote == body or is_place(fields["path"])
    assert "id" not in remote
    words = command(fields)
    if words:
        main(["read", "--json", *words])
        assert json.loads(capfdbinary.readouterr().out) == body
        code = main(["read", *words])
        printed = capfdbinary.readouterr()
        assert asked.text(fields).encode() == (printed.err if code else printed.out)


def is_place(path: str) -> bool:
    """Whether PATH may be read as a place on disk by local faces, in other words than its path within the tree."""
    return bool({"", ".", ".."} & set(path.split("/")))


def command(fields: Json) -> list[str]:
    """The command line of a read with FIELDS; empty where it cannot spell them."""
    if not all(isinstance(value, (str, int)) and not isinstance(value, bool) for value in fields.values()):
        return []
    options = [f"--{name.replace('_', '-')}={value}" for name, value in fields.items() if name != "path"]
    return [*options, "--", fields["path"]]


DOORS: dict[str, Callable[[Path, str, str, Json], Answer]] = {
    "http": doors.http,
    "mcp": lambda repository, tree, method, fields: doors.mcp(repository, tree, fields),
}


@pytest.mark.parametrize("request_", [one for one in all_requests() if one.asked.get("via") in DOORS], ids=str)
def test_a_case_of_a_door_holds_there(request_: Request, workshop: Workshop, tmp_path: Path) -> None:
    """What a case asks through HTTP or MCP is answered there as it expects."""
    asker = Asker(request_, workshop.repository(request_), tmp_path)
    answer = DOORS[request_.asked["via"]](asker.repository, request_.case, request_.op, asker.fields())
    facts.check(request_.expect, answer, asker)


@pytest.mark.parametrize("request_", [one for one in all_requests() if one.op == "mcp_stdio_session"], ids=str)
def test_a_session_of_a_case_holds(request_: Request, workshop: Workshop, tmp_path: Path) -> None:
    """A session over standard input and output keeps to the protocol, whatever comes in."""
    asker = Asker(request_, workshop.repository(request_), tmp_path)
    answer = doors.mcp_session(asker.repository, tmp_path, request_.asked["messages"])
    facts.check(request_.expect, answer, asker)


@pytest.mark.parametrize("request_", [one for one in all_requests() if one.case == "I04"], ids=str)
def test_odd_budgets_are_refused_over_http_and_mcp_too(request_: Request, workshop: Workshop, tmp_path: Path) -> None:
    """No door takes an odd budget for another one, or answers it with a fault."""
    asker = Asker(request_, workshop.repository(request_), tmp_path)
    for door in (doors.http(asker.repository, "I04", "read", asker.fields()),):
        facts.check(request_.expect, door, asker)
    told = doors.mcp(asker.repository, "I04", asker.fields())
    assert (told.problem is None) is request_.expect["ok"]
