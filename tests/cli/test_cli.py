"""`nas` as a process: what it prints where, how it ends, and what it never runs or imports (CONTRACT 3, 8, 10)."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from budgeted_reads.cli.options import COMMANDS
from budgeted_reads.tokens import counter
from repos import ENVIRONMENT, commit, make_repo, write

COUNTER = counter("o200k_base")
NAS = Path(sys.executable).parent / "nas"
HOSTILE = b"import os\nopen(os.environ['MARK'], 'w').close()\nraise SystemExit('a served file ran')\n"


def nas(place: Path, *arguments: str | bytes, **extra: str) -> "subprocess.CompletedProcess[bytes]":
    """What `nas` does with ARGUMENTS in the folder PLACE."""
    environment = {**ENVIRONMENT, "HOME": str(place.parent), "PATH": os.environ["PATH"], **extra}
    return subprocess.run([NAS, *arguments], cwd=place, env=environment, capture_output=True, check=False, timeout=60)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository to stand in."""
    place = tmp_path_factory.mktemp("here") / "repo"
    make_repo(
        place, [{b"a.md": b"# A\n\ntext\n\n## B\n\none\n\n## B\n\ntwo\n", b"bin": b"\x00", b"d/x.py": b"x = 1\n"}]
    )
    return place


def test_a_read_prints_a_header_and_rows(place: Path) -> None:
    """The text on stdout costs what its first line says, within the budget, and stderr stays empty."""
    done = nas(place, "read", "a.md", "--budget", "40")
    assert (done.returncode, done.stderr) == (0, b"")
    text = done.stdout.decode()
    tokens = int(text.split("\n")[0].split(" ")[2].split("/")[0])
    assert COUNTER.units(text) == tokens <= 40


def test_json_is_one_value(place: Path) -> None:
    """With `--json` the body is the only thing on stdout, and the same as the library gives."""
    done = nas(place, "read", "a.md", "--json", "--view", "outline", "--include", "facts,ladder")
    body = json.loads(done.stdout)
    assert body["view"] == "outline"
    assert body["facts"]
    assert body["ladder"]
    assert COUNTER.units(body["content"]) == body["tokens"]


WRONG = [
    (("read", "nope.md"), "not_found", 3),
    (("read", "a.md", "--section", "Z"), "section_not_found", 3),
    (("read", "a.md", "--section", "B"), "ambiguous_section", 2),
    (("read", "a.md", "--commit", "deadbeef"), "commit_unknown", 3),
    (("read", "a.md", "--commit=--help"), "invalid_request", 2),
    (("read", "a.md", "--commit", "-x"), "invalid_request", 2),
    (("read", "bin"), "binary_file", 2),
    (("read", "../x"), "forbidden_path", 2),
    (("read", "d", "--view", "full"), "not_a_file", 2),
    (("read", "a.md", "--lines", "90-99"), "range_out_of_bounds", 2),
    (("read", "a.md", "--lines", "9-3"), "invalid_request", 2),
    (("read", "a.md", "--budget", "1"), "budget_too_small", 2),
    (("read", "a.md", "--budget", "0"), "invalid_request", 2),
    (("read", "a.md", "--budget", "-5"), "invalid_request", 2),
    (("read", "a.md", "--budget", "1.5"), "invalid_request", 2),
    (("read", "a.md", "--budget", "4e2"), "invalid_request", 2),
    (("read", "a.md", "--budget", "٤"), "invalid_request", 2),
    (("read", "a.md", "--budget", "9" * 5000), "invalid_request", 2),
    (("read", "a.md", "--tokenizer", "gpt"), "unknown_tokenizer", 2),
    (("read", "a.md", "--view", "best"), "invalid_request", 2),
    (("read", "a.md", "--budgget", "4"), "invalid_request", 2),
    (("read", "a.md", "--path", "b.md"), "invalid_request", 2),
    (("read",), "invalid_request", 2),
    (("raed", "a.md"), "invalid_request", 2),
    (("deref", "a.md"), "invalid_request", 2),
    (("deref", "a.md@0123456789ab"), "commit_unknown", 3),
    (("read", "a.md", "--config", "/nowhere/nas.toml"), "invalid_request", 2),
]


@pytest.mark.parametrize(("arguments", "code", "status"), WRONG, ids=lambda value: str(value)[:50])
def test_every_mistake_has_its_code_and_no_trace(
    place: Path, arguments: tuple[str, ...], code: str, status: int
) -> None:
    """In text: stderr starts with the code, at most 80 tokens plus candidates, stdout empty. In JSON: one problem on
    stdout. The exit code is 3 for every 404, else 2."""
    told = nas(place, *arguments)
    assert (told.returncode, told.stdout) == (status, b"")
    error = told.stderr.decode()
    assert error.startswith(f"{code}: ")
    assert "Traceback" not in error
    assert COUNTER.units(error.split("\n")[0]) <= 80
    problem = nas(place, *arguments, "--json")
    assert problem.returncode == status
    body = json.loads(problem.stdout)
    assert (body["code"], bool(body["hint"])) == (code, True)
    assert problem.stderr == b""


def test_help_of_every_command() -> None:
    """Each command says what it does, every option, and an example."""
    here = Path(__file__).parent
    for command in COMMANDS:
        done = nas(here, command.name, "--help")
        assert (done.returncode, done.stderr) == (0, b"")
        text = done.stdout.decode()
        assert command.example in text
        for field in command.fields:
            if field.name == command.plural:
                continue  # the argument itself, given more than once
            assert field.name.replace("_", "-") in text.lower().replace("_", "-")
    assert nas(here, "--help").returncode == 0
    assert nas(here, "--version").stdout.startswith(b"nas ")


def test_a_pointer_from_a_header_is_followed(place: Path) -> None:
    """`nas deref` gives the exact bytes of what the header cites, and `nas read` takes it as a path."""
    header = nas(place, "read", "a.md", "--lines", "5-7").stdout.decode().split("\n")[0]
    cited = header.split(" ")[1]
    assert nas(place, "deref", cited).stdout == b"## B\n\none\n"
    assert nas(place, "read", cited).stdout.decode().split("\n")[1] == "5-8 ## B"
    wrong = nas(place, "deref", cited, "--sha256", "0" * 64)
    assert (wrong.returncode, wrong.stdout) == (1, b"## B\n\none\n")


def test_a_reader_that_leaves_is_no_error(place: Path) -> None:
    """A broken pipe ends the command quietly."""
    write(place, {b"long.txt": b"word and word\n" * 60_000})
    reader, writer = os.pipe()
    os.close(reader)
    environment = {**ENVIRONMENT, "HOME": str(place.parent), "PATH": os.environ["PATH"]}
    done = subprocess.run(
        [NAS, "read", "long.txt", "--budget", "999999"],
        cwd=place,
        env=environment,
        stdout=writer,
        stderr=subprocess.PIPE,
        check=False,
        timeout=60,
    )
    os.close(writer)
    os.remove(place / "long.txt")
    assert (done.returncode, done.stderr) == (0, b"")


def test_nothing_that_is_served_runs(tmp_path: Path) -> None:
    """Modules, scripts named git, hooks and configuration of the served repository stay data, on every command."""
    place, mark = tmp_path / "repo", tmp_path / "mark"
    names = ("argparse", "json", "os", "re", "typing", "budgeted_reads", "sitecustomize", "usercustomize", "splintr")
    files = {f"{name}.py".encode(): HOSTILE for name in names}
    script = f"#!/bin/sh\ntouch {mark}\n".encode()
    make_repo(place, [{**files, b"git": script, b".gitattributes": b"* filter=evil diff=evil\n", b"a.md": b"# A\n"}])
    os.chmod(place / "git", 0o755)
    with (place / ".git" / "config").open("a") as config:
        for name in ("clean", "smudge", "process"):
            config.write(f'[filter "evil"]\n\t{name} = touch {mark}\n')
        config.write(f'[diff "evil"]\n\ttextconv = touch {mark}\n[core]\n\tfsmonitor = touch {mark}\n')
        config.write(f"\thooksPath = {place}\n\tpager = touch {mark}\n[alias]\n\tcat-file = !touch {mark}\n")
    write(place, {b"a.md": b"# A\n\nmore\n"})
    for arguments in (
        ("read", "a.md"),
        ("read", "a.md", "--commit", "HEAD", "--json"),
        ("read", "json.py"),
        ("read", "."),
        ("trees",),
        ("doctor",),
        ("capabilities", "--json"),
    ):
        done = nas(place, *arguments, MARK=str(mark))
        assert done.returncode == 0, done.stderr
        assert not mark.exists(), arguments


def test_trees_and_capabilities_say_what_is_here(place: Path) -> None:
    """The tree is named after its folder, with its kind and commit; views and tokenizers are those of the tables."""
    from budgeted_reads import fields, tokens

    (tree,) = json.loads(nas(place, "trees", "--json").stdout)["trees"]
    assert (tree["name"], tree["kind"], len(tree["head"])) == ("repo", "worktree", 40)
    told = json.loads(nas(place, "capabilities", "--json").stdout)
    assert told["views"] == list(fields.VIEWS)
    assert [one["name"] for one in told["tokenizers"]] == list(tokens.NAMES)


def test_paths_are_taken_from_where_one_stands(place: Path) -> None:
    """In a folder below, a name is that folder's; an absolute place in the tree is read; one outside is refused."""
    below = place / "d"
    assert nas(below, "read", "x.py").stdout.startswith(b"full d/x.py@")
    assert nas(below, "read", str(place / "a.md")).stdout.startswith(b"full a.md@")
    assert nas(below, "read", "../a.md").stdout.startswith(b"full a.md@")
    assert nas(below, "read", "/etc/hostname").returncode == 2


def test_names_that_are_no_utf8_are_read(tmp_path: Path) -> None:
    """A name of any bytes, given as it is on the command line, is read, and its header cites it."""
    make_repo(tmp_path / "r", [{b"caf\xe9 [1].md": b"# C\n"}])
    done = nas(tmp_path / "r", "read", b"caf\xe9 [1].md")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(b"full caf%E9%20[1].md@")
    assert nas(tmp_path / "r", "deref", done.stdout.split(b" ")[1]).stdout == b"# C\n"


def test_the_configuration_names_trees(tmp_path: Path) -> None:
    """With several trees a path starts with one, and so does the header; a configuration inside a tree is refused."""
    for name in ("one", "two"):
        make_repo(tmp_path / name, [{b"a.md": f"# {name}\n".encode()}])
    where = tmp_path / "nas.toml"
    trees = "".join(f'[[tree]]\nname = "{name}"\npath = "{name}"\n' for name in ("one", "two"))
    where.write_text(f'node = "box"\n{trees}', encoding="utf-8")
    done = nas(tmp_path, "read", "/two/a.md", "--config", str(where))
    assert done.stdout.startswith(b"full /two/a.md@")
    assert nas(tmp_path, "deref", done.stdout.split(b" ")[1], "--config", str(where)).stdout == b"# two\n"
    body = json.loads(nas(tmp_path, "read", "/one/a.md", "--json", NAS_CONFIG=str(where)).stdout)
    assert body["evidence"][0]["pointer"].startswith("nas://box/one/a.md@")
    inside = tmp_path / "one" / "nas.toml"
    inside.write_text(trees.replace('"one"\n[', '"."\n['), encoding="utf-8")
    refused = nas(tmp_path, "read", "/one/a.md", "--config", str(inside))
    assert refused.returncode == 2
    assert refused.stderr.startswith(b"invalid_request: ")


def test_a_change_is_seen_by_the_next_process(tmp_path: Path) -> None:
    """Nothing is remembered between processes that could be stale: edits and commits show at once."""
    place = tmp_path / "r"
    make_repo(place, [{b"a.md": b"one\n"}])
    assert b"1 one\n" in nas(place, "read", "a.md").stdout
    write(place, {b"a.md": b"two\n"})
    edited = nas(place, "read", "a.md").stdout
    assert b" dirty\n1 two\n" in edited
    id = commit(place, {}, 2)
    assert nas(place, "read", "a.md").stdout.startswith(f"full a.md@{id[:12]} ".encode())


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="only Linux has a device that is always full")
@pytest.mark.parametrize("words", [("read", "a.md"), ("read", "a.md", "--json"), ("read", "none.md", "--json")])
def test_a_full_disk_is_no_fault_of_ours(place: Path, words: tuple[str, ...]) -> None:
    """Where stdout takes nothing, one line on stderr says so, without a trace, and the exit code is 2 or 3."""
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([NAS, *words], cwd=place, stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode in (2, 3)
    assert b"cannot be written" in done.stderr
    assert b"Traceback" not in done.stderr


def test_a_closed_stream_is_no_fault_of_ours(place: Path) -> None:
    """Where the caller has closed stdout or stderr, the exit code is the command's own, and there is no trace."""
    for end, words, code in (
        (">&-", "read a.md", 2),
        ("2>&-", "read nope.md", 3),
        ("2>&-", "read a.md", 0),
        (">&- 2>&-", "read nope.md", 3),
    ):
        done = subprocess.run(
            ["sh", "-c", f'"$0" {words} {end}', NAS], cwd=place, env=ENVIRONMENT, capture_output=True, check=False
        )
        assert done.returncode == code
        assert b"Traceback" not in done.stderr
        assert b"internal" not in done.stderr


def test_a_command_leaves_nothing_behind(place: Path, tmp_path: Path) -> None:
    """Without a cache folder what is temporary is gone when the command has ended, and its exit code is its own."""
    for arguments, code in ((("read", "a.md"), 0), (("read", "nope.md"), 3), (("--help",), 0)):
        done = nas(place, *arguments, HOME="/proc/nowhere", XDG_CACHE_HOME="/proc/nowhere", TMPDIR=str(tmp_path))
        assert done.returncode == code
        assert done.stdout or done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_mistyped_option_is_answered_with_what_it_is_like(place: Path) -> None:
    """The options that an unknown one is like are named; globs of a read and of a search have either name."""
    done = nas(place, "read", "a.md", "--buget", "40")
    assert done.returncode == 2
    assert b"near: --budget" in done.stderr
    assert nas(place, "read", "--globs", "*.md").stdout == nas(place, "read", "--glob", "*.md").stdout
    assert nas(place, "search", "one", "--glob", "*.md").stdout == nas(place, "search", "one", "--globs", "*.md").stdout


def test_the_doctor_notes_that_nothing_can_be_kept(place: Path) -> None:
    """Where no state folder can be made, it says so, and what to do."""
    done = nas(place, "doctor", HOME="/proc/nowhere", XDG_STATE_HOME="/proc/nowhere")
    assert b"XDG_STATE_HOME" in next(row for row in done.stdout.splitlines() if b"snapshots" in row)
