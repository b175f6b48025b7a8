"""The store: written by us, read by git, and whole whatever happens to a writer."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from budgeted_reads.trees import retention
from budgeted_reads.trees.snapshots import Keeping, Snapshots
from budgeted_reads.trees.spine import Bytes, base_of, spine
from budgeted_reads.trees.store import BLOCK, Store, Unkept
from repos import git

PARTS = st.binary(min_size=1, max_size=6).filter(lambda part: b"/" not in part and b"\0" not in part)
FILES = st.dictionaries(
    st.lists(PARTS.filter(lambda part: part not in (b".", b"..", b".git")), min_size=1, max_size=4).map(b"/".join),
    st.binary(max_size=200),
    min_size=1,
    max_size=5,
).filter(lambda files: not any(one.startswith(other + b"/") for one in files for other in files))

TAKE = """
import sys
from budgeted_reads.trees.snapshots import Keeping, Snapshots
from budgeted_reads.trees.spine import Bytes
def take(name, text, base=None):
    return Snapshots(sys.argv[1], 40, Keeping()).take({name: Bytes("file", text)}, base)
"""


@pytest.fixture
def snapshots(tmp_path: Path, own_state: Path) -> Snapshots:
    """The snapshots of a tree that nobody has read yet."""
    return Snapshots(str(tmp_path / "tree"), 40, Keeping())


def run(code: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """What Python does with TAKE and CODE."""
    words = [sys.executable, "-c", TAKE + code, *arguments]
    return subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)


def whole(store: Store) -> None:
    """Git finds nothing wrong in STORE, nothing missing behind a snapshot and nothing that no snapshot leads to."""
    assert git(Path(store.place), "fsck", "--full", "--strict", "--no-dangling", "--unreachable") == ""


@given(FILES, st.sampled_from([40, 64]), st.none() | st.just("ab" * 20))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_git_reads_what_we_write(
    tmp_path_factory: pytest.TempPathFactory, files: dict[bytes, bytes], digits: int, base: str | None
) -> None:
    """Any files of any names are, by plain git, in the commit of that id, in both object formats, and nothing else."""
    snapshots = Snapshots(str(tmp_path_factory.mktemp("tree")), digits, Keeping())
    commit = snapshots.take({path: Bytes("file", raw) for path, raw in files.items()}, base)
    place = Path(snapshots.store.place)
    listed = git(place, "ls-tree", "-r", "-z", "--full-tree", commit).encode("utf-8", "surrogateescape")
    found = {row.partition(b"\t")[2]: row.split()[2].decode() for row in listed.split(b"\0") if row}
    assert found.keys() == files.keys()
    for path, blob in found.items():
        piece = snapshots.store.get(blob)
        assert piece is not None
        assert piece.raw == files[path]
    whole(snapshots.store)
    assert snapshots.base(commit) == (base,)


@given(FILES, st.randoms(use_true_random=False))
@settings(max_examples=50, deadline=None)
def test_equal_files_and_base_have_equal_ids(files: dict[bytes, bytes], random: object) -> None:
    """The id depends on paths, bytes and base alone, in whatever order the files come; each of them changes it."""
    given_files = {path: Bytes("file", raw) for path, raw in files.items()}
    turned = dict(reversed(given_files.items()))
    id = spine(given_files, None, 40)[-1].id
    assert id == spine(turned, None, 40)[-1].id
    assert id != spine(given_files, "0" * 40, 40)[-1].id
    path = min(files)
    assert id != spine({**given_files, path: Bytes("file", files[path] + b"x")}, None, 40)[-1].id


def test_an_id_is_the_same_on_every_machine() -> None:
    """A snapshot has this id for good: it stands in pointers."""
    pieces = spine({b"docs/a.md": Bytes("file", b"one\n")}, "1e478e9aeac7ce74e819a9eece4a857af0c8d3f8", 40)
    assert pieces[-1].id == "1790b1f63cc1744df135414d1e5b1ef51a48d4fc"
    assert base_of(pieces[-1].raw) == "1e478e9aeac7ce74e819a9eece4a857af0c8d3f8"


def test_the_store_is_private(snapshots: Snapshots, own_state: Path) -> None:
    """Nobody else may look into it, from the folder of the program down; before the first snapshot nothing is made."""
    assert snapshots.store.kept("snapshots", "0" * 40) is False
    assert list(own_state.iterdir()) == []
    snapshots.take({b"a": Bytes("file", b"1")}, None)
    for place in own_state.rglob("*"):
        assert place.stat().st_mode & 0o077 == 0 or place.is_file()
    assert (own_state / "budgeted-reads").stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("step", range(7))
def test_a_kill_in_the_middle_loses_nothing(snapshots: Snapshots, step: int) -> None:
    """A writer that dies at any rename leaves no reference to what is not whole; the next one takes the snapshot."""
    snapshots.take({b"old": Bytes("file", b"old")}, None)
    code = f"""
import os, itertools
count, rename = itertools.count(), os.rename
def dying(*arguments):
    if next(count) == {step}:
        os.kill(os.getpid(), 9)
    rename(*arguments)
os.rename = dying
print(take(b"d/new", b"new"))
"""
    done = run(code, snapshots.store.root)
    assert done.returncode in ((-signal.SIGKILL,) if step < 5 else (-signal.SIGKILL, 0)), done.stderr
    for _, commit in snapshots.store.refs("snapshots"):
        assert dict(retention.files(snapshots.store, commit))
    commit = snapshots.take({b"d/new": Bytes("file", b"new")}, None)
    assert git(Path(snapshots.store.place), "show", f"{commit}:d/new") == "new"
    retention.prune(snapshots.store, None, None)
    whole(snapshots.store)
    assert not list(Path(snapshots.store.objects).glob("tmp_*"))


def test_several_processes_write_and_remove_at_once(snapshots: Snapshots) -> None:
    """While three processes take snapshots of the same and of other files, one prunes: every id they got is whole."""
    writer = "for n in range(40): print(take(b'd/f', b'%d' % (n % 20), sys.argv[2] if n % 2 else None))"
    pruner = """
from budgeted_reads.trees import retention
for n in range(30): retention.prune(Snapshots(sys.argv[1], 40, Keeping()).store, None, None)
"""
    bases = ["a" * 40, "b" * 40, "a" * 40]
    words = [sys.executable, "-c"]
    writers = [
        subprocess.Popen([*words, TAKE + writer, snapshots.store.root, base], stdout=subprocess.PIPE, text=True)
        for base in bases
    ]
    done = run(pruner, snapshots.store.root)
    assert (done.returncode, done.stderr) == (0, "")
    ids = [id for process in writers for id in process.communicate(timeout=60)[0].split()]
    assert [process.returncode for process in writers] == [0, 0, 0]
    assert len(ids) == 120
    assert {commit for _, commit in snapshots.store.refs("snapshots")} == set(ids)
    whole(snapshots.store)


def test_a_full_disk_costs_the_snapshot_and_nothing_else(snapshots: Snapshots) -> None:
    """Where a write fails `Unkept` says so, what was kept stays, and once there is room it is taken."""
    kept = snapshots.take({b"a": Bytes("file", b"1")}, None)
    code = """
import os, resource
from budgeted_reads.trees.store import Unkept
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, resource.RLIM_INFINITY))
try:
    take(b"big", os.urandom(100_000))
except Unkept as error:
    print(error)
"""
    done = run(code, snapshots.store.root)
    assert (done.returncode, done.stdout) == (0, "the snapshot cannot be written: File too large\n")
    whole(snapshots.store)
    assert [commit for _, commit in snapshots.store.refs("snapshots")] == [kept]
    snapshots.take({b"big": Bytes("file", os.urandom(100_000))}, None)
    assert not list(Path(snapshots.store.objects).glob("tmp_*"))


def test_a_damaged_object_is_written_again(snapshots: Snapshots) -> None:
    """What a power cut left empty or torn is not believed: the same bytes are kept again."""
    commit = snapshots.take({b"a": Bytes("file", b"1")}, None)
    for piece in spine({b"a": Bytes("file", b"1")}, None, 40):
        place = Path(snapshots.store.objects, piece.id[:2], piece.id[2:])
        place.chmod(0o600)
        place.write_bytes(b"")
    assert snapshots.store.get(commit) is None
    again = Snapshots(snapshots.store.root, 40, Keeping())
    assert again.take({b"a": Bytes("file", b"1")}, None) == commit
    whole(snapshots.store)


@pytest.mark.parametrize("schema", [b"2\n", b"0\n", b"", b"one\n", None])
def test_a_store_of_another_version_is_left_alone(snapshots: Snapshots, schema: bytes | None) -> None:
    """A store whose schema is another, or cannot be read, is neither read nor written, and the reason says so."""
    commit = snapshots.take({b"a": Bytes("file", b"1")}, None)
    place = Path(snapshots.store.place)
    (place / "schema").unlink()
    if schema is not None:
        (place / "schema").write_bytes(schema)
    before = {path: path.read_bytes() for path in place.rglob("*") if path.is_file()}
    later = Snapshots(snapshots.store.root, 40, Keeping())
    assert later.store.get(commit) is None
    assert later.base(commit) is None
    assert not later.store.pruned(commit)
    with pytest.raises(Unkept, match="schema"):
        later.take({b"a": Bytes("file", b"2")}, None)
    assert retention.prune(later.store, 0, None) == []
    assert before == {path: path.read_bytes() for path in place.rglob("*") if path.is_file()}


def test_a_store_that_others_may_write_is_not_used(snapshots: Snapshots) -> None:
    """A store that somebody else could have changed is neither read nor written."""
    commit = snapshots.take({b"a": Bytes("file", b"1")}, None)
    os.chmod(snapshots.store.place, 0o777)
    later = Snapshots(snapshots.store.root, 40, Keeping())
    assert later.store.get(commit) is None
    with pytest.raises(Unkept, match="somebody else"):
        later.take({b"a": Bytes("file", b"2")}, None)


@pytest.mark.parametrize("place", ["file", "link"])
def test_without_a_state_folder_of_ours_nothing_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    """Where the state folder cannot be made, or is a link, `Unkept` names the variable that helps."""
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "state").mkdir()
    if place == "link":
        (tmp_path / "state" / "budgeted-reads").symlink_to(tmp_path / "elsewhere")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / ("state" if place == "link" else "file/below")))
    snapshots = Snapshots(str(tmp_path / "tree"), 40, Keeping())
    with pytest.raises(Unkept, match="XDG_STATE_HOME"):
        snapshots.take({b"a": Bytes("file", b"1")}, None)
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_without_a_home_nothing_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a home and a state folder the reason says so."""
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    monkeypatch.delenv("HOME", raising=False)
    with pytest.raises(Unkept, match="no state folder"):
        Snapshots(str(tmp_path), 40, Keeping()).take({b"a": Bytes("file", b"1")}, None)


def test_a_store_inside_the_tree_is_never_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the state folder lies inside the served tree nothing is written there, and the reason says so."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    for root in (tmp_path, Path("/")):
        with pytest.raises(Unkept, match="inside this tree"):
            Snapshots(str(root), 40, Keeping()).take({b"a": Bytes("file", b"1")}, None)
    assert list(tmp_path.iterdir()) == []


def test_what_is_longest_unused_goes_first(snapshots: Snapshots) -> None:
    """Over the quota the longest unused go until there is room; the new one stays, those gone are remembered."""
    files = [{b"f": Bytes("file", os.urandom(3 * BLOCK))} for _ in range(6)]
    ids = []
    for age, one in enumerate(files):
        ids.append(snapshots.take(one, None))
        then = time.time() - 1000 + age
        os.utime(Path(snapshots.store.place, "refs", "snapshots", ids[-1]), (then, then))
    used = snapshots.store.used_bytes
    assert snapshots.base(ids[0]) == (None,)
    tight = Snapshots(snapshots.store.root, 40, Keeping(quota_bytes=used))
    newest = tight.take({b"f": Bytes("file", os.urandom(3 * BLOCK))}, None)
    kept = {commit for _, commit in tight.store.refs("snapshots")}
    assert {newest, ids[0], ids[5]} <= kept
    assert ids[1] not in kept
    assert tight.store.pruned(ids[1][:7])
    assert not tight.store.pruned("0" * 7)
    assert tight.store.used_bytes <= used
    whole(tight.store)


def test_one_that_is_larger_than_the_quota_removes_nothing(snapshots: Snapshots) -> None:
    """A snapshot that can never fit is `Unkept` with both figures, and costs no other snapshot."""
    kept = snapshots.take({b"a": Bytes("file", b"1")}, None)
    small = Snapshots(snapshots.store.root, 40, Keeping(quota_bytes=10 * BLOCK))
    with pytest.raises(Unkept, match=str(10 * BLOCK)):
        small.take({b"f": Bytes("file", os.urandom(10 * BLOCK))}, None)
    assert [commit for _, commit in small.store.refs("snapshots")] == [kept]
    with pytest.raises(Unkept):
        Snapshots(snapshots.store.root, 40, Keeping(quota_bytes=0)).take({b"b": Bytes("file", b"2")}, None)


def test_old_ones_go_at_the_next_snapshot(snapshots: Snapshots) -> None:
    """What was not used for `age_days` is given up once a day, when something else is kept; a use makes it young."""
    old, used = (snapshots.take({name: Bytes("file", name)}, None) for name in (b"old", b"used"))
    place = Path(snapshots.store.place)
    for name in ("aged", f"refs/snapshots/{old}", f"refs/snapshots/{used}"):
        os.utime(place / name, (1e9, 1e9))
    later = Snapshots(snapshots.store.root, 40, Keeping(age_days=90))
    assert later.base(used) == (None,)
    new = later.take({b"new": Bytes("file", b"new")}, None)
    assert {commit for _, commit in later.store.refs("snapshots")} == {used, new}
    assert later.store.pruned(old)
    whole(later.store)


def test_a_purge_by_path_removes_the_bytes(snapshots: Snapshots) -> None:
    """Every snapshot that holds the path, or something below it, is gone with its bytes; others stay."""
    bytes_ = [Bytes("file", raw) for raw in (b"one", b"two", b"three")]
    gone = [snapshots.take({b"d/a": bytes_[0]}, None), snapshots.take({b"d/b": bytes_[1], b"e": bytes_[2]}, None)]
    stays = snapshots.take({b"e": bytes_[2], b"dd": bytes_[0]}, None)
    assert {row.commit for row in retention.purge_path(snapshots.store, b"d")} == set(gone)
    assert [commit for _, commit in snapshots.store.refs("snapshots")] == [stays]
    assert not snapshots.store.has(spine({b"d/b": bytes_[1]}, None, 40)[0].id)
    whole(snapshots.store)


def test_a_purge_removes_all_under_a_running_writer(snapshots: Snapshots, own_state: Path) -> None:
    """After a purge nothing is left of any tree, whatever stood there; who goes on taking snapshots starts anew."""
    other = Snapshots("/elsewhere", 64, Keeping())
    files = {b"a": Bytes("file", b"1")}
    commit = snapshots.take(files, None)
    other.take(files, None)
    folder = Path(snapshots.store.place).parent
    (folder / "stray").write_bytes(b"")
    (folder / "half.git.1-00").mkdir()
    assert retention.purge_all(str(folder)) == 2
    assert list(own_state.iterdir()) == []
    assert (snapshots.store.get(commit), snapshots.base(commit)) == (None, None)
    assert snapshots.take(files, None) == commit
    whole(snapshots.store)
    assert retention.purge_all(str(folder)) == 1
    assert retention.purge_all(str(folder)) == 0


def test_a_store_that_cannot_be_written_goes_on_answering(snapshots: Snapshots) -> None:
    """What was kept before has its pointer, what is new costs the pointer only, and nothing is lost."""
    files = {b"a": Bytes("file", b"1")}
    commit = snapshots.take(files, None)
    lock = Path(snapshots.store.place, "lock")
    lock.unlink()
    lock.mkdir()
    later = Snapshots(snapshots.store.root, 40, Keeping())
    assert later.take(files, None) == commit
    assert later.base(commit) == (None,)
    with pytest.raises(Unkept, match="cannot be written"):
        later.take({b"a": Bytes("file", b"2")}, None)
    whole(later.store)
