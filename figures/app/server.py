"""Serving the teaching app: all pages from this machine, nothing from outside."""

import os
import socket
import threading
from contextlib import suppress

from figures.app.serving.http import App
from figures.app.serving.pool import Pool
from tabular_krope.errors import KropeError


def require_free(host: str, port: int) -> None:
    """Refuse an address that something else listens on, or that cannot be had.

    >>> require_free("127.0.0.1", 70000)
    Traceback (most recent call last):
    tabular_krope.errors.KropeError: port must lie in 1..65535; got 70000
    """
    if not 1 <= port <= 65535:
        raise KropeError(f"port must lie in 1..65535; got {port}")
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            reason = error.strerror or str(error)
            raise KropeError(f"{host}:{port} cannot be used ({reason}); try another --port") from None


def serve(host: str, port: int) -> None:
    """Serve until Ctrl-C, which is how it ends well."""
    pool = Pool(max(1, min(4, os.cpu_count() or 1)))
    pool.start()
    try:
        with App((host, port), pool) as app, suppress(KeyboardInterrupt):
            threading.Thread(target=app.warm, daemon=True).start()
            app.serve_forever()
    finally:
        pool.end()
