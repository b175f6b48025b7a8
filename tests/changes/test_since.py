"""A read that says what its reader has seen: `unchanged`, the patch, or the read with a note (CONTRACT section 7)."""

import re
import string
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from budgeted_reads import Node
from budgeted_reads.answer import Answer
from budgeted_reads.errors import BudgetTooSmall, CommitUnknown, InvalidRequest
from budgeted_reads.tokens import counter
from repos import commit, git, make_repo, write

UNITS = counter("o200k_base").units
BUDGETS = (1, 5, 20, 50, 100, 200, 400, 1000, 4000)

HEAD = b'"""A dock."""\n\n\nclass Dock:\n    """Where boats moor."""\n\n'


def body_of(answer: Answer) -> dict[str, Any]:
    """The JSON body."""
    return dict(answer.to_dict())


def method(number: int, body: bytes = b"return n") -> bytes:
    """One method of the class, eight lines long."""
    steps = b"".join(b"        step_%d(n, %d)\n" % (step, number) for step in range(5))
    return b"    def moor_%d(self, n):\n" % number + steps + b"        " + body + b"\n\n"


CODE = HEAD + b"".join(map(method, range(1, 31)))


def repository(place: Path, *versions: bytes, name: bytes = b"dock.py") -> list[str]:
    """A repository whose commits hold VERSIONS of one file."""
    return make_repo(place, [{name: version} for version in versions])


def test_the_same_file_costs_a_word(tmp_path: Path) -> None:
    """A file that did not change is `unchanged`, in at most 20 tokens, whatever view was asked for."""
    (first,) = repository(tmp_path / "r", CODE)
    with Node.open(tmp_path / "r", tree="demo") as node:
        for view in ("auto", "full", "outline", "card"):
            body = body_of(node.read("dock.py", since=first, view=view))
            assert (body["view"], body["content"]) == ("unchanged", "unchanged\n")
            assert body["tokens"] == UNITS("unchanged\n") <= 20
            assert body["since"] == {"commit": first, "status": "unchanged"}
        text = node.read_text("dock.py", since=first)
        assert text.startswith(f"unchanged dock.py@{first[:12]} {UNITS(text)}t since {first[:12]}")
        assert node.read_text("dock.py", since=first, budget_tokens=6) == "unchanged 6t\n"


def test_a_small_change_of_a_large_file_costs_its_patch(tmp_path: Path) -> None:
    """The patch, with pointers on both sides, at a small part of what the file costs."""
    ids = repository(tmp_path / "r", CODE, CODE.replace(method(7), method(7, b"return n + 1")))
    with Node.open(tmp_path / "r", tree="demo") as node:
        body = body_of(node.read("dock.py", since=ids[0]))
        assert body["view"] == "patch"
        assert "-        return n\n+        return n + 1\n" in body["content"]
        assert body["tokens"] == UNITS(body["content"]) < 100
        (hunk,) = body["since"]["hunks"]
        assert node.dereference(hunk["new"]["pointer"]).content.content == "        return n + 1\n"
        for row in body["evidence"]:
            assert node.dereference(row["pointer"], sha256=row["sha256"]).verification == "verified"
        assert [tuple(row["lines"]) for row in body["evidence"]] == [hunk["old"]["lines"], hunk["new"]["lines"]]
        text = node.read_text("dock.py", since=ids[0])
        assert text.startswith(f"patch dock.py@{ids[1][:12]} {UNITS(text)}t since {ids[0][:12]}\n--- a/dock.py\n")


def test_lines_are_unchanged_only_where_the_same_numbers_hold_the_same_bytes(tmp_path: Path) -> None:
    """Lines above an edit are unchanged; the edited ones and those that moved are not."""
    new = CODE.replace(method(7), method(7, b"return n + 1\n        # more"))
    ids = repository(tmp_path / "r", CODE, new)
    with Node.open(tmp_path / "r", tree="demo") as node:
        assert node.read("dock.py", since=ids[0], lines="1-20").view == "unchanged"
        edited = new.split(b"\n").index(b"        return n + 1") + 1
        shown = node.read("dock.py", since=ids[0], lines=f"{edited}-{edited + 30}")
        assert (shown.view, "# more" in shown.content) == ("patch", True)
        moved = node.read("dock.py", since=ids[0], lines=f"{edited + 10}-{edited + 20}")
        assert moved.view == "patch"
        assert moved.since is not None
        assert (moved.since["status"], moved.since["added"], moved.since["removed"]) == ("changed", 1, 1)


ROWS = "".join(f"row {number}\n" for number in range(1, 201))
LATER = "".join(f"new {number}\n" for number in range(1, 11)) + ROWS.replace("row 45\n", "row 45 edited\n")


def applied(patch: str, old: list[str], first: int) -> list[str]:
    """The lines OLD, the first of which is numbered FIRST, with the hunks of PATCH carried out."""
    made: list[str] = []
    taken = 0
    for line in patch.splitlines(keepends=True):
        if found := re.match(r"@@ -(\d+)(?:,(\d+))? \+", line):
            start = int(found[1]) - first + (found[2] == "0")
            made += old[taken:start]
            taken = start
        elif line[0] == "+" and not line.startswith("+++ "):
            made.append(line[1:])
        elif line[0] == " " or (line[0] == "-" and not line.startswith("--- ")):
            assert old[taken] == line[1:]
            made += [line[1:]] if line[0] == " " else []
            taken += 1
        elif line[0] == "\\":
            made[-1:] = [made[-1].removesuffix("\n")]
    return made + old[taken:]


@pytest.mark.parametrize("lines", ["50-60", "1-200", "30-55", "1-150", "205-210", "-150", "190-"])
def test_a_patch_of_lines_makes_the_old_ones_the_new_ones(tmp_path: Path, lines: str) -> None:
    """Whoever has the lines of those numbers gets those that have them now: from a patch between both, or whole."""
    ids = repository(tmp_path / "r", ROWS.encode(), LATER.encode(), name=b"a.txt")
    with Node.open(tmp_path / "r", tree="demo") as node:
        new = node.read("a.txt", lines=lines, budget_tokens=9000)
        answer = node.read("a.txt", since=ids[0], lines=lines, budget_tokens=9000)
        assert answer.tokens <= new.tokens
        if answer.view == "lines":
            assert answer.content == new.content
            return
        old = node.read("a.txt", commit=ids[0], lines=lines, budget_tokens=9000)
        assert old.shape.lines is not None
        if answer.view == "unchanged":
            assert old.content == new.content
            return
        made = applied(answer.content, old.content.splitlines(keepends=True), old.shape.lines[0])
        assert "".join(made) == new.content
        since = body_of(answer)["since"]
        assert since["added"] - since["removed"] == new.content.count("\n") - old.content.count("\n")
        for row in answer.evidence:
            assert node.dereference(row.pointer, sha256=row.sha256).verification == "verified"


def test_lines_that_others_took_the_place_of_are_read(tmp_path: Path) -> None:
    """Where the patch between both costs more than the lines, they are shown, and nothing of them is kept back."""
    ids = repository(tmp_path / "r", ROWS.encode(), LATER.encode(), name=b"a.txt")
    with Node.open(tmp_path / "r", tree="demo") as node:
        text = node.read_text("a.txt", since=ids[0], lines="50-60")
        assert text.startswith("lines a.txt@")
        assert [line for line in text.splitlines() if " row " in line] == [
            f"{number} row {number - 10}{' edited' if number == 55 else ''}" for number in range(50, 61)
        ]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "latin-1"])
def test_a_section_is_compared_with_itself_wherever_it_stood(tmp_path: Path, encoding: str) -> None:
    """The patch of a section is of its own lines, and counts none of another that stood where it stands now."""
    parts = [f"# Part {part}\n\n" + "".join(f"caf\u00e9 {part} {n}\n" for n in range(30)) for part in range(4)]
    old = "".join(parts)
    new = (
        old.replace("caf\u00e9 0 5\n", "").replace("caf\u00e9 1 9\n", "").replace("caf\u00e9 2 7\n", "caf\u00e9 two\n")
    )
    ids = repository(tmp_path / "r", *(side.encode(encoding) for side in (old, new)), name=b"a.md")
    with Node.open(tmp_path / "r", tree="demo") as node:
        answer = node.read("a.md", since=ids[0], section="Part 2")
        if encoding == "latin-1":
            # No patch could say it: its bytes are no UTF-8.
            assert answer.view == "section"
            return
        assert answer.view == "patch"
        assert [line for line in answer.content.splitlines()[2:] if line[0] in "-+"] == [
            "-caf\u00e9 2 7",
            "+caf\u00e9 two",
        ]
        (hunk,) = body_of(answer)["since"]["hunks"]
        for side, said in (("old", "caf\u00e9 2 7\n"), ("new", "caf\u00e9 two\n")):
            assert node.dereference(hunk[side]["pointer"]).content.content == said


def test_a_section_that_moved_is_unchanged_and_says_where_it_is(tmp_path: Path) -> None:
    """The lines of a section are its own: where they only moved, both places are told."""
    ids = repository(tmp_path / "r", CODE, CODE.replace(HEAD, HEAD + b"    # one line more\n"))
    with Node.open(tmp_path / "r", tree="demo") as node:
        answer = node.read("dock.py", since=ids[0], section="Dock.moor_7")
        assert (answer.view, answer.content) == ("unchanged", "unchanged, 55-61 is now 56-62\n")
        assert answer.tokens <= 20
        changed = node.read("dock.py", since=ids[0], section="Dock")
        assert changed.view == "patch"


def least(node: Node, told: str, **fields: Any) -> tuple[Answer, int]:
    """The text at some budget below the patch, and what its header says that the patch costs."""
    answer = node.ask({"path": "dock.py", **fields}, text=True)
    header = answer.text.partition("\n")[0]
    assert told in header
    return answer, int(header.split("patch ")[1].split("t ")[0])


MANY = CODE.replace(b"return n\n", b"return n + 1\n", 12)


@pytest.mark.parametrize("tokenizer", ["o200k_base", "claude"])
@pytest.mark.parametrize(
    "fields", [{}, {"view": "outline"}, {"lines": "20-150"}, {"section": "Dock"}, {"view": "full", "depth": None}]
)
def test_text_says_what_the_patch_costs_where_it_does_not_fit(
    tmp_path: Path, fields: dict[str, Any], tokenizer: str
) -> None:
    """The price in the header is exact: with it the patch comes, with one token less it does not; nor does more."""
    ids = repository(tmp_path / "r", CODE, MANY)
    with Node.open(tmp_path / "r", tree="demo") as node:
        fields = {**fields, "since": ids[0], "tokenizer": tokenizer}
        for budget in (150, 200) if tokenizer == "o200k_base" else (400, 500):
            answer, price = least(node, " changed since ", **fields, budget_tokens=budget)
            assert answer.view != "patch"
            assert answer.upper_bound <= budget < price
            # The number after the tokens is the least budget that gives the most there is.
            assert f" {answer.tokens}/{price}t " in answer.text
        views = {}
        for budget in (price - 1, price, 2 * price, 20 * price):
            views[budget] = node.ask({"path": "dock.py", **fields, "budget_tokens": budget}, text=True)
            assert views[budget].upper_bound <= budget
        assert [one.view == "patch" for one in views.values()] == [False, True, True, True]
        assert views[price].upper_bound == price


@pytest.mark.parametrize(
    "fields", [{}, {"view": "outline"}, {"lines": "20-150"}, {"view": "full", "on_overflow": "page"}]
)
def test_json_offers_the_patch_where_it_does_not_fit(tmp_path: Path, fields: dict[str, Any]) -> None:
    """`next` has the patch at its exact price: at every budget below it, and at none from it on."""
    ids = repository(tmp_path / "r", CODE, MANY)
    with Node.open(tmp_path / "r", tree="demo") as node:
        offered = set()
        for budget in (60, 90, 140, 190):
            body = body_of(node.read("dock.py", since=ids[0], budget_tokens=budget, **fields))
            offers = [more for more in body["next"] if more["view"] == "patch"]
            offered |= {more["tokens"] for more in offers}
            assert len(body["next"]) <= 3
            assert body["next"][1 if body["truncated"] else 0] == offers[0]
        (price,) = offered
        assert node.read("dock.py", since=ids[0], budget_tokens=price, **fields).view == "patch"
        assert node.read("dock.py", since=ids[0], budget_tokens=price - 1, **fields).view != "patch"


def test_the_other_offers_are_reads_without_since(tmp_path: Path) -> None:
    """What `next` offers beside the patch is given at its price to the same request without `since`."""
    ids = repository(tmp_path / "r", CODE, MANY)
    with Node.open(tmp_path / "r", tree="demo") as node:
        seen = 0
        for text in (False, True):
            for budget in (100, 200, 300, 400):
                answer = node.ask({"path": "dock.py", "since": ids[0], "budget_tokens": budget}, text=text)
                for more in answer.shape.next:
                    if more.view == "patch":
                        continue
                    asked: dict[str, Any] = {"path": "dock.py", "view": more.view, "section": more.section}
                    asked["lines"] = list(more.lines) if more.lines else None
                    assert node.ask({**asked, "budget_tokens": more.tokens}, text=text).view == more.view
                    try:
                        below = node.ask({**asked, "budget_tokens": more.tokens - 1}, text=text).view
                    except BudgetTooSmall:
                        below = ""
                    assert below != more.view
                    seen += 1
        assert seen >= 4


@pytest.mark.parametrize("new", [MANY, CODE.replace(b"step_", b"pace_").replace(b"return", b"yield")])
@pytest.mark.parametrize("text", [False, True])
def test_more_budget_never_shows_less_and_the_ladder_is_true(tmp_path: Path, new: bytes, text: bool) -> None:
    """Below the patch facts only grow, the note comes inside the budget, and the ladder has every change of view."""
    ids = repository(tmp_path / "r", CODE, new)
    with Node.open(tmp_path / "r", tree="demo") as node:
        before: set[Any] = set()
        found: list[tuple[int, str]] = []
        told: list[Any] = []
        fields = {"path": "dock.py", "since": ids[0], "budget_tokens": 60, "include": ["facts", "ladder"]}
        ladder = node.ask(fields, text=text).shape.ladder or ()
        edges = [step.min_budget - below for step in ladder for below in (1, 0) if step.min_budget < 400]
        for budget in sorted({*range(1, 400, 23), *edges} - {0}):
            fields["budget_tokens"] = budget
            try:
                answer = node.ask(fields, text=text)
            except BudgetTooSmall as error:
                assert int(str(error.members["minimum_tokens"])) > budget
                assert not found
                continue
            if not found or found[-1][1] != answer.view:
                found.append((budget, answer.view))
            if answer.view == "patch":
                break
            note = str(answer.since["note"]) if answer.since and "note" in answer.since else ""
            cost = 0 if text or not note else UNITS(note)
            assert answer.tokens + cost <= budget
            assert not text or note in answer.text
            assert answer.shape.facts is not None
            facts = {fact for kind in answer.shape.facts for fact in kind}
            assert {fact for fact in before if len(fact) == 2 and isinstance(fact[1], str)} <= facts
            before = facts
            told.append(answer.shape.ladder)
        assert set(told) == {ladder}
        assert [(step.min_budget, step.view) for step in ladder][: len(found)] == found


def test_a_read_that_may_not_degrade_says_what_the_patch_costs(tmp_path: Path) -> None:
    """With `on_overflow` error the least budget that is answered is that of the patch."""
    ids = repository(tmp_path / "r", CODE, MANY)
    with Node.open(tmp_path / "r", tree="demo") as node:
        for text in (False, True):
            fields = {"path": "dock.py", "since": ids[0], "view": "full", "on_overflow": "error"}
            with pytest.raises(BudgetTooSmall) as error:
                node.ask({**fields, "budget_tokens": 100}, text=text)
            price = int(str(error.value.members["minimum_tokens"]))
            assert node.ask({**fields, "budget_tokens": price}, text=text).view == "patch"
            with pytest.raises(BudgetTooSmall):
                node.ask({**fields, "budget_tokens": price - 1}, text=text)


def test_a_rewritten_file_is_read_with_a_note_of_what_changed(tmp_path: Path) -> None:
    """Where the patch costs more than the text, the read is what it would be, and a note names the entries."""
    new = HEAD + b"".join(method(number, b"return n * %d" % number) for number in range(1, 31))
    new = new.replace(b"step_", b"pace_")
    ids = repository(tmp_path / "r", CODE, new)
    with Node.open(tmp_path / "r", tree="demo") as node:
        plain = node.read("dock.py", budget_tokens=4000)
        body = body_of(node.read("dock.py", since=ids[0], budget_tokens=4000))
        assert (body["view"], body["content"]) == ("full", plain.content)
        assert body["since"]["note"].startswith(f"changed since {ids[0][:12]}: Dock.moor_1 body, Dock.moor_2 body, ")
        assert body["since"]["note"].endswith(", +24 more")
        assert body["tokens"] + UNITS(body["since"]["note"]) <= 4000
        text = node.read_text("dock.py", since=ids[0], budget_tokens=300)
        assert UNITS(text) <= 300
        assert body["since"]["note"] in text.partition("\n")[0]


def test_a_new_file_is_read_and_said_to_be_new(tmp_path: Path) -> None:
    """A file that the reader cannot have seen is read; one that was renamed is its patch."""
    place = tmp_path / "r"
    ids = make_repo(place, [{b"a.py": CODE}, {b"a.py": None, b"b.py": CODE + b"# end\n", b"new.py": b"x = 1\n"}])
    with Node.open(place, tree="demo") as node:
        body = body_of(node.read("new.py", since=ids[0]))
        assert (body["view"], body["content"]) == ("full", "x = 1\n")
        assert body["since"]["status"] == "added"
        moved = node.read("b.py", since=ids[0])
        assert moved.view == "patch"
        assert "rename from a.py\nrename to b.py\n" in moved.content


@pytest.mark.parametrize("on_disk", [False, True])
def test_a_file_that_was_renamed_is_no_new_one(tmp_path: Path, on_disk: bool) -> None:
    """A pure rename is `unchanged` and names the old path; parts are compared with those at the old one."""
    place = tmp_path / "r"
    (first,) = make_repo(place, [{b"src/core.py": CODE, b"other.py": b"x = 1\n"}])
    renamed = {b"src/core.py": None, b"src/kernel.py": CODE}
    if on_disk:
        write(place, renamed)
    else:
        commit(place, renamed, 2)
    with Node.open(place, tree="demo") as node:
        body = body_of(node.read("src/kernel.py", since=first, budget_tokens=60))
        assert (body["view"], body["content"]) == ("unchanged", "unchanged, renamed\n")
        assert body["since"] == {"commit": first, "status": "unchanged", "old_path": "src/core.py"}
        assert body["tokens"] <= 20
        text = node.read_text("src/kernel.py", since=first, budget_tokens=60)
        assert f" since {first[:12]}, renamed from src/core.py" in text
        assert re.fullmatch(r"unchanged \d+t, renamed\n", node.read_text("src/kernel.py", since=first, budget_tokens=8))
        assert node.read("src/kernel.py", since=first, lines="10-20").view == "unchanged"
        write(place, {b"src/kernel.py": CODE.replace(method(7), method(7, b"return 7"))})
        edited = node.read("src/kernel.py", since=first, section="Dock.moor_7")
        assert "rename from src/core.py\nrename to src/kernel.py\n" in edited.content
        assert "+        return 7\n" in edited.content
        (hunk,) = body_of(edited)["since"]["hunks"]
        assert "src/core.py@" in hunk["old"]["pointer"]
        write(place, {b"src/kernel.py": MANY})
        noted = node.read_text("src/kernel.py", since=first, budget_tokens=200)
        assert f" changed since {first[:12]}, renamed from src/core.py: Dock.moor_1 body, " in noted


@pytest.mark.parametrize("since", [0, 1])
def test_json_tells_of_the_file_as_any_read_does(tmp_path: Path, since: int) -> None:
    """`file` of an answer since a commit is that of a read without it; what is not known is null."""
    ids = repository(tmp_path / "r", CODE, CODE.replace(method(7), method(7, b"return 7")))
    commit(tmp_path / "r", {b"a.bin": b"\0\1", b"sub/a.md": b"# A\n"}, 3)
    with Node.open(tmp_path / "r", tree="demo") as node:
        plain = body_of(node.read("dock.py"))["file"]
        for fields in ({}, {"lines": "40-80"}, {"section": "Dock"}):
            answer = node.read("dock.py", since=ids[since], **fields)
            assert answer.view == ("unchanged" if since else "patch")
            assert body_of(answer)["file"] == plain
        binary = body_of(node.read("a.bin", since="HEAD"))["file"]
        assert (binary["bytes"], binary["format"], binary["line_count"], binary["tokens"]) == (2, None, None, None)
        folder = body_of(node.read("sub", since="HEAD"))["file"]
        assert (folder["format"], folder["line_count"], folder["tokens"]) == ("folder", None, None)


def test_bytes_that_are_not_committed_are_compared_too(tmp_path: Path) -> None:
    """An edit on disk is a patch since the commit, and nothing since the snapshot that a read gave of it."""
    place = tmp_path / "r"
    (first,) = repository(place, CODE)
    with Node.open(place, tree="demo") as node:
        write(place, {b"dock.py": CODE.replace(method(7), method(7, b"return 7"))})
        answer = node.read("dock.py", since=first)
        assert answer.view == "patch"
        assert answer.commit is not None
        assert node.read("dock.py", since=answer.commit).view == "unchanged"
        write(place, {b"dock.py": CODE.replace(method(8), method(8, b"return 8"))})
        again = node.read("dock.py", since=answer.commit)
        assert "-        return 7\n" in again.content
        assert "+        return 8\n" in again.content


def test_a_folder_is_what_changed_in_it(tmp_path: Path) -> None:
    """`since` on a folder is the changes of its files, unchanged where there are none."""
    place = tmp_path / "r"
    ids = make_repo(place, [{b"src/a.py": CODE, b"docs/a.md": b"# A\n"}, {b"src/a.py": CODE + b"# end\n"}])
    with Node.open(place, tree="demo") as node:
        body = body_of(node.read("src", since=ids[0]))
        assert body["view"] == "patch"
        assert [row["path"] for row in body["since"]["files"]] == ["src/a.py"]
        assert node.read("docs", since=ids[0]).view == "unchanged"
        text = node.read_text("src", since=ids[0])
        assert text.startswith(f"patch src@{ids[1][:12]} {UNITS(text)}t 1 file +1 -0 since {ids[0][:12]}\n")


def test_a_secret_file_shows_no_patch(tmp_path: Path) -> None:
    """What `auto` does not show of a secret file, `since` does not show either."""
    lines = b"".join(b"KEY_%d=value%d\n" % (n, n) for n in range(60))
    ids = repository(tmp_path / "r", lines, lines.replace(b"value7\n", b"hidden\n"), name=b".env")
    with Node.open(tmp_path / "r", tree="demo") as node:
        for text in (False, True):
            answer = node.ask({"path": ".env", "since": ids[0]}, text=text)
            assert "hidden" not in answer.text + answer.content
            assert "value" not in answer.text + answer.content


def test_an_unchanged_binary_is_unchanged(tmp_path: Path) -> None:
    """Nothing of it is read to say so."""
    (first,) = repository(tmp_path / "r", b"\0\1\2", name=b"a.bin")
    with Node.open(tmp_path / "r", tree="demo") as node:
        assert node.read("a.bin", since=first).view == "unchanged"


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"since": "f" * 40}, CommitUnknown),
        ({"since": "HEAD~1"}, InvalidRequest),
        ({"since": ""}, InvalidRequest),
        ({"since": 1}, InvalidRequest),
        ({"since": "HEAD", "budget_tokens": 1}, BudgetTooSmall),
    ],
)
def test_what_cannot_be_compared_is_refused(tmp_path: Path, fields: Any, error: type[Exception]) -> None:
    """A commit that is not there, an operator, a wrong type; a budget below the word."""
    repository(tmp_path / "r", CODE)
    with Node.open(tmp_path / "r", tree="demo") as node, pytest.raises(error):
        node.read("dock.py", **fields)


documents = st.lists(
    st.sampled_from(["alpha", "beta", "gamma", "", "delta one", "  two", "# Title", "x" * 30]), max_size=24
)
ranges = st.one_of(
    st.none(),
    st.tuples(st.integers(1, 26), st.integers(0, 8)).map(lambda pair: f"{pair[0]}-{pair[0] + pair[1]}"),
    st.sampled_from(["3-", "-4"]),
)


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(old=documents, new=documents, lines=ranges, ends=st.sampled_from(["\n", ""]), text=st.booleans())
def test_unchanged_is_never_said_of_lines_that_differ(
    tmp_path: Path, old: list[str], new: list[str], lines: str | None, ends: str, text: bool
) -> None:
    """`unchanged` means that the bytes asked for are those of the other commit; every answer holds its budget."""
    place = tmp_path / "shared"
    if not place.exists():
        make_repo(place, [{b"k": b"k"}])
    ids = [commit(place, {b"a.txt": ("\n".join(side) + ends).encode()}, 2) for side in (old, new)]
    before, after = (git(place, "show", f"{id}:a.txt") for id in ids)
    with Node.open(place, tree="demo", snapshots=False) as node:
        for budget in BUDGETS:
            try:
                fields = {"path": "a.txt", "commit": ids[1], "since": ids[0], "lines": lines, "budget_tokens": budget}
                answer = node.ask(fields, text=text)
            except (BudgetTooSmall, InvalidRequest):
                continue
            assert answer.tokens == UNITS(answer.text if text else answer.content) <= budget
            if answer.view == "unchanged":
                assert answer.since is not None
                if lines is None:
                    assert before == after
                elif lines[0] in string.digits and lines[-1] in string.digits:
                    first, last = map(int, lines.split("-"))
                    raw = [node.dereference(f"a.txt@{id}#L{first}-L{last}").content.content for id in ids]
                    assert raw[0] == raw[1]
