"""The documentation builds to a site that needs no other machine, with all formulas and public names in it."""

import os
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag

import pytest

ROOT = Path(__file__).parent.parent
CHROMIUM = shutil.which("chromium")
#: A loaded machine may take its time, in milliseconds.
PATIENCE = 60_000


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    out = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", str(out)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return out


def test_nothing_is_loaded_from_elsewhere(site):
    loaded = re.compile(r'<(?:script|link|img|iframe)\b[^>]*\b(?:src|href)="((?:https?:)?//[^"]*)"')
    found = {url for page in site.rglob("*.html") for url in loaded.findall(page.read_text())}
    assert found == set()
    styles = [path for path in site.rglob("*.css") if re.search(r"@import|url\(['\"]?https?:", path.read_text())]
    assert styles == []


def test_every_formula_is_drawn(site):
    raw = re.compile(r'class="arithmatex"|\\\(')  # the second is what the table of contents makes of a heading
    assert [page.name for page in site.rglob("*.html") if raw.search(page.read_text())] == []
    assert (site / "theory.html").read_text().count("<math") > 100


def test_lists_are_lists(site):
    """Markdown runs a list into the paragraph before it where a blank line is missing."""
    swallowed = re.compile(r"<p>(?:(?!</p>).)*?\n(?:[-*]|\d+\.) ", re.S)
    assert [page.name for page in site.rglob("*.html") if swallowed.search(page.read_text())] == []
    assert (site / "figures.html").read_text().count("<li><strong>") > 20


def test_pictures_open_at_full_size(site):
    shown, opening = (
        re.compile(r'<img [^>]*src="[^"]*pictures/'),
        re.compile(r'href="([^"]*)">(?:<picture><source [^>]*>)?<img [^>]*src="[^"]*pictures/'),
    )
    for page in site.glob("*.html"):
        targets = opening.findall(page.read_text())
        assert len(targets) == len(shown.findall(page.read_text())), page.name
        assert all(name.endswith((".svg", ".gif")) and (site / name).exists() for name in targets), page.name
    with_pictures = {page.stem for page in site.glob("*.html") if shown.search(page.read_text())}
    assert {"index", "tutorial", "analyze", "closed_form", "conjectures", "diagnose", "control"} <= with_pictures


def test_every_public_name_has_its_place(site):
    import tabular_krope as tk

    text = "".join(page.read_text() for page in (site / "reference").glob("*.html"))
    older = {name for name in dir(tk) if getattr(getattr(tk, name), "__name__", name) != name}  # of another spelling
    assert older < set(dir(tk))
    missing = {name for name in dir(tk) if not re.search(rf'id="tabular_krope\.[\w.]+\.{name}"', text)}
    assert missing - {"KropeError", "PrecisionWarning"} == older


def test_every_page_is_in_the_menu_and_on_the_first_page():
    pages = {page.name for page in (ROOT / "docs").glob("*.md")}
    listed, first = (ROOT / "mkdocs.yml").read_text(), (ROOT / "docs" / "index.md").read_text()
    assert [name for name in sorted(pages) if name not in listed] == []
    assert [name for name in sorted(pages - {"index.md"}) if f"]({name})" not in first] == []


PAGES = [*ROOT.glob("*.md"), ROOT / "figures" / "README.md", *(ROOT / "docs").glob("*.md")]


def slugs(page):
    """The anchors that GitHub gives the headings of a page."""
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S)
    headings = re.findall(r"^#+ +(.*?) *$", text, flags=re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_to_a_place_in_the_repository(page):
    linked = re.findall(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)", page.read_text())
    assert [name for name, _ in linked if not (page.parent / name).exists()] == []
    places = [(page.parent / name if name else page, anchor) for name, anchor in linked if anchor]
    assert [anchor for target, anchor in places if anchor not in slugs(target)] == []


class Links(HTMLParser):
    """What a page of the site points at, and what can be pointed at in it."""

    def __init__(self, page):
        super().__init__()
        self.targets, self.places = set(), {""}
        self.feed(page.read_text())

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.places |= {found[name] for name in ("id", "name") if found.get(name)}
        if tag == "a" and "href" in found:
            self.targets.add(found["href"])


def test_every_link_of_the_site_leads_to_a_place_in_it(site):
    pages = {page.resolve(): Links(page) for page in site.rglob("*.html")}
    lost = set()
    for page, links in pages.items():
        if page.name == "404.html":  # its links begin at the root of a server
            continue
        for target in links.targets:
            if re.match(r"[a-z]+:|//", target):
                continue
            address, anchor = (unquote(part) for part in urldefrag(target))
            file = (page.parent / address).resolve() if address else page
            if not file.exists() or (file in pages and anchor not in pages[file].places):
                lost.add((page.name, target))
    assert lost == set()


@pytest.fixture(scope="module")
def browser():
    if CHROMIUM is None and not os.environ.get("CI"):
        pytest.skip("chromium is not installed (apt-get install chromium)")
    from playwright.sync_api import sync_playwright

    assert CHROMIUM is not None, "CI must install chromium"
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield found
        found.close()


def test_the_search_has_an_index_that_needs_no_server(site):
    assert (site / "search" / "search_index.js").read_text().startswith("var __index = {")


def test_the_site_is_searched_without_a_server(site, browser):
    asked = []
    page = browser.new_page()
    page.on("request", lambda request: asked.append(request.url))
    page.goto((site / "index.html").as_uri())
    page.locator(".md-search__input").click(timeout=PATIENCE)
    page.keyboard.type("pseudometric")
    found = page.locator('.md-search-result__link[href*="theory.html"]')
    found.first.wait_for(timeout=PATIENCE)
    page.close()
    assert [url for url in asked if not url.startswith("file:")] == []


@pytest.fixture(scope="module")
def phone(browser):
    """A page of a browser, 390 pixels wide."""
    return browser.new_page(viewport={"width": 390, "height": 800}, device_scale_factor=3)


@pytest.mark.parametrize("name", ["theory", "errata", "neighbors", "figures", "index", "reference/kernels"])
def test_formulas_are_set_and_pages_fit_a_phone(site, phone, name):
    phone.goto((site / f"{name}.html").as_uri(), timeout=PATIENCE)
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    assert phone.locator(".katex-error").count() == 0
    formulas = phone.locator(".formula").count()
    assert phone.locator(".formula > .katex, .formula > .katex-display").count() == formulas
    assert formulas > 0 or name in ("figures", "reference/kernels")


def test_a_phone_shows_the_pictures_of_a_page_whole_with_letters_one_can_read(site, phone):
    for name in ("index", "tutorial"):
        phone.goto((site / f"{name}.html").as_uri(), timeout=PATIENCE)
        found = phone.evaluate(
            """async () => {
                 const all = [...document.querySelectorAll("a.picture img")];
                 all.forEach(one => one.loading = "eager");
                 await Promise.all(all.map(one => one.decode()));
                 return all.map(one => [one.currentSrc, one.parentElement.parentElement.scrollWidth,
                                        one.clientWidth / one.naturalWidth]);
               }"""
        )
        assert found
        for source, width, share in found:
            assert "/narrow/" in source
            assert width <= 390
            assert 9 * 4 / 3 * share > 11, "9 pt are 12 pixels"


def test_the_bar_of_a_root_is_above_its_letter(site, phone):
    import io

    import matplotlib.image

    phone.goto((site / "theory.html").as_uri(), timeout=PATIENCE)
    phone.evaluate("document.fonts.ready.then(() => true)")
    assert phone.evaluate("[...document.fonts].filter(f => f.status === 'loaded').map(f => f.family)").count(
        "KaTeX_Math"
    )
    root = phone.locator('.formula[data-tex$="\\\\sqrt\\\\gamma"] .sqrt').first
    picture = matplotlib.image.imread(io.BytesIO(root.screenshot(timeout=PATIENCE)))[..., :3].mean(axis=-1)
    ink = (picture[:, -picture.shape[1] // 3 :] < 0.7).any(axis=1)  # rows, over the letter
    starts = int((ink[1:] & ~ink[:-1]).sum()) + int(ink[0])
    assert starts == 2, "a bar, a gap, a letter"


def test_links_on_a_dark_page_can_be_read_in_code_too(site, phone):
    phone.emulate_media(color_scheme="dark")
    phone.goto((site / "figures.html").as_uri())
    found = phone.evaluate(
        """() => ["article a:not(.headerlink)", "article td a code", "article h1", "article code"].map(name => {
             const one = document.querySelector(name);
             const parts = color => color.match(/[\\d.]+/g).map(Number);
             let back = one, paper;
             do { paper = parts(getComputedStyle(back).backgroundColor); back = back.parentElement; }
             while (back && paper.length > 3 && paper[3] < 1);
             const light = color => color.slice(0, 3).map(c => c / 255)
               .map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
               .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
             const [a, b] = [light(parts(getComputedStyle(one).color)), light(paper)];
             return [name, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)];
           })"""
    )
    phone.emulate_media(color_scheme="light")
    assert [name for name, contrast in found if contrast < 5.5] == [], found


def test_the_site_shows_where_the_repository_links_to_its_figures(site):
    for name in ("index", "reproduce"):
        assert 'href="figures.html"' in (site / f"{name}.html").read_text()


@pytest.mark.parametrize(
    ("target", "last"),
    [
        ("check", 'krope is in .venv/bin: put it on the PATH with ". .venv/bin/activate"'),
        ("docs", "open site/index.html"),
    ],
)
def test_make_says_what_to_do_next(target, last):
    planned = subprocess.run(
        [
            "make",
            "--no-print-directory",  # this suite is itself run by a make, which makes the inner one say where it is
            "--dry-run",
            "--assume-old=.venv/.installed",
            "--assume-old=.venv/.installed-test",
            target,
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    said = subprocess.run(["sh", "-c", planned.stdout.splitlines()[-1]], capture_output=True, text=True, check=True)
    assert said.stdout == f"{last}\n"
