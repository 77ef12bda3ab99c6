"""Commands with small matrices ask for one BLAS thread, before numpy is loaded, and only if nobody else did."""

import os
import subprocess
import sys
from collections.abc import Mapping

import numpy as np
import pytest

from krope.lazy import VARIABLES, ask_for_one_thread

SHOW = "import os; print(*(os.environ.get(name, '-') for name in {names!r}))"


def after_loading(command: str, environment: Mapping[str, str]) -> list[str]:
    """What the variables are in a fresh process that has loaded a command, in their order."""
    clean = {name: value for name, value in os.environ.items() if name not in VARIABLES}
    load = f"from krope.app import COMMANDS; from krope.lazy import load; load(COMMANDS[{command!r}], {command!r})"
    words = [sys.executable, "-c", f"{load}\n{SHOW.format(names=VARIABLES)}"]
    done = subprocess.run(words, env=clean | dict(environment), capture_output=True, text=True, check=True)
    return done.stdout.split()


@pytest.mark.parametrize(
    ("command", "environment", "expected"),
    [
        ("check", {}, ["1"] * len(VARIABLES)),
        ("check", {"OMP_NUM_THREADS": "2"}, ["2", *["-"] * (len(VARIABLES) - 1)]),
        ("bench", {}, ["-"] * len(VARIABLES)),
    ],
)
def test_small_matrices_get_one_thread_unless_told_otherwise(
    command: str, environment: Mapping[str, str], expected: list[str]
) -> None:
    assert after_loading(command, environment) == expected


def test_a_process_that_has_numpy_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    assert np.__name__ in sys.modules
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    ask_for_one_thread()
    assert not any(name in os.environ for name in VARIABLES)
