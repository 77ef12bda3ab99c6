"""Answers that were given before: computed once however many ask at once, forgotten when they take too much room."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future


class Memory:
    """Bytes by key, the least recently asked for forgotten first.

    Args:
        most: bytes that are kept at most.

    >>> memory = Memory(most=10)
    >>> memory.get("a", lambda: b"12345678"), memory.get("a", lambda: b"never asked")
    (b'12345678', b'12345678')
    >>> memory.get("b", lambda: b"12345678"), memory.size
    (b'12345678', 8)
    """

    def __init__(self, most: int) -> None:
        self.most, self.size = most, 0
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._coming: dict[str, Future[bytes]] = {}
        self._lock = threading.Lock()

    def get(self, key: str, make: Callable[[], bytes]) -> bytes:
        """What is kept under the key, or what ``make`` gives; whoever asks meanwhile waits for the same."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
            coming = self._coming.get(key)
            mine = coming is None
            if coming is None:
                coming = self._coming[key] = Future()
        if not mine:
            return coming.result()
        try:
            found = make()
        except BaseException as error:
            with self._lock:
                del self._coming[key]
            coming.set_exception(error)
            raise
        with self._lock:
            del self._coming[key]
            self._keep(key, found)
        coming.set_result(found)
        return found

    def _keep(self, key: str, found: bytes) -> None:
        if len(found) > self.most:
            return
        self._kept[key] = found
        self.size += len(found)
        while self.size > self.most:
            _, old = self._kept.popitem(last=False)
            self.size -= len(old)
