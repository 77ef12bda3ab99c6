"""From an address to a page or an answer: the one door to the pages, for the workers and for tests."""

from base64 import b64decode
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from figures.app import layout
from figures.app.catalogue import BY_PATH
from figures.app.controls import read_all
from figures.app.page_sheet import Asked, Sheet
from figures.app.tours.uploads import read_upload
from tabular_krope.errors import KropeError

#: Controls that a new file sets; what is moved afterwards stays.
FROM_FILE = ("model", "data", "gamma", "fresh")


def sheet_of(path: str) -> Sheet:
    """The page at an address.

    >>> sheet_of("false-bound").lead.split()[:3]
    ['Start', 'in', 'x']
    """
    found: Sheet = import_module(f"figures.app.pages.{BY_PATH[path].module}").SHEET
    return found


def parts(path: str, query: Mapping[str, str], upload: Mapping[str, str] | None = None) -> dict[str, str]:
    """Every part of a page that depends on its controls.

    Args:
        path: of the page.
        query: texts of the controls; ``tab`` is the picture that is shown.
        upload: a file of the reader's own: ``name`` and ``content`` in base 64.

    >>> "81/10" in parts("false-bound", {})["verdict"]
    True
    """
    sheet, asked = sheet_of(path), _asked(query, upload)
    controls, shown = sheet.controls(asked), dict(asked.query)
    try:
        values = read_all(controls, asked.query)
        tab = query.get("tab", "0")
        answer = sheet.answer(values, asked)
        return layout.answer_parts(
            answer, controls, shown, int(tab) if tab.isdecimal() and tab.isascii() and len(tab) < 3 else 0
        )
    except KropeError as error:
        return layout.refusal(str(error), controls, shown)


def page(path: str, query: Mapping[str, str]) -> str:
    """A whole page."""
    return layout.whole_page(BY_PATH[path], sheet_of(path), parts(path, query))


def respond(request: Mapping[str, Any]) -> dict[str, Any]:
    """The answer to a worker's request: ``kind`` is "page" or "parts"."""
    query = {str(name): str(text) for name, text in request["query"].items()}
    if request["kind"] == "page":
        return {"html": page(request["path"], query)}
    return dict(parts(request["path"], query, request.get("upload")))


def _asked(query: Mapping[str, str], upload: Mapping[str, str] | None) -> Asked:
    if upload is None:
        return Asked(query)
    name = str(upload["name"])
    if "fresh" in query:
        query = {key: text for key, text in query.items() if key not in FROM_FILE}
    try:
        return Asked(query, read_upload(name, b64decode(upload["content"])), name)
    except KropeError as error:
        return Asked(query, None, name, str(error))
