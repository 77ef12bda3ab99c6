"""Work in a copy of this process: it has everything loaded, and is interrupted, killed and watched like any other.

That a process of its own, started by a shell, does the same is for a test of each kind that starts one.
"""

import multiprocessing
import os
import signal
import sys
from contextlib import suppress

import pytest

from krope import main

#: Python 3.12 warns of copies of a process with threads; those of the suite hold nothing that a copy asks for.
MAY_COPY = pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")


class Copy:
    """A copy that calls ``function(*given)`` in a process group of its own, asked what a `subprocess.Popen` is asked.

    It writes to the file descriptors ``stdout`` and ``stderr``, or nowhere.
    """

    def __init__(self, function, *given, stdout=None, stderr=None, **environment):
        with open(os.devnull, "w") as nowhere:
            ends = [nowhere.fileno() if end is None else end for end in (stdout, stderr)]
            self.process = multiprocessing.get_context("fork").Process(
                target=_call, args=(function, given, ends, environment)
            )
            self.process.start()
        self.pid = self.process.pid
        with suppress(ProcessLookupError, PermissionError):  # over already; the copy does the same, whoever is first
            os.setpgid(self.pid, self.pid)

    def poll(self):
        return self.process.exitcode

    def wait(self, timeout=None):
        self.process.join(timeout)
        return self.process.exitcode

    def kill(self):
        self.process.kill()


def command_copied(words, **how):
    """A copy that runs ``krope`` with these words."""
    return Copy(main, [str(word) for word in words], **how)


def _call(function, given, ends, environment):
    os.setpgid(0, 0)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # as in a terminal
    for number, end in zip((1, 2), ends, strict=True):
        os.dup2(end, number)
    sys.stdout, sys.stderr = (os.fdopen(number, "w", encoding="utf-8") for number in (1, 2))
    os.environ.update(environment)
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)  # threads of the original are not in the copy
    try:
        function(*given)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
