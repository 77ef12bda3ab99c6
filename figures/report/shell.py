"""The frame of every page: head, fonts, style and the policy that lets nothing be fetched and nothing run."""

from collections.abc import Sequence
from html import escape

from figures.report.look import STYLE
from figures.report.page_fonts import font_faces
from figures.report.words import facts

#: Fonts and the raster inside a picture come with the page; nothing else is loaded, from anywhere.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; font-src data:; img-src data:"
#: Packages whose versions decide what a run does.
PACKAGES = ("numpy", "scipy", "python-flint")


def page_html(title: str, parts: Sequence[str], rules: str = "") -> str:
    """A whole page.

    Args:
        title: of the window.
        parts: of the body, HTML; empty ones are left out.
        rules: more style than every page has.

    >>> page_html("A & B", ["<p>text</p>", ""]).splitlines()[-4:]
    ['<body><main>', '<p>text</p>', '</main></body>', '</html>']
    """
    head = (
        '<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        f"<title>{escape(title)}</title>\n<style>{font_faces()}{STYLE}{rules}</style>"
    )
    body = "\n".join(part for part in parts if part)
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n{head}\n</head>\n<body><main>\n{body}\n</main></body>\n</html>\n'
    )


def made_by(command: str, settings: Sequence[tuple[str, object]]) -> str:
    """The last part of a page: the command that makes it again, its settings, and the versions that made it."""
    found = dict(settings) | versions()
    found.pop("version", None)  # that of krope, which versions() has
    words = {True: "yes", False: "no"}
    shown = [(name, escape(words[value] if isinstance(value, bool) else str(value))) for name, value in found.items()]
    again = f"<pre><code>{escape(command)}</code></pre>" if command else ""
    return f'<h2 id="again">To make it again</h2>\n{again}{facts(shown, "plain")}'


def versions() -> dict[str, str]:
    """Versions of Python and of the packages that decide what a run does."""
    import platform
    from importlib.metadata import PackageNotFoundError, version

    from tabular_krope import __version__

    found = {"krope": __version__, "Python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "unknown"
    return found
