"""The ``krope`` command: one module for each subcommand, loaded when it is asked for."""

import sys
from collections.abc import Sequence
from typing import NoReturn


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run ``krope`` and exit with its code.

    Args:
        arguments: the words after ``krope``; those of the process if None.

    Exit codes: 0 done, 1 a verdict is not the expected one, 2 bad input, 70 a fault of krope itself, 130 interrupted,
    141 the reader of the output went away, 143 ended by SIGTERM.
    """
    try:
        if arguments is None and "deep" in sys.argv:  # the process is the command's own, and it may train
            from krope.allocator import restart_with_settings

            restart_with_settings(sys.argv[1:])
        from krope.app import run

        code = run(arguments)
    except KeyboardInterrupt:  # while modules were loading
        code = 130
    raise SystemExit(code)
