"""A page in a real browser, as tests of reports look at it."""

import os
import shutil
from contextlib import contextmanager

import pytest

CHROMIUM = shutil.which("chromium")
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"]
#: A desk, a tablet, a phone.
WIDTHS = (1400, 700, 390)
#: What is wider than the page, or than what holds it without scrolling.
OVERFLOW = """() => {
  const bad = [], room = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > room) bad.push(`page ${document.documentElement.scrollWidth}`);
  for (const one of document.querySelectorAll("main *")) {
    if (one.closest(".scroll, pre, .formula, svg, .card") || !one.checkVisibility()) continue;
    const box = one.getBoundingClientRect();
    if (box.width && (box.right > room + 1 || box.left < -1)) bad.push(one.outerHTML.slice(0, 120));
  }
  return bad;
}"""


@contextmanager
def opened(path, width=1400, **context):
    """The page at ``path`` in a fresh browser; fails if it asks for anything but itself, or complains."""
    if CHROMIUM is None and not os.environ.get("CI"):
        pytest.skip("chromium is not installed (apt-get install chromium)")
    from playwright.sync_api import sync_playwright

    assert CHROMIUM is not None, "CI must install chromium"
    asked, said = [], []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": width, "height": 900}, **context)
        page.set_default_timeout(60_000)
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: said.append(message.text))
        page.goto(path.as_uri())
        page.evaluate("document.fonts.ready")
        yield page
        browser.close()
    assert [url for url in asked if not url.startswith("data:")] == [path.as_uri()]
    assert said == []
