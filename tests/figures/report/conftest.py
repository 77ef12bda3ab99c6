"""A real browser for the tests of pages."""

import os
import shutil

import pytest

CHROMIUM = shutil.which("chromium")
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"]


@pytest.fixture(scope="module")
def browser():
    """One browser for the tests of a module, closed before another module may start its own."""
    if CHROMIUM is None and not os.environ.get("CI"):
        pytest.skip("chromium is not installed (apt-get install chromium)")
    from playwright.sync_api import sync_playwright

    assert CHROMIUM is not None, "CI must install chromium"
    with sync_playwright() as playwright:
        engine = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield engine
        engine.close()
