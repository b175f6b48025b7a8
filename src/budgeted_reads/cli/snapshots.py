"""`nas snapshots`: what is kept beside the served trees, and how to be rid of it (CONTRACT section 4)."""

import argparse
import time
from collections.abc import Iterator
from typing import NamedTuple

from budgeted_reads.cli.commands import OK, open_node
from budgeted_reads.cli.output import print_json, print_note, print_text
from budgeted_reads.errors import InvalidRequest, TreeUnknown
from budgeted_reads.fields import SNAPSHOT_ACTIONS
from budgeted_reads.node import Node
from budgeted_reads.pointer import display, format_pointer
from budgeted_reads.trees import paths, retention
from budgeted_reads.trees.base import Tree
from budgeted_reads.trees.home import is_ours, own_folder
from budgeted_reads.trees.snapshots import DAY, Snapshots, state_folder
from budgeted_reads.trees.spine import base_of

_NAMED = 3
_WORDS = {"snapshots": "snapshot", "pins": "pin"}


class _Row(NamedTuple):
    """One kept commit as it is listed; `used` is the time of its last use, in UTC."""

    tree: str
    kind: str
    commit: str
    base: str | None
    used: str
    paths: list[str]


def run(fields: dict[str, object], parsed: argparse.Namespace) -> int:
    """Carry out one action; without `--path` a purge takes everything, of other trees too, and the caches."""
    action = str(fields["action"])
    path = fields.get("path")
    if action not in SNAPSHOT_ACTIONS:
        raise InvalidRequest(f"snapshots cannot {action[:60]}", f"say one of {', '.join(SNAPSHOT_ACTIONS)}")
    if action == "take" and path is None:
        raise InvalidRequest("take needs --path", "name the file")
    if action in ("list", "prune") and path is not None:
        raise InvalidRequest(f"{action} takes no --path", "leave it out")
    if action == "purge" and path is None:
        _tell(parsed, {"removed": _purge()}, "all that this program has stored for this user, caches too")
        return OK
    with open_node(parsed) as node:
        if action == "list":
            _list(node, parsed)
        elif action == "take":
            _take(node, str(path), parsed)
        elif action == "prune":
            _tell(parsed, {"removed": sum(map(_prune, _kept(node)))}, "what was old, or over the quota")
        else:
            tree, rest = _where(node, str(path))
            place = paths.parse(rest).path.rstrip(b"/")
            gone = retention.purge_path(tree.snapshots.store, place) if tree.snapshots else []
            _tell(parsed, {"removed": len(gone)}, f"whatever kept {rest or 'the tree'}")
    return OK


def _purge() -> int:
    """Remove the stores of all trees, then every cache; the number of commits that were kept."""
    state, cache = state_folder(), own_folder("XDG_CACHE_HOME", ".cache", "budgeted-reads", make=False)
    removed = retention.purge_all(state) if state is not None else 0
    if cache is not None and is_ours(cache):
        import shutil

        shutil.rmtree(cache)
    return removed


def _list(node: Node, parsed: argparse.Namespace) -> None:
    rows = [row for tree in node.catalog.trees.values() if tree.snapshots for row in _rows(tree, tree.snapshots)]
    if parsed.json:
        trees = [
            {"name": tree.name, "folder": kept.store.place, "used_bytes": kept.store.used_bytes, "off": kept.why_off}
            | {"quota_bytes": kept.keeping.quota_bytes, "age_days": kept.keeping.age_days}
            for tree in node.catalog.trees.values()
            if (kept := tree.snapshots) is not None
        ]
        print_json({"trees": trees, "kept": [row._asdict() for row in rows]})
        return
    for tree in node.catalog.trees.values():
        why = "snapshots are off" if tree.snapshots is None else tree.snapshots.trouble
        if why is not None:
            print_note(f"/{tree.name}: {why}")
    print_text("".join(_line(row) for row in rows))


def _rows(tree: Tree, snapshots: Snapshots) -> Iterator[_Row]:
    for row in retention.kept(snapshots.store):
        piece = snapshots.store.get(row.commit)
        yield _Row(
            tree.name,
            _WORDS[row.kind],
            row.commit,
            None if piece is None or row.kind == "pins" else base_of(piece.raw),
            time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(row.used)),
            sorted(display(path) for path, _ in retention.files(snapshots.store, row.commit)),
        )


def _line(row: _Row) -> str:
    shown = " ".join(row.paths[:_NAMED])
    more = f" +{len(row.paths) - _NAMED} more" if len(row.paths) > _NAMED else ""
    return f"{row.kind} /{row.tree} {row.commit[:12]} {row.used[:10]} {shown}{more}\n"


def _take(node: Node, path: str, parsed: argparse.Namespace) -> None:
    tree, rest = _where(node, path)
    found = tree.look(paths.parse(rest).path, tree.resolve(None))
    if found.commit is None:
        raise InvalidRequest(f"no snapshot of {paths.show(found.path)}: {found.reason}", "nothing was stored")
    pointer = format_pointer(node.name, tree.name, found.path, found.commit)
    body = {"pointer": pointer, "commit": found.commit, "blob": found.blob, "base": found.base, "dirty": found.dirty}
    if parsed.json:
        print_json(body)
    else:
        print_text(pointer + "\n")


def _kept(node: Node) -> Iterator[Snapshots]:
    return (tree.snapshots for tree in node.catalog.trees.values() if tree.snapshots is not None)


def _prune(snapshots: Snapshots) -> int:
    since = time.time() - snapshots.keeping.age_days * DAY
    room = snapshots.keeping.quota_bytes
    over = snapshots.store.used_bytes > room
    return len(retention.prune(snapshots.store, room if over else None, since))


def _where(node: Node, path: str) -> tuple[Tree, str]:
    """The tree and the path in it that PATH names; nothing need stand there any more."""
    if path.startswith("/"):
        try:
            return node.catalog.split(path)
        except TreeUnknown:
            pass
    return node.catalog.locate(path)


def _tell(parsed: argparse.Namespace, body: dict[str, int], what: str) -> None:
    if parsed.json:
        print_json(body)
    else:
        print_text(f"removed {body['removed']}: {what}\n")
