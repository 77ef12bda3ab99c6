"""The documentation builds to a site that needs no other machine, with all formulas and public names in it."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


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
    assert [page.name for page in site.rglob("*.html") if 'class="arithmatex"' in page.read_text()] == []
    assert (site / "theory.html").read_text().count("<math") > 100


def test_every_public_name_has_its_place(site):
    import tabular_krope as tk

    text = "".join(page.read_text() for page in (site / "reference").glob("*.html"))
    assert [name for name in dir(tk) if not re.search(rf'id="tabular_krope\.[\w.]+\.{name}"', text)] in (
        [],
        ["KropeError"],
    )


def test_every_page_is_in_the_menu_and_on_the_first_page():
    pages = {page.name for page in (ROOT / "docs").glob("*.md")}
    listed, first = (ROOT / "mkdocs.yml").read_text(), (ROOT / "docs" / "index.md").read_text()
    assert [name for name in sorted(pages) if name not in listed] == []
    assert [name for name in sorted(pages - {"index.md"}) if f"]({name})" not in first] == []


PAGES = [*ROOT.glob("*.md"), ROOT / "figures" / "README.md", *(ROOT / "docs").glob("*.md")]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_to_a_file_of_the_repository(page):
    linked = re.findall(r"\]\((?!https?:|#)([^)#\s]+)(?:#[^)]*)?\)", page.read_text())
    assert [name for name in linked if not (page.parent / name).exists()] == []


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
