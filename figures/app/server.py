"""Serving the teaching app: all pages from one process on this machine, nothing from outside."""

import os
import socket
from contextlib import suppress
from typing import Any, NoReturn

from figures.app.catalogue import PAGES
from tabular_krope.errors import KropeError
from tabular_krope.extras import needed


def application() -> Any:
    """The ASGI application with every page; needs marimo."""
    marimo = needed("marimo")
    builder = marimo.create_asgi_app(quiet=True)
    # The start page answers for every address that no other page has, so it goes last.
    for page in (*PAGES[1:], PAGES[0]):
        builder = builder.with_app(path=f"/{page.path}", root=str(page.file))
    return builder.build()


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


def serve(host: str, port: int) -> NoReturn:
    """Serve until Ctrl-C, which is how it ends well."""
    import uvicorn

    with suppress(KeyboardInterrupt):
        # Open pages keep a connection; they are not waited for.
        uvicorn.run(application(), host=host, port=port, log_level="warning", timeout_graceful_shutdown=1)
    # A thread of each open page waits for the page's next word, and the interpreter would wait for the thread.
    os._exit(0)
