"""Checks of whole texts: every pointer in its line, what fails, what is written anew, and proofs for strangers."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from budgeted_reads import contract
from budgeted_reads.cli.main import main
from budgeted_reads.errors import BudgetTooSmall
from budgeted_reads.mcp import handlers
from budgeted_reads.node import Node
from budgeted_reads.trees.catalog import Catalog, open_tree
from casekit.invariants import recount
from repos import commit, git, make_repo, write
from serving import start

TOP = Path(__file__).resolve().parent.parent
LINES = [f"line {n} says that {n * n} is a square\n" for n in range(1, 21)]
TEXT = "".join(LINES).encode()


class Desk:
    """A repository, its first commit, and the command run in it."""

    def __init__(self, place: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
        self.place = place
        (self.first,) = make_repo(place, [{b"a.md": TEXT, b"old/name.py": b"def alpha():\n    return 1000\n"}])
        self._captured = capfdbinary

    def nas(self, *words: str) -> tuple[int, str]:
        """The exit code of `nas WORDS`, and all that it prints."""
        code = main(words)
        printed = self._captured.readouterr()
        return code, (printed.out + printed.err).decode()

    def document(self, text: str, name: str = "doc.md") -> Path:
        """A file beside the repository with TEXT in it."""
        file = self.place.parent / name
        file.write_bytes(text.encode())
        return file


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]) -> Desk:
    """A desk; its repository is the current folder."""
    made = Desk(tmp_path / "r", capfdbinary)
    monkeypatch.chdir(made.place)
    monkeypatch.setenv("HOME", str(tmp_path))
    return made


def test_each_pointer_has_one_line_and_bad_ones_fail(desk: Desk) -> None:
    """Good and bad citations of every spelling: one line each with its place, then the totals; 1 where one is bad."""
    git(desk.place, "config", "remote.origin.url", "git@github.com:Owner/Repo.git")
    id = desk.first
    good = f"""# Report

It "says that 4 is a square" (a.md@{id[:12]}#L2). See also nas://local/r/a.md@{id}#L1-L3 there.
The workflow uses actions/checkout@{id} and the file a.md@{id}.

> line 5 says
> that 25 is a square

— https://github.com/owner/repo/blob/{id}/a.md#L5
Elsewhere: https://github.com/other/repo/blob/{id}/a.md#L500
"""
    code, printed = desk.nas("check", str(desk.document(good)))
    assert code == 0, printed
    states = [line.split(" ", 2)[2] for line in printed.splitlines()[:-1]]
    assert states == ["verified", "exists", "exists", "verified"]
    assert printed.splitlines()[-1] == "4 pointers: 2 verified, 2 exist, 0 bad, 0 drifted"
    bad = f"""- "says that 5 is a square" a.md@{id}#L2
- "says that 9 is a square" a.md@{id}#L2
- a.md@{id}#L726
- b.md@{id}#L1
- a.md@{"1" * 40}#L1
- nas://local/r/a.md@here#L1
"""
    code, printed = desk.nas("check", str(desk.document(bad)))
    assert code == 1
    rows = [re.sub(r"^.*?doc.md:(\d+): \S+ ", r"\1 ", line) for line in printed.splitlines()]
    assert rows[:3] == [
        '1 quote differs: "says that 5 is a square": says that [-5-]{+4+} is a square',
        '2 quote differs: "says that 9 is a square" stands at L3',
        "3 does not exist: range_out_of_bounds (the file has 20 lines)",
    ]
    assert [row.split(" (")[0] for row in rows[3:6]] == [
        "4 does not exist: path_missing",
        "5 does not exist: commit_unknown",
        "6 not verified: syntax_error",
    ]
    assert rows[6] == "6 pointers: 0 verified, 0 exist, 6 bad, 0 drifted"


APP = """# one
# two
# three
# four
# five
# six
# seven
# eight
# nine
from functools import update_wrapper
from inspect import iscoroutinefunction
from itertools import chain
"""


@pytest.mark.parametrize(
    ("text", "states"),
    [
        (
            '"from functools import nothing_at_all" (APP#L12).\n\n> from itertools import chain\n\nAs APP#L12 says.',
            ['quote differs: "from functools import nothing_at_all": from [-functools-]', "verified"],
        ),
        (
            'Flask deletes all user data: "shutil.rmtree(everything)" (APP#L12):\n\n> from itertools import chain',
            ["quote differs: [-shutil.rmtree(everything)-]"],
        ),
        ('"from itertools import chain" (APP#L12):\n\n> from itertools import chain', ["verified"]),
        (
            '"from itertools import chain" (APP#L12):\n\n> from functools import update_wrapper',
            ['quote differs: "from functools import update_wrapper" stands at L10'],
        ),
        (
            '"from functools import update_wrapper" (APP#L10).\n\n> from itertools import chain\n\nAs APP#L12 says.',
            ["verified", "verified"],
        ),
        ('See "from functools import update_wrapper" (APP#L10), and APP#L12.', ["verified", "exists"]),
        ("In APP#L10: `from functools import update_wrapper`", ["verified"]),
        (
            "In APP#L10: `from functools import nothing_at_all`",
            ['quote differs: "from functools import nothing_at_all": from functools import [-nothing_at_all-]'],
        ),
    ],
)
def test_a_right_block_hides_no_wrong_quote_and_no_pointer_pays_for_its_neighbour(
    desk: Desk, text: str, states: list[str]
) -> None:
    """Each pointer is compared with its own quoted text, and with the block that it introduces besides."""
    id = commit(desk.place, {b"app.py": APP.encode()}, 2)
    code, printed = desk.nas("check", str(desk.document(text.replace("APP", f"app.py@{id[:12]}"))))
    rows = [line.split(" ", 2)[2] for line in printed.splitlines()[:-1]]
    assert [row[: len(state)] for row, state in zip(rows, states, strict=True)] == states
    assert code == any("differs" in state for state in states)


def test_drift_fails_only_when_strict(desk: Desk) -> None:
    """Lines that changed since are said; the exit code minds them with --strict alone."""
    file = desk.document(f"a.md@{desk.first}#L2 and a.md@{desk.first}#L9\n")
    write(desk.place, {b"a.md": b"new\n" + TEXT.replace(LINES[8].encode(), b"line 9 says that 81 is a number\n")})
    code, printed = desk.nas("check", str(file))
    assert (code, printed.count("exists; moved to L3"), printed.count("exists; changed since: ")) == (0, 1, 1)
    assert desk.nas("check", "--strict", str(file))[0] == 1


def test_json_has_the_rows_with_file_and_line(desk: Desk) -> None:
    """The same as JSON; a text without pointers has no rows and is good; the standard input is `-`."""
    file = desk.document(f"\n\nIt says `line 2 says that` a.md@{desk.first}#L2\n")
    code, printed = desk.nas("check", "--json", str(file), str(desk.document("nothing", "other.md")))
    (row,) = json.loads(printed)["results"]
    assert (code, row["file"], row["line"], row["verification"]) == (0, str(file), 3, "verified")
    assert row["quote"] == "line 2 says that"
    run = subprocess.run(
        [str(Path(sys.executable).parent / "nas"), "check", "-"],
        input=f"a.md@{desk.first}#L99".encode(),
        cwd=desk.place,
        capture_output=True,
        check=False,
    )
    assert (run.returncode, run.stdout.startswith(b"-:1: a.md@")) == (1, True)


def test_fix_writes_moved_pointers_anew_and_every_other_byte_stays(desk: Desk) -> None:
    """Moved and renamed pointers name HEAD, in their own spelling; the rest of the file is untouched; twice is once."""
    id = desk.first
    before = (
        f"\ufeffA “{LINES[1].strip()}” (a.md@{id[:12]}#2).\r\n\r\nSee nas://local/r/a.md@{id}#L4-L5;\r\n"
        f"gone: a.md@{id}#L9\told/name.py@{id}#L2, same: nas://local/r/a.md@{id}#L1\x0c"
        f"bad: a.md@{id}#L99 “not there at all” a.md@{id}#L3\u2028é"
    )
    file = desk.document(before)
    file.chmod(0o640)
    rows = [line.encode() for n, line in enumerate(LINES) if n != 8]
    change = {b"a.md": b"".join([rows[0], b"new\n", *rows[1:]])}
    two = commit(desk.place, {**change, b"old/name.py": None, b"new/name.py": b"def alpha():\n    return 1000\n"}, 2)
    code, printed = desk.nas("check", "--fix", str(file))
    assert (code, "written anew" in printed) == (1, True)
    after = file.read_bytes().decode()
    assert after == (
        before.replace(f"a.md@{id[:12]}#2)", f"a.md@{two[:12]}#L3)")
        .replace(f"nas://local/r/a.md@{id}#L4-L5", f"nas://local/r/a.md@{two}#L5-L6")
        .replace(f"old/name.py@{id}#L2", f"new/name.py@{two}#L2")
    )
    assert file.stat().st_mode & 0o777 == 0o640
    assert "written anew" not in desk.nas("check", "--fix", str(file))[1]
    assert file.read_bytes().decode() == after


def test_fix_goes_by_head_and_not_by_the_work_tree(desk: Desk) -> None:
    """A pointer is written only for bytes that HEAD holds there."""
    file = desk.document(f"a.md@{desk.first}#L2")
    write(desk.place, {b"a.md": b"dirty\n" + TEXT})
    assert "moved to L3" in desk.nas("check", "--fix", str(file))[1]
    assert file.read_text(encoding="utf-8") == f"a.md@{desk.first}#L2"


def test_fix_replaces_snapshots_once_their_lines_are_committed(desk: Desk) -> None:
    """A pointer to bytes that were not committed names HEAD as soon as HEAD has the same lines."""
    write(desk.place, {b"a.md": b"dirty\n" + TEXT})
    with Node.open(desk.place) as node:
        pointer = node.read("a.md", lines="1-2").evidence[0].pointer
    file = desk.document(f"See {pointer}.")
    assert "written anew" not in desk.nas("check", "--fix", str(file))[1]
    two = commit(desk.place, {b"a.md": b"first\ndirty\n" + TEXT}, 2)
    assert "written anew" in desk.nas("check", "--fix", str(file))[1]
    assert file.read_text(encoding="utf-8") == f"See nas://local/r/a.md@{two}#L2-L3."


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_what_is_written_anew_is_the_same_bytes_at_head(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """For any edit: each renewed pointer dereferences to what the old one did, and renewing again changes nothing."""
    place = tmp_path_factory.mktemp("fix") / "r"
    rows = data.draw(st.lists(st.sampled_from(LINES), min_size=2, max_size=8))
    edited = data.draw(st.lists(st.sampled_from([*LINES[:3], *rows]), max_size=10))
    ids = make_repo(place, [{b"a.md": "".join(rows).encode()}, {b"a.md": "".join(edited).encode()}])
    cited = [f"a.md@{ids[0][:12]}#L{n}" for n in range(1, len(rows) + 1)] + [f"a.md@{ids[0]}", f"a.md@{ids[0]}#L1-L2"]
    text = "\n".join(cited)
    with Node.open(place, snapshots=False) as node:
        check = node.check_text(text)
        new = check.renewed(check.rows().results)
        again = node.check_text(new)
        assert again.renewed(again.rows().results) == new
        for old, renewed in zip(cited, new.split("\n"), strict=True):
            assert node.dereference(renewed).raw == node.dereference(old).raw


def test_files_in_other_encodings_keep_their_bytes(desk: Desk) -> None:
    """UTF-16 and bytes that are no text come back as they were, apart from the pointer."""
    two = commit(desk.place, {b"a.md": b"new\n" + TEXT}, 2)
    for raw, encoding in ((f"é a.md@{desk.first}#L2 ü".encode("utf-16"), "utf-16"), (b"\xff\xfe\xfa \x81", "utf-8")):
        file = desk.place.parent / "odd.txt"
        pointer = f"a.md@{desk.first}#L2"
        file.write_bytes(raw if encoding == "utf-16" else b"\xfa \x81 " + pointer.encode() + b" \xfa\x81\n")
        before = file.read_bytes()
        desk.nas("check", "--fix", str(file))
        codec = "utf-16-le" if encoding == "utf-16" else "utf-8"
        assert file.read_bytes() == before.replace(pointer.encode(codec), f"a.md@{two}#L3".encode(codec))


def test_what_cannot_be_checked_is_an_error(desk: Desk) -> None:
    """A missing file is 3; a binary one and --fix of the standard input are 2."""
    code, printed = desk.nas("check", "nowhere.md")
    assert (code, printed.startswith("not_found: there is no file nowhere.md. ")) == (3, True)
    (desk.place.parent / "x.png").write_bytes(b"\x89PNG\r\n\0\0")
    assert desk.nas("check", str(desk.place.parent / "x.png"))[0] == 2
    assert desk.nas("check", "--fix", "-")[0] == 2


def test_the_command_verifies_pointers_given(desk: Desk) -> None:
    """One line for each; 0 where all hold; hash and quote go with a single one."""
    pointer = f"a.md@{desk.first}#L2"
    assert desk.nas("verify", pointer, "--quote", "line 2 says") == (0, f"{pointer} verified\n")
    assert desk.nas("verify", pointer, f"a.md@{desk.first}#L99")[0] == 1
    assert desk.nas("verify", pointer, pointer, "--quote", "line 2 says")[0] == 2
    code, printed = desk.nas("verify", pointer, "--json", "--sha256", "0" * 64)
    assert (code, json.loads(printed)["results"][0]["verification"]) == (1, "hash_mismatch")


def test_http_answers_as_the_library_and_as_its_type_says(desk: Desk) -> None:
    """The body of `/v1/pointers/verify` is that of the library, and every member of a row is in its type."""
    pointers = [
        {"pointer": f"a.md@{desk.first}#L2", "quote": "line 3 says"},
        {"pointer": f"A.md@{desk.first[:7]}"},
        {"pointer": f"nas://other/x/a.md@{desk.first}#L99"},
        {"pointer": f"old/name.py@{desk.first}#L1", "sha256": "0" * 64},
        {"pointer": "none"},
    ]
    commit(desk.place, {b"old/name.py": None, b"name.py": b"def alpha():\n    return 1000\n"}, 2)
    node = Node(Catalog([open_tree("r", str(desk.place))]), local=False)
    client, end = start(node)
    try:
        body = {"pointers": pointers, "include": ["proof"]}
        told = client.post("/v1/pointers/verify", body)
        assert told.json == json.loads(json.dumps(node.verify(pointers, include=["proof"]).to_dict()))
        assert json.loads(msgspec.json.encode(msgspec.convert(told.json, contract.Verification))) == told.json
        text = {"text": f"a.md@{desk.first}#L2"}
        assert client.post("/v1/pointers/verify", text).json == json.loads(json.dumps(node.verify(**text).to_dict()))
        assert client.post("/v1/pointers/verify", {}).json["code"] == "invalid_request"
        assert client.post("/v1/pointers/verify", {"pointers": [{"pointer": "a", "hash": "b"}]}).status == 422
    finally:
        end()
        end()
        node.close()


def prove(answer: Any, *words: str) -> subprocess.CompletedProcess[str]:
    """The stand-alone program over ANSWER, in a Python that sees neither this package nor any other."""
    tool = (TOP / "tools" / "verify_proof.py").read_text(encoding="utf-8")
    return subprocess.run(
        [sys.executable, "-I", "-S", "-c", tool, "-", *words],
        input=json.dumps(answer),
        capture_output=True,
        encoding="utf-8",
        check=False,
        env={"PATH": os.defpath},
    )


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
def test_a_stranger_can_check_a_proof_offline(tmp_path: Path, object_format: str) -> None:
    """Proofs of whole files, ranges, folders deep, odd names and UTF-16 hold for plain Python without git."""
    wide = "\ufeffone\nt\u010awo\nthree\n".encode("utf-16-le")
    files = {b"a.md": TEXT, b"d/e/\xff #%.md": TEXT, b"wide.txt": wide, b"empty": b"", b"bin": b"\0\n\0"}
    (id,) = make_repo(tmp_path / "r", [files], object_format=object_format)
    places = ["a.md@{}", "a.md@{}#L2-L9", "d/e/%FF%20%23%25.md@{}#L20", "wide.txt@{}#L2", "empty@{}", "bin@{}#L1"]
    with Node.open(tmp_path / "r") as node:
        answer = node.verify([place.format(id) for place in places], include=["proof"]).to_dict()
    run = prove(answer)
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.count("ok nas://local/r/") == len(places)


def test_a_read_gives_the_same_proof(desk: Desk) -> None:
    """`include: ["proof"]` on a read proves its evidence, ranges included; text faces are not changed by it."""
    with Node.open(desk.place) as node:
        for fields in ({}, {"lines": "2-4"}, {"path": "old/name.py"}):
            answer = node.ask({"path": "a.md", "include": ["proof"], **fields}).to_dict()
            assert prove(answer).returncode == 0
        assert "proof" not in node.ask({"path": "a.md"}).to_dict()


def test_no_false_proof_passes(tmp_path: Path) -> None:
    """Another line, hash, commit, path, object or order: each is WRONG, and nothing else is run or read."""
    (id,) = make_repo(tmp_path / "r", [{b"d/a.md": TEXT, b"d/b.md": TEXT + b"more\n"}])
    with Node.open(tmp_path / "r") as node:
        answer = node.verify([f"d/a.md@{id}#L2-L9", f"d/b.md@{id}#L2-L9"], include=["proof"]).to_dict()
    one, other = (dict(row["proof"]) for row in answer["results"])  # type: ignore[attr-defined]
    objects = one["objects"]
    flipped = {**objects[-1], "data": objects[-1]["data"].replace("a", "b", 1)}
    false = [
        {**one, "pointer": one["pointer"].replace("#L2-L9", "#L2-L8")},
        {**one, "pointer": one["pointer"].replace("#L2-L9", "#L2-L99")},
        {**one, "pointer": one["pointer"].replace("a.md", "b.md")},
        {**one, "pointer": one["pointer"].replace("/d/", "/e/")},
        {**one, "pointer": one["pointer"].replace(id, "1" * 40)},
        {**one, "sha256": "0" * 64},
        {**one, "objects": [*objects[:-1], flipped]},
        {**one, "objects": [*objects[:-1], other["objects"][-1]]},
        {**one, "objects": objects[1:]},
        {**one, "objects": [objects[0], *objects[2:]]},
        {**one, "objects": []},
        {"pointer": None, "objects": []},
    ]
    assert prove(one).returncode == 0
    for proof in false:
        run = prove([proof])
        assert (run.returncode, run.stdout[:5], run.stderr) == (1, "WRONG", ""), proof
    assert prove({}).returncode == 1


def test_the_tool_of_agents_keeps_its_budget(desk: Desk) -> None:
    """The text costs at most its budget, counts what it leaves out, and shows what is bad first; more shows more."""
    text = "\n".join(f'- "line {n} says that" a.md@{desk.first}#L{n + (n % 5 == 0)}' for n in range(1, 20))
    with Node.open(desk.place) as node:
        shown = -1
        for budget in (30, 60, 120, 400, 5000):
            told = node.verify_text(text, budget_tokens=budget)
            header, *rows = told.splitlines()
            printed = re.match(r"verify (\d+)t (.*? drifted)(?: \+(\d+) more)?$", header)
            assert printed, header
            assert printed[2] == "19 pointers: 16 verified, 0 exist, 3 bad, 0 drifted"
            assert recount(told) == int(printed[1]) <= budget
            assert len(rows) + int(printed[3] or 0) == 19
            assert len(rows) >= shown
            assert all("quote differs" in row for row in rows[:3])
            shown = len(rows)
        assert shown == 19
        with pytest.raises(BudgetTooSmall) as small:
            node.verify_text(text, budget_tokens=3)
        least = small.value.minimum_tokens
        assert node.verify_text(text, budget_tokens=least).count("\n") == 1
        result = handlers.call(node, "nas_verify", {"text": text, "budget_tokens": 400})
        assert (result.is_error, result.text) == (False, node.verify_text(text, budget_tokens=400))
        assert handlers.call(node, "nas_verify", {}).text.startswith("invalid_request: ")
        assert handlers.call(node, "nas_verify", {"text": "a", "depth": 1}).is_error
