"""Outlines in children: what goes wrong there costs one outline, and nothing else."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgeted_reads import workers as pool
from budgeted_reads.derived import Derived
from budgeted_reads.outline import Entry, Outline, Warned, registry
from budgeted_reads.outline.plainly import fits, pack, unpack
from budgeted_reads.text import Text, decode
from budgeted_reads.workers import Bounds, Workers, folders_of

SOURCE = decode(b"class Dock:\n    def moor(self):\n        return 1\n\n\ndef sail():\n    pass\n")
RIGHT = registry.outline(SOURCE, b"dock.py")
PLENTY = Bounds(seconds=20, patience=6)
KILLERS = "killers:by_name"
WAYS = pytest.mark.parametrize("forks", [True, False], ids=["forked", "spawned"])


@pytest.fixture
def workers(request: pytest.FixtureRequest) -> Iterator[Workers]:
    """Workers that meet killers, forking or not as the test says."""
    made = Workers(forks=request.node.callspec.params["forks"], bounds=PLENTY, maker=KILLERS)
    yield made
    made.close()


def is_fallback(outline: Outline) -> bool:
    """Whether OUTLINE is that of a text whose parser was lost."""
    return [warned.code for warned in outline.warnings] == ["approximate_outline"] and outline.style == "plain"


@WAYS
def test_an_outline_from_a_child_is_the_outline(workers: Workers, forks: bool) -> None:
    """A child gives what the registry gives, as often as it is asked."""
    assert [workers.outline(SOURCE, b"a/dock.py") for _ in range(3)] == [RIGHT] * 3
    assert registry.isolated(SOURCE, b"a/dock.py")


@WAYS
@pytest.mark.parametrize("act", ["abort", "eat", "babble", "lie", "nothing"])
def test_what_goes_wrong_costs_one_fallback(workers: Workers, forks: bool, act: str) -> None:
    """A crash, an appetite for memory, noise on every pipe and an outline that cannot be: each is plain text, flagged,
    and the next text has its outline."""
    assert is_fallback(workers.outline(SOURCE, act.encode() + b".py"))
    assert workers.outline(SOURCE, b"dock.py") == RIGHT


@WAYS
@pytest.mark.parametrize("bounds", [Bounds(0.2, 0, 1), Bounds(0.2, 0, 1000)], ids=["clock", "cpu"])
def test_a_hang_ends_when_its_time_is_over(forks: bool, bounds: Bounds) -> None:
    """A parser that never ends is ended, by the clock or by the CPU that it takes, and the answer says why."""
    hung = Workers(forks=forks, bounds=bounds, maker=KILLERS)
    assert hung.outline(SOURCE, b"spin.py").warnings[0].detail.endswith("took too long: shown as plain text")
    hung.close()


@WAYS
def test_a_real_grammar_that_hangs_is_ended(forks: bool) -> None:
    """Six kilobytes that keep the grammar of C busy for seconds, and for more than a gigabyte, cost no more than is
    allowed."""
    knot = decode(b"a=>" * 2000)
    busy = Workers(forks=forks, bounds=Bounds(0.3, 0, 1))
    hungry = Workers(forks=forks, bounds=PLENTY._replace(memory=128 << 20))
    assert is_fallback(busy.outline(knot, b"knot.c"))
    assert is_fallback(hungry.outline(knot, b"knot.c"))
    busy.close()
    hungry.close()


def test_a_child_that_is_killed_while_it_works_costs_its_outline(tmp_path: Path) -> None:
    """Whoever kills a child from outside gets a fallback answered, at once."""
    os.mkfifo(tmp_path / "pipe")
    workers = Workers(forks=False, bounds=PLENTY, maker=KILLERS)
    with ThreadPoolExecutor(1) as pool:
        found = pool.submit(workers.outline, SOURCE, os.fsencode(tmp_path / "wait.py"))
        os.kill(int((tmp_path / "pipe").read_bytes()), signal.SIGKILL)
        # The text is tried once more in a fresh child where the first one had worked before; this one had not.
        assert is_fallback(found.result())
    assert workers.outline(SOURCE, b"dock.py") == RIGHT
    workers.close()


def test_a_child_that_died_while_it_waited_costs_nothing() -> None:
    """A warm child that was killed is replaced before anybody notices."""
    workers = Workers(forks=False, bounds=PLENTY)
    workers.outline(SOURCE, b"dock.py")
    [idle] = workers._idle
    os.kill(idle._process.pid, signal.SIGKILL)
    assert workers.outline(SOURCE, b"dock.py") == RIGHT
    [fresh] = workers._idle
    assert fresh is not idle
    workers.close()


def test_threads_share_few_children_and_no_trouble() -> None:
    """Eight threads at once, some of whose texts crash: each gets its own, from no more children than allowed."""
    workers = Workers(bounds=PLENTY, most=2, maker=KILLERS)
    start = threading.Barrier(8)

    def work(number: int) -> bool:
        start.wait()
        text = decode(b"def f%d():\n    pass\n" % number * 50)
        for turn in range(4):
            if (number + turn) % 3 == 0:
                assert is_fallback(workers.outline(text, b"abort.py"))
            made = workers.outline(text, b"%d.py" % number)
            assert [entry.title for entry in made.entries] == [f"f{number}"] * 50
        return True

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(8)))
    assert 1 <= len(workers._idle) <= 2
    pids = [worker._process.pid for worker in workers._idle]
    workers.close()
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_what_needs_no_grammar_needs_no_child() -> None:
    """Formats that are read in Python, and texts over a limit on input, are outlined where they are."""
    workers = Workers(bounds=PLENTY, maker="no.such:module")
    page, long = decode(b"# Dock\n\nWords.\n"), decode(b"x = 1\n" * 2_000_000)
    assert workers.outline(page, b"page.md") == registry.outline(page, b"page.md")
    assert [warned.code for warned in workers.outline(long, b"long.py").warnings] == ["no_outline"]


def test_a_child_finds_nothing_in_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Modules of the folder one stands in are never imported by a child, whatever they are called."""
    for name in ("json", "marshal", "tree_sitter", "tree_sitter_python", "resource"):
        (tmp_path / f"{name}.py").write_text("import os\nos.abort()\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert str(tmp_path) not in folders_of(("tree_sitter", "json"))
    workers = Workers(forks=False, bounds=PLENTY)
    assert workers.outline(SOURCE, b"dock.py") == RIGHT
    workers.close()


def test_the_process_that_answers_loads_no_grammar(tmp_path: Path) -> None:
    """A read of code through a node leaves the parser and its grammars in the child."""
    (tmp_path / "dock.py").write_bytes(SOURCE.raw)
    script = (
        "import sys, budgeted_reads\n"
        "with budgeted_reads.Node.open(sys.argv[1], snapshots=False) as node:\n"
        "    [entry, *_] = node.read('dock.py', include=['entries']).entries\n"
        "    print(entry.kind, 'tree_sitter' in sys.modules)\n"
    )
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    command = [sys.executable, "-c", script, str(tmp_path)]
    assert (
        subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout == "class False\n"
    )


def test_a_fallback_is_not_kept() -> None:
    """What a lost parser left is neither stored nor remembered: the next read asks again."""
    derived, asked = Derived(None), []

    def make(text: Text) -> Outline:
        asked.append(text)
        warning = Warned("approximate_outline", "lost")
        return registry.plainly(text, b"a.py", warning) if len(asked) == 1 else RIGHT

    first, second, third = (derived.kept("1" * 40, b"a.py", lambda: SOURCE, make) for _ in range(3))
    assert is_fallback(first.sheet.outline)
    assert second.sheet.outline == RIGHT
    assert third is second
    assert len(asked) == 2


entries = st.recursive(
    st.builds(Entry, st.text(), st.just("key"), st.just(1), *[st.integers(1, 9)] * 3),
    lambda inner: st.builds(
        Entry,
        st.text(),
        st.just("key"),
        st.just(1),
        *[st.integers(1, 9)] * 3,
        children=st.lists(inner, max_size=3).map(tuple),
    ),
)


@given(st.lists(entries, max_size=3).map(tuple))
def test_an_outline_survives_its_journey(tree: tuple[Entry, ...]) -> None:
    """What is packed comes out the same, whatever its shape."""
    outline = RIGHT._replace(entries=tree)
    assert unpack(pack(outline)) == outline


def test_depth_costs_no_recursion() -> None:
    """Entries nested a hundred thousand deep are packed, unpacked and checked."""
    entry = Entry("x", "key", 1, 1, 1, 1)
    for _ in range(100_000):
        entry = Entry("x", "key", 1, 1, 1, 1, children=(entry,))
    made = unpack(pack(RIGHT._replace(entries=(entry,))))
    assert made is not None
    assert fits(made, 1)
    assert not fits(made, 0)
    # To be freed without recursion, too.
    for outline in (made.entries, (entry,)):
        todo = list(outline)
        while todo:
            todo.extend(todo.pop().children)


@pytest.mark.parametrize("packed", [None, 1, (), (1,) * 7, ((1,),) + (2,) * 6, (((1,) * 12,),) + ("",) * 6])
def test_what_was_not_packed_is_none(packed: object) -> None:
    """Anything else than a packed outline is no outline, and no error."""
    assert unpack(packed) is None


@pytest.mark.skipif(sys.platform in ("darwin", "win32"), reason="forks are for Linux")
def test_many_outlines_are_made_by_a_child_that_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """After the first few outlines no process is forked any more, and the outlines stay the same."""
    forks, fork = [], os.fork

    def counted() -> int:
        forks.append(1)
        return fork()

    monkeypatch.setattr(os, "fork", counted)
    monkeypatch.setattr(pool, "_alone", lambda: True)
    workers = Workers(bounds=PLENTY)
    try:
        made = [workers.outline(decode(b"def a():\n    pass\n"), b"a.py") for _ in range(8)]
    finally:
        workers.close()
    assert len(forks) == pool.FORKS < 8
    assert set(made) == {made[0]}
