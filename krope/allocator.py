"""Training commands start themselves again with the settings of `tabular_krope.control.process_settings`.

``krope deep train`` and ``krope deep sweep`` replace themselves, once, by the same command with the settings in the
environment; the processes that a sweep starts inherit them. Nothing else does so: not other commands, not Python
programs that import the package. Variables that the user has set stay as they are, and ``KROPE_ALLOCATOR=system``
leaves everything alone.
"""

import os
import sys
from collections.abc import Mapping, Sequence

CHOICE = "KROPE_ALLOCATOR"
COMMANDS = (("deep", "train"), ("deep", "sweep"))


def environment_for(words: Sequence[str], environment: Mapping[str, str], platform: str) -> dict[str, str] | None:
    """The environment to start again with; None where the process is right as it is.

    >>> environment_for(["deep", "train"], {"MALLOC_TOP_PAD_": "0"}, "linux")["MALLOC_TOP_PAD_"]
    '0'
    >>> environment_for(["check"], {}, "linux") is None
    True
    """
    plain = tuple(word for word in words if not word.startswith("-"))[:2]
    asks_for_help = any(word in ("--help", "-h") for word in words)
    if plain not in COMMANDS or asks_for_help or platform != "linux" or environment.get(CHOICE) in ("system", "set"):
        return None
    from tabular_krope.control.process_settings import SETTINGS

    return {**SETTINGS, **environment, CHOICE: "set"}


def restart_with_settings(words: Sequence[str]) -> None:
    """Replace this process by itself, started as it was, where a training command wants the settings.

    ``python -m krope`` would put the user's folder on the path, and a ``queue.py`` there before Python's own.
    """
    wanted = environment_for(words, os.environ, sys.platform)
    if wanted is not None:
        os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], wanted)
