"""``krope demo``: the teaching app in the browser."""

from typing import Annotated

import typer

EXAMPLES = """
[bold]Examples[/]

krope demo                        open the app in the browser; Ctrl-C ends it

krope demo --no-browser --port 8000

The app runs on this machine and asks nothing of any other.
"""


def demo(
    port: Annotated[int, typer.Option(help="Port to listen on.")] = 2718,
    host: Annotated[str, typer.Option(help="Address to listen on; other machines reach 0.0.0.0.")] = "127.0.0.1",
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open a browser window.")] = True,
) -> None:
    """Move the parts of KROPE in a browser: guided tours and a bench for any model."""
    from figures.app import server
    from tabular_krope.cli import console

    server.require_free(host, port)
    server.application()  # a missing extra is told before anything is promised
    address = f"http://{'127.0.0.1' if host == '0.0.0.0' else host}:{port}"
    console.messages().print(f"The app is at {address} (Ctrl-C ends it).", markup=False, soft_wrap=True)
    if browser:
        import threading
        import webbrowser

        threading.Timer(1.5, webbrowser.open, args=(address,)).start()
    server.serve(host, port)
