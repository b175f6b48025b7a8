"""Every id that a search prints is one that can be asked for."""

import re
from pathlib import Path

import pytest

from budgeted_reads import tokens
from budgeted_reads.node import Node
from repos import make_repo, write

PLACEHOLDER = "1a2b3c4d5e6f"
COMMITTED = {b"a.txt": b"first\nwharf\n", b"sub/b.txt": b"second\nwharf\n", b"c.txt": b"wharf\n"}
EDITED = {b"a.txt": b"first\nwharf\nmore wharf\n"}
NEW = {b"new.txt": b"wharf\n"}


def printed_ids(text: str) -> list[tuple[str, str]]:
    """Path and id of everything in TEXT that names a commit; a snapshot is one of each dirty file."""
    header = text.partition("\n")[0]
    found = re.findall(r"([^\s@]+)@([0-9a-f]{12})", text)
    dirty = re.findall(r"^# (\S+) \d+ dirty", text, re.M) + re.findall(
        r"^\w+ ([^\s#]+)(?:#L\S+)? \d+/.* dirty", text, re.M
    )
    for id in re.findall(r"snapshot=(\S+)", header):
        assert dirty
        found += [(path, id) for path in dirty]
    return found


@pytest.mark.parametrize("mode", ["literal", "ranked"])
@pytest.mark.parametrize("view", [None, "files", "section", "full"])
@pytest.mark.parametrize("path", [None, "a.txt", "sub", "new.txt"])
@pytest.mark.parametrize("kind", ["repository", "folder"])
def test_every_id_in_a_text_answer_dereferences(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, path: str | None, view: str | None, mode: str
) -> None:
    """Of edited, new and committed files, one or many, each printed id gives bytes; none is made up."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    place = tmp_path / "tree"
    if kind == "repository":
        make_repo(place, [COMMITTED])
    else:
        place.mkdir()
        write(place, COMMITTED)
    write(place, {**EDITED, **NEW})
    with Node.open(place) as node:
        text = node.find({"query": "wharf", "path": path, "view": view, "mode": mode}, text=True).text
        assert PLACEHOLDER not in text
        ids = printed_ids(text)
        for name, id in ids:
            if name in ("tree", "sub"):
                assert node.search("wharf", commit=id, path=None if name == "tree" else name).totals.matches
            else:
                assert node.dereference(f"{name}@{id}").content.commit is not None
        assert ids or (view == "files" and kind == "folder")


@pytest.mark.parametrize("query", ["WHARF", "wharf"])
def test_what_has_no_commit_names_none(tmp_path: Path, query: str) -> None:
    """Of a secret file no snapshot is taken, and the header says nothing of one; the count is that of the text."""
    make_repo(tmp_path / "tree", [COMMITTED])
    write(tmp_path / "tree", {b".env": b"WHARF_KEY=1\nwharf=2\n"})
    with Node.open(tmp_path / "tree") as node:
        answer = node.find({"query": query, "path": ".env"}, text=True)
        assert "@" not in answer.text
        assert "snapshot=" not in answer.text
        assert answer.tokens == tokens.counter("o200k_base").units(answer.text)
