"""Changes through every face: the same answer over the command line, HTTP and MCP."""

import json
import os
from pathlib import Path
from typing import Any

import msgspec
import pytest

from budgeted_reads import Node, contract, contract_changes, fields
from budgeted_reads.cli.main import main
from budgeted_reads.mcp import handlers
from repos import make_repo, write
from serving import serving

TEXT = b"".join(b"line %d\n" % number for number in range(30))


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A repository with two commits and an edit that is not committed."""
    place = tmp_path / "demo"
    make_repo(place, [{b"a.txt": TEXT, b"b.py": b"x = 1\n"}, {b"a.txt": TEXT.replace(b"line 7", b"other")}])
    write(place, {b"b.py": b"x = 2\n"})
    return place


def said(capsysbinary: pytest.CaptureFixture[bytes], *words: str) -> tuple[int, str, str]:
    """Exit code and streams of a command."""
    code = main(list(words))
    out, err = capsysbinary.readouterr()
    return code, out.decode(), err.decode()


def test_the_command_takes_one_commit_or_two(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    """Text on stdout as the library gives it, one JSON value with --json, errors by their exit codes."""
    monkeypatch.chdir(place)
    with Node.open(place) as node:
        for words, asked in (
            (["HEAD"], {"from": "HEAD"}),
            (["HEAD", "HEAD"], {"from": "HEAD", "to": "HEAD"}),
            (["HEAD", "--path", "b.py", "--budget", "60"], {"from": "HEAD", "path": "b.py", "budget_tokens": 60}),
        ):
            assert said(capsysbinary, "diff", *words) == (0, node.changes(asked, text=True).text, "")
            code, out, _ = said(capsysbinary, "diff", *words, "--json")
            assert (code, json.loads(out)) == (0, json.loads(json.dumps(node.changes(asked).to_dict())))
        assert said(capsysbinary, "read", "b.py", "--since", "HEAD")[1] == node.read_text("b.py", since="HEAD")
    assert said(capsysbinary, "diff", "nobody")[0] == 3
    assert said(capsysbinary, "diff", "HEAD", "--path", "never")[0] == 3
    code, out, err = said(capsysbinary, "diff", "a..b")
    assert (code, out) == (2, "")
    assert 'give them apart: from "a", to "b"' in err
    assert said(capsysbinary, "diff")[0] == 2


def test_the_command_names_files_from_a_folder_below(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    """A path on disk, relative to where one stands, is a path of the tree."""
    write(place, {b"sub/c.txt": b"c\n"})
    monkeypatch.chdir(place / "sub")
    code, out, _ = said(capsysbinary, "diff", "HEAD", "--path", "c.txt")
    assert (code, "+++ b/sub/c.txt" in out) == (0, True)


def test_http_gives_the_body_that_the_types_describe(place: Path) -> None:
    """Every field of the table and no other, and errors as problems."""
    with Node.open(place) as node, serving(node) as client:
        reply = client.post("/v1/files/diff", {"from": "HEAD", "budget_tokens": 400})
        assert reply.status == 200
        assert list(reply.json) == [field.name for field in fields.CHANGES]
        kind: Any = contract_changes.Changes
        assert json.loads(msgspec.json.encode(msgspec.convert(reply.json, kind))) == reply.json
        assert [row["path"] for row in reply.json["files"]] == ["b.py"]
        again = client.post("/v1/files/read", {"path": "a.txt", "since": "HEAD"})
        assert (again.status, again.json["view"]) == (200, "unchanged")
        read: Any = contract.Answer
        assert json.loads(msgspec.json.encode(msgspec.convert(again.json, read))) == again.json
        for body, status, code in (
            ({"from": "nobody"}, 404, "commit_unknown"),
            ({"from": "HEAD..HEAD"}, 422, "invalid_request"),
            ({"from": "HEAD", "budget_tokens": 1}, 422, "budget_too_small"),
            ({"from": "HEAD", "path": "never"}, 404, "not_found"),
        ):
            refused = client.post("/v1/files/diff", body)
            assert (refused.status, refused.json["code"]) == (status, code)


def test_the_tool_gives_the_text_of_the_command(place: Path) -> None:
    """The text of the library, within the budget of the call; what is wrong is told as an error."""
    with Node.open(place) as node:
        asked = {"from": "HEAD", "budget_tokens": 100}
        assert handlers.call(node, "nas_diff", asked) == (node.changes(asked, text=True).text, False)
        assert handlers.call(node, "nas_diff", {"from": "nobody"}).is_error
        assert "unchanged" in handlers.call(node, "nas_read", {"path": "a.txt", "since": "HEAD"}).text
        shown = handlers.schema(next(tool for tool in handlers.TOOLS if tool.name == "nas_diff"))
        assert shown["required"] == ["from"]


def test_several_trees_are_told_apart(place: Path, tmp_path: Path) -> None:
    """With several trees a path names its tree, and without a path there is none to compare."""
    from budgeted_reads.errors import InvalidRequest
    from budgeted_reads.trees.catalog import Catalog, open_tree

    make_repo(tmp_path / "other", [{b"k": b"k\n"}])
    trees = [open_tree(name, os.fspath(tmp_path / name)) for name in ("demo", "other")]
    with Node(Catalog(trees), name="local") as node:
        text = node.changes({"from": "HEAD", "path": "/demo/b.py"}, text=True).text
        assert text.startswith("patch /demo/b.py ")
        assert node.changes({"from": "HEAD", "path": "/demo"}).file_total == 1
        assert node.changes({"from": "HEAD", "path": "/other"}, text=True).text.startswith("unchanged /other@")
        with pytest.raises(InvalidRequest):
            node.changes({"from": "HEAD"})
