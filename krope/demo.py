"""``krope demo``: the teaching app in the browser."""

import socket
import threading
import webbrowser
from _thread import interrupt_main
from contextlib import suppress
from json import dumps
from pathlib import Path
from time import sleep
from typing import Annotated

import typer

from krope import console, targets
from tabular_krope.errors import KropeError

EXAMPLES = """
[bold]Examples[/]

krope demo                        open the app in the browser; Ctrl-C ends it

krope demo --no-browser --port 8000

krope demo --no-browser --json -  one line of JSON with the address, once it answers

The app runs on this machine and contacts no other.
"""
#: Seconds between two looks whether the app answers.
PAUSE = 0.05


def demo(
    port: Annotated[int, typer.Option(help="Port to listen on.")] = 2718,
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Address to listen on; with 0.0.0.0 other machines reach it.")
    ] = "127.0.0.1",
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open a browser window.")] = True,
    json: Annotated[
        str | None,
        typer.Option(
            help="Write the address to FILE once the app answers there; - prints it to stdout and nothing else.",
            metavar="FILE",
        ),
    ] = None,
) -> None:
    """Explore KROPE in a browser: a guided story, and a workbench for any model."""
    from figures.app import server

    targets.require_file_target(json, "json")
    _require_own(host)
    server.require_free(host, port)
    reached = "127.0.0.1" if host == "0.0.0.0" else host
    address = f"http://{reached}:{port}"
    console.messages().print(f"The app is at {address} (Ctrl-C ends it).", markup=False, soft_wrap=True)
    if browser:
        threading.Timer(1.5, webbrowser.open, args=(address,)).start()
    failed: list[Exception] = []
    if json is not None:
        threading.Thread(target=_tell_or_stop, args=(reached, port, json, failed), daemon=True).start()
    try:
        server.serve(host, port)
    finally:
        if failed:
            raise failed[0]


def _require_own(host: str) -> None:
    """Refuse an address that is not this machine's, whatever the port."""
    with socket.socket() as probe:
        try:
            probe.bind((host, 0))
        except OSError:
            own = "127.0.0.1, or 0.0.0.0 to be reached by other machines"
            raise KropeError(f"host must be an address of this machine ({own}); got {host!r}") from None


def _tell_or_stop(host: str, port: int, json: str, failed: list[Exception]) -> None:
    """`_tell_when_ready`; an address that cannot be written ends the app, which nobody would find."""
    try:
        _tell_when_ready(host, port, json)
    except Exception as error:
        failed.append(error)
        interrupt_main()


def _tell_when_ready(host: str, port: int, json: str) -> None:
    """Wait until something answers at the address, and write it as one line of JSON."""
    while True:
        with suppress(OSError), socket.create_connection((host, port)):
            break
        sleep(PAUSE)
    line = dumps({"url": f"http://{host}:{port}"})
    if json == targets.STDOUT:
        with suppress(console.PipeClosed):  # the app goes on for those who have the address
            console.write_text(line)
    else:
        targets.write_files({Path(json): f"{line}\n".encode()})
