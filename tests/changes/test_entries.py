"""Two outlines of one file, as entries that were added, removed, changed or renamed."""

from hypothesis import given
from hypothesis import strategies as st

from budgeted_reads.changes.entries import Sheet, entry_changes
from budgeted_reads.outline.registry import outline
from budgeted_reads.text import decode


def sheet(name: str, content: str) -> Sheet:
    """CONTENT as a file of that NAME."""
    text = decode(content.encode())
    return Sheet(text, outline(text, name.encode()))


def rows(name: str, old: str, new: str) -> list[str]:
    """What changed, one line each."""
    return [change.row() for change in entry_changes(sheet(name, old), sheet(name, new))]


BODY = "        for knot in self.knots:\n            knot.tie(length, twice=True)\n        return self.knots[length]\n"


def test_signatures_and_bodies_are_told_apart() -> None:
    """A changed head is a changed signature, anything else a changed body; the other methods are not named."""
    old = (
        "class Dock:\n    size = 1\n\n    def moor(self, n):\n        return n\n\n    def leave(self):\n        pass\n"
    )
    new = old.replace("moor(self, n)", "moor(self, n, m)").replace("        pass", "        return 1")
    assert rows("a.py", old, new) == ["changed Dock.moor signature 4-5", "changed Dock.leave body 7-8"]


def test_an_entry_under_a_new_name_is_renamed() -> None:
    """Where the lines are the same but for the name, both names are told."""
    old = f"class Dock:\n    def moor(self, length):\n{BODY}"
    new = f"class Dock:\n    def tie_up(self, length):\n{BODY}"
    assert rows("a.py", old, new) == ["renamed Dock.moor -> Dock.tie_up 2-5"]


def test_what_comes_and_goes_is_named_without_its_children() -> None:
    """A new class is one entry, and so is one that went."""
    old = "def a():\n    return 1\n"
    new = "class B:\n    def x(self):\n        return 2\n\n    def y(self):\n        return 3\n"
    assert rows("a.py", old, new) == ["added B 1-6", "removed a 1-2"]


def test_keys_are_told_with_old_and_new_values() -> None:
    """JSON, YAML and TOML name the path of the key and both values, clipped where they are long."""
    old, new = (
        '{\n  "server": {\n    "port": 8080,\n    "old": 1\n  }\n}\n',
        '{\n  "server": {\n    "port": 9090\n  }\n}\n',
    )
    assert rows("a.json", old, new) == ["changed server.port 8080 -> 9090 3", "removed server.old 1 4"]
    assert rows("a.yaml", "server:\n  port: 8080\n", "server:\n  port: 9090\n  host: x\n") == [
        "changed server.port 8080 -> 9090 2",
        "added server.host x 3",
    ]
    assert rows("a.toml", "[server]\nport = 8080\n", '[server]\nport = "9"\n') == ['changed server.port 8080 -> "9" 2']
    (long,) = rows("a.json", '{"k": "a"}', '{"k": "' + "b" * 500 + '"}')
    assert len(long) < 200
    assert "…" in long


def test_sections_of_documents_are_named_by_their_headings() -> None:
    """A section is changed where its own text is, not where one below it is; paragraphs are not entries."""
    old = "# Harbour\n\nText.\n\n## Tides\n\nOld tide.\n\n## Winds\n\nWest.\n"
    new = "# Harbour\n\nText.\n\n## Tides\n\nNew tide.\n\n## Winds\n\nWest.\n\n## Fog\n\nThick.\n"
    assert rows("a.md", old, new) == ["changed Tides 5-8", "added Fog 13-15"]
    assert rows("a.txt", "one\n\ntwo\n", "one\n\nthree\n") == []


def test_a_side_that_is_absent_makes_everything_added_or_removed() -> None:
    """A new file is its top entries added, a deleted one the same removed."""
    made = sheet("a.py", "def a():\n    pass\n\n\ndef b():\n    pass\n")
    assert [change.row() for change in entry_changes(None, made)] == ["added a 1-2", "added b 5-6"]
    assert [change.row() for change in entry_changes(made, None)] == ["removed a 1-2", "removed b 5-6"]


snippets = st.lists(
    st.sampled_from(
        [
            "class A:",
            "    def f(self):",
            "        return 1",
            "        return 2",
            "    x = 1",
            "def g(a, b):",
            "    pass",
            "",
        ]
    ),
    max_size=20,
)


@given(snippets, snippets)
def test_no_change_is_told_of_equal_files_and_every_name_stands_on_its_side(old: list[str], new: list[str]) -> None:
    """Equal files have no changes; what is removed has old lines only, what is added new ones only."""
    one, other = sheet("a.py", "\n".join(old)), sheet("a.py", "\n".join(new))
    assert entry_changes(one, one) == []
    for change in entry_changes(one, other):
        assert (change.old is None) == (change.what == "added")
        assert (change.new is None) == (change.what == "removed")
        assert "\n" not in change.row()
