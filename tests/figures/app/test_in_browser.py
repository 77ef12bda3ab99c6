"""The app in a real browser: what is moved becomes the library's numbers, and no page is cut, empty or crowded.

Needs Debian's chromium; without it the tests are skipped, except in CI, which installs it.
"""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from functools import partial

import pytest

from figures.app import catalogue
from figures.app.tours import blow_up_tour, false_bound_tour, laboratory_tour, microscope, uploads, why_stable_tour
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
#: What a page shows at this moment that it should not: things outside the page or their parent, charts without marks,
#: words on words, controls without names.
MEASURE = """() => {
  const bad = [], seen = one => one.checkVisibility() && one.getBoundingClientRect().width > 0;
  const wide = document.documentElement.scrollWidth - innerWidth;
  if (wide > 1) bad.push(`the page is ${wide} px too wide`);
  for (const one of document.querySelectorAll("main *, header *, footer *")) {
    if (!seen(one) || one.closest("svg, .scroll, .menu, pre, option")) continue;
    const box = one.getBoundingClientRect(), room = one.parentElement.getBoundingClientRect();
    if (room.width && (box.left < room.left - 3 || box.right > room.right + 3))
      bad.push(`outside: ${one.outerHTML.slice(0, 90)}`);
  }
  const charts = [...document.querySelectorAll("svg.chart")].filter(seen);
  for (const chart of charts) {
    const paper = chart.getBoundingClientRect();
    const sizes = [...chart.querySelectorAll(".mark")].map(one => one.getBoundingClientRect());
    if (!sizes.some(box => box.width + box.height > 4))
      bad.push("a chart without marks");
    const words = [...chart.querySelectorAll("text")].map(one => [one.textContent, one.getBoundingClientRect()]);
    words.forEach(([said, a], i) => {
      if (a.left < paper.left - 2 || a.right > paper.right + 2 || a.bottom > paper.bottom + 2)
        bad.push(`cut off: ${said}`);
      for (const [other, b] of words.slice(i + 1))
        if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 3 && b.top < a.bottom - 3)
          bad.push(`${said} on ${other}`);
    });
  }
  for (const one of document.querySelectorAll("input, select, button, svg[role=img]"))
    if (seen(one) && !(one.labels?.length || one.ariaLabel || one.textContent.trim()))
      bad.push(`no name: ${one.outerHTML.slice(0, 90)}`);
  return bad;
}"""

pytestmark = pytest.mark.skipif(
    CHROMIUM is None and not os.environ.get("CI"), reason="chromium is not installed (apt-get install chromium)"
)


@pytest.fixture(scope="module")
def address():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "krope", "demo", "--no-browser", "--port", str(port)]
    heed = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)  # shells start background jobs deaf to Ctrl-C
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, preexec_fn=heed)
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


@pytest.fixture(scope="module")
def window(browser, address):
    """One page for all tests; at the end no request has left the machine and no program has failed."""
    asked, failed = [], []
    context = browser.new_context(viewport={"width": 1400, "height": 900}, reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: failed.append(str(error)))
    yield page
    context.close()
    assert asked
    assert [url for url in asked if not url.startswith((address, "data:", "blob:"))] == []
    assert failed == []


@pytest.fixture
def visit(window, address):
    def open_page(path, width=1400, height=900):
        window.set_viewport_size({"width": width, "height": height})
        window.goto(f"{address}/{path}")
        window.wait_for_selector("body.ready")
        return window

    return open_page


def expect(page, name, value):
    """Wait until the number of that name is ``value`` to the last digit."""
    page.wait_for_selector(f'[data-name="{name}"][data-value="{value}"]', state="attached")


def press(page, slider, key, times=1):
    """Move the slider of that index by keys."""
    handle = page.locator("#controls input[type=range]").nth(slider)
    for _ in range(times):
        handle.press(key)


def choose(page, name, option):
    """Choose from the drop-down list of that name."""
    page.locator(f"#controls select[name={name}]").select_option(option)


@pytest.mark.parametrize("path", [page.path for page in catalogue.PAGES])
def test_nothing_is_cut_empty_or_crowded(visit, path):
    page = visit(path)
    assert page.evaluate(MEASURE) == []
    if path not in ("", "witnesses"):
        # Controls, verdict and picture are seen together.
        for part in ("#controls", "#verdict", "#picture"):
            box = page.locator(part).bounding_box()
            assert box["y"] >= 0, part
            assert box["y"] + box["height"] <= 900 - 40, part
    for width in (700, 390):
        page.set_viewport_size({"width": width, "height": 844})
        assert page.evaluate(MEASURE) == []


def test_the_start_is_one_screen_with_every_page_on_it(visit):
    page = visit("")
    assert page.locator("a.card").count() == len(catalogue.PAGES) - 1
    assert page.evaluate("document.documentElement.scrollHeight") <= 900
    assert page.locator(".graph svg").bounding_box()["height"] > 100


def test_first_content_is_in_the_first_answer(visit, window, address):
    # Paint needs nothing but the page itself: the picture stands in the HTML, not in an answer that comes later.
    page = visit("why-stable")
    asked = "performance.getEntriesByType('resource').filter(one => one.name.includes('/answer/')).length"
    assert page.evaluate(asked) == 0
    assert page.locator("svg.chart.wide .mark").count() > 3
    bare = window.context.new_page()
    bare.route(lambda url: not url.endswith(("/why-stable", ".css")), lambda route: route.abort())
    bare.goto(f"{address}/why-stable", wait_until="load")
    assert bare.locator("body.ready").count() == 0  # no program runs
    bare.wait_for_function("performance.getEntriesByName('first-contentful-paint').length", polling=50)
    assert bare.locator("svg.chart.wide .mark:visible").count() > 3
    bare.close()


def test_the_story_leads_on_and_back(visit):
    page = visit("")
    for other in catalogue.PAGES[1:]:
        assert page.locator(f'a.card[href="/{other.path}"]').count() == 1
    page.locator("footer .next").click()
    page.wait_for_selector('body.ready[data-path="what-distance-sees"]')
    page.keyboard.press("ArrowRight")
    page.wait_for_selector('body.ready[data-path="blow-up"]')


def test_sliders_become_the_numbers_of_the_library(visit):
    page = visit("false-bound")
    expect(page, "gap", "81/10")
    press(page, 0, "ArrowLeft", 5)
    expect(page, "e", "1/4")
    expect(page, "distance", false_bound_tour.compute("1/4").distance)
    page = visit("why-stable")
    press(page, 0, "ArrowRight", 8)
    found = why_stable_tour.compute(0.9, 4, 4.0)
    expect(page, "rho-krope-without-the-weights", found.radius[why_stable_tour.KINDS[1]])
    page.wait_for_selector(
        '[data-name="verdict"]:has-text("diverges on KROPE without the weights and random features")'
    )
    assert page.url.endswith("skew=4&d=4&gamma=0.9")  # the address is the state
    page = visit("rounding-microscope")
    press(page, 0, "ArrowRight", 8)
    expect(page, "radius", microscope.compute(14).radius)


def test_bars_are_dragged_and_the_film_plays(visit):
    page = visit("blow-up")
    bar = page.locator(".bars input").nth(2)
    box = bar.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] - 6)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 3, steps=4)
    page.mouse.up()
    levels = (*blow_up_tour.LOPSIDED[:2], "4", *blow_up_tour.LOPSIDED[3:])
    expect(page, "rho-LSPE", blow_up_tour.compute(why_stable_tour.KINDS[2], levels).radius["LSPE"])
    choose(page, "kind", why_stable_tour.KINDS[0])
    expect(page, "rho-LSPE", blow_up_tour.compute(why_stable_tour.KINDS[0], levels).radius["LSPE"])
    page.locator(".again").click()
    assert page.locator(".play").inner_text() == "Pause"
    page.locator(".play").click()
    assert page.locator(".play").inner_text() == "Play"
    page.locator(".film").evaluate("one => { one.value = 2; one.dispatchEvent(new Event('input')); }")
    assert page.locator('.chart.wide [data-step="2"]:not(.unseen)').count() > 0
    assert page.locator('.chart.wide [data-step="3"]:not(.unseen)').count() == 0


def test_tabs_projector_and_terms(visit):
    page = visit("what-distance-sees")
    page.get_by_role("tab", name="The sum").click()
    page.wait_for_selector('[role="tab"][aria-selected="true"]:has-text("The sum")')
    page.locator("#projector").click()
    assert page.locator(".chart.projector").is_visible()
    assert not page.locator(".chart.wide").is_visible()
    size = page.locator(".chart.projector text").first.evaluate("one => one.getBoundingClientRect().height")
    assert size > 24  # pixels: readable from the back of a room
    assert page.evaluate(MEASURE) == []
    page.locator("#projector").click()
    page.locator(".term").first.focus()
    tip = page.locator(".term").first.evaluate("one => getComputedStyle(one, '::after').content")
    assert "state together with an action" in tip


def test_a_claim_is_proved_or_its_counterexample_shrinks(visit):
    page = visit("conjecture")
    expect(page, "outcome", "refuted")
    assert page.locator(".film-frame").count() > 1
    assert page.locator(".film-frame:visible").count() == 1
    page.locator("input[name=claim]").fill("d[x,z] <= 2*(d[x,y] + d[y,z])")
    page.locator(".send").click()
    expect(page, "outcome", "proved")
    page.locator("input[name=claim]").fill("__import__('os')")
    page.keyboard.press("Enter")
    page.wait_for_selector('.verdict.bad:has-text("claim")')


def test_a_witness_is_copied_and_opened_in_the_laboratory(visit):
    page = visit("witnesses")
    card = page.locator('article[data-name="witness:lemma-value-bound:0"]')
    assert "81/10" in card.locator(".broken").inner_text()
    card.locator("a.open").click()
    page.wait_for_selector('body.ready[data-path="laboratory"]')
    found = laboratory_tour.compute(read_model("zoo:c1-value-bound"), "random", "uniform", 3, 0.9)
    expect(page, "norm", found.analysis.stability.norm)
    page.get_by_role("tab", name="Every statement").click()
    expect(page, "on-lemma-value-bound", "fails")
    expect(page, "on-theorem-1", "holds")


def test_an_own_file_then_another_model_then_a_bad_file(visit, tmp_path):
    text = """{"P_pi": [["1/2", "1/2"], ["0", "1"]], "r": ["1", "0"], "gamma": "1/3",
               "weights": ["1/4", "3/4"], "reward_range": ["-1", "1"]}"""
    (tmp_path / "mine.json").write_text(text)
    (tmp_path / "bad.json").write_text('{"P_pi": [["1"]], "r": ["0"], "gamma": "2"}')
    page = visit("laboratory")
    page.locator('input[type="file"]').set_input_files(tmp_path / "mine.json")
    expect(page, "shown", "own file: mine.json")
    mine = laboratory_tour.compute(uploads.read_upload("mine.json", text.encode()), weights="own").analysis
    expect(page, "gamma", 1 / 3)
    expect(page, "norm", mine.stability.norm)
    page.wait_for_selector("text=The file's own reward range, -1 to 1, is used.")
    choose(page, "data", "uniform")
    choose(page, "model", "chain walk")  # the later choice wins
    expect(page, "shown", "chain walk")
    choose(page, "model", "own file: mine.json")  # and the file is still there
    expect(page, "shown", "own file: mine.json")
    page.locator('input[type="file"]').set_input_files(tmp_path / "bad.json")
    page.wait_for_selector('.verdict.bad:has-text("bad.json: gamma must")')
    choose(page, "model", "chain walk")
    expect(page, "shown", "chain walk")
