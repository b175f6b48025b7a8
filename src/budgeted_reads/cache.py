"""Derived data: outlines and counts by blob, in memory and in one SQLite file that several processes share.

Everything here can be made again from a blob, so nothing here is ever needed: what is damaged, locked or gone is a
miss, and the file may be deleted at any time. Keys hold every version that a value depends on, so no value is stale.
"""

import marshal
import os
import threading
from collections import OrderedDict
from collections.abc import Hashable
from hashlib import blake2b
from typing import Any

from budgeted_reads import limits

SCHEMA = 1

_CREATE = """
CREATE TABLE IF NOT EXISTS derived (
    key BLOB PRIMARY KEY, value BLOB NOT NULL, used INTEGER NOT NULL
) WITHOUT ROWID
"""


class Disk:
    """Values by key in one SQLite file below FOLDER; None makes a store that holds nothing."""

    def __init__(self, folder: str | None, most_bytes: int = limits.CACHE_BYTES) -> None:
        self._path = None if folder is None else os.path.join(folder, f"derived-{SCHEMA}.sqlite")
        self._most_bytes = most_bytes
        self._connection: Any = None
        self._owner = 0
        self._lock = threading.Lock()

    def get(self, key: bytes) -> object | None:
        """The value stored for KEY; None where there is none, or where it is not what was stored."""
        rows = self._run("SELECT value FROM derived WHERE key = ?", (key,))
        return unsealed(rows[0][0]) if rows else None

    def put(self, key: bytes, value: object) -> None:
        """Store VALUE, made of tuples, dicts, texts, bytes, numbers and None, for KEY."""
        row = sealed(value)
        self._run("INSERT OR REPLACE INTO derived VALUES (?, ?, unixepoch())", (key, row))

    def close(self) -> None:
        """Close the file; the next question opens it again."""
        with self._lock:
            if self._connection is not None and self._owner == os.getpid():
                self._connection.close()
            self._connection = None

    def _run(self, statement: str, values: tuple[object, ...]) -> list[tuple[Any, ...]]:
        if self._path is None:
            return []
        import sqlite3

        with self._lock:
            try:
                return list(self._opened().execute(statement, values))
            except sqlite3.OperationalError:
                # Locked for too long, or a full disk: a miss this time.
                return []
            except (sqlite3.DatabaseError, OSError):
                self._drop()
                return []

    def _opened(self) -> Any:
        import sqlite3

        if self._connection is None or self._owner != os.getpid():
            connection = sqlite3.connect(self._path or "", timeout=0.25, isolation_level=None, check_same_thread=False)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = OFF")
            connection.execute(_CREATE)
            self._connection, self._owner = connection, os.getpid()
            self._shrink(connection)
        return self._connection

    def _shrink(self, connection: Any) -> None:
        """Drop what was stored longest ago where the file has outgrown its bound."""
        pages, size = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size"))
        if pages * size > self._most_bytes:
            connection.execute(
                "DELETE FROM derived WHERE used <= (SELECT used FROM derived ORDER BY used"
                " LIMIT 1 OFFSET (SELECT count(*) / 2 FROM derived))"
            )
            connection.execute("VACUUM")

    def _drop(self) -> None:
        """Throw the damaged file away; the next value makes a new one."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        for end in ("", "-wal", "-shm"):
            try:
                os.unlink(f"{self._path}{end}")
            except OSError:
                continue


def sealed(value: Any) -> bytes:
    """VALUE, made of tuples, dicts, texts, bytes, numbers and None, as bytes that show whether they are whole."""
    raw = marshal.dumps(value)
    return blake2b(raw, digest_size=16).digest() + raw


def unsealed(row: object) -> object | None:
    """The value that was sealed in ROW; None where that is not what `sealed` made."""
    # marshal may crash on bytes that it did not write, so nothing reaches it that does not have its own hash.
    if not isinstance(row, bytes) or blake2b(row[16:], digest_size=16).digest() != row[:16]:
        return None
    value: object = marshal.loads(row[16:])  # noqa: S302 - sealed above, by a process of ours
    return value


class Recent:
    """The values used last, at most MOST_BYTES of them together. Safe with threads."""

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._bytes = 0
        self._values: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable) -> Any:
        """The value of KEY, None where it is not there any more."""
        with self._lock:
            found = self._values.get(key)
            if found is None:
                return None
            self._values.move_to_end(key)
            return found[0]

    def put(self, key: Hashable, value: object, size: int) -> None:
        """Keep VALUE, which holds about SIZE bytes, until others push it out."""
        with self._lock:
            self._bytes += size - self._values.pop(key, (None, 0))[1]
            self._values[key] = value, size
            while self._bytes > self._most_bytes and len(self._values) > 1:
                self._bytes -= self._values.popitem(last=False)[1][1]


def key(*parts: object) -> bytes:
    """One key for PARTS."""
    return blake2b(repr(parts).encode("utf-8", "surrogatepass"), digest_size=16).digest()
