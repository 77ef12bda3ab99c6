"""The program of a worker: one request a line on stdin, one answer a line on stdout, JSON both."""

import json
import sys
from contextlib import suppress
from typing import TextIO

from figures.app.answers import respond
from tabular_krope.errors import KropeError

#: Bytes of address space that one worker may take, where the system can hold it to that.
MOST_MEMORY = 4 << 30


def work(requests: TextIO, answers: TextIO) -> None:
    """Answer until the requests end."""
    for line in requests:
        try:
            found = respond(json.loads(line))
        except KropeError as error:
            found = {"refused": str(error)}
        except MemoryError:
            found = {"refused": "this needs more memory than one visitor may take"}
        except Exception as error:  # a page that breaks must not take the others along
            found = {"broken": f"{type(error).__name__}: {error}"}
        answers.write(json.dumps(found) + "\n")
        answers.flush()


def _bound_memory() -> None:
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))


if __name__ == "__main__":
    _bound_memory()
    with suppress(KeyboardInterrupt, BrokenPipeError):
        work(sys.stdin, sys.stdout)
