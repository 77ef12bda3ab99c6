"""A page in a real browser, as tests of reports look at it."""

from contextlib import contextmanager

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
def opened(browser, path, width=1400, **context):
    """The page at ``path`` in a fresh context; fails if it asks for anything but itself, or complains."""
    asked, said = [], []
    with browser.new_context(viewport={"width": width, "height": 900}, **context) as fresh:
        page = fresh.new_page()
        page.set_default_timeout(60_000)
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: said.append(message.text))
        page.goto(path.as_uri())
        page.evaluate("document.fonts.ready")
        yield page
    assert [url for url in asked if not url.startswith("data:")] == [path.as_uri()]
    assert said == []
