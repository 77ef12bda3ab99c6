"""A few worker processes: a request waits for a free one, and one that takes too long is ended and replaced."""

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

#: Seconds that one answer may take, and that a request may wait for a free worker.
PATIENCE, QUEUE = 20.0, 30.0
COMMAND = (sys.executable, "-m", "figures.app.serving.worker")


class Full(Exception):
    """No worker came free in time."""


class TooLong(Exception):
    """An answer took longer than it may."""


class Worker:
    """One process, started when it is first needed."""

    def __init__(self, command: tuple[str, ...]) -> None:
        self.command = command
        self.process: subprocess.Popen[str] | None = None
        self.lines: queue.Queue[str] = queue.Queue()

    def ask(self, request: Mapping[str, Any], patience: float) -> dict[str, Any]:
        """The answer to one request.

        Raises:
            TooLong: after ``patience`` seconds, or if the process ended; the next request gets a new one.
        """
        process = self.start()
        assert process.stdin is not None
        try:
            process.stdin.write(json.dumps(dict(request)) + "\n")
            process.stdin.flush()
            found: dict[str, Any] = json.loads(self.lines.get(timeout=patience))
        except (queue.Empty, OSError, ValueError):
            self.end()
            raise TooLong from None
        return found

    def start(self) -> subprocess.Popen[str]:
        """The process, begun anew if there is none."""
        if self.process is None or self.process.poll() is not None:
            # One thread each: the workers share the machine's cores among the visitors.
            alone = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
            pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
            self.process = subprocess.Popen(self.command, env={**os.environ, **alone}, start_new_session=True, **pipes)
            self.lines = queue.Queue()
            threading.Thread(target=_listen, args=(self.process, self.lines), daemon=True).start()
        return self.process

    def end(self) -> None:
        """End the process."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            for pipe in (self.process.stdin, self.process.stdout):
                with suppress(OSError):
                    if pipe is not None:
                        pipe.close()
            self.process = None


class Pool:
    """Workers that are taken in turn.

    Args:
        workers: how many.
        patience: seconds that one answer may take.
        wait: seconds that a request may wait for a free worker.
    """

    def __init__(
        self, workers: int, patience: float = PATIENCE, wait: float = QUEUE, command: tuple[str, ...] = COMMAND
    ) -> None:
        self.patience, self.wait = patience, wait
        self.all = [Worker(command) for _ in range(workers)]
        self.free: queue.Queue[Worker] = queue.Queue()
        for worker in self.all:
            self.free.put(worker)

    def ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """The answer of the next free worker.

        Raises:
            Full: if none comes free in time.
            TooLong: if the answer takes too long.
        """
        try:
            worker = self.free.get(timeout=self.wait)
        except queue.Empty:
            raise Full from None
        try:
            return worker.ask(request, self.patience)
        finally:
            self.free.put(worker)

    def start(self) -> None:
        """Begin all processes at once."""
        for worker in self.all:
            worker.start()

    def end(self) -> None:
        """End all processes."""
        for worker in self.all:
            worker.end()


def _listen(process: "subprocess.Popen[str]", lines: "queue.Queue[str]") -> None:
    assert process.stdout is not None
    with suppress(ValueError, OSError):
        for line in process.stdout:
            lines.put(line)
    lines.put("the process ended")  # which is no JSON
