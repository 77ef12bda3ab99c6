"""The app in a real browser: controls move, and the numbers become those that the library computes.

Needs Debian's chromium; without it the tests are skipped, except in CI, which installs it.
"""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from fractions import Fraction

import pytest

from figures.app import catalogue
from figures.app.tours import (
    false_bound,
    features_from_data,
    laboratory,
    only_rounding,
    what_distance_sees,
    why_stable,
)

CHROMIUM = shutil.which("chromium")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
#: A loaded machine may take its time.
PATIENCE = 60_000

pytestmark = pytest.mark.skipif(
    CHROMIUM is None and not os.environ.get("CI"), reason="chromium is not installed (apt-get install chromium)"
)


@pytest.fixture(scope="module")
def address():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "tabular_krope.cli", "demo", "--no-browser", "--port", str(port)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        assert "The app is at" in process.stderr.readline()
        for _ in range(300):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 0  # Ctrl-C ends it though pages are open
        process.stderr.close()


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import sync_playwright

    assert CHROMIUM is not None, "CI must install chromium"
    with sync_playwright() as play:
        engine = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield engine
        engine.close()


@pytest.fixture
def visit(browser, address):
    """Open a page, and see at the end that no request left the machine."""
    asked, pages = [], []

    def open_page(path):
        page = browser.new_page(viewport={"width": 1200, "height": 1600})
        page.set_default_timeout(PATIENCE)
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{address}/{path}")
        page.wait_for_selector(".krope-menu")
        pages.append(page)
        return page

    yield open_page
    for page in pages:
        page.close()
    assert asked
    assert [url for url in asked if not url.startswith((address, "data:", "blob:"))] == []


def expect(page, name, value):
    """Wait until the number of that name is ``value`` to the last digit."""
    page.wait_for_selector(f'[data-name="{name}"][data-value="{value}"]', state="attached")


def press(page, slider, key, times=1):
    """Move the slider of that index by keys."""
    page.wait_for_selector('[data-name="verdict"]')
    handle = page.get_by_role("slider").nth(slider)
    for _ in range(times):
        handle.focus()
        page.keyboard.press(key)


def test_the_start_page_leads_everywhere(visit):
    page = visit("")
    for other in catalogue.PAGES[1:]:
        assert page.locator(f'.krope-numbers a[href="/{other.path}"]').count() == 1
    page.locator('.krope-numbers a[href="/false-bound"]').click()
    expect(page, "gap", "81/10")


def test_false_bound(visit):
    page = visit("false-bound")
    expect(page, "gap", "81/10")
    expect(page, "distance", "81/20")
    press(page, 0, "ArrowLeft", 5)
    expect(page, "gap", false_bound.compute("1/4").gap)
    expect(page, "distance", false_bound.compute("1/4").distance)
    press(page, 1, "ArrowLeft", 10)
    expect(page, "gap", false_bound.compute("1/4", Fraction(80, 100)).gap)


def test_only_rounding(visit):
    page = visit("only-rounding")
    expect(page, "exact", 0.95)
    press(page, 0, "ArrowRight", 3)
    found = only_rounding.compute(8, 0.95, 0)
    expect(page, "covariance-float32", found.radius["covariance, float32"])
    expect(page, "singular-values-float64", found.radius["singular values, float64"])
    assert "rounding" in page.locator('[data-name="verdict"]').inner_text()


def test_why_stable(visit):
    page = visit("why-stable")
    press(page, 0, "ArrowRight", 8)
    found = why_stable.compute(0.95, 3, 4.0)
    expect(page, "norm-krope-weighted-by-the-data", found.norm[why_stable.KINDS[0]])
    expect(page, "rho-krope-unweighted", found.radius[why_stable.KINDS[1]])
    assert "diverges" in page.locator('[data-name="verdict"]').inner_text()


def test_what_the_distance_sees(visit):
    page = visit("what-distance-sees")
    press(page, 1, "ArrowRight", 1)
    expect(page, "bisimulation", what_distance_sees.compute("c3-no-injectivity", 0, 1, 0.9).bisimulation)
    other = list(what_distance_sees.MODELS)[1]
    page.get_by_role("combobox").first.select_option(f"{other}: {what_distance_sees.MODELS[other]}")
    expect(page, "distance", what_distance_sees.compute(other, 0, 1, 0.9).distance)
    press(page, 0, "ArrowLeft", 10)
    expect(page, "gap", what_distance_sees.compute(other, 0, 1, 0.8).gap)


def test_features_from_data(visit):
    page = visit("features-from-data")
    expect(page, "rho-base", features_from_data.compute(2000, 0.9, 16, 4).base.spectral_radius)
    press(page, 3, "ArrowRight", 2)
    found = features_from_data.compute(2000, 0.9, 16, 6)
    expect(page, "norm-krope", found.krope.norm)
    assert "diverges" in page.locator('[data-name="verdict"]').inner_text()


def test_the_laboratory(visit):
    page = visit("laboratory")
    page.get_by_role("combobox").first.select_option("witness: the value bound is false")
    found = laboratory.compute(laboratory.read_model("zoo:c1-value-bound"), "random", "uniform", 3, 0.9)
    expect(page, "norm", found.analysis.stability.norm)
    expect(page, "on-lemma-value-bound", "fails")
    expect(page, "on-theorem-1", "holds")
    press(page, 0, "ArrowRight")
    again = laboratory.compute(laboratory.read_model("zoo:c1-value-bound"), "random", "uniform", 4, 0.9)
    expect(page, "rho", again.analysis.stability.spectral_radius)


def test_a_bad_upload_is_told(visit, tmp_path):
    (tmp_path / "bad.json").write_text('{"P_pi": [["1"]], "r": ["0"], "gamma": "2"}')
    page = visit("laboratory")
    page.wait_for_selector('[data-name="verdict"]')
    page.locator('input[type="file"]').set_input_files(tmp_path / "bad.json")
    told = page.wait_for_selector('.krope-verdict.bad:has-text("gamma")').inner_text()
    assert "gamma must" in told
    assert "got 2" in told
