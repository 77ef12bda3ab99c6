"""Hypothesis profiles (``dev``, ``ci`` derandomized, ``nightly`` with many examples), and a folder for each doctest."""

import gc
import os
import sys
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings

SLOW = [HealthCheck.too_slow]
#: Without explaining a failure, which traces every line while an example is shrunk and makes that several times slower.
PHASES = tuple(phase for phase in Phase if phase is not Phase.explain)
settings.register_profile("dev", phases=PHASES, max_examples=30, deadline=None)
settings.register_profile(
    "ci", phases=PHASES, max_examples=30, deadline=None, derandomize=True, suppress_health_check=SLOW
)
settings.register_profile("nightly", phases=PHASES, max_examples=1000, deadline=None, suppress_health_check=SLOW)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") else "dev"))

#: Whose lines are counted, and by which tests: tracing every other test would make the suite half as long again.
COVERED = tuple(Path(__file__).parent / folder for folder in ("tabular_krope", "tests/tabular_krope"))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is collected lives until the end, and no later sweep for garbage looks at it again."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.set_threshold(10_000, 20, 10)
        gc.enable()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None, object, object]:
    """Coverage is that of a package by its own tests and examples: lines are counted while these run.

    Stopping and starting for each test, or counting while pytest prepares one, would take longer than most tests do.
    """
    plugin = item.config.pluginmanager.getplugin("_cov")
    controller = getattr(plugin, "cov_controller", None)
    if controller is None:
        return (yield)
    covered = any(item.path.is_relative_to(folder) for folder in COVERED)
    if covered != controller.started:
        (controller.resume if covered else controller.pause)()
    try:
        return (yield)
    finally:
        if nextitem is None and not controller.started:
            controller.resume()


@pytest.fixture(autouse=True)
def _own_folder(request: pytest.FixtureRequest) -> None:
    """Examples in docs and docstrings write their files where nobody minds."""
    if isinstance(request.node, pytest.DoctestItem):
        request.getfixturevalue("monkeypatch").chdir(request.getfixturevalue("tmp_path"))


@pytest.fixture(autouse=True)
def _own_statements() -> Iterator[None]:
    """Statements that an example registers are forgotten after it."""
    yield
    registry = sys.modules.get("proofs_check.statements.registry")
    known = getattr(registry, "STATEMENTS", None)
    for slug in list(getattr(known, "_own", ())):
        known._own.remove(slug)
        del known._loaded[slug]
