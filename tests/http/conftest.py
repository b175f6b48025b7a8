"""A served tree `agents` of a node `home-box`, with files of many kinds."""

from collections.abc import Iterator

import pytest

from budgeted_reads.node import Node
from budgeted_reads.trees.catalog import Catalog, open_tree
from repos import Change, Link, make_repo
from serving import Served, serving

NOTES = "# Acme\n\n## Renewal\n\nThe contract ends in May.\n\n## Contacts\n\nAda, Grace.\n"
FILES: Change = {
    b"notes/acme.md": NOTES.encode(),
    b"crlf.txt": b"one\r\ntwo\r\nthree",
    b"empty.txt": b"",
    b"greek.txt": "αβγ\nδεζ\n".encode(),
    b"wide.txt": "one\ntwo\n".encode("utf-16"),
    b"picture.png": b"\x89PNG\r\n\x1a\n\x00\x00\nrest",
    b"odd \xff#@%.txt": b"odd\n",
    b'a;b="c".txt': b"quoted\n",
    b"page.html": b"<script>alert(1)</script>\n",
    b"link": Link(b"crlf.txt"),
    b"out": Link(b"/etc/passwd"),
}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The tree, served."""
    place = tmp_path_factory.mktemp("served") / "agents"
    commits = make_repo(place, [{b"notes/acme.md": b"# Old\n"}, FILES])
    with (
        Node(Catalog([open_tree("agents", str(place))]), name="home-box", local=False) as node,
        serving(node) as client,
    ):
        yield Served(client, place, commits, node)
