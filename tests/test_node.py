"""The facade on real repositories: pointers that verify, the concept page's request, bad input (CONTRACT 1-5, 8)."""

import hashlib
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from budgeted_reads import Answer, Node, pointer
from budgeted_reads.errors import BudgetTooSmall, InvalidRequest, ReadError
from budgeted_reads.tokens import counter
from repos import ENVIRONMENT, Link, commit, git, make_repo, write

COUNTER = counter("o200k_base")
ACME = (Path(__file__).parent / "fixtures/agents/cleo/memory/notes/customer-acme.md").read_text(encoding="utf-8")
NOTE = b"cleo/memory/notes/customer-acme.md"


@pytest.fixture(scope="module")
def agents(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Node]:
    """The tree `agents` of the node `home-box`, as on the concept page."""
    place = tmp_path_factory.mktemp("agents")
    make_repo(place, [{NOTE: ACME.encode()}])
    with Node.open(place, tree="agents", name="home-box") as node:
        yield node


def test_the_request_of_the_concept_page(agents: Node) -> None:
    """View outline at 400 tokens: the fields of the page, each heading on its own row, one row of evidence; content of
    about 70 tokens, and a body of at most 1,000."""
    answer = agents.ask({"path": "/agents/" + NOTE.decode(), "view": "outline", "budget_tokens": 400})
    body = answer.to_dict()
    assert len(ACME.splitlines()) == 40
    assert {"view", "tokens", "generated", "truncated", "content", "evidence"} <= set(body)
    assert (body["view"], body["generated"], body["truncated"]) == ("outline", False, False)
    rows = answer.content.splitlines()
    for row in ("1-40 # Acme", "12-18 ## Renewal", "19-31 ## Contacts", "32-40 ## Open issues"):
        assert row in rows
    (evidence,) = answer.evidence
    assert evidence.pointer.startswith("nas://home-box/agents/cleo/memory/notes/customer-acme.md@")
    assert evidence.pointer.endswith("#L1-L40")
    assert answer.tokens == COUNTER.units(answer.content)
    assert 30 <= answer.tokens <= 140
    assert COUNTER.units(json.dumps(body, ensure_ascii=False)) <= 1_000


def test_a_body_is_the_documented_fields(agents: Node) -> None:
    """Every key of a body stands in the table of fields, and what was not asked for is left out."""
    from budgeted_reads import fields

    names = [field.name for field in fields.ANSWER]
    body = agents.read("/agents/" + NOTE.decode()).to_dict()
    assert set(names) - set(body) <= {"entries", "entry_total", "facts", "ladder", "parts", "proof", "since"}
    assert set(body) <= set(names)
    assert json.loads(json.dumps(body)) == json.loads(json.dumps(agents.read("/agents/" + NOTE.decode()).to_dict()))
    more = agents.read("/agents/" + NOTE.decode(), include=["entries", "facts", "ladder"]).to_dict()
    assert set(more) | {"entry_total", "parts", "since", "proof"} == set(names) | {"entry_total"}


def by_git(place: Path, evidence: str) -> bytes:
    """The bytes of a pointer by `git show COMMIT:PATH | sed -n 'A,Bp'`, without this program."""
    named = pointer.parse(evidence)
    path = named.rest.split(b"/", 1)[1]
    spelled = named.commit.encode() + b":" + path
    shown = subprocess.run(["git", "show", spelled], cwd=place, env=ENVIRONMENT, capture_output=True, check=True).stdout
    if named.lines is None:
        return shown
    lines = f"{named.lines[0]},{named.lines[1]}p"
    sed = subprocess.run(["sed", "-n", lines], env=ENVIRONMENT, input=shown, capture_output=True, check=True).stdout
    # GNU sed and BSD sed differ in the LF that a last line lacks.
    return sed if shown.endswith(b"\n") or not sed.endswith(b"\n") or sed in shown else sed[:-1]


names = st.one_of(
    st.binary(min_size=1, max_size=12).map(lambda name: name.replace(b"\0", b"0").replace(b"/", b"\\")),
    st.sampled_from(
        [b"a@b", b"a#L1-L2", b"[x]", b"a\nb", b"-x", b"%41", b"a b ", b"\xff\xfe", "é".encode(), b"x@" + b"a" * 40]
    ),
).filter(lambda name: name.strip(b". ").lower() not in (b"", b"git") and b"git~" not in name.lower())


@settings(max_examples=25, deadline=None)
@given(
    st.lists(names, min_size=1, max_size=3).map(b"/".join), st.lists(st.binary(max_size=9), max_size=6).map(b"\n".join)
)
def test_any_path_goes_to_a_pointer_and_back(
    tmp_path_factory: pytest.TempPathFactory, path: bytes, content: bytes
) -> None:
    """Whatever bytes a path is made of, a read of it gives a pointer that dereferences to git's bytes with that hash,
    and the header of the text is a pointer that can be passed back."""
    place = tmp_path_factory.mktemp("any")
    ids = make_repo(place, [{path: content.replace(b"\0", b"") + b"end\n"}])
    with Node.open(place, tree="t") as node:
        answer = node.read(path)
        (evidence,) = answer.evidence
        assert evidence.pointer.startswith("nas://local/t/")
        assert ids[0] in evidence.pointer
        found = node.dereference(evidence.pointer, sha256=evidence.sha256)
        assert found.verification == "verified"
        assert hashlib.sha256(found.raw).hexdigest() == evidence.sha256
        assert found.raw == by_git(place, evidence.pointer)
        header = node.read_text(path).splitlines()[0]
        cited = header.split(" ")[1]
        assert node.dereference(cited).raw == found.raw
        assert node.read(cited).evidence == answer.evidence


@settings(max_examples=25, deadline=None)
@given(
    st.integers(1, 40),
    st.integers(0, 40),
    st.integers(25, 500),
    st.sampled_from(["auto", "lines", "outline", "folded"]),
)
def test_evidence_contains_what_is_shown(agents: Node, first: int, more: int, budget: int, view: str) -> None:
    """The pointer of a range verifies, equals git's bytes, and every line shown stands in them at its number."""
    wanted = {"lines": [first, first + more], "view": view, "budget_tokens": budget, "include": ["facts"]}
    answer = agents.read("/agents/" + NOTE.decode(), number_lines=True, **wanted)
    (evidence,) = answer.evidence
    assert evidence.lines == (first, min(first + more, 40))
    raw = agents.dereference(evidence.pointer, sha256=evidence.sha256).raw
    (tree,) = agents.catalog.trees.values()
    assert raw == by_git(Path(tree.root), evidence.pointer)
    lines = dict(enumerate(raw.decode().split("\n"), first))
    rows = {row.split(" ")[0].split("-")[0]: row.partition(" ")[2] for row in answer.content.splitlines()}
    facts = answer.shape.facts
    assert facts is not None
    for start, end in facts.lines:
        for number in range(start, end + 1):
            assert rows[str(number)] == lines[number]


def test_three_versions_of_a_library_are_read_at_each_commit(tmp_path: Path) -> None:
    """A file that changes from release to release is read as it was at each, by id, short id and tag, with evidence
    that names that commit; without a commit it is read as it is now."""
    source = (Path(__file__).parent.parent / "src" / "budgeted_reads" / "pointer.py").read_text(encoding="utf-8")
    one = "\n".join(source.split("\n")[:60]) + "\n"
    two = one + "\n\ndef release_two() -> int:\n    return 2\n"
    three = two.replace("release_two", "release_three") + "\n\nclass Added:\n    size = 3\n"
    ids = make_repo(tmp_path, [{b"lib/pointer.py": text.encode()} for text in (one, two, three)])
    for number, id in enumerate(ids, 1):
        git(tmp_path, "tag", f"v{number}", id)
    with Node.open(tmp_path, tree="lib") as node:
        for text, id, tag in zip((one, two, three), ids, ("v1", "v2", "v3"), strict=True):
            for name in (id, id[:10], tag):
                answer = node.read("lib/pointer.py", commit=name, budget_tokens=100_000)
                assert answer.content == text
                assert answer.commit == id
                assert node.dereference(answer.evidence[0].pointer).raw == text.encode()
            named = node.read("lib/pointer.py", commit=tag, view="outline", include=["facts"]).shape.facts
            assert named is not None
            known = {fact.name for fact in named.named}
            assert ("release_two" in known, "release_three" in known) == (tag == "v2", tag == "v3")
        assert node.read("lib/pointer.py").commit == ids[2]
        with pytest.raises(ReadError) as caught:
            node.read("lib/pointer.py", section="Added", commit="v2")
        assert caught.value.code == "section_not_found"


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Node, Path, str]]:
    """A repository with one of each: folders, links, binary and empty files, odd names."""
    place = tmp_path_factory.mktemp("mixed")
    files: dict[bytes, bytes | Link | None] = {
        b"notes.md": b"# A\n\ntext\n\n## B\n\none\n\n## B\n\ntwo\n",
        b"src/mod.py": b"def f(x):\n    return x\n",
        b"bin": b"\x00\x01",
        b"out": Link(b"/etc/hostname"),
        b"up": Link(b"../outside"),
        b"in": Link(b"notes.md"),
        b"empty": b"",
        b"one": b"x",
        b"notes.md@0123456": b"a literal file\n",
    }
    ids = make_repo(place, [files])
    with Node.open(place, tree="t") as node:
        yield node, place, ids[0]


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("notes.mdd", "not_found"),
        ("src/mood.py", "not_found"),
        ("nowhere/at/all", "not_found"),
        ("notes.md/", "not_a_file"),
        ("../x", "forbidden_path"),
        ("src/../notes.md", "forbidden_path"),
        ("/t/../etc/passwd", "forbidden_path"),
        ("/etc/passwd", "forbidden_path"),
        ("a\0b", "invalid_request"),
        ("\ud800", "invalid_request"),
        ("x" * 5000, "invalid_request"),
        ("out", "forbidden_path"),
        ("up", "forbidden_path"),
        (".git/config", "forbidden_path"),
        (".GIT/HEAD", "forbidden_path"),
        ("bin", "binary_file"),
        ("nas://local/t/notes.md", "invalid_request"),
        ("notes.md@ffffffffffff", "commit_unknown"),
    ],
)
def test_a_wrong_path_is_refused_by_its_code(mixed: tuple[Node, Path, str], path: str, code: str) -> None:
    """Each mistake has its own code, a hint, and a line of at most 80 tokens."""
    with pytest.raises(ReadError) as caught:
        mixed[0].read(path)
    assert caught.value.code == code
    assert caught.value.hint
    assert COUNTER.units(caught.value.line()) <= 80
    assert caught.value.problem()["code"] == code


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"lines": "9-3"}, "invalid_request"),
        ({"lines": "50-60"}, "range_out_of_bounds"),
        ({"lines": "12-"}, "range_out_of_bounds"),
        ({"lines": "1", "columns": "9-12"}, "range_out_of_bounds"),
        ({"section": "B"}, "ambiguous_section"),
        ({"section": "Bee"}, "section_not_found"),
        ({"section": "x" * 20_000}, "section_not_found"),
        ({"section": ["A", "x" * 20_000]}, "section_not_found"),
        ({"section": "L99"}, "section_not_found"),
        ({"budget_tokens": 1}, "budget_too_small"),
        ({"budget_tokens": "400"}, "invalid_request"),
        ({"commit": "--upload-pack=x"}, "invalid_request"),
        ({"commit": "-n"}, "invalid_request"),
        ({"commit": "HEAD~1"}, "invalid_request"),
        ({"commit": "HEAD:notes.md"}, "invalid_request"),
        ({"commit": "main\n"}, "invalid_request"),
        ({"commit": "deadbeef"}, "commit_unknown"),
        ({"commit": "x" * 9000}, "commit_unknown"),
        ({"tokenizer": "gpt-9" * 999}, "unknown_tokenizer"),
        ({"view": "folder"}, "invalid_request"),
        ({"veiw": "full"}, "invalid_request"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_wrong_field_is_refused_by_its_code(
    mixed: tuple[Node, Path, str], fields: dict[str, object], code: str
) -> None:
    """Each mistake in a field has its code, a hint, and a line of at most 80 tokens."""
    for text in (False, True):
        with pytest.raises(ReadError) as caught:
            mixed[0].ask({"path": "notes.md", **fields}, text=text)
        assert caught.value.code == code
        assert caught.value.hint
        assert COUNTER.units(caught.value.line()) <= 80


def test_a_missing_path_has_near_names(mixed: tuple[Node, Path, str]) -> None:
    """`near` names what was meant, also where only the case differs."""
    for wrong, right in (("notes.mdd", "notes.md"), ("NOTES.md", "notes.md"), ("src/mod.pyy", "src/mod.py")):
        with pytest.raises(ReadError) as caught:
            mixed[0].read(wrong)
        near = caught.value.members["near"]
        assert isinstance(near, list)
        assert right in near


def test_an_ambiguous_section_has_candidates(mixed: tuple[Node, Path, str]) -> None:
    """Titles and ranges of each are told, and either range is found by `L<n>`."""
    with pytest.raises(ReadError) as caught:
        mixed[0].read("notes.md", section="B")
    assert caught.value.members["candidates"] == [
        {"title": "A > B", "lines": "5-8"},
        {"title": "A > B", "lines": "9-11"},
    ]
    assert mixed[0].read("notes.md", section="L9").content == "## B\n\ntwo\n"


def test_a_literal_file_wins_over_a_short_pointer(mixed: tuple[Node, Path, str]) -> None:
    """`notes.md@0123456` is a file here, so it is read; the same with the id of a commit is a pointer."""
    node, _, id = mixed
    assert node.read("notes.md@0123456").content == "a literal file\n"
    assert node.read(f"notes.md@{id[:12]}#L1").content == "# A\n"
    with pytest.raises(InvalidRequest):
        node.read(f"notes.md@{id[:12]}#L1", lines="2")
    with pytest.raises(InvalidRequest):
        node.read(f"notes.md@{id[:12]}", commit="main")


def test_a_range_partly_past_the_end_is_clamped_and_says_so(mixed: tuple[Node, Path, str]) -> None:
    """The answer has the lines there are, evidence for exactly those, and `clamped_range`."""
    answer = mixed[0].read("notes.md", lines="9-99")
    assert answer.content == "## B\n\ntwo\n"
    assert answer.evidence[0].pointer.endswith("#L9-L11")
    assert [warned.code for warned in answer.warnings] == ["clamped_range"]


def test_files_that_are_not_committed_have_no_pointer_and_say_why(tmp_path: Path) -> None:
    """Without snapshots such files are served as they are; the header has a bare path, the body a reason."""
    make_repo(tmp_path, [{b"a.md": b"old\n", b".gitignore": b"ignored\n"}])
    write(tmp_path, {b"a.md": b"new\n", b"fresh": b"fresh\n", b"ignored": b"i\n"})
    with Node.open(tmp_path, tree="t", snapshots=False) as node:
        for path in ("a.md", "fresh", "ignored"):
            answer = node.read(path)
            assert (answer.evidence, answer.commit, answer.blob) == ((), None, None)
            assert answer.snapshot is not None
            assert answer.snapshot["dirty"] is True
            assert answer.snapshot["reason"]
            for fields in ({}, {"lines": "1"}):
                header = node.read_text(path, **fields).split("\n")[0]
                assert "@" not in header
                assert " dirty" in header
        assert node.read("a.md", commit="HEAD").content == "old\n"
        assert "@" in node.read_text("a.md", commit="HEAD").split("\n")[0]


def test_a_plain_folder_is_read_without_pointers(tmp_path: Path) -> None:
    """A folder without a repository is served; without snapshots nothing in it has a pointer or a commit."""
    write(tmp_path, {b"a.md": b"# A\n"})
    with Node.open(tmp_path, tree="t", snapshots=False) as node:
        answer = node.read("a.md")
        assert (answer.content, answer.evidence) == ("# A\n", ())
        with pytest.raises(ReadError) as caught:
            node.read("a.md", commit="HEAD")
        assert caught.value.code == "commit_unknown"


def test_a_budget_over_the_maximum_is_lowered(mixed: tuple[Node, Path, str]) -> None:
    """10**12 tokens are answered within the node's maximum, with `clamped_budget` on both faces."""
    answer = mixed[0].read("notes.md", budget_tokens=10**12)
    assert answer.budget_tokens == 1_000_000
    assert [warned.code for warned in answer.warnings] == ["clamped_budget"]
    assert "clamped_budget" in mixed[0].read_text("notes.md", budget_tokens=10**12)


@pytest.mark.parametrize("text", [False, True])
@pytest.mark.parametrize("path", ["notes.md", "src/mod.py", "empty", "one", "in", "/t", "src"])
def test_every_budget_around_the_floor(mixed: tuple[Node, Path, str], path: str, text: bool) -> None:
    """Below the floor the error names it; from there on, 30 budgets are answered within them, for each tokenizer."""
    from budgeted_reads.tokens import NAMES

    for tokenizer in ("o200k_base", "claude", "gemini", "bytes", *NAMES[1:3]):
        floor = least(mixed[0], path, tokenizer, text)
        for budget in range(max(1, floor - 2), floor + 30):
            fields = {"path": path, "budget_tokens": budget, "tokenizer": tokenizer}
            try:
                answer = mixed[0].ask(fields, text=text)
            except BudgetTooSmall as error:
                assert budget < floor == error.minimum_tokens
                continue
            assert budget >= floor
            assert answer.tokens <= answer.upper_bound <= budget
            if answer.exact:
                assert counter(tokenizer).units(answer.text if text else answer.content) == answer.tokens


def least(node: Node, path: str, tokenizer: str, text: bool) -> int:
    """The least budget that is answered."""
    try:
        node.ask({"path": path, "budget_tokens": 1, "tokenizer": tokenizer}, text=text)
    except BudgetTooSmall as error:
        return error.minimum_tokens
    return 1


def test_equal_requests_give_equal_bytes(tmp_path: Path) -> None:
    """Two nodes, one after the other, give the same body and the same text."""
    make_repo(tmp_path, [{NOTE: ACME.encode()}])
    told = []
    for _ in range(2):
        with Node.open(tmp_path, tree="t") as node:
            body = node.read(NOTE, budget_tokens=150, include=["entries", "facts", "ladder"]).to_dict()
            told.append((json.dumps(body), node.read_text(NOTE, budget_tokens=150), node.read_text("/t")))
    assert told[0] == told[1]


def test_a_bare_repository_is_read_like_a_work_tree(tmp_path: Path) -> None:
    """Reads, folders and pointers of a bare repository are those of its HEAD."""
    ids = make_repo(tmp_path / "r.git", [{NOTE: ACME.encode()}], bare=True)
    with Node.open(tmp_path / "r.git") as node:
        answer = node.read(NOTE)
        assert answer.content == ACME
        assert answer.commit == ids[0]
        assert node.dereference(answer.evidence[0].pointer).raw == ACME.encode()
        assert "cleo/ 1 files" in node.read_text("/r")


def test_a_commit_that_a_ref_hides_is_ambiguous(tmp_path: Path) -> None:
    """A branch named like another commit's short id is no silent choice."""
    ids = make_repo(tmp_path, [{b"a": b"1\n"}, {b"a": b"2\n"}])
    git(tmp_path, "update-ref", f"refs/heads/{ids[0][:8]}", ids[1])
    with Node.open(tmp_path) as node:
        with pytest.raises(ReadError) as caught:
            node.read("a", commit=ids[0][:8])
        assert caught.value.code == "ambiguous_commit"
        assert caught.value.members["candidates"]
        assert node.dereference(f"a@{ids[0][:8]}").raw == b"1\n"


def test_pointers_are_followed_after_the_file_has_changed(tmp_path: Path) -> None:
    """A pointer goes on naming the old bytes when the file is edited, committed again, and deleted."""
    make_repo(tmp_path, [{b"a": b"1\n2\n3\n"}])
    with Node.open(tmp_path, tree="t") as node:
        (evidence,) = node.read("a", lines="2").evidence
        write(tmp_path, {b"a": b"other\n"})
        assert node.dereference(evidence.pointer, sha256=evidence.sha256).verification == "verified"
        commit(tmp_path, {b"a": None, b"b": b"x\n"}, 2)
        assert node.dereference(evidence.pointer).raw == b"2\n"
        assert node.dereference(evidence.pointer, sha256="0" * 64).verification == "hash_mismatch"


def answers(node: Node, path: str) -> list[Answer]:
    """What a read of PATH answers on both faces over many budgets."""
    found = []
    for budget in (10, 14, 20, 30, 40, 60, 90, 150, 300, 2000):
        for text in (False, True):
            fields = {"path": path, "budget_tokens": budget, "include": ["entries", "facts", "ladder"]}
            try:
                found.append(node.ask(fields, text=text))
            except BudgetTooSmall:
                continue
    return found


SECRETS = {
    b".env": b"API_KEY=hunter2value\nDB='postgres://u:hunter2value@h'\n\nexport TOKEN=\"hunter2value\nhunter2value\"\n",
    b"deploy/.env.production": b"hunter2value\nPLAIN: hunter2value\n",
    b"id_ed25519": b"-----BEGIN OPENSSH PRIVATE KEY-----\n"
    + b"hunter2value" * 5
    + b"\n-----END OPENSSH PRIVATE KEY-----\n",
    b"conf.yaml": b"db:\n  key: |\n    -----BEGIN RSA PRIVATE KEY-----\n    "
    + b"hunter2value" * 4
    + b"\n    -----END RSA PRIVATE KEY-----\n  db: hunter2value\n  db: hunter2value\n",
    b".npmrc": b"//registry/:_authToken=hunter2value\nregistry=hunter2value\n",
}


@pytest.mark.parametrize("path", [path.decode() for path in SECRETS])
def test_secret_files_show_names_and_no_value(tmp_path: Path, path: str) -> None:
    """View auto, its facts, entries, ladder and errors never hold a value, on no face and at no budget; a view that is
    named reads them, at the price that is offered."""
    make_repo(tmp_path, [SECRETS])
    with Node.open(tmp_path, tree="t") as node:
        for answer in answers(node, path):
            assert "hunter2value" not in json.dumps(answer.to_dict()) + answer.text
            if answer.view != "card":
                assert "secret_file" in [warned.code for warned in answer.warnings]
        for text in (False, True):
            (more,) = node.ask({"path": path}, text=text).shape.next
            whole = node.ask({"path": path, "view": "full", "budget_tokens": more.tokens}, text=text)
            assert whole.view == "full"
            assert "hunter2value" in whole.text
            with pytest.raises(ReadError) as caught:
                node.ask({"path": path, "view": "auto", "section": "hunter2valu"}, text=text)
            assert "hunter2value" not in json.dumps(caught.value.problem())
            less = {"path": path, "view": "full", "budget_tokens": more.tokens - 1, "on_overflow": "error"}
            with pytest.raises(BudgetTooSmall):
                node.ask(less, text=text)
        assert "hunter2value" not in node.read_text("/t") + json.dumps(node.read("/t", include=["entries"]).to_dict())


def test_a_folder_keeps_the_promises_too(tmp_path: Path) -> None:
    """At every budget: cost as printed and within it, rows only more, everything from its cost on; `next` at its price
    gives the rows that are left out."""
    files = {f"file {number}.md".encode(): b"x" * number * 7 for number in range(25)}
    make_repo(tmp_path, [{**files, b"sub/a": b"a" * 9000, b"new\nline": b"1"}])
    with Node.open(tmp_path, tree="t") as node:
        rows = node.read("/t", view="folder", on_overflow="error").content.splitlines()
        assert len(rows) == 27
        for text in (False, True):
            before = 0
            for budget in range(least(node, "/t", "o200k_base", text), 420, 3):
                answer = node.ask({"path": "/t", "budget_tokens": budget}, text=text)
                assert COUNTER.units(answer.text if text else answer.content) == answer.tokens <= budget
                count = len(answer.content.splitlines()) if answer.view == "folder" else 0
                assert count >= before
                before = count
                # Beyond its own rows, a folder goes on with the outlines of its files.
                count = min(count, 27)
                assert answer.view == "card" or answer.content.splitlines()[:27] == rows[:count]
                assert (count == 27) == (budget >= answer.shape.full)
                for more in answer.shape.next:
                    assert more.lines is not None
                    fields = {"path": "/t", "view": "folder", "lines": list(more.lines), "budget_tokens": more.tokens}
                    rest = node.ask(fields, text=text)
                    assert rest.content.splitlines() == rows[count:]
                    with pytest.raises(BudgetTooSmall):
                        node.ask({**fields, "budget_tokens": more.tokens - 1, "on_overflow": "error"}, text=text)


@pytest.mark.parametrize("view", ["full", "lines", "section", "outline", "folded"])
def test_a_folder_is_no_file(mixed: tuple[Node, Path, str], view: str) -> None:
    """Views of files are `not_a_file` for a folder, `lines` are its rows, and fields of text are refused."""
    extra = {"section": {"section": "A"}, "lines": {"lines": "1"}}.get(view, {})
    if view == "lines":
        assert mixed[0].read("/t", view=view, **extra).content == "bin ~1t\n"
        return
    with pytest.raises(ReadError) as caught:
        mixed[0].read("src", view=view, **extra)
    assert caught.value.code == "not_a_file"


def test_many_entries_take_a_moment(tmp_path: Path) -> None:
    """100,000 entries are outlined, fitted and accounted for; what is left out is counted."""
    write(tmp_path, {b"many.yaml": b"".join(b"key%d: %d\n" % (number, number) for number in range(100_000))})
    with Node.open(tmp_path, tree="t") as node:
        answer = node.ask({"path": "many.yaml", "budget_tokens": 500}, text=True)
        assert answer.tokens <= 500
        assert COUNTER.units(answer.text) == answer.tokens


def test_a_title_longer_than_the_budget_is_clipped_or_left_out(tmp_path: Path) -> None:
    """A heading and a line of thousands of tokens still give a view within any budget from the floor on."""
    write(tmp_path, {b"a.md": b"# " + b"word " * 5000 + b"\n\n" + b"text " * 5000 + b"\n\n## Short\n\nend\n"})
    with Node.open(tmp_path, tree="t") as node:
        for budget in range(20, 200, 9):
            for text in (False, True):
                answer = node.ask({"path": "a.md", "budget_tokens": budget}, text=text)
                assert COUNTER.units(answer.text if text else answer.content) == answer.tokens <= budget


def test_a_file_that_cannot_be_read_is_an_error_with_a_hint(tmp_path: Path) -> None:
    """A pipe, and a link to itself, are no trace and no hang."""
    import os

    write(tmp_path, {b"a": b"1\n", b"loop": Link(b"loop")})
    os.mkfifo(tmp_path / "pipe")
    with Node.open(tmp_path, tree="t") as node:
        with pytest.raises(ReadError) as caught:
            node.read("pipe")
        assert caught.value.hint
        assert node.read("loop").content == "loop"
