"""The threads that read: a bounded number at work, a bounded number waiting, and the event loop never blocked."""

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from budgeted_reads.errors import RateLimited

READERS = min(8, 2 + (os.cpu_count() or 1))
"""Reads at work at once: one per core, and two that wait for git or the disk."""

WAITING = 64
"""Reads that wait for a thread; beyond, `rate_limited`."""

Value = TypeVar("Value")


class Readers:
    """Runs calls in threads, `inside` of them at present. To be used from one event loop."""

    def __init__(self, threads: int = READERS, waiting: int = WAITING) -> None:
        self.limits = threads, waiting
        self.inside = 0
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="read")

    async def run(self, call: Callable[[], Value]) -> Value:
        """What CALL returns or raises; `rate_limited` where too many wait already.

        A call that has begun is never stopped: a caller who leaves costs at most this one.
        """
        if self.inside >= sum(self.limits):
            raise RateLimited(f"{self.inside} reads are under way or waiting", "ask again in a second")
        self.inside += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, call)
        finally:
            self.inside -= 1

    def close(self) -> None:
        """Wait for the calls at work, drop those that wait."""
        self._pool.shutdown(wait=True, cancel_futures=True)
