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
    uploads,
    what_distance_sees,
    why_stable,
)
from tabular_krope.named.models import read_model

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
    command = [sys.executable, "-m", "krope", "demo", "--no-browser", "--port", str(port)]
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
    expect(page, "e", "1/4")
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
    assert page.locator('.krope-good[data-name="singular-values-float64"]').count() == 1
    assert page.locator('.krope-bad[data-name="covariance-float64"]').count() == 1


def test_why_stable(visit):
    page = visit("why-stable")
    press(page, 0, "ArrowRight", 8)
    found = why_stable.compute(0.95, 3, 4.0)
    expect(page, "norm-krope-weighted-by-the-data", found.norm[why_stable.KINDS[0]])
    expect(page, "rho-krope-unweighted", found.radius[why_stable.KINDS[1]])
    assert "diverges" in page.locator('[data-name="verdict"]').inner_text()


def test_what_the_distance_sees(visit):
    page = visit("what-distance-sees")
    page.wait_for_selector('svg:has-text("Transitions of the witness")')
    page.wait_for_selector("th:has-text('step 2 adds')")
    press(page, 1, "ArrowRight", 1)
    page.wait_for_selector("th:has-text('step 3 adds')")
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
    expect(page, "error-base", "no limit")
    assert "diverges" in page.locator('[data-name="verdict"]').inner_text()


def choose(page, index, option):
    """Choose an option of the drop-down list of that index: on the bench model, policy, data, features."""
    page.get_by_role("combobox").nth(index).select_option(option)


def test_the_laboratory(visit):
    page = visit("laboratory")
    choose(page, 0, "witness: the value bound is false")
    subject = read_model("zoo:c1-value-bound")
    found = laboratory.compute(subject, "random", "uniform", 3, 0.9)
    expect(page, "norm", found.analysis.stability.norm)
    expect(page, "on-lemma-value-bound", "fails")
    expect(page, "on-theorem-1", "holds")
    press(page, 0, "ArrowRight")
    again = laboratory.compute(subject, "random", "uniform", 4, 0.9)
    expect(page, "rho", again.analysis.stability.spectral_radius)
    choose(page, 2, "lopsided")
    choose(page, 3, "random")
    lost = laboratory.compute(subject, "random", "lopsided", 4, 0.9, "random").analysis.stability
    assert lost.spectral_radius > 1
    expect(page, "rho", lost.spectral_radius)
    expect(page, "error", "no limit")
    page.wait_for_selector('[data-name="verdict"]:has-text("blows up")')


def test_every_control_of_the_bench(visit):
    page, subject = visit("laboratory"), read_model("garnet:4x3x2")

    def shows(*settings):
        main = laboratory.compute(subject, *settings).analysis
        expect(page, "gamma", settings[3])
        expect(page, "rho", main.stability.spectral_radius)
        expect(page, "norm", main.stability.norm)
        expect(page, "error", main.value_error)

    shows("random", "uniform", 3, 0.9)
    press(page, 1, "ArrowLeft", 2)
    press(page, 0, "ArrowLeft")
    shows("random", "uniform", 2, 0.88)
    choose(page, 1, "optimal")
    choose(page, 2, "lopsided")
    shows("optimal", "lopsided", 2, 0.88)
    choose(page, 3, "KROPE without the weights")
    shows("optimal", "lopsided", 2, 0.88, "unweighted")
    choose(page, 2, "own")
    page.wait_for_selector('.krope-verdict.bad:has-text("no data weights of its own")')


def test_an_upload_and_then_another_model(visit, tmp_path):
    text = """{"P_pi": [["1/2", "1/2"], ["0", "1"]], "r": ["1", "0"], "gamma": "1/3",
               "weights": ["1/4", "3/4"], "reward_range": ["-1", "1"]}"""
    (tmp_path / "mine.json").write_text(text)
    page = visit("laboratory")
    page.wait_for_selector('[data-name="verdict"]')
    page.locator('input[type="file"]').set_input_files(tmp_path / "mine.json")
    expect(page, "shown", "own file: mine.json")
    mine = laboratory.compute(uploads.read_upload("mine.json", text.encode()), weights="own").analysis
    expect(page, "gamma", 1 / 3)
    expect(page, "norm", mine.stability.norm)
    page.wait_for_selector("text=The file's own reward range, -1 to 1, is used.")
    choose(page, 2, "uniform")
    choose(page, 0, "chain walk")  # the later choice wins
    expect(page, "shown", "chain walk")
    other = laboratory.compute(read_model("zoo:chain-walk"), "random", "uniform", 3, 1 / 3).analysis
    expect(page, "norm", other.stability.norm)
    choose(page, 0, "own file: mine.json")  # and the file is still there
    again = laboratory.compute(uploads.read_upload("mine.json", text.encode()), weights="uniform").analysis
    expect(page, "norm", again.stability.norm)


def test_bad_uploads_and_an_emptied_field_are_told_and_can_be_left(visit, tmp_path):
    (tmp_path / "bad.json").write_text('{"P_pi": [["1"]], "r": ["0"], "gamma": "2"}')
    (tmp_path / "notes.txt").write_text("hello")
    page = visit("laboratory")
    page.wait_for_selector('[data-name="verdict"]')
    page.locator('input[type="file"]').set_input_files(tmp_path / "bad.json")
    told = page.wait_for_selector('.krope-verdict.bad:has-text("gamma")').inner_text()
    assert told.startswith("bad.json: gamma must")
    assert "got 2" in told
    page.locator('input[type="file"]').set_input_files(tmp_path / "notes.txt")
    page.wait_for_selector('.krope-verdict.bad:has-text("notes.txt must be a model file")')
    choose(page, 0, "chain walk")
    expect(page, "shown", "chain walk")
    choose(page, 0, next(iter(laboratory.MODELS)))
    page.locator('input[inputmode="numeric"]').first.fill("")
    page.keyboard.press("Tab")
    page.wait_for_selector('.krope-verdict.bad:has-text("needs a whole number")')
