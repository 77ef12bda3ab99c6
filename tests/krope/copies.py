"""The command in a copy of this process: it has torch loaded, and is interrupted, killed and watched like any other.

That a process of its own, started by a shell, does the same is for a test of each kind that starts one.
"""

import multiprocessing
import os
import signal
import sys

from krope import main


def copy_running(words, stdout, stderr, **environment):
    """A process that runs ``krope`` with these words and writes to these file descriptors; its caller ends it."""
    process = multiprocessing.get_context("fork").Process(
        target=_run, args=([str(word) for word in words], stdout, stderr, environment)
    )
    process.start()
    return process


def _run(words, stdout, stderr, environment):
    signal.signal(signal.SIGINT, signal.default_int_handler)  # as in a terminal
    os.dup2(stdout, 1)
    os.dup2(stderr, 2)
    sys.stdout, sys.stderr = (os.fdopen(number, "w", encoding="utf-8") for number in (1, 2))
    os.environ.update(environment)
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)  # threads of the original are not in the copy
    try:
        main(words)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
